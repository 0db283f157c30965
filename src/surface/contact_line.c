// The contact line of a Surface and the angle along it.
//
// A triangle is wet when its three vertices are; the contact line is the edges between wet and dry
// triangles. At each of its vertices the angle through the liquid lies between the solid and the
// tangent plane of the dry surface. A dry triangle beside the contact line has that tangent half an
// edge away from it, an error of first order; instead, a quadratic is fitted to the dry vertices
// around (the jet of [Cazals2005], through the vertex itself), whose tangent plane at the contact
// line is right to second order.
//
// Limits: a drop that touches in points only, or along a line without a wet triangle, has no
// contact line; where fewer than five dry neighbours are found the fit is linear, and of first
// order.
#include "base/status.h"
#include "geom/mesh_measure.h"
#include "geom/triangle.h"
#include "surface/surface.h"

#define MAX_NEIGHBOURS 48   // of a fit: two rings of an even mesh have 18
#define FIT_REACH      2.5  // radius of the fit, in longest edges at the vertex: two rings

enum { X, Y, XX, XY, YY, JET };  // unknowns of the fit: coefficients of x, y, x^2, x y, y^2

// Triangles around each vertex: list[first[v]..first[v + 1]).
typedef struct Fans {
    uint32_t *first, *list;
} Fans;

typedef struct Line {
    dew_Surface *surface;
    const dew_Vec3 *x;
    const dew_Triangle *triangles;
    const float *wet;
    Fans fans;
    double *angle;   // at each vertex of the contact line; NaN: not yet known
    uint32_t *seen;  // at each vertex: 1 + the vertex in whose patch it was last
} Line;

static bool is_wet_triangle(const Line *line, int64_t t)
{
    const uint32_t *v = line->triangles[t].v;
    return line->wet[v[0]] >= DEW_WET_FROM && line->wet[v[1]] >= DEW_WET_FROM &&
           line->wet[v[2]] >= DEW_WET_FROM;
}

static dew_Status make_fans(Line *line, dew_Arena *scratch)
{
    int64_t vertex_count = line->surface->positions.count;
    int64_t corner_count = 3 * line->surface->triangles.count;
    uint32_t *first = dew_arena_array(scratch, uint32_t, vertex_count + 2);
    uint32_t *list = dew_arena_array(scratch, uint32_t, corner_count);
    line->angle = dew_arena_array(scratch, double, vertex_count);
    line->seen = dew_arena_array(scratch, uint32_t, vertex_count);
    if (!first || !list || !line->angle || !line->seen)
        return dew_no_memory((size_t)(16 * vertex_count + 4 * corner_count));
    // Counted two places up and summed: then first[v + 1] runs from where v's list begins to its
    // end.
    for (int64_t c = 0; c < corner_count; c++)
        first[line->triangles[c / 3].v[c % 3] + 2]++;
    for (int64_t v = 0; v < vertex_count; v++)
        first[v + 2] += first[v + 1];
    for (int64_t c = 0; c < corner_count; c++)
        list[first[line->triangles[c / 3].v[c % 3] + 1]++] = (uint32_t)(c / 3);
    line->fans = (Fans){first, list};
    for (int64_t v = 0; v < vertex_count; v++)
        line->angle[v] = (double)NAN;
    return dew_ok();
}

// ---- the tangent plane --------------------------------------------------------------------------

typedef struct Patch {
    uint32_t vertex[MAX_NEIGHBOURS];  // the first is the one looked at
    int count;
    double reach;     // from it
    dew_Vec3 normal;  // mean of its dry triangles
} Patch;

// Takes in the dry neighbours of the patch's n-th vertex.
static void grow_patch(const Line *line, Patch *patch, int n)
{
    dew_Vec3 middle = line->x[patch->vertex[0]];
    uint32_t from = patch->vertex[n];
    for (uint32_t i = line->fans.first[from]; i < line->fans.first[from + 1]; i++) {
        if (is_wet_triangle(line, line->fans.list[i]))
            continue;
        for (int c = 0; c < 3 && patch->count < MAX_NEIGHBOURS; c++) {
            uint32_t v = line->triangles[line->fans.list[i]].v[c];
            if (line->seen[v] == patch->vertex[0] + 1)
                continue;
            line->seen[v] = patch->vertex[0] + 1;
            if (dew_distance(line->x[v], middle) <= patch->reach)
                patch->vertex[patch->count++] = v;
        }
    }
}

