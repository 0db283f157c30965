// Where the vertices of marching tetrahedra come to lie.
//
// Marching tetrahedra gives triangles of any shape. Each pass draws a vertex towards the mean of
// its neighbours, along what it is bound to, and brings it back by Newton's method: free ones to
// phi = 0, those of the wall to the wall, those of the contact line to both. Along the contact line
// only its own two neighbours count. Where that folds the mesh, beside edges of solids and in thin
// sheets, vertices go back towards the lattice.
#include "base/status.h"
#include "grid/sample.h"
#include "surface/step_back.h"
#include "surface/tetrahedra_state.h"

#define NEWTON_STEPS    3     // of one vertex in a pass
#define MAX_DISTANCE    1e-4  // cells from phi = 0 at which Newton's method ends
#define MIN_SLOPE_ALONG 0.14  // of phi along the wall: sine of a contact angle of 8 degrees
#define SMOOTHING       0.7   // of the displacement to the mean of the neighbours, in a pass

typedef struct Pass {
    const dew_TetraFit *fit;
    const dew_Vec3 *x;
    dew_Vec3 *next;
    const dew_Vec3 *sum;    // of the neighbours
    const uint32_t *count;  // of them
} Pass;

static dew_Vec3 in_layer(const dew_Grid *grid, dew_Vec3 x)
{
    if (grid->dimensions == 2)
        x.z = grid->origin_m.z + 0.5 * grid->cell_m;
    return x;
}

bool dew_tetra_phi(const dew_TetrahedraDef *def, dew_Vec3 x, double *phi, dew_Vec3 *slope)
{
    const dew_Grid *grid = def->grid;
    double h = grid->cell_m;
    x = in_layer(grid, x);
    int32_t brick = dew_grid_brick_at(grid, x);
    if (brick < 0)
        return false;
    dew_Vec3 first = dew_grid_position(grid, brick, 0, 0, 0, DEW_AT_CELL);
    double p[3] = {(x.x - first.x) / h, (x.y - first.y) / h, (x.z - first.z) / h};
    int base[3] = {(int)floor(p[0]), (int)floor(p[1]),
                   grid->dimensions == 2 ? 0 : (int)floor(p[2])};
    dew_CubicCell cell;
    dew_CubicJet jet;
    if (!dew_cubic_gather(grid, def->phi, brick, base, &cell))
        return false;
    dew_cubic_jet(&cell, p, &jet);
    *phi = jet.f;
    *slope = dew_scale(1 / h, dew_vec(jet.g[0], jet.g[1], grid->dimensions == 2 ? 0 : jet.g[2]));
    return true;
}

bool dew_tetra_wall(const dew_TetrahedraDef *def, dew_Vec3 x, dew_WallPoint *out)
{
    if (!def->nearest(def->context, in_layer(def->grid, x), DEW_TETRA_REACH * def->grid->cell_m,
                      out))
        return false;
    if (def->grid->dimensions == 2)
        out->point_m.z = x.z;
    return true;
}

// a, shortened to `most`.
static dew_Vec3 bounded(dew_Vec3 a, double most)
{
    double length = dew_length(a);
    return length > most ? dew_scale(most / length, a) : a;
}

// ---- one vertex --------------------------------------------------------------------------------

// Newton's method along the slope of phi; where |slope| < 1/2, phi is no distance.
static dew_Vec3 to_surface(const dew_TetrahedraDef *def, dew_Vec3 x)
{
    double h = def->grid->cell_m, phi;
    for (int i = 0; i < NEWTON_STEPS; i++) {
        dew_Vec3 g;
        if (!dew_tetra_phi(def, x, &phi, &g) || dew_length(g) < 0.5 || fabs(phi) < MAX_DISTANCE * h)
            break;
        x = dew_add(x, bounded(dew_scale(-phi / dew_length2(g), g), DEW_TETRA_MAX_STEP * h));
    }
    return x;
}

