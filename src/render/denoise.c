// Joint non-local means [Rousselle2013], simplified: one colour buffer, one estimate of variance.
//
// The colour is divided by the albedo first, so that textures are not grain; the albedo, which
// through glass has grain of its own, is filtered before that. The weight of pixel q for
// pixel p is exp(-max(dc, df)): dc compares 3 x 3 patches of colour, less what their variances
// explain [Rousselle2012, eq. 9], df compares albedo, normal and depth. A pixel much brighter than
// all but two around it (a firefly) is first brought down to them.
//
// Limits: detail that lives in noise of its own size goes with it; what is seen through glass has
// no albedo or normal of its own that would distinguish it.
#include "render/denoise.h"

#include "base/arena.h"
#include "base/status.h"
#include "render/float3.h"

#define BAND 16  // rows per task

/// Parameters of the filter; denoise_test.c checks noise removed and edges kept.
static const struct {
    int radius_px;  // of the window. Time grows with its square; beyond 10 little is gained
    float k;  // of [Rousselle2012] eq. 9, damping: less keeps more detail, and noise. 0.4 to 1
    float variance_ratio;  // of a neighbour to the pixel beyond which it does not count: chance in
                           // few samples
    float albedo_sigma;    // differences of features that halve the weight, about
    float normal_sigma;
    float depth_sigma;    // relative to the depth, per pixel of distance, beside its slope
    float min_albedo;     // a darker albedo is not divided out
    float outlier_ratio;  // of a firefly to the third brightest neighbour
    float outlier_error;  // of a firefly's deviation to its value, at least
    float
        min_normal2;  // squared length of a mean normal, below which samples met different surfaces
    float min_variance;  // against division by zero
} params = {.radius_px = 6,
            .k = 0.55f,
            .variance_ratio = 8,
            .albedo_sigma = 0.08f,
            .normal_sigma = 0.25f,
            .depth_sigma = 0.02f,
            .min_albedo = 0.04f,
            .outlier_ratio = 2.5f,
            .outlier_error = 0.2f,
            .min_normal2 = 0.9f,
            .min_variance = 1e-10f};

// One pass: what is filtered, and by what it is guided.
typedef struct Filter {
    int width, height;
    const dew_Float3 *values;  // what is averaged and compared
    const float *variance;     // of the values' means
    const dew_Float3 *albedo;  // a guide; NULL: none
    const float *normal, *depth, *slope;
    dew_Float3 *out;
    float *scratch;  // per band: distances of BAND + 2 rows, sums of BAND rows
    float keen2;
} Filter;

// The planes on the way: first the albedo is filtered, then the light that falls on it.
typedef struct Planes {
    const dew_Image *image;
    int width, height;
    dew_Float3 *raw;     // albedo as rendered, then the light: colour over albedo
    dew_Float3 *albedo;  // filtered
    dew_Float3 *light;   // filtered
    float *variance;
    float *rough;  // variance before it is smoothed
    float *slope;  // of the depth, per pixel
    float *scratch;
} Planes;

// ---- before ------------------------------------------------------------------------------------

static dew_Float3 load3(const float *at)
{
    return dew_f3(at[0], at[1], at[2]);
}

static float albedo_floor(float x)
{
    return x > params.min_albedo ? fminf(x, 1) : params.min_albedo;
}

// The third brightest of the eight around a pixel: two specks may lie side by side.
static float bright_neighbour(const float *color, int width, int height, int x, int y)
{
    float first = 0, second = 0, third = 0;
    for (int j = y - 1; j <= y + 1; j++)
        for (int i = x - 1; i <= x + 1; i++) {
            if ((i == x && j == y) || i < 0 || j < 0 || i >= width || j >= height)
                continue;
            float here = dew_luminance(load3(color + 3 * ((int64_t)j * width + i)));
            third = fmaxf(third, fminf(second, here));
            second = fmaxf(second, fminf(first, here));
            first = fmaxf(first, here);
        }
    return third;
}

