// Drops with ids, contact lines and events, and queries, on surfaces that are known.
#include "base/torture.h"
#include "dew/query.h"
#include "dew/wetting.h"
#include "geom/shapes.h"
#include "world/made_testing.h"
#include "world/solver_table.h"
#include "world/world_state.h"

#include <math.h>
#include <string.h>

#define SCENE                                                                                      \
    "solver: volume\nduration: 0.1 s\nframe_rate: 100 Hz\n"                                        \
    "domain: {min: [-4 mm, 0, -4 mm], max: [4 mm, 8 mm, 4 mm], cell: 0.25 mm, "                    \
    "walls: {floor: glass, others: open}}\n"                                                       \
    "materials: {glass: {angle: 60 deg}}\ngravity: [0, 0, 0]\n"                                    \
    "solids: [{shape: sphere, name: ball, center: [3 mm, 3 mm, 0], radius: 0.5 mm, "               \
    "material: glass}]\n"                                                                          \
    "drops: [{shape: sphere, center: [0, 3 mm, 0], radius: 1 mm, velocity: [0, 0, 0.1]}]\n"

// ---- a solver whose surface follows a script ---------------------------------------------------

#define EDGE_M 0.2e-3
#define FRAMES 7

typedef struct Body {
    double radius_m;  // 0: none
    dew_Vec3 center_m;
    dew_Vec3 velocity_m_s;
    bool is_cap;  // of 60 degrees, on the floor
} Body;

// Two drops; one of both; on the floor; off it again; two; one; and one more.
static const Body script[FRAMES][3] = {
    {{1e-3, {-1.1e-3, 3e-3, 0}, {0.2, 0, 0}, false},
     {1e-3, {1.1e-3, 3e-3, 0}, {-0.2, 0, 0}, false}},
    {{1.26e-3, {0, 3e-3, 0}, {0, -0.5, 0}, false}},
    {{2e-3, {0, 0, 0}, {0, 0, 0}, true}},
    {{1.26e-3, {0, 1.4e-3, 0}, {0, 0.1, 0}, false}},
    {{1e-3, {-1.1e-3, 1.4e-3, 0}, {0, 0, 0}, false}, {1e-3, {1.1e-3, 1.4e-3, 0}, {0, 0, 0}, false}},
    {{1e-3, {-1.1e-3, 1.4e-3, 0}, {0, 0, 0}, false}},
    {{1e-3, {-1.1e-3, 1.4e-3, 0}, {0, 0, 0}, false},
     {0.5e-3, {3e-3, 6e-3, 3e-3}, {0, 0, 0}, false}},
};

static dew_Status add_body(dew_Surface *out, const Body *body)
{
    dew_Mesh mesh;
    dew_mesh_init(&mesh, &out->allocator);
    double volume_m3 = dew_drop_cap_from_radius_angle(body->radius_m, DEW_DEG(60)).volume_m3;
    dew_Status status = body->is_cap ? dew_shape_cap(volume_m3, DEW_DEG(60), EDGE_M, &mesh)
                                     : dew_shape_sphere(body->radius_m, EDGE_M, &mesh);
    dew_mesh_transform(&mesh, 1, dew_rotation_identity(), body->center_m);
    int64_t first = out->positions.count;
    if (status.code == DEW_OK)
        status = dew_surface_append_mesh(out, &mesh, body->velocity_m_s);
    dew_mesh_deinit(&mesh);
    for (int64_t i = first; i < out->positions.count && body->is_cap; i++)
        if (DEW_ITEMS(&out->positions, dew_Vec3)[i].y < 1e-9) {
            DEW_ITEMS(&out->wet, float)[i] = 1;
            DEW_ITEMS(&out->solid_normals, dew_Vec3)[i] = dew_vec(0, 1, 0);
        }
    return status;
}

static dew_Status scripted_surface(const dew_Problem *problem, const dew_SolverState *state,
                                   const dew_Instant *instant, dew_Surface *out)
{
    (void)problem;
    (void)state;
    int frame = (int)lround(instant->time_s / 1e-3);
    dew_surface_clear(out);
    for (int i = 0; i < 3; i++)
        if (script[frame][i].radius_m > 0)
            DEW_TRY(add_body(out, &script[frame][i]));
    return dew_surface_finish(out);
}

static dew_Status no_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    (void)problem;
    (void)state;
    (void)step;
    return dew_ok();
}

