// Two drops of unequal size collide off-centre in free space and merge: momentum and volume stay.
//
// Momentum is followed twice: as the solver tells it, and as the motion of the centre of volume of
// the surface, which must go on in a straight line with the speed of the start through merging,
// remeshing and every correction. Both are compared with the sum of the drops' own momenta, for the
// total is smaller. Allowed: 1e-6, and 1e-6 of the volume after every step.
#include "support/vec.h"
#include "validate/cases.h"
#include "validate/stage.h"

#include <math.h>

static const double rho = 998.2, first_m = 1e-3, second_m = 0.8e-3, speed_m_s = 0.3;

typedef struct Account {
    double volume_error;
    double momentum_error;  // of the solver's momentum, relative
    double path_error;      // of the centre's path, relative
} Account;

static double cube(double x)
{
    return x * x * x;
}

static dew_Status follow(dew_Stage *stage, double end_s, dew_View *first, dew_View *last,
                         Account *account)
{
    DEW_TRY(dew_stage_look(stage, first));
    // Both drops move at the same speed: the sum of their momenta is that of the whole mass at it.
    dew_Vec3 velocity = first->stats.velocity_m_s;
    for (int frame = 1; frame <= 50; frame++) {
        double until_s = frame * end_s / 50;
        while (dew_world_time_s(stage->world) < until_s) {
            DEW_TRY(dew_world_substep_to(stage->world, until_s));
            dew_Stats stats;
            dew_world_stats(stage->world, &stats);
            account->volume_error = fmax(account->volume_error, fabs(stats.volume_error));
            dew_Vec3 off = dew_v3_sub(stats.velocity_m_s, velocity);
            account->momentum_error = fmax(account->momentum_error, dew_v3_length(off) / speed_m_s);
        }
        DEW_TRY(dew_stage_look(stage, last));
        double t = last->stats.time_s;
        dew_Vec3 there = dew_v3_add_scaled(first->center_m, t, velocity);
        account->path_error =
            fmax(account->path_error, dew_v3_distance(last->center_m, there) / (speed_m_s * end_s));
    }
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    dew_Stage stage;
    dew_SceneDef def = dew_build_weightless("surface", 3, 10e-3, c->is_quick ? 0.2e-3 : 0.1e-3);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
    drop.center_m = dew_v3(-2e-3, 0, 0);
    drop.radius_m = first_m;
    drop.velocity_m_s = dew_v3(speed_m_s, 0, 0);
    dew_build_drop(&b, &drop);
    drop.center_m = dew_v3(2e-3, 0.5e-3, 0.2e-3);
    drop.radius_m = second_m;
    drop.velocity_m_s = dew_v3(-speed_m_s, 0, 0);
    dew_build_drop(&b, &drop);
    DEW_TRY(dew_stage_open(&stage, &b));
    Account account = {0};
    dew_View first, last;
    dew_Status status = follow(&stage, 0.05, &first, &last, &account);
    dew_stage_close(&stage);
    DEW_TRY(status);
    double m1 = cube(first_m), m2 = cube(second_m);
    dew_case_near(c, "momentum at the start (kg m/s)",
                  rho * first.volume_m3 * first.stats.velocity_m_s.x,
                  rho * 4 * DEW_PI / 3 * (m1 - m2) * speed_m_s, 0.01);  // polyhedra are smaller
    dew_case_within(c, "pieces at the end", last.pieces, 1, 0);
    dew_case_within(c, "momentum, worst step", account.momentum_error, 0, 1e-6);
    dew_case_within(c, "path of the centre, worst frame", account.path_error, 0, 1e-6);
    dew_case_within(c, "volume, worst step", account.volume_error, 0, 1e-6);
    return dew_ok();
}

const dew_Case dew_case_colliding_drops = {
    "colliding_drops", "surface: two drops collide and merge; momentum and volume stay", true, run};
