/// Figures and the clock around them.
#include "bench/bench.h"

#include "support/system.h"

#include <math.h>
#include <stdio.h>

void dew_bench_run_init(dew_BenchRun *b, dew_Tasks *tasks)
{
    *b = (dew_BenchRun){.tasks = tasks, .status = dew_ok()};
    dew_list_init(&b->figures, sizeof(dew_Figure));
}

void dew_bench_run_deinit(dew_BenchRun *b)
{
    dew_list_deinit(&b->figures);
}

static void add(dew_BenchRun *b, const char *name, double value, const char *unit, double goal,
                bool is_less_better)
{
    dew_Figure figure = {.value = value, .goal = goal, .is_less_better = is_less_better};
    snprintf(figure.name, sizeof figure.name, "%s", name);
    snprintf(figure.unit, sizeof figure.unit, "%s", unit);
    dew_Status status = dew_list_push(&b->figures, &figure);
    if (b->status.code == DEW_OK)
        b->status = status;
}

void dew_bench_time(dew_BenchRun *b, const char *name, double seconds, double goal_s)
{
    add(b, name, 1e3 * seconds, "ms", 1e3 * goal_s, true);
}

void dew_bench_rate(dew_BenchRun *b, const char *name, double per_s, const char *unit, double goal)
{
    add(b, name, per_s, unit, goal, false);
}

void dew_bench_cost(dew_BenchRun *b, const char *name, double value, const char *unit, double goal)
{
    add(b, name, value, unit, goal, true);
}

static dew_Status best(double (*clock_s)(void), dew_Status (*work)(void *context), void *context,
                       int repeats, double *seconds)
{
    *seconds = (double)INFINITY;
    for (int i = 0; i < repeats; i++) {
        double begin_s = clock_s();
        DEW_TRY(work(context));
        *seconds = fmin(*seconds, clock_s() - begin_s);
    }
    return dew_ok();
}

dew_Status dew_bench_best(dew_Status (*work)(void *context), void *context, int repeats,
                          double *seconds)
{
    return best(dew_app_wall_s, work, context, repeats, seconds);
}

dew_Status dew_bench_best_cpu(dew_Status (*work)(void *context), void *context, int repeats,
                              double *seconds)
{
    return best(dew_app_cpu_s, work, context, repeats, seconds);
}
