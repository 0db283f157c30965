// Scene to canonical YAML: every key of the schema in its order, defaults filled in, SI units.
//
// Numbers have the fewest digits that read back to the same bits. Angles are written in degrees where
// that gives the same bits back, else in radians. What is not there (no name, no keyframes) is left out.
// The same writer feeds the hash, piece by piece, so that hashing needs no memory.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/number.h"
#include "base/status.h"
#include "base/text.h"
#include "scene/paths.h"
#include "scene/scene.h"

typedef struct Writer {
    const dew_Scene *scene;
    const char *directory;  // names of files start there; NULL: as they are
    dew_Text *text;         // NULL: hash
    uint64_t hash;
    char buffer[1024];  // pieces are small: gathered before they go on
    size_t buffered;
    int indent;
    bool is_item;       // the next line begins an entry of a list
    bool is_no_memory;  // for a path
} Writer;

static void flush(Writer *writer)
{
    if (writer->text)
        dew_text_add_bytes(writer->text, writer->buffer, writer->buffered);
    else
        writer->hash = dew_hash(writer->buffer, writer->buffered, writer->hash);
    writer->buffered = 0;
}

static void put_bytes(Writer *writer, const char *bytes, size_t size)
{
    while (size > 0) {
        if (writer->buffered == sizeof writer->buffer)
            flush(writer);
        size_t room = sizeof writer->buffer - writer->buffered;
        size_t n = size < room ? size : room;
        memcpy(writer->buffer + writer->buffered, bytes, n);
        writer->buffered += n;
        bytes += n;
        size -= n;
    }
}

static void put(Writer *writer, const char *words)
{
    put_bytes(writer, words, strlen(words));
}

// ---- words and numbers -------------------------------------------------------------------------

static bool is_bare_word(const char *text)
{
    static const char *const meant[] = {"null", "true", "false", "yes", "no", "on", "off"};
    bool begins_well = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');
    for (size_t i = 0; i < sizeof meant / sizeof meant[0]; i++)
        if (strcmp(text, meant[i]) == 0)
            return false;
    size_t plain =
        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-");
    return begins_well && text[plain] == '\0';
}

static void put_quoted(Writer *writer, const char *text)
{
    if (is_bare_word(text)) {
        put(writer, text);
        return;
    }
    put(writer, "\"");
    while (*text) {
        size_t run = strcspn(text, "\"\\");
        put_bytes(writer, text, run);
        text += run;
        if (*text) {
            put(writer, *text == '"' ? "\\\"" : "\\\\");
            text++;
        }
    }
    put(writer, "\"");
}

// Degrees that read back to the same radians; NaN: there are none with few digits.
static double exact_degrees(double rad)
{
    char text[32];
    double degrees = 0;
    snprintf(text, sizeof text, "%.12g", rad / DEW_DEG(1));
    dew_number_parse(text, strlen(text), &degrees);
    return degrees * (DEW_PI / 180.0) == rad ? degrees : (double)NAN;
}

static void put_number(Writer *writer, double x, dew_UnitKind unit)
{
    char number[DEW_NUMBER_SIZE];
    const char *symbol = dew_unit_symbol(unit);
    double degrees = unit == DEW_UNIT_ANGLE ? exact_degrees(x) : (double)NAN;
    bool is_degrees = !isnan(degrees) && isfinite(degrees);
    dew_number_format(is_degrees ? degrees : x, number);
    put(writer, number);
    if (*symbol) {
        put(writer, " ");
        put(writer, is_degrees ? "deg" : symbol);
    }
}

static void put_numbers(Writer *writer, const double *x, int count, dew_UnitKind unit)
{
    for (int i = 0; i < count; i++) {
        put(writer, i == 0 ? "[" : ", ");
        put_number(writer, x[i], unit);
    }
    put(writer, "]");
}

static void put_integer(Writer *writer, int64_t x)
{
    char number[32];
    snprintf(number, sizeof number, "%lld", (long long)x);
    put(writer, number);
}

// ---- files -------------------------------------------------------------------------------------

