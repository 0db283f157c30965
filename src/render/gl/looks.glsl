// Looks of solids: the patterns of render/look.c and render/pattern.c, term by term, so that both
// engines draw the same leaf. LOOK is the kind: a program per kind.
const int LEAF = 3, MATTE = 5, MARBLE = 6, METAL = 7, WOOD = 8, FRUIT = 9, CAR_PAINT = 10;
const float PLAIN = 0.8, WATER_IOR = 1.333;

struct Finish {  // dew_Finish
    vec3 albedo, transmission, bump;
    float metal, base_roughness, coat, coat_roughness, ior;
};

uniform vec4 u_color;       // w: roughness
uniform vec4 u_look;        // 0; texture repeats per unit of pattern, 0: none; its aspect; porosity
uniform sampler2D u_texture;

// ---- noise -------------------------------------------------------------------------------------

uint hash(ivec3 p)
{
    uint h = uint(p.x) * 0x8da6b343u ^ uint(p.y) * 0xd8163841u ^ uint(p.z) * 0xcb1ab31fu;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 12;
    h *= 0x297a2d39u;
    return h ^ (h >> 15);
}

float of_id(uint id)
{
    return float(id >> 8) * (1.0 / 16777216.0);
}

float slope(uint h, vec3 d)
{
    h &= 15u;
    float u = h < 8u ? d.x : d.y, v = h < 4u ? d.y : (h == 12u || h == 14u) ? d.x : d.z;
    return ((h & 1u) != 0u ? -u : u) + ((h & 2u) != 0u ? -v : v);
}

float noise(vec3 p)
{
    vec3 cell = floor(p), d = p - cell, f = d * d * d * (d * (d * 6.0 - 15.0) + 10.0);
    ivec3 i = ivec3(cell);
    float plane[2];
    for (int c = 0; c < 2; c++) {
        ivec3 k = i + ivec3(0, 0, c);
        vec3 e = d - vec3(0.0, 0.0, float(c));
        float near = mix(slope(hash(k), e), slope(hash(k + ivec3(1, 0, 0)), e - vec3(1, 0, 0)), f.x);
        float far = mix(slope(hash(k + ivec3(0, 1, 0)), e - vec3(0, 1, 0)),
                        slope(hash(k + ivec3(1, 1, 0)), e - vec3(1, 1, 0)), f.x);
        plane[c] = mix(near, far, f.y);
    }
    return mix(plane[0], plane[1], f.z);
}

float noise_sum(vec3 p, int octaves)
{
    float sum = 0.0, strength = 1.0;
    for (int i = 0; i < octaves; i++, strength *= 0.5) {
        sum += strength * noise(p);
        p = 2.0 * p + vec3(17.3, 5.1, 9.7);
    }
    return sum;
}

// Distances to the nearest two sites; the nearest one's number.
vec2 cells(vec3 p, out uint id)
{
    ivec3 i = ivec3(floor(p));
    float best = 1e9, next = 1e9;
    id = 0u;
    for (int n = 0; n < 27; n++) {
        ivec3 at = i + ivec3(n % 3, n / 3 % 3, n / 9) - 1;
        uint h = hash(at);
        vec3 way = vec3(at) + vec3(of_id(h), of_id(h * 0x9e3779b1u), of_id(h * 0x85ebca6bu)) - p;
        float d = dot(way, way);
        if (d < best) {
            next = best;
            best = d;
            id = h;
        } else if (d < next) {
            next = d;
        }
    }
    return sqrt(vec2(best, next));
}

vec2 cells_flat(vec2 p)
{
    ivec2 i = ivec2(floor(p));
    float best = 1e9, next = 1e9;
    for (int n = 0; n < 9; n++) {
        ivec2 at = i + ivec2(n % 3, n / 3) - 1;
        uint h = hash(ivec3(at, 0));
        vec2 way = vec2(at) + vec2(of_id(h), of_id(h * 0x9e3779b1u)) - p;
        float d = dot(way, way);
        next = d < best ? best : min(d, next);
        best = min(d, best);
    }
    return sqrt(vec2(best, next));
}

// ---- patterns ----------------------------------------------------------------------------------

vec3 tint()
{
    return u_color.rgb / PLAIN;
}

Finish plain_finish()
{
    return Finish(u_color.rgb, vec3(0.0), vec3(0.0), 0.0, 0.0, 1.0, u_color.w, 1.5);
}

Finish leaf(vec3 p)
{
    const float veins = 0.21;
    float wave = 0.15 * veins * noise(5.0 * p), across = abs(p.z);
    float rib = 1.0 - smoothstep(0.006, 0.022, across + 0.15 * abs(wave));
    float along = p.x - 0.75 * across + 0.35 * across * across + wave;
    float phase = along / veins + (p.z < 0.0 ? 0.5 : 0.0);
    float away = abs(phase - floor(phase + 0.5)) * veins;
    float vein = max(rib, 0.85 * (1.0 - smoothstep(0.002, 0.011, away)));
    vec2 net = cells_flat(26.0 * p.xz);
    float fine = 1.0 - smoothstep(0.02, 0.16, net.y - net.x);
    float cloud = 0.5 + 0.5 * noise_sum(3.0 * p, 3);
    vec3 blade = mix(vec3(0.045, 0.17, 0.018), vec3(0.10, 0.27, 0.030), cloud);
    vec3 color = tint() * mix(blade, vec3(0.22, 0.36, 0.10), max(0.85 * vein, 0.22 * fine));
    vec3 bump = 0.05 * vec3(noise(60.0 * p), 0.0, noise(60.0 * p + 31.7));
    return Finish(color, color * vec3(1.1, 1.0, 0.35), bump, 0.0, 0.0, 0.35, 0.30 + 0.08 * cloud,
                  1.45);
}

