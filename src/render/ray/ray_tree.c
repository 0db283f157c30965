// Which tree, and the calls through to it.
#include "render/ray/ray_tree.h"

#include "base/allocator.h"
#include "base/status.h"
#include "render/ray/tree_ops.h"

#include <string.h>

struct dew_RayTree {
    const dew_TreeOps *ops;
    void *state;
    dew_Allocator allocator;
};

bool dew_ray_tree_has_embree(void)
{
#ifdef DEW_HAVE_EMBREE
    return true;
#else
    return false;
#endif
}

static dew_Status create_state(dew_RayTree *tree, const char *name, const dew_TreeMesh *mesh,
                               dew_Tasks *tasks)
{
#ifdef DEW_HAVE_EMBREE
    if (!name || strcmp(name, "embree") == 0) {
        tree->ops = &dew_embree_tree_ops;
        return dew_embree_tree_create(mesh, &tree->allocator, &tree->state);
    }
#endif
    if (name && strcmp(name, "own") != 0)
        return dew_fail(DEW_UNSUPPORTED, "no ray tree \"%s\" in this build (own%s)", name,
                        dew_ray_tree_has_embree() ? ", embree" : "");
    tree->ops = &dew_own_tree_ops;
    return dew_own_tree_create(mesh, tasks, &tree->allocator, &tree->state);
}

dew_Status dew_ray_tree_create(const char *name, const dew_TreeMesh *mesh, dew_Tasks *tasks,
                               const dew_Allocator *allocator, dew_RayTree **out)
{
    dew_RayTree *tree = dew_alloc(allocator, 1, sizeof *tree);
    *out = NULL;
    if (!tree)
        return dew_no_memory(sizeof *tree);
    if (allocator)
        tree->allocator = *allocator;
    dew_Status status = create_state(tree, name, mesh, tasks);
    if (status.code == DEW_OK)
        *out = tree;
    else
        dew_free(allocator, tree, sizeof *tree);
    return status;
}

void dew_ray_tree_destroy(dew_RayTree *tree)
{
    if (!tree)
        return;
    tree->ops->destroy(tree->state);
    dew_Allocator allocator = tree->allocator;
    dew_free(&allocator, tree, sizeof *tree);
}

const char *dew_ray_tree_name(const dew_RayTree *tree)
{
    return tree->ops->name;
}

bool dew_ray_tree_hit(const dew_RayTree *tree, const dew_TraceRay *ray, dew_TraceHit *hit)
{
    return tree->ops->hit(tree->state, ray, hit);
}

bool dew_ray_tree_blocks(const dew_RayTree *tree, const dew_TraceRay *ray)
{
    return tree->ops->blocks(tree->state, ray);
}
