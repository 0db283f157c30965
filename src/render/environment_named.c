// Procedural environments: studio, sky, rainy street.
//
// Each environment has one table of its look. Where no source is named, the values were chosen by
// eye, in images of bundled scenes, and nothing but images depends on them.
//
// Radiances are relative: 1 is the brightness of a white sheet in even light. y is up; cameras by
// default look along -z, so -z is the backdrop.
//
// sky: [Preetham1999] in Yxy, turbidity 2.6, sun 36 degrees high, behind at the left, above a
// meadow and a hedge out of focus. Limits: no clouds.
#include "render/environment_named.h"

#include "base/random.h"
#include "render/pattern.h"

static float smooth(float lo, float hi, float x)
{
    float t = dew_minf(dew_maxf((x - lo) / (hi - lo), 0), 1);
    return t * t * (3 - 2 * t);
}

// ---- studio ------------------------------------------------------------------------------------

// A softbox: a rectangle of lit cloth that faces the subject.
typedef struct Softbox {
    dew_Float3 towards;
    float half_width, half_height;  // tangents
    float strength, warmth;
} Softbox;

static const struct {
    Softbox boxes[4];
    struct {
        float begin, end,
            falloff;  // of a softbox: where its edge fades; rim darker than the middle
    } hem;
    struct {
        float ambient, light, falloff;  // least light; light behind the subject, less upwards
        float low, high;                // heights between which it falls off
        float floor_falloff,
            floor_depth;  // of the lower half space: darkening, complete at a depth
    } backdrop;
    dew_Float3 backdrop_color;
} studio = {
    .boxes = {{{-0.50f, 1.30f, -0.60f}, 0.36f, 0.30f, 6.5f, 0.03f},  // key: behind, left, above
              {{-0.86f, 0.58f, -0.42f}, 0.05f, 0.05f, 190, 0.05f},   // hard, low: sharp caustics
              {{0.95f, 0.32f, -0.40f}, 0.09f, 0.55f, 5.5f, -0.04f},  // strip at the right: the rim
              {{0.35f, 0.45f, 0.85f}, 0.40f, 0.30f, 0.9f, -0.02f}},  // weak fill from the front
    .hem = {0.94f, 1.0f, 0.35f},
    .backdrop = {0.05f, 0.50f, 0.85f, -0.15f, 0.9f, 0.45f, 0.6f},
    .backdrop_color = {0.97f, 0.99f, 1.04f},
};

// A cloth before a light: brighter in the middle, with a soft hem.
static dew_Float3 softbox_light(const Softbox *box, dew_Float3 d)
{
    dew_Float3 n = dew_f3_unit(box->towards);
    dew_Float3 right = dew_f3_unit(dew_f3_cross(dew_f3(0, 1, 0), n)), up = dew_f3_cross(n, right);
    float depth = dew_f3_inner(d, n);
    if (!(depth > 0))
        return dew_f3_all(0);
    float u = fabsf(dew_f3_inner(d, right)) / (depth * box->half_width);
    float v = fabsf(dew_f3_inner(d, up)) / (depth * box->half_height);
    float hem = (1 - smooth(studio.hem.begin, studio.hem.end, u)) *
                (1 - smooth(studio.hem.begin, studio.hem.end, v));
    float glow = box->strength * hem * (1 - studio.hem.falloff * dew_minf(u * u + v * v, 1));
    return dew_f3(glow * (1 + box->warmth), glow, glow * (1 - box->warmth));
}

dew_Float3 dew_studio_radiance(dew_Float3 d)
{
    // Backdrop: light behind the subject, falling off upwards and to the sides; the camera's side
    // is dark, so that drops get dark edges.
    float behind = 0.5f - 0.5f * d.z;
    float height = smooth(studio.backdrop.low, studio.backdrop.high, d.y);
    float wash = studio.backdrop.ambient +
                 studio.backdrop.light * behind * behind * (1 - studio.backdrop.falloff * height);
    dew_Float3 light = dew_f3_scale(wash, studio.backdrop_color);
    if (d.y < 0)
        light = dew_f3_scale(1 - studio.backdrop.floor_falloff *
                                     smooth(0, studio.backdrop.floor_depth, -d.y),
                             light);
    for (int i = 0; i < 4; i++)
        light = dew_f3_add(light, softbox_light(&studio.boxes[i], d));
    return light;
}

