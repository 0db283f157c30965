/// Textures, and what is drawn into them.
#pragma once

#include "render/gl/api.h"

enum { DEW_GL_MAX_COLORS = 2 };

/// A framebuffer with textures for its colours and its depth.
typedef struct dew_GlTarget {
    GLuint framebuffer;
    GLuint color[DEW_GL_MAX_COLORS];
    GLuint depth;  // 0: none
    GLenum format[DEW_GL_MAX_COLORS];
    int width, height;
} dew_GlTarget;

typedef struct dew_GlTargetDef {
    int width, height;
    GLenum color[DEW_GL_MAX_COLORS];  // sized formats; 0: none
    GLenum filter;                    // of colours: GL_NEAREST or GL_LINEAR
    bool has_depth;
    bool compares_depth;  // the depth is read as a shadow map
} dew_GlTargetDef;

/// Is it as it should be?
bool dew_gl_target_is(const dew_GlTarget *target, const dew_GlTargetDef *def);
/// Makes it anew when its size or its formats differ. DEW_UNSUPPORTED when GL cannot draw into
/// these.
dew_Status dew_gl_target_set(const dew_Gl *gl, dew_GlTarget *target, const dew_GlTargetDef *def);
void dew_gl_target_deinit(const dew_Gl *gl, dew_GlTarget *target);
void dew_gl_target_bind(const dew_Gl *gl, const dew_GlTarget *target);  // with its viewport
/// Colour 0, and the depth when asked for, from one to another of the same size and formats.
void dew_gl_target_copy(const dew_Gl *gl, const dew_GlTarget *from, const dew_GlTarget *to,
                        bool with_depth);
void dew_gl_target_copy_depth(const dew_Gl *gl, const dew_GlTarget *from, const dew_GlTarget *to);

/// A texture of floats or numbers for texelFetch, WIDTH texels wide; grows by half, is filled in
/// place.
typedef struct dew_GlTable {
    GLuint texture;
    int rows;
} dew_GlTable;

enum { DEW_GL_TABLE_WIDTH = 1024 };

/// `rows` full rows of four components each. is_index: uint32_t, else float.
void dew_gl_table_set(const dew_Gl *gl, dew_GlTable *table, const void *data, int rows,
                      bool is_index);
void dew_gl_table_deinit(const dew_Gl *gl, dew_GlTable *table);

void dew_gl_bind_texture(const dew_Gl *gl, int unit, GLuint texture);
