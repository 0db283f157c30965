/// Viscosity, implicit and variational [Batty2008]: the new velocity minimises
///
///   1/2 rho |u - u_old|^2 + dt mu e(u) : e(u)   over the liquid,
///
/// e being the rate of strain. The stress-free condition at the free surface is then part of the
/// equations: volumes of liquid around faces, cells and edges weigh the terms. Toward solids the
/// strain is that of a linear profile which reaches the wall's velocity at the slip length behind
/// the wall.
///
/// Components are coupled, so rotation is not damped. Symmetric and positive; conjugate gradients
/// with some steps of Chebyshev's iteration: three when mu dt / (rho h^2) is 0.1, as for water.
#pragma once

#include "grid/brick.h"
#include "num/cg.h"

typedef struct dew_ViscosityDef {
    const double *phi;        // cells: liquid where < 0; NULL: all is liquid
    const double *open[3];    // lower faces: 0 is closed; NULL: all open
    const double *solid;      // cells: distance to solids, > 0 outside; NULL: none
    const double *wall_u[3];  // velocity of the solids on lower faces; NULL: at rest
    double slip_m;            // 0: no slip; HUGE_VAL: free slip
    const double *slip;       // cells: that of the wall nearest to them; NULL: slip_m
    // Least slip length beside contact lines: within three quarters of a cell of the surface, from
    // there linearly to 0 at one and a half.
    double line_slip_m;
    const double *mobility[3];  // lower faces: 1 / (1 + mass added to the liquid's); NULL: 1
    double density_kg_m3;
    double viscosity_Pa_s;
    double dt_s;
    dew_SolveDef solve;
} dew_ViscosityDef;

/// Water, no slip, tolerance 1e-6, at most 2000 iterations; dt_s is to be set.
dew_ViscosityDef dew_default_viscosity_def(void);

/// Updates u on faces that have liquid around them; others stay. Beyond missing bricks there is
/// free slip. No convergence is DEW_DIVERGED.
dew_Status dew_viscosity_run(const dew_Grid *grid, const dew_ViscosityDef *def, double *const u[3],
                             dew_Arena *scratch, dew_SolveReport *report);

// ---- The quadratic form -------------------------------------------------------------------------

// Between the files of viscosity: the quadratic form that is minimised, as coefficients.
//
// Strains are differences of face velocities: along an axis in a cell (upper face minus lower), and
// across at an edge. Edge e is parallel to axis e; with u the velocity along the axis after e (in
// turn) and v the one after that, du is the difference of u along v's axis and dv that of v along
// u's. Edges lie on the lower sides of their cells.
//
// Only bricks with faces that can move have equations ("of the system"). Deep in the liquid all
// coefficients are 1: such a brick ("plain") has none. Another has those of its cells and one layer
// below, and those of its edges and one layer above, so that a product needs its own brick only.

#define DEW_VISCOUS_SIDE (DEW_BRICK + 1)
#define DEW_VISCOUS_SIZE (DEW_VISCOUS_SIDE * DEW_VISCOUS_SIDE * DEW_VISCOUS_SIDE)

/// Coefficients of one brick that is not plain. In two dimensions only the first layers count.
typedef struct dew_ViscousBrick {
    float cell[DEW_VISCOUS_SIZE];  // volume fraction of cells, from (-1, -1, -1) on
    // Energy of an edge, (uu du^2 + 2 uv du dv + vv dv^2) / 2, from (0, 0, 0) on.
    float uu[3][DEW_VISCOUS_SIZE], uv[3][DEW_VISCOUS_SIZE], vv[3][DEW_VISCOUS_SIZE];
    float mass[3][DEW_BRICK_CELLS];     // volume fraction around faces
    float inverse[3][DEW_BRICK_CELLS];  // of the diagonal of mass + stiffness K; 0: no equation
    int first[2], last[2];              // rows with equations: first <= j < last, and the same of k
} dew_ViscousBrick;

typedef struct dew_ViscousForm {
    const dew_Grid *grid;
    const dew_ViscosityDef *def;
    double stiffness;   // mu dt / (rho h^2)
    uint8_t *state[3];  // of faces of the grid, see below
    int32_t brick_count;
    int32_t *brick;         // the grid's brick of each brick of the system
    int32_t *coefficients;  // which of `bricks` it has; DEW_INVALID: it is plain
    dew_ViscousBrick *bricks;
    dew_Grid links;        // brick_count bricks, their neighbours in the system, and nothing else
    int64_t values;        // of one component; vectors have one component after the other
    double largest;        // bound of the eigenvalues of D^-1 A, D being the diagonal
    double *largest_each;  // same, of each brick
} dew_ViscousForm;

enum { DEW_FACE_IDLE, DEW_FACE_FREE, DEW_FACE_WALL };

dew_Status dew_viscous_form_make(dew_ViscousForm *form, dew_Arena *arena);

/// The diagonal of a plain brick: two cells, four edges.
static inline double dew_viscous_plain_diagonal(const dew_ViscousForm *form)
{
    return 1 + 8 * form->stiffness;
}

/// y = mass x + stiffness K x where there are equations, 0 elsewhere. x must be 0 there, or a
/// wall's velocity. products: as of a dew_LinearFn, or NULL.
dew_Status dew_viscous_form_apply(const dew_ViscousForm *form, const double *x, double *y,
                                  double *products);
/// Same in float, as a step of Chebyshev's iteration for A z = r: with e = D^-1 (r - A z),
/// step = turn step + push e and to = z + step. The first, from z = 0, has z NULL and turn 0.
dew_Status dew_viscous_form_step(const dew_ViscousForm *form, const float *r, const float *z,
                                 float turn, float push, float *step, float *to);
