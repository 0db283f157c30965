// Mouse and keys.
//
// A movable solid is dragged along the surface it stands on: in the plane through the point where
// it was grabbed, normal to the nearest other solid, or parallel to the image where none is near.
// It follows no faster than two sizes of the domain per second.
//
// Pouring: on a dry solid a cap at the mean of the solid's contact angles; on liquid more of it, at
// most a twentieth of the drop at a time, or a sphere above it where the solver cannot feed drops.
#include "view/controls.h"

#include <math.h>

/// How much input changes.
static const struct {
    double angle_rad;       // per key: tilt of gravity, contact angles
    double wind_m_s;        // per key
    double tension_factor;  // per key
    double radius_factor;   // per key: of new drops
    double min_pace;        // over the wall clock's
    double max_pace;
    double fed_ratio;        // of a drop's volume that is fed at once, at most
    double pour_interval_s;  // of simulated time, while the button is held
} steps = {
    .angle_rad = DEW_DEG(5),
    .wind_m_s = 0.5,
    .tension_factor = 1.1,
    .radius_factor = 1.25,
    .min_pace = 1.0 / 64,
    .max_pace = 4,
    .fed_ratio = 0.05,
    .pour_interval_s = 0.1,
};

const char dew_controls_help[] = "right drag   turn the camera\n"
                                 "middle drag  move the camera\n"
                                 "wheel        zoom        c  as at the start\n"
                                 "left drag    move a movable solid\n"
                                 "left click   add a drop; hold to pour\n"
                                 "d D          smaller, larger drops\n"
                                 "arrows       tilt gravity   0  as at the start\n"
                                 "a A          contact angles -, +   m  next material\n"
                                 "t T          surface tension -, +\n"
                                 "w W          wind -, +\n"
                                 "space        pause    n  one frame\n"
                                 "- =          slower, faster\n"
                                 "r            restart\n"
                                 "p            image     v  record a video\n"
                                 "e            save all changes as a scene\n"
                                 "h i          help, figures   q  quit\n"
                                 "of a run: arrows, home, end, and the bar below";

// ---- rays --------------------------------------------------------------------------------------

static double domain_size_m(const dew_Controls *c)
{
    const dew_DomainDef *domain = &dew_scene_def(c->scene)->domain;
    return dew_v3_distance(domain->min_m, domain->max_m);
}

void dew_controls_init(dew_Controls *controls, dew_Session *session, dew_Renderer *renderer,
                       const dew_Scene *scene)
{
    *controls = (dew_Controls){.session = session,
                               .renderer = renderer,
                               .scene = scene,
                               .width_px = 1,
                               .height_px = 1,
                               .solid_id = DEW_INVALID,
                               .pace = 1,
                               .drop_radius_m = 2.5 * dew_scene_def(scene)->domain.cell_m};
}

// The ray under the pointer.
static void pointer_ray(const dew_Controls *c, dew_Vec3 *origin_m, dew_Vec3 *direction)
{
    dew_orbit_ray(&c->orbit, c->width_px, c->height_px, c->x_px, c->y_px, origin_m, direction);
}

// What is under the pointer, in and around the domain.
static dew_RenderHit pick(const dew_Controls *c, const dew_ViewState *instant)
{
    dew_RenderFrame frame = dew_view_state_frame(instant);
    dew_Vec3 origin_m, direction;
    pointer_ray(c, &origin_m, &direction);
    return dew_renderer_cast_ray(c->renderer, &frame, origin_m, direction,
                                 c->orbit.distance_m + 10 * domain_size_m(c));
}

// ---- pouring -----------------------------------------------------------------------------------

static double half_ball_m3(double radius_m)
{
    return 2.0 / 3 * DEW_PI * radius_m * radius_m * radius_m;
}

static dew_EventDef cap_event(const dew_Controls *c, const dew_RenderHit *hit)
{
    double angle = 0.5 * (hit->material.advancing_rad + hit->material.receding_rad);
    dew_EventDef event = dew_default_event_def(DEW_EVENT_CAP);
    event.point_m = hit->point_m;
    event.normal = hit->normal;
    event.volume_m3 = half_ball_m3(c->drop_radius_m);
    event.angle_rad = fmin(fmax(angle, DEW_DEG(20)), DEW_DEG(150));
    return event;
}

