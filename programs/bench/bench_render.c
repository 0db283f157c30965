// Throughput of images: rays per second of both trees against Embree alone, samples per CPU
// second of a table with forty drops, a whole image of a drop of 50,000 triangles.
//
// Rates of rays are per CPU second of one thread, on the rays of a camera that the drop fills: what
// Embree's own call makes of them is the bar (own tree 35 % of it, through our interface 70 %).
#include "bench/bench_world.h"
#include "bench/benches.h"
#include "support/random.h"
#include "support/system.h"
#include "support/vec.h"

#ifdef DEW_HAVE_EMBREE
#include <embree3/rtcore.h>
#endif

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FREQUENCY = 50, WIDTH = 640, HEIGHT = 360, DROPS = 40 };  // 20 x 50^2 triangles

// ---- rays --------------------------------------------------------------------------------------

enum { RAYS = WIDTH * HEIGHT };

typedef struct RayWork {
    dew_List rays;  // dew_Ray
    dew_List hits;  // dew_RayHit
    dew_Mesh *mesh;
    dew_RayCaster *caster;
#ifdef DEW_HAVE_EMBREE
    RTCDevice device;
    RTCScene scene;
    int64_t hit_count;
#endif
} RayWork;

// The rays through the middles of the pixels of a camera before the drop.
static void fill_rays(dew_Ray *rays)
{
    dew_CameraDef camera = dew_default_scene_def().camera;
    dew_Vec3 eye = dew_v3(1, 1.5, 4);
    dew_Vec3 forward = dew_v3_unit(dew_v3_sub(camera.target_m, eye));
    dew_Vec3 right = dew_v3_unit(dew_v3_cross(forward, camera.up));
    dew_Vec3 up = dew_v3_cross(right, forward);
    double pixel = 2 * tan(camera.fov_rad / 2) / HEIGHT;
    for (int64_t i = 0; i < RAYS; i++) {
        int64_t row = i / WIDTH;
        double x = (double)(i % WIDTH) + 0.5 - WIDTH / 2.0, y = HEIGHT / 2.0 - (double)row - 0.5;
        dew_Vec3 to =
            dew_v3_add_scaled(dew_v3_add_scaled(forward, pixel * x, right), pixel * y, up);
        rays[i] = (dew_Ray){eye, dew_v3_unit(to), 0, (double)INFINITY};
    }
}

// A drop about the origin, a little out of round, and the rays.
static dew_Status prepare_rays(RayWork *work)
{
    DEW_TRY(dew_mesh_create(NULL, &work->mesh));
    DEW_TRY(dew_mesh_icosphere(1, FREQUENCY, work->mesh));
    dew_Vec3 *positions = dew_mesh_edit_positions_m(work->mesh);
    for (int64_t i = 0; i < dew_mesh_vertex_count(work->mesh); i++) {
        dew_Vec3 p = positions[i];
        positions[i] = dew_v3_scale(1 + 0.1 * sin(3 * p.x) * cos(4 * p.z), p);
    }
    DEW_TRY(dew_list_resize(&work->rays, RAYS));
    DEW_TRY(dew_list_resize(&work->hits, RAYS));
    fill_rays(work->rays.items);
    return dew_ok();
}

static dew_Status trace_tree(void *context)
{
    RayWork *work = context;
    dew_ray_caster_cast(work->caster, NULL, work->rays.items, RAYS, work->hits.items);
    return dew_ok();
}

// CPU seconds, not those of the clock: others may be at work on this machine.
static double best_cpu_s(dew_Status (*run)(void *context), void *context)
{
    double best = (double)INFINITY;
    for (int i = 0; i < 5; i++) {
        double begin = dew_app_cpu_s();
        (void)run(context);
        best = fmin(best, dew_app_cpu_s() - begin);
    }
    return best;
}

static dew_Status measure_tree(RayWork *work, const char *name, double *rate)
{
    DEW_TRY(dew_ray_caster_create(work->mesh, name, NULL, NULL, &work->caster));
    *rate = 1e-6 * RAYS / best_cpu_s(trace_tree, work);
    dew_ray_caster_destroy(work->caster);
    work->caster = NULL;
    return dew_ok();
}

