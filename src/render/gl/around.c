// From latitude and longitude to the faces of an octahedron, and from floats to bytes.
#ifdef DEW_HAVE_GL
#include "render/gl/around.h"

#include "base/status.h"
#include "render/gl/lights.h"

#include <math.h>

#define MAX_RADIANCE 4000.0f  // alpha has eight bits

typedef struct Filling {
    const float *map;
    int px;
    uint8_t *rgba;
} Filling;

// The direction of a point of the square -1..1; the inverse of frame.glsl.
static dew_Float3 direction_of(float x, float z)
{
    float y = 1 - fabsf(x) - fabsf(z), folded = fmaxf(-y, 0);
    return dew_f3_unit(dew_f3(x - copysignf(folded, x), y, z - copysignf(folded, z)));
}

static dew_Float3 texel_of(const float *map, int x, int y)
{
    int column = (x + DEW_GL_MAP_WIDTH) % DEW_GL_MAP_WIDTH;
    int row = y < 0 ? 0 : y < DEW_GL_MAP_HEIGHT ? y : DEW_GL_MAP_HEIGHT - 1;
    const float *texel = map + 4 * ((int64_t)row * DEW_GL_MAP_WIDTH + column);
    return dew_f3(texel[0], texel[1], texel[2]);
}

static dew_Float3 mixed(dew_Float3 a, dew_Float3 b, float t)
{
    return dew_f3_add_scaled(dew_f3_scale(1 - t, a), t, b);
}

static dew_Float3 light_from(const float *map, dew_Float3 d)
{
    float turn = atan2f(d.x, -d.z) / (2 * (float)DEW_PI);
    float fall = acosf(fminf(fmaxf(d.y, -1), 1)) / (float)DEW_PI;
    float u = (0.5f + turn) * DEW_GL_MAP_WIDTH - 0.5f, v = fall * DEW_GL_MAP_HEIGHT - 0.5f;
    int x = (int)floorf(u), y = (int)floorf(v);
    dew_Float3 above = mixed(texel_of(map, x, y), texel_of(map, x + 1, y), u - (float)x);
    dew_Float3 below = mixed(texel_of(map, x, y + 1), texel_of(map, x + 1, y + 1), u - (float)x);
    return mixed(above, below, v - (float)y);
}

// Of one of the points along a side of a texel, -1..1.
static float coordinate(int64_t texel, int point, int px)
{
    float at = (float)texel + ((float)point + 0.5f) * (float)px / DEW_GL_MAP_WIDTH - 0.5f;
    return fminf(fmaxf(2 * at / (float)(px - 1) - 1, -1), 1);
}

static uint8_t byte_of(float part)
{
    return (uint8_t)(255 * fminf(fmaxf(part, 0), 1) + 0.5f);
}

static void encode(dew_Float3 light, uint8_t rgba[4])
{
    float most = fminf(fmaxf(fmaxf(light.x, light.y), fmaxf(light.z, 1)), MAX_RADIANCE);
    rgba[3] = byte_of(1 / sqrtf(most));
    float scale = (float)rgba[3] / 255;  // as it will be read
    rgba[0] = byte_of(scale * sqrtf(fmaxf(light.x, 0)));
    rgba[1] = byte_of(scale * sqrtf(fmaxf(light.y, 0)));
    rgba[2] = byte_of(scale * sqrtf(fmaxf(light.z, 0)));
}

static dew_Status fill_rows(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Filling *filling = context;
    int px = filling->px, points = DEW_GL_MAP_WIDTH / px;
    for (int64_t y = begin; y < end; y++)
        for (int64_t x = 0; x < px; x++) {
            dew_Float3 sum = {0, 0, 0};
            for (int k = 0; k < points * points; k++) {
                dew_Float3 d =
                    direction_of(coordinate(x, k % points, px), coordinate(y, k / points, px));
                sum = dew_f3_add_scaled(sum, 1 / (float)(points * points),
                                        light_from(filling->map, d));
            }
            encode(sum, filling->rgba + 4 * (y * px + x));
        }
    return dew_ok();
}

dew_Status dew_gl_around_fill(const float *map_rgba, int px, dew_Tasks *tasks, uint8_t *rgba)
{
    Filling filling = {map_rgba, px, rgba};
    return dew_parallel_for(tasks, px, 8, fill_rows, &filling);
}
#endif
