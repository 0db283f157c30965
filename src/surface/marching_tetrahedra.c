// Marching tetrahedra [Doi1991] of the liquid outside of walls: which triangles there are.
//
// A cube becomes the six tetrahedra of Kuhn around its main diagonal; all edges then run from a
// node to one of seven that lie above it in some of the axes, and neighbouring cubes agree about
// them. A tetrahedron cut by the wall leaves a tetrahedron or a prism, which falls into three
// tetrahedra by the order of its vertices [Dompierre1999], so that again neighbours agree. Their
// corners are nodes of the lattice or points of the wall, and each has the value of phi there;
// marching them is a matter of signs.
//
// A vertex of the result lies between two corners and is named by their numbers, or by one twice.
#include "surface/marching_tetrahedra.h"

#include "base/status.h"
#include "surface/tetrahedra_state.h"

#include <stdlib.h>

#define IN_WALL (UINT32_C(1) << 31)  // numbers of points of the wall begin here

typedef struct Cube {
    int32_t brick;
    uint16_t cell;
    uint8_t open;  // faces behind which the lattice ends
} Cube;

// Where the wall crosses an edge of the lattice.
typedef struct WallCut {
    uint64_t edge;       // 7 times the lower node, and the direction less 1; sorted by it
    dew_Vec3 on_edge_m;  // between the nodes
    dew_Vec3 x_m, normal;
    double phi;
} WallCut;

typedef struct Named {
    uint64_t name[3];  // of the vertices
} Named;

typedef struct March {
    const dew_TetrahedraDef *def;
    dew_Array cubes;  // Cube
    dew_Array cuts;   // WallCut
    dew_Array of[3];  // Named: triangles of the free surface, of the wall, of the lattice's end
} March;

// A corner of what is marched.
typedef struct Point {
    uint32_t id;
    uint8_t faces;  // of the cube on which it lies; bits 2 a and 2 a + 1: lower and upper of axis a
    bool is_liquid;
} Point;

typedef struct Corner {
    Point point;
    bool is_wall;
    int bits;  // its place in the cube
} Corner;

enum { ON_SURFACE, ON_WALL, ON_END };

static const int kuhn[6][4] = {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7},
                               {0, 3, 2, 7}, {0, 6, 4, 7}, {0, 5, 1, 7}};
// Even permutations that begin with each corner, and with each pair.
static const int single[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
static const int paired[6][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2},
                                 {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}};

dew_TetrahedraDef dew_default_tetrahedra_def(void)
{
    return (dew_TetrahedraDef){.smooth_passes = 4};
}

// ---- the lattice -------------------------------------------------------------------------------

// In two dimensions cells have two nodes, on their lower and upper faces in z.
static int layers_of(const dew_Grid *grid)
{
    return grid->dimensions == 2 ? 2 : 1;
}

static int64_t cell_of(const dew_Grid *grid, uint64_t node)
{
    return (int64_t)(node / (uint64_t)layers_of(grid));
}

// The node at a corner of a cube; DEW_INVALID: there is none.
static int64_t node_at(const dew_Grid *grid, int32_t brick, int i, int j, int k)
{
    if (grid->dimensions == 2) {
        int64_t at = k < 0 || k > 1 ? DEW_INVALID : dew_grid_near(grid, brick, i, j, 0);
        return at < 0 ? DEW_INVALID : 2 * at + k;
    }
    return dew_grid_near(grid, brick, i, j, k);
}

