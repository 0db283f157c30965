// Reads PLY [Turk1994] into a mesh.
//
// One walk over the elements in the order of the header, one row at a time; text and binary differ
// only in how the next value is fetched. Before anything is allocated for an element its count is
// held against the bytes that are left, so memory stays within a small multiple of the file's size.
// Text is read line by line, a row each (as other programs do), so that a missing number is
// reported where it is missing and not at the end of the file.
#include "io/ply.h"

#include "base/status.h"
#include "io/mesh_build.h"
#include "io/ply_header.h"

// What becomes of one property of a vertex.
typedef struct Target {
    int axis;       // 0..2: a coordinate; else -1
    float *values;  // the attribute; NULL: passed over
} Target;

typedef struct Reader {
    const dew_Source *source;
    const dew_PlyHeader *header;
    dew_Mesh *mesh;
    bool is_ascii, is_big_endian;
    bool has_positions;             // false: vertices may have none, and are then at the origin
    const uint8_t *at, *end;        // what is left
    dew_Slice line;                 // text: what is left of the row
    const dew_PlyElement *element;  // being read
    int64_t row;
    int64_t vertex_count;
    int64_t polygon_count;  // with more than three corners
    dew_Status status;      // why a bool was false
} Reader;

// ---- places ------------------------------------------------------------------------------------

#define FAIL(r, at_, ...)                                                                          \
    ((r)->status = (r)->is_ascii ? dew_source_fail_line((r)->source, (at_), __VA_ARGS__)           \
                                 : dew_source_fail_byte((r)->source, (at_), __VA_ARGS__),          \
     false)

static bool fail_end(Reader *r)
{
    return FAIL(r, r->end, "the file ends in %.*s %lld of %lld", DEW_SLICE(r->element->name),
                (long long)r->row, (long long)r->element->row_count);
}

static bool fail_memory(Reader *r, size_t size_bytes)
{
    r->status = dew_no_memory(size_bytes);
    return false;
}

// Where the next value is.
static const void *here(const Reader *r)
{
    return r->is_ascii ? (const void *)r->line.data : (const void *)r->at;
}

// ---- values ------------------------------------------------------------------------------------

static bool next_word(Reader *r, dew_Slice *word)
{
    if (dew_slice_next_word(&r->line, word))
        return true;
    return FAIL(r, word->data, "%.*s %lld: fewer values than the header declares",
                DEW_SLICE(r->element->name), (long long)r->row);
}

static bool next_number(Reader *r, dew_ScalarType type, double *out)
{
    if (!r->is_ascii) {
        size_t size = dew_scalar_size(type);
        if ((size_t)(r->end - r->at) < size)
            return fail_end(r);
        *out = dew_scalar_number(r->at, type, r->is_big_endian);
        r->at += size;
        return true;
    }
    dew_Slice word;
    if (!next_word(r, &word))
        return false;
    if (!dew_slice_number(word, out))
        return FAIL(r, word.data, "%.*s %lld: '%.*s' is not a number", DEW_SLICE(r->element->name),
                    (long long)r->row, DEW_SLICE(word));
    return true;
}

static bool next_integer(Reader *r, dew_ScalarType type, int64_t *out)
{
    if (!r->is_ascii) {
        size_t size = dew_scalar_size(type);
        if ((size_t)(r->end - r->at) < size)
            return fail_end(r);
        if (!dew_scalar_integer(r->at, type, r->is_big_endian, out))
            return FAIL(r, r->at, "%.*s %lld: %g is not an integer", DEW_SLICE(r->element->name),
                        (long long)r->row, dew_scalar_number(r->at, type, r->is_big_endian));
        r->at += size;
        return true;
    }
    dew_Slice word;
    if (!next_word(r, &word))
        return false;
    if (!dew_slice_integer(word, out))
        return FAIL(r, word.data, "%.*s %lld: '%.*s' is not an integer",
                    DEW_SLICE(r->element->name), (long long)r->row, DEW_SLICE(word));
    return true;
}

