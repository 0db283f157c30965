/// For tests of programs: cmocka with the headers it needs, and assertions that tests share.
#pragma once

#include "dew/base.h"

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
