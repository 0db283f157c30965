// The audit of sound meshes and of meshes broken on purpose: what, how often, where.
#include "geom/mesh_audit.h"

#include "base/torture.h"
#include "geom/sample_meshes.h"
#include "geom/triangle.h"

static dew_MeshAudit audit_of(const dew_Mesh *mesh)
{
    dew_MeshAudit audit;
    assert_ok(dew_mesh_audit(mesh, NULL, &audit));
    return audit;
}

static void check_flaws(const dew_MeshAudit *audit, const int64_t expected[DEW_FLAW_COUNT])
{
    for (int f = 0; f < DEW_FLAW_COUNT; f++) {
        assert_int_equal(audit->count[f], expected[f]);
        assert_int_equal(audit->first[f] >= 0, expected[f] > 0);
    }
}

static void sphere(dew_Mesh *mesh, int frequency)
{
    dew_mesh_init(mesh, NULL);
    assert_ok(dew_shape_icosphere(1, frequency, mesh));
}

static void add_moved(dew_Mesh *mesh, const dew_Mesh *part, double scale, dew_Vec3 shift)
{
    dew_Mesh copy;
    dew_mesh_init(&copy, NULL);
    assert_ok(dew_mesh_copy(&copy, part));
    dew_mesh_transform(&copy, fabs(scale), dew_rotation_identity(), shift);
    if (scale < 0)
        dew_mesh_flip(&copy);
    assert_ok(dew_mesh_append(mesh, &copy));
    dew_mesh_deinit(&copy);
}

static void a_sound_mesh_has_no_flaw(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    sample_blob(&mesh, 10);
    dew_MeshAudit audit = audit_of(&mesh);
    check_flaws(&audit, (int64_t[DEW_FLAW_COUNT]){0});
    assert_true(dew_mesh_audit_is_clean(&audit));
    assert_int_equal(audit.euler_characteristic, 2);
    char text[200];
    dew_mesh_audit_summary(&audit, text, sizeof text);
    assert_string_equal(text, "closed, manifold, oriented");
    dew_mesh_deinit(&mesh);
}

static void holes_are_open_edges(void **state)
{
    (void)state;
    dew_Mesh mesh;
    sphere(&mesh, 4);
    mesh.triangles.count--;
    dew_MeshAudit audit = audit_of(&mesh);
    check_flaws(&audit, (int64_t[DEW_FLAW_COUNT]){[DEW_FLAW_OPEN_EDGE] = 3});
    assert_false(audit.is_closed);
    assert_true(audit.is_manifold && audit.is_oriented);
    char text[200];
    dew_mesh_audit_describe(&audit, DEW_FLAW_OPEN_EDGE, text, sizeof text);
    assert_non_null(strstr(text, "3 open edges, the first edge of triangle "));
    dew_mesh_deinit(&mesh);
}

static void a_turned_triangle_twists_its_edges(void **state)
{
    (void)state;
    dew_Mesh mesh;
    sphere(&mesh, 4);
    dew_Triangle *t = &DEW_ITEMS(&mesh.triangles, dew_Triangle)[17];
    *t = (dew_Triangle){{t->v[1], t->v[0], t->v[2]}};
    dew_MeshAudit audit = audit_of(&mesh);
    check_flaws(&audit, (int64_t[DEW_FLAW_COUNT]){[DEW_FLAW_TWISTED_EDGE] = 3});
    assert_false(audit.is_oriented || audit.is_closed);
    dew_mesh_deinit(&mesh);
}

static void vertices_that_are_bad_stop_the_rest(void **state)
{
    (void)state;
    dew_Mesh mesh;
    sphere(&mesh, 3);
    DEW_ITEMS(&mesh.positions, dew_Vec3)[9].z = HUGE_VAL;
    DEW_ITEMS(&mesh.positions, dew_Vec3)[11].x = (double)NAN;
    DEW_ITEMS(&mesh.triangles, dew_Triangle)[20].v[2] = 1000000;
    dew_MeshAudit audit = audit_of(&mesh);
    check_flaws(&audit,
                (int64_t[DEW_FLAW_COUNT]){[DEW_FLAW_NOT_FINITE] = 2, [DEW_FLAW_BAD_INDEX] = 1});
    assert_int_equal(audit.first[DEW_FLAW_NOT_FINITE], 9);
    assert_int_equal(audit.first[DEW_FLAW_BAD_INDEX], 20);
    assert_false(audit.is_closed);
    char text[300];
    dew_mesh_audit_summary(&audit, text, sizeof text);
    assert_non_null(strstr(text, "1 triangle that names a vertex that is not there, triangle 20"));
    dew_mesh_deinit(&mesh);
}

