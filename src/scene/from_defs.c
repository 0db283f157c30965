// Definitions to a tree, driven by the schema: the inverse of read.c, without a text in between.
//
// A scene that was built or changed in code is checked by reading the tree of its definitions:
// values, units and rules are then those of a file. Numbers stay numbers: their nodes carry the
// value in SI units.
#include "base/status.h"
#include "scene/scene.h"

#include <string.h>

typedef struct Maker {
    const dew_Scene *scene;
    dew_Tree *tree;
} Maker;

static dew_Status make_block(Maker *maker, const dew_Block *block, const char *def, dew_Node *map);

// ---- nodes -------------------------------------------------------------------------------------

static dew_Status add_node(Maker *maker, dew_NodeKind kind, const char *key, dew_Node *parent,
                           dew_Node **out)
{
    if (dew_tree_is_full(maker->tree))
        return dew_fail(DEW_BAD_INPUT, "the scene has more than %d values", DEW_TREE_MAX_NODES);
    dew_Node *node = dew_tree_add(maker->tree, kind);
    if (!node)
        return dew_no_memory(sizeof *node);
    node->key = key;
    if (parent)
        dew_node_append(parent, node);
    *out = node;
    return dew_ok();
}

static dew_Status add_number(Maker *maker, const char *key, double number, dew_Node *parent)
{
    dew_Node *node = NULL;
    DEW_TRY(add_node(maker, DEW_NODE_NUMBER, key, parent, &node));
    DEW_ASSERT(node);
    node->number = number;
    return dew_ok();
}

static dew_Status add_numbers(Maker *maker, const dew_Key *key, const double *numbers, int count,
                              dew_Node *parent)
{
    dew_Node *list = NULL;
    DEW_TRY(add_node(maker, DEW_NODE_LIST, key->name, parent, &list));
    for (int i = 0; i < count; i++)
        DEW_TRY(add_number(maker, NULL, numbers[i], list));
    return dew_ok();
}

static dew_Status add_text(Maker *maker, const char *key, const char *text, dew_Node *parent)
{
    dew_Node *node = NULL;
    DEW_TRY(add_node(maker, DEW_NODE_SCALAR, key, parent, &node));
    DEW_ASSERT(node);
    node->text = dew_tree_text(maker->tree, text, strlen(text));
    return node->text ? dew_ok() : dew_no_memory(strlen(text));
}

// ---- fields ------------------------------------------------------------------------------------

static dew_Status make_list(Maker *maker, const dew_Key *key, const dew_Array *entries,
                            dew_Node *parent)
{
    dew_Node *list = NULL;
    bool is_named = key->kind == DEW_KEY_NAMED;
    DEW_TRY(add_node(maker, is_named ? DEW_NODE_MAP : DEW_NODE_LIST, key->name, parent, &list));
    for (int64_t i = 0; i < entries->count; i++) {
        const char *def = DEW_ITEMS(entries, char *)[i], *name = NULL;
        dew_Node *entry = NULL;
        if (is_named)
            memcpy(&name, def + key->block->name_offset, sizeof name);
        if (name && !(name = dew_tree_text(maker->tree, name, strlen(name))))
            return dew_no_memory(sizeof *entry);
        DEW_TRY(add_node(maker, DEW_NODE_MAP, name, list, &entry));
        DEW_TRY(make_block(maker, key->block, def, entry));
    }
    return dew_ok();
}

static dew_Status make_keyframes(Maker *maker, const dew_Key *key, const char *field,
                                 dew_Node *parent)
{
    const char *frames = NULL;
    int count = 0;
    memcpy(&frames, field, sizeof frames);
    memcpy(&count, field + sizeof frames, sizeof count);
    dew_Node *list = NULL;
    DEW_TRY(add_node(maker, DEW_NODE_LIST, key->name, parent, &list));
    for (int i = 0; i < count; i++) {
        dew_Node *entry = NULL;
        DEW_TRY(add_node(maker, DEW_NODE_MAP, NULL, list, &entry));
        DEW_TRY(make_block(maker, key->block, frames + (size_t)i * key->block->size, entry));
    }
    return dew_ok();
}

static dew_Status make_walls(Maker *maker, const dew_Key *key, const char *const *walls,
                             dew_Node *parent)
{
    dew_Node *map = NULL;
    DEW_TRY(add_node(maker, DEW_NODE_MAP, key->name, parent, &map));
    for (int i = 0; i < DEW_SIDE_COUNT; i++)
        DEW_TRY(add_text(maker, dew_side_names[i], walls[i] ? walls[i] : "open", map));
    return dew_ok();
}

static dew_Status make_sizes(Maker *maker, const dew_Key *key, const char *field, int count,
                             dew_Node *parent)
{
    int whole[2] = {0};
    memcpy(whole, field, (size_t)count * sizeof whole[0]);
    const double numbers[2] = {whole[0], whole[1]};
    if (count == 1)
        return add_number(maker, key->name, numbers[0], parent);
    return add_numbers(maker, key, numbers, count, parent);
}

static dew_Status make_seed(Maker *maker, const dew_Key *key, const char *field, dew_Node *parent)
{
    dew_Node *node = NULL;
    DEW_TRY(add_node(maker, DEW_NODE_NUMBER, key->name, parent, &node));
    DEW_ASSERT(node);
    memcpy(&node->whole, field, sizeof node->whole);
    return dew_ok();
}

