// The plan of a scene from the scene alone: cells, elements, memory, step limits, frames.
//
// Cells follow from the domain. A solver on sparse bricks keeps those whose middle is within the
// band and half a brick's diagonal of the liquid (grid/levelset.c); every piece is taken as a ball
// of its volume. Meshes and depth tables are not opened here: each counts as a quarter of the
// domain. Liquid from sources counts as if all of it stayed; the whole domain is the bound. The
// capillary limit is sqrt(rho h^3 / (2 pi sigma)), the time in which the shortest wave of the grid
// crosses a cell [Brackbill1992].
#include "world/plan.h"

#include "base/memory.h"
#include "dew/text.h"
#include "geom/rounding.h"
#include "geom/vec.h"
#include "grid/brick.h"
#include "scene/scene.h"
#include "solvers/free_surface/liquid.h"
#include "world/frames.h"
#include "world/plan_images.h"
#include "world/solver_table.h"
#include "world/source_limits.h"

#include <string.h>

#define FILE_SHARE 0.25  // of the domain, for liquid whose amount is in a file

// ---- amounts -----------------------------------------------------------------------------------

/// Pieces of liquid of one kind.
typedef struct Amount {
    double count;
    double volume_m3;  // of one
    double radius_m;   // of the ball of that volume
} Amount;

static Amount amount(double count, double volume_m3)
{
    return (Amount){count, volume_m3, cbrt(volume_m3 * 3 / (4 * DEW_PI))};
}

static double ball_volume(double r)
{
    return 4.0 / 3.0 * DEW_PI * r * r * r;
}

/// Mean volume of balls whose radius is spread evenly over a range.
static double mean_ball_volume(const double range[2])
{
    double a = range[0], b = range[1];
    return ball_volume(cbrt((a + b) * (a * a + b * b) / 4));
}

static double domain_volume(const dew_SceneDef *def)
{
    dew_Vec3 size = dew_sub(def->domain.max_m, def->domain.min_m);
    return size.x * size.y * size.z;
}

static Amount drop_amount(const dew_SceneDef *def, const dew_DropDef *drop)
{
    dew_Vec3 size;
    switch (drop->shape) {
    case DEW_DROP_SPHERE:
        return amount(1, ball_volume(drop->radius_m));
    case DEW_DROP_ELLIPSOID:
        return amount(1, ball_volume(1) * drop->radii_m.x * drop->radii_m.y * drop->radii_m.z);
    case DEW_DROP_BOX:
        size = dew_sub(drop->max_m, drop->min_m);
        return amount(1, size.x * size.y * size.z);
    case DEW_DROP_CYLINDER:
        return amount(1, DEW_PI * drop->radius_m * drop->radius_m *
                             dew_distance(drop->from_m, drop->to_m));
    case DEW_DROP_CAP:
        return amount(1, drop->volume_m3);
    case DEW_DROP_SCATTER:
        return amount(drop->count, mean_ball_volume(drop->radius_range_m));
    default:
        return amount(1, FILE_SHARE * domain_volume(def));
    }
}

static Amount source_amount(const dew_SceneDef *def, const dew_SourceDef *source)
{
    double seconds = fmin(source->stop_s, def->duration_s) - source->start_s;
    if (!(seconds > 0))
        return amount(0, 0);
    switch (source->shape) {
    case DEW_SOURCE_DISK:
        return amount(1,
                      DEW_PI * source->radius_m * source->radius_m * source->speed_m_s * seconds);
    case DEW_SOURCE_DRIP:
        return amount(ceil(seconds / source->every_s), ball_volume(source->radius_m));
    case DEW_SOURCE_RAIN:
        return amount(ceil(seconds * source->rate_Hz), mean_ball_volume(source->radius_range_m));
    default:
        return amount(source->sites, source->rate_m3_s * seconds / fmax(source->sites, 1));
    }
}

// ---- elements ----------------------------------------------------------------------------------

typedef struct Need {
    const dew_Scene *scene;
    const dew_SceneDef *def;
    const dew_SolverTraits *traits;
} Need;

