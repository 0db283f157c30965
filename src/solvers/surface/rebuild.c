// A drop made anew from the distance field of its meshes.
//
// The field is the least of the meshes' signed distances, each taken with its wetted sides pushed
// into the solid (wall_extrusion.h). It is sampled on nodes in bricks of 8 x 8 x 8. Bricks too far
// from the surface to matter have no samples of their own: those outside are left out, those inside
// share one set of samples. The memory hence grows with the surface, 4 kB per brick that it passes
// through or by, and not with the box around it. Vertices of the marching-cubes surface ask the
// nearest triangle what they are: what belongs to a wetted side goes back to where that side was,
// the walls to the contact line. What is left there of flat triangles is the remesher's to clean
// up.
#include "solvers/surface/rebuild.h"

#include "base/arena.h"
#include "base/status.h"
#include "geom/mesh_distance.h"
#include "geom/remesh_drop.h"
#include "solvers/surface/drop_reattach.h"
#include "solvers/surface/wall_extrusion.h"
#include "surface/marching_cubes.h"

#define DEPTH      1.5  // of pushed sides, in spacings: the bottom must not reach the wall's cells
#define BORDER     2    // nodes beyond the meshes
#define BRICK      8    // nodes along a side
#define MAX_NODES  268435456.0  // 2^28
#define OFF_CENTRE 0.137  // of a spacing: keeps nodes off the planes that drops like to lie on

struct dew_DropRebuild {
    dew_Allocator allocator;
    dew_Array skirts;     // of dew_DropSkirt; the first skirt_ready of them may be used
    dew_Array distances;  // of dew_MeshDistance *
    dew_Array positions, velocities, labels, scales, triangles;  // the new drop
    dew_Array marks;                                             // scratch
    dew_Array pieces;                                            // of dew_RemeshPiece
    dew_Array coords, slots, samples;                            // of bricks, as in dew_NodeBricks
    dew_Remesh *remesh;
    dew_Arena arena;
};

static dew_Array *array_of(dew_DropRebuild *w, int k)
{
    dew_Array *const arrays[] = {&w->skirts, &w->distances, &w->positions, &w->velocities,
                                 &w->labels, &w->scales,    &w->triangles, &w->marks,
                                 &w->pieces, &w->coords,    &w->slots,     &w->samples};
    return k < 12 ? arrays[k] : NULL;
}

dew_Status dew_drop_rebuild_create(const dew_Allocator *allocator, dew_DropRebuild **out)
{
    static const size_t size[] = {sizeof(dew_DropSkirt),   sizeof(dew_MeshDistance *),
                                  sizeof(dew_Vec3),        sizeof(dew_Vec3),
                                  sizeof(uint8_t),         sizeof(double),
                                  sizeof(dew_Triangle),    sizeof(uint8_t),
                                  sizeof(dew_RemeshPiece), sizeof(int32_t[3]),
                                  sizeof(int32_t),         sizeof(double[DEW_NODE_BRICK])};
    *out = NULL;
    dew_DropRebuild *w = (dew_DropRebuild *)dew_alloc(allocator, 1, sizeof *w);
    if (!w)
        return dew_no_memory(sizeof *w);
    if (allocator)
        w->allocator = *allocator;
    for (int k = 0; array_of(w, k); k++)
        dew_array_init(array_of(w, k), allocator, size[k]);
    dew_arena_init(&w->arena, allocator);
    dew_Status status = dew_remesh_create(allocator, &w->remesh);
    if (status.code != DEW_OK) {
        dew_drop_rebuild_destroy(w);
        return status;
    }
    *out = w;
    return dew_ok();
}

static void forget_distances(dew_DropRebuild *w)
{
    for (int64_t i = 0; i < w->distances.count; i++)
        dew_mesh_distance_destroy(DEW_ITEMS(&w->distances, dew_MeshDistance *)[i]);
    w->distances.count = 0;
}

