// Numbers to text: the fewest digits that read back to the same number, the same in every locale.
//
// For sizes that physics has, exactly in 128 bits, in the manner of [SteeleWhite1990]; beyond, the
// C library prints 15, 16 and 17 digits until one reads back. Fixed notation from 1e-5 to 1e16.
#include "base/number.h"

#include <float.h>
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

static bool reads_back(const Digits *digits, double x, bool is_single)
{
    char text[40];
    int length = snprintf(text, sizeof text, "%.*se%d", digits->count, digits->digit,
                          digits->exponent - (digits->count - 1));
    double back = 0;
    dew_number_parse(text, (size_t)length, &back);
    return is_single ? (double)(float)back == x : back == x;
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

// The precision of a number: bits of its mantissa, the decimal digits that it always has and those
// that always suffice, the smallest normal number, the range for which 128 bits do.
typedef struct Precision {
    int bits, kept, needed;
    double normal, exact_from, exact_below;
    bool is_single;
} Precision;

static const Precision double_precision = {.bits = DBL_MANT_DIG,
                                           .kept = DBL_DIG,
                                           .needed = DBL_DECIMAL_DIG,
                                           .normal = DBL_MIN,
                                           .exact_from = 1e-14,
                                           .exact_below = 1e16,
                                           .is_single = false};
static const Precision single_precision = {.bits = FLT_MANT_DIG,
                                           .kept = FLT_DIG,
                                           .needed = FLT_DECIMAL_DIG,
                                           .normal = (double)FLT_MIN,
                                           .exact_from = 1e-34,
                                           .exact_below = 0x1p24,  // beyond, all are whole

                                           .is_single = true};

// The shortest digits that read back to x > 0, by trying.
static Digits search_digits(double x, Precision precision)
{
    int least = x >= precision.normal ? precision.kept : 1;  // below it even one digit may do
    for (int count = least; count < precision.needed; count++) {
        Digits digits = take_digits(x, count);
        if (reads_back(&digits, x, precision.is_single))
            return digits;
        // Above a power of two the numbers are twice as far apart as below it, so that the second
        // nearest decimal may read back where the nearest does not.
        step_up(&digits);
        if (count == precision.needed - 1 && reads_back(&digits, x, precision.is_single))
            return digits;
    }
    return take_digits(x, precision.needed);
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

static Wide power_of_five(int power)  // up to 54
{
    static const uint64_t five[] = {1,
                                    5,
                                    25,
                                    125,
                                    625,
                                    3125,
                                    15625,
                                    78125,
                                    390625,
                                    1953125,
                                    9765625,
                                    48828125,
                                    244140625,
                                    1220703125,
                                    6103515625,
                                    30517578125,
                                    152587890625,
                                    762939453125,
                                    3814697265625,
                                    19073486328125,
                                    95367431640625,
                                    476837158203125,
                                    2384185791015625,
                                    11920928955078125,
                                    59604644775390625,
                                    298023223876953125,
                                    1490116119384765625,
                                    7450580596923828125};
    int most = (int)(sizeof five / sizeof five[0]) - 1;
    return power <= most ? five[power] : (Wide)five[most] * five[power - most];
}

static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324"
                                  "25262728293031323334353637383940414243444546474849"
                                  "50515253545556575859606162636465666768697071727374"
                                  "75767778798081828384858687888990919293949596979899";

// Digits of a whole number; returns their count.
static int write_whole(uint64_t value, char *out)
{
    char reversed[20];
    int at = sizeof reversed;
    for (; value >= 100; value /= 100)
        memcpy(reversed + (at -= 2), digit_pairs + 2 * (value % 100), 2);
    if (value >= 10)
        memcpy(reversed + (at -= 2), digit_pairs + 2 * value, 2);
    else
        reversed[--at] = (char)('0' + value);
    int count = (int)sizeof reversed - at;
    for (int i = 0; i < count; i++)
        out[i] = reversed[at + i];
    return count;
}

// The shortest digits for exact_from <= x < exact_below, exactly, in 128 bits.
// x = mantissa * 2^exponent and the ends of the interval that reads back to x, all times 10^power,
// so that x has at least the precision's digits before the point; of the multiples of the largest
// power of ten inside, the nearest to x.
static Digits exact_digits(double x, Precision precision)
{
    uint64_t image;
    memcpy(&image, &x, sizeof image);
    uint64_t mantissa = (image & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    int magnitude = (int)(image >> 52) - 1023;  // 2^magnitude <= x < 2^(magnitude + 1)
    mantissa >>= 53 - precision.bits;
    int exponent = magnitude - (precision.bits - 1);
    int decimal = (int)floor(magnitude * log10(2));  // exact or one too few
    int power = precision.needed - 1 - decimal;
    Wide five = power_of_five(power);
    // Quarters of the last bit: the lower half of the interval is shorter at a power of two.
    int bits = -(exponent - 2 + power);
    bool is_even = mantissa % 2 == 0;  // then the ends themselves read back to x
    Wide exact = 4 * (Wide)mantissa * five;
    Fixed low =
        split(exact - (mantissa == UINT64_C(1) << (precision.bits - 1) ? five : 2 * five), bits);
    Fixed mid = split(exact, bits);
    Fixed high = split(exact + 2 * five, bits);
    uint64_t from = low.whole + (low.fraction != 0 || !is_even);
    uint64_t to = high.whole - (high.fraction == 0 && !is_even);
    uint64_t down = mid.whole, unit = 1, rest = 0;  // mid.whole = down * unit + rest
    int zeros = 0;                                  // of the unit
    for (; to / 10 >= (from + 9) / 10; zeros++) {
        to /= 10;
        from = (from + 9) / 10;
        rest += down % 10 * unit;
        down /= 10;
        unit *= 10;
    }
    Wide twice_rest = 2 * (((Wide)rest << bits) + mid.fraction);
    bool is_up = twice_rest > (Wide)unit << bits || (twice_rest == (Wide)unit << bits && down % 2);
    Digits digits = {.count = 0};
    digits.count = write_whole(down < from || (is_up && down < to) ? down + 1 : down, digits.digit);
    digits.exponent = digits.count - 1 + zeros - power;
    return digits;
}

static char *put(char *out, const char *text, int count)
{
    memcpy(out, text, (size_t)count);
    return out + count;
}

static char *put_zeros(char *out, int count)
{
    memset(out, '0', (size_t)count);
    return out + count;
}

// Writes digits with point or exponent; numbers of a usual size have no exponent.
static size_t lay_out(const Digits *digits, char *out)
{
    const char *d = digits->digit;
    char *end = out;
    int n = digits->count, e = digits->exponent;
    while (n > 1 && d[n - 1] == '0')
        n--;
    if (e >= -5 && e < 0) {
        end = put_zeros(put(end, "0.", 2), -e - 1);
        end = put(end, d, n);
    } else if (e >= n - 1 && e < 16) {
        end = put_zeros(put(end, d, n), e - (n - 1));
    } else if (e >= 0 && e < 16) {
        end = put(put(end, d, e + 1), ".", 1);
        end = put(end, d + e + 1, n - e - 1);
    } else {
        end = put(end, d, 1);
        if (n > 1)
            end = put(put(end, ".", 1), d + 1, n - 1);
        end = put(end, e < 0 ? "e-" : "e", e < 0 ? 2 : 1);
        end += write_whole((uint64_t)abs(e), end);
    }
    *end = '\0';
    return (size_t)(end - out);
}

static size_t format(double x, Precision precision, char out[DEW_NUMBER_SIZE])
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
    // Most numbers of a scene are whole.
    if (magnitude < precision.exact_below && magnitude == (double)(int64_t)magnitude) {
        size_t length = sign + (size_t)write_whole((uint64_t)magnitude, out + sign);
        out[length] = '\0';
        return length;
    }
    bool is_usual = magnitude >= precision.exact_from && magnitude < precision.exact_below;
    Digits digits =
        is_usual ? exact_digits(magnitude, precision) : search_digits(magnitude, precision);
    return sign + lay_out(&digits, out + sign);
}

size_t dew_number_format(double x, char out[DEW_NUMBER_SIZE])
{
    return format(x, double_precision, out);
}

size_t dew_number_format_single(float x, char out[DEW_NUMBER_SIZE])
{
    return format((double)x, single_precision, out);
}
