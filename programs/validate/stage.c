// Scenes of cases, and what is seen of the liquid.
//
// Volume, centre and second moments are integrals over the tetrahedra between the triangles and a
// point near the drop, exact for the polyhedron.
#include "validate/stage.h"

#include "support/vec.h"

#include <math.h>

#define SMALLEST_PART 0.01  // of the volume, to be counted as a piece

static dew_Status make(dew_Stage *stage, dew_SceneBuilder *builder)
{
    dew_WorldDef def = dew_default_world_def();
    DEW_TRY(dew_build_end(builder, &stage->scene));
    DEW_TRY(dew_world_create(stage->scene, &def, &stage->world));
    return dew_surface_create(NULL, &stage->surface);
}

dew_Status dew_stage_open(dew_Stage *stage, dew_SceneBuilder *builder)
{
    *stage = (dew_Stage){0};
    dew_Status status = make(stage, builder);
    if (status.code != DEW_OK)
        dew_stage_close(stage);
    return status;
}

void dew_stage_close(dew_Stage *stage)
{
    dew_surface_destroy(stage->surface);
    dew_world_destroy(stage->world);
    dew_scene_destroy(stage->scene);
    *stage = (dew_Stage){0};
}

dew_Status dew_stage_run(dew_SceneBuilder *builder, double time_s, dew_Stats *stats)
{
    dew_Stage stage;
    DEW_TRY(dew_stage_open(&stage, builder));
    dew_Status status = dew_world_step_to(stage.world, time_s);
    dew_world_stats(stage.world, stats);
    dew_stage_close(&stage);
    return status;
}

// ---- boxes --------------------------------------------------------------------------------------

typedef struct Box {
    dew_Vec3 min, max;
} Box;

static Box empty_box(void)
{
    return (Box){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
}

static Box add_point(Box box, dew_Vec3 p)
{
    return (Box){{fmin(box.min.x, p.x), fmin(box.min.y, p.y), fmin(box.min.z, p.z)},
                 {fmax(box.max.x, p.x), fmax(box.max.y, p.y), fmax(box.max.z, p.z)}};
}

static dew_Vec3 middle_of(Box box)
{
    return dew_v3_scale(0.5, dew_v3_add(box.min, box.max));
}

// ---- what is seen ------------------------------------------------------------------------------

// Moments of a tetrahedron (0, a, b, c): integrals of 1, x and x^2 per component.
static void add_tetrahedron(dew_View *view, dew_Vec3 a, dew_Vec3 b, dew_Vec3 c)
{
    double volume = dew_v3_inner(a, dew_v3_cross(b, c)) / 6;
    dew_Vec3 sum = dew_v3_add(dew_v3_add(a, b), c);
    view->volume_m3 += volume;
    view->center_m = dew_v3_add_scaled(view->center_m, volume / 4, sum);
    double w = volume / 20;
    view->moment_xx_m2 += w * (a.x * a.x + b.x * b.x + c.x * c.x + sum.x * sum.x);
    view->moment_yy_m2 += w * (a.y * a.y + b.y * b.y + c.y * c.y + sum.y * sum.y);
    view->moment_zz_m2 += w * (a.z * a.z + b.z * b.z + c.z * c.z + sum.z * sum.z);
}

static void see_volume(const dew_Stage *stage, dew_View *view)
{
    const dew_Vec3 *x = dew_surface_positions_m(stage->surface);
    const uint32_t *v = dew_surface_triangles(stage->surface);
    int64_t vertex_count = dew_surface_vertex_count(stage->surface);
    Box box = empty_box();
    for (int64_t i = 0; i < vertex_count; i++)
        box = add_point(box, x[i]);
    dew_Vec3 middle = vertex_count > 0 ? middle_of(box) : dew_v3(0, 0, 0);
    for (int64_t t = 0; t < dew_surface_triangle_count(stage->surface); t++)
        add_tetrahedron(view, dew_v3_sub(x[v[3 * t]], middle), dew_v3_sub(x[v[3 * t + 1]], middle),
                        dew_v3_sub(x[v[3 * t + 2]], middle));
    dew_Vec3 c = dew_v3_scale(1 / view->volume_m3, view->center_m);
    view->moment_xx_m2 = view->moment_xx_m2 / view->volume_m3 - c.x * c.x;
    view->moment_yy_m2 = view->moment_yy_m2 / view->volume_m3 - c.y * c.y;
    view->moment_zz_m2 = view->moment_zz_m2 / view->volume_m3 - c.z * c.z;
    view->center_m = dew_v3_add(middle, c);
    view->low_m = box.min;
    view->high_m = box.max;
}

static void see_base(const dew_Stage *stage, dew_View *view)
{
    const dew_Vec3 *x = dew_surface_positions_m(stage->surface);
    const float *wet = dew_surface_wet(stage->surface);
    Box box = empty_box();
    for (int64_t i = 0; i < dew_surface_vertex_count(stage->surface); i++)
        if (wet[i] >= 0.5f)
            box = add_point(box, x[i]);
    view->line = dew_surface_contact_line(stage->surface);
    view->base_radius_m = sqrt(view->line.wet_area_m2 / DEW_PI);
    if (view->base_radius_m > 0) {
        view->base_center_m = middle_of(box);
        view->base_size_m = dew_v3_sub(box.max, box.min);
    }
}

dew_Status dew_stage_look(dew_Stage *stage, dew_View *out)
{
    DEW_TRY(dew_world_surface(stage->world, stage->surface));
    *out = (dew_View){0};
    dew_world_stats(stage->world, &out->stats);
    see_volume(stage, out);
    see_base(stage, out);
    const dew_Drop *drops;
    int64_t count;
    DEW_TRY(dew_world_drops(stage->world, &drops, &count));
    for (int64_t i = 0; i < count; i++)
        out->pieces += drops[i].volume_m3 > SMALLEST_PART * out->volume_m3;
    return dew_ok();
}

double dew_stage_apex_m(const dew_Stage *stage, const dew_View *view, double reach_m)
{
    // Least squares of y = p - q r^2.
    double n = 0, r2_sum = 0, r4_sum = 0, y_sum = 0, yr2_sum = 0;
    const dew_Vec3 *x = dew_surface_positions_m(stage->surface);
    for (int64_t i = 0; i < dew_surface_vertex_count(stage->surface); i++) {
        double dx = x[i].x - view->center_m.x, dz = x[i].z - view->center_m.z;
        double r2 = dx * dx + dz * dz;
        if (r2 > reach_m * reach_m || x[i].y < view->center_m.y)
            continue;
        n++;
        r2_sum += r2;
        r4_sum += r2 * r2;
        y_sum += x[i].y;
        yr2_sum += x[i].y * r2;
    }
    double det = n * r4_sum - r2_sum * r2_sum;
    return (y_sum * r4_sum - r2_sum * yr2_sum) / det;
}

dew_Status dew_stage_rest(dew_Stage *stage, double interval_s, double speed_m_s, double end_s,
                          dew_View *view)
{
    dew_Stats stats;
    do {
        DEW_TRY(dew_world_step(stage->world, interval_s));
        dew_world_stats(stage->world, &stats);
    } while (stats.time_s < end_s && !(stats.max_speed_m_s < speed_m_s));
    return dew_stage_look(stage, view);
}
