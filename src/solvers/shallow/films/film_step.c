// A step of films: islands are found, those awake are solved, outflow over open sides is removed.
#include "base/status.h"
#include "dew/wetting.h"
#include "problem/wind.h"
#include "solvers/shallow/films/thin_film.h"

#include <string.h>

#define CHUNKS 64  // of islands: each has memory for its largest

typedef struct Stage {
    dew_ShallowFlow *flow;
    dew_FilmForcing forcing;
    dew_FilmArrays arrays;
    dew_FilmIslands islands;
    int32_t *awake;  // indices of islands
    int64_t awake_count, chunk_size;
    double *crest;    // of awake islands: the deepest column near in the row
    double *slope;    // of the surface, the steepest face of each column
    double *steep;    // the steepest near in the row
    double **memory;  // per chunk
    dew_FilmReport *report;
    bool has_new_forces;  // gravity, wind, tension or angles have changed: all are awake
} Stage;

// ---- sleeping
// ------------------------------------------------------------------------------------------

static bool is_asleep(const Stage *t, const dew_FilmIsland *island)
{
    const dew_SolverState *s = t->flow->state;
    if (t->has_new_forces)
        return false;
    for (int32_t r = 0; r < island->run_count; r++) {
        dew_FilmRun run = t->islands.runs[island->first_run + r];
        for (int i = run.begin; i < run.end; i++) {
            int64_t n = dew_shallow_at(&s->grid, i, run.row);
            bool is_at_rest =
                s->depth[n] == s->film->depth[n] &&
                (s->depth[n] == 0 || s->film->rest_steps[n] >= dew_film_params.sleep_steps);
            if (!is_at_rest)
                return false;
        }
    }
    return true;
}

static dew_Status sleep_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Stage *t = context;
    for (int64_t k = begin; k < end; k++)
        t->islands.island[k].is_asleep = is_asleep(t, &t->islands.island[k]);
    return dew_ok();
}

static dew_Status find_awake(Stage *t, dew_Arena *scratch)
{
    int64_t count = t->islands.island_count;
    DEW_TRY(dew_parallel_for(t->flow->step->tasks, count, 64, sleep_chunk, t));
    t->awake = dew_arena_raw_array(scratch, int32_t, count);
    t->report = dew_arena_array(scratch, dew_FilmReport, count);
    if (!t->awake || !t->report)
        return dew_no_memory((size_t)count * sizeof *t->report);
    for (int32_t k = 0; k < t->islands.island_count; k++)
        if (!t->islands.island[k].is_asleep)
            t->awake[t->awake_count++] = k;
    return dew_ok();
}

// ---- height of the transition layer
// ----------------------------------------------------------------------------------------------

// A wide layer moves over the grid with less hindrance, a narrow one leaves more of a small drop
// above it: its height follows the deepest column within layer_reach columns along rows and then
// across them, with liquid all between. The depth is that nearby and not that of the island: drops
// that touch are one island, and small ones would vanish in the layers of large ones. Dry columns
// have the layer of the wet columns beside them.
//
// A line that advances fast is steeper than its advancing angle: the upper bound is then that of
// the steepest surface nearby, else the layer would be narrower than a column and the grid would
// hold the line. steep_margin keeps it as it is at rest.

// The largest of values along a line from `at` on, both ways, of count values that are `stride`
// apart; at is the place in it.
static double largest_near(const double *at, int64_t stride, int place, int count)
{
    double largest = *at;
    for (int direction = -1; direction <= 1; direction += 2) {
        int dry = *at > 0 ? 0 : DEW_FILM_EDGE;
        for (int j = 1; j <= dew_film_params.layer_reach && place + direction * j >= 0 &&
                        place + direction * j < count;
             j++) {
            double there = at[direction * j * stride];
            if (!(there > 0) && --dry < 0)
                break;
            dry = there > 0 ? 0 : dry;
            largest = there > largest ? there : largest;
        }
    }
    return largest;
}

static double slope_at(const dew_SolverState *s, int64_t n)
{
    const double *h = s->depth + n;
    const int64_t z = s->grid.stride;
    double x = fmax(fabs(h[1] - h[0]), fabs(h[0] - h[-1])) / s->grid.dx_m;
    double y = s->grid.has_z ? fmax(fabs(h[z] - h[0]), fabs(h[0] - h[-z])) / s->grid.dz_m : 0;
    return fmax(x, y);
}

