// Taps and condensation: when drops begin at a source, and when they are fed.
//
// A tap without a drop gathers volume until it makes a short plug on the disk, round in front; it
// is born at the very time at which the volume was complete, with the nozzle's speed, and the rest
// of the step is its own (drop_nozzle.c). (It has a wall, because a cap that ends at the rim would
// be pushed in its middle only.) This also happens when all that hung there has come off.
//
// A condensation site feeds the drop that covers it, and begins a small cap where there is none.
// Little and often would keep every drop awake: a site gives when it has FEED_SHARE of the drop, or
// a seed's volume. A fed drop grows without a push, so that it can sleep on in the next step. No
// drop begins on an edge: there the liquid waits until one comes by.
#include "solvers/surface/drop_inflow.h"

#include "base/status.h"
#include "geom/triangle.h"
#include "solvers/surface/cap_mesh.h"
#include "solvers/surface/drop_nozzle.h"

#define PLUG_HEIGHT 0.25  // of the nozzle's radius: wall and cap of the first liquid on it
#define FEED_SHARE  0.02  // of the drop: less is not given
#define MAX_GIFT    0.1   // of the drop: more is not given at once
#define MIN_COSINE  0.8   // between the solid's normals under a seed
#define RIM_SAMPLES 6     // where they are looked at
#define MIN_LAG     1e-9  // of the step: a drop born at its end

dew_Status dew_surface_solver_init_inflows(const dew_Problem *problem, dew_SolverState *state)
{
    dew_array_init(&state->inflows, &state->allocator, sizeof(dew_DropInflowAccount));
    return dew_array_resize(&state->inflows, dew_problem_inflow_count(problem));
}

static dew_DropInflowAccount *account_of(dew_SolverState *state, int64_t inflow)
{
    return &DEW_ITEMS(&state->inflows, dew_DropInflowAccount)[inflow];
}

// ---- new drops ---------------------------------------------------------------------------------

/// What a new cap is besides its mesh.
typedef struct Spawn {
    dew_DropCap cap;
    double wall_m;
    dew_Vec3 point, normal, velocity;
    double volume_m3, lag_s;
    int64_t inflow;      // nozzle; DEW_INVALID: it lies on a solid
    uint8_t base_label;  // besides DEW_LABEL_TOUCHING
} Spawn;

static dew_Status spawn(const dew_Problem *problem, dew_SolverState *state, dew_Step *step,
                        const Spawn *b)
{
    double radius = cbrt(3 / (4 * DEW_PI) * b->volume_m3);
    double edge = fmin(state->params.edge_m, DEW_EDGE_PER_RADIUS * radius);
    dew_DropCapMesh mesh;
    dew_DropCapMeshDef def = {.cap = b->cap,
                              .wall_m = b->wall_m,
                              .point_m = b->point,
                              .normal = b->normal,
                              .edge_m = edge};
    DEW_TRY(dew_drop_cap_mesh(&def, step->scratch, &mesh));
    dew_DropWork *work = &state->made;
    dew_DropView view = {
        .values = {.volume_m3 = b->volume_m3, .velocity_m_s = b->velocity, .lag_s = b->lag_s},
        .counts = {.id = state->next_id,
                   .inflow = b->inflow,
                   .vertex_count = mesh.vertex_count,
                   .triangle_count = mesh.triangle_count,
                   .parted_from = DEW_INVALID},
        .flags = {.has_velocity = 1},
        .positions = mesh.positions,
        .triangles = mesh.triangles};
    DEW_TRY(dew_drop_work_load(work, &state->params, &view));
    DEW_TRY(dew_drop_connect(work));
    for (int64_t i = 0; i < work->n; i++) {
        work->v[i] = b->velocity;
        if (i >= mesh.base_count)
            continue;
        bool is_rim = i >= mesh.base_count - mesh.rim_count;
        work->label[i] = b->base_label | DEW_LABEL_TOUCHING;
        work->label[i] |= is_rim ? DEW_LABEL_CONTACT_LINE : 0;
        if (b->inflow == DEW_INVALID) {
            dew_SolidPoint p =
                dew_problem_nearest(problem, step->instant_old, work->x[i], HUGE_VAL);
            work->x[i] = p.solid_id == DEW_INVALID ? work->x[i] : p.point_m;
        }
    }
    dew_drop_correct_volume(work);
    view = dew_drop_work_view(work);
    DEW_TRY(dew_drop_store_append(&state->drops, &view));
    state->next_id++;
    step->added_m3 += b->volume_m3;
    return dew_ok();
}

// ---- taps --------------------------------------------------------------------------------------

