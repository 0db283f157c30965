// What is drawn, from a problem: looks by material, solids as meshes, planes as tables, light,
// camera.
//
// Planes have no end; here they become squares around the domain that fade into the surroundings,
// as a photographer's table does, or panes when they are of glass. Walls at the sides end with the
// domain, so that light comes in, and are drawn only when the camera is on their inner side.
#include "render/render_scene.h"

#include "base/status.h"
#include "geom/bvh.h"
#include "io/png.h"
#include "problem/place.h"
#include "problem/resolved.h"
#include "render/eye.h"
#include "render/look_files.h"
#include "render/solid_look.h"
#include "scene/paths.h"
#include "surface/surface.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#define CREASE DEW_DEG(40)

/// Factor on the edges of curved solids where patches may be large: images in real time.
#define MAX_COARSER 4.0

/// How solids without an end and textures are drawn, in sizes of the domain: chosen by eye, so that
/// a table fills the image and a pane shows its edge in few views.
static const struct {
    double table;                 // half its width
    double fade_begin, fade_end;  // of the table into the environment
    double pane, pane_depth;      // half its width; thickness
    double wall_depth;            // of the glass at a side of the domain, as of a tank
    double texture;               // width of a texture
} extent = {.table = 10,
            .fade_begin = 1.5,
            .fade_end = 9,
            .pane = 4,
            .pane_depth = 0.12,
            .wall_depth = 0.025,
            .texture = 0.5};

enum { PRIORITY_NONE, PRIORITY_LIQUID, PRIORITY_SOLID };

struct dew_WetMap {
    dew_Bvh *bvh;
    const float *wetness;  // of the mesh's vertices; copied
    const dew_Triangle *triangles;
};

// ---- making and ending -------------------------------------------------------------------------

dew_Status dew_render_scene_create_bare(const dew_Allocator *allocator, dew_RenderScene **out)
{
    dew_RenderScene *scene = dew_alloc(allocator, 1, sizeof *scene);
    *out = scene;
    if (!scene)
        return dew_no_memory(sizeof *scene);
    if (allocator)
        scene->allocator = *allocator;
    dew_array_init(&scene->lights, allocator, sizeof(dew_Light));
    dew_array_init(&scene->bodies, allocator, sizeof(dew_RenderBody));
    dew_array_init(&scene->positions, allocator, sizeof(dew_Vec3));
    dew_array_init(&scene->motions, allocator, sizeof(dew_Vec3));
    dew_array_init(&scene->own, allocator, sizeof(dew_Float3));
    dew_array_init(&scene->triangles, allocator, sizeof(dew_Triangle));
    dew_array_init(&scene->corner_normals, allocator, sizeof(dew_Float3));
    dew_array_init(&scene->triangle_body, allocator, sizeof(uint32_t));
    dew_array_init(&scene->looks, allocator, sizeof(dew_Look));
    dew_array_init(&scene->wet_maps, allocator, sizeof(dew_WetMap *));
    dew_arena_init(&scene->arena, allocator);
    dew_arena_init(&scene->scratch, allocator);
    return dew_ok();
}

static void drop_wet_maps(dew_RenderScene *scene)
{
    for (int64_t i = 0; i < scene->wet_maps.count; i++)
        dew_bvh_destroy(DEW_ITEMS(&scene->wet_maps, dew_WetMap *)[i]->bvh);
    scene->wet_maps.count = 0;
}

void dew_render_scene_clear(dew_RenderScene *scene)
{
    dew_Array *arrays[] = {&scene->bodies,       &scene->positions, &scene->motions,
                           &scene->own,          &scene->triangles, &scene->corner_normals,
                           &scene->triangle_body};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        arrays[i]->count = 0;
    drop_wet_maps(scene);
    dew_arena_clear(&scene->scratch);
    scene->is_moving = false;
    scene->subject_m = dew_box_empty();
}

