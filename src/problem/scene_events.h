/// What the problem knows of a scene's events.
#pragma once

#include "problem/problem.h"

/// That drags name solids which can be dragged.
dew_Status dew_problem_check_events(const dew_Problem *problem);
bool dew_problem_solid_is_movable(const dew_Problem *problem, int solid_id);
