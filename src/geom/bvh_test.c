// The tree against loops over all triangles: closest points, rays, boxes; and its own promises.
#include "geom/bvh.h"

#include "base/hash.h"
#include "base/torture.h"
#include "geom/bvh_stack.h"
#include "geom/sample_meshes.h"

#include <float.h>

static dew_Bvh *tree_of(const dew_Mesh *mesh)
{
    dew_Bvh *bvh = NULL;
    assert_ok(dew_bvh_create(mesh, NULL, NULL, &bvh));
    return bvh;
}

static void corners(const dew_Mesh *mesh, int64_t t, dew_Vec3 x[3])
{
    for (int i = 0; i < 3; i++)
        x[i] = dew_mesh_positions(mesh)[dew_mesh_triangles(mesh)[t].v[i]];
}

// ---- closest points ----------------------------------------------------------------------------

static double closest_of_all(const dew_Mesh *mesh, dew_Vec3 p)
{
    double best = HUGE_VAL;
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        dew_Vec3 x[3];
        corners(mesh, t, x);
        best = fmin(best, dew_triangle_closest(x[0], x[1], x[2], p).distance2);
    }
    return sqrt(best);
}

static void check_closest(const dew_Mesh *mesh, const dew_Bvh *bvh, dew_Vec3 p)
{
    dew_BvhClosest found;
    double expected = closest_of_all(mesh, p);
    assert_true(dew_bvh_closest(bvh, p, HUGE_VAL, &found));
    // The loop and the tree order their operations differently: a few roundings.
    assert_within(found.distance, expected, 8 * DBL_EPSILON * (expected + 1));
    dew_Vec3 x[3], point = {0, 0, 0};
    corners(mesh, found.triangle, x);
    for (int i = 0; i < 3; i++)
        point = dew_add_scaled(point, found.weight[i], x[i]);
    double size = dew_length(p) + 10;
    assert_true(dew_distance(point, found.point) < 1e-14 * size);
    assert_true(dew_distance(dew_add(p, found.offset), found.point) < 1e-15 * size);
    // Just within reach it is found, just beyond it is not.
    dew_BvhClosest again;
    double rounding = 1e-12 * found.distance + 1e-14;
    assert_true(dew_bvh_closest(bvh, p, found.distance + rounding, &again));
    if (found.distance > 1e-12)
        assert_false(dew_bvh_closest(bvh, p, found.distance - rounding, &again));
}

static void closest_points_are_those_of_a_loop(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    dew_Random random = dew_random(4, 0, 0);
    for (int kind = 0; kind < 4; kind++) {
        if (kind == 0)
            sample_blob(&mesh, 12);
        else
            sample_soup(&mesh, 2000, kind == 1 ? 0.05 : kind == 2 ? 0.5 : 0.001, (uint64_t)kind);
        dew_Bvh *bvh = tree_of(&mesh);
        for (int n = 0; n < 150; n++) {
            double reach = n % 3 == 0 ? 1 : n % 3 == 1 ? 3 : 1000;
            check_closest(&mesh, bvh, sample_point(&random, reach));
        }
        for (int n = 0; n < 100; n++) {  // on vertices and beside them
            dew_Vec3 p = dew_mesh_positions(&mesh)[n * 7];
            check_closest(&mesh, bvh, n % 2 ? p : dew_add(p, sample_point(&random, 1e-7)));
        }
        dew_bvh_destroy(bvh);
    }
    dew_mesh_deinit(&mesh);
}

// Sizes and places that floats alone could not resolve.
static void any_size_and_place_will_do(void **state)
{
    (void)state;
    const double scales[4] = {1e-9, 1e-3, 1e6, 1e30};
    dew_Random random = dew_random(5, 0, 0);
    for (int k = 0; k < 4; k++) {
        dew_Mesh mesh;
        dew_mesh_init(&mesh, NULL);
        sample_blob(&mesh, 6);
        dew_Vec3 shift = dew_scale(1e4 * scales[k], dew_vec(1, -2, 3));
        dew_mesh_transform(&mesh, scales[k], dew_rotation_identity(), shift);
        dew_Bvh *bvh = tree_of(&mesh);
        for (int n = 0; n < 60; n++) {
            dew_Vec3 p = dew_add(shift, dew_scale(scales[k], sample_point(&random, 2)));
            dew_BvhClosest found;
            double expected = closest_of_all(&mesh, p);
            assert_true(dew_bvh_closest(bvh, p, HUGE_VAL, &found));
            assert_within(found.distance, expected, 8 * DBL_EPSILON * (expected + 4 * scales[k]));
        }
        dew_bvh_destroy(bvh);
        dew_mesh_deinit(&mesh);
    }
}

