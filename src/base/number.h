/// Numbers as text, the same in every locale.
#pragma once

#include "dew/base.h"

#include <float.h>

/// Parses a decimal floating-point number at the start of text[0..length): sign, digits, point,
/// exponent; also inf, infinity and nan in any case. No white space, no hexadecimal. Correctly
/// rounded. Returns the number of characters used, 0 when there is no number.
size_t dew_number_parse(const char *text, size_t length, double *out);

/// Same for a decimal integer with sign; 0 also when it does not fit.
size_t dew_integer_parse(const char *text, size_t length, int64_t *out);

/// Bytes of a number: its digits, sign, point and exponent (or, below 1, "0." and four zeros), and
/// the zero behind it.
#define DEW_NUMBER_SIZE (DBL_DECIMAL_DIG + sizeof "-.e-308")
/// The shortest decimal that reads back to the same double; "inf", "-inf", "nan". Returns its
/// length.
size_t dew_number_format(double x, char out[DEW_NUMBER_SIZE]);
/// The same for a number in single precision: reads back to the same float.
size_t dew_number_format_single(float x, char out[DEW_NUMBER_SIZE]);
