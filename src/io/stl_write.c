// Writes a mesh as STL [Stereolithography1988]: binary, or text.
#include "io/scalar.h"
#include "io/stl.h"
#include "io/writable.h"

// Unit normal by the order of the corners; zero for a triangle without area, as the format asks.
static dew_Vec3 normal_of(const dew_Vec3 corners[3])
{
    dew_Vec3 a = dew_sub(corners[1], corners[0]), b = dew_sub(corners[2], corners[0]);
    // Scaled first: the product of two edges may leave the range of doubles.
    double size = fmax(fmax(fmax(fabs(a.x), fabs(a.y)), fabs(a.z)),
                       fmax(fmax(fabs(b.x), fabs(b.y)), fabs(b.z)));
    if (!(size > 0) || !isfinite(size))
        return dew_vec(0, 0, 0);
    double s = 1 / size;
    if (!isfinite(s))
        return dew_vec(0, 0, 0);
    return dew_normalize(dew_cross(dew_scale(s, a), dew_scale(s, b)));
}

static void put_vector(uint8_t *at, dew_Vec3 p)
{
    dew_bytes_put_float(at, (float)p.x);
    dew_bytes_put_float(at + 4, (float)p.y);
    dew_bytes_put_float(at + 8, (float)p.z);
}

static void write_binary(const dew_Mesh *mesh, dew_Sink *sink)
{
    const dew_Vec3 *positions = dew_mesh_positions(mesh);
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    uint8_t header[84] = "binary STL written by Dew " DEW_VERSION;  // must not begin with `solid`
    dew_bytes_put32(header + 80, (uint32_t)mesh->triangles.count);
    dew_sink_write(sink, header, sizeof header);
    for (int64_t i = 0; i < mesh->triangles.count; i++) {
        uint8_t bytes[50] = {0};
        dew_Vec3 corners[3];
        for (int k = 0; k < 3; k++) {
            corners[k] = positions[triangles[i].v[k]];
            put_vector(bytes + 12 + 12 * k, corners[k]);
        }
        put_vector(bytes, normal_of(corners));
        dew_sink_write(sink, bytes, sizeof bytes);
    }
}

static void write_vector(dew_Vec3 v, bool has_doubles, dew_Sink *sink)
{
    double x[3] = {v.x, v.y, v.z};
    for (int axis = 0; axis < 3; axis++) {
        dew_sink_text(sink, " ");
        if (has_doubles)
            dew_sink_double(sink, x[axis]);
        else
            dew_sink_float(sink, (float)x[axis]);
    }
    dew_sink_text(sink, "\n");
}

static void write_text(const dew_Mesh *mesh, bool has_doubles, dew_Sink *sink)
{
    const dew_Vec3 *positions = dew_mesh_positions(mesh);
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    dew_sink_text(sink, "solid dew\n");
    for (int64_t i = 0; i < mesh->triangles.count; i++) {
        dew_Vec3 corners[3];
        for (int k = 0; k < 3; k++)
            corners[k] = positions[triangles[i].v[k]];
        dew_sink_text(sink, "facet normal");
        write_vector(normal_of(corners), false, sink);
        dew_sink_text(sink, "outer loop\n");
        for (int k = 0; k < 3; k++) {
            dew_sink_text(sink, "vertex");
            write_vector(corners[k], has_doubles, sink);
        }
        dew_sink_text(sink, "endloop\nendfacet\n");
    }
    dew_sink_text(sink, "endsolid dew\n");
}

dew_Status dew_stl_write(const dew_Mesh *mesh, const dew_MeshSaveDef *def, dew_Sink *sink)
{
    bool has_doubles = def->is_text && def->has_double_positions;
    DEW_TRY(dew_mesh_check_writable(mesh, has_doubles));
    if (mesh->triangles.count > UINT32_MAX)
        return dew_fail(DEW_BAD_INPUT, "%lld triangles are more than STL can count",
                        (long long)mesh->triangles.count);
    dew_say_lost_attributes(mesh, def, "STL", false);
    if (def->is_text)
        write_text(mesh, has_doubles, sink);
    else
        write_binary(mesh, sink);
    return dew_ok();
}
