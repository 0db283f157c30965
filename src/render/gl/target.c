// Textures and framebuffers.
#ifdef DEW_HAVE_GL
#include "render/gl/target.h"

#include "base/status.h"

static void set_filter(const dew_Gl *gl, GLenum filter)
{
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)filter);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, (GLint)filter);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

static void add_color(const dew_Gl *gl, dew_GlTarget *target, const dew_GlTargetDef *def, int i)
{
    bool is_byte = def->color[i] == GL_RGBA8;
    gl->GenTextures(1, &target->color[i]);
    gl->BindTexture(GL_TEXTURE_2D, target->color[i]);
    gl->TexImage2D(GL_TEXTURE_2D, 0, (GLint)def->color[i], def->width, def->height, 0, GL_RGBA,
                   is_byte ? GL_UNSIGNED_BYTE : GL_FLOAT, NULL);
    set_filter(gl, def->filter);
    gl->FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + (GLenum)i, GL_TEXTURE_2D,
                             target->color[i], 0);
}

static void add_depth(const dew_Gl *gl, dew_GlTarget *target, const dew_GlTargetDef *def)
{
    gl->GenTextures(1, &target->depth);
    gl->BindTexture(GL_TEXTURE_2D, target->depth);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT32F, def->width, def->height, 0,
                   GL_DEPTH_COMPONENT, GL_FLOAT, NULL);
    set_filter(gl, def->compares_depth ? GL_LINEAR : GL_NEAREST);
    if (def->compares_depth) {
        gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
        gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    }
    gl->FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, target->depth, 0);
}

bool dew_gl_target_is(const dew_GlTarget *target, const dew_GlTargetDef *def)
{
    return target->framebuffer && target->width == def->width && target->height == def->height &&
           target->format[0] == def->color[0] && target->format[1] == def->color[1];
}

dew_Status dew_gl_target_set(const dew_Gl *gl, dew_GlTarget *target, const dew_GlTargetDef *def)
{
    if (dew_gl_target_is(target, def))
        return dew_ok();
    dew_gl_target_deinit(gl, target);
    GLint most = 0;
    gl->GetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    if (def->width > most || def->height > most)
        return dew_fail(DEW_UNSUPPORTED,
                        "OpenGL here draws at most %d by %d pixels (--engine ray draws more)",
                        (int)most, (int)most);
    gl->GenFramebuffers(1, &target->framebuffer);
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    GLenum buffers[DEW_GL_MAX_COLORS] = {GL_NONE, GL_NONE};
    int count = 0;
    for (; count < DEW_GL_MAX_COLORS && def->color[count]; count++) {
        add_color(gl, target, def, count);
        target->format[count] = def->color[count];
        buffers[count] = GL_COLOR_ATTACHMENT0 + (GLenum)count;
    }
    if (def->has_depth)
        add_depth(gl, target, def);
    gl->DrawBuffers(count > 0 ? count : 1, buffers);
    gl->ReadBuffer(buffers[0]);
    target->width = def->width;
    target->height = def->height;
    if (gl->CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        dew_gl_target_deinit(gl, target);
        return dew_fail(DEW_UNSUPPORTED, "OpenGL here cannot draw into textures of floats "
                                         "(EXT_color_buffer_float; --engine ray needs none)");
    }
    return dew_ok();
}

void dew_gl_target_deinit(const dew_Gl *gl, dew_GlTarget *target)
{
    gl->DeleteFramebuffers(1, &target->framebuffer);
    gl->DeleteTextures(DEW_GL_MAX_COLORS, target->color);
    gl->DeleteTextures(1, &target->depth);
    *target = (dew_GlTarget){0};
}

void dew_gl_target_bind(const dew_Gl *gl, const dew_GlTarget *target)
{
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    gl->Viewport(0, 0, target->width, target->height);
}

void dew_gl_target_copy_depth(const dew_Gl *gl, const dew_GlTarget *from, const dew_GlTarget *to)
{
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, from->framebuffer);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, to->framebuffer);
    gl->BlitFramebuffer(0, 0, from->width, from->height, 0, 0, to->width, to->height,
                        GL_DEPTH_BUFFER_BIT, GL_NEAREST);
}

void dew_gl_target_copy(const dew_Gl *gl, const dew_GlTarget *from, const dew_GlTarget *to,
                        bool with_depth)
{
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, from->framebuffer);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, to->framebuffer);
    // Colour 0 only: the other one stays.
    const GLenum first[] = {GL_COLOR_ATTACHMENT0},
                 both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT0 + 1};
    gl->DrawBuffers(1, first);
    gl->BlitFramebuffer(0, 0, from->width, from->height, 0, 0, to->width, to->height,
                        GL_COLOR_BUFFER_BIT | (with_depth ? GL_DEPTH_BUFFER_BIT : 0u), GL_NEAREST);
    gl->DrawBuffers(to->color[1] ? 2 : 1, both);
}

void dew_gl_table_set(const dew_Gl *gl, dew_GlTable *table, const void *data, int rows,
                      bool is_index)
{
    GLenum format = is_index ? GL_RGBA_INTEGER : GL_RGBA,
           type = is_index ? GL_UNSIGNED_INT : GL_FLOAT;
    if (!table->texture) {
        gl->GenTextures(1, &table->texture);
        gl->BindTexture(GL_TEXTURE_2D, table->texture);
        set_filter(gl, GL_NEAREST);
    }
    gl->BindTexture(GL_TEXTURE_2D, table->texture);
    if (rows > table->rows) {
        table->rows = rows + rows / 2;
        gl->TexImage2D(GL_TEXTURE_2D, 0, is_index ? GL_RGBA32UI : GL_RGBA32F, DEW_GL_TABLE_WIDTH,
                       table->rows, 0, format, type, NULL);
    }
    if (rows > 0)
        gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, DEW_GL_TABLE_WIDTH, rows, format, type, data);
}

void dew_gl_table_deinit(const dew_Gl *gl, dew_GlTable *table)
{
    gl->DeleteTextures(1, &table->texture);
    *table = (dew_GlTable){0};
}

void dew_gl_bind_texture(const dew_Gl *gl, int unit, GLuint texture)
{
    gl->ActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    gl->BindTexture(GL_TEXTURE_2D, texture);
    gl->ActiveTexture(GL_TEXTURE0);
}
#endif
