/// How the solids and the liquid of a problem look: materials joined with the scene's looks, and
/// how finely curved solids are drawn. Images and exported files have them from here.
#pragma once

#include "problem/problem.h"
#include "render/look.h"

/// The material of a solid, or of a wall; NULL: none.
const char *dew_solid_material_name(const dew_Problem *problem, int solid_id);
/// The scene's look of a material; NULL: it has none.
const dew_LookDef *dew_solid_look_def(const dew_Problem *problem, const char *material);
/// The look of a solid, without its texture.
dew_Look dew_solid_look(const dew_Problem *problem, int solid_id);
/// The look of the liquid, with the dye of the scene's look `liquid`.
dew_LiquidLook dew_problem_liquid_look(const dew_Problem *problem);

/// Width of the domain seen from above: what textures and dyes are measured in.
double dew_problem_width_m(const dew_Problem *problem);

#define DEW_DRAWN_EDGE_RATIO 0.011  // edge of a curved solid's mesh to the size of the solid

/// Edge length of a curved solid's mesh in an image that shows all of it; 0: as coarse as the shape
/// allows.
double dew_solid_drawn_edge_m(const dew_Problem *problem, int solid_id);
