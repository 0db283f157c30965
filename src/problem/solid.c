// One solid: signed distance, closest point, normal and velocity, by its shape.
//
// An inside-out solid is the complement of its shape: distance and normal change sign, the closest
// point stays.
#include "problem/solid.h"

#include "base/status.h"
#include "geom/rounding.h"
#include "problem/box_tree.h"

bool dew_solid_is_moving(const dew_Solid *solid)
{
    return solid->is_movable || dew_motion_is_moving(&solid->motion);
}

dew_Vec3 dew_solid_from_own(const dew_Solid *solid, dew_Vec3 own_m)
{
    return dew_add(solid->origin_m, dew_rotate(solid->turn, own_m));
}

void dew_solid_set_boxes(dew_Solid *solid)
{
    dew_Box own = solid->own_box_m;
    bool is_finite = dew_vec_is_finite(own.min) && dew_vec_is_finite(own.max);
    solid->is_bounded = is_finite && !solid->is_inside_out;
    solid->rest_box_m = dew_box_empty();
    if (!is_finite) {
        solid->rest_box_m =
            (dew_Box){{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
        return;
    }
    for (int i = 0; i < 8; i++) {
        dew_Vec3 corner = {i & 1 ? own.max.x : own.min.x, i & 2 ? own.max.y : own.min.y,
                           i & 4 ? own.max.z : own.min.z};
        solid->rest_box_m = dew_box_add(solid->rest_box_m, dew_solid_from_own(solid, corner));
    }
    // Rounding in turning the corners must not put the surface outside.
    double pad = DEW_ROUNDING * (dew_length(solid->origin_m) + dew_distance(own.min, own.max));
    dew_Vec3 margin = {pad, pad, pad};
    solid->rest_box_m.min = dew_sub(solid->rest_box_m.min, margin);
    solid->rest_box_m.max = dew_add(solid->rest_box_m.max, margin);
}

dew_Vec3 dew_solid_to_own(const dew_Solid *solid, const dew_SolidPose *pose, dew_Vec3 point_m)
{
    dew_Vec3 arm = dew_sub(point_m, solid->origin_m);
    if (pose)
        arm = dew_rotate(dew_rotation_inverse(pose->rotation), dew_sub(arm, pose->translate_m));
    return dew_rotate(dew_rotation_inverse(solid->turn), arm);
}

double dew_solid_bound(const dew_Solid *solid, dew_Vec3 own_m)
{
    return solid->is_bounded ? dew_box_bound(solid->own_box_m, own_m) : -HUGE_VAL;
}

// A mesh need not be searched farther than reach; but a point inside it counts however deep it
// lies, and no point lies deeper than its depth in the box.
static bool mesh_closest(const dew_Solid *solid, dew_Vec3 p, double reach_m, dew_Closest *out)
{
    double depth = -dew_box_bound(solid->own_box_m, p);
    double search = solid->is_inside_out ? HUGE_VAL : fmax(reach_m, depth);
    dew_MeshClosest found;
    if (!dew_mesh_distance_within(solid->mesh_distance, p, search, &found))
        return false;
    *out = found.closest;
    return true;
}

static bool shape_closest(const dew_Solid *solid, dew_Vec3 p, double reach_m, dew_Closest *out)
{
    switch (solid->shape) {
    case DEW_SOLID_PLANE:
        *out = dew_plane_distance(p);
        return true;
    case DEW_SOLID_SPHERE:
        *out = dew_sphere_distance(p, solid->radius_m);
        return true;
    case DEW_SOLID_BOX:
        *out = dew_box_distance(p, solid->half_m);
        return true;
    case DEW_SOLID_CYLINDER:
        *out = dew_cylinder_distance(p, solid->radius_m, solid->half_length_m);
        return true;
    case DEW_SOLID_TUBE:
        *out = dew_tube_distance(p, solid->inner_radius_m, solid->radius_m, solid->half_length_m);
        return true;
    case DEW_SOLID_LEAF:
        *out = dew_leaf_distance(&solid->leaf, p);
        return true;
    case DEW_SOLID_MESH:
        return mesh_closest(solid, p, reach_m, out);
    case DEW_SOLID_HEIGHTFIELD:
        *out = dew_heightfield_distance(solid->heightfield, p);
        return true;
    case DEW_SOLID_SHAPE_COUNT:
        break;
    }
    DEW_ASSERT(false && "a shape that is none");
    return false;
}

bool dew_solid_closest(const dew_Solid *solid, dew_Vec3 own_m, double reach_m, dew_Closest *out)
{
    if (!shape_closest(solid, own_m, reach_m, out))
        return false;
    if (solid->is_inside_out) {
        out->distance = -out->distance;
        out->normal = dew_scale(-1, out->normal);
    }
    return out->distance <= reach_m;
}

bool dew_solid_nearest(const dew_Solid *solid, const dew_SolidPose *pose, dew_Vec3 point_m,
                       double reach_m, dew_SolidPoint *out)
{
    dew_Vec3 own = dew_solid_to_own(solid, pose, point_m);
    if (dew_solid_bound(solid, own) > reach_m)
        return false;
    dew_Closest c;
    if (!dew_solid_closest(solid, own, reach_m, &c))
        return false;
    dew_Vec3 arm = dew_rotate(solid->turn, c.point);
    dew_Vec3 normal = dew_rotate(solid->turn, c.normal);
    *out = (dew_SolidPoint){.distance_m = c.distance, .solid_id = DEW_INVALID};
    if (!pose) {
        out->normal = normal;
        out->point_m = dew_add(solid->origin_m, arm);
        return true;
    }
    arm = dew_rotate(pose->rotation, arm);
    out->normal = dew_rotate(pose->rotation, normal);
    out->point_m = dew_add(dew_add(solid->origin_m, pose->translate_m), arm);
    out->velocity_m_s = dew_add(pose->velocity_m_s, dew_cross(pose->angular_velocity_rad_s, arm));
    return true;
}
