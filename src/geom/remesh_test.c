// Remeshing: bounds reached and kept, volume and momentum accounted for, labels respected, the mesh
// sound after every pass under random deformation, bit-identical twice, no allocation once warm.
#include "geom/remesh_testing.h"

#include "base/random.h"
#include "base/torture.h"
#include "geom/triangle.h"

#include <string.h>

static void ball(TestDrop *d, int frequency)
{
    test_drop_init(d);
    assert_ok(dew_shape_icosphere(1, frequency, &d->mesh));
    test_drop_dress(d);
}

static dew_Remesh *workspace(void)
{
    dew_Remesh *remesh = NULL;
    assert_ok(dew_remesh_create(NULL, &remesh));
    return remesh;
}

static void good_mesh_is_left_alone(void **state)
{
    (void)state;
    TestDrop d;
    ball(&d, 8);
    dew_Remesh *remesh = workspace();
    double edge = test_edge_extreme(&d.mesh, true) / 1.2;
    dew_RemeshDef def = dew_default_remesh_def(edge);
    dew_RemeshResult r = test_drop_pass(&d, remesh, &def);
    assert_false(r.has_changed);
    assert_int_equal(r.piece_count, 1);
    assert_int_equal(dew_remesh_pieces(remesh)[0].vertex_count, d.mesh.positions.count);
    assert_int_equal(dew_remesh_pieces(remesh)[0].triangle_count, d.mesh.triangles.count);
    dew_remesh_destroy(remesh);
    test_drop_deinit(&d);
}

// A caller who vouches for one piece gets the report of the whole pass.
static void settled_drops_are_reported_early(void **state)
{
    (void)state;
    dew_Remesh *remesh = workspace();
    int settled = 0, unsettled = 0;
    for (int i = 0; i < 60; i++) {
        TestDrop d[2];
        dew_RemeshResult r[2];
        for (int k = 0; k < 2; k++) {
            ball(&d[k], 5);
            dew_Random random = dew_random(3, (uint64_t)i, 0);
            for (int64_t v = 0; v < d[k].mesh.positions.count; v++) {
                dew_Vec3 *x = &DEW_ITEMS(&d[k].mesh.positions, dew_Vec3)[v];
                *x = dew_add_scaled(*x, 0.002 * i, dew_random_direction(&random));
            }
            dew_RemeshDef def = {.min_edge_m = 0.1, .max_edge_m = 0.4, .is_one_piece = k == 1};
            r[k] = test_drop_pass(&d[k], remesh, &def);
        }
        assert_int_equal(r[0].has_changed, r[1].has_changed);
        assert_int_equal(r[0].flip_count, r[1].flip_count);
        assert_int_equal(r[0].split_count, r[1].split_count);
        assert_memory_equal(d[0].mesh.positions.data, d[1].mesh.positions.data,
                            (size_t)d[0].mesh.positions.count * sizeof(dew_Vec3));
        settled += !r[1].has_changed;
        unsettled += r[1].has_changed;
        test_drop_deinit(&d[0]);
        test_drop_deinit(&d[1]);
    }
    assert_true(settled > 5 && unsettled > 5);
    dew_remesh_destroy(remesh);
}

static void operations_are_bounded(void **state)
{
    (void)state;
    TestDrop d;
    ball(&d, 6);
    dew_Remesh *remesh = workspace();
    for (int64_t i = 1; i < 40; i++) {
        double edge = i % 2 ? 0.1 : 0.4;
        dew_RemeshDef def = dew_default_remesh_def(edge);
        def.max_operations = 1 + i % 3;
        dew_RemeshResult r = test_drop_pass(&d, remesh, &def);
        assert_int_equal(r.split_count + r.collapse_count + r.flip_count, def.max_operations);
    }
    dew_remesh_destroy(remesh);
    test_drop_deinit(&d);
}

