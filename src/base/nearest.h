/// The known name that somebody most likely meant.
#pragma once

#include "dew/base.h"

/// Of names[0..count) the one nearest to `word` (edits, swaps, case and _- aside), or NULL when none is
/// near enough to be worth offering.
const char *dew_nearest_name(const char *word, const char *const *names, int64_t count);
