// Surface, drops, contact lines and search tree of the present state, made when somebody asks.
#include "world/liquid_view.h"

#include "base/status.h"
#include "surface/contact_loops.h"
#include "world/drop_events.h"
#include "world/world_state.h"

#include <math.h>

void dew_liquid_view_init(dew_LiquidView *view, const dew_Allocator *allocator)
{
    *view = (dew_LiquidView){0};
    dew_drops_init(&view->tracker, allocator);
    dew_array_init(&view->drops, allocator, sizeof(dew_Drop));
    dew_array_init(&view->events, allocator, sizeof(dew_DropEvent));
    dew_array_init(&view->lines, allocator, sizeof(dew_ContactPolyline));
    dew_array_init(&view->points, allocator, sizeof(dew_Vec3));
    dew_array_init(&view->loops, allocator, sizeof(dew_ContactLoop));
    dew_array_init(&view->fraction, allocator, sizeof(double));
    dew_arena_init(&view->scratch, allocator);
}

void dew_liquid_view_deinit(dew_LiquidView *view)
{
    dew_surface_destroy(view->surface);
    dew_drops_deinit(&view->tracker);
    dew_array_deinit(&view->drops);
    dew_array_deinit(&view->events);
    dew_array_deinit(&view->lines);
    dew_array_deinit(&view->points);
    dew_array_deinit(&view->loops);
    dew_array_deinit(&view->fraction);
    dew_mesh_distance_destroy(view->tree);
    dew_arena_deinit(&view->scratch);
}

// ---- surface and tree --------------------------------------------------------------------------

dew_Status dew_world_update_surface(dew_World *world)
{
    dew_LiquidView *view = &world->view;
    if (view->surface_of == world->version)
        return dew_ok();
    if (!view->surface)
        DEW_TRY(dew_surface_create(&world->def.allocator, &view->surface));
    view->surface_of = view->tree_of = 0;
    DEW_TRY(dew_world_surface(world, view->surface));
    view->surface_of = world->version;
    return dew_ok();
}

dew_Status dew_world_current_surface(dew_World *world, const dew_Surface **out)
{
    DEW_TRY(dew_world_update_surface(world));
    *out = world->view.surface;
    return dew_ok();
}

dew_Status dew_world_update_tree(dew_World *world)
{
    dew_LiquidView *view = &world->view;
    DEW_TRY(dew_world_update_surface(world));
    if (view->tree_of == world->version)
        return dew_ok();
    dew_mesh_distance_destroy(view->tree);
    view->tree = NULL;
    view->mesh = dew_surface_view(view->surface);
    if (view->mesh.triangles.count > 0)
        DEW_TRY(dew_mesh_distance_create(&view->mesh, DEW_SIGN_AUTO, world->tasks,
                                         &world->def.allocator, &view->tree));
    view->tree_of = world->version;
    return dew_ok();
}

// ---- drops -------------------------------------------------------------------------------------

static int32_t drop_of(const dew_LiquidView *view, int32_t piece)
{
    return DEW_ITEMS(&view->tracker.piece_drops, int32_t)[piece];
}

/// Lines of each drop together, by drop: a counting sort of the loops.
static dew_Status make_lines(dew_LiquidView *view)
{
    DEW_TRY(dew_surface_contact_loops(view->surface, &view->scratch, &view->loops, &view->points));
    DEW_TRY(dew_array_reserve(&view->lines, view->loops.count));
    dew_Drop *drops = DEW_ITEMS(&view->drops, dew_Drop);
    const dew_ContactLoop *loops = DEW_ITEMS(&view->loops, dew_ContactLoop);
    for (int64_t i = 0; i < view->loops.count; i++)
        drops[drop_of(view, loops[i].piece)].line_count++;
    int64_t first = 0;
    for (int64_t d = 0; d < view->drops.count; d++) {
        drops[d].first_line = first;
        first += drops[d].line_count;
        drops[d].line_count = 0;
    }
    for (int64_t i = 0; i < view->loops.count; i++) {
        dew_Drop *drop = &drops[drop_of(view, loops[i].piece)];
        DEW_ITEMS(&view->lines, dew_ContactPolyline)
        [drop->first_line + drop->line_count++] = (dew_ContactPolyline){
            .drop_id = drop->id,
            .points_m = DEW_ITEMS(&view->points, dew_Vec3) + loops[i].first,
            .point_count = loops[i].count,
            .is_closed = loops[i].is_closed,
        };
    }
    view->lines.count = view->loops.count;
    return dew_ok();
}

