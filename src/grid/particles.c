// Particles on bricks: columns, sorting, advection.
//
// Sorting: each particle's brick (in parallel), a count per brick, the places of the particles in
// order of bricks; then each brick sorts its own by id, and every column is gathered anew, into
// memory that it changes places with. What came from one brick is in order already: a brick's
// particles are a few rising runs, which are merged.

#include "grid/particles.h"

#include "base/hash.h"
#include "base/status.h"
#include "grid/sample.h"

#include <stdlib.h>
#include <string.h>

void dew_particles_init(dew_Particles *particles, const dew_Allocator *allocator)
{
    *particles = (dew_Particles){.allocator = allocator ? *allocator : (dew_Allocator){0}};
    dew_array_init(&particles->first, &particles->allocator, sizeof(int64_t));
    for (int a = 0; a < 3; a++)
        dew_particles_add_column(particles, sizeof(double));
    dew_particles_add_column(particles, sizeof(uint64_t));
}

void dew_particles_deinit(dew_Particles *particles)
{
    for (int c = 0; c < particles->column_count; c++) {
        dew_array_deinit(&particles->column[c]);
        dew_array_deinit(&particles->spare[c]);
    }
    dew_array_deinit(&particles->first);
}

int dew_particles_add_column(dew_Particles *particles, size_t value_size)
{
    DEW_ASSERT(particles->count == 0 && particles->column_count < DEW_MAX_COLUMNS);
    int c = particles->column_count++;
    dew_array_init(&particles->column[c], &particles->allocator, value_size);
    dew_array_init(&particles->spare[c], &particles->allocator, value_size);
    return c;
}

dew_Status dew_particles_insert(dew_Particles *particles, int64_t count)
{
    for (int c = 0; c < particles->column_count; c++) {
        int64_t room = particles->column[c].capacity, wanted = particles->count + count;
        if (wanted > room)  // half as much again: particles come in small numbers, often
            DEW_TRY(dew_array_reserve(&particles->column[c],
                                      wanted > room + room / 2 ? wanted : room + room / 2));
    }
    particles->count += count;
    particles->is_sorted = false;
    for (int c = 0; c < particles->column_count; c++)
        DEW_TRY(dew_array_resize(&particles->column[c], particles->count));
    return dew_ok();
}

// ---- Sorting ------------------------------------------------------------------------------------

typedef struct Entry {
    uint64_t id;
    int64_t from;
} Entry;

typedef struct Sort {
    dew_Particles *particles;
    const dew_Grid *grid;
    int32_t *brick;  // of each particle as they are
    int64_t *first;  // of each brick, new
    Entry *order;    // new order
    Entry *spare;    // of the same size, for merging
    bool *is_moved;  // per brick: does any particle change its place?
    int64_t kept;
} Sort;

// A brick's inside, less what rounding might count to a neighbour.
typedef struct Inside {
    dew_Vec3 lo, hi;
} Inside;

static Inside inside_of(const dew_Grid *grid, int32_t brick)
{
    double edge = 1e-6 * grid->cell_m, size = DEW_BRICK * grid->cell_m - edge;
    dew_Vec3 corner = dew_grid_position(grid, brick, 0, 0, 0, DEW_AT_NODE);
    double flat = grid->depth == 1 ? grid->cell_m - edge : size;
    return (Inside){dew_add(corner, dew_vec(edge, edge, edge)),
                    dew_add(corner, dew_vec(size, size, flat))};
}

static bool is_inside(const Inside *box, dew_Vec3 p)
{
    return (p.x > box->lo.x) & (p.x < box->hi.x) & (p.y > box->lo.y) & (p.y < box->hi.y) &
           (p.z > box->lo.z) & (p.z < box->hi.z);
}

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

