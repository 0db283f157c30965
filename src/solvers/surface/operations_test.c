// Random splits, collapses, flips, cuts of necks and merges of drops in the air, on planes, balls,
// beams' edges, cylinders and in bowls, the whole mesh audited after each: closed, manifold,
// oriented, finite.
//
// DEW_OPERATIONS in the environment tells how many; without it there are 3,000. The full test:
//     DEW_OPERATIONS=100000 build/solvers_surface_operations_test
#include "solvers/surface/merge_testing.h"

#include "base/random.h"

#include <stdio.h>
#include <stdlib.h>

#define EDGE 0.2

enum { DROPS = 4, LIFE = 600 };  // operations after which a drop is made anew

typedef enum Kind { SPLIT, COLLAPSE, FLIP, PINCH, MERGE, KIND_COUNT } Kind;

typedef struct Play {
    dew_Random random;
    TestSolid solid;
    TestDrop drop[DROPS];
    int age[DROPS];
    dew_Remesh *remesh;
    dew_Merge *merge;
    int64_t count[KIND_COUNT], total;
    int merge_kinds[DEW_DROPS_SECOND_INSIDE + 1];
} Play;

static double between(Play *play, double lo, double hi)
{
    return dew_random_range(&play->random, lo, hi);
}

static void renew(Play *play, int i)
{
    double r = between(play, 0.4, 0.8), height = r * between(play, 0, 0.8);
    dew_Vec3 place =
        test_solid_place(&play->solid, between(play, -1, 1), between(play, -1, 1), height);
    test_drop_on(&play->drop[i], &play->solid, play->remesh, r, EDGE, place,
                 dew_random_direction(&play->random));
    play->age[i] = 0;
}

static void replace(Play *play, int i)
{
    test_drop_deinit(&play->drop[i]);
    renew(play, i);
}

static void project(void *context, uint8_t label, dew_Vec3 *position)
{
    (void)label;
    dew_Closest c;
    if (test_solid_nearest(context, *position, EDGE, &c))
        *position = c.point;
}

static void audit(const TestDrop *d)
{
    test_drop_audit(d);
    for (int64_t v = 0; v < d->mesh.positions.count; v++) {
        assert_true(dew_vec_is_finite(dew_mesh_positions(&d->mesh)[v]));
        assert_true(dew_vec_is_finite(DEW_ITEMS(&d->velocities, dew_Vec3)[v]));
        assert_true(DEW_ITEMS(&d->scales, double)[v] > 0);
        uint8_t label = DEW_ITEMS(&d->labels, uint8_t)[v];
        assert_true(!(label & DEW_LABEL_CONTACT_LINE) || (label & DEW_LABEL_TOUCHING));
    }
}

// Shakes vertices, those on the solid along it.
static void shake(Play *play, TestDrop *d, double reach)
{
    for (int64_t v = 0; v < d->mesh.positions.count; v++) {
        dew_Vec3 *x = &DEW_ITEMS(&d->mesh.positions, dew_Vec3)[v];
        *x = dew_add_scaled(*x, reach, dew_random_direction(&play->random));
        if (DEW_ITEMS(&d->labels, uint8_t)[v] & DEW_LABEL_TOUCHING)
            project(&play->solid, DEW_LABEL_TOUCHING, x);
    }
}

// One operation of the remesher, if the drop asks for one; returns whether it did.
static bool remesh_once(Play *play, TestDrop *d, dew_RemeshDef def, dew_RemeshResult *r)
{
    def.max_operations = 1;
    def.project = play->solid.kind == TEST_NO_SOLID ? NULL : project;
    def.context = &play->solid;
    dew_Status status = dew_remesh_run(play->remesh, &def, &d->drop, r);
    assert_string_equal(status.message, "");
    audit(d);
    int64_t done =
        r->split_count + r->collapse_count + r->flip_count + r->pinch_count + r->loss_count;
    assert_true(done <= 1);
    play->count[SPLIT] += r->split_count;
    play->count[COLLAPSE] += r->collapse_count;
    play->count[FLIP] += r->flip_count;
    play->count[PINCH] += r->pinch_count + r->loss_count;
    play->total += done;
    return done > 0;
}

static void change(Play *play, int i, Kind kind)
{
    TestDrop *d = &play->drop[i];
    dew_RemeshDef def = {.min_edge_m = 0, .max_edge_m = 1e3, .keep_necks = true};
    def.keep_flat = kind != FLIP;
    if (kind == SPLIT)
        def.max_edge_m = between(play, 0.1, 1) * test_edge_extreme(&d->mesh, true);
    if (kind == COLLAPSE)
        def.min_edge_m = between(play, 1, 3) * test_edge_extreme(&d->mesh, false);
    if (kind == FLIP)
        shake(play, d, between(play, 0, 0.15) * EDGE);
    dew_RemeshResult r;
    remesh_once(play, d, def, &r);
}

// The first piece of a drop that came apart; the others are forgotten.
static void keep_first_piece(Play *play, TestDrop *d, const dew_RemeshResult *r)
{
    if (r->piece_count < 2)
        return;
    dew_DropTrim trim =
        dew_drop_trim(&d->drop, dew_remesh_pieces(play->remesh), r->piece_count, HUGE_VAL);
    assert_int_equal(trim.piece_count, 1);
    audit(d);
}

