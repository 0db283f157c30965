// Checks of the scene as a whole: domain, frames, that there is liquid, and that every name is one.
//
// Entries of a list and their nodes go side by side, since every entry that was read has its def.
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/status.h"
#include "geom/rounding.h"
#include "grid/brick.h"
#include "scene/name_table.h"
#include "scene/scene.h"
#include "scene/shown.h"

// Bricks are named by Morton keys.
#define MAX_AXIS_CELLS (2.0 * DEW_MORTON_BIAS * DEW_BRICK)
#define MAX_CELLS      1e15  // more could be counted, but nothing could ever hold them

typedef struct Whole {
    dew_Scene *scene;
    dew_Diagnostics *diagnostics;
    dew_NameTable materials;
    dew_NameTable solids;
    bool knows_materials, knows_solids;  // false: what should define them is not even a list
    bool uses_default;                   // some solid has the material that need not be defined
} Whole;

// The first entry's node of a list or of named blocks, NULL when it is not given.
static const dew_Node *first_node(const Whole *whole, const char *key)
{
    const dew_Node *list = dew_node_find(whole->scene->tree.root, key);
    return list ? list->first : NULL;
}

static bool is_misspelt(const Whole *whole, const char *key)
{
    return whole->diagnostics->count > 0 &&
           dew_block_is_misspelt(dew_scene_schema(), whole->scene->tree.root, key);
}

// Could the entries of a key be read, one by one?
static bool has_kind(const Whole *whole, const char *key, dew_NodeKind kind)
{
    const dew_Node *root = whole->scene->tree.root;
    const dew_Node *node = dew_node_find(root, key);
    if (!node)
        return !is_misspelt(whole, key);
    return node->kind == kind || dew_node_is_null(node);
}

// ---- domain and time ---------------------------------------------------------------------------

// Which directions have cells: x always, see dew_scene_cell_counts.
static void active_axes(const dew_Scene *scene, bool active[3])
{
    int dimensions = scene->def.dimensions;
    bool is_height_field = scene->solver && !(scene->solver->dimensions_mask >> 3 & 1u);
    active[0] = true;
    active[1] = !is_height_field;
    active[2] = is_height_field ? dimensions >= 2 : dimensions >= 3;
}

// A plane flow has no front and no back: walls there, half a cell away from every point of the
// layer of cells, would be the nearest solid of all of them.
static void drop_flat_walls(dew_Scene *scene)
{
    bool active[3];
    active_axes(scene, active);
    if (active[1] && !active[2])
        scene->def.domain.wall_material[DEW_SIDE_BACK] =
            scene->def.domain.wall_material[DEW_SIDE_FRONT] = NULL;
}

void dew_scene_cell_counts(const dew_Scene *scene, double counts[3])
{
    const dew_DomainDef *domain = &scene->def.domain;
    const double extent[3] = {domain->max_m.x - domain->min_m.x, domain->max_m.y - domain->min_m.y,
                              domain->max_m.z - domain->min_m.z};
    bool active[3];
    active_axes(scene, active);
    for (int i = 0; i < 3; i++) {
        // A domain of whole cells must not gain one by rounding.
        double cells = ceil(extent[i] / domain->cell_m * (1 - DEW_ROUNDING));
        counts[i] = active[i] && cells > 1 ? cells : 1;
    }
}

// Rounded up to two digits, for people.
static double round_up(double x)
{
    double unit = pow(10, floor(log10(x)) - 1);
    return ceil(x / unit - 1e-6) * unit;
}

