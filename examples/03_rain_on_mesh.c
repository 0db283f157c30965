// Rain on a mesh from memory: the program makes a torus as two arrays, gives it to the scene, lets
// it rain, and reads back how wet the torus is, vertex by vertex.
#include <dew/dew.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { AROUND = 48, ACROSS = 24, VERTICES = AROUND * ACROSS, TRIANGLES = 2 * VERTICES };

// A torus about the y axis, 8 mm across, counter-clockwise seen from outside.
static void make_torus(dew_Vec3 *positions_m, uint32_t *triangles)
{
    const double major_m = 3e-3, minor_m = 1e-3;
    for (int i = 0; i < AROUND; i++)
        for (int j = 0; j < ACROSS; j++) {
            double a = 2 * DEW_PI * i / AROUND, b = 2 * DEW_PI * j / ACROSS;
            double r = major_m + minor_m * cos(b);
            positions_m[i * ACROSS + j] =
                (dew_Vec3){r * cos(a), 3e-3 + minor_m * sin(b), r * sin(a)};
            uint32_t v00 = (uint32_t)(i * ACROSS + j);
            uint32_t v01 = (uint32_t)(i * ACROSS + (j + 1) % ACROSS);
            uint32_t v10 = (uint32_t)((i + 1) % AROUND * ACROSS + j);
            uint32_t v11 = (uint32_t)((i + 1) % AROUND * ACROSS + (j + 1) % ACROSS);
            uint32_t *t = triangles + 6 * (i * ACROSS + j);
            t[0] = v00, t[1] = v01, t[2] = v11;
            t[3] = v00, t[4] = v11, t[5] = v10;
        }
}

static dew_Status add_torus(dew_Scene *scene)
{
    static dew_Vec3 positions_m[VERTICES];
    static uint32_t triangles[3 * TRIANGLES];
    make_torus(positions_m, triangles);
    dew_MeshData mesh = {positions_m, VERTICES, triangles, TRIANGLES};
    DEW_TRY(dew_scene_add_mesh(scene, "torus", &mesh));  // copied: the arrays may go

    dew_SolidDef solid = dew_default_solid_def(DEW_SOLID_MESH);
    solid.name = "ring";
    solid.material = "lacquer";
    solid.file = "memory:torus";
    return dew_scene_add_solid(scene, &solid);
}

static dew_Status build(dew_Scene **scene)
{
    dew_SceneDef def = dew_default_scene_def();
    def.title = "Rain on a ring";
    def.solver = "surface";
    def.seed = 7;
    def.output.wetmap = true;
    def.domain.min_m = (dew_Vec3){-6e-3, 0, -6e-3};
    def.domain.max_m = (dew_Vec3){6e-3, 12e-3, 6e-3};
    def.domain.cell_m = 0.4e-3;
    DEW_TRY(dew_scene_create(&def, NULL, scene));

    dew_MaterialDef lacquer = dew_default_material_def();
    lacquer.advancing_rad = lacquer.wet_advancing_rad = DEW_DEG(80);
    lacquer.receding_rad = DEW_DEG(40);
    DEW_TRY(dew_scene_add_material(*scene, "lacquer", &lacquer));
    DEW_TRY(add_torus(*scene));

    dew_SourceDef rain = dew_default_source_def(DEW_SOURCE_RAIN);
    rain.min_m = (dew_Vec3){-4e-3, 8e-3, -4e-3};
    rain.max_m = (dew_Vec3){4e-3, 10e-3, 4e-3};
    rain.rate_Hz = 300;
    rain.radius_range_m[0] = 0.5e-3;
    rain.radius_range_m[1] = 0.7e-3;
    rain.velocity_m_s = (dew_Vec3){0, -0.3, 0};
    DEW_TRY(dew_scene_add_source(*scene, &rain));
    return dew_scene_check(*scene);
}

static dew_Status simulate(const dew_Scene *scene, dew_World **world, bool *is_right)
{
    dew_WorldDef def = dew_default_world_def();
    dew_MeshData mesh;
    dew_Stats stats;
    DEW_TRY(dew_world_create(scene, &def, world));
    DEW_TRY(dew_world_step_to(*world, 0.08));

    int ring = dew_world_find_solid(*world, "ring");
    DEW_TRY(dew_world_solid_mesh(*world, ring, 0, &mesh));
    float *wetness = malloc((size_t)mesh.vertex_count * sizeof *wetness);
    if (!wetness)
        return dew_fail(DEW_NO_MEMORY, "no memory for the wet map");
    dew_Status status =
        dew_world_solid_wetness(*world, ring, mesh.positions_m, mesh.vertex_count, wetness);
    int64_t wet = 0;
    for (int64_t i = 0; i < mesh.vertex_count && status.code == DEW_OK; i++)
        wet += wetness[i] > 0.5f;
    free(wetness);
    DEW_TRY(status);

    dew_world_stats(*world, &stats);
    printf("the ring has %lld vertices and %lld triangles\n", (long long)mesh.vertex_count,
           (long long)mesh.triangle_count);
    printf("%lld drops after %.0f ms, %lld vertices of the ring are wet\n", (long long)stats.drops,
           1e3 * stats.time_s, (long long)wet);
    *is_right = mesh.vertex_count == VERTICES && mesh.triangle_count == TRIANGLES &&
                stats.drops > 3 && wet > 10 && wet < mesh.vertex_count;
    return dew_ok();
}

int main(void)
{
    dew_Scene *scene = NULL;
    dew_World *world = NULL;
    bool is_right = false;
    dew_Status status = build(&scene);
    if (status.code == DEW_OK)
        status = simulate(scene, &world, &is_right);
    if (status.code != DEW_OK)
        fprintf(stderr, "rain_on_mesh: %s\n", status.message);
    else
        printf("%s\n", is_right ? "ok" : "wrong");
    dew_world_destroy(world);
    dew_scene_destroy(scene);
    return status.code == DEW_OK && is_right ? 0 : 1;
}
