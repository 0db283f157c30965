// The Surface: marching tetrahedra of the liquid outside of solids, with wet flags where it lies on
// a solid. Volumes and contact angles of the pieces are those of phi, not of the triangles.
#include "base/status.h"
#include "grid/sample.h"
#include "solvers/free_surface/liquid.h"
#include "surface/marching_tetrahedra.h"
#include "surface/step_back.h"

#include <string.h>

#define APART_ROUNDS 2
#define MOST_FIT     (DEW_LIQUID_SHIFT * 2)  // cells, in a pass

typedef struct Fill {
    const dew_Problem *problem;
    const dew_Liquid *liquid;
    const dew_Instant *instant;
    dew_Surface *out;
    const double *u[3];
} Fill;

static bool nearest(const void *context, dew_Vec3 x, double reach_m, dew_WallPoint *out)
{
    const Fill *f = context;
    dew_SolidPoint p = dew_liquid_nearest_wall(f->problem, f->liquid, f->instant, x, reach_m);
    *out = (dew_WallPoint){p.point_m, p.normal, p.distance_m};
    return p.solid_id != DEW_INVALID;
}

// Velocities; and nozzles are not solids that are wetted.
static dew_Status fill_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Fill *f = context;
    double h = f->liquid->grid->cell_m;
    float *wet = DEW_ITEMS(&f->out->wet, float);
    for (int64_t i = begin; i < end; i++) {
        dew_Vec3 x = DEW_ITEMS(&f->out->positions, dew_Vec3)[i];
        dew_grid_sample_velocity(f->liquid->grid, f->u, x,
                                 &DEW_ITEMS(&f->out->velocities, dew_Vec3)[i]);
        if (f->liquid->params.nozzle_count == 0 || !(wet[i] > 0))
            continue;
        dew_SolidPoint p = dew_liquid_nearest_wall(f->problem, f->liquid, f->instant, x, h);
        if (p.solid_id < f->liquid->params.solid_count)
            continue;
        wet[i] = 0;
        DEW_ITEMS(&f->out->solid_normals, dew_Vec3)[i] = dew_vec(0, 0, 0);
    }
    return dew_ok();
}

// phi as it is drawn: beside the pins of nozzles there is nothing.
static dew_Status hide_pins(const dew_Liquid *liquid, const double **out)
{
    const dew_Grid *grid = liquid->grid;
    int64_t count = dew_liquid_count(liquid);
    *out = dew_liquid_phi(liquid);
    if (liquid->params.nozzle_count == 0 || count == 0)
        return dew_ok();
    double *phi = dew_arena_raw_array(&liquid->workspace->scratch, double, count);
    if (!phi)
        return dew_no_memory((size_t)count * sizeof *phi);
    memcpy(phi, *out, (size_t)count * sizeof *phi);
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            dew_Vec3 x = dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
            double *at = &phi[(int64_t)b * grid->brick_cells + n];
            for (int k = 0; k < liquid->params.nozzle_count; k++)
                *at = fmax(*at, dew_liquid_nozzle_hidden(&liquid->params.nozzles[k], x));
        }
    *out = phi;
    return dew_ok();
}

static dew_Status march(const Fill *fill, dew_Surface *out)
{
    const dew_Liquid *liquid = fill->liquid;
    dew_TetrahedraDef def = dew_default_tetrahedra_def();
    def.grid = liquid->grid;
    DEW_TRY(hide_pins(liquid, &def.phi));
    def.wall = dew_liquid_solid(liquid);
    def.nearest = nearest;
    def.context = fill;
    def.tasks = liquid->tasks;
    def.scratch = &liquid->workspace->scratch;
    return dew_march_tetrahedra(&def, out);
}

