/// Fields and particles of a World as array views, without copying where the state stores them so.
///
/// Which fields there are depends on the solver:
///     volume, apic    phi, velocity_x, velocity_y, velocity_z, pressure, volume_fraction on bricks
///     splash          the same but volume_fraction; with tension phi has a grid of its own
///     shallow         ground, depth, velocity_x, velocity_z, distance on columns
///     surface         none: the state is a mesh, see dew_world_surface
/// and which particles:
///     volume    markers (position_x, position_y, position_z, id, radius), if asked for
///     apic      particles (position_x, position_y, position_z, id, radius, velocity, affine)
///     splash    markers (position_x, position_y, position_z, id)
///     volume, apic, and splash with tension also
///               droplets (position, velocity, volume): sub-grid droplets
///               drops (volume, area, center, cell_count, target_volume): pieces of the level set
///
/// A view is valid until the world changes: until the next step, live call, restore or
/// dew_world_destroy. Reading one does not change the world.
#pragma once

#include "dew/base.h"
#include "dew/grid.h"
#include "dew/world.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- fields ------------------------------------------------------------------------------------

/// Number of fields of the solver.
int dew_world_field_count(const dew_World *world);
/// Its name; NULL: index out of range.
const char *dew_world_field_name(const dew_World *world, int index);
/// A field by its name. DEW_UNSUPPORTED, with the names there are, when the solver has none of that
/// name. volume_fraction is computed, once per state; all others are the state itself.
dew_Status dew_world_field(dew_World *world, const char *name, dew_FieldView *out);

/// A dense copy, in two steps: the box of cells that holds all values, then the values of a box
/// (any box), as dew_field_view_copy.
dew_Status dew_world_field_box(dew_World *world, const char *name, dew_CellBox *out);
dew_Status dew_world_field_copy(dew_World *world, const char *name, const dew_CellBox *box,
                                double *out, int64_t count);

// ---- particles ---------------------------------------------------------------------------------

/// Particles of one kind, with a list of attributes.
typedef struct dew_ParticleSet {
    const char *name;
    int64_t count;
    int32_t attribute_count;
} dew_ParticleSet;

/// The sets of particles by index.
int dew_world_particle_set_count(const dew_World *world);
dew_Status dew_world_particle_set(const dew_World *world, int index, dew_ParticleSet *out);
/// An attribute of a set by its index, or by its name. DEW_UNSUPPORTED, with the names there are,
/// when there is no such set or attribute.
dew_Status dew_world_particle_attribute(const dew_World *world, const char *set, int index,
                                        dew_ArrayView *out);
dew_Status dew_world_particles(const dew_World *world, const char *set, const char *attribute,
                               dew_ArrayView *out);

// ---- setting the state -------------------------------------------------------------------------

/// Sets the liquid's velocity, as an initial condition. volume, apic; of apic also the velocities
/// of particles and their gradients. DEW_UNSUPPORTED: other solvers.
dew_Status dew_world_set_velocity(dew_World *world, const dew_VelocityField *velocity);

/// Values for all columns, [rows][columns], x fastest; NULL: as they are.
typedef struct dew_ColumnsDef {
    const double *ground_m;       // height of the ground
    const double *depth_m;        // >= 0
    const double *u_m_s, *w_m_s;  // on the faces towards smaller x and z; sides stay
    int64_t count;                // columns times rows, of each array
} dew_ColumnsDef;
/// Sets the columns of the solver shallow without surface tension, as an initial condition; the
/// account of the volume starts anew. A ground that is set is not part of a saved state.
/// DEW_UNSUPPORTED: other solvers.
dew_Status dew_world_set_columns(dew_World *world, const dew_ColumnsDef *def);

#ifdef __cplusplus
}
#endif
