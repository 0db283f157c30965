/// UTF-8, as far as a scene needs it: is it text, and is it text on one line.
#pragma once

#include "dew/base.h"

/// Bytes of the character at text[0..left), its code in *code; 0 when it is not UTF-8.
size_t dew_utf8_decode(const char *text, size_t left, uint32_t *code);

/// May the character stand in a scene file? (YAML's printable characters; a byte order mark only first.)
bool dew_utf8_is_text(uint32_t code, bool is_first);

/// Is the whole text UTF-8 without control characters and line ends of any kind?
bool dew_utf8_is_line(const char *text);
