// The image: rounds of samples over tiles of pixels, each round with photons of its own.
//
// With a noise goal, pixels whose error is below it rest; the decision is made between rounds from
// whole-image data, so it does not depend on who computed what. A pixel's error is the largest
// among its neighbours', so that a pixel whose own samples agree by chance is sampled further. All
// samples of a round see the same photons: what those bring is known from the differences between
// rounds.
//
// Samples are spread over neighbouring pixels by a tent of two pixels' width.
#include "render/ray/ray.h"

#include "base/clock.h"
#include "base/status.h"
#include "render/ray/path.h"
#include "render/ray/ray_parameters.h"

#include <string.h>

/// Luminance by photons that a pixel got in its rounds: of n_k samples a sum of s_k each.
typedef struct Gathered {
    float sum;     // of s_k
    float square;  // of s_k^2 / n_k
    float rounds;
} Gathered;

typedef struct Drawing {
    const dew_TracedScene *stage;
    const dew_PhotonMap *photons;  // NULL: none
    const dew_RenderDef *def;
    dew_Image *image;
    uint8_t *is_resting;   // per pixel
    float *square;         // per pixel: sum of squared luminances
    float *albedo_square;  // the same of the albedo's
    Gathered *gathered;    // per pixel
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
    float gathered = 0;
    for (int i = 0; i < drawing->sample_count; i++) {
        dew_Sampler sampler = dew_sampler(drawing->def->seed, (uint64_t)drawing->def->frame,
                                          (uint64_t)pixel, (uint32_t)(drawing->first_sample + i));
        float u, v;
        dew_sampler_pair(&sampler, &u, &v);
        dew_PathSample sample = dew_path_sample(drawing->stage, drawing->photons, &sampler,
                                                x + 0.5 + tent(u), y + 0.5 + tent(v));
        float luminance = dew_luminance(sample.color);
        if (!isfinite(luminance)) {
            sample.color = dew_f3_all(luminance = 0);
            sample.gathered = 0;
        }
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
        gathered += sample.gathered;
    }
    Gathered *all = &drawing->gathered[pixel];
    all->sum += gathered;
    all->square += gathered * gathered / (float)drawing->sample_count;
    all->rounds += 1;
}

static dew_Status draw_tiles(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Drawing *drawing = context;
    const dew_Image *image = drawing->image;
    for (int64_t t = begin + drawing->first_tile; t < end + drawing->first_tile; t++) {
        int x0 = (int)(t % drawing->tiles_x) * dew_ray.tile_px,
            y0 = (int)(t / drawing->tiles_x) * dew_ray.tile_px;
        for (int y = y0; y < y0 + dew_ray.tile_px && y < image->height_px; y++)
            for (int x = x0; x < x0 + dew_ray.tile_px && x < image->width_px; x++)
                if (!drawing->is_resting[(int64_t)y * image->width_px + x])
                    draw_pixel(drawing, x, y);
    }
    return dew_ok();
}

// Asks whether to continue.
static bool goes_on(const dew_RenderDef *def, double fraction)
{
    return !def->progress.report || def->progress.report(def->progress.context, fraction);
}

static dew_Status stopped(void)
{
    return dew_fail(DEW_INTERRUPTED, "the image was stopped on request");
}

