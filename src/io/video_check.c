// Walks over boxes and elements by their sizes; reads a few bytes of each.
#include "io/video_check.h"

#include "base/status.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Video {
    int fd;
    int64_t size_bytes;
    int64_t images;
    bool has_index;
    bool lacks_codec;  // a track of H.264 without the parameters that a decoder needs
} Video;

/// One box or element: its kind, and where its content is.
typedef struct Piece {
    uint32_t kind;
    int64_t begin, end;
} Piece;

static uint64_t big_endian(const uint8_t *bytes, int count)
{
    uint64_t x = 0;
    for (int i = 0; i < count; i++)
        x = x << 8 | bytes[i];
    return x;
}

static bool read_at(const Video *v, int64_t at, uint8_t *out, int count)
{
    return at >= 0 && count <= v->size_bytes - at &&
           pread(v->fd, out, (size_t)count, at) == (ssize_t)count;
}

/// False where what follows does not end within `end`.
static bool set_content(Piece *piece, int64_t begin, uint64_t size, int64_t end)
{
    if (begin > end || size > (uint64_t)(end - begin))
        return false;
    piece->begin = begin;
    piece->end = begin + (int64_t)size;
    return true;
}

// ---- MP4, QuickTime ----------------------------------------------------------------------------

static bool read_box(const Video *v, int64_t at, int64_t end, Piece *out)
{
    uint8_t head[16];
    if (!read_at(v, at, head, 8))
        return false;
    int64_t used = 8;
    uint64_t size = big_endian(head, 4);
    out->kind = (uint32_t)big_endian(head + 4, 4);
    if (size == 1) {
        if (!read_at(v, at + 8, head + 8, 8))
            return false;
        used = 16;
        size = big_endian(head + 8, 8);
    }
    return size >= (uint64_t)used && set_content(out, at + used, size - (uint64_t)used, end);
}

#define BOX(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (d))

/// The path from the index to the table of image sizes.
static const uint32_t index_path[] = {BOX('m', 'o', 'o', 'v'), BOX('t', 'r', 'a', 'k'),
                                      BOX('m', 'd', 'i', 'a'), BOX('m', 'i', 'n', 'f'),
                                      BOX('s', 't', 'b', 'l'), BOX('s', 't', 's', 'z')};
enum { PATH_LENGTH = sizeof index_path / sizeof index_path[0] };

#define VISUAL_ENTRY_HEAD                                                                          \
    78  // of a sample entry of video [ISO 14496-12, 12.1.3], behind size and kind

/// stsd: version and flags, number of entries, then entries; each entry avc1 has its avcC [ISO
/// 14496-15, 5.4.2].
static bool check_description(Video *v, const Piece *stsd)
{
    for (int64_t at = stsd->begin + 2 * (int64_t)sizeof(uint32_t); at < stsd->end;) {
        Piece entry, inner;
        if (!read_box(v, at, stsd->end, &entry))
            return false;
        at = entry.end;
        if (entry.kind != BOX('a', 'v', 'c', '1'))
            continue;
        bool has_codec = false;
        for (int64_t in = entry.begin + VISUAL_ENTRY_HEAD; in < entry.end; in = inner.end) {
            if (!read_box(v, in, entry.end, &inner))
                return false;
            has_codec =
                has_codec || (inner.kind == BOX('a', 'v', 'c', 'C') && inner.end > inner.begin);
        }
        v->lacks_codec = v->lacks_codec || !has_codec;
    }
    return true;
}

/// The tables that a track has to have [ISO 14496-12, 8.5 to 8.7]; co64 may stand for stco.
static const uint32_t table_kinds[] = {BOX('s', 't', 's', 'd'), BOX('s', 't', 't', 's'),
                                       BOX('s', 't', 's', 'c'), BOX('s', 't', 's', 'z'),
                                       BOX('s', 't', 'c', 'o')};
enum { TABLE_COUNT = sizeof table_kinds / sizeof table_kinds[0] };

/// A bit for each table; 0: another box.
static unsigned table_bit(uint32_t kind)
{
    kind = kind == BOX('c', 'o', '6', '4') ? BOX('s', 't', 'c', 'o') : kind;
    for (unsigned i = 0; i < TABLE_COUNT; i++)
        if (table_kinds[i] == kind)
            return 1u << i;
    return 0;
}

