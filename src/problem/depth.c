// Liquid given as a table of depths: loading, and the signed distance of its columns.
//
// The liquid is a union of boxes over the cells of a table, and so is what is not liquid: above and
// below each column, and everything beyond the table. The distance is that to the nearer kind of
// box, found by looking at rings of cells around the point until the next ring is farther than the
// best so far.
#include "problem/depth.h"

#include "base/status.h"
#include "io/csv.h"
#include "problem/place.h"
#include "problem/resolved.h"
#include "scene/paths.h"

#include <string.h>

// ---- distance ----------------------------------------------------------------------------------

// Distance from x to the interval [a, b]; 0 inside.
static double gap(double x, double a, double b)
{
    return fmax(0, fmax(a - x, x - b));
}

// Squared distance from p to the liquid of a cell, or to what is not liquid over it.
static double cell_distance2(const dew_DepthAsset *d, int64_t column, int64_t row, dew_Vec3 p,
                             bool to_liquid)
{
    bool is_in = column >= 0 && column < d->columns && row >= 0 && row < d->rows;
    int64_t i = row * d->columns + column;
    double depth = is_in ? d->depth_m[i] : 0;
    double low = depth > 0 ? d->ground_m[i] : 0, high = low + depth;
    double x0 = d->min_x_m + (double)column * d->cell_x_m;
    double z0 = d->min_z_m + (double)row * d->cell_z_m;
    double dx = gap(p.x, x0, x0 + d->cell_x_m), dz = gap(p.z, z0, z0 + d->cell_z_m), dy = 0;
    if (to_liquid) {
        if (!(depth > 0))
            return HUGE_VAL;
        dy = gap(p.y, low, high);
    } else if (depth > 0 && p.y > low && p.y < high) {
        dy = fmin(p.y - low, high - p.y);
    }
    return dx * dx + dy * dy + dz * dz;
}

typedef struct Ring {
    const dew_DepthAsset *depth;
    dew_Vec3 p;
    int64_t column, row;  // its middle
    bool to_liquid;
    double best2;
} Ring;

static void ask_cell(Ring *ring, int64_t column, int64_t row)
{
    double d2 = cell_distance2(ring->depth, column, row, ring->p, ring->to_liquid);
    ring->best2 = fmin(ring->best2, d2);
}

// The cells at `radius` around the middle, as far as they are in or next to the table.
static void ask_ring(Ring *ring, int64_t radius)
{
    int64_t c0 = ring->column - radius, c1 = ring->column + radius;
    int64_t r0 = ring->row - radius, r1 = ring->row + radius;
    int64_t columns = ring->depth->columns, rows = ring->depth->rows;
    for (int64_t c = c0 < -1 ? -1 : c0; c <= (c1 > columns ? columns : c1); c++) {
        if (r0 >= -1)
            ask_cell(ring, c, r0);
        if (r1 <= rows && radius > 0)
            ask_cell(ring, c, r1);
    }
    for (int64_t r = r0 + 1 < -1 ? -1 : r0 + 1; r <= (r1 - 1 > rows ? rows : r1 - 1); r++) {
        if (c0 >= -1)
            ask_cell(ring, c0, r);
        if (c1 <= columns)
            ask_cell(ring, c1, r);
    }
}

static int64_t cell_of(double x, double min, double cell, int64_t count)
{
    double i = floor((x - min) / cell);
    return i < 0 ? 0 : i > (double)(count - 1) ? count - 1 : (int64_t)i;
}

double dew_depth_distance(const dew_DepthAsset *depth, dew_Vec3 p)
{
    int64_t column = cell_of(p.x, depth->min_x_m, depth->cell_x_m, depth->columns);
    int64_t row = cell_of(p.z, depth->min_z_m, depth->cell_z_m, depth->rows);
    bool is_inside = cell_distance2(depth, column, row, p, true) == 0;
    Ring ring = {depth, p, column, row, !is_inside, HUGE_VAL};
    double cell = fmin(depth->cell_x_m, depth->cell_z_m);
    int64_t last = depth->columns > depth->rows ? depth->columns : depth->rows;
    for (int64_t radius = 0; radius <= last; radius++) {
        // A ring's cells are at least radius - 1 whole cells away.
        double least = (double)(radius - 1) * cell;
        if (radius > 1 && least * least > ring.best2)
            break;
        ask_ring(&ring, radius);
    }
    return is_inside ? -sqrt(ring.best2) : sqrt(ring.best2);
}