void dew_drop_rebuild_destroy(dew_DropRebuild *w)
{
    if (!w)
        return;
    forget_distances(w);
    for (int64_t i = 0; i < w->skirts.count; i++)
        dew_drop_skirt_deinit(&DEW_ITEMS(&w->skirts, dew_DropSkirt)[i]);
    for (int k = 0; array_of(w, k); k++)
        dew_array_deinit(array_of(w, k));
    dew_remesh_destroy(w->remesh);
    dew_arena_deinit(&w->arena);
    dew_Allocator allocator = w->allocator;
    dew_free(&allocator, w, sizeof *w);
}

const dew_RemeshPiece *dew_drop_rebuild_pieces(const dew_DropRebuild *w)
{
    return DEW_ITEMS(&w->pieces, dew_RemeshPiece);
}

// ---- in ----------------------------------------------------------------------------------------

static dew_Status check(const dew_DropRebuildDef *def, const dew_RemeshDrop *drop, int64_t index)
{
    int64_t count = drop->positions->count;
    if (!(def->edge_m > 0) || !isfinite(def->edge_m) || !(def->spacing_m >= 0) ||
        !(def->swell_m >= 0))
        return dew_fail(DEW_BAD_INPUT,
                        "a drop cannot be rebuilt with edges of %g m, nodes %g m apart, %g m "
                        "larger; edges must be above zero",
                        def->edge_m, def->spacing_m, def->swell_m);
    if ((drop->velocities && drop->velocities->count != count) ||
        (drop->labels && drop->labels->count != count) ||
        (drop->scales && drop->scales->count != count))
        return dew_fail(DEW_BAD_INPUT, "arrays of drop %lld differ in length; it has %lld vertices",
                        (long long)index, (long long)count);
    return dew_ok();
}

static dew_Status make_skirts(dew_DropRebuild *w, const dew_DropRebuildDef *def,
                              const dew_RemeshDrop *drops, int64_t count, double depth)
{
    while (w->skirts.count < count) {
        DEW_TRY(dew_array_resize(&w->skirts, w->skirts.count + 1));
        dew_drop_skirt_init(&DEW_ITEMS(&w->skirts, dew_DropSkirt)[w->skirts.count - 1],
                            &w->allocator);
    }
    for (int64_t i = 0; i < count; i++) {
        dew_DropSkirt *skirt = &DEW_ITEMS(&w->skirts, dew_DropSkirt)[i];
        DEW_TRY(check(def, &drops[i], i));
        DEW_TRY(dew_drop_skirt_make(skirt, &drops[i], &def->solids, depth));
        dew_MeshDistance *distance;
        DEW_TRY(dew_array_reserve(&w->distances, i + 1));
        DEW_TRY(dew_mesh_distance_create(&skirt->mesh, DEW_SIGN_WINDING, NULL, &w->allocator,
                                         &distance));
        DEW_TRY(dew_array_push(&w->distances, &distance));  // room was reserved: cannot fail
    }
    return dew_ok();
}

// ---- the field ---------------------------------------------------------------------------------

// Distance from a box; 0 inside it.
static double distance_from(dew_Box box, dew_Vec3 p)
{
    dew_Vec3 out = dew_vec_max(dew_sub(box.min, p), dew_sub(p, box.max));
    return dew_length(dew_vec_max(out, dew_vec(0, 0, 0)));
}

// The mesh that a point is deepest in, or nearest to.
static dew_MeshClosest nearest(const dew_DropRebuild *w, dew_Vec3 p, int64_t *index)
{
    dew_MeshClosest best = {.closest = {.distance = HUGE_VAL}};
    *index = 0;
    for (int64_t i = 0; i < w->distances.count; i++) {
        const dew_MeshDistance *d = DEW_ITEMS(&w->distances, dew_MeshDistance *)[i];
        if (distance_from(dew_mesh_distance_bvh(d)->box, p) > fmax(0, best.closest.distance))
            continue;
        dew_MeshClosest c = dew_mesh_distance_at(d, p);
        if (c.closest.distance < best.closest.distance) {
            best = c;
            *index = i;
        }
    }
    return best;
}

