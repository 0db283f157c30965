// Remeshing of a drop between its steps. [Zhang2011] section 5
//
// Edges on the solid may be longer, edges at the contact line are shorter. A drop in the air is
// shifted so that its centre stays where it was, since collapses move it. When a neck has been cut,
// each piece inherits its fraction of the volume; pieces too small to be drops give theirs to the
// largest. The largest also has what is left of the momentum when the others have taken what their
// vertices tell.
#include "base/status.h"
#include "solvers/surface/drop_nozzle.h"
#include "solvers/surface/surface_state.h"

#define LINE_SCALE 0.8  // wanted edge length at the contact line
#define BASE_SCALE 2.0  // on the wetted side
// per vertex, in one pass: astride a thin solid there would be no end of them
#define MAX_OPERATIONS_PER_VERTEX 3
#define MAX_VERTEX_RATIO          6    // of what the area asks for: then splits have run away
#define FILM_THICKNESS_EDGES      0.1  // edges: if all of the drop were a film of this thickness,
#define MAX_FILM_VERTEX_RATIO     2  // of what its area would ask for: then the mesh has folded up
#define SMOOTHING                 0.5
#define MIN_PIECE_PER_EDGE3       0.05  // of edge^3: a smaller piece is no drop,
#define MIN_PIECE_PER_USUAL_EDGE3                                                                  \
    0.5  // nor one below this part of the cube of the usual edge: a ball as wide as an edge
#define MAX_PARTING_ENERGY_RATIO                                                                   \
    1.5  // of the vertices' mean square: what pieces may fly apart with

static void project_on_solid(void *context, uint8_t label, dew_Vec3 *position)
{
    const dew_DropWork *work = context;
    if ((label & DEW_LABEL_NOZZLE) && work->counts.inflow != DEW_INVALID) {
        *position = dew_drop_nozzle_project(work->params->problem, work->counts.inflow,
                                            label & DEW_LABEL_CONTACT_LINE, *position);
        return;
    }
    dew_drop_project(work, label, position);
}

static dew_Status set_scales(dew_DropWork *work)
{
    int64_t n = work->positions.count;
    DEW_TRY(dew_array_resize(&work->scales, n));
    const uint8_t *label = DEW_ITEMS(&work->labels, uint8_t);
    double *scale = DEW_ITEMS(&work->scales, double);
    for (int64_t i = 0; i < n; i++) {
        scale[i] = 1;
        if (label[i] & DEW_LABEL_CONTACT_LINE)
            scale[i] = LINE_SCALE;
        else if ((label[i] & DEW_LABEL_TOUCHING) && !(label[i] & DEW_LABEL_CREASE))
            scale[i] = BASE_SCALE;
    }
    return dew_ok();
}

/// Vertices that a surface of this area has when its edges are as wanted.
static double count_of(const dew_DropWork *work, double area_m2)
{
    return 100 + area_m2 / (0.87 * work->edge_m * work->edge_m);
}

static double most_vertices(const dew_DropWork *work)
{
    double film = 2 * work->values.volume_m3 / (FILM_THICKNESS_EDGES * work->edge_m);
    return fmin(MAX_VERTEX_RATIO * count_of(work, dew_drop_area_m2(work)),
                MAX_FILM_VERTEX_RATIO * count_of(work, film));
}

/// Splits that use up a pass and leave more vertices than the area before it asks for, even if all
/// edges were as short as those at the contact line, have no end: an edge across a sharp edge of a
/// solid is as long after a split as before. The implicit step does not converge on such a mesh,
/// and takes seconds to find that out.
static bool splits_run_away(const dew_DropWork *work, int64_t split_count, int64_t max_operations,
                            double area_m2)
{
    return split_count >= max_operations &&
           (double)work->positions.count > count_of(work, area_m2 / (LINE_SCALE * LINE_SCALE));
}

/// A smaller piece is no drop of its own.
static double smallest_m3(const dew_DropWork *work)
{
    double usual = work->params->edge_m, here = work->edge_m;
    return fmax(MIN_PIECE_PER_EDGE3 * here * here * here,
                MIN_PIECE_PER_USUAL_EDGE3 * usual * usual * usual);
}

