// Does the scene's solver take the scene? Its dimensions, and the keys it does not honour.
//
// An unsupported key is a pattern over the schema: "solids[].affinity_map". It is walked over the
// definitions, so that a key given with its default is no offence: scene.yaml of a run has every
// key, and can be run.
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "scene/scene.h"
#include "scene/shown.h"

typedef struct Walk {
    const dew_Scene *scene;
    dew_Diagnostics *diagnostics;
    const dew_UnsupportedKey *unsupported;
} Walk;

// ---- what differs from the default -------------------------------------------------------------

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool numbers_differ(const void *field, const void *usual, size_t count)
{
    const double *a = (const double *)field, *b = (const double *)usual;
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i])
            return true;
    return false;
}

static bool block_differs(const dew_Block *block, const char *def);

static bool field_differs(const dew_Key *key, const char *field, const char *usual)
{
    switch (key->kind) {
    case DEW_KEY_NUMBER:
        return numbers_differ(field, usual, 1);
    case DEW_KEY_PAIR:
    case DEW_KEY_RANGE:
        return numbers_differ(field, usual, 2);
    case DEW_KEY_VECTOR:
        return numbers_differ(field, usual, 3);
    case DEW_KEY_FLAG:
        return *(const bool *)field != *(const bool *)usual;
    case DEW_KEY_SEED:
        return memcmp(field, usual, sizeof(uint64_t)) != 0;
    case DEW_KEY_INTEGER:
    case DEW_KEY_CHOICE:
    case DEW_KEY_WORDS:
    case DEW_KEY_SHAPE:
        return memcmp(field, usual, sizeof(int)) != 0;
    case DEW_KEY_SIZE:
        return memcmp(field, usual, 2 * sizeof(int)) != 0;
    case DEW_KEY_TEXT:
    case DEW_KEY_NAME:
    case DEW_KEY_FILE:
        return !is_same_text(*(const char *const *)(const void *)field,
                             *(const char *const *)(const void *)usual);
    case DEW_KEY_LIST:
    case DEW_KEY_NAMED:
        return ((const dew_Array *)(const void *)field)->count > 0;
    case DEW_KEY_KEYFRAMES:
        return *(const void *const *)(const void *)field != NULL;
    case DEW_KEY_BLOCK:
    case DEW_KEY_LIQUID:
        return block_differs(key->block, field);
    case DEW_KEY_WALLS:
        for (int i = 0; i < DEW_SIDE_COUNT; i++)
            if (((const char *const *)(const void *)field)[i])
                return true;
        return false;
    default:
        return false;
    }
}

// The defaults of a block, for comparison.
typedef union Usual {
    char bytes[2048];
    double align;
} Usual;

static int shape_of(const dew_Block *block, const char *def)
{
    const dew_Key *key = dew_block_shape_key(block);
    int shape = block->default_shape;
    if (key && !key->is_short)
        memcpy(&shape, def + key->offset, sizeof shape);
    return shape;
}

_Static_assert(sizeof(dew_Scene) <= sizeof(Usual), "the largest block must fit");

static const char *usual_values(const dew_Block *block, const char *def, Usual *usual)
{
    block->init(usual->bytes, shape_of(block, def));
    return usual->bytes;
}

static bool block_differs(const dew_Block *block, const char *def)
{
    Usual usual;
    const char *values = usual_values(block, def, &usual);
    for (int i = 0; i < block->key_count; i++) {
        const dew_Key *key = &block->keys[i];
        if (!key->is_short && key->kind != DEW_KEY_SHAPE &&
            field_differs(key, def + key->offset, values + key->offset))
            return true;
    }
    return false;
}

// ---- diagnostic ---------------------------------------------------------------------------------

static bool has_path(const dew_UnsupportedKey *unsupported, int count, const char *path)
{
    for (int i = 0; i < count; i++)
        if (strcmp(unsupported[i].path, path) == 0)
            return true;
    return false;
}

static bool refuses(const dew_SolverTraits *traits, const char *path)
{
    return has_path(traits->unsupported, traits->unsupported_count, path) ||
           has_path(traits->not_yet, traits->not_yet_count, path);
}

// " (use volume, apic or splash)": the solvers that do take it.
static void list_others(const Walk *walk, char *out, size_t size)
{
    const char *names[DEW_MAX_SOLVERS] = {0};
    int count = 0;
    dew_SolverList solvers = walk->scene->solvers;
    for (int i = 0; i < solvers.count; i++)
        if (!refuses(solvers.traits[i], walk->unsupported->path))
            names[count++] = solvers.traits[i]->name;
    size_t length = 0;
    out[0] = '\0';
    if (strchr(walk->unsupported->why, '('))
        return;  // it says by itself what would do
    for (int i = 0; i < count && length < size; i++)
        length += (size_t)snprintf(out + length, size - length, "%s%s",
                                   i == 0           ? " (use "
                                   : i == count - 1 ? " or "
                                                    : ", ",
                                   names[i]);
    if (count > 0 && length < size)
        snprintf(out + length, size - length, ")");
}

