// Files: whole or not there, when every system call fails in turn, when every allocation does.
//
// The system calls that file.c makes are defined here, in front of the C library's, and fail on
// demand.
#include "base/file.h"

#include "base/testing.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

typedef enum Call { NONE, WRITE, FSYNC, CLOSE, RENAME } Call;

// What goes wrong: the n-th call of a kind from now on returns an error, or writes come up short.
static struct {
    Call call;
    int countdown;
    int error;
    bool is_short;
} fault;

static bool is_due(Call call)
{
    return fault.call == call && fault.countdown-- == 0;
}

ssize_t write(int fd, const void *data, size_t size)
{
    if (is_due(WRITE)) {
        errno = fault.error;
        return fault.error == 0 ? 0 : -1;
    }
    if (fault.is_short && size > 1)
        size = 1 + size / 3;
    return syscall(SYS_write, fd, data, size);
}

int fsync(int fd)
{
    if (is_due(FSYNC)) {
        errno = fault.error;
        return -1;
    }
    return (int)syscall(SYS_fsync, fd);
}

int close(int fd)
{
    int result = (int)syscall(SYS_close, fd);
    if (is_due(CLOSE)) {
        errno = fault.error;
        return -1;
    }
    return result;
}

int rename(const char *from, const char *to)
{
    if (is_due(RENAME)) {
        errno = fault.error;
        return -1;
    }
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

static char folder[] = "/tmp/dew_file_XXXXXX";
static char path[64], part[80];

static int make_folder(void **state)
{
    (void)state;
    memset(&fault, 0, sizeof fault);
    strcpy(folder, "/tmp/dew_file_XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/frame.ply", folder);
    snprintf(part, sizeof part, "%s.part", path);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    memset(&fault, 0, sizeof fault);
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static void assert_content(const char *name, const char *expected)
{
    uint8_t *data = NULL;
    size_t size = 0;
    assert_int_equal(dew_file_read(name, 1 << 20, NULL, &data, &size).code, DEW_OK);
    assert_int_equal(size, strlen(expected));
    assert_string_equal((const char *)data, expected);
    dew_free(NULL, data, size + 1);
}

static dew_Status save(const char *name, const char *text, const dew_Allocator *allocator)
{
    dew_FileWriter writer;
    DEW_TRY(dew_file_begin(&writer, name, allocator));
    dew_file_text(&writer, text);
    return dew_file_commit(&writer);
}

static void appears_when_committed(void **state)
{
    (void)state;
    dew_FileWriter writer;
    assert_int_equal(dew_file_begin(&writer, path, NULL).code, DEW_OK);
    dew_file_text(&writer, "time,volume\n");
    dew_file_number(&writer, 0.1);
    dew_file_format(&writer, ",%d\n", 7);
    assert_int_equal(writer.size_bytes, 18);
    assert_false(dew_file_exists(path));
    assert_true(dew_file_exists(part));
    assert_int_equal(dew_file_commit(&writer).code, DEW_OK);
    assert_false(dew_file_exists(part));
    assert_content(path, "time,volume\n0.1,7\n");
    dew_file_abandon(&writer);  // harmless
    dew_file_text(&writer, "more");
    assert_content(path, "time,volume\n0.1,7\n");
}

static void abandoned_leaves_nothing(void **state)
{
    (void)state;
    assert_int_equal(save(path, "old", NULL).code, DEW_OK);
    dew_FileWriter writer;
    assert_int_equal(dew_file_begin(&writer, path, NULL).code, DEW_OK);
    dew_file_text(&writer, "new");
    dew_file_abandon(&writer);
    dew_file_abandon(&writer);
    assert_false(dew_file_exists(part));
    assert_content(path, "old");
    dew_FileWriter never = {0};
    dew_file_abandon(&never);  // descriptor 0 is not ours
    assert_true(fcntl(0, F_GETFD) >= 0 || errno == EBADF);
}

// Pieces of all sizes, below, at and beyond the buffer, in one file.
static void large_content(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 100000, 262143, 262144, 262145, 1000000, 3, 0, 162144};
    uint8_t *expected = (uint8_t *)malloc(3000000);
    for (size_t i = 0; i < 3000000; i++)
        expected[i] = (uint8_t)(i * 2654435761u >> 24);
    for (int is_short = 0; is_short < 2; is_short++) {
        fault.is_short = is_short == 1;
        dew_FileWriter writer;
        assert_int_equal(dew_file_begin(&writer, path, NULL).code, DEW_OK);
        size_t total = 0;
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            dew_file_write(&writer, expected + total, sizes[i]);
            total += sizes[i];
        }
        assert_int_equal(dew_file_commit(&writer).code, DEW_OK);
        assert_int_equal(writer.size_bytes, total);
        uint8_t *data = NULL;
        size_t size = 0;
        assert_int_equal(dew_file_read(path, total, NULL, &data, &size).code, DEW_OK);
        assert_int_equal(size, total);
        assert_memory_equal(data, expected, total);
        dew_free(NULL, data, size + 1);
    }
    free(expected);
}

