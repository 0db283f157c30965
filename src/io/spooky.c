// SpookyHash V2 [Jenkins2012] of a message in one piece.
//
// Messages below 192 bytes are mixed in a state of four words, longer ones in a state of twelve,
// block by block of 96 bytes. The rotations and the constant are the hash's own; another value
// would be another hash.
#include "io/spooky.h"

#include "io/scalar.h"

#include <string.h>

enum { WORDS = 12, BLOCK_BYTES = 8 * WORDS, LONG_BYTES = 2 * BLOCK_BYTES };

static const uint64_t filler = 0xdeadbeefdeadbeef;

static uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static uint64_t word_at(const uint8_t *at)
{
    return dew_bytes_get(at, 8, false);
}

// ---- short messages ----------------------------------------------------------------------------

static void mix_short(uint64_t h[4])
{
    static const int rotations[12] = {50, 52, 30, 41, 54, 48, 38, 37, 62, 34, 5, 36};
    for (int i = 0; i < 12; i++) {
        uint64_t *a = &h[(i + 2) % 4], *b = &h[(i + 3) % 4], *c = &h[i % 4];
        *a = rotate(*a, rotations[i]) + *b;
        *c ^= *a;
    }
}

static void end_short(uint64_t h[4])
{
    static const int rotations[11] = {15, 52, 26, 51, 28, 9, 47, 54, 32, 25, 63};
    for (int i = 0; i < 11; i++) {
        uint64_t *a = &h[(i + 3) % 4], *b = &h[(i + 2) % 4];
        *a ^= *b;
        *b = rotate(*b, rotations[i]);
        *a += *b;
    }
}

static void hash_short(const uint8_t *at, size_t size, uint64_t digest[2])
{
    uint64_t h[4] = {0, 0, filler, filler};
    size_t rest = size;
    for (; rest >= 16; rest -= 16, at += 16) {
        bool is_second_half = (size - rest) % 32 != 0;
        if (is_second_half) {
            h[0] += word_at(at);
            h[1] += word_at(at + 8);
        } else {
            h[2] += word_at(at);
            h[3] += word_at(at + 8);
            mix_short(h);
        }
    }
    h[3] += (uint64_t)size << 56;
    if (rest == 0) {
        h[2] += filler;
        h[3] += filler;
    } else {
        h[2] += dew_bytes_get(at, rest < 8 ? rest : 8, false);
        if (rest > 8)
            h[3] += dew_bytes_get(at + 8, rest - 8, false);
    }
    end_short(h);
    digest[0] = h[0];
    digest[1] = h[1];
}

// ---- long messages -----------------------------------------------------------------------------

static void mix(const uint8_t *block, uint64_t s[WORDS])
{
    static const int rotations[WORDS] = {11, 32, 43, 31, 17, 28, 39, 57, 55, 54, 22, 46};
    for (int i = 0; i < WORDS; i++) {
        uint64_t *before = &s[(i + 11) % WORDS];
        s[i] += word_at(block + 8 * (size_t)i);
        s[(i + 2) % WORDS] ^= s[(i + 10) % WORDS];
        *before ^= s[i];
        s[i] = rotate(s[i], rotations[i]);
        *before += s[(i + 1) % WORDS];
    }
}

static void end_round(uint64_t h[WORDS])
{
    static const int rotations[WORDS] = {44, 15, 34, 21, 38, 33, 10, 13, 38, 53, 42, 54};
    for (int i = 0; i < WORDS; i++) {
        uint64_t *a = &h[(i + 11) % WORDS], *b = &h[(i + 1) % WORDS];
        *a += *b;
        h[(i + 2) % WORDS] ^= *a;
        *b = rotate(*b, rotations[i]);
    }
}

static void hash_long(const uint8_t *at, size_t size, uint64_t digest[2])
{
    uint64_t h[WORDS] = {0, 0, filler, 0, 0, filler, 0, 0, filler, 0, 0, filler};
    uint8_t last[BLOCK_BYTES] = {0};
    size_t rest = size % BLOCK_BYTES;
    for (size_t block = 0; block < size / BLOCK_BYTES; block++, at += BLOCK_BYTES)
        mix(at, h);
    memcpy(last, at, rest);
    last[BLOCK_BYTES - 1] = (uint8_t)rest;
    for (size_t i = 0; i < WORDS; i++)
        h[i] += word_at(last + 8 * i);
    for (int round = 0; round < 3; round++)
        end_round(h);
    digest[0] = h[0];
    digest[1] = h[1];
}

void dew_spooky(const void *data, size_t size, uint64_t digest[2])
{
    if (size < LONG_BYTES)
        hash_short((const uint8_t *)data, size, digest);
    else
        hash_long((const uint8_t *)data, size, digest);
}

void dew_spooky_combine(uint64_t digest[2], const uint64_t more[2])
{
    uint64_t h[4] = {digest[0], digest[1], more[0], more[1]};
    end_short(h);
    digest[0] = h[0];
    digest[1] = h[1];
}
