// Bodies of an image: meshes with normals, and liquid made smooth and sunk into what it wets.
#include "base/status.h"
#include "render/patches.h"
#include "render/render_scene.h"
#include "render/render_sides.h"
#include "surface/surface.h"

#include <string.h>

#define SHEET_CREASE DEW_DEG(40)

/// How wet vertices are moved into the solid, so that no gap shows below the liquid. Lengths in
/// edges of the mesh.
static const struct {
    double depth;            // below the solid's surface
    double max_round;        // per round, where a triangle between the vertices would stay above
    double max_depth;        // in all rounds
    int max_rounds;          // each halves what is above in a right angle
    double tolerance;        // what stays above, in depths
    int probes;              // per edge of a triangle, where the height is measured
    double flat_cosine;      // between normals at the corners of a triangle on a flat solid
    double corner;           // from a wall, within which a wet vertex touches it too
    double sheet_tolerance;  // of a thin sheet's thickness, within which vertices are in its planes
} inset = {.depth = 0.04,
           .max_round = 0.5,
           .max_depth = 2,
           .max_rounds = 24,
           .tolerance = 0.25,
           .probes = 4,
           .flat_cosine = 0.999,
           .corner = 0.6,
           .sheet_tolerance = 1e-3};

/// How finely the liquid's triangles are cut.
static const struct {
    double edge_px;         // as seen by the camera: outlines look smooth
    int max_cuts;           // per edge
    int64_t max_triangles;  // after cutting: 100 MB of vertices
} cutting = {.edge_px = 2.5, .max_cuts = 6, .max_triangles = 1200000};

static dew_Status add_triangles(dew_RenderScene *scene, uint32_t body, uint32_t first_vertex,
                                const dew_Triangle *triangles, int64_t count)
{
    int64_t before = scene->triangles.count;
    DEW_TRY(dew_array_resize(&scene->triangles, before + count));
    DEW_TRY(dew_array_resize(&scene->triangle_body, before + count));
    DEW_TRY(dew_array_resize(&scene->corner_normals, 3 * (before + count)));
    dew_Triangle *out = DEW_ITEMS(&scene->triangles, dew_Triangle) + before;
    for (int64_t t = 0; t < count; t++) {
        for (int k = 0; k < 3; k++)
            out[t].v[k] = triangles[t].v[k] + first_vertex;
        DEW_ITEMS(&scene->triangle_body, uint32_t)[before + t] = body;
    }
    return dew_ok();
}

static dew_Status add_vertices(dew_RenderScene *scene, const dew_RenderBody *body,
                               const dew_Vec3 *positions, const dew_Vec3 *motions, int64_t count)
{
    int64_t before = scene->positions.count;
    if (before + count > UINT32_MAX / 8)
        return dew_fail(DEW_UNSUPPORTED, "an image of more than %lld vertices",
                        (long long)(UINT32_MAX / 8));
    DEW_TRY(dew_array_append(&scene->positions, positions, count));
    DEW_TRY(dew_array_resize(&scene->motions, before + count));
    DEW_TRY(dew_array_resize(&scene->own, before + count));
    for (int64_t i = 0; i < count; i++) {
        dew_Vec3 motion = motions ? motions[i] : dew_vec(0, 0, 0);
        DEW_ITEMS(&scene->motions, dew_Vec3)[before + i] = motion;
        DEW_ITEMS(&scene->own, dew_Float3)
        [before + i] = dew_f3_from(dew_rotate(body->to_own, positions[i]));
        scene->is_moving = scene->is_moving || dew_length2(motion) > 0;
    }
    return dew_ok();
}

static dew_Status add_creased(dew_RenderScene *scene, const dew_RenderBody *body,
                              const dew_Mesh *mesh, const dew_Vec3 *motions, double crease_rad)
{
    int64_t first_corner = scene->corner_normals.count;
    uint32_t first = (uint32_t)scene->positions.count, index = (uint32_t)scene->bodies.count;
    DEW_TRY(dew_array_push(&scene->bodies, body));
    DEW_TRY(add_vertices(scene, body, dew_mesh_positions(mesh), motions, mesh->positions.count));
    DEW_TRY(add_triangles(scene, index, first, dew_mesh_triangles(mesh), mesh->triangles.count));
    return dew_patches_corner_normals(mesh, crease_rad, &scene->scratch,
                                      DEW_ITEMS(&scene->corner_normals, dew_Float3) + first_corner);
}