static void far_points_and_no_points(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    sample_blob(&mesh, 4);
    dew_Bvh *bvh = tree_of(&mesh);
    dew_BvhClosest found;
    assert_true(dew_bvh_closest(bvh, dew_vec(1e30, 0, 0), HUGE_VAL, &found));
    assert_within(found.distance, 1e30, 1e15);
    assert_false(dew_bvh_closest(bvh, dew_vec((double)NAN, 0, 0), HUGE_VAL, &found));
    assert_false(dew_bvh_closest(bvh, dew_vec(0, HUGE_VAL, 0), HUGE_VAL, &found));
    assert_false(dew_bvh_closest(bvh, dew_vec(0, 0, 0), -1, &found));
    dew_bvh_destroy(bvh);
    dew_mesh_clear(&mesh);
    bvh = tree_of(&mesh);  // nothing in it: nothing found
    assert_false(dew_bvh_closest(bvh, dew_vec(0, 0, 0), HUGE_VAL, &found));
    dew_Ray ray = {{0, 0, 0}, {1, 0, 0}, 0, 1};
    assert_false(dew_bvh_ray_any(bvh, &ray));
    dew_bvh_destroy(bvh);
    dew_mesh_deinit(&mesh);
}

// ---- rays --------------------------------------------------------------------------------------

// Moeller and Trumbore's test, an arithmetic unlike the tree's. Near misses may differ: `margin`
// tells how far inside the triangle the hit lies.
static bool hit_one(const dew_Vec3 x[3], const dew_Ray *ray, double *t, double *margin)
{
    dew_Vec3 e1 = dew_sub(x[1], x[0]), e2 = dew_sub(x[2], x[0]);
    dew_Vec3 h = dew_cross(ray->direction, e2), s = dew_sub(ray->origin, x[0]);
    double det = dew_inner(e1, h);
    if (det == 0)
        return false;
    double u = dew_inner(s, h) / det, v = dew_inner(ray->direction, dew_cross(s, e1)) / det;
    *t = dew_inner(e2, dew_cross(s, e1)) / det;
    *margin = fmin(u, fmin(v, 1 - u - v));
    return *margin >= 0 && *t >= ray->min_t && *t <= ray->max_t;
}

static void rays_hit_what_a_loop_hits(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    dew_Random random = dew_random(6, 0, 0);
    int hits = 0, misses = 0;
    for (int kind = 0; kind < 2; kind++) {
        if (kind == 0)
            sample_blob(&mesh, 12);
        else
            sample_soup(&mesh, 2000, 0.2, 9);
        dew_Bvh *bvh = tree_of(&mesh);
        for (int n = 0; n < 500; n++) {
            dew_Vec3 from = sample_point(&random, n % 2 ? 3 : 300);
            dew_Vec3 to = sample_point(&random, 1.5);
            dew_Ray ray = {from, dew_sub(to, from), 0, n % 5 ? HUGE_VAL : 1};
            if (n % 7 == 0)  // along an axis
                ray = (dew_Ray){dew_vec(to.x, to.y, -5), dew_vec(0, 0, 2), 0, HUGE_VAL};
            double best = HUGE_VAL, closest_call = HUGE_VAL;
            for (int64_t t = 0; t < mesh.triangles.count; t++) {
                dew_Vec3 x[3];
                double at, margin = 0;
                corners(&mesh, t, x);
                if (hit_one(x, &ray, &at, &margin))
                    best = fmin(best, at);
                closest_call = fmin(closest_call, fabs(margin));
            }
            dew_RayHit hit;
            bool is_hit = dew_bvh_ray(bvh, &ray, &hit);
            assert_int_equal(dew_bvh_ray_any(bvh, &ray), is_hit);
            if (closest_call < 1e-9)
                continue;
            assert_int_equal(is_hit, best < HUGE_VAL);
            hits += is_hit;
            misses += !is_hit;
            if (!is_hit)
                continue;
            assert_within(hit.t, best, 1e-10 * (1 + best));
            dew_Vec3 x[3], p = {0, 0, 0};
            corners(&mesh, hit.triangle, x);
            for (int i = 0; i < 3; i++)
                p = dew_add_scaled(p, hit.weight[i], x[i]);
            dew_Vec3 at = dew_add_scaled(ray.origin, hit.t, ray.direction);
            assert_true(dew_distance(p, at) < 1e-10);
            dew_Vec3 normal = dew_triangle_normal(x[0], x[1], x[2]);
            assert_int_equal(hit.is_back, dew_inner(normal, ray.direction) > 0);
        }
        dew_bvh_destroy(bvh);
    }
    assert_true(hits > 300 && misses > 100);
    dew_mesh_deinit(&mesh);
}