/// The drop that hangs on a nozzle. Should there be two, the later one has to let go.
static int64_t drop_at_nozzle(dew_SolverState *state, int64_t nozzle)
{
    int64_t found = DEW_INVALID;
    dew_DropCounts *counts = DEW_ITEMS(&state->drops.counts, dew_DropCounts);
    for (int64_t d = 0; d < dew_drop_count(&state->drops); d++) {
        if (counts[d].inflow != nozzle)
            continue;
        if (found == DEW_INVALID) {
            found = d;
        } else {
            dew_surface_solver_change_from(state, 0, (dew_DropPlace){0, 0});
            counts[d].inflow = DEW_INVALID;
        }
    }
    return found;
}

static dew_Status begin_plug(const dew_Problem *problem, dew_SolverState *state, dew_Step *step,
                             int64_t nozzle)
{
    const dew_Inflow *disk = dew_problem_inflow(problem, nozzle);
    dew_DropInflowAccount *account = account_of(state, nozzle);
    double end_s = step->instant->time_s;
    double flow = dew_nozzle_volume_m3(problem, nozzle, end_s - step->dt_s, end_s);
    double r = disk->radius_m, area = DEW_PI * r * r;
    dew_DropCap cap = dew_drop_cap_from_base_height(r, PLUG_HEIGHT * r);
    double volume = cap.volume_m3 + area * PLUG_HEIGHT * r;
    account->waiting_m3 += flow;
    if (!(flow > 0) || !(account->waiting_m3 >= volume))
        return dew_ok();
    double surplus = account->waiting_m3 - volume;
    double lag = step->dt_s * fmin(fmax(surplus / flow, MIN_LAG), 1);
    Spawn drop = {.cap = cap,
                  .wall_m = PLUG_HEIGHT * r,
                  .point = disk->center_m,
                  .normal = disk->normal,
                  .velocity = dew_scale(flow / (area * step->dt_s), disk->normal),
                  .volume_m3 = volume,
                  .lag_s = lag,
                  .inflow = nozzle,
                  .base_label = DEW_LABEL_NOZZLE};
    account->waiting_m3 = surplus - dew_nozzle_volume_m3(problem, nozzle, end_s - lag, end_s);
    return spawn(problem, state, step, &drop);
}

static dew_Status run_taps(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    for (int64_t i = 0; i < dew_problem_inflow_count(problem); i++) {
        if (dew_nozzle_of(problem, i) != i)
            continue;
        int64_t drop = drop_at_nozzle(state, i);
        dew_DropInflowAccount *account = account_of(state, i);
        if (drop == DEW_INVALID) {
            DEW_TRY(begin_plug(problem, state, step, i));
        } else if (account->waiting_m3 > 0) {
            DEW_ITEMS(&state->drops.values, dew_DropValues)[drop].feed_m3 += account->waiting_m3;
            account->waiting_m3 = 0;
        }
    }
    return dew_ok();
}

// ---- condensation ------------------------------------------------------------------------------

/// A site that has enough to be looked at, and the drop that covers it.
typedef struct Site {
    int64_t inflow, drop;  // drop: DEW_INVALID: none
    double distance_m;     // to the drop's wetted side
    dew_Vec3 point, normal;
    dew_DropCap seed;
    bool is_born;  // a seed was begun in this step
} Site;

typedef struct Condensation {
    const dew_Problem *problem;
    dew_SolverState *state;
    dew_Step *step;
    Site *sites;
    int64_t site_count, drop_count;
    dew_DropPlace *places;
    dew_Box *boxes;  // of the drops, then of the sites
} Condensation;

static dew_DropCap seed_cap(const dew_Problem *problem, const dew_Instant *instant,
                            const dew_Inflow *site, dew_Vec3 point)
{
    double r = site->radius_m, volume = 2 * DEW_PI / 3 * r * r * r;  // of a half ball
    dew_MaterialDef material = dew_problem_material(problem, instant, site->solid_id, point);
    dew_AngleInterval interval = dew_contact_interval(&material, 0);
    double angle = 0.5 * (interval.receding_rad + interval.advancing_rad);
    // Very flat or very round caps have no good mesh: the drop finds its own angle.
    angle = fmin(fmax(angle, DEW_DEG(30)), DEW_DEG(150));
    return dew_drop_cap_from_volume_angle(volume, angle);
}

