// YAML to tree: lines, aliases, and every bound and error with its words and line.
#include "scene/yaml.h"

#include "base/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dew_Arena arena;
static dew_Tree tree;

static int setup(void **state)
{
    (void)state;
    dew_arena_init(&arena, NULL);
    dew_tree_init(&tree, &arena);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    dew_arena_deinit(&arena);
    return 0;
}

static dew_Node *read_well(const char *text)
{
    dew_YamlPlace place;
    dew_Node *root = NULL;
    dew_Status status = dew_yaml_read(&tree, text, strlen(text), NULL, &root, &place);
    if (status.code != DEW_OK)
        fail_msg("line %d: %s", place.line, status.message);
    tree.root = root;
    return root;
}

static void expect_rejected(const char *text, size_t size, int line, const char *words)
{
    dew_YamlPlace place;
    dew_Node *root = NULL;
    dew_Status status = dew_yaml_read(&tree, text, size, NULL, &root, &place);
    if (status.code != DEW_BAD_INPUT || place.line != line || !strstr(status.message, words))
        fail_msg("wanted %d: %s\n   got %d: %s", line, words, place.line, status.message);
}

static void test_lines_and_values(void **state)
{
    (void)state;
    read_well(
        "\xef\xbb\xbf# a comment\nsolver: volume\r\ndrops:\n  - {shape: sphere,\n     radius: "
        "\"2 mm\"}\n  - ~\nempty:\n");
    const dew_Node *radius = dew_tree_find(&tree, "drops[0].radius");
    assert_non_null(radius);
    assert_string_equal(radius->text, "2 mm");
    assert_int_equal(radius->line, 5);
    assert_false(radius->is_plain);
    assert_int_equal(dew_tree_find(&tree, "drops[0].shape")->line, 4);
    assert_int_equal(dew_tree_find(&tree, "drops")->key_line, 3);
    assert_string_equal(dew_tree_find(&tree, "solver")->text, "volume");
    assert_true(dew_node_is_null(dew_tree_find(&tree, "drops[1]")));
    assert_true(dew_node_is_null(dew_tree_find(&tree, "empty")));
    assert_null(dew_tree_find(&tree, "drops[2]"));
    assert_null(dew_tree_find(&tree, "drops[0].radiu"));
    assert_null(dew_tree_find(&tree, "drops[0"));
    assert_null(dew_tree_find(&tree, "drops..x"));
}

static void test_aliases(void **state)
{
    (void)state;
    read_well("a: &x [1, {k: v}]\nb: *x\nc: {d: *x}\n&word w: &word z\n*word : q\n");
    assert_string_equal(dew_tree_find(&tree, "b[1].k")->text, "v");
    assert_string_equal(dew_tree_find(&tree, "c.d[0]")->text, "1");
    assert_int_equal(dew_tree_find(&tree, "b[0]")->line, 1);  // where it can be corrected
    assert_ptr_not_equal(dew_tree_find(&tree, "b"), dew_tree_find(&tree, "a"));
    assert_non_null(dew_tree_find(&tree, "z"));
}

static void test_nothing(void **state)
{
    (void)state;
    assert_null(read_well(""));
    assert_null(read_well("# only a comment\n"));
    assert_null(read_well("---\n...\n"));
    assert_null(read_well("~"));
}

static void test_duplicates_are_marked(void **state)
{
    (void)state;
    read_well("a: 1\nb: 2\n\na: 3\n");
    const dew_Node *last = tree.root->last;
    assert_int_equal(last->duplicate_line, 1);
    assert_int_equal(last->key_line, 4);
    assert_string_equal(dew_tree_find(&tree, "a")->text, "1");
}

static void test_block_scalars_lose_their_end(void **state)
{
    (void)state;
    read_well("t: |\n  two\n  lines\n\nu: >\n  one\n  line\n");
    assert_string_equal(dew_tree_find(&tree, "t")->text, "two\nlines");
    assert_string_equal(dew_tree_find(&tree, "u")->text, "one line");
}

