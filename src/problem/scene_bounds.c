// The box in which solids and drops are looked at.
#include "problem/scene_bounds.h"

#include "scene/traits.h"

dew_Box dew_scene_bounds(const dew_Scene *scene)
{
    const dew_DomainDef *domain = &dew_scene_def(scene)->domain;
    dew_Box bounds = {domain->min_m, domain->max_m};
    double size = dew_distance(bounds.min, bounds.max);
    if (!(bounds.max.x > bounds.min.x))
        bounds.min.x -= size, bounds.max.x += size;
    if (!(bounds.max.y > bounds.min.y))
        bounds.min.y -= size, bounds.max.y += size;
    if (!(bounds.max.z > bounds.min.z))
        bounds.min.z -= size, bounds.max.z += size;
    return bounds;
}

bool dew_scene_contains(const dew_Scene *scene, dew_Box box, double slack_m)
{
    dew_Box bounds = dew_scene_bounds(scene);
    double cells[3], slack = slack_m + 1e-9 * dew_distance(bounds.min, bounds.max);
    dew_scene_cell_counts(scene, cells);
    bool fits_x = box.min.x >= bounds.min.x - slack && box.max.x <= bounds.max.x + slack;
    bool fits_y = box.min.y >= bounds.min.y - slack && box.max.y <= bounds.max.y + slack;
    bool fits_z = box.min.z >= bounds.min.z - slack && box.max.z <= bounds.max.z + slack;
    return (fits_x || cells[0] == 1) && (fits_y || cells[1] == 1) && (fits_z || cells[2] == 1);
}
