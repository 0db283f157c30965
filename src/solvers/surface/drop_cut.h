/// Cutting a drop where a part of it has left: the stream of a tap that runs out of the domain or
/// into a sink, and goes on at its nozzle.
#pragma once

#include "solvers/surface/drop_work.h"

/// Takes away the vertices for which is_gone, and all that is connected to the nozzle through them
/// only; closes the mesh over the cut. The drop's volume becomes that of what is left. The mesh
/// must be connected, and is again afterwards. is_gone is changed: it tells what went. Nothing is
/// done when no sound mesh would be left.
dew_Status dew_drop_cut_off(dew_DropWork *work, uint8_t *is_gone, dew_Arena *scratch);
