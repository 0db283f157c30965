// Procedural surroundings: studio, sky, rainy street.
//
// Radiances are relative: 1 is the brightness of a white sheet in even light. y is up; cameras by
// default look along -z, so -z is the backdrop.
//
// sky: [Preetham1999] in Yxy, turbidity 2.6, sun 36 degrees high, behind at the left, above a meadow and
// a hedge out of focus. Limits: no clouds.
#include "render/environment_named.h"

#include "base/random.h"
#include "render/pattern.h"

static float smooth(float lo, float hi, float x)
{
    float t = dew_minf(dew_maxf((x - lo) / (hi - lo), 0), 1);
    return t * t * (3 - 2 * t);
}

// ---- studio ------------------------------------------------------------------------------------

// A softbox: a rectangle that faces the subject. Half sizes as tangents.
typedef struct Softbox {
    dew_Float3 towards, right, up;
    float half_width, half_height, strength, warmth;
} Softbox;

static Softbox softbox(float x, float y, float z, float half_width, float half_height,
                       float strength, float warmth)
{
    dew_Float3 n = dew_f3_unit(dew_f3(x, y, z));
    dew_Float3 right = dew_f3_unit(dew_f3_cross(dew_f3(0, 1, 0), n));
    return (Softbox){n, right, dew_f3_cross(n, right), half_width, half_height, strength, warmth};
}

// A cloth before a lamp: brighter in the middle, with a soft hem.
static dew_Float3 softbox_light(const Softbox *box, dew_Float3 d)
{
    float depth = dew_f3_inner(d, box->towards);
    if (depth <= 0.05f)
        return dew_f3_all(0);
    float u = fabsf(dew_f3_inner(d, box->right)) / (depth * box->half_width);
    float v = fabsf(dew_f3_inner(d, box->up)) / (depth * box->half_height);
    float hem = (1 - smooth(0.94f, 1.0f, u)) * (1 - smooth(0.94f, 1.0f, v));
    float glow = box->strength * hem * (1 - 0.35f * dew_minf(u * u + v * v, 1));
    return dew_f3(glow * (1 + box->warmth), glow, glow * (1 - box->warmth));
}

dew_Float3 dew_studio_radiance(dew_Float3 d)
{
    const Softbox boxes[] = {
        softbox(-0.50f, 1.30f, -0.60f, 0.36f, 0.30f, 6.5f, 0.03f),  // key: behind, left, above
        softbox(-0.86f, 0.58f, -0.42f, 0.05f, 0.05f, 190, 0.05f),   // hard and low: crisp caustics
        softbox(0.95f, 0.32f, -0.40f, 0.09f, 0.55f, 5.5f, -0.04f),  // strip at the right: the rim
        softbox(0.35f, 0.45f, 0.85f, 0.40f, 0.30f, 0.9f, -0.02f),   // weak fill from the front
    };
    // Backdrop: light behind the subject, falling off upwards and to the sides; the camera's side
    // is dark, so that drops get dark edges.
    float behind = 0.5f - 0.5f * d.z;
    float height = smooth(-0.15f, 0.9f, d.y);
    float wash = 0.05f + 0.50f * behind * behind * (1 - 0.85f * height);
    dew_Float3 light = dew_f3(0.97f * wash, 0.99f * wash, 1.04f * wash);
    if (d.y < 0)  // the floor's own side: a little darker
        light = dew_f3_scale(1 - 0.45f * smooth(0, 0.6f, -d.y), light);
    for (int i = 0; i < 4; i++)
        light = dew_f3_add(light, softbox_light(&boxes[i], d));
    return light;
}

// ---- sky ---------------------------------------------------------------------------------------

#define TURBIDITY  2.6
#define SUN_HEIGHT DEW_DEG(36)
#define SUN_TURN   DEW_DEG(-125)  // from +z towards +x
#define SKY_SCALE  0.036          // kcd/m^2 to ours

static dew_Vec3 sun_direction(void)
{
    return dew_vec(sin(SUN_TURN) * cos(SUN_HEIGHT), sin(SUN_HEIGHT),
                   cos(SUN_TURN) * cos(SUN_HEIGHT));
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
    double value = 0, power = TURBIDITY * TURBIDITY;
    for (int row = 0; row < 3; row++, power /= TURBIDITY)
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
    const double T = TURBIDITY, theta_sun = DEW_PI / 2 - SUN_HEIGHT;
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
    double Y = SKY_SCALE * zenith * ratio(cY, cos_theta, gamma, theta_sun);
    double x = zenith_color(mx, theta_sun) * ratio(cx, cos_theta, gamma, theta_sun);
    double y = zenith_color(my, theta_sun) * ratio(cy, cos_theta, gamma, theta_sun);
    return from_Yxy(Y, x, y);
}