static void long_formats(void **state)
{
    (void)state;
    dew_FileWriter writer;
    assert_int_equal(dew_file_begin(&writer, path, NULL).code, DEW_OK);
    for (int width = 1022; width < 1027; width++)
        dew_file_format(&writer, "%*d", width, 1);
    dew_file_format(&writer, "%400000d", 2);
    assert_int_equal(writer.size_bytes, 1022 + 1023 + 1024 + 1025 + 1026 + 400000);
    assert_int_equal(dew_file_commit(&writer).code, DEW_OK);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_size, writer.size_bytes);
}

// Each failure is reported once with path and reason; the old file stays, and no part is left.
static void every_call_can_fail(void **state)
{
    (void)state;
    static const struct {
        Call call;
        int error;
        const char *reason;
    } ways[] = {
        {WRITE, ENOSPC, "No space left on device"}, {WRITE, EIO, "Input/output error"},
        {WRITE, 0, "Input/output error"},           {FSYNC, EIO, "Input/output error"},
        {CLOSE, EDQUOT, "Disk quota exceeded"},     {RENAME, EACCES, "Permission denied"},
    };
    assert_int_equal(save(path, "old", NULL).code, DEW_OK);
    char sentence[256];
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        dew_FileWriter writer;
        assert_int_equal(dew_file_begin(&writer, path, NULL).code, DEW_OK);
        fault.call = ways[i].call;
        fault.error = ways[i].error;
        fault.countdown = 0;
        for (int j = 0; j < 100000; j++)
            dew_file_text(&writer, "more than a buffer ");
        dew_Status status = dew_file_commit(&writer);
        fault.call = NONE;
        snprintf(sentence, sizeof sentence, "cannot write %s: %s", path, ways[i].reason);
        assert_int_equal(status.code, DEW_IO);
        assert_string_equal(status.message, sentence);
        assert_false(dew_file_exists(part));
        assert_content(path, "old");
    }
}

// The n-th write fails, for every n; and an interrupted call is no failure.
static void every_write_can_fail(void **state)
{
    (void)state;
    static const int errors[] = {ENOSPC, EINTR, EAGAIN};
    for (int e = 0; e < 3; e++)
        for (int n = 0; n < 6; n++) {
            dew_FileWriter writer;
            assert_int_equal(dew_file_begin(&writer, path, NULL).code, DEW_OK);
            fault.call = WRITE;
            fault.error = errors[e];
            fault.countdown = n;
            for (int j = 0; j < 50000; j++)
                dew_file_text(&writer, "more than a buffer ");
            dew_Status status = dew_file_commit(&writer);
            bool has_failed = fault.countdown < 0 && errors[e] == ENOSPC;
            fault.call = NONE;
            assert_int_equal(status.code, has_failed ? DEW_IO : DEW_OK);
            assert_int_equal(dew_file_exists(path), !has_failed);
            assert_false(dew_file_exists(part));
            unlink(path);
        }
}

static void interrupted_sync_and_close(void **state)
{
    (void)state;
    static const Call calls[] = {FSYNC, CLOSE};
    for (int i = 0; i < 2; i++) {
        fault.call = calls[i];
        fault.error = EINTR;
        fault.countdown = 0;
        assert_int_equal(save(path, "new", NULL).code, DEW_OK);
        fault.call = NONE;
        assert_content(path, "new");
        unlink(path);
    }
}

static void directory_sync_can_fail(void **state)
{
    (void)state;
    fault.call = FSYNC;
    fault.error = EIO;
    fault.countdown = 1;
    dew_Status status = save(path, "new", NULL);
    fault.call = NONE;
    assert_int_equal(status.code, DEW_IO);
    assert_non_null(strstr(status.message, "cannot sync directory"));
    assert_content(path, "new");
    assert_int_equal(dew_directory_sync("/no such place").code, DEW_IO);
}

