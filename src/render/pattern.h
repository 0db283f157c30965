/// Patterns in space: the noise from which marble, wood and leaves are made. Pure functions.
#pragma once

#include "render/float3.h"

/// Gradient noise, about -1..1, features of size 1 [Perlin2002].
float dew_noise(dew_Float3 p);
/// Sum of noises, each half as large and half as strong: clouds. octaves >= 1.
float dew_noise_sum(dew_Float3 p, int octaves);
/// Distance from p to the nearest and the second nearest of points strewn one per unit cell
/// [Worley1996]; the difference is small on the walls between their cells. *id: of the nearest.
void dew_noise_cells(dew_Float3 p, float *nearest, float *second, uint32_t *id);
/// The same in the plane, three times as fast.
void dew_noise_cells_flat(float x, float y, float *nearest, float *second);
/// Round spots of many sizes and strengths about points strewn one per unit cell, as an open lens
/// makes of small lights: 0, and about 0..0.3 within a spot; where spots overlap they add up.
float dew_noise_spots(dew_Float3 p);
/// 0..1 from a cell's id.
float dew_noise_of_id(uint32_t id);
