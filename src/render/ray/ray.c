// The picture: rounds of samples over tiles of pixels, each round with photons of its own.
//
// With a noise goal, pixels whose error is below it rest; the decision is made between rounds from
// whole-picture data, so it does not depend on who computed what. A pixel's error is the largest
// among its neighbours', so that a pixel that looks calm by luck goes on.
//
// Samples are spread over neighbouring pixels by a tent of two pixels' width.
#include "render/ray/ray.h"

#include "base/status.h"
#include "render/ray/path.h"

#include <string.h>

#define TILE          16
#define ROUND_SAMPLES 8
#define MAX_ROUNDS    16      // for a fixed number of samples
#define LEAST_SAMPLES 16      // before an error is believed
#define MAX_PHOTONS   160000  // per round
#define MIN_PHOTONS   30000
#define REPORT_TILES  64  // tiles between reports of progress

typedef struct Drawing {
    const dew_Stage *stage;
    const dew_PhotonMap *photons;  // NULL: none
    const dew_RenderDef *def;
    dew_Image *image;
    uint8_t *is_resting;   // per pixel
    float *square;         // per pixel: sum of squared luminances
    float *albedo_square;  // the same of the albedo's
    int first_sample, sample_count;
    int tiles_x;
    int64_t first_tile;
} Drawing;

// ---- samples -----------------------------------------------------------------------------------

// From uniform to a tent of half width 1 about 0.
static double tent(float u)
{
    return u < 0.5f ? sqrt(2 * (double)u) - 1 : 1 - sqrt(2 - 2 * (double)u);
}

static void add(float *to, dew_Float3 value)
{
    to[0] += value.x;
    to[1] += value.y;
    to[2] += value.z;
}

static void draw_pixel(const Drawing *drawing, int x, int y)
{
    dew_Image *image = drawing->image;
    int64_t pixel = (int64_t)y * image->width_px + x;
    for (int i = 0; i < drawing->sample_count; i++) {
        dew_Sampler sampler = dew_sampler(drawing->def->seed, (uint64_t)drawing->def->frame,
                                          (uint64_t)pixel, (uint32_t)(drawing->first_sample + i));
        float u, v;
        dew_sampler_pair(&sampler, &u, &v);
        dew_PathSample sample = dew_path_sample(drawing->stage, drawing->photons, &sampler,
                                                x + 0.5 + tent(u), y + 0.5 + tent(v));
        float luminance = dew_luminance(sample.color);
        if (!isfinite(luminance))
            sample.color = dew_f3_all(luminance = 0);
        add(dew_image_pixel(&image->color, pixel, 3), sample.color);
        add(dew_image_pixel(&image->albedo, pixel, 3), sample.albedo);
        add(dew_image_pixel(&image->normal, pixel, 3), sample.normal);
        // Depths are not averaged over edges: the nearest counts.
        float *depth = dew_image_pixel(&image->depth_m, pixel, 1);
        float depth_m = sample.depth / (float)drawing->stage->units_per_m;
        if (depth_m > 0 && (*depth == 0 || depth_m < *depth))
            *depth = depth_m;
        drawing->square[pixel] += luminance * luminance;
        float albedo = dew_luminance(sample.albedo);
        drawing->albedo_square[pixel] += albedo * albedo;
        *dew_image_pixel(&image->samples, pixel, 1) += 1;
    }
}

static dew_Status draw_tiles(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Drawing *drawing = context;
    const dew_Image *image = drawing->image;
    for (int64_t t = begin + drawing->first_tile; t < end + drawing->first_tile; t++) {
        int x0 = (int)(t % drawing->tiles_x) * TILE, y0 = (int)(t / drawing->tiles_x) * TILE;
        for (int y = y0; y < y0 + TILE && y < image->height_px; y++)
            for (int x = x0; x < x0 + TILE && x < image->width_px; x++)
                if (!drawing->is_resting[(int64_t)y * image->width_px + x])
                    draw_pixel(drawing, x, y);
    }
    return dew_ok();
}

