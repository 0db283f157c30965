/// What a tree has to offer; for ray_tree.c and the trees.
#pragma once

#include "render/ray/ray_tree.h"

typedef struct dew_TreeOps {
    const char *name;
    void (*destroy)(void *state);
    bool (*hit)(const void *state, const dew_TraceRay *ray, dew_TraceHit *hit);
    bool (*blocks)(const void *state, const dew_TraceRay *ray);
} dew_TreeOps;

dew_Status dew_own_tree_create(const dew_TreeMesh *mesh, dew_Tasks *tasks,
                               const dew_Allocator *allocator, void **state);
extern const dew_TreeOps dew_own_tree_ops;

#ifdef DEW_HAVE_EMBREE
dew_Status dew_embree_tree_create(const dew_TreeMesh *mesh, const dew_Allocator *allocator,
                                  void **state);
extern const dew_TreeOps dew_embree_tree_ops;
#endif
