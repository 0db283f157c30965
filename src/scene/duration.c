// The duration as a value. The tree gets it too, because later changes read the tree again.
#include "base/number.h"
#include "base/status.h"
#include "scene/scene.h"

#include <string.h>

static dew_Status set_node(dew_Scene *scene, double duration_s)
{
    dew_Tree *tree = &scene->tree;
    if (!tree->root || tree->root->kind != DEW_NODE_MAP)
        return dew_ok();
    char number[DEW_NUMBER_SIZE];
    size_t length = dew_number_format(duration_s, number);
    char *origin = dew_arena_format(&scene->arena, "--until %.*s s", (int)length, number);
    dew_Node *node = dew_node_find(tree->root, "duration");
    bool is_new = !node;
    if (is_new)
        node = dew_tree_add(tree, DEW_NODE_NUMBER);
    if (!node || !origin)
        return dew_no_memory(sizeof *node);
    node->kind = DEW_NODE_NUMBER;
    node->number = duration_s;
    node->is_plain = false;
    node->line = 0;
    node->origin = origin;
    if (is_new) {
        node->key = "duration";
        dew_node_append(tree->root, node);
    }
    return dew_ok();
}

dew_Status dew_scene_set_duration(dew_Scene *scene, double duration_s)
{
    const dew_Key *key = dew_block_find(dew_scene_schema(), "duration", DEW_INVALID);
    if (!(duration_s >= key->min && duration_s <= key->max))
        return dew_fail(DEW_BAD_INPUT, "duration: %g s is not in the range %g s to %g s",
                        duration_s, key->min, key->max);
    DEW_TRY(set_node(scene, duration_s));
    scene->def.duration_s = duration_s;
    return dew_ok();
}
