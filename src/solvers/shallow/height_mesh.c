// The liquid as a closed mesh: its surface, the ground under it, and walls at the domain's sides.
//
// Nodes are the cell centres, and points on the sides of the domain with the values of the cells
// beside them. Each square of four nodes is cut where the liquid ends; surface and ground share the
// vertices there, so the mesh is closed.
//
// Waves: the mesh ends where phi = 0, smoothed over a cell, or where the liquid is thinner than
// shown_cells; single cells are left out. A receding line leaves isolated cells of film; their
// volume is added to the rest. Where the ground is steep the surface continues level until it meets
// the ground (shore_mesh.c). Waves have no contact angle: no contact line is measured. Films: the
// mesh ends where phi = 0.
#include "base/status.h"
#include "geom/mesh_measure.h"
#include "solvers/shallow/films/thin_film.h"
#include "solvers/shallow/shore_mesh.h"
#include "surface/surface.h"

#include <string.h>

// Largest factor by which a piece is thickened: the volume of a column over that of the pyramid on
// the square between the centres of its sides, 1 / (1/2 * 1/3).
#define MOST 6.0

typedef struct Builder {
    const dew_Problem *problem;
    const dew_Instant *instant;
    const dew_SolverState *state;
    dew_Surface *out;
    int columns, rows;        // nodes
    uint8_t *is_in;           // per node: it is shown
    double deepest_m;         // column
    bool is_coarse;           // all liquid is specks of few cells: the depth of each cell decides
    uint32_t *top, *bottom;   // per node: its vertices; NONE where it is dry
    uint32_t *cut_x, *cut_z;  // per node: the vertex on the line towards the next node
} Builder;
#define NONE UINT32_MAX

// The cell whose values a node has.
static int64_t cell_of(const Builder *b, int i, int j)
{
    const dew_ShallowGrid *g = &b->state->grid;
    int column = i == 0 ? 0 : i > g->columns ? g->columns - 1 : i - 1;
    int row = j == 0 ? 0 : j > g->rows ? g->rows - 1 : j - 1;
    return dew_shallow_at(g, column, row);
}

static double node_x(const Builder *b, int i)
{
    const dew_ShallowGrid *g = &b->state->grid;
    double at = i == 0 ? 0 : i > g->columns ? g->columns : i - 0.5;
    return g->min_x_m + at * g->dx_m;
}
static double node_z(const Builder *b, int j)
{
    const dew_ShallowGrid *g = &b->state->grid;
    double at = j == 0 ? 0 : j > g->rows ? g->rows : j - 0.5;
    return g->min_z_m + at * g->dz_m;
}

// ---- what is shown -----------------------------------------------------------------------------

static double deepest(const dew_SolverState *s)
{
    double depth = 0;
    for (int row = 0; row < s->grid.rows; row++)
        for (int i = 0; i < s->grid.columns; i++)
            depth = fmax(depth, s->depth[dew_shallow_at(&s->grid, i, row)]);
    return depth;
}

// Depth from which columns are shown.
static double shown_m(const Builder *b)
{
    return fmin(dew_shallow_shared.shown_cells * b->state->grid.dx_m,
                dew_shallow_shared.shown_ratio * b->deepest_m);
}

// Depth of a column over its middle.
static double depth_at(const Builder *b, int64_t n)
{
    const dew_SolverState *s = b->state;
    if (s->film)
        return dew_film_wedge_m(s->depth[n], s->film->layer_m[n], s->film->steepness[n]);
    bool is_shore = !b->is_coarse && dew_shallow_is_by_steep(s, n);
    return is_shore ? dew_shallow_shore_depth(s, n, shown_m(b)) : s->depth[n];
}

