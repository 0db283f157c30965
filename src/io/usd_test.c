// What a stage says of an animation, read back from crate files by a reader apart from the writer,
// and from text.
#include "io/usd.h"

#include "io/crate_file_test.h"
#include "io/usd_animation_test.h"
#include "io/usd_scene.h"

#define LIQUID "/World/liquid"
#define PLATE  "/World/_2_plates_"
#define BALL   "/World/ball"
#define LATE   "/World/Camera_2"
#define SPRAY  "/World/spray"

static dew_Array write_memory(dew_TestAnimation *a, const dew_AnimationOps *ops)
{
    dew_Array bytes;
    dew_Sink sink;
    dew_array_init(&bytes, NULL, 1);
    dew_sink_begin_memory(&sink, &bytes);
    assert_ok(dew_test_write(a, ops, NULL, &sink));
    return bytes;
}

typedef struct Fixture {
    dew_TestAnimation *animation;
    dew_Array bytes;
    dew_TestCrate crate;
} Fixture;

static int set_up(void **state)
{
    Fixture *f = (Fixture *)calloc(1, sizeof *f);
    assert_non_null(f);
    f->animation = dew_test_animation();
    f->bytes = write_memory(f->animation, &dew_usdc_ops);
    dew_test_crate_open(&f->crate, f->bytes.data, (size_t)f->bytes.count);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = (Fixture *)*state;
    dew_test_crate_close(&f->crate);
    dew_array_deinit(&f->bytes);
    free(f->animation);
    free(f);
    return 0;
}

// ---- the crate's own order ---------------------------------------------------------------------

// Every path has one spec; every value lies before the tables; children and properties that a prim
// names are specs.
static void crate_is_consistent(void **state)
{
    const dew_TestCrate *c = &((Fixture *)*state)->crate;
    assert_int_equal(c->spec_count, c->path_count);
    for (size_t i = 0; i < c->spec_count; i++) {
        const char *path = c->paths[c->spec_paths[i]];
        bool is_property = strchr(path, '.') != NULL;
        assert_int_equal(dew_test_spec(c, path), i);
        assert_true(is_property ? c->spec_types[i] == 1 || c->spec_types[i] == 8
                                : c->spec_types[i] == (strcmp(path, "/") == 0 ? 7 : 6));
        for (int k = 0; k < 2; k++) {
            uint64_t names;
            if (!dew_test_field_value(c, path, k ? "properties" : "primChildren", &names))
                continue;
            assert_int_equal(names >> 48, 41);
            size_t at = dew_test_payload(names), count = dew_test_u64(c, at);
            for (size_t j = 0; j < count; j++) {
                char child[2 * DEW_TEST_MAX_PATH];
                snprintf(child, sizeof child, "%s%s%s", strcmp(path, "/") == 0 ? "" : path,
                         k ? "." : "/", c->tokens[dew_test_u32(c, at + 8 + 4 * j)]);
                assert_true(dew_test_spec(c, child) >= 0);
            }
        }
    }
    for (size_t i = 0; i < c->field_count; i++) {
        bool is_inlined = c->field_values[i] >> 62 & 1;
        assert_true(is_inlined || dew_test_payload(c->field_values[i]) < c->section[0][0]);
    }
}

static void stage_metadata(void **state)
{
    const dew_TestCrate *c = &((Fixture *)*state)->crate;
    assert_string_equal(dew_test_token(c, "/", "defaultPrim"), "World");
    assert_string_equal(dew_test_token(c, "/", "upAxis"), "Y");
    assert_string_equal(dew_test_string(c, "/", "documentation"), "A test (Dew 0.1.0)");
    assert_true(dew_test_double(c, "/", "metersPerUnit") == 0.01);
    assert_true(dew_test_double(c, "/", "timeCodesPerSecond") == 50);
    assert_true(dew_test_double(c, "/", "framesPerSecond") == 50);
    assert_true(dew_test_double(c, "/", "startTimeCode") == DEW_TEST_FIRST_FRAME);
    assert_true(dew_test_double(c, "/", "endTimeCode") == DEW_TEST_FIRST_FRAME + 5);
    assert_string_equal(dew_test_token(c, "/World", "typeName"), "Xform");
    assert_string_equal(dew_test_token(c, LIQUID, "typeName"), "Mesh");
    assert_string_equal(dew_test_token(c, SPRAY, "typeName"), "Points");
    assert_string_equal(dew_test_token(c, "/World/Camera", "typeName"), "Camera");
    assert_string_equal(dew_test_string(c, PLATE, "displayName"), "2 \xc3\xa4 \"plates\"");
}

