// The live level: what makes water read as water, for windows.
//
// The solids, what lies behind them and the glass are an image that is kept while they and the
// camera stand still. What changes from frame to frame is the liquid: its near and far sides as
// normals and depths, the light that the strongest light sends through it, and then one look at
// each pixel. On a GL in software a fetch from a texture costs as much as fifty multiplications,
// and small triangles cost whole blocks of pixels: so little is looked up, and nothing is shaded by
// triangles.
#ifdef DEW_HAVE_GL
#include "render/gl/drawing_state.h"
#include "render/gl/light_reach.h"

#include "base/hash.h"
#include "base/status.h"

#include <string.h>

#define MIN_LIGHT_PX 32  // side of the map of light, however soft the light is

void dew_gl_live_deinit(const dew_Gl *gl, dew_GlLive *live)
{
    dew_GlTarget *targets[] = {&live->seen,       &live->front, &live->floor_depth,
                               &live->hard_light, &live->light, &live->lit};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        dew_gl_target_deinit(gl, targets[i]);
    dew_gl_tiles_deinit(gl, &live->tiles);
    gl->DeleteVertexArrays(1, &live->facing_array);
    gl->DeleteBuffers(1, &live->facing.id);
    dew_array_deinit(&live->facing_indices);
}

static bool has_light(const dew_GlDrawing *drawing)
{
    return drawing->lights.count > 0 && drawing->bodies.has_liquid;
}

// A wide light blurs what lies far below the liquid; by a third of its height, taken for the mean.
// So its texture may be as coarse, and needs no blurring.
static int light_px(const dew_GlDrawing *drawing, const dew_GlShot *shot)
{
    const dew_Box *box = &drawing->bodies.around_liquid;
    double size = sqrt(drawing->passes[0].liquid.texel_area) * drawing->work.map_px;
    double blur = (double)drawing->lights.lights[0].radius_rad * (box->max.y - box->min.y) / 3;
    int px = shot->map_px / 2;
    while (px > MIN_LIGHT_PX && size / px < blur)
        px /= 2;
    return px;
}

static dew_Status set_targets(dew_GlDrawing *drawing, const dew_GlShot *shot)
{
    const dew_Gl *gl = drawing->gl;
    dew_GlLive *live = &drawing->live;
    dew_GlTargetDef solids = {.width = shot->width_px,
                              .height = shot->height_px,
                              .color = {GL_RGBA16F, GL_RGBA16F},
                              .filter = GL_LINEAR,
                              .has_depth = true};
    dew_GlTargetDef behind = solids, side = solids, seen = solids, lit = solids;
    behind.color[1] = side.color[1] = seen.color[1] = lit.color[1] = 0;
    side.color[0] = GL_RGBA8;
    side.filter = GL_NEAREST;
    seen.color[0] = lit.color[0] = shot->is_for_screen ? GL_RGBA8 : GL_RGBA16F;
    lit.has_depth = false;
    live->is_coded = shot->is_for_screen;
    DEW_TRY(dew_gl_target_set(gl, &drawing->solids, &solids));
    live->tiles.is_drawn = live->tiles.is_drawn && dew_gl_target_is(&live->front, &side) &&
                           dew_gl_target_is(&drawing->liquid_back, &side) &&
                           dew_gl_target_is(&live->seen, &seen);
    DEW_TRY(dew_gl_target_set(gl, &live->front, &side));
    DEW_TRY(dew_gl_target_set(gl, &drawing->liquid_back, &side));
    if (drawing->bodies.has_glass) {
        DEW_TRY(dew_gl_target_set(gl, &drawing->behind, &behind));
        DEW_TRY(dew_gl_target_set(gl, &drawing->glass_back, &side));
    }
    DEW_TRY(dew_gl_target_set(gl, &live->seen, &seen));
    live->is_lit = live->is_lit && dew_gl_target_is(&live->lit, &lit);
    DEW_TRY(dew_gl_target_set(gl, &live->lit, &lit));
    if (!has_light(drawing))
        return dew_ok();
    int px = light_px(drawing, shot);
    dew_GlTargetDef floor = {.width = px, .height = px, .has_depth = true, .filter = GL_NEAREST};
    dew_GlTargetDef light = {
        .width = px, .height = px, .color = {GL_RGBA16F, 0}, .filter = GL_LINEAR};
    if (live->floor_depth.width != px)
        live->floor_hash = 0;
    if (live->light.width != px)
        live->space_hash = live->light_hash = 0;
    DEW_TRY(dew_gl_target_set(gl, &live->floor_depth, &floor));
    DEW_TRY(dew_gl_target_set(gl, &live->hard_light, &light));
    return dew_gl_target_set(gl, &live->light, &light);
}

