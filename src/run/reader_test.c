// A run directory read back: summary, frames, tables, and directories that are refused.
#include "dew/run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "run/run_testing.h"

static void must(dew_Status status)
{
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
}

// Runs to the end; the last stats are kept to compare with.
static dew_Stats write_run(const char *path)
{
    dew_RunDef def = dew_default_run_def();
    dew_Run *run = NULL;
    dew_Stats stats;
    must(test_scene(TEST_SHORT, NULL, &def.scene));
    def.directory = path;
    must(dew_run_create(&def, &run));
    must(dew_run_execute(run));
    assert_true(dew_run_is_done(run));
    dew_world_stats(dew_run_world(run), &stats);
    dew_run_destroy(run);
    dew_scene_destroy(def.scene);
    return stats;
}

static dew_Status open_reader(const char *path, dew_RunReader **out)
{
    dew_RunReaderDef def = dew_default_run_reader_def();
    def.directory = path;
    return dew_run_reader_create(&def, out);
}

static void reads_what_a_run_wrote(void **state)
{
    (void)state;
    TestDirectory d = test_directory();
    dew_Stats stats = write_run(d.path);
    dew_RunReader *reader = NULL;
    must(open_reader(d.path, &reader));
    const dew_RunSummary *summary = dew_run_reader_summary(reader);
    assert_int_equal(summary->state, DEW_RUN_DONE);
    assert_string_equal(summary->version, dew_version());
    assert_string_equal(summary->solver, dew_scene_def(dew_run_reader_scene(reader))->solver);
    assert_int_equal(summary->steps, stats.step);
    assert_true(summary->time_s == stats.time_s && summary->state_hash != 0);
    assert_int_equal(dew_run_reader_frame_count(reader), summary->frames);
    dew_Surface *surface = NULL;
    must(dew_surface_create(NULL, &surface));
    for (int64_t i = 0; i < dew_run_reader_frame_count(reader); i++) {
        assert_int_equal(dew_run_reader_frame(reader, i), i);
        must(dew_run_reader_surface(reader, i, surface));
        assert_true(dew_surface_volume_m3(surface) > 0);
    }
    assert_true(dew_run_reader_time_s(reader, summary->frames - 1) == stats.time_s);
    must(dew_run_reader_check_files(reader));
    dew_surface_destroy(surface);
    dew_run_reader_destroy(reader);
    test_remove(d.path);
}

static void reads_tables_by_column(void **state)
{
    (void)state;
    TestDirectory d = test_directory();
    dew_Stats stats = write_run(d.path);
    dew_RunReader *reader = NULL;
    const char *const *names;
    const double *time, *volume, *parents;
    int64_t rows, volume_rows, drop_rows;
    int count;
    must(open_reader(d.path, &reader));
    must(dew_run_reader_columns(reader, DEW_RUN_STATS, &names, &count));
    assert_string_equal(names[0], "step");
    must(dew_run_reader_column(reader, DEW_RUN_STATS, "time", &time, &rows));
    must(dew_run_reader_column(reader, DEW_RUN_STATS, "volume", &volume, &volume_rows));
    assert_true(rows == stats.step + 1 && volume_rows == rows);
    for (int64_t i = 1; i < rows; i++)
        assert_true(time[i] > time[i - 1]);
    assert_true(time[rows - 1] == stats.time_s && volume[rows - 1] == stats.volume_m3);
    must(dew_run_reader_column(reader, DEW_RUN_DROPS, "parents", &parents, &drop_rows));
    assert_true(drop_rows > 0 && isnan(parents[0]));  // no drop has parents: empty cells
    assert_int_equal(dew_run_reader_column(reader, DEW_RUN_STATS, "tyme", &time, &rows).code,
                     DEW_BAD_INPUT);
    must(dew_run_reader_refresh(reader));
    must(dew_run_reader_column(reader, DEW_RUN_STATS, "time", &time, &rows));
    assert_true(time[rows - 1] == stats.time_s);
    dew_run_reader_destroy(reader);
    test_remove(d.path);
}

static void refuses_what_is_not_a_run(void **state)
{
    (void)state;
    TestDirectory d = test_directory();
    char link[600];
    dew_RunReader *reader = NULL;
    dew_Status status = open_reader("no/such/directory", &reader);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "not a run directory"));
    assert_null(reader);
    write_run(d.path);
    snprintf(link, sizeof link, "%s/frames/surface.0001.obj", d.path);
    assert_int_equal(symlink("/etc/passwd", link), 0);
    assert_int_equal(open_reader(d.path, &reader).code, DEW_BAD_INPUT);
    assert_null(reader);
    test_remove(d.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_a_run_wrote),
        cmocka_unit_test(reads_tables_by_column),
        cmocka_unit_test(refuses_what_is_not_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
