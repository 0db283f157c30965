/// Controls: what mouse and keys mean. Turns input into a camera, calls on the session, and
/// requests to the view.
#pragma once

#include "view/input.h"
#include "view/orbit.h"
#include "view/session.h"

/// What the view is to do, once each.
typedef struct dew_Wishes {
    bool quits, saves_image, turns_recording, saves_scene;
} dew_Wishes;

typedef enum dew_Grip {
    DEW_GRIP_NONE,
    DEW_GRIP_TURN,   // right button: the camera goes around
    DEW_GRIP_PAN,    // middle button: the camera moves along
    DEW_GRIP_SOLID,  // left button on a movable solid
    DEW_GRIP_POUR,   // left button elsewhere
    DEW_GRIP_SCRUB,  // left button on the bar of a run
} dew_Grip;

typedef struct dew_Controls {
    dew_Session *session;
    dew_Renderer *renderer;
    const dew_Scene *scene;
    dew_Orbit orbit;
    int width_px, height_px;
    int bar_px;  // height of the bar of a run; 0: live
    dew_Grip grip;
    double x_px, y_px;  // of the mouse
    // A dragged solid moves in the plane through the point where it was grabbed.
    int solid_id;
    dew_Vec3 grip_m, grip_normal, grip_translate_m;
    double next_pour_s;
    // Values that keys change:
    double drop_radius_m;
    double pace;
    double tilt_rad[2];  // of gravity: about the view's forward and right axis
    int material;        // whose angles keys change
    bool shows_help, hides_figures;
    dew_Wishes wishes;
} dew_Controls;

void dew_controls_init(dew_Controls *controls, dew_Session *session, dew_Renderer *renderer,
                       const dew_Scene *scene);
/// Input, with the instant that is being looked at.
void dew_controls_input(dew_Controls *controls, const dew_Input *input,
                        const dew_ViewState *instant);
/// Once per image: what a held button does.
void dew_controls_tick(dew_Controls *controls, const dew_ViewState *instant);

extern const char dew_controls_help[];  // lines
