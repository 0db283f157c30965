// Pairs of boxes against all pairs, over layouts of every kind; order, speed of growth, memory.

#include "solvers/surface/broad_phase.h"

#include "base/random.h"
#include "base/testing.h"

enum { MAX_BOXES = 3000 };

static dew_MergeBroadPhase *workspace(void)
{
    dew_MergeBroadPhase *phase = NULL;
    assert_int_equal(dew_merge_broad_phase_create(NULL, &phase).code, DEW_OK);
    return phase;
}

static dew_Box box_at(dew_Vec3 center, dew_Vec3 half)
{
    return (dew_Box){dew_sub(center, half), dew_add(center, half)};
}

// Drops on a wall, in the air, in a row, all of one place, of sizes from 1 to 100, with endless
// ones.
static int64_t make_layout(int kind, dew_Random *random, dew_Box *boxes)
{
    int64_t count = 1 + (int64_t)dew_random_range(random, 0, MAX_BOXES - 1);
    for (int64_t i = 0; i < count; i++) {
        dew_Vec3 c = dew_scale(1e-3 * 50, dew_vec(dew_random_unit(random), dew_random_unit(random),
                                                  dew_random_unit(random)));
        double r = 1e-3 * dew_random_range(random, 0.3, 1);
        if (kind == 1)
            c.z = 0;
        if (kind == 2)
            c = dew_vec(0, c.y, 0);
        if (kind == 3)
            c = dew_vec(1e-4 * c.x, 0, 0.02);
        if (kind == 4)
            r *= i % 50 == 0 ? 20 : 0.2;
        boxes[i] = box_at(c, dew_vec(r, r * dew_random_unit(random), r));
        if (kind == 5 && i % 7 == 0)
            boxes[i] = dew_box_empty();
        if (kind == 5 && i % 500 == 1)
            boxes[i].max.y = (double)INFINITY;
        if (kind == 5 && i % 500 == 2)
            boxes[i].min.x = (double)NAN;
    }
    return kind == 3 ? count % 200 : count;
}

static bool overlap(const dew_Box *a, const dew_Box *b, double margin)
{
    const double p[6] = {a->min.x, a->min.y, a->min.z, a->max.x, a->max.y, a->max.z};
    const double q[6] = {b->min.x, b->min.y, b->min.z, b->max.x, b->max.y, b->max.z};
    for (int k = 0; k < 3; k++) {
        if (!(p[k] <= p[3 + k] && q[k] <= q[3 + k] && p[k] - q[3 + k] <= margin &&
              q[k] - p[3 + k] <= margin))
            return false;
    }
    return true;
}

static void all_pairs_are_found_once_and_in_order(void **state)
{
    (void)state;
    static dew_Box boxes[MAX_BOXES];
    dew_MergeBroadPhase *phase = workspace();
    dew_Random random = dew_random(1, 2, 3);
    int64_t total = 0;
    for (int round = 0; round < 36; round++) {
        int64_t count = make_layout(round % 6, &random, boxes), met = 0;
        double margin = round % 2 ? 1e-4 : 0;
        assert_int_equal(dew_merge_broad_phase_run(phase, boxes, count, margin).code, DEW_OK);
        const dew_MergePair *pair = dew_merge_broad_phase_pairs(phase);
        for (uint32_t i = 0; i < count; i++) {
            for (uint32_t k = i + 1; k < count; k++) {
                if (!overlap(&boxes[i], &boxes[k], margin))
                    continue;
                assert_true(met < dew_merge_broad_phase_pair_count(phase));
                assert_int_equal(pair[met].first, i);
                assert_int_equal(pair[met].second, k);
                met++;
            }
        }
        assert_int_equal(met, dew_merge_broad_phase_pair_count(phase));
        total += met;
    }
    assert_true(total > 10000);
    dew_merge_broad_phase_destroy(phase);
}

static void few_boxes_are_no_matter(void **state)
{
    (void)state;
    dew_MergeBroadPhase *phase = workspace();
    dew_Box boxes[2] = {box_at(dew_vec(0, 0, 0), dew_vec(1, 1, 1)),
                        box_at(dew_vec(2, 0, 0), dew_vec(1, 1, 1))};
    for (int64_t count = 0; count < 2; count++) {
        assert_int_equal(dew_merge_broad_phase_run(phase, boxes, count, 0).code, DEW_OK);
        assert_int_equal(dew_merge_broad_phase_pair_count(phase), 0);
    }
    assert_int_equal(dew_merge_broad_phase_run(phase, boxes, 2, 0).code, DEW_OK);
    assert_int_equal(dew_merge_broad_phase_pair_count(phase), 1);  // they touch
    boxes[1].min.x += 1e-3;
    assert_int_equal(dew_merge_broad_phase_run(phase, boxes, 2, 0).code, DEW_OK);
    assert_int_equal(dew_merge_broad_phase_pair_count(phase), 0);
    assert_int_equal(dew_merge_broad_phase_run(phase, boxes, 2, 2e-3).code, DEW_OK);
    assert_int_equal(dew_merge_broad_phase_pair_count(phase), 1);
    dew_merge_broad_phase_destroy(phase);
}

static void memory_is_kept_and_may_fail(void **state)
{
    (void)state;
    static dew_Box boxes[MAX_BOXES];
    for (int64_t n = 0;; n++) {
        dew_Random random = dew_random(1, 2, 3);
        int64_t count = make_layout(1, &random, boxes);
        dew_Torture torture = dew_torture(n);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_MergeBroadPhase *phase = NULL;
        dew_Status status = dew_merge_broad_phase_create(&allocator, &phase);
        if (status.code == DEW_OK)
            status = dew_merge_broad_phase_run(phase, boxes, count, 0);
        bool is_last = torture.calls <= n;
        assert_int_equal(status.code, is_last ? DEW_OK : DEW_NO_MEMORY);
        if (is_last) {  // warm: nothing more is asked for
            int64_t calls = torture.calls;
            assert_int_equal(dew_merge_broad_phase_run(phase, boxes, count, 0).code, DEW_OK);
            assert_int_equal(torture.calls, calls);
        }
        dew_merge_broad_phase_destroy(phase);
        assert_true(torture.blocks == 0 && !torture.was_lied_to);
        if (is_last)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs_are_found_once_and_in_order),
        cmocka_unit_test(few_boxes_are_no_matter),
        cmocka_unit_test(memory_is_kept_and_may_fail),
    };
    return cmocka_run_group_tests_name("solvers/surface/broad_phase", tests, NULL, NULL);
}
