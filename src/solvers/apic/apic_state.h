/// State of the solver `apic`: liquid on bricks, and the particles that carry its velocity.
#pragma once

#include "grid/particles.h"
#include "grid/transfer.h"
#include "solvers/free_surface/liquid.h"

struct dew_SolverState {
    dew_Liquid liquid;
    dew_Markers markers;  // the particles; all are markers of the inside
    int motion;           // column of dew_Motion; the next is that of dew_Shear
    dew_TransferKind kind;
    bool is_from_particles;  // the surface, each step anew
    int per_axis;            // particles of a full cell along each axis
    double viscous_wait_s;   // how long viscosity has not acted; state
};
DEW_LIQUID_BEGINS_STATE;

/// apic_particles.c: columns, saving.
void dew_apic_particles_create(dew_SolverState *state, const dew_Problem *problem);
void dew_apic_particles_fields(dew_SolverState *state, dew_FieldList *out);
dew_Status dew_apic_particles_restored(dew_SolverState *state);

/// Which cells get new particles.
typedef enum dew_ApicFill {
    DEW_APIC_POURED,   // all that have none: new liquid
    DEW_APIC_FLOWING,  // those inside that have too few
} dew_ApicFill;
/// particle_spacing.c: fills cells that have too few, thins out those that have too many, lets
/// those go that the liquid has left behind. Particles are sorted afterwards.
dew_Status dew_apic_reseed(dew_SolverState *state, dew_ApicFill fill, dew_Arena *scratch);
/// Moves those in solids, or next to them, out, after they were sorted and have moved by a step.
dew_Status dew_apic_push_out_of_walls(dew_SolverState *state);

/// particle_surface.c: phi from the particles alone.
dew_Status dew_apic_particle_surface(dew_SolverState *state, dew_Arena *scratch);

/// apic_momentum.c: keeps that of drops that touch nothing, from begin to end.
typedef struct dew_ApicMomentum {
    int64_t drop_count;
    uint8_t *is_free;           // per drop
    struct dew_ApicSums *sums;  // per drop, as of the beginning; NULL: no drop is free
    int32_t *label;             // per particle: its drop, if free
} dew_ApicMomentum;
dew_Status dew_apic_momentum_begin(const dew_SolverState *state, dew_ApicMomentum *momentum,
                                   dew_Arena *scratch);
/// dv_m_s: how much faster drops should be than at the beginning. Particles and cells' drops must
/// be those of the beginning, the particles' places apart; or (is_spread) particles may be others,
/// and are sorted.
dew_Status dew_apic_momentum_end(dew_SolverState *state, dew_ApicMomentum *momentum,
                                 dew_Vec3 dv_m_s, bool is_reseeded, dew_Arena *scratch);

/// external_tension.c: tension as the paper has it, where options ask for that.
dew_Status dew_apic_external_tension(dew_LiquidFlow *flow);

/// apic_step.c
dew_Status dew_apic_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step);