// ---- sky ---------------------------------------------------------------------------------------

static const struct {
    struct {
        double turbidity, scale;         // scale: from kcd/m^2 to our radiance
        double height_rad, azimuth_rad;  // of the sun; azimuth from +z towards +x
        double strength, size_rad;       // of the sun; size as seen from the Earth
    } air;
    dew_Vec3 sun_color;
    dew_Float3 shade, sunlit, spots;  // colours of the meadow
    struct {
        float cloud_scale, spot_scale;  // of the meadow's patterns, on the unit sphere
        float height, waves[2], phases[2], softness;  // of the hedge: waves of 2 and 5 periods
    } ground;
} sky = {
    .air = {2.6, 0.036, DEW_DEG(36), DEW_DEG(-125), 5, DEW_DEG(0.53)},
    .sun_color = {1.0, 0.93, 0.80},
    .shade = {0.045f, 0.085f, 0.020f},
    .sunlit = {0.29f, 0.34f, 0.12f},
    .spots = {0.9f, 1.0f, 0.45f},
    .ground = {3.1f, 7.0f, 0.05f, {0.03f, 0.02f}, {0.6f, 2}, 0.06f},
};

static dew_Vec3 sun_direction(void)
{
    return dew_vec(sin(sky.air.azimuth_rad) * cos(sky.air.height_rad), sin(sky.air.height_rad),
                   cos(sky.air.azimuth_rad) * cos(sky.air.height_rad));
}

// Perez's function, [Preetham1999] eq. (3).
static double perez(const double c[5], double cos_theta, double gamma, double cos_gamma)
{
    return (1 + c[0] * exp(c[1] / cos_theta)) *
           (1 + c[2] * exp(c[3] * gamma) + c[4] * cos_gamma * cos_gamma);
}

static double ratio(const double c[5], double cos_theta, double gamma, double theta_sun)
{
    double zenith = perez(c, 1, theta_sun, cos(theta_sun));
    return perez(c, cos_theta, gamma, cos(gamma)) / zenith;
}

// Chromaticity at the zenith, [Preetham1999] appendix A.2.
static double zenith_color(const double m[3][4], double theta)
{
    double value = 0, power = sky.air.turbidity * sky.air.turbidity;
    for (int row = 0; row < 3; row++, power /= sky.air.turbidity)
        value +=
            power * (((m[row][0] * theta + m[row][1]) * theta + m[row][2]) * theta + m[row][3]);
    return value;
}

static dew_Float3 from_Yxy(double Y, double x, double y)
{
    double X = Y * x / y, Z = Y * (1 - x - y) / y;
    return dew_f3((float)fmax(0, 3.2406 * X - 1.5372 * Y - 0.4986 * Z),
                  (float)fmax(0, -0.9689 * X + 1.8758 * Y + 0.0415 * Z),
                  (float)fmax(0, 0.0557 * X - 0.2040 * Y + 1.0570 * Z));
}

