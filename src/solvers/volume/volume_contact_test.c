// Contact angles of the solver against what geometry says: caps, planes continued into solids,
// lines that are pinned, walls that were wet, and the paper's options.
#include "solvers/volume/volume_testing.h"

// A cap shows its angle all along the contact line, whatever the place of the wall between the
// cells, also when the values that pin it are extrapolated from another angle: those in the wall
// are moved by a tenth of a cell. At 1.5 cells from it they have at most a sixth of the weight in a
// slope, and twice that in what is continued to the wall.
static void caps_show_their_angles(void **state)
{
    (void)state;
    static const double angles[] = {40, 75, 120}, heights[] = {0, 0.03, 0.06, 0.09};
    for (int k = 0; k < 12; k++) {
        char text[512];
        double angle = angles[k % 3];
        snprintf(
            text, sizeof text,
            BOX("0.1 mm") "materials: {w: {advancing: 150 deg, receding: 20 deg}}\n"
                          "solids: [{shape: plane, point: [0, %g mm, 0], normal: [0.2, 1, 0.1], "
                          "material: w}]\n"
                          "drops: [{shape: cap, point: [0, %g mm, 0], normal: [0.2, 1, 0.1], "
                          "volume: 2.5 mm^3, angle: %g deg}]\n",
            heights[k / 3] - 0.5, heights[k / 3] - 0.5, angle);
        Bench b = begin(text);
        const dew_Liquid *liquid = b.liquid;
        dew_Measure m;
        for (int64_t at = 0; at < dew_liquid_count(liquid); at++)
            if (dew_liquid_solid(liquid)[at] < 0)
                dew_liquid_phi(liquid)[at] += 0.1 * liquid->grid->cell_m;
        ops->measure(b.problem, b.state, now(&b), &m);
        double allowed = 0.1 * 2 / 6 / sin(DEW_DEG(angle)) + DEW_DEG(0.2);
        assert_true(fabs(m.contact_angle_rad - DEW_DEG(angle)) < 0.5 * allowed);
        assert_true(m.contact_angle_min_rad > DEW_DEG(angle) - allowed);
        assert_true(m.contact_angle_max_rad < DEW_DEG(angle) + allowed);
        end(&b);
    }
}

static double plane_at(dew_Vec3 p, double angle)
{
    return p.x * sin(angle) + p.y * cos(angle);
}

