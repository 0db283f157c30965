// Drops: connected components of the liquid, their volumes and target volumes.
//
// The liquid is the part of phi < 0 outside of solids: components are those of max(phi, -solid).
// Each drop has a target, the volume that its history accounts for. After a step the components
// before and after that share cells form groups; the target of a group is distributed by volume.
// So targets add up where drops merge and are divided where they split, and the sum is conserved.
// A component of less than a cell, and one that has vanished, becomes a sub-grid droplet with the
// target volume; a component without a predecessor is removed.
//
// Correction shifts phi around a drop by (V - target) / A every few steps: less often than every
// step, for the shift acts on a pinned contact line too.
#include "base/status.h"
#include "base/sum.h"
#include "base/union_find.h"
#include "grid/levelset.h"
#include "solvers/free_surface/liquid.h"

#include <string.h>

#define THROUGH     0.75  // cells below walls through which pieces hold together
#define TINY_WEIGHT 0.1   // of the error of a drop of a few cells, whose volume is less accurate
#define MISSED                                                                                     \
    (DEW_LIQUID_ALLOWANCE /                                                                        \
     5)  // of all liquid: so much a drop of a few cells may miss its target by
#define FILM_MISSED (MISSED * 2)  // the same of a film
#define STEEPEST    8             // times its area: so much volume a shift may bring a drop, and
#define GENTLEST    0.4           // so little it may take
#define PARTS       4             // of a cell that both surface and wall cut, along each axis

// ---- shares ------------------------------------------------------------------------------------

typedef struct Shares {
    const dew_Liquid *liquid;
    const double *phi, *solid, *fluid_fraction;
    double *fraction, *area;
} Shares;

static void slope_of(const double *p, double g[3])
{
    const int y = DEW_BRICK + 2, z = y * y;
    g[0] = 0.5 * (p[1] - p[-1]);
    g[1] = 0.5 * (p[y] - p[-y]);
    g[2] = 0.5 * (p[z] - p[-z]);
}

// Liquid in a cell that both are in: the cell's parts, each cut by both planes as if independently.
static double fraction_of_parts(const double *phi, const double *solid, int layers, double *area)
{
    double f[3], s[3], nf[3], ns[3], sum = 0, surface = 0;
    slope_of(phi, f);
    slope_of(solid, s);
    for (int a = 0; a < 3; a++) {
        int parts = a == 2 ? layers : PARTS;
        nf[a] = f[a] / parts;
        ns[a] = -s[a] / parts;
    }
    const dew_CutPlane free_plane = dew_plane_make(nf), wall = dew_plane_make(ns);
    for (int n = 0; n < PARTS * PARTS * layers; n++) {
        int c[3] = {n % PARTS, n / PARTS % PARTS, n / (PARTS * PARTS)};
        double at_phi = phi[0], at_solid = -solid[0], part;
        for (int a = 0; a < 3; a++) {
            int parts = a == 2 ? layers : PARTS;
            double x = (c[a] + 0.5) / parts - 0.5;
            at_phi += f[a] * x;
            at_solid -= s[a] * x;
        }
        double fluid = dew_plane_at(&wall, at_solid, &part);
        if (!(fluid > 0))
            continue;
        sum += fluid * dew_plane_at(&free_plane, at_phi, &part);
        surface += fluid * part;
    }
    *area = surface / (layers == 1 ? PARTS : PARTS * PARTS);
    return sum / (PARTS * PARTS * layers);
}

static dew_Status fraction_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Shares *w = context;
    const dew_Grid *grid = w->liquid->grid;
    double phi[DEW_TILE_SIZE(1)], solid[DEW_TILE_SIZE(1)], h = grid->cell_m;
    for (int64_t b = begin; b < end; b++) {
        bool is_loaded = false;
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = b * grid->brick_cells + n;
            double fluid = w->fluid_fraction[at];
            bool is_cut = fluid > 0 && fluid < 1 && w->area[at] > 0;
            if (!is_cut) {
                w->fraction[at] *= fluid;
                w->area[at] *= fluid;
                continue;
            }
            if (!is_loaded) {
                dew_tile_load_cross(grid, w->phi, (int32_t)b, 1, phi);
                dew_tile_load_cross(grid, w->solid, (int32_t)b, 1, solid);
            }
            is_loaded = true;
            int t = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
            w->fraction[at] =
                fraction_of_parts(phi + t, solid + t, grid->depth == 1 ? 1 : PARTS, &w->area[at]);
            w->area[at] *= h * h;
        }
    }
    return dew_ok();
}