/// Velocity of a piece's centre of mass. What its surface tells is divided by the volume: of a flat
/// piece that is cut off a moving film, it may be any. Within the piece no liquid is faster than
/// all of its surface.
static dew_Vec3 velocity_of_piece(const dew_DropView *piece)
{
    dew_DropVertexMotion m = dew_drop_vertex_motion(piece->velocities, piece->counts.vertex_count);
    dew_Vec3 beyond = dew_sub(dew_drop_view_velocity(piece), m.mean);
    double speed = dew_length(beyond);
    return dew_add_scaled(m.mean, speed > m.fastest ? m.fastest / speed : 1, beyond);
}

/// Where the mesh has been cut.
typedef struct Parting {
    dew_DropWork *work;
    const dew_RemeshPiece *pieces;
    int64_t count;
    double least_m3;    // a smaller piece is no drop
    double per_volume;  // by which each of the others grows
    dew_Vec3 drift;     // by which their velocities miss the whole's momentum
    double fraction;    // of their motion relative to one another that they may have
} Parting;

static bool stays(const Parting *p, int64_t k)
{
    return k == 0 || p->pieces[k].volume_m3 > p->least_m3;
}

/// The piece as a drop of its own, with the velocity that its surface tells. Indices still count
/// from the whole's first vertex.
static dew_DropView view_of_piece(const Parting *p, int64_t k)
{
    const dew_RemeshPiece *piece = &p->pieces[k];
    dew_DropView view = dew_drop_work_view(p->work);
    view.counts.vertex_count = piece->vertex_count;
    view.counts.triangle_count = piece->triangle_count;
    view.positions += piece->first_vertex;
    view.velocities += piece->first_vertex;
    view.labels += piece->first_vertex;
    view.clearances = NULL;
    view.triangles += piece->first_triangle;
    if (!dew_drop_has_nozzle_label(view.labels, piece->vertex_count))
        view.counts.inflow = DEW_INVALID;
    view.values.volume_m3 = p->per_volume * piece->volume_m3;
    return view;
}

static void count_from_first_vertex(const Parting *p, int64_t k)
{
    const dew_RemeshPiece *piece = &p->pieces[k];
    dew_Triangle *t = DEW_ITEMS(&p->work->triangles, dew_Triangle) + piece->first_triangle;
    for (int64_t i = 0; i < piece->triangle_count; i++)
        for (int c = 0; c < 3; c++)
            t[i].v[c] -= (uint32_t)piece->first_vertex;
}

/// How the pieces fly apart: together they keep the momentum, and have no more energy than the
/// motion of the whole's surface had. A cut gives no speed.
static void divide_motion(Parting *p)
{
    const dew_DropValues *whole = &p->work->values;
    dew_Vec3 momentum = {0, 0, 0};
    double apart = 0, had = 0;
    int64_t vertices = 0;
    for (int64_t k = 0; k < p->count; k++) {
        if (!stays(p, k))
            continue;
        dew_DropView piece = view_of_piece(p, k);
        dew_Vec3 u = velocity_of_piece(&piece);
        momentum = dew_add_scaled(momentum, piece.values.volume_m3, u);
        apart += piece.values.volume_m3 * dew_length2(u);
        vertices += piece.counts.vertex_count;
        for (int64_t i = 0; i < piece.counts.vertex_count; i++)
            had += dew_length2(dew_sub(piece.velocities[i], whole->velocity_m_s));
    }
    dew_Vec3 mean = dew_scale(1 / whole->volume_m3, momentum);
    p->drift = dew_sub(whole->velocity_m_s, mean);
    apart -= whole->volume_m3 * dew_length2(mean);
    had *= MAX_PARTING_ENERGY_RATIO * whole->volume_m3 / (double)vertices;
    p->fraction = apart > had ? sqrt(had / apart) : 1;
}

/// Its velocity as divide_motion says, in its vertices too.
static void set_piece_velocity(const Parting *p, int64_t k, dew_DropView *out)
{
    dew_DropValues *values = &out->values;
    dew_DropView view = view_of_piece(p, k), *piece = &view;
    dew_Vec3 whole = p->work->values.velocity_m_s, measured = dew_drop_view_velocity(piece);
    dew_Vec3 relative = dew_sub(dew_add(velocity_of_piece(piece), p->drift), whole);
    values->velocity_m_s = dew_add_scaled(whole, p->fraction, relative);
    out->flags.has_velocity = 1;
    dew_Vec3 *v = DEW_ITEMS(&p->work->velocities, dew_Vec3) + p->pieces[k].first_vertex;
    dew_drop_shift_velocities(v, piece->labels, piece->counts.vertex_count, measured,
                              values->velocity_m_s);
}

