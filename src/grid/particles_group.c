// Particles by brick, in the order in which they come: what dew_particles_sort does, less the sorting by id.
//
// Most particles stay in their bricks, so that the new order is made of runs. Chunks of particles find bricks and runs in
// parallel, the runs are put in order one after the other, and then bricks fetch theirs in parallel.
#include "base/status.h"
#include "grid/particles.h"
#include "grid/sample.h"

#include <stdlib.h>
#include <string.h>

enum { PER_CHUNK = 4096 };

// Particles beside one another that go to the same brick.
typedef struct Run {
    int32_t brick, count;
    int64_t from;
} Run;

typedef struct Group {
    dew_Particles *particles;
    const dew_Grid *grid;
    dew_GroupDef def;
    Run *runs;           // of chunk c from PER_CHUNK c on; those that go have none
    int32_t *run_count;  // per chunk
    Run *sorted;         // by the bricks that they go to
    int32_t *run_first;  // [brick_count + 1]: in `sorted`
    int64_t kept;
    bool is_moved;  // some change their places
} Group;

// The brick of a point that is likely to be beside `home`.
static int32_t brick_near(const dew_Grid *grid, int32_t home, dew_Vec3 p)
{
    int32_t coord[3];
    dew_grid_brick_coord(grid, p, coord);
    const int32_t *c = home >= 0 ? dew_grid_coord(grid, home) : NULL;
    if (c && abs(coord[0] - c[0]) <= 1 && abs(coord[1] - c[1]) <= 1 && abs(coord[2] - c[2]) <= 1)
        return dew_grid_neighbours(
            grid, home)[13 + coord[0] - c[0] + 3 * (coord[1] - c[1]) + 9 * (coord[2] - c[2])];
    return dew_grid_find(grid, coord);
}

// The brick's inside, less what rounding might count to a neighbour: [0] lowest, [1] highest.
static void inside_of(const dew_Grid *grid, int32_t brick, double box[2][3])
{
    double edge = 1e-6 * grid->cell_m;
    dew_Vec3 low = dew_grid_position(grid, brick, 0, 0, 0, DEW_AT_NODE);
    const double corner[3] = {low.x, low.y, low.z};
    for (int a = 0; a < 3; a++) {
        int cells = a == 2 ? grid->depth : DEW_BRICK;
        box[0][a] = corner[a] + edge;
        box[1][a] = corner[a] + cells * grid->cell_m - edge;
    }
}

// Runs of a chunk as they are found.
typedef struct Runs {
    Run *runs;
    int32_t count, last;  // last: the brick of the particle before; DEW_INVALID: it goes
} Runs;

static inline void add_run(Runs *to, int32_t brick, int64_t from, int64_t count)
{
    if (brick >= 0 && brick == to->last)
        to->runs[to->count - 1].count += (int32_t)count;
    else if (brick >= 0)
        to->runs[to->count++] = (Run){brick, (int32_t)count, from};
    to->last = brick;
}

static bool is_inside(const double *const x[3], int64_t n, double box[2][3])
{
    return (x[0][n] > box[0][0]) & (x[0][n] < box[1][0]) & (x[1][n] > box[0][1]) &
           (x[1][n] < box[1][1]) & (x[2][n] > box[0][2]) & (x[2][n] < box[1][2]);
}

// Of particles [begin, end) nothing is known.
static void look_at_all(const Group *g, int64_t begin, int64_t end, Runs *to)
{
    const dew_Grid *grid = g->grid;
    const double *const x[3] = {dew_particles_axis(g->particles, 0),
                                dew_particles_axis(g->particles, 1),
                                dew_particles_axis(g->particles, 2)};
    const uint64_t *ids = dew_particles_ids(g->particles);
    int32_t home = DEW_INVALID;
    double box[2][3] = {{1, 1, 1}, {0, 0, 0}};
    for (int64_t n = begin; n < end; n++) {
        int32_t brick = home;
        if (!is_inside(x, n, box)) {
            brick = brick_near(grid, home, dew_vec(x[0][n], x[1][n], x[2][n]));
            brick = brick < grid->brick_count ? brick : DEW_INVALID;
            // One that strays from its brick does not speak for those after it.
            bool is_alone = n + 1 < end && is_inside(x, n + 1, box);
            if (brick >= 0 && !is_alone) {
                home = brick;
                inside_of(grid, home, box);
            }
        }
        add_run(to, ids[n] != DEW_DEAD ? brick : DEW_INVALID, n, 1);
    }
}

