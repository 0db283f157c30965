// Reads the liquid frame by frame.
//
// By drops: vertices carry the id of their drop (attribute `drop`), drops.csv lists all ids before
// the first mesh is read. Vertices are sorted by drop, in the order of the file within a drop, so
// that each drop is a contiguous part of the same arrays.
#include "export/liquid_objects.h"

#include "base/status.h"
#include "export/frame_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_DROP 0  // the id of vertices that no triangle has

// ---- what there is -----------------------------------------------------------------------------

// The layout of the first frame that has vertices.
static dew_Status find_layout(dew_ExportLiquid *liquid, dew_RunReader *reader, int64_t first,
                              int64_t last, dew_Arena *arena)
{
    for (int64_t i = 0; i < dew_run_reader_frame_count(reader); i++) {
        int64_t frame = dew_run_reader_frame(reader, i);
        if (frame < first || frame > last)
            continue;
        DEW_TRY(dew_frame_mesh_load(liquid->directory, liquid->format, frame, &liquid->mesh));
        if (liquid->mesh.positions.count > 0)
            return dew_export_layout_of(&liquid->mesh, arena, &liquid->layout);
    }
    return dew_export_layout_of(&liquid->mesh, arena, &liquid->layout);
}

static bool has_attribute(const dew_ExportLayout *layout, const char *name)
{
    for (int i = 0; i < layout->attribute_count; i++)
        if (strcmp(layout->names[i], name) == 0)
            return true;
    return false;
}

