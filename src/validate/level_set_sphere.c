// A sphere's level set: redistancing and curvature against the exact distance, and their orders.
//
// Redistancing starts from a phi whose slope varies by 30 % and which is right at the surface only. The
// slope is judged by fourth-order differences, whose own error is (h/R)^4.
#include "grid/levelset.h"
#include "validate/cases.h"

#include <math.h>
#include <string.h>

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
    return dew_distance(p, ball->center) - ball->radius;
}

// Largest | |grad phi| - 1 | and movement of the surface.
static void judge(const dew_Grid *grid, const double *phi, const double *kappa, Ball *ball,
                  Result *out)
{
    *out = (Result){0};
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int c[3] = {n & 7, n >> 3 & 7, n >> 6};
            dew_Vec3 p = dew_grid_position(grid, b, c[0], c[1], c[2], DEW_AT_CELL);
            double d = distance_of(ball, p), square = 0;
            int64_t at = (int64_t)b * grid->brick_cells + n;
            if (fabs(d) < 1) {
                out->moved = fmax(out->moved, fabs(phi[at] - d));
                double relative = kappa[at] * (ball->radius + d) / 2 - 1;
                out->curvature = fmax(out->curvature, fabs(relative));
            }
            if (fabs(d) > 2.5)
                continue;
            for (int a = 0; a < 3; a++) {
                double v[4];
                static const int step[4] = {-2, -1, 1, 2};
                for (int m = 0; m < 4; m++) {
                    int q[3] = {c[0], c[1], c[2]};
                    q[a] += step[m];
                    v[m] = phi[dew_grid_near(grid, b, q[0], q[1], q[2])];
                }
                double g = (8 * (v[2] - v[1]) - (v[3] - v[0])) / 12;
                square += g * g;
            }
            out->slope = fmax(out->slope, fabs(sqrt(square) - 1));
        }
}

static dew_Status measure(dew_Grid *grid, int phi, int kappa, dew_Arena *scratch, Ball *ball,
                          Result *out)
{
    DEW_TRY(dew_levelset_add(grid, phi, distance_of, ball, 5, false, scratch));
    double *values = dew_grid_f64(grid, phi), *curvature = dew_grid_f64(grid, kappa);
    for (int64_t n = 0; n < dew_grid_value_count(grid); n++) {
        int c = (int)(n % grid->brick_cells);
        dew_Vec3 p = dew_grid_position(grid, (int32_t)(n / grid->brick_cells), c & 7, c >> 3 & 7,
                                       c >> 6, DEW_AT_CELL);
        double x = p.x / ball->radius, y = p.y / ball->radius;
        values[n] = distance_of(ball, p) * (1 + 0.3 * sin(3 * x) * cos(2 * y));
    }
    DEW_TRY(dew_levelset_redistance(grid, values, DEW_REDISTANCE_CLOSEST, 5, scratch, NULL));
    DEW_TRY(dew_levelset_curvature(grid, values, 2, curvature));
    judge(grid, values, curvature, ball, out);
    return dew_ok();
}

// Unit cells; the centre is off every plane of the grid, for symmetry flatters.
static dew_Status sphere_at(dew_CaseRun *c, double radius, dew_Vec3 off, Result *out)
{
    dew_GridDef def = dew_default_grid_def();
    dew_Grid *grid = NULL;
    dew_Arena scratch;
    int phi, kappa;
    def.cell_m = 1;
    def.tasks = c->tasks;
    for (int a = 0; a < 3; a++)
        def.cell_max[a] = (int32_t)(2 * radius) + 24;
    double middle = radius + 12;
    Ball ball = {dew_add(dew_vec(middle, middle, middle), off), radius};
    DEW_TRY(dew_grid_create(&def, &grid));
    dew_arena_init(&scratch, NULL);
    dew_Status status = dew_grid_add_field(grid, "phi", DEW_AT_CELL, sizeof(double), NULL, &phi);
    if (status.code == DEW_OK)
        status = dew_grid_add_field(grid, "kappa", DEW_AT_CELL, sizeof(double), NULL, &kappa);
    if (status.code == DEW_OK)
        status = measure(grid, phi, kappa, &scratch, &ball, out);
    dew_arena_deinit(&scratch);
    dew_grid_destroy(grid);
    return status;
}

// The largest errors of several places of the centre in its cell: which cells happen to lie where the error is
// largest changes from place to place.
static dew_Status sphere(dew_CaseRun *c, double radius, Result *out)
{
    static const dew_Vec3 off[] = {{0.113, -0.271, 0.377},
                                   {-0.391, 0.062, 0.219},
                                   {0.287, 0.334, -0.148},
                                   {0.041, 0.183, 0.456}};
    *out = (Result){0};
    for (size_t n = 0; n < sizeof off / sizeof off[0]; n++) {
        Result one = {0};
        DEW_TRY(sphere_at(c, radius, off[n], &one));
        out->moved = fmax(out->moved, one.moved);
        out->slope = fmax(out->slope, one.slope);
        out->curvature = fmax(out->curvature, one.curvature);
    }
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    Result coarse, fine;
    DEW_TRY(sphere(c, 16, &coarse));
    DEW_TRY(sphere(c, c->is_quick ? 32 : 64, &fine));
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