// The length of a list, held against what is left: no loop runs longer than the file.
static bool next_count(Reader *r, const dew_PlyProperty *property, int64_t *count)
{
    const void *place = here(r);
    if (!next_integer(r, property->count_type, count))
        return false;
    size_t size = r->is_ascii ? 2 : dew_scalar_size(property->type);
    size_t left = r->is_ascii ? r->line.size : (size_t)(r->end - r->at);
    if (*count < 0)
        return FAIL(r, place, "%.*s %lld: a list of %lld values", DEW_SLICE(r->element->name),
                    (long long)r->row, (long long)*count);
    if ((uint64_t)*count > (left + (r->is_ascii ? 1 : 0)) / size)
        return FAIL(r, place, "%.*s %lld: a list of %lld values, but only %zu bytes are left %s",
                    DEW_SLICE(r->element->name), (long long)r->row, (long long)*count, left,
                    r->is_ascii ? "on the line" : "in the file");
    return true;
}

static bool skip_property(Reader *r, const dew_PlyProperty *property)
{
    int64_t count = 1;
    if (property->is_list && !next_count(r, property, &count))
        return false;
    if (!r->is_ascii) {
        size_t size = (size_t)count * dew_scalar_size(property->type);
        if ((size_t)(r->end - r->at) < size)
            return fail_end(r);
        r->at += size;
        return true;
    }
    dew_Slice word;
    for (int64_t i = 0; i < count; i++) {
        if (!next_word(r, &word))
            return false;
    }
    return true;
}

// ---- rows --------------------------------------------------------------------------------------

static bool begin_row(Reader *r)
{
    if (!r->is_ascii)
        return true;
    dew_Slice rest = dew_slice(r->at, (size_t)(r->end - r->at));
    dew_Slice peek, word;
    do {
        if (!dew_slice_next_line(&rest, &r->line))
            return fail_end(r);
        peek = r->line;
    } while (!dew_slice_next_word(&peek, &word));
    r->at = (const uint8_t *)rest.data;
    return true;
}

static bool end_row(Reader *r)
{
    dew_Slice word;
    if (r->is_ascii && dew_slice_next_word(&r->line, &word))
        return FAIL(r, word.data, "%.*s %lld: more values than the header declares",
                    DEW_SLICE(r->element->name), (long long)r->row);
    return true;
}

// Refuses counts that the rest of the file cannot hold.
static bool check_count(Reader *r)
{
    const dew_PlyElement *e = r->element;
    int64_t size = dew_ply_row_min_bytes(r->header, e);
    int64_t left = r->end - r->at;
    // Text may end without a line end, so its last separator may be missing.
    if (size == 0 || e->row_count <= (left + (r->is_ascii ? 1 : 0)) / size)
        return true;
    return FAIL(r, r->is_ascii ? (const void *)e->where : (const void *)r->at,
                "%lld elements '%.*s' of at least %lld bytes each, but only %lld bytes follow",
                (long long)e->row_count, DEW_SLICE(e->name), (long long)size, (long long)left);
}

// ---- vertices ----------------------------------------------------------------------------------

