/// Particles on bricks: columns of plain data, sorted by brick and, within a brick, by id.
///
/// Sums over particles run brick by brick in this order, so the result depends neither on the
/// workers nor on the history of the particles. Sorting removes particles that left all bricks.
/// Between sorts particles may be moved freely; `first` then still holds the order of the last
/// sort.
#pragma once

#include "grid/brick.h"
#include "grid/levelset.h"

#define DEW_MAX_COLUMNS 24
#define DEW_DEAD        UINT64_MAX  // id of a particle that goes with the next sort

typedef struct dew_Particles {
    int64_t count;
    int column_count;
    dew_Array column[DEW_MAX_COLUMNS];  // x, y, z (double), id (uint64_t), then those added
    dew_Array spare[DEW_MAX_COLUMNS];   // what the columns change places with when they are sorted
    dew_Array first;  // int64_t[brick_count + 1]: where each brick's particles begin
    bool is_sorted;
    uint64_t sorted_for;  // the grid's change_count then
    dew_Allocator allocator;
} dew_Particles;

void dew_particles_init(dew_Particles *particles, const dew_Allocator *allocator);
void dew_particles_deinit(dew_Particles *particles);

/// Adds a column, while there are no particles. Returns its number.
int dew_particles_add_column(dew_Particles *particles, size_t value_size);

static inline double *dew_particles_axis(const dew_Particles *particles, int axis)
{
    return (double *)particles->column[axis].data;
}
static inline uint64_t *dew_particles_ids(const dew_Particles *particles)
{
    return (uint64_t *)particles->column[3].data;
}
static inline void *dew_particles_column(const dew_Particles *particles, int column)
{
    return particles->column[column].data;
}
static inline dew_Vec3 dew_particles_position(const dew_Particles *particles, int64_t n)
{
    return (dew_Vec3){dew_particles_axis(particles, 0)[n], dew_particles_axis(particles, 1)[n],
                      dew_particles_axis(particles, 2)[n]};
}
/// The particles of a brick are [*begin, *end).
static inline void dew_particles_of_brick(const dew_Particles *particles, int64_t brick,
                                          int64_t *begin, int64_t *end)
{
    const int64_t *first = (const int64_t *)particles->first.data;
    *begin = first[brick];
    *end = first[brick + 1];
}

/// Room for `count` more at the end, all zero; to be filled in, then sorted.
dew_Status dew_particles_insert(dew_Particles *particles, int64_t count);
static inline void dew_particles_remove(dew_Particles *particles, int64_t n)
{
    particles->is_sorted = false;
    dew_particles_ids(particles)[n] = DEW_DEAD;
}

/// Sorts by brick and id; drops the dead and those outside all bricks. To be called after particles
/// have moved, come or gone, and after an update of the grid; does nothing when none of that
/// happened. Whoever writes positions or ids says so in is_sorted. Ids must differ.
dew_Status dew_particles_sort(dew_Particles *particles, const dew_Grid *grid, dew_Arena *scratch);
/// After the columns were restored from elsewhere: fails unless all have the same length, then
/// sorts.
dew_Status dew_particles_restored(dew_Particles *particles, const dew_Grid *grid,
                                  dew_Arena *scratch);
/// The same as sorting, but within a brick in the order in which they were, whatever their ids:
/// quicker. That order does not depend on workers either, but on how the particles came there:
/// whoever saves them saves it.
dew_Status dew_particles_group(dew_Particles *particles, const dew_Grid *grid, dew_Arena *scratch);
/// What whoever groups particles knows and wants besides.
typedef struct dew_GroupDef {
    const uint8_t
        *left_brick;  // 0: lives, and is in the brick where `first` has it; NULL: not known
    int64_t left_brick_count;  // particles that there were then; those after them are new
    void (*arrived)(void *context, int32_t brick);  // its particles are in place; by any worker
    void *context;
} dew_GroupDef;
/// The same, calling `arrived` (unless NULL) for all bricks, even when nothing had to be done.
dew_Status dew_particles_group_as(dew_Particles *particles, const dew_Grid *grid,
                                  const dew_GroupDef *def, dew_Arena *scratch);
/// What sorting ends with: chunks of `count` items copy all columns to their spares, which then
/// take their place.
dew_Status dew_particles_rearrange(dew_Particles *particles, dew_Tasks *tasks, int64_t count,
                                   int64_t per_chunk, dew_ChunkFn *copy, void *context);

/// Moves all particles along with the velocity u on faces for dt_s, by the third-order Runge-Kutta
/// scheme of [ShuOsher1988]; trilinear in space, constant in time. They must be sorted, and are no
/// more then.
dew_Status dew_particles_advect(dew_Particles *particles, const dew_Grid *grid,
                                const double *const u[3], double dt_s);

/// Hash of all columns.
uint64_t dew_particles_hash(const dew_Particles *particles);

// ---- Markers of a level set ---------------------------------------------------------------------

// Marker particles that keep a level set from losing volume [Enright2002].
//
// Markers on both sides of the surface move with the flow. One that is found on the wrong side by
// more than its radius has escaped: the level set lost what it marks, and its sphere is put back.
// The number per cell follows the speed, up to a maximum, for only fast surfaces lose volume
// ([Wang2005] section 8). Between two corrections the surface must not move by more than a few
// cells.

typedef struct dew_MarkersDef {
    int max_per_cell;   // at full speed and beyond
    int min_per_cell;   // at rest
    double full_speed;  // m/s; 0: max_per_cell everywhere
    double band_cells;  // markers live where |phi| is less
    double min_radius_cells, max_radius_cells;
    uint64_t seed;
    dew_Allocator allocator;
} dew_MarkersDef;

/// 32 per cell in a band of 2 cells, radii 0.1 to 0.5 cells; fewer below a speed only when asked.
dew_MarkersDef dew_default_markers_def(void);

typedef struct dew_Markers {
    dew_MarkersDef def;
    dew_Particles particles;
    int radius;        // column of double, in metres: positive for markers of the outside
    uint64_t next_id;  // to be saved along
} dew_Markers;

void dew_markers_init(dew_Markers *markers, const dew_MarkersDef *def);
void dew_markers_deinit(dew_Markers *markers);

/// Brings the number of markers in each cell of the band to what it should be: new ones are strewn
/// (keyed by seed, cell and step), superfluous ones go, those far from the surface go. Escaped ones
/// stay, and their cells get no new ones, so that seeding undoes no correction to come. u: on
/// faces; may be NULL when full_speed is 0. Markers must be sorted; they are so afterwards.
dew_Status dew_markers_seed(dew_Markers *markers, dew_Grid *grid, const double *phi,
                            const double *const u[3], uint64_t step, dew_Arena *scratch);

/// Moves the markers and sorts them.
dew_Status dew_markers_advect(dew_Markers *markers, dew_Grid *grid, const double *const u[3],
                              double dt_s, dew_Arena *scratch);

/// Puts the spheres of escaped markers back into phi. *escaped_count may be NULL.
dew_Status dew_markers_correct(dew_Markers *markers, dew_Grid *grid, double *phi,
                               dew_Arena *scratch, int64_t *escaped_count);

/// Lets the escaped ones go, after phi was changed by something that is not the flow: their word is
/// void. They must be sorted; they are so afterwards.
dew_Status dew_markers_forget(dew_Markers *markers, dew_Grid *grid, const double *phi,
                              dew_Arena *scratch);

/// Radii that touch the surface again, after phi was redistanced.
dew_Status dew_markers_adjust(dew_Markers *markers, dew_Grid *grid, const double *phi);