dew_Status dew_render_scene_add_mesh(dew_RenderScene *scene, const dew_RenderBody *body,
                                     const dew_Mesh *mesh, double crease_rad)
{
    return add_creased(scene, body, mesh, NULL, crease_rad);
}

// ---- liquid ------------------------------------------------------------------------------------

// The liquid's mesh while it is prepared; arrays in the scratch arena.
typedef struct Liquid {
    dew_Mesh mesh;       // positions are ours, triangles the surface's
    uint8_t *is_hidden;  // per triangle: all corners wet, or all in one side of the domain
    uint8_t *is_flat;    // per vertex: all its triangles are hidden
    uint8_t *sides;      // per vertex: sides of the domain it lies in
    dew_Float3 *normals;
    dew_Vec3 *motions;
    double edge_m;  // mean
    bool is_sheet;
} Liquid;

static double mean_edge(const dew_Mesh *mesh)
{
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    double sum = 0;
    for (int64_t t = 0; t < mesh->triangles.count; t++)
        for (int k = 0; k < 3; k++)
            sum += dew_distance(x[triangles[t].v[k]], x[triangles[t].v[(k + 1) % 3]]);
    return mesh->triangles.count > 0 ? sum / (3 * (double)mesh->triangles.count) : 0;
}

// Do nearly all vertices lie in two planes across z? What is computed in two dimensions is such a
// sheet, with sharp edges all round.
static bool is_sheet(const dew_Mesh *mesh)
{
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    double front = x[0].z, back = front;
    for (int64_t v = 1; v < mesh->positions.count; v++) {
        front = fmax(front, x[v].z);
        back = fmin(back, x[v].z);
    }
    int64_t between = 0;
    for (int64_t v = 0; v < mesh->positions.count; v++)
        between += fmin(front - x[v].z, x[v].z - back) > inset.sheet_tolerance * (front - back);
    return 4 * between < mesh->positions.count;
}

// About the mean edge, in steps: drops that rest while others move are then the same from image to
// image.
static double sink_reach(const Liquid *liquid)
{
    return exp2(round(4 * log2(liquid->edge_m)) / 4);
}

static uint8_t triangle_sides(const Liquid *liquid, int64_t t)
{
    const uint32_t *v = dew_mesh_triangles(&liquid->mesh)[t].v;
    return liquid->sides[v[0]] & liquid->sides[v[1]] & liquid->sides[v[2]];
}

// In the corner between two walls a triangle of the open surface has all its vertices on them; it
// is across both.
static bool is_across(const Liquid *liquid, int64_t t)
{
    const dew_Vec3 *x = dew_mesh_positions(&liquid->mesh);
    const uint32_t *v = dew_mesh_triangles(&liquid->mesh)[t].v;
    dew_Vec3 normal =
        dew_normalize(dew_cross(dew_sub(x[v[1]], x[v[0]]), dew_sub(x[v[2]], x[v[0]])));
    bool is_on_walls = liquid->sides[v[0]] && liquid->sides[v[1]] && liquid->sides[v[2]];
    uint8_t all = liquid->sides[v[0]] | liquid->sides[v[1]] | liquid->sides[v[2]];
    for (int side = 0; side < DEW_SIDE_COUNT && is_on_walls; side++)
        if (all >> side & 1)
            is_on_walls =
                fabs(dew_inner(normal, dew_render_sides_normal((uint8_t)(1 << side)))) < 0.5;
    return is_on_walls;
}

// Into `shortest`: of the edges at each vertex.
static void shortest_edges(const dew_Mesh *mesh, double *shortest)
{
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    for (int64_t v = 0; v < mesh->positions.count; v++)
        shortest[v] = HUGE_VAL;
    for (int64_t t = 0; t < mesh->triangles.count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t *v = dew_mesh_triangles(mesh)[t].v;
            uint32_t a = v[k], b = v[(k + 1) % 3];
            double length = dew_distance(x[a], x[b]);
            shortest[a] = fmin(shortest[a], length);
            shortest[b] = fmin(shortest[b], length);
        }
}

