/// Drops in flat arrays, one after the other: the state of the solver `surface`, and what its
/// stages hand to one another.
#pragma once

#include "base/array.h"
#include "geom/mesh.h"
#include "geom/vec.h"
#include "solvers/solver.h"

/// Labels of a vertex beyond those of geom/remesh.h.
enum {
    DEW_LABEL_NOZZLE = 4,  // on the disk of a source: held there, liquid enters through it
    DEW_LABEL_CREASE = 8,  // where two solids meet; goes with DEW_LABEL_TOUCHING
    DEW_LABEL_EDGE =
        16,  // stopped at a sharp edge of a solid, of late; goes with DEW_LABEL_TOUCHING
};

#define DEW_LABELS_OF_CONTACT                                                                      \
    (DEW_LABEL_TOUCHING | DEW_LABEL_CONTACT_LINE | DEW_LABEL_CREASE | DEW_LABEL_EDGE)

/// What a sleeping drop's mesh would tell again and again; zero while it is awake.
typedef struct dew_DropRest {
    double volume_m3, area_m2, contact_m2;
    dew_Vec3 moment_m4;     // of the volume, about the origin
    dew_Vec3 min_m, max_m;  // of its box
} dew_DropRest;

/// Numbers of a drop besides its mesh.
typedef struct dew_DropValues {
    double volume_m3;    // the volume it must have: changed by feeding, merging and splitting only
    double feed_m3;      // volume that waits to be given to it
    double pressure_Pa;  // that kept the volume in the last step, above the air's
    double at_rest_s;    // time for which it has hardly deformed
    double mass_kg_m2;   // effective mass of its surface in the last step; 0: not known
    dew_Vec3 velocity_m_s;  // of the centre of mass, if has_velocity: its momentum over its mass
    double area_m2;         // of its free surface after the last step
    double moved_m;         // farthest that a vertex went since the last remeshing
    double lag_s;  // time from the drop's state to the end of the step, of a piece split off in it
    double parted_s;    // time since it split off another drop
    double inertia_kg;  // mass with which its surface deformed in the last sub-step; 0: unknown
    // Contact line, as seen in its last step: length, angle (mean by length, least, greatest).
    double line_m, angle_rad, min_angle_rad, max_angle_rad;
    dew_DropRest rest;  // set by dew_drop_store_append
} dew_DropValues;

/// Ids and counters of a drop.
typedef struct dew_DropCounts {
    int64_t id;      // unique in the run
    int64_t inflow;  // index of the disk it hangs on; DEW_INVALID: none
    int64_t vertex_count, triangle_count;
    int64_t parted_from;    // id of the drop it split off and still touches; DEW_INVALID: none
    int64_t failure_count;  // of its steps, the older ones forgotten (dew_drop_count_failure)
    int64_t steps_since_failure;  // that succeeded
    int64_t watch_steps;          // steps for which its mesh is tested for self-intersection
    int64_t steps_since_rebuild;  // of its mesh
} dew_DropCounts;

/// 0 or 1 each.
typedef struct dew_DropFlags {
    uint8_t is_asleep;
    uint8_t has_velocity;  // else the vertices' velocities give that of the centre of mass
    uint8_t has_failed;    // in this step: its mesh is to be repaired
} dew_DropFlags;

/// The arrays of a store: X(name, type, one per: drop, vertex or triangle, type of its numbers,
/// name in checkpoints). The table drives allocation, copies, checkpoints, retries and the state
/// hash.
///
///     clearances   no solid is nearer to the vertex than this, m
///     triangles    indices count from the drop's first vertex
#define DEW_DROP_ARRAYS(X)                                                                         \
    X(values, dew_DropValues, drop, F64, "values")                                                 \
    X(counts, dew_DropCounts, drop, I64, "counts")                                                 \
    X(flags, dew_DropFlags, drop, U8, "flags")                                                     \
    X(positions, dew_Vec3, vertex, F64, "position")                                                \
    X(velocities, dew_Vec3, vertex, F64, "velocity")                                               \
    X(labels, uint8_t, vertex, U8, "label")                                                        \
    X(clearances, double, vertex, F64, "clearance")                                                \
    X(triangles, dew_Triangle, triangle, U32, "triangle")

#define DEW_DECLARE_DROP_ARRAY(name, type, per, number, saved_as) dew_Array name;
typedef struct dew_DropStore {
    DEW_DROP_ARRAYS(DEW_DECLARE_DROP_ARRAY)
} dew_DropStore;

/// Where a drop's vertices and triangles begin.
typedef struct dew_DropPlace {
    int64_t first_vertex, first_triangle;
} dew_DropPlace;

/// Of a store's arrays, elements from the first that World has copies of (dew_Field.unchanged).
typedef struct dew_DropUnchanged {
    int64_t drop, vertex, triangle;
} dew_DropUnchanged;

void dew_drop_store_init(dew_DropStore *store, const dew_Allocator *allocator);
void dew_drop_store_deinit(dew_DropStore *store);
/// Bytes of what is in it, and of what there is room for.
size_t dew_drop_store_used_bytes(const dew_DropStore *store);
size_t dew_drop_store_held_bytes(const dew_DropStore *store);
/// Makes room for as much as another one has room for.
dew_Status dew_drop_store_reserve_as(dew_DropStore *store, const dew_DropStore *other);
void dew_drop_store_clear(dew_DropStore *store);                    // keeps the memory
void dew_drop_store_truncate(dew_DropStore *store, int64_t count);  // keeps the first ones
/// The same where the place of the first drop that goes is known.
void dew_drop_store_cut(dew_DropStore *store, int64_t count, dew_DropPlace place);

static inline int64_t dew_drop_count(const dew_DropStore *store)
{
    return store->counts.count;
}

/// A drop's arrays, to be read or appended. labels, velocities and clearances may be NULL: zero.
typedef struct dew_DropView {
    dew_DropValues values;
    dew_DropCounts counts;  // vertex_count and triangle_count as below
    dew_DropFlags flags;
    const dew_Vec3 *positions, *velocities;
    const uint8_t *labels;
    const double *clearances;
    const dew_Triangle *triangles;
} dew_DropView;

dew_DropView dew_drop_view(const dew_DropStore *store, int64_t drop, dew_DropPlace place);
/// Box of the drop's vertices; of a sleeping drop it is known.
dew_Box dew_drop_view_box(const dew_DropView *drop);
/// drop_measure.c: measures the drop's mesh, whether it sleeps or not.
dew_DropRest dew_drop_view_rest(const dew_DropView *drop);
dew_DropPlace dew_drop_next_place(const dew_DropStore *store, int64_t drop, dew_DropPlace place);
/// Fails, and leaves the store as it was, when there is no memory.
dew_Status dew_drop_store_append(dew_DropStore *store, const dew_DropView *drop);
/// Drops [first, end) of another store; `places` are its drops', one more than drops.
dew_Status dew_drop_store_append_range(dew_DropStore *store, const dew_DropStore *from,
                                       int64_t first, int64_t end, const dew_DropPlace *places);
dew_Status dew_drop_store_append_all(dew_DropStore *store, const dew_DropStore *from);
/// Adds the arrays to a list of fields.
void dew_drop_store_fields(dew_DropStore *store, dew_DropUnchanged *unchanged, dew_FieldList *out);
/// Do the counts agree with the arrays, and the indices with the counts?
dew_Status dew_drop_store_check(const dew_DropStore *store);
