// Solids of a world: ids, poses, meshes, wetness, and motion that the host drives.
//
// The host's motion comes on top of the scene's (keyframes, velocities). With the scene's pose
// (T, K) and the host's displacement d(t) and rotation D(t), both at constant speed over one
// interval,
//     translation = T + d,    rotation = D K,
//     velocity = T' + d',     angular velocity = w_D + D w_K.
// Over a step d' and w_D are what carries the solid from its beginning to its end, however short
// the interval is.
#include "base/status.h"
#include "problem/motion.h"
#include "problem/resolved.h"
#include "world/world_state.h"

#include <float.h>
#include <math.h>

#define WETMAP_MAX_TRIANGLES 300000.0  // of one solid, estimated from its box: some 20 MB per frame
#define FACET_CELLS          0.1       // distance of a chord from a round solid, in cells
// Of a quaternion's length: four products and three sums in single precision.
#define UNIT_TOLERANCE (7 * (double)FLT_EPSILON)

// ---- poses -------------------------------------------------------------------------------------

static double fraction_done(const dew_Drag *drag, double time_s)
{
    if (time_s >= drag->end_s)
        return 1;
    if (time_s <= drag->begin_s)
        return 0;
    return (time_s - drag->begin_s) / (drag->end_s - drag->begin_s);
}

static dew_Vec3 drag_offset(const dew_Drag *drag, double time_s)
{
    double s = fraction_done(drag, time_s);
    if (s == 1)
        return drag->to_m;
    return s == 0 ? drag->from_m : dew_combine(1 - s, drag->from_m, s, drag->to_m);
}

static dew_Rotation turn_rotation(const dew_Drag *drag, const dew_Turn *turn, double time_s)
{
    double s = fraction_done(drag, time_s);
    if (s == 1)
        return turn->to;
    dew_Arc arc = dew_shorter_arc(turn->from, turn->to);
    return dew_arc_rotation(&arc, s);
}

static bool is_identity(dew_Rotation q)
{
    return q.w == 1 && dew_length2(q.v) == 0;
}

bool dew_turn_is_none(const dew_Turn *turn)
{
    return is_identity(turn->from) && is_identity(turn->to);
}

bool dew_rotation_is_unit(dew_Rotation q)
{
    return fabs(q.w * q.w + dew_length2(q.v) - 1) <= UNIT_TOLERANCE;
}

static void add_turn(const dew_World *world, int solid_id, double time_s, double begin_s,
                     double end_s, dew_SolidPose *pose)
{
    const dew_Drag *drag = &world->drags[solid_id];
    const dew_Turn *turn = &world->turns[solid_id];
    if (dew_turn_is_none(turn))
        return;
    dew_Rotation now = turn_rotation(drag, turn, time_s);
    pose->rotation = dew_rotation_times(now, pose->rotation);
    pose->angular_velocity_rad_s = dew_rotate(now, pose->angular_velocity_rad_s);
    if (!(end_s > begin_s))
        return;
    dew_Arc arc =
        dew_shorter_arc(turn_rotation(drag, turn, begin_s), turn_rotation(drag, turn, end_s));
    pose->angular_velocity_rad_s =
        dew_add_scaled(pose->angular_velocity_rad_s, arc.angle_rad / (end_s - begin_s), arc.axis);
}

dew_SolidPose dew_world_pose(const dew_World *world, int solid_id, double time_s, double begin_s,
                             double end_s)
{
    // A step passes no keyframe: it has the velocities of its middle.
    double within_s = end_s > begin_s ? begin_s + 0.5 * (end_s - begin_s) : time_s;
    const dew_Drag *drag = &world->drags[solid_id];
    dew_SolidPose pose = dew_problem_pose_within(world->problem, solid_id, time_s, within_s);
    pose.translate_m = dew_add(pose.translate_m, drag_offset(drag, time_s));
    dew_Vec3 displacement = dew_sub(drag_offset(drag, end_s), drag_offset(drag, begin_s));
    if (end_s > begin_s)
        pose.velocity_m_s = dew_add_scaled(pose.velocity_m_s, 1 / (end_s - begin_s), displacement);
    add_turn(world, solid_id, time_s, begin_s, end_s, &pose);
    return pose;
}

void dew_world_poses(const dew_World *world, double time_s, double begin_s, double end_s,
                     dew_SolidPose *poses)
{
    for (int i = 0; i < world->solid_count; i++)
        poses[i] = dew_world_pose(world, i, time_s, begin_s, end_s);
}

// ---- create, destroy ---------------------------------------------------------------------------