dew_Status dew_liquid_volume_fractions(const dew_Liquid *liquid, double *fraction, double *area_m2)
{
    const dew_Grid *grid = liquid->grid;
    DEW_TRY(dew_levelset_cut(liquid->grid, dew_liquid_phi(liquid), fraction, area_m2));
    if (grid->dimensions == 2)
        for (int64_t n = 0; n < dew_liquid_count(liquid); n++)
            area_m2[n] *= grid->cell_m;  // per metre of depth
    if (!liquid->params.has_solids)
        return dew_ok();
    Shares work = {liquid,
                   dew_liquid_phi(liquid),
                   dew_liquid_solid(liquid),
                   dew_grid_f64(grid, liquid->fluid_fraction),
                   fraction,
                   area_m2};
    return dew_grid_for(grid, fraction_chunk, &work);
}

// ---- pieces ------------------------------------------------------------------------------------

typedef struct Pieces {
    dew_Liquid *liquid;
    int32_t *label;  // of now, by cell
    double *fraction, *area;
    int32_t *group;  // union and find: drops of before, then of now
    int32_t before, now;
} Pieces;

// What a piece shows outside of walls.
typedef enum Shown { SHOWS_NOTHING, SHOWS_EDGES, SHOWS_LIQUID } Shown;

// Pieces that show edges only, cells that hold some liquid but not in their middle, are those of
// the drop beside them, the first of those around (whose): the last cell of a wedge between surface
// and wall may touch its drop at a corner, in the wall. Without a drop there they are on their own.
static void find_whose(const Pieces *p, const uint8_t *shown, int32_t *whose)
{
    const dew_Grid *grid = p->liquid->grid;
    int layers = grid->depth == 1 ? 1 : 3;
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int32_t mine = p->label[(int64_t)b * grid->brick_cells + n];
            if (mine < 0 || shown[mine] != SHOWS_EDGES)
                continue;
            for (int k = 0; k < 9 * layers; k++) {
                int64_t at =
                    dew_grid_near(grid, b, (n & 7) + k % 3 - 1, (n >> 3 & 7) + k / 3 % 3 - 1,
                                  (n >> 6) + k / 9 - layers / 2);
                int32_t other = at >= 0 ? p->label[at] : DEW_INVALID;
                if (other >= 0 && shown[other] == SHOWS_LIQUID &&
                    (whose[mine] < 0 || other < whose[mine]))
                    whose[mine] = other;
            }
        }
}

// Numbers the pieces that are to be followed: those that show nothing are none.
static dew_Status name_pieces(const Pieces *p, const double *wet, const double *solid,
                              dew_Arena *scratch)
{
    dew_Array *pieces = &p->liquid->workspace->pieces;
    int64_t count = dew_liquid_count(p->liquid), piece_count = pieces->count;
    int32_t *name = dew_arena_array(scratch, int32_t, piece_count), named = 0;
    int32_t *whose = dew_arena_array(scratch, int32_t, piece_count);
    uint8_t *shown = dew_arena_array(scratch, uint8_t, piece_count);
    bool is_edge = false;
    if (!name || !whose || !shown)
        return dew_no_memory((size_t)piece_count * 9);
    for (int64_t n = 0; n < count; n++)
        if (p->label[n] >= 0 && solid[n] >= 0) {
            uint8_t *kind = &shown[p->label[n]], now = wet[n] < 0 ? SHOWS_LIQUID : SHOWS_EDGES;
            *kind = now > *kind ? now : *kind;
        }
    for (int64_t i = 0; i < piece_count; i++) {
        whose[i] = DEW_INVALID;
        is_edge |= shown[i] == SHOWS_EDGES;
    }
    if (is_edge)
        find_whose(p, shown, whose);
    for (int64_t i = 0; i < piece_count; i++)
        name[i] = shown[i] != SHOWS_NOTHING && whose[i] < 0 ? named++ : DEW_INVALID;
    for (int64_t i = 0; i < piece_count; i++)
        name[i] = whose[i] >= 0 ? name[whose[i]] : name[i];
    for (int64_t n = 0; n < count; n++)
        p->label[n] = p->label[n] >= 0 ? name[p->label[n]] : DEW_INVALID;
    return dew_array_resize(pieces, named);
}