void dew_render_scene_destroy(dew_RenderScene *scene)
{
    if (!scene)
        return;
    drop_wet_maps(scene);
    dew_Array *arrays[] = {&scene->lights,         &scene->bodies,        &scene->positions,
                           &scene->motions,        &scene->own,           &scene->triangles,
                           &scene->corner_normals, &scene->triangle_body, &scene->looks,
                           &scene->wet_maps};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        dew_array_deinit(arrays[i]);
    dew_environment_destroy(scene->environment);
    dew_arena_deinit(&scene->arena);
    dew_arena_deinit(&scene->scratch);
    dew_Allocator allocator = scene->allocator;
    dew_free(&allocator, scene, sizeof *scene);
}

// ---- looks -------------------------------------------------------------------------------------

static float linear_from_srgb(double s)
{
    return (float)(s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4));
}

static dew_Status load_texture(dew_RenderScene *scene, const char *name, const char *material,
                               const dew_Texture **out)
{
    const dew_Scene *source = dew_problem_scene(scene->problem);
    char *path = dew_scene_resolve_path(source, name, &scene->arena);
    dew_Texture *texture = dew_arena_array(&scene->arena, dew_Texture, 1);
    if (!path || !texture)
        return dew_no_memory(sizeof *texture);
    dew_PngImage image;
    dew_png_init(&image, &scene->allocator);
    dew_Status status = dew_png_load(path, &scene->log, &image);
    int64_t count = image.width * image.height;
    float *rgb = status.code == DEW_OK ? dew_arena_array(&scene->arena, float, 3 * count) : NULL;
    if (status.code == DEW_OK && !rgb)
        status = dew_no_memory((size_t)count * 12);
    for (int64_t i = 0; rgb && i < count; i++)
        for (int k = 0; k < 3; k++) {
            int channel = image.channel_count < 3 ? 0 : k;
            rgb[3 * i + k] =
                linear_from_srgb(dew_png_sample(&image, i % image.width, i / image.width, channel));
        }
    *texture = (dew_Texture){image.width, image.height, rgb,
                             extent.texture * dew_problem_width_m(scene->problem)};
    dew_png_deinit(&image);
    *out = texture;
    char key[96];
    snprintf(key, sizeof key, "look.%s.texture", material);
    return status.code == DEW_OK
               ? status
               : dew_scene_place_status(source, key, dew_status_prefix(status, "%s", key));
}

static dew_Status resolve_looks(dew_RenderScene *scene)
{
    const dew_Problem *problem = scene->problem;
    for (int i = 0; i < problem->solid_count; i++) {
        const char *material = dew_solid_material_name(problem, i);
        const dew_LookDef *def = dew_solid_look_def(problem, material);
        dew_Look look = dew_solid_look(problem, i);
        if (def && def->texture)
            DEW_TRY(load_texture(scene, def->texture, material, &look.texture));
        DEW_TRY(dew_array_push(&scene->looks, &look));
    }
    return dew_ok();
}

// ---- light -------------------------------------------------------------------------------------

static dew_Status load_environment_file(dew_RenderScene *scene, const char *path)
{
    dew_FloatImage image;
    dew_float_image_init(&image, &scene->allocator);
    dew_Status status = dew_environment_load(path, &scene->log, &image);
    if (status.code == DEW_OK) {
        dew_EnvironmentImage light = {image.width, image.height, image.samples.data};
        status = dew_environment_create_image(&light, scene->tasks, &scene->allocator,
                                              &scene->environment);
    }
    dew_float_image_deinit(&image);
    return status;
}

static dew_Status resolve_light(dew_RenderScene *scene)
{
    const dew_Scene *source = dew_problem_scene(scene->problem);
    const char *name = dew_scene_def(source)->environment;
    name = name ? name : "studio";
    if (strchr(name, '.')) {
        char *path = dew_scene_resolve_path(source, name, &scene->arena);
        if (!path)
            return dew_no_memory(strlen(name));
        DEW_TRY(dew_scene_place_status(source, "environment", load_environment_file(scene, path)));
    } else {
        DEW_TRY(dew_environment_create(name, scene->tasks, &scene->allocator, &scene->environment));
    }
    dew_Light sun;
    if (dew_environment_sun(scene->environment, &sun))
        DEW_TRY(dew_array_push(&scene->lights, &sun));
    for (int i = 0; i < dew_scene_light_count(source); i++) {
        dew_Light light = dew_light(dew_scene_light(source, i));
        if (light.power > 0)
            DEW_TRY(dew_array_push(&scene->lights, &light));
    }
    return dew_ok();
}

