/// A preconditioner for the implicit step of large drops: a V-cycle over levels of ever fewer
/// unknowns.
///
/// It is linear, symmetric and positive, whatever the accuracy of its coarse levels. Single
/// precision: conjugate gradients around it correct what that leaves.
#pragma once

#include "base/arena.h"
#include "solvers/surface/implicit_kernels.h"

typedef float dew_Float4 __attribute__((vector_size(16)));

/// One level. Entries of a row: those of lower columns first.
typedef struct dew_DropMultilevelLevel {
    int32_t n;
    int32_t *row;     // n + 1 beginnings
    int32_t *middle;  // per row: its first entry beyond the diagonal
    int32_t *col;
    float *off, *inverse;  // the matrix, the inverse of its diagonal
    float *mass;           // diagonal minus the sum of the row's magnitudes
    int32_t *parent;       // unknown of the next level; -1: none
    dew_Float4 *right, *solution;
} dew_DropMultilevelLevel;

#define DEW_MULTILEVEL_MAX 12

typedef struct dew_DropMultilevel {
    dew_DropMultilevelLevel levels[DEW_MULTILEVEL_MAX];
    int count;
} dew_DropMultilevel;

/// Levels of the matrix of `s` (pivot, off). Vertices that are held do not take part. The levels
/// live in the arena.
dew_Status dew_drop_multilevel_make(dew_DropMultilevel *m, dew_Arena *arena,
                                    const dew_DropImplicitSystem *s, const uint8_t *is_held);
/// levels[0].solution close to the inverse times levels[0].right; that of held vertices is zero.
void dew_drop_multilevel_apply(const dew_DropMultilevel *m);
