// Marching cubes on fields that are nasty, and on fields that are known.
#include "surface/marching_cubes.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/random.h"
#include "base/testing.h"
#include "geom/mesh_audit.h"
#include "geom/mesh_measure.h"

static dew_MarchingOut out_of(dew_Mesh *mesh)
{
    return (dew_MarchingOut){&mesh->positions, &mesh->triangles, NULL};
}

static void march_block(const dew_NodeBlock *block, const dew_MarchingDef *def, dew_Mesh *mesh)
{
    assert_ok(dew_marching_cubes_block(block, def, out_of(mesh)));
}

static void assert_clean(const dew_Mesh *mesh, bool with_self_intersections)
{
    if (mesh->triangles.count == 0)
        return;  // to the audit, nothing is not closed
    dew_MeshAuditDef def = {.skip_self_intersections = !with_self_intersections};
    dew_MeshAudit audit;
    assert_ok(dew_mesh_audit(mesh, &def, &audit));
    if (!dew_mesh_audit_is_clean(&audit)) {
        char text[400];
        dew_mesh_audit_summary(&audit, text, sizeof text);
        fail_msg("%s", text);
    }
    assert_int_equal(audit.count[DEW_FLAW_DEGENERATE], 0);
    assert_int_equal(audit.count[DEW_FLAW_UNREFERENCED], 0);
}

// Both cells of a pair with every sign pattern of their twelve nodes: every case beside every other
// it can lie beside, the ambiguous faces among them; closed at the border too. Along the other axes
// a fifth of them, for the table treats all axes alike (marching_cubes_table_test.c).
static void every_pair_of_cases(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    dew_MarchingDef def = dew_default_marching_def();
    for (int axis = 0; axis < 3; axis++) {
        int64_t n[3] = {2, 2, 2};
        n[axis] = 3;
        for (int bits = axis; bits < 4096; bits += axis ? 5 : 1) {
            double values[12];
            for (int i = 0; i < 12; i++)
                values[i] = bits >> i & 1 ? -1 : 1;
            dew_NodeBlock block = {
                .f64 = values, .nx = n[0], .ny = n[1], .nz = n[2], .spacing_m = 1};
            march_block(&block, &def, &mesh);
            assert_int_equal(mesh.triangles.count == 0, bits == 0);
            assert_clean(&mesh, bits % 16 == 3);
        }
    }
    dew_mesh_deinit(&mesh);
}

static double nasty_value(dew_Random *random)
{
    static const double special[6] = {0.0,         -0.0,   (double)INFINITY, -(double)INFINITY,
                                      (double)NAN, -1e-300};
    uint32_t choice = dew_random_u32(random) % 32;
    return choice < 6 ? special[choice] : dew_random_range(random, -1, 1);
}

static void random_fields_are_clean(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    dew_Arena scratch;
    dew_arena_init(&scratch, NULL);
    dew_MarchingDef def = dew_default_marching_def();
    def.scratch = &scratch;
    for (uint64_t field = 0; field < 10000; field++) {
        dew_Random random = dew_random(7, field, 0);
        double f64[5 * 5 * 10];
        float f32[5 * 5 * 10];
        int64_t n[3];
        for (int axis = 0; axis < 3; axis++)
            n[axis] = 1 + dew_random_u32(&random) % (axis == (int)(field % 3) ? 10 : 5);
        for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++) {
            f64[i] = nasty_value(&random);
            f32[i] = (float)f64[i];
        }
        bool is_float = field % 2;
        dew_NodeBlock block = {.f32 = is_float ? f32 : NULL,
                               .f64 = is_float ? NULL : f64,
                               .nx = n[0],
                               .ny = n[1],
                               .nz = n[2],
                               .origin_m = {-3, 1, 2},
                               .spacing_m = 0.25};
        march_block(&block, &def, &mesh);
        assert_clean(&mesh, field % 16 == 0);
    }
    dew_arena_deinit(&scratch);
    dew_mesh_deinit(&mesh);
}

// ---- known shapes -------------------------------------------------------------------------------

static double *sample_ball(int64_t n, double radius, dew_Vec3 center)
{
    double *values = (double *)malloc((size_t)(n * n * n) * sizeof(double));
    assert_non_null(values);
    for (int64_t i = 0; i < n * n * n; i++) {
        dew_Vec3 x = {(double)(i % n), (double)(i / n % n), (double)(i / n / n)};
        values[i] = dew_distance(x, center) - radius;
    }
    return values;
}