static bool is_among(const char *text, const char *const *choices)
{
    for (; choices && *choices; choices++)
        if (strcmp(text, *choices) == 0)
            return true;
    return false;
}

static void put_file(Writer *writer, const dew_Key *key, const char *name)
{
    const char *slash = strrchr(name, '/');
    bool is_made = strncmp(name, DEW_MADE_BY_NAME, strlen(DEW_MADE_BY_NAME)) == 0;
    if (is_made || is_among(name, key->choices) || (!writer->directory && writer->text)) {
        put_quoted(writer, name);
        return;
    }
    if (!writer->text) {  // the hash: a run directory may be moved
        put_quoted(writer, slash ? slash + 1 : name);
        return;
    }
    dew_Arena arena;
    dew_arena_init(&arena, &writer->scene->allocator);
    const char *path = dew_scene_resolve_path(writer->scene, name, &arena);
    path = path ? dew_path_relative(path, writer->directory, &arena) : NULL;
    if (path)
        put_quoted(writer, path);
    else
        writer->is_no_memory = true;
    dew_arena_deinit(&arena);
}

// ---- lines -------------------------------------------------------------------------------------

// "  key:" at the present depth; the first key of an entry has the dash of the list in front.
static void begin_line(Writer *writer, const char *key)
{
    for (int i = 0; i < writer->indent - (writer->is_item ? 1 : 0); i++)
        put(writer, "  ");
    put(writer, writer->is_item ? "- " : "");
    writer->is_item = false;
    put_quoted(writer, key);
    put(writer, ":");
}

static void write_block(Writer *writer, const dew_Block *block, const char *def);

static void write_walls(Writer *writer, const char *const *walls)
{
    writer->indent++;
    for (int i = 0; i < DEW_SIDE_COUNT; i++) {
        put(writer, "\n");
        begin_line(writer, dew_side_names[i]);
        put(writer, " ");
        put_quoted(writer, walls[i] ? walls[i] : "open");
    }
    writer->indent--;
}

static void write_entry(Writer *writer, const dew_Block *block, const char *def)
{
    writer->indent += 2;
    writer->is_item = true;
    put(writer, "\n");
    write_block(writer, block, def);
    writer->indent -= 2;
}

static void write_entries(Writer *writer, const dew_Key *key, const dew_Array *array)
{
    for (int64_t i = 0; i < array->count; i++) {
        const char *def = DEW_ITEMS(array, char *)[i];
        if (key->kind == DEW_KEY_LIST) {
            write_entry(writer, key->block, def);
            continue;
        }
        const char *name = NULL;
        memcpy(&name, def + key->block->name_offset, sizeof name);
        writer->indent++;
        put(writer, "\n");
        begin_line(writer, name);
        writer->indent++;
        put(writer, "\n");
        write_block(writer, key->block, def);
        writer->indent -= 2;
    }
}

static void write_keyframes(Writer *writer, const dew_Key *key, const char *field)
{
    const char *frames = NULL;
    int count = 0;
    memcpy(&frames, field, sizeof frames);
    memcpy(&count, field + sizeof frames, sizeof count);
    for (int i = 0; i < count; i++)
        write_entry(writer, key->block, frames + (size_t)i * key->block->size);
}

