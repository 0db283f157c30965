/// Views of a grid's bricks and fields, as dew/grid.h describes them.
#pragma once

#include "grid/brick.h"

/// The bricks of a grid, ghosts not included.
dew_Bricks dew_grid_bricks(const dew_Grid *grid);
/// Values on them of the grid's layout; name and unit are static text.
dew_FieldView dew_grid_view(const dew_Grid *grid, const char *name, const char *unit,
                            dew_Place place, dew_FieldType type, const void *values);
/// A grid for a box, with its tasks, which the caller destroys after the grid.
dew_Status dew_grid_create_box(const dew_BoxDef *box, int32_t margin, dew_Grid **grid,
                               dew_Tasks **tasks);
/// DEW_BAD_INPUT, with the names there are.
dew_Status dew_no_such_field(const char *name, const char *const *names, int count);
