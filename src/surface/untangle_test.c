// Folded, overlapping and inverted bodies become free of crossings and keep their volume.
#include "surface/untangle.h"

#include "base/torture.h"
#include "geom/mesh_crossings.h"
#include "geom/sample_meshes.h"
#include "surface/step_back.h"

static int64_t crossings(const dew_Surface *surface)
{
    dew_Arena arena;
    dew_Array pairs;
    int64_t n = surface->positions.count;
    dew_arena_init(&arena, NULL);
    dew_array_init(&pairs, NULL, sizeof(dew_TrianglePair));
    dew_Vec3 *x = dew_arena_array(&arena, dew_Vec3, n);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++)
        x[i] = dew_as_written(DEW_ITEMS(&surface->positions, dew_Vec3)[i]);
    dew_CrossingSearch search = {.positions = x,
                                 .triangles = DEW_ITEMS(&surface->triangles, dew_Triangle),
                                 .triangle_count = surface->triangles.count,
                                 .scratch = &arena};
    assert_ok(dew_mesh_crossings(&search, &pairs));
    int64_t count = pairs.count;
    dew_array_deinit(&pairs);
    dew_arena_deinit(&arena);
    return count;
}

static dew_Surface *ball(const dew_Allocator *allocator)
{
    dew_Mesh mesh;
    dew_Surface *surface;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_icosphere(1, 8, &mesh));
    assert_ok(dew_surface_create(allocator, &surface));
    assert_ok(dew_surface_append_mesh(surface, &mesh, dew_vec(0, 0, 0)));
    dew_mesh_deinit(&mesh);
    return surface;
}

// Volume by the divergence theorem, of vertices in [first, end).
static double volume(const dew_Surface *surface, uint32_t first, uint32_t end)
{
    const dew_Vec3 *x = DEW_ITEMS(&surface->positions, dew_Vec3);
    double sum = 0;
    for (int64_t t = 0; t < surface->triangles.count; t++) {
        const uint32_t *v = DEW_ITEMS(&surface->triangles, dew_Triangle)[t].v;
        if (v[0] >= first && v[0] < end)
            sum += dew_inner(x[v[0]], dew_cross(x[v[1]], x[v[2]])) / 6;
    }
    return sum;
}

static void check_untangled(dew_Surface *surface, uint32_t first_end)
{
    uint32_t n = (uint32_t)surface->positions.count;
    double first = volume(surface, 0, first_end), rest = volume(surface, first_end, n);
    int64_t left;
    assert_true(crossings(surface) > 0);
    assert_ok(dew_surface_untangle(surface, NULL, &left));
    assert_int_equal(left, 0);
    assert_int_equal(crossings(surface), 0);
    // As untangle.h promises, and the rounding of the sums here.
    assert_within(volume(surface, 0, first_end), first, 2e-6 * first);
    assert_within(volume(surface, first_end, n), rest, 2e-6 * rest);
    dew_surface_destroy(surface);
}

// A flat drop whose upper side dips under its wet base by less than an edge.
static void a_thin_sheet_gets_its_thickness_back(void **state)
{
    (void)state;
    dew_Surface *surface = ball(NULL);
    dew_Vec3 *x = DEW_ITEMS(&surface->positions, dew_Vec3);
    for (int64_t i = 0; i < surface->positions.count; i++) {
        bool is_wet = x[i].y < 0;
        double r = hypot(x[i].x, x[i].z);
        DEW_ITEMS(&surface->wet, float)[i] = is_wet ? 1 : 0;
        x[i].y = is_wet ? 0 : 0.1 * x[i].y - (r > 0.6 && r < 0.8 ? 0.07 : 0);
    }
    check_untangled(surface, (uint32_t)surface->positions.count);
}

static void folds_are_flattened(void **state)
{
    (void)state;
    dew_Surface *surface = ball(NULL);
    dew_Vec3 *x = DEW_ITEMS(&surface->positions, dew_Vec3);
    dew_Random random = dew_random(3, 0, 0);
    for (int64_t i = 0; i < surface->positions.count; i++)
        x[i] = dew_add(x[i], sample_point(&random, 0.1));
    check_untangled(surface, (uint32_t)surface->positions.count);
}

static double volume_of_all(const dew_Surface *surface)
{
    return volume(surface, 0, (uint32_t)surface->positions.count);
}