static void refining_splits_to_the_bound(void **state)
{
    (void)state;
    TestDrop d;
    ball(&d, 2);
    dew_Remesh *remesh = workspace();
    dew_RemeshDef def = {.min_edge_m = 0, .max_edge_m = 0.3};
    for (int i = 0; i < 4; i++)
        assert_int_equal(test_drop_pass(&d, remesh, &def).collapse_count, 0);
    assert_true(test_edge_extreme(&d.mesh, true) <= def.max_edge_m);
    // Velocity is linear in space and splits halve edges: it stays what it was at each vertex.
    for (int64_t v = 0; v < d.mesh.positions.count; v++) {
        dew_Vec3 x = dew_mesh_positions(&d.mesh)[v], u = DEW_ITEMS(&d.velocities, dew_Vec3)[v];
        assert_true(dew_distance(u, dew_add(x, dew_vec(1, 2, 3))) < 1e-14);
    }
    dew_remesh_destroy(remesh);
    test_drop_deinit(&d);
}

// Splits hand the edges of long thin triangles on to new half-edges: none is forgotten.
static void spike_is_split_to_the_bound(void **state)
{
    (void)state;
    TestDrop d;
    ball(&d, 3);
    for (int64_t v = 0; v < 9; v += 4)
        DEW_ITEMS(&d.mesh.positions, dew_Vec3)[v] = dew_scale(20, dew_mesh_positions(&d.mesh)[v]);
    dew_Remesh *remesh = workspace();
    dew_RemeshDef def = {.max_edge_m = 0.6, .keep_flat = true, .max_operations = 100000};
    dew_RemeshResult r = test_drop_pass(&d, remesh, &def);
    assert_true(test_edge_extreme(&d.mesh, true) <= 0.6);
    assert_true(r.split_count < 4000);
    dew_remesh_destroy(remesh);
    test_drop_deinit(&d);
}

static void coarsening_keeps_the_volume(void **state)
{
    (void)state;
    TestDrop d;
    ball(&d, 16);
    dew_Remesh *remesh = workspace();
    dew_RemeshDef def = dew_default_remesh_def(0.3);
    def.keep_flat = true;  // flips change the volume, collapses of free vertices do not
    double volume = dew_mesh_measure(&d.mesh).volume_m3;
    dew_RemeshResult r = test_drop_pass(&d, remesh, &def);
    assert_true(r.collapse_count > 1000);
    assert_int_equal(r.loss_count + r.pinch_count, 0);
    assert_true(fabs(dew_mesh_measure(&d.mesh).volume_m3 - volume) <= 1e-12 * volume);
    assert_true(test_edge_extreme(&d.mesh, true) <= def.max_edge_m);
    // The sphere keeps its shape: chords of length l lie within l^2 / 8 of it, 1.5 times for the
    // shift.
    double allowed = 1.5 * def.max_edge_m * def.max_edge_m / 8;
    for (int64_t v = 0; v < d.mesh.positions.count; v++)
        assert_true(fabs(dew_length(dew_mesh_positions(&d.mesh)[v]) - 1) < allowed);
    dew_remesh_destroy(remesh);
    test_drop_deinit(&d);
}

// Largest sum of the two angles opposite an edge, over edges.
static double worst_angle_sum(const dew_Mesh *mesh)
{
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    double worst = 0;
    for (int64_t s = 0; s < mesh->triangles.count; s++) {
        for (int i = 0; i < 3; i++) {
            const uint32_t *u = dew_mesh_triangles(mesh)[s].v;
            uint32_t a = u[i], b = u[(i + 1) % 3], c = u[(i + 2) % 3];
            for (int64_t t = 0; t < mesh->triangles.count; t++) {
                const uint32_t *w = dew_mesh_triangles(mesh)[t].v;
                for (int k = 0; k < 3; k++) {
                    if (w[k] == b && w[(k + 1) % 3] == a)
                        worst = fmax(worst, dew_triangle_angle(x[c], x[a], x[b]) +
                                                dew_triangle_angle(x[w[(k + 2) % 3]], x[a], x[b]));
                }
            }
        }
    }
    return worst;
}

static void sheared_mesh_becomes_delaunay(void **state)
{
    (void)state;
    TestDrop d;
    ball(&d, 6);
    for (int64_t v = 0; v < d.mesh.positions.count; v++) {  // twist about y, the shape stays
        dew_Vec3 *x = &DEW_ITEMS(&d.mesh.positions, dew_Vec3)[v];
        *x = dew_rotate(dew_rotation_about(dew_vec(0, 1, 0), 1.2 * x->y), *x);
    }
    assert_true(worst_angle_sum(&d.mesh) > 1.2 * DEW_PI);
    dew_Remesh *remesh = workspace();
    dew_RemeshDef def = {.min_edge_m = 1e-3, .max_edge_m = 10};  // flips only
    dew_RemeshResult r = test_drop_pass(&d, remesh, &def);
    assert_true(r.flip_count > 10 && r.split_count == 0 && r.collapse_count == 0);
    assert_true(worst_angle_sum(&d.mesh) < DEW_PI + 1e-5);
    assert_false(test_drop_pass(&d, remesh, &def).has_changed);
    dew_remesh_destroy(remesh);
    test_drop_deinit(&d);
}

