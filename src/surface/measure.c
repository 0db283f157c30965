// Area, volume, centre and velocity of a surface and of each of its pieces: exact for the
// polyhedron.
//
// The inside is the signed sum of tetrahedra between a reference point and each triangle. The
// velocity of the centre needs no velocity inside: with div u = 0, the integral of u over the
// liquid is that of x (u . n) over its surface; on a triangle x and u are linear and the product
// integrates exactly. What u . n adds up to (the volume changes) is taken out, so that it does not
// depend on the origin.
#include "surface/measure.h"

#include "base/status.h"
#include "base/sum.h"
#include "geom/mesh_measure.h"
#include "geom/triangle.h"
#include "surface/surface.h"

typedef struct Corners {
    dew_Vec3 p[3];
} Corners;

static Corners corners_of(const dew_Surface *surface, int64_t t, dew_Vec3 reference)
{
    const uint32_t *v = DEW_ITEMS(&surface->triangles, dew_Triangle)[t].v;
    const dew_Vec3 *x = DEW_ITEMS(&surface->positions, dew_Vec3);
    Corners corners;
    for (int i = 0; i < 3; i++)
        corners.p[i] = dew_sub(x[v[i]], reference);
    return corners;
}

static double triangle_area(const Corners *c)
{
    return 0.5 * dew_length(dew_triangle_normal(c->p[0], c->p[1], c->p[2]));
}

static double tetrahedron_volume(const Corners *c)
{
    return dew_inner(c->p[0], dew_cross(c->p[1], c->p[2])) / 6;
}

double dew_surface_area_m2(const dew_Surface *surface)
{
    dew_ExactSum sum;
    dew_exact_init(&sum);
    for (int64_t t = 0; t < surface->triangles.count; t++) {
        Corners corners = corners_of(surface, t, dew_vec(0, 0, 0));
        dew_exact_add(&sum, triangle_area(&corners));
    }
    return dew_exact_round(&sum);
}

double dew_surface_volume_m3(const dew_Surface *surface)
{
    if (surface->positions.count == 0)
        return 0;
    dew_Vec3 reference = DEW_ITEMS(&surface->positions, dew_Vec3)[0];
    dew_ExactSum sum;
    dew_exact_init(&sum);
    for (int64_t t = 0; t < surface->triangles.count; t++) {
        Corners corners = corners_of(surface, t, reference);
        dew_exact_add(&sum, tetrahedron_volume(&corners));
    }
    return dew_exact_round(&sum);
}

// Comparisons instead of fmin and fmax, which are calls.
static void extend(dew_Box *box, dew_Vec3 p)
{
    box->min.x = p.x < box->min.x ? p.x : box->min.x;
    box->min.y = p.y < box->min.y ? p.y : box->min.y;
    box->min.z = p.z < box->min.z ? p.z : box->min.z;
    box->max.x = p.x > box->max.x ? p.x : box->max.x;
    box->max.y = p.y > box->max.y ? p.y : box->max.y;
    box->max.z = p.z > box->max.z ? p.z : box->max.z;
}

static void measure_vertices(dew_Surface *surface)
{
    dew_PieceMeasure *measures = DEW_ITEMS(&surface->measures, dew_PieceMeasure);
    for (int p = 0; p < surface->piece_count; p++)
        measures[p] = (dew_PieceMeasure){.box_m = dew_box_empty()};
    for (int64_t i = 0; i < surface->positions.count; i++) {
        uint32_t piece = DEW_ITEMS(&surface->pieces, uint32_t)[i];
        if (piece == DEW_NO_COMPONENT)
            continue;
        dew_PieceMeasure *m = &measures[piece];
        extend(&m->box_m, DEW_ITEMS(&surface->positions, dew_Vec3)[i]);
        m->vertex_count++;
    }
}

