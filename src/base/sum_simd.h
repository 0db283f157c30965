/// Exact sums of whole blocks, many at a time.
#pragma once

#include "base/sum.h"

#define DEW_SUM_BLOCK 1024  // numbers: 8 kB, which stay in the first-level cache

/// Adds x[0..DEW_SUM_BLOCK) to the sum, exactly as dew_exact_add would one by one. Uses the wide
/// registers of AVX2 when it may and the machine has them; the bits are the same.
void dew_exact_add_block(dew_ExactSum *sum, const double *x, bool may_be_wide);
