// The Surface: marching cubes where the markers' density has its half (marker_density.c), cut off
// by walls; then bumps that are no wider than the noise of counting markers are faired away
// (geom/mesh_fair.h).
//
// Marching cubes, for it is quick and the edge at walls need not be sharper than a fine cell; in
// two dimensions marching tetrahedra, which know slabs.
#include "solvers/splash/marker_surface.h"
#include "base/status.h"
#include "geom/mesh_fair.h"
#include "grid/sample.h"
#include "surface/marching_cubes.h"
#include "surface/marching_tetrahedra.h"
#include "surface/step_back.h"

#define TOUCH      0.25  // fine cells: what is nearer to a wall is wet
#define MOST_SHIFT 0.15  // cells, so that the volume is that of the markers
// Of fairing: waves of four cells keep two thirds of their height, of two cells nothing.
#define PASSES 8

typedef dew_SplashMesh Work;

// ---- fine bricks --------------------------------------------------------------------------------

static dew_Status want_fine(const Work *w)
{
    const dew_Grid *grid = w->s->grid;
    bool has_changed;
    dew_grid_update_begin(w->fine);
    for (int32_t b = 0; b < grid->brick_count; b++) {
        const int32_t *c = dew_grid_coord(grid, b);
        int lo[3], hi[3];
        int32_t min[3], max[3];
        if (!dew_bits_box(&w->sets.liquid[b], grid->depth, lo, hi))
            continue;
        for (int a = 0; a < 3; a++) {
            bool is_flat = a == 2 && grid->depth == 1;
            int32_t first = DEW_BRICK * c[a];
            min[a] = is_flat ? 0 : DEW_SPLASH_FINE * (first + lo[a] - 2);
            max[a] = is_flat ? 1 : DEW_SPLASH_FINE * (first + hi[a] + 3);
        }
        DEW_TRY(dew_grid_want_box(w->fine, min, max));
    }
    return dew_grid_update_end(w->fine, &has_changed);
}

// Distances to solids; where none moves they are kept.
static dew_Status walls_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *fine = w->fine;
    const uint8_t *is_fresh = DEW_ITEMS(&fine->is_fresh, uint8_t);
    double h = fine->cell_m, far = DEW_MAX_PAD * h, radius = 0.5 * DEW_BRICK * sqrt(3) * h;
    double *wall = dew_grid_f64(fine, w->s->workspace->fine_wall);
    dew_Vec3 half = dew_scale(0.5 * h, dew_vec(DEW_BRICK, DEW_BRICK, fine->depth));
    for (int64_t b = begin; b < end; b++) {
        if (!is_fresh[b] && !w->s->params.has_motion)
            continue;
        dew_Vec3 low = dew_grid_position(fine, (int32_t)b, 0, 0, 0, DEW_AT_NODE);
        double d = dew_problem_distance(w->problem, w->instant, dew_add(low, half), radius + far);
        for (int n = 0; n < fine->brick_cells; n++) {
            dew_Vec3 x =
                dew_grid_position(fine, (int32_t)b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
            double near =
                d > radius + far ? far : dew_problem_distance(w->problem, w->instant, x, far);
            wall[b * fine->brick_cells + n] = fmax(-far, fmin(near, far));
        }
    }
    return dew_ok();
}

// ---- the mesh -----------------------------------------------------------------------------------

static bool nearest(const void *context, dew_Vec3 x, double reach_m, dew_WallPoint *out)
{
    const Work *w = context;
    dew_SolidPoint p = dew_problem_nearest(w->problem, w->instant, x, reach_m);
    *out = (dew_WallPoint){p.point_m, p.normal, p.distance_m};
    return p.solid_id != DEW_INVALID;
}

static dew_Status march_flat(const Work *w, const double *wall, dew_Arena *scratch)
{
    dew_TetrahedraDef def = dew_default_tetrahedra_def();
    def.grid = w->fine;
    def.phi = w->phi;
    def.wall = wall;
    def.nearest = nearest;
    def.context = w;
    def.tasks = w->s->tasks;
    def.scratch = scratch;
    return dew_march_tetrahedra(&def, w->out);
}

// What is liquid and no wall: the larger of phi and minus the distance to walls.
static dew_Status march(const Work *w, const double *wall, dew_Arena *scratch)
{
    const dew_Grid *fine = w->fine;
    int64_t count = dew_grid_value_count(fine);
    for (int64_t n = 0; wall && n < count; n++)
        w->phi[n] = fmax(w->phi[n], -wall[n]);
    double half_m = 0.5 * fine->cell_m;
    dew_NodeBricks bricks = {.f64 = w->phi,
                             .brick_count = fine->brick_count,
                             .coords = (const int32_t(*)[3])fine->coords.data,
                             .origin_m = dew_add(fine->origin_m, dew_vec(half_m, half_m, half_m)),
                             .spacing_m = fine->cell_m};
    dew_MarchingDef def = dew_default_marching_def();
    def.min_fraction = DEW_SPLASH_SLIVER;
    def.tasks = w->s->tasks;
    def.scratch = scratch;
    dew_surface_clear(w->out);
    dew_MarchingOut out = {&w->out->positions, &w->out->triangles, NULL};
    DEW_TRY(dew_marching_cubes_bricks(&bricks, &def, out));
    return dew_surface_resize(w->out, w->out->positions.count, w->out->triangles.count);
}

