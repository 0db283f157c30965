// Solids of a run in its directory.
//
// What was written last is kept in memory to compare with; a resumed run reads it from its files:
// wetness by the reader of wet maps, poses from the last rows of solids.csv.
#include "run/solid_frames.h"

#include "base/file.h"
#include "base/number.h"
#include "base/status.h"
#include "problem/motion.h"
#include "run/frame_read.h"

#include <stdio.h>
#include <string.h>

const char dew_solids_header[] = "frame,time,name,x,y,z,qx,qy,qz,qw";
enum { FRAME_COLUMN, TIME_COLUMN, NAME_COLUMN, FIRST_POSE_COLUMN, POSE_NUMBERS = 7 };

/// x = R(q) x_rest + t
typedef struct Pose {
    double number[POSE_NUMBERS];  // t, q: x y z, x y z w
} Pose;

typedef struct SolidFrame {
    const char *name;
    dew_Mesh mesh;  // at rest; empty when it is not needed any more
    bool is_made, is_moving;
    bool is_written;     // frames/solid.NAME.ply
    dew_Array wetness;   // float: as last written
    dew_Array vtp_list;  // int64_t: frames that have a VTP, ascending
    Pose pose;           // as last written
    bool has_pose;
} SolidFrame;

static SolidFrame *items(const dew_SolidFrames *frames)
{
    return DEW_ITEMS(&frames->solids, SolidFrame);
}

// ---- making and destroying ---------------------------------------------------------------------

void dew_solid_frames_init(dew_SolidFrames *frames, const dew_Allocator *allocator)
{
    *frames = (dew_SolidFrames){.poses.fd = -1};
    dew_array_init(&frames->solids, allocator, sizeof(SolidFrame));
    dew_array_init(&frames->views, allocator, sizeof(dew_WetMesh));
    dew_array_init(&frames->listed, allocator, sizeof(dew_RunSolidSeries));
    dew_run_table_init(&frames->poses, (dew_RunPath){""}, false, allocator);
}

void dew_solid_frames_deinit(dew_SolidFrames *frames)
{
    for (int64_t i = 0; i < frames->solids.count; i++) {
        SolidFrame *solid = &items(frames)[i];
        dew_mesh_deinit(&solid->mesh);
        dew_array_deinit(&solid->wetness);
        dew_array_deinit(&solid->vtp_list);
    }
    dew_array_deinit(&frames->solids);
    dew_array_deinit(&frames->views);
    dew_array_deinit(&frames->listed);
    dew_run_table_deinit(&frames->poses);
}

static dew_Status make_mesh(const dew_SolidFrames *frames, const dew_World *world, int i)
{
    SolidFrame *solid = &items(frames)[i];
    if (solid->is_made)
        return dew_ok();
    double edge_m =
        frames->has_wetness ? dew_world_solid_edge_m(world, i) : dew_world_solid_facet_m(world, i);
    DEW_TRY(dew_problem_solid_mesh(world->problem, i, edge_m, &solid->mesh));
    solid->is_made = true;
    return dew_ok();
}

static dew_Status make_wet_meshes(dew_SolidFrames *frames, const dew_World *world)
{
    DEW_TRY(dew_array_reserve(&frames->views, frames->solids.count));
    for (int i = 0; i < frames->solids.count; i++) {
        DEW_TRY(make_mesh(frames, world, i));
        const dew_Mesh *mesh = &items(frames)[i].mesh;
        dew_WetMesh view = {{dew_mesh_positions(mesh), mesh->positions.count,
                             (const uint32_t *)mesh->triangles.data, mesh->triangles.count},
                            NULL};
        DEW_TRY(dew_array_push(&frames->views, &view));
    }
    return dew_ok();
}

static dew_Status make_solids(dew_SolidFrames *frames, const dew_World *world)
{
    const dew_Allocator *allocator = &frames->solids.allocator;
    int count = dew_problem_solid_count(world->problem);
    DEW_TRY(dew_array_reserve(&frames->solids, count));
    for (int i = 0; i < count; i++) {
        SolidFrame *solid = &items(frames)[i];
        *solid = (SolidFrame){.name = dew_problem_solid_name(world->problem, i),
                              .is_moving = dew_problem_solid_is_moving(world->problem, i)};
        dew_mesh_init(&solid->mesh, allocator);
        dew_array_init(&solid->wetness, allocator, sizeof(float));
        dew_array_init(&solid->vtp_list, allocator, sizeof(int64_t));
        frames->has_poses = frames->has_poses || solid->is_moving;
        frames->solids.count = i + 1;
    }
    return dew_ok();
}