// From inside a closed mesh no ray escapes, aimed at edges and vertices of all places.
static void no_ray_slips_through_an_edge(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_icosphere(1, 10, &mesh));
    dew_Bvh *bvh = tree_of(&mesh);
    dew_Random random = dew_random(7, 0, 0);
    const dew_Vec3 *x = dew_mesh_positions(&mesh);
    for (int64_t t = 0; t < mesh.triangles.count; t++) {
        const uint32_t *v = dew_mesh_triangles(&mesh)[t].v;
        for (int i = 0; i < 3; i++) {
            double s = dew_random_unit(&random);
            dew_Vec3 on_edge = dew_combine(s, x[v[i]], 1 - s, x[v[(i + 1) % 3]]);
            dew_Vec3 from = sample_point(&random, 0.3);
            dew_Ray at_edge = {from, dew_sub(on_edge, from), 0, HUGE_VAL};
            dew_Ray at_vertex = {from, dew_sub(x[v[i]], from), 0, HUGE_VAL};
            dew_RayHit hit;
            assert_true(dew_bvh_ray(bvh, &at_edge, &hit) && hit.is_back);
            assert_within(hit.t, 1, 1e-12);
            assert_true(dew_bvh_ray(bvh, &at_vertex, &hit) && hit.is_back);
            assert_within(hit.t, 1, 1e-12);
        }
    }
    dew_bvh_destroy(bvh);
    dew_mesh_deinit(&mesh);
}

static void rays_keep_to_their_interval(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_box(dew_vec(2, 2, 2), 0.5, &mesh));
    dew_Bvh *bvh = tree_of(&mesh);
    dew_RayHit hit;
    dew_Ray ray = {{-3, 0.1, 0.2}, {2, 0, 0}, 0, HUGE_VAL};
    assert_true(dew_bvh_ray(bvh, &ray, &hit) && hit.t == 1 && !hit.is_back);
    ray.min_t = 1.5;
    assert_true(dew_bvh_ray(bvh, &ray, &hit) && hit.t == 2 && hit.is_back);
    ray.max_t = 1.9;
    assert_false(dew_bvh_ray(bvh, &ray, &hit));
    ray = (dew_Ray){{-3, 0.1, 0.2}, {2, 0, 0}, -HUGE_VAL, 0.5};
    assert_false(dew_bvh_ray_any(bvh, &ray));
    ray = (dew_Ray){{3, 0.1, 0.2}, {2, 0, 0}, -HUGE_VAL, HUGE_VAL};  // behind its origin
    assert_true(dew_bvh_ray(bvh, &ray, &hit) && hit.t == -2);
    ray = (dew_Ray){{0, 0, 0}, {0, 0, 0}, 0, HUGE_VAL};  // leads nowhere
    assert_false(dew_bvh_ray(bvh, &ray, &hit));
    dew_bvh_destroy(bvh);
    dew_mesh_deinit(&mesh);
}

// ---- boxes -------------------------------------------------------------------------------------

typedef struct Visits {
    uint8_t *seen;
    int64_t count, limit;
} Visits;

static bool visit(void *context, uint32_t triangle)
{
    Visits *visits = context;
    visits->seen[triangle]++;
    return ++visits->count < visits->limit;
}

static void boxes_find_each_triangle_once(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    sample_soup(&mesh, 1500, 0.1, 10);
    dew_Bvh *bvh = tree_of(&mesh);
    dew_Random random = dew_random(8, 0, 0);
    uint8_t seen[1500];
    for (int n = 0; n < 300; n++) {
        dew_Vec3 a = sample_point(&random, 1.2), b = sample_point(&random, 1.2);
        dew_Box box = {dew_vec_min(a, b), dew_vec_max(a, b)};
        if (n == 0)
            box = (dew_Box){dew_vec(-HUGE_VAL, -1e300, -9), dew_vec(HUGE_VAL, 1e300, 9)};
        Visits visits = {seen, 0, INT64_MAX};
        memset(seen, 0, sizeof seen);
        assert_true(dew_bvh_box(bvh, box, visit, &visits));
        for (int64_t t = 0; t < mesh.triangles.count; t++) {
            dew_Vec3 x[3];
            corners(&mesh, t, x);
            assert_int_equal(seen[t], dew_triangle_overlaps_box(x[0], x[1], x[2], box));
        }
        assert_true(n > 0 || visits.count == 1500);
    }
    Visits few = {seen, 0, 5};
    assert_false(dew_bvh_box(bvh, bvh->box, visit, &few));
    assert_int_equal(few.count, 5);
    few.count = 0;
    assert_true(dew_bvh_box(bvh, dew_box_empty(), visit, &few) && few.count == 0);
    dew_bvh_destroy(bvh);
    dew_mesh_deinit(&mesh);
}

// ---- the tree itself ---------------------------------------------------------------------------

