/// The box in which solids and drops are looked at.
#pragma once

#include "dew/scene.h"
#include "geom/vec.h"

/// The domain; along an axis where it has no extent (y, for height fields) its diagonal more to
/// both sides.
dew_Box dew_scene_bounds(const dew_Scene *scene);

/// Does the box lie in the bounds, but for slack_m? Axes along which the domain is one cell thick
/// do not count: the scene is uniform along them.
bool dew_scene_contains(const dew_Scene *scene, dew_Box box, double slack_m);