dew_Status dew_solid_frames_begin(dew_SolidFrames *frames, const dew_World *world, bool has_files,
                                  const dew_RunDirectory *directory)
{
    const dew_OutputDef *output = &dew_scene_def(world->scene)->output;
    if (output->wetmap && !world->ops->wetness) {
        char place[256];
        dew_scene_place(world->scene, "output.wetmap", place, sizeof place);
        return dew_fail(DEW_UNSUPPORTED,
                        "%soutput.wetmap: the solver %s keeps no wet map yet (false would do)",
                        place, world->ops->traits->name);
    }
    if (!output->wetmap && !(output->solids && has_files))
        return dew_ok();
    frames->has_wetness = output->wetmap;
    frames->has_vtp = output->solids && dew_run_series(output).count > 0;
    frames->poses.path = dew_run_path(directory, "solids.csv");
    DEW_TRY(make_solids(frames, world));
    return frames->has_wetness ? make_wet_meshes(frames, world) : dew_ok();
}

// ---- poses -------------------------------------------------------------------------------------

static Pose pose_of(const dew_World *world, int i)
{
    double now = dew_world_time_s(world);
    dew_SolidPose pose = dew_world_pose(world, i, now, now, now);
    dew_Vec3 reference = dew_problem_solid_reference_m(world->problem, i);
    dew_Vec3 t = dew_pose_apply(&pose, reference, dew_vec(0, 0, 0));
    dew_Rotation q = pose.rotation;
    return (Pose){{t.x, t.y, t.z, q.v.x, q.v.y, q.v.z, q.w}};
}

static bool is_same_pose(const Pose *a, const Pose *b)
{
    for (int k = 0; k < POSE_NUMBERS; k++)
        if (a->number[k] != b->number[k])
            return false;
    return true;
}

static dew_Status add_row(dew_SolidFrames *frames, const SolidFrame *solid, int64_t frame,
                          double time_s)
{
    dew_Row row;
    dew_row_begin(&row);
    dew_row_integer(&row, frame);
    dew_row_number(&row, time_s);
    dew_row_text(&row, solid->name);
    for (int k = 0; k < POSE_NUMBERS; k++)
        dew_row_number(&row, solid->pose.number[k]);
    return dew_run_table_add(&frames->poses, &row);
}

// ---- resuming ----------------------------------------------------------------------------------

static SolidFrame *find_solid(const dew_SolidFrames *frames, const char *name, size_t length)
{
    for (int64_t i = 0; i < frames->solids.count; i++) {
        SolidFrame *solid = &items(frames)[i];
        if (strlen(solid->name) == length && memcmp(solid->name, name, length) == 0)
            return solid;
    }
    return NULL;
}

/// Takes the pose of a row; false: it is of a frame that does not count, or damaged.
static bool take_row(const dew_SolidFrames *frames, const char *row, size_t length,
                     int64_t frame_count)
{
    SolidFrame *solid = NULL;
    Pose pose = {{0}};
    for (int column = 0; column < FIRST_POSE_COLUMN + POSE_NUMBERS; column++) {
        const char *comma = memchr(row, ',', length);
        size_t cell = comma ? (size_t)(comma - row) : length;
        int64_t frame = 0;
        double x = 0;
        if (column == FRAME_COLUMN &&
            (dew_integer_parse(row, cell, &frame) != cell || frame >= frame_count))
            return false;
        if (column == NAME_COLUMN && !(solid = find_solid(frames, row, cell)))
            return false;
        if (column >= FIRST_POSE_COLUMN) {
            if (cell == 0 || dew_number_parse(row, cell, &x) != cell)
                return false;
            pose.number[column - FIRST_POSE_COLUMN] = x;
        }
        row += cell + (comma != NULL);
        length -= cell + (comma != NULL);
    }
    solid->pose = pose;
    solid->has_pose = true;
    return true;
}

/// Rows of the frames that count, whole ones from the beginning.
static dew_Status take_poses(dew_SolidFrames *frames, int64_t frame_count)
{
    dew_RunTable *table = &frames->poses;
    size_t size = 0, header = strlen(dew_solids_header) + 1;
    uint8_t *data = NULL;
    if (!dew_file_exists(table->path.text))
        return dew_ok();  // lost, or of a version that wrote none: a new one begins here
    DEW_TRY(dew_file_read(table->path.text, DEW_TABLE_MAX_BYTES, &frames->solids.allocator, &data,
                          &size));
    const char *text = (const char *)data;
    dew_Status status = dew_ok();
    if (size < header || memcmp(text, dew_solids_header, header - 1) != 0)
        status = dew_fail(DEW_BAD_INPUT, "%s has another header than this version writes",
                          table->path.text);
    size_t at = header;
    while (status.code == DEW_OK && at < size) {
        const char *end = memchr(text + at, '\n', size - at);
        if (!end || !take_row(frames, text + at, (size_t)(end - (text + at)), frame_count))
            break;
        table->row_count++;
        at = (size_t)(end - text) + 1;
    }
    frames->kept_bytes = (int64_t)at;
    dew_free(&frames->solids.allocator, data, size + 1);
    return status;
}

