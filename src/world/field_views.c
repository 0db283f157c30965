// Fields and particles of a world for readers, and initial conditions by value (dew/fields.h).
#include "dew/fields.h"

#include "base/status.h"
#include "world/world_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FRACTION "volume_fraction"

static const char *solver_name(const dew_World *world)
{
    return world->ops->traits->name;
}

// What the solver has, and behind it what is computed, without its values.
static void list_fields(const dew_World *world, dew_FieldViews *out)
{
    *out = (dew_FieldViews){.count = 0};
    if (world->ops->field_views)
        world->ops->field_views(world->state, out);
    if (!world->ops->volume_fractions)
        return;
    dew_FieldView fraction = out->field[0];  // phi, whose bricks it shares
    fraction.name = FRACTION;
    fraction.unit = "1";
    fraction.missing = 0;
    fraction.values = NULL;
    out->field[out->count++] = fraction;
}

int dew_world_field_count(const dew_World *world)
{
    dew_FieldViews views;
    list_fields(world, &views);
    return views.count;
}

const char *dew_world_field_name(const dew_World *world, int index)
{
    dew_FieldViews views;
    list_fields(world, &views);
    return index >= 0 && index < views.count ? views.field[index].name : NULL;
}

static dew_Status compute_fraction(dew_World *world, dew_FieldView *view)
{
    dew_Array *fraction = &world->view.fraction;
    if (world->view.fraction_of != world->version) {
        DEW_TRY(dew_array_resize(fraction, view->value_count));
        if (view->value_count > 0)
            DEW_TRY(world->ops->volume_fractions(world->state, fraction->data));
        world->view.fraction_of = world->version;
    }
    view->values = fraction->data;
    return dew_ok();
}

// "a, b, c", as far as it fits.
typedef struct NameList {
    char text[DEW_MESSAGE_SIZE / 2];
} NameList;
static void add_name(NameList *list, const char *name)
{
    size_t length = strlen(list->text);
    snprintf(list->text + length, sizeof list->text - length, "%s%s", length > 0 ? ", " : "", name);
}

dew_Status dew_world_field(dew_World *world, const char *name, dew_FieldView *out)
{
    dew_FieldViews views;
    NameList names = {""};
    list_fields(world, &views);
    for (int i = 0; i < views.count; i++) {
        add_name(&names, views.field[i].name);
        if (strcmp(name, views.field[i].name) == 0) {
            *out = views.field[i];
            return strcmp(name, FRACTION) == 0 ? compute_fraction(world, out) : dew_ok();
        }
    }
    return dew_fail(DEW_UNSUPPORTED, "solver %s has no field '%.60s' (it has %s)",
                    solver_name(world), name, views.count > 0 ? names.text : "none");
}

dew_Status dew_world_field_box(dew_World *world, const char *name, dew_CellBox *out)
{
    dew_FieldView view;
    DEW_TRY(dew_world_field(world, name, &view));
    *out = dew_field_view_box(&view);
    return dew_ok();
}

dew_Status dew_world_field_copy(dew_World *world, const char *name, const dew_CellBox *box,
                                double *out, int64_t count)
{
    dew_FieldView view;
    DEW_TRY(dew_world_field(world, name, &view));
    return dew_field_view_copy(&view, box, out, count);
}

// ---- particles ---------------------------------------------------------------------------------

static void list_particles(const dew_World *world, dew_ParticleViews *out)
{
    *out = (dew_ParticleViews){.count = 0};
    if (world->ops->particle_views)
        world->ops->particle_views(world->state, out);
}

int dew_world_particle_set_count(const dew_World *world)
{
    dew_ParticleViews views;
    list_particles(world, &views);
    return views.count;
}

dew_Status dew_world_particle_set(const dew_World *world, int index, dew_ParticleSet *out)
{
    dew_ParticleViews views;
    list_particles(world, &views);
    if (index < 0 || index >= views.count)
        return dew_fail(DEW_BAD_INPUT, "there is no particle set %d (solver %s has %d)", index,
                        solver_name(world), views.count);
    *out = views.set[index].info;
    return dew_ok();
}

