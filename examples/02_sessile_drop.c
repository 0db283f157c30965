// A sessile drop against theory: without gravity a drop at rest is a spherical cap.
//
//          ____              volume V, contact angle theta, radius R of the sphere:
//        /      \                V = pi/3 R^3 (2 + cos theta) (1 - cos theta)^2
//   ____/ theta  \____           height = R (1 - cos theta),  base radius = R sin theta
//
// The drop starts as a hemisphere and relaxes to the angle of the plate. The program prints angle,
// height and base radius beside those of the cap, and fails when one of them is off by more than
// its tolerance.
#include <dew/dew.h>

#include <math.h>
#include <stdio.h>

static const double volume_m3 = 10e-9;
static const double angle_deg = 60;

static dew_Status build(dew_Scene **scene)
{
    dew_SceneDef def = dew_default_scene_def();
    def.title = "A sessile drop without gravity";
    def.solver = "surface";
    def.gravity_m_s2 = (dew_Vec3){0, 0, 0};
    def.domain.min_m = (dew_Vec3){-5e-3, 0, -5e-3};
    def.domain.max_m = (dew_Vec3){5e-3, 5e-3, 5e-3};
    def.domain.cell_m = 0.25e-3;
    def.domain.wall_material[DEW_SIDE_FLOOR] = "plate";
    DEW_TRY(dew_scene_create(&def, NULL, scene));

    dew_MaterialDef plate = dew_default_material_def();  // one angle: no hysteresis
    plate.advancing_rad = plate.receding_rad = plate.wet_advancing_rad = DEW_DEG(angle_deg);
    DEW_TRY(dew_scene_add_material(*scene, "plate", &plate));

    dew_DropDef cap = dew_default_drop_def(DEW_DROP_CAP);
    cap.point_m = (dew_Vec3){0, 0, 0};
    cap.normal = (dew_Vec3){0, 1, 0};
    cap.volume_m3 = volume_m3;
    cap.angle_rad = DEW_DEG(90);
    DEW_TRY(dew_scene_add_drop(*scene, &cap));
    return dew_scene_check(*scene);
}

static bool compare(const char *name, const char *unit, double got, double expected,
                    double tolerance)
{
    double error = got / expected - 1;
    printf("%-12s %6.2f %-4s theory %6.2f  within %.0f %%\n", name, got, unit, expected,
           100 * tolerance);
    return fabs(error) <= tolerance;
}

static dew_Status measure(const dew_Scene *scene, dew_World **world, bool *is_right)
{
    dew_WorldDef def = dew_default_world_def();
    const dew_Drop *drops;
    int64_t count;
    DEW_TRY(dew_world_create(scene, &def, world));
    DEW_TRY(dew_world_step_to(*world, 0.3));
    DEW_TRY(dew_world_drops(*world, &drops, &count));
    if (count != 1)
        return dew_fail(DEW_DIVERGED, "expected one drop, found %lld", (long long)count);

    double c = cos(DEW_DEG(angle_deg)), s = sin(DEW_DEG(angle_deg));
    double radius_m = cbrt(3 * volume_m3 / (DEW_PI * (2 + c) * (1 - c) * (1 - c)));
    double base_m = sqrt(drops[0].contact_area_m2 / DEW_PI);
    *is_right = compare("angle", "deg", drops[0].contact_angle_rad / DEW_DEG(1), angle_deg, 0.03);
    *is_right &= compare("height", "mm", 1e3 * (drops[0].box_max_m.y - drops[0].box_min_m.y),
                         1e3 * radius_m * (1 - c), 0.03);
    *is_right &= compare("base radius", "mm", 1e3 * base_m, 1e3 * radius_m * s, 0.03);
    *is_right &= compare("volume", "mm^3", 1e9 * drops[0].volume_m3, 1e9 * volume_m3, 0.01);
    return dew_ok();
}

int main(void)
{
    dew_Scene *scene = NULL;
    dew_World *world = NULL;
    bool is_right = false;
    dew_Status status = build(&scene);
    if (status.code == DEW_OK)
        status = measure(scene, &world, &is_right);
    if (status.code != DEW_OK)
        fprintf(stderr, "sessile_drop: %s\n", status.message);
    else
        printf("%s\n", is_right ? "ok" : "wrong");
    dew_world_destroy(world);
    dew_scene_destroy(scene);
    return status.code == DEW_OK && is_right ? 0 : 1;
}
