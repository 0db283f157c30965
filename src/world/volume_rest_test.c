// Drops of water that are put on walls in the shape that they should have, in one layer without
// gravity: they stay at rest wherever the wall, or its edge, is between the cells. Allowed is what
// the design allows a grid twice as fine.
#include "world/made_testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Rest {
    double angle_deg, tilt_deg;
    double offset;  // of the wall, cells
    double time_s, allowed_m_s;
} Rest;

static double fastest(const Rest *r)
{
    const double cells = 8, radius = 1e-3, h = radius / cells;
    double angle = DEW_DEG(r->angle_deg), t = DEW_DEG(r->tilt_deg), y = r->offset * h;
    double circle = radius * sqrt(DEW_PI / (angle - sin(angle) * cos(angle)));
    double nx = -sin(t), ny = cos(t), up = -circle * cos(angle);
    char text[1500];
    snprintf(text, sizeof text,
             "solver: volume\ndimensions: 2\nduration: 1 s\ngravity: [0, 0, 0]\n"
             "domain: {min: [%.12g, %.12g, -1 mm], max: [%.12g, %.12g, 1 mm], cell: %.12g}\n"
             "liquid: {density: 998.2, viscosity: 1.002e-3, surface_tension: 72.8e-3}\n"
             "materials: {wall: {angle: %g deg}}\n"
             "solids: [{shape: plane, point: [0, %.12g, 0], normal: [%.12g, %.12g, 0], "
             "material: wall}]\n"
             "drops: [{shape: sphere, center: [%.12g, %.12g, 0], radius: %.12g}]\n",
             -64 * h, -64 * h, 64 * h, 64 * h, h, r->angle_deg, y, nx, ny, nx * up, y + ny * up,
             circle);
    Made made = make(text, 1, NULL);
    assert_ok(dew_world_step_to(made.world, r->time_s));
    dew_Stats stats;
    dew_world_stats(made.world, &stats);
    assert_int_equal(stats.drops, 1);
    destroy(&made);
    return stats.max_speed_m_s;
}

// The last cell of a wedge of 30 degrees touches its drop at a corner, in the wall: it is no piece
// of its own, to be taken away as too small.
static void wedges_end_in_cells_of_their_drop(void **state)
{
    (void)state;
    static const Rest rests[] = {{30, 33, 0.77, 4e-3, 0.015}, {30, 33, 0.6, 4e-3, 0.015}};
    for (int k = 0; k < 2; k++)
        assert_true(fastest(&rests[k]) < rests[k].allowed_m_s);
}

// Lines do not feed waves, and at 150 degrees the curvature beside them is even.
static void lines_at_rest_do_not_stir(void **state)
{
    (void)state;
    static const Rest rests[] = {{150, 0, 0.9, 10e-3, 0.006}, {150, 20, 0, 10e-3, 0.015}};
    for (int k = 0; k < 2; k++)
        assert_true(fastest(&rests[k]) < rests[k].allowed_m_s);
}

// A drop that covers a table 2 mm wide and meets its top at 100 degrees, where its material has 60:
// the edges hold it at any angle from 60 to 150 (Gibbs).
static void edges_hold_lines(void **state)
{
    (void)state;
    static const double offsets[2][2] = {{0.3, 0.3}, {0.02, 0.55}};
    const double h = 1e-3 / 8, a = DEW_DEG(100), r = 1e-3 / sin(a), up = -r * cos(a);
    const double t = DEW_DEG(20), nx = -sin(t), ny = cos(t);
    for (int k = 0; k < 2; k++) {
        double x = offsets[k][0] * h, y = offsets[k][1] * h;
        char text[1500];
        snprintf(text, sizeof text,
                 "solver: volume\ndimensions: 2\nduration: 1 s\ngravity: [0, 0, 0]\n"
                 "domain: {min: [-4 mm, -4 mm, -1 mm], max: [4 mm, 4 mm, 1 mm], cell: %.12g}\n"
                 "liquid: {density: 998.2, viscosity: 20 mPa s, surface_tension: 72.8e-3}\n"
                 "materials: {w: {angle: 60 deg}}\n"
                 "solids: [{shape: box, center: [%.12g, %.12g, 0], size: [2 mm, 2 mm, 9 mm], "
                 "rotate: {axis: [0, 0, 1], angle: 20 deg}, material: w}]\n"
                 "drops: [{shape: sphere, center: [%.12g, %.12g, 0], radius: %.12g}]\n",
                 h, x - nx * 1e-3, y - ny * 1e-3, x + nx * up, y + ny * up, r);
        Made made = make(text, 1, NULL);
        assert_ok(dew_world_step_to(made.world, 0.03));
        dew_Stats stats;
        dew_world_stats(made.world, &stats);
        destroy(&made);
        assert_true(stats.max_speed_m_s < 0.015);
        assert_true(fabs(stats.contact_area_m2 / h - 2e-3) < 2 * h);  // a cell at each edge
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wedges_end_in_cells_of_their_drop),
        cmocka_unit_test(lines_at_rest_do_not_stir),
        cmocka_unit_test(edges_hold_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
