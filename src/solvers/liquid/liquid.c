// Liquid on bricks: making it, the longest step, its fields. What happens in a step is in the other files.
#include "solvers/liquid/liquid.h"

#include "base/status.h"
#include "base/sum.h"
#include "grid/velocity.h"
#include "wetting/contact_angle.h"

#include <string.h>

#define WET_TIME "wet_time"  // the field of the cells' memory

// ---- making ------------------------------------------------------------------------------------

dew_LiquidWetting dew_liquid_wetting_of(const dew_MaterialDef *material)
{
    dew_AngleInterval dry = dew_contact_interval(material, 0);
    dew_AngleInterval wet = dew_contact_interval(material, 1);
    return (dew_LiquidWetting){.receding = cos(dry.receding_rad),
                               .advancing = cos(dry.advancing_rad),
                               .wet_advancing = cos(wet.advancing_rad),
                               .dries_after_s = material->dries_after_s,
                               .max_receding_N_m = material->max_receding_tension_N_m,
                               .slip_m = material->slip_m};
}

// What one solid's material says. Where affinities vary this is one place of it.
static void read_solid(const dew_Problem *problem, dew_Liquid *liquid, int i,
                       dew_LiquidWetting *wetting)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    dew_LiquidLaws *laws = &liquid->laws;
    dew_MaterialDef m = dew_problem_material(problem, NULL, i, dew_vec(0, 0, 0));
    const dew_SolidDef *def = i < dew_scene_solid_count(scene) ? dew_scene_solid(scene, i) : NULL;
    bool has_map = def && def->affinity_map;
    *wetting = dew_liquid_wetting_of(&m);
    laws->has_affinities |= has_map;
    laws->has_history |= has_map || wetting->wet_advancing > wetting->advancing;
    laws->has_slips |= i > 0 && m.slip_m != laws->slip_m;
    laws->slip_m = m.slip_m;
}

// A solver that has a liquid among its parts writes its fields with a prefix (splash: skin_).
static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), of_end = strlen(end);
    return length >= of_end && strcmp(name + length - of_end, end) == 0;
}

// Angles may change on the way, but not which fields there are: those of the state before, and those that
// some event will want.
static bool will_remember(const dew_Problem *problem, const dew_FieldList *replaced)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    for (int i = 0; replaced && i < replaced->count; i++)
        if (ends_with(replaced->field[i].name, WET_TIME))
            return true;
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
    dew_LiquidLaws *laws = &liquid->laws;
    laws->solid_count = dew_problem_solid_count(problem);
    DEW_TRY(dew_liquid_inflows_create(problem, liquid));
    int count = laws->solid_count + laws->nozzle_count;
    dew_LiquidWetting *wetting = dew_arena_array(&liquid->constants, dew_LiquidWetting, count);
    uint8_t *is_moving = dew_arena_array(&liquid->constants, uint8_t, count);
    if (!wetting || !is_moving)
        return dew_no_memory((size_t)count * sizeof *wetting);
    bool has_moving = false;
    for (int i = 0; i < laws->solid_count; i++) {
        read_solid(problem, liquid, i, &wetting[i]);
        is_moving[i] = dew_problem_solid_is_moving(problem, i);
        has_moving |= is_moving[i];
    }
    for (int i = laws->solid_count; i < count; i++) {
        wetting[i] = (dew_LiquidWetting){.is_kept = true, .slip_m = laws->slip_m};
        is_moving[i] = true;
    }
    laws->wetting = wetting;
    laws->is_moving = is_moving;
    laws->has_solids = count > 0;
    laws->has_map &= laws->has_solids;
    laws->has_motion = has_moving || laws->nozzle_count > 0;
    if (!has_moving)
        return dew_ok();
    DEW_TRY(dew_array_resize(&liquid->poses, laws->solid_count));
    dew_problem_poses(problem, 0, liquid->poses.data);
    return dew_ok();
}

