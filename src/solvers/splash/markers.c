// Markers: they follow the velocity of the faces around them by area weighting ([Durikovic] section 2.5, fig. 3), stay
// out of obstacles, and go where the liquid leaves.
// differs: midpoint steps instead of Euler's.
#include "base/random.h"
#include "base/status.h"
#include "grid/face_tiles.h"
#include "solvers/splash/state.h"

#define JITTER   0.3   // of the distance between markers
#define OUT_STEP 0.25  // cells: a marker is led out of an obstacle in such steps
#define OUT_MOST 12    // of them

typedef struct Work {
    const dew_Problem *problem;
    dew_SolverState *s;
    const dew_Moment *moment;
    int32_t *removed;  // per brick, by sinks and open sides
    int32_t *lost;     // in obstacles
    dew_Box room;      // where liquid may be
    bool has_sinks;
    const double *u[3];
    double dt_s;
} Work;

dew_Vec3 dew_splash_marker_place(const dew_SolverState *state, dew_Vec3 corner_m, int which,
                                 uint64_t id)
{
    const dew_SplashLaws *laws = &state->laws;
    int n = laws->per_axis;
    double d = state->grid->cell_m / n, x[3];
    int place[3] = {which % n, which / n % n, which / n / n};
    dew_Random random = dew_random(laws->seed, id, 0);
    for (int a = 0; a < 3; a++)
        x[a] = d * (place[a] + 0.5 + JITTER * (dew_random_unit(&random) - 0.5));
    if (state->grid->dimensions == 2)
        x[2] = 0.5 * state->grid->cell_m;
    return dew_add(corner_m, dew_vec(x[0], x[1], x[2]));
}

dew_Status dew_splash_add_markers(dew_SolverState *state, const dew_Vec3 *at_m, int64_t count)
{
    int64_t first = state->markers.count;
    if (count == 0)
        return dew_ok();
    DEW_TRY(dew_particles_insert(&state->markers, count));
    for (int64_t n = 0; n < count; n++) {
        dew_particles_axis(&state->markers, 0)[first + n] = at_m[n].x;
        dew_particles_axis(&state->markers, 1)[first + n] = at_m[n].y;
        dew_particles_axis(&state->markers, 2)[first + n] = at_m[n].z;
        dew_particles_ids(&state->markers)[first + n] = state->next_id++;
    }
    return dew_ok();
}

// ---- out of obstacles ----------------------------------------------------------------------------

static void set_place(dew_SolverState *s, int64_t n, dew_Vec3 x)
{
    dew_particles_axis(&s->markers, 0)[n] = x.x;
    dew_particles_axis(&s->markers, 1)[n] = x.y;
    if (s->grid->dimensions == 3)
        dew_particles_axis(&s->markers, 2)[n] = x.z;
}

bool dew_splash_is_obstacle(const dew_SolverState *s, dew_Vec3 x)
{
    const dew_Grid *grid = s->grid;
    double r = 1 / grid->cell_m;
    dew_Vec3 c = dew_sub(x, grid->origin_m);
    int32_t cell[3] = {(int32_t)floor(c.x * r), (int32_t)floor(c.y * r),
                       grid->depth == 1 ? 0 : (int32_t)floor(c.z * r)};
    int64_t at = dew_grid_cell(grid, cell);
    return at >= 0 && dew_splash_kind(s)[at] == DEW_SPLASH_OBSTACLE;
}

// To the solid's surface, then on along its normal until the cell is none of its own.
static bool lead_out(const Work *w, int64_t n)
{
    double h = w->s->grid->cell_m;
    dew_Vec3 x = dew_particles_position(&w->s->markers, n);
    dew_SolidPoint p = dew_problem_nearest(w->problem, w->moment, x, 4 * h);
    if (p.solid_id == DEW_INVALID)
        return false;
    if (p.distance_m < 0)
        x = dew_add_scaled(x, 1e-3 * h - p.distance_m, p.normal);
    for (int i = 0; i < OUT_MOST && dew_splash_is_obstacle(w->s, x); i++)
        x = dew_add_scaled(x, OUT_STEP * h, p.normal);
    if (dew_splash_is_obstacle(w->s, x))
        return false;
    set_place(w->s, n, x);
    return true;
}

// ---- leaving -------------------------------------------------------------------------------------

// A sink takes whole cells: those whose middle lies in it.
static bool has_left(const Work *w, dew_Vec3 x)
{
    if (!dew_box_contains(w->room, x))
        return true;
    if (!w->has_sinks)
        return false;
    const dew_Grid *grid = w->s->grid;
    double h = grid->cell_m, r = 1 / h;
    dew_Vec3 c = dew_scale(r, dew_sub(x, grid->origin_m));
    dew_Vec3 middle = dew_vec(floor(c.x) + 0.5, floor(c.y) + 0.5, floor(c.z) + 0.5);
    return dew_problem_in_sink(w->problem, dew_add_scaled(grid->origin_m, h, middle));
}

