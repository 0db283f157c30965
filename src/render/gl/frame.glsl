// What all shaders share: the image's frame, the surroundings, Snell and Fresnel.
// Units: the drawing's own (the subject is about 2 across); light-space coordinates run from 0 to 1.
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp sampler2DShadow;
precision highp usampler2D;

const float PI = 3.14159265359;
const int LIGHTS = 3;

// What this program is compiled for: the bits of program.h.
bool has(uint bit)
{
    return (FEATURES & bit) != 0u;
}
const uint TABLE = 1u, BACKDROP = 2u, FADE = 4u, TEXTURE = 8u, WET = 16u, ROUGH = 32u, GLASS = 64u,
           LIVE = 128u, CODED = 1u << 24, ABSORBS = 1u << 25;
const uint CAUSTICS = 1u << 10, HIGHLIGHTS = 1u << 13;  // of the first light
const int LIGHTS_ON = int(FEATURES >> 8 & 3u), LOOK = int(FEATURES >> 16 & 255u);

layout(std140) uniform Frame {
    mat4 u_clip;              // world to clip space
    vec4 u_eye;               // w: 1 / near depth - 1 / far depth
    vec4 u_right, u_up;       // w: half width, half height of the image at distance 1
    vec4 u_forward;           // w: 1 / near depth
    vec4 u_image;           // shift x, y of the image; 1 / width, 1 / height
    vec4 u_ambient[9];        // irradiance / pi without the lights: spherical harmonics
    vec4 u_table;             // normal, offset along it of the table
    vec4 u_table_light;       // what it sends up
    vec4 u_reach;             // size of the scene; steps of a search; mip levels of the surroundings
    mat4 u_light_space[LIGHTS];    // world to light space, around all that casts shadows
    mat4 u_liquid_space[LIGHTS];  // the same around the liquid: for caustics
    vec4 u_light_towards[LIGHTS];  // w: depth bias
    vec4 u_light_color[LIGHTS];    // irradiance; w: sharpness n of its highlight, 0: it is in the surroundings
};

// ---- codes -------------------------------------------------------------------------------------
//
// A GL in software reads and filters textures of bytes several times faster than textures of floats. So at the
// live level directions, surroundings and images are kept in bytes.

// A direction on the faces of an octahedron, laid out in the square -1..1.
vec2 octahedral(vec3 d)
{
    vec2 p = d.xz / (abs(d.x) + abs(d.y) + abs(d.z));
    return d.y < 0.0 ? (1.0 - abs(p.yx)) * vec2(p.x < 0.0 ? -1.0 : 1.0, p.y < 0.0 ? -1.0 : 1.0) : p;
}

// Sixteen bits for each of its two coordinates.
vec4 packed_normal(vec3 n)
{
    vec2 e = 127.5 * octahedral(n) + 127.5, whole = floor(e);
    return vec4(whole / 255.0, e - whole);
}

vec3 unpacked_normal(vec4 bytes)
{
    vec2 p = 2.0 * bytes.xy + (2.0 / 255.0) * bytes.zw - 1.0;
    float y = 1.0 - abs(p.x) - abs(p.y), folded = max(-y, 0.0);
    return normalize(vec3(p.x - (p.x < 0.0 ? -folded : folded), y, p.y - (p.y < 0.0 ? -folded : folded)));
}

const float SHOULDER = 0.6;

// Light as a screen shows it: the curve of dew_tone_srgb to a tenth of one level of 255, with square roots instead
// of powers.
vec3 shown(vec3 light)
{
    const float rest = 1.0 - SHOULDER;
    vec3 x = max(light, vec3(0.0));
    x = mix(x, 1.0 - rest * rest / max(x + (rest - SHOULDER), vec3(rest)), vec3(greaterThan(x, vec3(SHOULDER))));
    vec3 root = sqrt(x);
    vec3 curve = 0.833762 * root + 0.298098 * sqrt(root) - 0.0553169 * x - 0.0769007;
    return mix(12.92 * x, curve, vec3(greaterThan(x, vec3(0.0031308))));
}

// The other way, to a third of a level.
vec3 light_shown(vec3 y)
{
    const float rest = 1.0 - SHOULDER;
    vec3 curve = ((0.330533 * y + 0.656271) * y + 0.0141911) * y + 0.00154963;
    vec3 x = mix(y / 12.92, curve, vec3(greaterThan(y, vec3(0.04045))));
    return mix(x, rest * rest / max(1.0 - x, vec3(0.004)) + (SHOULDER - rest), vec3(greaterThan(x, vec3(SHOULDER))));
}

// ---- surroundings ------------------------------------------------------------------------------

uniform sampler2D u_environment;  // latitude and longitude, mips for roughness
uniform sampler2D u_around;       // live: octahedral, root of light; alpha divides where it is above 1
uniform sampler2D u_backdrop;     // the part before the camera, sharper

bool is_in_backdrop(vec3 d, out vec2 at)
{
    float ahead = dot(d, u_forward.xyz);
    at = vec2(dot(d, u_right.xyz) / u_right.w, dot(d, u_up.xyz) / u_up.w) / ahead;
    return has(BACKDROP) && ahead > 0.01 && max(abs(at.x), abs(at.y)) < 1.01;
}