static dew_EventDef liquid_event(const dew_Controls *c, const dew_RenderHit *hit)
{
    double r = c->drop_radius_m;
    dew_EventDef event = dew_default_event_def(DEW_EVENT_DROP);
    if (dew_session_can_feed(c->session)) {
        event.kind = DEW_EVENT_FEED;
        event.point_m = dew_v3_add_scaled(hit->point_m, -0.125 * r, hit->normal);
        event.volume_m3 = fmin(half_ball_m3(r), steps.fed_ratio * hit->drop_volume_m3);
    } else {
        event.center_m = dew_v3_add_scaled(hit->point_m, 1.25 * r, hit->normal);
        event.radius_m = r;
    }
    return event;
}

static void pour(dew_Controls *c, const dew_ViewState *instant)
{
    dew_RenderHit hit = pick(c, instant);
    if (!hit.is_hit)
        return;
    bool is_liquid = hit.solid_id == DEW_INVALID;
    dew_EventDef event = is_liquid ? liquid_event(c, &hit) : cap_event(c, &hit);
    dew_session_apply(c->session, &event);
    c->next_pour_s = instant->time_s + steps.pour_interval_s;
}

// ---- dragging ----------------------------------------------------------------------------------

// Normal of the nearest other solid, if one lies within the size of the dragged one.
static dew_Vec3 find_guide(const dew_Controls *c, const dew_ViewState *instant,
                           const dew_RenderHit *grip, dew_Vec3 towards_camera)
{
    dew_RenderFrame frame = dew_view_state_frame(instant);
    dew_Vec3 min_m, max_m, normal = towards_camera;
    if (dew_renderer_solid_bounds(c->renderer, grip->solid_id, &min_m, &max_m).code != DEW_OK)
        return normal;
    double nearest_m = dew_v3_distance(min_m, max_m);
    for (int i = 0; i < dew_renderer_solid_count(c->renderer); i++) {
        dew_RenderHit near = dew_renderer_nearest(c->renderer, &frame, i, grip->point_m);
        if (i != grip->solid_id && fabs(near.distance_m) < nearest_m) {
            nearest_m = fabs(near.distance_m);
            normal = near.normal;
        }
    }
    return normal;
}

static bool is_movable(const dew_Controls *c, int solid_id)
{
    return solid_id >= 0 && solid_id < dew_scene_solid_count(c->scene) &&
           dew_scene_solid(c->scene, solid_id)->is_movable;
}

static bool grab_solid(dew_Controls *c, const dew_ViewState *instant)
{
    dew_RenderHit hit = pick(c, instant);
    if (!hit.is_hit || !is_movable(c, hit.solid_id))
        return false;
    dew_Vec3 forward = dew_orbit_forward(&c->orbit), towards_camera = dew_v3_scale(-1, forward);
    c->solid_id = hit.solid_id;
    c->grip_m = hit.point_m;
    c->grip_translate_m = instant->poses[hit.solid_id].translate_m;
    c->grip_normal = find_guide(c, instant, &hit, towards_camera);
    if (fabs(dew_v3_inner(c->grip_normal, forward)) < 0.125)  // the plane is seen nearly edge-on
        c->grip_normal = towards_camera;
    return true;
}

static void drag_solid(dew_Controls *c)
{
    dew_Vec3 origin_m, direction;
    pointer_ray(c, &origin_m, &direction);
    double slope = dew_v3_inner(direction, c->grip_normal);
    double along = dew_v3_inner(dew_v3_sub(c->grip_m, origin_m), c->grip_normal) / slope;
    if (!(along > 0) || !isfinite(along))
        return;
    dew_Vec3 to_m = dew_v3_add_scaled(origin_m, along, direction);
    dew_session_drag(c->session, c->solid_id,
                     dew_v3_add(c->grip_translate_m, dew_v3_sub(to_m, c->grip_m)),
                     2 * domain_size_m(c));
}

// ---- the mouse ---------------------------------------------------------------------------------

