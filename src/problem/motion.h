/// Motion of one solid: where it is and how fast, at any time.
///
/// Keyframes displace and turn the solid about its reference point; a steady velocity and a steady
/// angular velocity come on top. Before the first keyframe and after the last the solid rests
/// there.
#pragma once

#include "problem/problem.h"

typedef struct dew_SolidMotion {
    const dew_KeyframeDef *keyframes;  // by ascending time; not owned
    int keyframe_count;
    dew_Vec3 velocity_m_s;
    dew_Vec3 angular_velocity_rad_s;
} dew_SolidMotion;

bool dew_motion_is_moving(const dew_SolidMotion *motion);

/// The pose at a time; its velocities are the exact derivatives (from the right at a keyframe).
dew_SolidPose dew_motion_pose(const dew_SolidMotion *motion, double time_s);
/// The same with the velocities of the motion between those keyframes that `within_s` lies between:
/// a step that ends at a keyframe has the velocity that led there.
dew_SolidPose dew_motion_pose_within(const dew_SolidMotion *motion, double time_s, double within_s);

dew_SolidPose dew_pose_at_rest(void);

/// The shorter arc from one rotation to another, at constant angular speed (slerp [Shoemake1985]).
typedef struct dew_Arc {
    dew_Rotation from;
    dew_Vec3 axis;  // unit; zero where the rotations agree
    double angle_rad;
} dew_Arc;
dew_Arc dew_shorter_arc(dew_Rotation from, dew_Rotation to);
/// Rotation at the fraction s of the arc, 0 <= s <= 1.
dew_Rotation dew_arc_rotation(const dew_Arc *arc, double s);

/// From the rest frame to the world and back; `reference_m` is the solid's reference point at rest.
static inline dew_Vec3 dew_pose_apply(const dew_SolidPose *pose, dew_Vec3 reference_m,
                                      dew_Vec3 rest_m)
{
    dew_Vec3 arm = dew_rotate(pose->rotation, dew_sub(rest_m, reference_m));
    return dew_add(dew_add(reference_m, pose->translate_m), arm);
}
static inline dew_Vec3 dew_pose_unapply(const dew_SolidPose *pose, dew_Vec3 reference_m,
                                        dew_Vec3 point_m)
{
    dew_Vec3 arm = dew_sub(point_m, dew_add(reference_m, pose->translate_m));
    return dew_add(reference_m, dew_rotate(dew_rotation_inverse(pose->rotation), arm));
}
/// Velocity of the solid at a point of the world.
static inline dew_Vec3 dew_pose_velocity(const dew_SolidPose *pose, dew_Vec3 reference_m,
                                         dew_Vec3 point_m)
{
    dew_Vec3 arm = dew_sub(point_m, dew_add(reference_m, pose->translate_m));
    return dew_add(pose->velocity_m_s, dew_cross(pose->angular_velocity_rad_s, arm));
}