static void scales_make_edges_longer(void **state)
{
    (void)state;
    TestDrop d;
    ball(&d, 16);
    for (int64_t v = 0; v < d.mesh.positions.count; v++)
        DEW_ITEMS(&d.scales, double)[v] = dew_mesh_positions(&d.mesh)[v].y < 0 ? 4 : 1;
    dew_Remesh *remesh = workspace();
    dew_RemeshDef def = dew_default_remesh_def(0.08);
    for (int i = 0; i < 4; i++)
        test_drop_pass(&d, remesh, &def);
    int64_t above = 0, below = 0;
    for (int64_t v = 0; v < d.mesh.positions.count; v++) {
        above += dew_mesh_positions(&d.mesh)[v].y > 0.1;
        below += dew_mesh_positions(&d.mesh)[v].y < -0.1;
    }
    assert_true(above > 4 * below && below > 20);
    dew_remesh_destroy(remesh);
    test_drop_deinit(&d);
}

// ---- on a solid --------------------------------------------------------------------------------

static void onto_plane(void *context, uint8_t label, dew_Vec3 *position)
{
    assert_true(label & DEW_LABEL_TOUCHING);
    ++*(int64_t *)context;
    position->y = 0;
}

static void cap_on_plane(TestDrop *d, double edge)
{
    test_drop_init(d);
    assert_ok(dew_shape_cap(2, DEW_DEG(60), edge, &d->mesh));
    test_drop_dress(d);
    uint8_t *label = DEW_ITEMS(&d->labels, uint8_t);
    const dew_Vec3 *x = dew_mesh_positions(&d->mesh);
    for (int64_t v = 0; v < d->mesh.positions.count; v++)
        label[v] = fabs(x[v].y) < 1e-12 ? DEW_LABEL_TOUCHING : 0;
    for (int64_t t = 0; t < d->mesh.triangles.count; t++) {
        const uint32_t *v = dew_mesh_triangles(&d->mesh)[t].v;
        if (label[v[0]] & label[v[1]] & label[v[2]] & DEW_LABEL_TOUCHING)
            continue;
        for (int i = 0; i < 3; i++) {
            if (label[v[i]] & DEW_LABEL_TOUCHING)
                label[v[i]] |= DEW_LABEL_CONTACT_LINE;
        }
    }
}

// Length of the border of the wetted triangles; each border vertex must be labelled as contact
// line.
static double border_length(const TestDrop *d)
{
    const uint8_t *label = DEW_ITEMS(&d->labels, uint8_t);
    const dew_Vec3 *x = dew_mesh_positions(&d->mesh);
    double length = 0;
    for (int64_t t = 0; t < d->mesh.triangles.count; t++) {
        const uint32_t *v = dew_mesh_triangles(&d->mesh)[t].v;
        if (label[v[0]] & label[v[1]] & label[v[2]] & DEW_LABEL_TOUCHING)
            continue;
        for (int i = 0; i < 3; i++) {
            uint32_t a = v[i], b = v[(i + 1) % 3];
            if (!(label[a] & label[b] & DEW_LABEL_TOUCHING))
                continue;
            assert_true(label[a] & label[b] & DEW_LABEL_CONTACT_LINE);
            length += dew_distance(x[a], x[b]);
        }
    }
    return length;
}

