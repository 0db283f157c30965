// Reads frame files as meshes.
#include "export/frame_mesh.h"

#include "base/file.h"
#include "base/status.h"
#include "run/frame.h"

#include <limits.h>
#include <stdio.h>

dew_Status dew_frame_mesh_load(const char *directory, dew_SurfaceFormat format, int64_t frame,
                               dew_Mesh *out)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.4000s/frames/surface.%04lld.%s", directory, (long long)frame,
             dew_frame_extension(format));
    return dew_mesh_load(path, NULL, out);
}

dew_Status dew_frame_particles_load(const char *directory, dew_ParticleFormat format, int64_t frame,
                                    dew_Mesh *out)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.4000s/frames/particles.%04lld.%s", directory, (long long)frame,
             format == DEW_PARTICLES_VTP ? "vtp" : "ply");
    dew_mesh_clear(out);
    return dew_file_exists(path) ? dew_mesh_load(path, NULL, out) : dew_ok();
}
