// Compresses an array of VTK's XML formats block by block.
#include "io/vtk_pack.h"

#include "base/status.h"
#include "io/deflate.h"
#include "io/scalar.h"

#include <string.h>
#include <zlib.h>

#define BLOCK_BYTES (2 << MAX_WBITS)  // before compression: two windows of zlib

void dew_vtk_pack_init(dew_VtkPack *pack, const dew_Allocator *allocator)
{
    dew_array_init(&pack->block, allocator, 1);
    dew_array_init(&pack->sizes, allocator, sizeof(uint64_t));
    dew_array_init(&pack->packed, allocator, 1);
    pack->last = 0;
    pack->status = dew_ok();
}

void dew_vtk_pack_deinit(dew_VtkPack *pack)
{
    dew_array_deinit(&pack->block);
    dew_array_deinit(&pack->sizes);
    dew_array_deinit(&pack->packed);
}

static dew_Status end_block(dew_VtkPack *p)
{
    int64_t before = p->packed.count;
    if (p->block.count == 0)
        return dew_ok();
    DEW_TRY(dew_deflate(p->block.data, (size_t)p->block.count, &p->packed));
    uint64_t size = (uint64_t)(p->packed.count - before);
    p->last = p->block.count < BLOCK_BYTES ? (uint64_t)p->block.count : 0;
    p->block.count = 0;
    return dew_array_push(&p->sizes, &size);
}

void dew_vtk_pack_put(dew_VtkPack *pack, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    if (pack->status.code == DEW_OK)
        pack->status = dew_array_reserve(&pack->block, BLOCK_BYTES);
    while (size > 0 && pack->status.code == DEW_OK) {
        size_t room = (size_t)(BLOCK_BYTES - pack->block.count);
        size_t part = size < room ? size : room;
        memcpy(DEW_ITEMS(&pack->block, uint8_t) + pack->block.count, bytes, part);
        pack->block.count += (int64_t)part;
        bytes += part;
        size -= part;
        if (pack->block.count == BLOCK_BYTES)
            pack->status = end_block(pack);
    }
}

dew_Status dew_vtk_pack_end(dew_VtkPack *pack)
{
    if (pack->status.code == DEW_OK)
        pack->status = end_block(pack);
    return pack->status;
}

static void put_u64(dew_Sink *sink, uint64_t x)
{
    uint8_t bytes[8];
    dew_bytes_put64(bytes, x);
    dew_sink_write(sink, bytes, sizeof bytes);
}

int64_t dew_vtk_pack_bytes(const dew_VtkPack *pack)
{
    return 8 * (3 + pack->sizes.count) + pack->packed.count;
}

void dew_vtk_pack_write(const dew_VtkPack *pack, dew_Sink *sink)
{
    put_u64(sink, (uint64_t)pack->sizes.count);
    put_u64(sink, BLOCK_BYTES);
    put_u64(sink, pack->last);
    for (int64_t i = 0; i < pack->sizes.count; i++)
        put_u64(sink, DEW_ITEMS(&pack->sizes, const uint64_t)[i]);
    dew_sink_write(sink, pack->packed.data, (size_t)pack->packed.count);
}
