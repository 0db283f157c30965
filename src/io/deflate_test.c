// What is compressed reads back as it was, and uniform data become short.
#include "io/deflate.h"

#include "base/testing.h"
#include "io/zlib_memory.h"

static void expect_back(const uint8_t *data, size_t size, size_t at_most)
{
    dew_Array bytes;
    uint8_t back[4096];
    uLongf length = sizeof back;
    dew_array_init(&bytes, NULL, 1);
    assert_int_equal(dew_array_push(&bytes, "x").code, DEW_OK);  // what is there stays
    assert_int_equal(dew_deflate(data, size, &bytes).code, DEW_OK);
    assert_int_equal(DEW_ITEMS(&bytes, char)[0], 'x');
    assert_true((size_t)bytes.count - 1 <= at_most);
    const Bytef *packed = DEW_ITEMS(&bytes, uint8_t) + 1;
    assert_int_equal(uncompress(back, &length, packed, (uLong)bytes.count - 1), Z_OK);
    assert_int_equal(length, size);
    if (size > 0)
        assert_memory_equal(back, data, size);
    dew_array_deinit(&bytes);
}

static void blocks_come_back(void **state)
{
    (void)state;
    uint8_t data[4096] = {0};
    expect_back(data, 0, 16);
    expect_back(data, sizeof data, 64);
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * i >> 3 ^ i);
    expect_back(data, sizeof data, sizeof data + 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_come_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
