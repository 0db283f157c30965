// Runs: what they leave, how they resume, what they refuse.
#include "dew/run.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>

#include "base/testing.h"
#include "io/mesh_file.h"
#include "run/run_testing.h"
#include "world/sections.h"

static dew_Scene *make_scene(const char *text)
{
    dew_Scene *scene = NULL;
    dew_Status status = test_scene(text, NULL, &scene);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    return scene;
}

static dew_RunDef make_def(const char *directory, dew_Scene *scene)
{
    dew_RunDef def = dew_default_run_def();
    def.scene = scene;
    def.directory = directory;
    def.world.thread_count = 1;
    return def;
}

/// Makes the run of a def and executes it; how it ended.
static dew_Status execute(const dew_RunDef *def)
{
    dew_Run *run = NULL;
    DEW_TRY(dew_run_create(def, &run));
    dew_Status status = dew_run_execute(run);
    dew_run_destroy(run);
    return status;
}

static dew_Status run_text(const char *text, const char *directory, bool resume, double until_s)
{
    dew_Scene *scene = make_scene(text);
    dew_RunDef def = make_def(directory, scene);
    def.resume = resume;
    def.until_s = until_s;
    dew_Status status = execute(&def);
    dew_scene_destroy(scene);
    return status;
}

static char *path_in(const TestDirectory *directory, const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", directory->path, name);
    return path;
}

static char *read_text(const TestDirectory *directory, const char *name)
{
    static char text[1 << 20];
    int fd = open(path_in(directory, name), O_RDONLY);
    assert_true(fd >= 0);
    ssize_t size = read(fd, text, sizeof text - 1);
    assert_true(size >= 0);
    text[size] = '\0';
    close(fd);
    return text;
}

