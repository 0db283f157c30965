/// What the real-time engine takes out of surroundings that the ray tracer samples: the few
/// brightest places as lights that cast shadows and caustics, the rest as even ambient light, and a
/// table of radiance for reflections.
#pragma once

#include "base/arena.h"
#include "render/environment.h"
#include "render/render_scene.h"

enum { DEW_GL_LIGHTS = 3, DEW_GL_MAP_WIDTH = 1024, DEW_GL_MAP_HEIGHT = DEW_GL_MAP_WIDTH / 2 };

/// A distant light: an even disk.
typedef struct dew_GlLight {
    dew_Float3 towards;     // unit
    dew_Float3 irradiance;  // on a surface that faces it
    float radius_rad;
    bool is_in_map;  // the table of radiance shows it already
} dew_GlLight;

typedef struct dew_GlLights {
    dew_GlLight lights[DEW_GL_LIGHTS];  // strongest first
    int count;
    dew_Float3 ambient[9];  // irradiance / pi of the rest, in the order of frame.glsl
    // The table below the liquid, if there is one:
    bool has_table;
    dew_Float3 table_normal;
    float table_offset_m;
    dew_Float3 table_light;  // radiance it sends up
} dew_GlLights;

/// Fills rgba[4 * WIDTH * HEIGHT] with radiance in latitude and longitude, from the top.
dew_Status dew_gl_map_fill(const dew_Environment *environment, dew_Tasks *tasks, float *rgba);

/// What lies before a camera, finer than the map: rgba[4 width height], from the bottom.
dew_Status dew_gl_backdrop_fill(const dew_Environment *environment, const dew_Camera *camera,
                                int width, int height, dew_Tasks *tasks, float *rgba);

/// From the map and the scene's own lights and tables.
dew_Status dew_gl_lights_find(const dew_RenderScene *scene, const float *map_rgba,
                              dew_Arena *scratch, dew_GlLights *out);
