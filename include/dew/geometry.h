/// Geometry: questions to a triangle mesh, and operations on it.
///
/// A tree answers rays, a distance object signed distances; both copy what they need of the mesh
/// and may be asked by any number of threads at once. A remesher is a workspace for operations that
/// change meshes, kept between calls; one per thread. For the solids and the liquid of a running
/// world there is dew/query.h.
#pragma once

#include "dew/base.h"
#include "dew/grid.h"
#include "dew/mesh.h"
#include "dew/tasks.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- rays --------------------------------------------------------------------------------------

/// A bounding-volume hierarchy over the triangles of a mesh.
typedef struct dew_Bvh dew_Bvh;

/// Fails when a triangle names a vertex that is not there or a vertex used is not finite. tasks and
/// allocator may be NULL.
dew_Status dew_bvh_create(const dew_Mesh *mesh, dew_Tasks *tasks, const dew_Allocator *allocator,
                          dew_Bvh **out);
void dew_bvh_destroy(dew_Bvh *bvh);

/// Points origin + t direction with t in [min_t, max_t]; the direction need not be of unit length.
typedef struct dew_Ray {
    dew_Vec3 origin, direction;
    double min_t, max_t;
} dew_Ray;

/// Where a ray meets a triangle.
typedef struct dew_RayHit {
    double t;
    double weight[3];   // barycentric
    uint32_t triangle;  // of the mesh
    bool is_back;       // the ray leaves through it: it came from behind the triangle
} dew_RayHit;

/// The hit with the smallest t; false: none. Watertight [Woop2013]: no ray slips between triangles
/// that share an edge.
bool dew_bvh_ray(const dew_Bvh *bvh, const dew_Ray *ray, dew_RayHit *out);
/// Is there any hit at all?
bool dew_bvh_ray_any(const dew_Bvh *bvh, const dew_Ray *ray);

/// Many rays against a mesh by a tree of the ray tracer: in single precision, faster than dew_Bvh.
typedef struct dew_RayCaster dew_RayCaster;

/// tree: "own", "embree", or NULL for the faster that this build has; DEW_UNSUPPORTED when it has
/// no such tree. Fails as dew_bvh_create does. tasks and allocator may be NULL.
dew_Status dew_ray_caster_create(const dew_Mesh *mesh, const char *tree, dew_Tasks *tasks,
                                 const dew_Allocator *allocator, dew_RayCaster **out);
void dew_ray_caster_destroy(dew_RayCaster *caster);
/// The hit of each ray with the smallest t of at least 0, in parallel; t is infinite where there is
/// none. tasks may be NULL.
void dew_ray_caster_cast(const dew_RayCaster *caster, dew_Tasks *tasks, const dew_Ray *rays,
                         int64_t count, dew_RayHit *hits);

// ---- signed distance ---------------------------------------------------------------------------

/// Signed distance of a closed mesh: negative inside.
typedef struct dew_MeshDistance dew_MeshDistance;

/// How inside is distinguished from outside.
typedef enum dew_MeshSign {
    DEW_SIGN_AUTO,     // inspect the mesh, then choose
    DEW_SIGN_NORMALS,  // exact; the caller knows that the mesh is clean [Baerentzen2005]
    DEW_SIGN_WINDING,  // tolerates small gaps, overlaps and touching parts [Barill2018]
} dew_MeshSign;

/// Fails on triangles that name a vertex that is not there, on vertices that are not finite, on a
/// mesh without triangles, and for DEW_SIGN_NORMALS on edges that have not exactly two triangles.
dew_Status dew_mesh_distance_create(const dew_Mesh *mesh, dew_MeshSign sign, dew_Tasks *tasks,
                                    const dew_Allocator *allocator, dew_MeshDistance **out);
void dew_mesh_distance_destroy(dew_MeshDistance *distance);

