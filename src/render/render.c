// Definitions of pictures: defaults and checks.
#include "render/render.h"

#include "base/status.h"

#define COOKIE 0x44455752u

dew_RenderDef dew_default_render_def(void)
{
    return (dew_RenderDef){.samples = 64,
                           .max_samples = 4096,
                           .seed = 1,
                           .shutter_s = -1,
                           .engine = "ray",
                           .cookie = COOKIE};
}

dew_Status dew_render_def_check(const dew_RenderDef *def)
{
    if (def->cookie != COOKIE)
        return dew_fail(DEW_BAD_INPUT, "the render definition was not made by "
                                       "dew_default_render_def");
    if (def->width_px < 0 || def->height_px < 0 || def->width_px > 32768 ||
        def->height_px > 32768 || (def->width_px == 0) != (def->height_px == 0))
        return dew_fail(DEW_BAD_INPUT,
                        "a picture of %d by %d pixels is not possible (1 to 32768 each)",
                        def->width_px, def->height_px);
    if (def->noise == 0 && (def->samples < 1 || def->samples > 1 << 20))
        return dew_fail(DEW_BAD_INPUT, "samples: %d is not between 1 and %d", def->samples,
                        1 << 20);
    if (!(def->noise >= 0) || def->noise >= 1)
        return dew_fail(DEW_BAD_INPUT, "noise: %g is not between 0 and 1 (0.02 is smooth)",
                        def->noise);
    if (def->noise > 0 && (def->max_samples < 1 || def->max_samples > 1 << 20))
        return dew_fail(DEW_BAD_INPUT, "max_samples: %d is not between 1 and %d", def->max_samples,
                        1 << 20);
    return dew_ok();
}
