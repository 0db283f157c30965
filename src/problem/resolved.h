/// The problem from the inside: what dew_problem_create fills and every question reads.
#pragma once

#include "problem/assets.h"
#include "problem/box_tree.h"
#include "problem/sources.h"
#include "scene/files.h"

struct dew_Problem {
    const dew_Scene *scene;
    dew_Allocator allocator;
    dew_Log log;
    dew_Tasks *tasks;
    dew_Arena arena;  // all but what assets own
    dew_Assets assets;
    dew_SceneFiles files;  // that decide what is simulated, hashed before they were read

    dew_Solid *solids;  // the scene's, in its order, then the walls
    int solid_count;
    dew_Instant start;  // time 0: where the first liquid meets them
    // For the union: solids at rest within a box, in a tree; at rest without end (planes, walls,
    // ground, containers), in a list; and those that move.
    dew_BoxTree tree;
    int32_t *endless, *moving;
    int endless_count, moving_count;
    double
        top_m;  // where things fall from: the domain's top, or above all solids if it has no height

    dew_Blob *blobs;  // the liquid at the start
    int64_t blob_count;
    dew_Sources sources;
};

/// dew_problem_nearest that also counts the solids it asked for their distance.
dew_SolidPoint dew_problem_nearest_counted(const dew_Problem *problem, const dew_Instant *instant,
                                           dew_Vec3 point_m, double reach_m, int64_t *asked);
