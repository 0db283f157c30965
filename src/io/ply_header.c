// The header of a PLY file [Turk1994].
//
// Lines of words up to `end_header`. Old-style type names (uchar, float) and new ones (uint8,
// float32) are understood. What is unknown is refused with the nearest known word: a header read by
// guess would shift everything behind it.
#include "io/ply_header.h"

#include "dew/text.h"
#include "io/mesh_build.h"

#include <string.h>

typedef struct Parser {
    const dew_Source *source;
    dew_PlyHeader *header;
    dew_Slice rest;
    dew_Slice line;         // what is left of the current line
    const char *at;         // beginning of the current line
    bool has_lone_returns;  // lines end with CR alone, so a LF behind the header is data
    bool has_format;
    bool is_done;
} Parser;

static const char *const type_names[] = {
    "char", "uchar", "short", "ushort", "int",   "uint",   "float",   "double",
    "int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64",
};
static const dew_ScalarType type_values[] = {
    DEW_INT8, DEW_UINT8, DEW_INT16, DEW_UINT16, DEW_INT32, DEW_UINT32, DEW_FLOAT32, DEW_FLOAT64,
};

static dew_Status unknown_word(Parser *p, const char *kind, dew_Slice word,
                               const char *const *names, int64_t count)
{
    char copy[64];
    dew_slice_copy(word, copy, sizeof copy);
    const char *nearest = dew_nearest_name(copy, names, count);
    if (nearest)
        return dew_source_fail_line(p->source, p->at, "unknown %s '%.*s' (did you mean '%s'?)",
                                    kind, DEW_SLICE(word), nearest);
    return dew_source_fail_line(p->source, p->at, "unknown %s '%.*s'", kind, DEW_SLICE(word));
}

static dew_Status parse_type(Parser *p, dew_ScalarType *type)
{
    dew_Slice word;
    if (!dew_slice_next_word(&p->line, &word))
        return dew_source_fail_line(p->source, p->at, "the property has no type (float, int, ...)");
    for (size_t i = 0; i < 16; i++) {
        if (dew_slice_is(word, type_names[i])) {
            *type = type_values[i % 8];
            return dew_ok();
        }
    }
    return unknown_word(p, "PLY type", word, type_names, 16);
}

static dew_Status parse_format(Parser *p)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    dew_Slice word = {0}, version = {0};
    if (p->has_format)
        return dew_source_fail_line(p->source, p->at, "a second 'format' line");
    dew_slice_next_word(&p->line, &word);
    dew_slice_next_word(&p->line, &version);
    for (int i = 0; i < 3; i++) {
        if (dew_slice_is(word, names[i])) {
            p->header->format = (dew_PlyFormat)i;
            p->has_format = true;
        }
    }
    if (!p->has_format)
        return unknown_word(p, "PLY format", word, names, 3);
    if (!dew_slice_is(version, "1.0"))
        return dew_source_fail_line(p->source, p->at, "PLY version '%.*s' (1.0 is the only one)",
                                    DEW_SLICE(version));
    return dew_ok();
}

static dew_Status parse_element(Parser *p)
{
    dew_PlyElement element = {.where = p->at, .first_property = p->header->properties.count};
    dew_Slice count;
    if (!dew_slice_next_word(&p->line, &element.name) || !dew_slice_next_word(&p->line, &count))
        return dew_source_fail_line(p->source, p->at, "'element' wants a name and a count");
    if (!dew_slice_integer(count, &element.row_count) || element.row_count < 0)
        return dew_source_fail_line(p->source, p->at, "'%.*s' is not a count of %.*s elements",
                                    DEW_SLICE(count), DEW_SLICE(element.name));
    bool is_ours = dew_slice_is(element.name, "vertex") || dew_slice_is(element.name, "face");
    const dew_PlyElement *items = DEW_ITEMS(&p->header->elements, dew_PlyElement);
    for (int64_t i = 0; is_ours && i < p->header->elements.count; i++) {
        if (dew_slice_equal(items[i].name, element.name))
            return dew_source_fail_line(p->source, p->at, "element '%.*s' is declared twice",
                                        DEW_SLICE(element.name));
    }
    return dew_array_push(&p->header->elements, &element);
}

