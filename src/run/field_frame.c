// Fields of a grid solver at the cells' centres: as VDB brick by brick, as VTI over the whole
// domain, the same extent in every frame.
//
// phi is negative in the liquid and nowhere else: the solver's level set continues into the solids,
// where it imposes the contact angle, so the liquid is its intersection with what is not solid,
//
//     phi = max(level_set, -solid),
//
// with `solid` the signed distance to the solids. level_set and solid are written too. Where no
// brick is, phi is the largest there is: air, and no nearer than that.
#include "run/field_frame.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/status.h"
#include "io/half.h"
#include "io/vdb.h"
#include "io/vti.h"

enum { PHI, VELOCITY, LEVEL_SET, SOLID, FIELDS };
enum { HALF_STEPS = 100 };  // of half precision to a cell: phi is off by half a step, 0.5 %
enum { BORDER = 1 };  // cells around the domain: phi changes sign on a wall between two points

static const struct {
    const char *name, *unit;
    int component_count;
} fields[FIELDS] = {
    {"phi", "m", 1}, {"velocity", "m/s", 3}, {"level_set", "m", 1}, {"solid", "m", 1}};

typedef struct Source {
    dew_GridView view;
    const dew_Problem *problem;
    dew_Instant instant;
    double time_s, rate_Hz;
    int64_t frame;
    dew_VolumeNames names;  // VDB
    bool is_half;           // VDB
} Source;

// ---- values ------------------------------------------------------------------------------------

static double face_above(const dew_GridView *view, int32_t b, int n, int axis)
{
    int c[3] = {n & 7, n >> 3 & 7, n >> 6};
    c[axis]++;
    int64_t at = dew_grid_near(view->grid, b, c[0], c[1], c[2]);
    return view->u[axis][at < 0 ? (int64_t)b * view->grid->brick_cells + n : at];
}

/// Limited to what the level set is limited to, so that both have one background.
static double solid_at(const Source *s, int32_t b, int n)
{
    const dew_GridView *view = &s->view;
    const dew_Grid *grid = view->grid;
    double d = HUGE_VAL;
    if (view->solid) {
        d = view->solid[(int64_t)b * grid->brick_cells + n];
    } else {
        dew_Vec3 x = dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
        d = dew_problem_distance(s->problem, &s->instant, x, view->far_m);
    }
    return fmin(fmax(d, -view->far_m), view->far_m);
}

static void read_cell(const Source *s, int field, int32_t b, int n, float *out)
{
    const dew_GridView *view = &s->view;
    int64_t at = (int64_t)b * view->grid->brick_cells + n;
    if (field == PHI)
        out[0] = (float)fmax(view->phi[at], -solid_at(s, b, n));
    else if (field == LEVEL_SET)
        out[0] = (float)view->phi[at];
    else if (field == SOLID)
        out[0] = (float)solid_at(s, b, n);
    for (int a = 0; field == VELOCITY && a < 3; a++)
        out[a] = a < dew_grid_axes(view->grid)
                     ? (float)(0.5 * (view->u[a][at] + face_above(view, b, n, a)))
                     : 0;
}

static float background(const Source *s, int field)
{
    return field == VELOCITY ? 0 : (float)s->view.far_m;
}

// ---- VDB ---------------------------------------------------------------------------------------

static const char *name_of(const Source *s, int field)
{
    if (s->names == DEW_VOLUME_NAMES_HOUDINI && field == PHI)
        return "surface";
    if (s->names == DEW_VOLUME_NAMES_HOUDINI && field == VELOCITY)
        return "vel";
    return fields[field].name;
}

static dew_Status write_vdb(const Source *s, const char *path, dew_Arena *arena,
                            const dew_Allocator *allocator)
{
    const dew_Grid *grid = s->view.grid;
    int64_t voxels = (int64_t)grid->brick_count * DEW_VDB_LEAF;
    dew_VdbGrid grids[FIELDS];
    for (int f = 0; f < FIELDS; f++) {
        int components = fields[f].component_count;
        float *values = dew_arena_array(arena, float, components *voxels + 1);
        if (!values)
            return dew_no_memory((size_t)(components * voxels) * sizeof(float));
        for (int32_t b = 0; b < grid->brick_count; b++)
            for (int n = 0; n < grid->brick_cells; n++)
                read_cell(s, f, b, n, &values[components * ((int64_t)b * DEW_VDB_LEAF + n)]);
        grids[f] = (dew_VdbGrid){.name = name_of(s, f),
                                 .is_level_set = f != VELOCITY,
                                 .component_count = components,
                                 .background = background(s, f),
                                 .unit = fields[f].unit,
                                 .values = values};
    }
    dew_VdbVolume volume = {
        .leaves = (const int32_t(*)[3])grid->coords.data,
        .leaf_count = grid->brick_count,
        .is_half = s->is_half,
        .layers = grid->depth,
        .origin_m = dew_add_scaled(grid->origin_m, grid->cell_m, dew_vec(0.5, 0.5, 0.5)),
        .spacing_m = grid->cell_m,
        .time_s = s->time_s,
        .frame_rate_Hz = s->rate_Hz,
        .frame = s->frame,
        .grids = grids,
        .grid_count = FIELDS};
    dew_Sink sink;
    DEW_TRY(dew_sink_begin_file(&sink, path, allocator));
    return dew_sink_end(&sink, dew_vdb_write(&volume, &sink, allocator));
}

