// The corner at the rear of a drop that slides: its half width against x, and a straight line
// through it.
//
// The half width is the largest |z| of the wetted vertices in bins of x, an eighth of its maximum
// long. The line is fitted behind the widest bin, where the half width is between a third and two
// thirds of its maximum: farther to the front the outline is round, farther to the rear it is a
// cusp, or a tail that goes over into the corner.
#include "validate/sliding_outline.h"

#include <math.h>
#include <string.h>

enum { BINS = 96, BINS_PER_HALF = 8 };

typedef struct Outline {
    double half_m, bin_m;
    double width_m[BINS];  // from the front to the rear
} Outline;

dew_Status dew_sliding_largest(dew_Stage *stage, dew_Drop *out)
{
    const dew_Drop *drops;
    int64_t count;
    DEW_TRY(dew_world_drops(stage->world, &drops, &count));
    memset(out, 0, sizeof *out);
    for (int64_t k = 0; k < count; k++)
        if (drops[k].volume_m3 > out->volume_m3)
            *out = drops[k];
    return dew_ok();
}

static bool is_of(const dew_Drop *drop, dew_Vec3 x)
{
    return x.x >= drop->box_min_m.x && x.x <= drop->box_max_m.x;
}

static Outline outline_of(const dew_Surface *surface, const dew_Drop *drop)
{
    const dew_Vec3 *x = dew_surface_positions_m(surface);
    const float *wet = dew_surface_wet(surface);
    int64_t count = dew_surface_vertex_count(surface);
    Outline o = {0};
    double front = -(double)INFINITY;
    for (int64_t i = 0; i < count; i++)
        if (wet[i] > 0 && is_of(drop, x[i])) {
            front = fmax(front, x[i].x);
            o.half_m = fmax(o.half_m, fabs(x[i].z));
        }
    o.bin_m = o.half_m / BINS_PER_HALF;
    for (int64_t i = 0; i < count; i++) {
        double bin = (front - x[i].x) / o.bin_m;
        if (wet[i] > 0 && is_of(drop, x[i]) && bin < BINS) {
            double *w = &o.width_m[(int)bin];
            *w = fmax(*w, fabs(x[i].z));
        }
    }
    return o;
}

static double fit_sine(const Outline *o)
{
    int k = 0;
    double n = 0, x = 0, z = 0, xx = 0, xz = 0;
    while (k < BINS && o->width_m[k] < o->half_m)
        k++;
    for (; k < BINS && o->width_m[k] > o->half_m / 3; k++) {
        double at = -k * o->bin_m, w = o->width_m[k];
        if (!(w < 2 * o->half_m / 3))
            continue;
        n++, x += at, z += w, xx += at * at, xz += at * w;
    }
    return n > 2 ? sin(atan((n * xz - x * z) / (n * xx - x * x))) : (double)NAN;
}

dew_Status dew_sliding_sine(dew_Stage *stage, const dew_Drop *largest, double *sine)
{
    dew_View view;
    DEW_TRY(dew_stage_look(stage, &view));
    Outline o = outline_of(stage->surface, largest);
    *sine = fit_sine(&o);
    return dew_ok();
}
