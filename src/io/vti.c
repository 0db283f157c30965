// Writes an image as VTI [Kitware2010]: tags that name each array's offset, then the arrays.
//
// A compressed array is [block count][block size][size of a last, partial block, or 0][compressed
// size of each block], 64-bit numbers, then the blocks.
#include "io/vti.h"

#include "base/status.h"
#include "io/deflate.h"
#include "io/scalar.h"
#include "io/vtk_time.h"

#include <zlib.h>

#define BLOCK_BYTES (2 << MAX_WBITS)  // before compression: two windows of zlib

// ---- arrays ------------------------------------------------------------------------------------

typedef struct Packer {
    dew_Array block;   // bytes of the block that is being filled
    dew_Array sizes;   // uint64_t, compressed, of each block
    dew_Array packed;  // bytes of all blocks
    uint64_t last;     // bytes of the last block when it is partial
} Packer;

static void packer_init(Packer *p, const dew_Allocator *allocator)
{
    dew_array_init(&p->block, allocator, 1);
    dew_array_init(&p->sizes, allocator, sizeof(uint64_t));
    dew_array_init(&p->packed, allocator, 1);
    p->last = 0;
}

static void packer_deinit(Packer *p)
{
    dew_array_deinit(&p->block);
    dew_array_deinit(&p->sizes);
    dew_array_deinit(&p->packed);
}

static dew_Status end_block(Packer *p)
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

static dew_Status put_row(Packer *p, const float *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        dew_bytes_put_float(DEW_ITEMS(&p->block, uint8_t) + p->block.count, values[i]);
        p->block.count += 4;
        if (p->block.count == BLOCK_BYTES)
            DEW_TRY(end_block(p));
    }
    return dew_ok();
}

static dew_Status pack(const dew_VtiImage *image, int array, float *row, Packer *p)
{
    int64_t count = image->counts[0] * image->arrays[array].component_count;
    DEW_TRY(dew_array_reserve(&p->block, BLOCK_BYTES));
    for (int64_t k = 0; k < image->counts[2]; k++)
        for (int64_t j = 0; j < image->counts[1]; j++) {
            image->row(image->context, array, j, k, row);
            DEW_TRY(put_row(p, row, count));
        }
    return end_block(p);
}

static void put_u64(dew_Sink *sink, uint64_t x)
{
    uint8_t bytes[8];
    dew_bytes_put64(bytes, x);
    dew_sink_write(sink, bytes, sizeof bytes);
}

static int64_t packed_bytes(const Packer *p)
{
    return 8 * (3 + p->sizes.count) + p->packed.count;
}

static void put_packed(dew_Sink *sink, const Packer *p)
{
    put_u64(sink, (uint64_t)p->sizes.count);
    put_u64(sink, BLOCK_BYTES);
    put_u64(sink, p->last);
    for (int64_t i = 0; i < p->sizes.count; i++)
        put_u64(sink, DEW_ITEMS(&p->sizes, uint64_t)[i]);
    dew_sink_write(sink, p->packed.data, (size_t)p->packed.count);
}

// ---- tags --------------------------------------------------------------------------------------

static void put_extent(dew_Sink *sink, const int64_t counts[3])
{
    for (int a = 0; a < 3; a++) {
        dew_sink_text(sink, a > 0 ? " 0 " : "0 ");
        dew_sink_integer(sink, counts[a] - 1);
    }
}

static void put_doubles(dew_Sink *sink, double x, double y, double z)
{
    dew_sink_double(sink, x);
    dew_sink_text(sink, " ");
    dew_sink_double(sink, y);
    dew_sink_text(sink, " ");
    dew_sink_double(sink, z);
}

static void put_head(const dew_VtiImage *image, dew_Sink *sink)
{
    dew_Vec3 o = image->origin_m;
    dew_Vec3 h = image->spacing_m;
    dew_sink_text(sink, "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" "
                        "byte_order=\"LittleEndian\" header_type=\"UInt64\" "
                        "compressor=\"vtkZLibDataCompressor\">\n<ImageData WholeExtent=\"");
    put_extent(sink, image->counts);
    dew_sink_text(sink, "\" Origin=\"");
    put_doubles(sink, o.x, o.y, o.z);
    dew_sink_text(sink, "\" Spacing=\"");
    put_doubles(sink, h.x, h.y, h.z);
    dew_sink_text(sink, "\">\n");
    dew_vtk_put_time(sink, image->time_s);
    dew_sink_text(sink, "<Piece Extent=\"");
    put_extent(sink, image->counts);
    dew_sink_text(sink, "\">\n<PointData>\n");
}

static void put_tag(dew_Sink *sink, const dew_VtiArray *array, int64_t offset)
{
    dew_sink_text(sink, "<DataArray type=\"Float32\" Name=\"");
    dew_sink_xml(sink, array->name);
    dew_sink_text(sink, "\" NumberOfComponents=\"");
    dew_sink_integer(sink, array->component_count);
    dew_sink_text(sink, "\" format=\"appended\" offset=\"");
    dew_sink_integer(sink, offset);
    dew_sink_text(sink, "\"/>\n");
}

// ---- the file ----------------------------------------------------------------------------------

static dew_Status pack_all(const dew_VtiImage *image, const dew_Allocator *allocator,
                           Packer *packers)
{
    int widest = 1;
    for (int a = 0; a < image->array_count; a++)
        widest =
            image->arrays[a].component_count > widest ? image->arrays[a].component_count : widest;
    int64_t values = image->counts[0] * widest;
    float *row = (float *)dew_alloc(allocator, values, sizeof *row);
    dew_Status status = row ? dew_ok() : dew_no_memory((size_t)values * sizeof *row);
    for (int a = 0; a < image->array_count && status.code == DEW_OK; a++)
        status = pack(image, a, row, &packers[a]);
    if (row)
        dew_free(allocator, row, (size_t)values * sizeof *row);
    return status;
}

dew_Status dew_vti_write(const dew_VtiImage *image, dew_Sink *sink, const dew_Allocator *allocator)
{
    if (image->counts[0] * image->counts[1] * image->counts[2] <= 0)
        return dew_fail(DEW_BAD_INPUT, "an image without points cannot be written as VTI");
    size_t size = (size_t)image->array_count * sizeof(Packer);
    Packer *packers = (Packer *)dew_alloc(allocator, image->array_count, sizeof *packers);
    if (!packers)
        return dew_no_memory(size);
    for (int a = 0; a < image->array_count; a++)
        packer_init(&packers[a], allocator);
    dew_Status status = pack_all(image, allocator, packers);
    if (status.code == DEW_OK) {
        int64_t offset = 0;
        put_head(image, sink);
        for (int a = 0; a < image->array_count; a++) {
            put_tag(sink, &image->arrays[a], offset);
            offset += packed_bytes(&packers[a]);
        }
        dew_sink_text(sink,
                      "</PointData>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"raw\">\n_");
        for (int a = 0; a < image->array_count; a++)
            put_packed(sink, &packers[a]);
        dew_sink_text(sink, "\n</AppendedData>\n</VTKFile>\n");
    }
    for (int a = 0; a < image->array_count; a++)
        packer_deinit(&packers[a]);
    dew_free(allocator, packers, size);
    return status;
}
