// Sub-grid droplets: components of the liquid too small for the grid, carried as particles.
//
// A component enters this list when its volume falls below h^3, or when its last cell disappears
// from one step to the next. State per droplet: position, velocity, volume. Motion: ballistic under
// gravity; a droplet that reaches a solid stops there. A droplet that touches a resolved drop is
// absorbed: the drop's target volume increases by the droplet's, in one step by no more than the
// corrections of that step can move the surface; the rest stays a droplet. So volume is conserved.
//
// Limits: droplets do not collide with one another; their momentum, of a cell's mass at most, is
// not transferred.

#include "base/status.h"

#include "geom/mesh_crossings.h"
#include "geom/mesh_measure.h"
#include "geom/shapes.h"
#include "grid/sample.h"
#include "solvers/free_surface/liquid.h"
#include "surface/step_back.h"

#include <stdlib.h>

double dew_liquid_droplet_radius_m(const dew_Liquid *liquid, const dew_SubgridDroplet *droplet)
{
    if (liquid->grid->dimensions == 2)
        return sqrt(droplet->volume_m3 / (DEW_PI * liquid->grid->cell_m));
    return cbrt(droplet->volume_m3 * 3 / (4 * DEW_PI));
}

double dew_liquid_droplets_m3(const dew_Liquid *liquid)
{
    double sum = 0;
    for (int64_t i = 0; i < liquid->droplets.count; i++)
        sum += DEW_ITEMS(&liquid->droplets, dew_SubgridDroplet)[i].volume_m3;
    return sum;
}

dew_Status dew_liquid_add_droplet(dew_Liquid *liquid, dew_Vec3 position_m, double volume_m3)
{
    dew_SubgridDroplet droplet = {.position_m = position_m, .volume_m3 = volume_m3};
    const double *u[3] = {NULL, NULL, NULL};
    if (!(volume_m3 > 0))
        return dew_ok();
    for (int a = 0; a < liquid->grid->dimensions; a++)
        u[a] = dew_grid_f64(liquid->grid, liquid->u[a]);
    dew_grid_sample_velocity(liquid->grid, u, position_m, &droplet.velocity_m_s);
    return dew_array_push(&liquid->droplets, &droplet);
}

// The liquid that a sub-grid droplet touches: the drop of the cell deepest in it of those around.
static int32_t drop_touched(const dew_Liquid *liquid, const dew_SubgridDroplet *droplet)
{
    const dew_Grid *grid = liquid->grid;
    int32_t brick = dew_grid_brick_at(grid, droplet->position_m), best = DEW_INVALID;
    if (brick < 0)
        return DEW_INVALID;
    const int32_t *drop = dew_grid_field(grid, liquid->drop);
    const double *phi = dew_liquid_phi(liquid);
    dew_Vec3 first = dew_grid_position(grid, brick, 0, 0, 0, DEW_AT_NODE);
    dew_Vec3 x = dew_scale(1 / grid->cell_m, dew_sub(droplet->position_m, first));
    int c[3] = {(int)floor(x.x), (int)floor(x.y), grid->depth == 1 ? 0 : (int)floor(x.z)};
    int64_t here = dew_grid_near(grid, brick, c[0], c[1], c[2]);
    double least = HUGE_VAL, radius = dew_liquid_droplet_radius_m(liquid, droplet);
    if (here < 0 || phi[here] > radius + 0.5 * grid->cell_m)
        return DEW_INVALID;
    for (int n = 0; n < 27; n++) {
        int64_t at =
            dew_grid_near(grid, brick, c[0] + n % 3 - 1, c[1] + n / 3 % 3 - 1, c[2] + n / 9 - 1);
        if (at >= 0 && drop[at] >= 0 && phi[at] < least) {
            least = phi[at];
            best = drop[at];
        }
    }
    return best;
}

// What a drop can take in a step: the corrections shift its surface by so much, less what it misses
// already.
static double capacity_m3(const dew_Liquid *liquid, int32_t drop)
{
    const dew_LiquidDrop *d = &DEW_ITEMS(&liquid->drops, dew_LiquidDrop)[drop];
    double shift_m = DEW_LIQUID_SHIFTS * DEW_LIQUID_SHIFT * liquid->grid->cell_m;
    double missed_m3 = DEW_ITEMS(&liquid->targets, double)[drop] - d->volume_m3;
    return fmax(shift_m * d->area_m2 - fmax(missed_m3, 0), 0);
}