static dew_Status find_set(const dew_World *world, const dew_ParticleViews *views, const char *set,
                           int *out)
{
    NameList names = {""};
    for (int i = 0; i < views->count; i++) {
        add_name(&names, views->set[i].info.name);
        if (strcmp(set, views->set[i].info.name) == 0) {
            *out = i;
            return dew_ok();
        }
    }
    return dew_fail(DEW_UNSUPPORTED, "solver %s has no particles '%.60s' (it has %s)",
                    solver_name(world), set, views->count > 0 ? names.text : "none");
}

dew_Status dew_world_particle_attribute(const dew_World *world, const char *set, int index,
                                        dew_ArrayView *out)
{
    dew_ParticleViews views;
    int number = 0;
    list_particles(world, &views);
    DEW_TRY(find_set(world, &views, set, &number));
    if (index < 0 || index >= views.set[number].info.attribute_count)
        return dew_fail(DEW_BAD_INPUT, "particles '%s' have no attribute %d (there are %d)", set,
                        index, views.set[number].info.attribute_count);
    *out = views.set[number].attribute[index];
    return dew_ok();
}

dew_Status dew_world_particles(const dew_World *world, const char *set, const char *attribute,
                               dew_ArrayView *out)
{
    dew_ParticleViews views;
    NameList names = {""};
    int number = 0;
    list_particles(world, &views);
    DEW_TRY(find_set(world, &views, set, &number));
    for (int i = 0; i < views.set[number].info.attribute_count; i++) {
        const dew_ArrayView *view = &views.set[number].attribute[i];
        add_name(&names, view->name);
        if (strcmp(attribute, view->name) == 0) {
            *out = *view;
            return dew_ok();
        }
    }
    return dew_fail(DEW_UNSUPPORTED, "particles '%s' have no attribute '%.60s' (they have %s)", set,
                    attribute, names.text);
}

// ---- setting the state -------------------------------------------------------------------------

// After the state was changed by hand: what is derived from it.
static void changed(dew_World *world)
{
    dew_Instant instant = dew_world_instant(world);
    dew_world_measure(world, &instant);
    world->version++;
}

dew_Status dew_world_set_velocity(dew_World *world, const dew_VelocityField *velocity)
{
    if (!world->ops->set_velocity)
        return dew_fail(DEW_UNSUPPORTED, "the velocity of solver %s cannot be set",
                        solver_name(world));
    if (!velocity->velocity_m_s)
        return dew_fail(DEW_BAD_INPUT, "a velocity at points is needed");
    DEW_TRY(world->ops->set_velocity(world->state, velocity, world->clock.time_s));
    changed(world);
    return dew_ok();
}

static dew_Status check_columns(const dew_ColumnsDef *def)
{
    const double *const arrays[4] = {def->depth_m, def->ground_m, def->u_m_s, def->w_m_s};
    for (int k = 0; k < 4; k++)
        for (int64_t n = 0; arrays[k] && n < def->count; n++)
            if (!isfinite(arrays[k][n]) || (k == 0 && arrays[k][n] < 0))
                return dew_fail(DEW_BAD_INPUT, "value %lld of a column is %g", (long long)n,
                                arrays[k][n]);
    return dew_ok();
}

dew_Status dew_world_set_columns(dew_World *world, const dew_ColumnsDef *def)
{
    if (!world->ops->set_columns)
        return dew_fail(DEW_UNSUPPORTED, "solver %s has no columns", solver_name(world));
    dew_HeightView view = world->ops->heights(world->state);
    if (def->count != (int64_t)view.columns * view.rows)
        return dew_fail(
            DEW_BAD_INPUT, "expected %lld values, one for each of %d x %d columns; got %lld",
            (long long)view.columns * view.rows, view.columns, view.rows, (long long)def->count);
    DEW_TRY(check_columns(def));
    DEW_TRY(world->ops->set_columns(world->state, def));
    DEW_TRY(world->ops->restored(world->problem, world->state));
    changed(world);
    dew_WorldClock *clock = &world->clock;
    clock->entered_m3 = world->measure.volume_m3 - clock->added_m3 + clock->removed_m3;
    return dew_ok();
}
