// Writing back: the text of a scene reads back to the same text; files; the hash.
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/testing.h"
#include "scene/scene_testing.h"

static dew_Scene *read_or_fail(const char *text)
{
    TestLog log;
    dew_Scene *scene = NULL;
    dew_Status status = test_read(text, NULL, NULL, &log, &scene);
    if (status.code != DEW_OK)
        fail_msg("%s\n%s", log.lines, text);
    return scene;
}

static void expect_same_back(const dew_Scene *scene)
{
    char *text = NULL, *again = NULL;
    assert_int_equal(dew_scene_text(scene, NULL, &text).code, DEW_OK);
    dew_Scene *copy = read_or_fail(text);
    assert_int_equal(dew_scene_text(copy, NULL, &again).code, DEW_OK);
    assert_string_equal(text, again);
    assert_true(dew_scene_hash(scene) == dew_scene_hash(copy));
    assert_memory_equal(&dew_scene_def(scene)->domain.min_m, &dew_scene_def(copy)->domain.min_m,
                        sizeof(dew_Vec3));
    for (int i = 0; i < dew_scene_drop_count(scene); i++)
        assert_memory_equal(&dew_scene_drop(scene, i)->angle_rad,
                            &dew_scene_drop(copy, i)->angle_rad, sizeof(double));
    dew_scene_text_free(copy, again);
    dew_scene_text_free(scene, text);
    dew_scene_destroy(copy);
}

// Reads a scene and compares; false when it is one that is wrong on purpose.
static bool file_comes_back(const char *path)
{
    dew_SceneLoadDef def = dew_default_scene_load_def();
    dew_Scene *scene = NULL;
    def.path = path;
    if (dew_scene_read(&def, sample_solvers(), &scene).code != DEW_OK)
        return false;
    expect_same_back(scene);
    dew_scene_destroy(scene);
    return true;
}

static void test_corpus_comes_back(void **state)
{
    (void)state;
    DIR *folder = opendir(DEW_SOURCE_DIR "/tests/corpus/scene");
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char path[512];
        snprintf(path, sizeof path, "%s/tests/corpus/scene/%.200s", DEW_SOURCE_DIR, entry->d_name);
        count += file_comes_back(path);
    }
    closedir(folder);
    assert_true(count >= 10);
    assert_true(file_comes_back(DEW_SOURCE_DIR "/src/scene/read_test.yaml"));
}

// Angles of every whole and tenth degree are written as such; any radians come back bit for bit.
static void test_angles(void **state)
{
    (void)state;
    char text[512];
    for (int i = 1; i <= 1800; i++) {
        snprintf(text, sizeof text,
                 TEST_HEAD "drops: [{shape: cap, volume: 1 ul, angle: %d.%d deg}]\n", i / 10,
                 i % 10);
        dew_Scene *scene = read_or_fail(text);
        char *back = NULL;
        assert_int_equal(dew_scene_text(scene, NULL, &back).code, DEW_OK);
        snprintf(text, sizeof text, i % 10 ? "    angle: %d.%d deg\n" : "    angle: %d deg\n",
                 i / 10, i % 10);
        assert_non_null(strstr(back, text));
        dew_scene_text_free(scene, back);
        dew_scene_destroy(scene);
    }
    for (int i = 1; i < 100; i++) {
        snprintf(text, sizeof text, TEST_HEAD "drops: [{shape: cap, volume: 1 ul, angle: %.17g}]\n",
                 i / 32.0123456789);
        dew_Scene *scene = read_or_fail(text);
        expect_same_back(scene);
        dew_scene_destroy(scene);
    }
}

static void test_words(void **state)
{
    (void)state;
    static const char *const titles[] = {
        "null", "~", "true", "a: b",      "- x",      "#x", "a\\b", "say \"no\"", "\u00e9t\u00e9",
        "'",    "%", "1e5",  "trailing ", " leading", "{}", "a #b", "@x"};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        dew_SceneDef def = dew_default_scene_def();
        dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
        dew_Scene *scene = NULL;
        def.title = titles[i];
        def.solver = "volume";
        drop.radius_m = 1;
        assert_int_equal(dew_scene_begin(&def, sample_solvers(), NULL, &scene).code, DEW_OK);
        assert_int_equal(dew_scene_add_drop(scene, &drop).code, DEW_OK);
        char *text = NULL;
        assert_int_equal(dew_scene_text(scene, NULL, &text).code, DEW_OK);
        dew_Scene *copy = read_or_fail(text);
        assert_string_equal(dew_scene_def(copy)->title, titles[i]);
        dew_scene_text_free(scene, text);
        dew_scene_destroy(scene);
        dew_scene_destroy(copy);
    }
}

