// Sparse grid: creation, the table from key to brick, neighbours, updates; fields and their bytes;
// sets of cells.
//
// The table is open addressing with at most half of its slots taken. Everything here follows from
// the sorted keys alone, so a restored grid is a rebuilt one.

#include "grid/brick.h"

#include "base/cookie.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/union_find.h"

#include <stdio.h>
#include <string.h>

static inline dew_GridField *field_at(const dew_Grid *grid, int64_t field)
{
    return DEW_ITEMS(&grid->fields, dew_GridField) + field;
}

dew_GridDef dew_default_grid_def(void)
{
    return (dew_GridDef){.dimensions = 3, .margin = 4, .cookie = DEW_COOKIE};
}

static dew_Status check_def(const dew_GridDef *def)
{
    const int64_t limit = (int64_t)DEW_BRICK * (DEW_MORTON_BIAS - 1);
    if (!(def->cell_m > 0) || !isfinite(def->cell_m))
        return dew_fail(DEW_BAD_INPUT, "grid: a cell of %g m (more than zero wanted)", def->cell_m);
    for (int a = 0; a < 3; a++) {
        if (def->cell_min[a] >= def->cell_max[a])
            return dew_fail(DEW_BAD_INPUT, "grid: no cells along axis %d", a);
        if ((int64_t)def->cell_min[a] - def->margin < -limit ||
            (int64_t)def->cell_max[a] + def->margin > limit)
            return dew_fail(DEW_BAD_INPUT,
                            "grid: cells %d to %d along axis %d (within +-%lld wanted)",
                            def->cell_min[a], def->cell_max[a], a, (long long)limit);
    }
    if (def->dimensions == 2 && (def->cell_min[2] != 0 || def->cell_max[2] != 1))
        return dew_fail(DEW_BAD_INPUT, "grid: two dimensions have the cells 0 to 1 along z");
    return dew_ok();
}

/// Arrays of a grid without bricks are empty, but not NULL: they can be copied, filled and compared
/// as others.
static dew_Status reserve_one(dew_Grid *grid)
{
    dew_Array *arrays[] = {&grid->keys,     &grid->coords, &grid->neighbours,
                           &grid->is_fresh, &grid->wanted, &grid->moves};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; a++)
        DEW_TRY(dew_array_reserve(arrays[a], 1));
    return dew_ok();
}

dew_Status dew_grid_create(const dew_GridDef *def, dew_Grid **out)
{
    DEW_ASSERT(def->cookie == DEW_COOKIE);
    DEW_ASSERT(def->dimensions == 2 || def->dimensions == 3);
    *out = NULL;
    DEW_TRY(check_def(def));
    dew_Grid *grid = dew_alloc(&def->allocator, 1, sizeof *grid);
    if (!grid)
        return dew_no_memory(sizeof *grid);
    grid->allocator = def->allocator;
    grid->dimensions = def->dimensions;
    grid->depth = def->dimensions == 3 ? DEW_BRICK : 1;
    grid->brick_cells = DEW_BRICK * DEW_BRICK * grid->depth;
    grid->cell_m = def->cell_m;
    grid->origin_m = def->origin_m;
    memcpy(grid->cell_min, def->cell_min, sizeof grid->cell_min);
    memcpy(grid->cell_max, def->cell_max, sizeof grid->cell_max);
    grid->margin = def->margin;
    grid->tasks = def->tasks;
    dew_array_init(&grid->keys, &def->allocator, sizeof(uint64_t));
    dew_array_init(&grid->coords, &def->allocator, sizeof(int32_t[3]));
    dew_array_init(&grid->neighbours, &def->allocator, sizeof(int32_t[27]));
    dew_array_init(&grid->is_fresh, &def->allocator, sizeof(uint8_t));
    dew_array_init(&grid->fields, &def->allocator, sizeof(dew_GridField));
    dew_array_init(&grid->table, &def->allocator, sizeof(int32_t));
    dew_array_init(&grid->wanted, &def->allocator, sizeof(uint64_t));
    dew_array_init(&grid->moves, &def->allocator, sizeof(int32_t));
    dew_Status status = reserve_one(grid);
    if (status.code != DEW_OK) {
        dew_grid_destroy(grid);
        return status;
    }
    *out = grid;
    return dew_ok();
}