// The field at a point where it is known to be no farther from zero than `reach`.
static double value_at(const dew_DropRebuild *w, dew_Vec3 p, double reach)
{
    double best = HUGE_VAL;
    for (int64_t i = 0; i < w->distances.count; i++) {
        dew_MeshClosest c;
        const dew_MeshDistance *d = DEW_ITEMS(&w->distances, dew_MeshDistance *)[i];
        if (distance_from(dew_mesh_distance_bvh(d)->box, p) <= fmin(reach, fmax(0, best)) &&
            dew_mesh_distance_within(d, p, reach, &c))
            best = fmin(best, c.closest.distance);
    }
    int64_t index;
    return best < HUGE_VAL ? best : nearest(w, p, &index).closest.distance;
}

// The same outside of all meshes, or inside of the only one: the sign need not be looked for.
static double value_of_sign(const dew_DropRebuild *w, dew_Vec3 p, double reach, bool is_inside)
{
    double best = HUGE_VAL;
    for (int64_t i = 0; i < w->distances.count; i++) {
        dew_BvhClosest c;
        const dew_Bvh *bvh = dew_mesh_distance_bvh(DEW_ITEMS(&w->distances, dew_MeshDistance *)[i]);
        if (distance_from(bvh->box, p) <= fmin(reach, best) &&
            dew_bvh_closest(bvh, p, fmin(reach, best), &c))
            best = c.distance;
    }
    return best == HUGE_VAL ? value_at(w, p, reach) : is_inside ? -best : best;
}

// The lattice of nodes: node (0, 0, 0) is the first one in the brick at (0, 0, 0).
typedef struct Lattice {
    dew_Vec3 first_m;  // of node (1, 1, 1)
    double spacing_m;
    int32_t bricks[3];
} Lattice;

static dew_Vec3 node_at(const Lattice *lattice, double i, double j, double k)
{
    return dew_add_scaled(lattice->first_m, lattice->spacing_m, dew_vec(i - 1, j - 1, k - 1));
}

typedef struct Tile {
    int64_t side, from[3];  // nodes
    double reach_m;         // the field's value in its middle is no larger
} Tile;

static dew_Vec3 middle_of(const Lattice *lattice, const Tile *tile)
{
    double half = 0.5 * (double)(tile->side - 1);
    return node_at(lattice, (double)tile->from[0] + half, (double)tile->from[1] + half,
                   (double)tile->from[2] + half);
}

// How far from the surface the middle of a tile must be for all its nodes, and the next ones, to be
// on one side.
static double far_m(const Lattice *lattice, int64_t side)
{
    return sqrt(3) * (0.5 * (double)(side - 1) + 1) * lattice->spacing_m;
}

// The field at a point as far as `way_m` from one where it is `there`. The field changes by no more
// than the distance: its sign is that of a value that is larger.
static double value_in(const dew_DropRebuild *w, dew_Vec3 p, double reach_m, double there,
                       double way_m)
{
    bool is_known = there > way_m || (-there > way_m && w->distances.count == 1);
    return is_known ? value_of_sign(w, p, reach_m, there < 0) : value_at(w, p, reach_m);
}

// Far from the surface the value in a tile's middle will do for all of its nodes; else it is
// halved. Cells that the surface crosses have exact values at all their corners. `there` is the
// value in the middle.
static void sample_tile(const dew_DropRebuild *w, const Lattice *lattice, double swell,
                        const Tile *tile, double there, double *values)
{
    double half = 0.5 * (double)(tile->side - 1), h = lattice->spacing_m;
    bool is_whole = tile->side == 1 || fabs(there - swell) > far_m(lattice, tile->side);
    Tile part = {.side = is_whole ? 1 : tile->side / 2,
                 .reach_m = fabs(there) + sqrt(3) * half * h};
    const int64_t *from = tile->from;
    double way = 0.25 * sqrt(3) * (double)tile->side * h;  // between the middles
    for (int64_t k = from[2]; k < from[2] + tile->side; k += part.side) {
        for (int64_t j = from[1]; j < from[1] + tile->side; j += part.side) {
            for (int64_t i = from[0]; i < from[0] + tile->side; i += part.side) {
                part.from[0] = i;
                part.from[1] = j;
                part.from[2] = k;
                if (is_whole)
                    values[i % BRICK + BRICK * (j % BRICK + BRICK * (k % BRICK))] = there;
                else
                    sample_tile(w, lattice, swell, &part,
                                value_in(w, middle_of(lattice, &part), part.reach_m, there, way),
                                values);
            }
        }
    }
}

