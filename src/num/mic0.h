/// Modified incomplete Cholesky factorisation without fill-in, MIC(0), of a sparse symmetric
/// matrix.
///
/// Sequential by nature: the result depends on the order of the unknowns, and solving with it runs
/// on one worker. For small systems and for comparison; large ones want multigrid.
#pragma once

#include "base/arena.h"

typedef struct dew_Mic0 {
    int64_t count;    // unknowns
    int64_t *begin;   // row i has the entries [begin[i], begin[i + 1]) left of the diagonal
    int32_t *column;  // their columns, each < i
    double *entry;
    double *diagonal;  // of the matrix
    double *scale;     // 1 / diagonal of the factor, after factoring
} dew_Mic0;

/// Room for a matrix, to be filled in by the caller: begin, column, entry, diagonal.
dew_Status dew_mic0_alloc(dew_Mic0 *mic0, dew_Arena *arena, int64_t count, int64_t entry_count);

/// Factors. tuning in [0, 1]: 1 keeps row sums (MIC), 0 drops what does not fit (IC); 0.97 is good
/// for Poisson's equation [Bridson2015]. Pivots below a quarter of the diagonal are replaced by it.
dew_Status dew_mic0_factor(dew_Mic0 *mic0, double tuning, dew_Arena *scratch);

/// z = (L L')^-1 r. z and r may be the same.
void dew_mic0_solve(const dew_Mic0 *mic0, const double *r, double *z);
