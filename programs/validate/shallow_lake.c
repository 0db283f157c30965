// A lake at rest over rough ground with islands stays at rest: the design allows 1e-13 m/s over
// 10,000 steps. And a lake that is shaken floods and dries its shores without losing volume.
#include "support/keyed_random.h"
#include "validate/cases.h"
#include "validate/shallow_flow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE  4.0
#define LEVEL 0.3

// Noise from place alone: hills of several lengths, and what is as rough as the cells.
static double rough_ground(double x, double z)
{
    return 0.2 + 0.15 * sin(2.1 * x) * cos(1.7 * z + 0.3) + 0.06 * sin(7.3 * x + 5.1 * z) +
           0.05 * dew_app_keyed_random(7, (uint64_t)(x * 1e4), (uint64_t)(z * 1e4));
}
static double lake_depth(double x, double z, double t)
{
    (void)t;
    return fmax(0, LEVEL - rough_ground(x, z));
}

// Level water wherever the ground, as the grid has it, is lower.
static dew_Status make_lake(dew_World *world)
{
    dew_ShallowColumns s = dew_shallow_columns(world);
    int64_t count = (int64_t)s.grid.columns * s.grid.rows;
    double *depth = malloc((size_t)count * sizeof *depth);
    if (!depth)
        return dew_fail(DEW_NO_MEMORY, "no memory for %lld columns", (long long)count);
    for (int row = 0; row < s.grid.rows; row++)
        for (int i = 0; i < s.grid.columns; i++)
            depth[row * s.grid.columns + i] = fmax(0, LEVEL - s.ground[dew_columns_at(&s, i, row)]);
    dew_ColumnsDef def = {.depth_m = depth, .count = count};
    dew_Status status = dew_world_set_columns(world, &def);
    free(depth);
    return status;
}

static dew_Status run_model(dew_CaseRun *c, const char *model)
{
    dew_ShallowFlowDef def = {.model = model,
                              .dimensions = 2,
                              .size_x_m = SIZE,
                              .size_z_m = SIZE,
                              .cells = 40,
                              .g_m_s2 = 9.81,
                              .exact = {rough_ground, lake_depth, NULL, NULL}};
    dew_Stage stage;
    DEW_TRY(dew_shallow_flow_open(&def, &stage));
    dew_Status status = make_lake(stage.world);
    dew_Stats stats = {0};
    double fastest = 0, worst = 0;
    int64_t steps = c->is_quick ? 300 : 10000;
    for (int64_t k = 0; k < steps && status.code == DEW_OK; k++) {
        status = dew_world_substep(stage.world, 1);
        dew_world_stats(stage.world, &stats);
        fastest = fmax(fastest, stats.max_speed_m_s);
    }
    char words[64];
    snprintf(words, sizeof words, "%s: fastest in %lld steps, m/s", model, (long long)steps);
    dew_case_within(c, words, fastest, 0, 1e-13);
    // Shaken: it floods and dries.
    for (int64_t k = 0; k < steps / 10 && status.code == DEW_OK; k++) {
        double tilt = k / 50 % 2 ? 1.5 : -1.5;
        dew_world_set_gravity(stage.world, (dew_Vec3){tilt, -9.81, k / 100 % 2 ? tilt : -tilt});
        status = dew_world_substep(stage.world, 1);
        dew_world_stats(stage.world, &stats);
        worst = fmax(worst, fabs(stats.volume_error));
    }
    snprintf(words, sizeof words, "%s, shaken: volume error", model);
    dew_case_within(c, words, worst, 0, 1e-12);
    dew_stage_close(&stage);
    return status;
}

static dew_Status run(dew_CaseRun *c)
{
    DEW_TRY(run_model(c, "level-set"));
    DEW_TRY(run_model(c, "finite-volume"));
    return run_model(c, "finite-volume-semi-lagrangian");
}

const dew_Case dew_case_shallow_lake = {
    "shallow_lake", "shallow: a lake over rough ground with islands, at rest and shaken", true,
    run};
