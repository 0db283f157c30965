// Remeshing a drop: splits that would have no end are noticed in the pass in which they begin.
#include "solvers/surface/drop_testing.h"
#include "solvers/surface/surface_state.h"

#define RADIUS_M 2.5e-3

static void open_plate(dew_TestDrop *t)
{
    static const dew_SolverTraits *const list[] = {&dew_surface_solver_traits};
    static const char text[] =
        "solver: surface\n"
        "domain: {min: [-10 mm, -10 mm, -10 mm], max: [10 mm, 10 mm, 10 mm], cell: 0.3 mm}\n"
        "materials: {m: {}}\n"
        "solids: [{shape: box, center: [0, 0, 0], size: [12 mm, 2 mm, 12 mm], material: m}]\n"
        "drops: [{shape: sphere, center: [0, 5 mm, 0], radius: 1 mm}]\n";
    dew_SceneLoadDef def = dew_default_scene_load_def();
    def.path = "test.yaml";
    def.text = text;
    def.text_size = strlen(text);
    assert_ok(dew_scene_read(&def, (dew_SolverList){list, 1}, &t->scene));
    dew_ProblemDef problem_def = {0};
    assert_ok(dew_problem_create(t->scene, &problem_def, &t->problem));
    t->params = (dew_SurfaceSolverParams){
        .problem = t->problem, .rho_kg_m3 = 998, .sigma_N_m = 0.073, .edge_m = 0.3e-3};
    assert_ok(dew_drop_work_init(&t->work, NULL));
    t->work.instant = (dew_Instant){.poses = NULL};
}

/// Remeshes a ball with edges twice as long as wanted. is_astride: about a corner of the plate, and
/// all of its vertices put on the plate. An edge between two of its sides goes through the plate,
/// and a split leaves one that does so too.
static dew_Status resample_ball(bool is_astride, int64_t *before, int64_t *after)
{
    dew_TestDrop t = {0};
    dew_Mesh mesh;
    dew_DropStore others;
    open_plate(&t);
    dew_SolidPose pose = {.rotation = dew_rotation_identity()};
    dew_mesh_init(&mesh, NULL);
    dew_drop_store_init(&others, NULL);
    assert_ok(dew_shape_sphere(RADIUS_M, 0.6e-3, &mesh));
    test_drop_load(&t, &mesh, is_astride ? dew_vec(6e-3, 1e-5, 6e-3) : dew_vec(0, 6e-3, 0));
    t.work.instant.poses = &pose;
    for (int64_t i = 0; i < t.work.n && is_astride; i++) {
        t.work.label[i] = DEW_LABEL_TOUCHING | DEW_LABEL_CONTACT_LINE;
        dew_drop_project(&t.work, t.work.label[i], &t.work.x[i]);
    }
    *before = t.work.n;
    dew_Status status = dew_drop_resample(&t.work, &others);
    *after = t.work.positions.count;
    dew_drop_store_deinit(&others);
    dew_mesh_deinit(&mesh);
    test_drop_close(&t);
    return status;
}

static void splits_without_end_are_noticed(void **state)
{
    (void)state;
    int64_t before, after;
    dew_Status status = resample_ball(true, &before, &after);
    assert_int_equal(after,
                     4 * before);  // the three operations per vertex of a pass, splits all of them
    assert_int_equal(status.code, DEW_DIVERGED);
}

/// In the air the same pass makes four times as many vertices, too, which is what half the edge
/// length asks for.
static void splits_that_are_wanted_are_not_taken_for_it(void **state)
{
    (void)state;
    int64_t before, after;
    assert_ok(resample_ball(false, &before, &after));
    assert_int_equal(after, 4 * before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_without_end_are_noticed),
        cmocka_unit_test(splits_that_are_wanted_are_not_taken_for_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
