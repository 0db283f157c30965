// The tree over boxes against a loop over all of them; how few items it asks.
#include "base/random.h"
#include "base/testing.h"
#include "problem/box_tree.h"

enum { MAX_ITEMS = 3000 };

typedef struct Cloud {
    dew_Box boxes[MAX_ITEMS];
    int32_t items[MAX_ITEMS];
    int32_t count;
    dew_Vec3 p;
    int32_t best, asked;
} Cloud;

// Balls inscribed in the boxes, so that distances are simple and bounds not tight.
static double ball_distance(dew_Box box, dew_Vec3 p)
{
    dew_Vec3 half = dew_scale(0.5, dew_sub(box.max, box.min));
    return dew_distance(p, dew_add(box.min, half)) - fmin(half.x, fmin(half.y, half.z));
}

static void make_cloud(Cloud *cloud, int32_t count, uint64_t seed, double size)
{
    cloud->count = count;
    for (int32_t i = 0; i < count; i++) {
        dew_Random r = dew_random(seed, (uint64_t)i, 0);
        dew_Vec3 c = {dew_random_unit(&r), dew_random_unit(&r), dew_random_unit(&r)};
        dew_Vec3 h = {size * dew_random_unit(&r), size * dew_random_unit(&r),
                      size * dew_random_unit(&r)};
        cloud->boxes[i] = (dew_Box){dew_sub(c, h), dew_add(c, h)};
        cloud->items[i] = i;
    }
}

static double visit(void *context, int32_t item, double least)
{
    Cloud *cloud = (Cloud *)context;
    cloud->asked++;
    double d = ball_distance(cloud->boxes[item], cloud->p);
    if (!(d < least))
        return least;
    cloud->best = item;
    return d;
}

static void finds_what_a_loop_finds(void **state)
{
    (void)state;
    static Cloud cloud;
    int32_t counts[] = {1, 2, 3, 7, 100, MAX_ITEMS};
    for (int k = 0; k < 6; k++) {
        for (int large = 0; large < 2; large++) {
            make_cloud(&cloud, counts[k], 5, large ? 0.5 : 0.02);  // overlapping, apart
            dew_Arena arena;
            dew_arena_init(&arena, NULL);
            dew_BoxTree tree;
            assert_int_equal(
                dew_box_tree_build(&tree, &arena, cloud.items, cloud.boxes, cloud.count).code,
                DEW_OK);
            for (uint64_t q = 0; q < 300; q++) {
                dew_Random r = dew_random(9, q, 0);
                cloud.p = dew_vec(dew_random_range(&r, -0.5, 1.5), dew_random_range(&r, -0.5, 1.5),
                                  dew_random_range(&r, -0.5, 1.5));
                int32_t want = 0;
                for (int32_t i = 1; i < cloud.count; i++) {
                    if (ball_distance(cloud.boxes[i], cloud.p) <
                        ball_distance(cloud.boxes[want], cloud.p))
                        want = i;
                }
                cloud.best = DEW_INVALID;
                dew_box_tree_nearest(&tree, cloud.p, HUGE_VAL, visit, &cloud);
                assert_int_equal(cloud.best, want);
            }
            dew_arena_deinit(&arena);
        }
    }
}

static void asks_few_and_none_out_of_reach(void **state)
{
    (void)state;
    static Cloud cloud;
    make_cloud(&cloud, MAX_ITEMS, 5, 0.02);
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    dew_BoxTree tree;
    dew_box_tree_build(&tree, &arena, cloud.items, cloud.boxes, cloud.count);
    cloud.asked = 0;
    for (uint64_t q = 0; q < 300; q++) {
        dew_Random r = dew_random(9, q, 0);
        cloud.p = dew_vec(dew_random_unit(&r), dew_random_unit(&r), dew_random_unit(&r));
        dew_box_tree_nearest(&tree, cloud.p, HUGE_VAL, visit, &cloud);
    }
    assert_true(cloud.asked < 300 * 30);
    cloud.asked = 0;
    cloud.p = dew_vec(5, 5, 5);
    dew_box_tree_nearest(&tree, cloud.p, 1, visit, &cloud);
    assert_int_equal(cloud.asked, 0);
    dew_arena_deinit(&arena);
}

// All boxes the same: the order falls back to the index and the depth stays a logarithm.
static void equal_boxes_do_no_harm(void **state)
{
    (void)state;
    static Cloud cloud;
    cloud.count = MAX_ITEMS;
    for (int32_t i = 0; i < MAX_ITEMS; i++) {
        cloud.boxes[i] = (dew_Box){{0, 0, 0}, {1, 1, 1}};
        cloud.items[i] = i;
    }
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    dew_BoxTree tree;
    dew_box_tree_build(&tree, &arena, cloud.items, cloud.boxes, cloud.count);
    cloud.p = dew_vec(2, 0, 0);
    cloud.asked = 0;
    dew_box_tree_nearest(&tree, cloud.p, HUGE_VAL, visit, &cloud);
    assert_int_equal(cloud.asked, MAX_ITEMS);
    dew_arena_deinit(&arena);
}

static void bound_is_the_signed_distance_of_the_box(void **state)
{
    (void)state;
    dew_Box box = {{-1, -2, -3}, {1, 2, 3}};
    assert_true(dew_box_bound(box, dew_vec(4, 0, 7)) == 5);
    assert_true(dew_box_bound(box, dew_vec(0.5, 0, 0)) == -0.5);
    assert_true(dew_box_bound(box, dew_vec(0, 2, 0)) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_a_loop_finds),
        cmocka_unit_test(asks_few_and_none_out_of_reach),
        cmocka_unit_test(equal_boxes_do_no_harm),
        cmocka_unit_test(bound_is_the_signed_distance_of_the_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
