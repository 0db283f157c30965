// Liquid on bricks: creation, its fields, measurements. The longest step is in liquid_time_step.c,
// the stages of a step are in interface/, flow/, particles/, boundary/ and drops/.

#include "solvers/free_surface/liquid.h"

#include "base/status.h"
#include "base/sum.h"
#include "grid/sample.h"
#include "solvers/field_table.h"

#include <stddef.h>
#include <string.h>

const char *const dew_liquid_stage_names[DEW_LIQUID_STAGE_COUNT + 1] = {
    [DEW_LIQUID_BRICKS] = "bricks and solids",
    [DEW_LIQUID_TENSION] = "tension",
    [DEW_LIQUID_VISCOSITY] = "gravity and viscosity",
    [DEW_LIQUID_PRESSURE] = "pressure",
    [DEW_LIQUID_EXTRAPOLATE] = "extension of velocity",
    [DEW_LIQUID_TRANSFER] = "transfers and moving",
    [DEW_LIQUID_ADVECT] = "advection of velocity",
    [DEW_LIQUID_ADVECT_PHI] = "advection of phi",
    [DEW_LIQUID_PARTICLES] = "phi from particles, spreading",
    [DEW_LIQUID_REDISTANCE] = "redistancing",
    [DEW_LIQUID_CONTACT] = "contact angles",
    [DEW_LIQUID_DROPS] = "drops and volumes",
};

#define EDGE_NUMBERS ((int)(sizeof(dew_LiquidEdge) / sizeof(float)))

// ---- making ------------------------------------------------------------------------------------

// What one solid's material says. Where affinities vary this is one place of it.
static void read_solid(const dew_Problem *problem, dew_Liquid *liquid, int i,
                       dew_LiquidWetting *wetting)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    dew_LiquidParams *params = &liquid->params;
    dew_MaterialDef m = dew_problem_material(problem, NULL, i, dew_vec(0, 0, 0));
    const dew_SolidDef *def = i < dew_scene_solid_count(scene) ? dew_scene_solid(scene, i) : NULL;
    bool has_map = def && def->affinity_map;
    *wetting = dew_liquid_wetting_of(params, &m);
    params->has_affinities |= has_map;
    params->has_history |= has_map || wetting->wet_advancing > wetting->advancing;
    params->has_slips |= i > 0 && m.slip_m != params->slip_m;
    params->slip_m = m.slip_m;
}

// Contact angles change between steps, the list of fields does not: all events count.
static bool will_remember(const dew_Problem *problem)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    for (int i = 0; i < dew_scene_event_count(scene); i++) {
        const dew_EventDef *event = dew_scene_event(scene, i);
        if (event->kind == DEW_EVENT_MATERIAL && event->wet_advancing_rad < event->advancing_rad)
            return true;
    }
    return false;
}

// Solids, then nozzles.
static dew_Status read_walls(const dew_Problem *problem, dew_Liquid *liquid)
{
    dew_LiquidParams *params = &liquid->params;
    params->solid_count = dew_problem_solid_count(problem);
    DEW_TRY(dew_liquid_inflows_create(problem, liquid));
    int count = params->solid_count + params->nozzle_count;
    dew_LiquidWetting *wetting = dew_arena_array(&liquid->constants, dew_LiquidWetting, count);
    uint8_t *is_moving = dew_arena_array(&liquid->constants, uint8_t, count);
    if (!wetting || !is_moving)
        return dew_no_memory((size_t)count * sizeof *wetting);
    bool has_moving = false;
    for (int i = 0; i < params->solid_count; i++) {
        read_solid(problem, liquid, i, &wetting[i]);
        is_moving[i] = dew_problem_solid_is_moving(problem, i);
        has_moving |= is_moving[i];
    }
    for (int i = params->solid_count; i < count; i++) {
        wetting[i] = (dew_LiquidWetting){.has_fixed_phi = true, .slip_m = params->slip_m};
        wetting[i].law.kind = DEW_ANGLE_STATIC;
        is_moving[i] = true;
    }
    params->wetting = wetting;
    params->is_moving = is_moving;
    params->has_solids = count > 0;
    params->has_map &= params->has_solids;
    params->has_motion = has_moving || params->nozzle_count > 0;
    if (!has_moving)
        return dew_ok();
    DEW_TRY(dew_array_resize(&liquid->poses, params->solid_count));
    dew_problem_poses(problem, 0, liquid->poses.data);
    return dew_ok();
}

