// Poisson's equation where the answer is known, and the projection of an arbitrary field.
//
// In a disk and a ball with p = 0 on the free surface, u is the exact gradient of a known p;
// projection must give that p and leave nothing of u. On a grid p is of second order; so is the
// mean error of the gradient, and with a correction also its root mean square at the curved surface
// [Gibou2002]. The plain gradient is of first order in the cells beside the surface, hence 1.5 in
// the root mean square.
//
// Then a field of random numbers in a ball that partly fills a box: afterwards no liquid cell has
// more divergence than the tolerance of the solve leaves, and projecting again changes nothing.
#include "dew/grid.h"
#include "support/keyed_random.h"
#include "support/vec.h"
#include "validate/cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const dew_Vec3 center = {0.5031, 0.4913, 0.5127};
static const double radius = 0.37;

// p = (R^2 - r^2) q with q = exp(x + y / 2) (1 + 3 z / 10), and its gradient.
static double pressure(int dimensions, dew_Vec3 at, double gradient[3])
{
    dew_Vec3 x = dew_v3_sub(at, center);
    x.z = dimensions == 3 ? x.z : 0;
    double e = exp(x.x + 0.5 * x.y), q = e * (1 + 0.3 * x.z);
    double w = radius * radius - dew_v3_inner(x, x);
    gradient[0] = -2 * x.x * q + w * q;
    gradient[1] = -2 * x.y * q + w * 0.5 * q;
    gradient[2] = -2 * x.z * q + w * 0.3 * e;
    return w * q;
}

typedef struct Ball {
    int dimensions;
    dew_Flow *flow;
} Ball;

static double distance(void *context, dew_Vec3 x)
{
    const Ball *ball = context;
    x.z = ball->dimensions == 3 ? x.z : center.z;
    return dew_v3_distance(x, center) - radius;
}

static dew_Vec3 gradient_at(void *context, dew_Vec3 x, double time_s)
{
    (void)time_s;
    double gradient[3];
    pressure(((const Ball *)context)->dimensions, x, gradient);
    return (dew_Vec3){gradient[0], gradient[1], gradient[2]};
}

// The ball within the unit box, its velocity the gradient of p. Destroy the flow, failed or not.
static dew_Status open_ball(Ball *ball, int dimensions, int cells)
{
    dew_FlowDef def = dew_default_flow_def();
    *ball = (Ball){.dimensions = dimensions};
    def.density_kg_m3 = 1;
    def.box = (dew_BoxDef){.dimensions = dimensions,
                           .cells = {cells, cells, dimensions == 3 ? cells : 1},
                           .cell_m = 1.0 / cells};
    dew_DistanceField shape = {distance, ball};
    dew_VelocityField velocity = {.velocity_m_s = gradient_at, .context = ball};
    DEW_TRY(dew_flow_create(&def, &ball->flow));
    DEW_TRY(dew_flow_set_liquid(ball->flow, &shape));
    return dew_flow_set_velocity(ball->flow, &velocity);
}

// Largest error of p; mean and root mean square of what is left of u.
typedef struct Errors {
    double p, mean, square;
} Errors;

static dew_Status measure_pressure(const Ball *ball, Errors *e)
{
    dew_FieldView p = {0}, is_liquid = {0};
    DEW_TRY(dew_flow_field(ball->flow, "pressure", &p));
    DEW_TRY(dew_flow_field(ball->flow, "is_liquid", &is_liquid));
    for (int64_t n = 0; n < p.value_count; n++) {
        int32_t c[3] = {0};
        double gradient[3];
        dew_field_view_cell(&p, n, c);
        dew_Vec3 x = dew_field_view_position_m(&p, c[0], c[1], c[2]);
        double error = fabs(dew_field_view_value(&p, n) - pressure(ball->dimensions, x, gradient));
        if (dew_field_view_value(&is_liquid, n) != 0 && !(error <= e->p))
            e->p = error;
    }
    return dew_ok();
}

static dew_Status measure(const Ball *ball, Errors *e)
{
    static const char *const names[2][3] = {{"velocity_x", "velocity_y", "velocity_z"},
                                            {"is_known_x", "is_known_y", "is_known_z"}};
    dew_FieldView u[3] = {{0}}, is_known[3] = {{0}};
    int64_t count = 0;
    const int axes = ball->dimensions == 2 ? 2 : 3;
    *e = (Errors){0};
    DEW_TRY(measure_pressure(ball, e));
    for (int a = 0; a < axes; a++) {
        DEW_TRY(dew_flow_field(ball->flow, names[0][a], &u[a]));
        DEW_TRY(dew_flow_field(ball->flow, names[1][a], &is_known[a]));
    }
    for (int64_t n = 0; n < u[0].value_count; n++)
        for (int a = 0; a < axes; a++)
            if (dew_field_view_value(&is_known[a], n) != 0) {
                double left = dew_field_view_value(&u[a], n);
                e->mean += fabs(left);
                e->square += left * left;
                count++;
            }
    e->mean /= (double)count;
    e->square = sqrt(e->square / (double)count);
    return dew_ok();
}

