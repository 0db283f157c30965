// Materials, camera and lights by USD's schemas UsdShade, UsdGeom and UsdLux [Pixar2016].
//
// Material: a UsdPreviewSurface has no transmission; its opacity is the part of light from all
// sides that does not pass, 1 - t (1 - F), with t the transmission and F the reflectance of a
// dielectric by Fresnel's equations, averaged over the hemisphere with the cosine: 0.066 for water.
// Where opacity is taken for coverage, clear drops so remain visible. Absorption by depth and thin
// walls cannot be stated.
//
// Camera: it looks along -z of its own, y is up; what counts of apertures and focal length are
// their ratios. Light: a distant light shines along -z of its own; `normalize` makes the intensity
// the irradiance on what faces it, as Dew's strength is.
#include "io/usd_scene.h"

#include "base/status.h"
#include "geom/vec.h"

#define APERTURE_WIDTH   36.0  // of the 35 mm format, in which users know focal lengths
#define DEPTH_RANGE      1e3   // clipping at the target's distance over and times this
#define INTERFACE_ANGLES 256   // of the quadrature over the hemisphere

static dew_Vec3 vec(const double x[3])
{
    return dew_vec(x[0], x[1], x[2]);
}

// ---- materials ---------------------------------------------------------------------------------

// Integral of R(theta) 2 cos(theta) sin(theta) over the hemisphere by the midpoint rule in
// sin^2(theta).
static double hemisphere_reflectance(double ior)
{
    double sum = 0;
    if (!(ior > 0))
        return 0;
    for (int i = 0; i < INTERFACE_ANGLES; i++) {
        double sin2 = (i + 0.5) / INTERFACE_ANGLES;
        double in = sqrt(1 - sin2), sin2_out = sin2 / (ior * ior);
        if (sin2_out >= 1) {
            sum += 1;
            continue;
        }
        double out = sqrt(1 - sin2_out);
        double s = (in - ior * out) / (in + ior * out), p = (ior * in - out) / (ior * in + out);
        sum += 0.5 * (s * s + p * p);
    }
    return sum / INTERFACE_ANGLES;
}

double dew_usd_opacity(const dew_AnimationMaterial *material)
{
    double t = material->transmission * (1 - material->metalness);
    return 1 - t * (1 - hemisphere_reflectance(material->ior));
}

static dew_Status set_float(dew_UsdStage *stage, int prim, const char *name, double x)
{
    float value = (float)x;
    return dew_usd_constant(stage, prim, name, DEW_USD_FLOAT, &value);
}

static dew_Status set_color(dew_UsdStage *stage, int prim, const char *name, const double x[3])
{
    float value[3] = {(float)x[0], (float)x[1], (float)x[2]};
    return dew_usd_constant(stage, prim, name, DEW_USD_COLOR3F, value);
}

static dew_Status add_shader(dew_UsdStage *stage, int prim, const dew_AnimationMaterial *m)
{
    int output;
    dew_UsdPropertyDef surface = {.name = "outputs:surface", .type = DEW_USD_TOKEN};
    DEW_TRY(dew_usd_uniform_token(stage, prim, "info:id", "UsdPreviewSurface"));
    DEW_TRY(set_color(stage, prim, "inputs:diffuseColor", m->color));
    DEW_TRY(set_float(stage, prim, "inputs:metallic", m->metalness));
    DEW_TRY(set_float(stage, prim, "inputs:roughness", m->roughness));
    DEW_TRY(set_float(stage, prim, "inputs:ior", m->ior));
    DEW_TRY(set_float(stage, prim, "inputs:opacity", dew_usd_opacity(m)));
    return dew_usd_declare(stage, prim, &surface, &output);
}

static dew_Status add_material(dew_UsdStage *stage, int scope, const dew_AnimationMaterial *m,
                               int *prim)
{
    int shader, output;
    DEW_TRY(dew_usd_add_prim(stage, scope, m->name, "Material", NULL, prim));
    DEW_TRY(dew_usd_add_prim(stage, *prim, "surface", "Shader", NULL, &shader));
    DEW_TRY(add_shader(stage, shader, m));
    dew_UsdPropertyDef surface = {.name = "outputs:surface",
                                  .type = DEW_USD_TOKEN,
                                  .has_target = true,
                                  .target = shader,
                                  .target_property = "outputs:surface"};
    return dew_usd_declare(stage, *prim, &surface, &output);
}

// ---- camera and lights -------------------------------------------------------------------------

