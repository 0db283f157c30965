/// Shader programs: one GLSL source for OpenGL ES 3.0, WebGL2 and desktop 3.3; only the first line
/// differs.
#pragma once

#include "render/gl/api.h"
#include "render/gl/lights.h"

typedef enum dew_GlProgramKind {
    DEW_GL_SOLID,
    DEW_GL_CLEAR,
    DEW_GL_SIDE,
    DEW_GL_LIVE_SIDE,
    DEW_GL_SKY,
    DEW_GL_CAUSTIC_HITS,
    DEW_GL_CAUSTIC_SPLAT,
    DEW_GL_TONE,
    DEW_GL_TONE_SAME,   // onto as many pixels
    DEW_GL_TONE_CODED,  // of an image for a screen
    DEW_GL_LIVE_LIQUID,
    DEW_GL_LIVE_GLASS,
    DEW_GL_LIVE_LIGHT,
    DEW_GL_LIVE_SOFT,
    DEW_GL_LIVE_LIT,
    DEW_GL_LIVE_COPY,
    DEW_GL_PROGRAM_COUNT
} dew_GlProgramKind;

/// Uniforms that change between draws.
typedef enum dew_GlUniform {
    DEW_GL_COLOR,
    DEW_GL_LOOK,
    DEW_GL_FADE,
    DEW_GL_FADE_END,
    DEW_GL_FROM_OWN,
    DEW_GL_MEDIUM,
    DEW_GL_BLUR,
    DEW_GL_TO_CLIP,
    DEW_GL_DEPTH_KIND,
    DEW_GL_SPACE,
    DEW_GL_TOWARDS,
    DEW_GL_SPLAT,
    DEW_GL_GAIN,
    DEW_GL_UNIFORM_COUNT
} dew_GlUniform;

/// Where each texture is bound. Shadow maps, caustics: one each per light, in a row.
enum {
    DEW_GL_UNIT_ENVIRONMENT,
    DEW_GL_UNIT_TEXTURE,
    DEW_GL_UNIT_SHADE,
    DEW_GL_UNIT_LIQUID = DEW_GL_UNIT_SHADE + DEW_GL_LIGHTS,
    DEW_GL_UNIT_CAUSTICS = DEW_GL_UNIT_LIQUID + DEW_GL_LIGHTS,
    DEW_GL_UNIT_SEEN = DEW_GL_UNIT_CAUSTICS + DEW_GL_LIGHTS,
    DEW_GL_UNIT_BASE,
    DEW_GL_UNIT_DEPTH,
    DEW_GL_UNIT_BACK,
    DEW_GL_UNIT_GLASS,
    DEW_GL_UNIT_BACKDROP,
    // Live, in units whose textures are not used then:
    DEW_GL_UNIT_FRONT = DEW_GL_UNIT_GLASS,
    DEW_GL_UNIT_AROUND = DEW_GL_UNIT_BASE,
    DEW_GL_UNIT_BACK_DEPTH = DEW_GL_UNIT_CAUSTICS + 1,
    DEW_GL_UNIT_FRONT_DEPTH,
    // While caustics are made:
    DEW_GL_UNIT_POSITIONS = DEW_GL_UNIT_SHADE,
    DEW_GL_UNIT_NORMALS,
    DEW_GL_UNIT_SOLID,
    DEW_GL_UNIT_HITS = DEW_GL_UNIT_LIQUID + 1,
    DEW_GL_UNIT_THROUGH,
    DEW_GL_UNIT_TRIANGLES,
};

/// What a program is compiled for. A GL in software computes both sides of every branch, so what a
/// scene does not have must not be in its shaders.
enum {
    DEW_GL_HAS_TABLE = 1 << 0,
    DEW_GL_HAS_BACKDROP = 1 << 1,
    DEW_GL_HAS_FADE = 1 << 2,
    DEW_GL_HAS_TEXTURE = 1 << 3,
    DEW_GL_IS_WET = 1 << 4,
    DEW_GL_IS_ROUGH = 1 << 5,   // frosted glass
    DEW_GL_HAS_GLASS = 1 << 6,  // the liquid may stand before or behind glass
    DEW_GL_IS_LIVE = 1 << 7,
    DEW_GL_LIGHTS_SHIFT = 8,                          // number of lights
    DEW_GL_CAUSTICS_SHIFT = DEW_GL_LIGHTS_SHIFT + 2,  // a bit for each light that has them
    // A bit for each light that the environment map does not show:
    DEW_GL_HIGHLIGHTS_SHIFT = DEW_GL_CAUSTICS_SHIFT + DEW_GL_LIGHTS,
    DEW_GL_LOOK_SHIFT = DEW_GL_HIGHLIGHTS_SHIFT + DEW_GL_LIGHTS,  // dew_LookKind, 8 bits
    DEW_GL_IS_CODED = 1 << 24,  // images are kept as a screen shows them, in bytes
    DEW_GL_ABSORBS = 1 << 25,   // the liquid takes away light that can be missed
};

typedef struct dew_GlProgram {
    GLuint id;
    dew_GlProgramKind kind;
    uint32_t features;
    GLint uniforms[DEW_GL_UNIFORM_COUNT];  // -1: it has none
} dew_GlProgram;

/// Is it compiled anew for each set of features?
bool dew_gl_program_has_variants(dew_GlProgramKind kind);

/// Compiles and links. Needs a current context.
dew_Status dew_gl_program_create(const dew_Gl *gl, dew_GlProgramKind kind, uint32_t features,
                                 dew_GlProgram *out);
void dew_gl_program_destroy(const dew_Gl *gl, dew_GlProgram *program);

void dew_gl_program_use(const dew_Gl *gl, const dew_GlProgram *program);
void dew_gl_program_set(const dew_Gl *gl, const dew_GlProgram *program, dew_GlUniform uniform,
                        float x, float y, float z, float w);
void dew_gl_program_set_matrix(const dew_Gl *gl, const dew_GlProgram *program,
                               dew_GlUniform uniform, const float m[16]);
