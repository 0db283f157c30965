// Files by name and content, marks and line ends, and lists of frames.
#include "io/mesh_file.h"

#include "io/pvd.h"
#include "io/reader_test.h"

static void write_file(const char *path, const char *text)
{
    dew_FileWriter writer;
    assert_int_equal(dew_file_begin(&writer, path, NULL).code, DEW_OK);
    dew_file_text(&writer, text);
    assert_int_equal(dew_file_commit(&writer).code, DEW_OK);
}

static void test_names(void **state)
{
    (void)state;
    assert_int_equal(dew_mesh_format_of_name("a/b.ply"), DEW_MESH_PLY);
    assert_int_equal(dew_mesh_format_of_name("B.OBJ"), DEW_MESH_OBJ);
    assert_int_equal(dew_mesh_format_of_name("a.ply/b"), DEW_MESH_ANY);
    assert_int_equal(dew_mesh_format_of_name("a.xyz"), DEW_MESH_ANY);
    assert_string_equal(dew_mesh_format_name(DEW_MESH_VTP), "VTP");
    assert_int_equal(dew_mesh_save_check("x.stl").code, DEW_OK);
    assert_string_equal(
        dew_mesh_save_check("x.xyz").message,
        "x.xyz: '.xyz' is not the ending of a mesh format (known: .ply, .obj, .stl, "
        ".vtp)");
}

static void test_all_formats(void **state)
{
    (void)state;
    static const char *const paths[] = {"mesh_file_test.ply", "mesh_file_test.obj",
                                        "mesh_file_test.vtp", "mesh_file_test.stl"};
    dew_Mesh mesh, back;
    dew_make_tetrahedron(&mesh, true);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(dew_mesh_save(paths[i], NULL, &mesh).code, DEW_OK);
        dew_mesh_init(&back, NULL);
        assert_int_equal(dew_mesh_load(paths[i], NULL, &back).code, DEW_OK);
        dew_round_positions(&back);
        if (i < 3)  // STL numbers the vertices anew
            assert_true(dew_meshes_equal(&mesh, &back));
        assert_int_equal(back.triangles.count, 4);
        assert_int_equal(back.positions.count, 4);
        dew_mesh_deinit(&back);
        remove(paths[i]);
    }
    dew_mesh_deinit(&mesh);
}

static void expect_log(const char *path, const char *text, const char *log_text)
{
    dew_LogText log = {0};
    dew_MeshLoadDef def = dew_default_mesh_load_def();
    def.log = (dew_Log){dew_log_text_write, &log};
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    write_file(path, text);
    dew_Status status = dew_mesh_load(path, &def, &mesh);
    if (status.code != DEW_OK)
        fail_msg("refused: %s", status.message);
    assert_string_equal(log.text, log_text);
    dew_mesh_deinit(&mesh);
    remove(path);
}

// Bytes behind the end do not make text of a binary file, whose bytes 13 are no line ends.
static void bytes_of_binary_files_are_no_line_ends(void **state)
{
    (void)state;
    static const char path[] = "mesh_file_test.stl";
    uint8_t data[84 + 50 + 1] = {[80] = 1,
                                 [84 + 12 + 15] = 0x3f,
                                 [84 + 12 + 14] = 0x80,
                                 [84 + 12 + 12] = '\r',
                                 [84 + 12 + 31] = 0x3f};
    dew_FileWriter writer;
    assert_int_equal(dew_file_begin(&writer, path, NULL).code, DEW_OK);
    dew_file_write(&writer, data, sizeof data);
    assert_int_equal(dew_file_commit(&writer).code, DEW_OK);
    dew_LogText log = {0};
    dew_MeshLoadDef def = dew_default_mesh_load_def();
    def.log = (dew_Log){dew_log_text_write, &log};
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_int_equal(dew_mesh_load(path, &def, &mesh).code, DEW_OK);
    assert_string_equal(log.text,
                        "mesh_file_test.stl: 1 bytes behind the last triangle were ignored\n");
    dew_mesh_deinit(&mesh);
    remove(path);
}

#define TRIANGLE_OBJ "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
#define EMPTY_STL    "solid\nendsolid\n"

static void test_odd_but_readable(void **state)
{
    (void)state;
    expect_log("mesh_file_test.obj", TRIANGLE_OBJ, "");
    expect_log("mesh_file_test.obj", "\xEF\xBB\xBF" TRIANGLE_OBJ,
               "mesh_file_test.obj: byte-order mark at the beginning was skipped\n");
    expect_log("mesh_file_test.obj", "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",
               "mesh_file_test.obj: lines end with carriage returns; read as plain line ends\n");
    expect_log("mesh_file_test.obj", EMPTY_STL,
               "mesh_file_test.obj: read as STL, which it is by its content\nmesh_file_test.obj: "
               "there are no faces in it\n");
    expect_log("mesh_file_test_bare", EMPTY_STL,
               "mesh_file_test_bare: read as STL, which it is by its content\nmesh_file_test_bare: "
               "there are no faces in it\n");
}

static void test_refused(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    write_file("mesh_file_test.xyz", "1 2 3\n");
    assert_string_equal(
        dew_mesh_load("mesh_file_test.xyz", NULL, &mesh).message,
        "mesh_file_test.xyz: byte 0: expected a mesh file, found unknown name and content "
        "(known endings: .ply, .obj, .stl, .vtp; by assimp: .glb, .gltf, .fbx, .3ds, .off)");
    remove("mesh_file_test.xyz");
    write_file("mesh_file_test.ply", "\xEF\xBB\xBF");
    assert_string_equal(dew_mesh_load("mesh_file_test.ply", NULL, &mesh).message,
                        "mesh_file_test.ply: byte 3: the file is empty");
    remove("mesh_file_test.ply");
    assert_int_equal(dew_mesh_load("mesh_file_test.ply", NULL, &mesh).code, DEW_BAD_INPUT);
    dew_mesh_add_vertex(&mesh, dew_vec((double)NAN, 0, 0));
    assert_string_equal(dew_mesh_save("mesh_file_test.ply", NULL, &mesh).message,
                        "mesh_file_test.ply: vertex 0 is not finite");
    assert_false(dew_file_exists("mesh_file_test.ply"));
    assert_int_equal(dew_mesh_save("no/such/folder/mesh.ply", NULL, &mesh).code, DEW_IO);
    dew_mesh_deinit(&mesh);
}

static void test_pvd(void **state)
{
    (void)state;
    static const dew_PvdFrame frames[] = {{0, 0, "surface", "frames/surface.0000.vtp"},
                                          {0.1, 1, "a", "a & b.vtp"}};
    uint8_t *data;
    size_t size;
    assert_int_equal(dew_pvd_save("mesh_file_test.pvd", frames, 2, NULL).code, DEW_OK);
    assert_int_equal(dew_file_read("mesh_file_test.pvd", 10000, NULL, &data, &size).code, DEW_OK);
    assert_string_equal((char *)data,
                        "<?xml version=\"1.0\"?>\n"
                        "<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n"
                        "<DataSet timestep=\"0\" part=\"0\" name=\"surface\" "
                        "file=\"frames/surface.0000.vtp\"/>\n"
                        "<DataSet timestep=\"0.1\" part=\"1\" name=\"a\" file=\"a &amp; b.vtp\"/>\n"
                        "</Collection>\n</VTKFile>\n");
    dew_free(NULL, data, size + 1);
    remove("mesh_file_test.pvd");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_all_formats),
        cmocka_unit_test(test_odd_but_readable),
        cmocka_unit_test(bytes_of_binary_files_are_no_line_ends),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_pvd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
