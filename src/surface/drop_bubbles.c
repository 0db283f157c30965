// Which drop a bubble lies in: the piece that bounds the liquid around it.
//
// From the bubble's vertex that is farthest along +x a ray is cast along +x. It starts in the
// liquid around the bubble, so the first triangle it meets bounds the same liquid: that of the
// drop's outside, or of another bubble in it, whose own ray starts farther along x. Exact
// predicates on the projection decide which triangle of an edge or vertex that the ray meets is hit
// (the ray is moved by an infinitesimal amount, more along y than along z), so that none slips
// through.
//
// All rays are asked at once: they lie in a grid over (y, z), and each triangle looks up those that
// its shadow may cover.
#include "surface/drop_bubbles.h"

#include "base/status.h"
#include "geom/mesh_measure.h"
#include "geom/predicates.h"

typedef struct BubbleRay {
    int32_t piece;      // the bubble; DEW_INVALID until its vertex is known
    dew_Vec3 from;      // its vertex farthest along x
    double hit_x;       // INFINITY: nothing yet
    int32_t hit_piece;  // DEW_INVALID: none
} BubbleRay;

typedef struct RayGrid {
    BubbleRay *rays;
    int32_t *order;  // rays by cell
    int32_t *first;  // of cell c: order[first[c]..first[c + 1])
    int64_t ray_count, side;
    double min_y, min_z, cell_y, cell_z;
} RayGrid;

static int64_t clamp_cell(double at, double min, double cell, int64_t side)
{
    double n = cell > 0 ? floor((at - min) / cell) : 0;
    return n >= (double)side ? side - 1 : n > 0 ? (int64_t)n : 0;
}

static int64_t cell_of(const RayGrid *grid, dew_Vec3 p)
{
    return clamp_cell(p.y, grid->min_y, grid->cell_y, grid->side) +
           grid->side * clamp_cell(p.z, grid->min_z, grid->cell_z, grid->side);
}

// One ray per bubble, from its vertex farthest along x (the lowest of equals).
static void start_rays(const dew_Surface *surface, int32_t *ray_of, RayGrid *grid)
{
    const dew_PieceMeasure *measures = DEW_ITEMS(&surface->measures, dew_PieceMeasure);
    for (int p = 0; p < surface->piece_count; p++) {
        ray_of[p] = DEW_INVALID;
        if (!(measures[p].volume_m3 < 0))
            continue;
        ray_of[p] = (int32_t)grid->ray_count;
        grid->rays[grid->ray_count++] = (BubbleRay){.piece = p,
                                                    .from = {-(double)INFINITY, 0, 0},
                                                    .hit_x = (double)INFINITY,
                                                    .hit_piece = DEW_INVALID};
    }
    for (int64_t i = 0; i < surface->positions.count; i++) {
        uint32_t piece = DEW_ITEMS(&surface->pieces, uint32_t)[i];
        if (piece == DEW_NO_COMPONENT || ray_of[piece] == DEW_INVALID)
            continue;
        BubbleRay *ray = &grid->rays[ray_of[piece]];
        dew_Vec3 x = DEW_ITEMS(&surface->positions, dew_Vec3)[i];
        if (x.x > ray->from.x)
            ray->from = x;
    }
}

static dew_Status sort_rays(RayGrid *grid, dew_Arena *scratch)
{
    dew_Box box = dew_box_empty();
    for (int64_t r = 0; r < grid->ray_count; r++)
        box = dew_box_add(box, grid->rays[r].from);
    grid->side = (int64_t)ceil(sqrt((double)grid->ray_count));
    grid->min_y = box.min.y;
    grid->min_z = box.min.z;
    grid->cell_y = (box.max.y - box.min.y) / (double)grid->side;
    grid->cell_z = (box.max.z - box.min.z) / (double)grid->side;
    int64_t cell_count = grid->side * grid->side;
    grid->first = dew_arena_array(scratch, int32_t, cell_count + 2);
    grid->order = dew_arena_array(scratch, int32_t, grid->ray_count);
    if (!grid->first || !grid->order)
        return dew_no_memory((size_t)(cell_count + 2 + grid->ray_count) * sizeof(int32_t));
    // Counted two places up, so that filling moves first[c + 1] from where cell c begins to its
    // end.
    for (int64_t r = 0; r < grid->ray_count; r++)
        grid->first[cell_of(grid, grid->rays[r].from) + 2]++;
    for (int64_t c = 0; c < cell_count; c++)
        grid->first[c + 2] += grid->first[c + 1];
    for (int64_t r = 0; r < grid->ray_count; r++)
        grid->order[grid->first[cell_of(grid, grid->rays[r].from) + 1]++] = (int32_t)r;
    return dew_ok();
}