dew_Status dew_render_scene_create(const dew_Problem *problem, const dew_RenderSceneDef *def,
                                   dew_RenderScene **out)
{
    DEW_TRY(dew_render_scene_create_bare(&def->allocator, out));
    dew_RenderScene *scene = *out;
    DEW_ASSERT(scene);
    scene->problem = problem;
    scene->tasks = def->tasks;
    scene->log = def->log;
    dew_Status status = resolve_looks(scene);
    if (status.code == DEW_OK)
        status = resolve_light(scene);
    if (status.code != DEW_OK) {
        dew_render_scene_destroy(scene);
        *out = NULL;
    }
    return status;
}

// ---- wet maps ----------------------------------------------------------------------------------

float dew_wet_map_at(const dew_WetMap *map, dew_Float3 own_m)
{
    dew_BvhClosest closest;
    if (!dew_bvh_closest(map->bvh, dew_f3_wide(own_m), (double)INFINITY, &closest))
        return 0;
    const uint32_t *v = map->triangles[closest.triangle].v;
    return (float)(closest.weight[0] * (double)map->wetness[v[0]] +
                   closest.weight[1] * (double)map->wetness[v[1]] +
                   closest.weight[2] * (double)map->wetness[v[2]]);
}

// The wet map in the solid's own frame.
static dew_Status add_wet_map(dew_RenderScene *scene, const dew_Solid *solid,
                              const dew_WetMesh *wet, const dew_WetMap **out)
{
    const dew_MeshData *mesh = &wet->mesh;
    if (!wet->wetness || mesh->triangle_count == 0)
        return dew_ok();
    dew_WetMap *map = dew_arena_array(&scene->scratch, dew_WetMap, 1);
    float *kept = dew_arena_array(&scene->scratch, float, mesh->vertex_count);
    dew_Triangle *triangles = dew_arena_array(&scene->scratch, dew_Triangle, mesh->triangle_count);
    if (!map || !kept || !triangles)
        return dew_no_memory((size_t)mesh->vertex_count * sizeof *kept);
    memcpy(kept, wet->wetness, (size_t)mesh->vertex_count * sizeof *kept);
    memcpy(triangles, mesh->triangles, (size_t)mesh->triangle_count * sizeof *triangles);
    *map = (dew_WetMap){.wetness = kept, .triangles = triangles};
    dew_Mesh own;
    dew_mesh_init(&own, &scene->allocator);
    dew_Status status = dew_array_append(&own.triangles, triangles, mesh->triangle_count);
    for (int64_t i = 0; status.code == DEW_OK && i < mesh->vertex_count; i++)
        status = dew_mesh_add_vertex(&own, dew_solid_to_own(solid, NULL, mesh->positions_m[i]));
    if (status.code == DEW_OK)
        status = dew_bvh_create(&own, scene->tasks, &scene->allocator, &map->bvh);
    dew_mesh_deinit(&own);
    if (status.code == DEW_OK) {
        status = dew_array_push(&scene->wet_maps, &map);
        if (status.code != DEW_OK)
            dew_bvh_destroy(map->bvh);
        *out = map;
    }
    return status;
}

// ---- solids ------------------------------------------------------------------------------------

static dew_RenderBody solid_body(const dew_RenderScene *scene, int solid_id)
{
    const dew_Look *look = &DEW_ITEMS(&scene->looks, dew_Look)[solid_id];
    dew_RenderBody body = {.solid_id = solid_id,
                           .look = *look,
                           .is_thin = dew_look_is_thin(look),
                           .to_own = dew_rotation_identity()};
    if (dew_look_is_clear(look)) {
        body.kind = look->kind == DEW_LOOK_FROSTED ? DEW_BODY_FROSTED : DEW_BODY_CLEAR;
        body.medium = dew_look_medium(look);
        body.priority = PRIORITY_SOLID + solid_id;
    }
    return body;
}

