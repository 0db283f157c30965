// Pieces of liquid: volume, centre and box from a definition; signed distance; closed mesh.
//
// Volumes, centres and boxes are those of the exact shape. A box is found by how far the shape
// reaches along each axis e: for a disk of radius a across n that is a sqrt(1 - (e n)^2).
#include "problem/blob.h"

#include "base/status.h"
#include "dew/wetting.h"
#include "geom/rounding.h"
#include "geom/shapes.h"
#include "problem/depth.h"
#include "problem/refine.h"
#include "problem/resolved.h"

#include <string.h>

static bool is_size(double x)
{
    return x > 0 && isfinite(x);
}

static dew_Rotation rotation_y_to(dew_Vec3 n)
{
    dew_Vec3 y = {0, 1, 0}, axis = dew_cross(y, n);
    if (!(dew_length(axis) > 0))  // along y or against it
        return n.y > 0 ? dew_rotation_identity() : dew_rotation_about(dew_vec(1, 0, 0), DEW_PI);
    return dew_rotation_about(axis, atan2(dew_length(axis), n.y));
}

// ---- shapes from definitions -------------------------------------------------------------------

static const dew_Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static dew_Vec3 reach_of_disk(double radius, dew_Vec3 n)
{
    return dew_vec(radius * sqrt(fmax(0, 1 - n.x * n.x)), radius * sqrt(fmax(0, 1 - n.y * n.y)),
                   radius * sqrt(fmax(0, 1 - n.z * n.z)));
}

static dew_Box box_about(dew_Vec3 middle, dew_Vec3 half)
{
    return (dew_Box){dew_sub(middle, half), dew_add(middle, half)};
}

static dew_Status make_round(const dew_DropDef *def, dew_Vec3 radii, dew_Blob *out)
{
    if (!is_size(radii.x) || !is_size(radii.y) || !is_size(radii.z))
        return dew_fail(DEW_BAD_INPUT, "a drop's radius must be above zero");
    out->volume_m3 = 4 * DEW_PI / 3 * radii.x * radii.y * radii.z;
    out->center_m = out->origin_m = def->center_m;
    out->box_m = box_about(def->center_m, radii);
    return dew_ok();
}

static dew_Status make_box(const dew_DropDef *def, dew_Blob *out)
{
    dew_Vec3 size = dew_sub(def->max_m, def->min_m);
    if (!is_size(size.x) || !is_size(size.y) || !is_size(size.z))
        return dew_fail(DEW_BAD_INPUT, "a box's max must be above its min in x, y and z");
    out->volume_m3 = size.x * size.y * size.z;
    out->center_m = out->origin_m = dew_combine(0.5, def->min_m, 0.5, def->max_m);
    out->box_m = (dew_Box){def->min_m, def->max_m};
    return dew_ok();
}

static dew_Status make_cylinder(const dew_DropDef *def, dew_Blob *out)
{
    dew_Vec3 axis = dew_sub(def->to_m, def->from_m), n = dew_normalize(axis);
    double length = dew_length(axis), r = def->radius_m;
    if (!is_size(length))
        return dew_fail(DEW_BAD_INPUT, "the two ends of a cylinder must be apart");
    if (!is_size(r))
        return dew_fail(DEW_BAD_INPUT, "a cylinder's radius must be above zero");
    out->volume_m3 = DEW_PI * r * r * length;
    out->center_m = out->origin_m = dew_combine(0.5, def->from_m, 0.5, def->to_m);
    out->turn = rotation_y_to(n);
    dew_Vec3 reach = reach_of_disk(r, n);
    out->box_m = dew_box_union(box_about(def->from_m, reach), box_about(def->to_m, reach));
    return dew_ok();
}

// How far the cap reaches along e: to the ball where the ball's farthest point is above the base,
// else to the rim.
static double reach_of_cap(const dew_DropCap *cap, dew_Vec3 n, dew_Vec3 e)
{
    double c = dew_inner(e, n);
    if (cap->center_height_m + cap->radius_m * c >= 0)
        return cap->center_height_m * c + cap->radius_m;
    return cap->base_radius_m * sqrt(fmax(0, 1 - c * c));
}

