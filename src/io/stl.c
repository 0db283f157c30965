// Reads STL [Stereolithography1988] into a mesh, welding corners that coincide.
#include "io/stl.h"

#include "base/status.h"
#include "io/mesh_build.h"
#include "io/scalar.h"
#include "io/weld.h"

typedef struct Header {
    uint8_t anything[80];
    uint8_t triangle_count[sizeof(uint32_t)];
} Header;

typedef struct Record {  // of a triangle
    uint8_t normal[3][sizeof(float)], corners[3][3][sizeof(float)];
    uint8_t anything[2];
} Record;

#define HEADER_BYTES   ((int)sizeof(Header))
#define TRIANGLE_BYTES ((int)sizeof(Record))

typedef struct Reader {
    const dew_Source *source;
    dew_Mesh *mesh;
    dew_Weld weld;
    dew_Slice rest;     // text: what is left
    dew_Status status;  // why a bool was false
} Reader;

static int64_t binary_count(const dew_Source *source)
{
    return (int64_t)dew_bytes_get(source->data + HEADER_BYTES - 4, 4, false);
}

bool dew_stl_is_binary(const dew_Source *source)
{
    return source->size >= sizeof(Header) &&
           source->size - HEADER_BYTES == (uint64_t)binary_count(source) * TRIANGLE_BYTES;
}

static bool begins_with_solid(const dew_Source *source)
{
    dew_Slice rest = dew_slice(source->data, source->size), word;
    return dew_slice_next_word(&rest, &word) && dew_slice_is_any_case(word, "solid");
}

// The triangle count of a binary file and its floats hold bytes that no text does.
static bool looks_like_text(const dew_Source *source)
{
    size_t size = source->size < 1024 ? source->size : 1024;
    for (size_t i = 0; i < size; i++) {
        if (source->data[i] < '\t')
            return false;
    }
    return true;
}

// ---- binary ------------------------------------------------------------------------------------

static bool read_binary_triangle(Reader *r, const uint8_t *at, int64_t triangle)
{
    uint32_t corners[3];
    for (int k = 0; k < 3; k++) {
        const uint8_t *p = at + 12 + 12 * k;
        dew_Vec3 point = {dew_scalar_number(p, DEW_FLOAT32, false),
                          dew_scalar_number(p + 4, DEW_FLOAT32, false),
                          dew_scalar_number(p + 8, DEW_FLOAT32, false)};
        if (!dew_vec_is_finite(point)) {
            r->status = dew_source_fail_byte(r->source, p, "triangle %lld: corner %d is not finite",
                                             (long long)triangle, k);
            return false;
        }
        if (!dew_weld_point(&r->weld, point, &corners[k])) {
            r->status = dew_no_memory((size_t)r->mesh->positions.capacity * sizeof(dew_Vec3));
            return false;
        }
    }
    DEW_ITEMS(&r->mesh->triangles, dew_Triangle)
    [triangle] = (dew_Triangle){{corners[0], corners[1], corners[2]}};
    return true;
}

static dew_Status read_binary(Reader *r)
{
    const dew_Source *source = r->source;
    if (source->size < sizeof(Header) || looks_like_text(source))
        return dew_source_fail_byte(source, source->data,
                                    "not an STL file (it neither begins with 'solid' nor with the "
                                    "%d bytes of a binary header)",
                                    HEADER_BYTES);
    int64_t count = binary_count(source);
    int64_t left = (int64_t)source->size - HEADER_BYTES;
    if (count > left / TRIANGLE_BYTES)
        return dew_source_fail_byte(source, source->data + HEADER_BYTES - 4,
                                    "%lld triangles of %d bytes each, but only %lld bytes follow",
                                    (long long)count, TRIANGLE_BYTES, (long long)left);
    if (left > count * TRIANGLE_BYTES)
        dew_source_say(source, DEW_LOG_WARNING, "%lld bytes behind the last triangle were ignored",
                       (long long)(left - count * TRIANGLE_BYTES));
    DEW_TRY(dew_array_resize(&r->mesh->triangles, count));
    for (int64_t i = 0; i < count; i++) {
        if (!read_binary_triangle(r, source->data + HEADER_BYTES + i * TRIANGLE_BYTES, i))
            return r->status;
    }
    return dew_ok();
}

