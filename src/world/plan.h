/// Plan: what a scene will need, told before anything is allocated. What `dew check` prints, and what
/// dew_world_create refuses by.
///
/// Counts are doubles, because a scene may ask for 10^18 cells; below 2^53 they are exact. Memory and
/// steps are estimates: they say whether to start, not how it will end.
#pragma once

#include "dew/world.h"
#include "scene/traits.h"

typedef struct dew_Plan {
    const dew_SolverTraits *traits;
    bool is_in_build;    // false: the scene can be checked, not run
    dew_Status missing;  // DEW_UNSUPPORTED: same, for what its message says
    int dimensions;

    double cells[3];      // of the domain along x, y, z
    double domain_cells;  // their product
    double liquid_cells;  // that the liquid at the start fills
    double bricks;        // of 8^dimensions cells; 0 for a solver without cells
    double elements;      // the solver's own: cells, triangles, balls
    double liquid_m3;     // at the start
    double supplied_m3;   // by sources, until the end (rain by its mean)

    double image_bytes;      // of textures, maps, heights and light, while they are read
    double memory_bytes;     // of the state and the images
    double available_bytes;  // that this process could get
    bool fits;
    double fitting_elements;  // that would fit
    double fitting_cell_m;    // cell size that would fit, rounded up to two digits; NaN: none would

    double speed_m_s;   // fastest expected: start, sources, solids, wind, fall through the domain
    double cfl_step_s;  // cell at that speed; INFINITY: nothing moves
    double capillary_step_s;  // INFINITY: no surface tension
    double step_s;            // the smaller of the two, at most a frame
    const char *bound;        // what limits it: "cfl", "capillary", "frame"

    double frame_s;      // between frames
    double frame_count;  // frame 0 included
    double step_count;   // about, at step_s
} dew_Plan;

/// Makes the plan. Refuses (DEW_BAD_INPUT, with the cell size that would do) what does not fit into the
/// memory; *out is filled in either case.
dew_Status dew_plan_make(const dew_Scene *scene, dew_Plan *out);

/// The plan as lines of "what  value"; cut at `size`. Returns the length without the end.
size_t dew_plan_text(const dew_Plan *plan, char *out, size_t size);
