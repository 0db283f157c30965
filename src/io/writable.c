// Checks of a mesh before it is written.
#include "io/writable.h"
#include "base/status.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

static dew_Status check_positions(const dew_Mesh *mesh, bool has_double_positions)
{
    const dew_Vec3 *p = dew_mesh_positions(mesh);
    // Half a step beyond FLT_MAX still rounds to it, but so close to the edge an error is no loss.
    double limit = has_double_positions ? DBL_MAX : (double)FLT_MAX;
    for (int64_t i = 0; i < mesh->positions.count; i++) {
        if (!dew_vec_is_finite(p[i]))
            return dew_fail(DEW_BAD_INPUT, "vertex %lld is not finite", (long long)i);
        if (!(fabs(p[i].x) <= limit && fabs(p[i].y) <= limit && fabs(p[i].z) <= limit))
            return dew_fail(
                DEW_BAD_INPUT,
                "vertex %lld at (%g, %g, %g) is beyond single precision (write doubles)",
                (long long)i, p[i].x, p[i].y, p[i].z);
    }
    return dew_ok();
}

static dew_Status check_triangles(const dew_Mesh *mesh)
{
    const dew_Triangle *t = dew_mesh_triangles(mesh);
    int64_t n = mesh->positions.count;
    if (n > UINT32_MAX)
        return dew_fail(DEW_BAD_INPUT, "%lld vertices are more than 32 bits can name",
                        (long long)n);
    for (int64_t i = 0; i < mesh->triangles.count; i++) {
        if (t[i].v[0] >= n || t[i].v[1] >= n || t[i].v[2] >= n)
            return dew_fail(DEW_BAD_INPUT, "triangle %lld has a corner out of range (0 to %lld)",
                            (long long)i, (long long)n - 1);
    }
    return dew_ok();
}

static bool name_is_plain(const char *name)
{
    if (!*name || !strcmp(name, "x") || !strcmp(name, "y") || !strcmp(name, "z"))
        return false;
    for (const char *p = name; *p; p++) {
        if (*p <= ' ' || *p > '~')
            return false;
    }
    return true;
}

static dew_Status check_attributes(const dew_Mesh *mesh)
{
    const dew_MeshAttribute *a = DEW_ITEMS(&mesh->attributes, const dew_MeshAttribute);
    for (int64_t i = 0; i < mesh->attributes.count; i++) {
        if (!name_is_plain(a[i].name))
            return dew_fail(DEW_BAD_INPUT,
                            "'%s' cannot be the name of an attribute (printable ASCII without "
                            "spaces, not x, y, z)",
                            a[i].name);
        if (a[i].values.count != mesh->positions.count)
            return dew_fail(DEW_BAD_INPUT, "attribute '%s' has %lld values for %lld vertices",
                            a[i].name, (long long)a[i].values.count,
                            (long long)mesh->positions.count);
    }
    return dew_ok();
}

dew_Status dew_mesh_check_writable(const dew_Mesh *mesh, bool has_double_positions)
{
    DEW_TRY(check_positions(mesh, has_double_positions));
    DEW_TRY(check_triangles(mesh));
    return check_attributes(mesh);
}

bool dew_mesh_normals(const dew_Mesh *mesh, const float *normals[3])
{
    normals[0] = dew_mesh_find_attribute(mesh, "nx");
    normals[1] = dew_mesh_find_attribute(mesh, "ny");
    normals[2] = dew_mesh_find_attribute(mesh, "nz");
    return normals[0] && normals[1] && normals[2];
}

void dew_say_lost_attributes(const dew_Mesh *mesh, const dew_MeshSaveDef *def, const char *format,
                             bool keeps_normals)
{
    const float *normals[3];
    bool has_normals = keeps_normals && dew_mesh_normals(mesh, normals);
    const dew_MeshAttribute *a = DEW_ITEMS(&mesh->attributes, const dew_MeshAttribute);
    char message[DEW_MESSAGE_SIZE];
    size_t length = 0;
    for (int64_t i = 0; i < mesh->attributes.count; i++) {
        const char *name = a[i].name;
        bool is_normal = !strcmp(name, "nx") || !strcmp(name, "ny") || !strcmp(name, "nz");
        if ((is_normal && has_normals) || length > sizeof message - 100)
            continue;
        int n = snprintf(message + length, sizeof message - length, "%s%s", length > 0 ? ", " : "",
                         name);
        length += (size_t)n;
    }
    if (length == 0 || !def->log.write)
        return;
    snprintf(message + length, sizeof message - length, ": %s has no place for them; left out",
             format);
    dew_log_line(&def->log, DEW_LOG_WARNING, message);
}
