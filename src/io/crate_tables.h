/// The tables at the end of a crate file [Pixar2016]: tokens, strings, fields, field sets, paths,
/// specs.
///
/// A spec is what a layer says of one path: a prim, an attribute, a relationship. Its fields are
/// names with values; a value is 64 bits, type and flags with the value itself or its place in the
/// file. Specs are added in the order of the tree, a prim before its properties and those before
/// its child prims; spec and path have the same number.
#pragma once

#include "io/content_table.h"
#include "io/sink.h"

/// Numbers of types that only fields have; those of values are in dew_usd_type_info.
enum {
    DEW_CRATE_DOUBLE = 9,
    DEW_CRATE_STRING = 10,
    DEW_CRATE_TOKEN = 11,
    DEW_CRATE_TOKEN_LIST_OP = 32,
    DEW_CRATE_PATH_LIST_OP = 34,
    DEW_CRATE_TOKEN_VECTOR = 41,
    DEW_CRATE_SPECIFIER = 42,
    DEW_CRATE_VARIABILITY = 44,
    DEW_CRATE_TIME_SAMPLES = 46,
    DEW_CRATE_DOUBLE_VECTOR = 48,
};

/// Flags of a value.
#define DEW_CRATE_ARRAY      ((uint64_t)1 << 63)
#define DEW_CRATE_INLINED    ((uint64_t)1 << 62)
#define DEW_CRATE_COMPRESSED ((uint64_t)1 << 61)

static inline uint64_t dew_crate_value(int type, uint64_t flags, uint64_t payload)
{
    return flags | (uint64_t)type << 48 | payload;
}

typedef enum dew_CrateSpec {
    DEW_CRATE_ATTRIBUTE = 1,
    DEW_CRATE_PRIM = 6,
    DEW_CRATE_PSEUDO_ROOT = 7,
    DEW_CRATE_RELATIONSHIP = 8
} dew_CrateSpec;

typedef struct dew_CrateTables {
    dew_Array token_bytes;  // each with its zero
    uint32_t token_count;
    dew_ContentTable token_numbers;
    dew_Array strings;                    // uint32_t: tokens
    dew_Array field_names, field_values;  // uint32_t, uint64_t
    dew_Array field_sets;                 // uint32_t: fields, UINT32_MAX behind each set
    dew_Array spec_sets, spec_types;      // uint32_t
    dew_Array path_names, path_jumps;     // int32_t
} dew_CrateTables;

dew_Status dew_crate_tables_init(dew_CrateTables *tables, const dew_Allocator *allocator);
void dew_crate_tables_deinit(dew_CrateTables *tables);

/// The number of a token or a string, added where it is new.
dew_Status dew_crate_token(dew_CrateTables *tables, const char *text, uint32_t *number);
dew_Status dew_crate_string(dew_CrateTables *tables, const char *text, uint32_t *number);

/// The next spec. `name` is the last part of its path; `jump` is the number of specs to the next
/// sibling where it has children and a sibling, else one of those below.
enum { DEW_CRATE_SIBLING_ONLY = 0, DEW_CRATE_CHILD_ONLY = -1, DEW_CRATE_LEAF = -2 };
dew_Status dew_crate_begin_spec(dew_CrateTables *tables, dew_CrateSpec type, const char *name,
                                int32_t jump);
dew_Status dew_crate_add_field(dew_CrateTables *tables, const char *name, uint64_t value);
dew_Status dew_crate_end_spec(dew_CrateTables *tables);

/// Writes the tables and their list; *at: where the list begins.
dew_Status dew_crate_write_tables(dew_CrateTables *tables, dew_Sink *sink, int64_t *at);
