/// As much of XML as data files use: tags with attributes, text between them.
///
/// A pull reader over bytes in memory. Comments, processing instructions, document types and CDATA are
/// passed over. Tags must nest properly, 32 deep at most. Does not do: name spaces, entities beyond the
/// five of XML, validation.
#pragma once

#include "io/slice.h"
#include "io/source.h"

#define DEW_XML_DEPTH 32

typedef enum dew_XmlEvent {
    DEW_XML_OPEN,   // <name ...>; for <name .../> a DEW_XML_CLOSE follows
    DEW_XML_CLOSE,  // </name>
    DEW_XML_END,    // of the file
} dew_XmlEvent;

typedef struct dew_Xml {
    const dew_Source *source;
    dew_Slice rest;                 // what is not yet read; behind an open tag: its text
    dew_Slice name;                 // of the tag just read
    dew_Slice attributes;           // of the open tag just read, as text
    bool is_empty;                  // <name .../>: the close is still to be told
    int depth;                      // tags open
    dew_Slice open[DEW_XML_DEPTH];  // their names
} dew_Xml;

void dew_xml_begin(dew_Xml *xml, const dew_Source *source);
dew_Status dew_xml_next(dew_Xml *xml, dew_XmlEvent *event);

/// The value of an attribute of the open tag just read, entities as they stand; false, and the value
/// empty: there is none.
bool dew_xml_attribute(const dew_Xml *xml, const char *name, dew_Slice *value);
/// The text from here to the next tag; does not read on.
dew_Slice dew_xml_text(const dew_Xml *xml);
/// Copies with the five entities resolved, cut to fit.
void dew_xml_copy(dew_Slice value, char *out, size_t size);