// Signed distance from the line that is shown. By steep ground, where a cell is reached or not, the
// depth is right.
static double line_at(const Builder *b, int64_t n)
{
    static const double weight[3] = {0.25, 0.5, 0.25};
    const dew_SolverState *s = b->state;
    if (s->film)
        return s->phi[n];
    if (b->is_coarse || dew_shallow_is_by_steep(s, n)) {
        double least = dew_shallow_shared.contradicted_phi * s->grid.dx_m;
        return depth_at(b, n) > shown_m(b) ? fmin(s->phi[n], -least) : fmax(s->phi[n], least);
    }
    double sum = 0;
    for (int z = -1; z <= 1; z++) {
        const double *phi = s->phi + n + (s->grid.has_z ? z * s->grid.stride : 0);
        sum += weight[z + 1] * (weight[0] * phi[-1] + weight[1] * phi[0] + weight[2] * phi[1]);
    }
    return sum;
}

static bool is_alone(const Builder *b, int i, int j)
{
    int beside = -1;  // itself
    for (int z = j > 0 ? j - 1 : 0; z <= j + 1 && z < b->rows; z++)
        for (int x = i > 0 ? i - 1 : 0; x <= i + 1 && x < b->columns; x++)
            beside += b->is_in[(int64_t)z * b->columns + x] != 0;
    return beside < dew_shallow_shared.shown_neighbours;
}

// A column is shown where its two sides differ in the single precision of files: those that a sink
// emptied may have phi < 0 and no thickness.
static bool is_shown(const Builder *b, int64_t n)
{
    double ground_m = b->state->ground[n], depth_m = b->state->depth[n];
    return (float)(ground_m + depth_m) > (float)ground_m &&
           (b->state->film || depth_at(b, n) > shown_m(b));
}

static void choose_nodes(Builder *b)
{
    const dew_SolverState *s = b->state;
    for (int j = 0; j < b->rows; j++)
        for (int i = 0; i < b->columns; i++) {
            int64_t n = cell_of(b, i, j);
            b->is_in[(int64_t)j * b->columns + i] = line_at(b, n) < 0 && is_shown(b, n);
        }
    // Those alone are marked first and then left out, so that the order does not matter.
    for (int pass = 0; pass < 2 && !s->film && !b->is_coarse; pass++)
        for (int j = 0; j < b->rows; j++)
            for (int i = 0; i < b->columns; i++) {
                uint8_t *is_in = &b->is_in[(int64_t)j * b->columns + i];
                bool is_small =
                    s->depth[cell_of(b, i, j)] < dew_shallow_shared.shown_ratio * b->deepest_m;
                if (pass == 0 && *is_in && is_small && is_alone(b, i, j))
                    *is_in = 2;
                else if (pass == 1 && *is_in == 2)
                    *is_in = 0;
            }
}

static bool is_in(const Builder *b, int i, int j)
{
    return b->is_in[(int64_t)j * b->columns + i] != 0;
}

// How far from the shown column n towards m, which is not, the liquid goes: 0..1.
static double part_shown(const Builder *b, int64_t n, int64_t m)
{
    const dew_SolverState *s = b->state;
    double from = line_at(b, n), to = line_at(b, m), film = shown_m(b);
    double line = to >= 0 ? from / (from - to) : 1, shallow = s->film ? film : depth_at(b, m);
    if (s->film && to < 0)
        return 0.5;  // column m is empty: the liquid ends at the face between the columns
    if (shallow < film)
        line = fmin(line, (depth_at(b, n) - film) / (depth_at(b, n) - shallow));
    return line;
}

// ---- vertices and triangles --------------------------------------------------------------------

static dew_Vec3 ground_normal(const dew_SolverState *s, int64_t n)
{
    const dew_ShallowGrid *g = &s->grid;
    double x = (s->ground[n + 1] - s->ground[n - 1]) / (2 * g->dx_m), z = 0;
    if (g->has_z)
        z = (s->ground[n + g->stride] - s->ground[n - g->stride]) / (2 * g->dz_m);
    return dew_normalize(dew_vec(-x, 1, -z));
}

static dew_Vec3 velocity_of(const dew_SolverState *s, int64_t n)
{
    double w = s->grid.has_z ? 0.5 * (s->w[n] + s->w[n + s->grid.stride]) : 0;
    return dew_vec(0.5 * (s->u[n] + s->u[n + 1]), 0, w);
}

