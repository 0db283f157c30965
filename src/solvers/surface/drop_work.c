// The workspace in which one drop is moved: loaded from a store, handed back as a view.
#include "solvers/surface/drop_work.h"

#include "base/status.h"

#include <string.h>

#define FLAT 2.0  // of the sphere's area: a small drop that has more keeps its number of triangles,
#define FILM 3.0  // and so does a large one; a resting drop of 20 degrees has 3, of 10 degrees 5

dew_Status dew_drop_work_init(dew_DropWork *work, const dew_Allocator *allocator)
{
    *work = (dew_DropWork){0};
    dew_array_init(&work->positions, allocator, sizeof(dew_Vec3));
    dew_array_init(&work->velocities, allocator, sizeof(dew_Vec3));
    dew_array_init(&work->labels, allocator, sizeof(uint8_t));
    dew_array_init(&work->clearances, allocator, sizeof(double));
    dew_array_init(&work->scales, allocator, sizeof(double));
    dew_array_init(&work->triangles, allocator, sizeof(dew_Triangle));
    dew_array_init(&work->poses, allocator, sizeof(dew_SolidPose));
    dew_arena_init(&work->arena, allocator);
    return dew_remesh_create(allocator, &work->remesh);
}

void dew_drop_work_deinit(dew_DropWork *work)
{
    dew_array_deinit(&work->positions);
    dew_array_deinit(&work->velocities);
    dew_array_deinit(&work->labels);
    dew_array_deinit(&work->clearances);
    dew_array_deinit(&work->scales);
    dew_array_deinit(&work->triangles);
    dew_array_deinit(&work->poses);
    dew_arena_deinit(&work->arena);
    dew_remesh_destroy(work->remesh);
}

dew_Status dew_drop_work_reserve_as(dew_DropWork *work, dew_DropWork *other)
{
    DEW_TRY(dew_array_reserve(&work->positions, other->positions.capacity));
    DEW_TRY(dew_array_reserve(&work->velocities, other->velocities.capacity));
    DEW_TRY(dew_array_reserve(&work->labels, other->labels.capacity));
    DEW_TRY(dew_array_reserve(&work->clearances, other->clearances.capacity));
    DEW_TRY(dew_array_reserve(&work->scales, other->scales.capacity));
    DEW_TRY(dew_array_reserve(&work->triangles, other->triangles.capacity));
    DEW_TRY(dew_remesh_reserve_as(work->remesh, other->remesh));
    dew_arena_clear(&other->arena);
    if (!dew_arena_reserve(&work->arena, dew_arena_capacity(&other->arena)))
        return dew_no_memory(dew_arena_capacity(&other->arena));
    return dew_ok();
}

static dew_Status fill(dew_Array *to, const void *items, int64_t count)
{
    to->count = 0;
    if (items)
        return dew_array_append(to, items, count);
    DEW_TRY(dew_array_resize(to, count));
    if (count > 0)
        memset(to->data, 0, (size_t)count * to->element_size);
    return dew_ok();
}

dew_Status dew_drop_work_load(dew_DropWork *work, const dew_SurfaceSolverParams *params,
                              const dew_DropView *drop)
{
    int64_t n = drop->counts.vertex_count;
    work->params = params;
    work->values = drop->values;
    work->values.rest = (dew_DropRest){0};  // it may move now
    work->counts = drop->counts;
    work->flags = drop->flags;
    DEW_TRY(fill(&work->positions, drop->positions, n));
    DEW_TRY(fill(&work->velocities, drop->velocities, n));
    DEW_TRY(fill(&work->labels, drop->labels, n));
    DEW_TRY(fill(&work->clearances, drop->clearances, n));
    DEW_TRY(fill(&work->triangles, drop->triangles, drop->counts.triangle_count));
    work->edge_m = dew_drop_wanted_edge_m(work);
    work->is_connected = false;
    return dew_ok();
}

dew_DropView dew_drop_work_view(const dew_DropWork *work)
{
    dew_DropView view = {.values = work->values,
                         .counts = work->counts,
                         .flags = work->flags,
                         .positions = DEW_ITEMS(&work->positions, dew_Vec3),
                         .velocities = DEW_ITEMS(&work->velocities, dew_Vec3),
                         .labels = DEW_ITEMS(&work->labels, uint8_t),
                         .clearances = DEW_ITEMS(&work->clearances, double),
                         .triangles = DEW_ITEMS(&work->triangles, dew_Triangle)};
    view.counts.vertex_count = work->positions.count;
    view.counts.triangle_count = work->triangles.count;
    return view;
}

double dew_drop_radius_m(const dew_DropWork *work)
{
    return cbrt(3 / (4 * DEW_PI) * fmax(work->values.volume_m3, 0));
}

double dew_drop_area_m2(const dew_DropWork *work)
{
    double sum = 0;
    const dew_Vec3 *x = DEW_ITEMS(&work->positions, dew_Vec3);
    const dew_Triangle *t = DEW_ITEMS(&work->triangles, dew_Triangle);
    for (int64_t k = 0; k < work->triangles.count; k++)
        sum += dew_length(
            dew_cross(dew_sub(x[t[k].v[1]], x[t[k].v[0]]), dew_sub(x[t[k].v[2]], x[t[k].v[0]])));
    return 0.5 * sum;
}

double dew_drop_wanted_edge_m(const dew_DropWork *work)
{
    double r = dew_drop_radius_m(work), spread = 1;
    if (r > 0)
        spread = dew_drop_area_m2(work) / (4 * DEW_PI * r * r);
    double edge = DEW_EDGE_PER_RADIUS * r * sqrt(fmax(1, spread / FLAT));
    edge = fmin(work->params->edge_m, edge) * sqrt(fmax(1, spread / FILM));
    if (work->counts.inflow == DEW_INVALID)
        return edge;
    const dew_Inflow *disk = dew_problem_inflow(work->params->problem, work->counts.inflow);
    return fmin(edge, DEW_EDGE_PER_RADIUS * disk->radius_m);
}

double dew_drop_period_s(const dew_DropWork *work)
{
    double r = dew_drop_radius_m(work);
    return 2 * DEW_PI * sqrt(work->params->rho_kg_m3 * r * r * r / (8 * work->params->sigma_N_m));
}

double dew_drop_capillary_speed_m_s(const dew_DropWork *work)
{
    return sqrt(work->params->sigma_N_m / (work->params->rho_kg_m3 * dew_drop_radius_m(work)));
}