static dew_Status add_brick(dew_DropRebuild *w, const int32_t coord[3], int32_t slot)
{
    DEW_TRY(dew_array_push(&w->coords, coord));
    return dew_array_push(&w->slots, &slot);
}

// Bricks of one row along x. The field changes by no more than the distance: what the middle of a
// far brick has is known of the next ones, too.
static dew_Status sample_row(dew_DropRebuild *w, const Lattice *lattice, double swell,
                             int32_t coord[3], int32_t *inside_slot)
{
    double there = 0, known_m = 0,
           least_m = far_m(lattice, BRICK);  // known_m: least distance from the surface
    for (coord[0] = 0; coord[0] < lattice->bricks[0]; coord[0]++) {
        Tile tile = {BRICK, {BRICK * coord[0], BRICK * coord[1], BRICK * coord[2]}, HUGE_VAL};
        known_m -= BRICK * lattice->spacing_m;
        if (!(known_m > least_m)) {
            there = value_at(w, middle_of(lattice, &tile), HUGE_VAL);
            known_m = fabs(there - swell);
        }
        bool is_far = known_m > least_m, is_inside = there < swell;
        if (is_far && !is_inside)
            continue;
        int32_t slot = is_far ? *inside_slot : DEW_INVALID;
        if (slot == DEW_INVALID) {
            slot = (int32_t)w->samples.count;
            DEW_TRY(dew_array_resize(&w->samples, slot + 1));
            sample_tile(w, lattice, swell, &tile, there,
                        (double *)w->samples.data + (int64_t)DEW_NODE_BRICK * slot);
        }
        if (is_far)
            *inside_slot = slot;
        DEW_TRY(add_brick(w, coord, slot));
    }
    return dew_ok();
}

static dew_Status sample(dew_DropRebuild *w, double spacing, double swell, Lattice *lattice)
{
    dew_Box box = dew_box_empty();
    for (int64_t i = 0; i < w->distances.count; i++)
        box = dew_box_union(
            box, dew_mesh_distance_bvh(DEW_ITEMS(&w->distances, dew_MeshDistance *)[i])->box);
    double pad = BORDER * spacing + swell;
    dew_Vec3 size = dew_add_scaled(dew_sub(box.max, box.min), 2 * pad, dew_vec(1, 1, 1));
    double n[3] = {ceil(size.x / spacing) + 2, ceil(size.y / spacing) + 2,
                   ceil(size.z / spacing) + 2};
    if (!(n[0] * n[1] * n[2] <= MAX_NODES))
        return dew_fail(DEW_BAD_INPUT,
                        "a drop of %g by %g by %g m cannot be rebuilt from nodes %g m apart; "
                        "longer edges need fewer",
                        size.x, size.y, size.z, spacing);
    double shift = pad + OFF_CENTRE * spacing;
    *lattice =
        (Lattice){.first_m = dew_sub(box.min, dew_vec(shift, shift, shift)), .spacing_m = spacing};
    for (int axis = 0; axis < 3; axis++)  // a node more at either side
        lattice->bricks[axis] = (int32_t)((n[axis] + 2 + BRICK - 1) / BRICK);
    int32_t coord[3], inside_slot = DEW_INVALID;
    w->coords.count = w->slots.count = w->samples.count = 0;
    for (coord[2] = 0; coord[2] < lattice->bricks[2]; coord[2]++) {
        for (coord[1] = 0; coord[1] < lattice->bricks[1]; coord[1]++)
            DEW_TRY(sample_row(w, lattice, swell, coord, &inside_slot));
    }
    return dew_ok();
}

// ---- out ---------------------------------------------------------------------------------------

