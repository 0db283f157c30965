// A level set in a prescribed flow: the object of dew/grid.h.
//
// Order of a step: active bricks are updated; markers and phi move; markers correct phi; phi is
// redistanced; markers correct it again; radii are adjusted [Enright2002]. The velocity is sampled
// on faces, as a solver would have it.
#include "base/clock.h"
#include "base/cookie.h"
#include "base/status.h"
#include "base/sum.h"
#include "dew/geometry.h"
#include "grid/field_view.h"
#include "grid/particles.h"

#include <math.h>
#include <string.h>

#define ADVECTED 0.999  // part of the band in which phi is advected: its edge is clamped
#define CURVED   2.0    // cells from the surface within which curvature is computed

// Stages of a step, in its order.
enum {
    BRICKS,
    VELOCITY,
    MOVE_MARKERS,
    ADVECT,
    CORRECT,
    REDISTANCE,
    CORRECT_AGAIN,
    RADII,
    SEED,
    STAGES
};

struct dew_LevelSet {
    dew_LevelSetDef def;
    dew_Tasks *tasks;
    dew_Grid *grid;
    dew_Arena scratch;
    dew_Markers markers;
    dew_Array drops;                                // dew_LevelSetDrop
    dew_Array drop_of;                              // int32_t: number of each cell's piece
    bool are_drops_known;                           // as of phi and the bricks now
    int phi, u[3], curvature, normal[3], expected;  // fields of the grid
    int64_t step_count;
    bool is_timed;
    double stage_s[STAGES], began_s;  // CPU times; when the present stage began
};

dew_LevelSetDef dew_default_level_set_def(void)
{
    return (dew_LevelSetDef){.box = {.dimensions = 3},
                             .scheme = DEW_ADVECT_TRACE,
                             .reseed_steps = 20,
                             .cookie = DEW_COOKIE};
}

static double *values_of(const dew_LevelSet *s, int field)
{
    return dew_grid_f64(s->grid, field);
}

static bool has_markers(const dew_LevelSet *s)
{
    return s->def.markers_per_cell > 0;
}

// ---- making ------------------------------------------------------------------------------------

// A caller's function knows nothing of a reach.
static double field_distance(void *context, dew_Vec3 p, double reach_m)
{
    const dew_DistanceField *shape = context;
    (void)reach_m;
    return shape->distance_m(shape->context, p);
}

static dew_Status add_shape(dew_LevelSet *s, int phi, const dew_DistanceField *shape,
                            bool and_inside)
{
    return dew_levelset_add(s->grid, phi, field_distance, (void *)(uintptr_t)shape,
                            DEW_BAND_CELLS * s->grid->cell_m, and_inside, &s->scratch);
}

static dew_Status make(dew_LevelSet *s, const dew_DistanceField *shape)
{
    static const char *const names[3] = {"velocity_x", "velocity_y", "velocity_z"};
    DEW_TRY(dew_grid_create_box(&s->def.box, dew_default_grid_def().margin, &s->grid, &s->tasks));
    double far = DEW_BAND_CELLS * s->grid->cell_m;
    DEW_TRY(dew_grid_add_field(s->grid, "phi", DEW_AT_CELL, sizeof(double), &far, &s->phi));
    for (int a = 0; a < 3; a++)
        DEW_TRY(dew_grid_add_field(s->grid, names[a], (dew_Place)(DEW_AT_FACE_X + a),
                                   sizeof(double), NULL, &s->u[a]));
    if (shape)
        DEW_TRY(add_shape(s, s->phi, shape, !s->def.is_hollow));
    if (has_markers(s))
        DEW_TRY(dew_markers_seed(&s->markers, s->grid, values_of(s, s->phi), NULL, 0, &s->scratch));
    return dew_ok();
}

