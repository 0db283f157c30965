// Sections: named arrays with checksums, in one run of bytes.
//
//   head     64 bytes  magic, version, section count, total size, scene hash, solver, checksum
//   section  64 bytes  name, type, components, count, checksum, zero
//            data      padded with zeroes to a multiple of 8
//
// A checksum is XXH3 over the 64 bytes (its own eight as zero), and seeded with that, over data and
// padding. Counts are checked against the bytes that follow before they are used.
#include "world/sections.h"

#include "base/hash.h"
#include "base/status.h"

#include <string.h>

// As PNG's: a high bit, line ends of both kinds and an end-of-file mark, so that a transfer that
// translates any of them is distinguished from damage elsewhere.
static const uint8_t magic[8] = {0x89, 'D', 'E', 'W', '\r', '\n', 0x1a, '\n'};

typedef struct Head {
    uint8_t magic[8];
    uint32_t version;
    uint32_t section_count;
    uint64_t size_bytes;
    uint64_t scene_hash;
    char solver[24];
    uint64_t checksum;
} Head;

typedef struct SectionHead {
    char name[DEW_SECTION_NAME_SIZE];
    uint32_t type;
    uint32_t components;
    uint64_t count;
    uint64_t checksum;
    uint64_t zero;
} SectionHead;

_Static_assert(sizeof(Head) == DEW_SECTIONS_HEAD_SIZE, "no padding in the head");
_Static_assert(sizeof(SectionHead) == 64, "no padding in a section's head");

size_t dew_field_type_size(dew_FieldType type)
{
    switch (type) {
    case DEW_FIELD_F64:
    case DEW_FIELD_I64:
    case DEW_FIELD_U64:
        return 8;
    case DEW_FIELD_F32:
    case DEW_FIELD_I32:
    case DEW_FIELD_U32:
        return 4;
    case DEW_FIELD_U8:
        return 1;
    }
    return 0;
}

static size_t padding_of(size_t size)
{
    return (DEW_SECTION_ALIGNMENT - size % DEW_SECTION_ALIGNMENT) % DEW_SECTION_ALIGNMENT;
}

static uint64_t head_checksum(Head head)
{
    head.checksum = 0;
    return dew_hash(&head, sizeof head, 0);
}

/// Over the section's head, then its data, then its padding.
static uint64_t section_checksum(SectionHead head, const void *data, size_t size,
                                 const void *padding, size_t padding_size)
{
    head.checksum = 0;
    uint64_t hash = dew_hash(&head, sizeof head, 0);
    hash = dew_hash(data, size, hash);
    return dew_hash(padding, padding_size, hash);
}

// ---- writing -----------------------------------------------------------------------------------

dew_SectionWriter dew_sections_counter(void)
{
    return (dew_SectionWriter){.size_bytes = sizeof(Head)};
}

dew_SectionWriter dew_sections_begin(const dew_SectionWriter *counted, uint64_t scene_hash,
                                     const char *solver,
                                     void (*put)(void *context, const void *data, size_t size),
                                     void *context)
{
    Head head = {.version = DEW_SECTIONS_VERSION,
                 .section_count = counted->section_count,
                 .size_bytes = counted->size_bytes,
                 .scene_hash = scene_hash};
    memcpy(head.magic, magic, sizeof magic);
    size_t length = strlen(solver);
    DEW_ASSERT(length < sizeof head.solver);
    memcpy(head.solver, solver, length < sizeof head.solver ? length : sizeof head.solver - 1);
    head.checksum = head_checksum(head);
    put(context, &head, sizeof head);
    return (dew_SectionWriter){.put = put, .context = context, .size_bytes = sizeof head};
}

void dew_sections_add(dew_SectionWriter *writer, const char *name, dew_FieldType type,
                      int components, const void *data, int64_t count)
{
    static const uint8_t zeroes[DEW_SECTION_ALIGNMENT] = {0};
    size_t size = (size_t)count * (size_t)components * dew_field_type_size(type);
    size_t padding = padding_of(size), length = strlen(name);
    DEW_ASSERT(length < DEW_SECTION_NAME_SIZE && components > 0 && count >= 0);
    writer->size_bytes += sizeof(SectionHead) + size + padding;
    writer->section_count++;
    if (!writer->put)
        return;
    SectionHead head = {
        .type = (uint32_t)type, .components = (uint32_t)components, .count = (uint64_t)count};
    memcpy(head.name, name, length);
    head.checksum = section_checksum(head, size ? data : zeroes, size, zeroes, padding);
    writer->put(writer->context, &head, sizeof head);
    if (size > 0)
        writer->put(writer->context, data, size);
    if (padding > 0)
        writer->put(writer->context, zeroes, padding);
}

// ---- reading -----------------------------------------------------------------------------------

size_t dew_section_bytes(const dew_Section *section)
{
    return (size_t)section->count * (size_t)section->components *
           dew_field_type_size(section->type);
}

