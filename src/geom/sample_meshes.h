/// For tests: meshes to ask questions of.
#pragma once

#include "base/random.h"
#include "base/testing.h"
#include "geom/mesh.h"
#include "geom/shapes.h"

static inline dew_Vec3 sample_point(dew_Random *random, double reach)
{
    double x = dew_random_range(random, -reach, reach), y = dew_random_range(random, -reach, reach);
    return dew_vec(x, y, dew_random_range(random, -reach, reach));
}

/// A closed, bumpy blob of 20 frequency^2 triangles without self-intersections, about 1.5 x 1 x
/// 0.8.
static inline void sample_blob(dew_Mesh *mesh, int frequency)
{
    assert_ok(dew_shape_icosphere(1, frequency, mesh));
    dew_Vec3 *x = DEW_ITEMS(&mesh->positions, dew_Vec3);
    for (int64_t i = 0; i < mesh->positions.count; i++) {
        dew_Vec3 p = x[i];
        double r = 1 + 0.25 * sin(7 * p.x) * sin(5 * p.y + 1) * cos(6 * p.z);
        x[i] = dew_vec(1.5 * r * p.x, r * p.y, 0.75 * r * p.z);
    }
}

/// Triangles strewn at random in [-1, 1]^3, each with its own vertices.
static inline void sample_soup(dew_Mesh *mesh, int64_t count, double size, uint64_t seed)
{
    dew_mesh_clear(mesh);
    dew_Random random = dew_random(seed, 0, 0);
    for (int64_t t = 0; t < count; t++) {
        dew_Vec3 middle = sample_point(&random, 1);
        for (int i = 0; i < 3; i++)
            assert_ok(dew_mesh_add_vertex(mesh, dew_add(middle, sample_point(&random, size))));
        uint32_t v = (uint32_t)(3 * t);
        assert_ok(dew_mesh_add_triangle(mesh, v, v + 1, v + 2));
    }
}
