// Views of fields: where their values are, and dense copies of them.
#include "grid/field_view.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

dew_Bricks dew_grid_bricks(const dew_Grid *grid)
{
    return (dew_Bricks){.dimensions = grid->dimensions,
                        .size = {DEW_BRICK, DEW_BRICK, grid->depth},
                        .cell_m = grid->cell_m,
                        .origin_m = grid->origin_m,
                        .count = grid->brick_count,
                        .keys = grid->keys.data,
                        .coords = grid->coords.data,
                        .neighbours = grid->neighbours.data};
}

dew_FieldView dew_grid_view(const dew_Grid *grid, const char *name, const char *unit,
                            dew_Place place, dew_FieldType type, const void *values)
{
    return (dew_FieldView){.name = name,
                           .unit = unit,
                           .layout = DEW_LAYOUT_BRICKS,
                           .type = type,
                           .place = place,
                           .values = values,
                           .value_count = (int64_t)grid->brick_count * grid->brick_cells,
                           .bricks = dew_grid_bricks(grid)};
}

dew_Status dew_no_such_field(const char *name, const char *const *names, int count)
{
    char list[DEW_MESSAGE_SIZE / 2] = "";
    size_t length = 0;
    for (int i = 0; i < count && length < sizeof list; i++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", i > 0 ? ", " : "",
                                   names[i]);
    return dew_fail(DEW_BAD_INPUT, "there is no field '%.60s' (%s)", name, list);
}

static dew_Status check_box(const dew_BoxDef *box)
{
    if (box->dimensions != 2 && box->dimensions != 3)
        return dew_fail(DEW_BAD_INPUT, "a grid has 2 or 3 dimensions, not %d", box->dimensions);
    for (int a = 0; a < 3; a++)
        if (box->cells[a] < 1 || (a == 2 && box->dimensions == 2 && box->cells[a] != 1))
            return dew_fail(DEW_BAD_INPUT, "a box of %d x %d x %d cells is not possible in %d-D",
                            box->cells[0], box->cells[1], box->cells[2], box->dimensions);
    if (!(box->cell_m > 0) || !isfinite(box->cell_m))
        return dew_fail(DEW_BAD_INPUT, "the size of a cell is %g m (must be > 0)", box->cell_m);
    return dew_ok();
}

dew_Status dew_grid_create_box(const dew_BoxDef *box, int32_t margin, dew_Grid **grid,
                               dew_Tasks **tasks)
{
    DEW_TRY(check_box(box));
    dew_TasksDef tasks_def = dew_default_tasks_def();
    tasks_def.worker_count = box->thread_count;
    tasks_def.host = box->task_host;
    tasks_def.allocator = box->allocator;
    DEW_TRY(dew_tasks_create(&tasks_def, tasks));
    dew_GridDef def = dew_default_grid_def();
    def.dimensions = box->dimensions;
    def.cell_m = box->cell_m;
    def.origin_m = box->min_m;
    def.margin = margin;
    def.tasks = *tasks;
    def.allocator = box->allocator;
    memcpy(def.cell_max, box->cells, sizeof def.cell_max);
    return dew_grid_create(&def, grid);
}

// ---- places ------------------------------------------------------------------------------------

// Rounds down.
static int32_t brick_of(int32_t cell, int32_t size)
{
    return cell >= 0 ? cell / size : -((size - 1 - cell) / size);
}

