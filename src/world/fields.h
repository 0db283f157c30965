/// A solver's state as World sees it: a list of fields, copied, checked, hashed, saved without
/// knowing what they mean.
#pragma once

#include "world/sections.h"

/// A copy of all fields to go back to. Its memory is kept from step to step.
typedef struct dew_Snapshot {
    dew_Array bytes[DEW_MAX_FIELDS];  // of uint8_t
    int64_t finite[DEW_MAX_FIELDS];   // elements, from the first, that were found finite
    int count;
    dew_Demand demand;
} dew_Snapshot;

void dew_snapshot_init(dew_Snapshot *snapshot, const dew_Allocator *allocator);
void dew_snapshot_deinit(dew_Snapshot *snapshot);
dew_Status dew_snapshot_take(dew_Snapshot *snapshot, const dew_FieldList *fields, dew_Tasks *tasks);
/// Gives back the memory of the fields' arrays, and of the copy, by the rule of base/demand.h. Once
/// a step, before the copy is taken.
void dew_snapshot_trim(dew_Snapshot *snapshot, const dew_FieldList *fields);
/// Puts the fields back as they were. Needs no memory, as arrays keep theirs.
dew_Status dew_snapshot_put_back(const dew_Snapshot *snapshot, const dew_FieldList *fields);

const void *dew_field_data(const dew_Field *field);
int64_t dew_field_count(const dew_Field *field);  // elements
size_t dew_field_bytes(const dew_Field *field);

/// DEW_DIVERGED with the field's name when a floating-point number is not finite.
dew_Status dew_fields_check_finite(const dew_FieldList *fields, dew_Tasks *tasks);
/// The same, of elements that may have changed since they were last found finite.
dew_Status dew_snapshot_check_finite(dew_Snapshot *snapshot, const dew_FieldList *fields,
                                     dew_Tasks *tasks);
uint64_t dew_fields_hash(const dew_FieldList *fields, uint64_t seed);

/// Sections "solver.NAME".
void dew_fields_write(const dew_FieldList *fields, dew_SectionWriter *writer);
/// Checks that the sections fit the fields; changes nothing.
dew_Status dew_fields_check_sections(const dew_FieldList *fields, const dew_SectionReader *reader);
/// Fills the fields from sections that have been checked. Fails on lack of memory only.
dew_Status dew_fields_read(const dew_FieldList *fields, const dew_SectionReader *reader);