Finish marble(vec3 p)
{
    vec3 bent = p + 0.35 * noise_sum(1.6 * p, 4);
    float ridge = abs(noise_sum(0.9 * bent, 3)), thin = abs(noise_sum(2.2 * bent + 7.0, 3));
    float vein =
        (1.0 - smoothstep(0.0, 0.10, ridge)) * 0.75 + (1.0 - smoothstep(0.0, 0.035, thin)) * 0.25;
    float cloud = 0.5 + 0.5 * noise_sum(2.0 * p, 3);
    vec3 white = mix(vec3(0.80, 0.79, 0.77), vec3(0.68, 0.69, 0.70), cloud);
    Finish f = plain_finish();
    f.albedo = tint() * mix(white, vec3(0.24, 0.25, 0.28), min(vein, 1.0));
    return f;
}

Finish wood(vec3 p)
{
    vec3 q = vec3(0.22 * p.x, p.y + 0.55, p.z + 0.18);
    float ring = fract(16.0 * (length(q.yz) + 0.06 * noise_sum(2.2 * q, 3)));
    float late = smoothstep(0.15, 0.85, ring) * (1.0 - smoothstep(0.9, 1.0, ring));
    float fibre = noise(p * vec3(9.0, 160.0, 160.0));
    float pore = smoothstep(0.35, 0.75, noise(p * vec3(14.0, 220.0, 220.0)));
    vec3 color = mix(vec3(0.52, 0.31, 0.155), vec3(0.27, 0.135, 0.058),
                     min(0.85 * late + 0.25 * pore, 1.0));
    return Finish(tint() * (1.0 + 0.12 * fibre) * color, vec3(0.0), vec3(0.0, 0.0, 0.03 * fibre),
                  0.0, 0.0, 0.75, max(u_color.w, 0.22 + 0.15 * pore), 1.5);
}

Finish fruit(vec3 p)
{
    float blush = 0.72 + 0.5 * noise_sum(p * vec3(1.1, 0.5, 1.1), 2);
    float streak = noise_sum(p * vec3(26.0, 2.5, 26.0), 2);
    float ripe = smoothstep(0.1, 0.8, blush + 0.16 * streak);
    uint id;
    vec2 near = cells(16.0 * p, id);
    float pore = of_id(id * 747796405u) < 0.7 ? 1.0 - smoothstep(0.05, 0.11, near.x) : 0.0;
    vec3 color = mix(vec3(0.62, 0.44, 0.10), vec3(0.46, 0.030, 0.028), ripe);
    color = mix(color, vec3(0.72, 0.58, 0.36), 0.75 * pore);
    return Finish(tint() * color, vec3(0.0), vec3(0.0), 0.0, 0.0, 1.0, max(u_color.w, 0.12), 1.45);
}

Finish car_paint(vec3 p)
{
    uint id;
    cells(220.0 * p, id);
    float flake = of_id(id * 747796405u + 5u);
    return Finish(u_color.rgb * (0.75 + 0.5 * flake * flake), vec3(0.0), vec3(0.0),
                  0.55 + 0.35 * flake, 0.42, 1.0, 0.25 * u_color.w, 1.5);
}

Finish metal(vec3 p)
{
    float brush = noise(p * vec3(3.0, 420.0, 420.0));
    return Finish(u_color.rgb, vec3(0.0), vec3(0.0, 0.0, 0.012 * brush), 1.0,
                  min(u_color.w + 0.1 * abs(brush), 1.0), 0.0, 0.0, 1.5);
}

vec3 triplanar(vec3 p, vec3 n)
{
    vec3 q = u_look.y * p, w = pow(abs(n), vec3(6.0));
    float aspect = u_look.z;
    vec3 sum = w.x * texture(u_texture, vec2(q.z, -q.y * aspect)).rgb +
               w.y * texture(u_texture, vec2(q.x, q.z * aspect)).rgb +
               w.z * texture(u_texture, vec2(q.x, -q.y * aspect)).rgb;
    return sum / (w.x + w.y + w.z);
}

// Wet: Angstrom's law for what soaks, a film of water on the rest.
void moisten(inout Finish f, float wetness)
{
    vec3 soaked = f.albedo / (f.albedo + WATER_IOR * WATER_IOR * (1.0 - f.albedo));
    f.albedo = mix(f.albedo, soaked, u_look.w * wetness);
    if (f.metal >= 1.0)
        return;
    float film = wetness * (1.0 - 0.9 * u_look.w);
    f.coat = mix(f.coat, 1.0, film);
    f.coat_roughness = mix(f.coat_roughness, 0.06, film);
    f.bump *= 1.0 - 0.8 * wetness;
}

Finish finish_at(vec3 p, vec3 own_normal, float wetness)
{
    const int kind = LOOK;
    Finish f = plain_finish();
    if (kind == LEAF)
        f = leaf(p);
    else if (kind == MARBLE)
        f = marble(p);
    else if (kind == METAL)
        f = metal(p);
    else if (kind == WOOD)
        f = wood(p);
    else if (kind == FRUIT)
        f = fruit(p);
    else if (kind == CAR_PAINT)
        f = car_paint(p);
    else if (kind == MATTE) {
        f.coat = 0.0;
        f.coat_roughness = 1.0;
    }
    if (has(TEXTURE))
        f.albedo = tint() * triplanar(p, own_normal);
    if (has(WET))
        moisten(f, min(wetness, 1.0));
    return f;
}
