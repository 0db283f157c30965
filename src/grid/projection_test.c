// Projection where the answer is plain: hydrostatics, rotation, moving walls, drops under tension.
#include "grid/poisson.h"

#include "grid/flow_testing.h"

typedef struct Project {
    Flow flow;
    dew_Poisson poisson;
    dew_Arena scratch;
    dew_ProjectionDef def;
    dew_ProjectionReport report;
} Project;

static Project begin(int dimensions, int cells, int margin)
{
    Project t = {.flow = flow_open(dimensions, cells, margin, 1, NULL)};
    dew_poisson_init(&t.poisson, NULL);
    dew_arena_init(&t.scratch, NULL);
    t.def = dew_default_projection_def();
    t.def.is_checked = true;
    t.def.phi = t.flow.f[FLOW_PHI];
    t.def.density_kg_m3 = 1000;
    t.def.dt_s = 1e-3;
    t.def.solve.tolerance = 1e-9;
    return t;
}

static void run(Project *t)
{
    double *const u[3] = {t->flow.f[FLOW_U], t->flow.f[FLOW_V], t->flow.f[FLOW_W]};
    dew_Status status = dew_projection_run(&t->poisson, t->flow.grid, &t->def, u, t->flow.f[FLOW_P],
                                           NULL, &t->scratch, &t->report);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
}

static void end(Project *t)
{
    dew_arena_deinit(&t->scratch);
    dew_poisson_deinit(&t->poisson);
    flow_close(&t->flow);
}

static double pool(dew_Vec3 x)
{
    return x.y - 0.613;
}
static double gravity(dew_Vec3 x)
{
    (void)x;
    return -9.81 * 1e-3;
}
// Faces within the box, not on its sides.
static double in_the_box(dew_Vec3 x)
{
    return x.x > 1e-6 && x.x < 1 - 1e-6 && x.y > 1e-6 && x.y < 1 - 1e-6 ? 1 : 0;
}

static void check_rest(const Flow *flow, int64_t at, dew_Vec3 x)
{
    if (flow->f[FLOW_PHI][at] >= 0 || in_the_box(x) == 0)
        return;
    // The flat surface is where phi says, so the pressure is exact but for the tolerance.
    assert_true(fabs(flow->f[FLOW_P][at] - 1000 * 9.81 * (0.613 - x.y)) < 1e-4);
}

static void water_at_rest_stays(void **state)
{
    (void)state;
    Project t = begin(2, 32, 8);
    flow_fill(&t.flow, FLOW_PHI, DEW_AT_CELL, pool);
    flow_fill(&t.flow, FLOW_V, DEW_AT_FACE_Y, gravity);
    flow_fill(&t.flow, FLOW_X, DEW_AT_FACE_X, in_the_box);
    flow_fill(&t.flow, FLOW_Y, DEW_AT_FACE_Y, in_the_box);
    t.def.open[0] = t.flow.f[FLOW_X];
    t.def.open[1] = t.flow.f[FLOW_Y];
    run(&t);
    flow_each(&t.flow, DEW_AT_CELL, check_rest);
    assert_true(t.report.divergence < 1e-8);
    end(&t);
}

static void check_first_order(const Flow *flow, int64_t at, dew_Vec3 x)
{
    if (flow->f[FLOW_PHI][at] >= 0 || in_the_box(x) == 0)
        return;
    assert_true(fabs(flow->f[FLOW_P][at] - 1000 * 9.81 * (20.5 / 32 - x.y)) < 1e-4);
}

// Of first order, [Wang2005]: the pressure of the surface is that of the first cell in the air.
static void first_order_is_at_the_cell_beyond(void **state)
{
    (void)state;
    Project t = begin(2, 32, 8);
    flow_fill(&t.flow, FLOW_PHI, DEW_AT_CELL, pool);
    flow_fill(&t.flow, FLOW_V, DEW_AT_FACE_Y, gravity);
    flow_fill(&t.flow, FLOW_X, DEW_AT_FACE_X, in_the_box);
    flow_fill(&t.flow, FLOW_Y, DEW_AT_FACE_Y, in_the_box);
    t.def.open[0] = t.flow.f[FLOW_X];
    t.def.open[1] = t.flow.f[FLOW_Y];
    t.def.min_fraction = 1;
    run(&t);
    flow_each(&t.flow, DEW_AT_CELL, check_first_order);
    end(&t);
}

static double ball(dew_Vec3 x)
{
    return dew_distance(x, dew_vec(0.47, 0.52, 0.51)) - 0.31;
}
static double tension(dew_Vec3 x)
{
    (void)x;
    return 146;  // 2 sigma / R of a water drop of 1 mm
}

static void check_tension(const Flow *flow, int64_t at, dew_Vec3 x)
{
    (void)x;
    for (int a = 0; a < 3; a++)  // dt / (rho h) of the pressure's rounding is all that may move
        assert_true(fabs(flow->f[FLOW_U + a][at]) < 1e-3 / (1000.0 / 32) * 146 * 1e-6);
    if (flow->f[FLOW_PHI][at] < 0)
        assert_true(fabs(flow->f[FLOW_P][at] / 146 - 1) < 1e-7);
}

// A drop whose surface has one pressure has it everywhere, and nothing moves: to rounding, not to
// order.
static void even_tension_moves_nothing(void **state)
{
    (void)state;
    Project t = begin(3, 32, 0);
    flow_fill(&t.flow, FLOW_PHI, DEW_AT_CELL, ball);
    flow_fill(&t.flow, FLOW_B, DEW_AT_CELL, tension);
    t.def.p_surface = t.flow.f[FLOW_B];
    run(&t);
    flow_each(&t.flow, DEW_AT_CELL, check_tension);
    end(&t);
}

