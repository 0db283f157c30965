/// Tiles of an image: where the liquid is drawn anew.
///
/// Most liquid rests from one image to the next: drops on a pane while one of them runs. For each
/// tile the triangles on it are added up as a number; where that number is what it was when the
/// tile was drawn, and nothing behind has changed, its pixels are kept.
#pragma once

#include "render/gl/bodies.h"
#include "render/gl/region.h"

typedef struct dew_GlTiles {
    int width_px, height_px, columns, rows;
    bool is_drawn;       // the pixels of the last image are still there
    bool is_all;         // all tiles are dirty, or nearly
    dew_Array now;       // uint64_t per tile: the liquid on it
    dew_Array drawn;     // the same of what its pixels show
    dew_Array is_dirty;  // uint8_t
    dew_Array vertices;  // what the vertices add, and where they are seen
    int64_t dirty_count;
    uint64_t liquid_hash;  // of all of the liquid, seen or not
    // For GL: corners of the dirty tiles, 0..1 over the image; triangles on them, by the side that
    // is seen.
    GLuint corner_array, near_array, far_array;
    dew_GlBuffer corners, near_side, far_side;
    dew_Array corner_data;                // float
    dew_Array near_indices, far_indices;  // uint32_t
} dew_GlTiles;

void dew_gl_tiles_init(dew_GlTiles *tiles, const dew_Allocator *allocator);
void dew_gl_tiles_deinit(const dew_Gl *gl, dew_GlTiles *tiles);

/// Looks where the liquid is, as seen through a matrix to clip space. Nothing is marked then.
dew_Status dew_gl_tiles_look(dew_GlTiles *tiles, const dew_GlBodies *bodies,
                             const dew_RenderScene *scene, const float clip[16], int width_px,
                             int height_px);
void dew_gl_tiles_mark(dew_GlTiles *tiles, dew_GlRegion region);
/// Marks tiles whose liquid has changed, and gathers what is to be drawn on all that are marked.
dew_Status dew_gl_tiles_gather(dew_GlTiles *tiles, const dew_Gl *gl, const dew_GlBodies *bodies,
                               const dew_RenderScene *scene);

/// The dirty tiles, with the program in use; a_position: 0..1.
void dew_gl_tiles_draw(const dew_GlTiles *tiles, const dew_Gl *gl);
/// The liquid on them that shows one of its sides.
void dew_gl_tiles_draw_liquid(const dew_GlTiles *tiles, const dew_Gl *gl, bool is_back);
