// Which drops of one frame became which of the next.
//
// 0. Likeness. Two drops of the same volume, each the best for the other, one of them where the
//    other must be by the mean of their velocities: that is one drop. Nearly all are found here.
// 1. Votes. Each point of another old drop is moved on by its velocity and votes for the new drop
//    whose surface it comes to lie in or near; each point of a new drop is moved back and votes for
//    the old drop that it came out of. Of many points some hundred do. A third of the votes of
//    either makes a link: so a small drop that merges with a large one, or splits from it, is found
//    by its own votes, and two that merely pass each other are not linked by a few outliers.
// 2. Volume. Where the volumes of linked drops do not balance, and do when one drop at the end of a
//    link is left out, the link goes: the drop came from a source, or left, beside another one.
// 3. Paths. Drops without a link have not moved at constant velocity (they hit a wall, or broke
//    up). Drops near their path at that velocity are linked where the volumes balance then (also
//    with drops that have a link, but not all of their volume); else only where they touch.
// 4. Crossing paths. A drop that broke up at a wall and the pieces thrown off it have both left
//    their paths: a piece still without a link goes to a drop that lacks volume and whose path
//    crosses its own.
//
// Inside and outside are decided by the tangent plane at the nearest point. All searches go through
// trees: O(n log n) for n points.
#include "surface/drop_match.h"

#include "base/status.h"
#include "base/union_find.h"
#include "surface/point_tree.h"

#define VOLUME_TOLERANCE 0.01  // relative change of a drop's volume between frames that is no event
#define MIN_VOLUME_RATIO 1e-3  // of a smaller drop to a larger one whose change of volume shows it
#define MAX_OFFSET       0.75  // radii between a drop and where it is expected to be
#define MAX_WINNERS      3     // of a vote: each has a third of the votes
#define VOTE_REACH       0.5   // radii of the voter
#define MOST_VOTERS      256   // points of a drop that vote: a third of them is so within 3 %
#define TOUCH            0.3   // height over another's surface that still touches, in radii
#define PATH_TOLERANCE   0.05  // of volumes, in volumes of the drop on its path
#define PATH_STEPS       12
#define PATH_LENGTH      1.5  // of the displacement at constant velocity
#define PATH_POINTS      24   // of a drop that are followed along its path

// One side of the comparison: a frame, its tree, and what is derived per drop.
typedef struct Side {
    const dew_DropFrame *frame;
    dew_PointTree tree;
    double dt;        // to the other frame
    int64_t *first;   // points of drop d: first[d]..first[d + 1]
    double *radius;   // of the ball of its volume
    double *spacing;  // between its points
    int32_t *degree;  // its links
    int32_t *like;    // the drop of the other side that it is; DEW_INVALID: not known
    double *unlike;   // distance from it, in radii
    int32_t *votes;   // for it; zero between counts
    int32_t *ballot;  // of each point: the drop of the other side voted for
} Side;

typedef struct Match {
    Side before, after;
    dew_DropLink *links;
    int64_t link_count;
    int64_t *first_link;  // of old drop d, when all votes of the old are counted
    int32_t *root;        // union-find over the drops of both sides, the old first
    double *balance;      // of each root: old volume less new
    double *total;        // of each root: the larger of the two
    int64_t *worst;       // of each root: link to be cut; DEW_INVALID: none
    double *misfit;       // then left
} Match;

// ---- sides --------------------------------------------------------------------------------------

static double ball_radius(double volume)
{
    return cbrt(fabs(volume) * 3 / (4 * DEW_PI));
}

static dew_Status make_side(Side *side, const dew_DropFrame *frame, double dt, dew_Arena *scratch)
{
    int64_t n = frame->drop_count;
    side->frame = frame;
    side->dt = dt;
    side->first = dew_arena_array(scratch, int64_t, n + 1);
    side->radius = dew_arena_array(scratch, double, n);
    side->spacing = dew_arena_array(scratch, double, n);
    side->degree = dew_arena_array(scratch, int32_t, n);
    side->like = dew_arena_array(scratch, int32_t, n);
    side->unlike = dew_arena_array(scratch, double, n);
    side->votes = dew_arena_array(scratch, int32_t, n);
    side->ballot = dew_arena_array(scratch, int32_t, frame->point_count);
    if (!side->first || !side->radius || !side->spacing || !side->degree || !side->like ||
        !side->unlike || !side->votes || !side->ballot)
        return dew_no_memory((size_t)(44 * n + 4 * frame->point_count));
    for (int64_t i = 0; i < frame->point_count; i++)
        side->first[frame->points[i].drop + 1]++;
    for (int64_t d = 0; d < n; d++) {
        double point_count = fmax(1, (double)side->first[d + 1]);
        side->first[d + 1] += side->first[d];
        side->radius[d] = ball_radius(frame->drops[d].volume_m3);
        side->spacing[d] = sqrt(frame->drops[d].area_m2 / point_count);
    }
    return dew_ok();
}

