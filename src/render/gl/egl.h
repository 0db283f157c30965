/// A context of OpenGL without a display, through EGL: on Mesa's surfaceless platform, on whatever
/// device there is, or on the default display. libEGL is opened when it is asked for.
///
/// Does not draw, and makes no window.
#pragma once

#include "render/gl/api.h"

typedef struct dew_GlContext dew_GlContext;

typedef enum dew_GlKind {
    DEW_GL_ES3,       // OpenGL ES 3.0
    DEW_GL_DESKTOP33  // desktop OpenGL 3.3, core profile
} dew_GlKind;

/// Current on the calling thread when it returns. DEW_UNSUPPORTED, with one sentence, on machines
/// without GL.
dew_Status dew_gl_context_create(dew_GlKind kind, const dew_Allocator *allocator,
                                 dew_GlContext **out);
void dew_gl_context_destroy(dew_GlContext *context);

dew_Status dew_gl_context_begin(dew_GlContext *context);  // current on this thread
void dew_gl_context_end(dew_GlContext *context);          // on none
const dew_Gl *dew_gl_context_calls(const dew_GlContext *context);