// Pieces hold together through the upper cells of walls too: where a wall climbs by a cell the edge
// of a drop would else be a piece of its own.
static dew_Status label_beside_walls(Pieces *p, const double *solid, dew_Arena *scratch)
{
    dew_Liquid *liquid = p->liquid;
    const double *phi = dew_liquid_phi(liquid);
    int64_t count = dew_liquid_count(liquid);
    double *wet = dew_arena_raw_array(scratch, double, count);
    if (!wet)
        return dew_no_memory((size_t)count * sizeof *wet);
    for (int64_t n = 0; n < count; n++) {
        double in_wall = -solid[n] - THROUGH * liquid->grid->cell_m;
        wet[n] = phi[n] > in_wall ? phi[n] : in_wall;
    }
    DEW_TRY(dew_levelset_drops(liquid->grid, wet, p->label, &liquid->workspace->pieces, scratch));
    return name_pieces(p, wet, solid, scratch);
}

static dew_Status label_pieces(Pieces *p, dew_Arena *scratch)
{
    dew_Liquid *liquid = p->liquid;
    const double *solid = dew_liquid_solid(liquid);
    return solid ? label_beside_walls(p, solid, scratch)
                 : dew_levelset_drops(liquid->grid, dew_liquid_phi(liquid), p->label,
                                      &liquid->workspace->pieces, scratch);
}

// The drop of the neighbour deepest in the liquid, of those that have one.
static int32_t drop_beside(const Pieces *p, int32_t b, int n, const double *phi)
{
    const dew_Grid *grid = p->liquid->grid;
    int layers = grid->depth == 1 ? 0 : 1;
    int32_t best = DEW_INVALID;
    double least = HUGE_VAL;
    for (int k = -layers; k <= layers; k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) {
                int64_t at = dew_grid_near(grid, b, (n & 7) + i, (n >> 3 & 7) + j, (n >> 6) + k);
                bool is_there = at >= 0 && p->label[at] >= 0;
                if (is_there && phi[at] < least) {
                    least = phi[at];
                    best = p->label[at];
                }
            }
    return best;
}

// Liquid thinner than half a cell, the edge of a drop on a wall, has no cell centre in it: cells
// with a volume fraction belong to the drop beside them.
typedef struct Edges {
    const Pieces *pieces;
    int32_t *found;
} Edges;

static dew_Status edges_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Edges *e = context;
    const Pieces *p = e->pieces;
    const dew_Grid *grid = p->liquid->grid;
    const double *phi = dew_liquid_phi(p->liquid);
    for (int32_t b = (int32_t)begin; b < end; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = (int64_t)b * grid->brick_cells + n;
            e->found[at] = p->label[at] < 0 && (p->fraction[at] > 0 || p->area[at] > 0)
                               ? drop_beside(p, b, n, phi)
                               : p->label[at];
        }
    return dew_ok();
}

static void label_edges(const Pieces *p, int32_t *found)
{
    Edges edges = {p, found};
    for (int round = 0; round < DEW_LIQUID_NEAR; round++) {
        dew_grid_for(p->liquid->grid, edges_chunk, &edges);
        memcpy(p->label, found, (size_t)dew_liquid_count(p->liquid) * sizeof *found);
    }
}

