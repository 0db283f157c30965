// Solids as triangle meshes at rest: for images, wet maps, and for sampling drops over them.
#include "base/status.h"
#include "geom/shapes.h"
#include "problem/refine.h"
#include "problem/resolved.h"
#include "problem/scene_bounds.h"
#include "problem/solid_def.h"

// A fan over the plane's part in the domain, at rest; empty when it does not cut the domain.
static dew_Status plane_mesh(const dew_Solid *solid, dew_Box bounds, dew_Mesh *out)
{
    dew_Vec3 corners[DEW_PLANE_CORNERS];
    int count = dew_solid_plane_cut(solid, bounds, corners);
    dew_mesh_clear(out);
    if (count == 0)
        return dew_ok();
    dew_Vec3 middle = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        DEW_TRY(dew_mesh_add_vertex(out, corners[i]));
        middle = dew_add_scaled(middle, 1.0 / count, corners[i]);
    }
    DEW_TRY(dew_mesh_add_vertex(out, middle));
    for (int i = 0; i < count; i++)
        DEW_TRY(
            dew_mesh_add_triangle(out, (uint32_t)count, (uint32_t)i, (uint32_t)((i + 1) % count)));
    return dew_ok();
}

// In the shape's own frame; *is_fine: edges are as short as asked already.
static dew_Status shape_mesh(const dew_Solid *solid, double edge_m, dew_Mesh *out, bool *is_fine)
{
    *is_fine = true;
    switch (solid->shape) {
    case DEW_SOLID_SPHERE:
        return dew_shape_sphere(solid->radius_m, edge_m, out);
    case DEW_SOLID_BOX:
        return dew_shape_box(dew_scale(2, solid->half_m), edge_m, out);
    case DEW_SOLID_CYLINDER:
        return dew_shape_cylinder(solid->radius_m, 2 * solid->half_length_m, edge_m, out);
    case DEW_SOLID_TUBE:
        return dew_shape_tube(solid->inner_radius_m, solid->radius_m, 2 * solid->half_length_m,
                              edge_m, out);
    case DEW_SOLID_LEAF:
        *is_fine = false;
        return dew_leaf_mesh(&solid->leaf, out);
    case DEW_SOLID_MESH:
        *is_fine = false;
        return dew_mesh_copy(out, solid->mesh);
    case DEW_SOLID_HEIGHTFIELD:
        *is_fine = false;
        return dew_heightfield_mesh(solid->heightfield, out);
    case DEW_SOLID_PLANE:
    case DEW_SOLID_SHAPE_COUNT:
        break;
    }
    DEW_ASSERT(false && "a shape that is none");
    return dew_ok();
}

dew_Status dew_problem_solid_mesh(const dew_Problem *problem, int solid_id, double edge_m,
                                  dew_Mesh *out)
{
    DEW_ASSERT(solid_id >= 0 && solid_id < problem->solid_count);
    const dew_Solid *solid = &problem->solids[solid_id];
    bool is_fine = false;
    if (solid->shape == DEW_SOLID_PLANE) {
        DEW_TRY(plane_mesh(solid, dew_scene_bounds(problem->scene), out));
    } else {
        DEW_TRY(shape_mesh(solid, edge_m, out, &is_fine));
        dew_mesh_transform(out, 1, solid->turn, solid->origin_m);
    }
    if (solid->is_inside_out)
        dew_mesh_flip(out);
    return edge_m > 0 && !is_fine ? dew_mesh_refine(out, edge_m) : dew_ok();
}