static dew_Vec3 node_position(const dew_Grid *grid, uint64_t node)
{
    int64_t at = cell_of(grid, node);
    int32_t brick = (int32_t)(at / grid->brick_cells);
    int n = (int)(at % grid->brick_cells);
    dew_Vec3 x = dew_grid_position(grid, brick, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
    if (grid->dimensions == 2)
        x.z += grid->cell_m * ((double)(node & 1) - 0.5);
    return x;
}

static bool has_nodes(const dew_Grid *grid, const Cube *cube, const int from[3], const int to[3])
{
    for (int k = from[2]; k <= to[2]; k++)
        for (int j = from[1]; j <= to[1]; j++)
            for (int i = from[0]; i <= to[0]; i++)
                if (node_at(grid, cube->brick, i, j, k) < 0)
                    return false;
    return true;
}

// Faces of a cube beyond which there is no other.
static uint8_t open_faces(const dew_Grid *grid, const Cube *cube)
{
    int low[3] = {cube->cell & 7, cube->cell >> 3 & 7, cube->cell >> 6};
    uint8_t open = 0;
    for (int a = 0; a < 3; a++)
        for (int side = 0; side < 2; side++) {
            int from[3] = {low[0], low[1], low[2]}, to[3] = {low[0] + 1, low[1] + 1, low[2] + 1};
            from[a] = to[a] = side ? low[a] + 2 : low[a] - 1;
            bool is_inner = low[a] > 0 && low[a] < DEW_BRICK - 2 && !(a == 2 && grid->depth == 1);
            if (!is_inner && !has_nodes(grid, cube, from, to))
                open |= (uint8_t)(1 << (2 * a + side));
        }
    return open;
}

// Has the cube a part of the surface in it? Liquid there must be, and then either air, a wall or an
// end. A wall's points have values of their own: liquid near to it will do.
static bool is_wanted(const March *m, Cube *cube)
{
    const dew_Grid *grid = m->def->grid;
    int low[3] = {cube->cell & 7, cube->cell >> 3 & 7, cube->cell >> 6};
    int wet = 0, near = 0, walls = 0;
    for (int c = 0; c < 8; c++) {
        int64_t node =
            node_at(grid, cube->brick, low[0] + (c & 1), low[1] + (c >> 1 & 1), low[2] + (c >> 2));
        if (node < 0)
            return false;
        int64_t at = cell_of(grid, (uint64_t)node);
        wet += m->def->phi[at] < 0;
        near += m->def->phi[at] < DEW_TETRA_REACH * grid->cell_m;
        walls += m->def->wall && !(m->def->wall[at] > 0);
    }
    if ((walls > 0 ? near : wet) == 0 || walls == 8)
        return false;
    cube->open = open_faces(grid, cube);
    return wet < 8 || walls > 0 || cube->open;
}

static dew_Status find_cubes(March *m)
{
    const dew_Grid *grid = m->def->grid;
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            Cube cube = {b, (uint16_t)n, 0};
            if (is_wanted(m, &cube))
                DEW_TRY(dew_array_push(&m->cubes, &cube));
        }
    return dew_ok();
}

// ---- the wall ----------------------------------------------------------------------------------

// Cells that are corners of the cubes found.
static uint8_t *mark_cells(const March *m)
{
    const dew_Grid *grid = m->def->grid;
    uint8_t *is_used = dew_arena_array(m->def->scratch, uint8_t, dew_grid_value_count(grid));
    for (int64_t i = 0; is_used && i < m->cubes.count; i++) {
        const Cube *cube = &DEW_ITEMS(&m->cubes, Cube)[i];
        int low[3] = {cube->cell & 7, cube->cell >> 3 & 7, cube->cell >> 6};
        for (int c = 0; c < 8; c++) {
            int64_t node = node_at(grid, cube->brick, low[0] + (c & 1), low[1] + (c >> 1 & 1),
                                   low[2] + (c >> 2));
            is_used[cell_of(grid, (uint64_t)node)] = 1;
        }
    }
    return is_used;
}

// The node from which a direction (bits: axes) leads upwards to another; DEW_INVALID: none.
static int64_t node_above(const dew_Grid *grid, uint64_t node, int direction)
{
    int64_t at = cell_of(grid, node);
    int n = (int)(at % grid->brick_cells);
    int layer = grid->dimensions == 2 ? (int)(node & 1) : n >> 6;
    return node_at(grid, (int32_t)(at / grid->brick_cells), (n & 7) + (direction & 1),
                   (n >> 3 & 7) + (direction >> 1 & 1), layer + (direction >> 2));
}