// Grass and leaves as an open lens sees them: clouds of green, and round spots where the sun comes
// through.
static dew_Float3 meadow(dew_Float3 d)
{
    const dew_Float3 shade = {0.045f, 0.085f, 0.020f}, sunlit = {0.29f, 0.34f, 0.12f};
    float cloud = 0.5f + 0.75f * dew_noise_sum(dew_f3_scale(3.1f, d), 3);
    dew_Float3 light = dew_f3_mix(shade, sunlit, dew_minf(dew_maxf(cloud, 0), 1));
    return dew_f3_add_scaled(light, dew_noise_spots(dew_f3_scale(7.0f, d)),
                             dew_f3(0.9f, 1.0f, 0.45f));
}

dew_Float3 dew_sky_radiance(dew_Float3 d)
{
    dew_Float3 sky =
        clear_sky(dew_normalize(dew_vec((double)d.x, fmax((double)d.y, 0.0), (double)d.z)));
    float turn = atan2f(d.x, -d.z);
    float hedge = 0.05f + 0.03f * sinf(2 * turn + 0.6f) + 0.02f * sinf(5 * turn + 2);
    float above = smooth(hedge - 0.06f, hedge + 0.06f, d.y);
    return above < 1 ? dew_f3_mix(meadow(d), sky, above) : sky;
}

dew_Light dew_sky_sun(void)
{
    dew_LightDef sun = dew_default_light_def();
    sun.direction = dew_scale(-1, sun_direction());
    sun.color = dew_vec(1.0, 0.93, 0.80);
    sun.strength = 5;
    sun.size_rad = DEW_DEG(0.53);
    return dew_light(&sun);
}

// ---- rainy street ------------------------------------------------------------------------------

static dew_Lamp street_lamp(int index)
{
    static const float colors[6][3] = {{1.00f, 0.62f, 0.25f}, {1.00f, 0.78f, 0.48f},
                                       {1.00f, 0.16f, 0.08f}, {0.90f, 0.95f, 1.00f},
                                       {0.25f, 1.00f, 0.55f}, {1.00f, 0.45f, 0.12f}};
    dew_Random random = dew_random(2005, (uint64_t)index, 0);
    double turn = 2 * DEW_PI * dew_random_unit(&random);
    double rise = 0.14 * dew_random_normal(&random) + 0.06;
    int color = (int)(6 * dew_random_unit(&random));
    float strength = (float)(1.2 + 5 * pow(dew_random_unit(&random), 3));
    dew_Lamp lamp = {
        .towards = dew_f3_from(dew_vec(cos(rise) * sin(turn), sin(rise), cos(rise) * cos(turn))),
        .radius = (float)dew_random_range(&random, 0.012, 0.040)};
    lamp.color =
        dew_f3_scale(strength, dew_f3(colors[color][0], colors[color][1], colors[color][2]));
    return lamp;
}

dew_Street dew_street(void)
{
    dew_Street street;
    for (int i = 0; i < DEW_STREET_LAMPS; i++)
        street.lamps[i] = street_lamp(i);
    return street;
}

static dew_Float3 lamp_light(const dew_Street *street, dew_Float3 d)
{
    dew_Float3 light = dew_f3_all(0);
    for (int i = 0; i < DEW_STREET_LAMPS; i++) {
        dew_Lamp lamp = street->lamps[i];
        float r = sqrtf(dew_maxf(0, 2 - 2 * dew_f3_inner(d, lamp.towards))) / lamp.radius;
        if (r > 1.1f)
            continue;
        float disk = (1 - smooth(0.93f, 1.07f, r)) * (0.75f + 0.25f * smooth(0.5f, 0.95f, r));
        light = dew_f3_add_scaled(light, disk, lamp.color);
    }
    return light;
}

dew_Float3 dew_rainy_radiance(const dew_Street *lit, dew_Float3 d)
{
    const dew_Float3 zenith = {0.20f, 0.25f, 0.33f}, haze = {0.52f, 0.52f, 0.53f};
    const dew_Float3 street = {0.07f, 0.075f, 0.085f};
    float up = fabsf(d.y);
    dew_Float3 light = dew_f3_mix(haze, zenith, smooth(0.0f, 0.7f, up));
    // Houses: blocks of different height round the horizon, out of focus.
    float turn = atan2f(d.x, -d.z);
    float roof = 0.16f + 0.07f * sinf(3 * turn + 1) + 0.05f * sinf(7 * turn + 2.3f) +
                 0.03f * sinf(17 * turn);
    light =
        dew_f3_mix(dew_f3(0.10f, 0.105f, 0.12f), light, smooth(roof - 0.04f, roof + 0.05f, d.y));
    light = dew_f3_add(light, lamp_light(lit, d));
    float below = smooth(-0.035f, 0.035f, -d.y);
    if (!(below > 0))
        return light;
    // Wet asphalt mirrors the lamps, drawn out downwards.
    dew_Float3 mirrored =
        lamp_light(lit, dew_f3_unit(dew_f3(d.x, dew_maxf(-0.7f * d.y, 0.0f), d.z)));
    float sheen = 0.16f * (1 - smooth(0.1f, 0.7f, -d.y));
    return dew_f3_mix(light, dew_f3_add_scaled(street, sheen, mirrored), below);
}
