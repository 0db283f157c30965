// A trail wets: a drop that slides on the path of another one is faster, in `surface`.
//
// Two equal drops of oil slide one behind the other; where the first has been, the advancing angle
// is `wet_advancing`. The second, once it is wholly on that path, has the speed by the law of a
// drop whose advancing angle that is. Compared is the ratio of their speeds with that of the law's,
// allowed 10 %.
#include "validate/cases.h"
#include "validate/sliding.h"

#include <math.h>

#define WET_DEG   46.0
#define BEHIND    4.5   // radii of the base between the drops
#define FIRST_WAY 4.0   // radii, when it is compared: from then on the second is on its path
#define LAST_WAY  10.0  // radii, of the first

static dew_Status open(const dew_SlidingDrop *d, dew_Stage *stage)
{
    double R = dew_sliding_base_m(d), alpha = DEW_DEG(d->slope_deg), volume = 1e-9 * d->volume_mm3;
    double mean = DEW_DEG(0.5 * (d->advancing_deg + d->receding_deg));
    dew_SceneDef def = dew_build_def("surface", 3, dew_v3(-8 * R, -R, -3 * R),
                                     dew_v3(16 * R, 4 * R, 3 * R), R / d->cells);
    def.gravity_m_s2 = dew_v3(9.81 * sin(alpha), -9.81 * cos(alpha), 0);
    def.liquid = dew_build_liquid(d->rho_kg_m3, d->mu_Pa_s, d->sigma_N_m);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_MaterialDef plate = dew_build_angles(DEW_DEG(d->receding_deg), DEW_DEG(d->advancing_deg));
    plate.wet_advancing_rad = DEW_DEG(WET_DEG);
    plate.dries_after_s = 100;
    dew_build_plate(&b, 0, plate);
    dew_build_cap(&b, dew_v3(0, 0, 0), volume, mean);
    dew_build_cap(&b, dew_v3(-BEHIND * R, 0, 0), volume, mean);
    return dew_stage_open(stage, &b);
}

// Places of the two, the first one first.
static dew_Status find(const dew_Stage *stage, double x_m[2])
{
    const dew_Drop *drops;
    int64_t count;
    DEW_TRY(dew_world_drops(stage->world, &drops, &count));
    x_m[0] = x_m[1] = (double)NAN;
    for (int64_t k = 0; k < count && count == 2; k++)
        x_m[k] = drops[k].center_m.x;
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    dew_SlidingDrop d = dew_sliding_oil("surface", 20, 8), wet = d;
    wet.advancing_deg = WET_DEG;
    double R = dew_sliding_base_m(&d), radius_s = R / dew_sliding_linear_m_s(&d);
    double dry[2] = {0}, before[2] = {0}, after[2] = {0};
    dew_Stage stage;
    DEW_TRY(open(&d, &stage));
    dew_Status status = dew_sliding_advance(&d, &stage, FIRST_WAY * radius_s);
    if (status.code == DEW_OK)
        status = find(&stage, dry);
    if (status.code == DEW_OK)
        status = dew_sliding_advance(&d, &stage, (LAST_WAY - 2) * radius_s);
    if (status.code == DEW_OK)
        status = find(&stage, before);
    if (status.code == DEW_OK)
        status = dew_sliding_advance(&d, &stage, LAST_WAY * radius_s);
    if (status.code == DEW_OK)
        status = find(&stage, after);
    dew_stage_close(&stage);
    DEW_TRY(status);
    double first = (before[0] - dry[0]) / (LAST_WAY - 2 - FIRST_WAY);
    double second = (after[1] - before[1]) / 2;
    dew_case_near(c, "oil on 20 deg, speed on the trail over that on dry solid", second / first,
                  dew_sliding_linear_m_s(&wet) / dew_sliding_linear_m_s(&d), 0.1);
    return dew_ok();
}

const dew_Case dew_case_trail = {"trail", "surface: a drop on the path of another one", true, run};
