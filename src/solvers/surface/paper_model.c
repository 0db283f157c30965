// `model: paper`: the deformation operators of [Zhang2011] section 4 as the paper has them, each a
// filter of positions and velocities, one after the other. For comparison with drop_substep.c.
//
//     4.1  gravity, collision, friction    v += g dt, x += v dt; eqs. (1), (2)
//          damping                         v = (1 - mu dt) v + eta dt Lap v                 (3)
//     4.2  mean-curvature flow             (M + gamma dt L) x' = M x, v += (x' - x) / dt  (4)-(7)
//     4.3  contact angle                   v += f dt, x += f dt^2, f = alpha (theta - bound)  (8)
//     4.4  volume                          eqs. (9)-(11), then an offset d = dV / A along normals
//
//     x, v  vertices     M  areas of the vertices     L  cotangent Laplacian     n  normal
//
// Merging, splitting and remeshing are those of the solver. What the paper leaves open is settled
// as follows.
//
// - gamma: each step adds gamma 2 H to the velocity, whatever dt is, so the tension that is felt
//   goes as gamma / dt. Unless the scene gives gamma, it is sigma dt / m with m = (3/2) rho V / A:
//   then n = 2 of a sphere has Rayleigh's frequency.
// - alpha: the paper gives no value. Unless the scene does, it is sigma / (m h), h the edge: the
//   force sigma per length and radian on the mass of a row of vertices.
// - Vertices on a solid are held in the curvature flow, not only along the solid's normal: with
//   the wetted base in the flow, tension draws any line in, as if every angle were 180 degrees.
// - The offset of the volume changes velocities too, by d n / dt: else the shrinking of the flow
//   would gather in them.
// - Conjugate gradients are preconditioned by the diagonal, not by an incomplete factorisation.
#include "base/status.h"
#include "solvers/surface/drop_work.h"

#include <string.h>

#define MAX_ITERATIONS 500   // of conjugate gradients
#define LAPLACIAN      12.0  // h^2 times the largest eigenvalue of M^-1 L, 6 on a regular mesh
#define LINE_STEP      0.5  // of sqrt(h / alpha), a radian's push over an edge: eq. (8) is explicit
#define LEAST_PATCH    0.25  // edge^2: a smaller wetted base is none

static bool is_held(const dew_DropWork *work, int64_t i)
{
    return work->label[i] & (DEW_LABEL_TOUCHING | DEW_LABEL_NOZZLE);
}

/// Mass of the surface per area.
static double surface_mass(const dew_DropWork *work)
{
    double area = dew_drop_area_m2(work);
    return 1.5 * work->params->rho_kg_m3 * work->values.volume_m3 / area;
}

static double alpha(const dew_DropWork *work)
{
    double given = work->params->paper.alpha_m_s2;
    return given > 0 ? given : work->params->sigma_N_m / (surface_mass(work) * work->edge_m);
}

double dew_drop_paper_limit_s(const dew_DropWork *work, bool touches)
{
    double h = work->edge_m, eta = work->params->paper.eta_m2_s, mu = work->params->paper.mu_1_s;
    double rate = mu + LAPLACIAN * eta / (h * h), limit = rate > 0 ? 1 / rate : (double)INFINITY;
    double push = touches ? alpha(work) : 0;
    return push > 0 ? fmin(limit, LINE_STEP * sqrt(h / push)) : limit;
}

/// Vertices that touch alone, or a patch that has receded to nothing: they touch again where they
/// penetrate again.
static void release(dew_DropWork *work)
{
    bool is_gone = work->wet_area_m2 < LEAST_PATCH * work->edge_m * work->edge_m;
    for (int64_t i = 0; i < work->n; i++) {
        if (!(work->label[i] & DEW_LABEL_TOUCHING) || (work->wet_area[i] > 0 && !is_gone))
            continue;
        work->label[i] &= (uint8_t)~DEW_LABELS_OF_CONTACT;
        work->clearance[i] = 0;
    }
}

/// Gravity, the move, and collisions with what they do: eqs. (1) and (2).
static void apply_external_forces(dew_DropWork *work, double dt_s, double solid_way_m)
{
    memcpy(work->y, work->x, (size_t)work->n * sizeof *work->y);
    for (int64_t i = 0; i < work->n; i++) {
        if (work->label[i] & DEW_LABEL_NOZZLE)
            continue;
        work->v[i] = dew_add_scaled(work->v[i], dt_s, work->instant.gravity_m_s2);
        work->x[i] = dew_add_scaled(work->x[i], dt_s, work->v[i]);
    }
    work->touch_count = 0;  // all that touch are found anew
    dew_drop_collide(work, dt_s, solid_way_m);
    dew_drop_find_touches(work);
    for (int64_t k = 0; k < work->touch_count; k++) {
        const dew_DropTouch *t = &work->touches[k];
        dew_Vec3 *v = &work->v[t->vertex], relative = dew_sub(*v, t->velocity);
        if (t->solid_id == DEW_INVALID)
            continue;
        relative = dew_add_scaled(relative, -dew_inner(relative, t->normal), t->normal);
        dew_Vec3 slower = dew_contact_friction(relative, t->friction, dt_s);
        *v = dew_add(t->velocity, slower);
        work->x[t->vertex] = dew_add_scaled(work->x[t->vertex], dt_s, dew_sub(slower, relative));
    }
}

