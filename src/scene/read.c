// Tree to scene, driven by the schema: every key is known, has its place and its row.
//
// Each error becomes a diagnostic and reading continues, so that one pass reports all errors. A
// block whose shape is unknown is read as far as all shapes agree. The status of these functions is
// for memory only.
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "dew/text.h"
#include "scene/scene.h"
#include "scene/shown.h"
#include "scene/value.h"

typedef struct Reader {
    dew_Scene *scene;
    dew_Diagnostics *diagnostics;
} Reader;

static dew_Status read_block(Reader *reader, const dew_Block *block, const dew_Node *node,
                             void *def);

// ---- keys --------------------------------------------------------------------------------------

#define MAX_KEYS_KNOWN 64  // of a block and, at the top, the solvers' names

// A box was given a radius: says which shapes have one. False: no shape has.
static bool diagnose_shape(Reader *reader, const dew_Block *block, const dew_Node *child, int shape)
{
    unsigned shapes = 0;
    for (int i = 0; i < block->key_count; i++)
        if (strcmp(block->keys[i].name, child->key) == 0)
            shapes |= block->keys[i].shapes;
    if (!shapes)
        return false;
    if (shape == DEW_INVALID)
        return true;  // the shape was reported of already
    char list[128] = "";
    size_t length = 0;
    for (int i = 0; block->shapes[i]; i++)
        if (shapes >> i & 1u)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                       length ? ", " : "", block->shapes[i]);
    dew_diagnose(reader->diagnostics, child, "%s %s does not take it (only: %s)",
                 dew_block_shape_key(block)->name, block->shapes[shape], list);
    return true;
}

static void diagnose_key(Reader *reader, const dew_Block *block, const dew_Node *child, int shape)
{
    const char *names[MAX_KEYS_KNOWN] = {0};
    int count = 0;
    if (diagnose_shape(reader, block, child, shape))
        return;
    for (int i = 0; i < block->key_count && count < MAX_KEYS_KNOWN; i++)
        if (dew_key_has_shape(&block->keys[i], shape))
            names[count++] = block->keys[i].name;
    dew_SolverList solvers = reader->scene->solvers;
    for (int i = 0; i < solvers.count && block == dew_scene_schema() && count < MAX_KEYS_KNOWN; i++)
        names[count++] = solvers.traits[i]->name;
    dew_Hint hint = dew_hint(reader->diagnostics, child->key, names, count);
    dew_diagnose(reader->diagnostics, child, "unknown key %s",
                 count > 0 ? hint.text : "(it has none)");
}

static bool is_duplicate(Reader *reader, const dew_Node *child)
{
    if (child->duplicate_line > 0)
        dew_diagnose(reader->diagnostics, child, "given twice (first on line %d)",
                     child->duplicate_line);
    return child->duplicate_line > 0;
}

// ---- blocks of blocks --------------------------------------------------------------------------

// Every entry of a list has a def, also one that is wrong: so index, node and def stay together.
static dew_Status read_list(Reader *reader, const dew_Key *key, const dew_Node *node,
                            dew_Array *array)
{
    if (dew_node_is_null(node))
        return dew_ok();
    if (node->kind != DEW_NODE_LIST) {
        dew_diagnose(reader->diagnostics, node, "expected a list, found %s",
                     dew_node_kind_name(node));
        return dew_ok();
    }
    int64_t index = 0;
    for (const dew_Node *child = node->first; child; child = child->next, index++) {
        void *def = dew_arena_alloc(&reader->scene->arena, 1, key->block->size);
        if (!def)
            return dew_no_memory(key->block->size);
        DEW_TRY(dew_array_push(array, &def));
        size_t before = dew_path_index(reader->diagnostics, index);
        DEW_TRY(read_block(reader, key->block, child, def));
        dew_path_back(reader->diagnostics, before);
    }
    return dew_ok();
}

