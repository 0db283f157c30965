// Drops that sit on flat walls without gravity, in the solver `volume`, in three dimensions.
//
// The drop is a spherical cap, whatever the wall's tilt: its angle follows from the height of the
// centre of its volume over the wall. It starts 3 or 4 degrees off and comes to rest with a
// viscosity that neither lets it ring for long nor holds up its line; the equilibrium does not
// depend on it. The fastest velocity at rest is that of water, 10 ms after it was put there in its
// final shape. Told is the worst of three places of the wall between the cells, one of them with 16
// cells in the radius of the free drop, two with 13, each tilt in another direction: the design
// gives its figures for 16. --quick runs one angle, R/h = 5, twice the allowance.
#include "validate/cases.h"
#include "validate/places.h"
#include "validate/stage.h"

#include <math.h>
#include <stdio.h>

static const double rho = 998.2, sigma = 72.8e-3, water_Pa_s = 1.002e-3, radius_m = 1e-3;

static double cap_radius(double angle)
{
    double c = cos(angle);
    return radius_m * cbrt(4 / ((2 + c) * (1 - c) * (1 - c)));
}

// Height of the centre of a cap with the volume of a ball of radius_m.
static double cap_center(double angle)
{
    double c = cos(angle);
    return cap_radius(angle) * (0.75 * (1 + c) * (1 + c) / (2 + c) - c);
}

static double cap_angle_deg(double center_m)
{
    double low = DEW_DEG(5), high = DEW_DEG(179);
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        *(cap_center(middle) < center_m ? &low : &high) = middle;
    }
    return low / DEW_DEG(1);
}

typedef struct Place {
    double cells;
    double offset;       // of the wall, cells
    double azimuth_deg;  // of its tilt
} Place;

typedef struct Drop {
    double angle_deg, start_deg, tilt_deg;
    double viscosity_Pa_s, time_s;
} Drop;

static dew_Status sit(const Drop *drop, const Place *place, double *angle_deg, double *speed_m_s)
{
    double h = radius_m / place->cells, t = DEW_DEG(drop->tilt_deg), y = place->offset * h;
    double start = DEW_DEG(drop->start_deg), radius = cap_radius(start), up = -radius * cos(start);
    double nx = -sin(t) * cos(DEW_DEG(place->azimuth_deg)), ny = cos(t);
    double nz = sin(t) * sin(DEW_DEG(place->azimuth_deg));
    dew_SceneDef def = dew_build_def("volume", dew_v3(-56 * h, -56 * h, -56 * h),
                                     dew_v3(56 * h, 56 * h, 56 * h), h);
    def.gravity_m_s2 = dew_v3(0, 0, 0);
    def.liquid = dew_build_liquid(rho, drop->viscosity_Pa_s, sigma);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_material(&b, "wall", dew_build_angle(DEW_DEG(drop->angle_deg)));
    dew_build_plane(&b, dew_v3(0, y, 0), dew_v3(nx, ny, nz), "wall");
    dew_build_ball(&b, dew_v3(0.1 * h + nx * up, y + ny * up, 0.2 * h + nz * up), radius);
    dew_Stage stage;
    DEW_TRY(dew_stage_open(&stage, &b));
    dew_Stats stats;
    dew_Status status = dew_world_step_to(stage.world, drop->time_s);
    dew_world_stats(stage.world, &stats);
    dew_stage_close(&stage);
    double x = stats.center_m.x, z = stats.center_m.z;
    *angle_deg = cap_angle_deg(nx * x + ny * (stats.center_m.y - y) + nz * z);
    *speed_m_s = stats.max_speed_m_s;
    return status;
}

// An angle with the viscosity and the time that bring it to rest.
typedef struct Wetting {
    double angle_deg, viscosity_Pa_s, time_s;
    double allowed_deg;  // aligned; tilted by 20 degrees it is 2 instead of 1.5
} Wetting;

static dew_Status compare(dew_CaseRun *c, const Wetting *wetting, double tilt_deg)
{
    static const Place places[3] = {{16, 0.31, 0}, {13, 0, 25}, {13, 0.47, 70}};
    double angle_deg = wetting->angle_deg, worst = angle_deg, fastest = 0, ease = 1;
    for (int k = 0; k < (c->is_quick ? 1 : 3); k++) {
        Place place = places[k];
        double got, speed;
        Drop drop = {angle_deg, angle_deg + (angle_deg < 90 ? 3 : -4), tilt_deg,
                     wetting->viscosity_Pa_s, wetting->time_s};
        if (c->is_quick) {
            place.cells = 5;
            ease = 2;
        }
        DEW_TRY(sit(&drop, &place, &got, &speed));
        worst = dew_farther(worst, got, angle_deg);
        drop.start_deg = angle_deg;
        drop.viscosity_Pa_s = water_Pa_s;
        drop.time_s = 0.01;
        DEW_TRY(sit(&drop, &place, &got, &speed));
        fastest = dew_farther(fastest, speed, 0);
    }
    char name[64];
    double allowed = wetting->allowed_deg < 2 && tilt_deg > 0 ? 2 : wetting->allowed_deg;
    snprintf(name, sizeof name, "%g deg on a wall tilted by %g", angle_deg, tilt_deg);
    dew_case_within(c, name, worst, angle_deg, allowed * ease);
    snprintf(name, sizeof name, "%g deg, tilt %g: fastest (m/s)", angle_deg, tilt_deg);
    dew_case_within(c, name, fastest, 0, (tilt_deg > 0 ? 0.015 : 0.006) * ease);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    static const Wetting wettings[] = {{30, 15e-3, 0.02, 1.5},
                                       {60, 50e-3, 0.012, 1.5},
                                       {90, 70e-3, 0.015, 1.5},
                                       {120, 100e-3, 0.02, 1.5},
                                       {150, 200e-3, 0.025, 8}};
    for (int i = 0; i < 5; i++)
        for (int tilt_deg = 0; tilt_deg <= 20; tilt_deg += 20)
            if (!c->is_quick || (i == 3 && tilt_deg == 20))
                DEW_TRY(compare(c, &wettings[i], tilt_deg));
    return dew_ok();
}

const dew_Case dew_case_volume_walls = {
    "volume_walls", "volume: drops on flat walls against spherical caps, in 3-D", true, run};
