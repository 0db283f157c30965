/// Input events of a window, independent of the library that reports them.
#pragma once

#include "dew/base.h"

#include <limits.h>

typedef enum dew_InputKind {
    DEW_INPUT_QUIT,
    DEW_INPUT_KEY,   // pressed
    DEW_INPUT_DOWN,  // a button of the mouse
    DEW_INPUT_UP,
    DEW_INPUT_MOVE,
    DEW_INPUT_WHEEL,
    DEW_INPUT_RESIZE,
} dew_InputKind;

enum { DEW_MOUSE_NONE, DEW_MOUSE_LEFT, DEW_MOUSE_MIDDLE, DEW_MOUSE_RIGHT };

/// Keys that are not characters, above all of these; a character is its own small letter.
enum {
    DEW_INPUT_ESCAPE = UCHAR_MAX + 1,
    DEW_INPUT_LEFT,
    DEW_INPUT_RIGHT,
    DEW_INPUT_UPWARD,
    DEW_INPUT_DOWNWARD,
    DEW_INPUT_HOME,
    DEW_INPUT_END,
};

typedef struct dew_Input {
    dew_InputKind kind;
    double x_px, y_px;  // of the mouse, from the top left corner
    int button;
    int key;
    bool has_shift;
    double wheel;  // > 0: away from the user
} dew_Input;
