// Looks: from a kind, a colour and a point to what light meets there.
//
// Patterns are measured in parts of the scene's size, so that a table shows its grain whether the
// scene is a millimetre or a metre wide. A colour of 0.8 in all channels, the default, leaves the
// pattern's own colours as they are; others tint it.
//
// Wet and porous: light that a diffuse base sends up is partly reflected down again at the water's
// surface and absorbed; Angstrom's law, see [Lekner1988]: albedo a becomes a / (a + n^2 (1 - a)).
#include "render/look.h"

#include "render/pattern.h"

#include <ctype.h>
#include <string.h>

#define TINT_DEPTH    0.3f  // of a plate of glass that has its look's colour, in sizes of the scene
#define DEFAULT_COLOR 0.8f  // dew_default_look_def: leaves the colours of patterns as they are

// Refractive indices at 589 nm and 20 C, as in tables of optics.
static const struct {
    float water, ethanol, glycerol, blood, crown_glass;
} ior = {1.333f, 1.361f, 1.473f, 1.36f, 1.52f};

/// The surface of a look. Where no source is named, these values and those of the patterns below
/// were chosen by eye in images of bundled scenes; nothing but images depends on them.
typedef struct Surfacing {
    float coat;             // 0..1: a clear layer on top
    float least_roughness;  // of the coat
    float roughness_range;  // added where the pattern says so
    float ior;              // of the coat: plant wax and fruit 1.45, lacquer and plastic 1.5
    float porosity;         // 1 soaks up water, 0 stays as it is below the film
} Surfacing;

static const Surfacing surfacings[DEW_LOOK_KIND_COUNT] = {
    [DEW_LOOK_GLASS] = {1, 0, 0, 1.5f, 0},
    [DEW_LOOK_FROSTED] = {1, 0.35f, 0, 1.5f, 0},
    [DEW_LOOK_LEAF] = {0.35f, 0.30f, 0.08f, 1.45f, 0},
    [DEW_LOOK_PLASTIC] = {1, 0, 0, 1.5f, 0},
    [DEW_LOOK_MATTE] = {0, 1, 0, 1.5f, 1},
    [DEW_LOOK_MARBLE] = {1, 0, 0, 1.5f, 0.35f},
    [DEW_LOOK_METAL] = {0, 0, 0.1f, 1.5f, 0},
    [DEW_LOOK_WOOD] = {0.75f, 0.22f, 0.15f, 1.5f, 0.8f},
    [DEW_LOOK_FRUIT] = {1, 0.12f, 0, 1.45f, 0},
    [DEW_LOOK_CAR_PAINT] = {1, 0, 0, 1.5f, 0},
};

// A film of water on a look: its roughness; how much of it soaks into a porous look; how much of
// the bumps it fills.
static const struct {
    float roughness, soaked, filled;
} film_look = {0.06f, 0.9f, 0.8f};

static float smooth(float lo, float hi, float x)
{
    float t = dew_minf(dew_maxf((x - lo) / (hi - lo), 0), 1);
    return t * t * (3 - 2 * t);
}

// ---- which kind --------------------------------------------------------------------------------

dew_LookKind dew_look_kind_of(const char *material)
{
    static const struct {
        const char *word;
        dew_LookKind kind;
    } words[] = {
        {"frosted", DEW_LOOK_FROSTED}, {"glass", DEW_LOOK_GLASS},     {"window", DEW_LOOK_GLASS},
        {"bottle", DEW_LOOK_GLASS},    {"leaf", DEW_LOOK_LEAF},       {"lotus", DEW_LOOK_LEAF},
        {"grass", DEW_LOOK_LEAF},      {"marble", DEW_LOOK_MARBLE},   {"stone", DEW_LOOK_MARBLE},
        {"metal", DEW_LOOK_METAL},     {"steel", DEW_LOOK_METAL},     {"copper", DEW_LOOK_METAL},
        {"brass", DEW_LOOK_METAL},     {"gold", DEW_LOOK_METAL},      {"wood", DEW_LOOK_WOOD},
        {"oak", DEW_LOOK_WOOD},        {"fruit", DEW_LOOK_FRUIT},     {"apple", DEW_LOOK_FRUIT},
        {"plum", DEW_LOOK_FRUIT},      {"paint", DEW_LOOK_CAR_PAINT}, {"car", DEW_LOOK_CAR_PAINT},
        {"paper", DEW_LOOK_MATTE},     {"cloth", DEW_LOOK_MATTE},     {"concrete", DEW_LOOK_MATTE},
    };
    char name[64] = "";
    for (size_t i = 0; material && material[i] && i + 1 < sizeof name; i++)
        name[i] = (char)tolower((unsigned char)material[i]);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(name, words[i].word))
            return words[i].kind;
    return DEW_LOOK_PLASTIC;
}

