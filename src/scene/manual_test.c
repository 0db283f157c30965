// The manual's page on the scene file says what the schema says: its tables are made from the rows,
// and this test compares them. Run with DEW_UPDATE_MANUAL=1 it writes them into the page instead.
#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/testing.h"
#include "base/text.h"
#include "scene/scene.h"
#include "scene/scene_testing.h"

#define PAGE DEW_SOURCE_DIR "/docs/manual/scene.md"

// ---- cells of a table --------------------------------------------------------------------------

static const char *kind_words(const dew_Key *key, char *out, size_t size)
{
    bool has_unit = key->unit != DEW_UNIT_NONE;
    const char *unit = has_unit ? dew_unit_kind_name(key->unit) : "number";
    const char *many = key->unit == DEW_UNIT_FREQUENCY || key->unit == DEW_UNIT_VISCOSITY ||
                               key->unit == DEW_UNIT_DENSITY
                           ? ""
                           : "s";
    static const char *const words[] = {
        [DEW_KEY_INTEGER] = "whole number",
        [DEW_KEY_SEED] = "whole number",
        [DEW_KEY_FLAG] = "true or false",
        [DEW_KEY_TEXT] = "text",
        [DEW_KEY_NAME] = "name",
        [DEW_KEY_FILE] = "file",
        [DEW_KEY_SIZE] = "two whole numbers",
        [DEW_KEY_BLOCK] = "mapping",
        [DEW_KEY_LIST] = "list of mappings",
        [DEW_KEY_NAMED] = "mapping of names to mappings",
        [DEW_KEY_KEYFRAMES] = "list of mappings",
        [DEW_KEY_LIQUID] = "name or mapping",
        [DEW_KEY_PRESET] = "name",
        [DEW_KEY_WALLS] = "mapping",
        [DEW_KEY_VERSION] = "whole number",
    };
    out[0] = '\0';
    switch (key->kind) {
    case DEW_KEY_NUMBER:
        return unit;
    case DEW_KEY_VECTOR:
        snprintf(out, size, "three %s%s", unit, many);
        return out;
    case DEW_KEY_PAIR:
        snprintf(out, size, "two %s%s", unit, many);
        return out;
    case DEW_KEY_RANGE:
        snprintf(out, size, "one or two %s%s", unit, many);
        return out;
    case DEW_KEY_WORDS:
        snprintf(out, size, "list of ");
        for (int i = 0; key->choices[i]; i++)
            snprintf(out + strlen(out), size - strlen(out), "%s`%s`", i ? " " : "",
                     key->choices[i]);
        return out;
    case DEW_KEY_CHOICE:
        for (int i = 0; key->choices[i]; i++)
            snprintf(out + strlen(out), size - strlen(out), "%s`%s`", i ? " " : "",
                     key->choices[i]);
        return out;
    case DEW_KEY_SHAPE:
        return key->name;
    default:
        return words[key->kind];
    }
}

static void add_number(dew_Text *text, double x, dew_UnitKind unit)
{
    bool is_angle = unit == DEW_UNIT_ANGLE;
    const char *symbol = is_angle ? "deg" : dew_unit_symbol(unit);
    dew_text_format(text, "%.6g", is_angle ? x / DEW_DEG(1) : x);
    if (x != 0 && *symbol)
        dew_text_format(text, " %s", symbol);
}

static void add_numbers(dew_Text *text, const char *field, int count, dew_UnitKind unit)
{
    double x[3];
    memcpy(x, field, (size_t)count * sizeof x[0]);
    for (int i = 0; i < count; i++) {
        dew_text_add(text, count == 1 ? "" : i == 0 ? "[" : ", ");
        add_number(text, x[i], unit);
    }
    dew_text_add(text, count > 1 ? "]" : "");
}

