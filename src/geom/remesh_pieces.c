// Connected pieces of the mesh after remeshing, copied back to the drop's arrays.
#include "base/status.h"
#include "geom/remesh_state.h"

#define NO_PIECE UINT32_MAX

// Labels the piece of one triangle; remesh->ring serves as stack.
static dew_Status fill(dew_Remesh *remesh, uint32_t start, uint32_t piece)
{
    const dew_Topology *topology = &remesh->topology;
    uint32_t *piece_of = DEW_ITEMS(&remesh->piece_of, uint32_t);
    remesh->ring.count = 0;
    dew_remesh_append(remesh, &remesh->ring, start);
    piece_of[start] = piece;
    while (remesh->ring.count > 0) {
        uint32_t t = DEW_ITEMS(&remesh->ring, uint32_t)[--remesh->ring.count];
        for (uint32_t h = 3 * t; h < 3 * t + 3; h++) {
            uint32_t next = dew_half_twin(topology, h) / 3;
            if (piece_of[next] != NO_PIECE)
                continue;
            piece_of[next] = piece;
            dew_remesh_append(remesh, &remesh->ring, next);
        }
    }
    return dew_remesh_memory(remesh);
}

// Volume and number of triangles of each piece; volumes seen from its first vertex.
static void measure_pieces(dew_Remesh *remesh)
{
    const dew_Topology *topology = &remesh->topology;
    const uint32_t *piece_of = DEW_ITEMS(&remesh->piece_of, uint32_t);
    dew_RemeshPiece *piece = DEW_ITEMS(&remesh->pieces, dew_RemeshPiece);
    for (uint32_t t = 0; t < dew_topology_triangles(topology); t++) {
        if (piece_of[t] == NO_PIECE)
            continue;
        dew_RemeshPiece *p = &piece[piece_of[t]];
        dew_Vec3 o = *dew_remesh_at(remesh, (uint32_t)p->first_vertex), x[3];
        for (uint32_t k = 0; k < 3; k++)
            x[k] = dew_sub(*dew_remesh_at(remesh, dew_half_from(topology, 3 * t + k)), o);
        p->volume_m3 += dew_determinant(x[0], x[1], x[2]) / 6;
        p->triangle_count++;
    }
}

dew_Status dew_remesh_find_pieces(dew_Remesh *remesh)
{
    const dew_Topology *topology = &remesh->topology;
    int64_t triangle_count = dew_topology_triangles(topology);
    DEW_TRY(dew_array_resize(&remesh->piece_of, triangle_count));
    uint32_t *piece_of = DEW_ITEMS(&remesh->piece_of, uint32_t);
    for (int64_t t = 0; t < triangle_count; t++)
        piece_of[t] = NO_PIECE;
    remesh->pieces.count = 0;
    for (uint32_t t = 0; t < triangle_count; t++) {
        uint32_t corner = dew_half_from(topology, 3 * t);
        if (corner == DEW_NO_HALF || piece_of[t] != NO_PIECE)
            continue;
        dew_RemeshPiece piece = {.first_vertex = corner};
        DEW_TRY(fill(remesh, t, (uint32_t)remesh->pieces.count));
        DEW_TRY(dew_array_push(&remesh->pieces, &piece));
    }
    measure_pieces(remesh);
    remesh->result.piece_count = remesh->pieces.count;
    return dew_ok();
}

// Order of the pieces, largest volume first, ties by the order found: rank[piece].
static dew_Status rank_pieces(dew_Remesh *remesh)
{
    int64_t count = remesh->pieces.count;
    DEW_TRY(dew_array_resize(&remesh->rank, count));
    uint32_t *rank = DEW_ITEMS(&remesh->rank, uint32_t);
    const dew_RemeshPiece *piece = DEW_ITEMS(&remesh->pieces, dew_RemeshPiece);
    for (int64_t i = 0; i < count; i++) {  // few pieces: every one against every other
        rank[i] = 0;
        for (int64_t j = 0; j < count; j++)
            rank[i] += piece[j].volume_m3 > piece[i].volume_m3 ||
                       (j < i && piece[j].volume_m3 == piece[i].volume_m3);
    }
    return dew_ok();
}

