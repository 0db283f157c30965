/// Reads the options of `dew render`.
#include "cli/render_options.h"

#include "dew/units.h"

#include <limits.h>
#include <string.h>

static dew_Status read_size(const dew_Arguments *arguments, dew_RenderDef *def)
{
    const char *text = dew_option_value(arguments, "--size");
    if (!text)
        return dew_ok();
    const char *x = strchr(text, 'x');
    int64_t width = 0, height = 0;
    if (!x || !dew_whole_read(text, (size_t)(x - text), &width) ||
        !dew_whole_read(x + 1, strlen(x + 1), &height) || width < 1 || height < 1 ||
        width > INT_MAX || height > INT_MAX)
        return dew_fail(DEW_BAD_INPUT, "--size %s: not a size such as 1280x720", text);
    def->width_px = (int)width;
    def->height_px = (int)height;
    return dew_render_def_check(def);
}

static dew_Status read_real(const dew_Arguments *arguments, const char *name, double min,
                            double max, double *out)
{
    const char *text = dew_option_value(arguments, name);
    if (!text)
        return dew_ok();
    double value = 0;
    if (dew_quantity_parse(text, DEW_UNIT_NONE, &value).code != DEW_OK ||
        !(value >= min && value <= max))
        return dew_fail(DEW_BAD_INPUT, "%s %s: not a number from %g to %g", name, text, min, max);
    *out = value;
    return dew_ok();
}

/// A part of the brightness; the definition itself takes 0 for "no matter".
static dew_Status read_noise(const dew_Arguments *arguments, dew_RenderDef *def)
{
    DEW_TRY(read_real(arguments, "--noise", 0, 1, &def->noise));
    if (dew_option_given(arguments, "--noise") && !(def->noise > 0 && def->noise < 1))
        return dew_fail(DEW_BAD_INPUT, "--noise %s: not a number above 0 and below 1",
                        dew_option_value(arguments, "--noise"));
    return dew_render_def_check(def);
}

static dew_Status read_quality(const dew_Arguments *arguments, dew_RenderOptions *out)
{
    int64_t samples = out->render.samples, levels = 0, threads = 0;
    DEW_TRY(dew_option_integer(arguments, "--samples", 1, 1000000, &samples));
    DEW_TRY(read_noise(arguments, &out->render));
    DEW_TRY(dew_option_integer(arguments, "--subdivide", 0, 4, &levels));
    DEW_TRY(dew_option_integer(arguments, "--threads", 1, 1024, &threads));
    DEW_TRY(read_real(arguments, "--exposure", -20, 20, &out->exposure_stops));
    DEW_TRY(read_real(arguments, "--fps", 1, 1000, &out->video_rate_Hz));
    out->render.samples = (int)samples;
    if (dew_option_given(arguments, "--samples"))
        out->render.max_samples = (int)samples;
    out->render.thread_count = (int)threads;
    out->render.subdivision_levels = (int)levels;
    out->render.denoises = dew_option_given(arguments, "--denoise");
    return dew_ok();
}

dew_Status dew_render_options_read(const dew_Arguments *arguments, dew_RenderOptions *out)
{
    *out = (dew_RenderOptions){.render = dew_default_render_def()};
    const char *engine = dew_option_value(arguments, "--engine");
    if (engine) {
        out->render.engine = engine;
        DEW_TRY(dew_render_def_check(&out->render));
    }
    DEW_TRY(dew_frame_range_read(arguments, "--frame", &out->frames));
    DEW_TRY(read_size(arguments, &out->render));
    DEW_TRY(read_quality(arguments, out));
    out->is_quiet = dew_option_given(arguments, "--quiet");
    out->output = dew_option_value(arguments, "--output");
    if (out->output && dew_image_format_of_name(out->output) == DEW_IMAGE_UNKNOWN &&
        !dew_video_is_name(out->output))
        return dew_fail(DEW_BAD_INPUT,
                        "%s: images are written as .png or .exr, videos as .mp4, .mov, .mkv or "
                        ".webm",
                        out->output);
    return dew_ok();
}