// A wet vertex on one wall touches others that are near: in the corners of a tank.
static uint8_t sides_touched(const dew_RenderScene *scene, const dew_RenderSides *sides,
                             const dew_Instant *instant, dew_Vec3 x, double touch)
{
    uint8_t in = dew_render_sides_of(sides, x, 0), near = dew_render_sides_of(sides, x, touch);
    if (in == near)
        return in;
    dew_SolidPoint solid = dew_problem_nearest(scene->problem, instant, x, touch);
    bool is_on_wall =
        solid.solid_id != DEW_INVALID && dew_problem_solid_is_wall(scene->problem, solid.solid_id);
    return is_on_wall ? near : in;
}

// An edge from one wall to another cuts the corner between them off: its end that is nearer to the
// corner belongs there. before: the sides as they were, so that the order of edges does not matter.
static void close_corner(const dew_RenderSides *sides, const dew_Vec3 *x, const uint8_t *before,
                         uint32_t a, uint32_t b, uint8_t *after)
{
    if (!before[a] || !before[b] || (before[a] & before[b]))
        return;
    double from_a = dew_render_sides_distance(sides, before[b], x[a]);
    double from_b = dew_render_sides_distance(sides, before[a], x[b]);
    // Between walls that face each other both are the edge's own length.
    if (fmin(from_a, from_b) > 0.75 * dew_distance(x[a], x[b]))
        return;
    uint32_t nearer = from_a < from_b || (from_a <= from_b && a < b) ? a : b;
    after[nearer] |= before[nearer == a ? b : a];
}

static dew_Status close_corners(dew_RenderScene *scene, const dew_RenderSides *sides,
                                const float *wet, Liquid *liquid)
{
    int64_t count = liquid->mesh.positions.count;
    uint8_t *before = dew_arena_array(&scene->scratch, uint8_t, count);
    if (!before)
        return dew_no_memory((size_t)count);
    memcpy(before, liquid->sides, (size_t)count);
    for (int64_t t = 0; t < liquid->mesh.triangles.count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t *v = dew_mesh_triangles(&liquid->mesh)[t].v;
            uint32_t a = v[k], b = v[(k + 1) % 3];
            if (wet[a] > 0.5f && wet[b] > 0.5f)
                close_corner(sides, dew_mesh_positions(&liquid->mesh), before, a, b, liquid->sides);
        }
    return dew_ok();
}

static dew_Status mark_sides(dew_RenderScene *scene, const dew_Surface *surface,
                             const dew_Instant *instant, Liquid *liquid)
{
    dew_RenderSides sides = dew_render_sides(scene);
    const dew_Vec3 *x = dew_mesh_positions(&liquid->mesh);
    int64_t count = liquid->mesh.positions.count;
    bool has_wet = surface->wet.count == count;
    dew_ArenaMark mark = dew_arena_mark(&scene->scratch);
    double *shortest = dew_arena_array(&scene->scratch, double, count);
    if (!shortest)
        return dew_no_memory((size_t)count * sizeof *shortest);
    shortest_edges(&liquid->mesh, shortest);
    for (int64_t v = 0; v < count; v++) {
        bool is_wet = has_wet && DEW_ITEMS(&surface->wet, const float)[v] > 0.5f;
        liquid->sides[v] = is_wet && scene->problem ? sides_touched(scene, &sides, instant, x[v],
                                                                    inset.corner * shortest[v])
                                                    : dew_render_sides_of(&sides, x[v], 0);
    }
    dew_Status status = has_wet && scene->problem
                            ? close_corners(scene, &sides, surface->wet.data, liquid)
                            : dew_ok();
    dew_arena_rewind(&scene->scratch, mark);
    return status;
}

