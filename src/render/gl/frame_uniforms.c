// Camera and light of a shot, as uniforms.
#ifdef DEW_HAVE_GL
#include "render/gl/drawing_state.h"

#include <string.h>

#define MAX_CAUSTIC_RAD 0.12f   // radius of a light: wider ones cast no sharp caustics
#define MAX_EXPONENT    2000.0  // n of eq. (9)

bool dew_gl_frame_is_same_view(const dew_Camera *a, const dew_Camera *b)
{
    return a->half_width == b->half_width && a->half_height == b->half_height &&
           dew_distance(a->forward, b->forward) == 0 && dew_distance(a->up, b->up) == 0;
}

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
    double shift[2];  // of the image
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
    // Of the middle of what the scene is about, which stays when bodies move; unless the eye is
    // there.
    dew_Vec3 middle = dew_combine(0.5, bodies->casters.min, 0.5, bodies->casters.max);
    double distance = fmax(dew_length(view.eye), 1e-3);
    bool has_casters = bodies->casters.min.x <= bodies->casters.max.x;
    if (has_casters && distance < 0.05 * dew_distance(view.eye, middle))
        distance = dew_distance(view.eye, middle);
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
    dew_GlFrame *frame = &drawing->frame;
    set_clip(frame->clip, &view, camera);
    put4(frame->eye, view.eye, 1 / view.near - 1 / view.far);
    put4(frame->right, camera->right, camera->half_width);
    put4(frame->up, camera->up, camera->half_height);
    put4(frame->forward, camera->forward, 1 / view.near);
    put4(frame->image, dew_vec(view.shift[0], view.shift[1], 1.0 / shot->width_px),
         1.0 / shot->height_px);
    dew_Box box = drawing->bodies.casters;
    double size = box.min.x <= box.max.x ? dew_distance(box.min, box.max) : 2;
    put4(frame->reach, dew_vec(2 * size, shot->search_steps, drawing->environment_levels), 0);
    if (dew_gl_frame_is_same_view(camera, &drawing->backdrop_camera))
        drawing->features |= DEW_GL_HAS_BACKDROP;
}

static void set_light(dew_GlDrawing *drawing, const dew_GlShot *shot)
{
    dew_GlFrame *frame = &drawing->frame;
    const dew_GlLights *lights = &drawing->lights;
    const dew_GlBodies *bodies = &drawing->bodies;
    for (int i = 0; i < 9; i++)
        put_color(frame->ambient[i], lights->ambient[i], 0);
    double offset =
        bodies->scale * ((double)lights->table_offset_m -
                         dew_inner(dew_f3_wide(lights->table_normal), bodies->middle_m));
    put_color(frame->table, lights->table_normal, (float)offset);
    put_color(frame->table_light, lights->table_light, 0);
    drawing->features |= lights->has_table ? DEW_GL_HAS_TABLE : 0;
    drawing->features |= (uint32_t)lights->count << DEW_GL_LIGHTS_SHIFT;
    for (int i = 0; i < lights->count; i++) {
        const dew_GlLight *light = &lights->lights[i];
        dew_GlLightPass *pass = &drawing->passes[i];
        dew_gl_light_aim(pass, light, shot->light, lights, bodies, shot->map_px,
                         shot->level == DEW_GL_LIVE);
        memcpy(frame->light_space[i], pass->all.space, sizeof pass->all.space);
        memcpy(frame->liquid_space[i], pass->liquid.space, sizeof pass->liquid.space);
        put_color(frame->light_towards[i], pass->towards, pass->all.bias);
        // Half of an even disk's light lies within 0.7 of its radius; of cos^n within (1.4 /
        // n)^0.5.
        double r = (double)light->radius_rad, sharpness = fmin(2.8 / (r * r), MAX_EXPONENT);
        put_color(frame->light_color[i], light->irradiance, (float)sharpness);
        if (!light->is_in_map)
            drawing->features |= 1u << (DEW_GL_HIGHLIGHTS_SHIFT + i);
        if (bodies->has_liquid && shot->level == DEW_GL_FINE &&
            (shot->has_soft_lights || light->radius_rad < MAX_CAUSTIC_RAD))
            drawing->features |= 1u << (DEW_GL_CAUSTICS_SHIFT + i);
    }
    drawing->gl->BindBuffer(GL_UNIFORM_BUFFER, drawing->frame_buffer);
    drawing->gl->BufferSubData(GL_UNIFORM_BUFFER, 0, sizeof *frame, frame);
    drawing->gl->BindBufferBase(GL_UNIFORM_BUFFER, 0, drawing->frame_buffer);
}

void dew_gl_frame_set(dew_GlDrawing *drawing, const dew_GlShot *shot)
{
    bool is_live = shot->level == DEW_GL_LIVE;
    drawing->features = is_live ? DEW_GL_IS_LIVE : 0u;
    drawing->features |= is_live && shot->is_for_screen ? DEW_GL_IS_CODED : 0u;
    set_camera(drawing, shot);
    set_light(drawing, shot);
}
#endif
