// Marker particles: what they do to phi [Enright2002].
//
// A marker of side s and radius r at q has escaped when s phi(q) < -r. Its sphere is s (r - |x -
// q|); at the eight cells around q the level set becomes, of the largest from outside and the least
// from inside, the one nearer to zero. Largest and least do not depend on order, so each brick
// gathers what reaches it. differs: phi at markers is cubic, not linear; a linear one calls markers
// escaped by kappa h^2 / 8.

#include "grid/particles.h"

#include "base/random.h"
#include "base/status.h"
#include "grid/sample.h"

#include <string.h>

dew_MarkersDef dew_default_markers_def(void)
{
    return (dew_MarkersDef){.max_per_cell = 32,
                            .min_per_cell = 4,
                            .band_cells = 2,
                            .min_radius_cells = 0.1,
                            .max_radius_cells = 0.5};
}

void dew_markers_init(dew_Markers *markers, const dew_MarkersDef *def)
{
    *markers = (dew_Markers){.def = *def};
    dew_particles_init(&markers->particles, &markers->def.allocator);
    markers->radius = dew_particles_add_column(&markers->particles, sizeof(double));
}

void dew_markers_deinit(dew_Markers *markers)
{
    dew_particles_deinit(&markers->particles);
}

dew_Status dew_markers_advect(dew_Markers *markers, dew_Grid *grid, const double *const u[3],
                              double dt_s, dew_Arena *scratch)
{
    DEW_TRY(dew_particles_sort(&markers->particles, grid, scratch));
    DEW_TRY(dew_particles_advect(&markers->particles, grid, u, dt_s));
    return dew_particles_sort(&markers->particles, grid, scratch);
}

// ---- Escaped ------------------------------------------------------------------------------------

typedef struct Escaped {
    double x, y, z, radius;
} Escaped;

typedef struct Work {
    const dew_Markers *markers;
    const dew_Grid *grid;
    double *phi;
    int64_t *first;  // per brick: where its escaped markers begin in the list
    Escaped *list;   // by brick, in the order of ids; at first from each brick's first marker on
} Work;