static dew_Status make_grid(const dew_Problem *problem, dew_Liquid *liquid)
{
    const dew_SceneDef *scene = dew_problem_def(problem);
    dew_GridDef def = dew_default_grid_def();
    double counts[3], h = scene->domain.cell_m;
    dew_scene_cell_counts(dew_problem_scene(problem), counts);
    def.dimensions = scene->dimensions;
    def.cell_m = h;
    def.origin_m = scene->domain.min_m;
    if (def.dimensions == 2)
        def.origin_m.z = 0.5 * (scene->domain.min_m.z + scene->domain.max_m.z) - 0.5 * h;
    for (int a = 0; a < 3; a++) {
        if (counts[a] > 1 << 20)
            return dew_fail(DEW_UNSUPPORTED, "%g cells along one side of the domain (at most 2^20)",
                            counts[a]);
        def.cell_max[a] = (int32_t)counts[a];
    }
    for (int side = 0; side < DEW_SIDE_COUNT; side++)
        def.margin =
            (int32_t)fmax(def.margin, fmin(ceil(liquid->laws.margin_m[side] / h) + 4, 1 << 16));
    def.tasks = liquid->tasks;
    def.allocator = liquid->allocator;
    return dew_grid_create(&def, &liquid->grid);
}

static dew_Status make_wall_fields(dew_Liquid *s)
{
    static const char *const open[3] = {"open_x", "open_y", "open_z"};
    static const char *const wall_u[3] = {"wall_u", "wall_v", "wall_w"};
    static const char *const material[5] = {"receding", "advancing", "wet_advancing", "dries_after",
                                            "max_receding"};
    dew_Grid *g = s->grid;
    int32_t none = DEW_INVALID;
    const double never = DEW_LIQUID_NEVER;
    const size_t f64 = sizeof(double), i32 = sizeof(int32_t);
    DEW_TRY(dew_grid_add_field(g, "solid", DEW_AT_CELL, f64, NULL, &s->solid));
    DEW_TRY(dew_grid_add_field(g, "room", DEW_AT_CELL, f64, NULL, &s->room));
    DEW_TRY(dew_grid_add_field(g, "solid_id", DEW_AT_CELL, i32, &none, &s->solid_id));
    DEW_TRY(dew_grid_add_field(g, "edge", DEW_AT_CELL, sizeof(dew_LiquidEdge), NULL, &s->edge));
    for (int a = 0; a < dew_grid_axes(g); a++) {
        dew_Place face = (dew_Place)(DEW_AT_FACE_X + a);
        DEW_TRY(dew_grid_add_field(g, open[a], face, f64, NULL, &s->open[a]));
        if (s->laws.has_motion)
            DEW_TRY(dew_grid_add_field(g, wall_u[a], face, f64, NULL, &s->wall_u[a]));
    }
    if (s->laws.has_slips)
        DEW_TRY(dew_grid_add_field(g, "slip", DEW_AT_CELL, f64, NULL, &s->slip));
    for (int k = 0; s->laws.has_affinities && k < 5; k++)
        DEW_TRY(dew_grid_add_field(g, material[k], DEW_AT_CELL, f64, NULL, &s->material[k]));
    return s->laws.has_history
               ? dew_grid_add_field(g, WET_TIME, DEW_AT_CELL, f64, &never, &s->wet_time)
               : dew_ok();
}

static dew_Status make_fields(dew_Liquid *s)
{
    static const char *const u[3] = {"u", "v", "w"};
    dew_Grid *g = s->grid;
    double far_m = DEW_LIQUID_BAND * g->cell_m;
    int32_t none = DEW_INVALID;
    const size_t f64 = sizeof(double), i32 = sizeof(int32_t);
    DEW_TRY(dew_grid_add_field(g, "phi", DEW_AT_CELL, f64, &far_m, &s->phi));
    DEW_TRY(dew_grid_add_field(g, "p", DEW_AT_CELL, f64, NULL, &s->p));
    DEW_TRY(dew_grid_add_field(g, "drop", DEW_AT_CELL, i32, &none, &s->drop));
    for (int a = 0; a < dew_grid_axes(g); a++)
        DEW_TRY(dew_grid_add_field(g, u[a], (dew_Place)(DEW_AT_FACE_X + a), f64, NULL, &s->u[a]));
    return s->laws.has_solids ? make_wall_fields(s) : dew_ok();
}

static dew_Status make_parts(const dew_Problem *problem, const dew_FieldList *replaced,
                             dew_Liquid *liquid)
{
    liquid->tools = dew_alloc(&liquid->allocator, 1, sizeof *liquid->tools);
    if (!liquid->tools)
        return dew_no_memory(sizeof *liquid->tools);
    dew_poisson_init(&liquid->tools->poisson, &liquid->allocator);
    dew_arena_init(&liquid->tools->scratch, &liquid->allocator);
    dew_array_init(&liquid->tools->pieces, &liquid->allocator, sizeof(dew_LevelsetDrop));
    DEW_TRY(make_grid(problem, liquid));
    DEW_TRY(read_walls(problem, liquid));
    liquid->laws.has_history |= liquid->laws.has_solids && will_remember(problem, replaced);
    return make_fields(liquid);
}

