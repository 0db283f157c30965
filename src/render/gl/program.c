// Shader programs.
#ifdef DEW_HAVE_GL
#include "render/gl/program.h"

#include "base/status.h"
#include "render/gl/glsl.h"

#include <stdio.h>

typedef struct Source {
    const char *name;
    const char *parts[3];
    char features[32];  // a line that tells them
} Source;

static Source source_of(dew_GlProgramKind kind)
{
    switch (kind) {
    case DEW_GL_SOLID:
        return (Source){"solid", {dew_glsl_frame, dew_glsl_looks, dew_glsl_solid}, ""};
    case DEW_GL_CLEAR:
        return (Source){"clear", {dew_glsl_frame, "", dew_glsl_clear}, ""};
    case DEW_GL_SIDE:
    case DEW_GL_LIVE_SIDE:
        return (Source){"side", {dew_glsl_frame, "", dew_glsl_side}, ""};
    case DEW_GL_SKY:
        return (Source){"sky", {dew_glsl_frame, "", dew_glsl_sky}, ""};
    case DEW_GL_CAUSTIC_HITS:
        return (Source){"caustic_hits", {dew_glsl_frame, "", dew_glsl_caustic_hits}, ""};
    case DEW_GL_CAUSTIC_SPLAT:
        return (Source){"caustic_splat", {dew_glsl_frame, "", dew_glsl_caustic_splat}, ""};
    case DEW_GL_LIVE_LIQUID:
        return (Source){
            "live_liquid", {dew_glsl_frame, dew_glsl_live_bent, dew_glsl_live_liquid}, ""};
    case DEW_GL_LIVE_GLASS:
        return (Source){
            "live_glass", {dew_glsl_frame, dew_glsl_live_bent, dew_glsl_live_glass}, ""};
    case DEW_GL_LIVE_LIGHT:
        return (Source){"live_light", {dew_glsl_frame, "", dew_glsl_live_light}, ""};
    case DEW_GL_LIVE_SOFT:
        return (Source){"live_soft", {dew_glsl_frame, "", dew_glsl_live_soft}, ""};
    case DEW_GL_LIVE_COPY:
        return (Source){"live_copy", {dew_glsl_frame, "", dew_glsl_live_copy}, ""};
    case DEW_GL_LIVE_LIT:
        return (Source){"live_lit", {dew_glsl_frame, "", dew_glsl_live_lit}, ""};
    case DEW_GL_TONE:
    case DEW_GL_TONE_SAME:
    case DEW_GL_TONE_CODED:
    case DEW_GL_PROGRAM_COUNT:
        break;
    }
    return (Source){"tone", {dew_glsl_frame, "", dew_glsl_tone}, ""};
}

bool dew_gl_program_has_variants(dew_GlProgramKind kind)
{
    return kind == DEW_GL_SOLID || kind == DEW_GL_CLEAR || kind == DEW_GL_SKY ||
           kind == DEW_GL_LIVE_LIQUID || kind == DEW_GL_LIVE_GLASS || kind == DEW_GL_LIVE_LIT;
}

static dew_Status compile(const dew_Gl *gl, GLenum stage, const Source *source, GLuint *out)
{
    bool is_vertex = stage == GL_VERTEX_SHADER;
    const char *texts[] = {gl->is_es ? "#version 300 es\n" : "#version 330 core\n",
                           is_vertex ? "#define VERTEX\n" : "#define FRAGMENT\n",
                           source->features,
                           source->parts[0],
                           source->parts[1],
                           source->parts[2]};
    GLint is_fine = 0;
    *out = gl->CreateShader(stage);
    gl->ShaderSource(*out, 6, texts, NULL);
    gl->CompileShader(*out);
    gl->GetShaderiv(*out, GL_COMPILE_STATUS, &is_fine);
    if (is_fine)
        return dew_ok();
    char words[300] = "";
    gl->GetShaderInfoLog(*out, sizeof words, NULL, words);
    return dew_fail(DEW_UNSUPPORTED, "OpenGL refuses the %s shader %s: %s",
                    is_vertex ? "vertex" : "fragment", source->name, words);
}

static dew_Status link(const dew_Gl *gl, const Source *source, GLuint vertex, GLuint fragment,
                       dew_GlProgram *out)
{
    GLint is_fine = 0;
    out->id = gl->CreateProgram();
    gl->AttachShader(out->id, vertex);
    gl->AttachShader(out->id, fragment);
    gl->LinkProgram(out->id);
    gl->GetProgramiv(out->id, GL_LINK_STATUS, &is_fine);
    if (is_fine)
        return dew_ok();
    char words[300] = "";
    gl->GetProgramInfoLog(out->id, sizeof words, NULL, words);
    return dew_fail(DEW_UNSUPPORTED, "OpenGL cannot link the shader %s: %s", source->name, words);
}

