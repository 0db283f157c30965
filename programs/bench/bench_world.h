/// A scene as text, as a user would write it, and its world, for benchmarks.
#pragma once

#include "bench/bench.h"

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

dew_Status dew_bench_scene(const char *text, dew_Scene **out);
/// The scene of a text with a lattice of drops, which may be NULL, and its world. To be closed,
/// even after a failure.
dew_Status dew_bench_world_open(dew_BenchWorld *out, const char *text,
                                const dew_DropLattice *lattice, int workers);
void dew_bench_world_close(dew_BenchWorld *world);
/// Turns gravity by an angle about z.
void dew_bench_tilt(dew_World *world, double angle_rad);