dew_Status dew_liquid_grid_create(const dew_Problem *problem, const dew_LiquidGridDef *with,
                                  dew_Grid **out)
{
    const dew_SceneDef *scene = dew_problem_def(problem);
    dew_GridDef def = dew_default_grid_def();
    double counts[3], h = scene->domain.cell_m, before_m = with->first * h;
    bool is_flat = scene->dimensions == 2;
    dew_scene_cell_counts(dew_problem_scene(problem), counts);
    def.dimensions = scene->dimensions;
    def.cell_m = h / with->fine;
    def.origin_m = dew_sub(scene->domain.min_m, dew_vec(before_m, before_m, before_m));
    if (is_flat)
        def.origin_m.z = 0.5 * (scene->domain.min_m.z + scene->domain.max_m.z) - 0.5 * h;
    for (int a = 0; a < 3; a++) {
        if (counts[a] > 1 << with->max_cells_log2)
            return dew_fail(DEW_UNSUPPORTED, "%g cells along one side of the domain (at most 2^%d)",
                            counts[a], with->max_cells_log2);
        bool is_across = a == 2 && is_flat;
        def.cell_min[a] = is_across ? 0 : with->fine * with->first;
        def.cell_max[a] = is_across ? 1 : with->fine * (with->first + (int32_t)counts[a]);
    }
    for (int side = 0; side < DEW_SIDE_COUNT; side++)
        def.margin = (int32_t)fmax(def.margin, fmin(ceil(with->margin_m[side] / h) + 4, 1 << 16));
    def.margin *= with->fine;
    def.tasks = with->tasks;
    def.allocator = with->allocator;
    return dew_grid_create(&def, out);
}

// Features of a liquid that fields depend on.
enum {
    HAS_Z = 1,
    HAS_SOLIDS = 2,
    HAS_MOTION = 4,
    HAS_SLIPS = 8,
    HAS_AFFINITIES = 16,
    HAS_HISTORY = 32,
};

static unsigned features_of(const dew_Liquid *s)
{
    const dew_LiquidParams *params = &s->params;
    return (dew_grid_axes(s->grid) == 3 ? HAS_Z : 0) | (params->has_solids ? HAS_SOLIDS : 0) |
           (params->has_motion ? HAS_MOTION : 0) | (params->has_slips ? HAS_SLIPS : 0) |
           (params->has_affinities ? HAS_AFFINITIES : 0) | (params->has_history ? HAS_HISTORY : 0);
}

// All fields of the grid.
#define ROW(text, kind, where, member, feature_bits, what, ...)                                    \
    {                                                                                              \
        .name = (text), .type = DEW_FIELD_##kind, .components = 1, .place = DEW_AT_##where,        \
        .offset = offsetof(dew_Liquid, member), .needs = (feature_bits), .role = DEW_FIELD_##what, \
        __VA_ARGS__                                                                                \
    }
static const dew_FieldRow rows[] = {
    ROW("phi", F64, CELL, phi, 0, STATE, .initial = DEW_LIQUID_BAND, .is_initial_cells = true),
    ROW("p", F64, CELL, p, 0, STATE, .initial = 0),
    ROW("u", F64, FACE_X, u[0], 0, STATE, .initial = 0),
    ROW("v", F64, FACE_Y, u[1], 0, STATE, .initial = 0),
    ROW("w", F64, FACE_Z, u[2], HAS_Z, STATE, .initial = 0),
    ROW("wet_time", F64, CELL, wet_time, HAS_SOLIDS | HAS_HISTORY, STATE,
        .initial = -DEW_LIQUID_NEVER_S),
    ROW("drop", I32, CELL, drop, 0, DERIVED, .initial = DEW_INVALID),
    ROW("solid", F64, CELL, solid, HAS_SOLIDS, DERIVED, .initial = 0),
    ROW("fluid_fraction", F64, CELL, fluid_fraction, HAS_SOLIDS, DERIVED, .initial = 0),
    ROW("solid_id", I32, CELL, solid_id, HAS_SOLIDS, DERIVED, .initial = DEW_INVALID),
    {"edge", DEW_FIELD_F32, EDGE_NUMBERS, DEW_AT_CELL, offsetof(dew_Liquid, edge), HAS_SOLIDS,
     DEW_FIELD_DERIVED, 0, false},
    ROW("aperture_x", F64, FACE_X, aperture[0], HAS_SOLIDS, DERIVED, .initial = 0),
    ROW("aperture_y", F64, FACE_Y, aperture[1], HAS_SOLIDS, DERIVED, .initial = 0),
    ROW("aperture_z", F64, FACE_Z, aperture[2], HAS_SOLIDS | HAS_Z, DERIVED, .initial = 0),
    ROW("wall_u", F64, FACE_X, wall_u[0], HAS_SOLIDS | HAS_MOTION, DERIVED, .initial = 0),
    ROW("wall_v", F64, FACE_Y, wall_u[1], HAS_SOLIDS | HAS_MOTION, DERIVED, .initial = 0),
    ROW("wall_w", F64, FACE_Z, wall_u[2], HAS_SOLIDS | HAS_MOTION | HAS_Z, DERIVED, .initial = 0),
    ROW("slip", F64, CELL, slip, HAS_SOLIDS | HAS_SLIPS, DERIVED, .initial = 0),
    ROW("receding", F64, CELL, material[0], HAS_SOLIDS | HAS_AFFINITIES, DERIVED, .initial = 0),
    ROW("advancing", F64, CELL, material[1], HAS_SOLIDS | HAS_AFFINITIES, DERIVED, .initial = 0),
    ROW("wet_advancing", F64, CELL, material[2], HAS_SOLIDS | HAS_AFFINITIES, DERIVED,
        .initial = 0),
    ROW("dries_after", F64, CELL, material[3], HAS_SOLIDS | HAS_AFFINITIES, DERIVED, .initial = 0),
    ROW("max_receding", F64, CELL, material[4], HAS_SOLIDS | HAS_AFFINITIES, DERIVED, .initial = 0),
};
#undef ROW
#define ROW_COUNT ((int)(sizeof rows / sizeof rows[0]))

