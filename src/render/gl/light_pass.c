// Shadow maps and caustics of one light.
#ifdef DEW_HAVE_GL
#include "render/gl/light_pass.h"

#include "base/hash.h"
#include "base/status.h"

#include <float.h>
#include <string.h>

#define SPREAD_RATIO    0.3  // margin around the bodies for refracted light, in parts of their size
#define MAX_DEPTH_RATIO 6.0  // of the table below the bodies, in sizes of them
#define DEPTH_MARGIN    0.02  // of the depth range, at either end
#define MIN_DEPTH       1e-4  // in the drawing's units

// ---- where it stands ---------------------------------------------------------------------------

static dew_Vec3 corner_of(dew_Box box, int i)
{
    return dew_vec(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
                   i & 4 ? box.max.z : box.min.z);
}

// Row k of an affine map as columns of GL: out = dot(row, p) + shift.
static void set_row(float m[16], int k, dew_Vec3 row, double shift)
{
    m[k] = (float)row.x;
    m[4 + k] = (float)row.y;
    m[8 + k] = (float)row.z;
    m[12 + k] = (float)shift;
}

// How deep the table lies below the frame's corners.
static double table_depth(const dew_GlLights *lights, const dew_GlBodies *bodies, dew_Vec3 axes[3],
                          dew_Box frame)
{
    if (!lights->has_table)
        return frame.min.z;
    dew_Vec3 n = dew_f3_wide(lights->table_normal);
    double offset =
        bodies->scale * ((double)lights->table_offset_m - dew_inner(n, bodies->middle_m));
    double facing = dew_inner(n, axes[2]), deepest = frame.min.z;
    if (facing < 1e-3)
        return deepest;
    for (int i = 0; i < 4; i++) {
        dew_Vec3 p = dew_combine(i & 1 ? frame.max.x : frame.min.x, axes[0],
                                 i & 2 ? frame.max.y : frame.min.y, axes[1]);
        deepest = fmin(deepest, (offset - dew_inner(n, p)) / facing);
    }
    return fmax(deepest, frame.min.z - MAX_DEPTH_RATIO * dew_distance(frame.min, frame.max));
}

// Frames a box, with room around it.
static void aim_at(dew_GlLightFrame *out, dew_Box box, dew_Float3 towards,
                   const dew_GlLights *lights, const dew_GlBodies *bodies, int map_px)
{
    dew_Float3 tangent, bitangent;
    dew_f3_frame(towards, &tangent, &bitangent);
    dew_Vec3 axes[3] = {dew_f3_wide(tangent), dew_f3_wide(bitangent), dew_f3_wide(towards)};
    dew_Box frame = dew_box_empty(), whole = dew_box_empty();
    for (int i = 0; i < 8; i++) {
        dew_Vec3 p = corner_of(box, i), q = corner_of(bodies->casters, i);
        frame = dew_box_add(
            frame, dew_vec(dew_inner(p, axes[0]), dew_inner(p, axes[1]), dew_inner(p, axes[2])));
        whole = dew_box_add(
            whole, dew_vec(dew_inner(q, axes[0]), dew_inner(q, axes[1]), dew_inner(q, axes[2])));
    }
    double wide = SPREAD_RATIO * fmax(frame.max.x - frame.min.x, frame.max.y - frame.min.y);
    frame.min = dew_vec(frame.min.x - wide, frame.min.y - wide, whole.min.z);
    frame.max = dew_vec(frame.max.x + wide, frame.max.y + wide, whole.max.z);
    double top = frame.max.z + DEPTH_MARGIN * (frame.max.z - frame.min.z) + MIN_DEPTH;
    double deep = (top - table_depth(lights, bodies, axes, frame)) * (1 + DEPTH_MARGIN) + MIN_DEPTH;
    dew_Vec3 size = dew_sub(frame.max, frame.min);
    memset(out->space, 0, sizeof out->space);
    set_row(out->space, 0, dew_scale(1 / size.x, axes[0]), -frame.min.x / size.x);
    set_row(out->space, 1, dew_scale(1 / size.y, axes[1]), -frame.min.y / size.y);
    set_row(out->space, 2, dew_scale(-1 / deep, axes[2]), top / deep);
    out->space[15] = 1;
    for (int i = 0; i < 16; i++)
        out->clip[i] = i % 4 == 3 ? out->space[i] : 2 * out->space[i] - (i >= 12 ? 1.0f : 0.0f);
    out->bias = (float)(fmax(size.x, size.y) / map_px / deep);
    for (int i = 0; i < 8; i++)
        out->corners[i] = dew_add(dew_combine(i & 1 ? frame.max.x : frame.min.x, axes[0],
                                              i & 2 ? frame.max.y : frame.min.y, axes[1]),
                                  dew_scale(i & 4 ? top : top - deep, axes[2]));
    out->texel_area = size.x * size.y / ((double)map_px * map_px);
}