static dew_Status copy_liquid(dew_RenderScene *scene, const dew_Surface *surface,
                              const dew_Instant *instant, Liquid *liquid)
{
    dew_Arena *scratch = &scene->scratch;
    int64_t vertices = surface->positions.count, triangles = surface->triangles.count;
    const float *wet = surface->wet.data;
    *liquid = (Liquid){.mesh = dew_surface_view(surface)};
    dew_Vec3 *positions = dew_arena_array(scratch, dew_Vec3, vertices);
    liquid->is_hidden = dew_arena_array(scratch, uint8_t, triangles);
    liquid->is_flat = dew_arena_array(scratch, uint8_t, vertices);
    liquid->normals = dew_arena_array(scratch, dew_Float3, vertices);
    liquid->motions = dew_arena_array(scratch, dew_Vec3, vertices);
    liquid->sides = dew_arena_array(scratch, uint8_t, vertices);
    if (!positions || !liquid->is_hidden || !liquid->is_flat || !liquid->normals ||
        !liquid->motions || !liquid->sides)
        return dew_no_memory((size_t)vertices * 64);
    const dew_Vec3 *velocity = surface->velocities.data;
    bool moves = surface->velocities.count == vertices;
    for (int64_t v = 0; v < vertices; v++) {
        positions[v] = DEW_ITEMS(&surface->positions, const dew_Vec3)[v];
        liquid->is_flat[v] = 1;
        if (moves)
            liquid->motions[v] = dew_scale(scene->camera.shutter_s, velocity[v]);
    }
    liquid->mesh.positions.data = positions;
    liquid->edge_m = mean_edge(&liquid->mesh);
    liquid->is_sheet = is_sheet(&liquid->mesh);
    DEW_TRY(mark_sides(scene, surface, instant, liquid));
    bool has_wet = surface->wet.count == vertices;
    for (int64_t t = 0; t < triangles; t++) {
        const uint32_t *v = dew_mesh_triangles(&liquid->mesh)[t].v;
        bool is_wet = has_wet && wet[v[0]] > 0.5f && wet[v[1]] > 0.5f && wet[v[2]] > 0.5f;
        liquid->is_hidden[t] = triangle_sides(liquid, t) || (is_wet && !is_across(liquid, t));
        for (int k = 0; k < 3 && !liquid->is_hidden[t]; k++)
            liquid->is_flat[v[k]] = 0;
    }
    return dew_ok();
}

// How far a triangle of wet vertices is above the depth at which it should be, at points that
// divide it evenly.
static double above_depth(const dew_RenderScene *scene, const dew_Instant *instant,
                          const dew_Vec3 corner[3], double depth, double reach)
{
    double most = 0;
    for (int i = 0; i <= inset.probes; i++)
        for (int k = 0; k <= inset.probes - i; k++) {
            int l = inset.probes - i - k;
            if (i == inset.probes || k == inset.probes || l == inset.probes)
                continue;  // a corner
            dew_Vec3 x = dew_combine((double)i / inset.probes, corner[0], (double)k / inset.probes,
                                     corner[1]);
            x = dew_add_scaled(x, (double)l / inset.probes, corner[2]);
            dew_SolidPoint near = dew_problem_nearest(scene->problem, instant, x, reach);
            if (near.solid_id != DEW_INVALID && near.distance_m < reach)
                most = fmax(most, near.distance_m + depth);
        }
    return most;
}

// Where a solid is hollow, or folds, triangles between wet vertices leave it, and the air below
// them shows as a rough patch: their vertices go deeper, but for those at the liquid's edge.
// normal: of the solid; 0: not sunk.
static void sink_between(const dew_RenderScene *scene, const dew_Instant *instant, Liquid *liquid,
                         const dew_Vec3 *normal, double *lower, double *all)
{
    dew_Vec3 *x = liquid->mesh.positions.data;
    const dew_Triangle *triangles = dew_mesh_triangles(&liquid->mesh);
    double reach = sink_reach(liquid), depth = inset.depth * reach, most = HUGE_VAL;
    for (int round = 0; round < inset.max_rounds && most > inset.tolerance * depth; round++) {
        memset(lower, 0, (size_t)liquid->mesh.positions.count * sizeof *lower);
        for (int64_t t = 0; t < liquid->mesh.triangles.count; t++) {
            const uint32_t *v = triangles[t].v;
            double least =
                fmin(dew_inner(normal[v[0]], normal[v[1]]), dew_inner(normal[v[1]], normal[v[2]]));
            least = fmin(least, dew_inner(normal[v[0]], normal[v[2]]));
            if (!liquid->is_hidden[t] || least > inset.flat_cosine ||
                dew_length2(normal[v[0]]) == 0 || dew_length2(normal[v[1]]) == 0 ||
                dew_length2(normal[v[2]]) == 0)
                continue;
            const dew_Vec3 corner[3] = {x[v[0]], x[v[1]], x[v[2]]};
            double more = above_depth(scene, instant, corner, depth, reach);
            for (int k = 0; k < 3; k++)
                lower[v[k]] = liquid->is_flat[v[k]] ? fmax(lower[v[k]], more) : 0;
        }
        most = 0;
        for (int64_t i = 0; i < liquid->mesh.positions.count; i++) {
            double way =
                fmin(fmin(lower[i], inset.max_round * reach), inset.max_depth * reach - all[i]);
            x[i] = dew_add_scaled(x[i], -way, normal[i]);
            all[i] += way;
            most = fmax(most, way);
        }
    }
}

