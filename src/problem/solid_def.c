// Solids from their definitions.
//
// Each shape is put into the frame that geom/distance.h wants: planes face +y, cylinders and tubes
// stand along y, everything is about its own centre, which is also the point that `rotate`,
// keyframes and angular velocity turn about.
#include "problem/solid_def.h"

#include "base/status.h"
#include "problem/place.h"
#include "problem/scene_bounds.h"
#include "scene/schema.h"
#include "wetting/contact_angle.h"

#include <string.h>

// ---- frames ------------------------------------------------------------------------------------

// Takes the axes x, y, z to the columns of a right-handed frame: the quaternion of a rotation
// matrix, by the largest of its four components.
static dew_Rotation rotation_to_axes(dew_Vec3 x, dew_Vec3 y, dew_Vec3 z)
{
    dew_Rotation q[4] = {
        {1 + x.x + y.y + z.z, {y.z - z.y, z.x - x.z, x.y - y.x}},
        {y.z - z.y, {1 + x.x - y.y - z.z, x.y + y.x, z.x + x.z}},
        {z.x - x.z, {x.y + y.x, 1 - x.x + y.y - z.z, y.z + z.y}},
        {x.y - y.x, {z.x + x.z, y.z + z.y, 1 - x.x - y.y + z.z}},
    };
    double trace[4] = {q[0].w, q[1].v.x, q[2].v.y, q[3].v.z};
    int best = 0;
    for (int i = 1; i < 4; i++)
        best = trace[i] > trace[best] ? i : best;
    double length = sqrt(q[best].w * q[best].w + dew_length2(q[best].v));
    return (dew_Rotation){q[best].w / length, dew_scale(1 / length, q[best].v)};
}

// A frame whose y axis is n. Its z axis runs down on walls (steeper than 45 degrees) and along the
// world's z on floors, so that an image laid over the plane in x and z stands upright.
static dew_Rotation rotation_up_to(dew_Vec3 n)
{
    dew_Vec3 along = fabs(n.y) < sqrt(0.5) ? dew_vec(0, -1, 0) : dew_vec(0, 0, 1);
    dew_Vec3 z = dew_normalize(dew_add_scaled(along, -dew_inner(along, n), n));
    return rotation_to_axes(dew_cross(n, z), n, z);
}

// ---- shapes ------------------------------------------------------------------------------------

typedef struct Making {
    const dew_Scene *scene;
    dew_Assets *assets;
    const dew_SolidDef *def;
    int index;
    dew_Solid *solid;
} Making;

static dew_Status wrong(const Making *m, const char *key, const char *words)
{
    return dew_scene_fail(m->scene, dew_key_path("solids", m->index, key).text, "%s", words);
}

static bool is_size(double x)
{
    return x > 0 && isfinite(x);
}

static dew_Box box_about_origin(dew_Vec3 half)
{
    return (dew_Box){dew_scale(-1, half), half};
}

static const dew_Box everywhere = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
                                   {HUGE_VAL, HUGE_VAL, HUGE_VAL}};

// What of a plane an affinity map covers: its part in the domain.
static dew_Box plane_map_box(const dew_Solid *plane, const dew_Scene *scene)
{
    dew_Vec3 corners[DEW_PLANE_CORNERS];
    int count = dew_solid_plane_cut(plane, dew_scene_bounds(scene), corners);
    dew_Box box = dew_box_empty();
    for (int i = 0; i < count; i++) {
        dew_Vec3 p = dew_solid_to_own(plane, NULL, corners[i]);
        box = dew_box_add(box, dew_vec(p.x, 0, p.z));
    }
    return count > 0 ? box : (dew_Box){{0, 0, 0}, {0, 0, 0}};
}

static dew_Status make_plane(const Making *m)
{
    if (!(dew_length(m->def->normal) > 0) || !dew_vec_is_finite(m->def->normal))
        return wrong(m, "normal", "a plane's normal must have a direction");
    m->solid->origin_m = m->def->point_m;
    m->solid->turn = rotation_up_to(dew_normalize(m->def->normal));
    m->solid->own_box_m = everywhere;
    return dew_ok();
}

static dew_Status make_sphere(const Making *m)
{
    double r = m->def->radius_m;
    if (!is_size(r))
        return wrong(m, "radius", "a sphere's radius must be above zero");
    m->solid->origin_m = m->def->center_m;
    m->solid->radius_m = r;
    m->solid->own_box_m = box_about_origin(dew_vec(r, r, r));
    return dew_ok();
}

static dew_Status make_box(const Making *m)
{
    dew_Vec3 s = m->def->size_m;
    if (!is_size(s.x) || !is_size(s.y) || !is_size(s.z))
        return wrong(m, "size", "a box's sizes must be above zero");
    m->solid->origin_m = m->def->center_m;
    m->solid->half_m = dew_scale(0.5, s);
    m->solid->own_box_m = box_about_origin(m->solid->half_m);
    return dew_ok();
}