// What is left over belongs to nothing: films thinner than half a cell that no drop reaches, made
// by walls whose continuations meet (edges). They cannot be tracked and are removed; the volume
// fractions of the cells around are then others.
static dew_Status dry_strays(const Pieces *p)
{
    double *phi = dew_liquid_phi(p->liquid), h = p->liquid->grid->cell_m;
    bool is_any = false;
    for (int64_t at = 0; at < dew_liquid_count(p->liquid); at++)
        if (p->label[at] < 0 && phi[at] < h && (p->fraction[at] > 0 || p->area[at] > 0)) {
            phi[at] = h;
            is_any = true;
        }
    return is_any ? dew_liquid_volume_fractions(p->liquid, p->fraction, p->area) : dew_ok();
}

// Volume, area, centre and cells of each piece, summed in the order of cells.
static void measure_pieces(const Pieces *p, dew_LiquidDrop *drops)
{
    const dew_Grid *grid = p->liquid->grid;
    const double *phi = dew_liquid_phi(p->liquid);
    double cell_m3 = dew_liquid_cell_m3(p->liquid);
    memset(drops, 0, (size_t)p->now * sizeof *drops);
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = (int64_t)b * grid->brick_cells + n;
            int32_t drop = p->label[at];
            if (drop < 0)
                continue;
            double volume = cell_m3 * p->fraction[at];
            dew_Vec3 x = dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
            drops[drop].volume_m3 += volume;
            drops[drop].area_m2 += p->area[at];
            drops[drop].center_m = dew_add_scaled(drops[drop].center_m, volume, x);
            drops[drop].cell_count += phi[at] < 0 && p->fraction[at] > 0;
        }
    for (int32_t d = 0; d < p->now; d++)
        if (drops[d].volume_m3 > 0)
            drops[d].center_m = dew_scale(1 / drops[d].volume_m3, drops[d].center_m);
}

// Pieces of before and of now that share cells are one group.
static void link_shared_cells(const Pieces *p)
{
    const int32_t *old = dew_grid_field(p->liquid->grid, p->liquid->drop);
    for (int64_t at = 0; at < dew_liquid_count(p->liquid); at++)
        if (p->label[at] >= 0 && old[at] >= 0 && old[at] < p->before)
            dew_join_cells(p->group, old[at], p->before + p->label[at]);
}

// A piece that moves by its own size shares no cell with the one it was: those near it will do.
static void link_near(const Pieces *p, const uint8_t *is_linked)
{
    const dew_Grid *grid = p->liquid->grid;
    const int32_t *old = dew_grid_field(grid, p->liquid->drop);
    int width = 2 * DEW_LIQUID_NEAR + 1, layers = grid->depth == 1 ? 1 : width;
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int32_t drop = p->label[(int64_t)b * grid->brick_cells + n];
            if (drop < 0 || is_linked[drop])
                continue;
            for (int k = 0; k < width * width * layers; k++) {
                int64_t at = dew_grid_near(grid, b, (n & 7) + k % width - DEW_LIQUID_NEAR,
                                           (n >> 3 & 7) + k / width % width - DEW_LIQUID_NEAR,
                                           (n >> 6) + k / (width * width) -
                                               (layers == 1 ? 0 : DEW_LIQUID_NEAR));
                if (at >= 0 && old[at] >= 0 && old[at] < p->before)
                    dew_join_cells(p->group, old[at], p->before + drop);
            }
        }
}

// Which groups have pieces of before, or of now.
static void mark_groups(const Pieces *p, int32_t begin, int32_t end, uint8_t *is_there)
{
    for (int32_t d = begin; d < end; d++)
        is_there[dew_cell_root(p->group, d)] = 1;
}

static dew_Status link_pieces(const Pieces *p, dew_Arena *scratch)
{
    uint8_t *is_old = dew_arena_array(scratch, uint8_t, p->before + p->now);
    uint8_t *is_linked = dew_arena_array(scratch, uint8_t, p->now);
    bool is_all = true;
    if (!is_old || !is_linked)
        return dew_no_memory((size_t)p->before + (size_t)p->now);
    mark_groups(p, 0, p->before, is_old);
    for (int32_t d = 0; d < p->now; d++) {
        is_linked[d] = is_old[dew_cell_root(p->group, p->before + d)];
        is_all = is_all && is_linked[d];
    }
    if (!is_all)
        link_near(p, is_linked);
    return dew_ok();
}