static dew_Status find_cuts(March *m, const uint8_t *is_used)
{
    const dew_Grid *grid = m->def->grid;
    const double *wall = m->def->wall;
    uint64_t layers = (uint64_t)layers_of(grid);
    uint64_t node_count = (uint64_t)grid->brick_count * (uint64_t)grid->brick_cells * layers;
    for (uint64_t node = 0; node < node_count; node++) {
        int64_t at = cell_of(grid, node);
        for (int direction = 1; is_used[at] && direction < 8; direction++) {
            int64_t other = node_above(grid, node, direction);
            int64_t there = other < 0 ? at : cell_of(grid, (uint64_t)other);
            if (!is_used[there] || (wall[at] > 0) == (wall[there] > 0))
                continue;
            WallCut cut = {.edge = 7 * node + (uint64_t)direction - 1};
            DEW_TRY(dew_array_push(&m->cuts, &cut));
        }
    }
    if (m->cuts.count >= (int64_t)IN_WALL || node_count >= IN_WALL)
        return dew_fail(DEW_UNSUPPORTED, "a surface over %llu nodes is too large",
                        (unsigned long long)node_count);
    return dew_ok();
}

// Puts a cut onto the wall, and asks phi there.
static dew_Status place_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const March *m = context;
    const dew_Grid *grid = m->def->grid;
    for (int64_t i = begin; i < end; i++) {
        WallCut *cut = &DEW_ITEMS(&m->cuts, WallCut)[i];
        uint64_t a = cut->edge / 7;
        uint64_t b = (uint64_t)node_above(grid, a, (int)(cut->edge % 7) + 1);
        double wa = m->def->wall[cell_of(grid, a)], wb = m->def->wall[cell_of(grid, b)];
        double t = fmax(DEW_TETRA_CLEARANCE, fmin(wa / (wa - wb), 1 - DEW_TETRA_CLEARANCE));
        dew_Vec3 xa = node_position(grid, a), xb = node_position(grid, b), slope;
        dew_WallPoint near;
        cut->on_edge_m = cut->x_m = dew_combine(1 - t, xa, t, xb);
        cut->normal = dew_normalize(dew_scale(wa > wb ? 1 : -1, dew_sub(xa, xb)));
        if (dew_tetra_wall(m->def, cut->x_m, &near)) {
            cut->normal = near.normal;
            if (dew_distance(near.point_m, cut->x_m) < 2 * DEW_TETRA_MAX_STEP * grid->cell_m)
                cut->x_m = near.point_m;
        }
        double pa = m->def->phi[cell_of(grid, a)], pb = m->def->phi[cell_of(grid, b)];
        if (!dew_tetra_phi(m->def, cut->x_m, &cut->phi, &slope))
            cut->phi = (1 - t) * pa + t * pb;
        if (fmin(pa, pb) >= DEW_TETRA_REACH * grid->cell_m)
            cut->phi = fmax(cut->phi, 0);  // cubes that are left out rely on it
    }
    return dew_ok();
}

// The point of the wall on the edge between two corners of a cube.
static Point wall_point(const March *m, const Corner *a, const Corner *b)
{
    bool is_upwards = (a->bits & b->bits) == a->bits;
    uint64_t node = is_upwards ? a->point.id : b->point.id;
    uint64_t edge = 7 * node + (uint64_t)(a->bits ^ b->bits) - 1;
    const WallCut *cuts = m->cuts.data;
    int64_t low = 0, high = m->cuts.count - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (cuts[middle].edge < edge)
            low = middle + 1;
        else
            high = middle;
    }
    DEW_ASSERT(cuts[low].edge == edge);
    return (Point){IN_WALL | (uint32_t)low, a->point.faces & b->point.faces, cuts[low].phi < 0};
}

// ---- tetrahedra --------------------------------------------------------------------------------

static uint64_t between(const Point *a, const Point *b)
{
    uint64_t low = a->id < b->id ? a->id : b->id, high = a->id < b->id ? b->id : a->id;
    return low << 32 | high;
}

static dew_Status add(March *m, int kind, uint64_t a, uint64_t b, uint64_t c)
{
    Named named = {{a, b, c}};
    return dew_array_push(&m->of[kind], &named);
}