// The escaped markers of each brick, from the place of its first marker on. Where all eight samples
// around a marker are on its side it is no question.
DEW_BODY dew_Status find_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Work *work = context;
    const dew_Particles *particles = &work->markers->particles;
    const double *radius = dew_particles_column(particles, work->markers->radius);
    dew_PhiTile tile;
    dew_PhiRange range;
    for (int64_t b = begin; b < end; b++) {
        int64_t from, to, count = 0;
        dew_particles_of_brick(particles, b, &from, &to);
        if (from < to) {
            dew_phi_tile_load(&tile, work->grid, work->phi, (int32_t)b);
            dew_phi_range_load(&range, &tile);
        }
        for (int64_t n = from; n < to; n++) {
            dew_Vec3 p = dew_particles_position(particles, n);
            dew_PhiSpot spot;
            dew_phi_tile_find(&tile, p, &spot);
            int at = dew_phi_range_at(&tile, &spot);
            bool is_inner = radius[n] < 0;
            if (at >= 0 && (is_inner ? range.most[at] < 0 : range.least[at] > 0))
                continue;
            double phi = dew_phi_tile_at(&tile, &spot);
            if ((is_inner ? -phi : phi) < -fabs(radius[n]))
                work->list[from + count++] = (Escaped){p.x, p.y, p.z, radius[n]};
        }
        work->first[b + 1] = count;
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(find_chunk)

// Closes the gaps of the list.
static int64_t gather_list(const Work *work)
{
    int64_t total = 0;
    for (int32_t b = 0; b < work->grid->brick_count; b++) {
        int64_t from, to, count = work->first[b + 1];
        dew_particles_of_brick(&work->markers->particles, b, &from, &to);
        memmove(work->list + total, work->list + from, (size_t)count * sizeof *work->list);
        work->first[b] = total;
        total += count;
    }
    work->first[work->grid->brick_count] = total;
    return total;
}

typedef struct Spheres {
    double outside[DEW_BRICK_CELLS], inside[DEW_BRICK_CELLS];
    const int32_t *coord;
    bool is_touched;
} Spheres;

// The sphere of one marker at those of its eight cells that lie in the brick.
static void add_sphere(Spheres *spheres, const dew_Grid *grid, const Escaped *marker,
                       const double *phi)
{
    double r = 1 / grid->cell_m, h = grid->cell_m, radius = marker->radius;
    bool is_flat = grid->depth == 1;
    double x[3] = {(marker->x - grid->origin_m.x) * r - 0.5 - 8 * spheres->coord[0],
                   (marker->y - grid->origin_m.y) * r - 0.5 - 8 * spheres->coord[1],
                   is_flat ? 0 : (marker->z - grid->origin_m.z) * r - 0.5 - 8 * spheres->coord[2]};
    for (int a = 0; a < 3; a++)
        if (!(x[a] >= -1 && x[a] < DEW_BRICK))
            return;
    if (!spheres->is_touched) {
        memcpy(spheres->outside, phi, (size_t)grid->brick_cells * sizeof *phi);
        memcpy(spheres->inside, phi, (size_t)grid->brick_cells * sizeof *phi);
        spheres->is_touched = true;
    }
    int lo[3] = {(int)floor(x[0]), (int)floor(x[1]), (int)floor(x[2])};
    for (int n = 0; n < (is_flat ? 4 : 8); n++) {
        int c[3] = {lo[0] + (n & 1), lo[1] + (n >> 1 & 1), lo[2] + (n >> 2)};
        if (c[0] < 0 || c[0] > 7 || c[1] < 0 || c[1] > 7 || c[2] < 0 || c[2] >= grid->depth)
            continue;
        int at = c[0] + 8 * (c[1] + 8 * c[2]);
        double distance = h * dew_length(dew_vec(x[0] - c[0], x[1] - c[1], x[2] - c[2]));
        double sphere = radius > 0 ? radius - distance : radius + distance;
        double *field = radius > 0 ? spheres->outside : spheres->inside;
        if (radius > 0 ? sphere > field[at] : sphere < field[at])
            field[at] = sphere;
    }
}

static dew_Status correct_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Work *work = context;
    const dew_Grid *grid = work->grid;
    Spheres spheres;
    for (int64_t b = begin; b < end; b++) {
        double *phi = work->phi + b * grid->brick_cells;
        const int32_t *near = dew_grid_neighbours(grid, (int32_t)b);
        spheres.coord = dew_grid_coord(grid, (int32_t)b);
        spheres.is_touched = false;
        for (int n = 0; n < 27; n++) {
            if (near[n] < 0 || near[n] >= grid->brick_count || (grid->depth == 1 && n / 9 != 1))
                continue;
            for (int64_t m = work->first[near[n]]; m < work->first[near[n] + 1]; m++)
                add_sphere(&spheres, grid, &work->list[m], phi);
        }
        for (int n = 0; spheres.is_touched && n < grid->brick_cells; n++) {
            double plus = spheres.outside[n], minus = spheres.inside[n];
            phi[n] = fabs(plus) <= fabs(minus) ? plus : minus;
        }
    }
    return dew_ok();
}

dew_Status dew_markers_correct(dew_Markers *markers, dew_Grid *grid, double *phi,
                               dew_Arena *scratch, int64_t *escaped_count)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    int64_t count = markers->particles.count;
    Work work = {.markers = markers, .grid = grid, .phi = phi};
    work.list = dew_arena_array(scratch, Escaped, count);
    work.first = dew_arena_array(scratch, int64_t, grid->brick_count + 1);
    if (!work.list || !work.first)
        return dew_no_memory((size_t)count * sizeof *work.list);
    DEW_TRY(dew_grid_for(grid, find_chunk, &work));
    int64_t escaped = gather_list(&work);
    if (escaped > 0)
        DEW_TRY(dew_grid_for(grid, correct_chunk, &work));
    if (escaped_count)
        *escaped_count = escaped;
    dew_arena_rewind(scratch, mark);
    return dew_ok();
}

// ---- Forgetting ---------------------------------------------------------------------------------

typedef struct Forget {
    dew_Markers *markers;
    const dew_Grid *grid;
    const double *phi;
} Forget;

static dew_Status forget_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Forget *forget = context;
    const dew_Particles *particles = &forget->markers->particles;
    const double *radius = dew_particles_column(particles, forget->markers->radius);
    dew_PhiTile tile;
    for (int64_t b = begin; b < end; b++) {
        int64_t from, to;
        dew_particles_of_brick(particles, b, &from, &to);
        if (from < to)
            dew_phi_tile_load(&tile, forget->grid, forget->phi, (int32_t)b);
        for (int64_t n = from; n < to; n++) {
            double phi = dew_phi_tile_value(&tile, dew_particles_position(particles, n));
            if ((radius[n] < 0 ? -phi : phi) < -fabs(radius[n]))
                dew_particles_ids(particles)[n] = DEW_DEAD;
        }
    }
    return dew_ok();
}