// Particles beside one another in memory are so in space: most are in the brick that was looked up
// last, or found in its table of neighbours.
static dew_Status find_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Sort *sort = context;
    const dew_Grid *grid = sort->grid;
    const uint64_t *ids = dew_particles_ids(sort->particles);
    int32_t home = DEW_INVALID;
    Inside box = {{0, 0, 0}, {0, 0, 0}};
    for (int64_t n = begin; n < end; n++) {
        dew_Vec3 p = dew_particles_position(sort->particles, n);
        int32_t brick = home;
        if (home < 0 || !is_inside(&box, p)) {
            brick = brick_near(grid, home, p);
            if (brick >= 0 && brick < grid->brick_count && brick != home) {
                home = brick;
                box = inside_of(grid, home);
            }
        }
        bool is_ours = brick >= 0 && brick < grid->brick_count && ids[n] != DEW_DEAD;
        sort->brick[n] = is_ours ? brick : DEW_INVALID;
    }
    return dew_ok();
}

static void place(Sort *sort)
{
    int32_t bricks = sort->grid->brick_count;
    const uint64_t *ids = dew_particles_ids(sort->particles);
    for (int64_t n = 0; n < sort->particles->count; n++)
        if (sort->brick[n] >= 0)
            sort->first[sort->brick[n] + 1]++;
    for (int32_t b = 0; b < bricks; b++)
        sort->first[b + 1] += sort->first[b];
    sort->kept = sort->first[bricks];
    for (int64_t n = 0; n < sort->particles->count; n++)
        if (sort->brick[n] >= 0)
            sort->order[sort->first[sort->brick[n]]++] = (Entry){ids[n], n};
    for (int32_t b = bricks; b > 0; b--)  // each has moved on to where the next begins
        sort->first[b] = sort->first[b - 1];
    sort->first[0] = 0;
}

// Where the rising run that begins at `from` ends.
static int64_t run_end(const Entry *e, int64_t from, int64_t n)
{
    int64_t to = from + 1;
    while (to < n && e[to - 1].id <= e[to].id)
        to++;
    return to;
}

static void merge(const Entry *a, const Entry *a_end, const Entry *b, const Entry *b_end, Entry *to)
{
    while (a < a_end && b < b_end) {
        bool is_b = b->id < a->id;
        *to++ = is_b ? *b : *a;
        b += is_b;
        a += !is_b;
    }
    memcpy(to, a, (size_t)(a_end - a) * sizeof *a);
    memcpy(to + (a_end - a), b, (size_t)(b_end - b) * sizeof *b);
}

// Merges runs in pairs until there is one. Returns where the result is: e or spare.
static Entry *sort_entries(Entry *e, int64_t n, Entry *spare)
{
    for (;;) {
        int64_t runs = 0;
        for (int64_t from = 0; from < n; runs++) {
            int64_t middle = run_end(e, from, n);
            if (runs == 0 && middle == n)
                return e;
            int64_t to = middle < n ? run_end(e, middle, n) : n;
            merge(e + from, e + middle, e + middle, e + to, spare + from);
            from = to;
        }
        if (runs == 0)
            return e;
        Entry *swap = e;
        e = spare;
        spare = swap;
    }
}

static dew_Status order_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Sort *sort = context;
    for (int64_t b = begin; b < end; b++) {
        int64_t first = sort->first[b], count = sort->first[b + 1] - first;
        Entry *order = sort->order + first;
        Entry *sorted = sort_entries(order, count, sort->spare + first);
        if (sorted != order)
            memcpy(order, sorted, (size_t)count * sizeof *order);
        sort->is_moved[b] = false;
        for (int64_t n = 0; n < count; n++)
            sort->is_moved[b] |= order[n].from != first + n;
    }
    return dew_ok();
}

static bool has_moved(const Sort *sort)
{
    for (int32_t b = 0; b < sort->grid->brick_count; b++)
        if (sort->is_moved[b])
            return true;
    return false;
}

enum { GATHERED = DEW_CHUNK_COPIES / 4 };

// Particles that stay beside one another: most do.
typedef struct Run {
    int64_t from;
    int32_t count;
} Run;