static int64_t find_brick(const dew_Bricks *bricks, const int32_t coord[3])
{
    for (int a = 0; a < 3; a++)
        if (coord[a] < -DEW_MORTON_BIAS || coord[a] >= DEW_MORTON_BIAS)
            return DEW_INVALID;
    uint64_t key = dew_morton_key(coord);
    int64_t low = 0, high = bricks->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (bricks->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < bricks->count && bricks->keys[low] == key ? low : DEW_INVALID;
}

int64_t dew_field_view_index(const dew_FieldView *view, int32_t i, int32_t j, int32_t k)
{
    if (view->layout == DEW_LAYOUT_COLUMNS) {
        const dew_Columns *c = &view->columns;
        return i >= 0 && i < c->columns && j >= 0 && j < c->rows ? i + c->row_stride * j
                                                                 : DEW_INVALID;
    }
    const dew_Bricks *bricks = &view->bricks;
    const int32_t *size = bricks->size;
    const int32_t coord[3] = {brick_of(i, size[0]), brick_of(j, size[1]), brick_of(k, size[2])};
    int64_t brick = find_brick(bricks, coord);
    if (brick < 0)
        return DEW_INVALID;
    int64_t x = i - coord[0] * size[0], y = j - coord[1] * size[1], z = k - coord[2] * size[2];
    return x + size[0] * (y + size[1] * (z + size[2] * brick));
}

int64_t dew_field_view_at(const dew_FieldView *view, dew_Vec3 point_m)
{
    const dew_Columns *c = &view->columns;
    const dew_Bricks *b = &view->bricks;
    bool is_flat = view->layout == DEW_LAYOUT_COLUMNS;
    double x =
        is_flat ? (point_m.x - c->min_x_m) / c->dx_m : (point_m.x - b->origin_m.x) / b->cell_m;
    double y =
        is_flat ? (point_m.z - c->min_z_m) / c->dz_m : (point_m.y - b->origin_m.y) / b->cell_m;
    double z = is_flat || b->dimensions == 2 ? 0 : (point_m.z - b->origin_m.z) / b->cell_m;
    if (!(fmax(fabs(x), fmax(fabs(y), fabs(z))) < INT32_MAX))
        return DEW_INVALID;
    return dew_field_view_index(view, (int32_t)floor(x), (int32_t)floor(y), (int32_t)floor(z));
}

void dew_field_view_cell(const dew_FieldView *view, int64_t index, int32_t cell[3])
{
    cell[0] = cell[1] = cell[2] = 0;
    if (view->layout == DEW_LAYOUT_COLUMNS)
        return;
    const int32_t *size = view->bricks.size;
    int32_t cells = size[0] * size[1] * size[2], inside = (int32_t)(index % cells);
    const int32_t *coord = view->bricks.coords + 3 * (index / cells);
    cell[0] = coord[0] * size[0] + inside % size[0];
    cell[1] = coord[1] * size[1] + inside / size[0] % size[1];
    cell[2] = coord[2] * size[2] + inside / (size[0] * size[1]);
}

dew_Vec3 dew_field_view_position_m(const dew_FieldView *view, int32_t i, int32_t j, int32_t k)
{
    dew_Vec3 o = dew_place_offset(view->place);
    if (view->layout == DEW_LAYOUT_COLUMNS) {
        const dew_Columns *c = &view->columns;
        return (dew_Vec3){c->min_x_m + (i + o.x) * c->dx_m, 0, c->min_z_m + (j + o.z) * c->dz_m};
    }
    const dew_Bricks *b = &view->bricks;
    return (dew_Vec3){b->origin_m.x + b->cell_m * (i + o.x), b->origin_m.y + b->cell_m * (j + o.y),
                      b->origin_m.z + b->cell_m * (k + o.z)};
}

static double number_at(dew_FieldType type, const void *values, int64_t index)
{
    switch (type) {
    case DEW_FIELD_F64:
        return ((const double *)values)[index];
    case DEW_FIELD_F32:
        return (double)((const float *)values)[index];
    case DEW_FIELD_I64:
        return (double)((const int64_t *)values)[index];
    case DEW_FIELD_I32:
        return ((const int32_t *)values)[index];
    case DEW_FIELD_U64:
        return (double)((const uint64_t *)values)[index];
    case DEW_FIELD_U32:
        return ((const uint32_t *)values)[index];
    case DEW_FIELD_U8:
        return ((const uint8_t *)values)[index];
    }
    return (double)NAN;
}

double dew_field_view_value(const dew_FieldView *view, int64_t index)
{
    return number_at(view->type, view->values, index);
}

double dew_array_view_value(const dew_ArrayView *view, int64_t index, int component)
{
    const void *element = (const char *)view->values + index * view->stride_bytes;
    return number_at(view->type, element, component);
}

// ---- dense copies ------------------------------------------------------------------------------

dew_CellBox dew_field_view_box(const dew_FieldView *view)
{
    dew_CellBox box = {{0, 0, 0}, {0, 0, 0}};
    if (view->layout == DEW_LAYOUT_COLUMNS) {
        box.size[0] = view->columns.columns;
        box.size[1] = 1;
        box.size[2] = view->columns.rows;
        return box;
    }
    const dew_Bricks *bricks = &view->bricks;
    for (int a = 0; a < 3 && bricks->count > 0; a++) {
        int32_t low = INT32_MAX, high = INT32_MIN;
        for (int64_t b = 0; b < bricks->count; b++) {
            int32_t c = bricks->coords[3 * b + a];
            low = c < low ? c : low;
            high = c > high ? c : high;
        }
        box.min[a] = low * bricks->size[a];
        box.size[a] = (high - low + 1) * bricks->size[a];
    }
    return box;
}

dew_Status dew_field_view_copy(const dew_FieldView *view, const dew_CellBox *box, double *out,
                               int64_t count)
{
    int64_t cells = (int64_t)box->size[0] * box->size[1] * box->size[2];
    if (box->size[0] < 0 || box->size[1] < 0 || box->size[2] < 0 || cells > count)
        return dew_fail(DEW_BAD_INPUT, "a box of %d x %d x %d cells does not fit in %lld values",
                        box->size[0], box->size[1], box->size[2], (long long)count);
    bool is_flat = view->layout == DEW_LAYOUT_COLUMNS;
    for (int32_t k = 0; k < box->size[2]; k++)
        for (int32_t j = 0; j < box->size[1]; j++)
            for (int32_t i = 0; i < box->size[0]; i++) {
                int32_t row = is_flat ? box->min[2] + k : box->min[1] + j;
                int64_t at = dew_field_view_index(view, box->min[0] + i, row, box->min[2] + k);
                *out++ = at < 0 ? view->missing : dew_field_view_value(view, at);
            }
    return dew_ok();
}
