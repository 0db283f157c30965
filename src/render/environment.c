// Light from all around as a table in latitude and longitude, sampled by brightness.
//
// Radiance: bilinear between pixels (they wrap around in longitude). Sampling: a coarser grid of
// cells, each weighed by its light and its solid angle; a row by the sums of rows, then a cell of
// it. A twentieth of the mean is added to each cell, so that no direction that shines is never
// chosen.
//
// The clamped part of a radiance has at most CLAMP_RATIO times the mean luminance; the colour is
// kept.
#include "render/environment.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/status.h"
#include "render/environment_named.h"

#include <float.h>
#include <string.h>

#define MAX_COLUMNS 1024               // of the sampling grid; half as many rows
#define MIN_COLUMNS 16                 // the same
#define BAKED_WIDTH (MAX_COLUMNS / 2)  // of a named environment: it is smooth
#define PROBES      2                  // per cell and axis, to weigh it
#define CLAMP_RATIO 6.0f               // of the clamped part's luminance to the mean, at most
#define FLOOR_RATIO 0.05f              // of the mean that is added to each weight

// Cumulative sums of weights: a row, then a cell in it.
typedef struct Sampling {
    int rows, columns;
    float *row;      // rows + 1
    float *cell;     // rows x (columns + 1)
    float *density;  // rows x columns, per unit of u and v
    // Where to begin looking in a list of sums: entry i is the interval that holds i / count.
    uint16_t *row_guide, *cell_guide;
} Sampling;

typedef enum Named { FROM_IMAGE, STUDIO, SKY, RAINY } Named;

struct dew_Environment {
    Named named;
    dew_Street street;  // of RAINY
    int64_t width, height;
    dew_Array rgb;  // dew_Float3
    float clamp;    // luminance
    float power, bright_power;
    Sampling all, bright;
    dew_Arena arena;  // of the samplings
    bool has_sun;
    dew_Light sun;
    dew_Allocator allocator;
};

// ---- directions --------------------------------------------------------------------------------

// u: 0..1 around, the middle is -z; v: 0..1 from the zenith down.
static dew_Float3 to_direction(float u, float v)
{
    float turn = (u - 0.5f) * (float)(2 * DEW_PI), fall = v * (float)DEW_PI;
    float sine = sinf(fall);
    return dew_f3(sine * sinf(turn), cosf(fall), -sine * cosf(turn));
}

static void from_direction(dew_Float3 d, float *u, float *v)
{
    *u = 0.5f + atan2f(d.x, -d.z) * (float)(1 / (2 * DEW_PI));
    *v = acosf(dew_minf(dew_maxf(d.y, -1), 1)) * (float)(1 / DEW_PI);
}

static dew_Float3 radiance_at(const dew_Environment *environment, float u, float v)
{
    int64_t width = environment->width, height = environment->height;
    float x = u * (float)width - 0.5f, y = v * (float)height - 0.5f;
    float left = floorf(x), top = floorf(y);
    int64_t x0 = (int64_t)left;
    x0 = x0 < 0 ? x0 + width : x0 >= width ? x0 - width : x0;
    int64_t x1 = x0 + 1 < width ? x0 + 1 : 0;
    int64_t y0 = (int64_t)dew_maxf(top, 0), y1 = (int64_t)top + 1;
    y1 = y1 < height ? y1 : height - 1;
    const dew_Float3 *rgb = environment->rgb.data;
    dew_Float3 a = dew_f3_mix(rgb[y0 * width + x0], rgb[y0 * width + x1], x - left);
    dew_Float3 b = dew_f3_mix(rgb[y1 * width + x0], rgb[y1 * width + x1], x - left);
    return dew_f3_mix(a, b, y - top);
}

dew_Float3 dew_environment_radiance(const dew_Environment *environment, dew_Float3 direction)
{
    float u, v;
    from_direction(direction, &u, &v);
    return radiance_at(environment, u, v);
}

static dew_Float3 named_radiance(const dew_Environment *environment, dew_Float3 d)
{
    switch (environment->named) {
    case STUDIO:
        return dew_studio_radiance(d);
    case SKY:
        return dew_sky_radiance(d);
    case RAINY:
    case FROM_IMAGE:
        break;
    }
    return dew_rainy_radiance(&environment->street, d);
}

dew_Float3 dew_environment_seen(const dew_Environment *environment, dew_Float3 direction)
{
    return environment->named == FROM_IMAGE ? dew_environment_radiance(environment, direction)
                                            : named_radiance(environment, direction);
}

