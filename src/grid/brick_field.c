// Fields of the sparse grid: adding, hashing, and one brick as bytes.
#include "base/hash.h"
#include "base/status.h"
#include "grid/brick_state.h"

#include <stdio.h>
#include <string.h>

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
    const dew_GridField *f = dew_grid_field_at(grid, field);
    size_t count = (size_t)grid->brick_count;
    uint64_t keys = dew_hash(grid->keys.data, count * sizeof(uint64_t), 0);
    return dew_hash(f->bricks.data, count * f->bricks.element_size, keys);
}

size_t dew_grid_packed_size(const dew_Grid *grid)
{
    size_t size = sizeof(uint64_t);
    for (int64_t f = 0; f < grid->fields.count; f++)
        size += dew_grid_field_at(grid, f)->bricks.element_size;
    return size;
}

void dew_grid_pack(const dew_Grid *grid, int32_t brick, void *bytes)
{
    char *to = bytes;
    memcpy(to, (const uint64_t *)grid->keys.data + brick, sizeof(uint64_t));
    to += sizeof(uint64_t);
    for (int64_t f = 0; f < grid->fields.count; f++) {
        const dew_Array *bricks = &dew_grid_field_at(grid, f)->bricks;
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
        dew_Array *bricks = &dew_grid_field_at(grid, f)->bricks;
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
        const dew_Array *bricks = &dew_grid_field_at(grid, f)->bricks;
        bytes += bricks->capacity * (int64_t)bricks->element_size;
    }
    return bytes;
}
