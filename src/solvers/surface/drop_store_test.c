// Stores of drops: what goes in comes out, what is damaged is found.
#include "solvers/surface/drop_testing.h"
#include "solvers/surface/surface_state.h"

static dew_DropView tetrahedron(dew_Vec3 *x)
{
    static const dew_Triangle faces[4] = {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{0, 3, 2}}};
    const dew_Vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    memcpy(x, corners, sizeof corners);
    return (dew_DropView){.values = {.volume_m3 = 1.0 / 6},
                          .counts = {.vertex_count = 4, .triangle_count = 4},
                          .positions = x,
                          .triangles = faces};
}

static void drops_come_back_as_they_went(void **state)
{
    (void)state;
    dew_DropStore store;
    dew_drop_store_init(&store, NULL);
    dew_Vec3 x[4];
    dew_DropView drop = tetrahedron(x);
    for (int k = 0; k < 3; k++) {
        drop.counts.id = 10 + k;
        x[0].x = -k;
        assert_ok(dew_drop_store_append(&store, &drop));
    }
    assert_ok(dew_drop_store_check(&store));
    dew_DropPlace place = {0, 0};
    for (int k = 0; k < 3; k++) {
        dew_DropView view = dew_drop_view(&store, k, place);
        assert_int_equal(view.counts.id, 10 + k);
        assert_true(view.positions[0].x == -k && view.velocities[3].y == 0 && view.labels[2] == 0);
        place = dew_drop_next_place(&store, k, place);
    }
    dew_drop_store_truncate(&store, 1);
    assert_ok(dew_drop_store_check(&store));
    assert_int_equal(dew_drop_count(&store), 1);
    dew_drop_store_deinit(&store);
}

static void damage_is_found(void **state)
{
    (void)state;
    dew_DropStore store;
    dew_drop_store_init(&store, NULL);
    dew_Vec3 x[4];
    dew_DropView drop = tetrahedron(x);
    assert_ok(dew_drop_store_append(&store, &drop));
    dew_DropCounts *counts = DEW_ITEMS(&store.counts, dew_DropCounts);
    counts->vertex_count = 5;
    assert_int_equal(dew_drop_store_check(&store).code, DEW_CORRUPT);
    counts->vertex_count = -4;
    assert_int_equal(dew_drop_store_check(&store).code, DEW_CORRUPT);
    counts->vertex_count = 4;
    DEW_ITEMS(&store.triangles, dew_Triangle)[2].v[1] = 4;
    assert_int_equal(dew_drop_store_check(&store).code, DEW_CORRUPT);
    DEW_ITEMS(&store.triangles, dew_Triangle)[2].v[1] = 2;
    assert_ok(dew_drop_store_check(&store));
    DEW_ITEMS(&store.flags, dew_DropFlags)->has_failed = 2;
    assert_int_equal(dew_drop_store_check(&store).code, DEW_CORRUPT);
    DEW_ITEMS(&store.flags, dew_DropFlags)->has_failed = 0;
    DEW_ITEMS(&store.counts, dew_DropCounts)->watch_steps = -1;
    assert_int_equal(dew_drop_store_check(&store).code, DEW_CORRUPT);
    DEW_ITEMS(&store.counts, dew_DropCounts)->watch_steps = 0;
    assert_ok(dew_drop_store_check(&store));
    store.labels.count = 3;
    assert_int_equal(dew_drop_store_check(&store).code, DEW_CORRUPT);
    dew_drop_store_deinit(&store);
}

static void succeed(dew_DropCounts *counts, int steps)
{
    for (int k = 0; k < steps; k++)
        dew_drop_count_success(counts, false);
}

// Failures in step after step add up; after 50 successful steps one is forgotten.
static void failures_are_counted_and_forgotten(void **state)
{
    (void)state;
    dew_DropCounts counts = {0};
    for (int k = 1; k <= 3; k++) {
        dew_drop_count_failure(&counts);
        assert_int_equal(counts.failure_count, k);
    }
    succeed(&counts, 50);
    assert_true(counts.watch_steps > 0);
    dew_drop_count_failure(&counts);
    assert_int_equal(counts.failure_count, 2);
    succeed(&counts, 1000);
    assert_int_equal(counts.watch_steps, 0);
    dew_drop_count_failure(&counts);
    assert_int_equal(counts.failure_count, 1);
    succeed(&counts, 1000);
    dew_drop_count_success(&counts, true);
    assert_int_equal(counts.watch_steps, 1);
    assert_int_equal(counts.steps_since_rebuild, 2051);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drops_come_back_as_they_went),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(failures_are_counted_and_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
