// Marching cubes [Lorensen1987] over a set of bricks of 8 x 8 x 8 nodes with a bit each.
//
// Method: as flying edges [Schroeder2015] does with rows, all topology is found from bits first:
// the edges that are cut are differences of neighbouring bits, sixty-four at a time; sums over
// bricks then say where each brick's vertices and triangles go, so that bricks are written in any
// order, each vertex once. The index of an edge's vertex is a count of bits. The field is touched
// only at cut edges.
//
// Limits: 2^32 - 1 vertices and triangles.
#include "surface/marching_cubes.h"

#include "base/status.h"
#include "surface/marching_cubes_table.h"
#include "surface/marching_set.h"

// A brick through which the surface passes, or may.
typedef struct ActiveBrick {
    int64_t brick;
    int32_t upper[8];       // as dew_MarchingBrick.upper, in active bricks
    uint64_t cut[3][8];     // by axis and slice k: bit i + 8 j is the edge from node (i, j, k) on
    uint16_t before[3][8];  // cut edges of the brick that come before those of cut[axis][k]
    uint32_t vertex_count, triangle_count;
    uint32_t first_vertex, first_triangle;
} ActiveBrick;

typedef struct March {
    const dew_MarchingSet *set;
    const dew_MarchingDef *def;
    uint8_t *kind;  // of each brick: 0 all outside, 1 all inside, 2 mixed
    ActiveBrick *active;
    int64_t active_count;
    dew_Vec3 *positions, *normals;
    dew_Triangle *triangles;
} March;

// Bits of 9 x 9 rows of 9 nodes: a brick with the nodes beyond it that its cells reach. row[k][j].
typedef struct Rows {
    uint16_t row[9][9];
} Rows;

dew_MarchingDef dew_default_marching_def(void)
{
    return (dew_MarchingDef){.iso = 0, .min_fraction = 1e-4, .border_reach = 0};
}

static int bit_count(uint64_t x)
{
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)((x * 0x0101010101010101u) >> 56);
}

// ---- which bricks -------------------------------------------------------------------------------

static dew_Status find_kinds(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    March *march = (March *)context;
    for (int64_t b = begin; b < end; b++) {
        const uint64_t *inside = march->set->bricks[b].inside;
        uint64_t any = 0, all = UINT64_MAX;
        for (int k = 0; k < 8; k++) {
            any |= inside[k];
            all &= inside[k];
        }
        march->kind[b] = any == 0 ? 0 : all == UINT64_MAX ? 1 : 2;
    }
    return dew_ok();
}

static bool may_be_cut(const March *march, const dew_MarchingBrick *brick, uint8_t kind)
{
    if (kind == 2)
        return true;
    for (int n = 1; n < 8; n++) {
        uint8_t other = brick->upper[n] == DEW_INVALID ? 0 : march->kind[brick->upper[n]];
        if (other != kind)
            return true;
    }
    return false;
}

// Lists the bricks that may be cut and links them to one another.
static dew_Status list_active(March *march, dew_Arena *scratch)
{
    const dew_MarchingSet *set = march->set;
    int32_t *slot = dew_arena_array(scratch, int32_t, set->brick_count);
    if (!slot)
        return dew_no_memory((size_t)set->brick_count * sizeof(int32_t));
    for (int64_t b = 0; b < set->brick_count; b++) {
        bool is_active = may_be_cut(march, &set->bricks[b], march->kind[b]);
        slot[b] = is_active ? (int32_t)march->active_count++ : DEW_INVALID;
    }
    march->active = dew_arena_array(scratch, ActiveBrick, march->active_count);
    if (!march->active)
        return dew_no_memory((size_t)march->active_count * sizeof(ActiveBrick));
    for (int64_t b = 0; b < set->brick_count; b++) {
        if (slot[b] == DEW_INVALID)
            continue;
        ActiveBrick *active = &march->active[slot[b]];
        active->brick = b;
        for (int n = 0; n < 8; n++) {
            int32_t upper = set->bricks[b].upper[n];
            active->upper[n] = upper == DEW_INVALID ? DEW_INVALID : slot[upper];
        }
    }
    return dew_ok();
}

// ---- topology -----------------------------------------------------------------------------------