// All tiles of a round, in lots that take about dew_ray.report_s, with a report after each. Pixels
// do not depend on the lot they are in.
static dew_Status draw_round(Drawing *drawing, dew_Tasks *tasks, double begin, double end)
{
    int tiles_y = (drawing->image->height_px + dew_ray.tile_px - 1) / dew_ray.tile_px;
    int64_t tiles = (int64_t)drawing->tiles_x * tiles_y;
    int64_t least = 2 * (int64_t)dew_tasks_worker_count(tasks), lot = least;
    for (int64_t first = 0; first < tiles;) {
        int64_t count = tiles - first < lot ? tiles - first : lot;
        double before_s = dew_wall_s();
        drawing->first_tile = first;
        DEW_TRY(dew_parallel_for(tasks, count, 1, draw_tiles, drawing));
        first += count;
        if (!goes_on(drawing->def, begin + (end - begin) * (double)first / (double)tiles))
            return stopped();
        double took_s = dew_wall_s() - before_s;
        if (took_s < dew_ray.report_s / 2)
            lot *= 2;
        else if (took_s > dew_ray.report_s && lot > least)
            lot /= 2;
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

// Standard error of what photons brought, from the differences between rounds.
static float gathered_error(const Gathered *g, float n)
{
    float scatter = g->rounds > 1 ? (g->square - g->sum * g->sum / n) / (g->rounds - 1) : 0;
    return sqrtf(dew_maxf(scatter, 0) / dew_maxf(n, 1));
}

// Standard errors of the pixels' mean luminance and albedo.
static void set_errors(Drawing *drawing)
{
    dew_Image *image = drawing->image;
    int64_t pixels = (int64_t)image->width_px * image->height_px;
    for (int64_t i = 0; i < pixels; i++) {
        float n = *dew_image_pixel(&image->samples, i, 1);
        *dew_image_pixel(&image->error, i, 1) =
            hypotf(standard_error(dew_image_pixel(&image->color, i, 3), drawing->square[i], n),
                   gathered_error(&drawing->gathered[i], n));
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

// Error of a pixel as the eye sees it: relative to its luminance and, in the dark, to the image's.
static float seen_error(const dew_Image *image, int64_t pixel, float mean)
{
    const float *color = DEW_ITEMS(&image->color, const float) + 3 * pixel;
    float n = DEW_ITEMS(&image->samples, const float)[pixel];
    float luminance = dew_luminance(dew_f3(color[0], color[1], color[2])) / dew_maxf(n, 1);
    float scale = luminance + 0.25f * mean;
    return scale > 0 ? DEW_ITEMS(&image->error, const float)[pixel] / scale : 0;
}

typedef struct Outlook {
    int64_t active;    // pixels above the goal
    double remaining;  // samples they will take: errors fall as the root of the samples
} Outlook;

// Lets converged pixels rest, of which all have so many samples, or rested before.
static Outlook rest_pixels(Drawing *drawing, int samples)
{
    const dew_Image *image = drawing->image;
    int width = image->width_px, height = image->height_px;
    float mean = mean_luminance(image);
    float goal = (samples < dew_ray.round_samples ? 0.25f : 1) * (float)drawing->def->noise;
    Outlook outlook = {0};
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float worst = 0;
            for (int k = 0; k < 9; k++) {
                int i = x + k % 3 - 1, j = y + k / 3 - 1;
                if (i >= 0 && j >= 0 && i < width && j < height)
                    worst = dew_maxf(worst, seen_error(image, (int64_t)j * width + i, mean));
            }
            int64_t pixel = (int64_t)y * width + x;
            drawing->is_resting[pixel] = worst < goal;
            if (worst < goal)
                continue;
            double n = (double)DEW_ITEMS(&image->samples, const float)[pixel];
            double above = (double)(worst / goal);
            outlook.active++;
            outlook.remaining += fmin(n * above * above, drawing->def->max_samples) - n;
        }
    return outlook;
}

// ---- the image -------------------------------------------------------------------------------

// Samples of all rounds but the last. Each round has photons of its own, and the more there are in
// all the smoother are caustics: large images have short rounds.
static int round_samples(const dew_RenderDef *def, int64_t pixels)
{
    int64_t count = dew_ray.samples_per_photon * dew_ray.max_photons / pixels;
    count = count < dew_ray.min_round_samples ? dew_ray.min_round_samples
            : count > dew_ray.round_samples   ? dew_ray.round_samples
                                              : count;
    int64_t long_round =
        def->noise == 0 ? (def->samples + dew_ray.max_rounds - 1) / dew_ray.max_rounds : 0;
    return (int)(count > long_round ? count : long_round);
}

// About as many as samples, so that small previews are quick.
static int64_t photon_count(int64_t samples, int64_t rounds)
{
    int64_t count = samples / 4, most = dew_ray.all_photons / (rounds > 0 ? rounds : 1);
    most = most < dew_ray.max_photons ? dew_ray.max_photons : most;
    most = most > dew_ray.max_photons_factor * dew_ray.max_photons
               ? dew_ray.max_photons_factor * dew_ray.max_photons
               : most;
    return count < dew_ray.min_photons ? dew_ray.min_photons : count > most ? most : count;
}

static dew_Status send_photons(Drawing *drawing, dew_PhotonMap *map, int round, int64_t active,
                               int64_t rounds, dew_Tasks *tasks)
{
    dew_PhotonPass pass = {photon_count(active * drawing->sample_count, rounds),
                           drawing->def->seed + (uint64_t)drawing->def->frame * 0x9e3779b97f4a7c15u,
                           round};
    DEW_TRY(dew_photon_map_fill(map, drawing->stage, &pass, tasks));
    drawing->photons = map;
    return dew_ok();
}

// A round costs its photons too: when few pixels are left it takes more samples of them.
static int next_samples(int64_t active, int64_t pixels, bool wants_photons)
{
    if (wants_photons)
        return dew_ray.early_samples;
    int64_t count =
        dew_ray.round_samples * pixels / (dew_ray.active_ratio * (active > 0 ? active : 1));
    return (int)(count < dew_ray.round_samples       ? dew_ray.round_samples
                 : count > dew_ray.max_round_samples ? dew_ray.max_round_samples
                                                     : count);
}

static dew_Status draw_rounds(Drawing *drawing, dew_PhotonMap *map, dew_Tasks *tasks)
{
    const dew_RenderDef *def = drawing->def;
    int64_t pixels = (int64_t)drawing->image->width_px * drawing->image->height_px;
    int total = def->noise > 0 ? def->max_samples : def->samples,
        count = round_samples(def, pixels);
    bool wants_photons = dew_photons_wanted(drawing->stage);
    int64_t rounds = (total + count - 1) / count;
    double done = 0, remaining = (double)total * (double)pixels;
    Outlook outlook = {.active = pixels};
    for (int round = 0, first = 0; first < total; round++, first += drawing->sample_count) {
        drawing->first_sample = first;
        drawing->sample_count = total - first < count ? total - first : count;
        if (wants_photons)
            DEW_TRY(send_photons(drawing, map, round, outlook.active, rounds, tasks));
        double samples = (double)drawing->sample_count * (double)outlook.active;
        double all = done + fmax(remaining, samples);
        DEW_TRY(draw_round(drawing, tasks, done / all, (done + samples) / all));
        done += samples;
        remaining -= samples;
        set_errors(drawing);
        if (def->noise == 0 || first + drawing->sample_count < dew_ray.early_samples)
            continue;
        outlook = rest_pixels(drawing, first + drawing->sample_count);
        remaining = outlook.remaining;
        if (outlook.active * 2000 < pixels)
            break;  // one in two thousand may stay above
        count = next_samples(outlook.active, pixels, wants_photons);
    }
    return dew_ok();
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

static dew_Status draw(const dew_TracedScene *stage, const dew_RenderDef *def, dew_Tasks *tasks,
                       dew_Image *out)
{
    int64_t pixels = (int64_t)out->width_px * out->height_px;
    Drawing drawing = {.stage = stage,
                       .def = def,
                       .image = out,
                       .tiles_x = (out->width_px + dew_ray.tile_px - 1) / dew_ray.tile_px};
    dew_Arena arena;
    dew_arena_init(&arena, &def->allocator);
    drawing.is_resting = dew_arena_array(&arena, uint8_t, pixels);
    drawing.square = dew_arena_array(&arena, float, pixels);
    drawing.albedo_square = dew_arena_array(&arena, float, pixels);
    drawing.gathered = dew_arena_array(&arena, Gathered, pixels);
    dew_PhotonMap map;
    dew_photon_map_init(&map, &def->allocator);
    bool has_room =
        drawing.is_resting && drawing.square && drawing.albedo_square && drawing.gathered;
    dew_Status status = has_room ? draw_rounds(&drawing, &map, tasks)
                                 : dew_no_memory((size_t)pixels * (9 + sizeof(Gathered)));
    finish_image(out);
    dew_photon_map_deinit(&map);
    dew_arena_deinit(&arena);
    return status;
}

static dew_Status render(void *state, const dew_RenderScene *scene, const dew_RenderDef *def,
                         dew_Tasks *tasks, dew_Image *out)
{
    (void)state;
    dew_TracedScene stage;
    DEW_TRY(dew_image_resize(out, scene->camera.width_px, scene->camera.height_px));
    dew_Status status = dew_traced_init(&stage, scene, def->tree, tasks, &def->allocator);
    if (status.code == DEW_OK)
        status = goes_on(def, 0) ? draw(&stage, def, tasks, out) : stopped();
    dew_traced_deinit(&stage);
    return status;
}

const dew_RenderEngine dew_ray_engine = {.name = "ray", .render = render};