static void contact_line_survives(void **state)
{
    (void)state;
    static const double edges[] = {0.05, 0.12, 0.3};
    for (int i = 0; i < 3; i++) {
        TestDrop d;
        cap_on_plane(&d, 0.12);
        int64_t calls = 0;
        dew_Remesh *remesh = workspace();
        dew_RemeshDef def = dew_default_remesh_def(edges[i]);
        def.project = onto_plane;
        def.context = &calls;
        double before = border_length(&d);
        for (int k = 0; k < 4; k++)
            test_drop_pass(&d, remesh, &def);
        for (int64_t v = 0; v < d.mesh.positions.count; v++) {
            double y = dew_mesh_positions(&d.mesh)[v].y;
            bool touches = DEW_ITEMS(&d.labels, uint8_t)[v] & DEW_LABEL_TOUCHING;
            assert_true(touches ? y == 0 : y > 0);
        }
        // A circle of radius r seen as a polygon of edges up to l is short by l^2 / (24 r^2).
        assert_true(calls > 0 || i == 1);
        assert_true(fabs(border_length(&d) / before - 1) < 0.02);
        dew_remesh_destroy(remesh);
        test_drop_deinit(&d);
    }
}

// ---- for long ----------------------------------------------------------------------------------

// A smooth random flow that stretches and squeezes, and noise that makes bad triangles.
static void stir(TestDrop *d, dew_Random *random, double noise)
{
    dew_Vec3 k = dew_scale(3, dew_random_direction(random)), u = dew_random_direction(random);
    double phase = dew_random_range(random, 0, 2 * DEW_PI);
    dew_Vec3 *x = DEW_ITEMS(&d->mesh.positions, dew_Vec3);
    u = dew_sub(u, dew_scale(dew_inner(u, k) / dew_length2(k), k));  // divergence-free
    for (int64_t v = 0; v < d->mesh.positions.count; v++) {
        x[v] = dew_add_scaled(x[v], 0.05 * sin(dew_inner(k, x[v]) + phase), u);
        x[v] = dew_add_scaled(x[v], noise * dew_random_unit(random), dew_random_direction(random));
    }
}

static void shaken_drop_stays_sound(void **state)
{
    (void)state;
    int64_t operations = 0, cuts = 0;
    for (uint64_t seed = 0; seed < 6; seed++) {
        TestDrop d;
        ball(&d, 12);
        dew_Remesh *remesh = workspace();
        dew_RemeshDef def = dew_default_remesh_def(0.1);
        def.smoothing = seed % 2 ? 0.5 : 0;
        dew_Random random = dew_random(seed, 1, 0);
        for (int step = 0; step < 300 && d.mesh.triangles.count < 20000; step++) {
            stir(&d, &random, 0.005 * (double)(seed / 2));
            dew_RemeshResult r = test_drop_pass(&d, remesh, &def);
            operations += r.split_count + r.collapse_count + r.flip_count;
            cuts += r.pinch_count + r.loss_count;
        }
        dew_remesh_destroy(remesh);
        test_drop_deinit(&d);
    }
    assert_true(operations > 100000);
    assert_true(cuts > 0);
}

static void bit_identical_twice(void **state)
{
    (void)state;
    TestDrop d[2];
    dew_Remesh *remesh = workspace();  // the second drop finds it warm
    dew_RemeshDef def = dew_default_remesh_def(0.15);
    for (int i = 0; i < 2; i++) {
        ball(&d[i], 8);
        dew_Random random = dew_random(3, 0, 0);
        for (int step = 0; step < 10; step++) {
            stir(&d[i], &random, 0.02);
            test_drop_pass(&d[i], remesh, &def);
        }
    }
    assert_int_equal(d[0].mesh.positions.count, d[1].mesh.positions.count);
    assert_int_equal(d[0].mesh.triangles.count, d[1].mesh.triangles.count);
    assert_memory_equal(d[0].mesh.positions.data, d[1].mesh.positions.data,
                        (size_t)d[0].mesh.positions.count * sizeof(dew_Vec3));
    assert_memory_equal(d[0].mesh.triangles.data, d[1].mesh.triangles.data,
                        (size_t)d[0].mesh.triangles.count * sizeof(dew_Triangle));
    for (int i = 0; i < 2; i++)
        test_drop_deinit(&d[i]);
    dew_remesh_destroy(remesh);
}

// ---- memory and bad input ----------------------------------------------------------------------

