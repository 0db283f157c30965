/// Frames per second of videos.
#pragma once

#define DEW_MAX_VIDEO_RATE_HZ 60.0  // what players and screens show
