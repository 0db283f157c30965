// Scene to canonical YAML: every key of the schema in its order, defaults filled in, SI units.
//
// Numbers have the fewest digits that read back bit-identical. Angles are written in degrees where
// that reads back bit-identical, else in radians. What is not there (no name, no keyframes) is left
// out. The same writer feeds the hash, piece by piece, so that hashing needs no memory.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/number.h"
#include "base/status.h"
#include "base/text.h"
#include "scene/memory_mesh.h"
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

static void put_number(Writer *writer, double x, dew_UnitKind unit)
{
    char text[DEW_WORD_SIZE];
    dew_quantity_format(x, unit, text);
    put(writer, text);
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

// The hash has the name of the file alone, as of other files.
static void put_quoted_mesh(Writer *writer, const char *name)
{
    char file[256];
    snprintf(file, sizeof file, "%s%.200s.ply", writer->text ? DEW_MESH_FOLDER "/" : "", name);
    put_quoted(writer, file);
}

static void put_file(Writer *writer, const dew_Key *key, const char *name)
{
    const char *slash = strrchr(name, '/');
    bool is_made = strncmp(name, DEW_MADE_BY_NAME, strlen(DEW_MADE_BY_NAME)) == 0;
    if (is_made || is_among(name, key->choices) || (!writer->directory && writer->text)) {
        put_quoted(writer, name);
        return;
    }
    if (dew_is_memory_mesh(name)) {  // where dew_scene_save_meshes puts it
        put_quoted_mesh(writer, name + strlen(DEW_MESH_IN_MEMORY));
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

static void put_set(Writer *writer, const dew_Key *key, int set)
{
    const char *between = "[";
    for (int i = 0; key->choices[i]; i++) {
        if (!(set >> i & 1))
            continue;
        put(writer, between);
        put(writer, key->choices[i]);
        between = ", ";
    }
    put(writer, set ? "]" : "[]");
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
    case DEW_KEY_WORDS:
        memcpy(whole, field, sizeof whole[0]);
        put_set(writer, key, whole[0]);
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

static void write_block(Writer *writer, const dew_Block *block, const char *def)
{
    int shape = dew_block_shape_of(block, def);
    bool is_first = true;
    for (int i = 0; i < block->key_count; i++) {
        const dew_Key *key = &block->keys[i];
        bool is_left_out = !writer->text && key->is_cosmetic;
        if (is_left_out || !dew_key_has_shape(key, shape) || dew_key_is_absent(block, key, def))
            continue;
        if (!is_first)
            put(writer, "\n");
        is_first = false;
        write_field(writer, block, key, def + key->offset);
    }
}

// ---- solvers' blocks ---------------------------------------------------------------------------

static void write_parameter(Writer *writer, const dew_Key *key, const dew_Parameter *parameter)
{
    put(writer, "\n");
    begin_line(writer, key->name);
    put(writer, " ");
    if (key->kind == DEW_KEY_NUMBER || key->kind == DEW_KEY_INTEGER)
        put_number(writer, parameter->number, key->unit);
    else if (key->kind == DEW_KEY_FLAG)
        put(writer, parameter->flag ? "true" : "false");
    else
        put_quoted(writer, parameter->text);
}

// All parameters of the scene's own solver; of others those that were given.
static void write_parameters(Writer *writer, int solver)
{
    const dew_Scene *scene = writer->scene;
    const dew_SolverTraits *traits = scene->solvers.traits[solver];
    bool is_own = traits == scene->solver, has_begun = false;
    for (int k = 0; k < traits->parameter_count; k++) {
        const dew_Parameter *parameter = &scene->parameters[solver][k];
        bool has_value = traits->parameters[k].kind != DEW_KEY_TEXT || parameter->text;
        if (!has_value || !(is_own || (parameter->is_given && writer->text)))
            continue;
        if (!has_begun) {
            put(writer, "\n");
            begin_line(writer, traits->name);
            writer->indent++;
        }
        has_begun = true;
        write_parameter(writer, &traits->parameters[k], parameter);
    }
    writer->indent -= has_begun;
}

static void write_scene(Writer *writer)
{
    const dew_Scene *scene = writer->scene;
    write_block(writer, dew_scene_schema(), (const char *)(const void *)scene);
    for (int i = 0; i < scene->solvers.count && scene->parameters; i++)
        write_parameters(writer, i);
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

static dew_Status write_file(const char *text, const char *path, const dew_Allocator *allocator)
{
    dew_FileWriter writer;
    DEW_TRY(dew_file_begin(&writer, path, allocator));
    dew_file_text(&writer, text);
    return dew_file_commit(&writer);
}

dew_Status dew_scene_save(const dew_Scene *scene, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = !slash ? 0 : slash == path ? 1 : (size_t)(slash - path);
    char *folder = dew_alloc(&scene->allocator, (int64_t)length + 2, 1), *text = NULL;
    if (!folder)
        return dew_no_memory(length + 2);
    memcpy(folder, length > 0 ? path : ".", length > 0 ? length : 1);
    dew_Status status = dew_scene_save_meshes(scene, folder);
    if (status.code == DEW_OK)
        status = dew_scene_text(scene, folder, &text);
    dew_free(&scene->allocator, folder, length + 2);
    if (status.code == DEW_OK)
        status = write_file(text, path, &scene->allocator);
    dew_scene_text_free(scene, text);
    return status;
}

uint64_t dew_scene_hash(const dew_Scene *scene)
{
    Writer writer = {.scene = scene, .hash = 1};  // the format's version
    write_scene(&writer);
    return writer.hash;
}