void dew_grid_destroy(dew_Grid *grid)
{
    if (!grid)
        return;
    for (int64_t f = 0; f < grid->fields.count; f++)
        dew_array_deinit(&DEW_ITEMS(&grid->fields, dew_GridField)[f].bricks);
    dew_Array *arrays[] = {&grid->keys,   &grid->coords, &grid->neighbours, &grid->is_fresh,
                           &grid->fields, &grid->table,  &grid->wanted,     &grid->moves};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; a++)
        dew_array_deinit(arrays[a]);
    dew_free(&grid->allocator, grid, sizeof *grid);
}

static uint64_t slot_of(const dew_Grid *grid, uint64_t key)
{
    const int32_t *table = grid->table.data;
    const uint64_t *keys = grid->keys.data;
    uint64_t mask = (uint64_t)grid->table.count - 1;
    uint64_t slot = (key * 0x9e3779b97f4a7c15u) >> 32 & mask;
    while (table[slot] >= 0 && keys[table[slot]] != key)
        slot = (slot + 1) & mask;
    return slot;
}

int32_t dew_grid_find(const dew_Grid *grid, const int32_t coord[3])
{
    if (grid->table.count == 0)
        return DEW_INVALID;
    for (int a = 0; a < 3; a++)
        if (coord[a] < -DEW_MORTON_BIAS || coord[a] >= DEW_MORTON_BIAS)
            return DEW_INVALID;
    const int32_t *table = grid->table.data;
    return table[slot_of(grid, dew_morton_key(coord))];
}

int64_t dew_grid_cell(const dew_Grid *grid, const int32_t cell[3])
{
    bool is_flat = grid->depth == 1;
    int32_t coord[3] = {cell[0] >> 3, cell[1] >> 3, is_flat ? 0 : cell[2] >> 3};
    int32_t brick = dew_grid_find(grid, coord);
    if (brick < 0)
        return DEW_INVALID;
    int k = is_flat ? 0 : cell[2] & 7;
    return (int64_t)brick * grid->brick_cells + (cell[0] & 7) + 8 * ((cell[1] & 7) + 8 * k);
}

// Slots for that many bricks: a power of two, at least twice as many.
static int64_t table_size(int64_t brick_count)
{
    int64_t size = 64;
    while (size < 2 * brick_count)
        size *= 2;
    return size;
}

// Memory for that many bricks, ghosts included, in all arrays.
static dew_Status reserve(dew_Grid *grid, int64_t brick_count)
{
    DEW_TRY(dew_array_reserve(&grid->keys, brick_count));
    DEW_TRY(dew_array_reserve(&grid->coords, brick_count));
    DEW_TRY(dew_array_reserve(&grid->neighbours, brick_count));
    DEW_TRY(dew_array_reserve(&grid->is_fresh, brick_count));
    DEW_TRY(dew_array_reserve(&grid->table, table_size(brick_count)));
    for (int64_t f = 0; f < grid->fields.count; f++)
        DEW_TRY(dew_array_reserve(&DEW_ITEMS(&grid->fields, dew_GridField)[f].bricks, brick_count));
    return dew_ok();
}

static dew_Status link_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    dew_Grid *grid = context;
    for (int64_t b = begin; b < end; b++) {
        const int32_t *c = dew_grid_coord(grid, (int32_t)b);
        int32_t *near = (int32_t *)grid->neighbours.data + 27 * b;
        for (int n = 0; n < 27; n++) {
            int dz = grid->depth == 1 ? 0 : n / 9 - 1;
            int32_t other[3] = {c[0] + n % 3 - 1, c[1] + n / 3 % 3 - 1, c[2] + dz};
            near[n] = dew_grid_find(grid, other);
        }
    }
    return dew_ok();
}

