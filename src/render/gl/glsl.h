/// The shaders' sources, made from the .glsl files beside this one when Dew is built.
#pragma once

extern const char dew_glsl_frame[];
extern const char dew_glsl_looks[];
extern const char dew_glsl_solid[];
extern const char dew_glsl_clear[];
extern const char dew_glsl_side[];
extern const char dew_glsl_sky[];
extern const char dew_glsl_caustic_hits[];
extern const char dew_glsl_caustic_splat[];
extern const char dew_glsl_tone[];
extern const char dew_glsl_live_bent[];
extern const char dew_glsl_live_liquid[];
extern const char dew_glsl_live_glass[];
extern const char dew_glsl_live_light[];
extern const char dew_glsl_live_soft[];
extern const char dew_glsl_live_lit[];
extern const char dew_glsl_live_copy[];
