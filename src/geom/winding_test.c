// Winding numbers: known values, the fast one against the exact one, holes.
#include "geom/winding.h"

#include "geom/sample_meshes.h"

typedef struct Fixture {
    dew_Mesh mesh;
    dew_Bvh *bvh;
    dew_WindingCluster *clusters;
} Fixture;

static size_t cluster_bytes(const Fixture *f)
{
    return (size_t)(DEW_BVH_WIDTH * f->bvh->node_count) * sizeof(dew_WindingCluster);
}

static void begin(Fixture *f)
{
    assert_ok(dew_bvh_create(&f->mesh, NULL, NULL, &f->bvh));
    f->clusters = dew_alloc(NULL, (int64_t)cluster_bytes(f), 1);
    assert_non_null(f->clusters);
    dew_winding_clusters(f->bvh, f->clusters);
}

static void end(Fixture *f)
{
    dew_free(NULL, f->clusters, cluster_bytes(f));
    dew_bvh_destroy(f->bvh);
    dew_mesh_deinit(&f->mesh);
}

static void one_inside_none_outside_two_in_the_overlap(void **state)
{
    (void)state;
    Fixture f;
    dew_Mesh other;
    dew_mesh_init(&f.mesh, NULL);
    dew_mesh_init(&other, NULL);
    assert_ok(dew_shape_icosphere(1, 8, &f.mesh));
    assert_ok(dew_shape_icosphere(1, 8, &other));
    dew_mesh_transform(&other, 1, dew_rotation_identity(), dew_vec(1, 0, 0));
    assert_ok(dew_mesh_append(&f.mesh, &other));
    const struct {
        dew_Vec3 p;
        double winding;
    } cases[] = {{{-0.5, 0.1, 0}, 1}, {{0.5, 0.1, 0}, 2}, {{1.5, 0.1, 0}, 1}, {{0.5, 2, 0}, 0}};
    begin(&f);
    for (int i = 0; i < 4; i++) {
        assert_within(dew_winding_exact(&f.mesh, cases[i].p), cases[i].winding, 1e-13);
        assert_within(dew_winding_fast(f.bvh, f.clusters, cases[i].p, 2), cases[i].winding, 0.05);
    }
    end(&f);
    dew_mesh_deinit(&other);
}

// What the expansion leaves out falls with the square of the accuracy: by 4 from 2 to 4. The
// pattern of groups blurs that for the worst point; a factor of 3 is asked for.
static void the_fast_one_converges_to_the_exact_one(void **state)
{
    (void)state;
    Fixture f;
    dew_mesh_init(&f.mesh, NULL);
    sample_blob(&f.mesh, 20);
    f.mesh.triangles.count -= 300;  // a hole: numbers between 0 and 1 too
    begin(&f);
    dew_Random random = dew_random(11, 0, 0);
    double worst[2] = {0, 0};
    for (int n = 0; n < 400; n++) {
        dew_Vec3 p = sample_point(&random, 1.6);
        double exact = dew_winding_exact(&f.mesh, p);
        for (int k = 0; k < 2; k++)
            worst[k] =
                fmax(worst[k], fabs(dew_winding_fast(f.bvh, f.clusters, p, k ? 4 : 2) - exact));
    }
    assert_true(worst[0] < 0.05);
    assert_true(worst[1] < worst[0] / 3);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_inside_none_outside_two_in_the_overlap),
        cmocka_unit_test(the_fast_one_converges_to_the_exact_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
