// Two drops become one: look, draw together if need be, unite, seat on the solids, tidy up; else
// rebuild.
//
// The larger drop is the union's second: where both lie on a solid its wetted side is kept whole,
// and a smaller drop on it is cut off or vanishes. A seam shorter than a few edges makes a bridge
// that the next remeshing pass would cut: drops that meet in so small a place are drawn together
// first.
#include "solvers/surface/merge.h"

#include "base/status.h"
#include "geom/mesh_union.h"
#include "geom/remesh_drop.h"
#include "geom/triangle.h"
#include "solvers/surface/drop_reattach.h"
#include "solvers/surface/merge_near.h"
#include "solvers/surface/merge_prepare.h"

#define MIN_SEAM    1.5   // extent of a seam that needs no drawing together, in edges
#define DRAW_RADIUS 2.0   // around the place, in edges
#define DRAW_REACH  0.35  // of each drop, in edges
#define MAX_SINK    0.1   // in edges
#define SEAT_REACH  1.0   // from which vertices are put back on a solid, in edges
#define MIN_KEPT    0.9   // of the larger volume
#define MAX_GROWN   1.05  // of both volumes
#define MAX_FOLD    0.02  // area of wetted triangles that face the wrong way, in edges squared
// of the remesher's smallest: below, the mesh is looked through for crossings
#define MIN_EDGE  0.2
#define MAX_NODES 16777216.0  // of a rebuild

// A drop's arrays, owned.
typedef struct Copy {
    dew_Array positions, velocities, labels, scales, triangles;
} Copy;

struct dew_Merge {
    dew_Allocator allocator;
    dew_MergeNear near;
    Copy copy[2];  // of the two, to be joined and inset
    Copy merged;
    dew_Array marks;
    dew_MeshUnion *mesh_union;
    dew_Remesh *remesh;
    dew_DropRebuild *rebuild;
};

dew_MergeDef dew_default_merge_def(double edge_m)
{
    return (dew_MergeDef){.edge_m = edge_m, .remesh = dew_default_remesh_def(edge_m)};
}

static dew_RemeshDrop arrays_of(Copy *copy)
{
    return (dew_RemeshDrop){&copy->positions, &copy->velocities, &copy->labels, &copy->scales,
                            &copy->triangles};
}

static void copy_init(Copy *copy, const dew_Allocator *allocator)
{
    dew_array_init(&copy->positions, allocator, sizeof(dew_Vec3));
    dew_array_init(&copy->velocities, allocator, sizeof(dew_Vec3));
    dew_array_init(&copy->labels, allocator, sizeof(uint8_t));
    dew_array_init(&copy->scales, allocator, sizeof(double));
    dew_array_init(&copy->triangles, allocator, sizeof(dew_Triangle));
}

static void copy_deinit(Copy *copy)
{
    dew_array_deinit(&copy->positions);
    dew_array_deinit(&copy->velocities);
    dew_array_deinit(&copy->labels);
    dew_array_deinit(&copy->scales);
    dew_array_deinit(&copy->triangles);
}

dew_Status dew_merge_create(const dew_Allocator *allocator, dew_Merge **out)
{
    *out = NULL;
    dew_Merge *w = (dew_Merge *)dew_alloc(allocator, 1, sizeof *w);
    if (!w)
        return dew_no_memory(sizeof *w);
    if (allocator)
        w->allocator = *allocator;
    dew_merge_near_init(&w->near, allocator);
    copy_init(&w->copy[0], allocator);
    copy_init(&w->copy[1], allocator);
    copy_init(&w->merged, allocator);
    dew_array_init(&w->marks, allocator, sizeof(uint8_t));
    dew_Status status = dew_mesh_union_create(allocator, &w->mesh_union);
    if (status.code == DEW_OK)
        status = dew_remesh_create(allocator, &w->remesh);
    if (status.code == DEW_OK)
        status = dew_drop_rebuild_create(allocator, &w->rebuild);
    if (status.code != DEW_OK) {
        dew_merge_destroy(w);
        return status;
    }
    *out = w;
    return dew_ok();
}

