// Reads VTP [Kitware2010] into a mesh: first all tags, then the arrays of each piece.
#include "io/vtp.h"

#include "base/status.h"
#include "io/mesh_build.h"
#include "io/vtp_layout.h"
#include "io/vtp_names.h"

typedef struct Reader {
    const dew_Source *source;
    dew_Mesh *mesh;
    dew_VtpLayout layout;
    const dew_VtpPiece *piece;
    int64_t first_vertex;  // of the piece
    int64_t face_count, polygon_count;
    bool has_other_cells, has_cell_data;
    dew_Status status;  // why a bool was false
} Reader;

#define FAIL(r, at_, ...)                                                                          \
    ((r)->status = dew_source_fail_line((r)->source, (at_), __VA_ARGS__), false)

// ---- points and their data ---------------------------------------------------------------------

static dew_Status store_points(Reader *r, const dew_VtpArray *array, const dew_VtpValues *values)
{
    int64_t count = r->piece->count[DEW_VTP_POINTS];
    DEW_TRY(dew_build_reserve(&r->mesh->positions, count));
    dew_Vec3 *positions = DEW_ITEMS(&r->mesh->positions, dew_Vec3) + r->first_vertex;
    for (int64_t i = 0; i < count; i++) {
        positions[i] = dew_vec(dew_vtp_number(values, 3 * i), dew_vtp_number(values, 3 * i + 1),
                               dew_vtp_number(values, 3 * i + 2));
        if (!dew_vec_is_finite(positions[i]))
            return dew_source_fail_line(r->source, array->where, "point %lld is not finite",
                                        (long long)i);
    }
    r->mesh->positions.count += count;
    return dew_ok();
}

static dew_Status read_points(Reader *r)
{
    int64_t count = r->piece->count[DEW_VTP_POINTS];
    if (count == 0)
        return dew_ok();
    if (count > UINT32_MAX - 1 - r->first_vertex)
        return dew_source_fail_line(r->source, r->piece->where,
                                    "more points than 32 bits can name");
    const dew_VtpArray *array = dew_vtp_find_array(&r->layout, r->piece, DEW_VTP_POINTS, NULL);
    if (!array)
        return dew_source_fail_line(r->source, r->piece->where, "the piece has no <Points>");
    if (array->component_count != 3)
        return dew_source_fail_line(r->source, array->where,
                                    "points have 3 components, these have %lld",
                                    (long long)array->component_count);
    dew_VtpValues values;
    dew_Status status = dew_vtp_fetch(&r->layout.data, array, 3 * count, &values);
    if (status.code == DEW_OK)
        status = store_points(r, array, &values);
    dew_vtp_free(&r->layout.data, &values);
    return status;
}

// Attributes of earlier pieces that this one may lack: zero for its points.
static dew_Status extend_attributes(Reader *r)
{
    dew_MeshAttribute *attributes = DEW_ITEMS(&r->mesh->attributes, dew_MeshAttribute);
    for (int64_t i = 0; i < r->mesh->attributes.count; i++)
        DEW_TRY(dew_array_resize(&attributes[i].values, r->mesh->positions.count));
    return dew_ok();
}

static dew_Status store_attributes(Reader *r, const dew_VtpArray *array,
                                   const dew_VtpValues *values)
{
    int64_t count = r->piece->count[DEW_VTP_POINTS], components = array->component_count;
    char name[DEW_VTP_NAME_SIZE];
    bool may_exist = r->first_vertex > 0;  // from an earlier piece
    for (int64_t k = 0; k < components; k++) {
        float *out;
        dew_vtp_attribute_name(array->name, components, k, name);
        DEW_TRY(dew_build_attribute(r->source, array->where, r->mesh, dew_slice_of(name), may_exist,
                                    &out));
        for (int64_t i = 0; out && i < count; i++)
            out[r->first_vertex + i] = (float)dew_vtp_number(values, i * components + k);
    }
    return dew_ok();
}

