/// Pieces of liquid from their definitions.
#pragma once

#include "problem/assets.h"

/// Fills a blob whose shape needs no file. Fails on sizes that are not positive; the sentence names
/// the key.
dew_Status dew_blob_from_def(const dew_DropDef *def, int64_t id, dew_Blob *out);
/// Same for a mesh that is loaded.
dew_Status dew_blob_from_mesh(const dew_Assets *assets, const dew_DropDef *def, int32_t mesh_index,
                              int64_t id, dew_Blob *out);
/// Same for a table of depths that is loaded.
void dew_blob_from_depth(const dew_Assets *assets, const dew_DropDef *def, int32_t depth_index,
                         int64_t id, dew_Blob *out);

/// Caps flatter or fuller than this are made with the nearest such angle: a cap must have a base
/// and a top.
#define DEW_CAP_MIN_RAD DEW_DEG(0.1)
#define DEW_CAP_MAX_RAD (DEW_PI - DEW_CAP_MIN_RAD)
