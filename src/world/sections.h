/// Sections: the byte format of a saved state and of the checkpoint file.
///
/// A header, then named arrays of plain numbers, each with a checksum over its own header, its data
/// and its padding. Any flipped bit, any missing or additional byte is detected before a value is
/// used. Numbers are little-endian as in memory. Layout and reasons: docs/decisions/checkpoint.md.
///
/// Writing goes twice over the same data, first to learn the size, then into a sink, so that a
/// state is never held in memory a second time.
#pragma once

#include "solvers/solver.h"

// The format that is written, and the oldest that is read. The policy, and when to count up:
// docs/decisions/checkpoint.md.
#define DEW_SECTIONS_VERSION   3
#define DEW_SECTIONS_OLDEST    DEW_SECTIONS_VERSION
#define DEW_SECTION_NAME_SIZE  32
#define DEW_SECTION_ALIGNMENT  sizeof(double)
#define DEW_SECTIONS_HEAD_SIZE 64

/// Where bytes go.
typedef struct dew_SectionWriter {
    void (*put)(void *context, const void *data, size_t size);  // NULL: only counts
    void *context;
    uint64_t size_bytes;  // header included
    uint32_t section_count;
} dew_SectionWriter;

size_t dew_field_type_size(dew_FieldType type);

/// A writer that only counts.
dew_SectionWriter dew_sections_counter(void);
/// A writer whose header has the totals of a counting pass.
dew_SectionWriter dew_sections_begin(const dew_SectionWriter *counted, uint64_t scene_hash,
                                     const char *solver,
                                     void (*put)(void *context, const void *data, size_t size),
                                     void *context);
void dew_sections_add(dew_SectionWriter *writer, const char *name, dew_FieldType type,
                      int components, const void *data, int64_t count);

typedef struct dew_Section {
    const char *name;
    dew_FieldType type;
    int components;
    int64_t count;        // elements of `components` numbers
    const uint8_t *data;  // not aligned
} dew_Section;

/// Bytes that have passed every check.
typedef struct dew_SectionReader {
    const uint8_t *bytes;
    size_t size;
    uint32_t section_count;
    uint64_t scene_hash;
    char solver[24];
} dew_SectionReader;

/// Checks all of it: magic, lengths, names, types, checksums. Allocates nothing. DEW_CORRUPT:
/// damaged; DEW_BAD_INPUT: whole, but of a format that this version does not read.
dew_Status dew_sections_open(dew_SectionReader *reader, const uint8_t *bytes, size_t size);
/// The section of that name.
bool dew_sections_find(const dew_SectionReader *reader, const char *name, dew_Section *out);
/// Finds a section and checks that it is what is expected; count < 0: any.
dew_Status dew_sections_get(const dew_SectionReader *reader, const char *name, dew_FieldType type,
                            int components, int64_t count, dew_Section *out);
/// The same for a section of known length, copied to `to`.
dew_Status dew_sections_copy(const dew_SectionReader *reader, const char *name, dew_FieldType type,
                             int components, int64_t count, void *to);
size_t dew_section_bytes(const dew_Section *section);
