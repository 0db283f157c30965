// One list of fields drives retry, checks, determinism hash and saving, as in MuJoCo.
#include "world/fields.h"

#include "base/hash.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const void *dew_field_data(const dew_Field *field)
{
    return field->array ? field->array->data : field->block;
}

int64_t dew_field_count(const dew_Field *field)
{
    return field->array ? field->array->count : field->block_count;
}

static size_t element_bytes(const dew_Field *field)
{
    return (size_t)field->components * dew_field_type_size(field->type);
}

size_t dew_field_bytes(const dew_Field *field)
{
    DEW_ASSERT(!field->array || field->array->element_size == element_bytes(field));
    return (size_t)dew_field_count(field) * element_bytes(field);
}

// ---- snapshot ----------------------------------------------------------------------------------

void dew_snapshot_init(dew_Snapshot *snapshot, const dew_Allocator *allocator)
{
    snapshot->count = 0;
    memset(snapshot->finite, 0, sizeof snapshot->finite);
    for (int i = 0; i < DEW_MAX_FIELDS; i++)
        dew_array_init(&snapshot->bytes[i], allocator, 1);
}

void dew_snapshot_deinit(dew_Snapshot *snapshot)
{
    for (int i = 0; i < DEW_MAX_FIELDS; i++)
        dew_array_deinit(&snapshot->bytes[i]);
}

/// Elements, from the first, that a copy of so many has already.
static int64_t unchanged_count(const dew_Field *field, int64_t copied)
{
    if (!field->unchanged)
        return 0;
    return *field->unchanged < copied ? *field->unchanged : copied;
}

typedef struct Copy {
    const uint8_t *from;
    uint8_t *to;
} Copy;

static dew_Status copy_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Copy *copy = context;
    memcpy(copy->to + begin, copy->from + begin, (size_t)(end - begin));
    return dew_ok();
}

/// Copies what is not known to be in the copy already.
static dew_Status take_field(dew_Array *bytes, const dew_Field *field, dew_Tasks *tasks)
{
    int64_t element = (int64_t)element_bytes(field), size = (int64_t)dew_field_bytes(field);
    int64_t same = element * unchanged_count(field, bytes->count / element);
    DEW_ASSERT(same <= size);
    DEW_ASSERT(same == 0 || memcmp(dew_field_data(field), bytes->data, (size_t)same) == 0);
    bytes->count = same;  // nothing else of the old is worth copying when it grows
    dew_Status status = dew_array_resize(bytes, size);
    if (status.code != DEW_OK) {
        bytes->count = 0;
        return status;
    }
    if (size == same)
        return dew_ok();
    Copy copy = {(const uint8_t *)dew_field_data(field) + same, (uint8_t *)bytes->data + same};
    return dew_parallel_for(tasks, size - same, DEW_CHUNK_COPIES * (int64_t)sizeof(double),
                            copy_chunk, &copy);
}

dew_Status dew_snapshot_take(dew_Snapshot *snapshot, const dew_FieldList *fields, dew_Tasks *tasks)
{
    snapshot->count = 0;
    for (int i = 0; i < fields->count; i++) {
        snapshot->finite[i] = unchanged_count(&fields->field[i], snapshot->finite[i]);
        DEW_TRY(take_field(&snapshot->bytes[i], &fields->field[i], tasks));
    }
    for (int i = 0; i < fields->count; i++)  // several fields may have one count
        if (fields->field[i].unchanged)
            *fields->field[i].unchanged = dew_field_count(&fields->field[i]);
    snapshot->count = fields->count;
    return dew_ok();
}

void dew_snapshot_trim(dew_Snapshot *snapshot, const dew_FieldList *fields)
{
    size_t needed = 0, held = 0;
    for (int i = 0; i < fields->count; i++) {
        const dew_Array *array = fields->field[i].array;
        if (!array)
            continue;
        needed += dew_field_bytes(&fields->field[i]);
        held += (size_t)array->capacity * array->element_size;
    }
    if (!dew_demand_note(&snapshot->demand, needed, held))
        return;
    dew_snapshot_deinit(snapshot);
    for (int i = 0; i < fields->count; i++)
        if (fields->field[i].array)
            dew_array_shrink(fields->field[i].array);
}

static dew_Status fill_field(const dew_Field *field, const void *data, size_t size)
{
    if (field->array)
        DEW_TRY(dew_array_resize(field->array, (int64_t)(size / element_bytes(field))));
    if (size > 0)
        memcpy(field->array ? field->array->data : field->block, data, size);
    return dew_ok();
}

dew_Status dew_snapshot_put_back(const dew_Snapshot *snapshot, const dew_FieldList *fields)
{
    DEW_ASSERT(snapshot->count == fields->count);
    for (int i = 0; i < fields->count; i++)
        DEW_TRY(fill_field(&fields->field[i], snapshot->bytes[i].data,
                           (size_t)snapshot->bytes[i].count));
    return dew_ok();
}

// ---- checks and hash ---------------------------------------------------------------------------