static dew_Status read_named(Reader *reader, const dew_Key *key, const dew_Node *node,
                             dew_Array *array)
{
    if (dew_node_is_null(node))
        return dew_ok();
    if (node->kind != DEW_NODE_MAP) {
        dew_diagnose(reader->diagnostics, node, "expected a mapping of names, found %s",
                     dew_node_kind_name(node));
        return dew_ok();
    }
    for (const dew_Node *child = node->first; child; child = child->next) {
        size_t before = dew_path_key(reader->diagnostics, child->key);
        char *def = (char *)dew_arena_alloc(&reader->scene->arena, 1, key->block->size);
        if (!def)
            return dew_no_memory(key->block->size);
        DEW_TRY(dew_array_push(array, &def));
        bool is_reserved = strcmp(child->key, "open") == 0 && key->block == dew_material_schema();
        if (!is_duplicate(reader, child) && (is_reserved || !dew_value_is_name(child->key)))
            dew_diagnose(reader->diagnostics, child, "%s is no name (%s)",
                         dew_shown(child->key).text,
                         is_reserved ? "a wall that is open has no material"
                                     : "letters, digits, - and _, up to 64");
        DEW_TRY(read_block(reader, key->block, child, def));
        memcpy(def + key->block->name_offset, &child->key, sizeof child->key);
        dew_path_back(reader->diagnostics, before);
    }
    return dew_ok();
}

static dew_Status read_keyframes(Reader *reader, const dew_Key *key, const dew_Node *node,
                                 char *field)
{
    if (dew_node_is_null(node))
        return dew_ok();
    if (node->kind != DEW_NODE_LIST) {
        dew_diagnose(reader->diagnostics, node, "expected a list, found %s",
                     dew_node_kind_name(node));
        return dew_ok();
    }
    int count = node->child_count, index = 0;
    size_t size = key->block->size;
    char *frames = (char *)dew_arena_alloc(&reader->scene->arena, count, size);
    if (!frames)
        return dew_no_memory((size_t)count * size);
    for (const dew_Node *child = node->first; child; child = child->next, index++) {
        size_t before = dew_path_index(reader->diagnostics, index);
        DEW_TRY(read_block(reader, key->block, child, frames + (size_t)index * size));
        dew_path_back(reader->diagnostics, before);
    }
    memcpy(field, &frames, sizeof frames);
    memcpy(field + sizeof frames, &count, sizeof count);
    return dew_ok();
}

// ---- liquid and walls --------------------------------------------------------------------------

static void read_preset(Reader *reader, const dew_Node *node, dew_LiquidDef *liquid)
{
    const char *name = dew_value_words(node, "a liquid's name", reader->diagnostics);
    if (!name)
        return;
    dew_Status status = dew_liquid_preset(name, liquid);
    if (status.code != DEW_OK)
        dew_diagnose(reader->diagnostics, node, "%s", status.message);
}

static dew_Status read_liquid(Reader *reader, const dew_Key *key, const dew_Node *node,
                              dew_LiquidDef *liquid)
{
    if (node->kind == DEW_NODE_SCALAR && !dew_node_is_null(node)) {
        read_preset(reader, node, liquid);
        return dew_ok();
    }
    DEW_TRY(read_block(reader, key->block, node, liquid));
    const dew_Node *preset = dew_node_find(node, "preset");
    if (!preset)
        return dew_ok();
    dew_LiquidDef base = dew_default_liquid_def();
    size_t before = dew_path_key(reader->diagnostics, "preset");
    read_preset(reader, preset, &base);
    dew_path_back(reader->diagnostics, before);
    if (!dew_node_find(node, "density"))
        liquid->density_kg_m3 = base.density_kg_m3;
    if (!dew_node_find(node, "viscosity"))
        liquid->viscosity_Pa_s = base.viscosity_Pa_s;
    if (!dew_node_find(node, "surface_tension"))
        liquid->surface_tension_N_m = base.surface_tension_N_m;
    return dew_ok();
}

static int find_side(const char *name)
{
    for (int i = 0; dew_side_names[i]; i++)
        if (strcmp(dew_side_names[i], name) == 0)
            return i;
    return DEW_INVALID;
}

