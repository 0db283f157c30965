/// Transfers of velocity between particles and the faces of a grid.
///
/// Affine [Jiang2015]: a particle carries its velocity u and, for each component a, the gradient c[a] of that
/// component around it. Both ways keep linear and angular momentum:
///
///   to the grid     m(f) = sum w(f, p),  m(f) u(f) = sum w(f, p) (u_a(p) + c_a(p) . (x(f) - x(p)))
///   to particles    u_a(p) = sum w(f, p) u(f),  c_a(p) = sum grad w(f, p) u(f)
///
/// over the faces f of axis a, w trilinear. With c = 0 this is the particle-in-cell method [Harlow1955], which
/// smooths away what turns; FLIP [Brackbill1988] gives particles the change of the grid's velocity only, which
/// keeps everything, noise too. They are here to compare.
#pragma once

#include "grid/particles.h"

/// A column of particles: velocity (m/s) and its gradient, c[a][b] = d u_a / d x_b (1/s).
typedef struct dew_Motion {
    double u[3];
    double c[3][3];
} dew_Motion;

typedef enum dew_TransferKind {
    DEW_TRANSFER_APIC,
    DEW_TRANSFER_PIC,
    DEW_TRANSFER_FLIP,
} dew_TransferKind;

/// To the faces: u, the mean of what the particles around say, and mass, the sum of their weights (each
/// particle counts 1); both 0 where there is none. Particles must be sorted. The order of sums is fixed by
/// bricks and ids.
dew_Status dew_transfer_to_grid(const dew_Particles *particles, int motion, const dew_Grid *grid,
                                double *const u[3], double *const mass[3], dew_Arena *scratch);

/// To the particles. u_old (FLIP only): the velocities on the faces as they came from the particles;
/// faces around a particle must have a meaning in both.
dew_Status dew_transfer_to_particles(dew_Particles *particles, int motion, const dew_Grid *grid,
                                     const double *const u[3], const double *const u_old[3],
                                     dew_TransferKind kind);

/// Gives particles half of what pressure does to them in a step in advance, so that it acts half before and half after
/// they move. `change`, on faces: what it did since they came there. `kick`, a column of double[3]: what each
/// got in advance before; it becomes the mean of that, carried along for dt_s, and of the change, and is added to
/// the velocity. Affine particles only. With it a velocity that turns while its particle moves keeps its
/// length to the fourth order of the angle of a step; without, pressure takes away what points outwards then, half
/// the square of that angle.
dew_Status dew_transfer_kick(dew_Particles *particles, int motion, int kick, const dew_Grid *grid,
                             const double *const change[3], double dt_s);

/// Linear and angular momentum about the origin per mass of a particle, what the gradients carry included:
/// sums in the order of the particles.
typedef struct dew_Momentum {
    dew_Vec3 linear, angular;
} dew_Momentum;
dew_Momentum dew_transfer_momentum(const dew_Particles *particles, int motion,
                                   const dew_Grid *grid);
