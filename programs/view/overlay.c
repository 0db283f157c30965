// A panel is written into a texture dot by dot when its text changes, and blended over the image.
#ifdef DEW_HAVE_SDL
#include "view/overlay.h"

#include "view/font.h"

#include <string.h>

// Colours of a panel, in the byte order of dew_Pixels.
#define TEXT_COLOR UINT32_MAX          // white
#define BACKGROUND (UINT32_MAX << 31)  // black, alpha 1/2

static const char vertex_code[] = "uniform vec4 rect;\n"
                                  "out vec2 at;\n"
                                  "void main() {\n"
                                  "    at = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                                  "    gl_Position = vec4(mix(rect.xy, rect.zw, at), 0.0, 1.0);\n"
                                  "}\n";
static const char pixel_code[] = "uniform sampler2D panel;\n"
                                 "uniform vec4 shade;\n"
                                 "in vec2 at;\n"
                                 "out vec4 color;\n"
                                 "void main() {\n"
                                 "    color = shade.a > 0.0 ? shade : texture(panel, at);\n"
                                 "}\n";

static dew_Status compile(const dew_GlCalls *gl, GLenum kind, const char *code, GLuint *out)
{
    const char *parts[] = {
        gl->is_es ? "#version 300 es\nprecision highp float;\n" : "#version 330\n", code};
    GLint is_good = 0;
    *out = gl->CreateShader(kind);
    gl->ShaderSource(*out, 2, parts, NULL);
    gl->CompileShader(*out);
    gl->GetShaderiv(*out, GL_COMPILE_STATUS, &is_good);
    return is_good ? dew_ok() : dew_fail(DEW_UNSUPPORTED, "OpenGL refuses the overlay's shader");
}

static dew_Status link(dew_Overlay *overlay)
{
    const dew_GlCalls *gl = overlay->gl;
    GLuint vertex = 0, pixel = 0;
    GLint is_good = 0;
    dew_Status status = compile(gl, GL_VERTEX_SHADER, vertex_code, &vertex);
    if (status.code == DEW_OK)
        status = compile(gl, GL_FRAGMENT_SHADER, pixel_code, &pixel);
    if (status.code == DEW_OK) {
        overlay->program = gl->CreateProgram();
        gl->AttachShader(overlay->program, vertex);
        gl->AttachShader(overlay->program, pixel);
        gl->LinkProgram(overlay->program);
        gl->GetProgramiv(overlay->program, GL_LINK_STATUS, &is_good);
        if (!is_good)
            status = dew_fail(DEW_UNSUPPORTED, "OpenGL cannot link the overlay's shaders");
    }
    gl->DeleteShader(vertex);
    gl->DeleteShader(pixel);
    return status;
}

dew_Status dew_overlay_init(dew_Overlay *overlay, const dew_GlCalls *gl)
{
    *overlay = (dew_Overlay){.gl = gl};
    dew_list_init(&overlay->pixels, sizeof(uint32_t));
    dew_list_init(&overlay->text, sizeof(char));
    DEW_TRY(link(overlay));
    overlay->rect_at = gl->GetUniformLocation(overlay->program, "rect");
    overlay->shade_at = gl->GetUniformLocation(overlay->program, "shade");
    gl->GenVertexArrays(1, &overlay->vertex_array);
    gl->GenTextures(1, &overlay->texture);
    return dew_ok();
}

void dew_overlay_deinit(dew_Overlay *overlay)
{
    const dew_GlCalls *gl = overlay->gl;
    dew_list_deinit(&overlay->pixels);
    dew_list_deinit(&overlay->text);
    if (!gl)
        return;
    gl->DeleteProgram(overlay->program);
    gl->DeleteTextures(1, &overlay->texture);
    gl->DeleteVertexArrays(1, &overlay->vertex_array);
}

// ---- drawing -----------------------------------------------------------------------------------

