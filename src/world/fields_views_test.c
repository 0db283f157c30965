// Fields and particles of worlds as views: names, places, values, dense copies, initial conditions.
#include "base/testing.h"
#include "dew/fields.h"
#include "geom/vec.h"
#include "world/world_testing.h"

#include <stdlib.h>

#define DROP                                                                                       \
    "duration: 1 s\ngravity: [0, 0, 0]\n"                                                          \
    "domain: {min: [-2 mm, -2 mm, -2 mm], max: [2 mm, 2 mm, 2 mm], cell: 0.2 mm}\n"                \
    "drops: [{shape: sphere, center: [0.1 mm, 0, 0], radius: 1 mm, velocity: [0.3, 0, 0]}]\n"

typedef struct Pair {
    dew_Scene *scene;
    dew_World *world;
} Pair;

static Pair open_world(const char *text)
{
    Pair pair;
    dew_WorldDef def = dew_default_world_def();
    assert_ok(test_scene(text, NULL, &pair.scene));
    assert_ok(dew_world_create(pair.scene, &def, &pair.world));
    return pair;
}

static void close_world(Pair pair)
{
    dew_world_destroy(pair.world);
    dew_scene_destroy(pair.scene);
}

static double distance(dew_Vec3 x)
{
    return dew_distance(x, dew_vec(0.1e-3, 0, 0)) - 1e-3;
}

static void fields_of_a_ball(void **state)
{
    (void)state;
    Pair pair = open_world("solver: volume\n" DROP);
    dew_FieldView phi, u, again;
    assert_int_equal(dew_world_field_count(pair.world), 6);
    assert_string_equal(dew_world_field_name(pair.world, 0), "phi");
    assert_null(dew_world_field_name(pair.world, 6));
    assert_ok(dew_world_field(pair.world, "phi", &phi));
    assert_ok(dew_world_field(pair.world, "velocity_x", &u));
    assert_int_equal(phi.layout, DEW_LAYOUT_BRICKS);
    assert_int_equal(phi.place, DEW_AT_CELL);
    assert_int_equal(u.place, DEW_AT_FACE_X);
    assert_true(phi.value_count > 0);
    for (int64_t n = 0; n < phi.value_count; n++) {
        int32_t c[3];
        dew_field_view_cell(&phi, n, c);
        assert_int_equal(dew_field_view_index(&phi, c[0], c[1], c[2]), n);
        double exact = distance(dew_field_view_position_m(&phi, c[0], c[1], c[2]));
        if (fabs(exact) < 0.4e-3)
            assert_within(dew_field_view_value(&phi, n), exact, 0.01e-3);
        if (exact < -0.3e-3)
            assert_within(dew_field_view_value(&u, n), 0.3, 1e-12);
    }
    assert_int_equal(dew_field_view_index(&phi, 1000, 0, 0), DEW_INVALID);
    assert_int_equal(dew_field_view_at(&phi, dew_field_view_position_m(&phi, 3, 4, 5)),
                     dew_field_view_index(&phi, 3, 4, 5));
    assert_int_equal(dew_field_view_at(&phi, dew_vec((double)INFINITY, 0, 0)), DEW_INVALID);
    // The state itself, not a copy of it.
    assert_ok(dew_world_field(pair.world, "phi", &again));
    assert_ptr_equal(phi.values, again.values);
    close_world(pair);
}

static void fractions_add_up_to_the_volume(void **state)
{
    (void)state;
    Pair pair = open_world("solver: volume\n" DROP);
    dew_FieldView fraction;
    dew_CellBox box;
    dew_Stats stats;
    uint64_t hash = dew_world_hash(pair.world);
    assert_ok(dew_world_field(pair.world, "volume_fraction", &fraction));
    double sum = 0, dense = 0, cell_m3 = pow(fraction.bricks.cell_m, 3);
    for (int64_t n = 0; n < fraction.value_count; n++)
        sum += cell_m3 * dew_field_view_value(&fraction, n);
    dew_world_stats(pair.world, &stats);
    assert_near(sum, stats.volume_m3, 1e-6);
    assert_ok(dew_world_field_box(pair.world, "volume_fraction", &box));
    int64_t cells = (int64_t)box.size[0] * box.size[1] * box.size[2];
    double *copy = malloc((size_t)cells * sizeof *copy);
    assert_non_null(copy);
    assert_ok(dew_world_field_copy(pair.world, "volume_fraction", &box, copy, cells));
    for (int64_t n = 0; n < cells; n++)
        dense += cell_m3 * copy[n];
    assert_near(dense, sum, 1e-12);
    assert_int_equal(
        dew_world_field_copy(pair.world, "volume_fraction", &box, copy, cells - 1).code,
        DEW_BAD_INPUT);
    // A box beyond all bricks has the value of what is missing.
    dew_CellBox far = {{5000, 5000, 5000}, {1, 1, 1}};
    assert_ok(dew_world_field_copy(pair.world, "phi", &far, copy, 1));
    assert_within(copy[0], 5 * fraction.bricks.cell_m, 1e-15);
    assert_true(hash == dew_world_hash(pair.world));
    free(copy);
    close_world(pair);
}

static dew_Vec3 turning(void *context, dew_Vec3 p, double time_s)
{
    (void)context;
    (void)time_s;
    return dew_vec(-50 * p.y, 50 * p.x, 0);
}

