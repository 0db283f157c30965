/// Field tables: one row per field on a solver's grid. A table drives the allocation of the fields
/// and the list from which World saves, restores, retries and hashes the state.
///
/// Tables nest: a solver that has another one's state among its parts lists that part's fields with
/// dew_field_list_nest, so that "phi" of the part "level_set" is saved as "level_set.phi".
#pragma once

#include "solvers/solver.h"

/// What a field is there for.
typedef enum dew_FieldRole {
    DEW_FIELD_STATE,    // saved and hashed
    DEW_FIELD_DERIVED,  // computed from the state and the problem
} dew_FieldRole;

/// Field of a grid. Its index goes to the int at `offset` of the state (offsetof).
typedef struct dew_FieldRow {
    const char *name;
    dew_FieldType type;
    int components;  // numbers per cell or face
    dew_Place place;
    size_t offset;
    unsigned needs;  // features, bits: the field exists when the state has all of them
    dew_FieldRole role;
    double initial;         // value in bricks that are new
    bool is_initial_cells;  // `initial` is a length in cells
} dew_FieldRow;

/// Adds the fields of a table to a grid, in the table's order. features: bits, see
/// dew_FieldRow.needs.
dew_Status dew_field_table_create(const dew_FieldRow *rows, int count, unsigned features,
                                  dew_Grid *grid, void *state);
/// Lists those that are state, in the table's order.
void dew_field_table_list(const dew_FieldRow *rows, int count, unsigned features,
                          const dew_Grid *grid, const void *state, dew_FieldList *out);
/// DEW_CORRUPT when a restored field has not as many bricks as the grid.
dew_Status dew_field_table_check(const dew_FieldRow *rows, int count, unsigned features,
                                 const dew_Grid *grid, const void *state);

void dew_field_list_array(dew_FieldList *out, const char *name, dew_FieldType type, int components,
                          dew_Array *array);
void dew_field_list_block(dew_FieldList *out, const char *name, dew_FieldType type, int components,
                          void *block);
/// Fields from number `first` on belong to a part of the state (static text).
void dew_field_list_nest(dew_FieldList *out, int first, const char *part);

/// Adds an array of particles or drops to a set of particle views: the set is begun by its name.
void dew_particle_views_begin(dew_ParticleViews *out, const char *name, int64_t count);
void dew_particle_views_add(dew_ParticleViews *out, const char *name, const char *unit,
                            dew_FieldType type, int components, size_t stride, const void *values);
/// Positions and ids of particles, as the first attributes of a set.
struct dew_Particles;
void dew_particle_views_begin_particles(dew_ParticleViews *out, const char *name,
                                        const struct dew_Particles *particles);