// A value that fits behind its key.
static void write_value(Writer *writer, const dew_Block *block, const dew_Key *key,
                        const char *field)
{
    int whole[2] = {0};
    double numbers[3] = {0};
    switch (key->kind) {
    case DEW_KEY_NUMBER:
        memcpy(numbers, field, sizeof numbers[0]);
        put_number(writer, numbers[0], key->unit);
        break;
    case DEW_KEY_PAIR:
    case DEW_KEY_RANGE:
        memcpy(numbers, field, 2 * sizeof numbers[0]);
        put_numbers(writer, numbers, 2, key->unit);
        break;
    case DEW_KEY_VECTOR:
        memcpy(numbers, field, sizeof numbers);
        put_numbers(writer, numbers, 3, key->unit);
        break;
    case DEW_KEY_INTEGER:
        memcpy(whole, field, sizeof whole[0]);
        put_integer(writer, whole[0]);
        break;
    case DEW_KEY_SIZE:
        memcpy(whole, field, sizeof whole);
        put(writer, "[");
        put_integer(writer, whole[0]);
        put(writer, ", ");
        put_integer(writer, whole[1]);
        put(writer, "]");
        break;
    case DEW_KEY_SHAPE:
    case DEW_KEY_CHOICE:
        whole[0] = block->default_shape;
        if (!key->is_short)
            memcpy(whole, field, sizeof whole[0]);
        put(writer, key->choices[whole[0]]);
        break;
    case DEW_KEY_FLAG:
        put(writer, *(const bool *)field ? "true" : "false");
        break;
    case DEW_KEY_FILE:
        put_file(writer, key, *(const char *const *)(const void *)field);
        break;
    default:
        put_quoted(writer, *(const char *const *)(const void *)field);
        break;
    }
}

static void write_seed(Writer *writer, const char *field)
{
    uint64_t seed = 0;
    char number[32];
    memcpy(&seed, field, sizeof seed);
    snprintf(number, sizeof number, " %llu", (unsigned long long)seed);
    put(writer, number);
}

static void write_field(Writer *writer, const dew_Block *block, const dew_Key *key,
                        const char *field)
{
    begin_line(writer, key->name);
    switch (key->kind) {
    case DEW_KEY_BLOCK:
    case DEW_KEY_LIQUID:
        writer->indent++;
        put(writer, "\n");
        write_block(writer, key->block, field);
        writer->indent--;
        break;
    case DEW_KEY_LIST:
    case DEW_KEY_NAMED:
        write_entries(writer, key, (const dew_Array *)(const void *)field);
        break;
    case DEW_KEY_KEYFRAMES:
        write_keyframes(writer, key, field);
        break;
    case DEW_KEY_WALLS:
        write_walls(writer, (const char *const *)(const void *)field);
        break;
    case DEW_KEY_SEED:
        write_seed(writer, field);
        break;
    case DEW_KEY_VERSION:
        put(writer, " 1");
        break;
    default:
        put(writer, " ");
        write_value(writer, block, key, field);
        break;
    }
}

// Nothing to be written: no text, no entries, a camera that frames by itself.
static bool is_absent(const dew_Block *block, const dew_Key *key, const char *def)
{
    const char *field = def + key->offset;
    const void *pointer = NULL;
    double pair[2] = {0};
    switch (key->kind) {
    case DEW_KEY_TEXT:
    case DEW_KEY_NAME:
    case DEW_KEY_FILE:
    case DEW_KEY_KEYFRAMES:
        memcpy(&pointer, field, sizeof pointer);
        return !pointer;
    case DEW_KEY_LIST:
    case DEW_KEY_NAMED:
        return ((const dew_Array *)(const void *)field)->count == 0;
    case DEW_KEY_PAIR:  // heights of a heightfield that is no PNG
        memcpy(pair, field, sizeof pair);
        return !key->is_required && pair[0] == 0 && pair[1] == 0;
    case DEW_KEY_VECTOR:
        return block == dew_camera_schema() && !key->is_direction &&
               !((const dew_CameraDef *)(const void *)def)->is_given;
    case DEW_KEY_SHAPE:
        return false;
    default:
        return key->is_short;
    }
}

static void write_block(Writer *writer, const dew_Block *block, const char *def)
{
    int shape = block->default_shape;
    bool is_first = true;
    for (int i = 0; i < block->key_count; i++) {
        const dew_Key *key = &block->keys[i];
        if (key->kind == DEW_KEY_SHAPE && !key->is_short)
            memcpy(&shape, def + key->offset, sizeof shape);
        bool is_left_out = !writer->text && key->is_cosmetic;
        if (is_left_out || !dew_key_has_shape(key, shape) || is_absent(block, key, def))
            continue;
        if (!is_first)
            put(writer, "\n");
        is_first = false;
        write_field(writer, block, key, def + key->offset);
    }
}

