// Poisson's equation where the answer is known, and the projection of an arbitrary field.
//
// In a disk and a ball with p = 0 on the free surface, u is the exact gradient of a known p; projection
// must give that p and leave nothing of u. On a grid p is of second order; so is the mean error of the
// gradient, and with a correction also its root mean square at the curved surface [Gibou2002]. The plain
// gradient is of first order in the cells beside the surface, hence 1.5 in the root mean square.
//
// Then a field of random numbers in a ball that partly fills a box: afterwards no liquid cell has more
// divergence than the tolerance of the solve leaves, and projecting again changes nothing.
#include "base/random.h"
#include "grid/projection.h"
#include "validate/cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const dew_Vec3 center = {0.5031, 0.4913, 0.5127};
static const double radius = 0.37;

typedef struct Ball {
    dew_Grid *grid;
    dew_Poisson poisson;
    dew_Arena scratch;
    double *phi, *p, *u[3];
    uint8_t *is_known[3];
} Ball;

static dew_Status make(Ball *ball, dew_Tasks *tasks, int dimensions, int cells)
{
    static const char *const names[] = {"phi", "p", "u", "v", "w"};
    dew_GridDef def = dew_default_grid_def();
    def.dimensions = dimensions;
    def.cell_m = 1.0 / cells;
    def.cell_max[0] = def.cell_max[1] = cells;
    def.cell_max[2] = dimensions == 3 ? cells : 1;
    def.tasks = tasks;
    DEW_TRY(dew_grid_create(&def, &ball->grid));
    int field[5];
    for (int i = 0; i < 5; i++)
        DEW_TRY(dew_grid_add_field(ball->grid, names[i],
                                   i < 2 ? DEW_AT_CELL : (dew_Place)(DEW_AT_FACE_X + i - 2),
                                   sizeof(double), NULL, &field[i]));
    bool has_changed;
    dew_grid_update_begin(ball->grid);
    DEW_TRY(dew_grid_want_box(ball->grid, def.cell_min, def.cell_max));
    DEW_TRY(dew_grid_update_end(ball->grid, &has_changed));
    double **at[5] = {&ball->phi, &ball->p, &ball->u[0], &ball->u[1], &ball->u[2]};
    for (int i = 0; i < 5; i++)
        *at[i] = dew_grid_f64(ball->grid, field[i]);
    for (int a = 0; a < 3; a++) {
        int64_t values = dew_grid_value_count(ball->grid);
        ball->is_known[a] = dew_arena_array(&ball->scratch, uint8_t, values);
        if (!ball->is_known[a])
            return dew_fail(DEW_NO_MEMORY, "no memory for the ball");
    }
    return dew_ok();
}

static dew_Status open_ball(Ball *ball, dew_Tasks *tasks, int dimensions, int cells)
{
    *ball = (Ball){0};
    dew_poisson_init(&ball->poisson, NULL);
    dew_arena_init(&ball->scratch, NULL);
    return make(ball, tasks, dimensions, cells);
}

static void close_ball(Ball *ball)
{
    dew_arena_deinit(&ball->scratch);
    dew_poisson_deinit(&ball->poisson);
    dew_grid_destroy(ball->grid);
}

// p = (R^2 - r^2) q with q = exp(x + y / 2) (1 + 3 z / 10), and its gradient.
static double pressure(int dimensions, dew_Vec3 at, double gradient[3])
{
    dew_Vec3 x = dew_sub(at, center);
    x.z = dimensions == 3 ? x.z : 0;
    double e = exp(x.x + 0.5 * x.y), q = e * (1 + 0.3 * x.z);
    double w = radius * radius - dew_length2(x);
    gradient[0] = -2 * x.x * q + w * q;
    gradient[1] = -2 * x.y * q + w * 0.5 * q;
    gradient[2] = -2 * x.z * q + w * 0.3 * e;
    return w * q;
}

static void fill(Ball *ball)
{
    const dew_Grid *g = ball->grid;
    for (int32_t b = 0; b < g->brick_count; b++)
        for (int i = 0; i < g->brick_cells; i++) {
            int64_t at = (int64_t)b * g->brick_cells + i;
            double gradient[3];
            dew_Vec3 x = dew_grid_position(g, b, i & 7, i >> 3 & 7, i >> 6, DEW_AT_CELL);
            x.z = g->dimensions == 3 ? x.z : center.z;
            ball->phi[at] = dew_distance(x, center) - radius;
            for (int a = 0; a < dew_grid_axes(g); a++) {
                dew_Place place = (dew_Place)(DEW_AT_FACE_X + a);
                pressure(g->dimensions, dew_grid_position(g, b, i & 7, i >> 3 & 7, i >> 6, place),
                         gradient);
                ball->u[a][at] = gradient[a];
            }
        }
}

// Largest error of p; mean and root mean square of what is left of u.
typedef struct Errors {
    double p, mean, square;
} Errors;

