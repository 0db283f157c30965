// Writes a mesh as PLY [Turk1994]: binary little endian, or text.
#include "io/ply.h"
#include "io/scalar.h"
#include "io/writable.h"

typedef struct Writer {
    const dew_Mesh *mesh;
    const dew_MeshSaveDef *def;
    dew_Sink *sink;
    const dew_MeshAttribute *attributes;
    bool has_shape;  // positions and faces
} Writer;

static void write_header(const Writer *w)
{
    dew_Sink *sink = w->sink;
    const char *type = w->def->has_double_positions ? "double" : "float";
    // Readers in the wild know `int` best; `uint` only where it must be.
    const char *index_type = w->mesh->positions.count > INT32_MAX ? "uint" : "int";
    dew_sink_text(sink, "ply\nformat ");
    dew_sink_text(sink, w->def->is_text ? "ascii" : "binary_little_endian");
    dew_sink_text(sink, " 1.0\ncomment written by Dew " DEW_VERSION "\nelement vertex ");
    dew_sink_integer(sink, w->mesh->positions.count);
    for (const char *axis = "x\0y\0z\0"; w->has_shape && *axis; axis += 2) {
        dew_sink_text(sink, "\nproperty ");
        dew_sink_text(sink, type);
        dew_sink_text(sink, " ");
        dew_sink_text(sink, axis);
    }
    for (int64_t i = 0; i < w->mesh->attributes.count; i++) {
        dew_sink_text(sink, "\nproperty float ");
        dew_sink_text(sink, w->attributes[i].name);
    }
    if (w->has_shape) {
        dew_sink_text(sink, "\nelement face ");
        dew_sink_integer(sink, w->mesh->triangles.count);
        dew_sink_text(sink, "\nproperty list uchar ");
        dew_sink_text(sink, index_type);
        dew_sink_text(sink, " vertex_indices");
    }
    dew_sink_text(sink, "\nend_header\n");
}

// Many records are handed over at once.
enum { BLOCK_BYTES = 8192, MAX_RECORD = 24 };

typedef struct Block {
    uint8_t bytes[BLOCK_BYTES + MAX_RECORD];
    size_t used;
} Block;

// What is full goes to the sink, and at the end the rest.
static void empty(Block *block, dew_Sink *sink, bool is_end)
{
    if (block->used < BLOCK_BYTES && !is_end)
        return;
    dew_sink_write(sink, block->bytes, block->used);
    block->used = 0;
}

static void put_position(const Writer *w, Block *block, dew_Vec3 p)
{
    uint8_t *bytes = block->bytes + block->used;
    if (w->def->has_double_positions) {
        dew_bytes_put_double(bytes, p.x);
        dew_bytes_put_double(bytes + 8, p.y);
        dew_bytes_put_double(bytes + 16, p.z);
        block->used += 24;
        return;
    }
    dew_bytes_put_float(bytes, (float)p.x);
    dew_bytes_put_float(bytes + 4, (float)p.y);
    dew_bytes_put_float(bytes + 8, (float)p.z);
    block->used += 12;
}

static void put_faces(const Writer *w, Block *block)
{
    const dew_Triangle *triangles = dew_mesh_triangles(w->mesh);
    for (int64_t i = 0; i < w->mesh->triangles.count; i++) {
        uint8_t *bytes = block->bytes + block->used;
        bytes[0] = 3;
        for (int k = 0; k < 3; k++)
            dew_bytes_put32(bytes + 1 + 4 * k, triangles[i].v[k]);
        block->used += 13;
        empty(block, w->sink, false);
    }
}

static void write_binary(const Writer *w)
{
    const dew_Vec3 *positions = dew_mesh_positions(w->mesh);
    Block block;
    block.used = 0;
    for (int64_t i = 0; i < w->mesh->positions.count; i++) {
        if (w->has_shape)
            put_position(w, &block, positions[i]);
        empty(&block, w->sink, false);
        for (int64_t k = 0; k < w->mesh->attributes.count; k++) {
            float value = DEW_ITEMS(&w->attributes[k].values, const float)[i];
            dew_bytes_put_float(block.bytes + block.used, value);
            block.used += 4;
            empty(&block, w->sink, false);
        }
    }
    if (w->has_shape)
        put_faces(w, &block);
    empty(&block, w->sink, true);
}

static void write_number(const Writer *w, double x, const char *before)
{
    dew_sink_text(w->sink, before);
    if (w->def->has_double_positions)
        dew_sink_double(w->sink, x);
    else
        dew_sink_float(w->sink, (float)x);
}

static void write_faces_text(const Writer *w)
{
    const dew_Triangle *triangles = dew_mesh_triangles(w->mesh);
    for (int64_t i = 0; i < w->mesh->triangles.count; i++) {
        dew_sink_text(w->sink, "3");
        for (int k = 0; k < 3; k++) {
            dew_sink_text(w->sink, " ");
            dew_sink_integer(w->sink, triangles[i].v[k]);
        }
        dew_sink_text(w->sink, "\n");
    }
}

static void write_text(const Writer *w)
{
    const dew_Vec3 *positions = dew_mesh_positions(w->mesh);
    for (int64_t i = 0; i < w->mesh->positions.count; i++) {
        if (w->has_shape) {
            write_number(w, positions[i].x, "");
            write_number(w, positions[i].y, " ");
            write_number(w, positions[i].z, " ");
        }
        for (int64_t k = 0; k < w->mesh->attributes.count; k++) {
            dew_sink_text(w->sink, k > 0 || w->has_shape ? " " : "");
            dew_sink_float(w->sink, DEW_ITEMS(&w->attributes[k].values, const float)[i]);
        }
        dew_sink_text(w->sink, "\n");
    }
    if (w->has_shape)
        write_faces_text(w);
}

static dew_Status write_ply(const dew_Mesh *mesh, const dew_MeshSaveDef *def, bool has_shape,
                            dew_Sink *sink)
{
    DEW_TRY(dew_mesh_check_writable(mesh, def->has_double_positions));
    Writer w = {mesh, def, sink, DEW_ITEMS(&mesh->attributes, const dew_MeshAttribute), has_shape};
    write_header(&w);
    if (def->is_text)
        write_text(&w);
    else
        write_binary(&w);
    return dew_ok();
}

dew_Status dew_ply_write(const dew_Mesh *mesh, const dew_MeshSaveDef *def, dew_Sink *sink)
{
    return write_ply(mesh, def, true, sink);
}

dew_Status dew_ply_write_values(const dew_Mesh *mesh, const dew_MeshSaveDef *def, dew_Sink *sink)
{
    return write_ply(mesh, def, false, sink);
}