static void fly(const dew_Problem *problem, const dew_Liquid *liquid, const dew_Step *step,
                dew_SubgridDroplet *droplet)
{
    double radius = dew_liquid_droplet_radius_m(liquid, droplet), z_m = droplet->position_m.z;
    droplet->velocity_m_s =
        dew_add_scaled(droplet->velocity_m_s, step->dt_s, step->instant->gravity_m_s2);
    droplet->position_m = dew_add_scaled(droplet->position_m, step->dt_s, droplet->velocity_m_s);
    dew_SolidPoint p = dew_problem_nearest(problem, step->instant, droplet->position_m, radius);
    if (p.solid_id != DEW_INVALID && p.distance_m <= radius) {
        droplet->position_m = dew_add_scaled(p.point_m, radius, p.normal);
        droplet->velocity_m_s = p.velocity_m_s;
    }
    if (liquid->grid->dimensions == 2) {  // it stays in the layer of cells
        droplet->position_m.z = z_m;
        droplet->velocity_m_s.z = 0;
    }
}

dew_Status dew_liquid_move_droplets(const dew_Problem *problem, dew_Liquid *liquid, dew_Step *step)
{
    dew_SubgridDroplet *droplets = DEW_ITEMS(&liquid->droplets, dew_SubgridDroplet);
    int64_t kept = 0;
    for (int64_t i = 0; i < liquid->droplets.count; i++) {
        dew_SubgridDroplet droplet = droplets[i];
        fly(problem, liquid, step, &droplet);
        int32_t drop = drop_touched(liquid, &droplet);
        if (drop >= 0) {
            double given_m3 = fmin(droplet.volume_m3, capacity_m3(liquid, drop));
            DEW_ITEMS(&liquid->targets, double)[drop] += given_m3;
            droplet.volume_m3 -= given_m3;
        }
        if (!(droplet.volume_m3 > 0))
            continue;
        if (dew_liquid_is_outside(problem, liquid, droplet.position_m))
            step->removed_m3 += droplet.volume_m3;
        else
            droplets[kept++] = droplet;
    }
    return dew_array_resize(&liquid->droplets, kept);
}

// ---- Their part of the surface mesh -------------------------------------------------------------

// Sub-grid droplets as triangles, none of which cross.
//
// A droplet is a ball of its volume, or half a ball where it rests on a solid. Droplets do not see
// one another while they move, so several may be in one place: bodies that would overlap are drawn
// as one, of their common volume, in their common centre of mass. A body that crosses the liquid of
// the grid is left out: its volume is drawn with that liquid (surface_mesh.c fits the volume of
// both).

// Circumradius over radius: a polyhedron of a ball's volume reaches beyond the ball. The largest
// ratio, of half a ball in triangles of 0.4 radii, is 1.06.
#define REACH_RATIO 1.08

typedef struct Body {
    dew_SubgridDroplet droplet;
    dew_SolidPoint on;  // the solid it rests on, if it does
    dew_Vec3 middle_m;  // of the ball
    double reach_m;     // from there
    uint32_t index;     // of the first of its droplets
    int64_t first_triangle;
    bool rests, is_gone;
} Body;

typedef struct Drawing {
    const dew_Problem *problem;
    const dew_Liquid *liquid;
    const dew_Instant *instant;
    Body *bodies;
    int64_t count;
    dew_Surface *out;
} Drawing;

// ---- where they are ----------------------------------------------------------------------------

static void place(const Drawing *d, Body *body)
{
    const dew_SubgridDroplet *droplet = &body->droplet;
    double radius = dew_liquid_droplet_radius_m(d->liquid, droplet);
    double reach_m = 1.01 * radius;  // one that rests touches the wall but for rounding
    body->on = dew_problem_nearest(d->problem, d->instant, droplet->position_m, reach_m);
    body->rests = body->on.solid_id != DEW_INVALID && body->on.distance_m <= reach_m &&
                  d->liquid->grid->dimensions == 3;
    double ball_m = cbrt(droplet->volume_m3 * (body->rests ? 6 : 3) / (4 * DEW_PI));
    body->middle_m = body->rests ? body->on.point_m : droplet->position_m;
    body->reach_m = REACH_RATIO * ball_m;
}