static dew_Status take_wetness(SolidFrame *solid, const dew_RunDirectory *directory, int64_t frame)
{
    dew_Mesh mesh;
    bool is_there;
    dew_mesh_init(&mesh, &solid->mesh.allocator);
    dew_Status status =
        dew_frame_load_wetness(directory->path, solid->name, frame, NULL, &mesh, &is_there);
    if (status.code == DEW_OK && is_there)
        status = dew_array_append(&solid->wetness, dew_mesh_find_attribute(&mesh, "wetness"),
                                  mesh.positions.count);
    dew_mesh_deinit(&mesh);
    return status;
}

dew_Status dew_solid_frames_resume(dew_SolidFrames *frames, const dew_RunDirectory *directory,
                                   int64_t frame_count)
{
    if (frames->has_poses)
        DEW_TRY(take_poses(frames, frame_count));
    for (int64_t i = 0; i < frames->solids.count; i++) {
        SolidFrame *solid = &items(frames)[i];
        solid->is_written =
            dew_file_exists(dew_run_solid_path(directory, solid->name, DEW_INVALID, "ply").text);
        if (frames->has_wetness)
            DEW_TRY(take_wetness(solid, directory, frame_count - 1));
        for (int64_t k = 0; frames->has_vtp && k < frame_count; k++)
            if (dew_file_exists(dew_run_solid_path(directory, solid->name, k, "vtp").text))
                DEW_TRY(dew_array_push(&solid->vtp_list, &k));
    }
    return dew_ok();
}

dew_Status dew_solid_frames_open(dew_SolidFrames *frames)
{
    if (!frames->has_poses)
        return dew_ok();
    if (frames->kept_bytes == 0)
        return dew_run_table_create(&frames->poses, dew_solids_header);
    dew_TableMark mark = {.row_count = frames->poses.row_count, .size_bytes = frames->kept_bytes};
    return dew_run_table_resume(&frames->poses, &mark);
}

// ---- frames ------------------------------------------------------------------------------------

dew_Status dew_solid_frames_update(dew_SolidFrames *frames, dew_World *world)
{
    if (!frames->has_wetness)
        return dew_ok();
    dew_Instant instant = dew_world_instant(world);
    for (int64_t i = 0; i < frames->solids.count; i++) {
        dew_Mesh *mesh = &items(frames)[i].mesh;
        float *wetness;
        DEW_TRY(dew_mesh_attribute(mesh, "wetness", &wetness));
        DEW_ITEMS(&frames->views, dew_WetMesh)[i].wetness = wetness;
        world->ops->wetness(world->problem, world->state, &instant, (int)i,
                            dew_mesh_positions(mesh), mesh->positions.count, wetness);
    }
    return dew_ok();
}

/// Is the wetness another than when it was last written? From now on it is that.
static dew_Status note_wetness(SolidFrame *solid, bool *has_changed)
{
    const float *wetness = dew_mesh_find_attribute(&solid->mesh, "wetness");
    int64_t count = solid->mesh.positions.count;
    size_t size = (size_t)count * sizeof(float);
    *has_changed = wetness && (solid->wetness.count != count ||
                               (count > 0 && memcmp(solid->wetness.data, wetness, size) != 0));
    if (!*has_changed)
        return dew_ok();
    solid->wetness.count = 0;
    return dew_array_append(&solid->wetness, wetness, count);
}

static dew_Status save_vtp(SolidFrame *solid, const dew_RunDirectory *directory, int64_t frame,
                           double time_s, dew_FrameFile *file)
{
    dew_Mesh placed;
    dew_Rotation q = {solid->pose.number[6],
                      {solid->pose.number[3], solid->pose.number[4], solid->pose.number[5]}};
    dew_Vec3 t = dew_vec(solid->pose.number[0], solid->pose.number[1], solid->pose.number[2]);
    dew_mesh_init(&placed, &solid->mesh.allocator);
    dew_Status status = dew_mesh_copy(&placed, &solid->mesh);
    if (status.code == DEW_OK && solid->is_moving)
        dew_mesh_transform(&placed, 1, q, t);
    if (status.code == DEW_OK)
        status = dew_frame_save_solid(directory, solid->name, frame, time_s, DEW_SOLID_FILE_VTP,
                                      &placed, file);
    dew_mesh_deinit(&placed);
    return status;
}

