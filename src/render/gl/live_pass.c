// The live level: what makes water read as water, for windows.
//
// The solids, what lies behind them and the glass are a picture that is kept while they and the camera stand
// still. What changes from frame to frame is the liquid: its near and far sides as normals and depths, the
// light that the strongest lamp sends through it, and then one look at each pixel. On a GL in software a
// fetch from a texture costs as much as fifty multiplications, and small triangles cost whole blocks of
// pixels: so little is looked up, and nothing is shaded by triangles.
#ifdef DEW_HAVE_GL
#include "render/gl/drawing_state.h"

#include "base/hash.h"
#include "base/status.h"

#define LEAST_LIGHT_PX 32

void dew_gl_live_deinit(const dew_Gl *gl, dew_GlLive *live)
{
    dew_GlTarget *targets[] = {&live->seen, &live->front, &live->floor_depth, &live->light,
                               &live->lit};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        dew_gl_target_deinit(gl, targets[i]);
}

static bool has_light(const dew_GlDrawing *drawing)
{
    return drawing->lamps.count > 0 && drawing->bodies.has_liquid;
}

// A wide lamp blurs what lies far below the liquid; by a third of its height, taken for the mean. So its
// texture may be as coarse, and needs no blurring.
static int light_px(const dew_GlDrawing *drawing, const dew_GlShot *shot)
{
    const dew_Box *box = &drawing->bodies.around_liquid;
    double size = sqrt(drawing->passes[0].liquid.texel_area) * drawing->work.map_px;
    double blur = (double)drawing->lamps.lamps[0].radius_rad * (box->max.y - box->min.y) / 3;
    int px = shot->map_px / 2;
    while (px > LEAST_LIGHT_PX && size / px < blur)
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
    dew_GlTargetDef seen = solids, side = solids, lit = solids;
    seen.color[1] = side.color[1] = lit.color[1] = 0;
    side.color[0] = GL_RGBA32F;
    side.filter = GL_NEAREST;
    lit.has_depth = false;
    if (live->front.width != side.width || live->front.height != side.height)
        dew_gl_target_deinit(gl, &live->seen);  // its depth goes
    DEW_TRY(dew_gl_target_set(gl, &drawing->solids, &solids));
    DEW_TRY(dew_gl_target_set(gl, &live->front, &side));
    DEW_TRY(dew_gl_target_set(gl, &drawing->liquid_back, &side));
    if (drawing->bodies.has_glass) {
        DEW_TRY(dew_gl_target_set(gl, &drawing->behind, &seen));
        DEW_TRY(dew_gl_target_set(gl, &drawing->glass_back, &side));
    }
    seen.depth = live->front.depth;
    DEW_TRY(dew_gl_target_set(gl, &live->seen, &seen));
    if (!has_light(drawing))
        return dew_ok();
    int px = light_px(drawing, shot);
    dew_GlTargetDef floor = {.width = px, .height = px, .has_depth = true, .filter = GL_NEAREST};
    dew_GlTargetDef light = {
        .width = px, .height = px, .color = {GL_RGBA16F, 0}, .filter = GL_LINEAR};
    if (live->floor_depth.width != px)
        live->floor_hash = 0;
    if (live->light.width != px || live->lit.width != lit.width || live->lit.height != lit.height)
        live->light_age = 0;
    DEW_TRY(dew_gl_target_set(gl, &live->lit, &lit));
    DEW_TRY(dew_gl_target_set(gl, &live->floor_depth, &floor));
    return dew_gl_target_set(gl, &live->light, &light);
}

// ---- light through the liquid ------------------------------------------------------------------

static void draw_floor_depth(dew_GlDrawing *drawing)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlProgram *side = &drawing->programs[DEW_GL_SIDE];
    const dew_GlLampFrame *frame = &drawing->passes[0].liquid;
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
    const dew_PictureBody *body = dew_gl_liquid_of(drawing->scene);
    float per_m = (float)(1 / drawing->bodies.scale);
    dew_Float3 a = dew_f3_scale(per_m, body->medium.absorption_1_m);
    dew_gl_program_set(drawing->gl, program, DEW_GL_MEDIUM, a.x, a.y, a.z, body->medium.ior);
}

static void draw_light(dew_GlDrawing *drawing)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlProgram *program = &drawing->programs[DEW_GL_LIVE_LIGHT];
    const dew_GlLampPass *pass = &drawing->passes[0];
    const dew_GlTarget *light = &drawing->live.light;
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
    dew_gl_program_set(gl, program, DEW_GL_SPLAT, 0, (float)light->width, 0, 0);
    dew_gl_draw_liquid(gl, &drawing->bodies, drawing->scene);
    gl->Disable(GL_CULL_FACE);
    gl->Enable(GL_BLEND);
    gl->BlendFunc(GL_ONE, GL_ONE);
    dew_gl_program_set(gl, program, DEW_GL_SPLAT, 1, (float)light->width, 0, 0);
    dew_gl_draw_liquid(gl, &drawing->bodies, drawing->scene);
    gl->Disable(GL_BLEND);
}

