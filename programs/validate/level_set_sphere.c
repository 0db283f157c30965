// A sphere's level set: redistancing and curvature against the exact distance, and their orders.
//
// Redistancing starts from a phi whose slope varies by 30 % and which is right at the surface only.
// The slope is judged by fourth-order differences, whose own error is (h/R)^4.
#include "dew/grid.h"
#include "support/vec.h"
#include "validate/cases.h"

#include <math.h>

typedef struct Ball {
    dew_Vec3 center;
    double radius;
} Ball;

typedef struct Result {
    double moved, slope, curvature;  // largest errors; cells, 1, relative
} Result;

static double distance_of(void *context, dew_Vec3 p)
{
    const Ball *ball = context;
    return dew_v3_distance(p, ball->center) - ball->radius;
}

// phi whose slope varies by 30 %, right at the surface only.
static double distorted(void *context, dew_Vec3 p)
{
    const Ball *ball = context;
    double x = p.x / ball->radius, y = p.y / ball->radius;
    return distance_of(context, p) * (1 + 0.3 * sin(3 * x) * cos(2 * y));
}

// Length of the gradient by fourth-order differences.
static double slope_at(const dew_FieldView *phi, const int32_t cell[3])
{
    double square = 0;
    for (int a = 0; a < 3; a++) {
        static const int step[4] = {-2, -1, 1, 2};
        double v[4];
        for (int m = 0; m < 4; m++) {
            int32_t q[3] = {cell[0], cell[1], cell[2]};
            q[a] += step[m];
            v[m] = dew_field_view_value(phi, dew_field_view_index(phi, q[0], q[1], q[2]));
        }
        double g = (8 * (v[2] - v[1]) - (v[3] - v[0])) / 12;
        square += g * g;
    }
    return sqrt(square);
}

// Largest | |grad phi| - 1 |, displacement of the surface, and error of the curvature.
static void judge(const dew_FieldView *phi, const dew_FieldView *kappa, Ball *ball, Result *out)
{
    *out = (Result){0};
    for (int64_t n = 0; n < phi->value_count; n++) {
        int32_t c[3];
        dew_field_view_cell(phi, n, c);
        double d = distance_of(ball, dew_field_view_position_m(phi, c[0], c[1], c[2]));
        if (fabs(d) < 1) {
            out->moved = fmax(out->moved, fabs(dew_field_view_value(phi, n) - d));
            double relative = dew_field_view_value(kappa, n) * (ball->radius + d) / 2 - 1;
            out->curvature = fmax(out->curvature, fabs(relative));
        }
        if (fabs(d) <= 2.5)
            out->slope = fmax(out->slope, fabs(slope_at(phi, c) - 1));
    }
}

static dew_Status measure(dew_LevelSet *sphere, Ball *ball, Result *out)
{
    dew_DistanceField values = {distorted, ball};
    dew_FieldView phi, kappa;
    DEW_TRY(dew_level_set_fill(sphere, &values));
    DEW_TRY(dew_level_set_redistance(sphere, DEW_REDISTANCE_CLOSEST, NULL));
    DEW_TRY(dew_level_set_field(sphere, "curvature", &kappa));
    DEW_TRY(dew_level_set_field(sphere, "phi", &phi));
    judge(&phi, &kappa, ball, out);
    return dew_ok();
}

// Unit cells; the centre is off every plane of the grid, for symmetry flatters.
static dew_Status sphere_at(double radius, dew_Vec3 off, Result *out)
{
    dew_LevelSetDef def = dew_default_level_set_def();
    dew_LevelSet *sphere;
    def.is_hollow = true;
    def.box.cell_m = 1;
    for (int a = 0; a < 3; a++)
        def.box.cells[a] = (int32_t)(2 * radius) + 24;
    double middle = radius + 12;
    Ball ball = {dew_v3_add(dew_v3(middle, middle, middle), off), radius};
    dew_DistanceField shape = {distance_of, &ball};
    DEW_TRY(dew_level_set_create(&def, &shape, &sphere));
    dew_Status status = measure(sphere, &ball, out);
    dew_level_set_destroy(sphere);
    return status;
}

// The largest errors of several places of the centre in its cell: which cells happen to lie where
// the error is largest changes from place to place.
static dew_Status sphere(double radius, Result *out)
{
    static const dew_Vec3 off[] = {{0.113, -0.271, 0.377},
                                   {-0.391, 0.062, 0.219},
                                   {0.287, 0.334, -0.148},
                                   {0.041, 0.183, 0.456}};
    *out = (Result){0};
    for (size_t n = 0; n < sizeof off / sizeof off[0]; n++) {
        Result one = {0};
        DEW_TRY(sphere_at(radius, off[n], &one));
        out->moved = fmax(out->moved, one.moved);
        out->slope = fmax(out->slope, one.slope);
        out->curvature = fmax(out->curvature, one.curvature);
    }
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    Result coarse, fine;
    DEW_TRY(sphere(16, &coarse));
    DEW_TRY(sphere(c->is_quick ? 32 : 64, &fine));
    double halvings = c->is_quick ? 1 : 2;
    dew_case_within(c, "R/h = 16: surface moved, cells", coarse.moved, 0, 0.002);
    dew_case_within(c, "R/h = 16: slope - 1 in the band", coarse.slope, 0, 1e-3);
    // Errors in cells: the physical one has an order more.
    dew_case_at_least(c, "order of redistancing", log2(coarse.moved / fine.moved) / halvings + 1,
                      3);
    dew_case_within(c, "R/h = 16: curvature, relative", coarse.curvature, 0, 0.01);
    dew_case_at_least(c, "order of curvature", log2(coarse.curvature / fine.curvature) / halvings,
                      2);
    return dew_ok();
}

const dew_Case dew_case_level_set_sphere = {
    "level_set_sphere", "distance and curvature of a sphere's level set", true, run};
