// Reads a run directory: run.json, tables, frames. Files are complete or absent, so no lock is
// needed.
#include "base/cookie.h"
#include "base/file.h"
#include "base/status.h"
#include "dew/run.h"
#include "problem/problem.h"
#include "run/frame_read.h"
#include "run/run_info.h"
#include "run/run_json.h"
#include "run/stats_table.h"
#include "world/frames.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Table {
    bool is_loaded;
    dew_StatsTable rows;
    double *columns;  // column by column
} Table;

struct dew_RunReader {
    dew_RunReaderDef def;
    dew_RunDirectory directory;  // its path; not locked
    dew_Arena arena;             // of the tables; rewound by refresh
    const dew_Scene *scene;
    dew_Scene *own_scene;  // NULL: the caller's is used
    dew_RunSummary summary;
    dew_Array frames;  // int64_t: numbers, ascending
    Table tables[DEW_RUN_TABLE_COUNT];
};

dew_RunReaderDef dew_default_run_reader_def(void)
{
    return (dew_RunReaderDef){.cookie = DEW_COOKIE};
}

// ---- run.json ----------------------------------------------------------------------------------

static dew_RunState state_of(const char *word)
{
    static const char *const words[] = {[DEW_RUN_RUNNING] = "running",
                                        [DEW_RUN_DONE] = "done",
                                        [DEW_RUN_FAILED] = "failed",
                                        [DEW_RUN_INTERRUPTED] = "interrupted"};
    for (int i = DEW_RUN_RUNNING; i <= DEW_RUN_INTERRUPTED; i++)
        if (strcmp(word, words[i]) == 0)
            return (dew_RunState)i;
    return DEW_RUN_UNKNOWN;
}

static double number_of(const dew_RunInfo *info, const char *name)
{
    double x = dew_run_info_number(info, name);
    return isfinite(x) ? x : 0;
}

static int64_t integer_of(const dew_RunInfo *info, const char *name)
{
    double x = number_of(info, name);
    return fabs(x) < (double)INT64_MAX ? (int64_t)x : 0;
}

static void fill_summary(const dew_RunInfo *info, dew_RunSummary *out)
{
    out->state = state_of(dew_run_info_text(info, "status"));
    snprintf(out->version, sizeof out->version, "%s", dew_run_info_text(info, "version"));
    snprintf(out->solver, sizeof out->solver, "%s", dew_run_info_text(info, "solver"));
    snprintf(out->message, sizeof out->message, "%s", dew_run_info_text(info, "message"));
    out->threads = (int)(integer_of(info, "threads") & 0x7fffffff);
    out->steps = integer_of(info, "steps");
    out->frames = integer_of(info, "frames");
    out->retries = integer_of(info, "retries");
    out->time_s = number_of(info, "time_s");
    out->wall_s = number_of(info, "wall_s");
    out->cpu_s = number_of(info, "cpu_s");
    out->peak_bytes = integer_of(info, "peak_bytes");
    out->scene_hash = strtoull(dew_run_info_text(info, "scene_hash"), NULL, 16);
    out->state_hash = strtoull(dew_run_info_text(info, "state_hash"), NULL, 16);
}

dew_Status dew_run_reader_refresh(dew_RunReader *reader)
{
    dew_arena_clear(&reader->arena);
    memset(reader->tables, 0, sizeof reader->tables);
    reader->summary = (dew_RunSummary){0};
    dew_RunPath path = dew_run_path(&reader->directory, "run.json");
    if (dew_file_exists(path.text)) {
        dew_RunInfo info;
        DEW_TRY(dew_run_info_load(path.text, &reader->arena, &info));
        fill_summary(&info, &reader->summary);
    }
    dew_SurfaceFormat format = dew_scene_def(reader->scene)->output.surface;
    return dew_frames_find(reader->directory.path, format, &reader->frames);
}

// ---- the noun ----------------------------------------------------------------------------------

static dew_Status open_reader(dew_RunReader *reader)
{
    DEW_TRY(dew_run_directory_check(reader->def.directory));
    if (strlen(reader->def.directory) >= sizeof reader->directory.path)
        return dew_fail(DEW_BAD_INPUT, "the run directory's name is too long");
    snprintf(reader->directory.path, sizeof reader->directory.path, "%s", reader->def.directory);
    reader->scene = reader->def.scene;
    if (reader->scene)
        return dew_run_reader_refresh(reader);
    dew_RunPath path = dew_run_path(&reader->directory, "scene.yaml");
    if (!dew_file_exists(path.text))
        return dew_fail(DEW_BAD_INPUT, "%s: not a run directory (it has no scene.yaml)",
                        reader->def.directory);
    dew_SceneLoadDef load = dew_default_scene_load_def();
    load.path = path.text;
    load.log = reader->def.log;
    load.allocator = reader->def.allocator;
    DEW_TRY(dew_scene_load_with(&load, &reader->own_scene));
    reader->scene = reader->own_scene;
    return dew_run_reader_refresh(reader);
}