static void real_full_device(void **state)
{
    (void)state;
    int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        skip();
    dew_Status status = dew_fd_write(fd, "x", 1, "some/where");
    assert_string_equal(status.message, "cannot write some/where: No space left on device");
    close(fd);
}

static void begin_can_fail(void **state)
{
    (void)state;
    dew_FileWriter writer;
    char inside[128];
    snprintf(inside, sizeof inside, "%s/no/frame.ply", folder);
    dew_Status status = dew_file_begin(&writer, inside, NULL);
    assert_int_equal(status.code, DEW_IO);
    assert_non_null(strstr(status.message, inside));
    assert_non_null(strstr(status.message, "No such file or directory"));
    dew_file_text(&writer, "ignored");
    dew_file_format(&writer, "%d", 1);
    assert_int_equal(dew_file_commit(&writer).code, DEW_IO);
    dew_file_abandon(&writer);
    // over a pipe, or a device: it stays what it is
    assert_int_equal(mkfifo(path, 0600), 0);
    status = dew_file_begin(&writer, path, NULL);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "it is a device or a pipe"));
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
    assert_int_equal(unlink(path), 0);
    // over a directory
    assert_int_equal(dew_file_begin(&writer, folder, NULL).code, DEW_OK);
    assert_int_equal(dew_file_commit(&writer).code, DEW_IO);
}

static void every_allocation_can_fail(void **state)
{
    (void)state;
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        unlink(path);
        dew_FileWriter writer;
        dew_Status status = dew_file_begin(&writer, path, &allocator);
        dew_file_format(&writer, "%2000d", 1);
        if (status.code == DEW_OK)
            status = dew_file_commit(&writer);
        assert_true(status.code == DEW_OK || status.code == DEW_NO_MEMORY);
        assert_int_equal(dew_file_exists(path), status.code == DEW_OK);
        assert_false(dew_file_exists(part));
        if (status.code == DEW_OK) {
            uint8_t *data = NULL;
            size_t size = 0;
            status = dew_file_read(path, 1 << 20, &allocator, &data, &size);
            if (status.code == DEW_OK)
                dew_free(&allocator, data, size + 1);
            else
                assert_null(data);
        }
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        if (torture.calls <= n) {
            assert_int_equal(status.code, DEW_OK);
            break;
        }
        assert_int_equal(status.code, DEW_NO_MEMORY);
    }
}

static void assert_unreadable(const char *name, size_t limit, const char *words)
{
    uint8_t *data = (uint8_t *)1;
    size_t size = 1;
    dew_Status status = dew_file_read(name, limit, NULL, &data, &size);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, words));
    assert_non_null(strstr(status.message, name));
    assert_null(data);
    assert_int_equal(size, 0);
}

static void unreadable_files(void **state)
{
    (void)state;
    assert_unreadable(path, 100, "No such file or directory");
    assert_unreadable(folder, 100, "it is a directory");
    assert_int_equal(save(path, "0123456789", NULL).code, DEW_OK);
    assert_unreadable(path, 9, "too large (at most 9 B can be read)");
    assert_content(path, "0123456789");
    assert_unreadable("/dev/zero", 5000000, "it is a device (a file is wanted)");
    char below[128];
    snprintf(below, sizeof below, "%s/x", path);
    assert_unreadable(below, 100, "Not a directory");
    uint8_t *data = NULL;
    size_t size = 1;
    assert_int_equal(save(path, "", NULL).code, DEW_OK);
    assert_int_equal(dew_file_read(path, 0, NULL, &data, &size).code, DEW_OK);
    assert_int_equal(size, 0);
    assert_int_equal(data[0], 0);
    dew_free(NULL, data, 1);
}

