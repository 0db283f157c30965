/// Status helpers, asserts and audits for use inside the library.
#pragma once

#include "dew/base.h"

/// DEW_NO_MEMORY with the size that was asked for.
dew_Status dew_no_memory(size_t size_bytes);

/// A status that keeps the code and puts printf-style words in front: "WORDS: message".
dew_Status dew_status_prefix(dew_Status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// A line to the log, if there is one, shown as sentences of statuses are. Everything that the
/// library says goes through here.
void dew_log_line(const dew_Log *log, dew_LogLevel level, const char *words);

/// A caller's bug, not a user's: aborts in debug builds, compiled away with NDEBUG.
#include <assert.h>
#define DEW_ASSERT(condition) assert(condition)

/// Walks whole structures; only with -DDEW_AUDIT=ON.
#ifdef DEW_AUDIT_ON
#define DEW_AUDIT(check) DEW_TRY(check)
#else
#define DEW_AUDIT(check) ((void)0)
#endif
