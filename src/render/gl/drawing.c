// A drawing: its creation, its content, and its passes: lights, solids, then what is clear.
#ifdef DEW_HAVE_GL
#include "render/gl/drawing_state.h"

#include "base/status.h"
#include "render/gl/around.h"
#include "render/image.h"

#include <string.h>

#define GL_DESKTOP_POINTS 0x8642  // GL_PROGRAM_POINT_SIZE: always on in ES

// ---- making and ending -------------------------------------------------------------------------

dew_GlShot dew_gl_shot_live(int width_px, int height_px)
{
    return (dew_GlShot){.width_px = width_px,
                        .height_px = height_px,
                        .level = DEW_GL_LIVE,
                        .map_px = 512,
                        .light_every = 2};
}

dew_GlShot dew_gl_shot_quick(int width_px, int height_px)
{
    return (dew_GlShot){
        .width_px = width_px, .height_px = height_px, .map_px = 512, .search_steps = 6};
}

dew_GlShot dew_gl_shot_fine(int width_px, int height_px)
{
    return (dew_GlShot){.width_px = width_px,
                        .height_px = height_px,
                        .map_px = 1024,
                        .search_steps = 16,
                        .has_soft_lights = true};
}

static dew_Status make_parts(dew_GlDrawing *drawing)
{
    static const uint32_t features[DEW_GL_PROGRAM_COUNT] = {[DEW_GL_LIVE_SIDE] = DEW_GL_IS_LIVE,
                                                            [DEW_GL_TONE_SAME] = DEW_GL_IS_LIVE,
                                                            [DEW_GL_TONE_CODED] = DEW_GL_IS_CODED};
    const dew_Gl *gl = drawing->gl;
    for (int i = 0; i < DEW_GL_PROGRAM_COUNT; i++)
        if (!dew_gl_program_has_variants((dew_GlProgramKind)i))
            DEW_TRY(dew_gl_program_create(gl, (dew_GlProgramKind)i, features[i],
                                          &drawing->programs[i]));
    gl->GenBuffers(1, &drawing->frame_buffer);
    gl->BindBuffer(GL_UNIFORM_BUFFER, drawing->frame_buffer);
    gl->BufferData(GL_UNIFORM_BUFFER, sizeof drawing->frame, NULL, GL_DYNAMIC_DRAW);
    gl->GenVertexArrays(1, &drawing->work.empty_array);
    return dew_ok();
}

dew_Status dew_gl_drawing_create(const dew_Gl *gl, const dew_Allocator *allocator,
                                 dew_GlDrawing **out)
{
    *out = NULL;
    dew_GlDrawing *drawing = dew_alloc(allocator, 1, sizeof *drawing);
    if (!drawing)
        return dew_no_memory(sizeof *drawing);
    if (allocator)
        drawing->allocator = *allocator;
    drawing->gl = gl;
    drawing->work = (dew_GlLightWork){.gl = gl, .programs = drawing->programs};
    dew_gl_bodies_init(&drawing->bodies, allocator);
    dew_gl_tiles_init(&drawing->live.tiles, allocator);
    dew_array_init(&drawing->live.facing_indices, allocator, sizeof(uint32_t));
    dew_array_init(&drawing->still.parts, allocator, sizeof(dew_GlPart));
    dew_array_init(&drawing->variants, allocator, sizeof(dew_GlProgram));
    dew_array_init(&drawing->textures, allocator, sizeof(GLuint));
    dew_array_init(&drawing->looks, allocator, sizeof(const dew_Texture *));
    dew_arena_init(&drawing->scratch, allocator);
    dew_Status status = make_parts(drawing);
    if (status.code != DEW_OK) {
        dew_gl_drawing_destroy(drawing);
        return status;
    }
    *out = drawing;
    return dew_ok();
}

static void drop_textures(dew_GlDrawing *drawing)
{
    for (int64_t i = 0; i < drawing->textures.count; i++)
        drawing->gl->DeleteTextures(1, &DEW_ITEMS(&drawing->textures, GLuint)[i]);
    drawing->textures.count = drawing->looks.count = 0;
}

