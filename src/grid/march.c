// Redistancing by fast marching [Sethian1996]: first order, one heap over all cells, serial.
//
// As the papers have it, for comparison. Ties in the heap are broken by the cell's index, so the result
// depends on nothing else. Lengths are in cells.
#include "base/status.h"
#include "grid/redistance.h"

#define WIDTH (DEW_BRICK + 2)

typedef struct Node {
    double d;
    int64_t cell;
} Node;

typedef struct March {
    const dew_Grid *grid;
    double band;
    double *d;
    uint8_t *is_final;
    Node *heap;
    int64_t count, capacity;
} March;

static bool is_before(const Node *a, const Node *b)
{
    return a->d < b->d || (a->d == b->d && a->cell < b->cell);
}

static void push(March *march, Node node)
{
    int64_t n = march->count++;
    DEW_ASSERT(n < march->capacity);
    while (n > 0 && is_before(&node, &march->heap[(n - 1) / 2])) {
        march->heap[n] = march->heap[(n - 1) / 2];
        n = (n - 1) / 2;
    }
    march->heap[n] = node;
}

static Node pop(March *march)
{
    Node top = march->heap[0], last = march->heap[--march->count];
    int64_t n = 0;
    for (;;) {
        int64_t child = 2 * n + 1;
        if (child >= march->count)
            break;
        if (child + 1 < march->count && is_before(&march->heap[child + 1], &march->heap[child]))
            child++;
        if (!is_before(&march->heap[child], &last))
            break;
        march->heap[n] = march->heap[child];
        n = child;
    }
    march->heap[n] = last;
    return top;
}

static int64_t neighbour(const March *march, int64_t cell, int axis, int side)
{
    int32_t brick = (int32_t)(cell / march->grid->brick_cells);
    int n = (int)(cell % march->grid->brick_cells), c[3] = {n & 7, n >> 3 & 7, n >> 6};
    c[axis] += side;
    return dew_grid_near(march->grid, brick, c[0], c[1], c[2]);
}

// |grad d| = 1 from the final neighbours: axes are added while they lie below the solution.
static double solve(const March *march, int64_t cell)
{
    double lower[3], sum = 0, square = 0, d = HUGE_VAL;
    int axes = dew_grid_axes(march->grid);
    for (int a = 0; a < axes; a++) {
        lower[a] = HUGE_VAL;
        for (int side = -1; side <= 1; side += 2) {
            int64_t n = neighbour(march, cell, a, side);
            if (n >= 0 && n < march->grid->brick_count * (int64_t)march->grid->brick_cells &&
                march->is_final[n])
                lower[a] = fmin(lower[a], march->d[n]);
        }
    }
    for (int used = 1; used <= axes; used++) {
        int least = 0;
        for (int a = 1; a < axes; a++)
            least = lower[a] < lower[least] ? a : least;
        if (!(lower[least] < d))
            break;
        sum += lower[least];
        square += lower[least] * lower[least];
        lower[least] = HUGE_VAL;
        d = (sum + sqrt(fmax(sum * sum - used * (square - 1), 0))) / used;
    }
    return d;
}

static void visit_neighbours(March *march, int64_t cell)
{
    int64_t owned = march->grid->brick_count * (int64_t)march->grid->brick_cells;
    for (int f = 0; f < 2 * march->grid->dimensions; f++) {
        int64_t n = neighbour(march, cell, f / 2, f % 2 ? 1 : -1);
        if (n < 0 || n >= owned || march->is_final[n])
            continue;
        double d = solve(march, n);
        if (d < march->d[n] && d < march->band) {
            march->d[n] = d;
            push(march, (Node){d, n});
        }
    }
}

// Cells beside the surface are final at once.
static void start(March *march, const double *phi)
{
    const dew_Grid *grid = march->grid;
    const int stride[3] = {1, WIDTH, WIDTH * WIDTH};
    double tile[DEW_TILE_SIZE(1)];
    for (int32_t b = 0; b < grid->brick_count; b++) {
        dew_tile_load_cross(grid, phi, b, 1, tile);
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t cell = (int64_t)b * grid->brick_cells + n;
            int at = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
            march->d[cell] = dew_crossing_distance(tile, at, stride, dew_grid_axes(grid));
            march->is_final[cell] = march->d[cell] < HUGE_VAL;
        }
    }
}

dew_Status dew_redistance_march(dew_Grid *grid, double *phi, double band_m, dew_Arena *scratch,
                                dew_Redistanced *told)
{
    int64_t count = dew_grid_value_count(grid),
            owned = grid->brick_count * (int64_t)grid->brick_cells;
    // A cell is pushed once for each neighbour that becomes final before it: at most six times.
    March march = {.grid = grid, .band = band_m / grid->cell_m, .capacity = 6 * count};
    march.d = dew_arena_array(scratch, double, count);
    march.is_final = dew_arena_array(scratch, uint8_t, count);
    march.heap = dew_arena_array(scratch, Node, march.capacity);
    if (!march.d || !march.is_final || !march.heap)
        return dew_no_memory((size_t)march.capacity * sizeof(Node));
    start(&march, phi);
    for (int64_t n = 0; n < owned; n++)
        if (march.d[n] < HUGE_VAL && march.is_final[n])
            visit_neighbours(&march, n);
    while (march.count > 0) {
        Node node = pop(&march);
        if (march.is_final[node.cell])
            continue;
        march.is_final[node.cell] = 1;
        visit_neighbours(&march, node.cell);
    }
    for (int64_t n = 0; n < owned; n++) {
        told->near_count += march.d[n] < march.band;
        phi[n] = copysign(fmin(march.d[n], march.band) * grid->cell_m, phi[n]);
    }
    return dew_ok();
}
