// One step of one drop: the operators of [Zhang2011] in their order, as one implicit system.
//
// Forces are taken at y = x + theta dt v, which makes the step of second order for theta = 1/2
// although the stiffness is frozen and inexact:
//
//     (M~ + D + theta^2 dt^2 K_tension + theta dt K_viscosity) dv = dt F(y),
//     v' = v + dv,    x' = x + dt (v + theta dv)
//
// theta = 1/2 keeps the energy of oscillations; theta = 1 damps what is too fast for the step, so
// that a drop goes to its rest within a few steps however long they are. At rest dv = 0, whatever
// theta and dt are: the resting shape is that of least energy, not of a balance between operators.
// differs: the paper lets each operator filter velocities and positions by itself, and its rest
// hangs on dt.
#include "base/status.h"
#include "solvers/surface/drop_work.h"

#include <string.h>

#define MAX_REVIEWS            4     // of the contact line's states
#define MAX_JUMP               1.0   // of the radius, in one step
#define MAX_LEAP               2.0   // edges, on a solid: farther, a film is folded
#define MAX_GROWTH             0.05  // of the volume, in one step
#define MIN_CORRECTION_PERIODS 2e-3  // of a period

/// Masses of the vertices. Returns sqrt(old / new) of the whole: 1 when nothing is known of before.
static double set_masses(dew_DropWork *work)
{
    double m = dew_drop_effective_mass_kg_m2(work), sum = 0, before = work->values.inertia_kg;
    work->values.mass_kg_m2 = m;
    for (int64_t i = 0; i < work->n; i++) {
        work->mass[i] = m * (work->area[i] + DEW_WETTED_INERTIA * work->wet_area[i]);
        sum += work->mass[i];
    }
    work->values.inertia_kg = sum;
    return before > 0 ? sqrt(before / sum) : 1;
}

/// The effective mass depends on the shape. Where it changes by itself, velocities of deformation
/// change so that their kinetic energy stays: w' = ratio w, as an impulse, so that solids answer
/// it. A tail that stays behind is none of them: the solid imposes its motion relative to the drop.
static void keep_kinetic_energy(dew_DropWork *work, double dt_s, double ratio)
{
    dew_Vec3 u = dew_drop_mean_velocity(work, work->v), sum = {0, 0, 0};
    work->total_force_N = dew_vec(0, 0, 0);
    for (int64_t i = 0; i < work->n; i++) {
        work->total_force_N = dew_add(work->total_force_N, work->force[i]);
        double oscillating = work->mass[i] * (1 - dew_drop_tail_fraction(&work->tail, i));
        dew_Vec3 impulse = dew_scale((ratio - 1) * oscillating, dew_sub(work->v[i], u));
        work->force[i] = dew_add_scaled(work->force[i], 1 / dt_s, impulse);
        sum = dew_add(sum, impulse);
    }
    work->rigid_impulse = dew_sub(work->rigid_impulse, sum);
}

/// Wall shear under the base: its coefficient, N s/m. The wedge of the contact line
/// (drop_contact_line.c) accounts for the flow up to the distance L from the line; beyond, the
/// liquid of the mean height h is sheared with 3 mu U / h. On a cap of small angle theta the mean
/// height is theta R / 4, and the wedge reaches its middle; so L = 4 h / theta, R at most, and
/// the rest of the base is (1 - L / R)^2 of its area: zero for caps, nearly all of a puddle.
static double base_drag(const dew_DropWork *work, dew_Vec3 *velocity, dew_Vec3 *normal)
{
    double area = 0, conductance = 0, R = work->line_scale_m;
    double h = work->volume_m3 / fmax(work->wet_area_m2, work->edge_m * work->edge_m);
    double reach = work->values.line_m > 0 ? 4 * h / work->values.angle_rad : R;
    double rest = reach < R ? (1 - reach / R) * (1 - reach / R) : 0;
    *velocity = *normal = dew_vec(0, 0, 0);
    for (int64_t k = 0; k < work->touch_count; k++) {
        const dew_DropTouch *t = &work->touches[k];
        double a = t->solid_id == DEW_INVALID ? 0 : work->wet_area[t->vertex];
        area += a;
        conductance += isinf(t->slip_m) ? 0 : a / (h / 3 + t->slip_m);
        *velocity = dew_add_scaled(*velocity, a, t->velocity);
        *normal = dew_add_scaled(*normal, a, t->normal);
    }
    *velocity = area > 0 ? dew_scale(1 / area, *velocity) : *velocity;
    *normal = dew_normalize(*normal);
    return work->params->mu_Pa_s * rest * conductance;
}

