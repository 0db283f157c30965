/// Problem: the scene resolved for solvers: solids with their distance, motion and material,
/// liquid, sources, sinks. Constant once made; every query is thread-safe and allocates nothing.
#pragma once

#include "base/arena.h"
#include "base/tasks.h"
#include "dew/scene.h"
#include "geom/mesh.h"
#include "geom/vec.h"
#include "scene/files.h"

typedef struct dew_Problem dew_Problem;

typedef struct dew_ProblemDef {
    dew_Allocator allocator;
    dew_Log log;
    dew_Tasks *tasks;  // for building trees; may be NULL
} dew_ProblemDef;

/// Loads the files the scene names (relative to the scene file), builds trees, checks solids.
dew_Status dew_problem_create(const dew_Scene *scene, const dew_ProblemDef *def, dew_Problem **out);
void dew_problem_destroy(dew_Problem *problem);

const dew_Scene *dew_problem_scene(const dew_Problem *problem);  // must outlive the problem
const dew_SceneDef *dew_problem_def(const dew_Problem *problem);
dew_Box dew_problem_domain(const dew_Problem *problem);
/// The files that the problem was made from, with hashes of their content.
const dew_SceneFiles *dew_problem_files(const dew_Problem *problem);

// ---- changes -----------------------------------------------------------------------------------

/// For the problem's owner, between steps, while nobody else asks. The scene must be its own copy,
/// of the scene that the problem was made from; it is changed too.
void dew_problem_own_scene(dew_Problem *problem, dew_Scene *scene);
void dew_problem_set_material(dew_Problem *problem, dew_Scene *scene, int index,
                              const dew_MaterialDef *material);
void dew_problem_set_tension(dew_Problem *problem, dew_Scene *scene, double tension_N_m);
/// Hash of the surface tension and of all contact angles: differs after they have changed.
uint64_t dew_problem_values_hash(const dew_Problem *problem);

// ---- solids ------------------------------------------------------------------------------------

/// Where a solid is and how it moves at one instant, seen from where the scene put it (at rest).
/// The reference point is the shape's centre: middle of a box, of an axis, of a mesh's box, of a
/// ground's box, of a leaf's fold; the point given for a plane.
typedef struct dew_SolidPose {
    dew_Vec3 translate_m;   // of the solid's reference point, away from its place at rest
    dew_Rotation rotation;  // about the reference point, away from rest
    dew_Vec3 velocity_m_s;  // of the reference point
    dew_Vec3 angular_velocity_rad_s;
} dew_SolidPose;

/// Time, gravity, wind and poses of one instant. World computes them once per sub-step, so that all
/// stages of the step use the same motion, drags and tilt.
typedef struct dew_Instant {
    double time_s;
    dew_Vec3 gravity_m_s2;
    dew_Vec3 wind_m_s;
    const dew_SolidPose *poses;  // one per solid
} dew_Instant;

/// Where warnings of a solver go.
const dew_Log *dew_problem_log(const dew_Problem *problem);
/// Number of solids: the scene's, in its order, then the domain's closed walls.
int dew_problem_solid_count(const dew_Problem *problem);
const char *dew_problem_solid_name(const dew_Problem *problem,
                                   int solid_id);                          // "plane1" when unnamed
int dew_problem_find_solid(const dew_Problem *problem, const char *name);  // DEW_INVALID: none
/// Does it move by itself, or can it be dragged? If not, its pose is that of rest at all times.
bool dew_problem_solid_is_moving(const dew_Problem *problem, int solid_id);
bool dew_problem_solid_is_wall(const dew_Problem *problem, int solid_id);  // a side of the domain
/// Around the solid's surface at rest; infinite for planes, walls and grounds.
dew_Box dew_problem_solid_box(const dew_Problem *problem, int solid_id);

/// Poses at a time by velocity, angular velocity and keyframes; poses[solid_count].
void dew_problem_poses(const dew_Problem *problem, double time_s, dew_SolidPose *poses);
/// Pose of one solid, as dew_problem_poses_within.
dew_SolidPose dew_problem_pose_within(const dew_Problem *problem, int solid_id, double time_s,
                                      double within_s);
/// Reference point at rest, about which the poses rotate.
dew_Vec3 dew_problem_solid_reference_m(const dew_Problem *problem, int solid_id);
/// The same for the begin or the end of a step that passes `within_s` and no keyframe: velocities
/// are those of the step.
void dew_problem_poses_within(const dew_Problem *problem, double time_s, double within_s,
                              dew_SolidPose *poses);
/// The same with the drags among the scene's events on top: where a run of the scene has the
/// solids. For images without a World; a World has the poses that result from live changes too.
void dew_problem_dragged_poses(const dew_Problem *problem, double time_s, dew_SolidPose *poses);

/// The nearest point of the solids as seen from a point.
typedef struct dew_SolidPoint {
    double distance_m;      // negative inside a solid; INFINITY: no solid within reach
    dew_Vec3 normal;        // outward, unit
    dew_Vec3 point_m;       // the closest point
    dew_Vec3 velocity_m_s;  // of the solid there
    int solid_id;           // DEW_INVALID: none
} dew_SolidPoint;

