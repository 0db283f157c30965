// Drops on curved solids and at edges, in the solver `volume`, without gravity.
//
// On a cylinder (in two dimensions) and on a sphere (in three) three times the drop's radius the
// drop is the part of a ball outside the solid; its angle follows from where the centre of its
// volume is. At the edges of a table (two dimensions, material of 60 degrees) a drop that covers
// the table rests at any angle from 60 to 150 degrees (Gibbs), here 100, and runs down the sides
// when that would be more. Twenty times the viscosity of water. Allowed are the design's 3 degrees,
// for R/h = 16, as the worst of three places, six at the table, some of them with R/h = 13, and at
// its edges the speed of a drop at rest on a tilted wall; --quick runs R/h = 8 at one place, two at
// the table, with twice that angle, and no sphere.
#include "validate/cases.h"
#include "validate/places.h"
#include "validate/stage.h"

#include <math.h>
#include <stdio.h>

static const double radius_m = 1e-3, solid_m = 3e-3;

// ---- part of a ball of radius r outside a ball of radius solid_m --------------------------------

typedef struct Lens {
    int dimensions;
    double r, center;         // of the ball; height of its centre over the solid's
    double volume, centroid;  // of the part outside; of which the height over the solid's centre
} Lens;

// n . N = cos(angle) where the surfaces meet gives the distance of the centres.
static void lens_measure(Lens *lens, double angle)
{
    const int parts = 4000;
    double r = lens->r, sum = 0, moment = 0;
    lens->center = sqrt(r * r + solid_m * solid_m - 2 * r * solid_m * cos(angle));
    for (int i = 0; i < parts; i++) {
        double t = -1 + (2 * i + 1.0) / parts, y = lens->center + r * t;
        double own = r * r * (1 - t * t);
        double hidden = y > 0 ? fmin(own, fmax(0, solid_m * solid_m - y * y)) : own;
        double part =
            lens->dimensions == 2 ? 2 * (sqrt(own) - sqrt(hidden)) : DEW_PI * (own - hidden);
        sum += part;
        moment += part * y;
    }
    lens->volume = sum * 2 * r / parts;
    lens->centroid = moment / sum;
}

// The lens of this volume that meets the solid at this angle.
static Lens lens_of(int dimensions, double volume, double angle)
{
    Lens lens = {.dimensions = dimensions};
    double low = 0.1 * radius_m, high = 100 * radius_m;
    for (int i = 0; i < 50; i++) {
        lens.r = sqrt(low * high);
        lens_measure(&lens, angle);
        *(lens.volume < volume ? &low : &high) = lens.r;
    }
    return lens;
}

static double lens_angle(int dimensions, double volume, double centroid)
{
    double low = DEW_DEG(5), high = DEW_DEG(175);
    for (int i = 0; i < 30; i++) {
        double middle = 0.5 * (low + high);
        *(lens_of(dimensions, volume, middle).centroid < centroid ? &low : &high) = middle;
    }
    return low;
}

typedef struct Place {
    double cells;        // in the radius of the free drop
    double azimuth_deg;  // of the drop, from above
    double x, y;         // of the point of the solid below it, in cells
} Place;

static dew_SceneBuilder begin(int dimensions, double h, double angle_deg)
{
    dew_SceneDef def = dew_build_weightless("volume", dimensions, 4e-3, h);
    def.liquid.viscosity_Pa_s = 20e-3;
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_material(&b, "w", dew_build_angle(DEW_DEG(angle_deg)));
    return b;
}

static dew_Status sit(int dimensions, double angle_deg, const Place *place, double *got_deg)
{
    double h = radius_m / place->cells, volume = DEW_PI * radius_m * radius_m;
    double nx = sin(DEW_DEG(place->azimuth_deg)), ny = cos(DEW_DEG(place->azimuth_deg));
    double sx = place->x * h - nx * solid_m, sy = place->y * h - ny * solid_m;
    double start = angle_deg < 90 ? angle_deg + 3 : angle_deg - 4;
    volume *= dimensions == 2 ? 1 : 4.0 / 3 * radius_m;
    Lens lens = lens_of(dimensions, volume, DEW_DEG(start));
    double z = dimensions == 2 ? 0 : 0.3 * h;
    dew_SceneBuilder b = begin(dimensions, h, angle_deg);
    dew_SolidDef solid =
        dew_default_solid_def(dimensions == 2 ? DEW_SOLID_CYLINDER : DEW_SOLID_SPHERE);
    solid.material = "w";
    solid.from_m = dew_v3(sx, sy, -9e-3);
    solid.to_m = dew_v3(sx, sy, 9e-3);
    solid.center_m = dew_v3(sx, sy, z);
    solid.radius_m = solid_m;
    dew_build_solid(&b, &solid);
    dew_build_ball(&b, dew_v3(sx + nx * lens.center, sy + ny * lens.center, z), lens.r);
    dew_Stats stats;
    DEW_TRY(dew_stage_run(&b, 0.04, &stats));
    double centroid = hypot(stats.center_m.x - sx, stats.center_m.y - sy);
    *got_deg =
        lens_angle(dimensions, stats.volume_m3 / (dimensions == 2 ? h : 1), centroid) / DEW_DEG(1);
    return dew_ok();
}

