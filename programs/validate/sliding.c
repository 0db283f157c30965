// A drop that slides: scene, law, speed.
#include "validate/sliding.h"

#include <math.h>
#include <string.h>

static const double g = 9.81;

static double mean_rad(const dew_SlidingDrop *d)
{
    return DEW_DEG(0.5 * (d->advancing_deg + d->receding_deg));
}

static dew_LineLaw law_of(const dew_SlidingDrop *d)
{
    dew_MaterialDef material = dew_default_material_def();
    return dew_line_law(&material, d->mu_Pa_s, d->sigma_N_m);
}

double dew_sliding_base_m(const dew_SlidingDrop *d)
{
    return dew_drop_cap_from_volume_angle(1e-9 * d->volume_mm3, mean_rad(d)).base_radius_m;
}

static double weight_N(const dew_SlidingDrop *d)
{
    return d->rho_kg_m3 * 1e-9 * d->volume_mm3 * g * sin(DEW_DEG(d->slope_deg));
}

double dew_sliding_linear_m_s(const dew_SlidingDrop *d)
{
    double R = dew_sliding_base_m(d), theta = mean_rad(d);
    double lambda = dew_default_material_def().slip_length_m;
    double retention =
        2 * R * d->sigma_N_m * (cos(DEW_DEG(d->receding_deg)) - cos(DEW_DEG(d->advancing_deg)));
    return (weight_N(d) - retention) * (theta - sin(theta) * cos(theta)) /
           (2 * DEW_PI * d->mu_Pa_s * log(R / lambda) * R * sin(theta) * sin(theta));
}

// Force with which a round base that moves with U resists: integral of sigma cos(theta_d) cos(phi).
static double resistance_N(const dew_SlidingDrop *d, const dew_LineLaw *law, double U)
{
    enum { POINTS = 720 };
    double R = dew_sliding_base_m(d), sum = 0;
    for (int k = 0; k < POINTS; k++) {
        double phi = 2 * DEW_PI * (k + 0.5) / POINTS, u = U * cos(phi);
        double theta_m = DEW_DEG(u > 0 ? d->advancing_deg : d->receding_deg);
        double cosine = fmin(dew_line_angle(law, theta_m, u, R).cosine, 1);
        sum -= d->sigma_N_m * cosine * cos(phi) * 2 * DEW_PI / POINTS;
    }
    return R * sum;
}

double dew_sliding_round_m_s(const dew_SlidingDrop *d)
{
    dew_LineLaw law = law_of(d);
    double low = 0, high = 10 * dew_sliding_linear_m_s(d);
    for (int n = 0; n < 60; n++) {
        double U = 0.5 * (low + high);
        *(resistance_N(d, &law, U) < weight_N(d) ? &low : &high) = U;
    }
    return low;
}

double dew_sliding_critical_m_s(const dew_SlidingDrop *d)
{
    dew_LineLaw law = law_of(d);
    return dew_line_critical_speed(&law, DEW_DEG(d->receding_deg), dew_sliding_base_m(d));
}

double dew_sliding_time_s(const dew_SlidingDrop *d)
{
    return d->diameters * 2 * dew_sliding_base_m(d) / dew_sliding_linear_m_s(d);
}

dew_Status dew_sliding_open(const dew_SlidingDrop *d, dew_Stage *stage)
{
    double R = dew_sliding_base_m(d), cell = R / d->cells, alpha = DEW_DEG(d->slope_deg);
    // Places within a cell are not those of the grid.
    dew_Vec3 min = dew_v3(-3 * R, -R, -3 * R);
    dew_Vec3 max = dew_v3(R * (4 + 4 * d->diameters), 4 * R, 3 * R);
    bool is_surface = strcmp(d->solver, "surface") == 0;
    dew_SceneDef def = dew_build_def(d->solver, 3, min, max, cell);
    def.gravity_m_s2 = dew_v3(g * sin(alpha), -g * cos(alpha), 0);
    def.liquid = dew_build_liquid(d->rho_kg_m3, d->mu_Pa_s, d->sigma_N_m);
    dew_SceneBuilder b = dew_build_begin(&def);
    double y = is_surface ? 0 : 0.37 * cell;
    dew_build_plate(&b, y, dew_build_angles(DEW_DEG(d->receding_deg), DEW_DEG(d->advancing_deg)));
    dew_build_cap(&b, dew_v3(0.13 * cell, y, 0.09 * cell), 1e-9 * d->volume_mm3, mean_rad(d));
    if (is_surface)
        dew_build_number(&b, "steps_per_period", d->steps_per_period);
    return dew_stage_open(stage, &b);
}

dew_Status dew_sliding_advance(const dew_SlidingDrop *d, dew_Stage *stage, double end_s)
{
    while (dew_world_time_s(stage->world) < end_s - 1e-3 * d->frame_s)
        DEW_TRY(dew_world_step(stage->world, d->frame_s));
    return dew_ok();
}

dew_Status dew_sliding_speed(const dew_SlidingDrop *d, double *speed_m_s)
{
    dew_Stage stage;
    dew_Stats before = {0}, after = {0};
    double end_s = dew_sliding_time_s(d);
    DEW_TRY(dew_sliding_open(d, &stage));
    dew_Status status = dew_sliding_advance(d, &stage, 2.0 / 3 * end_s);
    dew_world_stats(stage.world, &before);
    if (status.code == DEW_OK)
        status = dew_sliding_advance(d, &stage, end_s);
    dew_world_stats(stage.world, &after);
    dew_stage_close(&stage);
    DEW_TRY(status);
    *speed_m_s = (after.center_m.x - before.center_m.x) / (after.time_s - before.time_s);
    return dew_ok();
}

dew_SlidingDrop dew_sliding_oil(const char *solver, double slope_deg, double cells)
{
    return (dew_SlidingDrop){.name = "oil",
                             .rho_kg_m3 = 936,
                             .mu_Pa_s = 10.4e-3,
                             .sigma_N_m = 20.1e-3,
                             .volume_mm3 = 6,
                             .advancing_deg = 50.5,
                             .receding_deg = 45.5,
                             .slope_deg = slope_deg,
                             .solver = solver,
                             .cells = cells,
                             .steps_per_period = 24,
                             .frame_s = 1.0 / 60,
                             .diameters = 1.5};
}
