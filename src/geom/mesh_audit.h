/// What is wrong with a mesh: counts of each flaw and the first place of it.
#pragma once

#include "base/tasks.h"
#include "geom/bvh.h"
#include "geom/mesh.h"

typedef enum dew_MeshFlaw {
    DEW_FLAW_BAD_INDEX,          // triangles that name a vertex that is not there
    DEW_FLAW_NOT_FINITE,         // vertices
    DEW_FLAW_UNREFERENCED,       // vertices that no triangle names
    DEW_FLAW_DEGENERATE,         // triangles of no area: height below 1.5e-8 of the longest edge
    DEW_FLAW_DUPLICATE,          // triangles on the same three vertices as an earlier one
    DEW_FLAW_OPEN_EDGE,          // edges with one triangle
    DEW_FLAW_BRANCHING_EDGE,     // edges with three triangles or more
    DEW_FLAW_TWISTED_EDGE,       // edges whose two triangles disagree about the outside
    DEW_FLAW_BRANCHING_VERTEX,   // vertices where several fans of triangles meet
    DEW_FLAW_SELF_INTERSECTION,  // pairs of triangles, the place is the lower one
    DEW_FLAW_INSIDE_OUT,         // closed components that enclose negative volume and are no cavity
    DEW_FLAW_COUNT
} dew_MeshFlaw;

typedef struct dew_MeshAudit {
    int64_t count[DEW_FLAW_COUNT];
    int64_t first[DEW_FLAW_COUNT];   // triangle or vertex; DEW_INVALID: none
    dew_Vec3 place[DEW_FLAW_COUNT];  // of the first: the vertex, or the middle of triangle or edge
    int64_t component_count;
    int64_t euler_characteristic;  // vertices used - edges + triangles
    bool is_closed;                // no open edge, and every edge runs as often forth as back
    bool is_manifold;              // no branching edge or vertex
    bool is_oriented;              // no twisted edge
    bool has_self_intersections;   // false also when not asked for
} dew_MeshAudit;

typedef struct dew_MeshAuditDef {
    dew_Allocator allocator;
    dew_Tasks *tasks;              // may be NULL
    const dew_Bvh *bvh;            // of this mesh, if there is one already
    bool skip_self_intersections;  // the slow part
} dew_MeshAuditDef;

/// Flaws that keep others from being looked for (bad indices, vertices not finite) leave the rest
/// at "none found", with is_closed false. Fails only for lack of memory. def NULL: all defaults.
dew_Status dew_mesh_audit(const dew_Mesh *mesh, const dew_MeshAuditDef *def, dew_MeshAudit *out);

/// Is it fit to be a solid: closed, manifold, oriented, without self-intersections, right side out?
bool dew_mesh_audit_is_clean(const dew_MeshAudit *audit);

/// One line about a flaw: "2 open edges, the first of triangle 17 at (1, 2, 3)". Empty: no such
/// flaw. Returns the length, cut to fit.
size_t dew_mesh_audit_describe(const dew_MeshAudit *audit, dew_MeshFlaw flaw, char *text,
                               size_t size);
/// All of them on one line, after "closed, manifold, oriented" or what it is not.
size_t dew_mesh_audit_summary(const dew_MeshAudit *audit, char *text, size_t size);