void dew_gl_drawing_destroy(dew_GlDrawing *drawing)
{
    if (!drawing)
        return;
    const dew_Gl *gl = drawing->gl;
    for (int i = 0; i < DEW_GL_PROGRAM_COUNT; i++)
        dew_gl_program_destroy(gl, &drawing->programs[i]);
    for (int64_t i = 0; i < drawing->variants.count; i++)
        dew_gl_program_destroy(gl, &DEW_ITEMS(&drawing->variants, dew_GlProgram)[i]);
    for (int i = 0; i < DEW_GL_LIGHTS; i++)
        dew_gl_light_deinit(gl, &drawing->passes[i]);
    dew_GlTarget *targets[] = {&drawing->work.back,   &drawing->work.hits,   &drawing->solids,
                               &drawing->seen,        &drawing->liquid_back, &drawing->glass_back,
                               &drawing->glass_front, &drawing->behind};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        dew_gl_target_deinit(gl, targets[i]);
    dew_gl_live_deinit(gl, &drawing->live);
    gl->DeleteVertexArrays(1, &drawing->work.empty_array);
    gl->DeleteBuffers(1, &drawing->frame_buffer);
    gl->DeleteTextures(1, &drawing->environment);
    gl->DeleteTextures(1, &drawing->around);
    gl->DeleteTextures(1, &drawing->small_around);
    gl->DeleteTextures(1, &drawing->backdrop);
    drop_textures(drawing);
    dew_gl_bodies_deinit(gl, &drawing->bodies);
    dew_array_deinit(&drawing->still.parts);
    dew_array_deinit(&drawing->variants);
    dew_array_deinit(&drawing->textures);
    dew_array_deinit(&drawing->looks);
    dew_arena_deinit(&drawing->scratch);
    dew_Allocator allocator = drawing->allocator;
    dew_free(&allocator, drawing, sizeof *drawing);
}

// ---- what is drawn -----------------------------------------------------------------------------

static void set_wrap(const dew_Gl *gl, GLenum across, GLenum filter)
{
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)filter);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, (GLint)across);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

static void upload_map(dew_GlDrawing *drawing, const float *rgba)
{
    const dew_Gl *gl = drawing->gl;
    if (!drawing->environment)
        gl->GenTextures(1, &drawing->environment);
    gl->BindTexture(GL_TEXTURE_2D, drawing->environment);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, DEW_GL_MAP_WIDTH, DEW_GL_MAP_HEIGHT, 0, GL_RGBA,
                   GL_FLOAT, rgba);
    set_wrap(gl, GL_REPEAT, GL_LINEAR_MIPMAP_LINEAR);
    gl->GenerateMipmap(GL_TEXTURE_2D);
    // At the last but three all is one: roughness 1.
    for (drawing->environment_levels = 0; DEW_GL_MAP_HEIGHT >> drawing->environment_levels > 4;)
        drawing->environment_levels++;
}

static dew_Status upload_around(dew_GlDrawing *drawing, const float *map, int px, dew_Tasks *tasks,
                                GLuint *texture)
{
    const dew_Gl *gl = drawing->gl;
    int64_t size = 4 * (int64_t)px * px;
    uint8_t *rgba = dew_arena_raw_array(&drawing->scratch, uint8_t, size);
    if (!rgba)
        return dew_no_memory((size_t)size);
    DEW_TRY(dew_gl_around_fill(map, px, tasks, rgba));
    if (!*texture)
        gl->GenTextures(1, texture);
    gl->BindTexture(GL_TEXTURE_2D, *texture);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, px, px, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    set_wrap(gl, GL_CLAMP_TO_EDGE, GL_LINEAR);
    return dew_ok();
}

dew_Status dew_gl_drawing_set_scene(dew_GlDrawing *drawing, const dew_RenderScene *scene,
                                    dew_Tasks *tasks)
{
    int64_t count = 4 * (int64_t)DEW_GL_MAP_WIDTH * DEW_GL_MAP_HEIGHT;
    drop_textures(drawing);
    drawing->backdrop_camera = (dew_Camera){0};
    drawing->still.is_drawn = false;
    dew_arena_clear(&drawing->scratch);
    float *map = dew_arena_raw_array(&drawing->scratch, float, count);
    if (!map)
        return dew_no_memory((size_t)count * sizeof *map);
    DEW_TRY(dew_gl_map_fill(scene->environment, tasks, map));
    dew_Status status = dew_gl_lights_find(scene, map, &drawing->scratch, &drawing->lights);
    upload_map(drawing, map);
    DEW_TRY(upload_around(drawing, map, DEW_GL_AROUND_PX, tasks, &drawing->around));
    DEW_TRY(upload_around(drawing, map, DEW_GL_SMALL_PX, tasks, &drawing->small_around));
    dew_arena_clear(&drawing->scratch);
    return status;
}

