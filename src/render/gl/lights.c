// Lights and ambient light of a scene.
//
// Places of the map that are much brighter than its mean, taken together by flooding from the
// brightest texel, become lights: a softbox, a street light, the sun in an image. What they stand
// for is taken out of the ambient light, which is kept as nine coefficients of spherical harmonics
// [Ramamoorthi2001]. Below a table the surroundings are what the table sends back.
#ifdef DEW_HAVE_GL
#include "render/gl/lights.h"

#include "base/status.h"

#include <string.h>

#define CELL_TEXELS    4      // of the map along a side of a cell
#define LIGHT_RATIO    4.0f   // of a light's radiance to the mean
#define MIN_IRRADIANCE 0.08f  // of the mean: weaker lights are left in the ambient light
#define MAX_RADIUS_RAD 0.5f   // of a light
#define MIN_RADIUS_RAD 1e-3f

enum { WIDTH = DEW_GL_MAP_WIDTH / CELL_TEXELS, HEIGHT = DEW_GL_MAP_HEIGHT / CELL_TEXELS };

// ---- the map -----------------------------------------------------------------------------------

typedef struct Filling {
    const dew_Environment *environment;
    float *rgba;
} Filling;

static dew_Float3 direction_of(double u, double v)
{
    double turn = 2 * DEW_PI * (u - 0.5), fall = DEW_PI * v;
    return dew_f3((float)(sin(fall) * sin(turn)), (float)cos(fall),
                  (float)(-sin(fall) * cos(turn)));
}

static dew_Status fill_rows(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Filling *filling = context;
    for (int64_t y = begin; y < end; y++)
        for (int64_t x = 0; x < DEW_GL_MAP_WIDTH; x++) {
            dew_Float3 d = direction_of(((double)x + 0.5) / DEW_GL_MAP_WIDTH,
                                        ((double)y + 0.5) / DEW_GL_MAP_HEIGHT);
            dew_Float3 light = dew_environment_seen(filling->environment, d);
            memcpy(filling->rgba + 4 * (y * DEW_GL_MAP_WIDTH + x), &light, sizeof light);
        }
    return dew_ok();
}

dew_Status dew_gl_map_fill(const dew_Environment *environment, dew_Tasks *tasks, float *rgba)
{
    Filling filling = {environment, rgba};
    return dew_parallel_for(tasks, DEW_GL_MAP_HEIGHT, 8, fill_rows, &filling);
}

typedef struct Backdrop {
    const dew_Environment *environment;
    const dew_Camera *camera;
    int width, height;
    float *rgba;
} Backdrop;

static dew_Status fill_backdrop(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Backdrop *drop = context;
    const dew_Camera *camera = drop->camera;
    for (int64_t y = begin; y < end; y++)
        for (int64_t x = 0; x < drop->width; x++) {
            double a = (2 * ((double)x + 0.5) / drop->width - 1) * camera->half_width;
            double b = (2 * ((double)y + 0.5) / drop->height - 1) * camera->half_height;
            dew_Vec3 d = dew_add(camera->forward, dew_combine(a, camera->right, b, camera->up));
            dew_Float3 light =
                dew_environment_seen(drop->environment, dew_f3_from(dew_normalize(d)));
            memcpy(drop->rgba + 4 * (y * drop->width + x), &light, sizeof light);
        }
    return dew_ok();
}

dew_Status dew_gl_backdrop_fill(const dew_Environment *environment, const dew_Camera *camera,
                                int width, int height, dew_Tasks *tasks, float *rgba)
{
    Backdrop drop = {environment, camera, width, height, rgba};
    return dew_parallel_for(tasks, height, 8, fill_backdrop, &drop);
}

// ---- lights in the map --------------------------------------------------------------------------

typedef struct Cells {
    dew_Float3 *light;  // per cell
    float *solid_angle;
    uint8_t *is_taken;
    int32_t *queue;
    float mean;  // luminance over the sphere
} Cells;

static dew_Float3 cell_direction(int64_t i)
{
    int64_t x = i % WIDTH, y = i / WIDTH;
    return direction_of(((double)x + 0.5) / WIDTH, ((double)y + 0.5) / HEIGHT);
}