static void merge(const Drawing *d, Body *into, Body *from)
{
    dew_SubgridDroplet *a = &into->droplet, *b = &from->droplet;
    double sum = a->volume_m3 + b->volume_m3, part = sum > 0 ? b->volume_m3 / sum : 0;
    a->position_m = dew_combine(1 - part, a->position_m, part, b->position_m);
    a->velocity_m_s = dew_combine(1 - part, a->velocity_m_s, part, b->velocity_m_s);
    a->volume_m3 = sum;
    from->is_gone = true;
    place(d, into);
}

static int by_left_end(const void *a, const void *b)
{
    const Body *p = a, *q = b;
    double x = p->middle_m.x - p->reach_m, y = q->middle_m.x - q->reach_m;
    return x < y ? -1 : x > y ? 1 : (p->index > q->index) - (p->index < q->index);
}

// Merges each body with those it meets; false: none did. A body that has merged is elsewhere and
// larger, so that it is asked again in the next round only.
static bool merge_round(Drawing *d)
{
    int64_t kept = 0;
    qsort(d->bodies, (size_t)d->count, sizeof *d->bodies, by_left_end);
    for (int64_t i = 0; i < d->count; i++) {
        Body *a = &d->bodies[i];
        double end = a->middle_m.x + a->reach_m;
        for (int64_t j = i + 1; j < d->count && !a->is_gone; j++) {
            Body *b = &d->bodies[j];
            if (b->middle_m.x - b->reach_m > end)
                break;
            if (!b->is_gone && dew_distance(a->middle_m, b->middle_m) <= a->reach_m + b->reach_m) {
                merge(d, a, b);
                break;
            }
        }
    }
    for (int64_t i = 0; i < d->count; i++)
        if (!d->bodies[i].is_gone)
            d->bodies[kept++] = d->bodies[i];
    bool has_merged = kept < d->count;
    d->count = kept;
    return has_merged;
}

// ---- as triangles ------------------------------------------------------------------------------

static dew_Status shape(const Body *body, dew_Mesh *mesh)
{
    double volume_m3 = body->droplet.volume_m3, radius = cbrt(volume_m3 * 3 / (4 * DEW_PI));
    DEW_TRY(body->rests ? dew_shape_cap(volume_m3, 0.5 * DEW_PI, 0.4 * radius, mesh)
                        : dew_shape_icosphere(radius, 3, mesh));
    double larger = cbrt(volume_m3 / dew_mesh_measure(mesh).volume_m3);
    dew_Vec3 *x = DEW_ITEMS(&mesh->positions, dew_Vec3), normal = body->on.normal;
    dew_Vec3 turn = dew_cross(dew_vec(0, 1, 0), normal);
    dew_Rotation q = dew_rotation_identity();
    if (body->rests && (dew_length2(turn) > 0 || normal.y < 0))
        q = dew_rotation_about(dew_length2(turn) > 0 ? dew_normalize(turn) : dew_vec(1, 0, 0),
                               acos(fmax(-1, fmin(normal.y, 1))));
    for (int64_t i = 0; i < mesh->positions.count; i++)
        x[i] = dew_add(body->middle_m, dew_rotate(q, dew_scale(larger, x[i])));
    return dew_ok();
}

// Those of the vertices from `first` on that lie on the solid.
static void wet_base(dew_Surface *out, int64_t first, const dew_SolidPoint *on, double radius)
{
    for (int64_t i = first; i < out->positions.count; i++) {
        dew_Vec3 x = DEW_ITEMS(&out->positions, dew_Vec3)[i];
        if (dew_inner(dew_sub(x, on->point_m), on->normal) > 1e-3 * radius)
            continue;
        DEW_ITEMS(&out->wet, float)[i] = 1;
        DEW_ITEMS(&out->solid_normals, dew_Vec3)[i] = on->normal;
    }
}

