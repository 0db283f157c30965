/// `dew view`: a window on a simulation that goes on, or on a finished run.
///
/// The calling thread draws and listens; the simulation has its own. So the window answers at any time,
/// however long a step takes.
#pragma once

#include "dew/world.h"

typedef struct dew_ViewDef {
    const dew_Scene *scene;  // must outlive the call
    const char *directory;   // of the run to play back; NULL: live
    const char *name;        // that pictures, films and scenes are called by: NAME.0001.png
    const char *script;      // file of what a hand would do; NULL: a hand does it
    int width_px, height_px;
    bool is_offscreen;                              // draws without a display
    bool is_paused;                                 // at first
    dew_WorldDef world;                             // threads: 0 leaves one core to the drawing
    void (*tell)(void *context, const char *line);  // what was written, and `print` of scripts
    void *context;
} dew_ViewDef;

/// What there was when the window was closed.
typedef struct dew_ViewEnd {
    dew_Stats stats;
    int64_t frame, pictures, events;
    double pictures_per_s;  // of those drawn, by the time that drawing took
    uint64_t hash;          // of the state; 0: it was played back
    bool is_busy;           // a step is still under way: only the end of the process is left
} dew_ViewEnd;

dew_ViewDef dew_default_view_def(void);
/// Until the window is closed. DEW_UNSUPPORTED: no display, or this build has no windows.
dew_Status dew_view_run(const dew_ViewDef *def, dew_ViewEnd *end);