/// Which of x, y, z have more than one cell: z has one in two dimensions; shallow stands on x and
/// z.
static void cells_of(const Need *need, double cell_m, double cells[3])
{
    const dew_SceneDef *def = need->def;
    dew_Vec3 size = dew_sub(def->domain.max_m, def->domain.min_m);
    double length[3] = {size.x, size.y, size.z};
    bool is_shallow = (need->traits->dimensions_mask & (1u << 3)) == 0;
    bool used[3] = {true, !is_shallow, is_shallow ? def->dimensions > 1 : def->dimensions > 2};
    for (int i = 0; i < 3; i++)
        cells[i] = used[i] ? fmax(1, ceil(length[i] / cell_m * (1 - DEW_ROUNDING))) : 1;
}

static double domain_bricks(const double cells[3])
{
    return ceil(cells[0] / DEW_BRICK) * ceil(cells[1] / DEW_BRICK) * ceil(cells[2] / DEW_BRICK);
}

/// Bricks around the pieces of one kind.
static double bricks_around(Amount a, double cell_m, int dimensions)
{
    double half =
        DEW_BRICK / 2.0 * (dimensions == 3 ? sqrt(3.0) : sqrt(2.0));  // of a brick's diagonal
    double r = a.radius_m / cell_m + DEW_LIQUID_BAND + half;
    double cells = dimensions == 3 ? ball_volume(r) : DEW_PI * r * r;
    return a.count * fmax(1, cells / pow(DEW_BRICK, dimensions));
}

/// Of a drop's triangles.
static double edge_of(const Need *need, Amount a, double cell_m)
{
    double longest = need->traits->edge_per_radius * a.radius_m;
    return longest > 0 ? fmin(cell_m, longest) : cell_m;
}

static double elements_of(const Need *need, Amount a, double cell_m)
{
    const char *element = need->traits->element;
    if (strcmp(element, "triangles") == 0)  // equilateral
        return a.count * 4 * DEW_PI * a.radius_m * a.radius_m /
               (0.25 * sqrt(3.0) * pow(edge_of(need, a, cell_m), 2));
    if (strcmp(element, "drops") == 0)
        return a.count;
    int dimensions = need->def->dimensions;
    return bricks_around(a, cell_m, dimensions) * pow(DEW_BRICK, dimensions);
}

static double supplied_elements(const Need *need, double cell_m)
{
    double sum = 0;
    for (int i = 0; i < dew_scene_source_count(need->scene); i++)
        sum +=
            elements_of(need, source_amount(need->def, dew_scene_source(need->scene, i)), cell_m);
    return sum;
}

/// Elements that take memory at a cell size, and the bricks they lie in (0 when they lie in none).
static double count_elements(const Need *need, double cell_m, double *bricks)
{
    double cells[3], sum = supplied_elements(need, cell_m);
    cells_of(need, cell_m, cells);
    double domain = cells[0] * cells[1] * cells[2],
           per_brick = pow(DEW_BRICK, need->def->dimensions);
    bool has_cells = strcmp(need->traits->element, "triangles") != 0 &&
                     strcmp(need->traits->element, "drops") != 0;
    *bricks = 0;
    if (need->traits->elements_fill_domain) {
        *bricks = domain_bricks(cells);
        return domain;
    }
    for (int i = 0; i < dew_scene_drop_count(need->scene); i++)
        sum += elements_of(need, drop_amount(need->def, dew_scene_drop(need->scene, i)), cell_m);
    if (!has_cells)
        return ceil(sum);
    *bricks = fmin(ceil(sum / per_brick), domain_bricks(cells));
    return *bricks * per_brick;
}

static double memory_of(const Need *need, double elements)
{
    // Twice: the state, and the copy that a failing step goes back to.
    return DEW_PROGRAM_BYTES + 2 * need->traits->bytes_per_element * elements;
}

// ---- what would fit ----------------------------------------------------------------------------

/// Of the second digit.
static double unit_of(double x)
{
    return pow(10, floor(log10(x)) - 1);
}

/// Up to two digits: 0.2134 to 0.22.
static double round_up(double x)
{
    return ceil(x / unit_of(x) * (1 - DEW_ROUNDING)) * unit_of(x);
}

/// The smallest cell, to two digits, with which the scene fits; NaN when none does.
static double find_fitting_cell(const Need *need, double available_bytes)
{
    dew_Vec3 size = dew_sub(need->def->domain.max_m, need->def->domain.min_m);
    double largest = fmax(size.x, fmax(size.y, size.z)), bricks;
    for (double cell_m = round_up(need->def->domain.cell_m); cell_m <= largest;
         cell_m = round_up(cell_m + unit_of(cell_m) / 2))
        if (memory_of(need, count_elements(need, cell_m, &bricks)) <= available_bytes)
            return cell_m;
    return (double)NAN;
}