static dew_Status build_tree(Side *side, dew_Arena *scratch)
{
    int64_t count = side->frame->point_count;
    dew_Vec3 *at = dew_arena_array(scratch, dew_Vec3, count);
    if (!at)
        return dew_no_memory((size_t)count * sizeof(dew_Vec3));
    for (int64_t i = 0; i < count; i++)
        at[i] = side->frame->points[i].position_m;
    return dew_point_tree_build(&side->tree, at, count, scratch);
}

static dew_Vec3 point_velocity(const dew_DropPoint *point)
{
    return dew_vec((double)point->velocity_m_s[0], (double)point->velocity_m_s[1],
                   (double)point->velocity_m_s[2]);
}

// Index of the nearest point of a side; DEW_INVALID: it has none.
static int64_t nearest_point(const Side *side, dew_Vec3 p, double *distance)
{
    int64_t i;
    double distance2;
    if (dew_point_tree_nearest(&side->tree, p, HUGE_VAL, 1, &i, &distance2) == 0)
        return DEW_INVALID;
    *distance = sqrt(distance2);
    return i;
}

// The drop of `other` that p lies in, or near to its surface; DEW_INVALID: none. reach: how far
// from it, touch: how high over its tangent plane p may be.
static int64_t drop_at(const Side *other, dew_Vec3 p, double reach, double touch)
{
    double distance;
    int64_t i = nearest_point(other, p, &distance);
    if (i == DEW_INVALID)
        return DEW_INVALID;
    const dew_DropPoint *point = &other->frame->points[i];
    const float *n = point->normal;
    dew_Vec3 normal = {(double)n[0], (double)n[1], (double)n[2]};
    double height = dew_inner(dew_sub(p, point->position_m), normal);
    int64_t drop = point->drop;
    bool is_near = distance <= reach + 1.5 * other->spacing[drop] && height <= touch;
    bool is_inside = height <= 0 && distance <= other->radius[drop] + reach;
    return is_near || is_inside ? drop : DEW_INVALID;
}

// ---- links --------------------------------------------------------------------------------------

static int32_t find_root(const Match *match, int64_t node)
{
    return dew_cell_root(match->root, (int32_t)node);
}

static void add_link(Match *match, int64_t before, int64_t after)
{
    match->links[match->link_count++] = (dew_DropLink){(int32_t)before, (int32_t)after};
    match->before.degree[before]++;
    match->after.degree[after]++;
}

static double volume_of(const Side *side, int64_t drop)
{
    return fabs(side->frame->drops[drop].volume_m3);
}

// Roots and balances from the links.
static void find_groups(Match *match)
{
    int64_t old_count = match->before.frame->drop_count;
    int64_t count = old_count + match->after.frame->drop_count;
    for (int64_t i = 0; i < count; i++) {
        match->root[i] = (int32_t)i;
        match->balance[i] = match->total[i] = 0;
    }
    for (int64_t i = 0; i < match->link_count; i++) {
        dew_DropLink link = match->links[i];
        dew_join_cells(match->root, link.before, (int32_t)old_count + link.after);
    }
    for (int64_t i = 0; i < old_count; i++) {
        match->balance[find_root(match, i)] += volume_of(&match->before, i);
        match->total[find_root(match, i)] += volume_of(&match->before, i);
    }
    for (int64_t i = old_count; i < count; i++)
        match->balance[find_root(match, i)] -= volume_of(&match->after, i - old_count);
    for (int64_t i = 0; i < count; i++)  // new = old - balance
        match->total[i] = fmax(match->total[i], match->total[i] - match->balance[i]);
}

// ---- 0. likeness --------------------------------------------------------------------------------

