// Defaults of every definition, and the liquids known by name.
//
// Liquids at 20 C: water, glycerol, ethanol and mercury from [Haynes2016]; whole milk and blood,
// which vary, with round typical values (blood is shear-thinning: this is its viscosity in fast
// flow).
#include "scene/defaults.h"

#include <math.h>
#include <string.h>

#include "scene/diagnostics.h"
#include "scene/scene.h"
#include "scene/shown.h"

// ---- liquids -----------------------------------------------------------------------------------

const char *const dew_liquid_names[] = {"water", "glycerol", "ethanol", "mercury",
                                        "blood", "milk",     NULL};

static const double liquid_values[][3] = {
    {998.2, 1.002e-3, 72.8e-3},  // kg/m^3, Pa s, N/m
    {1261, 1.412, 63.4e-3},     {789.3, 1.2e-3, 22.3e-3}, {13546, 1.554e-3, 486e-3},
    {1060, 4e-3, 56e-3},        {1030, 2e-3, 47e-3},
};

dew_Status dew_liquid_preset(const char *name, dew_LiquidDef *out)
{
    for (int i = 0; dew_liquid_names[i]; i++)
        if (strcmp(dew_liquid_names[i], name) == 0) {
            *out = (dew_LiquidDef){.density_kg_m3 = liquid_values[i][0],
                                   .viscosity_Pa_s = liquid_values[i][1],
                                   .surface_tension_N_m = liquid_values[i][2],
                                   .cookie = DEW_COOKIE};
            return dew_ok();
        }
    dew_Hint hint = dew_hint(NULL, name, dew_liquid_names, dew_names_count(dew_liquid_names));
    return dew_fail(DEW_BAD_INPUT, "unknown liquid %s %s", dew_shown(name).text, hint.text);
}

dew_LiquidDef dew_default_liquid_def(void)
{
    dew_LiquidDef def;
    (void)dew_liquid_preset("water", &def);  // the first of the table
    return def;
}

// ---- definitions -------------------------------------------------------------------------------

static const dew_Vec3 up = {0, 1, 0};

static dew_RotateDef no_rotation(void)
{
    return (dew_RotateDef){.axis = {0, 0, 1}};
}

// Slip length of simple liquids on smooth solids, 1 to 10 nm [Bonn2009, section III]. Molecular
// kinetics: water on polyethylene terephthalate, [Blake2006, table 1].
#define SLIP_LENGTH_M     10e-9
#define JUMP_LENGTH_M     0.36e-9
#define JUMP_FREQUENCY_HZ 8.6e9

dew_MaterialDef dew_default_material_def(void)
{
    return (dew_MaterialDef){.advancing_rad = DEW_DEG(90),
                             .receding_rad = DEW_DEG(90),
                             .wet_advancing_rad = DEW_DEG(90),
                             .max_receding_tension_N_m = (double)INFINITY,
                             .dries_after_s = (double)INFINITY,
                             .slip_length_m = SLIP_LENGTH_M,
                             .jump_length_m = JUMP_LENGTH_M,
                             .jump_frequency_Hz = JUMP_FREQUENCY_HZ,
                             .cookie = DEW_COOKIE};
}

dew_DomainDef dew_default_domain_def(void)
{
    return (dew_DomainDef){.min_m = {-5e-3, 0, -5e-3},
                           .max_m = {5e-3, 10e-3, 5e-3},
                           .cell_m = 0.25e-3,
                           .cookie = DEW_COOKIE};
}

dew_SolidDef dew_default_solid_def(dew_SolidShape shape)
{
    return (dew_SolidDef){.shape = shape,
                          .material = DEW_DEFAULT_MATERIAL,
                          .normal = up,
                          .fold_rad = DEW_DEG(180),
                          .scale = 1,
                          .rotate = no_rotation(),
                          .cookie = DEW_COOKIE};
}

dew_DropDef dew_default_drop_def(dew_DropShape shape)
{
    return (dew_DropDef){.shape = shape,
                         .normal = up,
                         .angle_rad = DEW_DEG(90),
                         .scale = 1,
                         .count = 100,
                         .cookie = DEW_COOKIE};
}

dew_SourceDef dew_default_source_def(dew_SourceShape shape)
{
    return (dew_SourceDef){.shape = shape,
                           .normal = {0, -1, 0},
                           .sites = 200,
                           .stop_s = (double)INFINITY,
                           .cookie = DEW_COOKIE};
}

