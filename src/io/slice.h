/// Lines, words and numbers of a text in memory, without copies.
///
/// A dew_Slice is a piece of the text, not ended by a zero. Lines end with LF, CR LF or a lone CR.
/// Words are parted by spaces and tabs (and the rarer white space of C).
#pragma once

#include "dew/base.h"

#include <stddef.h>

typedef struct dew_Slice {
    const char *data;
    size_t size;
} dew_Slice;

/// For printf: "%.*s" with DEW_SLICE(word), cut to what a sentence can hold, control bytes as '?'.
#define DEW_SHOWN_SIZE   44
#define DEW_SLICE(slice) DEW_SHOWN_SIZE, dew_slice_show((slice), (char[DEW_SHOWN_SIZE]){0})

dew_Slice dew_slice(const void *data, size_t size);
dew_Slice dew_slice_of(const char *text);  // of a zero-ended string
bool dew_slice_is(dew_Slice slice, const char *word);
bool dew_slice_is_any_case(dew_Slice slice, const char *word);
bool dew_slice_equal(dew_Slice a, dew_Slice b);
const char *dew_slice_show(dew_Slice slice, char out[DEW_SHOWN_SIZE]);
/// Without white space at its ends.
dew_Slice dew_slice_trim(dew_Slice slice);
/// As a zero-ended string, cut to fit; control bytes are copied as they are.
void dew_slice_copy(dew_Slice slice, char *out, size_t size);

static inline bool dew_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/// Takes the first line off `rest`, without its end. False when nothing is left.
bool dew_slice_next_line(dew_Slice *rest, dew_Slice *line);
/// Takes the first word off `line`; line ends are white space like any other. False: none is left.
bool dew_slice_next_word(dew_Slice *line, dew_Slice *word);

/// The integer that a double is; false when it is none, or beyond 2^53, where a double has no odd
/// ones.
bool dew_double_integer(double x, int64_t *out);
/// The whole word as a number; false when it is none. Infinities and NaN are numbers here.
bool dew_slice_number(dew_Slice word, double *out);
/// The whole word as an integer; "3.0" is one too, as some programs write indices that way.
bool dew_slice_integer(dew_Slice word, int64_t *out);