// Change of depth to the next pixels; the smaller of both sides, so that an outline is no slope.
static float depth_slope(const Planes *planes, int64_t x, int64_t y)
{
    const float *z = planes->image->depth_m.data;
    int64_t width = planes->width, height = planes->height, p = y * width + x;
    float left = x > 0 ? fabsf(z[p] - z[p - 1]) : HUGE_VALF;
    float right = x + 1 < width ? fabsf(z[p] - z[p + 1]) : HUGE_VALF;
    float above = y > 0 ? fabsf(z[p] - z[p - width]) : HUGE_VALF;
    float below = y + 1 < height ? fabsf(z[p] - z[p + width]) : HUGE_VALF;
    float slope = fmaxf(fminf(left, right), fminf(above, below));
    return isfinite(slope) ? slope : 0;
}

static dew_Status take_albedo(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    Planes *planes = context;
    const float *albedo = planes->image->albedo.data, *error = planes->image->albedo_error.data;
    (void)chunk;
    for (int64_t p = begin * planes->width; p < end * planes->width; p++) {
        dew_Float3 a = load3(albedo + 3 * p);
        planes->raw[p] = dew_f3(albedo_floor(a.x), albedo_floor(a.y), albedo_floor(a.z));
        planes->rough[p] = error[p] * error[p];
        planes->slope[p] = depth_slope(planes, p % planes->width, p / planes->width);
    }
    return dew_ok();
}

// Colour over albedo with lone bright pixels brought down; the raw variance with it.
static dew_Status take_light(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    Planes *planes = context;
    const float *color = planes->image->color.data, *error = planes->image->error.data;
    int width = planes->width;
    (void)chunk;
    for (int64_t p = begin * width; p < end * width; p++) {
        dew_Float3 light = load3(color + 3 * p), a = planes->albedo[p];
        float here = dew_luminance(light), deviation = error[p];
        float around = params.outlier_ratio * bright_neighbour(color, width, planes->height,
                                                               (int)(p % width), (int)(p / width));
        if (here > around && deviation > params.outlier_error * here) {
            float down = around > 0 ? around / here / params.outlier_ratio : 0;
            light = dew_f3_scale(down, light);
            deviation *= down;
        }
        planes->raw[p] = dew_f3(light.x / a.x, light.y / a.y, light.z / a.z);
        float deviation_ratio = deviation / dew_luminance(a);
        planes->rough[p] = deviation_ratio * deviation_ratio;
    }
    return dew_ok();
}

// Few samples know their own variance badly: the mean of 3 x 3 knows it better.
static dew_Status smooth_variance(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    Planes *planes = context;
    (void)chunk;
    for (int64_t y = begin; y < end; y++)
        for (int64_t x = 0; x < planes->width; x++) {
            float sum = 0, count = 0;
            for (int64_t j = y - 1; j <= y + 1; j++)
                for (int64_t i = x - 1; i <= x + 1; i++)
                    if (i >= 0 && j >= 0 && i < planes->width && j < planes->height) {
                        sum += planes->rough[j * planes->width + i];
                        count++;
                    }
            planes->variance[y * planes->width + x] = sum / count;
        }
    return dew_ok();
}

// ---- the filter --------------------------------------------------------------------------------

// Squared difference of two pixels less what noise explains, in units of noise.
static float color_distance(const Filter *f, int64_t p, int64_t q)
{
    float vp = f->variance[p], vq = f->variance[q];
    dew_Float3 d = dew_f3_sub(f->values[p], f->values[q]);
    float square = dew_f3_inner(d, d) / 3;
    if (f->albedo) {  // as it will be seen: what a dark channel divides by must not count more
        dew_Float3 a = f->albedo[p], seen = dew_f3_mul(d, a);
        square = dew_f3_inner(seen, seen) / dew_f3_inner(a, a);
    }
    float explained = vp + fminf(vp, vq);
    // The other's noise counts only as far as this pixel has some: the rim of a light, which is
    // noisy, must not bleed into a smooth background.
    return (square - explained) /
           (params.min_variance + f->keen2 * (vp + fminf(vq, params.variance_ratio * vp)));
}

