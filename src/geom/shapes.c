// Meshes of basic shapes.
//
// Sphere and ellipsoid: the geodesic subdivision of an icosahedron. Box and patch: rectangular
// grids. Cylinder, tube and cap: an outline turned about the y axis (shape_revolve.c).
#include "geom/shapes.h"

#include "base/status.h"

static dew_Status check_triangles(double count, double edge_m)
{
    if (!(count <= DEW_MESH_MAX_TRIANGLES))
        return dew_fail(DEW_BAD_INPUT,
                        "edges of %g m would make %.3g triangles (at most 1e8; use longer edges)",
                        edge_m, count);
    return dew_ok();
}

// Parts that a length is cut into; at least `least`. edge <= 0: just these.
static double part_count(double length, double edge, double least)
{
    return edge > 0 ? fmax(least, ceil(length / edge - 1e-9)) : least;
}

// ---- sphere ------------------------------------------------------------------------------------

// Corners of the icosahedron: two poles and two rings of five.
static dew_Vec3 icosahedron_corner(int i)
{
    if (i == 0)
        return dew_vec(0, 1, 0);
    if (i == 11)
        return dew_vec(0, -1, 0);
    bool is_lower = i > 5;
    double angle = 2 * DEW_PI / 5 * ((is_lower ? i - 6 : i - 1) + (is_lower ? 0.5 : 0));
    double r = 2 / sqrt(5.0), y = is_lower ? -1 / sqrt(5.0) : 1 / sqrt(5.0);
    return dew_vec(r * cos(angle), y, -r * sin(angle));  // counter-clockwise seen from above
}

// Its 20 faces; each edge is named (low, high) by its corners.
static const uint8_t icosahedron_faces[20][3] = {
    {0, 1, 2},  {0, 2, 3},  {0, 3, 4},  {0, 4, 5},  {0, 5, 1},   {1, 6, 2},  {2, 7, 3},
    {3, 8, 4},  {4, 9, 5},  {5, 10, 1}, {2, 6, 7},  {3, 7, 8},   {4, 8, 9},  {5, 9, 10},
    {1, 10, 6}, {11, 7, 6}, {11, 8, 7}, {11, 9, 8}, {11, 10, 9}, {11, 6, 10}};

// Where the vertices of the subdivided icosahedron are found.
typedef struct Geodesic {
    uint32_t frequency;
    int8_t edge_index[12][12];  // of the edge between two corners, -1: none
} Geodesic;

static Geodesic geodesic(int frequency)
{
    Geodesic g = {.frequency = (uint32_t)frequency};
    int edges = 0;
    for (int a = 0; a < 12; a++) {
        for (int b = 0; b < 12; b++)
            g.edge_index[a][b] = -1;
    }
    for (int f = 0; f < 20; f++) {
        for (int i = 0; i < 3; i++) {
            int a = icosahedron_faces[f][i], b = icosahedron_faces[f][(i + 1) % 3];
            if (g.edge_index[a][b] < 0) {
                g.edge_index[a][b] = (int8_t)edges;
                g.edge_index[b][a] = (int8_t)edges++;
            }
        }
    }
    return g;
}

// Index of the vertex `step` parts along the edge from corner a to corner b.
static uint32_t edge_vertex(const Geodesic *g, int a, int b, uint32_t step)
{
    if (step == 0)
        return (uint32_t)a;
    if (step == g->frequency)
        return (uint32_t)b;
    uint32_t edge = (uint32_t)g->edge_index[a][b];
    uint32_t from_low = a < b ? step : g->frequency - step;
    return 12 + edge * (g->frequency - 1) + from_low - 1;
}

// Index of the vertex of face f at row i of `frequency`, place j of i. Row 0 is the first corner.
static uint32_t face_vertex(const Geodesic *g, int f, uint32_t i, uint32_t j)
{
    int a = icosahedron_faces[f][0], b = icosahedron_faces[f][1], c = icosahedron_faces[f][2];
    uint32_t n = g->frequency;
    if (j == 0)
        return edge_vertex(g, a, b, i);
    if (j == i)
        return edge_vertex(g, a, c, i);
    if (i == n)
        return edge_vertex(g, b, c, j);
    uint32_t inner = (n - 1) * (n - 2) / 2, row = (i - 1) * (i - 2) / 2;
    return 12 + 30 * (n - 1) + (uint32_t)f * inner + row + j - 1;
}

