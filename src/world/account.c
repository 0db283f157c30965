// The account of the liquid: what should be there is what entered and was added, less what was
// removed.
//
// An error is given as a fraction of the peak, the most that the account ever had: what a solver
// gets wrong while a tank is full stays in the account when the tank has run empty, and would be
// any multiple of what is left then.
//
// The peak is no part of the state's hash: it follows from the steps before.
#include "base/status.h"
#include "world/world_state.h"

#include <math.h>
#include <string.h>

double dew_world_account_m3(const dew_WorldClock *clock)
{
    return clock->entered_m3 + clock->added_m3 - clock->removed_m3;
}

double dew_world_volume_error(const dew_World *world)
{
    double expected_m3 = dew_world_account_m3(&world->clock);
    double reference_m3 = fmax(world->peak_m3, expected_m3);
    return reference_m3 > 0 ? (world->measure.volume_m3 - expected_m3) / reference_m3 : 0;
}

static dew_VolumeAllowance allowance_of(const dew_World *world)
{
    const dew_VolumeAllowance *row = world->ops->traits->allowances;
    if (!row)
        return (dew_VolumeAllowance){NULL, world->def.max_volume_error,
                                     world->def.max_volume_error};
    while (row->model && strcmp(row->model, dew_scene_parameter_choice(world->scene, "model")) != 0)
        row++;
    return *row;
}

dew_Status dew_world_check_account(const dew_World *world)
{
    double error = dew_world_volume_error(world);
    dew_VolumeAllowance allowance = allowance_of(world);
    if (error >= -allowance.loss && error <= allowance.gain)
        return dew_ok();
    return dew_fail(DEW_DIVERGED,
                    "the volume is off the account by %.2g of the most there was (%g is allowed): "
                    "the liquid has no room, or a finer cell helps",
                    error, error < 0 ? -allowance.loss : allowance.gain);
}
