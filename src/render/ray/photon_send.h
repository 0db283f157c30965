/// One photon's way, for photons.c.
#pragma once

#include "render/ray/photons.h"

/// Sends photon number `index` of a pass; false: it does not land where it counts.
bool dew_photon_send(const dew_TracedScene *stage, const dew_PhotonPass *pass, int64_t index,
                     dew_Photon *out);
