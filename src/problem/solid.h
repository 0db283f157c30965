/// One solid, resolved: its shape in its own frame, where that frame rests, how it moves.
///
/// Three frames: the shape's own (centre at the origin, axes as geom/distance.h wants them), rest
/// (the world as the scene describes it), and the world at an instant. Poses lead from rest to the
/// world. Asking is thread-safe and allocates nothing.
#pragma once

#include "geom/heightfield.h"
#include "geom/mesh_distance.h"
#include "problem/affinity.h"
#include "problem/leaf.h"
#include "problem/motion.h"

typedef struct dew_Solid {
    dew_SolidShape shape;
    int scene_index;  // of the scene's solids; DEW_INVALID: a wall of the domain
    const char *name;
    dew_Vec3 origin_m;  // the shape's centre at rest: the reference point of poses
    dew_Rotation turn;  // from the shape's frame to rest
    bool is_inside_out;
    bool is_movable;
    bool is_bounded;     // the solid, not only its surface, lies within its box
    dew_Box own_box_m;   // of the surface in the shape's frame; infinite for planes
    dew_Box map_box_m;   // the part of it that the affinity map covers
    dew_Box rest_box_m;  // of the surface at rest
    dew_SolidMotion motion;
    dew_MaterialDef material, affinity_material;
    const dew_AffinityMap *affinity;  // NULL: none
    // What the shape needs:
    double radius_m, inner_radius_m, half_length_m;
    dew_Vec3 half_m;
    dew_Leaf leaf;
    const dew_MeshDistance *mesh_distance;
    const dew_Mesh *mesh;  // in the shape's frame
    const dew_Heightfield *heightfield;
} dew_Solid;

bool dew_solid_is_moving(const dew_Solid *solid);

/// Fills rest_box_m and is_bounded from the shape's own box.
void dew_solid_set_boxes(dew_Solid *solid);

/// Between frames. pose NULL: at rest.
dew_Vec3 dew_solid_to_own(const dew_Solid *solid, const dew_SolidPose *pose, dew_Vec3 point_m);
dew_Vec3 dew_solid_from_own(const dew_Solid *solid, dew_Vec3 own_m);  // to rest

/// The least distance the solid can have from a point given in its own frame: cheap.
double dew_solid_bound(const dew_Solid *solid, dew_Vec3 own_m);

/// Distance, closest point and outward normal in the shape's own frame. false: the surface is
/// farther than reach_m and the point is outside; *out is not set.
bool dew_solid_closest(const dew_Solid *solid, dew_Vec3 own_m, double reach_m, dew_Closest *out);

/// The same in the world, with the solid's velocity there; solid_id is left to the caller.
bool dew_solid_nearest(const dew_Solid *solid, const dew_SolidPose *pose, dew_Vec3 point_m,
                       double reach_m, dew_SolidPoint *out);
