// Figures as text.
#include "view/panel.h"

#include "support/system.h"
#include "support/vec.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MESSAGE_S 6.0  // how long a message stays

typedef struct Lines {
    char *text;
    size_t size, length;
} Lines;

static void add(Lines *lines, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(Lines *lines, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int count =
        vsnprintf(lines->text + lines->length, lines->size - lines->length, format, arguments);
    va_end(arguments);
    if (count > 0)
        lines->length += (size_t)count;
    if (lines->length >= lines->size)
        lines->length = lines->size - 1;
}

static void add_clock(Lines *lines, const dew_Figures *figures, const dew_Controls *c,
                      const dew_ViewState *instant)
{
    add(lines, "t %.3f s  frame %lld", instant->time_s, (long long)instant->frame);
    if (dew_session_is_paused(c->session))
        add(lines, "  paused");
    else if (instant->frames_per_s > 0)
        add(lines, "  %.1f steps/s", instant->frames_per_s);
    if (figures->image_s > 0)
        add(lines, "  %.1f images/s", 1 / figures->image_s);
    if (c->pace != 1)
        add(lines, "  speed x%.3g", c->pace);
    add(lines, "%s\n", figures->is_recording ? "  recording" : "");
}

static void add_values(Lines *lines, const dew_Controls *c, const dew_ViewState *instant)
{
    const char *name = "";
    if (dew_scene_material_count(c->scene) > 0) {
        const dew_MaterialDef *material = &instant->materials[c->material];
        (void)dew_scene_material(c->scene, c->material, &name);
        add(lines, "%.20s %.0f/%.0f deg  ", name, material->advancing_rad / DEW_DEG(1),
            material->receding_rad / DEW_DEG(1));
    }
    dew_Vec3 usual = dew_scene_def(c->scene)->gravity_m_s2, now = instant->gravity_m_s2;
    double both = dew_v3_length(usual) * dew_v3_length(now);
    double turned = both > 0 ? acos(fmin(fmax(dew_v3_inner(usual, now) / both, -1), 1)) : 0;
    add(lines, "tension %.3g mN/m  wind %.3g m/s  tilt %.0f deg  drop %.3g mm\n",
        instant->surface_tension_N_m * 1e3, dew_v3_length(instant->wind_m_s), turned / DEW_DEG(1),
        c->drop_radius_m * 1e3);
}

void dew_panel_figures(const dew_Figures *figures, const dew_Controls *controls,
                       const dew_ViewState *instant, char *out, size_t size)
{
    Lines lines = {out, size, 0};
    const dew_Stats *stats = &instant->stats;
    const char *title = dew_scene_def(controls->scene)->title;
    add(&lines, "%.90s\n", title && *title ? title : "Dew");
    add_clock(&lines, figures, controls, instant);
    add(&lines, "drops %lld  triangles %lld", (long long)stats->drops,
        (long long)dew_surface_triangle_count(instant->surface));
    if (isfinite(stats->volume_error))
        add(&lines, "  volume error %.1e", stats->volume_error);
    add(&lines, "\n");
    add_values(&lines, controls, instant);
    bool has_message = figures->message[0] && dew_app_wall_s() - figures->message_s < MESSAGE_S;
    add(&lines, "%.120s", has_message ? figures->message : "h: help");
}

void dew_panel_line(const dew_ViewState *instant, char *out, size_t size)
{
    const dew_Stats *stats = &instant->stats;
    snprintf(out, size,
             "t = %.17g s, frame %lld, drops %lld, triangles %lld, volume %.17g m^3, volume error "
             "%.3g",
             instant->time_s, (long long)instant->frame, (long long)stats->drops,
             (long long)dew_surface_triangle_count(instant->surface), stats->volume_m3,
             stats->volume_error);
}

double dew_panel_progress(const dew_ViewState *instant, const dew_Scene *scene)
{
    return fmin(fmax(instant->time_s / dew_scene_def(scene)->duration_s, 0), 1);
}
