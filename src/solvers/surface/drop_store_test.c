// Stores of drops: what goes in comes out, what is damaged is found.
#include "solvers/surface/drop_testing.h"

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
        test_ok(dew_drop_store_append(&store, &drop));
    }
    test_ok(dew_drop_store_check(&store));
    dew_DropPlace place = {0, 0};
    for (int k = 0; k < 3; k++) {
        dew_DropView view = dew_drop_view(&store, k, place);
        assert_int_equal(view.counts.id, 10 + k);
        assert_true(view.positions[0].x == -k && view.velocities[3].y == 0 && view.labels[2] == 0);
        place = dew_drop_next_place(&store, k, place);
    }
    dew_drop_store_truncate(&store, 1);
    test_ok(dew_drop_store_check(&store));
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
    test_ok(dew_drop_store_append(&store, &drop));
    dew_DropCounts *counts = DEW_ITEMS(&store.counts, dew_DropCounts);
    counts->vertex_count = 5;
    assert_int_equal(dew_drop_store_check(&store).code, DEW_CORRUPT);
    counts->vertex_count = -4;
    assert_int_equal(dew_drop_store_check(&store).code, DEW_CORRUPT);
    counts->vertex_count = 4;
    DEW_ITEMS(&store.triangles, dew_Triangle)[2].v[1] = 4;
    assert_int_equal(dew_drop_store_check(&store).code, DEW_CORRUPT);
    DEW_ITEMS(&store.triangles, dew_Triangle)[2].v[1] = 2;
    test_ok(dew_drop_store_check(&store));
    store.labels.count = 3;
    assert_int_equal(dew_drop_store_check(&store).code, DEW_CORRUPT);
    dew_drop_store_deinit(&store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drops_come_back_as_they_went),
        cmocka_unit_test(damage_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
