// The surface beside walls: closed whatever the values, and its rim where geometry has it.
#include "surface/marching_tetrahedra.h"

#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "base/status.h"
#include "base/testing.h"
#include "geom/mesh_audit.h"
#include "geom/mesh_crossings.h"
#include "surface/step_back.h"

#define H 1e-3  // cell

/// A ball cut by a plane, on a grid.
typedef struct Ball {
    dew_Vec3 center, point, normal;
    double radius;
    dew_Grid *grid;
    dew_Arena scratch;
    dew_Surface *surface;
} Ball;

static bool plane_nearest(const void *context, dew_Vec3 x, double reach, dew_WallPoint *out)
{
    const Ball *b = context;
    double d = dew_inner(dew_sub(x, b->point), b->normal);
    *out = (dew_WallPoint){dew_add_scaled(x, -d, b->normal), b->normal, d};
    return d < reach;
}

static dew_Grid *make_grid(int dimensions, const int32_t low[3], const int32_t high[3])
{
    dew_GridDef def = dew_default_grid_def();
    dew_Grid *grid = NULL;
    def.dimensions = dimensions;
    def.cell_m = H;
    for (int a = 0; a < 3; a++) {
        def.cell_min[a] = low[a];
        def.cell_max[a] = high[a];
    }
    assert_ok(dew_grid_create(&def, &grid));
    dew_grid_update_begin(grid);
    assert_ok(dew_grid_want_box(grid, low, high));
    bool has_changed;
    assert_ok(dew_grid_update_end(grid, &has_changed));
    return grid;
}

static void march(Ball *b, const double *phi, const double *wall)
{
    dew_TetrahedraDef def = dew_default_tetrahedra_def();
    def.grid = b->grid;
    def.phi = phi;
    def.wall = wall;
    def.nearest = plane_nearest;
    def.context = b;
    def.scratch = &b->scratch;
    assert_ok(dew_march_tetrahedra(&def, b->surface));
    assert_ok(dew_surface_finish(b->surface));
}

static dew_MeshAudit audit(const dew_Surface *surface, bool looks_for_crossings)
{
    dew_MeshAudit result;
    dew_MeshAuditDef def = {.skip_self_intersections = !looks_for_crossings};
    dew_Mesh mesh = dew_surface_view(surface);
    assert_ok(dew_mesh_audit(&mesh, &def, &result));
    char text[400];
    dew_mesh_audit_summary(&result, text, sizeof text);
    if (!result.is_closed || !result.is_manifold || !result.is_oriented)
        fail_msg("%s", text);
    return result;
}

// Pairs of triangles that cross, in positions as files store them.
static int64_t crossings(const dew_Surface *surface)
{
    dew_Arena arena;
    dew_Array pairs;
    int64_t n = surface->positions.count;
    dew_arena_init(&arena, NULL);
    dew_array_init(&pairs, NULL, sizeof(dew_TrianglePair));
    dew_Vec3 *x = dew_arena_array(&arena, dew_Vec3, n);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++)
        x[i] = dew_as_written(DEW_ITEMS(&surface->positions, dew_Vec3)[i]);
    dew_CrossingSearch search = {.positions = x,
                                 .triangles = DEW_ITEMS(&surface->triangles, dew_Triangle),
                                 .triangle_count = surface->triangles.count,
                                 .scratch = &arena};
    assert_ok(dew_mesh_crossings(&search, &pairs));
    int64_t count = pairs.count;
    dew_array_deinit(&pairs);
    dew_arena_deinit(&arena);
    return count;
}

