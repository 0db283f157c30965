/// Plan: what a scene will need. What `dew check` prints, and what dew_world_create refuses by.
///
/// Made in two stages. dew_plan_make tells from the scene alone, before anything is allocated, whether it fits.
/// dew_plan_count then asks a World in which the liquid has just been poured: its elements are those of the solver,
/// its liquid what lies in the domain and outside of solids, its steps those that the solver allows.
///
/// Counts are doubles, because a scene may ask for 10^18 cells; below 2^53 they are exact. Memory, steps and time
/// are estimates: they say whether to start, not how it will end.
#pragma once

#include "dew/world.h"
#include "scene/traits.h"

typedef struct dew_Plan {
    const dew_SolverTraits *traits;
    bool is_in_build;    // false: the scene can be checked, not run
    dew_Status missing;  // DEW_UNSUPPORTED: same, for what its message says
    int dimensions;

    double cells[3];           // of the domain along x, y, z
    double domain_cells;       // their product
    double liquid_cells;       // that the liquid at the start fills
    double bricks;             // of 8^dimensions cells; 0 for a solver without cells
    double start_elements;     // the solver's own: cells, triangles, balls
    double supplied_elements;  // those of what the sources bring, as if all of it stayed
    double elements;           // both
    double stored_elements;    // that take memory
    double shapes_m3;          // liquid at the start by its shapes
    double liquid_m3;          // of it, what the solver takes (counted), else the same
    double supplied_m3;        // by sources, until the end (rain by its mean)
    double birth_count;        // drops that sources let fall; each ends a step
    bool is_counted;           // by the solver's own state (dew_plan_count)

    double image_bytes;      // of textures, maps, heights and light, while they are read
    double memory_bytes;     // of the state and the images; counted: of the run at its peak
    double available_bytes;  // that this process could get
    bool fits;
    double fitting_elements;  // that would fit
    double fitting_cell_m;    // cell size that would fit, rounded up to two digits; NaN: none would

    double start_speed_m_s;  // of what is poured, sources and solids
    double speed_m_s;        // fastest expected: the same after falling through the domain, or wind
    double cfl_step_s;       // cell at that speed; INFINITY: nothing moves
    double capillary_step_s;  // INFINITY: no surface tension
    double step_s;  // the shortest, at most a frame: what the solver allows at that speed (counted)
    const char *bound;   // what limits it: "cfl", "capillary", "viscosity", "frame"
    double rest_step_s;  // what the solver allows at rest (counted)

    double frame_s;      // between frames
    double frame_count;  // frame 0 included
    double step_count;   // about
    double cpu_s;        // about, of one core
} dew_Plan;

/// Makes the plan. Refuses (DEW_BAD_INPUT, with the cell size that would do) what does not fit into the
/// memory; *out is filled in either case.
dew_Status dew_plan_make(const dew_Scene *scene, dew_Plan *out);

/// Is the plan small enough for a World to be made of the scene just to count?
bool dew_plan_is_countable(const dew_Plan *plan);
/// The plan by a World of the same scene that has not stepped yet.
void dew_plan_count(dew_Plan *plan, const dew_World *world);

#define DEW_PROGRAM_BYTES                                                                          \
    12.5e6  // peak of a program that has no elements yet, measured (docs/manual/plan.md)
#define DEW_PLAN_LONG_S 3600.0  // of CPU time: worth a warning

/// The plan as lines of "what  value"; cut at `size`. Returns the length without the end.
size_t dew_plan_text(const dew_Plan *plan, char *out, size_t size);
/// "about 4 min": up to two digits, in the unit that fits.
void dew_plan_time_text(double cpu_s, char out[32]);
