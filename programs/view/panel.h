/// The text over the image: figures and values.
#pragma once

#include "view/controls.h"
#include "view/triple_buffer.h"

typedef struct dew_Figures {
    double image_s;  // that an image takes, smoothed; 0: not known yet
    bool is_recording;
    char message[256];
    double message_s;  // wall clock, when it was said
} dew_Figures;

void dew_panel_figures(const dew_Figures *figures, const dew_Controls *controls,
                       const dew_ViewState *instant, char *out, size_t size);
/// One line for programs: time, frame, drops, triangles, volume, volume error.
void dew_panel_line(const dew_ViewState *instant, char *out, size_t size);
/// How far a run that is played back has gone, 0..1.
double dew_panel_progress(const dew_ViewState *instant, const dew_Scene *scene);
