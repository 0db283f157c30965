// Triangles on the same three vertices, by a hash table of sorted vertex triples.
#include "geom/mesh_twins.h"

#include "base/hash.h"
#include "base/status.h"

static dew_Triangle sorted(dew_Triangle t)
{
    uint32_t a = t.v[0], b = t.v[1], c = t.v[2];
    uint32_t low = a < b ? (a < c ? a : c) : (b < c ? b : c);
    uint32_t high = a > b ? (a > c ? a : c) : (b > c ? b : c);
    return (dew_Triangle){{low, a ^ b ^ c ^ low ^ high, high}};
}

static bool is_same(dew_Triangle s, dew_Triangle t)
{
    return s.v[0] == t.v[0] && s.v[1] == t.v[1] && s.v[2] == t.v[2];
}

dew_Status dew_mesh_twins(const dew_Mesh *mesh, dew_Arena *arena, uint32_t *twin)
{
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    int64_t count = mesh->triangles.count, size = 16;
    if (count >= DEW_NO_TWIN)
        return dew_fail(DEW_BAD_INPUT, "a mesh of %lld triangles is too large (at most %u)",
                        (long long)count, DEW_NO_TWIN - 1);
    while (size < 2 * count)
        size *= 2;
    uint32_t *table = dew_arena_array(arena, uint32_t, size);  // triangle + 1; 0: free
    if (!table)
        return dew_no_memory((size_t)size * sizeof *table);
    for (int64_t t = 0; t < count; t++) {
        dew_Triangle key = sorted(triangles[t]);
        uint64_t place = dew_hash(&key, sizeof key, 0) & (uint64_t)(size - 1);
        while (table[place] != 0 && !is_same(sorted(triangles[table[place] - 1]), key))
            place = (place + 1) & (uint64_t)(size - 1);
        twin[t] = table[place] == 0 ? DEW_NO_TWIN : table[place] - 1;
        if (table[place] == 0)
            table[place] = (uint32_t)t + 1;
    }
    return dew_ok();
}

bool dew_triangles_agree(dew_Triangle s, dew_Triangle t)
{
    for (int i = 0; i < 3; i++) {
        if (s.v[0] == t.v[i])
            return s.v[1] == t.v[(i + 1) % 3];
    }
    return false;
}
