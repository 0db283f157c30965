/// For tests of a solver's world: a scene and its world, made from a text; a call that must not
/// fail.
#pragma once

#include "base/testing.h"
#include "world/world_testing.h"

typedef struct Made {
    dew_Scene *scene;
    dew_World *world;
} Made;

static inline Made make(const char *text, int threads, const dew_Allocator *allocator)
{
    Made made = {0};
    assert_ok(test_scene(text, NULL, &made.scene));
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = threads;
    if (allocator)
        def.allocator = *allocator;
    assert_ok(dew_world_create(made.scene, &def, &made.world));
    return made;
}

static inline void destroy(Made *made)
{
    dew_world_destroy(made->world);
    dew_scene_destroy(made->scene);
}
