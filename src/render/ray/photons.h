/// Caustics: photons that came through clear bodies, and the light they make where they land.
///
/// Sent from bright lights (distant lights, and the part of the environment above the clamp)
/// towards clear bodies; kept where they first meet a surface that scatters, if they met a clear
/// one before. Each photon is spread over a disk sized by how dense photons lie around it; the
/// disks shrink from pass to pass, so that the mean of all passes converges [Knaus2011]. The choice
/// of method is explained in docs/decisions/caustics.md.
#pragma once

#include "base/array.h"
#include "base/tasks.h"
#include "render/ray/surfel.h"
#include "render/ray/traced_scene.h"

#define DEW_PHOTON_LEVELS 8

typedef struct dew_Photon {
    dew_Float3 position;
    float radius;
    dew_Float3 towards;  // unit, where it came from
    dew_Float3 power;
} dew_Photon;

/// What gathering asks of a photon first, packed.
typedef struct dew_PhotonEntry {
    dew_Float3 position;
    float radius2;
    uint32_t photon;
} dew_PhotonEntry;

/// Photons of one size class, by cells: those of bucket b are entries[first[b] .. first[b + 1]).
typedef struct dew_PhotonGrid {
    float cell;
    uint32_t bucket_count;  // a power of two; 0: no photons
    uint32_t *first;
    dew_PhotonEntry *entries;
} dew_PhotonGrid;

typedef struct dew_PhotonMap {
    dew_Array photons;  // dew_Photon
    dew_PhotonGrid grids[DEW_PHOTON_LEVELS];
    dew_Float3 min, max;  // around all disks
    uint8_t *presence;    // by hashed coarse cell: a bit for each grid that has photons there
    dew_Arena arena;
} dew_PhotonMap;

/// Does the stage need photons at all?
bool dew_photons_wanted(const dew_TracedScene *stage);

void dew_photon_map_init(dew_PhotonMap *map, const dew_Allocator *allocator);
void dew_photon_map_deinit(dew_PhotonMap *map);

typedef struct dew_PhotonPass {
    int64_t count;  // photons to send
    uint64_t seed;
    int pass;  // 0, 1, ...
} dew_PhotonPass;

/// Sends the photons of a pass and sorts them. Bit-identical on any number of workers.
dew_Status dew_photon_map_fill(dew_PhotonMap *map, const dew_TracedScene *stage,
                               const dew_PhotonPass *pass, dew_Tasks *tasks);

/// Light that the photons send from the surfel at a position to its viewer.
dew_Float3 dew_photon_map_gather(const dew_PhotonMap *map, const dew_Surfel *surfel,
                                 dew_Float3 position);
