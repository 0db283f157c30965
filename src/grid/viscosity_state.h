/// Between the files of viscosity: the quadratic form that is minimised, as coefficients.
///
/// Strains are differences of face velocities: along an axis in a cell (upper face minus lower), and
/// across at an edge. Edge e is parallel to axis e; with u the velocity along the axis after e (in
/// turn) and v the one after that, du is the difference of u along v's axis and dv that of v along
/// u's. Edges lie on the lower sides of their cells.
#pragma once

#include "grid/viscosity.h"

typedef struct dew_ViscousForm {
    const dew_Grid *grid;
    const dew_ViscosityDef *def;
    double stiffness;               // mu dt / (rho h^2)
    int64_t values;                 // of one component
    uint8_t *state[3];              // of faces, see below
    double *mass[3];                // share of liquid around faces
    double *cell;                   // share of liquid in cells
    double *uu[3], *uv[3], *vv[3];  // energy of an edge: (uu du^2 + 2 uv du dv + vv dv^2) / 2
    // Stresses, between the two halves of a product.
    double *normal[3];          // of cells, along each axis
    double *on_u[3], *on_v[3];  // of edges
} dew_ViscousForm;

enum { DEW_FACE_IDLE, DEW_FACE_FREE, DEW_FACE_WALL };

dew_Status dew_viscous_form_make(dew_ViscousForm *form, dew_Arena *arena);
/// y = mass x + stiffness K x on free faces, 0 on others. x must be 0 or a wall's velocity there.
/// Vectors have the three components one after the other.
dew_Status dew_viscous_form_apply(dew_ViscousForm *form, const double *x, double *y);
/// Diagonal of the same.
dew_Status dew_viscous_form_diagonal(const dew_ViscousForm *form, double *y);
