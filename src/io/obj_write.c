// Writes a mesh as OBJ [Wavefront1992]: positions, normals when there are any, triangles.
#include "io/obj.h"
#include "io/writable.h"

static void write_vertices(const dew_Mesh *mesh, bool has_doubles, dew_Sink *sink)
{
    const dew_Vec3 *positions = dew_mesh_positions(mesh);
    for (int64_t i = 0; i < mesh->positions.count; i++) {
        double p[3] = {positions[i].x, positions[i].y, positions[i].z};
        dew_sink_text(sink, "v");
        for (int axis = 0; axis < 3; axis++) {
            dew_sink_text(sink, " ");
            if (has_doubles)
                dew_sink_double(sink, p[axis]);
            else
                dew_sink_float(sink, (float)p[axis]);
        }
        dew_sink_text(sink, "\n");
    }
}

static void write_normals(const dew_Mesh *mesh, const float *const normals[3], dew_Sink *sink)
{
    for (int64_t i = 0; i < mesh->positions.count; i++) {
        dew_sink_text(sink, "vn");
        for (int axis = 0; axis < 3; axis++) {
            dew_sink_text(sink, " ");
            dew_sink_float(sink, normals[axis][i]);
        }
        dew_sink_text(sink, "\n");
    }
}

static void write_faces(const dew_Mesh *mesh, bool has_normals, dew_Sink *sink)
{
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    for (int64_t i = 0; i < mesh->triangles.count; i++) {
        dew_sink_text(sink, "f");
        for (int k = 0; k < 3; k++) {
            int64_t index = (int64_t)triangles[i].v[k] + 1;
            dew_sink_text(sink, " ");
            dew_sink_integer(sink, index);
            if (has_normals) {
                dew_sink_text(sink, "//");
                dew_sink_integer(sink, index);
            }
        }
        dew_sink_text(sink, "\n");
    }
}

dew_Status dew_obj_write(const dew_Mesh *mesh, const dew_MeshSaveDef *def, dew_Sink *sink)
{
    DEW_TRY(dew_mesh_check_writable(mesh, def->has_double_positions));
    dew_say_lost_attributes(mesh, def, "OBJ", true);
    const float *normals[3];
    bool has_normals = dew_mesh_normals(mesh, normals);
    dew_sink_text(sink, "# written by Dew " DEW_VERSION "\n");
    write_vertices(mesh, def->has_double_positions, sink);
    if (has_normals)
        write_normals(mesh, normals, sink);
    write_faces(mesh, has_normals, sink);
    return dew_ok();
}
