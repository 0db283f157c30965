// Throughput of base: exact sums, parallel loops, hashing.
#include "bench/benches.h"

#include <math.h>

enum { TERMS = 4 << 20, LOOPS = 2000 };

typedef struct Work {
    dew_Tasks *tasks;
    dew_List numbers;  // double
    double sum;
    uint64_t hash;
} Work;

static dew_Status sum(void *context)
{
    Work *work = context;
    work->sum = dew_sum(work->tasks, work->numbers.items, work->numbers.count);
    return dew_ok();
}

static dew_Status hash(void *context)
{
    Work *work = context;
    work->hash = dew_hash(work->numbers.items, (size_t)work->numbers.count * sizeof(double), 0);
    return dew_ok();
}

static dew_Status nothing(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)context;
    (void)begin;
    (void)end;
    (void)chunk_index;
    return dew_ok();
}

static dew_Status empty_loops(void *context)
{
    Work *work = context;
    for (int i = 0; i < LOOPS; i++)
        DEW_TRY(dew_parallel_for(work->tasks, 16, 1, nothing, NULL));
    return dew_ok();
}

static dew_Status measure(dew_BenchRun *b, Work *work)
{
    double seconds;
    DEW_TRY(dew_list_resize(&work->numbers, TERMS));
    double *numbers = work->numbers.items;
    for (int64_t i = 0; i < TERMS; i++)
        numbers[i] = sin((double)i) * exp((double)(i % 40) - 20);
    DEW_TRY(dew_bench_best(sum, work, 5, &seconds));
    dew_bench_rate(b, "exact sum", 1e-6 * TERMS / seconds, "M terms/s", (double)NAN);
    DEW_TRY(dew_bench_best(hash, work, 5, &seconds));
    dew_bench_rate(b, "content hash", 1e-9 * TERMS * sizeof(double) / seconds, "GB/s", (double)NAN);
    DEW_TRY(dew_bench_best(empty_loops, work, 3, &seconds));
    dew_bench_time(b, "one parallel loop of 16 empty chunks", seconds / LOOPS, (double)NAN);
    return dew_ok();
}

static dew_Status run(dew_BenchRun *b)
{
    Work work = {.tasks = b->tasks};
    dew_list_init(&work.numbers, sizeof(double));
    dew_Status status = measure(b, &work);
    dew_list_deinit(&work.numbers);
    return status;
}

const dew_Bench dew_bench_base = {"base", "sums, hashes, parallel loops", run};
