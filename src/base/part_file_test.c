// Parts: one writer each, those of dead writers removed, links never followed.
#include "base/part_file.h"

#include "base/file.h"
#include "base/testing.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/dew_part_test.XXXXXX";

static const char *path_of(const char *name)
{
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int64_t size_of(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 ? (int64_t)info.st_size : -1;
}

// The second writer of a name is refused as long as the first one lives, in one process, too.
static void two_writers(void **state)
{
    (void)state;
    dew_FileWriter first, second;
    assert_int_equal(dew_file_begin(&first, path_of("x"), NULL).code, DEW_OK);
    assert_int_equal(dew_file_begin(&second, path_of("x"), NULL).code, DEW_BUSY);
    dew_part_sweep(path_of("x"));
    dew_file_text(&first, "first");
    assert_int_equal(dew_file_commit(&first).code, DEW_OK);
    assert_int_equal(size_of(path_of("x")), 5);
    assert_int_equal(dew_file_begin(&second, path_of("x"), NULL).code, DEW_OK);
    dew_file_abandon(&second);
    assert_int_equal(size_of(path_of("x.part")), -1);
    assert_int_equal(unlink(path_of("x")), 0);
}

// What a killed program still has open is another file than the new part.
static void left_behind(void **state)
{
    (void)state;
    put(path_of("y.part"), "half");
    int old = open(path_of("y.part"), O_RDWR | O_CLOEXEC), fd;
    assert_int_equal(dew_part_create(path_of("y.part"), path_of("y"), &fd).code, DEW_OK);
    assert_int_equal(write(old, "more", 4), 4);
    assert_int_equal(size_of(path_of("y.part")), 0);
    close(old);
    close(fd);
    dew_part_sweep(path_of("y"));
    assert_int_equal(size_of(path_of("y.part")), -1);
}

static void links(void **state)
{
    (void)state;
    put(path_of("mine"), "mine");
    assert_int_equal(symlink(path_of("mine"), path_of("z.part")), 0);
    dew_FileWriter writer;
    assert_int_equal(dew_file_begin(&writer, path_of("z"), NULL).code, DEW_OK);
    dew_file_text(&writer, "other");
    assert_int_equal(dew_file_commit(&writer).code, DEW_OK);
    assert_int_equal(size_of(path_of("mine")), 4);
    assert_int_equal(size_of(path_of("z")), 5);
    assert_int_equal(mkdir(path_of("z.part"), 0700), 0);
    assert_int_equal(dew_file_begin(&writer, path_of("z"), NULL).code, DEW_BAD_INPUT);
    rmdir(path_of("z.part"));
    unlink(path_of("z"));
    unlink(path_of("mine"));
}

static void series(void **state)
{
    (void)state;
    static const char *const goes[] = {"a.0000.png.part", "a.12345.png.part"};
    static const char *const stays[] = {"a.0000.png", "a.png.part", "b.0000.png.part",
                                        "a.000.png.part", "a.0000.exr.part"};
    for (int i = 0; i < 2; i++)
        put(path_of(goes[i]), "x");
    for (int i = 0; i < 5; i++)
        put(path_of(stays[i]), "x");
    int fd;
    assert_int_equal(dew_part_create(path_of("a.0007.png.part"), "a", &fd).code, DEW_OK);
    dew_part_sweep_series(folder, "a.", ".png");
    for (int i = 0; i < 2; i++)
        assert_int_equal(size_of(path_of(goes[i])), -1);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(size_of(path_of(stays[i])), 1);
        unlink(path_of(stays[i]));
    }
    assert_int_equal(size_of(path_of("a.0007.png.part")), 0);  // somebody writes it
    close(fd);
    dew_part_sweep_series(folder, "a.", ".png");
    assert_int_equal(size_of(path_of("a.0007.png.part")), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_writers),
        cmocka_unit_test(left_behind),
        cmocka_unit_test(links),
        cmocka_unit_test(series),
    };
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
