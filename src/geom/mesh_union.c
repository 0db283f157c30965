// Union of two closed meshes: tries with ever larger nudges, and the mesh made from nodes and
// checked.
//
// Two drops that sit on one solid have coplanar wetted sides. Deciding those by rounding would
// litter the solid with slivers, so the second drop is at once moved into the solid by a little
// more than rounding; kept vertices go back to where they were.
#include "geom/mesh_union.h"

#include "base/status.h"
#include "geom/mesh_union_state.h"
#include "geom/remesh_drop.h"
#include "geom/triangle.h"

#define MAX_ROUNDS 32    // of cutting open curves that close within one triangle
#define WET_NUDGE  1e-7  // into the solid, of the mesh's size: above rounding

// Directions of the nudges of one try after the other, none of them along an axis.
static const dew_Vec3 nudge_direction[] = {
    {0, 0, 0}, {0.37, 0.81, 0.45}, {-0.62, 0.29, 0.73}, {0.53, -0.71, 0.46}, {0.19, 0.57, -0.8}};
enum { MAX_TRIES = sizeof nudge_direction / sizeof *nudge_direction };

static dew_Array *union_mesh_array(dew_UnionMesh *m, int k)
{
    dew_Array *const arrays[] = {&m->position, &m->velocity, &m->scale, &m->label, &m->triangle,
                                 &m->side,     &m->number,   &m->sweep, &m->is_cut};
    return k < 9 ? arrays[k] : NULL;
}

static dew_Array *union_array(dew_MeshUnion *u, int k)
{
    dew_Array *const arrays[] = {
        &u->crossings, &u->ends,     &u->segments[0], &u->segments[1], &u->polygon,  &u->rest,
        &u->border,    &u->chain,    &u->corners,     &u->position,    &u->velocity, &u->scale,
        &u->label,     &u->triangle, &u->starts,      &u->dealt,       &u->loops};
    return k < 17 ? arrays[k] : NULL;
}

dew_Status dew_mesh_union_create(const dew_Allocator *allocator, dew_MeshUnion **out)
{
    static const size_t mesh_size[] = {sizeof(dew_Vec3), sizeof(dew_Vec3),      sizeof(double),
                                       sizeof(uint8_t),  sizeof(dew_Triangle),  sizeof(uint8_t),
                                       sizeof(uint32_t), sizeof(dew_SweepItem), sizeof(uint8_t)};
    static const size_t size[] = {
        sizeof(dew_Crossing),     sizeof(dew_CurveEnd), sizeof(dew_CurveSegment),
        sizeof(dew_CurveSegment), sizeof(uint32_t),     sizeof(uint32_t),
        sizeof(uint32_t),         sizeof(uint32_t),     sizeof(dew_Triangle),
        sizeof(dew_Vec3),         sizeof(dew_Vec3),     sizeof(double),
        sizeof(uint8_t),          sizeof(dew_Triangle), sizeof(uint32_t),
        sizeof(uint32_t),         sizeof(dew_CurveLoop)};
    *out = NULL;
    dew_MeshUnion *u = (dew_MeshUnion *)dew_alloc(allocator, 1, sizeof *u);
    if (!u)
        return dew_no_memory(sizeof *u);
    if (allocator)
        u->allocator = *allocator;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; union_mesh_array(&u->mesh[i], k); k++)
            dew_array_init(union_mesh_array(&u->mesh[i], k), allocator, mesh_size[k]);
        dew_topology_init(&u->mesh[i].topology, allocator);
    }
    for (int k = 0; union_array(u, k); k++)
        dew_array_init(union_array(u, k), allocator, size[k]);
    dew_topology_init(&u->topology, allocator);
    *out = u;
    return dew_ok();
}

void dew_mesh_union_destroy(dew_MeshUnion *u)
{
    if (!u)
        return;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; union_mesh_array(&u->mesh[i], k); k++)
            dew_array_deinit(union_mesh_array(&u->mesh[i], k));
        dew_topology_deinit(&u->mesh[i].topology);
    }
    for (int k = 0; union_array(u, k); k++)
        dew_array_deinit(union_array(u, k));
    dew_topology_deinit(&u->topology);
    dew_Allocator allocator = u->allocator;
    dew_free(&allocator, u, sizeof *u);
}

// ---- in ----------------------------------------------------------------------------------------

