// LZ4 blocks [Collet2013]: LZ77 with byte-aligned codes.
//
// A block is a list of sequences: a byte with two lengths of four bits each, literals, a distance
// of 16 bits, from which a match is copied. A length of 15 goes on in bytes of 255 and a last
// smaller one. Matches have at least four bytes. The last sequence has literals only, at least five
// where there is a match before; no match begins in the last twelve bytes.
//
// Method: a hash table holds the latest position of each four bytes; a match is what stands there,
// extended forward and backward. Where nothing is found the search proceeds by growing steps, so
// that incompressible data cost little. Limits: greedy, one candidate; optimal parsing saves a few
// per cent at ten times the cost.
#include "io/lz4.h"

#include "base/status.h"

#include <string.h>

#define HASH_BITS     14
#define MIN_MATCH     4
#define LAST_LITERALS 5
#define END_MARGIN    12  // no match begins in these last bytes
#define MAX_DISTANCE  65535
#define SKIP_SHIFT    6  // the step grows by one after each 64 positions without a match

typedef struct Encoder {
    const uint8_t *data;
    uint8_t *out;
    uint32_t table[1 << HASH_BITS];  // position + 1; 0: none
} Encoder;

static uint32_t load32(const uint8_t *at)
{
    uint32_t x;
    memcpy(&x, at, sizeof x);
    return x;
}

// Of four bytes in the machine's order: Dew's machines are little endian.
static uint32_t hash_of(uint32_t x)
{
    return x * 2654435761u >> (32 - HASH_BITS);  // Fibonacci hashing: 2^32 / golden ratio
}

// The rest of a length whose first 15 are in the sequence's first byte.
static uint8_t *put_length(uint8_t *out, size_t rest)
{
    for (; rest >= 255; rest -= 255)
        *out++ = 255;
    *out++ = (uint8_t)rest;
    return out;
}

// Literals data[from, to), then a match; match_length 0: the last sequence.
static void put_sequence(Encoder *e, size_t from, size_t to, size_t distance, size_t match_length)
{
    size_t literals = to - from;
    size_t match = match_length > 0 ? match_length - MIN_MATCH : 0;
    *e->out++ = (uint8_t)((literals < 15 ? literals : 15) << 4 | (match < 15 ? match : 15));
    if (literals >= 15)
        e->out = put_length(e->out, literals - 15);
    if (literals > 0)
        memcpy(e->out, e->data + from, literals);
    e->out += literals;
    if (match_length == 0)
        return;
    *e->out++ = (uint8_t)distance;
    *e->out++ = (uint8_t)(distance >> 8);
    if (match >= 15)
        e->out = put_length(e->out, match - 15);
}

// The last position whose four bytes are those at `at`, or SIZE_MAX; remembers `at`.
static size_t candidate(Encoder *e, size_t at)
{
    uint32_t bytes = load32(e->data + at);
    uint32_t *slot = &e->table[hash_of(bytes)];
    size_t found = (size_t)*slot - 1;
    *slot = (uint32_t)at + 1;
    if (found == SIZE_MAX || at - found > MAX_DISTANCE || load32(e->data + found) != bytes)
        return SIZE_MAX;
    return found;
}

static size_t common_length(const uint8_t *a, const uint8_t *b, const uint8_t *b_end)
{
    const uint8_t *begin = b;
    while (b < b_end && *a == *b) {
        a++;
        b++;
    }
    return (size_t)(b - begin);
}

static void encode(Encoder *e, size_t size)
{
    size_t anchor = 0, at = 0, failures = 0;
    size_t last_start = size > END_MARGIN ? size - END_MARGIN : 0;
    while (at < last_start) {
        size_t found = candidate(e, at);
        if (found == SIZE_MAX) {
            at += 1 + (failures++ >> SKIP_SHIFT);
            continue;
        }
        failures = 0;
        while (at > anchor && found > 0 && e->data[at - 1] == e->data[found - 1]) {
            at--;
            found--;
        }
        size_t length =
            common_length(e->data + found, e->data + at, e->data + size - LAST_LITERALS);
        put_sequence(e, anchor, at, at - found, length);
        at += length;
        anchor = at;
    }
    put_sequence(e, anchor, size, 0, 0);
}

dew_Status dew_lz4_compress(const void *data, size_t size, dew_Array *out)
{
    DEW_ASSERT(out->element_size == 1 && size <= DEW_LZ4_MAX_BYTES);
    int64_t begin = out->count;
    // Literals cost a byte for each 255, and every sequence saves at least what its codes cost.
    DEW_TRY(dew_array_reserve(out, begin + (int64_t)(size + size / 255 + 16)));
    Encoder *e = (Encoder *)dew_alloc(&out->allocator, 1, sizeof(Encoder));
    if (!e)
        return dew_no_memory(sizeof(Encoder));
    e->data = (const uint8_t *)data;
    e->out = DEW_ITEMS(out, uint8_t) + begin;
    encode(e, size);
    out->count = e->out - DEW_ITEMS(out, uint8_t);
    dew_free(&out->allocator, e, sizeof(Encoder));
    return dew_ok();
}
