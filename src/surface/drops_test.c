// Drops that move freely, merge, split, come, go, hit walls and hold bubbles, followed by their
// ids.
#include "surface/drops.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/testing.h"
#include "geom/shapes.h"
#include "surface/drop_bubbles.h"
#include "surface/drop_match.h"

typedef struct Ball {
    dew_Vec3 center;
    double radius;
    dew_Vec3 velocity;
    double
        flatness;  // 0: a ball; else heights are multiplied by it, widths grow to keep the volume
    bool is_bubble;
} Ball;

static void fill(dew_Surface *surface, const Ball *balls, int count)
{
    dew_surface_clear(surface);
    for (int i = 0; i < count; i++) {
        dew_Mesh mesh;
        dew_mesh_init(&mesh, NULL);
        assert_ok(dew_shape_icosphere(balls[i].radius, 5, &mesh));
        double high = balls[i].flatness > 0 ? balls[i].flatness : 1, wide = 1 / sqrt(high);
        dew_Vec3 *x = DEW_ITEMS(&mesh.positions, dew_Vec3);
        for (int64_t v = 0; v < mesh.positions.count; v++)
            x[v] = dew_add(balls[i].center, dew_vec(wide * x[v].x, high * x[v].y, wide * x[v].z));
        if (balls[i].is_bubble)
            dew_mesh_flip(&mesh);
        assert_ok(dew_surface_append_mesh(surface, &mesh, balls[i].velocity));
        dew_mesh_deinit(&mesh);
    }
    assert_ok(dew_surface_finish(surface));
}

typedef struct Film {
    dew_DropTracker tracker;
    dew_Surface *surface;
    double time_s;
} Film;

static Film begin_film(void)
{
    Film film = {.time_s = 1};
    dew_drops_init(&film.tracker, NULL);
    assert_ok(dew_surface_create(NULL, &film.surface));
    return film;
}

static void end_film(Film *film)
{
    dew_drops_deinit(&film->tracker);
    dew_surface_destroy(film->surface);
}

// One frame, dt after the last; returns its drops.
static const dew_DropRecord *show(Film *film, double dt, const Ball *balls, int count)
{
    fill(film->surface, balls, count);
    film->time_s += dt;
    assert_ok(dew_drops_update(&film->tracker, film->surface, film->time_s));
    return DEW_ITEMS(&film->tracker.drops, dew_DropRecord);
}

static int64_t drop_count(const Film *film)
{
    return film->tracker.drops.count;
}

// The drop whose centre is nearest to a point.
static const dew_DropRecord *drop_near(const Film *film, dew_Vec3 p)
{
    const dew_DropRecord *drops = DEW_ITEMS(&film->tracker.drops, dew_DropRecord), *best = drops;
    for (int64_t i = 1; i < film->tracker.drops.count; i++) {
        if (dew_distance(drops[i].center_m, p) < dew_distance(best->center_m, p))
            best = &drops[i];
    }
    return best;
}

// Twenty radii per frame, past each other, their order in the surface reversed every frame.
static void fast_drops_keep_their_ids(void **state)
{
    (void)state;
    enum { N = 40 };
    Film film = begin_film();
    Ball balls[N], turned[N];
    int64_t ids[N];
    dew_Random random = dew_random(5, 0, 0);
    for (int i = 0; i < N; i++)
        balls[i] = (Ball){.center = {0.01 * i, 0.02 * (i % 3), 0.013 * (i % 5)},
                          .radius = dew_random_range(&random, 0.5e-3, 1.5e-3),
                          .velocity = {i % 2 ? 2 : -2, -1, 0.5}};
    double dt = 0.01;
    for (int frame = 0; frame < 8; frame++) {
        for (int i = 0; i < N; i++)
            turned[frame % 2 ? N - 1 - i : i] = balls[i];
        show(&film, dt, turned, N);
        assert_int_equal(drop_count(&film), N);
        for (int i = 0; i < N; i++) {
            const dew_DropRecord *drop = drop_near(&film, balls[i].center);
            if (frame == 0)
                ids[i] = drop->id;
            assert_int_equal(drop->id, ids[i]);
            assert_int_equal(drop->parent_count, 0);
            assert_true(dew_distance(drop->velocity_m_s, balls[i].velocity) < 1e-9);
        }
        for (int i = 0; i < N; i++) {  // falling: foretold up to a quarter of a radius
            balls[i].center = dew_add_scaled(balls[i].center, dt, balls[i].velocity);
            balls[i].center.y -= 0.5 * 9.81 * dt * dt;
            balls[i].velocity.y -= 9.81 * dt;
        }
    }
    end_film(&film);
}

