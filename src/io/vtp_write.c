// Writes a mesh as VTP [Kitware2010].
//
// The tags come first and name each array's offset into the appended data, so the sizes of all
// arrays are reckoned before anything is written; `tags` and `bodies` walk the same list.
// Compressed arrays are made first: their sizes are not known before.
#include "base/status.h"
#include "io/base64.h"
#include "io/scalar.h"
#include "io/vtk_pack.h"
#include "io/vtk_time.h"
#include "io/vtp.h"
#include "io/vtp_names.h"
#include "io/writable.h"

#include <math.h>

typedef struct Writer {
    const dew_Mesh *mesh;
    const dew_MeshSaveDef *def;
    dew_Sink *sink;
    dew_Base64Writer base64;  // text: the array being written
    bool is_cloud;            // no triangles: a vertex cell for each point
    bool has_wide_indices;    // beyond 32 bits
    uint64_t offset;          // of the next array in the appended data
    dew_VtkPack *packs;       // compressed arrays in their order; NULL: not compressed
    int64_t pack_count;       // how many of them the walk has passed
    bool is_packing;          // the walk that fills them
} Writer;

// ---- numbers -----------------------------------------------------------------------------------

static void put(Writer *w, const void *data, size_t size)
{
    if (w->is_packing)
        dew_vtk_pack_put(&w->packs[w->pack_count], data, size);
    else if (w->def->is_text)
        dew_base64_write(&w->base64, data, size);
    else
        dew_sink_write(w->sink, data, size);
}

static void put_float(Writer *w, float x)
{
    uint8_t bytes[4];
    dew_bytes_put_float(bytes, x);
    put(w, bytes, 4);
}

static void put_real(Writer *w, double x)
{
    uint8_t bytes[8];
    if (!w->def->has_double_positions) {
        put_float(w, (float)x);
        return;
    }
    dew_bytes_put_double(bytes, x);
    put(w, bytes, 8);
}

static void put_index(Writer *w, int64_t x)
{
    uint8_t bytes[8];
    dew_bytes_put64(bytes, (uint64_t)x);  // little endian: its first half is the 32-bit number
    put(w, bytes, w->has_wide_indices ? 8 : 4);
}

// ---- arrays ------------------------------------------------------------------------------------

typedef enum Kind { ATTRIBUTE, POINTS, CONNECTIVITY, OFFSETS } Kind;

typedef struct Block {
    Kind kind;
    const char *name;
    const char *type;
    int component_count;
    uint64_t size;
    const dew_VtpGroup *group;  // ATTRIBUTE
} Block;

static void put_cells(Writer *w, Kind kind)
{
    const dew_Triangle *triangles = dew_mesh_triangles(w->mesh);
    int64_t points = w->mesh->positions.count;
    int corners = w->is_cloud ? 1 : 3;
    int64_t cells = w->is_cloud ? points : w->mesh->triangles.count;
    for (int64_t i = 0; i < cells; i++) {
        if (kind == OFFSETS) {
            put_index(w, (i + 1) * corners);
        } else if (w->is_cloud) {
            put_index(w, i);
        } else {
            for (int k = 0; k < 3; k++)
                put_index(w, triangles[i].v[k]);
        }
    }
}

static void put_points(Writer *w, const Block *block)
{
    const dew_Vec3 *positions = dew_mesh_positions(w->mesh);
    for (int64_t i = 0; i < w->mesh->positions.count; i++) {
        if (block->kind == POINTS) {
            put_real(w, positions[i].x);
            put_real(w, positions[i].y);
            put_real(w, positions[i].z);
        }
        for (int k = 0; block->group && k < block->component_count; k++)
            put_float(w, DEW_ITEMS(&block->group->of[k]->values, const float)[i]);
    }
}

static void put_values(Writer *w, const Block *block)
{
    if (block->kind == CONNECTIVITY || block->kind == OFFSETS)
        put_cells(w, block->kind);
    else
        put_points(w, block);
}

static void pack_body(Writer *w, const Block *block)
{
    put_values(w, block);
    (void)dew_vtk_pack_end(&w->packs[w->pack_count++]);  // keeps a failure
}

static void write_body(Writer *w, const Block *block)
{
    uint8_t length[8];
    if (w->packs) {
        dew_vtk_pack_write(&w->packs[w->pack_count++], w->sink);
        return;
    }
    dew_bytes_put64(length, block->size);
    dew_base64_begin(&w->base64, w->sink);
    put(w, length, 8);
    put_values(w, block);
    if (w->def->is_text)
        dew_base64_end(&w->base64);
}

// The tag; text: with its data inside.
static void write_tag(Writer *w, const Block *block)
{
    dew_sink_text(w->sink, "<DataArray type=\"");
    dew_sink_text(w->sink, block->type);
    dew_sink_text(w->sink, "\" Name=\"");
    dew_sink_xml(w->sink, block->name);
    dew_sink_text(w->sink, "\" NumberOfComponents=\"");
    dew_sink_integer(w->sink, block->component_count);
    if (w->def->is_text) {
        dew_sink_text(w->sink, "\" format=\"binary\">");
        write_body(w, block);
        dew_sink_text(w->sink, "</DataArray>\n");
        return;
    }
    dew_sink_text(w->sink, "\" format=\"appended\" offset=\"");
    dew_sink_integer(w->sink, (int64_t)w->offset);
    dew_sink_text(w->sink, "\"/>\n");
    w->offset +=
        w->packs ? (uint64_t)dew_vtk_pack_bytes(&w->packs[w->pack_count++]) : 8 + block->size;
}

typedef void BlockFn(Writer *w, const Block *block);

