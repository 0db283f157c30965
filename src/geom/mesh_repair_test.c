// Repairs: each alone on a mesh broken for it, all at once, and nothing where nothing is wrong.
#include "geom/mesh.h"

#include "base/torture.h"
#include "geom/mesh_audit.h"
#include "geom/mesh_measure.h"
#include "geom/sample_meshes.h"

#include <stdio.h>

typedef struct Lines {
    int count;
    char last[400];
} Lines;

static void write_line(void *context, dew_LogLevel level, const char *message)
{
    Lines *lines = context;
    assert_true(level >= DEW_LOG_INFO);
    assert_null(strchr(message, '\n'));
    lines->count++;
    snprintf(lines->last, sizeof lines->last, "%s", message);
}

static dew_MeshRepairs repair(dew_Mesh *mesh, Lines *lines)
{
    dew_MeshRepairs repairs;
    *lines = (Lines){0};
    dew_MeshRepairDef def = {.log = {write_line, lines}, .name = "ball.stl"};
    assert_ok(dew_mesh_repair(mesh, &def, &repairs));
    return repairs;
}

static void check_sound(const dew_Mesh *mesh, double volume)
{
    dew_MeshAudit audit;
    assert_ok(dew_mesh_audit(mesh, NULL, &audit));
    assert_true(dew_mesh_audit_is_clean(&audit));
    for (int f = 0; f < DEW_FLAW_COUNT; f++)
        assert_int_equal(audit.count[f], 0);
    assert_within(dew_mesh_measure(mesh).volume_m3, volume, 1e-13 * fabs(volume));
}

static double sphere(dew_Mesh *mesh)
{
    dew_mesh_init(mesh, NULL);
    assert_ok(dew_shape_icosphere(1, 5, mesh));
    return dew_mesh_measure(mesh).volume_m3;
}

// Each triangle with vertices of its own, as STL files have them.
static void tear_apart(dew_Mesh *mesh)
{
    dew_Mesh soup;
    dew_mesh_init(&soup, NULL);
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        for (int i = 0; i < 3; i++)
            assert_ok(dew_mesh_add_vertex(
                &soup, dew_mesh_positions(mesh)[dew_mesh_triangles(mesh)[t].v[i]]));
        uint32_t v = (uint32_t)(3 * t);
        assert_ok(dew_mesh_add_triangle(&soup, v, v + 1, v + 2));
    }
    assert_ok(dew_mesh_copy(mesh, &soup));
    dew_mesh_deinit(&soup);
}

static void a_sound_mesh_is_left_alone(void **state)
{
    (void)state;
    dew_Mesh mesh, before;
    Lines lines;
    sphere(&mesh);
    dew_mesh_init(&before, NULL);
    assert_ok(dew_mesh_copy(&before, &mesh));
    dew_MeshRepairs done = repair(&mesh, &lines), none = {0};
    assert_memory_equal(&done, &none, sizeof none);
    assert_int_equal(lines.count, 0);
    assert_int_equal(mesh.triangles.count, before.triangles.count);
    assert_memory_equal(mesh.triangles.data, before.triangles.data,
                        (size_t)before.triangles.count * sizeof(dew_Triangle));
    dew_mesh_deinit(&before);
    dew_mesh_deinit(&mesh);
}

static void soup_is_welded(void **state)
{
    (void)state;
    dew_Mesh mesh;
    Lines lines;
    double volume = sphere(&mesh);
    int64_t vertices = mesh.positions.count;
    tear_apart(&mesh);
    float *number;
    assert_ok(dew_mesh_attribute(&mesh, "number", &number));
    for (int64_t v = 0; v < mesh.positions.count; v++)
        number[v] = (float)dew_mesh_positions(&mesh)[v].x;
    dew_MeshRepairs done = repair(&mesh, &lines);
    assert_int_equal(mesh.positions.count, vertices);
    assert_int_equal(done.welded, 3 * mesh.triangles.count - vertices);
    assert_int_equal(done.dropped, 0);
    assert_string_equal(lines.last, "ball.stl: 1248 coincident vertices welded");
    const float *kept = dew_mesh_find_attribute(&mesh, "number");
    for (int64_t v = 0; v < mesh.positions.count; v++)  // attributes moved along
        assert_true(kept[v] == (float)dew_mesh_positions(&mesh)[v].x);
    check_sound(&mesh, volume);
    dew_mesh_deinit(&mesh);
}

