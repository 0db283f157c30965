/// HDF5 files [HDFGroup2011], by libhdf5: groups, attributes and arrays that grow. Writing only.
///
/// The library builds the file in memory and hands it to a sink when it is whole, so that failing
/// writes are reported as for all other files, and bytes are the same whenever it is written. The
/// first failure is kept and returned by dew_hdf_end. Where libhdf5 is missing, at build or now,
/// dew_hdf_begin returns DEW_UNSUPPORTED, and only dew_hdf_close may follow. Its memory is not the
/// allocator's.
#pragma once

#include "io/scalar.h"
#include "io/sink.h"

typedef struct dew_Hdf {
    void *library;  // what was looked up in libhdf5
    int64_t file;   // libhdf5's number
    dew_Status status;
    dew_Allocator allocator;
} dew_Hdf;

/// An array that grows by rows.
typedef struct dew_HdfColumn {
    int64_t id;
    dew_ScalarType type;
    int width;      // numbers per row
    int64_t count;  // rows
} dew_HdfColumn;

dew_Status dew_hdf_begin(dew_Hdf *hdf, const dew_Allocator *allocator);

/// Groups are closed by dew_hdf_close. 0 is the file's root.
int64_t dew_hdf_group(dew_Hdf *hdf, int64_t parent, const char *name);
void dew_hdf_link(dew_Hdf *hdf, int64_t parent, const char *name, const char *target);  // soft
void dew_hdf_put_text(dew_Hdf *hdf, int64_t group, const char *name, const char *value);
void dew_hdf_put_integers(dew_Hdf *hdf, int64_t group, const char *name, const int *values,
                          int count);  // 0: a single number, no array
void dew_hdf_put_double(dew_Hdf *hdf, int64_t group, const char *name, double value);
/// An array of a known size. Width 0: of numbers, not of rows.
void dew_hdf_put_array(dew_Hdf *hdf, int64_t group, const char *name, dew_ScalarType type,
                       const void *data, int64_t count, int width);
dew_HdfColumn dew_hdf_column(dew_Hdf *hdf, int64_t group, const char *name, dew_ScalarType type,
                             int width);
void dew_hdf_append(dew_Hdf *hdf, dew_HdfColumn *column, const void *data, int64_t count);

/// Writes the file, unless something has failed.
dew_Status dew_hdf_end(dew_Hdf *hdf, dew_Sink *sink, const dew_Allocator *allocator);
void dew_hdf_close(dew_Hdf *hdf);