static dew_Status make_doubles(Maker *maker, const dew_Key *key, const char *field, int count,
                               dew_Node *parent)
{
    double numbers[3] = {0};
    memcpy(numbers, field, (size_t)count * sizeof numbers[0]);
    if (count == 1)
        return add_number(maker, key->name, numbers[0], parent);
    return add_numbers(maker, key, numbers, count, parent);
}

static dew_Status make_choice(Maker *maker, const dew_Block *block, const dew_Key *key,
                              const char *field, dew_Node *parent)
{
    int choice = block->default_shape;
    if (!key->is_short)
        memcpy(&choice, field, sizeof choice);
    return add_text(maker, key->name, key->choices[choice], parent);
}

static dew_Status make_words(Maker *maker, const dew_Key *key, const char *field, dew_Node *parent)
{
    dew_Node *list = NULL;
    int set = 0;
    memcpy(&set, field, sizeof set);
    DEW_TRY(add_node(maker, DEW_NODE_LIST, key->name, parent, &list));
    for (int i = 0; key->choices[i]; i++)
        if (set >> i & 1)
            DEW_TRY(add_text(maker, NULL, key->choices[i], list));
    return dew_ok();
}

static dew_Status make_field(Maker *maker, const dew_Block *block, const dew_Key *key,
                             const char *field, dew_Node *parent)
{
    dew_Node *map = NULL;
    switch (key->kind) {
    case DEW_KEY_BLOCK:
    case DEW_KEY_LIQUID:
        DEW_TRY(add_node(maker, DEW_NODE_MAP, key->name, parent, &map));
        return make_block(maker, key->block, field, map);
    case DEW_KEY_LIST:
    case DEW_KEY_NAMED:
        return make_list(maker, key, (const dew_Array *)(const void *)field, parent);
    case DEW_KEY_KEYFRAMES:
        return make_keyframes(maker, key, field, parent);
    case DEW_KEY_WALLS:
        return make_walls(maker, key, (const char *const *)(const void *)field, parent);
    case DEW_KEY_SEED:
        return make_seed(maker, key, field, parent);
    case DEW_KEY_VERSION:
        return dew_ok();  // of files
    case DEW_KEY_NUMBER:
        return make_doubles(maker, key, field, 1, parent);
    case DEW_KEY_PAIR:
    case DEW_KEY_RANGE:
        return make_doubles(maker, key, field, 2, parent);
    case DEW_KEY_VECTOR:
        return make_doubles(maker, key, field, 3, parent);
    case DEW_KEY_INTEGER:
        return make_sizes(maker, key, field, 1, parent);
    case DEW_KEY_SIZE:
        return make_sizes(maker, key, field, 2, parent);
    case DEW_KEY_SHAPE:
    case DEW_KEY_CHOICE:
        return make_choice(maker, block, key, field, parent);
    case DEW_KEY_WORDS:
        return make_words(maker, key, field, parent);
    case DEW_KEY_FLAG:
        return add_text(maker, key->name, *(const bool *)field ? "true" : "false", parent);
    default:  // texts
        return add_text(maker, key->name, *(const char *const *)(const void *)field, parent);
    }
}

static dew_Status make_block(Maker *maker, const dew_Block *block, const char *def, dew_Node *map)
{
    int shape = dew_block_shape_of(block, def);
    for (int i = 0; i < block->key_count; i++) {
        const dew_Key *key = &block->keys[i];
        if (dew_key_has_shape(key, shape) && !dew_key_is_absent(block, key, def))
            DEW_TRY(make_field(maker, block, key, def + key->offset, map));
    }
    return dew_ok();
}

// ---- parameters ---------------------------------------------------------------------------------

static dew_Status make_parameter(Maker *maker, const dew_Key *key, const dew_Parameter *parameter,
                                 dew_Node *map)
{
    if (key->kind == DEW_KEY_NUMBER || key->kind == DEW_KEY_INTEGER)
        return add_number(maker, key->name, parameter->number, map);
    if (key->kind == DEW_KEY_FLAG)
        return add_text(maker, key->name, parameter->flag ? "true" : "false", map);
    return add_text(maker, key->name, parameter->text, map);
}

static dew_Status make_parameters(Maker *maker, int solver, dew_Node *root)
{
    const dew_Scene *scene = maker->scene;
    const dew_SolverTraits *traits = scene->solvers.traits[solver];
    dew_Node *map = NULL;
    for (int k = 0; k < traits->parameter_count; k++) {
        const dew_Parameter *parameter = &scene->parameters[solver][k];
        bool has_value = traits->parameters[k].kind != DEW_KEY_TEXT || parameter->text;
        if (!has_value || !(traits == scene->solver || parameter->is_given))
            continue;
        if (!map)
            DEW_TRY(add_node(maker, DEW_NODE_MAP, traits->name, root, &map));
        DEW_TRY(make_parameter(maker, &traits->parameters[k], parameter, map));
    }
    return dew_ok();
}

dew_Status dew_tree_from_defs(dew_Tree *tree, const dew_Scene *scene)
{
    Maker maker = {.scene = scene, .tree = tree};
    DEW_TRY(add_node(&maker, DEW_NODE_MAP, NULL, NULL, &tree->root));
    DEW_TRY(make_block(&maker, dew_scene_schema(), (const char *)(const void *)scene, tree->root));
    for (int i = 0; i < scene->solvers.count && scene->parameters; i++)
        DEW_TRY(make_parameters(&maker, i, tree->root));
    return dew_ok();
}
