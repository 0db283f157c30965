/// What a reader and a writer of meshes can be told.
#pragma once

#include "dew/base.h"

typedef enum dew_MeshFormat {
    DEW_MESH_ANY,  // by the file's name and its first bytes
    DEW_MESH_PLY,
    DEW_MESH_OBJ,
    DEW_MESH_STL,
    DEW_MESH_VTP,
} dew_MeshFormat;

typedef struct dew_MeshLoadDef {
    dew_MeshFormat format;
    size_t max_bytes;  // largest file that is read; memory follows the file's size
    dew_Log log;       // what was ignored, cut into triangles or odd
} dew_MeshLoadDef;

typedef struct dew_MeshSaveDef {
    dew_MeshFormat format;
    bool is_text;  // PLY, STL: ascii. VTP: base64 within the XML. OBJ is always text
    bool
        has_double_positions;  // else positions are rounded to single precision (STL: binary always is)
    dew_Log log;               // what the format cannot hold
} dew_MeshSaveDef;

static inline dew_MeshLoadDef dew_default_mesh_load_def(void)
{
    return (dew_MeshLoadDef){.max_bytes = (size_t)4 << 30};
}

static inline dew_MeshSaveDef dew_default_mesh_save_def(void)
{
    return (dew_MeshSaveDef){.format = DEW_MESH_ANY};
}
