// Exact sum of a block by slicing [Rump2008], [Demmel2013]: plain additions that round nothing.
//
// With 2^E above every magnitude, adding and subtracting s = 1.5 * 2^k cuts x to a multiple of u =
// 2^(k - 52), exactly, and leaves a rest of at most u / 2. A lane adds up 2^7 such multiples, each
// at most 2^E, below 2^(E + 7) = 2^53 u when k = E + 6: none of the additions rounds. A second
// slice takes the next 47 bits. Where something is left then (of magnitudes below 2^-40 of the
// largest) the rests are sliced in their turn. Limits: magnitudes outside 2^-900 to 2^1000, and
// NaN, go to the accumulator one by one. The result is exact, so plain code and AVX2 are
// bit-identical.
#include "base/sum_simd.h"

#include <math.h>
#include <string.h>

#define VECTORS 2  // with two of them one addition need not wait for the other
#define LANES   ((int)(sizeof(Vector) / sizeof(double)) * VECTORS)
#define LANE_BITS                                                                                  \
    __builtin_ctz(DEW_SUM_BLOCK / LANES)            // a lane adds 2^LANE_BITS numbers of a block
#define SLICE_BITS  (DBL_MANT_DIG - LANE_BITS + 1)  // from E to the E of the rest
#define INLINE_BODY static inline __attribute__((always_inline))

typedef double Vector __attribute__((vector_size(32)));
typedef int64_t Mask __attribute__((vector_size(32)));

_Static_assert(DEW_SUM_BLOCK == LANES << LANE_BITS, "a lane adds 2^LANE_BITS numbers");

typedef struct Slices {
    double first[LANES], second[LANES];  // sums per lane
    double rest;  // sum of the magnitudes of what is left; NaN when there was one
} Slices;

// The largest magnitude; a NaN may or may not be overlooked.
INLINE_BODY double largest_body(const double *x)
{
    const Mask magnitude_bits = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    Vector lane[VECTORS] = {{0}};
    for (int i = 0; i < DEW_SUM_BLOCK; i += LANES)
        for (int v = 0; v < VECTORS; v++) {
            Vector a;
            memcpy(&a, x + i + 4 * v, sizeof a);
            a = (Vector)((Mask)a & magnitude_bits);
            Mask is_larger = a > lane[v];
            lane[v] = (Vector)(((Mask)a & is_larger) | ((Mask)lane[v] & ~is_larger));
        }
    double largest = 0;
    for (int l = 0; l < LANES; l++)
        largest = lane[l / 4][l % 4] > largest ? lane[l / 4][l % 4] : largest;
    return largest;
}

INLINE_BODY void slice_body(const double *x, double s1, double s2, Slices *slices)
{
    const Mask magnitude_bits = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    Vector first[VECTORS] = {{0}}, second[VECTORS] = {{0}}, rest = {0};
    for (int i = 0; i < DEW_SUM_BLOCK; i += LANES)
        for (int v = 0; v < VECTORS; v++) {
            Vector a;
            memcpy(&a, x + i + 4 * v, sizeof a);
            Vector q1 = (a + s1) - s1;
            Vector r1 = a - q1;
            Vector q2 = (r1 + s2) - s2;
            first[v] += q1;
            second[v] += q2;
            rest += (Vector)((Mask)(r1 - q2) & magnitude_bits);
        }
    for (int l = 0; l < LANES; l++) {
        slices->first[l] = first[l / 4][l % 4];
        slices->second[l] = second[l / 4][l % 4];
    }
    slices->rest = rest[0] + rest[1] + rest[2] + rest[3];
}

static double largest_plain(const double *x)
{
    return largest_body(x);
}

static void slice_plain(const double *x, double s1, double s2, Slices *slices)
{
    slice_body(x, s1, s2, slices);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static double largest_avx2(const double *x)
{
    return largest_body(x);
}

__attribute__((target("avx2"))) static void slice_avx2(const double *x, double s1, double s2,
                                                       Slices *slices)
{
    slice_body(x, s1, s2, slices);
}
#endif

static bool has_avx2(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

static double largest(const double *x, bool is_wide)
{
#ifdef __x86_64__
    if (is_wide)
        return largest_avx2(x);
#endif
    (void)is_wide;
    return largest_plain(x);
}

static void slice(const double *x, double s1, double s2, Slices *slices, bool is_wide)
{
#ifdef __x86_64__
    if (is_wide) {
        slice_avx2(x, s1, s2, slices);
        return;
    }
#endif
    (void)is_wide;
    slice_plain(x, s1, s2, slices);
}

static void add_each(dew_ExactSum *sum, const double *x)
{
    for (int i = 0; i < DEW_SUM_BLOCK; i++)
        dew_exact_add(sum, x[i]);
}

// What is left of x behind both slices.
static void take_rest(const double *x, double s1, double s2, double *rest)
{
    for (int i = 0; i < DEW_SUM_BLOCK; i++) {
        double r1 = x[i] - ((x[i] + s1) - s1);
        rest[i] = r1 - ((r1 + s2) - s2);
    }
}

void dew_exact_add_block(dew_ExactSum *sum, const double *x, bool may_be_wide)
{
    bool is_wide = may_be_wide && has_avx2();
    double rest[DEW_SUM_BLOCK];
    Slices slices;
    do {
        double magnitude = largest(x, is_wide);
        int e = 0;
        frexp(magnitude, &e);  // magnitude < 2^e
        double s1 = ldexp(1.5, e + LANE_BITS - 1);
        double s2 = ldexp(1.5, e - SLICE_BITS + LANE_BITS - 1);
        bool is_usual = magnitude == 0 || (magnitude > 0x1p-900 && magnitude < 0x1p1000);
        if (is_usual)
            slice(x, s1, s2, &slices, is_wide);
        if (!is_usual || isnan(slices.rest)) {
            add_each(sum, x);
            return;
        }
        for (int l = 0; l < LANES; l++) {
            dew_exact_add(sum, slices.first[l]);
            dew_exact_add(sum, slices.second[l]);
        }
        if (slices.rest != 0)
            take_rest(x, s1, s2, rest);
        x = rest;
    } while (slices.rest != 0);
}