dew_Status dew_world_make_solids(dew_World *world)
{
    int count = dew_problem_solid_count(world->problem);
    world->poses = dew_arena_array(&world->arena, dew_SolidPose, count);
    world->poses_old = dew_arena_array(&world->arena, dew_SolidPose, count);
    world->drags = dew_arena_array(&world->arena, dew_Drag, count);
    world->turns = dew_arena_array(&world->arena, dew_Turn, count);
    world->solid_meshes = dew_arena_array(&world->arena, dew_SolidMesh, count);
    if (!world->poses || !world->poses_old || !world->drags || !world->turns ||
        !world->solid_meshes)
        return dew_no_memory((size_t)count * sizeof(dew_SolidMesh));
    for (int i = 0; i < count; i++) {
        world->turns[i] = (dew_Turn){dew_rotation_identity(), dew_rotation_identity()};
        dew_mesh_init(&world->solid_meshes[i].mesh, &world->def.allocator);
    }
    world->solid_count = count;
    return dew_ok();
}

void dew_world_free_solids(dew_World *world)
{
    for (int i = 0; i < world->solid_count; i++)
        dew_mesh_deinit(&world->solid_meshes[i].mesh);
}

// ---- asking ------------------------------------------------------------------------------------

int dew_world_solid_count(const dew_World *world)
{
    return world->solid_count;
}

int dew_world_find_solid(const dew_World *world, const char *name)
{
    return dew_problem_find_solid(world->problem, name);
}

const char *dew_world_solid_name(const dew_World *world, int solid_id)
{
    DEW_ASSERT(solid_id >= 0 && solid_id < world->solid_count);
    return dew_problem_solid_name(world->problem, solid_id);
}

dew_Vec3 dew_world_solid_reference_m(const dew_World *world, int solid_id)
{
    DEW_ASSERT(solid_id >= 0 && solid_id < world->solid_count);
    return dew_problem_solid_reference_m(world->problem, solid_id);
}

static dew_Status check_id(const dew_World *world, int solid_id)
{
    if (solid_id >= 0 && solid_id < world->solid_count)
        return dew_ok();
    return dew_fail(DEW_BAD_INPUT, "there is no solid %d (the world has %d)", solid_id,
                    world->solid_count);
}

dew_Status dew_world_solid_pose(const dew_World *world, int solid_id, dew_Pose *out)
{
    DEW_TRY(check_id(world, solid_id));
    double now = world->clock.time_s;
    dew_SolidPose pose = dew_world_pose(world, solid_id, now, now, now);
    dew_Rotation q = pose.rotation;
    *out = (dew_Pose){pose.translate_m, {q.v.x, q.v.y, q.v.z, q.w}};
    return dew_ok();
}

dew_Vec3 dew_world_solid_point_m(const dew_World *world, int solid_id, dew_Vec3 rest_m)
{
    DEW_ASSERT(solid_id >= 0 && solid_id < world->solid_count);
    double now = world->clock.time_s;
    dew_SolidPose pose = dew_world_pose(world, solid_id, now, now, now);
    return dew_pose_apply(&pose, dew_problem_solid_reference_m(world->problem, solid_id), rest_m);
}

// ---- meshes and wetness ------------------------------------------------------------------------

double dew_world_solid_edge_m(const dew_World *world, int solid_id)
{
    DEW_ASSERT(solid_id >= 0 && solid_id < world->solid_count);
    const dew_Problem *problem = world->problem;
    dew_Box box = dew_problem_solid_box(problem, solid_id), domain = dew_problem_domain(problem);
    if (!dew_vec_is_finite(box.min) || !dew_vec_is_finite(box.max))
        box = domain;
    dew_Vec3 size = dew_sub(box.max, box.min);
    double area = 2 * (size.x * size.y + size.y * size.z + size.z * size.x);
    return fmax(dew_problem_def(problem)->domain.cell_m, sqrt(2 * area / WETMAP_MAX_TRIANGLES));
}

double dew_world_solid_facet_m(const dew_World *world, int solid_id)
{
    DEW_ASSERT(solid_id >= 0 && solid_id < world->solid_count);
    const dew_Solid *solid = &world->problem->solids[solid_id];
    bool is_round = solid->shape == DEW_SOLID_SPHERE || solid->shape == DEW_SOLID_CYLINDER ||
                    solid->shape == DEW_SOLID_TUBE;
    if (!is_round)
        return 0;
    // The middle of a chord e lies e^2 / (8 R) below a circle of radius R.
    double radius_m = solid->radius_m, cell_m = dew_problem_def(world->problem)->domain.cell_m;
    double chord_m = fmin(sqrt(8 * radius_m * FACET_CELLS * cell_m), radius_m);
    return fmax(chord_m, dew_world_solid_edge_m(world, solid_id));
}

