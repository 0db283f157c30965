/// Draws the progress of rendering on stderr, at most ten times a second.
#include "cli/render_progress.h"

#include "dew/text.h"
#include "support/system.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { CELLS = 30 };

void dew_render_bar_begin(dew_RenderBar *bar, int64_t image_count, bool is_quiet)
{
    double now_s = dew_app_wall_s();
    *bar = (dew_RenderBar){.image_count = image_count,
                           .image_wall_s = now_s,
                           .is_terminal = isatty(STDERR_FILENO) != 0,
                           .is_quiet = is_quiet,
                           .shown_wall_s = -HUGE_VAL};
    dew_progress_begin(&bar->progress, 0, now_s);
}

static void show(dew_RenderBar *bar, double now_s)
{
    char eta[32], cells[CELLS + 1];
    dew_format_duration(dew_progress_eta_s(&bar->progress), eta, sizeof eta);
    int filled = (int)(bar->progress.fraction * CELLS);
    for (int i = 0; i < CELLS; i++)
        cells[i] = i < filled ? '#' : '.';
    cells[CELLS] = 0;
    fprintf(stderr, "\r%3.0f %% %s  image %lld of %lld  ETA %s\x1b[K", 100 * bar->progress.fraction,
            cells, (long long)bar->image_index + 1, (long long)bar->image_count, eta);
    fflush(stderr);
    bar->is_shown = true;
    bar->shown_wall_s = now_s;
}

void dew_render_bar_update(dew_RenderBar *bar, double fraction)
{
    double now_s = dew_app_wall_s();
    double all = ((double)bar->image_index + fraction) / (double)bar->image_count;
    dew_progress_update(&bar->progress, all, now_s);
    if (bar->is_terminal && !bar->is_quiet && now_s - bar->shown_wall_s > DEW_PROGRESS_INTERVAL_S)
        show(bar, now_s);
}

void dew_render_bar_image(dew_RenderBar *bar, const char *path)
{
    double now_s = dew_app_wall_s();
    char took[32], eta[32], name[512];
    dew_utf8_show(path, name, sizeof name);
    double all = (double)(bar->image_index + 1) / (double)bar->image_count;
    dew_progress_update(&bar->progress, all, now_s);
    dew_format_duration(now_s - bar->image_wall_s, took, sizeof took);
    dew_format_duration(dew_progress_eta_s(&bar->progress), eta, sizeof eta);
    if (!bar->is_quiet && !bar->is_terminal)
        fprintf(stderr, "image %lld/%lld  %s  in %s  ETA %s\n", (long long)bar->image_index + 1,
                (long long)bar->image_count, name, took, eta);
    bar->image_index++;
    bar->image_wall_s = now_s;
}

void dew_render_bar_end(dew_RenderBar *bar)
{
    if (bar->is_shown)
        fputs("\r\x1b[K", stderr);
    bar->is_shown = false;
}