// Pieces of before that nothing of now comes from.
static dew_Status keep_lost(const Pieces *p, dew_Arena *scratch)
{
    uint8_t *is_now = dew_arena_array(scratch, uint8_t, p->before + p->now);
    if (!is_now)
        return dew_no_memory((size_t)p->before + (size_t)p->now);
    mark_groups(p, p->before, p->before + p->now, is_now);
    for (int32_t d = 0; d < p->before; d++)
        if (!is_now[dew_cell_root(p->group, d)])
            DEW_TRY(dew_liquid_add_droplet(p->liquid,
                                           DEW_ITEMS(&p->liquid->drops, dew_LiquidDrop)[d].center_m,
                                           DEW_ITEMS(&p->liquid->targets, double)[d]));
    return dew_ok();
}

// Takes pieces out of the grid; those with a predecessor become sub-grid droplets.
static dew_Status take_out(Pieces *p, const uint8_t *goes, dew_LiquidDrop *drops, double *targets,
                           dew_Arena *scratch)
{
    double *phi = dew_liquid_phi(p->liquid), h = p->liquid->grid->cell_m;
    int32_t *number = dew_arena_array(scratch, int32_t, p->now), kept = 0;
    if (!number)
        return dew_no_memory((size_t)p->now * sizeof *number);
    for (int32_t d = 0; d < p->now; d++) {
        number[d] = goes[d] ? DEW_INVALID : kept;
        if (goes[d]) {
            DEW_TRY(dew_liquid_add_droplet(p->liquid, drops[d].center_m, targets[d]));
            continue;
        }
        drops[kept] = drops[d];
        targets[kept++] = targets[d];
    }
    for (int64_t at = 0; kept < p->now && at < dew_liquid_count(p->liquid); at++) {
        if (p->label[at] < 0)
            continue;
        p->label[at] = number[p->label[at]];
        if (p->label[at] < 0)
            phi[at] = fmax(phi[at], h);
    }
    p->now = kept;
    return dew_ok();
}

static dew_Status take_small(Pieces *p, dew_LiquidDrop *drops, double *targets, dew_Arena *scratch)
{
    double least_m3 = dew_liquid_cell_m3(p->liquid);
    uint8_t *goes = dew_arena_array(scratch, uint8_t, p->now);
    if (!goes)
        return dew_no_memory((size_t)p->now);
    int32_t before = p->now;
    for (int32_t d = 0; d < p->now; d++)
        goes[d] = drops[d].volume_m3 < least_m3 || !(targets[d] > 0);
    DEW_TRY(take_out(p, goes, drops, targets, scratch));
    if (p->now == before || p->now == 0)
        return dew_ok();
    // A piece that was taken out changes the normals, and so the volume fractions, of cells beside
    // it.
    DEW_TRY(dew_liquid_volume_fractions(p->liquid, p->fraction, p->area));
    measure_pieces(p, drops);
    return dew_ok();
}

// What each group should have, and has; then each drop's part of it.
static dew_Status inherit(const Pieces *p, bool is_added, const dew_LiquidDrop *drops,
                          double *targets, dew_Arena *scratch)
{
    dew_Liquid *liquid = p->liquid;
    const double *before = DEW_ITEMS(&liquid->targets, double);
    const dew_LiquidDrop *old = DEW_ITEMS(&liquid->drops, dew_LiquidDrop);
    int64_t all = (int64_t)p->before + p->now;
    double *should = dew_arena_array(scratch, double, all);
    double *has = dew_arena_array(scratch, double, all);
    int32_t *pieces = dew_arena_array(scratch, int32_t, all);
    uint8_t *is_old = dew_arena_array(scratch, uint8_t, all);
    if (!should || !has || !pieces || !is_old)
        return dew_no_memory((size_t)all * 21);
    for (int32_t d = 0; d < p->before; d++) {
        int32_t root = dew_cell_root(p->group, d);
        should[root] += before[d] - (is_added ? old[d].volume_m3 : 0);
        is_old[root] = 1;
    }
    for (int32_t d = 0; d < p->now; d++) {
        int32_t root = dew_cell_root(p->group, p->before + d);
        has[root] += drops[d].volume_m3;
        pieces[root]++;
    }
    for (int32_t d = 0; d < p->now; d++) {
        int32_t root = dew_cell_root(p->group, p->before + d);
        double total = should[root] + (is_added ? has[root] : 0);
        if (!is_old[root])
            total = is_added ? has[root] : 0;  // a new drop; or one that nothing led to
        // A group whose cells hold nothing any more still passes its target on.
        targets[d] =
            fmax(total, 0) * (has[root] > 0 ? drops[d].volume_m3 / has[root] : 1.0 / pieces[root]);
    }
    return dew_ok();
}