// From pixels, y downward, to the corners that the shader mixes: (0, 0) of the texture is its first
// row.
static void draw_rect(dew_Overlay *overlay, double x, double y, double width, double height,
                      const float shade[4], int width_px, int height_px)
{
    const dew_GlCalls *gl = overlay->gl;
    const float rect[4] = {(float)(2 * x / width_px - 1), (float)(1 - 2 * y / height_px),
                           (float)(2 * (x + width) / width_px - 1),
                           (float)(1 - 2 * (y + height) / height_px)};
    gl->BindFramebuffer(GL_FRAMEBUFFER, 0);
    gl->Viewport(0, 0, width_px, height_px);
    gl->Disable(GL_DEPTH_TEST);
    gl->Enable(GL_BLEND);
    gl->BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    gl->UseProgram(overlay->program);
    gl->Uniform4fv(overlay->rect_at, 1, rect);
    gl->Uniform4fv(overlay->shade_at, 1, shade);
    gl->BindVertexArray(overlay->vertex_array);
    gl->DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    gl->Disable(GL_BLEND);
}

static void measure(const char *lines, int scale, int *width, int *height)
{
    int longest = 0, count = 1, length = 0;
    for (const char *c = lines; *c; c++) {
        count += *c == '\n';
        length = *c == '\n' ? 0 : length + 1;
        longest = length > longest ? length : longest;
    }
    *width = (longest * DEW_LETTER_STEP + 2 * DEW_LETTER_STEP) * scale;
    *height = (count * DEW_LINE_STEP + 2 * DEW_LETTER_STEP - DEW_LINE_GAP) * scale;
}

static void write_lines(const char *lines, int scale, dew_Pixels *pixels)
{
    char line[256];
    for (int64_t i = 0; i < (int64_t)pixels->width * pixels->height; i++)
        pixels->rgba[i] = BACKGROUND;
    for (int row = 0; *lines; row++) {
        size_t length = strcspn(lines, "\n");
        size_t kept = length < sizeof line - 1 ? length : sizeof line - 1;
        memcpy(line, lines, kept);
        line[kept] = 0;
        dew_font_put(line, DEW_LETTER_STEP * scale, (DEW_LETTER_STEP + row * DEW_LINE_STEP) * scale,
                     scale, TEXT_COLOR, pixels);
        lines += length + (lines[length] == '\n');
    }
}

static dew_Status fill_texture(dew_Overlay *overlay, const char *lines, int scale)
{
    const dew_GlCalls *gl = overlay->gl;
    measure(lines, scale, &overlay->width, &overlay->height);
    DEW_TRY(dew_list_resize(&overlay->pixels, (int64_t)overlay->width * overlay->height));
    dew_Pixels pixels = {overlay->width, overlay->height, overlay->pixels.items};
    write_lines(lines, scale, &pixels);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, overlay->width, overlay->height, 0, GL_RGBA,
                   GL_UNSIGNED_BYTE, pixels.rgba);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    DEW_TRY(dew_list_resize(&overlay->text, (int64_t)strlen(lines) + 1));
    memcpy(overlay->text.items, lines, strlen(lines) + 1);
    overlay->scale = scale;
    return dew_ok();
}

dew_Status dew_overlay_text(dew_Overlay *overlay, const char *lines, int x, int y, int scale,
                            int width_px, int height_px)
{
    const dew_GlCalls *gl = overlay->gl;
    static const float no_shade[4] = {0, 0, 0, 0};
    bool is_there = overlay->text.count > 0 && overlay->scale == scale &&
                    strcmp(overlay->text.items, lines) == 0;
    gl->ActiveTexture(GL_TEXTURE0);
    gl->BindTexture(GL_TEXTURE_2D, overlay->texture);
    if (!is_there)
        DEW_TRY(fill_texture(overlay, lines, scale));
    draw_rect(overlay, x, y, overlay->width, overlay->height, no_shade, width_px, height_px);
    return dew_ok();
}

int dew_overlay_bar_px(int height_px)
{
    return height_px / 30 > 8 ? height_px / 30 : 8;
}

void dew_overlay_bar(dew_Overlay *overlay, double fraction, int width_px, int height_px)
{
    static const float ground[4] = {0, 0, 0, 0.5f}, filled[4] = {1, 1, 1, 0.8f};
    int bar = dew_overlay_bar_px(height_px);
    draw_rect(overlay, 0, height_px - bar, width_px, bar, ground, width_px, height_px);
    draw_rect(overlay, 0, height_px - bar + 2, fraction * width_px, bar - 4, filled, width_px,
              height_px);
}
#else
typedef int dew_NoOverlay;  // a translation unit is not empty
#endif
