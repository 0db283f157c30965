// Task pool: one job at a time, its chunks handed out by atomic counters.
//
// Each worker has its part of the chunks, the same from job to job: the n-th of w workers begins
// with the n-th w-th of them, and when these are done takes what others have left, from the end. So
// what one pass leaves in a core's cache is there for the next pass; when chunks went to whoever
// came first, half of all data crossed from core to core in each, which cost a solver up to three
// quarters more time where cores do not share a cache.
//
// The caller works too. Workers park on a condition variable; a call wakes no more of them than
// there are chunks to share, and does not wait for one that woke too late to get a chunk. Before it
// parks, and before the caller does, a thread looks for a while whether the next job, or the end of
// this one, comes: the jobs of a step follow one another within microseconds, and to wake takes
// tens of them. A second call while a job runs (from inside a chunk, or from another thread) finds
// the pool taken and runs serially in place, which is bit-identical. A call allocates nothing.
#include "base/tasks.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/allocator.h"
#include "base/cookie.h"
#include "base/status.h"

#define MAX_WORKERS   CPU_SETSIZE  // threads: as many as a process can be bound to
#define SPINS_TO_PARK 1000  // reads of the work counter before an idle worker sleeps: about 10 us

typedef struct Job {
    int64_t item_count, chunk_size, chunk_count;
    dew_ChunkFn *fn;
    void *context;
    bool reverse;
    int64_t failed_chunk;  // lowest so far; chunk_count when none failed
    dew_Status status;     // of that chunk
    pthread_mutex_t *failure_lock;
} Job;

// Chunks that a worker has not begun: from the lower half of the bits to the upper one. Padded: no
// other is in its cache line.
typedef struct Queue {
    atomic_uint_least64_t rest;
    char padding[120];
} Queue;

struct dew_Tasks {
    dew_TaskHost host;
    bool reverse_chunks;
    int worker_count;  // the caller included
    int thread_count;  // threads that were started
    int thread_capacity, queue_count;
    pthread_t *threads;
    dew_Allocator allocator;

    atomic_bool is_taken;          // a job runs
    Queue *queues;                 // per worker; the caller's comes first
    atomic_int index;              // of the thread that was started last
    pthread_mutex_t lock;          // guards all below
    pthread_cond_t work, done;     // a job was posted; the last worker left it
    pthread_mutex_t failure_lock;  // guards Job.failed_chunk and Job.status
    Job *job;                      // NULL: nothing to join
    atomic_uint_least64_t number;  // of the job: distinguishes those at the same address
    atomic_int inside;             // workers in the job
    bool is_ending;
    int spins;  // before parking; 0 with more workers than cores, where spinning delays others
};

static int core_count(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > MAX_WORKERS ? MAX_WORKERS : (int)count;
}

dew_TasksDef dew_default_tasks_def(void)
{
    return (dew_TasksDef){.worker_count = core_count(), .cookie = DEW_COOKIE};
}

int64_t dew_chunk_count(int64_t item_count, int64_t chunk_size)
{
    DEW_ASSERT(chunk_size > 0);
    return item_count <= 0 ? 0 : (item_count - 1) / chunk_size + 1;
}

static void note_failure(Job *job, int64_t chunk, const dew_Status *status)
{
    if (job->failure_lock)
        pthread_mutex_lock(job->failure_lock);
    if (chunk < job->failed_chunk) {
        job->failed_chunk = chunk;
        job->status = *status;
    }
    if (job->failure_lock)
        pthread_mutex_unlock(job->failure_lock);
}

// Runs the n-th chunk to be handed out.
static void run_chunk(Job *job, int64_t n)
{
    int64_t chunk = job->reverse ? job->chunk_count - 1 - n : n;
    int64_t begin = chunk * job->chunk_size;
    int64_t left = job->item_count - begin;
    int64_t end = left < job->chunk_size ? job->item_count : begin + job->chunk_size;
    dew_Status status = job->fn(job->context, begin, end, chunk);
    if (status.code != DEW_OK)
        note_failure(job, chunk, &status);
}

static void run_serially(Job *job)
{
    for (int64_t n = 0; n < job->chunk_count; n++)
        run_chunk(job, n);
}