static void merging_names_both_parents(void **state)
{
    (void)state;
    Film film = begin_film();
    Ball apart[3] = {{.center = {-1.1e-3, 0, 0}, .radius = 1e-3, .velocity = {0.05, 0, 0}},
                     {.center = {1.1e-3, 0, 0}, .radius = 1e-3, .velocity = {-0.05, 0, 0}},
                     {.center = {0, 5e-3, 0}, .radius = 1e-3}};
    show(&film, 0, apart, 3);
    int64_t a = drop_near(&film, apart[0].center)->id, b = drop_near(&film, apart[1].center)->id;
    int64_t c = drop_near(&film, apart[2].center)->id;
    Ball merged[2] = {{.center = {0, 0, 0}, .radius = 1e-3 * cbrt(2.0)}, apart[2]};
    const dew_DropRecord *drops = show(&film, 0.005, merged, 2);
    assert_int_equal(drop_count(&film), 2);
    assert_int_equal(drops[0].id, c);
    assert_int_equal(drops[0].parent_count, 0);
    assert_true(drops[1].id > b && drops[1].id > a && drops[1].id > c);
    assert_int_equal(drops[1].parent_count, 2);
    assert_int_equal(drops[1].parents[0], a < b ? a : b);
    assert_int_equal(drops[1].parents[1], a < b ? b : a);
    drops = show(&film, 0.005, merged, 2);  // the parents are named once
    assert_int_equal(drops[1].parent_count, 0);
    assert_int_equal(drop_count(&film), 2);
    end_film(&film);
}

static void splitting_names_the_parent(void **state)
{
    (void)state;
    Film film = begin_film();
    Ball whole = {.center = {0, 0, 0}, .radius = 1e-3 * cbrt(2.001), .velocity = {0, 0, 0.3}};
    int64_t parent = show(&film, 0, &whole, 1)[0].id;
    double displacement = 0.3 * 0.01;
    Ball parts[3] = {
        {.center = {-1.2e-3, 0, displacement}, .radius = 1e-3, .velocity = {-0.1, 0, 0.3}},
        {.center = {1.2e-3, 0, displacement}, .radius = 1e-3, .velocity = {0.1, 0, 0.3}},
        {.center = {0, 0, displacement}, .radius = 1e-4, .velocity = {0, 0, 0.3}}};  // satellite
    const dew_DropRecord *drops = show(&film, 0.01, parts, 3);
    assert_int_equal(drop_count(&film), 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(drops[i].id, parent + 1 + i);
        assert_int_equal(drops[i].parent_count, 1);
        assert_int_equal(drops[i].parents[0], parent);
    }
    end_film(&film);
}

// Two touch and part again with liquid exchanged: both are new, and have the parents they came of.
static void splitting_and_merging_at_once(void **state)
{
    (void)state;
    Film film = begin_film();
    Ball before[2] = {{.center = {-2e-3, 0, 0}, .radius = 1e-3 * cbrt(1.5)},
                      {.center = {1.5e-3, 0, 0}, .radius = 1e-3 * cbrt(0.5)}};
    const dew_DropRecord *drops = show(&film, 0, before, 2);
    int64_t a = drops[0].id, b = drops[1].id;
    Ball after[2] = {
        {.center = {-2.2e-3, 0, 0}, .radius = 1e-3 * cbrt(0.9)},
        {.center = {0.3e-3, 0, 0}, .radius = 1e-3 * cbrt(1.1), .velocity = {0.1, 0, 0}}};
    for (int i = 0; i < 2; i++)
        after[i].flatness = 0.25;  // wide: they reach into where both were
    drops = show(&film, 0.01, after, 2);
    assert_int_equal(drop_count(&film), 2);
    assert_true(drops[0].id > b && drops[1].id > b);
    assert_int_equal(drops[0].parents[0], a);
    assert_true(drops[1].parent_count >= 1 && drops[1].parents[drops[1].parent_count - 1] == b);
    end_film(&film);
}

