// Throughput of the flow parts: Poisson solves, and the kernels of a step in time per cell.
//
// Times are CPU times of one worker, assembly included, the best of several runs, since a machine
// is seldom ours alone. Beside the kernels stands what a pass over memory costs: a triad, measured
// here.
#include "bench/benches.h"
#include "support/system.h"
#include "support/vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRIAD = 4 << 20, BRICK = 8, KERNEL_CELLS = 64 };

// Liquid in the unit cube: a film with waves on a floor, so thin that a fifth of its bricks' cells
// are not liquid; or a full cube with a brick of air around.
typedef struct Pool {
    int cells;  // along an edge of the cube
    bool is_dense;
} Pool;

static double depth_at(void *context, dew_Vec3 x)
{
    const Pool *pool = context;
    if (pool->is_dense)
        return -fmin(fmin(fmin(x.x, 1 - x.x), fmin(x.y, 1 - x.y)), fmin(x.z, 1 - x.z));
    double film = x.y - 0.087 - 0.07 * sin(11 * x.x) * cos(9 * x.z);
    return film / sqrt(1 + 0.77 * 0.77 + 0.63 * 0.63);  // over its largest slope
}

static dew_Vec3 stream(void *context, dew_Vec3 x, double time_s)
{
    (void)context;
    (void)time_s;
    double along = cos(3 * x.x + 2 * x.z);
    return dew_v3(sin(5 * x.y) * along, sin(5 * x.y + 1) * along, sin(5 * x.y + 2) * along);
}

// The cube with so many cells around it.
static dew_BoxDef box_of(const Pool *pool, int32_t air)
{
    int32_t side = pool->cells + 2 * air;
    double h = 1.0 / pool->cells, low = -air * h;
    return (dew_BoxDef){.dimensions = 3,
                        .cells = {side, side, side},
                        .cell_m = h,
                        .min_m = {low, low, low},
                        .thread_count = 1};
}

static dew_Status make_solver(Pool *pool, dew_PoissonSolver **out)
{
    dew_PoissonSolverDef def = dew_default_poisson_solver_def();
    dew_FieldView view;
    // Multigrid merges cells from the corner of the box on: a dense cube begins at a multiple of
    // its own size. Bricks are made where there is liquid, so a large box costs nothing.
    def.box = box_of(pool, pool->is_dense ? pool->cells : 0);
    def.liquid = (dew_DistanceField){depth_at, pool};
    DEW_TRY(dew_poisson_solver_create(&def, out));
    DEW_TRY(dew_poisson_solver_field(*out, "b", &view));
    double *b = dew_poisson_solver_values(*out, "b");
    for (int64_t n = 0; n < view.value_count; n++) {
        int32_t cell[3];
        dew_field_view_cell(&view, n, cell);
        dew_Vec3 x = dew_field_view_position_m(&view, cell[0], cell[1], cell[2]);
        b[n] = sin(17 * x.x) * cos(13 * x.y) + (double)(n * 7919 % 1009) / 1009;
    }
    return dew_ok();
}

// Best CPU time of assembling and solving.
static dew_Status time_solve(dew_PoissonSolver *solver, int repeats, double *seconds,
                             dew_PoissonReport *report)
{
    dew_FieldView p;
    DEW_TRY(dew_poisson_solver_field(solver, "p", &p));
    *seconds = HUGE_VAL;
    for (int i = 0; i < repeats; i++) {
        memset(dew_poisson_solver_values(solver, "p"), 0, (size_t)p.value_count * sizeof(double));
        double begin = dew_app_cpu_s();
        DEW_TRY(dew_poisson_solver_assemble(solver));
        DEW_TRY(dew_poisson_solver_solve(solver, report));
        *seconds = fmin(*seconds, dew_app_cpu_s() - begin);
    }
    return dew_ok();
}

static dew_Status solves(dew_BenchRun *b)
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
        Pool pool = {cases[i].cells, cases[i].is_dense};
        dew_PoissonSolver *solver = NULL;
        dew_PoissonReport report = {0};
        dew_PoissonSize size = {0};
        double seconds = HUGE_VAL;
        char name[64];
        dew_Status status = make_solver(&pool, &solver);
        if (status.code == DEW_OK) {
            status = time_solve(solver, 3, &seconds, &report);
            size = dew_poisson_solver_size(solver);
        }
        dew_poisson_solver_destroy(solver);
        DEW_TRY(status);
        dew_bench_time(b, cases[i].name, seconds, cases[i].goal_s);
        snprintf(name, sizeof name, "  iterations, %.2f M cells in %d bricks",
                 1e-6 * (double)size.cell_count, (int)size.brick_count);
        dew_bench_rate(b, name, report.iterations, "", (double)NAN);
    }
    return dew_ok();
}

// ---- Kernels -----------------------------------------------------------------------------------

typedef struct Parts {
    dew_PoissonSolver *solver;
    dew_Flow *flow;
    double density_kg_m3, viscosity_Pa_s, cell_m;
    dew_List r, z;  // double: vectors of the equations
    int64_t flow_cells;
} Parts;

static dew_Status advect(Parts *parts)
{
    return dew_flow_advect(parts->flow, parts->cell_m);
}

static dew_Status diffuse(Parts *parts)
{
    return dew_flow_diffuse(parts->flow, 0.1 * parts->density_kg_m3 / parts->viscosity_Pa_s *
                                             parts->cell_m * parts->cell_m);
}