static int depth_below(const dew_Bvh *bvh, uint32_t node)
{
    int deepest = 0;
    for (int i = 0; i < DEW_BVH_WIDTH; i++) {
        if (bvh->nodes[node].child[i] == DEW_BVH_NONE || bvh->nodes[node].count[i] > 0)
            continue;
        assert_true(bvh->nodes[node].child[i] > node);
        int depth = depth_below(bvh, bvh->nodes[node].child[i]);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + 1;
}

// Triangles that halve in size and distance: every cut by area splits off few.
static void depth_stays_within_the_stack(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    for (int i = 0; i < 3000; i++) {
        double s = ldexp(1, -i / 10);
        for (int k = 0; k < 3; k++)
            assert_ok(dew_mesh_add_vertex(&mesh, dew_scale(s, dew_vec(1 + k % 2, 1 + k / 2, k))));
        uint32_t v = (uint32_t)(3 * i);
        assert_ok(dew_mesh_add_triangle(&mesh, v, v + 1, v + 2));
    }
    for (int i = 0; i < 1000; i++)  // and many that nothing tells apart
        assert_ok(dew_mesh_add_triangle(&mesh, 0, 1, 2));
    dew_Bvh *bvh = tree_of(&mesh);
    assert_true(depth_below(bvh, 0) <= DEW_BVH_MAX_DEPTH);
    check_closest(&mesh, bvh, dew_vec(0, 0, 0));
    check_closest(&mesh, bvh, dew_vec(0.3, 0.2, 0.1));
    dew_bvh_destroy(bvh);
    dew_mesh_deinit(&mesh);
}

static uint64_t hash_of(const dew_Bvh *bvh)
{
    uint64_t hash = dew_hash(bvh->nodes, (size_t)bvh->node_count * sizeof *bvh->nodes, 0);
    hash = dew_hash(bvh->triangle_id, (size_t)bvh->triangle_count * sizeof(uint32_t), hash);
    return dew_hash(bvh->vertices, (size_t)bvh->vertex_count * sizeof(dew_Vec3), hash);
}

static void any_number_of_workers_builds_the_same(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    sample_blob(&mesh, 30);
    dew_Bvh *bvh = tree_of(&mesh);
    uint64_t expected = hash_of(bvh);
    dew_bvh_destroy(bvh);
    const int workers[3] = {1, 2, 7};
    for (int k = 0; k < 3; k++) {
        dew_TasksDef def = dew_default_tasks_def();
        def.worker_count = workers[k];
        def.reverse_chunks = k == 1;
        dew_Tasks *tasks;
        assert_ok(dew_tasks_create(&def, &tasks));
        assert_ok(dew_bvh_create(&mesh, tasks, NULL, &bvh));
        assert_true(hash_of(bvh) == expected);
        dew_bvh_destroy(bvh);
        dew_tasks_destroy(tasks);
    }
    dew_mesh_deinit(&mesh);
}

static void bad_meshes_are_refused(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_Bvh *bvh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_icosphere(1, 2, &mesh));
    DEW_ITEMS(&mesh.triangles, dew_Triangle)[5].v[1] = 4000;
    dew_Status status = dew_bvh_create(&mesh, NULL, NULL, &bvh);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "triangle 5"));
    assert_null(bvh);
    assert_ok(dew_shape_icosphere(1, 2, &mesh));
    DEW_ITEMS(&mesh.positions, dew_Vec3)[7].y = (double)NAN;
    status = dew_bvh_create(&mesh, NULL, NULL, &bvh);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "vertex 7"));
    dew_mesh_deinit(&mesh);
}

static void every_failed_allocation_is_reported_and_nothing_leaks(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_icosphere(1, 16, &mesh));
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        torture.keeps_failing = true;  // an arena would try again with less
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Bvh *bvh;
        dew_Status status = dew_bvh_create(&mesh, NULL, &allocator, &bvh);
        bool has_failed = torture.calls > n;
        assert_int_equal(status.code, has_failed ? DEW_NO_MEMORY : DEW_OK);
        dew_bvh_destroy(bvh);
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
        cmocka_unit_test(closest_points_are_those_of_a_loop),
        cmocka_unit_test(any_size_and_place_will_do),
        cmocka_unit_test(far_points_and_no_points),
        cmocka_unit_test(rays_hit_what_a_loop_hits),
        cmocka_unit_test(no_ray_slips_through_an_edge),
        cmocka_unit_test(rays_keep_to_their_interval),
        cmocka_unit_test(boxes_find_each_triangle_once),
        cmocka_unit_test(depth_stays_within_the_stack),
        cmocka_unit_test(any_number_of_workers_builds_the_same),
        cmocka_unit_test(bad_meshes_are_refused),
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