#ifdef DEW_HAVE_EMBREE
static dew_Status trace_bare(void *context)
{
    RayWork *work = context;
    const dew_Ray *rays = work->rays.items;
    struct RTCIntersectContext query;
    rtcInitIntersectContext(&query);
    work->hit_count = 0;
    for (int64_t i = 0; i < RAYS; i++) {
        const dew_Ray *r = &rays[i];
        struct RTCRayHit hit = {.ray = {.org_x = (float)r->origin.x,
                                        .org_y = (float)r->origin.y,
                                        .org_z = (float)r->origin.z,
                                        .dir_x = (float)r->direction.x,
                                        .dir_y = (float)r->direction.y,
                                        .dir_z = (float)r->direction.z,
                                        .tfar = (float)r->max_t,
                                        .mask = UINT32_MAX},
                                .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
        rtcIntersect1(work->scene, &query, &hit);
        work->hit_count += hit.hit.geomID != RTC_INVALID_GEOMETRY_ID;
    }
    return dew_ok();
}

static void add_geometry(RayWork *work)
{
    enum { AXES = 3 };
    size_t vertices = (size_t)dew_mesh_vertex_count(work->mesh);
    size_t triangles = (size_t)dew_mesh_triangle_count(work->mesh);
    const dew_Vec3 *from = dew_mesh_positions_m(work->mesh);
    RTCGeometry geometry = rtcNewGeometry(work->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    uint32_t *indices = rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, AXES * sizeof *indices, triangles);
    float *to = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                        AXES * sizeof *to, vertices);
    memcpy(indices, dew_mesh_indices(work->mesh), triangles * AXES * sizeof *indices);
    for (size_t i = 0; i < vertices; i++) {
        to[AXES * i] = (float)from[i].x;
        to[AXES * i + 1] = (float)from[i].y;
        to[AXES * i + 2] = (float)from[i].z;
    }
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(work->scene, geometry);
    rtcReleaseGeometry(geometry);
}

