// The passes of a picture: lamps, solids, then what is clear, farthest first.
//
// What is clear reads the picture of what lies behind it. So there are two pictures: `solids` is read,
// `seen` is drawn. Liquid behind glass comes before the glass, liquid before it comes last; between
// these passes `seen` is copied to be read. The picture of the solids is kept from frame to frame and drawn
// anew only where it changes.
#ifdef DEW_HAVE_GL
#include "render/gl/drawing.h"

#include "base/hash.h"
#include "base/status.h"
#include "render/gl/bodies.h"
#include "render/gl/lamp_pass.h"
#include "render/gl/program.h"
#include "render/gl/region.h"

#include <string.h>

#define SOFT_LAMP         0.12f   // rad: wider lamps cast no sharp caustics
#define MAX_BACKDROP      2048    // px
#define SHARPEST          2000.0  // n of eq. (9) at most
#define GL_DESKTOP_POINTS 0x8642  // GL_PROGRAM_POINT_SIZE: always on in ES

// As frame.glsl has it, std140.
typedef struct Frame {
    float clip[16];
    float eye[4], right[4], up[4], forward[4], picture[4];
    float ambient[9][4];
    float table[4], table_light[4], reach[4];
    float lamp_space[DEW_GL_LAMPS][16], liquid_space[DEW_GL_LAMPS][16];
    float lamp_towards[DEW_GL_LAMPS][4], lamp_light[DEW_GL_LAMPS][4];
} Frame;

// What the picture of the solids shows: where neither they nor the light on them have changed it is
// kept. The light changes around the liquid.
typedef struct Still {
    bool is_drawn;
    uint32_t features;
    uint64_t hash;     // of the solids and of the frame, but for what of it is the liquid's
    dew_GlRegion lit;  // by light that came through the liquid
    dew_GlRegion liquid;
} Still;

struct dew_GlDrawing {
    const dew_Gl *gl;
    dew_GlProgram programs[DEW_GL_PROGRAM_COUNT];  // those without features
    dew_Array variants;   // dew_GlProgram: the others, made when first used
    uint32_t features;    // of the scene, for all of these
    GLuint frame_buffer;  // of uniforms
    Frame frame;
    GLuint environment;
    int environment_levels;
    GLuint backdrop;
    dew_Camera backdrop_camera;  // that it was made for; width 0: none
    dew_GlLamps lamps;
    dew_GlBodies bodies;
    dew_GlLampPass passes[DEW_GL_LAMPS];
    dew_GlLampWork work;
    dew_GlTarget solids, seen;
    dew_GlTarget behind;  // what lies behind the glass, or behind what is before it
    Still still;
    dew_GlRegion dirty, dirty_seen;  // what is drawn anew of the solids, of all
    dew_GlTarget liquid_back, glass_back, glass_front;
    dew_Array textures;             // GLuint, by body; 0: none
    dew_Array looks;                // const dew_Texture *, that the textures were made of
    const dew_PictureScene *scene;  // of the bodies
    dew_Arena scratch;
    dew_Allocator allocator;
};

// ---- making and ending -------------------------------------------------------------------------

dew_GlShot dew_gl_shot_fast(int width_px, int height_px)
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
                        .has_soft_lamps = true};
}