dew_Look dew_look(const dew_LookDef *def, const char *material, double size_m)
{
    dew_LookDef plain = dew_default_look_def();
    def = def ? def : &plain;
    dew_LookKind kind = def->kind == DEW_LOOK_AUTO ? dew_look_kind_of(material) : def->kind;
    return (dew_Look){.kind = kind,
                      .color = dew_f3_from(def->color),
                      .roughness = (float)def->roughness,
                      .scale = (float)(1 / fmax(size_m, 1e-9))};
}

bool dew_look_is_clear(const dew_Look *look)
{
    return look->kind == DEW_LOOK_GLASS || look->kind == DEW_LOOK_FROSTED;
}

bool dew_look_is_thin(const dew_Look *look)
{
    return look->kind == DEW_LOOK_LEAF;
}

// The colour relative to the default, at most 1: a filter for glass.
static dew_Float3 tint(const dew_Look *look)
{
    return dew_f3_scale(1 / DEFAULT_COLOR, look->color);
}

dew_Medium dew_look_medium(const dew_Look *look)
{
    dew_Float3 filter = tint(look);
    float per_m = look->scale / TINT_DEPTH;
    return (dew_Medium){.ior = ior.crown_glass,
                        .absorption_1_m =
                            dew_f3(-logf(dew_minf(dew_maxf(filter.x, 1e-3f), 1)) * per_m,
                                   -logf(dew_minf(dew_maxf(filter.y, 1e-3f), 1)) * per_m,
                                   -logf(dew_minf(dew_maxf(filter.z, 1e-3f), 1)) * per_m)};
}

// ---- patterns ----------------------------------------------------------------------------------

static dew_Float3 texel(const dew_Texture *texture, float u, float v)
{
    float x = (u - floorf(u)) * (float)texture->width, y = (v - floorf(v)) * (float)texture->height;
    int64_t x0 = (int64_t)x % texture->width, y0 = (int64_t)y % texture->height;
    int64_t x1 = (x0 + 1) % texture->width, y1 = (y0 + 1) % texture->height;
    const dew_Float3 *rgb = (const dew_Float3 *)(const void *)texture->rgb;
    float s = x - floorf(x), t = y - floorf(y);
    dew_Float3 top = dew_f3_mix(rgb[y0 * texture->width + x0], rgb[y0 * texture->width + x1], s);
    dew_Float3 bottom = dew_f3_mix(rgb[y1 * texture->width + x0], rgb[y1 * texture->width + x1], s);
    return dew_f3_mix(top, bottom, t);
}

// The texture seen along the three axes, blended by how much the normal faces each.
static dew_Float3 triplanar(const dew_Texture *texture, dew_Float3 p, dew_Float3 n)
{
    float per_m = (float)(1 / texture->size_m);
    float aspect = (float)texture->width / (float)texture->height;
    dew_Float3 q = dew_f3_scale(per_m, p);
    float wx = powf(fabsf(n.x), 6), wy = powf(fabsf(n.y), 6), wz = powf(fabsf(n.z), 6);
    dew_Float3 sum = dew_f3_all(0);
    if (wx > 1e-3f)
        sum = dew_f3_add_scaled(sum, wx, texel(texture, q.z, -q.y * aspect));
    if (wy > 1e-3f)
        sum = dew_f3_add_scaled(sum, wy, texel(texture, q.x, q.z * aspect));
    if (wz > 1e-3f)
        sum = dew_f3_add_scaled(sum, wz, texel(texture, q.x, -q.y * aspect));
    return dew_f3_scale(1 / (wx + wy + wz), sum);
}

// Veins of a leaf. Lengths in parts of the scene's size.
static const struct {
    float spacing;  // of side veins
    float wave, slant,
        bend;  // of side veins: amplitude in spacings; towards the tip, linear and quadratic
    float rib_begin, rib_end;  // of the midrib, where it fades
    float side, side_begin, side_end;
    float fine_begin, fine_end;                  // of the net of fine veins, in cells
    float vein_color, fine_color;                // parts of the veins' colour
    float ripple, ripple_height, ripple_offset;  // bumps: frequency, slope, phase between the axes
} veins = {0.21f,  0.15f, 0.75f, 0.35f, 0.006f, 0.022f, 0.85f, 0.002f,
           0.011f, 0.02f, 0.16f, 0.85f, 0.22f,  60.0f,  0.05f, 31.7f};

