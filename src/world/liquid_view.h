/// What a world derives from its present state when a caller asks: surface, drops with their events
/// and contact lines, search tree. Each is made at most once per state.
#pragma once

#include "dew/drops.h"
#include "geom/mesh_distance.h"
#include "surface/drops.h"
#include "world/sections.h"

typedef struct dew_LiquidView {
    uint64_t surface_of, drops_of, tree_of, fraction_of;  // state each was made from; 0: none
    dew_Surface *surface;
    dew_DropTracker tracker;
    bool has_drops;   // the tracker has seen a state
    dew_Array drops;  // dew_Drop
    dew_Array events;
    dew_Array lines;         // dew_ContactPolyline
    dew_Array points;        // dew_Vec3 of all lines
    dew_Array loops;         // dew_ContactLoop
    dew_Mesh mesh;           // shares the surface's memory
    dew_MeshDistance *tree;  // NULL: no liquid
    dew_Array fraction;      // double: volume fraction of each cell
    dew_Arena scratch;
} dew_LiquidView;

void dew_liquid_view_init(dew_LiquidView *view, const dew_Allocator *allocator);
void dew_liquid_view_deinit(dew_LiquidView *view);

/// Each brings what it names up to date with the world's state.
dew_Status dew_world_update_surface(dew_World *world);
dew_Status dew_world_update_drops(dew_World *world);
dew_Status dew_world_update_tree(dew_World *world);

/// A tracker as four sections "PREFIX.next_id" and so on, and back into a new tracker, checked.
void dew_drops_write(const dew_DropTracker *tracker, const char *prefix, dew_SectionWriter *writer);
dew_Status dew_drops_read(dew_DropTracker *tracker, const char *prefix,
                          const dew_SectionReader *reader);
