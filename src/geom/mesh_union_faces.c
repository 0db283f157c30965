// Triangles that the curves cut: regions between curves, triangulated, kept or dropped.
//
// Curves enter and leave a triangle through its edges and do not cross one another. So the border
// of a region is found without geometry: along the triangle's border counter-clockwise, at a
// crossing along the curve that begins there to its other end, on along the border. Regions are
// triangulated by cutting off the best ear, in the plane of the two axes that show the triangle
// largest. An ear never joins two nodes of the same edge of the triangle: the neighbour could do so
// too, and the edge would be there twice.
#include "geom/mesh_union_state.h"
#include "geom/predicates.h"
#include "geom/triangle.h"

// A triangle being cut.
typedef struct Face {
    int mesh;
    uint32_t triangle;
    const dew_CurveSegment *segments;
    int64_t segment_count;
    int axis_u, axis_v;  // projection that keeps orientation
} Face;

static dew_Vec3 node_position(const dew_MeshUnion *u, uint32_t node)
{
    uint32_t index = dew_node_index(node), kind = dew_node_kind(node);
    if (kind >= 2)
        return DEW_ITEMS(&u->crossings, dew_Crossing)[index].position;
    return DEW_ITEMS(&u->mesh[kind].position, dew_Vec3)[index];
}

static double coordinate(dew_Vec3 x, int axis)
{
    return axis == 0 ? x.x : axis == 1 ? x.y : x.z;
}

static void choose_projection(const dew_MeshUnion *u, Face *face)
{
    const dew_UnionMesh *m = &u->mesh[face->mesh];
    dew_Vec3 x[3];
    for (uint32_t k = 0; k < 3; k++)
        x[k] =
            DEW_ITEMS(&m->position, dew_Vec3)[dew_half_from(&m->topology, 3 * face->triangle + k)];
    dew_Vec3 n = dew_triangle_normal(x[0], x[1], x[2]);
    double ax = fabs(n.x), ay = fabs(n.y), az = fabs(n.z);
    int drop = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
    face->axis_u = (drop + 1) % 3;
    face->axis_v = (drop + 2) % 3;
    if (coordinate(n, drop) < 0) {
        int swap = face->axis_u;
        face->axis_u = face->axis_v;
        face->axis_v = swap;
    }
}

// ---- border and curves -------------------------------------------------------------------------

// Corners and crossings around the triangle, counter-clockwise, into u->border.
static dew_Status walk_border(dew_MeshUnion *u, const Face *face)
{
    const dew_UnionMesh *m = &u->mesh[face->mesh];
    u->border.count = 0;
    for (uint32_t h = 3 * face->triangle; h < 3 * face->triangle + 3; h++) {
        uint32_t node = dew_node((uint32_t)face->mesh, dew_half_from(&m->topology, h));
        DEW_TRY(dew_array_push(&u->border, &node));
        int64_t count, first = dew_union_on_edge(u, face->mesh, h, &count);
        bool is_lower = h < dew_half_twin(&m->topology, h);
        for (int64_t i = 0; i < count; i++) {
            node = dew_node(2, (uint32_t)(is_lower ? first + i : first + count - 1 - i));
            DEW_TRY(dew_array_push(&u->border, &node));
        }
    }
    return dew_ok();
}

static int64_t find_on_border(const dew_MeshUnion *u, uint32_t node)
{
    for (int64_t i = 0; i < u->border.count; i++) {
        if (DEW_ITEMS(&u->border, uint32_t)[i] == node)
            return i;
    }
    return DEW_INVALID;
}

// Another end of a segment at the crossing, but not the segment `from`.
static uint32_t step_along(const Face *face, uint32_t crossing, int64_t *from)
{
    for (int64_t s = 0; s < face->segment_count; s++) {
        const uint32_t *end = face->segments[s].end;
        if (s != *from && (end[0] == crossing || end[1] == crossing)) {
            *from = s;
            return end[0] == crossing ? end[1] : end[0];
        }
    }
    return UINT32_MAX;
}

// From a node of the border along its curve; nodes between go to the polygon. Returns the place on
// the border where it ends.
static dew_Status trace_loop(dew_MeshUnion *u, const Face *face, uint32_t node, int64_t *place,
                             bool *is_degenerate)
{
    int64_t from = -1;
    uint32_t crossing = dew_node_index(node);
    for (int64_t guard = 0; guard <= face->segment_count; guard++) {
        crossing = step_along(face, crossing, &from);
        if (crossing == UINT32_MAX)
            break;
        uint32_t next = dew_node(2, crossing);
        *place = find_on_border(u, next);
        if (*place != DEW_INVALID)
            return dew_ok();
        DEW_TRY(dew_array_push(&u->polygon, &next));
    }
    *is_degenerate = true;
    return dew_ok();
}

