// Solids of a world: ids and poses, motion that the host drives, meshes and wetness.
#include "base/torture.h"
#include "geom/vec.h"
#include "world/made_testing.h"
#include "world/world_state.h"

#include <math.h>
#include <stdlib.h>

// A plate over a floor, with a drop on it; the cylinder spins by itself.
#define PLATE                                                                                      \
    "solver: volume\nduration: 0.1 s\nframe_rate: 100 Hz\n"                                        \
    "domain: {min: [-4 mm, 0, -4 mm], max: [4 mm, 8 mm, 4 mm], cell: 0.5 mm, "                     \
    "walls: {floor: glass, others: open}}\n"                                                       \
    "output: {wetmap: true}\n"                                                                     \
    "materials: {glass: {advancing: 80 deg, receding: 40 deg, wet_advancing: 60 deg}}\n"           \
    "solids:\n"                                                                                    \
    "- {shape: box, name: plate, center: [1 mm, 3 mm, 0], size: [4 mm, 1 mm, 4 mm], "              \
    "material: glass, movable: true}\n"                                                            \
    "- {shape: cylinder, from: [-3 mm, 1 mm, -1 mm], to: [-3 mm, 1 mm, 1 mm], radius: 0.5 mm, "    \
    "material: glass, movable: true, angular_velocity: [0, 0, 2]}\n"                               \
    "drops: [{shape: cap, point: [1 mm, 3.5 mm, 0], volume: 2 mm^3, angle: 60 deg}]\n"

#define PLATE_ID    0
#define CYLINDER_ID 1
#define FLOOR_ID    2
#define MOVE_S      0.01

static dew_Pose pose_of(dew_Vec3 translate_m, double angle_rad)
{
    return (dew_Pose){translate_m, {0, 0, sin(angle_rad / 2), cos(angle_rad / 2)}};
}

static double angle_about_z(const dew_Pose *pose)
{
    return 2 * atan2(pose->rotation[2], pose->rotation[3]);
}

static dew_Pose present(const Made *made, int solid_id)
{
    dew_Pose pose;
    assert_ok(dew_world_solid_pose(made->world, solid_id, &pose));
    return pose;
}

static void ids_and_names(void **state)
{
    (void)state;
    Made made = make(PLATE, 1, NULL);
    assert_int_equal(dew_world_solid_count(made.world), 3);
    assert_int_equal(dew_world_find_solid(made.world, "plate"), PLATE_ID);
    assert_int_equal(dew_world_find_solid(made.world, "floor"), FLOOR_ID);
    assert_int_equal(dew_world_find_solid(made.world, "lid"), DEW_INVALID);
    assert_string_equal(dew_world_solid_name(made.world, CYLINDER_ID), "cylinder1");
    dew_Vec3 center = dew_world_solid_reference_m(made.world, PLATE_ID);
    assert_true(center.x == 1e-3 && center.y == 3e-3 && center.z == 0);
    dew_Pose pose = present(&made, PLATE_ID);
    assert_true(pose.translate_m.x == 0 && pose.rotation[3] == 1 && pose.rotation[0] == 0);
    destroy(&made);
}

static void host_drives_translation_and_rotation(void **state)
{
    (void)state;
    Made made = make(PLATE, 1, NULL);
    dew_Pose target = pose_of((dew_Vec3){1e-3, 0.5e-3, 0}, DEW_PI / 2);
    assert_ok(dew_world_move_solid(made.world, PLATE_ID, &target, MOVE_S));
    dew_SolidPose rate = dew_world_pose(made.world, PLATE_ID, 0, 0, MOVE_S / 3);
    assert_within(rate.velocity_m_s.x, 1e-3 / MOVE_S, 1e-12);
    assert_within(rate.angular_velocity_rad_s.z, DEW_PI / 2 / MOVE_S, 1e-9);
    assert_ok(dew_world_step_to(made.world, MOVE_S / 2));
    dew_Pose half = present(&made, PLATE_ID);
    assert_within(half.translate_m.x, 0.5e-3, 1e-15);
    assert_within(angle_about_z(&half), DEW_PI / 4, 1e-12);
    assert_ok(dew_world_step_to(made.world, MOVE_S));
    assert_ok(dew_world_step_to(made.world, 1.2 * MOVE_S));
    dew_Pose end = present(&made, PLATE_ID);
    assert_within(end.translate_m.y, 0.5e-3, 1e-15);
    assert_within(angle_about_z(&end), DEW_PI / 2, 1e-12);
    dew_SolidPose still = dew_world_pose(made.world, PLATE_ID, 2 * MOVE_S, MOVE_S, 2 * MOVE_S);
    assert_true(dew_length(still.velocity_m_s) == 0);
    assert_true(dew_length(still.angular_velocity_rad_s) == 0);
    // The right end of the plate, 2 mm from its centre, now points upwards.
    dew_Vec3 tip = dew_world_solid_point_m(made.world, PLATE_ID, (dew_Vec3){3e-3, 3e-3, 0});
    assert_within(tip.x, 2e-3, 1e-15);
    assert_within(tip.y, 5.5e-3, 1e-15);
    destroy(&made);
}

