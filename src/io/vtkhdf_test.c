// VTKHDF files: what libhdf5 and the format's rules find in each step is what was written.
#include "io/vtkhdf.h"

#include "base/testing.h"
#include "io/animation_sample.h"
#include "io/hdf5_file.h"
#include "io/vtkhdf_names.h"

#include <stdio.h>

#ifdef DEW_HAVE_HDF5

#include <hdf5.h>

static const char *const topologies[4] = {"Vertices", "Lines", "Polygons", "Strips"};

static dew_Array write_sample(void)
{
    dew_Array bytes;
    dew_Sink sink;
    dew_array_init(&bytes, NULL, 1);
    dew_sink_begin_memory(&sink, &bytes);
    assert_ok(dew_sink_end(&sink, dew_sample_write(&dew_vtkhdf_ops, &sink, NULL)));
    return bytes;
}

static hid_t open_sample(dew_Array *bytes)
{
    static const char name[] = "in memory";
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    *bytes = write_sample();
    assert_true(H5Pset_fapl_core(access, 1 << 20, false) >= 0);
    assert_true(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0);
    assert_true(H5Pset_file_image(access, bytes->data, (size_t)bytes->count) >= 0);
    hid_t file = H5Fopen(name, H5F_ACC_RDONLY, access);
    assert_true(file >= 0);
    H5Pclose(access);
    return file;
}

static void close_sample(hid_t file, dew_Array *bytes)
{
    H5Fclose(file);
    dew_array_deinit(bytes);
}

// Numbers of an array of the file; *count of them. To be freed.
static void *read_array(hid_t file, const char *block, const char *name, hid_t type, size_t size,
                        int64_t *count)
{
    char path[200];
    snprintf(path, sizeof path, "/VTKHDF/%s/%s", block, name);
    hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    if (set < 0)
        fail_msg("no array is called %s", path);
    hid_t space = H5Dget_space(set);
    *count = (int64_t)H5Sget_simple_extent_npoints(space);
    void *values = malloc((size_t)*count * size + 1);
    assert_non_null(values);
    assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Sclose(space);
    H5Dclose(set);
    return values;
}

static int64_t read_number(hid_t file, const char *block, const char *name, int64_t index)
{
    int64_t count;
    int64_t *values = (int64_t *)read_array(file, block, name, H5T_NATIVE_INT64, 8, &count);
    if (index < 0 || index >= count)
        fail_msg("%s of %s has %lld numbers, not %lld", name, block, (long long)count,
                 (long long)index);
    int64_t value = values[index];
    free(values);
    return value;
}

static void read_text(hid_t file, const char *path, const char *name, char text[64])
{
    hid_t group = H5Gopen2(file, path, H5P_DEFAULT);
    hid_t attribute = H5Aopen(group, name, H5P_DEFAULT), type = H5Aget_type(attribute);
    assert_true(H5Tget_class(type) == H5T_STRING && H5Tget_cset(type) == H5T_CSET_ASCII);
    assert_true(H5Tget_size(type) < 64 && H5Tget_strpad(type) == H5T_STR_NULLPAD);
    memset(text, 0, 64);
    assert_true(H5Aread(attribute, type, text) >= 0);
    assert_int_equal(strlen(text), H5Tget_size(type));  // VTK takes a final zero for a character
    H5Tclose(type);
    H5Aclose(attribute);
    H5Gclose(group);
}

static int read_integer(hid_t file, const char *path, const char *name)
{
    int value[2] = {-1, -1};
    hid_t group = H5Gopen2(file, path, H5P_DEFAULT);
    hid_t attribute = H5Aopen(group, name, H5P_DEFAULT);
    assert_true(H5Aread(attribute, H5T_NATIVE_INT, value) >= 0);
    H5Aclose(attribute);
    H5Gclose(group);
    return value[0];
}

// ---- the rules ---------------------------------------------------------------------------------

static int64_t part_of(hid_t file, const char *block, int step)
{
    assert_int_equal(read_number(file, block, "Steps/NumberOfParts", step), 1);
    return read_number(file, block, "Steps/PartOffsets", step);
}

// How VTK 9.4 finds the first offset of a part: as many entries further as parts are needed until
// their cells are those before the step.
static int64_t first_offset(hid_t file, const char *block, const char *topology, int64_t part,
                            int64_t cell)
{
    char name[64];
    int64_t sum = 0, parts = 0;
    snprintf(name, sizeof name, "%s/NumberOfCells", topology);
    for (int64_t i = 0; i < part && sum < cell; i++, parts++)
        sum += read_number(file, block, name, i);
    return cell + parts;
}