static void particles_take_a_velocity(void **state)
{
    (void)state;
    Pair pair = open_world("solver: apic\n" DROP);
    dew_ParticleSet set;
    dew_ArrayView x, y, u, affine, drops;
    assert_ok(dew_world_particle_set(pair.world, 0, &set));
    assert_string_equal(set.name, "particles");
    dew_VelocityField velocity = {.velocity_m_s = turning};
    assert_ok(dew_world_set_velocity(pair.world, &velocity));
    assert_ok(dew_world_particles(pair.world, "particles", "position_x", &x));
    assert_ok(dew_world_particles(pair.world, "particles", "position_y", &y));
    assert_ok(dew_world_particles(pair.world, "particles", "velocity", &u));
    assert_ok(dew_world_particles(pair.world, "particles", "affine", &affine));
    assert_true(set.count > 100 && u.count == set.count && u.components == 3);
    for (int64_t n = 0; n < set.count; n++) {
        assert_within(dew_array_view_value(&u, n, 0), -50 * dew_array_view_value(&y, n, 0), 0);
        assert_within(dew_array_view_value(&u, n, 1), 50 * dew_array_view_value(&x, n, 0), 0);
        assert_within(dew_array_view_value(&affine, n, 1), -50, 0);
        assert_within(dew_array_view_value(&affine, n, 3), 50, 0);
    }
    assert_ok(dew_world_particles(pair.world, "drops", "target_volume", &drops));
    assert_int_equal(drops.count, 1);
    assert_near(dew_array_view_value(&drops, 0, 0), 4.0 / 3 * DEW_PI * 1e-9, 0.01);
    assert_ok(dew_world_step(pair.world, 1e-4));
    close_world(pair);
}

static void columns_hold_a_lake(void **state)
{
    (void)state;
    Pair pair = open_world("solver: shallow\ndimensions: 2\nduration: 10 s\n"
                           "domain: {min: [0, 0, 0], max: [1, 1, 0.5], cell: 50 mm, "
                           "walls: {others: wall}}\nmaterials: {wall: {}}\n"
                           "liquid: {density: 1000, viscosity: 0, surface_tension: 0}\n"
                           "drops: [{shape: box, min: [0, 0, 0], max: [1, 0.1, 0.5]}]\n");
    enum { COLUMNS = 20, ROWS = 10 };
    double ground[COLUMNS * ROWS], depth[COLUMNS * ROWS], copy[COLUMNS * ROWS];
    for (int n = 0; n < COLUMNS * ROWS; n++) {
        ground[n] = 0.01 * (n % COLUMNS);
        depth[n] = fmax(0, 0.12 - ground[n]);
    }
    dew_ColumnsDef def = {.ground_m = ground, .depth_m = depth, .count = COLUMNS * ROWS};
    dew_FieldView view;
    dew_CellBox box;
    dew_Stats stats;
    assert_ok(dew_world_set_columns(pair.world, &def));
    assert_ok(dew_world_field(pair.world, "depth", &view));
    assert_int_equal(view.layout, DEW_LAYOUT_COLUMNS);
    assert_true(view.columns.columns == COLUMNS && view.columns.rows == ROWS);
    assert_within(dew_field_view_position_m(&view, 3, 1, 0).x, 0.175, 1e-12);
    assert_within(dew_field_view_position_m(&view, 3, 1, 0).z, 0.075, 1e-12);
    assert_ok(dew_world_field_box(pair.world, "depth", &box));
    assert_ok(dew_world_field_copy(pair.world, "depth", &box, copy, COLUMNS * ROWS));
    assert_memory_equal(copy, depth, sizeof depth);
    assert_ok(dew_world_step(pair.world, 0.5));
    dew_world_stats(pair.world, &stats);
    assert_within(stats.max_speed_m_s, 0, 1e-12);
    assert_within(stats.volume_error, 0, 1e-12);
    def.count--;
    assert_int_equal(dew_world_set_columns(pair.world, &def).code, DEW_BAD_INPUT);
    close_world(pair);
}

static void what_a_solver_lacks_is_said(void **state)
{
    (void)state;
    Pair pair = open_world("solver: surface\n" DROP);
    dew_FieldView view;
    dew_ArrayView array;
    dew_VelocityField velocity = {.velocity_m_s = turning};
    assert_int_equal(dew_world_field_count(pair.world), 0);
    assert_int_equal(dew_world_particle_set_count(pair.world), 0);
    dew_Status status = dew_world_field(pair.world, "phi", &view);
    assert_int_equal(status.code, DEW_UNSUPPORTED);
    assert_string_equal(status.message, "solver surface has no field 'phi' (it has none)");
    assert_int_equal(dew_world_particles(pair.world, "markers", "id", &array).code,
                     DEW_UNSUPPORTED);
    assert_int_equal(dew_world_set_velocity(pair.world, &velocity).code, DEW_UNSUPPORTED);
    assert_int_equal(dew_world_set_columns(pair.world, &(dew_ColumnsDef){0}).code, DEW_UNSUPPORTED);
    close_world(pair);
    pair = open_world("solver: splash\nsplash: {tension: true}\n" DROP);
    status = dew_world_field(pair.world, "fi", &view);
    assert_string_equal(status.message, "solver splash has no field 'fi' (it has phi, velocity_x, "
                                        "velocity_y, velocity_z, pressure)");
    status = dew_world_particles(pair.world, "markers", "mass", &array);
    assert_string_equal(status.message, "particles 'markers' have no attribute 'mass' (they have "
                                        "position_x, position_y, position_z, id)");
    assert_ok(dew_world_particles(pair.world, "droplets", "volume", &array));
    close_world(pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_of_a_ball),
        cmocka_unit_test(fractions_add_up_to_the_volume),
        cmocka_unit_test(particles_take_a_velocity),
        cmocka_unit_test(columns_hold_a_lake),
        cmocka_unit_test(what_a_solver_lacks_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