static void test_rejected(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *words;
    } cases[] = {
        {"a: 1\n\tb: 2\n", 2, "a tab indents this line"},
        {"a:\n \t- 2\n", 2, "a tab indents this line"},
        {"a: 1\nb: \xff\n", 2, "byte 0xff is not UTF-8"},
        {"a: 1\nb: \xc0\xaf\n", 2, "not UTF-8"},
        {"a: 1\nb: \xed\xa0\x80\n", 2, "not UTF-8"},
        {"\xff\xfe"
         "a\n",
         1, "this is UTF-16 text (save it as UTF-8)"},
        {"a: 1\n\nb: \x1b[2J\n", 3, "U+001B"},
        {"a: \xc2\x9b\n", 1, "U+009B"},
        {"a: \"\\0\"\n", 1, "NUL"},
        {"a: [1, 2\nb: 3\n", 2, "not YAML: did not find expected ',' or ']'"},
        {"a: 'open\n", 2, "not YAML: found unexpected end of stream"},
        {"a: b: c\n", 1, "not YAML: mapping values are not allowed"},
        {"a: 1\n---\nb: 2\n", 2, "a second document"},
        {"a: *nowhere\n", 1, "alias \"nowhere\" has no anchor"},
        {"a: &x\n  b: *x\n", 2, "alias \"x\" stands inside itself"},
        {"&x [*x]\n", 1, "stands inside itself"},
        {"a: &x {b: 1}\nc:\n  <<: *x\n", 3, "merge keys"},
        {"a: !!str 5\n", 1, "tag"},
        {"a: !mine {}\n", 1, "tag"},
        {"? [1, 2]\n: x\n", 1, "expected a key (a word), found a list"},
        {"a: &x [1]\n*x : 3\n", 2, "no word to be a key"},
        {"a: 1\n\"\": 2\n", 2, "a key is missing"},
        {"%YAML 9.9\n---\na: 1\n", 1, "not YAML: found incompatible YAML document"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_rejected(cases[i].text, strlen(cases[i].text), cases[i].line, cases[i].words);
    expect_rejected("a: 1\nb: \0", 9, 2, "U+0000");
}

static void test_depth(void **state)
{
    (void)state;
    enum { DEEP = 100000 };
    char *text = (char *)malloc(2 * DEEP + 1);
    assert_non_null(text);
    memset(text, '[', DEEP);
    memset(text + DEEP, ']', DEEP);
    expect_rejected(text, 2 * DEEP, 1, "nested more than 64 deep");
    read_well("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
              "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]");
    // Nesting by aliases: each level holds the one before.
    size_t n = 0;
    for (int i = 0; i < 70; i++)
        n += (size_t)sprintf(text + n, i ? "k%d: &a%d [*a%d]\n" : "k%d: &a%d [x]\n", i, i, i - 1);
    expect_rejected(text, n, 64, "nested more than 64 deep");
    free(text);
}

static void test_bombs(void **state)
{
    (void)state;
    const char *laughs =
        "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
        "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
        "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n"
        "g: [*f,*f,*f,*f,*f,*f,*f,*f,*f,*f]\n";
    expect_rejected(laughs, strlen(laughs), 6, "more than 300000 values");
    enum { SIZE = 5 << 20 };
    char *text = (char *)malloc(SIZE);
    assert_non_null(text);
    memset(text, 'a', SIZE);
    expect_rejected(text, SIZE, 0, "larger than 4 MB");
    for (int i = 0; i < 1 << 20; i++)
        memcpy(text + 2 * i, "- ", 2);
    dew_tree_init(&tree, &arena);
    expect_rejected(text, 1 << 20, 1, "nested more than 64 deep");
    memset(text, ',', SIZE);
    text[0] = '[';
    for (int i = 1; i < 700000; i += 2)
        text[i] = '1';
    text[700001] = ']';
    dew_tree_init(&tree, &arena);
    expect_rejected(text, 700002, 1, "more than 300000 values");
    size_t n = 0;
    for (int i = 0; i < 2000; i++)
        n += (size_t)sprintf(text + n, "k%d: 1\n", i);
    dew_tree_init(&tree, &arena);
    expect_rejected(text, n, 1025, "more than 1024 keys");
    n = 0;
    for (int i = 0; i < 300; i++)
        n += (size_t)sprintf(text + n, "- &k%d 1\n", i);
    expect_rejected(text, n, 257, "more than 256 anchors");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lines_and_values, setup, teardown),
        cmocka_unit_test_setup_teardown(test_aliases, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_duplicates_are_marked, setup, teardown),
        cmocka_unit_test_setup_teardown(test_block_scalars_lose_their_end, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rejected, setup, teardown),
        cmocka_unit_test_setup_teardown(test_depth, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bombs, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
