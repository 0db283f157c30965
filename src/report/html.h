/// One self-contained HTML page of a run: parameters, curves, images, timings.
#pragma once

#include "base/arena.h"
#include "base/text.h"
#include "dew/scene.h"

/// Reads the run directory (scene.yaml, run.json, stats.csv, drops.csv, images/) and appends the
/// page. Everything is inside it: it can be mailed, and needs no network. A table or image that
/// is not there is left out; without gnuplot the page says so in the place of the curves. `scene`
/// is that of scene.yaml.
dew_Status dew_report_html(const char *directory, const dew_Scene *scene, dew_Arena *scratch,
                           dew_Text *out);