/// out = L u; cotangents hold half of cot.
static void apply_laplacian(const dew_DropWork *work, const dew_Vec3 *u, dew_Vec3 *out)
{
    memset(out, 0, (size_t)work->n * sizeof *out);
    for (int64_t k = 0; k < work->triangle_count; k++) {
        const uint32_t *v = work->triangle[k].v;
        for (int c = 0; c < 3; c++) {
            uint32_t i = v[c], j = v[(c + 1) % 3];
            dew_Vec3 f = dew_scale(work->cotangent[3 * k + c], dew_sub(u[i], u[j]));
            out[i] = dew_add(out[i], f);
            out[j] = dew_sub(out[j], f);
        }
    }
}

static double lumped_area(const dew_DropWork *work, int64_t i)
{
    return work->area[i] + work->wet_area[i];
}

void dew_drop_paper_damp(dew_DropWork *work, double dt_s)
{
    const dew_PaperModel *paper = &work->params->paper;
    dew_Vec3 *laplacian = work->image;
    apply_laplacian(work, work->v, laplacian);
    for (int64_t i = 0; i < work->n; i++) {
        double a = lumped_area(work, i);
        if ((work->label[i] & DEW_LABEL_NOZZLE) || !(a > 0))
            continue;
        work->v[i] = dew_combine(1 - paper->mu_1_s * dt_s, work->v[i], -paper->eta_m2_s * dt_s / a,
                                 laplacian[i]);
    }
    for (int64_t k = 0; k < work->touch_count; k++) {  // not along the solid's normal
        const dew_DropTouch *t = &work->touches[k];
        dew_Vec3 *v = &work->v[t->vertex];
        if (t->solid_id != DEW_INVALID)
            *v = dew_add_scaled(*v, -dew_inner(dew_sub(*v, t->velocity), t->normal), t->normal);
    }
}

/// Starts the equation (M + s L) change = -s L x on the free vertices, and finds its diagonal.
/// Returns r.z of the first residual.
static double begin_flow(dew_DropWork *work, double s)
{
    dew_drop_assemble(work, s, s);
    apply_laplacian(work, work->x, work->residual);
    double product = 0;
    for (int64_t i = 0; i < work->n; i++) {
        work->pivot[i] = lumped_area(work, i) + work->diagonal[i];
        work->change[i] = dew_vec(0, 0, 0);
        bool is_free = !is_held(work, i) && work->pivot[i] > 0;
        work->inverse[i] = is_free ? 1 / work->pivot[i] : 0;
        work->residual[i] = dew_scale(is_free ? -s : 0, work->residual[i]);
        work->image[i] = dew_scale(work->inverse[i], work->residual[i]);
        product += dew_inner(work->residual[i], work->image[i]);
    }
    return product;
}

/// force = A image on the free vertices; returns image.A image.
static double apply_matrix(dew_DropWork *work)
{
    double curvature = 0;
    for (int64_t i = 0; i < work->n; i++) {
        dew_Vec3 sum = dew_scale(work->pivot[i], work->image[i]);
        for (int32_t e = work->row[i]; e < work->row[i + 1]; e++)
            sum = dew_add_scaled(sum, work->off[e], work->image[work->col[e]]);
        work->force[i] = work->inverse[i] > 0 ? sum : dew_vec(0, 0, 0);
        curvature += dew_inner(work->image[i], work->force[i]);
    }
    return curvature;
}

void dew_drop_paper_flow(dew_DropWork *work, double dt_s)
{
    double gamma = work->params->paper.gamma_m2_s;
    if (!(gamma > 0))
        gamma = work->params->sigma_N_m * dt_s / surface_mass(work);
    double product = begin_flow(work, gamma * dt_s);
    double enough = work->params->tolerance * work->params->tolerance * product;
    for (int k = 0; k < MAX_ITERATIONS && product > enough; k++) {
        double curvature = apply_matrix(work), next = 0;
        if (!(curvature > 0))
            break;
        double step = product / curvature;
        for (int64_t i = 0; i < work->n; i++) {
            work->change[i] = dew_add_scaled(work->change[i], step, work->image[i]);
            work->residual[i] = dew_add_scaled(work->residual[i], -step, work->force[i]);
            next += work->inverse[i] * dew_length2(work->residual[i]);
        }
        for (int64_t i = 0; i < work->n; i++)
            work->image[i] =
                dew_combine(work->inverse[i], work->residual[i], next / product, work->image[i]);
        product = next;
        work->iterations++;
    }
    for (int64_t i = 0; i < work->n; i++) {
        work->x[i] = dew_add(work->x[i], work->change[i]);
        work->v[i] = dew_add_scaled(work->v[i], 1 / dt_s, work->change[i]);
    }
}

