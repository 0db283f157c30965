/// A USD stage [Pixar2016] as both writers, text and crate, are handed it: prims with properties,
/// whose values are defaults or time samples.
///
/// Values go to the writer as they come and are known by a handle afterwards, so that memory grows
/// with the number of values, not with their size; equal values are stored once. All else is kept
/// until the writer's finish.
#pragma once

#include "base/arena.h"
#include "io/content_table.h"

typedef enum dew_UsdScalar {
    DEW_USD_INT32,
    DEW_USD_FLOAT32,
    DEW_USD_FLOAT64,
    DEW_USD_TEXT
} dew_UsdScalar;

/// Types of values; the order is that of dew_usd_type_info's table.
typedef enum dew_UsdType {
    DEW_USD_BOOL,
    DEW_USD_INT,
    DEW_USD_FLOAT,
    DEW_USD_TOKEN,
    DEW_USD_FLOAT2,
    DEW_USD_FLOAT3,
    DEW_USD_FLOAT4,
    DEW_USD_TEX_COORD2F,
    DEW_USD_POINT3F,
    DEW_USD_NORMAL3F,
    DEW_USD_VECTOR3F,
    DEW_USD_COLOR3F,
    DEW_USD_QUATF,  // x y z w
    DEW_USD_DOUBLE3,
    DEW_USD_MATRIX4D,  // 16, row vectors: the translation comes last
} dew_UsdType;

typedef struct dew_UsdTypeInfo {
    const char *name;  // "point3f"
    dew_UsdScalar scalar;
    int component_count;
    int crate_type;  // number of the type's values in crate files
} dew_UsdTypeInfo;

const dew_UsdTypeInfo *dew_usd_type_info(dew_UsdType type);

typedef struct dew_UsdValue {
    dew_UsdType type;
    bool is_array;
    int64_t count;     // of elements; 1 unless is_array
    const void *data;  // int32_t, float or double, component after component; tokens: const char *
} dew_UsdValue;

typedef struct dew_UsdSample {
    double time_code;
    uint64_t value;  // handle
} dew_UsdSample;

/// What a property is, known when it is declared.
typedef struct dew_UsdPropertyDef {
    const char *name;
    dew_UsdType type;
    bool is_array, is_uniform;
    const char *interpolation;  // "vertex"; NULL: not stated
    int element_size;           // values per element of a primvar; 0: not stated
    // Of a connection or a relationship:
    bool is_relationship, has_target;
    int target;                   // prim
    const char *target_property;  // NULL: the prim itself
} dew_UsdPropertyDef;

typedef struct dew_UsdProperty {
    dew_UsdPropertyDef def;
    bool has_value;
    uint64_t value;     // handle of the default
    dew_Array samples;  // of dew_UsdSample, times ascending
    int next;           // of the same prim; -1: none
} dew_UsdProperty;

typedef struct dew_UsdPrim {
    const char *name;          // legal and unique among its siblings
    const char *display_name;  // the name that was asked for; NULL: the same
    const char *type_name;
    const char *api_schema;  // applied; NULL: none
    int parent;              // -1: the stage
    int first_child, last_child, next_sibling;
    int first_property, last_property;
} dew_UsdPrim;

/// Takes a value; what else a writer does is its own.
typedef dew_Status dew_UsdStoreFn(void *writer, const dew_UsdValue *value, uint64_t *handle);

typedef struct dew_UsdStage {
    dew_Arena arena;  // names
    dew_Array prims, properties;
    dew_ContentTable values;
    dew_UsdStoreFn *store;
    void *writer;
    const char *documentation;
    double time_codes_per_second, first_time_code, last_time_code, meters_per_unit;
    bool is_z_up;
} dew_UsdStage;

void dew_usd_stage_init(dew_UsdStage *stage, const dew_Allocator *allocator, dew_UsdStoreFn *store,
                        void *writer);
void dew_usd_stage_deinit(dew_UsdStage *stage);

/// A prim below `parent`; the first, below -1, is the only root and the default prim. Its name is
/// made legal and unique. The texts but `name` must stay valid.
dew_Status dew_usd_add_prim(dew_UsdStage *stage, int parent, const char *name,
                            const char *type_name, const char *api_schema, int *prim);
/// A property of a prim; its name is made legal (with colons) and unique.
dew_Status dew_usd_declare(dew_UsdStage *stage, int prim, const dew_UsdPropertyDef *def,
                           int *property);
/// Sets the default of a property.
dew_Status dew_usd_set(dew_UsdStage *stage, int property, const void *data, int64_t count);
/// Declares and sets a single value.
dew_Status dew_usd_constant(dew_UsdStage *stage, int prim, const char *name, dew_UsdType type,
                            const void *data);
/// The same for a token that never varies.
dew_Status dew_usd_uniform_token(dew_UsdStage *stage, int prim, const char *name,
                                 const char *token);
/// Adds a time sample, later than those before.
dew_Status dew_usd_sample(dew_UsdStage *stage, int property, double time_code, const void *data,
                          int64_t count);
/// The last sample's value stays until this time: again as a sample of its own, or, with
/// `is_longer`, the sample that said so moves.
dew_Status dew_usd_hold(dew_UsdStage *stage, int property, double time_code, bool is_longer);
/// Takes out samples whose neighbours have the same value: interpolation yields them.
void dew_usd_thin(dew_UsdStage *stage, int property);

static inline const dew_UsdPrim *dew_usd_prim(const dew_UsdStage *stage, int prim)
{
    return &DEW_ITEMS(&stage->prims, const dew_UsdPrim)[prim];
}
static inline const dew_UsdProperty *dew_usd_property(const dew_UsdStage *stage, int property)
{
    return &DEW_ITEMS(&stage->properties, const dew_UsdProperty)[property];
}
