// V-cycle on aggregates of vertices. [Vanek1996] for the aggregates, [Braess1995] for the scaling
//
// Unknowns of the next level are groups of a vertex and its neighbours; a correction is the same
// for the whole group. The energy of such steps is too high by about the ratio of the levels'
// spacings, so the coarse stiffness is scaled down, while masses are kept as they are. The smoother
// is Gauss and Seidel's sweep, forward on the way down and backward on the way up, which makes the
// cycle symmetric. From a start of zero the forward sweep needs the lower columns only, and the
// residual it leaves the upper ones only.
#include "solvers/surface/multilevel_preconditioner.h"

#include "base/status.h"

#define COARSEST    1      // unknowns: the constant, whose stiffness is none, is found exactly
#define LAST_SWEEPS 1      // pairs of them, on the coarsest level
#define STRONG      0.04F  // of the diagonal: weaker neighbours are not grouped
#define SCALE       0.5F   // of the coarse stiffness
#define LEAST_GAIN  0.7    // of the unknowns: no further level when more would be left

// ---- the first level ---------------------------------------------------------------------------

static bool take_level(dew_DropMultilevelLevel *l, dew_Arena *arena, int32_t n, int64_t entries)
{
    l->n = n;
    l->row = dew_arena_array(arena, int32_t, n + 1);
    l->middle = dew_arena_array(arena, int32_t, n);
    l->col = dew_arena_array(arena, int32_t, entries);
    l->off = dew_arena_array(arena, float, entries);
    l->inverse = dew_arena_array(arena, float, n);
    l->mass = dew_arena_array(arena, float, n);
    l->parent = dew_arena_array(arena, int32_t, n);
    l->right = dew_arena_array(arena, dew_Float4, n);
    l->solution = dew_arena_array(arena, dew_Float4, n);
    return l->row && l->middle && l->col && l->off && l->inverse && l->mass && l->parent &&
           l->right && l->solution;
}

/// Neighbours that are held count as ground: their stiffness goes to the mass.
static void fill_first(dew_DropMultilevelLevel *l, const dew_DropImplicitSystem *s,
                       const uint8_t *is_held)
{
    int32_t entry = 0;
    for (int32_t i = 0; i < l->n; i++) {
        l->row[i] = entry;
        double sum = 0;
        for (int32_t e = s->row[i]; e < s->row[i + 1] && !is_held[i]; e++)
            if (s->col[e] < i && !is_held[s->col[e]]) {
                l->col[entry] = s->col[e];
                l->off[entry++] = (float)s->off[e];
                sum += s->off[e];
            }
        l->middle[i] = entry;
        for (int32_t e = s->row[i]; e < s->row[i + 1] && !is_held[i]; e++)
            if (s->col[e] > i && !is_held[s->col[e]]) {
                l->col[entry] = s->col[e];
                l->off[entry++] = (float)s->off[e];
                sum += s->off[e];
            }
        l->mass[i] = (float)(s->pivot[i] + sum);
        l->inverse[i] = is_held[i] ? 0 : (float)s->inverse[i];
    }
    l->row[l->n] = entry;
}

// ---- coarse levels -----------------------------------------------------------------------------

static bool is_strong(const dew_DropMultilevelLevel *l, int32_t i, int32_t e)
{
    int32_t j = l->col[e];
    float inverse = l->inverse[i] < l->inverse[j] ? l->inverse[i] : l->inverse[j];
    return -l->off[e] * inverse > STRONG;
}