// Cylinder and tube: the axis is the frame's y.
static dew_Status make_long(const Making *m, double radius_m, double inner_radius_m)
{
    dew_Vec3 axis = dew_sub(m->def->to_m, m->def->from_m);
    if (!is_size(dew_length(axis)))
        return wrong(m, "to", "the two ends of the axis must be apart");
    if (!is_size(radius_m))
        return wrong(m, m->def->shape == DEW_SOLID_TUBE ? "outer_radius" : "radius",
                     "the radius must be above zero");
    dew_Solid *solid = m->solid;
    solid->origin_m = dew_combine(0.5, m->def->from_m, 0.5, m->def->to_m);
    solid->turn = rotation_up_to(dew_normalize(axis));
    solid->radius_m = radius_m;
    solid->inner_radius_m = inner_radius_m;
    solid->half_length_m = dew_length(axis) / 2;
    solid->own_box_m = box_about_origin(dew_vec(radius_m, solid->half_length_m, radius_m));
    return dew_ok();
}

static dew_Status make_tube(const Making *m)
{
    if (!is_size(m->def->inner_radius_m) || !(m->def->inner_radius_m < m->def->outer_radius_m))
        return wrong(m, "inner_radius", "inner_radius must be above zero and below outer_radius");
    return make_long(m, m->def->outer_radius_m, m->def->inner_radius_m);
}

// The plate is thick enough for a grid to see it, and for the eye not to.
static dew_Status make_leaf(const Making *m)
{
    const dew_SolidDef *def = m->def;
    double length = def->size_m.x, width = def->size_m.y;
    if (!is_size(length) || !is_size(width))
        return wrong(m, "size", "a leaf's length and width must be above zero");
    double thickness = fmax(2 * dew_scene_def(m->scene)->domain.cell_m, fmin(length, width) / 50);
    // Both mitres must be shorter than the plates: sharp folds of narrow leaves are no leaves.
    if (!(def->fold_rad > 0 && def->fold_rad < 2 * DEW_PI) ||
        !(thickness * fabs(1 / tan(def->fold_rad / 2)) < width / 2))
        return wrong(m, "fold",
                     "the fold is too sharp for the leaf's width and thickness (which is two "
                     "cells, or a fiftieth of its size if that is more)");
    m->solid->origin_m = def->center_m;
    m->solid->turn = dew_rotation_about(dew_vec(0, 0, 1), def->tilt_rad);
    m->solid->leaf = dew_leaf(length, width, def->fold_rad, thickness);
    m->solid->own_box_m = dew_leaf_box(&m->solid->leaf);
    return dew_ok();
}

static dew_Status make_mesh(const Making *m)
{
    dew_KeyPath key = dew_key_path("solids", m->index, "file");
    if (!m->def->file)
        return wrong(m, NULL, "a mesh needs a file");
    if (!is_size(fabs(m->def->scale)))
        return wrong(m, "scale", "a mesh's scale must not be zero");
    int32_t index;
    DEW_TRY(dew_assets_mesh(m->assets, key.text, m->def->file, m->def->scale, m->def->up, &index));
    const dew_MeshAsset *asset = dew_assets_mesh_at(m->assets, index);
    m->solid->origin_m = dew_add(asset->middle_m, m->def->translate_m);
    m->solid->mesh = &asset->mesh;
    m->solid->mesh_distance = asset->distance;
    m->solid->own_box_m = asset->measure.box_m;
    return dew_ok();
}

static dew_Status make_heightfield(const Making *m)
{
    dew_KeyPath key = dew_key_path("solids", m->index, "file");
    if (!m->def->file)
        return wrong(m, NULL, "a heightfield needs a file");
    for (int i = 0; i < 2; i++) {
        if (!is_size(m->def->max_xz_m[i] - m->def->min_xz_m[i]))
            return wrong(m, "max", "a heightfield's max must be above its min in x and z");
    }
    DEW_TRY(dew_assets_ground(m->assets, key.text, m->def, &m->solid->heightfield,
                              &m->solid->origin_m));
    m->solid->map_box_m = dew_heightfield_box(m->solid->heightfield);
    m->solid->own_box_m = everywhere;
    return dew_ok();
}

static dew_Status make_shape(const Making *m)
{
    switch (m->def->shape) {
    case DEW_SOLID_PLANE:
        return make_plane(m);
    case DEW_SOLID_SPHERE:
        return make_sphere(m);
    case DEW_SOLID_BOX:
        return make_box(m);
    case DEW_SOLID_CYLINDER:
        return make_long(m, m->def->radius_m, 0);
    case DEW_SOLID_TUBE:
        return make_tube(m);
    case DEW_SOLID_LEAF:
        return make_leaf(m);
    case DEW_SOLID_MESH:
        return make_mesh(m);
    case DEW_SOLID_HEIGHTFIELD:
        return make_heightfield(m);
    case DEW_SOLID_SHAPE_COUNT:
        break;
    }
    return wrong(m, "shape", "unknown shape");
}

