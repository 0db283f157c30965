// Runs side by side: the page tells what was kept, what differs, and draws the profiles and the
// curves of all.
#include "report/compare.h"

#include "base/file.h"
#include "base/testing.h"
#include "report/plot.h"
#include "report/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {"x", "z", "ground", "depth"};
// Dry, wet, wet.
static double heights[] = {0, 0, 1, 0, 1, 0, 0.5, 0.25, 2, 0, 0, 0.75};

static void a_profile_ends_where_the_liquid_does(void **state)
{
    (void)state;
    dew_Profile profile = {"it's one", {4, 3, (const char **)names, heights}};
    dew_Text script;
    dew_text_init(&script, NULL);
    dew_profile_script(&profile, 1, &script);
    const char *text = dew_text_string(&script);
    assert_non_null(strstr(text, "'it''s one'"));
    assert_non_null(strstr(text, "0 1 NaN 1\n1 0.5 0.75 0.75\n2 0 0.75 0.75\n"));
    assert_non_null(strstr(text, "set yrange [0:1.1]"));
    dew_text_deinit(&script);
}

static void volumes_are_drawn_relative_to_their_start(void **state)
{
    (void)state;
    static const char *const columns[] = {"time", "volume"};
    static double one[] = {0, 4, 1, 2}, two[] = {0, 8, 1, 8};
    dew_StatsTable tables[] = {{2, 2, (const char **)columns, one},
                               {2, 2, (const char **)columns, two}};
    dew_PlotRun runs[] = {{&tables[0], "leaks"}, {&tables[1], "keeps"}};
    dew_Text script;
    dew_text_init(&script, NULL);
    dew_plot_runs_script(runs, 2, &script);
    const char *text = dew_text_string(&script);
    assert_non_null(strstr(text, "($2/4)"));
    assert_non_null(strstr(text, "($2/8)"));
    assert_non_null(strstr(text, "title 'leaks'"));
    assert_null(strstr(text, "Fastest speed"));
    dew_text_deinit(&script);
}

static void write_text(const char *directory, const char *name, const char *text)
{
    char path[512];
    dew_FileWriter writer;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    assert_int_equal(dew_file_begin(&writer, path, NULL).code, DEW_OK);
    dew_file_text(&writer, text);
    assert_int_equal(dew_file_commit(&writer).code, DEW_OK);
}

static void make_run(const char *directory, const char *model, const char *volume_error)
{
    char text[512], frames[512];
    snprintf(frames, sizeof frames, "%s/frames", directory);
    assert_int_equal(dew_directory_make(frames).code, DEW_OK);
    snprintf(text, sizeof text, "solver: shallow\ndimensions: 1\nshallow:\n  model: %s\n", model);
    write_text(directory, "scene.yaml", text);
    write_text(directory, "run.json",
               "{\"solver\": \"shallow\", \"status\": \"done\", \"steps\": 7, \"frames\": 2, "
               "\"time_s\": 3, \"cpu_s\": 0.5}\n");
    snprintf(text, sizeof text, "time,volume,volume_error,max_speed\n0,1,0,0\n3,%g,%s,2\n",
             1 + atof(volume_error), volume_error);
    write_text(directory, "stats.csv", text);
    const char *height = "x,z,ground,depth\n0,0,1,0\n1,0,0.5,0.25\n2,0,0,0.75\n";
    write_text(frames, "height.0000.csv", height);
    write_text(frames, "height.0001.csv", height);
}

static void remove_run(const char *directory)
{
    static const char *const files[] = {"frames/height.0000.csv",
                                        "frames/height.0001.csv",
                                        "frames",
                                        "scene.yaml",
                                        "run.json",
                                        "stats.csv"};
    char path[512];
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        snprintf(path, sizeof path, "%s/%s", directory, files[k]);
        assert_int_equal(remove(path), 0);
    }
    assert_int_equal(rmdir(directory), 0);
}

static void a_page_of_two_runs(void **state)
{
    (void)state;
    char folder[] = "compare_test.XXXXXX", one[64], two[64];
    assert_non_null(mkdtemp(folder));
    snprintf(one, sizeof one, "%s/one", folder);
    snprintf(two, sizeof two, "%s/two/", folder);
    make_run(one, "finite-difference", "-0.6");
    make_run(two, "level-set", "0");
    const char *directories[] = {one, two};
    dew_Arena arena;
    dew_Text page;
    dew_arena_init(&arena, NULL);
    dew_text_init(&page, NULL);
    assert_int_equal(dew_report_compare(directories, 2, &arena, &page).code, DEW_OK);
    const char *text = dew_text_string(&page);
    assert_non_null(strstr(text, "2 runs side by side"));
    assert_non_null(strstr(text, "<td>one</td>"));
    assert_non_null(strstr(text, "<td>two</td>"));
    assert_non_null(strstr(text, "<td class=\"number\">40</td>"));  // per cent kept
    assert_non_null(strstr(text, "<pre>  model: level-set\n</pre>"));
    assert_true(strstr(text, "<svg") || strstr(text, "plots need gnuplot"));
    directories[1] = folder;
    assert_int_equal(dew_report_compare(directories, 2, &arena, &page).code, DEW_BAD_INPUT);
    dew_text_deinit(&page);
    dew_arena_deinit(&arena);
    remove_run(one);
    two[strlen(two) - 1] = 0;
    remove_run(two);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_profile_ends_where_the_liquid_does),
        cmocka_unit_test(volumes_are_drawn_relative_to_their_start),
        cmocka_unit_test(a_page_of_two_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
