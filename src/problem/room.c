// The box in which solids and drops are looked at.
#include "problem/room.h"

#include "scene/traits.h"

dew_Box dew_scene_room(const dew_Scene *scene)
{
    const dew_DomainDef *domain = &dew_scene_def(scene)->domain;
    dew_Box room = {domain->min_m, domain->max_m};
    double size = dew_distance(room.min, room.max);
    if (!(room.max.x > room.min.x))
        room.min.x -= size, room.max.x += size;
    if (!(room.max.y > room.min.y))
        room.min.y -= size, room.max.y += size;
    if (!(room.max.z > room.min.z))
        room.min.z -= size, room.max.z += size;
    return room;
}

bool dew_scene_has_room(const dew_Scene *scene, dew_Box box, double slack_m)
{
    dew_Box room = dew_scene_room(scene);
    double cells[3], slack = slack_m + 1e-9 * dew_distance(room.min, room.max);
    dew_scene_cell_counts(scene, cells);
    bool fits_x = box.min.x >= room.min.x - slack && box.max.x <= room.max.x + slack;
    bool fits_y = box.min.y >= room.min.y - slack && box.max.y <= room.max.y + slack;
    bool fits_z = box.min.z >= room.min.z - slack && box.max.z <= room.max.z + slack;
    return (fits_x || cells[0] == 1) && (fits_y || cells[1] == 1) && (fits_z || cells[2] == 1);
}