// What comes from a source close to another drop, and what goes down a sink there, is not its kin.
static void coming_and_going(void **state)
{
    (void)state;
    Film film = begin_film();
    Ball balls[3] = {{.center = {0, 0, 0}, .radius = 2e-3},
                     {.center = {2.6e-3, 0, 0}, .radius = 0.5e-3},
                     {.center = {0, -2.25e-3, 0}, .radius = 0.2e-3}};
    int64_t first = show(&film, 0, balls, 1)[0].id;
    const dew_DropRecord *drops = show(&film, 0.01, balls, 2);
    assert_int_equal(drop_count(&film), 2);
    assert_int_equal(drops[0].id, first);
    assert_int_equal(drops[1].id, first + 1);
    assert_int_equal(drops[1].parent_count, 0);
    drops = show(&film, 0.01, balls, 3);  // condensed out of the air: a thousandth of its neighbour
    assert_int_equal(drop_count(&film), 3);
    assert_int_equal(drops[0].id, first);
    assert_int_equal(drops[2].id, first + 2);
    assert_int_equal(drops[2].parent_count, 0);
    drops = show(&film, 0.01, balls, 1);
    assert_int_equal(drop_count(&film), 1);
    assert_int_equal(drops[0].id, first);
    show(&film, 0.01, balls, 0);
    assert_int_equal(drop_count(&film), 0);
    drops = show(&film, 0.01, balls, 2);  // ids are not used again
    assert_int_equal(drops[0].id, first + 3);
    assert_int_equal(drops[1].id, first + 4);
    end_film(&film);
}

// A drop falls thirty radii in a frame, but a floor stops and flattens it on the way.
static void stopped_by_the_floor(void **state)
{
    (void)state;
    Film film = begin_film();
    Ball balls[2] = {{.center = {0, 15e-3, 0}, .radius = 1e-3, .velocity = {0, -3, 0}},
                     {.center = {4e-3, 0.3e-3, 0}, .radius = 1e-3, .flatness = 0.3}};
    const dew_DropRecord *drops = show(&film, 0, balls, 2);
    int64_t flying = drops[0].id, lying = drops[1].id;
    Ball landed[2] = {{.center = {0, 0.2e-3, 0}, .radius = 1e-3, .flatness = 0.2}, balls[1]};
    show(&film, 0.01, landed, 2);
    assert_int_equal(drop_count(&film), 2);
    assert_int_equal(drop_near(&film, landed[0].center)->id, flying);
    assert_int_equal(drop_near(&film, landed[1].center)->id, lying);
    end_film(&film);
}

// The same onto a drop that lies there: they merge, and only the volume tells.
static void falling_onto_another(void **state)
{
    (void)state;
    Film film = begin_film();
    Ball balls[2] = {{.center = {0, 15e-3, 0}, .radius = 1e-3, .velocity = {0, -3, 0}},
                     {.center = {0, 0.3e-3, 0}, .radius = 1e-3, .flatness = 0.3}};
    show(&film, 0, balls, 2);
    Ball merged = {.center = {0, 0.3e-3, 0}, .radius = 1e-3 * cbrt(2.0), .flatness = 0.25};
    const dew_DropRecord *drops = show(&film, 0.01, &merged, 1);
    assert_int_equal(drop_count(&film), 1);
    assert_int_equal(drops[0].id, 3);
    assert_int_equal(drops[0].parent_count, 2);
    end_film(&film);
}