static Patch dry_patch(const Line *line, uint32_t v)
{
    Patch patch = {.vertex = {v}, .count = 1};
    for (uint32_t i = line->fans.first[v]; i < line->fans.first[v + 1]; i++) {
        uint32_t t = line->fans.list[i];
        if (is_wet_triangle(line, t))
            continue;
        const uint32_t *c = line->triangles[t].v;
        dew_Vec3 normal = dew_triangle_normal(line->x[c[0]], line->x[c[1]], line->x[c[2]]);
        patch.normal = dew_add(patch.normal, normal);
        for (int k = 0; k < 3; k++)
            patch.reach = fmax(patch.reach, FIT_REACH * dew_distance(line->x[c[k]], line->x[v]));
    }
    patch.normal = dew_normalize(patch.normal);
    line->seen[v] = v + 1;
    for (int n = 0; n < patch.count; n++)
        grow_patch(line, &patch, n);
    return patch;
}

// Solves A y = b, of A its lower half, for the leading `count` unknowns by Cholesky; false: A is
// nearly singular.
static bool solve_fit(double A[JET][JET], const double b[JET], int count, double y[JET])
{
    double L[JET][JET];
    for (int i = 0; i < count; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = A[i][j];
            for (int k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > sqrt(DBL_EPSILON) * A[i][i]))
                return false;
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    }
    for (int i = 0; i < count; i++) {
        y[i] = b[i];
        for (int k = 0; k < i; k++)
            y[i] -= L[i][k] * y[k];
        y[i] /= L[i][i];
    }
    for (int i = count - 1; i >= 0; i--) {
        for (int k = i + 1; k < count; k++)
            y[i] -= L[k][i] * y[k];
        y[i] /= L[i][i];
    }
    return true;
}

// Outward normal of the dry surface at a vertex of the contact line: heights over the mean tangent
// plane are fitted by least squares, near vertices weighing more.
static dew_Vec3 dry_normal(const Line *line, uint32_t v)
{
    Patch patch = dry_patch(line, v);
    dew_Vec3 s = dew_any_tangent(patch.normal), t = dew_cross(patch.normal, s);
    double A[JET][JET] = {{0}}, b[JET] = {0}, fit[JET];
    for (int n = 1; n < patch.count; n++) {
        dew_Vec3 d = dew_scale(1 / patch.reach, dew_sub(line->x[patch.vertex[n]], line->x[v]));
        double x = dew_inner(d, s), y = dew_inner(d, t), z = dew_inner(d, patch.normal);
        double term[JET] = {[X] = x, [Y] = y, [XX] = x * x, [XY] = x * y, [YY] = y * y};
        double weight = 1 / (0.01 + dew_length2(d));
        for (int i = 0; i < JET; i++) {
            for (int j = 0; j <= i; j++)
                A[i][j] += weight * term[i] * term[j];
            b[i] += weight * term[i] * z;
        }
    }
    bool is_fitted = (patch.count > JET && solve_fit(A, b, JET, fit)) || solve_fit(A, b, XX, fit);
    if (!is_fitted)
        return patch.normal;
    return dew_normalize(dew_sub(patch.normal, dew_combine(fit[X], s, fit[Y], t)));
}

// Outward normal of the solid: as the solver set it, or else opposite to the wet triangles.
static dew_Vec3 solid_normal(const Line *line, uint32_t v)
{
    dew_Vec3 normal = DEW_ITEMS(&line->surface->solid_normals, dew_Vec3)[v];
    if (dew_length2(normal) > 0)
        return dew_normalize(normal);
    dew_Vec3 sum = {0, 0, 0};
    for (uint32_t i = line->fans.first[v]; i < line->fans.first[v + 1]; i++) {
        const uint32_t *c = line->triangles[line->fans.list[i]].v;
        if (is_wet_triangle(line, line->fans.list[i]))
            sum = dew_sub(sum, dew_triangle_normal(line->x[c[0]], line->x[c[1]], line->x[c[2]]));
    }
    return dew_normalize(sum);
}

static double angle_at(Line *line, uint32_t v)
{
    if (isnan(line->angle[v])) {
        dew_Vec3 n = dry_normal(line, v), N = solid_normal(line, v);
        line->angle[v] = atan2(dew_length(dew_cross(n, N)), dew_inner(n, N));
    }
    return line->angle[v];
}

// ---- the contact line --------------------------------------------------------------------------

// Is the triangle on the other side of the edge from a to b dry?
static bool is_dry_beyond(const Line *line, uint32_t a, uint32_t b)
{
    for (uint32_t i = line->fans.first[a]; i < line->fans.first[a + 1]; i++) {
        const uint32_t *v = line->triangles[line->fans.list[i]].v;
        for (int c = 0; c < 3; c++) {
            if (v[c] == b && v[(c + 1) % 3] == a)
                return !is_wet_triangle(line, line->fans.list[i]);
        }
    }
    return false;
}