// Which side the stretch of border after this node lies on.
static uint8_t side_after(const dew_MeshUnion *u, const Face *face, uint32_t node)
{
    uint32_t index = dew_node_index(node);
    const dew_UnionMesh *m = &u->mesh[face->mesh];
    if (dew_node_kind(node) != 2)
        return DEW_ITEMS(&m->side, uint8_t)[index];
    const dew_Crossing *c = &DEW_ITEMS(&u->crossings, dew_Crossing)[index];
    bool runs_along = c->half / 3 == face->triangle;  // else its twin belongs to this triangle
    return c->enters == runs_along ? DEW_SIDE_INSIDE : DEW_SIDE_OUTSIDE;
}

// ---- ears --------------------------------------------------------------------------------------

// Edges of the triangle that a node lies on, as bits.
static uint32_t edges_of(const dew_MeshUnion *u, const Face *face, uint32_t node)
{
    const dew_Topology *topology = &u->mesh[face->mesh].topology;
    uint32_t index = dew_node_index(node), mask = 0;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t h = 3 * face->triangle + k;
        if (dew_node_kind(node) != 2) {
            if (dew_half_from(topology, h) == index || dew_half_to(topology, h) == index)
                mask |= 1u << k;
            continue;
        }
        const dew_Crossing *c = &DEW_ITEMS(&u->crossings, dew_Crossing)[index];
        if (c->mesh == face->mesh && (c->half == h || c->half == dew_half_twin(topology, h)))
            mask |= 1u << k;
    }
    return mask;
}

static int turn(const Face *f, dew_Vec3 a, dew_Vec3 b, dew_Vec3 c)
{
    return dew_orient2d(coordinate(a, f->axis_u), coordinate(a, f->axis_v),
                        coordinate(b, f->axis_u), coordinate(b, f->axis_v),
                        coordinate(c, f->axis_u), coordinate(c, f->axis_v));
}

// Twice the area over the longest side squared; negative: no ear at all.
static double ear_quality(const dew_MeshUnion *u, const Face *face, const uint32_t *node,
                          int64_t count, int64_t i)
{
    uint32_t before = node[(i + count - 1) % count], after = node[(i + 1) % count];
    if (count > 3 && (edges_of(u, face, before) & edges_of(u, face, after)))
        return -1;
    dew_Vec3 a = node_position(u, before), b = node_position(u, node[i]),
             c = node_position(u, after);
    if (turn(face, a, b, c) <= 0)
        return -1;
    for (int64_t k = 0; k < count; k++) {
        if (node[k] == before || node[k] == node[i] || node[k] == after)
            continue;
        dew_Vec3 x = node_position(u, node[k]);
        if (turn(face, a, b, x) >= 0 && turn(face, b, c, x) >= 0 && turn(face, c, a, x) >= 0)
            return -1;
    }
    double longest2 = fmax(dew_length2(dew_sub(a, b)),
                           fmax(dew_length2(dew_sub(b, c)), dew_length2(dew_sub(c, a))));
    return longest2 > 0 ? dew_length(dew_triangle_normal(a, b, c)) / longest2 : 0;
}

static dew_Status cut_ears(dew_MeshUnion *u, const Face *face, bool *is_degenerate)
{
    uint32_t *node = DEW_ITEMS(&u->polygon, uint32_t);
    int64_t count = u->polygon.count;
    while (count > 3) {
        int64_t best = DEW_INVALID;
        double best_quality = 0;
        for (int64_t i = 0; i < count; i++) {
            double quality = ear_quality(u, face, node, count, i);
            if (quality >= 0 && (best == DEW_INVALID || quality > best_quality)) {
                best = i;
                best_quality = quality;
            }
        }
        if (best == DEW_INVALID) {  // rounding has made the region cross itself
            *is_degenerate = true;
            return dew_ok();
        }
        dew_Triangle ear = {
            {node[(best + count - 1) % count], node[best], node[(best + 1) % count]}};
        DEW_TRY(dew_array_push(&u->corners, &ear));
        count--;
        for (int64_t i = best; i < count; i++)
            node[i] = node[i + 1];
    }
    dew_Triangle last = {{node[0], node[1], node[2]}};
    return dew_array_push(&u->corners, &last);
}

// ---- regions -----------------------------------------------------------------------------------

// Traces the region left of the stretch of border after place `start`; marks the stretches in
// u->chain.
static dew_Status trace(dew_MeshUnion *u, const Face *face, int64_t start, uint8_t *side,
                        bool *is_degenerate)
{
    int64_t count = u->border.count, at = start;
    u->polygon.count = 0;
    *side = side_after(u, face, DEW_ITEMS(&u->border, uint32_t)[start]);
    for (int64_t guard = 0; guard <= count && !*is_degenerate; guard++) {
        uint32_t node = DEW_ITEMS(&u->border, uint32_t)[at];
        if (side_after(u, face, node) != *side || DEW_ITEMS(&u->chain, uint32_t)[at])
            break;
        DEW_ITEMS(&u->chain, uint32_t)[at] = 1;
        DEW_TRY(dew_array_push(&u->polygon, &node));
        at = (at + 1) % count;
        uint32_t next = DEW_ITEMS(&u->border, uint32_t)[at];
        if (dew_node_kind(next) == 2) {
            DEW_TRY(dew_array_push(&u->polygon, &next));
            DEW_TRY(trace_loop(u, face, next, &at, is_degenerate));
        }
        if (at == start)
            return dew_ok();
    }
    *is_degenerate = true;
    return dew_ok();
}

