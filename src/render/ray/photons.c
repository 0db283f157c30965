// The photon map: sizes by density, cells by size, gathering.
//
// Size of a disk: in grids of halving cells, the finest one in which the photon's cell still holds
// enough photons. That is within a factor of two of the distance of the last of so many neighbours,
// at the cost of counting. Enough is what lies in a disk of dew_ray.caustic_sharpness of a drop's
// radius, within bounds: a single drop gets so many photons that its caustics are both sharp and
// smooth, many drops share them. The kernel is 1 - (d/r)^2 over the disk, which has no visible rim.
#include "render/ray/photons.h"

#include "base/random.h"
#include "base/status.h"
#include "render/ray/photon_send.h"
#include "render/ray/ray_parameters.h"

#include <float.h>
#include <string.h>

#define PRESENCE_CELLS                                                                             \
    (1u << 16)  // of the table that says which levels have photons in a cell, by hash

void dew_photon_map_init(dew_PhotonMap *map, const dew_Allocator *allocator)
{
    *map = (dew_PhotonMap){.min = dew_f3_all(FLT_MAX), .max = dew_f3_all(-FLT_MAX)};
    dew_array_init(&map->photons, allocator, sizeof(dew_Photon));
    dew_arena_init(&map->arena, allocator);
}

void dew_photon_map_deinit(dew_PhotonMap *map)
{
    dew_array_deinit(&map->photons);
    dew_arena_deinit(&map->arena);
}

// ---- sending -----------------------------------------------------------------------------------

typedef struct Sending {
    const dew_TracedScene *stage;
    const dew_PhotonPass *pass;
    dew_Photon *photons;  // DEW_CHUNK_ITEMS per chunk
    int32_t *landed;      // per chunk
} Sending;

static dew_Status send_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    const Sending *sending = context;
    dew_Photon *out = sending->photons + chunk_index * DEW_CHUNK_ITEMS;
    int32_t landed = 0;
    for (int64_t i = begin; i < end; i++)
        landed += dew_photon_send(sending->stage, sending->pass, i, &out[landed]);
    sending->landed[chunk_index] = landed;
    return dew_ok();
}

static dew_Status send_all(dew_PhotonMap *map, const dew_TracedScene *stage,
                           const dew_PhotonPass *pass, dew_Tasks *tasks)
{
    int64_t chunks = dew_chunk_count(pass->count, DEW_CHUNK_ITEMS);
    DEW_TRY(dew_array_resize(&map->photons, chunks * DEW_CHUNK_ITEMS));
    int32_t *landed = dew_arena_array(&map->arena, int32_t, chunks);
    if (!landed)
        return dew_no_memory((size_t)chunks * sizeof *landed);
    Sending sending = {stage, pass, map->photons.data, landed};
    DEW_TRY(dew_parallel_for(tasks, pass->count, DEW_CHUNK_ITEMS, send_chunk, &sending));
    dew_Photon *photons = map->photons.data;
    int64_t count = 0;
    for (int64_t c = 0; c < chunks; c++) {
        memmove(photons + count, photons + c * DEW_CHUNK_ITEMS,
                (size_t)landed[c] * sizeof *photons);
        count += landed[c];
    }
    return dew_array_resize(&map->photons, count);
}

// ---- cells -------------------------------------------------------------------------------------

