// Nodes of a .glb file and the tracks that show and move them.
//
// An object with one mesh is one node. One whose mesh changes is a node with a child per mesh; the
// children have scale 1 in their frames and 0 in all others, switched without a transition. Poses
// are interpolated between frames. Every track begins at 0; the longest ends a frame interval after
// the last frame, so that this one is seen as long as the others.
#include "base/status.h"
#include "io/glb_document.h"

#include <math.h>
#include <string.h>

static const dew_AnimationPose rest = {{0, 0, 0, 1}, {0, 0, 0}};

static int64_t frame_count(const dew_GlbDocument *d)
{
    return d->times.count;
}

static float end_time(const dew_GlbDocument *d)
{
    float last = DEW_ITEMS(&d->times, const float)[frame_count(d) - 1];
    return last + (float)(1 / d->def->frame_rate_Hz);
}

static dew_Status add_channel(dew_GlbDocument *d, int64_t node, int input, int output,
                              dew_GlbPath path)
{
    dew_GlbChannel channel = {node, input, output, path};
    return dew_array_push(&d->channels, &channel);
}

// ---- showing -----------------------------------------------------------------------------------

// Scales of a node that is seen from frame `begin` to `end`.
static dew_Status add_showing(dew_GlbDocument *d, int64_t node, const dew_GlbSegment *segment)
{
    float times[3], scales[9];
    int count = 0, input, output;
    const float *at = DEW_ITEMS(&d->times, const float);
    bool is_late = segment->begin > 0, is_early = segment->end < frame_count(d);
    const float keys[3][2] = {{0, is_late ? 0 : 1},
                              {at[segment->begin], 1},
                              {is_early ? at[segment->end] : end_time(d), is_early ? 0 : 1}};
    if (!is_late && !is_early)
        return dew_ok();
    for (int k = is_late ? 0 : 1; k < 3; k++, count++) {
        times[count] = keys[k][0];
        for (int c = 0; c < 3; c++)
            scales[3 * count + c] = keys[k][1];
    }
    DEW_TRY(dew_glb_add_floats(d, times, count, 1, DEW_GLB_TRACK, true, &input));
    DEW_TRY(dew_glb_add_floats(d, scales, count, 3, DEW_GLB_TRACK, false, &output));
    return add_channel(d, node, input, output, DEW_GLB_SCALE);
}

// ---- moving ------------------------------------------------------------------------------------

typedef struct Moves {
    float *rotations, *translations;  // 4 and 3 per key
    bool turns, travels;
} Moves;

// Is a key's value another one than that of the first?
static bool differs(const float *values, int components, int64_t key)
{
    for (int k = 0; k < components; k++)
        if (values[components * key + k] != values[k])
            return true;
    return false;
}

// The sign of a quaternion is chosen so that interpolation takes the shorter arc.
static void fill_moves(const dew_GlbDocument *d, const dew_GlbObject *object, Moves *moves)
{
    const dew_AnimationPose *poses = DEW_ITEMS(&object->poses, const dew_AnimationPose);
    double before[4] = {0, 0, 0, 1};
    for (int64_t i = 0; i <= frame_count(d); i++) {
        const dew_AnimationPose *pose = &poses[i < frame_count(d) ? i : frame_count(d) - 1];
        double q[4], dot = 0, norm = 0;
        for (int k = 0; k < 4; k++) {
            dot += before[k] * pose->rotation[k];
            norm += pose->rotation[k] * pose->rotation[k];
        }
        for (int k = 0; k < 4; k++) {
            q[k] = (dot < 0 ? -1 : 1) * pose->rotation[k] / sqrt(norm);
            moves->rotations[4 * i + k] = (float)q[k];
        }
        for (int k = 0; k < 3; k++)
            moves->translations[3 * i + k] = (float)pose->translation[k];
        memcpy(before, q, sizeof before);
        moves->turns = moves->turns || differs(moves->rotations, 4, i);
        moves->travels = moves->travels || differs(moves->translations, 3, i);
    }
}

static dew_Status add_times(dew_GlbDocument *d, int *input)
{
    float end = end_time(d);
    DEW_TRY(dew_array_push(&d->times, &end));
    dew_Status status = dew_glb_add_floats(d, DEW_ITEMS(&d->times, const float), d->times.count, 1,
                                           DEW_GLB_TRACK, true, input);
    d->times.count--;
    return status;
}

static dew_Status add_tracks(dew_GlbDocument *d, int64_t node, const Moves *moves, int *times)
{
    int64_t count = frame_count(d) + 1;
    int output;
    if ((moves->turns || moves->travels) && *times == DEW_INVALID)
        DEW_TRY(add_times(d, times));
    if (moves->travels) {
        DEW_TRY(
            dew_glb_add_floats(d, moves->translations, count, 3, DEW_GLB_TRACK, false, &output));
        DEW_TRY(add_channel(d, node, *times, output, DEW_GLB_TRANSLATION));
    }
    if (!moves->turns)
        return dew_ok();
    DEW_TRY(dew_glb_add_floats(d, moves->rotations, count, 4, DEW_GLB_TRACK, false, &output));
    return add_channel(d, node, *times, output, DEW_GLB_ROTATION);
}

