// Drops on a level plate under gravity, in the solver `volume`: height and base against Young and
// Laplace, for 5, 33.5 and 200 mm^3.
//
// It starts as a cap of the angle it is to have and comes to rest with a hundred times the
// viscosity of water, on which the equilibrium does not depend. A quarter of it stands between two
// mirrors (walls of 90 degrees that slip freely). Reported is the worst of three places of plate
// and mirrors between the cells' faces, two of them with 16 cells in the radius of the free drop,
// one with 13; the design allows 2 %. The base is the mean radius of the line as the surface has
// it, seen in eight directions that keep off the mirrors. --quick runs one volume with 5 cells and
// three times that.
#include "validate/cases.h"
#include "validate/places.h"
#include "validate/stage.h"
#include "validate/young_laplace.h"

#include <math.h>
#include <stdio.h>

static const double rho = 998.2, sigma = 72.8e-3, g = 9.81;

#define DIRECTIONS 8

// Mean over directions of how far the surface's vertices on the plate reach from the axis.
static double base_radius(const dew_Stage *stage, double x, double y, double z, double close_m)
{
    const dew_Vec3 *p = dew_surface_positions_m(stage->surface);
    double reach[DIRECTIONS] = {0}, sum = 0;
    for (int64_t i = 0; i < dew_surface_vertex_count(stage->surface); i++) {
        double turn = atan2(p[i].z - z, p[i].x - x) / DEW_DEG(10) - 0.5;
        int at = (int)floor(turn);
        if (at >= 0 && at < DIRECTIONS && fabs(p[i].y - y) < close_m)
            reach[at] = fmax(reach[at], hypot(p[i].x - x, p[i].z - z));
    }
    for (int i = 0; i < DIRECTIONS; i++)
        sum += reach[i] / DIRECTIONS;
    return sum;
}

static dew_Status rest(double volume_m3, double angle_deg, const dew_GridPlace *place,
                       dew_SessileDrop want, double *height_m, double *base_m)
{
    double h = cbrt(3 * volume_m3 / (4 * DEW_PI)) / place->cells;
    double x = place->x * h, y = place->y * h, z = place->z * h;
    double wide = 8 * h * ceil(1.6 * fmax(want.widest_radius_m, want.base_radius_m) / (8 * h));
    double top = 8 * h * ceil(1.9 * want.height_m / (8 * h));
    dew_SceneDef def =
        dew_build_def("volume", 3, dew_v3(-8 * h, -8 * h, -8 * h), dew_v3(wide, top, wide), h);
    def.liquid = dew_build_liquid(rho, 100e-3, sigma);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_plate(&b, y, dew_build_angle(DEW_DEG(angle_deg)));
    dew_build_mirror(&b, dew_v3(x, 0, 0), dew_v3(1, 0, 0));
    dew_build_mirror(&b, dew_v3(0, 0, z), dew_v3(0, 0, 1));
    dew_build_cap(&b, dew_v3(x, y, z), volume_m3, DEW_DEG(angle_deg));
    dew_Stage stage;
    DEW_TRY(dew_stage_open(&stage, &b));
    // Some four periods of the slowest mode, which goes with the square root of the volume.
    dew_Status status = dew_world_step_to(stage.world, 0.08 * sqrt(volume_m3 / 33.5e-9));
    dew_Stats stats;
    dew_world_stats(stage.world, &stats);
    *height_m = stats.top_m - y;
    if (status.code == DEW_OK)
        status = dew_world_surface(stage.world, stage.surface);
    *base_m = base_radius(&stage, x, y, z, 1e-3 * h);
    dew_stage_close(&stage);
    return status;
}

static dew_Status compare(dew_CaseRun *c, double volume_mm3, double angle_deg)
{
    static const dew_GridPlace places[3] = {
        {16, 0.16, 0.16, 0.24}, {16, 0.61, 0.47, 0.37}, {13, 0.5, 0.77, 0.83}};
    double k = dew_capillary_k_1_m2(rho, g, sigma), ease = c->is_quick ? 3 : 1;
    dew_SessileDrop want;
    DEW_TRY(dew_sessile_from_volume_angle(k, 1e-9 * volume_mm3, DEW_DEG(angle_deg), &want));
    double height = want.height_m, base = want.base_radius_m;
    for (int i = 0; i < (c->is_quick ? 1 : 3); i++) {
        dew_GridPlace place = places[i];
        if (c->is_quick)
            place.cells = 5;
        double got_height, got_base;
        DEW_TRY(rest(1e-9 * volume_mm3, angle_deg, &place, want, &got_height, &got_base));
        height = dew_farther(height, got_height, want.height_m);
        base = dew_farther(base, got_base, want.base_radius_m);
    }
    char name[64];
    snprintf(name, sizeof name, "%g mm^3, %g deg: height (mm)", volume_mm3, angle_deg);
    dew_case_near(c, name, 1e3 * height, 1e3 * want.height_m, 0.02 * ease);
    snprintf(name, sizeof name, "%g mm^3, %g deg: base (mm)", volume_mm3, angle_deg);
    dew_case_near(c, name, 1e3 * base, 1e3 * want.base_radius_m, 0.02 * ease);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    static const double volumes[] = {5, 33.5, 200}, angles[] = {60, 120};
    if (c->is_quick)
        return compare(c, 33.5, 120);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            DEW_TRY(compare(c, volumes[i], angles[j]));
    return dew_ok();
}

const dew_Case dew_case_volume_gravity = {
    "volume_gravity", "volume: drops under gravity against Young and Laplace", true, run};