static uint32_t cell_hash(int x, int y, int z)
{
    uint32_t h = (uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u ^ (uint32_t)z * 83492791u;
    h ^= h >> 16;
    h *= 0x7feb352du;
    return h ^ h >> 15;
}

static uint32_t cell_at(dew_Float3 p, float cell)
{
    return cell_hash((int)floorf(p.x / cell), (int)floorf(p.y / cell), (int)floorf(p.z / cell));
}

static uint32_t power_of_two(int64_t at_least)
{
    uint32_t n = 16;
    while ((int64_t)n < at_least && n < 1u << 30)
        n *= 2;
    return n;
}

static uint32_t enough_photons(const dew_TracedScene *stage, int64_t count)
{
    float fraction = 0;
    for (int i = 0; i < stage->target_count; i++)
        fraction = dew_maxf(fraction, stage->targets[i].fraction);
    float within = dew_ray.caustic_sharpness * dew_ray.caustic_sharpness * fraction * (float)count;
    return (uint32_t)dew_minf(dew_maxf(within, (float)dew_ray.min_neighbours),
                              (float)dew_ray.max_neighbours);
}

// Sets radius to cell * sqrt(enough / count) for the finest level whose cell holds enough; the
// level is kept in level[]. Cells that fall into the same slot are counted together; a photon that
// is alone must meet such a mistake on every level to get a small disk, and shine as a dot. The
// cells lie elsewhere in each pass (shift, in cells), else their borders would be seen.
static dew_Status size_disks(dew_PhotonMap *map, uint32_t enough, dew_Float3 shift, float shrink,
                             uint8_t *level)
{
    dew_Photon *photons = map->photons.data;
    int64_t count = map->photons.count;
    uint32_t slots = power_of_two(2 * count);
    uint32_t *counts = dew_arena_array(&map->arena, uint32_t, slots);
    if (!counts)
        return dew_no_memory((size_t)slots * sizeof *counts);
    for (int l = 0; l < DEW_PHOTON_LEVELS; l++) {
        float cell = ldexpf(dew_ray.max_cell, -l);
        memset(counts, 0, slots * sizeof *counts);
        for (int pass = 0; pass < 2; pass++)
            for (int64_t i = 0; i < count; i++) {
                dew_Float3 p = dew_f3_add_scaled(shift, 1 / cell, photons[i].position);
                uint32_t at =
                    cell_hash((int)floorf(p.x), (int)floorf(p.y), (int)floorf(p.z)) & (slots - 1);
                if (pass == 0) {
                    counts[at]++;
                } else if (l == 0 || (level[i] == l - 1 && counts[at] >= enough)) {
                    level[i] = (uint8_t)l;
                    float thin = dew_minf((float)enough / (float)counts[at], 1);
                    photons[i].radius = shrink * cell * dew_maxf(sqrtf(thin), 0.5f);
                }
            }
    }
    return dew_ok();
}

typedef struct CellRange {
    int lo[3], hi[3];
} CellRange;

static CellRange cells_of(const dew_Photon *photon, float cell)
{
    const float p[3] = {photon->position.x, photon->position.y, photon->position.z};
    CellRange range;
    for (int k = 0; k < 3; k++) {
        range.lo[k] = (int)floorf((p[k] - photon->radius) / cell);
        range.hi[k] = (int)floorf((p[k] + photon->radius) / cell);
    }
    return range;
}

// Counts (entries NULL) or writes the photon into all cells that its disk touches. Each bucket
// once.
static void put_photon(dew_PhotonGrid *grid, const dew_Photon *photon, uint32_t index, bool writes)
{
    CellRange r = cells_of(photon, grid->cell);
    uint32_t done[27];
    int done_count = 0;
    for (int z = r.lo[2]; z <= r.hi[2]; z++)
        for (int y = r.lo[1]; y <= r.hi[1]; y++)
            for (int x = r.lo[0]; x <= r.hi[0]; x++) {
                uint32_t bucket = cell_hash(x, y, z) & (grid->bucket_count - 1);
                bool is_new = true;
                for (int i = 0; i < done_count; i++)
                    is_new = is_new && done[i] != bucket;
                if (!is_new || done_count == 27)
                    continue;
                done[done_count++] = bucket;
                if (writes)
                    grid->entries[grid->first[bucket + 1]++] =
                        (dew_PhotonEntry){photon->position, photon->radius * photon->radius, index};
                else
                    grid->first[bucket + 2]++;
            }
}

// Notes in which coarse cells a grid has photons.
static void note_presence(dew_PhotonMap *map, const dew_Photon *photon, int level)
{
    CellRange r = cells_of(photon, 2 * dew_ray.max_cell);
    for (int z = r.lo[2]; z <= r.hi[2]; z++)
        for (int y = r.lo[1]; y <= r.hi[1]; y++)
            for (int x = r.lo[0]; x <= r.hi[0]; x++)
                map->presence[cell_hash(x, y, z) & (PRESENCE_CELLS - 1)] |= (uint8_t)(1 << level);
}

static dew_Status fill_grid(dew_PhotonMap *map, int l, const uint8_t *level, int64_t population)
{
    dew_PhotonGrid *grid = &map->grids[l];
    const dew_Photon *photons = map->photons.data;
    *grid = (dew_PhotonGrid){.cell = 2 * ldexpf(dew_ray.max_cell, -l)};
    if (population == 0)
        return dew_ok();
    grid->bucket_count = power_of_two(population);
    grid->first = dew_arena_array(&map->arena, uint32_t, (int64_t)grid->bucket_count + 2);
    if (!grid->first)
        return dew_no_memory((size_t)grid->bucket_count * sizeof(uint32_t));
    for (int64_t i = 0; i < map->photons.count; i++)
        if (level[i] == l)
            put_photon(grid, &photons[i], (uint32_t)i, false);
    for (uint32_t b = 0; b < grid->bucket_count; b++)
        grid->first[b + 2] += grid->first[b + 1];
    uint32_t total = grid->first[grid->bucket_count + 1];
    grid->entries = dew_arena_array(&map->arena, dew_PhotonEntry, total);
    if (!grid->entries)
        return dew_no_memory((size_t)total * sizeof *grid->entries);
    for (int64_t i = 0; i < map->photons.count; i++)
        if (level[i] == l)
            put_photon(grid, &photons[i], (uint32_t)i, true);
    return dew_ok();
}

dew_Status dew_photon_map_fill(dew_PhotonMap *map, const dew_TracedScene *stage,
                               const dew_PhotonPass *pass, dew_Tasks *tasks)
{
    dew_arena_clear(&map->arena);
    DEW_TRY(send_all(map, stage, pass, tasks));
    int64_t count = map->photons.count, population[DEW_PHOTON_LEVELS] = {0};
    uint8_t *level = dew_arena_array(&map->arena, uint8_t, count);
    map->presence = dew_arena_array(&map->arena, uint8_t, PRESENCE_CELLS);
    if (!level || !map->presence)
        return dew_no_memory((size_t)count);
    // [Knaus2011] eq. (15) with alpha = 2/3: squared radii fall as the pass to the power of -1/3.
    float shrink = powf((float)(pass->pass + 1), -1.0f / 6);
    dew_Random random = dew_random(pass->seed, (uint64_t)INT64_MAX - 1, (uint64_t)pass->pass);
    dew_Float3 shift = dew_f3_from(
        dew_vec(dew_random_unit(&random), dew_random_unit(&random), dew_random_unit(&random)));
    DEW_TRY(size_disks(map, enough_photons(stage, count), shift, shrink, level));
    map->min = dew_f3_all(FLT_MAX);
    map->max = dew_f3_all(-FLT_MAX);
    for (int64_t i = 0; i < count; i++) {
        const dew_Photon *p = &DEW_ITEMS(&map->photons, const dew_Photon)[i];
        population[level[i]]++;
        note_presence(map, p, level[i]);
        map->min = dew_f3(dew_minf(map->min.x, p->position.x - p->radius),
                          dew_minf(map->min.y, p->position.y - p->radius),
                          dew_minf(map->min.z, p->position.z - p->radius));
        map->max = dew_f3(dew_maxf(map->max.x, p->position.x + p->radius),
                          dew_maxf(map->max.y, p->position.y + p->radius),
                          dew_maxf(map->max.z, p->position.z + p->radius));
    }
    for (int l = 0; l < DEW_PHOTON_LEVELS; l++)
        DEW_TRY(fill_grid(map, l, level, population[l]));
    return dew_ok();
}

// ---- gathering ---------------------------------------------------------------------------------

static dew_Float3 photon_light(const dew_PhotonMap *map, const dew_PhotonEntry *entry,
                               const dew_Surfel *surfel, dew_Float3 position)
{
    dew_Float3 arm = dew_f3_sub(entry->position, position);
    float r2 = entry->radius2, d2 = dew_f3_length2(arm),
          height = dew_f3_inner(arm, surfel->geometric);
    if (d2 >= r2 || height * height > dew_ray.max_height * dew_ray.max_height * r2)
        return dew_f3_all(0);
    const dew_Photon *photon = &DEW_ITEMS(&map->photons, const dew_Photon)[entry->photon];
    // The photon's power is per area of the surface; eval has a cosine that radiance would need.
    float cosine = fabsf(dew_f3_inner(photon->towards, surfel->normal));
    float kernel = 2 * (1 - d2 / r2) / ((float)DEW_PI * r2);
    dew_Float3 light = dew_surfel_eval_wide(surfel, photon->towards);
    return dew_f3_mul(dew_f3_scale(kernel / dew_maxf(cosine, dew_ray.min_gather_cosine), light),
                      photon->power);
}

dew_Float3 dew_photon_map_gather(const dew_PhotonMap *map, const dew_Surfel *surfel, dew_Float3 p)
{
    dew_Float3 light = dew_f3_all(0);
    if (!(p.x >= map->min.x && p.x <= map->max.x && p.y >= map->min.y && p.y <= map->max.y &&
          p.z >= map->min.z && p.z <= map->max.z))
        return light;
    unsigned present = map->presence[cell_at(p, 2 * dew_ray.max_cell) & (PRESENCE_CELLS - 1)];
    for (int l = 0; present >> l; l++) {
        const dew_PhotonGrid *grid = &map->grids[l];
        if (!(present >> l & 1))
            continue;
        uint32_t bucket = cell_at(p, grid->cell) & (grid->bucket_count - 1);
        for (uint32_t i = grid->first[bucket]; i < grid->first[bucket + 1]; i++)
            light = dew_f3_add(light, photon_light(map, &grid->entries[i], surfel, p));
    }
    return light;
}
