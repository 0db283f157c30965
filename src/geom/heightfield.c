// Ground as a regular grid of heights: exact distance to its triangles.
//
// The asking point's own height above the ground bounds the distance. From there a pyramid of
// lowest and highest heights, each level over blocks twice as wide, is walked nearest block first;
// blocks farther than the best triangle so far are left out. Near the ground that visits a few
// cells.
//
// The cells are those of the grid and a border of one cell all around that reaches to infinity: its
// heights are those of the rim, so its triangles are exact however far they are drawn.
#include "geom/heightfield.h"

#include "base/arena.h"
#include "base/status.h"
#include "geom/triangle.h"

#include <limits.h>

#define MAX_LEVELS ((int)sizeof(int) * CHAR_BIT)  // each halves a count
#define MAX_POINTS ((int64_t)1 << 31)             // along a side, and in all
#define WINDOW     3.0  // cells of reach up to which a plain loop is faster than the pyramid

typedef struct Span {
    float low, high;  // rounded outward
} Span;

// Level l has blocks of 2^(l + 1) cells a side.
typedef struct Level {
    Span *spans;
    int64_t columns, rows;
} Level;

struct dew_Heightfield {
    int64_t columns, rows;  // points
    double min_x, min_z, max_x, max_z, step_x, step_z;
    double *heights;
    double lowest, highest;
    Level levels[MAX_LEVELS];
    int level_count;
    dew_Arena arena;
};

static int64_t clamp_index(int64_t i, int64_t count)
{
    return i < 0 ? 0 : i >= count ? count - 1 : i;
}

static double height_of(const dew_Heightfield *f, int64_t column, int64_t row)
{
    return f->heights[clamp_index(row, f->rows) * f->columns + clamp_index(column, f->columns)];
}

static double line_x(const dew_Heightfield *f, int64_t column)
{
    if (column < 0 || column >= f->columns)
        return column < 0 ? -HUGE_VAL : HUGE_VAL;
    return column == f->columns - 1 ? f->max_x : f->min_x + (double)column * f->step_x;
}

static double line_z(const dew_Heightfield *f, int64_t row)
{
    if (row < 0 || row >= f->rows)
        return row < 0 ? -HUGE_VAL : HUGE_VAL;
    return row == f->rows - 1 ? f->max_z : f->min_z + (double)row * f->step_z;
}

// ---- making it ---------------------------------------------------------------------------------

static void widen(Span *span, float low, float high)
{
    span->low = low < span->low ? low : span->low;
    span->high = high > span->high ? high : span->high;
}

// Blocks of two by two cells. Cell c lies between grid lines c - 1 and c.
static void fill_finest(const dew_Heightfield *f, const Level *level)
{
    for (int64_t j = 0; j < level->rows; j++) {
        for (int64_t i = 0; i < level->columns; i++) {
            Span span = {INFINITY, -INFINITY};
            for (int64_t row = 2 * j - 1; row <= 2 * j + 1; row++) {
                for (int64_t column = 2 * i - 1; column <= 2 * i + 1; column++) {
                    float h = (float)height_of(f, column, row);
                    widen(&span, nextafterf(h, -INFINITY), nextafterf(h, INFINITY));
                }
            }
            level->spans[j * level->columns + i] = span;
        }
    }
}

static void fill_coarser(const Level *fine, const Level *coarse)
{
    for (int64_t j = 0; j < coarse->rows; j++) {
        for (int64_t i = 0; i < coarse->columns; i++) {
            Span span = {INFINITY, -INFINITY};
            for (int64_t row = 2 * j; row < 2 * j + 2 && row < fine->rows; row++) {
                for (int64_t column = 2 * i; column < 2 * i + 2 && column < fine->columns;
                     column++) {
                    Span part = fine->spans[row * fine->columns + column];
                    widen(&span, part.low, part.high);
                }
            }
            coarse->spans[j * coarse->columns + i] = span;
        }
    }
}