static dew_Status append(const Drawing *d, dew_Mesh *mesh)
{
    for (int64_t i = 0; i < d->count; i++) {
        Body *body = &d->bodies[i];
        int64_t first = d->out->positions.count;
        if (body->is_gone)
            continue;
        body->first_triangle = d->out->triangles.count;
        DEW_TRY(shape(body, mesh));
        DEW_TRY(dew_surface_append_mesh(d->out, mesh, body->droplet.velocity_m_s));
        if (body->rests)
            wet_base(d->out, first, &body->on,
                     dew_liquid_droplet_radius_m(d->liquid, &body->droplet));
    }
    return dew_ok();
}

// ---- beside the liquid of the grid -------------------------------------------------------------

// Crossings of the triangles from `first` on, positions as they are written.
static dew_Status find_crossings(const Drawing *d, int64_t first, dew_Arena *scratch,
                                 dew_Array *pairs)
{
    int64_t n = d->out->positions.count, count = d->out->triangles.count;
    dew_Vec3 *x = dew_arena_raw_array(scratch, dew_Vec3, n);
    uint8_t *is_asked = dew_arena_array(scratch, uint8_t, count);
    if (!x || !is_asked)
        return dew_no_memory((size_t)n * sizeof *x);
    for (int64_t i = 0; i < n; i++)
        x[i] = dew_as_written(DEW_ITEMS(&d->out->positions, dew_Vec3)[i]);
    for (int64_t t = first; t < count; t++)
        is_asked[t] = 1;
    dew_CrossingSearch search = {.positions = x,
                                 .triangles = DEW_ITEMS(&d->out->triangles, dew_Triangle),
                                 .triangle_count = count,
                                 .is_asked = is_asked,
                                 .tasks = d->liquid->tasks,
                                 .scratch = scratch};
    return dew_mesh_crossings(&search, pairs);
}

// The bodies of crossing triangles are gone; false: there are none. Bodies lie in the surface one
// after the other, behind the liquid of the grid, so the later triangle of a pair is one of a body.
static bool drop_crossing(const Drawing *d, const dew_Array *pairs)
{
    for (int64_t i = 0; i < pairs->count; i++) {
        int64_t t = DEW_ITEMS(pairs, dew_TrianglePair)[i].second, low = 0, high = d->count - 1;
        while (low < high) {
            int64_t middle = (low + high + 1) / 2;
            if (d->bodies[middle].first_triangle <= t)
                low = middle;
            else
                high = middle - 1;
        }
        d->bodies[low].is_gone = true;
    }
    return pairs->count > 0;
}

static dew_Status draw(Drawing *d, dew_Mesh *mesh, dew_Array *pairs)
{
    dew_Arena *scratch = &d->liquid->workspace->scratch;
    int64_t vertices = d->out->positions.count, triangles = d->out->triangles.count;
    d->count = d->liquid->droplets.count;
    d->bodies = dew_arena_array(scratch, Body, d->count);
    if (!d->bodies)
        return dew_no_memory((size_t)d->count * sizeof *d->bodies);
    for (int64_t i = 0; i < d->count; i++) {
        d->bodies[i].droplet = DEW_ITEMS(&d->liquid->droplets, dew_SubgridDroplet)[i];
        d->bodies[i].index = (uint32_t)i;
        place(d, &d->bodies[i]);
    }
    while (merge_round(d)) {
    }
    DEW_TRY(append(d, mesh));
    DEW_TRY(find_crossings(d, triangles, scratch, pairs));
    if (!drop_crossing(d, pairs))
        return dew_ok();
    DEW_TRY(dew_surface_resize(d->out, vertices, triangles));
    return append(d, mesh);
}

dew_Status dew_liquid_droplets_mesh(const dew_Problem *problem, const dew_Liquid *liquid,
                                    const dew_Instant *instant, dew_Surface *out)
{
    dew_Mesh mesh;
    dew_Array pairs;
    Drawing drawing = {.problem = problem, .liquid = liquid, .instant = instant, .out = out};
    if (liquid->droplets.count == 0)
        return dew_ok();
    dew_mesh_init(&mesh, &out->allocator);
    dew_array_init(&pairs, &out->allocator, sizeof(dew_TrianglePair));
    dew_Status status = draw(&drawing, &mesh, &pairs);
    dew_array_deinit(&pairs);
    dew_mesh_deinit(&mesh);
    return status;
}
