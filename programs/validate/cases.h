/// The cases, one per file, for case_table.c alone.
#pragma once

#include "validate/validate.h"

extern const dew_Case dew_case_apic_cube;
extern const dew_Case dew_case_apic_impact;
extern const dew_Case dew_case_apic_sessile;
extern const dew_Case dew_case_apic_turning;
extern const dew_Case dew_case_colliding_drops;
extern const dew_Case dew_case_enright;
extern const dew_Case dew_case_falling_ball;
extern const dew_Case dew_case_free_drop;
extern const dew_Case dew_case_hysteresis_loop;
extern const dew_Case dew_case_level_set_sphere;
extern const dew_Case dew_case_lid_driven_cavity;
extern const dew_Case dew_case_paper_against_ours;
extern const dew_Case dew_case_pendant_drop;
extern const dew_Case dew_case_projected_field;
extern const dew_Case dew_case_rayleigh_plateau;
extern const dew_Case dew_case_sampled_sphere;
extern const dew_Case dew_case_sessile_cycle;
extern const dew_Case dew_case_sessile_gravity;
extern const dew_Case dew_case_shallow_bowl;
extern const dew_Case dew_case_shallow_bump;
extern const dew_Case dew_case_shallow_dam;
extern const dew_Case dew_case_shallow_lake;
extern const dew_Case dew_case_shallow_drops;
extern const dew_Case dew_case_shallow_valley;
extern const dew_Case dew_case_shallow_piston;
extern const dew_Case dew_case_shallow_outline;
extern const dew_Case dew_case_shear_layers;
extern const dew_Case dew_case_single_vortex;
extern const dew_Case dew_case_sliding_drop;
extern const dew_Case dew_case_sphere_set;
extern const dew_Case dew_case_splash_dam;
extern const dew_Case dew_case_splash_pool;
extern const dew_Case dew_case_splash_tension;
extern const dew_Case dew_case_taylor_green;
extern const dew_Case dew_case_tilted_plane;
extern const dew_Case dew_case_volume_curved;
extern const dew_Case dew_case_volume_drop;
extern const dew_Case dew_case_volume_gravity;
extern const dew_Case dew_case_volume_hanging;
extern const dew_Case dew_case_volume_jet;
extern const dew_Case dew_case_volume_kept;
extern const dew_Case dew_case_volume_retention;
extern const dew_Case dew_case_volume_rise;
extern const dew_Case dew_case_volume_sessile;
extern const dew_Case dew_case_volume_tilt;
extern const dew_Case dew_case_volume_path;
extern const dew_Case dew_case_volume_walls;
extern const dew_Case dew_case_young_laplace_speed;
extern const dew_Case dew_case_zalesak;