static void gather_rows(const dew_MarchingSet *set, int64_t brick_index, Rows *rows)
{
    *rows = (Rows){0};
    const dew_MarchingBrick *brick = &set->bricks[brick_index];
    for (int n = 0; n < 8; n++) {
        if (brick->upper[n] == DEW_INVALID)
            continue;
        const uint64_t *inside = set->bricks[brick->upper[n]].inside;
        int j0 = n & 2 ? 8 : 0, k0 = n & 4 ? 8 : 0;
        int j_count = n & 2 ? 1 : 8, k_count = n & 4 ? 1 : 8;
        for (int k = 0; k < k_count; k++) {
            for (int j = 0; j < j_count; j++) {
                unsigned bits = (unsigned)(inside[k] >> (8 * j)) & 0xffu;
                rows->row[k0 + k][j0 + j] |= (uint16_t)(n & 1 ? (bits & 1) << 8 : bits);
            }
        }
    }
}

// The four rows of nodes around a row of cells.
typedef struct CellRow {
    unsigned r[4];  // at (j, k), (j + 1, k), (j, k + 1), (j + 1, k + 1)
} CellRow;

static CellRow cell_row(const Rows *rows, int j, int k)
{
    return (CellRow){
        {rows->row[k][j], rows->row[k][j + 1], rows->row[k + 1][j], rows->row[k + 1][j + 1]}};
}

// Bits of the eight cells whose corners are not all alike.
static unsigned cut_cells(CellRow row)
{
    unsigned any = row.r[0] | row.r[1] | row.r[2] | row.r[3];
    unsigned all = row.r[0] & row.r[1] & row.r[2] & row.r[3];
    return (any | any >> 1) & ~(all & all >> 1) & 0xffu;
}

static const dew_MarchingCase *case_of(CellRow row, int i)
{
    unsigned bits = 0;
    for (int n = 0; n < 4; n++)
        bits |= (row.r[n] >> i & 3u) << (2 * n);
    return &dew_marching_case[bits];
}