static int by_id(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static dew_Status find_drops(dew_ExportLiquid *liquid, dew_RunReader *reader, int64_t first,
                             int64_t last, dew_Arena *arena)
{
    const double *frames, *ids;
    int64_t rows, count = 0, unique = 0;
    if (!has_attribute(&liquid->layout, "drop"))
        return dew_fail(DEW_BAD_INPUT,
                        "%s: its surfaces do not say which drop a vertex belongs to (attribute "
                        "drop; formats obj and stl, and older runs, have none)",
                        liquid->directory);
    DEW_TRY(dew_run_reader_column(reader, DEW_RUN_DROPS, "frame", &frames, &rows));
    DEW_TRY(dew_run_reader_column(reader, DEW_RUN_DROPS, "id", &ids, &rows));
    int64_t *found = dew_arena_array(arena, int64_t, rows + 1);
    if (!found)
        return dew_no_memory((size_t)rows * sizeof *found);
    for (int64_t i = 0; i < rows; i++)
        if (frames[i] >= (double)first && frames[i] <= (double)last && fabs(ids[i]) < 0x1p53)
            found[count++] = (int64_t)ids[i];
    qsort(found, (size_t)count, sizeof *found, by_id);
    for (int64_t i = 0; i < count; i++)
        if (unique == 0 || found[unique - 1] != found[i])
            found[unique++] = found[i];
    liquid->ids = found;
    liquid->drop_count = unique;
    return dew_ok();
}

dew_Status dew_export_liquid_begin(dew_ExportLiquid *liquid, dew_RunReader *reader,
                                   const char *directory, int64_t first, int64_t last, bool splits,
                                   dew_Arena *arena)
{
    const dew_Allocator *allocator = &arena->allocator;
    liquid->directory = directory;
    liquid->format = dew_scene_def(dew_run_reader_scene(reader))->output.surface;
    dew_mesh_init(&liquid->mesh, allocator);
    dew_mesh_init(&liquid->split, allocator);
    dew_export_stage_init(&liquid->stage, allocator);
    dew_array_init(&liquid->parts, allocator, sizeof(dew_AnimationMesh));
    dew_array_init(&liquid->attributes, allocator, sizeof(dew_AnimationAttribute));
    dew_arena_init(&liquid->scratch, allocator);
    DEW_TRY(find_layout(liquid, reader, first, last, arena));
    return splits ? find_drops(liquid, reader, first, last, arena) : dew_ok();
}

void dew_export_liquid_end(dew_ExportLiquid *liquid)
{
    dew_mesh_deinit(&liquid->mesh);
    dew_mesh_deinit(&liquid->split);
    dew_export_stage_deinit(&liquid->stage);
    dew_array_deinit(&liquid->parts);
    dew_array_deinit(&liquid->attributes);
    dew_arena_deinit(&liquid->scratch);
}

int dew_export_liquid_count(const dew_ExportLiquid *liquid)
{
    return liquid->ids ? (int)liquid->drop_count : 1;
}

dew_Status dew_export_liquid_objects(const dew_ExportLiquid *liquid, dew_Arena *arena,
                                     dew_AnimationObject *out)
{
    const dew_ExportLayout *layout = &liquid->layout;
    for (int i = 0; i < dew_export_liquid_count(liquid); i++) {
        const char *name = liquid->ids
                               ? dew_arena_format(arena, "drop_%lld", (long long)liquid->ids[i])
                               : "liquid";
        if (!name)
            return dew_no_memory(32);
        out[i] = (dew_AnimationObject){.name = name,
                                       .kind = DEW_ANIMATION_LIQUID,
                                       .has_static_pose = true,
                                       .attribute_count = layout->attribute_count,
                                       .attribute_names = layout->names,
                                       .attribute_component_counts = layout->component_counts,
                                       .has_normals = layout->has_normals,
                                       .has_velocities = layout->has_velocities};
    }
    return dew_ok();
}

// ---- by drops ----------------------------------------------------------------------------------

typedef struct Sorting {
    int32_t *drop;   // of each vertex of the file
    int64_t *first;  // vertex of each drop in the sorted mesh, drop_count + 1
    int64_t *first_triangle;
    uint32_t *place;  // of each vertex of the file, within its drop
} Sorting;

static dew_Status allocate(dew_ExportLiquid *liquid, Sorting *s)
{
    int64_t vertices = liquid->mesh.positions.count;
    dew_arena_clear(&liquid->scratch);
    s->drop = dew_arena_array(&liquid->scratch, int32_t, vertices);
    s->first = dew_arena_array(&liquid->scratch, int64_t, liquid->drop_count + 2);
    s->first_triangle = dew_arena_array(&liquid->scratch, int64_t, liquid->drop_count + 2);
    s->place = dew_arena_array(&liquid->scratch, uint32_t, vertices);
    if (!s->drop || !s->first || !s->first_triangle || !s->place)
        return dew_no_memory((size_t)vertices * 8);
    return dew_ok();
}

static dew_Status find_drop(const dew_ExportLiquid *liquid, int64_t frame, float value,
                            int32_t *out)
{
    int64_t id = fabsf(value) < 0x1p53f ? (int64_t)value : -1;
    *out = DEW_INVALID;
    if (id == NO_DROP)
        return dew_ok();
    const int64_t *at =
        bsearch(&id, liquid->ids, (size_t)liquid->drop_count, sizeof *liquid->ids, by_id);
    if (!at)
        return dew_fail(DEW_CORRUPT, "%s: frame %lld has a drop %.9g that drops.csv does not list",
                        liquid->directory, (long long)frame, (double)value);
    *out = (int32_t)(at - liquid->ids);
    return dew_ok();
}

// Counts of vertices and triangles become the first of each drop; `place` the order within it.
static dew_Status sort(const dew_ExportLiquid *liquid, int64_t frame, Sorting *s)
{
    const float *drop = dew_mesh_find_attribute(&liquid->mesh, "drop");
    const dew_Triangle *triangles = dew_mesh_triangles(&liquid->mesh);
    int64_t vertices = liquid->mesh.positions.count;
    if (!drop && vertices > 0)
        return dew_fail(DEW_BAD_INPUT, "%s: the surface of frame %lld has no attribute drop",
                        liquid->directory, (long long)frame);
    for (int64_t v = 0; v < vertices; v++) {
        DEW_TRY(find_drop(liquid, frame, drop[v], &s->drop[v]));
        if (s->drop[v] >= 0)
            s->place[v] = (uint32_t)s->first[s->drop[v] + 1]++;
    }
    for (int64_t t = 0; t < liquid->mesh.triangles.count; t++) {
        const uint32_t *v = triangles[t].v;
        if (s->drop[v[0]] < 0 || s->drop[v[0]] != s->drop[v[1]] || s->drop[v[0]] != s->drop[v[2]])
            return dew_fail(DEW_CORRUPT, "%s: a triangle of frame %lld is not that of one drop",
                            liquid->directory, (long long)frame);
        s->first_triangle[s->drop[v[0]] + 1]++;
    }
    for (int64_t i = 0; i < liquid->drop_count; i++) {
        s->first[i + 1] += s->first[i];
        s->first_triangle[i + 1] += s->first_triangle[i];
    }
    return dew_ok();
}

// Where a vertex of the file goes; DEW_INVALID: nowhere, no triangle has it.
static int64_t sorted_place(const Sorting *s, int64_t vertex)
{
    int32_t drop = s->drop[vertex];
    return drop >= 0 ? s->first[drop] + s->place[vertex] : DEW_INVALID;
}

static dew_Status sort_attributes(const dew_Mesh *from, const Sorting *s, dew_Mesh *to)
{
    for (int64_t i = 0; i < from->attributes.count; i++) {
        const dew_MeshAttribute *source = &DEW_ITEMS(&from->attributes, const dew_MeshAttribute)[i];
        float *values;
        DEW_TRY(dew_mesh_attribute(to, source->name, &values));
        for (int64_t v = 0; v < from->positions.count; v++)
            if (sorted_place(s, v) >= 0)
                values[sorted_place(s, v)] = DEW_ITEMS(&source->values, const float)[v];
    }
    return dew_ok();
}

static dew_Status fill_sorted(dew_ExportLiquid *liquid, const Sorting *s)
{
    const dew_Mesh *from = &liquid->mesh;
    dew_Mesh *to = &liquid->split;
    dew_mesh_clear(to);
    DEW_TRY(dew_array_resize(&to->positions, s->first[liquid->drop_count]));
    DEW_TRY(dew_array_resize(&to->triangles, from->triangles.count));
    for (int64_t v = 0; v < from->positions.count; v++)
        if (sorted_place(s, v) >= 0)
            DEW_ITEMS(&to->positions, dew_Vec3)[sorted_place(s, v)] = dew_mesh_positions(from)[v];
    DEW_TRY(sort_attributes(from, s, to));
    int64_t *next = s->first_triangle;  // moves on to that of the drop behind
    for (int64_t t = 0; t < from->triangles.count; t++) {
        const uint32_t *v = dew_mesh_triangles(from)[t].v;
        DEW_ITEMS(&to->triangles, dew_Triangle)
        [next[s->drop[v[0]]]++] = (dew_Triangle){{s->place[v[0]], s->place[v[1]], s->place[v[2]]}};
    }
    return dew_ok();
}

static void fill_part(dew_ExportLiquid *liquid, const Sorting *s, int64_t drop,
                      dew_AnimationMesh *part)
{
    const dew_AnimationMesh *all = &liquid->stage.mesh;
    int64_t first = s->first[drop];
    int64_t first_triangle = drop > 0 ? s->first_triangle[drop - 1] : 0;
    int attribute_count = all->attribute_count;
    dew_AnimationAttribute *attributes =
        attribute_count == 0
            ? NULL
            : DEW_ITEMS(&liquid->attributes, dew_AnimationAttribute) + drop * attribute_count;
    *part = *all;
    part->vertex_count = s->first[drop + 1] - first;
    part->positions = all->positions + 3 * first;
    part->normals = all->normals ? all->normals + 3 * first : NULL;
    part->velocities = all->velocities ? all->velocities + 3 * first : NULL;
    part->triangle_count = s->first_triangle[drop] - first_triangle;
    part->triangles = all->triangles + 3 * first_triangle;
    part->attributes = attributes;
    for (int i = 0; i < attribute_count; i++) {
        attributes[i] = all->attributes[i];
        attributes[i].values += first * attributes[i].component_count;
    }
}

static dew_Status split(dew_ExportLiquid *liquid, int64_t frame)
{
    Sorting sorting;
    DEW_TRY(allocate(liquid, &sorting));
    DEW_TRY(sort(liquid, frame, &sorting));
    DEW_TRY(fill_sorted(liquid, &sorting));
    DEW_TRY(dew_export_stage_fill(&liquid->stage, &liquid->layout, &liquid->split, liquid->space));
    DEW_TRY(dew_array_resize(&liquid->parts, liquid->drop_count));
    DEW_TRY(
        dew_array_resize(&liquid->attributes, liquid->drop_count * liquid->layout.attribute_count));
    for (int64_t i = 0; i < liquid->drop_count; i++)
        fill_part(liquid, &sorting, i, &DEW_ITEMS(&liquid->parts, dew_AnimationMesh)[i]);
    return dew_ok();
}

// ---- frames ------------------------------------------------------------------------------------

static void set_state(const dew_AnimationMesh *mesh, dew_AnimationState *out)
{
    *out = (dew_AnimationState){
        .mesh = mesh, .pose = {{0, 0, 0, 1}, {0, 0, 0}}, .is_visible = mesh->vertex_count > 0};
}

dew_Status dew_export_liquid_frame(dew_ExportLiquid *liquid, int64_t frame, dew_AnimationState *out)
{
    DEW_TRY(dew_frame_mesh_load(liquid->directory, liquid->format, frame, &liquid->mesh));
    if (!liquid->ids) {
        DEW_TRY(
            dew_export_stage_fill(&liquid->stage, &liquid->layout, &liquid->mesh, liquid->space));
        set_state(&liquid->stage.mesh, out);
        return dew_ok();
    }
    DEW_TRY(split(liquid, frame));
    for (int64_t i = 0; i < liquid->drop_count; i++)
        set_state(&DEW_ITEMS(&liquid->parts, const dew_AnimationMesh)[i], &out[i]);
    return dew_ok();
}
