// Content hash: the values xxHash publishes, and none lost to the seed or the length.
#include "base/hash.h"

#include "base/testing.h"

#include <string.h>

static void known_answers(void **state)
{
    (void)state;
    assert_int_equal(dew_hash("", 0, 0), UINT64_C(0x2d06800538d394c2));
    assert_int_equal(dew_hash(NULL, 0, 0), UINT64_C(0x2d06800538d394c2));
}

static void every_bit_counts(void **state)
{
    (void)state;
    uint8_t data[2000] = {0};
    for (size_t size = 1; size < sizeof data; size += 1 + size / 7) {
        uint64_t plain = dew_hash(data, size, 0);
        assert_true(plain != dew_hash(data, size, 1));
        assert_true(plain != dew_hash(data, size + 1, 0));
        for (size_t i = 0; i < size; i += 1 + size / 50) {
            data[i] ^= (uint8_t)(1u << i % 8);
            assert_true(plain != dew_hash(data, size, 0));
            data[i] = 0;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(every_bit_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
