// Text to numbers, correctly rounded, the same in every locale.
//
// Few digits and a small power of ten are exact in double, and one rounding is left [Clinger1990],
// section 4. Up to 19 digits and a power up to 27 are exact in 128 bits. All else goes to the C
// library as digits and an exponent, a form without a decimal point, which is the only thing a
// locale changes. Of very long numbers 780 digits and a sticky one are kept: no halfway case has
// more than 768.
#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DIGITS                                                                                 \
    780  // kept; a halfway case of doubles has at most 768 significant digits [Clinger1990]

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Length of `word` (lower case) at the start of text in any case, 0 when it is not there.
static size_t match(const char *text, size_t length, const char *word)
{
    size_t n = strlen(word);
    if (n > length)
        return 0;
    for (size_t i = 0; i < n; i++)
        if ((text[i] | 0x20) != word[i])
            return 0;
    return n;
}

// A number taken apart: digits (without leading zeros) times ten to the exponent.
typedef struct Decimal {
    char digit[MAX_DIGITS + 1];
    int digit_count;
    int64_t exponent;
    bool is_negative;
} Decimal;

static void add_digit(Decimal *decimal, char c, bool is_behind_point)
{
    if (is_behind_point)
        decimal->exponent--;
    if (decimal->digit_count == 0 && c == '0')
        return;
    if (decimal->digit_count < MAX_DIGITS)
        decimal->digit[decimal->digit_count++] = c;
    else {
        decimal->exponent++;
        if (c != '0')
            decimal->digit[MAX_DIGITS - 1] = '1';  // more than what is kept: breaks ties
    }
}

// Reads digits and point; returns the characters used, 0 when there is no digit.
static size_t read_digits(const char *text, size_t length, Decimal *decimal)
{
    size_t i = 0;
    bool has_digit = false, has_point = false;
    for (; i < length; i++) {
        if (is_digit(text[i])) {
            add_digit(decimal, text[i], has_point);
            has_digit = true;
        } else if (text[i] == '.' && !has_point)
            has_point = true;
        else
            break;
    }
    return has_digit ? i : 0;
}

// Reads an exponent; returns the characters used, 0 when it has no digits.
static size_t read_exponent(const char *text, size_t length, Decimal *decimal)
{
    size_t i = 0;
    if (length == 0 || (text[i] | 0x20) != 'e')
        return 0;
    i++;
    bool is_negative = i < length && text[i] == '-';
    if (i < length && (text[i] == '-' || text[i] == '+'))
        i++;
    if (i == length || !is_digit(text[i]))
        return 0;
    int64_t exponent = 0;
    for (; i < length && is_digit(text[i]); i++)
        if (exponent < INT64_MAX / 100)
            exponent = exponent * 10 + (text[i] - '0');
    decimal->exponent += is_negative ? -exponent : exponent;
    return i;
}

__extension__ typedef unsigned __int128 Wide;

// value * 2^exponent to the nearest double, ties to even; `is_more`: the value is a little larger.
// For what is far from the ends of the range and, if is_more, has 55 bits at least.
static double round_wide(Wide value, int exponent, bool is_more)
{
    uint64_t high = (uint64_t)(value >> 64);
    int bits = high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t)value);
    int shift = bits - 53;
    if (shift <= 0)
        return ldexp((double)(uint64_t)value, exponent);
    uint64_t mantissa = (uint64_t)(value >> shift);
    Wide lost = value & (((Wide)1 << shift) - 1), half = (Wide)1 << (shift - 1);
    bool is_up = lost > half || (lost == half && (is_more || (mantissa & 1)));
    return ldexp((double)(mantissa + is_up), exponent + shift);
}

// digits * 10^power in 128 bits: a product is exact, a quotient has 64 bits and a rest.
static double wide_value(uint64_t digits, int power)
{
    uint64_t five = 1;
    for (int i = 0; i < power || i < -power; i++)
        five *= 5;
    if (power >= 0)
        return round_wide((Wide)digits * five, power, false);
    int shift = __builtin_clzll(digits);
    Wide numerator = (Wide)(digits << shift) << 64;
    return round_wide(numerator / five, power - shift - 64, numerator % five != 0);
}

// The double when few enough digits and a small power make it easy; false otherwise.
static bool easy_value(const Decimal *decimal, double *out)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (decimal->digit_count > 19 || decimal->exponent < -27 || decimal->exponent > 27)
        return false;
    uint64_t digits = 0;
    for (int i = 0; i < decimal->digit_count; i++)
        digits = digits * 10 + (uint64_t)(decimal->digit[i] - '0');
    int exponent = (int)decimal->exponent;
    if (digits > UINT64_C(1) << 53 || exponent < -22 || exponent > 22)
        *out = wide_value(digits, exponent);
    else
        *out = exponent < 0 ? (double)digits / power[-exponent] : (double)digits * power[exponent];
    return true;
}

static double decimal_value(const Decimal *decimal)
{
    double value = 0;
    if (decimal->digit_count == 0 || easy_value(decimal, &value))
        return value;
    int64_t exponent = decimal->exponent;
    int64_t limit =
        2 * MAX_DIGITS;  // beyond it the value is 0 or infinite with any MAX_DIGITS digits
    exponent = exponent < -limit ? -limit : exponent;
    exponent = exponent > limit ? limit : exponent;
    char text[MAX_DIGITS + 32];
    memcpy(text, decimal->digit, (size_t)decimal->digit_count);
    snprintf(text + decimal->digit_count, 32, "e%lld", (long long)exponent);
    int before = errno;  // strtod reports overflow there, the caller sees it in the value
    value = strtod(text, NULL);
    errno = before;
    return value;
}

size_t dew_number_parse(const char *text, size_t length, double *out)
{
    size_t at = length > 0 && (text[0] == '-' || text[0] == '+');
    double sign = at > 0 && text[0] == '-' ? -1.0 : 1.0;
    size_t word = match(text + at, length - at, "infinity");
    if (word == 0)
        word = match(text + at, length - at, "inf");
    if (word > 0) {
        *out = sign * (double)INFINITY;
        return at + word;
    }
    word = match(text + at, length - at, "nan");
    if (word > 0) {
        *out = (double)NAN;
        return at + word;
    }
    Decimal decimal;
    decimal.digit_count = 0;
    decimal.exponent = 0;
    size_t digits = read_digits(text + at, length - at, &decimal);
    if (digits == 0)
        return 0;
    at += digits;
    at += read_exponent(text + at, length - at, &decimal);
    *out = copysign(decimal_value(&decimal), sign);
    return at;
}

size_t dew_integer_parse(const char *text, size_t length, int64_t *out)
{
    size_t at = length > 0 && (text[0] == '-' || text[0] == '+');
    bool is_negative = at > 0 && text[0] == '-';
    size_t begin = at;
    int64_t value = 0;
    for (; at < length && is_digit(text[at]); at++) {
        int digit = text[at] - '0';
        // Counted downwards: there is one more negative number.
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_sub_overflow(value, digit, &value))
            return 0;
    }
    if (at == begin || (!is_negative && value == INT64_MIN))
        return 0;
    *out = is_negative ? value : -value;
    return at;
}