static dew_Status make_parts(dew_GlDrawing *drawing)
{
    const dew_Gl *gl = drawing->gl;
    for (int i = 0; i < DEW_GL_PROGRAM_COUNT; i++)
        if (i != DEW_GL_SOLID && i != DEW_GL_CLEAR && i != DEW_GL_SKY)
            DEW_TRY(dew_gl_program_create(gl, (dew_GlProgramKind)i, 0, &drawing->programs[i]));
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
    drawing->work = (dew_GlLampWork){.gl = gl, .programs = drawing->programs};
    dew_gl_bodies_init(&drawing->bodies, allocator);
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
    for (int i = 0; i < DEW_GL_LAMPS; i++)
        dew_gl_lamp_deinit(gl, &drawing->passes[i]);
    dew_GlTarget *targets[] = {&drawing->work.back,   &drawing->work.hits,   &drawing->solids,
                               &drawing->seen,        &drawing->liquid_back, &drawing->glass_back,
                               &drawing->glass_front, &drawing->behind};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        dew_gl_target_deinit(gl, targets[i]);
    gl->DeleteVertexArrays(1, &drawing->work.empty_array);
    gl->DeleteBuffers(1, &drawing->frame_buffer);
    gl->DeleteTextures(1, &drawing->environment);
    gl->DeleteTextures(1, &drawing->backdrop);
    drop_textures(drawing);
    dew_gl_bodies_deinit(gl, &drawing->bodies);
    dew_array_deinit(&drawing->variants);
    dew_array_deinit(&drawing->textures);
    dew_array_deinit(&drawing->looks);
    dew_arena_deinit(&drawing->scratch);
    dew_Allocator allocator = drawing->allocator;
    dew_free(&allocator, drawing, sizeof *drawing);
}

// ---- what is drawn -----------------------------------------------------------------------------

static void upload_map(dew_GlDrawing *drawing, const float *rgba)
{
    const dew_Gl *gl = drawing->gl;
    if (!drawing->environment)
        gl->GenTextures(1, &drawing->environment);
    gl->BindTexture(GL_TEXTURE_2D, drawing->environment);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, DEW_GL_MAP_WIDTH, DEW_GL_MAP_HEIGHT, 0, GL_RGBA,
                   GL_FLOAT, rgba);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    gl->GenerateMipmap(GL_TEXTURE_2D);
    // At the last but three all is one: roughness 1.
    for (drawing->environment_levels = 0; DEW_GL_MAP_HEIGHT >> drawing->environment_levels > 4;)
        drawing->environment_levels++;
}

