/// Looks: how materials answer to light. Procedural patterns, textures, wetness.
///
/// A look is resolved once per material; dew_look_at evaluates it at a point of the solid's rest
/// frame, so that patterns move with the solid. Patterns are solid textures or triplanar; their
/// scale follows the scene's size.
#pragma once

#include "base/arena.h"
#include "dew/scene.h"
#include "render/float3.h"

/// An image laid over solids: linear colour, repeated in all directions.
typedef struct dew_Texture {
    int64_t width, height;
    const float *rgb;
    double size_m;  // of its width when laid out
} dew_Texture;

typedef struct dew_Look {
    dew_LookKind kind;
    dew_Float3 color;
    float roughness;
    float scale;                 // pattern units per metre
    const dew_Texture *texture;  // NULL: none
} dew_Look;

/// What a look is at one point: a base, diffuse or metallic, below a clear coat.
typedef struct dew_Finish {
    dew_Float3 albedo;        // of the base: diffuse, and of the metal facing the viewer
    dew_Float3 transmission;  // diffuse light let through (leaves); zero: none
    dew_Float3 bump;          // by which the normal is tilted, before it is made unit again
    float metal;              // 0..1 of the base
    float base_roughness;     // of the metal
    float coat;               // 0..1
    float coat_roughness;
    float ior;  // of the coat
} dew_Finish;

/// What the liquid and glasses are made of.
typedef struct dew_Medium {
    float ior;
    dew_Float3 absorption_1_m;
} dew_Medium;

/// The kind of a look whose kind is auto, by the material's name: glass, leaf, oak, steel, ...
dew_LookKind dew_look_kind_of(const char *material);

/// A look for a material; def may be NULL. size_m: of the scene, for the scale of patterns.
dew_Look dew_look(const dew_LookDef *def, const char *material, double size_m);
bool dew_look_is_clear(const dew_Look *look);  // light goes straight through it: glass
bool dew_look_is_thin(const dew_Look *look);   // diffuse light goes through it: leaf
dew_Medium dew_look_medium(const dew_Look *look);
float dew_look_porosity(dew_LookKind kind);         // 0..1: how much water it soaks up
float dew_look_least_roughness(dew_LookKind kind);  // of its coat

/// At a point (m) with a normal (unit), both in the solid's own frame; 0..1 wet.
dew_Finish dew_look_at(const dew_Look *look, dew_Float3 point_m, dew_Float3 normal, float wetness);

/// How a liquid looks: most are clear; milk and mercury are not.
typedef struct dew_LiquidLook {
    bool is_opaque;
    dew_Look look;      // opaque
    dew_Medium medium;  // clear
} dew_LiquidLook;

/// Absorption (1/m) that leaves this color of white light after a depth.
dew_Float3 dew_dye(dew_Vec3 color, double depth_m);
/// By the preset that has the same properties; water when none has.
dew_LiquidLook dew_liquid_look(const dew_LiquidDef *liquid);
