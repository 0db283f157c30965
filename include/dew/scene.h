/// Scene: what there is and how it begins. Read from YAML, or built in code from definition
/// structs.
///
/// All values are SI, angles in radians; only the reader knows "2 mm" or "90 deg". A scene does not
/// simulate, opens no mesh or image it names (World does), and never changes once a world is made.
/// Fill a def with its default function, change what you want, add it: the scene copies everything.
#pragma once

#include "dew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A scene: definitions of liquid, solids, sources, output and camera. Made by dew_scene_load or
/// dew_scene_create.
typedef struct dew_Scene dew_Scene;

// ---- materials and liquid ----------------------------------------------------------------------

/// Law by which the angle of a moving contact line follows from its speed (dew/wetting.h).
typedef enum dew_DynamicAngle {
    DEW_ANGLE_COX_VOINOV,         // viscous bending of the surface in the wedge
    DEW_ANGLE_MOLECULAR_KINETIC,  // displacement of molecules at the line
    DEW_ANGLE_STATIC,             // none: the advancing or receding angle at any speed
} dew_DynamicAngle;

/// How a solid meets the liquid. Angles are measured through the liquid.
typedef struct dew_MaterialDef {
    double advancing_rad;  // on dry solid
    double receding_rad;
    double wet_advancing_rad;         // where the wetting history says wet
    double max_receding_tension_N_m;  // bound that lengthens trails; INFINITY: none
    double slip_m;                    // slip length; 0: no slip, INFINITY: free slip
    double friction;                  // contact-line friction
    double dries_after_s;             // how long the wetting history lasts; INFINITY: for ever
    dew_DynamicAngle dynamic_angle;   // law of the moving contact line
    double slip_length_m;             // lambda of Cox and Voinov's law
    double jump_length_m;             // of the molecular-kinetic law: between sites of adsorption
    double jump_frequency_Hz;         // and how often molecules jump in equilibrium
    uint32_t cookie;                  // set by dew_default_material_def
} dew_MaterialDef;

/// Properties of the liquid; dew_liquid_preset has some.
typedef struct dew_LiquidDef {
    double density_kg_m3;
    double viscosity_Pa_s;
    double surface_tension_N_m;
    uint32_t cookie;
} dew_LiquidDef;

// ---- the world around the liquid ---------------------------------------------------------------

/// Sides of the domain.
typedef enum dew_Side {
    DEW_SIDE_LEFT,     // x = min
    DEW_SIDE_RIGHT,    // x = max
    DEW_SIDE_FLOOR,    // y = min
    DEW_SIDE_CEILING,  // y = max
    DEW_SIDE_BACK,     // z = min
    DEW_SIDE_FRONT,    // z = max
    DEW_SIDE_COUNT
} dew_Side;

/// The box that is simulated, and its resolution.
typedef struct dew_DomainDef {
    dew_Vec3 min_m, max_m;
    double cell_m;                              // grid spacing or target edge length
    const char *wall_material[DEW_SIDE_COUNT];  // a material's name; NULL: open
    uint32_t cookie;
} dew_DomainDef;

/// Rotation by angle_rad about an axis, right-handed.
typedef struct dew_RotateDef {
    dew_Vec3 axis;
    double angle_rad;
} dew_RotateDef;

/// Where a solid is at a time; between keyframes positions go linearly, rotations by the shorter
/// arc.
typedef struct dew_KeyframeDef {
    double time_s;
    dew_Vec3 translate_m;
    dew_RotateDef rotate;
} dew_KeyframeDef;

/// Shapes of solids.
typedef enum dew_SolidShape {
    DEW_SOLID_PLANE,
    DEW_SOLID_SPHERE,
    DEW_SOLID_BOX,
    DEW_SOLID_CYLINDER,
    DEW_SOLID_TUBE,
    DEW_SOLID_LEAF,
    DEW_SOLID_MESH,
    DEW_SOLID_HEIGHTFIELD,
    DEW_SOLID_SHAPE_COUNT
} dew_SolidShape;

/// The axis of a mesh file that points up; z becomes y, and y becomes -z.
typedef enum dew_UpAxis { DEW_UP_Y, DEW_UP_Z } dew_UpAxis;

