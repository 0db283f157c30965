// Names that are legal and unique whatever was asked for; samples that are left out are those that
// interpolation yields.
#include "io/usd_stage.h"

#include "base/testing.h"

#include <string.h>

// Handles are the values themselves.
static dew_Status store_float(void *writer, const dew_UsdValue *value, uint64_t *handle)
{
    float x = *(const float *)value->data;
    ++*(int *)writer;
    *handle = (uint64_t)x;
    return dew_ok();
}

static void prim_names(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"liquid", "liquid"},
        {"moving ball", "moving_ball"},
        {"moving  ball", "moving_ball_2"},
        {"moving/ball", "moving_ball_3"},
        {"2nd", "_2nd"},
        {"", "_"},
        {"\xe6\xb0\xb4\xe6\xbb\xb4", "__2"},  // two characters of three bytes each
        {"\xff\xfe", "__3"},                  // no UTF-8
        {"a:b", "a_b"},
        {"<a>.b[0]", "_a_b_0_"},
        {"Camera", "Camera"},
        {"Camera", "Camera_2"},
        {"Camera_2", "Camera_2_2"},
        {"line\nend\t\"quoted\\", "line_end_quoted_"},
    };
    dew_UsdStage stage;
    int calls = 0, root, prim;
    dew_usd_stage_init(&stage, NULL, store_float, &calls);
    assert_ok(dew_usd_add_prim(&stage, -1, "World", "Xform", NULL, &root));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_ok(dew_usd_add_prim(&stage, root, names[i][0], "Mesh", NULL, &prim));
        const dew_UsdPrim *p = dew_usd_prim(&stage, prim);
        assert_string_equal(p->name, names[i][1]);
        if (strcmp(names[i][0], names[i][1]) == 0)
            assert_null(p->display_name);
        else
            assert_string_equal(p->display_name, names[i][0]);
    }
    int other;  // names are unique among siblings only
    assert_ok(dew_usd_add_prim(&stage, prim, "Camera", "Mesh", NULL, &other));
    assert_string_equal(dew_usd_prim(&stage, other)->name, "Camera");
    dew_usd_stage_deinit(&stage);
}

static void property_names(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"primvars:wet", "primvars:wet"},     {"primvars:wet", "primvars:wet_2"},
        {"primvars:2nd", "primvars:_2nd"},    {"primvars:a b", "primvars:a_b"},
        {"primvars:", "primvars:_"},          {"primvars::x", "primvars:_x"},
        {"xformOp:orient", "xformOp:orient"},
    };
    dew_UsdStage stage;
    int calls = 0, root, property;
    dew_usd_stage_init(&stage, NULL, store_float, &calls);
    assert_ok(dew_usd_add_prim(&stage, -1, "World", "Xform", NULL, &root));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        dew_UsdPropertyDef def = {.name = names[i][0], .type = DEW_USD_FLOAT};
        assert_ok(dew_usd_declare(&stage, root, &def, &property));
        assert_string_equal(dew_usd_property(&stage, property)->def.name, names[i][1]);
    }
    dew_usd_stage_deinit(&stage);
}

static void samples_are_thinned(void **state)
{
    (void)state;
    static const float values[] = {5, 5, 5, 1, 1, 2, 2, 2, 2, 5};
    static const double times[] = {0, 2, 3, 4, 5, 8, 9};
    dew_UsdStage stage;
    int calls = 0, root, property;
    dew_UsdPropertyDef def = {.name = "x", .type = DEW_USD_FLOAT};
    dew_usd_stage_init(&stage, NULL, store_float, &calls);
    assert_ok(dew_usd_add_prim(&stage, -1, "World", "Xform", NULL, &root));
    assert_ok(dew_usd_declare(&stage, root, &def, &property));
    for (int i = 0; i < 10; i++)
        assert_ok(dew_usd_sample(&stage, property, i, &values[i], 1));
    assert_int_equal(calls, 3);  // equal values are stored once
    dew_usd_thin(&stage, property);
    const dew_Array *samples = &dew_usd_property(&stage, property)->samples;
    assert_int_equal(samples->count, 7);
    for (int i = 0; i < 7; i++) {
        const dew_UsdSample *s = &DEW_ITEMS(samples, const dew_UsdSample)[i];
        assert_true(s->time_code == times[i]);
        assert_int_equal(s->value, (int)values[(int)times[i]]);
    }
    // What never varies: one sample.
    def.name = "y";
    assert_ok(dew_usd_declare(&stage, root, &def, &property));
    for (int i = 0; i < 4; i++)
        assert_ok(dew_usd_sample(&stage, property, i, &values[0], 1));
    dew_usd_thin(&stage, property);
    assert_int_equal(dew_usd_property(&stage, property)->samples.count, 1);
    dew_usd_stage_deinit(&stage);
}

static void values_are_held(void **state)
{
    (void)state;
    dew_UsdStage stage;
    int calls = 0, root, property;
    float x = 4;
    dew_UsdPropertyDef def = {.name = "x", .type = DEW_USD_FLOAT};
    dew_usd_stage_init(&stage, NULL, store_float, &calls);
    assert_ok(dew_usd_add_prim(&stage, -1, "World", "Xform", NULL, &root));
    assert_ok(dew_usd_declare(&stage, root, &def, &property));
    assert_ok(dew_usd_hold(&stage, property, 1, false));  // nothing there yet
    const dew_Array *samples = &dew_usd_property(&stage, property)->samples;
    assert_int_equal(samples->count, 0);
    assert_ok(dew_usd_sample(&stage, property, 2, &x, 1));
    assert_ok(dew_usd_hold(&stage, property, 3, false));
    assert_ok(dew_usd_hold(&stage, property, 4, true));
    assert_int_equal(samples->count, 2);
    const dew_UsdSample *s = DEW_ITEMS(samples, const dew_UsdSample);
    assert_true(s[0].time_code == 2 && s[1].time_code == 4 && s[1].value == 4);
    dew_usd_stage_deinit(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prim_names),
        cmocka_unit_test(property_names),
        cmocka_unit_test(samples_are_thinned),
        cmocka_unit_test(values_are_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
