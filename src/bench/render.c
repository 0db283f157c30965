// Throughput of pictures: rays per second of both trees against Embree alone, samples per CPU second
// of a table with forty drops, a whole picture of a drop of 50,000 triangles.
//
// Rates of rays are per CPU second of one thread, on the rays of a camera that the drop fills: what
// Embree's own call makes of them is the bar (own tree 35 % of it, through our interface 70 %).
#include "base/clock.h"
#include "base/random.h"
#include "base/status.h"
#include "bench/benches.h"
#include "geom/shapes.h"
#include "render/ray/ray.h"
#include "render/ray/tree.h"

#ifdef DEW_HAVE_EMBREE
#include <embree3/rtcore.h>
#endif

#include <math.h>
#include <stdio.h>

enum { FREQUENCY = 50, WIDTH = 640, HEIGHT = 360, DROPS = 40 };  // 20 x 50^2 triangles

// ---- rays --------------------------------------------------------------------------------------

typedef struct RayWork {
    dew_Array positions;  // dew_Float3
    dew_Array rays;       // dew_TraceRay
    dew_Mesh mesh;
    dew_RayTree *tree;
    int64_t hits;
#ifdef DEW_HAVE_EMBREE
    RTCDevice device;
    RTCScene scene;
#endif
} RayWork;

// A drop about the origin, a little out of round, and the rays of a camera before it.
static dew_Status prepare_rays(RayWork *work)
{
    DEW_TRY(dew_shape_icosphere(1, FREQUENCY, &work->mesh));
    int64_t count = work->mesh.positions.count;
    DEW_TRY(dew_array_resize(&work->positions, count + 1));
    for (int64_t i = 0; i < count; i++) {
        dew_Vec3 p = dew_mesh_positions(&work->mesh)[i];
        DEW_ITEMS(&work->positions, dew_Float3)
        [i] = dew_f3_from(dew_scale(1 + 0.1 * sin(3 * p.x) * cos(4 * p.z), p));
    }
    dew_CameraDef def = dew_default_scene_def().camera;
    def.is_given = true;
    def.eye_m = dew_vec(1, 1.5, 4);
    dew_Camera camera;
    DEW_TRY(dew_camera_resolve(&def, dew_box_empty(), WIDTH, HEIGHT, &camera));
    DEW_TRY(dew_array_resize(&work->rays, (int64_t)WIDTH * HEIGHT));
    for (int64_t i = 0; i < (int64_t)WIDTH * HEIGHT; i++) {
        const double lens[2] = {0, 0};
        dew_Vec3 origin, direction;
        int64_t row = i / WIDTH;
        dew_camera_ray(&camera, (double)(i % WIDTH) + 0.5, (double)row + 0.5, lens, &origin,
                       &direction);
        DEW_ITEMS(&work->rays, dew_TraceRay)
        [i] = (dew_TraceRay){
            .origin = dew_f3_from(origin), .direction = dew_f3_from(direction), .max_t = 1e30f};
    }
    return dew_ok();
}

static dew_Status trace_tree(void *context)
{
    RayWork *work = context;
    const dew_TraceRay *rays = work->rays.data;
    dew_TraceHit hit;
    work->hits = 0;
    for (int64_t i = 0; i < work->rays.count; i++)
        work->hits += dew_ray_tree_hit(work->tree, &rays[i], &hit);
    return dew_ok();
}

// CPU seconds, not those of the clock: others may be at work on this machine.
static double best_cpu_s(dew_Status (*run)(void *context), void *context)
{
    double best = (double)INFINITY;
    for (int i = 0; i < 5; i++) {
        double begin = dew_cpu_s();
        (void)run(context);
        best = fmin(best, dew_cpu_s() - begin);
    }
    return best;
}

static dew_Status measure_tree(RayWork *work, const char *name, double *rate)
{
    dew_TreeMesh mesh = {.positions = work->positions.data,
                         .triangles = work->mesh.triangles.data,
                         .vertex_count = work->mesh.positions.count,
                         .triangle_count = work->mesh.triangles.count};
    DEW_TRY(dew_ray_tree_create(name, &mesh, NULL, NULL, &work->tree));
    *rate = 1e-6 * (double)work->rays.count / best_cpu_s(trace_tree, work);
    dew_ray_tree_destroy(work->tree);
    work->tree = NULL;
    return dew_ok();
}