// Sizes are known where this is inlined, so that what is alone takes a few moves.
static inline __attribute__((always_inline)) void
gather_column(const Run *runs, int run_count, const char *from, char *to, size_t size)
{
    for (int r = 0; r < run_count; r++) {
        const char *at = from + (size_t)runs[r].from * size;
        if (runs[r].count == 1)
            memcpy(to, at, size);
        else
            memcpy(to, at, (size_t)runs[r].count * size);
        to += (size_t)runs[r].count * size;
    }
}

static dew_Status gather_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Sort *sort = context;
    Run runs[GATHERED];
    int count = 0;
    for (int64_t n = begin; n < end; n++) {
        if (n > begin && sort->order[n].from == sort->order[n - 1].from + 1)
            runs[count - 1].count++;
        else
            runs[count++] = (Run){sort->order[n].from, 1};
    }
    for (int c = 0; c < sort->particles->column_count; c++) {
        size_t size = sort->particles->column[c].element_size;
        const char *from = sort->particles->column[c].data;
        char *to = (char *)sort->particles->spare[c].data + (size_t)begin * size;
        if (size == 8)
            gather_column(runs, count, from, to, 8);
        else if (size == 24)
            gather_column(runs, count, from, to, 24);
        else if (size == 36)
            gather_column(runs, count, from, to, 36);
        else
            gather_column(runs, count, from, to, size);
    }
    return dew_ok();
}

dew_Status dew_particles_rearrange(dew_Particles *particles, dew_Tasks *tasks, int64_t count,
                                   int64_t per_chunk, dew_ChunkFn *copy, void *context)
{
    for (int c = 0; c < particles->column_count; c++)
        DEW_TRY(dew_array_reserve(&particles->spare[c], particles->column[c].capacity));
    DEW_TRY(dew_parallel_for(tasks, count, per_chunk, copy, context));
    for (int c = 0; c < particles->column_count; c++) {
        dew_Array gathered = particles->spare[c];
        particles->spare[c] = particles->column[c];
        particles->column[c] = gathered;
    }
    return dew_ok();
}

static dew_Status alloc_sort(Sort *sort, dew_Arena *scratch)
{
    int64_t count = sort->particles->count;
    sort->brick = dew_arena_raw_array(scratch, int32_t, count);
    sort->first = dew_arena_array(scratch, int64_t, sort->grid->brick_count + 1);
    sort->order = dew_arena_raw_array(scratch, Entry, count);
    sort->spare = dew_arena_raw_array(scratch, Entry, count);
    sort->is_moved = dew_arena_raw_array(scratch, bool, sort->grid->brick_count);
    if (!sort->brick || !sort->first || !sort->order || !sort->spare || !sort->is_moved)
        return dew_no_memory((size_t)count * sizeof(Entry));
    return dew_array_resize(&sort->particles->first, sort->grid->brick_count + 1);
}

dew_Status dew_particles_sort(dew_Particles *particles, const dew_Grid *grid, dew_Arena *scratch)
{
    if (particles->is_sorted && particles->sorted_for == grid->change_count)
        return dew_ok();
    dew_ArenaMark mark = dew_arena_mark(scratch);
    Sort sort = {.particles = particles, .grid = grid};
    DEW_TRY(alloc_sort(&sort, scratch));
    DEW_TRY(dew_parallel_for(grid->tasks, particles->count, DEW_CHUNK_COPIES, find_chunk, &sort));
    place(&sort);
    DEW_TRY(dew_grid_for(grid, order_chunk, &sort));
    if (has_moved(&sort))
        DEW_TRY(dew_particles_rearrange(particles, grid->tasks, sort.kept, GATHERED, gather_chunk,
                                        &sort));
    for (int c = 0; c < particles->column_count; c++)
        particles->column[c].count = sort.kept;
    particles->count = sort.kept;
    particles->is_sorted = true;
    particles->sorted_for = grid->change_count;
    memcpy(particles->first.data, sort.first, (size_t)(grid->brick_count + 1) * sizeof(int64_t));
    dew_arena_rewind(scratch, mark);
    return dew_ok();
}