static int count_lines(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

static void overwrite_bytes(const char *path, off_t offset, const char *bytes)
{
    int fd = open(path, O_WRONLY);
    assert_true(fd >= 0);
    assert_true(pwrite(fd, bytes, strlen(bytes), offset) == (ssize_t)strlen(bytes));
    close(fd);
}

// ---- a whole run -------------------------------------------------------------------------------

static void a_run_leaves_what_the_contract_says(void **state)
{
    (void)state;
    TestDirectory d = test_directory();
    assert_ok(run_text(TEST_SHORT, d.path, false, (double)NAN));
    const char *report = read_text(&d, "run.json");
    assert_non_null(strstr(report, "\"status\": \"done\""));
    assert_non_null(strstr(report, "\"frames\": 11"));
    assert_non_null(strstr(report, "\"solver\": \"rigid\""));
    const char *drops = read_text(&d, "drops.csv");
    assert_ptr_equal(strstr(drops, "frame,time,id,parents,volume,area,center_x,"), drops);
    assert_non_null(strstr(drops, "\n10,0.1,"));
    const char *stats = read_text(&d, "stats.csv");
    assert_ptr_equal(strstr(stats, "step,time,dt,drops,volume,volume_error,area,kinetic_energy,"),
                     stats);
    assert_non_null(strstr(stats, ",bound,viscosity,retries,repairs,cpu_s\n"));
    assert_non_null(strstr(stats, ",frame,"));
    assert_non_null(strstr(stats, "\n0,0,0,2,"));  // the start is a row of its own
    assert_true(count_lines(stats) > 20);
    for (int k = 0; k <= 10; k++) {
        char name[64];
        snprintf(name, sizeof name, "frames/surface.%04d.ply", k);
        assert_true(dew_file_exists(path_in(&d, name)));
    }
    assert_false(dew_file_exists(path_in(&d, "frames/surface.0011.ply")));
    int count = 0;
    test_digest(d.path, &count);
    // scene.yaml, run.json, stats.csv, drops.csv, checkpoint, the floor
    assert_int_equal(count, 11 + 6);
    test_remove(d.path);
}

// scene.yaml of a run repeats the run.
static void its_scene_repeats_it(void **state)
{
    (void)state;
    TestDirectory a = test_directory(), b = test_directory();
    assert_ok(run_text(TEST_SHORT, a.path, false, (double)NAN));
    dew_Scene *scene = NULL;
    assert_ok(dew_scene_load(path_in(&a, "scene.yaml"), &scene));
    dew_RunDef def = make_def(b.path, scene);
    def.world.thread_count = 2;
    assert_ok(execute(&def));
    dew_scene_destroy(scene);
    assert_int_equal(test_hash_file(path_in(&a, "stats.csv"), 0),
                     test_hash_file(path_in(&b, "stats.csv"), 0));
    assert_int_equal(test_hash_file(path_in(&a, "checkpoint"), 0),
                     test_hash_file(path_in(&b, "checkpoint"), 0));
    test_remove(a.path);
    test_remove(b.path);
}

static void other_formats(void **state)
{
    (void)state;
    static const char *const formats[] = {"obj", "stl", "vtp"};
    for (int i = 0; i < 3; i++) {
        char text[4096], name[64];
        TestDirectory d = test_directory();
        snprintf(text, sizeof text, "%s", TEST_SHORT);
        char *output = strstr(text, "checkpoint_every: 0 s");
        memcpy(output, "surface: ", 9);
        memcpy(output + 9, formats[i], 3);
        memset(output + 12, ' ', 9);
        assert_ok(run_text(text, d.path, false, 0.02));
        snprintf(name, sizeof name, "frames/surface.0002.%s", formats[i]);
        assert_true(dew_file_exists(path_in(&d, name)));
        assert_int_equal(dew_file_exists(path_in(&d, "run.pvd")), i == 2);
        test_remove(d.path);
    }
}

// A solver's particles are a cloud of points with velocities, also where nothing else makes frames.
static void particles_are_written(void **state)
{
    (void)state;
    static const char *const formats[] = {"ply", "vtp"};
    for (int i = 0; i < 2; i++) {
        char text[512], name[64];
        TestDirectory d = test_directory();
        snprintf(text, sizeof text,
                 "solver: apic\ndimensions: 2\nduration: 2 ms\nframe_rate: 1000 Hz\n"
                 "output: {surface: none, particles: %s}\ndomain: {min: [-2 mm, -2 mm, -1 mm], "
                 "max: [2 mm, 2 mm, 1 mm], cell: 0.25 mm}\n"
                 "drops: [{shape: sphere, center: [0, 0, 0], radius: 1 mm, velocity: [0.1, 0, 0]}]",
                 formats[i]);
        assert_ok(run_text(text, d.path, false, (double)NAN));
        dew_Mesh mesh;
        dew_mesh_init(&mesh, NULL);
        snprintf(name, sizeof name, "frames/particles.0002.%s", formats[i]);
        dew_MeshLoadDef load = dew_default_mesh_load_def();
        assert_ok(dew_mesh_load(path_in(&d, name), &load, &mesh));
        assert_in_range(mesh.positions.count, 150, 250);  // 4 per cell on pi 4^2 cells
        const float *vx = dew_mesh_find_attribute(&mesh, "vx");
        for (int64_t n = 0; n < mesh.positions.count; n++)
            assert_true(fabs(DEW_ITEMS(&mesh.positions, dew_Vec3)[n].x) < 1.3e-3 &&
                        fabsf(vx[n] - 0.1F) < 0.03F);
        dew_mesh_deinit(&mesh);
        test_remove(d.path);
    }
}

static double stage_cpu_s(const dew_Run *run, const char *name)
{
    dew_StageTime stages[16];
    int count = dew_run_stages(run, stages, 16);
    assert_in_range(count, 1, 16);
    for (int s = 0; s < count; s++)
        if (strcmp(stages[s].name, name) == 0)
            return stages[s].cpu_s;
    fail_msg("no stage %s", name);
    return 0;
}

// With surface: none no surface is built, and no file encoded.
static void what_nobody_asks_for_is_not_made(void **state)
{
    (void)state;
    static const char *const made[] = {"surface", "normals and measures", "writing"};
    for (int is_none = 0; is_none < 2; is_none++) {
        char text[512];
        TestDirectory d = test_directory();
        snprintf(text, sizeof text,
                 "solver: splash\ndimensions: 2\nduration: 0.1 s\nframe_rate: 100 Hz\n"
                 "output: {surface: %s}\ndomain: {min: [0, 0, 0], max: [1, 1, 0.1], cell: 5 cm}\n"
                 "drops: [{shape: box, min: [0, 0, 0], max: [0.5, 0.5, 0.1]}]",
                 is_none ? "none" : "ply");
        dew_Scene *scene = make_scene(text);
        dew_RunDef def = make_def(d.path, scene);
        dew_Run *run = NULL;
        assert_ok(dew_run_create(&def, &run));
        assert_true(stage_cpu_s(run, "steps") == 0);
        dew_run_time_stages(run, true);
        assert_ok(dew_run_execute(run));
        assert_true(stage_cpu_s(run, "steps") > 0);
        for (int k = 0; k < 3; k++)
            assert_true((stage_cpu_s(run, made[k]) > 0) == !is_none);
        assert_true((stage_cpu_s(run, "crossings") > 0) <= !is_none);
        dew_run_destroy(run);
        dew_scene_destroy(scene);
        test_remove(d.path);
    }
}

// ---- what is refused ---------------------------------------------------------------------------

static void a_directory_with_a_run_is_refused(void **state)
{
    (void)state;
    TestDirectory d = test_directory();
    assert_ok(run_text(TEST_SHORT, d.path, false, 0.03));
    uint64_t digest = test_digest(d.path, NULL);
    dew_Status status = run_text(TEST_SHORT, d.path, false, (double)NAN);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "--overwrite"));
    assert_int_equal(test_digest(d.path, NULL), digest);
    // Another scene cannot continue from it either.
    status = run_text(TEST_ONE_BALL, d.path, true, (double)NAN);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "another scene"));
    assert_int_equal(test_digest(d.path, NULL), digest);
    test_remove(d.path);
}

