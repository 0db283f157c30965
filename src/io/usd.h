/// Writes animations as USD [Pixar2016]: text (.usda) and crate (.usdc, version 0.8).
#pragma once

#include "io/animation.h"

extern const dew_AnimationOps dew_usda_ops, dew_usdc_ops;
