// A run directory from code: simulated with progress, cancelled half-way, resumed, read back and
// plotted.
#include <dew/dew.h>

#include <math.h>
#include <stdio.h>

#define DIRECTORY "run_directory_example"

static dew_Status build(dew_Scene **scene)
{
    dew_SceneDef def = dew_default_scene_def();
    def.title = "A drop that spreads";
    def.solver = "surface";
    def.duration_s = 0.02;
    def.frame_rate_Hz = 500;
    def.domain.min_m = (dew_Vec3){-5e-3, 0, -5e-3};
    def.domain.max_m = (dew_Vec3){5e-3, 6e-3, 5e-3};
    def.domain.cell_m = 0.4e-3;
    def.domain.wall_material[DEW_SIDE_FLOOR] = "glass";
    DEW_TRY(dew_scene_create(&def, NULL, scene));

    dew_MaterialDef glass = dew_default_material_def();
    glass.advancing_rad = glass.wet_advancing_rad = DEW_DEG(70);
    glass.receding_rad = DEW_DEG(50);
    DEW_TRY(dew_scene_add_material(*scene, "glass", &glass));

    dew_DropDef cap = dew_default_drop_def(DEW_DROP_CAP);
    cap.normal = (dew_Vec3){0, 1, 0};
    cap.volume_m3 = 10e-9;
    cap.angle_rad = DEW_DEG(110);
    DEW_TRY(dew_scene_add_drop(*scene, &cap));
    return dew_scene_check(*scene);
}

// ---- simulate ----------------------------------------------------------------------------------

typedef struct Watch {
    int64_t frames;
    double cancel_at_s;
    double time_s;
} Watch;

static void on_progress(void *context, const dew_RunProgress *progress)
{
    Watch *watch = context;
    watch->frames += progress->is_frame;
    watch->time_s = progress->time_s;
}

static bool is_cancelled(void *context)
{
    const Watch *watch = context;
    return watch->time_s >= watch->cancel_at_s;
}

// One run segment: to the end, or until the callback cancels it. Both leave a directory that can be
// resumed.
static dew_Status simulate(dew_Scene *scene, bool resume, double cancel_at_s)
{
    Watch watch = {.cancel_at_s = cancel_at_s};
    dew_RunDef def = dew_default_run_def();
    dew_Run *run = NULL;
    def.scene = scene;
    def.directory = DIRECTORY;
    def.resume = resume;
    def.overwrite = !resume;
    def.progress = on_progress;
    def.cancel = is_cancelled;
    def.context = &watch;
    DEW_TRY(dew_run_create(&def, &run));
    dew_Status status = dew_run_execute(run);
    printf("%s at %.0f ms, %lld frames in this segment; can be resumed at %.0f ms\n",
           status.code == DEW_INTERRUPTED ? "cancelled" : "ended",
           1e3 * dew_world_time_s(dew_run_world(run)), (long long)watch.frames,
           1e3 * dew_run_checkpoint_s(run));
    dew_run_destroy(run);
    return status;
}

// ---- read back ---------------------------------------------------------------------------------

static dew_Status print_frames(dew_RunReader *reader, dew_Surface *surface)
{
    for (int64_t i = 0; i < dew_run_reader_frame_count(reader); i += 5) {
        int64_t frame = dew_run_reader_frame(reader, i);
        DEW_TRY(dew_run_reader_surface(reader, frame, surface));
        printf("frame %lld at %.0f ms: %.1f mm^3, %.1f mm^2 of the glass are wet\n",
               (long long)frame, 1e3 * dew_run_reader_time_s(reader, frame),
               1e9 * dew_surface_volume_m3(surface),
               1e6 * dew_surface_contact_line(surface).wet_area_m2);
    }
    return dew_ok();
}

static dew_Status read_back(dew_RunReader **reader, dew_Surface **surface)
{
    const double *error;
    int64_t rows;
    double largest = 0;
    dew_RunReaderDef def = dew_default_run_reader_def();
    def.directory = DIRECTORY;
    DEW_TRY(dew_run_reader_create(&def, reader));
    DEW_TRY(dew_surface_create(NULL, surface));
    const dew_RunSummary *summary = dew_run_reader_summary(*reader);
    printf("run.json: %s, %lld frames by solver %s\n",
           summary->state == DEW_RUN_DONE ? "done" : "not done", (long long)summary->frames,
           summary->solver);
    DEW_TRY(print_frames(*reader, *surface));
    DEW_TRY(dew_run_reader_column(*reader, DEW_RUN_STATS, "volume_error", &error, &rows));
    for (int64_t i = 0; i < rows; i++)
        largest = fmax(largest, fabs(error[i]));
    printf("volume error %s 0.1 %%\n", largest < 1e-3 ? "below" : "above");
    return dew_ok();
}

static dew_Status work(dew_Scene *scene, dew_RunReader **reader, dew_Surface **surface)
{
    dew_Status status = simulate(scene, false, 0.009);
    if (status.code != DEW_INTERRUPTED)
        return status.code == DEW_OK ? dew_fail(DEW_DIVERGED, "the run was not cancelled") : status;
    DEW_TRY(simulate(scene, true, INFINITY));
    DEW_TRY(read_back(reader, surface));
    status = dew_run_plot(DIRECTORY, DIRECTORY "/plot.svg");
    if (status.code == DEW_UNSUPPORTED)  // without gnuplot there is no plot, and all else works
        status = dew_ok();
    return status;
}

int main(void)
{
    dew_Scene *scene = NULL;
    dew_RunReader *reader = NULL;
    dew_Surface *surface = NULL;
    dew_Status status = build(&scene);
    if (status.code == DEW_OK)
        status = work(scene, &reader, &surface);
    if (status.code != DEW_OK)
        fprintf(stderr, "run_directory: %s\n", status.message);
    dew_surface_destroy(surface);
    dew_run_reader_destroy(reader);
    dew_scene_destroy(scene);
    return status.code == DEW_OK ? 0 : 1;
}
