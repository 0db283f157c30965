// Particles evenly spread: as many per cell as fill it, none outside of the liquid, none in walls.
//
// A cell is divided into per_axis parts along each axis; a new particle lies near the middle of a
// part that has none. New liquid is filled wholly. In flowing liquid a cell is filled up when it
// has fewer than a quarter of what it should, and thinned out above twice of it; the highest ids
// go. Bricks count first and fill in when all know where theirs begin, drawing the same random
// numbers twice. New ones take the velocity of the faces.
#include "base/random.h"
#include "base/status.h"
#include "grid/sample.h"
#include "solvers/apic/apic_state.h"

#define JITTER    0.5            // of a part of a cell: how far from its middle, both ways together
#define INSIDE    0.25           // cells below the surface where flowing liquid is filled up
#define CLEAR     0.1            // cells from walls
#define HALF_CELL (sqrt(3) / 2)  // cells: no point of a cell is farther from its middle

typedef struct Work {
    dew_SolverState *state;
    const dew_Grid *grid;
    const double *phi, *solid;
    const double *u[3];
    dew_ApicFill fill;
    int64_t *first;    // per brick: how many new ones, then where they begin
    bool *is_changed;  // per brick: has it lost particles, or moved any to another?
    bool is_filling;
} Work;

typedef struct Tiles {
    dew_PhiTile phi, solid;
    dew_PhiRange range;
    bool has_walls;
} Tiles;

// The cells of a brick: how many particles, and which parts hold one.
typedef struct Cells {
    int32_t counts[DEW_BRICK_CELLS];
    uint64_t parts[DEW_BRICK_CELLS];
} Cells;

// Particles of a full cell.
static int full_count(const Work *w)
{
    int n = w->state->per_axis;
    return w->grid->depth == 1 ? n * n : n * n * n;
}

static bool is_near_walls(const Work *w, int32_t b)
{
    const dew_Grid *grid = w->grid;
    const double *solid = w->solid ? w->solid + (int64_t)b * grid->brick_cells : NULL;
    for (int n = 0; solid && n < grid->brick_cells; n++)
        if (solid[n] < DEW_LIQUID_SHELLS * grid->cell_m)
            return true;
    return false;
}

DEW_BODY void load_tiles(const Work *w, int32_t b, Tiles *t)
{
    dew_phi_tile_load(&t->phi, w->grid, w->phi, b);
    dew_phi_range_load(&t->range, &t->phi);
    t->has_walls = is_near_walls(w, b);
    if (t->has_walls)
        dew_phi_tile_load(&t->solid, w->grid, w->solid, b);
}

// Of a coordinate in the brick, in cells; on the rim rounding may put it beyond.
DEW_BODY int cell_at(double x)
{
    int n = (int)x;
    return n < 0 ? 0 : n > DEW_BRICK - 1 ? DEW_BRICK - 1 : n;
}

// The same up to a cell outside.
DEW_BODY int cell_beside(double x)
{
    int n = (int)(x + 1) - 1;
    return n < -1 ? -1 : n > DEW_BRICK ? DEW_BRICK : n;
}

// The cell of a particle of the brick, and which of its parts.
DEW_BODY int place_of(const Work *w, const Tiles *t, dew_Vec3 p, int *part)
{
    int parts = w->state->per_axis;
    double x[3] = {(p.x - t->phi.corner.x) * t->phi.scale, (p.y - t->phi.corner.y) * t->phi.scale,
                   (p.z - t->phi.corner.z) * t->phi.scale};
    int c[3] = {0, 0, 0}, s[3] = {0, 0, 0};
    for (int a = 0; a < dew_grid_axes(w->grid); a++) {
        c[a] = cell_at(x[a]);
        int m = (int)((x[a] - c[a]) * parts);
        s[a] = m < 0 ? 0 : m > parts - 1 ? parts - 1 : m;
    }
    *part = s[0] + parts * (s[1] + parts * s[2]);
    return c[0] + DEW_BRICK * (c[1] + DEW_BRICK * c[2]);
}

