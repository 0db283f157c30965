// The engine: a context without a display, and images as means of a few shifted ones.
//
// A sample of the ray tracer is one path; here four of them pay for one drawing of the whole image.
// Drawings differ in where pixels, lens and lights are looked at: edges, depth of field and shadows
// become soft as their number grows. Up to four samples are one drawing at the live level.
#include "render/gl/gl.h"

#include "base/status.h"

#ifdef DEW_HAVE_GL
#include "render/gl/drawing.h"
#include "render/gl/egl.h"
#include "render/gl/target.h"

#define SAMPLES_PER_SHOT 4
#define MAX_SHOTS        64

typedef struct Engine {
    dew_GlContext *context;  // NULL: the host's is current
    dew_Gl host_calls;
    dew_GlDrawing *drawing;
    dew_GlTarget screen;                 // in the own context: where live images are shown
    const dew_Environment *environment;  // that the drawing shows
    dew_Array rgba;                      // float
    int live_px[2];                      // size of the last live image
    dew_Allocator allocator;
} Engine;

static dew_Status begin_context(const Engine *engine)
{
    return engine->context ? dew_gl_context_begin(engine->context) : dew_ok();
}

static const dew_Gl *calls_of(const Engine *engine)
{
    return engine->context ? dew_gl_context_calls(engine->context) : &engine->host_calls;
}

static void end_context(const Engine *engine)
{
    if (engine->context)
        dew_gl_context_end(engine->context);
}

static void close_engine(void *state)
{
    Engine *engine = state;
    if (engine->drawing && begin_context(engine).code == DEW_OK) {
        dew_gl_target_deinit(calls_of(engine), &engine->screen);
        dew_gl_drawing_destroy(engine->drawing);
    }
    dew_gl_context_destroy(engine->context);
    dew_array_deinit(&engine->rgba);
    dew_Allocator allocator = engine->allocator;
    dew_free(&allocator, engine, sizeof *engine);
}

static dew_Status make_drawing(Engine *engine, const dew_RenderDef *def)
{
    if (def->gl_get_proc)
        DEW_TRY(dew_gl_load(def->gl_get_proc, &engine->host_calls));
    else
        DEW_TRY(dew_gl_context_create(DEW_GL_ES3, &engine->allocator, &engine->context));
    return dew_gl_drawing_create(calls_of(engine), &engine->allocator, &engine->drawing);
}

static dew_Status open_engine(const dew_RenderDef *def, void **state)
{
    Engine *engine = dew_alloc(&def->allocator, 1, sizeof *engine);
    *state = NULL;
    if (!engine)
        return dew_no_memory(sizeof *engine);
    engine->allocator = def->allocator;
    dew_array_init(&engine->rgba, &def->allocator, sizeof(float));
    dew_Status status = make_drawing(engine, def);
    if (status.code != DEW_OK) {
        close_engine(engine);
        return status;
    }
    end_context(engine);
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
    disk(halton(index + 1, 7), halton(index + 1, 2), shot.light);
    return shot;
}

// ---- images ----------------------------------------------------------------------------------

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
            return dew_fail(DEW_INTERRUPTED, "the image was stopped on request");
    }
    return dew_ok();
}

static dew_Status set_scene(Engine *engine, const dew_RenderScene *scene, dew_Tasks *tasks)
{
    if (engine->environment != scene->environment)
        DEW_TRY(dew_gl_drawing_set_scene(engine->drawing, scene, tasks));
    engine->environment = scene->environment;
    return dew_gl_drawing_set_bodies(engine->drawing, scene);
}

static dew_Status draw(Engine *engine, const dew_RenderScene *scene, const dew_RenderDef *def,
                       dew_Tasks *tasks, dew_Image *out)
{
    DEW_TRY(set_scene(engine, scene, tasks));
    DEW_TRY(dew_gl_drawing_set_backdrop(engine->drawing, tasks));
    return draw_shots(engine, def, out);
}

static dew_Status render(void *state, const dew_RenderScene *scene, const dew_RenderDef *def,
                         dew_Tasks *tasks, dew_Image *out)
{
    Engine *engine = state;
    int width = scene->camera.width_px, height = scene->camera.height_px;
    DEW_TRY(dew_image_resize(out, width, height));
    DEW_TRY(dew_array_resize(&engine->rgba, 4 * (int64_t)width * height));
    DEW_TRY(begin_context(engine));
    dew_Status status = draw(engine, scene, def, tasks, out);
    end_context(engine);
    return status;
}

// ---- real time ---------------------------------------------------------------------------------

typedef struct Timer {
    const dew_Gl *calls;
    dew_StageClock *clock;
} Timer;

// Waits, while somebody measures, until OpenGL has done the stage.
static void end_stage(const Timer *timer, dew_RenderStage stage)
{
    if (!timer->clock)
        return;
    timer->calls->Finish();
    dew_stage_end(timer->clock, (int)stage);
}

