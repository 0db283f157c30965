// A height field as a table, an image or an array.
#include "run/height_frame.h"

#include "base/arena.h"
#include "base/number.h"
#include "base/status.h"
#include "io/sink.h"
#include "io/vti.h"

#include <math.h>
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

// A number as it stands in a row.
typedef struct Cell {
    char text[DEW_NUMBER_SIZE];
    size_t length;  // with the comma or the end of the line
    float value;
} Cell;

static void set_cell(Cell *cell, float value, char end)
{
    cell->value = value;
    cell->length = dew_number_format_single(value, cell->text);
    cell->text[cell->length++] = end;
}

// Copies of one size need no call; what is behind them is overwritten.
static char *put_cell(char *out, const Cell *cell)
{
    memcpy(out, cell->text, sizeof cell->text);
    return out + cell->length;
}

// Zeroes have signs.
static bool is_same(float a, float b)
{
    return a == b && signbit(a) == signbit(b);
}

enum { ROW_BYTES = (2 + VALUES) * DEW_NUMBER_SIZE };

// The coordinates' texts are made once per column and row of the grid, those of values that are
// the same as in the row before (dry ground, the end of the distance's range) once.
static dew_Status write_csv(const Heights *h, dew_Arena *arena, dew_Sink *sink)
{
    const dew_HeightView *view = &h->view;
    Cell *x = dew_arena_array(arena, Cell, view->columns), z, last[VALUES];
    char *rows = dew_arena_array(arena, char, (int64_t)view->columns *ROW_BYTES);
    if (!x || !rows)
        return dew_no_memory((size_t)view->columns * (ROW_BYTES + sizeof *x));
    for (int i = 0; i < view->columns; i++)
        set_cell(&x[i], (float)x_m(view, i), ',');
    for (int k = 0; k < VALUES; k++)
        set_cell(&last[k], 0, k + 1 < VALUES ? ',' : '\n');
    dew_sink_text(sink, header);
    for (int row = 0; row < view->rows; row++) {
        char *end = rows;
        set_cell(&z, (float)z_m(view, row), ',');
        for (int i = 0; i < view->columns; i++) {
            float value[VALUES];
            read_column(view, i, row, value);
            end = put_cell(put_cell(end, &x[i]), &z);
            for (int k = 0; k < VALUES; k++) {
                if (!is_same(value[k], last[k].value))
                    set_cell(&last[k], value[k], k + 1 < VALUES ? ',' : '\n');
                end = put_cell(end, &last[k]);
            }
        }
        dew_sink_write(sink, rows, (size_t)(end - rows));
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
                                 int64_t frame, dew_FrameFile *file)
{
    static const char *const extensions[] = {
        [DEW_HEIGHT_CSV] = "csv", [DEW_HEIGHT_VTI] = "vti", [DEW_HEIGHT_NPY] = "npy"};
    dew_HeightFormat format = dew_height_format(&dew_scene_def(world->scene)->output);
    if (!world->ops->heights || format == DEW_HEIGHT_NONE)
        return dew_ok();
    dew_RunPath path = dew_run_frame_path(directory, "height", frame, extensions[format]);
    Heights heights = {world->ops->heights(world->state), dew_world_time_s(world)};
    dew_Arena arena;
    dew_Sink sink = dew_frame_file_begin(file);
    dew_arena_init(&arena, &world->def.allocator);
    dew_Status status = format == DEW_HEIGHT_CSV ? write_csv(&heights, &arena, &sink)
                        : format == DEW_HEIGHT_VTI
                            ? write_vti(&heights, &world->def.allocator, &sink)
                            : write_npy(&heights, &sink);
    dew_arena_deinit(&arena);
    return dew_frame_file_end(file, &sink, status, path);
}