dew_Status dew_level_set_create(const dew_LevelSetDef *def, const dew_DistanceField *shape,
                                dew_LevelSet **out)
{
    DEW_ASSERT(def->cookie == DEW_COOKIE);
    *out = NULL;
    if (shape && !shape->distance_m)
        return dew_fail(DEW_BAD_INPUT, "a level set needs a shape");
    dew_LevelSet *s = dew_alloc(&def->box.allocator, 1, sizeof *s);
    if (!s)
        return dew_no_memory(sizeof *s);
    *s = (dew_LevelSet){.def = *def,
                        .curvature = DEW_INVALID,
                        .normal = {DEW_INVALID, DEW_INVALID, DEW_INVALID},
                        .expected = DEW_INVALID};
    dew_MarkersDef markers = dew_default_markers_def();
    markers.max_per_cell = def->markers_per_cell;
    markers.allocator = def->box.allocator;
    dew_arena_init(&s->scratch, &def->box.allocator);
    dew_array_init(&s->drops, &def->box.allocator, sizeof(dew_LevelSetDrop));
    dew_array_init(&s->drop_of, &def->box.allocator, sizeof(int32_t));
    dew_markers_init(&s->markers, &markers);
    dew_Status status = make(s, shape);
    if (status.code == DEW_OK)
        *out = s;
    else
        dew_level_set_destroy(s);
    return status;
}

void dew_level_set_destroy(dew_LevelSet *s)
{
    if (!s)
        return;
    dew_markers_deinit(&s->markers);
    dew_array_deinit(&s->drops);
    dew_array_deinit(&s->drop_of);
    dew_arena_deinit(&s->scratch);
    dew_grid_destroy(s->grid);
    dew_tasks_destroy(s->tasks);
    dew_Allocator allocator = s->def.box.allocator;
    dew_free(&allocator, s, sizeof *s);
}

typedef struct Fill {
    const dew_Grid *grid;
    const dew_DistanceField *values;
    double *out;
} Fill;

static dew_Status fill_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Fill *fill = context;
    const dew_Grid *grid = fill->grid;
    for (int64_t b = begin; b < end; b++)
        for (int n = 0; n < grid->brick_cells; n++)
            fill->out[b * grid->brick_cells + n] = fill->values->distance_m(
                fill->values->context,
                dew_grid_position(grid, (int32_t)b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL));
    return dew_ok();
}

dew_Status dew_level_set_add(dew_LevelSet *s, const dew_DistanceField *shape)
{
    s->are_drops_known = false;
    return add_shape(s, s->phi, shape, !s->def.is_hollow);
}

dew_Status dew_level_set_add_mesh(dew_LevelSet *s, const dew_MeshDistance *mesh)
{
    s->are_drops_known = false;
    return dew_levelset_add_mesh(s->grid, s->phi, mesh, DEW_BAND_CELLS * s->grid->cell_m,
                                 !s->def.is_hollow, &s->scratch);
}

double *dew_level_set_phi(dew_LevelSet *s)
{
    return values_of(s, s->phi);
}

dew_Status dew_level_set_fill(dew_LevelSet *s, const dew_DistanceField *values)
{
    s->are_drops_known = false;
    Fill fill = {s->grid, values, values_of(s, s->phi)};
    return dew_grid_for(s->grid, fill_chunk, &fill);
}

// ---- moving ------------------------------------------------------------------------------------

typedef struct Flow {
    const dew_LevelSet *s;
    const dew_VelocityField *velocity;
    double time_s;
} Flow;

// Velocities on the faces of one brick, point by point.
static void sample_faces(const Flow *flow, int32_t brick, double *const u[3])
{
    const dew_Grid *grid = flow->s->grid;
    const dew_VelocityField *velocity = flow->velocity;
    for (int a = 0; a < dew_grid_axes(grid); a++)
        for (int n = 0; n < grid->brick_cells; n++) {
            dew_Vec3 p = dew_grid_position(grid, brick, n & 7, n >> 3 & 7, n >> 6,
                                           (dew_Place)(DEW_AT_FACE_X + a));
            dew_Vec3 v = velocity->velocity_m_s(velocity->context, p, flow->time_s);
            u[a][n] = a == 0 ? v.x : a == 1 ? v.y : v.z;
        }
}

static dew_Status flow_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Flow *flow = context;
    const dew_Grid *grid = flow->s->grid;
    for (int64_t b = begin; b < end; b++) {
        double *u[3];
        for (int a = 0; a < 3; a++)
            u[a] = values_of(flow->s, flow->s->u[a]) + b * grid->brick_cells;
        dew_BrickFaces faces = {.corner_m =
                                    dew_grid_position(grid, (int32_t)b, 0, 0, 0, DEW_AT_NODE),
                                .cell_m = grid->cell_m,
                                .dimensions = grid->dimensions,
                                .size = {DEW_BRICK, DEW_BRICK, grid->depth}};
        if (flow->velocity->faces_m_s)
            flow->velocity->faces_m_s(flow->velocity->context, &faces, flow->time_s, u);
        else
            sample_faces(flow, (int32_t)b, u);
    }
    return dew_ok();
}

