// Islands: active columns, wet ones and those beside them, by connection over faces.
//
// Runs of active cells in a row are joined with those that overlap them in the row before (union of
// the lowest). Islands are numbered by their first run, so that the order is that of the grid.
#include "base/status.h"
#include "base/union_find.h"
#include "solvers/shallow/films/thin_film.h"

#include <string.h>

// Bytes of a row: 1 where the column is wet.
static void mark_wet(const dew_ShallowGrid *g, const double *depth, const double *layer_m, int row,
                     uint8_t *is_wet)
{
    int64_t n = dew_shallow_at(g, 0, row);
    for (int i = 0; i < g->columns; i++)
        is_wet[n + i] = depth[n + i] > dew_film_params.dry_ratio * layer_m[n + i];
}

typedef struct Marking {
    const dew_ShallowGrid *grid;
    const double *depth, *layer_m;
    uint8_t *is_wet, *is_active;
    int *runs;  // per row
} Marking;

static dew_Status wet_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Marking *m = context;
    for (int row = (int)begin; row < (int)end; row++)
        mark_wet(m->grid, m->depth, m->layer_m, row, m->is_wet);
    return dew_ok();
}

static dew_Status active_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Marking *m = context;
    const dew_ShallowGrid *g = m->grid;
    for (int row = (int)begin; row < (int)end; row++) {
        int64_t n = dew_shallow_at(g, 0, row), z = g->has_z ? g->stride : 0;
        const uint8_t *wet = m->is_wet + n;
        uint8_t *active = m->is_active + n;
        for (int i = 0; i < g->columns; i++)
            active[i] = wet[i] | wet[i - 1] | wet[i + 1] | wet[i - z] | wet[i + z];
        active[g->columns] = 0;
        m->runs[row] = 0;
        for (int i = 0; i < g->columns; i++)
            m->runs[row] += active[i] && (i == 0 || !active[i - 1]);
    }
    return dew_ok();
}

static void list_runs(const dew_ShallowGrid *g, const uint8_t *is_active, dew_FilmRun *runs)
{
    for (int row = 0; row < g->rows; row++) {
        const uint8_t *active = is_active + dew_shallow_at(g, 0, row);
        for (int i = 0; i < g->columns;) {
            const uint8_t *next = memchr(active + i, 1, (size_t)(g->columns - i));
            if (!next)
                break;
            int begin = (int)(next - active), end = begin;
            while (end < g->columns && active[end])
                end++;
            *runs++ = (dew_FilmRun){row, begin, end};
            i = end;
        }
    }
}

// Runs of a row beside those of the row before it. first: of each row, rows + 1 of them.
static void join_rows(const dew_FilmRun *runs, const int32_t *first, int row, int32_t *parent)
{
    int32_t a = first[row - 1], b = first[row];
    while (a < first[row] && b < first[row + 1]) {
        if (runs[a].begin < runs[b].end && runs[b].begin < runs[a].end)
            dew_join_cells(parent, a, b);
        if (runs[a].end < runs[b].end)
            a++;
        else
            b++;
    }
}

static void grow(dew_FilmIsland *island, dew_FilmRun run)
{
    if (island->run_count == 0)
        *island = (dew_FilmIsland){
            .min_x = run.begin, .max_x = run.end - 1, .min_z = run.row, .max_z = run.row};
    island->run_count++;
    island->min_x = run.begin < island->min_x ? run.begin : island->min_x;
    island->max_x = run.end - 1 > island->max_x ? run.end - 1 : island->max_x;
    island->max_z = run.row;
    island->cells += run.end - run.begin;
}

// Numbers the islands, sorts the runs by them. label: of each run, its root on entry.
static void sort_runs(const dew_FilmRun *runs, int32_t *label, dew_FilmIslands *out)
{
    out->island_count = 0;
    for (int32_t r = 0; r < out->run_count; r++) {  // a root comes before all that belong to it
        label[r] = label[r] == r ? out->island_count++ : label[label[r]];
        grow(&out->island[label[r]], runs[r]);
    }
    int32_t at = 0;
    for (int32_t k = 0; k < out->island_count; k++) {
        out->island[k].first_run = at;
        at += out->island[k].run_count;
    }
    for (int32_t r = 0; r < out->run_count; r++)
        out->runs[out->island[label[r]].first_run++] = runs[r];
    for (int32_t k = 0; k < out->island_count; k++)
        out->island[k].first_run -= out->island[k].run_count;
}

dew_Status dew_film_find_islands(dew_Tasks *tasks, const dew_ShallowGrid *grid, const double *depth,
                                 const double *layer_m, dew_Arena *scratch, dew_FilmIslands *out)
{
    *out = (dew_FilmIslands){0};
    Marking m = {grid, depth, layer_m, .is_wet = dew_arena_array(scratch, uint8_t, grid->count)};
    m.is_active = dew_arena_array(scratch, uint8_t, grid->count);
    m.runs = dew_arena_array(scratch, int, grid->rows);
    int32_t *first = dew_arena_array(scratch, int32_t, grid->rows + 1);
    if (!m.is_wet || !m.is_active || !m.runs || !first)
        return dew_no_memory((size_t)grid->count);
    DEW_TRY(dew_parallel_for(tasks, grid->rows, DEW_SHALLOW_ROWS, wet_chunk, &m));
    DEW_TRY(dew_parallel_for(tasks, grid->rows, DEW_SHALLOW_ROWS, active_chunk, &m));
    for (int row = 0; row < grid->rows; row++)
        first[row + 1] = first[row] + m.runs[row];
    int32_t count = out->run_count = first[grid->rows];
    dew_FilmRun *runs = dew_arena_raw_array(scratch, dew_FilmRun, count);
    int32_t *parent = dew_arena_raw_array(scratch, int32_t, count);
    out->runs = dew_arena_raw_array(scratch, dew_FilmRun, count);
    out->island = dew_arena_array(scratch, dew_FilmIsland, count);
    if (!runs || !parent || !out->runs || !out->island)
        return dew_no_memory((size_t)count * sizeof *runs);
    list_runs(grid, m.is_active, runs);
    for (int32_t r = 0; r < count; r++)
        parent[r] = r;
    for (int row = 1; row < grid->rows; row++)
        join_rows(runs, first, row, parent);
    for (int32_t r = 0; r < count; r++)
        parent[r] = dew_cell_root(parent, r);
    sort_runs(runs, parent, out);
    return dew_ok();
}