static void odds_and_ends(void **state)
{
    (void)state;
    dew_Mesh mesh;
    sphere(&mesh, 3);
    assert_ok(dew_mesh_add_vertex(&mesh, dew_vec(7, 8, 9)));
    const uint32_t *v = dew_mesh_triangles(&mesh)[5].v;
    assert_ok(dew_mesh_add_triangle(&mesh, v[1], v[2], v[0]));  // a copy: its edges branch
    dew_MeshAudit audit = audit_of(&mesh);
    check_flaws(
        &audit,
        (int64_t[DEW_FLAW_COUNT]){
            [DEW_FLAW_UNREFERENCED] = 1, [DEW_FLAW_DUPLICATE] = 1, [DEW_FLAW_BRANCHING_EDGE] = 3});
    assert_int_equal(audit.first[DEW_FLAW_UNREFERENCED], mesh.positions.count - 1);
    assert_true(audit.place[DEW_FLAW_UNREFERENCED].z == 9);
    assert_int_equal(audit.first[DEW_FLAW_DUPLICATE], 180);
    assert_false(audit.is_manifold);
    dew_mesh_deinit(&mesh);
}

static void triangles_without_area(void **state)
{
    (void)state;
    dew_Mesh mesh;
    sphere(&mesh, 3);
    // One corner onto the middle of the opposite edge: still closed.
    const uint32_t *v = dew_mesh_triangles(&mesh)[40].v;
    dew_Vec3 *x = DEW_ITEMS(&mesh.positions, dew_Vec3);
    x[v[0]] = dew_combine(0.5, x[v[1]], 0.5, x[v[2]]);
    dew_MeshAuditDef def = {.skip_self_intersections = true};
    dew_MeshAudit audit;
    assert_ok(dew_mesh_audit(&mesh, &def, &audit));
    check_flaws(&audit, (int64_t[DEW_FLAW_COUNT]){[DEW_FLAW_DEGENERATE] = 1});
    assert_int_equal(audit.first[DEW_FLAW_DEGENERATE], 40);
    assert_true(audit.is_closed);
    dew_mesh_deinit(&mesh);
}

// Two spheres that share one vertex: closed edge by edge, but two fans meet there.
static void fans_that_meet_in_a_vertex(void **state)
{
    (void)state;
    dew_Mesh mesh, other;
    sphere(&mesh, 2);
    sphere(&other, 2);
    add_moved(&mesh, &other, 1, dew_vec(0, 2, 0));
    uint32_t top = 0, bottom = 11 + 42;  // (0, 1, 0) of the first, (0, -1, 0) + (0, 2, 0)
    for (int64_t c = 0; c < 3 * mesh.triangles.count; c++) {
        uint32_t *v = &DEW_ITEMS(&mesh.triangles, dew_Triangle)[c / 3].v[c % 3];
        *v = *v == bottom ? top : *v;
    }
    dew_MeshAudit audit = audit_of(&mesh);
    check_flaws(&audit, (int64_t[DEW_FLAW_COUNT]){
                            [DEW_FLAW_BRANCHING_VERTEX] = 1, [DEW_FLAW_UNREFERENCED] = 1});
    assert_int_equal(audit.first[DEW_FLAW_BRANCHING_VERTEX], top);
    assert_int_equal(audit.component_count, 1);
    assert_true(audit.is_closed && !audit.is_manifold);
    dew_mesh_deinit(&mesh);
    dew_mesh_deinit(&other);
}

