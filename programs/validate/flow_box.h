/// A two-dimensional box full of liquid with solid walls, for checks of advection, viscosity and
/// projection on the grid.
///
/// The box is [0, length] x [0, 1] metres with `cells` cells per metre. Density 1.
#pragma once

#include "dew/grid.h"

typedef struct dew_FlowBox {
    int cells;  // per metre
    double h, length;
    double low, high;  // y of the walls below and above; inside [0, 1]
    double lid_speed;  // of the wall above, along x
    double viscosity, slip, dt;
    dew_Flow *flow;
    dew_FieldView u[2];  // its velocity
} dew_FlowBox;

/// Set cells, length, low, high, lid_speed, viscosity, slip and dt before. The box must stay where
/// it is; one that failed to open need not be closed.
dew_Status dew_flow_box_open(dew_FlowBox *box);
void dew_flow_box_close(dew_FlowBox *box);

/// Component a of the velocity at cell (i, j), on its lower face; 0 where there is none.
double dew_flow_box_u(const dew_FlowBox *box, int a, int i, int j);
/// Mean of u^2 + v^2 over the faces in the box, halved.
double dew_flow_box_energy(const dew_FlowBox *box);