static double any_step(const dew_Problem *problem, const dew_SolverState *state,
                       const dew_Instant *instant, const char **bound)
{
    (void)problem;
    (void)state;
    (void)instant;
    *bound = "script";
    return (double)INFINITY;
}

static Made make_scripted(const dew_Allocator *allocator)
{
    static dew_SolverOps ops;
    ops = *dew_solver_ops("volume");
    ops.surface = scripted_surface;
    ops.step = no_step;
    ops.max_step_s = any_step;
    Made made = {0};
    assert_ok(test_scene(SCENE, NULL, &made.scene));
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = 1;
    if (allocator)
        def.allocator = *allocator;
    assert_ok(dew_world_create_for(&ops, made.scene, &def, &made.world));
    return made;
}

static const dew_DropEvent *events_at(Made *made, int frame, int64_t expected)
{
    const dew_DropEvent *events;
    int64_t count;
    if (frame > 0)
        assert_ok(dew_world_step_to(made->world, frame * 1e-3));
    assert_ok(dew_world_events(made->world, &events, &count));
    assert_int_equal(count, expected);
    return events;
}

// ---- drops -------------------------------------------------------------------------------------

static void ids_parents_and_events(void **state)
{
    (void)state;
    Made made = make_scripted(NULL);
    const dew_Drop *drops;
    int64_t count;
    events_at(&made, 0, 0);
    assert_ok(dew_world_drops(made.world, &drops, &count));
    assert_int_equal(count, 2);
    assert_true(drops[0].id == 1 && drops[1].id == 2 && drops[0].parent_count == 0);
    assert_true(isnan(drops[0].contact_angle_rad) && drops[0].line_count == 0);

    const dew_DropEvent *e = events_at(&made, 1, 1);
    assert_int_equal(e[0].kind, DEW_DROP_MERGED);
    assert_true(e[0].drop_id == 3 && e[0].other_count == 2 && e[0].others[0] == 1 &&
                e[0].others[1] == 2);
    assert_true(fabs(e[0].speed_m_s - 0.4) < 1e-12 && e[0].begin_s == 0 && e[0].time_s == 1e-3);
    assert_ok(dew_world_drops(made.world, &drops, &count));
    assert_true(count == 1 && drops[0].id == 3 && drops[0].parent_count == 2 && drops[0].is_new);

    e = events_at(&made, 2, 1);
    assert_int_equal(e[0].kind, DEW_DROP_IMPACT);
    assert_true(e[0].drop_id == 3 && fabs(e[0].speed_m_s - 0.5) < 1e-9);
    assert_int_equal(e[0].solid_id, dew_world_find_solid(made.world, "floor"));
    assert_true(dew_length(e[0].point_m) < 0.1e-3);

    e = events_at(&made, 3, 1);
    assert_int_equal(e[0].kind, DEW_DROP_DETACHED);
    assert_true(e[0].drop_id == 3 && fabs(e[0].point_m.y) < 1e-12);

    e = events_at(&made, 4, 1);
    assert_int_equal(e[0].kind, DEW_DROP_SPLIT);
    assert_true(e[0].drop_id == 3 && e[0].other_count == 2 && e[0].others[0] == 4);

    e = events_at(&made, 5, 1);
    assert_int_equal(e[0].kind, DEW_DROP_VANISHED);
    assert_true(e[0].drop_id == 5);

    e = events_at(&made, 6, 1);
    assert_int_equal(e[0].kind, DEW_DROP_APPEARED);
    assert_true(e[0].drop_id == 6);
    assert_true(events_at(&made, 0, 1) == e);  // the same state: no second update
    destroy(&made);
}

static void contact_line_of_a_cap(void **state)
{
    (void)state;
    Made made = make_scripted(NULL);
    const dew_Drop *drops;
    const dew_ContactPolyline *lines;
    int64_t count;
    assert_ok(dew_world_step_to(made.world, 2e-3));
    assert_ok(dew_world_drops(made.world, &drops, &count));
    assert_int_equal(count, 1);
    double radius_m = 2e-3 * sin(DEW_DEG(60));
    assert_true(fabs(drops[0].contact_angle_rad - DEW_DEG(60)) < DEW_DEG(1));
    assert_true(drops[0].contact_angle_min_rad <= drops[0].contact_angle_rad);
    assert_true(drops[0].contact_angle_max_rad >= drops[0].contact_angle_rad);
    assert_true(fabs(drops[0].contact_length_m - 2 * DEW_PI * radius_m) < 0.01 * radius_m * 6);
    assert_true(drops[0].first_line == 0 && drops[0].line_count == 1);
    assert_ok(dew_world_contact_lines(made.world, &lines, &count));
    assert_true(count == 1 && lines[0].is_closed && lines[0].drop_id == drops[0].id);
    for (int64_t i = 0; i < lines[0].point_count; i++)
        assert_true(fabs(dew_length(lines[0].points_m[i]) - radius_m) < 1e-6);
    destroy(&made);
}

