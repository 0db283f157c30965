// Which components are inside out: beside one another, nested, open, and where boxes mislead.
#include "geom/mesh_inside_out.h"

#include "geom/sample_meshes.h"

// A ball on the x axis.
typedef struct Ball {
    double radius, x;
    bool is_turned, is_open, is_expected;  // expected: to be called inside out
} Ball;

static void check(const Ball *balls, int count)
{
    dew_Mesh mesh, part;
    dew_Arena arena;
    dew_MeshEdges edges;
    dew_MeshPieces pieces;
    dew_mesh_init(&mesh, NULL);
    dew_mesh_init(&part, NULL);
    dew_arena_init(&arena, NULL);
    for (int i = 0; i < count; i++) {
        assert_ok(dew_shape_icosphere(balls[i].radius, 4, &part));
        dew_mesh_transform(&part, 1, dew_rotation_identity(), dew_vec(balls[i].x, 0, 0));
        if (balls[i].is_turned)
            dew_mesh_flip(&part);
        part.triangles.count -= balls[i].is_open;
        assert_ok(dew_mesh_append(&mesh, &part));
    }
    assert_ok(dew_mesh_edges(&mesh, &arena, &edges));
    assert_ok(dew_mesh_pieces(&mesh, &edges, &arena, &pieces));
    assert_int_equal(pieces.count, count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(pieces.is_closed[i], !balls[i].is_open);
        assert_int_equal(pieces.is_inside_out[i], balls[i].is_expected);
    }
    dew_arena_deinit(&arena);
    dew_mesh_deinit(&mesh);
    dew_mesh_deinit(&part);
}

static void balls_are_judged_one_by_one(void **state)
{
    (void)state;
    check((Ball[]){{1, 0, false, false, false}, {1, 5, true, false, true}}, 2);
    check((Ball[]){{1, 0, false, false, false}, {1, 5, true, true, false}}, 2);  // open: who knows
}

static void nested_balls_alternate_below_one_that_is_wrong(void **state)
{
    (void)state;
    check((Ball[]){{1, 0, true, false, true}, {0.5, 0, false, false, true}}, 2);
    check((Ball[]){{1, 0, true, false, true}, {0.5, 0, true, false, false}}, 2);
    check((Ball[]){{0.5, 0, true, false, false}, {1, 0, false, false, false}}, 2);
    check((Ball[]){{0.5, 0, false, false, false}, {1, 0, false, false, false}}, 2);
    // Two wholes, each with its cavity; only one is wrong.
    check((Ball[]){{1, 0, false, false, false},
                   {0.5, 0, true, false, false},
                   {1, 9, true, false, true},
                   {0.5, 9, false, false, true}},
          4);
}

// Its box lies in the box of the large ball, but itself it lies in the corner outside.
static void boxes_alone_do_not_tell(void **state)
{
    (void)state;
    dew_Mesh mesh, part;
    dew_Arena arena;
    dew_MeshEdges edges;
    dew_MeshPieces pieces;
    dew_mesh_init(&mesh, NULL);
    dew_mesh_init(&part, NULL);
    dew_arena_init(&arena, NULL);
    assert_ok(dew_shape_icosphere(1, 8, &mesh));
    assert_ok(dew_shape_icosphere(0.1, 2, &part));
    dew_mesh_transform(&part, 1, dew_rotation_identity(), dew_vec(0.8, 0.8, 0.8));
    dew_mesh_flip(&part);
    assert_ok(dew_mesh_append(&mesh, &part));
    assert_ok(dew_mesh_edges(&mesh, &arena, &edges));
    assert_ok(dew_mesh_pieces(&mesh, &edges, &arena, &pieces));
    assert_true(!pieces.is_inside_out[0] && pieces.is_inside_out[1]);
    dew_arena_deinit(&arena);
    dew_mesh_deinit(&mesh);
    dew_mesh_deinit(&part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_are_judged_one_by_one),
        cmocka_unit_test(nested_balls_alternate_below_one_that_is_wrong),
        cmocka_unit_test(boxes_alone_do_not_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
