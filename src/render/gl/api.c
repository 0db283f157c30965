// Looks up OpenGL's calls.
#ifdef DEW_HAVE_GL
#include "render/gl/api.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

// "OpenGL ES 3.2 Mesa ...", "4.5 (Core Profile) Mesa ...", "WebGL 2.0 ..." behind Emscripten's ES.
static dew_Status check_version(dew_Gl *gl)
{
    const char *version = (const char *)gl->GetString(GL_VERSION);
    int major = 0, minor = 0;
    gl->is_es = version && strncmp(version, "OpenGL ES ", 10) == 0;
    if (version)
        sscanf(version + (gl->is_es ? 10 : 0), "%d.%d", &major, &minor);
    int has = 10 * major + minor, needs = gl->is_es ? 30 : 33;
    if (has < needs)
        return dew_fail(DEW_UNSUPPORTED, "OpenGL here is \"%s\"; images need ES 3.0 or desktop 3.3",
                        version ? version : "");
    return dew_ok();
}

dew_Status dew_gl_load(dew_GlLookUp look_up, dew_Gl *out)
{
    *out = (dew_Gl){0};
#define LOOK_UP(name, NAME)                                                                        \
    out->name = (PFNGL##NAME##PROC)look_up("gl" #name);                                            \
    if (!out->name)                                                                                \
        return dew_fail(DEW_UNSUPPORTED, "OpenGL here has no gl" #name);
    DEW_GL_CALLS(LOOK_UP)
#undef LOOK_UP
    return check_version(out);
}
#endif
