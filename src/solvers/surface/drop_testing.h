/// Drops for tests of the operators: a mesh in a workspace, with the parameters of water and a
/// scene of choice.
#pragma once

#include "base/status.h"
#include "base/testing.h"
#include "geom/shapes.h"
#include "scene/traits.h"
#include "solvers/surface/drop_work.h"
#include "solvers/surface/surface_solver.h"

#include <stdio.h>
#include <string.h>

typedef struct dew_TestDrop {
    dew_Scene *scene;
    dew_Problem *problem;
    dew_SurfaceSolverParams params;
    dew_DropWork work;
} dew_TestDrop;

/// A scene of the solver with a floor at y = 0; `material` as in a scene file.
static inline void test_drop_open(dew_TestDrop *t, const char *material)
{
    static const dew_SolverTraits *const list[] = {&dew_surface_solver_traits};
    char text[1024];
    snprintf(text, sizeof text,
             "solver: surface\n"
             "domain: {min: [-10 mm, 0 mm, -10 mm], max: [10 mm, 20 mm, 10 mm], cell: 0.3 mm, "
             "walls: {floor: m, others: open}}\n"
             "materials: {m: %s}\n"
             "drops: [{shape: sphere, center: [0, 5 mm, 0], radius: 1 mm}]\n",
             material);
    dew_SceneLoadDef def = dew_default_scene_load_def();
    def.path = "test.yaml";
    def.text = text;
    def.text_size = strlen(text);
    assert_ok(dew_scene_read(&def, (dew_SolverList){list, 1}, &t->scene));
    dew_ProblemDef problem_def = {0};
    assert_ok(dew_problem_create(t->scene, &problem_def, &t->problem));
    t->params = (dew_SurfaceSolverParams){.problem = t->problem,
                                          .rho_kg_m3 = 998,
                                          .mu_Pa_s = 1e-3,
                                          .sigma_N_m = 0.073,
                                          .edge_m = 0.3e-3,
                                          .steps_per_period = 24,
                                          .tolerance = 1e-8};
    assert_ok(dew_drop_work_init(&t->work, NULL));
}

static inline void test_drop_close(dew_TestDrop *t)
{
    dew_drop_work_deinit(&t->work);
    dew_problem_destroy(t->problem);
    dew_scene_destroy(t->scene);
}

/// Loads a mesh moved by `at`, touching where y = 0; its volume is that of the mesh.
static inline void test_drop_load(dew_TestDrop *t, dew_Mesh *mesh, dew_Vec3 at)
{
    dew_mesh_transform(mesh, 1, dew_rotation_identity(), at);
    dew_DropView view = {.values = {.volume_m3 = 1e-9},
                         .counts = {.inflow = DEW_INVALID,
                                    .parted_from = DEW_INVALID,
                                    .vertex_count = mesh->positions.count,
                                    .triangle_count = mesh->triangles.count},
                         .positions = dew_mesh_positions(mesh),
                         .triangles = dew_mesh_triangles(mesh)};
    assert_ok(dew_drop_work_load(&t->work, &t->params, &view));
    assert_ok(dew_drop_connect(&t->work));
    t->work.values.volume_m3 = dew_drop_volume(&t->work);
    t->work.instant = (dew_Instant){.gravity_m_s2 = {0, -9.81, 0}};
    for (int64_t i = 0; i < t->work.n; i++)
        if (fabs(t->work.x[i].y) < 1e-12)
            t->work.label[i] = DEW_LABEL_TOUCHING;
    dew_drop_find_touches(&t->work);
    memcpy(t->work.y, t->work.x, (size_t)t->work.n * sizeof(dew_Vec3));
    dew_drop_measure_at(&t->work, t->work.y);
}
