/// What a lamp sees, and the caustics it casts.
#pragma once

#include "render/gl/bodies.h"
#include "render/gl/lamps.h"
#include "render/gl/program.h"

/// A box that a lamp looks at.
typedef struct dew_GlLampFrame {
    float space[16];    // the drawing's units to light space, 0..1
    float clip[16];     // the same to clip space
    float bias;         // of depths
    double texel_area;  // the drawing's units
    dew_Vec3 corners[8];
} dew_GlLampFrame;

typedef struct dew_GlLampPass {
    dew_GlLampFrame all, liquid;          // around what casts shadows; around the liquid
    dew_GlTarget solid_depth;             // in the frame of all
    dew_GlTarget floor_depth;             // solids in the liquid's frame
    dew_GlTarget liquid_depth, caustics;  // in the liquid's frame
    dew_Float3 towards;                   // with its shift over the disk
    uint64_t shown_hash;                  // of the solids and the space that solid_depth shows
} dew_GlLampPass;

/// Shared by all lamps.
typedef struct dew_GlLampWork {
    const dew_Gl *gl;
    const dew_GlProgram *programs;  // by kind
    dew_GlTarget back;              // far side of the liquid: normal, depth
    dew_GlTarget hits;              // per vertex
    GLuint empty_array;             // for drawing without vertices
    int map_px;
} dew_GlLampWork;

/// Frames the bodies as seen from the lamp; disk: a point of the lamp's disk; is_steady: the frame of
/// the liquid seldom changes.
void dew_gl_lamp_aim(dew_GlLampPass *pass, const dew_GlLamp *lamp, const double disk[2],
                     const dew_GlLamps *lamps, const dew_GlBodies *bodies, int map_px,
                     bool is_steady);
/// Draws its maps. The frame's uniforms must be set.
dew_Status dew_gl_lamp_draw(dew_GlLampPass *pass, dew_GlLampWork *work, const dew_GlBodies *bodies,
                            const dew_PictureScene *scene, bool has_caustics);
void dew_gl_lamp_deinit(const dew_Gl *gl, dew_GlLampPass *pass);

/// The body of the clear liquid; NULL: there is none.
const dew_PictureBody *dew_gl_liquid_of(const dew_PictureScene *scene);

/// Draws parts of the bodies with the program in use.
void dew_gl_draw_opaque(const dew_Gl *gl, const dew_GlBodies *bodies);
void dew_gl_draw_liquid(const dew_Gl *gl, const dew_GlBodies *bodies,
                        const dew_PictureScene *scene);
