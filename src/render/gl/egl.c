// Contexts without a display.
//
// The surfaceless platform of Mesa comes first, since it needs neither a display nor rights on a
// device; then EGL's devices; then the default display. Contexts have no surface of their own:
// drawing goes to textures.
#ifdef DEW_HAVE_GL
#include "render/gl/egl.h"

#include "base/allocator.h"
#include "base/status.h"

#include <dlfcn.h>
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <string.h>

#define HINT        "--engine ray needs none"
#define MAX_DEVICES 8                  // that are tried
#define DISPLAYS    (MAX_DEVICES + 2)  // with the surfaceless platform and the default display

#define EGL_CALLS(X)                                                                               \
    X(BindAPI, BINDAPI)                                                                            \
    X(ChooseConfig, CHOOSECONFIG)                                                                  \
    X(CreateContext, CREATECONTEXT)                                                                \
    X(DestroyContext, DESTROYCONTEXT)                                                              \
    X(GetDisplay, GETDISPLAY)                                                                      \
    X(GetProcAddress, GETPROCADDRESS)                                                              \
    X(Initialize, INITIALIZE)                                                                      \
    X(MakeCurrent, MAKECURRENT)                                                                    \
    X(QueryString, QUERYSTRING)                                                                    \
    X(ReleaseThread, RELEASETHREAD)

struct dew_GlContext {
#define FIELD(name, NAME) PFNEGL##NAME##PROC name;
    EGL_CALLS(FIELD)
#undef FIELD
    dew_GlKind kind;
    EGLDisplay display;
    EGLContext context;
    dew_Gl gl;
    dew_Allocator allocator;
};

// The library stays open: drivers keep threads and exit handlers in it.
static dew_Status open_library(dew_GlContext *c)
{
    void *library = dlopen("libEGL.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        return dew_fail(DEW_UNSUPPORTED, "this machine has no OpenGL: libEGL.so.1 is missing (" HINT
                                         "; Debian: libegl1, libegl-mesa0)");
#define LOOK_UP(name, NAME)                                                                        \
    *(void **)(void *)&c->name = dlsym(library, "egl" #name);                                      \
    if (!c->name)                                                                                  \
        return dew_fail(DEW_UNSUPPORTED, "libEGL.so.1 has no egl" #name " (" HINT ")");
    EGL_CALLS(LOOK_UP)
#undef LOOK_UP
    return dew_ok();
}

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at && (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
            return true;
    return false;
}

// Displays to try, best first.
static int find_displays(const dew_GlContext *c, EGLDisplay *out)
{
    int count = 0;
    const char *client = c->QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_platform =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)c->GetProcAddress("eglGetPlatformDisplayEXT");
    PFNEGLQUERYDEVICESEXTPROC query_devices =
        (PFNEGLQUERYDEVICESEXTPROC)c->GetProcAddress("eglQueryDevicesEXT");
    if (get_platform && has_word(client, "EGL_MESA_platform_surfaceless"))
        out[count++] =
            get_platform(EGL_PLATFORM_SURFACELESS_MESA, (void *)EGL_DEFAULT_DISPLAY, NULL);
    EGLDeviceEXT devices[MAX_DEVICES];
    EGLint device_count = 0;
    if (get_platform && query_devices && has_word(client, "EGL_EXT_platform_device") &&
        query_devices(MAX_DEVICES, devices, &device_count))
        for (int i = 0; i < device_count && count < DISPLAYS - 1; i++)
            out[count++] = get_platform(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL);
    out[count++] = c->GetDisplay(EGL_DEFAULT_DISPLAY);
    return count;
}

static bool make_context(dew_GlContext *c)
{
    bool is_es = c->kind == DEW_GL_ES3;
    const EGLint config_wanted[] = {EGL_RENDERABLE_TYPE,
                                    is_es ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT, EGL_SURFACE_TYPE,
                                    EGL_DONT_CARE, EGL_NONE};
    const EGLint es[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE};
    const EGLint desktop[] = {EGL_CONTEXT_MAJOR_VERSION,
                              3,
                              EGL_CONTEXT_MINOR_VERSION,
                              3,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                              EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!c->BindAPI(is_es ? EGL_OPENGL_ES_API : EGL_OPENGL_API) ||
        !c->ChooseConfig(c->display, config_wanted, &config, 1, &count) || count < 1)
        return false;
    c->context = c->CreateContext(c->display, config, EGL_NO_CONTEXT, is_es ? es : desktop);
    if (c->context == EGL_NO_CONTEXT)
        return false;
    if (c->MakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, c->context))
        return true;
    c->DestroyContext(c->display, c->context);
    c->context = EGL_NO_CONTEXT;
    return false;
}

// A display is Mesa's own affair once it is initialised; contexts in one process share it, so it is
// not terminated.
static dew_Status find_context(dew_GlContext *c)
{
    EGLDisplay displays[DISPLAYS];
    int count = find_displays(c, displays);
    for (int i = 0; i < count; i++) {
        c->display = displays[i];
        if (c->display != EGL_NO_DISPLAY && c->Initialize(c->display, NULL, NULL) &&
            make_context(c))
            return dew_ok();
    }
    return dew_fail(DEW_UNSUPPORTED, "this machine has no %s (" HINT "; Debian: libgl1-mesa-dri)",
                    c->kind == DEW_GL_ES3 ? "OpenGL ES 3.0" : "desktop OpenGL 3.3");
}

static dew_Status set_up(dew_GlContext *c)
{
    DEW_TRY(open_library(c));
    DEW_TRY(find_context(c));
    return dew_gl_load(c->GetProcAddress, &c->gl);
}

dew_Status dew_gl_context_create(dew_GlKind kind, const dew_Allocator *allocator,
                                 dew_GlContext **out)
{
    *out = NULL;
    dew_GlContext *context = dew_alloc(allocator, 1, sizeof *context);
    if (!context)
        return dew_no_memory(sizeof *context);
    if (allocator)
        context->allocator = *allocator;
    context->kind = kind;
    dew_Status status = set_up(context);
    if (status.code != DEW_OK) {
        dew_gl_context_destroy(context);
        return status;
    }
    *out = context;
    return dew_ok();
}

void dew_gl_context_destroy(dew_GlContext *context)
{
    if (!context)
        return;
    if (context->context != EGL_NO_CONTEXT) {
        dew_gl_context_end(context);
        context->DestroyContext(context->display, context->context);
        context->ReleaseThread();
    }
    dew_Allocator allocator = context->allocator;
    dew_free(&allocator, context, sizeof *context);
}

dew_Status dew_gl_context_begin(dew_GlContext *context)
{
    context->BindAPI(context->kind == DEW_GL_ES3 ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
    if (!context->MakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, context->context))
        return dew_fail(DEW_UNSUPPORTED, "OpenGL's context cannot be used on this thread");
    return dew_ok();
}

void dew_gl_context_end(dew_GlContext *context)
{
    context->MakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

const dew_Gl *dew_gl_context_calls(const dew_GlContext *context)
{
    return &context->gl;
}
#endif