// What a new vertex takes over from the nearest place of the old surface.
static void dress_vertex(dew_DropRebuild *w, const dew_RemeshDrop *drops, int64_t vertex)
{
    dew_Vec3 *x = &DEW_ITEMS(&w->positions, dew_Vec3)[vertex];
    int64_t index;
    dew_MeshClosest c = nearest(w, *x, &index);
    const dew_RemeshDrop *drop = &drops[index];
    const dew_DropSkirt *skirt = &DEW_ITEMS(&w->skirts, dew_DropSkirt)[index];
    const uint32_t *corner = dew_mesh_triangles(&skirt->mesh)[c.triangle].v;
    bool is_wet = DEW_ITEMS(&skirt->is_wet, uint8_t)[c.triangle];
    dew_Vec3 velocity = {0, 0, 0}, lifted = dew_sub(*x, c.closest.point);
    double scale = 0;
    uint8_t bits = 0xff;
    for (int k = 0; k < 3; k++) {
        uint32_t v = DEW_ITEMS(&skirt->above, uint32_t)[corner[k]];
        lifted = dew_add_scaled(lifted, c.weight[k], DEW_ITEMS(drop->positions, dew_Vec3)[v]);
        if (drop->velocities)
            velocity =
                dew_add_scaled(velocity, c.weight[k], DEW_ITEMS(drop->velocities, dew_Vec3)[v]);
        scale += c.weight[k] * (drop->scales ? DEW_ITEMS(drop->scales, double)[v] : 1);
        bits &= drop->labels ? DEW_ITEMS(drop->labels, uint8_t)[v] : 0;
    }
    bits &= (uint8_t) ~(DEW_LABEL_TOUCHING | DEW_LABEL_CONTACT_LINE);
    if (is_wet)
        *x = lifted;
    DEW_ITEMS(&w->velocities, dew_Vec3)[vertex] = velocity;
    DEW_ITEMS(&w->scales, double)[vertex] = scale;
    DEW_ITEMS(&w->labels, uint8_t)[vertex] = bits | (is_wet ? DEW_LABEL_TOUCHING : 0);
}

static dew_Status make_drop(dew_DropRebuild *w, const dew_DropRebuildDef *def,
                            const dew_RemeshDrop *drops, const Lattice *lattice)
{
    dew_MarchingDef marching = dew_default_marching_def();
    marching.iso = def->swell_m;
    marching.scratch = &w->arena;
    dew_NodeBricks bricks = {
        .f64 = (const double *)w->samples.data,
        .brick_count = w->coords.count,
        .coords = (const int32_t(*)[3])w->coords.data,
        .slots = DEW_ITEMS(&w->slots, int32_t),
        .origin_m = dew_add_scaled(lattice->first_m, -lattice->spacing_m, dew_vec(1, 1, 1)),
        .spacing_m = lattice->spacing_m};
    DEW_TRY(dew_marching_cubes_bricks(
        &bricks, &marching,
        (dew_MarchingOut){.positions = &w->positions, .triangles = &w->triangles}));
    int64_t count = w->positions.count;
    DEW_TRY(dew_array_resize(&w->velocities, count));
    DEW_TRY(dew_array_resize(&w->scales, count));
    DEW_TRY(dew_array_resize(&w->labels, count));
    for (int64_t v = 0; v < count; v++)
        dress_vertex(w, drops, v);
    return dew_ok();
}