// phi at a particle where it may matter; deep inside, a bound of it.
DEW_BODY double phi_at(const Work *w, const Tiles *t, dew_Vec3 p)
{
    dew_PhiSpot spot;
    dew_phi_tile_find(&t->phi, p, &spot);
    int at = dew_phi_range_at(&t->phi, &spot);
    if (at >= 0 && t->range.most[at] < -w->grid->cell_m)
        return t->range.most[at];
    return dew_phi_tile_at(&t->phi, &spot);
}

// How far inside the surface a particle marks it.
DEW_BODY double radius_at(const Work *w, const Tiles *t, dew_Vec3 p, double phi)
{
    const dew_MarkersDef *def = &w->state->markers.def;
    double h = w->grid->cell_m, most = def->max_radius_cells * h, least = def->min_radius_cells * h;
    if (-phi >= most)
        return -most;
    if (t->has_walls && !(dew_phi_tile_value(&t->solid, p) > DEW_LIQUID_SHELL * h))
        return -DEW_LIQUID_BAND * h;
    return phi < -least ? phi : -least;
}

// Counts the particles of each cell, and lets those go that are too many or left behind; radii that
// touch the surface.
DEW_BODY void thin_out(const Work *w, int32_t b, const Tiles *t, Cells *cells)
{
    dew_Particles *particles = &w->state->markers.particles;
    double *radius = dew_particles_column(particles, w->state->markers.radius);
    uint64_t *ids = dew_particles_ids(particles);
    int full = full_count(w);
    int64_t from, to;
    dew_particles_of_brick(particles, b, &from, &to);
    for (int64_t n = from; n < to; n++) {
        dew_Vec3 p = dew_particles_position(particles, n);
        double phi = phi_at(w, t, p);
        int part, at = place_of(w, t, p, &part);
        if (phi > w->grid->cell_m || cells->counts[at] >= 2 * full) {
            ids[n] = DEW_DEAD;  // goes with the sort that ends the spreading
            w->is_changed[b] = true;
            continue;
        }
        cells->counts[at]++;
        cells->parts[at] |= (uint64_t)1 << part;
        radius[n] = radius_at(w, t, p, phi);
    }
}

static void put_particle(const Work *w, int64_t at, dew_Vec3 p)
{
    dew_Particles *particles = &w->state->markers.particles;
    int64_t n = particles->count - w->first[w->grid->brick_count] + at;
    dew_Vec3 u;
    dew_particles_axis(particles, 0)[n] = p.x;
    dew_particles_axis(particles, 1)[n] = p.y;
    dew_particles_axis(particles, 2)[n] = p.z;
    dew_particles_ids(particles)[n] = w->state->markers.next_id + (uint64_t)at;
    ((double *)dew_particles_column(particles, w->state->markers.radius))[n] =
        -DEW_LIQUID_BAND * w->grid->cell_m;  // not before its first step
    dew_grid_sample_velocity(w->grid, w->u, p, &u);
    dew_transfer_motion(particles, w->state->motion)[n] = (dew_Motion){.u = {u.x, u.y, u.z}};
    dew_transfer_shear(particles, w->state->motion)[n] = (dew_Shear){0};
}

// Fills the empty parts of a cell; returns how many that are.
static int fill_cell(const Work *w, int32_t b, const Tiles *t, int n, uint64_t taken, int64_t first)
{
    const dew_Grid *grid = w->grid;
    int parts = w->state->per_axis, layers = grid->depth == 1 ? 1 : parts, made = 0;
    uint64_t key = DEW_ITEMS(&grid->keys, uint64_t)[b];
    dew_Random random =
        dew_random(w->state->markers.def.seed, key << 9 | (uint64_t)n, w->state->markers.next_id);
    double below = w->fill == DEW_APIC_POURED ? 0 : INSIDE, h = grid->cell_m;
    for (int m = 0; m < parts * parts * layers; m++) {
        int s[3] = {m % parts, m / parts % parts, m / (parts * parts)};
        double x[3] = {n & 7, n >> 3 & 7, n >> 6};
        for (int a = 0; a < 3; a++) {
            double jitter = JITTER * (dew_random_unit(&random) - 0.5);
            x[a] += a == 2 && grid->depth == 1 ? 0.5 : (s[a] + 0.5 + jitter) / parts;
        }
        dew_Vec3 p = dew_add_scaled(t->phi.corner, h, dew_vec(x[0], x[1], x[2]));
        if (taken >> m & 1 || !(dew_phi_tile_value(&t->phi, p) < -below * h))
            continue;
        if (t->has_walls && !(dew_phi_tile_value(&t->solid, p) > CLEAR * h))
            continue;
        if (w->is_filling)
            put_particle(w, first + made, p);
        made++;
    }
    return made;
}

