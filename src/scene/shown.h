/// A user's words as a message shows them: in quotes, cut where they are long.
#pragma once

#include <stddef.h>

typedef struct dew_Shown {
    char text[54];
} dew_Shown;

/// "TEXT" with its quotes; more than 48 bytes end in "...". Use as dew_shown(text).text in a call.
dew_Shown dew_shown(const char *text);
