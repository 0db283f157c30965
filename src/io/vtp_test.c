// VTP: files that VTK itself wrote in every encoding, what is refused, and the way there and back.
#include "base/text.h"
#include "io/vtp.h"

#include "io/reader_test.h"

#define FILE_TAG "<VTKFile type=\"PolyData\" byte_order=\"LittleEndian\">\n<PolyData>\n"
#define END_TAGS "</Piece></PolyData></VTKFile>\n"
#define POINTS_3                                                                                   \
    "<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\">\n0 0 0 1 0 0 0 1 0\n"           \
    "</DataArray></Points>\n"
#define PIECE(n, p) "<Piece NumberOfPoints=\"" n "\" NumberOfPolys=\"" p "\">\n"
#define POLYS(c, o)                                                                                \
    "<Polys><DataArray type=\"Int32\" Name=\"connectivity\">" c "</DataArray>\n"                   \
    "<DataArray type=\"Int32\" Name=\"offsets\">" o "</DataArray></Polys>\n"

static uint8_t *load_file(const char *name, size_t *size)
{
    char path[512];
    uint8_t *data;
    snprintf(path, sizeof path, "%s/tests/meshes/pyramid_%s.vtp", DEW_SOURCE_DIR, name);
    assert_int_equal(dew_file_read(path, 1 << 20, NULL, &data, size).code, DEW_OK);
    return data;
}

// A pyramid: a square, two triangles, a strip of two; each file holds the same numbers.
static void check_pyramid(const dew_Mesh *mesh)
{
    static const uint32_t triangles[] = {0, 3, 2, 0, 2, 1, 0, 1, 4, 1, 2, 4, 2, 3, 4, 4, 3, 0};
    static const char *const names[] = {"nx", "ny",  "nz",        "vx",       "vy",
                                        "vz", "wet", "pair_of_0", "pair_of_1"};
    static const float last[] = {0, 0, 1, 1.5f, 1.625f, 1.75f, 255, -3, 4};
    assert_int_equal(mesh->positions.count, 5);
    dew_Vec3 top = dew_mesh_positions(mesh)[4];
    assert_true(top.x == 0.5 && top.y == 0.5 && (float)top.z == 0.7f);
    assert_int_equal(mesh->triangles.count, 6);
    assert_memory_equal(mesh->triangles.data, triangles, sizeof triangles);
    assert_int_equal(mesh->attributes.count, 9);
    for (int i = 0; i < 9; i++) {
        const float *values = dew_mesh_find_attribute(mesh, names[i]);
        assert_non_null(values);
        assert_true(values[4] == last[i]);
    }
}

static void test_encodings(void **state)
{
    (void)state;
    static const char *const names[] = {
        "ascii",    "appended_raw", "appended_base64", "inline_base64",   "big_endian",
        "zlib_raw", "zlib_base64",  "zlib_inline",     "zlib_big_endian",
    };
    for (int i = 0; i < 9; i++) {
        size_t size;
        uint8_t *data = load_file(names[i], &size);
        dew_Mesh mesh;
        dew_LogText log;
        dew_must_parse(dew_vtp_parse, data, size, &mesh, &log);
        check_pyramid(&mesh);
        assert_non_null(strstr(log.text, "array 'labels' holds no numbers and is ignored\n"));
        assert_non_null(strstr(log.text, "FILE: vertices and lines are ignored\n"
                                         "FILE: data of faces is ignored\n"
                                         "FILE: 1 faces with more than 3 corners"));
        dew_mesh_deinit(&mesh);
        dew_must_survive(dew_vtp_parse, data, size);
        dew_free(NULL, data, size + 1);
    }
}

static void test_other_compressor(void **state)
{
    (void)state;
    size_t size;
    uint8_t *data = load_file("lz4", &size);
    dew_must_refuse(dew_vtp_parse, data, size,
                    "FILE:1: <VTKFile>: only zlib compression can be read, not "
                    "'vtkLZ4DataCompressor'");
    dew_free(NULL, data, size + 1);
}

// The second piece has an attribute more and one less; both are zero where they are not.
static void test_pieces(void **state)
{
    (void)state;
    static const char text[] =
        FILE_TAG PIECE("3", "1") "<PointData><DataArray type=\"Int8\" Name=\"a &lt; b\">1 2 3"
                                 "</DataArray></PointData>" POINTS_3 POLYS(
                                     "0 1 2", "3") "</Piece>\n" PIECE("3", "1") POINTS_3
        "<PointData><DataArray type=\"Float32\" Name=\"w\">4 5 6"
        "</DataArray></PointData>" POLYS("2 1 0", "3") END_TAGS;
    dew_Mesh mesh;
    dew_must_parse(dew_vtp_parse, text, sizeof text - 1, &mesh, NULL);
    assert_int_equal(mesh.positions.count, 6);
    static const uint32_t expected[] = {0, 1, 2, 5, 4, 3};
    assert_memory_equal(mesh.triangles.data, expected, sizeof expected);
    const float *a = dew_mesh_find_attribute(&mesh, "a_<_b"),
                *w = dew_mesh_find_attribute(&mesh, "w");
    assert_true(a && w && a[2] == 3 && a[3] == 0 && w[2] == 0 && w[5] == 6);
    dew_mesh_deinit(&mesh);
}

