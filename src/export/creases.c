// Corners of triangles that have vertex and normal in common become a vertex. The corners of a
// vertex are in a list; there are few different normals at one.
#include "export/creases.h"

#include "base/status.h"
#include "render/patches.h"

typedef struct Split {
    const dew_Mesh *mesh;
    const dew_Float3 *normals;  // of corners
    uint32_t *source;           // vertex of the mesh, of each new vertex
    uint32_t *corner;           // first corner of each new vertex
    uint32_t *head, *next;      // new vertices of a vertex: a list; 0: its end
    uint32_t *of_corner;        // new vertex
    uint32_t count;
} Split;

static bool is_same(dew_Float3 a, dew_Float3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static uint32_t find_vertex(Split *s, uint32_t corner)
{
    uint32_t v = dew_mesh_triangles(s->mesh)[corner / 3].v[corner % 3];
    DEW_ASSERT(s->head && s->next && s->source && s->corner);
    for (uint32_t i = s->head[v]; i > 0; i = s->next[i - 1])
        if (is_same(s->normals[s->corner[i - 1]], s->normals[corner]))
            return i - 1;
    uint32_t index = s->count++;
    s->source[index] = v;
    s->corner[index] = corner;
    s->next[index] = s->head[v];
    s->head[v] = index + 1;
    return index;
}

static dew_Status allocate(Split *s, dew_Arena *scratch)
{
    int64_t corners = 3 * s->mesh->triangles.count;
    s->source = dew_arena_array(scratch, uint32_t, corners);
    s->corner = dew_arena_array(scratch, uint32_t, corners);
    s->next = dew_arena_array(scratch, uint32_t, corners);
    s->of_corner = dew_arena_array(scratch, uint32_t, corners);
    s->head = dew_arena_array(scratch, uint32_t, s->mesh->positions.count);
    if (!s->source || !s->corner || !s->next || !s->of_corner || !s->head)
        return dew_no_memory((size_t)corners * 16);
    return dew_ok();
}

static dew_Status copy_attributes(const Split *s, dew_Mesh *out)
{
    for (int64_t i = 0; i < s->mesh->attributes.count; i++) {
        const dew_MeshAttribute *from =
            &DEW_ITEMS(&s->mesh->attributes, const dew_MeshAttribute)[i];
        float *values;
        DEW_TRY(dew_mesh_attribute(out, from->name, &values));
        for (uint32_t v = 0; v < s->count; v++)
            values[v] = DEW_ITEMS(&from->values, const float)[s->source[v]];
    }
    return dew_ok();
}

static dew_Status fill(const Split *s, dew_Mesh *out)
{
    int64_t triangles = s->mesh->triangles.count;
    float *n[3];
    static const char *const names[3] = {"nx", "ny", "nz"};
    dew_mesh_clear(out);
    DEW_TRY(dew_array_resize(&out->positions, s->count));
    DEW_TRY(dew_array_resize(&out->triangles, triangles));
    DEW_TRY(copy_attributes(s, out));
    for (int k = 0; k < 3; k++)
        DEW_TRY(dew_mesh_attribute(out, names[k], &n[k]));
    for (uint32_t v = 0; v < s->count; v++) {
        dew_Float3 normal = s->normals[s->corner[v]];
        DEW_ITEMS(&out->positions, dew_Vec3)[v] = dew_mesh_positions(s->mesh)[s->source[v]];
        n[0][v] = normal.x;
        n[1][v] = normal.y;
        n[2][v] = normal.z;
    }
    for (int64_t c = 0; c < 3 * triangles; c++)
        DEW_ITEMS(&out->triangles, dew_Triangle)[c / 3].v[c % 3] = s->of_corner[c];
    return dew_ok();
}

dew_Status dew_crease_split(const dew_Mesh *mesh, double crease_rad, dew_Arena *scratch,
                            dew_Mesh *out)
{
    int64_t corners = 3 * mesh->triangles.count;
    if (corners > UINT32_MAX)
        return dew_fail(DEW_UNSUPPORTED, "a solid of %lld triangles is too large to be exported",
                        (long long)mesh->triangles.count);
    dew_ArenaMark mark = dew_arena_mark(scratch);
    dew_Float3 *normals = dew_arena_array(scratch, dew_Float3, corners);
    Split split = {.mesh = mesh, .normals = normals};
    dew_Status status = allocate(&split, scratch);
    if (!normals)
        status = dew_no_memory((size_t)corners * sizeof *normals);
    if (status.code == DEW_OK)
        status = dew_patches_corner_normals(mesh, crease_rad, scratch, normals);
    for (int64_t c = 0; status.code == DEW_OK && c < corners; c++)
        split.of_corner[c] = find_vertex(&split, (uint32_t)c);
    if (status.code == DEW_OK)
        status = fill(&split, out);
    dew_arena_rewind(scratch, mark);
    return status;
}