// *times: the array of all keys' times, made when it is first needed.
static dew_Status add_motion(dew_GlbDocument *d, int64_t node, const dew_GlbObject *object,
                             int *times)
{
    if (object->poses.count < 2)
        return dew_ok();
    dew_Array numbers;
    dew_array_init(&numbers, &d->allocator, sizeof(float));
    dew_Status status = dew_array_resize(&numbers, 7 * (frame_count(d) + 1));
    if (status.code == DEW_OK) {
        float *rotations = DEW_ITEMS(&numbers, float);
        Moves moves = {rotations, rotations + 4 * (frame_count(d) + 1), false, false};
        fill_moves(d, object, &moves);
        status = add_tracks(d, node, &moves, times);
    }
    dew_array_deinit(&numbers);
    return status;
}

// ---- nodes -------------------------------------------------------------------------------------

static dew_GlbNode plain_node(const char *name)
{
    return (dew_GlbNode){.name = name,
                         .frame = DEW_INVALID,
                         .mesh = DEW_INVALID,
                         .camera = DEW_INVALID,
                         .light = DEW_INVALID,
                         .pose = rest};
}

static dew_Status add_children(dew_GlbDocument *d, int object)
{
    for (int64_t i = 0; i < d->segments.count; i++) {
        const dew_GlbSegment *segment = &DEW_ITEMS(&d->segments, const dew_GlbSegment)[i];
        if (segment->object != object)
            continue;
        dew_GlbNode node = plain_node(d->def->objects[object].name);
        node.frame = d->def->first_frame + segment->begin;
        node.mesh = segment->mesh;
        node.is_child = true;
        node.is_hidden = segment->begin > 0;
        DEW_TRY(dew_array_push(&d->nodes, &node));
        DEW_TRY(add_showing(d, d->nodes.count - 1, segment));
    }
    return dew_ok();
}

static dew_Status add_object(dew_GlbDocument *d, int object, int *times)
{
    const dew_GlbObject *o = &d->objects[object];
    if (o->segment_count == 0)
        return dew_ok();
    int64_t index = d->nodes.count;
    dew_GlbNode node = plain_node(d->def->objects[object].name);
    const dew_GlbSegment *only =
        o->segment_count == 1 ? &DEW_ITEMS(&d->segments, const dew_GlbSegment)[o->segment] : NULL;
    node.pose = DEW_ITEMS(&o->poses, const dew_AnimationPose)[0];
    node.mesh = only ? only->mesh : DEW_INVALID;
    node.is_hidden = only && only->begin > 0;
    node.first_child = index + 1;
    node.child_count = only ? 0 : o->segment_count;
    DEW_TRY(dew_array_push(&d->nodes, &node));
    DEW_TRY(add_motion(d, index, o, times));
    return only ? add_showing(d, index, only) : add_children(d, object);
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static bool normalize(double a[3])
{
    double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (int k = 0; k < 3 && length > 0; k++)
        a[k] /= length;
    return length > 0;
}

// The quaternion of the rotation whose matrix has these columns [Shepperd1978].
static void quaternion(const double x[3], const double y[3], const double z[3], double out[4])
{
    double trace = x[0] + y[1] + z[2];
    double squares[4] = {1 + 2 * x[0] - trace, 1 + 2 * y[1] - trace, 1 + 2 * z[2] - trace,
                         1 + trace};  // four times those of the quaternion
    const double products[4][4] = {{squares[0], x[1] + y[0], z[0] + x[2], y[2] - z[1]},
                                   {x[1] + y[0], squares[1], y[2] + z[1], z[0] - x[2]},
                                   {z[0] + x[2], y[2] + z[1], squares[2], x[1] - y[0]},
                                   {y[2] - z[1], z[0] - x[2], x[1] - y[0], squares[3]}};
    int largest = 0;
    for (int k = 1; k < 4; k++)
        if (squares[k] > squares[largest])
            largest = k;
    for (int k = 0; k < 4; k++)
        out[k] = products[largest][k] / (2 * sqrt(squares[largest]));
}

// Cameras and lights look along their own -z, with y up.
static void look_along(const double direction[3], const double up[3], double rotation[4])
{
    double x[3], y[3], z[3] = {-direction[0], -direction[1], -direction[2]};
    static const double axes[2][3] = {{0, 1, 0}, {1, 0, 0}};
    normalize(z);
    cross(up, z, x);
    for (int k = 0; k < 2 && !normalize(x); k++)
        cross(axes[k], z, x);
    cross(z, x, y);
    quaternion(x, y, z, rotation);
}

static dew_Status add_camera(dew_GlbDocument *d)
{
    const dew_AnimationCamera *camera = d->def->camera;
    if (!camera)
        return dew_ok();
    dew_GlbNode node = plain_node("camera");
    double direction[3];
    for (int k = 0; k < 3; k++) {
        direction[k] = camera->target[k] - camera->eye[k];
        node.pose.translation[k] = camera->eye[k];
    }
    look_along(direction, camera->up, node.pose.rotation);
    node.camera = 0;
    return dew_array_push(&d->nodes, &node);
}

static dew_Status add_light(dew_GlbDocument *d, int index)
{
    static const double up[3] = {0, 1, 0};
    dew_GlbNode node = plain_node("light");
    node.frame = d->def->light_count > 1 ? index + 1 : DEW_INVALID;
    look_along(d->def->lights[index].direction, up, node.pose.rotation);
    node.light = index;
    return dew_array_push(&d->nodes, &node);
}

dew_Status dew_glb_make_nodes(dew_GlbDocument *d)
{
    int times = DEW_INVALID;
    for (int i = 0; i < d->def->object_count; i++)
        DEW_TRY(add_object(d, i, &times));
    DEW_TRY(add_camera(d));
    for (int i = 0; i < d->def->light_count; i++)
        DEW_TRY(add_light(d, i));
    return dew_ok();
}
