// Pouring: phi becomes the lesser of what is there and the exact distance to the new piece of liquid.
//
// A cap sits on a solid: into the solid its ball goes on, so that the line starts at the angle of the cap.
#include "base/status.h"
#include "solvers/liquid/liquid.h"

typedef struct Pour {
    const dew_Problem *problem;
    const dew_Blob *blob;
    const dew_Moment *moment;
    bool is_ball;  // a cap that goes on below its base
    bool is_flat;
    double z_m;  // of the layer in two dimensions
    dew_Liquid *liquid;
    dew_Vec3 center_m;
} Pour;

// Is the point above the cap's base, or in a solid below it?
static bool goes_on(const Pour *pour, dew_Vec3 p)
{
    double h = pour->liquid->grid->cell_m;
    dew_Vec3 up = dew_normalize(dew_rotate(pour->blob->turn, dew_vec(0, 1, 0)));
    return dew_inner(dew_sub(p, pour->blob->origin_m), up) > -0.5 * h ||
           dew_problem_distance(pour->problem, pour->moment, p, h) < 0;
}

static double distance_to(const Pour *pour, dew_Vec3 p)
{
    if (pour->is_flat)
        p.z = pour->z_m;
    if (pour->is_ball && goes_on(pour, p))
        return dew_distance(p, pour->center_m) - pour->blob->cap_radius_m;
    return dew_blob_distance(pour->problem, pour->blob, p);
}

static double distance_fn(void *context, dew_Vec3 p)
{
    return distance_to(context, p);
}

static void set_velocity(const Pour *pour, int32_t b)
{
    const dew_Grid *grid = pour->liquid->grid;
    double h = grid->cell_m;
    const double *phi = dew_liquid_phi(pour->liquid);
    double v[3] = {pour->blob->velocity_m_s.x, pour->blob->velocity_m_s.y,
                   pour->blob->velocity_m_s.z};
    for (int n = 0; n < grid->brick_cells; n++) {
        int64_t at = (int64_t)b * grid->brick_cells + n;
        dew_Vec3 x = dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
        if (distance_to(pour, x) > DEW_LIQUID_REACH * h)
            continue;
        for (int a = 0; a < dew_grid_axes(grid); a++) {
            x = dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6,
                                  (dew_Place)(DEW_AT_FACE_X + a));
            if (distance_to(pour, x) <= phi[at] + 0.51 * h)  // nearer than any other liquid
                dew_grid_f64(grid, pour->liquid->u[a])[at] = v[a];
        }
    }
}

static dew_Status velocity_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    for (int64_t b = begin; b < end; b++)
        set_velocity(context, (int32_t)b);
    return dew_ok();
}

static dew_Status pour_blob(Pour *pour, const dew_Moment *moment, dew_Arena *scratch)
{
    dew_Liquid *liquid = pour->liquid;
    double h = liquid->grid->cell_m, band_m = DEW_LIQUID_BAND * h;
    DEW_TRY(dew_levelset_add(liquid->grid, liquid->phi, distance_fn, pour, band_m, true, scratch));
    DEW_TRY(dew_liquid_read_solids(pour->problem, liquid, moment, DEW_LIQUID_FRESH));
    dew_liquid_clear_deep(liquid);
    dew_liquid_keep_nozzles(liquid);
    DEW_TRY(dew_grid_for(liquid->grid, velocity_chunk, pour));
    DEW_TRY(dew_liquid_contact(liquid, moment->time_s, scratch));
    return dew_liquid_find_drops(liquid, true, scratch);
}

dew_Status dew_liquid_pour(const dew_Problem *problem, dew_Liquid *liquid, const dew_Moment *moment,
                           const dew_Blob *blob)
{
    dew_Arena *scratch = &liquid->tools->scratch;
    dew_Vec3 up = dew_rotate(blob->turn, dew_vec(0, 1, 0));
    Pour pour = {.problem = problem,
                 .blob = blob,
                 .moment = moment,
                 .is_flat = liquid->grid->dimensions == 2,
                 .z_m = liquid->grid->origin_m.z + 0.5 * liquid->grid->cell_m,
                 .liquid = liquid,
                 .center_m = dew_add_scaled(blob->origin_m, blob->cap_center_m, up)};
    if (blob->shape.shape == DEW_DROP_CAP)
        pour.is_ball = dew_problem_distance(problem, moment, blob->origin_m,
                                            4 * liquid->grid->cell_m) < liquid->grid->cell_m;
    dew_Status status = pour_blob(&pour, moment, scratch);
    dew_arena_clear(scratch);
    return status.code == DEW_OK ? dew_liquid_reserve(liquid) : status;
}