static void read_walls(Reader *reader, const dew_Node *node, const char **walls)
{
    static const dew_Key name_key = {.kind = DEW_KEY_NAME};
    const char *others = NULL;
    bool is_given[DEW_SIDE_COUNT + 1] = {false};
    if (node->kind != DEW_NODE_MAP && !dew_node_is_null(node)) {
        dew_diagnose(reader->diagnostics, node,
                     "expected a mapping {floor: glass, others: open}, found %s",
                     dew_node_kind_name(node));
        return;
    }
    for (const dew_Node *child = node->first; child; child = child->next) {
        size_t before = dew_path_key(reader->diagnostics, child->key);
        int side = find_side(child->key);
        if (side == DEW_INVALID) {
            dew_Hint hint =
                dew_hint(reader->diagnostics, child->key, dew_side_names, DEW_SIDE_COUNT + 1);
            dew_diagnose(reader->diagnostics, child, "unknown side %s", hint.text);
        } else if (!is_duplicate(reader, child)) {
            const char **wall = side < DEW_SIDE_COUNT ? &walls[side] : &others;
            dew_value_read(&name_key, child, wall, reader->diagnostics);
            if (*wall && strcmp(*wall, "open") == 0)
                *wall = NULL;
            is_given[side] = true;
        }
        dew_path_back(reader->diagnostics, before);
    }
    for (int i = 0; i < DEW_SIDE_COUNT; i++)
        if (!is_given[i])
            walls[i] = others;
}

// ---- parameters ---------------------------------------------------------------------------------

int dew_solver_find(dew_SolverList solvers, const char *name)
{
    for (int i = 0; i < solvers.count; i++)
        if (strcmp(solvers.traits[i]->name, name) == 0)
            return i;
    return DEW_INVALID;
}

static dew_Status init_parameters(dew_Scene *scene)
{
    dew_SolverList solvers = scene->solvers;
    scene->parameters = dew_arena_array(&scene->arena, dew_Parameter *, solvers.count);
    if (!scene->parameters)
        return dew_no_memory((size_t)solvers.count * sizeof(dew_Parameter *));
    for (int i = 0; i < solvers.count; i++) {
        const dew_SolverTraits *traits = solvers.traits[i];
        scene->parameters[i] =
            dew_arena_array(&scene->arena, dew_Parameter, traits->parameter_count);
        if (!scene->parameters[i])
            return dew_no_memory((size_t)traits->parameter_count * sizeof(dew_Parameter));
        for (int k = 0; k < traits->parameter_count; k++)
            scene->parameters[i][k] =
                (dew_Parameter){.number = traits->parameters[k].number_default,
                                .text = traits->parameters[k].text_default,
                                .flag = traits->parameters[k].number_default != 0};
    }
    return dew_ok();
}

static void read_parameter(Reader *reader, const dew_Key *key, const dew_Node *node,
                           dew_Parameter *parameter)
{
    int value = 0;
    switch (key->kind) {
    case DEW_KEY_NUMBER:
        dew_value_read(key, node, &parameter->number, reader->diagnostics);
        break;
    case DEW_KEY_INTEGER:
        dew_value_read(key, node, &value, reader->diagnostics);
        parameter->number = value;
        break;
    case DEW_KEY_FLAG:
        dew_value_read(key, node, &parameter->flag, reader->diagnostics);
        break;
    case DEW_KEY_CHOICE:
        value = dew_value_choice(key, node, reader->diagnostics);
        parameter->text = value >= 0 ? key->choices[value] : parameter->text;
        break;
    default:
        DEW_ASSERT(key->kind == DEW_KEY_TEXT);
        dew_value_read(key, node, &parameter->text, reader->diagnostics);
        break;
    }
    parameter->is_given = true;
}

