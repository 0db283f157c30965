// The plan by a World in which the liquid has just been poured.
//
// Elements are counted by the solver. Steps are counted frame by frame, as World cuts them: what
// falls gains speed until it has fallen as far as it can, and the solver says how long a step may
// be at each speed. Once at its fastest it is taken to stay so: where liquid comes to rest the
// count is too high, where it jets too low. Time is steps x elements x the solver's measured cost
// of an element, and the same of frames.
#include "geom/rounding.h"
#include "geom/vec.h"
#include "problem/motion.h"
#include "problem/resolved.h"
#include "world/plan.h"
#include "world/world_state.h"

#define MAX_SAMPLES  1000  // frames that are looked at; of more, every so many
#define MAX_ELEMENTS 2e6   // that are poured just to count: seconds

bool dew_plan_is_countable(const dew_Plan *plan)
{
    return plan->is_in_build && plan->missing.code == DEW_OK &&
           plan->stored_elements <= MAX_ELEMENTS &&
           plan->memory_bytes <= 0.5 * plan->available_bytes;
}

/// Pouring wants bricks by their corners' ball, a step keeps those with a cell in the band
/// (dew_grid_want_band).
static double kept_cells(const dew_GridView *view)
{
    const dew_Grid *grid = view->grid;
    int64_t kept = 0;
    for (int64_t b = 0; b < grid->brick_count; b++) {
        const double *phi = view->phi + b * grid->brick_cells;
        int n = 0;
        while (n < grid->brick_cells && !(phi[n] < (1 - 1e-9) * view->far_m))
            n++;
        kept += n < grid->brick_cells;
    }
    return (double)kept * grid->brick_cells;
}

static void count_elements(dew_Plan *plan, const dew_World *world)
{
    const dew_Measure *m = &world->measure;
    double most = world->ops->traits->elements_fill_domain ? plan->domain_cells : (double)INFINITY;
    plan->is_counted = true;
    plan->liquid_m3 = m->volume_m3;
    plan->start_elements = (double)m->elements;
    dew_GridView view = {0};
    if (world->ops->grid)
        view = world->ops->grid(world->state);
    if (view.phi && !world->ops->traits->elements_are_liquid)
        plan->start_elements = kept_cells(&view);
    plan->elements = fmin(plan->start_elements + ceil(plan->supplied_elements), most);
    plan->stored_elements = plan->elements;
    if (view.grid) {
        const dew_Grid *grid = view.grid;
        double stored = (double)grid->brick_count * grid->brick_cells;
        plan->stored_elements = fmax(stored + plan->supplied_elements, plan->elements);
        plan->bricks = ceil(plan->stored_elements / grid->brick_cells);
    }
    plan->memory_bytes = DEW_PROGRAM_BYTES +
                         world->ops->traits->peak_bytes_per_element * plan->stored_elements +
                         plan->image_bytes;
}

// ---- steps -------------------------------------------------------------------------------------

/// How much speed squared the liquid can gain: from its top, or its sources', to the bottom of the
/// domain.
static double gain_m2_s2(const dew_World *world)
{
    const dew_SceneDef *def = dew_scene_def(world->scene);
    const dew_DomainDef *domain = &def->domain;
    dew_Vec3 size = dew_sub(domain->max_m, domain->min_m), g = def->gravity_m_s2;
    double top = world->measure.top_m;
    for (int i = 0; i < dew_scene_source_count(world->scene); i++) {
        const dew_SourceDef *source = dew_scene_source(world->scene, i);
        bool is_placed = source->shape == DEW_SOURCE_DISK || source->shape == DEW_SOURCE_DRIP;
        top = fmax(top, is_placed ? fmax(source->center_m.y, source->at_m.y) : domain->max_m.y);
    }
    double height = g.y > 0 ? size.y : fmin(fmax(top - domain->min_m.y, 0), size.y);
    if (isnan(height))
        height = size.y;
    return 2 * (fabs(g.x) * size.x + fabs(g.y) * height + fabs(g.z) * size.z);
}