/// Rigid translation: the true mass, the wall shear under the base, and the momentum that has to be
/// kept although the mesh has moved since it was last reckoned.
static void set_rigid_motion(dew_DropWork *work, double dt_s)
{
    dew_DropValues *values = &work->values;
    double mass = work->params->rho_kg_m3 * work->volume_m3;
    dew_Vec3 u = dew_drop_mean_velocity(work, work->v), solid, n;
    if (!work->flags.has_velocity)
        values->velocity_m_s = u;
    work->flags.has_velocity = 1;
    double drag = dt_s * base_drag(work, &solid, &n);
    const double a[3] = {n.x, n.y, n.z};
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
            work->mass_matrix[3 * j + k] = (j == k ? mass + drag : 0) - drag * a[j] * a[k];
    dew_Vec3 slide = dew_sub(values->velocity_m_s, solid);
    slide = dew_add_scaled(slide, -dew_inner(slide, n), n);
    work->rigid_impulse = dew_combine(mass, dew_sub(values->velocity_m_s, u), -drag, slide);
}

/// The velocity that a solid lets a touching vertex have.
static dew_Vec3 along_solid(dew_Vec3 v, const dew_DropTouch *touch)
{
    dew_Vec3 relative = dew_sub(v, touch->velocity);
    if (touch->hold == DEW_HOLD_CREASE)
        relative = dew_scale(dew_inner(relative, touch->crease), touch->crease);
    else
        relative = dew_add_scaled(relative, -dew_inner(relative, touch->normal), touch->normal);
    return dew_add(touch->velocity, relative);
}

/// Positions at which forces are taken.
static void predict(dew_DropWork *work, double way_s)
{
    for (int64_t i = 0; i < work->n; i++)
        work->y[i] = dew_add_scaled(work->x[i], way_s, work->v[i]);
    for (int64_t k = 0; k < work->touch_count; k++) {
        const dew_DropTouch *t = &work->touches[k];
        bool is_nozzle = work->label[t->vertex] & DEW_LABEL_NOZZLE;
        dew_Vec3 v = is_nozzle ? dew_vec(0, 0, 0) : along_solid(work->v[t->vertex], t);
        work->y[t->vertex] = dew_add_scaled(work->x[t->vertex], way_s, v);
    }
}

static void add_forces(dew_DropWork *work)
{
    memset(work->force, 0, (size_t)work->n * sizeof *work->force);
    dew_drop_add_gravity(work);
    dew_drop_add_wind(work);
    dew_drop_add_tension(work);
}

/// Pressure of a drop that has not been stepped yet: what balances the other forces best.
static void guess_pressure(dew_DropWork *work)
{
    double push = 0, square = 0;
    for (int64_t i = 0; i < work->n; i++) {
        if (work->label[i] & (DEW_LABEL_TOUCHING | DEW_LABEL_NOZZLE))
            continue;
        push -= dew_inner(work->force[i], work->gradient[i]);
        square += dew_length2(work->gradient[i]);
    }
    work->values.pressure_Pa = square > 0 ? push / square : 0;
}

static dew_Status solve(dew_DropWork *work, double dt_s)
{
    double missing = work->values.volume_m3 - dew_drop_volume(work);
    double most = MAX_GROWTH * work->values.volume_m3;
    // In a step that is much shorter than usual, liquid that is missing comes no faster than else;
    // but what a nozzle feeds is missing in every step.
    bool is_fed = work->counts.inflow != DEW_INVALID;
    double least_s = is_fed ? 0 : MIN_CORRECTION_PERIODS * dew_drop_period_s(work);
    double rate = fmin(fmax(missing, -most), most) / fmax(dt_s, least_s);
    memset(work->change, 0, (size_t)work->n * sizeof *work->change);
    work->first_residual = 0;
    DEW_TRY(dew_drop_solve(work, dt_s, rate));
    for (int k = 0; k < MAX_REVIEWS && dew_drop_review_line(work, dt_s, k < MAX_REVIEWS / 2); k++)
        DEW_TRY(dew_drop_solve(work, dt_s, rate));
    return dew_ok();
}

