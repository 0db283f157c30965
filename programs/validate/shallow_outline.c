// Outlines of drops in the solver `shallow`: round where nothing but the grid has a direction.
//
// On a level plate with hysteresis one drop is fed from above, so that its contact line advances,
// and one is laid down too flat, so that it recedes. Their outlines r(phi) have Fourier modes 4 and
// 8, those of a square grid, below 1 % of the radius, on two grids: a line that the grid holds
// along its axes would be square however small the cells are. The radius is within 5 % of Young and
// Laplace's, as in shallow_drops. A hundred times water's viscosity: the line comes to rest where
// it is held, not where the drop swings to.
#include "support/vec.h"
#include "validate/cases.h"
#include "validate/places.h"
#include "validate/stage.h"
#include "validate/young_laplace.h"

#include <math.h>
#include <stdio.h>

static const double rho = 998.2, sigma = 72.8e-3, g = 9.81;
static const double receding_deg = 35, advancing_deg = 65;

typedef struct Outline {
    double radius_m;
    double mode_4, mode_8;  // of the radius
} Outline;

// An edge of the mesh on the contact line is that of a triangle of the surface with two corners on
// the ground.
typedef struct Edge {
    dew_Vec3 from, to;
} Edge;
static bool find_edge(const dew_Surface *surface, int64_t triangle, Edge *out)
{
    const uint32_t *v = dew_surface_triangles(surface) + 3 * triangle;
    const dew_Vec3 *x = dew_surface_positions_m(surface);
    const float *wet = dew_surface_wet(surface);
    for (int k = 0; k < 3; k++) {
        uint32_t a = v[k], b = v[(k + 1) % 3], c = v[(k + 2) % 3];
        *out = (Edge){x[a], x[b]};
        if (wet[a] > 0 && wet[b] > 0 && !(wet[c] > 0))
            return true;
    }
    return false;
}

// Mean over the outline of (r - level) cos(mode phi), or of sin: Simpson's rule on each edge.
static double mean_of(const dew_Surface *surface, dew_Vec3 middle, double level_m, int mode,
                      bool is_sine)
{
    static const double weight[3] = {1.0 / 6, 4.0 / 6, 1.0 / 6};
    double turn = 0, sum = 0;
    Edge edge;
    for (int64_t k = 0; k < dew_surface_triangle_count(surface); k++) {
        if (!find_edge(surface, k, &edge))
            continue;
        dew_Vec3 p = dew_v3_sub(edge.from, middle), q = dew_v3_sub(edge.to, middle);
        double angle = atan2(p.x * q.z - p.z * q.x, p.x * q.x + p.z * q.z);
        turn += angle;
        for (int i = 0; i < 3; i++) {
            double x = p.x + 0.5 * i * (q.x - p.x), z = p.z + 0.5 * i * (q.z - p.z);
            double phi = mode * atan2(z, x);
            sum += angle * weight[i] * (hypot(x, z) - level_m) * (is_sine ? sin(phi) : cos(phi));
        }
    }
    return sum / turn;
}

static double mode_of(const dew_Surface *surface, dew_Vec3 middle, double radius_m, int mode)
{
    double real = mean_of(surface, middle, radius_m, mode, false);
    return 2 * hypot(real, mean_of(surface, middle, radius_m, mode, true)) / radius_m;
}

static Outline outline_of(const dew_Surface *surface, dew_Vec3 middle)
{
    double radius_m = mean_of(surface, middle, 0, 0, false);
    return (Outline){radius_m, mode_of(surface, middle, radius_m, 4),
                     mode_of(surface, middle, radius_m, 8)};
}

static dew_Status watch(double cell_m, double offset, bool is_fed, dew_View *view, Outline *out)
{
    dew_Stage stage;
    double x = offset * cell_m, z = 0.7 * offset * cell_m;
    dew_SceneDef def = dew_build_def("shallow", 2, dew_v3(-4.5e-3, 0, -4.5e-3),
                                     dew_v3(4.5e-3, 6e-3, 4.5e-3), cell_m);
    def.liquid = dew_build_liquid(rho, 100e-3, sigma);
    dew_build_walls(&def, "glass");
    dew_SourceDef inflow = dew_build_disk(dew_v3(x, 4e-3, z), 0.8e-3, 20e-3);
    inflow.start_s = is_fed ? 0 : 8;
    inflow.stop_s = 9;
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_material(&b, "glass",
                       dew_build_angles(DEW_DEG(receding_deg), DEW_DEG(advancing_deg)));
    dew_build_cap(&b, dew_v3(x, 0, z), is_fed ? 4e-9 : 12e-9, DEW_DEG(is_fed ? 50 : 22));
    dew_build_source(&b, &inflow);
    DEW_TRY(dew_stage_open(&stage, &b));
    dew_Status status = dew_world_step(stage.world, 0.3);
    if (status.code == DEW_OK)
        status = dew_stage_look(&stage, view);
    if (status.code == DEW_OK)
        *out = outline_of(stage.surface, view->center_m);
    dew_stage_close(&stage);
    return status;
}

static dew_Status compare(dew_CaseRun *c, double cell_m, bool is_fed)
{
    static const double offsets[] = {0.07, 0.37, 0.5};
    const double k = dew_capillary_k_1_m2(rho, g, sigma);
    const char *what = is_fed ? "fed" : "receding";
    char name[64];
    double mode_4 = 0, mode_8 = 0, radius = 1;
    for (int j = 0; j < (c->is_quick ? 1 : 3); j++) {
        dew_View view;
        Outline got;
        dew_SessileDrop want;
        DEW_TRY(watch(cell_m, offsets[j], is_fed, &view, &got));
        DEW_TRY(dew_sessile_from_volume_angle(
            k, view.volume_m3, DEW_DEG(is_fed ? advancing_deg : receding_deg), &want));
        mode_4 = dew_farther(mode_4, got.mode_4, 0);
        mode_8 = dew_farther(mode_8, got.mode_8, 0);
        radius = dew_farther(radius, got.radius_m / want.base_radius_m, 1);
    }
    snprintf(name, sizeof name, "%s, %g mm: mode 4 (of the radius)", what, 1e3 * cell_m);
    dew_case_within(c, name, mode_4, 0, 0.01);
    snprintf(name, sizeof name, "%s, %g mm: mode 8 (of the radius)", what, 1e3 * cell_m);
    dew_case_within(c, name, mode_8, 0, 0.01);
    snprintf(name, sizeof name, "%s, %g mm: radius (of theory's)", what, 1e3 * cell_m);
    dew_case_near(c, name, radius, 1, 0.05);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    for (int k = 0; k < (c->is_quick ? 1 : 2); k++) {
        double cell_m = k == 0 ? 0.3e-3 : 0.15e-3;
        DEW_TRY(compare(c, cell_m, true));
        DEW_TRY(compare(c, cell_m, false));
    }
    return dew_ok();
}

const dew_Case dew_case_shallow_outline = {"shallow_outline",
                                           "shallow: outlines of drops are round", true, run};
