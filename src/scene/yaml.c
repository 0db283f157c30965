// YAML to tree, from libyaml's events. libyaml's own document loader is not used: it expands
// nothing but neither does it bound anything, and its time is quadratic in depth. Events keep lines
// just as well, and depth, nodes and aliases are bounded while they come.
//
// The text is first checked for errors that libyaml reports badly: bytes that are no text, tabs.
#include "scene/yaml.h"

#include <string.h>
#include <yaml.h>

#include "base/status.h"
#include "base/text.h"
#include "base/utf8.h"
#include "scene/shown.h"

#define MAX_ANCHORS 256

typedef struct Anchor {
    const char *name;
    const dew_Node *node;
    bool is_open;  // its node is still being read: an alias to it would never end
} Anchor;

typedef struct Builder {
    dew_Tree *tree;
    const char *origin;
    yaml_parser_t parser;
    const char *text;
    dew_Node *stack[DEW_MAX_NESTING];  // open lists and maps
    int open_anchor[DEW_MAX_NESTING];  // their anchors, or DEW_INVALID
    int depth;
    const char *key;  // waiting for its value
    int key_line;
    Anchor anchor[MAX_ANCHORS];
    int anchor_count;
    dew_Node *root;
    int line;  // of the event being handled
} Builder;

// ---- the text by itself ------------------------------------------------------------------------

// UTF-16 by its mark, or by the zero beside its first letter.
static dew_Status check_encoding(const char *text, size_t size, dew_YamlPlace *place)
{
    bool is_marked =
        size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);
    char letter = size < 2 ? 0 : text[0] == 0 ? text[1] : text[1] == 0 ? text[0] : 0;
    bool has_zero = letter >= 0x20 && letter < 0x7f;
    if (!is_marked && !has_zero)
        return dew_ok();
    place->line = 1;
    return dew_fail(DEW_BAD_INPUT, "this is UTF-16 text (save it as UTF-8)");
}

dew_Status dew_yaml_check_text(const char *text, size_t size, dew_YamlPlace *place)
{
    bool is_indent = true;
    place->line = 1;
    for (size_t i = 0; i < size;) {
        if (text[i] >= 0x20 && text[i] < 0x7f) {  // nearly always
            is_indent = is_indent && text[i] == ' ';
            i++;
            continue;
        }
        uint32_t code = 0;
        size_t length = dew_utf8_decode(text + i, size - i, &code);
        if (length == 0)
            return dew_fail(DEW_BAD_INPUT, "byte 0x%02x is not UTF-8 (a scene is a text file)",
                            (unsigned)(unsigned char)text[i]);
        if (!dew_utf8_is_text(code, i == 0))
            return dew_fail(DEW_BAD_INPUT, "character U+%04X has no place in a scene (a text file)",
                            (unsigned)code);
        if (code == '\t' && is_indent)
            return dew_fail(DEW_BAD_INPUT, "a tab indents this line (use spaces)");
        is_indent = code == '\n' || code == '\r' || (is_indent && code == ' ');
        place->line += code == '\n' || (code == '\r' && !(i + 1 < size && text[i + 1] == '\n'));
        i += length;
    }
    return dew_ok();
}

// ---- nodes -------------------------------------------------------------------------------------

static dew_Node *add_node(Builder *builder, dew_NodeKind kind)
{
    return dew_tree_is_full(builder->tree) ? NULL : dew_tree_add(builder->tree, kind);
}

static dew_Status no_node(const Builder *builder)
{
    if (dew_tree_is_full(builder->tree))
        return dew_fail(DEW_BAD_INPUT, "more than %d values, aliases expanded (a scene has fewer)",
                        DEW_TREE_MAX_NODES);
    return dew_no_memory(sizeof(dew_Node));
}

// Puts a finished or just opened node where the events say it belongs.
static dew_Status place_node(Builder *builder, dew_Node *node)
{
    if (builder->depth == 0) {
        builder->root = node;
        return dew_ok();
    }
    dew_Node *parent = builder->stack[builder->depth - 1];
    if (parent->kind == DEW_NODE_MAP) {
        if (parent->child_count >= DEW_TREE_MAX_KEYS)
            return dew_fail(DEW_BAD_INPUT, "more than %d keys in one mapping", DEW_TREE_MAX_KEYS);
        node->key = builder->key;
        node->key_line = builder->key_line;
        builder->key = NULL;
    }
    dew_node_append(parent, node);
    return dew_ok();
}

static bool is_key_next(const Builder *builder)
{
    return builder->depth > 0 && !builder->key &&
           builder->stack[builder->depth - 1]->kind == DEW_NODE_MAP;
}