static void each_attribute(Writer *w, BlockFn *fn)
{
    uint64_t points = (uint64_t)w->mesh->positions.count;
    for (int64_t i = 0; i < w->mesh->attributes.count; i++) {
        dew_VtpGroup group;
        if (!dew_vtp_group(w->mesh, i, &group))
            continue;
        Block block = {ATTRIBUTE,
                       group.name,
                       "Float32",
                       group.component_count,
                       points * 4 * (uint64_t)group.component_count,
                       &group};
        fn(w, &block);
    }
}

static void one_points(Writer *w, BlockFn *fn)
{
    bool is_double = w->def->has_double_positions;
    uint64_t points = (uint64_t)w->mesh->positions.count;
    Block block = {
        POINTS, "Points", is_double ? "Float64" : "Float32", 3, points * (is_double ? 24 : 12),
        NULL};
    fn(w, &block);
}

static void each_cells(Writer *w, BlockFn *fn)
{
    uint64_t cells = (uint64_t)(w->is_cloud ? w->mesh->positions.count : w->mesh->triangles.count);
    uint64_t corners = w->is_cloud ? cells : 3 * cells, size = w->has_wide_indices ? 8 : 4;
    const char *type = w->has_wide_indices ? "Int64" : "Int32";
    fn(w, &(Block){CONNECTIVITY, "connectivity", type, 1, corners * size, NULL});
    fn(w, &(Block){OFFSETS, "offsets", type, 1, cells * size, NULL});
}

// ---- the whole ---------------------------------------------------------------------------------

static void write_head(const Writer *w)
{
    int64_t points = w->mesh->positions.count;
    dew_sink_text(w->sink, "<?xml version=\"1.0\"?>\n<!-- written by Dew " DEW_VERSION " -->\n"
                           "<VTKFile type=\"PolyData\" version=\"1.0\" "
                           "byte_order=\"LittleEndian\" header_type=\"UInt64\"");
    dew_sink_text(w->sink, w->packs ? " compressor=\"vtkZLibDataCompressor\"" : "");
    dew_sink_text(w->sink, ">\n<PolyData>\n");
    if (!isnan(w->def->time_s))
        dew_vtk_put_time(w->sink, w->def->time_s);
    dew_sink_text(w->sink, "<Piece NumberOfPoints=\"");
    dew_sink_integer(w->sink, points);
    dew_sink_text(w->sink, "\" NumberOfVerts=\"");
    dew_sink_integer(w->sink, w->is_cloud ? points : 0);
    dew_sink_text(w->sink, "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"");
    dew_sink_integer(w->sink, w->mesh->triangles.count);
    dew_sink_text(w->sink, "\">\n");
}

static void write_tags(Writer *w)
{
    const float *normals[3];
    bool has_normals = dew_mesh_normals(w->mesh, normals);
    const char *cells = w->is_cloud ? "Verts>\n" : "Polys>\n";
    dew_sink_text(w->sink, has_normals ? "<PointData Normals=\"Normals\">\n" : "<PointData>\n");
    each_attribute(w, write_tag);
    dew_sink_text(w->sink, "</PointData>\n<Points>\n");
    one_points(w, write_tag);
    dew_sink_text(w->sink, "</Points>\n<");
    dew_sink_text(w->sink, cells);
    each_cells(w, write_tag);
    dew_sink_text(w->sink, "</");
    dew_sink_text(w->sink, cells);
    dew_sink_text(w->sink, "</Piece>\n</PolyData>\n");
}

static void each_block(Writer *w, BlockFn *fn)
{
    w->pack_count = 0;
    each_attribute(w, fn);
    one_points(w, fn);
    each_cells(w, fn);
}

static void write_all(Writer *w)
{
    write_head(w);
    w->pack_count = 0;
    write_tags(w);
    if (!w->def->is_text) {
        dew_sink_text(w->sink, "<AppendedData encoding=\"raw\">\n_");
        each_block(w, write_body);
        dew_sink_text(w->sink, "\n</AppendedData>\n");
    }
    dew_sink_text(w->sink, "</VTKFile>\n");
}

static dew_Status write_compressed(Writer *w)
{
    const dew_Allocator *allocator = &w->mesh->allocator;
    int64_t count = w->mesh->attributes.count + 3;  // points, connectivity, offsets
    w->packs = dew_alloc(allocator, count, sizeof *w->packs);
    if (!w->packs)
        return dew_no_memory((size_t)count * sizeof *w->packs);
    for (int64_t i = 0; i < count; i++)
        dew_vtk_pack_init(&w->packs[i], allocator);
    w->is_packing = true;
    each_block(w, pack_body);
    w->is_packing = false;
    dew_Status status = dew_ok();
    for (int64_t i = 0; i < count && status.code == DEW_OK; i++)
        status = w->packs[i].status;
    if (status.code == DEW_OK)
        write_all(w);
    for (int64_t i = 0; i < count; i++)
        dew_vtk_pack_deinit(&w->packs[i]);
    dew_free(allocator, w->packs, (size_t)count * sizeof *w->packs);
    return status;
}

dew_Status dew_vtp_write(const dew_Mesh *mesh, const dew_MeshSaveDef *def, dew_Sink *sink)
{
    DEW_TRY(dew_mesh_check_writable(mesh, def->has_double_positions));
    Writer w = {.mesh = mesh, .def = def, .sink = sink, .is_cloud = mesh->triangles.count == 0};
    w.has_wide_indices = mesh->positions.count > INT32_MAX || mesh->triangles.count > INT32_MAX / 3;
    if (def->is_compressed && !def->is_text)
        return write_compressed(&w);
    write_all(&w);
    return dew_ok();
}