static bool is_short(const Work *w, int count)
{
    return w->fill == DEW_APIC_POURED ? count == 0 : 4 * count < full_count(w);
}

DEW_BODY dew_Status reseed_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_Grid *grid = w->grid;
    double reach = (w->fill == DEW_APIC_POURED ? HALF_CELL : 0) * grid->cell_m;
    Tiles tiles;
    for (int64_t b = begin; b < end; b++) {
        Cells cells = {0};
        int64_t from, to, made = 0, first = w->is_filling ? w->first[b] : 0;
        const double *phi = w->phi + b * grid->brick_cells;
        bool is_loaded = false;
        dew_particles_of_brick(&w->state->markers.particles, b, &from, &to);
        if (from < to) {
            load_tiles(w, (int32_t)b, &tiles);
            is_loaded = true;
            thin_out(w, (int32_t)b, &tiles, &cells);
        }
        for (int n = 0; n < grid->brick_cells; n++) {
            if (!(phi[n] < reach) || !is_short(w, cells.counts[n]))
                continue;
            if (w->solid && w->solid[b * grid->brick_cells + n] < -reach)
                continue;
            if (!is_loaded)
                load_tiles(w, (int32_t)b, &tiles);
            is_loaded = true;
            made += fill_cell(w, (int32_t)b, &tiles, n, cells.parts[n], first + made);
        }
        if (!w->is_filling)
            w->first[b + 1] = made;
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(reseed_chunk)

static bool has_changed(const Work *w)
{
    for (int32_t b = 0; b < w->grid->brick_count; b++)
        if (w->is_changed[b])
            return true;
    return false;
}

static Work work_on(dew_SolverState *state, dew_ApicFill fill)
{
    const dew_Liquid *liquid = &state->liquid;
    Work w = {.state = state,
              .grid = liquid->grid,
              .phi = dew_liquid_phi(liquid),
              .solid = dew_liquid_solid(liquid),
              .fill = fill};
    for (int a = 0; a < dew_grid_axes(liquid->grid); a++)
        w.u[a] = dew_grid_f64(liquid->grid, liquid->u[a]);
    return w;
}

dew_Status dew_apic_reseed(dew_SolverState *state, dew_ApicFill fill, dew_Arena *scratch)
{
    const dew_Grid *grid = state->liquid.grid;
    dew_Particles *particles = &state->markers.particles;
    dew_ArenaMark mark = dew_arena_mark(scratch);
    DEW_TRY(dew_particles_sort(particles, grid, scratch));
    if (grid->brick_count == 0)
        return dew_ok();
    Work w = work_on(state, fill);
    w.first = dew_arena_array(scratch, int64_t, grid->brick_count + 1);
    w.is_changed = dew_arena_array(scratch, bool, grid->brick_count);
    if (!w.first || !w.is_changed)
        return dew_no_memory((size_t)grid->brick_count * sizeof *w.first);
    DEW_TRY(dew_grid_for(grid, reseed_chunk, &w));
    for (int32_t b = 0; b < grid->brick_count; b++)
        w.first[b + 1] += w.first[b];
    int64_t count = w.first[grid->brick_count];
    if (count > 0) {
        DEW_TRY(dew_particles_insert(particles, count));
        w.is_filling = true;
        DEW_TRY(dew_grid_for(grid, reseed_chunk, &w));
        state->markers.next_id += (uint64_t)count;
    }
    if (count > 0 || has_changed(&w))
        particles->is_sorted = false;
    DEW_TRY(dew_particles_sort(particles, grid, scratch));
    dew_arena_rewind(scratch, mark);
    return dew_ok();
}

// ---- walls --------------------------------------------------------------------------------------

// Unit vector out of the nearest wall.
DEW_BODY dew_Vec3 out_of(const dew_PhiTile *solid, dew_Vec3 p)
{
    double e = 0.25 / solid->scale, g[3] = {0, 0, 0};
    for (int a = 0; a < (solid->is_flat ? 2 : 3); a++) {
        dew_Vec3 offset = dew_vec(a == 0 ? e : 0, a == 1 ? e : 0, a == 2 ? e : 0);
        g[a] = dew_phi_tile_value(solid, dew_add(p, offset)) -
               dew_phi_tile_value(solid, dew_sub(p, offset));
    }
    return dew_normalize(dew_vec(g[0], g[1], g[2]));
}

// The distance of the cell around a particle, which is in the brick or hardly outside.
DEW_BODY double distance_around(const dew_PhiTile *solid, dew_Vec3 p)
{
    int i = cell_beside((p.x - solid->corner.x) * solid->scale);
    int j = cell_beside((p.y - solid->corner.y) * solid->scale);
    int k = solid->is_flat ? 0 : cell_beside((p.z - solid->corner.z) * solid->scale);
    return solid->tile[dew_tile_at(DEW_FACE_PAD, i, j, k)];
}

// May the tile be asked there, and a quarter of a cell around?
DEW_BODY bool is_on_tile(const dew_PhiTile *t, dew_Vec3 p)
{
    double x = (p.x - t->corner.x) * t->scale, y = (p.y - t->corner.y) * t->scale;
    double z = t->is_flat ? 0 : (p.z - t->corner.z) * t->scale;
    return x > -0.25 && x < DEW_BRICK + 0.25 && y > -0.25 && y < DEW_BRICK + 0.25 && z > -0.25 &&
           z < DEW_BRICK + 0.25;
}

// Distances around the brick that particles were in, and around one that some have gone to.
typedef struct Walls {
    dew_PhiTile home, other;
    int32_t other_brick;  // DEW_INVALID: none yet
} Walls;

// NULL: the particle has left all bricks.
static const dew_PhiTile *tile_of(const Work *w, Walls *t, dew_Vec3 p)
{
    if (is_on_tile(&t->home, p))
        return &t->home;
    int32_t brick = dew_grid_brick_at(w->grid, p);
    if (brick < 0 || brick >= w->grid->brick_count)
        return NULL;
    if (brick != t->other_brick)
        dew_phi_tile_load(&t->other, w->grid, w->solid, brick);
    t->other_brick = brick;
    return &t->other;
}

DEW_BODY void leave_walls(const Work *w, Walls *t, int64_t n)
{
    double clear = CLEAR * w->grid->cell_m, near = clear + HALF_CELL * w->grid->cell_m;
    const dew_Particles *particles = &w->state->markers.particles;
    dew_Vec3 p = dew_particles_position(particles, n);
    const dew_PhiTile *solid = tile_of(w, t, p);
    if (!solid || distance_around(solid, p) > near)
        return;
    double d = dew_phi_tile_value(solid, p);
    if (!(d < clear))
        return;
    p = dew_add_scaled(p, clear - d, out_of(solid, p));
    dew_particles_axis(particles, 0)[n] = p.x;
    dew_particles_axis(particles, 1)[n] = p.y;
    dew_particles_axis(particles, 2)[n] = p.z;
}

DEW_BODY dew_Status walls_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    Walls walls;
    for (int64_t b = begin; b < end; b++) {
        int64_t from, to;
        dew_particles_of_brick(&w->state->markers.particles, b, &from, &to);
        if (from == to || !is_near_walls(w, (int32_t)b))
            continue;
        dew_phi_tile_load(&walls.home, w->grid, w->solid, (int32_t)b);
        walls.other_brick = DEW_INVALID;
        for (int64_t n = from; n < to; n++)
            leave_walls(w, &walls, n);
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(walls_chunk)

dew_Status dew_apic_push_out_of_walls(dew_SolverState *state)
{
    Work w = work_on(state, DEW_APIC_FLOWING);
    return w.solid ? dew_grid_for(w.grid, walls_chunk, &w) : dew_ok();
}
