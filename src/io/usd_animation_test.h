/// For tests: a short animation with changing topology, a moving solid, a drop that comes and goes,
/// particles, camera and lights.
#pragma once

#include "base/testing.h"
#include "io/usd.h"

#include <stdio.h>

#define DEW_TEST_FIRST_FRAME 3
#define DEW_TEST_FRAMES      6

enum {
    DEW_TEST_LIQUID,
    DEW_TEST_PLATE,
    DEW_TEST_BALL,
    DEW_TEST_LATE,
    DEW_TEST_SPRAY,
    DEW_TEST_OBJECTS
};

/// A strip of triangles over points (i, +-1, 0) plus `shift`.
typedef struct dew_TestStrip {
    float positions[3 * 4096], normals[3 * 4096], velocities[3 * 4096], wet[4096], pair[2 * 4096];
    uint32_t triangles[3 * 4096];
    dew_AnimationAttribute attributes[2];
    dew_AnimationMesh mesh;
} dew_TestStrip;

static inline const dew_AnimationMesh *dew_test_strip(dew_TestStrip *s, int columns, float shift,
                                                      int attribute_count)
{
    int n = 2 * columns;
    for (int i = 0; i < n; i++) {
        float p[3] = {(float)(i / 2) + shift, i % 2 ? 1.0f : -1.0f, 0.001f * (float)i};
        float v[3] = {shift, -0.5f, (float)i};
        for (int k = 0; k < 3; k++) {
            s->positions[3 * i + k] = p[k];
            s->normals[3 * i + k] = k == 2;
            s->velocities[3 * i + k] = v[k];
        }
        s->wet[i] = i % 2 ? 0.25f : 0;
        s->pair[2 * i] = (float)i;
        s->pair[2 * i + 1] = shift;
    }
    for (int i = 0; i + 2 < n; i++) {
        s->triangles[3 * i] = (uint32_t)i;
        s->triangles[3 * i + 1] = (uint32_t)(i + 1 + i % 2);
        s->triangles[3 * i + 2] = (uint32_t)(i + 2 - i % 2);
    }
    s->attributes[0] = (dew_AnimationAttribute){"wet", 1, s->wet};
    s->attributes[1] = (dew_AnimationAttribute){"uv", 2, s->pair};
    s->mesh = (dew_AnimationMesh){n,     s->positions, s->normals,      s->velocities,
                                  n - 2, s->triangles, attribute_count, s->attributes};
    return &s->mesh;
}

typedef struct dew_TestAnimation {
    dew_AnimationObject objects[DEW_TEST_OBJECTS];
    dew_AnimationMaterial materials[2];
    dew_AnimationCamera camera;
    dew_AnimationLight lights[2];
    dew_AnimationDef def;
    int columns;  // of the liquid in its first frame
    dew_TestStrip strips[DEW_TEST_OBJECTS];
} dew_TestAnimation;

static const char *const dew_test_attributes[] = {"wet", "uv"};
static const int dew_test_attribute_sizes[] = {1, 2};