// How far two drops are from being one: distance in radii by the mean of their velocities; INFINITY
// when their volumes differ.
static double unlikeness(const Match *match, int64_t before, int64_t after)
{
    const dew_DropRecord *a = &match->before.frame->drops[before];
    const dew_DropRecord *b = &match->after.frame->drops[after];
    if (!(fabs(a->volume_m3 - b->volume_m3) <= VOLUME_TOLERANCE * fabs(a->volume_m3)))
        return (double)INFINITY;
    dew_Vec3 velocity = dew_combine(0.5, a->velocity_m_s, 0.5, b->velocity_m_s);
    dew_Vec3 there = dew_add_scaled(a->center_m, match->before.dt, velocity);
    return dew_distance(there, b->center_m) / match->before.radius[before];
}

// Compares each drop of a side with those of the other nearest to where it should be.
static dew_Status find_like(Match *match, bool is_old, dew_Arena *scratch)
{
    Side *side = is_old ? &match->before : &match->after;
    Side *other = is_old ? &match->after : &match->before;
    dew_PointTree tree;
    dew_Vec3 *centers = dew_arena_array(scratch, dew_Vec3, other->frame->drop_count);
    if (!centers)
        return dew_no_memory((size_t)other->frame->drop_count * sizeof(dew_Vec3));
    for (int64_t d = 0; d < other->frame->drop_count; d++)
        centers[d] = other->frame->drops[d].center_m;
    DEW_TRY(dew_point_tree_build(&tree, centers, other->frame->drop_count, scratch));
    for (int64_t d = 0; d < side->frame->drop_count; d++) {
        const dew_DropRecord *drop = &side->frame->drops[d];
        dew_Vec3 there = dew_add_scaled(drop->center_m, side->dt, drop->velocity_m_s);
        int64_t near[DEW_POINT_TREE_MANY];
        double distances2[DEW_POINT_TREE_MANY];
        int count =
            dew_point_tree_nearest(&tree, there, HUGE_VAL, DEW_POINT_TREE_MANY, near, distances2);
        for (int n = 0; n < count; n++) {
            double off = unlikeness(match, is_old ? d : near[n], is_old ? near[n] : d);
            if (off < side->unlike[d]) {
                side->unlike[d] = off;
                side->like[d] = (int32_t)near[n];
            }
            if (off < other->unlike[near[n]]) {
                other->unlike[near[n]] = off;
                other->like[near[n]] = (int32_t)d;
            }
        }
    }
    return dew_ok();
}

// Only those that are each other's best are kept. *is_all: no drop is left.
static dew_Status link_by_likeness(Match *match, dew_Arena *scratch, bool *is_all)
{
    Side *sides[2] = {&match->before, &match->after};
    for (int s = 0; s < 2; s++) {
        for (int64_t d = 0; d < sides[s]->frame->drop_count; d++) {
            sides[s]->like[d] = DEW_INVALID;
            sides[s]->unlike[d] = MAX_OFFSET;
        }
    }
    DEW_TRY(find_like(match, true, scratch));
    DEW_TRY(find_like(match, false, scratch));
    int64_t kept = 0;
    for (int64_t d = 0; d < match->before.frame->drop_count; d++) {
        int32_t other = match->before.like[d];
        bool is_mutual = other != DEW_INVALID && match->after.like[other] == d;
        if (!is_mutual) {
            match->before.like[d] = DEW_INVALID;
            continue;
        }
        add_link(match, d, other);
        kept++;
    }
    for (int64_t d = 0; d < match->after.frame->drop_count; d++) {
        int32_t other = match->after.like[d];
        if (other != DEW_INVALID && match->before.like[other] != d)
            match->after.like[d] = DEW_INVALID;
    }
    *is_all = kept == match->before.frame->drop_count && kept == match->after.frame->drop_count;
    return dew_ok();
}

// ---- 1. votes -----------------------------------------------------------------------------------

// Where a point comes to lie in the other frame: moved by its velocity, then by the mean of that
// and the velocity found there, as under a constant acceleration.
static dew_Vec3 moved_point(const Side *voter, const Side *other, const dew_DropPoint *point)
{
    double distance;
    dew_Vec3 velocity = point_velocity(point);
    dew_Vec3 p = dew_add_scaled(point->position_m, voter->dt, velocity);
    int64_t i = nearest_point(other, p, &distance);
    if (i == DEW_INVALID)
        return p;
    dew_Vec3 there = point_velocity(&other->frame->points[i]);
    return dew_add_scaled(point->position_m, 0.5 * voter->dt, dew_add(velocity, there));
}