static dew_Status crest_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Stage *t = context;
    const dew_SolverState *s = t->flow->state;
    for (int64_t k = begin; k < end; k++) {
        const dew_FilmIsland *island = &t->islands.island[t->awake[k]];
        for (int32_t r = 0; r < island->run_count; r++) {
            dew_FilmRun run = t->islands.runs[island->first_run + r];
            int64_t first = dew_shallow_at(&s->grid, run.begin, run.row);
            int count = run.end - run.begin;
            for (int i = 0; i < count; i++)
                t->slope[first + i] = slope_at(s, first + i);
            for (int i = 0; i < count; i++) {
                t->crest[first + i] = largest_near(s->depth + first + i, 1, i, count);
                t->steep[first + i] = largest_near(t->slope + first + i, 1, i, count);
            }
        }
    }
    return dew_ok();
}

// Height of a layer at this slope over that at the advancing angle, in the same width; 1 at least.
static double steeper(const struct dew_ThinFilm *film, int64_t n, double slope)
{
    double c = film->cos_advancing[n], rest = sqrt(fmax(1 - c * c, 1e-8)) / fmax(c, 1e-4);
    double s = fmin(slope / dew_film_params.steep_margin,
                    tan(DEW_DEG(dew_film_params.steepest_angle_deg)));
    if (s <= rest)
        return 1;
    return fmax(
        s / rest * (2 + dew_film_steepness(c)) / (2 + dew_film_steepness(1 / sqrt(1 + s * s))), 1);
}

static dew_Status layer_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Stage *t = context;
    const dew_SolverState *s = t->flow->state;
    const struct dew_ThinFilm *film = s->film;
    for (int64_t k = begin; k < end; k++) {
        const dew_FilmIsland *island = &t->islands.island[t->awake[k]];
        for (int32_t r = 0; r < island->run_count; r++) {
            dew_FilmRun run = t->islands.runs[island->first_run + r];
            for (int i = run.begin; i < run.end; i++) {
                int64_t n = dew_shallow_at(&s->grid, i, run.row);
                double most = film->layer_max_m[n], least = film->layer_min_m[n];
                double crest = s->grid.has_z ? largest_near(t->crest + n, s->grid.stride, run.row,
                                                            s->grid.rows)
                                             : t->crest[n];
                double steep = s->grid.has_z ? largest_near(t->steep + n, s->grid.stride, run.row,
                                                            s->grid.rows)
                                             : t->steep[n];
                most *= steeper(film, n, steep);
                double layer = dew_film_params.layer_depth_ratio * crest;
                film->layer_m[n] = layer < least ? least : layer > most ? most : layer;
            }
        }
    }
    return dew_ok();
}

static dew_Status set_layers(Stage *t, dew_Arena *scratch)
{
    int64_t count = t->flow->state->grid.count;
    t->crest = dew_arena_array(scratch, double, count);
    t->slope = dew_arena_array(scratch, double, count);
    t->steep = dew_arena_array(scratch, double, count);
    if (!t->crest || !t->slope || !t->steep)
        return dew_no_memory((size_t)count * sizeof *t->crest);
    DEW_TRY(dew_parallel_for(t->flow->step->tasks, t->awake_count, 16, crest_chunk, t));
    return dew_parallel_for(t->flow->step->tasks, t->awake_count, 16, layer_chunk, t);
}

// ---- solving
// -------------------------------------------------------------------------------------------

static dew_Status solve_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    const Stage *t = context;
    for (int64_t k = begin; k < end; k++) {
        dew_FilmBox box;
        dew_film_box_init(&box, &t->flow->state->grid, &t->forcing, &t->arrays,
                          &t->islands.island[t->awake[k]], t->islands.runs, t->memory[chunk]);
        dew_film_form_faces(&box);
        t->report[k] = dew_film_solve(&box);
        if (!t->report[k].is_solved)
            return dew_fail(DEW_DIVERGED, "the tension of a drop at x = %.3g m was not solved",
                            dew_shallow_x(box.grid, box.first_x));
    }
    return dew_ok();
}

