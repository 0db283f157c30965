/// VTI, VTK's XML format for images: numbers on a regular grid of points. Writing only; appended
/// raw data in blocks that zlib compresses, so that a uniform background costs next to nothing.
#pragma once

#include "geom/vec.h"
#include "io/sink.h"

typedef struct dew_VtiArray {
    const char *name;
    int component_count;
} dew_VtiArray;

/// Fills the values of the points (0..counts[0], j, k) of an array, component fastest, then x.
typedef void dew_VtiRowFn(const void *context, int array, int64_t j, int64_t k, float *values);

typedef struct dew_VtiImage {
    int64_t counts[3];  // points along x, y, z
    dew_Vec3 origin_m;  // of the first
    dew_Vec3 spacing_m;
    double time_s;  // TimeValue
    const dew_VtiArray *arrays;
    int array_count;
    dew_VtiRowFn *row;  // called row by row, so that no dense image is held
    const void *context;
} dew_VtiImage;

dew_Status dew_vti_write(const dew_VtiImage *image, dew_Sink *sink, const dew_Allocator *allocator);
