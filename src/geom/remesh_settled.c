// Is there anything to do? Asked before the pass builds its connectivity, which is most of its
// cost.
//
// Lengths need no neighbours. Edges opposite an obtuse angle do: they are listed by the vertex they
// leave, and the triangle on the other side of each is found by one more walk over all triangles.
#include "geom/remesh_state.h"

#define MIN_TRIANGLES_PER_SUSPECT 4  // with more suspects than that the pass may as well begin

// Lists the edge opposite a triangle's obtuse angle.
static bool list_suspect(dew_Remesh *remesh, uint32_t from, uint32_t to, uint32_t apex)
{
    if (remesh->suspects.count == remesh->suspects.capacity)
        return false;
    uint32_t *head = &DEW_ITEMS(&remesh->number, uint32_t)[from];
    DEW_ITEMS(&remesh->suspects, dew_RemeshSuspect)
    [remesh->suspects.count++] = (dew_RemeshSuspect){from, to, apex, *head};
    *head = (uint32_t)remesh->suspects.count;
    return true;
}

// All lengths within bounds? Lists suspects, sums up the volume.
static bool is_within_bounds(dew_Remesh *remesh, const dew_RemeshDrop *drop, double *volume)
{
    const dew_Vec3 *x = DEW_ITEMS(drop->positions, dew_Vec3);
    const double *scale = drop->scales ? DEW_ITEMS(drop->scales, double) : NULL;
    double min2 = remesh->def.min_edge_m * remesh->def.min_edge_m, six = 0;
    double max2 = remesh->def.max_edge_m * remesh->def.max_edge_m;
    for (int64_t t = 0; t < drop->triangles->count; t++) {
        const uint32_t *v = DEW_ITEMS(drop->triangles, dew_Triangle)[t].v;
        if (v[0] >= drop->positions->count || v[1] >= drop->positions->count ||
            v[2] >= drop->positions->count)
            return false;
        dew_Vec3 edge[3] = {dew_sub(x[v[1]], x[v[0]]), dew_sub(x[v[2]], x[v[1]]),
                            dew_sub(x[v[0]], x[v[2]])};
        double length2[3] = {dew_length2(edge[0]), dew_length2(edge[1]), dew_length2(edge[2])};
        double half_sum = 0.5 * (length2[0] + length2[1] + length2[2]);
        for (int i = 0; i < 3; i++) {
            double s = scale ? 0.5 * (scale[v[i]] + scale[v[(i + 1) % 3]]) : 1, s2 = s * s;
            if (length2[i] < min2 * s2 || length2[i] > max2 * s2)
                return false;
            if (length2[i] > half_sum && !remesh->def.keep_flat &&
                !list_suspect(remesh, v[i], v[(i + 1) % 3], v[(i + 2) % 3]))
                return false;
        }
        six += dew_determinant(dew_sub(x[v[0]], x[0]), edge[0], dew_sub(x[v[2]], x[v[0]]));
    }
    *volume = six / 6;
    return true;
}

// Would any of them flip?
static bool has_flip(const dew_Remesh *remesh, const dew_RemeshDrop *drop)
{
    const dew_RemeshSuspect *suspect = DEW_ITEMS(&remesh->suspects, dew_RemeshSuspect);
    const uint32_t *head = DEW_ITEMS(&remesh->number, uint32_t);
    for (int64_t t = 0; t < drop->triangles->count && remesh->suspects.count > 0; t++) {
        const uint32_t *v = DEW_ITEMS(drop->triangles, dew_Triangle)[t].v;
        for (int i = 0; i < 3; i++) {  // the twin of a suspect ends where the suspect begins
            uint32_t from = v[i], to = v[(i + 1) % 3];
            for (uint32_t s = head[to]; s > 0; s = suspect[s - 1].next) {
                if (suspect[s - 1].to != from)
                    continue;
                dew_Hinge hinge = {.v = {to, from, suspect[s - 1].apex, v[(i + 2) % 3]}};
                dew_hinge_measure(&hinge, DEW_ITEMS(drop->positions, dew_Vec3),
                                  drop->labels ? DEW_ITEMS(drop->labels, uint8_t) : NULL);
                if (dew_hinge_wants_flip(&hinge))
                    return true;
            }
        }
    }
    return false;
}

bool dew_remesh_is_settled(dew_Remesh *remesh, const dew_RemeshDrop *drop)
{
    int64_t vertices = drop->positions->count, triangles = drop->triangles->count;
    remesh->number.count = remesh->suspects.count = 0;
    if (triangles == 0 || triangles > INT32_MAX ||
        dew_array_resize(&remesh->number, vertices).code != DEW_OK ||
        dew_array_reserve(&remesh->suspects, triangles / MIN_TRIANGLES_PER_SUSPECT).code !=
            DEW_OK ||
        dew_array_reserve(&remesh->pieces, 1).code != DEW_OK)
        return false;
    dew_RemeshPiece piece = {.vertex_count = vertices, .triangle_count = triangles};
    if (!is_within_bounds(remesh, drop, &piece.volume_m3) || has_flip(remesh, drop))
        return false;
    DEW_ITEMS(&remesh->pieces, dew_RemeshPiece)[0] = piece;
    remesh->pieces.count = 1;
    remesh->losses.count = 0;
    remesh->result.piece_count = 1;
    return true;
}