static dew_Status make_parts(const dew_Problem *problem, dew_Liquid *liquid)
{
    liquid->workspace = dew_alloc(&liquid->allocator, 1, sizeof *liquid->workspace);
    if (!liquid->workspace)
        return dew_no_memory(sizeof *liquid->workspace);
    dew_poisson_init(&liquid->workspace->poisson, &liquid->allocator);
    dew_arena_init(&liquid->workspace->scratch, &liquid->allocator);
    dew_array_init(&liquid->workspace->pieces, &liquid->allocator, sizeof(dew_LevelSetDrop));
    dew_LiquidGridDef def = {.margin_m = liquid->params.margin_m,
                             .fine = 1,
                             .max_cells_log2 = 20,
                             .tasks = liquid->tasks,
                             .allocator = liquid->allocator};
    DEW_TRY(dew_liquid_grid_create(problem, &def, &liquid->grid));
    DEW_TRY(dew_liquid_cox_table(liquid));
    DEW_TRY(read_walls(problem, liquid));
    DEW_TRY(dew_array_resize(&liquid->moved, 1));
    liquid->params.has_history |= liquid->params.has_solids && will_remember(problem);
    liquid->values_hash = dew_problem_values_hash(problem);
    return dew_field_table_create(rows, ROW_COUNT, features_of(liquid), liquid->grid, liquid);
}

dew_LiquidParams dew_liquid_params(const dew_Problem *problem)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    const dew_SceneDef *def = dew_problem_def(problem);
    dew_LiquidParams params = {
        .rho_kg_m3 = def->liquid.density_kg_m3,
        .mu_Pa_s = def->liquid.viscosity_Pa_s,
        .sigma_N_m = def->liquid.surface_tension_N_m,
        .tension_factor = dew_scene_parameter_number(scene, "tension_factor"),
        .cfl = dew_scene_parameter_number(scene, "cfl"),
        .tolerance = dew_scene_parameter_number(scene, "tolerance"),
        .corrections = (int)lround(dew_scene_parameter_number(scene, "corrections")),
        .has_ghost_memory = true,
        .has_map = def->output.wetmap,
    };
    dew_liquid_outflow_margins(problem, &params, def->domain.cell_m);
    return params;
}

dew_Status dew_liquid_create(const dew_Problem *problem, const dew_CreateDef *def,
                             const dew_LiquidParams *params, dew_Liquid *liquid)
{
    *liquid = (dew_Liquid){.params = *params, .allocator = def->allocator, .tasks = def->tasks};
    dew_array_init(&liquid->targets, &liquid->allocator, sizeof(double));
    dew_array_init(&liquid->drops, &liquid->allocator, sizeof(dew_LiquidDrop));
    dew_array_init(&liquid->droplets, &liquid->allocator, sizeof(dew_SubgridDroplet));
    dew_array_init(&liquid->poses, &liquid->allocator, sizeof(dew_SolidPose));
    dew_array_init(&liquid->waiting, &liquid->allocator, sizeof(double));
    dew_array_init(&liquid->moved, &liquid->allocator, sizeof(double));
    double cube_m = dew_problem_def(problem)->domain.cell_m;
    dew_wet_ground_init(&liquid->wet_ground, &liquid->allocator, cube_m);
    dew_wet_ground_init(&liquid->touched, &liquid->allocator, cube_m);
    dew_arena_init(&liquid->constants, &liquid->allocator);
    return make_parts(problem, liquid);
}