// A drop that meets the plane at this angle, with the plane given.
static Ball cap(double angle, dew_Vec3 normal, double radius, const int32_t low[3],
                const int32_t high[3])
{
    Ball b = {.point = {0.13 * H, 0.37 * H, -0.21 * H}, .normal = dew_normalize(normal)};
    b.radius = radius;
    b.center = dew_add_scaled(b.point, -radius * cos(angle), b.normal);
    b.grid = make_grid(3, low, high);
    dew_arena_init(&b.scratch, NULL);
    assert_ok(dew_surface_create(NULL, &b.surface));
    int64_t count = dew_grid_value_count(b.grid);
    double *phi = dew_arena_array(&b.scratch, double, count);
    double *wall = dew_arena_array(&b.scratch, double, count);
    assert_non_null(phi);
    assert_non_null(wall);
    for (int64_t at = 0; at < count; at++) {
        int n = (int)(at % 512);
        dew_Vec3 x =
            dew_grid_position(b.grid, (int32_t)(at / 512), n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
        phi[at] = dew_distance(x, b.center) - radius;
        wall[at] = dew_inner(dew_sub(x, b.point), b.normal);
    }
    march(&b, phi, wall);
    return b;
}

static void end(Ball *b)
{
    dew_surface_destroy(b->surface);
    dew_arena_deinit(&b->scratch);
    dew_grid_destroy(b->grid);
}

// How far vertices are from where they belong, in cells, and how far line vertices are apart at
// most.
typedef struct Off {
    double line, wall, ball;
    int64_t line_count;
} Off;

static double from_ball(const Ball *b, dew_Vec3 x)
{
    return dew_distance(x, b->center) - b->radius;
}

static double from_circle(const Ball *b, dew_Vec3 x, double base)
{
    dew_Vec3 r = dew_sub(x, b->point);
    return dew_length(dew_add_scaled(r, -dew_inner(r, b->normal), b->normal)) - base;
}

// Wet corners of triangles that are not all wet are the contact line's.
static Off measure(const Ball *b, double base)
{
    Off off = {0};
    const dew_Vec3 *x = dew_surface_positions_m(b->surface);
    const float *wet = dew_surface_wet(b->surface);
    const dew_Triangle *triangles = DEW_ITEMS(&b->surface->triangles, dew_Triangle);
    for (int64_t t = 0; t < dew_surface_triangle_count(b->surface); t++) {
        const uint32_t *v = triangles[t].v;
        bool is_wet = wet[v[0]] > 0 && wet[v[1]] > 0 && wet[v[2]] > 0;
        for (int c = 0; c < 3; c++) {
            if (wet[v[c]] > 0)
                off.wall = fmax(off.wall, fabs(dew_inner(dew_sub(x[v[c]], b->point), b->normal)));
            if (!is_wet)
                off.ball = fmax(off.ball, fabs(from_ball(b, x[v[c]])));
            if (is_wet || !(wet[v[c]] > 0))
                continue;
            off.line = fmax(off.line, fabs(from_circle(b, x[v[c]], base)));
            off.line_count++;
        }
    }
    return (Off){off.line / H, off.wall / H, off.ball / H, off.line_count};
}

// The contact line is the circle as far as tricubic interpolation goes, h^3 / R^3 (a rim cut from
// the lattice is off by up to a cell at 30 degrees), the rest lies on ball and plane, nothing
// crosses itself, and the volume misses what flat triangles must: some h^2 / R^2.
static void rims_are_circles(void **state)
{
    (void)state;
    static const double angles[] = {30, 90, 150};
    static const dew_Vec3 normals[] = {{0, 1, 0}, {0.3, 1, 0.2}, {-1, 0.2, 0.7}};
    static const int32_t low[3] = {-16, -16, -16}, high[3] = {16, 16, 16};
    const double pi = acos(-1.0);
    for (int n = 0; n < 9; n++) {
        double angle = angles[n % 3] * pi / 180, radius = fmin(5 * H / sin(angle), 7 * H);
        Ball b = cap(angle, normals[n / 3], radius, low, high);
        dew_MeshAudit found = audit(b.surface, true);
        assert_int_equal(found.euler_characteristic, 2);
        assert_int_equal(found.count[DEW_FLAW_SELF_INTERSECTION], 0);
        assert_int_equal(found.count[DEW_FLAW_DEGENERATE], 0);
        Off off = measure(&b, radius * sin(angle));
        assert_in_range(off.line_count, 30, 1000);
        assert_true(off.line < 0.005);
        assert_true(off.wall < 1e-9);
        assert_true(off.ball < 0.005);
        double part = 1 - cos(angle), ratio = H / radius;
        double exact = pi * pow(radius, 3) / 3 * (3 - part) * part * part;
        assert_true(fabs(dew_surface_volume_m3(b.surface) / exact - 1) < ratio * ratio / part);
        end(&b);
    }
}

// Any values at all give a closed surface, also where bricks end.
static void noise_is_closed_and_does_not_cross(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 24; seed++) {
        double fraction = seed < 8 ? 0.5 : seed < 16 ? 0.1 : 0.03;  // of nodes that are liquid
        double size = seed < 16 ? H : 9 * H;
        const int32_t low[3] = {0, 0, 0}, high[3] = {16, 8, seed % 2 ? 1 : 8};
        Ball b = {.normal = {0, 1, 0}, .point = {0, 3.3 * H, 0}};
        b.grid = make_grid(seed % 2 ? 2 : 3, low, high);
        dew_arena_init(&b.scratch, NULL);
        assert_ok(dew_surface_create(NULL, &b.surface));
        int64_t count = dew_grid_value_count(b.grid);
        double *phi = dew_arena_array(&b.scratch, double, count);
        double *wall = dew_arena_array(&b.scratch, double, count);
        assert_non_null(phi);
        assert_non_null(wall);
        dew_Random random = dew_random(seed, 0, 0);
        for (int64_t at = 0; at < count; at++) {
            phi[at] = size * (dew_random_unit(&random) - fraction);
            wall[at] = H * (dew_random_unit(&random) - 0.4);
        }
        march(&b, phi, wall);
        audit(b.surface, false);
        assert_int_equal(crossings(b.surface), 0);
        assert_true(dew_surface_triangle_count(b.surface) > 10);
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rims_are_circles),
        cmocka_unit_test(noise_is_closed_and_does_not_cross),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