static dew_Status make_cells(const float *map, dew_Arena *scratch, Cells *cells)
{
    int64_t count = WIDTH * HEIGHT;
    cells->light = dew_arena_array(scratch, dew_Float3, count);
    cells->solid_angle = dew_arena_array(scratch, float, count);
    cells->is_taken = dew_arena_array(scratch, uint8_t, count);
    cells->queue = dew_arena_array(scratch, int32_t, count);
    if (!cells->light || !cells->solid_angle || !cells->is_taken || !cells->queue)
        return dew_no_memory((size_t)count * 24);
    double sum = 0;
    for (int64_t i = 0; i < count; i++) {
        dew_Float3 light = dew_f3_all(0);
        for (int k = 0; k < CELL_TEXELS * CELL_TEXELS; k++) {
            int64_t x = i % WIDTH * CELL_TEXELS + k % CELL_TEXELS,
                    y = i / WIDTH * CELL_TEXELS + k / CELL_TEXELS;
            const float *texel = map + 4 * (y * DEW_GL_MAP_WIDTH + x);
            light = dew_f3_add_scaled(light, 1.0f / (CELL_TEXELS * CELL_TEXELS),
                                      dew_f3(texel[0], texel[1], texel[2]));
        }
        int64_t row = i / WIDTH;
        double top = DEW_PI * (double)row / HEIGHT, bottom = top + DEW_PI / HEIGHT;
        cells->light[i] = light;
        cells->solid_angle[i] = (float)(2 * DEW_PI / WIDTH * (cos(top) - cos(bottom)));
        sum += (double)(dew_luminance(light) * cells->solid_angle[i]);
    }
    cells->mean = (float)(sum / (4 * DEW_PI));
    return dew_ok();
}

// Sums over a light while it is gathered.
typedef struct Gathering {
    dew_Float3 light;  // irradiance
    dew_Float3 towards;
    double weight, spread;  // of squared angles about the brightest cell
} Gathering;

static float light_part(const Cells *cells, int64_t i)
{
    return 1 - LIGHT_RATIO * cells->mean / dew_luminance(cells->light[i]);
}

static void gather(const Cells *cells, int64_t i, dew_Float3 peak, Gathering *g)
{
    float strength = light_part(cells, i) * cells->solid_angle[i];
    float weight = strength * dew_luminance(cells->light[i]);
    dew_Float3 d = cell_direction(i);
    double angle = acos(fmin(1, (double)dew_f3_inner(d, peak)));
    g->light = dew_f3_add_scaled(g->light, strength, cells->light[i]);
    g->towards = dew_f3_add_scaled(g->towards, weight, d);
    g->weight += (double)weight;
    g->spread += (double)weight * angle * angle;
}

// Floods from a cell over those that are bright and near it; they end in the queue.
static dew_GlLight flood(Cells *cells, int64_t peak, int64_t *cell_count)
{
    float threshold = LIGHT_RATIO * cells->mean;
    dew_Float3 towards = cell_direction(peak);
    int64_t head = 0, tail = 0;
    Gathering g = {0};
    cells->queue[tail++] = (int32_t)peak;
    cells->is_taken[peak] = 1;
    while (head < tail) {
        int64_t i = cells->queue[head++], x = i % WIDTH, y = i / WIDTH;
        const int64_t next[4] = {y * WIDTH + (x + 1) % WIDTH, y * WIDTH + (x + WIDTH - 1) % WIDTH,
                                 y > 0 ? i - WIDTH : i, y + 1 < HEIGHT ? i + WIDTH : i};
        gather(cells, i, towards, &g);
        for (int k = 0; k < 4; k++)
            if (!cells->is_taken[next[k]] && dew_luminance(cells->light[next[k]]) > threshold &&
                dew_f3_inner(cell_direction(next[k]), towards) > cosf(2 * MAX_RADIUS_RAD)) {
                cells->is_taken[next[k]] = 1;
                cells->queue[tail++] = (int32_t)next[k];
            }
    }
    *cell_count = tail;
    // Of an even disk the mean squared angle is half its squared radius.
    float radius = (float)sqrt(2 * g.spread / g.weight);
    return (dew_GlLight){.towards = dew_f3_unit(g.towards),
                         .irradiance = g.light,
                         .radius_rad = dew_maxf(dew_minf(radius, MAX_RADIUS_RAD), MIN_RADIUS_RAD),
                         .is_in_map = true};
}

// In order of strength; without room it is not added.
static bool add_light(dew_GlLights *lights, dew_GlLight light)
{
    if (lights->count == DEW_GL_LIGHTS)
        return false;
    int at = lights->count++;
    for (; at > 0 &&
           dew_luminance(lights->lights[at - 1].irradiance) < dew_luminance(light.irradiance);
         at--)
        lights->lights[at] = lights->lights[at - 1];
    lights->lights[at] = light;
    return true;
}

static int64_t brightest(const Cells *cells)
{
    int64_t peak = -1;
    for (int64_t i = 0; i < WIDTH * HEIGHT; i++)
        if (!cells->is_taken[i] && dew_luminance(cells->light[i]) > LIGHT_RATIO * cells->mean &&
            (peak < 0 || dew_luminance(cells->light[i]) > dew_luminance(cells->light[peak])))
            peak = i;
    return peak;
}

static void find_bright(Cells *cells, dew_GlLights *out)
{
    enum { TRIES = 8 };
    for (int tries = 0; tries < TRIES; tries++) {
        int64_t peak = brightest(cells), count = 0;
        if (peak < 0)
            return;
        dew_GlLight found = flood(cells, peak, &count);
        if (dew_luminance(found.irradiance) < MIN_IRRADIANCE * (float)DEW_PI * cells->mean ||
            !add_light(out, found))
            continue;
        for (int64_t k = 0; k < count; k++) {
            dew_Float3 *light = &cells->light[cells->queue[k]];
            *light = dew_f3_scale(1 - light_part(cells, cells->queue[k]), *light);
        }
    }
}

