// Worlds of benchmarks.
#include "bench/bench_world.h"

#include "base/status.h"

#include <string.h>

dew_Status dew_bench_world_open(dew_BenchWorld *out, const char *text, int workers)
{
    *out = (dew_BenchWorld){0};
    dew_SceneLoadDef load = dew_default_scene_load_def();
    load.path = "bench.yaml";
    load.text = text;
    load.text_size = strlen(text);
    DEW_TRY(dew_scene_load_with(&load, &out->scene));
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = workers;
    return dew_world_create(out->scene, &def, &out->world);
}

void dew_bench_world_close(dew_BenchWorld *world)
{
    dew_world_destroy(world->world);
    dew_scene_destroy(world->scene);
    *world = (dew_BenchWorld){0};
}