// The next chunk of a queue, its first one for its owner and its last one for others; -1: none is
// left.
static int64_t take(Queue *queue, bool is_own)
{
    uint64_t rest = atomic_load_explicit(&queue->rest, memory_order_relaxed);
    for (;;) {
        uint32_t first = (uint32_t)rest, end = (uint32_t)(rest >> 32);
        if (first >= end)
            return -1;
        if (atomic_compare_exchange_weak_explicit(&queue->rest, &rest,
                                                  is_own ? rest + 1 : rest - (UINT64_C(1) << 32),
                                                  memory_order_relaxed, memory_order_relaxed))
            return is_own ? first : end - 1;
    }
}

// Takes chunks until none is left: of the worker's own queue, then of the others'.
static void run_queues(dew_Tasks *tasks, Job *job, int worker)
{
    for (int k = 0; k < tasks->worker_count; k++) {
        Queue *queue = &tasks->queues[(worker + k) % tasks->worker_count];
        for (int64_t n = take(queue, k == 0); n >= 0; n = take(queue, k == 0))
            run_chunk(job, n);
    }
}

static void deal(dew_Tasks *tasks, const Job *job)
{
    int64_t workers = tasks->worker_count;
    for (int64_t w = 0; w < workers; w++) {
        uint64_t first = (uint64_t)(job->chunk_count * w / workers);
        uint64_t end = (uint64_t)(job->chunk_count * (w + 1) / workers);
        atomic_store_explicit(&tasks->queues[w].rest, first | end << 32, memory_order_relaxed);
    }
}

