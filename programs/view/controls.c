// Mouse and keys.
//
// A movable solid is dragged along what it stands on: in the plane through the place where it was taken, at
// right angles to the normal of the nearest other solid, or facing the camera where there is none near. It
// follows no faster than twice the domain's size in a second.
//
// Pouring: on a bare solid a cap that rests at the mean of the solid's angles; on liquid more of it, by at
// most a twentieth of the drop at a time, or a ball from above where the solver cannot feed.
#include "view/controls.h"

#include "problem/events.h"
#include "view/pick.h"
#include "world/solver_table.h"

#include <math.h>
#include <string.h>

#define POURS_PER_S  10.0        // of simulated time, while the button is held
#define FED          0.05        // of a drop's volume at once
#define TILT         DEW_DEG(5)  // per key
#define ANGLE        DEW_DEG(5)
#define WIND         0.5  // m/s per key
#define TENSION      1.1  // per key
#define LARGER       1.25
#define SLOWEST      (1.0 / 64)
#define FASTEST      4.0
#define DRAG_SIZES_S 2.0  // sizes of the domain per second
#define NEAR_SIZES   1.0  // of the solid, within which another solid guides it

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
                                 "p            picture   v  record a film\n"
                                 "e            save what was done as a scene\n"
                                 "h i          help, figures   q  quit\n"
                                 "of a run: arrows, home, end, and the bar below";

// ---- sizes -------------------------------------------------------------------------------------

static double domain_size(const dew_Controls *c)
{
    dew_Box box = dew_problem_domain(c->problem);
    return dew_distance(box.min, box.max);
}

void dew_controls_init(dew_Controls *controls, dew_Session *session, const dew_Problem *problem,
                       const dew_Scene *scene)
{
    *controls = (dew_Controls){.session = session,
                               .problem = problem,
                               .scene = scene,
                               .width_px = 1,
                               .height_px = 1,
                               .solid_id = DEW_INVALID,
                               .pace = 1,
                               .drop_radius_m = 2.5 * dew_scene_def(scene)->domain.cell_m};
}

static dew_Pick pick_at(const dew_Controls *c, const dew_Instant *instant)
{
    static const double middle[2] = {0, 0};
    dew_Camera camera = dew_orbit_camera(&c->orbit, c->width_px, c->height_px);
    dew_Moment moment = dew_instant_moment(instant);
    dew_Vec3 origin, direction;
    camera.lens_radius_m = 0;
    dew_camera_ray(&camera, c->x_px, c->y_px, middle, &origin, &direction);
    return dew_pick(c->problem, &moment, instant->surface, origin, direction,
                    c->orbit.distance_m + 10 * domain_size(c));
}

// ---- pouring -----------------------------------------------------------------------------------

static dew_EventDef cap_event(const dew_Controls *c, const dew_Instant *instant,
                              const dew_Pick *pick)
{
    dew_Moment moment = dew_instant_moment(instant);
    dew_MaterialDef material =
        dew_problem_material(c->problem, &moment, pick->solid_id, pick->point_m);
    double angle = 0.5 * (material.advancing_rad + material.receding_rad), r = c->drop_radius_m;
    dew_EventDef event = dew_default_event_def(DEW_EVENT_CAP);
    event.point_m = pick->point_m;
    event.normal = pick->normal;
    event.volume_m3 = 2.0 / 3 * DEW_PI * r * r * r;
    event.angle_rad = fmin(fmax(angle, DEW_DEG(20)), DEW_DEG(150));
    return event;
}

static dew_EventDef liquid_event(const dew_Controls *c, const dew_Pick *pick)
{
    const dew_SolverOps *ops = dew_solver_ops(dew_scene_def(c->scene)->solver);
    double r = c->drop_radius_m, volume = 2.0 / 3 * DEW_PI * r * r * r;
    dew_EventDef event = dew_default_event_def(DEW_EVENT_DROP);
    if (ops && ops->feed) {
        event.kind = DEW_EVENT_FEED;
        event.point_m = dew_add_scaled(pick->point_m, -0.1 * r, pick->normal);
        event.volume_m3 = fmin(volume, FED * pick->drop_volume_m3);
    } else {
        event.center_m = dew_add_scaled(pick->point_m, 1.2 * r, pick->normal);
        event.radius_m = r;
    }
    return event;
}

