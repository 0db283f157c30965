// Liquid that is poured: a piece of liquid becomes a drop, or several.
//
// Where it overlaps solids, what lies inside them is cut off: the mesh is then made from the
// distance field max(liquid, -solid), with tunnels where a solid passes through. Else it is the
// shape's own mesh.
#include "base/status.h"
#include "solvers/surface/surface_state.h"
#include "surface/implicit_mesh.h"

#define ON_SOLID  1e-3  // edges: a vertex of a new drop this near to a solid lies on it
#define ON_CUT    0.2   // the same where the drop was cut by a solid
#define SLIVER    1e-3  // edge^3: what is left of a cut drop with less is nothing
#define OVERLAP   0.1   // edges: deeper than this in both is an overlap
#define SAMPLES   24    // across the longest side of the box, at least
#define MAX_NODES 200000

typedef struct Cut {
    const dew_Problem *problem;
    const dew_Instant *instant;
    const dew_Blob *blob;
    double reach_m;
} Cut;

static double solid_distance(const Cut *cut, dew_Vec3 p)
{
    double d = dew_problem_distance(cut->problem, cut->instant, p, cut->reach_m);
    return fmin(d, cut->reach_m);
}

static double cut_value(const void *context, dew_Vec3 p)
{
    const Cut *cut = context;
    return fmax(dew_blob_distance(cut->problem, cut->blob, p), -solid_distance(cut, p));
}

/// Is there a place well inside of both the liquid and a solid? Looked for on a lattice.
static bool overlaps_solid(const Cut *cut, double edge_m)
{
    dew_Vec3 size = dew_sub(cut->blob->box_m.max, cut->blob->box_m.min);
    double longest = fmax(size.x, fmax(size.y, size.z));
    double step = fmin(0.5 * edge_m, longest / SAMPLES);
    step = fmax(step, cbrt(size.x * size.y * size.z / MAX_NODES));
    double deep = OVERLAP * edge_m;
    for (double x = cut->blob->box_m.min.x + 0.5 * step; x < cut->blob->box_m.max.x; x += step)
        for (double y = cut->blob->box_m.min.y + 0.5 * step; y < cut->blob->box_m.max.y; y += step)
            for (double z = cut->blob->box_m.min.z + 0.5 * step; z < cut->blob->box_m.max.z;
                 z += step) {
                dew_Vec3 p = {x, y, z};
                if (solid_distance(cut, p) < -deep &&
                    dew_blob_distance(cut->problem, cut->blob, p) < -deep)
                    return true;
            }
    return false;
}

static dew_Status cut_mesh(const Cut *cut, double edge_m, dew_Mesh *mesh)
{
    dew_Vec3 room = dew_vec(2 * edge_m, 2 * edge_m, 2 * edge_m);
    dew_Implicit implicit = {
        .value = cut_value,
        .context = cut,
        .box = {dew_sub(cut->blob->box_m.min, room), dew_add(cut->blob->box_m.max, room)},
        .max_slope = 1,
        .relax_count = 0};
    return dew_implicit_mesh(&implicit, edge_m, mesh);
}

static void label_touching(dew_DropWork *work, double near_m)
{
    for (int64_t i = 0; i < work->n; i++) {
        dew_SolidPoint p =
            dew_problem_nearest(work->params->problem, &work->instant, work->x[i], work->edge_m);
        if (p.solid_id == DEW_INVALID || p.distance_m > near_m)
            continue;
        work->x[i] = p.point_m;
        work->label[i] = DEW_LABEL_TOUCHING;
    }
}

static dew_Status append_all(dew_SolverState *state, const dew_DropStore *others)
{
    dew_DropPlace place = {0, 0};
    for (int64_t d = 0; d < dew_drop_count(others); d++) {
        dew_DropView view = dew_drop_view(others, d, place);
        place = dew_drop_next_place(others, d, place);
        view.counts.id = state->next_id;
        view.counts.parted_from = DEW_INVALID;
        view.values.volume_m3 = dew_drop_view_volume(&view);
        DEW_TRY(dew_drop_store_append(&state->drops, &view));
        state->next_id++;
    }
    return dew_ok();
}

/// edge_m: of the mesh. volume_m3 0: that of the mesh, which may then be of several pieces.
static dew_Status spawn(dew_SolverState *state, const dew_Instant *instant, const dew_Mesh *mesh,
                        double edge_m, double volume_m3, dew_Vec3 velocity_m_s)
{
    dew_DropWork *work = &state->made;
    bool is_cut = !(volume_m3 > 0);
    dew_DropView view = {
        .values = {.volume_m3 = volume_m3, .velocity_m_s = velocity_m_s},
        .counts = {.id = state->next_id,
                   .inflow = DEW_INVALID,
                   .vertex_count = mesh->positions.count,
                   .triangle_count = mesh->triangles.count,
                   .parted_from = DEW_INVALID},
        .flags = {.has_velocity = 1},
        .positions = dew_mesh_positions(mesh),
        .triangles = dew_mesh_triangles(mesh),
    };
    DEW_TRY(dew_drop_work_load(work, &state->params, &view));
    DEW_TRY(dew_drop_connect(work));
    work->instant = *instant;
    if (is_cut) {
        work->values.volume_m3 = dew_drop_volume(work);
        work->edge_m = fmin(state->params.edge_m, DEW_EDGE_PER_RADIUS * dew_drop_radius_m(work));
    }
    for (int64_t i = 0; i < work->n; i++)
        work->v[i] = velocity_m_s;
    label_touching(work, (is_cut ? ON_CUT : ON_SOLID) * work->edge_m);
    dew_DropStore *others = &state->spaces[0].pending;
    dew_drop_store_clear(others);
    if (is_cut) {
        work->values.volume_m3 = dew_drop_volume(work);
        if (!(work->values.volume_m3 > SLIVER * edge_m * edge_m * edge_m))
            return dew_ok();  // nothing of it lies outside of the solids
        DEW_TRY(dew_drop_resample(work, others));
        work->values.volume_m3 = dew_drop_volume(work);
    }
    dew_drop_correct_volume(work);
    view = dew_drop_work_view(work);
    if (!(view.values.volume_m3 > 0))
        return dew_ok();
    DEW_TRY(dew_drop_store_append(&state->drops, &view));
    state->next_id++;
    return append_all(state, others);
}

dew_Status dew_surface_solver_pour(const dew_Problem *problem, dew_SolverState *state,
                                   const dew_Instant *instant, const dew_Blob *blob)
{
    dew_Mesh mesh;
    dew_mesh_init(&mesh, &state->allocator);
    double radius = cbrt(3 / (4 * DEW_PI) * blob->volume_m3);
    double edge = fmin(state->params.edge_m, DEW_EDGE_PER_RADIUS * radius);
    Cut cut = {problem, instant, blob, 4 * edge};
    bool is_cut = overlaps_solid(&cut, edge);
    dew_Status status =
        is_cut ? cut_mesh(&cut, edge, &mesh) : dew_blob_mesh(problem, blob, edge, &mesh);
    if (status.code == DEW_OK && mesh.triangles.count > 0)
        status =
            spawn(state, instant, &mesh, edge, is_cut ? 0 : blob->volume_m3, blob->velocity_m_s);
    dew_mesh_deinit(&mesh);
    return status;
}