static dew_Drop public_drop(const dew_DropRecord *record)
{
    dew_Drop drop = {
        .id = record->id,
        .parent_count = record->parent_count,
        .volume_m3 = record->volume_m3,
        .area_m2 = record->area_m2,
        .center_m = record->center_m,
        .velocity_m_s = record->velocity_m_s,
        .box_min_m = record->box_min_m,
        .box_max_m = record->box_max_m,
        .contact_area_m2 = record->contact_area_m2,
        .contact_angle_rad = record->contact_angle_rad,
        .contact_angle_min_rad = (double)NAN,
        .contact_angle_max_rad = (double)NAN,
    };
    for (int i = 0; i < record->parent_count; i++)
        drop.parents[i] = record->parents[i];
    return drop;
}

static dew_Status list_drops(dew_LiquidView *view, int64_t first_new_id)
{
    const dew_DropTracker *tracker = &view->tracker;
    const dew_PieceMeasure *measures = DEW_ITEMS(&view->surface->measures, dew_PieceMeasure);
    view->drops.count = 0;
    for (int64_t i = 0; i < tracker->drops.count; i++) {
        dew_Drop drop = public_drop(&DEW_ITEMS(&tracker->drops, dew_DropRecord)[i]);
        drop.is_new = drop.id >= first_new_id;
        DEW_TRY(dew_array_push(&view->drops, &drop));
    }
    for (int32_t p = 0; p < view->surface->piece_count; p++) {
        dew_Drop *drop = &DEW_ITEMS(&view->drops, dew_Drop)[drop_of(view, p)];
        const dew_ContactLine *contact = &measures[p].contact;
        if (!(contact->length_m > 0))
            continue;
        drop->contact_length_m += contact->length_m;
        drop->contact_angle_min_rad = fmin(drop->contact_angle_min_rad, contact->min_angle_rad);
        drop->contact_angle_max_rad = fmax(drop->contact_angle_max_rad, contact->max_angle_rad);
    }
    return make_lines(view);
}

static dew_Status update_drops(dew_World *world)
{
    dew_LiquidView *view = &world->view;
    dew_DropTracker *tracker = &view->tracker;
    double begin_s = view->has_drops ? tracker->time_s : world->clock.time_s;
    int64_t first_new_id = tracker->next_id;
    bool is_first = !view->has_drops;
    DEW_TRY(dew_drops_update(tracker, view->surface, world->clock.time_s));
    view->has_drops = true;
    DEW_TRY(list_drops(view, first_new_id));
    view->events.count = 0;
    return is_first ? dew_ok() : dew_world_list_events(world, begin_s);
}

dew_Status dew_world_update_drops(dew_World *world)
{
    dew_LiquidView *view = &world->view;
    if (view->drops_of == world->version)
        return dew_ok();
    DEW_TRY(dew_world_update_surface(world));
    dew_Status status = update_drops(world);
    dew_arena_clear(&view->scratch);
    if (status.code == DEW_OK)
        view->drops_of = world->version;
    return status;
}

dew_Status dew_world_drops(dew_World *world, const dew_Drop **drops, int64_t *count)
{
    DEW_TRY(dew_world_update_drops(world));
    *drops = DEW_ITEMS(&world->view.drops, const dew_Drop);
    *count = world->view.drops.count;
    return dew_ok();
}

dew_Status dew_world_contact_lines(dew_World *world, const dew_ContactPolyline **lines,
                                   int64_t *count)
{
    DEW_TRY(dew_world_update_drops(world));
    *lines = DEW_ITEMS(&world->view.lines, const dew_ContactPolyline);
    *count = world->view.lines.count;
    return dew_ok();
}

dew_Status dew_world_events(dew_World *world, const dew_DropEvent **events, int64_t *count)
{
    DEW_TRY(dew_world_update_drops(world));
    *events = DEW_ITEMS(&world->view.events, const dew_DropEvent);
    *count = world->view.events.count;
    return dew_ok();
}