static dew_Status make_levels(dew_Heightfield *f)
{
    int64_t columns = (f->columns + 2) / 2, rows = (f->rows + 2) / 2;  // of columns + 1 cells
    for (int l = 0; l < MAX_LEVELS; l++) {
        Level *level = &f->levels[l];
        level->columns = columns;
        level->rows = rows;
        level->spans = dew_arena_array(&f->arena, Span, columns * rows);
        if (!level->spans)
            return dew_no_memory((size_t)(columns * rows) * sizeof(Span));
        if (l == 0)
            fill_finest(f, level);
        else
            fill_coarser(&f->levels[l - 1], level);
        f->level_count = l + 1;
        if (columns == 1 && rows == 1)
            break;
        columns = (columns + 1) / 2;
        rows = (rows + 1) / 2;
    }
    return dew_ok();
}

static dew_Status check_def(const dew_HeightfieldDef *def)
{
    if (def->columns < 2 || def->rows < 2 || def->columns > MAX_POINTS || def->rows > MAX_POINTS ||
        def->columns > MAX_POINTS / def->rows)
        return dew_fail(
            DEW_BAD_INPUT,
            "a heightfield of %lld x %lld heights is not possible (at least 2 x 2, at most "
            "2^31 in all)",
            (long long)def->columns, (long long)def->rows);
    if (!(def->max_x > def->min_x && def->max_z > def->min_z) ||
        !isfinite(def->max_x - def->min_x) || !isfinite(def->max_z - def->min_z))
        return dew_fail(
            DEW_BAD_INPUT,
            "a heightfield from (%g, %g) to (%g, %g) m covers nothing (max must be above "
            "min)",
            def->min_x, def->min_z, def->max_x, def->max_z);
    for (int64_t i = 0; i < def->columns * def->rows; i++) {
        if (!(fabs(def->heights[i]) <= DEW_MAX_LENGTH_M))
            return dew_fail(
                DEW_BAD_INPUT, "the height in row %lld, column %lld is %g (must be finite)",
                (long long)(i / def->columns), (long long)(i % def->columns), def->heights[i]);
    }
    return dew_ok();
}

static dew_Status fill(dew_Heightfield *f, const dew_HeightfieldDef *def)
{
    int64_t count = def->columns * def->rows;
    f->heights = dew_arena_array(&f->arena, double, count);
    if (!f->heights)
        return dew_no_memory((size_t)count * sizeof(double));
    f->lowest = HUGE_VAL;
    f->highest = -HUGE_VAL;
    for (int64_t i = 0; i < count; i++) {
        f->heights[i] = def->heights[i];
        f->lowest = fmin(f->lowest, def->heights[i]);
        f->highest = fmax(f->highest, def->heights[i]);
    }
    return make_levels(f);
}

dew_Status dew_heightfield_create(const dew_HeightfieldDef *def, dew_Heightfield **out)
{
    *out = NULL;
    DEW_TRY(check_def(def));
    dew_Heightfield *f = dew_alloc(&def->allocator, 1, sizeof *f);
    if (!f)
        return dew_no_memory(sizeof *f);
    dew_arena_init(&f->arena, &def->allocator);
    f->columns = def->columns;
    f->rows = def->rows;
    f->min_x = def->min_x;
    f->min_z = def->min_z;
    f->max_x = def->max_x;
    f->max_z = def->max_z;
    f->step_x = (def->max_x - def->min_x) / (double)(def->columns - 1);
    f->step_z = (def->max_z - def->min_z) / (double)(def->rows - 1);
    dew_Status status = fill(f, def);
    if (status.code != DEW_OK) {
        dew_heightfield_destroy(f);
        return status;
    }
    *out = f;
    return dew_ok();
}

void dew_heightfield_destroy(dew_Heightfield *f)
{
    if (!f)
        return;
    dew_Allocator allocator = f->arena.allocator;
    dew_arena_deinit(&f->arena);
    dew_free(&allocator, f, sizeof *f);
}

// ---- asking it ---------------------------------------------------------------------------------

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

double dew_heightfield_height(const dew_Heightfield *f, double x, double z)
{
    double s = clamp((x - f->min_x) / f->step_x, 0, (double)(f->columns - 1));
    double t = clamp((z - f->min_z) / f->step_z, 0, (double)(f->rows - 1));
    int64_t i = clamp_index((int64_t)s, f->columns - 1), j = clamp_index((int64_t)t, f->rows - 1);
    double u = s - (double)i, v = t - (double)j;
    const double *a = &f->heights[j * f->columns + i], *d = a + f->columns;
    if (v >= u)
        return a[0] + v * (d[0] - a[0]) + u * (d[1] - d[0]);
    return a[0] + u * (a[1] - a[0]) + v * (d[1] - a[1]);
}

