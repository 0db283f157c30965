// Exact sums: small superaccumulator [Neal2015], section 3.
//
// Chunk i holds a signed multiple of 2^(32 i - 1074); a finite double is an integer below 2^53
// times 2^(s - 1074) and adds its low 32 bits to chunk s / 32 and the rest, below 2^52, to the
// next. So 2047 additions fit before carries must move up. Rounding looks at the exact integer that
// results. differs: s leaves out one bias, so that denormals need no case of their own. Long arrays
// come in through sum_simd.c, which adds up most of their bits before they get here.
#include "base/sum.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/sum_simd.h"

// Additions below 2^(DBL_MANT_DIG - 1) that fit into a signed 64-bit chunk.
#define ADDS_PER_CARRY ((INT64_C(1) << (64 - DBL_MANT_DIG)) - 1)
#define LOW_32         INT64_C(0xffffffff)
#define FRACTION_MASK  ((UINT64_C(1) << 52) - 1)
#define SUM_CHUNK      INT64_C(32768)  // items per task; a chunk of a sum takes about 20 us

void dew_exact_init(dew_ExactSum *sum)
{
    memset(sum, 0, sizeof *sum);
    sum->adds_left = ADDS_PER_CARRY;
}

// Moves what exceeds 32 bits up; then all chunks but the last, which has the sign, are in [0,
// 2^32).
static void propagate(dew_ExactSum *sum)
{
    int64_t carry = 0;
    for (int i = 0; i < DEW_EXACT_CHUNKS - 1; i++) {
        int64_t value = sum->chunk[i] + carry;
        carry = value >> 32;
        sum->chunk[i] = value & LOW_32;
    }
    sum->chunk[DEW_EXACT_CHUNKS - 1] += carry;
    sum->adds_left = ADDS_PER_CARRY;
}

// Adds mantissa * 2^(scale - 1074), mantissa below 2^53, with the sign of `sign` (0 or -1).
static inline void add_scaled(dew_ExactSum *sum, uint64_t mantissa, uint32_t scale, int64_t sign)
{
    uint32_t index = scale >> 5, shift = scale & 31;
    int64_t low = (int64_t)(mantissa << shift & (uint64_t)LOW_32);
    int64_t high = (int64_t)(mantissa >> (32 - shift));
    if (sum->adds_left == 0)
        propagate(sum);
    sum->adds_left--;
    sum->chunk[index] += (low ^ sign) - sign;
    sum->chunk[index + 1] += (high ^ sign) - sign;
}

void dew_exact_add(dew_ExactSum *sum, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint32_t exponent = (uint32_t)(bits >> 52) & 2047;
    if (exponent == 2047) {
        sum->special += x;
        return;
    }
    uint64_t is_normal = exponent != 0;
    uint64_t mantissa = (bits & FRACTION_MASK) | is_normal << 52;
    add_scaled(sum, mantissa, exponent - (uint32_t)is_normal, -(int64_t)(bits >> 63));
}

void dew_exact_add_array(dew_ExactSum *sum, const double *x, int64_t n)
{
    int64_t i = 0;
    for (; i + DEW_SUM_BLOCK <= n; i += DEW_SUM_BLOCK)
        dew_exact_add_block(sum, x + i, true);
    if (n - i >= DEW_SUM_BLOCK / 4) {  // filled up with zeros it is still faster than one by one
        double block[DEW_SUM_BLOCK] = {0};
        memcpy(block, x + i, (size_t)(n - i) * sizeof *x);
        dew_exact_add_block(sum, block, true);
        return;
    }
    for (; i < n; i++)
        dew_exact_add(sum, x[i]);
}

void dew_exact_merge(dew_ExactSum *sum, const dew_ExactSum *other)
{
    dew_ExactSum carried = *other;
    propagate(&carried);
    propagate(sum);
    for (int i = 0; i < DEW_EXACT_CHUNKS; i++)
        sum->chunk[i] += carried.chunk[i];
    propagate(sum);
    sum->special += other->special;
}

// The bits of the double nearest to the integer of 32-bit limbs times 2^-1074.
static uint64_t round_limbs(const uint32_t limb[DEW_EXACT_CHUNKS])
{
    int top = DEW_EXACT_CHUNKS - 1;
    while (top > 0 && limb[top] == 0)
        top--;
    if (top == 0 && limb[0] == 0)
        return 0;
    int highest = 32 * top + 31 - __builtin_clz(limb[top]);  // position of the highest bit
    if (highest <= 52)  // below 2^53 the integer is the pattern of bits of the double itself
        return (uint64_t)limb[1] << 32 | limb[0];
    int shift = highest - 52;  // bits to lose
    if (shift > 2046)
        return UINT64_C(2047) << 52;
    int index = shift / 32, offset = shift % 32;
    uint64_t low = (uint64_t)limb[index + 1] << 32 | limb[index];
    uint64_t high = index + 2 < DEW_EXACT_CHUNKS ? limb[index + 2] : 0;
    uint64_t mantissa = low >> offset | (offset > 0 ? high << (64 - offset) : 0);
    mantissa &= (UINT64_C(1) << 53) - 1;
    int half = shift - 1;  // the first bit lost
    bool is_half = limb[half / 32] >> (half % 32) & 1;
    bool is_more = (limb[half / 32] & ((UINT32_C(1) << (half % 32)) - 1)) != 0;
    for (int i = 0; i < half / 32 && !is_more; i++)
        is_more = limb[i] != 0;
    // The highest bit of the mantissa adds the missing 1 to the exponent; a carry, another.
    uint64_t bits = ((uint64_t)shift << 52) + mantissa + (is_half && (is_more || mantissa & 1));
    uint64_t infinity = UINT64_C(2047) << 52;
    return bits > infinity ? infinity : bits;
}

