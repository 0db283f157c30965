// A host's own scheduler: Dew hands its parallel loops to the program, which runs the chunks on its
// threads.
//
// The scheduler here is as small as can be: for each loop, threads draw chunk numbers from a
// counter. An engine would hand them to its job system. Results do not depend on it: the state hash
// is that of one thread.
#include <dew/dew.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 3 };

// ---- scheduler ---------------------------------------------------------------------------------

typedef struct Host {
    int64_t loops, chunks;  // how much it was given
} Host;

typedef struct Loop {
    atomic_llong next;
    int64_t chunk_count;
    void (*chunk)(void *context, int64_t chunk_index);
    void *context;
} Loop;

static void *draw_chunks(void *argument)
{
    Loop *loop = argument;
    for (;;) {
        int64_t i = atomic_fetch_add(&loop->next, 1);
        if (i >= loop->chunk_count)
            return NULL;
        loop->chunk(loop->context, i);
    }
}

static void run_loop(void *host, int64_t chunk_count, void (*chunk)(void *context, int64_t index),
                     void *context)
{
    Host *own = host;
    Loop loop = {.chunk_count = chunk_count, .chunk = chunk, .context = context};
    pthread_t threads[THREADS - 1];
    int count = 0;
    own->loops++;
    own->chunks += chunk_count;
    while (count < THREADS - 1 && count + 1 < chunk_count &&
           pthread_create(&threads[count], NULL, draw_chunks, &loop) == 0)
        count++;
    draw_chunks(&loop);  // the calling thread works, too
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

// ---- simulation --------------------------------------------------------------------------------

static dew_Status build(dew_Scene **scene)
{
    dew_SceneDef def = dew_default_scene_def();
    def.title = "A column of water collapses";
    def.solver = "splash";
    def.domain.min_m = (dew_Vec3){0, 0, 0};
    def.domain.max_m = (dew_Vec3){0.6, 0.4, 0.2};
    def.domain.cell_m = 0.02;
    for (int side = 0; side < DEW_SIDE_COUNT; side++)
        def.domain.wall_material[side] = side == DEW_SIDE_CEILING ? NULL : "wall";
    DEW_TRY(dew_scene_create(&def, NULL, scene));

    dew_MaterialDef wall = dew_default_material_def();
    DEW_TRY(dew_scene_add_material(*scene, "wall", &wall));

    dew_DropDef column = dew_default_drop_def(DEW_DROP_BOX);
    column.min_m = (dew_Vec3){0, 0, 0};
    column.max_m = (dew_Vec3){0.2, 0.3, 0.2};
    DEW_TRY(dew_scene_add_drop(*scene, &column));
    return dew_scene_check(*scene);
}

static dew_Status simulate(const dew_Scene *scene, const dew_WorldDef *def, uint64_t *hash)
{
    dew_World *world = NULL;
    DEW_TRY(dew_world_create(scene, def, &world));
    dew_Status status = dew_world_step_to(world, 0.1);
    *hash = dew_world_hash(world);
    dew_world_destroy(world);
    return status;
}

static dew_Status work(dew_Scene **scene, bool *is_right)
{
    Host host = {0};
    uint64_t by_host, by_dew;
    DEW_TRY(build(scene));
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = 1;
    DEW_TRY(simulate(*scene, &def, &by_dew));
    def.thread_count = THREADS;  // how many chunks run at once, for workspace
    def.task_host = (dew_TaskHost){.run = run_loop, .host = &host};
    DEW_TRY(simulate(*scene, &def, &by_host));
    printf("the host ran %s loops with %s chunks each on average\n",
           host.loops > 100 ? "more than 100" : "few",
           host.chunks > 2 * host.loops ? "more than 2" : "few");
    *is_right = host.loops > 100 && by_host == by_dew;
    printf("its state is %s that of one thread\n", by_host == by_dew ? "equal to" : "not");
    return dew_ok();
}

int main(void)
{
    dew_Scene *scene = NULL;
    bool is_right = false;
    dew_Status status = work(&scene, &is_right);
    if (status.code != DEW_OK)
        fprintf(stderr, "task_scheduler: %s\n", status.message);
    dew_scene_destroy(scene);
    return status.code == DEW_OK && is_right ? 0 : 1;
}
