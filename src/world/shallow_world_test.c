// World with the solver `shallow`, all four models: bit-identical on any number of workers and
// after a restore; no depth is negative, and no volume is lost in a storm over rough ground, part
// of which moves.
#include "solvers/shallow/waves/waves.h"
#include "surface/surface.h"
#include "world/lives_testing.h"
#include "world/world_state.h"

#include <math.h>
#include <stdio.h>

#define STORM                                                                                      \
    "solver: shallow\ndimensions: 2\nduration: 9 s\nframe_rate: 10 Hz\n"                           \
    "domain: {min: [0, 0, 0], max: [3, 1, 2], cell: 5 cm, walls: {right: open, others: bed}}\n"    \
    "gravity: [0.3, -9.81, 0.2]\n"                                                                 \
    "materials: {bed: {angle: 40 deg}}\n"                                                          \
    "solids: [{shape: sphere, center: [1.2, -0.1, 0.8], radius: 0.4, material: bed},\n"            \
    "         {shape: box, center: [2.2, 0, 1.4], size: [0.5, 0.3, 0.4], material: bed},\n"        \
    "         {shape: box, center: [0.6, 0, 1.5], size: [0.2, 0.9, 0.6], material: bed, "          \
    "velocity: [0.7, 0, -0.3], angular_velocity: [0, 1, 0]},\n"                                    \
    "         {shape: sphere, center: [2, -0.4, 0.3], radius: 0.3, material: bed, velocity: [0, "  \
    "0.4, 0]}]\n"                                                                                  \
    "drops: [{shape: box, min: [-1, -1, -1], max: [0.7, 0.4, 3]},\n"                               \
    "        {shape: sphere, center: [2.5, 0.1, 0.4], radius: 0.2, velocity: [-1, 0, 0]}]\n"       \
    "sources: [{shape: disk, center: [0.4, 1, 1], normal: [1, -1, 0], radius: 0.1, speed: 1},\n"   \
    "          {shape: rain, min: [0, 0.8, 0], max: [3, 0.9, 2], rate: 200 Hz, "                   \
    "radius: [5 mm, 15 mm], velocity: [0, -2, 0]}]\n"                                              \
    "sinks: [{shape: box, min: [2.6, 0, 0], max: [3, 1, 0.3]}]\n"                                  \
    "%s}\n"
#define WINDY "wind: [8, 0, -5]\nshallow: {drag: 0.003, model: "

// The second without any friction: its contact lines have tips.
static const char *const models[] = {
    WINDY "level-set",
    "liquid: {density: 1000, viscosity: 0, surface_tension: 0}\nshallow: {model: level-set",
    WINDY "level-set, advection: semi-lagrangian",
    WINDY "finite-volume",
    WINDY "finite-volume-semi-lagrangian",
    WINDY "finite-difference, shore: paper"};
#define MODELS 6

static Made make_storm(int model, int workers)
{
    char text[2048];
    snprintf(text, sizeof text, STORM, models[model]);
    return make(text, workers, NULL);
}

/// A storm with each model.
static Lives all_lives(void)
{
    static char text[MODELS][2048];
    static Life storms[MODELS];
    for (int model = 0; model < MODELS; model++) {
        snprintf(text[model], sizeof text[model], STORM, models[model]);
        storms[model] = (Life){text[model], 40};
    }
    return (Lives){.life = storms, .count = MODELS};
}

static void storms_lose_nothing(void **state)
{
    (void)state;
    for (int model = 0; model < MODELS - 1; model++) {
        Made made = make_storm(model, 1);
        dew_Stats stats;
        take_steps(&made, 120);
        dew_world_stats(made.world, &stats);
        assert_true(fabs(stats.volume_error) < 1e-12);
        const dew_SolverState *s = made.world->state;
        for (int64_t n = 0; n < s->grid.count; n++)
            assert_true(s->depth[n] >= 0);
        destroy(&made);
    }
}

static void only_lines_without_friction_have_tips(void **state)
{
    (void)state;
    for (int model = 0; model < 2; model++) {
        Made made = make_storm(model, 1);
        int64_t tips = 0;
        take_steps(&made, 3);
        const dew_SolverState *s = made.world->state;
        for (int64_t n = 0; n < s->grid.count; n++)
            tips += dew_wave_is_front(s, n < s->grid.count - s->grid.stride ? n : 0);
        assert_true((tips > 0) == (model == 1));
        destroy(&made);
    }
}

// The source pours beside a hill until the pool runs over it: no faster than it falls from there.
#define SPRING                                                                                     \
    "solver: shallow\ndimensions: 1\nduration: 9 s\nframe_rate: 10 Hz\n"                           \
    "domain: {min: [0, 0, 0], max: [3, 1, 0.1], cell: 5 cm, walls: {others: bed}}\n"               \
    "materials: {bed: {angle: 40 deg}}\n"                                                          \
    "solids: [{shape: cylinder, from: [1.1, -0.1, -1], to: [1.1, -0.1, 1], radius: 0.4, "          \
    "material: bed}]\n"                                                                            \
    "drops: [{shape: box, min: [-1, -1, -1], max: [0.9, 0.05, 1]}]\n"                              \
    "sources: [{shape: disk, center: [0.8, 0.9, 0.05], normal: [0, -1, 0], radius: 0.45, "         \
    "speed: 3 cm/s}]\n"