// Remembers an anchor; *index is DEW_INVALID when there is none.
static dew_Status add_anchor(Builder *builder, const yaml_char_t *name, const dew_Node *node,
                             int *index)
{
    *index = DEW_INVALID;
    if (!name)
        return dew_ok();
    if (builder->anchor_count == MAX_ANCHORS)
        return dew_fail(DEW_BAD_INPUT, "more than %d anchors", MAX_ANCHORS);
    const char *text = (const char *)name;
    char *copy = dew_tree_text(builder->tree, text, strlen(text));
    if (!copy)
        return dew_no_memory(strlen(text));
    *index = builder->anchor_count++;
    builder->anchor[*index] = (Anchor){.name = copy, .node = node};
    return dew_ok();
}

static dew_Status refuse_tag(const yaml_char_t *tag)
{
    if (!tag)
        return dew_ok();
    return dew_fail(DEW_BAD_INPUT, "tag %s has no meaning in a scene (leave it out)",
                    dew_shown((const char *)tag).text);
}

// ---- events ------------------------------------------------------------------------------------

static dew_Status on_key(Builder *builder, const char *text, bool is_plain)
{
    if (is_plain && strcmp(text, "<<") == 0)
        return dew_fail(DEW_BAD_INPUT, "merge keys (<<) are not known here (write the keys out)");
    if (!*text)
        return dew_fail(DEW_BAD_INPUT, "a key is missing in front of ':'");
    builder->key = text;
    builder->key_line = builder->line;
    return dew_ok();
}

static dew_Status on_scalar(Builder *builder, const yaml_event_t *event)
{
    const char *value = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    yaml_scalar_style_t style = event->data.scalar.style;
    DEW_TRY(refuse_tag(event->data.scalar.tag));
    if (strlen(value) != length)
        return dew_fail(DEW_BAD_INPUT, "a text holds a NUL character");
    if (style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE)
        while (length > 0 && value[length - 1] == '\n')
            length--;
    char *text = dew_tree_text(builder->tree, value, length);
    if (!text)
        return dew_no_memory(length);
    bool is_plain = style == YAML_PLAIN_SCALAR_STYLE;
    if (is_key_next(builder))
        return on_key(builder, text, is_plain);
    dew_Node *node = add_node(builder, DEW_NODE_SCALAR);
    if (!node)
        return no_node(builder);
    node->is_plain = is_plain;
    node->line = builder->line;
    node->origin = builder->origin;
    node->text = text;
    int index;
    DEW_TRY(add_anchor(builder, event->data.scalar.anchor, node, &index));
    return place_node(builder, node);
}

static dew_Status on_begin(Builder *builder, dew_NodeKind kind, const yaml_char_t *anchor,
                           const yaml_char_t *tag)
{
    DEW_TRY(refuse_tag(tag));
    if (is_key_next(builder))
        return dew_fail(DEW_BAD_INPUT, "expected a key (a word), found a %s",
                        kind == DEW_NODE_LIST ? "list" : "mapping");
    if (builder->depth == DEW_MAX_NESTING)
        return dew_fail(DEW_BAD_INPUT, "nested more than %d deep (a scene needs 5)",
                        DEW_MAX_NESTING);
    dew_Node *node = add_node(builder, kind);
    if (!node)
        return no_node(builder);
    node->line = builder->line;
    node->origin = builder->origin;
    int index;
    DEW_TRY(add_anchor(builder, anchor, node, &index));
    if (index != DEW_INVALID)
        builder->anchor[index].is_open = true;
    DEW_TRY(place_node(builder, node));
    builder->open_anchor[builder->depth] = index;
    builder->stack[builder->depth++] = node;
    return dew_ok();
}

static void on_end(Builder *builder)
{
    int index = builder->open_anchor[--builder->depth];
    if (index != DEW_INVALID)
        builder->anchor[index].is_open = false;
}

static int node_depth(const dew_Node *node)
{
    int deepest = 0;
    for (const dew_Node *child = node->first; child; child = child->next) {
        int depth = node_depth(child);
        deepest = depth > deepest ? depth : deepest;
    }
    return node->kind == DEW_NODE_SCALAR ? 0 : deepest + 1;
}

