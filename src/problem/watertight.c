// Makes a mesh from a file fit to be a solid or a drop, or says why it is not.
//
// The sign of the distance comes from the winding number when a mesh is not perfect, and that errs
// only near holes: seen from d away, a hole of area A takes A / (4 pi d^2) off. So holes are judged
// by their area, and a crack without width passes however long it is.
#include "problem/watertight.h"

#include "base/arena.h"
#include "base/status.h"
#include "base/union_find.h"
#include "geom/mesh.h"
#include "geom/mesh_audit.h"
#include "geom/mesh_edges.h"
#include "geom/mesh_measure.h"
#include "geom/rounding.h"

#include <stdio.h>

// ---- area of holes -----------------------------------------------------------------------------

// Joins the ends of open edges, so that each rim is one group of vertices, then sums a x b / 2 over
// the edges of each: the area vector of any surface that fills the rim.
static dew_Status rim_areas(const dew_Mesh *mesh, dew_Arena *arena, double *area_m2)
{
    int64_t n = mesh->positions.count;
    dew_MeshEdges edges;
    DEW_TRY(dew_mesh_edges(mesh, arena, &edges));
    uint32_t *parent = dew_arena_array(arena, uint32_t, n);
    dew_Vec3 *lid = dew_arena_array(arena, dew_Vec3, n);
    if (!parent || !lid)
        return dew_no_memory((size_t)n * (sizeof *parent + sizeof *lid));
    for (int64_t v = 0; v < n; v++)
        parent[v] = (uint32_t)v;
    const dew_Triangle *t = dew_mesh_triangles(mesh);
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t e = 0; e < edges.edge_count; e++) {
            if (edges.first[e + 1] - edges.first[e] != 1)
                continue;
            uint32_t h = edges.half_edges[edges.first[e]];
            uint32_t a = dew_half_edge_from(t, h), b = dew_half_edge_to(t, h);
            uint32_t root = dew_vertex_root(parent, a);
            if (pass == 0)
                dew_join_vertices(parent, a, b);
            else  // seen from the rim's first vertex: the sum does not depend on it, rounding does
                lid[root] = dew_add(lid[root], dew_scale(0.5, dew_cross(dew_sub(x[a], x[root]),
                                                                        dew_sub(x[b], x[root]))));
        }
    }
    *area_m2 = 0;
    for (int64_t v = 0; v < n; v++)
        *area_m2 += dew_length(lid[v]);
    return dew_ok();
}

dew_Status dew_mesh_hole_area(const dew_Mesh *mesh, double *area_m2)
{
    dew_Arena arena;
    dew_arena_init(&arena, &mesh->allocator);
    dew_Status status = rim_areas(mesh, &arena, area_m2);
    dew_arena_deinit(&arena);
    return status;
}

// ---- the verdict -------------------------------------------------------------------------------

static dew_Status judge_holes(const dew_Mesh *mesh, const dew_MeshAudit *audit, const char *name,
                              const dew_Log *log)
{
    char flaw[200];
    dew_mesh_audit_describe(audit, DEW_FLAW_OPEN_EDGE, flaw, sizeof flaw);
    double hole_m2 = 0;
    DEW_TRY(dew_mesh_hole_area(mesh, &hole_m2));
    double fraction = hole_m2 / dew_mesh_measure(mesh).area_m2;
    if (!(fraction <= DEW_MAX_HOLE_FRACTION))
        return dew_fail(DEW_BAD_INPUT,
                        "the mesh is open: %s; its holes have %.3g %% of its area (close it; up to "
                        "%g %% is borne)",
                        flaw, 100 * fraction, 100 * DEW_MAX_HOLE_FRACTION);
    if (log->write) {
        char line[DEW_MESSAGE_SIZE];
        snprintf(line, sizeof line,
                 "%s: the mesh is not closed: %s; its winding number decides what is inside", name,
                 flaw);
        dew_log_line(log, DEW_LOG_WARNING, line);
    }
    return dew_ok();
}

// What the winding number tolerates, but what its maker hardly meant: one line for all of it.
static void warn_of_shape(const dew_MeshAudit *audit, const char *name, const dew_Log *log)
{
    static const dew_MeshFlaw flaws[] = {DEW_FLAW_BRANCHING_EDGE, DEW_FLAW_BRANCHING_VERTEX,
                                         DEW_FLAW_SELF_INTERSECTION};
    char words[DEW_MESSAGE_SIZE / 2] = "";
    size_t used = 0;
    for (size_t i = 0; i < sizeof flaws / sizeof flaws[0]; i++) {
        char flaw[160];
        if (dew_mesh_audit_describe(audit, flaws[i], flaw, sizeof flaw) > 0)
            used += (size_t)snprintf(words + used, sizeof words - used, "%s%s",
                                     used > 0 ? "; " : "", flaw);
        DEW_ASSERT(used < sizeof words);
    }
    if (used == 0 || !log->write)
        return;
    char line[DEW_MESSAGE_SIZE];
    snprintf(line, sizeof line, "%s: the mesh %s: %s; its winding number decides what is inside",
             name, audit->is_manifold ? "crosses itself" : "is not manifold", words);
    dew_log_line(log, DEW_LOG_WARNING, line);
}

static dew_Status judge(const dew_Mesh *mesh, const char *name, const dew_Log *log,
                        dew_Tasks *tasks)
{
    dew_MeshAuditDef def = {.allocator = mesh->allocator, .tasks = tasks};
    dew_MeshAudit audit;
    DEW_TRY(dew_mesh_audit(mesh, &def, &audit));
    if (audit.count[DEW_FLAW_OPEN_EDGE] > 0)
        DEW_TRY(judge_holes(mesh, &audit, name, log));
    else if (!audit.is_closed) {
        char flaw[200];
        dew_mesh_audit_summary(&audit, flaw, sizeof flaw);
        return dew_fail(DEW_BAD_INPUT,
                        "the mesh has no inside: %s (triangles must agree about the outside)",
                        flaw);
    }
    dew_MeshMeasure m = dew_mesh_measure(mesh);
    double size = dew_distance(m.box_m.min, m.box_m.max);
    if (!(m.volume_m3 > DEW_ROUNDING * size * size * size))
        return dew_fail(DEW_BAD_INPUT,
                        "the mesh encloses no volume: %g cubic units in a box of %g x %g x %g",
                        m.volume_m3, m.box_m.max.x - m.box_m.min.x, m.box_m.max.y - m.box_m.min.y,
                        m.box_m.max.z - m.box_m.min.z);
    warn_of_shape(&audit, name, log);
    return dew_ok();
}

dew_Status dew_mesh_make_watertight(dew_Mesh *mesh, const char *name, const dew_Log *log,
                                    dew_Tasks *tasks)
{
    if (mesh->triangles.count == 0)
        return dew_fail(DEW_BAD_INPUT, "the mesh has no triangles");
    dew_MeshRepairDef def = {.log = *log, .name = name};
    DEW_TRY(dew_mesh_repair(mesh, &def, NULL));
    if (mesh->triangles.count == 0)
        return dew_fail(DEW_BAD_INPUT, "the mesh has no triangle with an area");
    return judge(mesh, name, log, tasks);
}