/// A vertex none of whose neighbours has a group begins one with all of them; the others join the
/// group that holds on to them most. Returns the number of groups.
static int32_t make_groups(dew_DropMultilevelLevel *l)
{
    int32_t count = 0;
    for (int32_t i = 0; i < l->n; i++)
        l->parent[i] = -1;
    for (int32_t i = 0; i < l->n; i++) {
        bool is_free = l->parent[i] < 0, has_any = false;
        for (int32_t e = l->row[i]; e < l->row[i + 1] && is_free; e++)
            if (is_strong(l, i, e)) {
                has_any = true;
                is_free = l->parent[l->col[e]] < 0;
            }
        if (!is_free || !has_any)
            continue;
        l->parent[i] = count;
        for (int32_t e = l->row[i]; e < l->row[i + 1]; e++)
            if (is_strong(l, i, e))
                l->parent[l->col[e]] = count;
        count++;
    }
    int32_t whole = count;  // later ones are marked by -2 - group, lest they grow in chains
    for (int32_t i = 0; i < l->n; i++) {
        float most = 0;
        for (int32_t e = l->row[i]; e < l->row[i + 1] && l->parent[i] < 0; e++) {
            int32_t group = l->parent[l->col[e]];
            if (group >= 0 && group < whole && is_strong(l, i, e) && -l->off[e] > most)
                most = -l->off[e];
        }
        for (int32_t e = l->row[i]; e < l->row[i + 1] && most > 0 && l->parent[i] == -1; e++)
            if (-l->off[e] == most && l->parent[l->col[e]] >= 0)
                l->parent[i] = -2 - l->parent[l->col[e]];
    }
    for (int32_t i = 0; i < l->n; i++)
        if (l->parent[i] < -1)
            l->parent[i] = -2 - l->parent[i];
    return count;
}

typedef struct Members {
    int32_t *first, *vertex;  // by group
    int32_t *place;           // per group: its entry in the row that is being made, plus one
} Members;

static bool list_members(const dew_DropMultilevelLevel *l, int32_t groups, dew_Arena *arena,
                         Members *m)
{
    m->first = dew_arena_array(arena, int32_t, groups + 2);
    m->vertex = dew_arena_array(arena, int32_t, l->n);
    m->place = dew_arena_array(arena, int32_t, groups);
    if (!m->first || !m->vertex || !m->place)
        return false;
    for (int32_t i = 0; i < l->n; i++)
        if (l->parent[i] >= 0)
            m->first[l->parent[i] + 2]++;
    for (int32_t g = 0; g < groups; g++)
        m->first[g + 2] += m->first[g + 1];
    for (int32_t i = 0; i < l->n; i++)
        if (l->parent[i] >= 0)
            m->vertex[m->first[l->parent[i] + 1]++] = i;
    return true;
}

/// Puts what the group's members have with other groups into its row; returns the row's end.
static int32_t gather_row(const dew_DropMultilevelLevel *fine, dew_DropMultilevelLevel *coarse,
                          Members *m, int32_t group, int32_t end)
{
    int32_t begin = end;
    float mass = 0;
    for (int32_t k = m->first[group]; k < m->first[group + 1]; k++) {
        int32_t i = m->vertex[k];
        mass += fine->mass[i];
        for (int32_t e = fine->row[i]; e < fine->row[i + 1]; e++) {
            int32_t other = fine->parent[fine->col[e]];
            float off = SCALE * fine->off[e];
            if (other < 0)
                mass -= off;
            if (other < 0 || other == group)
                continue;
            if (m->place[other] <= begin) {
                m->place[other] = end + 1;
                coarse->col[end] = other;
                coarse->off[end++] = 0;
            }
            coarse->off[m->place[other] - 1] += off;
        }
    }
    coarse->mass[group] = mass;
    return end;
}

/// Lower columns first; the diagonal.
static void order_row(dew_DropMultilevelLevel *l, int32_t i, int32_t end)
{
    int32_t low = l->row[i];
    float diagonal = l->mass[i];
    for (int32_t e = low; e < end; e++) {
        diagonal -= l->off[e];
        if (l->col[e] > i)
            continue;
        int32_t col = l->col[e];
        float off = l->off[e];
        l->col[e] = l->col[low];
        l->off[e] = l->off[low];
        l->col[low] = col;
        l->off[low++] = off;
    }
    l->middle[i] = low;
    l->inverse[i] = diagonal > 0 ? 1 / diagonal : 0;
}