static void overwrite_removes_only_what_runs_make(void **state)
{
    (void)state;
    TestDirectory d = test_directory(), fresh = test_directory();
    assert_ok(run_text(TEST_SHORT, d.path, false, (double)NAN));
    static const char *const mine[] = {"notes.txt", "frames/surface.ply", "frames/sketch.0001.ply"};
    for (int i = 0; i < 3; i++)
        close(open(path_in(&d, mine[i]), O_CREAT | O_WRONLY, 0600));
    dew_Scene *scene = make_scene(TEST_ONE_BALL);
    dew_RunDef def = make_def(d.path, scene);
    def.overwrite = true;
    assert_ok(execute(&def));
    def.directory = fresh.path;
    def.overwrite = false;
    assert_ok(execute(&def));
    dew_scene_destroy(scene);
    for (int i = 0; i < 3; i++) {
        assert_true(dew_file_exists(path_in(&d, mine[i])));
        unlink(path_in(&d, mine[i]));
    }
    assert_int_equal(test_digest(d.path, NULL), test_digest(fresh.path, NULL));
    test_remove(d.path);
    test_remove(fresh.path);
}

static void two_runs_do_not_share_a_directory(void **state)
{
    (void)state;
    TestDirectory d = test_directory();
    dew_Scene *scene = make_scene(TEST_SHORT);
    dew_RunDef def = make_def(d.path, scene);
    dew_Run *run = NULL, *other = NULL;
    assert_ok(dew_run_create(&def, &run));
    def.resume = true;
    dew_Status status = dew_run_create(&def, &other);
    assert_int_equal(status.code, DEW_BUSY);
    assert_null(other);
    assert_non_null(strstr(status.message, "another dew run is writing"));
    dew_run_destroy(run);
    assert_ok(execute(&def));
    dew_scene_destroy(scene);
    test_remove(d.path);
}

static void what_cannot_be_done_is_refused_before_writing(void **state)
{
    (void)state;
    TestDirectory d = test_directory();
    dew_Scene *scene = make_scene(TEST_ONE_BALL);
    dew_RunDef def = make_def(d.path, scene);
    def.until_s = (double)INFINITY;
    assert_int_not_equal(execute(&def).code, DEW_OK);
    def.until_s = 1e9;
    assert_int_equal(execute(&def).code, DEW_BAD_INPUT);
    dew_RunDef empty = {0};
    assert_int_equal(execute(&empty).code, DEW_BAD_INPUT);
    dew_scene_destroy(scene);
    int count = 0;
    test_digest(d.path, &count);
    assert_int_equal(count, 0);
    dew_Status status = run_text(TEST_ONE_BALL, "/dev/null/below", false, (double)NAN);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    test_remove(d.path);
}

// ---- resume ------------------------------------------------------------------------------------

