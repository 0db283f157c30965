// A sheet of some thickness: rows of vertices across, joined by strips, once for each side, and a
// wall around the rim.
//
// Rows lie an edge apart along the middle of the sheet, closer where its outline turns across, and
// have as many vertices as their width asks for. Both sides have the same triangles, moved apart
// along the middle surface's normal.
#include "surface/sheet.h"

#include "base/array.h"
#include "base/status.h"

typedef struct Row {
    uint32_t first, count;  // vertices of the middle surface, from -half_width to half_width
} Row;

typedef struct Build {
    const dew_Sheet *sheet;
    double edge;
    dew_Mesh *mesh;
    dew_Array rows;  // Row
    dew_Array rim;   // uint32_t: vertices around the middle surface, counter-clockwise from above
} Build;

#define SAMPLES 256  // of a curve whose length is asked for

static double row_length(const dew_Sheet *sheet, double v)
{
    double length = 0, half_width = sheet->half_width(v);
    dew_Vec3 last = sheet->point(-half_width, v);
    for (int i = 1; i <= SAMPLES; i++) {
        dew_Vec3 next = sheet->point(half_width * (2.0 * i / SAMPLES - 1), v);
        length += dew_distance(last, next);
        last = next;
    }
    return length;
}

// How far the sheet goes between two rows: along its middle, or half as far along its rim.
static double row_distance(const dew_Sheet *sheet, double v, double w)
{
    double rim =
        dew_distance(sheet->point(sheet->half_width(v), v), sheet->point(sheet->half_width(w), w));
    return fmax(dew_distance(sheet->point(0, v), sheet->point(0, w)), 0.5 * rim);
}

static dew_Vec3 normal_at(const dew_Sheet *sheet, double u, double v)
{
    double step = cbrt(DBL_EPSILON) * (sheet->end - sheet->begin);  // of a central difference
    dew_Vec3 du = dew_sub(sheet->point(u + step, v), sheet->point(u - step, v));
    dew_Vec3 dv = dew_sub(sheet->point(u, v + step), sheet->point(u, v - step));
    return dew_normalize(dew_cross(du, dv));
}

// ---- the middle surface, as pairs of vertices: 2 n above, 2 n + 1 below ------------------------

static dew_Status add_row(Build *build, double v)
{
    const dew_Sheet *sheet = build->sheet;
    double half_width = sheet->half_width(v);
    double steps = half_width > 0 ? ceil(row_length(sheet, v) / build->edge) : 0;
    // An even number: a fold along u = 0 gets vertices on it.
    uint32_t half_count = (uint32_t)ceil(steps / 2);
    Row row = {(uint32_t)build->mesh->positions.count / 2, 2 * half_count + 1};
    for (uint32_t i = 0; i < row.count; i++) {
        double u = half_count ? half_width * ((double)i / half_count - 1) : 0;
        dew_Vec3 p = sheet->point(u, v), n = normal_at(sheet, u, v);
        DEW_TRY(dew_mesh_add_vertex(build->mesh, dew_add_scaled(p, sheet->thickness / 2, n)));
        DEW_TRY(dew_mesh_add_vertex(build->mesh, dew_add_scaled(p, -sheet->thickness / 2, n)));
    }
    return dew_array_push(&build->rows, &row);
}

static dew_Status add_both(Build *build, uint32_t a, uint32_t b, uint32_t c)
{
    DEW_TRY(dew_mesh_add_triangle(build->mesh, 2 * a, 2 * b, 2 * c));
    return dew_mesh_add_triangle(build->mesh, 2 * a + 1, 2 * c + 1, 2 * b + 1);
}

// Joins two rows, always advancing on the one whose next edge has its middle first.
static dew_Status join_rows(Build *build, Row lower, Row upper)
{
    uint64_t i = 0, j = 0, lower_end = lower.count - 1, upper_end = upper.count - 1;
    while (i < lower_end || j < upper_end) {
        uint32_t a = lower.first + (uint32_t)i, b = upper.first + (uint32_t)j;
        bool on_lower =
            j == upper_end || (i < lower_end && (2 * i + 1) * upper_end <= (2 * j + 1) * lower_end);
        DEW_TRY(add_both(build, a, on_lower ? a + 1 : b + 1, b));
        i += on_lower;
        j += !on_lower;
    }
    return dew_ok();
}

// ---- the wall ----------------------------------------------------------------------------------