// A chord h of the ball misses it by h^2/8R at most; the vertices themselves by less. So volume and
// area are off by less than 3 and 2 times h^2/8R^2 times the two, and by a quarter at half the
// spacing.
static void ball_is_second_order(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    dew_MarchingDef def = dew_default_marching_def();
    double volume_error[3], area_error[3];
    for (int level = 0; level < 3; level++) {
        int64_t n = 20 << level;
        double radius = 0.4 * (double)n, middle = 0.5 * (double)n - 0.37;
        double *values = sample_ball(n, radius, dew_vec(middle, middle + 0.21, middle - 0.1));
        dew_NodeBlock block = {.f64 = values, .nx = n, .ny = n, .nz = n, .spacing_m = 1};
        march_block(&block, &def, &mesh);
        assert_clean(&mesh, level == 0);
        dew_MeshMeasure measure = dew_mesh_measure(&mesh);
        volume_error[level] =
            fabs(measure.volume_m3 / (4 * DEW_PI / 3 * radius * radius * radius) - 1);
        area_error[level] = fabs(measure.area_m2 / (4 * DEW_PI * radius * radius) - 1);
        double chord = 3 / (8 * radius * radius);  // diagonals of cells have h^2 = 3
        assert_true(volume_error[level] < 3 * chord && area_error[level] < 2 * chord);
        free(values);
    }
    for (int level = 0; level < 2; level++) {
        double volume_order = log2(volume_error[level] / volume_error[level + 1]);
        double area_order = log2(area_error[level] / area_error[level + 1]);
        assert_true(volume_order > 1.8 && volume_order < 2.2);
        assert_true(area_order > 1.8 && area_order < 2.2);
    }
    dew_mesh_deinit(&mesh);
}

// Central differences of a distance are right to h^2/6 times its third derivative, at most 1.5/R^2
// here; interpolation along the edge adds h^2/8 of the same.
static void gradients_are_normals(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_Array normals;
    dew_mesh_init(&mesh, NULL);
    dew_array_init(&normals, NULL, sizeof(dew_Vec3));
    dew_MarchingDef def = dew_default_marching_def();
    double radius = 12;
    dew_Vec3 center = {15.3, 15.1, 14.9};
    double *values = sample_ball(31, radius, center);
    dew_NodeBlock block = {.f64 = values, .nx = 31, .ny = 31, .nz = 31, .spacing_m = 1};
    dew_MarchingOut out = out_of(&mesh);
    out.normals = &normals;
    assert_ok(dew_marching_cubes_block(&block, &def, out));
    assert_int_equal(normals.count, mesh.positions.count);
    for (int64_t i = 0; i < normals.count; i++) {
        dew_Vec3 radial = dew_normalize(dew_sub(dew_mesh_positions(&mesh)[i], center));
        dew_Vec3 off = dew_sub(DEW_ITEMS(&normals, dew_Vec3)[i], radial);
        assert_true(dew_length(off) < 3 * 1.5 / (radius * radius) * (1.0 / 6 + 1.0 / 8));
    }
    free(values);
    dew_array_deinit(&normals);
    dew_mesh_deinit(&mesh);
}

// A block that is all inside becomes a box; one that is inside beyond a node plane is cut there.
// Both keep the least distance from the nodes, so no triangle is degenerate.
static void borders_and_zeroes(void **state)
{
    (void)state;
    enum { N = 12 };
    static double values[N * N * N];
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    dew_MarchingDef def = dew_default_marching_def();
    dew_NodeBlock block = {.f64 = values, .nx = N, .ny = N, .nz = N, .spacing_m = 0.5};
    for (int i = 0; i < N * N * N; i++)
        values[i] = -1;
    march_block(&block, &def, &mesh);
    assert_clean(&mesh, true);
    double side = 0.5 * (N - 1);
    assert_true(fabs(dew_mesh_measure(&mesh).volume_m3 - side * side * side) <
                6 * side * side * 0.5 * 1.01e-4);
    def.border_reach = 0.5;
    march_block(&block, &def, &mesh);
    assert_clean(&mesh, true);
    assert_true(fabs(dew_mesh_measure(&mesh).box_m.max.x - (side + 0.25)) < 1e-12);
    for (int i = 0; i < N * N * N; i++)
        values[i] = i / (N * N) - 5;  // exactly zero at k = 5
    march_block(&block, &def, &mesh);
    assert_clean(&mesh, true);
    assert_true(fabs(dew_mesh_measure(&mesh).box_m.max.z - 0.5 * 5) < 0.5 * 1.01e-4);
    dew_mesh_deinit(&mesh);
}

// Nodes that have the value of iso are outside, and nothing is where all are.
static void iso_is_outside(void **state)
{
    (void)state;
    float values[27];
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    dew_MarchingDef def = dew_default_marching_def();
    dew_NodeBlock block = {.f32 = values, .nx = 3, .ny = 3, .nz = 3, .spacing_m = 1};
    def.iso = 0.1;  // not a float
    for (int i = 0; i < 27; i++)
        values[i] = 0.1F;
    march_block(&block, &def, &mesh);
    assert_int_equal(mesh.positions.count, 0);
    values[13] = -0.9F;
    march_block(&block, &def, &mesh);
    assert_int_equal(mesh.positions.count, 6);
    assert_int_equal(mesh.triangles.count, 8);
    assert_clean(&mesh, true);
    dew_mesh_deinit(&mesh);
}

