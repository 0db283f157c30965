/// The scene file's schema as data: one row per key. It drives reading, checking, defaulting,
/// --set, near-miss hints, writing back, and the reference page of the manual.
#pragma once

#include "dew/base.h"
#include "scene/units.h"

typedef enum dew_KeyKind {
    DEW_KEY_NUMBER,     // double, with unit kind and range
    DEW_KEY_INTEGER,    // int, with range
    DEW_KEY_SEED,       // uint64_t
    DEW_KEY_FLAG,       // bool: true or false
    DEW_KEY_TEXT,       // const char *: any words
    DEW_KEY_NAME,       // const char *: letters, digits, - and _; names a material or a solid
    DEW_KEY_FILE,       // const char *: a file, or one of `choices`
    DEW_KEY_CHOICE,     // int index into choices (const char * for a parameter)
    DEW_KEY_SHAPE,      // same; decides which keys the block has
    DEW_KEY_WORDS,      // int: a list of choices, a bit for each
    DEW_KEY_VECTOR,     // dew_Vec3, with unit kind
    DEW_KEY_PAIR,       // double[2], with unit kind
    DEW_KEY_RANGE,      // double[2], the first not above the second; one number stands for both
    DEW_KEY_SIZE,       // int[2]
    DEW_KEY_BLOCK,      // a mapping: `block`
    DEW_KEY_LIST,       // a sequence of mappings: dew_Array of pointers to `block`
    DEW_KEY_NAMED,      // a mapping from names to mappings: dew_Array of pointers to `block`
    DEW_KEY_KEYFRAMES,  // a sequence of mappings: pointer to `block` and int count behind it
    DEW_KEY_LIQUID,     // a preset's name or a mapping: `block`
    DEW_KEY_PRESET,     // of a liquid; not kept
    DEW_KEY_WALLS,      // const char *[DEW_SIDE_COUNT]: material or open per side
    DEW_KEY_VERSION,    // of the format; not kept
} dew_KeyKind;

typedef struct dew_Block dew_Block;
struct dew_Node;
struct dew_Diagnostics;

typedef struct dew_Key {
    const char *name;
    dew_KeyKind kind;
    dew_UnitKind unit;
    size_t offset;  // into the def struct
    double min,
        max;  // allowed range, both included unless `is_min_open`; both 0: any finite number
    bool is_min_open;  // min itself is not allowed
    bool is_required;
    bool may_be_infinite;
    bool is_direction;           // vector that must not be zero
    bool is_short;               // stands for other keys, which are written back instead
    bool is_cosmetic;            // does not decide what is simulated: left out of the hash
    double number_default;       // parameters: their default (1 or 0 for a flag)
    const char *text_default;    // parameters: their default choice or text
    const char *const *choices;  // NULL-terminated
    const dew_Block *block;
    unsigned shapes;  // bit per shape that has this key; 0: all
    const char *doc;  // one line for the manual
} dew_Key;

/// A mapping of the scene file and the struct it is read into.
struct dew_Block {
    const char *noun;  // "solid"
    const dew_Key *keys;
    int key_count;
    size_t size;                         // of the struct
    size_t name_offset;                  // DEW_KEY_NAMED: where the struct keeps its name
    const char *const *shapes;           // by index, NULL-terminated; NULL: no shapes
    int default_shape;                   // DEW_INVALID: `shape` must be given
    void (*init)(void *def, int shape);  // fills in the defaults
    // Values that must agree with one another, and defaults that follow from others; called when
    // all of the block was read without a diagnostic. NULL: nothing to check.
    void (*check)(void *def, const struct dew_Node *node, struct dew_Diagnostics *diagnostics);
};

/// The whole file; its struct is dew_Scene. The others are reached through its rows.
const dew_Block *dew_scene_schema(void);
const dew_Block *dew_material_schema(void);
const dew_Block *dew_camera_schema(void);

/// The row of that name for a shape (DEW_INVALID: keys that all shapes have), or NULL.
const dew_Key *dew_block_find(const dew_Block *block, const char *name, int shape);
/// The row that decides which keys a block has: `shape`, or `kind` of an event. NULL: it has no
/// shapes.
const dew_Key *dew_block_shape_key(const dew_Block *block);
bool dew_key_has_shape(const dew_Key *key, int shape);
/// The shape that a definition has; the default shape for a block without shapes.
int dew_block_shape_of(const dew_Block *block, const void *def);
/// Has the definition no value for this key: no text, no entries, a camera that frames by itself?
bool dew_key_is_absent(const dew_Block *block, const dew_Key *key, const char *def);

/// Names of the sides as `walls` has them, by dew_Side.
extern const char *const dew_side_names[];

/// The liquids that dew_liquid_preset knows, NULL-terminated.
extern const char *const dew_liquid_names[];

/// The material of solids that name none; made when the scene does not define it.
#define DEW_DEFAULT_MATERIAL "default"
// a shorter duration is a slip of units, and too short for the clock
#define DEW_MIN_TIME_S 1e-9
#define DEW_MAX_FRAMES 1e7  // of a run: a number in file names of 4 to 7 digits
