/// Draws the progress of a run on stderr, at most ten times a second, as wide as the terminal.
#include "cli/progress_bar.h"

#include "dew/text.h"
#include "support/stop.h"
#include "support/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void dew_progress_bar_begin(dew_ProgressBar *bar, bool is_quiet)
{
    *bar = (dew_ProgressBar){.is_terminal = isatty(STDERR_FILENO) != 0,
                             .is_quiet = is_quiet,
                             .first_step = -1,
                             .shown_wall_s = -(double)INFINITY};
}

/// "t 0.084/0.200 s  1.2k steps/s  3 drops  volume -1.2e-09  ETA 12 s"
static void describe(const dew_ProgressBar *bar, const dew_RunProgress *p, double wall_s, char *out,
                     size_t size)
{
    char eta[32], rate[32];
    dew_format_duration(dew_progress_eta_s(&bar->progress), eta, sizeof eta);
    double seconds = wall_s - bar->progress.begin_wall_s;
    double per_s = seconds > 0 ? (double)(p->stats->step - bar->first_step) / seconds : 0;
    snprintf(rate, sizeof rate, per_s >= 1000 ? "%.3gk" : "%.3g",
             per_s >= 1000 ? per_s / 1000 : per_s);
    snprintf(out, size, "t %.4g/%.4g s  %s steps/s  %lld drop%s  volume error %.1e  ETA %s",
             p->time_s, p->end_s, rate, (long long)p->stats->drops, p->stats->drops == 1 ? "" : "s",
             p->stats->volume_error, eta);
}

/// Block characters in eighths, so that even a narrow bar moves.
static void draw_bar(double fraction, int cells, char *out, size_t size)
{
    static const char *const eighths[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int filled = (int)(fraction * cells * 8);
    size_t used = 0;
    for (int i = 0; i < cells && used + 4 < size; i++) {
        int part = filled - 8 * i;
        const char *cell = part >= 8 ? "█" : eighths[part > 0 ? part : 0];
        used += (size_t)snprintf(out + used, size - used, "%s", cell);
    }
}

static void show_bar(dew_ProgressBar *bar, const dew_RunProgress *p, double wall_s)
{
    char text[256], blocks[256] = "";
    describe(bar, p, wall_s, text, sizeof text);
    int room = dew_app_terminal_width() - 10 -
               (int)strlen(text);  // "100 % ", two edges, a space, the cursor
    int cells = room > 40 ? 40 : room;
    if (cells < 4)
        cells = 0;
    draw_bar(bar->progress.fraction, cells, blocks, sizeof blocks);
    fprintf(stderr, "\r%3.0f %% %s%s%s %.*s\x1b[K", 100 * bar->progress.fraction, cells ? "▕" : "",
            blocks, cells ? "▏" : "", cells ? 256 : dew_app_terminal_width() - 8, text);
    fflush(stderr);
    bar->is_shown = true;
    bar->shown_wall_s = wall_s;
}

static void show_line(const dew_RunProgress *p)
{
    fprintf(stderr, "frame %lld/%lld  t %.6g s  step %lld  drops %lld  volume error %.1e\n",
            (long long)(p->frames - 1), (long long)(p->frame_count - 1), p->time_s,
            (long long)p->stats->step, (long long)p->stats->drops, p->stats->volume_error);
}

void dew_progress_bar_update(void *context, const dew_RunProgress *p)
{
    dew_ProgressBar *bar = context;
    double wall_s = dew_app_wall_s();
    double fraction = p->end_s > 0 ? p->time_s / p->end_s : 1;
    if (bar->first_step < 0) {
        bar->first_step = p->stats->step > 0 ? p->stats->step - 1 : 0;
        dew_progress_begin(&bar->progress, p->end_s > 0 ? p->begin_s / p->end_s : 1, wall_s);
    }
    dew_progress_update(&bar->progress, fraction, wall_s);
    if (bar->is_quiet)
        return;
    if (!bar->is_terminal && p->is_frame)
        show_line(p);
    bool is_due = wall_s - bar->shown_wall_s > DEW_PROGRESS_INTERVAL_S || p->time_s >= p->end_s;
    if (bar->is_terminal && is_due)
        show_bar(bar, p, wall_s);
}

void dew_progress_bar_end(dew_ProgressBar *bar)
{
    if (bar->is_shown)
        fputc('\n', stderr);
    bar->is_shown = false;
}

bool dew_progress_bar_cancel(void *context)
{
    (void)context;
    return dew_app_stop != 0;
}
