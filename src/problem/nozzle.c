// Disks that are one nozzle, and what flows through it.
#include "problem/nozzle.h"

#include "geom/rounding.h"
#include "problem/timing.h"

#include <math.h>

static bool is_same_place(const dew_Inflow *a, const dew_Inflow *b)
{
    double r = a->radius_m;
    return b->shape == DEW_SOURCE_DISK && fabs(b->radius_m - r) <= DEW_ROUNDING * r &&
           dew_distance(a->center_m, b->center_m) <= DEW_ROUNDING * r &&
           dew_distance(a->normal, b->normal) <= DEW_ROUNDING;
}

int64_t dew_nozzle_of(const dew_Problem *problem, int64_t inflow)
{
    const dew_Inflow *disk = dew_problem_inflow(problem, inflow);
    if (disk->shape != DEW_SOURCE_DISK)
        return DEW_INVALID;
    int64_t first = 0;
    while (!is_same_place(disk, dew_problem_inflow(problem, first)))
        first++;
    return first;
}

double dew_nozzle_volume_m3(const dew_Problem *problem, int64_t nozzle, double begin_s,
                            double end_s)
{
    const dew_Inflow *first = dew_problem_inflow(problem, nozzle);
    double sum = 0;
    for (int64_t i = nozzle; i < dew_problem_inflow_count(problem); i++) {
        const dew_Inflow *disk = dew_problem_inflow(problem, i);
        double span_s = fmin(end_s, disk->stop_s) - fmax(begin_s, disk->start_s);
        if (span_s > 0 && is_same_place(first, disk))
            sum += span_s * disk->rate_m3_s;
    }
    return sum;
}

double dew_nozzle_speed_m_s(const dew_Problem *problem, int64_t nozzle, double time_s)
{
    const dew_Inflow *first = dew_problem_inflow(problem, nozzle);
    double sum = 0;
    if (dew_nozzle_of(problem, nozzle) != nozzle)
        return 0;
    for (int64_t i = nozzle; i < dew_problem_inflow_count(problem); i++) {
        const dew_Inflow *disk = dew_problem_inflow(problem, i);
        if (is_same_place(first, disk) && dew_inflow_is_open(disk, time_s))
            sum += disk->speed_m_s;
    }
    return sum;
}
