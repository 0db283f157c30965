// Isosurfaces of samples that a caller has, as Surfaces.
#include "base/status.h"
#include "dew/geometry.h"
#include "dew/grid.h"
#include "surface/marching_cubes.h"
#include "surface/surface.h"

static dew_MarchingOut out_of(dew_Surface *surface)
{
    dew_surface_clear(surface);
    return (dew_MarchingOut){&surface->positions, &surface->triangles, NULL};
}

static dew_Status march(const dew_SampleBlock *block, dew_Tasks *tasks, dew_MarchingOut out)
{
    for (int a = 0; a < 3; a++)
        if (block->counts[a] < 1)
            return dew_fail(DEW_BAD_INPUT, "a block of samples has no nodes along axis %d", a);
    dew_NodeBlock nodes = {.f64 = block->values,
                           .nx = block->counts[0],
                           .ny = block->counts[1],
                           .nz = block->counts[2],
                           .origin_m = block->origin_m,
                           .spacing_m = block->spacing_m};
    dew_MarchingDef def = dew_default_marching_def();
    def.iso = block->iso;
    def.tasks = tasks;
    return dew_marching_cubes_block(&nodes, &def, out);
}

dew_Status dew_mesh_from_samples(const dew_SampleBlock *block, dew_Tasks *tasks, dew_Mesh *mesh)
{
    dew_mesh_clear(mesh);
    return march(block, tasks, (dew_MarchingOut){&mesh->positions, &mesh->triangles, NULL});
}

dew_Status dew_surface_from_samples(const dew_SampleBlock *block, dew_Surface *out)
{
    DEW_TRY(march(block, NULL, out_of(out)));
    return dew_surface_finish(out);
}

dew_Status dew_level_set_surface(dew_LevelSet *level_set, dew_Surface *out)
{
    dew_FieldView phi;
    DEW_TRY(dew_level_set_field(level_set, "phi", &phi));
    if (phi.bricks.dimensions != 3)
        return dew_fail(DEW_UNSUPPORTED, "a level set in two dimensions has no surface mesh");
    double half_m = 0.5 * phi.bricks.cell_m;
    dew_NodeBricks bricks = {.f64 = phi.values,
                             .brick_count = phi.bricks.count,
                             .coords = (const int32_t(*)[3])phi.bricks.coords,
                             .origin_m =
                                 dew_add(phi.bricks.origin_m, dew_vec(half_m, half_m, half_m)),
                             .spacing_m = phi.bricks.cell_m};
    dew_MarchingDef def = dew_default_marching_def();
    DEW_TRY(dew_marching_cubes_bricks(&bricks, &def, out_of(out)));
    return dew_surface_finish(out);
}