dew_Status dew_gl_drawing_set_scene(dew_GlDrawing *drawing, const dew_PictureScene *scene,
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
    upload_map(drawing, map);
    dew_Status status = dew_gl_lamps_find(scene, map, &drawing->scratch, &drawing->lamps);
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
static dew_Status set_textures(dew_GlDrawing *drawing, const dew_PictureScene *scene)
{
    int64_t count = scene->bodies.count;
    for (int64_t i = count; i < drawing->textures.count; i++)
        drawing->gl->DeleteTextures(1, &DEW_ITEMS(&drawing->textures, GLuint)[i]);
    DEW_TRY(dew_array_resize(&drawing->textures, count));
    DEW_TRY(dew_array_resize(&drawing->looks, count));
    for (int64_t i = 0; i < count; i++) {
        const dew_Texture *wanted =
            DEW_ITEMS(&scene->bodies, const dew_PictureBody)[i].look.texture;
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

dew_Status dew_gl_drawing_set_bodies(dew_GlDrawing *drawing, const dew_PictureScene *scene)
{
    drawing->scene = scene;
    DEW_TRY(set_textures(drawing, scene));
    return dew_gl_bodies_set(drawing->gl, &drawing->bodies, scene);
}

// ---- backdrop ----------------------------------------------------------------------------------

static bool is_same_view(const dew_Camera *a, const dew_Camera *b)
{
    return a->width_px == b->width_px && a->height_px == b->height_px &&
           a->half_width == b->half_width && a->half_height == b->half_height &&
           dew_distance(a->forward, b->forward) == 0 && dew_distance(a->up, b->up) == 0;
}

dew_Status dew_gl_drawing_set_backdrop(dew_GlDrawing *drawing, dew_Tasks *tasks)
{
    const dew_Gl *gl = drawing->gl;
    const dew_Camera *camera = &drawing->scene->camera;
    if (is_same_view(camera, &drawing->backdrop_camera))
        return dew_ok();
    int width = camera->width_px, height = camera->height_px;
    for (; width > MAX_BACKDROP || height > MAX_BACKDROP; width = (width + 1) / 2)
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
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    dew_arena_clear(&drawing->scratch);
    drawing->backdrop_camera = *camera;
    return dew_ok();
}

// ---- the frame's uniforms ----------------------------------------------------------------------

static void put4(float to[4], dew_Vec3 a, double w)
{
    to[0] = (float)a.x;
    to[1] = (float)a.y;
    to[2] = (float)a.z;
    to[3] = (float)w;
}

static void put_color(float to[4], dew_Float3 a, float w)
{
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
    to[3] = w;
}

typedef struct View {
    dew_Vec3 eye;  // the drawing's units
    double near, far;
    double shift[2];  // of the picture
} View;

static View find_view(const dew_GlDrawing *drawing, const dew_GlShot *shot)
{
    const dew_Camera *camera = &drawing->scene->camera;
    const dew_GlBodies *bodies = &drawing->bodies;
    double lens = camera->lens_radius_m * bodies->scale, focus = camera->focus_m * bodies->scale;
    dew_Vec3 moved =
        dew_combine(lens * shot->lens[0], camera->right, lens * shot->lens[1], camera->up);
    View view = {
        .eye = dew_add(dew_scale(bodies->scale, dew_sub(camera->eye_m, bodies->middle_m)), moved)};
    double nearest = (double)INFINITY;
    for (int i = 0; i < 8; i++) {
        dew_Box a = bodies->casters, b = bodies->all;
        dew_Vec3 p = {i & 1 ? a.max.x : a.min.x, i & 2 ? a.max.y : a.min.y,
                      i & 4 ? a.max.z : a.min.z};
        dew_Vec3 q = {i & 1 ? b.max.x : b.min.x, i & 2 ? b.max.y : b.min.y,
                      i & 4 ? b.max.z : b.min.z};
        if (a.min.x <= a.max.x)
            nearest = fmin(nearest, dew_inner(dew_sub(p, view.eye), camera->forward));
        if (b.min.x <= b.max.x)
            view.far = fmax(view.far, dew_inner(dew_sub(q, view.eye), camera->forward));
    }
    double distance = fmax(dew_length(view.eye), 1e-3);
    view.near = fmax(fmin(0.5 * nearest, 0.05 * distance), 0.002 * distance);
    view.far = fmax(1.1 * view.far, 2 * view.near);
    // A point of the lens sees the focal plane where the middle does.
    view.shift[0] = lens * shot->lens[0] / (focus * camera->half_width) +
                    2 * shot->shift_px[0] / shot->width_px;
    view.shift[1] = lens * shot->lens[1] / (focus * camera->half_height) +
                    2 * shot->shift_px[1] / shot->height_px;
    return view;
}

// Clip coordinates: w is the depth d along the view, z / w goes from -1 at near to 1 at far.
static void set_clip(float m[16], const View *view, const dew_Camera *camera)
{
    double n = view->near, f = view->far;
    dew_Vec3 x =
        dew_combine(1 / camera->half_width, camera->right, view->shift[0], camera->forward);
    dew_Vec3 y = dew_combine(1 / camera->half_height, camera->up, view->shift[1], camera->forward);
    dew_Vec3 z = dew_scale((f + n) / (f - n), camera->forward);
    const dew_Vec3 rows[4] = {x, y, z, camera->forward};
    for (int k = 0; k < 4; k++) {
        m[k] = (float)rows[k].x;
        m[4 + k] = (float)rows[k].y;
        m[8 + k] = (float)rows[k].z;
        m[12 + k] = (float)(-dew_inner(rows[k], view->eye) - (k == 2 ? 2 * f * n / (f - n) : 0));
    }
}

static void set_camera(dew_GlDrawing *drawing, const dew_GlShot *shot)
{
    const dew_Camera *camera = &drawing->scene->camera;
    View view = find_view(drawing, shot);
    Frame *frame = &drawing->frame;
    set_clip(frame->clip, &view, camera);
    put4(frame->eye, view.eye, 1 / view.near - 1 / view.far);
    put4(frame->right, camera->right, camera->half_width);
    put4(frame->up, camera->up, camera->half_height);
    put4(frame->forward, camera->forward, 1 / view.near);
    put4(frame->picture, dew_vec(view.shift[0], view.shift[1], 1.0 / shot->width_px),
         1.0 / shot->height_px);
    dew_Box box = drawing->bodies.casters;
    double size = box.min.x <= box.max.x ? dew_distance(box.min, box.max) : 2;
    put4(frame->reach, dew_vec(2 * size, shot->search_steps, drawing->environment_levels), 0);
    if (is_same_view(camera, &drawing->backdrop_camera))
        drawing->features |= DEW_GL_HAS_BACKDROP;
}

static void set_light(dew_GlDrawing *drawing, const dew_GlShot *shot)
{
    Frame *frame = &drawing->frame;
    const dew_GlLamps *lamps = &drawing->lamps;
    const dew_GlBodies *bodies = &drawing->bodies;
    for (int i = 0; i < 9; i++)
        put_color(frame->ambient[i], lamps->ambient[i], 0);
    double offset = bodies->scale * ((double)lamps->table_offset_m -
                                     dew_inner(dew_f3_wide(lamps->table_normal), bodies->middle_m));
    put_color(frame->table, lamps->table_normal, (float)offset);
    put_color(frame->table_light, lamps->table_light, 0);
    drawing->features |= lamps->has_table ? DEW_GL_HAS_TABLE : 0;
    drawing->features |= (uint32_t)lamps->count << DEW_GL_LAMPS_SHIFT;
    for (int i = 0; i < lamps->count; i++) {
        const dew_GlLamp *lamp = &lamps->lamps[i];
        dew_GlLampPass *pass = &drawing->passes[i];
        dew_gl_lamp_aim(pass, lamp, shot->lamp, lamps, bodies, shot->map_px);
        memcpy(frame->lamp_space[i], pass->all.space, sizeof pass->all.space);
        memcpy(frame->liquid_space[i], pass->liquid.space, sizeof pass->liquid.space);
        put_color(frame->lamp_towards[i], pass->towards, pass->all.bias);
        // Half of an even disk's light lies within 0.7 of its radius; of cos^n within (1.4 / n)^0.5.
        double r = (double)lamp->radius_rad, sharpness = fmin(2.8 / (r * r), SHARPEST);
        put_color(frame->lamp_light[i], lamp->irradiance, (float)sharpness);
        if (!lamp->is_in_map)
            drawing->features |= 1u << (DEW_GL_HIGHLIGHTS_SHIFT + i);
        if (bodies->has_liquid && (shot->has_soft_lamps || lamp->radius_rad < SOFT_LAMP))
            drawing->features |= 1u << (DEW_GL_CAUSTICS_SHIFT + i);
    }
    drawing->gl->BindBuffer(GL_UNIFORM_BUFFER, drawing->frame_buffer);
    drawing->gl->BufferSubData(GL_UNIFORM_BUFFER, 0, sizeof *frame, frame);
    drawing->gl->BindBufferBase(GL_UNIFORM_BUFFER, 0, drawing->frame_buffer);
}

// ---- programs ----------------------------------------------------------------------------------

// The program of a kind for the scene's features and these; in use from now on.
static dew_Status use_variant(dew_GlDrawing *drawing, dew_GlProgramKind kind, uint32_t features,
                              const dew_GlProgram **out)
{
    const dew_Gl *gl = drawing->gl;
    dew_GlProgram made;
    features |= drawing->features;
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

// ---- solids ------------------------------------------------------------------------------------

static float porosity_of(dew_LookKind kind)
{
    return kind == DEW_LOOK_MATTE    ? 1.0f
           : kind == DEW_LOOK_WOOD   ? 0.8f
           : kind == DEW_LOOK_MARBLE ? 0.35f
                                     : 0.0f;
}

static void set_look(dew_GlDrawing *drawing, const dew_GlProgram *program, int index)
{
    const dew_Gl *gl = drawing->gl;
    const dew_PictureBody *body = &DEW_ITEMS(&drawing->scene->bodies, const dew_PictureBody)[index];
    const dew_Look *look = &body->look;
    double scale = drawing->bodies.scale;
    float repeats = 0, aspect = 1;
    if (look->texture) {
        repeats = (float)(1 / (look->texture->size_m * (double)look->scale));
        aspect = (float)look->texture->width / (float)look->texture->height;
    }
    dew_gl_program_set(gl, program, DEW_GL_COLOR, look->color.x, look->color.y, look->color.z,
                       look->roughness);
    dew_gl_program_set(gl, program, DEW_GL_LOOK, 0, repeats, aspect, porosity_of(look->kind));
    dew_Vec3 center = dew_scale(scale, dew_sub(body->fade_center_m, drawing->bodies.middle_m));
    dew_gl_program_set(gl, program, DEW_GL_FADE, (float)center.x, (float)center.y, (float)center.z,
                       (float)(scale * (double)body->fade_begin_m));
    dew_gl_program_set(gl, program, DEW_GL_FADE_END, (float)(scale * (double)body->fade_end_m),
                       body->is_thin ? 1 : 0, 0, 0);
    dew_Rotation turn = dew_rotation_inverse(body->to_own);
    float m[16] = {0};
    for (int k = 0; k < 3; k++) {
        dew_Vec3 axis = dew_rotate(turn, dew_vec(k == 0, k == 1, k == 2));
        put4(m + 4 * k, axis, 0);
    }
    m[15] = 1;
    dew_gl_program_set_matrix(gl, program, DEW_GL_FROM_OWN, m);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_TEXTURE, DEW_ITEMS(&drawing->textures, GLuint)[index]);
}

static uint32_t features_of(const dew_GlDrawing *drawing, const dew_GlPart *part)
{
    const dew_PictureBody *body =
        &DEW_ITEMS(&drawing->scene->bodies, const dew_PictureBody)[part->body];
    return (body->fade_begin_m > 0 ? DEW_GL_HAS_FADE : 0u) |
           (body->look.texture ? DEW_GL_HAS_TEXTURE : 0u) | (body->wet_map ? DEW_GL_IS_WET : 0u) |
           (uint32_t)body->look.kind << DEW_GL_LOOK_SHIFT;
}

static dew_GlRegion liquid_region(const dew_GlDrawing *drawing)
{
    const dew_Box *box = &drawing->bodies.liquid;
    dew_Vec3 corners[8];
    if (!drawing->bodies.has_liquid)
        return (dew_GlRegion){0};
    for (int i = 0; i < 8; i++)
        corners[i] = dew_vec(i & 1 ? box->max.x : box->min.x, i & 2 ? box->max.y : box->min.y,
                             i & 4 ? box->max.z : box->min.z);
    return dew_gl_region_of(drawing->frame.clip, corners, drawing->solids.width,
                            drawing->solids.height);
}

static bool has_caustics(const dew_GlDrawing *drawing, int lamp)
{
    return (drawing->features >> (DEW_GL_CAUSTICS_SHIFT + lamp) & 1u) != 0;
}

// Finds what has to be drawn anew.
static void find_dirty(dew_GlDrawing *drawing)
{
    Frame frame = drawing->frame;
    memset(frame.liquid_space, 0, sizeof frame.liquid_space);
    Still now = {.features = drawing->features,
                 .hash = dew_hash(&frame, sizeof frame, drawing->bodies.opaque_hash),
                 .liquid = liquid_region(drawing)};
    const Still *was = &drawing->still;
    int width = drawing->solids.width, height = drawing->solids.height;
    for (int i = 0; i < drawing->lamps.count; i++)
        if (has_caustics(drawing, i))
            now.lit = dew_gl_region_union(
                now.lit, dew_gl_region_of(drawing->frame.clip, drawing->passes[i].liquid.corners,
                                          width, height));
    bool is_same = was->is_drawn && was->features == now.features && was->hash == now.hash;
    dew_GlRegion whole = dew_gl_region_whole(width, height);
    drawing->dirty = is_same ? dew_gl_region_union(was->lit, now.lit) : whole;
    drawing->dirty_seen =
        dew_gl_region_union(drawing->dirty, dew_gl_region_union(was->liquid, now.liquid));
    if (drawing->bodies.has_glass)
        drawing->dirty_seen = whole;
    drawing->still = now;
}

static dew_Status draw_solid_parts(dew_GlDrawing *drawing)
{
    const dew_Gl *gl = drawing->gl;
    dew_gl_bind_texture(gl, DEW_GL_UNIT_ENVIRONMENT, drawing->environment);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_BACKDROP, drawing->backdrop);
    for (int i = 0; i < DEW_GL_LAMPS; i++) {
        const dew_GlLampPass *pass = &drawing->passes[i < drawing->lamps.count ? i : 0];
        // A map that is not looked at must be a shadow map all the same.
        GLuint liquid =
            pass->liquid_depth.depth ? pass->liquid_depth.depth : pass->solid_depth.depth;
        dew_gl_bind_texture(gl, DEW_GL_UNIT_SHADE + i, pass->solid_depth.depth);
        dew_gl_bind_texture(gl, DEW_GL_UNIT_LIQUID + i, liquid);
        dew_gl_bind_texture(gl, DEW_GL_UNIT_CAUSTICS + i, pass->caustics.color[0]);
    }
    for (int64_t i = 0; i < drawing->bodies.opaque_parts.count; i++) {
        dew_GlPart part = DEW_ITEMS(&drawing->bodies.opaque_parts, const dew_GlPart)[i];
        const dew_GlProgram *program = NULL;
        DEW_TRY(use_variant(drawing, DEW_GL_SOLID, features_of(drawing, &part), &program));
        set_look(drawing, program, part.body);
        gl->BindVertexArray(drawing->bodies.opaque_array);
        gl->DrawArrays(GL_TRIANGLES, part.first, part.count);
    }
    // Behind everything, where nothing is.
    const dew_GlProgram *sky = NULL;
    DEW_TRY(use_variant(drawing, DEW_GL_SKY, 0, &sky));
    gl->DepthFunc(GL_LEQUAL);
    gl->BindVertexArray(drawing->work.empty_array);
    gl->DrawArrays(GL_TRIANGLES, 0, 3);
    gl->DepthFunc(GL_LESS);
    return dew_ok();
}

static dew_Status draw_solids(dew_GlDrawing *drawing)
{
    const dew_Gl *gl = drawing->gl;
    if (dew_gl_region_is_empty(drawing->dirty))
        return dew_ok();
    dew_gl_target_bind(gl, &drawing->solids);
    dew_gl_region_begin(gl, drawing->dirty);
    gl->Clear(GL_DEPTH_BUFFER_BIT);
    dew_Status status = draw_solid_parts(drawing);
    dew_gl_region_end(gl);
    return status;
}

// ---- what is clear -----------------------------------------------------------------------------

static void draw_clear_parts(dew_GlDrawing *drawing, const dew_GlProgram *program, bool is_liquid,
                             int which)
{
    const dew_Gl *gl = drawing->gl;
    float per_m = (float)(1 / drawing->bodies.scale);
    gl->BindVertexArray(drawing->bodies.clear_array);
    for (int64_t i = 0; i < drawing->bodies.clear_parts.count; i++) {
        dew_GlPart part = DEW_ITEMS(&drawing->bodies.clear_parts, const dew_GlPart)[i];
        const dew_PictureBody *body =
            &DEW_ITEMS(&drawing->scene->bodies, const dew_PictureBody)[part.body];
        if (dew_gl_body_is_liquid(body) != is_liquid)
            continue;
        dew_Float3 a = dew_f3_scale(per_m, body->medium.absorption_1_m);
        float roughness = body->kind == DEW_BODY_FROSTED ? fmaxf(body->look.roughness, 0.35f) : 0;
        dew_gl_program_set(gl, program, DEW_GL_MEDIUM, a.x, a.y, a.z, body->medium.ior);
        dew_gl_program_set(gl, program, DEW_GL_BLUR, roughness, (float)which, 0, 0);
        gl->DrawElements(GL_TRIANGLES, part.count, GL_UNSIGNED_INT,
                         (const void *)((size_t)part.first * sizeof(uint32_t)));
    }
}

// Normals and depths of one side of the liquid or the glass, as the camera sees it.
static void draw_side(dew_GlDrawing *drawing, const dew_GlTarget *target, bool is_liquid,
                      bool is_back)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlProgram *program = &drawing->programs[DEW_GL_SIDE];
    dew_gl_target_bind(gl, target);
    gl->ClearColor(0, 0, 0, 0);
    gl->Clear(GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT);
    gl->Enable(GL_CULL_FACE);
    gl->CullFace(is_back ? GL_FRONT : GL_BACK);
    dew_gl_program_use(gl, program);
    dew_gl_program_set_matrix(gl, program, DEW_GL_TO_CLIP, drawing->frame.clip);
    dew_gl_program_set(gl, program, DEW_GL_DEPTH_KIND, 1, 0, 0, 0);
    draw_clear_parts(drawing, program, is_liquid, 0);
    gl->Disable(GL_CULL_FACE);
}

// which: 1 what is behind glass, -1 what is before it, 0 all; behind: what is seen through it.
static dew_Status draw_clear(dew_GlDrawing *drawing, const dew_GlTarget *behind, bool is_liquid,
                             int which)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlBodies *bodies = &drawing->bodies;
    const dew_GlProgram *program = NULL;
    uint32_t glass = is_liquid && bodies->has_glass ? DEW_GL_HAS_GLASS : 0u;
    uint32_t rough = !is_liquid && bodies->has_frosted ? DEW_GL_IS_ROUGH : 0u;
    if (drawing->bodies.has_frosted) {
        gl->BindTexture(GL_TEXTURE_2D, behind->color[0]);
        gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
        gl->GenerateMipmap(GL_TEXTURE_2D);
    }
    dew_gl_bind_texture(gl, DEW_GL_UNIT_SEEN, behind->color[0]);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_BASE,
                        is_liquid ? drawing->solids.color[1] : behind->color[0]);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_DEPTH, behind->depth);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_BACK,
                        is_liquid ? drawing->liquid_back.color[0] : drawing->glass_back.color[0]);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_GLASS, drawing->glass_front.depth);
    dew_gl_target_bind(gl, &drawing->seen);
    DEW_TRY(use_variant(drawing, DEW_GL_CLEAR, glass | rough, &program));
    gl->Enable(GL_CULL_FACE);
    gl->CullFace(GL_BACK);
    draw_clear_parts(drawing, program, is_liquid, which);
    gl->Disable(GL_CULL_FACE);
    return dew_ok();
}