static dew_Status solve_known(int dimensions, int cells, int corrections, Errors *errors)
{
    Ball ball;
    dew_ProjectDef def = dew_default_project_def();
    def.corrections = corrections;
    def.min_fraction = 1e-4;  // at 0.01 that bound is what remains of the error
    def.tolerance = 1e-10;
    dew_Status status = open_ball(&ball, dimensions, cells);
    if (status.code == DEW_OK)
        status = dew_flow_project(ball.flow, &def, NULL);
    if (status.code == DEW_OK)
        status = measure(&ball, errors);
    dew_flow_destroy(ball.flow);
    return status;
}

static dew_Status converge(dew_CaseRun *c, int dimensions, int corrections, int cells)
{
    Errors e[2];
    char quantity[64];
    const char *shape = dimensions == 3 ? "ball" : "disk",
               *how = corrections ? "corrected" : "plain";
    for (int i = 0; i < 2; i++)
        DEW_TRY(solve_known(dimensions, cells << (2 * i), corrections, &e[i]));
    snprintf(quantity, sizeof quantity, "order of p, %s, %s", shape, how);
    dew_case_at_least(c, quantity, log2(e[0].p / e[1].p) / 2, 1.8);
    snprintf(quantity, sizeof quantity, "order of the mean gradient, %s, %s", shape, how);
    dew_case_at_least(c, quantity, log2(e[0].mean / e[1].mean) / 2, 1.8);
    snprintf(quantity, sizeof quantity, "order of the rms gradient, %s, %s", shape, how);
    dew_case_at_least(c, quantity, log2(e[0].square / e[1].square) / 2, corrections ? 1.8 : 1.3);
    return dew_ok();
}

static int64_t fill_random(const Ball *ball)
{
    static const char *const names[3] = {"velocity_x", "velocity_y", "velocity_z"};
    dew_FieldView view = {0};
    dew_flow_field(ball->flow, names[0], &view);
    for (int a = 0; a < 3; a++) {
        double *u = dew_flow_values(ball->flow, names[a]);
        for (int64_t n = 0; n < view.value_count; n++)
            u[n] = 2 * dew_app_keyed_random(7, (uint64_t)n, (uint64_t)a) - 1;
    }
    return view.value_count;
}

// Projects what was projected once more; the largest change of u.
static dew_Status project_again(const Ball *ball, int64_t values, double *change)
{
    dew_ProjectDef def = dew_default_project_def();
    const double *u = dew_flow_values(ball->flow, "velocity_x");
    double *before = malloc((size_t)values * sizeof *before);
    if (!before)
        return dew_fail(DEW_NO_MEMORY, "no memory for a copy of the velocity");
    memcpy(before, u, (size_t)values * sizeof *before);
    def.tolerance = 1e-3;  // of what is left, itself 1e-6
    dew_Status status = dew_flow_project(ball->flow, &def, NULL);
    *change = 0;
    for (int64_t i = 0; i < values; i++)
        *change = fmax(*change, fabs(u[i] - before[i]));
    free(before);
    return status;
}

static dew_Status project_twice(dew_CaseRun *c, Ball *ball)
{
    dew_ProjectDef def = dew_default_project_def();
    dew_ProjectReport report;
    double change = 0;
    DEW_TRY(open_ball(ball, 3, 64));
    int64_t values = fill_random(ball);
    def.is_checked = true;
    DEW_TRY(dew_flow_project(ball->flow, &def, &report));
    // |b| is the root of the sum of squares of six random numbers in each of n cells, sqrt(2 n);
    // the largest residual is at most 1e-6 of that.
    double bound = 1e-6 * sqrt(2 * (double)report.liquid_cells);
    dew_case_within(c, "divergence of a random field afterwards", report.divergence_m_s, 0, bound);
    dew_case_within(c, "iterations to 1e-6", report.iterations, 0, 12);
    DEW_TRY(project_again(ball, values, &change));
    // The inverse of the Laplacian is bounded by the ball's size in cells; the gradient of that by
    // it.
    dew_case_within(c, "change by projecting again", change, 0, bound * radius * 64);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    DEW_TRY(converge(c, 2, 0, 32));
    DEW_TRY(converge(c, 2, 1, 32));
    if (!c->is_quick) {
        DEW_TRY(converge(c, 3, 0, 32));
        DEW_TRY(converge(c, 3, 1, 32));
    }
    Ball ball;
    dew_Status status = project_twice(c, &ball);
    dew_flow_destroy(ball.flow);
    return status;
}

const dew_Case dew_case_projected_field = {
    "projected_field", "pressure and projection where the answer is known", true, run};
