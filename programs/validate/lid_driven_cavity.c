// A square cavity whose lid moves: velocities on the centre lines against [Ghia1982], and at
// Reynolds number 1000 against [Botella1998], whose spectral solution is exact to more digits than
// are shown (Ghia's table is off by up to 2 % there; its v(0.9063) at 400 is a misprint and left
// out).
//
// The allowance is 1 % of the lid's speed. The flow is steady when nothing on the lines changes by
// more than 2e-5 of it per unit of time. The step is free: the way to the steady state depends on
// it, that state hardly (64^2, Re 1000: 0.75 to 3 cells per step change the error of v from 4.3 to
// 4.2 %).
#include "validate/cases.h"
#include "validate/flow_box.h"

#include <math.h>
#include <stdio.h>

enum { POINTS = 15 };

#define STEADY                                                                                     \
    2e-5  // of the lid's speed per unit of time; what is left decays within some twenty units

// Places in 128ths of the side.
static const int places_u[POINTS] = {125, 124, 123, 122, 109, 94, 79, 64, 58, 36, 22, 13, 9, 8, 7};
static const int places_v[POINTS] = {124, 123, 122, 121, 116, 110, 103, 64,
                                     30,  29,  20,  12,  10,  9,   8};

typedef struct Flow {
    int reynolds, cells;
    double u[POINTS], v[POINTS];  // NaN: no reference
} Flow;

static const Flow flows[3] = {
    {100,
     64,
     {0.84123, 0.78871, 0.73722, 0.68717, 0.23151, 0.00332, -0.13641, -0.20581, -0.21090, -0.15662,
      -0.10150, -0.06434, -0.04775, -0.04192, -0.03717},
     {-0.05906, -0.07391, -0.08864, -0.10313, -0.16914, -0.22445, -0.24533, 0.05454, 0.17527,
      0.17507, 0.16077, 0.12317, 0.10890, 0.10091, 0.09233}},
    {400,
     128,
     {0.75837, 0.68439, 0.61756, 0.55892, 0.29093, 0.16256, 0.02135, -0.11477, -0.17119, -0.32726,
      -0.24299, -0.14612, -0.10338, -0.09266, -0.08186},
     {-0.12146, -0.15663, -0.19254, -0.22847, (double)NAN, -0.44993, -0.38598, 0.05186, 0.30174,
      0.30203, 0.28124, 0.22965, 0.20920, 0.19713, 0.18360}},
    {1000,
     128,
     {0.6644227, 0.5808359, 0.5169277, 0.4723329, 0.3372212, 0.1886747, 0.0570178, -0.0620561,
      -0.1081999, -0.2803696, -0.3885691, -0.3004561, -0.2228955, -0.2023300, -0.1812881},
     {-0.2279225, -0.2936869, -0.3553213, -0.4103754, -0.5264392, -0.4264545, -0.3202137, 0.0257995,
      0.3253592, 0.3339924, 0.3769189, 0.3330442, 0.3099097, 0.2962703, 0.2807056}},
};

// Value at t of the cubic through four samples at -1, 0, 1, 2.
static double cubic(const double s[4], double t)
{
    return -t * (t - 1) * (t - 2) / 6 * s[0] + (t + 1) * (t - 1) * (t - 2) / 2 * s[1] -
           (t + 1) * t * (t - 2) / 2 * s[2] + (t + 1) * t * (t - 1) / 6 * s[3];
}

// Component a on the centre line that it crosses, at a place along it.
static double on_line(const dew_FlowBox *box, int a, int place)
{
    double s[4], x = (double)place * box->cells / 128.0 - 0.5, below = floor(x);
    for (int n = 0; n < 4; n++) {
        int along = (int)below - 1 + n, middle = box->cells / 2;
        s[n] =
            a == 0 ? dew_flow_box_u(box, 0, middle, along) : dew_flow_box_u(box, 1, along, middle);
    }
    return cubic(s, x - below);
}

// The largest change of a velocity on the lines since the last call.
static double largest_change(const dew_FlowBox *box, double line[2][POINTS])
{
    double largest = 0;
    for (int i = 0; i < POINTS; i++)
        for (int a = 0; a < 2; a++) {
            double now = on_line(box, a, a == 0 ? places_u[i] : places_v[i]);
            largest = fmax(largest, fabs(now - line[a][i]));
            line[a][i] = now;
        }
    return largest;
}

static dew_Status run_to_rest(dew_FlowBox *box, double end)
{
    double line[2][POINTS] = {{0}};
    for (int unit = 1; dew_flow_time_s(box->flow) < end; unit++) {
        while (dew_flow_time_s(box->flow) < unit)
            DEW_TRY(dew_flow_step(box->flow, box->dt));
        if (largest_change(box, line) < STEADY && unit > 1)
            return dew_ok();
    }
    return dew_fail(DEW_DIVERGED, "the cavity's flow is not steady after %g units of time", end);
}

static dew_Status compare(dew_CaseRun *c, const Flow *flow, int cells)
{
    dew_FlowBox box = {.cells = cells,
                       .length = 1,
                       .low = 0,
                       .high = 1,
                       .lid_speed = 1,
                       .viscosity = 1.0 / flow->reynolds,
                       .dt = 3.0 / cells};
    DEW_TRY(dew_flow_box_open(&box));
    dew_Status status = run_to_rest(&box, 200);
    double worst[2] = {0, 0};
    for (int i = 0; i < POINTS; i++) {
        double error[2] = {fabs(on_line(&box, 0, places_u[i]) - flow->u[i]),
                           fabs(on_line(&box, 1, places_v[i]) - flow->v[i])};
        for (int a = 0; a < 2; a++) {
            bool has_reference = !isnan(a == 0 ? flow->u[i] : flow->v[i]);
            if (has_reference && !(error[a] <= worst[a]))
                worst[a] = error[a];
        }
    }
    dew_flow_box_close(&box);
    DEW_TRY(status);
    for (int a = 0; a < 2; a++) {
        char quantity[64];
        snprintf(quantity, sizeof quantity, "largest error of %s, Re %d, %d^2", a == 0 ? "u" : "v",
                 flow->reynolds, cells);
        dew_case_within(c, quantity, worst[a], 0, 0.01);
    }
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    DEW_TRY(compare(c, &flows[0], flows[0].cells));
    for (int i = 1; i < 3 && !c->is_quick; i++)
        DEW_TRY(compare(c, &flows[i], flows[i].cells));
    return dew_ok();
}

const dew_Case dew_case_lid_driven_cavity = {
    "lid_driven_cavity", "centre-line velocities of the lid-driven cavity", false, run};
