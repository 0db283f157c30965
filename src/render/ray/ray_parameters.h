/// Parameters of the ray tracer, in one table.
///
/// Limits on light bias the image: higher values leave more fireflies, lower ones darken caustics
/// and reflections. Numbers of samples, photons and bounces trade time for noise. Radiance 1 is
/// that of a white sheet in even light; a unit of length is half the diagonal of the subject's box.
/// furnace_test.c (energy), photons_test.c (caustics) and ray_test.c (noise goal, workers) hold for
/// these values; `dew bench render` times them.
#pragma once

#include <stdint.h>

typedef struct dew_RayParameters {
    // Paths (path.c):
    int max_bounces;          // of a path; from 16 on images hardly change
    int roulette_bounces;     // after which paths end at random by their weight
    float min_branch_weight;  // of a branch that is followed at clear surfaces instead of chosen at
                              // random
    float max_indirect;    // luminance per sample, over several scatterings, or of the sun in clear
                           // surfaces
    float max_branched;    // luminance per sample of branches that were chosen at random
    float max_mirrored;    // luminance per sample of the environment over a scattering and a clear
                           // surface
    float glint_softness;  // of a disk that the lens spreads: width of its rim, in radii
    float min_facing;      // cosine of a shading normal to the viewer
    float wide_roughness;  // of a reflection, from which photons show it; sharper ones are left to
                           // paths
    // Photons (photons.c, photon_send.c):
    int max_photon_events;    // of a photon
    int min_neighbours;       // photons in the cell that sets the size of a photon's disk, at least
    int max_neighbours;       // and at most
    float caustic_sharpness;  // radius of the disk within these bounds, in radii of the drop
    float max_cell;           // of the coarsest grid of photons, in units
    float max_height;         // of a photon over the surface's plane, in radii of its disk
    float min_gather_cosine;  // between a photon's direction and the normal
    int64_t min_photons;      // per round
    int64_t max_photons;      // per round
    int64_t all_photons;      // of an image, which lift the limit per round when rounds are few
    int max_photons_factor;   // of that limit then
    int samples_per_photon;   // photons then take a tenth of the time
    // Rounds of samples (ray.c):
    int tile_px;            // side of a tile
    int min_round_samples;  // per pixel
    int round_samples;      // per pixel; also before an error is believed
    int max_round_samples;  // per pixel, when few pixels are active
    int max_rounds;         // for a fixed number of samples
    int early_samples;      // before an error below a quarter of the goal is believed; per set of
                            // photons
    int active_ratio;       // one pixel in so many active: rounds begin to grow
    double report_s;        // between reports of progress, about
} dew_RayParameters;

static const dew_RayParameters dew_ray = {
    .max_bounces = 48,
    .roulette_bounces = 5,
    .min_branch_weight = 0.0015f,
    .max_indirect = 2.5f,
    .max_branched = 3.0f,
    .max_mirrored = 6.0f,
    .glint_softness = 0.4f,
    .min_facing = 0.02f,
    .wide_roughness = 0.3f,
    .max_photon_events = 24,
    .min_neighbours = 6,
    .max_neighbours = 24,
    .caustic_sharpness = 0.03f,
    .max_cell = 0.16f,
    .max_height = 0.3f,
    .min_gather_cosine = 0.05f,
    .min_photons = 30000,
    .max_photons = 160000,
    .all_photons = 2400000,
    .max_photons_factor = 3,
    .samples_per_photon = 8,
    .tile_px = 16,
    .min_round_samples = 2,
    .round_samples = 8,
    .max_round_samples = 64,
    .max_rounds = 64,
    .early_samples = 4,
    .active_ratio = 4,
    .report_s = 0.2,
};
