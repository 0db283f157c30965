/// run.json read back: a flat object of names and values.
#pragma once

#include "base/arena.h"

enum { DEW_RUN_INFO_MAX = 64 };

typedef struct dew_RunInfo {
    const char *names[DEW_RUN_INFO_MAX];
    const char *values[DEW_RUN_INFO_MAX];  // strings unescaped, numbers as written
    int count;
} dew_RunInfo;

dew_Status dew_run_info_load(const char *path, dew_Arena *arena, dew_RunInfo *out);
const char *dew_run_info_text(const dew_RunInfo *info, const char *name);  // "" when not there
double dew_run_info_number(const dew_RunInfo *info, const char *name);     // NaN when not a number
