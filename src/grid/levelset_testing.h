/// For tests: grids with balls in them.
#pragma once

#include "base/testing.h"
#include "grid/levelset.h"

#include <string.h>

typedef struct dew_TestBall {
    dew_Vec3 center;
    double radius;
} dew_TestBall;

typedef struct dew_TestGrid {
    dew_Grid *grid;
    dew_Arena scratch;
    int phi;
} dew_TestGrid;

static inline double dew_test_ball_distance(void *context, dew_Vec3 p, double reach_m)
{
    (void)reach_m;
    const dew_TestBall *ball = context;
    return dew_distance(p, ball->center) - ball->radius;
}

/// A disk in the plane of the cells.
static inline double dew_test_disk_distance(void *context, dew_Vec3 p, double reach_m)
{
    (void)reach_m;
    const dew_TestBall *ball = context;
    return hypot(p.x - ball->center.x, p.y - ball->center.y) - ball->radius;
}

/// A cube (or square) of `cells`^d unit cells without bricks, and a field phi.
static inline void dew_test_grid(dew_TestGrid *t, int dimensions, int32_t cells, dew_Tasks *tasks)
{
    dew_GridDef def = dew_default_grid_def();
    def.dimensions = dimensions;
    def.cell_m = 1;
    def.tasks = tasks;
    for (int a = 0; a < 3; a++)
        def.cell_max[a] = a < dimensions ? cells : 1;
    double fresh = 5;
    assert_int_equal(dew_grid_create(&def, &t->grid).code, DEW_OK);
    assert_int_equal(dew_grid_add_field(t->grid, "phi", DEW_AT_CELL, 8, &fresh, &t->phi).code,
                     DEW_OK);
    dew_arena_init(&t->scratch, NULL);
}

static inline void dew_test_add_ball(dew_TestGrid *t, dew_TestBall ball, bool and_inside)
{
    dew_DistanceFn *distance =
        t->grid->dimensions == 3 ? dew_test_ball_distance : dew_test_disk_distance;
    dew_Status status =
        dew_levelset_add(t->grid, t->phi, distance, &ball, 5, and_inside, &t->scratch);
    assert_int_equal(status.code, DEW_OK);
}

static inline void dew_test_grid_free(dew_TestGrid *t)
{
    dew_grid_destroy(t->grid);
    dew_arena_deinit(&t->scratch);
}

/// A temporary of the grid's size.
static inline double *dew_test_field(dew_TestGrid *t)
{
    double *field = dew_arena_array(&t->scratch, double, dew_grid_value_count(t->grid));
    assert_non_null(field);
    return field;
}

static inline dew_Vec3 dew_test_position(const dew_Grid *grid, int64_t at)
{
    int n = (int)(at % grid->brick_cells);
    dew_Vec3 p = dew_grid_position(grid, (int32_t)(at / grid->brick_cells), n & 7, n >> 3 & 7,
                                   n >> 6, DEW_AT_CELL);
    return p;
}