// All tiles of a round, in lots, with a report after each. false in *goes_on: asked to stop.
static dew_Status draw_round(Drawing *drawing, dew_Tasks *tasks, double begin, double end,
                             bool *goes_on)
{
    const dew_Image *image = drawing->image;
    int tiles_y = (image->height_px + TILE - 1) / TILE;
    int64_t tiles = (int64_t)drawing->tiles_x * tiles_y;
    const dew_RenderProgress *progress = &drawing->def->progress;
    *goes_on = true;
    for (int64_t first = 0; first < tiles && *goes_on; first += REPORT_TILES) {
        int64_t count = tiles - first < REPORT_TILES ? tiles - first : REPORT_TILES;
        drawing->first_tile = first;
        DEW_TRY(dew_parallel_for(tasks, count, 1, draw_tiles, drawing));
        double done = begin + (end - begin) * (double)(first + count) / (double)tiles;
        *goes_on = !progress->report || progress->report(progress->context, done);
    }
    return dew_ok();
}

// ---- errors ------------------------------------------------------------------------------------

// Standard error of the mean luminance of n samples from their sum and the sum of their squares.
static float standard_error(const float *sum, float square, float n)
{
    float mean = n > 0 ? dew_luminance(dew_f3(sum[0], sum[1], sum[2])) / n : 0;
    return n > 1 ? sqrtf(dew_maxf(square / n - mean * mean, 0) / (n - 1)) : 0;
}

// Standard errors of the pixels' mean luminance and albedo.
static void set_errors(Drawing *drawing)
{
    dew_Image *image = drawing->image;
    int64_t pixels = (int64_t)image->width_px * image->height_px;
    for (int64_t i = 0; i < pixels; i++) {
        float n = *dew_image_pixel(&image->samples, i, 1);
        *dew_image_pixel(&image->error, i, 1) =
            standard_error(dew_image_pixel(&image->color, i, 3), drawing->square[i], n);
        *dew_image_pixel(&image->albedo_error, i, 1) =
            standard_error(dew_image_pixel(&image->albedo, i, 3), drawing->albedo_square[i], n);
    }
}

static float mean_luminance(const dew_Image *image)
{
    int64_t pixels = (int64_t)image->width_px * image->height_px;
    const float *color = image->color.data, *samples = image->samples.data;
    double sum = 0;
    for (int64_t i = 0; i < pixels; i++)
        if (samples[i] > 0)
            sum +=
                (double)(dew_luminance(dew_f3(color[3 * i], color[3 * i + 1], color[3 * i + 2])) /
                         samples[i]);
    return (float)(sum / (double)pixels);
}

// Error of a pixel as the eye sees it: relative to its luminance and, in the dark, to the picture's.
static float seen_error(const dew_Image *image, int64_t pixel, float mean)
{
    const float *color = DEW_ITEMS(&image->color, const float) + 3 * pixel;
    float n = DEW_ITEMS(&image->samples, const float)[pixel];
    float luminance = dew_luminance(dew_f3(color[0], color[1], color[2])) / dew_maxf(n, 1);
    float scale = luminance + 0.25f * mean;
    return scale > 0 ? DEW_ITEMS(&image->error, const float)[pixel] / scale : 0;
}

// Lets calm pixels rest; returns how many go on.
static int64_t rest_pixels(Drawing *drawing)
{
    const dew_Image *image = drawing->image;
    int width = image->width_px, height = image->height_px;
    float mean = mean_luminance(image), goal = (float)drawing->def->noise;
    int64_t active = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float worst = 0;
            for (int k = 0; k < 9; k++) {
                int i = x + k % 3 - 1, j = y + k / 3 - 1;
                if (i >= 0 && j >= 0 && i < width && j < height)
                    worst = dew_maxf(worst, seen_error(image, (int64_t)j * width + i, mean));
            }
            drawing->is_resting[(int64_t)y * width + x] = worst < goal;
            active += !(worst < goal);
        }
    return active;
}

// ---- the picture -------------------------------------------------------------------------------

typedef struct Plan {
    int rounds, round_samples, total_samples;
    bool has_goal;
} Plan;

static Plan make_plan(const dew_RenderDef *def)
{
    Plan plan = {.has_goal = def->noise > 0};
    plan.total_samples = plan.has_goal ? def->max_samples : def->samples;
    plan.round_samples = ROUND_SAMPLES;
    if (!plan.has_goal && plan.total_samples > MAX_ROUNDS * ROUND_SAMPLES)
        plan.round_samples = (plan.total_samples + MAX_ROUNDS - 1) / MAX_ROUNDS;
    plan.rounds = (plan.total_samples + plan.round_samples - 1) / plan.round_samples;
    return plan;
}

