// Scenes built in code.
#include "support/scene_builder.h"

#include "support/vec.h"

#include <math.h>

#define DURATION_S 1000
#define PLATE      "plate"
#define MIRROR     "mirror"

// Does nothing after a failure, which is kept.
#define ADD(call) (b->status = b->status.code == DEW_OK ? (call) : b->status)

// ---- definitions -------------------------------------------------------------------------------

dew_SceneDef dew_build_def(const char *solver, int dimensions, dew_Vec3 min_m, dew_Vec3 max_m,
                           double cell_m)
{
    dew_SceneDef def = dew_default_scene_def();
    def.solver = solver;
    def.dimensions = dimensions;
    def.duration_s = DURATION_S;
    def.gravity_m_s2 = dew_v3(0, -9.81, 0);
    def.domain.min_m = min_m;
    def.domain.max_m = max_m;
    def.domain.cell_m = cell_m;
    return def;
}

dew_SceneDef dew_build_weightless(const char *solver, int dimensions, double half_m, double cell_m)
{
    dew_SceneDef def = dew_build_def(solver, dimensions, dew_v3(-half_m, -half_m, -half_m),
                                     dew_v3(half_m, half_m, half_m), cell_m);
    def.gravity_m_s2 = dew_v3(0, 0, 0);
    return def;
}

void dew_build_walls(dew_SceneDef *def, const char *material)
{
    for (int side = 0; side < DEW_SIDE_COUNT; side++)
        def->domain.wall_material[side] = material;
}

dew_LiquidDef dew_build_liquid(double density_kg_m3, double viscosity_Pa_s, double tension_N_m)
{
    dew_LiquidDef def = dew_default_liquid_def();
    def.density_kg_m3 = density_kg_m3;
    def.viscosity_Pa_s = viscosity_Pa_s;
    def.surface_tension_N_m = tension_N_m;
    return def;
}

dew_MaterialDef dew_build_angles(double receding_rad, double advancing_rad)
{
    dew_MaterialDef def = dew_default_material_def();
    def.receding_rad = receding_rad;
    def.advancing_rad = def.wet_advancing_rad = advancing_rad;
    return def;
}

dew_MaterialDef dew_build_angle(double angle_rad)
{
    return dew_build_angles(angle_rad, angle_rad);
}

dew_MaterialDef dew_build_slip(double slip_m)
{
    dew_MaterialDef def = dew_default_material_def();
    def.slip_m = slip_m;
    return def;
}

dew_SourceDef dew_build_disk(dew_Vec3 center_m, double radius_m, double speed_m_s)
{
    dew_SourceDef def = dew_default_source_def(DEW_SOURCE_DISK);
    def.center_m = center_m;
    def.radius_m = radius_m;
    def.speed_m_s = speed_m_s;
    return def;
}

// ---- the scene ---------------------------------------------------------------------------------

dew_SceneBuilder dew_build_begin(const dew_SceneDef *def)
{
    dew_SceneBuilder b = {0};
    b.status = dew_scene_create(def, NULL, &b.scene);
    return b;
}

dew_Status dew_build_end(dew_SceneBuilder *b, dew_Scene **out)
{
    if (b->status.code != DEW_OK) {
        dew_scene_destroy(b->scene);
        b->scene = NULL;
    }
    *out = b->scene;
    return b->status;
}

void dew_build_material(dew_SceneBuilder *b, const char *name, dew_MaterialDef def)
{
    ADD(dew_scene_add_material(b->scene, name, &def));
}

void dew_build_solid(dew_SceneBuilder *b, const dew_SolidDef *def)
{
    ADD(dew_scene_add_solid(b->scene, def));
}

void dew_build_plane(dew_SceneBuilder *b, dew_Vec3 point_m, dew_Vec3 normal, const char *material)
{
    dew_SolidDef def = dew_default_solid_def(DEW_SOLID_PLANE);
    def.point_m = point_m;
    def.normal = normal;
    def.material = material;
    dew_build_solid(b, &def);
}

void dew_build_plate(dew_SceneBuilder *b, double y_m, dew_MaterialDef def)
{
    dew_build_material(b, PLATE, def);
    dew_build_plane(b, dew_v3(0, y_m, 0), dew_v3(0, 1, 0), PLATE);
}

void dew_build_mirror(dew_SceneBuilder *b, dew_Vec3 point_m, dew_Vec3 normal)
{
    if (b->scene && dew_scene_find_material(b->scene, MIRROR) == DEW_INVALID)
        dew_build_material(b, MIRROR, dew_build_slip((double)INFINITY));
    dew_build_plane(b, point_m, normal, MIRROR);
}

void dew_build_drop(dew_SceneBuilder *b, const dew_DropDef *def)
{
    ADD(dew_scene_add_drop(b->scene, def));
}

void dew_build_ball(dew_SceneBuilder *b, dew_Vec3 center_m, double radius_m)
{
    dew_DropDef def = dew_default_drop_def(DEW_DROP_SPHERE);
    def.center_m = center_m;
    def.radius_m = radius_m;
    dew_build_drop(b, &def);
}

void dew_build_box(dew_SceneBuilder *b, dew_Vec3 min_m, dew_Vec3 max_m)
{
    dew_DropDef def = dew_default_drop_def(DEW_DROP_BOX);
    def.min_m = min_m;
    def.max_m = max_m;
    dew_build_drop(b, &def);
}

void dew_build_cap(dew_SceneBuilder *b, dew_Vec3 point_m, double volume_m3, double angle_rad)
{
    dew_DropDef def = dew_default_drop_def(DEW_DROP_CAP);
    def.point_m = point_m;
    def.volume_m3 = volume_m3;
    def.angle_rad = angle_rad;
    dew_build_drop(b, &def);
}

void dew_build_source(dew_SceneBuilder *b, const dew_SourceDef *def)
{
    ADD(dew_scene_add_source(b->scene, def));
}

void dew_build_sink(dew_SceneBuilder *b, dew_Vec3 min_m, dew_Vec3 max_m)
{
    dew_SinkDef def = dew_default_sink_def();
    def.min_m = min_m;
    def.max_m = max_m;
    ADD(dew_scene_add_sink(b->scene, &def));
}

void dew_build_event(dew_SceneBuilder *b, const dew_EventDef *def)
{
    ADD(dew_scene_add_event(b->scene, def));
}

void dew_build_light(dew_SceneBuilder *b, const dew_LightDef *def)
{
    ADD(dew_scene_add_light(b->scene, def));
}

void dew_build_look(dew_SceneBuilder *b, const dew_LookDef *def)
{
    ADD(dew_scene_add_look(b->scene, def));
}

void dew_build_number(dew_SceneBuilder *b, const char *name, double value)
{
    ADD(dew_scene_set_parameter(b->scene, name, value));
}

void dew_build_flag(dew_SceneBuilder *b, const char *name, bool value)
{
    ADD(dew_scene_set_parameter_flag(b->scene, name, value));
}

void dew_build_choice(dew_SceneBuilder *b, const char *name, const char *value)
{
    ADD(dew_scene_set_parameter_text(b->scene, name, value));
}
