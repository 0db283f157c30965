/// Mesh: triangles with positions and named per-vertex attributes, from files, from memory or made
/// by formula.
///
/// Solids and frames of a run are stored as meshes; dew_surface_load and dew_surface_save connect
/// them with the Surface of a simulation. Formats: PLY, OBJ, STL, VTP. A mesh does not simulate or
/// render; materials, textures and groups of a file are skipped with a note to the log.
#pragma once

#include "dew/base.h"
#include "dew/surface.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A triangle mesh with attributes.
typedef struct dew_Mesh dew_Mesh;

/// An empty mesh. allocator NULL: malloc and free.
dew_Status dew_mesh_create(const dew_Allocator *allocator, dew_Mesh **out);
void dew_mesh_destroy(dew_Mesh *mesh);

/// Replaces the content by copies of the arrays; triangles[3 triangle_count] are counter-clockwise
/// seen from outside. DEW_BAD_INPUT when an index is out of range or a coordinate is not finite;
/// the mesh is then empty.
dew_Status dew_mesh_set(dew_Mesh *mesh, const dew_Vec3 *positions_m, int64_t vertex_count,
                        const uint32_t *triangles, int64_t triangle_count);
/// Adds an attribute of one value per vertex, or replaces the one of that name. The name has at
/// most 31 bytes.
dew_Status dew_mesh_set_attribute(dew_Mesh *mesh, const char *name, const float *values);

/// Replaces the content of `to` by that of `from`, attributes included.
dew_Status dew_mesh_copy(dew_Mesh *to, const dew_Mesh *from);
/// Attributes that only one of them has are zero for the vertices of the other.
dew_Status dew_mesh_append(dew_Mesh *to, const dew_Mesh *from);

/// The positions, to be written: they are to stay finite.
dew_Vec3 *dew_mesh_edit_positions_m(dew_Mesh *mesh);
/// The arrays; valid until the mesh is changed or destroyed.
int64_t dew_mesh_vertex_count(const dew_Mesh *mesh);
int64_t dew_mesh_triangle_count(const dew_Mesh *mesh);
const dew_Vec3 *dew_mesh_positions_m(const dew_Mesh *mesh);
const uint32_t *dew_mesh_indices(const dew_Mesh *mesh);  // three per triangle
int dew_mesh_attribute_count(const dew_Mesh *mesh);
const char *dew_mesh_attribute_name(const dew_Mesh *mesh, int index);
/// One value per vertex; NULL: there is no attribute of that name. Frame files have nx ny nz vx vy
/// vz wet.
const float *dew_mesh_attribute_values(const dew_Mesh *mesh, const char *name);

// ---- files -------------------------------------------------------------------------------------

/// Formats of mesh files.
typedef enum dew_MeshFormat {
    DEW_MESH_ANY,  // by the file's name and its first bytes
    DEW_MESH_PLY,
    DEW_MESH_OBJ,
    DEW_MESH_STL,
    DEW_MESH_VTP,
    DEW_MESH_ASSIMP,  // glTF, FBX and others, by the library assimp; reading only
} dew_MeshFormat;

/// How to read a mesh file.
typedef struct dew_MeshLoadDef {
    dew_MeshFormat format;
    size_t max_bytes;  // a larger file is an error; memory is proportional to the file's size
    dew_Log log;       // what was ignored or cut into triangles
    uint32_t cookie;   // set by dew_default_mesh_load_def
} dew_MeshLoadDef;

/// How to write a mesh file.
typedef struct dew_MeshSaveDef {
    dew_MeshFormat format;
    bool is_text;               // PLY, STL: ascii. VTP: base64 within the XML. OBJ is always text
    bool has_double_positions;  // else positions are rounded to single precision, as in binary STL
    bool is_compressed;         // VTP that is not text: by zlib
    double time_s;              // VTP: the instant (TimeValue); NAN: none
    dew_Log log;                // what the format cannot hold
    uint32_t cookie;            // set by dew_default_mesh_save_def
} dew_MeshSaveDef;

/// Any format, files of up to 4 GB; the format by the name, binary, single precision.
dew_MeshLoadDef dew_default_mesh_load_def(void);
dew_MeshSaveDef dew_default_mesh_save_def(void);

/// Replaces the content by that of a file; leaves the mesh empty on failure. def NULL: all
/// defaults. The mesh may be open or self-intersecting: see dew_mesh_inspect.
dew_Status dew_mesh_load(const char *path, const dew_MeshLoadDef *def, dew_Mesh *mesh);
/// Writes the file whole or not at all; DEW_MESH_ANY takes the format from the name. def NULL: all
/// defaults.
dew_Status dew_mesh_save(const char *path, const dew_MeshSaveDef *def, const dew_Mesh *mesh);
/// DEW_BAD_INPUT unless the ending of the name is that of a mesh format. For a check before long
/// work.
dew_Status dew_mesh_save_check(const char *path);

/// The same for the surface of a liquid: velocities and wet flags are attributes of the file. A
/// loaded surface has no contact angles, because the file does not say which solid it touches. def
/// NULL: all defaults.
/// The same for a mesh in memory: attributes vx vy vz and wet count where they are there.
dew_Status dew_surface_from_mesh(const dew_Mesh *mesh, dew_Surface *out);
dew_Status dew_surface_load(const char *path, const dew_MeshLoadDef *def, dew_Surface *surface);
dew_Status dew_surface_save(const char *path, const dew_MeshSaveDef *def,
                            const dew_Surface *surface);

// ---- defects and repair ------------------------------------------------------------------------