static void test_refused_tags(void **state)
{
    (void)state;
    MUST_REFUSE(dew_vtp_parse, "<html></html>",
                ":1: <html>: not a VTP file, which begins with <VTKFile>, but with 'html'");
    MUST_REFUSE(dew_vtp_parse, "nothing", ": byte 0: not a VTP file (it has no tag <VTKFile>)");
    MUST_REFUSE(dew_vtp_parse, "<VTKFile type=\"ImageData\">\n",
                ":1: <VTKFile>: its type must be 'PolyData', not 'ImageData'");
    MUST_REFUSE(dew_vtp_parse, "<VTKFile type=\"PolyData\" header_type=\"Int8\">\n",
                ":1: <VTKFile>: header_type is UInt32 or UInt64, not 'Int8'");
    MUST_REFUSE(dew_vtp_parse, FILE_TAG PIECE("3", "-1"), ":3: NumberOfPolys is '-1' (0 at least)");
    MUST_REFUSE(dew_vtp_parse, FILE_TAG PIECE("3", "1"), ":4: the file ends before its last tag");
    MUST_REFUSE(dew_vtp_parse, FILE_TAG "</Poly>", ":3: not well-formed XML: mismatched tag");
    MUST_REFUSE(dew_vtp_parse, FILE_TAG "<AppendedData encoding=\"raw\">x",
                ":3: appended data must begin with an underscore");
    MUST_REFUSE(dew_vtp_parse, FILE_TAG "<a x=1>",
                ":3: not well-formed XML: not well-formed (invalid token)");
}

// A file cannot make the parser take more time or memory than its size: entities, depth, one long
// name.
static void test_limits(void **state)
{
    (void)state;
    MUST_REFUSE(dew_vtp_parse,
                "<!DOCTYPE VTKFile [<!ENTITY a \"aaaaaaaaaa\">\n"
                "<!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">]>\n" FILE_TAG "&b;",
                ":1: it declares the entity 'a'");
    MUST_REFUSE(dew_vtp_parse,
                "<!DOCTYPE VTKFile [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>" FILE_TAG "&a;",
                ":1: it declares the entity 'a'");
    MUST_REFUSE(dew_vtp_parse, FILE_TAG "&a;", ":3: not well-formed XML: undefined entity");
    static char text[1 << 20];
    int length = snprintf(text, sizeof text, "%s", FILE_TAG);
    for (int i = 0; i < DEW_MAX_NESTING - 1; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "<a>");
    dew_must_refuse(dew_vtp_parse, text, (size_t)length, "FILE:3: tags more than 64 deep");
    length = snprintf(text, sizeof text, "%s<a b=\"", FILE_TAG);
    memset(text + length, 'x', sizeof text - (size_t)length);
    dew_must_refuse(dew_vtp_parse, text, sizeof text, "FILE:3: the file ends before its last tag");
}

static void test_refused_arrays(void **state)
{
    (void)state;
    MUST_REFUSE(dew_vtp_parse, FILE_TAG PIECE("3", "0") END_TAGS, ":3: the piece has no <Points>");
    MUST_REFUSE(dew_vtp_parse, FILE_TAG PIECE("4000000000", "0") POINTS_3 END_TAGS,
                ":4: array '' should hold 12000000000 numbers, more than its text can");
    MUST_REFUSE(dew_vtp_parse, FILE_TAG PIECE("4", "0") POINTS_3 END_TAGS,
                ":4: array '' should hold 12 numbers, more than its text can");
    MUST_REFUSE(dew_vtp_parse, FILE_TAG PIECE("2", "0") POINTS_3 END_TAGS,
                ":5: array '' has more than 6 numbers");
    MUST_REFUSE(dew_vtp_parse, FILE_TAG PIECE("3", "1") POINTS_3 END_TAGS,
                ":3: the piece has no arrays 'connectivity' and 'offsets' for its 1 faces");
    MUST_REFUSE(dew_vtp_parse, FILE_TAG PIECE("3", "1") POINTS_3 POLYS("0 1 3", "3") END_TAGS,
                ":7: face 0: point index 3 is out of range (0 to 2)");
    MUST_REFUSE(dew_vtp_parse, FILE_TAG PIECE("3", "1") POINTS_3 POLYS("0 1", "2") END_TAGS,
                ":8: face 0 has 2 corners (3 at least)");
    MUST_REFUSE(dew_vtp_parse, FILE_TAG PIECE("3", "2") POINTS_3 POLYS("0 1 2", "9 3") END_TAGS,
                ":8: face 0: its offset 9 is out of order");
    MUST_REFUSE(dew_vtp_parse, FILE_TAG PIECE("3", "1") POINTS_3 POLYS("0 1 2", "99") END_TAGS,
                ":7: array 'connectivity' should hold 99 numbers, more than its text can");
}