static void scrub(dew_Controls *c)
{
    int64_t count = dew_session_frame_count(c->session);
    double share = fmin(fmax(c->x_px / c->width_px, 0), 1);
    dew_session_pause(c->session, true);
    dew_session_seek(c->session, llround(share * (double)(count - 1)));
}

static void press(dew_Controls *c, int button, const dew_ViewState *instant)
{
    if (button == DEW_MOUSE_RIGHT)
        c->grip = DEW_GRIP_TURN;
    else if (button == DEW_MOUSE_MIDDLE)
        c->grip = DEW_GRIP_PAN;
    else if (!dew_session_is_live(c->session)) {
        if (c->y_px < c->height_px - c->bar_px)
            return;
        c->grip = DEW_GRIP_SCRUB;
        scrub(c);
    } else if (grab_solid(c, instant))
        c->grip = DEW_GRIP_SOLID;
    else {
        c->grip = DEW_GRIP_POUR;
        pour(c, instant);
    }
}

static void move(dew_Controls *c, double x_px, double y_px)
{
    double right = (x_px - c->x_px) / c->height_px, up = (c->y_px - y_px) / c->height_px;
    c->x_px = x_px;
    c->y_px = y_px;
    if (c->grip == DEW_GRIP_TURN)
        dew_orbit_turn(&c->orbit, right, -up);
    else if (c->grip == DEW_GRIP_PAN)
        dew_orbit_pan(&c->orbit, right, up);
    else if (c->grip == DEW_GRIP_SOLID)
        drag_solid(c);
    else if (c->grip == DEW_GRIP_SCRUB)
        scrub(c);
}

// ---- keys --------------------------------------------------------------------------------------

static void tilt(dew_Controls *c, double about_forward, double about_right)
{
    dew_Vec3 gravity = dew_scene_def(c->scene)->gravity_m_s2;
    c->tilt_rad[0] += about_forward;
    c->tilt_rad[1] += about_right;
    dew_Quaternion turn =
        dew_quaternion_times(dew_quaternion_about(c->orbit.forward, c->tilt_rad[0]),
                             dew_quaternion_about(c->orbit.right, c->tilt_rad[1]));
    dew_EventDef event = dew_default_event_def(DEW_EVENT_GRAVITY);
    event.gravity_m_s2 = dew_v3_rotate(turn, gravity);
    dew_session_apply(c->session, &event);
}

static void change_angles(dew_Controls *c, const dew_ViewState *instant, double by_rad)
{
    dew_EventDef event = dew_default_event_def(DEW_EVENT_MATERIAL);
    if (dew_scene_material_count(c->scene) == 0)
        return;
    const dew_MaterialDef *now = &instant->materials[c->material];
    (void)dew_scene_material(c->scene, c->material, &event.material);
    event.advancing_rad =
        fmin(fmax(now->advancing_rad + by_rad, steps.angle_rad), DEW_PI - steps.angle_rad);
    event.receding_rad =
        fmin(fmax(now->receding_rad + by_rad, steps.angle_rad), event.advancing_rad);
    event.wet_advancing_rad =
        fmin(fmax(now->wet_advancing_rad + by_rad, event.receding_rad), event.advancing_rad);
    dew_session_apply(c->session, &event);
}

static void change_tension(dew_Controls *c, const dew_ViewState *instant, double factor)
{
    dew_EventDef event = dew_default_event_def(DEW_EVENT_LIQUID);
    event.surface_tension_N_m = instant->surface_tension_N_m * factor;
    dew_session_apply(c->session, &event);
}

static void change_wind(dew_Controls *c, const dew_ViewState *instant, double by_m_s)
{
    dew_EventDef event = dew_default_event_def(DEW_EVENT_WIND);
    event.wind_m_s = dew_v3_add(instant->wind_m_s, dew_v3(by_m_s, 0, 0));
    dew_session_apply(c->session, &event);
}

static void set_pace(dew_Controls *c, double pace)
{
    c->pace = fmin(fmax(pace, steps.min_pace), steps.max_pace);
    dew_session_set_speed(c->session, c->pace);
}

static void reset_camera(dew_Controls *c)
{
    dew_CameraDef home = c->orbit.home;
    dew_orbit_begin(&c->orbit, &home);
}