// ---- meshes ------------------------------------------------------------------------------------

static void expect_floats(const dew_TestCrate *c, uint64_t value, int type, const float *expected,
                          size_t elements, size_t components)
{
    assert_int_equal(dew_test_count(c, value), elements);
    if (elements > 0)
        assert_memory_equal(dew_test_floats(c, value, type), expected, 4 * elements * components);
}

// The samples of the liquid are its meshes, all properties at the same times.
static void meshes_come_back(void **state)
{
    Fixture *f = (Fixture *)*state;
    const dew_TestCrate *c = &f->crate;
    static const double times[] = {3, 4, 5, 7, 8};  // that of frame 2 is held until frame 4
    static const int frames[] = {0, 1, 2, 2, 5};
    static const char *const names[] = {"points",           "normals",          "velocities",
                                        "extent",           "primvars:wet",     "primvars:st",
                                        "faceVertexCounts", "faceVertexIndices"};
    dew_TestSamples s[8];
    for (int i = 0; i < 8; i++) {
        char path[64];
        snprintf(path, sizeof path, LIQUID ".%s", names[i]);
        s[i] = dew_test_samples(c, path);
        assert_int_equal(s[i].count, 5);
        assert_memory_equal(s[i].times, times, sizeof times);
        assert_true(s[i].values[2] == s[i].values[3]);  // stored once
    }
    for (int i = 0; i < 5; i++) {
        dew_AnimationState states[DEW_TEST_OBJECTS];
        dew_test_state(f->animation, frames[i], states);
        const dew_AnimationMesh *mesh = states[DEW_TEST_LIQUID].mesh;
        size_t n = (size_t)mesh->vertex_count, triangles = (size_t)mesh->triangle_count;
        expect_floats(c, s[0].values[i], 24, mesh->positions, n, 3);
        expect_floats(c, s[1].values[i], 24, mesh->normals, n, 3);
        expect_floats(c, s[2].values[i], 24, mesh->velocities, n, 3);
        float shift = mesh->positions[0], x1 = mesh->positions[3 * n - 3];
        float extent[6] = {shift, -1, 0, x1, 1, mesh->positions[3 * n - 1]};
        expect_floats(c, s[3].values[i], 24, extent, 2, 3);
        expect_floats(c, s[4].values[i], 8, mesh->attributes[0].values, n, 1);
        expect_floats(c, s[5].values[i], 20, mesh->attributes[1].values, n, 2);
        uint32_t *counts = dew_test_ints(c, s[6].values[i]);
        uint32_t *indices = dew_test_ints(c, s[7].values[i]);
        assert_int_equal(dew_test_count(c, s[6].values[i]), triangles);
        assert_int_equal(dew_test_count(c, s[7].values[i]), 3 * triangles);
        for (size_t k = 0; k < triangles; k++)
            assert_int_equal(counts[k], 3);
        assert_memory_equal(indices, mesh->triangles, 12 * triangles);
        free(counts);
        free(indices);
    }
    assert_true(s[7].values[0] != s[7].values[1]);
    assert_string_equal(dew_test_token(c, LIQUID ".primvars:st", "typeName"), "texCoord2f[]");
    assert_string_equal(dew_test_token(c, LIQUID ".primvars:wet", "interpolation"), "vertex");
    assert_string_equal(dew_test_token(c, LIQUID ".normals", "interpolation"), "vertex");
    assert_string_equal(dew_test_token(c, LIQUID ".velocities", "typeName"), "vector3f[]");
    assert_string_equal(dew_test_token(c, LIQUID ".subdivisionScheme", "default"), "none");
}

// A static mesh has no samples, and equal topologies of different objects are one value.
static void static_meshes(void **state)
{
    Fixture *f = (Fixture *)*state;
    const dew_TestCrate *c = &f->crate;
    uint64_t value;
    dew_AnimationState states[DEW_TEST_OBJECTS];
    dew_test_state(f->animation, 0, states);
    expect_floats(c, dew_test_value(c, PLATE ".points", "default", 24), 24,
                  states[DEW_TEST_PLATE].mesh->positions, 4, 3);
    assert_false(dew_test_field_value(c, PLATE ".points", "timeSamples", &value));
    assert_false(dew_test_field_value(c, LIQUID ".points", "default", &value));
    assert_true(dew_test_value(c, PLATE ".faceVertexIndices", "default", 3) ==
                dew_test_samples(c, LATE ".faceVertexIndices").values[0]);
    assert_true(dew_test_spec(c, PLATE ".visibility") < 0);
    assert_true(dew_test_spec(c, PLATE ".normals") < 0);
}