// The liquid part of a face at which liquid ends; a, b, c turn about the outside.
static dew_Status add_face(March *m, int kind, const Point *const f[3])
{
    int wet = f[0]->is_liquid + f[1]->is_liquid + f[2]->is_liquid, first = 0;
    for (int i = 0; i < 3; i++)
        if (f[i]->is_liquid == (wet == 1))
            first = i;  // the one unlike the others, if they are not all alike
    const Point *a = f[first], *b = f[(first + 1) % 3], *c = f[(first + 2) % 3];
    if (wet == 3)
        return add(m, kind, between(a, a), between(b, b), between(c, c));
    if (wet == 1)
        return add(m, kind, between(a, a), between(a, b), between(a, c));
    if (wet == 0)
        return dew_ok();
    DEW_TRY(add(m, kind, between(b, b), between(c, c), between(a, c)));
    return add(m, kind, between(b, b), between(a, c), between(a, b));
}

static dew_Status add_surface(March *m, const Point p[4], int wet)
{
    for (int i = 0; i < 4; i++) {
        const Point *a = &p[i], *b = &p[single[i][1]], *c = &p[single[i][2]], *d = &p[single[i][3]];
        if (wet == 1 && a->is_liquid)
            return add(m, ON_SURFACE, between(a, b), between(a, c), between(a, d));
        if (wet == 3 && !a->is_liquid)
            return add(m, ON_SURFACE, between(a, b), between(a, d), between(a, c));
    }
    for (int i = 0; wet == 2 && i < 6; i++) {
        const Point *a = &p[paired[i][0]], *b = &p[paired[i][1]];
        const Point *c = &p[paired[i][2]], *d = &p[paired[i][3]];
        if (!a->is_liquid || !b->is_liquid)
            continue;
        DEW_TRY(add(m, ON_SURFACE, between(a, c), between(a, d), between(b, d)));
        return add(m, ON_SURFACE, between(a, c), between(b, d), between(b, c));
    }
    return dew_ok();
}

static dew_Status add_tetrahedron(March *m, const Point p[4], uint8_t open)
{
    int wet = p[0].is_liquid + p[1].is_liquid + p[2].is_liquid + p[3].is_liquid;
    if (wet == 0)
        return dew_ok();
    for (int i = 0; i < 4; i++) {
        const Point *f[3] = {&p[single[i][1]], &p[single[i][2]], &p[single[i][3]]};
        if (f[0]->id & f[1]->id & f[2]->id & IN_WALL)
            DEW_TRY(add_face(m, ON_WALL, f));
        else if (f[0]->faces & f[1]->faces & f[2]->faces & open)
            DEW_TRY(add_face(m, ON_END, f));
    }
    return add_surface(m, p, wet);
}

// A prism between the triangles p[0..2] and p[3..5]; the diagonal of each side begins at its lowest
// number. Tables of [Dompierre1999].
static dew_Status add_prism(March *m, const Point p[6], uint8_t open)
{
    static const int turned[6][6] = {{0, 1, 2, 3, 4, 5}, {1, 2, 0, 4, 5, 3}, {2, 0, 1, 5, 3, 4},
                                     {3, 5, 4, 0, 2, 1}, {4, 3, 5, 1, 0, 2}, {5, 4, 3, 2, 1, 0}};
    static const int parts[2][3][4] = {{{0, 1, 2, 5}, {0, 1, 5, 4}, {0, 4, 5, 3}},
                                       {{0, 1, 2, 4}, {0, 4, 2, 5}, {0, 4, 5, 3}}};
    int lowest = 0;
    for (int i = 1; i < 6; i++)
        if (p[i].id < p[lowest].id)
            lowest = i;
    const int *at = turned[lowest];
    uint32_t one = p[at[1]].id < p[at[5]].id ? p[at[1]].id : p[at[5]].id;
    uint32_t two = p[at[2]].id < p[at[4]].id ? p[at[2]].id : p[at[4]].id;
    for (int t = 0; t < 3; t++) {
        const int *part = parts[one < two ? 0 : 1][t];
        Point q[4] = {p[at[part[0]]], p[at[part[1]]], p[at[part[2]]], p[at[part[3]]]};
        DEW_TRY(add_tetrahedron(m, q, open));
    }
    return dew_ok();
}