static double bare_rate(RayWork *work)
{
    work->device = rtcNewDevice("threads=1,set_affinity=0");
    work->scene = rtcNewScene(work->device);
    rtcSetSceneFlags(work->scene, RTC_SCENE_FLAG_ROBUST);
    add_geometry(work);
    rtcCommitScene(work->scene);
    double rate = 1e-6 * RAYS / best_cpu_s(trace_bare, work);
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

// ---- images ------------------------------------------------------------------------------------

// Drops on a table, as a surface.
typedef struct Shot {
    int drops;
    double edge_m;  // of a drop of radius 1 m
    int width_px, height_px, samples;
    int64_t triangles;     // of the liquid
    double wall_s, cpu_s;  // that it took
} Shot;

static const char scene_text[] =
    "solver: volume\nduration: 1 s\n"
    "domain: {min: [-6 m, 0, -6 m], max: [6 m, 2 m, 6 m], cell: 0.2 m}\n"
    "materials: {table: {angle: 80 deg}}\n"
    "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: table}]\n"
    "drops: [{shape: sphere, center: [0, 1 m, 0], radius: 0.5 m}]\n"
    "environment: studio\n"
    "look: {table: {kind: plastic, color: [0.4, 0.4, 0.42], roughness: 0.3}}\n";

static dew_Status add_drop(dew_Mesh *all, dew_Mesh *drop, dew_Vec3 at, double radius, double edge_m)
{
    DEW_TRY(dew_mesh_cap(2 * DEW_PI / 3 * radius * radius * radius, DEW_DEG(80), edge_m, drop));
    dew_Vec3 *positions = dew_mesh_edit_positions_m(drop);
    for (int64_t i = 0; i < dew_mesh_vertex_count(drop); i++)
        positions[i] = dew_v3_add(positions[i], at);
    return dew_mesh_append(all, drop);
}

static dew_Status add_drops(const Shot *shot, dew_Mesh *all, dew_Mesh *drop)
{
    dew_AppRandom random = {1};
    if (shot->drops == 1)
        return add_drop(all, drop, dew_v3(0, -0.002, 0), 1, shot->edge_m);
    for (int i = 0; i < shot->drops; i++) {
        double radius = 0.15 + 0.3 * dew_app_random_unit(&random);
        int row = i / 8;
        dew_Vec3 at = dew_v3((i % 8 - 3.5) * 1.1, -0.002 * radius, (row - 2) * 1.1);
        DEW_TRY(add_drop(all, drop, at, radius, shot->edge_m * radius));
    }
    return dew_ok();
}

static dew_Status make_surface(Shot *shot, dew_Surface *surface)
{
    dew_Mesh *all = NULL, *drop = NULL;
    dew_Status status = dew_mesh_create(NULL, &all);
    if (status.code == DEW_OK)
        status = dew_mesh_create(NULL, &drop);
    if (status.code == DEW_OK)
        status = add_drops(shot, all, drop);
    if (status.code == DEW_OK)
        status = dew_surface_from_mesh(all, surface);
    shot->triangles = dew_surface_triangle_count(surface);
    dew_mesh_destroy(all);
    dew_mesh_destroy(drop);
    return status;
}

static dew_Status draw(Shot *shot, dew_Renderer *renderer, dew_Surface *surface, dew_Image *image)
{
    dew_RenderFrame frame = {.surface = surface};
    double size = shot->drops == 1 ? 1.2 : 4.5;
    dew_renderer_set_subject(renderer, dew_v3(-size, 0, -0.6 * size),
                             dew_v3(size, 0.5, 0.6 * size));
    shot->wall_s = dew_app_wall_s();
    shot->cpu_s = dew_app_cpu_s();
    DEW_TRY(dew_renderer_draw(renderer, &frame, image));
    shot->wall_s = dew_app_wall_s() - shot->wall_s;
    shot->cpu_s = dew_app_cpu_s() - shot->cpu_s;
    return dew_ok();
}

static dew_Status take(dew_BenchRun *b, Shot *shot)
{
    dew_Scene *scene = NULL;
    dew_Renderer *renderer = NULL;
    dew_Surface *surface = NULL;
    dew_Image *image = NULL;
    dew_RenderDef def = dew_default_render_def();
    def.width_px = shot->width_px;
    def.height_px = shot->height_px;
    def.samples = shot->samples;
    def.thread_count = dew_tasks_worker_count(b->tasks);
    dew_Status status = dew_bench_scene(scene_text, &scene);
    if (status.code == DEW_OK)
        status = dew_surface_create(NULL, &surface);
    if (status.code == DEW_OK)
        status = make_surface(shot, surface);
    if (status.code == DEW_OK)
        status = dew_renderer_create(scene, &def, &renderer);
    if (status.code == DEW_OK)
        status = dew_image_create(NULL, &image);
    if (status.code == DEW_OK)
        status = draw(shot, renderer, surface, image);
    dew_image_destroy(image);
    dew_renderer_destroy(renderer);
    dew_surface_destroy(surface);
    dew_scene_destroy(scene);
    return status;
}

static dew_Status measure_drops(dew_BenchRun *b)
{
    Shot shot = {.drops = DROPS, .edge_m = 0.1, .width_px = 480, .height_px = 270, .samples = 16};
    DEW_TRY(take(b, &shot));
    dew_bench_rate(b, "40 glass drops", 1e-6 * 480 * 270 * 16 / shot.cpu_s, "M samples/CPU s", 0.2);
    return dew_ok();
}

static dew_Status measure_image(dew_BenchRun *b)
{
    char name[64];
    Shot shot = {
        .drops = 1, .edge_m = 0.0185, .width_px = WIDTH, .height_px = HEIGHT, .samples = 64};
    DEW_TRY(take(b, &shot));
    snprintf(name, sizeof name, "640x360, 64 samples, %lld triangles", (long long)shot.triangles);
    dew_bench_time(b, name, shot.wall_s, 25);
    dew_bench_time(b, "the same, CPU seconds", shot.cpu_s, (double)NAN);
    return dew_ok();
}

static dew_Status run(dew_BenchRun *b)
{
    RayWork work = {0};
    dew_list_init(&work.rays, sizeof(dew_Ray));
    dew_list_init(&work.hits, sizeof(dew_RayHit));
    dew_Status status = measure_rays(b, &work);
    dew_mesh_destroy(work.mesh);
    dew_list_deinit(&work.rays);
    dew_list_deinit(&work.hits);
    if (status.code == DEW_OK)
        status = measure_drops(b);
    return status.code == DEW_OK ? measure_image(b) : status;
}

const dew_Bench dew_bench_render = {"render", "rays, samples, images", run};
