// The columns of a depth table as one closed mesh.
//
// Every vertical line of the table gets a vertex at each height where one of the four columns
// around it begins or ends. Tops and bottoms are squares; a side shows where a column stands and
// its neighbour does not, and is a ladder between two lines that takes in all vertices on them, so
// that no edge is left open. Where columns touch in an edge only, four triangles meet there.
#include "base/status.h"
#include "problem/depth.h"

enum { COLUMNS_AROUND = 4, LINE_HEIGHTS = 2 * COLUMNS_AROUND };

typedef struct Builder {
    const dew_DepthAsset *depth;
    uint32_t *first;  // vertex of each line; lines run along x first
    dew_Mesh *mesh;
} Builder;

typedef struct Span {
    double low, high;  // low == high: nothing
} Span;

static Span span_of(const dew_DepthAsset *d, int64_t column, int64_t row)
{
    if (column < 0 || column >= d->columns || row < 0 || row >= d->rows)
        return (Span){0, 0};
    int64_t i = row * d->columns + column;
    return d->depth_m[i] > 0 ? (Span){d->ground_m[i], d->ground_m[i] + d->depth_m[i]}
                             : (Span){0, 0};
}

static int insert_height(double heights[LINE_HEIGHTS], int count, double h)
{
    int at = 0;
    while (at < count && heights[at] < h)
        at++;
    if (at < count && heights[at] == h)
        return count;
    for (int i = count; i > at; i--)
        heights[i] = heights[i - 1];
    heights[at] = h;
    return count + 1;
}

// The heights on a line, ascending.
static int line_heights(const dew_DepthAsset *d, int64_t i, int64_t j, double heights[LINE_HEIGHTS])
{
    int count = 0;
    for (int k = 0; k < 4; k++) {
        Span s = span_of(d, i - (k & 1), j - (k >> 1));
        if (s.high > s.low) {
            count = insert_height(heights, count, s.low);
            count = insert_height(heights, count, s.high);
        }
    }
    return count;
}

static dew_Status add_vertices(Builder *b)
{
    const dew_DepthAsset *d = b->depth;
    for (int64_t j = 0; j <= d->rows; j++) {
        for (int64_t i = 0; i <= d->columns; i++) {
            if (b->mesh->positions.count > UINT32_MAX - LINE_HEIGHTS)
                return dew_fail(DEW_BAD_INPUT, "a depth table of %lld x %lld is too large to mesh",
                                (long long)d->columns, (long long)d->rows);
            b->first[j * (d->columns + 1) + i] = (uint32_t)b->mesh->positions.count;
            double heights[LINE_HEIGHTS];
            int count = line_heights(d, i, j, heights);
            double x = d->min_x_m + (double)i * d->cell_x_m;
            double z = d->min_z_m + (double)j * d->cell_z_m;
            for (int k = 0; k < count; k++)
                DEW_TRY(dew_mesh_add_vertex(b->mesh, dew_vec(x, heights[k], z)));
        }
    }
    return dew_ok();
}

// A line as a ladder sees it.
typedef struct Line {
    double heights[LINE_HEIGHTS];
    int count;
    uint32_t first;
} Line;

static Line line_at(const Builder *b, int64_t i, int64_t j)
{
    Line line;
    line.count = line_heights(b->depth, i, j, line.heights);
    line.first = b->first[j * (b->depth->columns + 1) + i];
    return line;
}

static uint32_t vertex_at(const Line *line, double height)
{
    int k = 0;
    while (k < line->count - 1 && line->heights[k] < height)
        k++;
    return line->first + (uint32_t)k;
}

// Between two lines from low to high; seen from outside, `left` is left.
static dew_Status add_ladder(const Builder *b, const Line *left, const Line *right, Span span)
{
    uint32_t l = vertex_at(left, span.low), l_end = vertex_at(left, span.high);
    uint32_t r = vertex_at(right, span.low), r_end = vertex_at(right, span.high);
    while (l < l_end || r < r_end) {
        bool step_left = l < l_end && (r == r_end || left->heights[l + 1 - left->first] <=
                                                         right->heights[r + 1 - right->first]);
        if (step_left) {
            DEW_TRY(dew_mesh_add_triangle(b->mesh, l, r, l + 1));
            l++;
        } else {
            DEW_TRY(dew_mesh_add_triangle(b->mesh, l, r, r + 1));
            r++;
        }
    }
    return dew_ok();
}

// The side of the column `own` towards the neighbour `other`: where own stands and other does not.
static dew_Status add_side(const Builder *b, Span own, Span other, Line left, Line right)
{
    if (!(other.high > other.low) || other.high <= own.low || other.low >= own.high)
        return add_ladder(b, &left, &right, own);
    if (other.low > own.low)
        DEW_TRY(add_ladder(b, &left, &right, (Span){own.low, other.low}));
    if (other.high < own.high)
        DEW_TRY(add_ladder(b, &left, &right, (Span){other.high, own.high}));
    return dew_ok();
}

static dew_Status add_square(const Builder *b, const Line line[4], double height, bool is_top)
{
    uint32_t v[4];
    for (int k = 0; k < 4; k++)
        v[k] = vertex_at(&line[k], height);
    int second = is_top ? 1 : 3, last = is_top ? 3 : 1;
    DEW_TRY(dew_mesh_add_triangle(b->mesh, v[0], v[second], v[2]));
    return dew_mesh_add_triangle(b->mesh, v[0], v[2], v[last]);
}

static dew_Status add_column(const Builder *b, int64_t c, int64_t r)
{
    const dew_DepthAsset *d = b->depth;
    Span own = span_of(d, c, r);
    if (!(own.high > own.low))
        return dew_ok();
    // Counter-clockwise seen from above, where z runs towards the eye's lower edge.
    Line line[4] = {line_at(b, c, r), line_at(b, c, r + 1), line_at(b, c + 1, r + 1),
                    line_at(b, c + 1, r)};
    DEW_TRY(add_square(b, line, own.high, true));
    DEW_TRY(add_square(b, line, own.low, false));
    DEW_TRY(add_side(b, own, span_of(d, c - 1, r), line[0], line[1]));
    DEW_TRY(add_side(b, own, span_of(d, c, r + 1), line[1], line[2]));
    DEW_TRY(add_side(b, own, span_of(d, c + 1, r), line[2], line[3]));
    return add_side(b, own, span_of(d, c, r - 1), line[3], line[0]);
}

static dew_Status add_columns(const Builder *b)
{
    for (int64_t r = 0; r < b->depth->rows; r++) {
        for (int64_t c = 0; c < b->depth->columns; c++)
            DEW_TRY(add_column(b, c, r));
    }
    return dew_ok();
}

dew_Status dew_depth_mesh(const dew_DepthAsset *depth, dew_Mesh *out)
{
    int64_t lines = (depth->columns + 1) * (depth->rows + 1);
    dew_mesh_clear(out);
    uint32_t *first = (uint32_t *)dew_alloc(&out->allocator, lines, sizeof(uint32_t));
    if (!first)
        return dew_no_memory((size_t)lines * sizeof(uint32_t));
    Builder b = {depth, first, out};
    dew_Status status = add_vertices(&b);
    if (status.code == DEW_OK)
        status = add_columns(&b);
    dew_free(&out->allocator, first, (size_t)lines * sizeof(uint32_t));
    return status;
}
