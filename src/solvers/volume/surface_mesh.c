// The Surface: marching cubes of the liquid outside of solids, max(phi, -solid), with wet flags where it
// lies on a solid. Volumes and contact angles of the pieces are those of phi, not of the triangles.
#include "base/status.h"
#include "grid/sample.h"
#include "solvers/volume/state.h"
#include "surface/marching_cubes.h"

#define WET_REACH 0.2  // cells: a vertex this near to a solid touches it

typedef struct Fill {
    const dew_Problem *problem;
    const dew_SolverState *state;
    const dew_Moment *moment;
    dew_Surface *out;
    const double *u[3];
} Fill;

static dew_Status fill_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Fill *f = context;
    double h = f->state->grid->cell_m;
    for (int64_t i = begin; i < end; i++) {
        dew_Vec3 x = DEW_ITEMS(&f->out->positions, dew_Vec3)[i];
        dew_grid_sample_velocity(f->state->grid, f->u, x,
                                 &DEW_ITEMS(&f->out->velocities, dew_Vec3)[i]);
        if (!f->state->laws.has_solids)
            continue;
        dew_SolidPoint p = dew_problem_nearest(f->problem, f->moment, x, 2 * h);
        if (p.solid_id == DEW_INVALID || p.distance_m > WET_REACH * h)
            continue;
        DEW_ITEMS(&f->out->wet, float)[i] = 1;
        DEW_ITEMS(&f->out->solid_normals, dew_Vec3)[i] = p.normal;
        DEW_ITEMS(&f->out->positions, dew_Vec3)[i] = p.point_m;
    }
    return dew_ok();
}

// phi of the liquid outside of solids, at nodes. In two dimensions the layer becomes two, on the faces of
// its cells: a slab one cell thick.
static double *liquid_nodes(const dew_SolverState *state, dew_Arena *scratch)
{
    const dew_Grid *grid = state->grid;
    const double *phi = dew_volume_phi(state), *solid = dew_volume_solid(state);
    int64_t cells = grid->brick_cells, bricks = grid->brick_count;
    double *liquid = dew_arena_array(scratch, double, bricks *DEW_NODE_BRICK);
    for (int64_t b = 0; liquid && b < bricks; b++)
        for (int64_t n = 0; n < DEW_NODE_BRICK; n++) {
            int64_t at = b * cells + n % cells;
            bool is_there = n < 2 * cells;
            double value = solid ? fmax(phi[at], -solid[at]) : phi[at];
            liquid[b * DEW_NODE_BRICK + n] = is_there ? value : DEW_VOLUME_BAND * grid->cell_m;
        }
    return liquid;
}

static dew_Status march(const dew_SolverState *state, dew_Surface *out, dew_Arena *scratch)
{
    const dew_Grid *grid = state->grid;
    double *liquid = liquid_nodes(state, scratch);
    if (!liquid)
        return dew_no_memory((size_t)grid->brick_count * DEW_NODE_BRICK * sizeof *liquid);
    double h = grid->cell_m;
    dew_Vec3 first = dew_vec(0.5 * h, 0.5 * h, grid->dimensions == 2 ? 0 : 0.5 * h);
    dew_NodeBricks bricks = {.f64 = liquid,
                             .brick_count = grid->brick_count,
                             .coords = grid->coords.data,
                             .origin_m = dew_add(grid->origin_m, first),
                             .spacing_m = h};
    dew_MarchingDef def = dew_default_marching_def();
    def.tasks = state->tasks;
    def.scratch = scratch;
    return dew_marching_cubes_bricks(&bricks, &def,
                                     (dew_MarchingOut){&out->positions, &out->triangles, NULL});
}

dew_Status dew_volume_surface(const dew_Problem *problem, const dew_SolverState *state,
                              const dew_Moment *moment, dew_Surface *out)
{
    dew_surface_clear(out);
    dew_Status status = march(state, out, &state->tools->scratch);
    dew_arena_clear(&state->tools->scratch);
    DEW_TRY(status);
    DEW_TRY(dew_surface_resize(out, out->positions.count, out->triangles.count));
    Fill fill = {problem, state, moment, out, {NULL, NULL, NULL}};
    for (int a = 0; a < state->grid->dimensions; a++)
        fill.u[a] = dew_grid_f64(state->grid, state->u[a]);
    DEW_TRY(dew_parallel_for(state->tasks, out->positions.count, 256, fill_chunk, &fill));
    return dew_surface_finish(out);
}