/// Speed of the fastest vertex, seen from the drop, when a fraction of the change has been added.
static double deforming_m_s(const dew_DropWork *work, double fraction)
{
    dew_Vec3 mean = dew_combine(1, dew_drop_mean_velocity(work, work->v), fraction,
                                dew_drop_mean_velocity(work, work->change));
    double fastest2 = 0;
    for (int64_t i = 0; i < work->n; i++) {
        dew_Vec3 v = dew_add_scaled(work->v[i], fraction, work->change[i]);
        bool is_held = work->label[i] & DEW_LABEL_NOZZLE;
        fastest2 = fmax(fastest2, is_held ? 0 : dew_length2(dew_sub(v, mean)));
    }
    return sqrt(fastest2);
}

/// Would a vertex go farther than the drop is wide, seen from the drop, or over several triangles
/// of a film? Then forces have changed on its way.
static bool jumps(const dew_DropWork *work, double dt_s, double theta)
{
    double most = MAX_JUMP * dew_drop_radius_m(work);
    if (work->touch_count > 0 && theta < 1)
        most = fmin(most, MAX_LEAP * work->edge_m);
    return deforming_m_s(work, theta) > most / dt_s;
}

/// Moves the vertices; those of a nozzle keep their place.
static void move(dew_DropWork *work, double dt_s, double theta)
{
    memcpy(work->y, work->x, (size_t)work->n * sizeof *work->y);
    for (int64_t i = 0; i < work->n; i++) {
        if (!(work->label[i] & DEW_LABEL_NOZZLE)) {
            dew_Vec3 way = dew_combine(dt_s, work->v[i], theta * dt_s, work->change[i]);
            work->x[i] = dew_add(work->x[i], way);
        }
        work->v[i] = dew_add(work->v[i], work->change[i]);
    }
}

/// Velocity of the centre of mass after the step. In the air the forces alone decide, to rounding;
/// else the solution knows what the solids did.
static dew_Vec3 next_velocity(const dew_DropWork *work, double dt_s)
{
    if (work->touch_count > 0)
        return dew_add(dew_drop_mean_velocity(work, work->v),
                       dew_drop_mean_velocity(work, work->change));
    double mass = work->params->rho_kg_m3 * work->volume_m3;
    return dew_add_scaled(work->values.velocity_m_s, dt_s / mass, work->total_force_N);
}

/// Where the centre of a drop in the air has to be after the step: where its momentum takes it,
/// whatever theta is and however the mesh deforms.
static dew_Vec3 next_center(const dew_DropWork *work, dew_Vec3 before, double dt_s)
{
    dew_Vec3 mean = dew_scale(0.5, dew_add(before, work->values.velocity_m_s));
    return dew_add_scaled(dew_drop_center(work, work->x), dt_s, mean);
}

bool dew_drop_is_in_air(const dew_DropWork *work)
{
    for (int64_t i = 0; i < work->n; i++)
        if (work->label[i] & (DEW_LABEL_TOUCHING | DEW_LABEL_NOZZLE))
            return false;
    return true;
}

void dew_drop_shift(dew_DropWork *work, dew_Vec3 way_m)
{
    for (int64_t i = 0; i < work->n; i++)
        work->x[i] = dew_add(work->x[i], way_m);
}

/// Q n n' instead of Q
static void keep_normal_part(double *q, dew_Vec3 n)
{
    for (int k = 0; k < 3; k++) {
        double along = q[3 * k] * n.x + q[3 * k + 1] * n.y + q[3 * k + 2] * n.z;
        q[3 * k] = along * n.x;
        q[3 * k + 1] = along * n.y;
        q[3 * k + 2] = along * n.z;
    }
}

/// Parts of force and volume gradient that were taken from vertices on solids.
typedef struct Taken {
    dew_Vec3 force, gradient;
} Taken;

