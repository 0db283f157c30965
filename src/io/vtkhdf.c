// Writes an animation as VTKHDF [VTKHDF2025], version 2.1: a collection of named surfaces, all with
// the same times.
//
//   VTKHDF                Type PartitionedDataSetCollection
//     NAME                Type PolyData: points, vertices, lines, polygons, strips, PointData
//       Steps             time of each step, and where its points, cells and arrays begin
//     Assembly/NAME/NAME  link to the surface
//   Dew                   what VTK has no place for; readers ignore it
//
// Arrays hold all steps one behind the other. What does not change between two steps is not stored
// again: the later one begins where the earlier one does, for topology, points and each attribute
// by itself. VTK has no moving frames of reference, so solids that move have points of their own in
// each step. An object that does not exist in a step has a part without points. That part comes
// behind all others: VTK 9.4 finds the offsets of a part by counting the cells of those before it,
// and takes a part without cells among them for none at all.
//
// Limits: no camera, lights or materials. The file is in memory until it is whole.
#include "io/vtkhdf.h"

#include "base/arena.h"
#include "base/status.h"
#include "geom/vec.h"
#include "io/hdf5_file.h"
#include "io/vtkhdf_names.h"

enum { TOPOLOGIES = 4 };  // in the order of the format
static const char *const topology_names[TOPOLOGIES] = {"Vertices", "Lines", "Polygons", "Strips"};
enum { VERTICES = 0, POLYGONS = 2 };
static const int version[2] = {2, 1};

// What a part has of points, and of the cells of its one topology.
typedef struct Part {
    int64_t points, cells, ids;
} Part;

// Where a step begins.
typedef struct Step {
    int64_t part;  // -1: the one without points
    int64_t point, cell, id;
} Step;

// An array of the points.
typedef struct Track {
    dew_HdfColumn column;
    const char *name;
    int64_t begin;  // of the present step
} Track;

typedef struct Block {
    const dew_AnimationObject *object;
    int64_t group, cells_group, data_group;
    int topology;
    dew_HdfColumn points, offsets, ids;
    Track normals, velocities;  // column.id 0: not there
    Track *attributes;
    dew_Array parts, steps;  // Part, Step
    dew_Array begins;        // int64_t of each track, per step
    Step step;               // the present one
    dew_AnimationPose pose;  // of the present step
    // of objects that move: the mesh in their own frame of reference
    dew_Array positions, own_normals, own_velocities;  // float
} Block;

typedef struct Writer {
    const dew_AnimationDef *def;
    dew_Allocator allocator;
    dew_Arena arena;
    dew_Hdf hdf;
    dew_Sink *sink;
    Block *blocks;
    dew_Array times;  // double
    dew_Array bytes;  // scratch
    dew_Status status;
} Writer;

static void note(Writer *w, dew_Status status)
{
    if (w->status.code == DEW_OK)
        w->status = status;
}

static bool is_ok(const Writer *w)
{
    return w->status.code == DEW_OK && w->hdf.status.code == DEW_OK;
}

static dew_Status writer_status(const Writer *w)
{
    return w->status.code != DEW_OK ? w->status : w->hdf.status;
}

// Scratch memory for `count` numbers of `size` bytes; NULL after a failure.
static void *reserve(Writer *w, int64_t count, size_t size)
{
    if (is_ok(w))
        note(w, dew_array_resize(&w->bytes, count * (int64_t)size + 1));
    return is_ok(w) ? w->bytes.data : NULL;
}

// ---- before the first frame --------------------------------------------------------------------

static Track add_track(Writer *w, const Block *block, const char *name, int components)
{
    int width = components > 1 ? components : 0;
    Track track = {.name = name};
    track.column = dew_hdf_column(&w->hdf, block->data_group, name, DEW_FLOAT32, width);
    return track;
}

static dew_Status add_attributes(Writer *w, Block *block)
{
    const dew_AnimationObject *object = block->object;
    int count = object->attribute_count;
    const char **names = dew_arena_array(&w->arena, const char *, count + 3);
    block->attributes = dew_arena_array(&w->arena, Track, count);
    if (!names || !block->attributes)
        return dew_no_memory((size_t)count * sizeof(Track));
    names[0] = "Normals";
    names[1] = "velocity";
    if (object->has_normals)
        block->normals = add_track(w, block, names[0], 3);
    if (object->has_velocities)
        block->velocities = add_track(w, block, names[1], 3);
    for (int k = 0; k < count; k++) {
        DEW_TRY(dew_vtkhdf_array_name(&w->arena, object->attribute_names[k], names, k + 2));
        block->attributes[k] =
            add_track(w, block, names[k + 2], object->attribute_component_counts[k]);
    }
    return dew_ok();
}

