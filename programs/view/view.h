/// `dew view`: a window on a live simulation, or on a finished run.
///
/// The calling thread draws and reads input; the simulation has its own. So the window answers at
/// any time, however long a step takes.
#pragma once

#include "dew/world.h"

typedef struct dew_ViewDef {
    const dew_Scene *scene;  // must outlive the call
    const char *directory;   // of the run to play back; NULL: live
    const char *name;        // of images, videos and scenes that are saved: NAME.0001.png
    const char *script;      // file of input (view/script.h); NULL: mouse and keys
    int width_px, height_px;
    bool is_offscreen;                               // draws without a display
    bool is_paused;                                  // at first
    dew_WorldDef world;                              // threads: 0 leaves one core to the drawing
    void (*print)(void *context, const char *line);  // files written, messages, `print` of scripts
    void *context;
} dew_ViewDef;

/// What there was when the window was closed.
typedef struct dew_ViewEnd {
    dew_Stats stats;
    int64_t frame, images, events;
    double images_per_s;  // of those drawn, by the time that drawing took
    uint64_t hash;        // of the state; 0: it was played back
    bool is_busy;         // a step is still under way: the process must end
} dew_ViewEnd;

dew_ViewDef dew_default_view_def(void);
/// Until the window is closed. DEW_UNSUPPORTED: no display, or this build has no windows.
dew_Status dew_view_run(const dew_ViewDef *def, dew_ViewEnd *end);
