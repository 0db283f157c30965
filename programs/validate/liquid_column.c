// Bodies of revolution as files.
#include "validate/liquid_column.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static dew_Status save(const dew_ProfilePoint *profile, int64_t count, double edge_m,
                       const char *path)
{
    dew_Mesh *mesh;
    DEW_TRY(dew_mesh_create(NULL, &mesh));
    dew_Status status = dew_shape_revolve(profile, count, edge_m, mesh);
    if (status.code == DEW_OK)
        status = dew_mesh_save(path, NULL, mesh);
    dew_mesh_destroy(mesh);
    return status;
}

dew_Status dew_column_save(const dew_ProfilePoint *profile, int64_t count, double edge_m,
                           dew_ColumnFile *out)
{
    const char *directory = getenv("TMPDIR");
    snprintf(out->path, sizeof out->path, "%.480s/dew_column_XXXXXX.ply",
             directory ? directory : "/tmp");
    int file = mkstemps(out->path, 4);
    if (file < 0)
        return dew_fail(DEW_IO, "no file for the column can be made at %.400s", out->path);
    close(file);
    dew_Status status = save(profile, count, edge_m, out->path);
    if (status.code != DEW_OK)
        dew_column_remove(out);
    return status;
}

void dew_column_remove(const dew_ColumnFile *file)
{
    remove(file->path);
}