// ---- the same field in other clothes ------------------------------------------------------------

static uint64_t mesh_hash(const dew_Mesh *mesh)
{
    uint64_t hash =
        dew_hash(mesh->positions.data, (size_t)mesh->positions.count * sizeof(dew_Vec3), 1);
    return dew_hash(mesh->triangles.data, (size_t)mesh->triangles.count * sizeof(dew_Triangle),
                    hash);
}

static void waves(int64_t n, double *values)
{
    for (int64_t i = 0; i < n * n * n; i++) {
        double x = 0.31 * (double)(i % n), y = 0.29 * (double)(i / n % n);
        double z = 0.37 * (double)(i / n / n);
        values[i] = sin(x) * cos(y) + sin(y) * cos(z) + sin(z) * cos(x) - 0.1;
    }
}

static void part_of_a_larger_block(void **state)
{
    (void)state;
    enum { N = 24, M = 13 };
    static double values[N * N * N], part[M * M * M];
    waves(N, values);
    for (int i = 0; i < M * M * M; i++)
        part[i] = values[(i % M + 5) + N * (i / M % M + 3) + N * N * (i / M / M + 7)];
    dew_Mesh whole, cut;
    dew_mesh_init(&whole, NULL);
    dew_mesh_init(&cut, NULL);
    dew_MarchingDef def = dew_default_marching_def();
    dew_NodeBlock block = {.f64 = part, .nx = M, .ny = M, .nz = M, .spacing_m = 1};
    march_block(&block, &def, &whole);
    block.f64 = values + 5 + N * 3 + N * N * 7;
    block.stride_y = N;
    block.stride_z = N * N;
    march_block(&block, &def, &cut);
    assert_true(whole.triangles.count > 100);
    assert_true(mesh_hash(&whole) == mesh_hash(&cut));
    dew_mesh_deinit(&whole);
    dew_mesh_deinit(&cut);
}

static int compare_positions(const void *a, const void *b)
{
    const dew_Vec3 *p = (const dew_Vec3 *)a, *q = (const dew_Vec3 *)b;
    double difference = p->x != q->x ? p->x - q->x : p->y != q->y ? p->y - q->y : p->z - q->z;
    return (difference > 0) - (difference < 0);
}

// Positions in billionths (origins differ, and so do last bits), sorted.
static void sort_positions(dew_Mesh *mesh)
{
    double *coordinates = (double *)mesh->positions.data;
    for (int64_t i = 0; i < 3 * mesh->positions.count; i++)
        coordinates[i] = round(1e9 * coordinates[i]);
    qsort(coordinates, (size_t)mesh->positions.count, sizeof(dew_Vec3), compare_positions);
}

enum { BLOCK = 32, BRICKS = BLOCK / 8 };

typedef struct Bricks {
    float values[BRICKS * BRICKS * BRICKS][DEW_NODE_BRICK];
    int32_t coords[BRICKS * BRICKS * BRICKS][3];
    int64_t count;
} Bricks;

// The block cut into bricks, the last first and away from the origin; those without liquid left
// out.
static void cut_into_bricks(const double *block, bool leave_out, Bricks *out)
{
    out->count = 0;
    for (int b = BRICKS * BRICKS * BRICKS - 1; b >= 0; b--) {
        int at[3] = {b % BRICKS, b / BRICKS % BRICKS, b / BRICKS / BRICKS};
        bool has_inside = false;
        for (int i = 0; i < DEW_NODE_BRICK; i++) {
            int x = 8 * at[0] + i % 8, y = 8 * at[1] + i / 8 % 8, z = 8 * at[2] + i / 64;
            out->values[out->count][i] = (float)block[x + BLOCK * (y + BLOCK * z)];
            has_inside = has_inside || out->values[out->count][i] < 0;
        }
        for (int axis = 0; axis < 3; axis++)
            out->coords[out->count][axis] = at[axis] - 2;
        out->count += has_inside || !leave_out;
    }
}