static void ids_survive_a_restore(void **state)
{
    (void)state;
    Made first = make_scripted(NULL), second = make_scripted(NULL);
    uint64_t before = dew_world_hash(first.world);
    events_at(&first, 0, 0);
    assert_true(dew_world_hash(first.world) == before);  // asking changes no state
    events_at(&first, 1, 1);
    uint8_t *bytes;
    size_t size;
    assert_ok(dew_world_save(first.world, &bytes, &size));
    assert_ok(dew_world_restore(second.world, bytes, size));
    const dew_DropEvent *e = events_at(&second, 2, 1);
    assert_true(e[0].kind == DEW_DROP_IMPACT && e[0].drop_id == 3);
    // A state that nobody asked about has no ids yet.
    Made third = make_scripted(NULL);
    dew_world_saved_free(first.world, bytes, size);
    assert_ok(dew_world_save(third.world, &bytes, &size));
    assert_ok(dew_world_restore(second.world, bytes, size));
    dew_world_saved_free(third.world, bytes, size);
    const dew_Drop *drops;
    int64_t count;
    assert_ok(dew_world_drops(second.world, &drops, &count));
    assert_true(count == 2 && drops[0].id == 1);
    destroy(&first);
    destroy(&second);
    destroy(&third);
}

static dew_Status ask_everything(dew_World *world)
{
    const dew_Drop *drops;
    const dew_DropEvent *events;
    int64_t count;
    dew_QueryHit hit;
    DEW_TRY(dew_world_drops(world, &drops, &count));
    DEW_TRY(dew_world_step_to(world, 1e-3));
    DEW_TRY(dew_world_events(world, &events, &count));
    return dew_world_nearest(world, dew_vec(0, 0, 0), 1, DEW_QUERY_ALL, &hit);
}

static void lack_of_memory(void **state)
{
    (void)state;
    for (int64_t n = 0;; n += 1 + n / 8) {
        dew_Torture torture = dew_torture(-1);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        Made made = make_scripted(&allocator);
        torture.fail_at = torture.calls + n;
        dew_Status status = ask_everything(made.world);
        bool is_through = torture.calls <= torture.fail_at;
        torture.fail_at = -1;
        if (status.code != DEW_OK) {
            assert_int_equal(status.code, DEW_NO_MEMORY);
            assert_ok(ask_everything(made.world));
        }
        destroy(&made);
        assert_int_equal(torture.blocks, 0);
        if (is_through)
            break;
    }
}

// ---- queries -----------------------------------------------------------------------------------

static void rays_meet_what_comes_first(void **state)
{
    (void)state;
    Made made = make(SCENE, 1, NULL);
    dew_QueryHit hit;
    // Down through the drop, a sphere of 1 mm around (0, 3, 0) mm, to the floor.
    assert_ok(dew_world_cast_ray(made.world, dew_vec(0, 7e-3, 0), dew_vec(0, -2, 0), 1,
                                 DEW_QUERY_ALL, &hit));
    assert_true(hit.is_hit && hit.is_liquid && hit.id == 1);
    assert_within(hit.distance_m, 3e-3, 0.02e-3);
    assert_within(hit.normal.y, 1, 0.01);
    assert_within(hit.velocity_m_s.z, 0.1, 0.01);
    assert_ok(dew_world_cast_ray(made.world, dew_vec(0, 7e-3, 0), dew_vec(0, -2, 0), 1,
                                 DEW_QUERY_SOLIDS, &hit));
    assert_true(hit.is_hit && !hit.is_liquid &&
                hit.id == dew_world_find_solid(made.world, "floor"));
    assert_within(hit.point_m.y, 0, 1e-9);
    assert_within(hit.distance_m, 7e-3, 1e-9);
    // Sideways at the ball, past the drop.
    assert_ok(dew_world_cast_ray(made.world, dew_vec(1.5e-3, 3e-3, 0), dew_vec(1, 0, 0), 1,
                                 DEW_QUERY_ALL, &hit));
    assert_true(hit.is_hit && hit.id == dew_world_find_solid(made.world, "ball"));
    assert_within(hit.point_m.x, 2.5e-3, 1e-9);
    assert_within(hit.normal.x, -1, 1e-6);
    // Too short, and away from everything.
    assert_ok(dew_world_cast_ray(made.world, dew_vec(1.5e-3, 3e-3, 0), dew_vec(1, 0, 0), 0.5e-3,
                                 DEW_QUERY_ALL, &hit));
    assert_false(hit.is_hit);
    assert_ok(dew_world_cast_ray(made.world, dew_vec(0, 7e-3, 0), dew_vec(0, 1, 0),
                                 (double)INFINITY, DEW_QUERY_ALL, &hit));
    assert_false(hit.is_hit);
    assert_int_equal(
        dew_world_cast_ray(made.world, dew_vec(0, 0, 0), dew_vec(0, 0, 0), 1, 3, &hit).code,
        DEW_BAD_INPUT);
    destroy(&made);
}

