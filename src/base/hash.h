/// Content hash: XXH3, 64 bits (xxHash). For checksums and determinism, not against malice.
#pragma once

#include "dew/tasks.h"