static bool make_coarse(dew_DropMultilevelLevel *fine, dew_DropMultilevelLevel *coarse,
                        int32_t groups, dew_Arena *arena)
{
    Members m;
    int64_t entries = fine->row[fine->n];
    if (!take_level(coarse, arena, groups, entries) || !list_members(fine, groups, arena, &m))
        return false;
    int32_t end = 0;
    for (int32_t g = 0; g < groups; g++) {
        coarse->row[g] = end;
        end = gather_row(fine, coarse, &m, g, end);
        order_row(coarse, g, end);
    }
    coarse->row[groups] = end;
    return true;
}

dew_Status dew_drop_multilevel_make(dew_DropMultilevel *m, dew_Arena *arena,
                                    const dew_DropImplicitSystem *s, const uint8_t *is_held)
{
    int32_t n = (int32_t)s->n;
    m->count = 1;
    if (!take_level(&m->levels[0], arena, n, s->row[n]))
        return dew_no_memory((size_t)n * 200);
    fill_first(&m->levels[0], s, is_held);
    while (m->count < DEW_MULTILEVEL_MAX) {
        dew_DropMultilevelLevel *fine = &m->levels[m->count - 1];
        if (fine->n <= COARSEST)
            break;
        int32_t groups = make_groups(fine);
        if (groups == 0 || groups > LEAST_GAIN * fine->n)
            break;
        if (!make_coarse(fine, &m->levels[m->count], groups, arena))
            return dew_no_memory((size_t)fine->n * 200);
        m->count++;
    }
    return dew_ok();
}

// ---- the cycle ---------------------------------------------------------------------------------

static void sweep_down_from_zero(const dew_DropMultilevelLevel *l)
{
    for (int32_t i = 0; i < l->n; i++) {
        dew_Float4 sum = l->right[i];
        for (int32_t e = l->row[i]; e < l->middle[i]; e++)
            sum -= l->off[e] * l->solution[l->col[e]];
        l->solution[i] = l->inverse[i] * sum;
    }
}

static void sweep_row(const dew_DropMultilevelLevel *l, int32_t i)
{
    dew_Float4 sum = l->right[i];
    for (int32_t e = l->row[i]; e < l->row[i + 1]; e++)
        sum -= l->off[e] * l->solution[l->col[e]];
    l->solution[i] = l->inverse[i] * sum;
}

/// The residual behind a forward sweep from zero: what the upper columns do.
static void restrict_residual(const dew_DropMultilevelLevel *fine,
                              const dew_DropMultilevelLevel *coarse)
{
    for (int32_t g = 0; g < coarse->n; g++)
        coarse->right[g] = (dew_Float4){0};
    for (int32_t i = 0; i < fine->n; i++) {
        if (fine->parent[i] < 0)
            continue;
        dew_Float4 sum = {0};
        for (int32_t e = fine->middle[i]; e < fine->row[i + 1]; e++)
            sum += fine->off[e] * fine->solution[fine->col[e]];
        coarse->right[fine->parent[i]] -= sum;
    }
}

static void solve_coarsest(const dew_DropMultilevelLevel *l)
{
    sweep_down_from_zero(l);
    for (int k = 0; k < LAST_SWEEPS; k++) {
        for (int32_t i = l->n - 1; i >= 0; i--)
            sweep_row(l, i);
        for (int32_t i = 0; i < l->n && k + 1 < LAST_SWEEPS; i++)
            sweep_row(l, i);
    }
}

void dew_drop_multilevel_apply(const dew_DropMultilevel *m)
{
    for (int k = 0; k + 1 < m->count; k++) {
        sweep_down_from_zero(&m->levels[k]);
        restrict_residual(&m->levels[k], &m->levels[k + 1]);
    }
    solve_coarsest(&m->levels[m->count - 1]);
    for (int k = m->count - 2; k >= 0; k--) {
        const dew_DropMultilevelLevel *fine = &m->levels[k], *coarse = &m->levels[k + 1];
        for (int32_t i = 0; i < fine->n; i++)
            if (fine->parent[i] >= 0)
                fine->solution[i] += coarse->solution[fine->parent[i]];
        for (int32_t i = fine->n - 1; i >= 0; i--)
            sweep_row(fine, i);
    }
}