// The block of one solver; those of other solvers are checked too, for a scene may run in several.
static void read_parameters(Reader *reader, int solver, const dew_Node *node)
{
    const dew_SolverTraits *traits = reader->scene->solvers.traits[solver];
    dew_Block block = {.noun = traits->name,
                       .keys = traits->parameters,
                       .key_count = traits->parameter_count,
                       .default_shape = DEW_INVALID};
    if (node->kind != DEW_NODE_MAP && !dew_node_is_null(node)) {
        dew_diagnose(reader->diagnostics, node, "expected a mapping, found %s",
                     dew_node_kind_name(node));
        return;
    }
    for (const dew_Node *child = node->first; child; child = child->next) {
        size_t before = dew_path_key(reader->diagnostics, child->key);
        const dew_Key *key = dew_block_find(&block, child->key, DEW_INVALID);
        if (!key)
            diagnose_key(reader, &block, child, DEW_INVALID);
        else if (!is_duplicate(reader, child))
            read_parameter(reader, key, child,
                           &reader->scene->parameters[solver][key - traits->parameters]);
        dew_path_back(reader->diagnostics, before);
    }
}

// A key of the top that is no row: the block of a solver. False when it is not one.
static bool read_solver_block(Reader *reader, const dew_Node *child)
{
    dew_Scene *scene = reader->scene;
    int solver = dew_solver_find(scene->solvers, child->key);
    if (solver != DEW_INVALID) {
        if (!is_duplicate(reader, child))
            read_parameters(reader, solver, child);
        return true;
    }
    const dew_Node *own = dew_node_find(scene->tree.root, "solver");
    bool is_own = own && own->kind == DEW_NODE_SCALAR && strcmp(own->text, child->key) == 0;
    if (scene->solvers.count > 0 || !is_own || !dew_value_is_name(child->key))
        return false;
    scene->loose = child;  // checked when the scene is bound
    return true;
}

// ---- one block ---------------------------------------------------------------------------------

static dew_Status read_field(Reader *reader, const dew_Key *key, const dew_Node *node, char *def)
{
    char *field = def + key->offset;
    switch (key->kind) {
    case DEW_KEY_BLOCK:
        return read_block(reader, key->block, node, field);
    case DEW_KEY_LIST:
        return read_list(reader, key, node, (dew_Array *)(void *)field);
    case DEW_KEY_NAMED:
        return read_named(reader, key, node, (dew_Array *)(void *)field);
    case DEW_KEY_KEYFRAMES:
        return read_keyframes(reader, key, node, field);
    case DEW_KEY_LIQUID:
        return read_liquid(reader, key, node, (dew_LiquidDef *)(void *)field);
    case DEW_KEY_WALLS:
        read_walls(reader, node, (const char **)(void *)field);
        return dew_ok();
    case DEW_KEY_SHAPE:
    case DEW_KEY_PRESET:
        return dew_ok();  // read before the others
    default:
        dew_value_read(key, node, field, reader->diagnostics);
        return dew_ok();
    }
}

// The shape's index; DEW_INVALID when the block has none or it is wrong.
static int read_shape(Reader *reader, const dew_Block *block, const dew_Node *node)
{
    const dew_Key *key = dew_block_shape_key(block);
    const dew_Node *child = key ? dew_node_find(node, key->name) : NULL;
    if (!key || !child)
        return key ? block->default_shape : DEW_INVALID;
    size_t before = dew_path_key(reader->diagnostics, key->name);
    int shape = dew_value_choice(key, child, reader->diagnostics);
    dew_path_back(reader->diagnostics, before);
    return shape;
}

bool dew_block_is_misspelt(const dew_Block *block, const dew_Node *node, const char *name)
{
    for (const dew_Node *child = node->first; child; child = child->next) {
        bool is_known = false;
        for (int i = 0; i < block->key_count && !is_known; i++)
            is_known = strcmp(block->keys[i].name, child->key) == 0;
        if (!is_known && dew_nearest_name(child->key, &name, 1))
            return true;
    }
    return false;
}