// The drops of the other side that get a third of the votes of one drop; returns how many.
static int count_votes(const Side *voter, Side *other, int64_t drop, double touch,
                       int32_t winner[MAX_WINNERS])
{
    int winner_count = 0;
    int64_t begin = voter->first[drop], end = voter->first[drop + 1];
    int64_t stride = 1 + (end - begin - 1) / MOST_VOTERS;
    int64_t asked = (end - begin + stride - 1) / stride;
    double needed = (double)asked / MAX_WINNERS;
    for (int64_t i = begin; i < end; i += stride) {
        dew_Vec3 p = moved_point(voter, other, &voter->frame->points[i]);
        int64_t at =
            drop_at(other, p, VOTE_REACH * voter->radius[drop], touch * voter->radius[drop]);
        voter->ballot[i] = (int32_t)at;
        if (at != DEW_INVALID)
            other->votes[at]++;
    }
    for (int64_t i = begin; i < end; i += stride) {
        int32_t at = voter->ballot[i];
        if (at == DEW_INVALID)
            continue;
        if ((double)other->votes[at] >= needed && winner_count < MAX_WINNERS)
            winner[winner_count++] = at;
        other->votes[at] = 0;
    }
    return winner_count;
}

// A drop that is another one takes in, and gives off, no more than its volume leaves open.
static bool is_open(const Side *voter, int64_t drop, const Side *other, int64_t at)
{
    return other->like[at] == DEW_INVALID ||
           volume_of(voter, drop) <= 2 * VOLUME_TOLERANCE * volume_of(other, at);
}

static void link_by_votes(Match *match)
{
    int32_t winner[MAX_WINNERS];
    int64_t old_count = match->before.frame->drop_count;
    for (int64_t d = 0; d < old_count; d++) {
        match->first_link[d] = match->link_count;
        if (match->before.like[d] != DEW_INVALID)
            continue;
        int count = count_votes(&match->before, &match->after, d, VOTE_REACH, winner);
        for (int n = 0; n < count; n++) {
            if (is_open(&match->before, d, &match->after, winner[n]))
                add_link(match, d, winner[n]);
        }
    }
    match->first_link[old_count] = match->link_count;
    for (int64_t d = 0; d < match->after.frame->drop_count; d++) {
        if (match->after.like[d] != DEW_INVALID)
            continue;
        int count = count_votes(&match->after, &match->before, d, TOUCH, winner);
        for (int n = 0; n < count; n++) {
            bool is_known = !is_open(&match->after, d, &match->before, winner[n]);
            for (int64_t i = match->first_link[winner[n]]; i < match->first_link[winner[n] + 1];
                 i++)
                is_known = is_known || match->links[i].after == d;
            if (!is_known)
                add_link(match, winner[n], d);
        }
    }
}

// ---- 2. volume ----------------------------------------------------------------------------------

// What its group's balance would be without the drop at the loose end of a link; false: the link
// has no loose end, or two.
static bool balance_without(const Match *match, const dew_DropLink *link, double *balance)
{
    bool old_is_loose = match->before.degree[link->before] == 1;
    bool new_is_loose = match->after.degree[link->after] == 1;
    if (old_is_loose == new_is_loose)
        return false;
    double change = old_is_loose ? -volume_of(&match->before, link->before)
                                 : volume_of(&match->after, link->after);
    *balance = match->balance[find_root(match, link->before)] + change;
    return true;
}

// Finds, in each group that does not balance, the link without which it does best, and at least
// four times better than with it.
static void find_worst(Match *match)
{
    int64_t count = match->before.frame->drop_count + match->after.frame->drop_count;
    for (int64_t i = 0; i < count; i++) {
        match->worst[i] = DEW_INVALID;
        match->misfit[i] = 0.25 * fabs(match->balance[i]);
    }
    for (int64_t i = 0; i < match->link_count; i++) {
        int32_t root = find_root(match, match->links[i].before);
        double balance;
        if (fabs(match->balance[root]) <= VOLUME_TOLERANCE * match->total[root] ||
            !balance_without(match, &match->links[i], &balance))
            continue;
        if (fabs(balance) < match->misfit[root]) {
            match->misfit[root] = fabs(balance);
            match->worst[root] = i;
        }
    }
}

// Each round at least quarters the misfit of a group it changes, see find_worst: few are needed.
static void cut_by_volume(Match *match)
{
    for (bool is_done = false; !is_done;) {
        is_done = true;
        find_groups(match);
        find_worst(match);
        int64_t kept = 0;
        for (int64_t i = 0; i < match->link_count; i++) {
            dew_DropLink link = match->links[i];
            if (match->worst[find_root(match, link.before)] == i) {
                match->before.degree[link.before]--;
                match->after.degree[link.after]--;
                is_done = false;
            } else {
                match->links[kept++] = link;
            }
        }
        match->link_count = kept;
    }
}