static void add_default(dew_Text *text, const dew_Key *key, const char *def)
{
    const char *field = def + key->offset;
    const char *words = NULL;
    int whole[2] = {0};
    if (key->is_required) {
        dew_text_add(text, "**required**");
        return;
    }
    if (key->is_short)
        return;
    switch (key->kind) {
    case DEW_KEY_NUMBER:
        add_numbers(text, field, 1, key->unit);
        break;
    case DEW_KEY_VECTOR:
        add_numbers(text, field, 3, key->unit);
        break;
    case DEW_KEY_INTEGER:
    case DEW_KEY_SIZE:
        memcpy(whole, field, sizeof whole);
        dew_text_format(text, key->kind == DEW_KEY_SIZE ? "[%d, %d]" : "%d", whole[0], whole[1]);
        break;
    case DEW_KEY_FLAG:
        dew_text_add(text, *(const bool *)field ? "true" : "false");
        break;
    case DEW_KEY_CHOICE:
        memcpy(whole, field, sizeof whole[0]);
        dew_text_format(text, "`%s`", key->choices[whole[0]]);
        break;
    case DEW_KEY_WORDS:
        memcpy(whole, field, sizeof whole[0]);
        dew_text_add(text, "[");
        for (int i = 0, count = 0; key->choices[i]; i++)
            if (whole[0] >> i & 1)
                dew_text_format(text, "%s`%s`", count++ ? ", " : "", key->choices[i]);
        dew_text_add(text, "]");
        break;
    case DEW_KEY_NAME:
    case DEW_KEY_FILE:
        memcpy(&words, field, sizeof words);
        dew_text_format(text, words ? "`%s`" : "%s", words ? words : "none");
        break;
    case DEW_KEY_SEED:
    case DEW_KEY_VERSION:
        dew_text_add(text, "1");
        break;
    case DEW_KEY_LIQUID:
        dew_text_add(text, "`water`");
        break;
    case DEW_KEY_WALLS:
        dew_text_add(text, "all open");
        break;
    default:
        break;
    }
}

static void add_shapes(dew_Text *text, const dew_Block *block, const dew_Key *key)
{
    bool is_first = true;
    for (int i = 0; block->shapes[i] && key->shapes; i++)
        if (key->shapes >> i & 1u) {
            dew_text_format(text, "%s%s", is_first ? "" : ", ", block->shapes[i]);
            is_first = false;
        }
    if (!key->shapes)
        dew_text_add(text, "all");
}

// ---- tables ------------------------------------------------------------------------------------

static void add_block_table(dew_Text *text, const dew_Block *block)
{
    static dew_Scene defaults;  // as large as the largest block
    dew_text_add(text, "| key | value | default |");
    if (block->shapes)
        dew_text_format(text, " %ss |", dew_block_shape_key(block)->name);
    dew_text_format(text, " meaning |\n|---|---|---|%s---|\n", block->shapes ? "---|" : "");
    for (int i = 0; i < block->key_count; i++) {
        const dew_Key *key = &block->keys[i];
        char kind[160];
        int shape = 0;
        while (!dew_key_has_shape(key, shape))
            shape++;
        block->init(&defaults, shape);
        dew_text_format(text, "| `%s` | %s | ", key->name, kind_words(key, kind, sizeof kind));
        add_default(text, key, (const char *)(const void *)&defaults);
        dew_text_add(text, " | ");
        if (block->shapes) {
            add_shapes(text, block, key);
            dew_text_add(text, " | ");
        }
        dew_text_format(text, "%s |\n", key->doc);
    }
}

static void add_unit_table(dew_Text *text)
{
    dew_text_add(text, "| kind | units | example |\n|---|---|---|\n");
    for (int kind = DEW_UNIT_LENGTH; kind < DEW_UNIT_KIND_COUNT; kind++) {
        dew_text_format(text, "| %s | ", dew_unit_kind_name((dew_UnitKind)kind));
        for (int i = 0; dew_unit_listed((dew_UnitKind)kind, i); i++)
            dew_text_format(text, "%s`%s`", i ? " " : "", dew_unit_listed((dew_UnitKind)kind, i));
        dew_text_format(text, " | `%s` |\n", dew_unit_kind_example((dew_UnitKind)kind));
    }
}

