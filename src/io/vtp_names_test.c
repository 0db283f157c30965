// Vectors to attributes and back.
#include "io/vtp_names.h"

#include "io/reader_test.h"

static void expect_name(const char *array, int64_t count, int64_t component, const char *expected)
{
    char name[DEW_VTP_NAME_SIZE];
    dew_vtp_attribute_name(array, count, component, name);
    assert_string_equal(name, expected);
}

static void test_components(void **state)
{
    (void)state;
    expect_name("wet", 1, 0, "wet");
    expect_name("Normals", 3, 2, "nz");
    expect_name("normal", 3, 0, "nx");
    expect_name("Velocity", 3, 1, "vy");
    expect_name("velocity", 2, 1, "velocity_1");
    expect_name("force", 3, 1, "force_y");
    expect_name("tensor", 9, 8, "tensor_8");
    expect_name("a_name_that_is_much_too_long_for_us", 3, 1, "a_name_that_is_much_too_long__y");
}

static void test_groups(void **state)
{
    (void)state;
    static const char *const names[] = {"vy", "nx", "vx", "vz", "ny", "a_x", "a_y", "normal_x"};
    dew_Mesh mesh;
    dew_VtpGroup group;
    dew_make_tetrahedron(&mesh, true);
    dew_add_attributes(&mesh, names, 8);
    assert_true(dew_vtp_group(&mesh, 0, &group));  // vy leads the vector
    assert_string_equal(group.name, "velocity");
    assert_int_equal(group.component_count, 3);
    assert_string_equal(group.of[0]->name, "vx");
    assert_string_equal(group.of[1]->name, "vy");
    assert_string_equal(group.of[2]->name, "vz");
    assert_false(dew_vtp_group(&mesh, 2, &group));  // vx belongs to it
    assert_true(dew_vtp_group(&mesh, 1, &group));   // there is no nz
    assert_string_equal(group.name, "nx");
    assert_int_equal(group.component_count, 1);
    assert_true(dew_vtp_group(&mesh, 5, &group));
    assert_string_equal(group.name, "a_x");
    assert_true(dew_vtp_group(&mesh, 7, &group));
    assert_string_equal(group.name, "normal_x");
    dew_mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_components),
        cmocka_unit_test(test_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