static void diagnose_missing(Reader *reader, const dew_Block *block, const dew_Key *key,
                             const dew_Node *node)
{
    const char *names[DEW_MAX_SOLVERS] = {0};
    dew_SolverList solvers = reader->scene->solvers;
    for (int i = 0; i < solvers.count; i++)
        names[i] = solvers.traits[i]->name;
    dew_Hint hint = {""};
    if (key->kind == DEW_KEY_SHAPE)
        hint = dew_hint(reader->diagnostics, "", block->shapes, dew_names_count(block->shapes));
    else if (block == dew_scene_schema() && key->kind == DEW_KEY_NAME)
        hint = dew_hint(reader->diagnostics, "", names, solvers.count);
    else if (key->kind == DEW_KEY_VECTOR)
        snprintf(hint.text, sizeof hint.text, "([x, y, z]: %s)", key->doc);
    else if (key->kind == DEW_KEY_PAIR || key->kind == DEW_KEY_RANGE)
        snprintf(hint.text, sizeof hint.text, "([a, b]: %s)", key->doc);
    else if (key->unit != DEW_UNIT_NONE)
        snprintf(hint.text, sizeof hint.text, "(%s %s, such as %s)",
                 dew_unit_kind_article(key->unit), dew_unit_kind_name(key->unit),
                 dew_unit_kind_example(key->unit));
    else
        snprintf(hint.text, sizeof hint.text, "(%s)", key->doc);
    dew_diagnose(reader->diagnostics, node, "%s is missing %s", key->name, hint.text);
}

// A key that was misspelt was reported of already.
static void require_keys(Reader *reader, const dew_Block *block, const dew_Node *node, int shape)
{
    for (int i = 0; i < block->key_count; i++) {
        const dew_Key *key = &block->keys[i];
        bool is_needed = key->is_required && dew_key_has_shape(key, shape);
        bool is_telling = reader->diagnostics->count < DEW_MAX_DIAGNOSTICS;
        if (is_needed && !dew_node_find(node, key->name) &&
            !(is_telling && dew_block_is_misspelt(block, node, key->name)))
            diagnose_missing(reader, block, key, node);
    }
}

static dew_Status read_block(Reader *reader, const dew_Block *block, const dew_Node *node,
                             void *def)
{
    int64_t before = reader->diagnostics->count;
    int shape = read_shape(reader, block, node);
    block->init(def,
                shape);  // an unknown shape stays DEW_INVALID; such a scene is never handed out
    if (node->kind != DEW_NODE_MAP && !dew_node_is_null(node)) {
        dew_diagnose(reader->diagnostics, node, "expected a mapping {%s: ...}, found %s",
                     block->keys[0].name, dew_node_kind_name(node));
        return dew_ok();
    }
    for (const dew_Node *child = node->first; child; child = child->next) {
        size_t length = dew_path_key(reader->diagnostics, child->key);
        const dew_Key *key = dew_block_find(block, child->key, shape);
        bool is_top = block == dew_scene_schema();
        if (key && !is_duplicate(reader, child))
            DEW_TRY(read_field(reader, key, child, (char *)def));
        else if (!key && !(is_top && read_solver_block(reader, child)))
            diagnose_key(reader, block, child, shape);
        dew_path_back(reader->diagnostics, length);
    }
    const dew_Key *decides = dew_block_shape_key(block);
    if (!decides || shape != DEW_INVALID || !dew_node_find(node, decides->name))
        require_keys(reader, block, node, shape);
    if (block->check && reader->diagnostics->count == before)
        block->check(def, node, reader->diagnostics);
    return dew_ok();
}

dew_Status dew_scene_fill(dew_Scene *scene, dew_Diagnostics *diagnostics)
{
    Reader reader = {.scene = scene, .diagnostics = diagnostics};
    const dew_Node *root = scene->tree.root;
    DEW_TRY(init_parameters(scene));
    if (!root || root->kind != DEW_NODE_MAP) {
        dew_diagnose(diagnostics, root, "%s (a scene is a mapping of solver, domain, drops, ...)",
                     root ? "no scene" : "the scene is empty");
        return dew_ok();
    }
    DEW_TRY(read_block(&reader, dew_scene_schema(), root, scene));
    int solver =
        scene->def.solver ? dew_solver_find(scene->solvers, scene->def.solver) : DEW_INVALID;
    scene->solver = solver == DEW_INVALID ? NULL : scene->solvers.traits[solver];
    DEW_TRY(dew_scene_check_whole(scene, diagnostics));
    dew_scene_check_solver(scene, diagnostics);
    return dew_ok();
}