static dew_Status on_alias(Builder *builder, const yaml_event_t *event)
{
    const char *name = (const char *)event->data.alias.anchor;
    const Anchor *found = NULL;
    for (int i = builder->anchor_count; i-- > 0 && !found;)  // the latest of a name counts
        if (strcmp(builder->anchor[i].name, name) == 0)
            found = &builder->anchor[i];
    if (!found)
        return dew_fail(DEW_BAD_INPUT, "alias %s has no anchor above it", dew_shown(name).text);
    if (found->is_open)
        return dew_fail(DEW_BAD_INPUT, "alias %s stands inside itself", dew_shown(name).text);
    if (is_key_next(builder)) {
        if (found->node->kind != DEW_NODE_SCALAR)
            return dew_fail(DEW_BAD_INPUT, "alias %s is no word to be a key", dew_shown(name).text);
        return on_key(builder, found->node->text, found->node->is_plain);
    }
    if (builder->depth + node_depth(found->node) > DEW_MAX_NESTING)
        return dew_fail(DEW_BAD_INPUT, "nested more than %d deep (a scene needs 5)",
                        DEW_MAX_NESTING);
    dew_Node *copy = dew_tree_copy(builder->tree, found->node);
    if (!copy)
        return no_node(builder);
    return place_node(builder, copy);
}

static dew_Status on_event(Builder *builder, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return on_scalar(builder, event);
    case YAML_ALIAS_EVENT:
        return on_alias(builder, event);
    case YAML_SEQUENCE_START_EVENT:
        return on_begin(builder, DEW_NODE_LIST, event->data.sequence_start.anchor,
                        event->data.sequence_start.tag);
    case YAML_MAPPING_START_EVENT:
        return on_begin(builder, DEW_NODE_MAP, event->data.mapping_start.anchor,
                        event->data.mapping_start.tag);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        on_end(builder);
        return dew_ok();
    case YAML_DOCUMENT_START_EVENT:
        if (builder->root)
            return dew_fail(DEW_BAD_INPUT, "a second document begins (a scene is one document)");
        return dew_ok();
    default:
        return dew_ok();
    }
}

// ---- the parser --------------------------------------------------------------------------------

static int line_at(const char *text, size_t offset)
{
    int line = 1;
    for (size_t i = 0; i < offset; i++)
        line += text[i] == '\n';
    return line;
}

static dew_Status parser_failure(const Builder *builder, size_t size, dew_YamlPlace *place)
{
    const yaml_parser_t *parser = &builder->parser;
    const char *problem = parser->problem ? parser->problem : "not understood";
    if (parser->error == YAML_MEMORY_ERROR)
        return dew_no_memory(size);
    if (parser->error == YAML_READER_ERROR) {
        size_t offset = parser->problem_offset;
        place->line = line_at(builder->text, offset < size ? offset : size);
        return dew_fail(DEW_BAD_INPUT, "not YAML: %s", problem);
    }
    place->line = (int)parser->problem_mark.line + 1;
    if (parser->context)
        return dew_fail(DEW_BAD_INPUT, "not YAML: %s %s that begins on line %d", problem,
                        parser->context, (int)parser->context_mark.line + 1);
    return dew_fail(DEW_BAD_INPUT, "not YAML: %s", problem);
}

static dew_Status read_events(Builder *builder, size_t size, dew_YamlPlace *place)
{
    for (bool is_done = false; !is_done;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&builder->parser, &event))
            return parser_failure(builder, size, place);
        builder->line = (int)event.start_mark.line + 1;
        place->line = builder->line;
        is_done = event.type == YAML_STREAM_END_EVENT;
        dew_Status status = on_event(builder, &event);
        yaml_event_delete(&event);
        DEW_TRY(status);
    }
    return dew_ok();
}

dew_Status dew_yaml_read(dew_Tree *tree, const char *text, size_t size, const char *origin,
                         dew_Node **root, dew_YamlPlace *place)
{
    *root = NULL;
    place->line = 0;
    if (size > DEW_YAML_MAX_BYTES)
        return dew_fail(DEW_BAD_INPUT, "larger than %zu MB (a scene names its big data as files)",
                        DEW_YAML_MAX_BYTES / 1000000);
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {  // the mark that editors put in front
        text += 3;
        size -= 3;
    }
    DEW_TRY(check_encoding(text, size, place));
    DEW_TRY(dew_yaml_check_text(text, size, place));
    Builder builder = {.tree = tree, .origin = origin, .text = text};
    if (!yaml_parser_initialize(&builder.parser))
        return dew_no_memory(sizeof builder.parser);
    yaml_parser_set_encoding(&builder.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&builder.parser, (const unsigned char *)text, size);
    dew_Status status = read_events(&builder, size, place);
    yaml_parser_delete(&builder.parser);
    DEW_TRY(status);
    bool is_nothing = builder.root && dew_node_is_null(builder.root);
    *root = is_nothing ? NULL : builder.root;
    return dew_ok();
}
