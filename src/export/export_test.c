// Exports of a run's directory: whole or not at all, ended by the caller, without memory; meshes
// with creases.
#include "dew/run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/testing.h"
#include "export/creases.h"
#include "geom/shapes.h"
#include "run/run_testing.h"

static void write_run(const char *path)
{
    dew_RunDef def = dew_default_run_def();
    dew_Run *run = NULL;
    assert_ok(test_scene(TEST_SHORT, NULL, &def.scene));
    def.directory = path;
    def.until_s = 0.03;
    assert_ok(dew_run_create(&def, &run));
    assert_ok(dew_run_execute(run));
    dew_run_destroy(run);
    dew_scene_destroy(def.scene);
}

typedef struct Sample {
    TestDirectory run, out;
    char path[128];
    int64_t calls, last_call;  // progress ends the export with this one; < 0: never
} Sample;

static Sample begin(void)
{
    Sample sample = {.run = test_directory(), .out = test_directory(), .last_call = -1};
    write_run(sample.run.path);
    snprintf(sample.path, sizeof sample.path, "%s/run.glb", sample.out.path);
    return sample;
}

static void end(Sample *sample)
{
    test_remove(sample->run.path);
    test_remove(sample->out.path);
}

static bool count_frames(void *context, int64_t done, int64_t count)
{
    Sample *sample = context;
    assert_int_equal(count, 4);
    assert_int_equal(done, sample->calls);
    return sample->calls++ != sample->last_call;
}

static dew_RunExportDef export_def(Sample *sample)
{
    dew_RunExportDef def = dew_default_run_export_def();
    def.directory = sample->run.path;
    def.path = sample->path;
    def.progress = count_frames;
    def.context = sample;
    return def;
}

static void reports_and_is_ended(void **state)
{
    (void)state;
    Sample sample = begin();
    int files = 0;
    uint64_t run = test_digest(sample.run.path, NULL);
    for (sample.last_call = 0; sample.last_call < 5; sample.last_call++) {
        sample.calls = 0;
        dew_RunExportDef def = export_def(&sample);
        dew_Status status = dew_run_export(&def);
        assert_int_equal(sample.calls, sample.last_call + 1);
        assert_int_equal(status.code, DEW_INTERRUPTED);
        test_digest(sample.out.path, &files);
        assert_int_equal(files, 0);
    }
    sample.calls = 0;
    dew_RunExportDef def = export_def(&sample);
    assert_ok(dew_run_export(&def));
    assert_int_equal(sample.calls, 5);
    test_digest(sample.out.path, &files);
    assert_int_equal(files, 1);
    assert_true(test_digest(sample.run.path, NULL) == run);
    end(&sample);
}

static dew_Status export_with(void *context, const dew_Allocator *allocator)
{
    Sample *sample = context;
    dew_RunExportDef def = export_def(sample);
    def.progress = NULL;
    def.allocator = *allocator;
    return dew_run_export(&def);
}

static void survives_lack_of_memory(void **state)
{
    (void)state;
    Sample sample = begin();
    assert_survives_lack_of_memory(export_with, &sample);
    end(&sample);
}

// The volume about the middle of the box: faces need not have vertices in common.
static double volume_of(const dew_Mesh *mesh)
{
    double sum = 0;
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        const uint32_t *v = dew_mesh_triangles(mesh)[t].v;
        sum += dew_inner(x[v[0]], dew_cross(x[v[1]], x[v[2]])) / 6;
    }
    return sum;
}

static void expect_normals(const dew_Mesh *mesh)
{
    const float *n[3] = {dew_mesh_find_attribute(mesh, "nx"), dew_mesh_find_attribute(mesh, "ny"),
                         dew_mesh_find_attribute(mesh, "nz")};
    for (int64_t t = 0; t < mesh->triangles.count; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t v = dew_mesh_triangles(mesh)[t].v[k];
            double x = (double)n[0][v], y = (double)n[1][v], z = (double)n[2][v];
            assert_within(x * x + y * y + z * z, 1, 1e-6);
        }
}

// A box has three normals at each corner, a sphere one at each vertex; attributes go along.
static void doubles_vertices_at_creases(void **state)
{
    (void)state;
    dew_Mesh mesh, split;
    dew_Arena scratch;
    float *wetness;
    dew_mesh_init(&mesh, NULL);
    dew_mesh_init(&split, NULL);
    dew_arena_init(&scratch, NULL);
    assert_ok(dew_shape_box(dew_vec(1, 2, 3), 0, &mesh));
    assert_ok(dew_mesh_attribute(&mesh, "wetness", &wetness));
    for (int64_t v = 0; v < mesh.positions.count; v++)
        wetness[v] = (float)dew_mesh_positions(&mesh)[v].y;
    assert_ok(dew_crease_split(&mesh, DEW_DEG(40), &scratch, &split));
    assert_int_equal(mesh.positions.count, 8);
    assert_int_equal(split.positions.count, 24);
    assert_near(volume_of(&split), 6, 1e-12);
    expect_normals(&split);
    const float *gone_along = dew_mesh_find_attribute(&split, "wetness");
    for (int64_t v = 0; v < split.positions.count; v++)
        assert_true((double)gone_along[v] == dew_mesh_positions(&split)[v].y);
    dew_mesh_clear(&mesh);
    assert_ok(dew_shape_icosphere(1, 4, &mesh));
    assert_ok(dew_crease_split(&mesh, DEW_DEG(40), &scratch, &split));
    assert_int_equal(split.positions.count, mesh.positions.count);
    expect_normals(&split);
    dew_mesh_deinit(&mesh);
    dew_mesh_deinit(&split);
    dew_arena_deinit(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_and_is_ended),
        cmocka_unit_test(survives_lack_of_memory),
        cmocka_unit_test(doubles_vertices_at_creases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
