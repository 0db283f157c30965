// Defaults of render definitions.
#include "render/render.h"

#include "base/cookie.h"

#include <math.h>

dew_RenderDef dew_default_render_def(void)
{
    return (dew_RenderDef){.samples = 64,
                           .max_samples = 4096,
                           .seed = 1,
                           .shutter_s = -1,
                           .subject_min_m = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                           .subject_max_m = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
                           .engine = "ray",
                           .cookie = DEW_COOKIE};
}

dew_LiveDef dew_default_live_def(void)
{
    return (dew_LiveDef){.light_every = 2, .cookie = DEW_COOKIE};
}
