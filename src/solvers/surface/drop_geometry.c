// Geometry of one drop: which triangles lie on a solid, areas, and the gradients of volume and
// centre.
//
// Volume and centre of the polyhedron are polynomials of its vertices; their gradients are exact.
// With a triangle's area vector a and corners p, q, r:
//
//     dV / dp   = a / 3
//     dC / dp   = a (2p + q + r - 4C) / 12 / V     (row k: component k of the bracket)
//
// so that the rows of Q sum to the identity, and a uniform velocity moves the centre by itself.
#include "solvers/surface/drop_work.h"

#include <string.h>

/// On a solid or a nozzle: all corners touch.
static bool lies_on_solid(const dew_DropWork *work, const uint32_t *v)
{
    for (int c = 0; c < 3; c++)
        if (!(work->label[v[c]] & (DEW_LABEL_TOUCHING | DEW_LABEL_NOZZLE)))
            return false;
    return true;
}

/// A triangle on a solid faces it; one that faces the air is the upper side of a film without
/// thickness.
static bool faces_air(const dew_DropWork *work, const uint32_t *v, dew_Vec3 area)
{
    dew_Vec3 n = dew_add(work->solid_normal[v[0]],
                         dew_add(work->solid_normal[v[1]], work->solid_normal[v[2]]));
    return dew_inner(area, n) > 0;
}

static void add_moment(double *rows, dew_Vec3 area, dew_Vec3 arm)
{
    const double arms[3] = {arm.x, arm.y, arm.z};
    for (int k = 0; k < 3; k++) {
        rows[3 * k] += arms[k] * area.x;
        rows[3 * k + 1] += arms[k] * area.y;
        rows[3 * k + 2] += arms[k] * area.z;
    }
}

/// Volume and its centre, by tetrahedra from a vertex of the drop: far from the origin nothing is
/// lost.
static dew_Vec3 find_center(const dew_DropWork *work, const dew_Vec3 *y, double *volume_m3)
{
    dew_Vec3 origin = y[0], first = {0, 0, 0};
    double volume = 0;
    for (int64_t k = 0; k < work->triangle_count; k++) {
        const uint32_t *v = work->triangle[k].v;
        dew_Vec3 p = dew_sub(y[v[0]], origin), q = dew_sub(y[v[1]], origin);
        dew_Vec3 r = dew_sub(y[v[2]], origin);
        double six = dew_inner(p, dew_cross(q, r));
        volume += six;
        first = dew_add_scaled(first, six, dew_add(p, dew_add(q, r)));
    }
    *volume_m3 = volume / 6;
    return dew_add_scaled(origin, volume > 0 ? 0.25 / volume : 0, first);
}

dew_Vec3 dew_drop_center(const dew_DropWork *work, const dew_Vec3 *y)
{
    double volume;
    return find_center(work, y, &volume);
}

static void add_triangle(dew_DropWork *work, const dew_Vec3 *y, int64_t k)
{
    const uint32_t *v = work->triangle[k].v;
    dew_Vec3 p[3];
    for (int c = 0; c < 3; c++)
        p[c] = dew_sub(y[v[c]], work->center_m);
    dew_Vec3 area = dew_scale(0.5, dew_cross(dew_sub(p[1], p[0]), dew_sub(p[2], p[0])));
    double size = dew_length(area);
    bool is_on_solid = lies_on_solid(work, v), is_film = is_on_solid && faces_air(work, v, area);
    work->is_wet[k] = is_on_solid && !is_film;
    work->film_area_m2 += is_film ? size : 0;
    double *areas = work->is_wet[k] ? work->wet_area : work->area;
    *(work->is_wet[k] ? &work->wet_area_m2 : &work->free_area_m2) += size;
    dew_Vec3 sum = dew_add(p[0], dew_add(p[1], p[2]));
    for (int c = 0; c < 3; c++) {
        areas[v[c]] += size / 3;
        work->gradient[v[c]] = dew_add_scaled(work->gradient[v[c]], 1.0 / 3, area);
        add_moment(work->moment_of_x + 9 * v[c], area, dew_add(sum, p[c]));
    }
}

void dew_drop_measure_at(dew_DropWork *work, const dew_Vec3 *y)
{
    size_t n = (size_t)work->n;
    memset(work->area, 0, n * sizeof *work->area);
    memset(work->wet_area, 0, n * sizeof *work->wet_area);
    memset(work->gradient, 0, n * sizeof *work->gradient);
    memset(work->moment_of_x, 0, 9 * n * sizeof *work->moment_of_x);
    work->free_area_m2 = work->wet_area_m2 = work->film_area_m2 = 0;
    work->center_m = find_center(work, y, &work->volume_m3);
    for (int64_t k = 0; k < work->triangle_count; k++)
        add_triangle(work, y, k);
    double scale = work->volume_m3 > 0 ? 1 / (12 * work->volume_m3) : 0;
    for (size_t i = 0; i < 9 * n; i++)
        work->moment_of_x[i] *= scale;
}

double dew_drop_volume(const dew_DropWork *work)
{
    dew_Vec3 origin = work->x[0];
    double six = 0;
    for (int64_t k = 0; k < work->triangle_count; k++) {
        const uint32_t *v = work->triangle[k].v;
        six += dew_inner(dew_sub(work->x[v[0]], origin),
                         dew_cross(dew_sub(work->x[v[1]], origin), dew_sub(work->x[v[2]], origin)));
    }
    return six / 6;
}

dew_Vec3 dew_drop_mean_velocity(const dew_DropWork *work, const dew_Vec3 *v)
{
    double u[3] = {0, 0, 0};
    for (int64_t i = 0; i < work->n; i++) {
        const double *q = work->moment_of_x + 9 * i;
        for (int k = 0; k < 3; k++)
            u[k] += q[3 * k] * v[i].x + q[3 * k + 1] * v[i].y + q[3 * k + 2] * v[i].z;
    }
    return dew_vec(u[0], u[1], u[2]);
}
