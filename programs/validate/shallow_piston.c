// Ground that moves. A piston goes into still water: a bore runs ahead of it, as high and as fast
// as volume and momentum ask for (Rankine and Hugoniot), with U the piston's speed, h1 the depth
// ahead and h2 behind the bore:
//     U = (h2 - h1) sqrt(g (h1 + h2) / (2 h1 h2)),   s = U h2 / (h2 - h1).
// And a floor that rises under half of a basin lifts what is on it; when all has come to rest the
// level is that of the volume.
//
// Allowed: the bore's place to one cell, for it is read from columns and spread over about two; the
// depth behind it by as much as a bore that is one cell off leaves there, since volume is kept to
// rounding. Water on a floor with the friction drag u^2 / D sloshes with 1 / t, however it began:
// averages of |sin|^3 over a period and over the basin make the amplitude of the velocity 9 pi^2 D
// / (32 drag t) in the end, that of the level sqrt(D / g) times that; so much may be left.
#include "validate/cases.h"
#include "validate/shallow_flow.h"

#include <math.h>

#define G      9.81
#define DEPTH  0.2
#define SPEED  0.5
#define END_S  4.0
#define CELL   0.05
#define LENGTH 10.0
// The floor: until when it rises, the end, friction.
#define LIFT_S     2.0
#define LIFT_END_S 20.0
#define DRAG       5.0

static double bore_depth(void)
{
    double low = DEPTH, high = 10 * DEPTH;
    for (int k = 0; k < 100; k++) {
        double h = 0.5 * (low + high);
        if ((h - DEPTH) * sqrt(G * (h + DEPTH) / (2 * h * DEPTH)) < SPEED)
            low = h;
        else
            high = h;
    }
    return 0.5 * (low + high);
}

// A basin of water of that depth, with a box in it.
static dew_Status open_basin(dew_Stage *stage, dew_SceneDef *def, dew_SolidDef *box, double depth_m,
                             double drag)
{
    def->liquid = dew_build_liquid(1000, 0, 0);
    box->material = "wall";
    dew_build_walls(def, "wall");
    dew_SceneBuilder b = dew_build_begin(def);
    dew_build_material(&b, "wall", dew_build_angle(DEW_DEG(60)));
    dew_build_solid(&b, box);
    dew_build_box(&b, dew_v3(-1, -1, -1), dew_v3(2 * LENGTH, depth_m, 2));
    dew_build_number(&b, "drag", drag);
    return dew_stage_open(stage, &b);
}

static dew_Status push(dew_CaseRun *c)
{
    dew_Stage stage;
    double h2 = bore_depth(), bore_x = SPEED * h2 / (h2 - DEPTH) * END_S, mean = 0, front = 0;
    int count = 0;
    dew_SceneDef def = dew_build_def("shallow", 1, dew_v3(0, 0, 0), dew_v3(LENGTH, 2, CELL), CELL);
    dew_SolidDef piston = dew_default_solid_def(DEW_SOLID_BOX);
    piston.center_m = dew_v3(-2, 0.5, 0);
    piston.size_m = dew_v3(4, 2, 4);
    piston.velocity_m_s = dew_v3(SPEED, 0, 0);
    DEW_TRY(open_basin(&stage, &def, &piston, DEPTH, 0));
    dew_Status status = dew_world_step(stage.world, END_S);
    const dew_ShallowColumns columns = dew_shallow_columns(stage.world), *s = &columns;
    for (int i = 0; i < s->grid.columns; i++) {
        double x = dew_columns_x(s, i), depth = s->depth[dew_columns_at(s, i, 0)];
        if (x > SPEED * END_S + 0.5 && x < bore_x - 0.5) {
            mean += depth;
            count++;
        }
        front = depth > 0.5 * (DEPTH + h2) ? x : front;
    }
    dew_Stats stats;
    dew_world_stats(stage.world, &stats);
    dew_case_near(c, "piston: depth behind the bore (m)", mean / count, h2,
                  (h2 - DEPTH) / h2 * CELL / (bore_x - SPEED * END_S));
    dew_case_within(c, "piston: place of the bore, cells off", (front - bore_x) / CELL, 0, 1);
    dew_case_within(c, "piston: volume error", stats.volume_error, 0, 1e-12);
    dew_stage_close(&stage);
    return status;
}

// Half of the floor rises by 0.1 m in 2 s; a rough floor brings the water to rest.
static dew_Status lift(dew_CaseRun *c)
{
    dew_Stage stage;
    dew_SceneDef def = dew_build_def("shallow", 2, dew_v3(0, 0, 0), dew_v3(2, 1, 1), CELL);
    dew_KeyframeDef keyframes[2] = {{.rotate.axis = {0, 0, 1}},
                                    {LIFT_S, {0, 0.1, 0}, {.axis = {0, 0, 1}}}};
    dew_SolidDef floor = dew_default_solid_def(DEW_SOLID_BOX);
    floor.center_m = dew_v3(0, -0.5, 0.5);
    floor.size_m = dew_v3(2, 1, 4);
    floor.keyframes = keyframes;
    floor.keyframe_count = 2;
    DEW_TRY(open_basin(&stage, &def, &floor, DEPTH, DRAG));
    dew_Status status = dew_world_step(stage.world, LIFT_END_S);
    const dew_ShallowColumns columns = dew_shallow_columns(stage.world), *s = &columns;
    double worst = 0, level = 0.2 + 0.05;  // 0.1 m under half of the basin
    for (int row = 0; row < s->grid.rows; row++)
        for (int i = 0; i < s->grid.columns; i++) {
            int64_t n = dew_columns_at(s, i, row);
            worst = fmax(worst, fabs(s->ground[n] + s->depth[n] - level));
        }
    dew_Stats stats;
    dew_world_stats(stage.world, &stats);
    double speed = 9 * DEW_PI * DEW_PI * level / (32 * DRAG * (LIFT_END_S - LIFT_S));
    dew_case_within(c, "lifted floor: level off (m)", worst, 0, speed * sqrt(level / G));
    dew_case_within(c, "lifted floor: volume error", stats.volume_error, 0, 1e-12);
    dew_stage_close(&stage);
    return status;
}

static dew_Status run(dew_CaseRun *c)
{
    DEW_TRY(push(c));
    return lift(c);
}

const dew_Case dew_case_shallow_piston = {
    "shallow_piston", "shallow: a piston drives a bore, a floor lifts the water on it", true, run};