/// Accounts grow; sites with enough are listed.
static dew_Status list_sites(Condensation *c)
{
    const dew_Instant *now = c->step->instant_old;
    int64_t count = dew_problem_inflow_count(c->problem);
    c->sites = dew_arena_array(c->step->scratch, Site, count);
    if (!c->sites)
        return dew_no_memory((size_t)count * sizeof *c->sites);
    double begin_s = now->time_s, end_s = c->step->instant->time_s;
    for (int64_t i = 0; i < count; i++) {
        const dew_Inflow *site = dew_problem_inflow(c->problem, i);
        dew_DropInflowAccount *account = account_of(c->state, i);
        double span_s = fmin(end_s, site->stop_s) - fmax(begin_s, site->start_s);
        if (site->shape != DEW_SOURCE_CONDENSATION || !(span_s > 0))
            continue;
        account->waiting_m3 += span_s * site->rate_m3_s;
        if (account->waiting_m3 < account->due_m3)
            continue;
        dew_Vec3 tip = dew_add(site->center_m, site->normal);
        Site s = {.inflow = i,
                  .drop = DEW_INVALID,
                  .distance_m = HUGE_VAL,
                  .point = dew_problem_from_rest(c->problem, now, site->solid_id, site->center_m)};
        tip = dew_problem_from_rest(c->problem, now, site->solid_id, tip);
        s.normal = dew_normalize(dew_sub(tip, s.point));
        s.seed = seed_cap(c->problem, now, site, s.point);
        c->sites[c->site_count++] = s;
    }
    return dew_ok();
}

static bool is_wetting(const uint8_t *label, const uint32_t *v)
{
    uint8_t all = label[v[0]] & label[v[1]] & label[v[2]];
    return (all & DEW_LABEL_TOUCHING) && !(all & DEW_LABEL_NOZZLE);
}

/// Boxes of the drops' wetted sides, and of the sites' seeds.
static dew_Status find_boxes(Condensation *c)
{
    c->drop_count = dew_drop_count(&c->state->drops);
    c->places = dew_arena_array(c->step->scratch, dew_DropPlace, c->drop_count + 1);
    c->boxes = dew_arena_array(c->step->scratch, dew_Box, c->drop_count + c->site_count);
    if (!c->places || !c->boxes)
        return dew_no_memory((size_t)(c->drop_count + c->site_count) * sizeof(dew_Box));
    for (int64_t d = 0; d < c->drop_count; d++) {
        dew_DropView drop = dew_drop_view(&c->state->drops, d, c->places[d]);
        c->places[d + 1] = dew_drop_next_place(&c->state->drops, d, c->places[d]);
        c->boxes[d] = dew_box_empty();
        for (int64_t i = 0; i < drop.counts.vertex_count; i++)
            if (drop.labels[i] & DEW_LABEL_TOUCHING)
                c->boxes[d] = dew_box_add(c->boxes[d], drop.positions[i]);
    }
    for (int64_t k = 0; k < c->site_count; k++) {
        double r = c->sites[k].seed.base_radius_m;
        dew_Vec3 arm = dew_vec(r, r, r), p = c->sites[k].point;
        c->boxes[c->drop_count + k] = (dew_Box){dew_sub(p, arm), dew_add(p, arm)};
    }
    return dew_ok();
}

/// How far a point of the solid is from the drop's wetted side.
static double wetted_distance(const dew_DropView *drop, dew_Vec3 p)
{
    double least2 = HUGE_VAL;
    for (int64_t k = 0; k < drop->counts.triangle_count; k++) {
        const uint32_t *v = drop->triangles[k].v;
        if (!is_wetting(drop->labels, v))
            continue;
        dew_TriangleClosest t = dew_triangle_closest(drop->positions[v[0]], drop->positions[v[1]],
                                                     drop->positions[v[2]], p);
        least2 = fmin(least2, dew_length2(t.offset));
    }
    return sqrt(least2);
}

/// The drop that covers a site, or comes so near that a seed beside it would touch it.
static dew_Status find_covers(Condensation *c)
{
    dew_MergeBroadPhase *phase = c->state->broad_phase;
    DEW_TRY(dew_merge_broad_phase_run(phase, c->boxes, c->drop_count + c->site_count, 0));
    const dew_MergePair *pairs = dew_merge_broad_phase_pairs(phase);
    for (int64_t k = 0; k < dew_merge_broad_phase_pair_count(phase); k++) {
        int64_t d = pairs[k].first, s = (int64_t)pairs[k].second - c->drop_count;
        if (d >= c->drop_count || s < 0)
            continue;
        Site *site = &c->sites[s];
        dew_DropView drop = dew_drop_view(&c->state->drops, d, c->places[d]);
        double distance = wetted_distance(&drop, site->point);
        if (distance <= site->seed.base_radius_m && distance < site->distance_m) {
            site->distance_m = distance;
            site->drop = d;
        }
    }
    return dew_ok();
}