// How much of a vein there is at p, 0..1. The midrib runs along x; side veins leave it by pairs and
// bend towards the tip; between them a net of fine ones.
static float leaf_veins(dew_Float3 p, float *fine)
{
    float wave = veins.wave * veins.spacing * dew_noise(dew_f3_scale(5, p));
    float across = fabsf(p.z);
    float rib = 1 - smooth(veins.rib_begin, veins.rib_end, across + veins.wave * fabsf(wave));
    float along = p.x - veins.slant * across + veins.bend * across * across + wave;
    float shift = p.z < 0 ? 0.5f : 0;  // sides alternate
    float phase = along / veins.spacing + shift;
    float away = fabsf(phase - roundf(phase)) * veins.spacing;
    float side = veins.side * (1 - smooth(veins.side_begin, veins.side_end, away));
    float nearest, second;
    dew_noise_cells_flat(26 * p.x, 26 * p.z, &nearest, &second);
    *fine = 1 - smooth(veins.fine_begin, veins.fine_end, second - nearest);
    return dew_maxf(rib, side);
}

static dew_Finish leaf(const dew_Look *look, dew_Float3 p)
{
    float fine, vein = leaf_veins(p, &fine);
    float cloud = 0.5f + 0.5f * dew_noise_sum(dew_f3_scale(3, p), 3);
    dew_Float3 blade =
        dew_f3_mix(dew_f3(0.045f, 0.17f, 0.018f), dew_f3(0.10f, 0.27f, 0.030f), cloud);
    dew_Float3 rib = dew_f3(0.22f, 0.36f, 0.10f);
    dew_Float3 color =
        dew_f3_mix(blade, rib, dew_maxf(veins.vein_color * vein, veins.fine_color * fine));
    color = dew_f3_mul(color, tint(look));
    dew_Float3 q = dew_f3_scale(veins.ripple, p),
               r = dew_f3_add(q, dew_f3_all(veins.ripple_offset));
    dew_Float3 bump = {veins.ripple_height * dew_noise(q), 0, veins.ripple_height * dew_noise(r)};
    const Surfacing *s = &surfacings[DEW_LOOK_LEAF];
    return (dew_Finish){.albedo = color,
                        .transmission = dew_f3_mul(color, dew_f3(1.1f, 1.0f, 0.35f)),
                        .bump = bump,
                        .coat = s->coat,
                        .coat_roughness = s->least_roughness + s->roughness_range * cloud,
                        .ior = s->ior};
}

// Veins of marble: frequencies of the bending, of broad and of thin veins; how far they bend.
static const struct {
    float bend_frequency, broad_frequency, thin_frequency, bend;
} marble_veins = {1.6f, 0.9f, 2.2f, 0.35f};

static dew_Finish marble(const dew_Look *look, dew_Float3 p)
{
    float bend = dew_noise_sum(dew_f3_scale(marble_veins.bend_frequency, p), 4);
    dew_Float3 bent = dew_f3_add_scaled(p, marble_veins.bend, dew_f3_all(bend));
    dew_Float3 fine = dew_f3_scale(marble_veins.thin_frequency, bent);
    float ridge = fabsf(dew_noise_sum(dew_f3_scale(marble_veins.broad_frequency, bent), 3));
    float thin = fabsf(dew_noise_sum(dew_f3_add(fine, dew_f3_all(7)), 3));
    float vein =
        (1 - smooth(0.0f, 0.10f, ridge)) * 0.75f + (1 - smooth(0.0f, 0.035f, thin)) * 0.25f;
    float cloud = 0.5f + 0.5f * dew_noise_sum(dew_f3_scale(2, p), 3);
    dew_Float3 white = dew_f3_mix(dew_f3(0.80f, 0.79f, 0.77f), dew_f3(0.68f, 0.69f, 0.70f), cloud);
    dew_Float3 color = dew_f3_mix(white, dew_f3(0.24f, 0.25f, 0.28f), dew_minf(vein, 1));
    return (dew_Finish){.albedo = dew_f3_mul(color, tint(look)),
                        .coat = 1,
                        .coat_roughness = look->roughness,
                        .ior = 1.5f};
}

