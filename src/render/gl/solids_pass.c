// The image of the solids and of what lies behind them. It is kept from frame to frame and drawn
// anew only where it changes.
#ifdef DEW_HAVE_GL
#include "render/gl/drawing_state.h"

#include "base/status.h"

static void set_look(dew_GlDrawing *drawing, const dew_GlProgram *program, int index)
{
    const dew_Gl *gl = drawing->gl;
    const dew_RenderBody *body = &DEW_ITEMS(&drawing->scene->bodies, const dew_RenderBody)[index];
    const dew_Look *look = &body->look;
    double scale = drawing->bodies.scale;
    float repeats = 0, aspect = 1;
    if (look->texture) {
        repeats = (float)(1 / (look->texture->size_m * (double)look->scale));
        aspect = (float)look->texture->width / (float)look->texture->height;
    }
    dew_gl_program_set(gl, program, DEW_GL_COLOR, look->color.x, look->color.y, look->color.z,
                       look->roughness);
    dew_gl_program_set(gl, program, DEW_GL_LOOK, 0, repeats, aspect, dew_look_porosity(look->kind));
    dew_Vec3 center = dew_scale(scale, dew_sub(body->fade_center_m, drawing->bodies.middle_m));
    dew_gl_program_set(gl, program, DEW_GL_FADE, (float)center.x, (float)center.y, (float)center.z,
                       (float)(scale * (double)body->fade_begin_m));
    dew_gl_program_set(gl, program, DEW_GL_FADE_END, (float)(scale * (double)body->fade_end_m),
                       body->is_thin ? 1 : 0, 0, 0);
    dew_Rotation turn = dew_rotation_inverse(body->to_own);
    float m[16] = {0};
    for (int k = 0; k < 3; k++) {
        dew_Vec3 axis = dew_rotate(turn, dew_vec(k == 0, k == 1, k == 2));
        m[4 * k] = (float)axis.x;
        m[4 * k + 1] = (float)axis.y;
        m[4 * k + 2] = (float)axis.z;
    }
    m[15] = 1;
    dew_gl_program_set_matrix(gl, program, DEW_GL_FROM_OWN, m);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_TEXTURE, DEW_ITEMS(&drawing->textures, GLuint)[index]);
}

static uint32_t features_of(const dew_GlDrawing *drawing, const dew_GlPart *part)
{
    const dew_RenderBody *body =
        &DEW_ITEMS(&drawing->scene->bodies, const dew_RenderBody)[part->body];
    return (body->fade_begin_m > 0 ? DEW_GL_HAS_FADE : 0u) |
           (body->look.texture ? DEW_GL_HAS_TEXTURE : 0u) | (body->wet_map ? DEW_GL_IS_WET : 0u) |
           (uint32_t)body->look.kind << DEW_GL_LOOK_SHIFT;
}

static dew_Status draw_solid_parts(dew_GlDrawing *drawing)
{
    const dew_Gl *gl = drawing->gl;
    dew_gl_bind_texture(gl, DEW_GL_UNIT_ENVIRONMENT, drawing->environment);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_AROUND, drawing->around);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_BACKDROP, drawing->backdrop);
    for (int i = 0; i < DEW_GL_LIGHTS; i++) {
        const dew_GlLightPass *pass = &drawing->passes[i < drawing->lights.count ? i : 0];
        // A map that is not looked at must be a shadow map all the same.
        GLuint liquid =
            pass->liquid_depth.depth ? pass->liquid_depth.depth : pass->solid_depth.depth;
        dew_gl_bind_texture(gl, DEW_GL_UNIT_SHADE + i, pass->solid_depth.depth);
        dew_gl_bind_texture(gl, DEW_GL_UNIT_LIQUID + i, liquid);
        dew_gl_bind_texture(gl, DEW_GL_UNIT_CAUSTICS + i, pass->caustics.color[0]);
    }
    for (int64_t i = 0; i < drawing->bodies.opaque_parts.count; i++) {
        dew_GlPart part = DEW_ITEMS(&drawing->bodies.opaque_parts, const dew_GlPart)[i];
        const dew_GlProgram *program = NULL;
        uint32_t features = drawing->features | features_of(drawing, &part);
        DEW_TRY(dew_gl_variant_use(drawing, DEW_GL_SOLID, features, &program));
        set_look(drawing, program, part.body);
        gl->BindVertexArray(drawing->bodies.opaque_array);
        gl->DrawArrays(GL_TRIANGLES, part.first, part.count);
    }
    // Behind everything, where nothing is.
    const dew_GlProgram *sky = NULL;
    DEW_TRY(dew_gl_variant_use(drawing, DEW_GL_SKY, drawing->features, &sky));
    gl->DepthFunc(GL_LEQUAL);
    gl->BindVertexArray(drawing->work.empty_array);
    gl->DrawArrays(GL_TRIANGLES, 0, 3);
    gl->DepthFunc(GL_LESS);
    return dew_ok();
}

dew_Status dew_gl_solids_draw(dew_GlDrawing *drawing)
{
    const dew_Gl *gl = drawing->gl;
    if (dew_gl_region_is_empty(drawing->dirty))
        return dew_ok();
    dew_gl_target_bind(gl, &drawing->solids);
    dew_gl_region_begin(gl, drawing->dirty);
    gl->Clear(GL_DEPTH_BUFFER_BIT);
    dew_Status status = draw_solid_parts(drawing);
    dew_gl_region_end(gl);
    return status;
}
#endif