// It breaks up on the floor: the pieces leave faster than it came, all of them its children.
static void breaking_up(void **state)
{
    (void)state;
    Film film = begin_film();
    Ball ball = {.center = {0, 10e-3, 0}, .radius = 1e-3, .velocity = {0, -3, 0}};
    int64_t parent = show(&film, 0, &ball, 1)[0].id;
    Ball parts[6];
    for (int i = 0; i < 6; i++) {
        double angle = 2 * DEW_PI * i / 6;
        parts[i] = (Ball){.center = {4e-3 * cos(angle), 1e-3, 4e-3 * sin(angle)},
                          .radius = 1e-3 / cbrt(6.0),
                          .velocity = {0.6 * cos(angle), -0.2, 0.6 * sin(angle)}};
    }
    const dew_DropRecord *drops = show(&film, 0.01, parts, 6);
    assert_int_equal(drop_count(&film), 6);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(drops[i].parent_count, 1);
        assert_int_equal(drops[i].parents[0], parent);
    }
    end_film(&film);
}

static void many_parents_are_the_lowest(void **state)
{
    (void)state;
    Film film = begin_film();
    Ball balls[12];
    for (int i = 0; i < 12; i++) {
        double angle = 2 * DEW_PI * i / 12;
        balls[i] = (Ball){.center = {4e-3 * cos(angle), 0, 4e-3 * sin(angle)}, .radius = 0.95e-3};
    }
    show(&film, 0, balls, 12);
    Ball merged = {.radius = 0.95e-3 * cbrt(12.0), .flatness = 0.2};
    const dew_DropRecord *drops = show(&film, 0.01, &merged, 1);
    assert_int_equal(drop_count(&film), 1);
    assert_int_equal(drops[0].parent_count, DEW_MAX_DROP_LINKS);
    for (int i = 0; i < DEW_MAX_DROP_LINKS; i++)
        assert_int_equal(drops[0].parents[i], 1 + i);
    end_film(&film);
}

// ---- bubbles ------------------------------------------------------------------------------------

static void bubbles_belong_to_their_drop(void **state)
{
    (void)state;
    Film film = begin_film();
    Ball balls[7] = {
        {.center = {-1, 0, 0}, .radius = 0.3, .is_bubble = true},
        {.center = {0, 0, 0}, .radius = 2},                         // holds it, and the next
        {.center = {0.5, 0, 0}, .radius = 0.9, .is_bubble = true},  // with a drop in it
        {.center = {0.5, 0, 0}, .radius = 0.5},                     // that has a bubble too
        {.center = {0.5, 0.1, 0}, .radius = 0.2, .is_bubble = true},
        {.center = {5, 0, 0}, .radius = 1},
        {.center = {5, 0, 0}, .radius = 0.5, .is_bubble = true},
    };
    const dew_DropRecord *drops = show(&film, 0, balls, 7);
    assert_int_equal(drop_count(&film), 3);
    Ball one = {.radius = 1};
    fill(film.surface, &one, 1);
    double unit = dew_surface_volume_m3(film.surface), area = dew_surface_area_m2(film.surface);
    assert_int_equal(drops[0].piece, 1);
    assert_true(fabs(drops[0].volume_m3 / unit - (8 - 0.027 - 0.729)) < 1e-12);
    assert_true(fabs(drops[0].area_m2 / area - (4 + 0.09 + 0.81)) < 1e-12);
    double moment = 0.027 * 1 - 0.729 * 0.5;  // of what is missing
    assert_true(fabs(drops[0].center_m.x - moment / (8 - 0.027 - 0.729)) < 1e-12);
    assert_int_equal(drops[1].piece, 3);
    assert_true(fabs(drops[1].volume_m3 / unit - (0.125 - 0.008)) < 1e-12);
    assert_int_equal(drops[2].piece, 5);
    assert_true(fabs(drops[2].volume_m3 / unit - (1 - 0.125)) < 1e-12);
    end_film(&film);
}

