// MurmurHash3 of messages of all rests, compared with what Alembic 1.8.12 computes.
#include "io/murmur3.h"

#include "base/testing.h"

static void test_known(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        uint64_t digest[2];
    } known[] = {{0, {0, 0}},
                 {7, {0xf1903a954f45f844, 0x7431eb9928b75c6d}},
                 {31, {0x75e76d36669e9e8a, 0xaacc394db707ac94}},
                 {100, {0x4a96a77b7ad03c9c, 0xdd7c1b277137fc1f}},
                 {300, {0x51556890be7a8085, 0x6b494ec973430955}}};
    uint8_t message[300];
    for (int i = 0; i < 300; i++)
        message[i] = (uint8_t)(7 * i + i / 256 * 3 + 1);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint64_t digest[2];
        dew_murmur3(message, known[i].size, digest);
        assert_memory_equal(digest, known[i].digest, sizeof digest);
    }
}

// Each byte counts, also those of the rest.
static void test_sensitive(void **state)
{
    (void)state;
    uint8_t message[47] = {0};
    uint64_t plain[2], changed[2];
    dew_murmur3(message, sizeof message, plain);
    for (size_t i = 0; i < sizeof message; i++) {
        message[i] = 1;
        dew_murmur3(message, sizeof message, changed);
        assert_true(changed[0] != plain[0] && changed[1] != plain[1]);
        message[i] = 0;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_sensitive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
