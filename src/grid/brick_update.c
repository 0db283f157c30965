// Bricks come and go: the wanted keys are sorted, and every field follows in place.
//
// Old and new list are both sorted, so what stays keeps its order: a pass upwards closes the gaps of
// those that go, a pass downwards opens gaps for those that come. No second copy of a field is needed,
// and nothing moves when nothing changes.
#include "base/status.h"
#include "grid/brick_state.h"

#include <string.h>

void dew_grid_update_begin(dew_Grid *grid)
{
    grid->wanted.count = 0;
}

// Does the brick meet the domain with its margin?
static bool is_allowed(const dew_Grid *grid, const int32_t coord[3])
{
    for (int a = 0; a < dew_grid_axes(grid); a++) {
        int64_t lower = (int64_t)DEW_BRICK * coord[a];
        if (lower + DEW_BRICK <= (int64_t)grid->cell_min[a] - grid->margin ||
            lower >= (int64_t)grid->cell_max[a] + grid->margin)
            return false;
    }
    return grid->dimensions == 3 || coord[2] == 0;
}

dew_Status dew_grid_want(dew_Grid *grid, const int32_t coord[3])
{
    if (!is_allowed(grid, coord))
        return dew_ok();
    uint64_t key = dew_morton_key(coord);
    return dew_array_push(&grid->wanted, &key);
}

dew_Status dew_grid_want_box(dew_Grid *grid, const int32_t cell_min[3], const int32_t cell_max[3])
{
    int32_t lo[3] = {0}, hi[3] = {0};
    for (int a = 0; a < dew_grid_axes(grid);
         a++) {  // clipped, so that the loop is never over nothing
        int32_t first = grid->cell_min[a] - grid->margin, last = grid->cell_max[a] + grid->margin;
        lo[a] = (cell_min[a] > first ? cell_min[a] : first) >> 3;
        hi[a] = ((cell_max[a] < last ? cell_max[a] : last) - 1) >> 3;
    }
    for (int32_t z = lo[2]; z <= hi[2]; z++)
        for (int32_t y = lo[1]; y <= hi[1]; y++)
            for (int32_t x = lo[0]; x <= hi[0]; x++)
                DEW_TRY(dew_grid_want(grid, (int32_t[3]){x, y, z}));
    return dew_ok();
}

dew_Status dew_grid_want_all_present(dew_Grid *grid)
{
    return dew_array_append(&grid->wanted, grid->keys.data, grid->brick_count);
}

// ---- Sorting -------------------------------------------------------------------------------------

static void insertion_sort(uint64_t *key, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        uint64_t x = key[i];
        int64_t j = i;
        for (; j > 0 && key[j - 1] > x; j--)
            key[j] = key[j - 1];
        key[j] = x;
    }
}

// Splits by the middle key: the list is mostly in order already. Recurses into the smaller part.
static void sort_keys(uint64_t *key, int64_t n)
{
    while (n > 24) {
        uint64_t pivot = key[n / 2];
        int64_t i = -1, j = n;
        for (;;) {
            while (key[++i] < pivot)
                ;
            while (key[--j] > pivot)
                ;
            if (i >= j)
                break;
            uint64_t swap = key[i];
            key[i] = key[j];
            key[j] = swap;
        }
        int64_t lower = j + 1;
        if (lower < n - lower) {
            sort_keys(key, lower);
            key += lower;
            n -= lower;
        } else {
            sort_keys(key + lower, n - lower);
            n = lower;
        }
    }
    insertion_sort(key, n);
}

static int64_t unique_keys(uint64_t *key, int64_t n)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++)
        if (kept == 0 || key[kept - 1] != key[i])
            key[kept++] = key[i];
    return kept;
}

// ---- Moving --------------------------------------------------------------------------------------

// moves[n]: the old place of new brick n, or DEW_INVALID.
static void find_moves(dew_Grid *grid)
{
    const uint64_t *old = grid->keys.data, *wanted = grid->wanted.data;
    int32_t *moves = grid->moves.data;
    int64_t o = 0;
    for (int64_t n = 0; n < grid->wanted.count; n++) {
        while (o < grid->brick_count && old[o] < wanted[n])
            o++;
        bool stays = o < grid->brick_count && old[o] == wanted[n];
        moves[n] = stays ? (int32_t)o : DEW_INVALID;
    }
}

static void fill_fresh(const dew_GridField *field, char *brick)
{
    size_t size = field->value_size;
    for (size_t i = 0; i < field->bricks.element_size; i += size)
        memcpy(brick + i, field->fresh, size);
}

static void move_field(const dew_Grid *grid, dew_GridField *field)
{
    const int32_t *moves = grid->moves.data;
    int64_t new_count = grid->wanted.count, stay = 0;
    size_t size = field->bricks.element_size;
    char *data = field->bricks.data;
    for (int64_t n = 0; n < new_count; n++)
        if (moves[n] >= 0) {
            if (moves[n] != stay)
                memcpy(data + (size_t)stay * size, data + (size_t)moves[n] * size, size);
            stay++;
        }
    for (int64_t n = new_count - 1; n >= 0; n--)
        if (moves[n] < 0) {
            fill_fresh(field, data + (size_t)n * size);
        } else {
            stay--;
            if (stay != n)
                memcpy(data + (size_t)n * size, data + (size_t)stay * size, size);
        }
    field->bricks.count = new_count;
}