void dew_liquid_destroy(dew_Liquid *liquid)
{
    if (liquid->workspace) {
        dew_poisson_deinit(&liquid->workspace->poisson);
        dew_arena_deinit(&liquid->workspace->scratch);
        dew_array_deinit(&liquid->workspace->pieces);
        dew_free(&liquid->allocator, liquid->workspace, sizeof *liquid->workspace);
    }
    dew_grid_destroy(liquid->grid);
    dew_wet_ground_deinit(&liquid->wet_ground);
    dew_wet_ground_deinit(&liquid->touched);
    dew_array_deinit(&liquid->poses);
    dew_array_deinit(&liquid->waiting);
    dew_array_deinit(&liquid->moved);
    dew_array_deinit(&liquid->droplets);
    dew_array_deinit(&liquid->targets);
    dew_array_deinit(&liquid->drops);
    dew_arena_deinit(&liquid->constants);
}

// ---- fields ------------------------------------------------------------------------------------

void dew_liquid_fields(dew_Liquid *s, dew_FieldList *out)
{
    const int pose = sizeof(dew_SolidPose) / sizeof(double);
    const int droplet = sizeof(dew_SubgridDroplet) / sizeof(double);
    dew_field_list_array(out, "brick", DEW_FIELD_U64, 1, &s->grid->keys);
    dew_field_table_list(rows, ROW_COUNT, features_of(s), s->grid, s, out);
    dew_field_list_array(out, "target", DEW_FIELD_F64, 1, &s->targets);
    dew_field_list_array(out, "droplet", DEW_FIELD_F64, droplet, &s->droplets);
    dew_field_list_array(out, "waiting", DEW_FIELD_F64, 1, &s->waiting);
    dew_field_list_array(out, "moved", DEW_FIELD_F64, 1, &s->moved);
    dew_field_list_array(out, "pose", DEW_FIELD_F64, pose, &s->poses);
    if (s->params.has_history) {
        dew_field_list_array(out, "wet_key", DEW_FIELD_U64, 1, &s->wet_ground.keys);
        dew_field_list_array(out, "wet_place_time", DEW_FIELD_F64, 1, &s->wet_ground.times);
    }
    if (s->params.has_map) {
        dew_field_list_array(out, "touched_key", DEW_FIELD_U64, 1, &s->touched.keys);
        dew_field_list_array(out, "touched_time", DEW_FIELD_F64, 1, &s->touched.times);
    }
}

// Are the arrays as long as the grid and the scene want them?
static dew_Status check_restored(const dew_Problem *problem, dew_Liquid *liquid)
{
    DEW_TRY(dew_field_table_check(rows, ROW_COUNT, features_of(liquid), liquid->grid, liquid));
    if (liquid->waiting.count != dew_problem_inflow_count(problem))
        return dew_fail(DEW_CORRUPT, "the accounts are not those of the scene's sources");
    if (liquid->moved.count != 1)
        return dew_fail(DEW_CORRUPT, "how far the liquid has moved is not one number");
    if (liquid->poses.count != 0 && liquid->poses.count != liquid->params.solid_count)
        return dew_fail(DEW_CORRUPT, "the poses are not those of the scene's solids");
    if (liquid->params.has_history)
        DEW_TRY(dew_wet_ground_restored(&liquid->wet_ground));
    return liquid->params.has_map ? dew_wet_ground_restored(&liquid->touched) : dew_ok();
}

// The solids again; but what their cells remember is state.
static dew_Status restore_solids(const dew_Problem *problem, dew_Liquid *liquid)
{
    dew_Arena *scratch = &liquid->workspace->scratch;
    size_t size = (size_t)dew_liquid_count(liquid) * sizeof(double);
    double *kept = NULL;
    if (liquid->params.has_history) {
        kept = dew_arena_array(scratch, double, dew_liquid_count(liquid));
        if (!kept)
            return dew_no_memory(size);
        memcpy(kept, dew_grid_f64(liquid->grid, liquid->wet_time), size);
    }
    dew_Instant storage;
    DEW_TRY(dew_liquid_read_solids(problem, liquid, dew_liquid_instant(liquid, &storage),
                                   DEW_LIQUID_ALL));
    if (kept)
        memcpy(dew_grid_f64(liquid->grid, liquid->wet_time), kept, size);
    return dew_ok();
}

