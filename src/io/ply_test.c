// PLY: known files, what is refused and with which words, and the way there and back.
#include "io/ply.h"

#include "io/reader_test.h"

#define HEADER_TRIANGLE                                                                            \
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"                \
    "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
#define POINTS "0 0 0\n1 0 0\n0 1 0\n"

static void test_ascii(void **state)
{
    (void)state;
    static const char text[] =
        "ply\nformat ascii 1.0\ncomment made by hand\nobj_info nothing\nelement vertex 4\n"
        "property double z\nproperty float wet\nproperty list uchar int others\n"
        "property float x\nproperty int y\n"
        "element camera 2\nproperty float angle\nproperty list int float path\n"
        "element face 1\nproperty uchar red\nproperty list uint8 uint16 vertex_index\n"
        "element edge 1\nproperty int a\nend_header\n"
        "1 0.5 2 7 7 10 20\n1 1 0 11 20\n\n1 0 0 11 21\n1e0 -0.25 1 3 10 21\n"
        "0.5 0\n0.5 2 1 2\n255 4 0 1 2 3\n9\n";
    dew_Mesh mesh;
    dew_LogText log;
    dew_must_parse(dew_ply_parse, text, sizeof text - 1, &mesh, &log);
    assert_int_equal(mesh.positions.count, 4);
    assert_int_equal(mesh.triangles.count, 2);
    dew_Vec3 p = dew_mesh_positions(&mesh)[3];
    assert_true(p.x == 10 && p.y == 21 && p.z == 1);
    const dew_Triangle *t = dew_mesh_triangles(&mesh);
    static const uint32_t expected[6] = {0, 1, 2, 0, 2, 3};
    assert_memory_equal(t, expected, sizeof expected);
    const float *wet = dew_mesh_find_attribute(&mesh, "wet");
    assert_non_null(wet);
    assert_true(wet[0] == 0.5f && wet[1] == 1 && wet[2] == 0 && wet[3] == -0.25f);
    assert_int_equal(mesh.attributes.count, 1);
    assert_non_null(strstr(log.text, "FILE: 1 faces with more than 3 corners"));
    dew_mesh_deinit(&mesh);
    dew_must_survive(dew_ply_parse, text, sizeof text - 1);
}

// The same triangle in both byte orders: x as short, y as double, z as uchar, indices as ushort.
static void test_byte_orders(void **state)
{
    (void)state;
    static const char head[] =
        "ply\r\nformat binary_%s_endian 1.0\r\nelement vertex 3\r\nproperty short x\r\n"
        "property float64 y\r\nproperty uchar z\r\nelement face 1\r\n"
        "property list uint ushort vertex_indices\r\nend_header\r\n";
    static const uint8_t little[] = {0xFE, 0xFF, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F, 200,  // -2, 1.5, 200
                                     0x01, 0x02, 0, 0, 0, 0, 0, 0, 0,    0,    0,    // 513, 0, 0
                                     0x00, 0x00, 0, 0, 0, 0, 0, 0, 0,    0xC0, 1,    // 0, -2, 1
                                     3,    0,    0, 0, 2, 0, 1, 0, 0,    0};
    static const uint8_t big[] = {
        0xFF, 0xFE, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0, 200, 0x02, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0x00, 0x00, 0xC0, 0,    0, 0, 0, 0, 0, 0, 1,   0,    0,    0, 3, 0, 2, 0, 1, 0, 0};
    for (int i = 0; i < 2; i++) {
        char file[512];
        size_t length = (size_t)snprintf(file, sizeof file, head, i == 0 ? "little" : "big");
        size_t body = i == 0 ? sizeof little : sizeof big;
        memcpy(file + length, i == 0 ? little : big, body);
        dew_Mesh mesh;
        dew_must_parse(dew_ply_parse, file, length + body, &mesh, NULL);
        const dew_Vec3 *p = dew_mesh_positions(&mesh);
        assert_true(p[0].x == -2 && p[0].y == 1.5 && p[0].z == 200);
        assert_true(p[1].x == 513 && p[2].y == -2 && p[2].z == 1);
        const uint32_t *v = dew_mesh_triangles(&mesh)[0].v;
        assert_true(v[0] == 2 && v[1] == 1 && v[2] == 0);
        dew_mesh_deinit(&mesh);
        dew_must_survive(dew_ply_parse, file, length + body);
    }
}