/// The mesh is kept where it changes: that of a solid at rest is written once.
static void release_mesh(const dew_SolidFrames *frames, SolidFrame *solid)
{
    if (!solid->is_made || frames->has_wetness || (solid->is_moving && frames->has_vtp))
        return;
    dew_Allocator allocator = solid->mesh.allocator;
    dew_mesh_deinit(&solid->mesh);
    dew_mesh_init(&solid->mesh, &allocator);
    solid->is_made = false;
}

static dew_Status save_place(dew_SolidFrames *frames, SolidFrame *solid, const dew_World *world,
                             int i, int64_t frame, bool *has_moved)
{
    *has_moved = false;
    if (!solid->is_moving)
        return dew_ok();
    Pose pose = pose_of(world, i);
    *has_moved = !solid->has_pose || !is_same_pose(&pose, &solid->pose);
    solid->pose = pose;
    solid->has_pose = true;
    return add_row(frames, solid, frame, dew_world_time_s(world));
}

static dew_Status save_solid(dew_SolidFrames *frames, const dew_World *world, int i,
                             const dew_RunDirectory *directory, int64_t frame, dew_FrameFile *file)
{
    SolidFrame *solid = &items(frames)[i];
    double time_s = dew_world_time_s(world);
    bool has_moved, has_changed, is_first = !solid->is_written;
    DEW_TRY(save_place(frames, solid, world, i, frame, &has_moved));
    DEW_TRY(note_wetness(solid, &has_changed));
    // For ParaView: numbered files where place or wetness can change, else one file.
    bool is_numbered = frames->has_wetness || solid->is_moving;
    bool is_listed =
        is_numbered ? has_moved || has_changed || solid->vtp_list.count == 0 : is_first;
    bool has_vtp = frames->has_vtp && is_listed;
    if (is_first || has_vtp)
        DEW_TRY(make_mesh(frames, world, i));
    if (solid->is_made && solid->mesh.triangles.count == 0)
        return dew_ok();           // a plane beside the domain
    if (has_changed && frame > 0)  // the wetness of frame 0 is in the mesh's file
        DEW_TRY(dew_frame_save_solid(directory, solid->name, frame, time_s, DEW_SOLID_FILE_VALUES,
                                     &solid->mesh, file));
    if (has_vtp)
        DEW_TRY(save_vtp(solid, directory, is_numbered ? frame : DEW_INVALID, time_s, file));
    if (has_vtp && is_numbered)
        DEW_TRY(dew_array_push(&solid->vtp_list, &frame));
    if (is_first)
        DEW_TRY(dew_frame_save_solid(directory, solid->name, DEW_INVALID, time_s,
                                     DEW_SOLID_FILE_PLY, &solid->mesh, file));
    solid->is_written = true;
    release_mesh(frames, solid);
    return dew_ok();
}

dew_Status dew_solid_frames_save(dew_SolidFrames *frames, const dew_World *world,
                                 const dew_RunDirectory *directory, int64_t frame,
                                 dew_FrameFile *file)
{
    frames->listed.count = 0;
    for (int i = 0; i < frames->solids.count; i++) {
        DEW_TRY(save_solid(frames, world, i, directory, frame, file));
        const SolidFrame *solid = &items(frames)[i];
        dew_RunSolidSeries series = {solid->name, DEW_ITEMS(&solid->vtp_list, const int64_t),
                                     solid->vtp_list.count};
        if (frames->has_vtp && solid->is_written)
            DEW_TRY(dew_array_push(&frames->listed, &series));
    }
    return frames->has_poses ? dew_solid_frames_flush(frames, false) : dew_ok();
}

dew_Status dew_solid_frames_flush(dew_SolidFrames *frames, bool sync)
{
    return frames->poses.fd >= 0 ? dew_run_table_flush(&frames->poses, sync) : dew_ok();
}

// ---- asking ------------------------------------------------------------------------------------

void dew_solid_frames_list(const dew_SolidFrames *frames, dew_RunSeries *series)
{
    series->solids = DEW_ITEMS(&frames->listed, const dew_RunSolidSeries);
    series->solid_count = (int)frames->listed.count;
}

const dew_WetMesh *dew_solid_frames_wetness(const dew_SolidFrames *frames)
{
    return frames->has_wetness ? frames->views.data : NULL;
}
