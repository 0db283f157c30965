/// The instant of a data set in VTK's XML formats, as ParaView reads it.
#pragma once

#include "io/sink.h"

/// The element FieldData with TimeValue, before the first Piece.
static inline void dew_vtk_put_time(dew_Sink *sink, double time_s)
{
    dew_sink_text(sink, "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" "
                        "NumberOfTuples=\"1\" format=\"ascii\">");
    dew_sink_double(sink, time_s);
    dew_sink_text(sink, "</DataArray>\n</FieldData>\n");
}