static void check_cells(const Whole *whole, const dew_Node *node)
{
    double n[3];
    dew_scene_cell_counts(whole->scene, n);
    double total = n[0] * n[1] * n[2], most = fmax(n[0], fmax(n[1], n[2]));
    double cell = whole->scene->def.domain.cell_m;
    if (most <= MAX_AXIS_CELLS && total <= MAX_CELLS)
        return;
    // The roots one by one: the product of the counts may overflow.
    double axis = cbrt(n[0]) * cbrt(n[1]) * cbrt(n[2]) / cbrt(MAX_CELLS);
    double coarser = round_up(fmax(most / MAX_AXIS_CELLS, axis) * cell);
    dew_diagnose_key(whole->diagnostics, node, "cell",
                     "%.3g x %.3g x %.3g = %.3g cells are more than can be addressed (a cell of "
                     "%.2g m or more)",
                     n[0], n[1], n[2], total, coarser);
}

static void check_domain(const Whole *whole)
{
    dew_DomainDef *domain = &whole->scene->def.domain;
    const dew_Node *node = dew_node_find(whole->scene->tree.root, "domain");
    const double low[3] = {domain->min_m.x, domain->min_m.y, domain->min_m.z};
    const double high[3] = {domain->max_m.x, domain->max_m.y, domain->max_m.z};
    bool active[3];
    active_axes(whole->scene, active);
    size_t before = dew_path_key(whole->diagnostics, "domain");
    bool is_good = true;
    for (int i = 0; i < 3 && is_good; i++) {
        is_good = active[i] ? low[i] < high[i] : low[i] <= high[i];
        if (!is_good)
            dew_diagnose_key(whole->diagnostics, node, "max", "its %c, %g m, is %s min's, %g m",
                             "xyz"[i], high[i], active[i] ? "not above" : "below", low[i]);
        else if (active[i] && domain->cell_m > high[i] - low[i]) {
            is_good = false;
            dew_diagnose_key(whole->diagnostics, node, "cell",
                             "%g m is larger than the domain along %c, %g m", domain->cell_m,
                             "xyz"[i], high[i] - low[i]);
        }
    }
    if (is_good)
        check_cells(whole, node);
    dew_path_back(whole->diagnostics, before);
    if (!active[2] && domain->min_m.z == domain->max_m.z) {
        domain->min_m.z -= domain->cell_m / 2;  // one cell thick
        domain->max_m.z += domain->cell_m / 2;
    }
}

static void check_frames(const Whole *whole)
{
    const dew_SceneDef *def = &whole->scene->def;
    double frames = def->duration_s * def->frame_rate_Hz;
    if (frames > DEW_MAX_FRAMES)
        dew_diagnose_key(whole->diagnostics, whole->scene->tree.root, "frame_rate",
                         "%.3g frames are more than %.0e (a lower rate or a shorter duration)",
                         frames, DEW_MAX_FRAMES);
}

static bool has_entries(const Whole *whole, const char *key)
{
    const dew_Node *root = whole->scene->tree.root;
    const dew_Node *list = dew_node_find(root, key);
    if (!list)
        return is_misspelt(whole, key);
    return !dew_node_is_null(list) && (list->kind != DEW_NODE_LIST || list->child_count > 0);
}

static void check_environment(const Whole *whole)
{
    const char *name = whole->scene->def.environment;
    const char *ending = name ? strrchr(name, '.') : NULL;
    if (ending && strcasecmp(ending, ".exr") != 0 && strcasecmp(ending, ".hdr") != 0)
        dew_diagnose_key(whole->diagnostics, whole->scene->tree.root, "environment",
                         "%s is neither an .exr nor an .hdr file", dew_shown(name).text);
}

// ---- names -------------------------------------------------------------------------------------

static dew_Status collect_names(Whole *whole)
{
    dew_Scene *scene = whole->scene;
    DEW_TRY(dew_names_init(&whole->materials, &scene->arena, scene->materials.count));
    DEW_TRY(dew_names_init(&whole->solids, &scene->arena, scene->solids.count));
    for (int64_t i = 0; i < scene->materials.count; i++)
        dew_names_add(&whole->materials,
                      DEW_ITEMS(&scene->materials, dew_NamedMaterial *)[i]->name);
    const dew_Node *node = first_node(whole, "solids");
    for (int64_t i = 0; i < scene->solids.count; i++, node = node ? node->next : NULL) {
        const char *name = DEW_ITEMS(&scene->solids, dew_SolidDef *)[i]->name;
        if (!name || dew_names_add(&whole->solids, name) == DEW_INVALID)
            continue;
        size_t before = dew_path_key(whole->diagnostics, "solids");
        dew_path_index(whole->diagnostics, i);
        dew_diagnose_key(whole->diagnostics, node, "name", "another solid is called %s already",
                         dew_shown(name).text);
        dew_path_back(whole->diagnostics, before);
    }
    return dew_ok();
}

