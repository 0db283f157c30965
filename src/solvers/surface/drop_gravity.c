// Gravity, as the gradient of the liquid's potential energy: force rho V Q' g on the vertices.
//
// differs: [Zhang2011] section 4.1 gives every vertex the acceleration g, which makes a heavy
// shell, not a heavy liquid: a resting drop would not be Young and Laplace's. This force is the
// hydrostatic pressure on the surface; its sum is rho V g, and together with the true mass of the
// rigid motion (implicit_solve.c) a free drop falls with g and does not deform.
#include "solvers/surface/drop_work.h"

void dew_drop_add_gravity(dew_DropWork *work)
{
    dew_Vec3 g = dew_scale(work->params->rho_kg_m3 * work->volume_m3, work->instant.gravity_m_s2);
    for (int64_t i = 0; i < work->n; i++) {
        const double *q = work->moment_of_x + 9 * i;
        work->force[i].x += g.x * q[0] + g.y * q[3] + g.z * q[6];
        work->force[i].y += g.x * q[1] + g.y * q[4] + g.z * q[7];
        work->force[i].z += g.x * q[2] + g.y * q[5] + g.z * q[8];
    }
}