static void draw_sides(dew_GlDrawing *drawing)
{
    if (drawing->bodies.has_liquid)
        draw_side(drawing, &drawing->liquid_back, true, true);
    if (drawing->bodies.has_glass) {
        draw_side(drawing, &drawing->glass_back, false, true);
        draw_side(drawing, &drawing->glass_front, false, false);
    }
    dew_gl_region_begin(drawing->gl, drawing->dirty_seen);
    dew_gl_target_copy(drawing->gl, &drawing->solids, &drawing->seen, true);
    dew_gl_region_end(drawing->gl);
}

static dew_Status draw_all_clear(dew_GlDrawing *drawing)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlBodies *bodies = &drawing->bodies;
    const dew_GlTarget *solids = &drawing->solids;
    if (!bodies->has_glass)
        return bodies->has_liquid ? draw_clear(drawing, solids, true, 0) : dew_ok();
    if (!bodies->has_liquid)
        return draw_clear(drawing, solids, false, 0);
    DEW_TRY(draw_clear(drawing, solids, true, 1));
    dew_gl_target_copy(gl, &drawing->seen, &drawing->behind, true);
    DEW_TRY(draw_clear(drawing, &drawing->behind, false, 0));
    dew_gl_target_copy(gl, &drawing->seen, &drawing->behind, false);
    return draw_clear(drawing, &drawing->behind, true, -1);
}

