/// The list of cases: one line each.
#include "validate/cases.h"

const dew_Case *const dew_case_table[] = {
    &dew_case_falling_ball,     &dew_case_hysteresis_loop,     &dew_case_sampled_sphere,
    &dew_case_sessile_gravity,  &dew_case_free_drop,           &dew_case_colliding_drops,
    &dew_case_tilted_plane,     &dew_case_pendant_drop,        &dew_case_sessile_cycle,
    &dew_case_rayleigh_plateau, &dew_case_young_laplace_speed, &dew_case_volume_drop,
    &dew_case_volume_sessile,   &dew_case_volume_tilt,         &dew_case_volume_gravity,
    &dew_case_volume_curved,    &dew_case_volume_retention,    &dew_case_volume_rise,
    &dew_case_volume_kept,      &dew_case_projected_field,     &dew_case_taylor_green,
    &dew_case_shear_layers,     &dew_case_lid_driven_cavity,   &dew_case_level_set_sphere,
    &dew_case_zalesak,          &dew_case_single_vortex,       &dew_case_enright,
    &dew_case_sphere_set,       &dew_case_volume_jet,          &dew_case_paper_against_ours,
    &dew_case_volume_hanging,   &dew_case_apic_turning,        &dew_case_apic_cube,
    &dew_case_apic_sessile,     &dew_case_volume_path,         &dew_case_apic_impact,
    &dew_case_volume_walls,     &dew_case_shallow_dam,         &dew_case_shallow_bowl,
    &dew_case_shallow_lake,     &dew_case_shallow_bump,        &dew_case_splash_dam,
    &dew_case_splash_pool,      &dew_case_shallow_drops,       &dew_case_shallow_valley,
    &dew_case_shallow_piston,   &dew_case_splash_tension,      &dew_case_shallow_outline,
    &dew_case_sliding_drop,     &dew_case_realtime_sliding,    &dew_case_tanner,
    &dew_case_bounce,           &dew_case_coalescence,         &dew_case_impact,
    &dew_case_corner,           &dew_case_sliding_grid,        &dew_case_sliding_film,
    &dew_case_tanner_film,
};
const int dew_case_count = sizeof dew_case_table / sizeof dew_case_table[0];