// Triangles cut corners: with its vertices where phi is zero a mesh has too little volume. The free
// ones make up for it, along their normals.
static dew_Status fit_volume(const dew_Liquid *liquid, dew_Surface *out, int64_t of_grid,
                             dew_Arena *scratch, bool *has_moved)
{
    *has_moved = false;
    double volume = 0;
    for (int64_t d = 0; d < liquid->drops.count; d++)
        volume += DEW_ITEMS(&liquid->drops, dew_LiquidDrop)[d].volume_m3;
    for (int64_t i = 0; i < liquid->droplets.count; i++)
        volume += DEW_ITEMS(&liquid->droplets, dew_SubgridDroplet)[i].volume_m3;
    dew_Vec3 *x = DEW_ITEMS(&out->positions, dew_Vec3);
    const float *wet = DEW_ITEMS(&out->wet, float);
    dew_Vec3 *area = dew_arena_array(scratch, dew_Vec3, out->positions.count);
    if (!area)
        return dew_no_memory((size_t)out->positions.count * sizeof *area);
    for (int pass = 0; pass < DEW_LIQUID_SHIFTS; pass++) {
        double missing = volume - dew_surface_volume_m3(out), sum = 0;
        for (int64_t i = 0; i < out->positions.count; i++)
            area[i] = dew_vec(0, 0, 0);
        for (int64_t t = 0; t < out->triangles.count; t++) {
            const uint32_t *v = DEW_ITEMS(&out->triangles, dew_Triangle)[t].v;
            dew_Vec3 a = dew_cross(dew_sub(x[v[1]], x[v[0]]), dew_sub(x[v[2]], x[v[0]]));
            for (int c = 0; c < 3; c++)
                area[v[c]] = dew_add_scaled(area[v[c]], 1.0 / 6, a);
        }
        for (int64_t i = 0; i < of_grid; i++)
            sum += wet[i] > 0 ? 0 : dew_length(area[i]);
        if (!(sum > 0) || fabs(missing) < 1e-6 * volume)
            return dew_ok();
        *has_moved = true;
        double displacement = fmax(-MOST_FIT, fmin(missing / sum / liquid->grid->cell_m, MOST_FIT));
        for (int64_t i = 0; i < of_grid; i++)
            if (!(wet[i] > 0) && dew_length2(area[i]) > 0)
                x[i] = dew_add_scaled(x[i], displacement * liquid->grid->cell_m,
                                      dew_normalize(area[i]));
    }
    return dew_ok();
}

// The right volume without crossings: what steps back is made up for by the others.
static dew_Status fit_volume_apart(const dew_Liquid *liquid, dew_Surface *out, int64_t of_grid)
{
    dew_Arena *scratch = &liquid->workspace->scratch;
    int64_t n = out->positions.count;
    dew_Vec3 *safe = dew_arena_raw_array(scratch, dew_Vec3, n);
    if (!safe)
        return dew_no_memory((size_t)n * sizeof *safe);
    for (int round = 0; round < APART_ROUNDS && n > 0; round++) {
        bool has_moved;
        memcpy(safe, out->positions.data, (size_t)n * sizeof *safe);
        DEW_TRY(fit_volume(liquid, out, of_grid, scratch, &has_moved));
        if (!has_moved)
            break;
        dew_StepBack back = {.triangles = DEW_ITEMS(&out->triangles, dew_Triangle),
                             .triangle_count = out->triangles.count,
                             .vertex_count = n,
                             .safe = safe,
                             .positions = DEW_ITEMS(&out->positions, dew_Vec3),
                             .tasks = liquid->tasks,
                             .scratch = scratch};
        dew_stage_end(out->clock, DEW_SURFACE_MESH);
        DEW_TRY(dew_surface_step_back(&back, NULL));
        dew_stage_end(out->clock, DEW_SURFACE_CROSSINGS);
    }
    return dew_ok();
}

// ---- what phi says of the pieces ---------------------------------------------------------------

// A point in cells of its brick.
static dew_Vec3 in_brick(const dew_Grid *grid, int32_t brick, dew_Vec3 x)
{
    dew_Vec3 first = dew_grid_position(grid, brick, 0, 0, 0, DEW_AT_CELL);
    return dew_scale(1 / grid->cell_m, dew_sub(x, first));
}

// The drop at a vertex: that of a cell around it.
static int32_t drop_at(const dew_Liquid *liquid, dew_Vec3 x)
{
    int32_t brick = dew_grid_brick_at(liquid->grid, x);
    if (brick < 0)
        return DEW_INVALID;
    const int32_t *drop = dew_grid_field(liquid->grid, liquid->drop);
    dew_Vec3 p = in_brick(liquid->grid, brick, x);
    for (int n = 0; n < 8; n++) {
        int c[3] = {(int)floor(p.x) + (n & 1), (int)floor(p.y) + (n >> 1 & 1),
                    liquid->grid->depth == 1 ? 0 : (int)floor(p.z) + (n >> 2)};
        int64_t at = dew_grid_near(liquid->grid, brick, c[0], c[1], c[2]);
        if (at >= 0 && drop[at] >= 0)
            return drop[at];
    }
    return DEW_INVALID;
}

// Angle at a wet vertex, where phi is zero at the wall or nearly; NaN elsewhere.
static double angle_at(const dew_Liquid *liquid, const dew_Surface *surface, uint32_t vertex)
{
    double at_wall, angle;
    dew_Vec3 x = DEW_ITEMS(&surface->positions, dew_Vec3)[vertex];
    dew_Vec3 N = DEW_ITEMS(&surface->solid_normals, dew_Vec3)[vertex];
    int32_t brick = dew_grid_brick_at(liquid->grid, x);
    if (brick < 0 ||
        !dew_liquid_angle(liquid, brick, in_brick(liquid->grid, brick, x), N, &at_wall, &angle))
        return (double)NAN;
    return angle;
}

