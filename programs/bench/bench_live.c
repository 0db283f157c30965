// Images of real time of a scene.
#include "bench/bench_live.h"

#include "bench/bench_world.h"

#include <math.h>
#include <stdio.h>

dew_Status dew_live_open(const dew_Scene *scene, int workers, int width_px, int height_px,
                         dew_Renderer **out)
{
    dew_RenderDef def = dew_default_render_def();
    def.engine = "gl";
    def.width_px = width_px;
    def.height_px = height_px;
    def.thread_count = workers;
    return dew_renderer_create(scene, &def, out);
}

dew_Status dew_live_draw(dew_Renderer *live, double time_s, const dew_Surface *surface,
                         int width_px, int height_px)
{
    dew_RenderFrame frame = {.time_s = time_s, .surface = surface};
    return dew_renderer_draw_gl(live, &frame, 0, width_px, height_px);
}

double dew_live_tell(dew_BenchRun *b, const dew_Renderer *live, const char *prefix, int frames,
                     const char *unit)
{
    dew_StageTime stages[DEW_BENCH_STAGES];
    int count = dew_renderer_stages(live, stages, DEW_BENCH_STAGES);
    double sum_s = 0;
    for (int i = 0; i < count; i++) {
        char name[80];
        sum_s += stages[i].cpu_s;
        snprintf(name, sizeof name, "%s%s", prefix, stages[i].name);
        dew_bench_cost(b, name, 1e3 * stages[i].cpu_s / frames, unit, (double)NAN);
    }
    return sum_s;
}
