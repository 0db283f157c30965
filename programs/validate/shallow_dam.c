// Dam breaks of the solver `shallow` against Ritter (dry ground ahead) and Stoker (shallow water
// ahead), [Delestre2013], at 200 cells.
//
// Allowed are errors of half a cell's volume over the wet length of some 150 cells where the
// solution jumps (Stoker: a bore), and less where it is continuous (Ritter): 1 %, half of what
// first-order schemes reach [Delestre2013]. The contact line of the model level-set: one cell, at
// 100, 200 and 400 cells, on ground that rises and falls (Ritter in a frame that is accelerated
// with the liquid), and for a dam at 30 degrees to the grid, away from where the canal's walls are
// felt.
#include "validate/cases.h"
#include "validate/shallow_flow.h"

#include <math.h>
#include <stdio.h>

#define LENGTH 10.0
#define DAM    5.0
#define G      9.81
#define HIGH   0.5  // m, behind the dam
#define LOW    0.1  // m, ahead of it: Stoker
#define SLOPE  0.1
#define ASKEW  (DEW_PI / 6)
#define NEAR   1.2  // m along the dam, from its middle

static double flat(double x, double z)
{
    (void)x;
    (void)z;
    return 0;
}

static double ritter(double x, double z, double t)
{
    (void)z;
    double c = sqrt(G * HIGH);
    x -= DAM;
    if (x <= -c * t)
        return HIGH;
    if (x >= 2 * c * t)
        return 0;
    double v = 2 * c - x / t;
    return v * v / (9 * G);
}

// On an incline all is as on level ground, but accelerated down the slope.
static double rising(double x, double z)
{
    (void)z;
    return 1 + SLOPE * (x - DAM);
}
static double ritter_up(double x, double z, double t)
{
    return ritter(x + 0.5 * G * SLOPE * t * t, z, t);
}
static double falling(double x, double z)
{
    (void)z;
    return 1 - SLOPE * (x - DAM);
}
static double ritter_down(double x, double z, double t)
{
    return ritter(x - 0.5 * G * SLOPE * t * t, z, t);
}

// Across a dam that stands askew in the plane.
static double askew(double x, double z)
{
    return DAM + (x - DAM) * cos(ASKEW) + (z - DAM) * sin(ASKEW);
}
static double ritter_askew(double x, double z, double t)
{
    return ritter(askew(x, z), 0, t);
}

// Speed of the waves of the middle state, by bisection of the bore's conditions.
static double middle_wave(void)
{
    double low = sqrt(G * LOW), high = sqrt(G * HIGH), c0 = high;
    for (int k = 0; k < 200; k++) {
        double c = 0.5 * (low + high), h = c * c / G, u = 2 * (c0 - c);
        // What the bore asks for: u = (h - LOW) sqrt(G (h + LOW) / (2 h LOW)).
        double bore = (h - LOW) * sqrt(G * (h + LOW) / (2 * h * LOW));
        if (u > bore)
            low = c;
        else
            high = c;
    }
    return 0.5 * (low + high);
}

static double stoker(double x, double z, double t)
{
    (void)z;
    double c0 = sqrt(G * HIGH), c = middle_wave(), h = c * c / G, u = 2 * (c0 - c);
    double bore = h * u / (h - LOW);
    x -= DAM;
    if (x <= -c0 * t)
        return HIGH;
    if (x <= (u - c) * t) {
        double v = 2 * c0 - x / t;
        return v * v / (9 * G);
    }
    return x <= bore * t ? h : LOW;
}

static dew_Status run_one(dew_CaseRun *c, const char *model, bool is_wet)
{
    dew_ShallowFlowDef def = {.model = model,
                              .dimensions = 1,
                              .size_x_m = LENGTH,
                              .size_z_m = 0.05,
                              .cells = 200,
                              .g_m_s2 = G,
                              .exact = {flat, is_wet ? stoker : ritter, NULL, NULL}};
    dew_Stage stage;
    DEW_TRY(dew_shallow_flow_open(&def, &stage));
    dew_Status status = dew_world_step(stage.world, is_wet ? 1.2 : 0.8);
    dew_Stats stats;
    dew_world_stats(stage.world, &stats);
    char words[64];
    snprintf(words, sizeof words, "%s, %s: L1 of depth", is_wet ? "Stoker" : "Ritter", model);
    double error = dew_shallow_flow_error(&stage, &def.exact);
    dew_case_within(c, words, error, 0, 0.01);
    snprintf(words, sizeof words, "%s, %s: volume error", is_wet ? "Stoker" : "Ritter", model);
    dew_case_within(c, words, stats.volume_error, 0, 1e-12);
    dew_stage_close(&stage);
    return status;
}

