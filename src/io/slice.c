// Text in memory, cut into lines and words.
#include "io/slice.h"

#include "base/number.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <strings.h>

dew_Slice dew_slice(const void *data, size_t size)
{
    return (dew_Slice){data, size};
}

dew_Slice dew_slice_of(const char *text)
{
    return (dew_Slice){text, strlen(text)};
}

bool dew_slice_is(dew_Slice slice, const char *word)
{
    return slice.size == strlen(word) && memcmp(slice.data, word, slice.size) == 0;
}

bool dew_slice_is_any_case(dew_Slice slice, const char *word)
{
    return slice.size == strlen(word) && strncasecmp(slice.data, word, slice.size) == 0;
}

bool dew_slice_equal(dew_Slice a, dew_Slice b)
{
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

const char *dew_slice_show(dew_Slice slice, char out[DEW_SHOWN_SIZE])
{
    const size_t most = DEW_SHOWN_SIZE - sizeof "...";
    size_t length = slice.size < most ? slice.size : most;
    for (size_t i = 0; i < length; i++) {
        uint8_t c = (uint8_t)slice.data[i];
        out[i] = c < ' ' || c == 0x7F ? '?' : (char)c;
    }
    memcpy(out + length, length < slice.size ? "..." : "", length < slice.size ? 4 : 1);
    return out;
}

dew_Slice dew_slice_trim(dew_Slice slice)
{
    while (slice.size > 0 && dew_is_blank(slice.data[0])) {
        slice.data++;
        slice.size--;
    }
    while (slice.size > 0 && dew_is_blank(slice.data[slice.size - 1]))
        slice.size--;
    return slice;
}

void dew_slice_copy(dew_Slice slice, char *out, size_t size)
{
    size_t length = slice.size < size - 1 ? slice.size : size - 1;
    if (length > 0)
        memcpy(out, slice.data, length);
    out[length] = 0;
}

bool dew_slice_next_line(dew_Slice *rest, dew_Slice *line)
{
    if (rest->size == 0)
        return false;
    // One pass for both kinds of line end: two searches would read a file without LF once per line.
    size_t n = 0;
    while (n < rest->size && rest->data[n] != '\n' && rest->data[n] != '\r')
        n++;
    *line = (dew_Slice){rest->data, n};
    if (n < rest->size) {
        bool is_pair = rest->data[n] == '\r' && n + 1 < rest->size && rest->data[n + 1] == '\n';
        n += is_pair ? 2 : 1;
    }
    rest->data += n;
    rest->size -= n;
    return true;
}

bool dew_slice_next_word(dew_Slice *line, dew_Slice *word)
{
    const char *p = line->data, *end = line->data + line->size;
    while (p < end && dew_is_blank(*p))
        p++;
    const char *begin = p;
    while (p < end && !dew_is_blank(*p))
        p++;
    *word = (dew_Slice){begin, (size_t)(p - begin)};
    *line = (dew_Slice){p, (size_t)(end - p)};
    return word->size > 0;
}

bool dew_double_integer(double x, int64_t *out)
{
    if (!(fabs(x) <= ldexp(1, DBL_MANT_DIG)) || x != floor(x))
        return false;
    *out = (int64_t)x;
    return true;
}

bool dew_slice_number(dew_Slice word, double *out)
{
    return word.size > 0 && dew_number_parse(word.data, word.size, out) == word.size;
}

bool dew_slice_integer(dew_Slice word, int64_t *out)
{
    if (word.size > 0 && dew_integer_parse(word.data, word.size, out) == word.size)
        return true;
    double x = 0;
    return dew_slice_number(word, &x) && dew_double_integer(x, out);
}