// ---- solvers' blocks ---------------------------------------------------------------------------

static void write_knob(Writer *writer, const dew_Key *key, const dew_Knob *knob)
{
    put(writer, "\n");
    begin_line(writer, key->name);
    put(writer, " ");
    if (key->kind == DEW_KEY_NUMBER || key->kind == DEW_KEY_INTEGER)
        put_number(writer, knob->number, key->unit);
    else if (key->kind == DEW_KEY_FLAG)
        put(writer, knob->flag ? "true" : "false");
    else
        put_quoted(writer, knob->text);
}

// All knobs of the scene's own solver; of others those that were given.
static void write_knobs(Writer *writer, int solver)
{
    const dew_Scene *scene = writer->scene;
    const dew_SolverTraits *traits = scene->solvers.traits[solver];
    bool is_own = traits == scene->solver, has_begun = false;
    for (int k = 0; k < traits->knob_count; k++) {
        const dew_Knob *knob = &scene->knobs[solver][k];
        bool has_value = traits->knobs[k].kind != DEW_KEY_TEXT || knob->text;
        if (!has_value || !(is_own || (knob->is_given && writer->text)))
            continue;
        if (!has_begun) {
            put(writer, "\n");
            begin_line(writer, traits->name);
            writer->indent++;
        }
        has_begun = true;
        write_knob(writer, &traits->knobs[k], knob);
    }
    writer->indent -= has_begun;
}

// A node as it was given: the knobs of a solver that is not known yet.
static void write_node(Writer *writer, const dew_Node *node)
{
    if (node->kind == DEW_NODE_SCALAR) {
        if (dew_node_is_null(node))
            put(writer, "~");
        else
            put_quoted(writer, node->text);
        return;
    }
    bool is_map = node->kind == DEW_NODE_MAP;
    put(writer, is_map ? "{" : "[");
    for (const dew_Node *child = node->first; child; child = child->next) {
        if (is_map) {
            put_quoted(writer, child->key);
            put(writer, ": ");
        }
        write_node(writer, child);
        put(writer, child->next ? ", " : "");
    }
    put(writer, is_map ? "}" : "]");
}

static void write_scene(Writer *writer)
{
    const dew_Scene *scene = writer->scene;
    write_block(writer, dew_scene_schema(), (const char *)(const void *)scene);
    for (int i = 0; i < scene->solvers.count && scene->knobs; i++)
        write_knobs(writer, i);
    if (scene->loose) {
        put(writer, "\n");
        begin_line(writer, scene->loose->key);
        put(writer, " ");
        write_node(writer, scene->loose);
    }
    put(writer, "\n");
    flush(writer);
}

// ---- public ------------------------------------------------------------------------------------

dew_Status dew_scene_text(const dew_Scene *scene, const char *directory, char **out)
{
    *out = NULL;
    dew_Text text;
    dew_text_init(&text, &scene->allocator);
    Writer writer = {.scene = scene, .directory = directory, .text = &text};
    write_scene(&writer);
    dew_Status status = text.status;
    if (status.code == DEW_OK && writer.is_no_memory)
        status = dew_no_memory(dew_text_length(&text));
    size_t size = dew_text_length(&text) + 1;
    char *copy = NULL;
    if (status.code == DEW_OK) {
        copy = (char *)dew_alloc(&scene->allocator, (int64_t)size, 1);
        status = copy ? dew_ok() : dew_no_memory(size);
    }
    if (copy)
        memcpy(copy, dew_text_string(&text), size);
    dew_text_deinit(&text);
    *out = copy;
    return status;
}

void dew_scene_text_free(const dew_Scene *scene, char *text)
{
    if (text)
        dew_free(&scene->allocator, text, strlen(text) + 1);
}

uint64_t dew_scene_hash(const dew_Scene *scene)
{
    Writer writer = {.scene = scene, .hash = 1};  // the format's version
    write_scene(&writer);
    return writer.hash;
}
