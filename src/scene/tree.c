// The tree: children in a linked list, because scenes are read once from front to back.
#include "scene/tree.h"

#include <string.h>

#include "base/number.h"
#include "base/text.h"

#define POOL_BYTES ((size_t)16 << 10)

void dew_tree_init(dew_Tree *tree, dew_Arena *arena)
{
    *tree = (dew_Tree){.arena = arena};
}

// Zeroed memory for a small piece, aligned for pointers.
static void *cut(dew_Tree *tree, size_t size)
{
    size = (size + 7) & ~(size_t)7;
    if (size > POOL_BYTES / 4)
        return dew_arena_alloc(tree->arena, (int64_t)size, 1);
    if (size > tree->pool_left) {
        tree->pool = (char *)dew_arena_alloc(tree->arena, (int64_t)POOL_BYTES, 1);
        tree->pool_left = tree->pool ? POOL_BYTES : 0;
        if (!tree->pool)
            return NULL;
    }
    void *piece = tree->pool;
    tree->pool += size;
    tree->pool_left -= size;
    return piece;
}

bool dew_tree_is_full(const dew_Tree *tree)
{
    return tree->node_count >= DEW_TREE_MAX_NODES;
}

dew_Node *dew_tree_add(dew_Tree *tree, dew_NodeKind kind)
{
    dew_Node *node = (dew_Node *)cut(tree, sizeof *node);
    if (!node)
        return NULL;
    tree->node_count++;
    node->kind = kind;
    return node;
}

char *dew_tree_text(dew_Tree *tree, const char *text, size_t length)
{
    char *copy = (char *)cut(tree, length + 1);
    if (copy && length > 0)
        memcpy(copy, text, length);
    return copy;
}

// Replaces words of another tree, which may go away, by an own copy; false without memory.
static bool own_words(dew_Tree *tree, const char **words)
{
    if (!*words)
        return true;
    *words = dew_tree_text(tree, *words, strlen(*words));
    return *words != NULL;
}

// Depth is bounded by DEW_MAX_NESTING: what is copied was read, and copies of copies are refused
// there too.
static dew_Node *copy_node(dew_Tree *tree, const dew_Node *node, bool is_foreign)
{
    dew_Node *copy = dew_tree_is_full(tree) ? NULL : dew_tree_add(tree, node->kind);
    if (!copy)
        return NULL;
    copy->is_plain = node->is_plain;
    copy->line = node->line;
    copy->origin = node->origin;
    copy->text = node->text;
    copy->number = node->number;
    copy->whole = node->whole;
    if (is_foreign && (!own_words(tree, &copy->text) || !own_words(tree, &copy->origin)))
        return NULL;
    for (const dew_Node *child = node->first; child; child = child->next) {
        dew_Node *twin = copy_node(tree, child, is_foreign);
        if (!twin)
            return NULL;
        twin->key = child->key;
        if (is_foreign && !own_words(tree, &twin->key))
            return NULL;
        twin->key_hash = child->key_hash;
        twin->key_line = child->key_line;
        twin->duplicate_line = child->duplicate_line;
        if (copy->last)
            copy->last->next = twin;
        else
            copy->first = twin;
        copy->last = twin;
        copy->child_count++;
    }
    return copy;
}

dew_Node *dew_tree_copy(dew_Tree *tree, const dew_Node *node)
{
    return copy_node(tree, node, false);
}

dew_Node *dew_tree_adopt(dew_Tree *tree, const dew_Node *node)
{
    return copy_node(tree, node, true);
}

static uint32_t key_hash(const char *key)
{
    uint32_t hash = 2166136261u;  // FNV-1a: only to skip most comparisons
    for (; *key; key++)
        hash = (hash ^ (unsigned char)*key) * 16777619u;
    return hash;
}

static dew_Node *find_hashed(const dew_Node *map, const char *key, uint32_t hash)
{
    for (dew_Node *child = map->first; child; child = child->next)
        if (child->key_hash == hash && strcmp(child->key, key) == 0)
            return child;
    return NULL;
}

void dew_node_append(dew_Node *parent, dew_Node *child)
{
    if (parent->kind == DEW_NODE_MAP) {
        child->key_hash = key_hash(child->key);
        const dew_Node *twin = find_hashed(parent, child->key, child->key_hash);
        child->duplicate_line = twin ? twin->key_line : 0;
    }
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->child_count++;
}

dew_Node *dew_node_find(const dew_Node *map, const char *key)
{
    return map->kind == DEW_NODE_MAP ? find_hashed(map, key, key_hash(key)) : NULL;
}

dew_Node *dew_node_at(const dew_Node *list, int64_t index)
{
    if (list->kind != DEW_NODE_LIST || index < 0 || index >= list->child_count)
        return NULL;
    dew_Node *child = list->first;
    while (index-- > 0)
        child = child->next;
    return child;
}

bool dew_node_is_null(const dew_Node *node)
{
    return node->kind == DEW_NODE_SCALAR && node->is_plain &&
           (!*node->text || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0);
}

const char *dew_node_kind_name(const dew_Node *node)
{
    return node->kind == DEW_NODE_NUMBER ? "a number"
           : node->kind == DEW_NODE_LIST ? "a list"
           : node->kind == DEW_NODE_MAP  ? "a mapping"
                                         : "a value";
}

bool dew_path_next(const char **rest, dew_PathStep *step)
{
    const char *at = *rest;
    *step = (dew_PathStep){0};
    if (*at == '[') {
        size_t used = dew_integer_parse(at + 1, strlen(at + 1), &step->index);
        if (used == 0 || step->index < 0 || at[used + 1] != ']')
            return false;
        at += used + 2;
    } else {
        step->key = at;
        step->key_length = strcspn(at, ".[");
        if (step->key_length == 0)
            return false;
        at += step->key_length;
    }
    bool is_key_next = *at == '.';
    at += is_key_next;
    *rest = at;
    return is_key_next ? *at != '\0' && *at != '[' && *at != '.' : *at == '\0' || *at == '[';
}

const dew_Node *dew_tree_find(const dew_Tree *tree, const char *path)
{
    const dew_Node *node = tree->root;
    while (node && *path) {
        dew_PathStep step;
        if (!dew_path_next(&path, &step))
            return NULL;
        if (!step.key) {
            node = dew_node_at(node, step.index);
            continue;
        }
        const dew_Node *child = node->kind == DEW_NODE_MAP ? node->first : NULL;
        while (child && (strncmp(child->key, step.key, step.key_length) != 0 ||
                         child->key[step.key_length] != '\0'))
            child = child->next;
        node = child;
    }
    return node;
}