// ---- the picture -------------------------------------------------------------------------------

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
    if (drawing->solids.width != shot->width_px || drawing->solids.height != shot->height_px)
        drawing->still.is_drawn = false;
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

static void tell(const dew_GlShot *shot, dew_GlPass pass)
{
    if (shot->after_pass)
        shot->after_pass(shot->context, pass);
}

dew_Status dew_gl_drawing_draw(dew_GlDrawing *drawing, const dew_GlShot *shot)
{
    const dew_Gl *gl = drawing->gl;
    DEW_ASSERT(drawing->scene && drawing->environment);
    drawing->work.map_px = shot->map_px;
    DEW_TRY(set_targets(drawing, shot));
    if (!gl->is_es)
        gl->Enable(GL_DESKTOP_POINTS);
    gl->DepthFunc(GL_LESS);
    drawing->features = 0;
    set_camera(drawing, shot);
    set_light(drawing, shot);
    for (int i = 0; i < drawing->lamps.count; i++)
        DEW_TRY(dew_gl_lamp_draw(&drawing->passes[i], &drawing->work, &drawing->bodies,
                                 drawing->scene, has_caustics(drawing, i)));
    tell(shot, DEW_GL_PASS_LAMPS);
    gl->Enable(GL_DEPTH_TEST);
    gl->DepthMask(GL_TRUE);
    find_dirty(drawing);
    DEW_TRY(draw_solids(drawing));
    tell(shot, DEW_GL_PASS_SOLIDS);
    draw_sides(drawing);
    tell(shot, DEW_GL_PASS_SIDES);
    DEW_TRY(draw_all_clear(drawing));
    tell(shot, DEW_GL_PASS_CLEAR);
    gl->Disable(GL_DEPTH_TEST);
    GLenum error = gl->GetError();
    if (error != GL_NO_ERROR)
        return dew_fail(DEW_UNSUPPORTED, "OpenGL could not draw the picture (error 0x%04x)", error);
    drawing->still.is_drawn = true;
    return dew_ok();
}

