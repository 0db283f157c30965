// Integrals over a closed triangle mesh, components, vertex normals.
//
// The inside is the signed sum of tetrahedra between a reference point and each triangle; over
// these, 1, x and x y integrate to polynomials in the corners [Tonon2004]. The reference is the
// middle of the box, so that a mesh far from the origin loses no digits. Each term is added exactly
// (base/sum.h).
#include "geom/mesh_measure.h"

#include "base/sum.h"
#include "base/union_find.h"
#include "geom/triangle.h"

enum { VOLUME, X, Y, Z, XX, YY, ZZ, XY, YZ, ZX, AREA, TERM_COUNT };

// Integral of x y over a tetrahedron with one corner at the origin, over its volume / 20: the sum
// of all products of corner coordinates, equal corners counted twice.
static double product_moment(double a0, double a1, double a2, double b0, double b1, double b2)
{
    return (a0 + a1 + a2) * (b0 + b1 + b2) + a0 * b0 + a1 * b1 + a2 * b2;
}

static void triangle_terms(dew_Vec3 a, dew_Vec3 b, dew_Vec3 c, double term[TERM_COUNT])
{
    double volume = dew_inner(a, dew_cross(b, c)) / 6;
    term[VOLUME] = volume;
    term[X] = volume / 4 * (a.x + b.x + c.x);
    term[Y] = volume / 4 * (a.y + b.y + c.y);
    term[Z] = volume / 4 * (a.z + b.z + c.z);
    term[XX] = volume / 20 * product_moment(a.x, b.x, c.x, a.x, b.x, c.x);
    term[YY] = volume / 20 * product_moment(a.y, b.y, c.y, a.y, b.y, c.y);
    term[ZZ] = volume / 20 * product_moment(a.z, b.z, c.z, a.z, b.z, c.z);
    term[XY] = volume / 20 * product_moment(a.x, b.x, c.x, a.y, b.y, c.y);
    term[YZ] = volume / 20 * product_moment(a.y, b.y, c.y, a.z, b.z, c.z);
    term[ZX] = volume / 20 * product_moment(a.z, b.z, c.z, a.x, b.x, c.x);
    term[AREA] = dew_length(dew_triangle_normal(a, b, c)) / 2;
}

static dew_Box used_box(const dew_Mesh *mesh)
{
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    dew_Box box = dew_box_empty();
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        for (int i = 0; i < 3; i++)
            box = dew_box_add(box, x[triangles[t].v[i]]);
    }
    return box;
}

// Inertia about the centroid from moments about the reference. r: centroid seen from the reference.
static void set_inertia(const double m[TERM_COUNT], dew_Vec3 r, double inertia[6])
{
    double volume = m[VOLUME];
    double xx = m[XX] - volume * r.x * r.x, yy = m[YY] - volume * r.y * r.y;
    double zz = m[ZZ] - volume * r.z * r.z;
    inertia[0] = yy + zz;
    inertia[1] = zz + xx;
    inertia[2] = xx + yy;
    inertia[3] = -(m[XY] - volume * r.x * r.y);
    inertia[4] = -(m[YZ] - volume * r.y * r.z);
    inertia[5] = -(m[ZX] - volume * r.z * r.x);
}

dew_MeshMeasure dew_mesh_measure(const dew_Mesh *mesh)
{
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    dew_MeshMeasure measure = {.box_m = used_box(mesh)};
    if (mesh->triangles.count == 0)
        return measure;
    dew_Vec3 reference = dew_combine(0.5, measure.box_m.min, 0.5, measure.box_m.max);
    dew_ExactSum sums[TERM_COUNT];
    for (int k = 0; k < TERM_COUNT; k++)
        dew_exact_init(&sums[k]);
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        const uint32_t *v = triangles[t].v;
        double term[TERM_COUNT];
        triangle_terms(dew_sub(x[v[0]], reference), dew_sub(x[v[1]], reference),
                       dew_sub(x[v[2]], reference), term);
        for (int k = 0; k < TERM_COUNT; k++)
            dew_exact_add(&sums[k], term[k]);
    }
    double m[TERM_COUNT];
    for (int k = 0; k < TERM_COUNT; k++)
        m[k] = dew_exact_round(&sums[k]);
    measure.volume_m3 = m[VOLUME];
    measure.area_m2 = m[AREA];
    dew_Vec3 r = {0, 0, 0};
    if (m[VOLUME] != 0)
        r = dew_scale(1 / m[VOLUME], dew_vec(m[X], m[Y], m[Z]));
    measure.centroid_m = dew_add(reference, r);
    set_inertia(m, r, measure.inertia_m5);
    return measure;
}

void dew_mesh_component_volumes(const dew_Mesh *mesh, const uint32_t *triangle_label,
                                int64_t component_count, double *volume_m3)
{
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    dew_Box box = used_box(mesh);
    dew_Vec3 reference = dew_combine(0.5, box.min, 0.5, box.max);
    for (int64_t i = 0; i < component_count; i++)
        volume_m3[i] = 0;
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        const uint32_t *v = triangles[t].v;
        dew_Vec3 a = dew_sub(x[v[0]], reference), b = dew_sub(x[v[1]], reference);
        dew_Vec3 c = dew_sub(x[v[2]], reference);
        volume_m3[triangle_label[t]] += dew_inner(a, dew_cross(b, c)) / 6;
    }
}

int64_t dew_mesh_components(const dew_Mesh *mesh, uint32_t *triangle_label, uint32_t *vertex_label)
{
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    int64_t vertex_count = mesh->positions.count, component_count = 0;
    uint32_t *parent = vertex_label;
    for (int64_t v = 0; v < vertex_count; v++)
        parent[v] = DEW_NO_COMPONENT;
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        for (int i = 0; i < 3; i++)
            parent[triangles[t].v[i]] = triangles[t].v[i];
    }
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        dew_join_vertices(parent, triangles[t].v[0], triangles[t].v[1]);
        dew_join_vertices(parent, triangles[t].v[0], triangles[t].v[2]);
    }
    for (int64_t v = 0; v < vertex_count; v++) {
        if (parent[v] != DEW_NO_COMPONENT)
            parent[v] = dew_vertex_root(parent, (uint32_t)v);
    }
    // In place: a root comes before its members, and has its label by the time they ask.
    for (int64_t v = 0; v < vertex_count; v++) {
        if (parent[v] == DEW_NO_COMPONENT)
            continue;
        vertex_label[v] = parent[v] == v ? (uint32_t)component_count++ : vertex_label[parent[v]];
    }
    for (int64_t t = 0; triangle_label && t < mesh->triangles.count; t++)
        triangle_label[t] = vertex_label[triangles[t].v[0]];
    return component_count;
}

void dew_mesh_vertex_normals(const dew_Mesh *mesh, dew_Vec3 *normals)
{
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    for (int64_t v = 0; v < mesh->positions.count; v++)
        normals[v] = dew_vec(0, 0, 0);
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        const uint32_t *v = triangles[t].v;
        dew_Vec3 n = dew_normalize(dew_triangle_normal(x[v[0]], x[v[1]], x[v[2]]));
        for (int i = 0; i < 3; i++) {
            uint32_t a = v[i], b = v[(i + 1) % 3], c = v[(i + 2) % 3];
            double angle = dew_triangle_angle(x[a], x[b], x[c]);
            normals[a] = dew_add_scaled(normals[a], angle, n);
        }
    }
    for (int64_t v = 0; v < mesh->positions.count; v++)
        normals[v] = dew_normalize(normals[v]);
}
