// Fields to arrays: pressure and velocity of a drop at rest, as dense arrays and as views without a
// copy.
//
// Without gravity the pressure in a resting drop exceeds that of the air by 2 sigma / R
// (Young-Laplace). The program averages it over the inner half of the drop and compares; then it
// walks the sparse bricks of the level set to measure the volume.
#include <dew/dew.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double radius_m = 1e-3;

static dew_Status build(dew_Scene **scene)
{
    dew_SceneDef def = dew_default_scene_def();
    def.title = "A drop at rest, without gravity";
    def.solver = "volume";
    def.gravity_m_s2 = (dew_Vec3){0, 0, 0};
    def.domain.min_m = (dew_Vec3){-2e-3, -2e-3, -2e-3};
    def.domain.max_m = (dew_Vec3){2e-3, 2e-3, 2e-3};
    def.domain.cell_m = 1e-4;
    DEW_TRY(dew_scene_create(&def, NULL, scene));

    dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
    drop.radius_m = radius_m;
    DEW_TRY(dew_scene_add_drop(*scene, &drop));
    return dew_scene_check(*scene);
}

// Mean pressure within half a radius of the centre, from a dense array in C order: [z][y][x].
static dew_Status mean_pressure(dew_World *world, double *mean_Pa)
{
    dew_CellBox box;
    dew_FieldView view;
    double sum = 0;
    int64_t inside = 0;
    DEW_TRY(dew_world_field(world, "pressure", &view));
    DEW_TRY(dew_world_field_box(world, "pressure", &box));
    int64_t count = (int64_t)box.size[0] * box.size[1] * box.size[2];
    double *p = malloc((size_t)count * sizeof *p);
    if (!p)
        return dew_fail(DEW_NO_MEMORY, "no memory for %lld values", (long long)count);
    dew_Status status = dew_world_field_copy(world, "pressure", &box, p, count);
    for (int64_t n = 0; n < count && status.code == DEW_OK; n++) {
        int32_t i = box.min[0] + (int32_t)(n % box.size[0]);
        int32_t j = box.min[1] + (int32_t)(n / box.size[0] % box.size[1]);
        int32_t k = box.min[2] + (int32_t)(n / box.size[0] / box.size[1]);
        dew_Vec3 x = dew_field_view_position_m(&view, i, j, k);
        if (x.x * x.x + x.y * x.y + x.z * x.z < 0.25 * radius_m * radius_m) {
            sum += p[n];
            inside++;
        }
    }
    free(p);
    *mean_Pa = sum / (double)inside;
    return status;
}

// Volume of the cells whose centre is liquid, straight from the bricks of the state.
static dew_Status cell_volume(dew_World *world, double *volume_m3)
{
    dew_FieldView phi;
    int64_t count = 0;
    DEW_TRY(dew_world_field(world, "phi", &phi));
    for (int64_t n = 0; n < phi.value_count; n++)
        count += dew_field_view_value(&phi, n) < 0;
    *volume_m3 = (double)count * pow(phi.bricks.cell_m, 3);
    return dew_ok();
}

static dew_Status measure(const dew_Scene *scene, dew_World **world, bool *is_right)
{
    double pressure_Pa, volume_m3;
    dew_WorldDef def = dew_default_world_def();
    DEW_TRY(dew_world_create(scene, &def, world));
    DEW_TRY(dew_world_step_to(*world, 2e-3));
    printf("fields:");
    for (int i = 0; i < dew_world_field_count(*world); i++)
        printf(" %s", dew_world_field_name(*world, i));
    printf("\n");
    DEW_TRY(mean_pressure(*world, &pressure_Pa));
    DEW_TRY(cell_volume(*world, &volume_m3));
    double laplace_Pa = 2 * dew_scene_def(scene)->liquid.surface_tension_N_m / radius_m;
    double ball_m3 = 4 * DEW_PI / 3 * pow(radius_m, 3);
    printf("pressure %6.1f Pa    theory %6.1f  within 3 %%\n", pressure_Pa, laplace_Pa);
    printf("volume   %6.2f mm^3  theory %6.2f  within 3 %%\n", 1e9 * volume_m3, 1e9 * ball_m3);
    *is_right = fabs(pressure_Pa / laplace_Pa - 1) < 0.03 && fabs(volume_m3 / ball_m3 - 1) < 0.03;
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
        fprintf(stderr, "fields_to_arrays: %s\n", status.message);
    else
        printf("%s\n", is_right ? "ok" : "wrong");
    dew_world_destroy(world);
    dew_scene_destroy(scene);
    return status.code == DEW_OK && is_right ? 0 : 1;
}
