/// Scripts: input of a window, line by line, for tests and demonstrations.
///
///     at 30                    waits until frame 30 is shown
///     wait 5                   waits for five images
///     move X Y                 the mouse goes there (pixels from the upper left corner)
///     down|up left|middle|right X Y
///     click X Y                left button, down and up
///     hold X Y N               left button held for N images
///     drag X1 Y1 X2 Y2 N [left|middle|right]     evenly over N images
///     wheel N                  notches; > 0: nearer
///     key NAME                 a letter (a capital means with shift), space, escape, left, right,
///                              up, down, home, end
///     shot FILE                an image of the window (PNG)
///     save FILE                the scene with all recorded events
///     print                    a line of figures to standard output
///     quit                     closes the window
///
/// # begins a comment. A script continues once per image; in a scripted session each frame of the
/// simulation is drawn, so that a script does the same on any machine.
#pragma once

#include "support/list.h"
#include "view/input.h"

typedef enum dew_ActKind {
    DEW_ACT_INPUT,  // for the window
    DEW_ACT_IMAGE,  // an image is drawn
    DEW_ACT_FRAME,  // images are drawn until this frame is shown
    DEW_ACT_SHOT,
    DEW_ACT_SAVE,
    DEW_ACT_PRINT,
} dew_ActKind;

/// What lines come to, one after the other.
typedef struct dew_Act {
    dew_ActKind kind;
    dew_Input input;
    int64_t frame;
    char path[512];
} dew_Act;

typedef struct dew_Script {
    dew_List acts;  // dew_Act
    int64_t next;
} dew_Script;

void dew_script_init(dew_Script *script);
void dew_script_deinit(dew_Script *script);
/// DEW_BAD_INPUT "NAME:LINE: what is wrong (what would be right)".
dew_Status dew_script_parse(dew_Script *script, const char *name, const char *text);
dew_Status dew_script_load(dew_Script *script, const char *path);

/// What is to be done before the next image; NULL: draw it. `frame` is the one shown.
const dew_Act *dew_script_next(dew_Script *script, int64_t frame);
bool dew_script_is_done(const dew_Script *script);