void dew_gl_light_aim(dew_GlLightPass *pass, const dew_GlLight *light, const double disk[2],
                      const dew_GlLights *lights, const dew_GlBodies *bodies, int map_px,
                      bool is_steady)
{
    dew_Float3 tangent, bitangent;
    dew_f3_frame(light->towards, &tangent, &bitangent);
    pass->towards = dew_f3_unit(dew_f3_add_scaled(
        dew_f3_add_scaled(light->towards, light->radius_rad * (float)disk[0], tangent),
        light->radius_rad * (float)disk[1], bitangent));
    aim_at(&pass->all, bodies->casters, pass->towards, lights, bodies, map_px);
    dew_Box liquid = is_steady ? bodies->around_liquid : bodies->liquid;
    aim_at(&pass->liquid, bodies->has_liquid ? liquid : bodies->casters, pass->towards, lights,
           bodies, map_px);
}

// ---- drawing -----------------------------------------------------------------------------------

void dew_gl_draw_opaque(const dew_Gl *gl, const dew_GlBodies *bodies)
{
    gl->BindVertexArray(bodies->opaque_array);
    gl->DrawArrays(GL_TRIANGLES, 0, (GLsizei)(bodies->opaque_data.count / DEW_GL_OPAQUE_FLOATS));
}

void dew_gl_draw_liquid(const dew_Gl *gl, const dew_GlBodies *bodies, const dew_RenderScene *scene)
{
    gl->BindVertexArray(bodies->clear_array);
    for (int64_t i = 0; i < bodies->clear_parts.count; i++) {
        dew_GlPart part = DEW_ITEMS(&bodies->clear_parts, const dew_GlPart)[i];
        if (dew_gl_body_is_liquid(&DEW_ITEMS(&scene->bodies, const dew_RenderBody)[part.body]))
            gl->DrawElements(GL_TRIANGLES, part.count, GL_UNSIGNED_INT,
                             (const void *)((size_t)part.first * sizeof(uint32_t)));
    }
}

static dew_Status set_targets(dew_GlLightPass *pass, dew_GlLightWork *work,
                              const dew_GlBodies *bodies, bool has_caustics)
{
    const dew_Gl *gl = work->gl;
    dew_GlTargetDef depth = {.width = work->map_px,
                             .height = work->map_px,
                             .has_depth = true,
                             .compares_depth = true,
                             .filter = GL_NEAREST};
    dew_GlTargetDef back = depth, caustics = depth, hits = depth;
    back.color[0] = GL_RGBA32F;
    back.compares_depth = false;
    caustics.has_depth = hits.has_depth = false;
    caustics.color[0] = GL_RGBA16F;
    caustics.filter = GL_LINEAR;
    hits.width = DEW_GL_TABLE_WIDTH;
    hits.height = bodies->positions.rows > 0 ? bodies->positions.rows : 1;
    hits.color[0] = hits.color[1] = GL_RGBA32F;
    if (pass->solid_depth.width != work->map_px)
        pass->shown_hash = 0;
    DEW_TRY(dew_gl_target_set(gl, &pass->solid_depth, &depth));
    if (!has_caustics)
        return dew_ok();
    DEW_TRY(dew_gl_target_set(gl, &pass->liquid_depth, &depth));
    depth.compares_depth = false;
    DEW_TRY(dew_gl_target_set(gl, &pass->floor_depth, &depth));
    DEW_TRY(dew_gl_target_set(gl, &work->back, &back));
    DEW_TRY(dew_gl_target_set(gl, &pass->caustics, &caustics));
    return dew_gl_target_set(gl, &work->hits, &hits);
}