// Room for the vertices of a row of nodes: two each, and two on the lines to the next ones; and for
// the triangles of a row of squares: two triangles each, or the three of a pentagon, above, as many
// below, and two on each side that is the domain's.
static dew_Status reserve_row(Builder *b)
{
    dew_Surface *out = b->out;
    int64_t vertices = out->positions.count + 4 * (int64_t)b->columns;
    int64_t triangles = out->triangles.count + (2 * 3 + 4 * 2) * (int64_t)b->columns;
    if (vertices >= NONE)
        return dew_fail(DEW_BAD_INPUT, "the liquid's surface has too many vertices");
    DEW_TRY(dew_array_reserve(&out->positions, vertices));
    DEW_TRY(dew_array_reserve(&out->velocities, vertices));
    DEW_TRY(dew_array_reserve(&out->wet, vertices));
    DEW_TRY(dew_array_reserve(&out->solid_normals, vertices));
    return dew_array_reserve(&out->triangles, triangles);
}

// Into memory that is reserved.
static void add_vertex(Builder *b, dew_Vec3 p, dew_Vec3 v, dew_Vec3 solid, uint32_t *id)
{
    dew_Surface *out = b->out;
    int64_t n = out->positions.count++;
    out->velocities.count = out->wet.count = out->solid_normals.count = n + 1;
    DEW_ITEMS(&out->positions, dew_Vec3)[n] = p;
    DEW_ITEMS(&out->velocities, dew_Vec3)[n] = v;
    DEW_ITEMS(&out->wet, float)[n] = dew_length2(solid) > 0;
    DEW_ITEMS(&out->solid_normals, dew_Vec3)[n] = solid;
    *id = (uint32_t)n;
}

static void add_node(Builder *b, int i, int j)
{
    const dew_SolverState *s = b->state;
    int64_t n = cell_of(b, i, j), at = (int64_t)j * b->columns + i;
    double flow_depth = fmax(depth_at(b, n), s->params.dry_m);
    dew_Vec3 p = {node_x(b, i), s->ground[n], node_z(b, j)}, v = velocity_of(s, n);
    add_vertex(b, p, v, ground_normal(s, n), &b->bottom[at]);
    p.y += flow_depth;
    add_vertex(b, p, v, dew_vec(0, 0, 0), &b->top[at]);
}

// The end of the liquid between a node that is shown and one that is not.
typedef struct End {
    dew_Vec3 from_m, to_m;  // the nodes, on the ground
    int64_t n, m;           // their cells
} End;

// Does steep ground rise above the surface there?
static bool is_shore(const Builder *b, const End *end)
{
    const dew_SolverState *s = b->state;
    return !s->film && (dew_shallow_is_by_steep(s, end->n) || dew_shallow_is_by_steep(s, end->m)) &&
           s->ground[end->m] > s->ground[end->n] + depth_at(b, end->n);
}

static void add_end(Builder *b, const End *end, uint32_t *id)
{
    const dew_SolverState *s = b->state;
    dew_Vec3 from = end->from_m, to = end->to_m, normal = ground_normal(s, end->n);
    if (!is_shore(b, end)) {
        double t = part_shown(b, end->n, end->m);
        dew_Vec3 p = dew_combine(1 - t, from, t, to);
        add_vertex(b, p, velocity_of(s, end->n), normal, id);
        return;
    }
    dew_ShallowShore shore = {from, to, from.y + depth_at(b, end->n)};
    dew_Vec3 p =
        dew_add_scaled(from, dew_shallow_shore(b->problem, b->instant, &shore), dew_sub(to, from));
    p.y = shore.level_m;
    dew_SolidPoint solid = dew_problem_nearest(b->problem, b->instant, p, s->grid.dx_m);
    if (solid.solid_id != DEW_INVALID)
        normal = solid.normal;
    add_vertex(b, p, velocity_of(s, end->n), normal, id);
}

