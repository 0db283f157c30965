// The run directory: which names are a run's own, lock, removal.
#include "run/directory.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/testing.h"
#include "run/run_testing.h"

static void own_names_are_known(void **state)
{
    (void)state;
    static const struct {
        const char *folder, *name;
        bool is_made, is_part;
    } cases[] = {
        {"", "scene.yaml", true, false},
        {"", "run.json", true, false},
        {"", "stats.csv", true, false},
        {"", "checkpoint", true, false},
        {"", "checkpoint.old", true, false},
        {"", "checkpoint.part", true, true},
        {"", "frames.pvd", true, false},
        {"", "notes.part", false, true},
        {"", "stats.csv.bak", false, false},
        {"", "scene", false, false},
        {"", ".", false, false},
        {"frames", "surface.0000.ply", true, false},
        {"frames", "surface.12345.vtp", true, false},
        {"frames", "surface.0003.ply.part", true, true},
        {"frames", "solid.my.bottle.0001.ply", true, false},
        {"frames", "solid.bottle.ply", true, false},
        {"frames", "solid.bottle.vtp.part", true, true},
        {"frames", "solid.bottle.0001.vtp", true, false},
        {"frames", "solid.bottle.obj", false, false},
        {"frames", "solid..ply", false, false},
        {"frames", "solid.ply", false, false},
        {"", "solids.csv", true, false},
        {"frames", "height.0001.csv", true, false},
        {"frames", "volume.0001.vdb", true, false},
        {"frames", "surface.001.ply", false, false},
        {"frames", "surface.0001.txt", false, false},
        {"frames", "surface.ply", false, false},
        {"frames", "surfaces.0001.ply", false, false},
        {"frames", "solid..0001.ply", false, false},
        {"frames", ".0001.ply", false, false},
        {"frames", "0001.ply", false, false},
        {"frames", "..", false, false},
        {"images", "0001.png", true, false},
        {"images", "0001.exr.part", true, true},
        {"images", "1.png", false, false},
        {"images", "x0001.png", false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool is_part;
        if (dew_run_makes(cases[i].folder, cases[i].name, &is_part) != cases[i].is_made ||
            is_part != cases[i].is_part)
            fail_msg("%s/%s", cases[i].folder, cases[i].name);
    }
}

static void touch(const TestDirectory *d, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", d->path, name);
    close(open(path, O_CREAT | O_WRONLY, 0600));
}

static void removal_spares_what_is_not_a_runs(void **state)
{
    (void)state;
    TestDirectory d = test_directory();
    dew_RunDirectory directory;
    bool has_run;
    assert_int_equal(dew_run_directory_open(&directory, d.path).code, DEW_OK);
    assert_int_equal(dew_run_directory_make(&directory, true).code, DEW_OK);
    touch(&d, "notes.txt");
    touch(&d, "frames/surface.0001.ply.part");
    assert_int_equal(dew_run_directory_has_run(&directory, &has_run).code, DEW_OK);
    assert_false(has_run);  // neither is whole and a run's
    touch(&d, "frames/surface.0001.ply");
    assert_int_equal(dew_run_directory_has_run(&directory, &has_run).code, DEW_OK);
    assert_true(has_run);
    int count = 0;
    assert_int_equal(dew_run_directory_sweep(&directory).code, DEW_OK);
    test_digest(d.path, &count);
    assert_int_equal(count, 2);
    assert_int_equal(dew_run_directory_clear(&directory).code, DEW_OK);
    count = 0;
    test_digest(d.path, &count);
    assert_int_equal(count, 1);
    dew_run_directory_close(&directory);
    test_remove(d.path);
}

static void the_lock_is_for_one(void **state)
{
    (void)state;
    TestDirectory d = test_directory();
    dew_RunDirectory a, b;
    char slashes[80];
    snprintf(slashes, sizeof slashes, "%s//", d.path);
    assert_int_equal(dew_run_directory_open(&a, d.path).code, DEW_OK);
    assert_int_equal(dew_run_directory_open(&b, slashes).code, DEW_BUSY);
    assert_string_equal(b.path, d.path);
    dew_run_directory_close(&a);
    assert_int_equal(dew_run_directory_open(&b, d.path).code, DEW_OK);
    dew_run_directory_close(&b);
    test_remove(d.path);
    assert_int_equal(dew_run_directory_open(&b, d.path).code, DEW_OK);  // not there: no lock yet
    assert_int_equal(b.lock_fd, -1);
    assert_int_equal(dew_run_directory_open(&b, "").code, DEW_BAD_INPUT);
    assert_int_equal(dew_run_directory_open(&b, "/dev/null").code, DEW_BAD_INPUT);
    assert_int_equal(symlink("nowhere", d.path), 0);
    dew_Status status = dew_run_directory_open(&b, d.path);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "a symbolic link to nothing"));
    assert_int_equal(unlink(d.path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_names_are_known),
        cmocka_unit_test(removal_spares_what_is_not_a_runs),
        cmocka_unit_test(the_lock_is_for_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