// Where the particles from n on that have not strayed end.
static int64_t stay_until(const uint8_t *left_brick, int64_t n, int64_t end)
{
    uint64_t eight = 0;
    for (; n + 8 <= end; n += 8) {
        memcpy(&eight, left_brick + n, sizeof eight);
        if (eight)
            break;
    }
    while (n < end && !left_brick[n])
        n++;
    return n;
}

// Of particles [begin, end) it is known which have not left their bricks.
static void look_at_strays(const Group *g, int64_t begin, int64_t end, Runs *to)
{
    const dew_Grid *grid = g->grid;
    const int64_t *first = g->particles->first.data;
    const uint8_t *left_brick = g->def.left_brick;
    int32_t home = 0, above = grid->brick_count;
    while (above - home > 1) {  // the brick of the first one: first[home] <= begin < first[above]
        int32_t middle = home + (above - home) / 2;
        *(first[middle] <= begin ? &home : &above) = middle;
    }
    for (int64_t n = begin; n < end;) {
        while (first[home + 1] <= n)
            home++;
        int64_t last = first[home + 1] < end ? first[home + 1] : end;
        int64_t stay = stay_until(left_brick, n, last);
        if (stay > n)
            add_run(to, home, n, stay - n);
        n = stay;
        if (n == last)
            continue;
        int32_t brick = brick_near(grid, home, dew_particles_position(g->particles, n));
        bool goes = brick >= grid->brick_count || dew_particles_ids(g->particles)[n] == DEW_DEAD;
        add_run(to, goes ? DEW_INVALID : brick, n, 1);
        n++;
    }
}

static dew_Status find_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    const Group *g = context;
    Runs to = {g->runs + PER_CHUNK * chunk_index, 0, DEW_INVALID};
    int64_t known = g->def.left_brick ? g->def.left_brick_count : 0;
    known = known < begin ? begin : known > end ? end : known;
    if (g->def.left_brick && begin < known)
        look_at_strays(g, begin, known, &to);
    look_at_all(g, known, end, &to);
    g->run_count[chunk_index] = to.count;
    return dew_ok();
}

// Runs in the order of their bricks, and where bricks begin.
static dew_Status place(Group *g, int64_t chunks, dew_Arena *scratch)
{
    int64_t *first = g->particles->first.data, runs = 0;
    int32_t bricks = g->grid->brick_count;
    for (int64_t c = 0; c < chunks; c++)
        runs += g->run_count[c];
    g->sorted = dew_arena_raw_array(scratch, Run, runs);
    g->run_first = dew_arena_array(scratch, int32_t, bricks + 1);
    if (!g->sorted || !g->run_first)
        return dew_no_memory((size_t)runs * sizeof(Run));
    memset(first, 0, (size_t)(bricks + 1) * sizeof *first);
    for (int64_t c = 0; c < chunks; c++)
        for (int32_t r = 0; r < g->run_count[c]; r++) {
            const Run *run = &g->runs[PER_CHUNK * c + r];
            first[run->brick + 1] += run->count;
            g->run_first[run->brick + 1]++;
        }
    for (int32_t b = 0; b < bricks; b++) {
        first[b + 1] += first[b];
        g->run_first[b + 1] += g->run_first[b];
    }
    g->kept = first[bricks];
    for (int64_t c = 0; c < chunks; c++)
        for (int32_t r = 0; r < g->run_count[c]; r++) {
            const Run *run = &g->runs[PER_CHUNK * c + r];
            g->sorted[g->run_first[run->brick]++] = *run;
        }
    for (int32_t b = bricks; b > 0; b--)  // each has moved on to where the next begins
        g->run_first[b] = g->run_first[b - 1];
    g->run_first[0] = 0;
    int64_t to = 0;
    for (int64_t r = 0; r < runs; to += g->sorted[r++].count)
        g->is_moved |= g->sorted[r].from != to;
    return dew_ok();
}