/// Would a seed here touch one that was begun in this step? In the next one it will be found to
/// cover it.
static bool is_crowded(const Condensation *c, int64_t k)
{
    const Site *site = &c->sites[k];
    for (int64_t i = 0; i < k; i++) {
        double reach = site->seed.base_radius_m + c->sites[i].seed.base_radius_m;
        if (c->sites[i].is_born && dew_distance(site->point, c->sites[i].point) <= reach)
            return true;
    }
    return false;
}

/// Does the solid bend so much under a seed that it would hang over an edge or in a corner?
static bool is_bent(const Condensation *c, const Site *site)
{
    dew_Vec3 u = dew_any_tangent(site->normal), w = dew_cross(site->normal, u);
    double r = site->seed.base_radius_m;
    for (int k = 0; k < RIM_SAMPLES; k++) {
        double angle = 2 * DEW_PI * k / RIM_SAMPLES;
        dew_Vec3 p = dew_add(site->point, dew_combine(r * cos(angle), u, r * sin(angle), w));
        dew_SolidPoint s = dew_problem_nearest(c->problem, c->step->instant_old, p, 4 * r);
        if (s.solid_id == DEW_INVALID || dew_inner(s.normal, site->normal) < MIN_COSINE)
            return true;
    }
    return false;
}

static dew_Status begin_seed(Condensation *c, Site *site)
{
    const dew_Inflow *inflow = dew_problem_inflow(c->problem, site->inflow);
    dew_DropInflowAccount *account = account_of(c->state, site->inflow);
    Spawn drop = {.cap = site->seed,
                  .point = site->point,
                  .normal = site->normal,
                  .velocity = dew_problem_solid_nearest(c->problem, c->step->instant_old,
                                                        inflow->solid_id, site->point)
                                  .velocity_m_s,
                  .volume_m3 = site->seed.volume_m3,
                  .inflow = DEW_INVALID};
    account->waiting_m3 -= site->seed.volume_m3;
    account->due_m3 = FEED_SHARE * site->seed.volume_m3;
    site->is_born = true;
    return spawn(c->problem, c->state, c->step, &drop);
}

static dew_Status give(Condensation *c, int64_t k)
{
    Site *site = &c->sites[k];
    dew_DropInflowAccount *account = account_of(c->state, site->inflow);
    account->due_m3 = site->seed.volume_m3;
    if (site->drop == DEW_INVALID) {
        bool is_enough = account->waiting_m3 >= site->seed.volume_m3;
        bool has_room = is_enough && !is_crowded(c, k) && !is_bent(c, site);
        return has_room ? begin_seed(c, site) : dew_ok();
    }
    dew_DropValues *drop = &DEW_ITEMS(&c->state->drops.values, dew_DropValues)[site->drop];
    account->due_m3 = fmin(FEED_SHARE * drop->volume_m3, site->seed.volume_m3);
    if (account->waiting_m3 >= account->due_m3) {
        double gift = fmin(account->waiting_m3, MAX_GIFT * drop->volume_m3);
        drop->feed_m3 += gift;
        account->waiting_m3 -= gift;
    }
    return dew_ok();
}

static dew_Status condense(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    Condensation c = {.problem = problem, .state = state, .step = step};
    DEW_TRY(list_sites(&c));
    if (c.site_count == 0)
        return dew_ok();
    DEW_TRY(find_boxes(&c));
    DEW_TRY(find_covers(&c));
    for (int64_t k = 0; k < c.site_count; k++)
        DEW_TRY(give(&c, k));
    return dew_ok();
}

// ---- the step ----------------------------------------------------------------------------------

dew_Status dew_surface_solver_inflow(const dew_Problem *problem, dew_SolverState *state,
                                     dew_Step *step)
{
    if (dew_problem_inflow_count(problem) == 0)
        return dew_ok();
    DEW_TRY(run_taps(problem, state, step));
    return condense(problem, state, step);
}

dew_Status dew_drop_take_feed(dew_DropWork *work, double *added_m3)
{
    double before = work->values.volume_m3;
    if (!(work->values.feed_m3 > 0))
        return dew_ok();
    work->values.volume_m3 += work->values.feed_m3;
    work->values.feed_m3 = 0;
    *added_m3 += work->values.volume_m3 - before;
    double r = dew_drop_radius_m(work);
    work->values.moved_m += (work->values.volume_m3 - before) / (2 * DEW_PI * r * r);
    DEW_TRY(dew_drop_connect(work));
    dew_drop_correct_volume(work);
    for (int64_t i = 0; i < work->n; i++)
        work->clearance[i] = 0;  // to be looked at again
    return dew_ok();
}