static double wide_row(dew_Vec3 x)
{
    return x.y > 0.4 && x.y < 0.43 ? 1.3 : 1;
}
static double all_open(dew_Vec3 x)
{
    (void)x;
    return 1;
}
static double inward(dew_Vec3 x)
{
    return 0.47 - x.x;
}

// Beside walls between the cells faces have up to one and a half times their area: no face is cut,
// but not all are alike.
static void wide_faces_count_in_full(void **state)
{
    (void)state;
    Project t = begin(3, 32, 0);
    flow_fill(&t.flow, FLOW_PHI, DEW_AT_CELL, ball);
    flow_fill(&t.flow, FLOW_U, DEW_AT_FACE_X, inward);
    flow_fill(&t.flow, FLOW_X, DEW_AT_FACE_X, wide_row);
    flow_fill(&t.flow, FLOW_Y, DEW_AT_FACE_Y, all_open);
    flow_fill(&t.flow, FLOW_Z, DEW_AT_FACE_Z, wide_row);
    for (int a = 0; a < 3; a++)
        t.def.open[a] = t.flow.f[FLOW_X + a];
    run(&t);
    assert_true(t.report.divergence < 1e-7);
    end(&t);
}

static double spin_u(dew_Vec3 x)
{
    return -(x.y - 0.5);
}
static double spin_v(dew_Vec3 x)
{
    return x.x - 0.5;
}
static double everywhere(dew_Vec3 x)
{
    (void)x;
    return -1;
}
static double outside_a_hole(dew_Vec3 x)
{
    return dew_length(dew_vec(x.x - 0.5, x.y - 0.5, 0)) > 0.2 ? 1 : 0;
}
static double around_the_hole(dew_Vec3 x)
{
    return in_the_box(x) * outside_a_hole(x);
}
static double wall_x(dew_Vec3 x)
{
    return around_the_hole(x) > 0 ? 0 : 0.3;
}
static double wall_y(dew_Vec3 x)
{
    return around_the_hole(x) > 0 ? 0 : -0.7;
}

static void check_walls(const Flow *flow, int64_t at, dew_Vec3 x)
{
    if (x.x > 1e-6 && x.x < 1 - 1e-6 && x.y > 0 && x.y < 1 && outside_a_hole(x) == 0)
        assert_true(flow->f[FLOW_U][at] == 0.3);  // closed faces move with the wall
}

// Walls that all move at one velocity carry the liquid along: a closed box, an obstacle in it.
static void walls_carry_along(void **state)
{
    (void)state;
    Project t = begin(2, 40, 8);
    flow_fill(&t.flow, FLOW_PHI, DEW_AT_CELL, everywhere);
    flow_fill(&t.flow, FLOW_U, DEW_AT_FACE_X, spin_u);
    flow_fill(&t.flow, FLOW_V, DEW_AT_FACE_Y, spin_v);
    flow_fill(&t.flow, FLOW_X, DEW_AT_FACE_X, around_the_hole);
    flow_fill(&t.flow, FLOW_Y, DEW_AT_FACE_Y, around_the_hole);
    flow_fill(&t.flow, FLOW_Z, DEW_AT_FACE_X, wall_x);
    flow_fill(&t.flow, FLOW_B, DEW_AT_FACE_Y, wall_y);
    t.def.open[0] = t.flow.f[FLOW_X];
    t.def.open[1] = t.flow.f[FLOW_Y];
    t.def.wall_u[0] = t.flow.f[FLOW_Z];
    t.def.wall_u[1] = t.flow.f[FLOW_B];
    run(&t);
    assert_int_equal(t.poisson.pools.count, 1);
    const dew_ClosedPool *closed = t.poisson.pools.data;
    assert_true(fabs(closed->excess) < 1e-6);  // as much flows in as out: the walls do not squeeze
    assert_true(t.report.divergence < 1e-6);
    flow_each(&t.flow, DEW_AT_FACE_X, check_walls);
    end(&t);
}

static double squeezing(dew_Vec3 x)
{
    return x.x > 1 - 1e-6 ? -1 : 0;
}

// A wall that presses into a full box cannot be obeyed; the excess is reported, not hidden.
static void squeezed_pools_are_reported(void **state)
{
    (void)state;
    Project t = begin(2, 16, 8);
    flow_fill(&t.flow, FLOW_PHI, DEW_AT_CELL, everywhere);
    flow_fill(&t.flow, FLOW_X, DEW_AT_FACE_X, in_the_box);
    flow_fill(&t.flow, FLOW_Y, DEW_AT_FACE_Y, in_the_box);
    flow_fill(&t.flow, FLOW_Z, DEW_AT_FACE_X, squeezing);
    for (int64_t i = 0; i < dew_grid_value_count(t.flow.grid); i++)
        t.flow.f[FLOW_U][i] = t.flow.f[FLOW_V][i] = 0;
    t.def.open[0] = t.flow.f[FLOW_X];
    t.def.open[1] = t.flow.f[FLOW_Y];
    t.def.wall_u[0] = t.flow.f[FLOW_Z];
    run(&t);
    const dew_ClosedPool *closed = t.poisson.pools.data;
    // -div of 16 rows, each pushed inwards at 1 m/s, times rho h / dt.
    assert_true(fabs(closed->excess / (16 * 1000 / (16 * 1e-3)) - 1) < 1e-9);
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_at_rest_stays),
        cmocka_unit_test(first_order_is_at_the_cell_beyond),
        cmocka_unit_test(even_tension_moves_nothing),
        cmocka_unit_test(wide_faces_count_in_full),
        cmocka_unit_test(walls_carry_along),
        cmocka_unit_test(squeezed_pools_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
