// Blobs to one Surface, with wet flags by distance to the solids.
#include "problem/poured.h"

#include "base/status.h"

#include <math.h>

#define EDGE  0.05               // of a piece's size, the cube root of its volume
#define MANY  200                // pieces from which on they are coarser
#define TOUCH (EDGE * EDGE / 8)  // of a piece's size: the height of an arc over an edge

static dew_Status add_blob(const dew_Problem *problem, const dew_Instant *instant,
                           const dew_Blob *blob, double edge, dew_Mesh *mesh, dew_Surface *out)
{
    double size = cbrt(blob->volume_m3);
    int64_t first = out->positions.count;
    DEW_TRY(dew_blob_mesh(problem, blob, edge * size, mesh));
    DEW_TRY(dew_surface_append_mesh(out, mesh, blob->velocity_m_s));
    for (int64_t i = first; i < out->positions.count; i++) {
        dew_Vec3 p = DEW_ITEMS(&out->positions, dew_Vec3)[i];
        double distance = dew_problem_distance(problem, instant, p, TOUCH * size);
        DEW_ITEMS(&out->wet, float)[i] = distance <= TOUCH * size;
    }
    return dew_ok();
}

dew_Status dew_problem_poured(const dew_Problem *problem, const dew_Instant *instant,
                              dew_Surface *out)
{
    int64_t count = dew_problem_blob_count(problem);
    double edge = EDGE * sqrt(fmax(1, (double)count / MANY));
    dew_Mesh mesh;
    dew_mesh_init(&mesh, &out->allocator);
    dew_surface_clear(out);
    dew_Status status = dew_ok();
    for (int64_t i = 0; i < count && status.code == DEW_OK; i++)
        status = add_blob(problem, instant, dew_problem_blob(problem, i), edge, &mesh, out);
    dew_mesh_deinit(&mesh);
    return status.code == DEW_OK ? dew_surface_finish(out) : status;
}