dew_Float3 dew_environment_clamped(const dew_Environment *environment, dew_Float3 radiance)
{
    float luminance = dew_luminance(radiance);
    return luminance > environment->clamp ? dew_f3_scale(environment->clamp / luminance, radiance)
                                          : radiance;
}

float dew_environment_power(const dew_Environment *environment)
{
    return environment->power;
}

float dew_environment_bright_power(const dew_Environment *environment)
{
    return environment->bright_power;
}

bool dew_environment_sun(const dew_Environment *environment, dew_Light *out)
{
    *out = environment->sun;
    return environment->has_sun;
}

// ---- sampling ----------------------------------------------------------------------------------

static float row_solid_angle(const Sampling *sampling, int row)  // of one cell of it
{
    double top = cos(DEW_PI * row / sampling->rows),
           bottom = cos(DEW_PI * (row + 1) / sampling->rows);
    return (float)((top - bottom) * 2 * DEW_PI / sampling->columns);
}

// Mean luminance of a cell, all of it and what is above the clamp.
static void probe_cell(const dew_Environment *environment, int row, int column, float *all,
                       float *bright)
{
    *all = *bright = 0;
    float columns = (float)environment->all.columns, rows = (float)environment->all.rows;
    for (int i = 0; i < PROBES * PROBES; i++) {
        int across = i % PROBES, down = i / PROBES;
        float u = ((float)column + ((float)across + 0.5f) / PROBES) / columns;
        float v = ((float)row + ((float)down + 0.5f) / PROBES) / rows;
        float luminance = dew_luminance(radiance_at(environment, u, v));
        *all += luminance / (PROBES * PROBES);
        *bright += dew_maxf(luminance - environment->clamp, 0) / (PROBES * PROBES);
    }
}

static void fill_guide(const float *sums, int count, uint16_t *guide)
{
    for (int i = 0, at = 0; i < count; i++) {
        // A little early: products of u and count round either way.
        while (at + 1 < count && sums[at + 1] <= ((float)i - 0.01f) / (float)count)
            at++;
        guide[i] = (uint16_t)at;
    }
}

// One row from weights to sums of cells and densities; returns the row's weight.
static double finish_row(Sampling *sampling, int r, float least, double sum)
{
    int columns = sampling->columns;
    float *cell = sampling->cell + (int64_t)r * (columns + 1);
    float *density = sampling->density + (int64_t)r * columns;
    double cells = 0, solid_angle = (double)row_solid_angle(sampling, r);
    for (int c = 0; c < columns; c++)
        cells += (double)(density[c] + least) * solid_angle;
    double so_far = 0, scale = solid_angle * columns * sampling->rows;
    for (int c = 0; c < columns; c++) {
        cell[c] = (float)(cells > 0 ? so_far / cells : (double)c / columns);
        so_far += (double)(density[c] + least) * solid_angle;
        density[c] = sum > 0 ? (float)((double)(density[c] + least) * scale / sum) : 0;
    }
    cell[columns] = 1;
    fill_guide(cell, columns, sampling->cell_guide + (int64_t)r * columns);
    return cells;
}

// From weights per solid angle (in density) to sums and densities; returns the integral of the
// weights.
static float finish_sampling(Sampling *sampling, float floor_fraction)
{
    double total = 0, rows = 0;
    for (int64_t i = 0; i < (int64_t)sampling->rows * sampling->columns; i++)
        total += (double)(sampling->density[i] *
                          row_solid_angle(sampling, (int)(i / sampling->columns)));
    float least = floor_fraction * (float)(total / (4 * DEW_PI));
    double sum = total * (1 + (double)floor_fraction);
    for (int r = 0; r < sampling->rows; r++) {
        sampling->row[r] = (float)(sum > 0 ? rows / sum : (double)r / sampling->rows);
        rows += finish_row(sampling, r, least, sum);
    }
    sampling->row[sampling->rows] = 1;
    fill_guide(sampling->row, sampling->rows, sampling->row_guide);
    return (float)total;
}

static dew_Status probe_rows(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    dew_Environment *environment = context;
    int columns = environment->all.columns;
    for (int64_t r = begin; r < end; r++)
        for (int c = 0; c < columns; c++)
            probe_cell(environment, (int)r, c, &environment->all.density[r * columns + c],
                       &environment->bright.density[r * columns + c]);
    return dew_ok();
}

