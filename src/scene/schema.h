/// The scene file's schema as data: one row per key. It drives reading, checking, defaulting, --set,
/// near-miss hints, writing back, and the reference page of the manual.
#pragma once

#include "dew/base.h"
#include "scene/units.h"

typedef enum dew_KeyKind {
    DEW_KEY_NUMBER,   // double, with unit kind and range
    DEW_KEY_INTEGER,  // int (or uint64_t for `seed`: DEW_KEY_SEED)
    DEW_KEY_SEED,
    DEW_KEY_FLAG,     // bool: true or false
    DEW_KEY_TEXT,     // const char *
    DEW_KEY_CHOICE,   // int index into choices (const char * for a knob)
    DEW_KEY_VECTOR,   // dew_Vec3, with unit kind
    DEW_KEY_PAIR,     // double[2], with unit kind
    DEW_KEY_SIZE,     // int[2]
    DEW_KEY_BLOCK,    // a mapping: `sub`
    DEW_KEY_LIST,     // a sequence of mappings: `sub`
    DEW_KEY_SPECIAL,  // its own reader (liquid, walls, materials, look)
} dew_KeyKind;

typedef struct dew_Key {
    const char *name;
    dew_KeyKind kind;
    dew_UnitKind unit;
    size_t offset;     // into the def struct
    double min, max;   // allowed range of numbers, both included unless `is_open`
    bool is_min_open;  // min itself is not allowed
    bool is_required;
    bool may_be_infinite;
    double number_default;  // knobs: their default
    const char *text_default;
    const char *const *choices;  // NULL-terminated
    const struct dew_Key *sub;
    int sub_count;
    unsigned shapes;  // bit per shape that has this key; 0: all
    const char *doc;  // one line for the manual
} dew_Key;