dew_Status dew_liquid_parameters(const dew_Problem *problem, dew_Liquid *liquid)
{
    dew_LiquidParams *params = &liquid->params;
    uint64_t hash = dew_problem_values_hash(problem);
    if (hash == liquid->values_hash)
        return dew_ok();
    for (int i = 0; i < params->solid_count && !params->has_history; i++) {
        dew_MaterialDef m = dew_problem_material(problem, NULL, i, dew_vec(0, 0, 0));
        if (m.wet_advancing_rad < m.advancing_rad)
            return dew_fail(DEW_UNSUPPORTED, "wet_advancing below advancing needs a wetting "
                                             "history, which is kept when the scene has such a "
                                             "material or event from the start");
    }
    params->sigma_N_m = dew_problem_def(problem)->liquid.surface_tension_N_m;
    for (int i = 0; i < params->solid_count; i++) {
        dew_MaterialDef m = dew_problem_material(problem, NULL, i, dew_vec(0, 0, 0));
        params->wetting[i] = dew_liquid_wetting_of(params, &m);
    }
    if (params->has_affinities) {  // fields of the grid have the angles
        dew_Status status = restore_solids(problem, liquid);
        dew_arena_clear(&liquid->workspace->scratch);
        DEW_TRY(status);
    }
    liquid->values_hash = hash;
    return dew_ok();
}

dew_Status dew_liquid_restored(const dew_Problem *problem, dew_Liquid *liquid)
{
    int64_t targets = liquid->targets.count;
    DEW_TRY(check_restored(problem, liquid));
    DEW_TRY(dew_grid_rebuild(liquid->grid));
    DEW_TRY(restore_solids(problem, liquid));
    // Numbers of drops follow from phi: finding them anew gives those that the targets are for.
    dew_Array saved = liquid->targets;
    dew_array_init(&liquid->targets, &liquid->allocator, sizeof(double));
    dew_Status status = dew_liquid_label_drops(liquid, true, &liquid->workspace->scratch);
    dew_array_deinit(&liquid->targets);
    liquid->targets = saved;
    dew_arena_clear(&liquid->workspace->scratch);
    if (status.code == DEW_OK && liquid->drops.count != targets)
        return dew_fail(DEW_CORRUPT, "%lld targets for %lld drops", (long long)targets,
                        (long long)liquid->drops.count);
    return status.code == DEW_OK ? dew_liquid_reserve(liquid) : status;
}

// ---- Measurements -------------------------------------------------------------------------------

// Integrals over the liquid, the free surface and the contact line, from phi itself.
//
// Contact angle: on a sphere the cosine between the normals of surface and wall is linear in the
// height above the wall. It is taken at 1.5 and 3 cells and extrapolated to the wall (nearer, a
// pinned line bends phi by 3 degrees). In thinner liquid it is the slope of phi along the wall's
// normal, from the parabola through h/2, 3h/2 and 5h/2. Weights: the wall's area in each cell times
// a bump of one cell's width around phi = 0 at the wall.

#define STEEPEST 1.2   // slope of phi beyond which it is no distance
#define SOUGHT   5     // steps along a wall to the surface
#define LEVEL    0.99  // cosine of a normal that counts as upright

enum { VOLUME, AREA, KINETIC, X, Y, Z, VX, VY, VZ, WET, LINE, ANGLE, SUM_COUNT };

typedef struct Work {
    const dew_Liquid *liquid;
    const double *phi, *solid;
    const int32_t *drop;  // cells of none hold no liquid, whatever the plane through them says
    const double *u[3];
    const double *fraction, *area;
    double *sums;                      // SUM_COUNT per brick
    double *top, *speed, *low, *high;  // per brick
} Work;

// ---- cells -------------------------------------------------------------------------------------

static double face_above(const Work *w, int32_t b, int n, int axis)
{
    int c[3] = {n & 7, n >> 3 & 7, n >> 6};
    c[axis]++;
    int64_t at = dew_grid_near(w->liquid->grid, b, c[0], c[1], c[2]);
    return at < 0 ? w->u[axis][(int64_t)b * w->liquid->grid->brick_cells + n] : w->u[axis][at];
}

static dew_Vec3 velocity_of(const Work *w, int32_t b, int n)
{
    int64_t at = (int64_t)b * w->liquid->grid->brick_cells + n;
    double v[3] = {0, 0, 0};
    for (int a = 0; a < dew_grid_axes(w->liquid->grid); a++)
        v[a] = 0.5 * (w->u[a][at] + face_above(w, b, n, a));
    return dew_vec(v[0], v[1], v[2]);
}