static dew_Status find_rim(Build *build)
{
    const Row *rows = DEW_ITEMS(&build->rows, Row);
    int64_t last = build->rows.count - 1;
    for (uint32_t i = 0; i + 1 < rows[0].count; i++) {
        uint32_t v = rows[0].first + i;
        DEW_TRY(dew_array_push(&build->rim, &v));
    }
    for (int64_t r = 0; r < last; r++) {
        uint32_t v = rows[r].first + rows[r].count - 1;
        DEW_TRY(dew_array_push(&build->rim, &v));
    }
    for (uint32_t i = rows[last].count - 1; i > 0; i--) {
        uint32_t v = rows[last].first + i;
        DEW_TRY(dew_array_push(&build->rim, &v));
    }
    for (int64_t r = last; r > 0; r--) {
        uint32_t v = rows[r].first;
        DEW_TRY(dew_array_push(&build->rim, &v));
    }
    return dew_ok();
}

// Vertex n of the rim on level l of level_count, from below (0) to above.
static uint32_t wall_vertex(const Build *build, uint32_t first, int64_t n, int64_t l,
                            int64_t level_count)
{
    n %= build->rim.count;
    uint32_t v = DEW_ITEMS(&build->rim, uint32_t)[n];
    if (l == 0 || l == level_count)
        return 2 * v + (l == 0);
    return first + (uint32_t)(n * (level_count - 1) + l - 1);
}

static dew_Status add_wall(Build *build)
{
    double thickness = build->sheet->thickness;
    int64_t level_count = (int64_t)fmax(1, round(thickness / build->edge));
    uint32_t first = (uint32_t)build->mesh->positions.count;
    for (int64_t n = 0; n < build->rim.count; n++) {
        uint32_t v = DEW_ITEMS(&build->rim, uint32_t)[n];
        dew_Vec3 above = dew_mesh_positions(build->mesh)[2 * v];
        dew_Vec3 below = dew_mesh_positions(build->mesh)[2 * v + 1];
        for (int64_t l = 1; l < level_count; l++) {
            double t = (double)l / (double)level_count;
            DEW_TRY(dew_mesh_add_vertex(build->mesh, dew_combine(1 - t, below, t, above)));
        }
    }
    for (int64_t n = 0; n < build->rim.count; n++) {
        for (int64_t l = 0; l < level_count; l++) {
            uint32_t a = wall_vertex(build, first, n, l, level_count);
            uint32_t b = wall_vertex(build, first, n + 1, l, level_count);
            uint32_t c = wall_vertex(build, first, n + 1, l + 1, level_count);
            uint32_t d = wall_vertex(build, first, n, l + 1, level_count);
            DEW_TRY(dew_mesh_add_triangle(build->mesh, a, b, c));
            DEW_TRY(dew_mesh_add_triangle(build->mesh, a, c, d));
        }
    }
    return dew_ok();
}

// Rows at equal distances along the sheet.
static dew_Status add_rows(Build *build)
{
    const dew_Sheet *sheet = build->sheet;
    double gone[SAMPLES + 1] = {0}, step = (sheet->end - sheet->begin) / SAMPLES;
    for (int i = 0; i < SAMPLES; i++)
        gone[i + 1] =
            gone[i] + row_distance(sheet, sheet->begin + i * step, sheet->begin + (i + 1) * step);
    int64_t row_count = (int64_t)fmax(2, ceil(gone[SAMPLES] / build->edge));
    int i = 0;
    for (int64_t r = 0; r < row_count; r++) {
        double length = gone[SAMPLES] * (double)r / (double)row_count;
        while (gone[i + 1] < length)
            i++;
        double t = i + (length - gone[i]) / (gone[i + 1] - gone[i]);
        DEW_TRY(add_row(build, sheet->begin + t * step));
    }
    return add_row(build, sheet->end);
}

static dew_Status build_sheet(Build *build)
{
    DEW_TRY(add_rows(build));
    const Row *rows = DEW_ITEMS(&build->rows, Row);
    for (int64_t r = 0; r + 1 < build->rows.count; r++)
        DEW_TRY(join_rows(build, rows[r], rows[r + 1]));
    DEW_TRY(find_rim(build));
    return add_wall(build);
}

dew_Status dew_sheet_mesh(const dew_Sheet *sheet, double edge, dew_Mesh *mesh)
{
    dew_mesh_clear(mesh);
    Build build = {.sheet = sheet, .edge = edge, .mesh = mesh};
    dew_array_init(&build.rows, &mesh->allocator, sizeof(Row));
    dew_array_init(&build.rim, &mesh->allocator, sizeof(uint32_t));
    dew_Status status = build_sheet(&build);
    dew_array_deinit(&build.rim);
    dew_array_deinit(&build.rows);
    return status;
}