// ---- 3. paths -----------------------------------------------------------------------------------

// Do the volumes speak for a link, or at least not against it? The volume of a drop decides
// nothing about a link to a much smaller one.
static bool is_plausible(const Match *match, int64_t before, int64_t after)
{
    double old_volume = volume_of(&match->before, before);
    double new_volume = volume_of(&match->after, after);
    if (old_volume < MIN_VOLUME_RATIO * new_volume)
        return true;
    if (new_volume < MIN_VOLUME_RATIO * old_volume) {  // else it has grown there, out of nothing
        double speed = dew_length(match->after.frame->drops[after].velocity_m_s);
        return speed * match->before.dt > match->after.radius[after];
    }
    double half = 0.5 * fmin(old_volume, new_volume);
    int64_t old_count = match->before.frame->drop_count;
    return match->balance[find_root(match, before)] >= half &&
           match->balance[find_root(match, old_count + after)] <= -half;
}

// Would the volumes of both groups together balance?
static bool is_balanced(const Match *match, bool is_old, int64_t before, int64_t after)
{
    int32_t a = find_root(match, before);
    int32_t b = find_root(match, match->before.frame->drop_count + after);
    double volume = is_old ? volume_of(&match->before, before) : volume_of(&match->after, after);
    return a != b && fabs(match->balance[a] + match->balance[b]) <= PATH_TOLERANCE * volume;
}

// The first drop on the path of another that fits it by its volume; DEW_INVALID: none. It may be
// two radii away where the volumes then balance.
static int64_t first_on_path(const Match *match, bool is_old, int64_t drop, bool must_balance)
{
    const Side *side = is_old ? &match->before : &match->after;
    const Side *other = is_old ? &match->after : &match->before;
    int64_t begin = side->first[drop], end = side->first[drop + 1];
    int64_t stride = 1 + (end - begin - 1) / PATH_POINTS;
    double reach = (must_balance ? 2 : 1) * side->radius[drop];
    double touch = (must_balance ? 2 : TOUCH) * side->radius[drop];
    for (int step = 0; step <= PATH_STEPS; step++) {
        double time = side->dt * PATH_LENGTH * step / PATH_STEPS;
        for (int64_t i = begin; i < end; i += stride) {
            const dew_DropPoint *point = &side->frame->points[i];
            dew_Vec3 p = dew_add_scaled(point->position_m, time, point_velocity(point));
            int64_t at = drop_at(other, p, reach, touch);
            if (at == DEW_INVALID)
                continue;
            int64_t before = is_old ? drop : at, after = is_old ? at : drop;
            if (must_balance ? is_balanced(match, is_old, before, after)
                             : is_plausible(match, before, after))
                return at;
        }
    }
    return DEW_INVALID;
}

static void link_groups(Match *match, int64_t before, int64_t after)
{
    int32_t a = find_root(match, before);
    int32_t b = find_root(match, match->before.frame->drop_count + after);
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    match->root[high] = low;
    match->balance[low] += match->balance[high];
    add_link(match, before, after);
}

// Has the drop a link, and, when volumes must balance, do those of its group?
static bool is_settled(const Match *match, bool is_old, int64_t drop, bool must_balance)
{
    const Side *side = is_old ? &match->before : &match->after;
    int64_t node = is_old ? drop : match->before.frame->drop_count + drop;
    double misfit = fabs(match->balance[find_root(match, node)]);
    return side->degree[drop] > 0 &&
           !(must_balance && misfit > PATH_TOLERANCE * volume_of(side, drop));
}

static void link_by_paths(Match *match, bool must_balance)
{
    find_groups(match);
    for (int64_t d = 0; d < match->before.frame->drop_count; d++) {
        bool is_done = is_settled(match, true, d, must_balance);
        int64_t at = is_done ? DEW_INVALID : first_on_path(match, true, d, must_balance);
        if (at != DEW_INVALID)
            link_groups(match, d, at);
    }
    for (int64_t d = 0; d < match->after.frame->drop_count; d++) {
        bool is_done = is_settled(match, false, d, must_balance);
        int64_t at = is_done ? DEW_INVALID : first_on_path(match, false, d, must_balance);
        if (at != DEW_INVALID)
            link_groups(match, at, d);
    }
}

