// Fills the arrays that writers of scene formats are handed.
#include "export/file_mesh.h"

#include "base/status.h"

#include <string.h>

static const char *const normal_names[3] = {"nx", "ny", "nz"};
static const char *const velocity_names[3] = {"vx", "vy", "vz"};

static bool is_one_of(const char *name, const char *const names[3])
{
    return strcmp(name, names[0]) == 0 || strcmp(name, names[1]) == 0 ||
           strcmp(name, names[2]) == 0;
}

static bool has_all(const dew_Mesh *mesh, const char *const names[3])
{
    return dew_mesh_find_attribute(mesh, names[0]) && dew_mesh_find_attribute(mesh, names[1]) &&
           dew_mesh_find_attribute(mesh, names[2]);
}

dew_Status dew_export_layout_of(const dew_Mesh *mesh, dew_Arena *arena, dew_ExportLayout *out)
{
    const dew_MeshAttribute *attributes = DEW_ITEMS(&mesh->attributes, const dew_MeshAttribute);
    int64_t count = mesh->attributes.count;
    int *components = dew_arena_array(arena, int, count + 1);
    *out = (dew_ExportLayout){.has_normals = has_all(mesh, normal_names),
                              .has_velocities = has_all(mesh, velocity_names),
                              .names = dew_arena_array(arena, const char *, count + 1),
                              .component_counts = components};
    if (!out->names || !components)
        return dew_no_memory((size_t)count * sizeof *out->names);
    for (int64_t i = 0; i < count; i++) {
        const char *name = attributes[i].name;
        if ((out->has_normals && is_one_of(name, normal_names)) ||
            (out->has_velocities && is_one_of(name, velocity_names)))
            continue;
        components[out->attribute_count] = 1;
        out->names[out->attribute_count] = dew_arena_text(arena, name, strlen(name));
        if (!out->names[out->attribute_count++])
            return dew_no_memory(strlen(name));
    }
    return dew_ok();
}

void dew_export_stage_init(dew_ExportStage *stage, const dew_Allocator *allocator)
{
    *stage = (dew_ExportStage){0};
    dew_array_init(&stage->positions, allocator, 3 * sizeof(float));
    dew_array_init(&stage->normals, allocator, 3 * sizeof(float));
    dew_array_init(&stage->velocities, allocator, 3 * sizeof(float));
    dew_array_init(&stage->values, allocator, sizeof(float));
    dew_array_init(&stage->attributes, allocator, sizeof(dew_AnimationAttribute));
}

void dew_export_stage_deinit(dew_ExportStage *stage)
{
    dew_array_deinit(&stage->positions);
    dew_array_deinit(&stage->normals);
    dew_array_deinit(&stage->velocities);
    dew_array_deinit(&stage->values);
    dew_array_deinit(&stage->attributes);
}

static void put(float *out, dew_Vec3 a)
{
    out[0] = (float)a.x;
    out[1] = (float)a.y;
    out[2] = (float)a.z;
}

static void fill_positions(dew_ExportStage *stage, const dew_Mesh *mesh, dew_ExportSpace space)
{
    float *out = DEW_ITEMS(&stage->positions, float);
    for (int64_t v = 0; v < mesh->positions.count; v++)
        put(out + 3 * v, dew_export_point(space, dew_mesh_positions(mesh)[v]));
}

// Zeroes where the mesh lacks the attributes.
static void fill_vectors(const dew_Mesh *mesh, const char *const names[3], dew_ExportSpace space,
                         float *out)
{
    const float *x = dew_mesh_find_attribute(mesh, names[0]);
    const float *y = dew_mesh_find_attribute(mesh, names[1]);
    const float *z = dew_mesh_find_attribute(mesh, names[2]);
    for (int64_t v = 0; x && y && z && v < mesh->positions.count; v++)
        put(out + 3 * v,
            dew_export_point(space, dew_vec((double)x[v], (double)y[v], (double)z[v])));
}

static dew_Status resize(dew_ExportStage *stage, const dew_ExportLayout *layout, int64_t count)
{
    dew_Array *arrays[] = {&stage->positions, &stage->normals, &stage->velocities, &stage->values,
                           &stage->attributes};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        arrays[i]->count = 0;  // so that new elements are zero
    DEW_TRY(dew_array_resize(&stage->positions, count));
    DEW_TRY(dew_array_resize(&stage->normals, layout->has_normals ? count : 0));
    DEW_TRY(dew_array_resize(&stage->velocities, layout->has_velocities ? count : 0));
    DEW_TRY(dew_array_resize(&stage->values, count * layout->attribute_count));
    return dew_array_resize(&stage->attributes, layout->attribute_count);
}

static void fill_attributes(dew_ExportStage *stage, const dew_ExportLayout *layout,
                            const dew_Mesh *mesh)
{
    int64_t count = mesh->positions.count;
    for (int i = 0; i < layout->attribute_count; i++) {
        float *values = count > 0 ? DEW_ITEMS(&stage->values, float) + i * count : NULL;
        const float *source = dew_mesh_find_attribute(mesh, layout->names[i]);
        if (source && count > 0)
            memcpy(values, source, (size_t)count * sizeof *values);
        DEW_ITEMS(&stage->attributes, dew_AnimationAttribute)
        [i] = (dew_AnimationAttribute){layout->names[i], 1, values};
    }
}

dew_Status dew_export_stage_fill(dew_ExportStage *stage, const dew_ExportLayout *layout,
                                 const dew_Mesh *mesh, dew_ExportSpace space)
{
    DEW_TRY(resize(stage, layout, mesh->positions.count));
    fill_positions(stage, mesh, space);
    if (layout->has_normals)
        fill_vectors(mesh, normal_names, (dew_ExportSpace){1, space.is_z_up},
                     DEW_ITEMS(&stage->normals, float));
    if (layout->has_velocities)
        fill_vectors(mesh, velocity_names, space, DEW_ITEMS(&stage->velocities, float));
    fill_attributes(stage, layout, mesh);
    _Static_assert(sizeof(dew_Triangle) == 3 * sizeof(uint32_t), "a triangle is three indices");
    stage->mesh =
        (dew_AnimationMesh){.vertex_count = mesh->positions.count,
                            .positions = stage->positions.data,
                            .normals = layout->has_normals ? stage->normals.data : NULL,
                            .velocities = layout->has_velocities ? stage->velocities.data : NULL,
                            .triangle_count = mesh->triangles.count,
                            .triangles = mesh->triangles.data,
                            .attribute_count = layout->attribute_count,
                            .attributes = stage->attributes.data};
    return dew_ok();
}