static dew_Status check(const dew_RemeshDrop *drop)
{
    int64_t count = drop->positions->count;
    DEW_TRY(dew_remesh_drop_check(drop));
    for (int64_t t = 0; t < drop->triangles->count; t++) {
        const uint32_t *v = DEW_ITEMS(drop->triangles, dew_Triangle)[t].v;
        if (v[0] >= count || v[1] >= count || v[2] >= count)
            return dew_fail(DEW_BAD_INPUT,
                            "triangle %lld names a vertex that is not there; there are %lld",
                            (long long)t, (long long)count);
    }
    if (count >= 1 << DEW_NODE_SHIFT)
        return dew_fail(DEW_BAD_INPUT, "%lld vertices are too many for a union", (long long)count);
    return dew_ok();
}

static dew_RemeshDrop arrays_of(dew_UnionMesh *m)
{
    return (dew_RemeshDrop){&m->position, &m->velocity, &m->label, &m->scale, &m->triangle};
}

static dew_Status take_in(dew_UnionMesh *m, const dew_RemeshDrop *drop, dew_Vec3 shift)
{
    const dew_RemeshDrop copy = arrays_of(m);
    DEW_TRY(dew_remesh_drop_copy(drop, &copy));
    for (int64_t v = 0; v < m->position.count; v++) {
        dew_Vec3 *x = &DEW_ITEMS(&m->position, dew_Vec3)[v];
        *x = dew_add(*x, shift);
    }
    return dew_ok();
}

// Sum of the normals of wetted triangles; zero: none.
static dew_Vec3 wet_normal(const dew_RemeshDrop *drop)
{
    dew_Vec3 sum = {0, 0, 0};
    const dew_Vec3 *x = DEW_ITEMS(drop->positions, dew_Vec3);
    for (int64_t t = 0; drop->labels && t < drop->triangles->count; t++) {
        const uint32_t *v = DEW_ITEMS(drop->triangles, dew_Triangle)[t].v;
        const uint8_t *label = DEW_ITEMS(drop->labels, uint8_t);
        if (label[v[0]] & label[v[1]] & label[v[2]] & DEW_LABEL_TOUCHING)
            sum = dew_add(sum, dew_triangle_normal(x[v[0]], x[v[1]], x[v[2]]));
    }
    return sum;
}

static dew_Vec3 nudge(const dew_RemeshDrop *first, const dew_RemeshDrop *second, int attempt)
{
    dew_Box box = dew_box_empty();
    for (int64_t v = 0; v < second->positions->count; v++)
        box = dew_box_add(box, DEW_ITEMS(second->positions, dew_Vec3)[v]);
    double size = dew_distance(box.min, box.max), reach = DEW_DIRECTION_ROUNDING * size;
    for (int i = 0; i < attempt; i++)
        reach *= 8;
    dew_Vec3 shift = dew_scale(reach, nudge_direction[attempt]), n = wet_normal(second);
    if (dew_length2(n) > 0 && dew_length2(wet_normal(first)) > 0)
        shift = dew_add_scaled(shift, WET_NUDGE * size, dew_normalize(n));
    return shift;
}

// ---- a curve within one triangle ---------------------------------------------------------------

// Barycentric weights of a point in the plane of a triangle.
static void weights_in(const dew_Vec3 x[3], dew_Vec3 p, double weight[3])
{
    dew_Vec3 n = dew_triangle_normal(x[0], x[1], x[2]);
    double n2 = dew_length2(n), sum = 0;
    for (int k = 0; k < 3; k++) {
        dew_Vec3 part = dew_triangle_normal(p, x[(k + 1) % 3], x[(k + 2) % 3]);
        weight[k] = n2 > 0 ? fmax(0, dew_inner(part, n) / n2) : 1;
        sum += weight[k];
    }
    for (int k = 0; k < 3; k++)
        weight[k] = sum > 0 ? weight[k] / sum : 1.0 / 3;
}

static void corners_of(const dew_UnionMesh *m, uint32_t triangle, dew_Vec3 x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] =
            DEW_ITEMS(&m->position, dew_Vec3)[DEW_ITEMS(&m->triangle, dew_Triangle)[triangle].v[k]];
}

static void interpolate(const dew_UnionMesh *m, uint32_t triangle, dew_Vec3 p, dew_Vec3 *velocity,
                        double *scale)
{
    dew_Vec3 x[3];
    double weight[3];
    corners_of(m, triangle, x);
    weights_in(x, p, weight);
    const uint32_t *v = DEW_ITEMS(&m->triangle, dew_Triangle)[triangle].v;
    for (int k = 0; k < 3; k++) {
        *velocity = dew_add_scaled(*velocity, weight[k], DEW_ITEMS(&m->velocity, dew_Vec3)[v[k]]);
        *scale += weight[k] * DEW_ITEMS(&m->scale, double)[v[k]];
    }
}