void dew_level_set_time_stages(dew_LevelSet *s, bool is_on)
{
    s->is_timed = is_on;
    memset(s->stage_s, 0, sizeof s->stage_s);
}

int dew_level_set_stages(const dew_LevelSet *s, dew_StageTime *stages, int max_count)
{
    static const char *const names[STAGES] = {
        [BRICKS] = "bricks",
        [VELOCITY] = "velocity",
        [MOVE_MARKERS] = "move_markers",
        [ADVECT] = "advect",
        [CORRECT] = "correct",
        [REDISTANCE] = "redistance",
        [CORRECT_AGAIN] = "correct_again",
        [RADII] = "radii",
        [SEED] = "seed",
    };
    for (int i = 0; i < STAGES && i < max_count; i++)
        stages[i] = (dew_StageTime){names[i], s->stage_s[i], true};
    return STAGES;
}

static void begin_stages(dew_LevelSet *s)
{
    if (s->is_timed)
        s->began_s = dew_cpu_s();
}

// Ends a stage: what follows belongs to the next.
static void end_stage(dew_LevelSet *s, int stage)
{
    if (!s->is_timed)
        return;
    double now_s = dew_cpu_s();
    s->stage_s[stage] += now_s - s->began_s;
    s->began_s = now_s;
}

static dew_Status move_surface(dew_LevelSet *s, double *phi, double dt_s)
{
    const double *u[3] = {values_of(s, s->u[0]), values_of(s, s->u[1]), values_of(s, s->u[2])};
    double band = ADVECTED * DEW_BAND_CELLS * s->grid->cell_m;
    if (has_markers(s))
        DEW_TRY(dew_markers_advect(&s->markers, s->grid, u, dt_s, &s->scratch));
    end_stage(s, MOVE_MARKERS);
    if (s->def.scheme == DEW_ADVECT_WENO)
        DEW_TRY(dew_levelset_advect_weno(s->grid, phi, u, dt_s, band, &s->scratch));
    else
        DEW_TRY(dew_levelset_advect_trace(s->grid, phi, u, dt_s, band, &s->scratch));
    end_stage(s, ADVECT);
    return dew_ok();
}

// Markers after phi is a distance again.
static dew_Status end_markers(dew_LevelSet *s, double *phi)
{
    DEW_TRY(dew_markers_correct(&s->markers, s->grid, phi, &s->scratch, NULL));
    end_stage(s, CORRECT_AGAIN);
    DEW_TRY(dew_markers_adjust(&s->markers, s->grid, phi));
    end_stage(s, RADII);
    if (s->step_count % s->def.reseed_steps != 0)
        return dew_ok();
    DEW_TRY(
        dew_markers_seed(&s->markers, s->grid, phi, NULL, (uint64_t)s->step_count, &s->scratch));
    end_stage(s, SEED);
    return dew_ok();
}

dew_Status dew_level_set_advect(dew_LevelSet *s, const dew_VelocityField *velocity, double time_s,
                                double dt_s)
{
    double h = s->grid->cell_m;
    s->are_drops_known = false;
    dew_arena_clear(&s->scratch);
    begin_stages(s);
    DEW_TRY(dew_levelset_update_bricks(s->grid, s->phi, (DEW_BAND_CELLS - 1) * h,
                                       DEW_BAND_CELLS * h, !s->def.is_hollow, &s->scratch));
    end_stage(s, BRICKS);
    Flow flow = {s, velocity, time_s};
    DEW_TRY(dew_grid_for(s->grid, flow_chunk, &flow));
    end_stage(s, VELOCITY);
    double *phi = values_of(s, s->phi);
    DEW_TRY(move_surface(s, phi, dt_s));
    if (has_markers(s))
        DEW_TRY(dew_markers_correct(&s->markers, s->grid, phi, &s->scratch, NULL));
    end_stage(s, CORRECT);
    DEW_TRY(dew_levelset_redistance(s->grid, phi, DEW_REDISTANCE_CLOSEST, DEW_BAND_CELLS * h,
                                    &s->scratch, NULL));
    end_stage(s, REDISTANCE);
    s->step_count++;
    return has_markers(s) ? end_markers(s, phi) : dew_ok();
}