vec3 surroundings(vec3 d, float level)
{
    vec2 at;
    if (level < 1.0 && is_in_backdrop(d, at))
        return textureLod(u_backdrop, 0.5 + 0.5 * at, 0.0).rgb;
    vec2 uv = vec2(0.5 + atan(d.x, -d.z) / (2.0 * PI), acos(clamp(d.y, -1.0, 1.0)) / PI);
    return textureLod(u_environment, uv, level).rgb;
}

// Without roughness; at the live level from the map of bytes.
vec3 sharp_surroundings(vec3 d)
{
    if (!has(LIVE))
        return surroundings(d, 0.0);
    vec2 at;
    if (is_in_backdrop(d, at))
        return textureLod(u_backdrop, 0.5 + 0.5 * at, 0.0).rgb;
    float size = float(textureSize(u_around, 0).x);
    vec4 code = textureLod(u_around, 0.5 + (0.5 - 0.5 / size) * octahedral(d), 0.0);
    vec3 root = code.rgb / code.a;
    return root * root;
}

float level_of(float roughness)
{
    return clamp(u_reach.z + 1.5 * log2(max(roughness, 1e-3)), 0.0, u_reach.z);
}

// What comes from far away: below the table's horizon it is the table.
vec3 above_table(vec3 light, vec3 d)
{
    if (!has(TABLE))
        return light;
    float below = -dot(d, u_table.xyz);
    return mix(light, u_table_light.rgb, smoothstep(0.02, 0.16, below));
}

vec3 far_light(vec3 d, float level)
{
    return above_table(surroundings(d, level), d);
}

vec3 sharp_light(vec3 d)
{
    return above_table(sharp_surroundings(d), d);
}

vec3 ambient(vec3 n)  // irradiance / pi
{
    vec3 sum = u_ambient[0].rgb + u_ambient[1].rgb * n.y + u_ambient[2].rgb * n.z +
               u_ambient[3].rgb * n.x + u_ambient[4].rgb * (n.x * n.y) +
               u_ambient[5].rgb * (n.y * n.z) + u_ambient[6].rgb * (3.0 * n.z * n.z - 1.0) +
               u_ambient[7].rgb * (n.x * n.z) + u_ambient[8].rgb * (n.x * n.x - n.y * n.y);
    return max(sum, vec3(0.0));
}

// ---- boundaries --------------------------------------------------------------------------------

// Exact reflectance of a smooth boundary; eta: index behind over index before. 1: all is reflected.
float fresnel(float cos_i, float eta)
{
    float sin2_t = (1.0 - cos_i * cos_i) / (eta * eta);
    if (sin2_t >= 1.0)
        return 1.0;
    float cos_t = sqrt(1.0 - sin2_t);
    float parallel = (eta * cos_i - cos_t) / (eta * cos_i + cos_t);
    float across = (cos_i - eta * cos_t) / (cos_i + eta * cos_t);
    return 0.5 * (parallel * parallel + across * across);
}

// A light's highlight on a smooth surface, eq. (9) of [Durikovic]: cos^n of the angle between the mirrored
// view and the light, scaled so that it holds the light's irradiance.
vec3 highlights(vec3 mirrored, float least_roughness)
{
    vec3 sum = vec3(0.0);
    for (int i = 0; i < LIGHTS_ON; i++) {
        if (!has(HIGHLIGHTS << i))
            continue;
        float a = max(least_roughness * least_roughness, 1e-3);
        float n = min(u_light_color[i].w, 2.0 / (a * a));
        float cosine = max(dot(mirrored, u_light_towards[i].xyz), 0.0);
        sum += u_light_color[i].rgb * ((n + 1.0) / (2.0 * PI) * pow(cosine, n));
    }
    return sum;
}

// ---- the image -------------------------------------------------------------------------------

// Place in the image, 0..1, times the depth along the view; and that depth. Linear.
vec3 before_image(vec3 p)
{
    vec3 q = p - u_eye.xyz;
    float depth = dot(q, u_forward.xyz);
    vec2 at = vec2(dot(q, u_right.xyz) / u_right.w, dot(q, u_up.xyz) / u_up.w);
    return vec3(0.5 * at + 0.5 * (1.0 + u_image.xy) * depth, depth);
}

// Place in the image, 0..1, and depth along the view.
vec3 in_image(vec3 p)
{
    vec3 at = before_image(p);
    return vec3(at.xy / max(at.z, 1e-6), at.z);
}

float depth_of(float stored)  // from the depth buffer; far: nothing is there
{
    return 1.0 / (u_forward.w - stored * u_eye.w);
}

vec3 ray_of(vec2 uv)  // from the eye, of length 1 along `forward`
{
    vec2 at = 2.0 * uv - 1.0 - u_image.xy;
    return u_forward.xyz + at.x * u_right.w * u_right.xyz + at.y * u_up.w * u_up.xyz;
}