/// Leaves a vertex these parts of its force and gradient; the rest is taken.
static void take_rest(dew_DropWork *work, int32_t i, dew_Vec3 force, dew_Vec3 gradient,
                      Taken *taken)
{
    taken->force = dew_add(taken->force, dew_sub(work->force[i], force));
    taken->gradient = dew_add(taken->gradient, dew_sub(work->gradient[i], gradient));
    work->force[i] = force;
    work->gradient[i] = gradient;
}

/// On a curved solid the volume under the chords of the wetted side depends on where its vertices
/// lie, and the pressure would drive them along it for ever. But sliding there moves no liquid:
/// they feel none of it, nor of gravity, and it does not count as motion of the drop. Neither do
/// those of a nozzle feel pressure.
static Taken free_base_of_forces(dew_DropWork *work)
{
    Taken taken = {{0, 0, 0}, {0, 0, 0}};
    for (int64_t k = 0; k < work->touch_count; k++) {
        const dew_DropTouch *t = &work->touches[k];
        dew_Vec3 g = work->gradient[t->vertex], f = work->force[t->vertex], n = t->normal;
        if (t->solid_id == DEW_INVALID) {
            work->gradient[t->vertex] = dew_vec(0, 0, 0);
        } else if (!(work->area[t->vertex] > 0)) {
            take_rest(work, t->vertex, dew_scale(dew_inner(f, n), n), dew_scale(dew_inner(g, n), n),
                      &taken);
            keep_normal_part(work->moment_of_x + 9 * t->vertex, n);
        }
    }
    return taken;
}

/// x of (sum of l n n') x = b, n the outward normals of the contact line and l the lengths: a
/// vector in the plane that the normals span, or zero.
static dew_Vec3 solve_line_tensor(const double T[6], dew_Vec3 b)
{
    double small = 1e-9 * (T[0] + T[3] + T[5]);  // of the direction that no normal has
    double xx = T[0] + small, yy = T[3] + small, zz = T[5] + small;
    dew_Vec3 p = {xx, T[1], T[2]}, q = {T[1], yy, T[4]}, r = {T[2], T[4], zz};
    dew_Vec3 qr = dew_cross(q, r), rp = dew_cross(r, p), pq = dew_cross(p, q);
    double determinant = dew_inner(p, qr);
    if (!(determinant > 0))
        return dew_vec(0, 0, 0);
    dew_Vec3 x = dew_combine(b.x, qr, b.y, rp);
    return dew_scale(1 / determinant, dew_add_scaled(x, b.z, pq));
}

/// Nor does sliding along the contact line move any: on a curved solid its vertices would run round
/// for ever. A uniform motion of all vertices does no work against the forces of a discrete energy;
/// so that this still holds, what is taken away along the line and from the base is given back
/// across the line, by length. (Without the part of the base, a drop on a convex solid pushes
/// itself: the base is seen at its predicted place, turned by u dt / R where the solid has the
/// radius R, and the pressure that is taken from it leaves p A u dt / R in the direction of u.)
static void free_line_of_forces(dew_DropWork *work, Taken taken)
{
    double T[6] = {0};
    for (int64_t k = 0; k < work->touch_count; k++) {
        const dew_DropTouch *t = &work->touches[k];
        if (!t->is_line || t->in_crease)
            continue;
        dew_Vec3 along = dew_cross(t->normal, t->outward), n = t->outward;
        dew_Vec3 g = work->gradient[t->vertex], f = work->force[t->vertex];
        take_rest(work, t->vertex, dew_add_scaled(f, -dew_inner(f, along), along),
                  dew_add_scaled(g, -dew_inner(g, along), along), &taken);
        const double products[6] = {n.x * n.x, n.x * n.y, n.x * n.z,
                                    n.y * n.y, n.y * n.z, n.z * n.z};
        for (int c = 0; c < 6; c++)
            T[c] += t->length_m * products[c];
    }
    dew_Vec3 f_per_m = solve_line_tensor(T, taken.force);
    dew_Vec3 g_per_m = solve_line_tensor(T, taken.gradient);
    for (int64_t k = 0; k < work->touch_count; k++) {
        const dew_DropTouch *t = &work->touches[k];
        if (!t->is_line || t->in_crease)
            continue;
        dew_Vec3 *g = &work->gradient[t->vertex], *f = &work->force[t->vertex], n = t->outward;
        *f = dew_add_scaled(*f, t->length_m * dew_inner(f_per_m, n), n);
        *g = dew_add_scaled(*g, t->length_m * dew_inner(g_per_m, n), n);
    }
}

