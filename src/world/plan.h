/// Plan: the cells, steps, memory and time that a scene will need. `dew check` prints it, and
/// dew_world_create refuses scenes whose plan exceeds the limits.
///
/// Made in two stages. dew_plan_make decides from the scene alone, before anything is allocated,
/// whether it fits. dew_plan_count then asks a World in which the liquid has just been poured: its
/// elements are those of the solver, its liquid what lies in the domain and outside of solids, its
/// steps those that the solver allows.
#pragma once

#include "dew/run.h"

/// Makes the plan. Refuses (DEW_BAD_INPUT, with the cell size that would do) what does not fit into
/// the memory; *out is filled in either case.
dew_Status dew_plan_make(const dew_Scene *scene, dew_Plan *out);

/// Is the plan small enough for a World to be made of the scene just to count?
bool dew_plan_is_countable(const dew_Plan *plan);
/// The plan by a World of the same scene that has not stepped yet.
void dew_plan_count(dew_Plan *plan, const dew_World *world);

/// Peak memory in bytes of a program without elements, measured (docs/manual/plan.md).
#define DEW_PROGRAM_BYTES 12.5e6

/// "about 4 min": up to two digits, in the unit that fits.
void dew_plan_time_text(double cpu_s, char out[32]);
