// Curves: panels follow the data, no peak is thinned away, a title cannot break the script, and
// gnuplot takes the script (where it is installed).
#include "report/plot.h"

#include "base/testing.h"

#include <math.h>
#include <string.h>

enum { ROWS = 50000, PEAK_ROW = 31234 };
static double values[ROWS * 3];
static const char *names[] = {"time", "max_speed", "contact_angle"};
static const dew_StatsTable table = {3, ROWS, names, values};

static int fill(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        values[3 * i] = 1e-3 * i;
        values[3 * i + 1] = 0.5;
        values[3 * i + 2] = (double)NAN;
    }
    values[3 * PEAK_ROW + 1] = 123.25;
    return 0;
}

static void script_has_the_panels_that_have_data(void **state)
{
    (void)state;
    dew_Text script;
    dew_text_init(&script, NULL);
    dew_plot_script(&table, "it's \n a title", DEW_PLOT_SVG, &script);
    const char *text = dew_text_string(&script);
    assert_non_null(strstr(text, "Fastest speed"));
    assert_null(strstr(text, "Contact angle"));
    assert_null(strstr(text, "Energy"));
    assert_non_null(strstr(text, "title 'it''s   a title'"));
    assert_non_null(strstr(text, "123.25"));
    assert_true(dew_text_length(&script) < 100000);
    dew_text_deinit(&script);
}

static void gnuplot_draws_it(void **state)
{
    (void)state;
    dew_Array svg, png;
    dew_array_init(&svg, NULL, 1);
    dew_array_init(&png, NULL, 1);
    dew_Status status = dew_plot_stats(&table, "title", DEW_PLOT_SVG, &svg);
    if (status.code == DEW_UNSUPPORTED) {
        dew_array_deinit(&svg);
        skip();
    }
    assert_int_equal(status.code, DEW_OK);
    assert_non_null(memmem(svg.data, (size_t)svg.count, "<svg", 4));
    assert_non_null(memmem(svg.data, (size_t)svg.count, "</svg>", 6));
    assert_int_equal(dew_plot_stats(&table, "title", DEW_PLOT_PNG, &png).code, DEW_OK);
    assert_memory_equal(png.data, "\x89PNG", 4);
    dew_array_deinit(&svg);
    dew_array_deinit(&png);
}

static void a_table_without_rows_is_refused(void **state)
{
    (void)state;
    dew_StatsTable empty = {3, 0, names, values};
    dew_Array out;
    dew_array_init(&out, NULL, 1);
    assert_int_equal(dew_plot_stats(&empty, "", DEW_PLOT_SVG, &out).code, DEW_BAD_INPUT);
    dew_array_deinit(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(script_has_the_panels_that_have_data),
        cmocka_unit_test(gnuplot_draws_it),
        cmocka_unit_test(a_table_without_rows_is_refused),
    };
    return cmocka_run_group_tests(tests, fill, NULL);
}