typedef struct Stopper {
    bool stop;
    int64_t at_step;
} Stopper;

static void stop_at_step(void *context, const dew_RunProgress *progress)
{
    Stopper *stopper = context;
    if (progress->stats->step == stopper->at_step)
        stopper->stop = true;
}

static bool is_stopped(void *context)
{
    return ((const Stopper *)context)->stop;
}

// With an event that changes the scene's values, which scene.yaml has as they were at the start.
#define WITH_EVENT TEST_SHORT "events: [{kind: liquid, time: 20 ms, surface_tension: 50 mN/m}]\n"

// Stopped after any step, on a frame or between, and resumed: every file as if it had never
// stopped.
static void a_stopped_run_goes_on_as_if_it_had_not(void **state)
{
    (void)state;
    TestDirectory whole = test_directory();
    assert_ok(run_text(WITH_EVENT, whole.path, false, (double)NAN));
    uint64_t expected = test_digest(whole.path, NULL);
    dew_Scene *scene = make_scene(WITH_EVENT);
    for (int64_t step = 1; step < 40; step += 3) {
        TestDirectory d = test_directory();
        Stopper stopper = {.at_step = step};
        dew_RunDef def = make_def(d.path, scene);
        def.cancel = is_stopped;
        def.progress = stop_at_step;
        def.context = &stopper;
        assert_int_equal(execute(&def).code, DEW_INTERRUPTED);
        assert_non_null(strstr(read_text(&d, "run.json"), "\"status\": \"interrupted\""));
        stopper.at_step = -1;
        stopper.stop = false;
        def.resume = true;
        assert_ok(execute(&def));
        assert_int_equal(test_digest(d.path, NULL), expected);
        test_remove(d.path);
    }
    dew_scene_destroy(scene);
    test_remove(whole.path);
}

static void until_limits_and_extends(void **state)
{
    (void)state;
    TestDirectory whole = test_directory(), d = test_directory();
    assert_ok(run_text(TEST_SHORT, whole.path, false, (double)NAN));
    assert_ok(run_text(TEST_SHORT, d.path, false, 0.04));
    assert_false(dew_file_exists(path_in(&d, "frames/surface.0005.ply")));
    assert_ok(run_text(TEST_SHORT, d.path, true, (double)NAN));
    assert_int_equal(test_digest(d.path, NULL), test_digest(whole.path, NULL));
    test_remove(whole.path);
    test_remove(d.path);
}

static void a_finished_run_is_left_alone(void **state)
{
    (void)state;
    TestDirectory d = test_directory();
    assert_ok(run_text(TEST_SHORT, d.path, false, (double)NAN));
    struct stat before, after;
    assert_int_equal(stat(path_in(&d, "run.json"), &before), 0);
    for (int i = 0; i < 2; i++) {
        dew_Scene *scene = make_scene(TEST_SHORT);
        dew_RunDef def = make_def(d.path, scene);
        def.resume = true;
        def.until_s = i == 0 ? (double)NAN : 0.05;  // an earlier end changes nothing
        dew_Run *run = NULL;
        assert_ok(dew_run_create(&def, &run));
        assert_true(dew_run_is_done(run));
        assert_ok(dew_run_execute(run));
        dew_run_destroy(run);
        dew_scene_destroy(scene);
        assert_int_equal(stat(path_in(&d, "run.json"), &after), 0);
        assert_int_equal(before.st_ino, after.st_ino);
        assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    }
    test_remove(d.path);
}

/// A run that was killed after frame 6: destroyed without its end.
static void make_killed(const TestDirectory *d)
{
    dew_Scene *scene = make_scene(TEST_SHORT);
    dew_RunDef def = make_def(d->path, scene);
    dew_Run *run = NULL;
    bool is_done;
    assert_ok(dew_run_create(&def, &run));
    for (int i = 0; i < 6; i++)
        assert_ok(dew_run_advance(run, &is_done));
    assert_false(is_done);
    dew_run_destroy(run);
    dew_scene_destroy(scene);
}