static float feature_distance(const Filter *f, int64_t p, int64_t q, float reach)
{
    dew_Float3 np = load3(f->normal + 3 * p), nq = load3(f->normal + 3 * q), n = dew_f3_sub(np, nq);
    float z = fabsf(f->depth[p] - f->depth[q]);
    float far = fmaxf(f->depth[p], f->depth[q]);
    float apart = reach * (params.depth_sigma * far + f->slope[p]);
    // Where some samples went past into the distance the depth is that of the others, by chance.
    bool is_whole = fminf(dew_f3_length2(np), dew_f3_length2(nq)) > params.min_normal2;
    float depth = z > 0 && is_whole ? z / apart : 0;
    float most = fmaxf(dew_f3_inner(n, n) / (2 * params.normal_sigma * params.normal_sigma),
                       depth * depth / 2);
    if (!f->albedo)
        return most;
    dew_Float3 a = dew_f3_sub(f->albedo[p], f->albedo[q]);
    return fmaxf(most, dew_f3_inner(a, a) / (2 * params.albedo_sigma * params.albedo_sigma));
}

static int64_t clamp(int64_t x, int64_t count)
{
    return x < 0 ? 0 : x >= count ? count - 1 : x;
}

// Colour distances between pixels and those at an offset, for the rows of a band and one around it.
static void fill_distances(const Filter *f, int64_t y0, int64_t y1, int64_t dx, int64_t dy,
                           float *rows)
{
    for (int64_t y = y0 - 1; y <= y1; y++) {
        int64_t py = clamp(y, f->height), qy = clamp(py + dy, f->height);
        float *row = rows + (y - y0 + 1) * f->width;
        for (int64_t x = 0; x < f->width; x++)
            row[x] = color_distance(f, py * f->width + x, qy * f->width + clamp(x + dx, f->width));
    }
}

static float patch_mean(const float *rows, int64_t width, int64_t x, int64_t row)
{
    int64_t left = x > 0 ? x - 1 : x, right = x + 1 < width ? x + 1 : x;
    float sum = 0;
    for (int64_t r = row - 1; r <= row + 1; r++)
        sum += rows[r * width + left] + rows[r * width + x] + rows[r * width + right];
    return sum / 9;
}

// Adds the pixels at one offset to the sums; the fourth float of a sum is its weight.
static void add_offset(const Filter *f, int64_t y0, int64_t y1, int64_t dx, int64_t dy,
                       const float *rows, float *sums)
{
    float reach = sqrtf((float)(dx * dx + dy * dy));
    int64_t x0 = dx < 0 ? -dx : 0, x1 = dx > 0 ? f->width - dx : f->width;
    for (int64_t y = y0; y < y1; y++) {
        if (y + dy < 0 || y + dy >= f->height)
            continue;
        for (int64_t x = x0; x < x1; x++) {
            int64_t p = y * f->width + x, q = p + dy * f->width + dx;
            float distance = patch_mean(rows, f->width, x, y - y0 + 1);
            if (distance > 12)
                continue;
            distance = fmaxf(fmaxf(distance, 0), feature_distance(f, p, q, reach));
            if (distance > 12)
                continue;
            float w = expf(-distance), *sum = sums + 4 * (p - y0 * f->width);
            sum[0] += w * f->values[q].x;
            sum[1] += w * f->values[q].y;
            sum[2] += w * f->values[q].z;
            sum[3] += w;
        }
    }
}

