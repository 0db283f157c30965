// What the ground under drops is made of: angles, toes, drying.
#include "base/status.h"
#include "solvers/shallow/film.h"
#include "wetting/contact_angle.h"

#include <stdio.h>
#include <string.h>

#define STEEPEST_DEG 70  // of a surface that is a height over its ground

bool dew_film_is_wanted(const dew_Scene *scene)
{
    const dew_SceneDef *def = dew_scene_def(scene);
    const char *choice = dew_scene_knob_choice(scene, "tension");
    bool is_tracked = strcmp(dew_scene_knob_choice(scene, "model"), "level-set") == 0;
    double sigma = def->liquid.surface_tension_N_m, cell_m = def->domain.cell_m;
    if (!(sigma > 0) || !is_tracked || strcmp(choice, "off") == 0)
        return false;
    if (strcmp(choice, "on") == 0)
        return true;
    double weight = def->liquid.density_kg_m3 * dew_length(def->gravity_m_s2);
    return weight * cell_m * cell_m < sigma;  // a cell is smaller than the capillary length
}

static bool is_used(const dew_Scene *scene, const char *material)
{
    const dew_DomainDef *domain = &dew_scene_def(scene)->domain;
    bool is_floor = domain->wall_material[DEW_SIDE_FLOOR] &&
                    strcmp(domain->wall_material[DEW_SIDE_FLOOR], material) == 0;
    for (int k = 0; k < dew_scene_solid_count(scene) && !is_floor; k++) {
        const char *name = dew_scene_solid(scene, k)->material;
        is_floor = name && strcmp(name, material) == 0;
    }
    return is_floor;
}

// Drops lie on the ground as it is at the start.
static void warn_of_motion(const dew_Scene *scene, dew_SceneWarning *out)
{
    for (int k = 0; k < dew_scene_solid_count(scene) && !out->words[0]; k++) {
        const dew_SolidDef *solid = dew_scene_solid(scene, k);
        if (dew_length2(solid->velocity_m_s) == 0 &&
            dew_length2(solid->angular_velocity_rad_s) == 0 && solid->keyframe_count == 0)
            continue;
        snprintf(out->path, sizeof out->path, "solids[%d]", k);
        snprintf(out->words, sizeof out->words,
                 "moves, but drops of solver shallow lie on the ground as it is at the start "
                 "(shallow.tension: off, or solver surface)");
    }
}

void dew_film_warning(const dew_Scene *scene, dew_SceneWarning *out)
{
    if (!dew_film_is_wanted(scene))
        return;
    warn_of_motion(scene, out);
    for (int k = 0; k < dew_scene_material_count(scene) && !out->words[0]; k++) {
        const char *name;
        double degrees = dew_scene_material(scene, k, &name)->advancing_rad / DEW_DEG(1);
        if (degrees < STEEPEST_DEG + 1e-6 || !is_used(scene, name))
            continue;
        snprintf(out->path, sizeof out->path, "materials.%s", name);
        snprintf(out->words, sizeof out->words,
                 "%s has an advancing angle of %.3g degrees; solver shallow is true up to about "
                 "%d: drops will be lower and wider than they should (solver surface or volume)",
                 name, degrees, STEEPEST_DEG);
    }
}

static dew_MaterialDef material_at(const dew_Problem *problem, dew_Vec3 point, double reach)
{
    dew_SolidPoint p = dew_problem_nearest(problem, NULL, point, reach);
    return p.solid_id == DEW_INVALID ? dew_default_material_def()
                                     : dew_problem_material(problem, NULL, p.solid_id, p.point_m);
}

typedef struct Work {
    const dew_Problem *problem;
    const dew_SolverState *state;
} Work;

