/// Stages of a step of the solver `surface`.
#pragma once

#include "base/stage_clock.h"

typedef enum dew_DropStage {
    DEW_STAGE_COPY,      // into the workspace and out of it
    DEW_STAGE_CONNECT,   // neighbours of each vertex
    DEW_STAGE_GEOMETRY,  // areas, gradients, cotangents
    DEW_STAGE_FORCES,    // and masses
    DEW_STAGE_ASSEMBLY,
    DEW_STAGE_SOLVE,
    DEW_STAGE_CONTACT,  // solids under the vertices, contact line, collision
    DEW_STAGE_VOLUME,   // motion and correction
    DEW_STAGE_REMESH,
    DEW_STAGE_GATHER,  // the groups' drops put together
    DEW_STAGE_PAIRS,   // pairs of drops that may touch, outflow removal
    DEW_STAGE_MERGE,   // mesh repair, drops that touch become one
    DEW_STAGE_COUNT,
} dew_DropStage;