static dew_Status allocate_sampling(dew_Environment *environment, Sampling *sampling)
{
    int64_t columns = environment->width < MIN_COLUMNS   ? MIN_COLUMNS
                      : environment->width > MAX_COLUMNS ? MAX_COLUMNS
                                                         : environment->width;
    int64_t rows = columns / 2, cells = rows * columns;
    dew_Arena *arena = &environment->arena;
    sampling->columns = (int)columns;
    sampling->rows = (int)rows;
    sampling->row = dew_arena_array(arena, float, rows + 1);
    sampling->cell = dew_arena_array(arena, float, cells + rows);
    sampling->density = dew_arena_array(arena, float, cells);
    sampling->row_guide = dew_arena_array(arena, uint16_t, rows);
    sampling->cell_guide = dew_arena_array(arena, uint16_t, cells);
    if (!sampling->row || !sampling->cell || !sampling->density || !sampling->row_guide ||
        !sampling->cell_guide)
        return dew_no_memory((size_t)cells * 10);
    return dew_ok();
}

static float mean_luminance(const dew_Environment *environment)
{
    double sum = 0, weights = 0;
    const dew_Float3 *rgb = environment->rgb.data;
    for (int64_t y = 0; y < environment->height; y++) {
        double weight = sin(DEW_PI * ((double)y + 0.5) / (double)environment->height);
        for (int64_t x = 0; x < environment->width; x++)
            sum += weight * (double)dew_luminance(rgb[y * environment->width + x]);
        weights += weight * (double)environment->width;
    }
    return (float)(sum / weights);
}

static dew_Status weigh(dew_Environment *environment, dew_Tasks *tasks)
{
    environment->clamp = CLAMP_RATIO * mean_luminance(environment);
    DEW_TRY(allocate_sampling(environment, &environment->all));
    DEW_TRY(allocate_sampling(environment, &environment->bright));
    DEW_TRY(dew_parallel_for(tasks, environment->all.rows, 8, probe_rows, environment));
    environment->power = finish_sampling(&environment->all, FLOOR_RATIO);
    environment->bright_power = finish_sampling(&environment->bright, 0);
    return dew_ok();
}

// The index whose interval of the cumulative sums holds *u; *u becomes its place in the interval.
static int find_interval(const float *sums, const uint16_t *guide, int count, float *u)
{
    int at = guide[(int)(*u * (float)count)];
    while (at + 1 < count && sums[at + 1] <= *u)
        at++;
    float width = sums[at + 1] - sums[at];
    *u = width > 0 ? dew_minf(dew_maxf((*u - sums[at]) / width, 0), 0.999999f) : 0.5f;
    return at;
}

// From density in u and v to density per solid angle.
static float per_solid_angle(float density, float sine)
{
    return density / ((float)(2 * DEW_PI * DEW_PI) * dew_maxf(sine, FLT_EPSILON));
}

// Even in u and v within the cell that is chosen.
static dew_Float3 sample(const dew_Environment *environment, const Sampling *sampling, float u,
                         float v, float *density, dew_Float3 *radiance)
{
    int columns = sampling->columns;
    int row = find_interval(sampling->row, sampling->row_guide, sampling->rows, &v);
    int column = find_interval(sampling->cell + (int64_t)row * (columns + 1),
                               sampling->cell_guide + (int64_t)row * columns, columns, &u);
    float around = ((float)column + u) / (float)columns;
    float down = ((float)row + v) / (float)sampling->rows;
    float sine = sinf(down * (float)DEW_PI), turn = (around - 0.5f) * (float)(2 * DEW_PI);
    *density = per_solid_angle(sampling->density[(int64_t)row * columns + column], sine);
    *radiance = radiance_at(environment, around, down);
    return dew_f3(sine * sinf(turn), cosf(down * (float)DEW_PI), -sine * cosf(turn));
}

dew_Float3 dew_environment_sample(const dew_Environment *environment, float u, float v,
                                  float *density, dew_Float3 *radiance)
{
    return sample(environment, &environment->all, u, v, density, radiance);
}

dew_Float3 dew_environment_sample_bright(const dew_Environment *environment, float u, float v,
                                         float *density, dew_Float3 *radiance)
{
    dew_Float3 all, direction = sample(environment, &environment->bright, u, v, density, &all);
    *radiance = dew_f3_sub(all, dew_environment_clamped(environment, all));
    return direction;
}

float dew_environment_density(const dew_Environment *environment, dew_Float3 direction)
{
    float u, v;
    from_direction(direction, &u, &v);
    const Sampling *all = &environment->all;
    int row = (int)(v * (float)all->rows), column = (int)(u * (float)all->columns);
    row = row < all->rows ? row : all->rows - 1;
    column = column < 0 ? 0 : column < all->columns ? column : all->columns - 1;
    float sine = sqrtf(dew_maxf(0, 1 - direction.y * direction.y));
    return per_solid_angle(all->density[(int64_t)row * all->columns + column], sine);
}