// Four floats per texel: mips of three are not for every GL.
static dew_Status make_texture(dew_GlDrawing *drawing, const dew_Texture *texture, GLuint *out)
{
    const dew_Gl *gl = drawing->gl;
    int64_t count = texture->width * texture->height;
    dew_arena_clear(&drawing->scratch);
    float *rgba = dew_arena_array(&drawing->scratch, float, 4 * count);
    if (!rgba)
        return dew_no_memory((size_t)count * 4 * sizeof *rgba);
    for (int64_t i = 0; i < count; i++)
        memcpy(rgba + 4 * i, texture->rgb + 3 * i, 3 * sizeof *rgba);
    gl->GenTextures(1, out);
    gl->BindTexture(GL_TEXTURE_2D, *out);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, (GLsizei)texture->width, (GLsizei)texture->height,
                   0, GL_RGBA, GL_FLOAT, rgba);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    gl->GenerateMipmap(GL_TEXTURE_2D);
    dew_arena_clear(&drawing->scratch);
    return dew_ok();
}

// Textures of the looks, made once; bodies are the same ones from frame to frame.
static dew_Status set_textures(dew_GlDrawing *drawing, const dew_RenderScene *scene)
{
    int64_t count = scene->bodies.count;
    for (int64_t i = count; i < drawing->textures.count; i++)
        drawing->gl->DeleteTextures(1, &DEW_ITEMS(&drawing->textures, GLuint)[i]);
    DEW_TRY(dew_array_resize(&drawing->textures, count));
    DEW_TRY(dew_array_resize(&drawing->looks, count));
    for (int64_t i = 0; i < count; i++) {
        const dew_Texture *wanted = DEW_ITEMS(&scene->bodies, const dew_RenderBody)[i].look.texture;
        const dew_Texture **has = &DEW_ITEMS(&drawing->looks, const dew_Texture *)[i];
        GLuint *id = &DEW_ITEMS(&drawing->textures, GLuint)[i];
        if (*has == wanted)
            continue;
        drawing->gl->DeleteTextures(1, id);
        *id = 0;
        *has = NULL;
        if (wanted)
            DEW_TRY(make_texture(drawing, wanted, id));
        *has = wanted;
    }
    return dew_ok();
}

dew_Status dew_gl_drawing_set_bodies(dew_GlDrawing *drawing, const dew_RenderScene *scene)
{
    drawing->scene = scene;
    DEW_TRY(set_textures(drawing, scene));
    return dew_gl_bodies_set(drawing->gl, &drawing->bodies, scene);
}

// ---- backdrop ----------------------------------------------------------------------------------

dew_Status dew_gl_drawing_set_backdrop(dew_GlDrawing *drawing, dew_Tasks *tasks)
{
    const dew_Gl *gl = drawing->gl;
    const dew_Camera *camera = &drawing->scene->camera;
    if (dew_gl_frame_is_same_view(camera, &drawing->backdrop_camera) &&
        camera->width_px <= drawing->backdrop_camera.width_px)
        return dew_ok();
    int width = camera->width_px, height = camera->height_px;
    int max_px = 2 * DEW_GL_MAP_WIDTH;
    for (; width > max_px || height > max_px; width = (width + 1) / 2)
        height = (height + 1) / 2;
    dew_arena_clear(&drawing->scratch);
    float *rgba = dew_arena_array(&drawing->scratch, float, 4 * (int64_t)width * height);
    if (!rgba)
        return dew_no_memory((size_t)width * (size_t)height * 4 * sizeof *rgba);
    DEW_TRY(dew_gl_backdrop_fill(drawing->scene->environment, camera, width, height, tasks, rgba));
    if (!drawing->backdrop)
        gl->GenTextures(1, &drawing->backdrop);
    gl->BindTexture(GL_TEXTURE_2D, drawing->backdrop);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, width, height, 0, GL_RGBA, GL_FLOAT, rgba);
    set_wrap(gl, GL_CLAMP_TO_EDGE, GL_LINEAR);
    dew_arena_clear(&drawing->scratch);
    drawing->backdrop_camera = *camera;
    return dew_ok();
}

// ---- programs ----------------------------------------------------------------------------------