// What is summed over the triangles of a piece, seen from the middle of its box.
typedef struct PieceSums {
    double volume, area, flux;  // flux: integral of u . n
    dew_Vec3 volume_moment;     // integral of x over the volume
    dew_Vec3 flux_moment;       // integral of x (u . n) over the surface
} PieceSums;

static dew_Vec3 box_middle(dew_Box box)
{
    return dew_combine(0.5, box.min, 0.5, box.max);
}

// corner_sum: of the corners; n: twice the area times the unit normal.
static void add_triangle(const dew_Surface *surface, int64_t t, dew_Vec3 reference, PieceSums *sums)
{
    const uint32_t *v = DEW_ITEMS(&surface->triangles, dew_Triangle)[t].v;
    const dew_Vec3 *x = DEW_ITEMS(&surface->positions, dew_Vec3);
    const dew_Vec3 *u = DEW_ITEMS(&surface->velocities, dew_Vec3);
    dew_Vec3 a = dew_sub(x[v[0]], reference), b = dew_sub(x[v[1]], reference);
    dew_Vec3 c = dew_sub(x[v[2]], reference);
    dew_Vec3 n = dew_cross(dew_sub(b, a), dew_sub(c, a)), corner_sum = dew_add(a, dew_add(b, c));
    double volume = dew_inner(a, n) / 6;
    sums->area += 0.5 * dew_length(n);
    sums->volume += volume;
    sums->volume_moment = dew_add_scaled(sums->volume_moment, volume / 4, corner_sum);
    double at_a = 0.5 * dew_inner(u[v[0]], n), at_b = 0.5 * dew_inner(u[v[1]], n);
    double at_c = 0.5 * dew_inner(u[v[2]], n), flux = at_a + at_b + at_c;
    dew_Vec3 moment = dew_add(dew_scale(at_a, a), dew_add(dew_scale(at_b, b), dew_scale(at_c, c)));
    moment = dew_add_scaled(moment, flux, corner_sum);
    sums->flux_moment = dew_add_scaled(sums->flux_moment, 1.0 / 12, moment);
    sums->flux += flux / 3;
}

static void finish_piece(const PieceSums *sums, dew_PieceMeasure *m)
{
    m->volume_m3 = sums->volume;
    m->area_m2 = sums->area;
    m->center_m = box_middle(m->box_m);
    m->contact.min_angle_rad = m->contact.max_angle_rad = (double)NAN;
    // The volume of a ball is 0.094 area^(3/2); that of a flat piece is a rounding error.
    if (!(fabs(sums->volume) > DEW_DIRECTION_ROUNDING * sums->area * sqrt(sums->area)))
        return;
    dew_Vec3 center = dew_scale(1 / sums->volume, sums->volume_moment);
    dew_Vec3 moment = dew_add_scaled(sums->flux_moment, -sums->flux, center);
    m->velocity_m_s = dew_scale(1 / sums->volume, moment);
    m->center_m = dew_add(m->center_m, center);
}

dew_Status dew_surface_measure_pieces(dew_Surface *surface, dew_Arena *scratch)
{
    DEW_TRY(dew_array_resize(&surface->measures, surface->piece_count));
    PieceSums *sums = dew_arena_array(scratch, PieceSums, surface->piece_count);
    if (!sums)
        return dew_no_memory((size_t)surface->piece_count * sizeof(PieceSums));
    measure_vertices(surface);
    dew_PieceMeasure *measures = DEW_ITEMS(&surface->measures, dew_PieceMeasure);
    for (int64_t t = 0; t < surface->triangles.count; t++) {
        uint32_t v = DEW_ITEMS(&surface->triangles, dew_Triangle)[t].v[0];
        uint32_t piece = DEW_ITEMS(&surface->pieces, uint32_t)[v];
        add_triangle(surface, t, box_middle(measures[piece].box_m), &sums[piece]);
    }
    for (int p = 0; p < surface->piece_count; p++)
        finish_piece(&sums[p], &measures[p]);
    return dew_ok();
}