// The solids, unless they and the light stand as they did.
static void draw_solid_depth(dew_GlLightPass *pass, const dew_GlLightWork *work,
                             const dew_GlBodies *bodies)
{
    const dew_Gl *gl = work->gl;
    uint64_t hash = dew_hash(pass->all.space, sizeof pass->all.space, bodies->opaque_hash);
    if (pass->shown_hash == hash)
        return;
    dew_gl_program_set_matrix(gl, &work->programs[DEW_GL_SIDE], DEW_GL_TO_CLIP, pass->all.clip);
    dew_gl_target_bind(gl, &pass->solid_depth);
    gl->Clear(GL_DEPTH_BUFFER_BIT);
    dew_gl_draw_opaque(gl, bodies);
    pass->shown_hash = hash;
}

static void draw_depths(dew_GlLightPass *pass, const dew_GlLightWork *work,
                        const dew_GlBodies *bodies, const dew_RenderScene *scene, bool has_caustics)
{
    const dew_Gl *gl = work->gl;
    const dew_GlProgram *side = &work->programs[DEW_GL_SIDE];
    dew_gl_program_use(gl, side);
    dew_gl_program_set(gl, side, DEW_GL_DEPTH_KIND, 0, 0, 0, 0);
    draw_solid_depth(pass, work, bodies);
    if (!has_caustics)
        return;
    dew_gl_program_set_matrix(gl, side, DEW_GL_TO_CLIP, pass->liquid.clip);
    dew_gl_target_bind(gl, &pass->floor_depth);
    gl->Clear(GL_DEPTH_BUFFER_BIT);
    dew_gl_draw_opaque(gl, bodies);
    gl->Enable(GL_CULL_FACE);
    gl->CullFace(GL_BACK);
    dew_gl_target_bind(gl, &pass->liquid_depth);
    gl->Clear(GL_DEPTH_BUFFER_BIT);
    dew_gl_draw_liquid(gl, bodies, scene);
    gl->CullFace(GL_FRONT);
    dew_gl_target_bind(gl, &work->back);
    gl->ClearColor(0, 0, 0, 1);
    gl->Clear(GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT);
    dew_gl_draw_liquid(gl, bodies, scene);
    gl->Disable(GL_CULL_FACE);
}

static void set_comparing(const dew_Gl *gl, GLuint depth, bool compares)
{
    gl->BindTexture(GL_TEXTURE_2D, depth);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE,
                      compares ? GL_COMPARE_REF_TO_TEXTURE : GL_NONE);
    GLint filter = compares ? GL_LINEAR : GL_NEAREST;
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
}

const dew_RenderBody *dew_gl_liquid_of(const dew_RenderScene *scene)
{
    for (int64_t i = 0; i < scene->bodies.count; i++) {
        const dew_RenderBody *body = &DEW_ITEMS(&scene->bodies, const dew_RenderBody)[i];
        if (dew_gl_body_is_liquid(body) && body->kind != DEW_BODY_OPAQUE)
            return body;
    }
    return NULL;
}