static dew_Status make_cap(const dew_DropDef *def, dew_Blob *out)
{
    dew_Vec3 n = dew_normalize(def->normal);
    if (!(dew_length(n) > 0) || !dew_vec_is_finite(n))
        return dew_fail(DEW_BAD_INPUT, "a cap's normal must have a direction");
    if (!is_size(def->volume_m3))
        return dew_fail(DEW_BAD_INPUT, "a cap's volume must be above zero");
    if (!(def->angle_rad > 0 && def->angle_rad <= DEW_PI * (1 + DEW_ROUNDING)))
        return dew_fail(DEW_BAD_INPUT, "a cap's angle must be above 0 and at most 180 deg");
    double angle = fmax(DEW_CAP_MIN_RAD, fmin(def->angle_rad, DEW_CAP_MAX_RAD));
    dew_DropCap cap = dew_drop_cap_from_volume_angle(def->volume_m3, angle);
    double R = cap.radius_m, h = cap.height_m;
    double center = cap.center_height_m + 3 * (2 * R - h) * (2 * R - h) / (4 * (3 * R - h));
    out->shape.angle_rad = angle;
    out->volume_m3 = def->volume_m3;
    out->origin_m = def->point_m;
    out->turn = rotation_y_to(n);
    out->center_m = dew_add_scaled(def->point_m, center, n);
    out->cap_radius_m = R;
    out->cap_center_m = cap.center_height_m;
    double reach[2][3];
    for (int k = 0; k < 3; k++) {
        reach[0][k] = reach_of_cap(&cap, n, dew_scale(-1, axes[k]));
        reach[1][k] = reach_of_cap(&cap, n, axes[k]);
    }
    out->box_m.min = dew_sub(def->point_m, dew_vec(reach[0][0], reach[0][1], reach[0][2]));
    out->box_m.max = dew_add(def->point_m, dew_vec(reach[1][0], reach[1][1], reach[1][2]));
    return dew_ok();
}

static dew_Blob blank(const dew_DropDef *def, int64_t id)
{
    return (dew_Blob){
        .id = id,
        .shape = *def,
        .velocity_m_s = def->velocity_m_s,
        .shape_id = DEW_INVALID,
        .turn = dew_rotation_identity(),
    };
}

dew_Status dew_blob_from_def(const dew_DropDef *def, int64_t id, dew_Blob *out)
{
    *out = blank(def, id);
    switch (def->shape) {
    case DEW_DROP_SPHERE:
        return make_round(def, dew_vec(def->radius_m, def->radius_m, def->radius_m), out);
    case DEW_DROP_ELLIPSOID:
        return make_round(def, def->radii_m, out);
    case DEW_DROP_BOX:
        return make_box(def, out);
    case DEW_DROP_CYLINDER:
        return make_cylinder(def, out);
    case DEW_DROP_CAP:
        return make_cap(def, out);
    default:
        return dew_fail(DEW_UNSUPPORTED, "a single drop must be a sphere, ellipsoid, box, "
                                         "cylinder, cap, or a mesh that the scene names too");
    }
}

dew_Status dew_blob_from_mesh(const dew_Assets *assets, const dew_DropDef *def, int32_t mesh_index,
                              int64_t id, dew_Blob *out)
{
    const dew_MeshAsset *asset = dew_assets_mesh_at(assets, mesh_index);
    *out = blank(def, id);
    out->shape_id = mesh_index;
    out->origin_m = dew_add(asset->middle_m, def->translate_m);
    out->volume_m3 = asset->measure.volume_m3;
    out->center_m = dew_add(asset->measure.centroid_m, out->origin_m);
    out->box_m = (dew_Box){dew_add(asset->measure.box_m.min, out->origin_m),
                           dew_add(asset->measure.box_m.max, out->origin_m)};
    return dew_ok();
}

void dew_blob_from_depth(const dew_Assets *assets, const dew_DropDef *def, int32_t depth_index,
                         int64_t id, dew_Blob *out)
{
    const dew_DepthAsset *asset = dew_assets_depth_at(assets, depth_index);
    *out = blank(def, id);
    out->shape_id = depth_index;
    out->volume_m3 = asset->volume_m3;
    out->center_m = asset->center_m;
    out->box_m = asset->box_m;
}