static void add_cell(const Work *w, int32_t b, int n, double *sum)
{
    int64_t at = (int64_t)b * w->liquid->grid->brick_cells + n;
    double volume = dew_liquid_cell_m3(w->liquid) * w->fraction[at];
    dew_Vec3 x = dew_grid_position(w->liquid->grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
    dew_Vec3 v = velocity_of(w, b, n);
    sum[VOLUME] += volume;
    sum[AREA] += w->area[at];
    sum[KINETIC] += 0.5 * volume * dew_length2(v);
    sum[X] += volume * x.x;
    sum[Y] += volume * x.y;
    sum[Z] += volume * x.z;
    sum[VX] += volume * v.x;
    sum[VY] += volume * v.y;
    sum[VZ] += volume * v.z;
    double speed = dew_length(v);  // NaN must be seen
    if (w->phi[at] < 0)
        w->speed[b] = speed <= w->speed[b] ? w->speed[b] : speed;
}

// Height of the surface near a cell that it cuts: of the closest point, and where it is nearly
// level there of the top of the ball that fits.
static void note_top(const Work *w, int32_t b, int n, const double *tile)
{
    const dew_Grid *grid = w->liquid->grid;
    const int y = DEW_BRICK + 2, z = y * y;
    int64_t at = (int64_t)b * grid->brick_cells + n;
    if (!(w->area[at] > 0) || (w->solid && w->solid[at] < 0))
        return;
    const double *p = tile + dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
    double g[3] = {p[1] - p[-1], p[y] - p[-y], p[z] - p[-z]};
    double length = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    double height = dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL).y;
    if (!(length > 0))
        return;
    double level = g[1] / length, h = grid->cell_m;
    height -= p[0] * level;
    double bend = (p[1] + p[-1] + p[y] + p[-y] + p[z] + p[-z] - 6 * p[0]) / (h * h);
    if (level > LEVEL && bend * h > 1e-3)
        height += (1 - level) * ((grid->dimensions - 1) / bend - p[0]);
    w->top[b] = fmax(w->top[b], height);
}

// ---- the contact line --------------------------------------------------------------------------

// phi in cells and its slope, by cubics at p, in samples of the brick.
static bool sample(const dew_Liquid *liquid, int32_t brick, dew_Vec3 p, double *value,
                   dew_Vec3 *slope)
{
    const dew_Grid *grid = liquid->grid;
    double x[3] = {p.x, p.y, grid->depth == 1 ? 0 : p.z};
    int base[3] = {(int)floor(x[0]), (int)floor(x[1]), (int)floor(x[2])};
    dew_CubicCell cell;
    dew_CubicJet jet;
    for (int a = 0; a < 3; a++)
        if (base[a] < -6 || base[a] > 12)
            return false;
    if (!dew_cubic_gather(grid, dew_liquid_phi(liquid), brick, base, &cell))
        return false;
    dew_cubic_jet(&cell, x, &jet);
    *value = jet.f / grid->cell_m;
    *slope = dew_scale(1 / grid->cell_m, dew_vec(jet.g[0], jet.g[1], jet.g[2]));
    return true;
}

// Cosine of the surface's normal with N where the surface passes beside p, at the same height.
// False: it does not.
static bool cosine_beside(const dew_Liquid *liquid, int32_t brick, dew_Vec3 p, dew_Vec3 N,
                          double *cosine)
{
    for (int n = 0; n < SOUGHT; n++) {
        double phi;
        dew_Vec3 slope;
        if (!sample(liquid, brick, p, &phi, &slope))
            return false;
        *cosine = dew_inner(slope, N) / dew_length(slope);
        if (fabs(phi) < DEW_LIQUID_MIN_LENGTH)
            return true;
        dew_Vec3 along = dew_add_scaled(slope, -dew_inner(slope, N), N);
        if (!(dew_length2(along) > DEW_LIQUID_MIN_SLOPE2))
            return false;
        p = dew_add_scaled(p, -phi / dew_length2(along), along);
    }
    return false;
}

bool dew_liquid_angle(const dew_Liquid *liquid, int32_t brick, dew_Vec3 wall, dew_Vec3 N,
                      double *at_wall, double *angle_rad)
{
    double phi[3], low, high;
    dew_Vec3 slope;
    for (int i = 0; i < 3; i++)
        if (!sample(liquid, brick, dew_add_scaled(wall, 0.5 + i, N), &phi[i], &slope))
            return false;
    *at_wall = (15 * phi[0] - 10 * phi[1] + 3 * phi[2]) / 8;
    *angle_rad = (double)NAN;
    if (!(fabs(*at_wall) < 1))
        return true;
    double cosine = -2 * phi[0] + 3 * phi[1] - phi[2];
    if (cosine_beside(liquid, brick, dew_add_scaled(wall, DEW_LIQUID_SHELL, N), N, &low) &&
        cosine_beside(liquid, brick, dew_add_scaled(wall, 2 * DEW_LIQUID_SHELL, N), N, &high))
        cosine = low - DEW_LIQUID_SHELL * (high - low) / DEW_LIQUID_SHELL;
    if (fabs(cosine) < STEEPEST)
        *angle_rad = acos(fmax(-1, fmin(cosine, 1)));
    return true;
}

