// A spherical cap as two disks of rings, base and dome, that share the rim or have a wall between
// them.
//
// Ring k has 6k vertices, so that triangles are about equilateral: the pattern of a hexagonal grid
// bent to circles. On the dome the rings lie at equal steps of the polar angle. The mesh's volume
// is that of the cap but for the order of (edge / radius)^2; the caller puts it right.
#include "solvers/surface/cap_mesh.h"

#include "base/status.h"

#define MIN_RINGS 2
#define MAX_RINGS 64

/// First vertex of ring k of a disk, when its centre is vertex 0.
static int64_t ring_begin(int64_t k)
{
    return k == 0 ? 0 : 1 + 3 * k * (k - 1);
}

/// Vertex j of ring k, counted around.
static uint32_t ring_vertex(int64_t k, int64_t j)
{
    return (uint32_t)(ring_begin(k) + (k == 0 ? 0 : j % (6 * k)));
}

/// Triangles between ring k - 1 and ring k, in the sense of growing angle.
static dew_Triangle *join_rings(int64_t k, dew_Triangle *out)
{
    for (int64_t side = 0; side < 6; side++)
        for (int64_t i = 0; i < k; i++) {
            uint32_t a = ring_vertex(k, side * k + i), b = ring_vertex(k, side * k + i + 1);
            uint32_t c = ring_vertex(k - 1, side * (k - 1) + i);
            *out++ = (dew_Triangle){{a, b, c}};
            if (i + 1 < k)
                *out++ = (dew_Triangle){{b, ring_vertex(k - 1, side * (k - 1) + i + 1), c}};
        }
    return out;
}

typedef struct Frame {
    dew_Vec3 point, normal, u, w;  // u, w, normal: right-handed
} Frame;

/// Positions of ring k: a circle of the given radius and height.
static void place_ring(const Frame *f, int64_t k, double radius, double height, dew_Vec3 *x)
{
    dew_Vec3 center = dew_add_scaled(f->point, height, f->normal);
    int64_t count = k == 0 ? 1 : 6 * k;
    for (int64_t j = 0; j < count; j++) {
        double angle = 2 * DEW_PI * (double)j / (double)count;
        x[j] = dew_add(center, dew_combine(radius * cos(angle), f->u, radius * sin(angle), f->w));
    }
}

/// Rings of base and dome.
static void place_disks(const dew_DropCapMeshDef *def, int64_t rings, int64_t dome, dew_Vec3 *x)
{
    const dew_DropCap *cap = &def->cap;
    Frame f = {.point = def->point_m, .normal = def->normal, .u = dew_any_tangent(def->normal)};
    f.w = dew_cross(def->normal, f.u);
    for (int64_t k = 0; k <= rings; k++) {
        double share = (double)k / (double)rings, polar = share * cap->angle_rad;
        double height = def->wall_m + cap->center_height_m + cap->radius_m * cos(polar);
        place_ring(&f, k, share * cap->base_radius_m, 0, x + ring_begin(k));
        if (k < rings || def->wall_m > 0)
            place_ring(&f, k, cap->radius_m * sin(polar), height, x + dome + ring_begin(k));
    }
}

/// Dome and base over the same rings. The dome's vertices have their own numbers, but for those of
/// a rim that is shared.
static dew_Triangle *fill_disks(int64_t rings, int64_t own, int64_t dome, dew_Triangle *triangles)
{
    int64_t half = 6 * rings * rings;
    dew_Triangle *base = triangles + half, *end = triangles;
    for (int64_t k = 1; k <= rings; k++)
        end = join_rings(k, end);
    for (int64_t t = 0; t < half; t++) {
        uint32_t *v = triangles[t].v;
        base[t] = (dew_Triangle){{v[0], v[2], v[1]}};  // seen from below
        for (int c = 0; c < 3; c++)
            v[c] += v[c] < own ? (uint32_t)dome : 0;
    }
    return base + half;
}

dew_Status dew_drop_cap_mesh(const dew_DropCapMeshDef *def, dew_Arena *arena, dew_DropCapMesh *out)
{
    const dew_DropCap *cap = &def->cap;
    double arc = fmin(cap->radius_m * cap->angle_rad, 2 * cap->base_radius_m);
    double wanted = ceil(fmax(cap->base_radius_m, arc) / def->edge_m);
    int64_t rings = (int64_t)fmin(fmax(wanted, MIN_RINGS), MAX_RINGS);
    bool has_wall = def->wall_m > 0;
    int64_t disk = ring_begin(rings + 1), rim = 6 * rings;
    int64_t own = has_wall ? disk : disk - rim;  // vertices of the dome
    int64_t triangles = 2 * rings * rim + (has_wall ? 2 * rim : 0);
    *out = (dew_DropCapMesh){.positions = dew_arena_array(arena, dew_Vec3, disk + own),
                             .triangles = dew_arena_array(arena, dew_Triangle, triangles),
                             .vertex_count = disk + own,
                             .triangle_count = triangles,
                             .base_count = disk,
                             .rim_count = rim};
    if (!out->positions || !out->triangles)
        return dew_no_memory((size_t)(disk + own + triangles) * sizeof(dew_Vec3));
    place_disks(def, rings, disk, out->positions);
    dew_Triangle *wall = fill_disks(rings, own, disk, out->triangles);
    for (int64_t j = 0; has_wall && j < rim; j++) {
        uint32_t a = ring_vertex(rings, j), b = ring_vertex(rings, j + 1);
        *wall++ = (dew_Triangle){{a, b, a + (uint32_t)disk}};
        *wall++ = (dew_Triangle){{b, b + (uint32_t)disk, a + (uint32_t)disk}};
    }
    return dew_ok();
}