static void after_pass(void *context, dew_GlPass pass)
{
    static const dew_RenderStage stages[DEW_GL_PASS_COUNT] = {
        [DEW_GL_PASS_LIGHTS] = DEW_RENDER_LIGHTS,
        [DEW_GL_PASS_SOLIDS] = DEW_RENDER_SOLIDS,
        [DEW_GL_PASS_SIDES] = DEW_RENDER_SIDES,
        [DEW_GL_PASS_CLEAR] = DEW_RENDER_LIQUID};
    end_stage(context, stages[pass]);
}

static dew_GlShot live_shot(const dew_LiveDef *def, int width_px, int height_px)
{
    if (def->is_fine)
        return dew_gl_shot_quick(width_px, height_px);
    dew_GlShot shot = dew_gl_shot_live(width_px, height_px);
    shot.is_for_screen = true;
    shot.light_every = def->light_every;
    return shot;
}

static dew_Status draw_live_here(Engine *engine, const dew_RenderScene *scene,
                                 const dew_LiveShot *live, dew_Tasks *tasks)
{
    Timer timer = {calls_of(engine), live->clock};
    dew_GlShot shot = live_shot(&live->def, scene->camera.width_px, scene->camera.height_px);
    shot.after_pass = after_pass;
    shot.context = &timer;
    DEW_TRY(set_scene(engine, scene, tasks));
    end_stage(&timer, DEW_RENDER_BUFFERS);
    if (live->is_still)
        DEW_TRY(dew_gl_drawing_set_backdrop(engine->drawing, tasks));
    end_stage(&timer, DEW_RENDER_SOLIDS);
    engine->live_px[0] = shot.width_px;
    engine->live_px[1] = shot.height_px;
    return dew_gl_drawing_draw(engine->drawing, &shot);
}

static dew_Status draw_live(void *state, const dew_RenderScene *scene, const dew_LiveShot *live,
                            dew_Tasks *tasks)
{
    Engine *engine = state;
    DEW_TRY(begin_context(engine));
    dew_Status status = draw_live_here(engine, scene, live, tasks);
    end_context(engine);
    return status;
}

static dew_Status show_in_own(Engine *engine, int width_px, int height_px)
{
    dew_GlTargetDef screen = {
        .width = width_px, .height = height_px, .color = {GL_RGBA8, 0}, .filter = GL_NEAREST};
    DEW_TRY(dew_gl_target_set(calls_of(engine), &engine->screen, &screen));
    dew_gl_drawing_show(engine->drawing, engine->screen.framebuffer, width_px, height_px, 0);
    calls_of(engine)->Finish();
    return dew_ok();
}

static dew_Status show_live(void *state, uint32_t framebuffer, int width_px, int height_px,
                            dew_StageClock *clock)
{
    Engine *engine = state;
    Timer timer = {calls_of(engine), clock};
    dew_Status status = dew_ok();
    DEW_TRY(begin_context(engine));
    if (engine->context)
        status = show_in_own(engine, width_px, height_px);
    else
        dew_gl_drawing_show(engine->drawing, framebuffer, width_px, height_px, 0);
    end_stage(&timer, DEW_RENDER_SHOW);
    end_context(engine);
    return status;
}

static dew_Status read_live(void *state, dew_Image *out)
{
    Engine *engine = state;
    int width = engine->live_px[0], height = engine->live_px[1];
    DEW_TRY(dew_image_resize(out, width, height));
    DEW_TRY(dew_array_resize(&engine->rgba, 4 * (int64_t)width * height));
    DEW_TRY(begin_context(engine));
    dew_gl_drawing_read(engine->drawing, engine->rgba.data);
    end_context(engine);
    add_shot(&engine->rgba, 1, out);
    return dew_ok();
}

const dew_RenderEngine dew_gl_engine = {.name = "gl",
                                        .open = open_engine,
                                        .close = close_engine,
                                        .render = render,
                                        .draw_live = draw_live,
                                        .show_live = show_live,
                                        .read_live = read_live,
                                        .live_patch_px = DEW_GL_LIVE_PATCH_PX};

#else

static dew_Status open_engine(const dew_RenderDef *def, void **state)
{
    (void)def;
    *state = NULL;
    return dew_fail(DEW_UNSUPPORTED, "this build has no OpenGL (--engine ray needs none; Debian: "
                                     "libegl-dev, libgles-dev)");
}

static dew_Status render(void *state, const dew_RenderScene *scene, const dew_RenderDef *def,
                         dew_Tasks *tasks, dew_Image *out)
{
    (void)state, (void)scene, (void)def, (void)tasks, (void)out;
    return dew_fail(DEW_UNSUPPORTED, "this build has no OpenGL");
}

static void close_engine(void *state)
{
    (void)state;
}

const dew_RenderEngine dew_gl_engine = {
    .name = "gl", .open = open_engine, .render = render, .close = close_engine};
#endif