/// A solid: `shape` says which of the geometric fields count.
typedef struct dew_SolidDef {
    dew_SolidShape shape;
    const char *name;                       // NULL: none
    const char *material;                   // a material's name
    dew_Vec3 point_m, normal;               // plane
    dew_Vec3 center_m;                      // sphere, box, leaf
    double radius_m;                        // sphere, cylinder
    dew_Vec3 size_m;                        // box; leaf uses x (length) and y (width)
    dew_Vec3 from_m, to_m;                  // cylinder, tube
    double inner_radius_m, outer_radius_m;  // tube
    double fold_rad, tilt_rad;              // leaf
    const char *file;                 // mesh ("memory:NAME": of dew_scene_add_mesh), heightfield
    double scale;                     // mesh
    dew_UpAxis up;                    // mesh
    dew_Vec3 translate_m;             // mesh
    double min_xz_m[2], max_xz_m[2];  // heightfield
    double height_m[2];               // heightfield from PNG: heights of black and white
    dew_RotateDef rotate;             // about the shape's centre
    bool is_movable;
    bool is_inside_out;  // a container
    dew_Vec3 velocity_m_s, angular_velocity_rad_s;
    const dew_KeyframeDef *keyframes;
    int keyframe_count;
    const char *affinity_map;       // image, 0..1 between `material` and `affinity_material`
    const char *affinity_material;  // the material where the map is 1
    uint32_t cookie;
} dew_SolidDef;

// ---- liquid at the start, sources, sinks -------------------------------------------------------

/// Shapes of liquid at the start.
typedef enum dew_DropShape {
    DEW_DROP_SPHERE,
    DEW_DROP_ELLIPSOID,
    DEW_DROP_BOX,
    DEW_DROP_CYLINDER,
    DEW_DROP_CAP,
    DEW_DROP_MESH,
    DEW_DROP_DEPTH,
    DEW_DROP_SCATTER,
    DEW_DROP_SHAPE_COUNT
} dew_DropShape;

/// Liquid at the start, or added by dew_world_add_drop: `shape` says which of the geometric fields
/// count.
typedef struct dew_DropDef {
    dew_DropShape shape;
    dew_Vec3 center_m;         // sphere, ellipsoid
    double radius_m;           // sphere, cylinder
    dew_Vec3 radii_m;          // ellipsoid
    dew_Vec3 min_m, max_m;     // box
    dew_Vec3 from_m, to_m;     // cylinder
    dew_Vec3 point_m, normal;  // cap
    double volume_m3;          // cap
    double angle_rad;          // cap; scatter
    const char *file;          // mesh (as of a solid), depth
    double scale;              // mesh
    dew_UpAxis up;             // mesh
    dew_Vec3 translate_m;      // mesh
    const char *on;            // scatter: a solid's name
    int count;                 // scatter
    double radius_range_m[2];  // scatter
    dew_Vec3 velocity_m_s;
    uint32_t cookie;
} dew_DropDef;

/// Kinds of inflow.
typedef enum dew_SourceShape {
    DEW_SOURCE_DISK,
    DEW_SOURCE_DRIP,
    DEW_SOURCE_RAIN,
    DEW_SOURCE_CONDENSATION,
    DEW_SOURCE_SHAPE_COUNT
} dew_SourceShape;

/// Inflow of liquid: `shape` says which of the fields count.
typedef struct dew_SourceDef {
    dew_SourceShape shape;
    dew_Vec3 center_m, normal;  // disk
    double radius_m;            // disk, drip
    double speed_m_s;           // disk
    dew_Vec3 at_m;              // drip
    double every_s;             // drip
    dew_Vec3 min_m, max_m;      // rain
    double rate_Hz;             // rain: drops per second
    double radius_range_m[2];   // rain
    dew_Vec3 velocity_m_s;      // drip, rain
    const char *on;             // condensation: a solid's name
    double rate_m3_s;           // condensation: all sites together
    int sites;                  // condensation
    double start_s, stop_s;     // active in [start, stop)
    uint32_t cookie;
} dew_SourceDef;

/// Liquid that enters the box is taken away.
typedef struct dew_SinkDef {
    dew_Vec3 min_m, max_m;
    uint32_t cookie;
} dew_SinkDef;

// ---- events ------------------------------------------------------------------------------------

/// Kinds of events.
typedef enum dew_EventKind {
    DEW_EVENT_DROP,      // a ball of liquid
    DEW_EVENT_CAP,       // a spherical cap that sits on a solid
    DEW_EVENT_FEED,      // a drop grows, or shrinks
    DEW_EVENT_DRAG,      // a movable solid is drawn to another place
    DEW_EVENT_GRAVITY,   // from now on
    DEW_EVENT_WIND,      // from now on
    DEW_EVENT_MATERIAL,  // other contact angles from now on
    DEW_EVENT_LIQUID,    // another surface tension from now on
    DEW_EVENT_KIND_COUNT
} dew_EventKind;

