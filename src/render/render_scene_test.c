// From problems to image scenes: bodies and their looks, liquid in contact, motion, and what is
// told when something is missing.
#include <math.h>

#include "base/testing.h"
#include "problem/problem_testing.h"
#include "render/render_scene.h"
#include "surface/surface.h"

#define assert_near(a, b, allowed) assert_true(fabs((double)(a) - (double)(b)) <= (allowed))
#define FLOOR                                                                                      \
    "solver: volume\n"                                                                             \
    "domain: {min: [-6 mm, 0 mm, -6 mm], max: [6 mm, 6 mm, 6 mm], cell: 0.25 mm, "                 \
    "walls: {floor: glass}}\n"                                                                     \
    "materials: {glass: {angle: 60 deg}, oak: {angle: 60 deg}}\n"
#define CAP                                                                                        \
    "drops: [{shape: cap, point: [0, 0, 0], normal: [0, 1, 0], volume: 10 mm^3, angle: 60 deg}]\n"

typedef struct Fixture {
    TestProblem t;
    dew_RenderScene *scene;
    dew_Surface *surface;
    dew_Status status;
} Fixture;

// The scene's first drops as a surface; vertices within a micrometre of a solid are wet.
static void make_surface(Fixture *f)
{
    assert_int_equal(dew_surface_create(NULL, &f->surface).code, DEW_OK);
    for (int64_t i = 0; i < dew_problem_blob_count(f->t.problem); i++) {
        dew_Mesh mesh;
        dew_mesh_init(&mesh, NULL);
        const dew_Blob *blob = dew_problem_blob(f->t.problem, i);
        assert_int_equal(dew_blob_mesh(f->t.problem, blob, 0.3e-3, &mesh).code, DEW_OK);
        dew_surface_append_mesh(f->surface, &mesh, blob->velocity_m_s);
        dew_mesh_deinit(&mesh);
    }
    const dew_Vec3 *x = f->surface->positions.data;
    for (int64_t i = 0; i < f->surface->positions.count; i++)
        DEW_ITEMS(&f->surface->wet, float)
    [i] = dew_problem_distance(f->t.problem, NULL, x[i], (double)INFINITY) < 1e-6;
    assert_int_equal(dew_surface_finish(f->surface).code, DEW_OK);
}

static void show(Fixture *f)
{
    f->status = dew_render_scene_create(f->t.problem, &(dew_RenderSceneDef){0}, &f->scene);
    if (f->status.code == DEW_OK)
        f->status = dew_render_scene_set(
            f->scene, &(dew_RenderInstant){.surface = f->surface, .shutter_s = -1});
}

static void make(Fixture *f, const char *text)
{
    test_make(&f->t, text);
    assert_string_equal(f->t.status.message, "");
    make_surface(f);
    show(f);
}

static void drop(Fixture *f)
{
    dew_render_scene_destroy(f->scene);
    dew_surface_destroy(f->surface);
    test_done(&f->t);
}

static void bodies_look_as_their_materials(void **state)
{
    (void)state;
    Fixture f = {0};
    make(&f, FLOOR CAP
         "solids: [{shape: sphere, center: [3 mm, 2 mm, 0], radius: 1 mm, material: oak}]\n");
    assert_string_equal(f.status.message, "");
    const dew_RenderBody *bodies = f.scene->bodies.data;
    assert_int_equal(f.scene->bodies.count, 3);
    assert_int_equal(bodies[0].look.kind, DEW_LOOK_WOOD);
    assert_int_equal(bodies[1].kind, DEW_BODY_CLEAR);  // the floor: a pane
    assert_int_equal(bodies[2].solid_id, DEW_INVALID);
    assert_near(bodies[2].medium.ior, 1.333, 1e-3);
    assert_true(bodies[1].priority > bodies[2].priority);
    drop(&f);
}

// Wet vertices lie below the floor, a little; dry ones are where they were.
static void wet_liquid_is_sunk(void **state)
{
    (void)state;
    Fixture f = {0};
    make(&f, FLOOR CAP);
    assert_string_equal(f.status.message, "");
    const dew_Vec3 *x = f.scene->positions.data;
    int64_t first = f.scene->positions.count;
    const uint32_t *body = f.scene->triangle_body.data;
    for (int64_t t = 0; t < f.scene->triangles.count; t++)
        for (int k = 0; k < 3 && body[t] == 1; k++) {
            int64_t v = DEW_ITEMS(&f.scene->triangles, dew_Triangle)[t].v[k];
            first = v < first ? v : first;
        }
    double lowest = 0;
    for (int64_t i = 0; i < f.surface->positions.count; i++) {
        dew_Vec3 before = DEW_ITEMS(&f.surface->positions, dew_Vec3)[i];
        bool is_wet = DEW_ITEMS(&f.surface->wet, float)[i] > 0.5f;
        assert_true(is_wet ? x[first + i].y < -1e-6 : dew_distance(x[first + i], before) == 0);
        lowest = fmin(lowest, x[first + i].y);
    }
    assert_true(lowest > -0.05e-3);  // of edges of 0.3 mm
    drop(&f);
}