/// K = We^(1/2) Re^(1/4) of a drop that has just reached a solid, by its diameter and the speed at
/// which it nears the solid. Liquids without viscosity: infinite.
static void note_impact(dew_DropWork *work, dew_Vec3 velocity)
{
    const dew_SurfaceSolverParams *p = work->params;
    double d = 2 * dew_drop_radius_m(work), speed = 0;
    for (int64_t i = 0; i < work->n; i++) {
        if (!(work->label[i] & DEW_LABEL_TOUCHING))
            continue;
        dew_SolidPoint s =
            dew_problem_nearest(p->problem, &work->instant, work->x[i], work->edge_m);
        if (s.solid_id != DEW_INVALID)
            speed = fmax(speed, dew_inner(dew_sub(s.velocity_m_s, velocity), s.normal));
    }
    if (!(speed > 0) || !(p->sigma_N_m > 0))
        return;
    double we = p->rho_kg_m3 * d * speed * speed / p->sigma_N_m;
    double re = p->rho_kg_m3 * d * speed / p->mu_Pa_s;
    work->splash_number = fmax(work->splash_number, sqrt(we * sqrt(re)));
}

dew_Status dew_drop_substep(dew_DropWork *work, double dt_s, double theta, double solid_way_m)
{
    dew_drop_find_touches(work);
    dew_drop_apply_friction(work, dt_s);
    dew_stage_end(work->clock, DEW_STAGE_CONTACT);
    predict(work, theta * dt_s);
    dew_drop_measure_at(work, work->y);
    if (!(work->volume_m3 > 0))
        return dew_fail(DEW_DIVERGED, "a drop was turned inside out");
    dew_drop_find_cotangents(work);
    dew_stage_end(work->clock, DEW_STAGE_GEOMETRY);
    add_forces(work);
    if (work->values.pressure_Pa == 0)
        guess_pressure(work);
    Taken taken = free_base_of_forces(work);
    dew_drop_find_tail(work);
    double ratio = set_masses(work);
    dew_drop_add_viscosity(work);
    dew_stage_end(work->clock, DEW_STAGE_FORCES);
    dew_drop_begin_line(work);
    free_line_of_forces(work, taken);
    set_rigid_motion(work, dt_s);
    keep_kinetic_energy(work, dt_s, ratio);
    dew_stage_end(work->clock, DEW_STAGE_CONTACT);
    double viscous = theta * dt_s * dew_drop_viscosity_N_s_m(work);
    double tension = theta * theta * dt_s * dt_s * work->params->sigma_N_m;
    dew_drop_assemble(work, tension + viscous, viscous);
    dew_stage_end(work->clock, DEW_STAGE_ASSEMBLY);
    DEW_TRY(solve(work, dt_s));
    if (jumps(work, dt_s, theta))
        return dew_fail(DEW_DIVERGED, "a vertex of a drop jumps");

    dew_stage_end(work->clock, DEW_STAGE_SOLVE);
    dew_drop_release(work);
    dew_Vec3 before = work->values.velocity_m_s;
    bool was_in_air = work->touch_count == 0;
    work->values.velocity_m_s = next_velocity(work, dt_s);
    dew_Vec3 center = next_center(work, before, dt_s);
    move(work, dt_s, theta);
    dew_drop_smooth_tangentially(work, dt_s, work->values.at_rest_s > 0);
    if (work->params->correct_locally)
        dew_drop_correct_locally(work);
    dew_stage_end(work->clock, DEW_STAGE_VOLUME);
    dew_drop_collide(work, dt_s, solid_way_m);
    if (was_in_air)
        note_impact(work, before);
    dew_stage_end(work->clock, DEW_STAGE_CONTACT);
    dew_drop_correct_volume(work);
    if (was_in_air && dew_drop_is_in_air(work))
        dew_drop_shift(work, dew_sub(center, dew_drop_center(work, work->x)));
    dew_stage_end(work->clock, DEW_STAGE_VOLUME);
    return dew_ok();
}