// ---- materials and motion ----------------------------------------------------------------------

static dew_Status find_material(const dew_Scene *scene, const char *path, const char *name,
                                dew_MaterialDef *out)
{
    int index = name ? dew_scene_find_material(scene, name) : DEW_INVALID;
    *out =
        index == DEW_INVALID ? dew_default_material_def() : *dew_scene_material(scene, index, NULL);
    if (index == DEW_INVALID && name && strcmp(name, DEW_DEFAULT_MATERIAL) != 0)
        return dew_scene_fail(scene, path, "there is no material %s", name);
    if (!dew_contact_is_valid(out))
        return dew_scene_fail(scene, path,
                              "the angles of material %s must obey 0 <= receding <= wet_advancing "
                              "<= advancing <= 180 deg",
                              name ? name : DEW_DEFAULT_MATERIAL);
    return dew_ok();
}

static dew_Status make_materials(const Making *m)
{
    const dew_SolidDef *def = m->def;
    DEW_TRY(find_material(m->scene, dew_key_path("solids", m->index, "material").text,
                          def->material, &m->solid->material));
    if (!def->affinity_map)
        return dew_ok();
    if (!def->affinity_material)
        return wrong(m, "affinity_map",
                     "an affinity_map needs affinity_material, the material where the map is 1");
    DEW_TRY(find_material(m->scene, dew_key_path("solids", m->index, "affinity_material").text,
                          def->affinity_material, &m->solid->affinity_material));
    return dew_assets_map(m->assets, dew_key_path("solids", m->index, "affinity_map").text,
                          def->affinity_map, &m->solid->affinity);
}

static dew_Status make_motion(const Making *m)
{
    const dew_SolidDef *def = m->def;
    for (int i = 0; i < def->keyframe_count; i++) {
        if (!isfinite(def->keyframes[i].time_s) ||
            (i > 0 && def->keyframes[i].time_s < def->keyframes[i - 1].time_s))
            return wrong(m, "keyframes", "keyframes must be in the order of their times");
    }
    m->solid->motion = (dew_SolidMotion){def->keyframes, def->keyframe_count, def->velocity_m_s,
                                         def->angular_velocity_rad_s};
    return dew_ok();
}

dew_Status dew_solid_resolve(dew_Assets *assets, int index, dew_Solid *out)
{
    const dew_SolidDef *def = dew_scene_solid(assets->scene, index);
    *out = (dew_Solid){
        .shape = def->shape,
        .scene_index = index,
        .turn = dew_rotation_identity(),
        .is_inside_out = def->is_inside_out,
        .is_movable = def->is_movable,
        .map_box_m = dew_box_empty(),
    };
    Making m = {assets->scene, assets, def, index, out};
    DEW_TRY(make_shape(&m));
    DEW_TRY(make_materials(&m));
    DEW_TRY(make_motion(&m));
    dew_Rotation rotate = dew_rotation_about(def->rotate.axis, def->rotate.angle_rad);
    out->turn = dew_rotation_times(rotate, out->turn);
    if (out->shape == DEW_SOLID_PLANE)
        out->map_box_m = plane_map_box(out, assets->scene);
    else if (out->shape != DEW_SOLID_HEIGHTFIELD)
        out->map_box_m = out->own_box_m;
    dew_solid_set_boxes(out);
    return dew_ok();
}

dew_Status dew_solid_wall(const dew_Scene *scene, dew_Side side, dew_Solid *out)
{
    static const dew_Vec3 inward[DEW_SIDE_COUNT] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                                    {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    const dew_DomainDef *domain = &dew_scene_def(scene)->domain;
    dew_Vec3 n = inward[side];
    dew_Vec3 origin = dew_combine(0.5, domain->min_m, 0.5, domain->max_m);
    // On the side itself, without rounding.
    origin.x = n.x > 0 ? domain->min_m.x : n.x < 0 ? domain->max_m.x : origin.x;
    origin.y = n.y > 0 ? domain->min_m.y : n.y < 0 ? domain->max_m.y : origin.y;
    origin.z = n.z > 0 ? domain->min_m.z : n.z < 0 ? domain->max_m.z : origin.z;
    *out = (dew_Solid){
        .shape = DEW_SOLID_PLANE,
        .scene_index = DEW_INVALID,
        .origin_m = origin,
        .turn = rotation_up_to(n),
        .own_box_m = everywhere,
    };
    out->map_box_m = plane_map_box(out, scene);
    dew_solid_set_boxes(out);
    return find_material(scene, "domain.walls", domain->wall_material[side], &out->material);
}
