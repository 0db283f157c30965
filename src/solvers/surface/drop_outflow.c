// Drops that leave: through an open side of the domain, or into a sink. A stream that hangs on a
// nozzle is cut where it leaves.
#include "base/status.h"
#include "solvers/surface/drop_cut.h"
#include "solvers/surface/surface_state.h"

#define MARGIN 3.0  // edges beyond the border, where a stream is cut

static bool boxes_meet(dew_Box a, dew_Box b)
{
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
           a.min.z <= b.max.z && b.min.z <= a.max.z;
}

/// Wholly outside of the domain, which only an open side allows, or its middle in a sink.
static bool has_left(const dew_Problem *problem, const dew_DropView *drop)
{
    dew_Box box = dew_drop_view_box(drop);
    if (!boxes_meet(box, dew_problem_domain(problem)))
        return true;
    return dew_problem_in_sink(problem, dew_scale(0.5, dew_add(box.min, box.max)));
}

static bool is_outside(dew_Box box, dew_Vec3 p, double margin)
{
    return p.x < box.min.x - margin || p.x > box.max.x + margin || p.y < box.min.y - margin ||
           p.y > box.max.y + margin || p.z < box.min.z - margin || p.z > box.max.z + margin;
}

/// Has a vertex of a stream left? It is let go well beyond the border, so that the cut is not seen.
static bool is_gone(const dew_Problem *problem, const dew_DropView *drop, int64_t i, double edge_m)
{
    if (drop->labels[i] & DEW_LABEL_NOZZLE)
        return false;
    dew_Vec3 p = drop->positions[i];
    return is_outside(dew_problem_domain(problem), p, MARGIN * edge_m) ||
           dew_problem_in_sink(problem, p);
}

typedef enum Fate { STAYS, LEAVES, IS_CUT } Fate;

static Fate fate_of(const dew_Problem *problem, const dew_SolverState *state,
                    const dew_DropView *drop)
{
    if (drop->flags.is_asleep)
        return STAYS;
    if (drop->counts.inflow == DEW_INVALID)
        return has_left(problem, drop) ? LEAVES : STAYS;
    for (int64_t i = 0; i < drop->counts.vertex_count; i++)
        if (is_gone(problem, drop, i, state->params.edge_m))
            return IS_CUT;
    return STAYS;
}

/// What of a stream has left is cut off; the rest hangs on at its nozzle.
static dew_Status cut(const dew_Problem *problem, dew_SolverState *state, dew_Step *step,
                      const dew_DropView *drop)
{
    dew_DropWork *work = &state->made;
    uint8_t *gone = dew_arena_array(step->scratch, uint8_t, drop->counts.vertex_count);
    if (!gone)
        return dew_no_memory((size_t)drop->counts.vertex_count);
    for (int64_t i = 0; i < drop->counts.vertex_count; i++)
        gone[i] = is_gone(problem, drop, i, state->params.edge_m);
    DEW_TRY(dew_drop_work_load(work, &state->params, drop));
    DEW_TRY(dew_drop_connect(work));
    DEW_TRY(dew_drop_cut_off(work, gone, step->scratch));
    step->removed_m3 += drop->values.volume_m3 - work->values.volume_m3;
    dew_DropView rest = dew_drop_work_view(work);
    return dew_drop_store_append(&state->next, &rest);
}

dew_Status dew_surface_solver_remove_outflow(const dew_Problem *problem, dew_SolverState *state,
                                             dew_Step *step)
{
    dew_DropPlace place = {0, 0}, first_place = place;
    int64_t count = dew_drop_count(&state->drops), first = count;  // that leaves
    dew_drop_store_clear(&state->next);
    for (int64_t d = 0; d < count; d++) {
        dew_DropView view = dew_drop_view(&state->drops, d, place);
        Fate fate = fate_of(problem, state, &view);
        if (fate != STAYS && first == count) {
            first = d;
            first_place = place;
        }
        if (fate == LEAVES)
            step->removed_m3 += view.values.volume_m3;
        else if (fate == IS_CUT)
            DEW_TRY(cut(problem, state, step, &view));
        else if (first < count)
            DEW_TRY(dew_drop_store_append(&state->next, &view));
        place = dew_drop_next_place(&state->drops, d, place);
    }
    return first < count ? dew_surface_solver_replace_from(state, first, first_place) : dew_ok();
}
