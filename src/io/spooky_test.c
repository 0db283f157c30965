// SpookyHash of short and long messages, compared with what Alembic 1.8.12 computes.
#include "io/spooky.h"

#include "base/testing.h"

static void test_known(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        uint64_t digest[2];
    } known[] = {{0, {0x232706fc6bf50919, 0x8b72ee65b4e851c7}},
                 {7, {0xfc24cb65815d29e5, 0xce11e29e933a61fa}},
                 {31, {0x1cf83775d46aac18, 0x27623861fc1941e9}},
                 {100, {0x3714030509fabb66, 0x1e5849a45bae065f}},
                 {300, {0xe33de4ec2fcd27df, 0xd622723523b1d3d5}}};
    uint8_t message[300];
    for (int i = 0; i < 300; i++)
        message[i] = (uint8_t)(7 * i + i / 256 * 3 + 1);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint64_t digest[2];
        dew_spooky(message, known[i].size, digest);
        assert_memory_equal(digest, known[i].digest, sizeof digest);
    }
}

static void test_combine(void **state)
{
    (void)state;
    static const uint64_t more[2] = {3, 4}, known[2] = {0xd05bc6ce4c6b2efe, 0x8616ffe259af1463};
    uint64_t digest[2] = {1, 2};
    dew_spooky_combine(digest, more);
    assert_memory_equal(digest, known, sizeof digest);
}

// Each byte counts, in short and in long messages.
static void test_sensitive(void **state)
{
    (void)state;
    static const size_t sizes[] = {47, 191, 192, 250};
    for (int n = 0; n < 4; n++) {
        uint8_t message[250] = {0};
        uint64_t plain[2], changed[2];
        dew_spooky(message, sizes[n], plain);
        for (size_t i = 0; i < sizes[n]; i++) {
            message[i] = 1;
            dew_spooky(message, sizes[n], changed);
            assert_true(changed[0] != plain[0] && changed[1] != plain[1]);
            message[i] = 0;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_combine),
        cmocka_unit_test(test_sensitive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