// mean_angle_rad holds the sum of length times angle until the end.
static void add_edge(Line *line, uint32_t a, uint32_t b, dew_ContactLine *out)
{
    double length = dew_distance(line->x[a], line->x[b]);
    double angle[2] = {angle_at(line, a), angle_at(line, b)};
    out->mean_angle_rad += length * 0.5 * (angle[0] + angle[1]);
    out->length_m += length;
    for (int i = 0; i < 2; i++) {
        out->min_angle_rad = fmin(out->min_angle_rad, angle[i]);
        out->max_angle_rad = fmax(out->max_angle_rad, angle[i]);
    }
}

static void add_triangle(Line *line, int64_t t)
{
    const uint32_t *v = line->triangles[t].v;
    uint32_t piece = DEW_ITEMS(&line->surface->pieces, uint32_t)[v[0]];
    dew_ContactLine *out = &DEW_ITEMS(&line->surface->measures, dew_PieceMeasure)[piece].contact;
    dew_Vec3 area = dew_triangle_normal(line->x[v[0]], line->x[v[1]], line->x[v[2]]);
    out->wet_area_m2 += 0.5 * dew_length(area);
    for (int c = 0; c < 3; c++) {
        if (is_dry_beyond(line, v[c], v[(c + 1) % 3]))
            add_edge(line, v[c], v[(c + 1) % 3], out);
    }
}

dew_Status dew_surface_find_contact_lines(dew_Surface *surface, dew_Arena *scratch)
{
    Line line = {.surface = surface,
                 .x = DEW_ITEMS(&surface->positions, dew_Vec3),
                 .triangles = DEW_ITEMS(&surface->triangles, dew_Triangle),
                 .wet = DEW_ITEMS(&surface->wet, float)};
    for (int64_t t = 0; t < surface->triangles.count; t++) {
        if (!is_wet_triangle(&line, t))
            continue;
        if (!line.angle)
            DEW_TRY(make_fans(&line, scratch));
        add_triangle(&line, t);
    }
    for (int p = 0; p < surface->piece_count; p++) {
        dew_ContactLine *contact = &DEW_ITEMS(&surface->measures, dew_PieceMeasure)[p].contact;
        if (contact->length_m > 0)
            contact->mean_angle_rad /= contact->length_m;
        else
            contact->mean_angle_rad = (double)NAN;
    }
    return dew_ok();
}

void dew_surface_find_wet_areas(dew_Surface *surface)
{
    Line line = {.surface = surface,
                 .x = DEW_ITEMS(&surface->positions, dew_Vec3),
                 .triangles = DEW_ITEMS(&surface->triangles, dew_Triangle),
                 .wet = DEW_ITEMS(&surface->wet, float)};
    dew_PieceMeasure *measures = DEW_ITEMS(&surface->measures, dew_PieceMeasure);
    for (int64_t t = 0; t < surface->triangles.count; t++) {
        const uint32_t *v = line.triangles[t].v;
        if (!is_wet_triangle(&line, t))
            continue;
        dew_Vec3 area = dew_triangle_normal(line.x[v[0]], line.x[v[1]], line.x[v[2]]);
        uint32_t piece = DEW_ITEMS(&surface->pieces, uint32_t)[v[0]];
        measures[piece].contact.wet_area_m2 += 0.5 * dew_length(area);
    }
    for (int p = 0; p < surface->piece_count; p++)
        measures[p].contact.mean_angle_rad = (double)NAN;
}

dew_ContactLine dew_surface_contact_line(const dew_Surface *surface)
{
    dew_ContactLine all = {
        .mean_angle_rad = (double)NAN, .min_angle_rad = (double)NAN, .max_angle_rad = (double)NAN};
    double sum = 0;
    for (int p = 0; p < surface->piece_count; p++) {
        const dew_ContactLine *one = &DEW_ITEMS(&surface->measures, dew_PieceMeasure)[p].contact;
        all.wet_area_m2 += one->wet_area_m2;
        if (!(one->length_m > 0))
            continue;
        all.length_m += one->length_m;
        sum += one->length_m * one->mean_angle_rad;
        all.min_angle_rad = fmin(all.min_angle_rad, one->min_angle_rad);
        all.max_angle_rad = fmax(all.max_angle_rad, one->max_angle_rad);
    }
    if (all.length_m > 0)
        all.mean_angle_rad = sum / all.length_m;
    return all;
}
