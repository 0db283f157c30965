/// Text to tree: YAML through libyaml, bounded in size, depth, nodes and aliases.
#pragma once

#include "scene/tree.h"

#define DEW_YAML_MAX_BYTES ((size_t)4000000)

/// Where reading stopped: the line, from 1, when the status is not DEW_OK and the line is known.
typedef struct dew_YamlPlace {
    int line;
} dew_YamlPlace;

/// Is it text that a scene may consist of?
dew_Status dew_yaml_check_text(const char *text, size_t size, dew_YamlPlace *place);

/// Reads one document into `*root` (NULL: the text holds nothing). `origin` marks every node (NULL:
/// the file). The sentence of a failure has no place in front; `place` has the line.
///
/// Aliases are expanded, each use counting against DEW_TREE_MAX_NODES. Refused: tabs that indent,
/// what is not UTF-8, NUL and control characters, tags, merge keys, keys that are not words, a
/// second document.
dew_Status dew_yaml_read(dew_Tree *tree, const char *text, size_t size, const char *origin,
                         dew_Node **root, dew_YamlPlace *place);