// A material's name at a key of a node.
static void check_material(Whole *whole, const dew_Node *node, const char *key, const char *name)
{
    if (!name || !whole->knows_materials || dew_names_find(&whole->materials, name) >= 0)
        return;
    if (strcmp(name, DEW_DEFAULT_MATERIAL) == 0) {
        whole->uses_default = true;
        return;
    }
    dew_Hint hint =
        dew_hint(whole->diagnostics, name, whole->materials.names, whole->materials.count);
    dew_diagnose_key(whole->diagnostics, node, key, "no material %s %s", dew_shown(name).text,
                     hint.text[0] ? hint.text : "(none is defined in materials)");
}

static void check_on(const Whole *whole, const char *list, int64_t index, const dew_Node *node,
                     const char *name)
{
    if (!name || !whole->knows_solids || dew_names_find(&whole->solids, name) >= 0)
        return;
    dew_Hint hint = dew_hint(whole->diagnostics, name, whole->solids.names, whole->solids.count);
    size_t before = dew_path_key(whole->diagnostics, list);
    dew_path_index(whole->diagnostics, index);
    dew_diagnose_key(whole->diagnostics, node, "on", "no solid is called %s %s",
                     dew_shown(name).text, hint.text[0] ? hint.text : "(give one a name)");
    dew_path_back(whole->diagnostics, before);
}

static void check_walls(Whole *whole)
{
    const dew_Node *domain = dew_node_find(whole->scene->tree.root, "domain");
    const dew_Node *walls = domain ? dew_node_find(domain, "walls") : NULL;
    size_t before = dew_path_key(whole->diagnostics, "domain");
    dew_path_key(whole->diagnostics, "walls");
    bool knows_others = false;
    for (int i = 0; i < DEW_SIDE_COUNT && walls; i++) {
        bool is_given = dew_node_find(walls, dew_side_names[i]) != NULL;
        if (!is_given && knows_others)
            continue;
        knows_others |= !is_given;
        check_material(whole, walls, is_given ? dew_side_names[i] : "others",
                       whole->scene->def.domain.wall_material[i]);
    }
    dew_path_back(whole->diagnostics, before);
}

// `look.liquid` dyes the liquid; what else a look can say is for solids.
static void check_liquid_look(const Whole *whole, const dew_Node *looks, const dew_LookDef *look)
{
    dew_LookDef plain = dew_default_look_def();
    const char *key = look->kind != plain.kind             ? "kind"
                      : look->texture                      ? "texture"
                      : look->roughness != plain.roughness ? "roughness"
                                                           : NULL;
    if (!key)
        return;
    size_t before = dew_path_key(whole->diagnostics, DEW_LIQUID_LOOK);
    dew_diagnose_key(whole->diagnostics, looks ? dew_node_find(looks, DEW_LIQUID_LOOK) : NULL, key,
                     "a liquid takes a color only");
    dew_path_back(whole->diagnostics, before);
}