// One cell beside a wall: what of it is wet, and the angle where the contact line passes.
static void add_wall(const Work *w, int32_t b, int n, const double *solid_tile, double *sum)
{
    const dew_Grid *grid = w->liquid->grid;
    const int y = DEW_BRICK + 2, z = y * y;
    double h = grid->cell_m, at_wall, angle;
    const double *t = solid_tile + dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
    double d = t[0] / h;
    dew_Vec3 N = dew_normalize(dew_vec(t[1] - t[-1], t[y] - t[-y], t[z] - t[-z]));
    // Each cell stands for the wall below it: the layer of cells nearest to it counts once.
    double along = fabs(N.x) + fabs(N.y) + fabs(N.z);
    double largest = fmax(fabs(N.x), fmax(fabs(N.y), fabs(N.z)));
    int32_t id = ((const int32_t *)dew_grid_field(
        grid, w->liquid->solid_id))[(int64_t)b * grid->brick_cells + n];
    if (!(d > 0 && d <= largest) || along <= 0 || id >= w->liquid->params.solid_count)
        return;  // nozzles are no walls
    double wall_m2 = h * h / largest;
    dew_Vec3 x = dew_vec(n & 7, n >> 3 & 7, n >> 6);
    if (!dew_liquid_angle(w->liquid, b, dew_add_scaled(x, -d, N), N, &at_wall, &angle))
        return;
    sum[WET] += wall_m2 * fmax(0, fmin(0.5 - at_wall, 1));
    if (isnan(angle))
        return;
    double weight = wall_m2 * (1 + cos(DEW_PI * at_wall)) * sin(angle);
    sum[LINE] += weight;
    sum[ANGLE] += weight * angle;
    if (fabs(at_wall) < 0.5) {
        w->low[b] = fmin(w->low[b], angle);
        w->high[b] = fmax(w->high[b], angle);
    }
}

// ---- sums --------------------------------------------------------------------------------------

static dew_Status measure_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->liquid->grid;
    double phi[DEW_TILE_SIZE(1)], solid[DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        double *sum = w->sums + SUM_COUNT * b;
        bool has_walls = false;
        w->top[b] = w->high[b] = -HUGE_VAL;
        w->low[b] = HUGE_VAL;
        dew_tile_load_cross(grid, w->phi, (int32_t)b, 1, phi);
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = b * grid->brick_cells + n;
            if (w->drop[at] >= 0 && (w->fraction[at] > 0 || w->area[at] > 0))
                add_cell(w, (int32_t)b, n, sum);
            note_top(w, (int32_t)b, n, phi);
            has_walls |= w->solid && w->solid[at] > 0 && w->solid[at] < grid->cell_m;
        }
        if (!has_walls)
            continue;
        dew_tile_load_cross(grid, w->solid, (int32_t)b, 1, solid);
        for (int n = 0; n < grid->brick_cells; n++)
            if (w->phi[b * grid->brick_cells + n] < 2 * grid->cell_m)
                add_wall(w, (int32_t)b, n, solid, sum);
    }
    return dew_ok();
}

static double total(const Work *w, int which)
{
    dew_ExactSum sum;
    dew_exact_init(&sum);
    for (int32_t b = 0; b < w->liquid->grid->brick_count; b++)
        dew_exact_add(&sum, w->sums[SUM_COUNT * b + which]);
    return dew_exact_round(&sum);
}

// Sub-grid droplets count as the balls that they are.
static void add_droplets(const dew_Liquid *liquid, const dew_Instant *instant, dew_Measure *out)
{
    double rho = liquid->params.rho_kg_m3;
    for (int64_t i = 0; i < liquid->droplets.count; i++) {
        const dew_SubgridDroplet *droplet = &DEW_ITEMS(&liquid->droplets, dew_SubgridDroplet)[i];
        double volume = droplet->volume_m3, fraction = volume / (out->volume_m3 + volume);
        double speed = dew_length(droplet->velocity_m_s);
        out->volume_m3 += volume;
        out->center_m = dew_combine(1 - fraction, out->center_m, fraction, droplet->position_m);
        out->velocity_m_s =
            dew_combine(1 - fraction, out->velocity_m_s, fraction, droplet->velocity_m_s);
        out->kinetic_J += 0.5 * rho * volume * speed * speed;
        out->gravity_J -= rho * volume * dew_inner(instant->gravity_m_s2, droplet->position_m);
        out->max_speed_m_s = speed <= out->max_speed_m_s ? out->max_speed_m_s : speed;
    }
    out->drops += liquid->droplets.count;
}

