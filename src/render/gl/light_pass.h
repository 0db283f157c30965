/// What a light sees, and the caustics it casts.
#pragma once

#include "render/gl/bodies.h"
#include "render/gl/lights.h"
#include "render/gl/program.h"

/// A box that a light looks at.
typedef struct dew_GlLightFrame {
    float space[16];    // the drawing's units to light space, 0..1
    float clip[16];     // the same to clip space
    float bias;         // of depths
    double texel_area;  // the drawing's units
    dew_Vec3 corners[8];
} dew_GlLightFrame;

typedef struct dew_GlLightPass {
    dew_GlLightFrame all, liquid;         // around what casts shadows; around the liquid
    dew_GlTarget solid_depth;             // in the frame of all
    dew_GlTarget floor_depth;             // solids in the liquid's frame
    dew_GlTarget liquid_depth, caustics;  // in the liquid's frame
    dew_Float3 towards;                   // with its shift over the disk
    uint64_t shown_hash;                  // of the solids and the space that solid_depth shows
} dew_GlLightPass;

/// Shared by all lights.
typedef struct dew_GlLightWork {
    const dew_Gl *gl;
    const dew_GlProgram *programs;  // by kind
    dew_GlTarget back;              // far side of the liquid: normal, depth
    dew_GlTarget hits;              // per vertex
    GLuint empty_array;             // for drawing without vertices
    int map_px;
} dew_GlLightWork;

/// Frames the bodies as seen from the light; disk: a point of the light's disk; is_steady: the
/// frame of the liquid seldom changes.
void dew_gl_light_aim(dew_GlLightPass *pass, const dew_GlLight *light, const double disk[2],
                      const dew_GlLights *lights, const dew_GlBodies *bodies, int map_px,
                      bool is_steady);
/// Draws its maps. The frame's uniforms must be set.
dew_Status dew_gl_light_draw(dew_GlLightPass *pass, dew_GlLightWork *work,
                             const dew_GlBodies *bodies, const dew_RenderScene *scene,
                             bool has_caustics);
void dew_gl_light_deinit(const dew_Gl *gl, dew_GlLightPass *pass);

/// The body of the clear liquid; NULL: there is none.
const dew_RenderBody *dew_gl_liquid_of(const dew_RenderScene *scene);

/// Draws parts of the bodies with the program in use.
void dew_gl_draw_opaque(const dew_Gl *gl, const dew_GlBodies *bodies);
void dew_gl_draw_liquid(const dew_Gl *gl, const dew_GlBodies *bodies, const dew_RenderScene *scene);
