// The Surface of the balls: one icosphere each.
//
// An icosahedron with each edge in four (162 vertices, 320 triangles), scaled so that the polyhedron has the
// ball's volume: what is summed over the triangles then agrees with the ball. Its vertices lie 1.3 %
// outside the ball.
#include "base/status.h"
#include "geom/shapes.h"
#include "solvers/rigid/rigid_state.h"
#include "surface/surface.h"

#include <string.h>

#define CHUNK     16
#define FREQUENCY 4     // parts of an icosahedron's edge
#define WET_REACH 0.02  // of the radius: a vertex this near to the solid touches it

static double enclosed_volume(const dew_BallShape *shape)
{
    double six = 0;
    for (int i = 0; i < DEW_BALL_TRIANGLES; i++) {
        const uint32_t *v = shape->triangle[i].v;
        six += dew_inner(shape->vertex[v[0]], dew_cross(shape->vertex[v[1]], shape->vertex[v[2]]));
    }
    return six / 6;
}

dew_Status dew_ball_shape_init(dew_BallShape *shape, const dew_Allocator *allocator)
{
    dew_Mesh mesh;
    dew_mesh_init(&mesh, allocator);
    dew_Status status = dew_shape_icosphere(1, FREQUENCY, &mesh);
    if (status.code == DEW_OK) {
        DEW_ASSERT(mesh.positions.count == DEW_BALL_VERTICES);
        DEW_ASSERT(mesh.triangles.count == DEW_BALL_TRIANGLES);
        memcpy(shape->vertex, mesh.positions.data, sizeof shape->vertex);
        memcpy(shape->triangle, mesh.triangles.data, sizeof shape->triangle);
        double scale = cbrt(dew_ball_volume(1) / enclosed_volume(shape));
        for (int i = 0; i < DEW_BALL_VERTICES; i++)
            shape->vertex[i] = dew_scale(scale, shape->vertex[i]);
    }
    dew_mesh_deinit(&mesh);
    return status;
}

typedef struct Fill {
    const dew_Problem *problem;
    const dew_SolverState *state;
    const dew_Moment *moment;
    dew_Surface *out;
} Fill;

static void fill_ball(const Fill *fill, int64_t i)
{
    const dew_SolverState *state = fill->state;
    dew_Vec3 x = DEW_ITEMS(&state->position, dew_Vec3)[i];
    dew_Vec3 v = DEW_ITEMS(&state->velocity, dew_Vec3)[i];
    dew_Vec3 w = DEW_ITEMS(&state->spin, dew_Vec3)[i];
    double r = DEW_ITEMS(&state->radius, double)[i];
    dew_SolidPoint p = dew_problem_nearest(fill->problem, fill->moment, x, 2 * r);
    int64_t first = i * DEW_BALL_VERTICES;
    for (int64_t k = 0; k < DEW_BALL_VERTICES; k++) {
        dew_Vec3 arm = dew_scale(r, state->shape.vertex[k]);
        DEW_ITEMS(&fill->out->positions, dew_Vec3)[first + k] = dew_add(x, arm);
        DEW_ITEMS(&fill->out->velocities, dew_Vec3)[first + k] = dew_add(v, dew_cross(w, arm));
        bool is_wet = p.distance_m + dew_inner(arm, p.normal) <= WET_REACH * r;
        DEW_ITEMS(&fill->out->wet, float)[first + k] = is_wet ? 1.0F : 0.0F;
        if (is_wet)
            DEW_ITEMS(&fill->out->solid_normals, dew_Vec3)[first + k] = p.normal;
    }
    for (int64_t k = 0; k < DEW_BALL_TRIANGLES; k++)
        for (int c = 0; c < 3; c++)
            DEW_ITEMS(&fill->out->triangles, dew_Triangle)
    [i * DEW_BALL_TRIANGLES + k].v[c] = (uint32_t)first + state->shape.triangle[k].v[c];
}

static dew_Status fill_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    for (int64_t i = begin; i < end; i++)
        fill_ball(context, i);
    return dew_ok();
}

dew_Status dew_rigid_surface(const dew_Problem *problem, const dew_SolverState *state,
                             const dew_Moment *moment, dew_Surface *out)
{
    int64_t count = dew_ball_count(state);
    dew_surface_clear(out);
    if (count > UINT32_MAX / DEW_BALL_VERTICES)
        return dew_fail(DEW_UNSUPPORTED,
                        "%lld balls have too many vertices for one surface (at most %lld)",
                        (long long)count, (long long)(UINT32_MAX / DEW_BALL_VERTICES));
    DEW_TRY(dew_surface_resize(out, count * DEW_BALL_VERTICES, count * DEW_BALL_TRIANGLES));
    Fill fill = {problem, state, moment, out};
    DEW_TRY(dew_parallel_for(state->tasks, count, CHUNK, fill_chunk, &fill));
    return dew_surface_finish(out);
}