static dew_Status count_bricks(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    March *march = (March *)context;
    for (int64_t a = begin; a < end; a++) {
        ActiveBrick *active = &march->active[a];
        Rows rows;
        gather_rows(march->set, active->brick, &rows);
        for (int k = 0; k < 8; k++) {
            for (int j = 0; j < 8; j++) {
                CellRow row = cell_row(&rows, j, k);
                unsigned r = row.r[0];
                active->cut[0][k] |= (uint64_t)((r ^ r >> 1) & 0xffu) << (8 * j);
                active->cut[1][k] |= (uint64_t)((r ^ row.r[1]) & 0xffu) << (8 * j);
                active->cut[2][k] |= (uint64_t)((r ^ row.r[2]) & 0xffu) << (8 * j);
                for (unsigned cells = cut_cells(row); cells; cells &= cells - 1)
                    active->triangle_count += case_of(row, __builtin_ctz(cells))->triangle_count;
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            for (int k = 0; k < 8; k++) {
                active->before[axis][k] = (uint16_t)active->vertex_count;
                active->vertex_count += (uint32_t)bit_count(active->cut[axis][k]);
            }
        }
    }
    return dew_ok();
}

// Where each brick's vertices and triangles begin; makes room for all.
static dew_Status place_bricks(March *march, dew_MarchingOut out)
{
    int64_t vertex_count = 0, triangle_count = 0;
    for (int64_t a = 0; a < march->active_count; a++) {
        ActiveBrick *active = &march->active[a];
        active->first_vertex = (uint32_t)vertex_count;
        active->first_triangle = (uint32_t)triangle_count;
        vertex_count += active->vertex_count;
        triangle_count += active->triangle_count;
    }
    if (vertex_count > UINT32_MAX || triangle_count > UINT32_MAX)
        return dew_fail(DEW_UNSUPPORTED,
                        "a surface of %lld vertices is more than 32-bit indices can name (a larger "
                        "spacing makes fewer)",
                        (long long)vertex_count);
    DEW_TRY(dew_array_resize(out.positions, vertex_count));
    DEW_TRY(dew_array_resize(out.triangles, triangle_count));
    if (out.normals)
        DEW_TRY(dew_array_resize(out.normals, vertex_count));
    march->positions = DEW_ITEMS(out.positions, dew_Vec3);
    march->triangles = DEW_ITEMS(out.triangles, dew_Triangle);
    march->normals = out.normals ? DEW_ITEMS(out.normals, dew_Vec3) : NULL;
    return dew_ok();
}

// ---- vertices -----------------------------------------------------------------------------------

// A cut edge of the lattice: its ends, and where the surface crosses it.
typedef struct Crossing {
    int64_t brick;
    dew_MarchingNode from, to;
    int axis;
    double fraction;  // of the edge
} Crossing;

static double clamp_fraction(const dew_MarchingDef *def, double fraction)
{
    double least = def->min_fraction;
    if (!(fraction >= least))  // NaN too, from values that are not finite
        return least;
    return fraction > 1 - least ? 1 - least : fraction;
}

static void find_crossing(const March *march, Crossing *crossing)
{
    const dew_MarchingSet *set = march->set;
    double a = 0, b = 0;
    double reach = clamp_fraction(march->def, march->def->border_reach);
    if (!set->value(set->source, crossing->brick, crossing->from, &a))
        crossing->fraction = 1 - reach;
    else if (!set->value(set->source, crossing->brick, crossing->to, &b))
        crossing->fraction = reach;
    else
        crossing->fraction = clamp_fraction(march->def, a / (a - b));
}

// Central difference; one-sided at the border; 0 where the node stands alone.
static double slope(const March *march, int64_t brick, dew_MarchingNode node, int axis)
{
    const dew_MarchingSet *set = march->set;
    double here = 0, above = 0, below = 0;
    if (!set->value(set->source, brick, node, &here))
        return 0;
    dew_MarchingNode up = node, down = node;
    up.at[axis]++;
    down.at[axis]--;
    bool has_above = set->value(set->source, brick, up, &above);
    bool has_below = set->value(set->source, brick, down, &below);
    if (has_above && has_below)
        return 0.5 * (above - below);
    return has_above ? above - here : has_below ? here - below : 0;
}

static dew_Vec3 gradient(const March *march, int64_t brick, dew_MarchingNode node)
{
    return dew_vec(slope(march, brick, node, 0), slope(march, brick, node, 1),
                   slope(march, brick, node, 2));
}

// At the border, where one end has no sample, the gradient is unknown: the edge is the normal.
static dew_Vec3 normal_at(const March *march, const Crossing *crossing)
{
    const dew_MarchingSet *set = march->set;
    double a = 0, b = 0;
    bool has_from = set->value(set->source, crossing->brick, crossing->from, &a);
    bool has_to = set->value(set->source, crossing->brick, crossing->to, &b);
    if (has_from && has_to) {
        dew_Vec3 from = gradient(march, crossing->brick, crossing->from);
        dew_Vec3 to = gradient(march, crossing->brick, crossing->to);
        dew_Vec3 sum = dew_combine(1 - crossing->fraction, from, crossing->fraction, to);
        dew_Vec3 normal = dew_normalize(sum);
        if (dew_vec_is_finite(normal) && dew_length2(normal) > 0)
            return normal;
    }
    bool from_is_inside = has_from && a < 0;
    double axis[3] = {0, 0, 0};
    axis[crossing->axis] = from_is_inside ? 1 : -1;
    return dew_vec(axis[0], axis[1], axis[2]);
}

static dew_Vec3 position_of(const dew_MarchingSet *set, const Crossing *crossing)
{
    double at[3];
    for (int axis = 0; axis < 3; axis++)
        at[axis] = (double)crossing->from.at[axis];
    at[crossing->axis] += crossing->fraction;
    return dew_add_scaled(set->origin_m, set->spacing_m, dew_vec(at[0], at[1], at[2]));
}

static dew_Status make_vertices(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    March *march = (March *)context;
    for (int64_t a = begin; a < end; a++) {
        const ActiveBrick *active = &march->active[a];
        const int32_t *coord = march->set->bricks[active->brick].coord;
        int64_t vertex = active->first_vertex;
        for (int slice = 0; slice < 24; slice++) {
            int axis = slice >> 3, k = slice & 7;
            for (uint64_t left = active->cut[axis][k]; left; left &= left - 1, vertex++) {
                int bit = __builtin_ctzll(left);
                Crossing crossing = {.brick = active->brick, .axis = axis};
                crossing.from.at[0] = 8 * (int64_t)coord[0] + (bit & 7);
                crossing.from.at[1] = 8 * (int64_t)coord[1] + (bit >> 3);
                crossing.from.at[2] = 8 * (int64_t)coord[2] + k;
                crossing.to = crossing.from;
                crossing.to.at[axis]++;
                find_crossing(march, &crossing);
                march->positions[vertex] = position_of(march->set, &crossing);
                if (march->normals)
                    march->normals[vertex] = normal_at(march, &crossing);
            }
        }
    }
    return dew_ok();
}

// ---- triangles ----------------------------------------------------------------------------------

// The vertex on edge e of cell (i, j, k) of a brick.
static uint32_t vertex_on(const March *march, const ActiveBrick *active, int i, int j, int k, int e)
{
    // Steps from the cell's lowest node to the edge's, 1 x + 2 y + 4 z.
    static const uint8_t step[DEW_MARCHING_EDGES] = {0, 2, 4, 6, 0, 1, 4, 5, 0, 1, 2, 3};
    int axis = e >> 2;
    i += step[e] & 1;
    j += step[e] >> 1 & 1;
    k += step[e] >> 2;
    int neighbour = (i >> 3) | (j >> 3) << 1 | (k >> 3) << 2;
    const ActiveBrick *owner = neighbour ? &march->active[active->upper[neighbour]] : active;
    int bit = (i & 7) + 8 * (j & 7);
    uint64_t below = owner->cut[axis][k & 7] & (((uint64_t)1 << bit) - 1);
    return owner->first_vertex + owner->before[axis][k & 7] + (uint32_t)bit_count(below);
}

static dew_Triangle *make_cell(const March *march, const ActiveBrick *active, CellRow row, int i,
                               int j, int k, dew_Triangle *out)
{
    const dew_MarchingCase *cell = case_of(row, i);
    uint32_t vertex[DEW_MARCHING_EDGES];
    unsigned known = 0;
    for (int t = 0; t < cell->triangle_count; t++, out++) {
        for (int c = 0; c < 3; c++) {
            int e = cell->edge[3 * t + c];
            if (!(known >> e & 1u))
                vertex[e] = vertex_on(march, active, i, j, k, e);
            known |= 1u << e;
            out->v[c] = vertex[e];
        }
    }
    return out;
}

static dew_Status make_triangles(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    March *march = (March *)context;
    for (int64_t a = begin; a < end; a++) {
        const ActiveBrick *active = &march->active[a];
        if (active->triangle_count == 0)
            continue;
        Rows rows;
        gather_rows(march->set, active->brick, &rows);
        dew_Triangle *out = &march->triangles[active->first_triangle];
        for (int k = 0; k < 8; k++) {
            for (int j = 0; j < 8; j++) {
                CellRow row = cell_row(&rows, j, k);
                for (unsigned cells = cut_cells(row); cells; cells &= cells - 1)
                    out = make_cell(march, active, row, __builtin_ctz(cells), j, k, out);
            }
        }
    }
    return dew_ok();
}

dew_Status dew_marching_set_run(const dew_MarchingSet *set, const dew_MarchingDef *def,
                                dew_Arena *scratch, dew_MarchingOut out)
{
    March march = {.set = set, .def = def};
    march.kind = dew_arena_array(scratch, uint8_t, set->brick_count);
    if (!march.kind)
        return dew_no_memory((size_t)set->brick_count);
    DEW_TRY(dew_parallel_for(def->tasks, set->brick_count, DEW_CHUNK_ITEMS, find_kinds, &march));
    DEW_TRY(list_active(&march, scratch));
    DEW_TRY(dew_parallel_for(def->tasks, march.active_count, DEW_CHUNK_ITEMS / 16, count_bricks,
                             &march));
    DEW_TRY(place_bricks(&march, out));
    DEW_TRY(dew_parallel_for(def->tasks, march.active_count, DEW_CHUNK_ITEMS / 16, make_vertices,
                             &march));
    return dew_parallel_for(def->tasks, march.active_count, DEW_CHUNK_ITEMS / 16, make_triangles,
                            &march);
}
