// A liquid cylinder between two plates: waves of nine radii break it into one drop per wavelength,
// waves of five radii do not grow.
//
// The plates are mirrors: the liquid meets them at 90 degrees and slips freely, so a column between
// two crests is a piece of an endless cylinder. It starts at rest with a wave of a tenth of the
// radius. The linear theory [Rayleigh1878] lets the wave reach the axis after acosh(10) / growth;
// break-up must come within 30 % of that, for the theory leaves out what happens when the wave is
// no longer small. Between plates half of five radii apart, every wave that fits is shorter than
// the circumference: the column is stable for ever, and must not become thinner than its wave makes
// it.
#include "validate/cases.h"
#include "validate/drop_modes.h"
#include "validate/liquid_column.h"
#include "validate/stage.h"

#include <assert.h>
#include <math.h>

#define MOST_RINGS 1024

static const double rho = 998.2, sigma = 72.8e-3, radius_m = 1e-3, wave_m = 1e-4;

// The column about the y axis from y = 0 to `length_m`, a crest at y = 0, its mean volume that of
// the cylinder: r = sqrt(R^2 - a^2 / 2) + a cos(k y).
static void build_column(dew_SceneBuilder *b, double wavelength_m, double length_m, double edge_m)
{
    dew_ProfilePoint profile[MOST_RINGS] = {{0}};
    int64_t count = 0, across = (int64_t)ceil(radius_m / edge_m);
    int64_t along = (int64_t)ceil(length_m / edge_m);
    assert(2 * across + along + 1 <= MOST_RINGS);
    double mean = sqrt(radius_m * radius_m - 0.5 * wave_m * wave_m), k = 2 * DEW_PI / wavelength_m;
    for (int64_t i = 0; i < across; i++)
        profile[count++] = (dew_ProfilePoint){(mean + wave_m) * (double)i / (double)across, 0};
    for (int64_t i = 0; i <= along; i++) {
        double y = length_m * (double)i / (double)along;
        profile[count++] = (dew_ProfilePoint){mean + wave_m * cos(k * y), y};
    }
    double last = profile[count - 1].radius_m;
    for (int64_t i = across - 1; i >= 0; i--)
        profile[count++] = (dew_ProfilePoint){last * (double)i / (double)across, length_m};
    dew_column_build(b, profile, count, edge_m);
}

static dew_Status open_column(dew_Stage *stage, double wavelength_m, double length_m, double edge_m)
{
    dew_SceneDef def =
        dew_build_def("surface", 3, dew_v3(-5e-3, -1e-3, -5e-3), dew_v3(5e-3, 25e-3, 5e-3), edge_m);
    def.gravity_m_s2 = dew_v3(0, 0, 0);
    def.liquid = dew_build_liquid(rho, 1e-3, sigma);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_mirror(&b, dew_v3(0, 0, 0), dew_v3(0, 1, 0));
    dew_build_mirror(&b, dew_v3(0, length_m, 0), dew_v3(0, -1, 0));
    build_column(&b, wavelength_m, length_m, edge_m);
    return dew_stage_open(stage, &b);
}

// Distance of the thinnest place from the axis, away from the plates.
static double thinnest_m(const dew_Stage *stage)
{
    const dew_Vec3 *x = dew_surface_positions_m(stage->surface);
    const float *wet = dew_surface_wet(stage->surface);
    double least = HUGE_VAL;
    for (int64_t i = 0; i < dew_surface_vertex_count(stage->surface); i++)
        if (wet[i] < 0.5f)
            least = fmin(least, hypot(x[i].x, x[i].z));
    return least;
}

typedef struct Fate {
    double broken_s;  // HUGE_VAL: never
    double thinnest_m;
    double volume_error;
    int pieces;  // at the end
} Fate;

static dew_Status watch(dew_Stage *stage, double end_s, int pieces, Fate *fate)
{
    *fate = (Fate){.broken_s = HUGE_VAL, .thinnest_m = HUGE_VAL};
    for (int frame = 1; frame <= 200; frame++) {
        dew_View view = {0};
        DEW_TRY(dew_world_step_to(stage->world, frame * end_s / 200));
        DEW_TRY(dew_stage_look(stage, &view));
        fate->pieces = view.pieces;
        fate->thinnest_m = fmin(fate->thinnest_m, thinnest_m(stage));
        fate->volume_error = fmax(fate->volume_error, fabs(view.stats.volume_error));
        if (view.pieces >= pieces && fate->broken_s == HUGE_VAL)
            fate->broken_s = view.stats.time_s;
        if (fate->broken_s < HUGE_VAL && view.stats.time_s > 1.1 * fate->broken_s)
            break;
    }
    return dew_ok();
}

static dew_Status run_column(double wavelength_m, double length_m, double edge_m, double end_s,
                             int pieces, Fate *fate)
{
    dew_Stage stage = {0};
    DEW_TRY(open_column(&stage, wavelength_m, length_m, edge_m));
    dew_Status status = watch(&stage, end_s, pieces, fate);
    dew_stage_close(&stage);
    return status;
}

static dew_Status run(dew_CaseRun *c)
{
    double edge_m = radius_m / (c->is_quick ? 4 : 6), length_m = 9 * radius_m;
    double growth = dew_cylinder_growth_1_s(length_m, radius_m, rho, sigma);
    double breakup_s = dew_cylinder_breakup_s(growth, radius_m, wave_m);
    Fate fate;
    int waves = c->is_quick ? 1 : 2;  // between crests on both plates: whole drops, and two halves
    DEW_TRY(run_column(length_m, waves * length_m, edge_m, 2 * breakup_s, waves + 1, &fate));
    dew_case_near(c, "9 R: broken after (s)", fate.broken_s, breakup_s, 0.3);
    dew_case_within(c, "9 R: drops, two halves as one", fate.pieces - 1, waves, 0);
    dew_case_within(c, "9 R: volume error", fate.volume_error, 0, 1e-6);
    length_m = 5 * radius_m;
    DEW_TRY(run_column(length_m, length_m / 2, edge_m, 2 * breakup_s, 2, &fate));
    dew_case_within(c, "5 R: pieces after twice that time", fate.pieces, 1, 0);
    dew_case_at_least(c, "5 R: thinnest radius (mm)", 1e3 * fate.thinnest_m,
                      1e3 * (radius_m - 1.5 * wave_m));
    return dew_ok();
}

const dew_Case dew_case_rayleigh_plateau = {
    "rayleigh_plateau", "surface: a liquid cylinder breaks up, or not, by its wavelength", true,
    run};
