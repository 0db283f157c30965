// Reads the tags of a VTP file [Kitware2010].
//
// Appended raw data may hold any bytes, so reading stops at its tag; what stands behind it is data.
#include "io/vtp_layout.h"

#include "io/xml.h"

static const char *const section_names[DEW_VTP_SECTION_COUNT] = {
    [DEW_VTP_ELSEWHERE] = "",         [DEW_VTP_POINT_DATA] = "PointData",
    [DEW_VTP_CELL_DATA] = "CellData", [DEW_VTP_POINTS] = "Points",
    [DEW_VTP_VERTS] = "Verts",        [DEW_VTP_LINES] = "Lines",
    [DEW_VTP_STRIPS] = "Strips",      [DEW_VTP_POLYS] = "Polys",
};
static const char *const count_names[DEW_VTP_SECTION_COUNT] = {
    [DEW_VTP_POINTS] = "NumberOfPoints", [DEW_VTP_VERTS] = "NumberOfVerts",
    [DEW_VTP_LINES] = "NumberOfLines",   [DEW_VTP_STRIPS] = "NumberOfStrips",
    [DEW_VTP_POLYS] = "NumberOfPolys",
};

typedef struct Parser {
    dew_Xml xml;
    dew_VtpLayout *layout;
    dew_VtpSection section;
    bool is_in_file, is_in_piece;
} Parser;

static dew_Status fail(const Parser *p, const char *what, dew_Slice value)
{
    return dew_source_fail_line(p->xml.source, p->xml.name.data, "<%.*s>: %s '%.*s'",
                                DEW_SLICE(p->xml.name), what, DEW_SLICE(value));
}

// An attribute that is an integer of at least `least`; `otherwise` when it is not there.
static dew_Status integer_attribute(const Parser *p, const char *name, int64_t least,
                                    int64_t otherwise, int64_t *out)
{
    dew_Slice value;
    *out = otherwise;
    if (!dew_xml_attribute(&p->xml, name, &value))
        return dew_ok();
    if (!dew_slice_integer(dew_slice_trim(value), out) || *out < least)
        return dew_source_fail_line(p->xml.source, p->xml.name.data, "%s is '%.*s' (%lld at least)",
                                    name, DEW_SLICE(value), (long long)least);
    return dew_ok();
}

static dew_Status open_file(Parser *p)
{
    dew_VtpData *data = &p->layout->data;
    dew_Slice value;
    if (!dew_slice_is(p->xml.name, "VTKFile"))
        return fail(p, "not a VTP file, which begins with <VTKFile>, but with", p->xml.name);
    if (!dew_xml_attribute(&p->xml, "type", &value) || !dew_slice_is(value, "PolyData"))
        return fail(p, "its type must be 'PolyData', not", value);
    if (dew_xml_attribute(&p->xml, "byte_order", &value)) {
        data->is_big_endian = dew_slice_is(value, "BigEndian");
        if (!data->is_big_endian && !dew_slice_is(value, "LittleEndian"))
            return fail(p, "byte_order is LittleEndian or BigEndian, not", value);
    }
    data->word_bytes = 4;
    if (dew_xml_attribute(&p->xml, "header_type", &value)) {
        data->word_bytes = dew_slice_is(value, "UInt64") ? 8 : 4;
        if (data->word_bytes == 4 && !dew_slice_is(value, "UInt32"))
            return fail(p, "header_type is UInt32 or UInt64, not", value);
    }
    if (dew_xml_attribute(&p->xml, "compressor", &value) && value.size > 0) {
        data->is_compressed = dew_slice_is(value, "vtkZLibDataCompressor");
        if (!data->is_compressed)
            return fail(p, "only zlib compression can be read, not", value);
    }
    p->is_in_file = true;
    return dew_ok();
}

static dew_Status open_piece(Parser *p)
{
    dew_VtpPiece piece = {.where = p->xml.name.data};
    for (int i = 0; i < DEW_VTP_SECTION_COUNT; i++) {
        if (count_names[i])
            DEW_TRY(integer_attribute(p, count_names[i], 0, 0, &piece.count[i]));
    }
    p->is_in_piece = true;
    return dew_array_push(&p->layout->pieces, &piece);
}

static dew_Status open_section(Parser *p)
{
    dew_VtpPiece *pieces = DEW_ITEMS(&p->layout->pieces, dew_VtpPiece);
    dew_VtpPiece *piece = &pieces[p->layout->pieces.count - 1];
    for (int i = 1; i < DEW_VTP_SECTION_COUNT; i++) {
        if (!dew_slice_is(p->xml.name, section_names[i]))
            continue;
        if (piece->array_count[i] > 0)
            return fail(p, "a second section", p->xml.name);
        p->section = (dew_VtpSection)i;
        piece->array_begin[i] = p->layout->arrays.count;
    }
    return dew_ok();
}

static bool find_type(dew_Slice name, dew_ScalarType *type)
{
    static const char *const names[] = {"Int8",   "UInt8", "Int16",  "UInt16",  "Int32",
                                        "UInt32", "Int64", "UInt64", "Float32", "Float64"};
    for (int i = 0; i < 10; i++) {
        if (dew_slice_is(name, names[i])) {
            *type = (dew_ScalarType)i;  // the order of the enum
            return true;
        }
    }
    return false;
}