bool dew_liquid_is_chosen(const dew_Problem *problem, const char *knob, const char *choice)
{
    return strcmp(dew_scene_knob_choice(dew_problem_scene(problem), knob), choice) == 0;
}

dew_LiquidLaws dew_liquid_laws(const dew_Problem *problem)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    const dew_SceneDef *def = dew_problem_def(problem);
    dew_LiquidLaws laws = {
        .rho_kg_m3 = def->liquid.density_kg_m3,
        .mu_Pa_s = def->liquid.viscosity_Pa_s,
        .sigma_N_m = def->liquid.surface_tension_N_m,
        .tension_factor = dew_scene_knob_number(scene, "tension_factor"),
        .cfl = dew_scene_knob_number(scene, "cfl"),
        .tolerance = dew_scene_knob_number(scene, "tolerance"),
        .corrections = (int)lround(dew_scene_knob_number(scene, "corrections")),
        .is_remembered = true,
        .has_map = def->output.wetmap,
    };
    dew_liquid_margins(problem, &laws, def->domain.cell_m);
    return laws;
}

dew_Status dew_liquid_create(const dew_Problem *problem, const dew_CreateDef *def,
                             const dew_LiquidLaws *laws, dew_Liquid *liquid)
{
    *liquid = (dew_Liquid){.laws = *laws, .allocator = def->allocator, .tasks = def->tasks};
    dew_array_init(&liquid->targets, &liquid->allocator, sizeof(double));
    dew_array_init(&liquid->drops, &liquid->allocator, sizeof(dew_LiquidDrop));
    dew_array_init(&liquid->motes, &liquid->allocator, sizeof(dew_LiquidMote));
    dew_array_init(&liquid->poses, &liquid->allocator, sizeof(dew_SolidPose));
    dew_array_init(&liquid->waiting, &liquid->allocator, sizeof(double));
    double cube_m = dew_problem_def(problem)->domain.cell_m;
    dew_wet_ground_init(&liquid->wet_ground, &liquid->allocator, cube_m);
    dew_wet_ground_init(&liquid->touched, &liquid->allocator, cube_m);
    dew_arena_init(&liquid->constants, &liquid->allocator);
    return make_parts(problem, def->replaced, liquid);
}

void dew_liquid_destroy(dew_Liquid *liquid)
{
    if (liquid->tools) {
        dew_poisson_deinit(&liquid->tools->poisson);
        dew_arena_deinit(&liquid->tools->scratch);
        dew_array_deinit(&liquid->tools->pieces);
        dew_free(&liquid->allocator, liquid->tools, sizeof *liquid->tools);
    }
    dew_grid_destroy(liquid->grid);
    dew_wet_ground_deinit(&liquid->wet_ground);
    dew_wet_ground_deinit(&liquid->touched);
    dew_array_deinit(&liquid->poses);
    dew_array_deinit(&liquid->waiting);
    dew_array_deinit(&liquid->motes);
    dew_array_deinit(&liquid->targets);
    dew_array_deinit(&liquid->drops);
    dew_arena_deinit(&liquid->constants);
}

// ---- step length -------------------------------------------------------------------------------

// The way in a step: v dt + g dt^2 / 2 <= cfl h, solved in the form that does not cancel.
static double cfl_step(double way, double speed, double g)
{
    double root = speed + sqrt(speed * speed + 2 * g * way);
    return root > 0 ? 2 * way / root : (double)INFINITY;
}

typedef struct Fastest {
    const dew_Liquid *liquid;
    const double *u[3];
    double *speed;  // per brick
} Fastest;

// The larger of a cell's two faces along each axis, added up: phi is carried stably by so much of a cell.
static double cell_speed(const double *const tiles[3], int at, int axes)
{
    static const int stride[3] = {1, DEW_BRICK + 2, (DEW_BRICK + 2) * (DEW_BRICK + 2)};
    double sum = 0;
    for (int a = 0; a < axes; a++)
        sum += fmax(fabs(tiles[a][at]), fabs(tiles[a][at + stride[a]]));
    return sum;
}

