/// What the files of the sparse grid share among themselves.
#pragma once

#include "grid/brick.h"

/// Memory for that many bricks, ghosts included, in all arrays.
dew_Status dew_grid_reserve(dew_Grid *grid, int64_t brick_count);

/// Coordinates, table and neighbours from keys and counts. Cannot fail once memory was reserved.
dew_Status dew_grid_link(dew_Grid *grid);

static inline dew_GridField *dew_grid_field_at(const dew_Grid *grid, int64_t field)
{
    return DEW_ITEMS(&grid->fields, dew_GridField) + field;
}