// A lone CR ends the header; the LF behind it is the first byte of the data.
static void test_lone_returns(void **state)
{
    (void)state;
    static const char text[] = "ply\rformat binary_little_endian 1.0\relement vertex 1\r"
                               "property uchar x\rproperty uchar y\rproperty uchar z\r"
                               "end_header\r\n\x0B\x0C";
    dew_Mesh mesh;
    dew_must_parse(dew_ply_parse, text, sizeof text - 1, &mesh, NULL);
    dew_Vec3 p = dew_mesh_positions(&mesh)[0];
    assert_true(p.x == 10 && p.y == 11 && p.z == 12);
    dew_mesh_deinit(&mesh);
}

static void test_refused_headers(void **state)
{
    (void)state;
    MUST_REFUSE(dew_ply_parse, "plyx\n", ": byte 0: not a PLY file (its first line must be 'ply')");
    MUST_REFUSE(dew_ply_parse, "ply\nformat ascii 1.0\n",
                ":3: the file ends within its header (there is no 'end_header')");
    MUST_REFUSE(dew_ply_parse, "ply\nformat asci 1.0\n",
                ":2: unknown PLY format 'asci' (did you mean 'ascii'?)");
    MUST_REFUSE(dew_ply_parse, "ply\nformat ascii 2.0\n",
                ":2: PLY version '2.0' (1.0 is the only one)");
    MUST_REFUSE(dew_ply_parse, "ply\nelement vertex -1\n",
                ":2: '-1' is not a count of vertex elements");
    MUST_REFUSE(dew_ply_parse, "ply\nproperty float x\n",
                ":2: a property before the first element");
    MUST_REFUSE(dew_ply_parse, "ply\nelement vertex 1\nproperty flaot x\n",
                ":3: unknown PLY type 'flaot' (did you mean 'float'?)");
    MUST_REFUSE(dew_ply_parse, "ply\nelement vertex 1\nproperty float x\nproperty int x\n",
                ":4: property 'x' is declared twice");
    MUST_REFUSE(dew_ply_parse, "ply\nelement face 1\nelement face 1\n",
                ":3: element 'face' is declared twice");
    MUST_REFUSE(dew_ply_parse, "ply\nend_header\n", ":2: the header has no 'format' line");
    MUST_REFUSE(dew_ply_parse, "ply\nformat ascii 1.0\nend_header\n",
                ":3: the header declares no element 'vertex'");
    MUST_REFUSE(dew_ply_parse,
                "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float z\n"
                "end_header\n",
                ":3: element 'vertex' has no property 'y'");
}

static void test_refused_bodies(void **state)
{
    (void)state;
    MUST_REFUSE(dew_ply_parse,
                "ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\n"
                "property float y\nproperty float z\nend_header\n0 0 0\n",
                ":3: 4000000000 elements 'vertex' of at least 6 bytes each, but only 6 bytes "
                "follow");
    MUST_REFUSE(dew_ply_parse,
                "ply\nformat binary_big_endian 1.0\nelement vertex 9000000000000000000\n"
                "property float x\nproperty float y\nproperty float z\nend_header\n0000",
                ": byte 130: 9000000000000000000 elements 'vertex' of at least 12 bytes each, but "
                "only 4 bytes follow");
    MUST_REFUSE(dew_ply_parse, HEADER_TRIANGLE "0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n",
                ":11: vertex 1: y is not finite");
    MUST_REFUSE(dew_ply_parse, HEADER_TRIANGLE "0 0 0\n1 zwei 0\n0 1 0\n3 0 1 2\n",
                ":11: vertex 1: 'zwei' is not a number");
    MUST_REFUSE(dew_ply_parse, HEADER_TRIANGLE "0 0 0\n1 0\n0 1 0\n3 0 1 2\n",
                ":11: vertex 1: fewer values than the header declares");
    MUST_REFUSE(dew_ply_parse, HEADER_TRIANGLE "0 0 0\n1 0 0 0\n0 1 0\n3 0 1 2\n",
                ":11: vertex 1: more values than the header declares");
    MUST_REFUSE(dew_ply_parse, HEADER_TRIANGLE POINTS "3 0 1 3\n",
                ":13: face 0: vertex index 3 is out of range (0 to 2)");
    MUST_REFUSE(dew_ply_parse, HEADER_TRIANGLE POINTS "3 0 -1 2\n",
                ":13: face 0: vertex index -1 is out of range (0 to 2)");
    MUST_REFUSE(dew_ply_parse, HEADER_TRIANGLE POINTS "3 0 1.5 2\n",
                ":13: face 0: '1.5' is not an integer");
    MUST_REFUSE(dew_ply_parse, HEADER_TRIANGLE POINTS "2 0 1\n",
                ":13: face 0 has 2 corners (3 at least)");
    MUST_REFUSE(dew_ply_parse, HEADER_TRIANGLE POINTS "200 0 1\n",
                ":13: face 0: a list of 200 values, but only 4 bytes are left on the line");
    MUST_REFUSE(dew_ply_parse, HEADER_TRIANGLE POINTS "\n\n", ":15: the file ends in face 0 of 1");
}

