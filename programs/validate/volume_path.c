// The solver `volume`: a drop on the path of another, [Wang2005] figure 9, in two dimensions.
//
// A drop slides down a plate tilted by 45 degrees. When it is gone a smaller one is put where it
// was, which the dry plate would hold: its weight along the plate is half of sigma (cos(receding) -
// cos(advancing)). Where the first has been the plate takes the wet advancing angle. When that is
// the receding one nothing holds the second, and within 30 ms it must have followed by half its
// radius (without drag it would pass by two, and a held one sags by less than a tenth); when it is
// the dry one, the second must stay: it may creep by 0.5 h/s, the design's allowance. Ten times the
// viscosity of water: the ringing ends sooner. Reported is the worst of three places of the plate
// and the first drop between the cells, two of them with 16 cells in the radius of the second, one
// with 13; --quick runs one, with 8.
#include "support/vec.h"
#include "validate/cases.h"
#include "validate/places.h"
#include "validate/stage.h"

#include <math.h>

static const double rho = 998.2, sigma = 72.8e-3, g = 9.81, tilt_rad = DEW_DEG(45);
static const double receding_deg = 60, advancing_deg = 90, start_rad = DEW_DEG(75);
static const double gone_m = 8e-3, gone_s = 0.22, follow_s = 0.03, settled_s = 0.1, watch_s = 0.1;

// Radius of the circle whose segment at 75 degrees weighs this part of what the dry plate holds.
static double radius_of(double part)
{
    double held = sigma * (cos(DEW_DEG(receding_deg)) - cos(DEW_DEG(advancing_deg)));
    double area = part * held / (rho * g * sin(tilt_rad));
    return sqrt(area / (start_rad - sin(start_rad) * cos(start_rad)));
}

static dew_Status open_plate(dew_Stage *stage, const dew_GridPlace *place, double h, double wet_deg)
{
    double radius = radius_of(2.5);
    dew_SceneDef def = dew_build_def("volume", 2, dew_v3(-6e-3, -(8 + place->y) * h, -1e-3),
                                     dew_v3(40e-3, 8e-3, 1e-3), h);
    def.gravity_m_s2 = dew_v3(g * sin(tilt_rad), -g * cos(tilt_rad), 0);
    def.liquid = dew_build_liquid(rho, 10e-3, sigma);
    dew_MaterialDef plate = dew_build_angles(DEW_DEG(receding_deg), DEW_DEG(advancing_deg));
    plate.wet_advancing_rad = DEW_DEG(wet_deg);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_plate(&b, 0, plate);
    dew_build_ball(&b, dew_v3(place->x * h, -radius * cos(start_rad), 0), radius);
    return dew_stage_open(stage, &b);
}

// Ways of the second drop's centre: after it was put at start_m, and while it is watched. first_m:
// where the first then began.
typedef struct Ways {
    double start_m, first_m, after_m, watched_m;
} Ways;

// Centre of the liquid on this side of gone_m, after some time.
static dew_Status wait(dew_Stage *stage, double time_s, double *x_m)
{
    DEW_TRY(dew_world_step(stage->world, time_s));
    DEW_TRY(dew_world_surface(stage->world, stage->surface));
    const dew_Vec3 *p = dew_surface_positions_m(stage->surface);
    const uint32_t *t = dew_surface_triangles(stage->surface);
    double volume = 0, moment = 0;
    for (int64_t i = 0; i < dew_surface_triangle_count(stage->surface); i++, t += 3) {
        dew_Vec3 a = p[t[0]], b = p[t[1]], c = p[t[2]];
        if (fmax(a.x, fmax(b.x, c.x)) > gone_m)
            continue;
        double part = dew_v3_inner(a, dew_v3_cross(b, c)) / 6;
        volume += part;
        moment += 0.25 * part * (a.x + b.x + c.x);
    }
    *x_m = moment / volume;
    return dew_ok();
}

static dew_Status follow(dew_Stage *stage, bool is_held, Ways *ways)
{
    double radius = radius_of(0.5), settled_m, end_m;
    dew_View view;
    dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
    drop.center_m = (dew_Vec3){ways->start_m, -radius * cos(start_rad), 0};
    drop.radius_m = radius;
    DEW_TRY(dew_world_step(stage->world, gone_s));
    DEW_TRY(dew_stage_look(stage, &view));
    ways->first_m = view.low_m.x;
    DEW_TRY(dew_world_add_drop(stage->world, &drop));
    DEW_TRY(wait(stage, follow_s, &end_m));
    ways->after_m = end_m - ways->start_m;
    if (!is_held)
        return dew_ok();
    DEW_TRY(wait(stage, settled_s - follow_s, &settled_m));
    DEW_TRY(wait(stage, watch_s, &end_m));
    ways->watched_m = end_m - settled_m;
    return dew_ok();
}

static dew_Status watch(const dew_GridPlace *place, double h, double wet_deg, Ways *ways)
{
    dew_Stage stage;
    DEW_TRY(open_plate(&stage, place, h, wet_deg));
    ways->start_m = place->x * h;
    dew_Status status = follow(&stage, wet_deg >= advancing_deg, ways);
    dew_stage_close(&stage);
    return status;
}

static dew_Status run(dew_CaseRun *c)
{
    static const dew_GridPlace quick = {8, 0.05, 0, 0};
    static const dew_GridPlace all[3] = {{16, 0.14, 0, 0}, {16, 0.41, 0.31, 0}, {13, 0.8, 0.77, 0}};
    double radius = radius_of(0.5), first = (double)INFINITY, way = (double)INFINITY, creep = 0;
    for (int i = 0; i < (c->is_quick ? 1 : 3); i++) {
        const dew_GridPlace *place = c->is_quick ? &quick : &all[i];
        double h = radius / place->cells;
        Ways wet = {0}, dry = {0};
        DEW_TRY(watch(place, h, receding_deg, &wet));
        DEW_TRY(watch(place, h, advancing_deg, &dry));
        first = fmin(first, fmin(wet.first_m, dry.first_m));
        way = fmin(way, wet.after_m / radius);
        creep = dew_farther(creep, dry.watched_m / h / watch_s, 0);
    }
    dew_case_at_least(c, "the first is gone (m)", first, gone_m);
    dew_case_at_least(c, "wet 60 deg: way of the second (radii)", way, 0.5);
    dew_case_within(c, "wet 90 deg: its creep (h/s)", creep, 0, 0.5);
    return dew_ok();
}

const dew_Case dew_case_volume_path = {
    "volume_path", "volume: a drop follows the wetted path of another", true, run};
