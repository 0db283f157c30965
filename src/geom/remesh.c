// One pass of remeshing: take the drop in, split, flip, collapse, flip, smooth, write it back.
//
// Works on copies, so that a pass that fails leaves the drop as it was; a pass that changes nothing
// writes nothing. Only edges whose length is out of bounds enter the priority queues [Zhang2011],
// and only those opposite an obtuse angle are looked at for a flip (others have a positive weight).
//
// differs: [Zhang2011] takes the largest edge three times the smallest; so does the default, but a
// collapse that would make an edge longer than the largest is refused, so that a split is not
// undone (unless the edge is shorter than half the smallest).
#include "geom/remesh.h"

#include "base/status.h"
#include "geom/remesh_drop.h"
#include "geom/remesh_state.h"

#include <string.h>

dew_RemeshDef dew_default_remesh_def(double edge_m)
{
    double smallest = 0.5 * edge_m;
    return (dew_RemeshDef){.min_edge_m = smallest,
                           .max_edge_m = 3 * smallest,
                           .min_volume_m3 = smallest * smallest * smallest};
}

dew_Status dew_remesh_create(const dew_Allocator *allocator, dew_Remesh **out)
{
    *out = NULL;
    dew_Remesh *remesh = (dew_Remesh *)dew_alloc(allocator, 1, sizeof *remesh);
    if (!remesh)
        return dew_no_memory(sizeof *remesh);
    if (allocator)
        remesh->allocator = *allocator;
    dew_topology_init(&remesh->topology, allocator);
    dew_array_init(&remesh->position, allocator, sizeof(dew_Vec3));
    dew_array_init(&remesh->velocity, allocator, sizeof(dew_Vec3));
    dew_array_init(&remesh->scale, allocator, sizeof(double));
    dew_array_init(&remesh->label, allocator, sizeof(uint8_t));
    dew_array_init(&remesh->dirty, allocator, sizeof(uint8_t));
    dew_array_init(&remesh->long_edges, allocator, sizeof(dew_RemeshEdge));
    dew_array_init(&remesh->short_edges, allocator, sizeof(dew_RemeshEdge));
    dew_array_init(&remesh->flips, allocator, sizeof(uint32_t));
    dew_array_init(&remesh->queued, allocator, sizeof(uint8_t));
    dew_array_init(&remesh->ring, allocator, sizeof(uint32_t));
    dew_array_init(&remesh->number, allocator, sizeof(uint32_t));
    dew_array_init(&remesh->piece_of, allocator, sizeof(uint32_t));
    dew_array_init(&remesh->rank, allocator, sizeof(uint32_t));
    dew_array_init(&remesh->suspects, allocator, sizeof(dew_RemeshSuspect));
    dew_array_init(&remesh->pieces, allocator, sizeof(dew_RemeshPiece));
    dew_array_init(&remesh->losses, allocator, sizeof(dew_RemeshLoss));
    *out = remesh;
    return dew_ok();
}

// The k-th array; NULL behind the last one.
static dew_Array *remesh_array(dew_Remesh *remesh, size_t k)
{
    dew_Array *const arrays[] = {&remesh->position,
                                 &remesh->velocity,
                                 &remesh->scale,
                                 &remesh->label,
                                 &remesh->dirty,
                                 &remesh->long_edges,
                                 &remesh->short_edges,
                                 &remesh->flips,
                                 &remesh->queued,
                                 &remesh->ring,
                                 &remesh->number,
                                 &remesh->piece_of,
                                 &remesh->rank,
                                 &remesh->pieces,
                                 &remesh->losses,
                                 &remesh->suspects,
                                 NULL};
    return arrays[k];
}

dew_Status dew_remesh_reserve_as(dew_Remesh *remesh, const dew_Remesh *other)
{
    dew_Remesh as = *other;  // its arrays' capacities are read, no more
    for (size_t k = 0; remesh_array(remesh, k); k++)
        DEW_TRY(dew_array_reserve(remesh_array(remesh, k), remesh_array(&as, k)->capacity));
    return dew_topology_reserve_as(&remesh->topology, &other->topology);
}

