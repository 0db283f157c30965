// Looks of solids and liquid, resolved from the scene.
#include "render/solid_look.h"

#include "problem/resolved.h"

#include <math.h>
#include <string.h>

/// Bounds of the edges of curved solids in their mesh.
static const struct {
    double of_radius;    // of the solid's smallest radius, at most
    double min_of_size;  // of the solid, at least
} edge_ratio = {.of_radius = 0.05, .min_of_size = 0.003};

#define DYED_DEPTH 0.1  // after which a dyed liquid has its colour, in widths of the domain

double dew_problem_width_m(const dew_Problem *problem)
{
    dew_Box box = dew_problem_domain(problem);
    double x = box.max.x - box.min.x, z = box.max.z - box.min.z;
    return fmax(fmax(x, z), 1e-6);
}

// Walls come after the scene's solids, in the order of sides.
const char *dew_solid_material_name(const dew_Problem *problem, int solid_id)
{
    const dew_Solid *solid = &problem->solids[solid_id];
    const dew_DomainDef *domain = &dew_scene_def(problem->scene)->domain;
    if (solid->scene_index != DEW_INVALID)
        return dew_scene_solid(problem->scene, solid->scene_index)->material;
    int walls_before = solid_id - dew_scene_solid_count(problem->scene);
    for (int side = 0; side < DEW_SIDE_COUNT; side++)
        if (domain->wall_material[side] && walls_before-- == 0)
            return domain->wall_material[side];
    return NULL;
}

const dew_LookDef *dew_solid_look_def(const dew_Problem *problem, const char *material)
{
    const dew_LookDef *found = NULL;
    for (int k = 0; material && k < dew_scene_look_count(problem->scene); k++) {
        const dew_LookDef *look = dew_scene_look(problem->scene, k);
        if (strcmp(look->material, material) == 0)
            found = look;
    }
    return found;
}

dew_Look dew_solid_look(const dew_Problem *problem, int solid_id)
{
    const char *material = dew_solid_material_name(problem, solid_id);
    const dew_LookDef *def = dew_solid_look_def(problem, material);
    dew_Look look = dew_look(def, material, dew_problem_width_m(problem));
    bool is_auto = !def || def->kind == DEW_LOOK_AUTO;
    if (problem->solids[solid_id].shape == DEW_SOLID_LEAF && is_auto)
        look.kind = DEW_LOOK_LEAF;
    return look;
}

dew_LiquidLook dew_problem_liquid_look(const dew_Problem *problem)
{
    dew_LiquidLook liquid = dew_liquid_look(&dew_problem_def(problem)->liquid);
    const dew_LookDef *dyed = dew_solid_look_def(problem, DEW_LIQUID_LOOK);
    if (dyed && liquid.is_opaque)
        liquid.look.color = dew_f3_from(dyed->color);
    else if (dyed)
        liquid.medium.absorption_1_m =
            dew_dye(dyed->color, DYED_DEPTH * dew_problem_width_m(problem));
    return liquid;
}

double dew_solid_drawn_edge_m(const dew_Problem *problem, int solid_id)
{
    switch (problem->solids[solid_id].shape) {
    case DEW_SOLID_SPHERE:
    case DEW_SOLID_CYLINDER:
    case DEW_SOLID_TUBE: {
        dew_Box box = dew_problem_solid_box(problem, solid_id);
        double size_m = dew_distance(box.min, box.max), radius = problem->solids[solid_id].radius_m;
        // Of a long pipe: so short that facets do not fall below its round surface by more than
        // liquid is inset.
        return fmax(fmin(DEW_DRAWN_EDGE_RATIO * size_m, edge_ratio.of_radius * radius),
                    edge_ratio.min_of_size * size_m);
    }
    default:
        return 0;
    }
}
