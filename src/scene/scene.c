// Scene as an object: made, added to, asked, destroyed. Everything it points to is in its arena.
#include "scene/scene.h"

#include <string.h>

#include "base/status.h"
#include "base/utf8.h"

dew_Status dew_scene_make(const dew_Allocator *allocator, dew_Scene **out)
{
    *out = NULL;
    dew_Scene *scene = (dew_Scene *)dew_alloc(allocator, 1, sizeof *scene);
    if (!scene)
        return dew_no_memory(sizeof *scene);
    if (allocator)
        scene->allocator = *allocator;
    dew_arena_init(&scene->arena, allocator);
    dew_Array *arrays[] = {&scene->materials, &scene->solids, &scene->drops,
                           &scene->sources,   &scene->sinks,  &scene->events,
                           &scene->lights,    &scene->looks,  &scene->meshes};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        dew_array_init(arrays[i], allocator, sizeof(void *));
    dew_tree_init(&scene->tree, &scene->arena);
    scene->def = dew_default_scene_def();
    *out = scene;
    return dew_ok();
}

void dew_scene_destroy(dew_Scene *scene)
{
    if (!scene)
        return;
    dew_Array *arrays[] = {&scene->materials, &scene->solids, &scene->drops,
                           &scene->sources,   &scene->sinks,  &scene->events,
                           &scene->lights,    &scene->looks,  &scene->meshes};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        dew_array_deinit(arrays[i]);
    dew_arena_deinit(&scene->arena);
    dew_Allocator allocator = scene->allocator;
    dew_free(&allocator, scene, sizeof *scene);
}

dew_Status dew_scene_push(dew_Scene *scene, dew_Array *array, const void *def, size_t size)
{
    void *copy = dew_arena_alloc(&scene->arena, 1, size);
    if (!copy)
        return dew_no_memory(size);
    memcpy(copy, def, size);
    return dew_array_push(array, &copy);
}

// ---- from definitions --------------------------------------------------------------------------

static dew_Status check_cookie(uint32_t cookie, const char *noun)
{
    if (cookie == DEW_COOKIE)
        return dew_ok();
    return dew_fail(DEW_BAD_INPUT, "the %s definition was not begun with dew_default_%s_def", noun,
                    noun);
}

static dew_Status check_enum(int value, int count, const char *what)
{
    if (value >= 0 && value < count)
        return dew_ok();
    return dew_fail(DEW_BAD_INPUT, "%s %d is none of its %d values", what, value, count);
}

// Replaces a text by the scene's own copy; NULL stays NULL.
static dew_Status own_text(dew_Scene *scene, const char **text)
{
    if (!*text)
        return dew_ok();
    if (!dew_utf8_is_line(*text))
        return dew_fail(DEW_BAD_INPUT, "\"%.100s\" is not one line of UTF-8", *text);
    const char *copy = dew_arena_text(&scene->arena, *text, strlen(*text));
    if (!copy)
        return dew_no_memory(strlen(*text));
    *text = copy;
    return dew_ok();
}

static dew_Status own_scene_def(dew_Scene *scene, const dew_SceneDef *def)
{
    DEW_TRY(check_cookie(def->cookie, "scene"));
    DEW_TRY(check_enum((int)def->output.surface, DEW_SURFACE_NONE + 1, "output.surface"));
    DEW_TRY(check_enum((int)def->output.volume, DEW_VOLUME_NONE + 1, "output.volume"));
    DEW_TRY(check_enum((int)def->output.particles, DEW_PARTICLES_NONE + 1, "output.particles"));
    DEW_TRY(check_enum((int)def->output.height, DEW_HEIGHT_NONE + 1, "output.height"));
    DEW_TRY(check_enum((int)def->output.drops, DEW_DROPS_NONE + 1, "output.drops"));
    DEW_TRY(check_enum((int)def->output.images, DEW_IMAGES_NONE + 1, "output.images"));
    scene->def = *def;
    DEW_TRY(own_text(scene, &scene->def.title));
    DEW_TRY(own_text(scene, &scene->def.solver));
    DEW_TRY(own_text(scene, &scene->def.environment));
    for (int i = 0; i < DEW_SIDE_COUNT; i++)
        DEW_TRY(own_text(scene, &scene->def.domain.wall_material[i]));
    return dew_ok();
}

dew_Status dew_scene_begin(const dew_SceneDef *def, dew_SolverList solvers,
                           const dew_Allocator *allocator, dew_Scene **out)
{
    dew_Scene *scene = NULL;
    *out = NULL;
    dew_Status status = dew_scene_make(allocator, &scene);
    if (!scene)
        return status;
    scene->is_edited = true;
    scene->solvers = solvers;
    status = own_scene_def(scene, def);
    if (status.code == DEW_OK)
        status = dew_scene_init_parameters(scene);
    dew_scene_find_solver(scene);
    if (status.code != DEW_OK) {
        dew_scene_destroy(scene);
        scene = NULL;
    }
    *out = scene;
    return status;
}

