// Films: shape of the transition layer, return mapping on a face, friction, islands.
#include "solvers/shallow/films/thin_film.h"

#include "base/testing.h"
#include "dew/wetting.h"
#include "wetting/contact_angle.h"

#include <string.h>

// A surface that follows sigma cos(alpha) + W = sigma from the edge leaves the layer at the angle
// asked for, after the width asked for; the wedge continues it.
static void the_transition_layer_has_the_wanted_width(void **state)
{
    (void)state;
    const double wanted = 0.4e-3;
    for (int degrees = 10; degrees <= 70; degrees += 20) {
        double c = cos(DEW_DEG(degrees)), layer_m = dew_film_layer_height_m(c, wanted), width = 0;
        double steepness = dew_film_steepness(c), end = 0;  // end: where the wedge is
        const int parts = 200000;  // of D, with the midpoint in sqrt(D), where the slope begins
        for (int i = 0; i < parts; i++) {
            double t = (i + 0.5) / parts, depth = layer_m * t * t;
            double slope_cos = 1 - (1 - c) * dew_film_wet(depth, layer_m);
            width += 2 * t * layer_m / parts / tan(acos(slope_cos));
            if (dew_film_wedge_m(depth, layer_m, steepness) < 0)
                end = width;
        }
        assert_true(fabs(width / wanted - 1) < 2e-3);
        // The wedge of the angle itself: it ends d / tan(angle) before the inner end of the layer.
        assert_true(fabs(width - end - layer_m * c / sqrt(1 - c * c)) < 0.02 * width);
        assert_true(fabs(dew_film_wedge_m(layer_m, layer_m, steepness) / layer_m - 1) < 1e-12);
        assert_true(dew_film_wedge_m(2 * layer_m, layer_m, steepness) == 2 * layer_m);
        assert_true(dew_film_wedge_m(0, layer_m, steepness) < -0.5 * layer_m);
        double d = 1e-6 * layer_m;  // and its slope is that of the depth where the layer ends
        assert_true(fabs((layer_m - dew_film_wedge_m(layer_m - d, layer_m, steepness)) / d - 1) <
                    1e-3);
    }
}

static void wet_slope_is_the_derivative(void **state)
{
    (void)state;
    for (double s = 0.05; s < 1.5; s += 0.1) {
        double d = 1e-6, slope = (dew_film_wet(s + d, 1) - dew_film_wet(s - d, 1)) / (2 * d);
        assert_true(fabs(slope - dew_film_wet_slope(s, 1)) < 1e-6);
    }
}

// The face's mapping is the shared one: a pull on the contact line, per omega, is what the solid
// must answer.
static void a_face_yields_as_the_shared_model_says(void **state)
{
    (void)state;
    const dew_AngleInterval interval = {DEW_DEG(40), DEW_DEG(65)};
    const double sigma = 0.07, cr = cos(interval.receding_rad), ca = cos(interval.advancing_rad);
    for (int k = 0; k < 41; k++) {
        double trial = -0.2 + 0.035 * k;  // cosine that would hold the face
        for (int side = -1; side <= 1; side += 2) {
            double omega = side * 3.0, f0 = (trial - 1) * omega;
            // Outward is against omega; the liquid's own pull outward is -sigma cos(trial).
            dew_ContactReturn want =
                dew_contact_return_force(interval, sigma, (double)INFINITY, -sigma * trial);
            double got = dew_film_yield(f0, omega, cr, ca, (double)INFINITY);
            assert_true(fabs(got + omega * want.force_N_m / sigma) < 1e-12);
        }
    }
    assert_true(fabs(dew_film_yield(5, 1, cr, ca, 0.25) - 0.25) < 1e-12);  // receding, bounded
}

// The friction of a column is that of a wedge as steep as its surface: what the law of the moving
// line takes between two distances from the line, which lubrication theory has as 3 mu / tan(theta)
// for small angles only.
static void friction_is_that_of_the_wedge(void **state)
{
    (void)state;
    dew_LineLaw law = {.kind = DEW_ANGLE_COX_VOINOV,
                       .viscosity_Pa_s = 1,
                       .surface_tension_N_m = 1,
                       .slip_length_m = 1};
    for (int degrees = 1; degrees <= 75; degrees++) {
        double theta = DEW_DEG(degrees), drag = dew_line_angle(&law, theta, 0, exp(1)).drag_Pa_s;
        assert_true(fabs(dew_film_wedge_drag(tan(theta)) * 3 / tan(theta) / drag - 1) < 1e-4);
    }
    assert_true(dew_film_wedge_drag(0) == 1);
    assert_true(dew_film_wedge_drag(1e9) == dew_film_wedge_drag(tan(DEW_DEG(75))));
}