// Coordinates, table and neighbours from keys and counts. Cannot fail once memory was reserved.
static dew_Status link_bricks(dew_Grid *grid)
{
    int64_t all = grid->brick_count + grid->ghost_count;
    grid->change_count++;
    const uint64_t *keys = grid->keys.data;
    DEW_TRY(dew_array_resize(&grid->coords, all));
    DEW_TRY(dew_array_resize(&grid->is_fresh, all));
    DEW_TRY(dew_array_resize(&grid->neighbours, grid->brick_count));
    DEW_TRY(dew_array_resize(&grid->table, table_size(all)));
    int32_t *table = grid->table.data;
    memset(table, 0xff, (size_t)grid->table.count * sizeof *table);
    for (int64_t b = 0; b < all; b++) {
        dew_morton_coord(keys[b], (int32_t *)grid->coords.data + 3 * b);
        table[slot_of(grid, keys[b])] = (int32_t)b;
    }
    return dew_parallel_for(grid->tasks, grid->brick_count, 64, link_chunk, grid);
}

dew_Status dew_grid_rebuild(dew_Grid *grid)
{
    int64_t count = grid->keys.count;
    const uint64_t *keys = grid->keys.data;
    for (int64_t b = 1; b < count; b++)
        if (keys[b - 1] >= keys[b])
            return dew_fail(DEW_CORRUPT, "grid: the keys of bricks %lld and %lld are not in order",
                            (long long)b - 1, (long long)b);
    grid->brick_count = (int32_t)count;
    grid->ghost_count = 0;
    DEW_TRY(reserve(grid, count));
    for (int64_t f = 0; f < grid->fields.count; f++)
        DEW_TRY(dew_array_resize(&DEW_ITEMS(&grid->fields, dew_GridField)[f].bricks, count));
    DEW_TRY(link_bricks(grid));
    if (grid->is_fresh.count > 0)  // a state that was never poured into has no bricks
        memset(grid->is_fresh.data, 0, (size_t)grid->is_fresh.count);
    DEW_AUDIT(dew_grid_audit(grid));
    return dew_ok();
}

dew_Status dew_grid_set_ghosts(dew_Grid *grid, const uint64_t *keys, int32_t count)
{
    int64_t all = (int64_t)grid->brick_count + count;
    DEW_TRY(reserve(grid, all));
    DEW_TRY(dew_array_resize(&grid->keys, all));
    memcpy((uint64_t *)grid->keys.data + grid->brick_count, keys, (size_t)count * sizeof *keys);
    grid->ghost_count = count;
    for (int64_t f = 0; f < grid->fields.count; f++)
        DEW_TRY(dew_array_resize(&DEW_ITEMS(&grid->fields, dew_GridField)[f].bricks, all));
    return link_bricks(grid);
}

dew_Status dew_grid_audit(const dew_Grid *grid)
{
    const uint64_t *keys = grid->keys.data;
    for (int32_t b = 0; b < grid->brick_count; b++) {
        const int32_t *near = dew_grid_neighbours(grid, b);
        if (b > 0 && keys[b - 1] >= keys[b])
            return dew_fail(DEW_CORRUPT, "grid: bricks %d and %d are not in order", b - 1, b);
        if (near[13] != b || dew_grid_find(grid, dew_grid_coord(grid, b)) != b)
            return dew_fail(DEW_CORRUPT, "grid: brick %d is not where its key says", b);
        for (int n = 0; n < 27; n++)
            if (near[n] >= 0 && near[n] < grid->brick_count &&
                dew_grid_neighbours(grid, near[n])[26 - n] != b)
                return dew_fail(DEW_CORRUPT, "grid: bricks %d and %d are linked one way", b,
                                near[n]);
    }
    return dew_ok();
}