/// Something that happens at a time, once: what a hand does in the viewer. `kind` says which fields
/// count.
typedef struct dew_EventDef {
    dew_EventKind kind;
    double time_s;
    dew_Vec3 center_m;      // drop
    double radius_m;        // drop
    dew_Vec3 velocity_m_s;  // drop, cap
    dew_Vec3 point_m;       // cap: middle of its base; feed: in the drop
    dew_Vec3 normal;        // cap
    double volume_m3;       // cap, feed
    double angle_rad;       // cap
    const char *solid;      // drag: a solid's name
    dew_Vec3 translate_m;   // drag: where it ends, away from its place in the scene
    double over_s;          // drag: how long it takes
    dew_Vec3 gravity_m_s2;  // gravity
    dew_Vec3 wind_m_s;      // wind
    const char *material;   // material: its name
    double advancing_rad, receding_rad, wet_advancing_rad;  // material
    double surface_tension_N_m;                             // liquid
    uint32_t cookie;
} dew_EventDef;

// ---- output and appearance ---------------------------------------------------------------------

/// Formats of frames/surface.NNNN.*.
typedef enum dew_SurfaceFormat {
    DEW_SURFACE_PLY,
    DEW_SURFACE_OBJ,
    DEW_SURFACE_STL,
    DEW_SURFACE_VTP,
    DEW_SURFACE_NONE
} dew_SurfaceFormat;
/// Formats of frames/volume.NNNN.*.
typedef enum dew_VolumeFormat { DEW_VOLUME_VDB, DEW_VOLUME_VTI, DEW_VOLUME_NONE } dew_VolumeFormat;
/// Names of the fields in VDB files: phi and velocity, or surface and vel, which Houdini expects.
typedef enum dew_VolumeNames { DEW_VOLUME_NAMES_DEW, DEW_VOLUME_NAMES_HOUDINI } dew_VolumeNames;
/// Formats of frames/particles.NNNN.*.
typedef enum dew_ParticleFormat {
    DEW_PARTICLES_PLY,
    DEW_PARTICLES_VTP,
    DEW_PARTICLES_NONE
} dew_ParticleFormat;
/// Formats of frames/height.NNNN.*; auto: csv, and none where no surface is written.
typedef enum dew_HeightFormat {
    DEW_HEIGHT_AUTO,
    DEW_HEIGHT_CSV,
    DEW_HEIGHT_VTI,
    DEW_HEIGHT_NPY,
    DEW_HEIGHT_NONE
} dew_HeightFormat;
/// Rows of drops.csv; auto: yes, unless no surface is written and one would be built for them.
typedef enum dew_DropTable { DEW_DROPS_AUTO, DEW_DROPS_CSV, DEW_DROPS_NONE } dew_DropTable;
/// Values of the vertices of frames/surface.NNNN.*, beside normal, velocity and wet; PLY and VTP.
typedef enum dew_SurfaceAttribute {
    DEW_ATTRIBUTE_DROP = 1,       // id of the drop; where drops are found (dew_OutputDef.drops)
    DEW_ATTRIBUTE_AGE = 2,        // of the drop, in s; likewise
    DEW_ATTRIBUTE_CURVATURE = 4,  // mean curvature, in 1/m
} dew_SurfaceAttribute;
/// Renderers for images of a run.
typedef enum dew_ImageEngine { DEW_IMAGES_RAY, DEW_IMAGES_GL, DEW_IMAGES_NONE } dew_ImageEngine;

/// What a run writes.
typedef struct dew_OutputDef {
    dew_SurfaceFormat surface;
    dew_VolumeFormat volume;
    dew_VolumeNames volume_names;  // VDB
    bool half;                     // VDB: half precision
    dew_ParticleFormat particles;
    dew_HeightFormat height;
    dew_DropTable drops;
    int attributes;  // dew_SurfaceAttribute, or-ed
    bool solids;     // with files of other kinds: meshes once, poses per frame
    bool wetmap;
    dew_ImageEngine images;
    double checkpoint_every_s;  // wall-clock; 0: at every frame
} dew_OutputDef;

/// Camera of the images.
typedef struct dew_CameraDef {
    bool is_given;  // false: a renderer frames the liquid by itself
    dew_Vec3 eye_m, target_m, up;
    double fov_rad;  // vertical
    int width_px, height_px;
    double aperture_m;  // diameter of the lens; 0: everything is sharp
    double focus_m;     // distance at which things are sharp; 0: that of the target
    double shutter_s;   // how long it is open; 0: nothing is smeared
} dew_CameraDef;

/// A directional light.
typedef struct dew_LightDef {
    dew_Vec3 direction;  // in which the light travels
    dew_Vec3 color;
    double strength;
    double size_rad;  // angle under which it is seen: larger makes softer shadows
    uint32_t cookie;
} dew_LightDef;

