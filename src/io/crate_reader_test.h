/// For tests: what compresses crate files, undone; every read is checked.
#pragma once

#include "base/testing.h"
#include "io/scalar.h"

/// Decodes an LZ4 block by the letter of its format; returns the number of bytes that come out.
/// Fails the test where the block reads or copies what is not there.
static inline size_t dew_test_lz4_decode(const uint8_t *in, size_t size, uint8_t *out,
                                         size_t capacity)
{
    size_t at = 0, count = 0, last_match = 0;
    bool has_match = false;
    assert_true(size > 0);
    for (;;) {
        assert_true(at < size);
        uint8_t token = in[at++];
        size_t literals = token >> 4;
        for (uint8_t more = literals == 15 ? 255 : 0; more == 255;) {
            assert_true(at < size);
            more = in[at++];
            literals += more;
        }
        assert_true(literals <= size - at && literals <= capacity - count);
        for (size_t i = 0; i < literals; i++)
            out[count++] = in[at++];
        if (at == size) {  // the last sequence: no match; five literals, twelve bytes behind the
            assert_int_equal(token & 15, 0);  // start of the last match
            assert_true(!has_match || (literals >= 5 && count - last_match >= 12));
            return count;
        }
        assert_true(size - at >= 2);
        size_t distance = in[at] | (size_t)in[at + 1] << 8;
        size_t length = token & 15;
        at += 2;
        for (uint8_t more = length == 15 ? 255 : 0; more == 255;) {
            assert_true(at < size);
            more = in[at++];
            length += more;
        }
        length += 4;
        assert_true(distance > 0 && distance <= count && length <= capacity - count);
        last_match = count;
        has_match = true;
        for (size_t i = 0; i < length; i++, count++)
            out[count] = out[count - distance];
    }
}

/// The bytes behind one block's head.
static inline size_t dew_test_unpack(const uint8_t *in, size_t size, uint8_t *out, size_t capacity)
{
    assert_true(size >= 2);
    assert_int_equal(in[0], 0);
    return dew_test_lz4_decode(in + 1, size - 1, out, capacity);
}

/// Decodes `count` integers; the packed form must hold exactly these.
static inline void dew_test_unpack_integers(const uint8_t *in, size_t size, uint32_t *out,
                                            size_t count)
{
    size_t codes = (2 * count + 7) / 8, capacity = 4 + codes + 4 * count;
    uint8_t *bytes = (uint8_t *)calloc(capacity + 16, 1);
    assert_non_null(bytes);
    size_t got = dew_test_unpack(in, size, bytes, capacity);
    size_t at = count > 0 ? 4 + codes : 0;
    uint32_t x = 0, common = (uint32_t)dew_bytes_get(bytes, 4, false);
    assert_true(got >= at);
    for (size_t i = 0; i < count; i++) {
        int code = bytes[4 + i / 4] >> 2 * (i % 4) & 3;
        size_t width = code == 0 ? 0 : (size_t)1 << (code - 1);
        assert_true(width <= got - at);
        int64_t d = 0;
        dew_ScalarType types[4] = {DEW_INT32, DEW_INT8, DEW_INT16, DEW_INT32};
        if (width > 0)
            assert_true(dew_scalar_integer(bytes + at, types[code], false, &d));
        x += width > 0 ? (uint32_t)d : common;
        at += width;
        out[i] = x;
    }
    assert_int_equal(at, got);
    free(bytes);
}
