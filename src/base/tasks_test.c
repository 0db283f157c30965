// Task pool: every chunk runs once, the lowest failure is returned, results do not depend on the
// workers.
#include "base/tasks.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/sum.h"
#include "base/testing.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#define ITEMS 1000

typedef struct Visits {
    int count[ITEMS];  // each item is touched by one chunk only, so that a race shows under TSan
    int64_t chunk_size;
    atomic_int chunks;
    dew_Tasks *tasks;
    atomic_int nested_items;
} Visits;

static dew_Tasks *make_tasks(int workers)
{
    dew_TasksDef def = dew_default_tasks_def();
    def.worker_count = workers;
    dew_Tasks *tasks = NULL;
    assert_int_equal(dew_tasks_create(&def, &tasks).code, DEW_OK);
    assert_int_equal(dew_tasks_worker_count(tasks), workers);
    return tasks;
}

static dew_Status visit(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    Visits *visits = (Visits *)context;
    if (begin != chunk_index * visits->chunk_size || end <= begin)
        return dew_fail(DEW_BAD_INPUT, "chunk %d begins wrong", (int)chunk_index);
    for (int64_t i = begin; i < end; i++)
        visits->count[i]++;
    visits->chunks++;
    return dew_ok();
}

static void check_visits(dew_Tasks *tasks, int64_t item_count, int64_t chunk_size)
{
    Visits visits = {.chunk_size = chunk_size};
    assert_int_equal(dew_parallel_for(tasks, item_count, chunk_size, visit, &visits).code, DEW_OK);
    assert_int_equal(visits.chunks, dew_chunk_count(item_count, chunk_size));
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(visits.count[i], i < item_count);
}

static void every_item_once(void **state)
{
    (void)state;
    static const int workers[] = {0, 1, 2, 7};  // 0: no pool at all
    for (int w = 0; w < 4; w++) {
        dew_Tasks *tasks = workers[w] > 0 ? make_tasks(workers[w]) : NULL;
        for (int round = 0; round < 200; round++) {
            check_visits(tasks, ITEMS, 1 + round % 13);
            check_visits(tasks, round, 7);
        }
        check_visits(tasks, 0, 1);
        check_visits(tasks, ITEMS, INT64_MAX);
        dew_tasks_destroy(tasks);
    }
}

static void chunk_counts(void **state)
{
    (void)state;
    assert_int_equal(dew_chunk_count(0, 8), 0);
    assert_int_equal(dew_chunk_count(-3, 8), 0);
    assert_int_equal(dew_chunk_count(1, 8), 1);
    assert_int_equal(dew_chunk_count(8, 8), 1);
    assert_int_equal(dew_chunk_count(9, 8), 2);
    assert_int_equal(dew_chunk_count(INT64_MAX, 1), INT64_MAX);
    assert_int_equal(dew_chunk_count(INT64_MAX, INT64_MAX), 1);
}

static dew_Status fail_some(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)begin;
    (void)end;
    atomic_int *runs = (atomic_int *)context;
    ++*runs;
    if (chunk_index % 10 == 3)
        return dew_fail(DEW_DIVERGED, "chunk %d", (int)chunk_index);
    return dew_ok();
}

static void lowest_failure_is_returned(void **state)
{
    (void)state;
    for (int mode = 0; mode < 8; mode++) {
        dew_TasksDef def = dew_default_tasks_def();
        def.worker_count = 1 + mode / 2;
        def.reverse_chunks = mode % 2 == 1;
        dew_Tasks *tasks = NULL;
        assert_int_equal(dew_tasks_create(&def, &tasks).code, DEW_OK);
        for (int round = 0; round < 50; round++) {
            atomic_int runs = 0;
            dew_Status status = dew_parallel_for(tasks, 100, 1, fail_some, &runs);
            assert_int_equal(runs, 100);
            assert_int_equal(status.code, DEW_DIVERGED);
            assert_string_equal(status.message, "chunk 3");
        }
        dew_tasks_destroy(tasks);
    }
}

static dew_Status visit_nested_item(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    ((Visits *)context)->nested_items += (int)(end - begin);
    return dew_ok();
}