static dew_Status solve(Stage *t, dew_Arena *scratch)
{
    dew_Step *step = t->flow->step;
    t->chunk_size = (t->awake_count + CHUNKS - 1) / CHUNKS;
    int64_t chunks = dew_chunk_count(t->awake_count, t->chunk_size > 0 ? t->chunk_size : 1);
    t->memory = dew_arena_array(scratch, double *, chunks);
    if (!t->memory)
        return dew_no_memory((size_t)chunks * sizeof *t->memory);
    for (int64_t c = 0; c < chunks; c++) {
        int64_t most = 0;
        for (int64_t k = c * t->chunk_size; k < (c + 1) * t->chunk_size && k < t->awake_count;
             k++) {
            int64_t numbers = dew_film_box_numbers(&t->islands.island[t->awake[k]]);
            most = numbers > most ? numbers : most;
        }
        t->memory[c] = dew_arena_raw_array(scratch, double, most);
        if (!t->memory[c])
            return dew_no_memory((size_t)most * sizeof(double));
    }
    if (t->awake_count == 0)
        return dew_ok();
    DEW_TRY(dew_parallel_for(step->tasks, t->awake_count, t->chunk_size, solve_chunk, t));
    for (int64_t k = 0; k < t->awake_count; k++)
        step->iterations += t->report[k].iterations;
    return dew_ok();
}

// ---- the state after it
// --------------------------------------------------------------------------------

static void store_run(const Stage *t, dew_FilmRun run, bool is_at_rest)
{
    dew_SolverState *s = t->flow->state;
    struct dew_ThinFilm *film = s->film;
    for (int i = run.begin; i < run.end; i++) {
        int64_t n = dew_shallow_at(&s->grid, i, run.row);
        s->depth[n] = film->depth[n];
        int32_t steps = film->rest_steps[n] + 1;
        film->rest_steps[n] = !is_at_rest                           ? 0
                              : steps < dew_film_params.sleep_steps ? steps
                                                                    : dew_film_params.sleep_steps;
        bool is_still = film->rest_steps[n] >= dew_film_params.sleep_steps;
        s->u[n] = is_still ? 0 : film->next_u[n];
        s->w[n] = is_still ? 0 : film->next_w[n];
    }
}

// A line that moves slowly against the speed of its liquid is at rest: one of a viscous liquid with
// a small angle must be slower for that.
static double sleep_rate_Hz(const Stage *t, const dew_FilmIsland *island)
{
    const dew_SolverState *s = t->flow->state;
    const dew_FilmArrays *a = &t->arrays;
    dew_FilmRun run = t->islands.runs[island->first_run];
    int64_t n = dew_shallow_at(&s->grid, run.begin, run.row);
    dew_LineLaw law = {.kind = (dew_DynamicAngle)a->line_kind[n],
                       .viscosity_Pa_s = t->forcing.rho_kg_m3 * t->forcing.nu_m2_s,
                       .surface_tension_N_m = t->forcing.sigma_N_m,
                       .slip_length_m = a->slip_length_m[n],
                       .jump_length_m = a->jump_length_m[n],
                       .jump_frequency_Hz = a->jump_frequency_Hz[n]};
    double angle = acos(fmin(a->cos_receding[n], cos(dew_film_params.sleep_angle_rad)));
    double speed = dew_line_critical_speed(&law, angle, t->forcing.line_distance_m);
    return fmin(dew_film_params.sleep_rate_Hz,
                dew_film_params.sleep_speed_ratio * speed / s->grid.dx_m);
}

static dew_Status store_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Stage *t = context;
    for (int64_t k = begin; k < end; k++) {
        const dew_FilmIsland *island = &t->islands.island[t->awake[k]];
        bool is_at_rest = t->report[k].change_Hz < sleep_rate_Hz(t, island);
        for (int32_t r = 0; r < island->run_count; r++)
            store_run(t, t->islands.runs[island->first_run + r], is_at_rest);
    }
    return dew_ok();
}

// Distance from the contact line of a column that has liquid, negative inside.
static double distance_m(const dew_SolverState *s, int64_t n)
{
    const struct dew_ThinFilm *film = s->film;
    double wedge = dew_film_wedge_m(s->depth[n], film->layer_m[n], film->steepness[n]);
    double width = dew_film_params.layer_min_cells *
                   s->grid.dx_m;  // of the least layer, (1 - wedge of 0) / slope
    double slope = film->layer_min_m[n] * 0.5 * DEW_PI * (1 + 0.5 * film->steepness[n]) / width;
    return fmax(-wedge / slope, -s->params.far_m);
}

