/// A scene built in code and its world, for benchmarks.
#pragma once

#include "bench/bench.h"
#include "support/scene_builder.h"
#include "support/vec.h"

#define DEW_BENCH_STAGES 16  // of a step, at most, that a benchmark prints

typedef struct dew_BenchWorld {
    dew_Scene *scene;
    dew_World *world;
} dew_BenchWorld;

/// rows x rows caps on y = 0, whose volumes differ.
typedef struct dew_DropLattice {
    int rows;
    double spacing_m;
    dew_Vec3 first_m;  // point of the first
    double min_m3, max_m3;
    double angle_rad;
} dew_DropLattice;

dew_Vec3 dew_lattice_point_m(const dew_DropLattice *lattice, int index);
double dew_lattice_volume_m3(const dew_DropLattice *lattice, int index);

void dew_bench_lattice(dew_SceneBuilder *b, const dew_DropLattice *lattice);  // adds its drops

/// The builder's scene and its world. To be closed, even after a failure.
dew_Status dew_bench_world_open(dew_BenchWorld *out, dew_SceneBuilder *b, int workers);
void dew_bench_world_close(dew_BenchWorld *world);
/// The bundled scene `window`, hundreds of drops on a pane, with some values changed as --set does.
dew_Status dew_bench_window(const char *const *changes, int count, dew_Scene **out);
/// A table of plastic, metres wide, to render drops on.
dew_Status dew_bench_tabletop(double y_m, dew_Vec3 color, double roughness, dew_Scene **out);
/// Turns gravity by an angle about z.
void dew_bench_tilt(dew_World *world, double angle_rad);
