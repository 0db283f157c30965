// Embree (version 3, C interface) as a ray tree.
//
// One device and one scene per tree; Embree's own threads are used while building only. Robust
// mode, so that no ray slips between triangles. Embree takes memory from its own allocator. It asks
// before it takes much, and our allocator is tried first; what it and its threads take without
// asking would end the program where there is none, so something is always left over for that.
#ifdef DEW_HAVE_EMBREE
#include "base/allocator.h"
#include "base/status.h"
#include "render/ray/tree_ops.h"

#include <embree3/rtcore.h>

#define SPARE ((ssize_t)8 << 20)  // bytes that are left for what it does not ask for

typedef struct EmbreeTree {
    RTCDevice device;
    RTCScene scene;
    dew_Allocator allocator;
    void *spare;  // SPARE bytes while it is built; given back before it ends early
} EmbreeTree;

static void free_spare(EmbreeTree *tree)
{
    if (tree->spare)
        dew_free(&tree->allocator, tree->spare, (size_t)SPARE);
    tree->spare = NULL;
}

static void destroy(void *state)
{
    EmbreeTree *tree = state;
    if (!tree)
        return;
    free_spare(tree);
    if (tree->scene)
        rtcReleaseScene(tree->scene);
    if (tree->device)
        rtcReleaseDevice(tree->device);
    dew_Allocator allocator = tree->allocator;
    dew_free(&allocator, tree, sizeof *tree);
}

// Is there as much? Embree asks before it takes (is_taken is false), and stops with an error when
// there is not.
static bool has_room(void *state, ssize_t bytes, bool is_taken)
{
    const EmbreeTree *tree = state;
    if (is_taken || bytes <= 0)
        return true;
    void *block = dew_alloc(&tree->allocator, bytes, 1);
    if (!block)
        return false;
    dew_free(&tree->allocator, block, (size_t)bytes);
    return true;
}

static dew_Status build(EmbreeTree *tree, const dew_TreeMesh *mesh)
{
    tree->spare = dew_alloc(&tree->allocator, SPARE, 1);
    if (!tree->spare)
        return dew_no_memory((size_t)SPARE);
    tree->device = rtcNewDevice("threads=1,set_affinity=0");
    enum RTCError error = tree->device ? RTC_ERROR_NONE : rtcGetDeviceError(NULL);
    if (error == RTC_ERROR_OUT_OF_MEMORY)
        return dew_no_memory((size_t)mesh->triangle_count * sizeof(dew_Triangle));
    if (!tree->device)
        return dew_fail(DEW_UNSUPPORTED, "Embree does not start on this machine (error %d)",
                        (int)error);
    rtcSetDeviceMemoryMonitorFunction(tree->device, has_room, tree);
    tree->scene = rtcNewScene(tree->device);
    rtcSetSceneFlags(tree->scene, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(tree->scene, RTC_BUILD_QUALITY_MEDIUM);
    if (mesh->triangle_count > 0) {
        RTCGeometry geometry = rtcNewGeometry(tree->device, RTC_GEOMETRY_TYPE_TRIANGLE);
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                   mesh->triangles, 0, sizeof(dew_Triangle),
                                   (size_t)mesh->triangle_count);
        rtcSetGeometryTimeStepCount(geometry, mesh->ends ? 2 : 1);
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                   mesh->positions, 0, sizeof(dew_Float3),
                                   (size_t)mesh->vertex_count);
        if (mesh->ends)
            rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 1, RTC_FORMAT_FLOAT3,
                                       mesh->ends, 0, sizeof(dew_Float3),
                                       (size_t)mesh->vertex_count);
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(tree->scene, geometry);
        rtcReleaseGeometry(geometry);
    }
    // Threads begin with the first build, and take memory that is not asked for.
    if (!has_room(tree, SPARE, false))
        return dew_no_memory((size_t)SPARE);
    rtcCommitScene(tree->scene);
    error = rtcGetDeviceError(tree->device);
    if (error == RTC_ERROR_OUT_OF_MEMORY)
        return dew_no_memory((size_t)mesh->triangle_count * sizeof(dew_Triangle));
    if (error != RTC_ERROR_NONE)
        return dew_fail(DEW_UNSUPPORTED, "Embree fails with error %d", (int)error);
    return dew_ok();
}

dew_Status dew_embree_tree_create(const dew_TreeMesh *mesh, const dew_Allocator *allocator,
                                  void **state)
{
    EmbreeTree *tree = dew_alloc(allocator, 1, sizeof *tree);
    *state = NULL;
    if (!tree)
        return dew_no_memory(sizeof *tree);
    if (allocator)
        tree->allocator = *allocator;
    dew_Status status = build(tree, mesh);
    free_spare(tree);
    if (status.code == DEW_OK)
        *state = tree;
    else
        destroy(tree);
    return status;
}

static struct RTCRay embree_ray(const dew_TraceRay *ray)
{
    return (struct RTCRay){.org_x = ray->origin.x,
                           .org_y = ray->origin.y,
                           .org_z = ray->origin.z,
                           .tnear = ray->min_t,
                           .dir_x = ray->direction.x,
                           .dir_y = ray->direction.y,
                           .dir_z = ray->direction.z,
                           .time = ray->time,
                           .tfar = ray->max_t,
                           .mask = UINT32_MAX};
}

static bool hit(const void *state, const dew_TraceRay *ray, dew_TraceHit *out)
{
    const EmbreeTree *tree = state;
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    struct RTCRayHit query = {
        .ray = embree_ray(ray),
        .hit = {.geomID = RTC_INVALID_GEOMETRY_ID, .instID = {RTC_INVALID_GEOMETRY_ID}}};
    rtcIntersect1(tree->scene, &context, &query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID)
        return false;
    *out = (dew_TraceHit){.t = query.ray.tfar,
                          .u = query.hit.u,
                          .v = query.hit.v,
                          .triangle = query.hit.primID,
                          .normal = {query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z}};
    return true;
}

static bool blocks(const void *state, const dew_TraceRay *ray)
{
    const EmbreeTree *tree = state;
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    struct RTCRay query = embree_ray(ray);
    rtcOccluded1(tree->scene, &context, &query);
    return query.tfar < 0;
}

const dew_TreeOps dew_embree_tree_ops = {"embree", destroy, hit, blocks};
#else
typedef int dew_no_embree;  // ISO C wants something in a file
#endif
