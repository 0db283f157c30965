// The rear of a drop that slides faster than its receding line can follow, in `surface`: a corner.
//
// Its two sides recede along their normals with just the critical speed, so that half of the
// opening angle phi has sin(phi) = Ca_c / Ca [Podgorski2001, LeGrand2005]. The sides are seen in
// the outline of the wetted base: its half width z against the distance x from the tip, a straight
// line fitted between a sixth of the largest half width (below it the tip is rounded by the mesh)
// and three quarters of it. Mean of several instants; allowed 15 % of sin(phi).
#include "validate/cases.h"
#include "validate/sliding.h"

#include <math.h>
#include <stdio.h>

enum { BINS = 12, LOOKS = 8 };

// Largest half width of the wetted base in bins of x from its rear, over a length of 1.5 times the
// largest half width.
typedef struct Outline {
    double half_m, bin_m, width_m[BINS];
} Outline;

static Outline outline_of(const dew_Surface *surface)
{
    const dew_Vec3 *x = dew_surface_positions_m(surface);
    const float *wet = dew_surface_wet(surface);
    int64_t count = dew_surface_vertex_count(surface);
    Outline o = {0};
    double rear = (double)INFINITY;
    for (int64_t i = 0; i < count; i++)
        if (wet[i] > 0) {
            rear = fmin(rear, x[i].x);
            o.half_m = fmax(o.half_m, fabs(x[i].z));
        }
    o.bin_m = 1.5 * o.half_m / BINS;
    for (int64_t i = 0; i < count; i++) {
        double bin = (x[i].x - rear) / o.bin_m;
        if (wet[i] > 0 && bin < BINS) {
            double *w = &o.width_m[(int)bin];
            *w = fmax(*w, fabs(x[i].z));
        }
    }
    return o;
}

// Half of the opening angle by least squares; NaN with fewer than three bins.
static double half_angle(const Outline *o)
{
    double n = 0, x = 0, z = 0, xx = 0, xz = 0;
    for (int k = 0; k < BINS; k++) {
        double at = (k + 0.5) * o->bin_m, w = o->width_m[k];
        if (!(w > o->half_m / 6) || !(w < 0.75 * o->half_m))
            continue;
        n++, x += at, z += w, xx += at * at, xz += at * w;
    }
    return n > 2 ? atan((n * xz - x * z) / (n * xx - x * x)) : (double)NAN;
}

static dew_Status corner(dew_CaseRun *c, double slope_deg, double cells)
{
    dew_SlidingDrop d = dew_sliding_oil("surface", slope_deg, cells);
    dew_Stage stage;
    d.diameters = 5;
    DEW_TRY(dew_sliding_open(&d, &stage));
    double end_s = dew_sliding_time_s(&d), speed = 0, sine = 0;
    dew_Status status = dew_sliding_advance(&d, &stage, 0.6 * end_s);
    for (int k = 0; k < LOOKS && status.code == DEW_OK; k++) {
        dew_View view = {0};
        status = dew_sliding_advance(&d, &stage, end_s * (0.6 + 0.4 * (k + 1) / LOOKS));
        if (status.code == DEW_OK)
            status = dew_stage_look(&stage, &view);
        Outline o = outline_of(stage.surface);
        sine += sin(half_angle(&o)) / LOOKS;
        speed += view.stats.velocity_m_s.x / LOOKS;
    }
    dew_stage_close(&stage);
    DEW_TRY(status);
    char name[64];
    snprintf(name, sizeof name, "oil on %g deg, Ca / Ca_c = %.2f: sin(phi)", slope_deg,
             speed / dew_sliding_critical_m_s(&d));
    dew_case_near(c, name, sine, dew_sliding_critical_m_s(&d) / speed, 0.15);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    DEW_TRY(corner(c, 50, c->is_quick ? 8 : 12));
    return c->is_quick ? dew_ok() : corner(c, 40, 12);
}

const dew_Case dew_case_corner = {"corner", "surface: opening angle of a sliding drop's rear", true,
                                  run};