static void bind_textures(const dew_Gl *gl, const dew_GlProgram *program)
{
    static const struct {
        const char *name;
        int unit;
    } units[] = {
        {"u_environment", DEW_GL_UNIT_ENVIRONMENT},
        {"u_around", DEW_GL_UNIT_AROUND},
        {"u_texture", DEW_GL_UNIT_TEXTURE},
        {"u_shade0", DEW_GL_UNIT_SHADE},
        {"u_shade1", DEW_GL_UNIT_SHADE + 1},
        {"u_shade2", DEW_GL_UNIT_SHADE + 2},
        {"u_liquid0", DEW_GL_UNIT_LIQUID},
        {"u_liquid1", DEW_GL_UNIT_LIQUID + 1},
        {"u_liquid2", DEW_GL_UNIT_LIQUID + 2},
        {"u_caustics0", DEW_GL_UNIT_CAUSTICS},
        {"u_caustics1", DEW_GL_UNIT_CAUSTICS + 1},
        {"u_caustics2", DEW_GL_UNIT_CAUSTICS + 2},
        {"u_seen", DEW_GL_UNIT_SEEN},
        {"u_base", DEW_GL_UNIT_BASE},
        {"u_depth", DEW_GL_UNIT_DEPTH},
        {"u_back", DEW_GL_UNIT_BACK},
        {"u_back_depth", DEW_GL_UNIT_BACK_DEPTH},
        {"u_glass", DEW_GL_UNIT_GLASS},
        {"u_front", DEW_GL_UNIT_FRONT},
        {"u_front_depth", DEW_GL_UNIT_FRONT_DEPTH},
        {"u_positions", DEW_GL_UNIT_POSITIONS},
        {"u_normals", DEW_GL_UNIT_NORMALS},
        {"u_solid", DEW_GL_UNIT_SOLID},
        {"u_liquid", DEW_GL_UNIT_LIQUID},
        {"u_hits", DEW_GL_UNIT_HITS},
        {"u_through", DEW_GL_UNIT_THROUGH},
        {"u_triangles", DEW_GL_UNIT_TRIANGLES},
        {"u_backdrop", DEW_GL_UNIT_BACKDROP},
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        GLint at = gl->GetUniformLocation(program->id, units[i].name);
        if (at >= 0)
            gl->Uniform1i(at, units[i].unit);
    }
}

static void find_uniforms(const dew_Gl *gl, dew_GlProgram *program)
{
    static const char *const names[DEW_GL_UNIFORM_COUNT] = {
        [DEW_GL_COLOR] = "u_color",
        [DEW_GL_LOOK] = "u_look",
        [DEW_GL_FADE] = "u_fade",
        [DEW_GL_FADE_END] = "u_fade_end",
        [DEW_GL_FROM_OWN] = "u_from_own",
        [DEW_GL_MEDIUM] = "u_medium",
        [DEW_GL_BLUR] = "u_blur",
        [DEW_GL_TO_CLIP] = "u_to_clip",
        [DEW_GL_DEPTH_KIND] = "u_depth_kind",
        [DEW_GL_SPACE] = "u_space",
        [DEW_GL_TOWARDS] = "u_towards",
        [DEW_GL_SPLAT] = "u_splat",
        [DEW_GL_GAIN] = "u_gain",
    };
    for (int i = 0; i < DEW_GL_UNIFORM_COUNT; i++)
        program->uniforms[i] = gl->GetUniformLocation(program->id, names[i]);
    GLuint block = gl->GetUniformBlockIndex(program->id, "Frame");
    if (block != GL_INVALID_INDEX)
        gl->UniformBlockBinding(program->id, block, 0);
}

dew_Status dew_gl_program_create(const dew_Gl *gl, dew_GlProgramKind kind, uint32_t features,
                                 dew_GlProgram *out)
{
    Source source = source_of(kind);
    snprintf(source.features, sizeof source.features, "#define FEATURES %uu\n", features);
    GLuint vertex = 0, fragment = 0;
    *out = (dew_GlProgram){.kind = kind, .features = features};
    dew_Status status = compile(gl, GL_VERTEX_SHADER, &source, &vertex);
    if (status.code == DEW_OK)
        status = compile(gl, GL_FRAGMENT_SHADER, &source, &fragment);
    if (status.code == DEW_OK)
        status = link(gl, &source, vertex, fragment, out);
    gl->DeleteShader(vertex);
    gl->DeleteShader(fragment);
    if (status.code != DEW_OK) {
        dew_gl_program_destroy(gl, out);
        return status;
    }
    gl->UseProgram(out->id);
    bind_textures(gl, out);
    find_uniforms(gl, out);
    return dew_ok();
}

void dew_gl_program_destroy(const dew_Gl *gl, dew_GlProgram *program)
{
    gl->DeleteProgram(program->id);
    program->id = 0;
}

void dew_gl_program_use(const dew_Gl *gl, const dew_GlProgram *program)
{
    gl->UseProgram(program->id);
}

void dew_gl_program_set(const dew_Gl *gl, const dew_GlProgram *program, dew_GlUniform uniform,
                        float x, float y, float z, float w)
{
    const float value[4] = {x, y, z, w};
    gl->Uniform4fv(program->uniforms[uniform], 1, value);
}

void dew_gl_program_set_matrix(const dew_Gl *gl, const dew_GlProgram *program,
                               dew_GlUniform uniform, const float m[16])
{
    gl->UniformMatrix4fv(program->uniforms[uniform], 1, GL_FALSE, m);
}
#endif
