// What things look like, for materials of the kind "metallic and roughness" that scene formats
// have: a color, a roughness, metal or not, clear or not.
//
// Patterns (wood, leaves, marble) are functions of space; a material of a file has one color. It is
// the mean over the surface of the solid, as are roughness and metalness. A coat that covers a
// fraction of a rough base has the mean roughness.
#include "export/looks.h"

#include "base/number.h"
#include "base/status.h"
#include "geom/mesh_measure.h"
#include "problem/resolved.h"
#include "render/camera.h"
#include "render/environment.h"
#include "render/eye.h"
#include "render/solid_look.h"
#include "surface/surface.h"

#include <math.h>
#include <string.h>

#define MEAN_SAMPLES     4096  // at least so many, where looks are averaged
#define FRAMES_LOOKED_AT 12    // for a camera that the scene does not give, as `dew render` does

void dew_export_looks_init(dew_ExportLooks *looks, const dew_Allocator *allocator)
{
    *looks = (dew_ExportLooks){0};
    dew_array_init(&looks->materials, allocator, sizeof(dew_AnimationMaterial));
    dew_array_init(&looks->lights, allocator, sizeof(dew_AnimationLight));
}

void dew_export_looks_deinit(dew_ExportLooks *looks)
{
    dew_array_deinit(&looks->materials);
    dew_array_deinit(&looks->lights);
}

static void put(double out[3], dew_Vec3 a)
{
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}

// ---- materials ---------------------------------------------------------------------------------

// Looks are in single precision; 1.333 is to stay 1.333.
static double decimal(float x)
{
    char text[DEW_NUMBER_SIZE];
    double out = (double)x;
    dew_number_parse(text, dew_number_format_single(x, text), &out);
    return out;
}

// Color: what is left of white light behind the depth at which the mean absorption leaves 1 / e.
static void set_medium(dew_Medium medium, dew_ExportSpace space, dew_AnimationMaterial *out)
{
    dew_Vec3 a = dew_f3_wide(medium.absorption_1_m);
    double mean = (a.x + a.y + a.z) / 3;
    out->transmission = 1;
    out->ior = decimal(medium.ior);
    put(out->absorption, dew_scale(1 / space.scale, a));
    put(out->color, mean > 0 ? dew_vec(exp(-a.x / mean), exp(-a.y / mean), exp(-a.z / mean))
                             : dew_vec(1, 1, 1));
}

typedef struct Mean {
    dew_Vec3 color;
    double roughness, metalness, ior;
    double weight;
} Mean;

static void add_finish(const dew_Look *look, dew_Vec3 own_m, double weight, Mean *mean)
{
    dew_Finish finish = dew_look_at(look, dew_f3_from(own_m), dew_f3(0, 1, 0), 0);
    double coat = (double)finish.coat, metal = (double)finish.metal;
    double base = metal * (double)finish.base_roughness + (1 - metal);
    mean->color = dew_add_scaled(mean->color, weight, dew_f3_wide(finish.albedo));
    mean->roughness += weight * (coat * (double)finish.coat_roughness + (1 - coat) * base);
    mean->metalness += weight * metal;
    mean->ior += weight * (double)finish.ior;
    mean->weight += weight;
}

// Rounded to single precision: a color of 0.7 all over the solid is to stay 0.7.
static void set_opaque(const Mean *mean, dew_AnimationMaterial *out)
{
    double n = mean->weight;
    dew_Float3 color = dew_f3_from(dew_scale(1 / n, mean->color));
    put(out->color, dew_vec(decimal(color.x), decimal(color.y), decimal(color.z)));
    out->roughness = decimal((float)(mean->roughness / n));
    out->metalness = decimal((float)(mean->metalness / n));
    out->ior = decimal((float)(mean->ior / n));
}

static bool is_preset(const dew_LiquidDef *liquid, const char *name)
{
    dew_LiquidDef preset;
    return dew_liquid_preset(name, &preset).code == DEW_OK &&
           preset.density_kg_m3 == liquid->density_kg_m3 &&
           preset.viscosity_Pa_s == liquid->viscosity_Pa_s &&
           preset.surface_tension_N_m == liquid->surface_tension_N_m;
}

static const char *liquid_name(const dew_LiquidDef *liquid)
{
    static const char *const names[] = {"water", "glycerol", "ethanol", "mercury", "blood", "milk"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is_preset(liquid, names[i]))
            return names[i];
    return "liquid";
}

