/// Meshes of a run's frames with all attributes that their files have.
#pragma once

#include "dew/scene.h"
#include "geom/mesh.h"

/// Reads frames/surface.NNNN.EXTENSION; empty when there is no liquid. Each vertex of the file is
/// one of the mesh.
dew_Status dew_frame_mesh_load(const char *directory, dew_SurfaceFormat format, int64_t frame,
                               dew_Mesh *out);
/// Reads frames/particles.NNNN.EXTENSION: points without triangles; empty when there is no such
/// file.
dew_Status dew_frame_particles_load(const char *directory, dew_ParticleFormat format, int64_t frame,
                                    dew_Mesh *out);
