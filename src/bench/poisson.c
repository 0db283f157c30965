// Throughput of the flow parts: Poisson solves, and the kernels of a step in time per cell.
//
// Times are CPU times of one worker, assembly included, the best of several runs, since a machine is
// seldom ours alone. Beside the kernels stands what a pass over memory costs: a triad, measured here.
#include "base/clock.h"
#include "bench/benches.h"
#include "grid/projection.h"
#include "grid/velocity.h"
#include "grid/viscosity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIELDS = 9, TRIAD = 4 << 20 };

typedef struct Pool {
    dew_Grid *grid;
    dew_Poisson poisson;
    dew_Arena scratch;
    double *phi, *p, *b, *u[3], *to[3];
} Pool;

static void pool_close(Pool *pool)
{
    dew_arena_deinit(&pool->scratch);
    dew_poisson_deinit(&pool->poisson);
    dew_grid_destroy(pool->grid);
}

// A film with waves on a floor, so thin that a fifth of its bricks' cells are not liquid; or a full box with
// air around when it is dense.
static double depth_at(int cells, bool is_dense, dew_Vec3 x)
{
    double side = fmin(fmin(fmin(x.x, 1 - x.x), fmin(x.y, 1 - x.y)), fmin(x.z, 1 - x.z));
    if (is_dense)
        return fmax(-side, -4.0 / cells);
    double film = x.y - 0.087 - 0.07 * sin(11 * x.x) * cos(9 * x.z);
    return fmax(fmin(film, 4.0 / cells), -4.0 / cells);
}

static dew_Status make_bricks(Pool *pool, int cells, bool is_dense)
{
    int32_t bricks = cells / 8, low = is_dense ? -1 : 0;
    bool has_changed;
    dew_grid_update_begin(pool->grid);
    for (int32_t k = low; k < bricks - low; k++)
        for (int32_t j = low; j < bricks - low; j++)
            for (int32_t i = low; i < bricks - low; i++) {
                dew_Vec3 x = {8.0 * i / cells, 8.0 * j / cells, 8.0 * k / cells};
                const int32_t coord[3] = {i, j, k};
                if (is_dense || x.y < 0.17)
                    DEW_TRY(dew_grid_want(pool->grid, coord));
            }
    return dew_grid_update_end(pool->grid, &has_changed);
}

static void fill(Pool *pool, int cells, bool is_dense)
{
    const dew_Grid *g = pool->grid;
    for (int32_t b = 0; b < g->brick_count; b++)
        for (int i = 0; i < g->brick_cells; i++) {
            int64_t at = (int64_t)b * g->brick_cells + i;
            dew_Vec3 x = dew_grid_position(g, b, i & 7, i >> 3 & 7, i >> 6, DEW_AT_CELL);
            pool->phi[at] = depth_at(cells, is_dense, x);
            pool->b[at] = sin(17 * x.x) * cos(13 * x.y) + (double)(at * 7919 % 1009) / 1009;
            for (int a = 0; a < 3; a++)
                pool->u[a][at] = sin(5 * x.y + a) * cos(3 * x.x + 2 * x.z);
        }
}

static dew_Status pool_open(Pool *pool, int cells, bool is_dense)
{
    static const char *const names[FIELDS] = {"phi", "p", "b", "u", "v", "w", "x", "y", "z"};
    *pool = (Pool){0};
    dew_poisson_init(&pool->poisson, NULL);
    dew_arena_init(&pool->scratch, NULL);
    dew_GridDef def = dew_default_grid_def();
    def.cell_m = 1.0 / cells;
    def.margin = 8;
    for (int a = 0; a < 3; a++)
        def.cell_max[a] = cells;
    DEW_TRY(dew_grid_create(&def, &pool->grid));
    int field[FIELDS];
    for (int i = 0; i < FIELDS; i++)
        DEW_TRY(
            dew_grid_add_field(pool->grid, names[i], DEW_AT_CELL, sizeof(double), NULL, &field[i]));
    DEW_TRY(make_bricks(pool, cells, is_dense));
    double **at[FIELDS] = {&pool->phi,  &pool->p,     &pool->b,     &pool->u[0], &pool->u[1],
                           &pool->u[2], &pool->to[0], &pool->to[1], &pool->to[2]};
    for (int i = 0; i < FIELDS; i++)
        *at[i] = dew_grid_f64(pool->grid, field[i]);
    fill(pool, cells, is_dense);
    return dew_ok();
}

// Best CPU time of assembling and solving.
static dew_Status time_solve(Pool *pool, int repeats, double *seconds, int *iterations)
{
    dew_PoissonDef def = dew_default_poisson_def();
    dew_SolveReport report;
    def.phi = pool->phi;
    *seconds = HUGE_VAL;
    for (int i = 0; i < repeats; i++) {
        memset(pool->p, 0, (size_t)dew_grid_value_count(pool->grid) * sizeof(double));
        double begin = dew_cpu_s();
        DEW_TRY(dew_poisson_assemble(&pool->poisson, pool->grid, &def));
        DEW_TRY(dew_poisson_solve(&pool->poisson, pool->b, pool->p, &pool->scratch, &report));
        *seconds = fmin(*seconds, dew_cpu_s() - begin);
        *iterations = report.iterations;
    }
    return dew_ok();
}