// ---- light through the liquid ------------------------------------------------------------------

static void draw_floor_depth(dew_GlDrawing *drawing)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlProgram *side = &drawing->programs[DEW_GL_SIDE];
    const dew_GlLightFrame *frame = &drawing->passes[0].liquid;
    uint64_t hash = dew_hash(frame->space, sizeof frame->space, drawing->bodies.opaque_hash);
    if (drawing->live.floor_hash == hash)
        return;
    gl->Enable(GL_DEPTH_TEST);
    gl->DepthMask(GL_TRUE);
    dew_gl_program_use(gl, side);
    dew_gl_program_set_matrix(gl, side, DEW_GL_TO_CLIP, frame->clip);
    dew_gl_program_set(gl, side, DEW_GL_DEPTH_KIND, 0, 0, 0, 0);
    dew_gl_target_bind(gl, &drawing->live.floor_depth);
    gl->Clear(GL_DEPTH_BUFFER_BIT);
    dew_gl_draw_opaque(gl, &drawing->bodies);
    drawing->live.floor_hash = hash;
}

static void set_liquid(dew_GlDrawing *drawing, const dew_GlProgram *program)
{
    const dew_RenderBody *body = dew_gl_liquid_of(drawing->scene);
    float per_m = (float)(1 / drawing->bodies.scale);
    dew_Float3 a = dew_f3_scale(per_m, body->medium.absorption_1_m);
    dew_gl_program_set(drawing->gl, program, DEW_GL_MEDIUM, a.x, a.y, a.z, body->medium.ior);
}

static bool faces(const dew_GlBodies *bodies, uint32_t vertex, dew_Float3 towards)
{
    const float *n =
        DEW_ITEMS(&bodies->clear_data, const float) + (int64_t)vertex * DEW_GL_CLEAR_FLOATS + 3;
    return n[0] * towards.x + n[1] * towards.y + n[2] * towards.z > 0;
}

// Triangles with a vertex that faces the light: all others send no light on.
static dew_Status find_facing(dew_GlDrawing *drawing)
{
    const dew_Gl *gl = drawing->gl;
    dew_GlLive *live = &drawing->live;
    const dew_GlBodies *bodies = &drawing->bodies;
    dew_Float3 towards = drawing->passes[0].towards;
    DEW_TRY(dew_array_reserve(&live->facing_indices, bodies->clear_index_data.count));
    uint32_t *to = live->facing_indices.data;
    for (int64_t i = 0; i < bodies->clear_parts.count; i++) {
        const dew_GlPart *part = &DEW_ITEMS(&bodies->clear_parts, const dew_GlPart)[i];
        const uint32_t *v = DEW_ITEMS(&bodies->clear_index_data, const uint32_t) + part->first;
        if (!dew_gl_body_is_liquid(
                &DEW_ITEMS(&drawing->scene->bodies, const dew_RenderBody)[part->body]))
            continue;
        for (int64_t k = 0; k + 2 < part->count; k += 3, v += 3)
            if (faces(bodies, v[0], towards) || faces(bodies, v[1], towards) ||
                faces(bodies, v[2], towards)) {
                memcpy(to, v, 3 * sizeof *to);
                to += 3;
            }
    }
    live->facing_indices.count = to - DEW_ITEMS(&live->facing_indices, uint32_t);
    if (!live->facing_array)
        gl->GenVertexArrays(1, &live->facing_array);
    gl->BindVertexArray(live->facing_array);
    dew_gl_bodies_point_at_clear(gl, bodies);
    dew_gl_buffer_fill(gl, &live->facing, GL_ELEMENT_ARRAY_BUFFER, &live->facing_indices);
    return dew_ok();
}