void dew_remesh_destroy(dew_Remesh *remesh)
{
    if (!remesh)
        return;
    for (size_t k = 0; remesh_array(remesh, k); k++)
        dew_array_deinit(remesh_array(remesh, k));
    dew_topology_deinit(&remesh->topology);
    dew_Allocator allocator = remesh->allocator;
    dew_free(&allocator, remesh, sizeof *remesh);
}

const dew_RemeshPiece *dew_remesh_pieces(const dew_Remesh *remesh)
{
    return DEW_ITEMS(&remesh->pieces, dew_RemeshPiece);
}

const dew_RemeshLoss *dew_remesh_losses(const dew_Remesh *remesh)
{
    return DEW_ITEMS(&remesh->losses, dew_RemeshLoss);
}

// ---- growth and queues -------------------------------------------------------------------------

static bool has_room(const dew_Remesh *remesh, int64_t vertices, int64_t triangles)
{
    const dew_Topology *topology = &remesh->topology;
    int64_t slots = topology->outgoing.count + vertices;
    int64_t halves = topology->corner.count + 3 * triangles;
    return topology->outgoing.capacity >= slots && topology->mark.capacity >= slots &&
           remesh->position.capacity >= slots && remesh->velocity.capacity >= slots &&
           remesh->scale.capacity >= slots && remesh->label.capacity >= slots &&
           remesh->dirty.capacity >= slots && topology->corner.capacity >= halves &&
           topology->twin.capacity >= halves && remesh->queued.count >= halves;
}

dew_Status dew_remesh_reserve(dew_Remesh *remesh, int64_t vertices, int64_t triangles)
{
    if (has_room(remesh, vertices, triangles))
        return dew_ok();
    vertices += remesh->topology.outgoing.count / 4;  // seldom, then
    triangles += remesh->topology.corner.count / 12;
    DEW_TRY(dew_topology_reserve(&remesh->topology, vertices, triangles));
    dew_Array *const per_vertex[] = {&remesh->position, &remesh->velocity, &remesh->scale,
                                     &remesh->label, &remesh->dirty};
    for (size_t i = 0; i < sizeof per_vertex / sizeof per_vertex[0]; i++)
        DEW_TRY(dew_array_reserve(per_vertex[i], per_vertex[i]->count + vertices));
    // Flags of half-edges that are still to come are zero already.
    int64_t halves = remesh->topology.corner.count + 3 * triangles;
    return halves > remesh->queued.count ? dew_array_resize(&remesh->queued, halves) : dew_ok();
}

void dew_remesh_copy_vertex(dew_Remesh *remesh, uint32_t vertex, uint32_t like)
{
    dew_Array *const per_vertex[] = {&remesh->position, &remesh->velocity, &remesh->scale,
                                     &remesh->label, &remesh->dirty};
    for (size_t i = 0; i < sizeof per_vertex / sizeof per_vertex[0]; i++)
        per_vertex[i]->count = vertex + 1;  // room was reserved
    *dew_remesh_at(remesh, vertex) = *dew_remesh_at(remesh, like);
    dew_Vec3 *velocity = DEW_ITEMS(&remesh->velocity, dew_Vec3);
    velocity[vertex] = velocity[like];
    DEW_ITEMS(&remesh->scale, double)[vertex] = DEW_ITEMS(&remesh->scale, double)[like];
    DEW_ITEMS(&remesh->label, uint8_t)[vertex] = dew_remesh_label(remesh, like);
    DEW_ITEMS(&remesh->dirty, uint8_t)[vertex] = 1;
}

// One half-edge stands for both.
static uint32_t lower_half(const dew_Remesh *remesh, uint32_t h)
{
    uint32_t twin = dew_half_twin(&remesh->topology, h);
    return h < twin ? h : twin;
}

static void enqueue(dew_Remesh *remesh, dew_Array *heap, dew_RemeshEdge edge)
{
    if (!dew_remesh_queue_push(heap, edge))
        remesh->is_out_of_memory = true;
}