// Replaces phi outside of solids by that of a plane that meets the floor, y = 0, at this angle.
static void set_plane(const dew_Liquid *s, double angle, bool in_solids)
{
    for (int32_t b = 0; b < s->grid->brick_count; b++)
        for (int n = 0; n < s->grid->brick_cells; n++) {
            int64_t at = (int64_t)b * s->grid->brick_cells + n;
            dew_Vec3 p = dew_grid_position(s->grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
            if (in_solids || dew_liquid_solid(s)[at] > 0)
                dew_liquid_phi(s)[at] = plane_at(p, angle);
        }
}

// Largest difference from the plane in the solid, a cell deep, near the surface.
static double difference(const dew_Liquid *s, double angle)
{
    double worst = 0, h = s->grid->cell_m;
    for (int32_t b = 0; b < s->grid->brick_count; b++)
        for (int n = 0; n < s->grid->brick_cells; n++) {
            int64_t at = (int64_t)b * s->grid->brick_cells + n;
            dew_Vec3 p = dew_grid_position(s->grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
            double solid = dew_liquid_solid(s)[at];
            bool is_near = fabs(p.x) < 0.4e-3 && fabs(p.z) < 0.4e-3 && solid < 0 && solid > -h;
            if (is_near && fabs(plane_at(p, angle)) < h)
                worst = fmax(worst, fabs(dew_liquid_phi(s)[at] - plane_at(p, angle)) / h);
        }
    return worst;
}

static void planes_go_on_into_solids(void **state)
{
    (void)state;
    Bench b = begin(FLOOR("angle: 50 deg"));
    set_plane(b.liquid, DEW_DEG(50), false);
    assert_ok(dew_liquid_impose_angle(b.liquid, 0, &b.scratch));
    assert_true(difference(b.liquid, DEW_DEG(50)) < 1e-3);
    end(&b);
}

// Within [receding, advancing] what is remembered stays; beyond, the bound is taken. The plane at
// the trial angle is not beyond it everywhere, and what stays there weighs a few hundredths in the
// interpolation beside it.
static void pinned_lines_keep_their_memory(void **state)
{
    (void)state;
    static const double trial[] = {40, 70, 110}, kept[] = {60, 70, 90};
    for (int k = 0; k < 3; k++) {
        Bench b = begin(FLOOR("advancing: 90 deg, receding: 60 deg"));
        set_plane(b.liquid, DEW_DEG(kept[k]), false);
        set_plane(b.liquid, DEW_DEG(trial[k]), true);
        set_plane(b.liquid, DEW_DEG(kept[k]), false);
        assert_ok(dew_liquid_impose_angle(b.liquid, 0, &b.scratch));
        assert_true(difference(b.liquid, DEW_DEG(kept[k])) < 0.02);
        end(&b);
    }
}

// ---- moving lines ------------------------------------------------------------------------------

// All liquid moves along the floor.
static void set_speed(const dew_Liquid *s, double speed_m_s)
{
    double *u = dew_grid_f64(s->grid, s->u[0]);
    for (int64_t n = 0; n < dew_liquid_count(s); n++)
        u[n] = speed_m_s;
}

static dew_LineLaw law_of_floor(const Bench *b)
{
    dew_MaterialDef m = dew_problem_material(b->problem, NULL, 0, dew_vec(0, 0, 0));
    dew_LiquidDef liquid = dew_problem_def(b->problem)->liquid;
    return dew_line_law(&m, liquid.viscosity_Pa_s, liquid.surface_tension_N_m);
}

#define OIL "liquid: {density: 936, viscosity: 20 mPa s, surface_tension: 20 mN/m}\n"

// A wedge that moves goes on into the wall at the law's angle at half a cell, when what the wall
// remembers lies beyond that. Tolerance: as of lines that are held, above.
static void wedges_have_the_angle_of_their_speed(void **state)
{
    (void)state;
    static const double speed[] = {-4e-3, -2e-3, 0, 5e-3, 10e-3, 20e-3};
    for (int k = 0; k < 6; k++) {
        Bench b = begin(OIL FLOOR("advancing: 80 deg, receding: 60 deg"));
        dew_LineLaw law = law_of_floor(&b);
        double rest = DEW_DEG(speed[k] < 0 ? 60 : 80);
        double angle = dew_line_angle(&law, rest, speed[k], 0.5 * 0.1e-3).angle_rad;
        set_plane(b.liquid, angle + DEW_DEG(speed[k] < 0 ? -20 : 20), true);
        set_plane(b.liquid, angle, false);
        set_speed(b.liquid, speed[k]);
        assert_ok(dew_liquid_impose_angle(b.liquid, 0, &b.scratch));
        assert_true(difference(b.liquid, angle) < 2e-2);
        if (speed[k] != 0)
            assert_true(difference(b.liquid, rest) > 3e-2);
        end(&b);
    }
}

// Beyond the largest speed of a receding line the angle is the least that the grid imposes.
static void receding_lines_have_a_largest_speed(void **state)
{
    (void)state;
    Bench b = begin(OIL FLOOR("angle: 60 deg"));
    dew_LineLaw law = law_of_floor(&b);
    const dew_LiquidParams *params = &b.liquid->params;
    double critical = dew_line_critical_speed(&law, DEW_DEG(60), 0.05e-3);
    for (int k = -8; k <= 8; k++) {
        double speed = 0.1 * k * critical;
        double want = dew_line_angle(&law, DEW_DEG(60), speed, 0.05e-3).angle_rad;
        double got = acos(dew_liquid_moving_cosine(params, &law, 0.5, speed, 0.05e-3));
        assert_true(fabs(got - want) < 1e-4);
    }
    double least = dew_liquid_moving_cosine(params, &law, 0.5, -2 * critical, 0.05e-3);
    assert_within(acos(least), DEW_DEG(10), 1e-9);
    end(&b);
}

// At rest the law does nothing, to the bit; nor for walls that slip freely and the paper's options.
static void resting_lines_do_not_know_the_law(void **state)
{
    (void)state;
    static const char *const scenes[] = {
        OIL FLOOR("advancing: 80 deg, receding: 60 deg"),
        OIL FLOOR("advancing: 80 deg, receding: 60 deg, dynamic_angle: none"),
        OIL FLOOR("advancing: 80 deg, receding: 60 deg, slip: inf"),
        OIL FLOOR("advancing: 80 deg, receding: 60 deg") "volume: {pinning: zero-pressure}\n"};
    double *phi[4];
    Bench b[4];
    for (int k = 0; k < 4; k++) {
        b[k] = begin(scenes[k]);
        set_plane(b[k].liquid, DEW_DEG(70), true);
        set_plane(b[k].liquid, DEW_DEG(90), false);
        set_speed(b[k].liquid, k < 2 ? 0 : 0.02);
        assert_ok(dew_liquid_impose_angle(b[k].liquid, 0, &b[k].scratch));
        phi[k] = dew_liquid_phi(b[k].liquid);
    }
    size_t size = (size_t)dew_liquid_count(b[0].liquid) * sizeof(double);
    assert_memory_equal(phi[0], phi[1], size);
    assert_memory_equal(phi[1], phi[2], size);
    assert_true(b[3].liquid->params.wetting[0].law.kind == DEW_ANGLE_STATIC);
    for (int k = 0; k < 4; k++)
        end(&b[k]);
}

// Where phi is bounded nothing is continued to zero: a film would come of it.
static void dry_walls_stay_dry(void **state)
{
    (void)state;
    Bench b = begin(FLOOR("angle: 10 deg"));
    const dew_Liquid *s = b.liquid;
    for (int64_t n = 0; n < dew_liquid_count(s); n++)
        dew_liquid_phi(s)[n] = DEW_LIQUID_BAND * s->grid->cell_m;
    assert_ok(dew_liquid_impose_angle(b.liquid, 0, &b.scratch));
    for (int64_t n = 0; n < dew_liquid_count(s); n++)
        assert_true(dew_liquid_phi(s)[n] > 0);
    end(&b);
}

static double wetness_at(const dew_Liquid *s, dew_Vec3 p, double time_s, double dries_after_s)
{
    double r = 1 / s->grid->cell_m;
    dew_Vec3 x = dew_scale(r, dew_sub(p, s->grid->origin_m));
    int32_t c[3] = {(int32_t)floor(x.x), (int32_t)floor(x.y), (int32_t)floor(x.z)};
    int32_t brick = dew_grid_find(s->grid, (int32_t[3]){c[0] >> 3, c[1] >> 3, c[2] >> 3});
    assert_true(brick >= 0);
    return dew_liquid_wetness(s, brick, (c[0] & 7) + 8 * ((c[1] & 7) + 8 * (c[2] & 7)), time_s,
                              dries_after_s);
}

// Below the drop it is wet, beside it dry; wetness lasts as long as the material says.
static void walls_remember_what_was_wet(void **state)
{
    (void)state;
    Bench b = begin(FLOOR("advancing: 90 deg, receding: 60 deg, wet_advancing: 60 deg, "
                          "dries_after: 2 s"));
    assert_ok(dew_liquid_record_wetting(b.problem, b.liquid,
                                        &(dew_Instant){.time_s = 1, .poses = b.poses}));
    const dew_Vec3 below = {0.05e-3, -0.05e-3, 0.05e-3}, beside = {1.25e-3, -0.05e-3, 0.05e-3};
    assert_true(wetness_at(b.liquid, below, 1, 2) == 1);
    assert_true(fabs(wetness_at(b.liquid, below, 2, 2) - 0.5) < 1e-12);
    assert_true(wetness_at(b.liquid, below, 3.5, 2) == 0);
    assert_true(wetness_at(b.liquid, beside, 1, 2) == 0);
    end(&b);
}

// ---- the paper's options -----------------------------------------------------------------------

// Curvature beside the floor where a plane meets it at this angle: the lowest and the highest.
static void paper_curvatures(Bench *b, double angle, double low_high[2])
{
    const dew_Liquid *s = b->liquid;
    double *kappa = dew_arena_array(&b->scratch, double, dew_liquid_count(s)), h = s->grid->cell_m;
    assert_non_null(kappa);
    set_plane(s, angle, true);
    assert_ok(dew_levelset_curvature(s->grid, dew_liquid_phi(s), DEW_LIQUID_BAND * h, kappa));
    assert_ok(dew_liquid_paper_curvature(b->liquid, 0, kappa, &b->scratch));
    low_high[0] = (double)INFINITY;
    low_high[1] = -(double)INFINITY;
    for (int32_t k = 0; k < s->grid->brick_count; k++)
        for (int n = 0; n < s->grid->brick_cells; n++) {
            int64_t at = (int64_t)k * s->grid->brick_cells + n;
            dew_Vec3 p = dew_grid_position(s->grid, k, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
            bool is_near = fabs(p.x) < 0.3e-3 && fabs(p.z) < 0.3e-3 && p.y > 0 && p.y < h;
            if (!is_near || fabs(dew_liquid_phi(s)[at]) > h)
                continue;
            low_high[0] = fmin(low_high[0], kappa[at] * h);
            low_high[1] = fmax(low_high[1], kappa[at] * h);
        }
    dew_arena_clear(&b->scratch);
}

// [Wang2005] eq. (10): no pressure between the angles, one that drives the contact line back beyond
// them; a line that moves has the angle of its direction of motion.
static void eq_10_lets_lines_rest(void **state)
{
    (void)state;
    static const char *const options[] = {"pinning: zero-pressure",
                                          "pinning: zero-pressure, contact: stencil"};
    for (int k = 0; k < 2; k++) {
        char text[1024];
        double at[2];
        snprintf(text, sizeof text, "%svolume: {%s}\n",
                 FLOOR("advancing: 110 deg, receding: 70 deg"), options[k]);
        Bench b = begin(text);
        paper_curvatures(&b, DEW_DEG(90), at);
        assert_true(at[0] == 0 && at[1] == 0);
        paper_curvatures(&b, DEW_DEG(60), at);
        assert_true(at[0] > 0.05);
        paper_curvatures(&b, DEW_DEG(120), at);
        assert_true(at[1] < -0.05);
        double *u = dew_grid_f64(b.liquid->grid, b.liquid->u[0]);
        for (int64_t n = 0; n < dew_liquid_count(b.liquid); n++)
            u[n] = 0.1;
        paper_curvatures(&b, DEW_DEG(90), at);
        assert_true(at[0] > 0.05);
        end(&b);
    }
}

// The stencil on the floor: a plane at the stable angle has no curvature.
static void stencils_keep_the_angle(void **state)
{
    (void)state;
    for (int k = 60; k <= 120; k += 30) {
        char text[1024];
        double at[2];
        snprintf(text, sizeof text,
                 BOX("0.1 mm") "materials: {w: {angle: %d deg}}\n"
                               "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], "
                               "material: w}]\n"
                               "drops: [{shape: box, min: [-1 mm, -1 mm, -1 mm], "
                               "max: [1 mm, 1 mm, 1 mm]}]\n"
                               "volume: {contact: stencil, pressure: first-order}\n",
                 k);
        Bench b = begin(text);
        paper_curvatures(&b, DEW_DEG(k), at);
        assert_true(fabs(at[0]) < 1e-9 && fabs(at[1]) < 1e-9);
        end(&b);
    }
}

// A bound on the receding tension: with none allowed, a plane below the receding angle goes on as
// it is.
static void receding_tension_is_bounded(void **state)
{
    (void)state;
    static const char *const scenes[] = {FLOOR("angle: 90 deg, max_receding_tension: 0 N/m"),
                                         FLOOR("angle: 90 deg")};
    for (int k = 0; k < 2; k++) {
        Bench b = begin(scenes[k]);
        set_plane(b.liquid, DEW_DEG(60), true);
        assert_ok(dew_liquid_impose_angle_bound(b.liquid, DEW_LIQUID_RECEDING, 0, &b.scratch));
        double off = difference(b.liquid, DEW_DEG(60));
        assert_true(k == 0 ? off < 1e-3 : off > 0.3);
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caps_show_their_angles),
        cmocka_unit_test(planes_go_on_into_solids),
        cmocka_unit_test(pinned_lines_keep_their_memory),
        cmocka_unit_test(wedges_have_the_angle_of_their_speed),
        cmocka_unit_test(receding_lines_have_a_largest_speed),
        cmocka_unit_test(resting_lines_do_not_know_the_law),
        cmocka_unit_test(dry_walls_stay_dry),
        cmocka_unit_test(walls_remember_what_was_wet),
        cmocka_unit_test(eq_10_lets_lines_rest),
        cmocka_unit_test(stencils_keep_the_angle),
        cmocka_unit_test(receding_tension_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
