/// A two-dimensional box full of liquid with solid walls, stepped with the grid's own parts: advection,
/// viscosity, projection. For checks of those parts; the solvers have their own loops.
///
/// The box is [0, length] x [0, 1] metres with `cells` cells per metre, and one brick of solid around.
/// Density 1. Half of what pressure and viscosity do is done before the liquid moves and is carried along,
/// half after: second order along the way. (Done all at its end, as plain splitting does, it damps
/// vortices at a rate proportional to the step.)
#pragma once

#include "grid/projection.h"
#include "grid/velocity.h"
#include "grid/viscosity.h"

typedef struct dew_FlowBox {
    int cells;  // per metre
    double h, length;
    double low, high;  // y of the walls below and above; inside [0, 1]
    double lid_speed;  // of the wall above, along x
    double viscosity, slip, dt;
    bool has_surface;  // phi counts; else all is liquid
    double time;
    dew_Grid *grid;
    dew_Poisson poisson;
    dew_Arena scratch;
    int fields[20];
    double *u[3], *to[3], *carried[3], *p, *dp, *phi, *solid;
    double *open[3], *wall[3];
    int iterations;  // of pressure, in all
} dew_FlowBox;

/// Velocity at a place, for the start.
typedef dew_Vec3 dew_FlowStart(double x, double y);

/// Set cells, length, low, high, lid_speed, viscosity, slip and dt before. A box that failed to open need
/// not be closed.
dew_Status dew_flow_box_open(dew_FlowBox *box, dew_Tasks *tasks);
void dew_flow_box_close(dew_FlowBox *box);
void dew_flow_box_start(dew_FlowBox *box, dew_FlowStart *velocity);
dew_Status dew_flow_box_step(dew_FlowBox *box);     // all of it
dew_Status dew_flow_box_diffuse(dew_FlowBox *box);  // viscosity alone

/// Component a of the velocity at cell (i, j), on its lower face.
double dew_flow_box_u(const dew_FlowBox *box, int a, int i, int j);
/// Mean of u^2 + v^2 over the faces in the box, halved.
double dew_flow_box_energy(const dew_FlowBox *box);
