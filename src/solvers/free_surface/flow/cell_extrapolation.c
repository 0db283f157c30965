// Velocities beyond the surface where liquid is given by whole cells: two layers of faces
// beyond it, and the inside of obstacles. Behind a level set closest points tell them
// (flow_stages.c); no distance is known here.
//
// Markers and newly wetted cells find them there. A face between empty cells takes the mean of its
// neighbours that are known, layer by layer. A face inside an obstacle takes that of its neighbours
// outside, times the slip factor: [Durikovic] section 2.3.1 has -1 and 1. Which faces these are is
// given as sets of cells (bits); there are few.
#include "base/status.h"
#include "solvers/free_surface/cells.h"

typedef struct Layers {
    const dew_Grid *grid;
    const dew_CellSets *sets;
    const float *slip;
    const double *const *wall_u;
    double *const *u;
    dew_BrickBits *reached[3][3];  // per layer 0 to 2 and axis: faces that are known by then
    dew_BrickBits *empty[3];       // faces between empty cells
    int layer;                     // that is found now
} Layers;

// Faces of liquid cells are known.
static dew_Status known_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Layers *w = context;
    const dew_Grid *grid = w->grid;
    for (int64_t b = begin; b < end; b++) {
        for (int a = 0; a < dew_grid_axes(grid); a++)
            for (int k = 0; k < grid->depth; k++) {
                dew_CellFaces faces = dew_cell_faces(grid, w->sets, (int32_t)b, a, k);
                w->reached[0][a][b].layer[k] = faces.known;
                w->empty[a][b].layer[k] = ~(faces.known | faces.wall | faces.inside);
            }
    }
    return dew_ok();
}

// Mean over neighbours on some sides; beside: per side, whether it is known there.
static double mean_beside(const dew_Grid *grid, const int32_t *near, const double *u, int cell,
                          const uint64_t beside[6])
{
    double sum = 0;
    int count = 0;
    for (int side = 0; side < 6; side++) {
        if (!(beside[side] >> (cell & 63) & 1))
            continue;
        sum += u[dew_bits_index(grid, near, cell, side)];
        count++;
    }
    return sum / count;
}

// Which faces have known neighbours, on sides other than those of axis `but`; per side, and on any.
static uint64_t look_beside(const dew_Grid *grid, const dew_BrickBits *known, const int32_t *near,
                            int k, int but, uint64_t beside[6])
{
    uint64_t any = 0;
    for (int side = 0; side < 6; side++) {
        bool is_out = side / 2 == but || side >= 2 * dew_grid_axes(grid);
        beside[side] = is_out ? 0 : dew_bits_beside(known, near, grid->depth, side, k);
        any |= beside[side];
    }
    return any;
}

static dew_Status layer_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Layers *w = context;
    const dew_Grid *grid = w->grid;
    for (int64_t b = begin; b < end; b++) {
        const int32_t *near = dew_grid_neighbours(grid, (int32_t)b);
        for (int a = 0; a < dew_grid_axes(grid); a++) {
            const dew_BrickBits *known = w->reached[w->layer - 1][a];
            double *u = w->u[a];
            for (int k = 0; k < grid->depth; k++) {
                uint64_t beside[6], any = look_beside(grid, known, near, k, DEW_INVALID, beside);
                uint64_t own = known[b].layer[k], found = any & w->empty[a][b].layer[k] & ~own;
                w->reached[w->layer][a][b].layer[k] = own | found;
                while (found) {
                    int n = 64 * k + dew_bits_take(&found);
                    u[b * grid->brick_cells + n] = mean_beside(grid, near, u, n, beside);
                }
            }
        }
    }
    return dew_ok();
}

static dew_Status inside_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Layers *w = context;
    const dew_Grid *grid = w->grid;
    for (int64_t b = begin; b < end; b++) {
        const int32_t *near = dew_grid_neighbours(grid, (int32_t)b);
        for (int a = 0; a < dew_grid_axes(grid); a++)
            for (int k = 0; k < grid->depth; k++) {
                uint64_t in = w->sets->solid[b].layer[k] &
                              dew_bits_beside(w->sets->solid, near, grid->depth, 2 * a, k);
                uint64_t beside[6];
                if (!in)
                    continue;
                in &= look_beside(grid, w->reached[2][a], near, k, a, beside);
                while (in) {
                    int n = 64 * k + dew_bits_take(&in);
                    int64_t at = b * grid->brick_cells + n;
                    double mean = mean_beside(grid, near, w->u[a], n, beside);
                    double wall = w->wall_u[a] ? w->wall_u[a][at] : 0;
                    w->u[a][at] = wall + (double)w->slip[at] * (mean - wall);
                }
            }
    }
    return dew_ok();
}

dew_Status dew_cells_extrapolate(const dew_Grid *grid, const dew_CellSets *sets, const float *slip,
                                 const double *const wall_u[3], double *const u[3],
                                 dew_Arena *scratch)
{
    int64_t bricks = grid->brick_count + grid->ghost_count;
    Layers work = {.grid = grid, .sets = sets, .slip = slip, .wall_u = wall_u, .u = u};
    for (int a = 0; a < dew_grid_axes(grid); a++) {
        for (int layer = 0; layer < 3; layer++)
            work.reached[layer][a] = dew_arena_array(scratch, dew_BrickBits, bricks);
        work.empty[a] = dew_arena_array(scratch, dew_BrickBits, bricks);
        if (!work.reached[0][a] || !work.reached[1][a] || !work.reached[2][a] || !work.empty[a])
            return dew_no_memory((size_t)bricks * sizeof(dew_BrickBits));
    }
    DEW_TRY(dew_grid_for(grid, known_chunk, &work));
    for (work.layer = 1; work.layer <= 2; work.layer++)
        DEW_TRY(dew_grid_for(grid, layer_chunk, &work));
    return dew_grid_for(grid, inside_chunk, &work);
}