static inline dew_TestAnimation *dew_test_animation(void)
{
    dew_TestAnimation *a = (dew_TestAnimation *)calloc(1, sizeof *a);
    assert_non_null(a);
    a->objects[DEW_TEST_LIQUID] =
        (dew_AnimationObject){.name = "liquid",
                              .kind = DEW_ANIMATION_LIQUID,
                              .has_static_pose = true,
                              .attribute_count = 2,
                              .attribute_names = dew_test_attributes,
                              .attribute_component_counts = dew_test_attribute_sizes,
                              .has_normals = true,
                              .has_velocities = true};
    a->objects[DEW_TEST_PLATE] = (dew_AnimationObject){.name = "2 \xc3\xa4 \"plates\"",
                                                       .kind = DEW_ANIMATION_SOLID,
                                                       .material = 1,
                                                       .has_static_mesh = true,
                                                       .has_static_pose = true};
    a->objects[DEW_TEST_BALL] = (dew_AnimationObject){.name = "ball",
                                                      .kind = DEW_ANIMATION_SOLID,
                                                      .material = 1,
                                                      .has_static_mesh = true,
                                                      .has_normals = true};
    a->objects[DEW_TEST_LATE] = (dew_AnimationObject){
        .name = "Camera", .kind = DEW_ANIMATION_LIQUID, .material = -1, .has_static_pose = true};
    a->objects[DEW_TEST_SPRAY] = (dew_AnimationObject){.name = "spray",
                                                       .kind = DEW_ANIMATION_PARTICLES,
                                                       .has_static_pose = true,
                                                       .has_velocities = true};
    a->materials[0] = (dew_AnimationMaterial){
        .name = "water", .color = {1, 1, 1}, .transmission = 1, .ior = 1.33};
    a->materials[1] = (dew_AnimationMaterial){
        .name = "steel", .color = {0.5, 0.5, 0.25}, .roughness = 0.3, .ior = 2, .metalness = 1};
    a->camera = (dew_AnimationCamera){
        {1, 2, 5}, {1, 2, 0}, {0, 1, 0}, .vertical_fov_rad = 0.6, .width = 400, .height = 300};
    a->lights[0] = (dew_AnimationLight){{0, 0, -2}, {1, 0.5, 0.25}, 3};
    a->lights[1] = (dew_AnimationLight){{0, -1, 0}, {1, 1, 1}, 1.5};
    a->def = (dew_AnimationDef){.title = "A test",
                                .software = "Dew 0.1.0",
                                .first_frame = DEW_TEST_FIRST_FRAME,
                                .frame_count = DEW_TEST_FRAMES,
                                .frame_rate_Hz = 50,
                                .meters_per_unit = 0.01,
                                .object_count = DEW_TEST_OBJECTS,
                                .objects = a->objects,
                                .material_count = 2,
                                .materials = a->materials,
                                .camera = &a->camera,
                                .light_count = 2,
                                .lights = a->lights};
    a->columns = 3;
    return a;
}

/// The liquid stays as it is in frames 3 and 4; the late drop is there in frames 2 and 3, with one
/// mesh; the ball turns about y, by more than a half turn in all.
static inline void dew_test_state(dew_TestAnimation *a, int frame, dew_AnimationState *states)
{
    const dew_AnimationPose rest = {{0, 0, 0, 1}, {0, 0, 0}};
    for (int i = 0; i < DEW_TEST_OBJECTS; i++)
        states[i] = (dew_AnimationState){NULL, rest, true};
    float shift = 0.5f * (float)frame;
    if (frame != 3 && frame != 4)
        states[DEW_TEST_LIQUID].mesh =
            dew_test_strip(&a->strips[DEW_TEST_LIQUID], a->columns + frame % 3, shift, 2);
    if (frame == 0) {
        states[DEW_TEST_PLATE].mesh = dew_test_strip(&a->strips[DEW_TEST_PLATE], 2, -1, 0);
        states[DEW_TEST_BALL].mesh = dew_test_strip(&a->strips[DEW_TEST_BALL], 4, 7, 0);
    }
    states[DEW_TEST_PLATE].pose = (dew_AnimationPose){{0, 0, 0, 1}, {0, -1.5, 0}};
    double half = 0.35 * frame, sign = frame % 2 ? -1 : 1;  // q and -q: the same rotation
    states[DEW_TEST_BALL].pose = (dew_AnimationPose){{0, sign * sin(half), 0, sign * cos(half)},
                                                     {frame < 3 ? 0.1 * frame : 1.0 / 3, 0, 2}};
    if (frame == 2)
        states[DEW_TEST_LATE].mesh = dew_test_strip(&a->strips[DEW_TEST_LATE], 2, 9, 0);
    states[DEW_TEST_LATE].is_visible = frame == 2 || frame == 3;
    states[DEW_TEST_SPRAY].mesh = dew_test_strip(&a->strips[DEW_TEST_SPRAY], 2 * frame, shift, 0);
    a->strips[DEW_TEST_SPRAY].mesh.triangle_count = 0;
}

/// Writes all frames; what a command does.
static inline dew_Status dew_test_write(dew_TestAnimation *a, const dew_AnimationOps *ops,
                                        const dew_Allocator *allocator, dew_Sink *sink)
{
    void *writer;
    dew_AnimationState states[DEW_TEST_OBJECTS];
    dew_Status status = ops->create(&a->def, allocator, sink, &writer);
    for (int i = 0; i < a->def.frame_count && status.code == DEW_OK; i++) {
        dew_test_state(a, i, states);
        double time_s = (double)(a->def.first_frame + i) / a->def.frame_rate_Hz;
        status = ops->frame(writer, time_s, states);
    }
    if (status.code == DEW_OK)
        status = ops->finish(writer);
    ops->destroy(writer);
    return dew_sink_end(sink, status);
}
