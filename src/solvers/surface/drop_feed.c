// Feeding a drop by hand, and drawing from it: its volume changes at once, the free surface moving
// along its normals; a contact line stays where it is until the next step finds it at its bounds.
#include "base/status.h"
#include "solvers/surface/surface_state.h"

#define MOST_PER_CALL 0.1  // of the drop: more would not be a small offset of its surface
#define REACH         1.2  // radii

/// A feed and the drop it goes to.
typedef struct Target {
    int64_t drop;
    double distance2;  // of the drop's nearest vertex
} Target;

/// Distance of a point from a box, squared; 0 inside.
static double box_distance2(const dew_Box *box, dew_Vec3 p)
{
    double x = fmax(fmax(box->min.x - p.x, p.x - box->max.x), 0);
    double y = fmax(fmax(box->min.y - p.y, p.y - box->max.y), 0);
    double z = fmax(fmax(box->min.z - p.z, p.z - box->max.z), 0);
    return x * x + y * y + z * z;
}

// The drop with the vertex nearest to the point, if that is near enough for the point to lie in the
// drop: the middle of a ball of triangles lies a little more than its radius away from them.
static dew_Status find_drops(const dew_DropStore *drops, const dew_Feed *feeds, int64_t count,
                             Target *targets)
{
    dew_DropPlace place = {0, 0};
    for (int64_t f = 0; f < count; f++)
        targets[f] = (Target){DEW_INVALID, HUGE_VAL};
    for (int64_t d = 0; d < dew_drop_count(drops); d++) {
        dew_DropView drop = dew_drop_view(drops, d, place);
        dew_Box box = dew_drop_view_box(&drop);
        double reach = REACH * cbrt(3 / (4 * DEW_PI) * drop.values.volume_m3);
        for (int64_t f = 0; f < count; f++) {
            if (box_distance2(&box, feeds[f].at_m) > reach * reach)
                continue;
            for (int64_t i = 0; i < drop.counts.vertex_count; i++) {
                double d2 = dew_length2(dew_sub(drop.positions[i], feeds[f].at_m));
                if (d2 < targets[f].distance2 && d2 <= reach * reach)
                    targets[f] = (Target){d, d2};
            }
        }
        place = dew_drop_next_place(drops, d, place);
    }
    for (int64_t f = 0; f < count; f++)
        if (targets[f].drop == DEW_INVALID)
            return dew_fail(DEW_BAD_INPUT, "there is no drop at (%g, %g, %g) m to be fed",
                            feeds[f].at_m.x, feeds[f].at_m.y, feeds[f].at_m.z);
    return dew_ok();
}

static dew_Status grow(dew_DropWork *work, double volume_m3)
{
    double now_m3 = work->values.volume_m3;
    if (!(fabs(volume_m3) <= MOST_PER_CALL * now_m3))
        return dew_fail(DEW_BAD_INPUT,
                        "%.3g mm^3 at once are too much for a drop of %.3g mm^3 (a tenth at most)",
                        1e9 * volume_m3, 1e9 * now_m3);
    work->values.volume_m3 += volume_m3;
    work->values.at_rest_s = 0;
    work->flags.is_asleep = 0;
    DEW_TRY(dew_drop_connect(work));
    dew_drop_correct_volume(work);
    for (int64_t i = 0; i < work->n; i++)
        work->clearance[i] = 0;  // to be looked at again
    return dew_ok();
}

static dew_Status feed_drops(dew_SolverState *state, const dew_Feed *feeds, int64_t count,
                             Target *targets)
{
    DEW_TRY(find_drops(&state->drops, feeds, count, targets));
    dew_drop_store_clear(&state->next);
    dew_DropPlace place = {0, 0}, first_place = place;
    int64_t first = dew_drop_count(&state->drops);  // that is fed
    for (int64_t f = 0; f < count; f++)
        first = targets[f].drop < first ? targets[f].drop : first;
    for (int64_t d = 0; d < dew_drop_count(&state->drops); d++) {
        if (d == first)
            first_place = place;
        dew_DropView drop = dew_drop_view(&state->drops, d, place);
        place = dew_drop_next_place(&state->drops, d, place);
        if (d < first)
            continue;
        double volume_m3 = 0;
        bool is_fed = false;
        for (int64_t f = 0; f < count; f++) {
            is_fed = is_fed || targets[f].drop == d;
            volume_m3 += targets[f].drop == d ? feeds[f].volume_m3 : 0;
        }
        if (is_fed) {
            DEW_TRY(dew_drop_work_load(&state->made, &state->params, &drop));
            DEW_TRY(grow(&state->made, volume_m3));
            drop = dew_drop_work_view(&state->made);
        }
        DEW_TRY(dew_drop_store_append(&state->next, &drop));
    }
    return dew_surface_solver_replace_from(state, first, first_place);
}

dew_Status dew_surface_solver_feed(const dew_Problem *problem, dew_SolverState *state,
                                   const dew_Instant *instant, const dew_Feed *feeds, int64_t count)
{
    (void)problem;
    (void)instant;
    Target *targets = dew_alloc(&state->allocator, count, sizeof *targets);
    if (!targets)
        return dew_no_memory((size_t)count * sizeof *targets);
    dew_Status status = feed_drops(state, feeds, count, targets);
    dew_free(&state->allocator, targets, (size_t)count * sizeof *targets);
    return status;
}
