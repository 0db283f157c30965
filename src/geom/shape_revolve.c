// Bodies of revolution: cylinder, tube, spherical cap, and any outline.
//
// Each point of the outline becomes a ring with as many vertices as its circumference asks for, or
// a single vertex on the axis; neighbouring rings are joined by a strip that always advances on the
// ring whose next vertex comes first. Two rings that alternate by half a step would be nicer; the
// strip does not need it.
#include "geom/shapes.h"

#include "base/array.h"
#include "base/status.h"
#include "dew/wetting.h"

#define MIN_RING 12  // vertices, where no edge length asks for more; 30 degrees each

typedef struct Ring {
    uint32_t first, count;
} Ring;

// Vertices of a ring. Small rings near the axis need fewer than others: three still close.
static double ring_size(double radius, double edge_m)
{
    if (radius == 0)
        return 1;
    return edge_m > 0 ? fmax(radius > edge_m ? MIN_RING / 2 : 3, ceil(2 * DEW_PI * radius / edge_m))
                      : MIN_RING;
}

static dew_Status add_ring(dew_ProfilePoint point, double edge_m, dew_Mesh *mesh, Ring *ring)
{
    *ring = (Ring){(uint32_t)mesh->positions.count, (uint32_t)ring_size(point.radius_m, edge_m)};
    for (uint32_t i = 0; i < ring->count; i++) {
        double phi = 2 * DEW_PI * i / ring->count;
        dew_Vec3 p = {point.radius_m * cos(phi), point.y_m, -point.radius_m * sin(phi)};
        DEW_TRY(dew_mesh_add_vertex(mesh, p));
    }
    return dew_ok();
}

// Joins a ring with the next of the outline. Angles run counter-clockwise seen from above; the next
// ring lies further along the outline, so (lower, lower + 1, upper) faces outward.
static dew_Status join_rings(Ring lower, Ring upper, dew_Mesh *mesh)
{
    uint64_t i = 0, j = 0, lower_end = lower.count > 1 ? lower.count : 0;
    uint64_t upper_end = upper.count > 1 ? upper.count : 0;
    while (i < lower_end || j < upper_end) {
        uint32_t a = lower.first + (uint32_t)(i % lower.count);
        uint32_t b = upper.first + (uint32_t)(j % upper.count);
        // Advance where the middle of the next edge comes first, as fractions i / lower.count.
        bool on_lower = j >= upper_end ||
                        (i < lower_end && (2 * i + 1) * upper.count <= (2 * j + 1) * lower.count);
        if (on_lower) {
            i++;
            DEW_TRY(dew_mesh_add_triangle(mesh, a, lower.first + (uint32_t)(i % lower.count), b));
        } else {
            j++;
            DEW_TRY(dew_mesh_add_triangle(mesh, a, upper.first + (uint32_t)(j % upper.count), b));
        }
    }
    return dew_ok();
}

static dew_Status check_profile(const dew_ProfilePoint *profile, int64_t count, double edge_m)
{
    bool is_open = count > 0 && profile[0].radius_m == 0 && profile[count - 1].radius_m == 0;
    if (count < 3)
        return dew_fail(DEW_BAD_INPUT, "an outline of %lld points encloses nothing (at least 3)",
                        (long long)count);
    double triangles = 0;
    for (int64_t i = 0; i < count; i++) {
        bool is_end = is_open && (i == 0 || i == count - 1);
        double r = profile[i].radius_m;
        if (!isfinite(profile[i].y_m) || !(dew_is_length(r) || (is_end && r == 0)))
            return dew_fail(
                DEW_BAD_INPUT,
                "point %lld of the outline is at radius %g m, y %g m (the radius must be "
                "> 0, or 0 at both ends)",
                (long long)i, r, profile[i].y_m);
        triangles += 2 * ring_size(r, edge_m);
    }
    if (!(triangles <= DEW_MESH_MAX_TRIANGLES))
        return dew_fail(DEW_BAD_INPUT,
                        "edges of %g m would make %.3g triangles (at most 1e8; use longer edges)",
                        edge_m, triangles);
    return dew_ok();
}

dew_Status dew_shape_revolve(const dew_ProfilePoint *profile, int64_t count, double edge_m,
                             dew_Mesh *mesh)
{
    DEW_TRY(check_profile(profile, count, edge_m));
    dew_mesh_clear(mesh);
    Ring first = {0, 0}, last = {0, 0};
    for (int64_t i = 0; i < count; i++) {
        Ring ring;
        DEW_TRY(add_ring(profile[i], edge_m, mesh, &ring));
        if (i == 0)
            first = ring;
        else
            DEW_TRY(join_rings(last, ring, mesh));
        last = ring;
    }
    return first.count > 1 ? join_rings(last, first, mesh) : dew_ok();
}

// ---- outlines ----------------------------------------------------------------------------------