// The vertex where the line crosses the edge from node (i, j) to (i + di, j + dj), if it does.
static void add_cut(Builder *b, int i, int j, int di, int dj, uint32_t *id)
{
    const dew_SolverState *s = b->state;
    int k = i + di, l = j + dj;
    if (k >= b->columns || l >= b->rows || is_in(b, i, j) == is_in(b, k, l))
        return;
    int64_t n = cell_of(b, i, j), m = cell_of(b, k, l);
    End end = {{node_x(b, i), s->ground[n], node_z(b, j)},
               {node_x(b, k), s->ground[m], node_z(b, l)},
               n,
               m};
    if (!is_in(b, i, j))
        end = (End){end.to_m, end.from_m, m, n};
    add_end(b, &end, id);
}

static dew_Status add_vertices(Builder *b)
{
    for (int j = 0; j < b->rows; j++) {
        DEW_TRY(reserve_row(b));
        for (int i = 0; i < b->columns; i++) {
            int64_t at = (int64_t)j * b->columns + i;
            b->top[at] = b->bottom[at] = b->cut_x[at] = b->cut_z[at] = NONE;
            if (is_in(b, i, j))
                add_node(b, i, j);
            add_cut(b, i, j, 1, 0, &b->cut_x[at]);
            add_cut(b, i, j, 0, 1, &b->cut_z[at]);
        }
    }
    return dew_ok();
}

// Into memory that is reserved.
static void add_triangle(Builder *b, uint32_t x, uint32_t y, uint32_t z)
{
    dew_Array *triangles = &b->out->triangles;
    if (x != y && y != z && z != x)
        DEW_ITEMS(triangles, dew_Triangle)[triangles->count++] = (dew_Triangle){{x, y, z}};
}

// A corner of the cut polygon: surface and ground.
typedef struct Corner {
    uint32_t top, bottom;
} Corner;

// The polygon's surface and ground. Corners are counter-clockwise seen from above.
static void add_polygon(Builder *b, const Corner *c, int count)
{
    for (int k = 1; k + 1 < count; k++) {
        add_triangle(b, c[0].top, c[k].top, c[k + 1].top);
        add_triangle(b, c[0].bottom, c[k + 1].bottom, c[k].bottom);
    }
}

// The side of the liquid on the domain's edge, between two corners that follow one another.
static void add_wall(Builder *b, Corner from, Corner to)
{
    add_triangle(b, from.top, from.bottom, to.bottom);
    add_triangle(b, from.top, to.bottom, to.top);
}

// A square's corner nodes counter-clockwise seen from above (z towards the viewer): along +z, +x,
// -z, -x.
static const int corner_x[4] = {0, 0, 1, 1}, corner_z[4] = {0, 1, 1, 0};

typedef struct Square {
    Corner node[4], cut[4];  // cut k: between corner k and the next
    bool in[4], on_edge[4];  // edge k lies on the domain's side
} Square;

static Square square_at(const Builder *b, int i, int j)
{
    Square q;
    for (int k = 0; k < 4; k++) {
        int x = i + corner_x[k], z = j + corner_z[k];
        int64_t at = (int64_t)z * b->columns + x;
        q.in[k] = is_in(b, x, z);
        q.node[k] = (Corner){b->top[at], b->bottom[at]};
    }
    int64_t at = (int64_t)j * b->columns + i;
    uint32_t cut[4] = {b->cut_z[at], b->cut_x[at + b->columns], b->cut_z[at + 1], b->cut_x[at]};
    for (int k = 0; k < 4; k++)
        q.cut[k] = (Corner){cut[k], cut[k]};
    q.on_edge[0] = i == 0;
    q.on_edge[1] = j + 2 == b->rows;
    q.on_edge[2] = i + 2 == b->columns;
    q.on_edge[3] = j == 0;
    return q;
}

