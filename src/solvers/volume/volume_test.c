// The solver's parts against what geometry says: volumes cut by walls, tension of a ball, targets
// of drops that meet, and one step of everything. Contact angles have volume_contact_test.c.
#include "solvers/volume/volume_testing.h"

// ---- volumes -----------------------------------------------------------------------------------

static void a_poured_ball_has_its_volume(void **state)
{
    (void)state;
    Bench b = begin(BOX("0.125 mm") "drops: [{shape: sphere, center: [0.01 mm, 0.03 mm, 0], "
                                    "radius: 1 mm, velocity: [0.1, 0, 0]}]\n");
    dew_Measure m;
    ops->measure(b.problem, b.state, now(&b), &m);
    double ball = 4.0 / 3 * DEW_PI * 1e-9;
    assert_true(fabs(m.volume_m3 / ball - 1) < 1e-4);
    assert_true(fabs(m.area_m2 / (4 * DEW_PI * 1e-6) - 1) < 5e-3);
    assert_true(fabs(m.top_m - 1.03e-3) < 2e-6);
    assert_true(fabs(m.velocity_m_s.x - 0.1) < 1e-9);
    assert_int_equal(m.drops, 1);
    assert_true(isnan(m.contact_angle_rad));
    end(&b);
}

// A wall through the ball's middle, at any angle to the cells, leaves half of it; the angle is a
// right one.
static void walls_cut_the_liquid(void **state)
{
    (void)state;
    static const double tilts[] = {0, 0.35};
    for (int k = 0; k < 2; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 BOX("0.1 mm") "materials: {w: {angle: 90 deg}}\n"
                               "solids: [{shape: plane, point: [0, 0, 0], normal: [%g, %g, 0], "
                               "material: w}]\n"
                               "drops: [{shape: sphere, center: [0, 0, 0], radius: 1 mm}]\n",
                 sin(tilts[k]), cos(tilts[k]));
        Bench b = begin(text);
        dew_Measure m;
        ops->measure(b.problem, b.state, now(&b), &m);
        double half = 2.0 / 3 * DEW_PI * 1e-9;
        assert_true(fabs(m.volume_m3 / half - 1) < 2e-3);
        assert_true(fabs(m.area_m2 / (2 * DEW_PI * 1e-6) - 1) < 2e-2);
        assert_true(fabs(m.contact_area_m2 / (DEW_PI * 1e-6) - 1) < 3e-2);
        assert_true(fabs(m.contact_angle_rad - DEW_DEG(90)) < DEW_DEG(1));
        end(&b);
    }
}

// ---- tension -----------------------------------------------------------------------------------

static void a_ball_has_laplace_pressure(void **state)
{
    (void)state;
    Bench b = begin(BOX("0.1 mm") "liquid: {density: 1000, viscosity: 0, surface_tension: 0.05}\n"
                                  "drops: [{shape: sphere, center: [0.02 mm, 0.03 mm, 0], "
                                  "radius: 1 mm}]\n");
    int64_t count = dew_liquid_count(b.liquid);
    double *p = dew_arena_array(&b.scratch, double, count), low = 1e9, high = 0;
    assert_non_null(p);
    assert_ok(dew_liquid_surface_tension(b.liquid, 0, 1e-4, p, &b.scratch));
    for (int64_t n = 0; n < count; n++)
        if (fabs(dew_liquid_phi(b.liquid)[n]) < b.liquid->grid->cell_m) {
            low = fmin(low, p[n]);
            high = fmax(high, p[n]);
        }
    assert_true(fabs(low / 100 - 1) < 0.02 && fabs(high / 100 - 1) < 0.02);
    end(&b);
}