static dew_Status fill_icosphere(const Geodesic *g, dew_Vec3 radii, dew_Mesh *mesh)
{
    uint32_t n = g->frequency;
    DEW_TRY(dew_array_resize(&mesh->positions, 10 * (int64_t)n * n + 2));
    DEW_TRY(dew_array_reserve(&mesh->triangles, 20 * (int64_t)n * n));
    dew_Vec3 *x = DEW_ITEMS(&mesh->positions, dew_Vec3);
    for (int f = 0; f < 20; f++) {
        dew_Vec3 a = icosahedron_corner(icosahedron_faces[f][0]);
        dew_Vec3 b = icosahedron_corner(icosahedron_faces[f][1]);
        dew_Vec3 c = icosahedron_corner(icosahedron_faces[f][2]);
        for (uint32_t i = 0; i <= n; i++) {
            for (uint32_t j = 0; j <= i; j++) {
                dew_Vec3 p = dew_combine((double)(n - i), a, (double)(i - j), b);
                p = dew_normalize(dew_add_scaled(p, (double)j, c));
                x[face_vertex(g, f, i, j)] = dew_vec(radii.x * p.x, radii.y * p.y, radii.z * p.z);
                if (i == n)
                    continue;
                uint32_t top = face_vertex(g, f, i, j), left = face_vertex(g, f, i + 1, j);
                uint32_t right = face_vertex(g, f, i + 1, j + 1);
                DEW_TRY(dew_mesh_add_triangle(mesh, top, left, right));
                if (j < i)
                    DEW_TRY(dew_mesh_add_triangle(mesh, top, right, face_vertex(g, f, i, j + 1)));
            }
        }
    }
    return dew_ok();
}

static dew_Status make_ellipsoid(dew_Vec3 radii_m, double frequency, dew_Mesh *mesh)
{
    if (!dew_is_length(radii_m.x) || !dew_is_length(radii_m.y) || !dew_is_length(radii_m.z))
        return dew_fail(DEW_BAD_INPUT,
                        "radii of (%g, %g, %g) m make no ellipsoid (all must be > 0)", radii_m.x,
                        radii_m.y, radii_m.z);
    double longest = fmax(radii_m.x, fmax(radii_m.y, radii_m.z));
    DEW_TRY(check_triangles(20 * frequency * frequency, longest / frequency));
    dew_mesh_clear(mesh);
    Geodesic g = geodesic((int)frequency);
    return fill_icosphere(&g, radii_m, mesh);
}

dew_Status dew_shape_icosphere(double radius_m, int frequency, dew_Mesh *mesh)
{
    return make_ellipsoid(dew_vec(radius_m, radius_m, radius_m), fmax(1, frequency), mesh);
}

dew_Status dew_shape_sphere(double radius_m, double edge_m, dew_Mesh *mesh)
{
    return dew_shape_ellipsoid(dew_vec(radius_m, radius_m, radius_m), edge_m, mesh);
}

dew_Status dew_shape_ellipsoid(dew_Vec3 radii_m, double edge_m, dew_Mesh *mesh)
{
    // An edge of the icosahedron spans an arc of atan 2.
    double longest = fmax(radii_m.x, fmax(radii_m.y, radii_m.z));
    return make_ellipsoid(radii_m, part_count(longest * atan(2), edge_m, 4), mesh);
}

// ---- box and patch -----------------------------------------------------------------------------

// The surface of a lattice of nx x ny x nz cells.
typedef struct Lattice {
    int64_t n[3];
    dew_Vec3 size;
} Lattice;

// Index of a lattice point on the surface: planes of constant z one after the other, the first and
// the last full, those between only their rim.
static uint32_t lattice_vertex(const Lattice *l, int64_t i, int64_t j, int64_t k)
{
    int64_t nx = l->n[0], ny = l->n[1], nz = l->n[2];
    int64_t full = (nx + 1) * (ny + 1), rim = 2 * (nx + ny);
    if (k == 0)
        return (uint32_t)(j * (nx + 1) + i);
    if (k == nz)
        return (uint32_t)(full + (nz - 1) * rim + j * (nx + 1) + i);
    int64_t base = full + (k - 1) * rim;
    if (j == 0)
        return (uint32_t)(base + i);
    if (j == ny)
        return (uint32_t)(base + nx + 1 + i);
    return (uint32_t)(base + 2 * (nx + 1) + 2 * (j - 1) + (i == nx ? 1 : 0));
}