// Where two walls meet, wet triangles that reach from one to the other would leave air in the
// corner: they go below both.
static void no_air_is_left_in_corners(void **state)
{
    (void)state;
    Fixture f = {0};
    const dew_Vec3 corners[4] = {
        {-6e-3, 1e-3, 0}, {-5e-3, 0, 0}, {-6e-3, 1e-3, 1e-3}, {-5e-3, 0, 1e-3}};
    const dew_Triangle sides[4] = {{{0, 1, 2}}, {{1, 3, 2}}, {{0, 2, 3}}, {{0, 3, 1}}};
    dew_Mesh mesh;
    test_make(&f.t, "solver: volume\n"
                    "domain: {min: [-6 mm, 0 mm, -6 mm], max: [6 mm, 6 mm, 6 mm], cell: 0.25 mm, "
                    "walls: {floor: glass, left: glass}}\n"
                    "materials: {glass: {angle: 60 deg}}\n" CAP);
    assert_string_equal(f.t.status.message, "");
    assert_int_equal(dew_surface_create(NULL, &f.surface).code, DEW_OK);
    dew_mesh_init(&mesh, NULL);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(dew_array_push(&mesh.positions, &corners[i]).code, DEW_OK);
        assert_int_equal(dew_array_push(&mesh.triangles, &sides[i]).code, DEW_OK);
    }
    dew_surface_append_mesh(f.surface, &mesh, dew_vec(0, 0, 0));
    dew_mesh_deinit(&mesh);
    for (int i = 0; i < 4; i++)
        DEW_ITEMS(&f.surface->wet, float)[i] = 1;
    assert_int_equal(dew_surface_finish(f.surface).code, DEW_OK);
    show(&f);
    assert_string_equal(f.status.message, "");
    const dew_Vec3 *x = f.scene->positions.data;
    const uint32_t *body = f.scene->triangle_body.data;
    int64_t seen = 0;
    for (int64_t t = 0; t < f.scene->triangles.count; t++)
        for (int k = 0; k < 3 && (int64_t)body[t] == f.scene->bodies.count - 1; k++) {
            const uint32_t *v = DEW_ITEMS(&f.scene->triangles, dew_Triangle)[t].v;
            dew_Vec3 middle = dew_combine(0.5, x[v[k]], 0.5, x[v[(k + 1) % 3]]);
            assert_true(dew_problem_distance(f.t.problem, NULL, middle, (double)INFINITY) < 0);
            seen++;
        }
    assert_true(seen >= 12);
    drop(&f);
}

// Liquid whose mesh cuts the corner between two walls off, as a grid's does, fills it in images: of
// the edge from wall to wall the end that is nearer to the corner goes there.
static void corners_are_filled(void **state)
{
    (void)state;
    Fixture f = {0};
    const dew_Vec3 corners[6] = {{-6e-3, 0.2e-3, 0},  {-6e-3, 0.2e-3, 1e-3}, {-5.82e-3, 0, 0},
                                 {-5.82e-3, 0, 1e-3}, {-4e-3, 1e-3, 0},      {-4e-3, 1e-3, 1e-3}};
    const dew_Triangle sides[8] = {{{0, 2, 1}}, {{1, 2, 3}}, {{2, 4, 3}}, {{3, 4, 5}},
                                   {{4, 0, 5}}, {{5, 0, 1}}, {{0, 4, 2}}, {{1, 3, 5}}};
    dew_Mesh mesh;
    test_make(&f.t, "solver: volume\n"
                    "domain: {min: [-6 mm, 0 mm, -6 mm], max: [6 mm, 6 mm, 6 mm], cell: 0.25 mm, "
                    "walls: {floor: glass, left: glass}}\n"
                    "materials: {glass: {angle: 60 deg}}\n" CAP);
    assert_string_equal(f.t.status.message, "");
    assert_int_equal(dew_surface_create(NULL, &f.surface).code, DEW_OK);
    dew_mesh_init(&mesh, NULL);
    for (int i = 0; i < 6; i++)
        assert_int_equal(dew_array_push(&mesh.positions, &corners[i]).code, DEW_OK);
    for (int i = 0; i < 8; i++)
        assert_int_equal(dew_array_push(&mesh.triangles, &sides[i]).code, DEW_OK);
    dew_surface_append_mesh(f.surface, &mesh, dew_vec(0, 0, 0));
    dew_mesh_deinit(&mesh);
    for (int i = 0; i < 4; i++)
        DEW_ITEMS(&f.surface->wet, float)[i] = 1;
    assert_int_equal(dew_surface_finish(f.surface).code, DEW_OK);
    show(&f);
    assert_string_equal(f.status.message, "");
    const dew_Vec3 *x = f.scene->positions.data;
    const uint32_t *body = f.scene->triangle_body.data;
    int in_both = 0, in_left = 0;
    for (int64_t c = 0; c < 3 * f.scene->triangles.count; c++) {
        dew_Vec3 p = x[DEW_ITEMS(&f.scene->triangles, dew_Triangle)[c / 3].v[c % 3]];
        bool is_liquid = (int64_t)body[c / 3] == f.scene->bodies.count - 1;
        in_both += is_liquid && p.x < -6e-3 && p.y < 0;
        in_left += is_liquid && p.x < -6e-3 && p.y > 0.19e-3;
    }
    assert_true(in_both > 4 && in_left > 4);
    drop(&f);
}