dew_Status dew_gl_variant_use(dew_GlDrawing *drawing, dew_GlProgramKind kind, uint32_t features,
                              const dew_GlProgram **out)
{
    const dew_Gl *gl = drawing->gl;
    dew_GlProgram made;
    *out = NULL;
    for (int64_t i = 0; i < drawing->variants.count && !*out; i++) {
        const dew_GlProgram *program = &DEW_ITEMS(&drawing->variants, const dew_GlProgram)[i];
        if (program->kind == kind && program->features == features)
            *out = program;
    }
    if (!*out) {
        DEW_TRY(dew_array_reserve(&drawing->variants, drawing->variants.count + 1));
        DEW_TRY(dew_gl_program_create(gl, kind, features, &made));
        DEW_TRY(dew_array_push(&drawing->variants, &made));
        *out = &DEW_ITEMS(&drawing->variants, const dew_GlProgram)[drawing->variants.count - 1];
    }
    dew_gl_program_use(gl, *out);
    return dew_ok();
}

// ---- the image -------------------------------------------------------------------------------

static dew_Status set_targets(dew_GlDrawing *drawing, const dew_GlShot *shot)
{
    const dew_Gl *gl = drawing->gl;
    dew_GlTargetDef solids = {.width = shot->width_px,
                              .height = shot->height_px,
                              .color = {GL_RGBA16F, GL_RGBA16F},
                              .filter = GL_LINEAR,
                              .has_depth = true};
    dew_GlTargetDef seen = solids, side = solids;
    seen.color[1] = side.color[1] = 0;
    side.color[0] = GL_RGBA32F;
    side.filter = GL_NEAREST;
    DEW_TRY(dew_gl_target_set(gl, &drawing->solids, &solids));
    DEW_TRY(dew_gl_target_set(gl, &drawing->seen, &seen));
    if (drawing->bodies.has_liquid)
        DEW_TRY(dew_gl_target_set(gl, &drawing->liquid_back, &side));
    if (!drawing->bodies.has_glass)
        return dew_ok();
    DEW_TRY(dew_gl_target_set(gl, &drawing->behind, &seen));
    DEW_TRY(dew_gl_target_set(gl, &drawing->glass_back, &side));
    return dew_gl_target_set(gl, &drawing->glass_front, &side);
}

static dew_Status draw_fine(dew_GlDrawing *drawing, const dew_GlShot *shot)
{
    const dew_Gl *gl = drawing->gl;
    DEW_TRY(set_targets(drawing, shot));
    DEW_TRY(dew_gl_bodies_set_tables(gl, &drawing->bodies, drawing->scene));
    for (int i = 0; i < drawing->lights.count; i++)
        DEW_TRY(dew_gl_light_draw(&drawing->passes[i], &drawing->work, &drawing->bodies,
                                  drawing->scene,
                                  (drawing->features >> (DEW_GL_CAUSTICS_SHIFT + i) & 1u) != 0));
    dew_gl_tell(shot, DEW_GL_PASS_LIGHTS);
    gl->Enable(GL_DEPTH_TEST);
    gl->DepthMask(GL_TRUE);
    DEW_TRY(dew_gl_solids_find_dirty(drawing));
    DEW_TRY(dew_gl_solids_draw(drawing));
    dew_gl_tell(shot, DEW_GL_PASS_SOLIDS);
    dew_gl_sides_draw(drawing);
    dew_gl_tell(shot, DEW_GL_PASS_SIDES);
    DEW_TRY(dew_gl_clear_draw(drawing));
    dew_gl_tell(shot, DEW_GL_PASS_CLEAR);
    return dew_ok();
}

dew_Status dew_gl_drawing_draw(dew_GlDrawing *drawing, const dew_GlShot *shot)
{
    const dew_Gl *gl = drawing->gl;
    DEW_ASSERT(drawing->scene && drawing->environment);
    drawing->work.map_px = shot->map_px;
    if (!gl->is_es)
        gl->Enable(GL_DESKTOP_POINTS);
    gl->DepthFunc(GL_LESS);
    dew_gl_frame_set(drawing, shot);
    if (drawing->solids.width != shot->width_px || drawing->solids.height != shot->height_px)
        drawing->still.is_drawn = false;
    if (shot->level != DEW_GL_LIVE)
        drawing->live.tiles.is_drawn = false;  // the far sides are drawn into by both
    drawing->shown = shot->level == DEW_GL_LIVE ? &drawing->live.seen : &drawing->seen;
    DEW_TRY(shot->level == DEW_GL_LIVE ? dew_gl_live_draw(drawing, shot)
                                       : draw_fine(drawing, shot));
    gl->Disable(GL_DEPTH_TEST);
    GLenum error = gl->GetError();
    if (error != GL_NO_ERROR)
        return dew_fail(DEW_UNSUPPORTED, "OpenGL could not draw the image (error 0x%04x)", error);
    drawing->still.is_drawn = true;
    return dew_ok();
}

