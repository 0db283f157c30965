// Writes ParaView's lists of frames [Kitware2010].
#include "io/pvd.h"

#include "io/sink.h"

dew_Status dew_pvd_save(const char *path, const dew_PvdFrame *frames, int64_t count,
                        const dew_Allocator *allocator)
{
    dew_Sink sink;
    DEW_TRY(dew_sink_begin_file(&sink, path, allocator));
    dew_sink_text(&sink, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n"
                         "<Collection>\n");
    for (int64_t i = 0; i < count; i++) {
        dew_sink_text(&sink, "<DataSet timestep=\"");
        dew_sink_double(&sink, frames[i].time_s);
        dew_sink_text(&sink, "\" part=\"");
        dew_sink_integer(&sink, frames[i].part);
        dew_sink_text(&sink, "\" name=\"");
        dew_sink_xml(&sink, frames[i].name);
        dew_sink_text(&sink, "\" file=\"");
        dew_sink_xml(&sink, frames[i].file);
        dew_sink_text(&sink, "\"/>\n");
    }
    dew_sink_text(&sink, "</Collection>\n</VTKFile>\n");
    return dew_sink_end(&sink, dew_ok());
}
