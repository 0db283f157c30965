// Cut of a drop's mesh along its edges.
//
// Triangles with a vertex that is gone are removed. What is left is bounded by closed chains of
// edges, each of which is filled by a fan around its middle. Where two chains meet in a vertex,
// that vertex goes as well, until none do. The cut is as rough as the mesh: it belongs where it is
// not seen.
#include "solvers/surface/drop_cut.h"

#include "base/status.h"

#define MAX_PASSES 16

typedef struct Cut {
    dew_DropWork *work;
    uint8_t *is_gone;  // per vertex
    int32_t *owner;    // triangle per directed edge
    int32_t *next;     // per vertex: along the border of what is left; -1: not on it
    int32_t *number;   // per vertex: its new one. Also the stack of the search
} Cut;

static bool stays(const Cut *c, int64_t triangle)
{
    const uint32_t *v = c->work->triangle[triangle].v;
    return !c->is_gone[v[0]] && !c->is_gone[v[1]] && !c->is_gone[v[2]];
}

/// What the nozzle is not connected with any more is gone too.
static int64_t keep_what_hangs(Cut *c)
{
    enum { SEEN = 2 };
    const dew_DropWork *work = c->work;
    int64_t count = 0, kept = 0;
    for (int32_t i = 0; i < (int32_t)work->n; i++)
        if ((work->label[i] & DEW_LABEL_NOZZLE) && !c->is_gone[i]) {
            c->is_gone[i] = SEEN;
            c->number[count++] = i;
        }
    while (kept < count) {  // a queue: each vertex enters once
        int32_t i = c->number[kept++];
        for (int32_t e = work->row[i]; e < work->row[i + 1]; e++)
            if (!c->is_gone[work->col[e]]) {
                c->is_gone[work->col[e]] = SEEN;
                c->number[count++] = work->col[e];
            }
    }
    for (int64_t i = 0; i < work->n; i++)
        c->is_gone[i] = c->is_gone[i] != SEEN;
    return kept;
}

/// The border, walked so that the fans over it face outward. Vertices where it meets itself go, and
/// so do those that have no triangle left; true when there were any.
static bool walk_border(Cut *c)
{
    const dew_DropWork *work = c->work;
    bool has_changed = false;
    for (int64_t i = 0; i < work->n; i++) {
        c->next[i] = -1;
        bool has_triangle = false;
        for (int32_t e = work->row[i]; e < work->row[i + 1]; e++)
            has_triangle = has_triangle || stays(c, c->owner[e]);
        if (!c->is_gone[i] && !has_triangle) {
            c->is_gone[i] = true;
            has_changed = true;
        }
    }
    for (int32_t i = 0; i < (int32_t)work->n; i++)
        for (int32_t e = work->row[i]; e < work->row[i + 1]; e++) {
            if (!stays(c, c->owner[e]) || stays(c, c->owner[work->twin[e]]))
                continue;
            int32_t j = work->col[e];
            has_changed = has_changed || c->next[j] >= 0;
            c->is_gone[j] = c->next[j] >= 0;
            c->next[j] = i;
        }
    return has_changed;
}

static dew_Status fill(const Cut *c, int32_t first)
{
    dew_DropWork *work = c->work;
    dew_Vec3 middle = {0, 0, 0}, velocity = {0, 0, 0};
    const dew_Vec3 *x = DEW_ITEMS(&work->positions, dew_Vec3);
    const dew_Vec3 *v = DEW_ITEMS(&work->velocities, dew_Vec3);
    uint32_t top = (uint32_t)work->positions.count;
    int64_t count = 0;
    int32_t i = first;
    do {
        middle = dew_add(middle, x[c->number[i]]);
        velocity = dew_add(velocity, v[c->number[i]]);
        count++;
        dew_Triangle t = {{(uint32_t)c->number[i], (uint32_t)c->number[c->next[i]], top}};
        DEW_TRY(dew_array_push(&work->triangles, &t));
        int32_t done = i;
        i = c->next[i];
        c->next[done] = -1;
    } while (i != first);
    middle = dew_scale(1 / (double)count, middle);
    velocity = dew_scale(1 / (double)count, velocity);
    const uint8_t label = 0;
    const double clearance = 0;
    DEW_TRY(dew_array_push(&work->positions, &middle));
    DEW_TRY(dew_array_push(&work->velocities, &velocity));
    DEW_TRY(dew_array_push(&work->labels, &label));
    return dew_array_push(&work->clearances, &clearance);
}

/// Moves what stays to the front of the arrays; new numbers never exceed the old ones.
static void close_ranks(Cut *c)
{
    dew_DropWork *work = c->work;
    int32_t vertices = 0;
    int64_t triangles = 0;
    for (int32_t i = 0; i < (int32_t)work->n; i++) {
        if (c->is_gone[i])
            continue;
        work->x[vertices] = work->x[i];
        work->v[vertices] = work->v[i];
        work->label[vertices] = work->label[i];
        work->clearance[vertices] = work->clearance[i];
        c->number[i] = vertices++;
    }
    dew_Triangle *t = DEW_ITEMS(&work->triangles, dew_Triangle);
    for (int64_t k = 0; k < work->triangle_count; k++) {
        if (!stays(c, k))
            continue;
        dew_Triangle old = t[k];
        for (int corner = 0; corner < 3; corner++)
            old.v[corner] = (uint32_t)c->number[old.v[corner]];
        t[triangles++] = old;
    }
    work->positions.count = work->velocities.count = vertices;
    work->labels.count = work->clearances.count = vertices;
    work->triangles.count = triangles;
}

/// Is there more left than the disk of the nozzle?
static bool has_body(const Cut *c)
{
    for (int64_t i = 0; i < c->work->n; i++)
        if (!c->is_gone[i] && !(c->work->label[i] & DEW_LABEL_NOZZLE))
            return true;
    return false;
}

dew_Status dew_drop_cut_off(dew_DropWork *work, uint8_t *is_gone, dew_Arena *scratch)
{
    int64_t n = work->n;
    Cut c = {.work = work,
             .is_gone = is_gone,
             .owner = dew_arena_array(scratch, int32_t, 3 * work->triangle_count),
             .next = dew_arena_array(scratch, int32_t, n),
             .number = dew_arena_array(scratch, int32_t, n)};
    if (!c.owner || !c.next || !c.number)
        return dew_no_memory((size_t)(3 * work->triangle_count + 2 * n) * sizeof(int32_t));
    for (int32_t k = 0; k < (int32_t)work->triangle_count; k++)
        for (int corner = 0; corner < 3; corner++)
            c.owner[work->slot[3 * k + corner]] = k;
    int pass = 0;
    int64_t kept = keep_what_hangs(&c);
    for (; pass < MAX_PASSES && kept > 0 && walk_border(&c); pass++)
        kept = keep_what_hangs(&c);
    if (pass == MAX_PASSES || kept == n || !has_body(&c))
        return dew_ok();
    close_ranks(&c);
    for (int32_t i = 0; i < (int32_t)n; i++)
        if (!is_gone[i] && c.next[i] >= 0)
            DEW_TRY(fill(&c, i));
    DEW_TRY(dew_drop_connect(work));
    work->values.volume_m3 = dew_drop_volume(work);
    work->flags.has_velocity = 0;  // the vertices tell what momentum is left
    return dew_ok();
}
