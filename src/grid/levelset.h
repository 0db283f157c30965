/// Level sets on bricks: the liquid is where phi < 0, and near the surface phi is the signed
/// distance.
///
/// phi is a field of doubles at cell centres, in metres. It means something in the band |phi| <
/// band_m only; farther away it is +-band_m with the right sign, and beyond the bricks its sign is
/// that of the nearest cell that is there. Bands are a few cells wide, at most DEW_BAND_CELLS.
///
/// Everything is computed brick by brick, bit-identical on any number of workers. What a call
/// needs comes from the scratch arena, which is given back as it was. See
/// docs/theory/level_sets.md.
#pragma once

#include "dew/grid.h"
#include "geom/mesh_distance.h"
#include "grid/brick.h"

#define DEW_BAND_CELLS 5
/// Slope of phi, or relative size, that is zero but for rounding.
#define DEW_LEVELSET_ROUNDING 1e-6

// ---- Making -------------------------------------------------------------------------------------

/// Signed distance at a point, where the surface is known to be no farther than reach_m (INFINITY:
/// not known), so that a search need not go on beyond; called from several threads at once.
typedef double dew_DistanceFn(void *context, dew_Vec3 p, double reach_m);

/// Activates the bricks that hold cells with |distance| < band_m (with and_inside those inside
/// too), adding to those there are, and puts min(phi, distance), bounded by +-band_m, into field
/// `phi`: liquid is added. The distance must not change faster than position; boxes are skipped by
/// it.
dew_Status dew_levelset_add(dew_Grid *grid, int phi, dew_DistanceFn *distance, void *context,
                            double band_m, bool and_inside, dew_Arena *scratch);
/// Same for a closed mesh.
dew_Status dew_levelset_add_mesh(dew_Grid *grid, int phi, const dew_MeshDistance *mesh,
                                 double band_m, bool and_inside, dew_Arena *scratch);

/// Lets bricks come and go with the band of field `phi`, width_m on either side, and continues phi
/// into new bricks, within +-far_m. width_m is a cell less than far_m, the band of redistancing. To
/// be called before the surface has moved by width_m less two cells, which the stencils need.
dew_Status dew_levelset_update_bricks(dew_Grid *grid, int phi, double width_m, double far_m,
                                      bool and_inside, dew_Arena *scratch);

// ---- Moving -------------------------------------------------------------------------------------

/// phi_t + u . grad phi = 0 over dt_s by WENO5 [JiangPeng2000] and TVD-RK3 [ShuOsher1988], where
/// |phi| < band_m. u: velocity on the lower faces. Stable for dt_s (|u| + |v| + |w|) < cell.
dew_Status dew_levelset_advect_weno(dew_Grid *grid, double *phi, const double *const u[3],
                                    double dt_s, double band_m, dew_Arena *scratch);
/// Same along characteristics (RK3 backwards, tricubic): any dt_s, displacements of up to
/// DEW_BAND_CELLS cells.
dew_Status dew_levelset_advect_trace(dew_Grid *grid, double *phi, const double *const u[3],
                                     double dt_s, double band_m, dew_Arena *scratch);

// ---- Distance -----------------------------------------------------------------------------------

/// Makes phi the distance again where that is less than band_m; elsewhere +-band_m. No sign
/// changes. `report` may be NULL.
dew_Status dew_levelset_redistance(dew_Grid *grid, double *phi, dew_RedistanceMethod method,
                                   double band_m, dew_Arena *scratch, dew_Redistanced *report);

// ---- Geometry of the surface --------------------------------------------------------------------

/// Sum of the principal curvatures, [Wang2005] eq. (9), where |phi| < band_m, else 0: 2/R inside a
/// ball's surface. Bounded by one per cell and tangential dimension: less cannot be resolved.
dew_Status dew_levelset_curvature(dew_Grid *grid, const double *phi, double band_m, double *kappa);
/// Unit normals (central differences), out of the liquid, where |phi| < band_m, else 0.
dew_Status dew_levelset_normals(dew_Grid *grid, const double *phi, double band_m,
                                double *const normal[3]);

/// Volume fraction of the liquid in each cell and the area of surface in it (m^2; m in 2-D), from
/// the plane that fits phi there, with the mean bulge of the surface. Either may be NULL.
dew_Status dew_levelset_cut(dew_Grid *grid, const double *phi, double *fraction, double *area);

/// Volume and area within the domain; exactly rounded sums over cells.
dew_Status dew_levelset_measure(dew_Grid *grid, const double *phi, dew_Arena *scratch,
                                dew_LevelSetMeasure *out);
/// Integral of f over the surface (f at cells, wanted near the surface).
dew_Status dew_levelset_integrate(dew_Grid *grid, const double *phi, const double *f,
                                  dew_Arena *scratch, double *out);

// ---- Drops --------------------------------------------------------------------------------------

/// Numbers the connected pieces of liquid (through faces), in the order of their first cells. drop:
/// per cell, DEW_INVALID where phi >= 0 and no liquid is near. drops: array of dew_LevelSetDrop,
/// resized.
dew_Status dew_levelset_drops(dew_Grid *grid, const double *phi, int32_t *drop, dew_Array *drops,
                              dew_Arena *scratch);
/// Shifts phi around each drop so that its volume becomes volumes_m3[drop], by at most limit_m.
dew_Status dew_levelset_correct_volumes(dew_Grid *grid, double *phi, const int32_t *drop,
                                        const dew_Array *drops, const double *volumes_m3,
                                        double limit_m, dew_Arena *scratch);

// ---- A cube cut by a plane ----------------------------------------------------------------------

// The part of a unit cube (or square) on one side of a plane [ScardovelliZaleski2000].

/// Volume of { |y_a| < 1/2, n . y + d < 0 } and the area of the plane in the cube. n need not have
/// unit length but must not be zero; a component that is zero makes it a square's, or a line's.
/// area may be NULL.
double dew_plane_cut(const double n[3], double d, double *area);

/// The same for many planes with one normal.
typedef struct dew_CutPlane {
    double m[3], sum, length;
} dew_CutPlane;
dew_CutPlane dew_plane_make(const double n[3]);
double dew_plane_at(const dew_CutPlane *plane, double d, double *area);