dew_Status dew_scene_add_material(dew_Scene *scene, const char *name, const dew_MaterialDef *def)
{
    DEW_TRY(check_cookie(def->cookie, "material"));
    dew_NamedMaterial material = {.def = *def, .name = name};
    DEW_TRY(own_text(scene, &material.name));
    scene->is_edited = true;
    return dew_scene_push(scene, &scene->materials, &material, sizeof material);
}

dew_Status dew_scene_add_solid(dew_Scene *scene, const dew_SolidDef *def)
{
    DEW_TRY(check_cookie(def->cookie, "solid"));
    DEW_TRY(check_enum((int)def->shape, DEW_SOLID_SHAPE_COUNT, "a solid's shape"));
    dew_SolidDef solid = *def;
    const char **texts[] = {&solid.name, &solid.material, &solid.file, &solid.affinity_map,
                            &solid.affinity_material};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        DEW_TRY(own_text(scene, texts[i]));
    int count = def->keyframe_count > 0 ? def->keyframe_count : 0;
    dew_KeyframeDef *frames = NULL;
    if (count > 0) {
        frames = dew_arena_array(&scene->arena, dew_KeyframeDef, count);
        if (!frames)
            return dew_no_memory((size_t)count * sizeof *frames);
        memcpy(frames, def->keyframes, (size_t)count * sizeof *frames);
    }
    solid.keyframes = frames;
    solid.keyframe_count = count;
    scene->is_edited = true;
    return dew_scene_push(scene, &scene->solids, &solid, sizeof solid);
}

dew_Status dew_scene_add_drop(dew_Scene *scene, const dew_DropDef *def)
{
    DEW_TRY(check_cookie(def->cookie, "drop"));
    DEW_TRY(check_enum((int)def->shape, DEW_DROP_SHAPE_COUNT, "a drop's shape"));
    dew_DropDef drop = *def;
    DEW_TRY(own_text(scene, &drop.file));
    DEW_TRY(own_text(scene, &drop.on));
    scene->is_edited = true;
    return dew_scene_push(scene, &scene->drops, &drop, sizeof drop);
}

dew_Status dew_scene_add_source(dew_Scene *scene, const dew_SourceDef *def)
{
    DEW_TRY(check_cookie(def->cookie, "source"));
    DEW_TRY(check_enum((int)def->shape, DEW_SOURCE_SHAPE_COUNT, "a source's shape"));
    dew_SourceDef source = *def;
    DEW_TRY(own_text(scene, &source.on));
    scene->is_edited = true;
    return dew_scene_push(scene, &scene->sources, &source, sizeof source);
}

dew_Status dew_scene_add_sink(dew_Scene *scene, const dew_SinkDef *def)
{
    DEW_TRY(check_cookie(def->cookie, "sink"));
    scene->is_edited = true;
    return dew_scene_push(scene, &scene->sinks, def, sizeof *def);
}

dew_Status dew_scene_add_event(dew_Scene *scene, const dew_EventDef *def)
{
    DEW_TRY(check_cookie(def->cookie, "event"));
    DEW_TRY(check_enum((int)def->kind, DEW_EVENT_KIND_COUNT, "an event's kind"));
    dew_EventDef event = *def;
    DEW_TRY(own_text(scene, &event.solid));
    DEW_TRY(own_text(scene, &event.material));
    scene->is_edited = true;
    DEW_TRY(dew_scene_push(scene, &scene->events, &event, sizeof event));
    dew_EventDef **events = scene->events.data;
    for (int64_t i = scene->events.count - 1; i > 0 && events[i - 1]->time_s > event.time_s; i--) {
        dew_EventDef *later = events[i - 1];
        events[i - 1] = events[i];
        events[i] = later;
    }
    return dew_ok();
}

dew_Status dew_scene_add_light(dew_Scene *scene, const dew_LightDef *def)
{
    DEW_TRY(check_cookie(def->cookie, "light"));
    scene->is_edited = true;
    return dew_scene_push(scene, &scene->lights, def, sizeof *def);
}

dew_Status dew_scene_add_look(dew_Scene *scene, const dew_LookDef *def)
{
    DEW_TRY(check_cookie(def->cookie, "look"));
    dew_LookDef look = *def;
    if (!look.material)
        return dew_fail(DEW_BAD_INPUT, "a look needs the name of its material");
    DEW_TRY(own_text(scene, &look.material));
    DEW_TRY(own_text(scene, &look.texture));
    scene->is_edited = true;
    return dew_scene_push(scene, &scene->looks, &look, sizeof look);
}

// ---- the values --------------------------------------------------------------------------------

const dew_SceneDef *dew_scene_def(const dew_Scene *scene)
{
    return &scene->def;
}

