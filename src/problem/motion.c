// Motion of one solid from keyframes, velocity and angular velocity.
//
// With T(t), K(t) from the keyframes (linear; shorter arc at constant angular speed, slerp
// [Shoemake1985]) and spin S(t) = rotation by |w| t about w:
//     translation = T + v t,   rotation = S K,
//     velocity = T' + v,       angular velocity = w + S w_K.
// Velocities jump at keyframes; steps end there, so that each step has one velocity.
#include "problem/motion.h"

#include "base/status.h"

dew_SolidPose dew_pose_at_rest(void)
{
    return (dew_SolidPose){.rotation = dew_rotation_identity()};
}

bool dew_motion_is_moving(const dew_SolidMotion *motion)
{
    return motion->keyframe_count > 0 || dew_length2(motion->velocity_m_s) > 0 ||
           dew_length2(motion->angular_velocity_rad_s) > 0;
}

static dew_SolidPose keyframe_pose(const dew_KeyframeDef *key)
{
    dew_SolidPose pose = dew_pose_at_rest();
    pose.translate_m = key->translate_m;
    pose.rotation = dew_rotation_about(key->rotate.axis, key->rotate.angle_rad);
    return pose;
}

dew_Arc dew_shorter_arc(dew_Rotation from, dew_Rotation to)
{
    dew_Rotation turn = dew_rotation_times(to, dew_rotation_inverse(from));
    if (turn.w < 0)  // -q is the same rotation as q, by the other arc
        turn = (dew_Rotation){-turn.w, dew_scale(-1, turn.v)};
    return (dew_Arc){.from = from,
                     .axis = dew_normalize(turn.v),
                     .angle_rad = 2 * atan2(dew_length(turn.v), turn.w)};
}

dew_Rotation dew_arc_rotation(const dew_Arc *arc, double s)
{
    return dew_rotation_times(dew_rotation_about(arc->axis, s * arc->angle_rad), arc->from);
}

// Between two keyframes, a at time 0 and b at time 1 of the segment.
static dew_SolidPose between(const dew_KeyframeDef *a, const dew_KeyframeDef *b, double time_s)
{
    double span_s = b->time_s - a->time_s, s = (time_s - a->time_s) / span_s;
    dew_SolidPose pa = keyframe_pose(a), pb = keyframe_pose(b);
    dew_SolidPose pose;
    pose.translate_m = dew_combine(1 - s, pa.translate_m, s, pb.translate_m);
    pose.velocity_m_s = dew_scale(1 / span_s, dew_sub(pb.translate_m, pa.translate_m));
    dew_Arc arc = dew_shorter_arc(pa.rotation, pb.rotation);
    pose.rotation = dew_arc_rotation(&arc, s);
    pose.angular_velocity_rad_s = dew_scale(arc.angle_rad / span_s, arc.axis);
    return pose;
}

static dew_SolidPose keyframed(const dew_SolidMotion *motion, double time_s)
{
    const dew_KeyframeDef *keys = motion->keyframes;
    int n = motion->keyframe_count;
    if (n == 0)
        return dew_pose_at_rest();
    if (time_s < keys[0].time_s)
        return keyframe_pose(&keys[0]);
    // The last keyframe no later than the time: lo is one, hi is none.
    int lo = 0, hi = n;
    while (hi - lo > 1) {
        int middle = lo + (hi - lo) / 2;
        if (keys[middle].time_s <= time_s)
            lo = middle;
        else
            hi = middle;
    }
    return hi == n ? keyframe_pose(&keys[n - 1]) : between(&keys[lo], &keys[hi], time_s);
}

dew_SolidPose dew_motion_pose(const dew_SolidMotion *motion, double time_s)
{
    return dew_motion_pose_within(motion, time_s, time_s);
}

dew_SolidPose dew_motion_pose_within(const dew_SolidMotion *motion, double time_s, double within_s)
{
    dew_SolidPose pose = keyframed(motion, time_s);
    if (within_s != time_s && motion->keyframe_count > 0) {
        dew_SolidPose within = keyframed(motion, within_s);  // both velocities are constant there
        pose.velocity_m_s = within.velocity_m_s;
        pose.angular_velocity_rad_s = within.angular_velocity_rad_s;
    }
    dew_Vec3 w = motion->angular_velocity_rad_s;
    dew_Rotation spin = dew_rotation_about(w, dew_length(w) * time_s);
    pose.translate_m = dew_add_scaled(pose.translate_m, time_s, motion->velocity_m_s);
    pose.velocity_m_s = dew_add(pose.velocity_m_s, motion->velocity_m_s);
    pose.rotation = dew_rotation_times(spin, pose.rotation);
    pose.angular_velocity_rad_s = dew_add(w, dew_rotate(spin, pose.angular_velocity_rad_s));
    return pose;
}