dew_Status dew_world_solid_mesh(dew_World *world, int solid_id, double edge_m, dew_MeshData *out)
{
    DEW_TRY(check_id(world, solid_id));
    if (!(edge_m >= 0) || !isfinite(edge_m))
        return dew_fail(DEW_BAD_INPUT, "an edge length of %g m makes no mesh", edge_m);
    dew_SolidMesh *own = &world->solid_meshes[solid_id];
    if (!own->is_made || own->edge_m != edge_m) {
        own->is_made = false;
        DEW_TRY(dew_problem_solid_mesh(world->problem, solid_id, edge_m, &own->mesh));
        own->edge_m = edge_m;
        own->is_made = true;
    }
    _Static_assert(sizeof(dew_Triangle) == 3 * sizeof(uint32_t), "a triangle is three indices");
    *out = (dew_MeshData){.positions_m = own->mesh.positions.data,
                          .vertex_count = own->mesh.positions.count,
                          .triangles = own->mesh.triangles.data,
                          .triangle_count = own->mesh.triangles.count};
    return dew_ok();
}

dew_Status dew_world_solid_wetness(const dew_World *world, int solid_id, const dew_Vec3 *rest_m,
                                   int64_t count, float *wetness)
{
    DEW_TRY(check_id(world, solid_id));
    if (!world->ops->wetness)
        return dew_fail(DEW_UNSUPPORTED, "solver %s keeps no wetting history",
                        world->ops->traits->name);
    double now = world->clock.time_s;
    dew_world_poses(world, now, now, now, world->poses);
    dew_Instant instant = {now, world->clock.gravity_m_s2, world->clock.wind_m_s, world->poses};
    world->ops->wetness(world->problem, world->state, &instant, solid_id, rest_m, count, wetness);
    return dew_ok();
}

// ---- motion ------------------------------------------------------------------------------------

static dew_Status check_movable(const dew_World *world, int solid_id)
{
    DEW_TRY(check_id(world, solid_id));
    if (solid_id >= dew_scene_solid_count(world->scene) ||
        !dew_scene_solid(world->scene, solid_id)->is_movable)
        return dew_fail(DEW_BAD_INPUT, "solid %.64s cannot be moved (movable: true allows it)",
                        dew_world_solid_name(world, solid_id));
    return dew_ok();
}

/// From where the solid is to `target` in dt_s. `rotation` NULL: the host's rotation stays.
static dew_Status move(dew_World *world, int solid_id, dew_Vec3 translate_m,
                       const dew_Rotation *rotation, double dt_s)
{
    DEW_TRY(check_movable(world, solid_id));
    bool is_rotation = !rotation || dew_rotation_is_unit(*rotation);
    if (!(dt_s > 0) || !isfinite(dt_s) || !dew_vec_is_finite(translate_m) || !is_rotation)
        return dew_fail(DEW_BAD_INPUT, "solid %.64s cannot be moved there in %g s%s",
                        dew_world_solid_name(world, solid_id), dt_s,
                        is_rotation ? "" : " (the rotation is no unit quaternion)");
    double now = world->clock.time_s, end_s = now + dt_s;
    // Both poses without the host's part: that comes on top of the scene's motion.
    dew_SolidPose begin = dew_problem_pose_within(world->problem, solid_id, now, now);
    dew_SolidPose end = dew_problem_pose_within(world->problem, solid_id, end_s, end_s);
    dew_Vec3 present_m = dew_world_pose(world, solid_id, now, now, now).translate_m;
    dew_Drag *drag = &world->drags[solid_id];
    dew_Turn *turn = &world->turns[solid_id];
    dew_Turn next = {dew_rotation_identity(), dew_rotation_identity()};
    if (!dew_turn_is_none(turn))
        next.from = next.to = turn_rotation(drag, turn, now);
    if (rotation)
        next.to = dew_rotation_times(*rotation, dew_rotation_inverse(end.rotation));
    *turn = next;
    *drag = (dew_Drag){.from_m = dew_sub(present_m, begin.translate_m),
                       .to_m = dew_sub(translate_m, end.translate_m),
                       .begin_s = now,
                       .end_s = end_s};
    return dew_ok();
}

dew_Status dew_world_move_solid(dew_World *world, int solid_id, const dew_Pose *target, double dt_s)
{
    const double *r = target->rotation;
    dew_Rotation rotation = {r[3], {r[0], r[1], r[2]}};
    double length = sqrt(rotation.w * rotation.w + dew_length2(rotation.v));
    if (fabs(length - 1) <= UNIT_TOLERANCE)
        rotation = (dew_Rotation){rotation.w / length, dew_scale(1 / length, rotation.v)};
    return move(world, solid_id, target->translate_m, &rotation, dt_s);
}

dew_Status dew_world_drag_solid(dew_World *world, const char *name, dew_Vec3 translate_m,
                                double dt_s)
{
    int solid_id = dew_world_find_solid(world, name);
    if (solid_id == DEW_INVALID)
        return dew_fail(DEW_BAD_INPUT, "there is no solid named %.64s", name);
    return move(world, solid_id, translate_m, NULL, dt_s);
}
