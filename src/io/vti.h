/// VTI, VTK's XML format for images: numbers on a regular grid of points. Writing only; appended
/// raw data.
#pragma once

#include "geom/vec.h"
#include "io/sink.h"

typedef struct dew_VtiArray {
    const char *name;
    int component_count;
    const float *values;  // component fastest, then x, y, z
} dew_VtiArray;

typedef struct dew_VtiImage {
    int64_t counts[3];  // points along x, y, z
    dew_Vec3 origin_m;  // of the first
    double spacing_m;
    const dew_VtiArray *arrays;
    int array_count;
} dew_VtiImage;

dew_Status dew_vti_write(const dew_VtiImage *image, dew_Sink *sink);
