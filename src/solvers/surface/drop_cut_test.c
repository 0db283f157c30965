// A plug at a nozzle, cut below it: what is left is closed, and its volume is what the cut leaves.
#include "solvers/surface/drop_cut.h"

#include "solvers/surface/cap_mesh.h"
#include "solvers/surface/drop_testing.h"

#include "geom/mesh_audit.h"

/// A cylinder of radius 1 mm and height 2 mm with rings a fifth of a millimetre apart, held at its
/// top.
static void load_column(dew_TestDrop *t, dew_Arena *arena)
{
    enum { LEVELS = 10, AROUND = 24 };
    int64_t n = (LEVELS + 1) * AROUND + 2, count = 2 * AROUND * (LEVELS + 1);
    dew_Vec3 *x = dew_arena_array(arena, dew_Vec3, n);
    dew_Triangle *tri = dew_arena_array(arena, dew_Triangle, count), *next = tri;
    uint8_t *label = dew_arena_array(arena, uint8_t, n);
    assert_non_null(x);
    assert_non_null(tri);
    assert_non_null(label);
    uint32_t top = (uint32_t)n - 2, bottom = (uint32_t)n - 1;
    for (uint32_t k = 0; k <= LEVELS; k++)
        for (uint32_t j = 0; j < AROUND; j++) {
            double angle = 2 * DEW_PI * j / AROUND;
            uint32_t a = k * AROUND + j, b = k * AROUND + (j + 1) % AROUND;
            x[a] = dew_vec(1e-3 * cos(angle), 10e-3 - 2e-4 * k, 1e-3 * sin(angle));
            if (k == 0) {
                label[a] = DEW_LABEL_NOZZLE | DEW_LABEL_TOUCHING | DEW_LABEL_CONTACT_LINE;
                *next++ = (dew_Triangle){{top, b, a}};
            }
            if (k == LEVELS)
                *next++ = (dew_Triangle){{a, b, bottom}};
            if (k < LEVELS) {
                *next++ = (dew_Triangle){{a, b, a + AROUND}};
                *next++ = (dew_Triangle){{b, b + AROUND, a + AROUND}};
            }
        }
    x[top] = dew_vec(0, 10e-3, 0);
    x[bottom] = dew_vec(0, 8e-3, 0);
    label[top] = DEW_LABEL_NOZZLE | DEW_LABEL_TOUCHING;
    dew_DropView view = {.counts = {.inflow = DEW_INVALID, .vertex_count = n},
                         .positions = x,
                         .labels = label,
                         .triangles = tri};
    view.counts.triangle_count = next - tri;
    assert_int_equal(view.counts.triangle_count, count);
    view.values.volume_m3 = 12 * sin(2 * DEW_PI / 24) * 2e-9;  // of the prism
    assert_ok(dew_drop_work_load(&t->work, &t->params, &view));
    assert_ok(dew_drop_connect(&t->work));
    assert_true(fabs(dew_drop_volume(&t->work) / view.values.volume_m3 - 1) < 1e-12);
}

static void audit(const dew_DropWork *work)
{
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_array_copy(&mesh.positions, &work->positions));
    assert_ok(dew_array_copy(&mesh.triangles, &work->triangles));
    dew_MeshAudit found;
    assert_ok(dew_mesh_audit(&mesh, NULL, &found));
    assert_true(dew_mesh_audit_is_clean(&found));
    dew_mesh_deinit(&mesh);
}

static void cut_below(double y_m, double want_m3)
{
    dew_TestDrop t;
    test_drop_open(&t, "{}");
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    load_column(&t, &arena);
    double whole = t.work.values.volume_m3;
    uint8_t *gone = dew_arena_array(&arena, uint8_t, t.work.n);
    assert_non_null(gone);
    for (int64_t i = 0; i < t.work.n; i++)
        gone[i] = t.work.x[i].y < y_m;
    assert_ok(dew_drop_cut_off(&t.work, gone, &arena));
    audit(&t.work);
    assert_true(fabs(t.work.values.volume_m3 / (want_m3 * whole) - 1) < 1e-12);
    assert_true(fabs(dew_drop_volume(&t.work) / t.work.values.volume_m3 - 1) < 1e-12);
    dew_arena_deinit(&arena);
    test_drop_close(&t);
}

static void what_is_left_is_closed(void **state)
{
    (void)state;
    cut_below(9.1e-3, 0.4);  // the rings from 10 to 9.2 mm stay
    cut_below(9.9e-3, 1.0);  // nothing but the disk would be left: not cut
    cut_below(1e-3, 1.0);    // nothing is gone
}

/// A band in the middle is gone: what lies beyond it goes too.
static void what_does_not_hang_goes(void **state)
{
    (void)state;
    dew_TestDrop t;
    test_drop_open(&t, "{}");
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    load_column(&t, &arena);
    double whole = t.work.values.volume_m3;
    uint8_t *gone = dew_arena_array(&arena, uint8_t, t.work.n);
    assert_non_null(gone);
    for (int64_t i = 0; i < t.work.n; i++)
        gone[i] = t.work.x[i].y < 9.1e-3 && t.work.x[i].y > 8.7e-3;
    assert_ok(dew_drop_cut_off(&t.work, gone, &arena));
    audit(&t.work);
    assert_true(fabs(t.work.values.volume_m3 / (0.4 * whole) - 1) < 1e-12);
    dew_arena_deinit(&arena);
    test_drop_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_is_closed),
        cmocka_unit_test(what_does_not_hang_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