// What is drawn of a plane: a table or pane around the domain, or a side of the domain.
typedef struct Sheet {
    dew_Vec3 middle, u, v;  // u and v: half its edges
    dew_Vec3 below;         // from its front to its back; zero: it has none
} Sheet;

static dew_Vec3 mean_normal(const dew_Mesh *mesh)
{
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    const dew_Triangle *t = dew_mesh_triangles(mesh);
    dew_Vec3 normal = {0, 0, 0};
    for (int64_t i = 0; i < mesh->triangles.count; i++)
        normal = dew_add(normal, dew_cross(dew_sub(x[t[i].v[1]], x[t[i].v[0]]),
                                           dew_sub(x[t[i].v[2]], x[t[i].v[0]])));
    return dew_normalize(normal);
}

static bool is_side_wall(const dew_Problem *problem, int solid_id, dew_Vec3 normal)
{
    return dew_problem_solid_is_wall(problem, solid_id) && fabs(normal.y) < 0.5;
}

static Sheet plan_sheet(const dew_RenderScene *scene, int solid_id, bool is_pane,
                        const dew_Mesh *mesh)
{
    dew_Vec3 normal = mean_normal(mesh), at = dew_mesh_positions(mesh)[0];
    dew_Box box = dew_problem_domain(scene->problem);
    dew_Vec3 middle = dew_combine(0.5, box.min, 0.5, box.max), size = dew_sub(box.max, box.min);
    double large = dew_problem_width_m(scene->problem);
    Sheet sheet = {.middle =
                       dew_add_scaled(middle, dew_inner(dew_sub(at, middle), normal), normal)};
    bool is_side = is_side_wall(scene->problem, solid_id, normal);
    double depth = is_pane ? (is_side ? extent.wall_depth : extent.pane_depth) * large : 0;
    if (is_side) {
        sheet.u = fabs(normal.x) > 0.5 ? dew_vec(0, 0, size.z / 2) : dew_vec(size.x / 2, 0, 0);
        sheet.u = dew_add_scaled(sheet.u, depth,
                                 dew_normalize(sheet.u));  // walls overlap in the tank's corners
        sheet.v = dew_vec(0, size.y / 2, 0);
        if (dew_inner(dew_cross(sheet.u, sheet.v), normal) < 0)
            sheet.u = dew_scale(-1, sheet.u);
    } else {
        double half = (is_pane ? extent.pane : extent.table) * large;
        sheet.u = dew_scale(half, dew_any_tangent(normal));
        sheet.v = dew_cross(normal, sheet.u);
    }
    sheet.below = dew_scale(-depth, normal);
    return sheet;
}

static dew_Status sheet_mesh(const Sheet *sheet, bool is_pane, dew_Mesh *mesh)
{
    static const uint32_t faces[12][3] = {{0, 1, 2}, {0, 2, 3}, {4, 6, 5}, {4, 7, 6},
                                          {0, 4, 5}, {0, 5, 1}, {1, 5, 6}, {1, 6, 2},
                                          {2, 6, 7}, {2, 7, 3}, {3, 7, 4}, {3, 4, 0}};
    dew_mesh_clear(mesh);
    for (int i = 0; i < (is_pane ? 8 : 4); i++) {
        double a = i % 4 == 1 || i % 4 == 2 ? 1 : -1, b = i % 4 > 1 ? 1 : -1;
        dew_Vec3 corner = dew_add(sheet->middle, dew_combine(a, sheet->u, b, sheet->v));
        DEW_TRY(dew_mesh_add_vertex(mesh, dew_add_scaled(corner, i < 4 ? 0 : 1, sheet->below)));
    }
    for (int i = 0; i < (is_pane ? 12 : 2); i++)
        DEW_TRY(dew_mesh_add_triangle(mesh, faces[i][0], faces[i][1], faces[i][2]));
    return dew_ok();
}