static dew_Status visit_nested(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)begin;
    (void)end;
    (void)chunk_index;
    Visits *visits = (Visits *)context;
    return dew_parallel_for(visits->tasks, 100, 3, visit_nested_item, visits);
}

static void nested_calls_run_in_place(void **state)
{
    (void)state;
    for (int workers = 1; workers < 5; workers++) {
        Visits visits = {.tasks = make_tasks(workers)};
        assert_int_equal(dew_parallel_for(visits.tasks, 50, 1, visit_nested, &visits).code, DEW_OK);
        assert_int_equal(visits.nested_items, 5000);
        dew_tasks_destroy(visits.tasks);
    }
}

// A host that runs the chunks in an order of its own.
static void host_run(void *host, int64_t chunk_count, void (*chunk)(void *, int64_t), void *context)
{
    ++*(int *)host;
    for (int64_t i = 0; i < chunk_count; i += 2)
        chunk(context, i);
    for (int64_t i = 1; i < chunk_count; i += 2)
        chunk(context, i);
}

static void host_runs_the_chunks(void **state)
{
    (void)state;
    int calls = 0;
    dew_TasksDef def = dew_default_tasks_def();
    def.host = (dew_TaskHost){.run = host_run, .host = &calls};
    for (int reverse = 0; reverse < 2; reverse++) {
        def.reverse_chunks = reverse == 1;
        dew_Tasks *tasks = NULL;
        assert_int_equal(dew_tasks_create(&def, &tasks).code, DEW_OK);
        check_visits(tasks, ITEMS, 7);
        atomic_int runs = 0;
        assert_string_equal(dew_parallel_for(tasks, 100, 1, fail_some, &runs).message, "chunk 3");
        Visits visits = {.tasks = tasks};
        dew_parallel_for(tasks, 50, 1, visit_nested, &visits);
        assert_int_equal(visits.nested_items, 5000);
        dew_tasks_destroy(tasks);
    }
    assert_int_equal(calls, 6);
}

typedef struct Order {
    int64_t seen[20];
    int count;
} Order;

static dew_Status note_order(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)begin;
    (void)end;
    Order *order = (Order *)context;
    order->seen[order->count++] = chunk_index;
    return dew_ok();
}

static void reverse_is_reversed(void **state)
{
    (void)state;
    dew_TasksDef def = dew_default_tasks_def();
    def.worker_count = 1;
    def.reverse_chunks = true;
    dew_Tasks *tasks = NULL;
    assert_int_equal(dew_tasks_create(&def, &tasks).code, DEW_OK);
    Order order = {0};
    dew_parallel_for(tasks, 20, 1, note_order, &order);
    for (int i = 0; i < 20; i++)
        assert_int_equal(order.seen[i], 19 - i);
    dew_tasks_destroy(tasks);
}

// Sums of numbers that cancel over 200 binary orders: bit-identical on any pool.
static void sums_are_bit_identical(void **state)
{
    (void)state;
    enum { COUNT = 300007 };
    double *x = (double *)malloc(COUNT * sizeof *x), *y = (double *)malloc(COUNT * sizeof *y);
    dew_Random random = dew_random(3, 0, 0);
    for (int i = 0; i < COUNT; i++) {
        x[i] = dew_random_normal(&random) * exp2((double)(dew_random_u32(&random) % 200));
        y[i] = dew_random_normal(&random);
    }
    double sum = dew_sum(NULL, x, COUNT), dot = dew_dot(NULL, x, y, COUNT);
    double largest = dew_max_abs(NULL, x, COUNT);
    static const int workers[] = {1, 2, 7};
    for (int w = 0; w < 3; w++) {
        dew_Tasks *tasks = make_tasks(workers[w]);
        for (int round = 0; round < 5; round++) {
            double again[3] = {dew_sum(tasks, x, COUNT), dew_dot(tasks, x, y, COUNT),
                               dew_max_abs(tasks, x, COUNT)};
            assert_memory_equal(&again[0], &sum, sizeof sum);
            assert_memory_equal(&again[1], &dot, sizeof dot);
            assert_memory_equal(&again[2], &largest, sizeof largest);
        }
        dew_tasks_destroy(tasks);
    }
    free(x);
    free(y);
}

