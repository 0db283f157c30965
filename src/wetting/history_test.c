// Wetting history: drying; and the whole model in a growing and shrinking drop.
#include "base/testing.h"
#include "dew/wetting.h"
#include "wetting/contact_angle.h"
#include "wetting/history.h"

#include <math.h>

static void wetness_falls_linearly(void **state)
{
    (void)state;
    assert_true(dew_wetness(2, 2, 10) == 1);
    assert_true(dew_wetness(2, 7, 10) == 0.5);
    assert_true(dew_wetness(2, 12, 10) == 0);
    assert_true(dew_wetness(2, 1e9, HUGE_VAL) == 1);
    assert_true(dew_wetness(2, 2.0001, 0) == 0);
    assert_true(dew_wetness(2, 2, 0) == 1);
    assert_true(dew_wetness(-HUGE_VAL, 0, HUGE_VAL) == 0);
    assert_true(dew_wetness(-HUGE_VAL, 0, 1) == 0);
}

// ---- a drop that grows and shrinks --------------------------------------------------------------
// Quasi-static: the volume is prescribed, the base radius is the only state, the solid around the
// middle is sampled in rings that remember when they were wet.

#define RINGS  2000
#define RING_M 1e-6
#define SIGMA  0.073
#define STEPS  4000

typedef struct Drop {
    dew_MaterialDef material;
    double last_wet_s[RINGS];
    double base_m, angle_rad;
    dew_LineState line;
    double advance_rad;  // advancing angle that held just outside the line
} Drop;

static void drop_init(Drop *drop, double small_m3, double dries_after_s)
{
    *drop = (Drop){.material = {.advancing_rad = DEW_DEG(90),
                                .receding_rad = DEW_DEG(30),
                                .wet_advancing_rad = DEW_DEG(60),
                                .max_receding_tension_N_m = HUGE_VAL,
                                .dries_after_s = dries_after_s},
                   .base_m = dew_drop_cap_from_volume_angle(small_m3, DEW_DEG(60)).base_radius_m};
    for (int i = 0; i < RINGS; i++)
        drop->last_wet_s[i] = -HUGE_VAL;
}

static void drop_set_volume(Drop *drop, double volume_m3, double time_s)
{
    int64_t ring = (int64_t)(drop->base_m / RING_M) + 1;  // the first one outside
    assert_true(ring < RINGS);
    double wetness = dew_wetness(drop->last_wet_s[ring], time_s, drop->material.dries_after_s);
    dew_AngleInterval interval = dew_contact_interval(&drop->material, wetness);
    double trial = dew_drop_cap_from_volume_base(volume_m3, drop->base_m).angle_rad;
    dew_ContactReturn r = dew_contact_return(interval, SIGMA, HUGE_VAL, trial);
    if (r.state != DEW_LINE_PINNED)
        drop->base_m = dew_drop_cap_from_volume_angle(volume_m3, r.angle_rad).base_radius_m;
    drop->angle_rad = dew_drop_cap_from_volume_base(volume_m3, drop->base_m).angle_rad;
    drop->line = r.state;
    drop->advance_rad = interval.advancing_rad;
    for (int i = 0; i < RINGS && i * RING_M <= drop->base_m; i++)
        drop->last_wet_s[i] = time_s;
}

// Volume from v0 to v1 in equal steps; checks at each step what the model promises, and counts.
typedef struct Stroke {
    int pinned, advancing, receding;
    double pump_J;  // work put in: integral of the Laplace pressure over volume, by trapezoids
} Stroke;

static Stroke drop_stroke(Drop *drop, double v0, double v1, double begin_s, double end_s)
{
    Stroke stroke = {0};
    double p_before = 2 * SIGMA / dew_drop_cap_from_volume_base(v0, drop->base_m).radius_m;
    for (int i = 1; i <= STEPS; i++) {
        double f = (double)i / STEPS, base_before = drop->base_m, v = v0 + f * (v1 - v0);
        drop_set_volume(drop, v, begin_s + f * (end_s - begin_s));
        if (drop->line == DEW_LINE_PINNED) {
            assert_true(drop->base_m == base_before);  // exactly the same radius
            assert_true(drop->angle_rad >= drop->material.receding_rad - 1e-12);
            assert_true(drop->angle_rad <= drop->advance_rad + 1e-12);
            stroke.pinned++;
        } else if (drop->line == DEW_LINE_ADVANCING) {
            assert_true(drop->base_m > base_before);
            assert_true(fabs(drop->angle_rad - drop->advance_rad) < 1e-12);
            stroke.advancing++;
        } else {
            assert_true(drop->base_m < base_before);
            assert_true(fabs(drop->angle_rad - drop->material.receding_rad) < 1e-12);
            stroke.receding++;
        }
        double p = 2 * SIGMA / dew_drop_cap_from_volume_base(v, drop->base_m).radius_m;
        stroke.pump_J += (p + p_before) / 2 * (v1 - v0) / STEPS;
        p_before = p;
    }
    return stroke;
}

static double disk_m2(double radius_m)
{
    return DEW_PI * radius_m * radius_m;
}

