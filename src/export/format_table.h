/// The formats of `dew export`: a line each.
#pragma once

#include "io/animation.h"

typedef struct dew_ExportFormat {
    const char *extension;        // without the dot
    const dew_AnimationOps *ops;  // NULL: this build cannot write it
    bool is_y_up;                 // by definition of the format
} dew_ExportFormat;

/// The format that the ending of a name stands for. DEW_BAD_INPUT when it is none, DEW_UNSUPPORTED
/// when this build cannot write it; the message names those that can be written.
dew_Status dew_export_format_find(const char *path, const dew_ExportFormat **out);
