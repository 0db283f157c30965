/// Growing text: a dew_Array of char that printf-style pieces are added to.
///
/// The first failure (there is only one kind: no memory) is remembered, so that the many small
/// additions need no check; ask `status` at the end.
#pragma once

#include "base/array.h"

/// How deep the blocks or tags of a file may nest: files of people and programs have about five.
#define DEW_MAX_NESTING 64

/// Bytes of a name, a unit or a quantity; longer ones are none.
#define DEW_WORD_SIZE 64

typedef struct dew_Text {
    dew_Array
        bytes;  // of char, always with a zero behind its last character once something was added
    dew_Status status;
} dew_Text;

void dew_text_init(dew_Text *text, const dew_Allocator *allocator);
void dew_text_deinit(dew_Text *text);
void dew_text_add(dew_Text *text, const char *words);
void dew_text_add_bytes(dew_Text *text, const void *bytes, size_t size);
void dew_text_format(dew_Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void dew_text_number(dew_Text *text, double x);  // shortest form that reads back

const char *dew_text_string(const dew_Text *text);  // "" when nothing was added
size_t dew_text_length(const dew_Text *text);
