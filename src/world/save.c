// The whole state as bytes, and back, bit for bit.
#include "base/hash.h"
#include "base/status.h"
#include "world/world_state.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(dew_WorldClock) == 8 * (DEW_CLOCK_NUMBERS + DEW_CLOCK_INTEGERS),
               "the clock is all numbers, doubles first");
_Static_assert(sizeof(dew_Drag) == 8 * DEW_DRAG_NUMBERS, "a drag is all doubles");
_Static_assert(sizeof(dew_Turn) == 8 * DEW_TURN_NUMBERS, "a turn is all doubles");

// ---- the scene's files -------------------------------------------------------------------------

/// As it is saved.
typedef struct FileHash {
    uint64_t key;  // of the key that names the file
    uint64_t content;
} FileHash;
#define FILE_NUMBERS ((int)(sizeof(FileHash) / sizeof(uint64_t)))

static uint64_t key_hash(const dew_SceneFile *file)
{
    return dew_hash(file->key, strlen(file->key), 0);
}

/// A state belongs to the meshes and tables that its solids and drops were made from.
static void write_files(const dew_World *world, dew_SectionWriter *writer)
{
    const dew_SceneFiles *files = dew_problem_files(world->problem);
    if (files->count > 0)
        dew_sections_add(writer, "world.files", DEW_FIELD_U64, FILE_NUMBERS, world->file_hashes,
                         files->count);
}

dew_Status dew_world_hash_files(dew_World *world)
{
    const dew_SceneFiles *files = dew_problem_files(world->problem);
    world->file_hashes = dew_arena_array(&world->arena, uint64_t, FILE_NUMBERS * files->count);
    if (!world->file_hashes)
        return dew_no_memory((size_t)files->count * FILE_NUMBERS * sizeof(uint64_t));
    for (int64_t i = 0; i < files->count; i++) {
        world->file_hashes[FILE_NUMBERS * i] = key_hash(&files->files[i]);
        world->file_hashes[FILE_NUMBERS * i + 1] = files->files[i].hash;
    }
    return dew_ok();
}

/// States of before files were hashed have none.
static dew_Status check_files(const dew_World *world, const dew_SectionReader *reader)
{
    const dew_SceneFiles *files = dew_problem_files(world->problem);
    dew_Section section;
    if (!dew_sections_find(reader, "world.files", &section))
        return dew_ok();
    DEW_TRY(dew_sections_get(reader, "world.files", DEW_FIELD_U64, FILE_NUMBERS, files->count,
                             &section));
    for (int64_t i = 0; i < files->count; i++) {
        const uint64_t *now = &world->file_hashes[FILE_NUMBERS * i];
        FileHash saved;
        memcpy(&saved, section.data + (size_t)i * sizeof saved, sizeof saved);
        if (saved.key != now[0])
            return dew_fail(DEW_CORRUPT, "the saved state has other files than the scene's");
        if (saved.content != now[1])
            return dew_scene_file_changed(&files->files[i]);
    }
    return dew_ok();
}

// ---- drops -------------------------------------------------------------------------------------

#define DROPS_PREFIX "world.drops"

/// The tracker of a state in which somebody asked for drops; of others, a new one.
static dew_Status read_tracker(const dew_World *world, const dew_SectionReader *reader,
                               dew_DropTracker *tracker, bool *has_drops)
{
    dew_Section section;
    dew_drops_init(tracker, &world->def.allocator);
    *has_drops = dew_sections_find(reader, DROPS_PREFIX ".next_id", &section);
    dew_Status status = *has_drops ? dew_drops_read(tracker, DROPS_PREFIX, reader) : dew_ok();
    if (status.code != DEW_OK)
        dew_drops_deinit(tracker);
    return status;
}

static void use_tracker(dew_World *world, const dew_DropTracker *tracker, bool has_drops)
{
    dew_drops_deinit(&world->view.tracker);
    world->view.tracker = *tracker;
    world->view.has_drops = has_drops;
    world->view.drops_of = 0;
    world->version++;
}

// ---- the state ---------------------------------------------------------------------------------

void dew_world_write(dew_World *world, dew_SectionWriter *writer)
{
    const dew_WorldClock *clock = &world->clock;
    dew_world_values(world, world->values);
    dew_sections_add(writer, "world.numbers", DEW_FIELD_F64, DEW_CLOCK_NUMBERS, clock, 1);
    dew_sections_add(writer, "world.integers", DEW_FIELD_I64, DEW_CLOCK_INTEGERS,
                     &clock->step_count, 1);
    dew_sections_add(writer, "world.drags", DEW_FIELD_F64, DEW_DRAG_NUMBERS, world->drags,
                     world->solid_count);
    dew_sections_add(writer, "world.turns", DEW_FIELD_F64, DEW_TURN_NUMBERS, world->turns,
                     world->solid_count);
    dew_sections_add(writer, "world.events", DEW_FIELD_I64, 1, &world->events_done, 1);
    dew_sections_add(writer, "world.retries", DEW_FIELD_I64, 1, &world->retry_count, 1);
    dew_sections_add(writer, "world.values", DEW_FIELD_F64, 1, world->values,
                     dew_world_value_count(world));
    write_files(world, writer);
    dew_sections_add(writer, "world.peak", DEW_FIELD_F64, 1, &world->peak_m3, 1);
    if (world->view.has_drops)
        dew_drops_write(&world->view.tracker, DROPS_PREFIX, writer);
    dew_fields_write(&world->fields, writer);
}