/// The longest step at a speed, at most a frame.
static double step_at(const dew_Plan *plan, const dew_World *world, double speed_m_s,
                      const char **bound)
{
    const char *reason = NULL;
    dew_Instant instant = {.gravity_m_s2 = world->clock.gravity_m_s2,
                           .wind_m_s = world->clock.wind_m_s,
                           .poses = world->poses};
    double step = plan->max_step_s;
    if (world->ops->step_at_speed_s)
        step =
            world->ops->step_at_speed_s(world->problem, world->state, &instant, speed_m_s, &reason);
    *bound = step < plan->frame_s && reason ? reason : "frame";
    return fmin(step, plan->frame_s);
}

/// Steps beyond those of the liquid while a solid moves from keyframe to keyframe.
static double keyframe_steps(const dew_Plan *plan, const dew_World *world,
                             const dew_SolidMotion *motion)
{
    const dew_SceneDef *def = dew_scene_def(world->scene);
    double reach_m = dew_distance(def->domain.min_m, def->domain.max_m), steps = 0;
    for (int k = 0; k + 1 < motion->keyframe_count; k++) {
        double begin_s = motion->keyframes[k].time_s;
        double span_s = fmin(motion->keyframes[k + 1].time_s, def->duration_s) - begin_s;
        if (!(span_s > 0))
            break;
        double middle_s = begin_s + 0.5 * span_s;
        dew_SolidPose pose = dew_motion_pose_within(motion, middle_s, middle_s);
        double speed =
            dew_length(pose.velocity_m_s) + dew_length(pose.angular_velocity_rad_s) * reach_m;
        const char *bound;
        if (speed > plan->speed_m_s)
            steps += span_s / step_at(plan, world, speed, &bound) - span_s / plan->step_s;
    }
    return fmax(steps, 0);
}

/// Of the solid that needs most: several at a time share their steps.
static double most_keyframe_steps(const dew_Plan *plan, const dew_World *world)
{
    double steps = 0;
    for (int i = 0; i < world->problem->solid_count; i++)
        steps = fmax(steps, keyframe_steps(plan, world, &world->problem->solids[i].motion));
    return steps;
}

static void count_steps(dew_Plan *plan, const dew_World *world)
{
    const dew_SceneDef *def = dew_scene_def(world->scene);
    double v = plan->start_speed_m_s, g = dew_length(def->gravity_m_s2);
    plan->speed_m_s = sqrt(v * v + gain_m2_s2(world));
    plan->step_s = step_at(plan, world, plan->speed_m_s, &plan->bound);
    plan->step_s = plan->frame_s / ceil(plan->frame_s / plan->step_s);
    const char *bound;
    plan->rest_step_s = step_at(plan, world, 0, &bound);
    double end = def->duration_s, frames = end / plan->frame_s;
    double samples = fmin(ceil(frames), MAX_SAMPLES);
    plan->step_count = plan->birth_count + most_keyframe_steps(plan, world);
    double work = plan->step_count * plan->elements;
    for (double k = 0; k < samples; k++) {
        double fraction = (k + 0.5) / samples,
               speed = fmin(plan->speed_m_s, v + g * fraction * end);
        double frame_steps = plan->frame_s / step_at(plan, world, speed, &bound);
        double steps = ceil(frame_steps * (1 - DEW_ROUNDING)) * frames / samples;
        plan->step_count += steps;
        work += steps * (plan->start_elements + fraction * (plan->elements - plan->start_elements));
    }
    plan->step_count = ceil(plan->step_count);
    double mean = 0.5 * (plan->start_elements + plan->elements);
    plan->cpu_s = work * dew_traits_step_cpu_s(world->ops->traits, world->scene) +
                  plan->frame_count * mean * world->ops->traits->frame_cpu_s_per_element;
}

void dew_plan_count(dew_Plan *plan, const dew_World *world)
{
    count_elements(plan, world);
    bool has_rule = world->ops->step_at_speed_s || plan->max_step_s > 0;
    if (has_rule && isfinite(dew_scene_def(world->scene)->duration_s))
        count_steps(plan, world);
    else
        plan->cpu_s = plan->step_count * plan->elements *
                      dew_traits_step_cpu_s(world->ops->traits, world->scene);
}