// ---- update: bricks that come and go ------------------------------------------------------------

// Bricks come and go: the wanted keys are sorted, and every field follows in place.
//
// Old and new list are both sorted, so what stays keeps its order: a pass upwards closes the gaps
// of those that go, a pass downwards opens gaps for those that come. No second copy of a field is
// needed, and nothing moves when nothing changes.

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

// ---- Sorting ------------------------------------------------------------------------------------

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

// ---- Moving -------------------------------------------------------------------------------------

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
        move_field(grid, field_at(grid, f));
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
    DEW_TRY(reserve(grid, grid->wanted.count));  // from here on nothing fails
    DEW_TRY(dew_array_resize(&grid->moves, grid->wanted.count));
    find_moves(grid);
    DEW_TRY(dew_parallel_for(grid->tasks, grid->fields.count, 1, move_chunk, grid));
    grid->brick_count = (int32_t)grid->wanted.count;
    grid->ghost_count = 0;
    grid->keys.count = grid->wanted.count;
    if (grid->keys.count > 0)  // else neither may have memory yet
        memcpy(grid->keys.data, grid->wanted.data, (size_t)grid->keys.count * sizeof(uint64_t));
    DEW_TRY(link_bricks(grid));
    uint8_t *is_fresh = grid->is_fresh.data;
    for (int32_t b = 0; b < grid->brick_count; b++)
        is_fresh[b] = DEW_ITEMS(&grid->moves, int32_t)[b] < 0;
    DEW_AUDIT(dew_grid_audit(grid));
    return dew_ok();
}

// ---- Around a band ------------------------------------------------------------------------------

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

// ---- Fields -------------------------------------------------------------------------------------

dew_Status dew_grid_add_field(dew_Grid *grid, const char *name, dew_Place place, size_t value_size,
                              const void *fresh, int *out)
{
    DEW_ASSERT(value_size > 0 && value_size <= sizeof((dew_GridField *)0)->fresh);
    dew_GridField field = {.place = place, .value_size = value_size};
    snprintf(field.name, sizeof field.name, "%s", name);
    if (fresh)
        memcpy(field.fresh, fresh, value_size);
    size_t brick_size = value_size * (size_t)grid->brick_cells;
    dew_array_init(&field.bricks, &grid->allocator, brick_size);
    dew_Status status = dew_array_reserve(&field.bricks, 1);  // never NULL, see dew_grid_create
    if (status.code == DEW_OK)
        status = dew_array_resize(&field.bricks, grid->brick_count + grid->ghost_count);
    if (status.code == DEW_OK)
        status = dew_array_push(&grid->fields, &field);
    if (status.code != DEW_OK) {
        dew_array_deinit(&field.bricks);
        return status;
    }
    char *values = field.bricks.data;
    for (size_t i = 0; fresh && i < (size_t)field.bricks.count * brick_size; i += value_size)
        memcpy(values + i, fresh, value_size);
    *out = (int)grid->fields.count - 1;
    return dew_ok();
}

uint64_t dew_grid_hash(const dew_Grid *grid, int field)
{
    const dew_GridField *f = field_at(grid, field);
    size_t count = (size_t)grid->brick_count;
    uint64_t keys = dew_hash(grid->keys.data, count * sizeof(uint64_t), 0);
    return dew_hash(f->bricks.data, count * f->bricks.element_size, keys);
}

size_t dew_grid_packed_size(const dew_Grid *grid)
{
    size_t size = sizeof(uint64_t);
    for (int64_t f = 0; f < grid->fields.count; f++)
        size += field_at(grid, f)->bricks.element_size;
    return size;
}

void dew_grid_pack(const dew_Grid *grid, int32_t brick, void *bytes)
{
    char *to = bytes;
    memcpy(to, (const uint64_t *)grid->keys.data + brick, sizeof(uint64_t));
    to += sizeof(uint64_t);
    for (int64_t f = 0; f < grid->fields.count; f++) {
        const dew_Array *bricks = &field_at(grid, f)->bricks;
        size_t size = bricks->element_size;
        memcpy(to, (const char *)bricks->data + (size_t)brick * size, size);
        to += size;
    }
}

