// Hysteresis holds a drop of 20 mm^3 on a tilted plane (receding 60, advancing 90 degrees): it
// stays below the critical tilt, slides above it, and the line's angles keep within the bounds.
//
// The tilt grows in stairs, each held long enough to see whether front and back of the base both go
// on: a line that is still finding its place moves in front or behind, a drop that slides at both
// ends. The threshold is compared with the retention law at the width measured on the last stair
// that held (constant 1: retention.h says why; the figure for pi/4 is reported beside it), allowed
// 15 %. Then, from the start again: at 85 % of that tilt for two seconds, creep of the base and of
// the centre below 0.01 R/s; at 105 % it slides, and while slower than 20 mm/s (capillary number
// 3e-4) no angle along the line may be outside of [60, 90] by more than 3 degrees.
#include "validate/cases.h"
#include "validate/retention.h"
#include "validate/stage.h"

#include <math.h>

static const double rho = 998.2, sigma = 72.8e-3, g = 9.81, volume_m3 = 20e-9;
static const double receding = DEW_DEG(60), advancing = DEW_DEG(90);

typedef struct Stairs {
    double settle_s, begin, hold_s, step_rad;  // begin: part of the law's tilt
} Stairs;

static double ball_m(void)
{
    return cbrt(volume_m3 * 3 / (4 * DEW_PI));
}

static dew_Status open_drop(dew_Stage *stage, double edge_m)
{
    dew_SceneDef def = dew_build_def("surface", 3, dew_v3(-20e-3, -1e-3, -10e-3),
                                     dew_v3(100e-3, 10e-3, 10e-3), edge_m);
    def.liquid = dew_build_liquid(rho, 1e-3, sigma);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_plate(&b, 0, dew_build_angles(receding, advancing));
    dew_build_cap(&b, dew_v3(0, 0, 0), volume_m3, DEW_DEG(75));
    return dew_stage_open(stage, &b);
}

static void tilt(dew_Stage *stage, double angle_rad)
{
    dew_world_set_gravity(stage->world, (dew_Vec3){g * sin(angle_rad), -g * cos(angle_rad), 0});
}

// From level to a tilt in even steps over `time_s`, then some rest.
static dew_Status tilt_slowly(dew_Stage *stage, double angle_rad, double time_s, double rest_s)
{
    for (int i = 1; i <= 20; i++) {
        tilt(stage, angle_rad * i / 20);
        DEW_TRY(dew_world_step(stage->world, time_s / 20));
    }
    return dew_world_step(stage->world, rest_s);
}

static double front_m(const dew_View *view)
{
    return view->base_center_m.x + 0.5 * view->base_size_m.x;
}

static double back_m(const dew_View *view)
{
    return view->base_center_m.x - 0.5 * view->base_size_m.x;
}

// ---- threshold ---------------------------------------------------------------------------------

// Does it slide at this tilt? Both ends have moved by a fiftieth of R in the second half of the
// stair.
static dew_Status climb(dew_Stage *stage, double angle_rad, double hold_s, bool *slides,
                        dew_View *view)
{
    dew_View middle;
    tilt(stage, angle_rad);
    DEW_TRY(dew_world_step(stage->world, 0.5 * hold_s));
    DEW_TRY(dew_stage_look(stage, &middle));
    DEW_TRY(dew_world_step(stage->world, 0.5 * hold_s));
    DEW_TRY(dew_stage_look(stage, view));
    double least = 0.02 * ball_m();
    *slides = front_m(view) - front_m(&middle) > least && back_m(view) - back_m(&middle) > least;
    return dew_ok();
}

static dew_Status find_threshold(dew_Stage *stage, Stairs stairs, double *tilt_rad, double *width_m)
{
    dew_View view;
    DEW_TRY(dew_world_step(stage->world, stairs.settle_s));
    DEW_TRY(dew_stage_look(stage, &view));
    *width_m = view.base_size_m.z;
    double law = dew_retention_tilt_rad(dew_retention_N(sigma, *width_m, receding, advancing), rho,
                                        volume_m3, g);
    DEW_TRY(tilt_slowly(stage, stairs.begin * law, stairs.settle_s, 0));
    *tilt_rad = (double)NAN;
    for (double angle = stairs.begin * law; angle < DEW_DEG(90); angle += stairs.step_rad) {
        bool slides;
        DEW_TRY(climb(stage, angle, stairs.hold_s, &slides, &view));
        if (slides) {
            *tilt_rad = angle - 0.5 * stairs.step_rad;
            return dew_ok();
        }
        *width_m = view.base_size_m.z;
    }
    return dew_ok();
}

