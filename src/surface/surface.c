// dew_Surface: its arrays, kept consistent, and derived quantities.
#include "surface/surface.h"

#include "base/status.h"
#include "geom/mesh_measure.h"
#include "geom/triangle.h"

#include <limits.h>

dew_Status dew_surface_create(const dew_Allocator *allocator, dew_Surface **out)
{
    *out = NULL;
    dew_Surface *surface = (dew_Surface *)dew_alloc(allocator, 1, sizeof(dew_Surface));
    if (!surface)
        return dew_no_memory(sizeof(dew_Surface));
    if (allocator)
        surface->allocator = *allocator;
    dew_array_init(&surface->positions, allocator, sizeof(dew_Vec3));
    dew_array_init(&surface->normals, allocator, sizeof(dew_Vec3));
    dew_array_init(&surface->velocities, allocator, sizeof(dew_Vec3));
    dew_array_init(&surface->wet, allocator, sizeof(float));
    dew_array_init(&surface->solid_normals, allocator, sizeof(dew_Vec3));
    dew_array_init(&surface->triangles, allocator, sizeof(dew_Triangle));
    dew_array_init(&surface->pieces, allocator, sizeof(uint32_t));
    dew_array_init(&surface->measures, allocator, sizeof(dew_PieceMeasure));
    dew_arena_init(&surface->scratch, allocator);
    *out = surface;
    return dew_ok();
}

void dew_surface_destroy(dew_Surface *surface)
{
    if (!surface)
        return;
    dew_array_deinit(&surface->positions);
    dew_array_deinit(&surface->normals);
    dew_array_deinit(&surface->velocities);
    dew_array_deinit(&surface->wet);
    dew_array_deinit(&surface->solid_normals);
    dew_array_deinit(&surface->triangles);
    dew_array_deinit(&surface->pieces);
    dew_array_deinit(&surface->measures);
    dew_arena_deinit(&surface->scratch);
    dew_Allocator allocator = surface->allocator;
    dew_free(&allocator, surface, sizeof(dew_Surface));
}

void dew_surface_set_images_only(dew_Surface *surface, bool is_images_only)
{
    surface->is_images_only = is_images_only;
}

int64_t dew_surface_piece_count(const dew_Surface *surface)
{
    return surface->piece_count;
}

int64_t dew_surface_vertex_count(const dew_Surface *surface)
{
    return surface->positions.count;
}

int64_t dew_surface_triangle_count(const dew_Surface *surface)
{
    return surface->triangles.count;
}

const dew_Vec3 *dew_surface_positions_m(const dew_Surface *surface)
{
    return DEW_ITEMS(&surface->positions, dew_Vec3);
}

const dew_Vec3 *dew_surface_normals(const dew_Surface *surface)
{
    return DEW_ITEMS(&surface->normals, dew_Vec3);
}

const dew_Vec3 *dew_surface_velocities_m_s(const dew_Surface *surface)
{
    return DEW_ITEMS(&surface->velocities, dew_Vec3);
}

const float *dew_surface_wet(const dew_Surface *surface)
{
    return DEW_ITEMS(&surface->wet, float);
}

const uint32_t *dew_surface_triangles(const dew_Surface *surface)
{
    return DEW_ITEMS(&surface->triangles, uint32_t);
}

dew_Mesh dew_surface_view(const dew_Surface *surface)
{
    return (dew_Mesh){.positions = surface->positions,
                      .triangles = surface->triangles,
                      .attributes = {.element_size = sizeof(dew_MeshAttribute)}};
}

void dew_surface_clear(dew_Surface *surface)
{
    surface->positions.count = 0;
    surface->normals.count = 0;
    surface->velocities.count = 0;
    surface->wet.count = 0;
    surface->solid_normals.count = 0;
    surface->triangles.count = 0;
    surface->pieces.count = 0;
    surface->measures.count = 0;
    surface->piece_count = 0;
}

static dew_Status resize_vertices(dew_Surface *surface, int64_t count)
{
    DEW_TRY(dew_array_resize(&surface->positions, count));
    DEW_TRY(dew_array_resize(&surface->normals, count));
    DEW_TRY(dew_array_resize(&surface->velocities, count));
    DEW_TRY(dew_array_resize(&surface->wet, count));
    DEW_TRY(dew_array_resize(&surface->solid_normals, count));
    return dew_array_resize(&surface->pieces, count);
}

dew_Status dew_surface_resize(dew_Surface *surface, int64_t vertex_count, int64_t triangle_count)
{
    if (vertex_count > UINT32_MAX || triangle_count > UINT32_MAX)
        return dew_fail(DEW_UNSUPPORTED,
                        "a surface of %lld vertices and %lld triangles is too large (at most "
                        "4294967295 of each)",
                        (long long)vertex_count, (long long)triangle_count);
    DEW_TRY(resize_vertices(surface, vertex_count));
    return dew_array_resize(&surface->triangles, triangle_count);
}