// A marker's way through a step, in cells from the brick's corner: half of it by the velocity where it is, all of it
// by that in the middle.
DEW_BODY void move(const dew_FaceTiles *tiles, double c, double x[3])
{
    double v[3], y[3];
    dew_face_tiles_velocity(tiles, x, v);
    for (int a = 0; a < 3; a++)
        y[a] = x[a] + 0.5 * c * v[a];
    dew_face_tiles_velocity(tiles, y, v);
    for (int a = 0; a < 3; a++)
        x[a] += c * v[a];
}

// What a marker that has moved meets; x in cells from the brick's corner.
static void look(const Work *w, int64_t b, int64_t n, const double x[3], const uint8_t *kind)
{
    dew_SolverState *s = w->s;
    int width = DEW_BRICK + 4, k = s->grid->depth == 1 ? 2 : (int)(x[2] + 2);
    int i = (int)(x[0] + 2), j = (int)(x[1] + 2);
    bool is_near = i >= 0 && i < width && j >= 0 && j < width && k >= 0 && k < width;
    dew_Vec3 at_m = dew_particles_position(&s->markers, n);
    bool is_solid = is_near ? kind[i + width * (j + width * k)] == DEW_SPLASH_OBSTACLE
                            : dew_splash_is_obstacle(s, at_m);
    if (is_solid && !lead_out(w, n)) {
        w->lost[b]++;
        dew_particles_ids(&s->markers)[n] = DEW_DEAD;
    } else if (has_left(w, is_solid ? dew_particles_position(&s->markers, n) : at_m)) {
        w->removed[b]++;
        dew_particles_ids(&s->markers)[n] = DEW_DEAD;
    }
}

DEW_BODY dew_Status move_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    dew_SolverState *s = w->s;
    const dew_Grid *grid = s->grid;
    double *at[3], h = grid->cell_m, r = 1 / h, c = w->dt_s * r;
    for (int a = 0; a < 3; a++)
        at[a] = dew_particles_axis(&s->markers, a);
    dew_FaceTiles tiles;
    uint8_t kind[DEW_TILE_SIZE(2)];
    for (int64_t b = begin; b < end; b++) {
        int64_t first, last;
        dew_particles_of_brick(&s->markers, b, &first, &last);
        if (first == last)
            continue;
        dew_face_tiles_load(&tiles, grid, w->u, (int32_t)b);
        dew_tile_load_u8(grid, dew_splash_kind(s), (int32_t)b, 2, DEW_SPLASH_EMPTY, kind);
        const double corner[3] = {tiles.corner.x, tiles.corner.y, tiles.corner.z};
        for (int64_t n = first; n < last; n++) {
            double from[3], x[3];
            for (int a = 0; a < 3; a++)
                from[a] = x[a] = (at[a][n] - corner[a]) * r;
            move(&tiles, c, x);
            if (!isfinite(x[0] + x[1] + x[2]))
                return dew_fail(DEW_DIVERGED, "a marker has left for nowhere");
            for (int a = 0; a < 3; a++)
                at[a][n] += h * (x[a] - from[a]);
            look(w, b, n, x, kind);
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(move_chunk)

static dew_Box room_of(const dew_Problem *problem, const dew_SolverState *s)
{
    const dew_SceneDef *def = dew_problem_def(problem);
    const double *m = s->laws.margin_m;
    const char *const *walls = def->domain.wall_material;
    double far = (double)INFINITY;
    bool is_flat = s->grid->dimensions == 2;
    dew_Vec3 lo = def->domain.min_m, hi = def->domain.max_m;
    return (dew_Box){{walls[DEW_SIDE_LEFT] ? -far : lo.x - m[DEW_SIDE_LEFT],
                      walls[DEW_SIDE_FLOOR] ? -far : lo.y - m[DEW_SIDE_FLOOR],
                      is_flat || walls[DEW_SIDE_BACK] ? -far : lo.z - m[DEW_SIDE_BACK]},
                     {walls[DEW_SIDE_RIGHT] ? far : hi.x + m[DEW_SIDE_RIGHT],
                      walls[DEW_SIDE_CEILING] ? far : hi.y + m[DEW_SIDE_CEILING],
                      is_flat || walls[DEW_SIDE_FRONT] ? far : hi.z + m[DEW_SIDE_FRONT]}};
}

dew_Status dew_splash_move_markers(dew_SplashFlow *flow)
{
    dew_SolverState *s = flow->state;
    dew_Step *step = flow->step;
    const dew_Grid *grid = s->grid;
    Work work = {flow->problem,
                 s,
                 step->moment,
                 dew_arena_array(step->scratch, int32_t, grid->brick_count),
                 dew_arena_array(step->scratch, int32_t, grid->brick_count),
                 room_of(flow->problem, s),
                 dew_problem_sink_count(flow->problem) > 0,
                 {flow->u[0], flow->u[1], flow->u[2]},
                 step->dt_s};
    if (!work.removed || !work.lost)
        return dew_no_memory((size_t)grid->brick_count * sizeof(int32_t));
    DEW_TRY(dew_grid_for(grid, move_chunk, &work));
    int64_t removed = 0, lost = 0;
    for (int32_t b = 0; b < grid->brick_count; b++) {
        removed += work.removed[b];
        lost += work.lost[b];
    }
    s->markers.is_sorted = false;
    s->numbers.owed += (double)lost;
    step->removed_m3 += (double)removed * s->laws.marker_m3;
    return dew_ok();
}
