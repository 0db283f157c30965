/// A stage for cases: a scene built in code, its world, and what can be seen of the liquid by its
/// surface alone. What is measured here does not ask the solver.
#pragma once

#include "dew/dew.h"
#include "support/scene_builder.h"
#include "support/vec.h"

typedef struct dew_Stage {
    dew_Scene *scene;
    dew_World *world;
    dew_Surface *surface;  // as of the last dew_stage_look
} dew_Stage;

/// The liquid as seen on the surface, and what the world's table says.
typedef struct dew_View {
    dew_Stats stats;
    int pieces;  // connected pieces of more than a hundredth of the whole volume
    double volume_m3;
    dew_Vec3 center_m;  // of the volume
    // The second moments of the volume about the centre, divided by the volume, m^2: shape, not
    // motion.
    double moment_xx_m2, moment_yy_m2, moment_zz_m2;
    dew_Vec3 low_m, high_m;  // box around it
    double base_radius_m;    // of the disk of the same area as what is wet; 0: nothing
    dew_Vec3 base_center_m;  // mean of the wet vertices' box
    dew_Vec3 base_size_m;    // of the wet vertices' box
    dew_ContactLine line;
} dew_View;

/// The builder's scene, world, surface. A stage that failed to open need not be closed.
dew_Status dew_stage_open(dew_Stage *stage, dew_SceneBuilder *builder);
void dew_stage_close(dew_Stage *stage);

/// The table after a time: opens, steps, closes.
dew_Status dew_stage_run(dew_SceneBuilder *builder, double time_s, dew_Stats *stats);

dew_Status dew_stage_look(dew_Stage *stage, dew_View *out);
/// Height of the highest point of a drop whose axis is vertical, by a paraboloid through the
/// vertices within reach_m of the axis: the apex itself need not be a vertex.
double dew_stage_apex_m(const dew_Stage *stage, const dew_View *view, double reach_m);

/// Steps by interval_s until no point moves faster than speed_m_s, at most to end_s. The view is
/// that of the end.
dew_Status dew_stage_rest(dew_Stage *stage, double interval_s, double speed_m_s, double end_s,
                          dew_View *view);
