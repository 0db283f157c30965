/// Bodies of revolution about the y axis as scenes read them: a mesh in a file for as long as the
/// scene is opened.
#pragma once

#include "dew/mesh.h"

typedef struct dew_ColumnFile {
    char path[512];
} dew_ColumnFile;

/// Writes the body whose profile is given from one end of the axis to the other, edges of edge_m
/// around it, into a file of its own among those that the system throws away. It is to be removed.
dew_Status dew_column_save(const dew_ProfilePoint *profile, int64_t count, double edge_m,
                           dew_ColumnFile *out);
void dew_column_remove(const dew_ColumnFile *file);
