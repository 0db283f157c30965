// Curved patches: nothing shrinks, nothing cracks, a coarse ball becomes a ball.
#include <math.h>

#include "base/random.h"
#include "base/testing.h"
#include "geom/mesh_audit.h"
#include "geom/mesh_measure.h"
#include "geom/shapes.h"
#include "render/patches.h"

#include <string.h>

#define assert_near(a, b, allowed) assert_true(fabs((double)(a) - (double)(b)) <= (allowed))

typedef struct Refined {
    dew_Mesh mesh, fine;
    dew_PatchMesh patches;
    dew_Arena arena;
    dew_Float3 *normals;
} Refined;

static void refine(Refined *r, const uint8_t *is_hidden, const uint8_t *is_flat, int cuts)
{
    int64_t count = r->mesh.positions.count;
    dew_arena_init(&r->arena, NULL);
    r->normals = dew_arena_array(&r->arena, dew_Float3, count);
    dew_Vec3 *motions = dew_arena_array(&r->arena, dew_Vec3, count);
    dew_patches_normals(&r->mesh, is_hidden, r->normals);
    assert_int_equal(
        dew_patches_refine(&r->mesh, r->normals, motions, is_flat, cuts, &r->arena, &r->patches)
            .code,
        DEW_OK);
    dew_mesh_init(&r->fine, NULL);
    dew_array_append(&r->fine.positions, r->patches.positions, r->patches.vertex_count);
    dew_array_append(&r->fine.triangles, r->patches.triangles, r->patches.triangle_count);
}

static void done(Refined *r)
{
    dew_mesh_deinit(&r->mesh);
    dew_mesh_deinit(&r->fine);
    dew_arena_deinit(&r->arena);
}

static void normals_of_a_ball_are_exact(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_Float3 normals[2000];
    dew_mesh_init(&mesh, NULL);
    dew_shape_icosphere(0.003, 5, &mesh);
    dew_patches_normals(&mesh, NULL, normals);
    for (int64_t i = 0; i < mesh.positions.count; i++) {
        dew_Vec3 expected = dew_normalize(dew_mesh_positions(&mesh)[i]);
        assert_true(dew_distance(dew_f3_wide(normals[i]), expected) < 1e-5);
    }
    dew_mesh_deinit(&mesh);
}

// The largest and the mean error of the normals of an ellipsoid whose vertices are off by `noise`
// edges.
static void uneven(int frequency, double noise, bool is_evened, double *largest, double *mean)
{
    dew_Mesh mesh;
    dew_Arena scratch;
    dew_mesh_init(&mesh, NULL);
    dew_arena_init(&scratch, NULL);
    dew_shape_icosphere(1, frequency, &mesh);
    int64_t count = mesh.positions.count;
    dew_Float3 *normals = dew_arena_array(&scratch, dew_Float3, count);
    dew_Vec3 *exact = dew_arena_array(&scratch, dew_Vec3, count), *x = mesh.positions.data;
    dew_Random random = dew_random(7, 0, 0);
    for (int64_t v = 0; v < count; v++) {
        dew_Vec3 along = dew_scale(0.1 / frequency, dew_random_direction(&random));
        dew_Vec3 p = dew_normalize(dew_add(x[v], along));  // triangles of any shape
        exact[v] = dew_normalize(dew_vec(p.x / 1.3, p.y, p.z / 0.8));
        x[v] = dew_add_scaled(dew_vec(1.3 * p.x, p.y, 0.8 * p.z),
                              noise * dew_random_range(&random, -1, 1) / frequency, exact[v]);
    }
    dew_patches_normals(&mesh, NULL, normals);
    if (is_evened)
        assert_int_equal(dew_patches_even_normals(&mesh, NULL, &scratch, normals).code, DEW_OK);
    *largest = *mean = 0;
    for (int64_t v = 0; v < count; v++) {
        double error = dew_distance(dew_f3_wide(normals[v]), exact[v]);
        *largest = fmax(*largest, error);
        *mean += error / (double)count;
    }
    dew_arena_deinit(&scratch);
    dew_mesh_deinit(&mesh);
}

