/// Live pictures of a world, as `dew view` draws them, and what each part of them costs.
#pragma once

#include "base/tasks.h"
#include "problem/problem.h"
#include "surface/surface.h"

/// Parts of a frame, in order.
typedef enum dew_LivePart {
    DEW_LIVE_PICTURE,  // from solids and surface to what is drawn
    DEW_LIVE_BUFFERS,  // to the vertex buffers
    DEW_LIVE_LAMPS,    // shadow maps, light through the liquid
    DEW_LIVE_SOLIDS,
    DEW_LIVE_SIDES,
    DEW_LIVE_LIQUID,
    DEW_LIVE_SHOW,  // for a screen
    DEW_LIVE_PART_COUNT
} dew_LivePart;

extern const char *const dew_live_part_names[DEW_LIVE_PART_COUNT];

typedef struct dew_Live dew_Live;

/// For pictures of width_px by height_px; of what the scene's camera shows. On the calling thread a context
/// is made current only inside these calls: any thread may call, one at a time. DEW_UNSUPPORTED
/// without OpenGL.
dew_Status dew_live_create(const dew_Problem *problem, dew_Tasks *tasks, int width_px,
                           int height_px, dew_Live **out);
void dew_live_destroy(dew_Live *live);

/// Draws a frame to its end. cpu_s: CPU seconds of the process by part, added to (NULL: nobody asks, and
/// parts need not wait for one another).
dew_Status dew_live_draw(dew_Live *live, const dew_Moment *moment, const dew_Surface *surface,
                         double cpu_s[DEW_LIVE_PART_COUNT]);
int64_t dew_live_triangle_count(const dew_Live *live);  // of the liquid, of the last frame
/// Moves the camera sideways by a part of its distance.
void dew_live_move_camera(dew_Live *live, double part);