// ---- the rest ----------------------------------------------------------------------------------

// Irradiance / pi: [Ramamoorthi2001] eq. (11) with the bases' constants put in.
static void set_ambient(const Cells *cells, dew_GlLights *out)
{
    static const float scale[9] = {0.25f,   0.5f,      0.5f,    0.5f,     0.9375f,
                                   0.9375f, 0.078125f, 0.9375f, 0.234375f};
    memset(out->ambient, 0, sizeof out->ambient);
    for (int64_t i = 0; i < WIDTH * HEIGHT; i++) {
        dew_Float3 d = cell_direction(i), light = cells->light[i];
        if (out->has_table && dew_f3_inner(d, out->table_normal) < 0)
            light = out->table_light;
        const float basis[9] = {1,
                                d.y,
                                d.z,
                                d.x,
                                d.x * d.y,
                                d.y * d.z,
                                3 * d.z * d.z - 1,
                                d.x * d.z,
                                d.x * d.x - d.y * d.y};
        for (int k = 0; k < 9; k++)
            out->ambient[k] = dew_f3_add_scaled(
                out->ambient[k], scale[k] * basis[k] * cells->solid_angle[i] / (float)DEW_PI,
                light);
    }
}

static dew_Float3 mean_albedo(const dew_RenderBody *body)
{
    enum { SIDE = 8 };
    dew_Float3 sum = dew_f3_all(0);
    for (int i = 0; i < SIDE * SIDE; i++) {
        float span = 1 / (body->look.scale > 0 ? body->look.scale : 1);
        int column = i % SIDE, row = i / SIDE;
        dew_Float3 at = {span * ((float)column / SIDE - 0.5f), 0,
                         span * ((float)row / SIDE - 0.5f)};
        dew_Finish finish = dew_look_at(&body->look, at, dew_f3(0, 1, 0), 0);
        sum = dew_f3_add_scaled(sum, 1.0f / (SIDE * SIDE), finish.albedo);
    }
    return sum;
}

// A body that fades into the distance is a table; the one that faces up most counts.
static void find_table(const dew_RenderScene *scene, const Cells *cells, dew_GlLights *out)
{
    const dew_RenderBody *table = NULL;
    for (int64_t t = 0; t < scene->triangles.count; t++) {
        uint32_t b = DEW_ITEMS(&scene->triangle_body, const uint32_t)[t];
        const dew_RenderBody *body = &DEW_ITEMS(&scene->bodies, const dew_RenderBody)[b];
        dew_Float3 n = DEW_ITEMS(&scene->corner_normals, const dew_Float3)[3 * t];
        if (!(body->fade_begin_m > 0) || (table && n.y <= out->table_normal.y))
            continue;
        uint32_t v = DEW_ITEMS(&scene->triangles, const dew_Triangle)[t].v[0];
        table = body;
        out->has_table = true;
        out->table_normal = n;
        out->table_offset_m =
            (float)dew_inner(dew_f3_wide(n), DEW_ITEMS(&scene->positions, const dew_Vec3)[v]);
    }
    if (!table)
        return;
    dew_Float3 arriving = dew_f3_all(0);
    for (int64_t i = 0; i < WIDTH * HEIGHT; i++) {
        float facing = dew_f3_inner(cell_direction(i), out->table_normal);
        if (facing > 0)
            arriving = dew_f3_add_scaled(arriving, facing * cells->solid_angle[i], cells->light[i]);
    }
    for (int i = 0; i < out->count; i++)
        arriving = dew_f3_add_scaled(
            arriving, dew_maxf(dew_f3_inner(out->lights[i].towards, out->table_normal), 0),
            out->lights[i].irradiance);
    out->table_light = dew_f3_scale((float)(1 / DEW_PI), dew_f3_mul(mean_albedo(table), arriving));
}

static dew_GlLight light_of(const dew_Light *light)
{
    float half = 2 * asinf(sqrtf(light->solid_angle / (4 * (float)DEW_PI)));
    float sine = sinf(half);
    return (dew_GlLight){.towards = light->towards,
                         .irradiance = dew_f3_scale((float)DEW_PI * sine * sine, light->radiance),
                         .radius_rad = dew_maxf(half, MIN_RADIUS_RAD)};
}

dew_Status dew_gl_lights_find(const dew_RenderScene *scene, const float *map_rgba,
                              dew_Arena *scratch, dew_GlLights *out)
{
    Cells cells = {0};
    *out = (dew_GlLights){0};
    DEW_TRY(make_cells(map_rgba, scratch, &cells));
    for (int64_t i = 0; i < scene->lights.count; i++)
        add_light(out, light_of(&DEW_ITEMS(&scene->lights, const dew_Light)[i]));
    find_bright(&cells, out);
    find_table(scene, &cells, out);
    set_ambient(&cells, out);
    return dew_ok();
}
#endif
