// Reads the tags of a VTP file [Kitware2010] with expat.
//
// Appended raw data may hold any bytes, so the parser is stopped at its tag; what stands behind it
// is data. The text of an array is found by its place in the file, not copied. A file cannot make
// the parser's memory outgrow the file: a declaration of an entity ends the reading, so that none
// is expanded, and tags nest DEW_MAX_NESTING deep at most.
#include "io/vtp_layout.h"

#include "base/status.h"
#include "base/text.h"

#include <expat.h>
#include <limits.h>
#include <string.h>

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
    const dew_Source *source;
    dew_VtpLayout *layout;
    XML_Parser expat;
    // The tag that is being handled:
    const char *name;
    const char **attributes;  // name, value, name, value, ..., NULL
    // Where it stands:
    int depth;
    dew_VtpSection section;
    bool is_in_file, is_in_piece;
    bool has_open_array;  // the text of the last array is not yet ended
    bool is_appended;     // the tag of the appended data has been reached
    bool is_stopped;
    dew_Status status;
} Parser;

/// The place of the current tag in the file.
static const char *place(const Parser *p)
{
    XML_Index index = XML_GetCurrentByteIndex(p->expat);
    return (const char *)p->source->data + (index > 0 ? index : 0);
}

/// Behind the current tag.
static dew_Slice rest(const Parser *p)
{
    const char *begin = place(p) + XML_GetCurrentByteCount(p->expat);
    return dew_slice(begin, (size_t)((const char *)p->source->data + p->source->size - begin));
}

/// Ends the reading with this status.
static void stop(Parser *p, dew_Status status)
{
    p->status = status;
    p->is_stopped = true;
    XML_StopParser(p->expat, XML_FALSE);
}

static dew_Status fail(const Parser *p, const char *what, dew_Slice value)
{
    return dew_source_fail_line(p->source, place(p), "<%.*s>: %s '%.*s'",
                                DEW_SLICE(dew_slice_of(p->name)), what, DEW_SLICE(value));
}

/// The value of an attribute of the current tag; false, and the value empty: there is none.
static bool find_attribute(const Parser *p, const char *name, dew_Slice *value)
{
    *value = dew_slice_of("");
    for (const char **a = p->attributes; *a; a += 2) {
        if (strcmp(a[0], name) == 0) {
            *value = dew_slice_of(a[1]);
            return true;
        }
    }
    return false;
}

// An attribute that is an integer of at least `least`; `otherwise` when it is not there.
static dew_Status integer_attribute(const Parser *p, const char *name, int64_t least,
                                    int64_t otherwise, int64_t *out)
{
    dew_Slice value;
    *out = otherwise;
    if (!find_attribute(p, name, &value))
        return dew_ok();
    if (!dew_slice_integer(dew_slice_trim(value), out) || *out < least)
        return dew_source_fail_line(p->source, place(p), "%s is '%.*s' (%lld at least)", name,
                                    DEW_SLICE(value), (long long)least);
    return dew_ok();
}

static dew_Status open_file(Parser *p)
{
    dew_VtpData *data = &p->layout->data;
    dew_Slice value;
    if (strcmp(p->name, "VTKFile") != 0)
        return fail(p, "not a VTP file, which begins with <VTKFile>, but with",
                    dew_slice_of(p->name));
    if (!find_attribute(p, "type", &value) || !dew_slice_is(value, "PolyData"))
        return fail(p, "its type must be 'PolyData', not", value);
    if (find_attribute(p, "byte_order", &value)) {
        data->is_big_endian = dew_slice_is(value, "BigEndian");
        if (!data->is_big_endian && !dew_slice_is(value, "LittleEndian"))
            return fail(p, "byte_order is LittleEndian or BigEndian, not", value);
    }
    data->word_bytes = 4;
    if (find_attribute(p, "header_type", &value)) {
        data->word_bytes = dew_slice_is(value, "UInt64") ? 8 : 4;
        if (data->word_bytes == 4 && !dew_slice_is(value, "UInt32"))
            return fail(p, "header_type is UInt32 or UInt64, not", value);
    }
    if (find_attribute(p, "compressor", &value) && value.size > 0) {
        data->is_compressed = dew_slice_is(value, "vtkZLibDataCompressor");
        if (!data->is_compressed)
            return fail(p, "only zlib compression can be read, not", value);
    }
    p->is_in_file = true;
    return dew_ok();
}

