// STL: both kinds, distinguished; welding; what is refused and with which words; there and back.
#include "io/stl.h"

#include "io/reader_test.h"
#include "io/scalar.h"

#define FACET(a, b, c)                                                                             \
    "facet normal 0 0 1\nouter loop\nvertex " a "\nvertex " b "\nvertex " c "\nendloop\nendfacet"  \
    "\n"

static void test_text(void **state)
{
    (void)state;
    static const char text[] = "solid two words\n" FACET(
        "0 0 0", "1 0 0", "0 1 0") "ENDSOLID two\n"
                                   "Solid\n" FACET("1 0 0", "1 1 0", "-0 1 0") "endsolid";
    static const uint32_t expected[] = {0, 1, 2, 1, 3, 2};
    dew_Mesh mesh;
    dew_must_parse(dew_stl_parse, text, sizeof text - 1, &mesh, NULL);
    assert_int_equal(mesh.positions.count, 4);  // the shared corners are welded, -0 to 0
    assert_int_equal(mesh.triangles.count, 2);
    assert_memory_equal(mesh.triangles.data, expected, sizeof expected);
    dew_mesh_deinit(&mesh);
    dew_must_survive(dew_stl_parse, text, sizeof text - 1);
}

// Two triangles of a square, with a header of the caller's choice.
static size_t make_binary(uint8_t *out, const char *header)
{
    static const float corners[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0},
                                        {0, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    memset(out, 0, 184);
    memcpy(out, header, strlen(header));
    dew_bytes_put32(out + 80, 2);
    for (size_t i = 0; i < 6; i++) {
        for (size_t k = 0; k < 3; k++)
            dew_bytes_put_float(out + 84 + i / 3 * 50 + 12 + i % 3 * 12 + 4 * k, corners[i][k]);
    }
    return 184;
}

static void test_binary(void **state)
{
    (void)state;
    static const char *const headers[] = {"made by hand", "solid but binary", ""};
    static const uint32_t expected[] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 3; i++) {
        uint8_t file[184];
        dew_Mesh mesh;
        size_t size = make_binary(file, headers[i]);
        dew_must_parse(dew_stl_parse, file, size, &mesh, NULL);
        assert_int_equal(mesh.positions.count, 4);
        assert_memory_equal(mesh.triangles.data, expected, sizeof expected);
        dew_mesh_deinit(&mesh);
        dew_must_survive(dew_stl_parse, file, size);
    }
}

static void test_refused_binary(void **state)
{
    (void)state;
    uint8_t file[184];
    size_t size = make_binary(file, "solid but binary");
    dew_must_refuse(dew_stl_parse, file, size - 1,
                    "FILE: byte 80: 2 triangles of 50 bytes each, but only 99 bytes follow");
    dew_bytes_put32(file + 80, 4000000000u);
    dew_must_refuse(dew_stl_parse, file, size,
                    "FILE: byte 80: 4000000000 triangles of 50 bytes each, but only 100 bytes "
                    "follow");
    dew_bytes_put32(file + 80, 2);
    dew_bytes_put_float(file + 134 + 24 + 4, NAN);
    dew_must_refuse(dew_stl_parse, file, size,
                    "FILE: byte 158: triangle 1: corner 1 is not finite");
    MUST_REFUSE(
        dew_stl_parse, "nothing",
        ": byte 0: not an STL file (it neither begins with 'solid' nor with the 84 bytes of "
        "a binary header)");
}

static void test_bytes_behind(void **state)
{
    (void)state;
    uint8_t file[184];
    dew_Mesh mesh;
    dew_LogText log;
    size_t size = make_binary(file, "made by hand");
    dew_bytes_put32(file + 80, 1);
    dew_must_parse(dew_stl_parse, file, size, &mesh, &log);
    assert_int_equal(mesh.triangles.count, 1);
    assert_string_equal(log.text, "FILE: 50 bytes behind the last triangle were ignored\n");
    dew_mesh_deinit(&mesh);
}

static void test_refused_text(void **state)
{
    (void)state;
    MUST_REFUSE(dew_stl_parse, "solid a\nfacet normal 0 0\nouter loop\n",
                ":3: 'outer' is not a number (3 are wanted)");
    MUST_REFUSE(dew_stl_parse, "solid a\n" FACET("0 0 0", "1 0 0", "0 nan 0") "endsolid\n",
                ":6: triangle 0: a corner is not finite");
    MUST_REFUSE(dew_stl_parse,
                "solid a\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nendloop\n",
                ":6: 'endloop' where 'vertex' should stand");
    MUST_REFUSE(dew_stl_parse,
                "solid a\n" FACET("0 0 0", "1 0 0", "0 1 0\nvertex 1 1 1") "endsolid\n",
                ":7: 'vertex' where 'endloop' should stand");
    MUST_REFUSE(dew_stl_parse, "solid a\n" FACET("0 0 0", "1 0 0", "0 1 0"),
                ":9: the file ends before 'endsolid'");
    MUST_REFUSE(dew_stl_parse, "solid a\nfacets\n",
                ":2: 'facets' where 'facet' or 'endsolid' should stand");
    MUST_REFUSE(dew_stl_parse, "solid a\nendsolid\nmore\n",
                ":3: 'more' behind 'endsolid' (another 'solid' or the end)");
    MUST_REFUSE(dew_stl_parse, "solid a\nfacet normal",
                ":2: the file ends where a number should stand");
}

static void test_there_and_back(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        dew_MeshSaveDef def = {.is_text = i > 0, .has_double_positions = i == 2};
        dew_Mesh mesh;
        // The order of the vertices is that of their first use, as the tetrahedron has it not.
        dew_make_tetrahedron(&mesh, i < 2);
        dew_Triangle *t = mesh.triangles.data;
        t[0] = (dew_Triangle){{0, 1, 2}};
        t[1] = (dew_Triangle){{0, 3, 1}};
        dew_must_return(dew_stl_write, dew_stl_parse, &mesh, &def);
        dew_mesh_deinit(&mesh);
    }
}

// Normals of the binary file: unit, right-handed; zero for a triangle without area.
static void test_written_normals(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_Array bytes;
    dew_MeshSaveDef def = dew_default_mesh_save_def();
    dew_mesh_init(&mesh, NULL);
    dew_mesh_add_vertex(&mesh, dew_vec(0, 0, 0));
    dew_mesh_add_vertex(&mesh, dew_vec(3e-20, 0, 0));
    dew_mesh_add_vertex(&mesh, dew_vec(0, 5e-20, 0));
    dew_mesh_add_triangle(&mesh, 0, 1, 2);
    dew_mesh_add_triangle(&mesh, 0, 1, 1);
    dew_must_write(dew_stl_write, &mesh, &def, &bytes);
    static const double expected[2][3] = {{0, 0, 1}, {0, 0, 0}};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            const uint8_t *at = (const uint8_t *)bytes.data + 84 + 50 * i + 4 * k;
            assert_true(dew_scalar_number(at, DEW_FLOAT32, false) == expected[i][k]);
        }
    }
    dew_array_deinit(&bytes);
    dew_mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_binary),
        cmocka_unit_test(test_refused_binary),
        cmocka_unit_test(test_bytes_behind),
        cmocka_unit_test(test_refused_text),
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_written_normals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