// The late drop: a mesh from its birth until it has gone, invisible before and after.
static void births_and_deaths(void **state)
{
    const dew_TestCrate *c = &((Fixture *)*state)->crate;
    static const char *const words[] = {"invisible", "inherited", "invisible"};
    static const double times[] = {3, 5, 7};
    dew_TestSamples s = dew_test_samples(c, LATE ".visibility");
    assert_int_equal(s.count, 3);
    assert_memory_equal(s.times, times, sizeof times);
    for (int i = 0; i < 3; i++)
        assert_string_equal(c->tokens[dew_test_payload(s.values[i])], words[i]);
    dew_TestSamples points = dew_test_samples(c, LATE ".points");
    assert_int_equal(points.count, 2);
    assert_true(points.times[0] == 5 && points.times[1] == 7);
    assert_true(points.values[0] == points.values[1]);
}

static void particles(void **state)
{
    Fixture *f = (Fixture *)*state;
    const dew_TestCrate *c = &f->crate;
    dew_TestSamples points = dew_test_samples(c, SPRAY ".points");
    dew_TestSamples extents = dew_test_samples(c, SPRAY ".extent");
    assert_int_equal(points.count, DEW_TEST_FRAMES);
    for (size_t i = 0; i < points.count; i++)
        assert_int_equal(dew_test_count(c, points.values[i]), 4 * i);
    assert_int_equal(dew_test_payload(points.values[0]), 0);  // none: an empty array
    const float *none = dew_test_floats(c, extents.values[0], 24);
    assert_true(none[0] > none[3] && none[2] > none[5]);  // an empty range
    // Four particles in the first frame that has some: 1 x 2 x 0.003; their mean distance.
    double width = cbrt(1 * 2 * 0.003 / 4);
    const float *widths = dew_test_floats(c, dew_test_value(c, SPRAY ".widths", "default", 8), 8);
    assert_near((double)widths[0], width, 1e-5);
    const float *extent = dew_test_floats(c, extents.values[1], 24);
    assert_within((double)extent[1], -1 - width / 2, 1e-6);
    assert_within((double)extent[4], 1 + width / 2, 1e-6);
    assert_true(dew_test_spec(c, SPRAY ".faceVertexCounts") < 0);
}

// ---- poses, camera, light, material ------------------------------------------------------------

static void poses(void **state)
{
    const dew_TestCrate *c = &((Fixture *)*state)->crate;
    static const double moving[] = {3, 4, 5, 6, 8};  // it stands from frame 3 on
    dew_TestSamples places = dew_test_samples(c, BALL ".xformOp:translate");
    dew_TestSamples turns = dew_test_samples(c, BALL ".xformOp:orient");
    assert_int_equal(places.count, 5);
    assert_memory_equal(places.times, moving, sizeof moving);
    for (size_t i = 0; i < places.count; i++) {
        double x[3];
        assert_int_equal(places.values[i] >> 48, 23);
        memcpy(x, c->bytes + dew_test_payload(places.values[i]), sizeof x);
        assert_true(x[0] == (i < 3 ? 0.1 * (double)i : 1.0 / 3) && x[1] == 0 && x[2] == 2);
    }
    assert_int_equal(turns.count, DEW_TEST_FRAMES);
    for (size_t i = 0; i < turns.count; i++) {  // no jump between q and -q
        const float *q = dew_test_floats(c, turns.values[i], 17);
        double half = 0.35 * (double)i;
        assert_true(q[0] == 0 && q[1] == (float)sin(half) && q[2] == 0 && q[3] == (float)cos(half));
    }
    uint64_t order = dew_test_value(c, BALL ".xformOpOrder", "default", 11);
    size_t at = dew_test_payload(order);
    assert_int_equal(dew_test_count(c, order), 2);
    assert_string_equal(c->tokens[dew_test_u32(c, at + 8)], "xformOp:translate");
    assert_string_equal(c->tokens[dew_test_u32(c, at + 12)], "xformOp:orient");
    double y;
    memcpy(&y,
           c->bytes +
               dew_test_payload(dew_test_value(c, PLATE ".xformOp:translate", "default", 23)) + 8,
           8);
    assert_true(y == -1.5);
    assert_true(dew_test_spec(c, LIQUID ".xformOpOrder") < 0);
}