dew_Status dew_grid_unpack(dew_Grid *grid, const void *bytes)
{
    const char *from = bytes;
    uint64_t key;
    int32_t coord[3];
    memcpy(&key, from, sizeof key);
    from += sizeof key;
    dew_morton_coord(key, coord);
    int32_t brick = dew_grid_find(grid, coord);
    if (brick < 0 || key >> 63)
        return dew_fail(DEW_BAD_INPUT, "grid: a packed brick at (%d, %d, %d), where none is active",
                        coord[0], coord[1], coord[2]);
    for (int64_t f = 0; f < grid->fields.count; f++) {
        dew_Array *bricks = &field_at(grid, f)->bricks;
        size_t size = bricks->element_size;
        memcpy((char *)bricks->data + (size_t)brick * size, from, size);
        from += size;
    }
    return dew_ok();
}

int64_t dew_grid_bytes(const dew_Grid *grid)
{
    const dew_Array *arrays[] = {&grid->keys,   &grid->coords, &grid->neighbours, &grid->is_fresh,
                                 &grid->fields, &grid->table,  &grid->wanted,     &grid->moves};
    int64_t bytes = (int64_t)sizeof *grid;
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; a++)
        bytes += arrays[a]->capacity * (int64_t)arrays[a]->element_size;
    for (int64_t f = 0; f < grid->fields.count; f++) {
        const dew_Array *bricks = &field_at(grid, f)->bricks;
        bytes += bricks->capacity * (int64_t)bricks->element_size;
    }
    return bytes;
}

// ---- Bits ---------------------------------------------------------------------------------------

// Sets of cells that grow and shrink.

typedef struct Grow {
    const dew_Grid *grid;
    const dew_BrickBits *from;
    dew_BrickBits *to;
    int axis;
    bool is_shrinking;
} Grow;

static dew_Status grow_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Grow *g = context;
    int depth = g->grid->depth;
    for (int64_t b = begin; b < end; b++) {
        const int32_t *near = dew_grid_neighbours(g->grid, (int32_t)b);
        for (int k = 0; k < depth; k++) {
            uint64_t own = g->from[b].layer[k];
            uint64_t lo = dew_bits_beside(g->from, near, depth, 2 * g->axis, k);
            uint64_t hi = dew_bits_beside(g->from, near, depth, 2 * g->axis + 1, k);
            g->to[b].layer[k] = g->is_shrinking ? own & lo & hi : own | lo | hi;
        }
    }
    return dew_ok();
}

void dew_bits_grow(const dew_Grid *grid, int cells, dew_BrickBits **set, dew_BrickBits **spare)
{
    int reach = cells < 0 ? -cells : cells;
    for (int n = 0; n < reach * dew_grid_axes(grid); n++) {
        Grow g = {grid, *set, *spare, n % dew_grid_axes(grid), cells < 0};
        dew_grid_for(grid, grow_chunk, &g);
        dew_BrickBits *grown = *spare;
        *spare = *set;
        *set = grown;
    }
}

// ---- Connected components of a set --------------------------------------------------------------

// Pieces of each brick first, as bits, then joined across the faces between bricks by union and
// find, the smaller root winning. So a component's root is its first cell in the order of bricks,
// whatever the order of the work.

typedef struct Pieces {
    const dew_Grid *grid;
    const dew_BrickBits *set;
    int32_t *parent;  // per cell: the first one of its piece; of these another piece's, or itself
    int32_t *count;   // per brick: pieces
} Pieces;