// Arrows and what goes with them.
static bool press_arrow(dew_Controls *c, int key)
{
    bool is_live = dew_session_is_live(c->session);
    double sideways = key == DEW_INPUT_RIGHT ? 1 : key == DEW_INPUT_LEFT ? -1 : 0;
    double upward = key == DEW_INPUT_UPWARD ? 1 : key == DEW_INPUT_DOWNWARD ? -1 : 0;
    if (key == DEW_INPUT_HOME || key == DEW_INPUT_END) {
        if (!is_live)
            dew_session_seek(c->session, key == DEW_INPUT_HOME ? 0 : INT64_MAX);
        return true;
    }
    if (sideways == 0 && upward == 0)
        return false;
    if (is_live)
        tilt(c, -sideways * steps.angle_rad, upward * steps.angle_rad);
    else
        dew_session_step(c->session, (int)sideways + 10 * (int)upward);
    return true;
}

static void change_value(dew_Controls *c, int key, double sign, const dew_ViewState *instant)
{
    if (key == 'd')
        c->drop_radius_m *= pow(steps.radius_factor, sign);
    if (!dew_session_is_live(c->session))
        return;
    if (key == 'a')
        change_angles(c, instant, sign * steps.angle_rad);
    else if (key == 't')
        change_tension(c, instant, pow(steps.tension_factor, sign));
    else if (key == 'w')
        change_wind(c, instant, sign * steps.wind_m_s);
    else if (key == '0')
        tilt(c, -c->tilt_rad[0], -c->tilt_rad[1]);
}

static void restart(dew_Controls *c)
{
    c->tilt_rad[0] = c->tilt_rad[1] = 0;
    dew_session_restart(c->session);
}

static void press_key(dew_Controls *c, const dew_Input *input, const dew_ViewState *instant)
{
    int materials = dew_scene_material_count(c->scene);
    if (press_arrow(c, input->key))
        return;
    switch (input->key) {
    case 'q':
    case DEW_INPUT_ESCAPE:
        c->wishes.quits = true;
        break;
    case ' ':
        dew_session_pause(c->session, !dew_session_is_paused(c->session));
        break;
    case 'n':
        dew_session_step(c->session, 1);
        break;
    case '-':
    case '=':
        set_pace(c, input->key == '-' ? c->pace / 2 : c->pace * 2);
        break;
    case 'r':
        restart(c);
        break;
    case 'h':
        c->shows_help = !c->shows_help;
        break;
    case 'i':
        c->hides_figures = !c->hides_figures;
        break;
    case 'c':
        reset_camera(c);
        break;
    case 'm':
        c->material = materials > 0 ? (c->material + 1) % materials : 0;
        break;
    case 'p':
        c->wishes.saves_image = true;
        break;
    case 'v':
        c->wishes.turns_recording = true;
        break;
    case 'e':
        c->wishes.saves_scene = true;
        break;
    default:
        change_value(c, input->key, input->has_shift ? 1 : -1, instant);
        break;
    }
}

// ---- all of it ---------------------------------------------------------------------------------

void dew_controls_input(dew_Controls *controls, const dew_Input *input,
                        const dew_ViewState *instant)
{
    switch (input->kind) {
    case DEW_INPUT_QUIT:
        controls->wishes.quits = true;
        break;
    case DEW_INPUT_KEY:
        press_key(controls, input, instant);
        break;
    case DEW_INPUT_DOWN:
        move(controls, input->x_px, input->y_px);
        press(controls, input->button, instant);
        break;
    case DEW_INPUT_UP:
        move(controls, input->x_px, input->y_px);
        controls->grip = DEW_GRIP_NONE;
        break;
    case DEW_INPUT_MOVE:
        move(controls, input->x_px, input->y_px);
        break;
    case DEW_INPUT_WHEEL:
        dew_orbit_zoom(&controls->orbit, input->wheel);
        break;
    default:
        break;
    }
}

void dew_controls_tick(dew_Controls *controls, const dew_ViewState *instant)
{
    if (controls->grip == DEW_GRIP_POUR && instant->time_s >= controls->next_pour_s)
        pour(controls, instant);
}