static dew_Float3 clear_sky(dew_Vec3 d)
{
    const double T = sky.air.turbidity, theta_sun = DEW_PI / 2 - sky.air.height_rad;
    const double cY[5] = {0.1787 * T - 1.4630, -0.3554 * T + 0.4275, -0.0227 * T + 5.3251,
                          0.1206 * T - 2.5771, -0.0670 * T + 0.3703};
    const double cx[5] = {-0.0193 * T - 0.2592, -0.0665 * T + 0.0008, -0.0004 * T + 0.2125,
                          -0.0641 * T - 0.8989, -0.0033 * T + 0.0452};
    const double cy[5] = {-0.0167 * T - 0.2608, -0.0950 * T + 0.0092, -0.0079 * T + 0.2102,
                          -0.0441 * T - 1.6537, -0.0109 * T + 0.0529};
    const double mx[3][4] = {{0.00166, -0.00375, 0.00209, 0},
                             {-0.02903, 0.06377, -0.03202, 0.00394},
                             {0.11693, -0.21196, 0.06052, 0.25886}};
    const double my[3][4] = {{0.00275, -0.00610, 0.00317, 0},
                             {-0.04214, 0.08970, -0.04153, 0.00516},
                             {0.15346, -0.26756, 0.06670, 0.26688}};
    double chi = (4.0 / 9 - T / 120) * (DEW_PI - 2 * theta_sun);
    double zenith = (4.0453 * T - 4.9710) * tan(chi) - 0.2155 * T + 2.4192;
    double cos_theta = fmax(d.y, 0.01);
    double gamma = acos(fmin(fmax(dew_inner(d, sun_direction()), -1), 1));
    double Y = sky.air.scale * zenith * ratio(cY, cos_theta, gamma, theta_sun);
    double x = zenith_color(mx, theta_sun) * ratio(cx, cos_theta, gamma, theta_sun);
    double y = zenith_color(my, theta_sun) * ratio(cy, cos_theta, gamma, theta_sun);
    return from_Yxy(Y, x, y);
}

// Grass and leaves as an open lens sees them: clouds of green, and round spots where the sun comes
// through.
static dew_Float3 meadow(dew_Float3 d)
{
    float cloud = 0.5f + 0.75f * dew_noise_sum(dew_f3_scale(sky.ground.cloud_scale, d), 3);
    dew_Float3 light = dew_f3_mix(sky.shade, sky.sunlit, dew_minf(dew_maxf(cloud, 0), 1));
    return dew_f3_add_scaled(light, dew_noise_spots(dew_f3_scale(sky.ground.spot_scale, d)),
                             sky.spots);
}

dew_Float3 dew_sky_radiance(dew_Float3 d)
{
    dew_Float3 above =
        clear_sky(dew_normalize(dew_vec((double)d.x, fmax((double)d.y, 0.0), (double)d.z)));
    float turn = atan2f(d.x, -d.z);
    const float *wave = sky.ground.waves, *phase = sky.ground.phases, soft = sky.ground.softness;
    float hedge = sky.ground.height + wave[0] * sinf(2 * turn + phase[0]) +
                  wave[1] * sinf(5 * turn + phase[1]);
    float part = smooth(hedge - soft, hedge + soft, d.y);
    return part < 1 ? dew_f3_mix(meadow(d), above, part) : above;
}

dew_Light dew_sky_sun(void)
{
    dew_LightDef sun = dew_default_light_def();
    sun.direction = dew_scale(-1, sun_direction());
    sun.color = sky.sun_color;
    sun.strength = sky.air.strength;
    sun.size_rad = sky.air.size_rad;
    return dew_light(&sun);
}

// ---- rainy street ------------------------------------------------------------------------------

static const struct {
    dew_Float3 light_colors[6];
    struct {
        double height_deviation_rad, height_rad;  // above the horizon
        double min_radius, max_radius;            // on the unit sphere
        double min_strength, strength_range;
        float edge_begin, edge_end, rim_begin, rim_end;  // in radii: where a disk fades, its rim
    } light;
    dew_Float3 zenith, haze, house, asphalt;
    struct {
        float height, waves[3], phases[2];  // of the roofs: waves of 3, 7 and 17 periods
        float edge_below, edge_above;       // of the roof line, where houses fade
    } roofs;
    struct {
        float haze_height, horizon_softness;
        float stretch, sheen, sheen_begin, sheen_end;  // of reflections on the asphalt
    } street;
} rainy = {
    .light_colors = {{1.00f, 0.62f, 0.25f},
                     {1.00f, 0.78f, 0.48f},
                     {1.00f, 0.16f, 0.08f},
                     {0.90f, 0.95f, 1.00f},
                     {0.25f, 1.00f, 0.55f},
                     {1.00f, 0.45f, 0.12f}},
    .light = {0.14, 0.06, 0.012, 0.040, 1.2, 5, 0.93f, 1.07f, 0.5f, 0.95f},
    .zenith = {0.20f, 0.25f, 0.33f},
    .haze = {0.52f, 0.52f, 0.53f},
    .house = {0.10f, 0.105f, 0.12f},
    .asphalt = {0.07f, 0.075f, 0.085f},
    .roofs = {0.16f, {0.07f, 0.05f, 0.03f}, {1, 2.3f}, 0.04f, 0.05f},
    .street = {0.7f, 0.035f, 0.7f, 0.16f, 0.1f, 0.7f},
};