static dew_Status refuse(const dew_Scene *scene, const dew_Plan *plan)
{
    char place[256], wanted[32], available[32];
    bool is_cell = isfinite(plan->fitting_cell_m);
    dew_scene_place(scene, is_cell ? "domain.cell" : "solver", place, sizeof place);
    dew_format_bytes(plan->memory_bytes, wanted, sizeof wanted);
    dew_format_bytes(plan->available_bytes, available, sizeof available);
    if (!is_cell)
        return dew_fail(DEW_BAD_INPUT,
                        "%s%.4g %s need %s of memory, %s can be had (%.3g %s would fit)", place,
                        plan->stored_elements, plan->element, wanted, available,
                        plan->fitting_elements, plan->element);
    return dew_fail(DEW_BAD_INPUT,
                    "%sdomain.cell: %.4g %s need %s of memory, %s can be had "
                    "(%.3g %s would fit: cell: %.2g m)",
                    place, plan->stored_elements, plan->element, wanted, available,
                    plan->fitting_elements, plan->element, plan->fitting_cell_m);
}

static dew_Status refuse_images(const dew_Scene *scene, const dew_Plan *plan,
                                const dew_ImagePlan *images)
{
    char place[256], wanted[32], available[32];
    dew_scene_place(scene, images->worst_key, place, sizeof place);
    dew_format_bytes(plan->image_bytes, wanted, sizeof wanted);
    dew_format_bytes(plan->available_bytes, available, sizeof available);
    return dew_fail(DEW_BAD_INPUT,
                    "%s%s: the scene's images need %s of memory, %s can be had (this is the "
                    "largest: make it smaller)",
                    place, images->worst_key, wanted, available);
}

// ---- steps -------------------------------------------------------------------------------------

/// Of what is poured, of sources, and of solids.
static double start_speed(const Need *need)
{
    const dew_SceneDef *def = need->def;
    double speed = 0, reach = dew_distance(def->domain.min_m, def->domain.max_m);
    for (int i = 0; i < dew_scene_drop_count(need->scene); i++)
        speed = fmax(speed, dew_length(dew_scene_drop(need->scene, i)->velocity_m_s));
    for (int i = 0; i < dew_scene_source_count(need->scene); i++) {
        const dew_SourceDef *source = dew_scene_source(need->scene, i);
        speed = fmax(speed, fmax(source->shape == DEW_SOURCE_DISK ? source->speed_m_s : 0,
                                 dew_length(source->velocity_m_s)));
    }
    for (int i = 0; i < dew_scene_solid_count(need->scene); i++) {
        const dew_SolidDef *solid = dew_scene_solid(need->scene, i);
        speed = fmax(speed, dew_length(solid->velocity_m_s) +
                                dew_length(solid->angular_velocity_rad_s) * reach);
    }
    return speed;
}

/// After falling through the domain.
static double fallen_speed(const Need *need, double speed)
{
    const dew_SceneDef *def = need->def;
    dew_Vec3 size = dew_sub(def->domain.max_m, def->domain.min_m), g = def->gravity_m_s2;
    double fall = fabs(g.x) * size.x + fabs(g.y) * size.y + fabs(g.z) * size.z;
    return sqrt(speed * speed + 2 * fall);
}

static void plan_steps(const Need *need, dew_Plan *plan)
{
    const dew_SceneDef *def = need->def;
    double h = def->domain.cell_m, sigma = def->liquid.surface_tension_N_m;
    plan->start_speed_m_s = start_speed(need);
    plan->speed_m_s = fallen_speed(need, plan->start_speed_m_s);
    plan->cfl_step_s = plan->speed_m_s > 0 ? h / plan->speed_m_s : (double)INFINITY;
    plan->capillary_step_s =
        sigma > 0 ? sqrt(def->liquid.density_kg_m3 * h * h * h / (2 * DEW_PI * sigma))
                  : (double)INFINITY;
    plan->frame_s = 1 / def->frame_rate_Hz;
    plan->frame_count = dew_frame_count(def->duration_s, def->frame_rate_Hz);
    plan->step_s = plan->frame_s;
    plan->bound = "frame";
    if (need->traits->max_step_s > 0) {
        plan->cfl_step_s = plan->capillary_step_s = (double)INFINITY;
        plan->step_s = plan->frame_s / ceil(plan->frame_s / need->traits->max_step_s);
    }
    if (plan->cfl_step_s < plan->step_s) {
        plan->step_s = plan->cfl_step_s;
        plan->bound = "cfl";
    }
    if (plan->capillary_step_s < plan->step_s) {
        plan->step_s = plan->capillary_step_s;
        plan->bound = "capillary";
    }
    plan->step_count = ceil(def->duration_s / plan->step_s) + plan->birth_count;
    plan->cpu_s =
        plan->elements * (plan->step_count * dew_traits_step_cpu_s(need->traits, need->scene) +
                          plan->frame_count * need->traits->frame_cpu_s_per_element);
}