static dew_Status fastest_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Fastest *w = context;
    const dew_Grid *grid = w->liquid->grid;
    double tile[3][DEW_TILE_SIZE(1)], reach = (DEW_LIQUID_REACH + 1) * grid->cell_m;
    const double *const tiles[3] = {tile[0], tile[1], tile[2]};
    for (int64_t b = begin; b < end; b++) {
        const double *phi = dew_liquid_phi(w->liquid) + b * grid->brick_cells;
        double most = 0;
        for (int a = 0; a < dew_grid_axes(grid); a++)
            dew_tile_load_cross(grid, w->u[a], (int32_t)b, 1, tile[a]);
        for (int n = 0; n < grid->brick_cells; n++)
            if (phi[n] < reach)
                most = fmax(most, cell_speed(tiles, dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6),
                                             dew_grid_axes(grid)));
        w->speed[b] = most;
    }
    return dew_ok();
}

// Of the cells that matter to the surface: no liquid, and no wall beside it, is faster (the components' sum).
static double fastest(const dew_Liquid *liquid, const int field[3])
{
    dew_Grid *grid = liquid->grid;
    dew_Arena *scratch = &liquid->tools->scratch;
    dew_ArenaMark mark = dew_arena_mark(scratch);
    Fastest work = {.liquid = liquid,
                    .speed = dew_arena_raw_array(scratch, double, grid->brick_count)};
    for (int a = 0; a < grid->dimensions; a++)
        work.u[a] = dew_grid_f64(grid, field[a]);
    if (!work.speed) {  // all cells, each axis on its own
        dew_Vec3 v = dew_velocity_max(grid, work.u);
        return v.x + v.y + v.z;
    }
    dew_grid_for(grid, fastest_chunk, &work);
    double most = dew_max_abs(grid->tasks, work.speed, grid->brick_count);
    dew_arena_rewind(scratch, mark);
    return most;
}

double dew_liquid_step_at(const dew_Liquid *liquid, const dew_Moment *moment, double speed_m_s,
                          const char **bound)
{
    const dew_LiquidLaws *laws = &liquid->laws;
    dew_Vec3 g = moment->gravity_m_s2;
    double h = liquid->grid->cell_m,
           step = cfl_step(laws->cfl * h, speed_m_s, fabs(g.x) + fabs(g.y) + fabs(g.z));
    *bound = step < (double)INFINITY ? "cfl" : NULL;
    if (laws->sigma_N_m > 0) {
        double capillary = laws->tension_factor *
                           sqrt(laws->rho_kg_m3 * h * h * h / (2 * DEW_PI * laws->sigma_N_m));
        if (capillary < step) {
            step = capillary;
            *bound = "capillary";
        }
    }
    return step;
}

double dew_liquid_step_when_turning(const dew_Liquid *liquid, const dew_Moment *moment,
                                    double speed_m_s, const char **bound)
{
    return dew_liquid_step_at(liquid, moment, dew_grid_axes(liquid->grid) * speed_m_s, bound);
}

double dew_liquid_max_step(const dew_Problem *problem, const dew_Liquid *liquid,
                           const dew_Moment *moment, const char **bound)
{
    double inflow = dew_liquid_inflow_speed(problem, moment->time_s);
    *bound = NULL;
    if (liquid->drops.count == 0 && !(inflow > 0))
        return (double)INFINITY;
    double speed = fmax(fastest(liquid, liquid->u), inflow);
    if (liquid->laws.has_motion)
        speed = fmax(speed, fastest(liquid, liquid->wall_u));
    return dew_liquid_step_at(liquid, moment, speed, bound);
}

// ---- fields ------------------------------------------------------------------------------------

static void add_grid_field(const dew_Grid *grid, int field, dew_FieldList *out)
{
    dew_GridField *f = &DEW_ITEMS(&grid->fields, dew_GridField)[field];
    out->field[out->count++] = (dew_Field){.name = f->name,
                                           .type = DEW_FIELD_F64,
                                           .components = grid->brick_cells,
                                           .array = &f->bricks};
}

static void add_array(dew_FieldList *out, const char *name, dew_FieldType type, int components,
                      dew_Array *array)
{
    out->field[out->count++] =
        (dew_Field){.name = name, .type = type, .components = components, .array = array};
}