static dew_Status open_piece(Parser *p)
{
    dew_VtpPiece piece = {.where = place(p)};
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
        if (strcmp(p->name, section_names[i]) != 0)
            continue;
        if (piece->array_count[i] > 0)
            return fail(p, "a second section", dew_slice_of(p->name));
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
    dew_VtpArray array = {.where = place(p)};
    dew_Slice value;
    if (find_attribute(p, "type", &value))
        array.is_known_type = find_type(value, &array.type);
    find_attribute(p, "Name", &value);
    dew_slice_copy(value, array.name, sizeof array.name);
    DEW_TRY(integer_attribute(p, "NumberOfComponents", 0, 1, &array.component_count));
    if (array.component_count == 0)  // some programs write it for arrays without numbers
        array.component_count = 1;
    DEW_TRY(integer_attribute(p, "offset", 0, 0, &array.offset));
    array.text = dew_slice(rest(p).data, 0);  // its end is not known yet
    p->has_open_array = true;
    if (!find_attribute(p, "format", &value) || dew_slice_is(value, "ascii"))
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

/// The text of the last array ends at the first '<' behind its tag.
static void end_text(Parser *p)
{
    if (!p->has_open_array)
        return;
    dew_VtpArray *array = &DEW_ITEMS(&p->layout->arrays, dew_VtpArray)[p->layout->arrays.count - 1];
    size_t size = (size_t)(place(p) - array->text.data);
    const char *markup = memchr(array->text.data, '<', size);  // a comment
    array->text.size = markup ? (size_t)(markup - array->text.data) : size;
    p->has_open_array = false;
}

// The data begin behind an underscore. Their end is not known before they are read.
static dew_Status open_appended(Parser *p)
{
    dew_VtpData *data = &p->layout->data;
    dew_Slice value, bytes = rest(p);
    data->is_appended_raw = find_attribute(p, "encoding", &value) && dew_slice_is(value, "raw");
    if (!data->is_appended_raw && !dew_slice_is(value, "base64"))
        return fail(p, "encoding is raw or base64, not", value);
    while (bytes.size > 0 && dew_is_blank(bytes.data[0]))
        bytes = dew_slice(bytes.data + 1, bytes.size - 1);
    if (bytes.size == 0 || bytes.data[0] != '_')
        return dew_source_fail_line(p->source, bytes.data,
                                    "appended data must begin with an underscore");
    data->appended = dew_slice(bytes.data + 1, bytes.size - 1);
    p->is_appended = true;
    return dew_ok();
}

static dew_Status open_tag(Parser *p)
{
    if (!p->is_in_file)
        return open_file(p);
    if (strcmp(p->name, "AppendedData") == 0)
        return open_appended(p);
    if (p->is_in_piece && p->section != DEW_VTP_ELSEWHERE)
        return strcmp(p->name, "DataArray") == 0 || strcmp(p->name, "Array") == 0
                   ? open_array(p)
                   : dew_ok();  // what arrays know about themselves
    if (p->is_in_piece)
        return open_section(p);
    return strcmp(p->name, "Piece") == 0 ? open_piece(p) : dew_ok();
}

// ---- expat's callbacks --------------------------------------------------------------------------

static void XMLCALL on_open(void *context, const char *name, const char **attributes)
{
    Parser *p = context;
    end_text(p);
    p->name = name;
    p->attributes = attributes;
    dew_Status status = dew_ok();
    if (p->depth++ == DEW_MAX_NESTING)
        status =
            dew_source_fail_line(p->source, place(p), "tags more than %d deep", DEW_MAX_NESTING);
    if (status.code == DEW_OK)
        status = open_tag(p);
    if (status.code != DEW_OK || p->is_appended)
        stop(p, status);
}

static void XMLCALL on_close(void *context, const char *name)
{
    Parser *p = context;
    if (p->is_stopped)  // expat still reports the end of <name/> after a stop at its beginning
        return;
    end_text(p);
    p->depth--;
    if (strcmp(name, section_names[p->section]) == 0)
        p->section = DEW_VTP_ELSEWHERE;
    else if (strcmp(name, "Piece") == 0)
        p->is_in_piece = false;
}

static void XMLCALL on_entity(void *context, const char *name, int is_parameter, const char *value,
                              int length, const char *base, const char *system_id,
                              const char *public_id, const char *notation)
{
    (void)is_parameter, (void)value, (void)length, (void)base;
    (void)system_id, (void)public_id, (void)notation;
    Parser *p = context;
    stop(p, dew_source_fail_line(p->source, place(p), "it declares the entity '%.*s'",
                                 DEW_SLICE(dew_slice_of(name))));
}

// ---- the whole ---------------------------------------------------------------------------------

/// What expat found wrong.
static dew_Status expat_failure(const Parser *p)
{
    enum XML_Error code = XML_GetErrorCode(p->expat);
    if (code == XML_ERROR_NO_MEMORY)
        return dew_no_memory(p->source->size);
    if (!p->is_in_file)
        return dew_source_fail_byte(p->source, p->source->data,
                                    "not a VTP file (it has no tag <VTKFile>)");
    if (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN)
        return dew_source_fail_line(p->source, place(p), "the file ends before its last tag");
    return dew_source_fail_line(p->source, place(p), "not well-formed XML: %s",
                                XML_ErrorString(code));
}

static dew_Status parse(Parser *p)
{
    XML_SetUserData(p->expat, p);
    XML_SetElementHandler(p->expat, on_open, on_close);
    XML_SetEntityDeclHandler(p->expat, on_entity);
    size_t done = 0, size = p->source->size;
    do {  // one call, unless the file is longer than expat's counter
        size_t part = size - done < INT_MAX ? size - done : INT_MAX;
        const char *bytes = (const char *)p->source->data + done;
        done += part;
        if (XML_Parse(p->expat, bytes, (int)part, done == size) == XML_STATUS_ERROR)
            return XML_GetErrorCode(p->expat) == XML_ERROR_ABORTED ? p->status : expat_failure(p);
    } while (done < size);
    return dew_ok();
}

dew_Status dew_vtp_layout_parse(const dew_Source *source, dew_VtpLayout *layout)
{
    *layout = (dew_VtpLayout){.data = {.source = source, .unclaimed_bytes = source->size}};
    dew_array_init(&layout->pieces, &source->allocator, sizeof(dew_VtpPiece));
    dew_array_init(&layout->arrays, &source->allocator, sizeof(dew_VtpArray));
    Parser p = {.source = source, .layout = layout, .expat = XML_ParserCreate(NULL)};
    if (!p.expat)
        return dew_no_memory(sizeof p);
    dew_Status status = parse(&p);
    XML_ParserFree(p.expat);
    return status;
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
        if (!name || strcmp(array->name, name) == 0)
            return array;
    }
    return NULL;
}
