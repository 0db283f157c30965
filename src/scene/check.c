// What the values of one block must agree on. Each check runs only when every value by itself is
// right, so that one slip gives one diagnostic.
#include "scene/check.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "scene/diagnostics.h"
#include "scene/scene.h"

static bool is_given(const dew_Node *node, const char *key)
{
    return dew_node_find(node, key) != NULL;
}

static double degrees(double rad)
{
    return rad / DEW_DEG(1);
}

typedef struct DefaultAngles {
    bool has_receding, has_wet;
} DefaultAngles;

// The order of the three angles; those not given are as the first.
static void check_angles(DefaultAngles given, const double *advancing, double *receding,
                         double *wet, const dew_Node *node, dew_Diagnostics *diagnostics)
{
    if (!given.has_receding)
        *receding = *advancing;
    if (!given.has_wet)
        *wet = *advancing;
    if (*receding > *advancing)
        dew_diagnose_key(diagnostics, node, "receding",
                         "%.6g deg is above the advancing angle, %.6g deg (at most that)",
                         degrees(*receding), degrees(*advancing));
    else if (*wet < *receding || *wet > *advancing)
        dew_diagnose_key(diagnostics, node, "wet_advancing",
                         "%.6g deg is not between receding and advancing, %.6g and %.6g deg",
                         degrees(*wet), degrees(*receding), degrees(*advancing));
}

void dew_check_material(void *def, const dew_Node *node, dew_Diagnostics *diagnostics)
{
    static const char *const angles[] = {"advancing", "receding", "wet_advancing"};
    dew_MaterialDef *material = &((dew_NamedMaterial *)def)->def;
    bool is_short = is_given(node, "angle");
    for (int i = 0; i < 3 && is_short; i++)
        if (is_given(node, angles[i]))
            dew_diagnose_key(diagnostics, node, angles[i],
                             "angle stands for it already (give angle, or the three)");
    DefaultAngles given = {!is_short && is_given(node, "receding"),
                           !is_short && is_given(node, "wet_advancing")};
    check_angles(given, &material->advancing_rad, &material->receding_rad,
                 &material->wet_advancing_rad, node, diagnostics);
}