void dew_merge_destroy(dew_Merge *w)
{
    if (!w)
        return;
    dew_merge_near_deinit(&w->near);
    copy_deinit(&w->copy[0]);
    copy_deinit(&w->copy[1]);
    copy_deinit(&w->merged);
    dew_array_deinit(&w->marks);
    dew_mesh_union_destroy(w->mesh_union);
    dew_remesh_destroy(w->remesh);
    dew_drop_rebuild_destroy(w->rebuild);
    dew_Allocator allocator = w->allocator;
    dew_free(&allocator, w, sizeof *w);
}

// ---- measures ----------------------------------------------------------------------------------

typedef struct Measure {
    double volume;
    double area;            // twice
    double free_area;       // twice; of the areas of vertices that do not touch
    dew_Vec3 velocity_sum;  // over vertices, times twice their area
} Measure;

static Measure measure(const dew_RemeshDrop *drop)
{
    Measure m = {0};
    const dew_Vec3 *x = DEW_ITEMS(drop->positions, dew_Vec3);
    const uint8_t *label = drop->labels ? DEW_ITEMS(drop->labels, uint8_t) : NULL;
    for (int64_t t = 0; t < drop->triangles->count; t++) {
        const uint32_t *v = DEW_ITEMS(drop->triangles, dew_Triangle)[t].v;
        dew_Vec3 n = dew_triangle_normal(x[v[0]], x[v[1]], x[v[2]]);
        double area = dew_length(n);
        m.volume += dew_inner(dew_sub(x[v[0]], x[0]), n) / 6;
        m.area += area;
        for (int k = 0; k < 3; k++) {
            if (drop->velocities)
                m.velocity_sum = dew_add_scaled(m.velocity_sum, area / 3,
                                                DEW_ITEMS(drop->velocities, dew_Vec3)[v[k]]);
            if (!label || !(label[v[k]] & DEW_LABEL_TOUCHING))
                m.free_area += area / 3;
        }
    }
    return m;
}

// Gives free vertices a common velocity such that the area-weighted mean is that of both drops
// together, weighted by their volumes.
static void keep_momentum(const dew_RemeshDrop *merged, const Measure before[2])
{
    Measure now = measure(merged);
    double volume = before[0].volume + before[1].volume;
    if (!(now.free_area > 0) || !(volume > 0) || !merged->velocities)
        return;
    dew_Vec3 wanted = {0, 0, 0};
    for (int i = 0; i < 2; i++) {
        if (before[i].area > 0)
            wanted = dew_add_scaled(wanted, before[i].volume / (volume * before[i].area),
                                    before[i].velocity_sum);
    }
    dew_Vec3 missing = dew_sub(dew_scale(now.area, wanted), now.velocity_sum);
    dew_Vec3 step = dew_scale(1 / now.free_area, missing);
    for (int64_t v = 0; v < merged->positions->count; v++) {
        if (!merged->labels || !(DEW_ITEMS(merged->labels, uint8_t)[v] & DEW_LABEL_TOUCHING)) {
            dew_Vec3 *u = &DEW_ITEMS(merged->velocities, dew_Vec3)[v];
            *u = dew_add(*u, step);
        }
    }
}

// Area of wetted triangles that face away from the solid: a side folded onto itself.
static double folded_area(const dew_RemeshDrop *drop, const dew_DropSolids *solids, double reach)
{
    double sum = 0;
    const uint8_t *label = DEW_ITEMS(drop->labels, uint8_t);
    const dew_Vec3 *x = DEW_ITEMS(drop->positions, dew_Vec3);
    for (int64_t t = 0; solids->nearest && t < drop->triangles->count; t++) {
        const uint32_t *v = DEW_ITEMS(drop->triangles, dew_Triangle)[t].v;
        if (!(label[v[0]] & label[v[1]] & label[v[2]] & DEW_LABEL_TOUCHING))
            continue;
        dew_Vec3 n = dew_triangle_normal(x[v[0]], x[v[1]], x[v[2]]);
        dew_Vec3 middle = dew_scale(1.0 / 3, dew_add(x[v[0]], dew_add(x[v[1]], x[v[2]])));
        dew_Closest c;
        if (solids->nearest(solids->context, middle, reach, &c) &&
            dew_inner(n, c.normal) > 0.3 * dew_length(n))
            sum += 0.5 * dew_length(n);
    }
    return sum;
}