const char *dew_scene_path(const dew_Scene *scene)
{
    return scene->path;
}

int dew_scene_material_count(const dew_Scene *scene)
{
    return (int)scene->materials.count;
}

const dew_MaterialDef *dew_scene_material(const dew_Scene *scene, int index, const char **name)
{
    const dew_NamedMaterial *material = DEW_ITEMS(&scene->materials, dew_NamedMaterial *)[index];
    if (name)
        *name = material->name;
    return &material->def;
}

int dew_scene_find_material(const dew_Scene *scene, const char *name)
{
    for (int i = 0; i < (int)scene->materials.count; i++)
        if (strcmp(DEW_ITEMS(&scene->materials, dew_NamedMaterial *)[i]->name, name) == 0)
            return i;
    return DEW_INVALID;
}

int dew_scene_solid_count(const dew_Scene *scene)
{
    return (int)scene->solids.count;
}

const dew_SolidDef *dew_scene_solid(const dew_Scene *scene, int index)
{
    return DEW_ITEMS(&scene->solids, dew_SolidDef *)[index];
}

int dew_scene_drop_count(const dew_Scene *scene)
{
    return (int)scene->drops.count;
}

const dew_DropDef *dew_scene_drop(const dew_Scene *scene, int index)
{
    return DEW_ITEMS(&scene->drops, dew_DropDef *)[index];
}

int dew_scene_source_count(const dew_Scene *scene)
{
    return (int)scene->sources.count;
}

const dew_SourceDef *dew_scene_source(const dew_Scene *scene, int index)
{
    return DEW_ITEMS(&scene->sources, dew_SourceDef *)[index];
}

int dew_scene_sink_count(const dew_Scene *scene)
{
    return (int)scene->sinks.count;
}

const dew_SinkDef *dew_scene_sink(const dew_Scene *scene, int index)
{
    return DEW_ITEMS(&scene->sinks, dew_SinkDef *)[index];
}

int dew_scene_event_count(const dew_Scene *scene)
{
    return (int)scene->events.count;
}

const dew_EventDef *dew_scene_event(const dew_Scene *scene, int index)
{
    return DEW_ITEMS(&scene->events, dew_EventDef *)[index];
}

int dew_scene_light_count(const dew_Scene *scene)
{
    return (int)scene->lights.count;
}

const dew_LightDef *dew_scene_light(const dew_Scene *scene, int index)
{
    return DEW_ITEMS(&scene->lights, dew_LightDef *)[index];
}

int dew_scene_look_count(const dew_Scene *scene)
{
    return (int)scene->looks.count;
}

const dew_LookDef *dew_scene_look(const dew_Scene *scene, int index)
{
    return DEW_ITEMS(&scene->looks, dew_LookDef *)[index];
}

// ---- solver and parameters ----------------------------------------------------------------------

bool dew_scene_is_bound(const dew_Scene *scene)
{
    return scene->solver != NULL && !scene->is_edited;
}

const dew_SolverTraits *dew_scene_solver(const dew_Scene *scene)
{
    return scene->solver;
}

static const dew_Parameter *find_parameter(const dew_Scene *scene, const char *key)
{
    DEW_ASSERT(scene->solver);
    int solver = dew_solver_find(scene->solvers, scene->solver->name);
    for (int k = 0; k < scene->solver->parameter_count; k++)
        if (strcmp(scene->solver->parameters[k].name, key) == 0)
            return &scene->parameters[solver][k];
    DEW_ASSERT(false && "a solver asked for a parameter that it does not have");
    return NULL;
}

double dew_scene_parameter_number(const dew_Scene *scene, const char *key)
{
    const dew_Parameter *parameter = find_parameter(scene, key);
    return parameter ? parameter->number : 0;
}

bool dew_scene_parameter_flag(const dew_Scene *scene, const char *key)
{
    const dew_Parameter *parameter = find_parameter(scene, key);
    return parameter && parameter->flag;
}

const char *dew_scene_parameter_choice(const dew_Scene *scene, const char *key)
{
    const dew_Parameter *parameter = find_parameter(scene, key);
    return parameter && parameter->text ? parameter->text : "";
}

bool dew_scene_parameter_is(const dew_Scene *scene, const char *key, const char *choice)
{
    return strcmp(dew_scene_parameter_choice(scene, key), choice) == 0;
}

// ---- places ------------------------------------------------------------------------------------

int dew_scene_line(const dew_Scene *scene, const char *path)
{
    const dew_Node *node = dew_tree_find(&scene->tree, path);
    if (!node)
        return 0;
    if (node->origin)
        return -1;
    return !scene->has_lines ? 0 : node->key ? node->key_line : node->line;
}

void dew_scene_place(const dew_Scene *scene, const char *path, char *out, size_t size)
{
    const dew_Node *node = dew_tree_find(&scene->tree, path);
    dew_node_place(node, scene->path, scene->has_lines, out, size);
}
