/// For tests: cmocka with the headers it needs, and the assertions that tests of all folders share.
#pragma once

#include "base/torture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>  // expects the four headers above

/// The call succeeded; a failure prints its message.
static inline void assert_ok(dew_Status status)
{
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
}

/// |got - want| <= relative * |want|
static inline void assert_near(double got, double want, double relative)
{
    if (!(fabs(got - want) <= relative * fabs(want)))
        fail_msg("got %.17g, want %.17g (relative %g)", got, want, relative);
}

/// |got - want| <= absolute
static inline void assert_within(double got, double want, double absolute)
{
    if (!(fabs(got - want) <= absolute))
        fail_msg("got %.17g, want %.17g (absolute %g)", got, want, absolute);
}

/// A piece of work that takes all its memory from the allocator and returns all of it.
typedef dew_Status dew_TortureFn(void *context, const dew_Allocator *allocator);

/// Runs the work with allocation n and all later ones failing, for n = 0, 1, ... until it needs no
/// more than n: each run must report DEW_NO_MEMORY, leak nothing and pass correct old sizes.
static inline void assert_survives_lack_of_memory(dew_TortureFn *work, void *context)
{
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        torture.keeps_failing = true;  // an arena tries a smaller block after a failure
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Status status = work(context, &allocator);
        bool has_failed = torture.calls > n;
        assert_int_equal(status.code, has_failed ? DEW_NO_MEMORY : DEW_OK);
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        if (!has_failed)
            return;
    }
}
