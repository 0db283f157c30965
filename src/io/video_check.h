/// Is a video that another program wrote whole? Encoders can fail to write and still say that all
/// is well.
///
/// Reads the structure only: MP4 and QuickTime boxes (ISO/IEC 14496-12), Matroska and WebM elements
/// (RFC 8794, RFC 9559). It must fill the file to its last byte, have its index, and hold each
/// image. Encoders write the index (in Matroska: the segment's size) last, and write nothing after
/// a write that failed; so a file that passes holds all that was written.
#pragma once

#include "dew/base.h"

/// `fd`: open for reading, its position is not used. DEW_IO with a sentence that begins with
/// `path`.
dew_Status dew_video_check(int fd, const char *path, int64_t image_count);
