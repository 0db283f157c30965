// What a drop's mesh wets, noted point by point.
#include "solvers/surface/drop_wetting_history.h"

#include "base/status.h"
#include "geom/remesh.h"

static dew_Status note_point(dew_WetGround *ground, const dew_Problem *problem,
                             const dew_Instant *instant, dew_Vec3 x)
{
    dew_SolidPoint p = dew_problem_nearest(problem, instant, x, ground->cube_m);
    if (p.solid_id == DEW_INVALID)
        return dew_ok();
    dew_Vec3 rest = dew_problem_to_rest(problem, instant, p.solid_id, p.point_m);
    return dew_wet_ground_put(ground, p.solid_id, rest, instant->time_s);
}

/// A wetted triangle, by points no farther apart than a cube.
static dew_Status note_triangle(dew_WetGround *ground, const dew_Problem *problem,
                                const dew_Instant *instant, const dew_Vec3 p[3])
{
    double longest =
        fmax(dew_distance(p[0], p[1]), fmax(dew_distance(p[1], p[2]), dew_distance(p[2], p[0])));
    int parts = (int)fmin(fmax(ceil(longest / ground->cube_m), 1), 16);
    for (int i = 0; i <= parts; i++)
        for (int j = 0; j <= parts - i; j++) {
            double a = (double)i / parts, b = (double)j / parts;
            dew_Vec3 x = dew_add_scaled(dew_combine(a, p[0], b, p[1]), 1 - a - b, p[2]);
            DEW_TRY(note_point(ground, problem, instant, x));
        }
    return dew_ok();
}

dew_Status dew_drop_note_wet_ground(dew_WetGround *ground, const dew_Problem *problem,
                                    const dew_Instant *instant, const dew_DropView *drop)
{
    for (int64_t k = 0; k < drop->counts.triangle_count; k++) {
        const uint32_t *v = drop->triangles[k].v;
        dew_Vec3 p[3];
        bool is_wet = true;
        for (int c = 0; c < 3; c++) {
            is_wet = is_wet && (drop->labels[v[c]] & DEW_LABEL_TOUCHING);
            p[c] = drop->positions[v[c]];
        }
        if (is_wet)
            DEW_TRY(note_triangle(ground, problem, instant, p));
    }
    return dew_ok();
}