static dew_Status filter_band(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    Filter *f = context;
    int64_t width = f->width;
    float *rows = f->scratch + chunk * width * (BAND + 2 + 4 * BAND);
    float *sums = rows + width * (BAND + 2);
    for (int64_t i = 0; i < (end - begin) * width; i++) {
        dew_Float3 own = f->values[begin * width + i];
        sums[4 * i] = own.x, sums[4 * i + 1] = own.y, sums[4 * i + 2] = own.z, sums[4 * i + 3] = 1;
    }
    for (int64_t dy = -params.radius_px; dy <= params.radius_px; dy++)
        for (int64_t dx = -params.radius_px; dx <= params.radius_px; dx++) {
            if (dx == 0 && dy == 0)
                continue;
            fill_distances(f, begin, end, dx, dy, rows);
            add_offset(f, begin, end, dx, dy, rows, sums);
        }
    for (int64_t i = 0; i < (end - begin) * width; i++) {
        const float *sum = sums + 4 * i;
        f->out[begin * width + i] = dew_f3(sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3]);
    }
    return dew_ok();
}

// ---- all of it ---------------------------------------------------------------------------------

static dew_Status make_room(Planes *planes, dew_Arena *arena)
{
    int64_t pixels = (int64_t)planes->width * planes->height;
    int64_t band_count = dew_chunk_count(planes->height, BAND);
    int64_t scratch = band_count * planes->width * (BAND + 2 + 4 * BAND);
    planes->raw = dew_arena_array(arena, dew_Float3, pixels);
    planes->albedo = dew_arena_array(arena, dew_Float3, pixels);
    planes->light = dew_arena_array(arena, dew_Float3, pixels);
    planes->variance = dew_arena_array(arena, float, pixels);
    planes->rough = dew_arena_array(arena, float, pixels);
    planes->slope = dew_arena_array(arena, float, pixels);
    planes->scratch = dew_arena_array(arena, float, scratch);
    if (!planes->raw || !planes->albedo || !planes->light || !planes->variance || !planes->rough ||
        !planes->slope || !planes->scratch)
        return dew_no_memory((size_t)pixels * 17 * sizeof(float));
    return dew_ok();
}

static dew_Status denoise(dew_Image *image, double strength, dew_Tasks *tasks, dew_Arena *arena)
{
    Planes planes = {.image = image, .width = image->width_px, .height = image->height_px};
    int height = planes.height;
    DEW_TRY(make_room(&planes, arena));
    Filter filter = {.width = planes.width,
                     .height = height,
                     .values = planes.raw,
                     .variance = planes.variance,
                     .normal = image->normal.data,
                     .depth = image->depth_m.data,
                     .slope = planes.slope,
                     .out = planes.albedo,
                     .scratch = planes.scratch,
                     .keen2 = (float)(strength * strength) * params.k * params.k};
    DEW_TRY(dew_parallel_for(tasks, height, BAND, take_albedo, &planes));
    DEW_TRY(dew_parallel_for(tasks, height, BAND, smooth_variance, &planes));
    DEW_TRY(dew_parallel_for(tasks, height, BAND, filter_band, &filter));
    DEW_TRY(dew_parallel_for(tasks, height, BAND, take_light, &planes));
    DEW_TRY(dew_parallel_for(tasks, height, BAND, smooth_variance, &planes));
    filter.albedo = planes.albedo;
    filter.out = planes.light;
    DEW_TRY(dew_parallel_for(tasks, height, BAND, filter_band, &filter));
    dew_Float3 *color = image->color.data;
    for (int64_t p = 0; p < (int64_t)planes.width * height; p++)
        color[p] = dew_f3_mul(planes.light[p], planes.albedo[p]);
    return dew_ok();
}

dew_Status dew_image_denoise(dew_Image *image, double strength, dew_Tasks *tasks)
{
    if (!(strength >= 0 && strength <= 4))
        return dew_fail(DEW_BAD_INPUT, "a denoiser's strength of %g (0 to 4)", strength);
    if (strength == 0 || image->width_px == 0)
        return dew_ok();
    dew_Arena arena;
    dew_arena_init(&arena, &image->allocator);
    dew_Status status = denoise(image, strength, tasks, &arena);
    dew_arena_deinit(&arena);
    return status;
}