static dew_Status move_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    dew_Grid *grid = context;
    for (int64_t f = begin; f < end; f++)
        move_field(grid, dew_grid_field_at(grid, f));
    return dew_ok();
}

static bool has_same_bricks(const dew_Grid *grid)
{
    return grid->wanted.count == grid->brick_count && grid->ghost_count == 0 &&
           memcmp(grid->wanted.data, grid->keys.data,
                  (size_t)grid->brick_count * sizeof(uint64_t)) == 0;
}

dew_Status dew_grid_update_end(dew_Grid *grid, bool *has_changed)
{
    sort_keys(grid->wanted.data, grid->wanted.count);
    grid->wanted.count = unique_keys(grid->wanted.data, grid->wanted.count);
    bool is_same = grid->brick_count > 0 && has_same_bricks(grid);
    if (has_changed)
        *has_changed = !is_same;
    if (is_same) {
        memset(grid->is_fresh.data, 0, (size_t)grid->is_fresh.count);
        return dew_ok();
    }
    if (grid->wanted.count > INT32_MAX / 2)
        return dew_fail(DEW_UNSUPPORTED, "grid: %lld bricks (at most 2^30 wanted)",
                        (long long)grid->wanted.count);
    DEW_TRY(dew_grid_reserve(grid, grid->wanted.count));  // from here on nothing fails
    DEW_TRY(dew_array_resize(&grid->moves, grid->wanted.count));
    find_moves(grid);
    DEW_TRY(dew_parallel_for(grid->tasks, grid->fields.count, 1, move_chunk, grid));
    grid->brick_count = (int32_t)grid->wanted.count;
    grid->ghost_count = 0;
    grid->keys.count = grid->wanted.count;
    if (grid->keys.count > 0)  // else neither may have memory yet
        memcpy(grid->keys.data, grid->wanted.data, (size_t)grid->keys.count * sizeof(uint64_t));
    DEW_TRY(dew_grid_link(grid));
    uint8_t *is_fresh = grid->is_fresh.data;
    for (int32_t b = 0; b < grid->brick_count; b++)
        is_fresh[b] = DEW_ITEMS(&grid->moves, int32_t)[b] < 0;
    DEW_AUDIT(dew_grid_audit(grid));
    return dew_ok();
}

// ---- Around a band -------------------------------------------------------------------------------

typedef struct Band {
    const dew_Grid *grid;
    const double *phi;
    double width;
    bool and_inside;
    uint32_t *masks;  // per brick: bit n for neighbour n of the table
} Band;

// Range of cells along an axis that touch the neighbour on side d.
static void side_range(int d, int size, int *lo, int *hi)
{
    *lo = d > 0 ? size - 1 : 0;
    *hi = d < 0 ? 1 : size;
}

// Smallest distance from the band of the cells of a brick that touch neighbour n.
static double least_distance(const Band *band, const double *phi, int n)
{
    int lo[3], hi[3];
    side_range(n % 3 - 1, DEW_BRICK, &lo[0], &hi[0]);
    side_range(n / 3 % 3 - 1, DEW_BRICK, &lo[1], &hi[1]);
    side_range(n / 9 - 1, band->grid->depth, &lo[2], &hi[2]);
    double least = HUGE_VAL;
    for (int k = lo[2]; k < hi[2]; k++)
        for (int j = lo[1]; j < hi[1]; j++)
            for (int i = lo[0]; i < hi[0]; i++) {
                double p = phi[i + 8 * (j + 8 * k)];
                double distance = band->and_inside && p < 0 ? 0 : fabs(p);
                least = distance < least ? distance : least;
            }
    return least;
}

static dew_Status band_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Band *band = context;
    const dew_Grid *grid = band->grid;
    for (int64_t b = begin; b < end; b++) {
        const double *phi = band->phi + b * grid->brick_cells;
        const int32_t *near = dew_grid_neighbours(grid, (int32_t)b);
        double here = least_distance(band, phi, 13);
        uint32_t mask = here < band->width + grid->cell_m ? 1u << 13 : 0;
        if (here < band->width)
            for (int n = 0; n < 27; n++)
                if (near[n] < 0 && least_distance(band, phi, n) < band->width - grid->cell_m)
                    mask |= 1u << n;
        band->masks[b] = mask;
    }
    return dew_ok();
}

dew_Status dew_grid_want_band(dew_Grid *grid, const double *phi, double width_m, bool and_inside,
                              dew_Arena *scratch)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    uint32_t *masks = dew_arena_array(scratch, uint32_t, grid->brick_count);
    if (!masks)
        return dew_no_memory((size_t)grid->brick_count * sizeof *masks);
    Band band = {grid, phi, width_m, and_inside, masks};
    dew_Status status = dew_grid_for(grid, band_chunk, &band);
    for (int32_t b = 0; b < grid->brick_count && status.code == DEW_OK; b++) {
        const int32_t *c = dew_grid_coord(grid, b);
        for (int n = 0; n < 27 && status.code == DEW_OK; n++)
            if (masks[b] >> n & 1)
                status = dew_grid_want(
                    grid, (int32_t[3]){c[0] + n % 3 - 1, c[1] + n / 3 % 3 - 1, c[2] + n / 9 - 1});
    }
    dew_arena_rewind(scratch, mark);
    return status;
}
