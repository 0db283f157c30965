// A small pull reader of XML.
#include "io/xml.h"

#include <string.h>

void dew_xml_begin(dew_Xml *xml, const dew_Source *source)
{
    *xml = (dew_Xml){.source = source, .rest = dew_slice(source->data, source->size)};
}

static void drop(dew_Slice *slice, size_t count)
{
    slice->data += count;
    slice->size -= count;
}

static bool begins(dew_Slice slice, const char *word)
{
    size_t length = strlen(word);
    return slice.size >= length && memcmp(slice.data, word, length) == 0;
}

// Moves behind the next `end`; false when there is none.
static bool skip_past(dew_Slice *slice, const char *end)
{
    char *found = memmem(slice->data, slice->size, end, strlen(end));
    if (!found)
        return false;
    drop(slice, (size_t)(found - slice->data) + strlen(end));
    return true;
}

// Text up to the next tag, and whatever looks like a tag but is none.
static dew_Status skip_to_tag(dew_Xml *xml)
{
    static const char *const pairs[][2] = {
        {"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"}, {"<!", ">"}};
    for (;;) {
        const char *found = memchr(xml->rest.data, '<', xml->rest.size);
        drop(&xml->rest, found ? (size_t)(found - xml->rest.data) : xml->rest.size);
        int kind = 0;
        while (kind < 4 && !begins(xml->rest, pairs[kind][0]))
            kind++;
        if (kind == 4)
            return dew_ok();
        if (!skip_past(&xml->rest, pairs[kind][1]))
            return dew_source_fail_line(xml->source, xml->rest.data, "'%s' without its '%s'",
                                        pairs[kind][0], pairs[kind][1]);
    }
}

static bool is_name_byte(char c)
{
    return !dew_is_blank(c) && !strchr("<>/=\"'", c);
}

static dew_Slice take_name(dew_Slice *slice)
{
    size_t n = 0;
    while (n < slice->size && is_name_byte(slice->data[n]))
        n++;
    dew_Slice name = {slice->data, n};
    drop(slice, n);
    return name;
}

static void skip_blanks(dew_Slice *slice)
{
    while (slice->size > 0 && dew_is_blank(slice->data[0]))
        drop(slice, 1);
}

// Takes one name="value" off; false when there is none, or it is not well formed.
static bool take_attribute(dew_Slice *slice, dew_Slice *name, dew_Slice *value)
{
    skip_blanks(slice);
    dew_Slice at = *slice;
    *name = take_name(&at);
    skip_blanks(&at);
    if (name->size == 0 || at.size == 0 || at.data[0] != '=')
        return false;
    drop(&at, 1);
    skip_blanks(&at);
    if (at.size == 0 || (at.data[0] != '"' && at.data[0] != '\''))
        return false;
    const char *close = memchr(at.data + 1, at.data[0], at.size - 1);
    if (!close)
        return false;
    *value = (dew_Slice){at.data + 1, (size_t)(close - at.data - 1)};
    drop(&at, value->size + 2);
    *slice = at;
    return true;
}

// From behind `<`.
static dew_Status read_open(dew_Xml *xml)
{
    const char *at = xml->rest.data;
    dew_Slice name, value;
    xml->name = take_name(&xml->rest);
    xml->attributes = xml->rest;
    while (take_attribute(&xml->rest, &name, &value))
        continue;
    xml->attributes.size = (size_t)(xml->rest.data - xml->attributes.data);
    xml->is_empty = begins(xml->rest, "/>");
    if (xml->name.size == 0 || (!xml->is_empty && !begins(xml->rest, ">")))
        return dew_source_fail_line(xml->source, at, "the tag '<%.*s' is not well formed",
                                    DEW_SLICE(xml->name));
    drop(&xml->rest, xml->is_empty ? 2 : 1);
    if (xml->depth == DEW_XML_DEPTH)
        return dew_source_fail_line(xml->source, at, "tags more than %d deep", DEW_XML_DEPTH);
    xml->open[xml->depth++] = xml->name;
    return dew_ok();
}

// From behind `</`.
static dew_Status read_close(dew_Xml *xml)
{
    const char *at = xml->rest.data;
    xml->name = take_name(&xml->rest);
    skip_blanks(&xml->rest);
    if (!begins(xml->rest, ">"))
        return dew_source_fail_line(xml->source, at, "the tag '</%.*s' is not well formed",
                                    DEW_SLICE(xml->name));
    drop(&xml->rest, 1);
    if (xml->depth == 0 || !dew_slice_equal(xml->open[xml->depth - 1], xml->name))
        return dew_source_fail_line(xml->source, at, "'</%.*s>' closes a tag that is not open",
                                    DEW_SLICE(xml->name));
    xml->depth--;
    return dew_ok();
}

dew_Status dew_xml_next(dew_Xml *xml, dew_XmlEvent *event)
{
    *event = DEW_XML_CLOSE;
    if (xml->is_empty) {
        xml->is_empty = false;
        xml->depth--;
        return dew_ok();
    }
    DEW_TRY(skip_to_tag(xml));
    if (xml->rest.size == 0) {
        *event = DEW_XML_END;
        if (xml->depth > 0)
            return dew_source_fail_line(xml->source, xml->rest.data,
                                        "the file ends before '</%.*s>'",
                                        DEW_SLICE(xml->open[xml->depth - 1]));
        return dew_ok();
    }
    if (begins(xml->rest, "</")) {
        drop(&xml->rest, 2);
        return read_close(xml);
    }
    *event = DEW_XML_OPEN;
    drop(&xml->rest, 1);
    return read_open(xml);
}

bool dew_xml_attribute(const dew_Xml *xml, const char *name, dew_Slice *value)
{
    dew_Slice rest = xml->attributes, found;
    while (take_attribute(&rest, &found, value)) {
        if (dew_slice_is(found, name))
            return true;
    }
    *value = dew_slice_of("");
    return false;
}

dew_Slice dew_xml_text(const dew_Xml *xml)
{
    const char *found = memchr(xml->rest.data, '<', xml->rest.size);
    return (dew_Slice){xml->rest.data, found ? (size_t)(found - xml->rest.data) : xml->rest.size};
}

void dew_xml_copy(dew_Slice value, char *out, size_t size)
{
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    static const char characters[] = "&<>\"'";
    size_t length = 0;
    while (value.size > 0 && length + 1 < size) {
        int kind = 0;
        while (kind < 5 && !begins(value, entities[kind]))
            kind++;
        out[length++] = kind < 5 ? characters[kind] : value.data[0];
        drop(&value, kind < 5 ? strlen(entities[kind]) : 1);
    }
    out[length] = 0;
}