static dew_Status cycle(Parts *parts)
{
    return dew_poisson_solver_cycle(parts->solver, parts->r.items, parts->z.items);
}

static dew_Status product(Parts *parts)
{
    return dew_poisson_solver_apply(parts->solver, parts->r.items, parts->z.items);
}

static dew_Status assembly(Parts *parts)
{
    return dew_poisson_solver_assemble(parts->solver);
}

static dew_Status make_flow(Parts *parts, Pool *pool)
{
    dew_FlowDef def = dew_default_flow_def();
    const dew_DistanceField liquid = {depth_at, pool};
    const dew_VelocityField velocity = {.velocity_m_s = stream};
    dew_FieldView view;
    def.box = box_of(pool, BRICK);
    parts->density_kg_m3 = def.density_kg_m3;
    parts->viscosity_Pa_s = def.viscosity_Pa_s;
    parts->cell_m = def.box.cell_m;
    DEW_TRY(dew_flow_create(&def, &parts->flow));
    DEW_TRY(dew_flow_set_liquid(parts->flow, &liquid));
    DEW_TRY(dew_flow_set_velocity(parts->flow, &velocity));
    DEW_TRY(dew_flow_field(parts->flow, "phi", &view));
    parts->flow_cells = view.value_count;
    return dew_ok();
}

static dew_Status make_parts(Parts *parts, Pool *pool)
{
    DEW_TRY(make_solver(pool, &parts->solver));
    DEW_TRY(make_flow(parts, pool));
    DEW_TRY(dew_poisson_solver_assemble(parts->solver));
    int64_t count = dew_poisson_solver_size(parts->solver).vector_count;
    DEW_TRY(dew_list_resize(&parts->r, count));
    DEW_TRY(dew_list_resize(&parts->z, count));
    memset(parts->z.items, 0, (size_t)count * sizeof(double));
    return dew_poisson_solver_gather(parts->solver, dew_poisson_solver_values(parts->solver, "b"),
                                     parts->r.items);
}

static dew_Status time_kernels(dew_BenchRun *b, Parts *parts, double triad_ns)
{
    static const struct {
        const char *name;
        dew_Status (*run)(Parts *parts);
        bool is_of_flow;
    } kernel[] = {{"assembly of the pressure equations", assembly, false},
                  {"multigrid cycle", cycle, false},
                  {"product with the matrix", product, false},
                  {"advection of velocity, cubic", advect, true},
                  {"viscosity, mu dt / (rho h^2) = 0.1", diffuse, true}};
    int64_t equations = dew_poisson_solver_size(parts->solver).vector_count;
    for (int i = 0; i < 5; i++) {
        double best = HUGE_VAL;
        for (int n = 0; n < 3; n++) {
            double begin = dew_app_cpu_s();
            DEW_TRY(kernel[i].run(parts));
            best = fmin(best, dew_app_cpu_s() - begin);
        }
        double cells = (double)(kernel[i].is_of_flow ? parts->flow_cells : equations);
        dew_bench_rate(b, kernel[i].name, 1e9 * best / cells, "ns per cell", (double)NAN);
        dew_bench_rate(b, "  in triads of memory", 1e9 * best / cells / triad_ns, "", (double)NAN);
    }
    return dew_ok();
}

static dew_Status kernels(dew_BenchRun *b, double triad_ns)
{
    Pool pool = {KERNEL_CELLS, true};
    Parts parts = {0};
    dew_list_init(&parts.r, sizeof(double));
    dew_list_init(&parts.z, sizeof(double));
    dew_Status status = make_parts(&parts, &pool);
    if (status.code == DEW_OK)
        status = time_kernels(b, &parts, triad_ns);
    dew_list_deinit(&parts.z);
    dew_list_deinit(&parts.r);
    dew_flow_destroy(parts.flow);
    dew_poisson_solver_destroy(parts.solver);
    return status;
}

// Nanoseconds per element of a = b + s c on arrays that no cache holds.
static dew_Status triad(double *ns)
{
    dew_List arrays;
    dew_list_init(&arrays, sizeof(double));
    DEW_TRY(dew_list_resize(&arrays, 3 * (int64_t)TRIAD));
    double *x = arrays.items, best = HUGE_VAL;
    memset(x, 0, 3 * (size_t)TRIAD * sizeof(double));
    for (int n = 0; n < 5; n++) {
        double begin = dew_app_cpu_s();
        for (int64_t i = 0; i < TRIAD; i++)
            x[i] = x[TRIAD + i] + 1.5 * x[2 * TRIAD + i];
        best = fmin(best, dew_app_cpu_s() - begin);
        x[TRIAD + n] = x[n] + 1;
    }
    *ns = 1e9 * best / TRIAD;
    dew_list_deinit(&arrays);
    return dew_ok();
}

static dew_Status run(dew_BenchRun *b)
{
    double triad_ns;
    DEW_TRY(triad(&triad_ns));
    dew_bench_rate(b, "triad of memory", triad_ns, "ns", (double)NAN);
    DEW_TRY(solves(b));
    return kernels(b, triad_ns);
}

const dew_Bench dew_bench_poisson = {"poisson", "pressure solves and the kernels of a flow step",
                                     run};