static dew_Status check_clock(const dew_WorldClock *clock)
{
    const double *numbers = (const double *)clock;
    for (int i = 0; i < DEW_CLOCK_NUMBERS; i++)
        if (!(numbers[i] - numbers[i] == 0))
            return dew_fail(DEW_CORRUPT, "the saved state's clock or account is not a number");
    if (clock->time_s < 0 || clock->step_count < 0 || clock->live_drops < 0)
        return dew_fail(DEW_CORRUPT, "the saved state's clock is negative");
    return dew_ok();
}

static dew_Status read_fields(dew_World *world, const dew_SectionReader *reader)
{
    DEW_TRY(dew_fields_read(&world->fields, reader));
    dew_Status status = dew_fields_check_finite(&world->fields, world->tasks);
    if (status.code != DEW_OK)
        return dew_fail(DEW_CORRUPT, "in the saved state %.400s", status.message);
    return world->ops->restored ? world->ops->restored(world->problem, world->state) : dew_ok();
}

/// How far the scene's events have gone, and the values that they left. States of before there were
/// events have neither.
static dew_Status read_events(dew_World *world, const dew_SectionReader *reader, int64_t *done)
{
    dew_Section section;
    *done = 0;
    if (!dew_sections_find(reader, "world.events", &section))
        return dew_ok();
    DEW_TRY(dew_sections_copy(reader, "world.events", DEW_FIELD_I64, 1, 1, done));
    if (*done < 0 || *done > dew_scene_event_count(world->scene))
        return dew_fail(DEW_CORRUPT, "the saved state has seen other events than the scene's");
    DEW_TRY(dew_sections_copy(reader, "world.values", DEW_FIELD_F64, 1,
                              dew_world_value_count(world), world->values));
    dew_Status status = dew_world_set_values(world, world->values);
    return status.code == DEW_BAD_INPUT
               ? dew_fail(DEW_CORRUPT, "in the saved state %.400s", status.message)
               : status;
}

/// A statistic, no part of the state. States of before it was counted have none.
static dew_Status read_retries(const dew_SectionReader *reader, int64_t *count)
{
    dew_Section section;
    *count = 0;
    if (!dew_sections_find(reader, "world.retries", &section))
        return dew_ok();
    DEW_TRY(dew_sections_copy(reader, "world.retries", DEW_FIELD_I64, 1, 1, count));
    return *count >= 0 ? dew_ok()
                       : dew_fail(DEW_CORRUPT, "the saved state's number of retries is negative");
}

/// The most liquid that the account ever had; states of before it was kept have what is there.
static dew_Status read_peak(const dew_SectionReader *reader, const dew_WorldClock *clock,
                            double *peak_m3)
{
    dew_Section section;
    *peak_m3 = fmax(0, dew_world_account_m3(clock));
    if (!dew_sections_find(reader, "world.peak", &section))
        return dew_ok();
    DEW_TRY(dew_sections_copy(reader, "world.peak", DEW_FIELD_F64, 1, 1, peak_m3));
    return *peak_m3 >= 0 && *peak_m3 - *peak_m3 == 0
               ? dew_ok()
               : dew_fail(DEW_CORRUPT, "the saved state's account is not a number");
}

/// Host-driven rotations. States of versions without them have no such section.
static dew_Status read_turns(const dew_World *world, const dew_SectionReader *reader,
                             dew_Section *turns)
{
    *turns = (dew_Section){.count = 0};
    if (!dew_sections_find(reader, "world.turns", turns))
        return dew_ok();
    DEW_TRY(dew_sections_get(reader, "world.turns", DEW_FIELD_F64, DEW_TURN_NUMBERS,
                             world->solid_count, turns));
    for (int64_t i = 0; i < 2 * turns->count; i++) {
        dew_Rotation q;
        memcpy(&q, turns->data + (size_t)i * sizeof q, sizeof q);
        if (!dew_rotation_is_unit(q))
            return dew_fail(DEW_CORRUPT, "the saved state's rotation of a solid is none");
    }
    return dew_ok();
}

static dew_Status read_state(dew_World *world, const dew_SectionReader *reader);

