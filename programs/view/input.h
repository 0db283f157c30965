/// What a hand does to a window, without saying whose window it is.
#pragma once

#include "dew/base.h"

typedef enum dew_InputKind {
    DEW_INPUT_QUIT,
    DEW_INPUT_KEY,   // pressed
    DEW_INPUT_DOWN,  // a button of the mouse
    DEW_INPUT_UP,
    DEW_INPUT_MOVE,
    DEW_INPUT_WHEEL,
    DEW_INPUT_RESIZE,
} dew_InputKind;

enum { DEW_MOUSE_LEFT = 1, DEW_MOUSE_MIDDLE = 2, DEW_MOUSE_RIGHT = 3 };

/// Keys that are no characters; the others are their own small letter.
enum {
    DEW_INPUT_ESCAPE = 27,
    DEW_INPUT_LEFT = 256,
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
