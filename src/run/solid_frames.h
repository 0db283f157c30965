/// Solids of a run in its directory: the mesh of each at rest, once (frames/solid.NAME.ply), where
/// it is in each frame (solids.csv), and what changes on it (wetness: frames/solid.NAME.NNNN.ply in
/// the frames in which it is another than in the frame before). For ParaView, whose lists know no
/// poses, also frames/solid.NAME[.NNNN].vtp: the whole solid in its place, in frames in which place
/// or wetness changed.
#pragma once

#include "dew/render.h"
#include "geom/mesh.h"
#include "run/directory.h"
#include "run/frame.h"
#include "run/table.h"
#include "world/world_state.h"

typedef struct dew_SolidFrames {
    dew_Array solids;    // of SolidFrame (private), one per solid; empty: nothing is written
    dew_Array views;     // dew_WetMesh: wet maps for the renderer; empty: none are kept
    dew_Array listed;    // dew_RunSolidSeries, for run.pvd
    dew_RunTable poses;  // solids.csv
    int64_t kept_bytes;  // of solids.csv, of frames that count; 0: there is none yet
    bool has_poses;      // a solid moves, or can be moved
    bool has_wetness;    // output.wetmap
    bool has_vtp;        // the run has a run.pvd
} dew_SolidFrames;

extern const char dew_solids_header[];

void dew_solid_frames_init(dew_SolidFrames *frames, const dew_Allocator *allocator);
void dew_solid_frames_deinit(dew_SolidFrames *frames);

/// Decides what is to be written: solids with the files of other kinds (has_files), wet maps when
/// the scene wants them; fails when the solver keeps no history. Wet meshes have edges a cell long,
/// longer on solids so large that they would take more than some hundred thousand triangles.
dew_Status dew_solid_frames_begin(dew_SolidFrames *frames, const dew_World *world, bool has_files,
                                  const dew_RunDirectory *directory);
/// Takes up what a run left that continues at frame number `frame_count`; writes nothing.
dew_Status dew_solid_frames_resume(dew_SolidFrames *frames, const dew_RunDirectory *directory,
                                   int64_t frame_count);
/// Creates solids.csv, or cuts it off behind the rows of frames that count.
dew_Status dew_solid_frames_open(dew_SolidFrames *frames);

/// Sets the wetness to that of the present instant.
dew_Status dew_solid_frames_update(dew_SolidFrames *frames, dew_World *world);
/// Writes what has changed since the frame before; as with surfaces, a file that is there stays.
dew_Status dew_solid_frames_save(dew_SolidFrames *frames, const dew_World *world,
                                 const dew_RunDirectory *directory, int64_t frame,
                                 dew_FrameFile *file);
/// Writes rows of solids.csv that are pending; with `sync` also to the disk.
dew_Status dew_solid_frames_flush(dew_SolidFrames *frames, bool sync);

/// Adds the solids to the files of run.pvd; valid until the next save.
void dew_solid_frames_list(const dew_SolidFrames *frames, dew_RunSeries *series);
/// Wet maps, one per solid, or NULL when there are none.
const dew_WetMesh *dew_solid_frames_wetness(const dew_SolidFrames *frames);