static void near_vertices_are_welded_on_request(void **state)
{
    (void)state;
    dew_Mesh mesh;
    sphere(&mesh);
    int64_t vertices = mesh.positions.count;
    tear_apart(&mesh);
    dew_Random random = dew_random(22, 0, 0);
    for (int64_t v = 0; v < mesh.positions.count; v++) {
        dew_Vec3 *x = &DEW_ITEMS(&mesh.positions, dew_Vec3)[v];
        *x = dew_add(*x, sample_point(&random, 1e-6));
    }
    dew_MeshRepairDef def = {.weld_distance =
                                 4e-6};  // two of them are at most 2 sqrt(3) 1e-6 apart
    assert_ok(dew_mesh_repair(&mesh, &def, NULL));
    assert_int_equal(mesh.positions.count, vertices);
    dew_MeshAudit audit;
    assert_ok(dew_mesh_audit(&mesh, NULL, &audit));
    assert_true(dew_mesh_audit_is_clean(&audit));
    dew_mesh_deinit(&mesh);
}

// Closed parts that touch in a vertex stay two.
static void closed_parts_are_not_welded(void **state)
{
    (void)state;
    dew_Mesh mesh, other;
    Lines lines;
    sphere(&mesh);
    sphere(&other);
    dew_mesh_transform(&other, 1, dew_rotation_identity(), dew_vec(0, 2, 0));
    assert_ok(dew_mesh_append(&mesh, &other));
    assert_int_equal(repair(&mesh, &lines).welded, 0);
    dew_mesh_deinit(&mesh);
    dew_mesh_deinit(&other);
}

static void copies_and_collapsed_triangles_go(void **state)
{
    (void)state;
    dew_Mesh mesh;
    Lines lines;
    double volume = sphere(&mesh);
    int64_t triangles = mesh.triangles.count;
    for (uint32_t k = 0; k < 5; k++) {
        dew_Triangle t = dew_mesh_triangles(&mesh)[10 * k];
        assert_ok(dew_mesh_add_triangle(&mesh, t.v[1], t.v[2], t.v[0]));
        assert_ok(dew_mesh_add_triangle(&mesh, t.v[k % 3], t.v[0], t.v[k % 3]));
    }
    // A fin of two that cancel: on vertices of which no triangle exists.
    assert_ok(dew_mesh_add_triangle(&mesh, 0, 11, 5));
    assert_ok(dew_mesh_add_triangle(&mesh, 5, 11, 0));
    dew_MeshRepairs done = repair(&mesh, &lines);
    assert_int_equal(done.duplicate, 5 + 2);
    assert_int_equal(done.degenerate, 5);
    assert_int_equal(lines.count, 2);
    assert_int_equal(mesh.triangles.count, triangles);
    check_sound(&mesh, volume);
    dew_mesh_deinit(&mesh);
}

static void two_sided_files_become_one_sided(void **state)
{
    (void)state;
    dew_Mesh mesh, back;
    Lines lines;
    double volume = sphere(&mesh);
    dew_mesh_init(&back, NULL);
    assert_ok(dew_mesh_copy(&back, &mesh));
    dew_mesh_flip(&back);
    int64_t triangles = mesh.triangles.count;
    for (int64_t t = 0; t < triangles; t++) {
        const uint32_t *v = dew_mesh_triangles(&back)[t].v;
        assert_ok(dew_mesh_add_triangle(&mesh, v[0], v[1], v[2]));
    }
    assert_int_equal(repair(&mesh, &lines).duplicate, triangles);
    check_sound(&mesh, volume);
    dew_mesh_deinit(&mesh);
    dew_mesh_deinit(&back);
}

static void turned_triangles_are_turned_back(void **state)
{
    (void)state;
    dew_Mesh mesh;
    Lines lines;
    double volume = sphere(&mesh);
    dew_Random random = dew_random(23, 0, 0);
    for (int64_t t = 0; t < mesh.triangles.count; t++) {
        dew_Triangle *triangle = &DEW_ITEMS(&mesh.triangles, dew_Triangle)[t];
        if (dew_random_unit(&random) < 0.7)  // most of them
            *triangle = (dew_Triangle){{triangle->v[1], triangle->v[0], triangle->v[2]}};
    }
    dew_MeshRepairs done = repair(&mesh, &lines);
    assert_true(done.turned > 0 && done.turned < mesh.triangles.count / 2);
    assert_int_equal(done.flipped, 1);
    check_sound(&mesh, volume);
    dew_mesh_deinit(&mesh);
}

static void inside_out_parts_are_turned_and_cavities_stay(void **state)
{
    (void)state;
    dew_Mesh mesh, cavity, far_ball;
    Lines lines;
    double volume = sphere(&mesh);
    sphere(&cavity);
    sphere(&far_ball);
    dew_mesh_transform(&cavity, 0.5, dew_rotation_identity(), dew_vec(0, 0, 0));
    dew_mesh_flip(&cavity);
    dew_mesh_transform(&far_ball, 1, dew_rotation_identity(), dew_vec(5, 0, 0));
    dew_mesh_flip(&far_ball);
    assert_ok(dew_mesh_append(&mesh, &cavity));
    assert_ok(dew_mesh_append(&mesh, &far_ball));
    assert_int_equal(repair(&mesh, &lines).flipped, 1);
    assert_string_equal(lines.last, "ball.stl: 1 inside-out component turned right side out");
    check_sound(&mesh, volume * (1 - 0.125 + 1));
    dew_mesh_flip(&mesh);  // all of it
    dew_MeshRepairDef def = {.keep_orientation = true};
    assert_ok(dew_mesh_repair(&mesh, &def, NULL));
    assert_true(dew_mesh_measure(&mesh).volume_m3 < 0);
    assert_int_equal(repair(&mesh, &lines).flipped, 3);
    check_sound(&mesh, volume * (1 - 0.125 + 1));
    dew_mesh_deinit(&mesh);
    dew_mesh_deinit(&cavity);
    dew_mesh_deinit(&far_ball);
}

