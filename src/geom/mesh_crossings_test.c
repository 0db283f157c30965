// Crossing pairs against a loop over all pairs, and cases with known answers.
#include "geom/mesh_crossings.h"

#include "base/torture.h"
#include "geom/sample_meshes.h"
#include "geom/triangle.h"

static void find(const dew_Mesh *mesh, const uint8_t *is_asked, dew_Tasks *tasks, dew_Array *out)
{
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    dew_CrossingSearch search = {.positions = dew_mesh_positions(mesh),
                                 .triangles = dew_mesh_triangles(mesh),
                                 .triangle_count = mesh->triangles.count,
                                 .is_asked = is_asked,
                                 .tasks = tasks,
                                 .scratch = &arena};
    assert_ok(dew_mesh_crossings(&search, out));
    dew_arena_deinit(&arena);
}

static void check_against_all_pairs(const dew_Mesh *mesh, const uint8_t *is_asked,
                                    const dew_Array *pairs)
{
    const dew_TrianglePair *pair = DEW_ITEMS(pairs, dew_TrianglePair);
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    const dew_Triangle *t = dew_mesh_triangles(mesh);
    int64_t found = 0;
    for (uint32_t a = 0; a < mesh->triangles.count; a++) {
        for (uint32_t b = a + 1; b < mesh->triangles.count; b++) {
            dew_Vec3 p[3] = {x[t[a].v[0]], x[t[a].v[1]], x[t[a].v[2]]};
            dew_Vec3 q[3] = {x[t[b].v[0]], x[t[b].v[1]], x[t[b].v[2]]};
            if ((is_asked && !is_asked[a] && !is_asked[b]) || !dew_triangle_overlaps_triangle(p, q))
                continue;
            assert_true(found < pairs->count);
            assert_int_equal(pair[found].first, a);
            assert_int_equal(pair[found].second, b);
            found++;
        }
    }
    assert_int_equal(found, pairs->count);
}

static void all_pairs_are_found_in_order(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_Array one, four;
    dew_mesh_init(&mesh, NULL);
    dew_array_init(&one, NULL, sizeof(dew_TrianglePair));
    dew_array_init(&four, NULL, sizeof(dew_TrianglePair));
    dew_TasksDef def = dew_default_tasks_def();
    def.worker_count = 4;
    dew_Tasks *tasks;
    assert_ok(dew_tasks_create(&def, &tasks));
    uint8_t is_asked[1500], is_rare[1500];
    for (int i = 0; i < 1500; i++) {
        is_asked[i] = i % 7 == 0;
        is_rare[i] = i % 40 == 0;
    }
    for (uint64_t seed = 0; seed < 3; seed++) {
        sample_soup(&mesh, 1500, seed == 0 ? 0.05 : 0.3, seed);
        find(&mesh, NULL, NULL, &one);
        assert_true(one.count > 0);
        check_against_all_pairs(&mesh, NULL, &one);
        find(&mesh, NULL, tasks, &four);
        assert_int_equal(one.count, four.count);
        assert_memory_equal(one.data, four.data, (size_t)one.count * sizeof(dew_TrianglePair));
        find(&mesh, is_asked, tasks, &four);
        check_against_all_pairs(&mesh, is_asked, &four);
        find(&mesh, is_rare, tasks, &four);
        check_against_all_pairs(&mesh, is_rare, &four);
    }
    dew_tasks_destroy(tasks);
    dew_array_deinit(&four);
    dew_array_deinit(&one);
    dew_mesh_deinit(&mesh);
}