double dew_exact_round(const dew_ExactSum *sum)
{
    if (isnan(sum->special))
        return (double)NAN;  // one NaN for all: signs and payloads depend on the order
    if (sum->special != 0)
        return sum->special;
    dew_ExactSum value = *sum;
    propagate(&value);
    bool is_negative = value.chunk[DEW_EXACT_CHUNKS - 1] < 0;
    if (is_negative) {
        for (int i = 0; i < DEW_EXACT_CHUNKS; i++)
            value.chunk[i] = -value.chunk[i];
        propagate(&value);
    }
    uint32_t limb[DEW_EXACT_CHUNKS];
    for (int i = 0; i < DEW_EXACT_CHUNKS; i++)
        limb[i] = (uint32_t)value.chunk[i];
    uint64_t bits = round_limbs(limb) | (uint64_t)is_negative << 63;
    double result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

// What the chunks of one reduction share. Exact sums and maxima may be merged in any order.
typedef struct Reduction {
    const double *x, *y;
    dew_ExactSum sum;
    double max_abs;
    pthread_mutex_t lock;
} Reduction;

static void add_products(dew_ExactSum *sum, const double *x, const double *y, int64_t n)
{
    double product[DEW_SUM_BLOCK];
    for (int64_t at = 0; at < n; at += DEW_SUM_BLOCK) {
        int64_t count = n - at < DEW_SUM_BLOCK ? n - at : DEW_SUM_BLOCK;
        for (int64_t i = 0; i < count; i++)
            product[i] = x[at + i] * y[at + i];
        dew_exact_add_array(sum, product, count);
    }
}

// A chunk of a sum or, with y, of a dot product.
static dew_Status sum_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Reduction *reduction = (Reduction *)context;
    dew_ExactSum sum;
    dew_exact_init(&sum);
    if (reduction->y)
        add_products(&sum, reduction->x + begin, reduction->y + begin, end - begin);
    else
        dew_exact_add_array(&sum, reduction->x + begin, end - begin);
    pthread_mutex_lock(&reduction->lock);
    dew_exact_merge(&reduction->sum, &sum);
    pthread_mutex_unlock(&reduction->lock);
    return dew_ok();
}

static dew_Status max_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Reduction *reduction = (Reduction *)context;
    double largest = 0;
    bool has_nan = false;
    for (int64_t i = begin; i < end; i++) {
        double magnitude = fabs(reduction->x[i]);
        has_nan |= isnan(magnitude) != 0;
        largest = magnitude > largest ? magnitude : largest;
    }
    pthread_mutex_lock(&reduction->lock);
    if (has_nan)
        reduction->max_abs = (double)NAN;
    else if (largest > reduction->max_abs)
        reduction->max_abs = largest;
    pthread_mutex_unlock(&reduction->lock);
    return dew_ok();
}

static void reduce(dew_Tasks *tasks, Reduction *reduction, int64_t n, dew_ChunkFn *fn)
{
    dew_exact_init(&reduction->sum);
    pthread_mutex_init(&reduction->lock, NULL);
    dew_parallel_for(tasks, n, SUM_CHUNK, fn, reduction);  // these chunks cannot fail
    pthread_mutex_destroy(&reduction->lock);
}

double dew_sum(dew_Tasks *tasks, const double *x, int64_t count)
{
    Reduction reduction = {.x = x};
    if (count <= SUM_CHUNK) {  // nothing to share, nothing to merge
        dew_exact_init(&reduction.sum);
        dew_exact_add_array(&reduction.sum, x, count);
    } else
        reduce(tasks, &reduction, count, sum_chunk);
    return dew_exact_round(&reduction.sum);
}

double dew_dot(dew_Tasks *tasks, const double *x, const double *y, int64_t n)
{
    Reduction reduction = {.x = x, .y = y};
    if (n <= SUM_CHUNK) {
        dew_exact_init(&reduction.sum);
        add_products(&reduction.sum, x, y, n);
    } else
        reduce(tasks, &reduction, n, sum_chunk);
    return dew_exact_round(&reduction.sum);
}

double dew_max_abs(dew_Tasks *tasks, const double *x, int64_t n)
{
    Reduction reduction = {.x = x};
    reduce(tasks, &reduction, n, max_chunk);
    return reduction.max_abs;
}
