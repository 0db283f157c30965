// Values: what a scalar or a short list must look like to become a number, a flag, a word or a
// vector.
#include "scene/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "scene/shown.h"

#define MAX_TEXT_BYTES 1000

const char *dew_value_words(const dew_Node *node, const char *wanted, dew_Diagnostics *diagnostics)
{
    if (node->kind != DEW_NODE_SCALAR)
        dew_diagnose(diagnostics, node, "expected %s, found %s", wanted, dew_node_kind_name(node));
    else if (dew_node_is_null(node))
        dew_diagnose(diagnostics, node, "expected %s, found no value", wanted);
    else
        return node->text;
    return NULL;
}

// ---- numbers -----------------------------------------------------------------------------------

// A bound as people read it: degrees for angles.
static const char *show_bound(const dew_Key *key, double bound, char *out, size_t size)
{
    bool is_angle = key->unit == DEW_UNIT_ANGLE;
    const char *symbol = is_angle ? "deg" : dew_unit_symbol(key->unit);
    snprintf(out, size, "%.6g%s%s", is_angle ? bound / DEW_DEG(1) : bound,
             bound != 0 && *symbol ? " " : "", bound != 0 ? symbol : "");
    return out;
}

static bool is_plain_number(const char *text)
{
    double ignored;
    return dew_number_parse(text, strlen(text), &ignored) == strlen(text);
}

static bool check_range(const dew_Key *key, const dew_Node *node, const char *text, double value,
                        dew_Diagnostics *diagnostics)
{
    char bound[64];
    if (isinf(value)) {
        if (key->may_be_infinite && value > 0)
            return true;
        dew_diagnose(diagnostics, node, "%s is infinite (a finite number is wanted)",
                     dew_shown(text).text);
        return false;
    }
    if (key->min == 0 && key->max == 0 && !key->is_min_open)
        return true;
    if (key->is_min_open ? value <= key->min : value < key->min)
        dew_diagnose(diagnostics, node, "%s is %s %s", dew_shown(text).text,
                     key->is_min_open ? "not above" : "below",
                     show_bound(key, key->min, bound, sizeof bound));
    else if (value > key->max)
        dew_diagnose(diagnostics, node, "%s is above %s%s", dew_shown(text).text,
                     show_bound(key, key->max, bound, sizeof bound),
                     key->unit == DEW_UNIT_ANGLE && is_plain_number(text)
                         ? " (plain numbers are radians; for degrees add deg)"
                         : "");
    else
        return true;
    return false;
}

// A value from code: its text is made for messages only.
static bool read_value(const dew_Key *key, const dew_Node *node, double *out,
                       dew_Diagnostics *diagnostics)
{
    char text[DEW_WORD_SIZE];
    dew_quantity_format(node->number, key->unit, text);
    if (isnan(node->number)) {
        dew_diagnose(diagnostics, node, "not a number");
        return false;
    }
    if (!check_range(key, node, text, node->number, diagnostics))
        return false;
    *out = node->number;
    return true;
}

static bool read_number(const dew_Key *key, const dew_Node *node, double *out,
                        dew_Diagnostics *diagnostics)
{
    if (node->kind == DEW_NODE_NUMBER)
        return read_value(key, node, out, diagnostics);
    char wanted[64] = "";
    if (node->kind != DEW_NODE_SCALAR || dew_node_is_null(node))
        snprintf(wanted, sizeof wanted, "%s %s such as %s", dew_unit_kind_article(key->unit),
                 dew_unit_kind_name(key->unit), dew_unit_kind_example(key->unit));
    const char *text = dew_value_words(node, wanted, diagnostics);
    if (!text)
        return false;
    if (key->may_be_infinite && strcmp(text, "none") == 0) {
        *out = (double)INFINITY;
        return true;
    }
    double value = 0;
    dew_Status status = dew_quantity_parse(text, key->unit, &value);
    if (status.code != DEW_OK) {
        dew_diagnose(diagnostics, node, "%s", status.message);
        return false;
    }
    if (!check_range(key, node, text, value, diagnostics))
        return false;
    *out = value;
    return true;
}

