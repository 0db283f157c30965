/// What happened to the drops between the last two updates of a world's tracker.
#pragma once

#include "dew/world.h"

/// Fills the events of the world's liquid view from the tracker's links. begin_s: time of the
/// update before.
dew_Status dew_world_list_events(dew_World *world, double begin_s);
