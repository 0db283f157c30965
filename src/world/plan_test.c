// The plan: counts in closed form, errors that say what would fit, frames without drift.
#include "base/file.h"
#include "world/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/testing.h"
#include "world/frames.h"
#include "world/solver_table.h"
#include "world/world_testing.h"

static dew_Status plan_of(const char *text, dew_Plan *plan)
{
    dew_Scene *scene = NULL;
    dew_Status status = test_scene(text, NULL, &scene);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    status = dew_plan_make(scene, plan);
    dew_scene_destroy(scene);
    return status;
}

#define DOMAIN "domain: {min: [0, 0, 0], max: [16 mm, 8 mm, 12 mm], cell: 0.25 mm}\n"
#define DROP   "drops: [{shape: sphere, center: [8 mm, 4 mm, 6 mm], radius: 2 mm}]\n"

static void cells_follow_from_the_domain(void **state)
{
    (void)state;
    dew_Plan plan;
    assert_int_equal(plan_of("solver: splash\n" DOMAIN DROP, &plan).code, DEW_OK);
    assert_true(plan.cells[0] == 64 && plan.cells[1] == 32 && plan.cells[2] == 48);
    assert_true(plan.stored_elements == 64 * 32 * 48);  // elements are cells of liquid
    assert_true(fabs(plan.elements - 4.0 / 3.0 * DEW_PI * 512) < 1e-9 * plan.elements);
    assert_true(plan.bricks == 8 * 4 * 6);
    assert_true(plan.is_in_build);
    assert_int_equal(plan_of("solver: splash\ndimensions: 2\n" DOMAIN DROP, &plan).code, DEW_OK);
    assert_true(plan.stored_elements == 64 * 32);
    assert_int_equal(plan_of("solver: shallow\ndimensions: 2\n" DOMAIN DROP, &plan).code, DEW_OK);
    assert_true(plan.elements == 64 * 48);
}

// A sparse solver needs bricks around the drop only: more than the drop's cells, less than the
// domain.
static void sparse_solvers_count_what_is_near(void **state)
{
    (void)state;
    dew_Plan plan;
    assert_int_equal(
        plan_of("solver: volume\ndomain: {min: [0, 0, 0], max: [1, 1, 1], cell: 0.25 mm}\n" DROP,
                &plan)
            .code,
        DEW_OK);
    double drop_cells = 4.0 / 3.0 * DEW_PI * 512;
    assert_true(fabs(plan.liquid_cells - drop_cells) < 1e-9 * drop_cells);
    assert_true(plan.elements > drop_cells && plan.elements < 30 * drop_cells);
    assert_true(plan.elements == 512 * plan.bricks);
    assert_int_equal(plan_of("solver: surface\n" DOMAIN DROP, &plan).code, DEW_OK);
    // 4 pi R^2 over equilateral triangles of edge h: 4 pi 64 / (sqrt(3) / 4) = 1857.3.
    assert_true(plan.elements == 1858);
    assert_true(plan.bricks == 0);
}

static void step_limits_are_those_of_the_books(void **state)
{
    (void)state;
    dew_Plan plan;
    assert_int_equal(
        plan_of(
            "solver: volume\ngravity: [0, 0, 0]\nduration: 1 s\nframe_rate: 10 Hz\n"
            "liquid: {density: 1000 kg/m^3, viscosity: 1 mPa s, surface_tension: 70 mN/m}\n" DOMAIN
                DROP,
            &plan)
            .code,
        DEW_OK);
    double h = 0.25e-3;
    assert_true(fabs(plan.capillary_step_s - sqrt(1000 * h * h * h / (2 * DEW_PI * 0.07))) < 1e-15);
    assert_true(isinf(plan.cfl_step_s));  // nothing moves
    assert_string_equal(plan.bound, "capillary");
    assert_true(plan.frame_count == 11);
    assert_int_equal(plan_of("solver: rigid\nduration: 1 s\n"
                             "domain: {min: [0, 0, 0], max: [1, 2, 1], cell: 1 mm}\n" DROP,
                             &plan)
                         .code,
                     DEW_OK);
    assert_true(fabs(plan.speed_m_s - sqrt(2 * 9.81 * 2)) < 1e-12);
    assert_true(fabs(plan.cfl_step_s - 1e-3 / plan.speed_m_s) < 1e-15);
    assert_true(plan.is_in_build);
    assert_true(plan.elements == 1);
}

static dew_World *world_of(const char *text, dew_Scene **scene)
{
    dew_Status status = test_scene(text, NULL, scene);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = 1;
    dew_World *world = NULL;
    status = dew_world_create(*scene, &def, &world);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    return world;
}