void dew_remesh_sort_edge(dew_Remesh *remesh, uint32_t half)
{
    uint32_t h = lower_half(remesh, half);
    uint32_t a = dew_half_from(&remesh->topology, h), b = dew_half_to(&remesh->topology, h);
    double length2 = dew_remesh_length2(remesh, a, b);
    if (length2 < remesh->def.min_edge_m * remesh->def.min_edge_m)
        enqueue(remesh, &remesh->short_edges, (dew_RemeshEdge){length2, h, a, b});
    else if (length2 > remesh->def.max_edge_m * remesh->def.max_edge_m)
        enqueue(remesh, &remesh->long_edges, (dew_RemeshEdge){-length2, h, a, b});
}

void dew_remesh_suspect(dew_Remesh *remesh, uint32_t half)
{
    uint32_t h = lower_half(remesh, half);
    uint8_t *queued = &DEW_ITEMS(&remesh->queued, uint8_t)[h];
    if (*queued || remesh->def.keep_flat)
        return;
    *queued = 1;
    dew_remesh_append(remesh, &remesh->flips, h);
}

dew_Status dew_remesh_memory(const dew_Remesh *remesh)
{
    return remesh->is_out_of_memory
               ? dew_no_memory((size_t)remesh->topology.corner.count * sizeof(uint32_t))
               : dew_ok();
}

bool dew_remesh_is_current(const dew_Remesh *remesh, const dew_RemeshEdge *edge, double sign)
{
    const dew_Topology *topology = &remesh->topology;
    return dew_half_from(topology, edge->half) == edge->from &&
           dew_half_to(topology, edge->half) == edge->to &&
           sign * dew_remesh_length2(remesh, edge->from, edge->to) == edge->key;
}

// ---- in ----------------------------------------------------------------------------------------

static dew_Status check(const dew_RemeshDef *def, const dew_RemeshDrop *drop)
{
    if (!(def->min_edge_m >= 0) || !(def->max_edge_m >= 2 * def->min_edge_m) ||
        !(def->max_edge_m > 0))
        return dew_fail(DEW_BAD_INPUT,
                        "edges from %g m to %g m; the largest must be twice the smallest or more",
                        def->min_edge_m, def->max_edge_m);
    DEW_TRY(dew_remesh_drop_check(drop));
    for (int64_t v = 0; drop->scales && v < drop->scales->count; v++) {
        double scale = DEW_ITEMS(drop->scales, double)[v];
        if (!(scale > 0))
            return dew_fail(DEW_BAD_INPUT, "scale %g of vertex %lld; it must be above zero", scale,
                            (long long)v);
    }
    return dew_ok();
}

static dew_Status take_in(dew_Remesh *remesh, const dew_RemeshDrop *drop)
{
    int64_t vertices = drop->positions->count;
    DEW_TRY(dew_topology_build(&remesh->topology, DEW_ITEMS(drop->triangles, dew_Triangle),
                               drop->triangles->count, vertices));
    const dew_RemeshDrop copy = {.positions = &remesh->position,
                                 .velocities = &remesh->velocity,
                                 .labels = &remesh->label,
                                 .scales = &remesh->scale};
    DEW_TRY(dew_remesh_drop_copy(drop, &copy));
    remesh->dirty.count = remesh->queued.count = 0;  // resizing sets new elements to zero
    DEW_TRY(dew_array_resize(&remesh->dirty, vertices));
    DEW_TRY(dew_array_resize(&remesh->queued, remesh->topology.corner.count));
    remesh->long_edges.count = remesh->short_edges.count = 0;
    remesh->flips.count = remesh->flip_head = 0;
    remesh->losses.count = remesh->pieces.count = 0;
    return dew_ok();
}

