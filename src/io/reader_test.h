/// For the tests of the mesh readers: feeding text, catching the log, failing every allocation.
#pragma once

#include "base/testing.h"
#include "dew/mesh.h"
#include "io/mesh_equal.h"
#include "io/sink.h"
#include "io/source.h"

#include <stdio.h>

typedef dew_Status dew_ParseFn(const dew_Source *source, dew_Mesh *mesh);
typedef dew_Status dew_WriteFn(const dew_Mesh *mesh, const dew_MeshSaveDef *def, dew_Sink *sink);

/// All words of the log, a line each.
typedef struct dew_LogText {
    char text[4096];
    size_t length;
} dew_LogText;

static inline void dew_log_text_write(void *context, dew_LogLevel level, const char *message)
{
    dew_LogText *log = (dew_LogText *)context;
    (void)level;
    int n = snprintf(log->text + log->length, sizeof log->text - log->length, "%s\n", message);
    assert_true(n > 0 && (size_t)n < sizeof log->text - log->length);
    log->length += (size_t)n;
}

static inline dew_Source dew_source_of_text(const char *name, const char *text)
{
    return dew_source_from_memory(name, text, strlen(text));
}

/// Must read; the mesh is the caller's to deinit.
static inline void dew_must_parse(dew_ParseFn *parse, const void *data, size_t size, dew_Mesh *mesh,
                                  dew_LogText *log)
{
    dew_Source source = dew_source_from_memory("FILE", data, size);
    if (log) {
        *log = (dew_LogText){0};
        source.log = (dew_Log){dew_log_text_write, log};
    }
    dew_mesh_init(mesh, NULL);
    dew_Status status = parse(&source, mesh);
    if (status.code != DEW_OK)
        fail_msg("refused: %s", status.message);
}

/// Must be refused with exactly this sentence, and leave an empty mesh.
static inline void dew_must_refuse(dew_ParseFn *parse, const void *data, size_t size,
                                   const char *sentence)
{
    dew_Source source = dew_source_from_memory("FILE", data, size);
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    dew_Status status = parse(&source, &mesh);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_string_equal(status.message, sentence);
    assert_int_equal(mesh.positions.count + mesh.triangles.count + mesh.attributes.count, 0);
    dew_mesh_deinit(&mesh);
}

#define MUST_REFUSE(parse, text, sentence)                                                         \
    dew_must_refuse((parse), (text), sizeof(text) - 1, "FILE" sentence)

/// Every prefix (of a long file every 13th) must be refused or read, without a fault; and every
/// allocation may fail.
static inline void dew_must_survive(dew_ParseFn *parse, const void *data, size_t size)
{
    for (size_t n = 0; n < size; n += size < 2000 ? 1 : 13) {
        uint8_t *copy = (uint8_t *)malloc(n > 0 ? n : 1);  // so that the sanitizer sees its end
        memcpy(copy, data, n);
        dew_Source source = dew_source_from_memory("FILE", copy, n);
        dew_Mesh mesh;
        dew_mesh_init(&mesh, NULL);
        dew_Status status = parse(&source, &mesh);
        assert_true(status.code == DEW_OK || status.code == DEW_BAD_INPUT);
        dew_mesh_deinit(&mesh);
        free(copy);
    }
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        dew_Source source = dew_source_from_memory("FILE", data, size);
        source.allocator = dew_torture_allocator(&torture);
        dew_Mesh mesh;
        dew_mesh_init(&mesh, &source.allocator);
        dew_Status status = parse(&source, &mesh);
        bool has_failed = torture.calls > n;
        if (has_failed)
            assert_int_equal(mesh.positions.count + mesh.triangles.count, 0);
        assert_int_equal(status.code, has_failed ? DEW_NO_MEMORY : DEW_OK);
        dew_mesh_deinit(&mesh);
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        if (!has_failed)
            break;
    }
}

/// Writes to memory; the bytes are the caller's to deinit.
static inline void dew_must_write(dew_WriteFn *write, const dew_Mesh *mesh,
                                  const dew_MeshSaveDef *def, dew_Array *bytes)
{
    dew_Sink sink;
    dew_array_init(bytes, NULL, 1);
    dew_sink_begin_memory(&sink, bytes);
    dew_Status status = dew_sink_end(&sink, write(mesh, def, &sink));
    if (status.code != DEW_OK)
        fail_msg("not written: %s", status.message);
}

/// Through a volatile: gcc 12 drops pairs of such roundings where it turns them into one vector.
static inline double dew_round_single(double x)
{
    volatile float single = (float)x;
    return (double)single;
}

static inline void dew_round_positions(dew_Mesh *mesh)
{
    dew_Vec3 *p = (dew_Vec3 *)mesh->positions.data;
    for (int64_t i = 0; i < mesh->positions.count; i++)
        p[i] =
            dew_vec(dew_round_single(p[i].x), dew_round_single(p[i].y), dew_round_single(p[i].z));
}

/// What is written must read back the same; single precision as text is only the same once rounded.
static inline void dew_must_return(dew_WriteFn *write, dew_ParseFn *parse, const dew_Mesh *mesh,
                                   const dew_MeshSaveDef *def)
{
    dew_Array bytes;
    dew_Mesh back;
    dew_must_write(write, mesh, def, &bytes);
    dew_must_parse(parse, bytes.data, (size_t)bytes.count, &back, NULL);
    if (!def->has_double_positions)
        dew_round_positions(&back);
    assert_true(dew_meshes_equal(mesh, &back));
    dew_mesh_deinit(&back);
    dew_array_deinit(&bytes);
}

/// A tetrahedron whose coordinates need all digits of a double (or of a float).
static inline void dew_make_tetrahedron(dew_Mesh *mesh, bool is_single)
{
    static const double p[4][3] = {{0.1, 1.0 / 3, -7e-9}, {1, 0.2, 0.3}, {0.7, 1e5, 0}, {0, 0, 2}};
    static const uint32_t t[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    dew_mesh_init(mesh, NULL);
    for (int i = 0; i < 4; i++) {
        dew_Vec3 v = dew_vec(p[i][0], p[i][1], p[i][2]);
        assert_int_equal(dew_mesh_add_vertex(mesh, v).code, DEW_OK);
        assert_int_equal(dew_mesh_add_triangle(mesh, t[i][0], t[i][1], t[i][2]).code, DEW_OK);
    }
    if (is_single)
        dew_round_positions(mesh);
}

/// Gives it attributes of these names with values that tell them apart.
static inline void dew_add_attributes(dew_Mesh *mesh, const char *const *names, int count)
{
    for (int k = 0; k < count; k++) {
        float *values;
        assert_int_equal(dew_mesh_attribute(mesh, names[k], &values).code, DEW_OK);
        for (int64_t i = 0; i < mesh->positions.count; i++)
            values[i] = 0.1f * (float)(i + 1) - (float)k;
    }
}