static void a_damaged_checkpoint_falls_back_to_the_one_before(void **state)
{
    (void)state;
    TestDirectory whole = test_directory(), d = test_directory();
    assert_ok(run_text(TEST_SHORT, whole.path, false, (double)NAN));
    make_killed(&d);
    assert_true(dew_file_exists(path_in(&d, "checkpoint.old")));
    overwrite_bytes(path_in(&d, "checkpoint"), 200, "damage");
    assert_ok(run_text(TEST_SHORT, d.path, true, (double)NAN));
    assert_int_equal(test_digest(d.path, NULL), test_digest(whole.path, NULL));
    test_remove(d.path);

    d = test_directory();
    make_killed(&d);
    overwrite_bytes(path_in(&d, "checkpoint"), 200, "damage");
    overwrite_bytes(path_in(&d, "checkpoint.old"), 200, "damage");
    uint64_t digest = test_digest(d.path, NULL);
    dew_Status status = run_text(TEST_SHORT, d.path, true, (double)NAN);
    assert_int_equal(status.code, DEW_CORRUPT);
    assert_non_null(strstr(status.message, "checkpoint"));
    assert_int_equal(test_digest(d.path, NULL), digest);
    test_remove(d.path);
    test_remove(whole.path);
}

/// Another format version in the head, with the checksum that belongs to it.
static void set_version(const char *path, uint32_t version)
{
    uint8_t head[64] = {0};
    int fd = open(path, O_RDWR);
    assert_true(fd >= 0);
    assert_int_equal(pread(fd, head, sizeof head, 0), sizeof head);
    memcpy(head + 8, &version, sizeof version);
    memset(head + 56, 0, 8);
    uint64_t checksum = dew_hash(head, sizeof head, 0);
    memcpy(head + 56, &checksum, sizeof checksum);
    assert_int_equal(pwrite(fd, head, sizeof head, 0), sizeof head);
    close(fd);
}

// The user's to solve, so exit code 2: no damage, and the checkpoint before it would not be right.
static void a_checkpoint_of_another_version_is_refused(void **state)
{
    (void)state;
    static const struct {
        uint32_t version;
        const char *words;
    } cases[] = {{DEW_SECTIONS_VERSION + 1, "a newer version of Dew"},
                 {DEW_SECTIONS_OLDEST - 1, "an older version of Dew"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TestDirectory d = test_directory();
        make_killed(&d);
        set_version(path_in(&d, "checkpoint"), cases[i].version);
        uint64_t digest = test_digest(d.path, NULL);
        dew_Status status = run_text(TEST_SHORT, d.path, true, (double)NAN);
        assert_int_equal(status.code, DEW_BAD_INPUT);
        assert_non_null(strstr(status.message, cases[i].words));
        assert_non_null(strstr(status.message, "/checkpoint: the saved state has format"));
        assert_int_equal(test_digest(d.path, NULL), digest);
        test_remove(d.path);
    }
}

static void a_run_without_checkpoint_starts_again(void **state)
{
    (void)state;
    TestDirectory whole = test_directory(), d = test_directory();
    assert_ok(run_text(TEST_SHORT, whole.path, false, (double)NAN));
    make_killed(&d);
    unlink(path_in(&d, "checkpoint"));
    unlink(path_in(&d, "checkpoint.old"));
    close(open(path_in(&d, "frames/surface.0007.ply.part"), O_CREAT | O_WRONLY, 0600));
    struct stat before, after;
    assert_int_equal(stat(path_in(&d, "frames/surface.0005.ply"), &before), 0);
    assert_ok(run_text(TEST_SHORT, d.path, true, (double)NAN));
    assert_int_equal(stat(path_in(&d, "frames/surface.0005.ply"), &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);  // a frame is never touched again
    assert_int_equal(test_digest(d.path, NULL), test_digest(whole.path, NULL));
    test_remove(d.path);
    test_remove(whole.path);
}

static void changed_files_are_noticed(void **state)
{
    (void)state;
    TestDirectory d = test_directory();
    make_killed(&d);
    unlink(path_in(&d, "checkpoint.old"));
    const char *stats = read_text(&d, "stats.csv");
    off_t first_row = strchr(stats, '\n') + 1 - stats;
    overwrite_bytes(path_in(&d, "stats.csv"), first_row, "9");
    dew_Status status = run_text(TEST_SHORT, d.path, true, (double)NAN);
    assert_int_equal(status.code, DEW_CORRUPT);
    assert_non_null(strstr(status.message, "stats.csv"));
    test_remove(d.path);

    // A frame beyond the checkpoint that is not what the run makes: it stays, and the run says so.
    d = test_directory();
    make_killed(&d);
    int fd = open(path_in(&d, "frames/surface.0008.ply"), O_CREAT | O_WRONLY, 0600);
    assert_int_equal(write(fd, "mine", 4), 4);
    close(fd);
    status = run_text(TEST_SHORT, d.path, true, (double)NAN);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "surface.0008.ply"));
    assert_string_equal(read_text(&d, "frames/surface.0008.ply"), "mine");
    assert_non_null(strstr(read_text(&d, "run.json"), "\"status\": \"failed\""));
    test_remove(d.path);
}