// Puts a vertex into a triangle, which becomes three.
static dew_Status split_triangle(dew_UnionMesh *m, uint32_t triangle, dew_Vec3 p)
{
    dew_Vec3 velocity = {0, 0, 0};
    double scale = 0;
    interpolate(m, triangle, p, &velocity, &scale);
    dew_Triangle t = DEW_ITEMS(&m->triangle, dew_Triangle)[triangle];
    const uint8_t *of = DEW_ITEMS(&m->label, uint8_t);
    uint8_t label = of[t.v[0]] & of[t.v[1]] & of[t.v[2]] & (uint8_t)~DEW_LABEL_CONTACT_LINE;
    uint32_t middle = (uint32_t)m->position.count;
    DEW_TRY(dew_array_push(&m->position, &p));
    DEW_TRY(dew_array_push(&m->velocity, &velocity));
    DEW_TRY(dew_array_push(&m->scale, &scale));
    DEW_TRY(dew_array_push(&m->label, &label));
    const dew_Triangle part[3] = {
        {{t.v[0], t.v[1], middle}}, {{t.v[1], t.v[2], middle}}, {{t.v[2], t.v[0], middle}}};
    DEW_ITEMS(&m->triangle, dew_Triangle)[triangle] = part[0];
    return dew_array_append(&m->triangle, &part[1], 2);
}

// ---- out ---------------------------------------------------------------------------------------

static dew_Status reserve_vertices(dew_MeshUnion *u)
{
    int64_t most = u->mesh[0].position.count + u->mesh[1].position.count + u->crossings.count;
    DEW_TRY(dew_array_reserve(&u->position, most));
    DEW_TRY(dew_array_reserve(&u->velocity, most));
    DEW_TRY(dew_array_reserve(&u->scale, most));
    return dew_array_reserve(&u->label, most);
}

// Room was reserved.
static void add_vertex(dew_MeshUnion *u, dew_Vec3 x, dew_Vec3 velocity, double scale, uint8_t label)
{
    DEW_ITEMS(&u->position, dew_Vec3)[u->position.count++] = x;
    DEW_ITEMS(&u->velocity, dew_Vec3)[u->velocity.count++] = velocity;
    DEW_ITEMS(&u->scale, double)[u->scale.count++] = scale;
    DEW_ITEMS(&u->label, uint8_t)[u->label.count++] = label;
}

// Vertices of mesh i that triangles of the result name, back from the nudge.
static void add_kept(dew_MeshUnion *u, int i, dew_Vec3 shift)
{
    dew_UnionMesh *m = &u->mesh[i];
    uint32_t *number = DEW_ITEMS(&m->number, uint32_t);
    for (int64_t v = 0; v < m->position.count; v++) {
        if (number[v] == 0)
            continue;
        number[v] = (uint32_t)u->position.count;
        add_vertex(u, dew_sub(DEW_ITEMS(&m->position, dew_Vec3)[v], shift),
                   DEW_ITEMS(&m->velocity, dew_Vec3)[v], DEW_ITEMS(&m->scale, double)[v],
                   DEW_ITEMS(&m->label, uint8_t)[v]);
    }
}

// Labels both ends of the edge have; on a wetted triangle of the other mesh it touches in any case.
static uint8_t crossing_label(const dew_MeshUnion *u, const dew_Crossing *c)
{
    const dew_UnionMesh *m = &u->mesh[c->mesh], *other = &u->mesh[1 - c->mesh];
    const uint8_t *label = DEW_ITEMS(&m->label, uint8_t);
    const uint8_t *of = DEW_ITEMS(&other->label, uint8_t);
    const uint32_t *v = DEW_ITEMS(&other->triangle, dew_Triangle)[c->face].v;
    uint8_t on_edge =
        label[dew_half_from(&m->topology, c->half)] & label[dew_half_to(&m->topology, c->half)];
    return on_edge | (of[v[0]] & of[v[1]] & of[v[2]] & DEW_LABEL_TOUCHING);
}

