// MIC(0) [Gustafsson1978]: the factor has the matrix's own pattern, L = F D + 1/D with F the part
// left of the diagonal and D a diagonal (`scale`) chosen so that the diagonal of L L', and with
// tuning 1 also its row sums, are those of the matrix.
#include "num/mic0.h"

#include <math.h>

#include "base/status.h"

#define SAFETY 0.25  // smallest pivot over diagonal

dew_Status dew_mic0_alloc(dew_Mic0 *mic0, dew_Arena *arena, int64_t count, int64_t entry_count)
{
    *mic0 = (dew_Mic0){.count = count,
                       .begin = dew_arena_array(arena, int64_t, count + 1),
                       .column = dew_arena_array(arena, int32_t, entry_count),
                       .entry = dew_arena_array(arena, double, entry_count),
                       .diagonal = dew_arena_array(arena, double, count),
                       .scale = dew_arena_array(arena, double, count)};
    if (!mic0->begin || !mic0->column || !mic0->entry || !mic0->diagonal || !mic0->scale)
        return dew_no_memory((size_t)count * 24 + (size_t)entry_count * 12);
    return dew_ok();
}

dew_Status dew_mic0_factor(dew_Mic0 *mic0, double tuning, dew_Arena *scratch)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    double *below = dew_arena_array(scratch, double, mic0->count);  // sum of a column's entries
    if (!below)
        return dew_no_memory((size_t)mic0->count * sizeof(double));
    for (int64_t e = 0; e < mic0->begin[mic0->count]; e++)
        below[mic0->column[e]] += mic0->entry[e];
    for (int64_t i = 0; i < mic0->count; i++) {
        double pivot = mic0->diagonal[i];
        for (int64_t e = mic0->begin[i]; e < mic0->begin[i + 1]; e++) {
            double a = mic0->entry[e], s = mic0->scale[mic0->column[e]];
            double fill = below[mic0->column[e]] - a;
            pivot -= a * s * s * (a + tuning * fill);
        }
        if (!(pivot > SAFETY * mic0->diagonal[i]))
            pivot = mic0->diagonal[i];
        mic0->scale[i] = pivot > 0 ? 1 / sqrt(pivot) : 0;
    }
    dew_arena_rewind(scratch, mark);
    return dew_ok();
}

void dew_mic0_solve(const dew_Mic0 *mic0, const double *r, double *z)
{
    const double *scale = mic0->scale;
    for (int64_t i = 0; i < mic0->count; i++) {
        double sum = r[i];
        for (int64_t e = mic0->begin[i]; e < mic0->begin[i + 1]; e++)
            sum -= mic0->entry[e] * scale[mic0->column[e]] * z[mic0->column[e]];
        z[i] = sum * scale[i];
    }
    // Backwards by columns: what row i takes from those above it has been taken when it is its
    // turn.
    for (int64_t i = mic0->count - 1; i >= 0; i--) {
        z[i] *= scale[i];
        for (int64_t e = mic0->begin[i]; e < mic0->begin[i + 1]; e++)
            z[mic0->column[e]] -= mic0->entry[e] * scale[mic0->column[e]] * z[i];
    }
}