#ifdef DEW_HAVE_EMBREE
static dew_Status trace_bare(void *context)
{
    RayWork *work = context;
    const dew_TraceRay *rays = work->rays.data;
    struct RTCIntersectContext query;
    rtcInitIntersectContext(&query);
    work->hits = 0;
    for (int64_t i = 0; i < work->rays.count; i++) {
        const dew_TraceRay *r = &rays[i];
        struct RTCRayHit hit = {.ray = {.org_x = r->origin.x,
                                        .org_y = r->origin.y,
                                        .org_z = r->origin.z,
                                        .dir_x = r->direction.x,
                                        .dir_y = r->direction.y,
                                        .dir_z = r->direction.z,
                                        .tfar = r->max_t,
                                        .mask = UINT32_MAX},
                                .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
        rtcIntersect1(work->scene, &query, &hit);
        work->hits += hit.hit.geomID != RTC_INVALID_GEOMETRY_ID;
    }
    return dew_ok();
}

static double bare_rate(RayWork *work)
{
    work->device = rtcNewDevice("threads=1,set_affinity=0");
    work->scene = rtcNewScene(work->device);
    rtcSetSceneFlags(work->scene, RTC_SCENE_FLAG_ROBUST);
    RTCGeometry geometry = rtcNewGeometry(work->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                               work->mesh.triangles.data, 0, sizeof(dew_Triangle),
                               (size_t)work->mesh.triangles.count);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                               work->positions.data, 0, sizeof(dew_Float3),
                               (size_t)work->mesh.positions.count);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(work->scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(work->scene);
    double rate = 1e-6 * (double)work->rays.count / best_cpu_s(trace_bare, work);
    rtcReleaseScene(work->scene);
    rtcReleaseDevice(work->device);
    return rate;
}
#endif

static dew_Status measure_rays(dew_BenchRun *b, RayWork *work)
{
    double own, bar = (double)NAN;
    DEW_TRY(prepare_rays(work));
#ifdef DEW_HAVE_EMBREE
    double embree;
    bar = bare_rate(work);
    dew_bench_rate(b, "Embree alone, 50,000 triangles", bar, "M rays/CPU s", (double)NAN);
    DEW_TRY(measure_tree(work, "embree", &embree));
    dew_bench_rate(b, "Embree through our interface", embree, "M rays/CPU s", 0.7 * bar);
#endif
    DEW_TRY(measure_tree(work, "own", &own));
    dew_bench_rate(b, "own tree", own, "M rays/CPU s", 0.35 * bar);
    return dew_ok();
}

// ---- pictures ----------------------------------------------------------------------------------

static dew_Status add_table(dew_PictureScene *scene, double size_m)
{
    dew_PictureBody table = {.kind = DEW_BODY_OPAQUE,
                             .look = {.kind = DEW_LOOK_PLASTIC,
                                      .color = {0.4f, 0.4f, 0.42f},
                                      .roughness = 0.3f,
                                      .scale = 1},
                             .to_own = dew_rotation_identity()};
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    dew_Status status = dew_shape_patch(size_m, size_m, 0, &mesh);
    if (status.code == DEW_OK)
        status = dew_picture_scene_add_mesh(scene, &table, &mesh, DEW_DEG(40));
    dew_mesh_deinit(&mesh);
    return status;
}

static dew_Status add_drop(dew_PictureScene *scene, dew_Vec3 at, double radius, double edge_m)
{
    dew_PictureBody water = {.solid_id = DEW_INVALID,
                             .kind = DEW_BODY_CLEAR,
                             .medium = {.ior = 1.333f},
                             .priority = 1,
                             .to_own = dew_rotation_identity()};
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    dew_Status status =
        dew_shape_cap(2 * DEW_PI / 3 * radius * radius * radius, DEW_DEG(80), edge_m, &mesh);
    dew_mesh_transform(&mesh, 1, dew_rotation_identity(), at);
    if (status.code == DEW_OK)
        status = dew_picture_scene_add_mesh(scene, &water, &mesh, DEW_DEG(40));
    dew_mesh_deinit(&mesh);
    return status;
}

static dew_Status make_scene(dew_Tasks *tasks, int drops, double edge_m, int width, int height,
                             dew_PictureScene **out)
{
    DEW_TRY(dew_picture_scene_create_bare(NULL, out));
    dew_PictureScene *scene = *out;
    DEW_TRY(dew_environment_create("studio", tasks, NULL, &scene->environment));
    DEW_TRY(add_table(scene, 60));
    dew_Random random = dew_random(1, 2, 3);
    for (int i = 0; i < drops; i++) {
        double radius = drops == 1 ? 1 : dew_random_range(&random, 0.15, 0.45);
        int row = i / 8;
        double x = (i % 8 - 3.5) * 1.1, z = (row - 2) * 1.1;
        dew_Vec3 at = drops == 1 ? dew_vec(0, -0.002, 0) : dew_vec(x, -0.002 * radius, z);
        DEW_TRY(add_drop(scene, at, radius, edge_m * radius));
    }
    double size = drops == 1 ? 1.2 : 4.5;
    scene->subject_m = (dew_Box){{-size, 0, -0.6 * size}, {size, 0.5, 0.6 * size}};
    dew_CameraDef def = dew_default_scene_def().camera;
    return dew_camera_resolve(&def, scene->subject_m, width, height, &scene->camera);
}

static dew_Status draw(dew_BenchRun *b, const dew_PictureScene *scene, int samples, double *wall_s,
                       double *cpu_s)
{
    dew_RenderDef def = dew_default_render_def();
    dew_Image *image;
    DEW_TRY(dew_image_create(NULL, &image));
    def.samples = samples;
    *wall_s = dew_wall_s();
    *cpu_s = dew_cpu_s();
    dew_Status status = dew_ray_engine.render(NULL, scene, &def, b->tasks, image);
    *wall_s = dew_wall_s() - *wall_s;
    *cpu_s = dew_cpu_s() - *cpu_s;
    dew_image_destroy(image);
    return status;
}

static dew_Status measure_drops(dew_BenchRun *b)
{
    dew_PictureScene *scene = NULL;
    double wall_s, cpu_s;
    dew_Status status = make_scene(b->tasks, DROPS, 0.1, 480, 270, &scene);
    if (status.code == DEW_OK)
        status = draw(b, scene, 16, &wall_s, &cpu_s);
    if (status.code == DEW_OK)
        dew_bench_rate(b, "40 glass drops", 1e-6 * 480 * 270 * 16 / cpu_s, "M samples/CPU s", 0.2);
    dew_picture_scene_destroy(scene);
    return status;
}

static dew_Status measure_picture(dew_BenchRun *b)
{
    dew_PictureScene *scene = NULL;
    double wall_s, cpu_s;
    dew_Status status = make_scene(b->tasks, 1, 0.0185, WIDTH, HEIGHT, &scene);
    if (status.code == DEW_OK)
        status = draw(b, scene, 64, &wall_s, &cpu_s);
    if (status.code == DEW_OK) {
        char name[64];
        snprintf(name, sizeof name, "640x360, 64 samples, %lld triangles",
                 (long long)scene->triangles.count);
        dew_bench_time(b, name, wall_s, 25);
        dew_bench_time(b, "the same, CPU seconds", cpu_s, (double)NAN);
    }
    dew_picture_scene_destroy(scene);
    return status;
}

static dew_Status run(dew_BenchRun *b)
{
    RayWork work = {0};
    dew_mesh_init(&work.mesh, NULL);
    dew_array_init(&work.positions, NULL, sizeof(dew_Float3));
    dew_array_init(&work.rays, NULL, sizeof(dew_TraceRay));
    dew_Status status = measure_rays(b, &work);
    dew_mesh_deinit(&work.mesh);
    dew_array_deinit(&work.positions);
    dew_array_deinit(&work.rays);
    if (status.code == DEW_OK)
        status = measure_drops(b);
    return status.code == DEW_OK ? measure_picture(b) : status;
}

const dew_Bench dew_bench_render = {"render", "rays, samples, pictures", run};
