// What the output of a run costs beside its steps: bundled scenes run into a directory with their
// default output, and with output.surface: none.
//
// CPU time of the process, by stage. Frame 0 and the reading of the scene are not measured.
// "other" is what no stage claims: progress, the list of files. Goals: three quarters of the CPU
// time in steps with the default output, 95 % without a surface, for the two scenes of cheap steps.
#include "bench/bench_world.h"
#include "bench/benches.h"
#include "support/bundled.h"
#include "support/system.h"

#include <math.h>
#include <stdio.h>

typedef struct Case {
    const char *scene;
    double until_s;  // NaN: to its end
    bool has_goal;   // its steps are cheap
} Case;

static const Case cases[] = {{"dam_break", (double)NAN, true},
                             {"pool", (double)NAN, true},
                             {"drop_impact", 0.004, false},
                             {"window", 0.5, false}};

static dew_Status load(const char *name, bool is_plain, dew_Scene **out)
{
    static const char *const no_surface = "output.surface=none";
    dew_SceneLoadDef def = dew_default_scene_load_def();
    dew_StringPool pool = {0};
    dew_Status status = dew_bundled_path(&pool, name, &def.path);
    def.overrides = &no_surface;
    def.override_count = is_plain ? 1 : 0;
    if (status.code == DEW_OK)
        status = dew_scene_load_with(&def, out);
    dew_pool_deinit(&pool);
    return status;
}

static void tell(dew_BenchRun *b, const Case *c, bool is_plain, const dew_Run *run, double cpu_s)
{
    char name[80];
    const char *how = is_plain ? ", surface: none" : "";
    dew_StageTime stages[DEW_BENCH_STAGES];
    int count = dew_run_stages(run, stages, DEW_BENCH_STAGES);
    double frames = (double)(dew_run_frames(run) - 1), other_s = cpu_s, steps_s = 0;
    for (int s = 0; s < count; s++) {
        other_s -= stages[s].cpu_s;
        steps_s += stages[s].is_solver ? stages[s].cpu_s : 0;
        if (!(stages[s].cpu_s > 0))
            continue;
        snprintf(name, sizeof name, "%s%s: %s", c->scene, how, stages[s].name);
        dew_bench_cost(b, name, 1e3 * stages[s].cpu_s / frames, "ms CPU per frame", (double)NAN);
    }
    snprintf(name, sizeof name, "%s%s: other", c->scene, how);
    dew_bench_cost(b, name, 1e3 * other_s / frames, "ms CPU per frame", (double)NAN);
    snprintf(name, sizeof name, "%s%s: share of steps", c->scene, how);
    double goal = is_plain ? 95 : 75;
    dew_bench_rate(b, name, 100 * steps_s / cpu_s, "%", c->has_goal ? goal : (double)NAN);
}

static dew_Status simulate(dew_BenchRun *b, const Case *c, bool is_plain, const dew_RunDef *def)
{
    dew_Run *run;
    DEW_TRY(dew_run_create(def, &run));
    dew_run_time_stages(run, true);
    double cpu_s = dew_app_cpu_s();
    dew_Status status = dew_run_execute(run);
    cpu_s = dew_app_cpu_s() - cpu_s;
    if (status.code == DEW_OK)
        tell(b, c, is_plain, run, cpu_s);
    dew_run_destroy(run);
    return status;
}

static dew_Status run_case(dew_BenchRun *b, const Case *c, bool is_plain, const char *directory)
{
    dew_RunDef def = dew_default_run_def();
    DEW_TRY(load(c->scene, is_plain, &def.scene));
    def.directory = directory;
    def.overwrite = true;
    def.until_s = c->until_s;
    def.world.thread_count = dew_tasks_worker_count(b->tasks);
    dew_Status status = simulate(b, c, is_plain, &def);
    dew_scene_destroy(def.scene);
    return status;
}

static dew_Status run(dew_BenchRun *b)
{
    char directory[DEW_TEMPORARY_SIZE];
    dew_Status status = dew_app_make_temporary(directory);
    for (size_t k = 0; status.code == DEW_OK && k < 2 * sizeof cases / sizeof cases[0]; k++)
        status = run_case(b, &cases[k / 2], k % 2 == 1, directory);
    dew_app_remove_tree(directory);
    return status;
}

const dew_Bench dew_bench_output = {"output", "what output costs beside the steps, by stage", run};