/// Kinds of appearance of a solid.
typedef enum dew_LookKind {
    DEW_LOOK_AUTO,  // by the material's name (glass, leaf, oak, steel, ...), else plastic
    DEW_LOOK_GLASS,
    DEW_LOOK_FROSTED,
    DEW_LOOK_LEAF,
    DEW_LOOK_PLASTIC,
    DEW_LOOK_MATTE,
    DEW_LOOK_MARBLE,
    DEW_LOOK_METAL,
    DEW_LOOK_WOOD,
    DEW_LOOK_FRUIT,
    DEW_LOOK_CAR_PAINT,
    DEW_LOOK_KIND_COUNT
} dew_LookKind;

/// The name under which the looks hold the liquid's: its color is what is left of white light after
/// a tenth of the domain's width, and all else of a look is for solids.
#define DEW_LIQUID_LOOK "liquid"

/// How a material looks.
typedef struct dew_LookDef {
    const char *material;
    dew_LookKind kind;
    dew_Vec3 color;
    const char *texture;  // image file; NULL: none
    double roughness;
    uint32_t cookie;
} dew_LookDef;

// ---- the scene itself --------------------------------------------------------------------------

/// Everything in a scene that there is one of.
typedef struct dew_SceneDef {
    const char *title;
    const char *solver;
    int dimensions;
    double duration_s;
    double frame_rate_Hz;
    uint64_t seed;
    dew_DomainDef domain;
    dew_Vec3 gravity_m_s2;
    dew_Vec3 wind_m_s;
    dew_LiquidDef liquid;
    dew_OutputDef output;
    dew_CameraDef camera;
    const char *environment;  // studio, sky, rainy, or an .exr/.hdr file
    uint32_t cookie;
} dew_SceneDef;

/// Definitions with all defaults filled in: the only way to begin one. Those with a shape or a kind
/// have the defaults of that shape or kind.
dew_SceneDef dew_default_scene_def(void);
dew_MaterialDef dew_default_material_def(void);
dew_LiquidDef dew_default_liquid_def(void);  // water
dew_DomainDef dew_default_domain_def(void);
dew_SolidDef dew_default_solid_def(dew_SolidShape shape);
dew_DropDef dew_default_drop_def(dew_DropShape shape);
dew_SourceDef dew_default_source_def(dew_SourceShape shape);
dew_SinkDef dew_default_sink_def(void);
dew_EventDef dew_default_event_def(dew_EventKind kind);
dew_LightDef dew_default_light_def(void);
dew_LookDef dew_default_look_def(void);

/// A liquid by its name: water, glycerol, ethanol, mercury, blood, milk (20 C).
dew_Status dew_liquid_preset(const char *name, dew_LiquidDef *out);

/// How to read a scene file.
typedef struct dew_SceneLoadDef {
    const char *path;  // names the file in messages, and where its relative paths start
    const char *text;  // NULL: read the file at `path`
    size_t text_size;
    const char *const *overrides;  // "KEY=VALUE" with dotted paths, as `dew run --set`
    int override_count;
    const char *solver;  // replaces the scene's solver; NULL: as the file says
    dew_Log log;         // hears of every error (up to twenty) and warning, one line each
    dew_Allocator allocator;
    uint32_t cookie;
} dew_SceneLoadDef;

/// The whole file, no overrides, no log; a path or a text is to be set.
dew_SceneLoadDef dew_default_scene_load_def(void);

/// Reads and checks a whole scene file. The status holds the first error as "FILE:LINE: what is
/// wrong (what would be right)"; the log of dew_scene_load_with hears all of them.
dew_Status dew_scene_load(const char *path, dew_Scene **out);
dew_Status dew_scene_load_with(const dew_SceneLoadDef *def, dew_Scene **out);

/// A scene from definitions: create it, add what it holds, then dew_scene_check runs the checks
/// that a file would go through. World checks too.
dew_Status dew_scene_create(const dew_SceneDef *def, const dew_Allocator *allocator,
                            dew_Scene **out);
