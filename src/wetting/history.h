/// Wetting history of a solid: when each element of its sampled surface was last wet.
///
/// An element is a vertex, a face or a cell, as the owner chooses. One number per element in a
/// plain array, so that it is saved and restored as a field of the state. An element is wet while
/// liquid touches it and for the material's `dries_after` from then on; its wetness, for pictures,
/// falls from 1 to 0 over that time. The decision which advancing angle holds asks only for wetness
/// > 0 [Wang2005, section 6].
#pragma once

#include "base/array.h"
#include "base/tasks.h"

typedef struct dew_WettingHistory {
    dew_Array last_wet_s;  // double per element; -INFINITY: never
} dew_WettingHistory;

void dew_wetting_history_init(dew_WettingHistory *history, const dew_Allocator *allocator);
void dew_wetting_history_deinit(dew_WettingHistory *history);
/// New elements were never wet.
dew_Status dew_wetting_history_resize(dew_WettingHistory *history, int64_t count);

/// Notes the elements that liquid touches at time_s: is_wet[i] != 0, one per element.
dew_Status dew_wetting_history_update(dew_WettingHistory *history, dew_Tasks *tasks,
                                      const uint8_t *is_wet, double time_s);

/// Wetness of one element, 0..1: 1 while wet, then falling linearly to 0 at dries_after_s
/// (INFINITY: stays 1; 0: dry as soon as the liquid has left).
double dew_wetness(double last_wet_s, double time_s, double dries_after_s);

/// The wet map: wetness per element. dries_each_s, when not NULL, gives each element its own drying
/// time (affinity maps) in place of dries_after_s.
dew_Status dew_wetting_history_map(const dew_WettingHistory *history, dew_Tasks *tasks,
                                   double time_s, double dries_after_s, const double *dries_each_s,
                                   float *wetness);
