// Videos: whole, cut at every byte, with an image too few, with sizes that lie.
#include "io/video_check.h"

#include "base/testing.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct Bytes {
    uint8_t data[512];
    size_t size;
} Bytes;

static void add(Bytes *b, const void *data, size_t size)
{
    assert_true(b->size + size <= sizeof b->data);
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

// A box around what `inner` holds; NULL: empty.
static Bytes box(const char *kind, const Bytes *inner)
{
    Bytes b = {.size = 0};
    size_t size = 8 + (inner ? inner->size : 0);
    uint8_t head[8] = {0, 0, (uint8_t)(size >> 8), (uint8_t)size};
    memcpy(head + 4, kind, 4);
    add(&b, head, 8);
    if (inner)
        add(&b, inner->data, inner->size);
    return b;
}

// A description of H.264, with the decoder's parameters or without.
static Bytes description(bool has_codec)
{
    Bytes parameters = {.data = {1, 2, 3}, .size = 3}, codec = box("avcC", &parameters);
    Bytes fields = {.size = 78}, entries = {.size = 8};
    if (has_codec)
        add(&fields, codec.data, codec.size);
    Bytes entry = box("avc1", &fields);
    add(&entries, entry.data, entry.size);
    return box("stsd", &entries);
}

// left_out: a table that the index does not have, or NULL.
static Bytes mp4_without(uint8_t images, const char *left_out, bool has_codec)
{
    static const char *const outer[] = {"stbl", "minf", "mdia", "trak", "moov"};
    static const char *const tables[] = {"stts", "stsc", "stco"};
    Bytes counts = {.data = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, images}, .size = 12};
    Bytes index = description(has_codec), sizes = box("stsz", &counts);
    for (int i = 0; i < 3; i++) {
        Bytes table = box(tables[i], NULL);
        if (!left_out || strcmp(left_out, tables[i]) != 0)
            add(&index, table.data, table.size);
    }
    add(&index, sizes.data, sizes.size);
    for (int i = 0; i < 5; i++)
        index = box(outer[i], &index);
    Bytes pixels = {.data = "pixels", .size = 6}, file = box("ftyp", NULL);
    Bytes media = box("mdat", &pixels);
    add(&file, media.data, media.size);
    add(&file, index.data, index.size);
    return file;
}

static Bytes mp4(uint8_t images)
{
    return mp4_without(images, NULL, true);
}

static Bytes matroska(int images)
{
    static const uint8_t head[] = {0x1A, 0x45, 0xDF, 0xA3, 0x80};    // EBML, empty
    static const uint8_t tracks[] = {0x16, 0x54, 0xAE, 0x6B, 0x80};  // Tracks, empty
    static const uint8_t block[] = {0xA3, 0x82, 1, 2};               // SimpleBlock of 2 bytes
    uint8_t cluster[] = {0x1F, 0x43, 0xB6, 0x75, (uint8_t)(0x80 | 4 * images)};
    uint8_t segment[] = {0x18, 0x53, 0x80, 0x67, 0x01, 0,
                         0,    0,    0,    0,    0,    (uint8_t)(10 + 4 * images)};
    Bytes file = {.size = 0};
    add(&file, head, sizeof head);
    add(&file, segment, sizeof segment);
    add(&file, tracks, sizeof tracks);
    add(&file, cluster, sizeof cluster);
    for (int i = 0; i < images; i++)
        add(&file, block, sizeof block);
    return file;
}

static dew_Status check(const Bytes *bytes, size_t size, int64_t images)
{
    int fd = memfd_create("video", MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes->data, size), (ssize_t)size);
    dew_Status status = dew_video_check(fd, "x", images);
    close(fd);
    return status;
}

static void whole_and_cut(void **state)
{
    (void)state;
    Bytes files[] = {mp4(3), matroska(3)};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(check(&files[i], files[i].size, 3).code, DEW_OK);
        assert_string_equal(check(&files[i], files[i].size, 4).message,
                            "x: the encoder wrote 3 of 4 images (a full disk?)");
        for (size_t size = 0; size < files[i].size; size++)
            assert_int_equal(check(&files[i], size, 3).code, DEW_IO);
        add(&files[i], "x", 1);
        assert_int_equal(check(&files[i], files[i].size, 3).code, DEW_IO);
    }
}

// As an encoder leaves it that found no memory for a part of the index.
static void what_a_decoder_needs(void **state)
{
    (void)state;
    static const char *const tables[] = {"stts", "stsc", "stco"};
    for (int i = 0; i < 3; i++) {
        Bytes file = mp4_without(3, tables[i], true);
        assert_int_equal(check(&file, file.size, 3).code, DEW_IO);
    }
    Bytes file = mp4_without(3, NULL, false);
    assert_string_equal(check(&file, file.size, 3).message,
                        "x: the encoder left out what a decoder needs (out of memory?)");
}

// As an encoder leaves it that could not come back: no size of the segment, no index.
static void unfinished(void **state)
{
    (void)state;
    Bytes file = matroska(3);
    file.data[10] = 0xff;
    memset(file.data + 10, 0xff, 7);
    assert_int_equal(check(&file, file.size, 3).code, DEW_IO);
    Bytes no_index = box("ftyp", NULL), pixels = {.data = "pixels", .size = 6};
    Bytes media = box("mdat", &pixels);
    add(&no_index, media.data, media.size);
    assert_string_equal(check(&no_index, no_index.size, 0).message,
                        "x: the encoder wrote only a part of the video (a full disk?)");
}

// Any one byte changed: an answer, and no read beyond the end.
static void changed_bytes(void **state)
{
    (void)state;
    Bytes files[] = {mp4(3), matroska(3)};
    for (int i = 0; i < 2; i++)
        for (size_t at = 0; at < files[i].size; at++)
            for (int value = 0; value < 256; value++) {
                Bytes changed = files[i];
                changed.data[at] = (uint8_t)value;
                dew_Status status = check(&changed, changed.size, 3);
                assert_true(status.code == DEW_OK || status.code == DEW_IO);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_and_cut),
        cmocka_unit_test(what_a_decoder_needs),
        cmocka_unit_test(unfinished),
        cmocka_unit_test(changed_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