// The depth of a dry column does not say where the liquid beside it ends: the wedge is extrapolated
// from the two columns behind, whose phi is known.
static double distance_beside_m(const dew_SolverState *s, int64_t n)
{
    const int64_t z = s->grid.stride, beside[4] = {-1, 1, -z, z};
    double sum = 0, count = 0;
    for (int k = 0; k < (s->grid.has_z ? 4 : 2); k++) {
        int64_t m = n + beside[k], behind = m + beside[k];
        if (!(s->depth[m] > 0 && s->depth[behind] > 0 && s->phi[m] < 0))
            continue;
        sum += fmax(s->phi[m] + fmax(s->phi[m] - s->phi[behind], 0),
                    dew_film_params.dry_phi * s->grid.dx_m);
        count++;
    }
    return count > 0 ? sum / count : s->params.far_m;
}

static void distance_of_row(const dew_SolverState *s, dew_FilmRun run, bool is_dry)
{
    int64_t n = dew_shallow_at(&s->grid, run.begin, run.row);
    for (int64_t end = n + run.end - run.begin; n < end; n++)
        if ((s->depth[n] > 0) != is_dry)
            s->phi[n] = is_dry ? distance_beside_m(s, n) : distance_m(s, n);
}

// Ground under the transition layer is not wet before the contact line has passed it.
static void record_wet(const Stage *t, dew_FilmRun run)
{
    const dew_SolverState *s = t->flow->state;
    int64_t n = dew_shallow_at(&s->grid, run.begin, run.row);
    for (int64_t end = n + run.end - run.begin; n < end; n++) {
        double *last = s->film->last_wet_s + n;
        if (s->depth[n] > s->film->layer_m[n] || (s->phi[n] < 0 && *last > DEW_FILM_NEVER))
            *last = t->forcing.time_s;
    }
}

static dew_Status distance_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Stage *t = context;
    for (int64_t k = begin; k < end; k++) {
        const dew_FilmIsland *island = &t->islands.island[t->awake[k]];
        const dew_FilmRun *runs = t->islands.runs + island->first_run;
        for (int32_t r = 0; r < island->run_count; r++) {
            distance_of_row(t->flow->state, runs[r], false);
            record_wet(t, runs[r]);
        }
        for (int32_t r = 0; r < island->run_count; r++)
            distance_of_row(t->flow->state, runs[r], true);
    }
    return dew_ok();
}

void dew_film_find_distance(const dew_SolverState *state, dew_ShallowWindow window)
{
    for (int pass = 0; pass < 2; pass++)
        for (int row = window.begin_z; row < window.end_z; row++)
            distance_of_row(state, (dew_FilmRun){row, window.begin_x, window.end_x}, pass == 1);
}

// Columns that are no longer beside liquid: nothing moves on their faces.
static dew_Status clear_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Stage *t = context;
    dew_SolverState *s = t->flow->state;
    for (int row = (int)begin; row < (int)end; row++) {
        int64_t first = dew_shallow_at(&s->grid, 0, row);
        for (int64_t n = first; n < first + s->grid.columns; n++) {
            if (s->u[n] == 0 && s->w[n] == 0)
                continue;
            bool is_dry_x = s->depth[n] == 0 && s->depth[n - 1] == 0;
            bool is_dry_z = s->depth[n] == 0 && s->depth[n - s->grid.stride] == 0;
            s->u[n] = is_dry_x ? 0 : s->u[n];
            s->w[n] = is_dry_z ? 0 : s->w[n];
        }
    }
    return dew_ok();
}

// ---- open sides
// ----------------------------------------------------------------------------------------

// A column at an open side loses what passes it: as fast as it comes, or falls.
static void remove_outflow(Stage *t, int64_t n, double inner, double pull, double cell_m)
{
    dew_SolverState *s = t->flow->state;
    double depth = s->depth[n];
    if (!(dew_film_wedge_m(depth, s->film->layer_m[n], s->film->steepness[n]) > 0))
        return;
    double fall = sqrt(depth * fmax(fmax(t->forcing.forces.gravity.g, pull), 0));
    double part = fmin(1, fmax(inner, fall) * t->forcing.dt_s / cell_m);
    t->flow->step->removed_m3 += part * depth * s->grid.cell_m2;
    s->depth[n] = s->film->depth[n] = depth - part * depth;
    s->film->rest_steps[n] = 0;
}