#define APPENDED(offset)                                                                           \
    "<DataArray type=\"Float32\" Name=\"p\" NumberOfComponents=\"3\" format=\"appended\" "         \
    "offset=\"" offset "\"/>"
#define HEAVY                                                                                      \
    FILE_TAG PIECE("1", "0") "<Points>" APPENDED("0") "</Points></Piece>" PIECE(                   \
        "1", "0") "<Points>" APPENDED("0") "</Points></Piece></PolyData>\n<AppendedData "          \
                                           "encoding=\"raw\">_"

static void test_refused_data(void **state)
{
    (void)state;
    assert_int_equal(sizeof HEAVY - 1, 421);  // the place that is named below
    static const char inline_short[] =
        FILE_TAG PIECE("1", "0") "<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" "
                                 "format=\"binary\">DAAAAAAAAAA=</DataArray></Points>" END_TAGS;
    MUST_REFUSE(dew_vtp_parse, inline_short,
                ":4: array '' takes 16 bytes, but its base64 text ends or is wrong before");
    MUST_REFUSE(dew_vtp_parse, HEAVY "\x0D\0\0\0",
                ":4: array 'p' holds 13 bytes, but 12 are due by the counts of its piece");
    MUST_REFUSE(dew_vtp_parse, HEAVY "\x0C\0\0\0\0\0\0\0",
                ": byte 421: array 'p' takes 16 bytes, but only 8 follow");
    MUST_REFUSE(dew_vtp_parse, HEAVY "\x0C\0\0\0\0\0\0\0\0\0\0\0\0\0\xC0\x7F",
                ":4: point 0 is not finite");
    MUST_REFUSE(
        dew_vtp_parse,
        FILE_TAG PIECE("1", "0") "<Points>" APPENDED("99") "</Points></Piece></PolyData>\n"
                                                           "<AppendedData encoding=\"raw\">_12345",
        ":4: offset 99 of array 'p' is beyond the 5 bytes of appended data");
}

static void test_there_and_back(void **state)
{
    (void)state;
    static const char *const names[] = {"nx",       "vy",       "ny",      "nz",      "vx",
                                        "wet",      "force_x",  "force_y", "force_z", "normal_x",
                                        "normal_y", "normal_z", "a<b\"&"};
    for (int i = 0; i < 8; i++) {
        dew_MeshSaveDef def = {
            .is_text = i & 1, .has_double_positions = (i & 2) != 0, .is_compressed = (i & 4) != 0};
        dew_Mesh mesh;
        dew_make_tetrahedron(&mesh, !def.has_double_positions);
        dew_must_return(dew_vtp_write, dew_vtp_parse, &mesh, &def);
        dew_add_attributes(&mesh, names, 13);
        dew_must_return(dew_vtp_write, dew_vtp_parse, &mesh, &def);
        mesh.triangles.count = 0;  // a cloud of points
        dew_must_return(dew_vtp_write, dew_vtp_parse, &mesh, &def);
        dew_mesh_deinit(&mesh);
        dew_mesh_init(&mesh, NULL);
        dew_must_return(dew_vtp_write, dew_vtp_parse, &mesh, &def);
        dew_mesh_deinit(&mesh);
    }
}

// Several blocks of 64 KiB and a partial one; smaller than without.
static void test_compressed(void **state)
{
    (void)state;
    enum { POINTS = 20000 };
    dew_Mesh mesh;
    float *wet;
    size_t sizes[2];
    dew_make_tetrahedron(&mesh, true);
    assert_int_equal(dew_mesh_attribute(&mesh, "wet", &wet).code, DEW_OK);
    for (uint32_t i = 0; i < POINTS; i++) {
        assert_int_equal(dew_mesh_add_vertex(&mesh, dew_vec(i, 0.5 * i, 0)).code, DEW_OK);
        assert_int_equal(dew_mesh_add_triangle(&mesh, i, i + 1, i + 2).code, DEW_OK);
    }
    for (int i = 0; i < 2; i++) {
        dew_MeshSaveDef def = {.is_compressed = i == 1};
        dew_must_return(dew_vtp_write, dew_vtp_parse, &mesh, &def);
        dew_Array bytes;
        dew_Sink sink;
        dew_array_init(&bytes, NULL, 1);
        dew_sink_begin_memory(&sink, &bytes);
        assert_int_equal(dew_sink_end(&sink, dew_vtp_write(&mesh, &def, &sink)).code, DEW_OK);
        sizes[i] = (size_t)bytes.count;
        dew_array_deinit(&bytes);
    }
    assert_true(2 * sizes[1] < sizes[0]);
    dew_mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_encodings),      cmocka_unit_test(test_other_compressor),
        cmocka_unit_test(test_pieces),         cmocka_unit_test(test_refused_tags),
        cmocka_unit_test(test_refused_arrays), cmocka_unit_test(test_refused_data),
        cmocka_unit_test(test_there_and_back), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_compressed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
