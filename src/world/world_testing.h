/// For tests of World and Run: scenes for the test double `rigid`, from a text.
#pragma once

#include "dew/world.h"
#include "tests/rigid_solver.h"

#include <stdio.h>
#include <string.h>

/// Spheres that fall, rebound, enter by sources and leave by a sink or an open side.
#define TEST_LIVELY                                                                                \
    "solver: rigid\nduration: 0.5 s\nframe_rate: 60 Hz\nseed: 3\n"                                 \
    "domain: {min: [-50 mm, 0, -50 mm], max: [50 mm, 100 mm, 50 mm], cell: 1 mm, "                 \
    "walls: {floor: glass, others: open}}\n"                                                       \
    "materials: {glass: {}}\n"                                                                     \
    "solids: [{shape: box, name: plate, center: [0, 20 mm, 0], size: [40 mm, 4 mm, 40 mm], "       \
    "rotate: {axis: [0, 0, 1], angle: 10 deg}, material: glass, movable: true}]\n"                 \
    "drops: [{shape: sphere, center: [0, 50 mm, 0], radius: 4 mm}, "                               \
    "{shape: sphere, center: [1 mm, 60 mm, 0], radius: 3 mm}, "                                    \
    "{shape: sphere, center: [-10 mm, 70 mm, 5 mm], radius: 5 mm, velocity: [0.2, 0, 0]}]\n"       \
    "sources: [{shape: drip, at: [5 mm, 90 mm, 5 mm], radius: 2 mm, every: 31 ms}, "               \
    "{shape: rain, min: [-40 mm, 80 mm, -40 mm], max: [40 mm, 90 mm, 40 mm], rate: 100 Hz, "       \
    "radius: [1 mm, 2 mm], velocity: [0, -1, 0]}]\n"                                               \
    "sinks: [{shape: box, min: [30 mm, 0, -50 mm], max: [50 mm, 5 mm, 50 mm]}]\n"

/// One sphere, nothing else.
#define TEST_ONE_BALL                                                                              \
    "solver: rigid\nduration: 0.1 s\nframe_rate: 100 Hz\n"                                         \
    "domain: {min: [-1, -1, -1], max: [1, 1, 1], cell: 1 mm}\n"                                    \
    "drops: [{shape: sphere, center: [0, 0.5, 0], radius: 5 mm}]\n"

static inline dew_Status test_scene(const char *text, const dew_Allocator *allocator,
                                    dew_Scene **out)
{
    test_use_rigid();
    dew_SceneLoadDef def = dew_default_scene_load_def();
    def.path = "scene.yaml";
    def.text = text;
    def.text_size = strlen(text);
    if (allocator)
        def.allocator = *allocator;
    return dew_scene_load_with(&def, out);
}
