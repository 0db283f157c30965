// Worlds of benchmarks.
#include "bench/bench_world.h"

#include "support/bundled.h"

#include <math.h>

dew_Vec3 dew_lattice_point_m(const dew_DropLattice *lattice, int index)
{
    int row = index / lattice->rows;
    return (dew_Vec3){lattice->first_m.x + lattice->spacing_m * (index % lattice->rows),
                      lattice->first_m.y, lattice->first_m.z + lattice->spacing_m * row};
}

double dew_lattice_volume_m3(const dew_DropLattice *lattice, int index)
{
    return lattice->min_m3 + (lattice->max_m3 - lattice->min_m3) * fmod(0.618034 * index, 1);
}

void dew_bench_lattice(dew_SceneBuilder *b, const dew_DropLattice *lattice)
{
    for (int i = 0; i < lattice->rows * lattice->rows; i++)
        dew_build_cap(b, dew_lattice_point_m(lattice, i), dew_lattice_volume_m3(lattice, i),
                      lattice->angle_rad);
}

dew_Status dew_bench_world_open(dew_BenchWorld *out, dew_SceneBuilder *b, int workers)
{
    *out = (dew_BenchWorld){0};
    DEW_TRY(dew_build_end(b, &out->scene));
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = workers;
    return dew_world_create(out->scene, &def, &out->world);
}

void dew_bench_world_close(dew_BenchWorld *world)
{
    dew_world_destroy(world->world);
    dew_scene_destroy(world->scene);
    *world = (dew_BenchWorld){0};
}

dew_Status dew_bench_window(const char *const *changes, int count, dew_Scene **out)
{
    dew_SceneLoadDef def = dew_default_scene_load_def();
    dew_StringPool pool = {0};
    dew_Status status = dew_bundled_path(&pool, "window", &def.path);
    def.overrides = changes;
    def.override_count = count;
    if (status.code == DEW_OK)
        status = dew_scene_load_with(&def, out);
    dew_pool_deinit(&pool);
    return status;
}

dew_Status dew_bench_tabletop(double y_m, dew_Vec3 color, double roughness, dew_Scene **out)
{
    dew_SceneDef def = dew_build_def("volume", 3, dew_v3(-6, y_m, -6), dew_v3(6, 2, 6), 0.2);
    dew_LookDef look = dew_default_look_def();
    look.material = "plate";
    look.kind = DEW_LOOK_PLASTIC;
    look.color = color;
    look.roughness = roughness;
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_plate(&b, y_m, dew_build_angle(DEW_DEG(90)));
    dew_build_ball(&b, dew_v3(0, 1, 0), 0.5);
    dew_build_look(&b, &look);
    return dew_build_end(&b, out);
}

void dew_bench_tilt(dew_World *world, double angle_rad)
{
    dew_world_set_gravity(world, (dew_Vec3){9.81 * sin(angle_rad), -9.81 * cos(angle_rad), 0});
}
