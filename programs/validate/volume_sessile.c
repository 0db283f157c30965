// Drops that sit on flat walls without gravity, in the solver `volume`, in two dimensions.
//
// The section is a circle's segment, whatever the wall's tilt: its angle follows from the height of
// the centre of the area over the wall, so it tells of the whole shape and not of the few cells
// beside the line. It starts 3 or 4 degrees off and comes to rest with twenty times the viscosity
// of water, on which the equilibrium does not depend. The fastest velocity at rest is that of
// water, 20 ms after it was put there in its final shape. Each is the worst of three places of the
// wall between the cells, on two grids. Allowed are the design's figures for R/h = 16; --quick runs
// R/h = 8, one place, twice the allowance.
#include "validate/cases.h"
#include "validate/seat.h"

static dew_Status compare_angle(dew_CaseRun *c, double angle_deg, double tilt_deg, double allowed)
{
    static const double offsets[3] = {0, 0.31, 0.77}, grids[3] = {16, 16, 13};
    dew_SeatFigures worst = {.angle_deg = angle_deg};
    dew_Seat seat;
    for (int k = 0; k < (c->is_quick ? 1 : 3); k++) {
        double cells = c->is_quick ? 8 : grids[k];
        seat = (dew_Seat){.dimensions = 2,
                          .cells = cells,
                          .half_m = 64 * (DEW_SEAT_RADIUS_M / cells),
                          .angle_deg = angle_deg,
                          .start_deg = dew_seat_start_deg(angle_deg),
                          .tilt_deg = tilt_deg,
                          .offset = offsets[c->is_quick ? 1 : k],
                          .viscosity_Pa_s = 20e-3,
                          .time_s = 0.06};
        DEW_TRY(dew_seat_compare(&seat, 0.02, &worst));
    }
    dew_seat_report(c, &seat, &worst, allowed);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    static const double angles[] = {30, 60, 90, 120, 150};
    for (int i = 0; i < 5; i++) {
        bool is_last = i == 4;
        if (c->is_quick && i != 1 && i != 4)
            continue;
        DEW_TRY(compare_angle(c, angles[i], 20, is_last ? 8 : 2));
        if (!c->is_quick)
            DEW_TRY(compare_angle(c, angles[i], 0, is_last ? 8 : 1.5));
    }
    return dew_ok();
}

const dew_Case dew_case_volume_sessile = {
    "volume_sessile", "volume: drops on flat walls against circles, and at rest", true, run};
