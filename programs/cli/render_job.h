/// The work of `dew render`: images of a run's frames or of a scene's first instant, to files.
#pragma once

#include "cli/render_options.h"
#include "dew/scene.h"

#include <signal.h>

typedef struct dew_RenderJob {
    const dew_RenderOptions *options;
    const dew_Scene *scene;
    const char *directory;              // of the run; NULL: the scene's first instant
    const char *stem;                   // names the image of a scene
    const volatile sig_atomic_t *stop;  // not zero: give up
} dew_RenderJob;

/// Draws and writes all images, and prints the names of the files on stdout.
dew_Status dew_render_job_run(const dew_RenderJob *job);
