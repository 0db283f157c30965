/// How a stage becomes bytes: the two forms of a USD layer.
#pragma once

#include "io/sink.h"
#include "io/usd_stage.h"

/// A form of layers.
typedef struct dew_UsdLayerOps {
    /// *out is NULL unless DEW_OK.
    dew_Status (*create)(const dew_Allocator *allocator, dew_Sink *sink, void **out);
    dew_UsdStoreFn *store;
    dew_Status (*finish)(void *layer, const dew_UsdStage *stage);
    void (*destroy)(void *layer);  // NULL is allowed
} dew_UsdLayerOps;

extern const dew_UsdLayerOps dew_usda_layer_ops, dew_usdc_layer_ops;
