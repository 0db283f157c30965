// Fields of a grid solver, phi and velocity at the cells' centres: as VDB brick by brick, as VTI in
// a dense image around the bricks. Where no brick is phi is the largest there is: air, and no
// nearer than that.
#include "run/field_frame.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/status.h"
#include "io/vdb.h"
#include "io/vti.h"

static double face_above(const dew_GridView *view, int32_t b, int n, int axis)
{
    int c[3] = {n & 7, n >> 3 & 7, n >> 6};
    c[axis]++;
    int64_t at = dew_grid_near(view->grid, b, c[0], c[1], c[2]);
    return view->u[axis][at < 0 ? (int64_t)b * view->grid->brick_cells + n : at];
}

static void read_cell(const dew_GridView *view, int32_t b, int n, float *phi, float velocity[3])
{
    int64_t at = (int64_t)b * view->grid->brick_cells + n;
    *phi = (float)view->phi[at];
    for (int a = 0; a < dew_grid_axes(view->grid); a++)
        velocity[a] = (float)(0.5 * (view->u[a][at] + face_above(view, b, n, a)));
}

// ---- VDB ---------------------------------------------------------------------------------------

static dew_Status write_vdb(const dew_GridView *view, const char *path, dew_Arena *arena,
                            const dew_Allocator *allocator)
{
    const dew_Grid *grid = view->grid;
    int64_t voxels = (int64_t)grid->brick_count * DEW_VDB_LEAF;
    float *phi = dew_arena_array(arena, float, voxels);
    float *velocity = dew_arena_array(arena, float, 3 * voxels);
    if (!phi || !velocity)
        return dew_no_memory((size_t)voxels * 4 * sizeof(float));
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t to = (int64_t)b * DEW_VDB_LEAF + n;
            read_cell(view, b, n, &phi[to], &velocity[3 * to]);
        }
    dew_VdbGrid grids[2] = {{"phi", true, 1, (float)view->far_m, phi},
                            {"velocity", false, 3, 0, velocity}};
    dew_VdbVolume volume = {
        .leaves = (const int32_t(*)[3])grid->coords.data,
        .leaf_count = grid->brick_count,
        .layers = grid->depth,
        .origin_m = dew_add_scaled(grid->origin_m, grid->cell_m, dew_vec(0.5, 0.5, 0.5)),
        .spacing_m = grid->cell_m,
        .grids = grids,
        .grid_count = 2};
    dew_Sink sink;
    DEW_TRY(dew_sink_begin_file(&sink, path, allocator));
    return dew_sink_end(&sink, dew_vdb_write(&volume, &sink, allocator));
}

// ---- VTI ---------------------------------------------------------------------------------------

typedef struct Image {
    dew_GridView view;
    int32_t low[3];  // brick coordinates
    int64_t counts[3];
    float *phi, *velocity;
} Image;

static void find_extent(Image *image)
{
    const dew_Grid *grid = image->view.grid;
    int32_t high[3];
    for (int a = 0; a < 3; a++) {
        image->low[a] = high[a] = dew_grid_coord(grid, 0)[a];
        for (int32_t b = 1; b < grid->brick_count; b++) {
            int32_t c = dew_grid_coord(grid, b)[a];
            image->low[a] = c < image->low[a] ? c : image->low[a];
            high[a] = c > high[a] ? c : high[a];
        }
        int cells = a == 2 ? grid->depth : DEW_BRICK;
        image->counts[a] = (int64_t)cells * (high[a] - image->low[a] + 1);
    }
}

static void fill_brick(const Image *image, int32_t b)
{
    const dew_Grid *grid = image->view.grid;
    const int32_t *coord = dew_grid_coord(grid, b);
    for (int n = 0; n < grid->brick_cells; n++) {
        int64_t i = DEW_BRICK * (int64_t)(coord[0] - image->low[0]) + (n & 7);
        int64_t j = DEW_BRICK * (int64_t)(coord[1] - image->low[1]) + (n >> 3 & 7);
        int64_t k = grid->depth * (int64_t)(coord[2] - image->low[2]) + (n >> 6);
        int64_t to = i + image->counts[0] * (j + image->counts[1] * k);
        read_cell(&image->view, b, n, &image->phi[to], &image->velocity[3 * to]);
    }
}

static dew_Status fill(Image *image, dew_Arena *arena)
{
    const dew_Grid *grid = image->view.grid;
    find_extent(image);
    int64_t points = image->counts[0] * image->counts[1] * image->counts[2];
    image->phi = dew_arena_array(arena, float, points);
    image->velocity = dew_arena_array(arena, float, 3 * points);
    if (!image->phi || !image->velocity)
        return dew_no_memory((size_t)points * 4 * sizeof(float));
    for (int64_t i = 0; i < points; i++)
        image->phi[i] = (float)image->view.far_m;
    for (int32_t b = 0; b < grid->brick_count; b++)
        fill_brick(image, b);
    return dew_ok();
}

static dew_Status write_image(const Image *image, const char *path, const dew_Allocator *allocator)
{
    const dew_Grid *grid = image->view.grid;
    dew_VtiArray arrays[2] = {{"phi", 1, image->phi}, {"velocity", 3, image->velocity}};
    dew_Vec3 first = dew_vec(DEW_BRICK * image->low[0] + 0.5, DEW_BRICK * image->low[1] + 0.5,
                             grid->depth * image->low[2] + 0.5);
    dew_VtiImage vti = {.counts = {image->counts[0], image->counts[1], image->counts[2]},
                        .origin_m = dew_add_scaled(grid->origin_m, grid->cell_m, first),
                        .spacing_m = grid->cell_m,
                        .arrays = arrays,
                        .array_count = 2};
    dew_Sink sink;
    DEW_TRY(dew_sink_begin_file(&sink, path, allocator));
    return dew_sink_end(&sink, dew_vti_write(&vti, &sink));
}

static dew_Status write_vti(const dew_GridView *view, const char *path, dew_Arena *arena,
                            const dew_Allocator *allocator)
{
    Image image = {.view = *view};
    DEW_TRY(fill(&image, arena));
    return write_image(&image, path, allocator);
}

// ---- either ------------------------------------------------------------------------------------

dew_Status dew_field_frame_save(const dew_RunDirectory *directory, const dew_World *world,
                                int64_t frame)
{
    dew_VolumeFormat format = dew_scene_def(world->scene)->output.volume;
    bool is_vdb = format == DEW_VOLUME_VDB;
    dew_RunPath path = dew_run_frame_path(directory, "volume", frame, is_vdb ? "vdb" : "vti");
    if (format == DEW_VOLUME_NONE || !world->ops->grid || dew_file_exists(path.text))
        return dew_ok();
    dew_GridView view = world->ops->grid(world->state);
    if (view.grid->brick_count == 0)
        return dew_ok();  // no liquid, no file
    const dew_Allocator *allocator = &world->def.allocator;
    dew_Arena arena;
    dew_arena_init(&arena, allocator);
    dew_Status status = is_vdb ? write_vdb(&view, path.text, &arena, allocator)
                               : write_vti(&view, path.text, &arena, allocator);
    dew_arena_deinit(&arena);
    return status;
}
