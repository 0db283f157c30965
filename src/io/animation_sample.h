/// For the tests of the writers of scene formats: an animation of five frames in which everything
/// occurs that writers must handle.
///
///   water     liquid whose topology changes: a tetrahedron in even frames, an octahedron in odd
///             ones; normals, velocities, attributes wet and drop
///   lid/left  solid with a static mesh that turns about z and moves along x
///   late      a drop that exists in frames 2 and 3 only; in frame 3 its mesh is that of frame 2
///   spray     particles: as many as the frame's number, with velocities and ids
///   pane      solid that never changes, with texture coordinates and colors
#pragma once

#include "io/animation.h"

#include <math.h>
#include <string.h>

enum { DEW_SAMPLE_FRAMES = 5, DEW_SAMPLE_OBJECTS = 5, DEW_SAMPLE_FIRST = 12 };

static const float dew_sample_corners[8][3] = {{1, 1, 1},  {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1},
                                               {1, 0, -1}, {-1, 0, -1}, {-1, 0, 1},  {1, 0, 1}};
static const uint32_t dew_sample_tetrahedron[12] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
static const uint32_t dew_sample_octahedron[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                                   2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};

/// Meshes of one frame, and what they point to.
typedef struct dew_SampleFrame {
    float positions[8][3], normals[8][3], velocities[8][3], wet[8], drop[8];
    float late_positions[4][3];
    float points[8][3], point_velocities[8][3], ids[8];
    float pane_uv[4][2], pane_color[4][3];
    dew_AnimationAttribute water_attributes[2], spray_attributes[1], pane_attributes[2];
    dew_AnimationMesh meshes[DEW_SAMPLE_OBJECTS];
    dew_AnimationState states[DEW_SAMPLE_OBJECTS];
} dew_SampleFrame;

static inline dew_AnimationDef dew_sample_def(void)
{
    static const char *const water_names[] = {"wet", "drop"}, *const spray_names[] = {"id"};
    static const char *const pane_names[] = {"uv", "color"};
    static const int ones[] = {1, 1}, pane_counts[] = {2, 3};
    static const dew_AnimationObject objects[DEW_SAMPLE_OBJECTS] = {
        {.name = "water",
         .kind = DEW_ANIMATION_LIQUID,
         .has_static_pose = true,
         .attribute_count = 2,
         .attribute_names = water_names,
         .attribute_component_counts = ones,
         .has_normals = true,
         .has_velocities = true},
        {.name = "lid/left", .kind = DEW_ANIMATION_SOLID, .material = 1, .has_static_mesh = true},
        {.name = "late", .kind = DEW_ANIMATION_LIQUID, .has_static_pose = true},
        {.name = "spray",
         .kind = DEW_ANIMATION_PARTICLES,
         .has_static_pose = true,
         .attribute_count = 1,
         .attribute_names = spray_names,
         .attribute_component_counts = ones,
         .has_velocities = true},
        {.name = "pane",
         .kind = DEW_ANIMATION_SOLID,
         .material = 1,
         .has_static_mesh = true,
         .has_static_pose = true,
         .attribute_count = 2,
         .attribute_names = pane_names,
         .attribute_component_counts = pane_counts}};
    static const dew_AnimationMaterial materials[2] = {
        {.name = "water", .color = {0.9, 0.95, 1}, .transmission = 1, .ior = 1.333},
        {.name = "glass", .color = {1, 1, 1}, .roughness = 0.1, .transmission = 1, .ior = 1.5}};
    static const dew_AnimationCamera camera = {{0, -5, 2},         {0, 0, 1}, {0, 0, 1},
                                               0.6108652381980153, 1280,      720};
    static const dew_AnimationLight light = {{0.6, 0, -0.8}, {1, 0.9, 0.8}, 3};
    return (dew_AnimationDef){.title = "A sample; with = signs",
                              .software = "Dew 0.1.0",
                              .first_frame = DEW_SAMPLE_FIRST,
                              .frame_count = DEW_SAMPLE_FRAMES,
                              .frame_rate_Hz = 24,
                              .meters_per_unit = 0.001,
                              .is_z_up = true,
                              .object_count = DEW_SAMPLE_OBJECTS,
                              .objects = objects,
                              .material_count = 2,
                              .materials = materials,
                              .camera = &camera,
                              .light_count = 1,
                              .lights = &light};
}

static inline dew_AnimationPose dew_sample_lid_pose(int frame)
{
    double half = 0.05 * frame;
    return (dew_AnimationPose){{0, 0, sin(half), cos(half)}, {0.25 * frame, 0, 2}};
}

