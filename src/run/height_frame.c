// A height field as a table.
#include "run/height_frame.h"

#include "base/file.h"

static void write_column(dew_FileWriter *writer, const dew_HeightView *view, int i, int row)
{
    int64_t n = (int64_t)row * view->stride + i;
    const double numbers[] = {view->min_x_m + (i + 0.5) * view->dx_m,
                              view->min_z_m + (row + 0.5) * view->dz_m,
                              view->ground_m[n],
                              view->depth_m[n],
                              0.5 * (view->u_m_s[n] + view->u_m_s[n + 1]),
                              0.5 * (view->w_m_s[n] + view->w_m_s[n + view->stride]),
                              view->distance_m[n]};
    int count = (int)(sizeof numbers / sizeof numbers[0]);
    for (int k = 0; k < count; k++) {
        dew_file_number(writer, numbers[k]);
        dew_file_text(writer, k + 1 < count ? "," : "\n");
    }
}

dew_Status dew_height_frame_save(const dew_RunDirectory *directory, const dew_World *world,
                                 int64_t frame)
{
    dew_RunPath path = dew_run_frame_path(directory, "height", frame, "csv");
    if (!world->ops->heights || dew_file_exists(path.text))
        return dew_ok();
    dew_HeightView view = world->ops->heights(world->state);
    dew_FileWriter writer;
    DEW_TRY(dew_file_begin(&writer, path.text, &world->def.allocator));
    dew_file_text(&writer, "x,z,ground,depth,velocity_x,velocity_z,distance\n");
    for (int row = 0; row < view.rows; row++)
        for (int i = 0; i < view.columns; i++)
            write_column(&writer, &view, i, row);
    return dew_file_commit(&writer);
}
