// Throughput of base: exact sums, parallel loops, hashing.
#include "base/hash.h"
#include "base/sum.h"
#include "bench/benches.h"

#include <math.h>

enum { TERMS = 4 << 20, LOOPS = 2000 };

typedef struct Work {
    dew_Tasks *tasks;
    dew_Array numbers;
    double sum;
    uint64_t hash;
} Work;

static dew_Status sum(void *context)
{
    Work *work = context;
    work->sum = dew_sum(work->tasks, work->numbers.data, work->numbers.count);
    return dew_ok();
}

static dew_Status hash(void *context)
{
    Work *work = context;
    work->hash = dew_hash(work->numbers.data, (size_t)work->numbers.count * sizeof(double), 0);
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
    DEW_TRY(dew_array_resize(&work->numbers, TERMS));
    for (int64_t i = 0; i < TERMS; i++)
        DEW_ITEMS(&work->numbers, double)[i] = sin((double)i) * exp((double)(i % 40) - 20);
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
    dew_array_init(&work.numbers, NULL, sizeof(double));
    dew_Status status = measure(b, &work);
    dew_array_deinit(&work.numbers);
    return status;
}

const dew_Bench dew_bench_base = {"base", "sums, hashes, parallel loops", run};