// What the wall leaves of a tetrahedron.
static dew_Status add_outside(March *m, const Corner *const c[4], uint8_t open)
{
    int walls = c[0]->is_wall + c[1]->is_wall + c[2]->is_wall + c[3]->is_wall;
    Point whole[4] = {c[0]->point, c[1]->point, c[2]->point, c[3]->point};
    if (walls == 4)
        return dew_ok();
    if (walls == 0)
        return add_tetrahedron(m, whole, open);
    for (int i = 0; i < 4; i++) {
        const Corner *a = c[i], *q[3] = {c[single[i][1]], c[single[i][2]], c[single[i][3]]};
        if (walls == 3 && !a->is_wall) {
            Point p[4] = {a->point, wall_point(m, a, q[0]), wall_point(m, a, q[1]),
                          wall_point(m, a, q[2])};
            return add_tetrahedron(m, p, open);
        }
        if (walls == 1 && a->is_wall) {  // a lies behind q; seen from it they turn the other way
            Point p[6] = {q[0]->point,
                          q[2]->point,
                          q[1]->point,
                          wall_point(m, q[0], a),
                          wall_point(m, q[2], a),
                          wall_point(m, q[1], a)};
            return add_prism(m, p, open);
        }
    }
    for (int i = 0; i < 6; i++) {
        const Corner *a = c[paired[i][0]], *b = c[paired[i][1]];
        const Corner *x = c[paired[i][2]], *y = c[paired[i][3]];
        if (a->is_wall || b->is_wall)
            continue;
        Point p[6] = {a->point, wall_point(m, a, x), wall_point(m, a, y),
                      b->point, wall_point(m, b, x), wall_point(m, b, y)};
        return add_prism(m, p, open);
    }
    return dew_ok();
}

static dew_Status add_cube(March *m, const Cube *cube)
{
    const dew_Grid *grid = m->def->grid;
    Corner corners[8];
    for (int c = 0; c < 8; c++) {
        int on[3] = {c & 1, c >> 1 & 1, c >> 2};
        int64_t node = node_at(grid, cube->brick, (cube->cell & 7) + on[0],
                               (cube->cell >> 3 & 7) + on[1], (cube->cell >> 6) + on[2]);
        int64_t at = cell_of(grid, (uint64_t)node);
        int faces = 1 << on[0] | 4 << on[1] | 16 << on[2];
        corners[c] = (Corner){{(uint32_t)node, (uint8_t)faces, m->def->phi[at] < 0},
                              m->def->wall && !(m->def->wall[at] > 0),
                              c};
    }
    for (int t = 0; t < 6; t++) {
        const Corner *c[4] = {&corners[kuhn[t][0]], &corners[kuhn[t][1]], &corners[kuhn[t][2]],
                              &corners[kuhn[t][3]]};
        DEW_TRY(add_outside(m, c, cube->open));
    }
    return dew_ok();
}

// ---- vertices ----------------------------------------------------------------------------------

