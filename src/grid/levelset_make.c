// Level sets from distance functions and meshes; bricks that follow the surface.
//
// A distance changes no faster than position, so a box is far from the surface when the distance at its
// centre exceeds half its diagonal: boxes of bricks are split in eight until they are single bricks. The
// cost follows the surface, not the domain.
#include "base/status.h"
#include "grid/levelset.h"

#include <string.h>

typedef struct Maker {
    dew_Grid *grid;
    int phi;
    dew_DistanceFn *distance;
    void *context;
    double band_m;
    bool and_inside;
} Maker;

static double distance_at(const Maker *maker, dew_Vec3 p)
{
    return maker->distance(maker->context, p);
}

// Wants the bricks of [lo, hi), brick coordinates, that the band meets.
static dew_Status want_boxes(const Maker *maker, const int32_t lo[3], const int32_t hi[3])
{
    const dew_Grid *grid = maker->grid;
    double edge = DEW_BRICK * grid->cell_m, thick = grid->depth * grid->cell_m;
    double size[3] = {edge * (hi[0] - lo[0]), edge * (hi[1] - lo[1]), thick * (hi[2] - lo[2])};
    dew_Vec3 lower = dew_vec(edge * lo[0], edge * lo[1], thick * lo[2]);
    dew_Vec3 half = dew_scale(0.5, dew_vec(size[0], size[1], size[2]));
    double d = distance_at(maker, dew_add(grid->origin_m, dew_add(lower, half)));
    double reach = dew_length(half) + maker->band_m;
    if (d > reach || (d < -reach && !maker->and_inside))
        return dew_ok();
    int longest = 0;
    for (int a = 1; a < 3; a++)
        if (hi[a] - lo[a] > hi[longest] - lo[longest])
            longest = a;
    if (hi[longest] - lo[longest] <= 1)
        return dew_grid_want(maker->grid, lo);
    int32_t middle = lo[longest] + (hi[longest] - lo[longest]) / 2;
    int32_t upper_lo[3] = {lo[0], lo[1], lo[2]}, lower_hi[3] = {hi[0], hi[1], hi[2]};
    lower_hi[longest] = middle;
    upper_lo[longest] = middle;
    DEW_TRY(want_boxes(maker, lo, lower_hi));
    return want_boxes(maker, upper_lo, hi);
}

static dew_Status fill_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Maker *maker = context;
    const dew_Grid *grid = maker->grid;
    double edge = DEW_BRICK * grid->cell_m;
    dew_Vec3 half = dew_scale(0.5, dew_vec(edge, edge, grid->depth * grid->cell_m));
    for (int64_t b = begin; b < end; b++) {
        double *phi = dew_grid_f64(grid, maker->phi) + b * grid->brick_cells;
        dew_Vec3 corner = dew_grid_position(grid, (int32_t)b, 0, 0, 0, DEW_AT_NODE);
        double middle = distance_at(maker, dew_add(corner, half));
        if (middle > dew_length(half) + maker->band_m)
            continue;  // nothing is added here
        for (int n = 0; n < grid->brick_cells; n++) {
            dew_Vec3 p =
                dew_grid_position(grid, (int32_t)b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
            double d = distance_at(maker, p);
            d = d < -maker->band_m ? -maker->band_m : d;
            phi[n] = d < phi[n] ? d : phi[n];
        }
    }
    return dew_ok();
}

static dew_Status add(Maker *maker, dew_Arena *scratch)
{
    dew_Grid *grid = maker->grid;
    int32_t lo[3] = {0}, hi[3] = {0, 0, 1};
    for (int a = 0; a < dew_grid_axes(grid); a++) {
        lo[a] = (grid->cell_min[a] - grid->margin) >> 3;
        hi[a] = ((grid->cell_max[a] + grid->margin - 1) >> 3) + 1;
    }
    dew_grid_update_begin(grid);
    DEW_TRY(dew_grid_want_all_present(grid));
    DEW_TRY(want_boxes(maker, lo, hi));
    DEW_TRY(dew_grid_update_end(grid, NULL));
    double *phi = dew_grid_f64(grid, maker->phi);
    const uint8_t *is_fresh = grid->is_fresh.data;
    for (int64_t n = 0; n < dew_grid_value_count(grid); n++)
        if (is_fresh[n / grid->brick_cells])
            phi[n] = maker->band_m;
    (void)scratch;
    return dew_grid_for(grid, fill_chunk, maker);
}

dew_Status dew_levelset_add(dew_Grid *grid, int phi, dew_DistanceFn *distance, void *context,
                            double band_m, bool and_inside, dew_Arena *scratch)
{
    Maker maker = {grid, phi, distance, context, band_m, and_inside};
    return add(&maker, scratch);
}