static inline void breathe(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

// Without the lock: waits for a while for a job after number `last`.
static void look_for_job(dew_Tasks *tasks, uint64_t last)
{
    for (int i = 0; i < tasks->spins; i++) {
        if (atomic_load_explicit(&tasks->number, memory_order_relaxed) != last)
            return;
        breathe();
    }
}

static void *work(void *context)
{
    dew_Tasks *tasks = (dew_Tasks *)context;
    int worker = 1 + atomic_fetch_add_explicit(&tasks->index, 1, memory_order_relaxed);
    pthread_mutex_lock(&tasks->lock);
    uint64_t last = 0;  // the job joined last: it has no chunk left for us
    bool has_looked = false;
    while (!tasks->is_ending) {
        Job *job = tasks->job;
        uint64_t number = atomic_load_explicit(&tasks->number, memory_order_relaxed);
        if (job && number != last) {
            last = number;
            tasks->inside++;
            pthread_mutex_unlock(&tasks->lock);
            run_queues(tasks, job, worker);
            pthread_mutex_lock(&tasks->lock);
            if (--tasks->inside == 0)
                pthread_cond_signal(&tasks->done);
            has_looked = false;
        } else if (!has_looked) {
            pthread_mutex_unlock(&tasks->lock);
            look_for_job(tasks, number);
            pthread_mutex_lock(&tasks->lock);
            has_looked = true;
        } else {
            pthread_cond_wait(&tasks->work, &tasks->lock);
        }
    }
    pthread_mutex_unlock(&tasks->lock);
    return NULL;
}

// Starts the threads; with fewer than wanted the pool is slower, not wrong.
static void start_threads(dew_Tasks *tasks)
{
    // Signals are for the host's threads: a Ctrl-C must not land in a worker.
    sigset_t all, old;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    for (int i = 0; i < tasks->thread_capacity; i++) {
        if (pthread_create(&tasks->threads[i], NULL, work, tasks) != 0)
            break;
        tasks->thread_count++;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    tasks->worker_count = tasks->thread_count + 1;
}

dew_Status dew_tasks_create(const dew_TasksDef *def, dew_Tasks **out)
{
    DEW_ASSERT(def->cookie == DEW_COOKIE);
    *out = NULL;
    int worker_count = def->worker_count == 0 ? core_count() : def->worker_count;
    if (worker_count < 1 || worker_count > MAX_WORKERS)
        return dew_fail(DEW_BAD_INPUT,
                        "%d workers are not possible (0 for one per core, or 1 to %d)",
                        def->worker_count, MAX_WORKERS);
    dew_Tasks *tasks = (dew_Tasks *)dew_alloc(&def->allocator, 1, sizeof *tasks);
    if (!tasks)
        return dew_no_memory(sizeof *tasks);
    tasks->host = def->host;
    tasks->reverse_chunks = def->reverse_chunks;
    tasks->worker_count = worker_count;
    tasks->allocator = def->allocator;
    tasks->thread_capacity = def->host.run ? 0 : worker_count - 1;
    tasks->threads =
        (pthread_t *)dew_alloc(&def->allocator, tasks->thread_capacity, sizeof(pthread_t));
    tasks->queues = (Queue *)dew_alloc(&def->allocator, worker_count, sizeof(Queue));
    if (!tasks->threads || !tasks->queues) {
        dew_free(&def->allocator, tasks->threads,
                 (size_t)tasks->thread_capacity * sizeof(pthread_t));
        dew_free(&def->allocator, tasks->queues, (size_t)worker_count * sizeof(Queue));
        dew_free(&def->allocator, tasks, sizeof *tasks);
        return dew_no_memory((size_t)worker_count * sizeof(Queue));
    }
    tasks->queue_count = worker_count;
    // With default attributes these cannot fail on Linux.
    pthread_mutex_init(&tasks->lock, NULL);
    pthread_mutex_init(&tasks->failure_lock, NULL);
    pthread_cond_init(&tasks->work, NULL);
    pthread_cond_init(&tasks->done, NULL);
    tasks->spins = worker_count <= core_count() ? SPINS_TO_PARK : 0;
    if (!def->host.run)
        start_threads(tasks);
    *out = tasks;
    return dew_ok();
}

void dew_tasks_destroy(dew_Tasks *tasks)
{
    if (!tasks)
        return;
    pthread_mutex_lock(&tasks->lock);
    tasks->is_ending = true;
    pthread_cond_broadcast(&tasks->work);
    pthread_mutex_unlock(&tasks->lock);
    for (int i = 0; i < tasks->thread_count; i++)
        pthread_join(tasks->threads[i], NULL);
    pthread_cond_destroy(&tasks->done);
    pthread_cond_destroy(&tasks->work);
    pthread_mutex_destroy(&tasks->failure_lock);
    pthread_mutex_destroy(&tasks->lock);
    dew_Allocator allocator = tasks->allocator;
    dew_free(&allocator, tasks->threads, (size_t)tasks->thread_capacity * sizeof(pthread_t));
    dew_free(&allocator, tasks->queues, (size_t)tasks->queue_count * sizeof(Queue));
    dew_free(&allocator, tasks, sizeof *tasks);
}

int dew_tasks_worker_count(const dew_Tasks *tasks)
{
    return tasks ? tasks->worker_count : 1;
}

static void run_hosted_chunk(void *context, int64_t n)
{
    run_chunk((Job *)context, n);
}

// Posts the job, works on it, and waits for the workers that joined.
static void run_on_threads(dew_Tasks *tasks, Job *job)
{
    deal(tasks, job);
    pthread_mutex_lock(&tasks->lock);
    tasks->job = job;
    tasks->number++;
    if (job->chunk_count > tasks->thread_count)
        pthread_cond_broadcast(&tasks->work);
    else
        for (int64_t i = 1; i < job->chunk_count; i++)
            pthread_cond_signal(&tasks->work);
    pthread_mutex_unlock(&tasks->lock);
    run_queues(tasks, job, 0);
    pthread_mutex_lock(&tasks->lock);
    tasks->job = NULL;  // whoever wakes now is too late
    pthread_mutex_unlock(&tasks->lock);
    for (int i = 0; i < tasks->spins && tasks->inside > 0; i++)
        breathe();
    pthread_mutex_lock(&tasks->lock);
    while (tasks->inside > 0)
        pthread_cond_wait(&tasks->done, &tasks->lock);
    pthread_mutex_unlock(&tasks->lock);
}

dew_Status dew_parallel_for(dew_Tasks *tasks, int64_t item_count, int64_t chunk_size,
                            dew_ChunkFn *fn, void *context)
{
    Job job = {.item_count = item_count,
               .chunk_size = chunk_size,
               .chunk_count = dew_chunk_count(item_count, chunk_size),
               .fn = fn,
               .context = context,
               .reverse = tasks && tasks->reverse_chunks};
    job.failed_chunk = job.chunk_count;
    bool can_share = tasks && job.chunk_count > 1 && job.chunk_count <= INT32_MAX &&
                     (tasks->thread_count > 0 || tasks->host.run);
    if (!can_share || atomic_exchange_explicit(&tasks->is_taken, true, memory_order_acquire)) {
        run_serially(&job);
        return job.failed_chunk < job.chunk_count ? job.status : dew_ok();
    }
    job.failure_lock = &tasks->failure_lock;
    if (tasks->host.run)
        tasks->host.run(tasks->host.host, job.chunk_count, run_hosted_chunk, &job);
    else
        run_on_threads(tasks, &job);
    atomic_store_explicit(&tasks->is_taken, false, memory_order_release);
    return job.failed_chunk < job.chunk_count ? job.status : dew_ok();
}
