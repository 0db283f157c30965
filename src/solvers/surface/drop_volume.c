// Volume: the local correction of [Zhang2011] eqs. (9)-(11), and the global one after it.
//
// The implicit step keeps the volume to first order already (its pressure is a multiplier); what is
// left is of second order, or comes from solids and remeshing. The global correction moves the free
// vertices along their normals by the same distance, a few times, until the volume is right to
// rounding.
//
// differs: the mean of eq. (10) is taken twice. Taken once it has the wrong sign on a field that
// alternates from vertex to vertex, which the correction then makes larger in each step.
#include "base/status.h"
#include "geom/rounding.h"
#include "solvers/surface/drop_work.h"

#define MAX_PASSES 6
#define MAX_ERROR  1e-8  // relative, after a step

/// Gradient of the volume at x for the free vertices, in `image`; returns the sum of its lengths.
static double free_gradient(dew_DropWork *work)
{
    dew_Vec3 *g = work->image;
    for (int64_t i = 0; i < work->n; i++)
        g[i] = dew_vec(0, 0, 0);
    for (int64_t k = 0; k < work->triangle_count; k++) {
        const uint32_t *v = work->triangle[k].v;
        dew_Vec3 six =
            dew_cross(dew_sub(work->x[v[1]], work->x[v[0]]), dew_sub(work->x[v[2]], work->x[v[0]]));
        for (int c = 0; c < 3; c++)
            g[v[c]] = dew_add_scaled(g[v[c]], 1.0 / 6, six);
    }
    double sum = 0;
    for (int64_t i = 0; i < work->n; i++) {
        if (work->label[i] & (DEW_LABEL_TOUCHING | DEW_LABEL_NOZZLE))
            g[i] = dew_vec(0, 0, 0);
        sum += dew_length(g[i]);
    }
    return sum;
}

void dew_drop_correct_volume(dew_DropWork *work)
{
    double wanted = work->values.volume_m3;
    for (int pass = 0; pass < MAX_PASSES; pass++) {
        double missing = wanted - dew_drop_volume(work);
        if (fabs(missing) <= DEW_ROUNDING * wanted)
            return;
        double sum = free_gradient(work);
        if (!(sum > 0))
            return;
        double distance = fmin(fmax(missing / sum, -0.2 * work->edge_m), 0.2 * work->edge_m);
        for (int64_t i = 0; i < work->n; i++)
            work->x[i] = dew_add_scaled(work->x[i], distance, dew_normalize(work->image[i]));
    }
}

dew_Status dew_drop_check(const dew_DropWork *work)
{
    double error = fabs(dew_drop_volume(work) / work->values.volume_m3 - 1), sum = 0;
    for (int64_t i = 0; i < work->n; i++)
        sum += dew_length2(work->v[i]) + dew_length2(work->x[i]);
    if (!isfinite(sum))
        return dew_fail(DEW_DIVERGED, "a drop has lost its place");
    if (!(error < MAX_ERROR))
        return dew_fail(DEW_DIVERGED, "the volume of a drop is off by %.2g", error);
    return dew_ok();
}

/// Mean of the normal speeds of a vertex and its neighbours, weighted by their areas: eq. (10).
static double local_mean(const dew_DropWork *work, const double *speed, int64_t i)
{
    double sum = work->area[i] * speed[i], area = work->area[i];
    for (int32_t e = work->row[i]; e < work->row[i + 1]; e++) {
        int32_t j = work->col[e];
        sum += work->area[j] * speed[j];
        area += work->area[j];
    }
    return area > 0 ? sum / area : 0;
}

/// The rigid motion nearest to the velocities, by area: u = velocity + spin x (x - center).
typedef struct Rigid {
    dew_Vec3 center, velocity, spin;
} Rigid;

/// x of (tr(S) 1 - S) x = b with S = {xx, xy, xz, yy, yz, zz}, the second moments; zero where S has
/// no width.
static dew_Vec3 solve_inertia(const double S[6], dew_Vec3 b)
{
    dew_Vec3 p = {S[3] + S[5], -S[1], -S[2]}, q = {-S[1], S[0] + S[5], -S[4]};
    dew_Vec3 r = {-S[2], -S[4], S[0] + S[3]};
    dew_Vec3 qr = dew_cross(q, r), rp = dew_cross(r, p), pq = dew_cross(p, q);
    double determinant = dew_inner(p, qr);
    if (!(determinant > 0))
        return dew_vec(0, 0, 0);
    return dew_scale(1 / determinant, dew_add_scaled(dew_combine(b.x, qr, b.y, rp), b.z, pq));
}

static Rigid fit_rigid(const dew_DropWork *work)
{
    Rigid rigid = {0};
    double sum = 0, S[6] = {0};
    for (int64_t i = 0; i < work->n; i++) {
        double a = work->area[i] + work->wet_area[i];
        sum += a;
        rigid.center = dew_add_scaled(rigid.center, a, work->x[i]);
        rigid.velocity = dew_add_scaled(rigid.velocity, a, work->v[i]);
    }
    rigid.center = dew_scale(1 / sum, rigid.center);
    rigid.velocity = dew_scale(1 / sum, rigid.velocity);
    dew_Vec3 angular_momentum = {0, 0, 0};
    for (int64_t i = 0; i < work->n; i++) {
        double a = work->area[i] + work->wet_area[i];
        dew_Vec3 r = dew_sub(work->x[i], rigid.center), u = dew_sub(work->v[i], rigid.velocity);
        const double products[6] = {r.x * r.x, r.x * r.y, r.x * r.z,
                                    r.y * r.y, r.y * r.z, r.z * r.z};
        angular_momentum = dew_add_scaled(angular_momentum, a, dew_cross(r, u));
        for (int c = 0; c < 6; c++)
            S[c] += a * products[c];
    }
    rigid.spin = solve_inertia(S, angular_momentum);
    return rigid;
}

void dew_drop_correct_locally(dew_DropWork *work)
{
    Rigid rigid = fit_rigid(work);
    double *speed = work->inverse, *mean = work->diagonal;  // free between two steps
    for (int64_t i = 0; i < work->n; i++) {
        dew_Vec3 turning = dew_cross(rigid.spin, dew_sub(work->x[i], rigid.center));
        dew_Vec3 u = dew_sub(work->v[i], dew_add(rigid.velocity, turning));
        speed[i] = dew_inner(u, dew_normalize(work->gradient[i]));  // eq. (9)
    }
    for (int64_t i = 0; i < work->n; i++)
        mean[i] = local_mean(work, speed, i);
    for (int64_t i = 0; i < work->n; i++) {
        if (work->label[i] & (DEW_LABEL_TOUCHING | DEW_LABEL_NOZZLE))
            continue;
        work->v[i] = dew_add_scaled(work->v[i], -local_mean(work, mean, i),  // eq. (11)
                                    dew_normalize(work->gradient[i]));
    }
}
