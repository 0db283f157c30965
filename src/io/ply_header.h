/// The header of a PLY file: which elements follow, how many of each, and what a row of them holds.
#pragma once

#include "base/array.h"
#include "io/scalar.h"
#include "io/slice.h"
#include "io/source.h"

typedef enum dew_PlyFormat {
    DEW_PLY_ASCII,
    DEW_PLY_LITTLE_ENDIAN,
    DEW_PLY_BIG_ENDIAN,
} dew_PlyFormat;

typedef struct dew_PlyProperty {
    dew_Slice name;
    bool is_list;
    dew_ScalarType type;        // of the value, or of each value of the list
    dew_ScalarType count_type;  // of the list's length
} dew_PlyProperty;

typedef struct dew_PlyElement {
    dew_Slice name;
    int64_t row_count;
    int64_t first_property;
    int64_t property_count;
    const char *where;  // its line in the header
} dew_PlyElement;

typedef struct dew_PlyHeader {
    dew_PlyFormat format;
    dew_Array elements;    // of dew_PlyElement
    dew_Array properties;  // of dew_PlyProperty, element by element
    size_t body;           // first byte behind the header
} dew_PlyHeader;

/// Reads the header. Names are slices of the source. Deinit also after a failure.
dew_Status dew_ply_header_parse(const dew_Source *source, dew_PlyHeader *header);
void dew_ply_header_deinit(dew_PlyHeader *header);

const dew_PlyProperty *dew_ply_properties(const dew_PlyHeader *header,
                                          const dew_PlyElement *element);
/// NULL: there is none.
const dew_PlyElement *dew_ply_find_element(const dew_PlyHeader *header, const char *name);
/// Fewest bytes that one row takes, lists being empty. Text: a digit and a separator for each
/// value.
int64_t dew_ply_row_min_bytes(const dew_PlyHeader *header, const dew_PlyElement *element);
/// True when all rows have that size.
bool dew_ply_row_is_fixed(const dew_PlyHeader *header, const dew_PlyElement *element);
