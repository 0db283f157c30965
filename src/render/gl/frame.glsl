// What all shaders share: the picture's frame, the surroundings, Snell and Fresnel.
// Units: the drawing's own (the subject is about 2 across); light-space coordinates run from 0 to 1.
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp sampler2DShadow;
precision highp usampler2D;

const float PI = 3.14159265359;
const int LAMPS = 3;

// What this program is compiled for: the bits of program.h.
bool has(uint bit)
{
    return (FEATURES & bit) != 0u;
}
const uint TABLE = 1u, BACKDROP = 2u, FADE = 4u, TEXTURE = 8u, WET = 16u, ROUGH = 32u, GLASS = 64u,
           LIVE = 128u;
const uint CAUSTICS = 1u << 10, HIGHLIGHTS = 1u << 13;  // of the first lamp
const int LAMPS_ON = int(FEATURES >> 8 & 3u), LOOK = int(FEATURES >> 16);

layout(std140) uniform Frame {
    mat4 u_clip;              // world to clip space
    vec4 u_eye;               // w: 1 / near depth - 1 / far depth
    vec4 u_right, u_up;       // w: half width, half height of the picture at distance 1
    vec4 u_forward;           // w: 1 / near depth
    vec4 u_picture;           // shift x, y of the picture; 1 / width, 1 / height
    vec4 u_ambient[9];        // irradiance / pi without the lamps: spherical harmonics
    vec4 u_table;             // normal, offset along it of the table
    vec4 u_table_light;       // what it sends up
    vec4 u_reach;             // size of the scene; steps of a search; mip levels of the surroundings
    mat4 u_lamp_space[LAMPS];    // world to light space, around all that casts shadows
    mat4 u_liquid_space[LAMPS];  // the same around the liquid: for caustics
    vec4 u_lamp_towards[LAMPS];  // w: depth bias
    vec4 u_lamp_light[LAMPS];    // irradiance; w: sharpness n of its highlight, 0: it is in the surroundings
};

// ---- surroundings ------------------------------------------------------------------------------

uniform sampler2D u_environment;  // latitude and longitude, mips for roughness

uniform sampler2D u_backdrop;     // the part before the camera, sharper

vec3 surroundings(vec3 d, float level)
{
    float ahead = dot(d, u_forward.xyz);
    if (has(BACKDROP) && level < 1.0 && ahead > 0.01) {
        vec2 at = vec2(dot(d, u_right.xyz) / u_right.w, dot(d, u_up.xyz) / u_up.w) / ahead;
        if (max(abs(at.x), abs(at.y)) < 1.01)
            return textureLod(u_backdrop, 0.5 + 0.5 * at, 0.0).rgb;
    }
    vec2 uv = vec2(0.5 + atan(d.x, -d.z) / (2.0 * PI), acos(clamp(d.y, -1.0, 1.0)) / PI);
    return textureLod(u_environment, uv, level).rgb;
}

float level_of(float roughness)
{
    return clamp(u_reach.z + 1.5 * log2(max(roughness, 1e-3)), 0.0, u_reach.z);
}

// What comes from far away: below the table's horizon it is the table.
vec3 far_light(vec3 d, float level)
{
    vec3 light = surroundings(d, level);
    if (!has(TABLE))
        return light;
    float below = -dot(d, u_table.xyz);
    return mix(light, u_table_light.rgb, smoothstep(0.02, 0.16, below));
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
    for (int i = 0; i < LAMPS_ON; i++) {
        if (!has(HIGHLIGHTS << i))
            continue;
        float a = max(least_roughness * least_roughness, 1e-3);
        float n = min(u_lamp_light[i].w, 2.0 / (a * a));
        float cosine = max(dot(mirrored, u_lamp_towards[i].xyz), 0.0);
        sum += u_lamp_light[i].rgb * ((n + 1.0) / (2.0 * PI) * pow(cosine, n));
    }
    return sum;
}

// ---- the picture -------------------------------------------------------------------------------

// Place in the picture, 0..1, times the depth along the view; and that depth. Linear.
vec3 before_picture(vec3 p)
{
    vec3 q = p - u_eye.xyz;
    float depth = dot(q, u_forward.xyz);
    vec2 at = vec2(dot(q, u_right.xyz) / u_right.w, dot(q, u_up.xyz) / u_up.w);
    return vec3(0.5 * at + 0.5 * (1.0 + u_picture.xy) * depth, depth);
}

// Place in the picture, 0..1, and depth along the view.
vec3 in_picture(vec3 p)
{
    vec3 at = before_picture(p);
    return vec3(at.xy / max(at.z, 1e-6), at.z);
}

float depth_of(float stored)  // from the depth buffer; far: nothing is there
{
    return 1.0 / (u_forward.w - stored * u_eye.w);
}

vec3 ray_of(vec2 uv)  // from the eye, of length 1 along `forward`
{
    vec2 at = 2.0 * uv - 1.0 - u_picture.xy;
    return u_forward.xyz + at.x * u_right.w * u_right.xyz + at.y * u_up.w * u_up.xyz;
}
