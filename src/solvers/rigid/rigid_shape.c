// The Surface of the balls: one icosphere each.
//
// An icosahedron subdivided twice (162 vertices, 320 triangles), scaled so that the polyhedron has the
// ball's volume: what is summed over the triangles then agrees with the ball. Its vertices lie 1.3 %
// outside the ball.
#include "solvers/rigid/rigid_state.h"
#include "surface/surface.h"

#define CHUNK     16
#define WET_REACH 0.02  // of the radius: a vertex this near to the solid touches it

/// The edges that have a vertex half-way already.
typedef struct Midpoints {
    uint32_t edge[120][3];  // lower vertex, upper vertex, their midpoint; 120 at the second level
    int count;
} Midpoints;

/// The vertex half-way between two, made when it is not there yet.
static uint32_t midpoint(dew_BallShape *shape, uint32_t *vertex_count, Midpoints *made, uint32_t a,
                         uint32_t b)
{
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    for (int i = 0; i < made->count; i++)
        if (made->edge[i][0] == low && made->edge[i][1] == high)
            return made->edge[i][2];
    uint32_t m = (*vertex_count)++;
    shape->vertex[m] = dew_normalize(dew_add(shape->vertex[low], shape->vertex[high]));
    made->edge[made->count][0] = low;
    made->edge[made->count][1] = high;
    made->edge[made->count++][2] = m;
    return m;
}

/// Each triangle into four. From the last to the first, so that it can be done in place.
static void subdivide(dew_BallShape *shape, uint32_t *vertex_count, int *triangle_count)
{
    Midpoints made = {.count = 0};
    for (int i = *triangle_count; i-- > 0;) {
        dew_Triangle t = shape->triangle[i];
        uint32_t ab = midpoint(shape, vertex_count, &made, t.v[0], t.v[1]);
        uint32_t bc = midpoint(shape, vertex_count, &made, t.v[1], t.v[2]);
        uint32_t ca = midpoint(shape, vertex_count, &made, t.v[2], t.v[0]);
        shape->triangle[4 * i + 0] = (dew_Triangle){{t.v[0], ab, ca}};
        shape->triangle[4 * i + 1] = (dew_Triangle){{t.v[1], bc, ab}};
        shape->triangle[4 * i + 2] = (dew_Triangle){{t.v[2], ca, bc}};
        shape->triangle[4 * i + 3] = (dew_Triangle){{ab, bc, ca}};
    }
    *triangle_count *= 4;
}

static double enclosed_volume(const dew_BallShape *shape)
{
    double six = 0;
    for (int i = 0; i < DEW_BALL_TRIANGLES; i++) {
        const uint32_t *v = shape->triangle[i].v;
        six += dew_inner(shape->vertex[v[0]], dew_cross(shape->vertex[v[1]], shape->vertex[v[2]]));
    }
    return six / 6;
}

void dew_ball_shape_init(dew_BallShape *shape)
{
    // The icosahedron: three golden rectangles at right angles.
    double p = 0.5 * (1 + sqrt(5.0));
    const dew_Vec3 corner[12] = {{-1, p, 0}, {1, p, 0}, {-1, -p, 0}, {1, -p, 0},
                                 {0, -1, p}, {0, 1, p}, {0, -1, -p}, {0, 1, -p},
                                 {p, 0, -1}, {p, 0, 1}, {-p, 0, -1}, {-p, 0, 1}};
    static const dew_Triangle face[20] = {{{0, 11, 5}},  {{0, 5, 1}},  {{0, 1, 7}},  {{0, 7, 10}},
                                          {{0, 10, 11}}, {{1, 5, 9}},  {{5, 11, 4}}, {{11, 10, 2}},
                                          {{10, 7, 6}},  {{7, 1, 8}},  {{3, 9, 4}},  {{3, 4, 2}},
                                          {{3, 2, 6}},   {{3, 6, 8}},  {{3, 8, 9}},  {{4, 9, 5}},
                                          {{2, 4, 11}},  {{6, 2, 10}}, {{8, 6, 7}},  {{9, 8, 1}}};
    for (int i = 0; i < 12; i++)
        shape->vertex[i] = dew_normalize(corner[i]);
    for (int i = 0; i < 20; i++)
        shape->triangle[i] = face[i];
    uint32_t vertex_count = 12;
    int triangle_count = 20;
    subdivide(shape, &vertex_count, &triangle_count);
    subdivide(shape, &vertex_count, &triangle_count);
    double scale = cbrt(dew_ball_volume(1) / enclosed_volume(shape));
    for (int i = 0; i < DEW_BALL_VERTICES; i++)
        shape->vertex[i] = dew_scale(scale, shape->vertex[i]);
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