// Points from `from` (included) to `to` (not), about edge_m apart.
static dew_Status add_line(dew_Array *profile, dew_ProfilePoint from, dew_ProfilePoint to,
                           double edge_m)
{
    double dr = to.radius_m - from.radius_m, dy = to.y_m - from.y_m;
    double parts = edge_m > 0 ? fmax(1, ceil(hypot(dr, dy) / edge_m - 1e-9)) : 1;
    if (parts > DEW_MESH_MAX_TRIANGLES)
        return dew_fail(DEW_BAD_INPUT, "edges of %g m are too short for a shape of %g m", edge_m,
                        hypot(dr, dy));
    for (int64_t i = 0; i < (int64_t)parts; i++) {
        double s = (double)i / parts;
        dew_ProfilePoint point = {from.radius_m + s * dr, from.y_m + s * dy};
        DEW_TRY(dew_array_push(profile, &point));
    }
    return dew_ok();
}

// Turns an outline given by its corners, each line cut into edges.
static dew_Status revolve_corners(const dew_ProfilePoint *corners, int count, bool is_ring,
                                  double edge_m, dew_Mesh *mesh)
{
    dew_Array profile;
    dew_array_init(&profile, &mesh->allocator, sizeof(dew_ProfilePoint));
    dew_Status status = dew_ok();
    for (int i = 0; i + 1 < count && status.code == DEW_OK; i++)
        status = add_line(&profile, corners[i], corners[i + 1], edge_m);
    if (status.code == DEW_OK && is_ring)
        status = add_line(&profile, corners[count - 1], corners[0], edge_m);
    else if (status.code == DEW_OK)
        status = dew_array_push(&profile, &corners[count - 1]);
    if (status.code == DEW_OK)
        status =
            dew_shape_revolve(DEW_ITEMS(&profile, dew_ProfilePoint), profile.count, edge_m, mesh);
    dew_array_deinit(&profile);
    return status;
}

dew_Status dew_shape_cylinder(double radius_m, double length_m, double edge_m, dew_Mesh *mesh)
{
    if (!dew_is_length(radius_m) || !dew_is_length(length_m))
        return dew_fail(DEW_BAD_INPUT,
                        "radius %g m and length %g m make no cylinder (both must be > 0)", radius_m,
                        length_m);
    double y = length_m / 2;
    dew_ProfilePoint corners[4] = {{0, -y}, {radius_m, -y}, {radius_m, y}, {0, y}};
    return revolve_corners(corners, 4, false, edge_m, mesh);
}

dew_Status dew_shape_tube(double inner_radius_m, double outer_radius_m, double length_m,
                          double edge_m, dew_Mesh *mesh)
{
    if (!dew_is_length(inner_radius_m) || !dew_is_length(length_m) ||
        !dew_is_length(outer_radius_m) || !(outer_radius_m > inner_radius_m))
        return dew_fail(DEW_BAD_INPUT,
                        "radii %g m and %g m and length %g m make no tube (0 < inner < outer, "
                        "length > 0)",
                        inner_radius_m, outer_radius_m, length_m);
    double y = length_m / 2, in = inner_radius_m, out = outer_radius_m;
    dew_ProfilePoint corners[4] = {{in, -y}, {out, -y}, {out, y}, {in, y}};
    return revolve_corners(corners, 4, true, edge_m, mesh);
}

// The dome from the rim to the top.
static dew_Status add_dome(dew_Array *profile, dew_DropCap cap, double angle_rad, double edge_m)
{
    double parts = edge_m > 0 ? fmax(4, ceil(cap.radius_m * angle_rad / edge_m - 1e-9)) : 8;
    if (parts > DEW_MESH_MAX_TRIANGLES)
        return dew_fail(DEW_BAD_INPUT, "edges of %g m are too short for a cap of radius %g m",
                        edge_m, cap.radius_m);
    for (int64_t i = 0; i <= (int64_t)parts; i++) {
        double theta = angle_rad * (1 - (double)i / parts);
        dew_ProfilePoint point = {cap.radius_m * sin(theta),
                                  cap.center_height_m + cap.radius_m * cos(theta)};
        if (i == 0)
            point = (dew_ProfilePoint){cap.base_radius_m, 0};
        if (i == (int64_t)parts)
            point = (dew_ProfilePoint){0, cap.height_m};
        DEW_TRY(dew_array_push(profile, &point));
    }
    return dew_ok();
}

dew_Status dew_shape_cap(double volume_m3, double angle_rad, double edge_m, dew_Mesh *mesh)
{
    if (!dew_is_length(volume_m3) || !(angle_rad > 0 && angle_rad < DEW_PI))
        return dew_fail(
            DEW_BAD_INPUT,
            "a volume of %g m^3 and an angle of %g rad make no cap (volume > 0, angle in "
            "(0, pi))",
            volume_m3, angle_rad);
    dew_DropCap cap = dew_drop_cap_from_volume_angle(volume_m3, angle_rad);
    dew_Array profile;
    dew_array_init(&profile, &mesh->allocator, sizeof(dew_ProfilePoint));
    dew_ProfilePoint axis = {0, 0}, rim = {cap.base_radius_m, 0};
    dew_Status status = add_line(&profile, axis, rim, edge_m);
    if (status.code == DEW_OK)
        status = add_dome(&profile, cap, angle_rad, edge_m);
    if (status.code == DEW_OK)
        status =
            dew_shape_revolve(DEW_ITEMS(&profile, dew_ProfilePoint), profile.count, edge_m, mesh);
    dew_array_deinit(&profile);
    return status;
}
