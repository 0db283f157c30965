/// What rendering shows while it works: a bar on a terminal, a plain line per image elsewhere.
#pragma once

#include "support/progress.h"

typedef struct dew_RenderBar {
    dew_Progress progress;
    int64_t image_count, image_index;
    double image_wall_s;  // when this image began
    bool is_terminal, is_quiet, is_shown;
    double shown_wall_s;
} dew_RenderBar;

void dew_render_bar_begin(dew_RenderBar *bar, int64_t image_count, bool is_quiet);
/// A fraction of the present image is done.
void dew_render_bar_update(dew_RenderBar *bar, double fraction);
/// The present image is done and was written to `path`.
void dew_render_bar_image(dew_RenderBar *bar, const char *path);
void dew_render_bar_end(dew_RenderBar *bar);  // clears the bar from its line
