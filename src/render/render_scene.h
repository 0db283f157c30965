/// RenderScene: what is drawn. Liquid, solids, looks, light and camera, resolved for engines.
///
/// Made once from a problem (looks, textures and environment do not change), then told for each
/// image what is where. Lengths are metres here; engines may rescale. Constant while an engine
/// draws: any number of threads may read it.
///
/// The liquid touches solids without an air gap: where it is wet its surface is sunk into the solid
/// a little, and where bodies overlap the one of higher priority counts [Schmidt2002]. So neither
/// rounding nor the two meshes' different triangles open a crack.
#pragma once

#include "base/arena.h"
#include "base/tasks.h"
#include "dew/render.h"
#include "geom/mesh.h"
#include "problem/problem.h"
#include "render/camera.h"
#include "render/environment.h"
#include "render/light.h"
#include "render/look.h"

/// How bodies meet light.
typedef enum dew_BodyKind {
    DEW_BODY_OPAQUE,
    DEW_BODY_CLEAR,    // a smooth dielectric: liquid, glass
    DEW_BODY_FROSTED,  // a rough one
} dew_BodyKind;

typedef struct dew_WetMap dew_WetMap;

/// A closed surface, or for planes an open one, with one look.
typedef struct dew_RenderBody {
    int solid_id;  // DEW_INVALID: liquid
    dew_BodyKind kind;
    dew_Look look;
    dew_Medium medium;    // clear and frosted
    int priority;         // where clear bodies overlap the higher counts
    bool is_thin;         // diffuse light goes through: faces seen from inside do not count
    dew_Rotation to_own;  // from the world to the body's own frame, for patterns
    float fade_begin_m, fade_end_m;  // distance from fade_center at which it fades away; 0: never
    dew_Vec3 fade_center_m;
    const dew_WetMap *wet_map;  // NULL: dry
} dew_RenderBody;

/// Read by engines; filled by dew_render_scene_set.
typedef struct dew_RenderScene {
    const dew_Problem *problem;  // NULL: put together in code
    dew_Camera camera;
    dew_Environment *environment;
    dew_Array lights;  // dew_Light
    dew_Array bodies;  // dew_RenderBody
    // Geometry, all bodies together:
    dew_Array positions;       // dew_Vec3, m
    dew_Array motions;         // dew_Vec3, m: displacement while the shutter is open
    dew_Array own;             // dew_Float3, m: the vertex in the body's own frame
    dew_Array triangles;       // dew_Triangle
    dew_Array corner_normals;  // dew_Float3, three per triangle
    dew_Array triangle_body;   // uint32_t
    dew_Box subject_m;         // the liquid, or the solids when there is none
    bool is_moving;            // some motion is not zero
    double patch_px;           // of the instant
    // Kept from image to image:
    dew_Array looks;     // dew_Look, one per solid
    dew_Array wet_maps;  // dew_WetMap *
    dew_Arena arena;     // textures
    dew_Arena scratch;
    dew_Tasks *tasks;
    dew_Log log;
    dew_Allocator allocator;
} dew_RenderScene;

typedef struct dew_RenderSceneDef {
    dew_Tasks *tasks;  // may be NULL
    dew_Log log;
    dew_Allocator allocator;
} dew_RenderSceneDef;

/// Loads textures and environment. The problem must outlive the render scene.
dew_Status dew_render_scene_create(const dew_Problem *problem, const dew_RenderSceneDef *def,
                                   dew_RenderScene **out);
void dew_render_scene_destroy(dew_RenderScene *scene);

/// One instant to be drawn.
typedef struct dew_RenderInstant {
    const dew_Instant *instant;     // where solids are; NULL: at rest
    const dew_Surface *surface;     // the liquid; NULL: none
    const dew_WetMesh *wet_meshes;  // one per solid; NULL: all are dry
    double shutter_s;  // over which velocities smear the image, from now on; < 0: the camera's
    int width_px, height_px;  // 0: as the scene's camera says
    double patch_px;          // edges of the liquid's patches in the image; 0: 2.5, smooth outlines
    /// What a scene without a camera frames, so that a video's camera stands still. NULL: the
    /// liquid of this instant.
    const dew_Box *subject_m;
    /// Instead of the scene's: a hand's. May stand anywhere. NULL: the scene's.
    const dew_Camera *camera;
} dew_RenderInstant;

/// Fails when the camera is inside a solid, or when there is nothing to be seen and no camera.
dew_Status dew_render_scene_set(dew_RenderScene *scene, const dew_RenderInstant *instant);

// ---- putting a scene together without a problem ------------------------------------------------

/// An empty scene: no bodies, no light; camera and environment are the caller's to set (the scene
/// destroys the environment).
dew_Status dew_render_scene_create_bare(const dew_Allocator *allocator, dew_RenderScene **out);
/// Adds a mesh as a body; faces that meet at more than crease_rad keep their edge.
dew_Status dew_render_scene_add_mesh(dew_RenderScene *scene, const dew_RenderBody *body,
                                     const dew_Mesh *mesh, double crease_rad);
/// Pixels per metre at the middle of the subject.
double dew_render_scene_px_per_m(const dew_RenderScene *scene);
/// Is it left out of the image, as walls between the camera and what they hold are?
bool dew_render_scene_hides(const dew_RenderScene *scene, int solid_id);
/// Adds liquid: smooth, sunk into solids where it is wet (needs the problem for that), each edge
/// cut into `cuts` parts (0: by what the camera sees).
dew_Status dew_render_scene_add_surface(dew_RenderScene *scene, const dew_RenderBody *body,
                                        const dew_Surface *surface, const dew_Instant *instant,
                                        int cuts);
void dew_render_scene_clear(dew_RenderScene *scene);  // no bodies; keeps the memory

/// Wetness 0..1 at a point of the body's own frame.
float dew_wet_map_at(const dew_WetMap *map, dew_Float3 own_m);
