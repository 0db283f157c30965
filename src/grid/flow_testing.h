/// For tests of the flow parts: a grid with one field per name, filled from functions.
#pragma once

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/testing.h"
#include "grid/brick.h"

enum { FLOW_PHI, FLOW_P, FLOW_B, FLOW_U, FLOW_V, FLOW_W, FLOW_X, FLOW_Y, FLOW_Z, FLOW_FIELDS };

typedef struct Flow {
    dew_Grid *grid;
    dew_Tasks *tasks;
    double *f[FLOW_FIELDS];
} Flow;

/// [0, 1]^dimensions with `cells` cells along an axis and bricks `margin` cells beyond.
static inline Flow flow_open(int dimensions, int cells, int margin, int workers,
                             const dew_Allocator *allocator)
{
    static const char *const names[] = {"phi", "p", "b", "u", "v", "w", "x", "y", "z"};
    Flow flow = {0};
    if (workers > 1) {
        dew_TasksDef tasks = dew_default_tasks_def();
        tasks.worker_count = workers;
        tasks.reverse_chunks = workers == 2;
        assert_int_equal(dew_tasks_create(&tasks, &flow.tasks).code, DEW_OK);
    }
    dew_GridDef def = dew_default_grid_def();
    def.dimensions = dimensions;
    def.cell_m = 1.0 / cells;
    def.margin = margin;
    def.tasks = flow.tasks;
    if (allocator)
        def.allocator = *allocator;
    int32_t low[3] = {0}, high[3];
    for (int a = 0; a < 3; a++) {
        bool is_used = a < dimensions;
        def.cell_max[a] = is_used ? cells : 1;
        low[a] = is_used ? -margin : 0;
        high[a] = is_used ? cells + margin : 1;
    }
    assert_int_equal(dew_grid_create(&def, &flow.grid).code, DEW_OK);
    int field[FLOW_FIELDS];
    for (int i = 0; i < FLOW_FIELDS; i++)
        assert_int_equal(
            dew_grid_add_field(flow.grid, names[i], DEW_AT_CELL, sizeof(double), NULL, &field[i])
                .code,
            DEW_OK);
    bool has_changed;
    dew_grid_update_begin(flow.grid);
    assert_int_equal(dew_grid_want_box(flow.grid, low, high).code, DEW_OK);
    assert_int_equal(dew_grid_update_end(flow.grid, &has_changed).code, DEW_OK);
    for (int i = 0; i < FLOW_FIELDS; i++)
        flow.f[i] = dew_grid_f64(flow.grid, field[i]);
    return flow;
}

static inline void flow_close(Flow *flow)
{
    dew_grid_destroy(flow->grid);
    dew_tasks_destroy(flow->tasks);
}

/// Sets a field from a function of position.
static inline void flow_fill(const Flow *flow, int field, dew_Place place, double (*of)(dew_Vec3 x))
{
    const dew_Grid *g = flow->grid;
    for (int32_t b = 0; b < g->brick_count; b++)
        for (int i = 0; i < g->brick_cells; i++)
            flow->f[field][(int64_t)b * g->brick_cells + i] =
                of(dew_grid_position(g, b, i & 7, i >> 3 & 7, i >> 6, place));
}

/// Calls `look` for every value of the grid.
static inline void flow_each(const Flow *flow, dew_Place place,
                             void (*look)(const Flow *flow, int64_t at, dew_Vec3 x))
{
    const dew_Grid *g = flow->grid;
    for (int32_t b = 0; b < g->brick_count; b++)
        for (int i = 0; i < g->brick_cells; i++)
            look(flow, (int64_t)b * g->brick_cells + i,
                 dew_grid_position(g, b, i & 7, i >> 3 & 7, i >> 6, place));
}

/// Numbers in [-1, 1) that follow from the index.
static inline double flow_noise(int64_t i)
{
    uint64_t z = (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15) + 1;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-52 - 1;
}