static dew_Status open_array(Parser *p)
{
    dew_VtpArray array = {.where = p->xml.name.data};
    dew_Slice value;
    if (dew_xml_attribute(&p->xml, "type", &value))
        array.is_known_type = find_type(value, &array.type);
    dew_xml_attribute(&p->xml, "Name", &array.name);
    DEW_TRY(integer_attribute(p, "NumberOfComponents", 0, 1, &array.component_count));
    if (array.component_count == 0)  // some programs write it for arrays without numbers
        array.component_count = 1;
    DEW_TRY(integer_attribute(p, "offset", 0, 0, &array.offset));
    array.text = p->xml.is_empty ? dew_slice_of("") : dew_xml_text(&p->xml);
    if (!dew_xml_attribute(&p->xml, "format", &value) || dew_slice_is(value, "ascii"))
        array.encoding = DEW_VTP_ASCII;
    else if (dew_slice_is(value, "binary"))
        array.encoding = DEW_VTP_INLINE;
    else if (dew_slice_is(value, "appended"))
        array.encoding = DEW_VTP_APPENDED;
    else
        return fail(p, "format is ascii, binary or appended, not", value);
    dew_VtpPiece *pieces = DEW_ITEMS(&p->layout->pieces, dew_VtpPiece);
    pieces[p->layout->pieces.count - 1].array_count[p->section]++;
    return dew_array_push(&p->layout->arrays, &array);
}

// The data begin behind an underscore. Their end is not known before they are read.
static dew_Status open_appended(Parser *p)
{
    dew_VtpData *data = &p->layout->data;
    dew_Slice value, rest = p->xml.rest;
    data->is_appended_raw =
        dew_xml_attribute(&p->xml, "encoding", &value) && dew_slice_is(value, "raw");
    if (!data->is_appended_raw && !dew_slice_is(value, "base64"))
        return fail(p, "encoding is raw or base64, not", value);
    while (rest.size > 0 && dew_is_blank(rest.data[0])) {
        rest.data++;
        rest.size--;
    }
    if (rest.size == 0 || rest.data[0] != '_')
        return dew_source_fail_line(p->xml.source, rest.data,
                                    "appended data must begin with an underscore");
    data->appended = (dew_Slice){rest.data + 1, rest.size - 1};
    return dew_ok();
}

static dew_Status open_tag(Parser *p)
{
    if (!p->is_in_file)
        return open_file(p);
    if (p->is_in_piece && p->section != DEW_VTP_ELSEWHERE)
        return dew_slice_is(p->xml.name, "DataArray") || dew_slice_is(p->xml.name, "Array")
                   ? open_array(p)
                   : dew_ok();  // what arrays know about themselves
    if (p->is_in_piece)
        return open_section(p);
    return dew_slice_is(p->xml.name, "Piece") ? open_piece(p) : dew_ok();
}

static void close_tag(Parser *p)
{
    if (dew_slice_is(p->xml.name, section_names[p->section]))
        p->section = DEW_VTP_ELSEWHERE;
    else if (dew_slice_is(p->xml.name, "Piece"))
        p->is_in_piece = false;
}

dew_Status dew_vtp_layout_parse(const dew_Source *source, dew_VtpLayout *layout)
{
    *layout = (dew_VtpLayout){.data = {.source = source, .unclaimed_bytes = source->size}};
    dew_array_init(&layout->pieces, &source->allocator, sizeof(dew_VtpPiece));
    dew_array_init(&layout->arrays, &source->allocator, sizeof(dew_VtpArray));
    Parser p = {.layout = layout};
    dew_xml_begin(&p.xml, source);
    dew_XmlEvent event;
    for (;;) {
        DEW_TRY(dew_xml_next(&p.xml, &event));
        if (event == DEW_XML_END)
            break;
        if (event == DEW_XML_CLOSE) {
            close_tag(&p);
        } else if (dew_slice_is(p.xml.name, "AppendedData")) {
            DEW_TRY(open_appended(&p));
            break;
        } else {
            DEW_TRY(open_tag(&p));
        }
    }
    if (!p.is_in_file)
        return dew_source_fail_byte(source, source->data,
                                    "not a VTP file (it has no tag <VTKFile>)");
    return dew_ok();
}

void dew_vtp_layout_deinit(dew_VtpLayout *layout)
{
    dew_array_deinit(&layout->pieces);
    dew_array_deinit(&layout->arrays);
}

const dew_VtpArray *dew_vtp_find_array(const dew_VtpLayout *layout, const dew_VtpPiece *piece,
                                       dew_VtpSection section, const char *name)
{
    const dew_VtpArray *arrays = DEW_ITEMS(&layout->arrays, const dew_VtpArray);
    for (int64_t i = 0; i < piece->array_count[section]; i++) {
        const dew_VtpArray *array = &arrays[piece->array_begin[section] + i];
        if (!name || dew_slice_is(array->name, name))
            return array;
    }
    return NULL;
}
