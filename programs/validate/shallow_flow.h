/// A flow of the solver `shallow` that begins as an exact solution does, and how far it is from it
/// later.
#pragma once

#include "dew/fields.h"
#include "validate/stage.h"
#include "validate/validate.h"

/// An exact solution; z is 0 in one dimension. Lengths in m, speeds in m/s.
typedef struct dew_ShallowExact {
    double (*ground)(double x, double z);
    double (*depth)(double x, double z, double t);  // >= 0
    double (*u)(double x, double z, double t);      // NULL: none at the start
    double (*w)(double x, double z, double t);
} dew_ShallowExact;

typedef struct dew_ShallowFlowDef {
    const char *model, *shore, *advection;  // as in scenes; NULL: the default
    int dimensions;
    double size_x_m, size_z_m;
    int cells;  // along x
    double g_m_s2;
    void (*add)(dew_SceneBuilder *b);  // sources, sinks; NULL: none
    dew_ShallowExact exact;
} dew_ShallowFlowDef;

/// The scene has no friction and closed sides. Opens it with the exact state at time 0.
dew_Status dew_shallow_flow_open(const dew_ShallowFlowDef *def, dew_Stage *stage);

/// The columns of a world; valid until it changes.
typedef struct dew_ShallowColumns {
    dew_Columns grid;
    bool has_z;                          // two dimensions
    const double *ground, *depth, *phi;  // m; phi: distance from the contact line, < 0 where wet
    double far_m;                        // bound of |phi|
} dew_ShallowColumns;
dew_ShallowColumns dew_shallow_columns(dew_World *world);
static inline int64_t dew_columns_at(const dew_ShallowColumns *c, int column, int row)
{
    return column + c->grid.row_stride * row;
}
static inline double dew_columns_x(const dew_ShallowColumns *c, int column)
{
    return c->grid.min_x_m + (column + 0.5) * c->grid.dx_m;
}
static inline double dew_columns_z(const dew_ShallowColumns *c, int row)
{
    return c->has_z ? c->grid.min_z_m + (row + 0.5) * c->grid.dz_m : 0;
}

/// Sum of |D - exact| over that of the exact depth, both as means over cells, at the world's time.
double dew_shallow_flow_error(const dew_Stage *stage, const dew_ShallowExact *exact);
/// The largest distance, in cells, between the model's contact line and where the exact depth ends,
/// as far as the band around the line goes: more than that when a place is wet or dry that should
/// not be.
double dew_shallow_flow_line_error(const dew_Stage *stage, const dew_ShallowExact *exact);
