/// Pictures of a problem's liquid and solids, one after the other: what `dew render` and a run with
/// output.images share. Looks, textures and light are loaded once.
#pragma once

#include "dew/render.h"
#include "problem/problem.h"
#include "render/image.h"
#include "surface/surface.h"

typedef struct dew_PictureMaker dew_PictureMaker;

typedef struct dew_PictureMakerDef {
    const dew_Problem *problem;  // must outlive the maker
    dew_Tasks *tasks;            // may be NULL
    dew_RenderDef render;        // from dew_default_render_def; its thread_count does not count
    bool denoises;
    int levels;         // of Loop subdivision of the liquid; 0: the mesh as it is
    dew_Box subject_m;  // what a scene without a camera frames; empty: the liquid of each picture
    dew_Log log;
    dew_Allocator allocator;
} dew_PictureMakerDef;

dew_Status dew_picture_maker_create(const dew_PictureMakerDef *def, dew_PictureMaker **out);
void dew_picture_maker_destroy(dew_PictureMaker *maker);

/// One instant. The solids stand where their motion has them then; `frame` sets the grain.
/// wet_maps[solids] or NULL, as dew_PictureMoment has them.
dew_Status dew_picture_maker_draw(dew_PictureMaker *maker, double time_s, int64_t frame,
                                  const dew_Surface *surface, const dew_Mesh *const *wet_maps,
                                  dew_Image *out);

/// DEW_UNSUPPORTED when this build has not got the engine, DEW_BAD_INPUT when none is called so.
dew_Status dew_render_engine_check(const char *name);