static dew_Status find_drops(Pieces *p, bool is_added, dew_Arena *scratch)
{
    dew_Liquid *liquid = p->liquid;
    int64_t count = dew_liquid_count(liquid);
    p->label = dew_arena_array(scratch, int32_t, count);
    p->fraction = dew_arena_array(scratch, double, count);
    p->area = dew_arena_array(scratch, double, count);
    int32_t *found = dew_arena_array(scratch, int32_t, count);
    if (!p->label || !p->fraction || !p->area || !found)
        return dew_no_memory((size_t)count * 20);
    DEW_TRY(label_pieces(p, scratch));
    DEW_TRY(dew_liquid_volume_fractions(liquid, p->fraction, p->area));
    if (liquid->params.has_solids) {
        label_edges(p, found);
        DEW_TRY(dry_strays(p));
    }
    p->now = (int32_t)liquid->workspace->pieces.count;
    p->before = (int32_t)liquid->targets.count;
    p->group = dew_arena_array(scratch, int32_t, p->before + p->now);
    dew_LiquidDrop *drops = dew_arena_array(scratch, dew_LiquidDrop, p->now);
    double *targets = dew_arena_array(scratch, double, p->now);
    if (!p->group || !drops || !targets)
        return dew_no_memory((size_t)(p->before + p->now) * sizeof *drops);
    for (int32_t d = 0; d < p->before + p->now; d++)
        p->group[d] = d;
    measure_pieces(p, drops);
    link_shared_cells(p);
    if (!is_added) {
        DEW_TRY(link_pieces(p, scratch));
        DEW_TRY(keep_lost(p, scratch));
    }
    DEW_TRY(inherit(p, is_added, drops, targets, scratch));
    if (!is_added)
        DEW_TRY(take_small(p, drops, targets, scratch));
    DEW_TRY(dew_array_resize(&liquid->targets, p->now));
    DEW_TRY(dew_array_resize(&liquid->drops, p->now));
    if (p->now > 0) {
        memcpy(liquid->targets.data, targets, (size_t)p->now * sizeof *targets);
        memcpy(liquid->drops.data, drops, (size_t)p->now * sizeof *drops);
    }
    if (count > 0)
        memcpy(dew_grid_field(liquid->grid, liquid->drop), p->label,
               (size_t)count * sizeof(int32_t));
    return dew_ok();
}

dew_Status dew_liquid_label_drops(dew_Liquid *liquid, bool is_added, dew_Arena *scratch)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    Pieces pieces = {.liquid = liquid};
    dew_Status status = find_drops(&pieces, is_added, scratch);
    dew_arena_rewind(scratch, mark);
    return status;
}

