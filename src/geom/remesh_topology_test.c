// Connectivity: each operation on known meshes; 100,000 random ones, audited after each; bad input.
#include "geom/remesh_topology.h"

#include "base/random.h"
#include "base/testing.h"
#include "geom/mesh_audit.h"
#include "geom/shapes.h"

static void build(dew_Topology *topology, const dew_Mesh *mesh)
{
    assert_int_equal(dew_topology_build(topology, dew_mesh_triangles(mesh), mesh->triangles.count,
                                        mesh->positions.count)
                         .code,
                     DEW_OK);
}

static void assert_sound(const dew_Topology *topology)
{
    dew_Status status = dew_topology_check(topology);
    assert_string_equal(status.message, "");
}

// Vertices - edges + triangles of what is left.
static int64_t euler(const dew_Topology *topology)
{
    int64_t vertices = 0, halves = 0;
    for (int64_t v = 0; v < topology->outgoing.count; v++)
        vertices += DEW_ITEMS(&topology->outgoing, uint32_t)[v] != DEW_NO_HALF;
    for (int64_t h = 0; h < topology->corner.count; h++)
        halves += DEW_ITEMS(&topology->corner, uint32_t)[h] != DEW_NO_HALF;
    return vertices - halves / 2 + halves / 3;
}

// The whole mesh through the independent audit; vertices get made-up, distinct positions.
static void assert_audited(const dew_Topology *topology)
{
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    dew_Random random = dew_random(5, 0, 0);
    int64_t gone = 0;
    for (int64_t v = 0; v < topology->outgoing.count; v++) {
        dew_mesh_add_vertex(&mesh, dew_random_direction(&random));
        gone += DEW_ITEMS(&topology->outgoing, uint32_t)[v] == DEW_NO_HALF;
    }
    const uint32_t *corner = DEW_ITEMS(&topology->corner, uint32_t);
    for (int64_t h = 0; h < topology->corner.count; h += 3) {
        if (corner[h] != DEW_NO_HALF)
            dew_mesh_add_triangle(&mesh, corner[h], corner[h + 1], corner[h + 2]);
    }
    dew_MeshAuditDef def = {.skip_self_intersections = true};
    dew_MeshAudit audit;
    assert_ok(dew_mesh_audit(&mesh, &def, &audit));
    assert_true(audit.is_closed && audit.is_manifold && audit.is_oriented);
    assert_int_equal(audit.count[DEW_FLAW_DUPLICATE], 0);
    assert_int_equal(audit.count[DEW_FLAW_UNREFERENCED], gone);
    assert_int_equal(audit.euler_characteristic, euler(topology));
    dew_mesh_deinit(&mesh);
}

static void ball(dew_Topology *topology, int frequency)
{
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_icosphere(1, frequency, &mesh));
    dew_topology_init(topology, NULL);
    build(topology, &mesh);
    dew_mesh_deinit(&mesh);
}

static void split_then_collapse_gives_the_mesh_back(void **state)
{
    (void)state;
    dew_Topology topology;
    ball(&topology, 2);
    for (uint32_t h = 0; h < 240; h += 7) {
        uint32_t a = dew_half_from(&topology, h), b = dew_half_to(&topology, h);
        assert_ok(dew_topology_reserve(&topology, 1, 2));
        uint32_t m = dew_topology_split(&topology, h);
        assert_int_equal(dew_topology_degree(&topology, m), 4);
        assert_int_equal(dew_topology_find(&topology, a, b), DEW_NO_HALF);
        assert_sound(&topology);
        uint32_t back = dew_topology_find(&topology, a, m);
        assert_true(dew_topology_can_collapse(&topology, back));
        dew_topology_collapse(&topology, back);
        assert_int_not_equal(dew_topology_find(&topology, a, b), DEW_NO_HALF);
        assert_sound(&topology);
        assert_int_equal(euler(&topology), 2);
    }
    dew_topology_deinit(&topology);
}

static void flip_joins_the_other_corners(void **state)
{
    (void)state;
    dew_Topology topology;
    ball(&topology, 2);
    uint32_t a = dew_half_from(&topology, 10), b = dew_half_to(&topology, 10);
    uint32_t c = dew_half_apex(&topology, 10);
    uint32_t d = dew_half_apex(&topology, dew_half_twin(&topology, 10));
    assert_true(dew_topology_can_flip(&topology, 10));
    dew_topology_flip(&topology, 10);
    assert_sound(&topology);
    assert_int_equal(dew_topology_find(&topology, a, b), DEW_NO_HALF);
    assert_int_not_equal(dew_topology_find(&topology, c, d), DEW_NO_HALF);
    dew_topology_deinit(&topology);
}