// Shortest edge squared. Edges much shorter than the remesher leaves are signs of a tangle.
static double shortest_edge2(const dew_RemeshDrop *drop)
{
    double shortest2 = HUGE_VAL;
    const dew_Vec3 *x = DEW_ITEMS(drop->positions, dew_Vec3);
    for (int64_t t = 0; t < drop->triangles->count; t++) {
        const uint32_t *v = DEW_ITEMS(drop->triangles, dew_Triangle)[t].v;
        for (int k = 0; k < 3; k++) {
            double length2 = dew_length2(dew_sub(x[v[k]], x[v[(k + 1) % 3]]));
            shortest2 = length2 < shortest2 ? length2 : shortest2;
        }
    }
    return shortest2;
}

// ---- union -------------------------------------------------------------------------------------

// The seam is what the union appended last.
static dew_Box seam_box(const Copy *merged, int64_t seam_count)
{
    dew_Box box = dew_box_empty();
    for (int64_t v = merged->positions.count - seam_count; v < merged->positions.count; v++)
        box = dew_box_add(box, DEW_ITEMS(&merged->positions, dew_Vec3)[v]);
    return box;
}

// Sinks and unites the copies. is_refused: the union is degenerate.
static dew_Status unite(dew_Merge *w, const dew_MergeDef *def, dew_MeshUnionResult *result,
                        bool *is_refused)
{
    dew_RemeshDrop drops[2] = {arrays_of(&w->copy[0]), arrays_of(&w->copy[1])};
    dew_RemeshDrop merged = arrays_of(&w->merged);
    dew_merge_sink(drops, &def->solids, MAX_SINK * def->edge_m);
    *result = (dew_MeshUnionResult){0};
    dew_Status status =
        dew_mesh_union_run(w->mesh_union, DEW_MESH_UNION, &drops[0], &drops[1], &merged, result);
    *is_refused = status.code == DEW_UNSUPPORTED;
    return *is_refused ? dew_ok() : status;
}

// Draws copies of the drops together around a place, then unites them.
static dew_Status draw_and_unite(dew_Merge *w, const dew_MergeDef *def,
                                 const dew_RemeshDrop drops[2], dew_Vec3 place,
                                 dew_MeshUnionResult *result, bool *is_refused)
{
    const dew_RemeshDrop copies[2] = {arrays_of(&w->copy[0]), arrays_of(&w->copy[1])};
    for (int i = 0; i < 2; i++)
        DEW_TRY(dew_remesh_drop_copy(&drops[i], &copies[i]));
    double radius = DRAW_RADIUS * def->edge_m + def->gap_m;
    dew_merge_draw_together(copies, &def->solids, place, radius,
                            DRAW_REACH * def->edge_m + def->gap_m);
    return unite(w, def, result, is_refused);
}

// ---- outcomes ----------------------------------------------------------------------------------

typedef struct Attempt {
    const dew_MergeDef *def;
    const dew_RemeshDrop *drops;  // two, the larger last
    Measure before[2];
    dew_MergeResult result;
    bool is_done;  // merged mesh is sound
} Attempt;

static bool is_plausible(const Attempt *attempt, double volume)
{
    double a = attempt->before[0].volume, b = attempt->before[1].volume, e = attempt->def->edge_m;
    double slack = attempt->result.was_drawn ? 2 * e * e * e : 0;
    return volume >= MIN_KEPT * fmax(a, b) && volume <= MAX_GROWN * (a + b) + slack;
}

static dew_Status tidy_union(dew_Merge *w, Attempt *attempt)
{
    const dew_MergeDef *def = attempt->def;
    dew_RemeshDrop merged = arrays_of(&w->merged);
    dew_DropTidyDef tidy = {
        .remesh = def->remesh, .solids = &def->solids, .reach_m = SEAT_REACH * def->edge_m};
    tidy.remesh.smoothing = 1;
    tidy.remesh.keep_necks = true;
    dew_RemeshResult last;
    dew_Status status = dew_drop_tidy(&tidy, w->remesh, &merged, &w->marks, &last);
    if (status.code == DEW_BAD_INPUT)
        return dew_ok();  // not finite after all: rebuild
    DEW_TRY(status);
    dew_DropTrim trim = dew_drop_trim(&merged, dew_remesh_pieces(w->remesh), last.piece_count, 0);
    double fold = folded_area(&merged, &def->solids, tidy.reach_m);
    attempt->result.volume_m3 = trim.volume_m3;
    attempt->result.filled_m3 = trim.filled_m3;
    attempt->is_done = is_plausible(attempt, trim.volume_m3 - trim.filled_m3) &&
                       fold <= MAX_FOLD * def->edge_m * def->edge_m;
    double tangle = MIN_EDGE * def->remesh.min_edge_m;
    if (attempt->is_done && shortest_edge2(&merged) < tangle * tangle) {
        bool crosses;
        DEW_TRY(dew_drop_self_crosses(w->rebuild, &merged, &crosses));
        attempt->is_done = !crosses;
    }
    return dew_ok();
}