static dew_Plan counted(const char *text)
{
    dew_Scene *scene = NULL;
    dew_Plan plan;
    dew_World *world = world_of(text, &scene);
    assert_int_equal(dew_plan_make(scene, &plan).code, DEW_OK);
    assert_true(dew_plan_is_countable(&plan));
    dew_plan_count(&plan, world);
    dew_world_destroy(world);
    dew_scene_destroy(scene);
    return plan;
}

// Honey as thick as tar in splash: explicit viscosity allows h^2 / (6 nu) a part, 0.95 of it, and
// four parts a step.
static void steps_are_those_of_the_solver(void **state)
{
    (void)state;
    dew_Plan plan =
        counted("solver: splash\nduration: 0.1 s\nframe_rate: 10 Hz\n" DOMAIN DROP
                "liquid: {density: 1000 kg/m^3, viscosity: 1000 Pa s, surface_tension: 0 mN/m}\n");
    double h = 0.25e-3, step = 4 * 0.95 * h * h / 6;
    assert_string_equal(plan.bound, "viscosity");
    assert_true(fabs(plan.step_count - 0.1 / step) < 2);
    assert_true(plan.cpu_s > 0);
    // Tension in volume: its factor of the capillary limit counts.
    plan = counted(
        "solver: volume\nduration: 0.1 s\nframe_rate: 10 Hz\ngravity: [0, 0, 0]\n" DOMAIN DROP
        "liquid: {density: 1000 kg/m^3, viscosity: 1 mPa s, surface_tension: 70 mN/m}\n"
        "volume: {tension_factor: 0.5}\n");
    double capillary = 0.5 * sqrt(1000 * h * h * h / (2 * DEW_PI * 0.07));
    assert_string_equal(plan.bound, "capillary");
    assert_true(plan.step_count == ceil(0.1 / capillary));
    assert_true(plan.elements == 512 * plan.bricks);
}

// A pond of 4.8 m^3 by its box, of which the domain has 0.2 m^3.
static void liquid_is_what_the_domain_has(void **state)
{
    (void)state;
    dew_Plan plan =
        counted("solver: shallow\ndimensions: 2\n"
                "domain: {min: [0, 0, 0], max: [1, 1, 1], cell: 0.1, walls: {others: bed}}\n"
                "materials: {bed: {angle: 90 deg}}\n"
                "drops: [{shape: box, min: [-1, -1, -1], max: [1, 0.2, 1]}]\n");
    assert_true(fabs(plan.shapes_m3 - 4.8) < 1e-12);
    assert_true(fabs(plan.liquid_m3 - 0.2) < 1e-12);
    char text[2048];
    dew_plan_text(&plan, text, sizeof text);
    assert_non_null(strstr(text, "2e+08 mm^3 at the start"));
    assert_non_null(strstr(text, "(of 4.8e+09 mm^3"));
}

