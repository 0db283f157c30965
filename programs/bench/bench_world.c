// Worlds of benchmarks.
#include "bench/bench_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINE 160  // bytes of a drop

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

dew_Status dew_bench_scene(const char *text, dew_Scene **out)
{
    dew_SceneLoadDef load = dew_default_scene_load_def();
    load.path = "bench.yaml";
    load.text = text;
    load.text_size = strlen(text);
    return dew_scene_load_with(&load, out);
}

/// The text with the drops behind it; free() it. NULL: out of memory.
static char *text_with_drops(const char *text, const dew_DropLattice *lattice)
{
    int count = lattice ? lattice->rows * lattice->rows : 0;
    size_t size = strlen(text) + 16 + (size_t)count * MAX_LINE, length;
    char *out = malloc(size);
    if (!out)
        return NULL;
    length = (size_t)snprintf(out, size, "%s%s", text, lattice ? "drops:\n" : "");
    for (int i = 0; i < count; i++) {
        dew_Vec3 point_m = dew_lattice_point_m(lattice, i);
        length += (size_t)snprintf(
            out + length, size - length,
            "  - {shape: cap, point: [%.9g, 0, %.9g], normal: [0, 1, 0], volume: %.9g, "
            "angle: %.9g}\n",
            point_m.x, point_m.z, dew_lattice_volume_m3(lattice, i), lattice->angle_rad);
    }
    return out;
}

dew_Status dew_bench_world_open(dew_BenchWorld *out, const char *text,
                                const dew_DropLattice *lattice, int workers)
{
    *out = (dew_BenchWorld){0};
    char *whole = text_with_drops(text, lattice);
    dew_Status status =
        whole ? dew_bench_scene(whole, &out->scene) : dew_fail(DEW_NO_MEMORY, "out of memory");
    free(whole);
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = workers;
    return status.code == DEW_OK ? dew_world_create(out->scene, &def, &out->world) : status;
}

void dew_bench_world_close(dew_BenchWorld *world)
{
    dew_world_destroy(world->world);
    dew_scene_destroy(world->scene);
    *world = (dew_BenchWorld){0};
}

void dew_bench_tilt(dew_World *world, double angle_rad)
{
    dew_world_set_gravity(world, (dew_Vec3){9.81 * sin(angle_rad), -9.81 * cos(angle_rad), 0});
}
