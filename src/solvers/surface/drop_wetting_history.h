/// What drops wet, in the wetting history of problem/wet_ground.h.
#pragma once

#include "problem/wet_ground.h"
#include "solvers/surface/drop_store.h"

/// Notes what the drop wets at the instant.
dew_Status dew_drop_note_wet_ground(dew_WetGround *ground, const dew_Problem *problem,
                                    const dew_Instant *instant, const dew_DropView *drop);
