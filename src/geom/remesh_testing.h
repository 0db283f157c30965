/// For tests of the remesher: a drop with its arrays, and what must hold of it.
#pragma once

#include "base/testing.h"
#include "geom/mesh_audit.h"
#include "geom/mesh_measure.h"
#include "geom/remesh.h"
#include "geom/shapes.h"

typedef struct TestDrop {
    dew_Mesh mesh;
    dew_Array velocities, labels, scales;
    dew_RemeshDrop drop;
} TestDrop;

static inline void test_drop_init(TestDrop *d)
{
    dew_mesh_init(&d->mesh, NULL);
    dew_array_init(&d->velocities, NULL, sizeof(dew_Vec3));
    dew_array_init(&d->labels, NULL, sizeof(uint8_t));
    dew_array_init(&d->scales, NULL, sizeof(double));
    d->drop = (dew_RemeshDrop){&d->mesh.positions, &d->velocities, &d->labels, &d->scales,
                               &d->mesh.triangles};
}

static inline void test_drop_deinit(TestDrop *d)
{
    dew_mesh_deinit(&d->mesh);
    dew_array_deinit(&d->velocities);
    dew_array_deinit(&d->labels);
    dew_array_deinit(&d->scales);
}

/// After the mesh was made: velocity (1, 2, 3) + position, no labels, scale 1.
static inline void test_drop_dress(TestDrop *d)
{
    int64_t count = d->mesh.positions.count;
    assert_ok(dew_array_resize(&d->velocities, count));
    assert_ok(dew_array_resize(&d->labels, count));
    assert_ok(dew_array_resize(&d->scales, count));
    for (int64_t v = 0; v < count; v++) {
        DEW_ITEMS(&d->velocities, dew_Vec3)
        [v] = dew_add(dew_vec(1, 2, 3), dew_mesh_positions(&d->mesh)[v]);
        DEW_ITEMS(&d->scales, double)[v] = 1;
    }
}

/// Closed, manifold, oriented, no vertex without triangle, no triangle twice, arrays in step.
static inline dew_MeshAudit test_drop_audit(const TestDrop *d)
{
    dew_MeshAuditDef def = {.skip_self_intersections = true};
    dew_MeshAudit audit;
    assert_ok(dew_mesh_audit(&d->mesh, &def, &audit));
    assert_true(audit.is_closed && audit.is_manifold && audit.is_oriented);
    assert_int_equal(audit.count[DEW_FLAW_UNREFERENCED], 0);
    assert_int_equal(audit.count[DEW_FLAW_DUPLICATE], 0);
    assert_int_equal(d->velocities.count, d->mesh.positions.count);
    assert_int_equal(d->labels.count, d->mesh.positions.count);
    assert_int_equal(d->scales.count, d->mesh.positions.count);
    return audit;
}

/// A pass, with the volume before and after in agreement with what the result says: each triangle
/// of both sums rounds to 2^-53 of the volume it spans, some thousands of them in all.
static inline dew_RemeshResult test_drop_pass(TestDrop *d, dew_Remesh *remesh,
                                              const dew_RemeshDef *def)
{
    dew_MeshMeasure before = dew_mesh_measure(&d->mesh);
    dew_RemeshResult r;
    dew_Status status = dew_remesh_run(remesh, def, &d->drop, &r);
    assert_string_equal(status.message, "");
    test_drop_audit(d);
    double after = dew_mesh_measure(&d->mesh).volume_m3;
    double expected = before.volume_m3 + r.volume_change_m3 - r.loss_m3, sum = 0;
    assert_true(def->smoothing > 0 || fabs(after - expected) <= 1e-11 * fabs(before.volume_m3));
    for (int64_t i = 0; i < r.piece_count; i++)
        sum += dew_remesh_pieces(remesh)[i].volume_m3;
    assert_true(fabs(after - sum) <= 1e-11 * fabs(before.volume_m3));
    return r;
}

static inline double test_edge_extreme(const dew_Mesh *mesh, bool wants_longest)
{
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    double extreme = wants_longest ? 0 : (double)INFINITY;
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        const uint32_t *v = dew_mesh_triangles(mesh)[t].v;
        for (int i = 0; i < 3; i++) {
            double length = dew_distance(x[v[i]], x[v[(i + 1) % 3]]);
            extreme = wants_longest ? fmax(extreme, length) : fmin(extreme, length);
        }
    }
    return extreme;
}