static dew_StreetLight street_light(int index)
{
    dew_Random random = dew_random(2005, (uint64_t)index, 0);
    double turn = 2 * DEW_PI * dew_random_unit(&random);
    double rise =
        rainy.light.height_deviation_rad * dew_random_normal(&random) + rainy.light.height_rad;
    int color = (int)(6 * dew_random_unit(&random));
    float strength = (float)(rainy.light.min_strength +
                             rainy.light.strength_range * pow(dew_random_unit(&random), 3));
    dew_StreetLight light = {
        .towards = dew_f3_from(dew_vec(cos(rise) * sin(turn), sin(rise), cos(rise) * cos(turn))),
        .radius = (float)dew_random_range(&random, rainy.light.min_radius, rainy.light.max_radius)};
    light.color = dew_f3_scale(strength, rainy.light_colors[color]);
    return light;
}

dew_Street dew_street(void)
{
    dew_Street street;
    for (int i = 0; i < DEW_STREET_LIGHTS; i++)
        street.lights[i] = street_light(i);
    return street;
}

static dew_Float3 street_radiance(const dew_Street *street, dew_Float3 d)
{
    dew_Float3 light = dew_f3_all(0);
    for (int i = 0; i < DEW_STREET_LIGHTS; i++) {
        dew_StreetLight lit = street->lights[i];
        float r = sqrtf(dew_maxf(0, 2 - 2 * dew_f3_inner(d, lit.towards))) / lit.radius;
        if (r > rainy.light.edge_end)
            continue;
        float disk = (1 - smooth(rainy.light.edge_begin, rainy.light.edge_end, r)) *
                     (0.75f + 0.25f * smooth(rainy.light.rim_begin, rainy.light.rim_end, r));
        light = dew_f3_add_scaled(light, disk, lit.color);
    }
    return light;
}

dew_Float3 dew_rainy_radiance(const dew_Street *lit, dew_Float3 d)
{
    dew_Float3 light =
        dew_f3_mix(rainy.haze, rainy.zenith, smooth(0.0f, rainy.street.haze_height, fabsf(d.y)));
    // Houses: blocks of different height round the horizon, out of focus.
    float turn = atan2f(d.x, -d.z);
    const float *wave = rainy.roofs.waves, *phase = rainy.roofs.phases;
    float roof = rainy.roofs.height + wave[0] * sinf(3 * turn + phase[0]) +
                 wave[1] * sinf(7 * turn + phase[1]) + wave[2] * sinf(17 * turn);
    float part = smooth(roof - rainy.roofs.edge_below, roof + rainy.roofs.edge_above, d.y);
    light = dew_f3_mix(rainy.house, light, part);
    light = dew_f3_add(light, street_radiance(lit, d));
    float below = smooth(-rainy.street.horizon_softness, rainy.street.horizon_softness, -d.y);
    if (!(below > 0))
        return light;
    // Wet asphalt mirrors the lights, drawn out downwards.
    dew_Float3 up = {d.x, dew_maxf(-rainy.street.stretch * d.y, 0.0f), d.z};
    dew_Float3 mirrored = street_radiance(lit, dew_f3_unit(up));
    float sheen =
        rainy.street.sheen * (1 - smooth(rainy.street.sheen_begin, rainy.street.sheen_end, -d.y));
    return dew_f3_mix(light, dew_f3_add_scaled(rainy.asphalt, sheen, mirrored), below);
}