static dew_Status compare_curved(dew_CaseRun *c, int dimensions, double angle_deg)
{
    static const Place places[3] = {{16, 20, 0.1, 0.3}, {16, 0, 0.02, 0.55}, {13, 38, 0.7, 0.8}};
    static const Place quick = {8, 20, 0.1, 0.3};
    double worst = angle_deg;
    for (int k = 0; k < (c->is_quick ? 1 : 3); k++) {
        double got;
        DEW_TRY(sit(dimensions, angle_deg, c->is_quick ? &quick : &places[k], &got));
        worst = dew_farther(worst, got, angle_deg);
    }
    char name[64];
    snprintf(name, sizeof name, "%g deg on a %s", angle_deg,
             dimensions == 2 ? "cylinder" : "sphere");
    dew_case_within(c, name, worst, angle_deg, c->is_quick ? 6 : 3);
    return dew_ok();
}

// ---- a table -----------------------------------------------------------------------------------

// The drop that covers a table 2 mm wide as a circle's segment of this angle. Gives the angle of
// the segment of the same area whose centre is where the drop's is after 0.04 s.
static dew_Status cover_table(double angle_deg, const Place *place, double *got_deg,
                              dew_Stats *stats)
{
    double a = DEW_DEG(angle_deg), b = 1e-3, r = b / sin(a), h = radius_m / place->cells;
    double t = DEW_DEG(place->azimuth_deg), nx = -sin(t), ny = cos(t), up = -r * cos(a);
    double x = place->x * h, y = place->y * h;
    dew_SceneBuilder builder = begin(2, h, 60);
    dew_SolidDef table = dew_default_solid_def(DEW_SOLID_BOX);
    table.material = "w";
    table.center_m = dew_v3(x - nx * b, y - ny * b, 0);
    table.size_m = dew_v3(2e-3, 2e-3, 9e-3);
    table.rotate = (dew_RotateDef){{0, 0, 1}, t};
    dew_build_solid(&builder, &table);
    dew_build_ball(&builder, dew_v3(x + nx * up, y + ny * up, 0), r);
    DEW_TRY(dew_stage_run(&builder, 0.04, stats));
    double height = nx * (stats->center_m.x - x) + ny * (stats->center_m.y - y);
    double low = DEW_DEG(10), high = DEW_DEG(178);
    for (int i = 0; i < 50; i++) {
        double m = 0.5 * (low + high), sine = sin(m), part = m - sine * cos(m);
        double radius = sqrt(stats->volume_m3 / (h * part));
        *(radius * (2 * sine * sine * sine / (3 * part) - cos(m)) < height ? &low : &high) = m;
    }
    *got_deg = low / DEW_DEG(1);
    stats->contact_area_m2 /= h;  // the length that is wet
    return dew_ok();
}

static dew_Status compare_edges(dew_CaseRun *c)
{
    static const Place places[6] = {{16, 0, 0.3, 0.3},    {16, 20, 0.3, 0.3}, {13, 0, 0.7, 0.8},
                                    {13, 10, 0.02, 0.55}, {16, 33, 0.7, 0.8}, {13, 45, 0.3, 0.3}};
    static const Place quick[2] = {{8, 0, 0.3, 0.3}, {8, 20, 0.3, 0.3}};
    const Place *chosen = c->is_quick ? quick : places;
    double worst = 100, fastest = 0, got;
    dew_Stats stats;
    for (int k = 0; k < (c->is_quick ? 2 : 6); k++) {
        DEW_TRY(cover_table(100, &chosen[k], &got, &stats));
        worst = dew_farther(worst, got, 100);
        fastest = fmax(fastest, 100 * stats.max_speed_m_s);
    }
    dew_case_within(c, "100 deg at a table's edges", worst, 100, c->is_quick ? 6 : 3);
    dew_case_within(c, "fastest at rest there (cm/s)", fastest, 0, 1.5);
    DEW_TRY(cover_table(162, &chosen[0], &got, &stats));
    dew_case_at_least(c, "162 deg runs over: wet (mm)", 1e3 * stats.contact_area_m2, 3);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    static const double angles[] = {30, 60, 90, 120, 150};
    for (int i = 0; i < 5; i++)
        if (!c->is_quick || i == 1)
            DEW_TRY(compare_curved(c, 2, angles[i]));
    DEW_TRY(compare_edges(c));
    if (c->is_quick)
        return dew_ok();
    DEW_TRY(compare_curved(c, 3, 60));
    return compare_curved(c, 3, 120);
}

const dew_Case dew_case_volume_curved = {"volume_curved",
                                         "volume: drops on curved solids and at edges", true, run};