static dew_Status add_block(Writer *w, Block *block, int64_t root, int64_t assembly, int index,
                            const char *name)
{
    bool is_mesh = block->object->kind != DEW_ANIMATION_PARTICLES;
    dew_Hdf *hdf = &w->hdf;
    block->topology = is_mesh ? POLYGONS : VERTICES;
    block->group = dew_hdf_group(hdf, root, name);
    dew_hdf_put_integers(hdf, block->group, "Version", version, 2);
    dew_hdf_put_text(hdf, block->group, "Type", "PolyData");
    dew_hdf_put_integers(hdf, block->group, "Index", &index, 0);
    block->points = dew_hdf_column(hdf, block->group, "Points", DEW_FLOAT32, 3);
    block->cells_group = dew_hdf_group(hdf, block->group, topology_names[block->topology]);
    block->offsets = dew_hdf_column(hdf, block->cells_group, "Offsets", DEW_INT64, 0);
    block->ids = dew_hdf_column(hdf, block->cells_group, "Connectivity", DEW_INT64, 0);
    block->data_group = dew_hdf_group(hdf, block->group, "PointData");
    DEW_TRY(add_attributes(w, block));
    int64_t node = dew_hdf_group(hdf, assembly, name);
    const char *path = dew_arena_format(&w->arena, "/VTKHDF/%s", name);
    if (!path)
        return dew_no_memory(strlen(name));
    dew_hdf_link(hdf, node, name, path);
    return writer_status(w);
}

static dew_Status add_blocks(Writer *w)
{
    const dew_AnimationDef *def = w->def;
    const char **names = dew_arena_array(&w->arena, const char *, def->object_count + 1);
    w->blocks = dew_arena_array(&w->arena, Block, def->object_count);
    if (!names || !w->blocks)
        return dew_no_memory((size_t)def->object_count * sizeof(Block));
    for (int i = 0; i < def->object_count; i++) {
        Block *block = &w->blocks[i];
        block->object = &def->objects[i];
        block->step.part = -1;
        dew_array_init(&block->parts, &w->allocator, sizeof(Part));
        dew_array_init(&block->steps, &w->allocator, sizeof(Step));
        dew_array_init(&block->begins, &w->allocator, sizeof(int64_t));
        dew_array_init(&block->positions, &w->allocator, sizeof(float));
        dew_array_init(&block->own_normals, &w->allocator, sizeof(float));
        dew_array_init(&block->own_velocities, &w->allocator, sizeof(float));
    }
    int64_t root = dew_hdf_group(&w->hdf, 0, "VTKHDF");
    dew_hdf_put_integers(&w->hdf, root, "Version", version, 2);
    dew_hdf_put_text(&w->hdf, root, "Type", "PartitionedDataSetCollection");
    int64_t assembly = dew_hdf_group(&w->hdf, root, "Assembly");
    names[0] = "Assembly";
    for (int i = 0; i < def->object_count; i++) {
        DEW_TRY(dew_vtkhdf_block_name(&w->arena, def->objects[i].name, names, i + 1));
        DEW_TRY(add_block(w, &w->blocks[i], root, assembly, i, names[i + 1]));
    }
    return writer_status(w);
}

// ---- a mesh ------------------------------------------------------------------------------------

static void put_part(Writer *w, Block *block, const dew_AnimationMesh *mesh)
{
    bool is_mesh = block->topology == POLYGONS;
    int64_t corners = is_mesh ? 3 : 1;
    int64_t cells = is_mesh ? mesh->triangle_count : mesh->vertex_count;
    Part part = {mesh->vertex_count, cells, corners * cells};
    int64_t *values = (int64_t *)reserve(w, part.ids + 1, sizeof *values);
    if (!values)
        return;
    block->step.part = block->parts.count;
    block->step.cell = block->offsets.count - block->parts.count;  // a part has one offset more
    block->step.id = block->ids.count;
    note(w, dew_array_push(&block->parts, &part));
    for (int64_t i = 0; i <= cells; i++)
        values[i] = corners * i;
    dew_hdf_append(&w->hdf, &block->offsets, values, cells + 1);
    for (int64_t i = 0; i < part.ids; i++)
        values[i] = is_mesh ? (int64_t)mesh->triangles[i] : i;
    dew_hdf_append(&w->hdf, &block->ids, values, part.ids);
}

static void put_track(Writer *w, Track *track, const float *values, int64_t count)
{
    track->begin = track->column.count;
    dew_hdf_append(&w->hdf, &track->column, values, count);
}