dew_Status dew_level_set_redistance(dew_LevelSet *s, dew_RedistanceMethod method,
                                    dew_Redistanced *report)
{
    s->are_drops_known = false;
    return dew_levelset_redistance(s->grid, values_of(s, s->phi), method,
                                   DEW_BAND_CELLS * s->grid->cell_m, &s->scratch, report);
}

// ---- questions ---------------------------------------------------------------------------------

dew_Status dew_level_set_measure(dew_LevelSet *s, dew_LevelSetMeasure *out)
{
    return dew_levelset_measure(s->grid, values_of(s, s->phi), &s->scratch, out);
}

dew_Status dew_level_set_integrate(dew_LevelSet *s, const double *values, double *integral)
{
    return dew_levelset_integrate(s->grid, values_of(s, s->phi), values, &s->scratch, integral);
}

int64_t dew_level_set_cell_count(const dew_LevelSet *s)
{
    return (int64_t)s->grid->brick_count * s->grid->brick_cells;
}

int64_t dew_level_set_marker_count(const dew_LevelSet *s)
{
    return s->markers.particles.count;
}

// Bricks of the shape, beside those there are.
static dew_Status add_bricks(dew_LevelSet *s, const dew_DistanceField *shape)
{
    double far = DEW_BAND_CELLS * s->grid->cell_m;
    if (s->expected == DEW_INVALID)
        DEW_TRY(dew_grid_add_field(s->grid, "expected", DEW_AT_CELL, sizeof(double), &far,
                                   &s->expected));
    return add_shape(s, s->expected, shape, true);
}

// Difference of the volume fractions, over bricks that hold both shapes.
dew_Status dew_level_set_difference(dew_LevelSet *s, const dew_DistanceField *shape,
                                    double *volume_m3)
{
    dew_arena_clear(&s->scratch);
    s->are_drops_known = false;
    DEW_TRY(add_bricks(s, shape));
    int64_t count = dew_grid_value_count(s->grid);
    double *exact = dew_arena_array(&s->scratch, double, count);
    double *fraction = dew_arena_array(&s->scratch, double, count);
    double *other = dew_arena_array(&s->scratch, double, count);
    if (!exact || !fraction || !other)
        return dew_no_memory((size_t)count * sizeof(double));
    Fill fill = {s->grid, shape, exact};
    DEW_TRY(dew_grid_for(s->grid, fill_chunk, &fill));
    DEW_TRY(dew_levelset_cut(s->grid, values_of(s, s->phi), fraction, NULL));
    DEW_TRY(dew_levelset_cut(s->grid, exact, other, NULL));
    for (int64_t n = 0; n < count; n++)
        fraction[n] = fabs(fraction[n] - other[n]);
    *volume_m3 = dew_sum(s->tasks, fraction, count) * pow(s->grid->cell_m, s->grid->dimensions);
    return dew_ok();
}

dew_Status dew_level_set_drops(dew_LevelSet *s, const dew_LevelSetDrop **drops, int64_t *count)
{
    dew_arena_clear(&s->scratch);
    s->are_drops_known = false;
    DEW_TRY(dew_array_resize(&s->drop_of, dew_grid_value_count(s->grid)));
    DEW_TRY(
        dew_levelset_drops(s->grid, values_of(s, s->phi), s->drop_of.data, &s->drops, &s->scratch));
    s->are_drops_known = true;
    *drops = s->drops.data;
    *count = s->drops.count;
    return dew_ok();
}

dew_Status dew_level_set_correct_volumes(dew_LevelSet *s, const double *volumes_m3, double limit_m)
{
    if (!s->are_drops_known)
        return dew_fail(DEW_BAD_INPUT, "the pieces of liquid are to be found first, "
                                       "by dew_level_set_drops");
    return dew_levelset_correct_volumes(s->grid, values_of(s, s->phi), s->drop_of.data, &s->drops,
                                        volumes_m3, limit_m, &s->scratch);
}