// Pairs found by the tree are those found by trying all.
static void self_intersections_are_those_of_all_pairs(void **state)
{
    (void)state;
    dew_Mesh mesh, other;
    sphere(&mesh, 5);
    sphere(&other, 5);
    add_moved(&mesh, &other, 0.8, dew_vec(0.9, 0.2, 0.1));
    int64_t pairs = 0, first = -1;
    for (int64_t s = 0; s < mesh.triangles.count; s++) {
        for (int64_t t = s + 1; t < mesh.triangles.count; t++) {
            dew_Vec3 a[3], b[3];
            for (int i = 0; i < 3; i++) {
                a[i] = dew_mesh_positions(&mesh)[dew_mesh_triangles(&mesh)[s].v[i]];
                b[i] = dew_mesh_positions(&mesh)[dew_mesh_triangles(&mesh)[t].v[i]];
            }
            if (dew_triangle_overlaps_triangle(a, b)) {
                first = first < 0 ? s : first;
                pairs++;
            }
        }
    }
    dew_MeshAudit audit = audit_of(&mesh);
    assert_true(pairs > 20);
    assert_int_equal(audit.count[DEW_FLAW_SELF_INTERSECTION], pairs);
    assert_int_equal(audit.first[DEW_FLAW_SELF_INTERSECTION], first);
    assert_true(audit.has_self_intersections && !dew_mesh_audit_is_clean(&audit));
    dew_TasksDef def = dew_default_tasks_def();
    def.worker_count = 3;
    dew_MeshAuditDef parallel = {0};
    assert_ok(dew_tasks_create(&def, &parallel.tasks));
    dew_MeshAudit again;
    assert_ok(dew_mesh_audit(&mesh, &parallel, &again));
    assert_memory_equal(again.count, audit.count, sizeof audit.count);
    assert_memory_equal(again.first, audit.first, sizeof audit.first);
    dew_tasks_destroy(parallel.tasks);
    dew_mesh_deinit(&mesh);
    dew_mesh_deinit(&other);
}

static void inside_out_differs_from_cavities(void **state)
{
    (void)state;
    const struct {
        double scale[3];  // of nested spheres; negative: turned inside out
        int64_t inside_out;
    } cases[] = {
        {{1, -0.5, 0.25}, 0},   // a ball in the cavity of a ball
        {{1, 0.5, 0.25}, 0},    // solids in solids, as meant
        {{-1, 0.5, -0.25}, 3},  // all of it turned
        {{-1, -0.5, 0.25}, 1},  // only the outer one
    };
    for (int k = 0; k < 4; k++) {
        dew_Mesh mesh, part;
        dew_mesh_init(&mesh, NULL);
        sphere(&part, 3);
        for (int i = 0; i < 3; i++)
            add_moved(&mesh, &part, cases[k].scale[i], dew_vec(0, 0.01 * i, 0));
        dew_MeshAudit audit = audit_of(&mesh);
        check_flaws(&audit, (int64_t[DEW_FLAW_COUNT]){[DEW_FLAW_INSIDE_OUT] = cases[k].inside_out});
        assert_int_equal(audit.component_count, 3);
        dew_mesh_deinit(&mesh);
        dew_mesh_deinit(&part);
    }
}

static void nothing_is_not_closed(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    dew_MeshAudit audit = audit_of(&mesh);
    check_flaws(&audit, (int64_t[DEW_FLAW_COUNT]){0});
    assert_false(audit.is_closed);
    char text[8];  // cut, never beyond the end
    assert_int_equal(dew_mesh_audit_summary(&audit, text, sizeof text), 7);
    assert_string_equal(text, "not clo");
    dew_mesh_deinit(&mesh);
}

static void every_failed_allocation_is_reported_and_nothing_leaks(void **state)
{
    (void)state;
    dew_Mesh mesh;
    sphere(&mesh, 8);
    dew_mesh_flip(&mesh);
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        torture.keeps_failing = true;
        dew_MeshAuditDef def = {.allocator = dew_torture_allocator(&torture)};
        dew_MeshAudit audit;
        dew_Status status = dew_mesh_audit(&mesh, &def, &audit);
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
        cmocka_unit_test(a_sound_mesh_has_no_flaw),
        cmocka_unit_test(holes_are_open_edges),
        cmocka_unit_test(a_turned_triangle_twists_its_edges),
        cmocka_unit_test(vertices_that_are_bad_stop_the_rest),
        cmocka_unit_test(odds_and_ends),
        cmocka_unit_test(triangles_without_area),
        cmocka_unit_test(fans_that_meet_in_a_vertex),
        cmocka_unit_test(self_intersections_are_those_of_all_pairs),
        cmocka_unit_test(inside_out_differs_from_cavities),
        cmocka_unit_test(nothing_is_not_closed),
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
