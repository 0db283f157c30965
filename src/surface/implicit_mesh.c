// The body where a function is negative, as triangles of about one size.
//
// Marching cubes on a grid, then rounds of smoothing: each vertex moves half-way to the mean of its
// neighbours within the tangent plane, then along the normal back to the surface. What marching
// cubes leaves of slivers becomes triangles of about the same size. The function is not asked where
// it cannot reach zero (max_slope).
#include "surface/implicit_mesh.h"

#include "base/arena.h"
#include "base/status.h"
#include "geom/mesh_measure.h"
#include "surface/marching_cubes.h"

#define TILE 8  // nodes along a side of a block that is skipped where the surface is far

// Marching cubes makes about 3 A/h^2 triangles of a surface A; 2.31 A/e^2 would be equilateral.
#define SPACING_PER_EDGE 1.14

static dew_Vec3 node_at(const dew_NodeBlock *block, int64_t i, int64_t j, int64_t k)
{
    return dew_add_scaled(block->origin_m, block->spacing_m,
                          dew_vec((double)i, (double)j, (double)k));
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void sample_tile(const dew_Implicit *implicit, const dew_NodeBlock *block, int64_t i0,
                        int64_t j0, int64_t k0, double *values)
{
    double half = 0.5 * (TILE - 1);
    dew_Vec3 middle =
        dew_add_scaled(node_at(block, i0, j0, k0), half * block->spacing_m, dew_vec(1, 1, 1));
    double there = implicit->value(implicit->context, middle);
    double margin = sqrt(3) * (half + 1) * block->spacing_m * implicit->max_slope;
    for (int64_t k = k0; k < least(k0 + TILE, block->nz); k++) {
        for (int64_t j = j0; j < least(j0 + TILE, block->ny); j++) {
            for (int64_t i = i0; i < least(i0 + TILE, block->nx); i++) {
                double *value = &values[i + block->nx * (j + block->ny * k)];
                *value = fabs(there) > margin
                             ? there
                             : implicit->value(implicit->context, node_at(block, i, j, k));
            }
        }
    }
}

static dew_Status sample(const dew_Implicit *implicit, double edge, dew_Arena *scratch,
                         dew_NodeBlock *block)
{
    double h = SPACING_PER_EDGE * edge;
    dew_Vec3 size = dew_sub(implicit->box.max, implicit->box.min);
    *block = (dew_NodeBlock){.nx = (int64_t)ceil(size.x / h) + 1,
                             .ny = (int64_t)ceil(size.y / h) + 1,
                             .nz = (int64_t)ceil(size.z / h) + 1,
                             .origin_m = implicit->box.min,
                             .spacing_m = h};
    int64_t count = block->nx * block->ny * block->nz;
    double *values = dew_arena_array(scratch, double, count);
    if (!values)
        return dew_no_memory((size_t)count * sizeof(double));
    for (int64_t k = 0; k < block->nz; k += TILE) {
        for (int64_t j = 0; j < block->ny; j += TILE) {
            for (int64_t i = 0; i < block->nx; i += TILE)
                sample_tile(implicit, block, i, j, k, values);
        }
    }
    block->f64 = values;
    return dew_ok();
}

// Sum and number of each vertex's neighbours: every neighbour is met twice, once from each side.
typedef struct Ring {
    dew_Vec3 sum;
    int64_t count;
} Ring;

static void gather_rings(const dew_Mesh *mesh, Ring *rings)
{
    for (int64_t i = 0; i < mesh->positions.count; i++)
        rings[i] = (Ring){{0, 0, 0}, 0};
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        const uint32_t *v = dew_mesh_triangles(mesh)[t].v;
        for (int c = 0; c < 3; c++) {
            Ring *ring = &rings[v[c]];
            ring->sum = dew_add(ring->sum, dew_mesh_positions(mesh)[v[(c + 1) % 3]]);
            ring->sum = dew_add(ring->sum, dew_mesh_positions(mesh)[v[(c + 2) % 3]]);
            ring->count += 2;
        }
    }
}

static void relax(const dew_Implicit *implicit, dew_Mesh *mesh, Ring *rings, dew_Vec3 *normals)
{
    gather_rings(mesh, rings);
    dew_mesh_vertex_normals(mesh, normals);
    dew_Vec3 *x = DEW_ITEMS(&mesh->positions, dew_Vec3);
    for (int64_t i = 0; i < mesh->positions.count; i++) {
        dew_Vec3 step = dew_sub(dew_scale(1 / (double)rings[i].count, rings[i].sum), x[i]);
        step = dew_add_scaled(step, -dew_inner(step, normals[i]), normals[i]);
        x[i] = dew_add_scaled(x[i], 0.5, step);
        double off = implicit->value(implicit->context, x[i]) / implicit->max_slope;
        x[i] = dew_add_scaled(x[i], -off, normals[i]);
    }
}

dew_Status dew_implicit_mesh(const dew_Implicit *implicit, double edge, dew_Mesh *mesh)
{
    dew_mesh_clear(mesh);
    dew_Arena scratch;
    dew_arena_init(&scratch, &mesh->allocator);
    dew_NodeBlock block;
    dew_MarchingDef def = dew_default_marching_def();
    def.scratch = &scratch;
    dew_Status status = sample(implicit, edge, &scratch, &block);
    if (status.code == DEW_OK)
        status = dew_marching_cubes_block(
            &block, &def, (dew_MarchingOut){&mesh->positions, &mesh->triangles, NULL});
    if (status.code == DEW_OK) {
        int64_t count = mesh->positions.count;
        Ring *rings = dew_arena_array(&scratch, Ring, count);
        dew_Vec3 *normals = dew_arena_array(&scratch, dew_Vec3, count);
        if (!rings || !normals)
            status = dew_no_memory((size_t)count * (sizeof(Ring) + sizeof(dew_Vec3)));
        for (int round = 0; status.code == DEW_OK && round < implicit->relax_count; round++)
            relax(implicit, mesh, rings, normals);
    }
    dew_arena_deinit(&scratch);
    return status;
}
