// Caps as meshes: closed, of the cap's volume to second order, base first.
#include "solvers/surface/cap_mesh.h"

#include "base/testing.h"
#include "geom/mesh_audit.h"

static dew_DropCapMeshDef slanted(dew_DropCap cap, double wall_m, double edge_m)
{
    return (dew_DropCapMeshDef){.cap = cap,
                                .wall_m = wall_m,
                                .point_m = {0.3, -0.2, 0.7},
                                .normal = dew_normalize(dew_vec(1, 2, -2)),
                                .edge_m = edge_m};
}

static void copy_mesh(const dew_DropCapMesh *from, dew_Mesh *to)
{
    dew_mesh_init(to, NULL);
    assert_int_equal(dew_array_append(&to->positions, from->positions, from->vertex_count).code,
                     DEW_OK);
    assert_int_equal(dew_array_append(&to->triangles, from->triangles, from->triangle_count).code,
                     DEW_OK);
}

static double volume_of(const dew_DropCapMesh *mesh)
{
    double six = 0;
    dew_Vec3 o = mesh->positions[0];
    for (int64_t k = 0; k < mesh->triangle_count; k++) {
        const uint32_t *v = mesh->triangles[k].v;
        six += dew_inner(
            dew_sub(mesh->positions[v[0]], o),
            dew_cross(dew_sub(mesh->positions[v[1]], o), dew_sub(mesh->positions[v[2]], o)));
    }
    return six / 6;
}

static void check(dew_DropCap cap, double wall_m)
{
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    double volume = cap.volume_m3 + DEW_PI * cap.base_radius_m * cap.base_radius_m * wall_m;
    double error[2];
    for (int pass = 0; pass < 2; pass++) {
        dew_DropCapMeshDef def = slanted(cap, wall_m, (pass == 0 ? 0.2 : 0.1) * cap.base_radius_m);
        dew_DropCapMesh mesh;
        assert_int_equal(dew_drop_cap_mesh(&def, &arena, &mesh).code, DEW_OK);
        dew_Mesh copy;
        copy_mesh(&mesh, &copy);
        dew_MeshAudit audit;
        assert_int_equal(dew_mesh_audit(&copy, NULL, &audit).code, DEW_OK);
        assert_true(dew_mesh_audit_is_clean(&audit));
        dew_mesh_deinit(&copy);
        error[pass] = fabs(volume_of(&mesh) / volume - 1);
        for (int64_t i = 0; i < mesh.vertex_count; i++) {
            dew_Vec3 arm = dew_sub(mesh.positions[i], def.point_m);
            double height = dew_inner(arm, def.normal);
            assert_true(i < mesh.base_count ? fabs(height) < 1e-15 : height > 1e-3);
            if (i < mesh.base_count && i >= mesh.base_count - mesh.rim_count)
                assert_true(fabs(dew_length(arm) / cap.base_radius_m - 1) < 1e-12);
        }
    }
    assert_true(error[0] < 0.04);
    assert_true(error[1] < 0.3 * error[0]);  // a quarter, as the edges are halved
    dew_arena_deinit(&arena);
}

static void caps_are_closed_and_have_their_volume(void **state)
{
    (void)state;
    for (int degrees = 30; degrees <= 150; degrees += 30)
        check(dew_drop_cap_from_base_angle(0.5, DEW_DEG(degrees)), 0);
    check(dew_drop_cap_from_base_height(0.5, 0.125), 0.125);
}

static void a_coarse_cap_has_two_rings(void **state)
{
    (void)state;
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    dew_DropCapMeshDef def = slanted(dew_drop_cap_from_base_angle(0.5, DEW_DEG(90)), 0, 10);
    dew_DropCapMesh mesh;
    assert_int_equal(dew_drop_cap_mesh(&def, &arena, &mesh).code, DEW_OK);
    assert_int_equal(mesh.base_count, 19);
    assert_int_equal(mesh.rim_count, 12);
    assert_int_equal(mesh.vertex_count, 19 + 7);
    assert_int_equal(mesh.triangle_count, 48);
    dew_arena_deinit(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caps_are_closed_and_have_their_volume),
        cmocka_unit_test(a_coarse_cap_has_two_rings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