static void check_names(Whole *whole)
{
    dew_Scene *scene = whole->scene;
    check_walls(whole);
    const dew_Node *node = first_node(whole, "solids");
    size_t before = dew_path_key(whole->diagnostics, "solids");
    for (int64_t i = 0; i < scene->solids.count; i++, node = node ? node->next : NULL) {
        const dew_SolidDef *solid = DEW_ITEMS(&scene->solids, dew_SolidDef *)[i];
        size_t at = dew_path_index(whole->diagnostics, i);
        check_material(whole, node, "material", solid->material);
        check_material(whole, node, "affinity_material", solid->affinity_material);
        dew_path_back(whole->diagnostics, at);
    }
    dew_path_back(whole->diagnostics, before);
    node = first_node(whole, "drops");
    for (int64_t i = 0; i < scene->drops.count; i++, node = node ? node->next : NULL)
        check_on(whole, "drops", i, node, DEW_ITEMS(&scene->drops, dew_DropDef *)[i]->on);
    node = first_node(whole, "sources");
    for (int64_t i = 0; i < scene->sources.count; i++, node = node ? node->next : NULL)
        check_on(whole, "sources", i, node, DEW_ITEMS(&scene->sources, dew_SourceDef *)[i]->on);
    const dew_Node *looks = dew_node_find(scene->tree.root, "look");
    before = dew_path_key(whole->diagnostics, "look");
    for (int64_t i = 0; i < scene->looks.count; i++) {
        const dew_LookDef *look = DEW_ITEMS(&scene->looks, dew_LookDef *)[i];
        if (strcmp(look->material, DEW_LIQUID_LOOK) == 0)
            check_liquid_look(whole, looks, look);
        else
            check_material(whole, looks, look->material, look->material);
    }
    dew_path_back(whole->diagnostics, before);
}

// In order of time, and of materials that there are. Solids are the problem's affair: it names
// those that the scene does not.
static void check_events(Whole *whole)
{
    const dew_Scene *scene = whole->scene;
    const dew_Node *node = first_node(whole, "events");
    size_t before = dew_path_key(whole->diagnostics, "events");
    double last_s = 0;
    for (int64_t i = 0; i < scene->events.count; i++, node = node ? node->next : NULL) {
        const dew_EventDef *event = DEW_ITEMS(&scene->events, dew_EventDef *)[i];
        size_t at = dew_path_index(whole->diagnostics, i);
        check_material(whole, node, "material", event->material);
        if (event->time_s < last_s)
            dew_diagnose_key(whole->diagnostics, node, "time",
                             "%g s is before the event above it, %g s (they stand in order)",
                             event->time_s, last_s);
        last_s = fmax(last_s, event->time_s);
        dew_path_back(whole->diagnostics, at);
    }
    dew_path_back(whole->diagnostics, before);
}

static dew_Status add_default_material(Whole *whole)
{
    dew_NamedMaterial material = {.def = dew_default_material_def(), .name = DEW_DEFAULT_MATERIAL};
    return dew_scene_push(whole->scene, &whole->scene->materials, &material, sizeof material);
}

dew_Status dew_scene_check_whole(dew_Scene *scene, dew_Diagnostics *diagnostics)
{
    Whole whole = {.scene = scene, .diagnostics = diagnostics};
    bool is_sound = diagnostics->count == 0;
    whole.knows_materials = has_kind(&whole, "materials", DEW_NODE_MAP);
    whole.knows_solids = has_kind(&whole, "solids", DEW_NODE_LIST);
    DEW_TRY(collect_names(&whole));
    check_names(&whole);
    check_events(&whole);
    if (!has_entries(&whole, "drops") && !has_entries(&whole, "sources"))
        dew_diagnose(diagnostics, scene->tree.root, "there is no liquid (give drops or sources)");
    if (whole.uses_default)
        DEW_TRY(add_default_material(&whole));
    bool has_dimensions = dew_node_find(scene->tree.root, "dimensions") != NULL;
    if (!has_dimensions && scene->solver)
        for (int i = 1; i <= 3; i++)
            if (scene->solver->dimensions_mask >> i & 1u)
                scene->def.dimensions = i;
    drop_flat_walls(scene);
    // These need numbers that were read well; with an error somewhere they would say nonsense.
    if (is_sound) {
        check_domain(&whole);
        check_frames(&whole);
        check_environment(&whole);
    }
    return dew_ok();
}
