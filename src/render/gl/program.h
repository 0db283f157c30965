/// Shader programs: one GLSL source for OpenGL ES 3.0, WebGL2 and desktop 3.3; only the first line differs.
#pragma once

#include "render/gl/api.h"

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
    DEW_GL_TONE_CODED,  // of a picture for a screen
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

/// Where each texture is bound. Shadow maps, caustics: one each per lamp, in a row.
enum {
    DEW_GL_UNIT_ENVIRONMENT = 0,
    DEW_GL_UNIT_TEXTURE = 1,
    DEW_GL_UNIT_SHADE = 2,
    DEW_GL_UNIT_LIQUID = 5,
    DEW_GL_UNIT_CAUSTICS = 8,
    DEW_GL_UNIT_SEEN = 11,
    DEW_GL_UNIT_BASE = 12,
    DEW_GL_UNIT_DEPTH = 13,
    DEW_GL_UNIT_BACK = 14,
    DEW_GL_UNIT_GLASS = 15,
    DEW_GL_UNIT_FRONT = 15,  // live, as those below
    DEW_GL_UNIT_AROUND = 12,
    DEW_GL_UNIT_BACK_DEPTH = 9,
    DEW_GL_UNIT_FRONT_DEPTH = 10,
    DEW_GL_UNIT_BACKDROP = 16,
    // While caustics are made:
    DEW_GL_UNIT_POSITIONS = 2,
    DEW_GL_UNIT_NORMALS = 3,
    DEW_GL_UNIT_SOLID = 4,
    DEW_GL_UNIT_HITS = 6,
    DEW_GL_UNIT_THROUGH = 7,
    DEW_GL_UNIT_TRIANGLES = 8,
};

/// What a program is compiled for. A GL in software computes both sides of every branch, so what a scene
/// does not have must not be in its shaders.
enum {
    DEW_GL_HAS_TABLE = 1 << 0,
    DEW_GL_HAS_BACKDROP = 1 << 1,
    DEW_GL_HAS_FADE = 1 << 2,
    DEW_GL_HAS_TEXTURE = 1 << 3,
    DEW_GL_IS_WET = 1 << 4,
    DEW_GL_IS_ROUGH = 1 << 5,   // frosted glass
    DEW_GL_HAS_GLASS = 1 << 6,  // the liquid may stand before or behind glass
    DEW_GL_IS_LIVE = 1 << 7,
    DEW_GL_LAMPS_SHIFT = 8,        // number of lamps
    DEW_GL_CAUSTICS_SHIFT = 10,    // a bit for each lamp that has them
    DEW_GL_HIGHLIGHTS_SHIFT = 13,  // a bit for each lamp that the surroundings do not show
    DEW_GL_LOOK_SHIFT = 16,        // dew_LookKind, 8 bits
    DEW_GL_IS_CODED = 1 << 24,     // pictures are kept as a screen shows them, in bytes
    DEW_GL_ABSORBS = 1 << 25,      // the liquid takes away light that can be missed
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
