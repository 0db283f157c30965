// The solver `splash`: still water stays still; volume is kept with inflow and outflow; no inflow
// is too slow or too fast.
//
// The mesh's volume is reported beside: thin jets look thicker than they are. The pool of the paper
// on 12^3 cells (20^3 without --quick), with an inflow from above and a sink in a corner below, for
// 10 s; the same with inflows of 0.1 to 20 m/s for a shorter time.
#include "validate/cases.h"
#include "validate/stage.h"

#include <math.h>
#include <stdio.h>

static dew_SceneDef tiled_def(double size_m, double cell_m)
{
    dew_SceneDef def =
        dew_build_def("splash", 3, dew_v3(0, 0, 0), dew_v3(size_m, size_m, size_m), cell_m);
    dew_build_walls(&def, "tiles");
    def.domain.wall_material[DEW_SIDE_CEILING] = NULL;
    return def;
}

static dew_Status open_pool(dew_Stage *stage, int cells, double speed_m_s)
{
    dew_SceneDef def = tiled_def(2, 2.0 / cells);
    dew_SourceDef inflow = dew_build_disk(dew_v3(1, 1.8, 1), 0.4, speed_m_s);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_material(&b, "tiles", dew_build_slip((double)INFINITY));
    dew_build_box(&b, dew_v3(0, 0, 0), dew_v3(2, 0.55, 2));
    dew_build_source(&b, &inflow);
    dew_build_sink(&b, dew_v3(0, 0.5, 0), dew_v3(0.4, 2, 2));
    return dew_stage_open(stage, &b);
}

static dew_Status still_water(dew_CaseRun *c)
{
    dew_Stage stage;
    double fastest = 0;
    dew_SceneDef def = tiled_def(1, 0.08);
    dew_SolidDef ball = dew_default_solid_def(DEW_SOLID_SPHERE);
    ball.center_m = dew_v3(0.5, 0.2, 0.5);
    ball.radius_m = 0.2;
    ball.material = "tiles";
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_material(&b, "tiles", dew_default_material_def());
    dew_build_solid(&b, &ball);
    dew_build_box(&b, dew_v3(0, 0, 0), dew_v3(1, 0.43, 1));
    DEW_TRY(dew_stage_open(&stage, &b));
    dew_Status status = dew_ok();
    for (int k = 1; k <= 10 && status.code == DEW_OK; k++) {
        dew_Stats stats;
        status = dew_world_step_to(stage.world, 0.1 * k);
        dew_world_stats(stage.world, &stats);
        fastest = fmax(fastest, stats.max_speed_m_s);
    }
    dew_stage_close(&stage);
    DEW_TRY(status);
    // The pressure's tolerance, 1e-4, of what gravity gives in a step of 0.06 s: 0.06 mm/s.
    dew_case_within(c, "still water: fastest, m/s", fastest, 0, 1e-4);
    return dew_ok();
}

static dew_Status kept_volume(dew_CaseRun *c, int cells)
{
    dew_Stage stage;
    double table = 0, mesh = 0;
    DEW_TRY(open_pool(&stage, cells, 1.4));
    dew_Status status = dew_ok();
    for (int k = 1; k <= 20 && status.code == DEW_OK; k++) {
        dew_View view;
        status = dew_world_step_to(stage.world, 0.5 * k);
        if (status.code == DEW_OK)
            status = dew_stage_look(&stage, &view);
        if (status.code != DEW_OK)
            break;
        double account_m3 = view.stats.volume_m3 / (1 + view.stats.volume_error);
        table = fmax(table, fabs(view.stats.volume_error));
        mesh = fmax(mesh, fabs(view.volume_m3 / account_m3 - 1));
    }
    dew_stage_close(&stage);
    DEW_TRY(status);
    dew_case_within(c, "10 s of in- and outflow: volume error", table, 0, 0.02);
    dew_case_note(c, "the same, of the mesh", mesh, 0.02);
    return dew_ok();
}

static dew_Status any_speed(dew_CaseRun *c, int cells)
{
    static const double speeds[] = {0.1, 0.5, 2, 6, 20};
    for (int i = 0; i < 5; i++) {
        dew_Stage stage;
        dew_Stats stats = {0};
        char name[64];
        DEW_TRY(open_pool(&stage, cells, speeds[i]));
        dew_Status status = dew_world_step_to(stage.world, 1);
        dew_world_stats(stage.world, &stats);
        dew_stage_close(&stage);
        DEW_TRY(status);
        // What falls from the ceiling is 6 m/s faster at the floor; a splash may be twice as fast
        // as what makes it.
        snprintf(name, sizeof name, "inflow of %g m/s: fastest after 1 s", speeds[i]);
        dew_case_within(c, name, stats.max_speed_m_s, 0, 2 * (speeds[i] + 6));
    }
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    int cells = c->is_quick ? 12 : 20;
    DEW_TRY(still_water(c));
    DEW_TRY(kept_volume(c, cells));
    return any_speed(c, cells);
}

const dew_Case dew_case_splash_pool = {
    "splash_pool", "splash: still water, volume with in- and outflow, any speed", true, run};
