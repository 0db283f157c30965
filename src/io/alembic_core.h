/// Alembic archives [Alembic2011] without what they mean: a tree of objects, each with a tree of
/// properties, of which the leaves have a sample per frame. The schemas (mesh, camera ...) are in
/// io/alembic.c.
///
/// Objects and properties are numbers, and are made before or between samples, parents first.
/// Samples go to the sink at once; equal samples of the whole archive are stored once. What is kept
/// in memory is 40 bytes per different sample and 8 to 16 per sample. The first failure is kept and
/// returned by dew_abc_end, so that the many small calls need no check.
#pragma once

#include "base/arena.h"
#include "io/ogawa.h"

/// Types of a number, as Alembic counts them.
typedef enum dew_AbcType {
    DEW_ABC_BOOL = 0,
    DEW_ABC_UINT8 = 1,
    DEW_ABC_INT8 = 2,
    DEW_ABC_UINT32 = 5,
    DEW_ABC_INT32 = 6,
    DEW_ABC_UINT64 = 7,
    DEW_ABC_FLOAT32 = 10,
    DEW_ABC_FLOAT64 = 11,
} dew_AbcType;

/// What a leaf holds: per sample one element, or an array of them.
typedef struct dew_AbcForm {
    bool is_array;
    dew_AbcType type;
    int extent;     // numbers of an element, at most 255
    bool is_timed;  // sampled at the frames; else one sample for all time
} dew_AbcForm;

/// Where a sample lies.
typedef struct dew_AbcSample {
    uint64_t digest[2];
    uint64_t reference;
    int64_t size_bytes, element_count;
} dew_AbcSample;

typedef struct dew_AbcArchive {
    dew_Ogawa ogawa;
    dew_Arena arena;  // names and metadata
    dew_Array nodes;  // of objects, compounds and leaves
    dew_Array known;  // hash table of dew_AbcSample, in the order of slots
    int64_t known_count;
    dew_Array metadata;  // short metadata by number: const char *
    double time_per_frame_s, begin_s;
    int64_t max_samples[2];  // without and with times
    dew_Status status;
} dew_AbcArchive;

enum { DEW_ABC_TOP = 0 };  // the object that all others lie below

void dew_abc_begin(dew_AbcArchive *archive, dew_Sink *sink, double frame_rate_Hz, double begin_s,
                   const dew_Allocator *allocator);
/// Metadata is "key=value;key=value", keys in order.
int dew_abc_object(dew_AbcArchive *archive, int parent, const char *name, const char *metadata);
int dew_abc_compound(dew_AbcArchive *archive, int parent, const char *name, const char *metadata);
int dew_abc_leaf(dew_AbcArchive *archive, int parent, const char *name, const char *metadata,
                 dew_AbcForm form);

/// The next sample, little endian.
void dew_abc_sample(dew_AbcArchive *archive, int leaf, const void *bytes, int64_t element_count);
/// The next sample is that one. For the last one, see below.
void dew_abc_repeat(dew_AbcArchive *archive, int leaf, const dew_AbcSample *sample);
/// The last sample; of an array that has none the empty one.
dew_AbcSample dew_abc_last(const dew_AbcArchive *archive, int leaf);

/// Writes what describes the samples. `metadata` is the archive's.
dew_Status dew_abc_end(dew_AbcArchive *archive, const char *metadata);
void dew_abc_deinit(dew_AbcArchive *archive);