// A knot that no small step undoes, and two balls deep in each other: made anew, with their volume.
static void what_is_tangled_is_made_anew(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        dew_Surface *surface = ball(NULL);
        dew_Vec3 *x = DEW_ITEMS(&surface->positions, dew_Vec3);
        dew_Random random = dew_random(5, 0, 0);
        for (int64_t i = 0; kind == 0 && i < surface->positions.count; i++)
            x[i] = dew_add(x[i], sample_point(&random, 0.5));
        if (kind == 1) {
            dew_Mesh mesh;
            dew_mesh_init(&mesh, NULL);
            assert_ok(dew_shape_icosphere(1, 8, &mesh));
            dew_mesh_transform(&mesh, 1, dew_rotation_identity(), dew_vec(0.9, 0.1, 0));
            assert_ok(dew_surface_append_mesh(surface, &mesh, dew_vec(0, 0, 0)));
            dew_mesh_deinit(&mesh);
        }
        double before = volume_of_all(surface);
        int64_t left;
        assert_true(crossings(surface) > 0);
        assert_ok(dew_surface_untangle(surface, NULL, &left));
        assert_int_equal(left, 0);
        assert_int_equal(crossings(surface), 0);
        assert_within(volume_of_all(surface), before, 1e-4 * before);
        assert_ok(dew_surface_finish(surface));
        dew_surface_destroy(surface);
    }
}

// A small ball that reaches into a large one: where small steps part them, but at a loss of volume,
// both are made anew as one; made anew by themselves they would be the same two balls again.
static void balls_that_lose_volume_become_one(void **state)
{
    (void)state;
    for (int k = 0; k <= 24; k++) {
        dew_Surface *surface = ball(NULL);
        dew_Mesh mesh;
        dew_mesh_init(&mesh, NULL);
        assert_ok(dew_shape_icosphere(0.3, 8, &mesh));
        dew_mesh_transform(&mesh, 1, dew_rotation_identity(), dew_vec(0.7 + 0.025 * k, 0.1, 0.05));
        assert_ok(dew_surface_append_mesh(surface, &mesh, dew_vec(0, 0, 0)));
        dew_mesh_deinit(&mesh);
        for (int64_t i = 0; i < surface->positions.count; i++)
            DEW_ITEMS(&surface->wet, float)[i] = 1;  // no dry vertex makes up for the loss
        double before = volume_of_all(surface);
        int64_t left;
        assert_ok(dew_surface_untangle(surface, NULL, &left));
        assert_int_equal(left, 0);
        assert_int_equal(crossings(surface), 0);
        assert_within(volume_of_all(surface), before, 1e-4 * before);
        dew_surface_destroy(surface);
    }
}

static void drops_that_touch_are_parted(void **state)
{
    (void)state;
    dew_Surface *surface = ball(NULL);
    dew_Mesh mesh;
    uint32_t n = (uint32_t)surface->positions.count;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_icosphere(1, 8, &mesh));
    dew_mesh_transform(&mesh, 1, dew_rotation_identity(), dew_vec(1.1, 1.2, 1.1));
    assert_ok(dew_surface_append_mesh(surface, &mesh, dew_vec(0, 0, 0)));
    dew_mesh_deinit(&mesh);
    check_untangled(surface, n);
}

static void what_does_not_cross_stays(void **state)
{
    (void)state;
    dew_Surface *surface = ball(NULL);
    dew_Array before;
    dew_array_init(&before, NULL, sizeof(dew_Vec3));
    assert_ok(dew_array_copy(&before, &surface->positions));
    assert_ok(dew_surface_untangle(surface, NULL, NULL));
    assert_memory_equal(before.data, surface->positions.data,
                        (size_t)before.count * sizeof(dew_Vec3));
    dew_array_deinit(&before);
    dew_surface_destroy(surface);
}

static void no_memory_is_an_error(void **state)
{
    (void)state;
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(-1);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Surface *surface = ball(&allocator);
        dew_Vec3 *x = DEW_ITEMS(&surface->positions, dew_Vec3);
        x[0] = dew_scale(-1.5, x[0]);
        torture.calls = 0;
        torture.fail_at = n;
        torture.keeps_failing = true;
        dew_Status status = dew_surface_untangle(surface, NULL, NULL);
        bool has_failed = torture.calls > n;
        // An arena that cannot join its blocks at the end works without.
        assert_true(status.code == DEW_OK || (has_failed && status.code == DEW_NO_MEMORY));
        dew_surface_destroy(surface);
        assert_int_equal(torture.blocks, 0);
        if (!has_failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thin_sheet_gets_its_thickness_back),
        cmocka_unit_test(folds_are_flattened),
        cmocka_unit_test(what_is_tangled_is_made_anew),
        cmocka_unit_test(balls_that_lose_volume_become_one),
        cmocka_unit_test(drops_that_touch_are_parted),
        cmocka_unit_test(what_does_not_cross_stays),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