// Grain of wood: contrast and bumps of the fibres; how far rings are from circles, and how often
// they vary.
static const struct {
    float contrast, bump, wobble, wobble_frequency;
} grain = {0.12f, 0.03f, 0.06f, 2.2f};

static dew_Finish wood(const dew_Look *look, dew_Float3 p)
{
    // Boards are cut along the trunk (x), some way beside its middle.
    dew_Float3 q = {0.22f * p.x, p.y + 0.55f, p.z + 0.18f};
    float wobble = grain.wobble * dew_noise_sum(dew_f3_scale(grain.wobble_frequency, q), 3);
    float radius = sqrtf(q.y * q.y + q.z * q.z) + wobble;
    float ring = 16 * radius;
    ring -= floorf(ring);
    float late = smooth(0.15f, 0.85f, ring) * (1 - smooth(0.9f, 1.0f, ring));
    float fibre = dew_noise(dew_f3(9 * p.x, 160 * p.y, 160 * p.z));
    float pore = smooth(0.35f, 0.75f, dew_noise(dew_f3(14 * p.x, 220 * p.y, 220 * p.z)));
    dew_Float3 early = {0.52f, 0.31f, 0.155f}, dark = {0.27f, 0.135f, 0.058f};
    dew_Float3 color = dew_f3_mix(early, dark, dew_minf(0.85f * late + 0.25f * pore, 1));
    color = dew_f3_scale(1 + grain.contrast * fibre, color);
    const Surfacing *s = &surfacings[DEW_LOOK_WOOD];
    float roughness = s->least_roughness + s->roughness_range * pore;
    return (dew_Finish){.albedo = dew_f3_mul(color, tint(look)),
                        .bump = dew_f3(0, 0, grain.bump * fibre),
                        .coat = s->coat,
                        .coat_roughness = dew_maxf(look->roughness, roughness),
                        .ior = s->ior};
}

static dew_Finish fruit(const dew_Look *look, dew_Float3 p)
{
    float blush = 0.72f + 0.5f * dew_noise_sum(dew_f3(1.1f * p.x, 0.5f * p.y, 1.1f * p.z), 2);
    float streak = dew_noise_sum(dew_f3(26 * p.x, 2.5f * p.y, 26 * p.z), 2);
    float ripe = smooth(0.1f, 0.8f, blush + 0.16f * streak);
    float nearest, second;
    uint32_t id;
    dew_noise_cells(dew_f3_scale(16, p), &nearest, &second, &id);
    float pore = (1 - smooth(0.05f, 0.11f, nearest)) * (dew_noise_of_id(id * 747796405u) < 0.7f);
    dew_Float3 color = dew_f3_mix(dew_f3(0.62f, 0.44f, 0.10f), dew_f3(0.46f, 0.030f, 0.028f), ripe);
    color = dew_f3_mix(color, dew_f3(0.72f, 0.58f, 0.36f), 0.75f * pore);
    return (dew_Finish){.albedo = dew_f3_mul(color, tint(look)),
                        .coat = surfacings[DEW_LOOK_FRUIT].coat,
                        .coat_roughness =
                            dew_maxf(look->roughness, surfacings[DEW_LOOK_FRUIT].least_roughness),
                        .ior = surfacings[DEW_LOOK_FRUIT].ior};
}

// Flakes of metal in the paint: how much of the base is metal, least and range over flakes; its
// roughness.
static const struct {
    float metal, metal_range, roughness;
} flakes = {0.55f, 0.35f, 0.42f};

static dew_Finish car_paint(const dew_Look *look, dew_Float3 p)
{
    float nearest, second;
    uint32_t id;
    dew_noise_cells(dew_f3_scale(220, p), &nearest, &second, &id);
    float flake = dew_noise_of_id(id * 747796405u + 5);
    return (dew_Finish){.albedo = dew_f3_scale(0.75f + 0.5f * flake * flake, look->color),
                        .metal = flakes.metal + flakes.metal_range * flake,
                        .base_roughness = flakes.roughness,
                        .coat = 1,
                        .coat_roughness = 0.25f * look->roughness,
                        .ior = 1.5f};
}

static dew_Finish metal(const dew_Look *look, dew_Float3 p)
{
    float brush = dew_noise(dew_f3(3 * p.x, 420 * p.y, 420 * p.z));
    return (dew_Finish){
        .albedo = look->color,
        .metal = 1,
        .bump = dew_f3(0, 0, 0.012f * brush),
        .base_roughness = dew_minf(
            look->roughness + surfacings[DEW_LOOK_METAL].roughness_range * fabsf(brush), 1),
        .ior = 1.5f};
}

