/// Images of real time of a scene, as `dew view` draws them, and what each stage of them costs.
#pragma once

#include "bench/bench.h"

/// Image stages of dew_renderer_stages.
enum { DEW_LIVE_LIGHTS = 2, DEW_LIVE_SOLIDS, DEW_LIVE_SIDES, DEW_LIVE_LIQUID };

/// Images drawn before others are measured: the first compiles shaders, the second finds the
/// background.
enum { DEW_LIVE_WARM_FRAMES = 2 };

/// A renderer with an OpenGL context of its own. DEW_UNSUPPORTED without OpenGL.
dew_Status dew_live_open(const dew_Scene *scene, int workers, int width_px, int height_px,
                         dew_Renderer **out);
/// Draws an image of that size to its end.
dew_Status dew_live_draw(dew_Renderer *live, double time_s, const dew_Surface *surface,
                         int width_px, int height_px);
/// Reports the CPU time of each stage per frame, its name after the prefix. Returns their sum of
/// all frames, in seconds.
double dew_live_tell(dew_BenchRun *b, const dew_Renderer *live, const char *prefix, int frames,
                     const char *unit);
