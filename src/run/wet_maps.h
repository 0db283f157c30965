/// Wet maps of a run (output.wetmap): the meshes of the solids with a wetness per vertex, a file
/// per solid and frame.
#pragma once

#include "dew/render.h"
#include "geom/mesh.h"
#include "run/frame.h"
#include "world/world_state.h"

typedef struct dew_WetMaps {
    dew_Array meshes;  // dew_Mesh, one per solid, at rest; empty: no maps are wanted
    dew_Array views;   // dew_WetMesh: the same, for the renderer
} dew_WetMaps;

void dew_wet_maps_init(dew_WetMaps *maps, const dew_Allocator *allocator);
void dew_wet_maps_deinit(dew_WetMaps *maps);

/// Makes the meshes, when the scene wants wet maps. Edges are a cell long, longer on solids so
/// large that they would take more than some hundred thousand triangles. Fails when the solver
/// keeps no history.
dew_Status dew_wet_maps_begin(dew_WetMaps *maps, const dew_World *world);
/// Sets the wetness to that of the present instant.
dew_Status dew_wet_maps_update(dew_WetMaps *maps, dew_World *world);
/// Writes frames/solid.NAME.NNNN.ply for each solid; as with surfaces, a file that is there stays.
dew_Status dew_wet_maps_save(const dew_WetMaps *maps, const dew_World *world,
                             const dew_RunDirectory *directory, int64_t frame, dew_FrameFile *file);
/// One per solid, or NULL when there are no maps.
const dew_WetMesh *dew_wet_maps_views(const dew_WetMaps *maps);
