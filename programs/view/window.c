// The window by SDL2. An ES 3.0 context is asked for first, since that is what the shaders are
// written for; then a desktop one.
#ifdef DEW_HAVE_SDL
#include "view/window.h"

#include "view/sdl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HINT "--offscreen draws without a display"

struct dew_Window {
    dew_Sdl sdl;
    SDL_Window *window;
    SDL_GLContext context;
    dew_GlCalls gl;
};

// ---- opening -----------------------------------------------------------------------------------

// SDL takes a driver without a display by itself when there is none; who wants that says so.
static bool is_unseen(const char *driver)
{
    return strcmp(driver, "offscreen") == 0 || strcmp(driver, "dummy") == 0 ||
           strcmp(driver, "evdev") == 0;
}

static dew_Status begin(dew_Window *window, bool is_offscreen)
{
    const dew_Sdl *sdl = &window->sdl;
    const char *wanted = getenv("SDL_VIDEODRIVER");
    bool is_chosen = wanted && *wanted;
    sdl->SetMainReady();
    sdl->SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "0");
    if (is_offscreen)
        sdl->SetHint(SDL_HINT_VIDEODRIVER, "offscreen");
    else if (!is_chosen && !getenv("XDG_RUNTIME_DIR"))
        sdl->SetHint(SDL_HINT_VIDEODRIVER, "x11,KMSDRM");  // wayland's library would print
    if (sdl->Init(SDL_INIT_VIDEO) != 0)
        return dew_fail(DEW_UNSUPPORTED, "there is no display: %.200s (" HINT ")", sdl->GetError());
    const char *driver = sdl->GetCurrentVideoDriver();
    if (!is_offscreen && !is_chosen && (!driver || is_unseen(driver)))
        return dew_fail(DEW_UNSUPPORTED, "there is no display (" HINT ")");
    return dew_ok();
}

static bool make_context(dew_Window *window, const dew_WindowDef *def, bool is_es)
{
    const dew_Sdl *sdl = &window->sdl;
    sdl->GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK,
                         is_es ? SDL_GL_CONTEXT_PROFILE_ES : SDL_GL_CONTEXT_PROFILE_CORE);
    sdl->GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    sdl->GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, is_es ? 0 : 3);
    sdl->GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
    window->window =
        sdl->CreateWindow(def->title, (int)SDL_WINDOWPOS_UNDEFINED, (int)SDL_WINDOWPOS_UNDEFINED,
                          def->width_px, def->height_px, SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE);
    window->context = window->window ? sdl->GL_CreateContext(window->window) : NULL;
    if (window->context)
        return true;
    if (window->window)
        sdl->DestroyWindow(window->window);
    window->window = NULL;
    return false;
}