// Shortest waves on a ball: what longer steps leave of their tension is a part of it, never its
// opposite, however many sweeps the filter makes, and never nothing.
static void tension_of_short_waves_is_eased_not_turned(void **state)
{
    (void)state;
    Bench b = begin(BOX("0.2 mm") "drops: [{shape: sphere, center: [0.01 mm, 0.05 mm, 0.03 mm], "
                                  "radius: 1 mm}]\n");
    dew_Liquid *s = b.liquid;
    double *phi = dew_liquid_phi(s), h = s->grid->cell_m;
    double limit_s = sqrt(s->params.rho_kg_m3 * h * h * h / (2 * DEW_PI * s->params.sigma_N_m));
    int64_t count = dew_liquid_count(s);
    for (int64_t i = 0; i < count; i++)
        phi[i] += ((i ^ i >> 3 ^ i >> 6) & 1 ? 0.02 : -0.02) * h;
    double *free_Pa = dew_arena_array(&b.scratch, double, count);
    double *eased_Pa = dew_arena_array(&b.scratch, double, count);
    assert_non_null(free_Pa);
    assert_non_null(eased_Pa);
    assert_ok(dew_liquid_surface_tension(s, 0, 0, free_Pa, &b.scratch));
    for (int tenths = 10; tenths < 40; tenths++) {
        double factor = 0.1 * tenths, beta = 1 / (2 * factor * factor), both = 0, own = 0;
        memset(eased_Pa, 0, (size_t)count * sizeof *eased_Pa);
        assert_ok(dew_liquid_surface_tension(s, 0, factor * limit_s, eased_Pa, &b.scratch));
        for (int64_t i = 0; i < count; i++) {
            double ball_Pa = free_Pa[i] == 0 ? 0 : 2 * s->params.sigma_N_m / 1e-3;
            both += (free_Pa[i] - ball_Pa) * (eased_Pa[i] - ball_Pa);
            own += (free_Pa[i] - ball_Pa) * (free_Pa[i] - ball_Pa);
        }
        assert_true(both > beta * own);
        assert_true(both < own);
    }
    end(&b);
}

// ---- drops -------------------------------------------------------------------------------------

