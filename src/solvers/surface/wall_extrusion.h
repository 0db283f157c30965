/// A drop with its wetted sides pushed into the solid: the contact line then is a line on a smooth
/// wall, which sampling does not round off, and not the edge of a wedge, which it does.
#pragma once

#include "solvers/surface/rebuild.h"

typedef struct dew_DropSkirt {
    dew_Mesh mesh;     // closed; the drop's vertices, then one below each that touches
    dew_Array above;   // of uint32_t, per vertex of the mesh: the drop's vertex it stands for
    dew_Array is_wet;  // of uint8_t, per triangle: bottom or wall
    dew_Array below;   // scratch, of uint32_t, per vertex of the drop: its copy in the solid
    dew_Array edges;   // scratch, of the wetted triangles' edges
} dew_DropSkirt;

void dew_drop_skirt_init(dew_DropSkirt *skirt, const dew_Allocator *allocator);
void dew_drop_skirt_deinit(dew_DropSkirt *skirt);

/// Pushes wetted sides depth_m into the solids; a drop that touches nothing, or no solids: the mesh
/// as it is, with wetted triangles noted.
dew_Status dew_drop_skirt_make(dew_DropSkirt *skirt, const dew_RemeshDrop *drop,
                               const dew_DropSolids *solids, double depth_m);