static void calls_allocate_nothing(void **state)
{
    (void)state;
    dew_Torture torture = dew_torture(-1);
    dew_TasksDef def = dew_default_tasks_def();
    def.worker_count = 3;
    def.allocator = dew_torture_allocator(&torture);
    dew_Tasks *tasks = NULL;
    assert_int_equal(dew_tasks_create(&def, &tasks).code, DEW_OK);
    long long calls = torture.calls;
    check_visits(tasks, ITEMS, 7);
    assert_int_equal(torture.calls, calls);
    dew_tasks_destroy(tasks);
    assert_int_equal(torture.blocks, 0);
    assert_false(torture.was_lied_to);
}

static void failed_creation_leaves_nothing(void **state)
{
    (void)state;
    for (int64_t n = 0; n < 4; n++) {
        dew_Torture torture = dew_torture(n);
        dew_TasksDef def = dew_default_tasks_def();
        def.worker_count = 2;
        def.allocator = dew_torture_allocator(&torture);
        dew_Tasks *tasks = NULL;
        dew_Status status = dew_tasks_create(&def, &tasks);
        assert_int_equal(status.code, n < 3 ? DEW_NO_MEMORY : DEW_OK);
        dew_tasks_destroy(tasks);
        assert_int_equal(torture.blocks, 0);
    }
    dew_TasksDef def = dew_default_tasks_def();
    dew_Tasks *tasks = NULL;
    def.worker_count = -1;
    assert_int_equal(dew_tasks_create(&def, &tasks).code, DEW_BAD_INPUT);
    def.worker_count = 1000000;
    assert_int_equal(dew_tasks_create(&def, &tasks).code, DEW_BAD_INPUT);
    assert_null(tasks);
}

// Without address space for their stacks most threads cannot start; the pool works with the rest.
static void fewer_threads_are_enough(void **state)
{
    (void)state;
#ifdef HAS_SANITIZER
    skip();  // sanitizers need address space of their own
#else
    struct rlimit old, tight;
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    tight = old;
    tight.rlim_cur = (rlim_t)1 << 30;
    assert_int_equal(setrlimit(RLIMIT_AS, &tight), 0);
    dew_TasksDef def = dew_default_tasks_def();
    def.worker_count = 1000;
    dew_Tasks *tasks = NULL;
    assert_int_equal(dew_tasks_create(&def, &tasks).code, DEW_OK);
    assert_in_range(dew_tasks_worker_count(tasks), 2, 999);
    check_visits(tasks, ITEMS, 3);
    dew_tasks_destroy(tasks);
    assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
#endif
}

static void idle_workers_park(void **state)
{
    (void)state;
    dew_Tasks *tasks = make_tasks(4);
    check_visits(tasks, ITEMS, 3);
    double before = dew_cpu_s();
    usleep(100000);
    assert_true(dew_cpu_s() - before < 0.05);  // one spinning worker would take 0.1 s
    dew_tasks_destroy(tasks);
}

static void default_is_one_per_core(void **state)
{
    (void)state;
    assert_true(dew_default_tasks_def().worker_count >= 1);
    assert_int_equal(dew_tasks_worker_count(NULL), 1);
    dew_TasksDef def = dew_default_tasks_def();
    def.worker_count = 0;
    dew_Tasks *tasks = NULL;
    assert_int_equal(dew_tasks_create(&def, &tasks).code, DEW_OK);
    assert_int_equal(dew_tasks_worker_count(tasks), dew_default_tasks_def().worker_count);
    dew_tasks_destroy(tasks);
    dew_tasks_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_once),
        cmocka_unit_test(chunk_counts),
        cmocka_unit_test(lowest_failure_is_returned),
        cmocka_unit_test(nested_calls_run_in_place),
        cmocka_unit_test(host_runs_the_chunks),
        cmocka_unit_test(reverse_is_reversed),
        cmocka_unit_test(sums_are_bit_identical),
        cmocka_unit_test(calls_allocate_nothing),
        cmocka_unit_test(failed_creation_leaves_nothing),
        cmocka_unit_test(fewer_threads_are_enough),
        cmocka_unit_test(idle_workers_park),
        cmocka_unit_test(default_is_one_per_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
