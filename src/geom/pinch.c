// Cutting a neck, [Zhang2011] section 5.2 and figure 5.
//
// The loop of three edges through the short edge and a shared neighbour is cut, both sides are
// closed by a triangle. A side of few triangles and less than the smallest volume is taken out, and
// reported as a loss: the paper's single tetrahedron, but also the flat pocket that a loop on a
// smooth part cuts off, which is no neck at all. A dent closed off has negative volume: taking it
// out fills it.
//
// differs: the paper deletes tetrahedra of any size; here volume decides.
#include "geom/pinch.h"

#define MAX_SIDE   40  // triangles of a side that is looked at whole
#define MAX_THIRDS 8

typedef struct Side {
    uint32_t triangles[MAX_SIDE + 1];  // one more: the cap
    int count;                         // MAX_SIDE + 1: more than were looked at
    double volume;                     // with its cap; only when looked at whole
} Side;

static double loop_length(const dew_Remesh *remesh, uint32_t a, uint32_t b, uint32_t third)
{
    dew_Vec3 e = *dew_remesh_at(remesh, third);
    return dew_distance(*dew_remesh_at(remesh, a), e) + dew_distance(*dew_remesh_at(remesh, b), e);
}

// The narrowest loop through the edge.
static dew_Loop narrowest_loop(dew_Remesh *remesh, uint32_t h)
{
    uint32_t third[MAX_THIRDS], a = dew_half_from(&remesh->topology, h),
                                b = dew_half_to(&remesh->topology, h);
    int count = dew_topology_shared(&remesh->topology, h, third, MAX_THIRDS) - 2;
    count = count < MAX_THIRDS ? count : MAX_THIRDS;
    uint32_t best = third[0];
    double shortest = loop_length(remesh, a, b, best);
    for (int i = 1; i < count; i++) {
        double length = loop_length(remesh, a, b, third[i]);
        if (length < shortest || (length == shortest && third[i] < best)) {
            best = third[i];
            shortest = length;
        }
    }
    return dew_topology_loop(&remesh->topology, h, best);
}

static Side look_at_side(const dew_Remesh *remesh, const dew_Loop *loop)
{
    const dew_Topology *topology = &remesh->topology;
    Side side;
    side.count = dew_topology_side(topology, loop, side.triangles, MAX_SIDE);
    side.volume = (double)INFINITY;
    if (side.count > MAX_SIDE)
        return side;
    dew_Vec3 o = *dew_remesh_at(remesh, dew_half_from(topology, loop->half[0]));
    double six = 0;  // the cap has a corner at o and adds nothing
    for (int i = 0; i < side.count; i++) {
        uint32_t h = 3 * side.triangles[i];
        dew_Vec3 x[3];
        for (uint32_t k = 0; k < 3; k++)
            x[k] = dew_sub(*dew_remesh_at(remesh, dew_half_from(topology, h + k)), o);
        six += dew_determinant(x[0], x[1], x[2]);
    }
    side.volume = six / 6;
    return side;
}

static bool holds(const Side *side, uint32_t triangle)
{
    for (int i = 0; i < side->count && i < MAX_SIDE; i++) {
        if (side->triangles[i] == triangle)
            return true;
    }
    return false;
}

// Takes out the piece that the cap belongs to and reports it as a loss.
static void take_out(dew_Remesh *remesh, uint32_t cap, Side *side)
{
    const dew_Topology *topology = &remesh->topology;
    dew_RemeshLoss loss = {.volume_m3 = side->volume};
    double weight = 1.0 / (3 * side->count);
    for (int i = 0; i < side->count; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t v = dew_half_from(topology, 3 * side->triangles[i] + k);
            loss.position_m = dew_add_scaled(loss.position_m, weight, *dew_remesh_at(remesh, v));
            loss.velocity_m_s = dew_add_scaled(loss.velocity_m_s, weight,
                                               DEW_ITEMS(&remesh->velocity, dew_Vec3)[v]);
        }
    }
    dew_topology_remove(&remesh->topology, cap, side->triangles, MAX_SIDE + 1);
    DEW_ITEMS(&remesh->losses, dew_RemeshLoss)[remesh->losses.count++] = loss;
    remesh->result.loss_count++;
    remesh->result.loss_m3 += loss.volume_m3;
}

// The edges of a cap may collapse or flip now.
static void look_again(dew_Remesh *remesh, uint32_t cap)
{
    if (dew_half_from(&remesh->topology, 3 * cap) == DEW_NO_HALF)
        return;
    for (uint32_t h = 3 * cap; h < 3 * cap + 3; h++) {
        dew_remesh_touch(remesh, dew_half_from(&remesh->topology, h));
        dew_remesh_sort_edge(remesh, h);
        dew_remesh_suspect(remesh, h);
    }
}

dew_Status dew_pinch(dew_Remesh *remesh, uint32_t h, bool *is_done)
{
    dew_Topology *topology = &remesh->topology;
    *is_done = false;
    dew_Loop loop = narrowest_loop(remesh, h);
    uint32_t back[3];
    for (int i = 0; i < 3; i++)
        back[i] = dew_half_twin(topology, loop.half[i]);
    const dew_Loop other = {{back[0], back[2], back[1]}};
    Side left = look_at_side(remesh, &loop), right = look_at_side(remesh, &other);
    bool comes_apart =
        left.count <= MAX_SIDE ? !holds(&left, back[0] / 3) : !holds(&right, loop.half[0] / 3);
    bool is_left_smaller = left.volume < right.volume;
    Side *small = is_left_smaller ? &left : &right, *rest = is_left_smaller ? &right : &left;
    bool takes_out = comes_apart && small->volume < remesh->def.min_volume_m3;
    if (takes_out && rest->count <= 3)
        return dew_ok();
    DEW_TRY(dew_remesh_reserve(remesh, 3, 2));
    DEW_TRY(dew_array_reserve(&remesh->losses, remesh->losses.count + 1));
    uint32_t copy[3];
    dew_topology_cut(topology, &loop, copy);
    for (int i = 0; i < 3; i++)
        dew_remesh_copy_vertex(remesh, copy[i], dew_half_from(topology, loop.half[i]));
    uint32_t right_cap = (uint32_t)dew_topology_triangles(topology) - 1, left_cap = right_cap - 1;
    if (takes_out)
        take_out(remesh, is_left_smaller ? left_cap : right_cap, small);
    else
        remesh->result.pinch_count++;
    *is_done = true;
    look_again(remesh, left_cap);
    look_again(remesh, right_cap);
    return dew_remesh_memory(remesh);
}