// ---- vertices -----------------------------------------------------------------------------------

// Velocities and distances to walls around where the last vertex was.
typedef struct Around {
    int32_t brick, fine_brick;  // DEW_INVALID: none yet
    dew_Vec3 low, fine_low;
    double u[3][DEW_TILE_SIZE(1)], wall[DEW_TILE_SIZE(1)];
} Around;

// Trilinear in a tile, at samples' coordinates from the brick's first one: none below -1.
static double between(const double *tile, double x, double y, double z)
{
    const int row = DEW_BRICK + 2, layer = row * row;
    int i = (int)(x + 1), j = (int)(y + 1), k = (int)(z + 1);
    double fx = x + 1 - i, fy = y + 1 - j, fz = z + 1 - k;
    const double *t = tile + i + row * j + layer * k;
    double a = t[0] + fx * (t[1] - t[0]), b = t[row] + fx * (t[row + 1] - t[row]);
    t += layer;
    double c = t[0] + fx * (t[1] - t[0]), d = t[row] + fx * (t[row + 1] - t[row]);
    a += fy * (b - a);
    c += fy * (d - c);
    return a + fz * (c - a);
}

// The brick that holds x, likely the last one; is x in its cells?
static bool go_to(const dew_Grid *grid, dew_Vec3 x, int32_t *brick, dew_Vec3 *low, dew_Vec3 *at,
                  bool *is_new)
{
    double r = 1 / grid->cell_m;
    for (int round = 0; round < 2; round++) {
        *at = dew_scale(r, dew_sub(x, *low));
        bool is_in = at->x >= 0 && at->x < DEW_BRICK && at->y >= 0 && at->y < DEW_BRICK &&
                     at->z >= 0 && at->z < grid->depth;
        if (*brick >= 0 && is_in)
            return true;
        if (round == 1)
            break;
        *brick = dew_grid_brick_at(grid, x);
        *brick = *brick < grid->brick_count ? *brick : DEW_INVALID;
        if (*brick < 0)
            return false;
        *low = dew_grid_position(grid, *brick, 0, 0, 0, DEW_AT_NODE);
        *is_new = true;
    }
    // By rounding beside it: its border will do.
    *at = dew_vec(fmax(0, fmin(at->x, 7.999999)), fmax(0, fmin(at->y, 7.999999)),
                  fmax(0, fmin(at->z, grid->depth - 1e-6)));
    return true;
}

static dew_Vec3 velocity_at(const Work *w, Around *near, dew_Vec3 x)
{
    const dew_Grid *grid = w->s->grid;
    dew_Vec3 at;
    bool is_new = false;
    if (!go_to(grid, x, &near->brick, &near->low, &at, &is_new))
        return dew_vec(0, 0, 0);
    for (int a = 0; is_new && a < dew_grid_axes(grid); a++)
        dew_tile_load(grid, dew_grid_f64(grid, w->s->u[a]), near->brick, 1, near->u[a]);
    if (grid->depth == 1)
        return dew_vec(between(near->u[0], at.x, at.y - 0.5, 0),
                       between(near->u[1], at.x - 0.5, at.y, 0), 0);
    return dew_vec(between(near->u[0], at.x, at.y - 0.5, at.z - 0.5),
                   between(near->u[1], at.x - 0.5, at.y, at.z - 0.5),
                   between(near->u[2], at.x - 0.5, at.y - 0.5, at.z));
}

// Where a vertex lies on a wall, by the distances at the fine cells around it.
static void touch(const Work *w, Around *near, const double *wall, int64_t i)
{
    dew_Vec3 at;
    bool is_new = false;
    if (!go_to(w->fine, DEW_ITEMS(&w->out->positions, dew_Vec3)[i], &near->fine_brick,
               &near->fine_low, &at, &is_new))
        return;
    if (is_new)
        dew_tile_load(w->fine, wall, near->fine_brick, 1, near->wall);
    double x = at.x - 0.5, y = at.y - 0.5, z = at.z - 0.5;
    if (between(near->wall, x, y, z) > TOUCH * w->fine->cell_m)
        return;
    dew_Vec3 slope =
        dew_vec(between(near->wall, x + 0.5, y, z) - between(near->wall, x - 0.5, y, z),
                between(near->wall, x, y + 0.5, z) - between(near->wall, x, y - 0.5, z),
                between(near->wall, x, y, z + 0.5) - between(near->wall, x, y, z - 0.5));
    DEW_ITEMS(&w->out->wet, float)[i] = 1;
    if (dew_length2(slope) > 0)
        DEW_ITEMS(&w->out->solid_normals, dew_Vec3)[i] = dew_normalize(slope);
}

