// Union and find: sets come out the same in whatever order they are joined, each led by its lowest
// number.
#include "base/union_find.h"

#include "base/testing.h"

enum { COUNT = 1000 };

// Numbers that leave the same rest are joined, in an order that `step` shuffles (it has no factor
// in common with COUNT).
static void join_rests(int32_t *parent, int rest, int step)
{
    for (int32_t n = 0; n < COUNT; n++)
        parent[n] = n;
    for (int k = 0; k < COUNT; k++) {
        int32_t a = k * step % COUNT, b = (a + rest) % COUNT;
        if (b > a)
            dew_join_cells(parent, k % 2 ? a : b, k % 2 ? b : a);
    }
}

static void the_lowest_leads_in_any_order(void **state)
{
    (void)state;
    static const int steps[] = {1, 7, 333, 999};
    for (int i = 0; i < 4; i++) {
        int32_t parent[COUNT];
        join_rests(parent, 13, steps[i]);
        for (int32_t n = 0; n < COUNT; n++)
            assert_int_equal(dew_cell_root(parent, n), n % 13);
    }
}

static void what_is_one_set_stays_so(void **state)
{
    (void)state;
    uint32_t parent[] = {0, 1, 2, 3};
    dew_join_vertices(parent, 3, 1);
    dew_join_vertices(parent, 1, 3);
    dew_join_vertices(parent, 2, 2);
    assert_int_equal(dew_vertex_root(parent, 0), 0);
    assert_int_equal(dew_vertex_root(parent, 1), 1);
    assert_int_equal(dew_vertex_root(parent, 2), 2);
    assert_int_equal(dew_vertex_root(parent, 3), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lowest_leads_in_any_order),
        cmocka_unit_test(what_is_one_set_stays_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
