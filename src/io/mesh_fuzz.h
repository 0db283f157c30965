/// What the fuzz targets of the mesh readers share.
///
/// Any bytes must be read or refused with one sentence, without a fault, within memory that follows
/// the size of the input. What was read must be sound, and what is written of it must read back the
/// same.
#pragma once

#include "dew/mesh.h"
#include "io/bounded_allocator.h"
#include "io/mesh_equal.h"
#include "io/sink.h"
#include "io/source.h"

typedef dew_Status dew_ParseFn(const dew_Source *source, dew_Mesh *mesh);
typedef dew_Status dew_WriteFn(const dew_Mesh *mesh, const dew_MeshSaveDef *def, dew_Sink *sink);

static inline void dew_fuzz_require(bool condition)
{
    if (!condition)
        abort();
}

static inline void dew_fuzz_silence(void *context, dew_LogLevel level, const char *message)
{
    (void)level;
    *(size_t *)context += strlen(message);  // so that the words are made
}

static inline void dew_fuzz_check_mesh(const dew_Mesh *mesh)
{
    for (int64_t i = 0; i < mesh->positions.count; i++)
        dew_fuzz_require(dew_vec_is_finite(dew_mesh_positions(mesh)[i]));
    for (int64_t i = 0; i < mesh->triangles.count; i++) {
        for (int k = 0; k < 3; k++)
            dew_fuzz_require(dew_mesh_triangles(mesh)[i].v[k] < mesh->positions.count);
    }
    const dew_MeshAttribute *attributes = DEW_ITEMS(&mesh->attributes, const dew_MeshAttribute);
    for (int64_t i = 0; i < mesh->attributes.count; i++)
        dew_fuzz_require(attributes[i].values.count == mesh->positions.count);
}

static inline void dew_fuzz_return(dew_ParseFn *parse, dew_WriteFn *write, const dew_Mesh *mesh,
                                   bool is_text)
{
    dew_MeshSaveDef def = {.is_text = is_text, .has_double_positions = true};
    dew_Array bytes;
    dew_Sink sink;
    dew_Mesh back;
    dew_array_init(&bytes, NULL, 1);
    dew_sink_begin_memory(&sink, &bytes);
    dew_fuzz_require(dew_sink_end(&sink, write(mesh, &def, &sink)).code == DEW_OK);
    dew_mesh_init(&back, NULL);
    dew_Source source = dew_source_from_memory("written", bytes.data, (size_t)bytes.count);
    dew_fuzz_require(parse(&source, &back).code == DEW_OK);
    dew_fuzz_require(dew_meshes_equal(mesh, &back));
    dew_mesh_deinit(&back);
    dew_array_deinit(&bytes);
}

/// Reads the input; true when that worked. `growth`: bytes of memory allowed for each byte of
/// input.
static inline bool dew_fuzz_parse(dew_ParseFn *parse, const uint8_t *data, size_t size,
                                  size_t growth, dew_Mesh *mesh, dew_Bounded *bounded)
{
    size_t word_bytes = 0;
    *bounded = (dew_Bounded){.limit_bytes = ((size_t)1 << 20) + growth * size};
    dew_Source source = dew_source_from_memory("input", data, size);
    source.allocator = dew_bounded_allocator(bounded);
    source.log = (dew_Log){dew_fuzz_silence, &word_bytes};
    dew_mesh_init(mesh, &source.allocator);
    dew_Status status = parse(&source, mesh);
    dew_fuzz_require(status.code == DEW_OK || status.code == DEW_BAD_INPUT);
    if (status.code == DEW_OK)
        dew_fuzz_check_mesh(mesh);
    else
        dew_fuzz_require(status.message[0] && mesh->positions.count == 0);
    return status.code == DEW_OK;
}

static inline void dew_fuzz_end(dew_Mesh *mesh, const dew_Bounded *bounded)
{
    dew_mesh_deinit(mesh);
    dew_fuzz_require(bounded->used_bytes == 0);
}