// A bubble that enters or bursts changes nothing about who the drop is.
static void bubbles_change_no_id(void **state)
{
    (void)state;
    Film film = begin_film();
    Ball balls[2] = {{.radius = 1}, {.center = {0.2, 0.3, 0}, .radius = 0.4, .is_bubble = true}};
    int64_t id = show(&film, 0, balls, 2)[0].id;
    assert_int_equal(show(&film, 0.1, balls, 1)[0].id, id);
    assert_int_equal(show(&film, 0.1, balls, 2)[0].id, id);
    assert_int_equal(drop_count(&film), 1);
    end_film(&film);
}

// Rays that meet edges and vertices of the outside exactly: an icosphere of even frequency has
// vertices on the axes and edges in the coordinate planes.
static void no_ray_slips_through(void **state)
{
    (void)state;
    dew_Surface *surface = NULL;
    dew_Arena scratch;
    dew_arena_init(&scratch, NULL);
    assert_ok(dew_surface_create(NULL, &surface));
    dew_Mesh outside, bubble;
    dew_mesh_init(&outside, NULL);
    dew_mesh_init(&bubble, NULL);
    assert_ok(dew_shape_box(dew_vec(4, 4, 4), 0.5, &outside));
    assert_ok(dew_shape_icosphere(0.05, 2, &bubble));
    dew_mesh_flip(&bubble);
    assert_ok(dew_surface_append_mesh(surface, &outside, dew_vec(0, 0, 0)));
    dew_Box box = dew_box_empty();
    for (int64_t i = 0; i < bubble.positions.count; i++)
        box = dew_box_add(box, dew_mesh_positions(&bubble)[i]);
    int count = 0;
    for (int y = -7; y <= 7; y++) {
        for (int z = -7; z <= 7;
             z++, count++) {  // on lines, corners and diagonals of the box's grid
            dew_mesh_transform(&bubble, 1, dew_rotation_identity(),
                               dew_vec(-1 + 0.25 * (count % 9), 0.25 * y, 0.25 * z));
            assert_ok(dew_surface_append_mesh(surface, &bubble, dew_vec(0, 0, 0)));
            dew_mesh_transform(&bubble, 1, dew_rotation_identity(),
                               dew_vec(1 - 0.25 * (count % 9), -0.25 * y, -0.25 * z));
        }
    }
    assert_ok(dew_surface_finish(surface));
    assert_int_equal(surface->piece_count, 1 + count);
    int32_t *outer = (int32_t *)calloc((size_t)surface->piece_count, sizeof(int32_t));
    assert_non_null(outer);
    assert_ok(dew_surface_outer_pieces(surface, &scratch, outer));
    for (int p = 0; p < surface->piece_count; p++)
        assert_int_equal(outer[p], 0);
    free(outer);
    dew_mesh_deinit(&outside);
    dew_mesh_deinit(&bubble);
    dew_arena_deinit(&scratch);
    dew_surface_destroy(surface);
}

// A surface that is inside out holds nothing: its drop is itself.
static void inside_out_is_its_own(void **state)
{
    (void)state;
    Film film = begin_film();
    Ball balls[2] = {{.radius = 1, .is_bubble = true}, {.center = {-5, 0, 0}, .radius = 1}};
    const dew_DropRecord *drops = show(&film, 0, balls, 2);
    assert_int_equal(drop_count(&film), 2);
    assert_true(drops[0].volume_m3 < 0);
    assert_int_equal(show(&film, 0.1, balls, 2)[0].id, 1);
    end_film(&film);
}

// ---- state --------------------------------------------------------------------------------------