dew_Box dew_heightfield_box(const dew_Heightfield *f)
{
    return (dew_Box){{f->min_x, f->lowest, f->min_z}, {f->max_x, f->highest, f->max_z}};
}

// A search for the closest point.
typedef struct Search {
    const dew_Heightfield *field;
    dew_Vec3 p;
    double far_x[2], far_z[2];  // how far the border cells are drawn
    dew_TriangleClosest best;
    dew_Vec3 normal;  // of the best triangle
} Search;

typedef struct Block {
    double distance2;
    int64_t i, j;
    int level;
} Block;

static double outside(double x, double low, double high)
{
    return x < low ? low - x : x > high ? x - high : 0;
}

// fmin without its care for NaN, which costs a call.
static double least(double a, double b)
{
    return a < b ? a : b;
}

static double block_distance2(const Search *s, int level, int64_t i, int64_t j)
{
    const dew_Heightfield *f = s->field;
    Span span = f->levels[level].spans[j * f->levels[level].columns + i];
    int64_t width = (int64_t)2 << level;
    double x = outside(s->p.x, line_x(f, i * width - 1), line_x(f, (i + 1) * width - 1));
    double y = outside(s->p.y, (double)span.low, (double)span.high);
    double z = outside(s->p.z, line_z(f, j * width - 1), line_z(f, (j + 1) * width - 1));
    return x * x + y * y + z * z;
}

static void try_triangle(Search *s, dew_Vec3 a, dew_Vec3 b, dew_Vec3 c)
{
    dew_TriangleClosest found = dew_triangle_closest(a, b, c, s->p);
    if (found.distance2 < s->best.distance2) {
        s->best = found;
        s->normal = dew_triangle_normal(a, b, c);
    }
}

// Cell (i, j) lies between grid lines i - 1 and i, j - 1 and j.
static void try_cell(Search *s, int64_t i, int64_t j)
{
    const dew_Heightfield *f = s->field;
    double x0 = i == 0 ? s->far_x[0] : line_x(f, i - 1);
    double x1 = i == f->columns ? s->far_x[1] : line_x(f, i);
    double z0 = j == 0 ? s->far_z[0] : line_z(f, j - 1);
    double z1 = j == f->rows ? s->far_z[1] : line_z(f, j);
    dew_Vec3 a = {x0, height_of(f, i - 1, j - 1), z0}, b = {x1, height_of(f, i, j - 1), z0};
    dew_Vec3 c = {x1, height_of(f, i, j), z1}, d = {x0, height_of(f, i - 1, j), z1};
    double dx = outside(s->p.x, x0, x1), dz = outside(s->p.z, z0, z1);
    double low = least(least(a.y, b.y), least(c.y, d.y));
    double high = -least(least(-a.y, -b.y), least(-c.y, -d.y));
    double dy = outside(s->p.y, low, high);
    if (dx * dx + dy * dy + dz * dz > s->best.distance2)
        return;
    try_triangle(s, a, d, c);
    try_triangle(s, a, c, b);
}

static void try_block(Search *s, int64_t i, int64_t j)
{
    const dew_Heightfield *f = s->field;
    for (int64_t row = 2 * j; row < 2 * j + 2 && row <= f->rows; row++) {
        for (int64_t column = 2 * i; column < 2 * i + 2 && column <= f->columns; column++)
            try_cell(s, column, row);
    }
}

// Pushes the blocks one level below, the nearest last.
static int push_children(const Search *s, Block parent, Block *stack, int top)
{
    const Level *level = &s->field->levels[parent.level - 1];
    int bottom = top;
    for (int64_t j = 2 * parent.j; j < 2 * parent.j + 2 && j < level->rows; j++) {
        for (int64_t i = 2 * parent.i; i < 2 * parent.i + 2 && i < level->columns; i++) {
            Block block = {block_distance2(s, parent.level - 1, i, j), i, j, parent.level - 1};
            if (block.distance2 > s->best.distance2)
                continue;
            int place = top++;
            for (; place > bottom && stack[place - 1].distance2 < block.distance2; place--)
                stack[place] = stack[place - 1];
            stack[place] = block;
        }
    }
    return top;
}