// ---- the whole look ----------------------------------------------------------------------------

static float angstrom(float a)
{
    return a / (a + ior.water * ior.water * (1 - a));
}

float dew_look_porosity(dew_LookKind kind)
{
    return surfacings[kind].porosity;
}

float dew_look_least_roughness(dew_LookKind kind)
{
    return surfacings[kind].least_roughness;
}

static void moisten(dew_Finish *finish, dew_LookKind kind, float wetness)
{
    dew_Float3 a = finish->albedo, soaked = {angstrom(a.x), angstrom(a.y), angstrom(a.z)};
    finish->albedo = dew_f3_mix(a, soaked, surfacings[kind].porosity * wetness);
    if (finish->metal >= 1)
        return;
    // A film of water: smooth, with water's reflection. What soaks has little left on top.
    float film = wetness * (1 - film_look.soaked * surfacings[kind].porosity);
    finish->coat += film * (1 - finish->coat);
    finish->coat_roughness += film * (film_look.roughness - finish->coat_roughness);
    finish->bump = dew_f3_scale(1 - film_look.filled * wetness, finish->bump);
}

dew_Finish dew_look_at(const dew_Look *look, dew_Float3 point_m, dew_Float3 normal, float wetness)
{
    dew_Float3 p = dew_f3_scale(look->scale, point_m);
    dew_Finish finish = {
        .albedo = look->color, .coat = 1, .coat_roughness = look->roughness, .ior = 1.5f};
    switch (look->kind) {
    case DEW_LOOK_LEAF:
        finish = leaf(look, p);
        break;
    case DEW_LOOK_MARBLE:
        finish = marble(look, p);
        break;
    case DEW_LOOK_METAL:
        finish = metal(look, p);
        break;
    case DEW_LOOK_WOOD:
        finish = wood(look, p);
        break;
    case DEW_LOOK_FRUIT:
        finish = fruit(look, p);
        break;
    case DEW_LOOK_CAR_PAINT:
        finish = car_paint(look, p);
        break;
    case DEW_LOOK_MATTE:
        finish.coat = 0;
        finish.coat_roughness = 1;
        break;
    case DEW_LOOK_FROSTED:
        finish.coat_roughness =
            dew_maxf(look->roughness, surfacings[DEW_LOOK_FROSTED].least_roughness);
        break;
    case DEW_LOOK_GLASS:
        finish.coat_roughness = 0;
        break;
    default:
        break;
    }
    if (look->texture)
        finish.albedo = dew_f3_mul(triplanar(look->texture, point_m, normal), tint(look));
    if (wetness > 0)
        moisten(&finish, look->kind, dew_minf(wetness, 1));
    return finish;
}

// ---- liquids -----------------------------------------------------------------------------------

static bool is_preset(const dew_LiquidDef *liquid, const char *name)
{
    dew_LiquidDef preset;
    return dew_liquid_preset(name, &preset).code == DEW_OK &&
           preset.density_kg_m3 == liquid->density_kg_m3 &&
           preset.viscosity_Pa_s == liquid->viscosity_Pa_s &&
           preset.surface_tension_N_m == liquid->surface_tension_N_m;
}

dew_Float3 dew_dye(dew_Vec3 color, double depth_m)
{
    return dew_f3((float)(-log(fmax(color.x, 1e-3)) / depth_m),
                  (float)(-log(fmax(color.y, 1e-3)) / depth_m),
                  (float)(-log(fmax(color.z, 1e-3)) / depth_m));
}

dew_LiquidLook dew_liquid_look(const dew_LiquidDef *liquid)
{
    dew_LiquidLook look = {.medium = {.ior = ior.water}};
    if (is_preset(liquid, "ethanol"))
        look.medium.ior = ior.ethanol;
    if (is_preset(liquid, "glycerol"))
        look.medium.ior = ior.glycerol;
    if (is_preset(liquid, "blood"))
        look.medium = (dew_Medium){ior.blood, {700, 9000, 11000}};
    if (is_preset(liquid, "mercury")) {
        look.is_opaque = true;
        look.look = (dew_Look){.kind = DEW_LOOK_METAL, .color = {0.78f, 0.77f, 0.76f}};
    }
    if (is_preset(liquid, "milk")) {
        look.is_opaque = true;
        look.look = (dew_Look){
            .kind = DEW_LOOK_PLASTIC, .color = {0.86f, 0.85f, 0.80f}, .roughness = 0.02f};
    }
    return look;
}
