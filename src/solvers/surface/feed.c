// Feeding a drop by hand, and drawing from it: its volume changes at once, the free surface moving along
// its normals; a contact line stays where it is until the next step finds it at its bounds.
#include "base/status.h"
#include "solvers/surface/state.h"

#define MOST_PER_CALL 0.1  // of the drop: more would not be a small offset of its surface
#define REACH         1.2  // radii

// The drop with the vertex nearest to the point, if that is near enough for the point to lie in the drop: the
// middle of a ball of triangles lies a little more than its radius away from them.
static dew_Status find_drop(const dew_DropStore *drops, dew_Vec3 at, int64_t *out)
{
    dew_DropPlace place = {0, 0};
    double nearest2 = HUGE_VAL;
    *out = DEW_INVALID;
    for (int64_t d = 0; d < dew_drop_count(drops); d++) {
        dew_DropView drop = dew_drop_view(drops, d, place);
        double reach = REACH * cbrt(3 / (4 * DEW_PI) * drop.values.volume_m3);
        for (int64_t i = 0; i < drop.counts.vertex_count; i++) {
            double d2 = dew_length2(dew_sub(drop.positions[i], at));
            if (d2 < nearest2 && d2 <= reach * reach) {
                nearest2 = d2;
                *out = d;
            }
        }
        place = dew_drop_next_place(drops, d, place);
    }
    if (*out == DEW_INVALID)
        return dew_fail(DEW_BAD_INPUT, "there is no drop at (%g, %g, %g) m to be fed", at.x, at.y,
                        at.z);
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
    work->values.calm_s = 0;
    work->counts.is_asleep = 0;
    DEW_TRY(dew_drop_connect(work));
    dew_drop_correct_volume(work);
    for (int64_t i = 0; i < work->n; i++)
        work->clearance[i] = 0;  // to be looked at again
    return dew_ok();
}

dew_Status dew_surface_solver_feed(const dew_Problem *problem, dew_SolverState *state,
                                   const dew_Moment *moment, dew_Vec3 at_m, double volume_m3)
{
    (void)problem;
    (void)moment;
    int64_t fed;
    DEW_TRY(find_drop(&state->drops, at_m, &fed));
    dew_drop_store_clear(&state->next);
    dew_DropPlace place = {0, 0};
    for (int64_t d = 0; d < dew_drop_count(&state->drops); d++) {
        dew_DropView drop = dew_drop_view(&state->drops, d, place);
        place = dew_drop_next_place(&state->drops, d, place);
        if (d == fed) {
            DEW_TRY(dew_drop_work_load(&state->merged, &state->laws, &drop));
            DEW_TRY(grow(&state->merged, volume_m3));
            drop = dew_drop_work_view(&state->merged);
        }
        DEW_TRY(dew_drop_store_append(&state->next, &drop));
    }
    dew_DropStore drops = state->drops;
    state->drops = state->next;
    state->next = drops;
    return dew_ok();
}