static void soften_light(const dew_GlDrawing *drawing)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlProgram *program = &drawing->programs[DEW_GL_LIVE_SOFT];
    const dew_GlTarget *light = &drawing->live.light;
    dew_gl_bind_texture(gl, DEW_GL_UNIT_SEEN, drawing->live.hard_light.color[0]);
    dew_gl_target_bind(gl, light);
    dew_gl_program_use(gl, program);
    dew_gl_program_set(gl, program, DEW_GL_SPLAT, 0, (float)light->width, 0, 0);
    gl->BindVertexArray(drawing->work.empty_array);
    gl->DrawArrays(GL_TRIANGLES, 0, 3);
}

static dew_Status draw_light(dew_GlDrawing *drawing)
{
    DEW_TRY(find_facing(drawing));
    const dew_Gl *gl = drawing->gl;
    const dew_GlProgram *program = &drawing->programs[DEW_GL_LIVE_LIGHT];
    const dew_GlLightPass *pass = &drawing->passes[0];
    const dew_GlTarget *light = &drawing->live.hard_light;
    draw_floor_depth(drawing);
    gl->Disable(GL_DEPTH_TEST);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_SOLID, drawing->live.floor_depth.depth);
    dew_gl_program_use(gl, program);
    dew_gl_program_set_matrix(gl, program, DEW_GL_SPACE, pass->liquid.space);
    dew_gl_program_set(gl, program, DEW_GL_TOWARDS, pass->towards.x, pass->towards.y,
                       pass->towards.z, 2 * pass->liquid.bias);
    set_liquid(drawing, program);
    dew_gl_target_bind(gl, light);
    gl->ClearColor(1, 1, 1, 1);
    gl->Clear(GL_COLOR_BUFFER_BIT);
    gl->Enable(GL_CULL_FACE);
    gl->CullFace(GL_BACK);
    GLsizei count = (GLsizei)drawing->live.facing_indices.count;
    gl->BindVertexArray(drawing->live.facing_array);
    dew_gl_program_set(gl, program, DEW_GL_SPLAT, 0, (float)light->width, 0, 0);
    gl->DrawElements(GL_TRIANGLES, count, GL_UNSIGNED_INT, NULL);
    gl->Disable(GL_CULL_FACE);
    gl->Enable(GL_BLEND);
    gl->BlendFunc(GL_ONE, GL_ONE);
    dew_gl_program_set(gl, program, DEW_GL_SPLAT, 1, (float)light->width, 0, 0);
    gl->DrawElements(GL_TRIANGLES, count, GL_UNSIGNED_INT, NULL);
    gl->Disable(GL_BLEND);
    soften_light(drawing);
    return dew_gl_light_reach(drawing, &drawing->live.light_reach);
}

