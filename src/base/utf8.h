/// UTF-8: is it text, is it text on one line, and how it is shown to people.
///
/// Whatever a user's file or file name holds is shown through here: messages, the log, titles,
/// reports.
#pragma once

#include "dew/text.h"

/// Bytes of the character at text[0..left), its code in *code; 0 when it is not UTF-8.
size_t dew_utf8_decode(const char *text, size_t left, uint32_t *code);

/// May the character stand in a scene file? (YAML's printable characters; a byte order mark only
/// first.)
bool dew_utf8_is_text(uint32_t code, bool is_first);

/// Is the whole text UTF-8 without control characters and line ends of any kind?
bool dew_utf8_is_line(const char *text);

/// Is the character seen where it stands? Not so control characters, and format characters, which
/// are invisible or change the order of what stands around them (U+202E turns a line around).
bool dew_utf8_is_shown(uint32_t code);
/// Is the whole text UTF-8, and each character of it shown as it is?
bool dew_utf8_is_shown_text(const char *text);

/// The character at text[0..left) for people: bytes of it that can be shown as they are, or 0. Then
/// `out` has what is shown for it, and *used bytes of it are done: a space for line ends and tabs,
/// "<U+202E>" for other characters that are not seen, "?" for a control byte and for what is not
/// UTF-8.
size_t dew_utf8_show_one(const char *text, size_t left, size_t *used, char out[12]);