double dew_depth_at(const dew_DepthAsset *depth, double x_m, double z_m)
{
    double c = floor((x_m - depth->min_x_m) / depth->cell_x_m);
    double r = floor((z_m - depth->min_z_m) / depth->cell_z_m);
    if (!(c >= 0 && c < (double)depth->columns && r >= 0 && r < (double)depth->rows))
        return 0;
    return depth->depth_m[(int64_t)r * depth->columns + (int64_t)c];
}

// ---- loading -----------------------------------------------------------------------------------

static dew_Status check_depths(const dew_Table *table)
{
    double sum = 0;
    for (int64_t i = 0; i < table->values.count; i++) {
        double depth = DEW_ITEMS(&table->values, double)[i];
        if (!(depth >= 0))
            return dew_fail(
                DEW_BAD_INPUT, "depth %g in row %lld, column %lld is negative (0 is dry)", depth,
                (long long)(i / table->column_count) + 1, (long long)(i % table->column_count) + 1);
        sum += depth;
    }
    return sum > 0 ? dew_ok() : dew_fail(DEW_BAD_INPUT, "the table holds no liquid: all is 0");
}

// Sums volume, centre and box of the columns.
static void measure_columns(dew_DepthAsset *d)
{
    double area = d->cell_x_m * d->cell_z_m;
    d->box_m = dew_box_empty();
    for (int64_t i = 0; i < d->columns * d->rows; i++) {
        if (!(d->depth_m[i] > 0))
            continue;
        int64_t column = i % d->columns, row = i / d->columns;
        double x = d->min_x_m + (double)column * d->cell_x_m;
        double z = d->min_z_m + (double)row * d->cell_z_m;
        dew_Vec3 low = {x, d->ground_m[i], z};
        dew_Vec3 high = {x + d->cell_x_m, d->ground_m[i] + d->depth_m[i], z + d->cell_z_m};
        double volume = area * d->depth_m[i];
        d->volume_m3 += volume;
        d->center_m = dew_add_scaled(d->center_m, volume, dew_combine(0.5, low, 0.5, high));
        d->box_m = dew_box_add(dew_box_add(d->box_m, low), high);
    }
    d->center_m = dew_scale(1 / d->volume_m3, d->center_m);
}

static dew_Status stand_on_solids(dew_Assets *assets, const dew_Problem *problem,
                                  const dew_Table *table, dew_DepthAsset *d)
{
    dew_Box domain = dew_problem_domain(problem);
    d->columns = table->column_count;
    d->rows = table->row_count;
    d->min_x_m = domain.min.x;
    d->min_z_m = domain.min.z;
    d->cell_x_m = (domain.max.x - domain.min.x) / (double)d->columns;
    d->cell_z_m = (domain.max.z - domain.min.z) / (double)d->rows;
    int64_t count = table->values.count;
    double *depth = dew_arena_array(assets->arena, double, count);
    double *ground = dew_arena_array(assets->arena, double, count);
    if (!depth || !ground)
        return dew_no_memory(2 * (size_t)count * sizeof(double));
    for (int64_t i = 0; i < count; i++) {
        depth[i] = DEW_ITEMS(&table->values, double)[i];
        int64_t column = i % d->columns, row = i / d->columns;
        double x = d->min_x_m + ((double)column + 0.5) * d->cell_x_m;
        double z = d->min_z_m + ((double)row + 0.5) * d->cell_z_m;
        ground[i] =
            depth[i] > 0 ? dew_problem_ground_m(problem, &problem->start, x, z) : domain.min.y;
    }
    d->depth_m = depth;
    d->ground_m = ground;
    measure_columns(d);
    return dew_ok();
}

dew_Status dew_assets_depth(dew_Assets *assets, const dew_Problem *problem, const char *key,
                            const char *file, int32_t *index)
{
    const char *path = dew_scene_resolve_path(assets->scene, file, assets->arena);
    dew_DepthAsset *asset = dew_arena_array(assets->arena, dew_DepthAsset, 1);
    if (!path || !asset)
        return dew_no_memory(strlen(file) + sizeof *asset);
    dew_Table table;
    dew_table_init(&table, &assets->allocator);
    dew_Status status = dew_csv_load(path, &assets->log, &table);
    if (status.code == DEW_OK)
        status = dew_status_prefix(check_depths(&table), "%s", file);
    if (status.code == DEW_OK)
        status = stand_on_solids(assets, problem, &table, asset);
    if (status.code == DEW_OK)
        status = dew_array_push(&assets->depths, &asset);
    *index = (int32_t)(assets->depths.count - 1);
    dew_table_deinit(&table);
    return dew_scene_place_status(assets->scene, key, status);
}
