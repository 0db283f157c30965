// Field tables: see field_table.h.
#include "solvers/field_table.h"

#include "base/status.h"
#include "grid/particles.h"

#include <string.h>

static bool exists(const dew_FieldRow *row, unsigned features)
{
    return (row->needs & ~features) == 0;
}

static int *index_in(const dew_FieldRow *row, const void *state)
{
    return (int *)((char *)state + row->offset);
}

// The value of a field in bricks that are new, as bytes.
static dew_Status add_field(const dew_FieldRow *row, dew_Grid *grid, int *out)
{
    double initial = row->initial * (row->is_initial_cells ? grid->cell_m : 1);
    float single;
    int32_t number;
    uint8_t byte;
    const void *fresh = NULL;
    size_t size = 0;
    switch (row->type) {
    case DEW_FIELD_F64:
        fresh = &initial, size = sizeof initial;
        break;
    case DEW_FIELD_F32:
        single = (float)initial, fresh = &single, size = sizeof single;
        break;
    case DEW_FIELD_I32:
        number = (int32_t)initial, fresh = &number, size = sizeof number;
        break;
    case DEW_FIELD_U8:
        byte = (uint8_t)initial, fresh = &byte, size = sizeof byte;
        break;
    case DEW_FIELD_I64:
    case DEW_FIELD_U64:
    case DEW_FIELD_U32:
        return dew_fail(DEW_UNSUPPORTED, "grid field %s has no such type", row->name);
    }
    DEW_ASSERT(row->components == 1 || row->initial == 0);
    return dew_grid_add_field(grid, row->name, row->place, size * (size_t)row->components,
                              row->initial == 0 ? NULL : fresh, out);
}

dew_Status dew_field_table_create(const dew_FieldRow *rows, int count, unsigned features,
                                  dew_Grid *grid, void *state)
{
    for (int i = 0; i < count; i++)
        if (exists(&rows[i], features))
            DEW_TRY(add_field(&rows[i], grid, index_in(&rows[i], state)));
    return dew_ok();
}

static dew_GridField *field_of(const dew_FieldRow *row, const dew_Grid *grid, const void *state)
{
    return &DEW_ITEMS(&grid->fields, dew_GridField)[*index_in(row, state)];
}

void dew_field_table_list(const dew_FieldRow *rows, int count, unsigned features,
                          const dew_Grid *grid, const void *state, dew_FieldList *out)
{
    for (int i = 0; i < count; i++)
        if (exists(&rows[i], features) && rows[i].role == DEW_FIELD_STATE)
            dew_field_list_array(out, rows[i].name, rows[i].type,
                                 rows[i].components * grid->brick_cells,
                                 &field_of(&rows[i], grid, state)->bricks);
}

dew_Status dew_field_table_check(const dew_FieldRow *rows, int count, unsigned features,
                                 const dew_Grid *grid, const void *state)
{
    for (int i = 0; i < count; i++) {
        if (!exists(&rows[i], features) || rows[i].role != DEW_FIELD_STATE)
            continue;
        int64_t bricks = field_of(&rows[i], grid, state)->bricks.count;
        if (bricks != grid->keys.count)
            return dew_fail(DEW_CORRUPT, "field %s has %lld bricks, the grid %lld", rows[i].name,
                            (long long)bricks, (long long)grid->keys.count);
    }
    return dew_ok();
}

void dew_field_list_array(dew_FieldList *out, const char *name, dew_FieldType type, int components,
                          dew_Array *array)
{
    DEW_ASSERT(out->count < DEW_MAX_FIELDS);
    out->field[out->count++] =
        (dew_Field){.name = name, .type = type, .components = components, .array = array};
}

void dew_field_list_block(dew_FieldList *out, const char *name, dew_FieldType type, int components,
                          void *block)
{
    DEW_ASSERT(out->count < DEW_MAX_FIELDS);
    out->field[out->count++] = (dew_Field){
        .name = name, .type = type, .components = components, .block = block, .block_count = 1};
}

void dew_field_list_nest(dew_FieldList *out, int first, const char *part)
{
    for (int i = first; i < out->count; i++)
        out->field[i].part = part;
}

// ---- particles for readers ---------------------------------------------------------------------

void dew_particle_views_begin(dew_ParticleViews *out, const char *name, int64_t count)
{
    DEW_ASSERT(out->count < DEW_MAX_VIEWS);
    out->set[out->count++].info = (dew_ParticleSet){.name = name, .count = count};
}

void dew_particle_views_add(dew_ParticleViews *out, const char *name, const char *unit,
                            dew_FieldType type, int components, size_t stride, const void *values)
{
    dew_ParticleSet *info = &out->set[out->count - 1].info;
    DEW_ASSERT(info->attribute_count < DEW_MAX_VIEWS);
    out->set[out->count - 1].attribute[info->attribute_count++] =
        (dew_ArrayView){.name = name,
                        .unit = unit,
                        .type = type,
                        .components = components,
                        .count = info->count,
                        .stride_bytes = (int64_t)stride,
                        .values = values};
}

void dew_particle_views_begin_particles(dew_ParticleViews *out, const char *name,
                                        const dew_Particles *particles)
{
    static const char *const axes[3] = {"position_x", "position_y", "position_z"};
    dew_particle_views_begin(out, name, particles->count);
    for (int a = 0; a < 3; a++)
        dew_particle_views_add(out, axes[a], "m", DEW_FIELD_F64, 1, sizeof(double),
                               dew_particles_axis(particles, a));
    dew_particle_views_add(out, "id", "1", DEW_FIELD_U64, 1, sizeof(uint64_t),
                           dew_particles_ids(particles));
}
