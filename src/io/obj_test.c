// OBJ: known files, what is refused and with which words, and the way there and back.
#include "io/obj.h"

#include "io/reader_test.h"

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static void expect_triangles(const dew_Mesh *mesh, const uint32_t *expected, int64_t count)
{
    assert_int_equal(mesh->triangles.count, count);
    assert_memory_equal(mesh->triangles.data, expected, (size_t)count * sizeof(dew_Triangle));
}

static void test_forms(void **state)
{
    (void)state;
    static const char text[] = "# a square and more\r\n" SQUARE "vt 0 0\nvt 1 1\nvt 1 0\n"
                               "f 1 2 3 4\n"               // a polygon
                               "f -4 -3 -2\n"              // backwards
                               "f 1/1 2/2 3/3\n"           // with texture
                               "f\t4/1/  3// 2\\\n 1/2\n"  // empty parts, a continued line
                               "f 1 5 2 # forwards\n"
                               "  v 1e1 +2 -.5 1 0.5 0.25\n";
    static const uint32_t expected[] = {0, 1, 2, 0, 2, 3, 0, 1, 2, 0, 1,
                                        2, 3, 2, 1, 3, 1, 0, 0, 4, 1};
    dew_Mesh mesh;
    dew_LogText log;
    dew_must_parse(dew_obj_parse, text, sizeof text - 1, &mesh, &log);
    assert_int_equal(mesh.positions.count, 5);
    dew_Vec3 p = dew_mesh_positions(&mesh)[4];
    assert_true(p.x == 10 && p.y == 2 && p.z == -0.5);
    expect_triangles(&mesh, expected, 7);
    assert_string_equal(log.text,
                        "FILE:6: texture coordinates are ignored\n"
                        "FILE:15: vertex colours or weights are ignored\n"
                        "FILE: 2 faces with more than 3 corners were cut into triangles from their "
                        "first corner (right where they are convex)\n");
    dew_mesh_deinit(&mesh);
    dew_must_survive(dew_obj_parse, text, sizeof text - 1);
}

static void test_ignored_once(void **state)
{
    (void)state;
    static const char text[] = "mtllib a.mtl\no thing\ng part\nusemtl red\ns off\n" SQUARE
                               "l 1 2\np 1\ncstype bezier\nusemtl blue\ng other \\\n more\nf 1 2 3";
    dew_Mesh mesh;
    dew_LogText log;
    dew_must_parse(dew_obj_parse, text, sizeof text - 1, &mesh, &log);
    assert_int_equal(mesh.triangles.count, 1);
    assert_string_equal(log.text, "FILE:1: materials are ignored\n"
                                  "FILE:2: groups and objects are ignored\n"
                                  "FILE:5: smoothing groups are ignored\n"
                                  "FILE:10: points and lines are ignored\n"
                                  "FILE:12: curves and curved surfaces are ignored\n");
    dew_mesh_deinit(&mesh);
}

static void test_normals(void **state)
{
    (void)state;
    static const char kept[] = SQUARE "vn 0 0 1\nvn 0 0 1\nvn 0 1 0\n"
                                      "f 1//1 2//1 3//2\nf 1//2 3//-3 4//3\n";
    static const char torn[] = SQUARE "vn 0 0 1\nvn 0 1 0\nf 1//1 2//1 3//1\nf 1//2 3//2 4//2\n";
    static const char bare[] = SQUARE "vn 0 0 1\nf 1 2 3\nf 1//1 3//1 4//1\n";
    dew_Mesh mesh;
    dew_must_parse(dew_obj_parse, kept, sizeof kept - 1, &mesh, NULL);
    const float *ny = dew_mesh_find_attribute(&mesh, "ny"),
                *nz = dew_mesh_find_attribute(&mesh, "nz");
    assert_true(ny && nz && nz[0] == 1 && nz[1] == 1 && nz[2] == 1 && nz[3] == 0 && ny[3] == 1);
    dew_mesh_deinit(&mesh);
    dew_must_survive(dew_obj_parse, kept, sizeof kept - 1);
    const char *const texts[] = {torn, bare};
    for (int i = 0; i < 2; i++) {
        dew_LogText log;
        dew_must_parse(dew_obj_parse, texts[i], strlen(texts[i]), &mesh, &log);
        assert_int_equal(mesh.attributes.count, 0);
        assert_string_equal(log.text,
                            "FILE: normals are ignored (they differ between the corners of "
                            "a vertex, or some have none)\n");
        dew_mesh_deinit(&mesh);
    }
}