// Mean, least and largest angle of each piece, over the corners of its wet triangles that lie at
// the contact line.
static void tell_angles(const dew_Liquid *liquid, dew_Surface *surface, double *weights)
{
    dew_PieceMeasure *measures = DEW_ITEMS(&surface->measures, dew_PieceMeasure);
    const float *wet = DEW_ITEMS(&surface->wet, float);
    const uint32_t *pieces = DEW_ITEMS(&surface->pieces, uint32_t);
    for (int64_t t = 0; t < surface->triangles.count; t++) {
        const uint32_t *v = DEW_ITEMS(&surface->triangles, dew_Triangle)[t].v;
        bool is_line = wet[v[0]] + wet[v[1]] + wet[v[2]] > 0 &&
                       wet[v[0]] + wet[v[1]] + wet[v[2]] < 3;  // some touch, some do not
        for (int c = 0; is_line && c < 3; c++) {
            double angle = wet[v[c]] > 0 ? angle_at(liquid, surface, v[c]) : (double)NAN;
            dew_ContactLine *line = &measures[pieces[v[c]]].contact;
            double *weight = &weights[pieces[v[c]]];
            if (isnan(angle))
                continue;
            bool is_first = *weight == 0;
            line->mean_angle_rad =
                is_first ? angle
                         : line->mean_angle_rad + (angle - line->mean_angle_rad) / (*weight + 1);
            line->min_angle_rad = is_first ? angle : fmin(line->min_angle_rad, angle);
            line->max_angle_rad = is_first ? angle : fmax(line->max_angle_rad, angle);
            *weight += 1;
        }
    }
}

// Volumes of pieces that are the only one of their drop.
static void tell_volumes(const dew_Liquid *liquid, dew_Surface *surface, int32_t *drop_of,
                         int32_t *piece_count)
{
    dew_PieceMeasure *measures = DEW_ITEMS(&surface->measures, dew_PieceMeasure);
    const uint32_t *pieces = DEW_ITEMS(&surface->pieces, uint32_t);
    for (int p = 0; p < surface->piece_count; p++)
        drop_of[p] = DEW_INVALID;
    for (int64_t i = 0; i < surface->positions.count; i++) {
        uint32_t p = pieces[i];
        if (p < (uint32_t)surface->piece_count && drop_of[p] < 0)
            drop_of[p] = drop_at(liquid, DEW_ITEMS(&surface->positions, dew_Vec3)[i]);
    }
    for (int p = 0; p < surface->piece_count; p++)
        if (drop_of[p] >= 0)
            piece_count[drop_of[p]]++;
    for (int p = 0; p < surface->piece_count; p++)
        if (drop_of[p] >= 0 && piece_count[drop_of[p]] == 1) {
            const dew_LiquidDrop *drop = &DEW_ITEMS(&liquid->drops, dew_LiquidDrop)[drop_of[p]];
            measures[p].volume_m3 = drop->volume_m3;
            measures[p].center_m = drop->center_m;
        }
}

static dew_Status tell_pieces(const dew_Liquid *liquid, dew_Surface *surface)
{
    dew_Arena *scratch = &liquid->workspace->scratch;
    int32_t *drop_of = dew_arena_array(scratch, int32_t, surface->piece_count);
    int32_t *piece_count = dew_arena_array(scratch, int32_t, liquid->drops.count);
    double *weights = dew_arena_array(scratch, double, surface->piece_count);
    if (!drop_of || !piece_count || !weights)
        return dew_no_memory((size_t)surface->piece_count * sizeof *weights);
    tell_volumes(liquid, surface, drop_of, piece_count);
    if (liquid->params.has_solids)
        tell_angles(liquid, surface, weights);
    return dew_ok();
}

dew_Status dew_liquid_surface(const dew_Problem *problem, const dew_Liquid *liquid,
                              const dew_Instant *instant, dew_Surface *out)
{
    Fill fill = {problem, liquid, instant, out, {NULL, NULL, NULL}};
    DEW_TRY(march(&fill, out));
    int64_t of_grid = out->positions.count;
    for (int a = 0; a < dew_grid_axes(liquid->grid); a++)
        fill.u[a] = dew_grid_f64(liquid->grid, liquid->u[a]);
    DEW_TRY(dew_parallel_for(liquid->tasks, of_grid, 256, fill_chunk, &fill));
    DEW_TRY(dew_liquid_droplets_mesh(problem, liquid, instant, out));
    DEW_TRY(fit_volume_apart(liquid, out, of_grid));
    DEW_TRY(dew_surface_finish(out));
    dew_Status status = tell_pieces(liquid, out);
    dew_arena_clear(&liquid->workspace->scratch);
    return status;
}