static dew_Status parse_property(Parser *p)
{
    dew_PlyHeader *h = p->header;
    if (h->elements.count == 0)
        return dew_source_fail_line(p->source, p->at, "a property before the first element");
    dew_PlyElement *element = &DEW_ITEMS(&h->elements, dew_PlyElement)[h->elements.count - 1];
    if (element->property_count >= DEW_ATTRIBUTES_MAX)
        return dew_source_fail_line(p->source, p->at, "more than %d properties",
                                    DEW_ATTRIBUTES_MAX);
    dew_PlyProperty property = {0};
    dew_Slice peek = p->line, word;
    if (dew_slice_next_word(&peek, &word) && dew_slice_is(word, "list")) {
        p->line = peek;
        property.is_list = true;
        DEW_TRY(parse_type(p, &property.count_type));
    }
    DEW_TRY(parse_type(p, &property.type));
    if (!dew_slice_next_word(&p->line, &property.name))
        return dew_source_fail_line(p->source, p->at, "the property has no name");
    const dew_PlyProperty *others = dew_ply_properties(h, element);
    for (int64_t i = 0; i < element->property_count; i++) {
        if (dew_slice_equal(others[i].name, property.name))
            return dew_source_fail_line(p->source, p->at, "property '%.*s' is declared twice",
                                        DEW_SLICE(property.name));
    }
    element->property_count++;
    return dew_array_push(&h->properties, &property);
}

static dew_Status parse_line(Parser *p)
{
    static const char *const names[] = {"format",  "comment",  "obj_info",
                                        "element", "property", "end_header"};
    dew_Slice word;
    if (!dew_slice_next_word(&p->line, &word) || dew_slice_is(word, "comment") ||
        dew_slice_is(word, "obj_info"))
        return dew_ok();
    if (dew_slice_is(word, "end_header")) {
        p->is_done = true;
        return dew_ok();
    }
    if (dew_slice_is(word, "format"))
        return parse_format(p);
    if (dew_slice_is(word, "element"))
        return parse_element(p);
    if (dew_slice_is(word, "property"))
        return parse_property(p);
    return unknown_word(p, "word in a PLY header:", word, names, 6);
}

// Behind the header: a lone CR ends the last line of an old Macintosh file, even where the first
// byte of the data happens to be a LF.
static size_t body_begin(const Parser *p)
{
    size_t body = (size_t)((const uint8_t *)p->rest.data - p->source->data);
    const uint8_t *data = p->source->data;
    if (p->has_lone_returns && body >= 2 && data[body - 1] == '\n' && data[body - 2] == '\r')
        body--;
    return body;
}

dew_Status dew_ply_header_parse(const dew_Source *source, dew_PlyHeader *header)
{
    *header = (dew_PlyHeader){0};
    dew_array_init(&header->elements, &source->allocator, sizeof(dew_PlyElement));
    dew_array_init(&header->properties, &source->allocator, sizeof(dew_PlyProperty));
    Parser p = {.source = source, .header = header, .rest = dew_slice(source->data, source->size)};
    if (!dew_slice_next_line(&p.rest, &p.line) || !dew_slice_is(dew_slice_trim(p.line), "ply"))
        return dew_source_fail_byte(source, source->data,
                                    "not a PLY file (its first line must be 'ply')");
    const char *line_end = p.line.data + p.line.size;
    p.has_lone_returns = p.rest.data == line_end + 1 && *line_end == '\r';
    while (!p.is_done) {
        if (!dew_slice_next_line(&p.rest, &p.line))
            return dew_source_fail_line(source, p.rest.data,
                                        "the file ends within its header "
                                        "(there is no 'end_header')");
        p.at = p.line.data;
        DEW_TRY(parse_line(&p));
    }
    if (!p.has_format)
        return dew_source_fail_line(source, p.at, "the header has no 'format' line");
    header->body = body_begin(&p);
    return dew_ok();
}

void dew_ply_header_deinit(dew_PlyHeader *header)
{
    dew_array_deinit(&header->elements);
    dew_array_deinit(&header->properties);
}

const dew_PlyProperty *dew_ply_properties(const dew_PlyHeader *header,
                                          const dew_PlyElement *element)
{
    if (header->properties.count == 0)
        return NULL;
    return DEW_ITEMS(&header->properties, const dew_PlyProperty) + element->first_property;
}

const dew_PlyElement *dew_ply_find_element(const dew_PlyHeader *header, const char *name)
{
    const dew_PlyElement *elements = DEW_ITEMS(&header->elements, const dew_PlyElement);
    for (int64_t i = 0; i < header->elements.count; i++) {
        if (dew_slice_is(elements[i].name, name))
            return &elements[i];
    }
    return NULL;
}

int64_t dew_ply_row_min_bytes(const dew_PlyHeader *header, const dew_PlyElement *element)
{
    if (header->format == DEW_PLY_ASCII)
        return 2 * element->property_count;
    const dew_PlyProperty *properties = dew_ply_properties(header, element);
    size_t size = 0;
    for (int64_t i = 0; i < element->property_count; i++)
        size +=
            dew_scalar_size(properties[i].is_list ? properties[i].count_type : properties[i].type);
    return (int64_t)size;
}

bool dew_ply_row_is_fixed(const dew_PlyHeader *header, const dew_PlyElement *element)
{
    const dew_PlyProperty *properties = dew_ply_properties(header, element);
    for (int64_t i = 0; i < element->property_count; i++) {
        if (properties[i].is_list)
            return false;
    }
    return true;
}
