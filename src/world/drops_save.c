// The tracker of drops in a checkpoint.
#include "base/status.h"
#include "surface/drop_match.h"
#include "world/liquid_view.h"

#include <stdio.h>

typedef struct Name {
    char text[64];
} Name;

static Name section_name(const char *prefix, const char *what)
{
    Name name;
    snprintf(name.text, sizeof name.text, "%s.%s", prefix, what);
    return name;
}

static void write_array(dew_SectionWriter *writer, const char *name, const dew_Array *array)
{
    dew_sections_add(writer, name, DEW_FIELD_U8, (int)array->element_size, array->data,
                     array->count);
}

void dew_drops_write(const dew_DropTracker *tracker, const char *prefix, dew_SectionWriter *writer)
{
    dew_sections_add(writer, section_name(prefix, "next_id").text, DEW_FIELD_I64, 1,
                     &tracker->next_id, 1);
    dew_sections_add(writer, section_name(prefix, "time").text, DEW_FIELD_F64, 1, &tracker->time_s,
                     1);
    write_array(writer, section_name(prefix, "records").text, &tracker->drops);
    write_array(writer, section_name(prefix, "points").text, &tracker->points);
}

static dew_Status check_tracker(const dew_DropTracker *tracker)
{
    if (tracker->next_id < 0)
        return dew_fail(DEW_CORRUPT, "the saved state has a negative drop id");
    for (int64_t i = 0; i < tracker->drops.count; i++) {
        const dew_DropRecord *drop = &DEW_ITEMS(&tracker->drops, dew_DropRecord)[i];
        if (drop->id < 0 || drop->id >= tracker->next_id || drop->parent_count < 0 ||
            drop->parent_count > DEW_MAX_DROP_LINKS || drop->piece < 0)
            return dew_fail(DEW_CORRUPT, "drop %lld of the saved state is impossible",
                            (long long)i);
    }
    int32_t before = 0;  // the points of one drop lie together, in the order of the drops
    for (int64_t i = 0; i < tracker->points.count; i++) {
        int32_t drop = DEW_ITEMS(&tracker->points, dew_DropPoint)[i].drop;
        if (drop < before || drop >= tracker->drops.count)
            return dew_fail(DEW_CORRUPT, "a point of the saved drops belongs to none of them");
        before = drop;
    }
    return dew_ok();
}

static dew_Status read_array(const dew_SectionReader *reader, const char *name, dew_Array *array)
{
    dew_Section section;
    DEW_TRY(dew_sections_get(reader, name, DEW_FIELD_U8, (int)array->element_size, -1, &section));
    return dew_array_append(array, section.data, section.count);
}

dew_Status dew_drops_read(dew_DropTracker *tracker, const char *prefix,
                          const dew_SectionReader *reader)
{
    DEW_TRY(dew_sections_copy(reader, section_name(prefix, "next_id").text, DEW_FIELD_I64, 1, 1,
                              &tracker->next_id));
    DEW_TRY(dew_sections_copy(reader, section_name(prefix, "time").text, DEW_FIELD_F64, 1, 1,
                              &tracker->time_s));
    DEW_TRY(read_array(reader, section_name(prefix, "records").text, &tracker->drops));
    DEW_TRY(read_array(reader, section_name(prefix, "points").text, &tracker->points));
    return check_tracker(tracker);
}
