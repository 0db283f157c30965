// The ground under drops: contact angles, bounds of the transition layer, drying; arrays of films.
#include "base/status.h"
#include "solvers/shallow/films/thin_film.h"
#include "wetting/contact_angle.h"

#include <stdio.h>
#include <string.h>

bool dew_film_is_wanted(const dew_Scene *scene)
{
    const dew_SceneDef *def = dew_scene_def(scene);
    bool is_tracked = dew_scene_parameter_is(scene, "model", "level-set");
    double sigma = def->liquid.surface_tension_N_m, cell_m = def->domain.cell_m;
    if (!(sigma > 0) || !is_tracked || dew_scene_parameter_is(scene, "tension", "off"))
        return false;
    if (dew_scene_parameter_is(scene, "tension", "on"))
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
        if (degrees < dew_film_params.max_angle_deg + 1e-6 || !is_used(scene, name))
            continue;
        snprintf(out->path, sizeof out->path, "materials.%s", name);
        snprintf(out->words, sizeof out->words,
                 "%s has an advancing angle of %.3g degrees; solver shallow is true up to about "
                 "%g: drops will be lower and wider than they should (solver surface or volume)",
                 name, degrees, dew_film_params.max_angle_deg);
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
    struct dew_ThinFilm *film = s->film;
    dew_AngleInterval dry = dew_contact_interval(m, 0), wet = dew_contact_interval(m, 1);
    film->cos_receding[n] = cos(dry.receding_rad);
    film->cos_advancing[n] = cos(dry.advancing_rad);
    film->cos_wet_advancing[n] = cos(wet.advancing_rad);
    film->line_kind[n] = (int32_t)m->dynamic_angle;
    film->slip_length_m[n] = m->slip_length_m;
    film->jump_length_m[n] = m->jump_length_m;
    film->jump_frequency_Hz[n] = m->jump_frequency_Hz;
    film->yield_N_m[n] = m->max_receding_tension_N_m;
    film->dries_after_s[n] = m->dries_after_s;
    bool is_known = n > 0 && film->cos_receding[n] == film->cos_receding[n - 1] &&
                    film->cos_advancing[n] == film->cos_advancing[n - 1] &&
                    film->layer_min_m[n - 1] > 0;
    double cell_m = sqrt(s->grid.dx_m * (s->grid.has_z ? s->grid.dz_m : s->grid.dx_m));
    double cos_mean = 0.5 * (film->cos_receding[n] + film->cos_advancing[n]);
    double least =
        is_known ? film->layer_min_m[n - 1]
                 : dew_film_layer_height_m(cos_mean, dew_film_params.layer_min_cells * cell_m);
    double most = is_known ? film->layer_max_m[n - 1]
                           : dew_film_layer_height_m(film->cos_advancing[n],
                                                     dew_film_params.layer_max_cells * cell_m);
    film->layer_min_m[n] = least;
    film->layer_max_m[n] = most;
    film->steepness[n] = dew_film_steepness(cos_mean);
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

static dew_Status read_ground(const dew_Problem *problem, dew_SolverState *state)
{
    Work work = {problem, state};
    state->film->ground_hash = dew_problem_values_hash(problem);
    return dew_shallow_rows(state, ground_chunk, &work);
}

dew_Status dew_film_parameters(const dew_Problem *problem, dew_SolverState *state)
{
    bool is_new = dew_problem_values_hash(problem) != state->film->ground_hash;
    return is_new ? read_ground(problem, state) : dew_ok();
}

dew_Status dew_film_create(const dew_Problem *problem, dew_SolverState *state)
{
    struct dew_ThinFilm *film = state->film =
        dew_arena_array(&state->arena, struct dew_ThinFilm, 1);
    if (!film)
        return dew_no_memory(sizeof *film);
#define MAKE(type, name, saved_as)                                                                 \
    &&(film->name = dew_arena_array(&state->arena, type, state->grid.count))
    bool is_made = true DEW_FILM_STATE_ARRAYS(MAKE);
#undef MAKE
    if (!is_made)
        return dew_no_memory((size_t)state->grid.count * sizeof(double));
    film->pace = dew_scene_parameter_number(dew_problem_scene(problem), "pace");
    DEW_TRY(read_ground(problem, state));
    film->values_hash = film->ground_hash;
    memcpy(film->layer_m, film->layer_min_m, (size_t)state->grid.count * sizeof *film->layer_m);
    dew_shallow_fill(&state->grid, dew_shallow_whole(&state->grid), DEW_FILM_NEVER,
                     film->last_wet_s);
    dew_shallow_mirror(state, film->layer_m);
    return dew_ok();
}

void dew_film_fields(dew_SolverState *state, dew_FieldList *out)
{
    struct dew_ThinFilm *film = state->film;
#define ADD_FIELD(type, name, saved_as) {film->name, saved_as, DEW_SHALLOW_FIELD_TYPE(type)},
    const struct {
        void *values;
        const char *saved_as;  // NULL: not part of the state
        dew_FieldType type;
    } arrays[] = {DEW_FILM_STATE_ARRAYS(ADD_FIELD)};
#undef ADD_FIELD
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i].saved_as)
            dew_shallow_add_field(out, arrays[i].saved_as, arrays[i].type, arrays[i].values,
                                  state->grid.count);
    dew_shallow_add_field(out, "film_forces", DEW_FIELD_F64, &film->forces,
                          sizeof film->forces / sizeof(double));
    dew_shallow_add_field(out, "film_values", DEW_FIELD_U64, &film->values_hash, 1);
}