// Whoever opens a pipe by its name waits for the other end: it is refused before that.
static void special_files_are_refused(void **state)
{
    (void)state;
    uint64_t hash;
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_unreadable(path, 100, "it is a pipe (a file is wanted)");
    assert_int_equal(dew_file_hash(path, &hash).code, DEW_BAD_INPUT);
    assert_int_equal(unlink(path), 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%.100s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_unreadable(path, 100, "it is a socket (a file is wanted)");
    close(fd);
}

static void *fill_pipe(void *context)
{
    int fd = *(int *)context;
    char line[1000];
    memset(line, 'p', sizeof line);
    for (int i = 0; i < 300; i++)
        dew_fd_write(fd, line, sizeof line, "pipe");
    close(fd);
    return NULL;
}

static void streams_of_the_program_are_read_to_the_end(void **state)
{
    (void)state;
    int ends[2];
    pthread_t thread;
    char name[32];
    assert_int_equal(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    assert_int_equal(pthread_create(&thread, NULL, fill_pipe, &ends[1]), 0);
    uint8_t *data = NULL;
    size_t size = 0;
    assert_int_equal(dew_file_read(name, 300000, NULL, &data, &size).code, DEW_OK);
    pthread_join(thread, NULL);
    close(ends[0]);
    assert_int_equal(size, 300000);
    assert_int_equal(data[299999], 'p');
    dew_free(NULL, data, size + 1);
    assert_unreadable(name, 100, "No such file or directory");  // closed by now
    assert_unreadable("/dev/fd/", 100, "it is a directory");
    assert_unreadable("/dev/fd/0x", 100, "No such file or directory");
    // files of /proc say that they are empty
    assert_int_equal(dew_file_read("/proc/self/status", 1 << 20, NULL, &data, &size).code, DEW_OK);
    assert_true(size > 100);
    dew_free(NULL, data, size + 1);
}

// The hash of two blocks and a bit depends on every byte and on the length.
static void hash_of_a_file(void **state)
{
    (void)state;
    enum { SIZE = 2 * (64 << 10) + 5 };
    static char text[SIZE + 1];
    uint64_t whole, again, other;
    memset(text, 'a', SIZE);
    assert_int_equal(save(path, text, NULL).code, DEW_OK);
    assert_int_equal(dew_file_hash(path, &whole).code, DEW_OK);
    assert_int_equal(dew_file_hash(path, &again).code, DEW_OK);
    assert_true(whole == again);
    static const int places[] = {0, 64 << 10, SIZE - 1};
    for (int i = 0; i < 3; i++) {
        text[places[i]] = 'b';
        assert_int_equal(save(path, text, NULL).code, DEW_OK);
        assert_int_equal(dew_file_hash(path, &other).code, DEW_OK);
        assert_true(other != whole);
        text[places[i]] = 'a';
    }
    text[SIZE - 1] = '\0';
    assert_int_equal(save(path, text, NULL).code, DEW_OK);
    assert_int_equal(dew_file_hash(path, &other).code, DEW_OK);
    assert_true(other != whole);
}

static void directories(void **state)
{
    (void)state;
    char name[PATH_MAX];
    static const char *const shapes[] = {"a", "b/c/d", "b/c/d", "e//f/", "b/./g", ""};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        snprintf(name, sizeof name, "%s/%s", folder, shapes[i]);
        assert_int_equal(dew_directory_make(name).code, DEW_OK);
        assert_true(dew_file_exists(name));
    }
    assert_int_equal(dew_directory_make("/").code, DEW_OK);
    assert_int_equal(dew_directory_make(".").code, DEW_OK);
    assert_int_equal(dew_directory_make("").code, DEW_IO);
    assert_int_equal(save(path, "file", NULL).code, DEW_OK);
    assert_int_equal(dew_directory_make(path).code, DEW_IO);
    snprintf(name, sizeof name, "%s/below", path);
    dew_Status status = dew_directory_make(name);
    assert_int_equal(status.code, DEW_IO);
    assert_non_null(strstr(status.message, "is a file"));
    assert_int_equal(dew_directory_make("/proc/dew_cannot").code, DEW_IO);
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(dew_directory_make(name).code, DEW_IO);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(appears_when_committed),
        TEST(abandoned_leaves_nothing),
        TEST(large_content),
        TEST(long_formats),
        TEST(every_call_can_fail),
        TEST(every_write_can_fail),
        TEST(interrupted_sync_and_close),
        TEST(directory_sync_can_fail),
        TEST(real_full_device),
        TEST(begin_can_fail),
        TEST(every_allocation_can_fail),
        TEST(unreadable_files),
        TEST(special_files_are_refused),
        TEST(streams_of_the_program_are_read_to_the_end),
        TEST(hash_of_a_file),
        TEST(directories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