// Rotated; also moved if `is_place`. The values themselves where the pose is the identity.
static const float *put_into_place(Writer *w, const float *values, int64_t count,
                                   const dew_AnimationPose *pose, bool is_place)
{
    const double *q = pose->rotation, *t = pose->translation;
    bool is_turned = q[0] != 0 || q[1] != 0 || q[2] != 0;
    bool is_moved = is_place && (t[0] != 0 || t[1] != 0 || t[2] != 0);
    if (!is_turned && !is_moved)
        return values;
    dew_Rotation rotation = {q[3], dew_vec(q[0], q[1], q[2])};
    float *out = (float *)reserve(w, 3 * count, sizeof *out);
    for (int64_t i = 0; out && i < count; i++) {
        const float *v = values + 3 * i;
        dew_Vec3 p = dew_rotate(rotation, dew_vec((double)v[0], (double)v[1], (double)v[2]));
        if (is_place)
            p = dew_add(p, dew_vec(t[0], t[1], t[2]));
        out[3 * i] = (float)p.x;
        out[3 * i + 1] = (float)p.y;
        out[3 * i + 2] = (float)p.z;
    }
    return out;
}

static void put_places(Writer *w, Block *block, const float *positions, const float *normals,
                       const float *velocities, int64_t count, const dew_AnimationPose *pose)
{
    const float *placed = put_into_place(w, positions, count, pose, true);
    block->step.point = block->points.count;
    block->pose = *pose;
    if (placed)
        dew_hdf_append(&w->hdf, &block->points, placed, count);
    if (block->object->has_normals && normals)
        if ((placed = put_into_place(w, normals, count, pose, false)))
            put_track(w, &block->normals, placed, count);
    if (block->object->has_velocities && velocities)
        if ((placed = put_into_place(w, velocities, count, pose, false)))
            put_track(w, &block->velocities, placed, count);
}

static void keep(Writer *w, dew_Array *array, const float *values, int64_t count)
{
    array->count = 0;
    if (values)
        note(w, dew_array_append(array, values, count));
}

static void put_mesh(Writer *w, Block *block, const dew_AnimationMesh *mesh,
                     const dew_AnimationPose *pose)
{
    int64_t count = mesh->vertex_count;
    DEW_ASSERT(mesh->attribute_count == block->object->attribute_count);
    DEW_ASSERT(!block->object->has_normals || mesh->normals);
    DEW_ASSERT(!block->object->has_velocities || mesh->velocities);
    put_part(w, block, mesh);
    put_places(w, block, mesh->positions, mesh->normals, mesh->velocities, count, pose);
    for (int k = 0; k < mesh->attribute_count; k++)
        put_track(w, &block->attributes[k], mesh->attributes[k].values, count);
    if (block->object->has_static_pose)
        return;
    keep(w, &block->positions, mesh->positions, 3 * count);
    keep(w, &block->own_normals, mesh->normals, 3 * count);
    keep(w, &block->own_velocities, mesh->velocities, 3 * count);
}

static bool is_same_pose(const dew_AnimationPose *a, const dew_AnimationPose *b)
{
    bool is_same = true;
    for (int k = 0; k < 4; k++)
        is_same = is_same && a->rotation[k] == b->rotation[k];
    for (int k = 0; k < 3; k++)
        is_same = is_same && a->translation[k] == b->translation[k];
    return is_same;
}

// The mesh of the step before, where the object is now.
static void move_mesh(Writer *w, Block *block, const dew_AnimationPose *pose)
{
    bool is_there = block->step.part >= 0 && !block->object->has_static_pose;
    if (!is_there || is_same_pose(&block->pose, pose))
        return;
    const dew_Array *normals = &block->own_normals, *velocities = &block->own_velocities;
    put_places(w, block, (const float *)block->positions.data,
               normals->count > 0 ? (const float *)normals->data : NULL,
               velocities->count > 0 ? (const float *)velocities->data : NULL,
               block->positions.count / 3, pose);
}

// ---- frames ------------------------------------------------------------------------------------

static bool has_cells(const Block *block, const dew_AnimationMesh *mesh)
{
    return mesh->vertex_count > 0 && (block->topology == VERTICES || mesh->triangle_count > 0);
}

static int track_count(const Block *block)
{
    return block->object->attribute_count + 2;
}

static const Track *track_at(const Block *block, int k)
{
    return k == 0 ? &block->normals : k == 1 ? &block->velocities : &block->attributes[k - 2];
}

