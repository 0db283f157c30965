// Particles as a cloud of points: per point vx, vy, vz (m/s) and id, which as a float is exact
// below 2^24.
#include "run/particle_frame.h"

#include "base/status.h"
#include "grid/sample.h"
#include "run/frame.h"

// A particle's own velocity, or that of the grid where it has none.
static dew_Vec3 velocity_of(const dew_ParticleView *view, const dew_GridView *grid, int64_t n,
                            dew_Vec3 x)
{
    dew_Vec3 v = {0};
    if (!view->velocity_m_s) {
        if (grid->grid)
            dew_grid_sample_velocity(grid->grid, grid->u, x, &v);
        return v;
    }
    const double *u = view->velocity_m_s + n * view->velocity_stride;
    return dew_vec(u[0], u[1], u[2]);
}

static dew_Status fill(dew_ParticleView view, dew_GridView grid, dew_Mesh *mesh)
{
    float *values[4];
    static const char *const names[4] = {"vx", "vy", "vz", "id"};
    DEW_TRY(dew_array_resize(&mesh->positions, view.count));
    for (int k = 0; k < 4; k++)
        DEW_TRY(dew_mesh_attribute(mesh, names[k], &values[k]));
    for (int64_t n = 0; n < view.count; n++) {
        dew_Vec3 x = dew_vec(view.axis_m[0][n], view.axis_m[1][n], view.axis_m[2][n]);
        dew_Vec3 v = velocity_of(&view, &grid, n, x);
        DEW_ITEMS(&mesh->positions, dew_Vec3)[n] = x;
        values[0][n] = (float)v.x;
        values[1][n] = (float)v.y;
        values[2][n] = (float)v.z;
        values[3][n] = (float)view.ids[n];
    }
    return dew_ok();
}

dew_Status dew_particle_frame_save(const dew_RunDirectory *directory, const dew_World *world,
                                   int64_t frame, dew_FrameFile *file)
{
    dew_ParticleFormat format = dew_scene_def(world->scene)->output.particles;
    if (format == DEW_PARTICLES_NONE || !world->ops->particles)
        return dew_ok();
    dew_Mesh mesh;
    dew_mesh_init(&mesh, &world->def.allocator);
    dew_GridView grid = world->ops->grid ? world->ops->grid(world->state) : (dew_GridView){0};
    dew_Status status = fill(world->ops->particles(world->state), grid, &mesh);
    if (status.code == DEW_OK)
        status = dew_frame_save_particles(directory, format, frame, dew_world_time_s(world), &mesh,
                                          file);
    dew_mesh_deinit(&mesh);
    return status;
}