// Puts the pieces in the order of rank and counts where vertices and triangles of each begin. Fills
// `number` with the vertices' places.
static dew_Status lay_out(dew_Remesh *remesh)
{
    const dew_Topology *topology = &remesh->topology;
    int64_t slots = topology->outgoing.count, count = remesh->pieces.count;
    DEW_TRY(dew_array_resize(&remesh->number, slots));
    DEW_TRY(dew_array_resize(&remesh->pieces, 2 * count));  // the second half: sorted
    dew_RemeshPiece *found = DEW_ITEMS(&remesh->pieces, dew_RemeshPiece), *sorted = found + count;
    const uint32_t *rank = DEW_ITEMS(&remesh->rank, uint32_t);
    const uint32_t *piece_of = DEW_ITEMS(&remesh->piece_of, uint32_t);
    for (int64_t i = 0; i < count; i++)
        sorted[rank[i]] = found[i];
    uint32_t *number = DEW_ITEMS(&remesh->number, uint32_t);
    for (uint32_t v = 0; v < slots; v++) {
        uint32_t h = dew_vertex_half(topology, v);
        if (h != DEW_NO_HALF)
            number[v] = (uint32_t)sorted[rank[piece_of[h / 3]]].vertex_count++;
    }
    int64_t vertex = 0, triangle = 0;
    for (int64_t i = 0; i < count; i++) {
        sorted[i].first_vertex = vertex;
        sorted[i].first_triangle = triangle;
        vertex += sorted[i].vertex_count;
        triangle += sorted[i].triangle_count;
        found[i] = sorted[i];
    }
    remesh->pieces.count = count;
    for (uint32_t v = 0; v < slots; v++) {
        uint32_t h = dew_vertex_half(topology, v);
        if (h != DEW_NO_HALF)
            number[v] += (uint32_t)found[rank[piece_of[h / 3]]].first_vertex;
    }
    return dew_ok();
}

static dew_Status reserve_drop(const dew_RemeshDrop *drop, int64_t vertices, int64_t triangles)
{
    dew_Array *const per_vertex[] = {drop->positions, drop->velocities, drop->labels, drop->scales};
    for (int i = 0; i < 4; i++) {
        if (per_vertex[i])
            DEW_TRY(dew_array_reserve(per_vertex[i], vertices));
    }
    return dew_array_reserve(drop->triangles, triangles);
}

static void write_vertices(const dew_Remesh *remesh, const dew_RemeshDrop *drop, int64_t count)
{
    const uint32_t *number = DEW_ITEMS(&remesh->number, uint32_t);
    dew_Array *const per_vertex[] = {drop->positions, drop->velocities, drop->labels, drop->scales};
    for (int i = 0; i < 4; i++) {
        if (per_vertex[i])
            per_vertex[i]->count = count;
    }
    for (uint32_t v = 0; v < remesh->topology.outgoing.count; v++) {
        if (dew_vertex_half(&remesh->topology, v) == DEW_NO_HALF)
            continue;
        DEW_ITEMS(drop->positions, dew_Vec3)[number[v]] = *dew_remesh_at(remesh, v);
        if (drop->velocities)
            DEW_ITEMS(drop->velocities, dew_Vec3)
        [number[v]] = DEW_ITEMS(&remesh->velocity, dew_Vec3)[v];
        if (drop->labels)
            DEW_ITEMS(drop->labels, uint8_t)[number[v]] = dew_remesh_label(remesh, v);
        if (drop->scales)
            DEW_ITEMS(drop->scales, double)[number[v]] = DEW_ITEMS(&remesh->scale, double)[v];
    }
}

static void write_triangles(const dew_Remesh *remesh, const dew_RemeshDrop *drop, int64_t count)
{
    const uint32_t *number = DEW_ITEMS(&remesh->number, uint32_t);
    const uint32_t *rank = DEW_ITEMS(&remesh->rank, uint32_t);
    const uint32_t *piece_of = DEW_ITEMS(&remesh->piece_of, uint32_t);
    dew_RemeshPiece *piece = DEW_ITEMS(&remesh->pieces, dew_RemeshPiece);
    drop->triangles->count = count;
    for (uint32_t t = 0; t < dew_topology_triangles(&remesh->topology); t++) {
        if (piece_of[t] == NO_PIECE)
            continue;
        dew_Triangle out;
        for (uint32_t k = 0; k < 3; k++)
            out.v[k] = number[dew_half_from(&remesh->topology, 3 * t + k)];
        DEW_ITEMS(drop->triangles, dew_Triangle)[piece[rank[piece_of[t]]].first_triangle++] = out;
    }
    for (int64_t i = 0; i < remesh->pieces.count; i++)
        piece[i].first_triangle -= piece[i].triangle_count;
}

dew_Status dew_remesh_write(dew_Remesh *remesh, const dew_RemeshDrop *drop)
{
    DEW_TRY(rank_pieces(remesh));
    DEW_TRY(lay_out(remesh));
    int64_t vertices = 0, triangles = 0;
    for (int64_t i = 0; i < remesh->pieces.count; i++) {
        vertices += DEW_ITEMS(&remesh->pieces, dew_RemeshPiece)[i].vertex_count;
        triangles += DEW_ITEMS(&remesh->pieces, dew_RemeshPiece)[i].triangle_count;
    }
    DEW_TRY(reserve_drop(drop, vertices, triangles));
    write_vertices(remesh, drop, vertices);
    write_triangles(remesh, drop, triangles);
    return dew_ok();
}