// All of them, fast: zero times a number that is none, or infinite, is none. Eight sums do not wait
// for each other.
#define IS_FINITE(Real, name)                                                                      \
    static bool name(const Real *x, int64_t count)                                                 \
    {                                                                                              \
        Real zero[8] = {0};                                                                        \
        for (int64_t i = 0; i + 8 <= count; i += 8)                                                \
            for (int k = 0; k < 8; k++)                                                            \
                zero[k] += 0 * x[i + k];                                                           \
        for (int64_t i = count & ~(int64_t)7; i < count; i++)                                      \
            zero[0] += 0 * x[i];                                                                   \
        for (int k = 1; k < 8; k++)                                                                \
            zero[0] += zero[k];                                                                    \
        return zero[0] == 0;                                                                       \
    }

IS_FINITE(double, is_finite)
IS_FINITE(float, is_finite_f32)

typedef struct FiniteCheck {
    const dew_Field *field;
    int64_t first;  // number
} FiniteCheck;

static dew_Status check_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const FiniteCheck *check = context;
    const dew_Field *field = check->field;
    begin += check->first;
    end += check->first;
    const void *data = dew_field_data(field);
    if (field->type == DEW_FIELD_F64 ? is_finite((const double *)data + begin, end - begin)
                                     : is_finite_f32((const float *)data + begin, end - begin))
        return dew_ok();
    for (int64_t i = begin; i < end; i++) {
        double x = field->type == DEW_FIELD_F64 ? ((const double *)data)[i]
                                                : (double)((const float *)data)[i];
        if (!isfinite(x))
            return dew_fail(DEW_DIVERGED, "%s[%lld] is %s", field->name,
                            (long long)(i / field->components), isnan(x) ? "NaN" : "infinite");
    }
    return dew_ok();
}

/// Elements from `first` on.
static dew_Status check_field(const dew_Field *field, int64_t first, dew_Tasks *tasks)
{
    if (field->type != DEW_FIELD_F64 && field->type != DEW_FIELD_F32)
        return dew_ok();
    FiniteCheck check = {field, first * field->components};
    return dew_parallel_for(tasks, (dew_field_count(field) - first) * field->components,
                            DEW_CHUNK_COPIES, check_chunk, &check);
}

dew_Status dew_fields_check_finite(const dew_FieldList *fields, dew_Tasks *tasks)
{
    for (int i = 0; i < fields->count; i++)
        DEW_TRY(check_field(&fields->field[i], 0, tasks));
    return dew_ok();
}

dew_Status dew_snapshot_check_finite(dew_Snapshot *snapshot, const dew_FieldList *fields,
                                     dew_Tasks *tasks)
{
    for (int i = 0; i < fields->count; i++) {
        const dew_Field *field = &fields->field[i];
        DEW_TRY(check_field(field, unchanged_count(field, snapshot->finite[i]), tasks));
        snapshot->finite[i] = dew_field_count(field);
    }
    return dew_ok();
}

uint64_t dew_fields_hash(const dew_FieldList *fields, uint64_t seed)
{
    for (int i = 0; i < fields->count; i++) {
        const dew_Field *field = &fields->field[i];
        int64_t count = dew_field_count(field);
        seed = dew_hash(&count, sizeof count, seed);
        if (count > 0)
            seed = dew_hash(dew_field_data(field), dew_field_bytes(field), seed);
    }
    return seed;
}

// ---- sections ----------------------------------------------------------------------------------

static void section_name(const dew_Field *field, char out[DEW_SECTION_NAME_SIZE])
{
    int length = snprintf(out, DEW_SECTION_NAME_SIZE, "solver.%s%s%s",
                          field->part ? field->part : "", field->part ? "." : "", field->name);
    DEW_ASSERT(length < DEW_SECTION_NAME_SIZE);
    (void)length;
}

void dew_fields_write(const dew_FieldList *fields, dew_SectionWriter *writer)
{
    for (int i = 0; i < fields->count; i++) {
        const dew_Field *field = &fields->field[i];
        char name[DEW_SECTION_NAME_SIZE];
        section_name(field, name);
        dew_sections_add(writer, name, field->type, field->components, dew_field_data(field),
                         dew_field_count(field));
    }
}

static dew_Status get_field(const dew_Field *field, const dew_SectionReader *reader,
                            dew_Section *out)
{
    char name[DEW_SECTION_NAME_SIZE];
    section_name(field, name);
    return dew_sections_get(reader, name, field->type, field->components,
                            field->array ? -1 : field->block_count, out);
}

dew_Status dew_fields_check_sections(const dew_FieldList *fields, const dew_SectionReader *reader)
{
    dew_Section section;
    for (int i = 0; i < fields->count; i++)
        DEW_TRY(get_field(&fields->field[i], reader, &section));
    return dew_ok();
}

dew_Status dew_fields_read(const dew_FieldList *fields, const dew_SectionReader *reader)
{
    dew_Section section;
    for (int i = 0; i < fields->count; i++) {
        DEW_TRY(get_field(&fields->field[i], reader, &section));
        DEW_TRY(fill_field(&fields->field[i], section.data, dew_section_bytes(&section)));
    }
    return dew_ok();
}