// A normal that is no number, or none in single precision, counts as none.
static void test_normals_not_finite(void **state)
{
    (void)state;
    static const char text[] = SQUARE "vn 0 0 nan\nvn 0 0 1\nvn 1e300 0 0\n"
                                      "f 1//1 2//2 3//3\nf 1//1 3//3 4//2\n";
    dew_Mesh mesh;
    dew_LogText log;
    dew_must_parse(dew_obj_parse, text, sizeof text - 1, &mesh, &log);
    const float *nx = dew_mesh_find_attribute(&mesh, "nx");
    const float *nz = dew_mesh_find_attribute(&mesh, "nz");
    assert_non_null(nz);
    static const float expected[] = {0, 1, 0, 1};
    for (int i = 0; i < 4; i++)
        assert_true(nx[i] == 0 && nz[i] == expected[i]);
    dew_mesh_deinit(&mesh);
}

static void test_refused(void **state)
{
    (void)state;
    MUST_REFUSE(dew_obj_parse, "v 0 0\n", ":1: a vertex wants 3 numbers, here are 2");
    MUST_REFUSE(dew_obj_parse, "v\n", ":1: a vertex wants 3 numbers, here are 0");
    MUST_REFUSE(dew_obj_parse, "\nv 0 x 0\n", ":2: a vertex: 'x' is not a number");
    MUST_REFUSE(dew_obj_parse, "v 0 0 inf\n", ":1: vertex 1 is not finite");
    MUST_REFUSE(dew_obj_parse, SQUARE "f 1 2\n", ":5: face 1 has 2 corners (3 at least)");
    MUST_REFUSE(dew_obj_parse, SQUARE "f 1 2 3\nf 1\n", ":6: face 2 has 1 corner (3 at least)");
    MUST_REFUSE(dew_obj_parse, SQUARE "f 0 1 2\n",
                ":5: face 1: index 0 is out of range (1 to 4, or -4 to -1)");
    MUST_REFUSE(dew_obj_parse, "f -1 -2 -3\n" SQUARE,
                ":1: face 1: index -1, but there is none before it");
    MUST_REFUSE(dew_obj_parse, SQUARE "f 1 2 -5\n",
                ":5: face 1: index -5 is out of range (1 to 4, or -4 to -1)");
    MUST_REFUSE(dew_obj_parse, SQUARE "f 1 2 5\nf 1 2 3\n",
                ":5: face 1: vertex index 5 is out of range (the file has 4)");
    MUST_REFUSE(dew_obj_parse, SQUARE "f 1//1 2//1 3//1\n",
                ":5: face 1: normal index 1 is out of range (the file has 0)");
    MUST_REFUSE(dew_obj_parse, SQUARE "f 1 2 9999999999999999999\n",
                ":5: face 1: '9999999999999999999' is not an index");
    MUST_REFUSE(dew_obj_parse, SQUARE "f 1 2 4294967297\n",
                ":5: face 1: index 4294967297 is out of range (1 to 4, or -4 to -1)");
    MUST_REFUSE(dew_obj_parse, SQUARE "f 1 2 /3\n", ":5: face 1: '' is not an index");
    MUST_REFUSE(dew_obj_parse, SQUARE "f 1/1/1/1 2 3\n",
                ":5: face 1: '1/1/1/1' has more than 3 indices");
    MUST_REFUSE(dew_obj_parse, "usemtll red\n",
                ":1: unknown OBJ keyword 'usemtll' (did you mean 'usemtl'?)");
}

static void test_there_and_back(void **state)
{
    (void)state;
    static const char *const names[] = {"nx", "ny", "nz"};
    for (int i = 0; i < 2; i++) {
        dew_MeshSaveDef def = {.has_double_positions = i == 1};
        dew_Mesh mesh;
        dew_make_tetrahedron(&mesh, i == 0);
        dew_must_return(dew_obj_write, dew_obj_parse, &mesh, &def);
        dew_add_attributes(&mesh, names, 3);
        dew_must_return(dew_obj_write, dew_obj_parse, &mesh, &def);
        dew_mesh_deinit(&mesh);
    }
}

static void test_lost_attributes(void **state)
{
    (void)state;
    static const char *const names[] = {"nx", "wet", "ny", "nz", "vx"};
    dew_LogText log = {0};
    dew_MeshSaveDef def = {.log = {dew_log_text_write, &log}};
    dew_Mesh mesh;
    dew_Array bytes;
    dew_make_tetrahedron(&mesh, true);
    dew_add_attributes(&mesh, names, 5);
    dew_must_write(dew_obj_write, &mesh, &def, &bytes);
    assert_string_equal(log.text, "wet, vx: OBJ has no place for them; left out\n");
    dew_array_deinit(&bytes);
    dew_mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),           cmocka_unit_test(test_ignored_once),
        cmocka_unit_test(test_normals),         cmocka_unit_test(test_normals_not_finite),
        cmocka_unit_test(test_refused),         cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_lost_attributes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