void dew_liquid_fields(dew_Liquid *s, dew_FieldList *out)
{
    const int pose = sizeof(dew_SolidPose) / sizeof(double);
    add_array(out, "brick", DEW_FIELD_U64, 1, &s->grid->keys);
    add_grid_field(s->grid, s->phi, out);
    add_grid_field(s->grid, s->p, out);
    for (int a = 0; a < s->grid->dimensions; a++)
        add_grid_field(s->grid, s->u[a], out);
    if (s->laws.has_history)
        add_grid_field(s->grid, s->wet_time, out);
    add_array(out, "target", DEW_FIELD_F64, 1, &s->targets);
    add_array(out, "mote", DEW_FIELD_F64, sizeof(dew_LiquidMote) / sizeof(double), &s->motes);
    add_array(out, "waiting", DEW_FIELD_F64, 1, &s->waiting);
    add_array(out, "pose", DEW_FIELD_F64, pose, &s->poses);
    if (s->laws.has_history) {
        add_array(out, "wet_key", DEW_FIELD_U64, 1, &s->wet_ground.keys);
        add_array(out, "wet_place_time", DEW_FIELD_F64, 1, &s->wet_ground.times);
    }
    if (s->laws.has_map) {
        add_array(out, "touched_key", DEW_FIELD_U64, 1, &s->touched.keys);
        add_array(out, "touched_time", DEW_FIELD_F64, 1, &s->touched.times);
    }
}

// Are the arrays as long as the grid and the scene want them?
static dew_Status check_restored(const dew_Problem *problem, dew_Liquid *liquid)
{
    dew_FieldList list = {.count = 0};
    dew_liquid_fields(liquid, &list);
    int fields = 2 + liquid->grid->dimensions + liquid->laws.has_history;
    for (int i = 1; i <= fields; i++)
        if (list.field[i].array->count != liquid->grid->keys.count)
            return dew_fail(DEW_CORRUPT, "field %s has not as many bricks as the grid",
                            list.field[i].name);
    if (liquid->waiting.count != dew_problem_inflow_count(problem))
        return dew_fail(DEW_CORRUPT, "the accounts are not those of the scene's sources");
    if (liquid->poses.count != 0 && liquid->poses.count != liquid->laws.solid_count)
        return dew_fail(DEW_CORRUPT, "the poses are not those of the scene's solids");
    if (liquid->laws.has_history)
        DEW_TRY(dew_wet_ground_restored(&liquid->wet_ground));
    return liquid->laws.has_map ? dew_wet_ground_restored(&liquid->touched) : dew_ok();
}

// The solids again; but what their cells remember is state.
static dew_Status restore_solids(const dew_Problem *problem, dew_Liquid *liquid)
{
    dew_Arena *scratch = &liquid->tools->scratch;
    size_t size = (size_t)dew_liquid_count(liquid) * sizeof(double);
    double *kept = NULL;
    if (liquid->laws.has_history) {
        kept = dew_arena_array(scratch, double, dew_liquid_count(liquid));
        if (!kept)
            return dew_no_memory(size);
        memcpy(kept, dew_grid_f64(liquid->grid, liquid->wet_time), size);
    }
    dew_Moment room;
    DEW_TRY(
        dew_liquid_read_solids(problem, liquid, dew_liquid_moment(liquid, &room), DEW_LIQUID_ALL));
    if (kept)
        memcpy(dew_grid_f64(liquid->grid, liquid->wet_time), kept, size);
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
    dew_Status status = dew_liquid_find_drops(liquid, true, &liquid->tools->scratch);
    dew_array_deinit(&liquid->targets);
    liquid->targets = saved;
    dew_arena_clear(&liquid->tools->scratch);
    if (status.code == DEW_OK && liquid->drops.count != targets)
        return dew_fail(DEW_CORRUPT, "%lld targets for %lld drops", (long long)targets,
                        (long long)liquid->drops.count);
    return status.code == DEW_OK ? dew_liquid_reserve(liquid) : status;
}

dew_GridView dew_liquid_view(const dew_Liquid *liquid)
{
    dew_GridView view = {.grid = liquid->grid,
                         .phi = dew_liquid_phi(liquid),
                         .far_m = DEW_LIQUID_BAND * liquid->grid->cell_m};
    for (int a = 0; a < liquid->grid->dimensions; a++)
        view.u[a] = dew_grid_f64(liquid->grid, liquid->u[a]);
    return view;
}
