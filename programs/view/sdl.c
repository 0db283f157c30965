// SDL2, opened when it is asked for.
#include "view/sdl.h"

#ifdef DEW_HAVE_SDL
#include <dlfcn.h>

#define LIBRARY "libSDL2-2.0.so.0"

// The library stays open: it keeps handlers that run at the program's end.
dew_Status dew_sdl_load(dew_Sdl *out)
{
    void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        return dew_fail(DEW_UNSUPPORTED, "this machine has no windows: " LIBRARY
                                         " is missing (Debian: libsdl2-2.0-0)");
#define LOOK_UP(name)                                                                              \
    *(void **)(void *)&out->name = dlsym(library, "SDL_" #name);                                   \
    if (!out->name)                                                                                \
        return dew_fail(DEW_UNSUPPORTED, LIBRARY " has no SDL_" #name);
    DEW_SDL_CALLS(LOOK_UP)
#undef LOOK_UP
    return dew_ok();
}
#else
typedef int dew_NoSdl;  // a translation unit is not empty
#endif
