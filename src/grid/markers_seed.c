// Marker particles come and go: so many per cell of the band as its speed asks for.
//
// New markers lie anywhere in their cell, on the side where phi puts them, with a radius that touches the
// surface. Bricks count theirs first and fill them in when all know where theirs begin, drawing the same
// random numbers twice. differs: [Enright2002] attract them to random levels of phi; strewn evenly over the
// cells of the band they are spread over its levels as well.
// A cell that holds an escaped marker gets no new ones: phi is wrong there, and markers that believed it would
// undo what the escaped one corrects.
#include "base/random.h"
#include "base/status.h"
#include "grid/markers.h"
#include "grid/phi_tile.h"

#include <string.h>

typedef struct Work {
    dew_Markers *markers;
    const dew_Grid *grid;
    const double *phi;
    const double *const *u;
    uint64_t step;
    int64_t *first;  // per brick: how many new ones, then where they begin
    bool is_filling;
} Work;

// Speed at the centre of a cell.
static double cell_speed(const Work *work, int32_t brick, const int c[3])
{
    double square = 0;
    for (int a = 0; a < dew_grid_axes(work->grid); a++) {
        int d[3] = {c[0], c[1], c[2]};
        d[a]++;
        int64_t lower = dew_grid_near(work->grid, brick, c[0], c[1], c[2]);
        int64_t upper = dew_grid_near(work->grid, brick, d[0], d[1], d[2]);
        double v = 0.5 * (work->u[a][lower] + work->u[a][upper < 0 ? lower : upper]);
        square += v * v;
    }
    return sqrt(square);
}

static int wanted_count(const Work *work, int32_t brick, int n)
{
    const dew_MarkersDef *def = &work->markers->def;
    int c[3] = {n & 7, n >> 3 & 7, n >> 6};
    double phi = work->phi[(int64_t)brick * work->grid->brick_cells + n];
    if (!(fabs(phi) < def->band_cells * work->grid->cell_m))
        return 0;
    if (!(def->full_speed > 0))
        return def->max_per_cell;
    double share = cell_speed(work, brick, c) / def->full_speed;
    double count = def->min_per_cell + share * (def->max_per_cell - def->min_per_cell);
    return count < def->max_per_cell ? (int)(count + 0.5) : def->max_per_cell;
}

// The cells of a brick.
typedef struct Cells {
    int wanted[DEW_BRICK_CELLS], counts[DEW_BRICK_CELLS];
    bool has_escaped[DEW_BRICK_CELLS];  // holds an escaped marker
} Cells;

// The cell of a marker of the brick; on its rim rounding may put it beyond.
static int cell_of(const dew_PhiTile *tile, dew_Vec3 p)
{
    double x[3] = {p.x - tile->corner.x, p.y - tile->corner.y, p.z - tile->corner.z};
    int c[3] = {0, 0, 0};
    for (int a = 0; a < (tile->is_flat ? 2 : 3); a++) {
        int n = (int)(x[a] * tile->scale);
        c[a] = n < 0 ? 0 : n > 7 ? 7 : n;
    }
    return c[0] + 8 * (c[1] + 8 * c[2]);
}

// Counts the markers of each cell, and lets those go that are too many or too far; never escaped ones.
static void thin_out(const Work *work, int32_t brick, const dew_PhiTile *tile, Cells *cells)
{
    dew_Particles *particles = &work->markers->particles;
    const dew_MarkersDef *def = &work->markers->def;
    const double *radius = dew_particles_column(particles, work->markers->radius);
    uint64_t *ids = dew_particles_ids(particles);
    double far = def->band_cells * work->grid->cell_m;
    int64_t from, to;
    dew_particles_of_brick(particles, brick, &from, &to);
    for (int64_t n = from; n < to; n++) {
        dew_Vec3 p = dew_particles_position(particles, n);
        double away = dew_phi_tile_value(tile, p) * (radius[n] < 0 ? -1 : 1);
        bool has_escaped = away < -fabs(radius[n]);
        int at = cell_of(tile, p);
        if (has_escaped)
            cells->has_escaped[at] = true;
        else if (away < far && cells->counts[at] < cells->wanted[at])
            cells->counts[at]++;
        else
            ids[n] = DEW_DEAD;  // goes with the sort that ends the seeding
    }
}