static dew_Vec3 to_wall(const dew_TetrahedraDef *def, dew_Vec3 x)
{
    dew_WallPoint near;
    bool is_near = dew_tetra_wall(def, x, &near) &&
                   dew_distance(near.point_m, x) < DEW_TETRA_MAX_STEP * def->grid->cell_m;
    return is_near ? near.point_m : x;
}

// To the contact line: along the wall to phi = 0, and back onto the wall.
static dew_Vec3 to_line(const dew_TetrahedraDef *def, dew_Vec3 x)
{
    double h = def->grid->cell_m, phi;
    for (int i = 0; i < NEWTON_STEPS; i++) {
        dew_Vec3 g;
        dew_WallPoint near;
        if (!dew_tetra_phi(def, x, &phi, &g) || !dew_tetra_wall(def, x, &near))
            break;
        dew_Vec3 along = dew_add_scaled(g, -dew_inner(g, near.normal), near.normal);
        if (dew_length(along) < MIN_SLOPE_ALONG || fabs(phi) < MAX_DISTANCE * h)
            break;
        x = dew_add(x,
                    bounded(dew_scale(-phi / dew_length2(along), along), DEW_TETRA_MAX_STEP * h));
        x = to_wall(def, x);
    }
    return x;
}

// A free vertex must not come into the wall: it is raised along the surface, or else stays where it
// was.
static dew_Vec3 off_wall(const dew_TetrahedraDef *def, dew_Vec3 x, dew_Vec3 before)
{
    double h = def->grid->cell_m, wall, phi;
    dew_WallPoint near;
    dew_Vec3 g;
    if (!def->wall || !dew_grid_sample(def->grid, def->wall, DEW_AT_CELL, x, &wall) || wall > h ||
        !dew_tetra_wall(def, x, &near) || near.distance_m > DEW_TETRA_CLEARANCE * h)
        return x;
    if (!dew_tetra_phi(def, x, &phi, &g))
        return before;
    dew_Vec3 n = dew_normalize(g), up = dew_add_scaled(near.normal, -dew_inner(near.normal, n), n);
    double missing = 2 * DEW_TETRA_CLEARANCE * h - near.distance_m;
    x = dew_add_scaled(
        x, missing / fmax(dew_inner(up, near.normal), MIN_SLOPE_ALONG * MIN_SLOPE_ALONG), up);
    x = to_surface(def, dew_add(before, bounded(dew_sub(x, before), DEW_TETRA_MAX_STEP * h)));
    return dew_tetra_wall(def, x, &near) && near.distance_m < DEW_TETRA_CLEARANCE * h ? before : x;
}

static dew_Vec3 pulled(const Pass *pass, int64_t i, dew_Vec3 normal)
{
    const dew_TetrahedraDef *def = pass->fit->def;
    dew_Vec3 x = pass->x[i];
    if (pass->count[i] == 0)
        return x;
    dew_Vec3 step = dew_sub(dew_scale(1.0 / pass->count[i], pass->sum[i]), x);
    step = dew_add_scaled(step, -dew_inner(step, normal), normal);
    return dew_add(x, bounded(dew_scale(SMOOTHING, step), DEW_TETRA_MAX_STEP * def->grid->cell_m));
}

static dew_Vec3 fitted(const Pass *pass, int64_t i)
{
    const dew_TetrahedraDef *def = pass->fit->def;
    dew_Vec3 g = dew_vec(0, 0, 0), none = dew_vec(0, 0, 0), x = pass->x[i];
    double phi;
    switch (pass->fit->bound[i]) {
    case DEW_TETRA_LINE:
        return to_line(def, pass->count[i] == 2 ? pulled(pass, i, none) : x);
    case DEW_TETRA_WALL:
        return to_wall(def, pulled(pass, i, none));
    case DEW_TETRA_FREE: {
        bool is_known = dew_tetra_phi(def, x, &phi, &g);
        return off_wall(def, to_surface(def, is_known ? pulled(pass, i, dew_normalize(g)) : x), x);
    }
    default:
        return x;
    }
}