// The same vertices in another order; without the bricks that have no liquid, as many.
static void bricks_are_like_the_block(void **state)
{
    (void)state;
    static double values[BLOCK * BLOCK * BLOCK];
    static Bricks bricks;
    waves(BLOCK, values);
    for (int i = 0; i < BLOCK * BLOCK * BLOCK; i++) {
        bool is_dry = i % BLOCK + i / BLOCK % BLOCK + i / BLOCK / BLOCK > 60;
        values[i] = is_dry ? 1 : (double)(float)values[i];
    }
    dew_Mesh dense, sparse;
    dew_mesh_init(&dense, NULL);
    dew_mesh_init(&sparse, NULL);
    dew_MarchingDef def = dew_default_marching_def();
    dew_NodeBlock block = {.f64 = values, .nx = BLOCK, .ny = BLOCK, .nz = BLOCK, .spacing_m = 1};
    march_block(&block, &def, &dense);
    for (int leave_out = 1; leave_out >= 0; leave_out--) {
        cut_into_bricks(values, leave_out, &bricks);
        assert_int_equal(bricks.count < BRICKS * BRICKS * BRICKS, leave_out);
        dew_NodeBricks field = {.f32 = bricks.values[0],
                                .brick_count = bricks.count,
                                .coords = (const int32_t(*)[3])bricks.coords,
                                .origin_m = {16, 16, 16},
                                .spacing_m = 1};
        assert_ok(dew_marching_cubes_bricks(&field, &def, out_of(&sparse)));
        assert_clean(&sparse, true);
        assert_int_equal(sparse.positions.count, dense.positions.count);
        assert_int_equal(sparse.triangles.count, dense.triangles.count);
    }
    sort_positions(&dense);
    sort_positions(&sparse);
    for (int64_t i = 0; i < dense.positions.count; i++)
        assert_int_equal(
            compare_positions(&dew_mesh_positions(&dense)[i], &dew_mesh_positions(&sparse)[i]), 0);
    dew_mesh_deinit(&dense);
    dew_mesh_deinit(&sparse);
}

static void random_bricks_are_clean(void **state)
{
    (void)state;
    static double values[27][DEW_NODE_BRICK];
    int32_t coords[27][3];
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    dew_MarchingDef def = dew_default_marching_def();
    for (uint64_t field = 0; field < 40; field++) {
        dew_Random random = dew_random(11, field, 0);
        int64_t count = 0;
        for (int b = 0; b < 27; b++) {
            if (dew_random_u32(&random) % 3 == 0)
                continue;
            coords[count][0] = b % 3 - 1;
            coords[count][1] = b / 3 % 3 - 1;
            coords[count][2] = b / 9 - 1;
            for (int i = 0; i < DEW_NODE_BRICK; i++)
                values[count][i] = dew_random_range(&random, -0.3, 1);
            count++;
        }
        dew_NodeBricks bricks = {.f64 = values[0],
                                 .brick_count = count,
                                 .coords = (const int32_t(*)[3])coords,
                                 .spacing_m = 1};
        assert_ok(dew_marching_cubes_bricks(&bricks, &def, out_of(&mesh)));
        assert_clean(&mesh, field % 8 == 0);
    }
    dew_mesh_deinit(&mesh);
}

static void two_bricks_at_one_place(void **state)
{
    (void)state;
    static float values[2 * DEW_NODE_BRICK];
    static const int32_t coords[2][3] = {{1, 2, 3}, {1, 2, 3}};
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    dew_MarchingDef def = dew_default_marching_def();
    dew_NodeBricks bricks = {.f32 = values, .brick_count = 2, .coords = coords, .spacing_m = 1};
    dew_Status status = dew_marching_cubes_bricks(&bricks, &def, out_of(&mesh));
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_string_equal(status.message, "bricks 0 and 1 are both at (1, 2, 3)");
    dew_mesh_deinit(&mesh);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    enum { N = 20 };
    static double values[N * N * N];
    waves(N, values);
    static const int32_t coords[1][3] = {{0, 0, 0}};
    dew_NodeBlock block = {.f64 = values, .nx = N, .ny = N, .nz = N, .spacing_m = 1};
    dew_NodeBricks brick = {.f64 = values, .brick_count = 1, .coords = coords, .spacing_m = 1};
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        torture.keeps_failing = true;
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_MarchingDef def = dew_default_marching_def();
        dew_Mesh mesh;
        dew_mesh_init(&mesh, &allocator);
        dew_Status status = dew_marching_cubes_block(&block, &def, out_of(&mesh));
        if (status.code == DEW_OK)
            status = dew_marching_cubes_bricks(&brick, &def, out_of(&mesh));
        dew_mesh_deinit(&mesh);
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        if (torture.calls <= n) {
            assert_ok(status);
            break;
        }
        assert_int_equal(status.code, DEW_NO_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_of_cases),       cmocka_unit_test(random_fields_are_clean),
        cmocka_unit_test(ball_is_second_order),      cmocka_unit_test(gradients_are_normals),
        cmocka_unit_test(borders_and_zeroes),        cmocka_unit_test(iso_is_outside),
        cmocka_unit_test(part_of_a_larger_block),    cmocka_unit_test(bricks_are_like_the_block),
        cmocka_unit_test(random_bricks_are_clean),   cmocka_unit_test(two_bricks_at_one_place),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
