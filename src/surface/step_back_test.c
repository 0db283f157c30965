// A sphere whose vertices are thrown about comes back only as far as it must.
#include "surface/step_back.h"

#include "base/torture.h"
#include "geom/mesh_crossings.h"
#include "geom/sample_meshes.h"

static int64_t crossings(const dew_Mesh *mesh, const dew_Vec3 *x)
{
    dew_Arena arena;
    dew_Array pairs;
    dew_arena_init(&arena, NULL);
    dew_array_init(&pairs, NULL, sizeof(dew_TrianglePair));
    dew_Vec3 *rounded = dew_arena_array(&arena, dew_Vec3, mesh->positions.count);
    assert_non_null(rounded);
    for (int64_t i = 0; i < mesh->positions.count; i++)
        rounded[i] = dew_as_written(x[i]);
    dew_CrossingSearch search = {.positions = rounded,
                                 .triangles = dew_mesh_triangles(mesh),
                                 .triangle_count = mesh->triangles.count,
                                 .scratch = &arena};
    assert_ok(dew_mesh_crossings(&search, &pairs));
    int64_t count = pairs.count;
    dew_array_deinit(&pairs);
    dew_arena_deinit(&arena);
    return count;
}

typedef struct Thrown {
    dew_Mesh mesh;
    dew_Array wanted;  // dew_Vec3
} Thrown;

// Every `every`-th vertex moves by up to `reach`.
static void throw_vertices(Thrown *t, double reach, int64_t every)
{
    dew_mesh_init(&t->mesh, NULL);
    assert_ok(dew_shape_icosphere(1, 7, &t->mesh));
    dew_array_init(&t->wanted, NULL, sizeof(dew_Vec3));
    assert_ok(dew_array_copy(&t->wanted, &t->mesh.positions));
    dew_Random random = dew_random(7, 0, 0);
    dew_Vec3 *x = DEW_ITEMS(&t->wanted, dew_Vec3);
    for (int64_t i = 0; i < t->wanted.count; i += every)
        x[i] = dew_add(x[i], sample_point(&random, reach));
}

static void end(Thrown *t)
{
    dew_array_deinit(&t->wanted);
    dew_mesh_deinit(&t->mesh);
}

static dew_Status step_back(const Thrown *t, dew_Vec3 *x, const dew_Allocator *allocator,
                            int64_t *left)
{
    dew_Arena arena;
    dew_arena_init(&arena, allocator);
    dew_StepBack def = {.triangles = dew_mesh_triangles(&t->mesh),
                        .triangle_count = t->mesh.triangles.count,
                        .vertex_count = t->mesh.positions.count,
                        .safe = dew_mesh_positions(&t->mesh),
                        .positions = x,
                        .scratch = &arena};
    dew_Status status = dew_surface_step_back(&def, left);
    dew_arena_deinit(&arena);
    return status;
}

static void crossings_are_undone(void **state)
{
    (void)state;
    const double reaches[] = {0.1, 0.3, 1};
    for (int k = 0; k < 3; k++) {
        Thrown t;
        int64_t left;
        throw_vertices(&t, reaches[k], 1);
        dew_Vec3 *x = DEW_ITEMS(&t.wanted, dew_Vec3);
        assert_true(crossings(&t.mesh, x) > 0);
        assert_ok(step_back(&t, x, NULL, &left));
        assert_int_equal(left, 0);
        assert_int_equal(crossings(&t.mesh, x), 0);
        end(&t);
    }
}

// One vertex pushed through the sphere, and one a little outward: that one stays.
static void what_does_not_cross_stays(void **state)
{
    (void)state;
    Thrown t;
    int64_t left;
    throw_vertices(&t, 0, 1);
    dew_Vec3 *x = DEW_ITEMS(&t.wanted, dew_Vec3);
    const dew_Vec3 *before = dew_mesh_positions(&t.mesh);
    int64_t far = 0;
    for (int64_t i = 0; i < t.wanted.count; i++)
        if (dew_distance(before[i], before[0]) > dew_distance(before[far], before[0]))
            far = i;
    dew_Vec3 pushed = dew_scale(-1.5, before[0]), outward = dew_scale(1.02, before[far]);
    x[0] = pushed;
    x[far] = outward;
    assert_true(crossings(&t.mesh, x) > 0);
    assert_ok(step_back(&t, x, NULL, &left));
    assert_int_equal(left, 0);
    assert_int_equal(crossings(&t.mesh, x), 0);
    // 1 - 2.5 / 2^k of the radius: half the way is at -0.25, inside.
    assert_within(dew_inner(x[0], before[0]), -0.25, 1e-12);
    end(&t);

    throw_vertices(&t, 0, 1);
    x = DEW_ITEMS(&t.wanted, dew_Vec3);
    x[far] = outward;
    assert_ok(step_back(&t, x, NULL, &left));
    assert_within(dew_distance(x[far], outward), 0, 0);
    end(&t);
}

static void no_memory_is_an_error(void **state)
{
    (void)state;
    for (int64_t n = 0;; n++) {
        Thrown t;
        int64_t left;
        throw_vertices(&t, 0.3, 3);
        dew_Torture torture = dew_torture(n);
        torture.keeps_failing = true;
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Status status = step_back(&t, DEW_ITEMS(&t.wanted, dew_Vec3), &allocator, &left);
        end(&t);
        bool has_failed = torture.calls > n;
        // An arena that cannot join its blocks at the end works without.
        assert_true(status.code == DEW_OK || (has_failed && status.code == DEW_NO_MEMORY));
        assert_int_equal(torture.blocks, 0);
        if (!has_failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crossings_are_undone),
        cmocka_unit_test(what_does_not_cross_stays),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