// Noise falls to less than a half. Without noise the error falls with the square of the edges, and
// is none of noise's size.
static void normals_become_even(void **state)
{
    (void)state;
    double largest[2], mean[2];
    uneven(20, 0.02, false, &largest[0], &mean[0]);
    uneven(20, 0.02, true, &largest[1], &mean[1]);
    assert_true(mean[1] < mean[0] / 2 && largest[1] < largest[0] / 2);
    uneven(10, 0, true, &largest[0], &mean[0]);
    uneven(20, 0, true, &largest[1], &mean[1]);
    assert_true(mean[1] < mean[0] / 3);
    assert_true(mean[1] < 2e-3);
}

// 320 triangles: flat ones miss some 3 % of the volume; patches must come within 0.3 %.
static void a_coarse_ball_becomes_round(void **state)
{
    (void)state;
    Refined r;
    dew_mesh_init(&r.mesh, NULL);
    dew_shape_icosphere(1, 4, &r.mesh);
    refine(&r, NULL, NULL, 5);
    assert_true(r.patches.triangle_count == r.mesh.triangles.count * 25);
    double ball = 4 * DEW_PI / 3;
    assert_true(dew_mesh_measure(&r.mesh).volume_m3 < 0.98 * ball);
    assert_near(dew_mesh_measure(&r.fine).volume_m3, ball, 0.003 * ball);
    for (int64_t i = 0; i < r.fine.positions.count; i++)
        assert_near(dew_length(dew_mesh_positions(&r.fine)[i]), 1, 0.004);
    // The corners stay, to the bit.
    assert_memory_equal(r.fine.positions.data, r.mesh.positions.data,
                        (size_t)r.mesh.positions.count * sizeof(dew_Vec3));
    done(&r);
}

// Each half-edge has its opposite: vertices on edges are shared.
static void patches_are_closed(void **state)
{
    (void)state;
    Refined r;
    dew_mesh_init(&r.mesh, NULL);
    dew_shape_cap(1, DEW_DEG(70), 0.4, &r.mesh);
    for (int cuts = 1; cuts <= 4; cuts++) {
        refine(&r, NULL, NULL, cuts);
        // A closed surface has Euler's count, here that of a ball: V - E + F = 2 with 2 E = 3 F.
        assert_true(r.fine.positions.count - r.fine.triangles.count / 2 == 2);
        double before = dew_mesh_measure(&r.mesh).volume_m3;
        assert_near(dew_mesh_measure(&r.fine).volume_m3, before, 0.1 * before);
        dew_mesh_deinit(&r.fine);
        dew_arena_deinit(&r.arena);
    }
    dew_mesh_deinit(&r.mesh);
}

// A box keeps its edges, a ball has none.
static void creases_stay(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_Arena scratch;
    dew_Float3 normals[3 * 2000];
    dew_mesh_init(&mesh, NULL);
    dew_arena_init(&scratch, NULL);
    dew_shape_box(dew_vec(1, 1, 1), 0, &mesh);
    assert_int_equal(dew_patches_corner_normals(&mesh, DEW_DEG(40), &scratch, normals).code,
                     DEW_OK);
    for (int64_t c = 0; c < 3 * mesh.triangles.count; c++) {
        float largest = fmaxf(fabsf(normals[c].x), fmaxf(fabsf(normals[c].y), fabsf(normals[c].z)));
        assert_near(largest, 1, 1e-6);
    }
    dew_shape_icosphere(1, 6, &mesh);
    assert_int_equal(dew_patches_corner_normals(&mesh, DEW_DEG(40), &scratch, normals).code,
                     DEW_OK);
    for (int64_t c = 0; c < 3 * mesh.triangles.count; c++) {
        dew_Vec3 p = dew_mesh_positions(&mesh)[dew_mesh_triangles(&mesh)[c / 3].v[c % 3]];
        assert_true(dew_distance(dew_f3_wide(normals[c]), p) < 1e-5);
    }
    dew_arena_deinit(&scratch);
    dew_mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normals_of_a_ball_are_exact),
        cmocka_unit_test(normals_become_even),
        cmocka_unit_test(a_coarse_ball_becomes_round),
        cmocka_unit_test(patches_are_closed),
        cmocka_unit_test(creases_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