// Its arrays and two numbers are all there is to it.
static void restored_tracker_goes_on(void **state)
{
    (void)state;
    Film film = begin_film();
    Ball balls[3] = {{.center = {0, 0, 0}, .radius = 1e-3, .velocity = {1, 0, 0}},
                     {.center = {0, 5e-3, 0}, .radius = 1e-3, .velocity = {1, 0, 0}},
                     {.center = {0, 9e-3, 0}, .radius = 1e-3, .velocity = {1, 0, 0}}};
    show(&film, 0.01, balls, 3);
    dew_DropTracker copy;
    dew_drops_init(&copy, NULL);
    assert_ok(dew_array_copy(&copy.drops, &film.tracker.drops));
    assert_ok(dew_array_copy(&copy.points, &film.tracker.points));
    copy.next_id = film.tracker.next_id;
    copy.time_s = film.tracker.time_s;
    for (int i = 0; i < 3; i++)
        balls[i].center.x += 0.01;
    balls[2].center.y = 6.5e-3;  // runs into the second
    show(&film, 0.01, balls, 3);
    assert_ok(dew_drops_update(&copy, film.surface, film.time_s));
    assert_int_equal(copy.next_id, film.tracker.next_id);
    assert_int_equal(copy.drops.count, film.tracker.drops.count);
    assert_memory_equal(copy.drops.data, film.tracker.drops.data,
                        (size_t)copy.drops.count * sizeof(dew_DropRecord));
    assert_int_equal(copy.points.count, film.tracker.points.count);
    assert_memory_equal(copy.points.data, film.tracker.points.data,
                        (size_t)copy.points.count * sizeof(dew_DropPoint));
    DEW_ITEMS(&copy.points, dew_DropPoint)[7].drop = 3;
    dew_Status status = dew_drops_update(&copy, film.surface, film.time_s + 1);
    assert_int_equal(status.code, DEW_CORRUPT);
    dew_drops_deinit(&copy);
    end_film(&film);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    dew_Surface *surface = NULL;
    assert_ok(dew_surface_create(NULL, &surface));
    Ball balls[3] = {{.radius = 1}, {.center = {3, 0, 0}, .radius = 1}, {.radius = 0.5}};
    balls[2].is_bubble = true;
    fill(surface, balls, 3);
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        torture.keeps_failing = true;
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_DropTracker tracker;
        dew_drops_init(&tracker, &allocator);
        dew_Status status = dew_drops_update(&tracker, surface, 1);
        if (status.code != DEW_OK)
            assert_true(tracker.next_id == 1 && tracker.time_s == 0 && tracker.drops.count == 0);
        bool is_done = torture.calls <= n;
        dew_drops_deinit(&tracker);
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        assert_int_equal(status.code, is_done ? DEW_OK : DEW_NO_MEMORY);
        if (is_done)
            break;
    }
    dew_surface_destroy(surface);
}

static void warm_tracker_allocates_nothing(void **state)
{
    (void)state;
    Film film = begin_film();
    Ball balls[2] = {{.radius = 1}, {.center = {3, 0, 0}, .radius = 1}};
    dew_Torture torture = dew_torture(-1);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    dew_drops_deinit(&film.tracker);
    dew_drops_init(&film.tracker, &allocator);
    for (int frame = 0; frame < 3; frame++)
        show(&film, 0.1, balls, 2);
    int64_t calls = torture.calls;
    show(&film, 0.1, balls, 2);
    assert_int_equal(torture.calls, calls);
    end_film(&film);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_drops_keep_their_ids),
        cmocka_unit_test(merging_names_both_parents),
        cmocka_unit_test(splitting_names_the_parent),
        cmocka_unit_test(splitting_and_merging_at_once),
        cmocka_unit_test(coming_and_going),
        cmocka_unit_test(stopped_by_the_floor),
        cmocka_unit_test(falling_onto_another),
        cmocka_unit_test(breaking_up),
        cmocka_unit_test(many_parents_are_the_lowest),
        cmocka_unit_test(bubbles_belong_to_their_drop),
        cmocka_unit_test(bubbles_change_no_id),
        cmocka_unit_test(no_ray_slips_through),
        cmocka_unit_test(inside_out_is_its_own),
        cmocka_unit_test(restored_tracker_goes_on),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(warm_tracker_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