static void put_step(Writer *w, Block *block, bool is_blank)
{
    Step step = block->step;
    if (is_blank)
        step.part = -1;
    note(w, dew_array_push(&block->steps, &step));
    for (int k = 0; k < track_count(block); k++)
        note(w, dew_array_push(&block->begins, &track_at(block, k)->begin));
}

static void put_state(Writer *w, Block *block, const dew_AnimationState *state, bool is_first)
{
    bool may_change = is_first || !block->object->has_static_mesh;
    const dew_AnimationPose *pose =
        is_first || !block->object->has_static_pose ? &state->pose : &block->pose;
    if (is_first)
        block->pose = state->pose;
    if (may_change && state->mesh && has_cells(block, state->mesh))
        put_mesh(w, block, state->mesh, pose);
    else if (may_change && state->mesh)
        block->step.part = -1;
    else if (state->is_visible)
        move_mesh(w, block, pose);
    put_step(w, block, !state->is_visible);
}

static dew_Status frame(void *writer, double time_s, const dew_AnimationState *states)
{
    Writer *w = (Writer *)writer;
    bool is_first = w->times.count == 0;
    note(w, dew_array_push(&w->times, &time_s));
    for (int i = 0; i < w->def->object_count && is_ok(w); i++)
        put_state(w, &w->blocks[i], &states[i], is_first);
    return writer_status(w);
}

// ---- after the last frame ----------------------------------------------------------------------

// An array of one number per item, out of items that have several.
static void put_fields(Writer *w, int64_t group, const char *name, const void *items, int64_t count,
                       size_t item_size, size_t offset)
{
    int64_t *values = (int64_t *)reserve(w, count, sizeof *values);
    if (!values)
        return;
    for (int64_t i = 0; i < count; i++)
        memcpy(&values[i], (const uint8_t *)items + (size_t)i * item_size + offset, sizeof *values);
    dew_hdf_put_array(&w->hdf, group, name, DEW_INT64, values, count, 0);
}

static void put_part_fields(Writer *w, int64_t group, const Block *block, const char *name,
                            size_t offset)
{
    put_fields(w, group, name, block->parts.data, block->parts.count, sizeof(Part), offset);
}

static void put_zeros(Writer *w, int64_t group, const char *name, int64_t count)
{
    static const int64_t zero = 0;
    put_fields(w, group, name, &zero, count, 0, 0);
}

// The part of steps in which the object is absent, and those steps.
static void put_blank_part(Writer *w, Block *block)
{
    static const Part blank = {0};
    static const int64_t zero = 0;
    Step *steps = DEW_ITEMS(&block->steps, Step);
    int64_t part = block->parts.count;
    bool is_needed = false;
    for (int64_t i = 0; i < block->steps.count; i++) {
        if (steps[i].part >= 0)
            continue;
        steps[i] = (Step){part, block->points.count, block->offsets.count - part, block->ids.count};
        for (int k = 0; k < track_count(block); k++)
            DEW_ITEMS(&block->begins, int64_t)
        [i * track_count(block) + k] = track_at(block, k)->column.count;
        is_needed = true;
    }
    if (!is_needed)
        return;
    note(w, dew_array_push(&block->parts, &blank));
    dew_hdf_append(&w->hdf, &block->offsets, &zero, 1);
}

static void put_topologies(Writer *w, const Block *block)
{
    put_part_fields(w, block->group, block, "NumberOfPoints", offsetof(Part, points));
    put_part_fields(w, block->cells_group, block, "NumberOfCells", offsetof(Part, cells));
    put_part_fields(w, block->cells_group, block, "NumberOfConnectivityIds", offsetof(Part, ids));
    for (int t = 0; t < TOPOLOGIES; t++) {
        if (t == block->topology)
            continue;
        int64_t group = dew_hdf_group(&w->hdf, block->group, topology_names[t]);
        put_zeros(w, group, "NumberOfCells", block->parts.count);
        put_zeros(w, group, "NumberOfConnectivityIds", block->parts.count);
        put_zeros(w, group, "Offsets", block->parts.count);
        put_zeros(w, group, "Connectivity", 0);
    }
}

// Per step one number for each topology, of which only one has cells.
static void put_cell_offsets(Writer *w, int64_t group, const Block *block, const char *name,
                             size_t offset)
{
    int64_t count = block->steps.count;
    int64_t *values = (int64_t *)reserve(w, TOPOLOGIES * count, sizeof *values);
    if (!values)
        return;
    memset(values, 0, (size_t)(TOPOLOGIES * count) * sizeof *values);
    for (int64_t i = 0; i < count; i++)
        memcpy(&values[TOPOLOGIES * i + block->topology],
               (const uint8_t *)(DEW_ITEMS(&block->steps, Step) + i) + offset, sizeof *values);
    dew_hdf_put_array(&w->hdf, group, name, DEW_INT64, values, count, TOPOLOGIES);
}

