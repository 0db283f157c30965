/// An animation that is handed frame by frame to the writer of a scene format: USD, glTF, Alembic,
/// VTKHDF.
///
/// The caller has applied axis and scale: positions are in units of the file, velocities in units
/// per second, and a writer only states them (meters_per_unit, up axis). Everything handed over is
/// valid during the call alone. Meshes may change their numbers of vertices and triangles from
/// frame to frame, because drops merge and split.
#pragma once

#include "dew/base.h"
#include "io/sink.h"

/// What an object is; writers may choose a look or a group by it.
typedef enum dew_AnimationKind {
    DEW_ANIMATION_LIQUID,
    DEW_ANIMATION_SOLID,
    DEW_ANIMATION_PARTICLES  // points: a mesh without triangles
} dew_AnimationKind;

/// A surface's look, for the format's standard material.
typedef struct dew_AnimationMaterial {
    const char *name;
    double color[3];  // linear, 0..1
    double roughness;
    double transmission;  // 1: clear as glass or water
    double ior;
    double metalness;      // 1: metal of that color
    double absorption[3];  // of light on its way through, per unit of length; 0: none
    bool is_thin;          // of an open surface: no volume lies behind it
} dew_AnimationMaterial;

/// A value of each vertex beside position, normal and velocity: wet, drop, wetness ...
typedef struct dew_AnimationAttribute {
    const char *name;
    int component_count;
    const float *values;  // component_count per vertex
} dew_AnimationAttribute;

/// A mesh of one frame. Triangles are counter-clockwise seen from outside.
typedef struct dew_AnimationMesh {
    int64_t vertex_count;
    const float *positions;   // three per vertex
    const float *normals;     // three per vertex; NULL: none
    const float *velocities;  // three per vertex; NULL: none
    int64_t triangle_count;
    const uint32_t *triangles;  // three vertices per triangle
    int attribute_count;
    const dew_AnimationAttribute *attributes;
} dew_AnimationMesh;

/// Rotation (unit quaternion x y z w), then translation.
typedef struct dew_AnimationPose {
    double rotation[4];
    double translation[3];
} dew_AnimationPose;

/// An object of the animation, known before the first frame.
typedef struct dew_AnimationObject {
    const char *name;  // unique; any UTF-8, to be made a legal name by the writer
    dew_AnimationKind kind;
    int material;          // index
    bool has_static_mesh;  // its mesh comes with the first frame alone
    bool has_static_pose;  // its pose is that of the first frame
    int attribute_count;   // those that each of its meshes has, in this order
    const char *const *attribute_names;
    const int *attribute_component_counts;
    bool has_normals, has_velocities;
} dew_AnimationObject;

/// An object at the instant of a frame.
typedef struct dew_AnimationState {
    const dew_AnimationMesh *mesh;  // NULL: that of the frame before
    dew_AnimationPose pose;
    bool is_visible;  // false: it does not exist in this frame (a drop before its birth)
} dew_AnimationState;

/// A perspective camera.
typedef struct dew_AnimationCamera {
    double eye[3], target[3], up[3];
    double vertical_fov_rad;
    int width, height;  // of the image, for the aspect
} dew_AnimationCamera;

/// A distant light.
typedef struct dew_AnimationLight {
    double direction[3];  // in which it shines
    double color[3];
    double strength;
} dew_AnimationLight;

/// What is known before the first frame.
typedef struct dew_AnimationDef {
    const char *title;
    const char *software;  // "Dew 0.1.0"
    int64_t first_frame;   // number of the first frame that is written
    int64_t frame_count;
    double frame_rate_Hz;
    double meters_per_unit;
    bool is_z_up;  // else y
    int object_count;
    const dew_AnimationObject *objects;
    int material_count;
    const dew_AnimationMaterial *materials;
    const dew_AnimationCamera *camera;  // NULL: none
    int light_count;
    const dew_AnimationLight *lights;
} dew_AnimationDef;

/// A format's writer. Bytes go to the sink, whose failures dew_sink_end returns. VTKHDF, which a
/// library writes, takes a path instead: see vtkhdf.h.
typedef struct dew_AnimationOps {
    const char *extension;  // "usda"
    /// *out is NULL unless DEW_OK. `def` stays valid until destroy.
    dew_Status (*create)(const dew_AnimationDef *def, const dew_Allocator *allocator,
                         dew_Sink *sink, void **out);
    /// One state per object; time_s is first_frame / frame_rate_Hz for the first frame, and so on.
    dew_Status (*frame)(void *writer, double time_s, const dew_AnimationState *states);
    dew_Status (*finish)(void *writer);  // after the last frame
    void (*destroy)(void *writer);       // also after a failure; NULL is allowed
} dew_AnimationOps;