static void times_are_told_in_fitting_units(void **state)
{
    (void)state;
    static const struct {
        double s;
        const char *text;
    } cases[] = {{0.234, "about 0.2 s"},   {1.26, "about 1.3 s"}, {119.4, "about 119 s"},
                 {240, "about 4 min"},     {7300, "about 2 h"},   {3 * 86400.0, "about 3 days"},
                 {1e9, "about 11574 days"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[32];
        dew_plan_time_text(cases[i].s, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void sources_count(void **state)
{
    (void)state;
    dew_Plan plan;
    assert_int_equal(
        plan_of(
            "solver: rigid\nduration: 1 s\n" DOMAIN
            "sources: [{shape: drip, at: [0, 0, 0], radius: 1 mm, every: 0.1 s, stop: 0.5 s}]\n",
            &plan)
            .code,
        DEW_OK);
    assert_true(plan.elements == 5);
    double expected = 5 * 4.0 / 3.0 * DEW_PI * 1e-9;
    assert_true(fabs(plan.supplied_m3 - expected) < 1e-12 * expected);
    assert_true(plan.liquid_m3 == 0);
}

// What does not fit is refused, and the cell that is offered does fit.
static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    dew_Plan plan;
    dew_Status status = plan_of("solver: splash\n"
                                "domain: {min: [0, 0, 0], max: [1, 1, 1], cell: 20 um}\n"
                                "drops: [{shape: sphere, center: [0.5, 0.5, 0.5], radius: 1 mm}]\n",
                                &plan);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "scene.yaml:2: domain.cell: 1.25e+14 cells need"));
    assert_non_null(strstr(status.message, "would fit"));
    assert_false(plan.fits);
    assert_true(plan.fitting_cell_m > 2e-5 && plan.fitting_cell_m < 0.1);
    char text[512];
    snprintf(text, sizeof text,
             "solver: splash\ndomain: {min: [0, 0, 0], max: [1, 1, 1], cell: %.17g}\n"
             "drops: [{shape: sphere, center: [0.5, 0.5, 0.5], radius: 0.1}]\n",
             1.1 * plan.fitting_cell_m);  // memory that can be had changes by the second
    assert_int_equal(plan_of(text, &plan).code, DEW_OK);
}

static void the_text_is_whole_and_bounded(void **state)
{
    (void)state;
    dew_Plan plan;
    char text[2048], small[40];
    assert_int_equal(plan_of("solver: splash\n" DOMAIN DROP, &plan).code, DEW_OK);
    size_t length = dew_plan_text(&plan, text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_non_null(strstr(text, "64 x 32 x 48 cells"));
    assert_non_null(strstr(text, "frames"));
    assert_int_equal(plan_of("solver: volume\noutput: {particles: ply}\n" DOMAIN DROP, &plan).code,
                     DEW_OK);
    assert_int_equal(plan.missing.code, DEW_UNSUPPORTED);  // what its solver is to do one day
    dew_plan_text(&plan, text, sizeof text);
    assert_non_null(strstr(text, "does not take output.particles"));
    assert_int_equal(plan_of("solver: splash\n" DOMAIN DROP, &plan).code, DEW_OK);
    dew_plan_text(&plan, text, sizeof text);
    assert_true(dew_plan_text(&plan, small, sizeof small) < sizeof small);
    assert_memory_equal(small, text, strlen(small));
}

static void frames_do_not_drift(void **state)
{
    (void)state;
    assert_true(dew_frame_count(0.29, 100) == 30);  // 0.29 * 100 is 28.999999999999996
    assert_true(dew_frame_count(0.3, 10) == 4);
    assert_true(dew_frame_count(0.105, 100) == 11);
    assert_true(isinf(dew_frame_count((double)INFINITY, 100)));
    assert_true(dew_frame_time_s(29, 0.29, 100) == 0.29);
    assert_true(dew_frame_time_s(3, 0.3, 10) == 0.3);
    assert_true(dew_frame_time_s(7, 1, 60) == 7 / 60.0);
}

static void the_table_has_every_solver(void **state)
{
    (void)state;
    static const char *const names[] = {"volume", "surface", "apic", "shallow", "splash", "rigid"};
    test_use_rigid();
    test_use_rigid();  // the second call replaces the first
    dew_SolverList list = dew_solver_list();
    assert_int_equal(list.count, 6);
    for (int i = 0; i < 6; i++) {
        assert_string_equal(list.traits[i]->name, names[i]);
        assert_ptr_equal(dew_solver_traits(names[i]), list.traits[i]);
    }
    assert_null(dew_solver_traits("volum"));
    assert_non_null(dew_solver_ops("splash"));
    assert_non_null(dew_solver_ops("rigid"));
    char text[64];
    dew_solver_names(text, sizeof text);
    assert_string_equal(text, "volume, surface, apic, shallow, splash, rigid");
}

// Parameters of the solvers that can be run, with what they mean.
static void the_manual_has_every_parameter(void **state)
{
    (void)state;
    uint8_t *page;
    size_t size;
    assert_int_equal(
        dew_file_read(DEW_SOURCE_DIR "/docs/manual/scene.md", 1 << 20, NULL, &page, &size).code,
        DEW_OK);
    dew_SolverList list = dew_solver_list();
    for (int i = 0; i < list.count; i++)
        for (int k = 0; dew_solver_ops(list.traits[i]->name) && k < list.traits[i]->parameter_count;
             k++) {
            const dew_Key *parameter = &list.traits[i]->parameters[k];
            char name[96];
            snprintf(name, sizeof name, "| `%s.%s` |", list.traits[i]->name, parameter->name);
            const char *row = strstr((const char *)page, name);
            assert_non_null(row);
            const char *doc = strstr(row, parameter->doc);
            assert_true(doc && doc < strchr(row, '\n'));
        }
    dew_free(NULL, page, size + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_follow_from_the_domain),
        cmocka_unit_test(sparse_solvers_count_what_is_near),
        cmocka_unit_test(step_limits_are_those_of_the_books),
        cmocka_unit_test(steps_are_those_of_the_solver),
        cmocka_unit_test(liquid_is_what_the_domain_has),
        cmocka_unit_test(times_are_told_in_fitting_units),
        cmocka_unit_test(sources_count),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(the_text_is_whole_and_bounded),
        cmocka_unit_test(frames_do_not_drift),
        cmocka_unit_test(the_table_has_every_solver),
        cmocka_unit_test(the_manual_has_every_parameter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