// Where the light lands that enters at each vertex.
static void draw_hits(const dew_GlLightPass *pass, const dew_GlLightWork *work,
                      const dew_GlBodies *bodies, const dew_RenderBody *liquid)
{
    const dew_Gl *gl = work->gl;
    const dew_GlProgram *program = &work->programs[DEW_GL_CAUSTIC_HITS];
    set_comparing(gl, pass->liquid_depth.depth, false);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_POSITIONS, bodies->positions.texture);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_NORMALS, bodies->normals.texture);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_SOLID, pass->floor_depth.depth);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_LIQUID, pass->liquid_depth.depth);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_BACK, work->back.color[0]);
    dew_gl_program_use(gl, program);
    dew_gl_program_set_matrix(gl, program, DEW_GL_SPACE, pass->liquid.space);
    dew_gl_program_set(gl, program, DEW_GL_TOWARDS, pass->towards.x, pass->towards.y,
                       pass->towards.z, pass->liquid.bias);
    dew_Float3 a = dew_f3_scale((float)(1 / bodies->scale), liquid->medium.absorption_1_m);
    dew_gl_program_set(gl, program, DEW_GL_MEDIUM, a.x, a.y, a.z, liquid->medium.ior);
    dew_gl_target_bind(gl, &work->hits);
    gl->Viewport(
        0, 0, DEW_GL_TABLE_WIDTH,
        (GLsizei)((bodies->liquid_vertices + DEW_GL_TABLE_WIDTH - 1) / DEW_GL_TABLE_WIDTH));
    gl->BindVertexArray(work->empty_array);
    gl->DrawArrays(GL_TRIANGLES, 0, 3);
    set_comparing(gl, pass->liquid_depth.depth, true);
}

static void draw_splats(const dew_GlLightPass *pass, const dew_GlLightWork *work,
                        const dew_GlBodies *bodies)
{
    const dew_Gl *gl = work->gl;
    const dew_GlProgram *program = &work->programs[DEW_GL_CAUSTIC_SPLAT];
    dew_gl_bind_texture(gl, DEW_GL_UNIT_HITS, work->hits.color[0]);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_THROUGH, work->hits.color[1]);
    dew_gl_bind_texture(gl, DEW_GL_UNIT_TRIANGLES, bodies->triangles.texture);
    dew_gl_program_use(gl, program);
    dew_gl_program_set_matrix(gl, program, DEW_GL_SPACE, pass->liquid.space);
    dew_gl_target_bind(gl, &pass->caustics);
    gl->ClearColor(0, 0, 0, 0);
    gl->Clear(GL_COLOR_BUFFER_BIT);
    gl->Enable(GL_BLEND);
    gl->BlendFunc(GL_ONE, GL_ONE);
    gl->BindVertexArray(work->empty_array);
    GLsizei count = (GLsizei)bodies->liquid_triangles;
    dew_gl_program_set(gl, program, DEW_GL_SPLAT, 0, (float)work->map_px, 0, 0);
    gl->DrawArrays(GL_TRIANGLES, 0, 3 * count);
    dew_gl_program_set(gl, program, DEW_GL_SPLAT, 1, (float)work->map_px, 0, 0);
    gl->DrawArrays(GL_POINTS, 0, count);
    gl->Disable(GL_BLEND);
}

dew_Status dew_gl_light_draw(dew_GlLightPass *pass, dew_GlLightWork *work,
                             const dew_GlBodies *bodies, const dew_RenderScene *scene,
                             bool has_caustics)
{
    const dew_Gl *gl = work->gl;
    const dew_RenderBody *liquid = dew_gl_liquid_of(scene);
    DEW_TRY(set_targets(pass, work, bodies, has_caustics));
    gl->Enable(GL_DEPTH_TEST);
    gl->DepthMask(GL_TRUE);
    draw_depths(pass, work, bodies, scene, has_caustics);
    gl->Disable(GL_DEPTH_TEST);
    if (has_caustics && liquid) {
        draw_hits(pass, work, bodies, liquid);
        draw_splats(pass, work, bodies);
    }
    return dew_ok();
}

void dew_gl_light_deinit(const dew_Gl *gl, dew_GlLightPass *pass)
{
    dew_gl_target_deinit(gl, &pass->solid_depth);
    dew_gl_target_deinit(gl, &pass->floor_depth);
    dew_gl_target_deinit(gl, &pass->liquid_depth);
    dew_gl_target_deinit(gl, &pass->caustics);
}
#endif
