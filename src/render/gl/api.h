/// The calls of OpenGL ES 3.0 that drawing uses, looked up on the current context. Desktop GL 3.3
/// and WebGL2 have the same ones under the same names; so nothing is linked, and a machine without
/// GL can still run everything else.
#pragma once

#include "dew/base.h"

#include <GLES3/gl3.h>

#define DEW_GL_CALLS(X)                                                                            \
    X(ActiveTexture, ACTIVETEXTURE)                                                                \
    X(AttachShader, ATTACHSHADER)                                                                  \
    X(BindAttribLocation, BINDATTRIBLOCATION)                                                      \
    X(BindBuffer, BINDBUFFER)                                                                      \
    X(BindBufferBase, BINDBUFFERBASE)                                                              \
    X(BindFramebuffer, BINDFRAMEBUFFER)                                                            \
    X(BindTexture, BINDTEXTURE)                                                                    \
    X(BindVertexArray, BINDVERTEXARRAY)                                                            \
    X(BlendFunc, BLENDFUNC)                                                                        \
    X(BlitFramebuffer, BLITFRAMEBUFFER)                                                            \
    X(BufferData, BUFFERDATA)                                                                      \
    X(BufferSubData, BUFFERSUBDATA)                                                                \
    X(CheckFramebufferStatus, CHECKFRAMEBUFFERSTATUS)                                              \
    X(Clear, CLEAR)                                                                                \
    X(ClearColor, CLEARCOLOR)                                                                      \
    X(ColorMask, COLORMASK)                                                                        \
    X(CompileShader, COMPILESHADER)                                                                \
    X(CreateProgram, CREATEPROGRAM)                                                                \
    X(CreateShader, CREATESHADER)                                                                  \
    X(CullFace, CULLFACE)                                                                          \
    X(DeleteBuffers, DELETEBUFFERS)                                                                \
    X(DeleteFramebuffers, DELETEFRAMEBUFFERS)                                                      \
    X(DeleteProgram, DELETEPROGRAM)                                                                \
    X(DeleteShader, DELETESHADER)                                                                  \
    X(DeleteTextures, DELETETEXTURES)                                                              \
    X(DeleteVertexArrays, DELETEVERTEXARRAYS)                                                      \
    X(DepthFunc, DEPTHFUNC)                                                                        \
    X(DepthMask, DEPTHMASK)                                                                        \
    X(Disable, DISABLE)                                                                            \
    X(DrawArrays, DRAWARRAYS)                                                                      \
    X(DrawBuffers, DRAWBUFFERS)                                                                    \
    X(DrawElements, DRAWELEMENTS)                                                                  \
    X(Enable, ENABLE)                                                                              \
    X(EnableVertexAttribArray, ENABLEVERTEXATTRIBARRAY)                                            \
    X(Finish, FINISH)                                                                              \
    X(FramebufferTexture2D, FRAMEBUFFERTEXTURE2D)                                                  \
    X(GenBuffers, GENBUFFERS)                                                                      \
    X(GenFramebuffers, GENFRAMEBUFFERS)                                                            \
    X(GenTextures, GENTEXTURES)                                                                    \
    X(GenVertexArrays, GENVERTEXARRAYS)                                                            \
    X(GenerateMipmap, GENERATEMIPMAP)                                                              \
    X(GetError, GETERROR)                                                                          \
    X(GetIntegerv, GETINTEGERV)                                                                    \
    X(GetProgramInfoLog, GETPROGRAMINFOLOG)                                                        \
    X(GetProgramiv, GETPROGRAMIV)                                                                  \
    X(GetShaderInfoLog, GETSHADERINFOLOG)                                                          \
    X(GetShaderiv, GETSHADERIV)                                                                    \
    X(GetString, GETSTRING)                                                                        \
    X(GetUniformBlockIndex, GETUNIFORMBLOCKINDEX)                                                  \
    X(GetUniformLocation, GETUNIFORMLOCATION)                                                      \
    X(LinkProgram, LINKPROGRAM)                                                                    \
    X(PixelStorei, PIXELSTOREI)                                                                    \
    X(ReadBuffer, READBUFFER)                                                                      \
    X(ReadPixels, READPIXELS)                                                                      \
    X(Scissor, SCISSOR)                                                                            \
    X(ShaderSource, SHADERSOURCE)                                                                  \
    X(TexImage2D, TEXIMAGE2D)                                                                      \
    X(TexParameteri, TEXPARAMETERI)                                                                \
    X(TexSubImage2D, TEXSUBIMAGE2D)                                                                \
    X(Uniform1f, UNIFORM1F)                                                                        \
    X(Uniform1i, UNIFORM1I)                                                                        \
    X(Uniform4fv, UNIFORM4FV)                                                                      \
    X(UniformBlockBinding, UNIFORMBLOCKBINDING)                                                    \
    X(UniformMatrix4fv, UNIFORMMATRIX4FV)                                                          \
    X(UseProgram, USEPROGRAM)                                                                      \
    X(VertexAttribPointer, VERTEXATTRIBPOINTER)                                                    \
    X(Viewport, VIEWPORT)

typedef struct dew_Gl {
#define DEW_GL_FIELD(name, NAME) PFNGL##NAME##PROC name;
    DEW_GL_CALLS(DEW_GL_FIELD)
#undef DEW_GL_FIELD
    bool is_es;  // ES 3.0 or WebGL2; else desktop 3.3
} dew_Gl;

typedef void (*dew_GlCall)(void);
typedef dew_GlCall (*dew_GlLookUp)(const char *name);

/// For the context that is current. DEW_UNSUPPORTED when it is older than ES 3.0 or desktop 3.3.
dew_Status dew_gl_load(dew_GlLookUp look_up, dew_Gl *out);
