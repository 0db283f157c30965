/// Defects of a mesh: counts of each kind and the first place of it (dew_MeshAudit).
#pragma once

#include "base/tasks.h"
#include "dew/mesh.h"
#include "geom/mesh.h"

typedef struct dew_MeshAuditDef {
    dew_Allocator allocator;
    dew_Tasks *tasks;              // may be NULL
    bool skip_self_intersections;  // the slow part
} dew_MeshAuditDef;

/// Flaws that keep others from being looked for (bad indices, vertices not finite) leave the rest
/// at "none found", with is_closed false. Fails only for lack of memory. def NULL: all defaults.
dew_Status dew_mesh_audit(const dew_Mesh *mesh, const dew_MeshAuditDef *def, dew_MeshAudit *out);

/// One line about a flaw: "2 open edges, the first of triangle 17 at (1, 2, 3)". Empty: no such
/// flaw. Returns the length, cut to fit.
size_t dew_mesh_audit_describe(const dew_MeshAudit *audit, dew_MeshFlaw flaw, char *text,
                               size_t size);