static int compare_names(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Names of all vertices, sorted, each once.
static uint64_t *sort_names(const March *m, int64_t *count)
{
    int64_t total = 3 * (m->of[0].count + m->of[1].count + m->of[2].count), used = 0;
    uint64_t *names = dew_arena_array(m->def->scratch, uint64_t, total);
    for (int kind = 0; names && kind < 3; kind++)
        for (int64_t t = 0; t < m->of[kind].count; t++)
            for (int c = 0; c < 3; c++)
                names[used++] = DEW_ITEMS(&m->of[kind], Named)[t].name[c];
    if (!names)
        return NULL;
    if (total > 0)
        qsort(names, (size_t)total, sizeof *names, compare_names);
    *count = 0;
    for (int64_t i = 0; i < total; i++)
        if (i == 0 || names[i] != names[i - 1])
            names[(*count)++] = names[i];
    return names;
}

static uint32_t index_of(const uint64_t *names, int64_t count, uint64_t name)
{
    int64_t low = 0, high = count - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (names[middle] < name)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

// A corner as a cut: a node has no normal and lies on its edges.
static WallCut corner_of(const March *m, uint32_t id)
{
    if (id & IN_WALL)
        return DEW_ITEMS(&m->cuts, WallCut)[id & ~IN_WALL];
    dew_Vec3 x = node_position(m->def->grid, id);
    double phi = m->def->phi[cell_of(m->def->grid, id)];
    return (WallCut){.on_edge_m = x, .x_m = x, .phi = phi};
}

// Where a vertex begins, by linear interpolation, and what it is bound to. safe: between the
// corners as they lie on the edges of the lattice, where the parts of tetrahedra do not overlap.
static dew_TetraBound put_vertex(const March *m, uint64_t name, dew_Surface *out, int64_t at,
                                 dew_Vec3 *safe)
{
    uint32_t a = (uint32_t)(name >> 32), b = (uint32_t)name;
    WallCut from = corner_of(m, a), to = corner_of(m, b);
    double t = a == b ? 0
                      : fmax(DEW_TETRA_CLEARANCE,
                             fmin(from.phi / (from.phi - to.phi), 1 - DEW_TETRA_CLEARANCE));
    *safe = dew_combine(1 - t, from.on_edge_m, t, to.on_edge_m);
    DEW_ITEMS(&out->positions, dew_Vec3)[at] = dew_combine(1 - t, from.x_m, t, to.x_m);
    if (!(a & b & IN_WALL))
        return a == b ? DEW_TETRA_END : DEW_TETRA_FREE;
    DEW_ITEMS(&out->wet, float)[at] = 1;
    DEW_ITEMS(&out->solid_normals, dew_Vec3)
    [at] = dew_normalize(dew_combine(1 - t, from.normal, t, to.normal));
    return a == b ? DEW_TETRA_WALL : DEW_TETRA_LINE;
}

static dew_Status put_together(const March *m, dew_Surface *out)
{
    int64_t count, used = 0;
    const uint64_t *names = sort_names(m, &count);
    int64_t triangles = m->of[0].count + m->of[1].count + m->of[2].count;
    if (!names)
        return dew_no_memory((size_t)triangles * sizeof(Named));
    uint8_t *bound = dew_arena_array(m->def->scratch, uint8_t, count);
    dew_Vec3 *safe = dew_arena_array(m->def->scratch, dew_Vec3, count);
    if (!bound || !safe)
        return dew_no_memory((size_t)count * sizeof *safe);
    DEW_TRY(dew_surface_resize(out, count, triangles));
    for (int64_t i = 0; i < count; i++)
        bound[i] = (uint8_t)put_vertex(m, names[i], out, i, &safe[i]);
    for (int kind = 0; kind < 3; kind++)
        for (int64_t t = 0; t < m->of[kind].count; t++, used++)
            for (int c = 0; c < 3; c++) {
                uint32_t v = index_of(names, count, DEW_ITEMS(&m->of[kind], Named)[t].name[c]);
                DEW_ITEMS(&out->triangles, dew_Triangle)[used].v[c] = v;
                if (kind == ON_END && m->def->grid->dimensions == 3)
                    bound[v] = DEW_TETRA_END;
            }
    dew_TetraFit fit = {m->def, out, bound, m->of[ON_SURFACE].count, safe};
    return dew_tetra_fit(&fit);
}

static dew_Status march(March *m, dew_Surface *out)
{
    DEW_TRY(find_cubes(m));
    if (m->def->wall) {
        const uint8_t *is_used = mark_cells(m);
        if (!is_used)
            return dew_no_memory((size_t)dew_grid_value_count(m->def->grid));
        DEW_TRY(find_cuts(m, is_used));
        DEW_TRY(dew_parallel_for(m->def->tasks, m->cuts.count, DEW_CHUNK_ITEMS, place_chunk, m));
    }
    for (int64_t i = 0; i < m->cubes.count; i++)
        DEW_TRY(add_cube(m, &DEW_ITEMS(&m->cubes, Cube)[i]));
    return put_together(m, out);
}

dew_Status dew_march_tetrahedra(const dew_TetrahedraDef *def, dew_Surface *out)
{
    March m = {.def = def};
    dew_ArenaMark mark = dew_arena_mark(def->scratch);
    dew_surface_clear(out);
    dew_array_init(&m.cubes, &out->allocator, sizeof(Cube));
    dew_array_init(&m.cuts, &out->allocator, sizeof(WallCut));
    for (int kind = 0; kind < 3; kind++)
        dew_array_init(&m.of[kind], &out->allocator, sizeof(Named));
    dew_Status status = march(&m, out);
    dew_array_deinit(&m.cubes);
    dew_array_deinit(&m.cuts);
    for (int kind = 0; kind < 3; kind++)
        dew_array_deinit(&m.of[kind]);
    dew_arena_rewind(def->scratch, mark);
    return status;
}