// Vertices from rest to where the solid is, with their own coordinates and motion.
static void place_body(dew_RenderScene *scene, int solid_id, const dew_Instant *instant,
                       int64_t first)
{
    const dew_Solid *solid = &scene->problem->solids[solid_id];
    const dew_SolidPose *pose = instant && instant->poses ? &instant->poses[solid_id] : NULL;
    for (int64_t v = first; v < scene->positions.count; v++) {
        dew_Vec3 *x = &DEW_ITEMS(&scene->positions, dew_Vec3)[v];
        DEW_ITEMS(&scene->own, dew_Float3)[v] = dew_f3_from(dew_solid_to_own(solid, NULL, *x));
        if (!pose)
            continue;
        *x = dew_pose_apply(pose, solid->origin_m, *x);
        dew_Vec3 motion =
            dew_scale(scene->camera.shutter_s, dew_pose_velocity(pose, solid->origin_m, *x));
        DEW_ITEMS(&scene->motions, dew_Vec3)[v] = motion;
        scene->is_moving = scene->is_moving || dew_length2(motion) > 0;
    }
}

static void turn_normals(dew_RenderScene *scene, dew_Rotation rotation, int64_t first)
{
    for (int64_t c = first; c < scene->corner_normals.count; c++) {
        dew_Float3 *n = &DEW_ITEMS(&scene->corner_normals, dew_Float3)[c];
        *n = dew_f3_from(dew_rotate(rotation, dew_f3_wide(*n)));
    }
}

double dew_render_scene_px_per_m(const dew_RenderScene *scene)
{
    const dew_Camera *camera = &scene->camera;
    dew_Vec3 middle = dew_combine(0.5, scene->subject_m.min, 0.5, scene->subject_m.max);
    double distance = dew_inner(dew_sub(middle, camera->eye_m), camera->forward);
    distance = fmax(fmax(distance, camera->focus_m / 10), DBL_MIN);
    return camera->height_px / (2 * camera->half_height * distance);
}

// Where patches may be large (images in real time) edges are long too, in steps: zooming seldom
// cuts a solid anew. is_wet: wetness is known at vertices.
static double solid_edge(const dew_RenderScene *scene, int solid_id, bool is_wet)
{
    double edge_m = dew_solid_drawn_edge_m(scene->problem, solid_id), times = 1;
    if (!(edge_m > 0) || is_wet)
        return edge_m;
    dew_Box box = dew_problem_solid_box(scene->problem, solid_id);
    double full_m = DEW_DRAWN_EDGE_RATIO * dew_distance(box.min, box.max);
    double wanted = scene->patch_px / (dew_render_scene_px_per_m(scene) * full_m);
    while (2 * times <= fmin(wanted, MAX_COARSER))
        times *= 2;
    return edge_m * times;
}

// A side wall seen from behind would hide everything.
bool dew_render_scene_hides(const dew_RenderScene *scene, int solid_id)
{
    if (!dew_problem_solid_is_wall(scene->problem, solid_id))
        return false;
    dew_SolidPoint near =
        dew_problem_solid_nearest(scene->problem, NULL, solid_id, scene->camera.eye_m);
    return near.distance_m <= 0 && near.normal.y < 0.5;  // the floor stays
}

static dew_Status add_solid(dew_RenderScene *scene, int solid_id, const dew_RenderInstant *now,
                            dew_Mesh *mesh)
{
    const dew_Problem *problem = scene->problem;
    const dew_Solid *solid = &problem->solids[solid_id];
    if (dew_render_scene_hides(scene, solid_id))
        return dew_ok();
    bool is_wet = now->wet_meshes && now->wet_meshes[solid_id].mesh.triangle_count > 0;
    DEW_TRY(dew_problem_solid_mesh(problem, solid_id, solid_edge(scene, solid_id, is_wet), mesh));
    if (mesh->triangles.count == 0)
        return dew_ok();
    dew_RenderBody body = solid_body(scene, solid_id);
    if (solid->shape == DEW_SOLID_PLANE) {
        bool is_pane = body.kind != DEW_BODY_OPAQUE;
        bool is_side = is_side_wall(problem, solid_id, mean_normal(mesh));
        Sheet sheet = plan_sheet(scene, solid_id, is_pane, mesh);
        DEW_TRY(sheet_mesh(&sheet, is_pane, mesh));
        double size = dew_problem_width_m(problem);
        dew_Box box = dew_problem_domain(problem);
        body.fade_center_m = dew_combine(0.5, box.min, 0.5, box.max);
        if (!is_pane && !is_side) {
            body.fade_begin_m = (float)(extent.fade_begin * size);
            body.fade_end_m = (float)(extent.fade_end * size);
        }
    }
    const dew_SolidPose *pose =
        now->instant && now->instant->poses ? &now->instant->poses[solid_id] : NULL;
    dew_Rotation turned = pose ? pose->rotation : dew_rotation_identity();
    body.to_own = dew_rotation_inverse(dew_rotation_times(turned, solid->turn));
    if (is_wet)
        DEW_TRY(add_wet_map(scene, solid, &now->wet_meshes[solid_id], &body.wet_map));
    int64_t first = scene->positions.count, first_corner = scene->corner_normals.count;
    DEW_TRY(dew_render_scene_add_mesh(scene, &body, mesh, CREASE));
    place_body(scene, solid_id, now->instant, first);
    turn_normals(scene, turned, first_corner);
    return dew_ok();
}