static void expect_array(hid_t file, const char *block, int step, const char *name,
                         const float *values, int64_t points, int width)
{
    char path[100];
    int64_t count;
    snprintf(path, sizeof path, "Steps/PointDataOffsets/%s", name);
    int64_t begin = read_number(file, block, path, step) * width;
    snprintf(path, sizeof path, "PointData/%s", name);
    float *all = (float *)read_array(file, block, path, H5T_NATIVE_FLOAT, 4, &count);
    assert_true(begin + points * width <= count);
    for (int64_t i = 0; i < points * width; i++)
        assert_true(all[begin + i] == values[i]);
    free(all);
}

static void expect_points(hid_t file, const char *block, int step, const float *positions,
                          int64_t count, double tolerance)
{
    int64_t total, begin = 3 * read_number(file, block, "Steps/PointOffsets", step);
    assert_int_equal(read_number(file, block, "NumberOfPoints", part_of(file, block, step)), count);
    float *points = (float *)read_array(file, block, "Points", H5T_NATIVE_FLOAT, 4, &total);
    assert_true(begin + 3 * count <= total);
    for (int64_t i = 0; i < 3 * count; i++)
        assert_within((double)points[begin + i], (double)positions[i], tolerance);
    free(points);
}

// The cells of one topology; corners NULL: each is the next point.
static void expect_cells(hid_t file, const char *block, int step, int topology,
                         const uint32_t *corners, int64_t cells, int64_t corner_count)
{
    char name[64];
    int64_t part = part_of(file, block, step);
    int64_t cell = read_number(file, block, "Steps/CellOffsets", 4 * step + topology);
    int64_t id = read_number(file, block, "Steps/ConnectivityIdOffsets", 4 * step + topology);
    snprintf(name, sizeof name, "%s/NumberOfCells", topologies[topology]);
    assert_int_equal(read_number(file, block, name, part), cells);
    snprintf(name, sizeof name, "%s/NumberOfConnectivityIds", topologies[topology]);
    assert_int_equal(read_number(file, block, name, part), cells * corner_count);
    int64_t first = first_offset(file, block, topologies[topology], part, cell);
    snprintf(name, sizeof name, "%s/Offsets", topologies[topology]);
    for (int64_t i = 0; i <= cells; i++)
        assert_int_equal(read_number(file, block, name, first + i), corner_count * i);
    snprintf(name, sizeof name, "%s/Connectivity", topologies[topology]);
    for (int64_t i = 0; i < cells * corner_count; i++)
        assert_int_equal(read_number(file, block, name, id + i), corners ? corners[i] : i);
    if (cells > 0)  // the offset that the format's text gives
        assert_int_equal(first, cell + part);
}

static void expect_no_other_cells(hid_t file, const char *block, int step, int topology)
{
    for (int t = 0; t < 4; t++)
        if (t != topology)
            expect_cells(file, block, step, t, NULL, 0, 0);
}

// ---- tests -------------------------------------------------------------------------------------

static void test_tree(void **state)
{
    (void)state;
    static const char *const names[] = {"Assembly", "water", "lid_left", "late", "spray", "pane"};
    dew_Array bytes;
    hid_t file = open_sample(&bytes);
    char text[64], path[100];
    read_text(file, "/VTKHDF", "Type", text);
    assert_string_equal(text, "PartitionedDataSetCollection");
    assert_int_equal(read_integer(file, "/VTKHDF", "Version"), 2);
    for (int i = 0; i < 6; i++) {  // in the order of creation
        assert_true(H5Lget_name_by_idx(file, "/VTKHDF", H5_INDEX_CRT_ORDER, H5_ITER_INC, (hsize_t)i,
                                       text, sizeof text, H5P_DEFAULT) > 0);
        assert_string_equal(text, names[i]);
        if (i == 0)
            continue;
        snprintf(path, sizeof path, "/VTKHDF/%s", names[i]);
        read_text(file, path, "Type", text);
        assert_string_equal(text, "PolyData");
        assert_int_equal(read_integer(file, path, "Index"), i - 1);
        assert_int_equal(read_integer(file, path, "Version"), 2);
        snprintf(path, sizeof path, "/VTKHDF/Assembly/%s/%s", names[i], names[i]);
        assert_true(H5Lget_val(file, path, text, sizeof text, H5P_DEFAULT) >= 0);
        snprintf(path, sizeof path, "/VTKHDF/%s", names[i]);
        assert_string_equal(text, path);
        snprintf(path, sizeof path, "/VTKHDF/%s/Steps", names[i]);
        assert_int_equal(read_integer(file, path, "NSteps"), DEW_SAMPLE_FRAMES);
        int64_t count;
        double *times =
            (double *)read_array(file, names[i], "Steps/Values", H5T_NATIVE_DOUBLE, 8, &count);
        assert_int_equal(count, DEW_SAMPLE_FRAMES);
        for (int k = 0; k < DEW_SAMPLE_FRAMES; k++)
            assert_near(times[k], (DEW_SAMPLE_FIRST + k) / 24.0, 1e-15);
        free(times);
    }
    read_text(file, "/Dew", "up_axis", text);
    assert_string_equal(text, "z");
    close_sample(file, &bytes);
}