// Side of the line from a to b that p is on, seen along x; never 0 but for a == b.
static int side_of(dew_Vec3 a, dew_Vec3 b, dew_Vec3 p)
{
    int side = dew_orient2d(a.y, a.z, b.y, b.z, p.y, p.z);
    if (side != 0)
        return side;
    if (a.z != b.z)
        return b.z < a.z ? 1 : -1;
    return (b.y > a.y) - (b.y < a.y);
}

// Does the ray meet the triangle, and where?
static bool meets(const BubbleRay *ray, const dew_Vec3 p[3], double *x)
{
    int side = side_of(p[0], p[1], ray->from);
    if (side == 0 || side_of(p[1], p[2], ray->from) != side ||
        side_of(p[2], p[0], ray->from) != side)
        return false;
    dew_Vec3 a = dew_sub(p[1], p[0]), b = dew_sub(p[2], p[0]), n = dew_cross(a, b);
    if (n.x == 0)  // seen edge-on, to rounding
        return false;
    dew_Vec3 q = dew_sub(ray->from, p[0]);
    *x = p[0].x - (n.y * q.y + n.z * q.z) / n.x;
    return *x > ray->from.x;
}

static void ask_triangle(const dew_Surface *surface, int64_t t, RayGrid *grid)
{
    const uint32_t *v = DEW_ITEMS(&surface->triangles, dew_Triangle)[t].v;
    uint32_t piece = DEW_ITEMS(&surface->pieces, uint32_t)[v[0]];
    dew_Vec3 p[3];
    dew_Box box = dew_box_empty();
    for (int i = 0; i < 3; i++) {
        p[i] = DEW_ITEMS(&surface->positions, dew_Vec3)[v[i]];
        box = dew_box_add(box, p[i]);
    }
    int64_t low = cell_of(grid, box.min), high = cell_of(grid, box.max);
    for (int64_t row = low / grid->side; row <= high / grid->side; row++) {
        int64_t begin = row * grid->side + low % grid->side;
        int64_t end = row * grid->side + high % grid->side;
        for (int32_t i = grid->first[begin]; i < grid->first[end + 1]; i++) {
            BubbleRay *ray = &grid->rays[grid->order[i]];
            double x;
            if (ray->piece != (int32_t)piece && meets(ray, p, &x) && x < ray->hit_x) {
                ray->hit_x = x;
                ray->hit_piece = (int32_t)piece;
            }
        }
    }
}

dew_Status dew_surface_outer_pieces(const dew_Surface *surface, dew_Arena *scratch, int32_t *outer)
{
    RayGrid grid = {.rays = dew_arena_array(scratch, BubbleRay, surface->piece_count)};
    int32_t *ray_of = dew_arena_array(scratch, int32_t, surface->piece_count);
    if (!grid.rays || !ray_of)
        return dew_no_memory((size_t)surface->piece_count * (sizeof(BubbleRay) + sizeof(int32_t)));
    for (int p = 0; p < surface->piece_count; p++)
        outer[p] = p;
    start_rays(surface, ray_of, &grid);
    if (grid.ray_count == 0)
        return dew_ok();
    DEW_TRY(sort_rays(&grid, scratch));
    for (int64_t t = 0; t < surface->triangles.count; t++)
        ask_triangle(surface, t, &grid);
    for (int64_t r = 0; r < grid.ray_count; r++) {
        int32_t piece = grid.rays[r].piece;
        // Each next ray starts farther along x: the chain ends, after no more steps than rays.
        for (int64_t step = 0; step < grid.ray_count && ray_of[piece] != DEW_INVALID; step++) {
            int32_t next = grid.rays[ray_of[piece]].hit_piece;
            if (next == DEW_INVALID)
                break;
            piece = next;
        }
        outer[grid.rays[r].piece] = piece;
    }
    return dew_ok();
}
