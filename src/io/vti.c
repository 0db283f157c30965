// Writes an image as VTI [Kitware2010]: tags that name each array's offset, then the arrays.
#include "io/vti.h"

#include "base/status.h"
#include "io/scalar.h"
#include "io/vtk_pack.h"
#include "io/vtk_time.h"

// ---- arrays ------------------------------------------------------------------------------------

static void put_row(dew_VtkPack *pack, const float *values, int64_t count)
{
    uint8_t bytes[4];
    for (int64_t i = 0; i < count; i++) {
        dew_bytes_put_float(bytes, values[i]);
        dew_vtk_pack_put(pack, bytes, sizeof bytes);
    }
}

static dew_Status pack_array(const dew_VtiImage *image, int array, float *row, dew_VtkPack *pack)
{
    int64_t count = image->counts[0] * image->arrays[array].component_count;
    for (int64_t k = 0; k < image->counts[2]; k++)
        for (int64_t j = 0; j < image->counts[1]; j++) {
            image->row(image->context, array, j, k, row);
            put_row(pack, row, count);
        }
    return dew_vtk_pack_end(pack);
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
                           dew_VtkPack *packs)
{
    int widest = 1;
    for (int a = 0; a < image->array_count; a++)
        widest =
            image->arrays[a].component_count > widest ? image->arrays[a].component_count : widest;
    int64_t values = image->counts[0] * widest;
    float *row = (float *)dew_alloc(allocator, values, sizeof *row);
    dew_Status status = row ? dew_ok() : dew_no_memory((size_t)values * sizeof *row);
    for (int a = 0; a < image->array_count && status.code == DEW_OK; a++)
        status = pack_array(image, a, row, &packs[a]);
    if (row)
        dew_free(allocator, row, (size_t)values * sizeof *row);
    return status;
}

dew_Status dew_vti_write(const dew_VtiImage *image, dew_Sink *sink, const dew_Allocator *allocator)
{
    if (image->counts[0] * image->counts[1] * image->counts[2] <= 0)
        return dew_fail(DEW_BAD_INPUT, "an image without points cannot be written as VTI");
    size_t size = (size_t)image->array_count * sizeof(dew_VtkPack);
    dew_VtkPack *packs = (dew_VtkPack *)dew_alloc(allocator, image->array_count, sizeof *packs);
    if (!packs)
        return dew_no_memory(size);
    for (int a = 0; a < image->array_count; a++)
        dew_vtk_pack_init(&packs[a], allocator);
    dew_Status status = pack_all(image, allocator, packs);
    if (status.code == DEW_OK) {
        int64_t offset = 0;
        put_head(image, sink);
        for (int a = 0; a < image->array_count; a++) {
            put_tag(sink, &image->arrays[a], offset);
            offset += dew_vtk_pack_bytes(&packs[a]);
        }
        dew_sink_text(sink,
                      "</PointData>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"raw\">\n_");
        for (int a = 0; a < image->array_count; a++)
            dew_vtk_pack_write(&packs[a], sink);
        dew_sink_text(sink, "\n</AppendedData>\n</VTKFile>\n");
    }
    for (int a = 0; a < image->array_count; a++)
        dew_vtk_pack_deinit(&packs[a]);
    dew_free(allocator, packs, size);
    return status;
}
