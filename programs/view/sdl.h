/// The calls of SDL2 that the window uses, looked up when it is opened. So nothing is linked, and a
/// machine without SDL can still run everything else.
#pragma once

#include "dew/base.h"

#ifdef DEW_HAVE_SDL
#define SDL_MAIN_HANDLED
#include <SDL2/SDL.h>

#define DEW_SDL_CALLS(X)                                                                           \
    X(CreateWindow)                                                                                \
    X(Delay)                                                                                       \
    X(DestroyWindow)                                                                               \
    X(GetCurrentVideoDriver)                                                                       \
    X(GetError)                                                                                    \
    X(GL_CreateContext)                                                                            \
    X(GL_DeleteContext)                                                                            \
    X(GL_GetDrawableSize)                                                                          \
    X(GL_LoadLibrary)                                                                              \
    X(GL_GetProcAddress)                                                                           \
    X(GL_SetAttribute)                                                                             \
    X(GL_SetSwapInterval)                                                                          \
    X(GL_SwapWindow)                                                                               \
    X(GetWindowSize)                                                                               \
    X(Init)                                                                                        \
    X(PollEvent)                                                                                   \
    X(PushEvent)                                                                                   \
    X(SetHint)                                                                                     \
    X(SetMainReady)

typedef struct dew_Sdl {
#define DEW_SDL_FIELD(name) __typeof__(&SDL_##name) name;
    DEW_SDL_CALLS(DEW_SDL_FIELD)
#undef DEW_SDL_FIELD
} dew_Sdl;

/// DEW_UNSUPPORTED, with one sentence, on machines without the library.
dew_Status dew_sdl_load(dew_Sdl *out);
#endif