static void fill(const Work *w, const dew_Instant *instant, dew_Measure *out)
{
    const dew_LiquidParams *params = &w->liquid->params;
    double low = HUGE_VAL, high = -HUGE_VAL, top = -HUGE_VAL;
    out->volume_m3 = total(w, VOLUME);
    out->area_m2 = total(w, AREA);
    out->kinetic_J = params->rho_kg_m3 * total(w, KINETIC);
    out->surface_J = params->sigma_N_m * out->area_m2;
    out->contact_area_m2 = total(w, WET);
    dew_Vec3 place = dew_vec(total(w, X), total(w, Y), total(w, Z));
    out->gravity_J = -params->rho_kg_m3 * dew_inner(instant->gravity_m_s2, place);
    if (out->volume_m3 > 0) {
        double fraction = 1 / out->volume_m3;
        out->center_m = dew_scale(fraction, place);
        out->velocity_m_s = dew_scale(fraction, dew_vec(total(w, VX), total(w, VY), total(w, VZ)));
    }
    for (int32_t b = 0; b < w->liquid->grid->brick_count; b++) {
        top = fmax(top, w->top[b]);
        low = fmin(low, w->low[b]);
        high = fmax(high, w->high[b]);
        double speed = w->speed[b];
        out->max_speed_m_s = speed <= out->max_speed_m_s ? out->max_speed_m_s : speed;
    }
    if (isfinite(top))
        out->top_m = top;
    double line = total(w, LINE);
    if (line > 0 && low <= high) {
        out->contact_angle_rad = total(w, ANGLE) / line;
        out->contact_angle_min_rad = low;
        out->contact_angle_max_rad = high;
    }
}

// Memory of a measure, all in one: shares, areas, sums and extremes by brick.
static double *take_memory(const dew_Liquid *liquid)
{
    int64_t values = 2 * dew_liquid_count(liquid) + (SUM_COUNT + 4) * liquid->grid->brick_count;
    return dew_arena_array(&liquid->workspace->scratch, double, values);
}

dew_Status dew_liquid_reserve(const dew_Liquid *liquid)
{
    dew_arena_clear(&liquid->workspace->scratch);
    double *memory = take_memory(liquid);
    dew_arena_clear(&liquid->workspace->scratch);
    return memory ? dew_ok() : dew_no_memory((size_t)dew_liquid_count(liquid) * 2 * sizeof *memory);
}

static dew_Status measure(const dew_Liquid *liquid, const dew_Instant *instant, double *memory,
                          dew_Measure *out)
{
    int64_t count = dew_liquid_count(liquid), bricks = liquid->grid->brick_count;
    double *fraction = memory, *area = memory + count;
    Work w = {.liquid = liquid,
              .phi = dew_liquid_phi(liquid),
              .solid = dew_liquid_solid(liquid),
              .drop = dew_grid_field(liquid->grid, liquid->drop),
              .fraction = fraction,
              .area = area,
              .sums = area + count};
    for (int a = 0; a < liquid->grid->dimensions; a++)
        w.u[a] = dew_grid_f64(liquid->grid, liquid->u[a]);
    w.top = w.sums + SUM_COUNT * bricks;
    w.speed = w.top + bricks;
    w.low = w.speed + bricks;
    w.high = w.low + bricks;
    DEW_TRY(dew_liquid_volume_fractions(liquid, fraction, area));
    DEW_TRY(dew_grid_for(liquid->grid, measure_chunk, &w));
    fill(&w, instant, out);
    add_droplets(liquid, instant, out);
    return dew_ok();
}

void dew_liquid_measure(const dew_Problem *problem, const dew_Liquid *liquid,
                        const dew_Instant *instant, dew_Measure *out)
{
    (void)problem;
    const double none = (double)NAN;
    *out = (dew_Measure){.top_m = none,
                         .contact_angle_rad = none,
                         .contact_angle_min_rad = none,
                         .contact_angle_max_rad = none,
                         .drops = liquid->drops.count,
                         .elements = dew_liquid_count(liquid)};
    double *memory = take_memory(liquid);  // reserved by what came before
    if (!memory || measure(liquid, instant, memory, out).code != DEW_OK)
        out->max_speed_m_s = none;  // World does not take the step
    dew_arena_clear(&liquid->workspace->scratch);
}