// ---- text --------------------------------------------------------------------------------------

#define FAIL(r, at_, ...)                                                                          \
    ((r)->status = dew_source_fail_line((r)->source, (at_), __VA_ARGS__), false)

static bool expect(Reader *r, const char *wanted)
{
    dew_Slice word;
    if (!dew_slice_next_word(&r->rest, &word))
        return FAIL(r, r->rest.data, "the file ends where '%s' should stand", wanted);
    if (!dew_slice_is_any_case(word, wanted))
        return FAIL(r, word.data, "'%.*s' where '%s' should stand", DEW_SLICE(word), wanted);
    return true;
}

static bool read_numbers(Reader *r, double out[3])
{
    dew_Slice word;
    for (int i = 0; i < 3; i++) {
        if (!dew_slice_next_word(&r->rest, &word))
            return FAIL(r, r->rest.data, "the file ends where a number should stand");
        if (!dew_slice_number(word, &out[i]))
            return FAIL(r, word.data, "'%.*s' is not a number (3 are wanted)", DEW_SLICE(word));
    }
    return true;
}

static bool read_vertex(Reader *r, uint32_t *index)
{
    double p[3];
    const char *at = dew_slice_trim(r->rest).data;
    if (!expect(r, "vertex") || !read_numbers(r, p))
        return false;
    if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
        return FAIL(r, at, "triangle %lld: a corner is not finite",
                    (long long)r->mesh->triangles.count);
    if (!dew_weld_point(&r->weld, dew_vec(p[0], p[1], p[2]), index)) {
        r->status = dew_no_memory((size_t)r->mesh->positions.capacity * sizeof(dew_Vec3));
        return false;
    }
    return true;
}

// From behind the word `facet` to `endfacet`.
static bool read_facet(Reader *r)
{
    double normal[3];
    uint32_t v[3];
    bool is_read = expect(r, "normal") && read_numbers(r, normal) && expect(r, "outer") &&
                   expect(r, "loop") && read_vertex(r, &v[0]) && read_vertex(r, &v[1]) &&
                   read_vertex(r, &v[2]) && expect(r, "endloop") && expect(r, "endfacet");
    if (!is_read)
        return false;
    if (!dew_build_triangle(r->mesh, v[0], v[1], v[2])) {
        r->status = dew_no_memory((size_t)r->mesh->triangles.capacity * sizeof(dew_Triangle));
        return false;
    }
    return true;
}

// From behind the word `solid` to the end of the line of `endsolid`.
static bool read_solid(Reader *r)
{
    dew_Slice line, word;
    dew_slice_next_line(&r->rest, &line);  // its name
    for (;;) {
        if (!dew_slice_next_word(&r->rest, &word))
            return FAIL(r, r->rest.data, "the file ends before 'endsolid'");
        if (dew_slice_is_any_case(word, "endsolid")) {
            dew_slice_next_line(&r->rest, &line);  // its name again
            return true;
        }
        if (!dew_slice_is_any_case(word, "facet"))
            return FAIL(r, word.data, "'%.*s' where 'facet' or 'endsolid' should stand",
                        DEW_SLICE(word));
        if (!read_facet(r))
            return false;
    }
}

static dew_Status read_text(Reader *r)
{
    dew_Slice word;
    r->rest = dew_slice(r->source->data, r->source->size);
    while (dew_slice_next_word(&r->rest, &word)) {
        if (!dew_slice_is_any_case(word, "solid"))
            return dew_source_fail_line(r->source, word.data,
                                        "'%.*s' behind 'endsolid' (another 'solid' or the end)",
                                        DEW_SLICE(word));
        if (!read_solid(r))
            return r->status;
    }
    return dew_ok();
}

dew_Status dew_stl_parse(const dew_Source *source, dew_Mesh *mesh)
{
    dew_mesh_reset(mesh);
    Reader r = {.source = source, .mesh = mesh};
    dew_weld_init(&r.weld, &mesh->positions, &source->allocator);
    bool is_binary =
        dew_stl_is_binary(source) || !(begins_with_solid(source) && looks_like_text(source));
    dew_Status status = is_binary ? read_binary(&r) : read_text(&r);
    dew_weld_deinit(&r.weld);
    if (status.code != DEW_OK)
        dew_mesh_reset(mesh);
    return status;
}
