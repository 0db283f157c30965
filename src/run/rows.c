// The rows of stats.csv and drops.csv.
#include "run/run_state.h"

#include <math.h>
#include <stdio.h>

const char dew_stats_header[] =
    "step,time,dt,drops,volume,volume_error,area,kinetic_energy,surface_energy,gravity_energy,"
    "center_x,center_y,center_z,velocity_x,velocity_y,velocity_z,top,max_speed,contact_area,"
    "contact_angle,contact_angle_min,contact_angle_max,elements,particles,iterations,bound,"
    "viscosity,retries,repairs,cpu_s";

const char dew_drops_header[] =
    "frame,time,id,parents,volume,area,center_x,center_y,center_z,velocity_x,velocity_y,velocity_z,"
    "contact_area,contact_angle";

static void add_vec(dew_Row *row, dew_Vec3 v)
{
    dew_row_number(row, v.x);
    dew_row_number(row, v.y);
    dew_row_number(row, v.z);
}

static void add_degrees(dew_Row *row, double angle_rad)
{
    dew_row_number(row, angle_rad * (180 / DEW_PI));
}

dew_Status dew_run_add_stats(dew_Run *run, const dew_Stats *s)
{
    dew_Row row;
    dew_row_begin(&row);
    dew_row_integer(&row, s->step);
    dew_row_number(&row, s->time_s);
    dew_row_number(&row, s->dt_s);
    dew_row_integer(&row, s->drops);
    dew_row_number(&row, s->volume_m3);
    dew_row_number(&row, s->volume_error);
    dew_row_number(&row, s->area_m2);
    dew_row_number(&row, s->kinetic_J);
    dew_row_number(&row, s->surface_J);
    dew_row_number(&row, s->gravity_J);
    add_vec(&row, s->center_m);
    add_vec(&row, s->velocity_m_s);
    dew_row_number(&row, s->top_m);
    dew_row_number(&row, s->max_speed_m_s);
    dew_row_number(&row, s->contact_area_m2);
    add_degrees(&row, s->contact_angle_rad);
    add_degrees(&row, s->contact_angle_min_rad);
    add_degrees(&row, s->contact_angle_max_rad);
    dew_row_integer(&row, s->elements);
    dew_row_integer(&row, s->particles);
    dew_row_integer(&row, s->iterations);
    dew_row_text(&row, s->bound);
    dew_row_number(&row, s->max_viscosity_m2_s > 0 ? s->max_viscosity_m2_s : (double)NAN);
    dew_row_integer(&row, s->retries);
    dew_row_integer(&row, s->repairs);
    dew_row_number(&row, s->cpu_s);
    return dew_run_table_add(&run->stats, &row);
}

/// "3;5": empty when it was not born by merge or split.
static void add_parents(dew_Row *row, const dew_DropRecord *drop)
{
    char text[DEW_MAX_DROP_LINKS * 21 + 1] = "";
    size_t used = 0;
    for (int i = 0; i < drop->parent_count && i < DEW_MAX_DROP_LINKS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%lld", i > 0 ? ";" : "",
                                 (long long)drop->parents[i]);
    dew_row_text(row, text);
}

dew_Status dew_run_add_drops(dew_Run *run, int64_t frame, double time_s)
{
    for (int64_t i = 0; i < run->drops.drops.count; i++) {
        const dew_DropRecord *drop = &DEW_ITEMS(&run->drops.drops, dew_DropRecord)[i];
        dew_Row row;
        dew_row_begin(&row);
        dew_row_integer(&row, frame);
        dew_row_number(&row, time_s);
        dew_row_integer(&row, drop->id);
        add_parents(&row, drop);
        dew_row_number(&row, drop->volume_m3);
        dew_row_number(&row, drop->area_m2);
        add_vec(&row, drop->center_m);
        add_vec(&row, drop->velocity_m_s);
        dew_row_number(&row, drop->contact_area_m2);
        add_degrees(&row, drop->contact_angle_rad);
        DEW_TRY(dew_run_table_add(&run->drop_rows, &row));
    }
    return dew_ok();
}