// Asked for one triangle, a search takes two indices per triangle of the mesh, and for the few
// around it a tree: boxes of the triangles and of nodes, keys, counts, less than 200 bytes each. Of
// a smooth mesh fewer than one in twenty have boxes that meet one triangle's.
static void a_search_for_few_takes_little(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_Array pairs;
    dew_Arena arena;
    dew_mesh_init(&mesh, NULL);
    dew_array_init(&pairs, NULL, sizeof(dew_TrianglePair));
    dew_arena_init(&arena, NULL);
    sample_blob(&mesh, 16);
    int64_t count = mesh.triangles.count;
    uint8_t *is_asked = calloc((size_t)count, 1);
    assert_non_null(is_asked);
    is_asked[count / 2] = 1;
    dew_CrossingSearch search = {.positions = dew_mesh_positions(&mesh),
                                 .triangles = dew_mesh_triangles(&mesh),
                                 .triangle_count = count,
                                 .is_asked = is_asked,
                                 .scratch = &arena};
    assert_ok(dew_mesh_crossings(&search, &pairs));
    assert_int_equal(pairs.count, 0);
    assert_true((double)arena.peak_bytes < (8 + 200 / 20.0) * (double)count + 4096);
    free(is_asked);
    dew_arena_deinit(&arena);
    dew_array_deinit(&pairs);
    dew_mesh_deinit(&mesh);
}

// Marching surfaces are flat on walls: there no determinant has a sure sign.
static void a_smooth_or_flat_mesh_has_none(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_Array pairs;
    dew_mesh_init(&mesh, NULL);
    dew_array_init(&pairs, NULL, sizeof(dew_TrianglePair));
    find(&mesh, NULL, NULL, &pairs);
    assert_int_equal(pairs.count, 0);
    sample_blob(&mesh, 8);
    find(&mesh, NULL, NULL, &pairs);
    assert_int_equal(pairs.count, 0);
    // A tilted slab: a quarter of the blob pressed flat, onto a plane along no axis.
    dew_Vec3 normal = dew_normalize(dew_vec(1, 2, 3));
    dew_Vec3 *x = DEW_ITEMS(&mesh.positions, dew_Vec3);
    for (int64_t i = 0; i < mesh.positions.count; i++) {
        double depth = dew_inner(normal, x[i]) + 0.5;
        if (depth < 0)
            x[i] = dew_sub(x[i], dew_scale(0.999 * depth, normal));
    }
    find(&mesh, NULL, NULL, &pairs);
    check_against_all_pairs(&mesh, NULL, &pairs);
    dew_array_deinit(&pairs);
    dew_mesh_deinit(&mesh);
}

static void add_triangle(dew_Mesh *mesh, dew_Vec3 a, dew_Vec3 b, dew_Vec3 c)
{
    uint32_t v = (uint32_t)mesh->positions.count;
    assert_ok(dew_mesh_add_vertex(mesh, a));
    assert_ok(dew_mesh_add_vertex(mesh, b));
    assert_ok(dew_mesh_add_vertex(mesh, c));
    assert_ok(dew_mesh_add_triangle(mesh, v, v + 1, v + 2));
}

static int64_t crossings_with(dew_Vec3 a, dew_Vec3 b, dew_Vec3 c)
{
    dew_Mesh mesh;
    dew_Array pairs;
    dew_mesh_init(&mesh, NULL);
    dew_array_init(&pairs, NULL, sizeof(dew_TrianglePair));
    add_triangle(&mesh, dew_vec(0, 0, 0), dew_vec(4, 0, 0), dew_vec(0, 4, 0));
    add_triangle(&mesh, a, b, c);
    find(&mesh, NULL, NULL, &pairs);
    int64_t count = pairs.count;
    dew_array_deinit(&pairs);
    dew_mesh_deinit(&mesh);
    return count;
}