// Nodes fine enough for the smaller drop, but not too many for both.
static double rebuild_spacing(const Attempt *attempt)
{
    double spacing = DEW_DROP_REBUILD_SPACING * attempt->def->edge_m;
    dew_Box box = dew_box_empty();
    for (int i = 0; i < 2; i++) {
        const Measure *m = &attempt->before[i];
        double thickness = m->area > 0 ? 6 * m->volume / m->area : 0;  // a ball's radius
        if (thickness > 0)
            spacing = fmax(fmin(spacing, 0.7 * thickness), 0.4 * attempt->def->edge_m);
        box = dew_box_union(box, dew_drop_box(&attempt->drops[i]));
    }
    dew_Vec3 size = dew_sub(box.max, box.min);
    double room = (size.x + 8 * spacing) * (size.y + 8 * spacing) * (size.z + 8 * spacing);
    return fmax(spacing, cbrt(room / MAX_NODES));
}

static dew_Status rebuild(dew_Merge *w, Attempt *attempt)
{
    const dew_MergeDef *def = attempt->def;
    dew_RemeshDrop merged = arrays_of(&w->merged);
    dew_DropRebuildDef rebuild_def = {.edge_m = def->edge_m, .solids = def->solids};
    rebuild_def.spacing_m = rebuild_spacing(attempt);
    for (int i = 0; i < 2 && !attempt->is_done; i++) {
        dew_DropRebuildResult r;
        DEW_TRY(dew_drop_rebuild(w->rebuild, &rebuild_def, attempt->drops, 2, &merged, &r));
        attempt->is_done = r.piece_count == 1 && r.volume_m3 > 0;
        attempt->result.kind = DEW_DROPS_REBUILT;
        attempt->result.volume_m3 = r.volume_m3;
        attempt->result.filled_m3 = r.filled_m3;
        // In pieces: what joins them is thinner than the nodes are apart.
        rebuild_def.swell_m = 0.5 * rebuild_def.spacing_m + 0.5 * def->gap_m;
    }
    return dew_ok();
}

static dew_Status swallow(dew_Merge *w, Attempt *attempt, int inner)
{
    const dew_RemeshDrop merged = arrays_of(&w->merged);
    DEW_TRY(dew_remesh_drop_copy(&attempt->drops[1 - inner], &merged));
    attempt->result.kind = inner == 0 ? DEW_DROPS_FIRST_INSIDE : DEW_DROPS_SECOND_INSIDE;
    attempt->result.volume_m3 = attempt->before[1 - inner].volume;
    attempt->is_done = true;
    return dew_ok();
}

static dew_Vec3 middle_of(const dew_RemeshDrop *drop)
{
    dew_Box box = dew_drop_box(drop);
    return dew_combine(0.5, box.min, 0.5, box.max);
}