/// Kinds of defects of a mesh, and what is counted.
typedef enum dew_MeshFlaw {
    DEW_FLAW_BAD_INDEX,          // triangles whose index is out of range
    DEW_FLAW_NOT_FINITE,         // vertices
    DEW_FLAW_UNREFERENCED,       // vertices without a triangle
    DEW_FLAW_DEGENERATE,         // triangles without area: height below 1.5e-8 of the longest edge
    DEW_FLAW_DUPLICATE,          // triangles on the same three vertices as an earlier one
    DEW_FLAW_OPEN_EDGE,          // edges with one triangle
    DEW_FLAW_BRANCHING_EDGE,     // edges with three triangles or more
    DEW_FLAW_TWISTED_EDGE,       // edges whose two triangles have opposite orientation
    DEW_FLAW_BRANCHING_VERTEX,   // vertices where several fans of triangles meet
    DEW_FLAW_SELF_INTERSECTION,  // pairs of triangles; the place is that of the lower index
    DEW_FLAW_INSIDE_OUT,  // closed components that enclose negative volume and are not a cavity
    DEW_FLAW_COUNT
} dew_MeshFlaw;

/// Defects of a mesh: how many of each kind, and where the first one is.
typedef struct dew_MeshAudit {
    int64_t count[DEW_FLAW_COUNT];
    int64_t first[DEW_FLAW_COUNT];   // index of triangle or vertex; DEW_INVALID: none
    dew_Vec3 place[DEW_FLAW_COUNT];  // of the first: the vertex, or the middle of triangle or edge
    int64_t component_count;
    int64_t euler_characteristic;  // vertices used - edges + triangles
    bool is_closed;               // no open edge; each edge occurs equally often in both directions
    bool is_manifold;             // no branching edge or vertex
    bool is_oriented;             // no twisted edge
    bool has_self_intersections;  // false also when they were not looked for
} dew_MeshAudit;

/// How to look for defects.
typedef struct dew_MeshInspectDef {
    int thread_count;              // 0: one per core
    bool skip_self_intersections;  // leave out that test, which is the slow part
    dew_Allocator allocator;
    uint32_t cookie;  // set by dew_default_mesh_inspect_def
} dew_MeshInspectDef;

/// One thread per core, self-intersections included.
dew_MeshInspectDef dew_default_mesh_inspect_def(void);

/// Counts the defects. Bad indices and coordinates that are not finite end the search: the other
/// counts are then 0 and is_closed false. Fails only for lack of memory.
dew_Status dew_mesh_inspect(const dew_Mesh *mesh, const dew_MeshInspectDef *def,
                            dew_MeshAudit *out);
/// True for a mesh that can be a solid: closed, manifold, oriented, free of self-intersections,
/// right side out.
bool dew_mesh_audit_is_clean(const dew_MeshAudit *audit);
/// All defects on one line, after "closed, manifold, oriented" or what it is not. Returns the
/// length, cut to fit.
size_t dew_mesh_audit_summary(const dew_MeshAudit *audit, char *text, size_t size);

/// All zero is the default.
typedef struct dew_MeshRepairDef {
    double weld_distance;   // vertices of open edges at most so far apart are merged; 0: equal ones
    bool keep_orientation;  // leave the orientation of triangles as it is
    dew_Log log;            // a line per repair that changed something
    const char *name;       // of the mesh, in front of each line; NULL: "mesh"
} dew_MeshRepairDef;

/// How many elements each repair changed.
typedef struct dew_MeshRepairs {
    int64_t welded;      // vertices
    int64_t degenerate;  // triangles removed that had a vertex twice
    int64_t duplicate;   // triangles removed
    int64_t turned;      // triangles whose orientation was reversed to match their neighbours
    int64_t flipped;     // components that were inside out
    int64_t dropped;     // vertices removed that had no triangle
} dew_MeshRepairs;

/// Repairs that need no guess about the shape: welds coincident vertices of open edges, removes
/// triangles with a vertex twice and duplicates, makes orientation consistent where the component
/// is orientable, turns components that are inside out (cavities stay), removes vertices without a
/// triangle. Closes no hole, moves no vertex. DEW_BAD_INPUT, with the mesh unchanged, for indices
/// out of range and coordinates that are not finite. repairs may be NULL.
dew_Status dew_mesh_repair(dew_Mesh *mesh, const dew_MeshRepairDef *def, dew_MeshRepairs *repairs);

// ---- procedural meshes -------------------------------------------------------------------------

/// Meshes made by formula: closed, manifold, oriented, without self-intersections. y is up; each
/// stands on y = 0 with the middle of its box on the y axis: animal, bottle, leaf, tap, windscreen.
int dew_procedural_count(void);
const char *dew_procedural_name(int index);  // in alphabetical order

/// Replaces the content. size_m: longest side of the bounding box; 0: natural size. edge_m: target
/// length of edges, shorter where the shape needs it; 0: the mesh's own (about 70,000 triangles for
/// the animal). An unknown name is an error that offers the nearest one.
dew_Status dew_procedural_mesh(const char *name, double size_m, double edge_m, dew_Mesh *mesh);

/// A corner of the outline of a body of revolution.
typedef struct dew_ProfilePoint {
    double radius_m, y_m;
} dew_ProfilePoint;

/// Turns an outline about the y axis. Going along it, the body lies on the left with the axis on
/// the left too: from the lowest point of the axis, outward, up and back to the axis. The outline
/// begins and ends on the axis (radius 0), or is closed (a ring: tube, torus; the last point joins
/// the first). Rings get as many vertices as edge_m asks for; the outline is taken as it is.
dew_Status dew_shape_revolve(const dew_ProfilePoint *profile, int64_t count, double edge_m,
                             dew_Mesh *mesh);

#ifdef __cplusplus
}
#endif
