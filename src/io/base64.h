/// Base64 [Josefsson2006]: three bytes as four letters.
#pragma once

#include "io/sink.h"
#include "io/slice.h"

/// Letters written to a sink as bytes come; `end` pads to a whole group.
typedef struct dew_Base64Writer {
    dew_Sink *sink;
    uint8_t pending[3];
    int pending_count;
} dew_Base64Writer;

void dew_base64_begin(dew_Base64Writer *writer, dew_Sink *sink);
void dew_base64_write(dew_Base64Writer *writer, const void *data, size_t size);
void dew_base64_end(dew_Base64Writer *writer);

/// Decodes the first `wanted` bytes of the text, white space aside, and moves `text` behind the
/// groups used. Padding ends a group but not the text: streams written one behind the other read as
/// one. Returns the bytes got; fewer than wanted when the text ends, or at a wrong letter (where
/// `text` is).
size_t dew_base64_read(dew_Slice *text, uint8_t *out, size_t wanted);
