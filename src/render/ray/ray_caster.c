// Many rays against a mesh, by a tree of the ray tracer: in floats about its centre, of size 1.
#include "base/allocator.h"
#include "base/status.h"
#include "base/tasks.h"
#include "dew/geometry.h"
#include "render/ray/ray_tree.h"

#include <float.h>
#include <math.h>

struct dew_RayCaster {
    dew_RayTree *tree;
    dew_Array positions;  // dew_Float3, one more than vertices
    dew_Array triangles;  // dew_Triangle
    dew_Vec3 center;
    double scale;
    dew_Allocator allocator;
};

static dew_Status check_mesh(const dew_Mesh *mesh)
{
    for (int64_t t = 0; t < mesh->triangles.count; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t v = dew_mesh_triangles(mesh)[t].v[k];
            if (v >= mesh->positions.count)
                return dew_fail(DEW_BAD_INPUT, "triangle %lld names vertex %u (there are %lld)",
                                (long long)t, v, (long long)mesh->positions.count);
            if (!dew_vec_is_finite(dew_mesh_positions(mesh)[v]))
                return dew_fail(DEW_BAD_INPUT, "vertex %u is not finite", v);
        }
    return dew_ok();
}

static void set_frame(dew_RayCaster *caster, const dew_Mesh *mesh)
{
    dew_Box box = dew_box_empty();
    for (int64_t t = 0; t < mesh->triangles.count; t++)
        for (int k = 0; k < 3; k++)
            box = dew_box_add(box, dew_mesh_positions(mesh)[dew_mesh_triangles(mesh)[t].v[k]]);
    double size = dew_distance(box.min, box.max);
    caster->center = dew_combine(0.5, box.min, 0.5, box.max);
    caster->scale = size > 0 && isfinite(1 / size) ? 1 / size : 1;
}

static dew_Float3 in_tree(const dew_RayCaster *caster, dew_Vec3 p)
{
    return dew_f3_from(dew_scale(caster->scale, dew_sub(p, caster->center)));
}

static dew_Status fill(dew_RayCaster *caster, const dew_Mesh *mesh, const char *name,
                       dew_Tasks *tasks)
{
    int64_t count = mesh->positions.count;
    DEW_TRY(check_mesh(mesh));
    set_frame(caster, mesh);
    DEW_TRY(dew_array_resize(&caster->positions, count + 1));
    for (int64_t i = 0; i < count; i++)
        DEW_ITEMS(&caster->positions, dew_Float3)[i] = in_tree(caster, dew_mesh_positions(mesh)[i]);
    DEW_TRY(dew_array_copy(&caster->triangles, &mesh->triangles));
    dew_TreeMesh data = {.positions = caster->positions.data,
                         .triangles = caster->triangles.data,
                         .vertex_count = count,
                         .triangle_count = caster->triangles.count};
    return dew_ray_tree_create(name, &data, tasks, &caster->allocator, &caster->tree);
}

dew_Status dew_ray_caster_create(const dew_Mesh *mesh, const char *tree, dew_Tasks *tasks,
                                 const dew_Allocator *allocator, dew_RayCaster **out)
{
    *out = NULL;
    dew_RayCaster *caster = dew_alloc(allocator, 1, sizeof *caster);
    if (!caster)
        return dew_no_memory(sizeof *caster);
    if (allocator)
        caster->allocator = *allocator;
    dew_array_init(&caster->positions, allocator, sizeof(dew_Float3));
    dew_array_init(&caster->triangles, allocator, sizeof(dew_Triangle));
    dew_Status status = fill(caster, mesh, tree, tasks);
    if (status.code == DEW_OK)
        *out = caster;
    else
        dew_ray_caster_destroy(caster);
    return status;
}

void dew_ray_caster_destroy(dew_RayCaster *caster)
{
    if (!caster)
        return;
    dew_ray_tree_destroy(caster->tree);
    dew_array_deinit(&caster->positions);
    dew_array_deinit(&caster->triangles);
    dew_Allocator allocator = caster->allocator;
    dew_free(&allocator, caster, sizeof *caster);
}

// The direction is scaled as the mesh is: t stays the caller's.
static dew_RayHit cast(const dew_RayCaster *caster, const dew_Ray *ray)
{
    dew_RayHit none = {.t = (double)INFINITY};
    dew_TraceHit hit;
    dew_TraceRay trace = {.origin = in_tree(caster, ray->origin),
                          .direction = dew_f3_from(dew_scale(caster->scale, ray->direction)),
                          .min_t = (float)fmax(ray->min_t, 0),
                          .max_t = (float)fmin(ray->max_t, (double)FLT_MAX)};
    if (!dew_vec_is_finite(dew_f3_wide(trace.origin)) ||
        !dew_vec_is_finite(dew_f3_wide(trace.direction)) ||
        !dew_ray_tree_hit(caster->tree, &trace, &hit))
        return none;
    return (dew_RayHit){.t = (double)hit.t,
                        .weight = {1 - (double)hit.u - (double)hit.v, (double)hit.u, (double)hit.v},
                        .triangle = hit.triangle,
                        .is_back = dew_f3_inner(hit.normal, trace.direction) > 0};
}

typedef struct Work {
    const dew_RayCaster *caster;
    const dew_Ray *rays;
    dew_RayHit *hits;
} Work;

static dew_Status cast_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Work *work = context;
    for (int64_t i = begin; i < end; i++)
        work->hits[i] = cast(work->caster, &work->rays[i]);
    return dew_ok();
}

void dew_ray_caster_cast(const dew_RayCaster *caster, dew_Tasks *tasks, const dew_Ray *rays,
                         int64_t count, dew_RayHit *hits)
{
    Work work = {caster, rays, hits};
    (void)dew_parallel_for(tasks, count, DEW_CHUNK_ITEMS, cast_chunk, &work);
}
