// Remeshing of a drop between its steps. [Zhang2011] section 5
//
// Edges on the solid may be longer, edges at the contact line are shorter. A drop in the air is shifted so
// that its centre stays where it was, since collapses move it. When a neck has been cut, each piece inherits its share of the volume; pieces too small to be
// drops give theirs to the largest. The largest also has what is left of the momentum when the others have
// taken what their vertices tell.
#include "base/status.h"
#include "solvers/surface/nozzle.h"
#include "solvers/surface/state.h"

#define LINE_SCALE     0.8  // wanted edge length at the contact line
#define BASE_SCALE     2.0  // on the wetted side
#define OPERATIONS     3  // per vertex, in one pass: astride a thin solid there would be no end of them
#define MOST_VERTICES  6    // of what the area asks for: then splits have run away
#define THINNEST       0.1  // edges: if all of the drop were a film of this thickness,
#define MOST_OF_FILM   2    // of what its area would ask for: then the mesh has folded up
#define SMOOTHING      0.5
#define SMALLEST       0.05  // of edge^3: a smaller piece is no drop,
#define SMALLEST_USUAL 0.03  // nor one below this part of the cube of the usual edge

static void project_on_solid(void *context, uint8_t label, dew_Vec3 *position)
{
    const dew_DropWork *work = context;
    if ((label & DEW_LABEL_NOZZLE) && work->counts.inflow != DEW_INVALID) {
        *position = dew_nozzle_project(work->laws->problem, work->counts.inflow,
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
    double film = 2 * work->values.volume_m3 / (THINNEST * work->edge_m);
    return fmin(MOST_VERTICES * count_of(work, dew_drop_area_m2(work)),
                MOST_OF_FILM * count_of(work, film));
}

/// A smaller piece is no drop of its own.
static double smallest_m3(const dew_DropWork *work)
{
    double usual = work->laws->edge_m, here = work->edge_m;
    return fmax(SMALLEST * here * here * here, SMALLEST_USUAL * usual * usual * usual);
}

/// Velocity of a piece's centre of mass. What its surface tells is divided by the volume: of a flat piece that is cut
/// off a moving film, it may be any. Within the piece no liquid is faster than all of its surface.
static dew_Vec3 velocity_of_piece(const dew_DropView *piece)
{
    dew_Vec3 mean = {0, 0, 0};
    double share = 1 / (double)piece->counts.vertex_count, most2 = 0;
    for (int64_t i = 0; i < piece->counts.vertex_count; i++)
        mean = dew_add_scaled(mean, share, piece->velocities[i]);
    for (int64_t i = 0; i < piece->counts.vertex_count; i++)
        most2 = fmax(most2, dew_length2(dew_sub(piece->velocities[i], mean)));
    dew_Vec3 beyond = dew_sub(dew_drop_view_velocity(piece), mean);
    double speed2 = dew_length2(beyond);
    return dew_add_scaled(mean, speed2 > most2 ? sqrt(most2 / speed2) : 1, beyond);
}

/// Hands the pieces but the first to `others` and cuts the work down to that one.
static dew_Status part(dew_DropWork *work, const dew_RemeshPiece *pieces, int64_t count,
                       dew_DropStore *others)
{
    double liquid = 0, least = smallest_m3(work);
    for (int64_t k = 0; k < count; k++)
        liquid += k == 0 || pieces[k].volume_m3 > least ? pieces[k].volume_m3 : 0;
    if (!(liquid > 0) || !(pieces[0].volume_m3 > 0))
        return dew_fail(DEW_DIVERGED, "a drop was turned inside out");
    double per_volume = work->values.volume_m3 / liquid;
    dew_DropView whole = dew_drop_work_view(work);
    dew_Vec3 momentum = dew_scale(work->values.volume_m3, work->values.velocity_m_s);
    dew_Triangle *triangles = DEW_ITEMS(&work->triangles, dew_Triangle);
    for (int64_t k = 1; k < count; k++) {
        const dew_RemeshPiece *p = &pieces[k];
        if (!(p->volume_m3 > least))
            continue;  // too small, or a bubble: its drop closes over it
        for (int64_t t = p->first_triangle; t < p->first_triangle + p->triangle_count; t++)
            for (int c = 0; c < 3; c++)
                triangles[t].v[c] -= (uint32_t)p->first_vertex;
        dew_DropView piece = whole;
        piece.counts.id = DEW_INVALID;
        if (!dew_labels_have_nozzle(whole.labels + p->first_vertex, p->vertex_count))
            piece.counts.inflow = DEW_INVALID;
        piece.counts.parted_from = work->counts.id;
        piece.counts.vertex_count = p->vertex_count;
        piece.counts.triangle_count = p->triangle_count;
        piece.values.volume_m3 = per_volume * p->volume_m3;
        piece.values.feed_m3 = piece.values.parted_s = 0;
        piece.values.calm_s = piece.values.stirred_s = 0;
        piece.positions += p->first_vertex;
        piece.velocities += p->first_vertex;
        piece.labels += p->first_vertex;
        piece.clearances = NULL;
        piece.triangles += p->first_triangle;
        piece.values.velocity_m_s = velocity_of_piece(&piece);
        piece.values.is_moving = 1;
        momentum = dew_add_scaled(momentum, -piece.values.volume_m3, piece.values.velocity_m_s);
        DEW_TRY(dew_drop_store_append(others, &piece));
    }
    work->values.volume_m3 = per_volume * pieces[0].volume_m3;
    if (!dew_labels_have_nozzle(whole.labels, pieces[0].vertex_count))
        work->counts.inflow = DEW_INVALID;
    work->values.velocity_m_s = dew_scale(1 / work->values.volume_m3, momentum);
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
    DEW_TRY(set_scales(work));
    dew_RemeshDrop drop = {&work->positions, &work->velocities, &work->labels, &work->scales,
                           &work->triangles};
    dew_RemeshDef def = dew_default_remesh_def(work->edge_m);
    def.smoothing = SMOOTHING;
    def.min_volume_m3 = smallest_m3(work);
    def.is_one_piece = true;
    def.max_operations = OPERATIONS * work->positions.count;
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
    if ((double)work->positions.count > most_vertices(work))
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
    dew_drop_regrip(work);
    dew_drop_correct_volume(work);
    if (in_air && result.piece_count == 1)
        dew_drop_shift(work, dew_sub(center, dew_drop_center(work, work->x)));
    return dew_ok();
}