dew_Status dew_surface_append_mesh(dew_Surface *surface, const dew_Mesh *mesh,
                                   dew_Vec3 velocity_m_s)
{
    int64_t first = surface->positions.count, first_triangle = surface->triangles.count;
    DEW_TRY(dew_surface_resize(surface, first + mesh->positions.count,
                               first_triangle + mesh->triangles.count));
    for (int64_t i = 0; i < mesh->positions.count; i++) {
        DEW_ITEMS(&surface->positions, dew_Vec3)[first + i] = dew_mesh_positions(mesh)[i];
        DEW_ITEMS(&surface->velocities, dew_Vec3)[first + i] = velocity_m_s;
    }
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        dew_Triangle triangle = dew_mesh_triangles(mesh)[t];
        for (int i = 0; i < 3; i++)
            triangle.v[i] += (uint32_t)first;
        DEW_ITEMS(&surface->triangles, dew_Triangle)[first_triangle + t] = triangle;
    }
    return dew_ok();
}

dew_Status dew_surface_label_pieces(dew_Surface *surface)
{
    DEW_TRY(resize_vertices(surface, surface->positions.count));
    dew_Mesh view = dew_surface_view(surface);
    int64_t count = dew_mesh_components(&view, NULL, DEW_ITEMS(&surface->pieces, uint32_t));
    if (count > INT_MAX)
        return dew_fail(DEW_UNSUPPORTED, "a surface of %lld pieces is too large (at most %d)",
                        (long long)count, INT_MAX);
    surface->piece_count = (int)count;
    return dew_ok();
}

static dew_Status measure_pieces(dew_Surface *surface)
{
    dew_arena_clear(&surface->scratch);
    return dew_surface_measure_pieces(surface, &surface->scratch);
}

dew_Status dew_surface_finish(dew_Surface *surface)
{
    dew_stage_end(surface->clock, DEW_SURFACE_MESH);
    DEW_TRY(dew_surface_label_pieces(surface));
    DEW_TRY(measure_pieces(surface));
    if (surface->is_images_only)
        return dew_ok();
    dew_Mesh view = dew_surface_view(surface);
    dew_mesh_vertex_normals(&view, DEW_ITEMS(&surface->normals, dew_Vec3));
    return dew_surface_find_contact_lines(surface, &surface->scratch);
}

static void find_plain_normals(dew_Surface *surface, dew_PlainNormals which)
{
    const dew_Vec3 *x = DEW_ITEMS(&surface->positions, dew_Vec3);
    dew_Vec3 *normals = DEW_ITEMS(&surface->normals, dew_Vec3);
    for (int64_t v = 0; v < surface->positions.count; v++)
        normals[v] = dew_vec(0, 0, 0);
    for (int64_t t = 0; t < surface->triangles.count; t++) {
        const uint32_t *v = DEW_ITEMS(&surface->triangles, dew_Triangle)[t].v;
        dew_Vec3 n = dew_triangle_normal(x[v[0]], x[v[1]], x[v[2]]);
        n = which == DEW_NORMALS_EVEN ? dew_normalize(n) : n;
        for (int c = 0; c < 3; c++)
            normals[v[c]] = dew_add(normals[v[c]], n);
    }
    for (int64_t v = 0; v < surface->positions.count; v++)
        normals[v] = dew_normalize(normals[v]);
}

dew_Status dew_surface_finish_plain(dew_Surface *surface, dew_PlainNormals which, bool has_labels)
{
    dew_stage_end(surface->clock, DEW_SURFACE_MESH);
    DEW_TRY(has_labels ? resize_vertices(surface, surface->positions.count)
                       : dew_surface_label_pieces(surface));
    DEW_TRY(measure_pieces(surface));
    if (surface->is_images_only)
        return dew_ok();
    find_plain_normals(surface, which);
    dew_surface_find_wet_areas(surface);
    return dew_ok();
}

// One component of an array of vectors as an attribute.
static dew_Status put_component(dew_Mesh *mesh, const char *name, const dew_Array *vectors,
                                int axis)
{
    float *values = NULL;
    DEW_TRY(dew_mesh_attribute(mesh, name, &values));
    for (int64_t i = 0; i < vectors->count && i < mesh->positions.count; i++) {
        dew_Vec3 v = DEW_ITEMS(vectors, dew_Vec3)[i];
        values[i] = (float)(axis == 0 ? v.x : axis == 1 ? v.y : v.z);
    }
    return dew_ok();
}

dew_Status dew_surface_to_mesh(const dew_Surface *surface, dew_Mesh *out)
{
    static const char *const normal_name[3] = {"nx", "ny", "nz"};
    static const char *const velocity_name[3] = {"vx", "vy", "vz"};
    dew_mesh_clear(out);
    DEW_TRY(dew_array_copy(&out->positions, &surface->positions));
    DEW_TRY(dew_array_copy(&out->triangles, &surface->triangles));
    for (int axis = 0; axis < 3; axis++)
        DEW_TRY(put_component(out, normal_name[axis], &surface->normals, axis));
    for (int axis = 0; axis < 3; axis++)
        DEW_TRY(put_component(out, velocity_name[axis], &surface->velocities, axis));
    float *wet = NULL;
    DEW_TRY(dew_mesh_attribute(out, "wet", &wet));
    for (int64_t i = 0; i < surface->wet.count && i < out->positions.count; i++)
        wet[i] = DEW_ITEMS(&surface->wet, float)[i];
    return dew_ok();
}
