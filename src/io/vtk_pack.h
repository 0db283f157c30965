/// A compressed array of VTK's XML formats [Kitware2010], appended raw, with 64-bit lengths:
/// [block count][block size][size of a last, partial block, or 0][compressed size of each block],
/// then the blocks, each a zlib stream.
#pragma once

#include "io/sink.h"

/// One array while it is put together. Failures are kept and returned by dew_vtk_pack_end.
typedef struct dew_VtkPack {
    dew_Array block;   // bytes of the block that is being filled
    dew_Array sizes;   // uint64_t, compressed, of each block
    dew_Array packed;  // bytes of all blocks
    uint64_t last;     // bytes of the last block when it is partial
    dew_Status status;
} dew_VtkPack;

void dew_vtk_pack_init(dew_VtkPack *pack, const dew_Allocator *allocator);
void dew_vtk_pack_deinit(dew_VtkPack *pack);

void dew_vtk_pack_put(dew_VtkPack *pack, const void *data, size_t size);
dew_Status dew_vtk_pack_end(dew_VtkPack *pack);  // no more is put

int64_t dew_vtk_pack_bytes(const dew_VtkPack *pack);  // that dew_vtk_pack_write writes
void dew_vtk_pack_write(const dew_VtkPack *pack, dew_Sink *sink);
