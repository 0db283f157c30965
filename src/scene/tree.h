/// The scene file as read: a tree of scalars, lists and mappings that remember their lines.
///
/// YAML, --set and definitions from code all end here, and the schema reads from here, so that all
/// go through the same checks. A tree lives in the arena of its scene; texts are NUL-terminated and
/// shared, never freed.
#pragma once

#include "base/arena.h"

typedef enum dew_NodeKind {
    DEW_NODE_SCALAR,
    DEW_NODE_NUMBER,  // a value from code, in SI units
    DEW_NODE_LIST,
    DEW_NODE_MAP,
} dew_NodeKind;

typedef struct dew_Node dew_Node;
struct dew_Node {
    dew_NodeKind kind;
    bool is_plain;       // scalar without quotes: ~, null and nothing mean that there is no value
    int line;            // of the value, from 1; 0: it comes from code
    int key_line;        // in a map: of its key
    int duplicate_line;  // in a map: where the same key stood before; 0: nowhere
    int child_count;
    uint32_t key_hash;
    const char *origin;  // "--set KEY=VALUE"; NULL: from the file
    const char *key;     // in a map
    const char *text;    // scalar
    double number;       // number
    uint64_t whole;      // number that is a seed
    dew_Node *first, *last, *next;
};

/// Bounds of a scene, whatever it is made of. A scene of 20,000 drops stays well below them.
#define DEW_TREE_MAX_NODES 300000
#define DEW_TREE_MAX_KEYS  1024  // in one mapping

typedef struct dew_Tree {
    dew_Arena *arena;
    char *pool;  // small pieces are cut from it: an arena aligns each to 64 bytes
    size_t pool_left;
    int64_t node_count;
    dew_Node *root;
} dew_Tree;

void dew_tree_init(dew_Tree *tree, dew_Arena *arena);

/// NULL when there is no memory.
dew_Node *dew_tree_add(dew_Tree *tree, dew_NodeKind kind);
char *dew_tree_text(dew_Tree *tree, const char *text, size_t length);
/// A deep copy, without its key; NULL also when the tree is full.
dew_Node *dew_tree_copy(dew_Tree *tree, const dew_Node *node);
/// Same of a node of another tree, with its texts.
dew_Node *dew_tree_adopt(dew_Tree *tree, const dew_Node *node);
bool dew_tree_is_full(const dew_Tree *tree);  // DEW_TREE_MAX_NODES are there

/// Puts a child at the end; a map's child has its key set, and a duplicate is marked.
void dew_node_append(dew_Node *parent, dew_Node *child);
/// The child of that name (of two, the first), or NULL.
dew_Node *dew_node_find(const dew_Node *map, const char *key);
dew_Node *dew_node_at(const dew_Node *list, int64_t index);

/// A plain scalar that says there is nothing: empty, ~ or null.
bool dew_node_is_null(const dew_Node *node);
const char *dew_node_kind_name(const dew_Node *node);  // "a list", "a mapping", "a value"

/// One step of a dotted path: a key or an index. `*rest` moves behind it; false at a bad one.
typedef struct dew_PathStep {
    const char *key;  // NULL: an index
    size_t key_length;
    int64_t index;
} dew_PathStep;
bool dew_path_next(const char **rest, dew_PathStep *step);

/// The node at a dotted path from the root: "drops[0].radius"; NULL: not given.
const dew_Node *dew_tree_find(const dew_Tree *tree, const char *path);