static dew_Status curvature(dew_LevelSet *s, dew_FieldView *out)
{
    if (s->curvature == DEW_INVALID)
        DEW_TRY(dew_grid_add_field(s->grid, "curvature", DEW_AT_CELL, sizeof(double), NULL,
                                   &s->curvature));
    double *kappa = values_of(s, s->curvature);
    DEW_TRY(dew_levelset_curvature(s->grid, values_of(s, s->phi), CURVED * s->grid->cell_m, kappa));
    *out = dew_grid_view(s->grid, "curvature", "1/m", DEW_AT_CELL, DEW_FIELD_F64, kappa);
    return dew_ok();
}

dew_Status dew_level_set_field(dew_LevelSet *s, const char *name, dew_FieldView *out)
{
    static const char *const names[] = {"phi", "velocity_x", "velocity_y", "velocity_z",
                                        "curvature"};
    if (strcmp(name, "curvature") == 0)
        return curvature(s, out);
    if (strcmp(name, "phi") == 0) {
        *out =
            dew_grid_view(s->grid, names[0], "m", DEW_AT_CELL, DEW_FIELD_F64, values_of(s, s->phi));
        out->missing = DEW_BAND_CELLS * s->grid->cell_m;
        return dew_ok();
    }
    for (int a = 0; a < dew_grid_axes(s->grid); a++)
        if (strcmp(name, names[1 + a]) == 0) {
            *out = dew_grid_view(s->grid, names[1 + a], "m/s", (dew_Place)(DEW_AT_FACE_X + a),
                                 DEW_FIELD_F64, values_of(s, s->u[a]));
            return dew_ok();
        }
    return dew_no_such_field(name, names, 5);
}

dew_Status dew_level_set_normals(dew_LevelSet *s, dew_FieldView normal[3])
{
    static const char *const names[3] = {"normal_x", "normal_y", "normal_z"};
    double *values[3];
    for (int a = 0; a < 3; a++)
        if (s->normal[a] == DEW_INVALID)
            DEW_TRY(dew_grid_add_field(s->grid, names[a], DEW_AT_CELL, sizeof(double), NULL,
                                       &s->normal[a]));
    for (int a = 0; a < 3; a++) {
        values[a] = values_of(s, s->normal[a]);
        normal[a] = dew_grid_view(s->grid, names[a], "1", DEW_AT_CELL, DEW_FIELD_F64, values[a]);
    }
    return dew_levelset_normals(s->grid, values_of(s, s->phi), CURVED * s->grid->cell_m, values);
}

// ---- bricks ------------------------------------------------------------------------------------

static dew_Status check_brick(const dew_LevelSet *s, int64_t brick)
{
    if (brick < 0 || brick >= s->grid->brick_count)
        return dew_fail(DEW_BAD_INPUT, "there is no brick %lld: there are %d", (long long)brick,
                        (int)s->grid->brick_count);
    return dew_ok();
}

dew_Status dew_level_set_tile(const dew_LevelSet *s, int64_t brick, int32_t pad, double *tile)
{
    DEW_TRY(check_brick(s, brick));
    if (pad < 0 || pad > DEW_MAX_PAD)
        return dew_fail(DEW_BAD_INPUT, "a tile has 0 to %d cells around its brick, not %d",
                        DEW_MAX_PAD, (int)pad);
    dew_tile_load(s->grid, values_of(s, s->phi), (int32_t)brick, pad, tile);
    return dew_ok();
}

uint64_t dew_level_set_hash(const dew_LevelSet *s)
{
    return dew_grid_hash(s->grid, s->phi);
}

int64_t dew_level_set_packed_size(const dew_LevelSet *s)
{
    return (int64_t)dew_grid_packed_size(s->grid);
}

dew_Status dew_level_set_pack(const dew_LevelSet *s, int64_t brick, void *bytes)
{
    DEW_TRY(check_brick(s, brick));
    dew_grid_pack(s->grid, (int32_t)brick, bytes);
    return dew_ok();
}

dew_Status dew_level_set_unpack(dew_LevelSet *s, const void *bytes)
{
    s->are_drops_known = false;
    return dew_grid_unpack(s->grid, bytes);
}
