/// Small scenes in a few lines, for validation cases, benchmarks and tests. What a call leaves out
/// is the library's default. After a failure the calls do nothing: dew_build_end reports the first.
///
///     dew_SceneDef def = dew_build_def("surface", min_m, max_m, cell_m);
///     dew_SceneBuilder b = dew_build_begin(&def);
///     dew_build_plate(&b, y_m, dew_build_angle(DEW_DEG(60)));
///     dew_build_cap(&b, point_m, volume_m3, DEW_DEG(90));
///     DEW_TRY(dew_build_end(&b, &scene));
#pragma once

#include "dew/scene.h"

typedef struct dew_SceneBuilder {
    dew_Scene *scene;
    dew_Status status;  // the first failure
} dew_SceneBuilder;

/// Three dimensions, water, gravity of 9.81 m/s^2 along -y, all sides open, a duration longer than
/// any case needs.
dew_SceneDef dew_build_def(const char *solver, int dimensions, dew_Vec3 min_m, dew_Vec3 max_m,
                           double cell_m);
/// The same without gravity, in a cube around the origin.
dew_SceneDef dew_build_weightless(const char *solver, int dimensions, double half_m, double cell_m);
void dew_build_walls(dew_SceneDef *def, const char *material);  // on all six sides
dew_LiquidDef dew_build_liquid(double density_kg_m3, double viscosity_Pa_s, double tension_N_m);
/// Materials: one angle; two, the advancing one on wet ground too.
dew_MaterialDef dew_build_angle(double angle_rad);
dew_MaterialDef dew_build_angles(double receding_rad, double advancing_rad);
dew_MaterialDef dew_build_slip(double slip_m);  // 90 degrees

dew_SceneBuilder dew_build_begin(const dew_SceneDef *def);
void dew_build_material(dew_SceneBuilder *b, const char *name, dew_MaterialDef def);
void dew_build_solid(dew_SceneBuilder *b, const dew_SolidDef *def);
void dew_build_plane(dew_SceneBuilder *b, dew_Vec3 point_m, dew_Vec3 normal, const char *material);
/// A level plane at y = y_m with a material of its own, "plate".
void dew_build_plate(dew_SceneBuilder *b, double y_m, dew_MaterialDef def);
/// A plane that mirrors the flow: it is met at 90 degrees and slips freely.
void dew_build_mirror(dew_SceneBuilder *b, dew_Vec3 point_m, dew_Vec3 normal);

void dew_build_drop(dew_SceneBuilder *b, const dew_DropDef *def);
void dew_build_ball(dew_SceneBuilder *b, dew_Vec3 center_m, double radius_m);
void dew_build_box(dew_SceneBuilder *b, dew_Vec3 min_m, dew_Vec3 max_m);
void dew_build_cap(dew_SceneBuilder *b, dew_Vec3 point_m, double volume_m3, double angle_rad);

void dew_build_source(dew_SceneBuilder *b, const dew_SourceDef *def);
/// A disk that blows downwards.
dew_SourceDef dew_build_disk(dew_Vec3 center_m, double radius_m, double speed_m_s);
void dew_build_sink(dew_SceneBuilder *b, dew_Vec3 min_m, dew_Vec3 max_m);

void dew_build_event(dew_SceneBuilder *b, const dew_EventDef *def);
void dew_build_light(dew_SceneBuilder *b, const dew_LightDef *def);
void dew_build_look(dew_SceneBuilder *b, const dew_LookDef *def);

/// Parameters of the solver.
void dew_build_number(dew_SceneBuilder *b, const char *name, double value);
void dew_build_flag(dew_SceneBuilder *b, const char *name, bool value);
void dew_build_choice(dew_SceneBuilder *b, const char *name, const char *value);

/// The scene, not yet checked: World does that. NULL after a failure.
dew_Status dew_build_end(dew_SceneBuilder *b, dew_Scene **out);