// Segments met by walking in from the border; fewer than there are: a curve closes within the
// triangle.
static int64_t count_reached(dew_MeshUnion *u, const Face *face)
{
    int64_t reached = 0;
    for (int64_t i = 0; i < u->border.count; i++) {
        uint32_t node = DEW_ITEMS(&u->border, uint32_t)[i];
        if (dew_node_kind(node) != 2)
            continue;
        int64_t from = -1, place = DEW_INVALID;
        uint32_t crossing = dew_node_index(node);
        for (int64_t guard = 0; guard < face->segment_count && place == DEW_INVALID; guard++) {
            crossing = step_along(face, crossing, &from);
            if (crossing == UINT32_MAX)
                break;
            reached++;
            place = find_on_border(u, dew_node(2, crossing));
        }
    }
    return reached / 2;  // each from both its ends
}

// The middle of the first curve that does not reach the border.
static dew_Vec3 loop_middle(dew_MeshUnion *u, const Face *face)
{
    dew_Vec3 sum = {0, 0, 0};
    for (int64_t s = 0; s < face->segment_count; s++) {
        uint32_t start = face->segments[s].end[0], crossing = start;
        int64_t from = -1, steps = 0;
        sum = dew_vec(0, 0, 0);
        do {
            sum = dew_add(sum, node_position(u, dew_node(2, crossing)));
            crossing = step_along(face, crossing, &from);
            steps++;
        } while (crossing != start && crossing != UINT32_MAX && steps <= face->segment_count);
        if (crossing == start)
            return dew_scale(1.0 / (double)steps, sum);
    }
    return sum;
}

static dew_Status cut_face(dew_MeshUnion *u, const Face *face, uint8_t wanted_side,
                           bool *is_degenerate)
{
    u->chain.count = 0;
    DEW_TRY(dew_array_resize(&u->chain, u->border.count));
    for (int64_t i = 0; i < u->border.count && !*is_degenerate; i++) {
        if (DEW_ITEMS(&u->chain, uint32_t)[i])
            continue;
        uint8_t side;
        DEW_TRY(trace(u, face, i, &side, is_degenerate));
        if (u->polygon.count < 3)
            *is_degenerate = true;
        if (!*is_degenerate && side == wanted_side)
            DEW_TRY(cut_ears(u, face, is_degenerate));
    }
    return dew_ok();
}

static dew_Status keep_whole(dew_MeshUnion *u, int i, uint8_t wanted_side)
{
    const dew_UnionMesh *m = &u->mesh[i];
    DEW_TRY(
        dew_array_reserve(&u->corners, u->corners.count + dew_topology_triangles(&m->topology)));
    for (uint32_t t = 0; t < dew_topology_triangles(&m->topology); t++) {
        const uint32_t *v = DEW_ITEMS(&m->triangle, dew_Triangle)[t].v;
        if (DEW_ITEMS(&m->is_cut, uint8_t)[t] || DEW_ITEMS(&m->side, uint8_t)[v[0]] != wanted_side)
            continue;
        dew_Triangle kept;
        for (int k = 0; k < 3; k++)
            kept.v[k] = dew_node((uint32_t)i, v[k]);
        DEW_ITEMS(&u->corners, dew_Triangle)[u->corners.count++] = kept;  // room was reserved
    }
    return dew_ok();
}

dew_Status dew_union_faces(dew_MeshUnion *u, int i, uint8_t wanted_side, bool *is_degenerate)
{
    dew_UnionMesh *m = &u->mesh[i];
    const dew_CurveSegment *segment = DEW_ITEMS(&u->segments[i], dew_CurveSegment);
    int64_t count = u->segments[i].count;
    m->is_cut.count = 0;
    DEW_TRY(dew_array_resize(&m->is_cut, m->triangle.count));
    for (int64_t s = 0, end; s < count && !*is_degenerate; s = end) {
        uint32_t t = segment[s].triangle[i];
        for (end = s; end < count && segment[end].triangle[i] == t;)
            end++;
        Face face = {.mesh = i, .triangle = t, .segments = segment + s, .segment_count = end - s};
        choose_projection(u, &face);
        DEW_ITEMS(&m->is_cut, uint8_t)[t] = 1;
        DEW_TRY(walk_border(u, &face));
        if (count_reached(u, &face) < face.segment_count) {
            dew_CurveLoop loop = {loop_middle(u, &face), t, i};
            DEW_TRY(dew_array_push(&u->loops, &loop));
        } else if (u->loops.count == 0) {
            DEW_TRY(cut_face(u, &face, wanted_side, is_degenerate));
        }
    }
    return *is_degenerate || u->loops.count > 0 ? dew_ok() : keep_whole(u, i, wanted_side);
}
