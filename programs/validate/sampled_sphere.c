// The isosurface of a sampled sphere: volume and area converge to those of the ball at second
// order.
//
// Linear interpolation puts vertices on the sphere to O(h^2), and flat triangles miss it by O(h^2);
// so halving h must quarter both errors. The centre is off every grid plane, for symmetry flatters.
#include "dew/grid.h"
#include "support/vec.h"
#include "validate/cases.h"

#include <math.h>
#include <stdlib.h>

static const double radius_m = 1e-3;

// Samples of the distance on nodes^3 nodes; free() them.
static dew_Status sample(int nodes, dew_SampleBlock *block)
{
    double h = 2.6 * radius_m / (nodes - 1);
    dew_Vec3 center = {0.113 * h, -0.271 * h, 0.377 * h};
    double *out = malloc((size_t)nodes * (size_t)nodes * (size_t)nodes * sizeof *out);
    if (!out)
        return dew_fail(DEW_NO_MEMORY, "no memory for %d^3 samples", nodes);
    *block = (dew_SampleBlock){.values = out,
                               .counts = {nodes, nodes, nodes},
                               .origin_m = {-1.3 * radius_m, -1.3 * radius_m, -1.3 * radius_m},
                               .spacing_m = h};
    for (int k = 0; k < nodes; k++)
        for (int j = 0; j < nodes; j++)
            for (int i = 0; i < nodes; i++) {
                dew_Vec3 x = dew_v3_add_scaled(block->origin_m, h, dew_v3(i, j, k));
                *out++ = dew_v3_distance(x, center) - radius_m;
            }
    return dew_ok();
}

static dew_Status errors(int nodes, dew_Surface *surface, double *volume, double *area)
{
    dew_SampleBlock block = {0};
    DEW_TRY(sample(nodes, &block));
    dew_Status status = dew_surface_from_samples(&block, surface);
    free((void *)block.values);
    DEW_TRY(status);
    double r = radius_m;
    *volume = fabs(dew_surface_volume_m3(surface) / (4.0 / 3 * DEW_PI * r * r * r) - 1);
    *area = fabs(dew_surface_area_m2(surface) / (4 * DEW_PI * r * r) - 1);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    dew_Surface *surface = NULL;
    double volume[3], area[3];
    DEW_TRY(dew_surface_create(NULL, &surface));
    dew_Status status = dew_ok();
    for (int level = 0; level < 3 && status.code == DEW_OK; level++)
        status = errors((20 << level) + 1, surface, &volume[level], &area[level]);
    dew_surface_destroy(surface);
    DEW_TRY(status);
    dew_case_within(c, "order of volume, 20 to 80 cells", log2(volume[0] / volume[2]) / 2, 2, 0.15);
    dew_case_within(c, "order of area, 20 to 80 cells", log2(area[0] / area[2]) / 2, 2, 0.15);
    // No edge is longer than a cell's diagonal, sqrt(3) h, so no point of a triangle lies more than
    // 3 h^2/8R below its corners' sphere; linear interpolation puts corners at most h^2/8R inside.
    // A layer of depth d is 3 d/R of the volume and changes the area by less.
    double h = 2.6 / 80;
    dew_case_within(c, "relative volume error at 80 cells", volume[2], 0, 1.5 * h * h);
    dew_case_within(c, "relative area error at 80 cells", area[2], 0, 1.5 * h * h);
    return dew_ok();
}

const dew_Case dew_case_sampled_sphere = {
    "sampled_sphere", "volume and area of a sampled sphere's isosurface", true, run};