static void test_files_are_relative(void **state)
{
    (void)state;
    dew_SceneLoadDef def = dew_default_scene_load_def();
    dew_Scene *scene = NULL;
    def.path = "/no/such/scenes/a.yaml";
    def.text = TEST_HEAD "drops: [{shape: mesh, file: in/blob.ply}]\nenvironment: ../sky.exr\n"
                         "solids: [{shape: mesh, file: /abs/x.ply},"
                         " {shape: mesh, file: procedural:bottle}]\n";
    def.text_size = strlen(def.text);
    assert_int_equal(dew_scene_read(&def, sample_solvers(), &scene).code, DEW_OK);
    char *text = NULL;
    assert_int_equal(dew_scene_text(scene, "/no/such/runs/b", &text).code, DEW_OK);
    assert_non_null(strstr(text, "file: \"../../scenes/in/blob.ply\"\n"));
    assert_non_null(strstr(text, "file: \"../../../../abs/x.ply\"\n"));
    assert_non_null(strstr(text, "file: \"procedural:bottle\"\n"));
    assert_non_null(strstr(text, "environment: \"../../sky.exr\"\n"));
    def.path = "/no/such/runs/b/scene.yaml";
    def.text = text;
    def.text_size = strlen(text);
    dew_Scene *copy = NULL;
    assert_int_equal(dew_scene_read(&def, sample_solvers(), &copy).code, DEW_OK);
    assert_true(dew_scene_hash(scene) == dew_scene_hash(copy));
    dew_scene_text_free(scene, text);
    dew_scene_destroy(scene);
    dew_scene_destroy(copy);
}

// A folder that is a symbolic link: ".." leads where the system goes, not where the text does.
static void test_linked_folders(void **state)
{
    (void)state;
    char base[] = "dew-text-XXXXXX", path[64], link[64];
    assert_non_null(mkdtemp(base));
    snprintf(path, sizeof path, "%s/deep", base);
    assert_int_equal(mkdir(path, 0777), 0);
    snprintf(path, sizeof path, "%s/deep/real", base);
    assert_int_equal(mkdir(path, 0777), 0);
    snprintf(link, sizeof link, "%s/link", base);
    assert_int_equal(symlink("deep/real", link), 0);
    dew_SceneLoadDef def = dew_default_scene_load_def();
    dew_Scene *scene = NULL;
    char file[64];
    snprintf(file, sizeof file, "%s/link/a.yaml", base);
    def.path = file;
    def.text = TEST_HEAD "drops: [{shape: mesh, file: ../blob.ply}]\n";
    def.text_size = strlen(def.text);
    assert_int_equal(dew_scene_read(&def, sample_solvers(), &scene).code, DEW_OK);
    char *text = NULL;
    assert_int_equal(dew_scene_text(scene, base, &text).code, DEW_OK);
    assert_non_null(strstr(text, "file: deep/blob.ply\n"));
    dew_scene_text_free(scene, text);
    dew_scene_destroy(scene);
    assert_int_equal(unlink(link), 0);
    assert_int_equal(rmdir(path), 0);
    snprintf(path, sizeof path, "%s/deep", base);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(base), 0);
}

static uint64_t hash_with(const char *set)
{
    dew_Scene *scene = NULL;
    dew_Status status = test_read(TEST_HEAD TEST_DROP, set, NULL, NULL, &scene);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    uint64_t hash = dew_scene_hash(scene);
    dew_scene_destroy(scene);
    return hash;
}

static void test_hash(void **state)
{
    (void)state;
    static const char *const same[] = {"title=other",
                                       "duration=3 s",
                                       "output.surface=obj",
                                       "camera.fov=20 deg",
                                       "environment=sky",
                                       "apic.surface_tension_force=continuum",
                                       "lights=[{strength: 1}]",
                                       "liquid=water",
                                       "volume.cfl=1",
                                       "drops[0].radius=0.002"};
    static const char *const other[] = {"drops[0].radius=0.0020000000000000005",
                                        "seed=2",
                                        "frame_rate=50 Hz",
                                        "volume.cfl=0.5",
                                        "solver=splash",
                                        "gravity[1]=-9.8",
                                        "materials.a.angle=1"};
    uint64_t hash = hash_with(NULL);
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        if (hash_with(same[i]) != hash)
            fail_msg("%s changes the hash", same[i]);
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
        if (hash_with(other[i]) == hash)
            fail_msg("%s does not change the hash", other[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corpus_comes_back),
        cmocka_unit_test(test_angles),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_files_are_relative),
        cmocka_unit_test(test_linked_folders),
        cmocka_unit_test(test_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