// On a coarse lattice most pairs touch, or lie in one plane, or miss by nothing but rounding: here
// no plane may be taken for one between them that is not.
static void touching_counts_on_a_lattice(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_Array found;
    dew_array_init(&found, NULL, sizeof(dew_TrianglePair));
    for (uint64_t seed = 1; seed <= 4; seed++) {
        dew_mesh_init(&mesh, NULL);
        uint64_t n = seed;
        for (int t = 0; t < 300; t++) {
            dew_Vec3 p[3];
            for (int c = 0; c < 3; c++) {
                n = n * 6364136223846793005u + 1442695040888963407u;
                p[c] = dew_vec(0.1 * (double)(n >> 33 & 3), 0.1 * (double)(n >> 35 & 3),
                               0.1 * (double)(n >> 37 & 7));
            }
            add_triangle(&mesh, p[0], p[1], p[2]);
        }
        find(&mesh, NULL, NULL, &found);
        assert_in_range(found.count, 100, 20000);
        check_against_all_pairs(&mesh, NULL, &found);
        dew_mesh_deinit(&mesh);
    }
    dew_array_deinit(&found);
}

static void the_rule_holds(void **state)
{
    (void)state;
    dew_Vec3 o = dew_vec(0, 0, 0), x = dew_vec(4, 0, 0), y = dew_vec(0, 4, 0);
    assert_int_equal(crossings_with(dew_vec(1, 1, -1), dew_vec(1, 1, 1), dew_vec(9, 9, 0)), 1);
    assert_int_equal(crossings_with(dew_vec(1, 1, 0), dew_vec(1, 1, 1), dew_vec(2, 1, 1)),
                     1);  // touches
    assert_int_equal(crossings_with(dew_vec(1, 1, 1e-300), dew_vec(1, 1, 1), dew_vec(2, 1, 1)), 0);
    assert_int_equal(crossings_with(dew_vec(1, 1, 0), dew_vec(9, 1, 0), dew_vec(9, 9, 0)),
                     1);  // flat
    assert_int_equal(crossings_with(o, dew_vec(-1, 0, 0), dew_vec(0, -1, 0)),
                     0);  // a corner in common
    assert_int_equal(crossings_with(o, dew_vec(1, 1, -1), dew_vec(1, 1, 1)),
                     1);                                             // and more than that
    assert_int_equal(crossings_with(x, o, dew_vec(0, -4, 0)), 0);    // an edge in common
    assert_int_equal(crossings_with(x, o, dew_vec(0, 4, 1e-9)), 0);  // nearly folded
    assert_int_equal(crossings_with(x, o, dew_vec(1, 1, 0)), 1);     // folded
    assert_int_equal(crossings_with(o, y, x), 0);                    // the same points
    assert_int_equal(crossings_with(o, o, dew_vec(1, 1, 1)), 0);     // no area
    assert_int_equal(crossings_with(dew_vec(1, 1, 1), dew_vec(1, 1, -1), dew_vec(1, 1, -1)), 0);
}

static dew_Status try_find(const dew_Mesh *mesh, const dew_Allocator *allocator)
{
    dew_Arena arena;
    dew_Array pairs;
    dew_arena_init(&arena, allocator);
    dew_array_init(&pairs, allocator, sizeof(dew_TrianglePair));
    dew_CrossingSearch search = {.positions = dew_mesh_positions(mesh),
                                 .triangles = dew_mesh_triangles(mesh),
                                 .triangle_count = mesh->triangles.count,
                                 .scratch = &arena};
    dew_Status status = dew_mesh_crossings(&search, &pairs);
    dew_array_deinit(&pairs);
    dew_arena_deinit(&arena);
    return status;
}

static void no_memory_is_an_error(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    sample_soup(&mesh, 200, 0.3, 1);
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        torture.keeps_failing = true;
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Status status = try_find(&mesh, &allocator);
        bool has_failed = torture.calls > n;
        assert_int_equal(status.code, has_failed ? DEW_NO_MEMORY : DEW_OK);
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        if (!has_failed)
            break;
    }
    dew_mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs_are_found_in_order),
        cmocka_unit_test(a_search_for_few_takes_little),
        cmocka_unit_test(a_smooth_or_flat_mesh_has_none),
        cmocka_unit_test(touching_counts_on_a_lattice),
        cmocka_unit_test(the_rule_holds),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