static void every_allocation_may_fail(void **state)
{
    (void)state;
    TestDrop original, d;
    ball(&original, 2);
    dew_RemeshDef def = dew_default_remesh_def(0.2);
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        ball(&d, 2);
        dew_Remesh *remesh = NULL;
        dew_Status status = dew_remesh_create(&allocator, &remesh);
        if (status.code == DEW_OK)
            status = dew_remesh_run(remesh, &def, &d.drop, NULL);
        dew_remesh_destroy(remesh);
        assert_true(torture.blocks == 0 && !torture.was_lied_to);
        bool is_last = torture.calls <= n;
        assert_int_equal(status.code, is_last ? DEW_OK : DEW_NO_MEMORY);
        if (!is_last) {  // the drop is as it was
            assert_int_equal(d.mesh.positions.count, original.mesh.positions.count);
            assert_memory_equal(d.mesh.triangles.data, original.mesh.triangles.data,
                                (size_t)d.mesh.triangles.count * sizeof(dew_Triangle));
        }
        test_drop_deinit(&d);
        if (is_last)
            break;
    }
    test_drop_deinit(&original);
}

static void warm_workspace_allocates_nothing(void **state)
{
    (void)state;
    dew_Torture torture = dew_torture(-1);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    dew_Remesh *remesh = NULL;
    assert_ok(dew_remesh_create(&allocator, &remesh));
    dew_RemeshDef def = dew_default_remesh_def(0.2);
    long long calls = 0;
    for (int round = 0; round < 3; round++) {
        TestDrop d;
        ball(&d, 4);
        dew_Random random = dew_random(9, 0, 0);
        calls = torture.calls;
        for (int step = 0; step < 8; step++) {
            stir(&d, &random, 0.02);
            test_drop_pass(&d, remesh, &def);
        }
        test_drop_deinit(&d);
    }
    assert_true(torture.calls == calls);
    dew_remesh_destroy(remesh);
    assert_true(torture.blocks == 0);
}

static void bad_input_is_refused_and_left_alone(void **state)
{
    (void)state;
    dew_Remesh *remesh = workspace();
    for (int kind = 0; kind < 6; kind++) {
        TestDrop d;
        ball(&d, 2);
        dew_RemeshDef def = dew_default_remesh_def(0.1);
        if (kind == 0)
            d.mesh.triangles.count--;
        else if (kind == 1)
            DEW_ITEMS(&d.mesh.positions, dew_Vec3)[5].y = (double)NAN;
        else if (kind == 2)
            DEW_ITEMS(&d.scales, double)[5] = 0;
        else if (kind == 3)
            d.velocities.count--;
        else if (kind == 4)
            def.max_edge_m = def.min_edge_m;
        else
            DEW_ITEMS(&d.mesh.triangles, dew_Triangle)[3].v[1] = 1000;
        int64_t vertices = d.mesh.positions.count;
        dew_Status status = dew_remesh_run(remesh, &def, &d.drop, NULL);
        assert_int_equal(status.code, DEW_BAD_INPUT);
        assert_true(status.message[0] != 0);
        assert_int_equal(d.mesh.positions.count, vertices);
        test_drop_deinit(&d);
    }
    dew_remesh_destroy(remesh);
}

static void unused_vertices_are_dropped(void **state)
{
    (void)state;
    TestDrop d;
    ball(&d, 4);
    int64_t vertices = d.mesh.positions.count;
    assert_ok(dew_mesh_add_vertex(&d.mesh, dew_vec(9, 9, 9)));
    test_drop_dress(&d);
    dew_Remesh *remesh = workspace();
    dew_RemeshDef def = {.min_edge_m = 0, .max_edge_m = 10};
    assert_true(test_drop_pass(&d, remesh, &def).has_changed);
    assert_int_equal(d.mesh.positions.count, vertices);
    dew_remesh_destroy(remesh);
    test_drop_deinit(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_mesh_is_left_alone),
        cmocka_unit_test(settled_drops_are_reported_early),
        cmocka_unit_test(operations_are_bounded),
        cmocka_unit_test(refining_splits_to_the_bound),
        cmocka_unit_test(spike_is_split_to_the_bound),
        cmocka_unit_test(coarsening_keeps_the_volume),
        cmocka_unit_test(sheared_mesh_becomes_delaunay),
        cmocka_unit_test(scales_make_edges_longer),
        cmocka_unit_test(contact_line_survives),
        cmocka_unit_test(shaken_drop_stays_sound),
        cmocka_unit_test(bit_identical_twice),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(warm_workspace_allocates_nothing),
        cmocka_unit_test(bad_input_is_refused_and_left_alone),
        cmocka_unit_test(unused_vertices_are_dropped),
    };
    return cmocka_run_group_tests_name("geom/remesh", tests, NULL, NULL);
}
