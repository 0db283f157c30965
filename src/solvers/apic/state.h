/// State of the solver `apic`: liquid on bricks, and the particles that carry its velocity.
#pragma once

#include "grid/markers.h"
#include "grid/transfer.h"
#include "solvers/liquid/liquid.h"

struct dew_SolverState {
    dew_Liquid liquid;
    dew_Markers markers;  // the particles; all are markers of the inside
    int motion;           // column of dew_Motion
    dew_TransferKind kind;
    bool is_from_particles;  // the surface, each step anew
    int per_axis;            // particles of a full cell along each axis
};

/// apic_particles.c: columns, saving.
void dew_apic_particles_create(dew_SolverState *state, const dew_Problem *problem);
void dew_apic_particles_fields(dew_SolverState *state, dew_FieldList *out);
dew_Status dew_apic_particles_restored(dew_SolverState *state);

/// Which cells get new particles.
typedef enum dew_ApicFill {
    DEW_APIC_POURED,   // all that have none: new liquid
    DEW_APIC_FLOWING,  // those inside that have too few
} dew_ApicFill;
/// spread.c: fills cells that have too few, thins out those that have too many, lets those go that the liquid
/// has left behind. Particles are sorted afterwards.
dew_Status dew_apic_spread(dew_SolverState *state, dew_ApicFill fill, dew_Arena *scratch);
/// Moves those in solids, or next to them, out.
dew_Status dew_apic_leave_walls(dew_SolverState *state, dew_Arena *scratch);

/// particle_surface.c: phi from the particles alone.
dew_Status dew_apic_particle_surface(dew_SolverState *state, dew_Arena *scratch);

/// external.c: tension as the paper has it, where options ask for that.
dew_Status dew_apic_external_tension(dew_LiquidFlow *flow);

/// step.c
dew_Status dew_apic_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step);
