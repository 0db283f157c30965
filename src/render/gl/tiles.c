// What of the liquid has changed, tile by tile.
//
// A tile's number is the sum of those of the triangles on it, and a triangle's comes from the bits
// of its corners; so it does not matter in which order they come, nor what a drop is. Pixels look
// at the liquid's far side a little beside them: triangles count on tiles that they come near.
#ifdef DEW_HAVE_GL
#include "render/gl/tiles.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

#define TILE_PX 32
#define NEAR_PX 8.0f  // from a triangle: what its pixels look at

typedef struct Seen {
    float x, y;  // px; y: NAN, behind the eye
    uint64_t hash;
} Seen;

void dew_gl_tiles_init(dew_GlTiles *tiles, const dew_Allocator *allocator)
{
    *tiles = (dew_GlTiles){0};
    dew_array_init(&tiles->now, allocator, sizeof(uint64_t));
    dew_array_init(&tiles->drawn, allocator, sizeof(uint64_t));
    dew_array_init(&tiles->is_dirty, allocator, sizeof(uint8_t));
    dew_array_init(&tiles->vertices, allocator, sizeof(Seen));
    dew_array_init(&tiles->corner_data, allocator, sizeof(float));
    dew_array_init(&tiles->near_indices, allocator, sizeof(uint32_t));
    dew_array_init(&tiles->far_indices, allocator, sizeof(uint32_t));
}

void dew_gl_tiles_deinit(const dew_Gl *gl, dew_GlTiles *tiles)
{
    dew_Array *arrays[] = {&tiles->now,        &tiles->drawn,       &tiles->is_dirty,
                           &tiles->vertices,   &tiles->corner_data, &tiles->near_indices,
                           &tiles->far_indices};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        dew_array_deinit(arrays[i]);
    GLuint names[] = {tiles->corner_array, tiles->near_array, tiles->far_array};
    gl->DeleteVertexArrays(3, names);
    GLuint buffers[] = {tiles->corners.id, tiles->near_side.id, tiles->far_side.id};
    gl->DeleteBuffers(3, buffers);
}

// ---- looking -----------------------------------------------------------------------------------

static uint64_t mix(uint64_t h)
{
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    return h ^ h >> 32;
}

static uint64_t hash_vertex(const float *vertex)
{
    uint64_t words[3];
    memcpy(words, vertex, sizeof words);
    return mix(words[0] * 0x9e3779b97f4a7c15u + mix(words[1] * 0xc2b2ae3d27d4eb4fu + words[2]));
}

static Seen see(const float *v, const float m[16], float width, float height)
{
    float x = m[0] * v[0] + m[4] * v[1] + m[8] * v[2] + m[12];
    float y = m[1] * v[0] + m[5] * v[1] + m[9] * v[2] + m[13];
    float w = m[3] * v[0] + m[7] * v[1] + m[11] * v[2] + m[15];
    bool is_before = w > (float)DEW_GL_MIN_DEPTH;
    return (Seen){.x = 0.5f * width * (x / w + 1),
                  .y = is_before ? 0.5f * height * (y / w + 1) : NAN,
                  .hash = hash_vertex(v)};
}

// The tiles that a triangle is on, with a margin; all of them when it reaches behind the eye.
static dew_GlRegion tiles_of(const dew_GlTiles *tiles, const Seen *a, const Seen *b, const Seen *c,
                             float margin)
{
    if (isnan(a->y) || isnan(b->y) || isnan(c->y))
        return (dew_GlRegion){0, 0, tiles->columns, tiles->rows};
    float left = fminf(a->x, fminf(b->x, c->x)) - margin;
    float right = fmaxf(a->x, fmaxf(b->x, c->x)) + margin;
    float low = fminf(a->y, fminf(b->y, c->y)) - margin;
    float high = fmaxf(a->y, fmaxf(b->y, c->y)) + margin;
    if (right < 0 || high < 0 || left >= (float)tiles->width_px || low >= (float)tiles->height_px)
        return (dew_GlRegion){0};
    int x1 = (int)(fminf(right, (float)tiles->width_px - 1) / TILE_PX) + 1;
    int y1 = (int)(fminf(high, (float)tiles->height_px - 1) / TILE_PX) + 1;
    return (dew_GlRegion){(int)(fmaxf(left, 0) / TILE_PX), (int)(fmaxf(low, 0) / TILE_PX), x1, y1};
}

