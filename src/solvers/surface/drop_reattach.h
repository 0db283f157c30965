/// Seating a drop on the solids after its mesh was changed by force: touching vertices back on the
/// solid, contact line found anew, a few remeshing passes that clean up what is left of the change.
#pragma once

#include "geom/remesh.h"
#include "solvers/surface/rebuild.h"

/// Puts vertices labelled as touching onto the nearest solid; those with no solid within reach_m
/// are touching no more. Without solids they stay where they are.
void dew_drop_seat(const dew_RemeshDrop *drop, const dew_DropSolids *solids, double reach_m);

/// Labels the contact line anew: vertices that touch, and belong to a wetted triangle and to one
/// that is not. `marks` is scratch, of uint8_t.
dew_Status dew_drop_find_contact_line(const dew_RemeshDrop *drop, dew_Array *marks);

typedef struct dew_DropTidyDef {
    dew_RemeshDef remesh;  // project and context are filled in when there are solids
    const dew_DropSolids *solids;
    double reach_m;  // as above
} dew_DropTidyDef;

/// Seats the drop, then passes of remeshing with the contact line found anew before each and at the
/// end. `last` is the result of the last pass; pieces as it says.
dew_Status dew_drop_tidy(const dew_DropTidyDef *def, dew_Remesh *remesh, const dew_RemeshDrop *drop,
                         dew_Array *marks, dew_RemeshResult *last);

/// Cuts bubbles (pieces of negative volume, which come last) and pieces of less than min_volume_m3
/// off the drop's arrays, which the last pass over it has sorted. The largest piece always stays.
typedef struct dew_DropTrim {
    int64_t piece_count;  // that are left
    double filled_m3;     // volume of the bubbles
    double lost_m3;       // volume of the small pieces
    int64_t lost_count;
    double volume_m3;  // of what is left
} dew_DropTrim;
dew_DropTrim dew_drop_trim(const dew_RemeshDrop *drop, const dew_RemeshPiece *pieces,
                           int64_t piece_count, double min_volume_m3);