// A run that diverges saves its last good state, says so, and can continue once the cause is gone.
static void a_failed_run_leaves_its_last_good_state(void **state)
{
    (void)state;
    TestDirectory whole = test_directory(), d = test_directory();
    assert_ok(run_text(TEST_ONE_BALL, whole.path, false, (double)NAN));
    dew_Scene *scene = make_scene(TEST_ONE_BALL);
    dew_RunDef def = make_def(d.path, scene);
    def.world.max_speed_m_s = 0.5;  // reached at 51 ms
    dew_Status status = execute(&def);
    assert_int_equal(status.code, DEW_DIVERGED);
    assert_non_null(strstr(status.message, "the checkpoint at t = 0.0"));
    assert_non_null(strstr(read_text(&d, "run.json"), "\"status\": \"failed\""));
    assert_non_null(strstr(read_text(&d, "run.json"), "speed of 0.5"));
    def.world.max_speed_m_s = 1000;
    def.resume = true;
    assert_ok(execute(&def));
    dew_scene_destroy(scene);
    assert_true(dew_file_exists(path_in(&d, "frames/surface.0010.ply")));
    test_remove(whole.path);
    test_remove(d.path);
}

// ---- memory ------------------------------------------------------------------------------------

// Every allocation failing in turn: a status, no leak, and a directory that can be resumed.
static void every_allocation_may_fail(void **state)
{
    (void)state;
    TestDirectory whole = test_directory();
    assert_ok(run_text(TEST_SHORT, whole.path, false, 0.03));
    dew_Scene *scene = make_scene(TEST_SHORT);
    int64_t n = 0;
    for (;; n++) {
        TestDirectory d = test_directory();
        dew_Torture torture = dew_torture(n);
        torture.keeps_failing = n % 2 == 0;
        dew_RunDef def = make_def(d.path, scene);
        def.until_s = 0.03;
        def.world.allocator = dew_torture_allocator(&torture);
        dew_Status status = execute(&def);
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        bool is_over = torture.calls <= n;
        if (status.code != DEW_OK) {
            assert_int_equal(status.code, DEW_NO_MEMORY);
            assert_ok(run_text(TEST_SHORT, d.path, true, 0.03));
        }
        assert_int_equal(test_digest(d.path, NULL), test_digest(whole.path, NULL));
        test_remove(d.path);
        if (is_over)
            break;
    }
    assert_true(n > 50);
    dew_scene_destroy(scene);
    test_remove(whole.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_leaves_what_the_contract_says),
        cmocka_unit_test(its_scene_repeats_it),
        cmocka_unit_test(other_formats),
        cmocka_unit_test(particles_are_written),
        cmocka_unit_test(what_nobody_asks_for_is_not_made),
        cmocka_unit_test(a_directory_with_a_run_is_refused),
        cmocka_unit_test(overwrite_removes_only_what_runs_make),
        cmocka_unit_test(two_runs_do_not_share_a_directory),
        cmocka_unit_test(what_cannot_be_done_is_refused_before_writing),
        cmocka_unit_test(a_stopped_run_goes_on_as_if_it_had_not),
        cmocka_unit_test(until_limits_and_extends),
        cmocka_unit_test(a_finished_run_is_left_alone),
        cmocka_unit_test(a_damaged_checkpoint_falls_back_to_the_one_before),
        cmocka_unit_test(a_checkpoint_of_another_version_is_refused),
        cmocka_unit_test(a_run_without_checkpoint_starts_again),
        cmocka_unit_test(changed_files_are_noticed),
        cmocka_unit_test(a_failed_run_leaves_its_last_good_state),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