// Of a sheet of liquid, as two dimensions make it, the edges between front and rim are sharp.
static void sheets_keep_their_edges(void **state)
{
    (void)state;
    Fixture f = {0};
    make(&f,
         FLOOR "drops: [{shape: box, min: [-2 mm, 1 mm, -0.1 mm], max: [2 mm, 3 mm, 0.1 mm]}]\n");
    assert_string_equal(f.status.message, "");
    const dew_Float3 *normals = f.scene->corner_normals.data;
    const uint32_t *body = f.scene->triangle_body.data;
    for (int64_t c = 0; c < 3 * f.scene->triangles.count; c++) {
        dew_Float3 n = normals[c];
        float largest = fmaxf(fabsf(n.x), fmaxf(fabsf(n.y), fabsf(n.z)));
        assert_true(body[c / 3] != 1 || largest > 0.9999f);
    }
    drop(&f);
}

// Liquid from side to side of its domain has flat faces there and sharp edges. It goes a little
// into a wall that is drawn, and ends at an open side and at the wall before the camera.
static void liquid_ends_flat_at_the_sides(void **state)
{
    (void)state;
    Fixture f = {0};
    make(&f, "solver: volume\n"
             "domain: {min: [-6 mm, 0 mm, -6 mm], max: [6 mm, 6 mm, 6 mm], cell: 0.25 mm, "
             "walls: {floor: glass, left: glass, front: glass, others: open}}\n"
             "materials: {glass: {angle: 60 deg}}\n"
             "drops: [{shape: box, min: [-6 mm, 0, -6 mm], max: [6 mm, 2 mm, 6 mm]}]\n"
             "camera: {eye: [2 mm, 8 mm, 30 mm], target: [0, 0, 0]}\n");
    assert_string_equal(f.status.message, "");
    const dew_Vec3 *x = f.scene->positions.data;
    const dew_Float3 *normals = f.scene->corner_normals.data;
    const uint32_t *body = f.scene->triangle_body.data;
    int left = 0, right = 0, front = 0, top = 0;
    for (int64_t c = 0; c < 3 * f.scene->triangles.count; c++) {
        if ((int64_t)body[c / 3] != f.scene->bodies.count - 1)
            continue;
        dew_Vec3 p = x[DEW_ITEMS(&f.scene->triangles, dew_Triangle)[c / 3].v[c % 3]];
        dew_Float3 n = normals[c];
        assert_true(fmaxf(fabsf(n.x), fmaxf(fabsf(n.y), fabsf(n.z))) > 0.9999f);
        left += n.x < -0.5f && p.x < -6.001e-3;
        right += n.x > 0.5f && p.x == 6e-3;
        front += n.z > 0.5f && p.z == 6e-3;
        top += n.y > 0.5f;
        assert_true(p.x <= 6e-3 && p.z <= 6e-3 * (1 + 1e-15) && p.x > -6.2e-3);  // to the last bits
    }
    assert_true(left > 6 && right > 6 && front > 6 && top > 6);
    drop(&f);
}

static void moving_liquid_and_solids_smear(void **state)
{
    (void)state;
    Fixture f = {0};
    make(&f, TEST_HEAD "drops: [{shape: sphere, radius: 1 mm, velocity: [0, -1, 0]}]\n"
                       "solids: [{shape: box, center: [0, -4 mm, 0], size: [4 mm, 1 mm, 4 mm], "
                       "material: glass, velocity: [2, 0, 0]}]\n"
                       "camera: {shutter: 1 ms}\n");
    assert_string_equal(f.status.message, "");
    dew_SolidPose pose[1];
    dew_problem_poses(f.t.problem, 0, pose);
    dew_Instant instant = {.poses = pose};
    dew_RenderInstant now = {.instant = &instant, .surface = f.surface, .shutter_s = -1};
    assert_int_equal(dew_render_scene_set(f.scene, &now).code, DEW_OK);
    const dew_Vec3 *motions = f.scene->motions.data;
    assert_true(f.scene->is_moving);
    assert_near(motions[0].x, 2e-3, 1e-12);
    assert_near(motions[f.scene->motions.count - 1].y, -1e-3, 1e-9);
    drop(&f);
}

