// The integer coding of crate files [Pixar2016].
//
// The differences d_i = x_i - x_(i-1) (mod 2^32, x_(-1) = 0) are written as a common value, a code
// of two bits each, lowest bits first, and bytes: 0, d is the common value; 1, 2, 3: d has 8, 16,
// 32 bits. The whole is an LZ4 block.
//
// The common value is the one that saves most bytes among those of at most 16 bits: corners of
// triangles that lie together have close indices. A larger one is found by the LZ4 only.
#include "io/usd_integers.h"

#include "base/status.h"
#include "io/lz4.h"
#include "io/scalar.h"

#define NARROW_COUNT 65536  // differences of at most 16 bits

enum { COMMON, BYTES_1, BYTES_2, BYTES_4 };  // codes

dew_Status dew_usd_pack(const void *data, size_t size, dew_Array *out)
{
    if (size > DEW_LZ4_MAX_BYTES)
        return dew_fail(DEW_UNSUPPORTED, "%zu bytes are too many for a block of a crate file",
                        size);
    DEW_TRY(dew_array_push(out, &(uint8_t){0}));
    return dew_lz4_compress(data, size, out);
}

static int32_t difference(const uint32_t *x, int64_t i)
{
    return (int32_t)(x[i] - (i > 0 ? x[i - 1] : 0));
}

static int code_of(int32_t d)
{
    return d >= INT8_MIN && d <= INT8_MAX     ? BYTES_1
           : d >= INT16_MIN && d <= INT16_MAX ? BYTES_2
                                              : BYTES_4;
}

static dew_Status find_common(const uint32_t *x, int64_t count, const dew_Allocator *allocator,
                              int32_t *common)
{
    int64_t *uses = (int64_t *)dew_alloc(allocator, NARROW_COUNT, sizeof(int64_t));
    if (!uses)
        return dew_no_memory(NARROW_COUNT * sizeof(int64_t));
    for (int64_t i = 0; i < count; i++) {
        int32_t d = difference(x, i);
        if (code_of(d) != BYTES_4)
            uses[d - INT16_MIN]++;
    }
    int64_t most = 0;
    *common = 0;
    for (int32_t d = INT16_MIN; d <= INT16_MAX; d++) {
        int64_t saved = uses[d - INT16_MIN] * (code_of(d) == BYTES_1 ? 1 : 2);
        if (saved > most) {
            most = saved;
            *common = d;
        }
    }
    dew_free(allocator, uses, NARROW_COUNT * sizeof(int64_t));
    return dew_ok();
}

// Fills zeroed bytes, of which there are enough; returns how many are used.
static int64_t encode(const uint32_t *x, int64_t count, int32_t common, uint8_t *out)
{
    uint8_t *codes = out + 4;
    uint8_t *bytes = codes + (2 * count + 7) / 8;
    dew_bytes_put32(out, (uint32_t)common);
    for (int64_t i = 0; i < count; i++) {
        int32_t d = difference(x, i);
        int code = d == common ? COMMON : code_of(d);
        int size = code == COMMON ? 0 : 1 << (code - 1);
        codes[i / 4] |= (uint8_t)(code << 2 * (i % 4));
        for (int k = 0; k < size; k++)
            *bytes++ = (uint8_t)((uint32_t)d >> 8 * k);
    }
    return bytes - out;
}

dew_Status dew_usd_pack_integers(const uint32_t *x, int64_t count, dew_Array *scratch,
                                 dew_Array *out)
{
    int32_t common = 0;
    int64_t bound = 0;
    scratch->count = 0;
    if (count > 0) {
        DEW_TRY(find_common(x, count, &scratch->allocator, &common));
        bound = 4 + (2 * count + 7) / 8 + 4 * count;
        DEW_TRY(dew_array_resize(scratch, bound));
        scratch->count = encode(x, count, common, DEW_ITEMS(scratch, uint8_t));
    }
    return dew_usd_pack(scratch->data, (size_t)scratch->count, out);
}