// A right-handed frame whose z axis is `back`, at `place`, and its only transform operation.
static dew_Status set_frame(dew_UsdStage *stage, int prim, dew_Vec3 back, dew_Vec3 up,
                            dew_Vec3 place)
{
    static const char *const order[] = {"xformOp:transform"};
    int property;
    dew_Vec3 z = dew_normalize(back);
    if (!(dew_length2(z) > 0))
        z = dew_vec(0, 0, 1);
    dew_Vec3 x = dew_normalize(dew_cross(up, z));
    if (!(dew_length2(x) > 0))  // it looks straight up or down
        x = dew_any_tangent(z);
    dew_Vec3 y = dew_cross(z, x);
    double rows[16] = {x.x, x.y, x.z, 0, y.x,     y.y,     y.z,     0,
                       z.x, z.y, z.z, 0, place.x, place.y, place.z, 1};
    dew_UsdPropertyDef def = {
        .name = "xformOpOrder", .type = DEW_USD_TOKEN, .is_array = true, .is_uniform = true};
    DEW_TRY(dew_usd_constant(stage, prim, "xformOp:transform", DEW_USD_MATRIX4D, rows));
    DEW_TRY(dew_usd_declare(stage, prim, &def, &property));
    return dew_usd_set(stage, property, order, 1);
}

static dew_Status add_camera(dew_UsdStage *stage, int root, const dew_AnimationCamera *camera)
{
    DEW_ASSERT(camera->width > 0 && camera->height > 0);
    int prim;
    const char *projection = "perspective";
    dew_Vec3 eye = vec(camera->eye), back = dew_sub(eye, vec(camera->target));
    double distance = dew_length(back);
    if (!(distance > 0))
        distance = 1;
    double height = APERTURE_WIDTH * camera->height / camera->width;
    double focal_length = height / (2 * tan(camera->vertical_fov_rad / 2));
    float clipping[2] = {(float)(distance / DEPTH_RANGE), (float)(distance * DEPTH_RANGE)};
    DEW_TRY(dew_usd_add_prim(stage, root, "Camera", "Camera", NULL, &prim));
    DEW_TRY(set_frame(stage, prim, back, vec(camera->up), eye));
    DEW_TRY(dew_usd_constant(stage, prim, "projection", DEW_USD_TOKEN, &projection));
    DEW_TRY(set_float(stage, prim, "horizontalAperture", APERTURE_WIDTH));
    DEW_TRY(set_float(stage, prim, "verticalAperture", height));
    DEW_TRY(set_float(stage, prim, "focalLength", focal_length));
    DEW_TRY(set_float(stage, prim, "focusDistance", distance));
    return dew_usd_constant(stage, prim, "clippingRange", DEW_USD_FLOAT2, clipping);
}

static dew_Status add_light(dew_UsdStage *stage, int scope, int number,
                            const dew_AnimationLight *light)
{
    int prim;
    const char *name = dew_arena_format(&stage->arena, "light_%d", number);
    if (!name)
        return dew_no_memory(1);
    int32_t yes = 1;
    dew_Vec3 back = dew_scale(-1, vec(light->direction));
    dew_Vec3 up = stage->is_z_up ? dew_vec(0, 0, 1) : dew_vec(0, 1, 0);
    DEW_TRY(dew_usd_add_prim(stage, scope, name, "DistantLight", NULL, &prim));
    DEW_TRY(set_frame(stage, prim, back, up, dew_vec(0, 0, 0)));
    DEW_TRY(set_color(stage, prim, "inputs:color", light->color));
    DEW_TRY(set_float(stage, prim, "inputs:intensity", light->strength));
    return dew_usd_constant(stage, prim, "inputs:normalize", DEW_USD_BOOL, &yes);
}

dew_Status dew_usd_add_scene(dew_UsdStage *stage, int root, const dew_AnimationDef *def,
                             int *materials)
{
    int scope;
    if (def->material_count > 0)
        DEW_TRY(dew_usd_add_prim(stage, root, "Materials", "Scope", NULL, &scope));
    for (int i = 0; i < def->material_count; i++)
        DEW_TRY(add_material(stage, scope, &def->materials[i], &materials[i]));
    if (def->camera)
        DEW_TRY(add_camera(stage, root, def->camera));
    if (def->light_count > 0)
        DEW_TRY(dew_usd_add_prim(stage, root, "Lights", "Scope", NULL, &scope));
    for (int i = 0; i < def->light_count; i++)
        DEW_TRY(add_light(stage, scope, i + 1, &def->lights[i]));
    return dew_ok();
}