static dew_Status vertex_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const double *wall = w->has_solids && w->fine->depth > 1
                             ? dew_grid_f64(w->fine, w->s->workspace->fine_wall)
                             : NULL;
    Around near;
    near.brick = near.fine_brick = DEW_INVALID;
    near.low = near.fine_low = dew_vec(0, 0, 0);
    for (int64_t i = begin; i < end; i++) {
        dew_Vec3 x = DEW_ITEMS(&w->out->positions, dew_Vec3)[i];
        DEW_ITEMS(&w->out->velocities, dew_Vec3)[i] = velocity_at(w, &near, x);
        if (wall)
            touch(w, &near, wall, i);
    }
    return dew_ok();
}

// Markers are where they are by chance: features of a few fine cells carry no information.
static dew_Status fair(const Work *w, bool has_walls, dew_Arena *scratch)
{
    dew_FairDef def = {.passes = PASSES,
                       .wet = has_walls ? DEW_ITEMS(&w->out->wet, float) : NULL,
                       .wall_normals = DEW_ITEMS(&w->out->solid_normals, dew_Vec3),
                       .volume_m3 = dew_splash_marker_count(w->s) * w->s->params.marker_m3,
                       .most_m = MOST_SHIFT * w->s->grid->cell_m,
                       .tasks = w->s->tasks,
                       .scratch = scratch};
    int64_t n = w->out->positions.count;
    dew_Triangle *triangles = DEW_ITEMS(&w->out->triangles, dew_Triangle);
    dew_Vec3 *x = DEW_ITEMS(&w->out->positions, dew_Vec3);
    dew_Vec3 *safe = dew_arena_raw_array(scratch, dew_Vec3, n);
    if (!safe)
        return dew_no_memory((size_t)n * sizeof *safe);
    for (int64_t i = 0; i < n; i++)
        safe[i] = x[i];
    DEW_TRY(dew_mesh_fair(&def, triangles, w->out->triangles.count, x, n));
    dew_StepBack back = {.triangles = triangles,
                         .triangle_count = w->out->triangles.count,
                         .vertex_count = n,
                         .safe = safe,
                         .positions = x,
                         .tasks = w->s->tasks,
                         .scratch = scratch};
    dew_stage_end(w->out->clock, DEW_SURFACE_MESH);
    DEW_TRY(dew_surface_step_back(&back, NULL));
    dew_stage_end(w->out->clock, DEW_SURFACE_CROSSINGS);
    return dew_ok();
}

static dew_Status make_surface(Work *w, dew_Arena *scratch)
{
    w->has_solids = dew_problem_solid_count(w->problem) > 0;
    DEW_TRY(dew_cells_find_sets(w->s->grid, dew_splash_kind(w->s), scratch, &w->sets));
    DEW_TRY(want_fine(w));
    int64_t count = dew_grid_value_count(w->fine);
    w->phi = dew_arena_raw_array(scratch, double, count);
    if (!w->phi)
        return dew_no_memory((size_t)count * sizeof(double));
    DEW_TRY(dew_grid_for(w->fine, walls_chunk, w));
    DEW_TRY(dew_splash_mesh_phi(w, scratch));
    const double *wall = w->has_solids ? dew_grid_f64(w->fine, w->s->workspace->fine_wall) : NULL;
    DEW_TRY(w->fine->depth == 1 ? march_flat(w, wall, scratch) : march(w, wall, scratch));
    DEW_TRY(dew_parallel_for(w->s->tasks, w->out->positions.count, 1024, vertex_chunk, w));
    if (w->fine->depth > 1)
        DEW_TRY(fair(w, wall != NULL, scratch));
    return dew_surface_finish_plain(w->out, DEW_NORMALS_BY_AREA, false);
}

dew_Status dew_splash_surface(const dew_Problem *problem, const dew_SolverState *state,
                              const dew_Instant *instant, dew_Surface *out)
{
    Work work = {.problem = problem,
                 .s = state,
                 .instant = instant,
                 .fine = state->workspace->fine,
                 .out = out};
    if (state->level_set)
        return dew_splash_level_set_surface(problem, state, instant, out);
    dew_Status status = make_surface(&work, &state->workspace->scratch);
    dew_arena_end_step(&state->workspace->scratch);
    return status;
}
