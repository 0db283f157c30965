/// For tests of merging: solids to sit on, drops on them, and what must hold of a drop.
#pragma once

#include "geom/remesh_testing.h"

#include "base/union_find.h"
#include "geom/distance.h"
#include "geom/triangle.h"
#include "solvers/surface/drop_reattach.h"
#include "solvers/surface/merge.h"

typedef enum TestSolidKind {
    TEST_NO_SOLID,
    TEST_PLANE,     // y <= 0
    TEST_BALL,      // about the origin
    TEST_BOX,       // a long beam along z; drops sit on its edge
    TEST_CYLINDER,  // along y, endless
    TEST_BOWL,      // all but a ball about the origin
    TEST_SOLID_COUNT,
} TestSolidKind;

typedef struct TestSolid {
    TestSolidKind kind;
    double size;
} TestSolid;

static inline bool test_solid_nearest(void *context, dew_Vec3 p, double reach, dew_Closest *out)
{
    const TestSolid *solid = (const TestSolid *)context;
    double r = solid->size;
    switch (solid->kind) {
    case TEST_PLANE:
        *out = dew_plane_distance(p);
        break;
    case TEST_BOX:
        *out = dew_box_distance(p, dew_vec(r, r, 20 * r));
        break;
    case TEST_CYLINDER:
        *out = dew_cylinder_distance(p, r, 1000 * r);
        break;
    case TEST_BALL:
    case TEST_BOWL:
        *out = dew_sphere_distance(p, r);
        break;
    default:
        return false;
    }
    if (solid->kind == TEST_BOWL) {
        out->distance = -out->distance;
        out->normal = dew_scale(-1, out->normal);
    }
    return out->distance <= reach;
}

static inline dew_DropSolids test_solids(TestSolid *solid)
{
    return (dew_DropSolids){solid->kind == TEST_NO_SOLID ? NULL : test_solid_nearest, solid};
}

/// A place `height` above the solid; u and v tell where on it.
static inline dew_Vec3 test_solid_place(const TestSolid *solid, double u, double v, double height)
{
    double r = solid->size, out = solid->kind == TEST_BOWL ? r - height : r + height;
    switch (solid->kind) {
    case TEST_PLANE:
        return dew_vec(u, height, v);
    case TEST_BOX:
        return dew_vec(r + 0.3 * fabs(height), r + 0.3 * fabs(height) + 0.1 * u, hypot(u, v));
    case TEST_CYLINDER:
        return dew_vec(out * cos(u / r), v, out * sin(u / r));
    case TEST_BALL:
    case TEST_BOWL:
        return dew_scale(out,
                         dew_vec(sin(u / r) * cos(v / r), cos(u / r) * cos(v / r), sin(v / r)));
    default:
        return dew_vec(u, v, height);
    }
}

/// A ball whose part inside the solid is pressed onto it, remeshed.
static inline void test_drop_on(TestDrop *d, TestSolid *solid, dew_Remesh *remesh, double radius,
                                double edge, dew_Vec3 center, dew_Vec3 turn)
{
    test_drop_init(d);
    assert_int_equal(dew_shape_sphere(radius, edge, &d->mesh).code, DEW_OK);
    dew_mesh_transform(&d->mesh, 1, dew_rotation_about(turn, dew_length(turn)), center);
    test_drop_dress(d);
    dew_DropSolids solids = test_solids(solid);
    for (int64_t v = 0; v < d->mesh.positions.count; v++) {
        dew_Vec3 *x = &DEW_ITEMS(&d->mesh.positions, dew_Vec3)[v];
        dew_Closest c;
        if (solids.nearest && solids.nearest(solids.context, *x, 0, &c)) {
            *x = c.point;
            DEW_ITEMS(&d->labels, uint8_t)[v] = DEW_LABEL_TOUCHING;
        }
    }
    dew_DropTidyDef tidy = {
        .remesh = dew_default_remesh_def(edge), .solids = &solids, .reach_m = edge};
    tidy.remesh.smoothing = 1;
    dew_Array marks;
    dew_array_init(&marks, NULL, sizeof(uint8_t));
    dew_RemeshResult last;
    assert_int_equal(dew_drop_tidy(&tidy, remesh, &d->drop, &marks, &last).code, DEW_OK);
    dew_array_deinit(&marks);
}

