// Values of the vertices of surface frames.
#include "run/surface_attributes.h"

#include "base/file.h"
#include "base/number.h"
#include "base/status.h"
#include "geom/mesh_curvature.h"
#include "geom/mesh_measure.h"
#include "run/table.h"

#include <math.h>
#include <string.h>

typedef struct Birth {
    int64_t id;
    double time_s;
} Birth;

// ---- births ------------------------------------------------------------------------------------

void dew_drop_births_init(dew_DropBirths *births, const dew_Allocator *allocator)
{
    dew_array_init(&births->births, allocator, sizeof(Birth));
}

void dew_drop_births_deinit(dew_DropBirths *births)
{
    dew_array_deinit(&births->births);
}

// Both lists ascend, and new drops have higher ids than all before: the list is updated in place.
dew_Status dew_drop_births_update(dew_DropBirths *births, const dew_DropTracker *tracker,
                                  double time_s)
{
    const dew_DropRecord *drops = DEW_ITEMS(&tracker->drops, const dew_DropRecord);
    int64_t kept = 0, old_count = births->births.count;
    DEW_TRY(dew_array_reserve(&births->births, tracker->drops.count));
    Birth *list = DEW_ITEMS(&births->births, Birth);
    for (int64_t i = 0, at = 0; i < tracker->drops.count; i++) {
        while (at < old_count && list[at].id < drops[i].id)
            at++;
        bool is_old = at < old_count && list[at].id == drops[i].id;
        list[kept++] = (Birth){drops[i].id, is_old ? list[at].time_s : time_s};
    }
    births->births.count = kept;
    return dew_ok();
}

static Birth *find(const dew_DropBirths *births, int64_t id)
{
    int64_t low = 0, high = births->births.count;
    Birth *list = DEW_ITEMS(&births->births, Birth);
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (list[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < births->births.count && list[low].id == id ? &list[low] : NULL;
}

/// The columns frame,time,id of a row; false: it is none.
static bool read_row(const char *row, size_t length, double *time_s, int64_t *id)
{
    const char *time = memchr(row, ',', length);
    if (!time)
        return false;
    length -= (size_t)(++time - row);
    size_t used = dew_number_parse(time, length, time_s);
    if (used == 0 || used >= length || time[used] != ',')
        return false;
    return dew_integer_parse(time + used + 1, length - used - 1, id) > 0;
}

dew_Status dew_drop_births_restore(dew_DropBirths *births, const dew_DropTracker *tracker,
                                   const char *table_path)
{
    uint8_t *data = NULL;
    size_t size = 0;
    births->births.count = 0;
    DEW_TRY(dew_drop_births_update(births, tracker, tracker->time_s));
    if (!dew_file_exists(table_path))
        return dew_ok();
    DEW_TRY(
        dew_file_read(table_path, DEW_TABLE_MAX_BYTES, &births->births.allocator, &data, &size));
    const char *at = (const char *)data, *end = at + size;
    for (const char *stop; at < end && (stop = memchr(at, '\n', (size_t)(end - at)));
         at = stop + 1) {
        double time_s;
        int64_t id;
        Birth *birth = read_row(at, (size_t)(stop - at), &time_s, &id) ? find(births, id) : NULL;
        if (birth && time_s < birth->time_s)
            birth->time_s = time_s;
    }
    dew_free(&births->births.allocator, data, size + 1);
    return dew_ok();
}

// ---- attributes --------------------------------------------------------------------------------

int dew_surface_attributes(const dew_OutputDef *output, bool has_drops)
{
    if (output->surface != DEW_SURFACE_PLY && output->surface != DEW_SURFACE_VTP)
        return 0;
    return output->attributes & (has_drops ? ~0 : DEW_ATTRIBUTE_CURVATURE);
}

/// Ids are exact in single precision below 2^24. A vertex without a triangle belongs to no drop: 0.
static dew_Status add_drops(const dew_SurfaceValues *from, bool is_age, const dew_Surface *surface,
                            dew_Mesh *mesh)
{
    const dew_DropTracker *tracker = from->drops;
    const uint32_t *pieces = DEW_ITEMS(&surface->pieces, const uint32_t);
    const int32_t *piece_drops = DEW_ITEMS(&tracker->piece_drops, const int32_t);
    const dew_DropRecord *drops = DEW_ITEMS(&tracker->drops, const dew_DropRecord);
    float *values;
    DEW_TRY(dew_mesh_attribute(mesh, is_age ? "age" : "drop", &values));
    uint32_t last = DEW_NO_COMPONENT;  // vertices of a piece mostly follow one another
    float value = 0;
    for (int64_t i = 0; i < mesh->positions.count; i++) {
        if (pieces[i] != last) {
            last = pieces[i];
            int64_t id = last == DEW_NO_COMPONENT ? 0 : drops[piece_drops[last]].id;
            const Birth *birth = is_age ? find(from->births, id) : NULL;
            value = is_age ? (float)(birth ? tracker->time_s - birth->time_s : 0) : (float)id;
        }
        values[i] = value;
    }
    return dew_ok();
}

dew_Status dew_surface_add_values(const dew_SurfaceValues *values, const dew_Surface *surface,
                                  dew_Mesh *mesh)
{
    float *curvature;
    if (values->attributes & DEW_ATTRIBUTE_DROP)
        DEW_TRY(add_drops(values, false, surface, mesh));
    if (values->attributes & DEW_ATTRIBUTE_AGE)
        DEW_TRY(add_drops(values, true, surface, mesh));
    if (!(values->attributes & DEW_ATTRIBUTE_CURVATURE))
        return dew_ok();
    DEW_TRY(dew_mesh_attribute(mesh, "curvature", &curvature));
    return dew_mesh_mean_curvature(mesh, DEW_ITEMS(&surface->normals, const dew_Vec3), curvature);
}
