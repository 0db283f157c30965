// Thacker's bowls: a paraboloid in which the liquid's surface swings as a plane, or rises and falls
// as a paraboloid, with a contact line that moves [Thacker1981], in the form of [Delestre2013].
//
// Allowed: 4e-3 for the radial bowl at 256^2, the design's figure; for the bowls at 200 cells the
// same by the second order between both. The line: one cell.
#include "support/system.h"
#include "validate/cases.h"
#include "validate/shallow_flow.h"

#include <math.h>
#include <stdio.h>

#define SIZE   4.0
#define MIDDLE 2.0
#define G      9.81
#define A      1.0
#define H1     0.5  // m, depth in the middle, one dimension
#define H0     0.1  // two dimensions
#define R0     0.8  // radial: of the line at the start
#define ETA    0.5  // planar in the plane: how far the middle moves

// ---- one dimension -----------------------------------------------------------------------------

static double canal_ground(double x, double z)
{
    (void)z;
    x = (x - MIDDLE) / A;
    return H1 * x * x;
}
static double canal_depth(double x, double z, double t)
{
    (void)z;
    double s = (x - MIDDLE) / A + 0.5 / A * cos(sqrt(2 * G * H1) * t / A);
    return fmax(0, H1 * (1 - s * s));
}

// ---- two ---------------------------------------------------------------------------------------

static double bowl_ground(double x, double z)
{
    x -= MIDDLE, z -= MIDDLE;
    return H0 * (x * x + z * z) / (A * A);
}
static double swing(void)
{
    return sqrt(2 * G * H0) / A;
}
static double plane_depth(double x, double z, double t)
{
    double c = cos(swing() * t), s = sin(swing() * t);
    double surface = ETA * H0 / (A * A) * (2 * (x - MIDDLE) * c + 2 * (z - MIDDLE) * s - ETA);
    return fmax(0, H0 + surface - bowl_ground(x, z));
}
static double plane_u(double x, double z, double t)
{
    (void)x;
    (void)z;
    return -ETA * swing() * sin(swing() * t);
}
static double plane_w(double x, double z, double t)
{
    (void)x;
    (void)z;
    return ETA * swing() * cos(swing() * t);
}

static double pulse(void)
{
    return sqrt(8 * G * H0) / A;
}
static double radial_depth(double x, double z, double t)
{
    double k = (A * A - R0 * R0) / (A * A + R0 * R0), q = 1 - k * cos(pulse() * t);
    double r2 = ((x - MIDDLE) * (x - MIDDLE) + (z - MIDDLE) * (z - MIDDLE)) / (A * A);
    double surface = H0 * (sqrt(1 - k * k) / q - 1 - r2 * ((1 - k * k) / (q * q) - 1));
    return fmax(0, H0 + surface - bowl_ground(x, z));
}

// ---- the cases ---------------------------------------------------------------------------------

static dew_ShallowFlowDef flow_def(const char *model, int dimensions, int cells,
                                   dew_ShallowExact exact)
{
    return (dew_ShallowFlowDef){.model = model,
                                .dimensions = dimensions,
                                .size_x_m = SIZE,
                                .size_z_m = dimensions == 2 ? SIZE : 0.02,
                                .cells = cells,
                                .g_m_s2 = G,
                                .exact = exact};
}

// After a period the errors, and the line's worst on the way.
static dew_Status follow(dew_CaseRun *c, const char *name, const dew_ShallowFlowDef *def,
                         double period_s, double allowed, double *cpu_s)
{
    dew_Stage stage;
    DEW_TRY(dew_shallow_flow_open(def, &stage));
    dew_Status status = dew_ok();
    double line = 0;
    *cpu_s = 0;
    for (int k = 1; k <= 8 && status.code == DEW_OK; k++) {
        double begin_s = dew_app_cpu_s();
        status = dew_world_step_to(stage.world, k / 8.0 * period_s);
        *cpu_s += dew_app_cpu_s() - begin_s;
        line = fmax(line, dew_shallow_flow_line_error(&stage, &def->exact));
    }
    dew_Stats stats;
    dew_world_stats(stage.world, &stats);
    char words[64];
    snprintf(words, sizeof words, "%s: L1 of depth", name);
    dew_case_within(c, words, dew_shallow_flow_error(&stage, &def->exact), 0, allowed);
    snprintf(words, sizeof words, "%s: volume error", name);
    dew_case_within(c, words, stats.volume_error, 0, 1e-12);
    snprintf(words, sizeof words, "%s: contact line off, cells", name);
    dew_case_within(c, words, line, 0, 1);
    dew_stage_close(&stage);
    return status;
}

static dew_Status run(dew_CaseRun *c)
{
    dew_ShallowExact canal = {canal_ground, canal_depth, NULL, NULL};
    dew_ShallowExact plane = {bowl_ground, plane_depth, plane_u, plane_w};
    dew_ShallowExact radial = {bowl_ground, radial_depth, NULL, NULL};
    double swing_s = 2 * DEW_PI / swing(), pulse_s = 2 * DEW_PI / pulse(), cpu_s;
    dew_ShallowFlowDef def = flow_def("level-set", 1, 200, canal);
    DEW_TRY(follow(c, "canal", &def, 2 * DEW_PI * A / sqrt(2 * G * H1), 4e-3, &cpu_s));
    def = flow_def("level-set", 2, 200, plane);
    DEW_TRY(follow(c, "planar bowl", &def, swing_s, 6.5e-3, &cpu_s));
    def = flow_def("level-set", 2, 200, radial);
    DEW_TRY(follow(c, "radial bowl", &def, pulse_s, 6.5e-3, &cpu_s));
    if (c->is_quick)
        return dew_ok();
    def = flow_def("level-set", 2, 256, radial);
    DEW_TRY(follow(c, "radial bowl, 256^2", &def, pulse_s, 4e-3, &cpu_s));
    dew_case_note(c, "radial bowl, 256^2: CPU s", cpu_s, 0.8);
    return dew_ok();
}

const dew_Case dew_case_shallow_bowl = {
    "shallow_bowl", "shallow: Thacker's bowls, with their contact line", true, run};
