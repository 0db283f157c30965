/// For tests: an allocator that counts, checks the sizes it is given, and fails when asked to.
///
/// Usage: for (n = 0; ; n++) { dew_Torture t = dew_torture(n); run with dew_torture_allocator(&t);
/// assert(t.blocks == 0 && !t.was_lied_to); if (t.calls <= n) break; } fails every allocation in
/// turn.
#pragma once

#include "base/allocator.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct dew_Torture {
    int64_t fail_at;          // this allocation fails, counted from 0; -1: none
    bool keeps_failing;       // and all that follow
    atomic_llong calls;       // allocations and growths so far
    atomic_llong blocks;      // not yet freed
    atomic_llong bytes;       // in them
    atomic_llong most_bytes;  // ever in them
    atomic_bool was_lied_to;  // somebody gave a wrong old size
} dew_Torture;

static inline dew_Torture dew_torture(int64_t fail_at)
{
    return (dew_Torture){.fail_at = fail_at};
}

/// Every block carries its size in front of it.
static inline void *dew_torture_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    dew_Torture *torture = (dew_Torture *)context;
    char *old = block ? (char *)block - 16 : NULL;
    size_t known = 0;
    if (old)
        memcpy(&known, old, sizeof known);
    if (known != old_size || (block && old_size == 0))
        torture->was_lied_to = true;
    if (new_size > known) {
        int64_t call = torture->calls++;
        if (call == torture->fail_at || (torture->keeps_failing && call > torture->fail_at))
            return NULL;
    }
    char *fresh = NULL;
    if (new_size > 0) {
        fresh = (char *)malloc(new_size + 16);  // always elsewhere: no stale pointer stays valid
        if (!fresh)
            return NULL;
        memset(fresh, 0xa5, new_size + 16);
        memcpy(fresh, &new_size, sizeof new_size);
        if (old)
            memcpy(fresh + 16, block, known < new_size ? known : new_size);
    }
    free(old);
    torture->blocks += (fresh ? 1 : 0) - (old ? 1 : 0);
    long long more = (long long)new_size - (long long)known;
    long long bytes = atomic_fetch_add(&torture->bytes, more) + more;
    long long most = torture->most_bytes;
    while (bytes > most && !atomic_compare_exchange_weak(&torture->most_bytes, &most, bytes))
        ;
    return fresh ? fresh + 16 : NULL;
}

static inline dew_Allocator dew_torture_allocator(dew_Torture *torture)
{
    return (dew_Allocator){.resize = dew_torture_resize, .context = torture};
}
