/// What a VTP file consists of, read from its tags: pieces, and the arrays of each.
#pragma once

#include "base/array.h"
#include "io/vtp_array.h"

typedef enum dew_VtpSection {
    DEW_VTP_ELSEWHERE,
    DEW_VTP_POINT_DATA,
    DEW_VTP_CELL_DATA,
    DEW_VTP_POINTS,
    DEW_VTP_VERTS,
    DEW_VTP_LINES,
    DEW_VTP_STRIPS,
    DEW_VTP_POLYS,
    DEW_VTP_SECTION_COUNT
} dew_VtpSection;

typedef struct dew_VtpPiece {
    const char *where;                           // its tag
    int64_t count[DEW_VTP_SECTION_COUNT];        // of points and of each kind of cell
    int64_t array_begin[DEW_VTP_SECTION_COUNT];  // into `arrays`; sections come in any order
    int64_t array_count[DEW_VTP_SECTION_COUNT];
} dew_VtpPiece;

typedef struct dew_VtpLayout {
    dew_VtpData data;
    dew_Array pieces;  // of dew_VtpPiece
    dew_Array arrays;  // of dew_VtpArray
} dew_VtpLayout;

/// Reads all tags, no data. Deinit also after a failure.
dew_Status dew_vtp_layout_parse(const dew_Source *source, dew_VtpLayout *layout);
void dew_vtp_layout_deinit(dew_VtpLayout *layout);

/// The array of a section by its name, or the only one when name is NULL; NULL: there is none.
const dew_VtpArray *dew_vtp_find_array(const dew_VtpLayout *layout, const dew_VtpPiece *piece,
                                       dew_VtpSection section, const char *name);