static void nearest_and_inside(void **state)
{
    (void)state;
    Made made = make(SCENE, 1, NULL);
    dew_QueryHit hit;
    uint32_t inside;
    assert_ok(dew_world_nearest(made.world, dew_vec(0, 4.5e-3, 0), (double)INFINITY, DEW_QUERY_ALL,
                                &hit));
    assert_true(hit.is_hit && hit.is_liquid);
    assert_within(hit.distance_m, 0.5e-3, 0.02e-3);
    assert_ok(dew_world_nearest(made.world, dew_vec(0, 3.5e-3, 0), (double)INFINITY, DEW_QUERY_ALL,
                                &hit));
    assert_within(hit.distance_m, -0.5e-3, 0.02e-3);
    assert_ok(dew_world_nearest(made.world, dew_vec(2.2e-3, 3e-3, 0), (double)INFINITY,
                                DEW_QUERY_ALL, &hit));
    assert_true(hit.is_hit && !hit.is_liquid);
    assert_within(hit.distance_m, 0.3e-3, 1e-12);
    assert_ok(dew_world_nearest(made.world, dew_vec(0, 6e-3, 0), 1e-3, DEW_QUERY_ALL, &hit));
    assert_false(hit.is_hit);
    assert_ok(dew_world_inside(made.world, dew_vec(0, 3e-3, 0), DEW_QUERY_ALL, &inside));
    assert_int_equal(inside, DEW_QUERY_LIQUID);
    assert_ok(dew_world_inside(made.world, dew_vec(3e-3, 3e-3, 0), DEW_QUERY_ALL, &inside));
    assert_int_equal(inside, DEW_QUERY_SOLIDS);
    assert_ok(dew_world_inside(made.world, dew_vec(0, 6e-3, 0), DEW_QUERY_ALL, &inside));
    assert_int_equal(inside, 0);
    destroy(&made);
}

// ---- progress ----------------------------------------------------------------------------------

static bool stop_after_three(void *context, double time_s, double end_s)
{
    int *calls = context;
    assert_true(time_s < end_s);
    return (*calls)++ < 3;
}

static void cancelled_between_sub_steps(void **state)
{
    (void)state;
    dew_Scene *scene;
    dew_World *world;
    int calls = 0;
    assert_ok(test_scene(SCENE, NULL, &scene));
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = 1;
    def.progress = (dew_ProgressCallback){stop_after_three, &calls};
    assert_ok(dew_world_create(scene, &def, &world));
    dew_Status status = dew_world_step(world, 0.05);
    assert_int_equal(status.code, DEW_INTERRUPTED);
    assert_int_equal(dew_world_step_count(world), 3);
    Made same = make(SCENE, 1, NULL);
    for (int i = 0; i < 3; i++)
        assert_ok(dew_world_substep_to(same.world, 0.05));
    assert_true(dew_world_hash(same.world) == dew_world_hash(world));
    dew_world_destroy(world);
    dew_scene_destroy(scene);
    destroy(&same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_parents_and_events),      cmocka_unit_test(contact_line_of_a_cap),
        cmocka_unit_test(ids_survive_a_restore),       cmocka_unit_test(lack_of_memory),
        cmocka_unit_test(rays_meet_what_comes_first),  cmocka_unit_test(nearest_and_inside),
        cmocka_unit_test(cancelled_between_sub_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
