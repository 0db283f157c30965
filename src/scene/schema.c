// The schema of the scene file, row by row, in the order in which scenes are written back.
//
// Ranges keep numbers where products of them stay finite and physical; what several values must
// agree on is in check.c. Positions default to the origin; sizes, amounts and files must be given.
#include "scene/schema.h"

#include <float.h>
#include <string.h>

#include "scene/check.h"
#include "scene/defaults.h"
#include "scene/scene.h"

#define COUNT(rows) ((int)(sizeof(rows) / sizeof((rows)[0])))
#define BIT(shape)  (1u << (shape))
#define FAR         1e9  // metres, seconds, metres per second: larger is a slip
#define HALF_TURN   (DEW_PI + 2 * DBL_EPSILON)  // 180 deg, whichever way it was rounded

const char *const dew_side_names[] = {"left", "right", "floor",  "ceiling",
                                      "back", "front", "others", NULL};

static const char *const solid_shapes[] = {"plane", "sphere", "box",         "cylinder", "tube",
                                           "leaf",  "mesh",   "heightfield", NULL};
static const char *const drop_shapes[] = {"sphere", "ellipsoid", "box",     "cylinder", "cap",
                                          "mesh",   "depth",     "scatter", NULL};
static const char *const source_shapes[] = {"disk", "drip", "rain", "condensation", NULL};
static const char *const sink_shapes[] = {"box", NULL};
static const char *const event_kinds[] = {"drop", "cap",      "feed",   "drag", "gravity",
                                          "wind", "material", "liquid", NULL};
static const char *const up_axes[] = {"y", "z", NULL};
static const char *const surface_formats[] = {"ply", "obj", "stl", "vtp", "none", NULL};
static const char *const volume_formats[] = {"vdb", "vti", "none", NULL};
static const char *const volume_names[] = {"dew", "houdini", NULL};
static const char *const particle_formats[] = {"ply", "vtp", "none", NULL};
static const char *const height_formats[] = {"auto", "csv", "vti", "npy", "none", NULL};
static const char *const drop_tables[] = {"auto", "csv", "none", NULL};
static const char *const attribute_names[] = {"drop", "age", "curvature", NULL};
static const char *const image_engines[] = {"ray", "gl", "none", NULL};
static const char *const dynamic_angles[] = {"cox-voinov", "molecular-kinetic", "none", NULL};
static const char *const environments[] = {"studio", "sky", "rainy", NULL};
static const char *const look_kinds[] = {"auto",    "glass", "frosted",   "leaf",
                                         "plastic", "matte", "marble",    "metal",
                                         "wood",    "fruit", "car_paint", NULL};

// Rows: X(type, field, "name", unit, ...) with the rest as designated initialisers.
#define ROW(k, type, field, n, ...)                                                                \
    {                                                                                              \
        .name = n, .kind = DEW_KEY_##k, .offset = offsetof(type, field), __VA_ARGS__               \
    }