#define COLUMNS 23
#define ROWS    17

static dew_ShallowGrid small_grid(void)
{
    dew_ShallowGrid g = {.columns = COLUMNS, .rows = ROWS, .stride = 32, .has_z = true};
    g.count = (int64_t)g.stride * (ROWS + 2 * DEW_SHALLOW_GHOST);
    g.dx_m = g.dz_m = 1;
    return g;
}

static bool is_active(const dew_ShallowGrid *g, const double *depth, int i, int k)
{
    int64_t n = dew_shallow_at(g, i, k);
    return depth[n] > 0 || depth[n - 1] > 0 || depth[n + 1] > 0 || depth[n - g->stride] > 0 ||
           depth[n + g->stride] > 0;
}

// Cells of one island get one number, by flooding from cell to cell until nothing changes.
static void flood(const dew_ShallowGrid *g, const double *depth, int label[ROWS][COLUMNS])
{
    bool has_changed = true;
    for (int k = 0; k < ROWS; k++)
        for (int i = 0; i < COLUMNS; i++)
            label[k][i] = is_active(g, depth, i, k) ? k * COLUMNS + i : -1;
    while (has_changed) {
        has_changed = false;
        for (int k = 0; k < ROWS; k++) {
            for (int i = 0; i < COLUMNS; i++) {
                const int around[4][2] = {{i - 1, k}, {i + 1, k}, {i, k - 1}, {i, k + 1}};
                for (int q = 0; q < 4 && label[k][i] >= 0; q++) {
                    int x = around[q][0], z = around[q][1];
                    if (x < 0 || z < 0 || x >= COLUMNS || z >= ROWS || label[z][x] < 0)
                        continue;
                    if (label[z][x] < label[k][i]) {
                        label[k][i] = label[z][x];
                        has_changed = true;
                    }
                }
            }
        }
    }
}

static void compare_islands(const dew_ShallowGrid *g, const double *depth, const double *layer_m,
                            dew_Arena *arena)
{
    int label[ROWS][COLUMNS];
    dew_FilmIslands found;
    int64_t cells = 0;
    int32_t count = 0;
    flood(g, depth, label);
    assert_int_equal(dew_film_find_islands(NULL, g, depth, layer_m, arena, &found).code, DEW_OK);
    for (int32_t k = 0; k < found.island_count; k++) {
        const dew_FilmIsland *island = &found.island[k];
        dew_FilmRun first = found.runs[island->first_run];
        int want = label[first.row][first.begin];
        assert_int_equal(want, first.row * COLUMNS + first.begin);
        for (int32_t r = 0; r < island->run_count; r++) {
            dew_FilmRun run = found.runs[island->first_run + r];
            assert_in_range(run.row, island->min_z, island->max_z);
            for (int i = run.begin; i < run.end; i++, cells++) {
                assert_int_equal(label[run.row][i], want);
                assert_in_range(i, island->min_x, island->max_x);
            }
        }
    }
    for (int k = 0; k < ROWS; k++) {
        for (int i = 0; i < COLUMNS; i++) {
            cells -= label[k][i] >= 0;
            count += label[k][i] == k * COLUMNS + i;
        }
    }
    assert_int_equal(cells, 0);
    assert_int_equal(count, found.island_count);
}

static void islands_are_what_is_connected(void **state)
{
    (void)state;
    dew_ShallowGrid g = small_grid();
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    double *depth = dew_arena_array(&arena, double, g.count);
    double *layer_m = dew_arena_array(&arena, double, g.count);
    uint32_t seed = 7;
    for (int64_t n = 0; n < g.count; n++)
        layer_m[n] = 1;
    for (int trial = 0; trial < 60; trial++) {
        dew_ArenaMark mark = dew_arena_mark(&arena);
        for (int k = 0; k < ROWS; k++) {
            for (int i = 0; i < COLUMNS; i++) {
                seed = seed * 1664525u + 1013904223u;
                depth[dew_shallow_at(&g, i, k)] = (int)(seed >> 24) < 3 * trial ? 1 : 0;
            }
        }
        compare_islands(&g, depth, layer_m, &arena);
        dew_arena_rewind(&arena, mark);
    }
    dew_arena_deinit(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_transition_layer_has_the_wanted_width),
        cmocka_unit_test(wet_slope_is_the_derivative),
        cmocka_unit_test(a_face_yields_as_the_shared_model_says),
        cmocka_unit_test(friction_is_that_of_the_wedge),
        cmocka_unit_test(islands_are_what_is_connected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