// ---- what was drawn ----------------------------------------------------------------------------

static bool is_coded(const dew_GlDrawing *drawing)
{
    return drawing->shown == &drawing->live.seen && drawing->live.is_coded;
}

// From bytes, in place: they lie at the end of the memory of the floats.
static void decode(float *rgba, int64_t count)
{
    float table[256];
    const uint8_t *bytes = (const uint8_t *)(rgba + count) - count;
    for (int i = 0; i < 256; i++)
        table[i] = dew_tone_linear((float)i / 255);
    for (int64_t i = 0; i < count; i++)
        rgba[i] = i % 4 == 3 ? 1 : table[bytes[i]];
}

void dew_gl_drawing_read(dew_GlDrawing *drawing, float *rgba)
{
    const dew_Gl *gl = drawing->gl;
    int width = drawing->shown->width, height = drawing->shown->height;
    int64_t count = 4 * (int64_t)width * height;
    gl->BindFramebuffer(GL_FRAMEBUFFER, drawing->shown->framebuffer);
    gl->PixelStorei(GL_PACK_ALIGNMENT, 1);
    if (is_coded(drawing)) {
        gl->ReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE,
                       (uint8_t *)(rgba + count) - count);
        decode(rgba, count);
        return;
    }
    gl->ReadPixels(0, 0, width, height, GL_RGBA, GL_FLOAT, rgba);
}

void dew_gl_drawing_show(dew_GlDrawing *drawing, GLuint framebuffer, int width_px, int height_px,
                         double exposure_stops)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlTarget *shown = drawing->shown;
    bool is_same = shown->width == width_px && shown->height == height_px;
    if (is_coded(drawing) && exposure_stops == 0) {
        gl->BindFramebuffer(GL_READ_FRAMEBUFFER, shown->framebuffer);
        gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
        gl->BlitFramebuffer(0, 0, shown->width, shown->height, 0, 0, width_px, height_px,
                            GL_COLOR_BUFFER_BIT, is_same ? GL_NEAREST : GL_LINEAR);
        gl->BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        return;
    }
    const dew_GlProgram *program = &drawing->programs[is_coded(drawing) ? DEW_GL_TONE_CODED
                                                      : is_same         ? DEW_GL_TONE_SAME
                                                                        : DEW_GL_TONE];
    gl->BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl->Viewport(0, 0, width_px, height_px);
    gl->Disable(GL_DEPTH_TEST);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_SEEN, shown->color[0]);
    dew_gl_program_use(gl, program);
    dew_gl_program_set(gl, program, DEW_GL_GAIN, (float)exp2(exposure_stops), 0, 0, 0);
    gl->BindVertexArray(drawing->work.empty_array);
    gl->DrawArrays(GL_TRIANGLES, 0, 3);
}

int dew_gl_drawing_caustics_px(const dew_GlDrawing *drawing)
{
    return drawing->work.map_px;
}

void dew_gl_drawing_read_caustics(dew_GlDrawing *drawing, int light, float *rgba, double *area_m2)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlTarget *target = &drawing->passes[light].caustics;
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    gl->PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl->ReadPixels(0, 0, target->width, target->height, GL_RGBA, GL_FLOAT, rgba);
    *area_m2 =
        drawing->passes[light].liquid.texel_area / (drawing->bodies.scale * drawing->bodies.scale);
}

void dew_gl_drawing_in_caustics(const dew_GlDrawing *drawing, int light, dew_Vec3 point_m,
                                double at[2])
{
    const float *m = drawing->passes[light].liquid.space;
    dew_Vec3 p = dew_scale(drawing->bodies.scale, dew_sub(point_m, drawing->bodies.middle_m));
    for (int k = 0; k < 2; k++)
        at[k] = (double)m[k] * p.x + (double)m[4 + k] * p.y + (double)m[8 + k] * p.z +
                (double)m[12 + k];
}

const dew_GlLights *dew_gl_drawing_lights(const dew_GlDrawing *drawing)
{
    return &drawing->lights;
}
#endif
