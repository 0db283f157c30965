// Writes an image as VTI [Kitware2010]: tags that name each array's offset, then the arrays.
#include "io/vti.h"

#include "base/status.h"
#include "io/scalar.h"

static void put_integers(dew_Sink *sink, const int64_t counts[3])
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
    double h = image->spacing_m;
    dew_sink_text(sink, "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" "
                        "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<ImageData "
                        "WholeExtent=\"");
    put_integers(sink, image->counts);
    dew_sink_text(sink, "\" Origin=\"");
    put_doubles(sink, o.x, o.y, o.z);
    dew_sink_text(sink, "\" Spacing=\"");
    put_doubles(sink, h, h, h);
    dew_sink_text(sink, "\">\n<Piece Extent=\"");
    put_integers(sink, image->counts);
    dew_sink_text(sink, "\">\n<PointData>\n");
}

dew_Status dew_vti_write(const dew_VtiImage *image, dew_Sink *sink)
{
    int64_t points = image->counts[0] * image->counts[1] * image->counts[2], offset = 0;
    if (points <= 0)
        return dew_fail(DEW_BAD_INPUT, "an image without points cannot be written as VTI");
    put_head(image, sink);
    for (int k = 0; k < image->array_count; k++) {
        const dew_VtiArray *array = &image->arrays[k];
        dew_sink_text(sink, "<DataArray type=\"Float32\" Name=\"");
        dew_sink_xml(sink, array->name);
        dew_sink_text(sink, "\" NumberOfComponents=\"");
        dew_sink_integer(sink, array->component_count);
        dew_sink_text(sink, "\" format=\"appended\" offset=\"");
        dew_sink_integer(sink, offset);
        dew_sink_text(sink, "\"/>\n");
        offset += 8 + 4 * points * array->component_count;
    }
    dew_sink_text(sink, "</PointData>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"raw\">\n_");
    for (int k = 0; k < image->array_count; k++) {
        const dew_VtiArray *array = &image->arrays[k];
        int64_t count = points * array->component_count;
        uint8_t bytes[8];
        dew_bytes_put64(bytes, (uint64_t)(4 * count));
        dew_sink_write(sink, bytes, 8);
        for (int64_t i = 0; i < count; i++) {
            dew_bytes_put_float(bytes, array->values[i]);
            dew_sink_write(sink, bytes, 4);
        }
    }
    dew_sink_text(sink, "\n</AppendedData>\n</VTKFile>\n");
    return dew_ok();
}