/// Area of wetted triangles that face away from the solid.
static inline double test_folded_area(const TestDrop *d, TestSolid *solid)
{
    double sum = 0;
    const uint8_t *label = DEW_ITEMS(&d->labels, uint8_t);
    const dew_Vec3 *x = dew_mesh_positions(&d->mesh);
    dew_DropSolids solids = test_solids(solid);
    for (int64_t t = 0; solids.nearest && t < d->mesh.triangles.count; t++) {
        const uint32_t *v = dew_mesh_triangles(&d->mesh)[t].v;
        if (!(label[v[0]] & label[v[1]] & label[v[2]] & DEW_LABEL_TOUCHING))
            continue;
        dew_Vec3 n = dew_triangle_normal(x[v[0]], x[v[1]], x[v[2]]);
        dew_Vec3 middle = dew_scale(1.0 / 3, dew_add(x[v[0]], dew_add(x[v[1]], x[v[2]])));
        dew_Closest c;
        if (solids.nearest(solids.context, middle, HUGE_VAL, &c) &&
            dew_inner(n, c.normal) > 0.3 * dew_length(n))
            sum += 0.5 * dew_length(n);
    }
    return sum;
}

/// Touching vertices on the solid to rounding, the others not in it by more than `depth`; contact
/// line where wetted and free triangles meet, and only there.
static inline void test_drop_sits(const TestDrop *d, TestSolid *solid, double depth)
{
    dew_DropSolids solids = test_solids(solid);
    const uint8_t *label = DEW_ITEMS(&d->labels, uint8_t);
    for (int64_t v = 0; solids.nearest && v < d->mesh.positions.count; v++) {
        dew_Closest c;
        assert_true(solids.nearest(solids.context, dew_mesh_positions(&d->mesh)[v], HUGE_VAL, &c));
        assert_true(label[v] & DEW_LABEL_TOUCHING ? fabs(c.distance) < 1e-12 : c.distance > -depth);
    }
    for (int64_t t = 0; t < d->mesh.triangles.count; t++) {
        const uint32_t *v = dew_mesh_triangles(&d->mesh)[t].v;
        bool is_wet = label[v[0]] & label[v[1]] & label[v[2]] & DEW_LABEL_TOUCHING;
        int line = 0;
        for (int k = 0; k < 3; k++)
            line += (label[v[k]] & DEW_LABEL_CONTACT_LINE) != 0;
        // A free triangle's touching corner with wetted triangles around it is on the line.
        assert_true(is_wet || line < 3);
        for (int k = 0; k < 3; k++)
            assert_true(!(label[v[k]] & DEW_LABEL_CONTACT_LINE) ||
                        label[v[k]] & DEW_LABEL_TOUCHING);
    }
}

/// Wetted sides: sets of wetted triangles that hang together.
static inline int test_wetted_patches(const TestDrop *d)
{
    int64_t count = d->mesh.positions.count;
    dew_Array roots, is_wet;
    dew_array_init(&roots, NULL, sizeof(uint32_t));
    dew_array_init(&is_wet, NULL, sizeof(uint8_t));
    assert_int_equal(dew_array_resize(&roots, count).code, DEW_OK);
    assert_int_equal(dew_array_resize(&is_wet, count).code, DEW_OK);
    uint32_t *root = DEW_ITEMS(&roots, uint32_t);
    for (uint32_t v = 0; v < count; v++)
        root[v] = v;
    const uint8_t *label = DEW_ITEMS(&d->labels, uint8_t);
    for (int64_t t = 0; t < d->mesh.triangles.count; t++) {
        const uint32_t *v = dew_mesh_triangles(&d->mesh)[t].v;
        if (!(label[v[0]] & label[v[1]] & label[v[2]] & DEW_LABEL_TOUCHING))
            continue;
        for (int k = 0; k < 3; k++) {
            dew_join_vertices(root, v[k], v[0]);
            DEW_ITEMS(&is_wet, uint8_t)[v[k]] = 1;
        }
    }
    int patches = 0;
    for (uint32_t v = 0; v < count; v++)
        patches += root[v] == v && DEW_ITEMS(&is_wet, uint8_t)[v];
    dew_array_deinit(&roots);
    dew_array_deinit(&is_wet);
    return patches;
}
