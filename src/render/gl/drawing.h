/// Draws image scenes with OpenGL on whatever context is current: a window's, or one without a
/// display.
///
/// After [Durikovic]: caustics by illumination volumes into a texture (eq. 8), highlights (eq. 9),
/// refraction by Snell's law into the image of what lies behind (eq. 10), and their blending.
/// docs/theory/realtime.md lists where it differs from the paper and what is left out.
///
///     dew_gl_drawing_create(gl, allocator, &drawing);     // on the current context
///     dew_gl_drawing_set_scene(drawing, scene, tasks);    // light and surroundings: once
///     for each frame:
///         dew_gl_drawing_set_bodies(drawing, scene);      // what is where
///         dew_gl_drawing_draw(drawing, &shot);
///         dew_gl_drawing_read(drawing, rgba);             // or dew_gl_drawing_show, in a window
///
/// All calls need the context that it was made on to be current.
#pragma once

#include "base/tasks.h"
#include "render/gl/api.h"
#include "render/gl/lights.h"
#include "render/render_scene.h"

typedef struct dew_GlDrawing dew_GlDrawing;

/// What an image is made of, in order.
typedef enum dew_GlPass {
    DEW_GL_PASS_LIGHTS,  // shadow maps and caustics
    DEW_GL_PASS_SOLIDS,  // and what lies behind them
    DEW_GL_PASS_SIDES,   // far sides of what is clear, and the copy that it is drawn on
    DEW_GL_PASS_CLEAR,
    DEW_GL_PASS_COUNT
} dew_GlPass;

/// How much is done for an image.
typedef enum dew_GlLevel {
    DEW_GL_FINE,  // everything below: for images that may take their time
    DEW_GL_LIVE,  // for windows: what makes water read as water, at a tenth of the cost
} dew_GlLevel;

/// At the live level normals are drawn pixel by pixel: patches of the liquid may be this large
/// (dew_RenderInstant.patch_px).
#define DEW_GL_LIVE_PATCH_PX 12.0

/// How one image is taken. Several with different shifts, averaged, smooth edges, blur what is out
/// of focus and soften shadows.
typedef struct dew_GlShot {
    int width_px, height_px;
    dew_GlLevel level;
    double shift_px[2];  // of the image, from pixels' middles
    double lens[2];      // point of the lens, unit disk
    double light[2];     // point of each light's disk, unit disk
    int map_px;        // side of shadow maps and caustics textures (live: of these at most a half)
    int search_steps;  // fine: along rays in the image's depth
    bool has_soft_lights;  // fine: wide lights cast caustics too: for many averaged shots
    int light_every;       // live: frames after which light through the liquid is found anew
    bool is_for_screen;    // live: in bytes, as a screen shows them: cheaper; what is read is as
                           // coarse
    // Called after each pass (may be NULL): for time per pass.
    void (*after_pass)(void *context, dew_GlPass pass);
    void *context;
} dew_GlShot;

dew_GlShot dew_gl_shot_live(int width_px, int height_px);   // real time
dew_GlShot dew_gl_shot_quick(int width_px, int height_px);  // the fine level, one image by itself
dew_GlShot dew_gl_shot_fine(int width_px, int height_px);   // one of many to be averaged

dew_Status dew_gl_drawing_create(const dew_Gl *gl, const dew_Allocator *allocator,
                                 dew_GlDrawing **out);
void dew_gl_drawing_destroy(dew_GlDrawing *drawing);

/// Light and surroundings. The scene must have been set (tables are found in it).
dew_Status dew_gl_drawing_set_scene(dew_GlDrawing *drawing, const dew_RenderScene *scene,
                                    dew_Tasks *tasks);
/// Bodies and camera of an instant; buffers are filled in place.
dew_Status dew_gl_drawing_set_bodies(dew_GlDrawing *drawing, const dew_RenderScene *scene);
/// Shows what lies behind everything sharper than the surroundings' map does, for the camera of the
/// bodies. Costs about as much as an image traces rays: for cameras that stand still. Kept while
/// the camera does, also for coarser images; without it, or once the camera turns, the map is
/// shown.
dew_Status dew_gl_drawing_set_backdrop(dew_GlDrawing *drawing, dew_Tasks *tasks);
dew_Status dew_gl_drawing_draw(dew_GlDrawing *drawing, const dew_GlShot *shot);

/// The last image, linear light, four floats per pixel, row by row from the bottom.
void dew_gl_drawing_read(dew_GlDrawing *drawing, float *rgba);
/// The last image for a screen, into a framebuffer (0: the window's).
void dew_gl_drawing_show(dew_GlDrawing *drawing, GLuint framebuffer, int width_px, int height_px,
                         double exposure_stops);

/// The caustics texture of a light: how much of the light there would be without the liquid arrives
/// through it. rgba[4 size size]; *area_m2: of a texel, at right angles to the light.
int dew_gl_drawing_caustics_px(const dew_GlDrawing *drawing);
void dew_gl_drawing_read_caustics(dew_GlDrawing *drawing, int light, float *rgba, double *area_m2);
/// A point in that texture, 0..1.
void dew_gl_drawing_in_caustics(const dew_GlDrawing *drawing, int light, dew_Vec3 point_m,
                                double at[2]);
const dew_GlLights *dew_gl_drawing_lights(const dew_GlDrawing *drawing);