dew_Status dew_particles_restored(dew_Particles *particles, const dew_Grid *grid,
                                  dew_Arena *scratch)
{
    particles->count = particles->column[0].count;
    particles->is_sorted = false;
    for (int n = 1; n < particles->column_count; n++)
        if (particles->column[n].count != particles->count)
            return dew_fail(DEW_CORRUPT, "the particles' columns are not equally long");
    return dew_particles_sort(particles, grid, scratch);
}

// ---- Moving -------------------------------------------------------------------------------------

typedef struct Advect {
    dew_Particles *particles;
    const dew_Grid *grid;
    const double *const *u;
    double dt_s;
} Advect;

DEW_BODY dew_Status advect_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Advect *advect = context;
    double *x = dew_particles_axis(advect->particles, 0);
    double *y = dew_particles_axis(advect->particles, 1);
    double *z = dew_particles_axis(advect->particles, 2);
    dew_FaceTiles tiles;
    for (int64_t b = begin; b < end; b++) {
        int64_t first, last;
        dew_particles_of_brick(advect->particles, b, &first, &last);
        if (first == last)
            continue;
        dew_face_tiles_load(&tiles, advect->grid, advect->u, (int32_t)b);
        double h = tiles.h, r = 1 / h;
        for (int64_t n = first; n < last; n++) {
            double p[3] = {(x[n] - tiles.corner.x) * r, (y[n] - tiles.corner.y) * r,
                           (z[n] - tiles.corner.z) * r};
            double q[3] = {p[0], p[1], p[2]};
            dew_face_tiles_move(&tiles, advect->dt_s, q);
            x[n] += h * (q[0] - p[0]);
            y[n] += h * (q[1] - p[1]);
            z[n] += h * (q[2] - p[2]);
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(advect_chunk)

dew_Status dew_particles_advect(dew_Particles *particles, const dew_Grid *grid,
                                const double *const u[3], double dt_s)
{
    Advect advect = {particles, grid, u, dt_s};
    DEW_ASSERT(particles->is_sorted && particles->sorted_for == grid->change_count);
    particles->is_sorted = false;
    return dew_grid_for(grid, advect_chunk, &advect);
}

uint64_t dew_particles_hash(const dew_Particles *particles)
{
    uint64_t hash = (uint64_t)particles->count;
    for (int c = 0; c < particles->column_count; c++) {
        const dew_Array *column = &particles->column[c];
        hash = dew_hash(column->data, (size_t)particles->count * column->element_size, hash);
    }
    return hash;
}

// ---- Grouping -----------------------------------------------------------------------------------

// Particles by brick, in the order in which they come: what dew_particles_sort does, less the
// sorting by id.
//
// Most particles stay in their bricks, so that the new order is made of runs. Chunks of particles
// find bricks and runs in parallel, the runs are put in order one after the other, and then bricks
// fetch theirs in parallel.

// Particles beside one another that go to the same brick.
typedef struct Stretch {
    int32_t brick, count;
    int64_t from;
} Stretch;

typedef struct Group {
    dew_Particles *particles;
    const dew_Grid *grid;
    dew_GroupDef def;
    Stretch *runs;       // of chunk c from DEW_CHUNK_COPIES c on; those that go have none
    int32_t *run_count;  // per chunk
    Stretch *sorted;     // by the bricks that they go to
    int32_t *run_first;  // [brick_count + 1]: in `sorted`
    int64_t kept;
    bool is_moved;  // some change their places
} Group;

// Runs of a chunk as they are found.
typedef struct Runs {
    Stretch *runs;
    int32_t count, last;  // last: the brick of the particle before; DEW_INVALID: it goes
} Runs;

static inline void add_run(Runs *to, int32_t brick, int64_t from, int64_t count)
{
    if (brick >= 0 && brick == to->last)
        to->runs[to->count - 1].count += (int32_t)count;
    else if (brick >= 0)
        to->runs[to->count++] = (Stretch){brick, (int32_t)count, from};
    to->last = brick;
}

// Of particles [begin, end) nothing is known.
static void look_at_all(const Group *g, int64_t begin, int64_t end, Runs *to)
{
    const dew_Grid *grid = g->grid;
    const uint64_t *ids = dew_particles_ids(g->particles);
    int32_t home = DEW_INVALID;
    Inside box = {{1, 1, 1}, {0, 0, 0}};  // empty
    for (int64_t n = begin; n < end; n++) {
        dew_Vec3 p = dew_particles_position(g->particles, n);
        int32_t brick = home;
        if (!is_inside(&box, p)) {
            brick = brick_near(grid, home, p);
            brick = brick < grid->brick_count ? brick : DEW_INVALID;
            // One that strays from its brick does not speak for those after it.
            bool is_alone =
                n + 1 < end && is_inside(&box, dew_particles_position(g->particles, n + 1));
            if (brick >= 0 && !is_alone) {
                home = brick;
                box = inside_of(grid, home);
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

static dew_Status find_runs_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    const Group *g = context;
    Runs to = {g->runs + DEW_CHUNK_COPIES * chunk_index, 0, DEW_INVALID};
    int64_t known = g->def.left_brick ? g->def.left_brick_count : 0;
    known = known < begin ? begin : known > end ? end : known;
    if (g->def.left_brick && begin < known)
        look_at_strays(g, begin, known, &to);
    look_at_all(g, known, end, &to);
    g->run_count[chunk_index] = to.count;
    return dew_ok();
}

// Runs in the order of their bricks, and where bricks begin.
static dew_Status place_runs(Group *g, int64_t chunks, dew_Arena *scratch)
{
    int64_t *first = g->particles->first.data, runs = 0;
    int32_t bricks = g->grid->brick_count;
    for (int64_t c = 0; c < chunks; c++)
        runs += g->run_count[c];
    g->sorted = dew_arena_raw_array(scratch, Stretch, runs);
    g->run_first = dew_arena_array(scratch, int32_t, bricks + 1);
    if (!g->sorted || !g->run_first)
        return dew_no_memory((size_t)runs * sizeof(Stretch));
    memset(first, 0, (size_t)(bricks + 1) * sizeof *first);
    for (int64_t c = 0; c < chunks; c++)
        for (int32_t r = 0; r < g->run_count[c]; r++) {
            const Stretch *run = &g->runs[DEW_CHUNK_COPIES * c + r];
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
            const Stretch *run = &g->runs[DEW_CHUNK_COPIES * c + r];
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
static void move_column(const Stretch *runs, const Stretch *end, const uint64_t *from, uint64_t *to)
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

static void move_any(const Stretch *runs, const Stretch *end, size_t size, const char *from,
                     char *to)
{
    for (; runs < end; to += (size_t)runs++->count * size)
        memcpy(to, from + (size_t)runs->from * size, (size_t)runs->count * size);
}

// What comes to a brick, from the spare columns, which were the columns.
static void gather(const Group *g, int64_t b)
{
    const Stretch *runs = g->sorted + g->run_first[b], *end = g->sorted + g->run_first[b + 1];
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
    int64_t chunks = (particles->count + DEW_CHUNK_COPIES - 1) / DEW_CHUNK_COPIES;
    g->runs = dew_arena_raw_array(scratch, Stretch, particles->count);
    g->run_count = dew_arena_array(scratch, int32_t, chunks);
    if (!g->runs || !g->run_count)
        return dew_no_memory((size_t)particles->count * sizeof(Stretch));
    if (particles->sorted_for != g->grid->change_count)
        g->def.left_brick = NULL;  // `first` is of other bricks
    DEW_TRY(dew_array_resize(&particles->first, g->grid->brick_count + 1));
    DEW_TRY(
        dew_parallel_for(g->grid->tasks, particles->count, DEW_CHUNK_COPIES, find_runs_chunk, g));
    DEW_TRY(place_runs(g, chunks, scratch));
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