static void remove_outflow_at_sides(Stage *t)
{
    dew_SolverState *s = t->flow->state;
    const dew_ShallowGrid *g = &s->grid;
    const bool *open = s->params.is_open;
    double gx = t->forcing.forces.gravity.gx, gz = t->forcing.forces.gravity.gz;
    for (int row = 0; row < g->rows; row++) {
        int64_t l = dew_shallow_at(g, 0, row), r = dew_shallow_at(g, g->columns - 1, row);
        if (open[DEW_SIDE_LEFT])
            remove_outflow(t, l, -s->u[l + 1], -gx, g->dx_m);
        if (open[DEW_SIDE_RIGHT])
            remove_outflow(t, r, s->u[r], gx, g->dx_m);
    }
    for (int i = 0; g->has_z && i < g->columns; i++) {
        int64_t l = dew_shallow_at(g, i, 0), r = dew_shallow_at(g, i, g->rows - 1);
        if (open[DEW_SIDE_BACK])
            remove_outflow(t, l, -s->w[l + g->stride], -gz, g->dz_m);
        if (open[DEW_SIDE_FRONT])
            remove_outflow(t, r, s->w[r], gz, g->dz_m);
    }
}

// ---- the step
// ------------------------------------------------------------------------------------------

static dew_FilmArrays arrays_of(const dew_SolverState *s)
{
    struct dew_ThinFilm *film = s->film;
    return (dew_FilmArrays){.depth = s->depth,
                            .u = s->u,
                            .w = s->w,
                            .ground = s->ground,
                            .slip = s->slip,
                            .cos_receding = film->cos_receding,
                            .cos_advancing = film->cos_advancing,
                            .cos_wet_advancing = film->cos_wet_advancing,
                            .line_kind = film->line_kind,
                            .slip_length_m = film->slip_length_m,
                            .jump_length_m = film->jump_length_m,
                            .jump_frequency_Hz = film->jump_frequency_Hz,
                            .yield_N_m = film->yield_N_m,
                            .layer_m = film->layer_m,
                            .dries_after_s = film->dries_after_s,
                            .last_wet_s = film->last_wet_s,
                            .next_depth = film->depth,
                            .next_u = film->next_u,
                            .next_w = film->next_w};
}

// Gravity, and the wind's shear on the surface as in wave_friction.c, of wind that is much faster
// than the liquid.
static dew_FilmForces forces_of(const dew_Instant *instant)
{
    dew_Vec3 wind = instant->wind_m_s;
    double shear = DEW_SHALLOW_WIND_DRAG * DEW_AIR_DENSITY * hypot(wind.x, wind.z);
    return (dew_FilmForces){dew_shallow_gravity(instant), shear * wind.x, shear * wind.z};
}
static bool are_forces_new(const struct dew_ThinFilm *film, const dew_FilmForces *now)
{
    const dew_FilmForces *old = &film->forces;
    return film->values_hash != film->ground_hash || old->gravity.g != now->gravity.g ||
           old->gravity.gx != now->gravity.gx || old->gravity.gz != now->gravity.gz ||
           old->shear_x != now->shear_x || old->shear_z != now->shear_z;
}

static dew_Status solve_step(dew_ShallowFlow *flow)
{
    dew_SolverState *s = flow->state;
    dew_Arena *scratch = flow->step->scratch;
    Stage t = {.flow = flow, .arrays = arrays_of(s)};
    t.forcing =
        (dew_FilmForcing){.rho_kg_m3 = s->params.rho_kg_m3,
                          .nu_m2_s = s->params.nu_m2_s,
                          .sigma_N_m = s->params.sigma_N_m,
                          .forces = forces_of(flow->step->instant),
                          .dt_s = flow->dt_s,
                          .time_s = flow->step->instant->time_s,
                          .line_distance_m = dew_film_params.line_distance_cells * s->grid.dx_m};
    t.has_new_forces = are_forces_new(s->film, &t.forcing.forces);
    s->film->forces = t.forcing.forces;
    s->film->values_hash = s->film->ground_hash;
    DEW_TRY(dew_film_find_islands(flow->step->tasks, &s->grid, s->depth, s->film->layer_m, scratch,
                                  &t.islands));
    DEW_TRY(find_awake(&t, scratch));
    DEW_TRY(set_layers(&t, scratch));
    DEW_TRY(solve(&t, scratch));
    DEW_TRY(dew_parallel_for(flow->step->tasks, t.awake_count, 16, store_chunk, &t));
    DEW_TRY(dew_shallow_rows(s, clear_chunk, &t));
    remove_outflow_at_sides(&t);
    dew_shallow_mirror(s, s->depth);
    DEW_TRY(dew_parallel_for(flow->step->tasks, t.awake_count, 16, distance_chunk, &t));
    dew_shallow_mirror(s, s->phi);
    return dew_ok();
}

