// Compression by zlib, with memory from the array's allocator. The fastest level: on fields of a
// grid it leaves 3 % more bytes than the default level in a third of the time.
#include "io/deflate.h"

#include "base/status.h"
#include "io/zlib_memory.h"

dew_Status dew_deflate(const void *data, size_t size, dew_Array *out)
{
    DEW_ASSERT(out->element_size == 1 && size <= UINT32_MAX);
    dew_Allocator allocator = out->allocator;
    z_stream z = dew_zlib_stream(&allocator);
    if (deflateInit(&z, Z_BEST_SPEED) != Z_OK)
        return dew_no_memory(size);
    int64_t begin = out->count;
    size_t bound = (size_t)deflateBound(&z, (uLong)size);
    dew_Status status = dew_array_resize(out, begin + (int64_t)bound);
    if (status.code == DEW_OK) {
        z.next_in = (Bytef *)(uintptr_t)data;
        z.avail_in = (uInt)size;
        z.next_out = DEW_ITEMS(out, uint8_t) + begin;
        z.avail_out = (uInt)bound;
        int result = deflate(&z, Z_FINISH);  // the bound is enough: it ends in one call
        DEW_ASSERT(result == Z_STREAM_END);
        (void)result;
        out->count = begin + (int64_t)(bound - z.avail_out);
    }
    deflateEnd(&z);
    return status;
}