// All of `rest` that is connected to its first cell, which is in layer `first`.
static dew_BrickBits take_piece(const dew_BrickBits *rest, int depth, int first)
{
    dew_BrickBits piece = {{0}};
    piece.layer[first] = rest->layer[first] & -rest->layer[first];
    for (bool has_grown = true; has_grown;) {
        has_grown = false;
        for (int k = 0; k < depth; k++) {
            uint64_t was = piece.layer[k], in = rest->layer[k], now = was;
            now |=
                in & ((k > 0 ? piece.layer[k - 1] : 0) | (k < depth - 1 ? piece.layer[k + 1] : 0));
            now |= in & ((now << 1 & ~DEW_BITS_FIRST) | (now >> 1 & ~(DEW_BITS_FIRST << 7)));
            now |= in & (now << 8 | now >> 8);
            piece.layer[k] = now;
            has_grown |= now != was;
        }
    }
    return piece;
}

static dew_Status pieces_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Pieces *d = context;
    for (int64_t b = begin; b < end; b++) {
        dew_BrickBits rest = d->set[b];
        d->count[b] = 0;
        for (int n = 0; n < d->grid->brick_cells; n++)
            d->parent[b * d->grid->brick_cells + n] = DEW_INVALID;
        for (int first = 0; first < d->grid->depth;) {
            if (!rest.layer[first]) {
                first++;
                continue;
            }
            int32_t root =
                (int32_t)b * d->grid->brick_cells + 64 * first + __builtin_ctzll(rest.layer[first]);
            dew_BrickBits piece = take_piece(&rest, d->grid->depth, first);
            for (int k = first; k < d->grid->depth; k++) {
                rest.layer[k] &= ~piece.layer[k];
                while (piece.layer[k])
                    d->parent[b * d->grid->brick_cells + 64 * k + dew_bits_take(&piece.layer[k])] =
                        root;
            }
            d->count[b]++;
        }
    }
    return dew_ok();
}

// Joins a brick's pieces to those below it along an axis; how many that makes fewer.
static int join_below(const Pieces *d, int32_t b, int axis)
{
    static const uint64_t border[3] = {DEW_BITS_FIRST, 255, ~UINT64_C(0)};
    const int32_t *near = dew_grid_neighbours(d->grid, b);
    int fewer = 0;
    for (int k = 0; k < (axis == 2 ? 1 : d->grid->depth); k++) {
        uint64_t both = d->set[b].layer[k] & border[axis] &
                        dew_bits_beside(d->set, near, d->grid->depth, 2 * axis, k);
        int32_t last[2] = {DEW_INVALID, DEW_INVALID};
        while (both) {
            int n = 64 * k + dew_bits_take(&both);
            int32_t here = d->parent[b * d->grid->brick_cells + n];
            int32_t there = d->parent[dew_bits_index(d->grid, near, n, 2 * axis)];
            if (here == last[0] && there == last[1])
                continue;
            last[0] = here;
            last[1] = there;
            here = dew_cell_root(d->parent, here);
            there = dew_cell_root(d->parent, there);
            fewer += here != there;
            dew_join_cells(d->parent, here, there);
        }
    }
    return fewer;
}

dew_Status dew_bits_components(const dew_Grid *grid, const dew_BrickBits *set, int32_t *parent,
                               dew_Arena *scratch, int64_t *component_count)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    int64_t cells = dew_grid_value_count(grid);
    Pieces d = {grid, set, parent, dew_arena_raw_array(scratch, int32_t, grid->brick_count)};
    if (cells > INT32_MAX)
        return dew_fail(DEW_UNSUPPORTED, "expected at most 2^31 cells for components, found %lld",
                        (long long)cells);
    if (!d.count)
        return dew_no_memory((size_t)grid->brick_count * sizeof *d.count);
    DEW_TRY(dew_grid_for(grid, pieces_chunk, &d));
    int64_t count = 0;
    for (int32_t b = 0; b < grid->brick_count; b++)
        count += d.count[b];
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int a = 0; a < dew_grid_axes(grid); a++)
            count -= join_below(&d, b, a);
    *component_count = count;
    dew_arena_rewind(scratch, mark);
    return dew_ok();
}
