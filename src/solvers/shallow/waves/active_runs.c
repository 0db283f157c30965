// Active parts of the rows: blocks of cells that are wet or that liquid may reach in the step.
//
// Liquid passes at most one cell in a step. A block is active when it, or one beside it, or one in
// the DEW_SHALLOW_GHOST rows above and below is wet. Blocks that become inactive are set to rest.
#include "base/status.h"
#include "solvers/shallow/waves/waves.h"

#include <string.h>

static dew_Status find_wet(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const dew_SolverState *s = context;
    for (int64_t row = begin; row < end; row++) {
        const double *depth = s->depth + dew_shallow_at(&s->grid, 0, (int)row);
        for (int b = 0; b < s->work.blocks; b++) {
            int from = b * DEW_SHALLOW_BLOCK, to = from + DEW_SHALLOW_BLOCK;
            double most = 0;
            for (int i = from; i < (to < s->grid.columns ? to : s->grid.columns); i++)
                most = most > depth[i] ? most : depth[i];
            s->work.is_wet[row * s->work.blocks + b] = most > 0;
        }
    }
    return dew_ok();
}

static uint8_t is_near(const dew_SolverState *s, int row, int block)
{
    for (int r = row - DEW_SHALLOW_GHOST; r <= row + DEW_SHALLOW_GHOST; r++) {
        if (r < 0 || r >= s->grid.rows)
            continue;
        const uint8_t *wet = s->work.is_wet + (int64_t)r * s->work.blocks;
        if (wet[block] || (block > 0 && wet[block - 1]) ||
            (block + 1 < s->work.blocks && wet[block + 1]))
            return 1;
    }
    return 0;
}

// What has left the runs is put to rest. A row's faces of w towards the next row belong to that
// one.
static void clear_block(const dew_SolverState *s, int row, int block)
{
    double *const arrays[] = {s->u,
                              s->w,
                              s->work.u,
                              s->work.w,
                              s->work.flux,
                              s->work.cross,
                              s->work.outflow_fraction,
                              s->work.head};
    int begin = block * DEW_SHALLOW_BLOCK, end = begin + DEW_SHALLOW_BLOCK;
    end = end < s->grid.columns ? end : s->grid.columns;
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        memset(arrays[k] + dew_shallow_at(&s->grid, begin, row), 0,
               (size_t)(end - begin) * sizeof(double));
}

static dew_Status make_runs(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const dew_SolverState *s = context;
    for (int row = (int)begin; row < (int)end; row++) {
        uint8_t *active = s->work.is_active + (int64_t)row * s->work.blocks;
        uint8_t *was = s->work.was_active + (int64_t)row * s->work.blocks;
        dew_WaveRun *runs = s->work.runs + (int64_t)row * s->work.max_runs;
        int count = 0;
        memcpy(was, active, (size_t)s->work.blocks);
        for (int b = 0; b < s->work.blocks; b++) {
            active[b] = is_near(s, row, b);
            if (was[b] && !active[b])
                clear_block(s, row, b);
            if (!active[b])
                continue;
            int from = b * DEW_SHALLOW_BLOCK, to = from + DEW_SHALLOW_BLOCK;
            to = to < s->grid.columns ? to : s->grid.columns;
            if (count > 0 && runs[count - 1].end == from)
                runs[count - 1].end = to;
            else
                runs[count++] = (dew_WaveRun){from, to};
        }
        s->work.run_count[row] = count;
    }
    return dew_ok();
}

void dew_wave_find_runs(dew_SolverState *state)
{
    // Neither can fail.
    (void)dew_shallow_rows(state, find_wet, state);
    (void)dew_shallow_rows(state, make_runs, state);
}