// A list of `count` numbers.
static bool read_numbers(const dew_Key *key, const dew_Node *node, int count, double *out,
                         dew_Diagnostics *diagnostics)
{
    const char *wanted = count == 3 ? "three numbers [x, y, z]" : "two numbers [a, b]";
    if (node->kind != DEW_NODE_LIST)
        dew_diagnose(diagnostics, node, "expected %s, found %s", wanted, dew_node_kind_name(node));
    else if (node->child_count != count)
        dew_diagnose(diagnostics, node, "expected %s, found a list of %d", wanted,
                     node->child_count);
    if (node->kind != DEW_NODE_LIST || node->child_count != count)
        return false;
    double value[3] = {0};
    bool is_good = true;
    int i = 0;
    for (const dew_Node *child = node->first; child; child = child->next, i++) {
        size_t before = dew_path_index(diagnostics, i);
        is_good &= read_number(key, child, &value[i], diagnostics);
        dew_path_back(diagnostics, before);
    }
    if (is_good)
        memcpy(out, value, (size_t)count * sizeof *out);
    return is_good;
}

static void read_vector(const dew_Key *key, const dew_Node *node, dew_Vec3 *out,
                        dew_Diagnostics *diagnostics)
{
    double value[3];
    if (!read_numbers(key, node, 3, value, diagnostics))
        return;
    if (key->is_direction && value[0] == 0 && value[1] == 0 && value[2] == 0)
        dew_diagnose(diagnostics, node, "[0, 0, 0] has no direction (one part must not be 0)");
    else
        *out = (dew_Vec3){value[0], value[1], value[2]};
}

static void read_range(const dew_Key *key, const dew_Node *node, double out[2],
                       dew_Diagnostics *diagnostics)
{
    double value[2];
    if (node->kind == DEW_NODE_SCALAR || node->kind == DEW_NODE_NUMBER) {
        if (read_number(key, node, &value[0], diagnostics))
            out[0] = out[1] = value[0];
    } else if (read_numbers(key, node, 2, value, diagnostics)) {
        if (value[0] > value[1])
            dew_diagnose(diagnostics, node, "the first is above the second (smallest first)");
        else
            memcpy(out, value, sizeof value);
    }
}

// The whole number of a node; false after a diagnostic. `text` is set for messages.
static bool whole_number(const dew_Node *node, char made[DEW_WORD_SIZE], const char **text,
                         int64_t *value, dew_Diagnostics *diagnostics)
{
    if (node->kind == DEW_NODE_NUMBER) {
        dew_quantity_format(node->number, DEW_UNIT_NONE, made);
        *text = made;
        bool is_whole = fabs(node->number) <= INT32_MAX && node->number == floor(node->number);
        if (is_whole)
            *value = (int64_t)node->number;
        else
            dew_diagnose(diagnostics, node, "%s is not a whole number", dew_shown(made).text);
        return is_whole;
    }
    *text = dew_value_words(node, "a whole number", diagnostics);
    if (!*text)
        return false;
    size_t length = strlen(*text);
    if (length > 0 && dew_integer_parse(*text, length, value) == length)
        return true;
    dew_diagnose(diagnostics, node, "%s is not a whole number", dew_shown(*text).text);
    return false;
}

static bool read_integer(const dew_Key *key, const dew_Node *node, int *out,
                         dew_Diagnostics *diagnostics)
{
    char made[DEW_WORD_SIZE];
    const char *text = NULL;
    int64_t value = 0;
    double min = key->min, max = key->max;
    if (min == 0 && max == 0) {
        min = INT32_MIN;
        max = INT32_MAX;
    }
    if (!whole_number(node, made, &text, &value, diagnostics))
        return false;
    if ((double)value < min || (double)value > max)
        dew_diagnose(diagnostics, node, "%s is not between %.0f and %.0f", dew_shown(text).text,
                     min, max);
    else {
        *out = (int)value;
        return true;
    }
    return false;
}

