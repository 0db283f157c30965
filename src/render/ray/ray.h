/// The engine `ray`: a path tracer on the CPU.
#pragma once

#include "render/render.h"

extern const dew_RenderEngine dew_ray_engine;
