// Writes the blocks and groups of an Ogawa file [Alembic2011] one behind the other.
#include "io/ogawa.h"

#include "io/scalar.h"

#define POSITION_OF_FROZEN 5
#define POSITION_OF_ROOT   8

static void put(dew_Ogawa *ogawa, const void *data, size_t size)
{
    dew_sink_write(ogawa->sink, data, size);
    ogawa->size_bytes += size;
}

static void put_word(dew_Ogawa *ogawa, uint64_t x)
{
    uint8_t bytes[8];
    dew_bytes_put64(bytes, x);
    put(ogawa, bytes, sizeof bytes);
}

void dew_ogawa_begin(dew_Ogawa *ogawa, dew_Sink *sink)
{
    static const uint8_t head[DEW_OGAWA_HEAD_BYTES] = {'O', 'g', 'a', 'w', 'a', 0, 0, 1};
    *ogawa = (dew_Ogawa){.sink = sink};
    put(ogawa, head, sizeof head);
}

uint64_t dew_ogawa_block(dew_Ogawa *ogawa, const void *head, size_t head_size, const void *body,
                         size_t body_size)
{
    uint64_t at = ogawa->size_bytes;
    if (head_size + body_size == 0)
        return DEW_OGAWA_EMPTY_BLOCK;
    put_word(ogawa, head_size + body_size);
    put(ogawa, head, head_size);
    put(ogawa, body, body_size);
    return at | DEW_OGAWA_EMPTY_BLOCK;
}

uint64_t dew_ogawa_group(dew_Ogawa *ogawa, const uint64_t *children, int64_t count)
{
    uint64_t at = ogawa->size_bytes;
    if (count == 0)
        return DEW_OGAWA_EMPTY_GROUP;
    put_word(ogawa, (uint64_t)count);
    for (int64_t i = 0; i < count; i++)
        put_word(ogawa, children[i]);
    return at;
}

void dew_ogawa_end(dew_Ogawa *ogawa, uint64_t root)
{
    uint8_t position[8];
    dew_bytes_put64(position, root);
    dew_sink_patch(ogawa->sink, POSITION_OF_ROOT, position, sizeof position);
    dew_sink_patch(ogawa->sink, POSITION_OF_FROZEN, "\xff", 1);
}