// ---- the plan ----------------------------------------------------------------------------------

static void plan_liquid(const Need *need, dew_Plan *plan)
{
    for (int i = 0; i < dew_scene_drop_count(need->scene); i++) {
        Amount a = drop_amount(need->def, dew_scene_drop(need->scene, i));
        plan->shapes_m3 += a.count * a.volume_m3;
    }
    for (int i = 0; i < dew_scene_source_count(need->scene); i++) {
        Amount a = source_amount(need->def, dew_scene_source(need->scene, i));
        plan->supplied_m3 += a.count * a.volume_m3;
        bool is_falling = dew_scene_source(need->scene, i)->shape == DEW_SOURCE_DRIP ||
                          dew_scene_source(need->scene, i)->shape == DEW_SOURCE_RAIN;
        plan->birth_count += is_falling ? a.count : 0;
    }
    plan->liquid_m3 = plan->shapes_m3;
}

/// All of them, and those that take memory.
static void plan_elements(const Need *need, dew_Plan *plan)
{
    double h = need->def->domain.cell_m, cell_m3 = pow(h, 3);
    plan->liquid_cells = fmin(plan->liquid_m3 / cell_m3, plan->domain_cells);
    plan->stored_elements = count_elements(need, h, &plan->bricks);
    plan->supplied_elements = need->traits->elements_fill_domain ? 0 : supplied_elements(need, h);
    plan->elements = plan->stored_elements;
    if (need->traits->elements_are_liquid) {
        plan->supplied_elements = fmin(plan->supplied_m3 / cell_m3, plan->domain_cells);
        plan->elements = fmin(plan->liquid_cells + plan->supplied_elements, plan->domain_cells);
    }
    plan->start_elements = fmax(plan->elements - plan->supplied_elements, 0);
}

dew_Status dew_plan_make(const dew_Scene *scene, dew_Plan *out)
{
    const dew_SceneDef *def = dew_scene_def(scene);
    *out = (dew_Plan){.fitting_cell_m = (double)NAN};
    const dew_SolverTraits *traits = def->solver ? dew_solver_traits(def->solver) : NULL;
    if (!traits)
        return dew_fail(DEW_BAD_INPUT, "there is no solver %.64s",
                        def->solver ? def->solver : "(none)");
    DEW_TRY(dew_scene_check_speeds(scene));
    Need need = {scene, def, traits};
    out->solver = traits->name;
    out->purpose = traits->purpose;
    out->element = traits->element;
    out->max_step_s = traits->max_step_s;
    out->is_in_build = dew_solver_ops(def->solver) != NULL;
    out->missing = dew_scene_is_bound(scene) ? dew_scene_check_build(scene) : dew_ok();
    out->dimensions = def->dimensions;
    cells_of(&need, def->domain.cell_m, out->cells);
    out->domain_cells = out->cells[0] * out->cells[1] * out->cells[2];
    plan_liquid(&need, out);
    plan_elements(&need, out);
    plan_steps(&need, out);
    dew_ImagePlan images;
    DEW_TRY(dew_plan_images(scene, &scene->allocator, &images));
    out->image_bytes = images.bytes;
    out->memory_bytes = memory_of(&need, out->stored_elements) + images.bytes;
    out->available_bytes = (double)dew_memory_bytes();
    out->fits = out->memory_bytes <= out->available_bytes;
    double left_bytes = fmax(0, out->available_bytes - images.bytes);
    double element_bytes = memory_of(&need, 1) - memory_of(&need, 0);
    out->fitting_elements = floor(fmax(left_bytes - memory_of(&need, 0), 0) / element_bytes);
    out->fitting_cell_m = find_fitting_cell(&need, left_bytes);
    if (images.bytes > out->available_bytes)
        return refuse_images(scene, out, &images);
    return out->fits ? dew_ok() : refuse(scene, out);
}
