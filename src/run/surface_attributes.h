/// Values of the vertices of surface frames beside normal, velocity and wet (output.attributes):
/// the drop that a vertex belongs to, the drop's age, mean curvature.
#pragma once

#include "dew/scene.h"
#include "geom/mesh.h"
#include "run/directory.h"
#include "surface/drops.h"

/// When the drops of the last frame were born. A drop that came of a merge or split is new.
typedef struct dew_DropBirths {
    dew_Array births;  // of Birth (private), by ascending id
} dew_DropBirths;

void dew_drop_births_init(dew_DropBirths *births, const dew_Allocator *allocator);
void dew_drop_births_deinit(dew_DropBirths *births);
/// Takes the drops of a new frame: those that are new are born at its time.
dew_Status dew_drop_births_update(dew_DropBirths *births, const dew_DropTracker *tracker,
                                  double time_s);
/// The births of the tracker's drops as drops.csv has them: the first row of each. For a run that
/// continues; drops without a row are born when it does.
dew_Status dew_drop_births_restore(dew_DropBirths *births, const dew_DropTracker *tracker,
                                   const char *table_path);

/// What of the scene's attributes a surface of this format gets. Drops are known where they are
/// found (has_drops).
int dew_surface_attributes(const dew_OutputDef *output, bool has_drops);

/// What to add, and where it comes from.
typedef struct dew_SurfaceValues {
    int attributes;  // dew_SurfaceAttribute, or-ed
    const dew_DropTracker *drops;
    const dew_DropBirths *births;
} dew_SurfaceValues;

/// Adds them to the mesh made of the surface, which the tracker has taken last.
dew_Status dew_surface_add_values(const dew_SurfaceValues *values, const dew_Surface *surface,
                                  dew_Mesh *mesh);
