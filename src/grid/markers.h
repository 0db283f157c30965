/// Marker particles that keep a level set from losing volume [Enright2002].
///
/// Markers on both sides of the surface move with the flow. One that is found on the wrong side by more than
/// its radius has escaped: the level set lost what it marks, and its sphere is put back. The number per cell
/// follows the speed, up to a maximum, for only fast surfaces lose volume ([Wang2005] section 8).
/// Between two corrections the surface must not move by more than a few cells.
#pragma once

#include "grid/levelset.h"
#include "grid/particles.h"

typedef struct dew_MarkersDef {
    int max_per_cell;   // at full speed and beyond
    int min_per_cell;   // at rest
    double full_speed;  // m/s; 0: max_per_cell everywhere
    double band_cells;  // markers live where |phi| is less
    double min_radius_cells, max_radius_cells;
    uint64_t seed;
    dew_Allocator allocator;
} dew_MarkersDef;

/// 32 per cell in a band of 2 cells, radii 0.1 to 0.5 cells; fewer below a speed only when asked.
dew_MarkersDef dew_default_markers_def(void);

typedef struct dew_Markers {
    dew_MarkersDef def;
    dew_Particles particles;
    int radius;        // column of double, in metres: positive for markers of the outside
    uint64_t next_id;  // to be saved along
} dew_Markers;

void dew_markers_init(dew_Markers *markers, const dew_MarkersDef *def);
void dew_markers_deinit(dew_Markers *markers);

/// Brings the number of markers in each cell of the band to what it should be: new ones are strewn (keyed
/// by seed, cell and step), superfluous ones go, those far from the surface go. Escaped ones stay, and their
/// cells get no new ones, so that seeding undoes no correction to come. u: on faces; may be NULL when full_speed is 0. Markers must be sorted; they are so afterwards.
dew_Status dew_markers_seed(dew_Markers *markers, dew_Grid *grid, const double *phi,
                            const double *const u[3], uint64_t step, dew_Arena *scratch);

/// Moves the markers and sorts them.
dew_Status dew_markers_advect(dew_Markers *markers, dew_Grid *grid, const double *const u[3],
                              double dt_s, dew_Arena *scratch);

/// Puts the spheres of escaped markers back into phi. *escaped_count may be NULL.
dew_Status dew_markers_correct(dew_Markers *markers, dew_Grid *grid, double *phi,
                               dew_Arena *scratch, int64_t *escaped_count);

/// Lets the escaped ones go, after phi was changed by something that is not the flow: their word is void. They
/// must be sorted; they are so afterwards.
dew_Status dew_markers_forget(dew_Markers *markers, dew_Grid *grid, const double *phi,
                              dew_Arena *scratch);

/// Radii that touch the surface again, after phi was redistanced.
dew_Status dew_markers_adjust(dew_Markers *markers, dew_Grid *grid, const double *phi);
