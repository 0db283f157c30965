/// Which bodies a path is inside of. Where clear bodies overlap the one of highest priority counts
/// [Schmidt2002]; so liquid that is inset into glass meets it without a gap.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define DEW_MAX_NESTED 6  // bodies that overlap at a point; a path forgets those beyond
#define DEW_AIR        UINT16_MAX

typedef struct dew_Media {
    uint16_t body[DEW_MAX_NESTED];
    uint8_t priority[DEW_MAX_NESTED];
    int8_t count;
} dew_Media;

/// The slot of the medium that counts; -1: air. Of equal priorities the one entered first.
static inline int dew_media_top(const dew_Media *media)
{
    int top = -1;
    for (int i = 0; i < media->count; i++)
        if (top < 0 || media->priority[i] > media->priority[top])
            top = i;
    return top;
}

static inline uint16_t dew_media_body(const dew_Media *media)
{
    int top = dew_media_top(media);
    return top < 0 ? DEW_AIR : media->body[top];
}

static inline void dew_media_enter(dew_Media *media, uint16_t body, uint8_t priority)
{
    if (media->count == DEW_MAX_NESTED)
        return;
    media->body[media->count] = body;
    media->priority[media->count++] = priority;
}

/// Takes the latest entry of the body out; false: the path was not in it.
static inline bool dew_media_leave(dew_Media *media, uint16_t body)
{
    for (int i = media->count - 1; i >= 0; i--) {
        if (media->body[i] != body)
            continue;
        for (int k = i; k + 1 < media->count; k++) {
            media->body[k] = media->body[k + 1];
            media->priority[k] = media->priority[k + 1];
        }
        media->count--;
        return true;
    }
    return false;
}