static dew_Status try_union(dew_Merge *w, Attempt *attempt, const dew_MergeNearPair *near)
{
    const dew_MergeDef *def = attempt->def;
    dew_MeshUnionResult united = {.relation = DEW_MESHES_APART};
    bool is_refused = false;
    dew_Vec3 place = near->place_m;
    if (near->touch) {
        const dew_RemeshDrop copies[2] = {arrays_of(&w->copy[0]), arrays_of(&w->copy[1])};
        for (int i = 0; i < 2; i++)
            DEW_TRY(dew_remesh_drop_copy(&attempt->drops[i], &copies[i]));
        DEW_TRY(unite(w, def, &united, &is_refused));
        if (!is_refused && united.relation == DEW_MESHES_FIRST_INSIDE)
            return swallow(w, attempt, 0);
        if (!is_refused && united.relation == DEW_MESHES_SECOND_INSIDE)
            return swallow(w, attempt, 1);
        // Surfaces that touch all over, as those of equal drops in one place do.
        if (!is_refused && united.relation == DEW_MESHES_APART &&
            dew_drop_holds(&attempt->drops[1], middle_of(&attempt->drops[0])))
            return swallow(w, attempt, 0);
    }
    bool has_crossed = !is_refused && united.relation == DEW_MESHES_CROSS;
    double extent = 0;
    if (has_crossed) {
        dew_Box seam = seam_box(&w->merged, united.crossing_count);
        place = dew_combine(0.5, seam.min, 0.5, seam.max);
        extent = dew_distance(seam.min, seam.max);
    }
    if (!is_refused && extent < MIN_SEAM * def->edge_m) {
        attempt->result.was_drawn = true;
        DEW_TRY(draw_and_unite(w, def, attempt->drops, place, &united, &is_refused));
        has_crossed = !is_refused && united.relation == DEW_MESHES_CROSS;
    }
    attempt->result.place_m = place;
    attempt->result.kind = DEW_DROPS_UNITED;
    attempt->result.seam_count = united.crossing_count;
    return has_crossed ? tidy_union(w, attempt) : dew_ok();
}

// ---- all of it ---------------------------------------------------------------------------------

static dew_Status merge(dew_Merge *w, Attempt *attempt, const dew_MergeNearPair *near)
{
    if (near->inner != DEW_INVALID)
        return swallow(w, attempt, near->inner);
    if (!attempt->def->always_rebuilds)
        DEW_TRY(try_union(w, attempt, near));
    bool is_little = attempt->before[0].volume < attempt->def->swallows * attempt->before[1].volume;
    if (!attempt->is_done && !is_little)
        DEW_TRY(rebuild(w, attempt));
    // Drops too small for their nodes: the larger one takes the other's volume.
    return attempt->is_done ? dew_ok() : swallow(w, attempt, 0);
}

dew_Status dew_merge_meet(dew_Merge *w, const dew_MergeDef *def, const dew_RemeshDrop *first,
                          const dew_RemeshDrop *second, bool *meet)
{
    dew_MergeNearPair near;
    DEW_TRY(dew_merge_find_near(&w->near, first, second, def->gap_m, &near));
    *meet = near.touch || near.are_near || near.inner != DEW_INVALID;
    return dew_ok();
}

dew_Status dew_merge_drops(dew_Merge *w, const dew_MergeDef *def, const dew_RemeshDrop *first,
                           const dew_RemeshDrop *second, const dew_RemeshDrop *out,
                           dew_MergeResult *result)
{
    dew_MergeNearPair near;
    *result = (dew_MergeResult){.kind = DEW_DROPS_APART};
    DEW_TRY(dew_merge_find_near(&w->near, first, second, def->gap_m, &near));
    if (!near.touch && !near.are_near && near.inner == DEW_INVALID)
        return dew_ok();
    Measure one = measure(first), two = measure(second);
    bool is_swapped = one.volume > two.volume;
    const dew_RemeshDrop drops[2] = {is_swapped ? *second : *first, is_swapped ? *first : *second};
    Attempt attempt = {.def = def, .drops = drops};
    attempt.result.place_m = near.place_m;
    attempt.before[0] = is_swapped ? two : one;
    attempt.before[1] = is_swapped ? one : two;
    if (is_swapped && near.inner != DEW_INVALID)
        near.inner = 1 - near.inner;
    DEW_TRY(merge(w, &attempt, &near));
    dew_RemeshDrop merged = arrays_of(&w->merged);
    keep_momentum(&merged, attempt.before);
    DEW_TRY(dew_remesh_drop_assign(&merged, out));
    *result = attempt.result;
    result->missing_m3 = one.volume + two.volume - attempt.result.volume_m3;
    if (is_swapped && result->kind >= DEW_DROPS_FIRST_INSIDE)
        result->kind = result->kind == DEW_DROPS_FIRST_INSIDE ? DEW_DROPS_SECOND_INSIDE
                                                              : DEW_DROPS_FIRST_INSIDE;
    return dew_ok();
}