static double mesh_distance(void *context, dew_Vec3 p)
{
    return dew_mesh_distance_at(context, p).closest.distance;
}

dew_Status dew_levelset_add_mesh(dew_Grid *grid, int phi, const dew_MeshDistance *mesh,
                                 double band_m, bool and_inside, dew_Arena *scratch)
{
    dew_DistanceFn *distance = mesh_distance;
    Maker maker = {grid, phi, distance, (void *)mesh, band_m, and_inside};
    return add(&maker, scratch);
}

// ---- Following -----------------------------------------------------------------------------------

// The known brick beside brick b, faces first: those cells are nearest. -1 when there is none.
static int known_side(const dew_Grid *grid, const uint8_t *is_known, int32_t b)
{
    static const int order[26] = {12, 14, 10, 16, 4,  22, 9, 11, 15, 17, 3,  5,  1,
                                  7,  21, 23, 19, 25, 0,  2, 6,  8,  18, 20, 24, 26};
    const int32_t *near = dew_grid_neighbours(grid, b);
    for (int t = 0; t < 26; t++) {
        int32_t other = near[order[t]];
        if (other >= 0 && other < grid->brick_count && other != b && is_known[other])
            return order[t];
    }
    return -1;
}

// How fast phi rises outwards of the border: as behind it, but no faster than a distance; and where it
// falls, a surface lies beyond the border that nobody has seen, so that the nearest air is assumed.
static double outward_rise(double border, double inner, double cell_m, double far_m)
{
    double rise = border - inner;
    if (border < 0 && rise >= 0)
        return rise < cell_m ? rise : cell_m;
    return border > -0.99 * far_m ? cell_m : 0;
}

// Continues phi into brick b from the brick on that side, within +-far_m: the surface may have moved past
// the border since the last time.
static void continue_phi(const dew_Grid *grid, double *phi, int32_t b, int side, double far_m)
{
    int32_t other = dew_grid_neighbours(grid, b)[side];
    const double *from = phi + (int64_t)other * grid->brick_cells;
    double *to = phi + (int64_t)b * grid->brick_cells;
    int d[3] = {side % 3 - 1, side / 3 % 3 - 1, grid->depth == 1 ? 0 : side / 9 - 1};
    for (int n = 0; n < grid->brick_cells; n++) {
        int c[3] = {n & 7, n >> 3 & 7, n >> 6}, in[3], deeper[3], steps = 0;
        for (int a = 0; a < 3; a++) {
            in[a] = d[a] < 0 ? 7 : d[a] > 0 ? 0 : c[a];
            deeper[a] = in[a] + d[a];
            int way = d[a] < 0 ? c[a] + 1 : d[a] > 0 ? 8 - c[a] : 0;
            steps = way > steps ? way : steps;
        }
        double border = from[in[0] + 8 * (in[1] + 8 * in[2])];
        double inner = from[deeper[0] + 8 * (deeper[1] + 8 * deeper[2])];
        double value = border + steps * outward_rise(border, inner, grid->cell_m, far_m);
        to[n] = fmax(-far_m, fmin(value, far_m));
    }
}

// Cells of fresh bricks. New ones come where the band grew, so almost all lie beside old ones; the loop
// goes on for those behind.
static dew_Status fill_fresh(dew_Grid *grid, double *phi, double far_m, dew_Arena *scratch)
{
    uint8_t *is_known = dew_arena_array(scratch, uint8_t, grid->brick_count);
    if (!is_known)
        return dew_no_memory((size_t)grid->brick_count);
    const uint8_t *is_fresh = grid->is_fresh.data;
    for (int32_t b = 0; b < grid->brick_count; b++)
        is_known[b] = !is_fresh[b];
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (int32_t b = 0; b < grid->brick_count; b++) {
            int side = is_known[b] ? -1 : known_side(grid, is_known, b);
            if (side < 0)
                continue;
            continue_phi(grid, phi, b, side, far_m);
            is_known[b] = 1;
            goes_on = true;
        }
    }
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; !is_known[b] && n < grid->brick_cells; n++)
            phi[(int64_t)b * grid->brick_cells + n] = far_m;
    return dew_ok();
}

dew_Status dew_levelset_follow(dew_Grid *grid, int phi, double width_m, double far_m,
                               bool and_inside, dew_Arena *scratch)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    bool has_changed;
    dew_grid_update_begin(grid);
    DEW_TRY(dew_grid_want_band(grid, dew_grid_f64(grid, phi), width_m, and_inside, scratch));
    DEW_TRY(dew_grid_update_end(grid, &has_changed));
    dew_Status status = dew_ok();
    if (has_changed)
        status = fill_fresh(grid, dew_grid_f64(grid, phi), far_m, scratch);
    dew_arena_rewind(scratch, mark);
    return status;
}