static void add_walls(Builder *b, const Square *q)
{
    for (int k = 0; k < 4; k++) {
        int next = (k + 1) & 3;
        if (!q->on_edge[k] || (!q->in[k] && !q->in[next]))
            continue;
        add_wall(b, q->in[k] ? q->node[k] : q->cut[k], q->in[next] ? q->node[next] : q->cut[k]);
    }
}

static void add_square(Builder *b, int i, int j)
{
    Square q = square_at(b, i, j);
    int inside = q.in[0] + q.in[1] + q.in[2] + q.in[3];
    if (inside == 0)
        return;
    add_walls(b, &q);
    if (inside == 2 && q.in[0] == q.in[2]) {  // two drops that nearly touch
        int k = q.in[0] ? 0 : 1;
        Corner one[3] = {q.cut[(k + 3) & 3], q.node[k], q.cut[k]};
        Corner two[3] = {q.cut[k + 1], q.node[k + 2], q.cut[(k + 2) & 3]};
        add_polygon(b, one, 3);
        add_polygon(b, two, 3);
        return;
    }
    Corner c[8];
    int count = 0;
    for (int k = 0; k < 4; k++) {
        if (q.in[k])
            c[count++] = q.node[k];
        if (q.in[k] != q.in[(k + 1) & 3])
            c[count++] = q.cut[k];
    }
    add_polygon(b, c, count);
}

// ---- as much as there is -----------------------------------------------------------------------

// Of each piece.
typedef struct Volumes {
    double *wanted_m3, *made_m3;
    double *height_m;  // of a vertex
} Volumes;

// Volume of the columns of each piece; what stands outside of all lines is shared by all.
static void sum_columns(const Builder *b, double *volume_m3)
{
    const dew_SolverState *s = b->state;
    double all = 0, inside = 0;
    for (int row = 0; row < s->grid.rows; row++)
        for (int i = 0; i < s->grid.columns; i++) {
            double volume = s->depth[dew_shallow_at(&s->grid, i, row)] * s->grid.cell_m2;
            uint32_t top = b->top[(int64_t)(row + 1) * b->columns + i + 1];
            all += volume;
            if (top == NONE)
                continue;
            volume_m3[DEW_ITEMS(&b->out->pieces, uint32_t)[top]] += volume;
            inside += volume;
        }
    for (int p = 0; inside > 0 && p < b->out->piece_count; p++)
        volume_m3[p] *= all / inside;
}

// Volume of the mesh of each piece: the integral of y over the shadows of its triangles, seen from
// the height of a vertex.
static void sum_meshes(const Builder *b, Volumes *v)
{
    const dew_Vec3 *x = DEW_ITEMS(&b->out->positions, dew_Vec3);
    const uint32_t *pieces = DEW_ITEMS(&b->out->pieces, uint32_t);
    for (int64_t n = b->out->positions.count - 1; n >= 0; n--)
        if (pieces[n] != DEW_NO_COMPONENT)
            v->height_m[pieces[n]] = x[n].y;
    for (int64_t t = 0; t < b->out->triangles.count; t++) {
        const uint32_t *c = DEW_ITEMS(&b->out->triangles, dew_Triangle)[t].v;
        dew_Vec3 p = x[c[0]], q = x[c[1]], r = x[c[2]];
        uint32_t piece = pieces[c[0]];
        double shadow_m2 = 0.5 * ((q.z - p.z) * (r.x - p.x) - (q.x - p.x) * (r.z - p.z));
        v->made_m3[piece] += shadow_m2 * ((p.y + q.y + r.y) / 3 - v->height_m[piece]);
    }
}

// A speck that the line leaves hardly any ground of would become a needle: it shows no more than
// MOST times what its mesh has, and the others show the rest.
static void share_needles(const Builder *b, const Volumes *v)
{
    double excess = 0, others = 0;
    for (int p = 0; p < b->out->piece_count; p++) {
        double most = MOST * v->made_m3[p];
        excess += fmax(0, v->wanted_m3[p] - most);
        others += v->wanted_m3[p] > most ? 0 : v->wanted_m3[p];
    }
    for (int p = 0; others > 0 && p < b->out->piece_count; p++) {
        double most = MOST * v->made_m3[p];
        v->wanted_m3[p] = v->wanted_m3[p] > most ? most : v->wanted_m3[p] * (1 + excess / others);
    }
}