static uint32_t lattice_point(const Lattice *l, const int64_t at[3], dew_Mesh *mesh)
{
    uint32_t v = lattice_vertex(l, at[0], at[1], at[2]);
    DEW_ITEMS(&mesh->positions, dew_Vec3)
    [v] = dew_vec(l->size.x * ((double)at[0] / (double)l->n[0] - 0.5),
                  l->size.y * ((double)at[1] / (double)l->n[1] - 0.5),
                  l->size.z * ((double)at[2] / (double)l->n[2] - 0.5));
    return v;
}

// The two faces at right angles to an axis.
static dew_Status add_box_faces(const Lattice *l, int axis, dew_Mesh *mesh)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int side = 0; side < 2; side++) {
        for (int64_t i = 0; i < l->n[u]; i++) {
            for (int64_t j = 0; j < l->n[v]; j++) {
                uint32_t corner[4];
                for (int c = 0; c < 4; c++) {
                    int64_t at[3];
                    at[axis] = side ? l->n[axis] : 0;
                    at[u] = i + (c == 1 || c == 2);
                    at[v] = j + (c >= 2);
                    corner[side ? c : 3 - c] = lattice_point(l, at, mesh);
                }
                DEW_TRY(dew_mesh_add_triangle(mesh, corner[0], corner[1], corner[2]));
                DEW_TRY(dew_mesh_add_triangle(mesh, corner[0], corner[2], corner[3]));
            }
        }
    }
    return dew_ok();
}

dew_Status dew_shape_box(dew_Vec3 size_m, double edge_m, dew_Mesh *mesh)
{
    if (!dew_is_length(size_m.x) || !dew_is_length(size_m.y) || !dew_is_length(size_m.z))
        return dew_fail(DEW_BAD_INPUT, "sizes of (%g, %g, %g) m make no box (all must be > 0)",
                        size_m.x, size_m.y, size_m.z);
    double nx = part_count(size_m.x, edge_m, 1), ny = part_count(size_m.y, edge_m, 1);
    double nz = part_count(size_m.z, edge_m, 1);
    DEW_TRY(check_triangles(4 * (nx * ny + ny * nz + nz * nx), edge_m));
    Lattice l = {{(int64_t)nx, (int64_t)ny, (int64_t)nz}, size_m};
    int64_t vertices = 2 * (l.n[0] * l.n[1] + l.n[1] * l.n[2] + l.n[2] * l.n[0]) + 2;
    dew_mesh_clear(mesh);
    DEW_TRY(dew_array_resize(&mesh->positions, vertices));
    DEW_TRY(dew_array_reserve(&mesh->triangles, 2 * (vertices - 2)));
    for (int axis = 0; axis < 3; axis++)
        DEW_TRY(add_box_faces(&l, axis, mesh));
    return dew_ok();
}

dew_Status dew_shape_patch(double size_x_m, double size_z_m, double edge_m, dew_Mesh *mesh)
{
    if (!dew_is_length(size_x_m) || !dew_is_length(size_z_m))
        return dew_fail(DEW_BAD_INPUT, "sizes of %g m and %g m make no patch (both must be > 0)",
                        size_x_m, size_z_m);
    double nx = part_count(size_x_m, edge_m, 1), nz = part_count(size_z_m, edge_m, 1);
    DEW_TRY(check_triangles(2 * nx * nz, edge_m));
    uint32_t columns = (uint32_t)nx + 1, rows = (uint32_t)nz + 1;
    dew_mesh_clear(mesh);
    for (uint32_t j = 0; j < rows; j++) {
        for (uint32_t i = 0; i < columns; i++) {
            DEW_TRY(dew_mesh_add_vertex(
                mesh, dew_vec(size_x_m * (i / nx - 0.5), 0, size_z_m * (j / nz - 0.5))));
        }
    }
    for (uint32_t j = 0; j + 1 < rows; j++) {
        for (uint32_t i = 0; i + 1 < columns; i++) {
            uint32_t a = j * columns + i, b = a + columns;
            DEW_TRY(dew_mesh_add_triangle(mesh, a, b, b + 1));
            DEW_TRY(dew_mesh_add_triangle(mesh, a, b + 1, a + 1));
        }
    }
    return dew_ok();
}