// Drops that the grid cannot resolve become sub-grid droplets: those of a few cells and films,
// when they miss their targets.
static dew_Status give_up(dew_Liquid *liquid, bool *is_any, dew_Arena *scratch)
{
    double *targets = DEW_ITEMS(&liquid->targets, double);
    double all_m3 = 0, droplets_m3 = dew_liquid_droplets_m3(liquid);
    dew_LiquidDrop *drops = DEW_ITEMS(&liquid->drops, dew_LiquidDrop);
    Pieces p = {.liquid = liquid,
                .label = dew_grid_field(liquid->grid, liquid->drop),
                .now = (int32_t)liquid->drops.count};
    uint8_t *goes = dew_arena_array(scratch, uint8_t, p.now);
    if (!goes)
        return dew_no_memory((size_t)p.now);
    *is_any = false;
    for (int32_t d = 0; d < p.now; d++)
        all_m3 += targets[d];
    for (int32_t d = 0; d < p.now; d++) {
        double error_m3 = fabs(drops[d].volume_m3 - targets[d]);
        double full_m3 = (double)drops[d].cell_count * dew_liquid_cell_m3(liquid);
        bool is_film = drops[d].volume_m3 < 0.5 * full_m3;
        bool is_small = drops[d].cell_count <= DEW_LIQUID_TINY;
        goes[d] = (is_small && error_m3 > MISSED * all_m3) ||
                  (is_film && error_m3 > FILM_MISSED * (all_m3 + droplets_m3));
        *is_any |= goes[d];
    }
    if (!*is_any)
        return dew_ok();
    DEW_TRY(take_out(&p, goes, drops, targets, scratch));
    DEW_TRY(dew_array_resize(&liquid->targets, p.now));
    DEW_TRY(dew_array_resize(&liquid->drops, p.now));
    return dew_liquid_label_drops(liquid, false, scratch);  // their edges dry up
}

dew_Status dew_liquid_convert_unresolved(dew_Liquid *liquid, dew_Arena *scratch)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    dew_Status status = dew_ok();
    bool is_any = true;
    while (is_any && status.code == DEW_OK)  // each time there are fewer drops
        status = give_up(liquid, &is_any, scratch);
    dew_arena_rewind(scratch, mark);
    return status;
}

// ---- correction --------------------------------------------------------------------------------

double dew_liquid_worst_error(const dew_Liquid *liquid)
{
    double worst = 0;
    for (int64_t d = 0; d < liquid->drops.count; d++) {
        const dew_LiquidDrop *drop = &DEW_ITEMS(&liquid->drops, dew_LiquidDrop)[d];
        double target = DEW_ITEMS(&liquid->targets, double)[d];
        bool is_tiny = drop->cell_count <= DEW_LIQUID_TINY;
        if (target > 0)
            worst = fmax(worst, (is_tiny ? TINY_WEIGHT : 1) * fabs(drop->volume_m3 / target - 1));
    }
    return worst;
}

double dew_liquid_summed_error(const dew_Liquid *liquid)
{
    double missed_m3 = 0, all_m3 = dew_liquid_droplets_m3(liquid);
    for (int64_t d = 0; d < liquid->drops.count; d++) {
        double target = DEW_ITEMS(&liquid->targets, double)[d];
        missed_m3 += fabs(DEW_ITEMS(&liquid->drops, dew_LiquidDrop)[d].volume_m3 - target);
        all_m3 += target;
    }
    return all_m3 > 0 ? missed_m3 / all_m3 : 0;
}

// Does a drop miss its target by so much that its line's memory in solids is worth less?
static bool is_far_off(const dew_Liquid *liquid, int32_t drop)
{
    if (drop < 0 || drop >= liquid->drops.count)
        return false;
    double target = DEW_ITEMS(&liquid->targets, double)[drop];
    double volume = DEW_ITEMS(&liquid->drops, dew_LiquidDrop)[drop].volume_m3;
    return fabs(volume - target) > DEW_LIQUID_ALLOWANCE * target;
}

// Shifts phi of every piece by (V - target) / area, but not in solids: that is the contact line's
// memory. Of films most is in cells whose middle is in a solid, though. before: phi.
static dew_Status shift_pieces(dew_Liquid *liquid, double limit, const double *before,
                               dew_Arena *scratch)
{
    double *phi = dew_liquid_phi(liquid), band = DEW_LIQUID_BAND * liquid->grid->cell_m;
    const double *solid = dew_liquid_solid(liquid);
    const int32_t *drop = dew_grid_field(liquid->grid, liquid->drop);
    int64_t count = dew_liquid_count(liquid);
    memcpy(phi, before, (size_t)count * sizeof *phi);
    DEW_TRY(dew_levelset_correct_volumes(liquid->grid, phi, drop, &liquid->workspace->pieces,
                                         DEW_ITEMS(&liquid->targets, double),
                                         limit * liquid->grid->cell_m, scratch));
    for (int64_t n = 0; n < count; n++) {
        phi[n] = fmax(-band, fmin(phi[n], band));
        if (solid && solid[n] < 0 && !is_far_off(liquid, drop[n]))
            phi[n] = before[n];
    }
    return dew_ok();
}

