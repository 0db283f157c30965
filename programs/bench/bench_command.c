/// `dew bench`: throughput figures as a table or as JSON.
#include "bench/bench.h"
#include "dew/text.h"
#include "support/command.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_figure(const dew_Figure *f)
{
    char goal[64] = "";
    if (isfinite(f->goal)) {
        bool is_reached = f->is_less_better ? f->value <= f->goal : f->value >= f->goal;
        snprintf(goal, sizeof goal, "  (goal %.4g%s)", f->goal, is_reached ? "" : ", missed");
    }
    printf("  %-44s %12.4g %s%s\n", f->name, f->value, f->unit, goal);
}

static void print_json(const char *bench_name, const dew_Figure *f, bool is_first)
{
    printf("%s\n  {\"bench\": \"%s\", \"figure\": \"%s\", \"value\": %.17g, \"unit\": \"%s\"",
           is_first ? "" : ",", bench_name, f->name, f->value, f->unit);
    if (isfinite(f->goal))
        printf(", \"goal\": %.17g", f->goal);
    printf("}");
}

static dew_Status run_bench(const dew_Bench *one, dew_Tasks *tasks, bool is_json, bool *is_first)
{
    dew_BenchRun b;
    dew_bench_run_init(&b, tasks);
    if (!is_json)
        printf("%s: %s, %d worker%s\n", one->name, one->title, dew_tasks_worker_count(tasks),
               dew_tasks_worker_count(tasks) == 1 ? "" : "s");
    dew_Status status = one->run(&b);
    if (status.code == DEW_OK)
        status = b.status;
    for (int64_t i = 0; i < b.figures.count; i++) {
        const dew_Figure *figure = (const dew_Figure *)b.figures.items + i;
        if (is_json)
            print_json(one->name, figure, *is_first);
        else
            print_figure(figure);
        *is_first = false;
    }
    fflush(stdout);
    dew_bench_run_deinit(&b);
    return status;
}

static dew_Status find_bench(const char *name, const dew_Bench **out)
{
    const char *names[DEW_MAX_ARGUMENTS];
    int count = 0;
    for (int i = 0; i < dew_bench_count && count < DEW_MAX_ARGUMENTS; i++) {
        names[count++] = dew_bench_table[i]->name;
        if (strcmp(name, dew_bench_table[i]->name) == 0) {
            *out = dew_bench_table[i];
            return dew_ok();
        }
    }
    const char *nearest = dew_nearest_name(name, names, count);
    return dew_fail(DEW_BAD_INPUT, "no benchmark '%s' (%s%s)", name,
                    nearest ? "did you mean " : "dew bench --list names them",
                    nearest ? nearest : "");
}

static dew_Status run_benches(const dew_Arguments *arguments, dew_Tasks *tasks)
{
    bool is_json = dew_option_given(arguments, "--json");
    bool is_first = true;
    const dew_Bench *chosen[DEW_MAX_ARGUMENTS] = {0};
    int count = 0;
    for (int i = 0; i < arguments->operand_count; i++)
        DEW_TRY(find_bench(arguments->operands[i], &chosen[count++]));
    for (int i = 0; arguments->operand_count == 0 && i < dew_bench_count; i++)
        chosen[count++] = dew_bench_table[i];
    if (is_json)
        printf("[");
    dew_Status status = dew_ok();
    for (int i = 0; i < count && status.code == DEW_OK; i++)
        status = run_bench(chosen[i], tasks, is_json, &is_first);
    if (is_json)
        printf("\n]\n");
    return status;
}

static int run(const dew_Arguments *arguments)
{
    if (dew_option_given(arguments, "--list")) {
        for (int i = 0; i < dew_bench_count; i++)
            printf("%-12s %s\n", dew_bench_table[i]->name, dew_bench_table[i]->title);
        return DEW_EXIT_DONE;
    }
    dew_TasksDef def = dew_default_tasks_def();
    int64_t threads = 0;
    dew_Tasks *tasks = NULL;
    dew_Status status = dew_option_integer(arguments, "--threads", 1, 1024, &threads);
    def.worker_count = (int)threads;
    if (status.code == DEW_OK)
        status = dew_tasks_create(&def, &tasks);
    if (status.code == DEW_OK)
        status = run_benches(arguments, tasks);
    dew_tasks_destroy(tasks);
    return dew_app_fail(status);
}

static const dew_Option options[] = {
    {"--json", 0, NULL, false, "print JSON instead of a table"},
    {"--threads", 0, "N", false, "worker threads (default one per core)"},
    {"--list", 0, NULL, false, "name the benchmarks and run none"},
};

const dew_Command dew_command_bench = {
    .name = "bench",
    .operands = "[NAME]...",
    .summary = "measures the throughput of Dew's parts",
    .min_operands = 0,
    .max_operands = DEW_MAX_ARGUMENTS,
    .options = options,
    .option_count = 3,
    .run = run,
};
