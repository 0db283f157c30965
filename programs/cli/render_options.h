/// The options of `dew render` as values.
#pragma once

#include "cli/frame_range.h"
#include "dew/render.h"
#include "support/command.h"

typedef struct dew_RenderOptions {
    dew_RenderDef render;
    dew_FrameRange frames;
    bool is_quiet;
    double exposure_stops;  // 0: as it is
    double video_rate_Hz;   // 0: by the run's frame rate
    const char *output;     // NULL: a default
} dew_RenderOptions;

/// Reads and checks all of them; opens nothing.
dew_Status dew_render_options_read(const dew_Arguments *arguments, dew_RenderOptions *out);
