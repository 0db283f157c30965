// Effective mass of a drop's surface, per area.
//
// The model has no interior, so the inertia of the flow inside must be given to the surface. For
// mode n of a sphere it is rho R / n; m = (3/2) rho V / A is right for n = 2. But what bulges here
// must come from there: in a long body the liquid has to flow along it, and its inertia is far
// greater (4.4 rho R at the fastest growing wave of a cylinder, of which (3/2) rho V / A is a
// sixth). So the mass of an elongated drop is taken from the motion it is in: let the volume that
// its surface gains and loses be carried by a flow along the surface in a layer of depth H = V / A,
//
//     u.n = -div(H grad psi),      m = rho <psi, u.n> / <u.n, u.n>.
//
// This is exact for n = 2 again (H = R / 3 gives 3 rho R / (n (n + 1))), and 6 % low for the
// cylinder. differs: [Zhang2011] has no masses at all.
#include "solvers/surface/drop_work.h"

#include <string.h>

#define ELONGATED      1.1  // area over that of the sphere of equal volume
#define SMOOTHINGS     6
#define MAX_ITERATIONS 60
#define TOLERANCE      0.02
#define MOST           30.0  // of (3/2) rho V / A
#define STILL          1e-3  // of the capillary speed: slower motion does not tell a mode

typedef struct Flow {
    double *b, *psi, *r, *z, *p, *q;  // n each
} Flow;

static double inner(const double *a, const double *b, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double constant_mass(const dew_DropWork *work)
{
    return 1.5 * work->params->rho_kg_m3 * work->volume_m3 / work->free_area_m2;
}

static bool is_elongated(const dew_DropWork *work)
{
    double r = dew_drop_radius_m(work);
    return work->free_area_m2 > ELONGATED * 4 * DEW_PI * r * r;
}

/// Volume per time that the surface at each vertex sweeps, the rigid motion left out. A drop
/// that hardly moves yet: what its forces are about to make it sweep. Returns false when there is
/// neither.
static bool sweep(const dew_DropWork *work, double *b)
{
    dew_Vec3 mean = dew_drop_mean_velocity(work, work->v);
    double still = STILL * dew_drop_capillary_speed_m_s(work), square = 0, force = 0;
    for (int64_t i = 0; i < work->n; i++) {
        b[i] = dew_inner(work->gradient[i], dew_sub(work->v[i], mean));
        square += work->area[i] > 0 ? b[i] * b[i] / work->area[i] : 0;
    }
    bool is_still = square < still * still * work->free_area_m2;
    for (int64_t i = 0; i < work->n && is_still; i++) {
        dew_Vec3 f = dew_add_scaled(work->force[i], work->values.pressure_Pa, work->gradient[i]);
        b[i] = dew_inner(f, dew_normalize(work->gradient[i]));
        force += fabs(b[i]);
    }
    return !is_still || force > 0;
}

/// Takes out of b what is as short as the mesh's edges: noise, that would pass for a fast mode.
static void smooth(const dew_DropWork *work, double *b, double *speed)
{
    for (int pass = 0; pass < SMOOTHINGS; pass++) {
        for (int64_t i = 0; i < work->n; i++)
            speed[i] = work->area[i] > 0 ? b[i] / work->area[i] : 0;
        for (int64_t i = 0; i < work->n; i++) {
            double sum = work->area[i] * speed[i], area = work->area[i];
            for (int32_t e = work->row[i]; e < work->row[i + 1]; e++) {
                sum += work->area[work->col[e]] * speed[work->col[e]];
                area += work->area[work->col[e]];
            }
            b[i] = area > 0 ? work->area[i] * sum / area : 0;
        }
    }
}

static void subtract_mean(const dew_DropWork *work, double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < work->n; i++)
        sum += b[i];
    for (int64_t i = 0; i < work->n; i++)
        b[i] -= sum * work->area[i] / work->free_area_m2;
}

static void apply(const dew_DropWork *work, const double *p, double *q)
{
    for (int64_t i = 0; i < work->n; i++) {
        double sum = work->diagonal[i] * p[i];
        for (int32_t e = work->row[i]; e < work->row[i + 1]; e++)
            sum += work->off[e] * p[work->col[e]];
        q[i] = sum;
    }
}

/// L psi = b by conjugate gradients; a rough answer will do.
static void find_flow(const dew_DropWork *work, Flow *f)
{
    int64_t n = work->n;
    memcpy(f->r, f->b, (size_t)n * sizeof(double));
    double rz = 0;
    for (int64_t i = 0; i < n; i++) {
        f->z[i] = work->diagonal[i] > 0 ? f->r[i] / work->diagonal[i] : 0;
        f->p[i] = f->z[i];
        f->psi[i] = 0;
        rz += f->r[i] * f->z[i];
    }
    double goal = TOLERANCE * TOLERANCE * rz;
    for (int k = 0; k < MAX_ITERATIONS && rz > goal; k++) {
        apply(work, f->p, f->q);
        double curvature = inner(f->p, f->q, n);
        if (!(curvature > 0))
            break;
        double alpha = rz / curvature, next = 0;
        for (int64_t i = 0; i < n; i++) {
            f->psi[i] += alpha * f->p[i];
            f->r[i] -= alpha * f->q[i];
            f->z[i] = work->diagonal[i] > 0 ? f->r[i] / work->diagonal[i] : 0;
            next += f->r[i] * f->z[i];
        }
        for (int64_t i = 0; i < n; i++)
            f->p[i] = f->z[i] + next / rz * f->p[i];
        rz = next;
    }
}

double dew_drop_effective_mass_kg_m2(dew_DropWork *work)
{
    double constant = constant_mass(work);
    // The vectors of the implicit step are free until it begins.
    Flow f = {(double *)work->residual, (double *)work->wide,   (double *)(work->wide + work->n),
              (double *)work->image,    (double *)work->change, work->inverse};
    if (!is_elongated(work) || !sweep(work, f.b))
        return constant;
    smooth(work, f.b, f.q);
    subtract_mean(work, f.b);
    dew_drop_assemble(work, work->volume_m3 / work->free_area_m2, 0);
    find_flow(work, &f);
    double square = 0, carried = 0;
    for (int64_t i = 0; i < work->n; i++) {
        square += work->area[i] > 0 ? f.b[i] * f.b[i] / work->area[i] : 0;
        carried += f.b[i] * f.psi[i];
    }
    if (!(carried > 0))
        return constant;
    double flow = work->params->rho_kg_m3 * carried / square;
    return fmin(fmax(flow, 0.25 * constant), MOST * constant);
}
