// Wetting history: when the cells in walls were last under liquid [Wang2005, section 6].
//
// It is kept twice: by cell, for the contact line, and by place on the solids (problem/wet_ground.h), so that
// a path is remembered after the drop and its bricks have left, and moves with a solid that moves. A cell
// counts as wet once the line is well past it (phi below minus two and a half cells): the drop's own advancing
// line still meets a dry wall. Wet maps ask for something else, where liquid has been at all; that is a
// table of its own.
#include "base/status.h"
#include "solvers/liquid/liquid.h"
#include "wetting/history.h"

#define WELL_INSIDE 2.5  // cells
#define AT_WALL     1.0  // cells: so deep in a wall cells speak for its surface

typedef struct Place {
    int solid_id;
    dew_Vec3 rest_m;
} Place;

// The place on a solid that a wall's cell speaks for.
static Place place_of(const dew_Problem *problem, const dew_Liquid *liquid,
                      const dew_Moment *moment, int32_t b, int n)
{
    const dew_Grid *grid = liquid->grid;
    dew_Vec3 x = dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
    dew_SolidPoint p = dew_problem_nearest(problem, moment, x, DEW_LIQUID_FAR * grid->cell_m);
    if (p.solid_id == DEW_INVALID)
        return (Place){DEW_INVALID, x};
    return (Place){p.solid_id, dew_problem_to_rest(problem, moment, p.solid_id, p.point_m)};
}

static dew_Status note_cell(const dew_Problem *problem, dew_Liquid *liquid,
                            const dew_Moment *moment, int32_t b, int n)
{
    int64_t at = (int64_t)b * liquid->grid->brick_cells + n;
    double h = liquid->grid->cell_m, depth = -dew_liquid_solid(liquid)[at] / h;
    double phi = dew_liquid_phi(liquid)[at];
    if (!(depth > 0) || depth > DEW_LIQUID_DEPTH || !(phi < 0))
        return dew_ok();
    bool is_wet = liquid->laws.has_history && phi < -WELL_INSIDE * h;
    bool is_touched = liquid->laws.has_map && depth <= AT_WALL;
    if (is_wet)
        dew_grid_f64(liquid->grid, liquid->wet_time)[at] = moment->time_s;
    is_wet = is_wet && depth <= AT_WALL;
    if (!is_wet && !is_touched)
        return dew_ok();
    Place place = place_of(problem, liquid, moment, b, n);
    if (place.solid_id == DEW_INVALID)
        return dew_ok();
    if (is_wet)
        DEW_TRY(
            dew_wet_ground_put(&liquid->wet_ground, place.solid_id, place.rest_m, moment->time_s));
    return is_touched
               ? dew_wet_ground_put(&liquid->touched, place.solid_id, place.rest_m, moment->time_s)
               : dew_ok();
}

dew_Status dew_liquid_note_wet(const dew_Problem *problem, dew_Liquid *liquid,
                               const dew_Moment *moment)
{
    if (!liquid->laws.has_history && !liquid->laws.has_map)
        return dew_ok();
    for (int32_t b = 0; b < liquid->grid->brick_count; b++)
        for (int n = 0; n < liquid->grid->brick_cells; n++)
            DEW_TRY(note_cell(problem, liquid, moment, b, n));
    return dew_ok();
}

double dew_liquid_wet_time(const dew_Problem *problem, const dew_Liquid *liquid,
                           const dew_Moment *moment, const dew_SolidPoint *near)
{
    if (near->solid_id < 0 || near->solid_id >= liquid->laws.solid_count)
        return DEW_LIQUID_NEVER;
    dew_Vec3 rest = dew_problem_to_rest(problem, moment, near->solid_id, near->point_m);
    return fmax(dew_wet_ground_near_s(&liquid->wet_ground, near->solid_id, rest), DEW_LIQUID_NEVER);
}

double dew_liquid_wetness(const dew_Liquid *liquid, int32_t brick, int cell, double time_s,
                          double dries_after_s)
{
    if (!liquid->laws.has_history)
        return 0;
    double wet_s = dew_grid_f64(
        liquid->grid, liquid->wet_time)[(int64_t)brick * liquid->grid->brick_cells + cell];
    return wet_s > DEW_LIQUID_NEVER ? dew_wetness(wet_s, time_s, dries_after_s) : 0;
}

void dew_liquid_wetness_map(const dew_Problem *problem, const dew_Liquid *liquid,
                            const dew_Moment *moment, int solid_id, const dew_Vec3 *rest_m,
                            int64_t count, float *out)
{
    for (int64_t i = 0; i < count; i++) {
        double last_s = dew_wet_ground_near_s(&liquid->touched, solid_id, rest_m[i]);
        out[i] = 0;
        if (last_s == -HUGE_VAL)
            continue;
        dew_MaterialDef material = dew_problem_material(problem, NULL, solid_id, rest_m[i]);
        out[i] = (float)dew_wetness(last_s, moment->time_s, material.dries_after_s);
    }
}