// ---- 4. crossing paths --------------------------------------------------------------------------

static dew_Vec3 path_point(const Side *side, int64_t drop, int step)
{
    double time = side->dt * PATH_LENGTH * step / PATH_STEPS;
    const dew_DropRecord *record = &side->frame->drops[drop];
    return dew_add_scaled(record->center_m, time, record->velocity_m_s);
}

static double half_step(const Side *side, int64_t drop)
{
    return 0.5 * dew_distance(path_point(side, drop, 0), path_point(side, drop, 1));
}

// The first plausible old drop whose path crosses that of a new one; DEW_INVALID: none.
static int64_t first_crossing(const Match *match, const dew_PointTree *paths,
                              const int32_t *drop_of, int64_t drop)
{
    for (int step = 0; step <= PATH_STEPS; step++) {
        double distance2;
        dew_Vec3 p = path_point(&match->after, drop, step);
        int64_t i;
        if (dew_point_tree_nearest(paths, p, HUGE_VAL, 1, &i, &distance2) == 0)
            return DEW_INVALID;
        int64_t at = drop_of[i];
        double reach = match->after.radius[drop] + match->before.radius[at] +
                       half_step(&match->after, drop) + half_step(&match->before, at);
        if (distance2 <= reach * reach && is_plausible(match, at, drop))
            return at;
    }
    return DEW_INVALID;
}

static dew_Status link_by_crossings(Match *match, dew_Arena *scratch)
{
    int64_t old_count = match->before.frame->drop_count, count = 0;
    dew_Vec3 *points = dew_arena_array(scratch, dew_Vec3, old_count * (PATH_STEPS + 1));
    int32_t *drop_of = dew_arena_array(scratch, int32_t, old_count * (PATH_STEPS + 1));
    if (!points || !drop_of)
        return dew_no_memory((size_t)old_count * (PATH_STEPS + 1) * 28);
    for (int64_t d = 0; d < old_count; d++) {
        int32_t root = find_root(match, d);
        bool lacks = match->balance[root] > VOLUME_TOLERANCE * volume_of(&match->before, d);
        for (int step = 0; lacks && step <= PATH_STEPS; step++, count++) {
            points[count] = path_point(&match->before, d, step);
            drop_of[count] = (int32_t)d;
        }
    }
    dew_PointTree paths;
    DEW_TRY(dew_point_tree_build(&paths, points, count, scratch));
    for (int64_t d = 0; d < match->after.frame->drop_count; d++) {
        int64_t at =
            match->after.degree[d] ? DEW_INVALID : first_crossing(match, &paths, drop_of, d);
        if (at != DEW_INVALID)
            link_groups(match, at, d);
    }
    return dew_ok();
}

dew_Status dew_drops_match(const dew_DropFrame *before, const dew_DropFrame *after, double dt_s,
                           dew_Arena *scratch, dew_DropLink **links, int64_t *link_count)
{
    Match match = {0};
    int64_t count = before->drop_count + after->drop_count;
    DEW_TRY(make_side(&match.before, before, dt_s, scratch));
    DEW_TRY(make_side(&match.after, after, -dt_s, scratch));
    match.links = dew_arena_array(scratch, dew_DropLink, (MAX_WINNERS + 1) * count);
    match.first_link = dew_arena_array(scratch, int64_t, before->drop_count + 1);
    match.root = dew_arena_array(scratch, int32_t, count);
    match.balance = dew_arena_array(scratch, double, count);
    match.total = dew_arena_array(scratch, double, count);
    match.worst = dew_arena_array(scratch, int64_t, count);
    match.misfit = dew_arena_array(scratch, double, count);
    if (!match.links || !match.first_link || !match.root || !match.balance || !match.total ||
        !match.worst || !match.misfit)
        return dew_no_memory((size_t)count * 100);
    bool is_all;
    DEW_TRY(link_by_likeness(&match, scratch, &is_all));
    if (!is_all) {
        DEW_TRY(build_tree(&match.before, scratch));
        DEW_TRY(build_tree(&match.after, scratch));
        link_by_votes(&match);
        cut_by_volume(&match);
        link_by_paths(&match, true);
        link_by_paths(&match, false);
        DEW_TRY(link_by_crossings(&match, scratch));
    }
    *links = match.links;
    *link_count = match.link_count;
    return dew_ok();
}
