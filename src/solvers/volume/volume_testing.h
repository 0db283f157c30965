/// For tests of the solver `volume`: one with its problem, without World.
#pragma once

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "base/testing.h"
#include "solvers/volume/volume_solver.h"
#include "solvers/volume/volume_state.h"

/// A solver with its problem, without World.
typedef struct Bench {
    dew_Scene *scene;
    dew_Problem *problem;
    dew_SolverState *state;
    dew_Liquid *liquid;  // of the state
    dew_SolidPose poses[8];
    dew_Instant instant;
    dew_Arena scratch;
} Bench;

static const dew_SolverTraits *const list[] = {&dew_volume_solver_traits};
static const dew_SolverOps *const ops = &dew_volume_solver_ops;

static inline Bench begin(const char *body)
{
    char text[4096];
    Bench b = {.scene = NULL};
    snprintf(text, sizeof text, "solver: volume\ngravity: [0, 0, 0]\n%s", body);
    dew_SceneLoadDef def = dew_default_scene_load_def();
    def.path = "scene.yaml";
    def.text = text;
    def.text_size = strlen(text);
    assert_ok(dew_scene_read(&def, (dew_SolverList){list, 1}, &b.scene));
    dew_ProblemDef problem_def = {0};
    assert_ok(dew_problem_create(b.scene, &problem_def, &b.problem));
    dew_CreateDef create_def = {0};
    assert_ok(ops->create(b.problem, &create_def, &b.state));
    b.liquid = &b.state->liquid;
    dew_arena_init(&b.scratch, NULL);
    assert_in_range(dew_problem_solid_count(b.problem), 0, 8);
    dew_problem_poses(b.problem, 0, b.poses);
    b.instant = (dew_Instant){.poses = b.poses};
    for (int64_t i = 0; i < dew_problem_blob_count(b.problem); i++)
        assert_ok(ops->pour(b.problem, b.state, &b.instant, dew_problem_blob(b.problem, i)));
    return b;
}

// The same with the poses where they are now.
static inline const dew_Instant *now(Bench *b)
{
    b->instant.poses = b->poses;
    return &b->instant;
}

static inline void end(Bench *b)
{
    ops->destroy(b->state);
    dew_problem_destroy(b->problem);
    dew_scene_destroy(b->scene);
    dew_arena_deinit(&b->scratch);
}

#define BOX(cell) "domain: {min: [-2 mm, -2 mm, -2 mm], max: [2 mm, 2 mm, 2 mm], cell: " cell "}\n"
#define FLOOR(material)                                                                            \
    BOX("0.1 mm")                                                                                  \
    "materials: {w: {" material "}}\n"                                                             \
    "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: w, name: floor}]\n"    \
    "drops: [{shape: box, min: [-1 mm, -1 mm, -1 mm], max: [1 mm, 1 mm, 1 mm]}]\n"
