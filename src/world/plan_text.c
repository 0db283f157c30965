// The plan as text: a line for each thing.
#include "dew/text.h"
#include "world/plan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define CUT_SHARE 0.05  // of the liquid: so much less than its shapes have is worth a line

typedef struct Lines {
    char *out;
    size_t size, used;
} Lines;

static void __attribute__((format(printf, 3, 4)))
line(Lines *lines, const char *name, const char *format, ...)
{
    char words[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    size_t left = lines->size - lines->used;
    int length = snprintf(lines->out + lines->used, left, "%-12s%s\n", name, words);
    lines->used += length < 0 ? 0 : (size_t)length < left ? (size_t)length : left - (left > 0);
}

static const char *step_text(double step_s, char out[32])
{
    if (isinf(step_s))
        return "none";
    snprintf(out, 32, "%.3g s", step_s);
    return out;
}

void dew_plan_time_text(double cpu_s, char out[32])
{
    static const struct {
        double s;
        const char *name;
    } units[] = {{86400, "days"}, {3600, "h"}, {60, "min"}, {1, "s"}};
    if (cpu_s < 1) {
        snprintf(out, 32, "about %.1g s", cpu_s);
        return;
    }
    int i = 0;
    while (i < 3 && cpu_s < 2 * units[i].s)  // 119 min, then 2 h
        i++;
    snprintf(out, 32, "about %.2g %s", cpu_s / units[i].s, units[i].name);
    if (round(cpu_s / units[i].s) >= 100 && cpu_s < 1e9 * units[i].s)
        snprintf(out, 32, "about %.0f %s", cpu_s / units[i].s, units[i].name);
}

static void limits_line(Lines *lines, const dew_Plan *plan)
{
    char cfl[32], capillary[32];
    if (plan->max_step_s > 0)
        line(lines, "step limits", "%.3g s; each drop takes its own shorter steps within",
             plan->max_step_s);
    else if (plan->rest_step_s > 0)
        line(lines, "step limits", "%s at rest, %s at %.3g m/s (%s)",
             step_text(plan->rest_step_s, cfl), step_text(plan->step_s, capillary), plan->speed_m_s,
             plan->bound);
    else
        line(lines, "step limits", "cfl %s (at %.3g m/s), capillary %s",
             step_text(plan->cfl_step_s, cfl), plan->speed_m_s,
             step_text(plan->capillary_step_s, capillary));
}

static void liquid_line(Lines *lines, const dew_Plan *plan)
{
    line(lines, "liquid", "%.4g mm^3 at the start, %.4g mm^3 from sources", 1e9 * plan->liquid_m3,
         1e9 * plan->supplied_m3);
    if (plan->liquid_m3 < (1 - CUT_SHARE) * plan->shapes_m3)
        line(lines, "", "(of %.4g mm^3: the rest is inside solids or outside the domain)",
             1e9 * plan->shapes_m3);
}

size_t dew_plan_text(const dew_Plan *plan, char *out, size_t size)
{
    Lines lines = {out, size, 0};
    char memory[32], available[32], time[32], image_bytes[32], images[64] = "";
    dew_plan_time_text(plan->cpu_s, time);
    dew_format_bytes(plan->memory_bytes, memory, sizeof memory);
    dew_format_bytes(plan->available_bytes, available, sizeof available);
    dew_format_bytes(plan->image_bytes, image_bytes, sizeof image_bytes);
    if (plan->image_bytes > 0)
        snprintf(images, sizeof images, ", %s of it for images", image_bytes);
    line(&lines, "solver", "%s, %s%s", plan->solver, plan->purpose,
         plan->is_in_build ? "" : " (not in this build yet: it can be checked, not run)");
    line(&lines, "dimensions", "%d", plan->dimensions);
    line(&lines, "domain", "%.0f x %.0f x %.0f cells (%.6g)", plan->cells[0], plan->cells[1],
         plan->cells[2], plan->domain_cells);
    liquid_line(&lines, plan);
    if (plan->supplied_elements > 0)
        line(&lines, "elements", "about %.6g %s (%.6g at the start)", plan->elements, plan->element,
             plan->start_elements);
    else
        line(&lines, "elements", "about %.6g %s", plan->elements, plan->element);
    if (plan->bricks > 0)
        line(&lines, "bricks", "about %.6g", plan->bricks);
    line(&lines, "memory", "about %s of %s%s", memory, available, images);
    limits_line(&lines, plan);
    line(&lines, "steps", "about %.6g of %.3g s (%s)", plan->step_count, plan->step_s, plan->bound);
    line(&lines, "frames", "%.0f, one every %.6g s", plan->frame_count, plan->frame_s);
    line(&lines, "time", "%s on one core (an estimate, within a factor of three)", time);
    if (plan->missing.code != DEW_OK)
        line(&lines, "not yet", "%s; it can be checked, not run", plan->missing.message);
    return lines.used;
}