static Errors measure(const Ball *ball)
{
    const dew_Grid *g = ball->grid;
    Errors e = {0};
    int64_t count = 0;
    for (int32_t b = 0; b < g->brick_count; b++)
        for (int i = 0; i < g->brick_cells; i++) {
            int64_t at = (int64_t)b * g->brick_cells + i;
            double gradient[3];
            dew_Vec3 x = dew_grid_position(g, b, i & 7, i >> 3 & 7, i >> 6, DEW_AT_CELL);
            double error = fabs(ball->p[at] - pressure(g->dimensions, x, gradient));
            if (ball->poisson.is_liquid[at] && !(error <= e.p))
                e.p = error;
            for (int a = 0; a < dew_grid_axes(g); a++)
                if (ball->is_known[a][at]) {
                    e.mean += fabs(ball->u[a][at]);
                    e.square += ball->u[a][at] * ball->u[a][at];
                    count++;
                }
        }
    e.mean /= (double)count;
    e.square = sqrt(e.square / (double)count);
    return e;
}

static dew_Status solve_known(dew_CaseRun *c, int dimensions, int cells, int corrections,
                              Errors *errors)
{
    Ball ball;
    dew_ProjectionDef def = dew_default_projection_def();
    dew_ProjectionReport report;
    dew_Status status = open_ball(&ball, c->tasks, dimensions, cells);
    if (status.code == DEW_OK) {
        fill(&ball);
        def.phi = ball.phi;
        def.density_kg_m3 = 1;
        def.dt_s = 1;
        def.corrections = corrections;
        def.min_fraction = 1e-4;  // at 0.01 that bound is what remains of the error
        def.solve.tolerance = 1e-10;
        status = dew_projection_run(&ball.poisson, ball.grid, &def, ball.u, ball.p, ball.is_known,
                                    &ball.scratch, &report);
    }
    if (status.code == DEW_OK)
        *errors = measure(&ball);
    close_ball(&ball);
    return status;
}

static dew_Status converge(dew_CaseRun *c, int dimensions, int corrections, int cells)
{
    Errors e[2];
    char quantity[64];
    const char *shape = dimensions == 3 ? "ball" : "disk",
               *how = corrections ? "corrected" : "plain";
    for (int i = 0; i < 2; i++)
        DEW_TRY(solve_known(c, dimensions, cells << (2 * i), corrections, &e[i]));
    snprintf(quantity, sizeof quantity, "order of p, %s, %s", shape, how);
    dew_case_at_least(c, quantity, log2(e[0].p / e[1].p) / 2, 1.8);
    snprintf(quantity, sizeof quantity, "order of the mean gradient, %s, %s", shape, how);
    dew_case_at_least(c, quantity, log2(e[0].mean / e[1].mean) / 2, 1.8);
    snprintf(quantity, sizeof quantity, "order of the rms gradient, %s, %s", shape, how);
    dew_case_at_least(c, quantity, log2(e[0].square / e[1].square) / 2, corrections ? 1.8 : 1.3);
    return dew_ok();
}

static void fill_random(Ball *ball)
{
    fill(ball);
    const dew_Grid *g = ball->grid;
    for (int32_t b = 0; b < g->brick_count; b++)
        for (int i = 0; i < g->brick_cells; i++)
            for (int a = 0; a < 3; a++) {
                int64_t at = (int64_t)b * g->brick_cells + i;
                dew_Random random = dew_random(7, (uint64_t)at, (uint64_t)a);
                ball->u[a][at] = 2 * dew_random_unit(&random) - 1;
            }
}

static dew_Status project_twice(dew_CaseRun *c, Ball *ball)
{
    dew_ProjectionDef def = dew_default_projection_def();
    dew_ProjectionReport report;
    DEW_TRY(open_ball(ball, c->tasks, 3, 64));
    fill_random(ball);
    def.is_checked = true;
    def.phi = ball->phi;
    def.density_kg_m3 = 1;
    def.dt_s = 1;
    DEW_TRY(dew_projection_run(&ball->poisson, ball->grid, &def, ball->u, ball->p, ball->is_known,
                               &ball->scratch, &report));
    // |b| is the root of the sum of squares of six random numbers in each of n cells, sqrt(2 n); the
    // largest residual is at most 1e-6 of that.
    double bound = 1e-6 * sqrt(2 * (double)report.liquid_cells);
    dew_case_within(c, "divergence of a random field afterwards", report.divergence, 0, bound);
    dew_case_within(c, "iterations to 1e-6", report.solve.iterations, 0, 12);
    int64_t values = dew_grid_value_count(ball->grid);
    double *before = dew_arena_array(&ball->scratch, double, values), change = 0;
    if (!before)
        return dew_fail(DEW_NO_MEMORY, "no memory for a copy of the velocity");
    memcpy(before, ball->u[0], (size_t)values * sizeof(double));
    memset(ball->p, 0, (size_t)values * sizeof(double));
    def.solve.tolerance = 1e-3;  // of what is left, itself 1e-6
    DEW_TRY(dew_projection_run(&ball->poisson, ball->grid, &def, ball->u, ball->p, NULL,
                               &ball->scratch, &report));
    for (int64_t i = 0; i < values; i++)
        change = fmax(change, fabs(ball->u[0][i] - before[i]));
    // The inverse of the Laplacian is bounded by the ball's size in cells; the gradient of that by it.
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
    close_ball(&ball);
    return status;
}

const dew_Case dew_case_projected_field = {
    "projected_field", "pressure and projection where the answer is known", true, run};
