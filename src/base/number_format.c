// Numbers to text: the fewest digits that read back to the same double, the same in every locale.
//
// For sizes that physics has, exactly in 128 bits, in the manner of [SteeleWhite1990]; beyond, the
// C library prints 15, 16 and 17 digits until one reads back. Fixed notation from 1e-5 to 1e16.
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        if (*c >= '0' && *c <= '9')
            digits.digit[digits.count++] = *c;
    digits.exponent = atoi(c + 1);
    return digits;
}

static bool reads_back(const Digits *digits, double x)
{
    char text[40];
    int length = snprintf(text, sizeof text, "%.*se%d", digits->count, digits->digit,
                          digits->exponent - (digits->count - 1));
    double back = 0;
    dew_number_parse(text, (size_t)length, &back);
    return back == x;
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

// The shortest digits that read back to x > 0, by trying.
static Digits search_digits(double x)
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

__extension__ typedef unsigned __int128 Wide;

// An exact number: whole + fraction / 2^bits.
typedef struct Fixed {
    uint64_t whole;
    Wide fraction;
} Fixed;

static Fixed split(Wide value, int bits)
{
    return (Fixed){.whole = (uint64_t)(value >> bits), .fraction = value & (((Wide)1 << bits) - 1)};
}

// The shortest digits for 1e-14 <= x < 1e16, exactly, in 128 bits. x = mantissa * 2^exponent and
// the ends of the interval that reads back to x, all times 10^power, so that x has 17 digits before
// the point; of the multiples of the largest power of ten inside, the nearest to x.
static Digits exact_digits(double x)
{
    int exponent = 0;
    uint64_t mantissa = (uint64_t)ldexp(frexp(x, &exponent), 53);
    exponent -= 53;
    int power = 16 - (int)floor(log10(x));  // one too few or too many does no harm
    Wide five = 1;
    for (int i = 0; i < power; i++)
        five *= 5;
    // Quarters of the last bit: the lower half of the interval is shorter at a power of two.
    int bits = -(exponent - 2 + power);
    uint64_t below = mantissa == UINT64_C(1) << 52 ? 1 : 2;
    bool is_even = mantissa % 2 == 0;  // then the ends themselves read back to x
    Fixed low = split((4 * (Wide)mantissa - below) * five, bits);
    Fixed mid = split(4 * (Wide)mantissa * five, bits);
    Fixed high = split((4 * (Wide)mantissa + 2) * five, bits);
    uint64_t first = low.whole + (low.fraction != 0 || !is_even);
    uint64_t last = high.whole - (high.fraction == 0 && !is_even);
    uint64_t unit = 1;
    while (last / (unit * 10) * (unit * 10) >= first)
        unit *= 10;
    uint64_t down = mid.whole / unit * unit, up = down + unit;
    Wide twice_rest = 2 * (((Wide)(mid.whole - down) << bits) + mid.fraction);
    bool is_up =
        twice_rest > (Wide)unit << bits || (twice_rest == (Wide)unit << bits && down / unit % 2);
    uint64_t nearest = down < first || (is_up && up <= last) ? up : down;
    Digits digits = {0};
    digits.count = snprintf(digits.digit, sizeof digits.digit, "%llu", (unsigned long long)nearest);
    digits.exponent = digits.count - 1 - power;
    return digits;
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
    bool is_fixed = magnitude < 1e16;
    if (is_fixed && magnitude == floor(magnitude))  // most numbers of a scene are whole
        return sign + (size_t)snprintf(out + sign, 28, "%lld", (long long)magnitude);
    bool is_usual = magnitude >= 1e-14 && is_fixed;
    Digits digits = is_usual ? exact_digits(magnitude) : search_digits(magnitude);
    return sign + lay_out(&digits, out + sign);
}
