/// The loops of the implicit step over a drop's vertices (implicit_solve.c), each over all of its
/// vectors at once. Vectors are padded to four numbers, the last zero, so that a vertex is one wide
/// register.
#pragma once

#include "dew/base.h"

typedef double dew_Double4 __attribute__((vector_size(32)));

/// The equation and the vectors of conjugate gradients.
typedef struct dew_DropImplicitSystem {
    int64_t n;
    const int32_t *row, *col;  // neighbours
    const double *off;         // per entry
    double *pivot;             // per vertex: mass and stiffness
    double *inverse;           // of the pivot, with the drag of the contact line
    const double *mass;
    const double *moment;    // Q, 9 per vertex, and readable a little beyond the last
    const double *coupling;  // Z, 9: acts on the motion of the centre
    double total_mass;
    dew_Double4 *gradient;          // G
    dew_Double4 *volume_direction;  // P^-1 G
    dew_Double4 *solution, *residual, *preconditioned, *direction, *image;
    bool is_wide;  // AVX2 may be used; the bits are the same
} dew_DropImplicitSystem;

/// A p = image + (Q' w - m u): what the motion of the centre adds is put in by
/// dew_drop_implicit_descend.
typedef struct dew_DropImplicitImage {
    double curvature;  // p.A p
    double u[4], w[4];
} dew_DropImplicitImage;

bool dew_drop_implicit_has_wide(void);

/// image = A p without the centre's part, p = direction.
void dew_drop_implicit_apply(const dew_DropImplicitSystem *s, dew_DropImplicitImage *out);
/// solution += alpha p, residual -= alpha A p.
void dew_drop_implicit_descend(const dew_DropImplicitSystem *s, const dew_DropImplicitImage *image,
                               double alpha);
/// preconditioned = residual over the pivots.
void dew_drop_implicit_scale(const dew_DropImplicitSystem *s);
/// G.z
double dew_drop_implicit_flow(const dew_DropImplicitSystem *s);
/// residual += lambda G, z += lambda P^-1 G. Returns their product.
double dew_drop_implicit_project(const dew_DropImplicitSystem *s, double lambda);
/// direction = z + beta direction.
void dew_drop_implicit_turn(const dew_DropImplicitSystem *s, double beta);