static dew_Status solves(dew_BenchRun *b, Pool *pool)
{
    static const struct {
        const char *name;
        int cells;
        bool is_dense;
        double goal_s;
    } cases[] = {{"Poisson, dense 128^3 to 1e-6", 128, true, 0.6},
                 {"Poisson, film of 1.2 M cells in 3,000 bricks", 240, false, 0.5},
                 {"Poisson, dense 64^3 to 1e-6", 64, true, (double)NAN}};
    for (int i = 0; i < 3; i++) {
        double seconds = HUGE_VAL;
        int iterations = 0;
        char name[64];
        dew_Status status = pool_open(pool, cases[i].cells, cases[i].is_dense);
        if (status.code == DEW_OK)
            status = time_solve(pool, 3, &seconds, &iterations);
        int64_t cells = pool->poisson.cell_count;
        int32_t bricks = pool->poisson.brick_count;
        pool_close(pool);
        DEW_TRY(status);
        dew_bench_time(b, cases[i].name, seconds, cases[i].goal_s);
        snprintf(name, sizeof name, "  iterations, %.2f M cells in %d bricks", 1e-6 * (double)cells,
                 (int)bricks);
        dew_bench_rate(b, name, iterations, "", (double)NAN);
    }
    return dew_ok();
}

// ---- Kernels -------------------------------------------------------------------------------------

static dew_Status advect(Pool *pool)
{
    dew_AdvectDef def = dew_default_advect_def();
    const double *const u[3] = {pool->u[0], pool->u[1], pool->u[2]};
    def.dt_s = pool->grid->cell_m;
    return dew_velocity_advect(pool->grid, u, NULL, &def, pool->to);
}

static dew_Status diffuse(Pool *pool)
{
    dew_ViscosityDef def = dew_default_viscosity_def();
    dew_SolveReport report;
    def.phi = pool->phi;
    def.dt_s =
        0.1 * def.density_kg_m3 / def.viscosity_Pa_s * pool->grid->cell_m * pool->grid->cell_m;
    return dew_viscosity_run(pool->grid, &def, pool->u, &pool->scratch, &report);
}

static dew_Status cycle(Pool *pool)
{
    return dew_multigrid_cycle(&pool->poisson.mg, pool->b, 1, pool->p, NULL);
}

static dew_Status product(Pool *pool)
{
    return dew_poisson_apply(&pool->poisson, pool->b, pool->p);
}

static dew_Status assembly(Pool *pool)
{
    dew_PoissonDef def = dew_default_poisson_def();
    def.phi = pool->phi;
    return dew_poisson_assemble(&pool->poisson, pool->grid, &def);
}

static dew_Status kernels(dew_BenchRun *b, Pool *pool, double triad_ns)
{
    static const struct {
        const char *name;
        dew_Status (*run)(Pool *pool);
    } kernel[] = {{"assembly of the pressure equations", assembly},
                  {"multigrid cycle", cycle},
                  {"product with the matrix", product},
                  {"advection of velocity, cubic", advect},
                  {"viscosity, mu dt / (rho h^2) = 0.1", diffuse}};
    for (int i = 0; i < 5; i++) {
        double best = HUGE_VAL, cells = 0;
        for (int n = 0; n < 3; n++) {
            double begin = dew_cpu_s();
            DEW_TRY(kernel[i].run(pool));
            best = fmin(best, dew_cpu_s() - begin);
        }
        cells = (double)(i == 3 || i == 4 ? dew_grid_value_count(pool->grid)
                                          : pool->poisson.value_count);
        char name[64];
        dew_bench_rate(b, kernel[i].name, 1e9 * best / cells, "ns per cell", (double)NAN);
        snprintf(name, sizeof name, "  in triads of memory");
        dew_bench_rate(b, name, 1e9 * best / cells / triad_ns, "", (double)NAN);
    }
    return dew_ok();
}

// Nanoseconds per element of a = b + s c on arrays that no cache holds.
static dew_Status triad(double *ns)
{
    dew_Array arrays;
    dew_array_init(&arrays, NULL, sizeof(double));
    dew_Status status = dew_array_resize(&arrays, 3 * (int64_t)TRIAD);
    double *x = arrays.data, best = HUGE_VAL;
    for (int n = 0; n < 5 && status.code == DEW_OK; n++) {
        double begin = dew_cpu_s();
        for (int64_t i = 0; i < TRIAD; i++)
            x[i] = x[TRIAD + i] + 1.5 * x[2 * TRIAD + i];
        best = fmin(best, dew_cpu_s() - begin);
        x[TRIAD + n] = x[n] + 1;
    }
    *ns = 1e9 * best / TRIAD;
    dew_array_deinit(&arrays);
    return status;
}

static dew_Status run(dew_BenchRun *b)
{
    Pool pool;
    double triad_ns;
    DEW_TRY(triad(&triad_ns));
    dew_bench_rate(b, "triad of memory", triad_ns, "ns", (double)NAN);
    DEW_TRY(solves(b, &pool));
    dew_Status status = pool_open(&pool, 64, true);
    if (status.code == DEW_OK)
        status = kernels(b, &pool, triad_ns);
    pool_close(&pool);
    return status;
}

const dew_Bench dew_bench_poisson = {"poisson", "pressure solves and the kernels of a flow step",
                                     run};