static dew_Status add_liquid(dew_ExportLooks *looks, const dew_Problem *problem,
                             dew_ExportSpace space)
{
    dew_LiquidLook look = dew_problem_liquid_look(problem);
    dew_AnimationMaterial material = {.name = liquid_name(&dew_problem_def(problem)->liquid)};
    Mean mean = {0};
    if (look.is_opaque) {
        add_finish(&look.look, dew_vec(0, 0, 0), 1, &mean);
        set_opaque(&mean, &material);
    } else {
        set_medium(look.medium, space, &material);
    }
    return dew_array_push(&looks->materials, &material);
}

// In the middles of the n^2 triangles into which lines parallel to its sides divide a triangle.
static void add_triangle(const dew_Look *look, const dew_Solid *solid, const dew_Mesh *mesh,
                         int64_t triangle, double all_area, Mean *mean)
{
    const uint32_t *v = dew_mesh_triangles(mesh)[triangle].v;
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    dew_Vec3 p = x[v[0]], a = dew_sub(x[v[1]], p), b = dew_sub(x[v[2]], p);
    double area = dew_length(dew_cross(a, b)) / 2;
    int n = (int)ceil(sqrt(MEAN_SAMPLES * area / all_area));
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2 * (n - i) - 1; k++) {  // a row: upright and inverted in turn
            int column = k / 2;
            double third = (k % 2 ? 2.0 : 1.0) / 3, s = (i + third) / n, u = (column + third) / n;
            dew_Vec3 at = dew_add(p, dew_combine(u, a, s, b));
            add_finish(look, dew_solid_to_own(solid, NULL, at), area / ((double)n * n), mean);
        }
}

static void resolve(const dew_Problem *problem, const dew_ExportSolid *solid, dew_ExportSpace space,
                    dew_AnimationMaterial *out)
{
    dew_Look look = dew_solid_look(problem, solid->solid_id);
    const dew_Solid *shape = &problem->solids[solid->solid_id];
    Mean mean = {0};
    if (dew_look_is_clear(&look)) {
        set_medium(dew_look_medium(&look), space, out);
        out->roughness = fmax(decimal(dew_look_least_roughness(look.kind)),
                              look.kind == DEW_LOOK_FROSTED ? decimal(look.roughness) : 0);
        return;
    }
    double area = dew_mesh_measure(&solid->mesh).area_m2;
    for (int64_t t = 0; t < solid->mesh.triangles.count; t++)
        add_triangle(&look, shape, &solid->mesh, t, area, &mean);
    set_opaque(&mean, out);
}

// The material of that name and kind of surface; DEW_INVALID: it is not there yet.
static int find(const dew_ExportLooks *looks, const char *name, bool is_thin)
{
    for (int64_t i = 1; i < looks->materials.count; i++) {
        const dew_AnimationMaterial *m =
            &DEW_ITEMS(&looks->materials, const dew_AnimationMaterial)[i];
        if (strcmp(m->name, name) == 0 && m->is_thin == is_thin)
            return (int)i;
    }
    return DEW_INVALID;
}

static dew_Status add_material(dew_ExportLooks *looks, const dew_Problem *problem,
                               dew_ExportSolid *solid, dew_ExportSpace space, dew_Arena *arena)
{
    dew_SolidShape shape = problem->solids[solid->solid_id].shape;
    const char *name = dew_solid_material_name(problem, solid->solid_id);
    bool is_thin = shape == DEW_SOLID_PLANE || shape == DEW_SOLID_HEIGHTFIELD;
    dew_AnimationMaterial material = {.name = name ? name : "solid", .is_thin = is_thin};
    solid->material = find(looks, material.name, is_thin);
    if (solid->material != DEW_INVALID)
        return dew_ok();
    solid->material = (int)looks->materials.count;
    resolve(problem, solid, space, &material);
    material.name = dew_arena_text(arena, material.name, strlen(material.name));
    if (!material.name)
        return dew_no_memory(64);
    return dew_array_push(&looks->materials, &material);
}

dew_Status dew_export_looks_materials(dew_ExportLooks *looks, const dew_Problem *problem,
                                      dew_ExportSolids *solids, dew_ExportSpace space,
                                      dew_Arena *arena)
{
    DEW_TRY(add_liquid(looks, problem, space));
    for (int i = 0; i < solids->count; i++)
        DEW_TRY(add_material(looks, problem, &solids->solids[i], space, arena));
    return dew_ok();
}

// ---- lights ------------------------------------------------------------------------------------