static void place_in_sides(const dew_RenderScene *scene, double depth, Liquid *liquid)
{
    dew_RenderSides sides = dew_render_sides(scene);
    dew_Vec3 *x = liquid->mesh.positions.data;
    for (int64_t v = 0; v < liquid->mesh.positions.count; v++)
        if (liquid->sides[v])
            x[v] = dew_render_sides_place(&sides, liquid->sides[v], x[v], depth);
}

// Puts wet vertices a little below the surface of the solid they touch, whatever gap or overlap the
// solver left; and all that lie in a side of the domain a little beyond it, where a wall of it is
// drawn.
static dew_Status sink(dew_RenderScene *scene, const dew_Surface *surface,
                       const dew_Instant *instant, Liquid *liquid)
{
    const float *wet = surface->wet.data;
    dew_Vec3 *x = liquid->mesh.positions.data;
    double reach = sink_reach(liquid), depth = inset.depth * reach;
    dew_Vec3 *normal = dew_arena_array(&scene->scratch, dew_Vec3, surface->positions.count);
    double *lower = dew_arena_array(&scene->scratch, double, surface->positions.count);
    double *all = dew_arena_array(&scene->scratch, double, surface->positions.count);
    if (!normal || !lower || !all)
        return dew_no_memory((size_t)surface->positions.count * 40);
    int last = DEW_INVALID;
    bool is_hidden = false;
    for (int64_t v = 0; v < surface->wet.count; v++) {
        if (!(wet[v] > 0.5f))
            continue;
        dew_SolidPoint near = dew_problem_nearest(scene->problem, instant, x[v], reach);
        if (near.solid_id == DEW_INVALID || fabs(near.distance_m) > reach)
            continue;
        x[v] = dew_add_scaled(x[v], -(near.distance_m + depth), near.normal);
        // In the corners of a tank it must not come out of walls that are not there.
        if (near.solid_id != last)
            is_hidden = dew_render_scene_hides(scene, near.solid_id);
        last = near.solid_id;
        normal[v] = is_hidden ? dew_vec(0, 0, 0) : near.normal;
        // It rides on the solid: no gap opens while the shutter is open.
        liquid->motions[v] = dew_scale(scene->camera.shutter_s, near.velocity_m_s);
    }
    place_in_sides(scene, depth, liquid);
    sink_between(scene, instant, liquid, normal, lower, all);
    place_in_sides(scene, depth, liquid);  // whatever it sank there
    return dew_ok();
}

// Cuts that make edges so long in the image as is asked for.
static int choose_cuts(const dew_RenderScene *scene, const Liquid *liquid)
{
    double px_per_m = dew_render_scene_px_per_m(scene);
    double patch_px = scene->patch_px > 0 ? scene->patch_px : cutting.edge_px;
    int cuts = (int)ceil(liquid->edge_m * px_per_m / patch_px);
    cuts = cuts < 1 ? 1 : cuts > cutting.max_cuts ? cutting.max_cuts : cuts;
    while (cuts > 1 && liquid->mesh.triangles.count * cuts * cuts > cutting.max_triangles)
        cuts--;
    return cuts;
}

// Corner normals, from those of vertices but for triangles in a side of the domain. per: triangles
// per triangle of the mesh.
static void set_normals(dew_RenderScene *scene, const Liquid *liquid, int64_t first_triangle,
                        const dew_Triangle *triangles, const dew_Float3 *normals, int per)
{
    dew_Float3 *corners = DEW_ITEMS(&scene->corner_normals, dew_Float3) + 3 * first_triangle;
    for (int64_t t = 0; t < liquid->mesh.triangles.count; t++) {
        uint8_t side = triangle_sides(liquid, t);
        dew_Float3 flat = dew_f3_from(dew_render_sides_normal(side));
        for (int64_t c = 3 * t * per; c < 3 * (t + 1) * per; c++)
            corners[c] = side ? flat : normals[triangles[c / 3].v[c % 3]];
    }
}