static void read_size(const dew_Key *key, const dew_Node *node, int out[2],
                      dew_Diagnostics *diagnostics)
{
    if (node->kind != DEW_NODE_LIST || node->child_count != 2) {
        dew_diagnose(diagnostics, node, "expected two whole numbers such as [1280, 720]");
        return;
    }
    int i = 0;
    for (const dew_Node *child = node->first; child; child = child->next, i++) {
        size_t before = dew_path_index(diagnostics, i);
        (void)read_integer(key, child, &out[i], diagnostics);
        dew_path_back(diagnostics, before);
    }
}

static void read_seed(const dew_Node *node, uint64_t *out, dew_Diagnostics *diagnostics)
{
    if (node->kind == DEW_NODE_NUMBER) {
        *out = node->whole;
        return;
    }
    const char *text = dew_value_words(node, "a whole number", diagnostics);
    if (!text)
        return;
    uint64_t value = 0;
    bool is_good = *text != '\0';
    for (const char *c = text; *c && is_good; c++)
        is_good = *c >= '0' && *c <= '9' && !__builtin_mul_overflow(value, 10u, &value) &&
                  !__builtin_add_overflow(value, (uint64_t)(*c - '0'), &value);
    if (is_good)
        *out = value;
    else
        dew_diagnose(diagnostics, node, "%s is not a whole number from 0 to 18446744073709551615",
                     dew_shown(text).text);
}

static void read_version(const dew_Node *node, dew_Diagnostics *diagnostics)
{
    static const dew_Key key = {.min = 0, .max = 1e6};
    int version = 0;
    if (read_integer(&key, node, &version, diagnostics) && version != 1)
        dew_diagnose(diagnostics, node, "format %d is not known to this version of dew (1 is)",
                     version);
}

// ---- words -------------------------------------------------------------------------------------

static void read_flag(const dew_Node *node, bool *out, dew_Diagnostics *diagnostics)
{
    static const char *const words[] = {"true", "yes", "on", "false", "no", "off"};
    const char *text = dew_value_words(node, "true or false", diagnostics);
    if (!text)
        return;
    for (int i = 0; i < 6; i++)
        if (strcmp(text, words[i]) == 0) {
            *out = i < 3;
            return;
        }
    dew_diagnose(diagnostics, node, "%s is neither true nor false", dew_shown(text).text);
}

static bool check_words(const dew_Node *node, const char *text, dew_Diagnostics *diagnostics)
{
    if (strlen(text) > MAX_TEXT_BYTES)
        dew_diagnose(diagnostics, node, "longer than %d bytes", MAX_TEXT_BYTES);
    else if (!dew_utf8_is_line(text))
        dew_diagnose(diagnostics, node, "%s has a control character or a line end in it",
                     dew_shown(text).text);
    else
        return true;
    return false;
}

bool dew_value_is_name(const char *text)
{
    size_t length = strlen(text);
    for (const char *c = text; *c; c++) {
        bool is_letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        bool is_digit = *c >= '0' && *c <= '9';
        if (!is_letter && !is_digit && *c != '-' && *c != '_' && !((unsigned char)*c & 0x80))
            return false;
    }
    return length > 0 && length <= DEW_WORD_SIZE && dew_utf8_is_line(text);
}

static void read_name(const dew_Node *node, const char **out, dew_Diagnostics *diagnostics)
{
    const char *text = dew_value_words(node, "a name", diagnostics);
    if (!text)
        return;
    if (dew_value_is_name(text))
        *out = text;
    else
        dew_diagnose(diagnostics, node, "%s is no name (letters, digits, - and _, up to %d)",
                     dew_shown(text).text, DEW_WORD_SIZE);
}

static void read_text(const dew_Node *node, const char **out, dew_Diagnostics *diagnostics)
{
    const char *text = dew_value_words(node, "a text", diagnostics);
    if (text && check_words(node, text, diagnostics))
        *out = text;
}