// The solids in that light and in the code of the image, where something has changed.
static dew_Status light_solids(dew_GlDrawing *drawing, const dew_GlTarget *still,
                               bool has_new_light, dew_GlRegion *changed)
{
    const dew_Gl *gl = drawing->gl;
    dew_GlLive *live = &drawing->live;
    const dew_GlProgram *program = NULL;
    uint32_t lights = has_light(drawing) ? 3u << DEW_GL_LIGHTS_SHIFT : 0u;
    uint32_t features = drawing->features & (DEW_GL_IS_LIVE | DEW_GL_IS_CODED | lights);
    int width = live->lit.width, height = live->lit.height;
    dew_GlRegion region = drawing->dirty, whole = dew_gl_region_whole(width, height);
    *changed = region;
    if (has_new_light) {
        dew_GlRegion now = dew_gl_light_region(drawing, &live->light_reach);
        region = dew_gl_region_union(region, dew_gl_region_union(now, live->light_region));
        live->light_region = now;
        // Liquid may show what has changed from beside it.
        *changed = dew_gl_region_union(region, dew_gl_region_of(drawing->frame.clip,
                                                                drawing->passes[0].liquid.corners,
                                                                width, height));
    }
    if (!live->is_lit || live->lit_features != features)
        *changed = region = whole;
    live->is_lit = true;
    live->lit_features = features;
    if (dew_gl_region_is_empty(region))
        return dew_ok();
    dew_gl_bind_texture(gl, DEW_GL_UNIT_SEEN, still->color[0]);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_BASE, drawing->solids.color[1]);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_DEPTH, drawing->solids.depth);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_CAUSTICS, live->light.color[0]);
    dew_gl_target_bind(gl, &live->lit);
    DEW_TRY(dew_gl_variant_use(drawing, DEW_GL_LIVE_LIT, features, &program));
    gl->Disable(GL_DEPTH_TEST);
    gl->BindVertexArray(drawing->work.empty_array);
    dew_gl_region_begin(gl, region);
    gl->DrawArrays(GL_TRIANGLES, 0, 3);
    dew_gl_region_end(gl);
    return dew_ok();
}

// ---- what stands still -------------------------------------------------------------------------

static dew_Status draw_glass(dew_GlDrawing *drawing)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlProgram *program = NULL;
    dew_gl_side_draw(drawing, &drawing->glass_back, false, true);
    dew_gl_target_copy(gl, &drawing->solids, &drawing->behind, true);
    dew_gl_target_bind(gl, &drawing->behind);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_SEEN, drawing->solids.color[0]);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_DEPTH, drawing->solids.depth);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_BACK, drawing->glass_back.color[0]);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_BACK_DEPTH, drawing->glass_back.depth);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_AROUND, drawing->around);
    uint32_t features = (drawing->features & ~(uint32_t)DEW_GL_IS_CODED) | DEW_GL_ABSORBS;
    DEW_TRY(dew_gl_variant_use(drawing, DEW_GL_LIVE_GLASS, features, &program));
    gl->Enable(GL_CULL_FACE);
    gl->CullFace(GL_BACK);
    dew_gl_clear_parts_draw(drawing, program, false, 0);
    gl->Disable(GL_CULL_FACE);
    return dew_ok();
}

// Solids and glass.
static dew_Status draw_still(dew_GlDrawing *drawing, const dew_GlTarget **out)
{
    const dew_Gl *gl = drawing->gl;
    bool has_glass = drawing->bodies.has_glass;
    *out = has_glass ? &drawing->behind : &drawing->solids;
    gl->Enable(GL_DEPTH_TEST);
    gl->DepthMask(GL_TRUE);
    DEW_TRY(dew_gl_solids_find_dirty(drawing));
    DEW_TRY(dew_gl_solids_draw(drawing));
    if (!has_glass || dew_gl_region_is_empty(drawing->dirty))
        return dew_ok();
    dew_gl_region_begin(gl, drawing->dirty);
    dew_Status status = draw_glass(drawing);
    dew_gl_region_end(gl);
    return status;
}

// ---- the liquid --------------------------------------------------------------------------------

// Of all that its pixels come from besides itself and the solids.
static uint64_t hash_view(const dew_GlDrawing *drawing)
{
    const dew_RenderBody *body = dew_gl_liquid_of(drawing->scene);
    dew_GlFrame frame = drawing->frame;
    memset(frame.light_space, 0, sizeof frame.light_space);
    memset(frame.liquid_space, 0, sizeof frame.liquid_space);
    frame.reach[0] = frame.reach[1] = 0;
    float medium[4] = {0};
    if (body) {
        medium[0] = body->medium.ior;
        memcpy(medium + 1, &body->medium.absorption_1_m, 3 * sizeof *medium);
    }
    return dew_hash(&frame, sizeof frame, dew_hash(medium, sizeof medium, drawing->features));
}