#define QUANTITY(k, type, field, n, u, ...)                                                        \
    ROW(k, type, field, n, .unit = DEW_UNIT_##u, __VA_ARGS__)
#define WHERE(type, field, n, ...)                                                                 \
    QUANTITY(VECTOR, type, field, n, LENGTH, .min = -FAR, .max = FAR, __VA_ARGS__)
#define DIRECTION(type, field, n, ...)                                                             \
    QUANTITY(VECTOR, type, field, n, NONE, .min = -FAR, .max = FAR, .is_direction = true,          \
             __VA_ARGS__)
#define SIZE(type, field, n, ...)                                                                  \
    QUANTITY(NUMBER, type, field, n, LENGTH, .max = FAR, .is_min_open = true, __VA_ARGS__)
#define VELOCITY(type, field, n, ...)                                                              \
    QUANTITY(VECTOR, type, field, n, SPEED, .min = -FAR, .max = FAR, __VA_ARGS__)
#define REQUIRED .is_required = true

// ---- small blocks ------------------------------------------------------------------------------

static const dew_Key rotate_keys[] = {
    DIRECTION(dew_RotateDef, axis, "axis", .doc = "axis, of any length"),
    QUANTITY(NUMBER, dew_RotateDef, angle_rad, "angle", ANGLE, .min = -1e6, .max = 1e6,
             .doc = "right-handed about the axis"),
};
static const dew_Block rotate_block = {.noun = "rotation",
                                       .keys = rotate_keys,
                                       .key_count = COUNT(rotate_keys),
                                       .size = sizeof(dew_RotateDef),
                                       .default_shape = DEW_INVALID,
                                       .init = dew_init_rotate};

static const dew_Key keyframe_keys[] = {
    QUANTITY(NUMBER, dew_KeyframeDef, time_s, "time", TIME, .min = 0, .max = FAR, REQUIRED,
             .doc = "at least 1 ns later than the keyframe before"),
    WHERE(dew_KeyframeDef, translate_m, "translate", .doc = "away from where the solid was put"),
    ROW(BLOCK, dew_KeyframeDef, rotate, "rotate", .block = &rotate_block,
        .doc = "away from how the solid was put"),
};
static const dew_Block keyframe_block = {.noun = "keyframe",
                                         .keys = keyframe_keys,
                                         .key_count = COUNT(keyframe_keys),
                                         .size = sizeof(dew_KeyframeDef),
                                         .default_shape = DEW_INVALID,
                                         .init = dew_init_keyframe};

static const dew_Key liquid_keys[] = {
    {.name = "preset",
     .kind = DEW_KEY_PRESET,
     .choices = dew_liquid_names,
     .is_short = true,
     .doc = "where the values not given come from"},
    QUANTITY(NUMBER, dew_LiquidDef, density_kg_m3, "density", DENSITY, .max = FAR,
             .is_min_open = true, .doc = "mass per volume"),
    QUANTITY(NUMBER, dew_LiquidDef, viscosity_Pa_s, "viscosity", VISCOSITY, .min = 0, .max = FAR,
             .doc = "dynamic viscosity"),
    QUANTITY(NUMBER, dew_LiquidDef, surface_tension_N_m, "surface_tension", TENSION, .min = 0,
             .max = FAR, .doc = "against air"),
};
static const dew_Block liquid_block = {.noun = "liquid",
                                       .keys = liquid_keys,
                                       .key_count = COUNT(liquid_keys),
                                       .size = sizeof(dew_LiquidDef),
                                       .default_shape = DEW_INVALID,
                                       .init = dew_init_liquid};

static const dew_Key domain_keys[] = {
    WHERE(dew_DomainDef, min_m, "min", REQUIRED, .doc = "lowest corner"),
    WHERE(dew_DomainDef, max_m, "max", REQUIRED, .doc = "highest corner"),
    SIZE(dew_DomainDef, cell_m, "cell", REQUIRED,
         .doc = "grid spacing; for `surface` the target edge length"),
    ROW(WALLS, dew_DomainDef, wall_material, "walls",
        .doc = "each side (left right floor ceiling back front others): a material, or open"),
};
static const dew_Block domain_block = {.noun = "domain",
                                       .keys = domain_keys,
                                       .key_count = COUNT(domain_keys),
                                       .size = sizeof(dew_DomainDef),
                                       .default_shape = DEW_INVALID,
                                       .init = dew_init_domain};

// ---- materials ---------------------------------------------------------------------------------

static const dew_Key material_keys[] = {
    QUANTITY(NUMBER, dew_NamedMaterial, def.advancing_rad, "angle", ANGLE, .min = 0,
             .max = HALF_TURN, .is_short = true,
             .doc = "short for advancing = receding = wet_advancing"),
    QUANTITY(NUMBER, dew_NamedMaterial, def.advancing_rad, "advancing", ANGLE, .min = 0,
             .max = HALF_TURN, .doc = "contact angle where liquid advances over dry solid"),
    QUANTITY(NUMBER, dew_NamedMaterial, def.receding_rad, "receding", ANGLE, .min = 0,
             .max = HALF_TURN, .doc = "contact angle where it recedes; default: as advancing"),
    QUANTITY(NUMBER, dew_NamedMaterial, def.wet_advancing_rad, "wet_advancing", ANGLE, .min = 0,
             .max = HALF_TURN, .doc = "advancing over wet solid; default: as advancing"),
    QUANTITY(NUMBER, dew_NamedMaterial, def.max_receding_tension_N_m, "max_receding_tension",
             TENSION, .min = 0, .max = FAR, .may_be_infinite = true,
             .doc = "bound that lengthens trails; inf or none: no bound"),
    QUANTITY(NUMBER, dew_NamedMaterial, def.slip_m, "slip", LENGTH, .min = 0, .max = FAR,
             .may_be_infinite = true, .doc = "slip length; 0: no slip, inf: free slip"),
    QUANTITY(NUMBER, dew_NamedMaterial, def.friction, "friction", NONE, .min = 0, .max = FAR,
             .doc = "contact-line friction"),
    QUANTITY(NUMBER, dew_NamedMaterial, def.dries_after_s, "dries_after", TIME, .min = 0,
             .max = FAR, .may_be_infinite = true, .doc = "how long the wetting history lasts"),
    ROW(CHOICE, dew_NamedMaterial, def.dynamic_angle, "dynamic_angle", .choices = dynamic_angles,
        .doc = "law of the moving contact line; none: the advancing or receding angle at any "
               "speed"),
    SIZE(dew_NamedMaterial, def.slip_length_m, "slip_length",
         .doc = "where the viscous bending of cox-voinov begins"),
    SIZE(dew_NamedMaterial, def.jump_length_m, "jump_length",
         .doc = "molecular-kinetic: distance of adsorption sites"),
    QUANTITY(NUMBER, dew_NamedMaterial, def.jump_frequency_Hz, "jump_frequency", FREQUENCY,
             .max = 1e18, .is_min_open = true,
             .doc = "molecular-kinetic: jumps of a molecule in equilibrium"),
};
static const dew_Block material_block = {.noun = "material",
                                         .keys = material_keys,
                                         .key_count = COUNT(material_keys),
                                         .size = sizeof(dew_NamedMaterial),
                                         .name_offset = offsetof(dew_NamedMaterial, name),
                                         .default_shape = DEW_INVALID,
                                         .init = dew_init_material,
                                         .check = dew_check_material};

// ---- solids ------------------------------------------------------------------------------------

#define ROUND_SOLIDS (BIT(DEW_SOLID_SPHERE) | BIT(DEW_SOLID_CYLINDER))
#define CENTRED      (BIT(DEW_SOLID_SPHERE) | BIT(DEW_SOLID_BOX) | BIT(DEW_SOLID_LEAF))
#define LONG_SOLIDS  (BIT(DEW_SOLID_CYLINDER) | BIT(DEW_SOLID_TUBE))
#define SOLID_FILES  (BIT(DEW_SOLID_MESH) | BIT(DEW_SOLID_HEIGHTFIELD))
#define ON_SOLID(s)  .shapes = BIT(DEW_SOLID_##s)

static const dew_Key solid_keys[] = {
    ROW(SHAPE, dew_SolidDef, shape, "shape", .choices = solid_shapes, REQUIRED,
        .doc = "what it is"),
    ROW(NAME, dew_SolidDef, name, "name", .doc = "for `on`, for files and for the viewer"),
    ROW(NAME, dew_SolidDef, material, "material", .doc = "one of `materials`"),
    WHERE(dew_SolidDef, point_m, "point", ON_SOLID(PLANE), .doc = "a point of the plane"),
    DIRECTION(dew_SolidDef, normal, "normal", ON_SOLID(PLANE), .doc = "out of the solid"),
    WHERE(dew_SolidDef, center_m, "center", .shapes = CENTRED, .doc = "its centre"),
    SIZE(dew_SolidDef, radius_m, "radius", REQUIRED, .shapes = ROUND_SOLIDS, .doc = "its radius"),
    QUANTITY(VECTOR, dew_SolidDef, size_m, "size", LENGTH, .max = FAR, .is_min_open = true,
             REQUIRED, ON_SOLID(BOX), .doc = "whole edges along x, y, z"),
    QUANTITY(PAIR, dew_SolidDef, size_m, "size", LENGTH, .max = FAR, .is_min_open = true, REQUIRED,
             ON_SOLID(LEAF), .doc = "length and width"),
    WHERE(dew_SolidDef, from_m, "from", REQUIRED, .shapes = LONG_SOLIDS,
          .doc = "one end of the axis"),
    WHERE(dew_SolidDef, to_m, "to", REQUIRED, .shapes = LONG_SOLIDS, .doc = "the other end"),
    SIZE(dew_SolidDef, inner_radius_m, "inner_radius", REQUIRED, ON_SOLID(TUBE),
         .doc = "of the bore"),
    SIZE(dew_SolidDef, outer_radius_m, "outer_radius", REQUIRED, ON_SOLID(TUBE),
         .doc = "larger than inner_radius"),
    QUANTITY(NUMBER, dew_SolidDef, fold_rad, "fold", ANGLE, .max = 2 * HALF_TURN,
             .is_min_open = true, ON_SOLID(LEAF),
             .doc = "angle between the two halves; 180 deg: flat"),
    QUANTITY(NUMBER, dew_SolidDef, tilt_rad, "tilt", ANGLE, .min = -2 * HALF_TURN,
             .max = 2 * HALF_TURN, ON_SOLID(LEAF), .doc = "of the rib against the horizontal"),
    ROW(FILE, dew_SolidDef, file, "file", REQUIRED, .shapes = SOLID_FILES,
        .doc = "mesh: PLY, OBJ, STL, VTP, by assimp glTF, FBX...; heightfield: CSV of metres or "
               "16-bit PNG"),
    QUANTITY(NUMBER, dew_SolidDef, scale, "scale", NONE, .max = FAR, .is_min_open = true,
             ON_SOLID(MESH), .doc = "metres per unit of the file"),
    ROW(CHOICE, dew_SolidDef, up, "up", .choices = up_axes, ON_SOLID(MESH),
        .doc = "axis of the file that points up"),
    WHERE(dew_SolidDef, translate_m, "translate", ON_SOLID(MESH), .doc = "after scaling"),
    QUANTITY(PAIR, dew_SolidDef, min_xz_m, "min", LENGTH, .min = -FAR, .max = FAR, REQUIRED,
             ON_SOLID(HEIGHTFIELD), .doc = "lowest x and z"),
    QUANTITY(PAIR, dew_SolidDef, max_xz_m, "max", LENGTH, .min = -FAR, .max = FAR, REQUIRED,
             ON_SOLID(HEIGHTFIELD), .doc = "highest x and z"),
    QUANTITY(PAIR, dew_SolidDef, height_m, "height", LENGTH, .min = -FAR, .max = FAR,
             ON_SOLID(HEIGHTFIELD), .doc = "of black and white; for a PNG, which needs it"),
    ROW(BLOCK, dew_SolidDef, rotate, "rotate", .block = &rotate_block,
        .doc = "about the shape's centre"),
    ROW(FLAG, dew_SolidDef, is_movable, "movable", .doc = "can be dragged in the viewer"),
    ROW(FLAG, dew_SolidDef, is_inside_out, "inside_out", .doc = "a container"),
    VELOCITY(dew_SolidDef, velocity_m_s, "velocity", .doc = "of its centre"),
    QUANTITY(VECTOR, dew_SolidDef, angular_velocity_rad_s, "angular_velocity", ANGULAR_SPEED,
             .min = -FAR, .max = FAR, .doc = "about its centre"),
    ROW(KEYFRAMES, dew_SolidDef, keyframes, "keyframes", .block = &keyframe_block,
        .doc = "motion by positions in time"),
    ROW(FILE, dew_SolidDef, affinity_map, "affinity_map",
        .doc = "image, 0..1 between `material` and `affinity_material`"),
    ROW(NAME, dew_SolidDef, affinity_material, "affinity_material",
        .doc = "the material where the map is 1"),
};
static const dew_Block solid_block = {.noun = "solid",
                                      .keys = solid_keys,
                                      .key_count = COUNT(solid_keys),
                                      .size = sizeof(dew_SolidDef),
                                      .shapes = solid_shapes,
                                      .default_shape = DEW_INVALID,
                                      .init = dew_init_solid,
                                      .check = dew_check_solid};

// ---- liquid at the start -----------------------------------------------------------------------

#define ON_DROP(s) .shapes = BIT(DEW_DROP_##s)

static const dew_Key drop_keys[] = {
    ROW(SHAPE, dew_DropDef, shape, "shape", .choices = drop_shapes, REQUIRED, .doc = "what it is"),
    WHERE(dew_DropDef, center_m, "center", .shapes = BIT(DEW_DROP_SPHERE) | BIT(DEW_DROP_ELLIPSOID),
          .doc = "its centre"),
    SIZE(dew_DropDef, radius_m, "radius", REQUIRED,
         .shapes = BIT(DEW_DROP_SPHERE) | BIT(DEW_DROP_CYLINDER), .doc = "its radius"),
    QUANTITY(VECTOR, dew_DropDef, radii_m, "radii", LENGTH, .max = FAR, .is_min_open = true,
             REQUIRED, ON_DROP(ELLIPSOID), .doc = "half axes along x, y, z"),
    WHERE(dew_DropDef, min_m, "min", REQUIRED, ON_DROP(BOX), .doc = "lowest corner"),
    WHERE(dew_DropDef, max_m, "max", REQUIRED, ON_DROP(BOX), .doc = "highest corner"),
    WHERE(dew_DropDef, from_m, "from", REQUIRED, ON_DROP(CYLINDER), .doc = "one end of the axis"),
    WHERE(dew_DropDef, to_m, "to", REQUIRED, ON_DROP(CYLINDER), .doc = "the other end"),
    WHERE(dew_DropDef, point_m, "point", ON_DROP(CAP), .doc = "middle of its base, on the solid"),
    DIRECTION(dew_DropDef, normal, "normal", ON_DROP(CAP), .doc = "away from the solid"),
    QUANTITY(NUMBER, dew_DropDef, volume_m3, "volume", VOLUME, .max = FAR, .is_min_open = true,
             REQUIRED, ON_DROP(CAP), .doc = "of the liquid"),
    QUANTITY(NUMBER, dew_DropDef, angle_rad, "angle", ANGLE, .max = HALF_TURN, .is_min_open = true,
             .shapes = BIT(DEW_DROP_CAP) | BIT(DEW_DROP_SCATTER),
             .doc = "contact angle at the start"),
    ROW(FILE, dew_DropDef, file, "file", REQUIRED,
        .shapes = BIT(DEW_DROP_MESH) | BIT(DEW_DROP_DEPTH),
        .doc = "mesh: as of a solid, closed; depth: CSV of metres per cell"),
    QUANTITY(NUMBER, dew_DropDef, scale, "scale", NONE, .max = FAR, .is_min_open = true,
             ON_DROP(MESH), .doc = "metres per unit of the file"),
    ROW(CHOICE, dew_DropDef, up, "up", .choices = up_axes, ON_DROP(MESH),
        .doc = "axis of the file that points up"),
    WHERE(dew_DropDef, translate_m, "translate", ON_DROP(MESH), .doc = "after scaling"),
    ROW(NAME, dew_DropDef, on, "on", REQUIRED, ON_DROP(SCATTER), .doc = "name of a solid"),
    ROW(INTEGER, dew_DropDef, count, "count", .min = 1, .max = 1e6, ON_DROP(SCATTER),
        .doc = "number of caps"),
    QUANTITY(RANGE, dew_DropDef, radius_range_m, "radius", LENGTH, .max = FAR, .is_min_open = true,
             REQUIRED, ON_DROP(SCATTER), .doc = "smallest and largest, or one for all"),
    VELOCITY(dew_DropDef, velocity_m_s, "velocity", .doc = "at the start"),
};
static const dew_Block drop_block = {.noun = "drop",
                                     .keys = drop_keys,
                                     .key_count = COUNT(drop_keys),
                                     .size = sizeof(dew_DropDef),
                                     .shapes = drop_shapes,
                                     .default_shape = DEW_INVALID,
                                     .init = dew_init_drop,
                                     .check = dew_check_drop};

// ---- sources and sinks -------------------------------------------------------------------------

#define ON_SOURCE(s) .shapes = BIT(DEW_SOURCE_##s)

static const dew_Key source_keys[] = {
    ROW(SHAPE, dew_SourceDef, shape, "shape", .choices = source_shapes, REQUIRED,
        .doc = "what it is"),
    WHERE(dew_SourceDef, center_m, "center", ON_SOURCE(DISK), .doc = "its centre"),
    DIRECTION(dew_SourceDef, normal, "normal", ON_SOURCE(DISK), .doc = "where the liquid goes"),
    SIZE(dew_SourceDef, radius_m, "radius", REQUIRED,
         .shapes = BIT(DEW_SOURCE_DISK) | BIT(DEW_SOURCE_DRIP), .doc = "of the disk or the drop"),
    QUANTITY(NUMBER, dew_SourceDef, speed_m_s, "speed", SPEED, .max = FAR, .is_min_open = true,
             REQUIRED, ON_SOURCE(DISK), .doc = "of the liquid through the disk"),
    WHERE(dew_SourceDef, at_m, "at", ON_SOURCE(DRIP), .doc = "where drops are born"),
    QUANTITY(NUMBER, dew_SourceDef, every_s, "every", TIME, .max = FAR, .is_min_open = true,
             REQUIRED, ON_SOURCE(DRIP), .doc = "time between drops"),
    WHERE(dew_SourceDef, min_m, "min", REQUIRED, ON_SOURCE(RAIN),
          .doc = "lowest corner of the cloud"),
    WHERE(dew_SourceDef, max_m, "max", REQUIRED, ON_SOURCE(RAIN),
          .doc = "highest corner; may be flat"),
    QUANTITY(NUMBER, dew_SourceDef, rate_Hz, "rate", FREQUENCY, .max = 1e6, .is_min_open = true,
             REQUIRED, ON_SOURCE(RAIN), .doc = "drops per second, on average"),
    QUANTITY(RANGE, dew_SourceDef, radius_range_m, "radius", LENGTH, .max = FAR,
             .is_min_open = true, REQUIRED, ON_SOURCE(RAIN),
             .doc = "smallest and largest, or one for all"),
    VELOCITY(dew_SourceDef, velocity_m_s, "velocity",
             .shapes = BIT(DEW_SOURCE_DRIP) | BIT(DEW_SOURCE_RAIN), .doc = "of a new drop"),
    ROW(NAME, dew_SourceDef, on, "on", REQUIRED, ON_SOURCE(CONDENSATION), .doc = "name of a solid"),
    QUANTITY(NUMBER, dew_SourceDef, rate_m3_s, "rate", VOLUME_RATE, .max = FAR, .is_min_open = true,
             REQUIRED, ON_SOURCE(CONDENSATION), .doc = "of all sites together"),
    ROW(INTEGER, dew_SourceDef, sites, "sites", .min = 1, .max = 1e6, ON_SOURCE(CONDENSATION),
        .doc = "number of places where drops nucleate"),
    QUANTITY(NUMBER, dew_SourceDef, start_s, "start", TIME, .min = 0, .max = FAR,
             .doc = "when it begins"),
    QUANTITY(NUMBER, dew_SourceDef, stop_s, "stop", TIME, .min = 0, .max = FAR,
             .may_be_infinite = true, .doc = "when it ends"),
};
static const dew_Block source_block = {.noun = "source",
                                       .keys = source_keys,
                                       .key_count = COUNT(source_keys),
                                       .size = sizeof(dew_SourceDef),
                                       .shapes = source_shapes,
                                       .default_shape = DEW_INVALID,
                                       .init = dew_init_source,
                                       .check = dew_check_source};

static const dew_Key sink_keys[] = {
    {.name = "shape",
     .kind = DEW_KEY_SHAPE,
     .choices = sink_shapes,
     .is_short = true,
     .doc = "box is the only one"},
    WHERE(dew_SinkDef, min_m, "min", REQUIRED, .doc = "lowest corner"),
    WHERE(dew_SinkDef, max_m, "max", REQUIRED, .doc = "highest corner"),
};
static const dew_Block sink_block = {.noun = "sink",
                                     .keys = sink_keys,
                                     .key_count = COUNT(sink_keys),
                                     .size = sizeof(dew_SinkDef),
                                     .shapes = sink_shapes,
                                     .default_shape = 0,
                                     .init = dew_init_sink,
                                     .check = dew_check_sink};

// ---- events ------------------------------------------------------------------------------------

#define ON_EVENT(s) .shapes = BIT(DEW_EVENT_##s)
#define POURED      (BIT(DEW_EVENT_DROP) | BIT(DEW_EVENT_CAP))

static const dew_Key event_keys[] = {
    ROW(SHAPE, dew_EventDef, kind, "kind", .choices = event_kinds, REQUIRED, .doc = "what happens"),
    QUANTITY(NUMBER, dew_EventDef, time_s, "time", TIME, .min = 0, .max = FAR, REQUIRED,
             .doc = "when; not before the event above it"),
    WHERE(dew_EventDef, center_m, "center", REQUIRED, ON_EVENT(DROP), .doc = "of a ball of liquid"),
    SIZE(dew_EventDef, radius_m, "radius", REQUIRED, ON_EVENT(DROP), .doc = "of the ball"),
    WHERE(dew_EventDef, point_m, "point", REQUIRED,
          .shapes = BIT(DEW_EVENT_CAP) | BIT(DEW_EVENT_FEED),
          .doc = "middle of the cap's base, on the solid; in the drop that is fed"),
    DIRECTION(dew_EventDef, normal, "normal", ON_EVENT(CAP), .doc = "away from the solid"),
    QUANTITY(NUMBER, dew_EventDef, volume_m3, "volume", VOLUME, .max = FAR, .is_min_open = true,
             REQUIRED, ON_EVENT(CAP), .doc = "of the liquid"),
    QUANTITY(NUMBER, dew_EventDef, volume_m3, "volume", VOLUME, .min = -FAR, .max = FAR, REQUIRED,
             ON_EVENT(FEED), .doc = "that comes; below 0: goes"),
    QUANTITY(NUMBER, dew_EventDef, angle_rad, "angle", ANGLE, .max = HALF_TURN, .is_min_open = true,
             ON_EVENT(CAP), .doc = "contact angle of the cap"),
    VELOCITY(dew_EventDef, velocity_m_s, "velocity", .shapes = POURED, .doc = "of the new liquid"),
    ROW(NAME, dew_EventDef, solid, "solid", REQUIRED, ON_EVENT(DRAG),
        .doc = "name of a solid with `movable: true`"),
    WHERE(dew_EventDef, translate_m, "translate", REQUIRED, ON_EVENT(DRAG),
          .doc = "where it ends, away from where the solid was put"),
    QUANTITY(NUMBER, dew_EventDef, over_s, "over", TIME, .max = FAR, .is_min_open = true, REQUIRED,
             ON_EVENT(DRAG), .doc = "duration of the motion"),
    QUANTITY(VECTOR, dew_EventDef, gravity_m_s2, "gravity", ACCELERATION, .min = -FAR, .max = FAR,
             REQUIRED, ON_EVENT(GRAVITY), .doc = "from now on"),
    VELOCITY(dew_EventDef, wind_m_s, "wind", REQUIRED, ON_EVENT(WIND), .doc = "from now on"),
    ROW(NAME, dew_EventDef, material, "material", REQUIRED, ON_EVENT(MATERIAL),
        .doc = "one of `materials`, whose angles change"),
    QUANTITY(NUMBER, dew_EventDef, advancing_rad, "advancing", ANGLE, .min = 0, .max = HALF_TURN,
             REQUIRED, ON_EVENT(MATERIAL), .doc = "from now on"),
    QUANTITY(NUMBER, dew_EventDef, receding_rad, "receding", ANGLE, .min = 0, .max = HALF_TURN,
             ON_EVENT(MATERIAL), .doc = "default: as advancing"),
    QUANTITY(NUMBER, dew_EventDef, wet_advancing_rad, "wet_advancing", ANGLE, .min = 0,
             .max = HALF_TURN, ON_EVENT(MATERIAL), .doc = "default: as advancing"),
    QUANTITY(NUMBER, dew_EventDef, surface_tension_N_m, "surface_tension", TENSION, .min = 0,
             .max = FAR, REQUIRED, ON_EVENT(LIQUID), .doc = "from now on"),
};
static const dew_Block event_block = {.noun = "event",
                                      .keys = event_keys,
                                      .key_count = COUNT(event_keys),
                                      .size = sizeof(dew_EventDef),
                                      .shapes = event_kinds,
                                      .default_shape = DEW_INVALID,
                                      .init = dew_init_event,
                                      .check = dew_check_event};

// ---- output and appearance ---------------------------------------------------------------------

static const dew_Key output_keys[] = {
    ROW(CHOICE, dew_OutputDef, surface, "surface", .choices = surface_formats,
        .doc = "the liquid's surface, per frame"),
    ROW(CHOICE, dew_OutputDef, volume, "volume", .choices = volume_formats,
        .doc = "level set and velocity, per frame; grid solvers"),
    ROW(CHOICE, dew_OutputDef, volume_names, "volume_names", .choices = volume_names,
        .doc = "vdb: phi and velocity, or surface and vel"),
    ROW(FLAG, dew_OutputDef, half, "half", .doc = "vdb: half precision, smaller files"),
    ROW(CHOICE, dew_OutputDef, particles, "particles", .choices = particle_formats,
        .doc = "particles, per frame"),
    ROW(CHOICE, dew_OutputDef, height, "height", .choices = height_formats,
        .doc = "columns of a height field, per frame; shallow. auto: csv, none without a surface"),
    ROW(CHOICE, dew_OutputDef, drops, "drops", .choices = drop_tables,
        .doc = "rows of drops.csv. auto: csv, none where a surface would be built only for them"),
    ROW(WORDS, dew_OutputDef, attributes, "attributes", .choices = attribute_names,
        .doc = "of the surface's vertices, beside normal, velocity and wet; ply and vtp"),
    ROW(FLAG, dew_OutputDef, solids, "solids",
        .doc = "solids beside the frames: meshes once, poses in solids.csv"),
    ROW(FLAG, dew_OutputDef, wetmap, "wetmap",
        .doc = "wetness of each solid, as vertex attribute of its mesh"),
    ROW(CHOICE, dew_OutputDef, images, "images", .choices = image_engines,
        .doc = "images rendered while running"),
    QUANTITY(NUMBER, dew_OutputDef, checkpoint_every_s, "checkpoint_every", TIME, .min = 0,
             .max = FAR, .doc = "wall-clock; 0: at every frame"),
};
static const dew_Block output_block = {.noun = "output",
                                       .keys = output_keys,
                                       .key_count = COUNT(output_keys),
                                       .size = sizeof(dew_OutputDef),
                                       .default_shape = DEW_INVALID,
                                       .init = dew_init_output};

static const dew_Key camera_keys[] = {
    WHERE(dew_CameraDef, eye_m, "eye", .doc = "default: the liquid fills the image"),
    WHERE(dew_CameraDef, target_m, "target", .doc = "looked at; needs `eye`"),
    DIRECTION(dew_CameraDef, up, "up", .doc = "upwards in the image"),
    QUANTITY(NUMBER, dew_CameraDef, fov_rad, "fov", ANGLE, .max = 3.12, .is_min_open = true,
             .doc = "vertical field of view"),
    ROW(SIZE, dew_CameraDef, width_px, "size", .min = 1, .max = 32768,
        .doc = "width and height in pixels"),
    QUANTITY(NUMBER, dew_CameraDef, aperture_m, "aperture", LENGTH, .min = 0, .max = FAR,
             .doc = "diameter of the lens; 0: everything is sharp"),
    QUANTITY(NUMBER, dew_CameraDef, focus_m, "focus", LENGTH, .min = 0, .max = FAR,
             .doc = "distance that is sharp; 0: that of the target"),
    QUANTITY(NUMBER, dew_CameraDef, shutter_s, "shutter", TIME, .min = 0, .max = FAR,
             .doc = "how long it is open; 0: no motion blur"),
};
static const dew_Block camera_block = {.noun = "camera",
                                       .keys = camera_keys,
                                       .key_count = COUNT(camera_keys),
                                       .size = sizeof(dew_CameraDef),
                                       .default_shape = DEW_INVALID,
                                       .init = dew_init_camera,
                                       .check = dew_check_camera};

static const dew_Key light_keys[] = {
    DIRECTION(dew_LightDef, direction, "direction", .doc = "in which the light travels"),
    ROW(VECTOR, dew_LightDef, color, "color", .min = 0, .max = FAR, .doc = "red, green, blue"),
    ROW(NUMBER, dew_LightDef, strength, "strength", .min = 0, .max = FAR, .doc = "brightness"),
    QUANTITY(NUMBER, dew_LightDef, size_rad, "size", ANGLE, .max = HALF_TURN, .is_min_open = true,
             .doc = "angle under which it is seen: larger makes softer shadows"),
};
static const dew_Block light_block = {.noun = "light",
                                      .keys = light_keys,
                                      .key_count = COUNT(light_keys),
                                      .size = sizeof(dew_LightDef),
                                      .default_shape = DEW_INVALID,
                                      .init = dew_init_light};

static const dew_Key look_keys[] = {
    ROW(CHOICE, dew_LookDef, kind, "kind", .choices = look_kinds,
        .doc = "auto: by the material's name, else plastic"),
    ROW(VECTOR, dew_LookDef, color, "color", .min = 0, .max = 1, .doc = "red, green, blue"),
    ROW(FILE, dew_LookDef, texture, "texture", .doc = "image laid over it"),
    ROW(NUMBER, dew_LookDef, roughness, "roughness", .min = 0, .max = 1,
        .doc = "0: mirror, 1: chalk"),
};
static const dew_Block look_block = {.noun = "look",
                                     .keys = look_keys,
                                     .key_count = COUNT(look_keys),
                                     .size = sizeof(dew_LookDef),
                                     .name_offset = offsetof(dew_LookDef, material),
                                     .default_shape = DEW_INVALID,
                                     .init = dew_init_look};

// ---- the file ----------------------------------------------------------------------------------

#define COSMETIC .is_cosmetic = true

static const dew_Key scene_keys[] = {
    {.name = "dew",
     .kind = DEW_KEY_VERSION,
     .is_cosmetic = true,
     .doc = "version of the format: 1"},
    ROW(TEXT, dew_Scene, def.title, "title", COSMETIC, .doc = "a line for people"),
    ROW(NAME, dew_Scene, def.solver, "solver", REQUIRED, .doc = "which solver runs it"),
    ROW(INTEGER, dew_Scene, def.dimensions, "dimensions", .min = 1, .max = 3,
        .doc = "default: the most that the solver has"),
    QUANTITY(NUMBER, dew_Scene, def.duration_s, "duration", TIME, .min = DEW_MIN_TIME_S, .max = FAR,
             COSMETIC, .doc = "simulated time, at least 1 ns"),
    QUANTITY(NUMBER, dew_Scene, def.frame_rate_Hz, "frame_rate", FREQUENCY, .max = FAR,
             .is_min_open = true, .doc = "frames per simulated second"),
    ROW(SEED, dew_Scene, def.seed, "seed", .doc = "every random choice follows from it"),
    ROW(BLOCK, dew_Scene, def.domain, "domain", .block = &domain_block, REQUIRED,
        .doc = "the box that is simulated"),
    QUANTITY(VECTOR, dew_Scene, def.gravity_m_s2, "gravity", ACCELERATION, .min = -FAR, .max = FAR,
             .doc = "y is up"),
    VELOCITY(dew_Scene, def.wind_m_s, "wind", .doc = "velocity of the air"),
    ROW(LIQUID, dew_Scene, def.liquid, "liquid", .block = &liquid_block,
        .doc = "a preset's name, or a mapping"),
    ROW(NAMED, dew_Scene, materials, "materials", .block = &material_block,
        .doc = "how solids meet the liquid, by name"),
    ROW(LIST, dew_Scene, solids, "solids", .block = &solid_block, .doc = "solid bodies"),
    ROW(LIST, dew_Scene, drops, "drops", .block = &drop_block, .doc = "the liquid at the start"),
    ROW(LIST, dew_Scene, sources, "sources", .block = &source_block, .doc = "inflow of liquid"),
    ROW(LIST, dew_Scene, sinks, "sinks", .block = &sink_block, .doc = "boxes that remove liquid"),
    ROW(LIST, dew_Scene, events, "events", .block = &event_block,
        .doc = "what happens at a time, in order of time; the viewer writes them"),
    ROW(BLOCK, dew_Scene, def.output, "output", .block = &output_block, COSMETIC,
        .doc = "what is written"),
    ROW(BLOCK, dew_Scene, def.camera, "camera", .block = &camera_block, COSMETIC,
        .doc = "what images show"),
    ROW(FILE, dew_Scene, def.environment, "environment", .choices = environments, COSMETIC,
        .doc = "light from all around: studio, sky, rainy, or an .exr or .hdr file"),
    ROW(LIST, dew_Scene, lights, "lights", .block = &light_block, COSMETIC, .doc = "more light"),
    ROW(NAMED, dew_Scene, looks, "look", .block = &look_block, COSMETIC,
        .doc = "how materials look, by name"),
};
static const dew_Block scene_block = {.noun = "scene",
                                      .keys = scene_keys,
                                      .key_count = COUNT(scene_keys),
                                      .size = sizeof(dew_Scene),
                                      .default_shape = DEW_INVALID,
                                      .init = dew_init_scene};

const dew_Block *dew_scene_schema(void)
{
    return &scene_block;
}

const dew_Block *dew_material_schema(void)
{
    return &material_block;
}

const dew_Block *dew_camera_schema(void)
{
    return &camera_block;
}

bool dew_key_has_shape(const dew_Key *key, int shape)
{
    return key->shapes == 0 || (shape >= 0 && (key->shapes >> shape & 1u));
}

bool dew_key_is_absent(const dew_Block *block, const dew_Key *key, const char *def)
{
    const char *field = def + key->offset;
    const void *pointer = NULL;
    double pair[2] = {0};
    switch (key->kind) {
    case DEW_KEY_TEXT:
    case DEW_KEY_NAME:
    case DEW_KEY_FILE:
    case DEW_KEY_KEYFRAMES:
        memcpy(&pointer, field, sizeof pointer);
        return !pointer;
    case DEW_KEY_LIST:
    case DEW_KEY_NAMED:
        return ((const dew_Array *)(const void *)field)->count == 0;
    case DEW_KEY_PAIR:  // heights of a heightfield that is no PNG
        memcpy(pair, field, sizeof pair);
        return !key->is_required && pair[0] == 0 && pair[1] == 0;
    case DEW_KEY_VECTOR:
        return block == dew_camera_schema() && !key->is_direction &&
               !((const dew_CameraDef *)(const void *)def)->is_given;
    case DEW_KEY_SHAPE:
        return false;
    default:
        return key->is_short;
    }
}

int dew_block_shape_of(const dew_Block *block, const void *def)
{
    const dew_Key *key = dew_block_shape_key(block);
    int shape = block->default_shape;
    if (key && !key->is_short)
        memcpy(&shape, (const char *)def + key->offset, sizeof shape);
    return shape;
}

const dew_Key *dew_block_shape_key(const dew_Block *block)
{
    for (int i = 0; i < block->key_count && block->shapes; i++)
        if (block->keys[i].kind == DEW_KEY_SHAPE)
            return &block->keys[i];
    return NULL;
}

const dew_Key *dew_block_find(const dew_Block *block, const char *name, int shape)
{
    for (int i = 0; i < block->key_count; i++) {
        const dew_Key *key = &block->keys[i];
        if (*key->name == *name && strcmp(key->name, name) == 0 && dew_key_has_shape(key, shape))
            return key;
    }
    return NULL;
}