static void read_file(const dew_Key *key, const dew_Node *node, const char **out,
                      dew_Diagnostics *diagnostics)
{
    const char *text = dew_value_words(node, "a file's name", diagnostics);
    if (!text || !check_words(node, text, diagnostics))
        return;
    int64_t count = key->choices ? dew_names_count(key->choices) : 0;
    bool is_choice = false;
    for (int64_t i = 0; i < count; i++)
        is_choice |= strcmp(text, key->choices[i]) == 0;
    if (!*text)
        dew_diagnose(diagnostics, node, "an empty name names no file");
    else if (count > 0 && !is_choice && !strchr(text, '.')) {
        dew_Hint hint = dew_hint(diagnostics, text, key->choices, count);
        dew_diagnose(diagnostics, node, "unknown %s, and no file %s", dew_shown(text).text,
                     hint.text);
    } else
        *out = text;
}

int dew_value_choice(const dew_Key *key, const dew_Node *node, dew_Diagnostics *diagnostics)
{
    const char *text = dew_value_words(node, "a word", diagnostics);
    if (!text)
        return DEW_INVALID;
    for (int i = 0; key->choices[i]; i++)
        if (strcmp(text, key->choices[i]) == 0)
            return i;
    dew_Hint hint = dew_hint(diagnostics, text, key->choices, dew_names_count(key->choices));
    dew_diagnose(diagnostics, node, "unknown %s %s", dew_shown(text).text, hint.text);
    return DEW_INVALID;
}

static void read_words(const dew_Key *key, const dew_Node *node, int *out,
                       dew_Diagnostics *diagnostics)
{
    int set = 0, i = 0;
    bool is_good = true;
    if (node->kind != DEW_NODE_LIST) {
        dew_diagnose(diagnostics, node, "expected a list such as [%s]", key->choices[0]);
        return;
    }
    for (const dew_Node *child = node->first; child; child = child->next, i++) {
        size_t before = dew_path_index(diagnostics, i);
        int choice = dew_value_choice(key, child, diagnostics);
        dew_path_back(diagnostics, before);
        is_good = is_good && choice != DEW_INVALID;
        set |= choice != DEW_INVALID ? 1 << choice : 0;
    }
    if (is_good)
        *out = set;
}

// ---- by kind -----------------------------------------------------------------------------------

void dew_value_read(const dew_Key *key, const dew_Node *node, void *field,
                    dew_Diagnostics *diagnostics)
{
    int choice = 0;
    switch (key->kind) {
    case DEW_KEY_NUMBER:
        (void)read_number(key, node, (double *)field, diagnostics);
        break;
    case DEW_KEY_INTEGER:
        (void)read_integer(key, node, (int *)field, diagnostics);
        break;
    case DEW_KEY_SEED:
        read_seed(node, (uint64_t *)field, diagnostics);
        break;
    case DEW_KEY_FLAG:
        read_flag(node, (bool *)field, diagnostics);
        break;
    case DEW_KEY_TEXT:
        read_text(node, (const char **)field, diagnostics);
        break;
    case DEW_KEY_NAME:
        read_name(node, (const char **)field, diagnostics);
        break;
    case DEW_KEY_FILE:
        read_file(key, node, (const char **)field, diagnostics);
        break;
    case DEW_KEY_CHOICE:
        choice = dew_value_choice(key, node, diagnostics);
        if (choice >= 0)
            memcpy(field, &choice, sizeof choice);
        break;
    case DEW_KEY_WORDS:
        read_words(key, node, (int *)field, diagnostics);
        break;
    case DEW_KEY_VECTOR:
        read_vector(key, node, (dew_Vec3 *)field, diagnostics);
        break;
    case DEW_KEY_PAIR:
        (void)read_numbers(key, node, 2, (double *)field, diagnostics);
        break;
    case DEW_KEY_RANGE:
        read_range(key, node, (double *)field, diagnostics);
        break;
    case DEW_KEY_SIZE:
        read_size(key, node, (int *)field, diagnostics);
        break;
    case DEW_KEY_VERSION:
        read_version(node, diagnostics);
        break;
    default:
        break;  // shapes, blocks and lists are the block reader's
    }
}
