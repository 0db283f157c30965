/// Drops: the connected bodies of liquid of a world, with ids that persist, and what happened to
/// them.
///
/// The list is brought up to date when it is asked for, at most once per state: a world that nobody
/// asks spends no time on it. Each update compares the liquid with that of the update before, so
/// ask after every step to see each event by itself; what happened in steps that nobody asked about
/// is seen all at once. The ids are part of a saved state. Pointers are valid until the next call
/// that changes the world or the next update.
#pragma once

#include "dew/base.h"
#include "dew/world.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DEW_MAX_DROP_LINKS 8  // ids that a drop or an event names, the lowest when there are more

/// One drop. A drop that became one drop keeps its id; all that came of a merge or a split are new
/// and name their parents. Ids are positive and never used twice.
typedef struct dew_Drop {
    int64_t id;
    int64_t parents[DEW_MAX_DROP_LINKS];  // ascending; in the update in which the drop is new
    int32_t parent_count;                 // 0: it is not new, or it has no parents
    bool is_new;                          // this update is its first
    double volume_m3, area_m2;            // bubbles subtracted; area with that of bubbles
    dew_Vec3 center_m, velocity_m_s;      // of the volume
    dew_Vec3 box_min_m, box_max_m;
    double contact_area_m2;
    double contact_length_m;  // of its contact lines; 0: none, and the angles are NaN
    double contact_angle_rad, contact_angle_min_rad, contact_angle_max_rad;
    int64_t first_line, line_count;  // its contact lines, in dew_world_contact_lines
} dew_Drop;

/// The drops of the present state, by ascending id.
dew_Status dew_world_drops(dew_World *world, const dew_Drop **drops, int64_t *count);

/// A contact line, on which liquid, solid and air meet, as a polyline: counter-clockwise about the
/// solid's outward normal, so that the wetted area lies to the left.
typedef struct dew_ContactPolyline {
    int64_t drop_id;
    const dew_Vec3 *points_m;
    int64_t point_count;
    bool is_closed;  // the last point is joined to the first
} dew_ContactPolyline;

/// The contact lines of all drops, those of a drop together, by ascending id.
dew_Status dew_world_contact_lines(dew_World *world, const dew_ContactPolyline **lines,
                                   int64_t *count);

/// Kinds of events of drops.
typedef enum dew_DropEventKind {
    DEW_DROP_APPEARED,  // through a source, dew_world_add_drop or an open side
    DEW_DROP_VANISHED,  // through a sink or an open side, or below what the solver resolves
    DEW_DROP_MERGED,    // several drops are one
    DEW_DROP_SPLIT,     // one drop is several
    DEW_DROP_IMPACT,    // a drop that touched no solid touches one
    DEW_DROP_DETACHED,  // a drop that touched a solid touches none
    DEW_DROP_EVENT_KIND_COUNT
} dew_DropEventKind;

/// What happened between the last two updates.
typedef struct dew_DropEvent {
    dew_DropEventKind kind;
    int32_t solid_id;        // impact, detached: the nearest solid; DEW_INVALID: there is none
    double begin_s, time_s;  // it happened between these times: those of the two updates
    int64_t drop_id;         // appeared, merged, impact, detached: the drop after; else before
    int64_t others[DEW_MAX_DROP_LINKS];  // merged: the drops before; split: the drops after
    int32_t other_count;
    dew_Vec3
        point_m;  // impact: middle of the wetted area; detached: the nearest point of the solid;
                  // else the centre of the drop
    double volume_m3;  // of drop_id
    double
        speed_m_s;  // impact: of the drop before it, towards the solid; merged: largest difference
                    // of velocity between the first drop and another; else 0
} dew_DropEvent;

/// The events between the last two updates, by ascending kind, then drop_id. None at the first
/// update.
dew_Status dew_world_events(dew_World *world, const dew_DropEvent **events, int64_t *count);

#ifdef __cplusplus
}
#endif