// Finds the tiles on which the liquid is drawn anew. changed: where what lies behind it has.
static dew_Status find_tiles(dew_GlDrawing *drawing, dew_GlRegion changed)
{
    dew_GlTiles *tiles = &drawing->live.tiles;
    dew_gl_tiles_mark(tiles, changed);
    // What moves may also be seen where the liquid stands before other solids, bent.
    for (int64_t i = 0; i < drawing->bodies.opaque_parts.count; i++)
        if (!dew_gl_region_is_empty(drawing->dirty))
            dew_gl_tiles_mark(tiles, dew_gl_part_region(drawing,
                                                        &DEW_ITEMS(&drawing->bodies.opaque_parts,
                                                                   const dew_GlPart)[i],
                                                        false));
    return dew_gl_tiles_gather(tiles, drawing->gl, &drawing->bodies, drawing->scene);
}

// What lies behind the liquid, on the tiles where it is drawn anew.
static void copy_behind(dew_GlDrawing *drawing, const dew_GlTarget *lit)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlTiles *tiles = &drawing->live.tiles;
    if (tiles->is_all) {
        dew_gl_target_copy(gl, lit, &drawing->live.seen, false);
        return;
    }
    dew_gl_bind_texture(gl, DEW_GL_UNIT_SEEN, lit->color[0]);
    dew_gl_target_bind(gl, &drawing->live.seen);
    dew_gl_program_use(gl, &drawing->programs[DEW_GL_LIVE_COPY]);
    gl->Disable(GL_DEPTH_TEST);
    dew_gl_tiles_draw(tiles, gl);
}

static void draw_side(dew_GlDrawing *drawing, const dew_GlTarget *target, bool is_back)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlTiles *tiles = &drawing->live.tiles;
    const dew_GlProgram *program = &drawing->programs[DEW_GL_LIVE_SIDE];
    dew_gl_target_bind(gl, target);
    if (tiles->is_all) {
        gl->Clear(GL_DEPTH_BUFFER_BIT);
    } else {
        gl->ColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
        gl->DepthFunc(GL_ALWAYS);
        dew_gl_program_use(gl, &drawing->programs[DEW_GL_LIVE_COPY]);
        dew_gl_tiles_draw(tiles, gl);
        gl->DepthFunc(GL_LESS);
        gl->ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    }
    gl->Enable(GL_CULL_FACE);
    gl->CullFace(is_back ? GL_FRONT : GL_BACK);
    dew_gl_program_use(gl, program);
    dew_gl_program_set_matrix(gl, program, DEW_GL_TO_CLIP, drawing->frame.clip);
    dew_gl_tiles_draw_liquid(tiles, gl, is_back);
    gl->Disable(GL_CULL_FACE);
}

static void draw_sides(dew_GlDrawing *drawing)
{
    drawing->gl->Enable(GL_DEPTH_TEST);
    draw_side(drawing, &drawing->live.front, false);
    draw_side(drawing, &drawing->liquid_back, true);
    dew_gl_target_copy_depth(drawing->gl, &drawing->live.front, &drawing->live.seen);
}

// Is what the liquid takes away of the light across it half a level of a screen, or more?
static bool absorbs(const dew_GlDrawing *drawing)
{
    const dew_RenderBody *body = dew_gl_liquid_of(drawing->scene);
    dew_Float3 a = body->medium.absorption_1_m;
    double size_m = dew_distance(drawing->bodies.liquid.min, drawing->bodies.liquid.max) /
                    drawing->bodies.scale;
    return (double)fmaxf(a.x, fmaxf(a.y, a.z)) * size_m > 1.0 / 256;  // one level of a screen
}