static void cycle_gives_the_hysteresis_loop(void **state)
{
    (void)state;
    Drop drop;
    double small = 1e-12, large = 1e-9;  // 1 nl to 1 ul
    drop_init(&drop, small, 100);
    dew_DropCap first = dew_drop_cap_from_volume_base(small, drop.base_m);
    Stroke grow = drop_stroke(&drop, small, large, 0, 10);
    dew_DropCap widest = dew_drop_cap_from_volume_angle(large, drop.material.advancing_rad);
    assert_true(grow.advancing > 0.9 * STEPS && grow.receding == 0);
    assert_true(fabs(drop.base_m / widest.base_radius_m - 1) < 1e-12);

    // Shrinking: first pinned at exactly that radius down to the volume at which the angle is
    // receding.
    double v_release =
        dew_drop_cap_from_base_angle(widest.base_radius_m, drop.material.receding_rad).volume_m3;
    Stroke shrink = drop_stroke(&drop, large, small, 10, 20);
    int pinned_steps = (int)((large - v_release) / (large - small) * STEPS);
    assert_in_range(shrink.pinned, pinned_steps - 1, pinned_steps + 1);
    assert_true(shrink.advancing == 0 && shrink.receding == STEPS - shrink.pinned);

    // Energy: the pump's work is the free surface gained less sigma cos(theta) per area swept by
    // the line, whatever the path. What a closed loop loses is thus sigma (cos receding - cos
    // advancing) per area swept. Trapezoids of 4,000 steps: error below 1e-4 of the work.
    double swept_m2 =
        cos(drop.material.advancing_rad) *
            (disk_m2(widest.base_radius_m) - disk_m2(first.base_radius_m)) +
        cos(drop.material.receding_rad) * (disk_m2(drop.base_m) - disk_m2(widest.base_radius_m));
    double free_m2 = dew_drop_cap_from_volume_base(small, drop.base_m).area_m2 - first.area_m2;
    double want_J = SIGMA * (free_m2 - swept_m2);
    assert_true(want_J > 0 && fabs(grow.pump_J + shrink.pump_J - want_J) < 1e-4 * want_J);

    // Growing again over wet solid: pinned, then at the wet advancing angle up to the old rim, then
    // pinned there until the angle is dry advancing. The rim is known to a ring.
    double wet_rad = drop.material.wet_advancing_rad, dv = (large - small) / STEPS;
    double v_advance = dew_drop_cap_from_base_angle(drop.base_m, wet_rad).volume_m3;
    double v_rim = dew_drop_cap_from_base_angle(widest.base_radius_m, wet_rad).volume_m3;
    Stroke again = drop_stroke(&drop, small, large, 20, 30);
    pinned_steps = (int)((v_advance - small + large - v_rim) / dv);
    int ring_steps = 2 + (int)(3 * RING_M / widest.base_radius_m * v_rim / dv);
    assert_in_range(again.pinned, pinned_steps - ring_steps, pinned_steps + ring_steps);
    assert_true(again.receding == 0 && again.advancing == STEPS - again.pinned);
}

// Wet again, the line runs at the wet angle up to the rim of the old drop, stops there until the
// dry angle is reached, and goes on at the dry angle.
static void rim_of_the_wet_disk_holds_the_line(void **state)
{
    (void)state;
    Drop drop;
    double small = 1e-12, large = 0.2e-9;
    drop_init(&drop, small, HUGE_VAL);
    drop_stroke(&drop, small, large, 0, 1);
    double rim_m = drop.base_m;
    drop_stroke(&drop, large, small, 1, 2);
    double v = small;
    while (drop.line != DEW_LINE_ADVANCING)
        drop_set_volume(&drop, v *= 1.001, 3);
    while (drop.advance_rad == drop.material.wet_advancing_rad) {
        assert_true(fabs(drop.angle_rad - drop.material.wet_advancing_rad) < 1e-12);
        drop_set_volume(&drop, v *= 1.001, 3);
    }
    assert_int_equal(drop.line, DEW_LINE_PINNED);
    double stopped_m = drop.base_m;  // a ring and a step at most from the rim
    assert_true(fabs(stopped_m - rim_m) <= RING_M + 0.001 * rim_m);
    while (drop.line == DEW_LINE_PINNED)
        drop_set_volume(&drop, v *= 1.001, 3);
    assert_true(fabs(drop.angle_rad - drop.material.advancing_rad) < 1e-12);
    assert_true(v / dew_drop_cap_from_base_angle(stopped_m, drop.material.advancing_rad).volume_m3 <
                1.0011);
}

// Once dry again, the solid advances at the dry angle: the second growth repeats the first.
static void drying_restores_the_dry_angle(void **state)
{
    (void)state;
    Drop drop;
    double small = 1e-12, large = 0.5e-9;
    drop_init(&drop, small, 5);
    drop_stroke(&drop, small, large, 0, 1);
    drop_stroke(&drop, large, small, 1, 2);
    drop_set_volume(&drop, small, 20);  // all but the drop's own place has dried
    drop_stroke(&drop, small, large, 20, 21);
    assert_true(fabs(drop.angle_rad - drop.material.advancing_rad) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wetness_falls_linearly),
        cmocka_unit_test(cycle_gives_the_hysteresis_loop),
        cmocka_unit_test(rim_of_the_wet_disk_holds_the_line),
        cmocka_unit_test(drying_restores_the_dry_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