// ---- making ------------------------------------------------------------------------------------

static dew_Status allocate(int64_t width, int64_t height, const dew_Allocator *allocator,
                           dew_Environment **out)
{
    *out = NULL;
    dew_Environment *environment = dew_alloc(allocator, 1, sizeof *environment);
    if (!environment)
        return dew_no_memory(sizeof *environment);
    if (allocator)
        environment->allocator = *allocator;
    environment->width = width;
    environment->height = height;
    dew_arena_init(&environment->arena, allocator);
    dew_array_init(&environment->rgb, allocator, sizeof(dew_Float3));
    dew_Status status = dew_array_resize(&environment->rgb, width * height);
    if (status.code != DEW_OK)
        dew_environment_destroy(environment);
    else
        *out = environment;
    return status;
}

void dew_environment_destroy(dew_Environment *environment)
{
    if (!environment)
        return;
    dew_array_deinit(&environment->rgb);
    dew_arena_deinit(&environment->arena);
    dew_Allocator allocator = environment->allocator;
    dew_free(&allocator, environment, sizeof *environment);
}

// The last step of making one; on failure nothing is left.
static dew_Status prepare(dew_Status status, dew_Tasks *tasks, dew_Environment **environment)
{
    if (status.code == DEW_OK)
        status = weigh(*environment, tasks);
    if (status.code != DEW_OK) {
        dew_environment_destroy(*environment);
        *environment = NULL;
    }
    return status;
}

static dew_Status bake_rows(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    dew_Environment *environment = context;
    dew_Float3 *rgb = environment->rgb.data;
    for (int64_t y = begin; y < end; y++)
        for (int64_t x = 0; x < environment->width; x++) {
            float u = ((float)x + 0.5f) / (float)environment->width;
            float v = ((float)y + 0.5f) / (float)environment->height;
            rgb[y * environment->width + x] = named_radiance(environment, to_direction(u, v));
        }
    return dew_ok();
}

dew_Status dew_environment_create(const char *name, dew_Tasks *tasks,
                                  const dew_Allocator *allocator, dew_Environment **out)
{
    *out = NULL;
    Named named = strcmp(name, "studio") == 0  ? STUDIO
                  : strcmp(name, "sky") == 0   ? SKY
                  : strcmp(name, "rainy") == 0 ? RAINY
                                               : FROM_IMAGE;
    if (named == FROM_IMAGE)
        return dew_fail(DEW_BAD_INPUT,
                        "environment: unknown \"%s\" (studio, sky, rainy, or an .exr or .hdr file)",
                        name);
    DEW_TRY(allocate(BAKED_WIDTH, BAKED_WIDTH / 2, allocator, out));
    DEW_ASSERT(*out);
    (*out)->named = named;
    (*out)->street = dew_street();
    (*out)->has_sun = named == SKY;
    (*out)->sun = dew_sky_sun();
    return prepare(dew_parallel_for(tasks, (*out)->height, 8, bake_rows, *out), tasks, out);
}

dew_Status dew_environment_create_image(const dew_EnvironmentImage *image, dew_Tasks *tasks,
                                        const dew_Allocator *allocator, dew_Environment **out)
{
    *out = NULL;
    if (image->width < 2 || image->height < 1)
        return dew_fail(DEW_BAD_INPUT, "environment: an image of %lld by %lld pixels is too small",
                        (long long)image->width, (long long)image->height);
    DEW_TRY(allocate(image->width, image->height, allocator, out));
    DEW_ASSERT(*out && (*out)->rgb.data);
    dew_Float3 *rgb = (*out)->rgb.data;
    for (int64_t i = 0; i < image->width * image->height; i++) {
        const float *p = image->rgb + 3 * i;
        // Negative and infinite values occur in files and would poison every sum.
        rgb[i] = dew_f3(fminf(fmaxf(p[0], 0), 1e6f), fminf(fmaxf(p[1], 0), 1e6f),
                        fminf(fmaxf(p[2], 0), 1e6f));
    }
    return prepare(dew_ok(), tasks, out);
}

dew_Status dew_environment_create_even(dew_Float3 radiance, const dew_Allocator *allocator,
                                       dew_Environment **out)
{
    const float rgb[6] = {radiance.x, radiance.y, radiance.z, radiance.x, radiance.y, radiance.z};
    return dew_environment_create_image(&(dew_EnvironmentImage){2, 1, rgb}, NULL, allocator, out);
}