static void add_part(dew_GlTiles *tiles, const uint32_t *indices, int64_t count)
{
    const Seen *seen = tiles->vertices.data;
    uint64_t *now = tiles->now.data;
    for (int64_t i = 0; i + 2 < count; i += 3) {
        const Seen *a = &seen[indices[i]], *b = &seen[indices[i + 1]], *c = &seen[indices[i + 2]];
        uint64_t hash = mix(a->hash + b->hash + c->hash);
        dew_GlRegion on = tiles_of(tiles, a, b, c, NEAR_PX);
        for (int y = on.y0; y < on.y1; y++)
            for (int x = on.x0; x < on.x1; x++)
                now[y * tiles->columns + x] += hash;
        tiles->liquid_hash += hash;
    }
}

static bool is_liquid(const dew_RenderScene *scene, const dew_GlPart *part)
{
    return dew_gl_body_is_liquid(&DEW_ITEMS(&scene->bodies, const dew_RenderBody)[part->body]);
}

dew_Status dew_gl_tiles_look(dew_GlTiles *tiles, const dew_GlBodies *bodies,
                             const dew_RenderScene *scene, const float clip[16], int width_px,
                             int height_px)
{
    int columns = (width_px + TILE_PX - 1) / TILE_PX, rows = (height_px + TILE_PX - 1) / TILE_PX;
    int64_t count = (int64_t)columns * rows;
    int64_t vertices = bodies->clear_data.count / DEW_GL_CLEAR_FLOATS;
    if (width_px != tiles->width_px || height_px != tiles->height_px)
        tiles->is_drawn = false;
    tiles->width_px = width_px;
    tiles->height_px = height_px;
    tiles->columns = columns;
    tiles->rows = rows;
    tiles->liquid_hash = 0;
    tiles->now.count = tiles->is_dirty.count = 0;
    DEW_TRY(dew_array_resize(&tiles->now, count));
    DEW_TRY(dew_array_resize(&tiles->drawn, count));
    DEW_TRY(dew_array_resize(&tiles->is_dirty, count));
    DEW_TRY(dew_array_resize(&tiles->vertices, vertices));
    const float *data = bodies->clear_data.data;
    for (int64_t v = 0; v < vertices; v++)
        DEW_ITEMS(&tiles->vertices, Seen)
    [v] = see(data + v * DEW_GL_CLEAR_FLOATS, clip, (float)width_px, (float)height_px);
    const uint32_t *indices = bodies->clear_index_data.data;
    for (int64_t i = 0; i < bodies->clear_parts.count; i++) {
        const dew_GlPart *part = &DEW_ITEMS(&bodies->clear_parts, const dew_GlPart)[i];
        if (is_liquid(scene, part))
            add_part(tiles, indices + part->first, part->count);
    }
    return dew_ok();
}

void dew_gl_tiles_mark(dew_GlTiles *tiles, dew_GlRegion region)
{
    if (dew_gl_region_is_empty(region))
        return;
    for (int y = region.y0 / TILE_PX; y < tiles->rows && y * TILE_PX < region.y1; y++)
        for (int x = region.x0 / TILE_PX; x < tiles->columns && x * TILE_PX < region.x1; x++)
            DEW_ITEMS(&tiles->is_dirty, uint8_t)[y * tiles->columns + x] = 1;
}

// ---- gathering ---------------------------------------------------------------------------------