dew_Status dew_run_reader_create(const dew_RunReaderDef *def, dew_RunReader **out)
{
    *out = NULL;
    DEW_ASSERT(def->cookie == DEW_COOKIE && def->directory);
    dew_RunReader *reader = dew_alloc(&def->allocator, 1, sizeof *reader);
    if (!reader)
        return dew_no_memory(sizeof *reader);
    *reader = (dew_RunReader){.def = *def, .directory.lock_fd = -1};
    dew_arena_init(&reader->arena, &def->allocator);
    dew_array_init(&reader->frames, &def->allocator, sizeof(int64_t));
    dew_Status status = open_reader(reader);
    reader->def.directory = reader->directory.path;
    if (status.code == DEW_OK)
        *out = reader;
    else
        dew_run_reader_destroy(reader);
    return status;
}

void dew_run_reader_destroy(dew_RunReader *reader)
{
    if (!reader)
        return;
    dew_scene_destroy(reader->own_scene);
    dew_array_deinit(&reader->frames);
    dew_arena_deinit(&reader->arena);
    dew_Allocator allocator = reader->def.allocator;
    dew_free(&allocator, reader, sizeof *reader);
}

const dew_Scene *dew_run_reader_scene(const dew_RunReader *reader)
{
    return reader->scene;
}

const dew_RunSummary *dew_run_reader_summary(const dew_RunReader *reader)
{
    return &reader->summary;
}

// ---- frames ------------------------------------------------------------------------------------

int64_t dew_run_reader_frame_count(const dew_RunReader *reader)
{
    return reader->frames.count;
}

int64_t dew_run_reader_frame(const dew_RunReader *reader, int64_t index)
{
    DEW_ASSERT(index >= 0 && index < reader->frames.count);
    return DEW_ITEMS(&reader->frames, const int64_t)[index];
}

double dew_run_reader_time_s(const dew_RunReader *reader, int64_t frame)
{
    const dew_SceneDef *def = dew_scene_def(reader->scene);
    return dew_frame_time_s(frame, def->duration_s, def->frame_rate_Hz);
}

dew_Status dew_run_reader_surface(dew_RunReader *reader, int64_t frame, dew_Surface *out)
{
    dew_SurfaceFormat format = dew_scene_def(reader->scene)->output.surface;
    if (format == DEW_SURFACE_NONE)
        return dew_fail(DEW_BAD_INPUT, "%s: the run wrote no surfaces (output.surface)",
                        reader->directory.path);
    return dew_frame_load(reader->directory.path, format, frame, NULL, out);  // may be empty
}

dew_Status dew_run_reader_wetness(dew_RunReader *reader, const char *solid, int64_t frame,
                                  dew_Mesh *out)
{
    bool is_there;
    return dew_frame_load_wetness(reader->directory.path, solid, frame, &reader->def.log, out,
                                  &is_there);
}

// ---- tables ------------------------------------------------------------------------------------

static dew_Status load_table(dew_RunReader *reader, dew_RunTableKind kind, Table **out)
{
    static const char *const names[] = {
        [DEW_RUN_STATS] = "stats.csv", [DEW_RUN_DROPS] = "drops.csv"};
    DEW_ASSERT(kind >= 0 && kind < DEW_RUN_TABLE_COUNT);
    Table *table = *out = &reader->tables[kind];
    if (table->is_loaded)
        return dew_ok();
    dew_RunPath path = dew_run_path(&reader->directory, names[kind]);
    DEW_TRY(dew_stats_table_load(path.text, &reader->arena, &table->rows));
    int64_t rows = table->rows.row_count, columns = table->rows.column_count;
    table->columns = dew_arena_array(&reader->arena, double, rows *columns + 1);
    if (!table->columns)
        return dew_no_memory((size_t)(rows * columns) * sizeof(double));
    for (int64_t i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            table->columns[j * rows + i] = dew_stats_table_value(&table->rows, i, j);
    table->is_loaded = true;
    return dew_ok();
}

dew_Status dew_run_reader_columns(dew_RunReader *reader, dew_RunTableKind kind,
                                  const char *const **names, int *count)
{
    Table *table;
    DEW_TRY(load_table(reader, kind, &table));
    *names = (const char *const *)table->rows.names;
    *count = table->rows.column_count;
    return dew_ok();
}

dew_Status dew_run_reader_column(dew_RunReader *reader, dew_RunTableKind kind, const char *name,
                                 const double **values, int64_t *count)
{
    Table *table;
    DEW_TRY(load_table(reader, kind, &table));
    int column = dew_stats_table_column(&table->rows, name);
    if (column == DEW_INVALID)
        return dew_fail(DEW_BAD_INPUT, "%.300s: the table has no column %.64s",
                        reader->directory.path, name);
    *values = table->columns + column * table->rows.row_count;
    *count = table->rows.row_count;
    return dew_ok();
}

// ---- files of the scene ------------------------------------------------------------------------

dew_Status dew_run_reader_check_files(const dew_RunReader *reader)
{
    dew_ProblemDef def = {.allocator = reader->def.allocator};
    dew_Problem *problem = NULL;
    DEW_TRY(dew_problem_create(reader->scene, &def, &problem));
    dew_Status status = dew_run_json_check_files(reader->directory.path, dew_problem_files(problem),
                                                 &reader->def.allocator);
    dew_problem_destroy(problem);
    return status;
}