static dew_Status load_calls(dew_Window *window)
{
    dew_GlCalls *gl = &window->gl;
    memcpy(&gl->get_proc, &window->sdl.GL_GetProcAddress, sizeof gl->get_proc);
#define LOOK_UP(name, NAME)                                                                        \
    gl->name = (PFNGL##NAME##PROC)gl->get_proc("gl" #name);                                        \
    if (!gl->name)                                                                                 \
        return dew_fail(DEW_UNSUPPORTED, "OpenGL here has no gl" #name);
    DEW_VIEW_GL_CALLS(LOOK_UP)
#undef LOOK_UP
    const char *version = (const char *)gl->GetString(GL_VERSION);
    gl->is_es = version && strncmp(version, "OpenGL ES ", strlen("OpenGL ES ")) == 0;
    return dew_ok();
}

static dew_Status set_up(dew_Window *window, const dew_WindowDef *def)
{
    DEW_TRY(dew_sdl_load(&window->sdl));
    DEW_TRY(begin(window, def->is_offscreen));
    if (!make_context(window, def, true) && !make_context(window, def, false))
        return dew_fail(DEW_UNSUPPORTED, "the window has no OpenGL: %.200s",
                        window->sdl.GetError());
    window->sdl.GL_LoadLibrary(
        NULL);  // once more than it is let go: it stays, see dew_window_close
    window->sdl.GL_SetSwapInterval(0);  // the loop paces itself; a software GL waits for nobody
    return load_calls(window);
}

dew_Status dew_window_open(const dew_WindowDef *def, dew_Window **out)
{
    *out = NULL;
    dew_Window *window = calloc(1, sizeof *window);
    if (!window)
        return dew_fail(DEW_NO_MEMORY, "out of memory");
    dew_Status status = set_up(window, def);
    if (status.code != DEW_OK) {
        dew_window_close(window);
        return status;
    }
    *out = window;
    return dew_ok();
}

void dew_window_close(dew_Window *window)
{
    if (!window)
        return;
    if (window->context)
        window->sdl.GL_DeleteContext(window->context);
    if (window->window)
        window->sdl.DestroyWindow(window->window);
    // SDL itself is not ended: drivers keep threads and memory of their own until the program ends,
    // and would be unloaded while these run.
    free(window);
}

// ---- showing -----------------------------------------------------------------------------------

const dew_GlCalls *dew_window_gl(const dew_Window *window)
{
    return &window->gl;
}

void dew_window_size(const dew_Window *window, int *width_px, int *height_px)
{
    window->sdl.GL_GetDrawableSize(window->window, width_px, height_px);
    *width_px = *width_px > 0 ? *width_px : 1;
    *height_px = *height_px > 0 ? *height_px : 1;
}

void dew_window_show(dew_Window *window)
{
    window->sdl.GL_SwapWindow(window->window);
}

void dew_window_rest(dew_Window *window, int ms)
{
    window->sdl.Delay((Uint32)ms);
}

// ---- input -------------------------------------------------------------------------------------

static const struct {
    SDL_Keycode theirs;
    int ours;
} keys[] = {
    {SDLK_LEFT, DEW_INPUT_LEFT},
    {SDLK_RIGHT, DEW_INPUT_RIGHT},
    {SDLK_UP, DEW_INPUT_UPWARD},
    {SDLK_DOWN, DEW_INPUT_DOWNWARD},
    {SDLK_HOME, DEW_INPUT_HOME},
    {SDLK_END, DEW_INPUT_END},
    {SDLK_KP_PLUS, '='},
    {SDLK_KP_MINUS, '-'},
    {SDLK_PLUS, '='},
    {SDLK_ESCAPE, DEW_INPUT_ESCAPE},
};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

static int our_key(SDL_Keycode key)
{
    for (int i = 0; i < KEY_COUNT; i++)
        if (keys[i].theirs == key)
            return keys[i].ours;
    return key > 0 && key < 128 ? (int)key : 0;
}

static SDL_Keycode their_key(int key)
{
    for (int i = 0; i < KEY_COUNT; i++)
        if (keys[i].ours == key && key > 127)
            return keys[i].theirs;
    return (SDL_Keycode)key;
}

// Points of the window to pixels: they differ on fine screens.
static double pixels_per_point(const dew_Window *window)
{
    int points = 0, pixels = 0, other;
    window->sdl.GetWindowSize(window->window, &points, &other);
    window->sdl.GL_GetDrawableSize(window->window, &pixels, &other);
    return points > 0 && pixels > 0 ? (double)pixels / points : 1;
}

static bool translate(const dew_Window *window, const SDL_Event *event, dew_Input *out)
{
    double scale = pixels_per_point(window);
    *out = (dew_Input){.kind = DEW_INPUT_QUIT};
    switch (event->type) {
    case SDL_QUIT:
        return true;
    case SDL_KEYDOWN:
        out->kind = DEW_INPUT_KEY;
        out->key = our_key(event->key.keysym.sym);
        out->has_shift = (event->key.keysym.mod & KMOD_SHIFT) != 0;
        return out->key != 0;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        out->kind = event->type == SDL_MOUSEBUTTONDOWN ? DEW_INPUT_DOWN : DEW_INPUT_UP;
        out->button = event->button.button;
        out->x_px = scale * event->button.x;
        out->y_px = scale * event->button.y;
        return true;
    case SDL_MOUSEMOTION:
        out->kind = DEW_INPUT_MOVE;
        out->x_px = scale * event->motion.x;
        out->y_px = scale * event->motion.y;
        return true;
    case SDL_MOUSEWHEEL:
        out->kind = DEW_INPUT_WHEEL;
        out->wheel =
            event->wheel.direction == SDL_MOUSEWHEEL_FLIPPED ? -event->wheel.y : event->wheel.y;
        return true;
    case SDL_WINDOWEVENT:
        out->kind = DEW_INPUT_RESIZE;
        return event->window.event == SDL_WINDOWEVENT_SIZE_CHANGED ||
               event->window.event == SDL_WINDOWEVENT_EXPOSED;
    default:
        return false;
    }
}

bool dew_window_poll(dew_Window *window, dew_Input *out)
{
    SDL_Event event;
    while (window->sdl.PollEvent(&event))
        if (translate(window, &event, out))
            return true;
    return false;
}

void dew_window_push(dew_Window *window, const dew_Input *input)
{
    SDL_Event event = {.type = SDL_QUIT};
    double scale = pixels_per_point(window);
    int x = (int)lround(input->x_px / scale), y = (int)lround(input->y_px / scale);
    switch (input->kind) {
    case DEW_INPUT_KEY:
        event.type = SDL_KEYDOWN;
        event.key.keysym.sym = their_key(input->key);
        event.key.keysym.mod = input->has_shift ? KMOD_LSHIFT : KMOD_NONE;
        break;
    case DEW_INPUT_DOWN:
    case DEW_INPUT_UP:
        event.type = input->kind == DEW_INPUT_DOWN ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
        event.button.button = (Uint8)input->button;
        event.button.x = x;
        event.button.y = y;
        break;
    case DEW_INPUT_MOVE:
        event.type = SDL_MOUSEMOTION;
        event.motion.x = x;
        event.motion.y = y;
        break;
    case DEW_INPUT_WHEEL:
        event.type = SDL_MOUSEWHEEL;
        event.wheel.y = (int)lround(input->wheel);
        break;
    default:
        break;
    }
    window->sdl.PushEvent(&event);
}
#else
typedef int dew_NoWindow;  // a translation unit is not empty
#endif