/// Visits the boxes in [at, end): false unless they fill it. `depth`: index into index_path.
static bool walk_boxes(Video *v, int64_t at, int64_t end, int depth)
{
    unsigned tables = 0;
    while (at < end) {
        Piece box;
        uint8_t count[12];
        if (!read_box(v, at, end, &box))
            return false;
        at = box.end;
        tables |= table_bit(box.kind);
        if (depth + 1 == PATH_LENGTH && box.kind == BOX('s', 't', 's', 'd') &&
            !check_description(v, &box))
            return false;
        if (box.kind != index_path[depth])
            continue;
        if (depth + 1 < PATH_LENGTH) {
            if (!walk_boxes(v, box.begin, box.end, depth + 1))
                return false;
            continue;
        }
        if (box.end - box.begin < 12 || !read_at(v, box.begin, count, 12))
            return false;
        v->images += (int64_t)big_endian(count + 8, 4);
        v->has_index = true;
    }
    return depth + 1 < PATH_LENGTH || tables == (1u << TABLE_COUNT) - 1;
}

// ---- Matroska, WebM ----------------------------------------------------------------------------

// Ids of elements, RFC 9559.
static const struct Ids {
    uint32_t ebml, segment, cluster, tracks, track_entry;
    uint32_t simple_block, block_group, codec_id, codec_private;
} ids = {0x1A45DFA3, 0x18538067, 0x1F43B675, 0x1654AE6B, 0xAE, 0xA3, 0xA0, 0x86, 0x63A2};

static int length_of_number(uint8_t first)
{
    int length = 1;
    while (length <= 8 && !(first & (0x80 >> (length - 1))))
        length++;
    return length;
}

static bool read_element(const Video *v, int64_t at, int64_t end, Piece *out)
{
    uint8_t head[8];
    if (!read_at(v, at, head, 1))
        return false;
    int length = length_of_number(head[0]);
    if (length > 4 || !read_at(v, at, head, length))
        return false;
    out->kind = (uint32_t)big_endian(head, length);
    at += length;
    if (!read_at(v, at, head, 1))
        return false;
    length = length_of_number(head[0]);
    if (length > 8 || !read_at(v, at, head, length))
        return false;
    uint64_t mask = ((uint64_t)1 << (7 * length)) - 1, size = big_endian(head, length) & mask;
    // All ones: "not known yet", what encoders write before they come back with the true one.
    return size != mask && set_content(out, at + length, size, end);
}

/// A track of H.264 has its parameters in CodecPrivate.
static bool check_track(Video *v, const Piece *track)
{
    static const char h264[] = "V_MPEG4/ISO/AVC";
    bool is_h264 = false, has_codec = false;
    for (int64_t at = track->begin; at < track->end;) {
        Piece element;
        uint8_t id[sizeof h264 - 1];
        if (!read_element(v, at, track->end, &element))
            return false;
        at = element.end;
        int64_t size = element.end - element.begin;
        is_h264 = is_h264 || (element.kind == ids.codec_id && size >= (int64_t)sizeof id &&
                              read_at(v, element.begin, id, (int)sizeof id) &&
                              memcmp(id, h264, sizeof id) == 0);
        has_codec = has_codec || (element.kind == ids.codec_private && size > 0);
    }
    v->lacks_codec = v->lacks_codec || (is_h264 && !has_codec);
    return true;
}

static bool walk_elements(Video *v, int64_t at, int64_t end, uint32_t inside)
{
    while (at < end) {
        Piece element;
        if (!read_element(v, at, end, &element))
            return false;
        at = element.end;
        if (inside == 0 && element.kind == ids.segment &&
            !walk_elements(v, element.begin, element.end, ids.segment))
            return false;
        if (inside == ids.segment && element.kind == ids.cluster &&
            !walk_elements(v, element.begin, element.end, ids.cluster))
            return false;
        if (inside == ids.segment && element.kind == ids.tracks) {
            v->has_index = true;
            if (!walk_elements(v, element.begin, element.end, ids.tracks))
                return false;
        }
        if (inside == ids.tracks && element.kind == ids.track_entry && !check_track(v, &element))
            return false;
        if (inside == ids.cluster &&
            (element.kind == ids.simple_block || element.kind == ids.block_group))
            v->images++;
    }
    return true;
}

// ---- either ------------------------------------------------------------------------------------

dew_Status dew_video_check(int fd, const char *path, int64_t image_count)
{
    struct stat info;
    Video v = {.fd = fd};
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode))
        v.size_bytes = info.st_size;
    uint8_t head[4] = {0};
    bool is_matroska = read_at(&v, 0, head, 4) && big_endian(head, 4) == ids.ebml;
    bool is_filled =
        is_matroska ? walk_elements(&v, 0, v.size_bytes, 0) : walk_boxes(&v, 0, v.size_bytes, 0);
    if (!is_filled || !v.has_index)
        return dew_fail(DEW_IO, "%s: the encoder wrote only a part of the video (a full disk?)",
                        path);
    if (v.lacks_codec)
        return dew_fail(DEW_IO, "%s: the encoder left out what a decoder needs (out of memory?)",
                        path);
    if (v.images != image_count)
        return dew_fail(DEW_IO, "%s: the encoder wrote %lld of %lld images (a full disk?)", path,
                        (long long)v.images, (long long)image_count);
    return dew_ok();
}
