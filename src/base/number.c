// Numbers as text, the same in every locale.
//
// Reading: at most 19 digits and a small power of ten are exact in double, and one rounding is left
// [Clinger1990], section 4. All else goes to the C library as digits and an exponent, a form without a
// decimal point, which is the only thing a locale changes. Of very long numbers 780 digits and a
// sticky one are kept: no halfway case between two doubles has more than 768.
// Writing: the least number of digits, from 15 on, that reads back to the same double.
#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DIGITS   780
#define MAX_EXPONENT 100000  // beyond it everything is 0 or infinite, with any 780 digits

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

// The double when one exact product or quotient gives it; false otherwise.
static bool exact_value(const Decimal *decimal, double *out)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (decimal->digit_count > 19 || decimal->exponent < -22 || decimal->exponent > 22)
        return false;
    uint64_t mantissa = 0;
    for (int i = 0; i < decimal->digit_count; i++)
        mantissa = mantissa * 10 + (uint64_t)(decimal->digit[i] - '0');
    if (mantissa > UINT64_C(1) << 53)
        return false;
    *out = decimal->exponent < 0 ? (double)mantissa / power[-decimal->exponent]
                                 : (double)mantissa * power[decimal->exponent];
    return true;
}

static double decimal_value(const Decimal *decimal)
{
    double value = 0;
    if (decimal->digit_count == 0 || exact_value(decimal, &value))
        return value;
    int64_t exponent = decimal->exponent;
    exponent = exponent < -MAX_EXPONENT ? -MAX_EXPONENT : exponent;
    exponent = exponent > MAX_EXPONENT ? MAX_EXPONENT : exponent;
    char text[MAX_DIGITS + 32];
    memcpy(text, decimal->digit, (size_t)decimal->digit_count);
    snprintf(text + decimal->digit_count, 32, "e%lld", (long long)exponent);
    int before = errno;  // strtod tells overflow there, the caller sees it in the value
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

// Digits of |x| rounded to `count` of them, without the point a locale chooses; value is
// d.ddd * 10^exponent.
typedef struct Digits {
    char digit[20];
    int count;
    int exponent;
} Digits;

static Digits take_digits(double x, int count)
{
    char text[64];
    snprintf(text, sizeof text, "%.*e", count - 1, x);
    Digits digits = {0};
    const char *c = text;
    for (; *c != 'e'; c++)
        if (is_digit(*c))
            digits.digit[digits.count++] = *c;
    digits.exponent = atoi(c + 1);
    return digits;
}

static bool reads_back(const Digits *digits, double x)
{
    Decimal decimal;
    memcpy(decimal.digit, digits->digit, (size_t)digits->count);
    decimal.digit_count = digits->count;
    decimal.exponent = digits->exponent - (digits->count - 1);
    return decimal_value(&decimal) == x;
}

// The next larger number with as many digits.
static void step_up(Digits *digits)
{
    int i = digits->count - 1;
    while (i >= 0 && digits->digit[i] == '9')
        digits->digit[i--] = '0';
    if (i >= 0) {
        digits->digit[i]++;
        return;
    }
    digits->digit[0] = '1';
    digits->exponent++;
}

// The shortest digits that read back to x > 0.
static Digits shortest(double x)
{
    bool is_normal = x >= 0x1p-1022;  // below it even one digit may do
    for (int count = is_normal ? 15 : 1; count < 17; count++) {
        Digits digits = take_digits(x, count);
        if (reads_back(&digits, x))
            return digits;
        // Above a power of two the doubles are twice as far apart as below it, so that the second
        // nearest decimal may read back where the nearest does not.
        step_up(&digits);
        if (count == 16 && reads_back(&digits, x))
            return digits;
    }
    return take_digits(x, 17);
}

// Writes digits with point or exponent; numbers of a usual size have no exponent.
static size_t lay_out(const Digits *digits, char *out)
{
    const char *d = digits->digit;
    int n = digits->count, e = digits->exponent;
    while (n > 1 && d[n - 1] == '0')
        n--;
    int length = 0;
    if (e >= -5 && e < 0)
        length = snprintf(out, 28, "0.%.*s%.*s", -e - 1, "0000", n, d);
    else if (e >= n - 1 && e < 16)
        length = snprintf(out, 28, "%.*s%.*s", n, d, e - (n - 1), "000000000000000");
    else if (e >= 0 && e < 16)
        length = snprintf(out, 28, "%.*s.%.*s", e + 1, d, n - e - 1, d + e + 1);
    else if (n == 1)
        length = snprintf(out, 28, "%ce%d", d[0], e);
    else
        length = snprintf(out, 28, "%c.%.*se%d", d[0], n - 1, d + 1, e);
    return (size_t)length;
}

size_t dew_number_format(double x, char out[DEW_NUMBER_SIZE])
{
    if (isnan(x)) {
        memcpy(out, "nan", 4);
        return 3;
    }
    size_t sign = signbit(x) ? 1 : 0;
    out[0] = '-';
    double magnitude = fabs(x);
    if (isinf(x)) {
        memcpy(out + sign, "inf", 4);
        return sign + 3;
    }
    if (magnitude < 1e15 && magnitude == floor(magnitude))  // most numbers of a scene are whole
        return sign + (size_t)snprintf(out + sign, 28, "%lld", (long long)magnitude);
    Digits digits = shortest(magnitude);
    return sign + lay_out(&digits, out + sign);
}
