// What is clear, farthest first.
//
// It reads the image of what lies behind it. So there are two images: `solids` is read, `seen` is
// drawn. Liquid behind glass comes before the glass, liquid before it comes last; between these
// passes `seen` is copied to be read.
#ifdef DEW_HAVE_GL
#include "render/gl/drawing_state.h"

#include "base/status.h"

void dew_gl_clear_parts_draw(dew_GlDrawing *drawing, const dew_GlProgram *program, bool is_liquid,
                             int which)
{
    const dew_Gl *gl = drawing->gl;
    float per_m = (float)(1 / drawing->bodies.scale);
    gl->BindVertexArray(drawing->bodies.clear_array);
    for (int64_t i = 0; i < drawing->bodies.clear_parts.count; i++) {
        dew_GlPart part = DEW_ITEMS(&drawing->bodies.clear_parts, const dew_GlPart)[i];
        const dew_RenderBody *body =
            &DEW_ITEMS(&drawing->scene->bodies, const dew_RenderBody)[part.body];
        if (dew_gl_body_is_liquid(body) != is_liquid)
            continue;
        dew_Float3 a = dew_f3_scale(per_m, body->medium.absorption_1_m);
        float least = dew_look_least_roughness(DEW_LOOK_FROSTED);
        float roughness = body->kind == DEW_BODY_FROSTED ? fmaxf(body->look.roughness, least) : 0;
        dew_gl_program_set(gl, program, DEW_GL_MEDIUM, a.x, a.y, a.z, body->medium.ior);
        dew_gl_program_set(gl, program, DEW_GL_BLUR, roughness, (float)which, 0, 0);
        gl->DrawElements(GL_TRIANGLES, part.count, GL_UNSIGNED_INT,
                         (const void *)((size_t)part.first * sizeof(uint32_t)));
    }
}

void dew_gl_side_draw(dew_GlDrawing *drawing, const dew_GlTarget *target, bool is_liquid,
                      bool is_back)
{
    const dew_Gl *gl = drawing->gl;
    bool is_live = (drawing->features & DEW_GL_IS_LIVE) != 0;
    const dew_GlProgram *program = &drawing->programs[is_live ? DEW_GL_LIVE_SIDE : DEW_GL_SIDE];
    dew_gl_target_bind(gl, target);
    gl->ClearColor(0, 0, 0, 0);
    // Of near sides, and of those whose depth is looked at, only what was drawn is read.
    gl->Clear(GL_DEPTH_BUFFER_BIT | (is_back && !is_live ? GL_COLOR_BUFFER_BIT : 0u));
    gl->Enable(GL_CULL_FACE);
    gl->CullFace(is_back ? GL_FRONT : GL_BACK);
    dew_gl_program_use(gl, program);
    dew_gl_program_set_matrix(gl, program, DEW_GL_TO_CLIP, drawing->frame.clip);
    dew_gl_program_set(gl, program, DEW_GL_DEPTH_KIND, 1, 0, 0, 0);
    dew_gl_clear_parts_draw(drawing, program, is_liquid, 0);
    gl->Disable(GL_CULL_FACE);
}

// which: 1 what is behind glass, -1 what is before it, 0 all; behind: what is seen through it.
static dew_Status draw_clear(dew_GlDrawing *drawing, const dew_GlTarget *behind, bool is_liquid,
                             int which)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlBodies *bodies = &drawing->bodies;
    const dew_GlProgram *program = NULL;
    uint32_t glass = is_liquid && bodies->has_glass ? DEW_GL_HAS_GLASS : 0u;
    uint32_t rough = !is_liquid && bodies->has_frosted ? DEW_GL_IS_ROUGH : 0u;
    if (drawing->bodies.has_frosted) {
        gl->BindTexture(GL_TEXTURE_2D, behind->color[0]);
        gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
        gl->GenerateMipmap(GL_TEXTURE_2D);
    }
    dew_gl_bind_texture(gl, DEW_GL_UNIT_SEEN, behind->color[0]);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_BASE,
                        is_liquid ? drawing->solids.color[1] : behind->color[0]);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_DEPTH, behind->depth);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_BACK,
                        is_liquid ? drawing->liquid_back.color[0] : drawing->glass_back.color[0]);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_GLASS, drawing->glass_front.depth);
    dew_gl_target_bind(gl, &drawing->seen);
    DEW_TRY(dew_gl_variant_use(drawing, DEW_GL_CLEAR, drawing->features | glass | rough, &program));
    gl->Enable(GL_CULL_FACE);
    gl->CullFace(GL_BACK);
    dew_gl_clear_parts_draw(drawing, program, is_liquid, which);
    gl->Disable(GL_CULL_FACE);
    return dew_ok();
}

void dew_gl_sides_draw(dew_GlDrawing *drawing)
{
    if (drawing->bodies.has_liquid)
        dew_gl_side_draw(drawing, &drawing->liquid_back, true, true);
    if (drawing->bodies.has_glass) {
        dew_gl_side_draw(drawing, &drawing->glass_back, false, true);
        dew_gl_side_draw(drawing, &drawing->glass_front, false, false);
    }
    dew_gl_region_begin(drawing->gl, drawing->dirty_seen);
    dew_gl_target_copy(drawing->gl, &drawing->solids, &drawing->seen, true);
    dew_gl_region_end(drawing->gl);
}

dew_Status dew_gl_clear_draw(dew_GlDrawing *drawing)
{
    const dew_Gl *gl = drawing->gl;
    const dew_GlBodies *bodies = &drawing->bodies;
    const dew_GlTarget *solids = &drawing->solids;
    if (!bodies->has_glass)
        return bodies->has_liquid ? draw_clear(drawing, solids, true, 0) : dew_ok();
    if (!bodies->has_liquid)
        return draw_clear(drawing, solids, false, 0);
    DEW_TRY(draw_clear(drawing, solids, true, 1));
    dew_gl_target_copy(gl, &drawing->seen, &drawing->behind, true);
    DEW_TRY(draw_clear(drawing, &drawing->behind, false, 0));
    dew_gl_target_copy(gl, &drawing->seen, &drawing->behind, false);
    return draw_clear(drawing, &drawing->behind, true, -1);
}
#endif