static void search(Search *s)
{
    Block stack[3 * MAX_LEVELS + 4];  // a level leaves three of four blocks behind
    stack[0] = (Block){0, 0, 0, s->field->level_count - 1};
    int top = 1;
    while (top > 0) {
        Block block = stack[--top];
        if (block.distance2 > s->best.distance2)
            continue;
        if (block.level == 0)
            try_block(s, block.i, block.j);
        else
            top = push_children(s, block, stack, top);
    }
}

// The cell under a coordinate, counted as in try_cell.
static int64_t cell_under(double x, double min, double step, int64_t count)
{
    double s = (x - min) / step;
    return s < 0 ? 0 : s >= (double)(count - 1) ? count : (int64_t)s + 1;
}

// Near the ground the few cells within reach are tried one by one; false: they are not few.
static bool search_window(Search *s)
{
    const dew_Heightfield *f = s->field;
    double reach = sqrt(s->best.distance2);
    if (reach > WINDOW * f->step_x || reach > WINDOW * f->step_z)
        return false;
    int64_t i0 = cell_under(s->p.x - reach, f->min_x, f->step_x, f->columns);
    int64_t i1 = cell_under(s->p.x + reach, f->min_x, f->step_x, f->columns);
    int64_t j0 = cell_under(s->p.z - reach, f->min_z, f->step_z, f->rows);
    int64_t j1 = cell_under(s->p.z + reach, f->min_z, f->step_z, f->rows);
    for (int64_t j = j0; j <= j1; j++) {
        for (int64_t i = i0; i <= i1; i++)
            try_cell(s, i, j);
    }
    return true;
}

dew_Closest dew_heightfield_distance(const dew_Heightfield *f, dew_Vec3 p)
{
    if (!dew_vec_is_finite(p))
        return (dew_Closest){(double)NAN, p, {0, 1, 0}};
    double gap = p.y - dew_heightfield_height(f, p.x, p.z);
    // Nothing farther than the gap can be closest, so border cells need not reach farther.
    double margin_x = fabs(gap) + f->step_x, margin_z = fabs(gap) + f->step_z;
    Search s = {.field = f,
                .p = p,
                .far_x = {fmin(p.x, f->min_x) - margin_x, fmax(p.x, f->max_x) + margin_x},
                .far_z = {fmin(p.z, f->min_z) - margin_z, fmax(p.z, f->max_z) + margin_z},
                .best = {.distance2 = HUGE_VAL}};
    try_cell(&s, cell_under(p.x, f->min_x, f->step_x, f->columns),
             cell_under(p.z, f->min_z, f->step_z, f->rows));
    if (!search_window(&s))
        search(&s);
    double distance = sqrt(s.best.distance2), sign = gap < 0 ? -1 : 1;
    dew_Vec3 normal = dew_normalize(s.normal);
    if (s.best.feature != DEW_FEATURE_FACE && distance > 1e-9 * fmin(f->step_x, f->step_z))
        normal = dew_scale(-sign / distance, s.best.offset);
    return (dew_Closest){sign * distance, dew_add(p, s.best.offset), normal};
}

dew_Status dew_heightfield_mesh(const dew_Heightfield *f, dew_Mesh *mesh)
{
    dew_mesh_clear(mesh);
    DEW_TRY(dew_array_reserve(&mesh->positions, f->columns * f->rows));
    DEW_TRY(dew_array_reserve(&mesh->triangles, 2 * (f->columns - 1) * (f->rows - 1)));
    for (int64_t j = 0; j < f->rows; j++) {
        for (int64_t i = 0; i < f->columns; i++)
            DEW_TRY(
                dew_mesh_add_vertex(mesh, dew_vec(line_x(f, i), height_of(f, i, j), line_z(f, j))));
    }
    for (int64_t j = 0; j + 1 < f->rows; j++) {
        for (int64_t i = 0; i + 1 < f->columns; i++) {
            uint32_t a = (uint32_t)(j * f->columns + i), d = a + (uint32_t)f->columns;
            DEW_TRY(dew_mesh_add_triangle(mesh, a, d, d + 1));
            DEW_TRY(dew_mesh_add_triangle(mesh, a, d + 1, a + 1));
        }
    }
    return dew_ok();
}