// Cutting at the line takes or gives a little; the thickness of each piece makes up for it. A
// node's ground is the vertex before its surface.
static void stretch_columns(const Builder *b, const Volumes *v)
{
    dew_Vec3 *x = DEW_ITEMS(&b->out->positions, dew_Vec3);
    for (int64_t at = 0; at < (int64_t)b->columns * b->rows; at++) {
        uint32_t top = b->top[at];
        if (top == NONE)
            continue;
        uint32_t piece = DEW_ITEMS(&b->out->pieces, uint32_t)[top];
        double made = v->made_m3[piece], wanted = v->wanted_m3[piece];
        if (made > 0 && wanted > 0)
            x[top].y = x[top - 1].y + (x[top].y - x[top - 1].y) * wanted / made;
    }
}

static dew_Status fit_volumes(const Builder *b)
{
    const dew_Allocator *allocator = &b->state->allocator;
    int64_t pieces = b->out->piece_count;
    double *memory = (double *)dew_alloc(allocator, 3 * pieces, sizeof *memory);
    if (!memory)
        return dew_no_memory(3 * (size_t)pieces * sizeof *memory);
    Volumes volumes = {memory, memory + pieces, memory + 2 * pieces};
    sum_columns(b, volumes.wanted_m3);
    sum_meshes(b, &volumes);
    share_needles(b, &volumes);
    stretch_columns(b, &volumes);
    dew_free(allocator, memory, 3 * (size_t)pieces * sizeof *memory);
    return dew_ok();
}

static int64_t cell_of_node(const void *context, int64_t node)
{
    const Builder *b = context;
    return cell_of(b, (int)(node % b->columns), (int)(node / b->columns));
}

static dew_Status build(Builder *b)
{
    int64_t count = (int64_t)b->columns * b->rows;
    b->deepest_m = deepest(b->state);
    choose_nodes(b);
    if (b->deepest_m > 0 && !memchr(b->is_in, 1, (size_t)count)) {  // smoothing left nothing
        b->is_coarse = true;
        choose_nodes(b);
    }
    DEW_TRY(add_vertices(b));
    for (int j = 0; j + 1 < b->rows; j++) {
        DEW_TRY(reserve_row(b));
        for (int i = 0; i + 1 < b->columns; i++)
            add_square(b, i, j);
    }
    dew_FilmTops tops = {b->top, count, cell_of_node, b};
    if (b->state->film) {
        DEW_TRY(dew_film_fit_mesh(b->state, &tops, b->out));
        return dew_surface_finish(b->out);
    }
    DEW_TRY(dew_surface_label_pieces(b->out));
    DEW_TRY(fit_volumes(b));
    return dew_surface_finish_plain(b->out, DEW_NORMALS_EVEN, true);
}

dew_Status dew_shallow_surface(const dew_Problem *problem, const dew_SolverState *state,
                               const dew_Instant *instant, dew_Surface *out)
{
    Builder b = {.problem = problem,
                 .instant = instant,
                 .state = state,
                 .out = out,
                 .columns = state->grid.columns + 2,
                 .rows = state->grid.rows + 2};
    int64_t nodes = (int64_t)b.columns * b.rows;
    uint32_t *memory = (uint32_t *)dew_alloc(&state->allocator, 5 * nodes, sizeof *memory);
    if (!memory)
        return dew_no_memory(5 * (size_t)nodes * sizeof *memory);
    b.top = memory;
    b.bottom = memory + nodes;
    b.cut_x = memory + 2 * nodes;
    b.cut_z = memory + 3 * nodes;
    b.is_in = (uint8_t *)(memory + 4 * nodes);
    dew_surface_clear(out);
    dew_Status status = build(&b);
    dew_free(&state->allocator, memory, 5 * (size_t)nodes * sizeof *memory);
    return status;
}