static void a_steady_source_does_not_hold_the_line(void **state)
{
    (void)state;
    Made made = make(SPRING, 1, NULL);
    double fastest = 0;
    for (int k = 0; k < 400; k++) {
        take_steps(&made, 1);
        dew_Stats stats;
        dew_world_stats(made.world, &stats);
        fastest = fmax(fastest, stats.max_speed_m_s);
    }
    assert_true(fastest > 1 && fastest < sqrt(2 * 9.81 * 1));
    destroy(&made);
}

// A pool, and a film of a fiftieth of a cell beside it: the pool alone is shown, with the volume of
// both.
#define FILMS                                                                                      \
    "solver: shallow\ndimensions: 2\nduration: 9 s\nframe_rate: 10 Hz\n"                           \
    "domain: {min: [0, 0, 0], max: [3, 1, 2], cell: 5 cm, walls: {others: bed}}\n"                 \
    "materials: {bed: {angle: 40 deg}}\n"                                                          \
    "drops: [{shape: box, min: [-1, -1, -1], max: [1, 0.3, 3]},\n"                                 \
    "        {shape: box, min: [2, -1, -1], max: [4, 1 mm, 3]}]\n"

static void films_are_not_shown(void **state)
{
    (void)state;
    Made made = make(FILMS, 1, NULL);
    dew_Surface *surface;
    assert_ok(dew_surface_create(NULL, &surface));
    assert_ok(dew_world_surface(made.world, surface));
    assert_true(surface->positions.count > 0 && surface->piece_count == 1);
    for (int64_t v = 0; v < surface->positions.count; v++)
        assert_true(DEW_ITEMS(&surface->positions, dew_Vec3)[v].x < 1.1);
    double volume = DEW_ITEMS(&surface->measures, dew_PieceMeasure)[0].volume_m3;
    assert_true(fabs(volume - (1 * 0.3 + 1 * 1e-3) * 2) < 1e-9);
    dew_surface_destroy(surface);
    destroy(&made);
}

// A lake around a rock: its surface is level up to the rock itself, between the cells' middles
// too. What is left on the rock's flank in cells that the lake reaches in part, or not, is no
// tooth.
#define ROCK                                                                                       \
    "solver: shallow\ndimensions: 2\nduration: 9 s\nframe_rate: 10 Hz\n"                           \
    "domain: {min: [0, 0, 0], max: [3, 1, 2], cell: 5 cm, walls: {others: bed}}\n"                 \
    "materials: {bed: {angle: 40 deg}}\n"                                                          \
    "solids: [{shape: sphere, center: [1.51, 0.01, 0.98], radius: 0.4, material: bed}]\n"          \
    "drops: [{shape: box, min: [-1, -1, -1], max: [4, 0.15, 3]}]\n"

static void lakes_end_at_rocks(void **state)
{
    (void)state;
    const double level = 0.15, left = 4e-3;
    const dew_Vec3 center = {1.51, 0.01, 0.98};
    for (int is_left = 0; is_left < 2; is_left++) {
        Made made = make(ROCK, 1, NULL);
        dew_SolverState *s = made.world->state;
        for (int64_t n = 0; n < s->grid.count; n++)
            if (is_left && s->ground[n] > level && s->ground[n] < level + 0.06)
                s->depth[n] = left;
        dew_Surface *surface;
        assert_ok(dew_surface_create(NULL, &surface));
        assert_ok(dew_world_surface(made.world, surface));
        int ends = 0;
        for (int64_t v = 0; v < surface->positions.count; v++) {
            dew_Vec3 x = DEW_ITEMS(&surface->positions, dew_Vec3)[v];
            bool is_wet = DEW_ITEMS(&surface->wet, float)[v] > 0.5f;
            assert_true(is_wet ? x.y < level + 1e-9 : fabs(x.y - level) < 0.01 * level);
            if (!is_wet || x.y < level - 1e-9)
                continue;
            ends++;
            assert_true(fabs(dew_distance(x, center) - 0.4) < 1e-3 * 0.05);
        }
        assert_true(ends > 40);  // two in each of the 23 cells along it, or so
        dew_surface_destroy(surface);
        destroy(&made);
    }
}

int main(void)
{
    Lives lives = all_lives();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(is_the_same_on_any_number_of_workers, &lives),
        cmocka_unit_test_prestate(is_the_same_after_a_restore, &lives),
        cmocka_unit_test(storms_lose_nothing),
        cmocka_unit_test(only_lines_without_friction_have_tips),
        cmocka_unit_test(a_steady_source_does_not_hold_the_line),
        cmocka_unit_test(films_are_not_shown),
        cmocka_unit_test(lakes_end_at_rocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