static void put_marker(const Work *work, int64_t at, dew_Vec3 p, double phi)
{
    dew_Particles *particles = &work->markers->particles;
    const dew_MarkersDef *def = &work->markers->def;
    double h = work->grid->cell_m;
    double radius = fmax(def->min_radius_cells * h, fmin(fabs(phi), def->max_radius_cells * h));
    int64_t n = particles->count - work->first[work->grid->brick_count] + at;
    dew_particles_axis(particles, 0)[n] = p.x;
    dew_particles_axis(particles, 1)[n] = p.y;
    dew_particles_axis(particles, 2)[n] = p.z;
    dew_particles_ids(particles)[n] = work->markers->next_id + (uint64_t)at;
    ((double *)dew_particles_column(particles, work->markers->radius))[n] =
        phi < 0 ? -radius : radius;
}

// Strews `count` markers over a cell; returns how many lie in the band.
static int strew(const Work *work, int32_t brick, const dew_PhiTile *tile, int n, int count,
                 int64_t first)
{
    const dew_Grid *grid = work->grid;
    uint64_t key = DEW_ITEMS(&grid->keys, uint64_t)[brick];
    dew_Random random = dew_random(work->markers->def.seed, key << 9 | (uint64_t)n, work->step);
    double far = work->markers->def.band_cells * grid->cell_m;
    int made = 0;
    for (int m = 0; m < count; m++) {
        double x[3] = {dew_random_unit(&random), dew_random_unit(&random), 0.5};
        if (!tile->is_flat)
            x[2] = dew_random_unit(&random);
        dew_Vec3 p = dew_add_scaled(tile->corner, grid->cell_m,
                                    dew_vec((n & 7) + x[0], (n >> 3 & 7) + x[1], (n >> 6) + x[2]));
        double phi = dew_phi_tile_value(tile, p);
        if (!(fabs(phi) < far))
            continue;
        if (work->is_filling)
            put_marker(work, first + made, p, phi);
        made++;
    }
    return made;
}

static dew_Status seed_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Work *work = context;
    const dew_Grid *grid = work->grid;
    dew_PhiTile tile;
    for (int64_t b = begin; b < end; b++) {
        Cells cells = {0};
        int64_t made = 0, first = work->is_filling ? work->first[b] : 0;
        bool is_empty = true;
        for (int n = 0; n < grid->brick_cells; n++) {
            cells.wanted[n] = wanted_count(work, (int32_t)b, n);
            is_empty &= cells.wanted[n] == 0;
        }
        int64_t from, to;
        dew_particles_of_brick(&work->markers->particles, b, &from, &to);
        if (!is_empty || from < to)
            dew_phi_tile_load(&tile, grid, work->phi, (int32_t)b);
        if (from < to)
            thin_out(work, (int32_t)b, &tile, &cells);
        for (int n = 0; !is_empty && n < grid->brick_cells; n++)
            if (cells.counts[n] < cells.wanted[n] && !cells.has_escaped[n])
                made += strew(work, (int32_t)b, &tile, n, cells.wanted[n] - cells.counts[n],
                              first + made);
        if (!work->is_filling)
            work->first[b + 1] = made;
    }
    return dew_ok();
}

dew_Status dew_markers_seed(dew_Markers *markers, dew_Grid *grid, const double *phi,
                            const double *const u[3], uint64_t step, dew_Arena *scratch)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    int32_t bricks = grid->brick_count;
    Work work = {.markers = markers, .grid = grid, .phi = phi, .u = u, .step = step};
    DEW_ASSERT(u || !(markers->def.full_speed > 0));
    work.first = dew_arena_array(scratch, int64_t, bricks + 1);
    if (!work.first)
        return dew_no_memory((size_t)bricks * sizeof *work.first);
    DEW_TRY(dew_particles_sort(&markers->particles, grid, scratch));
    DEW_TRY(dew_grid_for(grid, seed_chunk, &work));
    for (int32_t b = 0; b < bricks; b++)
        work.first[b + 1] += work.first[b];
    int64_t count = work.first[bricks];
    DEW_TRY(dew_particles_insert(&markers->particles, count));
    work.is_filling = true;
    DEW_TRY(dew_grid_for(grid, seed_chunk, &work));
    markers->next_id += (uint64_t)count;
    DEW_TRY(dew_particles_sort(&markers->particles, grid, scratch));
    dew_arena_rewind(scratch, mark);
    return dew_ok();
}
