// Line search per vertex between safe and wanted positions, all vertices at once.
//
// A round halves the displacement of each vertex of a crossing triangle; after HALVINGS rounds it
// is zero. Moving one vertex back may bring its other triangles to cross, whose vertices follow in
// the next round. No displacement ever grows, so there are at most HALVINGS + 1 rounds per vertex;
// in practice two or three in all. Only triangles with a vertex that moved are searched anew.
#include "surface/step_back.h"

#include "base/status.h"
#include "geom/mesh_crossings.h"

#define HALVINGS 4

typedef struct Work {
    const dew_StepBack *def;
    dew_Vec3 *wanted;    // positions before
    dew_Vec3 *rounded;   // positions in single precision
    uint8_t *halvings;   // per vertex; HALVINGS + 1: at the safe position
    uint8_t *has_moved;  // per vertex, in this round
    uint8_t *is_asked;   // per triangle
    dew_Array pairs;     // dew_TrianglePair
} Work;

static dew_Status find_pairs(Work *w, const uint8_t *is_asked)
{
    dew_CrossingSearch search = {.positions = w->rounded,
                                 .triangles = w->def->triangles,
                                 .triangle_count = w->def->triangle_count,
                                 .is_asked = is_asked,
                                 .tasks = w->def->tasks,
                                 .scratch = w->def->scratch};
    return dew_mesh_crossings(&search, &w->pairs);
}

// The vertex halves its displacement; false: it has none left.
static bool step_back(Work *w, uint32_t v)
{
    if (w->has_moved[v])
        return true;
    if (w->halvings[v] > HALVINGS)
        return false;
    int k = ++w->halvings[v];
    double part = k > HALVINGS ? 0 : 1.0 / (1 << k);
    dew_Vec3 safe = w->def->safe[v];
    w->def->positions[v] = dew_add_scaled(safe, part, dew_sub(w->wanted[v], safe));
    w->rounded[v] = dew_as_written(w->def->positions[v]);
    w->has_moved[v] = 1;
    return true;
}

// All vertices of crossing triangles; false: none of them could.
static bool step_all_back(Work *w)
{
    bool has_any = false;
    for (int64_t v = 0; v < w->def->vertex_count; v++)
        w->has_moved[v] = 0;
    for (int64_t i = 0; i < w->pairs.count; i++) {
        dew_TrianglePair pair = DEW_ITEMS(&w->pairs, dew_TrianglePair)[i];
        for (int c = 0; c < 3; c++) {
            bool first = step_back(w, w->def->triangles[pair.first].v[c]);
            bool second = step_back(w, w->def->triangles[pair.second].v[c]);
            has_any = has_any || first || second;
        }
    }
    for (int64_t t = 0; t < w->def->triangle_count; t++) {
        const uint32_t *v = w->def->triangles[t].v;
        w->is_asked[t] |= w->has_moved[v[0]] | w->has_moved[v[1]] | w->has_moved[v[2]];
    }
    return has_any;
}

// Where no vertex has moved, stepping back changes nothing.
static void mark_moved(Work *w)
{
    const dew_StepBack *def = w->def;
    for (int64_t v = 0; v < def->vertex_count; v++) {
        dew_Vec3 a = def->safe[v], b = def->positions[v];
        w->has_moved[v] = a.x != b.x || a.y != b.y || a.z != b.z;
    }
    for (int64_t t = 0; t < def->triangle_count; t++) {
        const uint32_t *v = def->triangles[t].v;
        w->is_asked[t] = w->has_moved[v[0]] | w->has_moved[v[1]] | w->has_moved[v[2]];
    }
}

static dew_Status repair(Work *w)
{
    const dew_StepBack *def = w->def;
    for (int64_t v = 0; v < def->vertex_count; v++) {
        w->wanted[v] = def->positions[v];
        w->rounded[v] = dew_as_written(def->positions[v]);
    }
    mark_moved(w);
    DEW_TRY(find_pairs(w, w->is_asked));
    while (w->pairs.count > 0 && step_all_back(w))
        DEW_TRY(find_pairs(w, w->is_asked));
    return dew_ok();
}

dew_Status dew_surface_step_back(const dew_StepBack *def, int64_t *left)
{
    int64_t n = def->vertex_count;
    dew_ArenaMark mark = dew_arena_mark(def->scratch);
    Work w = {.def = def,
              .wanted = dew_arena_array(def->scratch, dew_Vec3, n),
              .rounded = dew_arena_array(def->scratch, dew_Vec3, n),
              .halvings = dew_arena_array(def->scratch, uint8_t, n),
              .has_moved = dew_arena_array(def->scratch, uint8_t, n),
              .is_asked = dew_arena_array(def->scratch, uint8_t, def->triangle_count)};
    dew_Status status;
    dew_array_init(&w.pairs, &def->scratch->allocator, sizeof(dew_TrianglePair));
    if (n > 0 && (!w.wanted || !w.rounded || !w.halvings || !w.has_moved || !w.is_asked))
        status = dew_no_memory((size_t)n * sizeof *w.wanted);
    else
        status = repair(&w);
    if (left)
        *left = w.pairs.count;
    dew_array_deinit(&w.pairs);
    dew_arena_rewind(def->scratch, mark);
    return status;
}