static void motion_of_the_scene_stays_beneath(void **state)
{
    (void)state;
    Made made = make(PLATE, 1, NULL);
    dew_Pose target = pose_of((dew_Vec3){0, 1e-3, 0}, 0.5);
    assert_ok(dew_world_move_solid(made.world, CYLINDER_ID, &target, MOVE_S));
    assert_ok(dew_world_step_to(made.world, MOVE_S));
    dew_Pose end = present(&made, CYLINDER_ID);
    assert_within(angle_about_z(&end), 0.5, 1e-12);
    assert_ok(dew_world_step_to(made.world, 2 * MOVE_S));  // 2 rad/s of its own
    end = present(&made, CYLINDER_ID);
    assert_within(angle_about_z(&end), 0.5 + 2 * MOVE_S, 1e-12);
    assert_within(end.translate_m.y, 1e-3, 1e-15);
    // A drag keeps the rotation.
    assert_ok(dew_world_drag_solid(made.world, "cylinder1", (dew_Vec3){0, 0, 0}, MOVE_S));
    dew_SolidPose rate =
        dew_world_pose(made.world, CYLINDER_ID, 2 * MOVE_S, 2 * MOVE_S, 2.5 * MOVE_S);
    assert_within(rate.angular_velocity_rad_s.z, 2, 1e-9);
    assert_within(rate.velocity_m_s.y, -1e-3 / MOVE_S, 1e-12);
    destroy(&made);
}

static void a_later_move_replaces_the_rest(void **state)
{
    (void)state;
    Made made = make(PLATE, 1, NULL);
    dew_Pose target = pose_of((dew_Vec3){1e-3, 0, 0}, 1), back = pose_of((dew_Vec3){0, 0, 0}, 0);
    assert_ok(dew_world_move_solid(made.world, PLATE_ID, &target, MOVE_S));
    assert_ok(dew_world_step_to(made.world, MOVE_S / 2));
    dew_Pose before = present(&made, PLATE_ID);
    assert_ok(dew_world_move_solid(made.world, PLATE_ID, &back, MOVE_S / 2));
    dew_Pose after = present(&made, PLATE_ID);
    assert_within(angle_about_z(&after), angle_about_z(&before), 1e-15);
    assert_within(after.translate_m.x, before.translate_m.x, 1e-18);
    assert_ok(dew_world_step_to(made.world, MOVE_S));
    after = present(&made, PLATE_ID);
    assert_within(angle_about_z(&after), 0, 1e-15);
    destroy(&made);
}

static void saved_hashed_and_deterministic(void **state)
{
    (void)state;
    dew_Pose target = pose_of((dew_Vec3){0, 0, 0}, 0.4);
    uint64_t hash[2], fresh[2];
    for (int k = 0; k < 2; k++) {
        Made first = make(PLATE, 1 + k, NULL), second = make(PLATE, 1, NULL);
        fresh[0] = dew_world_hash(first.world);
        assert_ok(dew_world_move_solid(first.world, PLATE_ID, &target, MOVE_S));
        fresh[1] = dew_world_hash(first.world);
        assert_true(fresh[0] != fresh[1]);
        assert_ok(dew_world_step_to(first.world, MOVE_S / 2));
        uint8_t *bytes;
        size_t size;
        assert_ok(dew_world_save(first.world, &bytes, &size));
        assert_ok(dew_world_restore(second.world, bytes, size));
        dew_world_saved_free(first.world, bytes, size);
        assert_true(dew_world_hash(second.world) == dew_world_hash(first.world));
        assert_ok(dew_world_step_to(first.world, MOVE_S));
        assert_ok(dew_world_step_to(second.world, MOVE_S));
        hash[k] = dew_world_hash(first.world);
        assert_true(dew_world_hash(second.world) == hash[k]);
        dew_Pose pose = present(&second, PLATE_ID);
        assert_within(angle_about_z(&pose), 0.4, 1e-12);
        destroy(&first);
        destroy(&second);
    }
    assert_true(hash[0] == hash[1]);
}

