// "KEY=VALUE" into the tree: the path is followed, missing nodes are created, the value is
// replaced. What the value is worth is the reader's business, which sees where it came from.
//
// A value that begins with [ { " or ' is YAML; any other is taken as it is written, so that a title
// may hold colons. An entry of a vector that is not given is set in the vector's default.
#include <string.h>

#include "base/number.h"
#include "base/status.h"
#include "scene/scene.h"
#include "scene/shown.h"
#include "scene/yaml.h"

typedef struct Assignment {
    dew_Tree *tree;
    dew_Diagnostics *diagnostics;
    dew_Node at;  // for diagnostics: has the origin
    // What the schema says of the node that was reached; NULL: nothing.
    const dew_Block *block;
    const dew_Key *key;
} Assignment;

// ---- the value ---------------------------------------------------------------------------------

static dew_Status read_value(Assignment *assignment, const char *text, dew_Node **out)
{
    dew_Tree *tree = assignment->tree;
    dew_YamlPlace place;
    while (*text == ' ')
        text++;
    if (*text && strchr("[{\"'", *text)) {
        dew_Status status =
            dew_yaml_read(tree, text, strlen(text), assignment->at.origin, out, &place);
        if (status.code == DEW_BAD_INPUT)
            dew_diagnose_plainly(assignment->diagnostics, &assignment->at, "%s", status.message);
        else
            DEW_TRY(status);
        return dew_ok();
    }
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        length--;
    dew_Node *node = dew_tree_add(tree, DEW_NODE_SCALAR);
    char *copy = dew_tree_text(tree, text, length);
    if (!node || !copy)
        return dew_no_memory(length + sizeof *node);
    node->text = copy;
    node->is_plain = length > 0;  // "title=" is an empty title
    node->origin = assignment->at.origin;
    *out = node;
    return dew_ok();
}

// The value takes the place of a node, which keeps its key and its neighbours.
static void replace(dew_Node *node, const dew_Node *value)
{
    node->kind = value->kind;
    node->is_plain = value->is_plain;
    node->line = 0;
    node->origin = value->origin;
    node->text = value->text;
    node->number = value->number;
    node->whole = value->whole;
    node->first = value->first;
    node->last = value->last;
    node->child_count = value->child_count;
}

// ---- the path ----------------------------------------------------------------------------------

// The schema's row of a key below the block that was reached.
static void step_schema(Assignment *assignment, const dew_Node *parent, const char *name)
{
    const dew_Key *key = assignment->key;
    if (key && key->kind == DEW_KEY_NAMED) {
        assignment->key = NULL;  // the name of an entry: its block is known already
        return;
    }
    int shape = DEW_INVALID;
    const dew_Block *block = assignment->block;
    const dew_Key *decides = block ? dew_block_shape_key(block) : NULL;
    const dew_Node *shape_node = decides ? dew_node_find(parent, decides->name) : NULL;
    for (int i = 0; block && block->shapes && shape_node && block->shapes[i]; i++)
        if (shape_node->kind == DEW_NODE_SCALAR && strcmp(block->shapes[i], shape_node->text) == 0)
            shape = i;
    assignment->key = block ? dew_block_find(block, name, shape) : NULL;
    if (assignment->key && assignment->key->kind == DEW_KEY_VECTOR && !assignment->key->is_required)
        return;  // its default may be asked for: the block stays
    assignment->block = assignment->key ? assignment->key->block : NULL;
}

// Fills a list with the default of the vector that the schema has there; false when it has none.
static dew_Status fill_vector(Assignment *assignment, dew_Node *list, bool *is_filled)
{
    const dew_Key *key = assignment->key;
    *is_filled = false;
    if (!key || key->kind != DEW_KEY_VECTOR || key->is_required)
        return dew_ok();
    union {
        dew_Scene scene;
        dew_SolidDef solid;
        dew_DropDef drop;
        dew_SourceDef source;
        dew_EventDef event;
    } def;
    DEW_ASSERT(assignment->block->size <= sizeof def);
    assignment->block->init(&def, 0);
    double value[3];
    memcpy(value, (const char *)&def + key->offset, sizeof value);
    for (int i = 0; i < 3; i++) {
        char number[DEW_NUMBER_SIZE];
        size_t length = dew_number_format(value[i], number);
        dew_Node *node = dew_tree_add(assignment->tree, DEW_NODE_SCALAR);
        char *text = dew_tree_text(assignment->tree, number, length);
        if (!node || !text)
            return dew_no_memory(sizeof *node);
        node->text = text;
        node->origin = assignment->at.origin;
        dew_node_append(list, node);
    }
    *is_filled = true;
    return dew_ok();
}

// A new child of a map, what it will be follows from the next step. NULL: no memory.
static dew_Node *add_child(Assignment *assignment, dew_Node *map, const char *name,
                           dew_NodeKind kind)
{
    dew_Node *node = dew_tree_add(assignment->tree, kind);
    if (!node)
        return NULL;
    node->key = name;
    node->text = "";
    node->origin = assignment->at.origin;
    dew_node_append(map, node);
    return node;
}

// `liquid: water` and a key below it: {preset: water}.
static dew_Status open_preset(Assignment *assignment, dew_Node *node)
{
    const char *name = node->text;
    dew_Node was = *node;
    node->kind = DEW_NODE_MAP;
    node->first = node->last = NULL;
    node->child_count = 0;
    dew_Node *preset = add_child(assignment, node, "preset", DEW_NODE_SCALAR);
    if (!preset)
        return dew_no_memory(sizeof *preset);
    preset->text = name;
    preset->line = preset->key_line = was.line;
    preset->origin = was.origin;
    return dew_ok();
}