static void pour(dew_Controls *c, const dew_Instant *instant)
{
    dew_Pick pick = pick_at(c, instant);
    if (!pick.is_hit)
        return;
    dew_EventDef event = pick.is_liquid ? liquid_event(c, &pick) : cap_event(c, instant, &pick);
    dew_session_apply(c->session, &event);
    c->next_pour_s = instant->time_s + 1 / POURS_PER_S;
}

// ---- dragging ----------------------------------------------------------------------------------

// What guides it: the nearest other solid, if one is near.
static dew_Vec3 find_guide(const dew_Controls *c, const dew_Moment *moment, int solid_id,
                           dew_Vec3 grip_m, dew_Vec3 towards_camera)
{
    dew_Box box = dew_problem_solid_box(c->problem, solid_id);
    double nearest = NEAR_SIZES * dew_distance(box.min, box.max);
    dew_Vec3 normal = towards_camera;
    for (int i = 0; i < dew_problem_solid_count(c->problem); i++) {
        if (i == solid_id)
            continue;
        dew_SolidPoint point = dew_problem_solid_nearest(c->problem, moment, i, grip_m);
        if (fabs(point.distance_m) < nearest) {
            nearest = fabs(point.distance_m);
            normal = point.normal;
        }
    }
    return normal;
}

static bool take_solid(dew_Controls *c, const dew_Instant *instant)
{
    dew_Pick pick = pick_at(c, instant);
    if (!pick.is_hit || pick.is_liquid || !dew_problem_solid_is_movable(c->problem, pick.solid_id))
        return false;
    dew_Moment moment = dew_instant_moment(instant);
    dew_Camera camera = dew_orbit_camera(&c->orbit, c->width_px, c->height_px);
    c->solid_id = pick.solid_id;
    c->grip_m = pick.point_m;
    c->grip_translate_m = instant->poses[pick.solid_id].translate_m;
    c->grip_normal =
        find_guide(c, &moment, pick.solid_id, pick.point_m, dew_scale(-1, camera.forward));
    if (fabs(dew_inner(c->grip_normal, camera.forward)) < 0.1)  // seen from the side
        c->grip_normal = dew_scale(-1, camera.forward);
    return true;
}

static void drag_solid(dew_Controls *c)
{
    static const double middle[2] = {0, 0};
    dew_Camera camera = dew_orbit_camera(&c->orbit, c->width_px, c->height_px);
    dew_Vec3 origin, direction;
    camera.lens_radius_m = 0;
    dew_camera_ray(&camera, c->x_px, c->y_px, middle, &origin, &direction);
    double slope = dew_inner(direction, c->grip_normal);
    double along = dew_inner(dew_sub(c->grip_m, origin), c->grip_normal) / slope;
    if (!(along > 0) || !isfinite(along))
        return;
    dew_Vec3 to = dew_add_scaled(origin, along, direction);
    dew_session_drag(c->session, c->solid_id, dew_add(c->grip_translate_m, dew_sub(to, c->grip_m)),
                     DRAG_SIZES_S * domain_size(c));
}

// ---- the mouse ---------------------------------------------------------------------------------

static void scrub(dew_Controls *c)
{
    int64_t count = dew_session_frame_count(c->session);
    double share = fmin(fmax(c->x_px / c->width_px, 0), 1);
    dew_session_pause(c->session, true);
    dew_session_seek(c->session, llround(share * (double)(count - 1)));
}