// Curved patches end in the sides of the domain, not before or beyond them.
static void level_sides(const Liquid *liquid, int per, const dew_PatchMesh *patches)
{
    const dew_Vec3 *x = dew_mesh_positions(&liquid->mesh);
    for (int64_t t = 0; t < liquid->mesh.triangles.count; t++) {
        uint8_t side = triangle_sides(liquid, t);
        dew_Vec3 corner = x[dew_mesh_triangles(&liquid->mesh)[t].v[0]];
        for (int64_t c = 3 * t * per; side && c < 3 * (t + 1) * per; c++) {
            dew_Vec3 *p = &patches->positions[patches->triangles[c / 3].v[c % 3]];
            *p = dew_render_sides_level(side, *p, corner);
        }
    }
}

static dew_Status add_patches(dew_RenderScene *scene, const dew_RenderBody *body,
                              const Liquid *liquid, int cuts)
{
    dew_PatchMesh patches;
    DEW_TRY(dew_patches_refine(&liquid->mesh, liquid->normals, liquid->motions, liquid->is_flat,
                               cuts, &scene->scratch, &patches));
    level_sides(liquid, cuts * cuts, &patches);
    int64_t first_triangle = scene->triangles.count;
    uint32_t first = (uint32_t)scene->positions.count, index = (uint32_t)scene->bodies.count;
    DEW_TRY(dew_array_push(&scene->bodies, body));
    DEW_TRY(add_vertices(scene, body, patches.positions, patches.motions, patches.vertex_count));
    DEW_TRY(add_triangles(scene, index, first, patches.triangles, patches.triangle_count));
    set_normals(scene, liquid, first_triangle, patches.triangles, patches.normals, cuts * cuts);
    return dew_ok();
}

// The liquid as it is: large enough patches need not be cut.
static dew_Status add_uncut(dew_RenderScene *scene, const dew_RenderBody *body,
                            const Liquid *liquid)
{
    const dew_Mesh *mesh = &liquid->mesh;
    int64_t first_triangle = scene->triangles.count, count = mesh->triangles.count;
    uint32_t first = (uint32_t)scene->positions.count, index = (uint32_t)scene->bodies.count;
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    DEW_TRY(dew_array_push(&scene->bodies, body));
    DEW_TRY(add_vertices(scene, body, dew_mesh_positions(mesh), liquid->motions,
                         mesh->positions.count));
    DEW_TRY(add_triangles(scene, index, first, triangles, count));
    set_normals(scene, liquid, first_triangle, triangles, liquid->normals, 1);
    return dew_ok();
}

dew_Status dew_render_scene_add_surface(dew_RenderScene *scene, const dew_RenderBody *body,
                                        const dew_Surface *surface, const dew_Instant *instant,
                                        int cuts)
{
    if (surface->triangles.count == 0)
        return dew_ok();
    dew_ArenaMark mark = dew_arena_mark(&scene->scratch);
    Liquid liquid;
    dew_Status status = copy_liquid(scene, surface, instant, &liquid);
    if (status.code == DEW_OK) {
        dew_patches_normals(&liquid.mesh, liquid.is_hidden, liquid.normals);
        if (!(scene->patch_px > 0))  // images in real time have no time for it
            status = dew_patches_even_normals(&liquid.mesh, liquid.is_hidden, &scene->scratch,
                                              liquid.normals);
        if (status.code == DEW_OK && scene->problem)
            status = sink(scene, surface, instant, &liquid);
    }
    if (status.code == DEW_OK) {
        int wanted = cuts > 0 ? cuts : choose_cuts(scene, &liquid);
        status = liquid.is_sheet
                     ? add_creased(scene, body, &liquid.mesh, liquid.motions, SHEET_CREASE)
                 : wanted == 1 ? add_uncut(scene, body, &liquid)
                               : add_patches(scene, body, &liquid, wanted);
    }
    dew_arena_rewind(&scene->scratch, mark);
    return status;
}