static dew_Status find_targets(Reader *r, const dew_PlyProperty *properties, Target *targets)
{
    static const char *const axes[] = {"x", "y", "z"};
    const dew_PlyElement *e = r->element;
    int found = 0;
    for (int64_t i = 0; i < e->property_count; i++) {
        targets[i].axis = -1;
        for (int k = 0; k < 3; k++) {
            if (!properties[i].is_list && dew_slice_is(properties[i].name, axes[k])) {
                targets[i].axis = k;
                found |= 1 << k;
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        if (r->has_positions && !(found & 1 << k))
            return dew_source_fail_line(r->source, e->where,
                                        "element 'vertex' has no property '%s'", axes[k]);
    }
    for (int64_t i = 0; i < e->property_count; i++) {
        if (targets[i].axis < 0 && !properties[i].is_list)
            DEW_TRY(dew_build_attribute(r->source, properties[i].name.data, r->mesh,
                                        properties[i].name, false, &targets[i].values));
    }
    return dew_ok();
}

static bool read_vertex(Reader *r, const dew_PlyProperty *properties, const Target *targets)
{
    double position[3] = {0};
    for (int64_t i = 0; i < r->element->property_count; i++) {
        if (properties[i].is_list) {
            if (!skip_property(r, &properties[i]))
                return false;
            continue;
        }
        const void *place = here(r);
        double x;
        if (!next_number(r, properties[i].type, &x))
            return false;
        if (targets[i].axis >= 0) {
            if (!isfinite(x))
                return FAIL(r, place, "vertex %lld: %.*s is not finite", (long long)r->row,
                            DEW_SLICE(properties[i].name));
            position[targets[i].axis] = x;
        } else if (targets[i].values) {
            targets[i].values[r->row] = (float)x;
        }
    }
    DEW_ITEMS(&r->mesh->positions, dew_Vec3)
    [r->row] = dew_vec(position[0], position[1], position[2]);
    return true;
}

static dew_Status read_rows(Reader *r, const dew_PlyProperty *properties, Target *targets)
{
    DEW_TRY(dew_array_resize(&r->mesh->positions, r->element->row_count));
    DEW_TRY(find_targets(r, properties, targets));
    for (r->row = 0; r->row < r->element->row_count; r->row++) {
        if (!begin_row(r) || !read_vertex(r, properties, targets) || !end_row(r))
            return r->status;
    }
    return dew_ok();
}

static dew_Status read_vertices(Reader *r)
{
    const dew_PlyElement *e = r->element;
    if (e->row_count > UINT32_MAX)
        return dew_source_fail_line(r->source, e->where, "more than %lld vertices",
                                    (long long)UINT32_MAX);
    if (r->has_positions && e->property_count == 0)
        return dew_source_fail_line(r->source, e->where, "element 'vertex' has no property 'x'");
    if (e->property_count == 0)
        return dew_source_fail_line(r->source, e->where, "element 'vertex' has no property");
    Target *targets = dew_alloc(&r->source->allocator, e->property_count, sizeof *targets);
    size_t size = (size_t)e->property_count * sizeof *targets;
    if (!targets)
        return dew_no_memory(size);
    dew_Status status = read_rows(r, dew_ply_properties(r->header, e), targets);
    dew_free(&r->source->allocator, targets, size);
    return status;
}

// ---- faces -------------------------------------------------------------------------------------

static bool fail_index(Reader *r, dew_ScalarType type, const void *place, int64_t index)
{
    int64_t swapped;
    bool is_swapped = !r->is_ascii &&
                      dew_scalar_integer(place, type, !r->is_big_endian, &swapped) &&
                      swapped >= 0 && swapped < r->vertex_count;
    return FAIL(r, place, "face %lld: vertex index %lld is out of range (0 to %lld)%s",
                (long long)r->row, (long long)index, (long long)r->vertex_count - 1,
                is_swapped ? "; is the byte order wrong?" : "");
}

static bool read_corners(Reader *r, const dew_PlyProperty *property)
{
    const void *face_place = here(r);
    int64_t count;
    if (!next_count(r, property, &count))
        return false;
    if (count < 3)
        return FAIL(r, face_place, "face %lld has %lld corner%s (3 at least)", (long long)r->row,
                    (long long)count, count == 1 ? "" : "s");
    dew_Fan fan = {0};
    for (int64_t i = 0; i < count; i++) {
        const void *place = here(r);
        int64_t index;
        if (!next_integer(r, property->type, &index))
            return false;
        if (index < 0 || index >= r->vertex_count)
            return fail_index(r, property->type, place, index);
        if (!dew_fan_add(&fan, r->mesh, (uint32_t)index))
            return fail_memory(r, sizeof(dew_Triangle) * (size_t)r->mesh->triangles.count * 2);
    }
    r->polygon_count += count > 3;
    return true;
}

static const dew_PlyProperty *index_property(const Reader *r)
{
    const dew_PlyProperty *properties = dew_ply_properties(r->header, r->element);
    for (int64_t i = 0; i < r->element->property_count; i++) {
        if (properties[i].is_list && (dew_slice_is(properties[i].name, "vertex_indices") ||
                                      dew_slice_is(properties[i].name, "vertex_index")))
            return &properties[i];
    }
    return NULL;
}

static bool read_face(Reader *r, const dew_PlyProperty *properties, const dew_PlyProperty *indices)
{
    for (int64_t i = 0; i < r->element->property_count; i++) {
        bool is_read =
            &properties[i] == indices ? read_corners(r, indices) : skip_property(r, &properties[i]);
        if (!is_read)
            return false;
    }
    return true;
}

static dew_Status read_faces(Reader *r)
{
    const dew_PlyElement *e = r->element;
    const dew_PlyProperty *properties = dew_ply_properties(r->header, e);
    const dew_PlyProperty *indices = index_property(r);
    if (!indices && e->row_count > 0)
        return dew_source_fail_line(r->source, e->where,
                                    "element 'face' has no list 'vertex_indices'");
    DEW_TRY(dew_array_reserve(&r->mesh->triangles, e->row_count));
    for (r->row = 0; r->row < e->row_count; r->row++) {
        if (!begin_row(r) || !read_face(r, properties, indices) || !end_row(r))
            return r->status;
    }
    return dew_ok();
}

// ---- the whole ---------------------------------------------------------------------------------

static dew_Status skip_element(Reader *r)
{
    const dew_PlyElement *e = r->element;
    const dew_PlyProperty *properties = dew_ply_properties(r->header, e);
    if (e->property_count == 0)
        return dew_ok();  // rows without bytes
    if (!r->is_ascii && dew_ply_row_is_fixed(r->header, e)) {
        r->at += e->row_count * dew_ply_row_min_bytes(r->header, e);  // check_count saw them
        return dew_ok();
    }
    for (r->row = 0; r->row < e->row_count; r->row++) {
        if (!begin_row(r))
            return r->status;
        for (int64_t i = 0; !r->is_ascii && i < e->property_count; i++) {
            if (!skip_property(r, &properties[i]))
                return r->status;
        }
    }
    return dew_ok();
}

static void warn_rest(const Reader *r)
{
    dew_Slice rest = dew_slice(r->at, (size_t)(r->end - r->at));
    if (r->is_ascii)
        rest = dew_slice_trim(rest);
    if (rest.size > 0)
        dew_source_say(r->source, DEW_LOG_WARNING, "%zu bytes behind the last element were ignored",
                       rest.size);
}

static dew_Status read_elements(Reader *r)
{
    const dew_PlyElement *elements = DEW_ITEMS(&r->header->elements, const dew_PlyElement);
    const dew_PlyElement *vertices = dew_ply_find_element(r->header, "vertex");
    if (!vertices)
        return dew_source_fail_line(r->source, r->source->data + r->header->body - 1,
                                    "the header declares no element 'vertex'");
    r->vertex_count = vertices->row_count;
    for (int64_t i = 0; i < r->header->elements.count; i++) {
        r->element = &elements[i];
        r->row = 0;
        if (!check_count(r))
            return r->status;
        if (r->element == vertices)
            DEW_TRY(read_vertices(r));
        else if (dew_slice_is(r->element->name, "face"))
            DEW_TRY(read_faces(r));
        else
            DEW_TRY(skip_element(r));
    }
    warn_rest(r);
    dew_say_polygons(r->source, r->polygon_count);
    return dew_ok();
}

static dew_Status parse(const dew_Source *source, bool has_positions, dew_Mesh *mesh)
{
    dew_mesh_reset(mesh);
    dew_PlyHeader header;
    dew_Status status = dew_ply_header_parse(source, &header);
    if (status.code == DEW_OK) {
        Reader r = {
            .source = source,
            .header = &header,
            .mesh = mesh,
            .has_positions = has_positions,
            .is_ascii = header.format == DEW_PLY_ASCII,
            .is_big_endian = header.format == DEW_PLY_BIG_ENDIAN,
            .at = source->data + header.body,
            .end = source->data + source->size,
        };
        status = read_elements(&r);
    }
    dew_ply_header_deinit(&header);
    if (status.code != DEW_OK)
        dew_mesh_reset(mesh);
    return status;
}

dew_Status dew_ply_parse(const dew_Source *source, dew_Mesh *mesh)
{
    return parse(source, true, mesh);
}

dew_Status dew_ply_parse_values(const dew_Source *source, dew_Mesh *mesh)
{
    return parse(source, false, mesh);
}