dew_Status dew_markers_forget(dew_Markers *markers, dew_Grid *grid, const double *phi,
                              dew_Arena *scratch)
{
    Forget forget = {markers, grid, phi};
    DEW_TRY(dew_grid_for(grid, forget_chunk, &forget));
    markers->particles.is_sorted = false;
    return dew_particles_sort(&markers->particles, grid, scratch);
}

// ---- Radii --------------------------------------------------------------------------------------

typedef struct Adjust {
    dew_Markers *markers;
    const dew_Grid *grid;
    const double *phi;
} Adjust;

// Where the samples around a marker are all farther away than the largest radius by a quarter of a
// cell, which a cubic through a distance does not fall below, the radius is the largest.
DEW_BODY dew_Status adjust_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Adjust *adjust = context;
    const dew_Particles *particles = &adjust->markers->particles;
    double *radius = dew_particles_column(particles, adjust->markers->radius);
    double h = adjust->grid->cell_m;
    double least = adjust->markers->def.min_radius_cells * h;
    double most = adjust->markers->def.max_radius_cells * h, clear = most + 0.25 * h;
    dew_PhiTile tile;
    dew_PhiRange range;
    for (int64_t b = begin; b < end; b++) {
        int64_t from, to;
        dew_particles_of_brick(particles, b, &from, &to);
        if (from < to) {
            dew_phi_tile_load(&tile, adjust->grid, adjust->phi, (int32_t)b);
            dew_phi_range_load(&range, &tile);
        }
        for (int64_t n = from; n < to; n++) {
            double side = radius[n] < 0 ? -1 : 1, away = most;
            dew_PhiSpot spot;
            dew_phi_tile_find(&tile, dew_particles_position(particles, n), &spot);
            int at = dew_phi_range_at(&tile, &spot);
            if (at < 0 || (side < 0 ? range.most[at] > -clear : range.least[at] < clear))
                away = side * dew_phi_tile_at(&tile, &spot);
            radius[n] = side * (away > most ? most : away < least ? least : away);
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(adjust_chunk)

dew_Status dew_markers_adjust(dew_Markers *markers, dew_Grid *grid, const double *phi)
{
    Adjust adjust = {markers, grid, phi};
    return dew_grid_for(grid, adjust_chunk, &adjust);
}

// ---- seeding ------------------------------------------------------------------------------------

// Marker particles come and go: so many per cell of the band as its speed asks for.
//
// New markers lie anywhere in their cell, on the side where phi puts them, with a radius that
// touches the surface. Bricks count theirs first and fill them in when all know where theirs begin,
// drawing the same random numbers twice. differs: [Enright2002] attract them to random levels of
// phi; strewn evenly over the cells of the band they are spread over its levels as well.
// A cell that holds an escaped marker gets no new ones: phi is wrong there, and markers that
// believed it would undo what the escaped one corrects.

typedef struct SeedWork {
    dew_Markers *markers;
    const dew_Grid *grid;
    const double *phi;
    const double *const *u;
    uint64_t step;
    int64_t *first;  // per brick: how many new ones, then where they begin
    bool is_filling;
} SeedWork;

// Speed at the centre of a cell.
static double cell_speed(const SeedWork *work, int32_t brick, const int c[3])
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

static int wanted_count(const SeedWork *work, int32_t brick, int n)
{
    const dew_MarkersDef *def = &work->markers->def;
    int c[3] = {n & 7, n >> 3 & 7, n >> 6};
    double phi = work->phi[(int64_t)brick * work->grid->brick_cells + n];
    if (!(fabs(phi) < def->band_cells * work->grid->cell_m))
        return 0;
    if (!(def->full_speed > 0))
        return def->max_per_cell;
    double fraction = cell_speed(work, brick, c) / def->full_speed;
    double count = def->min_per_cell + fraction * (def->max_per_cell - def->min_per_cell);
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

// Counts the markers of each cell, and lets those go that are too many or too far; never escaped
// ones.
static void thin_out(const SeedWork *work, int32_t brick, const dew_PhiTile *tile, Cells *cells)
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

static void put_marker(const SeedWork *work, int64_t at, dew_Vec3 p, double phi)
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
static int strew(const SeedWork *work, int32_t brick, const dew_PhiTile *tile, int n, int count,
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
    const SeedWork *work = context;
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
    SeedWork work = {.markers = markers, .grid = grid, .phi = phi, .u = u, .step = step};
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
