/// The calls of OpenGL ES 3.0 or desktop 3.3 by which the window draws over the image and reads it
/// back, looked up on the current context: nothing is linked.
#pragma once

#include "dew/render.h"

#ifdef DEW_HAVE_SDL
#include <GLES3/gl3.h>

#define DEW_VIEW_GL_CALLS(X)                                                                       \
    X(ActiveTexture, ACTIVETEXTURE)                                                                \
    X(AttachShader, ATTACHSHADER)                                                                  \
    X(BindFramebuffer, BINDFRAMEBUFFER)                                                            \
    X(BindTexture, BINDTEXTURE)                                                                    \
    X(BindVertexArray, BINDVERTEXARRAY)                                                            \
    X(BlendFunc, BLENDFUNC)                                                                        \
    X(CompileShader, COMPILESHADER)                                                                \
    X(CreateProgram, CREATEPROGRAM)                                                                \
    X(CreateShader, CREATESHADER)                                                                  \
    X(DeleteProgram, DELETEPROGRAM)                                                                \
    X(DeleteShader, DELETESHADER)                                                                  \
    X(DeleteTextures, DELETETEXTURES)                                                              \
    X(DeleteVertexArrays, DELETEVERTEXARRAYS)                                                      \
    X(Disable, DISABLE)                                                                            \
    X(DrawArrays, DRAWARRAYS)                                                                      \
    X(Enable, ENABLE)                                                                              \
    X(Finish, FINISH)                                                                              \
    X(GenTextures, GENTEXTURES)                                                                    \
    X(GenVertexArrays, GENVERTEXARRAYS)                                                            \
    X(GetProgramiv, GETPROGRAMIV)                                                                  \
    X(GetShaderiv, GETSHADERIV)                                                                    \
    X(GetString, GETSTRING)                                                                        \
    X(GetUniformLocation, GETUNIFORMLOCATION)                                                      \
    X(LinkProgram, LINKPROGRAM)                                                                    \
    X(PixelStorei, PIXELSTOREI)                                                                    \
    X(ReadPixels, READPIXELS)                                                                      \
    X(ShaderSource, SHADERSOURCE)                                                                  \
    X(TexImage2D, TEXIMAGE2D)                                                                      \
    X(TexParameteri, TEXPARAMETERI)                                                                \
    X(Uniform4fv, UNIFORM4FV)                                                                      \
    X(UseProgram, USEPROGRAM)                                                                      \
    X(Viewport, VIEWPORT)

typedef struct dew_GlCalls {
#define DEW_GL_CALL_FIELD(name, NAME) PFNGL##NAME##PROC name;
    DEW_VIEW_GL_CALLS(DEW_GL_CALL_FIELD)
#undef DEW_GL_CALL_FIELD
    dew_GlProc (*get_proc)(const char *name);  // any other call
    bool is_es;                                // ES 3.0; else desktop 3.3
} dew_GlCalls;
#endif