// An index into what is not there and not known.
static void diagnose_list(Assignment *assignment, const dew_Block *block, const char *name)
{
    const char *names[64] = {0};
    int count = 0;
    for (int i = 0; block && i < block->key_count && count < 64; i++)
        names[count++] = block->keys[i].name;
    dew_Hint hint = dew_hint(assignment->diagnostics, name, names, count);
    dew_diagnose_plainly(assignment->diagnostics, &assignment->at, "unknown key %s %s", name,
                         hint.text);
}

// One step by a key; *node is NULL after a diagnostic.
static dew_Status step_key(Assignment *assignment, const dew_PathStep *step, const char *rest,
                           dew_Node **node)
{
    dew_Node *map = *node;
    char *name = dew_tree_text(assignment->tree, step->key, step->key_length);
    if (!name)
        return dew_no_memory(step->key_length);
    *node = NULL;
    if (dew_node_is_null(map))
        map->kind = DEW_NODE_MAP;  // `materials:` with nothing behind it
    if (map->kind == DEW_NODE_SCALAR && assignment->key && assignment->key->kind == DEW_KEY_LIQUID)
        DEW_TRY(open_preset(assignment, map));
    if (map->kind != DEW_NODE_MAP) {
        dew_diagnose_plainly(assignment->diagnostics, &assignment->at, "there is no key %s in %s%s",
                             dew_shown(name).text, dew_node_kind_name(map),
                             map->kind == DEW_NODE_LIST ? " (say which entry: [0])" : "");
        return dew_ok();
    }
    const dew_Block *block = assignment->block;
    step_schema(assignment, map, name);
    dew_Node *child = dew_node_find(map, name);
    if (child) {
        *node = child;
        return dew_ok();
    }
    if (*rest == '[' && !assignment->key) {
        diagnose_list(assignment, block, name);
        return dew_ok();
    }
    if (map->child_count >= DEW_TREE_MAX_KEYS) {
        dew_diagnose_plainly(assignment->diagnostics, &assignment->at, "too many keys");
        return dew_ok();
    }
    dew_NodeKind kind = *rest == '[' ? DEW_NODE_LIST : *rest ? DEW_NODE_MAP : DEW_NODE_SCALAR;
    child = add_child(assignment, map, name, kind);
    if (!child)
        return dew_no_memory(sizeof *child);
    bool is_filled = false;
    if (kind == DEW_NODE_LIST)
        DEW_TRY(fill_vector(assignment, child, &is_filled));
    *node = child;
    return dew_ok();
}

static void step_index(Assignment *assignment, const dew_PathStep *step, dew_Node **node)
{
    dew_Node *list = *node;
    *node = dew_node_at(list, step->index);
    if (*node)
        return;
    if (list->kind == DEW_NODE_LIST)
        dew_diagnose_plainly(assignment->diagnostics, &assignment->at,
                             "there is no entry [%lld], only %d (the first is [0])",
                             (long long)step->index, list->child_count);
    else
        dew_diagnose_plainly(assignment->diagnostics, &assignment->at,
                             "[%lld] is an entry of a list, but this is %s", (long long)step->index,
                             dew_node_kind_name(list));
}

static dew_Status walk(Assignment *assignment, const char *path, dew_Node **out)
{
    dew_Node *node = assignment->tree->root;
    while (node && *path) {
        dew_PathStep step;
        if (!dew_path_next(&path, &step)) {
            dew_diagnose_plainly(assignment->diagnostics, &assignment->at,
                                 "not a path into a scene (such as drops[0].radius)");
            return dew_ok();
        }
        if (step.key)
            DEW_TRY(step_key(assignment, &step, path, &node));
        else
            step_index(assignment, &step, &node);
    }
    *out = node;
    return dew_ok();
}

dew_Status dew_tree_assign(dew_Tree *tree, const char *text, const char *prefix,
                           dew_Diagnostics *diagnostics)
{
    Assignment assignment = {.tree = tree, .diagnostics = diagnostics, .block = dew_scene_schema()};
    const char *origin = dew_arena_format(tree->arena, "%s%.120s", prefix, text);
    if (!origin)
        return dew_no_memory(strlen(text));
    assignment.at.origin = origin;
    dew_YamlPlace place;
    dew_Status status = dew_yaml_check_text(text, strlen(text), &place);
    const char *sign = strchr(text, '=');
    if (status.code != DEW_OK || !sign || sign == text) {
        dew_diagnose_plainly(diagnostics, &assignment.at, "%s",
                             status.code != DEW_OK
                                 ? status.message
                                 : "not KEY=VALUE (such as drops[0].radius=3 mm)");
        return dew_ok();
    }
    if (!tree->root || tree->root->kind != DEW_NODE_MAP)
        return dew_ok();  // no scene: reported of when it is read
    size_t length = (size_t)(sign - text);
    while (length > 0 && text[length - 1] == ' ')
        length--;
    char *path = dew_tree_text(tree, text, length);
    dew_Node *value = NULL, *node = NULL;
    if (!path)
        return dew_no_memory(length);
    DEW_TRY(read_value(&assignment, sign + 1, &value));
    if (value)
        DEW_TRY(walk(&assignment, path, &node));
    if (node)
        replace(node, value);
    return dew_ok();
}