static void tetrahedron_neither_flips_nor_collapses(void **state)
{
    (void)state;
    const dew_Triangle t[] = {{{0, 1, 2}}, {{0, 3, 1}}, {{1, 3, 2}}, {{2, 3, 0}}};
    dew_Topology topology;
    dew_topology_init(&topology, NULL);
    assert_ok(dew_topology_build(&topology, t, 4, 4));
    for (uint32_t h = 0; h < 12; h++) {
        assert_false(dew_topology_can_flip(&topology, h));
        assert_false(dew_topology_can_collapse(&topology, h));
    }
    dew_topology_deinit(&topology);
}

// A prism of three sides and two lids: the waist of it is a loop without a triangle.
static void tube(dew_Topology *topology)
{
    dew_Triangle t[64];
    int n = 0;
    for (uint32_t k = 0; k < 3; k++) {  // four rings of three, 0..11, and a tip at either end
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t j = (i + 1) % 3, lo = 3 * k, hi = lo + 3;
            t[n++] = (dew_Triangle){{lo + i, lo + j, hi + i}};
            t[n++] = (dew_Triangle){{lo + j, hi + j, hi + i}};
        }
    }
    for (uint32_t i = 0; i < 3; i++) {
        t[n++] = (dew_Triangle){{(i + 1) % 3, i, 12}};
        t[n++] = (dew_Triangle){{9 + i, 9 + (i + 1) % 3, 13}};
    }
    dew_topology_init(topology, NULL);
    assert_ok(dew_topology_build(topology, t, n, 14));
    assert_sound(topology);
}

static void cut_makes_two_balls_of_one(void **state)
{
    (void)state;
    dew_Topology topology;
    tube(&topology);
    uint32_t h = dew_topology_find(&topology, 3, 4), third[4], copy[3], list[32];
    assert_int_equal(dew_topology_shared(&topology, h, third, 4), 3);
    assert_int_equal(third[0], 5);
    dew_Loop loop = dew_topology_loop(&topology, h, 5);
    assert_int_equal(dew_topology_side(&topology, &loop, list, 32), 15);
    assert_ok(dew_topology_reserve(&topology, 3, 2));
    dew_topology_cut(&topology, &loop, copy);
    assert_sound(&topology);
    assert_audited(&topology);
    assert_int_equal(euler(&topology), 4);
    uint32_t right = (uint32_t)dew_topology_triangles(&topology) - 1;
    assert_int_equal(dew_topology_remove(&topology, right, list, 4), 5);  // too large: left alone
    assert_int_equal(dew_topology_remove(&topology, right, list, 32), 10);
    assert_sound(&topology);
    assert_int_equal(euler(&topology), 2);
    dew_topology_deinit(&topology);
}

static bool random_cut(dew_Topology *topology, uint32_t h)
{
    uint32_t third[1], copy[3], list[24];
    if (dew_topology_shared(topology, h, third, 1) < 3)
        return false;
    dew_Loop loop = dew_topology_loop(topology, h, third[0]);
    dew_topology_cut(topology, &loop, copy);
    uint32_t right = (uint32_t)dew_topology_triangles(topology) - 1;
    dew_topology_remove(topology, right, list, 24);
    return true;
}

// Returns which operation was done: 0 none, 1 split, 2 flip, 3 collapse, 4 cut. seen: a vertex of
// it.
static int random_operation(dew_Topology *topology, dew_Random *random, int64_t wanted,
                            int64_t alive, uint32_t *seen)
{
    uint32_t h;
    do
        h = (uint32_t)(dew_random_u64(random) % (uint64_t)topology->corner.count);
    while (dew_half_from(topology, h) == DEW_NO_HALF);
    *seen = dew_half_from(topology, h);
    int kind = (int)(dew_random_u32(random) % 8);
    if (kind < 2 || (kind < 4 && alive < wanted)) {
        dew_topology_split(topology, h);
        return 1;
    }
    if (kind < 5) {
        if (!dew_topology_can_flip(topology, h))
            return 0;
        dew_topology_flip(topology, h);
        return 2;
    }
    if (dew_topology_can_collapse(topology, h)) {
        dew_topology_collapse(topology, h);
        return 3;
    }
    return random_cut(topology, h) ? 4 : 0;
}

static int64_t count_alive(const dew_Topology *topology)
{
    int64_t alive = 0;
    for (int64_t h = 0; h < topology->corner.count; h += 3)
        alive += DEW_ITEMS(&topology->corner, uint32_t)[h] != DEW_NO_HALF;
    return alive;
}

// Builds it anew from what is left, so that slots of what is gone do not pile up.
static void compact(dew_Topology *topology)
{
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    uint32_t *corner = DEW_ITEMS(&topology->corner, uint32_t);
    uint32_t *number = DEW_ITEMS(&topology->mark, uint32_t);
    for (int64_t v = 0; v < topology->outgoing.count; v++) {
        number[v] = (uint32_t)mesh.positions.count;
        if (DEW_ITEMS(&topology->outgoing, uint32_t)[v] != DEW_NO_HALF)
            dew_mesh_add_vertex(&mesh, dew_vec(0, 0, 0));
    }
    for (int64_t h = 0; h < topology->corner.count; h += 3) {
        if (corner[h] != DEW_NO_HALF)
            dew_mesh_add_triangle(&mesh, number[corner[h]], number[corner[h + 1]],
                                  number[corner[h + 2]]);
    }
    build(topology, &mesh);
    dew_mesh_deinit(&mesh);
}

