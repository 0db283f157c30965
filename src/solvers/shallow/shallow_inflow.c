// Continuous sources, and sinks.
//
// A disk adds its volume to the columns under it, with its velocity along the ground; a
// condensation site to its column. A sink removes the part of a column that is inside its box.
#include "base/status.h"
#include "solvers/shallow/shallow_state.h"

static double seconds_of(const dew_Inflow *inflow, const dew_Step *step)
{
    double begin = fmax(inflow->start_s, step->instant_old->time_s);
    return fmax(0, fmin(inflow->stop_s, step->instant->time_s) - begin);
}

// Share of a cell that is within the radius of the centre.
static double covered(const dew_ShallowGrid *g, int column, int row, dew_Vec3 center, double radius)
{
    const int samples = dew_shallow_shared.cell_samples;
    int inside = 0, rows = g->has_z ? samples : 1;
    for (int k = 0; k < rows; k++) {
        double z =
            g->has_z ? dew_shallow_z(g, row) + ((k + 0.5) / rows - 0.5) * g->dz_m - center.z : 0;
        for (int i = 0; i < samples; i++) {
            double x = dew_shallow_x(g, column) + ((i + 0.5) / samples - 0.5) * g->dx_m - center.x;
            inside += x * x + z * z < radius * radius;
        }
    }
    return (double)inside / (samples * rows);
}

static void add_inflow(dew_ShallowFlow *flow, const dew_Inflow *inflow, double volume_m3)
{
    dew_SolverState *s = flow->state;
    const dew_ShallowGrid *g = &s->grid;
    bool is_disk = inflow->shape == DEW_SOURCE_DISK;
    dew_Vec3 c = is_disk ? inflow->center_m
                         : dew_problem_from_rest(flow->problem, flow->step->instant,
                                                 inflow->solid_id, inflow->center_m);
    double r = fmax(inflow->radius_m,
                    dew_shallow_shared.min_inflow_cells * fmax(g->dx_m, g->has_z ? g->dz_m : 0)),
           sum = 0;
    dew_ShallowWindow w = dew_shallow_window(
        g, (dew_Box){dew_vec(c.x - r, 0, c.z - r), dew_vec(c.x + r, 0, c.z + r)});
    if (w.begin_x >= w.end_x || w.begin_z >= w.end_z)
        return;
    dew_shallow_fill(g, dew_shallow_wider(g, w, 1), 0, s->work.psi);
    for (int row = w.begin_z; row < w.end_z; row++) {
        for (int i = w.begin_x; i < w.end_x; i++) {
            double share = covered(g, i, row, c, r);
            s->work.psi[dew_shallow_at(g, i, row)] = share;
            sum += share;
        }
    }
    if (!(sum > 0))
        return;
    for (int row = w.begin_z; row < w.end_z; row++)
        for (int i = w.begin_x; i < w.end_x; i++)
            s->work.psi[dew_shallow_at(g, i, row)] *= volume_m3 / (sum * g->cell_m2);
    dew_shallow_add_depth(
        s, w, is_disk ? dew_scale(inflow->speed_m_s, inflow->normal) : dew_vec(0, 0, 0));
    flow->step->added_m3 += volume_m3;
}

dew_Status dew_shallow_inflow(dew_ShallowFlow *flow)
{
    for (int64_t k = 0; k < dew_problem_inflow_count(flow->problem); k++) {
        const dew_Inflow *inflow = dew_problem_inflow(flow->problem, k);
        double volume_m3 = inflow->rate_m3_s * seconds_of(inflow, flow->step);
        if (volume_m3 > 0)
            add_inflow(flow, inflow, volume_m3);
    }
    return dew_ok();
}

// What the box takes of a column: depth.
static double taken(const dew_SolverState *s, int column, int row, dew_Box box)
{
    const dew_ShallowGrid *g = &s->grid;
    int64_t n = dew_shallow_at(g, column, row);
    double x = dew_shallow_x(g, column), z = dew_shallow_z(g, row);
    if (x < box.min.x || x > box.max.x || (g->has_z && (z < box.min.z || z > box.max.z)))
        return 0;
    double part = fmin(box.max.y, s->ground[n] + s->depth[n]) - fmax(box.min.y, s->ground[n]);
    return fmin(fmax(0, part), s->depth[n]);  // rounding must not take more than there is
}

void dew_shallow_sinks(dew_ShallowFlow *flow)
{
    dew_SolverState *s = flow->state;
    for (int k = 0; k < dew_problem_sink_count(flow->problem); k++) {
        dew_Box box = dew_problem_sink(flow->problem, k);
        dew_ShallowWindow w = dew_shallow_window(&s->grid, box);
        double sum = 0;
        for (int row = w.begin_z; row < w.end_z; row++) {
            for (int i = w.begin_x; i < w.end_x; i++) {
                double depth = taken(s, i, row, box);
                s->depth[dew_shallow_at(&s->grid, i, row)] -= depth;
                sum += depth;
            }
        }
        flow->step->removed_m3 += sum * s->grid.cell_m2;
    }
    if (dew_problem_sink_count(flow->problem) > 0)
        dew_shallow_mirror(s, s->depth);
}