static bool is_same(dew_Vec3 a, dew_Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void check_axis(dew_Vec3 from, dew_Vec3 to, const dew_Node *node,
                       dew_Diagnostics *diagnostics)
{
    if (is_same(from, to))
        dew_diagnose_key(diagnostics, node, "to", "the same point as from (an axis has two ends)");
}

// A corner that must be above another one, or not below it where `may_be_flat`.
static void check_corners(dew_Vec3 min, dew_Vec3 max, bool may_be_flat, const dew_Node *node,
                          dew_Diagnostics *diagnostics)
{
    const double low[3] = {min.x, min.y, min.z}, high[3] = {max.x, max.y, max.z};
    for (int i = 0; i < 3; i++)
        if (may_be_flat ? !(low[i] <= high[i]) : !(low[i] < high[i])) {
            dew_diagnose_key(diagnostics, node, "max", "its %c, %g m, is %s min's, %g m", "xyz"[i],
                             high[i], may_be_flat ? "below" : "not above", low[i]);
            return;
        }
}

static bool has_ending(const char *text, const char *ending)
{
    size_t length = strlen(text), n = strlen(ending);
    return length >= n && strcasecmp(text + length - n, ending) == 0;
}

static void check_heightfield(const dew_SolidDef *solid, const dew_Node *node,
                              dew_Diagnostics *diagnostics)
{
    const double *min = solid->min_xz_m, *max = solid->max_xz_m;
    if (!(min[0] < max[0]) || !(min[1] < max[1]))
        dew_diagnose_key(diagnostics, node, "max", "not above min in both x and z");
    bool is_image = has_ending(solid->file, ".png");
    if (is_image && !is_given(node, "height"))
        dew_diagnose_key(diagnostics, node, "height",
                         "missing: a PNG does not say how high it is (such as [0, 5 mm])");
    else if (!is_image && is_given(node, "height"))
        dew_diagnose_key(diagnostics, node, "height",
                         "only a PNG takes it (a CSV holds metres already)");
    else if (is_image && !(solid->height_m[0] < solid->height_m[1]))
        dew_diagnose_key(diagnostics, node, "height", "the second is not above the first");
}

static void check_keyframes(const dew_SolidDef *solid, const dew_Node *node,
                            dew_Diagnostics *diagnostics)
{
    const dew_Node *list = dew_node_find(node, "keyframes");
    const dew_Node *frame = list ? list->first : NULL;
    size_t before = dew_path_key(diagnostics, "keyframes");
    for (int i = 0; i < solid->keyframe_count && frame; i++, frame = frame->next) {
        double time_s = solid->keyframes[i].time_s;
        double before_s = i > 0 ? solid->keyframes[i - 1].time_s : -(double)INFINITY;
        if (time_s - before_s >= DEW_MIN_TIME_S)
            continue;
        size_t at = dew_path_index(diagnostics, i);
        if (!(time_s > before_s))
            dew_diagnose_key(diagnostics, frame, "time",
                             "%g s is not later than the keyframe before it, %g s", time_s,
                             before_s);
        else
            dew_diagnose_key(diagnostics, frame, "time",
                             "%g s is less than 1 ns after the keyframe before it", time_s);
        dew_path_back(diagnostics, at);
    }
    dew_path_back(diagnostics, before);
}

void dew_check_solid(void *def, const dew_Node *node, dew_Diagnostics *diagnostics)
{
    const dew_SolidDef *solid = (const dew_SolidDef *)def;
    if (solid->shape == DEW_SOLID_CYLINDER || solid->shape == DEW_SOLID_TUBE)
        check_axis(solid->from_m, solid->to_m, node, diagnostics);
    if (solid->shape == DEW_SOLID_TUBE && !(solid->inner_radius_m < solid->outer_radius_m))
        dew_diagnose_key(diagnostics, node, "outer_radius",
                         "%g m is not above inner_radius, %g m (a tube has a wall)",
                         solid->outer_radius_m, solid->inner_radius_m);
    if (solid->shape == DEW_SOLID_HEIGHTFIELD)
        check_heightfield(solid, node, diagnostics);
    check_keyframes(solid, node, diagnostics);
    if (solid->affinity_map && !solid->affinity_material)
        dew_diagnose_key(diagnostics, node, "affinity_map",
                         "needs affinity_material too (the material where the map is 1)");
    if (!solid->affinity_map && solid->affinity_material)
        dew_diagnose_key(diagnostics, node, "affinity_material",
                         "needs affinity_map too (the image that blends)");
}

void dew_check_drop(void *def, const dew_Node *node, dew_Diagnostics *diagnostics)
{
    const dew_DropDef *drop = (const dew_DropDef *)def;
    if (drop->shape == DEW_DROP_BOX)
        check_corners(drop->min_m, drop->max_m, false, node, diagnostics);
    if (drop->shape == DEW_DROP_CYLINDER)
        check_axis(drop->from_m, drop->to_m, node, diagnostics);
}

void dew_check_source(void *def, const dew_Node *node, dew_Diagnostics *diagnostics)
{
    const dew_SourceDef *source = (const dew_SourceDef *)def;
    if (source->shape == DEW_SOURCE_RAIN)
        check_corners(source->min_m, source->max_m, true, node, diagnostics);
    if (!(source->start_s < source->stop_s))
        dew_diagnose_key(diagnostics, node, "stop", "%g s is not later than start, %g s",
                         source->stop_s, source->start_s);
}

void dew_check_sink(void *def, const dew_Node *node, dew_Diagnostics *diagnostics)
{
    const dew_SinkDef *sink = (const dew_SinkDef *)def;
    check_corners(sink->min_m, sink->max_m, false, node, diagnostics);
}

void dew_check_event(void *def, const dew_Node *node, dew_Diagnostics *diagnostics)
{
    dew_EventDef *event = (dew_EventDef *)def;
    DefaultAngles given = {is_given(node, "receding"), is_given(node, "wet_advancing")};
    if (event->kind == DEW_EVENT_MATERIAL)
        check_angles(given, &event->advancing_rad, &event->receding_rad, &event->wet_advancing_rad,
                     node, diagnostics);
}

void dew_check_camera(void *def, const dew_Node *node, dew_Diagnostics *diagnostics)
{
    dew_CameraDef *camera = (dew_CameraDef *)def;
    camera->is_given = is_given(node, "eye");
    if (!camera->is_given && is_given(node, "target"))
        dew_diagnose_key(diagnostics, node, "target", "needs eye too (where the camera stands)");
    if (!camera->is_given)
        return;
    dew_Vec3 e = camera->eye_m, t = camera->target_m, u = camera->up;
    dew_Vec3 view = {t.x - e.x, t.y - e.y, t.z - e.z};
    dew_Vec3 side = {view.y * u.z - view.z * u.y, view.z * u.x - view.x * u.z,
                     view.x * u.y - view.y * u.x};
    if (is_same(e, t))
        dew_diagnose_key(diagnostics, node, "target", "the same point as eye");
    else if (side.x == 0 && side.y == 0 && side.z == 0)
        dew_diagnose_key(diagnostics, node, "up", "points along the view (turn it sideways)");
}