static void wrong_moves_are_refused(void **state)
{
    (void)state;
    Made made = make(PLATE, 1, NULL);
    dew_Pose pose = pose_of((dew_Vec3){0, 0, 0}, 0), twice = pose, out;
    twice.rotation[3] = 2;
    assert_int_equal(dew_world_move_solid(made.world, PLATE_ID, &twice, 1).code, DEW_BAD_INPUT);
    assert_int_equal(dew_world_move_solid(made.world, PLATE_ID, &pose, 0).code, DEW_BAD_INPUT);
    assert_int_equal(dew_world_move_solid(made.world, FLOOR_ID, &pose, 1).code, DEW_BAD_INPUT);
    assert_int_equal(dew_world_move_solid(made.world, 3, &pose, 1).code, DEW_BAD_INPUT);
    assert_int_equal(dew_world_solid_pose(made.world, -1, &out).code, DEW_BAD_INPUT);
    destroy(&made);
}

static void meshes_and_wetness(void **state)
{
    (void)state;
    Made made = make(PLATE, 1, NULL);
    dew_MeshData mesh, fine;
    assert_ok(dew_world_solid_mesh(made.world, PLATE_ID, 0, &mesh));
    assert_int_equal(mesh.triangle_count, 12);
    double volume_m3 = 0;
    for (int64_t i = 0; i < mesh.triangle_count; i++) {
        dew_Vec3 a = mesh.positions_m[mesh.triangles[3 * i]];
        dew_Vec3 b = mesh.positions_m[mesh.triangles[3 * i + 1]];
        dew_Vec3 c = mesh.positions_m[mesh.triangles[3 * i + 2]];
        volume_m3 += dew_inner(a, dew_cross(b, c)) / 6;
    }
    assert_within(volume_m3, 16e-9, 1e-18);
    double edge_m = dew_world_solid_edge_m(made.world, PLATE_ID);
    assert_true(edge_m == 0.5e-3);
    assert_ok(dew_world_solid_mesh(made.world, PLATE_ID, edge_m, &fine));
    assert_true(fine.triangle_count > 12);
    assert_ok(dew_world_substep(made.world, 1e-4));
    float *wetness = calloc((size_t)fine.vertex_count, sizeof *wetness);
    assert_ok(dew_world_solid_wetness(made.world, PLATE_ID, fine.positions_m, fine.vertex_count,
                                      wetness));
    int wet = 0;
    for (int64_t i = 0; i < fine.vertex_count; i++)
        if (wetness[i] > 0.5F) {
            dew_Vec3 p = fine.positions_m[i];  // under the drop, whose base has a radius of 1.3 mm
            assert_true(hypot(p.x - 1e-3, p.z) < 2.2e-3 && p.y > 3.4e-3);
            wet++;
        }
    assert_true(wet > 4);
    free(wetness);
    assert_int_equal(dew_world_solid_mesh(made.world, PLATE_ID, -1, &mesh).code, DEW_BAD_INPUT);
    destroy(&made);
}

static void lack_of_memory_for_a_mesh(void **state)
{
    (void)state;
    dew_Torture torture = dew_torture(-1);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    Made made = make(PLATE, 1, &allocator);
    dew_MeshData mesh;
    torture.fail_at = torture.calls;
    assert_int_equal(dew_world_solid_mesh(made.world, PLATE_ID, 0, &mesh).code, DEW_NO_MEMORY);
    torture.fail_at = -1;
    assert_ok(dew_world_solid_mesh(made.world, PLATE_ID, 0, &mesh));
    assert_int_equal(mesh.triangle_count, 12);
    destroy(&made);
    assert_int_equal(torture.blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_and_names),
        cmocka_unit_test(host_drives_translation_and_rotation),
        cmocka_unit_test(motion_of_the_scene_stays_beneath),
        cmocka_unit_test(a_later_move_replaces_the_rest),
        cmocka_unit_test(saved_hashed_and_deterministic),
        cmocka_unit_test(wrong_moves_are_refused),
        cmocka_unit_test(meshes_and_wetness),
        cmocka_unit_test(lack_of_memory_for_a_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
