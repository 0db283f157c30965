/// Inside a drawing: its parts, and the passes that its files share.
#pragma once

#include "render/gl/bodies.h"
#include "render/gl/drawing.h"
#include "render/gl/light_pass.h"
#include "render/gl/program.h"
#include "render/gl/region.h"
#include "render/gl/tiles.h"

/// As frame.glsl has it, std140.
typedef struct dew_GlFrame {
    float clip[16];
    float eye[4], right[4], up[4], forward[4], image[4];
    float ambient[9][4];
    float table[4], table_light[4], reach[4];
    float light_space[DEW_GL_LIGHTS][16], liquid_space[DEW_GL_LIGHTS][16];
    float light_towards[DEW_GL_LIGHTS][4], light_color[DEW_GL_LIGHTS][4];
} dew_GlFrame;

/// What the image of the solids shows: where neither they nor the light on them have changed it is
/// kept. The light changes around the liquid.
typedef struct dew_GlStill {
    bool is_drawn;
    uint32_t features;
    uint64_t frame_hash;  // but for what of the frame is the liquid's
    uint64_t opaque_hash, glass_hash;
    dew_GlRegion lit;  // by light that came through the liquid
    dew_GlRegion liquid;
    dew_Array parts;  // dew_GlPart: what is opaque
} dew_GlStill;

/// What the live level has of its own.
typedef struct dew_GlLive {
    dew_GlTiles tiles;
    uint64_t tiles_hash;  // of what the liquid's pixels come from, but for itself and the solids
    dew_GlTarget front;   // near side of the liquid: normal and depth
    dew_GlTarget seen;    // the image; its depth is a copy of that of `front`
    GLuint facing_array;
    dew_GlBuffer facing;        // triangles of the liquid that face the first light
    dew_Array facing_indices;   // uint32_t
    dew_GlTarget floor_depth;   // solids, as the first light sees them around the liquid
    dew_GlTarget hard_light;    // of that light, through the liquid and past it
    dew_GlTarget light;         // the same, smoothed
    dew_GlTarget lit;           // solids in that light, in the code of the image
    bool is_coded;              // `seen` and `lit`: in bytes
    uint64_t floor_hash;        // what floor_depth shows
    int light_age;              // frames until `light` is drawn anew
    uint64_t space_hash;        // of the space that it is drawn in
    uint64_t light_hash;        // of that, of the liquid and of the solids
    dew_Box light_reach;        // of it, in the light's frame; elsewhere all light comes through
    dew_GlRegion light_region;  // of the image that it falls on
    bool is_lit;                // `lit` is there
    uint32_t lit_features;
} dew_GlLive;

struct dew_GlDrawing {
    const dew_Gl *gl;
    dew_GlProgram programs[DEW_GL_PROGRAM_COUNT];  // those without features
    dew_Array variants;   // dew_GlProgram: the others, made when first used
    uint32_t features;    // of the scene, for all of these
    GLuint frame_buffer;  // of uniforms
    dew_GlFrame frame;
    GLuint environment;
    GLuint around, small_around;  // the same for the live level: octahedral, in bytes
    int environment_levels;
    GLuint backdrop;
    dew_Camera backdrop_camera;  // that it was made for; width 0: none
    dew_GlLights lights;
    dew_GlBodies bodies;
    dew_GlLightPass passes[DEW_GL_LIGHTS];
    dew_GlLightWork work;
    dew_GlTarget solids, seen;
    const dew_GlTarget *shown;  // the last image
    dew_GlTarget behind;        // what lies behind the glass, or behind what is before it
    dew_GlStill still;
    dew_GlRegion dirty, dirty_seen;  // what is drawn anew of the solids, of all
    dew_GlTarget liquid_back, glass_back, glass_front;
    dew_GlLive live;
    dew_Array textures;            // GLuint, by body; 0: none
    dew_Array looks;               // const dew_Texture *, that the textures were made of
    const dew_RenderScene *scene;  // of the bodies
    dew_Arena scratch;
    dew_Allocator allocator;
};

/// The uniforms of a shot: camera, light, lights' frames; and the features they ask for.
/// frame_uniforms.c
void dew_gl_frame_set(dew_GlDrawing *drawing, const dew_GlShot *shot);
bool dew_gl_frame_is_same_view(const dew_Camera *a, const dew_Camera *b);

/// The program of a kind with exactly these features; in use from now on.
dew_Status dew_gl_variant_use(dew_GlDrawing *drawing, dew_GlProgramKind kind, uint32_t features,
                              const dew_GlProgram **out);

/// Finds what of the solids has to be drawn anew. changes.c
dew_Status dew_gl_solids_find_dirty(dew_GlDrawing *drawing);
/// Where what is opaque is seen; shadows too.
dew_GlRegion dew_gl_part_region(const dew_GlDrawing *drawing, const dew_GlPart *part,
                                bool with_shadow);
/// Draws that, and what lies behind it. solids_pass.c
dew_Status dew_gl_solids_draw(dew_GlDrawing *drawing);

/// What is clear, the fine way. clear_pass.c
void dew_gl_sides_draw(dew_GlDrawing *drawing);
dew_Status dew_gl_clear_draw(dew_GlDrawing *drawing);
/// Normals and depths of one side of the liquid or the glass, as the camera sees it.
void dew_gl_side_draw(dew_GlDrawing *drawing, const dew_GlTarget *target, bool is_liquid,
                      bool is_back);
/// The parts of the liquid or the glass, with the program in use.
void dew_gl_clear_parts_draw(dew_GlDrawing *drawing, const dew_GlProgram *program, bool is_liquid,
                             int which);

/// The live level: all passes. live_pass.c
dew_Status dew_gl_live_draw(dew_GlDrawing *drawing, const dew_GlShot *shot);
void dew_gl_live_deinit(const dew_Gl *gl, dew_GlLive *live);

static inline void dew_gl_tell(const dew_GlShot *shot, dew_GlPass pass)
{
    if (shot->after_pass)
        shot->after_pass(shot->context, pass);
}
