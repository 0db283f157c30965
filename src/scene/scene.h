/// Scene from the inside: what the reader fills and the writer reads.
#pragma once

#include "base/array.h"
#include "base/cookie.h"
#include "scene/diagnostics.h"
#include "scene/traits.h"
#include "scene/tree.h"

typedef struct dew_NamedMaterial {
    dew_MaterialDef def;  // first: the schema's offsets start here
    const char *name;
} dew_NamedMaterial;

/// A value of a solver's own block.
typedef struct dew_Parameter {
    double number;     // number, integer
    const char *text;  // choice, text
    bool flag;
    bool is_given;
} dew_Parameter;

struct dew_Scene {
    dew_Allocator allocator;
    dew_Arena arena;  // all that the defs point to, and the defs
    dew_SceneDef def;
    const char *path;     // NULL: made in code
    bool has_lines;       // nodes of the tree have lines of the file
    bool is_edited;       // something was added since it was read: the tree is not all
    dew_Array materials;  // of dew_NamedMaterial *
    dew_Array solids;     // of dew_SolidDef *, and so on
    dew_Array drops;
    dew_Array sources;
    dew_Array sinks;
    dew_Array events;
    dew_Array lights;
    dew_Array looks;
    dew_Array meshes;                // of dew_MemoryMesh *
    dew_SolverList solvers;          // count 0: not known yet, see dew_scene_bind
    const dew_SolverTraits *solver;  // the scene's own; NULL: not known yet
    dew_Parameter **parameters;  // per solver of the list, its parameters; NULL when it has none
    const dew_Node *loose;       // while no solvers are known: the block of the scene's solver
    dew_Tree tree;               // as read; its root is NULL for a scene made in code
};

/// An empty scene with all arrays initialised.
dew_Status dew_scene_make(const dew_Allocator *allocator, dew_Scene **out);

/// Reads the tree into the scene: values, then checks. Diagnostics are counted, the status is for
/// memory.
dew_Status dew_scene_fill(dew_Scene *scene, dew_Diagnostics *diagnostics);

/// The definitions of a scene as a tree, every value given (from_defs.c).
dew_Status dew_tree_from_defs(dew_Tree *tree, const dew_Scene *scene);

/// Does some unknown key of the node look like `name`? Then its absence is not reported a second
/// time.
bool dew_block_is_misspelt(const dew_Block *block, const dew_Node *node, const char *name);

/// The checks that need more than one value. Adds the default material where it is used.
dew_Status dew_scene_check_whole(dew_Scene *scene, dew_Diagnostics *diagnostics);
/// That the scene's solver takes it: dimensions and keys it does not honour.
void dew_scene_check_solver(const dew_Scene *scene, dew_Diagnostics *diagnostics);
/// The index of a solver in the list, or DEW_INVALID.
int dew_solver_find(dew_SolverList solvers, const char *name);

/// Appends a copy of `def` (`size` bytes, in the arena) to one of the scene's arrays.
dew_Status dew_scene_push(dew_Scene *scene, dew_Array *array, const void *def, size_t size);

/// Applies "KEY=VALUE" to the tree. What is wrong with it is a diagnostic; the status is for
/// memory. `prefix` stands in front of the assignment in messages: "--set ".
dew_Status dew_tree_assign(dew_Tree *tree, const char *assignment, const char *prefix,
                           dew_Diagnostics *diagnostics);