dew_Status dew_film_step(dew_ShallowFlow *flow)
{
    DEW_TRY(dew_shallow_inflow(flow));
    DEW_TRY(solve_step(flow));
    dew_shallow_sinks(flow);
    return dew_ok();
}

// ---- the length of a step
// -------------------------------------------------------------------------------

typedef struct Scan {
    const dew_SolverState *state;
    double *fastest;  // per row: cells per second; -1: all asleep
    double *deepest;  // per row: of what is awake
} Scan;

// Depth times velocity on a face: liquid that leaves a thin column fast is little.
static double passing(const double *v, const double *depth, int64_t n, int64_t back)
{
    return 0.5 * fabs(v[n]) * (depth[n - back] + depth[n]);
}

static dew_Status scan_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Scan *c = context;
    const dew_SolverState *s = c->state;
    const struct dew_ThinFilm *film = s->film;
    for (int row = (int)begin; row < (int)end; row++) {
        double most = -1, deepest = 0;
        int64_t first = dew_shallow_at(&s->grid, 0, row);
        for (int64_t n = first; n < first + s->grid.columns; n++) {
            if (s->depth[n] == 0 || (film->rest_steps[n] >= dew_film_params.sleep_steps &&
                                     s->depth[n] == film->depth[n]))
                continue;
            most = fmax(most, 0);
            deepest = fmax(deepest, s->depth[n]);
            if (s->depth[n] < 0.5 * film->layer_m[n])
                continue;
            double x = fmax(passing(s->u, s->depth, n, 1), passing(s->u, s->depth, n + 1, 1));
            double z = fmax(passing(s->w, s->depth, n, s->grid.stride),
                            passing(s->w, s->depth, n + s->grid.stride, s->grid.stride));
            most = fmax(most, fmax(x / s->grid.dx_m, z / s->grid.dz_m) / s->depth[n]);
        }
        c->fastest[row] = most;
        c->deepest[row] = deepest;
    }
    return dew_ok();
}

// No film of this depth runs faster down the slope.
static double creep_m_s(const dew_SolverState *state, double pull_m_s2, double deepest_m)
{
    return pull_m_s2 * deepest_m * deepest_m / (3 * state->params.nu_m2_s);
}

// fastest: in cells per second.
static double step_at_rate(const dew_SolverState *state, const dew_Instant *instant, double fastest,
                           double deepest_m, const char **bound)
{
    double cell = state->grid.dx_m, pull = hypot(instant->gravity_m_s2.x, instant->gravity_m_s2.z);
    double rho = state->params.rho_kg_m3, sigma = state->params.sigma_N_m;
    double wave = sqrt(rho * cell * cell * cell / (2 * DEW_PI * sigma));
    double line = dew_film_params.line_drag * rho * state->params.nu_m2_s * cell / sigma;
    double limit = state->film->pace * fmax(wave, line);
    double way = dew_film_params.cfl * cell, fall = sqrt(2 * way / pull);
    double creep = way / creep_m_s(state, pull, deepest_m);  // infinite where nothing pulls
    double flow = fmin(fastest > 0 ? dew_film_params.cfl / fastest : (double)INFINITY,
                       fmax(fall, creep));  // from rest, at most
    *bound = flow < limit ? "cfl" : "capillary";
    return fmin(limit, flow);
}

double dew_film_step_at_speed(const dew_SolverState *state, const dew_Instant *instant,
                              double deepest_m, double speed_m_s, const char **bound)
{
    double pull = hypot(instant->gravity_m_s2.x, instant->gravity_m_s2.z);
    double speed = fmin(speed_m_s, creep_m_s(state, pull, deepest_m));
    return step_at_rate(state, instant, speed / state->grid.dx_m, deepest_m, bound);
}

double dew_film_max_step(const dew_SolverState *state, const dew_Instant *instant,
                         const char **bound)
{
    Scan scan = {state, state->work.row_sum, state->work.row_sum + state->grid.rows};
    (void)dew_shallow_rows(state, scan_chunk, &scan);  // cannot fail
    double fastest = -1, deepest_m = 0;
    for (int row = 0; row < state->grid.rows; row++) {
        fastest = fmax(fastest, scan.fastest[row]);
        deepest_m = fmax(deepest_m, scan.deepest[row]);
    }
    *bound = "capillary";
    dew_FilmForces forces = forces_of(instant);
    if (fastest < 0 && !are_forces_new(state->film, &forces))
        return (double)INFINITY;
    return step_at_rate(state, instant, fastest, deepest_m, bound);
}
