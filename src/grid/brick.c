// Sparse grid: creation, the table from key to brick, neighbours.
//
// The table is open addressing with at most half of its slots taken. Everything here follows from the
// sorted keys alone, so a restored grid is a rebuilt one.
#include "grid/brick.h"

#include "base/status.h"
#include "grid/brick_state.h"

#include <string.h>

#define COOKIE 0x6272636b

dew_GridDef dew_default_grid_def(void)
{
    return (dew_GridDef){.dimensions = 3, .margin = 4, .cookie = COOKIE};
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

/// Arrays of a grid without bricks are empty, but not NULL: they can be copied, filled and compared as others.
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
    DEW_ASSERT(def->cookie == COOKIE);
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

dew_Status dew_grid_reserve(dew_Grid *grid, int64_t brick_count)
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

dew_Status dew_grid_link(dew_Grid *grid)
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
    DEW_TRY(dew_grid_reserve(grid, count));
    for (int64_t f = 0; f < grid->fields.count; f++)
        DEW_TRY(dew_array_resize(&DEW_ITEMS(&grid->fields, dew_GridField)[f].bricks, count));
    DEW_TRY(dew_grid_link(grid));
    if (grid->is_fresh.count > 0)  // a state that was never poured into has no bricks
        memset(grid->is_fresh.data, 0, (size_t)grid->is_fresh.count);
    DEW_AUDIT(dew_grid_audit(grid));
    return dew_ok();
}

dew_Status dew_grid_set_ghosts(dew_Grid *grid, const uint64_t *keys, int32_t count)
{
    int64_t all = (int64_t)grid->brick_count + count;
    DEW_TRY(dew_grid_reserve(grid, all));
    DEW_TRY(dew_array_resize(&grid->keys, all));
    memcpy((uint64_t *)grid->keys.data + grid->brick_count, keys, (size_t)count * sizeof *keys);
    grid->ghost_count = count;
    for (int64_t f = 0; f < grid->fields.count; f++)
        DEW_TRY(dew_array_resize(&DEW_ITEMS(&grid->fields, dew_GridField)[f].bricks, all));
    return dew_grid_link(grid);
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
