// A height field as a table, an image or an array.
#include "run/height_frame.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/number.h"
#include "base/status.h"
#include "io/sink.h"
#include "io/vti.h"

#include <stdio.h>
#include <string.h>

enum { GROUND, DEPTH, VELOCITY_X, VELOCITY_Z, DISTANCE, VALUES };

static const char header[] = "x,z,ground,depth,velocity_x,velocity_z,distance\n";

typedef struct Heights {
    dew_HeightView view;
    double time_s;
} Heights;

static double x_m(const dew_HeightView *view, int i)
{
    return view->min_x_m + (i + 0.5) * view->dx_m;
}

static double z_m(const dew_HeightView *view, int row)
{
    return view->min_z_m + (row + 0.5) * view->dz_m;
}

static void read_column(const dew_HeightView *view, int i, int row, float out[VALUES])
{
    int64_t n = (int64_t)row * view->stride + i;
    out[GROUND] = (float)view->ground_m[n];
    out[DEPTH] = (float)view->depth_m[n];
    out[VELOCITY_X] = (float)(0.5 * (view->u_m_s[n] + view->u_m_s[n + 1]));
    out[VELOCITY_Z] = (float)(0.5 * (view->w_m_s[n] + view->w_m_s[n + view->stride]));
    out[DISTANCE] = (float)view->distance_m[n];
}

// ---- CSV ---------------------------------------------------------------------------------------

typedef struct Text {
    char text[DEW_NUMBER_SIZE];
    size_t length;  // with the comma
} Text;

static Text coordinate(double x)
{
    Text text;
    text.length = dew_number_format_single((float)x, text.text);
    text.text[text.length++] = ',';
    return text;
}

// The coordinates' texts are made once per column and row of the grid.
static dew_Status write_csv(const Heights *h, dew_Arena *arena, dew_Sink *sink)
{
    const dew_HeightView *view = &h->view;
    Text *x = dew_arena_array(arena, Text, view->columns);
    if (!x)
        return dew_no_memory((size_t)view->columns * sizeof *x);
    for (int i = 0; i < view->columns; i++)
        x[i] = coordinate(x_m(view, i));
    dew_sink_text(sink, header);
    for (int row = 0; row < view->rows; row++) {
        Text z = coordinate(z_m(view, row));
        for (int i = 0; i < view->columns; i++) {
            char line[(2 + VALUES) * DEW_NUMBER_SIZE];
            float value[VALUES];
            read_column(view, i, row, value);
            memcpy(line, x[i].text, x[i].length);
            memcpy(line + x[i].length, z.text, z.length);
            size_t length = x[i].length + z.length;
            for (int k = 0; k < VALUES; k++) {
                length += dew_number_format_single(value[k], line + length);
                line[length++] = k + 1 < VALUES ? ',' : '\n';
            }
            dew_sink_write(sink, line, length);
        }
    }
    return dew_ok();
}

// ---- VTI ---------------------------------------------------------------------------------------

static const dew_VtiArray vti_arrays[] = {
    {"ground", 1}, {"depth", 1}, {"velocity", 3}, {"distance", 1}};

static void fill_row(const void *context, int array, int64_t j, int64_t k, float *values)
{
    static const int value_of[] = {GROUND, DEPTH, VELOCITY_X, DISTANCE};
    const Heights *h = context;
    (void)j;
    for (int i = 0; i < h->view.columns; i++) {
        float value[VALUES];
        read_column(&h->view, i, (int)k, value);
        if (vti_arrays[array].component_count == 1) {
            values[i] = value[value_of[array]];
            continue;
        }
        values[3 * i] = value[VELOCITY_X];
        values[3 * i + 1] = 0;
        values[3 * i + 2] = value[VELOCITY_Z];
    }
}

static dew_Status write_vti(const Heights *h, const dew_Allocator *allocator, dew_Sink *sink)
{
    const dew_HeightView *view = &h->view;
    dew_VtiImage image = {.counts = {view->columns, 1, view->rows},
                          .origin_m = dew_vec(x_m(view, 0), 0, z_m(view, 0)),
                          .spacing_m = dew_vec(view->dx_m, view->dx_m, view->dz_m),
                          .time_s = h->time_s,
                          .arrays = vti_arrays,
                          .array_count = sizeof vti_arrays / sizeof vti_arrays[0],
                          .row = fill_row,
                          .context = h};
    return dew_vti_write(&image, sink, allocator);
}

// ---- NPY ---------------------------------------------------------------------------------------

// NumPy's format 1.0: magic, version, length of a header that is a Python dictionary padded to a
// multiple of 64 bytes, then the numbers.
static dew_Status write_npy(const Heights *h, dew_Sink *sink)
{
    char words[64 * 3];
    const dew_HeightView *view = &h->view;
    static const uint8_t magic[8] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    int used = snprintf(words, sizeof words,
                        "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d, %d), }",
                        view->rows, view->columns, 2 + VALUES);
    int padded = (used + 1 + 10 + 63) / 64 * 64 - 10;  // with its end of line
    memset(words + used, ' ', (size_t)(padded - used));
    words[padded - 1] = '\n';
    uint8_t length[2] = {(uint8_t)padded, (uint8_t)(padded >> 8)};
    dew_sink_write(sink, magic, sizeof magic);
    dew_sink_write(sink, length, sizeof length);
    dew_sink_write(sink, words, (size_t)padded);
    for (int row = 0; row < view->rows; row++)
        for (int i = 0; i < view->columns; i++) {
            float value[2 + VALUES] = {(float)x_m(view, i), (float)z_m(view, row)};
            read_column(view, i, row, value + 2);
            dew_sink_write(sink, value, sizeof value);
        }
    return dew_ok();
}

// ---- either ------------------------------------------------------------------------------------

dew_HeightFormat dew_height_format(const dew_OutputDef *output)
{
    if (output->height != DEW_HEIGHT_AUTO)
        return output->height;
    return output->surface == DEW_SURFACE_NONE ? DEW_HEIGHT_NONE : DEW_HEIGHT_CSV;
}

dew_Status dew_height_frame_save(const dew_RunDirectory *directory, const dew_World *world,
                                 int64_t frame)
{
    static const char *const extensions[] = {
        [DEW_HEIGHT_CSV] = "csv", [DEW_HEIGHT_VTI] = "vti", [DEW_HEIGHT_NPY] = "npy"};
    dew_HeightFormat format = dew_height_format(&dew_scene_def(world->scene)->output);
    if (!world->ops->heights || format == DEW_HEIGHT_NONE)
        return dew_ok();
    dew_RunPath path = dew_run_frame_path(directory, "height", frame, extensions[format]);
    if (dew_file_exists(path.text))
        return dew_ok();
    Heights heights = {world->ops->heights(world->state), dew_world_time_s(world)};
    dew_Sink sink;
    dew_Arena arena;
    DEW_TRY(dew_sink_begin_file(&sink, path.text, &world->def.allocator));
    dew_arena_init(&arena, &world->def.allocator);
    dew_Status status = format == DEW_HEIGHT_CSV ? write_csv(&heights, &arena, &sink)
                        : format == DEW_HEIGHT_VTI
                            ? write_vti(&heights, &world->def.allocator, &sink)
                            : write_npy(&heights, &sink);
    dew_arena_deinit(&arena);
    return dew_sink_end(&sink, status);
}
