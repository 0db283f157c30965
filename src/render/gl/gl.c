// The engine: a context without a display, and pictures as means of a few shifted ones.
//
// A sample of the ray tracer is one path; here four of them pay for one drawing of the whole picture.
// Drawings differ in where pixels, lens and lamps are looked at: edges, depth of field and shadows become
// soft as their number grows. Up to four samples are one drawing at the live level.
#include "render/gl/gl.h"

#include "base/status.h"

#ifdef DEW_HAVE_GL
#include "render/gl/drawing.h"
#include "render/gl/egl.h"

#define SAMPLES_PER_SHOT 4
#define MAX_SHOTS        64

typedef struct Engine {
    dew_GlContext *context;
    dew_GlDrawing *drawing;
    const dew_Environment *environment;  // that the drawing shows
    dew_Array rgba;                      // float
    dew_Allocator allocator;
} Engine;

static void close_engine(void *state)
{
    Engine *engine = state;
    if (engine->context && engine->drawing && dew_gl_context_begin(engine->context).code == DEW_OK)
        dew_gl_drawing_destroy(engine->drawing);
    dew_gl_context_destroy(engine->context);
    dew_array_deinit(&engine->rgba);
    dew_Allocator allocator = engine->allocator;
    dew_free(&allocator, engine, sizeof *engine);
}

static dew_Status open_engine(const dew_Allocator *allocator, void **state)
{
    Engine *engine = dew_alloc(allocator, 1, sizeof *engine);
    *state = NULL;
    if (!engine)
        return dew_no_memory(sizeof *engine);
    if (allocator)
        engine->allocator = *allocator;
    dew_array_init(&engine->rgba, allocator, sizeof(float));
    dew_Status status = dew_gl_context_create(DEW_GL_ES3, allocator, &engine->context);
    if (status.code == DEW_OK)
        status = dew_gl_drawing_create(dew_gl_context_calls(engine->context), allocator,
                                       &engine->drawing);
    if (status.code != DEW_OK) {
        close_engine(engine);
        return status;
    }
    dew_gl_context_end(engine->context);
    *state = engine;
    return dew_ok();
}

// ---- shots -------------------------------------------------------------------------------------

static double halton(int index, int base)
{
    double value = 0, part = 1;
    for (int i = index; i > 0; i /= base) {
        part /= base;
        value += part * (i % base);
    }
    return value;
}

static double tent(double u)
{
    return u < 0.5 ? sqrt(2 * u) - 1 : 1 - sqrt(2 - 2 * u);
}

static void disk(double u, double v, double out[2])
{
    double r = sqrt(u);
    out[0] = r * cos(2 * DEW_PI * v);
    out[1] = r * sin(2 * DEW_PI * v);
}

static dew_GlShot shot_of(int index, int count, int width, int height)
{
    if (count == 1)
        return dew_gl_shot_live(width, height);
    dew_GlShot shot = dew_gl_shot_fine(width, height);
    shot.shift_px[0] = tent(halton(index + 1, 2));
    shot.shift_px[1] = tent(halton(index + 1, 3));
    disk(((double)index + 0.5) / count, halton(index + 1, 5), shot.lens);
    disk(halton(index + 1, 7), halton(index + 1, 2), shot.lamp);
    return shot;
}

// ---- pictures ----------------------------------------------------------------------------------

static void add_shot(const dew_Array *rgba, float weight, dew_Image *image)
{
    const float *from = rgba->data;
    int width = image->width_px, height = image->height_px;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int64_t pixel = (int64_t)y * width + x;
            const float *texel = from + 4 * ((int64_t)(height - 1 - y) * width + x);
            float *to = dew_image_pixel(&image->color, pixel, 3);
            for (int k = 0; k < 3; k++)
                to[k] += weight * texel[k];
            *dew_image_pixel(&image->samples, pixel, 1) += 1;
        }
}

static bool goes_on(const dew_RenderDef *def, double fraction)
{
    return !def->progress.report || def->progress.report(def->progress.context, fraction);
}

static dew_Status draw_shots(Engine *engine, const dew_RenderDef *def, dew_Image *out)
{
    int count = (def->samples + SAMPLES_PER_SHOT - 1) / SAMPLES_PER_SHOT;
    count = count > MAX_SHOTS ? MAX_SHOTS : count;
    for (int i = 0; i < count; i++) {
        dew_GlShot shot = shot_of(i, count, out->width_px, out->height_px);
        DEW_TRY(dew_gl_drawing_draw(engine->drawing, &shot));
        dew_gl_drawing_read(engine->drawing, engine->rgba.data);
        add_shot(&engine->rgba, 1 / (float)count, out);
        if (!goes_on(def, (double)(i + 1) / count))
            return dew_fail(DEW_INTERRUPTED, "the picture was stopped on request");
    }
    return dew_ok();
}

static dew_Status draw(Engine *engine, const dew_PictureScene *scene, const dew_RenderDef *def,
                       dew_Tasks *tasks, dew_Image *out)
{
    if (engine->environment != scene->environment)
        DEW_TRY(dew_gl_drawing_set_scene(engine->drawing, scene, tasks));
    engine->environment = scene->environment;
    DEW_TRY(dew_gl_drawing_set_bodies(engine->drawing, scene));
    DEW_TRY(dew_gl_drawing_set_backdrop(engine->drawing, tasks));
    return draw_shots(engine, def, out);
}

static dew_Status render(void *state, const dew_PictureScene *scene, const dew_RenderDef *def,
                         dew_Tasks *tasks, dew_Image *out)
{
    Engine *engine = state;
    int width = scene->camera.width_px, height = scene->camera.height_px;
    DEW_TRY(dew_image_resize(out, width, height));
    DEW_TRY(dew_array_resize(&engine->rgba, 4 * (int64_t)width * height));
    DEW_TRY(dew_gl_context_begin(engine->context));
    dew_Status status = draw(engine, scene, def, tasks, out);
    dew_gl_context_end(engine->context);
    return status;
}

#else

static dew_Status open_engine(const dew_Allocator *allocator, void **state)
{
    (void)allocator;
    *state = NULL;
    return dew_fail(DEW_UNSUPPORTED, "this build has no OpenGL (--engine ray needs none; Debian: "
                                     "libegl-dev, libgles-dev)");
}

static dew_Status render(void *state, const dew_PictureScene *scene, const dew_RenderDef *def,
                         dew_Tasks *tasks, dew_Image *out)
{
    (void)state, (void)scene, (void)def, (void)tasks, (void)out;
    return dew_fail(DEW_UNSUPPORTED, "this build has no OpenGL");
}

static void close_engine(void *state)
{
    (void)state;
}
#endif

const dew_RenderEngine dew_gl_engine = {
    .name = "gl", .open = open_engine, .render = render, .close = close_engine};