static void add_crossings(dew_MeshUnion *u)
{
    for (int64_t i = 0; i < u->crossings.count; i++) {
        const dew_Crossing *c = &DEW_ITEMS(&u->crossings, dew_Crossing)[i];
        const dew_UnionMesh *m = &u->mesh[c->mesh];
        uint32_t a = dew_half_from(&m->topology, c->half), b = dew_half_to(&m->topology, c->half);
        const dew_Vec3 *velocity = DEW_ITEMS(&m->velocity, dew_Vec3);
        const double *scale = DEW_ITEMS(&m->scale, double);
        dew_Vec3 on_face = {0, 0, 0},
                 on_edge = dew_combine(1 - c->t, velocity[a], c->t, velocity[b]);
        double face_scale = 0, edge_scale = (1 - c->t) * scale[a] + c->t * scale[b];
        interpolate(&u->mesh[1 - c->mesh], c->face, c->position, &on_face, &face_scale);
        add_vertex(u, c->position, dew_combine(0.5, on_edge, 0.5, on_face),
                   0.5 * (edge_scale + face_scale), crossing_label(u, c));
    }
}

static dew_Status assemble(dew_MeshUnion *u, dew_Vec3 shift)
{
    u->position.count = u->velocity.count = u->scale.count = u->label.count = 0;
    u->triangle.count = 0;
    for (int i = 0; i < 2; i++) {
        u->mesh[i].number.count = 0;
        DEW_TRY(dew_array_resize(&u->mesh[i].number, u->mesh[i].position.count));
    }
    const dew_Triangle *corner = DEW_ITEMS(&u->corners, dew_Triangle);
    for (int64_t t = 0; t < u->corners.count; t++) {
        for (int k = 0; k < 3; k++) {
            uint32_t kind = dew_node_kind(corner[t].v[k]), index = dew_node_index(corner[t].v[k]);
            if (kind < 2)
                DEW_ITEMS(&u->mesh[kind].number, uint32_t)[index] = 1;
        }
    }
    DEW_TRY(reserve_vertices(u));
    DEW_TRY(dew_array_reserve(&u->triangle, u->corners.count));
    add_kept(u, 0, dew_vec(0, 0, 0));
    add_kept(u, 1, shift);
    uint32_t first_crossing = (uint32_t)u->position.count;
    add_crossings(u);
    for (int64_t t = 0; t < u->corners.count; t++) {
        dew_Triangle out;
        for (int k = 0; k < 3; k++) {
            uint32_t kind = dew_node_kind(corner[t].v[k]), index = dew_node_index(corner[t].v[k]);
            out.v[k] = kind == 2 ? first_crossing + index
                                 : DEW_ITEMS(&u->mesh[kind].number, uint32_t)[index];
        }
        DEW_ITEMS(&u->triangle, dew_Triangle)[u->triangle.count++] = out;
    }
    return dew_ok();
}

static dew_RemeshDrop result_arrays(dew_MeshUnion *u)
{
    return (dew_RemeshDrop){&u->position, &u->velocity, &u->label, &u->scale, &u->triangle};
}

// Closed, manifold, oriented, and a volume that such a union can have?
static dew_Status verify(dew_MeshUnion *u, dew_MeshBoolean operation, bool *is_degenerate)
{
    dew_Status status = dew_topology_build(&u->topology, DEW_ITEMS(&u->triangle, dew_Triangle),
                                           u->triangle.count, u->position.count);
    if (status.code == DEW_BAD_INPUT) {
        *is_degenerate = true;
        return dew_ok();
    }
    DEW_TRY(status);
    const dew_RemeshDrop first = arrays_of(&u->mesh[0]), second = arrays_of(&u->mesh[1]);
    double a = dew_remesh_drop_volume(&first), b = dew_remesh_drop_volume(&second);
    const dew_RemeshDrop merged = result_arrays(u);
    u->volume = dew_remesh_drop_volume(&merged);
    // A nudge by WET_NUDGE of its size changes the volume of a ball by six times as much,
    // relatively.
    double slack = 10 * WET_NUDGE * (fabs(a) + fabs(b));
    double lo = operation == DEW_MESH_UNION ? fmax(a, b) : 0;
    double hi = operation == DEW_MESH_UNION ? a + b : fmin(a, b);
    if (!(u->volume >= lo - slack) || !(u->volume <= hi + slack))
        *is_degenerate = true;
    return dew_ok();
}

// ---- one try -----------------------------------------------------------------------------------