static void refuse(const Walk *walk, const dew_Node *node, const char *value)
{
    char others[128];
    list_others(walk, others, sizeof others);
    dew_diagnose_plainly(walk->diagnostics, node, "solver %s does not take %s%s%s: %s%s",
                         walk->scene->solver->name, walk->diagnostics->path, value ? "=" : "",
                         value ? value : "", walk->unsupported->why, others);
}

// ---- walk --------------------------------------------------------------------------------------

static void walk_block(const Walk *walk, const dew_Block *block, const char *def,
                       const dew_Node *node, const char *rest);

// "[]" and what follows it, over all entries of a list or of named blocks.
static void walk_entries(const Walk *walk, const dew_Key *key, const dew_Array *array,
                         const dew_Node *node, const char *rest)
{
    const dew_Node *child = node ? node->first : NULL;
    for (int64_t i = 0; i < array->count; i++, child = child ? child->next : NULL) {
        const char *def = DEW_ITEMS(array, char *)[i];
        bool is_named = key->kind == DEW_KEY_NAMED;
        const char *name = NULL;
        if (is_named)
            memcpy(&name, def + key->block->name_offset, sizeof name);
        size_t before =
            is_named ? dew_path_key(walk->diagnostics, name) : dew_path_index(walk->diagnostics, i);
        if (*rest == '.')
            walk_block(walk, key->block, def, child ? child : node, rest + 1);
        else
            refuse(walk, child ? child : node, NULL);
        dew_path_back(walk->diagnostics, before);
    }
}

static void walk_walls(const Walk *walk, const char *const *walls, const dew_Node *node,
                       const char *side)
{
    for (int i = 0; i < DEW_SIDE_COUNT; i++) {
        if (!walls[i] || strcmp(dew_side_names[i], side) != 0)
            continue;
        const dew_Node *given = node ? dew_node_find(node, side) : NULL;
        size_t before = dew_path_key(walk->diagnostics, side);
        refuse(walk, given ? given : node, NULL);
        dew_path_back(walk->diagnostics, before);
    }
}

// A key was reached; `rest` is what the pattern says behind it.
static void walk_field(const Walk *walk, const dew_Key *key, const char *field, const char *usual,
                       const dew_Node *node, const char *rest)
{
    if (*rest == '=') {
        int value = 0;
        memcpy(&value, field, sizeof value);
        if (!key->is_short && value >= 0 && strcmp(key->choices[value], rest + 1) == 0)
            refuse(walk, node, key->choices[value]);
    } else if (strncmp(rest, "[]", 2) == 0)
        walk_entries(walk, key, (const dew_Array *)(const void *)field, node, rest + 2);
    else if (*rest == '.' && key->kind == DEW_KEY_WALLS)
        walk_walls(walk, (const char *const *)(const void *)field, node, rest + 1);
    else if (*rest == '.')
        walk_block(walk, key->block, field, node, rest + 1);
    else if (field_differs(key, field, usual))
        refuse(walk, node, NULL);
}

// The given key that a value comes from when its own is not given: `angle` sets three, `advancing`
// is the default of two. NULL: it comes from none of this block.
static const dew_Key *key_behind(const dew_Block *block, const dew_Key *key, const char *def,
                                 const dew_Node *node)
{
    for (int i = 0; i < block->key_count; i++) {
        const dew_Key *other = &block->keys[i];
        if (other != key && other->kind == key->kind && other->unit == key->unit &&
            dew_node_find(node, other->name) &&
            !field_differs(key, def + key->offset, def + other->offset))
            return other;
    }
    return NULL;
}

static void walk_block(const Walk *walk, const dew_Block *block, const char *def,
                       const dew_Node *node, const char *rest)
{
    char name[32];
    size_t length = strcspn(rest, ".[=");
    DEW_ASSERT(length < sizeof name);
    snprintf(name, sizeof name, "%.*s", (int)length, rest);
    const dew_Key *key = dew_block_find(block, name, shape_of(block, def));
    if (!key)
        return;  // a key that this shape does not have
    Usual usual;
    const char *values = usual_values(block, def, &usual);
    const dew_Node *child = node ? dew_node_find(node, name) : NULL;
    const dew_Key *source = node && !child ? key_behind(block, key, def, node) : NULL;
    if (source && source->offset != key->offset)
        return;  // a copy: reported, if at all, for the key that was given
    if (source)
        child = dew_node_find(node, source->name);
    size_t before = dew_path_key(walk->diagnostics, source ? source->name : name);
    walk_field(walk, key, def + key->offset, values + key->offset, child ? child : node,
               rest + length);
    dew_path_back(walk->diagnostics, before);
}

