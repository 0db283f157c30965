/// PVD, ParaView's list of the files of an animation and their times.
#pragma once

#include "base/allocator.h"

typedef struct dew_PvdFrame {
    double time_s;
    int part;
    const char *name;  // of the part
    const char *file;  // relative to the list
} dew_PvdFrame;

/// Writes the whole list anew, whole or not at all, so that a viewer can look at it while frames
/// come.
dew_Status dew_pvd_save(const char *path, const dew_PvdFrame *frames, int64_t count,
                        const dew_Allocator *allocator);
