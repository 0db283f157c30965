// Fuzz target: bytes that claim to be a checkpoint, read into a small world.
//
// As they come, nearly all bytes fail at a checksum. So they are tried a second time with every
// checksum put right, as a writer with bad intentions would: then lengths, names, types, counts and
// values must be refused for what they are. Whatever is refused must leave the world as it was.
#include "run/checkpoint.h"

#include "base/hash.h"
#include "world/world_testing.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char scene_text[] = "solver: rigid\nduration: 1 s\n"
                                 "domain: {min: [-1, -1, -1], max: [1, 1, 1], cell: 1 mm}\n"
                                 "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0]}]\n"
                                 "drops: [{shape: sphere, center: [0, 0.5, 0], radius: 5 mm}]\n";

typedef struct Target {
    dew_World *world;
    dew_DropTracker drops;
} Target;

static dew_Status make_target(Target *target)
{
    dew_Scene *scene;
    DEW_TRY(test_scene(scene_text, NULL, &scene));
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = 1;
    dew_drops_init(&target->drops, NULL);
    return dew_world_create(scene, &def, &target->world);
}

/// Made once; both live until the process ends.
static Target *get_target(void)
{
    static Target target;
    if (!target.world && make_target(&target).code != DEW_OK)
        abort();
    return &target;
}

static void put_checksum(uint8_t *head, size_t at, uint64_t hash)
{
    memcpy(head + at, &hash, sizeof hash);
}

/// Puts right what can be: size, scene, solver, section count, and all checksums.
static void reseal(uint8_t *bytes, size_t size, uint64_t scene_hash)
{
    uint32_t count = 0;
    uint64_t total = size;
    for (size_t at = DEW_SECTIONS_HEAD_SIZE; size - at >= 64; count++) {
        uint8_t *head = bytes + at;
        uint32_t type, components;
        uint64_t items;
        memcpy(&type, head + 32, 4);
        memcpy(&components, head + 36, 4);
        memcpy(&items, head + 40, 8);
        size_t number = type <= DEW_FIELD_U8 ? dew_field_type_size((dew_FieldType)type) : 1;
        size_t left = size - at - 64, each = number * (components ? components : 1);
        size_t length = items <= left / each ? (size_t)items * each : left;
        size_t padding = (8 - length % 8) % 8;
        if (padding > left - length)
            break;
        put_checksum(head, 48, 0);
        uint64_t hash = dew_hash(head, 64, 0);
        hash = dew_hash(head + 64, length, hash);
        put_checksum(head, 48, dew_hash(head + 64 + length, padding, hash));
        at += 64 + length + padding;
    }
    memcpy(bytes + 12, &count, sizeof count);
    memcpy(bytes + 16, &total, sizeof total);
    memcpy(bytes + 24, &scene_hash, sizeof scene_hash);
    memcpy(bytes + 32, "rigid", sizeof "rigid");
    put_checksum(bytes, 56, 0);
    put_checksum(bytes, 56, dew_hash(bytes, 64, 0));
}

static void try_bytes(Target *target, const uint8_t *bytes, size_t size)
{
    dew_Checkpoint checkpoint;
    uint64_t before = dew_world_hash(target->world);
    dew_Status status = dew_checkpoint_parse(&checkpoint, bytes, size);
    if (status.code == DEW_OK)
        status = dew_checkpoint_restore(&checkpoint, target->world, &target->drops);
    if (status.code != DEW_OK && dew_world_hash(target->world) != before)
        abort();
    dew_checkpoint_deinit(&checkpoint);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Target *target = get_target();
    try_bytes(target, data, size);
    if (size < DEW_SECTIONS_HEAD_SIZE)
        return 0;
    uint8_t *copy = malloc(size);  // of its own, so that an overrun is seen
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    reseal(copy, size, target->world->scene_hash);
    try_bytes(target, copy, size);
    free(copy);
    return 0;
}
