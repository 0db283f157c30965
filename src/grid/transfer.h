/// Transfers of velocity between particles and the faces of a grid.
///
/// Affine [Jiang2015]: a particle carries its velocity u and, for each component a, the gradient
/// c[a] of that component around it. Both ways keep linear and angular momentum:
///
///   to the grid     m(f) = sum w(f, p),  m(f) u(f) = sum w(f, p) (u_a(p) + c_a(p) . (x(f) - x(p)))
///   to particles    u_a(p) = sum w(f, p) u(f),  c_a(p) = sum grad w(f, p) u(f)
///
/// over the faces f of axis a, w trilinear. With c = 0 this is the particle-in-cell method
/// [Harlow1955], which damps rotation; FLIP [Brackbill1988] gives particles the change of
/// the grid's velocity only, which conserves everything, noise included. Both are for comparison.
#pragma once

#include "grid/particles.h"

/// A particle's velocity (m/s).
typedef struct dew_Motion {
    double u[3];
} dew_Motion;
/// Its gradient, c[a][b] = d u_a / d x_b (1/s). Single precision: what it gives to faces adds up to
/// nothing but for the rounding of places, so linear momentum does not see it, and angular momentum
/// to 1e-7 of the part that is within cells.
typedef struct dew_Shear {
    float c[3][3];
} dew_Shear;

/// Adds both as columns, while there are no particles. Returns the number of the velocity's, which
/// is what `motion` is below; the gradient's is the next.
int dew_transfer_add_columns(dew_Particles *particles);
static inline dew_Motion *dew_transfer_motion(const dew_Particles *particles, int motion)
{
    return (dew_Motion *)dew_particles_column(particles, motion);
}
static inline dew_Shear *dew_transfer_shear(const dew_Particles *particles, int motion)
{
    return (dew_Shear *)dew_particles_column(particles, motion + 1);
}

typedef enum dew_TransferKind {
    DEW_TRANSFER_APIC,
    DEW_TRANSFER_PIC,
    DEW_TRANSFER_FLIP,
} dew_TransferKind;

/// To the faces: u, the mean of what the particles around say, and mass, the sum of their weights
/// (each particle counts 1); both 0 where there is none. Particles must be sorted. The order of
/// sums is fixed by bricks and ids.
dew_Status dew_transfer_to_grid(const dew_Particles *particles, int motion, const dew_Grid *grid,
                                double *const u[3], double *const mass[3], dew_Arena *scratch);

/// What particles get from the faces, and how they move. Faces around a particle must have a
/// meaning in all fields.
typedef struct dew_TransferMove {
    dew_TransferKind kind;
    const double *const *u;  // velocities
    // APIC: how pressure and what it holds changed the velocities in this step; NULL: not at all.
    // FLIP: the velocities as they came from the particles.
    const double *const *beside;
    double dt_s;  // 0: they stay where they are
} dew_TransferMove;

/// To the particles, which then move through u by the third-order Runge-Kutta scheme of
/// [ShuOsher1988], trilinear in space, constant in time; they are no longer sorted then.
///
/// A velocity that is carried along while its particle turns by an angle t points outwards by t
/// then; pressure takes that part away, and with it half the square of t. So pressure should act
/// half before and half after the move. What half of it changes by on the way is added here, dt / 2
/// (grad u)^T times its change: it leaves a loss of t^4 / 24, and small waves as they are.
dew_Status dew_transfer_move(dew_Particles *particles, int motion, const dew_Grid *grid,
                             const dew_TransferMove *by);

/// The angular momentum that a particle's gradients carry; inertia: how much of it a spin of 1/s
/// about each axis adds.
dew_Vec3 dew_transfer_spin(const dew_Shear *shear, const dew_Grid *grid, dew_Vec3 p,
                           dew_Vec3 *inertia);
/// Linear and angular momentum about the origin per mass of a particle, what the gradients carry
/// included: sums in the order of the particles.
typedef struct dew_Momentum {
    dew_Vec3 linear, angular;
} dew_Momentum;
dew_Momentum dew_transfer_momentum(const dew_Particles *particles, int motion,
                                   const dew_Grid *grid);
