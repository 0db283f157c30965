// Memory figures: control groups of both versions, made up below a folder of our own.
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "base/testing.h"

static char root[] = "/tmp/dew_memory_XXXXXX";

static void put(const char *folder, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s%s", root, folder);
    assert_int_equal(dew_directory_make(path).code, DEW_OK);
    snprintf(path, sizeof path, "%s%s/%s", root, folder, name);
    dew_FileWriter writer;
    assert_int_equal(dew_file_begin(&writer, path, NULL).code, DEW_OK);
    dew_file_text(&writer, text);
    assert_int_equal(dew_file_commit(&writer).code, DEW_OK);
}

static int make_root(void **state)
{
    (void)state;
    strcpy(root, "/tmp/dew_memory_XXXXXX");
    if (!mkdtemp(root))
        return -1;
    put("/proc", "meminfo",
        "MemTotal:       16000000 kB\nMemFree: 1 kB\nMemAvailable:    4000000 kB\n");
    return 0;
}

static int remove_root(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command);
}

static void without_groups(void **state)
{
    (void)state;
    assert_int_equal(dew_memory_bytes_below(root), INT64_C(4096000000));
}

static void version_2(void **state)
{
    (void)state;
    put("/proc/self", "cgroup", "0::/user/dew\n");
    put("/sys/fs/cgroup/user/dew", "memory.max", "max\n");
    assert_int_equal(dew_memory_bytes_below(root), INT64_C(4096000000));
    put("/sys/fs/cgroup/user/dew", "memory.max", "1000000000\n");
    put("/sys/fs/cgroup/user/dew", "memory.current", "300000000\n");
    assert_int_equal(dew_memory_bytes_below(root), 700000000);
    put("/sys/fs/cgroup/user/dew", "memory.stat", "anon 5\nfile 9\ninactive_file 100000000\n");
    assert_int_equal(dew_memory_bytes_below(root), 800000000);
    // the group above is tighter
    put("/sys/fs/cgroup/user", "memory.max", "500000000\n");
    put("/sys/fs/cgroup/user", "memory.current", "400000000\n");
    assert_int_equal(dew_memory_bytes_below(root), 100000000);
    // over its limit: nothing left, not less
    put("/sys/fs/cgroup/user", "memory.current", "600000000\n");
    assert_int_equal(dew_memory_bytes_below(root), 0);
}

static void version_2_inside_a_container(void **state)
{
    (void)state;
    put("/proc/self", "cgroup", "0::/\n");
    put("/sys/fs/cgroup", "memory.max", "2000000000\n");
    put("/sys/fs/cgroup", "memory.current", "500000000\n");
    assert_int_equal(dew_memory_bytes_below(root), 1500000000);
}

static void version_1(void **state)
{
    (void)state;
    put("/proc/self", "cgroup", "12:cpu,cpuacct:/x\n5:memory:/docker/abc\n1:name=systemd:/x\n");
    // as a container sees it: its own group is mounted where the root would be
    put("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "1000000000\n");
    put("/sys/fs/cgroup/memory", "memory.usage_in_bytes", "400000000\n");
    put("/sys/fs/cgroup/memory", "memory.stat", "inactive_file 7\ntotal_inactive_file 50000000\n");
    assert_int_equal(dew_memory_bytes_below(root), 650000000);
}

static void nonsense_is_no_limit(void **state)
{
    (void)state;
    put("/proc/self", "cgroup", "rubbish\n0:\n:::\n0::\n");
    assert_int_equal(dew_memory_bytes_below(root), INT64_C(4096000000));
}

static void this_machine(void **state)
{
    (void)state;
    int64_t available = dew_memory_bytes();
    assert_true(available > (1 << 20));
    assert_true(available < INT64_C(1) << 50);
    int64_t before = dew_peak_bytes();
    assert_true(before > 100000);
    size_t size = (size_t)64 << 20;
    char *block = (char *)malloc(size);
    assert_non_null(block);
    memset(block, 1, size);
    assert_true(dew_peak_bytes() >= before + (60 << 20) || block[size / 2] != 1);
    free(block);
}

static void address_space_limit(void **state)
{
    (void)state;
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld", &pages), 1);
    fclose(file);
    struct rlimit old, tight;
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    int64_t room = 1 << 20;  // less than the machine has, we hope
    tight = old;
    tight.rlim_cur = (rlim_t)(pages * sysconf(_SC_PAGESIZE) + room);
    assert_int_equal(setrlimit(RLIMIT_AS, &tight), 0);
    int64_t left = dew_memory_bytes();
    assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
    assert_true(left > 0 && left <= room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(without_groups, make_root, remove_root),
        cmocka_unit_test_setup_teardown(version_2, make_root, remove_root),
        cmocka_unit_test_setup_teardown(version_2_inside_a_container, make_root, remove_root),
        cmocka_unit_test_setup_teardown(version_1, make_root, remove_root),
        cmocka_unit_test_setup_teardown(nonsense_is_no_limit, make_root, remove_root),
        cmocka_unit_test(this_machine),
        cmocka_unit_test(address_space_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
