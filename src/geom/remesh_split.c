// Split of long edges, longest first.
//
// The new vertex lies in the middle of the edge, so that the volume does not change, but for one
// that is put back on a curved solid. Where chords cut through a thin solid or cut off a sharp
// edge, that may make new edges as long as the one that goes, and splits would never end:
// such an edge stays, and a pass makes vertices between vertices it has made only so many
// generations deep.
#include "geom/remesh_state.h"

#define MAX_GENERATIONS 20   // of new vertices on a solid in one pass
#define SHORTER         0.8  // of the edge: both halves must be, or it is not worth it

typedef struct Quad {
    uint32_t a, b, c, d;  // the edge's ends, the corners left and right of it
} Quad;

static uint8_t middle_label(const dew_Remesh *remesh, Quad q)
{
    uint8_t label = dew_remesh_label(remesh, q.a) & dew_remesh_label(remesh, q.b);
    bool is_left_wet = dew_remesh_is_wetted(remesh, q.a, q.b, q.c);
    bool is_right_wet = dew_remesh_is_wetted(remesh, q.a, q.b, q.d);
    if (is_left_wet == is_right_wet)
        label &= (uint8_t)~DEW_LABEL_CONTACT_LINE;
    if (!is_left_wet && !is_right_wet)
        label &= (uint8_t)~DEW_LABEL_TOUCHING;
    return label;
}

static dew_Vec3 find_place(const dew_Remesh *remesh, const Quad *q, uint8_t label)
{
    dew_Vec3 middle =
        dew_combine(0.5, *dew_remesh_at(remesh, q->a), 0.5, *dew_remesh_at(remesh, q->b));
    if (!remesh->def.project || !(label & DEW_LABEL_TOUCHING))
        return middle;
    dew_Vec3 on_solid = middle;
    remesh->def.project(remesh->def.context, label, &on_solid);
    return dew_vec_is_finite(on_solid) ? on_solid : middle;
}

static bool shortens(const dew_Remesh *remesh, const Quad *q, dew_Vec3 place)
{
    dew_Vec3 a = *dew_remesh_at(remesh, q->a), b = *dew_remesh_at(remesh, q->b);
    double most = SHORTER * dew_distance(a, b);
    return dew_distance(a, place) <= most && dew_distance(b, place) <= most;
}

// Puts the new vertex in its place; the volume is linear in its position, see remesh_collapse.c.
static void move_there(dew_Remesh *remesh, uint32_t m, dew_Vec3 to)
{
    const dew_Topology *topology = &remesh->topology;
    dew_Vec3 from = *dew_remesh_at(remesh, m), step = dew_sub(to, from);
    uint32_t start = dew_vertex_half(topology, m), h = start;
    do {
        dew_Vec3 x = dew_sub(*dew_remesh_at(remesh, dew_half_to(topology, h)), from);
        dew_Vec3 y = dew_sub(*dew_remesh_at(remesh, dew_half_apex(topology, h)), from);
        remesh->result.volume_change_m3 += dew_determinant(step, x, y) / 6;
        h = dew_half_around(topology, h);
    } while (h != start);
    *dew_remesh_at(remesh, m) = to;
}

// All edges at the new vertex, and the four around it: two of those have new half-edges, which the
// queue does not know. Were they lost to it, thin triangles would be split at their shorter sides
// for ever.
static void look_around(dew_Remesh *remesh, uint32_t m)
{
    uint32_t start = dew_vertex_half(&remesh->topology, m), h = start;
    do {
        dew_remesh_touch(remesh, dew_half_to(&remesh->topology, h));
        dew_remesh_sort_edge(remesh, h);
        dew_remesh_suspect(remesh, h);
        dew_remesh_sort_edge(remesh, dew_half_next(h));
        dew_remesh_suspect(remesh, dew_half_next(h));
        h = dew_half_around(&remesh->topology, h);
    } while (h != start);
}

static dew_Status split(dew_Remesh *remesh, uint32_t h, bool *is_done)
{
    dew_Topology *topology = &remesh->topology;
    DEW_TRY(dew_remesh_reserve(remesh, 1, 2));
    Quad q = {dew_half_from(topology, h), dew_half_to(topology, h), dew_half_apex(topology, h),
              dew_half_apex(topology, dew_half_twin(topology, h))};
    uint8_t label = middle_label(remesh, q);
    bool is_on_solid = label & DEW_LABEL_TOUCHING;
    uint8_t a_age = dew_remesh_generation(remesh, q.a), b_age = dew_remesh_generation(remesh, q.b);
    uint8_t generation = (uint8_t)((a_age > b_age ? a_age : b_age) + is_on_solid);
    dew_Vec3 place = find_place(remesh, &q, label);
    *is_done = generation <= MAX_GENERATIONS && shortens(remesh, &q, place);
    if (!*is_done)
        return dew_ok();
    dew_Vec3 *velocity = DEW_ITEMS(&remesh->velocity, dew_Vec3);
    double *scale = DEW_ITEMS(&remesh->scale, double);
    uint32_t m = dew_topology_split(topology, h);
    dew_remesh_copy_vertex(remesh, m, q.a);
    *dew_remesh_at(remesh, m) =
        dew_combine(0.5, *dew_remesh_at(remesh, q.a), 0.5, *dew_remesh_at(remesh, q.b));
    velocity[m] = dew_combine(0.5, velocity[q.a], 0.5, velocity[q.b]);
    scale[m] = 0.5 * (scale[q.a] + scale[q.b]);
    DEW_ITEMS(&remesh->label, uint8_t)[m] = label;
    if (is_on_solid)
        move_there(remesh, m, place);
    DEW_ITEMS(&remesh->dirty, uint8_t)[m] = (uint8_t)(1 | generation << 1);
    remesh->result.split_count++;
    look_around(remesh, m);
    return dew_remesh_memory(remesh);
}

dew_Status dew_remesh_split_stage(dew_Remesh *remesh, int64_t limit)
{
    dew_RemeshEdge edge;
    while (limit > 0 && dew_remesh_queue_pop(&remesh->long_edges, &edge)) {
        if (!dew_remesh_is_current(remesh, &edge, -1))
            continue;
        bool is_done;
        DEW_TRY(split(remesh, edge.half, &is_done));
        limit -= is_done;
    }
    return dew_ok();
}
