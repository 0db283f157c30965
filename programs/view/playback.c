// A finished run as a session: the thread reads frames as they are due, or as the user scrubs.
#include "support/system.h"
#include "view/session_state.h"

#include <math.h>

static void set_values(const dew_Session *session, dew_ViewState *instant)
{
    const dew_Scene *scene = session->def.scene;
    const dew_SceneDef *def = dew_scene_def(scene);
    instant->surface_tension_N_m = def->liquid.surface_tension_N_m;
    instant->gravity_m_s2 = def->gravity_m_s2;
    instant->wind_m_s = def->wind_m_s;
    for (int i = 0; i < dew_scene_material_count(scene); i++)
        instant->materials[i] = *dew_scene_material(scene, i, NULL);
}

static dew_Status show_frame(dew_Session *session, int64_t index, bool is_step)
{
    dew_ViewState *instant = dew_triple_buffer_begin(&session->buffer);
    int64_t frame = dew_run_reader_frame(session->reader, index);
    DEW_TRY(dew_run_reader_surface(session->reader, frame, instant->surface));
    instant->time_s = dew_scene_frame_time_s(session->def.scene, frame);
    instant->frame = frame;
    set_values(session, instant);
    instant->stats = (dew_Stats){.time_s = instant->time_s,
                                 .drops = dew_surface_piece_count(instant->surface),
                                 .volume_m3 = dew_surface_volume_m3(instant->surface),
                                 .volume_error = (double)NAN,
                                 .elements = dew_surface_triangle_count(instant->surface)};
    instant->frames_per_s = is_step ? dew_session_rate(session) : 0;
    session->frame = index;
    dew_session_hand_over(session, instant);
    return dew_ok();
}

dew_Status dew_session_open_run(dew_Session *session)
{
    dew_SurfaceFormat format = dew_scene_def(session->def.scene)->output.surface;
    const char *directory = session->def.directory;
    if (format == DEW_SURFACE_NONE)
        return dew_fail(DEW_BAD_INPUT, "%.300s: the run wrote no surfaces (output.surface: none)",
                        directory);
    dew_RunReaderDef def = dew_default_run_reader_def();
    def.directory = directory;
    DEW_TRY(dew_run_reader_create(&def, &session->reader));
    if (dew_run_reader_frame_count(session->reader) == 0)
        return dew_fail(DEW_BAD_INPUT, "%.300s: there are no frames to show", directory);
    return show_frame(session, 0, false);
}

// The frame to show next; the present one: none. With the lock held.
static int64_t next_frame(dew_Session *session)
{
    int64_t last = dew_session_frame_count(session) - 1, wanted = session->frame;
    bool is_held = session->waits && session->looked_serial < session->serial;
    if (session->seek != DEW_INVALID) {
        wanted = session->seek;
        session->seek = DEW_INVALID;
    } else if (session->steps != 0) {
        wanted += session->steps;
        session->steps = 0;
    } else if (!session->is_paused && !is_held &&
               (session->waits || dew_app_wall_s() >= session->due_s)) {
        wanted++;
        double rate_Hz = dew_scene_def(session->def.scene)->frame_rate_Hz;
        session->due_s = fmax(session->due_s + 1 / (rate_Hz * session->pace), dew_app_wall_s());
        if (wanted > last)
            session->is_paused = true;  // at the end
    }
    return wanted < 0 ? 0 : wanted > last ? last : wanted;
}

void dew_session_play(dew_Session *session)
{
    while (!session->stops) {
        pthread_mutex_lock(&session->lock);
        session->is_at_work = false;
        if (session->seek == DEW_INVALID && session->steps == 0)
            dew_session_wait(session);
        session->is_at_work = true;
        bool was_playing = !session->is_paused;
        int64_t wanted = next_frame(session);
        pthread_mutex_unlock(&session->lock);
        if (wanted == session->frame || session->stops)
            continue;
        dew_Status status = show_frame(session, wanted, was_playing);
        if (status.code != DEW_OK) {
            dew_session_say(session, status.message);
            dew_session_pause(session, true);
        }
    }
}