static dew_Status run_line(dew_CaseRun *c, const char *name, int cells, dew_ShallowExact exact)
{
    dew_ShallowFlowDef def = {.model = "level-set",
                              .dimensions = 1,
                              .size_x_m = LENGTH,
                              .size_z_m = 0.05,
                              .cells = cells,
                              .g_m_s2 = G,
                              .exact = exact};
    dew_Stage stage;
    DEW_TRY(dew_shallow_flow_open(&def, &stage));
    dew_Status status = dew_ok();
    double worst = 0;
    for (int k = 1; k <= 4 && status.code == DEW_OK; k++) {
        status = dew_world_step_to(stage.world, 0.2 * k);
        worst = fmax(worst, dew_shallow_flow_line_error(&stage, &exact));
    }
    char words[64];
    snprintf(words, sizeof words, "Ritter, %s, %d cells: line off, cells", name, cells);
    dew_case_within(c, words, worst, 0, 1);
    dew_stage_close(&stage);
    return status;
}

// Between two cells: how far the line is from where it should be across the dam, m; 0 where it does
// not pass.
static double askew_error(const dew_ShallowColumns *s, int64_t n, int64_t d, double x, double z,
                          double t)
{
    double cell = s->grid.dx_m, along = -(x - DAM) * sin(ASKEW) + (z - DAM) * cos(ASKEW);
    if ((s->phi[n] < 0) == (s->phi[n + d] < 0) || fabs(along) > NEAR)
        return 0;
    double way = cell * s->phi[n] / (s->phi[n] - s->phi[n + d]);
    double at = d == 1 ? askew(x + way, z) : askew(x, z + way);
    return fabs(at - DAM - 2 * sqrt(G * HIGH) * t);
}

static dew_Status run_askew(dew_CaseRun *c)
{
    dew_ShallowFlowDef def = {.model = "level-set",
                              .dimensions = 2,
                              .size_x_m = LENGTH,
                              .size_z_m = LENGTH,
                              .cells = 100,
                              .g_m_s2 = G,
                              .exact = {flat, ritter_askew, NULL, NULL}};
    dew_Stage stage;
    DEW_TRY(dew_shallow_flow_open(&def, &stage));
    double t = 0.4, worst = 0;
    dew_Status status = dew_world_step_to(stage.world, t);
    const dew_ShallowColumns columns = dew_shallow_columns(stage.world), *s = &columns;
    for (int row = 0; row + 1 < s->grid.rows; row++)
        for (int i = 0; i + 1 < s->grid.columns; i++) {
            int64_t n = dew_columns_at(s, i, row);
            double x = dew_columns_x(s, i), z = dew_columns_z(s, row);
            worst = fmax(worst, askew_error(s, n, 1, x, z, t));
            worst = fmax(worst, askew_error(s, n, s->grid.row_stride, x, z, t));
        }
    dew_case_within(c, "Ritter, askew, 100^2 cells: line off, cells", worst / s->grid.dx_m, 0, 1);
    dew_stage_close(&stage);
    return status;
}

static dew_Status run_lines(dew_CaseRun *c)
{
    const dew_ShallowExact level = {flat, ritter, NULL, NULL}, up = {rising, ritter_up, NULL, NULL},
                           down = {falling, ritter_down, NULL, NULL};
    for (int cells = 100; cells <= 400; cells *= 2) {
        DEW_TRY(run_line(c, "level", cells, level));
        DEW_TRY(run_line(c, "rising", cells, up));
        DEW_TRY(run_line(c, "falling", cells, down));
    }
    return run_askew(c);
}

static dew_Status run(dew_CaseRun *c)
{
    static const char *const models[] = {"level-set", "finite-volume"};
    for (int k = 0; k < 2; k++) {
        DEW_TRY(run_one(c, models[k], false));
        DEW_TRY(run_one(c, models[k], true));
    }
    return run_lines(c);
}

const dew_Case dew_case_shallow_dam = {
    "shallow_dam", "shallow: dams break over dry and wet ground, 200 cells", true, run};
