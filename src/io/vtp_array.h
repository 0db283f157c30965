/// The data arrays of VTK's XML files: text, base64 or raw bytes, plain or compressed, to numbers.
#pragma once

#include "io/scalar.h"
#include "io/slice.h"
#include "io/source.h"

typedef enum dew_VtpEncoding {
    DEW_VTP_ASCII,     // numbers between the tags
    DEW_VTP_INLINE,    // base64 between the tags
    DEW_VTP_APPENDED,  // at an offset into the appended data
} dew_VtpEncoding;

/// One <DataArray>.
typedef struct dew_VtpArray {
    char
        name[DEW_SHOWN_SIZE];  // its beginning: as much as messages show, more than attributes keep
    const char *where;         // its tag
    bool is_known_type;        // else it holds strings or what not, and cannot be read
    dew_ScalarType type;
    dew_VtpEncoding encoding;
    int64_t component_count;
    int64_t offset;  // DEW_VTP_APPENDED
    dew_Slice text;  // else
} dew_VtpArray;

/// What all arrays of a file share.
typedef struct dew_VtpData {
    const dew_Source *source;
    bool is_big_endian;
    bool is_compressed;      // by zlib
    size_t word_bytes;       // of the lengths in front of binary data: 4 or 8
    dew_Slice appended;      // behind the underscore; size 0: there is none
    bool is_appended_raw;    // else base64
    size_t unclaimed_bytes;  // of the file: arrays may not share bytes, or memory would outgrow it
} dew_VtpData;

/// Numbers of one array, wherever they lie.
typedef struct dew_VtpValues {
    const uint8_t *data;
    dew_ScalarType type;
    bool is_big_endian;
    int64_t count;
    uint8_t *block;  // what was allocated, if anything
    size_t block_size;
} dew_VtpValues;

/// Exactly `count` numbers; anything else is refused. Free the values, also after a failure.
dew_Status dew_vtp_fetch(dew_VtpData *data, const dew_VtpArray *array, int64_t count,
                         dew_VtpValues *values);
void dew_vtp_free(const dew_VtpData *data, dew_VtpValues *values);

static inline double dew_vtp_number(const dew_VtpValues *values, int64_t i)
{
    return dew_scalar_number(values->data + (size_t)i * dew_scalar_size(values->type), values->type,
                             values->is_big_endian);
}

static inline bool dew_vtp_integer(const dew_VtpValues *values, int64_t i, int64_t *out)
{
    return dew_scalar_integer(values->data + (size_t)i * dew_scalar_size(values->type),
                              values->type, values->is_big_endian, out);
}