static dew_Status fit_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Pass *pass = context;
    for (int64_t i = begin; i < end; i++)
        pass->next[i] = fitted(pass, i);
    return dew_ok();
}

// The wall's normal where a vertex has come to lie.
static dew_Status normal_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Pass *pass = context;
    const dew_Surface *surface = pass->fit->surface;
    for (int64_t i = begin; i < end; i++) {
        dew_WallPoint near;
        if (DEW_ITEMS(&surface->wet, float)[i] > 0 &&
            dew_tetra_wall(pass->fit->def, pass->x[i], &near))
            DEW_ITEMS(&surface->solid_normals, dew_Vec3)[i] = near.normal;
    }
    return dew_ok();
}

// ---- all of them -------------------------------------------------------------------------------

// Neighbours by the triangles around, each twice but at the contact line; there those along it, by
// the one free triangle of their edge.
static void add_neighbours(const dew_TetraFit *fit, const dew_Vec3 *x, dew_Vec3 *sum,
                           uint32_t *count)
{
    const dew_Triangle *triangles = DEW_ITEMS(&fit->surface->triangles, dew_Triangle);
    for (int64_t i = 0; i < fit->surface->positions.count; i++) {
        sum[i] = dew_vec(0, 0, 0);
        count[i] = 0;
    }
    for (int64_t t = 0; t < fit->surface->triangles.count; t++)
        for (int c = 0; c < 6; c++) {
            uint32_t v = triangles[t].v[c / 2], w = triangles[t].v[(c / 2 + 1 + c % 2) % 3];
            bool is_line = fit->bound[v] == DEW_TETRA_LINE;
            if (is_line && (fit->bound[w] != DEW_TETRA_LINE || t >= fit->free_triangles))
                continue;
            sum[v] = dew_add(sum[v], x[w]);
            count[v]++;
        }
}

dew_Status dew_tetra_fit(const dew_TetraFit *fit)
{
    int64_t n = fit->surface->positions.count;
    dew_Arena *scratch = fit->def->scratch;
    dew_Vec3 *x = DEW_ITEMS(&fit->surface->positions, dew_Vec3);
    dew_Vec3 *sum = dew_arena_array(scratch, dew_Vec3, n);
    dew_Vec3 *next = dew_arena_array(scratch, dew_Vec3, n);
    uint32_t *count = dew_arena_array(scratch, uint32_t, n);
    if (!sum || !next || !count)
        return dew_no_memory((size_t)n * sizeof *sum);
    Pass pass = {fit, x, next, sum, count};
    // A slab has its vertices on its two faces, which they must not leave.
    int passes = fit->def->grid->dimensions == 2 ? 0 : fit->def->smooth_passes;
    for (int i = 0; i <= passes; i++) {
        if (i > 0)  // the first brings them where they belong, no more
            add_neighbours(fit, x, sum, count);
        DEW_TRY(dew_parallel_for(fit->def->tasks, n, DEW_CHUNK_ITEMS, fit_chunk, &pass));
        for (int64_t v = 0; v < n; v++)
            x[v] = next[v];
    }
    dew_StepBack back = {.triangles = DEW_ITEMS(&fit->surface->triangles, dew_Triangle),
                         .triangle_count = fit->surface->triangles.count,
                         .vertex_count = n,
                         .safe = fit->safe,
                         .positions = x,
                         .tasks = fit->def->tasks,
                         .scratch = scratch};
    dew_stage_end(fit->surface->clock, DEW_SURFACE_MESH);
    DEW_TRY(dew_surface_step_back(&back, NULL));
    dew_stage_end(fit->surface->clock, DEW_SURFACE_CROSSINGS);
    return dew_parallel_for(fit->def->tasks, n, DEW_CHUNK_ITEMS, normal_chunk, &pass);
}