static void test_warnings(void **state)
{
    (void)state;
    static const char text[] = HEADER_TRIANGLE POINTS "3 0 1 2\nmore\n";
    dew_Mesh mesh;
    dew_LogText log;
    dew_must_parse(dew_ply_parse, text, sizeof text - 1, &mesh, &log);
    assert_string_equal(log.text, "FILE: 4 bytes behind the last element were ignored\n");
    dew_mesh_deinit(&mesh);
}

static void test_there_and_back(void **state)
{
    (void)state;
    static const char *const names[] = {"nx", "ny", "nz", "vx", "wet"};
    for (int i = 0; i < 4; i++) {
        dew_MeshSaveDef def = {.is_text = i & 1, .has_double_positions = (i & 2) != 0};
        dew_Mesh mesh;
        dew_make_tetrahedron(&mesh, !def.has_double_positions);
        dew_must_return(dew_ply_write, dew_ply_parse, &mesh, &def);
        dew_add_attributes(&mesh, names, 5);
        float *values;
        dew_mesh_attribute(&mesh, "odd", &values);
        values[0] = NAN;
        values[1] = -INFINITY;
        dew_must_return(dew_ply_write, dew_ply_parse, &mesh, &def);
        dew_mesh_deinit(&mesh);
        dew_mesh_init(&mesh, NULL);
        dew_must_return(dew_ply_write, dew_ply_parse, &mesh, &def);
        dew_mesh_deinit(&mesh);
    }
}

// The bytes of the smallest file, by hand.
static void test_written_bytes(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_Array bytes;
    dew_mesh_init(&mesh, NULL);
    dew_mesh_add_vertex(&mesh, dew_vec(1, -2, 0.5));
    dew_mesh_add_triangle(&mesh, 0, 0, 0);
    dew_MeshSaveDef def = dew_default_mesh_save_def();
    dew_must_write(dew_ply_write, &mesh, &def, &bytes);
    static const char expected[] =
        "ply\nformat binary_little_endian 1.0\ncomment written by Dew " DEW_VERSION "\n"
        "element vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
        "\0\0\x80\x3F\0\0\0\xC0\0\0\0\x3F"
        "\3\0\0\0\0\0\0\0\0\0\0\0\0";
    assert_int_equal(bytes.count, sizeof expected - 1);
    assert_memory_equal(bytes.data, expected, sizeof expected - 1);
    dew_array_deinit(&bytes);
    dew_mesh_deinit(&mesh);
}

static void test_unwritable(void **state)
{
    (void)state;
    dew_MeshSaveDef def = dew_default_mesh_save_def();
    dew_Mesh mesh;
    dew_Sink sink;
    dew_Array bytes;
    float *values;
    dew_array_init(&bytes, NULL, 1);
    dew_sink_begin_memory(&sink, &bytes);
    dew_make_tetrahedron(&mesh, true);
    dew_Vec3 *p = mesh.positions.data;
    p[1].y = 1e39;
    assert_string_equal(dew_ply_write(&mesh, &def, &sink).message,
                        "vertex 1 at (1, 1e+39, 0.3) is beyond single precision (write doubles)");
    p[1].y = (double)NAN;
    assert_string_equal(dew_ply_write(&mesh, &def, &sink).message, "vertex 1 is not finite");
    p[1].y = 0;
    ((dew_Triangle *)mesh.triangles.data)[2].v[1] = 4;
    assert_string_equal(dew_ply_write(&mesh, &def, &sink).message,
                        "triangle 2 has a corner out of range (0 to 3)");
    ((dew_Triangle *)mesh.triangles.data)[2].v[1] = 3;
    dew_mesh_attribute(&mesh, "a b", &values);
    assert_int_equal(dew_ply_write(&mesh, &def, &sink).code, DEW_BAD_INPUT);
    assert_int_equal(bytes.count, 0);
    dew_array_deinit(&bytes);
    dew_mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ascii),          cmocka_unit_test(test_byte_orders),
        cmocka_unit_test(test_lone_returns),   cmocka_unit_test(test_refused_headers),
        cmocka_unit_test(test_refused_bodies), cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_there_and_back), cmocka_unit_test(test_written_bytes),
        cmocka_unit_test(test_unwritable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