// The vertex and its neighbours, where there is one left.
static void assert_sound_around(const dew_Topology *topology, uint32_t vertex)
{
    uint32_t start = dew_vertex_half(topology, vertex), h = start;
    if (start == DEW_NO_HALF)
        return;
    assert_string_equal(dew_topology_check_vertex(topology, vertex).message, "");
    do {
        uint32_t to = dew_half_to(topology, h);
        assert_string_equal(dew_topology_check_vertex(topology, to).message, "");
        h = dew_half_around(topology, h);
    } while (h != start);
}

static void random_operations(int64_t operations, int64_t full_every, uint64_t seed)
{
    dew_Topology topology;
    ball(&topology, 3);
    dew_Random random = dew_random(seed, 0, 0);
    int64_t done[5] = {0};
    int64_t total = 0, alive = count_alive(&topology);
    while (total < operations) {
        assert_ok(dew_topology_reserve(&topology, 3, 2));
        uint32_t seen;
        int kind = random_operation(&topology, &random, 200, alive, &seen);
        if (kind == 0)
            continue;
        done[kind]++;
        total++;
        assert_sound_around(&topology, seen);
        assert_sound_around(&topology, (uint32_t)topology.outgoing.count - 1);
        if (total % 100 == 0)
            alive = count_alive(&topology);
        if (total % full_every == 0) {
            assert_sound(&topology);
            assert_audited(&topology);
        }
        if (total % 500 == 0)
            compact(&topology);
        assert_true(alive > 0);
    }
    for (int kind = 1; kind < 5; kind++)
        assert_true(done[kind] > operations / 100);
    dew_topology_deinit(&topology);
}

static void hundred_thousand_random_operations(void **state)
{
    (void)state;
    random_operations(100000, 100, 1);
}

static void every_operation_audited_in_full(void **state)
{
    (void)state;
    random_operations(3000, 1, 2);
}

static void bad_meshes_are_refused(void **state)
{
    (void)state;
    static const struct {
        dew_Triangle t[8];
        int count;
    } bad[] = {
        {{{{0, 1, 2}}}, 1},                                         // open
        {{{{0, 1, 2}}, {{0, 3, 1}}, {{1, 3, 2}}, {{2, 0, 3}}}, 4},  // twisted
        {{{{0, 1, 9}}}, 1},                                         // no such vertex
        {{{{0, 1, 1}}}, 1},                                         // twice the same
        {{{{0, 1, 2}}, {{0, 1, 2}}, {{0, 2, 1}}, {{0, 2, 1}}}, 4},  // doubled
        {{{{0, 1, 2}},
          {{0, 3, 1}},
          {{1, 3, 2}},
          {{2, 3, 0}},  // two at a vertex
          {{0, 4, 5}},
          {{0, 6, 4}},
          {{4, 6, 5}},
          {{5, 6, 0}}},
         8},
        {{{{0, 1, 2}},
          {{0, 3, 1}},
          {{1, 3, 2}},
          {{2, 3, 0}},  // two at an edge
          {{0, 1, 5}},
          {{0, 6, 1}},
          {{1, 6, 5}},
          {{5, 6, 0}}},
         8},
    };
    dew_Topology topology;
    dew_topology_init(&topology, NULL);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        dew_Status status = dew_topology_build(&topology, bad[i].t, bad[i].count, 7);
        assert_int_equal(status.code, DEW_BAD_INPUT);
        assert_true(status.message[0] != 0);
    }
    dew_topology_deinit(&topology);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_icosphere(1, 1, &mesh));
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Topology topology;
        dew_topology_init(&topology, &allocator);
        dew_Status status = dew_topology_build(&topology, dew_mesh_triangles(&mesh),
                                               mesh.triangles.count, mesh.positions.count);
        if (status.code == DEW_OK)
            status = dew_topology_reserve(&topology, 100, 100);
        dew_topology_deinit(&topology);
        assert_true(torture.blocks == 0 && !torture.was_lied_to);
        assert_int_equal(status.code, torture.calls > n ? DEW_NO_MEMORY : DEW_OK);
        if (torture.calls <= n)
            break;
    }
    dew_mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split_then_collapse_gives_the_mesh_back),
        cmocka_unit_test(flip_joins_the_other_corners),
        cmocka_unit_test(tetrahedron_neither_flips_nor_collapses),
        cmocka_unit_test(cut_makes_two_balls_of_one),
        cmocka_unit_test(hundred_thousand_random_operations),
        cmocka_unit_test(every_operation_audited_in_full),
        cmocka_unit_test(bad_meshes_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("geom/remesh_topology", tests, NULL, NULL);
}