static dew_Status add_corners(dew_GlTiles *tiles, int64_t tile)
{
    static const int order[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
    int64_t column = tile % tiles->columns, row = tile / tiles->columns;
    int64_t before = tiles->corner_data.count;
    DEW_TRY(dew_array_resize(&tiles->corner_data, before + 12));
    float *to = DEW_ITEMS(&tiles->corner_data, float) + before;
    for (int k = 0; k < 6; k++) {
        to[2 * k] = (float)((column + order[k][0]) * TILE_PX) / (float)tiles->width_px;
        to[2 * k + 1] = (float)((row + order[k][1]) * TILE_PX) / (float)tiles->height_px;
    }
    return dew_ok();
}

static dew_Status mark_changed(dew_GlTiles *tiles)
{
    static const float whole[6] = {0, 0, 2, 0, 0, 2};  // one triangle
    int64_t count = tiles->now.count;
    uint8_t *dirty = tiles->is_dirty.data;
    const uint64_t *now = tiles->now.data;
    uint64_t *drawn = tiles->drawn.data;
    tiles->dirty_count = 0;
    for (int64_t i = 0; i < count; i++) {
        dirty[i] = dirty[i] || !tiles->is_drawn || now[i] != drawn[i];
        tiles->dirty_count += dirty[i];
    }
    tiles->is_all =
        (double)tiles->dirty_count >= 0.75 * (double)count;  // separate tiles save little then
    for (int64_t i = 0; i < count; i++) {
        dirty[i] = dirty[i] || tiles->is_all;
        drawn[i] = now[i];
    }
    tiles->corner_data.count = 0;
    if (tiles->is_all)
        return dew_array_append(&tiles->corner_data, whole, 6);
    for (int64_t i = 0; i < count; i++)
        if (dirty[i])
            DEW_TRY(add_corners(tiles, i));
    return dew_ok();
}

static bool is_on_dirty(const dew_GlTiles *tiles, dew_GlRegion on)
{
    const uint8_t *dirty = tiles->is_dirty.data;
    for (int y = on.y0; y < on.y1; y++)
        for (int x = on.x0; x < on.x1; x++)
            if (dirty[y * tiles->columns + x])
                return true;
    return false;
}

// Triangles that face the eye are counter-clockwise; those that reach behind it may be either.
static void gather_part(dew_GlTiles *tiles, const uint32_t *indices, int64_t count)
{
    const Seen *seen = tiles->vertices.data;
    uint32_t *near = DEW_ITEMS(&tiles->near_indices, uint32_t) + tiles->near_indices.count;
    uint32_t *far = DEW_ITEMS(&tiles->far_indices, uint32_t) + tiles->far_indices.count;
    for (int64_t i = 0; i + 2 < count; i += 3) {
        const Seen *a = &seen[indices[i]], *b = &seen[indices[i + 1]], *c = &seen[indices[i + 2]];
        if (!is_on_dirty(tiles, tiles_of(tiles, a, b, c, 1)))
            continue;
        float area = (b->x - a->x) * (c->y - a->y) - (c->x - a->x) * (b->y - a->y);
        if (!(area < 0)) {
            memcpy(near, indices + i, 3 * sizeof *near);
            near += 3;
        }
        if (!(area > 0)) {
            memcpy(far, indices + i, 3 * sizeof *far);
            far += 3;
        }
    }
    tiles->near_indices.count = near - DEW_ITEMS(&tiles->near_indices, uint32_t);
    tiles->far_indices.count = far - DEW_ITEMS(&tiles->far_indices, uint32_t);
}

static void upload(dew_GlTiles *tiles, const dew_Gl *gl, const dew_GlBodies *bodies)
{
    if (!tiles->corner_array) {
        gl->GenVertexArrays(1, &tiles->corner_array);
        gl->GenVertexArrays(1, &tiles->near_array);
        gl->GenVertexArrays(1, &tiles->far_array);
    }
    gl->BindVertexArray(tiles->corner_array);
    dew_gl_buffer_fill(gl, &tiles->corners, GL_ARRAY_BUFFER, &tiles->corner_data);
    gl->EnableVertexAttribArray(0);
    gl->VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    gl->BindVertexArray(tiles->near_array);
    dew_gl_bodies_point_at_clear(gl, bodies);
    dew_gl_buffer_fill(gl, &tiles->near_side, GL_ELEMENT_ARRAY_BUFFER, &tiles->near_indices);
    gl->BindVertexArray(tiles->far_array);
    dew_gl_bodies_point_at_clear(gl, bodies);
    dew_gl_buffer_fill(gl, &tiles->far_side, GL_ELEMENT_ARRAY_BUFFER, &tiles->far_indices);
    gl->BindVertexArray(0);
}

dew_Status dew_gl_tiles_gather(dew_GlTiles *tiles, const dew_Gl *gl, const dew_GlBodies *bodies,
                               const dew_RenderScene *scene)
{
    DEW_TRY(mark_changed(tiles));
    tiles->is_drawn = true;
    DEW_TRY(dew_array_reserve(&tiles->near_indices, bodies->clear_index_data.count));
    DEW_TRY(dew_array_reserve(&tiles->far_indices, bodies->clear_index_data.count));
    tiles->near_indices.count = tiles->far_indices.count = 0;
    const uint32_t *indices = bodies->clear_index_data.data;
    for (int64_t i = 0; i < bodies->clear_parts.count && tiles->dirty_count > 0; i++) {
        const dew_GlPart *part = &DEW_ITEMS(&bodies->clear_parts, const dew_GlPart)[i];
        if (is_liquid(scene, part))
            gather_part(tiles, indices + part->first, part->count);
    }
    upload(tiles, gl, bodies);
    return dew_ok();
}

// ---- drawing -----------------------------------------------------------------------------------

void dew_gl_tiles_draw(const dew_GlTiles *tiles, const dew_Gl *gl)
{
    gl->BindVertexArray(tiles->corner_array);
    gl->DrawArrays(GL_TRIANGLES, 0, (GLsizei)(tiles->corner_data.count / 2));
}

void dew_gl_tiles_draw_liquid(const dew_GlTiles *tiles, const dew_Gl *gl, bool is_back)
{
    const dew_Array *indices = is_back ? &tiles->far_indices : &tiles->near_indices;
    gl->BindVertexArray(is_back ? tiles->far_array : tiles->near_array);
    gl->DrawElements(GL_TRIANGLES, (GLsizei)indices->count, GL_UNSIGNED_INT, NULL);
}
#endif