dew_Status dew_scene_add_material(dew_Scene *scene, const char *name, const dew_MaterialDef *def);
/// A mesh from memory: copies the arrays. Solids and drops of shape mesh name it in place of a
/// file, as "memory:NAME". A run saves it as scene_meshes/NAME.ply in its directory. The name has 1
/// to 63 letters, digits, _ and -; the mesh must be closed, or reparable as dew_mesh_repair says.
dew_Status dew_scene_add_mesh(dew_Scene *scene, const char *name, const dew_MeshData *mesh);
/// Each adds a copy of a definition; values are checked by dew_scene_check.
dew_Status dew_scene_add_solid(dew_Scene *scene, const dew_SolidDef *def);
dew_Status dew_scene_add_drop(dew_Scene *scene, const dew_DropDef *def);
dew_Status dew_scene_add_source(dew_Scene *scene, const dew_SourceDef *def);
dew_Status dew_scene_add_sink(dew_Scene *scene, const dew_SinkDef *def);
/// Events stand in order of time, those of one time in the order in which they were added.
dew_Status dew_scene_add_event(dew_Scene *scene, const dew_EventDef *def);
/// As the others: a copy of the definition.
dew_Status dew_scene_add_light(dew_Scene *scene, const dew_LightDef *def);
dew_Status dew_scene_add_look(dew_Scene *scene, const dew_LookDef *def);
/// A parameter of the scene's own solver by its name in the solver's block of a scene file, such as
/// "cfl" (docs/manual/scene.md lists them): a number in SI units; true or false; a choice or a
/// text. Checked at once; DEW_BAD_INPUT leaves the parameter as it was.
dew_Status dew_scene_set_parameter(dew_Scene *scene, const char *name, double value);
dew_Status dew_scene_set_parameter_flag(dew_Scene *scene, const char *name, bool value);
dew_Status dew_scene_set_parameter_text(dew_Scene *scene, const char *name, const char *value);
/// Runs the checks that a file goes through, those of the scene's solver included. DEW_BAD_INPUT
/// with the first error.
dew_Status dew_scene_check(dew_Scene *scene);

/// Changes one value by its dotted path, as --set does: dew_scene_set(s, "drops[0].radius=3 mm").
dew_Status dew_scene_set(dew_Scene *scene, const char *assignment);
/// Sets the simulated time at which a run of the scene ends, from 1e-9 s to 1e9 s.
dew_Status dew_scene_set_duration(dew_Scene *scene, double duration_s);

/// A scene of its own with the same content.
dew_Status dew_scene_copy(const dew_Scene *scene, const dew_Allocator *allocator, dew_Scene **out);
/// Frees the scene; NULL: nothing.
void dew_scene_destroy(dew_Scene *scene);

/// The values. Pointers stay valid until dew_scene_set changes the scene, or it is destroyed.
const dew_SceneDef *dew_scene_def(const dew_Scene *scene);
const char *dew_scene_path(const dew_Scene *scene);  // the file it was read from; NULL: none
int dew_scene_material_count(const dew_Scene *scene);
const dew_MaterialDef *dew_scene_material(const dew_Scene *scene, int index, const char **name);
int dew_scene_find_material(const dew_Scene *scene, const char *name);  // DEW_INVALID: none
int dew_scene_solid_count(const dew_Scene *scene);
const dew_SolidDef *dew_scene_solid(const dew_Scene *scene, int index);
int dew_scene_drop_count(const dew_Scene *scene);
const dew_DropDef *dew_scene_drop(const dew_Scene *scene, int index);
int dew_scene_source_count(const dew_Scene *scene);
const dew_SourceDef *dew_scene_source(const dew_Scene *scene, int index);
int dew_scene_sink_count(const dew_Scene *scene);
const dew_SinkDef *dew_scene_sink(const dew_Scene *scene, int index);
int dew_scene_event_count(const dew_Scene *scene);
const dew_EventDef *dew_scene_event(const dew_Scene *scene, int index);
int dew_scene_light_count(const dew_Scene *scene);
const dew_LightDef *dew_scene_light(const dew_Scene *scene, int index);
int dew_scene_look_count(const dew_Scene *scene);
const dew_LookDef *dew_scene_look(const dew_Scene *scene, int index);

/// The scene as YAML with every default filled in; reading it back gives the same scene, bit for
/// bit. Files it names are written relative to `directory` (NULL: as they are). Writes to a new
/// text that the caller frees with dew_scene_text_free.
dew_Status dew_scene_text(const dew_Scene *scene, const char *directory, char **out);
void dew_scene_text_free(const dew_Scene *scene, char *text);
/// The same text as a file, written whole or not at all. Files that the scene names are written
/// relative to the folder of `path`; meshes from memory are saved beside it, in scene_meshes.
dew_Status dew_scene_save(const dew_Scene *scene, const char *path);

/// Frames of a run: frame k is at k / frame_rate_Hz; a frame that differs from the duration by
/// rounding alone is at the duration. The count includes frame 0; INFINITY: the duration is.
double dew_scene_frame_time_s(const dew_Scene *scene, int64_t frame);
double dew_scene_frame_count(const dew_Scene *scene);

#ifdef __cplusplus
}
#endif
