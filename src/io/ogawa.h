/// Ogawa, the container of Alembic files: a tree of groups whose leaves are blocks of bytes
/// [Alembic2011].
///
/// Little endian throughout. The file begins with "Ogawa", a byte that is 0xff once the file is
/// whole, the version 0 1, and the 64-bit position of the root. A block is its 64-bit size and its
/// bytes; a group is its 64-bit number of children and a reference to each. A reference is the
/// child's position; its top bit is set for a block. An empty group is reference 0, an empty block
/// the top bit alone; neither has a place in the file. Children come before their group, so that a
/// writer needs to go back for the root's position only.
#pragma once

#include "io/sink.h"

#define DEW_OGAWA_EMPTY_GROUP ((uint64_t)0)
#define DEW_OGAWA_EMPTY_BLOCK ((uint64_t)1 << 63)
enum { DEW_OGAWA_HEAD_BYTES = 16 };

typedef struct dew_Ogawa {
    dew_Sink *sink;
    uint64_t size_bytes;  // written so far
} dew_Ogawa;

void dew_ogawa_begin(dew_Ogawa *ogawa, dew_Sink *sink);
/// A block of two pieces, of which each may be empty; returns its reference. Failures are the
/// sink's.
uint64_t dew_ogawa_block(dew_Ogawa *ogawa, const void *head, size_t head_size, const void *body,
                         size_t body_size);
uint64_t dew_ogawa_group(dew_Ogawa *ogawa, const uint64_t *children, int64_t count);
/// States the root, and that the file is whole.
void dew_ogawa_end(dew_Ogawa *ogawa, uint64_t root);
