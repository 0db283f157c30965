// Sides of the domain, for images.
#include "render/render_sides.h"

#include "problem/resolved.h"

#define NEAR_RATIO 1e-6  // of the domain's size: a vertex so near to a side is in it

static double *coordinate(dew_Vec3 *x, int side)
{
    return side / 2 == 0 ? &x->x : side / 2 == 1 ? &x->y : &x->z;
}

// Sides are in pairs, the lower first.
static double outward(int side)
{
    return side % 2 == 0 ? -1 : 1;
}

static int lowest(uint8_t bits)
{
    int side = 0;
    while (side + 1 < DEW_SIDE_COUNT && !(bits >> side & 1))
        side++;
    return side;
}

// Walls come after the scene's solids, in the order of sides.
static void find_walls(const dew_RenderScene *scene, dew_RenderSides *sides)
{
    const dew_DomainDef *domain = &dew_scene_def(scene->problem->scene)->domain;
    int solid_id = dew_scene_solid_count(scene->problem->scene);
    for (int side = 0; side < DEW_SIDE_COUNT; side++) {
        sides->has_wall[side] = domain->wall_material[side] != NULL;
        if (sides->has_wall[side] && solid_id < scene->problem->solid_count)
            sides->is_drawn[side] = !dew_render_scene_hides(scene, solid_id++);
    }
}

dew_RenderSides dew_render_sides(const dew_RenderScene *scene)
{
    dew_RenderSides sides = {.near_m = 0};
    if (!scene->problem)
        return sides;
    dew_Box box = dew_problem_domain(scene->problem);
    sides.near_m = NEAR_RATIO * dew_distance(box.min, box.max);
    for (int side = 0; side < DEW_SIDE_COUNT; side++) {
        double low = *coordinate(&box.min, side), high = *coordinate(&box.max, side);
        sides.at_m[side] = side % 2 == 0 ? low : high;
        sides.is_side[side] = high > low;  // a height field's domain may be flat
    }
    find_walls(scene, &sides);
    return sides;
}

uint8_t dew_render_sides_of(const dew_RenderSides *sides, dew_Vec3 x, double touch_m)
{
    uint8_t bits = 0;
    for (int side = 0; side < DEW_SIDE_COUNT; side++) {
        double reach = sides->has_wall[side] ? fmax(touch_m, sides->near_m) : sides->near_m;
        bool is_in =
            sides->is_side[side] && fabs(*coordinate(&x, side) - sides->at_m[side]) <= reach;
        bits = (uint8_t)(bits | is_in << side);
    }
    return bits;
}

double dew_render_sides_distance(const dew_RenderSides *sides, uint8_t bits, dew_Vec3 x)
{
    int side = lowest(bits);
    return fabs(*coordinate(&x, side) - sides->at_m[side]);
}

dew_Vec3 dew_render_sides_place(const dew_RenderSides *sides, uint8_t bits, dew_Vec3 x,
                                double depth_m)
{
    for (int side = 0; side < DEW_SIDE_COUNT; side++)
        if ((bits >> side & 1) && sides->has_wall[side])
            *coordinate(&x, side) =
                sides->at_m[side] + (sides->is_drawn[side] ? outward(side) * depth_m : 0);
    return x;
}

dew_Vec3 dew_render_sides_normal(uint8_t bits)
{
    int side = lowest(bits);
    dew_Vec3 normal = {0, 0, 0};
    *coordinate(&normal, side) = outward(side);
    return normal;
}

dew_Vec3 dew_render_sides_level(uint8_t bits, dew_Vec3 x, dew_Vec3 y)
{
    int side = lowest(bits);
    *coordinate(&x, side) = *coordinate(&y, side);
    return x;
}