// ---- what was drawn ----------------------------------------------------------------------------

void dew_gl_drawing_read(dew_GlDrawing *drawing, float *rgba)
{
    const dew_Gl *gl = drawing->gl;
    gl->BindFramebuffer(GL_FRAMEBUFFER, drawing->seen.framebuffer);
    gl->PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl->ReadPixels(0, 0, drawing->seen.width, drawing->seen.height, GL_RGBA, GL_FLOAT, rgba);
}

void dew_gl_drawing_show(dew_GlDrawing *drawing, GLuint framebuffer, int width_px, int height_px,
                         double exposure_stops)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlProgram *program = &drawing->programs[DEW_GL_TONE];
    gl->BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl->Viewport(0, 0, width_px, height_px);
    gl->Disable(GL_DEPTH_TEST);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_SEEN, drawing->seen.color[0]);
    dew_gl_program_use(gl, program);
    dew_gl_program_set(gl, program, DEW_GL_GAIN, (float)exp2(exposure_stops), 0, 0, 0);
    gl->BindVertexArray(drawing->work.empty_array);
    gl->DrawArrays(GL_TRIANGLES, 0, 3);
}

int dew_gl_drawing_caustics_px(const dew_GlDrawing *drawing)
{
    return drawing->work.map_px;
}

void dew_gl_drawing_read_caustics(dew_GlDrawing *drawing, int lamp, float *rgba, double *area_m2)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlTarget *target = &drawing->passes[lamp].caustics;
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    gl->PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl->ReadPixels(0, 0, target->width, target->height, GL_RGBA, GL_FLOAT, rgba);
    *area_m2 =
        drawing->passes[lamp].liquid.texel_area / (drawing->bodies.scale * drawing->bodies.scale);
}

void dew_gl_drawing_in_caustics(const dew_GlDrawing *drawing, int lamp, dew_Vec3 point_m,
                                double at[2])
{
    const float *m = drawing->passes[lamp].liquid.space;
    dew_Vec3 p = dew_scale(drawing->bodies.scale, dew_sub(point_m, drawing->bodies.middle_m));
    for (int k = 0; k < 2; k++)
        at[k] = (double)m[k] * p.x + (double)m[4 + k] * p.y + (double)m[8 + k] * p.z +
                (double)m[12 + k];
}

const dew_GlLamps *dew_gl_drawing_lamps(const dew_GlDrawing *drawing)
{
    return &drawing->lamps;
}
#endif