static dew_Status draw_rounds(Drawing *drawing, dew_PhotonMap *map, dew_Tasks *tasks)
{
    Plan plan = make_plan(drawing->def);
    int64_t pixels = (int64_t)drawing->image->width_px * drawing->image->height_px;
    bool wants_photons = dew_photons_wanted(drawing->stage), goes_on = true;
    // About as many as samples, so that small previews are quick.
    int64_t photons = pixels * plan.round_samples / 4;
    photons = photons < MIN_PHOTONS ? MIN_PHOTONS : photons > MAX_PHOTONS ? MAX_PHOTONS : photons;
    for (int round = 0; round < plan.rounds && goes_on; round++) {
        drawing->first_sample = round * plan.round_samples;
        int left = plan.total_samples - drawing->first_sample;
        drawing->sample_count = left < plan.round_samples ? left : plan.round_samples;
        if (wants_photons) {
            dew_PhotonPass pass = {
                photons, drawing->def->seed + (uint64_t)drawing->def->frame * 0x9e3779b97f4a7c15u,
                round};
            DEW_TRY(dew_photon_map_fill(map, drawing->stage, &pass, tasks));
            drawing->photons = map;
        }
        double begin = (double)round / plan.rounds, end = (round + 1.0) / plan.rounds;
        DEW_TRY(draw_round(drawing, tasks, begin, end, &goes_on));
        set_errors(drawing);
        if (plan.has_goal && drawing->first_sample + drawing->sample_count >= LEAST_SAMPLES &&
            rest_pixels(drawing) * 2000 < pixels)
            break;  // one in two thousand may stay above
    }
    return goes_on ? dew_ok() : dew_fail(DEW_INTERRUPTED, "the picture was stopped on request");
}

// From sums to means.
static void finish_image(dew_Image *image)
{
    int64_t pixels = (int64_t)image->width_px * image->height_px;
    for (int64_t i = 0; i < pixels; i++) {
        float n = *dew_image_pixel(&image->samples, i, 1), scale = n > 0 ? 1 / n : 0;
        for (int k = 0; k < 3; k++) {
            dew_image_pixel(&image->color, i, 3)[k] *= scale;
            dew_image_pixel(&image->albedo, i, 3)[k] *= scale;
            dew_image_pixel(&image->normal, i, 3)[k] *= scale;
        }
    }
}

static dew_Status draw(const dew_Stage *stage, const dew_RenderDef *def, dew_Tasks *tasks,
                       dew_Image *out)
{
    int64_t pixels = (int64_t)out->width_px * out->height_px;
    Drawing drawing = {
        .stage = stage, .def = def, .image = out, .tiles_x = (out->width_px + TILE - 1) / TILE};
    dew_Arena arena;
    dew_arena_init(&arena, &def->allocator);
    drawing.is_resting = dew_arena_array(&arena, uint8_t, pixels);
    drawing.square = dew_arena_array(&arena, float, pixels);
    drawing.albedo_square = dew_arena_array(&arena, float, pixels);
    dew_PhotonMap map;
    dew_photon_map_init(&map, &def->allocator);
    dew_Status status = drawing.is_resting && drawing.square && drawing.albedo_square
                            ? draw_rounds(&drawing, &map, tasks)
                            : dew_no_memory((size_t)pixels * 5);
    finish_image(out);
    dew_photon_map_deinit(&map);
    dew_arena_deinit(&arena);
    return status;
}

static dew_Status render(const dew_PictureScene *scene, const dew_RenderDef *def, dew_Tasks *tasks,
                         dew_Image *out)
{
    dew_Stage stage;
    DEW_TRY(dew_image_resize(out, scene->camera.width_px, scene->camera.height_px));
    dew_Status status = dew_stage_init(&stage, scene, def->tree, tasks, &def->allocator);
    if (status.code == DEW_OK)
        status = draw(&stage, def, tasks, out);
    dew_stage_deinit(&stage);
    return status;
}

const dew_RenderEngine dew_ray_engine = {"ray", render};
