// Gradient noise and cellular noise over a hash of the integer lattice.
#include "render/pattern.h"

static uint32_t hash(int x, int y, int z)
{
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ (uint32_t)z * 0xcb1ab31fu;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 12;
    h *= 0x297a2d39u;
    return h ^ h >> 15;
}

float dew_noise_of_id(uint32_t id)
{
    return (float)(id >> 8) * 0x1p-24f;
}

// Slope towards one of the 12 middles of a cube's edges, times the way there [Perlin2002].
static float slope(uint32_t h, float x, float y, float z)
{
    h &= 15;
    float u = h < 8 ? x : y, v = h < 4 ? y : h == 12 || h == 14 ? x : z;
    return (h & 1 ? -u : u) + (h & 2 ? -v : v);
}

static float fade(float t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

static float mix(float a, float b, float t)
{
    return a + t * (b - a);
}

float dew_noise(dew_Float3 p)
{
    float fx = floorf(p.x), fy = floorf(p.y), fz = floorf(p.z);
    int i = (int)fx, j = (int)fy, k = (int)fz;
    float x = p.x - fx, y = p.y - fy, z = p.z - fz, plane[2];
    for (int c = 0; c < 2; c++) {
        float w = z - (float)c;
        float near = mix(slope(hash(i, j, k + c), x, y, w),
                         slope(hash(i + 1, j, k + c), x - 1, y, w), fade(x));
        float far = mix(slope(hash(i, j + 1, k + c), x, y - 1, w),
                        slope(hash(i + 1, j + 1, k + c), x - 1, y - 1, w), fade(x));
        plane[c] = mix(near, far, fade(y));
    }
    return mix(plane[0], plane[1], fade(z));
}

float dew_noise_sum(dew_Float3 p, int octaves)
{
    float sum = 0, strength = 1;
    for (int i = 0; i < octaves; i++, strength *= 0.5f) {
        sum += strength * dew_noise(p);
        // Shifted, so that the zeroes of the octaves on the lattice do not coincide.
        p = dew_f3_add(dew_f3_scale(2, p), dew_f3(17.3f, 5.1f, 9.7f));
    }
    return sum;
}

// The point of a unit cell; *h: the cell's id.
static dew_Float3 site_of(int x, int y, int z, uint32_t *h)
{
    *h = hash(x, y, z);
    return dew_f3((float)x + dew_noise_of_id(*h), (float)y + dew_noise_of_id(*h * 0x9e3779b1u),
                  (float)z + dew_noise_of_id(*h * 0x85ebca6bu));
}

void dew_noise_cells(dew_Float3 p, float *nearest, float *second, uint32_t *id)
{
    int i = (int)floorf(p.x), j = (int)floorf(p.y), k = (int)floorf(p.z);
    float best = 1e9f, next = 1e9f;
    for (int n = 0; n < 27; n++) {
        int x = i + n % 3 - 1, y = j + n / 3 % 3 - 1, z = k + n / 9 - 1;
        uint32_t h;
        float d = dew_f3_length2(dew_f3_sub(site_of(x, y, z, &h), p));
        if (d < best) {
            next = best;
            best = d;
            *id = h;
        } else if (d < next) {
            next = d;
        }
    }
    *nearest = sqrtf(best);
    *second = sqrtf(next);
}

void dew_noise_cells_flat(float x, float y, float *nearest, float *second)
{
    int i = (int)floorf(x), j = (int)floorf(y);
    float best = 1e9f, next = 1e9f;
    for (int n = 0; n < 9; n++) {
        int a = i + n % 3 - 1, b = j + n / 3 - 1;
        uint32_t h = hash(a, b, 0);
        float dx = (float)a + dew_noise_of_id(h) - x;
        float dy = (float)b + dew_noise_of_id(h * 0x9e3779b1u) - y;
        float d = dx * dx + dy * dy;
        next = d < best ? best : d < next ? d : next;
        best = d < best ? d : best;
    }
    *nearest = sqrtf(best);
    *second = sqrtf(next);
}

float dew_noise_spots(dew_Float3 p)
{
    // A spot: where its edge fades, in radii; least radius and range in cells, half a cell in all;
    // brightness.
    static const struct {
        float inner, outer, least, range, strength;
    } spot = {0.85f, 1.1f, 0.20f, 0.30f, 0.55f};
    int i = (int)floorf(p.x), j = (int)floorf(p.y), k = (int)floorf(p.z);
    float sum = 0;
    for (int n = 0; n < 27; n++) {
        uint32_t h;
        dew_Float3 site = site_of(i + n % 3 - 1, j + n / 3 % 3 - 1, k + n / 9 - 1, &h);
        float radius = spot.least + spot.range * dew_noise_of_id(h * 747796405u);
        float d2 = dew_f3_length2(dew_f3_sub(site, p));
        if (!(d2 < spot.outer * spot.outer * radius * radius))
            continue;
        float t = (spot.outer - sqrtf(d2) / radius) / (spot.outer - spot.inner);
        t = t < 1 ? t : 1;
        float strength = spot.strength * dew_noise_of_id(h * 0x9e3779b1u + 3);
        sum += t * t * (3 - 2 * t) * strength * strength;
    }
    return sum;
}