// ---- an instant --------------------------------------------------------------------------------

static dew_Box find_subject(const dew_RenderScene *scene, const dew_RenderInstant *now)
{
    dew_Box box = dew_box_empty();
    if (now->surface)
        for (int64_t v = 0; v < now->surface->positions.count; v++)
            box = dew_box_add(box, DEW_ITEMS(&now->surface->positions, const dew_Vec3)[v]);
    if (box.min.x <= box.max.x)
        return box;
    for (int i = 0; i < scene->problem->solid_count; i++) {
        dew_Box solid = dew_problem_solid_box(scene->problem, i);
        if (dew_vec_is_finite(solid.min) && dew_vec_is_finite(solid.max))
            box = dew_box_union(box, solid);
    }
    return box;
}

static dew_Status set_camera(dew_RenderScene *scene, const dew_RenderInstant *now)
{
    if (now->camera)
        scene->camera = *now->camera;
    else
        DEW_TRY(dew_camera_resolve(&dew_problem_def(scene->problem)->camera, scene->subject_m,
                                   now->width_px, now->height_px, &scene->camera));
    if (now->shutter_s >= 0)
        scene->camera.shutter_s = now->shutter_s;
    if (now->camera)
        return dew_ok();
    DEW_TRY(dew_eye_check(scene->problem, now->instant));
    if (!dew_problem_def(scene->problem)->camera.is_given)
        dew_eye_free(scene->problem, now->instant,
                     dew_combine(0.5, scene->subject_m.min, 0.5, scene->subject_m.max),
                     &scene->camera);
    return dew_ok();
}

static dew_Status add_liquid(dew_RenderScene *scene, const dew_RenderInstant *now)
{
    dew_LiquidLook liquid = dew_problem_liquid_look(scene->problem);
    dew_RenderBody body = {.solid_id = DEW_INVALID,
                           .kind = liquid.is_opaque ? DEW_BODY_OPAQUE : DEW_BODY_CLEAR,
                           .look = liquid.look,
                           .medium = liquid.medium,
                           .priority = PRIORITY_LIQUID,
                           .to_own = dew_rotation_identity()};
    return dew_render_scene_add_surface(scene, &body, now->surface, now->instant, 0);
}

dew_Status dew_render_scene_set(dew_RenderScene *scene, const dew_RenderInstant *now)
{
    DEW_ASSERT(scene->problem);
    dew_render_scene_clear(scene);
    scene->subject_m = now->subject_m ? *now->subject_m : find_subject(scene, now);
    scene->patch_px = now->patch_px;
    DEW_TRY(set_camera(scene, now));
    dew_Mesh mesh;
    dew_mesh_init(&mesh, &scene->allocator);
    dew_Status status = dew_ok();
    for (int i = 0; status.code == DEW_OK && i < scene->problem->solid_count; i++)
        status = add_solid(scene, i, now, &mesh);
    dew_mesh_deinit(&mesh);
    if (status.code == DEW_OK && now->surface)
        status = add_liquid(scene, now);
    return status;
}