static dew_Status read_attributes(Reader *r)
{
    int64_t count = r->piece->count[DEW_VTP_POINTS];
    DEW_TRY(extend_attributes(r));
    if (r->piece->array_count[DEW_VTP_POINT_DATA] == 0)
        return dew_ok();
    const dew_VtpArray *arrays = DEW_ITEMS(&r->layout.arrays, const dew_VtpArray) +
                                 r->piece->array_begin[DEW_VTP_POINT_DATA];
    for (int64_t i = 0; i < r->piece->array_count[DEW_VTP_POINT_DATA]; i++) {
        if (!arrays[i].is_known_type) {
            dew_source_say_line(r->source, DEW_LOG_WARNING, arrays[i].where,
                                "array '%.*s' holds no numbers and is ignored",
                                DEW_SLICE(dew_slice_of(arrays[i].name)));
            continue;
        }
        if (arrays[i].component_count > DEW_ATTRIBUTES_MAX)
            return dew_source_fail_line(
                r->source, arrays[i].where, "array '%.*s' has more than %d components",
                DEW_SLICE(dew_slice_of(arrays[i].name)), DEW_ATTRIBUTES_MAX);
        dew_VtpValues values;
        dew_Status status =
            dew_vtp_fetch(&r->layout.data, &arrays[i], count * arrays[i].component_count, &values);
        if (status.code == DEW_OK)
            status = store_attributes(r, &arrays[i], &values);
        dew_vtp_free(&r->layout.data, &values);
        DEW_TRY(status);
    }
    return dew_ok();
}

// ---- cells -------------------------------------------------------------------------------------

// Polygons or strips being read.
typedef struct Cells {
    const dew_VtpArray *ends_array, *corners_array;
    dew_VtpValues ends;     // for each cell: the number of corners up to its end
    dew_VtpValues corners;  // of all cells
    bool is_strips;
} Cells;

// Corners of a strip take turns in order, so that all its triangles face the same side.
static bool add_strip_triangle(dew_Mesh *mesh, const uint32_t last[3], int64_t corner)
{
    bool is_odd = corner % 2 != 0;
    return dew_build_triangle(mesh, last[is_odd ? 1 : 0], last[is_odd ? 0 : 1], last[2]);
}

static bool add_corner(Reader *r, const Cells *cells, dew_Fan *fan, uint32_t last[3],
                       uint32_t corner)
{
    if (!cells->is_strips)
        return dew_fan_add(fan, r->mesh, corner);
    last[0] = last[1];
    last[1] = last[2];
    last[2] = corner;
    fan->corner_count++;
    return fan->corner_count < 3 || add_strip_triangle(r->mesh, last, fan->corner_count - 1);
}

static bool read_cell(Reader *r, const Cells *cells, int64_t begin, int64_t end)
{
    int64_t point_count = r->piece->count[DEW_VTP_POINTS];
    dew_Fan fan = {0};
    uint32_t last[3] = {0};
    for (int64_t i = begin; i < end; i++) {
        int64_t index = -1;
        if (!dew_vtp_integer(&cells->corners, i, &index) || index < 0 || index >= point_count)
            return FAIL(r, cells->corners_array->where,
                        "face %lld: point index %lld is out of range (0 to %lld)",
                        (long long)r->face_count, (long long)index, (long long)point_count - 1);
        if (!add_corner(r, cells, &fan, last, (uint32_t)(r->first_vertex + index))) {
            r->status = dew_no_memory((size_t)r->mesh->triangles.count * sizeof(dew_Triangle));
            return false;
        }
    }
    r->polygon_count += !cells->is_strips && end - begin > 3;
    r->face_count++;
    return true;
}