// Edges out of bounds, and those opposite an obtuse angle.
static dew_Status scan(dew_Remesh *remesh)
{
    const dew_Topology *topology = &remesh->topology;
    const uint32_t *corner = DEW_ITEMS(&topology->corner, uint32_t);
    const uint32_t *twin = DEW_ITEMS(&topology->twin, uint32_t);
    const double *scale = DEW_ITEMS(&remesh->scale, double);
    double min2 = remesh->def.min_edge_m * remesh->def.min_edge_m;
    double max2 = remesh->def.max_edge_m * remesh->def.max_edge_m;
    for (uint32_t h = 0; h < topology->corner.count; h += 3) {
        const uint32_t v[3] = {corner[h], corner[h + 1], corner[h + 2]};
        double length2[3];
        for (int i = 0; i < 3; i++)
            length2[i] = dew_length2(
                dew_sub(*dew_remesh_at(remesh, v[(i + 1) % 3]), *dew_remesh_at(remesh, v[i])));
        double half_sum = 0.5 * (length2[0] + length2[1] + length2[2]);
        for (uint32_t i = 0; i < 3; i++) {
            if (length2[i] > half_sum)  // obtuse opposite: l_i^2 > l_j^2 + l_k^2
                dew_remesh_suspect(remesh, h + i);
            double s = 0.5 * (scale[v[i]] + scale[v[(i + 1) % 3]]), s2 = s * s;
            if ((length2[i] < min2 * s2 || length2[i] > max2 * s2) && h + i < twin[h + i])
                dew_remesh_sort_edge(remesh, h + i);
        }
    }
    return dew_remesh_memory(remesh);
}

// ---- the pass ----------------------------------------------------------------------------------

// What may still be done. A pass ends, whatever it is given: what is left is for the next one.
static int64_t rest_of(const dew_Remesh *remesh)
{
    const dew_RemeshResult *r = &remesh->result;
    if (remesh->def.max_operations <= 0)
        return 1000 + 2 * remesh->topology.corner.count;
    int64_t done =
        r->split_count + r->flip_count + r->collapse_count + r->pinch_count + r->loss_count;
    return done < remesh->def.max_operations ? remesh->def.max_operations - done : 0;
}

static dew_Status run_stages(dew_Remesh *remesh)
{
    DEW_TRY(dew_remesh_split_stage(remesh, rest_of(remesh)));
    DEW_TRY(dew_remesh_flip_stage(remesh, rest_of(remesh)));
    DEW_TRY(dew_remesh_collapse_stage(remesh, rest_of(remesh)));
    DEW_TRY(dew_remesh_flip_stage(remesh, rest_of(remesh)));
    const dew_RemeshResult *r = &remesh->result;
    if (r->split_count + r->flip_count + r->collapse_count > 0)
        dew_remesh_smooth_stage(remesh);
    return dew_ok();
}

static bool has_unused_vertex(const dew_Remesh *remesh)
{
    for (uint32_t v = 0; v < remesh->topology.outgoing.count; v++) {
        if (dew_vertex_half(&remesh->topology, v) == DEW_NO_HALF)
            return true;
    }
    return false;
}

dew_Status dew_remesh_run(dew_Remesh *remesh, const dew_RemeshDef *def, const dew_RemeshDrop *drop,
                          dew_RemeshResult *result)
{
    remesh->def = *def;
    remesh->result = (dew_RemeshResult){0};
    remesh->is_out_of_memory = false;
    DEW_TRY(check(def, drop));
    if (def->is_one_piece && dew_remesh_is_settled(remesh, drop)) {
        if (result)
            *result = remesh->result;
        return dew_ok();
    }
    DEW_TRY(take_in(remesh, drop));
    DEW_TRY(scan(remesh));
    DEW_TRY(run_stages(remesh));
    DEW_AUDIT(dew_topology_check(&remesh->topology));
    DEW_TRY(dew_remesh_find_pieces(remesh));
    dew_RemeshResult *r = &remesh->result;
    r->has_changed =
        r->split_count + r->flip_count + r->collapse_count + r->pinch_count + r->loss_count > 0 ||
        remesh->pieces.count > 1 || has_unused_vertex(remesh);
    if (r->has_changed) {
        DEW_TRY(dew_remesh_write(remesh, drop));
    } else if (remesh->pieces.count == 1) {
        dew_RemeshPiece *piece = DEW_ITEMS(&remesh->pieces, dew_RemeshPiece);
        piece->first_vertex = 0;
        piece->vertex_count = drop->positions->count;
    }
    if (result)
        *result = *r;
    return dew_ok();
}