static dew_Status add_sun(dew_ExportLooks *looks, const char *environment, dew_ExportSpace space,
                          const dew_Allocator *allocator)
{
    dew_Environment *sky;
    dew_Light sun;
    if (!environment || strcmp(environment, "sky") != 0)  // no other one has a sun of its own
        return dew_ok();
    DEW_TRY(dew_environment_create(environment, NULL, allocator, &sky));
    bool has_sun = dew_environment_sun(sky, &sun);
    dew_environment_destroy(sky);
    if (!has_sun)
        return dew_ok();
    dew_AnimationLight light = {.strength = (double)sun.solid_angle};
    put(light.direction, dew_export_direction(space, dew_scale(-1, dew_f3_wide(sun.towards))));
    put(light.color, dew_f3_wide(sun.radiance));
    return dew_array_push(&looks->lights, &light);
}

dew_Status dew_export_looks_lights(dew_ExportLooks *looks, const dew_Problem *problem,
                                   dew_ExportSpace space)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    for (int i = 0; i < dew_scene_light_count(scene); i++) {
        const dew_LightDef *def = dew_scene_light(scene, i);
        dew_AnimationLight light = {.strength = def->strength};
        put(light.direction, dew_export_direction(space, dew_normalize(def->direction)));
        put(light.color, def->color);
        if (def->strength > 0)
            DEW_TRY(dew_array_push(&looks->lights, &light));
    }
    return add_sun(looks, dew_scene_def(scene)->environment, space, &looks->lights.allocator);
}

// ---- camera ------------------------------------------------------------------------------------

static dew_Status add_bounds(dew_RunReader *reader, int64_t frame, dew_Surface *surface,
                             dew_Box *box)
{
    DEW_TRY(dew_run_reader_surface(reader, frame, surface));
    for (int64_t v = 0; v < surface->positions.count; v++)
        *box = dew_box_add(*box, DEW_ITEMS(&surface->positions, const dew_Vec3)[v]);
    return dew_ok();
}

// Around the liquid, looked at in a few frames; around the solids when there is none.
static dew_Status find_subject(dew_RunReader *reader, const dew_Problem *problem, int64_t first,
                               int64_t last, const dew_Allocator *allocator, dew_Box *box)
{
    dew_Surface *surface;
    int64_t span = last - first;
    *box = dew_box_empty();
    DEW_TRY(dew_surface_create(allocator, &surface));
    dew_Status status = dew_ok();
    for (int64_t i = 0; i <= span && i < FRAMES_LOOKED_AT && status.code == DEW_OK; i++) {
        int64_t step = span < FRAMES_LOOKED_AT ? i : i * span / (FRAMES_LOOKED_AT - 1);
        status = add_bounds(reader, first + step, surface, box);
    }
    dew_surface_destroy(surface);
    bool is_empty = !(box->min.x <= box->max.x);
    for (int i = 0; is_empty && i < dew_problem_solid_count(problem); i++) {
        dew_Box solid = dew_problem_solid_box(problem, i);
        if (dew_vec_is_finite(solid.min) && dew_vec_is_finite(solid.max))
            *box = dew_box_union(*box, solid);
    }
    return status;
}

dew_Status dew_export_looks_camera(dew_ExportLooks *looks, dew_RunReader *reader,
                                   const dew_Problem *problem, int64_t first, int64_t last,
                                   dew_ExportSpace space)
{
    const dew_CameraDef *def = &dew_problem_def(problem)->camera;
    dew_Box box = dew_box_empty();
    dew_Camera camera;
    if (!def->is_given) {
        DEW_TRY(find_subject(reader, problem, first, last, &looks->lights.allocator, &box));
        if (!(box.min.x <= box.max.x))
            return dew_ok();
    }
    DEW_TRY(dew_camera_resolve(def, box, 0, 0, &camera));
    if (!def->is_given)
        dew_eye_free(problem, NULL, dew_combine(0.5, box.min, 0.5, box.max), &camera);
    dew_Vec3 target = dew_add_scaled(camera.eye_m, camera.focus_m, camera.forward);
    put(looks->camera.eye, dew_export_point(space, camera.eye_m));
    put(looks->camera.target, dew_export_point(space, target));
    put(looks->camera.up, dew_export_direction(space, camera.up));
    looks->camera.vertical_fov_rad = 2 * atan(camera.half_height);
    looks->camera.width = camera.width_px;
    looks->camera.height = camera.height_px;
    looks->has_camera = true;
    return dew_ok();
}