static dew_Status draw_liquid(dew_GlDrawing *drawing, const dew_GlTarget *lit)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlProgram *program = NULL;
    uint32_t features = drawing->features & ~(uint32_t)DEW_GL_HAS_BACKDROP;
    features |= absorbs(drawing) ? DEW_GL_ABSORBS : 0u;
    dew_gl_bind_texture(gl, DEW_GL_UNIT_AROUND, drawing->small_around);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_SEEN, lit->color[0]);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_DEPTH, drawing->solids.depth);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_BACK, drawing->liquid_back.color[0]);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_BACK_DEPTH, drawing->liquid_back.depth);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_FRONT, drawing->live.front.color[0]);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_FRONT_DEPTH, drawing->live.front.depth);
    DEW_TRY(dew_gl_variant_use(drawing, DEW_GL_LIVE_LIQUID, features, &program));
    set_liquid(drawing, program);
    dew_gl_target_bind(gl, &drawing->live.seen);
    gl->DepthMask(GL_FALSE);
    gl->DepthFunc(GL_GREATER);
    dew_gl_tiles_draw(&drawing->live.tiles, gl);
    gl->DepthFunc(GL_LESS);
    gl->DepthMask(GL_TRUE);
    return dew_ok();
}

// Draws light through the liquid anew if it has changed. It does so slowly enough to be kept for a
// frame or so.
static dew_Status renew_light(dew_GlDrawing *drawing, const dew_GlShot *shot, bool *is_new)
{
    dew_GlLive *live = &drawing->live;
    const float *space = drawing->passes[0].liquid.space;
    uint64_t space_hash = dew_hash(space, 16 * sizeof *space, 1);
    uint64_t hash =
        dew_hash(&live->tiles.liquid_hash, sizeof hash, space_hash ^ drawing->bodies.opaque_hash);
    *is_new = false;
    if (!has_light(drawing))
        return dew_ok();
    if (live->space_hash != space_hash)
        live->light_age = 0;
    if (--live->light_age > 0 || live->light_hash == hash)
        return dew_ok();
    DEW_TRY(draw_light(drawing));
    live->light_hash = hash;
    live->space_hash = space_hash;
    live->light_age = shot->light_every;
    *is_new = true;
    return dew_ok();
}

dew_Status dew_gl_live_draw(dew_GlDrawing *drawing, const dew_GlShot *shot)
{
    dew_GlLive *live = &drawing->live;
    const dew_GlTarget *still = NULL;
    uint64_t view = hash_view(drawing);
    live->tiles.is_drawn = live->tiles.is_drawn && live->tiles_hash == view;
    live->tiles_hash = view;
    DEW_TRY(set_targets(drawing, shot));
    DEW_TRY(dew_gl_tiles_look(&live->tiles, &drawing->bodies, drawing->scene, drawing->frame.clip,
                              shot->width_px, shot->height_px));
    if (drawing->lights.count > 0)
        DEW_TRY(dew_gl_light_draw(&drawing->passes[0], &drawing->work, &drawing->bodies,
                                  drawing->scene, false));
    bool has_new_light;
    DEW_TRY(renew_light(drawing, shot, &has_new_light));
    dew_gl_tell(shot, DEW_GL_PASS_LIGHTS);
    DEW_TRY(draw_still(drawing, &still));
    const dew_GlTarget *lit = live->is_coded || has_light(drawing) ? &live->lit : still;
    dew_GlRegion changed = drawing->dirty;
    if (lit == &live->lit)
        DEW_TRY(light_solids(drawing, still, has_new_light, &changed));
    DEW_TRY(find_tiles(drawing, changed));
    if (live->tiles.dirty_count > 0)
        copy_behind(drawing, lit);
    dew_gl_tell(shot, DEW_GL_PASS_SOLIDS);
    bool has_liquid = drawing->bodies.has_liquid && live->tiles.dirty_count > 0;
    if (has_liquid)
        draw_sides(drawing);
    dew_gl_tell(shot, DEW_GL_PASS_SIDES);
    if (has_liquid)
        DEW_TRY(draw_liquid(drawing, lit));
    dew_gl_tell(shot, DEW_GL_PASS_CLEAR);
    return dew_ok();
}
#endif