/// Union of all solids, searched within reach_m (INFINITY: everywhere); the cost depends on the
/// solids within reach only. A point inside solids gets the distance of the solid in which it is
/// deepest, whatever the reach. An instant of NULL stands for all solids at rest, here and below.
dew_SolidPoint dew_problem_nearest(const dew_Problem *problem, const dew_Instant *instant,
                                   dew_Vec3 point_m, double reach_m);
/// One solid alone.
dew_SolidPoint dew_problem_solid_nearest(const dew_Problem *problem, const dew_Instant *instant,
                                         int solid_id, dew_Vec3 point_m);
/// Distance only, as above.
double dew_problem_distance(const dew_Problem *problem, const dew_Instant *instant,
                            dew_Vec3 point_m, double reach_m);

/// Material of a solid at a point on it (affinity maps blend two materials).
dew_MaterialDef dew_problem_material(const dew_Problem *problem, const dew_Instant *instant,
                                     int solid_id, dew_Vec3 point_m);

/// The solid as a triangle mesh in its rest pose, for images and wet maps; planes and walls are
/// cut to the domain. edge_m: target edge length (0: as coarse as the shape allows).
dew_Status dew_problem_solid_mesh(const dew_Problem *problem, int solid_id, double edge_m,
                                  dew_Mesh *out);
/// Height of the highest solid below the domain's top at (x, z): where liquid poured there comes to
/// lie. The domain's lowest y when there is none. Side walls and ceiling do not count.
double dew_problem_ground_m(const dew_Problem *problem, const dew_Instant *instant, double x_m,
                            double z_m);

/// From the world at an instant to the solid's rest frame and back.
dew_Vec3 dew_problem_to_rest(const dew_Problem *problem, const dew_Instant *instant, int solid_id,
                             dew_Vec3 point_m);
dew_Vec3 dew_problem_from_rest(const dew_Problem *problem, const dew_Instant *instant, int solid_id,
                               dew_Vec3 rest_m);

// ---- liquid ------------------------------------------------------------------------------------

/// A piece of liquid to be poured: an initial drop, one drop of a drip or a rain.
typedef struct dew_Blob {
    int64_t id;         // unique in the run: decides random choices
    dew_DropDef shape;  // never scatter: that is resolved into caps
    double volume_m3;   // outside of solids not subtracted
    dew_Box box_m;      // around it
    dew_Vec3 center_m;
    dew_Vec3 velocity_m_s;
    int32_t shape_id;  // problem's own index of loaded meshes and depth tables; DEW_INVALID: none
    // The shape's own frame (as geom/distance.h wants it), so that asking for distances is cheap:
    dew_Vec3 origin_m;
    dew_Rotation turn;
    double cap_radius_m, cap_center_m;  // cap: of its ball, and the height of the ball's centre
} dew_Blob;

int64_t dew_problem_blob_count(const dew_Problem *problem);
const dew_Blob *dew_problem_blob(const dew_Problem *problem,
                                 int64_t index);  // the liquid at the start

/// Signed distance to the blob's surface, negative in the liquid.
double dew_blob_distance(const dew_Problem *problem, const dew_Blob *blob, dew_Vec3 point_m);
/// The same, found sooner where the surface is within reach_m.
double dew_blob_distance_near(const dew_Problem *problem, const dew_Blob *blob, dew_Vec3 point_m,
                              double reach_m);
/// Depth of a `depth` blob at (x, z): that of the table's cell there, 0 outside and for other
/// shapes.
double dew_blob_depth_m(const dew_Problem *problem, const dew_Blob *blob, double x_m, double z_m);
/// Closed mesh of the blob, outward oriented. edge_m as for solids; a depth's columns are not cut.
dew_Status dew_blob_mesh(const dew_Problem *problem, const dew_Blob *blob, double edge_m,
                         dew_Mesh *out);

/// A single piece of liquid from a definition (not scatter), as a viewer adds with a click. A mesh
/// must be one that the scene names too, at the same scale; depths cannot be made.
dew_Status dew_problem_make_blob(const dew_Problem *problem, const dew_DropDef *def, int64_t id,
                                 dew_Blob *out);

// ---- sources and sinks -------------------------------------------------------------------------

/// Drops born by drips and rain in [begin_s, end_s), in order of time, then source: a pure function
/// of the interval. At most `capacity` are written; returns how many there are.
int64_t dew_problem_births(const dew_Problem *problem, double begin_s, double end_s, dew_Blob *out,
                           int64_t capacity);

/// A place where liquid enters all the time: a disk, or one condensation site.
typedef struct dew_Inflow {
    int64_t id;
    int source_index;
    dew_SourceShape shape;
    dew_Vec3 center_m, normal;  // of the disk; of the solid at the site, at rest (see from_rest)
    double radius_m;            // of the disk; of the seed drop at a site
    double speed_m_s;           // disk
    double rate_m3_s;           // volume per second
    double start_s, stop_s;
    int solid_id;  // condensation; DEW_INVALID for a disk
} dew_Inflow;
int64_t dew_problem_inflow_count(const dew_Problem *problem);
const dew_Inflow *dew_problem_inflow(const dew_Problem *problem, int64_t index);
/// Volume that all inflows bring in [begin_s, end_s): the account.
double dew_problem_inflow_volume_m3(const dew_Problem *problem, double begin_s, double end_s);

int dew_problem_sink_count(const dew_Problem *problem);
dew_Box dew_problem_sink(const dew_Problem *problem, int index);
bool dew_problem_in_sink(const dew_Problem *problem, dew_Vec3 point_m);