static void check_dimensions(const dew_Scene *scene, dew_Diagnostics *diagnostics)
{
    unsigned mask = scene->solver->dimensions_mask;
    int dimensions = scene->def.dimensions;
    char list[16] = "";
    for (int i = 1; i <= 3; i++)
        if (mask >> i & 1u)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d", *list ? " or " : "",
                     i);
    if (!(mask >> dimensions & 1u))
        dew_diagnose_key(diagnostics, scene->tree.root, "dimensions",
                         "solver %s does not work in %d (in %s)", scene->solver->name, dimensions,
                         list);
}

static void diagnose_solver(const dew_Scene *scene, dew_Diagnostics *diagnostics)
{
    const char *names[DEW_MAX_SOLVERS] = {0};
    for (int i = 0; i < scene->solvers.count; i++)
        names[i] = scene->solvers.traits[i]->name;
    dew_Hint hint = dew_hint(diagnostics, scene->def.solver, names, scene->solvers.count);
    dew_diagnose_key(diagnostics, scene->tree.root, "solver", "unknown solver %s %s",
                     dew_shown(scene->def.solver).text, hint.text);
}

static void walk_unsupported(const dew_Scene *scene, const dew_UnsupportedKey *unsupported,
                             int count, dew_Diagnostics *diagnostics)
{
    for (int i = 0; i < count; i++) {
        Walk walk = {.scene = scene, .diagnostics = diagnostics, .unsupported = &unsupported[i]};
        walk_block(&walk, dew_scene_schema(), (const char *)(const void *)scene, scene->tree.root,
                   walk.unsupported->path);
    }
}

// ---- keys of its own block ---------------------------------------------------------------------

// Is the key's value one that the rule is about?
static bool rule_applies(const dew_ParameterRule *rule, const dew_Key *key,
                         const dew_Parameter *parameter)
{
    switch (key->kind) {
    case DEW_KEY_CHOICE:
        return rule->choice ? strcmp(parameter->text, rule->choice) == 0
                            : strcmp(parameter->text, key->text_default) != 0;
    case DEW_KEY_FLAG:
        return parameter->flag != (key->number_default != 0);
    default:
        return parameter->number != key->number_default;
    }
}

static void check_rule(const dew_Scene *scene, const dew_ParameterRule *rule,
                       dew_Diagnostics *diagnostics)
{
    const dew_SolverTraits *traits = scene->solver;
    const dew_Node *block = scene->tree.root ? dew_node_find(scene->tree.root, traits->name) : NULL;
    const dew_Parameter *parameters =
        scene->parameters[dew_solver_find(scene->solvers, traits->name)];
    for (int k = 0; k < traits->parameter_count; k++) {
        const dew_Key *key = &traits->parameters[k];
        if (strcmp(key->name, rule->parameter) != 0 || !rule_applies(rule, key, &parameters[k]) ||
            rule->has_effect(scene))
            continue;
        size_t before = dew_path_key(diagnostics, traits->name);
        dew_diagnose_key(diagnostics, block ? block : scene->tree.root, key->name,
                         "%s%shas an effect only with %s (leave it out, or set that)",
                         rule->choice ? rule->choice : "", rule->choice ? " " : "", rule->needs);
        dew_path_back(diagnostics, before);
    }
}

void dew_scene_check_solver(const dew_Scene *scene, dew_Diagnostics *diagnostics)
{
    if (scene->solvers.count == 0 || !scene->def.solver)
        return;
    if (!scene->solver) {
        diagnose_solver(scene, diagnostics);
        return;
    }
    check_dimensions(scene, diagnostics);
    walk_unsupported(scene, scene->solver->unsupported, scene->solver->unsupported_count,
                     diagnostics);
    if (diagnostics->count == 0 && scene->solver->is_at_times && scene->solver->is_at_times(scene))
        walk_unsupported(scene, scene->solver->unsupported_at_times,
                         scene->solver->unsupported_at_times_count, diagnostics);
    for (int i = 0; i < scene->solver->rule_count && diagnostics->count == 0; i++)
        check_rule(scene, &scene->solver->rules[i], diagnostics);
}

dew_Status dew_scene_check_build(const dew_Scene *scene)
{
    DEW_ASSERT(scene->solver);
    dew_Diagnostics diagnostics = {.file = scene->path, .has_lines = scene->has_lines};
    walk_unsupported(scene, scene->solver->not_yet, scene->solver->not_yet_count, &diagnostics);
    dew_Status status = dew_diagnostics_end(&diagnostics);
    if (status.code != DEW_OK)
        status.code = DEW_UNSUPPORTED;
    return status;
}