dew_Status dew_problem_make_blob(const dew_Problem *problem, const dew_DropDef *def, int64_t id,
                                 dew_Blob *out)
{
    if (def->shape != DEW_DROP_MESH)
        return dew_blob_from_def(def, id, out);
    for (int32_t i = 0; i < problem->assets.meshes.count; i++) {
        const dew_MeshAsset *asset = dew_assets_mesh_at(&problem->assets, i);
        if (def->file && asset->scale == def->scale && asset->up == def->up &&
            strcmp(asset->file, def->file) == 0)
            return dew_blob_from_mesh(&problem->assets, def, i, id, out);
    }
    return dew_fail(DEW_UNSUPPORTED, "mesh %s at scale %g is not in the scene",
                    def->file ? def->file : "without a file", def->scale);
}

// ---- questions ---------------------------------------------------------------------------------

double dew_blob_distance_near(const dew_Problem *problem, const dew_Blob *blob, dew_Vec3 point_m,
                              double reach_m)
{
    const dew_DropDef *s = &blob->shape;
    dew_Vec3 p = dew_rotate(dew_rotation_inverse(blob->turn), dew_sub(point_m, blob->origin_m));
    switch (s->shape) {
    case DEW_DROP_SPHERE:
        return dew_length(p) - s->radius_m;
    case DEW_DROP_ELLIPSOID:
        return dew_ellipsoid_distance(p, s->radii_m).distance;
    case DEW_DROP_BOX:
        return dew_box_distance(p, dew_combine(0.5, s->max_m, -0.5, s->min_m)).distance;
    case DEW_DROP_CYLINDER:
        return dew_cylinder_distance(p, s->radius_m, dew_distance(s->from_m, s->to_m) / 2).distance;
    case DEW_DROP_CAP:
        return dew_cap_distance(p, blob->cap_radius_m, blob->cap_center_m).distance;
    case DEW_DROP_MESH: {
        const dew_MeshAsset *asset = dew_assets_mesh_at(&problem->assets, blob->shape_id);
        return dew_mesh_distance_near(asset->distance, p, reach_m).closest.distance;
    }
    case DEW_DROP_DEPTH:
        return dew_depth_distance(dew_assets_depth_at(&problem->assets, blob->shape_id), p);
    default:
        DEW_ASSERT(false && "a blob is never a scatter");
        return HUGE_VAL;
    }
}

double dew_blob_distance(const dew_Problem *problem, const dew_Blob *blob, dew_Vec3 point_m)
{
    return dew_blob_distance_near(problem, blob, point_m, HUGE_VAL);
}

double dew_blob_depth_m(const dew_Problem *problem, const dew_Blob *blob, double x_m, double z_m)
{
    if (blob->shape.shape != DEW_DROP_DEPTH)
        return 0;
    return dew_depth_at(dew_assets_depth_at(&problem->assets, blob->shape_id), x_m, z_m);
}

// In the blob's own frame.
static dew_Status own_mesh(const dew_Problem *problem, const dew_Blob *blob, double edge_m,
                           dew_Mesh *out)
{
    const dew_DropDef *s = &blob->shape;
    switch (s->shape) {
    case DEW_DROP_SPHERE:
        return dew_shape_sphere(s->radius_m, edge_m, out);
    case DEW_DROP_ELLIPSOID:
        return dew_shape_ellipsoid(s->radii_m, edge_m, out);
    case DEW_DROP_BOX:
        return dew_shape_box(dew_sub(s->max_m, s->min_m), edge_m, out);
    case DEW_DROP_CYLINDER:
        return dew_shape_cylinder(s->radius_m, dew_distance(s->from_m, s->to_m), edge_m, out);
    case DEW_DROP_CAP:
        return dew_shape_cap(blob->volume_m3, s->angle_rad, edge_m, out);
    case DEW_DROP_MESH:
        DEW_TRY(dew_mesh_copy(out, &dew_assets_mesh_at(&problem->assets, blob->shape_id)->mesh));
        return edge_m > 0 ? dew_mesh_refine(out, edge_m) : dew_ok();
    case DEW_DROP_DEPTH:
        return dew_depth_mesh(dew_assets_depth_at(&problem->assets, blob->shape_id), out);
    default:
        DEW_ASSERT(false && "a blob is never a scatter");
        return dew_ok();
    }
}

dew_Status dew_blob_mesh(const dew_Problem *problem, const dew_Blob *blob, double edge_m,
                         dew_Mesh *out)
{
    DEW_TRY(own_mesh(problem, blob, edge_m, out));
    dew_mesh_transform(out, 1, blob->turn, blob->origin_m);
    return dew_ok();
}
