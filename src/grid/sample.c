// Trilinear interpolation anywhere: the brick is looked up, then its neighbours' table is used.
#include "grid/sample.h"

static int32_t cell_of(double x)
{
    if (!(fabs(x) < 1e9))  // NaN too
        return x > 0 ? 1000000000 : -1000000000;
    int32_t cell = (int32_t)x;
    return cell - (x < cell);
}

void dew_grid_brick_coord(const dew_Grid *grid, dew_Vec3 p, int32_t coord[3])
{
    double r = 1 / grid->cell_m;
    coord[0] = cell_of((p.x - grid->origin_m.x) * r) >> 3;
    coord[1] = cell_of((p.y - grid->origin_m.y) * r) >> 3;
    coord[2] = grid->depth == 1 ? 0 : cell_of((p.z - grid->origin_m.z) * r) >> 3;
}

int32_t dew_grid_brick_at(const dew_Grid *grid, dew_Vec3 p)
{
    int32_t coord[3];
    dew_grid_brick_coord(grid, p, coord);
    return dew_grid_find(grid, coord);
}

static int within(int i)
{
    return i < 0 ? 0 : i > 7 ? 7 : i;
}

// Sample (i, j, k) of a brick, each in [-1, 8], the nearest in the brick when that is missing.
static double value_near(const dew_Grid *grid, const double *field, int32_t brick, int i, int j,
                         int k)
{
    int64_t at = dew_grid_near(grid, brick, i, j, k);
    if (at < 0)
        at = dew_grid_near(grid, brick, within(i), within(j), within(k));
    return field[at];
}

static double sample_in(const dew_Grid *grid, const double *field, dew_Place place, int32_t brick,
                        dew_Vec3 p)
{
    dew_Vec3 o = dew_place_offset(place);
    const int32_t *c = dew_grid_coord(grid, brick);
    double r = 1 / grid->cell_m;
    double x[3] = {(p.x - grid->origin_m.x) * r - o.x - 8 * c[0],
                   (p.y - grid->origin_m.y) * r - o.y - 8 * c[1],
                   grid->depth == 1 ? 0 : (p.z - grid->origin_m.z) * r - o.z - 8 * c[2]};
    int i[3];
    for (int a = 0; a < 3; a++) {
        i[a] = (int)floor(x[a]);
        x[a] -= i[a];
    }
    double layer[2] = {0, 0};
    for (int k = 0; k < (grid->depth == 1 ? 1 : 2); k++) {
        double row[2];
        for (int j = 0; j < 2; j++)
            row[j] = (1 - x[0]) * value_near(grid, field, brick, i[0], i[1] + j, i[2] + k) +
                     x[0] * value_near(grid, field, brick, i[0] + 1, i[1] + j, i[2] + k);
        layer[k] = (1 - x[1]) * row[0] + x[1] * row[1];
    }
    return (1 - x[2]) * layer[0] + x[2] * layer[1];
}

bool dew_grid_sample(const dew_Grid *grid, const double *field, dew_Place place, dew_Vec3 p,
                     double *value)
{
    int32_t brick = dew_grid_brick_at(grid, p);
    *value = brick < 0 || brick >= grid->brick_count ? 0 : sample_in(grid, field, place, brick, p);
    return brick >= 0 && brick < grid->brick_count;
}

bool dew_grid_sample_velocity(const dew_Grid *grid, const double *const u[3], dew_Vec3 p,
                              dew_Vec3 *velocity)
{
    *velocity = dew_vec(0, 0, 0);
    int32_t brick = dew_grid_brick_at(grid, p);
    if (brick < 0 || brick >= grid->brick_count)
        return false;
    velocity->x = sample_in(grid, u[0], DEW_AT_FACE_X, brick, p);
    velocity->y = sample_in(grid, u[1], DEW_AT_FACE_Y, brick, p);
    if (grid->dimensions == 3)
        velocity->z = sample_in(grid, u[2], DEW_AT_FACE_Z, brick, p);
    return true;
}