dew_SinkDef dew_default_sink_def(void)
{
    return (dew_SinkDef){.cookie = DEW_COOKIE};
}

dew_EventDef dew_default_event_def(dew_EventKind kind)
{
    return (dew_EventDef){.kind = kind,
                          .normal = up,
                          .angle_rad = DEW_DEG(90),
                          .gravity_m_s2 = {0, -9.81, 0},
                          .advancing_rad = DEW_DEG(90),
                          .receding_rad = DEW_DEG(90),
                          .wet_advancing_rad = DEW_DEG(90),
                          .cookie = DEW_COOKIE};
}

dew_LightDef dew_default_light_def(void)
{
    return (dew_LightDef){.direction = {-1, -2, -1},
                          .color = {1, 1, 1},
                          .strength = 3,
                          .size_rad = DEW_DEG(1),
                          .cookie = DEW_COOKIE};
}

dew_LookDef dew_default_look_def(void)
{
    return (dew_LookDef){.color = {0.8, 0.8, 0.8}, .roughness = 0.1, .cookie = DEW_COOKIE};
}

dew_SceneDef dew_default_scene_def(void)
{
    return (dew_SceneDef){
        .title = "",
        .dimensions = 3,
        .duration_s = 1,
        .frame_rate_Hz = 60,
        .seed = 1,
        .domain = dew_default_domain_def(),
        .gravity_m_s2 = {0, -9.81, 0},
        .liquid = dew_default_liquid_def(),
        .output = {.volume = DEW_VOLUME_NONE,
                   .particles = DEW_PARTICLES_NONE,
                   .attributes = DEW_ATTRIBUTE_DROP,
                   .solids = true,
                   .images = DEW_IMAGES_NONE,
                   .checkpoint_every_s = 60},
        .camera = {.up = up, .fov_rad = DEW_DEG(35), .width_px = 1280, .height_px = 720},
        .environment = "studio",
        .cookie = DEW_COOKIE,
    };
}

dew_SceneLoadDef dew_default_scene_load_def(void)
{
    return (dew_SceneLoadDef){.cookie = DEW_COOKIE};
}

// ---- as the schema wants them ------------------------------------------------------------------

void dew_init_scene(void *scene, int shape)
{
    (void)shape;
    ((dew_Scene *)scene)->def = dew_default_scene_def();
}

void dew_init_rotate(void *def, int shape)
{
    (void)shape;
    *(dew_RotateDef *)def = no_rotation();
}

void dew_init_keyframe(void *def, int shape)
{
    (void)shape;
    *(dew_KeyframeDef *)def = (dew_KeyframeDef){.rotate = no_rotation()};
}

void dew_init_liquid(void *def, int shape)
{
    (void)shape;
    *(dew_LiquidDef *)def = dew_default_liquid_def();
}

void dew_init_domain(void *def, int shape)
{
    (void)shape;
    *(dew_DomainDef *)def = dew_default_domain_def();
}

void dew_init_material(void *def, int shape)
{
    (void)shape;
    *(dew_NamedMaterial *)def = (dew_NamedMaterial){.def = dew_default_material_def()};
}

void dew_init_solid(void *def, int shape)
{
    *(dew_SolidDef *)def = dew_default_solid_def((dew_SolidShape)shape);
}

void dew_init_drop(void *def, int shape)
{
    *(dew_DropDef *)def = dew_default_drop_def((dew_DropShape)shape);
}

void dew_init_source(void *def, int shape)
{
    *(dew_SourceDef *)def = dew_default_source_def((dew_SourceShape)shape);
}

void dew_init_sink(void *def, int shape)
{
    (void)shape;
    *(dew_SinkDef *)def = dew_default_sink_def();
}

void dew_init_event(void *def, int shape)
{
    *(dew_EventDef *)def = dew_default_event_def((dew_EventKind)shape);
}

void dew_init_output(void *def, int shape)
{
    (void)shape;
    *(dew_OutputDef *)def = dew_default_scene_def().output;
}

void dew_init_camera(void *def, int shape)
{
    (void)shape;
    *(dew_CameraDef *)def = dew_default_scene_def().camera;
}

void dew_init_light(void *def, int shape)
{
    (void)shape;
    *(dew_LightDef *)def = dew_default_light_def();
}

void dew_init_look(void *def, int shape)
{
    (void)shape;
    *(dew_LookDef *)def = dew_default_look_def();
}
