// The table of engines, one line each, and the check of render definitions.
#include "world/render_table.h"

#include "base/status.h"
#include "dew/text.h"
#include "render/gl/gl.h"
#include "render/ray/ray.h"

#include <string.h>

enum { MAX_SIDE_PX = 32768, MAX_SAMPLES = 1 << 20, MAX_LEVELS = 4 };

static const dew_RenderEngine *const engines[] = {&dew_ray_engine, &dew_gl_engine};
enum { ENGINE_COUNT = sizeof engines / sizeof engines[0] };

const dew_RenderEngine *dew_render_engine(const char *name)
{
    for (int i = 0; i < ENGINE_COUNT; i++)
        if (name && strcmp(engines[i]->name, name) == 0)
            return engines[i];
    return NULL;
}

static dew_Status check_engine(const char *name)
{
    static const char *const names[] = {"ray", "gl"};
    if (dew_render_engine(name))
        return dew_ok();
    const char *nearest = name ? dew_nearest_name(name, names, ENGINE_COUNT) : NULL;
    if (nearest)
        return dew_fail(DEW_BAD_INPUT, "there is no engine %s (did you mean %s?)", name, nearest);
    return dew_fail(DEW_BAD_INPUT, "there is no engine %s (ray and gl are)", name ? name : "NULL");
}

static bool is_side(int px)
{
    return px > 0 && px <= MAX_SIDE_PX;
}

dew_Status dew_render_def_check(const dew_RenderDef *def)
{
    if (def->cookie != dew_default_render_def().cookie)
        return dew_fail(DEW_BAD_INPUT, "the render definition was not made by "
                                       "dew_default_render_def");
    DEW_TRY(check_engine(def->engine));
    bool is_camera_size = def->width_px == 0 && def->height_px == 0;
    if (!is_camera_size && (!is_side(def->width_px) || !is_side(def->height_px)))
        return dew_fail(DEW_BAD_INPUT, "an image of %d by %d pixels is not possible (1 to %d each)",
                        def->width_px, def->height_px, MAX_SIDE_PX);
    if (def->noise == 0 && (def->samples < 1 || def->samples > MAX_SAMPLES))
        return dew_fail(DEW_BAD_INPUT, "samples: %d is not between 1 and %d", def->samples,
                        MAX_SAMPLES);
    if (!(def->noise >= 0) || def->noise >= 1)
        return dew_fail(DEW_BAD_INPUT, "noise: %g is not between 0 and 1 (0.02 is smooth)",
                        def->noise);
    if (def->noise > 0 && (def->max_samples < 1 || def->max_samples > MAX_SAMPLES))
        return dew_fail(DEW_BAD_INPUT, "max_samples: %d is not between 1 and %d", def->max_samples,
                        MAX_SAMPLES);
    if (def->subdivision_levels < 0 || def->subdivision_levels > MAX_LEVELS)
        return dew_fail(DEW_BAD_INPUT, "subdivision_levels: %d is not between 0 and %d",
                        def->subdivision_levels, MAX_LEVELS);
    return dew_ok();
}
