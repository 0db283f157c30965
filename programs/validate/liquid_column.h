/// Bodies of revolution about the y axis as liquid of a scene.
#pragma once

#include "dew/mesh.h"
#include "support/scene_builder.h"

/// Adds the body whose profile is given from one end of the axis to the other, edges of edge_m
/// around it.
void dew_column_build(dew_SceneBuilder *b, const dew_ProfilePoint *profile, int64_t count,
                      double edge_m);
