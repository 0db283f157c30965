// Meshes that are fit to be solids, and those that are not.
#include "base/testing.h"
#include "geom/mesh_measure.h"
#include "geom/shapes.h"
#include "problem/watertight.h"

#include <stdio.h>
#include <string.h>

static char heard[4096];

static void hear(void *context, dew_LogLevel level, const char *message)
{
    (void)context, (void)level;
    size_t length = strlen(heard);
    snprintf(heard + length, sizeof heard - length, "%s\n", message);
}

static dew_Status judge(dew_Mesh *mesh)
{
    dew_Log log = {hear, NULL};
    heard[0] = 0;
    return dew_mesh_make_watertight(mesh, "thing.ply", &log, NULL);
}

static void drop_triangles(dew_Mesh *mesh, int64_t count)
{
    mesh->triangles.count -= count;
}

static void clean_mesh_passes_in_silence(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_sphere(1, 0.1, &mesh));
    assert_ok(judge(&mesh));
    assert_string_equal(heard, "");
    double hole;
    assert_ok(dew_mesh_hole_area(&mesh, &hole));
    assert_true(hole == 0);
    dew_mesh_deinit(&mesh);
}

static void inside_out_is_turned_with_a_word(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_box(dew_vec(1, 1, 1), 0, &mesh));
    dew_mesh_flip(&mesh);
    assert_ok(judge(&mesh));
    assert_true(dew_mesh_measure(&mesh).volume_m3 > 0.99);
    assert_non_null(strstr(heard, "thing.ply"));
    dew_mesh_deinit(&mesh);
}

static void small_hole_passes_with_a_word(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_sphere(1, 0.1, &mesh));
    double area = dew_mesh_measure(&mesh).area_m2;
    drop_triangles(&mesh, 1);
    double hole;
    assert_ok(dew_mesh_hole_area(&mesh, &hole));
    assert_true(fabs(hole - (area - dew_mesh_measure(&mesh).area_m2)) < 1e-15);
    assert_ok(judge(&mesh));
    assert_non_null(strstr(heard, "3 open edges"));
    dew_mesh_deinit(&mesh);
}

// The rim of a cube without its lid spans the lid.
static void wide_open_is_refused(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_box(dew_vec(1, 1, 1), 0.2, &mesh));
    int64_t kept = 0;
    dew_Triangle *t = DEW_ITEMS(&mesh.triangles, dew_Triangle);
    for (int64_t i = 0; i < mesh.triangles.count; i++) {
        const dew_Vec3 *x = dew_mesh_positions(&mesh);
        bool is_lid = x[t[i].v[0]].y > 0.499 && x[t[i].v[1]].y > 0.499 && x[t[i].v[2]].y > 0.499;
        if (!is_lid)
            t[kept++] = t[i];
    }
    mesh.triangles.count = kept;
    double hole;
    assert_ok(dew_mesh_hole_area(&mesh, &hole));
    assert_true(fabs(hole - 1) < 1e-12);
    dew_Status status = judge(&mesh);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "is open"));
    assert_non_null(strstr(status.message, "20 %"));
    dew_mesh_deinit(&mesh);
}

// Two cubes, each without a lid, facing one another: the holes do not cancel.
static void holes_add_up(void **state)
{
    (void)state;
    dew_Mesh one, two;
    dew_mesh_init(&one, NULL);
    dew_mesh_init(&two, NULL);
    assert_ok(dew_shape_patch(1, 1, 0, &one));
    assert_ok(dew_mesh_copy(&two, &one));
    dew_mesh_flip(&two);
    dew_mesh_transform(&two, 1, dew_rotation_identity(), dew_vec(0, 3, 0));
    assert_ok(dew_mesh_append(&one, &two));
    double hole;
    assert_ok(dew_mesh_hole_area(&one, &hole));
    assert_true(fabs(hole - 2) < 1e-14);
    dew_mesh_deinit(&one);
    dew_mesh_deinit(&two);
}

// Corners in the same place become one vertex.
static void share_vertices(dew_Mesh *mesh)
{
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    dew_Triangle *t = DEW_ITEMS(&mesh->triangles, dew_Triangle);
    for (int64_t i = 0; i < 3 * mesh->triangles.count; i++) {
        uint32_t *v = &t[i / 3].v[i % 3], w = 0;
        while (x[w].x != x[*v].x || x[w].y != x[*v].y || x[w].z != x[*v].z)
            w++;
        *v = w;
    }
}

// Two cubes, the other one `offset` away: apart they pass in silence; where they cross, share an
// edge or touch in one vertex, one line says so.
static void cubes_that_meet_get_a_warning(void **state)
{
    (void)state;
    static const struct {
        dew_Vec3 offset;
        const char *words;  // NULL: silence
    } cases[] = {
        {{3, 0, 0}, NULL},
        {{0.5, 0.25, 0.125}, "crosses itself"},
        {{1, 1, 0}, "edge with more than two triangles"},
        {{1, 1, 1}, "vertex where separate fans meet"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dew_Mesh one, two;
        dew_mesh_init(&one, NULL);
        dew_mesh_init(&two, NULL);
        assert_ok(dew_shape_box(dew_vec(1, 1, 1), 0, &one));
        assert_ok(dew_mesh_copy(&two, &one));
        dew_mesh_transform(&two, 1, dew_rotation_identity(), cases[i].offset);
        assert_ok(dew_mesh_append(&one, &two));
        share_vertices(&one);
        assert_ok(judge(&one));
        if (!cases[i].words) {
            assert_string_equal(heard, "");
        } else {
            if (!strstr(heard, cases[i].words))
                fail_msg("case %zu: heard \"%s\"", i, heard);
            const char *line = strstr(heard, "thing.ply: the mesh ");  // after that of the repair
            assert_non_null(line);
            assert_true(strchr(line, '\n') == line + strlen(line) - 1);
        }
        dew_mesh_deinit(&one);
        dew_mesh_deinit(&two);
    }
}

static void nothing_and_flat_things_are_refused(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_int_equal(judge(&mesh).code, DEW_BAD_INPUT);
    // A triangle with a front and a back: closed, but there is nothing in it.
    assert_ok(dew_mesh_add_vertex(&mesh, dew_vec(0, 0, 0)));
    assert_ok(dew_mesh_add_vertex(&mesh, dew_vec(1, 0, 0)));
    assert_ok(dew_mesh_add_vertex(&mesh, dew_vec(0, 1, 0)));
    assert_ok(dew_mesh_add_vertex(&mesh, dew_vec(0.3, 0.3, 0)));
    assert_ok(dew_mesh_add_triangle(&mesh, 0, 1, 2));
    assert_ok(dew_mesh_add_triangle(&mesh, 1, 0, 3));
    assert_ok(dew_mesh_add_triangle(&mesh, 2, 1, 3));
    assert_ok(dew_mesh_add_triangle(&mesh, 0, 2, 3));
    dew_Status status = judge(&mesh);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "no volume"));
    dew_mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clean_mesh_passes_in_silence),
        cmocka_unit_test(inside_out_is_turned_with_a_word),
        cmocka_unit_test(small_hole_passes_with_a_word),
        cmocka_unit_test(wide_open_is_refused),
        cmocka_unit_test(holes_add_up),
        cmocka_unit_test(cubes_that_meet_get_a_warning),
        cmocka_unit_test(nothing_and_flat_things_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