static bool read_each(Reader *r, const Cells *cells)
{
    int64_t begin = 0;
    for (int64_t i = 0; i < cells->ends.count; i++) {
        int64_t end = 0;
        if (!dew_vtp_integer(&cells->ends, i, &end) || end > cells->corners.count || end < begin)
            return FAIL(r, cells->ends_array->where, "face %lld: its offset %lld is out of order",
                        (long long)r->face_count, (long long)end);
        if (end - begin < 3)
            return FAIL(r, cells->ends_array->where, "face %lld has %lld corner%s (3 at least)",
                        (long long)r->face_count, (long long)(end - begin),
                        end - begin == 1 ? "" : "s");
        if (!read_cell(r, cells, begin, end))
            return false;
        begin = end;
    }
    return true;
}

static dew_Status read_with_ends(Reader *r, Cells *cells)
{
    int64_t corner_count = 0;
    if (!dew_vtp_integer(&cells->ends, cells->ends.count - 1, &corner_count) || corner_count < 0)
        return dew_source_fail_line(r->source, cells->ends_array->where,
                                    "the last offset is not a count of corners");
    dew_Status status =
        dew_vtp_fetch(&r->layout.data, cells->corners_array, corner_count, &cells->corners);
    if (status.code == DEW_OK)
        status = dew_build_reserve(&r->mesh->triangles, cells->ends.count);
    if (status.code == DEW_OK && !read_each(r, cells))
        status = r->status;
    dew_vtp_free(&r->layout.data, &cells->corners);
    return status;
}

static dew_Status read_cells(Reader *r, dew_VtpSection section)
{
    int64_t count = r->piece->count[section];
    if (count == 0)
        return dew_ok();
    Cells cells = {.is_strips = section == DEW_VTP_STRIPS};
    cells.ends_array = dew_vtp_find_array(&r->layout, r->piece, section, "offsets");
    cells.corners_array = dew_vtp_find_array(&r->layout, r->piece, section, "connectivity");
    if (!cells.ends_array || !cells.corners_array)
        return dew_source_fail_line(r->source, r->piece->where,
                                    "the piece has no arrays 'connectivity' and 'offsets' for its "
                                    "%lld faces",
                                    (long long)count);
    dew_Status status = dew_vtp_fetch(&r->layout.data, cells.ends_array, count, &cells.ends);
    if (status.code == DEW_OK)
        status = read_with_ends(r, &cells);
    dew_vtp_free(&r->layout.data, &cells.ends);
    return status;
}

// ---- the whole ---------------------------------------------------------------------------------

static dew_Status read_piece(Reader *r)
{
    r->first_vertex = r->mesh->positions.count;
    DEW_TRY(read_points(r));
    DEW_TRY(read_attributes(r));
    DEW_TRY(read_cells(r, DEW_VTP_POLYS));
    DEW_TRY(read_cells(r, DEW_VTP_STRIPS));
    r->has_other_cells |= r->piece->count[DEW_VTP_LINES] > 0 || r->piece->count[DEW_VTP_VERTS] > 0;
    r->has_cell_data |= r->piece->array_count[DEW_VTP_CELL_DATA] > 0;
    return dew_ok();
}

static dew_Status read_pieces(Reader *r)
{
    const dew_VtpPiece *pieces = DEW_ITEMS(&r->layout.pieces, const dew_VtpPiece);
    for (int64_t i = 0; i < r->layout.pieces.count; i++) {
        r->piece = &pieces[i];
        DEW_TRY(read_piece(r));
    }
    if (r->has_other_cells && r->face_count > 0)
        dew_source_say(r->source, DEW_LOG_WARNING, "vertices and lines are ignored");
    if (r->has_cell_data)
        dew_source_say(r->source, DEW_LOG_INFO, "data of faces is ignored");
    dew_say_polygons(r->source, r->polygon_count);
    return dew_ok();
}

dew_Status dew_vtp_parse(const dew_Source *source, dew_Mesh *mesh)
{
    dew_mesh_reset(mesh);
    Reader r = {.source = source, .mesh = mesh};
    dew_Status status = dew_vtp_layout_parse(source, &r.layout);
    if (status.code == DEW_OK)
        status = read_pieces(&r);
    dew_vtp_layout_deinit(&r.layout);
    if (status.code != DEW_OK)
        dew_mesh_reset(mesh);
    return status;
}