static void add_liquid_table(dew_Text *text)
{
    dew_text_add(text, "| name | density, kg/m^3 | viscosity, mPa s | surface tension, mN/m |\n"
                       "|---|---|---|---|\n");
    for (int i = 0; dew_liquid_names[i]; i++) {
        dew_LiquidDef liquid;
        assert_int_equal(dew_liquid_preset(dew_liquid_names[i], &liquid).code, DEW_OK);
        dew_text_format(text, "| `%s` | %.6g | %.6g | %.6g |\n", dew_liquid_names[i],
                        liquid.density_kg_m3, liquid.viscosity_Pa_s * 1e3,
                        liquid.surface_tension_N_m * 1e3);
    }
}

// The block of that noun, wherever it hangs below `block`; NULL: there is none.
static const dew_Block *find_block(const dew_Block *block, const char *noun)
{
    if (strcmp(block->noun, noun) == 0)
        return block;
    const dew_Block *found = NULL;
    for (int i = 0; i < block->key_count && !found; i++)
        if (block->keys[i].block)
            found = find_block(block->keys[i].block, noun);
    return found;
}

static void add_table(dew_Text *text, const char *name)
{
    const dew_Block *block = find_block(dew_scene_schema(), name);
    if (block)
        add_block_table(text, block);
    else if (strcmp(name, "units") == 0)
        add_unit_table(text);
    else if (strcmp(name, "liquids") == 0)
        add_liquid_table(text);
    else
        fail_msg("the page asks for a table of %s, which the schema does not have", name);
}

// ---- the page ----------------------------------------------------------------------------------

#define BEGIN "<!-- table "
#define END   "<!-- end -->\n"

// The page with every table made anew; counts the tables.
static int rewrite(const char *page, dew_Text *out)
{
    int count = 0;
    for (const char *begin = strstr(page, BEGIN); begin; begin = strstr(page, BEGIN), count++) {
        char name[64];
        assert_int_equal(sscanf(begin, BEGIN "%63s -->", name), 1);
        const char *table = strchr(begin, '\n') + 1;
        const char *end = strstr(table, END);
        assert_non_null(end);
        dew_text_add_bytes(out, page, (size_t)(table - page));
        add_table(out, name);
        page = end;
    }
    dew_text_add(out, page);
    return count;
}

static void test_page(void **state)
{
    (void)state;
    uint8_t *page = NULL;
    size_t size = 0;
    dew_Status status = dew_file_read(PAGE, 1 << 20, NULL, &page, &size);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    dew_Text fresh;
    dew_text_init(&fresh, NULL);
    int count = rewrite((const char *)page, &fresh);
    assert_int_equal(fresh.status.code, DEW_OK);
    assert_int_equal(count, 17);  // one per block of the schema, units, liquids
    if (getenv("DEW_UPDATE_MANUAL")) {
        dew_FileWriter writer;
        assert_int_equal(dew_file_begin(&writer, PAGE, NULL).code, DEW_OK);
        dew_file_text(&writer, dew_text_string(&fresh));
        assert_int_equal(dew_file_commit(&writer).code, DEW_OK);
    } else if (strcmp((const char *)page, dew_text_string(&fresh)) != 0)
        fail_msg("docs/manual/scene.md is not what the schema says: run this test with "
                 "DEW_UPDATE_MANUAL=1 and look at the difference");
    dew_text_deinit(&fresh);
    dew_free(NULL, page, size + 1);
}

// The scenes printed in the page are scenes.
static void test_examples(void **state)
{
    (void)state;
    uint8_t *page = NULL;
    size_t size = 0;
    assert_int_equal(dew_file_read(PAGE, 1 << 20, NULL, &page, &size).code, DEW_OK);
    int count = 0;
    const char *fence = "```yaml\n";
    for (char *begin = strstr((char *)page, fence); begin; count++) {
        char *text = begin + strlen(fence), *end = strstr(text, "```");
        assert_non_null(end);
        *end = '\0';
        TestLog log;
        dew_Scene *scene = NULL;
        if (test_read(text, NULL, NULL, &log, &scene).code != DEW_OK)
            fail_msg("%s\n%s", text, log.lines);
        dew_scene_destroy(scene);
        begin = strstr(end + 1, fence);
    }
    assert_true(count >= 2);
    dew_free(NULL, page, size + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