// Draws a drop to a thin neck and remeshes it, operation by operation, until it is cut.
static void pinch(Play *play, int i)
{
    TestDrop *d = &play->drop[i];
    dew_Box box = dew_mesh_measure(&d->mesh).box_m;
    dew_Vec3 middle = dew_combine(0.5, box.min, 0.5, box.max);
    dew_Vec3 axis = dew_random_direction(&play->random);
    double width = 0.25 * dew_distance(box.min, box.max), least = between(play, 0.02, 0.2);
    for (int64_t v = 0; v < d->mesh.positions.count; v++) {
        dew_Vec3 *x = &DEW_ITEMS(&d->mesh.positions, dew_Vec3)[v];
        dew_Vec3 from = dew_sub(*x, middle);
        double along = dew_inner(from, axis), s = fmin(1, fabs(along) / width);
        dew_Vec3 across = dew_add_scaled(from, -along, axis);
        *x = dew_add(dew_add_scaled(middle, 1.5 * along, axis),
                     dew_scale(least + (1 - least) * s * s, across));
        if (DEW_ITEMS(&d->labels, uint8_t)[v] & DEW_LABEL_TOUCHING)
            project(&play->solid, DEW_LABEL_TOUCHING, x);
    }
    dew_RemeshDef def = dew_default_remesh_def(EDGE);
    def.max_edge_m = 1e3;  // collapses and cuts only
    def.keep_flat = true;
    dew_RemeshResult r = {0};
    int64_t cuts = play->count[PINCH];
    for (int k = 0; k < 150 && play->count[PINCH] == cuts; k++) {
        if (!remesh_once(play, d, def, &r))
            break;
        keep_first_piece(play, d, &r);
    }
    replace(play, i);
}

static void merge(Play *play, int i)
{
    int other = (i + 1) % DROPS;
    TestDrop out;
    test_drop_init(&out);
    dew_MergeDef def = dew_default_merge_def(EDGE);
    def.gap_m = 0.05 * EDGE;
    def.solids = test_solids(&play->solid);
    def.always_rebuilds = play->count[MERGE] % 16 == 15;
    dew_MergeResult r;
    dew_Status status = dew_merge_drops(play->merge, &def, &play->drop[i].drop,
                                        &play->drop[other].drop, &out.drop, &r);
    assert_string_equal(status.message, "");
    play->merge_kinds[r.kind]++;
    if (r.kind == DEW_DROPS_APART) {
        test_drop_deinit(&out);
        replace(play, i);
        return;
    }
    audit(&out);
    play->count[MERGE]++;
    play->total++;
    test_drop_deinit(&play->drop[i]);
    play->drop[i] = out;
    play->drop[i].drop = (dew_RemeshDrop){&play->drop[i].mesh.positions, &play->drop[i].velocities,
                                          &play->drop[i].labels, &play->drop[i].scales,
                                          &play->drop[i].mesh.triangles};
    replace(play, other);
}

static void act(Play *play)
{
    int i = (int)between(play, 0, DROPS);
    double dice = between(play, 0, 1);
    int64_t triangles = play->drop[i].mesh.triangles.count;
    play->age[i]++;
    if (play->age[i] > LIFE || triangles > 1500 || triangles < 40)
        replace(play, i);
    else if (dice < 0.08)
        merge(play, i);
    else if (dice < 0.1)
        pinch(play, i);
    else
        change(play, i, dice < 0.4 ? SPLIT : dice < 0.65 ? COLLAPSE : FLIP);
}

static void play_on(TestSolidKind kind, int64_t operations, int64_t count[KIND_COUNT])
{
    Play play = {.random = dew_random(17, (uint64_t)kind, 0), .solid = {kind, 2.5}};
    assert_int_equal(dew_remesh_create(NULL, &play.remesh).code, DEW_OK);
    assert_int_equal(dew_merge_create(NULL, &play.merge).code, DEW_OK);
    for (int i = 0; i < DROPS; i++)
        renew(&play, i);
    while (play.total < operations)
        act(&play);
    for (int i = 0; i < DROPS; i++)
        test_drop_deinit(&play.drop[i]);
    for (int k = 0; k < KIND_COUNT; k++)
        count[k] += play.count[k];
    dew_remesh_destroy(play.remesh);
    dew_merge_destroy(play.merge);
}

static void random_operations_leave_no_fault(void **state)
{
    (void)state;
    const char *asked = getenv("DEW_OPERATIONS");
    int64_t operations = asked ? atoll(asked) : 3000, count[KIND_COUNT] = {0}, sum = 0;
    for (int kind = 0; kind < TEST_SOLID_COUNT; kind++)
        play_on((TestSolidKind)kind, operations / TEST_SOLID_COUNT + 1, count);
    for (int k = 0; k < KIND_COUNT; k++) {
        assert_true(count[k] > operations / 1000);
        sum += count[k];
    }
    assert_true(sum >= operations);
    print_message("%lld splits, %lld collapses, %lld flips, %lld cuts, %lld merges: 0 faults\n",
                  (long long)count[SPLIT], (long long)count[COLLAPSE], (long long)count[FLIP],
                  (long long)count[PINCH], (long long)count[MERGE]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_operations_leave_no_fault)};
    return cmocka_run_group_tests_name("solvers/surface/operations", tests, NULL, NULL);
}