/// Normals of the free surface by area, in `image`, and the gradient of the wetted area, in
/// `change`: on the contact line its length is that of the line.
static void find_line_normals(dew_DropWork *work)
{
    memset(work->image, 0, (size_t)work->n * sizeof *work->image);
    memset(work->change, 0, (size_t)work->n * sizeof *work->change);
    for (int64_t k = 0; k < work->triangle_count; k++) {
        const uint32_t *v = work->triangle[k].v;
        const dew_Vec3 p[3] = {work->x[v[0]], work->x[v[1]], work->x[v[2]]};
        dew_Vec3 area = dew_cross(dew_sub(p[1], p[0]), dew_sub(p[2], p[0]));
        dew_Vec3 normal = dew_normalize(area);
        for (int c = 0; c < 3; c++) {
            dew_Vec3 edge = dew_sub(p[(c + 2) % 3], p[(c + 1) % 3]);
            if (work->is_wet[k])
                work->change[v[c]] =
                    dew_add_scaled(work->change[v[c]], 0.5, dew_cross(normal, edge));
            else
                work->image[v[c]] = dew_add(work->image[v[c]], area);
        }
    }
}

/// How far an angle is beyond its bounds, as in eq. (8): above 0 where the line is to advance.
static double beyond(dew_AngleInterval bounds, double angle_rad)
{
    if (angle_rad < bounds.receding_rad)
        return angle_rad - bounds.receding_rad;
    return angle_rad > bounds.advancing_rad ? angle_rad - bounds.advancing_rad : 0;
}

void dew_drop_paper_contact_angle(dew_DropWork *work, double dt_s)
{
    dew_DropValues *values = &work->values;
    double a = alpha(work);
    values->line_m = values->angle_rad = 0;
    find_line_normals(work);
    for (int64_t k = 0; k < work->touch_count; k++) {
        dew_DropTouch *t = &work->touches[k];
        int32_t i = t->vertex;
        work->label[i] &= (uint8_t)~DEW_LABEL_CONTACT_LINE;
        if (!(work->area[i] > 0 && work->wet_area[i] > 0))
            continue;
        work->label[i] |= DEW_LABEL_CONTACT_LINE;
        if (t->solid_id == DEW_INVALID)
            continue;
        dew_Vec3 n = dew_normalize(work->image[i]);
        double cosine = fmin(fmax(dew_inner(n, t->normal), -1), 1), angle = acos(cosine);
        dew_Vec3 outward = dew_normalize(dew_add_scaled(n, -cosine, t->normal));
        t->outward = outward;
        dew_drop_look_up_wetness(work, t);
        double push = a * beyond(t->interval, angle), length = dew_length(work->change[i]);
        values->min_angle_rad = values->line_m > 0 ? fmin(values->min_angle_rad, angle) : angle;
        values->max_angle_rad = values->line_m > 0 ? fmax(values->max_angle_rad, angle) : angle;
        values->angle_rad += length * angle;
        values->line_m += length;
        work->v[i] = dew_add_scaled(work->v[i], push * dt_s, outward);
        work->x[i] = dew_add_scaled(work->x[i], push * dt_s * dt_s, outward);
    }
    if (values->line_m > 0)
        values->angle_rad /= values->line_m;
}

/// The global correction, in the velocities too.
static void correct_volume(dew_DropWork *work, double dt_s)
{
    memcpy(work->change, work->x, (size_t)work->n * sizeof *work->change);
    dew_drop_correct_volume(work);
    for (int64_t i = 0; i < work->n; i++)
        work->v[i] = dew_add_scaled(work->v[i], 1 / dt_s, dew_sub(work->x[i], work->change[i]));
}

dew_Status dew_drop_paper_substep(dew_DropWork *work, double dt_s, double solid_way_m)
{
    dew_drop_find_touches(work);
    dew_drop_measure_at(work, work->x);
    if (!(work->volume_m3 > 0))
        return dew_fail(DEW_DIVERGED, "a drop was turned inside out");
    release(work);
    apply_external_forces(work, dt_s, solid_way_m);
    dew_stage_end(work->clock, DEW_STAGE_CONTACT);
    memcpy(work->y, work->x, (size_t)work->n * sizeof *work->y);
    dew_drop_measure_at(work, work->y);
    dew_drop_find_cotangents(work);
    dew_stage_end(work->clock, DEW_STAGE_GEOMETRY);
    dew_drop_paper_damp(work, dt_s);
    dew_stage_end(work->clock, DEW_STAGE_FORCES);
    dew_drop_paper_flow(work, dt_s);
    dew_stage_end(work->clock, DEW_STAGE_SOLVE);
    dew_drop_paper_contact_angle(work, dt_s);
    if (work->params->correct_locally)
        dew_drop_correct_locally(work);
    dew_drop_collide(work, dt_s, 0);
    dew_stage_end(work->clock, DEW_STAGE_CONTACT);
    correct_volume(work, dt_s);
    dew_DropValues *values = &work->values;
    values->mass_kg_m2 = surface_mass(work);
    values->inertia_kg = values->mass_kg_m2 * dew_drop_area_m2(work);
    values->velocity_m_s = dew_drop_mean_velocity(work, work->v);
    work->flags.has_velocity = 1;
    dew_stage_end(work->clock, DEW_STAGE_VOLUME);
    return dew_ok();
}