// Rows of a matrix that is a rotation and a translation.
static void expect_frame(const dew_TestCrate *c, const char *path, const double expected[16])
{
    uint64_t value = dew_test_value(c, path, "default", 15);
    double rows[16];
    memcpy(rows, c->bytes + dew_test_payload(value), sizeof rows);
    for (int i = 0; i < 16; i++)
        assert_within(rows[i], expected[i], 1e-15);
}

static void camera_and_lights(void **state)
{
    const dew_TestCrate *c = &((Fixture *)*state)->crate;
    static const double from_front[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 5, 1};
    static const double along[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    expect_frame(c, "/World/Camera.xformOp:transform", from_front);
    double width = (double)dew_test_float(c, "/World/Camera.horizontalAperture");
    double height = (double)dew_test_float(c, "/World/Camera.verticalAperture");
    double focal_length = (double)dew_test_float(c, "/World/Camera.focalLength");
    assert_near(2 * atan(height / (2 * focal_length)), 0.6, 1e-6);
    assert_near(width / height, 400.0 / 300, 1e-6);
    assert_true(dew_test_float(c, "/World/Camera.focusDistance") == 5);
    uint64_t range = dew_test_value(c, "/World/Camera.clippingRange", "default", 20);
    const float *clipping = dew_test_floats(c, range, 20);
    assert_true(clipping[0] > 0 && clipping[0] < 1 && clipping[1] > 100);
    expect_frame(c, "/World/Lights/light_1.xformOp:transform", along);
    assert_true(dew_test_float(c, "/World/Lights/light_1.inputs:intensity") == 3);
    // The second shines down: its z axis points up.
    uint64_t down = dew_test_value(c, "/World/Lights/light_2.xformOp:transform", "default", 15);
    double z[3];
    memcpy(z, c->bytes + dew_test_payload(down) + 64, sizeof z);
    assert_true(z[0] == 0 && z[1] == 1 && z[2] == 0);
}

static const char *only_target(const dew_TestCrate *c, const char *path, const char *field)
{
    size_t at = dew_test_payload(dew_test_value(c, path, field, 34));
    assert_int_equal(c->bytes[at], 3);  // an explicit list
    assert_int_equal(dew_test_u64(c, at + 1), 1);
    return c->paths[dew_test_u32(c, at + 9)];
}

static void materials(void **state)
{
    const dew_TestCrate *c = &((Fixture *)*state)->crate;
    const char *binding = "targetPaths", *connection = "connectionPaths";
    assert_string_equal(only_target(c, LIQUID ".material:binding", binding),
                        "/World/Materials/water");
    assert_string_equal(only_target(c, BALL ".material:binding", binding),
                        "/World/Materials/steel");
    assert_true(dew_test_spec(c, LATE ".material:binding") < 0);  // it has none
    assert_string_equal(only_target(c, "/World/Materials/water.outputs:surface", connection),
                        "/World/Materials/water/surface.outputs:surface");
    size_t at = dew_test_payload(dew_test_value(c, LIQUID, "apiSchemas", 32));
    assert_int_equal(c->bytes[at], 32);  // prepended
    assert_int_equal(dew_test_u64(c, at + 1), 1);
    assert_string_equal(c->tokens[dew_test_u32(c, at + 9)], "MaterialBindingAPI");
    assert_string_equal(dew_test_token(c, "/World/Materials/water/surface.info:id", "default"),
                        "UsdPreviewSurface");
    assert_true(dew_test_float(c, "/World/Materials/water/surface.inputs:ior") == 1.33f);
    assert_true(dew_test_float(c, "/World/Materials/steel/surface.inputs:opacity") == 1);
    assert_true(dew_test_float(c, "/World/Materials/steel/surface.inputs:metallic") == 1);
}

// The mean of Fresnel's reflectance in closed form (Walsh 1926).
static double walsh(double n)
{
    double n2 = n * n, n4 = n2 * n2, p = n2 + 1, m = n4 - 1;
    return 0.5 + (n - 1) * (3 * n + 1) / (6 * (n + 1) * (n + 1)) +
           n2 * (n2 - 1) * (n2 - 1) / (p * p * p) * log((n - 1) / (n + 1)) -
           2 * n2 * n * (n2 + 2 * n - 1) / (p * m) + 8 * n4 * (n4 + 1) / (p * m * m) * log(n);
}

static void opacity(void **state)
{
    (void)state;
    static const double iors[] = {1.1, 1.33, 1.5, 2.4};
    dew_AnimationMaterial material = {.transmission = 1};
    for (int i = 0; i < 4; i++) {
        material.ior = iors[i];
        assert_within(dew_usd_opacity(&material), walsh(iors[i]), 1e-3);
    }
    material.ior = 1;
    assert_within(dew_usd_opacity(&material), 0, 1e-12);
    material.transmission = 0;
    assert_true(dew_usd_opacity(&material) == 1);
}

// ---- text --------------------------------------------------------------------------------------

// Brackets of all kinds match outside of quoted text, which has no line ends.
static void expect_balanced(const char *text, size_t size)
{
    char open[256];
    size_t depth = 0;
    bool is_quoted = false;
    for (size_t i = 0; i < size; i++) {
        char ch = text[i];
        assert_true(ch == '\n' ? !is_quoted : ch != '\r' && ch != '\0');
        if (is_quoted && ch == '\\')
            i++;
        else if (ch == '"')
            is_quoted = !is_quoted;
        else if (!is_quoted && strchr("([{", ch))
            open[depth++ % 256] = ch;
        else if (!is_quoted && strchr(")]}", ch))
            assert_true(depth > 0 && open[--depth % 256] == (ch == ')'   ? '('
                                                             : ch == ']' ? '['
                                                                         : '{'));
    }
    assert_int_equal(depth, 0);
    assert_false(is_quoted);
}

static int count_text(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at++)
        count++;
    return count;
}