// A column of eight bytes: runs are short, and a loop is quicker than a call.
static void move_column(const Run *runs, const Run *end, const uint64_t *from, uint64_t *to)
{
    for (; runs < end; to += runs++->count) {
        const uint64_t *source = from + runs->from;
        int32_t n = 0;
        for (; n + 4 <= runs->count; n += 4)
            memcpy(to + n, source + n, 4 * sizeof *to);
        for (; n < runs->count; n++)
            to[n] = source[n];
    }
}

static void move_any(const Run *runs, const Run *end, size_t size, const char *from, char *to)
{
    for (; runs < end; to += (size_t)runs++->count * size)
        memcpy(to, from + (size_t)runs->from * size, (size_t)runs->count * size);
}

// What comes to a brick, from the spare columns, which were the columns.
static void gather(const Group *g, int64_t b)
{
    const Run *runs = g->sorted + g->run_first[b], *end = g->sorted + g->run_first[b + 1];
    int64_t first = ((const int64_t *)g->particles->first.data)[b];
    for (int c = 0; c < g->particles->column_count && runs < end; c++) {
        size_t size = g->particles->column[c].element_size;
        char *to = (char *)g->particles->column[c].data + (size_t)first * size;
        if (size == sizeof(uint64_t))
            move_column(runs, end, g->particles->spare[c].data, (uint64_t *)(void *)to);
        else
            move_any(runs, end, size, g->particles->spare[c].data, to);
    }
}

static dew_Status arrive_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Group *g = context;
    for (int64_t b = begin; b < end; b++) {
        if (g->is_moved)
            gather(g, b);
        if (g->def.arrived)
            g->def.arrived(g->def.context, (int32_t)b);
    }
    return dew_ok();
}

// The columns change places with the spare ones, which are as large.
static dew_Status swap_columns(dew_Particles *particles)
{
    for (int c = 0; c < particles->column_count; c++)
        DEW_TRY(dew_array_reserve(&particles->spare[c], particles->column[c].capacity));
    for (int c = 0; c < particles->column_count; c++) {
        dew_Array old = particles->column[c];
        particles->column[c] = particles->spare[c];
        particles->spare[c] = old;
    }
    return dew_ok();
}

static dew_Status regroup(Group *g, dew_Arena *scratch)
{
    dew_Particles *particles = g->particles;
    int64_t chunks = (particles->count + PER_CHUNK - 1) / PER_CHUNK;
    g->runs = dew_arena_raw_array(scratch, Run, particles->count);
    g->run_count = dew_arena_array(scratch, int32_t, chunks);
    if (!g->runs || !g->run_count)
        return dew_no_memory((size_t)particles->count * sizeof(Run));
    if (particles->sorted_for != g->grid->change_count)
        g->def.left_brick = NULL;  // `first` is of other bricks
    DEW_TRY(dew_array_resize(&particles->first, g->grid->brick_count + 1));
    DEW_TRY(dew_parallel_for(g->grid->tasks, particles->count, PER_CHUNK, find_chunk, g));
    DEW_TRY(place(g, chunks, scratch));
    if (g->is_moved)
        DEW_TRY(swap_columns(particles));
    for (int c = 0; c < particles->column_count; c++)
        particles->column[c].count = g->kept;
    particles->count = g->kept;
    particles->is_sorted = true;
    particles->sorted_for = g->grid->change_count;
    return dew_ok();
}

dew_Status dew_particles_group_as(dew_Particles *particles, const dew_Grid *grid,
                                  const dew_GroupDef *def, dew_Arena *scratch)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    Group g = {.particles = particles, .grid = grid, .def = *def};
    if (!particles->is_sorted || particles->sorted_for != grid->change_count)
        DEW_TRY(regroup(&g, scratch));
    if (g.is_moved || def->arrived)
        DEW_TRY(dew_grid_for(grid, arrive_chunk, &g));
    dew_arena_rewind(scratch, mark);
    return dew_ok();
}

dew_Status dew_particles_group(dew_Particles *particles, const dew_Grid *grid, dew_Arena *scratch)
{
    return dew_particles_group_as(particles, grid, &(dew_GroupDef){.left_brick = NULL}, scratch);
}
