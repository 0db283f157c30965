// Text to scene, with --set and --solver, and the ways by which a scene becomes another one: bound
// to a list of solvers, changed in one value, checked. All of them read a tree through the schema.
#include <string.h>

#include "base/file.h"
#include "base/status.h"
#include "scene/memory_mesh.h"
#include "scene/scene.h"
#include "scene/shown.h"
#include "scene/yaml.h"

// Reads a YAML text into the scene's tree; what is wrong with it is a diagnostic.
static dew_Status read_tree(dew_Scene *scene, const char *text, size_t size,
                            dew_Diagnostics *diagnostics)
{
    dew_YamlPlace place;
    dew_Status status = dew_yaml_read(&scene->tree, text, size, NULL, &scene->tree.root, &place);
    if (status.code != DEW_BAD_INPUT)
        return status;
    dew_Node at = {.line = place.line};
    dew_diagnose_plainly(diagnostics, &at, "%s", status.message);
    return dew_ok();
}

// The file named by the def into the tree; a file that cannot be read is a diagnostic.
static dew_Status read_path(dew_Scene *scene, const char *path, dew_Diagnostics *diagnostics)
{
    uint8_t *data = NULL;
    size_t size = 0;
    dew_Status status = dew_file_read(path, DEW_YAML_MAX_BYTES, &scene->allocator, &data, &size);
    if (status.code != DEW_OK && status.code != DEW_BAD_INPUT)
        return status;  // the system failed; nothing is wrong with the scene
    if (status.code != DEW_OK) {
        diagnostics->file = NULL;  // the sentence names it
        dew_diagnose_plainly(diagnostics, NULL, "%s", status.message);
        diagnostics->file = path;
        return dew_ok();
    }
    status = read_tree(scene, (const char *)data, size, diagnostics);
    dew_free(&scene->allocator, data, size + 1);
    return status;
}

// `--solver NAME`, before --set, so that both can be given.
static dew_Status set_solver(dew_Scene *scene, const char *name)
{
    dew_Tree *tree = &scene->tree;
    if (!tree->root || tree->root->kind != DEW_NODE_MAP)
        return dew_ok();  // reported of when it is read
    char *origin = dew_arena_format(&scene->arena, "--solver %.100s", name);
    char *text = dew_tree_text(tree, name, strlen(name));
    dew_Node *node = dew_node_find(tree->root, "solver");
    bool is_new = !node;
    if (is_new)
        node = dew_tree_add(tree, DEW_NODE_SCALAR);
    if (!node || !text || !origin)
        return dew_no_memory(sizeof *node);
    node->kind = DEW_NODE_SCALAR;
    node->text = text;
    node->is_plain = false;
    node->origin = origin;
    if (is_new) {
        node->key = "solver";
        dew_node_append(tree->root, node);
    }
    return dew_ok();
}

static dew_Status read_all(dew_Scene *scene, const dew_SceneLoadDef *def,
                           dew_Diagnostics *diagnostics)
{
    if (def->path) {
        scene->path = dew_arena_text(&scene->arena, def->path, strlen(def->path));
        if (!scene->path)
            return dew_no_memory(strlen(def->path));
    }
    if (def->text)
        DEW_TRY(read_tree(scene, def->text, def->text_size, diagnostics));
    else
        DEW_TRY(read_path(scene, def->path, diagnostics));
    if (diagnostics->count > 0)
        return dew_ok();  // no YAML, no scene
    if (def->solver)
        DEW_TRY(set_solver(scene, def->solver));
    for (int i = 0; i < def->override_count; i++)
        DEW_TRY(dew_tree_assign(&scene->tree, def->overrides[i], "--set ", diagnostics));
    return dew_scene_fill(scene, diagnostics);
}

// Hands out the scene, or destroys it when anything was wrong with it.
static dew_Status finish(dew_Status status, dew_Scene *scene, dew_Diagnostics *diagnostics,
                         dew_Scene **out)
{
    if (status.code == DEW_OK)
        status = dew_diagnostics_end(diagnostics);
    if (status.code != DEW_OK)
        dew_scene_destroy(scene);
    *out = status.code == DEW_OK ? scene : NULL;
    return status;
}

dew_Status dew_scene_read(const dew_SceneLoadDef *def, dew_SolverList solvers, dew_Scene **out)
{
    *out = NULL;
    DEW_ASSERT(def->cookie == DEW_COOKIE);
    if (!def->text && !def->path)
        return dew_fail(DEW_BAD_INPUT, "no scene was named");
    dew_Scene *scene = NULL;
    DEW_TRY(dew_scene_make(&def->allocator, &scene));
    scene->solvers = solvers;
    scene->has_lines = true;
    dew_Diagnostics diagnostics = {.log = def->log, .file = def->path, .has_lines = true};
    dew_Status status = read_all(scene, def, &diagnostics);
    return finish(status, scene, &diagnostics, out);
}

// ---- a scene from a scene ----------------------------------------------------------------------

// The scene's values as a tree of another one: its own tree when that is all, so that a scene that
// was read keeps its lines; else a tree of its definitions.
static dew_Status copy_tree(const dew_Scene *from, dew_Scene *to)
{
    if (from->tree.root && !from->is_edited) {
        to->has_lines = from->has_lines;
        to->tree.root = dew_tree_adopt(&to->tree, from->tree.root);
        return to->tree.root ? dew_ok() : dew_no_memory(sizeof(dew_Node));
    }
    return dew_tree_from_defs(&to->tree, from);
}

static dew_Status read_again(const dew_Scene *from, const char *assignment, dew_Scene *to,
                             dew_Diagnostics *diagnostics)
{
    if (from->path) {
        to->path = dew_arena_text(&to->arena, from->path, strlen(from->path));
        if (!to->path)
            return dew_no_memory(strlen(from->path));
    }
    DEW_TRY(copy_tree(from, to));
    DEW_TRY(dew_scene_copy_meshes(from, to));
    diagnostics->file = to->path;
    diagnostics->has_lines = to->has_lines;
    if (assignment)
        DEW_TRY(dew_tree_assign(&to->tree, assignment, "", diagnostics));
    return dew_scene_fill(to, diagnostics);
}

static dew_Status rebuild(const dew_Scene *from, dew_SolverList solvers, const char *assignment,
                          const dew_Allocator *allocator, dew_Scene **out)
{
    dew_Scene *scene = NULL;
    DEW_TRY(dew_scene_make(allocator, &scene));
    scene->solvers = solvers;
    dew_Diagnostics diagnostics = {0};
    dew_Status status = read_again(from, assignment, scene, &diagnostics);
    return finish(status, scene, &diagnostics, out);
}

dew_Status dew_scene_bind(const dew_Scene *scene, dew_SolverList solvers,
                          const dew_Allocator *allocator, dew_Scene **out)
{
    return rebuild(scene, solvers, NULL, allocator, out);
}

dew_Status dew_scene_check(dew_Scene *scene)
{
    dew_Scene *copy = NULL;
    DEW_TRY(rebuild(scene, scene->solvers, NULL, &scene->allocator, &copy));
    dew_scene_destroy(copy);
    return dew_ok();
}

dew_Status dew_scene_set(dew_Scene *scene, const char *assignment)
{
    dew_Scene *changed = NULL;
    DEW_TRY(rebuild(scene, scene->solvers, assignment, &scene->allocator, &changed));
    dew_Scene old = *scene;
    *scene = *changed;
    *changed = old;
    // The trees point to the arenas of their scenes, which changed places.
    scene->tree.arena = &scene->arena;
    changed->tree.arena = &changed->arena;
    dew_scene_destroy(changed);
    return dew_ok();
}