static void describe(const dew_SolverState *s, const dew_MaterialDef *m, int64_t n)
{
    struct dew_Film *film = s->film;
    dew_AngleInterval dry = dew_contact_interval(m, 0), wet = dew_contact_interval(m, 1);
    film->cos_receding[n] = cos(dry.receding_rad);
    film->cos_advancing[n] = cos(dry.advancing_rad);
    film->cos_wet_advancing[n] = cos(wet.advancing_rad);
    film->yield_N_m[n] = m->max_receding_tension_N_m;
    film->dries_after_s[n] = m->dries_after_s;
    bool is_known = n > 0 && film->cos_receding[n] == film->cos_receding[n - 1] &&
                    film->cos_advancing[n] == film->cos_advancing[n - 1] &&
                    film->toe_least[n - 1] > 0;
    double cell_m = sqrt(s->grid.dx_m * (s->grid.has_z ? s->grid.dz_m : s->grid.dx_m));
    double cos_mean = 0.5 * (film->cos_receding[n] + film->cos_advancing[n]);
    double least =
        is_known ? film->toe_least[n - 1] : dew_film_toe_m(cos_mean, DEW_FILM_TOE * cell_m);
    double most = is_known ? film->toe_most[n - 1]
                           : dew_film_toe_m(film->cos_advancing[n], DEW_FILM_WIDE * cell_m);
    film->toe[n] = film->toe_least[n] = least;
    film->toe_most[n] = most;
    film->bend[n] = dew_film_bend(cos_mean);
    film->last_wet_s[n] = DEW_FILM_NEVER;
}

static dew_Status ground_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_SolverState *s = w->state;
    for (int row = (int)begin; row < (int)end; row++) {
        for (int i = 0; i < s->grid.columns; i++) {
            int64_t n = dew_shallow_at(&s->grid, i, row);
            dew_Vec3 p = {dew_shallow_x(&s->grid, i), s->ground[n], dew_shallow_z(&s->grid, row)};
            dew_MaterialDef material = material_at(w->problem, p, 1e-3 * s->grid.dx_m);
            describe(s, &material, n);
        }
    }
    return dew_ok();
}

dew_Status dew_film_create(const dew_Problem *problem, dew_SolverState *state)
{
    struct dew_Film *film = state->film = dew_arena_array(&state->arena, struct dew_Film, 1);
    if (!film)
        return dew_no_memory(sizeof *film);
    double **const arrays[] = {&film->cos_receding, &film->cos_advancing, &film->cos_wet_advancing,
                               &film->yield_N_m,    &film->toe,           &film->dries_after_s,
                               &film->last_wet_s,   &film->calm,          &film->depth,
                               &film->next_u,       &film->next_w,        &film->bend,
                               &film->toe_least,    &film->toe_most};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        *arrays[k] = dew_arena_array(&state->arena, double, state->grid.count);
        if (!*arrays[k])
            return dew_no_memory((size_t)state->grid.count * sizeof(double));
    }
    film->parent = dew_arena_array(&state->arena, int32_t, state->grid.count);
    if (!film->parent)
        return dew_no_memory((size_t)state->grid.count * sizeof *film->parent);
    film->forces = dew_arena_array(&state->arena, double, DEW_FILM_FORCES);
    if (!film->forces)
        return dew_no_memory(DEW_FILM_FORCES * sizeof(double));
    film->pace = dew_scene_knob_number(dew_problem_scene(problem), "pace");
    Work work = {problem, state};
    DEW_TRY(dew_shallow_rows(state, ground_chunk, &work));
    dew_shallow_mirror(state, film->toe);
    return dew_ok();
}

void dew_film_fields(dew_SolverState *state, dew_FieldList *out)
{
    struct dew_Film *film = state->film;
    const char *const names[] = {"last_wet", "calm", DEW_FILM_FIELD, "film_toe", "film_forces"};
    double *const blocks[] = {film->last_wet_s, film->calm, film->depth, film->toe, film->forces};
    for (int k = 0; k < 5; k++)
        out->field[out->count++] =
            (dew_Field){.name = names[k],
                        .type = DEW_FIELD_F64,
                        .components = 1,
                        .block = blocks[k],
                        .block_count = k < 4 ? state->grid.count : DEW_FILM_FORCES};
}
