// A Surface from the mesh that a frame file holds.
#include "surface/surface.h"

static dew_Status check_corners(const dew_Mesh *mesh)
{
    for (int64_t t = 0; t < mesh->triangles.count; t++)
        for (int i = 0; i < 3; i++)
            if (dew_mesh_triangles(mesh)[t].v[i] >= mesh->positions.count)
                return dew_fail(DEW_BAD_INPUT,
                                "triangle %lld has a corner out of range (0 to %lld)", (long long)t,
                                (long long)mesh->positions.count - 1);
    return dew_ok();
}

// A number that is none counts as zero: it is only looked at.
static double value_at(const float *values, int64_t i)
{
    return values && isfinite(values[i]) ? (double)values[i] : 0;
}

dew_Status dew_surface_from_mesh(const dew_Mesh *mesh, dew_Surface *out)
{
    int64_t count = mesh->positions.count;
    DEW_TRY(check_corners(mesh));
    dew_surface_clear(out);
    DEW_TRY(dew_surface_resize(out, count, mesh->triangles.count));
    const float *vx = dew_mesh_find_attribute(mesh, "vx"),
                *wet = dew_mesh_find_attribute(mesh, "wet");
    const float *vy = dew_mesh_find_attribute(mesh, "vy"),
                *vz = dew_mesh_find_attribute(mesh, "vz");
    for (int64_t i = 0; i < count; i++) {
        DEW_ITEMS(&out->positions, dew_Vec3)[i] = dew_mesh_positions(mesh)[i];
        DEW_ITEMS(&out->velocities, dew_Vec3)
        [i] = dew_vec(value_at(vx, i), value_at(vy, i), value_at(vz, i));
        DEW_ITEMS(&out->wet, float)[i] = (float)value_at(wet, i);
    }
    for (int64_t t = 0; t < mesh->triangles.count; t++)
        DEW_ITEMS(&out->triangles, dew_Triangle)[t] = dew_mesh_triangles(mesh)[t];
    return dew_surface_finish(out);
}
