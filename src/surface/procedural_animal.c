// A seated rabbit: ellipsoids and cones that melt into one another, looking along +x.
//
// About 1 high, to the tips of its ears; the first part is the belly, all that follow grow on it.
#include "surface/blend.h"
#include "surface/implicit_mesh.h"
#include "surface/procedural_shapes.h"

#define BOTH .is_mirrored = true
#define EARS .turn_z = 0.30, .turn_x = 0.18, BOTH

static const dew_Part parts[] = {
    {DEW_ELLIPSOID(-0.09, 0.27, 0, 0.265, 0.25, 0.205)},                               // belly
    {DEW_ELLIPSOID(0.10, 0.36, 0, 0.155, 0.20, 0.15), .turn_z = 0.45, .blend = 0.10},  // chest
    {DEW_ELLIPSOID(-0.15, 0.185, 0.155, 0.185, 0.18, 0.088), .blend = 0.025, BOTH},    // thighs
    {DEW_ELLIPSOID(0.02, 0.05, 0.19, 0.165, 0.05, 0.06), .blend = 0.02, BOTH},         // hind feet
    {DEW_CONE(0.15, 0.30, 0.09, 0.075, 0.21, 0.06, 0.085, 0.048), .blend = 0.04, BOTH},  // forelegs
    {DEW_ELLIPSOID(0.25, 0.043, 0.085, 0.085, 0.043, 0.052), .blend = 0.025, BOTH},      // paws
    {DEW_CONE(0.12, 0.46, 0, 0.125, 0.21, 0.60, 0, 0.11), .blend = 0.08},                // neck
    {DEW_ELLIPSOID(0.235, 0.650, 0, 0.150, 0.130, 0.122), .turn_z = -0.15, .blend = 0.05},  // head
    {DEW_ELLIPSOID(0.350, 0.612, 0, 0.082, 0.068, 0.066), .blend = 0.05},                   // snout
    {DEW_ELLIPSOID(0.365, 0.588, 0.036, 0.056, 0.046, 0.046), .blend = 0.012, BOTH},  // cheeks
    {DEW_ELLIPSOID(0.385, 0.545, 0, 0.034, 0.026, 0.030), .blend = 0.02},             // chin
    {DEW_ELLIPSOID(0.431, 0.622, 0, 0.018, 0.015, 0.021), .blend = 0.010},            // nose
    {DEW_ELLIPSOID(0.292, 0.690, 0.098, 0.032, 0.036, 0.022), .blend = 0.006, BOTH},  // eyes
    {DEW_ELLIPSOID(0.115, 0.905, 0.090, 0.064, 0.215, 0.036), EARS, .blend = 0.05},   // ears
    {DEW_ELLIPSOID(0.158, 0.925, 0.116, 0.038, 0.165, 0.024), EARS, .blend = 0.02,
     .is_cut = true},                                                     // their hollows
    {DEW_ELLIPSOID(-0.365, 0.19, 0, 0.085, 0.08, 0.08), .blend = 0.025},  // tail
};

static double animal_value(const void *context, dew_Vec3 p)
{
    (void)context;
    return dew_parts_distance(parts, sizeof parts / sizeof parts[0], p);
}

dew_Status dew_make_animal(double edge, dew_Mesh *mesh)
{
    dew_Implicit body = {.value = animal_value,
                         .box = {{-0.53, -0.06, -0.35}, {0.53, 1.22, 0.35}},
                         .max_slope = 1,
                         .relax_count = 5};
    return dew_implicit_mesh(&body, edge, mesh);
}