static dew_Status build(dew_UnionMesh *m)
{
    return dew_topology_build(&m->topology, DEW_ITEMS(&m->triangle, dew_Triangle),
                              m->triangle.count, m->position.count);
}

static uint8_t side_of_mesh(const dew_UnionMesh *m)
{
    return m->triangle.count > 0
               ? DEW_ITEMS(&m->side, uint8_t)[DEW_ITEMS(&m->triangle, dew_Triangle)[0].v[0]]
               : DEW_SIDE_OUTSIDE;
}

// Cut triangles of both meshes. has_split: triangles were split, all is to be done again.
static dew_Status cut_both(dew_MeshUnion *u, uint8_t wanted_side, bool *is_degenerate,
                           bool *has_split)
{
    u->corners.count = u->loops.count = 0;
    for (int i = 0; i < 2 && !*is_degenerate; i++)
        DEW_TRY(dew_union_faces(u, i, wanted_side, is_degenerate));
    for (int64_t k = 0; k < u->loops.count && !*is_degenerate; k++) {
        const dew_CurveLoop *loop = &DEW_ITEMS(&u->loops, dew_CurveLoop)[k];
        *has_split = true;
        DEW_TRY(split_triangle(&u->mesh[loop->mesh], loop->triangle, loop->point));
    }
    return dew_ok();
}

static dew_Status attempt(dew_MeshUnion *u, dew_MeshBoolean operation, dew_MeshUnionResult *result,
                          bool *is_degenerate)
{
    uint8_t wanted = operation == DEW_MESH_UNION ? DEW_SIDE_OUTSIDE : DEW_SIDE_INSIDE;
    bool has_split = true;
    for (int round = 0; round < MAX_ROUNDS && has_split && !*is_degenerate; round++) {
        for (int i = 0; i < 2; i++)
            DEW_TRY(build(&u->mesh[i]));
        DEW_TRY(dew_union_cross(u, is_degenerate));
        if (!*is_degenerate)
            DEW_TRY(dew_union_segments(u, is_degenerate));
        if (!*is_degenerate)
            DEW_TRY(dew_union_sides(u, is_degenerate));
        has_split = false;
        if (*is_degenerate)
            break;
        if (u->crossings.count == 0) {
            result->relation =
                side_of_mesh(&u->mesh[0]) == DEW_SIDE_INSIDE   ? DEW_MESHES_FIRST_INSIDE
                : side_of_mesh(&u->mesh[1]) == DEW_SIDE_INSIDE ? DEW_MESHES_SECOND_INSIDE
                                                               : DEW_MESHES_APART;
            return dew_ok();
        }
        result->relation = DEW_MESHES_CROSS;
        DEW_TRY(cut_both(u, wanted, is_degenerate, &has_split));
    }
    *is_degenerate = *is_degenerate || has_split;
    return dew_ok();
}

dew_Status dew_mesh_union_run(dew_MeshUnion *u, dew_MeshBoolean operation,
                              const dew_RemeshDrop *first, const dew_RemeshDrop *second,
                              const dew_RemeshDrop *out, dew_MeshUnionResult *result)
{
    dew_MeshUnionResult r = {.relation = DEW_MESHES_APART};
    DEW_TRY(check(first));
    DEW_TRY(check(second));
    for (int try_index = 0; try_index < MAX_TRIES; try_index++) {
        bool is_degenerate = false;
        DEW_TRY(take_in(&u->mesh[0], first, dew_vec(0, 0, 0)));
        dew_Vec3 shift = nudge(first, second, try_index);
        DEW_TRY(take_in(&u->mesh[1], second, shift));
        r = (dew_MeshUnionResult){.nudge_count = try_index};
        DEW_TRY(attempt(u, operation, &r, &is_degenerate));
        if (!is_degenerate && r.relation == DEW_MESHES_CROSS) {
            DEW_TRY(assemble(u, shift));
            DEW_TRY(verify(u, operation, &is_degenerate));
        }
        if (is_degenerate)
            continue;
        if (r.relation == DEW_MESHES_CROSS) {
            const dew_RemeshDrop merged = result_arrays(u);
            DEW_TRY(dew_remesh_drop_assign(&merged, out));
            r.volume_m3 = u->volume;
            r.crossing_count = u->crossings.count;
        }
        if (result)
            *result = r;
        return dew_ok();
    }
    return dew_fail(DEW_UNSUPPORTED,
                    "the meshes touch such that their union cannot be found in "
                    "%d tries; they must cross or be apart",
                    MAX_TRIES);
}