static void targets_add_up_when_drops_meet(void **state)
{
    (void)state;
    Bench b =
        begin(BOX("0.1 mm") "drops: [{shape: sphere, center: [-0.7 mm, 0, 0], radius: 0.5 mm}, "
                            "{shape: sphere, center: [0.7 mm, 0, 0], radius: 0.6 mm}]\n");
    assert_int_equal(b.liquid->drops.count, 2);
    double *targets = DEW_ITEMS(&b.liquid->targets, double);
    double sum = targets[0] + targets[1];
    assert_true(fabs(sum / (4.0 / 3 * DEW_PI * (0.125e-9 + 0.216e-9)) - 1) < 1e-3);
    // A bridge, which takes nothing from anywhere.
    double *phi = dew_liquid_phi(b.liquid);
    for (int32_t k = 0; k < b.liquid->grid->brick_count; k++)
        for (int n = 0; n < b.liquid->grid->brick_cells; n++) {
            dew_Vec3 x =
                dew_grid_position(b.liquid->grid, k, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
            double *at = &phi[(int64_t)k * b.liquid->grid->brick_cells + n];
            if (fabs(x.x) < 0.7e-3)
                *at = fmin(*at, hypot(x.y, x.z) - 0.15e-3);
        }
    assert_ok(dew_liquid_label_drops(b.liquid, false, &b.scratch));
    assert_int_equal(b.liquid->drops.count, 1);
    double target = DEW_ITEMS(&b.liquid->targets, double)[0];
    assert_true(fabs(target / sum - 1) < 1e-12);
    assert_true(DEW_ITEMS(&b.liquid->drops, dew_LiquidDrop)[0].volume_m3 > 1.01 * sum);
    end(&b);
}

// A drop of a few cells that cannot be brought to its volume goes on as a sub-grid droplet that has
// it, when that counts in the whole; one that is larger stays.
static void small_drops_that_miss_their_volume_become_motes(void **state)
{
    (void)state;
    Bench b = begin(BOX("0.1 mm") "drops: [{shape: sphere, center: [0, -1 mm, 0], radius: 0.3 mm}, "
                                  "{shape: sphere, center: [0, 0.3 mm, 0], radius: 0.15 mm}]\n");
    double *targets = DEW_ITEMS(&b.liquid->targets, double);
    for (int d = 0; d < 2; d++)
        targets[d] *= 1.1;
    double sum = targets[0] + targets[1];
    assert_ok(dew_liquid_convert_unresolved(b.liquid, &b.scratch));
    assert_int_equal(b.liquid->drops.count, 1);
    assert_int_equal(b.liquid->droplets.count, 1);
    dew_SubgridDroplet droplet = DEW_ITEMS(&b.liquid->droplets, dew_SubgridDroplet)[0];
    assert_true(dew_distance(droplet.position_m, dew_vec(0, 0.3e-3, 0)) < 1e-5);
    assert_true(fabs((DEW_ITEMS(&b.liquid->targets, double)[0] + droplet.volume_m3) / sum - 1) <
                1e-12);
    assert_ok(dew_liquid_label_drops(b.liquid, false, &b.scratch));  // phi shows it no more
    assert_int_equal(b.liquid->drops.count, 1);
    assert_int_equal(b.liquid->droplets.count, 1);
    end(&b);
}

// So does a film on a wall, of however many cells, but not when it misses little.
static void films_that_miss_their_volume_become_motes(void **state)
{
    (void)state;
    Bench b =
        begin(BOX("0.1 mm") "materials: {m: {angle: 10 deg}}\n"
                            "solids: [{shape: plane, point: [0, 0.03 mm, 0], normal: [0, 1, 0], "
                            "material: m}]\ndrops: [{shape: box, min: [-0.6 mm, -1 mm, -0.6 mm], "
                            "max: [0.6 mm, 0.07 mm, 0.6 mm]}]\n");
    double *targets = DEW_ITEMS(&b.liquid->targets, double), all = targets[0] * 1.003;
    assert_true(DEW_ITEMS(&b.liquid->drops, dew_LiquidDrop)[0].cell_count > 100);
    targets[0] = all;
    assert_ok(dew_liquid_convert_unresolved(b.liquid, &b.scratch));
    assert_int_equal(b.liquid->droplets.count, 0);
    targets[0] = all *= 1.02;
    assert_ok(dew_liquid_convert_unresolved(b.liquid, &b.scratch));
    assert_int_equal(b.liquid->drops.count, 0);
    assert_true(fabs(dew_liquid_droplets_m3(b.liquid) / all - 1) < 1e-12);
    end(&b);
}

// A piece that the grid loses goes on as a sub-grid droplet, falls, and rejoins what it meets;
// nothing is lost.
static void lost_pieces_stay_in_the_account(void **state)
{
    (void)state;
    Bench b = begin(BOX("0.1 mm") "drops: [{shape: sphere, center: [0, -1 mm, 0], radius: 0.6 mm}, "
                                  "{shape: sphere, center: [0, 0.3 mm, 0], radius: 0.12 mm}]\n");
    const double *targets = DEW_ITEMS(&b.liquid->targets, double);
    double sum = targets[0] + targets[1];
    double *phi = dew_liquid_phi(b.liquid);
    for (int32_t k = 0; k < b.liquid->grid->brick_count; k++)
        for (int n = 0; n < b.liquid->grid->brick_cells; n++)
            if (dew_grid_position(b.liquid->grid, k, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL).y > 0)
                phi[(int64_t)k * b.liquid->grid->brick_cells + n] = 0.5e-3;
    assert_ok(dew_liquid_label_drops(b.liquid, false, &b.scratch));
    assert_int_equal(b.liquid->drops.count, 1);
    assert_int_equal(b.liquid->droplets.count, 1);
    dew_SubgridDroplet droplet = DEW_ITEMS(&b.liquid->droplets, dew_SubgridDroplet)[0];
    assert_true(dew_distance(droplet.position_m, dew_vec(0, 0.3e-3, 0)) < 1e-5);
    dew_Measure m;
    ops->measure(b.problem, b.state, now(&b), &m);
    assert_true(fabs(m.volume_m3 / sum - 1) < 1e-3);
    // 0.6 mm to fall at 9.81 m/s^2: 11 ms, and a little less for its own size.
    double time_s = 0;
    b.instant.gravity_m_s2 = dew_vec(0, -9.81, 0);
    while (b.liquid->droplets.count > 0 && time_s < 0.02) {
        dew_Step step = {.instant = now(&b), .instant_old = now(&b), .dt_s = 1e-4};
        assert_ok(dew_liquid_move_droplets(b.problem, b.liquid, &step));
        time_s += step.dt_s;
    }
    assert_true(time_s > 8e-3 && time_s < 11.2e-3);
    assert_true(fabs(DEW_ITEMS(&b.liquid->targets, double)[0] / sum - 1) < 1e-12);
    end(&b);
}

// What is in a sink goes, and is accounted for.
static void sinks_take_what_enters(void **state)
{
    (void)state;
    Bench b = begin(BOX("0.1 mm") "drops: [{shape: sphere, center: [0, 0, 0], radius: 0.8 mm}]\n"
                                  "sinks: [{shape: box, min: [0, -2 mm, -2 mm], max: [2 mm, 2 mm, "
                                  "2 mm]}]\n");
    dew_Measure before, after;
    ops->measure(b.problem, b.state, now(&b), &before);
    dew_Step step = {.instant = now(&b), .scratch = &b.scratch};
    assert_ok(dew_liquid_remove_outflow(b.problem, b.liquid, &step));
    ops->measure(b.problem, b.state, now(&b), &after);
    assert_true(fabs(step.removed_m3 / (2.0 / 3 * DEW_PI * 0.512e-9) - 1) < 0.01);
    assert_true(fabs(after.volume_m3 + step.removed_m3 - before.volume_m3) < 1e-15);
    assert_true(fabs(DEW_ITEMS(&b.liquid->targets, double)[0] - after.volume_m3) < 1e-15);
    end(&b);
}

// ---- the step ----------------------------------------------------------------------------------

// A ball in free flight keeps shape and speed.
static void a_ball_flies(void **state)
{
    (void)state;
    Bench b = begin(BOX("0.1 mm") "drops: [{shape: sphere, center: [0, 0, 0], radius: 0.6 mm, "
                                  "velocity: [0.3, 0.2, 0]}]\n");
    dew_Measure before, after;
    ops->measure(b.problem, b.state, now(&b), &before);
    double time_s = 0;
    for (int k = 0; k < 6; k++) {
        const char *bound;
        double dt = ops->max_step_s(b.problem, b.state, now(&b), &bound);
        assert_string_equal(bound, "capillary");
        dew_Step step = {.instant = now(&b),
                         .instant_old = now(&b),
                         .dt_s = dt,
                         .index = k,
                         .scratch = &b.scratch};
        assert_ok(ops->step(b.problem, b.state, &step));
        dew_arena_clear(&b.scratch);
        time_s += dt;
    }
    ops->measure(b.problem, b.state, now(&b), &after);
    assert_true(fabs(after.center_m.x - before.center_m.x - 0.3 * time_s) < 2e-3 * 0.3 * time_s);
    assert_true(fabs(after.velocity_m_s.y - 0.2) < 1e-3);
    assert_true(fabs(after.volume_m3 / before.volume_m3 - 1) < 1e-3);
    end(&b);
}

// Steps of the bench on its own clock; the sum of what was added.
static double run(Bench *b, int steps, double *time_s)
{
    double added = 0;
    for (int k = 0; k < steps; k++) {
        dew_SolidPose old[8];
        const char *bound;
        dew_Instant instant_old = b->instant, instant = b->instant;
        double dt = fmin(ops->max_step_s(b->problem, b->state, now(b), &bound), 1e-3);
        memcpy(old, b->poses, sizeof old);
        instant_old.time_s = *time_s;
        instant_old.poses = old;
        *time_s += dt;
        dew_problem_poses(b->problem, *time_s, b->poses);
        instant.time_s = *time_s;
        instant.poses = b->poses;
        dew_Step step = {.instant = &instant,
                         .instant_old = &instant_old,
                         .dt_s = dt,
                         .index = k,
                         .scratch = &b->scratch};
        assert_ok(ops->step(b->problem, b->state, &step));
        dew_arena_clear(&b->scratch);
        added += step.added_m3;
    }
    return added;
}

// ---- sources, wind, walls that move -----------------------------------------------------------

// Without tension and weight a jet is a cylinder that grows at the nozzle's speed: the flow to
// rounding, the speed within what the faces of a disk of eight cells allow, a part of a cell in
// sixteen.
static void a_nozzle_pours_its_flow(void **state)
{
    (void)state;
    Bench b = begin(BOX("0.125 mm") "liquid: {density: 1000, viscosity: 0, surface_tension: 0}\n"
                                    "sources: [{shape: disk, center: [0.02 mm, 1.5 mm, 0.01 mm], "
                                    "normal: [0, -1, 0], radius: 0.5 mm, speed: 0.5}]\n");
    double time_s = 0, added = run(&b, 24, &time_s), area = DEW_PI * 0.25e-6;
    double flow = 0.5 * area * time_s, waiting = DEW_ITEMS(&b.liquid->waiting, double)[0];
    dew_Measure m;
    ops->measure(b.problem, b.state, now(&b), &m);
    assert_true(flow > 5 * area * 0.125e-3);
    assert_true(fabs(added + waiting - flow) < 1e-12 * flow && waiting < 0.01 * flow);
    assert_true(fabs(m.volume_m3 / added - 1) < 3e-3);
    assert_true(fabs(m.velocity_m_s.y / -0.5 - 1) < 1.0 / 16 && fabs(m.velocity_m_s.x) < 0.01);
    assert_true(fabs(m.center_m.y - (1.5e-3 - 0.5 * m.volume_m3 / area)) < 0.02 * 1e-3);
    assert_int_equal(m.drops, 1);
    end(&b);
}

// What condenses is in the drops, or waits.
static void condensation_is_accounted_for(void **state)
{
    (void)state;
    Bench b = begin(FLOOR("angle: 80 deg") "sources: [{shape: condensation, on: floor, rate: "
                                           "200 mm^3/s, sites: 6}]\n");
    dew_Measure before, after;
    double time_s = 0, waiting = 0;
    ops->measure(b.problem, b.state, now(&b), &before);
    double added = run(&b, 16, &time_s);
    ops->measure(b.problem, b.state, now(&b), &after);
    for (int64_t i = 0; i < b.liquid->waiting.count; i++)
        waiting += DEW_ITEMS(&b.liquid->waiting, double)[i];
    assert_true(fabs((added + waiting) / (200e-9 * time_s) - 1) < 1e-12);
    assert_true(added > 0 && fabs((after.volume_m3 - before.volume_m3) / added - 1) < 0.05);
    end(&b);
}

// A ball in the wind is accelerated as its drag coefficient of 0.45 says.
static void wind_drags(void **state)
{
    (void)state;
    Bench b = begin(BOX("0.125 mm") "drops: [{shape: sphere, center: [0, 0, 0], radius: 1 mm}]\n");
    dew_Measure m;
    double time_s = 0, r = 1e-3, wind = 5;
    b.instant.wind_m_s = dew_vec(wind, 0, 0);
    run(&b, 4, &time_s);
    ops->measure(b.problem, b.state, now(&b), &m);
    double force = 0.45 * 0.5 * 1.2 * wind * wind * DEW_PI * r * r;
    double speed = force / (998.2 * 4.0 / 3 * DEW_PI * r * r * r) * time_s;
    assert_true(fabs(m.velocity_m_s.x / speed - 1) < 0.05);
    assert_true(fabs(m.velocity_m_s.y) < 0.01 * speed);
    end(&b);
}

// Liquid between two walls rides on a piston: all of it moves as the piston does, at any angle
// between cells.
static void a_piston_lifts_liquid(void **state)
{
    (void)state;
    Bench b =
        begin("dimensions: 2\n"
              "domain: {min: [-1 mm, -1.5 mm, 0], max: [1 mm, 2 mm, 0.1 mm], cell: 0.1 mm, "
              "walls: {left: wax, right: wax, others: open}}\n"
              "materials: {wax: {angle: 90 deg, slip: inf}}\n"
              "solids: [{shape: box, center: [0, -0.97 mm, 0], size: [3 mm, 1 mm, 3 mm], "
              "velocity: [0, 0.2, 0], material: wax}]\n"
              "drops: [{shape: box, min: [-2 mm, -0.9 mm, -1 mm], max: [2 mm, 0.52 mm, 1 mm], "
              "velocity: [0, 0.2, 0]}]\n");
    dew_Measure before, after;
    double time_s = 0;
    ops->measure(b.problem, b.state, now(&b), &before);
    run(&b, 20, &time_s);
    ops->measure(b.problem, b.state, now(&b), &after);
    double way = 0.2 * time_s;
    assert_true(way > 1e-4);
    assert_true(fabs(after.volume_m3 / before.volume_m3 - 1) < 1e-3);
    assert_true(fabs(after.top_m - before.top_m - way) < 0.01 * way);
    assert_true(fabs(after.center_m.y - before.center_m.y - way) < 0.02 * way);
    assert_true(fabs(after.velocity_m_s.y / 0.2 - 1) < 0.01);
    end(&b);
}

// Gravity and pressure take each other away within a step, beside walls that hold what touches them
// too.
static void a_viscous_pool_rests(void **state)
{
    (void)state;
    Bench b =
        begin("dimensions: 2\n"
              "domain: {min: [-1 mm, -1 mm, -1 mm], max: [1 mm, 1 mm, 1 mm], cell: 0.125 mm,"
              " walls: {left: w, right: w, floor: w, others: open}}\n"
              "liquid: {viscosity: 100 mPa s}\n"
              "materials: {w: {angle: 90 deg}}\n"
              "drops: [{shape: box, min: [-2 mm, -2 mm, -1 mm], max: [2 mm, 0.03 mm, 1 mm]}]\n");
    dew_Measure m;
    double time_s = 0;
    b.instant.gravity_m_s2 = dew_vec(0, -9.81, 0);
    run(&b, 10, &time_s);
    ops->measure(b.problem, b.state, now(&b), &m);
    assert_true(m.volume_m3 > 0);
    assert_true(m.max_speed_m_s < 1e-5);
    end(&b);
}

// ---- walls between the cells -------------------------------------------------------------------

// The largest difference from the circle of radius r around (0, y), in cells, a cell deep in the
// solid and within two of the surface.
static double worst_of_circle(const dew_Liquid *s, double y, double r)
{
    double worst = 0, h = s->grid->cell_m;
    for (int32_t b = 0; b < s->grid->brick_count; b++)
        for (int n = 0; n < s->grid->brick_cells; n++) {
            int64_t at = (int64_t)b * s->grid->brick_cells + n;
            dew_Vec3 p = dew_grid_position(s->grid, b, n & 7, n >> 3 & 7, 0, DEW_AT_CELL);
            double want = hypot(p.x, p.y - y) - r;
            if (dew_liquid_solid(s)[at] < 0 && dew_liquid_solid(s)[at] > -h && fabs(want) < 2 * h)
                worst = fmax(worst, fabs(dew_liquid_phi(s)[at] - want) / h);
        }
    return worst;
}

// Rays of obtuse angles lean out of the bricks that follow the drop, wherever these end.
static void lines_go_on_where_bricks_end(void **state)
{
    (void)state;
    const double h = 0.1e-3, r = 1e-3;
    for (int k = 0; k < 8; k++) {
        char text[700];
        snprintf(text, sizeof text,
                 "dimensions: 2\n"
                 "domain: {min: [%.9g, %.9g, -1 mm], max: [4 mm, 4 mm, 1 mm], cell: %.9g}\n"
                 "liquid: {viscosity: 20 mPa s}\n"
                 "materials: {w: {angle: 120 deg}}\n"
                 "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: w}]\n"
                 "drops: [{shape: sphere, center: [0, %.9g, 0], radius: %.9g}]\n",
                 -4e-3 - k * h, -8.31 * h, h, 0.5 * r, r);
        Bench b = begin(text);
        double time_s = 0;
        run(&b, 2, &time_s);
        assert_true(worst_of_circle(b.liquid, 0.5 * r, r) < 0.2);
        end(&b);
    }
}

// What goes on in the wall at a sharp angle calls for no bricks far from the drop.
static void sharp_angles_stay_near(void **state)
{
    (void)state;
    Bench b =
        begin("dimensions: 2\n"
              "domain: {min: [-8 mm, -1 mm, -1 mm], max: [8 mm, 2.2 mm, 1 mm], cell: 0.1 mm}\n"
              "materials: {w: {angle: 7 deg}}\n"
              "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: w}]\n"
              "drops: [{shape: sphere, center: [0, 0.5 mm, 0], radius: 0.6 mm}]\n");
    double time_s = 0;
    run(&b, 12, &time_s);
    for (int32_t k = 0; k < b.liquid->grid->brick_count; k++)
        assert_true(fabs(dew_grid_position(b.liquid->grid, k, 4, 4, 0, DEW_AT_NODE).x) < 4e-3);
    end(&b);
}

// A quarter of a drop between two mirrors rings as the whole one, wherever they lie between the
// cells: a wall that cuts a cell takes no more of it than it covers, and the angle is held whether
// or not a cell's middle is just above it.
static void mirrors_may_lie_anywhere(void **state)
{
    (void)state;
    static const double offsets[] = {0, 0.3, 0.47, 0.5, 0.53, 0.8};
    const double r = 1e-3, h = r / 8, omega = sqrt(6 * 72.8e-3 / 998.2e-9);
    double aligned_s = 0;
    for (int k = 0; k < 6; k++) {
        char text[900];
        double low = -(8 + offsets[k]) * h, time_s = 0, before = 1, crossed_s[2] = {0};
        snprintf(text, sizeof text,
                 "dimensions: 2\n"
                 "domain: {min: [%.9g, %.9g, -1 mm], max: [%.9g, %.9g, 1 mm], cell: %.9g}\n"
                 "liquid: {density: 998.2, viscosity: 0, surface_tension: 72.8e-3}\n"
                 "materials: {m: {angle: 90 deg, slip: inf}}\n"
                 "solids: [{shape: plane, point: [0, 0, 0], normal: [1, 0, 0], material: m},\n"
                 "  {shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: m}]\n"
                 "drops: [{shape: ellipsoid, center: [0, 0, 0], radii: [%.9g, %.9g, 1 mm]}]\n",
                 low, low, low + 32 * h, low + 32 * h, h, 1.05 * r, r / 1.05);
        Bench b = begin(text);
        for (int crossings = 0; crossings < 2 && time_s * omega < 6;) {
            dew_Measure m;
            double then_s = time_s;
            run(&b, 1, &time_s);
            ops->measure(b.problem, b.state, now(&b), &m);
            double longer = m.center_m.x - m.center_m.y, part = before / (before - longer);
            if (longer * before < 0)
                crossed_s[crossings++] = then_s + (time_s - then_s) * part;
            before = longer;
        }
        double half_s = crossed_s[1] - crossed_s[0];  // a period; R/h = 8 is 1 % slow
        aligned_s = k == 0 ? half_s : aligned_s;
        assert_true(fabs(aligned_s * omega / DEW_PI - 1) < 0.02);
        assert_true(fabs(half_s / aligned_s - 1) < 0.012);
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_poured_ball_has_its_volume),
        cmocka_unit_test(walls_cut_the_liquid),
        cmocka_unit_test(a_ball_has_laplace_pressure),
        cmocka_unit_test(tension_of_short_waves_is_eased_not_turned),
        cmocka_unit_test(targets_add_up_when_drops_meet),
        cmocka_unit_test(small_drops_that_miss_their_volume_become_motes),
        cmocka_unit_test(films_that_miss_their_volume_become_motes),
        cmocka_unit_test(lost_pieces_stay_in_the_account),
        cmocka_unit_test(sinks_take_what_enters),
        cmocka_unit_test(a_ball_flies),
        cmocka_unit_test(a_nozzle_pours_its_flow),
        cmocka_unit_test(condensation_is_accounted_for),
        cmocka_unit_test(wind_drags),
        cmocka_unit_test(a_piston_lifts_liquid),
        cmocka_unit_test(a_viscous_pool_rests),
        cmocka_unit_test(lines_go_on_where_bricks_end),
        cmocka_unit_test(sharp_angles_stay_near),
        cmocka_unit_test(mirrors_may_lie_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