static void missing_and_broken_files_are_told(void **state)
{
    (void)state;
    const struct {
        const char *text, *message;
    } cases[] = {
        {FLOOR CAP "look: {glass: {texture: none.png}}\n", "look.glass.texture"},
        {FLOOR CAP "environment: none.exr\n", "none.exr"},
        {FLOOR CAP "environment: broken.exr\n", "broken.exr"},
        {FLOOR CAP "environment: broken.hdr\n", "broken.hdr"},
        {FLOOR CAP "solids: [{shape: sphere, name: ball, radius: 2 mm, center: [0, 4 mm, 0]}]\n"
                   "camera: {eye: [0, 4 mm, 0], target: [0, 0, 0], up: [0, 0, 1]}\n",
         "inside the solid ball"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Fixture f = {0};
        test_folder(&f.t);
        test_text_file(&f.t, "broken.exr", "this is no image");
        test_text_file(&f.t, "broken.hdr", "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 9 +X 9\nxx");
        make(&f, cases[i].text);
        assert_int_equal(f.status.code == DEW_OK, 0);
        assert_non_null(strstr(f.status.message, cases[i].message));
        assert_null(strchr(f.status.message, '\n'));
        drop(&f);
    }
}

static void an_empty_frame_needs_a_camera(void **state)
{
    (void)state;
    Fixture f = {0};
    make(&f, FLOOR CAP);
    dew_surface_clear(f.surface);
    dew_RenderInstant now = {.surface = f.surface, .shutter_s = -1};
    dew_Status status = dew_render_scene_set(f.scene, &now);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "camera"));
    drop(&f);
    Fixture g = {0};
    make(&g, FLOOR CAP "camera: {eye: [0, 5 mm, 20 mm], target: [0, 0, 0]}\n");
    dew_surface_clear(g.surface);
    now.surface = g.surface;
    assert_int_equal(dew_render_scene_set(g.scene, &now).code, DEW_OK);
    drop(&g);
}

static void wet_maps_are_read_where_the_solid_is(void **state)
{
    (void)state;
    Fixture f = {0};
    make(&f, TEST_HEAD TEST_DROP "solids: [{shape: box, center: [0, -4 mm, 0], "
                                 "size: [4 mm, 1 mm, 4 mm], material: glass}]\n");
    dew_Mesh mesh;
    float *wetness;
    dew_mesh_init(&mesh, NULL);
    assert_int_equal(dew_problem_solid_mesh(f.t.problem, 0, 0.5e-3, &mesh).code, DEW_OK);
    assert_int_equal(dew_mesh_attribute(&mesh, "wetness", &wetness).code, DEW_OK);
    for (int64_t i = 0; i < mesh.positions.count; i++)
        wetness[i] = dew_mesh_positions(&mesh)[i].x > 0;
    dew_WetMesh wet = {{dew_mesh_positions(&mesh), mesh.positions.count,
                        dew_mesh_triangles(&mesh)->v, mesh.triangles.count},
                       wetness};
    dew_RenderInstant now = {.surface = f.surface, .wet_meshes = &wet, .shutter_s = -1};
    assert_int_equal(dew_render_scene_set(f.scene, &now).code, DEW_OK);
    const dew_RenderBody *body = f.scene->bodies.data;
    assert_non_null(body->wet_map);
    assert_near(dew_wet_map_at(body->wet_map, dew_f3(1.5e-3f, 0.5e-3f, 0)), 1, 1e-6);
    assert_near(dew_wet_map_at(body->wet_map, dew_f3(-1.5e-3f, 0.5e-3f, 0)), 0, 1e-6);
    dew_mesh_deinit(&mesh);
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_look_as_their_materials),
        cmocka_unit_test(wet_liquid_is_sunk),
        cmocka_unit_test(no_air_is_left_in_corners),
        cmocka_unit_test(sheets_keep_their_edges),
        cmocka_unit_test(corners_are_filled),
        cmocka_unit_test(liquid_ends_flat_at_the_sides),
        cmocka_unit_test(moving_liquid_and_solids_smear),
        cmocka_unit_test(missing_and_broken_files_are_told),
        cmocka_unit_test(an_empty_frame_needs_a_camera),
        cmocka_unit_test(wet_maps_are_read_where_the_solid_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