// The second shift divides by a measured area: the volume that the first shift changed per
// displacement. In sheets about as thin as a cell phi is not as steep as a distance, and a shift
// changes two or three times the volume that the area predicts.
static dew_Status learn_areas(dew_Liquid *liquid, double limit, dew_Arena *scratch)
{
    const dew_LiquidDrop *drops = DEW_ITEMS(&liquid->drops, dew_LiquidDrop);
    const double *targets = DEW_ITEMS(&liquid->targets, double);
    const int32_t *drop = dew_grid_field(liquid->grid, liquid->drop);
    dew_LevelSetDrop *pieces = DEW_ITEMS(&liquid->workspace->pieces, dew_LevelSetDrop);
    int64_t count = dew_liquid_count(liquid);
    double *fraction = dew_arena_array(scratch, double, count);
    double *area = dew_arena_array(scratch, double, count);
    double *now_m3 = dew_arena_array(scratch, double, liquid->drops.count);
    if (!fraction || !area || !now_m3)
        return dew_no_memory((size_t)count * sizeof *fraction);
    DEW_TRY(dew_liquid_volume_fractions(liquid, fraction, area));
    for (int64_t n = 0; n < liquid->grid->brick_count * (int64_t)liquid->grid->brick_cells; n++)
        if (drop[n] >= 0)
            now_m3[drop[n]] += dew_liquid_cell_m3(liquid) * fraction[n];
    for (int64_t d = 0; d < liquid->drops.count; d++) {
        double most = limit * liquid->grid->cell_m, area_m2 = drops[d].area_m2;
        double displacement = area_m2 > 0 ? (drops[d].volume_m3 - targets[d]) / area_m2 : 0;
        displacement = fmax(-most, fmin(displacement, most));
        double learnt =
            displacement != 0 ? (drops[d].volume_m3 - now_m3[d]) / displacement : area_m2;
        // A growing drop also fills cells beyond its surface.
        double least = displacement > 0 ? GENTLEST * area_m2 : area_m2;
        pieces[d].area_m2 = fmax(least, fmin(learnt, STEEPEST * area_m2));
    }
    return dew_ok();
}

static dew_Status correct(dew_Liquid *liquid, double limit, dew_Arena *scratch)
{
    int64_t count = dew_liquid_count(liquid), drop_count = liquid->drops.count;
    double *before = dew_arena_raw_array(scratch, double, count);
    dew_Array *pieces = &liquid->workspace->pieces;
    if (!before)
        return dew_no_memory((size_t)count * sizeof *before);
    memcpy(before, dew_liquid_phi(liquid), (size_t)count * sizeof *before);
    DEW_TRY(dew_array_resize(pieces, drop_count));
    for (int64_t d = 0; d < drop_count; d++) {
        const dew_LiquidDrop *drop = &DEW_ITEMS(&liquid->drops, dew_LiquidDrop)[d];
        DEW_ITEMS(pieces, dew_LevelSetDrop)
        [d] = (dew_LevelSetDrop){.volume_m3 = drop->volume_m3, .area_m2 = drop->area_m2};
    }
    DEW_TRY(shift_pieces(liquid, limit, before, scratch));
    DEW_TRY(learn_areas(liquid, limit, scratch));
    return shift_pieces(liquid, limit, before, scratch);
}

dew_Status dew_liquid_correct_volumes(dew_Liquid *liquid, double limit, dew_Arena *scratch)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    dew_Status status = liquid->drops.count > 0 ? correct(liquid, limit, scratch) : dew_ok();
    dew_arena_rewind(scratch, mark);
    return status;
}