// ---- VTI ---------------------------------------------------------------------------------------

typedef struct Image {
    const Source *source;
    int32_t low[3];  // cell of the first point
    int64_t counts[3];
} Image;

static void find_extent(Image *image)
{
    const dew_Grid *grid = image->source->view.grid;
    for (int a = 0; a < 3; a++) {
        int border = a < dew_grid_axes(grid) ? BORDER : 0;
        image->low[a] = grid->cell_min[a] - border;
        image->counts[a] = grid->cell_max[a] - grid->cell_min[a] + 2 * border;
    }
}

static void fill_row(const void *context, int field, int64_t j, int64_t k, float *values)
{
    const Image *image = context;
    const dew_Grid *grid = image->source->view.grid;
    int components = fields[field].component_count;
    int32_t y = image->low[1] + (int32_t)j, z = image->low[2] + (int32_t)k;
    bool is_flat = grid->depth == 1;
    int32_t coord[3] = {0, y >> 3, is_flat ? z : z >> 3}, b = DEW_INVALID;
    for (int64_t i = 0; i < image->counts[0]; i++) {
        int32_t x = image->low[0] + (int32_t)i;
        if (i == 0 || (x & 7) == 0) {
            coord[0] = x >> 3;
            b = dew_grid_find(grid, coord);
        }
        float *out = &values[components * i];
        if (b >= 0 && b < grid->brick_count)
            read_cell(image->source, field, b, (x & 7) + 8 * ((y & 7) + 8 * (is_flat ? 0 : z & 7)),
                      out);
        else
            for (int c = 0; c < components; c++)
                out[c] = background(image->source, field);
    }
}

static dew_Status write_vti(const Source *s, const char *path, const dew_Allocator *allocator)
{
    const dew_Grid *grid = s->view.grid;
    Image image = {.source = s};
    dew_VtiArray arrays[FIELDS];
    for (int f = 0; f < FIELDS; f++)
        arrays[f] = (dew_VtiArray){fields[f].name, fields[f].component_count};
    find_extent(&image);
    dew_Vec3 first = dew_vec(image.low[0] + 0.5, image.low[1] + 0.5, image.low[2] + 0.5);
    dew_VtiImage vti = {.counts = {image.counts[0], image.counts[1], image.counts[2]},
                        .origin_m = dew_add_scaled(grid->origin_m, grid->cell_m, first),
                        .spacing_m = dew_scale(grid->cell_m, dew_vec(1, 1, 1)),
                        .time_s = s->time_s,
                        .arrays = arrays,
                        .array_count = FIELDS,
                        .row = fill_row,
                        .context = &image};
    dew_Sink sink;
    DEW_TRY(dew_sink_begin_file(&sink, path, allocator));
    return dew_sink_end(&sink, dew_vti_write(&vti, &sink, allocator));
}

// ---- either ------------------------------------------------------------------------------------

// Next to the surface halves are 2^-24 m apart, which must be little against a cell.
dew_Status dew_field_frame_check(const dew_World *world)
{
    const dew_SceneDef *scene = dew_scene_def(world->scene);
    double needed_m = HALF_STEPS * DEW_HALF_STEP;
    if (!scene->output.half || scene->output.volume != DEW_VOLUME_VDB ||
        scene->domain.cell_m >= needed_m)
        return dew_ok();
    char place[256];
    dew_scene_place(world->scene, "output.half", place, sizeof place);
    return dew_fail(DEW_BAD_INPUT,
                    "%soutput.half: half precision resolves 60 nm, which is too coarse for cells "
                    "below %.2g m (false would do)",
                    place, needed_m);
}

dew_Status dew_field_frame_save(const dew_RunDirectory *directory, dew_World *world, int64_t frame)
{
    const dew_SceneDef *scene = dew_scene_def(world->scene);
    bool is_vdb = scene->output.volume == DEW_VOLUME_VDB;
    dew_RunPath path = dew_run_frame_path(directory, "volume", frame, is_vdb ? "vdb" : "vti");
    if (scene->output.volume == DEW_VOLUME_NONE || !world->ops->grid || dew_file_exists(path.text))
        return dew_ok();
    Source source = {.view = world->ops->grid(world->state),
                     .problem = world->problem,
                     .instant = dew_world_instant(world),
                     .time_s = dew_world_time_s(world),
                     .rate_Hz = scene->frame_rate_Hz,
                     .frame = frame,
                     .names = scene->output.volume_names,
                     .is_half = scene->output.half};
    const dew_Allocator *allocator = &world->def.allocator;
    dew_Arena arena;
    dew_arena_init(&arena, allocator);
    dew_Status status = is_vdb ? write_vdb(&source, path.text, &arena, allocator)
                               : write_vti(&source, path.text, allocator);
    dew_arena_deinit(&arena);
    return status;
}