dew_MeshSign dew_mesh_distance_sign(const dew_MeshDistance *distance);  // never DEW_SIGN_AUTO
/// Is the point inside, by the mesh's way of telling?
bool dew_mesh_distance_is_inside(const dew_MeshDistance *distance, dew_Vec3 p);
/// Signed distances of many points, in parallel.
void dew_mesh_distance_many(const dew_MeshDistance *distance, dew_Tasks *tasks,
                            const dew_Vec3 *points, int64_t count, double *distances);
/// Adds the inside of a closed mesh to a level set, with the bricks it needs. Within the band phi
/// is the exact distance.
dew_Status dew_level_set_add_mesh(dew_LevelSet *level_set, const dew_MeshDistance *mesh);

// ---- meshes of basic shapes and of samples -----------------------------------------------------

/// Sphere about the origin from an icosahedron with each edge cut into `frequency` parts:
/// 20 frequency^2 triangles. Replaces the content.
dew_Status dew_mesh_icosphere(double radius_m, int frequency, dew_Mesh *mesh);
/// Spherical cap on the plane y = 0, with its base, of a contact angle. Replaces the content.
dew_Status dew_mesh_cap(double volume_m3, double angle_rad, double edge_m, dew_Mesh *mesh);

/// The isosurface of samples by marching cubes, closed at the outermost nodes, as
/// dew_surface_from_samples. Replaces the content. tasks may be NULL.
dew_Status dew_mesh_from_samples(const dew_SampleBlock *block, dew_Tasks *tasks, dew_Mesh *mesh);

// ---- remeshing and union -----------------------------------------------------------------------

/// A workspace: once warm, a call allocates nothing.
typedef struct dew_Remesher dew_Remesher;

/// The workspace of remeshing. allocator NULL: malloc and free.
dew_Status dew_remesher_create(const dew_Allocator *allocator, dew_Remesher **out);
void dew_remesher_destroy(dew_Remesher *remesher);

/// What a remeshing pass aims at.
typedef struct dew_RemesherDef {
    double min_edge_m;     // shorter edges collapse
    double max_edge_m;     // longer edges split; at least twice min_edge_m
    double min_volume_m3;  // a neck is cut; a piece of less volume that comes off is removed
    double smoothing;      // 0: none; 1: vertices near a change move to the middle of their
                           // neighbours, along the surface, volume kept
    bool keep_necks;       // do not cut: the edge stays short instead
    bool is_one_piece;  // the caller knows the mesh to be one closed, manifold piece without unused
                        // vertices: a pass with nothing to do then costs next to nothing
    uint32_t cookie;
} dew_RemesherDef;

/// Edges between 0.5 and 1.5 of edge_m, pieces below (edge_m / 2)^3 removed, no smoothing.
dew_RemesherDef dew_default_remesher_def(double edge_m);

/// One pass over a closed mesh: splits long edges, collapses short ones, flips the rest to
/// Delaunay, cuts thin necks [Zhang2011]. Does not look for self-intersections. Attributes are
/// removed.
dew_Status dew_remesher_run(dew_Remesher *remesher, const dew_RemesherDef *def, dew_Mesh *mesh);

/// How two closed meshes lie to one another.
typedef enum dew_MeshRelation {
    DEW_MESHES_APART,         // no point in common
    DEW_MESHES_CROSS,         // their surfaces cross
    DEW_MESHES_FIRST_INSIDE,  // the first lies in the second
    DEW_MESHES_SECOND_INSIDE,
} dew_MeshRelation;

/// What is made of two meshes.
typedef enum dew_MeshBoolean {
    DEW_MESH_UNION,
    DEW_MESH_INTERSECTION,
} dew_MeshBoolean;

/// Union or intersection of two closed meshes. `out`, another mesh than the two, is filled when
/// they cross, and empty otherwise. Fails with DEW_BAD_INPUT when a mesh is not closed, manifold
/// and oriented, with DEW_UNSUPPORTED when no valid mesh was found; a mesh that crosses itself is
/// not looked for.
dew_Status dew_remesher_combine(dew_Remesher *remesher, dew_MeshBoolean operation,
                                const dew_Mesh *first, const dew_Mesh *second, dew_Mesh *out,
                                dew_MeshRelation *relation);

#ifdef __cplusplus
}
#endif