static void press(dew_Controls *c, int button, const dew_Instant *instant)
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
    } else if (take_solid(c, instant))
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
    const dew_Camera *home = &c->orbit.home;
    c->tilt_rad[0] += about_forward;
    c->tilt_rad[1] += about_right;
    dew_Rotation turn = dew_rotation_times(dew_rotation_about(home->forward, c->tilt_rad[0]),
                                           dew_rotation_about(home->right, c->tilt_rad[1]));
    dew_EventDef event = dew_default_event_def(DEW_EVENT_GRAVITY);
    event.gravity_m_s2 = dew_rotate(turn, gravity);
    dew_session_apply(c->session, &event);
}

static void change_angles(dew_Controls *c, const dew_Instant *instant, double by_rad)
{
    dew_EventDef event = dew_default_event_def(DEW_EVENT_MATERIAL);
    if (dew_scene_material_count(c->scene) == 0)
        return;
    const double *angles = instant->values + 1 + (ptrdiff_t)3 * c->material;
    (void)dew_scene_material(c->scene, c->material, &event.material);
    event.advancing_rad = fmin(fmax(angles[0] + by_rad, DEW_DEG(5)), DEW_DEG(175));
    event.receding_rad = fmin(fmax(angles[1] + by_rad, DEW_DEG(5)), event.advancing_rad);
    event.wet_advancing_rad =
        fmin(fmax(angles[2] + by_rad, event.receding_rad), event.advancing_rad);
    dew_session_apply(c->session, &event);
}

static void change_tension(dew_Controls *c, const dew_Instant *instant, double factor)
{
    dew_EventDef event = dew_default_event_def(DEW_EVENT_LIQUID);
    event.surface_tension_N_m = instant->values[0] * factor;
    dew_session_apply(c->session, &event);
}

static void change_wind(dew_Controls *c, const dew_Instant *instant, double by_m_s)
{
    dew_EventDef event = dew_default_event_def(DEW_EVENT_WIND);
    event.wind_m_s = dew_add(instant->wind_m_s, dew_vec(by_m_s, 0, 0));
    dew_session_apply(c->session, &event);
}

static void set_pace(dew_Controls *c, double pace)
{
    c->pace = fmin(fmax(pace, SLOWEST), FASTEST);
    dew_session_set_speed(c->session, c->pace);
}

static void turn_camera_back(dew_Controls *c)
{
    dew_Camera home = c->orbit.home;
    dew_orbit_begin(&c->orbit, &home, home.focus_m);
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
        tilt(c, -sideways * TILT, upward * TILT);
    else
        dew_session_step(c->session, (int)sideways + 10 * (int)upward);
    return true;
}

static void change_value(dew_Controls *c, int key, double sign, const dew_Instant *instant)
{
    if (key == 'd')
        c->drop_radius_m *= sign > 0 ? LARGER : 1 / LARGER;
    if (!dew_session_is_live(c->session))
        return;
    if (key == 'a')
        change_angles(c, instant, sign * ANGLE);
    else if (key == 't')
        change_tension(c, instant, sign > 0 ? TENSION : 1 / TENSION);
    else if (key == 'w')
        change_wind(c, instant, sign * WIND);
    else if (key == '0')
        tilt(c, -c->tilt_rad[0], -c->tilt_rad[1]);
}

static void restart(dew_Controls *c)
{
    c->tilt_rad[0] = c->tilt_rad[1] = 0;
    dew_session_restart(c->session);
}

static void press_key(dew_Controls *c, const dew_Input *input, const dew_Instant *instant)
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
        turn_camera_back(c);
        break;
    case 'm':
        c->material = materials > 0 ? (c->material + 1) % materials : 0;
        break;
    case 'p':
        c->wishes.takes_picture = true;
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

void dew_controls_input(dew_Controls *controls, const dew_Input *input, const dew_Instant *instant)
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

void dew_controls_tick(dew_Controls *controls, const dew_Instant *instant)
{
    if (controls->grip == DEW_GRIP_POUR && instant->time_s >= controls->next_pour_s)
        pour(controls, instant);
}
