/// Nozzles: disks at the same place are one, named by the first of them, whose flow is their sum.
/// So a tap can be turned from one speed to another.
#pragma once

#include "problem/problem.h"

/// The nozzle of a disk: the first inflow at the same place. DEW_INVALID for a condensation site.
int64_t dew_nozzle_of(const dew_Problem *problem, int64_t inflow);
/// Volume that flows through in [begin_s, end_s).
double dew_nozzle_volume_m3(const dew_Problem *problem, int64_t nozzle, double begin_s,
                            double end_s);
/// Speed at which liquid comes out of it at a time; 0 also where the inflow is none of its own
/// nozzle.
double dew_nozzle_speed_m_s(const dew_Problem *problem, int64_t nozzle, double time_s);
