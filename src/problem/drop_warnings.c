// Liquid at the start that a run would hardly show.
//
// A drop is inside solids when no point of it is outside of all: points of a grid over the part of
// its box that is in the domain are asked, about one for each cell, and the first that is outside
// ends the search, which for nearly every drop is its centre. It is smaller than a cell when its
// box is, across the axes that have cells: a height field has none along y, two dimensions none
// along z.
#include "problem/drop_warnings.h"

#include "problem/place.h"
#include "problem/resolved.h"
#include "scene/traits.h"

#include <string.h>

#define MIN_POINTS 8   // of the grid, along an axis
#define MAX_POINTS 64  // a drop in a solid of a fine scene: 0.3 s
#define MAX_LINES  5   // of each kind

/// Points to ask, of a box.
typedef struct Raster {
    double min[3], step[3];
    int count[3];
} Raster;

static Raster make_raster(const dew_Problem *problem, const dew_Blob *blob)
{
    double cells[3], cell_m = dew_scene_def(problem->scene)->domain.cell_m;
    dew_scene_cell_counts(problem->scene, cells);
    dew_Box domain = dew_problem_domain(problem), box = blob->box_m;
    const double low[3] = {box.min.x, box.min.y, box.min.z},
                 first[3] = {domain.min.x, domain.min.y, domain.min.z};
    const double high[3] = {box.max.x, box.max.y, box.max.z},
                 last[3] = {domain.max.x, domain.max.y, domain.max.z};
    Raster r;
    for (int a = 0; a < 3; a++) {
        bool has_extent = last[a] > first[a];  // a height field's domain may be flat
        double lo = has_extent ? fmax(low[a], first[a]) : low[a];
        double hi = has_extent ? fmin(high[a], last[a]) : high[a];
        double wanted = cells[a] > 1 ? ceil((hi - lo) / cell_m) : a == 1 ? MAX_POINTS : 1;
        // From end to end, and odd: the tips of balls are among them.
        r.count[a] = wanted > 1 ? (int)fmin(fmax(wanted, MIN_POINTS), MAX_POINTS) | 1 : 1;
        r.step[a] = r.count[a] > 1 ? (hi - lo) / (r.count[a] - 1) : 0;
        r.min[a] = r.count[a] > 1 ? lo : 0.5 * (lo + hi);
    }
    return r;
}

/// The solid at a point of the blob; DEW_INVALID: none there; *is_liquid: the point is of the blob.
static int solid_at(const dew_Problem *problem, const dew_Blob *blob, dew_Vec3 point_m,
                    bool *is_liquid)
{
    double rounding_m = 1e-9 * dew_scene_def(problem->scene)->domain.cell_m;
    *is_liquid = dew_blob_distance(problem, blob, point_m) <= rounding_m;
    if (!*is_liquid)
        return DEW_INVALID;
    dew_SolidPoint nearest = dew_problem_nearest(problem, &problem->start, point_m, 0);
    return nearest.distance_m <= rounding_m ? nearest.solid_id : DEW_INVALID;
}

/// The solid in which all of the blob lies (the first of several); DEW_INVALID: some of it is
/// outside.
static int hiding_solid(const dew_Problem *problem, const dew_Blob *blob)
{
    bool is_liquid;
    int first = solid_at(problem, blob, blob->center_m, &is_liquid);
    if (is_liquid && first == DEW_INVALID)
        return DEW_INVALID;
    Raster r = make_raster(problem, blob);
    for (int n = 0; n < r.count[0] * r.count[1] * r.count[2]; n++) {
        int i = n % r.count[0], j = n / r.count[0] % r.count[1], k = n / (r.count[0] * r.count[1]);
        dew_Vec3 p =
            dew_vec(r.min[0] + i * r.step[0], r.min[1] + j * r.step[1], r.min[2] + k * r.step[2]);
        int solid = solid_at(problem, blob, p, &is_liquid);
        if (is_liquid && solid == DEW_INVALID)
            return DEW_INVALID;
        first = first == DEW_INVALID ? solid : first;
    }
    return first;
}

/// The largest extent across the axes that have cells.
static double extent_m(const dew_Problem *problem, const dew_Blob *blob)
{
    double counts[3], largest = 0;
    dew_scene_cell_counts(problem->scene, counts);
    dew_Vec3 size = dew_sub(blob->box_m.max, blob->box_m.min);
    const double along[3] = {size.x, size.y, size.z};
    for (int a = 0; a < 3; a++)
        if (counts[a] > 1)
            largest = fmax(largest, along[a]);
    return largest;
}

static void warn_of_size(const dew_Problem *problem, int index, double size_m,
                         dew_DropWarnings *warnings)
{
    double cell_m = dew_scene_def(problem->scene)->domain.cell_m;
    const dew_SolverTraits *solver = dew_scene_solver(problem->scene);
    bool has_cells = !solver || !solver->element || strcmp(solver->element, "balls") != 0;
    if (!has_cells || !(size_m > 0 && size_m < cell_m) || warnings->small_count++ >= MAX_LINES)
        return;
    dew_scene_say(problem->scene, &problem->log, DEW_LOG_WARNING,
                  dew_key_path("drops", index, NULL).text,
                  "the drop, %.3g m across, is smaller than a cell (%.3g m): it is not resolved, "
                  "and may be lost",
                  size_m, cell_m);
}

void dew_problem_warn_of_drop(const dew_Problem *problem, int index, const dew_Blob *blob,
                              dew_DropWarnings *warnings)
{
    const dew_DropDef *def = dew_scene_drop(problem->scene, index);
    if (!problem->log.write || def->shape == DEW_DROP_DEPTH)
        return;
    if (!blob) {
        warn_of_size(problem, index, 2 * def->radius_range_m[1], warnings);
        return;
    }
    int solid = hiding_solid(problem, blob);
    if (solid == DEW_INVALID)
        warn_of_size(problem, index, extent_m(problem, blob), warnings);
    else if (warnings->hidden_count++ < MAX_LINES)
        dew_scene_say(
            problem->scene, &problem->log, DEW_LOG_WARNING, dew_key_path("drops", index, NULL).text,
            "the drop lies inside solid %s: none of it will be there", problem->solids[solid].name);
}

static void say_rest(const dew_Problem *problem, int count, const char *words)
{
    if (count > MAX_LINES)
        dew_scene_say(problem->scene, &problem->log, DEW_LOG_WARNING, "drops", "%d more drops %s",
                      count - MAX_LINES, words);
}

void dew_problem_warn_of_rest(const dew_Problem *problem, const dew_DropWarnings *warnings)
{
    say_rest(problem, warnings->hidden_count, "lie inside solids");
    say_rest(problem, warnings->small_count, "are smaller than a cell");
}
