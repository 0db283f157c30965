/// How much zlib can make of a file: what a file declares is compared with it before memory is
/// taken.
#pragma once

#define DEW_INFLATE_MAX_RATIO                                                                      \
    1032  // bytes out per byte in: a code of 2 bits for 258 bytes [Deutsch1996]