// The solids in that light.
static void light_solids(dew_GlDrawing *drawing, const dew_GlTarget *still)
{
    const dew_Gl *gl = drawing->gl;
    if (!has_light(drawing))
        return;
    dew_GlRegion region = dew_gl_region_of(drawing->frame.clip, drawing->passes[0].liquid.corners,
                                           drawing->live.lit.width, drawing->live.lit.height);
    dew_gl_target_copy(gl, still, &drawing->live.lit, false);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_SEEN, still->color[0]);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_BASE, drawing->solids.color[1]);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_DEPTH, drawing->solids.depth);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_CAUSTICS, drawing->live.light.color[0]);
    dew_gl_target_bind(gl, &drawing->live.lit);
    dew_gl_program_use(gl, &drawing->programs[DEW_GL_LIVE_LIT]);
    gl->Disable(GL_DEPTH_TEST);
    gl->BindVertexArray(drawing->work.empty_array);
    dew_gl_region_begin(gl, region);
    gl->DrawArrays(GL_TRIANGLES, 0, 3);
    dew_gl_region_end(gl);
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
    DEW_TRY(dew_gl_variant_use(drawing, DEW_GL_LIVE_GLASS, drawing->features, &program));
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
    dew_gl_solids_find_dirty(drawing);
    bool is_new = !dew_gl_region_is_empty(drawing->dirty);
    DEW_TRY(dew_gl_solids_draw(drawing));
    return has_glass && is_new ? draw_glass(drawing) : dew_ok();
}

// ---- the liquid --------------------------------------------------------------------------------

static void draw_sides(dew_GlDrawing *drawing)
{
    drawing->gl->Enable(GL_DEPTH_TEST);
    dew_gl_side_draw(drawing, &drawing->live.front, true, false);
    dew_gl_side_draw(drawing, &drawing->liquid_back, true, true);
}

static dew_Status draw_liquid(dew_GlDrawing *drawing, const dew_GlTarget *lit)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlProgram *program = NULL;
    uint32_t features = drawing->features & ~(uint32_t)DEW_GL_HAS_BACKDROP;
    dew_gl_bind_texture(gl, DEW_GL_UNIT_ENVIRONMENT, drawing->small_environment);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_SEEN, lit->color[0]);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_DEPTH, drawing->solids.depth);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_BACK, drawing->liquid_back.color[0]);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_FRONT, drawing->live.front.color[0]);
    DEW_TRY(dew_gl_variant_use(drawing, DEW_GL_LIVE_LIQUID, features, &program));
    set_liquid(drawing, program);
    dew_gl_target_bind(gl, &drawing->live.seen);
    gl->DepthMask(GL_FALSE);
    gl->DepthFunc(GL_GREATER);
    gl->BindVertexArray(drawing->work.empty_array);
    gl->DrawArrays(GL_TRIANGLES, 0, 3);
    gl->DepthFunc(GL_LESS);
    gl->DepthMask(GL_TRUE);
    return dew_ok();
}

dew_Status dew_gl_live_draw(dew_GlDrawing *drawing, const dew_GlShot *shot)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlTarget *still = NULL;
    DEW_TRY(set_targets(drawing, shot));
    if (drawing->lamps.count > 0)
        DEW_TRY(dew_gl_lamp_draw(&drawing->passes[0], &drawing->work, &drawing->bodies,
                                 drawing->scene, false));
    // Light through the liquid changes slowly enough to be kept for a frame or so.
    dew_GlLive *live = &drawing->live;
    bool has_new_light = has_light(drawing) && live->light_age-- <= 1;
    if (has_new_light)
        draw_light(drawing);
    dew_gl_tell(shot, DEW_GL_PASS_LAMPS);
    DEW_TRY(draw_still(drawing, &still));
    if (has_new_light || !dew_gl_region_is_empty(drawing->dirty))
        light_solids(drawing, still);
    live->light_age = has_new_light ? shot->light_every : live->light_age;
    const dew_GlTarget *lit = has_light(drawing) ? &live->lit : still;
    dew_gl_target_copy(gl, lit, &drawing->live.seen, false);
    dew_gl_tell(shot, DEW_GL_PASS_SOLIDS);
    if (drawing->bodies.has_liquid)
        draw_sides(drawing);
    dew_gl_tell(shot, DEW_GL_PASS_SIDES);
    if (drawing->bodies.has_liquid)
        DEW_TRY(draw_liquid(drawing, lit));
    dew_gl_tell(shot, DEW_GL_PASS_CLEAR);
    return dew_ok();
}
#endif