static inline void dew_sample_water(dew_SampleFrame *f, int frame)
{
    int count = frame % 2 == 0 ? 4 : 6;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            float corner = dew_sample_corners[i][k];
            if (count == 6)
                corner = k == i / 2 ? 1.5f - 3.0f * (float)(i % 2) : 0;
            f->positions[i][k] = corner * (1 + 0.125f * (float)frame);
            f->normals[i][k] = count == 6 ? corner / 1.5f : corner * 0.57735027f;
            f->velocities[i][k] = 0.125f * 24 * corner;
        }
    for (int i = 0; i < count; i++) {
        f->wet[i] = i == 0;
        f->drop[i] = (float)(7 + frame);
    }
    f->water_attributes[0] = (dew_AnimationAttribute){"wet", 1, f->wet};
    f->water_attributes[1] = (dew_AnimationAttribute){"drop", 1, f->drop};
    f->meshes[0] = (dew_AnimationMesh){.vertex_count = count,
                                       .positions = f->positions[0],
                                       .normals = f->normals[0],
                                       .velocities = f->velocities[0],
                                       .triangle_count = count == 4 ? 4 : 8,
                                       .triangles = count == 4 ? dew_sample_tetrahedron
                                                               : dew_sample_octahedron,
                                       .attribute_count = 2,
                                       .attributes = f->water_attributes};
}

static inline void dew_sample_spray(dew_SampleFrame *f, int frame)
{
    for (int i = 0; i < frame; i++) {
        for (int k = 0; k < 3; k++) {
            f->points[i][k] = (float)(i + 1) * 0.5f + (float)k;
            f->point_velocities[i][k] = (float)(i - k);
        }
        f->ids[i] = (float)(100 + i);
    }
    f->spray_attributes[0] = (dew_AnimationAttribute){"id", 1, f->ids};
    f->meshes[3] = (dew_AnimationMesh){.vertex_count = frame,
                                       .positions = f->points[0],
                                       .velocities = f->point_velocities[0],
                                       .attribute_count = 1,
                                       .attributes = f->spray_attributes};
}

static inline void dew_sample_solids(dew_SampleFrame *f)
{
    for (int i = 0; i < 4; i++) {
        f->pane_uv[i][0] = (float)(i % 2);
        f->pane_uv[i][1] = (float)(i / 2);
        for (int k = 0; k < 3; k++) {
            f->pane_color[i][k] = 0.25f * (float)(i + k);
            f->late_positions[i][k] = dew_sample_corners[i][k] * 0.5f + 3;
        }
    }
    f->pane_attributes[0] = (dew_AnimationAttribute){"uv", 2, f->pane_uv[0]};
    f->pane_attributes[1] = (dew_AnimationAttribute){"color", 3, f->pane_color[0]};
    f->meshes[1] = (dew_AnimationMesh){.vertex_count = 4,
                                       .positions = dew_sample_corners[0],
                                       .triangle_count = 4,
                                       .triangles = dew_sample_tetrahedron};
    f->meshes[2] = f->meshes[1];
    f->meshes[2].positions = f->late_positions[0];
    f->meshes[4] = f->meshes[1];
    f->meshes[4].attribute_count = 2;
    f->meshes[4].attributes = f->pane_attributes;
}

/// The states of a frame, which hold as long as `f`.
static inline const dew_AnimationState *dew_sample_states(dew_SampleFrame *f, int frame)
{
    static const dew_AnimationPose identity = {{0, 0, 0, 1}, {0, 0, 0}};
    memset(f, 0, sizeof *f);
    dew_sample_water(f, frame);
    dew_sample_spray(f, frame);
    dew_sample_solids(f);
    for (int i = 0; i < DEW_SAMPLE_OBJECTS; i++)
        f->states[i] = (dew_AnimationState){&f->meshes[i], identity, true};
    f->states[1].pose = dew_sample_lid_pose(frame);
    f->states[2].is_visible = frame == 2 || frame == 3;
    f->states[2].mesh = frame == 2 ? &f->meshes[2] : NULL;
    if (frame > 0)
        f->states[1].mesh = f->states[4].mesh = NULL;
    return f->states;
}

/// Hands the whole sample to a writer of bytes.
static inline dew_Status dew_sample_write(const dew_AnimationOps *ops, dew_Sink *sink,
                                          const dew_Allocator *allocator)
{
    dew_AnimationDef def = dew_sample_def();
    void *writer;
    dew_Status status = ops->create(&def, allocator, sink, &writer);
    for (int k = 0; k < DEW_SAMPLE_FRAMES && status.code == DEW_OK; k++) {
        dew_SampleFrame f;
        status = ops->frame(writer, (DEW_SAMPLE_FIRST + k) / 24.0, dew_sample_states(&f, k));
    }
    if (status.code == DEW_OK)
        status = ops->finish(writer);
    ops->destroy(writer);
    return status;
}