static void put_steps(Writer *w, const Block *block)
{
    static const int64_t one = 1;
    int64_t count = block->steps.count;
    int number = (int)count, tracks = track_count(block);
    const Step *steps = DEW_ITEMS(&block->steps, Step);
    int64_t group = dew_hdf_group(&w->hdf, block->group, "Steps");
    dew_hdf_put_integers(&w->hdf, group, "NSteps", &number, 0);
    dew_hdf_put_array(&w->hdf, group, "Values", DEW_FLOAT64, w->times.data, count, 0);
    put_fields(w, group, "PartOffsets", steps, count, sizeof *steps, offsetof(Step, part));
    put_fields(w, group, "NumberOfParts", &one, count, 0, 0);
    put_fields(w, group, "PointOffsets", steps, count, sizeof *steps, offsetof(Step, point));
    put_cell_offsets(w, group, block, "CellOffsets", offsetof(Step, cell));
    put_cell_offsets(w, group, block, "ConnectivityIdOffsets", offsetof(Step, id));
    int64_t data = dew_hdf_group(&w->hdf, group, "PointDataOffsets");
    for (int k = 0; k < tracks; k++)
        if (track_at(block, k)->name)
            put_fields(w, data, track_at(block, k)->name, DEW_ITEMS(&block->begins, int64_t) + k,
                       count, (size_t)tracks * sizeof(int64_t), 0);
}

static void put_notes(Writer *w)
{
    const dew_AnimationDef *def = w->def;
    int64_t group = dew_hdf_group(&w->hdf, 0, "Dew");
    int first = (int)def->first_frame;
    dew_hdf_put_text(&w->hdf, group, "title", def->title ? def->title : "");
    dew_hdf_put_text(&w->hdf, group, "software", def->software);
    dew_hdf_put_integers(&w->hdf, group, "first_frame", &first, 0);
    dew_hdf_put_double(&w->hdf, group, "frame_rate_Hz", def->frame_rate_Hz);
    dew_hdf_put_double(&w->hdf, group, "meters_per_unit", def->meters_per_unit);
    dew_hdf_put_text(&w->hdf, group, "up_axis", def->is_z_up ? "z" : "y");
}

static dew_Status finish(void *writer)
{
    Writer *w = (Writer *)writer;
    for (int i = 0; i < w->def->object_count && is_ok(w); i++) {
        put_blank_part(w, &w->blocks[i]);
        put_topologies(w, &w->blocks[i]);
        put_steps(w, &w->blocks[i]);
    }
    put_notes(w);
    DEW_TRY(writer_status(w));
    return dew_hdf_end(&w->hdf, w->sink, &w->allocator);
}

static void destroy(void *writer)
{
    Writer *w = (Writer *)writer;
    if (!w)
        return;
    dew_Allocator allocator = w->allocator;
    for (int i = 0; w->blocks && i < w->def->object_count; i++) {
        Block *block = &w->blocks[i];
        dew_array_deinit(&block->parts);
        dew_array_deinit(&block->steps);
        dew_array_deinit(&block->begins);
        dew_array_deinit(&block->positions);
        dew_array_deinit(&block->own_normals);
        dew_array_deinit(&block->own_velocities);
    }
    dew_hdf_close(&w->hdf);
    dew_array_deinit(&w->times);
    dew_array_deinit(&w->bytes);
    dew_arena_deinit(&w->arena);
    dew_free(&allocator, w, sizeof *w);
}

static dew_Status create(const dew_AnimationDef *def, const dew_Allocator *allocator,
                         dew_Sink *sink, void **out)
{
    *out = NULL;
    Writer *w = (Writer *)dew_alloc(allocator, 1, sizeof *w);
    if (!w)
        return dew_no_memory(sizeof *w);
    w->def = def;
    w->sink = sink;
    w->status = dew_ok();
    if (allocator)
        w->allocator = *allocator;
    dew_arena_init(&w->arena, allocator);
    dew_array_init(&w->times, allocator, sizeof(double));
    dew_array_init(&w->bytes, allocator, 1);
    dew_Status status = dew_hdf_begin(&w->hdf, allocator);
    if (status.code == DEW_OK)
        status = add_blocks(w);
    if (status.code != DEW_OK) {
        destroy(w);
        return status;
    }
    *out = w;
    return status;
}

const dew_AnimationOps dew_vtkhdf_ops = {"vtkhdf", create, frame, finish, destroy};