static dew_Status tidy(dew_DropRebuild *w, const dew_DropRebuildDef *def,
                       dew_DropRebuildResult *result)
{
    dew_RemeshDrop drop = {&w->positions, &w->velocities, &w->labels, &w->scales, &w->triangles};
    dew_DropTidyDef tidy_def = {.remesh = dew_default_remesh_def(def->edge_m),
                                .solids = &def->solids,
                                .reach_m = 2 * def->edge_m};
    tidy_def.remesh.smoothing = 1;
    tidy_def.remesh.keep_necks = true;
    dew_RemeshResult last = {0};
    if (w->triangles.count > 0)
        DEW_TRY(dew_drop_tidy(&tidy_def, w->remesh, &drop, &w->marks, &last));
    const dew_RemeshPiece *pieces = dew_remesh_pieces(w->remesh);
    dew_DropTrim trim =
        dew_drop_trim(&drop, pieces, last.piece_count, tidy_def.remesh.min_volume_m3);
    w->pieces.count = 0;
    DEW_TRY(dew_array_append(&w->pieces, pieces, trim.piece_count));
    result->volume_m3 = trim.volume_m3;
    result->filled_m3 = trim.filled_m3;
    result->lost_m3 = trim.lost_m3;
    result->lost_count = trim.lost_count;
    result->piece_count = trim.piece_count;
    return dew_ok();
}

static dew_Status rebuild(dew_DropRebuild *w, const dew_DropRebuildDef *def,
                          const dew_RemeshDrop *drops, int64_t count, dew_DropRebuildResult *result)
{
    double spacing = def->spacing_m > 0 ? def->spacing_m : DEW_DROP_REBUILD_SPACING * def->edge_m;
    Lattice lattice = {0};
    DEW_TRY(make_skirts(w, def, drops, count, DEPTH * spacing));
    for (int64_t i = 0; i < count; i++)
        result->before_m3 += dew_remesh_drop_volume(&drops[i]);
    DEW_TRY(sample(w, spacing, def->swell_m, &lattice));
    DEW_TRY(make_drop(w, def, drops, &lattice));
    return tidy(w, def, result);
}

dew_Status dew_drop_rebuild(dew_DropRebuild *w, const dew_DropRebuildDef *def,
                            const dew_RemeshDrop *drops, int64_t count, const dew_RemeshDrop *out,
                            dew_DropRebuildResult *result)
{
    dew_DropRebuildResult r = {0};
    dew_Status status = rebuild(w, def, drops, count, &r);
    forget_distances(w);
    dew_arena_deinit(&w->arena);  // rare, and of any size: as much as all else together
    dew_array_deinit(&w->samples);
    dew_array_deinit(&w->slots);
    dew_array_deinit(&w->coords);
    DEW_TRY(status);
    const dew_RemeshDrop made = {&w->positions, &w->velocities, &w->labels, &w->scales,
                                 &w->triangles};
    DEW_TRY(dew_remesh_drop_assign(&made, out));
    if (result)
        *result = r;
    return dew_ok();
}

// ---- self-crossing -----------------------------------------------------------------------------

typedef struct Crossing {
    const dew_Mesh *mesh;
    uint32_t triangle;
    dew_Vec3 corner[3];
} Crossing;

static void corners_of(const dew_Mesh *mesh, uint32_t triangle, dew_Vec3 x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = dew_mesh_positions(mesh)[dew_mesh_triangles(mesh)[triangle].v[k]];
}

static bool visit(void *context, uint32_t other)
{
    const Crossing *crossing = (const Crossing *)context;
    if (other <= crossing->triangle)
        return true;  // each pair once
    dew_Vec3 x[3];
    corners_of(crossing->mesh, other, x);
    return !dew_triangle_overlaps_triangle(crossing->corner, x);
}

dew_Status dew_drop_self_crosses(dew_DropRebuild *w, const dew_RemeshDrop *drop, bool *crosses)
{
    const dew_Mesh mesh = {.positions = *drop->positions, .triangles = *drop->triangles};
    dew_Bvh *bvh;
    *crosses = false;
    DEW_TRY(dew_bvh_create(&mesh, NULL, &w->allocator, &bvh));
    for (uint32_t t = 0; t < mesh.triangles.count && !*crosses; t++) {
        Crossing crossing = {.mesh = &mesh, .triangle = t};
        corners_of(&mesh, t, crossing.corner);
        dew_Box box = dew_box_empty();
        for (int k = 0; k < 3; k++)
            box = dew_box_add(box, crossing.corner[k]);
        *crosses = !dew_bvh_box(bvh, box, visit, &crossing);
    }
    dew_bvh_destroy(bvh);
    return dew_ok();
}
