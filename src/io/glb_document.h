/// What a .glb file will say once all frames are there: the lists behind its JSON.
#pragma once

#include "io/animation.h"
#include "io/spool.h"

/// An accessor with a buffer view of its own.
typedef struct dew_GlbArray {
    int64_t offset, bytes;  // in the binary chunk
    int64_t count;          // of elements
    int components;         // per element
    int component_type;     // of dew_GlbType
    int target;             // of dew_GlbTarget
    bool has_bounds;
    float min[4], max[4];
} dew_GlbArray;

/// Numbers of the specification.
enum { DEW_GLB_UINT16 = 5123, DEW_GLB_UINT32 = 5125, DEW_GLB_FLOAT = 5126 };
enum { DEW_GLB_TRACK = 0, DEW_GLB_VERTICES = 34962, DEW_GLB_INDICES = 34963 };

/// Arrays of a mesh, in order. Attributes follow.
enum { DEW_GLB_POSITION, DEW_GLB_NORMAL, DEW_GLB_VELOCITY, DEW_GLB_INDEX, DEW_GLB_FIXED_SLOTS };

typedef struct dew_GlbMesh {
    int object;
    int64_t frame;  // index of the one that brought it
    int64_t first;  // in dew_GlbDocument.slots
} dew_GlbMesh;

/// Frames in which an object shows a mesh: begin <= frame < end.
typedef struct dew_GlbSegment {
    int object;
    int mesh;
    int64_t begin, end;
} dew_GlbSegment;

/// What an object has had so far.
typedef struct dew_GlbObject {
    int mesh;            // the last one; DEW_INVALID: none yet
    bool is_shown;       // in the last frame
    int64_t segment;     // the last one; DEW_INVALID: none
    dew_Array poses;     // dew_AnimationPose of each frame, or of the first alone
    dew_Array memory;    // dew_GlbMemory: of each slot, what it had last
    int64_t mesh_count;  // meshes written
    int64_t segment_count;
} dew_GlbObject;

/// The content that an array had last.
typedef struct dew_GlbMemory {
    uint64_t hash;
    int64_t count;
    int array;  // DEW_INVALID: none
} dew_GlbMemory;

typedef struct dew_GlbNode {
    const char *name;
    int64_t frame;                     // number behind the name; DEW_INVALID: none
    int mesh, camera, light;           // DEW_INVALID: none
    int64_t first_child, child_count;  // nodes of successive numbers
    bool is_child;
    dew_AnimationPose pose;
    bool is_hidden;  // at the start
} dew_GlbNode;

typedef enum dew_GlbPath { DEW_GLB_TRANSLATION, DEW_GLB_ROTATION, DEW_GLB_SCALE } dew_GlbPath;

typedef struct dew_GlbChannel {
    int64_t node;
    int input, output;  // arrays
    dew_GlbPath path;
} dew_GlbChannel;

typedef struct dew_GlbDocument {
    const dew_AnimationDef *def;
    dew_Sink *sink;
    dew_Spool bin;
    dew_GlbObject *objects;
    double *thickness;   // of each material, see glb.c
    dew_Array times;     // float: of each frame, from the first on
    dew_Array arrays;    // dew_GlbArray
    dew_Array slots;     // int: arrays of the meshes; DEW_INVALID: none
    dew_Array meshes;    // dew_GlbMesh
    dew_Array segments;  // dew_GlbSegment, by frame
    dew_Array nodes;     // dew_GlbNode
    dew_Array channels;  // dew_GlbChannel
    double first_time_s;
    int64_t max_bytes;
    dew_Allocator allocator;
} dew_GlbDocument;

/// Appends floats as an array; *index: its number.
dew_Status dew_glb_add_floats(dew_GlbDocument *document, const float *values, int64_t count,
                              int components, int target, bool has_bounds, int *index);
/// After the last frame: nodes, with tracks that show and move them.
dew_Status dew_glb_make_nodes(dew_GlbDocument *document);
/// The JSON, without padding.
void dew_glb_write_json(const dew_GlbDocument *document, dew_Sink *sink);