static void test_liquid(void **state)
{
    (void)state;
    dew_Array bytes;
    hid_t file = open_sample(&bytes);
    for (int k = 0; k < DEW_SAMPLE_FRAMES; k++) {
        dew_SampleFrame f;
        const dew_AnimationMesh *mesh = dew_sample_states(&f, k)[0].mesh;
        int64_t n = mesh->vertex_count;
        expect_points(file, "water", k, mesh->positions, n, 0);
        expect_cells(file, "water", k, 2, mesh->triangles, mesh->triangle_count, 3);
        expect_no_other_cells(file, "water", k, 2);
        expect_array(file, "water", k, "Normals", mesh->normals, n, 3);
        expect_array(file, "water", k, "velocity", mesh->velocities, n, 3);
        expect_array(file, "water", k, "wet", f.wet, n, 1);
        expect_array(file, "water", k, "drop", f.drop, n, 1);
    }
    close_sample(file, &bytes);
}

// Points move, the triangles are stored once.
static void test_moving_solid(void **state)
{
    (void)state;
    dew_Array bytes;
    hid_t file = open_sample(&bytes);
    for (int k = 0; k < DEW_SAMPLE_FRAMES; k++) {
        float want[4][3];
        double angle = 0.1 * k;
        for (int i = 0; i < 4; i++) {
            const float *p = dew_sample_corners[i];
            double x = (double)p[0], y = (double)p[1], z = (double)p[2];
            want[i][0] = (float)(cos(angle) * x - sin(angle) * y + 0.25 * k);
            want[i][1] = (float)(sin(angle) * x + cos(angle) * y);
            want[i][2] = (float)(z + 2);
        }
        expect_points(file, "lid_left", k, want[0], 4, 2e-7);  // rounding to single precision
        expect_cells(file, "lid_left", k, 2, dew_sample_tetrahedron, 4, 3);
    }
    int64_t count;
    free(read_array(file, "lid_left", "Polygons/Connectivity", H5T_NATIVE_INT64, 8, &count));
    assert_int_equal(count, 12);
    free(read_array(file, "lid_left", "Points", H5T_NATIVE_FLOAT, 4, &count));
    assert_int_equal(count, 3 * 4 * DEW_SAMPLE_FRAMES);
    close_sample(file, &bytes);
}

static void test_absent(void **state)
{
    (void)state;
    dew_Array bytes;
    hid_t file = open_sample(&bytes);
    for (int k = 0; k < DEW_SAMPLE_FRAMES; k++) {
        dew_SampleFrame f;
        bool is_there = k == 2 || k == 3;
        dew_sample_states(&f, k);
        expect_points(file, "late", k, f.late_positions[0], is_there ? 4 : 0, 0);
        expect_cells(file, "late", k, 2, dew_sample_tetrahedron, is_there ? 4 : 0, 3);
    }
    int64_t count;
    free(read_array(file, "late", "Points", H5T_NATIVE_FLOAT, 4, &count));
    assert_int_equal(count, 12);
    close_sample(file, &bytes);
}

static void test_particles(void **state)
{
    (void)state;
    dew_Array bytes;
    hid_t file = open_sample(&bytes);
    for (int k = 0; k < DEW_SAMPLE_FRAMES; k++) {
        dew_SampleFrame f;
        dew_sample_states(&f, k);
        expect_points(file, "spray", k, f.points[0], k, 0);
        expect_cells(file, "spray", k, 0, NULL, k, 1);
        expect_no_other_cells(file, "spray", k, 0);
        expect_array(file, "spray", k, "velocity", f.point_velocities[0], k, 3);
        expect_array(file, "spray", k, "id", f.ids, k, 1);
    }
    close_sample(file, &bytes);
}

