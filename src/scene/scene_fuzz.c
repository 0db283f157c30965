// Any bytes as a scene file: no crash, no leak, no endless work; and a scene that is read is
// written as a text that reads back to the same text.
//
// What stands behind a line "#set " at the start of the input is an override, so that --set is
// reached too. Memory is bounded, so that lack of it is met as well.
#include <stdlib.h>
#include <string.h>

#include "io/bounded_allocator.h"
#include "scene/sample_solvers.h"

#define MAX_LIVE_BYTES ((size_t)8 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Splits "#set KEY=VALUE\n" off the front.
static const char *take_override(const uint8_t **data, size_t *size, char *buffer, size_t room)
{
    const uint8_t *end = *size > 5 && memcmp(*data, "#set ", 5) == 0
                             ? (const uint8_t *)memchr(*data, '\n', *size)
                             : NULL;
    if (!end || (size_t)(end - *data) - 5 >= room)
        return NULL;
    size_t length = (size_t)(end - *data) - 5;
    memcpy(buffer, *data + 5, length);
    buffer[length] = '\0';
    *size -= (size_t)(end + 1 - *data);
    *data = end + 1;
    return buffer;
}

static void ignore(void *context, dew_LogLevel level, const char *message)
{
    (void)context;
    (void)level;
    (void)message;
}

static void demand(bool condition)
{
    if (!condition)
        abort();
}

static void expect_same_back(const dew_Scene *scene, dew_SceneLoadDef *def)
{
    char *text = NULL, *again = NULL;
    dew_Scene *copy = NULL;
    if (dew_scene_text(scene, NULL, &text).code != DEW_OK)
        return;  // no memory
    def->text = text;
    def->text_size = strlen(text);
    def->override_count = 0;
    dew_Status status = dew_scene_read(def, sample_solvers(), &copy);
    demand(status.code == DEW_OK || status.code == DEW_NO_MEMORY);
    if (status.code == DEW_OK && dew_scene_text(copy, NULL, &again).code == DEW_OK) {
        demand(strcmp(text, again) == 0);
        dew_scene_text_free(copy, again);
    }
    dew_scene_destroy(copy);
    dew_scene_text_free(scene, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dew_Bounded bounded = {.limit_bytes = MAX_LIVE_BYTES};
    char buffer[256];
    const char *overrides[1] = {take_override(&data, &size, buffer, sizeof buffer)};
    dew_SceneLoadDef def = dew_default_scene_load_def();
    dew_Scene *scene = NULL;
    def.path = "fuzz.yaml";
    def.text = (const char *)data;
    def.text_size = size;
    def.overrides = overrides;
    def.override_count = overrides[0] ? 1 : 0;
    def.log.write = ignore;
    def.allocator = dew_bounded_allocator(&bounded);
    dew_Status status = dew_scene_read(&def, sample_solvers(), &scene);
    demand((status.code == DEW_OK) == (scene != NULL));
    demand((status.code == DEW_OK) == (status.message[0] == '\0'));
    if (scene)
        expect_same_back(scene, &def);
    dew_scene_destroy(scene);
    demand(bounded.used_bytes == 0);
    return 0;
}
