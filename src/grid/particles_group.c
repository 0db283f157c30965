// Particles by brick, in the order in which they come: what dew_particles_sort does, less the sorting by id.
//
// Most particles stay in their bricks, so that the new order is made of runs. Chunks of particles find bricks and runs in
// parallel, the places of runs are found one after the other, and then chunks move theirs in parallel.
#include "base/status.h"
#include "grid/particles.h"
#include "grid/sample.h"

#include <stdlib.h>
#include <string.h>

enum { PER_CHUNK = 4096 };

// Particles beside one another that go to the same brick.
typedef struct Run {
    int32_t brick, count;
    int64_t from, to;
} Run;

typedef struct Group {
    dew_Particles *particles;
    const dew_Grid *grid;
    Run *runs;           // of chunk c from PER_CHUNK c on; those that go have none
    int32_t *run_count;  // per chunk
    int64_t kept;
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

static dew_Status find_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    const Group *g = context;
    const dew_Grid *grid = g->grid;
    Run *runs = g->runs + PER_CHUNK * chunk_index;
    int32_t last = DEW_INVALID, count = 0;
    const double *x = dew_particles_axis(g->particles, 0), *y = dew_particles_axis(g->particles, 1),
                 *z = dew_particles_axis(g->particles, 2);
    const uint64_t *ids = dew_particles_ids(g->particles);
    int32_t home = DEW_INVALID;
    double box[2][3] = {{1, 1, 1}, {0, 0, 0}};
    for (int64_t n = begin; n < end; n++) {
        int32_t brick = home;
        bool is_in = (x[n] > box[0][0]) & (x[n] < box[1][0]) & (y[n] > box[0][1]) &
                     (y[n] < box[1][1]) & (z[n] > box[0][2]) & (z[n] < box[1][2]);
        if (!is_in) {
            brick = brick_near(grid, home, dew_vec(x[n], y[n], z[n]));
            brick = brick < grid->brick_count ? brick : DEW_INVALID;
            // One that strays from its brick does not speak for those after it.
            bool is_alone = n + 1 < end && (x[n + 1] > box[0][0]) & (x[n + 1] < box[1][0]) &
                                               (y[n + 1] > box[0][1]) & (y[n + 1] < box[1][1]) &
                                               (z[n + 1] > box[0][2]) & (z[n + 1] < box[1][2]);
            if (brick >= 0 && !is_alone) {
                home = brick;
                inside_of(grid, home, box);
            }
        }
        brick = ids[n] != DEW_DEAD ? brick : DEW_INVALID;
        if (brick >= 0 && brick == last)
            runs[count - 1].count++;
        else if (brick >= 0)
            runs[count++] = (Run){brick, 1, n, 0};
        last = brick;
    }
    g->run_count[chunk_index] = count;
    return dew_ok();
}

// Does any change its place?
static bool place(Group *g, int64_t chunks)
{
    int64_t *first = g->particles->first.data;
    int32_t bricks = g->grid->brick_count;
    bool is_moved = false;
    memset(first, 0, (size_t)(bricks + 1) * sizeof *first);
    for (int64_t c = 0; c < chunks; c++)
        for (int32_t r = 0; r < g->run_count[c]; r++) {
            const Run *run = &g->runs[PER_CHUNK * c + r];
            first[run->brick + 1] += run->count;
        }
    for (int32_t b = 0; b < bricks; b++)
        first[b + 1] += first[b];
    g->kept = first[bricks];
    for (int64_t c = 0; c < chunks; c++)
        for (int32_t r = 0; r < g->run_count[c]; r++) {
            Run *run = &g->runs[PER_CHUNK * c + r];
            run->to = first[run->brick];
            first[run->brick] += run->count;
            is_moved |= run->to != run->from;
        }
    for (int32_t b = bricks; b > 0; b--)  // each has moved on to where the next begins
        first[b] = first[b - 1];
    first[0] = 0;
    return is_moved;
}

// A column of eight bytes: runs are short, and a loop is quicker than a call.
static void move_column(const Run *runs, int32_t count, const uint64_t *from, uint64_t *to)
{
    for (int32_t r = 0; r < count; r++) {
        const uint64_t *source = from + runs[r].from;
        uint64_t *goal = to + runs[r].to;
        int32_t n = 0;
        for (; n + 4 <= runs[r].count; n += 4)
            memcpy(goal + n, source + n, 4 * sizeof *goal);
        for (; n < runs[r].count; n++)
            goal[n] = source[n];
    }
}

static dew_Status gather_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)begin, (void)end;
    const Group *g = context;
    const Run *runs = g->runs + PER_CHUNK * chunk_index;
    int32_t count = g->run_count[chunk_index];
    for (int c = 0; c < g->particles->column_count; c++) {
        size_t size = g->particles->column[c].element_size;
        const char *from = g->particles->column[c].data;
        char *to = g->particles->spare[c].data;
        if (size == sizeof(uint64_t)) {
            move_column(runs, count, g->particles->column[c].data, g->particles->spare[c].data);
            continue;
        }
        for (int32_t r = 0; r < count; r++)
            memcpy(to + (size_t)runs[r].to * size, from + (size_t)runs[r].from * size,
                   (size_t)runs[r].count * size);
    }
    return dew_ok();
}

dew_Status dew_particles_group(dew_Particles *particles, const dew_Grid *grid, dew_Arena *scratch)
{
    if (particles->is_sorted && particles->sorted_for == grid->change_count)
        return dew_ok();
    dew_ArenaMark mark = dew_arena_mark(scratch);
    int64_t chunks = (particles->count + PER_CHUNK - 1) / PER_CHUNK;
    Group g = {.particles = particles,
               .grid = grid,
               .runs = dew_arena_raw_array(scratch, Run, particles->count),
               .run_count = dew_arena_array(scratch, int32_t, chunks)};
    if (!g.runs || !g.run_count)
        return dew_no_memory((size_t)particles->count * sizeof(Run));
    DEW_TRY(dew_array_resize(&particles->first, grid->brick_count + 1));
    DEW_TRY(dew_parallel_for(grid->tasks, particles->count, PER_CHUNK, find_chunk, &g));
    if (place(&g, chunks))
        DEW_TRY(dew_particles_rearrange(particles, grid->tasks, particles->count, PER_CHUNK,
                                        gather_chunk, &g));
    for (int c = 0; c < particles->column_count; c++)
        particles->column[c].count = g.kept;
    particles->count = g.kept;
    particles->is_sorted = true;
    particles->sorted_for = grid->change_count;
    dew_arena_rewind(scratch, mark);
    return dew_ok();
}