static void test_static(void **state)
{
    (void)state;
    dew_Array bytes;
    hid_t file = open_sample(&bytes);
    dew_SampleFrame f;
    int64_t count;
    dew_sample_states(&f, 0);
    for (int k = 0; k < DEW_SAMPLE_FRAMES; k++) {
        expect_points(file, "pane", k, dew_sample_corners[0], 4, 0);
        expect_cells(file, "pane", k, 2, dew_sample_tetrahedron, 4, 3);
        expect_array(file, "pane", k, "uv", f.pane_uv[0], 4, 2);
        expect_array(file, "pane", k, "color", f.pane_color[0], 4, 3);
    }
    free(read_array(file, "pane", "Points", H5T_NATIVE_FLOAT, 4, &count));
    assert_int_equal(count, 12);
    close_sample(file, &bytes);
}

static void test_same_bytes(void **state)
{
    (void)state;
    dew_Array bytes = write_sample(), again = write_sample();
    assert_int_equal(bytes.count, again.count);
    assert_memory_equal(bytes.data, again.data, (size_t)bytes.count);
    dew_array_deinit(&bytes);
    dew_array_deinit(&again);
}

static dew_Status write_in_memory(void *context, const dew_Allocator *allocator)
{
    dew_Array bytes;
    dew_Sink sink;
    (void)context;
    dew_array_init(&bytes, allocator, 1);
    dew_sink_begin_memory(&sink, &bytes);
    dew_Status status = dew_sink_end(&sink, dew_sample_write(&dew_vtkhdf_ops, &sink, allocator));
    dew_array_deinit(&bytes);
    return status;
}

static void test_no_memory(void **state)
{
    (void)state;
    assert_survives_lack_of_memory(write_in_memory, NULL);
}

static herr_t count_report(hid_t stack, void *context)
{
    (void)stack;
    ++*(int *)context;
    return 0;
}

// Errors of the library become one sentence; what the host set for their report is as before.
static void test_errors(void **state)
{
    (void)state;
    int reports = 0;
    dew_Hdf hdf;
    H5E_auto2_t function;
    void *context;
    H5Eset_auto2(H5E_DEFAULT, count_report, &reports);
    assert_ok(dew_hdf_begin(&hdf, NULL));
    dew_hdf_group(&hdf, 0, "twice");
    dew_hdf_group(&hdf, 0, "twice");
    assert_int_equal(hdf.status.code, DEW_NO_MEMORY);
    assert_string_equal(hdf.status.message, "libhdf5 cannot build the file: name already exists");
    assert_int_equal(dew_hdf_end(&hdf, NULL, NULL).code, DEW_NO_MEMORY);
    dew_hdf_close(&hdf);
    H5Eget_auto2(H5E_DEFAULT, &function, &context);
    assert_true(function == count_report && context == &reports);
    assert_int_equal(reports, 0);
}

#else

static void test_left_out(void **state)
{
    (void)state;
    dew_AnimationDef def = dew_sample_def();
    void *writer = &def;
    dew_Status status = dew_vtkhdf_ops.create(&def, NULL, NULL, &writer);
    assert_int_equal(status.code, DEW_UNSUPPORTED);
    assert_string_equal(status.message,
                        "this build of Dew has no HDF5, which VTKHDF needs; install "
                        "libhdf5 with its headers and build again");
    assert_null(writer);
}

#endif

static void test_names(void **state)
{
    (void)state;
    dew_Arena arena;
    const char *names[5] = {"Assembly"};
    dew_arena_init(&arena, NULL);
    assert_ok(dew_vtkhdf_block_name(&arena, "a/b.c", names, 1));
    assert_ok(dew_vtkhdf_block_name(&arena, "a b_c", names, 2));
    assert_ok(dew_vtkhdf_block_name(&arena, "7up", names, 3));
    assert_ok(dew_vtkhdf_block_name(&arena, "Assembly", names, 4));
    assert_string_equal(names[1], "a_b_c");
    assert_string_equal(names[2], "a_b_c_2");
    assert_string_equal(names[3], "_7up");
    assert_string_equal(names[4], "Assembly_2");
    assert_ok(dew_vtkhdf_array_name(&arena, "x/y \xc3\xa4.z", names, 0));
    assert_ok(dew_vtkhdf_array_name(&arena, "", names, 1));
    assert_string_equal(names[0], "x_y \xc3\xa4_z");
    assert_string_equal(names[1], "_");
    dew_arena_deinit(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef DEW_HAVE_HDF5
        cmocka_unit_test(test_tree),         cmocka_unit_test(test_liquid),
        cmocka_unit_test(test_moving_solid), cmocka_unit_test(test_absent),
        cmocka_unit_test(test_particles),    cmocka_unit_test(test_static),
        cmocka_unit_test(test_same_bytes),   cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_errors),
#else
        cmocka_unit_test(test_left_out),
#endif
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
