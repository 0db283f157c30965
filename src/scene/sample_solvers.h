/// For tests: the five solvers as the scene reader sees them, with a few parameters and unsupported
/// keys.
#pragma once

#include "scene/traits.h"

static const char *const sample_contacts[] = {"ghost", "stencil", NULL};
static const dew_Key sample_volume_parameters[] = {
    {.name = "contact",
     .kind = DEW_KEY_CHOICE,
     .choices = sample_contacts,
     .text_default = "ghost",
     .doc = "how the contact angle is imposed"},
    {.name = "cfl",
     .kind = DEW_KEY_NUMBER,
     .max = 10,
     .is_min_open = true,
     .number_default = 1,
     .doc = "cells that liquid may cross in a step"},
    {.name = "band",
     .kind = DEW_KEY_INTEGER,
     .min = 3,
     .max = 16,
     .number_default = 5,
     .doc = "cells on either side of the surface"},
    {.name = "particles", .kind = DEW_KEY_FLAG, .doc = "whether markers correct the surface"},
    {.name = "settle",
     .kind = DEW_KEY_NUMBER,
     .unit = DEW_UNIT_TIME,
     .min = 0,
     .max = 100,
     .may_be_infinite = true,
     .number_default = 0.5,
     .doc = "time to rest"},
    {.name = "note", .kind = DEW_KEY_TEXT, .doc = "words"},
};
static const dew_UnsupportedKey sample_surface_unsupported[] = {
    {"output.volume", "it has no grid"},
    {"drops[].shape=depth", "depth is a height field's"},
    {"solids[].affinity_map", "its contact line is one material wide"},
    {"materials[].slip", "it has no flow beside the wall"},
    {"domain.walls.ceiling", "its drops do not hang from the domain"},
    {"wind", "it feels no air"},
    {"sinks", "its drops are whole"},
};
static const char *const sample_models[] = {"finite-difference", "finite-volume",
                                            "finite-volume-semi-lagrangian", "level-set", NULL};
static const dew_Key sample_shallow_parameters[] = {
    {.name = "model",
     .kind = DEW_KEY_CHOICE,
     .choices = sample_models,
     .text_default = "level-set",
     .doc = "how heights move"},
};
static const char *const sample_forces[] = {"ghost", "continuum", NULL};
static const dew_Key sample_apic_parameters[] = {
    {.name = "surface_tension_force",
     .kind = DEW_KEY_CHOICE,
     .choices = sample_forces,
     .text_default = "ghost",
     .doc = "how surface tension acts"},
};
static const dew_UnsupportedKey sample_depth_unsupported[] = {
    {"drops[].shape=depth", "depth is a height field's"},
};
static const dew_UnsupportedKey sample_splash_unsupported[] = {
    {"drops[].shape=depth", "depth is a height field's"},
    {"materials[].wet_advancing", "its solids do not wet"},
    {"materials[].receding", "its solids do not wet"},
    {"materials[].advancing", "its solids do not wet"},
};

static const dew_SolverTraits sample_volume = {.name = "volume",
                                               .dimensions_mask = 1u << 2 | 1u << 3,
                                               .parameters = sample_volume_parameters,
                                               .parameter_count = 6,
                                               .unsupported = sample_depth_unsupported,
                                               .unsupported_count = 1};
static const dew_SolverTraits sample_surface = {.name = "surface",
                                                .dimensions_mask = 1u << 3,
                                                .unsupported = sample_surface_unsupported,
                                                .unsupported_count = 7};
static const dew_SolverTraits sample_apic = {.name = "apic",
                                             .dimensions_mask = 1u << 2 | 1u << 3,
                                             .parameters = sample_apic_parameters,
                                             .parameter_count = 1,
                                             .unsupported = sample_depth_unsupported,
                                             .unsupported_count = 1};
static const dew_SolverTraits sample_shallow = {.name = "shallow",
                                                .dimensions_mask = 1u << 1 | 1u << 2,
                                                .parameters = sample_shallow_parameters,
                                                .parameter_count = 1};
static const dew_SolverTraits sample_splash = {.name = "splash",
                                               .dimensions_mask = 1u << 2 | 1u << 3,
                                               .unsupported = sample_splash_unsupported,
                                               .unsupported_count = 4};
static const dew_SolverTraits *const sample_traits[] = {
    &sample_volume, &sample_surface, &sample_apic, &sample_shallow, &sample_splash};

static inline dew_SolverList sample_solvers(void)
{
    return (dew_SolverList){.traits = sample_traits, .count = 5};
}
