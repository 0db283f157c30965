/// Strings that live until the end of a command: formatted on demand, freed together.
#pragma once

#include "dew/base.h"

/// All zero: empty.
typedef struct dew_StringPool {
    char **strings;
    int count, capacity;
} dew_StringPool;

/// printf into a new string of the pool. NULL: out of memory.
char *dew_pool_format(dew_StringPool *pool, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// The first `length` bytes of a text. NULL: out of memory.
char *dew_pool_text(dew_StringPool *pool, const char *text, size_t length);
/// Zeroed bytes, for arrays of the strings. NULL: out of memory.
void *dew_pool_alloc(dew_StringPool *pool, size_t size);
void dew_pool_deinit(dew_StringPool *pool);

/// The status for a NULL above.
dew_Status dew_pool_failure(void);