// A Moebius strip has no outside: it stays as it is, and that is said.
static void one_sided_strips_are_left(void **state)
{
    (void)state;
    enum { N = 12 };
    dew_Mesh mesh;
    Lines lines;
    dew_mesh_init(&mesh, NULL);
    for (int i = 0; i < N; i++) {
        double a = 2 * DEW_PI * i / N;
        for (int side = -1; side <= 1; side += 2) {
            double r = 2 + 0.5 * side * cos(a / 2), y = 0.5 * side * sin(a / 2);
            assert_ok(dew_mesh_add_vertex(&mesh, dew_vec(r * cos(a), y, r * sin(a))));
        }
    }
    for (uint32_t i = 0; i < N; i++) {
        uint32_t a = 2 * i, b = a + 1, c = i + 1 < N ? a + 2 : 1, d = i + 1 < N ? a + 3 : 0;
        assert_ok(dew_mesh_add_triangle(&mesh, a, b, c));
        assert_ok(dew_mesh_add_triangle(&mesh, b, d, c));
    }
    assert_int_equal(repair(&mesh, &lines).turned, 0);
    assert_int_equal(lines.count, 1);
    assert_non_null(strstr(lines.last, "1 one-sided patch without"));
    dew_mesh_deinit(&mesh);
}

static void lonely_vertices_go(void **state)
{
    (void)state;
    dew_Mesh mesh;
    Lines lines;
    double volume = sphere(&mesh);
    int64_t vertices = mesh.positions.count;
    assert_ok(dew_mesh_add_vertex(&mesh, dew_vec(9, 9, 9)));
    assert_int_equal(repair(&mesh, &lines).dropped, 1);
    assert_int_equal(mesh.positions.count, vertices);
    check_sound(&mesh, volume);
    dew_mesh_deinit(&mesh);
}

static void what_cannot_be_mended_is_refused(void **state)
{
    (void)state;
    dew_Mesh mesh;
    sphere(&mesh);
    DEW_ITEMS(&mesh.triangles, dew_Triangle)[3].v[0] = 99999;
    dew_Status status = dew_mesh_repair(&mesh, NULL, NULL);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "triangle 3"));
    DEW_ITEMS(&mesh.triangles, dew_Triangle)[3].v[0] = 0;
    DEW_ITEMS(&mesh.positions, dew_Vec3)[2].x = (double)NAN;
    assert_int_equal(dew_mesh_repair(&mesh, NULL, NULL).code, DEW_BAD_INPUT);
    dew_mesh_clear(&mesh);
    assert_ok(dew_mesh_repair(&mesh, NULL, NULL));
    dew_mesh_deinit(&mesh);
}

static void every_failed_allocation_is_reported_and_nothing_leaks(void **state)
{
    (void)state;
    dew_Mesh broken;
    sphere(&broken);
    tear_apart(&broken);
    dew_mesh_flip(&broken);
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(-1);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Mesh mesh;
        dew_mesh_init(&mesh, &allocator);
        assert_ok(dew_mesh_copy(&mesh, &broken));
        torture.fail_at = torture.calls + n;
        torture.keeps_failing = true;
        dew_Status status = dew_mesh_repair(&mesh, NULL, NULL);
        bool has_failed = torture.calls > torture.fail_at;
        assert_int_equal(status.code, has_failed ? DEW_NO_MEMORY : DEW_OK);
        dew_mesh_deinit(&mesh);
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        if (!has_failed)
            break;
    }
    dew_mesh_deinit(&broken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_mesh_is_left_alone),
        cmocka_unit_test(soup_is_welded),
        cmocka_unit_test(near_vertices_are_welded_on_request),
        cmocka_unit_test(closed_parts_are_not_welded),
        cmocka_unit_test(copies_and_collapsed_triangles_go),
        cmocka_unit_test(two_sided_files_become_one_sided),
        cmocka_unit_test(turned_triangles_are_turned_back),
        cmocka_unit_test(inside_out_parts_are_turned_and_cavities_stay),
        cmocka_unit_test(one_sided_strips_are_left),
        cmocka_unit_test(lonely_vertices_go),
        cmocka_unit_test(what_cannot_be_mended_is_refused),
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
