// Layers of liquid that slide along plates: the viscous step alone against exact modes.
//
// Between plates at rest u(y) = cos(k (y - middle)) decays as exp(-nu k^2 t), with k H / 2 = pi / 2
// when nothing slips, and k slip tan(k H / 2) = 1 with a slip length. The plates lie between grid
// lines. A layer with a free surface above is half of such a flow. The channel is so long that its
// ends, where the liquid rests, are not felt in the middle.
//
// Backward Euler is of first order in time: the step is made so short that the cell decides.
#include "validate/cases.h"
#include "validate/flow_box.h"
#include "validate/root.h"

#include <math.h>
#include <stdio.h>

static const double viscosity = 1, end = 0.04, low = 0.113, high = 0.893, length = 4;

typedef struct Layer {
    double slip, k, middle;
} Layer;

static double mode(const void *context, double k)
{
    const Layer *layer = context;
    return k * layer->slip * sin(k * (high - low) / 2) - cos(k * (high - low) / 2);
}

static dew_Status find_mode(Layer *layer)
{
    layer->middle = 0.5 * (low + high);
    return dew_root_find(mode, layer, 0, 1.2 * DEW_PI / (high - low), 1e-12, &layer->k);
}

static dew_Vec3 layer_velocity(void *context, dew_Vec3 x, double time_s)
{
    (void)time_s;
    const Layer *layer = context;
    return (dew_Vec3){cos(layer->k * (x.y - layer->middle)), 0, 0};
}

// Liquid below the middle only.
static double lower_half(void *context, dew_Vec3 x)
{
    return x.y - ((const Layer *)context)->middle;
}

// Largest error in the middle of the channel, relative to the amplitude, where 0 < y < top.
static double error_of(const dew_FlowBox *box, const Layer *layer, double top)
{
    double amplitude = exp(-viscosity * layer->k * layer->k * end), worst = 0;
    int i = (int)lround(0.5 * length * box->cells);
    for (int j = 0; j < box->cells; j++) {
        double y = (j + 0.5) * box->h;
        if (y < low || y > top)
            continue;
        double exact = amplitude * cos(layer->k * (y - layer->middle));
        double error = fabs(dew_flow_box_u(box, 0, i, j) - exact) / amplitude;
        worst = error <= worst ? worst : error;
    }
    return worst;
}

static dew_Status diffuse(int cells, double slip, bool has_surface, double *error)
{
    Layer layer = {.slip = slip};
    DEW_TRY(find_mode(&layer));
    dew_FlowBox box = {.cells = cells,
                       .length = length,
                       .low = low,
                       .high = high,
                       .slip = slip,
                       .viscosity = viscosity,
                       .dt = 0.5 / ((double)cells * cells)};
    DEW_TRY(dew_flow_box_open(&box));
    dew_VelocityField start = {.velocity_m_s = layer_velocity, .context = &layer};
    dew_DistanceField liquid = {lower_half, &layer};
    dew_Status status = dew_flow_set_velocity(box.flow, &start);
    if (has_surface && status.code == DEW_OK)
        status = dew_flow_set_liquid(box.flow, &liquid);
    int steps = (int)lround(end / box.dt);
    for (int i = 0; i < steps && status.code == DEW_OK; i++)
        status = dew_flow_diffuse(box.flow, end / steps);
    *error = error_of(&box, &layer, has_surface ? layer.middle : high);
    dew_flow_box_close(&box);
    return status;
}

static dew_Status converge(dew_CaseRun *c, const char *name, double slip, bool has_surface,
                           double order)
{
    double error[2];
    char quantity[64];
    for (int i = 0; i < 2; i++)
        DEW_TRY(diffuse(16 << i, slip, has_surface, &error[i]));
    snprintf(quantity, sizeof quantity, "error, %s, 32 cells", name);
    dew_case_within(c, quantity, error[1], 0, has_surface ? 0.02 : 0.01);
    snprintf(quantity, sizeof quantity, "order, %s", name);
    dew_case_at_least(c, quantity, log2(error[0] / error[1]), order);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    DEW_TRY(converge(c, "no slip", 0, false, 1.5));
    DEW_TRY(converge(c, "slip length 0.1", 0.1, false, 1.5));
    return converge(c, "free surface", 0, true, 0.9);
}

const dew_Case dew_case_shear_layers = {
    "shear_layers", "decay of shear layers between plates, with slip and a free surface", true,
    run};