// ---- staying and sliding -----------------------------------------------------------------------

static dew_Status compare_creep(dew_CaseRun *c, dew_Stage *stage, double angle_rad, double time_s)
{
    dew_View before, after;
    DEW_TRY(dew_world_step(stage->world, 0.2));
    DEW_TRY(tilt_slowly(stage, angle_rad, 0.5, 0.5));
    DEW_TRY(dew_stage_look(stage, &before));
    DEW_TRY(dew_world_step(stage->world, time_s));
    DEW_TRY(dew_stage_look(stage, &after));
    double per = 1 / (ball_m() * time_s);
    double base =
        fmax(fabs(front_m(&after) - front_m(&before)), fabs(back_m(&after) - back_m(&before)));
    dew_case_within(c, "creep of the base at 85 % (R/s)", per * base, 0, 0.01);
    dew_case_within(c, "creep of the centre at 85 % (R/s)",
                    per * fabs(after.center_m.x - before.center_m.x), 0, 0.01);
    return dew_ok();
}

static dew_Status compare_sliding(dew_CaseRun *c, dew_Stage *stage, double angle_rad, double time_s)
{
    dew_View before, view;
    double low = HUGE_VAL, high = -HUGE_VAL;
    DEW_TRY(dew_stage_look(stage, &before));
    tilt(stage, angle_rad);
    for (int i = 0; i < 60; i++) {
        DEW_TRY(dew_world_step(stage->world, time_s / 60));
        DEW_TRY(dew_stage_look(stage, &view));
        if (view.stats.velocity_m_s.x > 0.02)
            break;
        low = fmin(low, view.line.min_angle_rad);
        high = fmax(high, view.line.max_angle_rad);
    }
    // Fifteen times as far as the creep that is allowed below the threshold would take it.
    dew_case_at_least(c, "way at 105 % (R)", (back_m(&view) - back_m(&before)) / ball_m(), 0.1);
    dew_case_at_least(c, "least angle while sliding (deg)", low / DEW_DEG(1), 57);
    dew_case_at_least(c, "93 less the largest angle (deg)", 93 - high / DEW_DEG(1), 0);
    return dew_ok();
}

static dew_Status stay_and_slide(dew_CaseRun *c, dew_Stage *stage, double threshold_rad)
{
    DEW_TRY(compare_creep(c, stage, 0.85 * threshold_rad, c->is_quick ? 0.5 : 2));
    return compare_sliding(c, stage, 1.05 * threshold_rad, 0.6);
}

static dew_Status run(dew_CaseRun *c)
{
    double edge_m = ball_m() / 10, tilt_rad, width_m;
    Stairs stairs =
        c->is_quick ? (Stairs){0.3, 0.8, 0.15, DEW_DEG(4)} : (Stairs){0.5, 0.6, 0.3, DEW_DEG(2)};
    dew_Stage stage;
    DEW_TRY(open_drop(&stage, edge_m));
    dew_Status status = find_threshold(&stage, stairs, &tilt_rad, &width_m);
    dew_stage_close(&stage);
    DEW_TRY(status);
    double weight = rho * volume_m3 * g, law = dew_retention_N(sigma, width_m, receding, advancing);
    dew_case_near(c, "force at the threshold (uN)", 1e6 * weight * sin(tilt_rad), 1e6 * law, 0.15);
    dew_case_note(c, "the same, by the constant pi/4", 1e6 * weight * sin(tilt_rad),
                  1e6 * law * DEW_PI / 4);
    dew_case_note(c, "tilt at the threshold (deg)", tilt_rad / DEW_DEG(1),
                  dew_retention_tilt_rad(law, rho, volume_m3, g) / DEW_DEG(1));
    if (isnan(tilt_rad))
        return dew_ok();
    DEW_TRY(open_drop(&stage, edge_m));
    status = stay_and_slide(c, &stage, tilt_rad);
    dew_stage_close(&stage);
    return status;
}

const dew_Case dew_case_tilted_plane = {
    "tilted_plane", "surface: hysteresis holds a drop up to the critical tilt, then it slides",
    true, run};