/// Reads the section that begins at *at and moves *at behind it; false when it is not whole.
static bool read_section(const uint8_t *bytes, size_t size, size_t *at, SectionHead *head,
                         const uint8_t **data)
{
    if (size - *at < sizeof *head)
        return false;
    memcpy(head, bytes + *at, sizeof *head);
    size_t left = size - *at - sizeof *head;
    size_t number = dew_field_type_size((dew_FieldType)head->type);
    if (head->type > DEW_FIELD_U8 || head->components < 1 || head->components > 1u << 20 ||
        head->count > left / (number * head->components))
        return false;
    size_t data_size = (size_t)head->count * head->components * number;
    size_t padding = padding_of(data_size);
    if (left - data_size < padding)
        return false;
    *data = bytes + *at + sizeof *head;
    if (head->checksum != section_checksum(*head, *data, data_size, *data + data_size, padding))
        return false;
    *at += sizeof *head + data_size + padding;
    return true;
}

/// Walks over sections that are known to be whole.
static bool next_section(const dew_SectionReader *reader, size_t *at, dew_Section *out)
{
    if (*at >= reader->size)
        return false;
    SectionHead head;
    memcpy(&head, reader->bytes + *at, sizeof head);
    *out = (dew_Section){.name = (const char *)reader->bytes + *at,
                         .type = (dew_FieldType)head.type,
                         .components = (int)head.components,
                         .count = (int64_t)head.count,
                         .data = reader->bytes + *at + sizeof head};
    size_t size = dew_section_bytes(out);
    *at += sizeof head + size + padding_of(size);
    return true;
}

bool dew_sections_find(const dew_SectionReader *reader, const char *name, dew_Section *out)
{
    size_t at = sizeof(Head);
    while (next_section(reader, &at, out))
        if (strcmp(out->name, name) == 0)
            return true;
    return false;
}

/// Behind the head's checksum: the head is laid out alike in all formats, so a version that is not
/// known is no damage.
static dew_Status check_version(uint32_t version)
{
    if (version >= DEW_SECTIONS_OLDEST && version <= DEW_SECTIONS_VERSION)
        return dew_ok();
    bool is_newer = version > DEW_SECTIONS_VERSION;
    return dew_fail(DEW_BAD_INPUT,
                    "the saved state has format %u of %s version of Dew; this one, %s, reads %d to "
                    "%d (use %s version, or start the run anew)",
                    version, is_newer ? "a newer" : "an older", dew_version(), DEW_SECTIONS_OLDEST,
                    DEW_SECTIONS_VERSION, is_newer ? "that" : "the older");
}

static dew_Status open_head(dew_SectionReader *reader, const uint8_t *bytes, size_t size)
{
    Head head;
    if (size < sizeof head)
        return dew_fail(DEW_CORRUPT, "the saved state is cut off: %zu bytes", size);
    memcpy(&head, bytes, sizeof head);
    if (memcmp(head.magic, magic, sizeof magic) != 0)
        return dew_fail(DEW_CORRUPT, "this is not a saved state of Dew");
    if (head.checksum != head_checksum(head) || head.solver[sizeof head.solver - 1] != '\0')
        return dew_fail(DEW_CORRUPT, "the saved state is damaged in its header");
    DEW_TRY(check_version(head.version));
    if (head.size_bytes != size)
        return dew_fail(DEW_CORRUPT, "the saved state has %zu bytes instead of %llu", size,
                        (unsigned long long)head.size_bytes);
    *reader = (dew_SectionReader){.bytes = bytes,
                                  .size = size,
                                  .section_count = head.section_count,
                                  .scene_hash = head.scene_hash};
    memcpy(reader->solver, head.solver, sizeof head.solver);
    return dew_ok();
}

dew_Status dew_sections_open(dew_SectionReader *reader, const uint8_t *bytes, size_t size)
{
    DEW_TRY(open_head(reader, bytes, size));
    size_t at = sizeof(Head);
    uint32_t count = 0;
    for (; at < size; count++) {
        SectionHead head;
        const uint8_t *data;
        if (!read_section(bytes, size, &at, &head, &data) ||
            head.name[DEW_SECTION_NAME_SIZE - 1] != '\0')
            return dew_fail(DEW_CORRUPT, "the saved state is damaged in section %u", count + 1);
    }
    if (count != reader->section_count)
        return dew_fail(DEW_CORRUPT, "the saved state has %u sections instead of %u", count,
                        reader->section_count);
    return dew_ok();
}

dew_Status dew_sections_get(const dew_SectionReader *reader, const char *name, dew_FieldType type,
                            int components, int64_t count, dew_Section *out)
{
    if (!dew_sections_find(reader, name, out))
        return dew_fail(DEW_CORRUPT, "the saved state lacks its section %s", name);
    if (out->type != type || out->components != components || (count >= 0 && out->count != count))
        return dew_fail(DEW_CORRUPT, "section %s of the saved state is of another kind or length",
                        name);
    return dew_ok();
}

dew_Status dew_sections_copy(const dew_SectionReader *reader, const char *name, dew_FieldType type,
                             int components, int64_t count, void *to)
{
    dew_Section section = {0};
    DEW_TRY(dew_sections_get(reader, name, type, components, count, &section));
    if (section.data && count > 0)
        memcpy(to, section.data, dew_section_bytes(&section));
    return dew_ok();
}