/// Hands the pieces but the first to `others` and cuts the work down to that one.
static dew_Status part(dew_DropWork *work, const dew_RemeshPiece *pieces, int64_t count,
                       dew_DropStore *others)
{
    Parting p = {work, pieces, count, .least_m3 = smallest_m3(work)};
    double liquid = 0;
    for (int64_t k = 0; k < count; k++)
        liquid += stays(&p, k) ? pieces[k].volume_m3 : 0;
    if (!(liquid > 0) || !(pieces[0].volume_m3 > 0))
        return dew_fail(DEW_DIVERGED, "a drop was turned inside out");
    p.per_volume = work->values.volume_m3 / liquid;
    for (int64_t k = 0; k < count; k++)
        count_from_first_vertex(&p, k);
    divide_motion(&p);
    for (int64_t k = 1; k < count; k++) {
        if (!stays(&p, k))
            continue;  // too small, or a bubble: its drop closes over it
        dew_DropView piece = view_of_piece(&p, k);
        piece.counts.id = DEW_INVALID;
        piece.counts.parted_from = work->counts.id;
        piece.values.feed_m3 = piece.values.parted_s = 0;
        piece.values.at_rest_s = piece.values.inertia_kg = 0;
        set_piece_velocity(&p, k, &piece);
        DEW_TRY(dew_drop_store_append(others, &piece));
    }
    dew_DropView first = view_of_piece(&p, 0);
    set_piece_velocity(&p, 0, &first);
    work->values = first.values;
    work->flags = first.flags;
    work->counts.inflow = first.counts.inflow;
    work->positions.count = work->velocities.count = pieces[0].vertex_count;
    work->labels.count = work->clearances.count = pieces[0].vertex_count;
    work->triangles.count = pieces[0].triangle_count;
    return dew_ok();
}

dew_Status dew_drop_resample(dew_DropWork *work, dew_DropStore *others)
{
    if (!work->is_connected)
        DEW_TRY(dew_drop_connect(work));
    bool in_air = dew_drop_is_in_air(work);
    dew_Vec3 center = dew_drop_center(work, work->x);
    work->edge_m = dew_drop_wanted_edge_m(work);
    double area_m2 = dew_drop_area_m2(work);
    DEW_TRY(set_scales(work));
    dew_RemeshDrop drop = {&work->positions, &work->velocities, &work->labels, &work->scales,
                           &work->triangles};
    dew_RemeshDef def = dew_default_remesh_def(work->edge_m);
    def.smoothing = SMOOTHING;
    def.min_volume_m3 = smallest_m3(work);
    def.is_one_piece = true;
    def.max_operations = MAX_OPERATIONS_PER_VERTEX * work->positions.count;
    def.project = project_on_solid;
    def.context = work;
    dew_RemeshResult result;
    dew_Status status = dew_remesh_run(work->remesh, &def, &drop, &result);
    if (status.code == DEW_BAD_INPUT)
        return dew_fail(DEW_DIVERGED, "%s", status.message);
    DEW_TRY(status);
    work->values.moved_m = 0;
    if (!result.has_changed)
        return dew_ok();
    if ((double)work->positions.count > most_vertices(work) ||
        splits_run_away(work, result.split_count, def.max_operations, area_m2))
        return dew_fail(DEW_DIVERGED, "a drop's mesh has grown to %lld vertices",
                        (long long)work->positions.count);
    DEW_TRY(dew_array_resize(&work->clearances, work->positions.count));
    for (int64_t i = 0; i < work->clearances.count; i++)
        DEW_ITEMS(&work->clearances, double)[i] = 0;
    DEW_TRY(dew_drop_connect(work));
    if (result.piece_count > 1) {
        DEW_TRY(part(work, dew_remesh_pieces(work->remesh), result.piece_count, others));
        DEW_TRY(dew_drop_connect(work));
    }
    dew_drop_reattach_to_nozzle(work);
    dew_drop_correct_volume(work);
    if (in_air && result.piece_count == 1)
        dew_drop_shift(work, dew_sub(center, dew_drop_center(work, work->x)));
    return dew_ok();
}