static void expect_once(const char *text, const char *part)
{
    if (count_text(text, part) != 1)
        fail_msg("%d times: %s", count_text(text, part), part);
}

// Every attribute of the crate is declared in the text; what single lines say.
static void text_says_the_same(void **state)
{
    Fixture *f = (Fixture *)*state;
    const dew_TestCrate *c = &f->crate;
    dew_Array bytes = write_memory(f->animation, &dew_usda_ops);
    assert_ok(dew_array_push(&bytes, ""));
    const char *text = DEW_ITEMS(&bytes, char);
    expect_balanced(text, (size_t)bytes.count - 1);
    assert_memory_equal(text, "#usda 1.0\n(", 11);
    int declared = 0;
    for (size_t i = 0; i < c->spec_count; i++) {
        const char *path = c->paths[c->spec_paths[i]], *name = strchr(path, '.');
        uint64_t value;
        char line[128];
        if (c->spec_types[i] == 6) {
            snprintf(line, sizeof line, "def %s \"%s\"", dew_test_token(c, path, "typeName"),
                     strrchr(path, '/') + 1);
            assert_true(count_text(text, line) >= 1);
        } else if (c->spec_types[i] == 1) {
            snprintf(line, sizeof line, "%s%s %s",
                     dew_test_field_value(c, path, "variability", &value) ? "uniform " : "",
                     dew_test_token(c, path, "typeName"), name + 1);
            assert_true(count_text(text, line) >= 1);
            declared += dew_test_field_value(c, path, "timeSamples", &value);
        }
    }
    assert_int_equal(count_text(text, ".timeSamples = {"), declared);
    expect_once(text, "displayName = \"2 \xc3\xa4 \\\"plates\\\"\"");
    expect_once(text, "    startTimeCode = 3\n");
    expect_once(text, "    endTimeCode = 8\n");
    expect_once(text, "            5: \"inherited\",\n");
    expect_once(text, "            8: (0.3333333333333333, 0, 2),\n");
    expect_once(text, "            3: (1, 0, 0, 0),\n");  // the real part comes first
    expect_once(text, "point3f[] points = [(-1, -1, 0), (-1, 1, 0.001), (0, -1, 0.002), ");
    assert_int_equal(count_text(text, "rel material:binding = </World/Materials/steel>\n"), 2);
    dew_array_deinit(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crate_is_consistent),
        cmocka_unit_test(stage_metadata),
        cmocka_unit_test(meshes_come_back),
        cmocka_unit_test(static_meshes),
        cmocka_unit_test(births_and_deaths),
        cmocka_unit_test(particles),
        cmocka_unit_test(poses),
        cmocka_unit_test(camera_and_lights),
        cmocka_unit_test(materials),
        cmocka_unit_test(opacity),
        cmocka_unit_test(text_says_the_same),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