dew_Status dew_world_read(dew_World *world, const dew_SectionReader *reader)
{
    int64_t count = dew_world_value_count(world);
    size_t size = (size_t)count * sizeof(double);
    double *old = dew_alloc(&world->def.allocator, count, sizeof *old);
    if (!old)
        return dew_no_memory(size);
    dew_world_values(world, old);
    dew_DropTracker tracker;
    bool has_drops = false;
    dew_Status status = read_tracker(world, reader, &tracker, &has_drops);
    if (status.code == DEW_OK) {
        status = read_state(world, reader);
        if (status.code == DEW_OK)
            use_tracker(world, &tracker, has_drops);
        else
            dew_drops_deinit(&tracker);
    }
    if (status.code != DEW_OK)
        (void)dew_world_set_values(world, old);
    dew_free(&world->def.allocator, old, size);
    return status;
}

static dew_Status read_state(dew_World *world, const dew_SectionReader *reader)
{
    if (reader->scene_hash != world->scene_hash ||
        strcmp(reader->solver, world->ops->traits->name) != 0)
        return dew_fail(DEW_BAD_INPUT, "the saved state is of another scene");
    DEW_TRY(check_files(world, reader));
    dew_WorldClock clock;
    DEW_TRY(
        dew_sections_copy(reader, "world.numbers", DEW_FIELD_F64, DEW_CLOCK_NUMBERS, 1, &clock));
    DEW_TRY(dew_sections_copy(reader, "world.integers", DEW_FIELD_I64, DEW_CLOCK_INTEGERS, 1,
                              &clock.step_count));
    DEW_TRY(check_clock(&clock));
    int64_t events_done, retry_count;
    double peak_m3;
    DEW_TRY(read_retries(reader, &retry_count));
    DEW_TRY(read_peak(reader, &clock, &peak_m3));
    DEW_TRY(read_events(world, reader, &events_done));
    dew_Section drags, turns;
    DEW_TRY(dew_sections_get(reader, "world.drags", DEW_FIELD_F64, DEW_DRAG_NUMBERS,
                             world->solid_count, &drags));
    DEW_TRY(read_turns(world, reader, &turns));
    DEW_TRY(dew_fields_check_sections(&world->fields, reader));
    DEW_TRY(dew_snapshot_take(&world->snapshot, &world->fields, world->tasks));
    dew_Status status = read_fields(world, reader);
    if (status.code != DEW_OK) {  // the bytes were whole, but no state of this solver
        DEW_TRY(dew_snapshot_put_back(&world->snapshot, &world->fields));
        if (world->ops->restored)
            DEW_TRY(world->ops->restored(world->problem, world->state));
        return status;
    }
    world->clock = clock;
    world->peak_m3 = peak_m3;
    world->events_done = events_done;
    world->retry_count = retry_count;
    if (drags.count > 0)
        memcpy(world->drags, drags.data, dew_section_bytes(&drags));
    for (int i = 0; i < world->solid_count; i++)
        world->turns[i] = (dew_Turn){dew_rotation_identity(), dew_rotation_identity()};
    if (turns.count > 0)
        memcpy(world->turns, turns.data, dew_section_bytes(&turns));
    world->bound = NULL;
    dew_Instant instant = dew_world_instant(world);
    dew_world_measure(world, &instant);
    return dew_ok();
}

// ---- the public calls --------------------------------------------------------------------------

static void put_bytes(void *context, const void *data, size_t size)
{
    uint8_t **at = context;
    memcpy(*at, data, size);
    *at += size;
}

dew_Status dew_world_save(dew_World *world, uint8_t **bytes, size_t *size)
{
    *bytes = NULL;
    *size = 0;
    dew_SectionWriter counter = dew_sections_counter();
    dew_world_write(world, &counter);
    uint8_t *block = dew_alloc(&world->def.allocator, (int64_t)counter.size_bytes, 1);
    if (!block)
        return dew_no_memory((size_t)counter.size_bytes);
    uint8_t *at = block;
    dew_SectionWriter writer =
        dew_sections_begin(&counter, world->scene_hash, world->ops->traits->name, put_bytes, &at);
    dew_world_write(world, &writer);
    *bytes = block;
    *size = (size_t)counter.size_bytes;
    return dew_ok();
}

void dew_world_saved_free(const dew_World *world, uint8_t *bytes, size_t size)
{
    if (bytes)
        dew_free(&world->def.allocator, bytes, size);
}

dew_Status dew_world_restore(dew_World *world, const uint8_t *bytes, size_t size)
{
    dew_SectionReader reader;
    DEW_TRY(dew_sections_open(&reader, bytes, size));
    return dew_world_read(world, &reader);
}

uint64_t dew_world_hash(dew_World *world)
{
    uint64_t hash = dew_hash(&world->clock, sizeof world->clock, 0);
    dew_world_values(world, world->values);
    hash = dew_hash(world->values, (size_t)dew_world_value_count(world) * sizeof(double), hash);
    if (world->solid_count > 0)
        hash = dew_hash(world->drags, (size_t)world->solid_count * sizeof(dew_Drag), hash);
    for (int i = 0; i < world->solid_count; i++)
        if (!dew_turn_is_none(&world->turns[i]))
            hash = dew_hash(&world->turns[i], sizeof world->turns[i], hash);
    return dew_fields_hash(&world->fields, hash);
}
