// The table of marching cubes against what its header promises, derived anew from the face rule.
#include "surface/marching_cubes_table.h"

#include <stdbool.h>

#include "base/random.h"
#include "base/testing.h"
#include "geom/triangle.h"

#define NO_EDGE 255

static int edge_from(int e)
{
    static const int corner[12] = {0, 2, 4, 6, 0, 1, 4, 5, 0, 1, 2, 3};
    return corner[e];
}

static int edge_to(int e)
{
    return edge_from(e) + (1 << (e >> 2));
}

static int edge_between(int c, int d)
{
    for (int e = 0; e < 12; e++) {
        if ((edge_from(e) == c && edge_to(e) == d) || (edge_from(e) == d && edge_to(e) == c))
            return e;
    }
    return NO_EDGE;
}

// Corners of face f (axis f / 2, side f % 2), counter-clockwise seen from outside the cell.
static void face_corners(int f, int corner[4])
{
    int axis = f / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    static const int around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (int n = 0; n < 4; n++) {
        int m = f % 2 ? n : 3 - n;
        corner[n] = (f % 2) << axis | around[m][0] << u | around[m][1] << v;
    }
}

static bool edge_in_face(int e, int f)
{
    int bit = 1 << (f / 2), side = (f % 2) << (f / 2);
    return (edge_from(e) & bit) == side && (edge_to(e) & bit) == side;
}

static bool share_face(int e, int d)
{
    for (int f = 0; f < 6; f++) {
        if (edge_in_face(e, f) && edge_in_face(d, f))
            return true;
    }
    return false;
}

// next[e]: where the line that starts at edge e ends, with the inside on its left seen from outside
// the liquid. Around each run of inside corners of a face, one line: inside corners are kept apart.
static void face_lines(int bits, uint8_t next[12])
{
    for (int e = 0; e < 12; e++)
        next[e] = NO_EDGE;
    for (int f = 0; f < 6; f++) {
        int corner[4];
        face_corners(f, corner);
        for (int n = 0; n < 4; n++) {
            bool enters = !(bits >> corner[n] & 1) && (bits >> corner[(n + 1) % 4] & 1);
            if (!enters)
                continue;
            int m = (n + 1) % 4;
            while (bits >> corner[(m + 1) % 4] & 1)
                m = (m + 1) % 4;
            int entry = edge_between(corner[n], corner[(n + 1) % 4]);
            int leave = edge_between(corner[m], corner[(m + 1) % 4]);
            assert_int_equal(next[entry], NO_EDGE);
            next[entry] = (uint8_t)leave;
        }
    }
}

// In each case the triangles' outer half-edges are the lines of the faces, each once; all others
// (diagonals) come in pairs and lie in no face.
static void table_follows_face_rule(void **state)
{
    (void)state;
    for (int bits = 0; bits < 256; bits++) {
        const dew_MarchingCase *cell = &dew_marching_case[bits];
        uint8_t next[12];
        face_lines(bits, next);
        int used[12][12] = {{0}};
        assert_in_range(cell->triangle_count, 0, DEW_MARCHING_TRIANGLES);
        for (int t = 0; t < cell->triangle_count; t++) {
            for (int c = 0; c < 3; c++)
                used[cell->edge[3 * t + c]][cell->edge[3 * t + (c + 1) % 3]]++;
        }
        for (int e = 0; e < 12; e++) {
            for (int d = 0; d < 12; d++) {
                bool is_line = next[e] == d;
                if (is_line)
                    assert_int_equal(used[e][d], 1);
                else if (next[d] != e)
                    assert_int_equal(used[e][d], used[d][e]);
                if (used[e][d] && !is_line)
                    assert_true(next[d] != e && !share_face(e, d) && used[e][d] == 1);
            }
        }
    }
}

// Both cells at a face draw the same lines on it, in opposite directions. Each cell's lines were
// shown to follow face_lines; so it is enough that these agree, for all signs of all twelve
// corners.
static void neighbours_agree(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        int bit = 1 << axis;
        for (int lower = 0; lower < 256; lower++) {
            for (int upper = 0; upper < 256; upper++) {
                bool fits = true;
                for (int c = 0; c < 8; c++) {
                    if (c & bit)
                        fits = fits && (lower >> c & 1) == (upper >> (c ^ bit) & 1);
                }
                if (!fits)
                    continue;
                uint8_t from_lower[12], from_upper[12];
                face_lines(lower, from_lower);
                face_lines(upper, from_upper);
                for (int e = 0; e < 12; e++) {
                    if (!edge_in_face(e, 2 * axis + 1))
                        continue;
                    int twin = edge_between(edge_from(e) ^ bit, edge_to(e) ^ bit);
                    int end = from_lower[e];
                    bool in_face = end != NO_EDGE && edge_in_face(end, 2 * axis + 1);
                    if (in_face) {
                        int end_twin = edge_between(edge_from(end) ^ bit, edge_to(end) ^ bit);
                        assert_int_equal(from_upper[end_twin], twin);
                    }
                }
            }
        }
    }
}

static dew_Vec3 corner_at(int c)
{
    return dew_vec(c & 1, c >> 1 & 1, c >> 2);
}

// For any place of the vertices on their edges the triangles of a cell meet only where they share
// vertices, and face away from the inside corners of their edges.
static void triangles_do_not_meet(void **state)
{
    (void)state;
    for (int bits = 0; bits < 256; bits++) {
        const dew_MarchingCase *cell = &dew_marching_case[bits];
        for (int trial = 0; trial < 200; trial++) {
            dew_Random random = dew_random(1, (uint64_t)bits, (uint64_t)trial);
            dew_Vec3 at[12];
            for (int e = 0; e < 12; e++) {
                double t = dew_random_unit(&random);
                if (trial % 2)  // near one end or the other
                    t = t < 0.5 ? 1e-4 * (1 + t) : 1 - 1e-4 * t;
                at[e] = dew_combine(1 - t, corner_at(edge_from(e)), t, corner_at(edge_to(e)));
            }
            for (int s = 0; s < cell->triangle_count; s++) {
                for (int t = 0; t < s; t++) {
                    dew_Vec3 p[3], q[3];
                    for (int c = 0; c < 3; c++) {
                        p[c] = at[cell->edge[3 * s + c]];
                        q[c] = at[cell->edge[3 * t + c]];
                    }
                    assert_false(dew_triangle_overlaps_triangle(p, q));
                }
            }
        }
    }
}

static void single_corner_faces_outward(void **state)
{
    (void)state;
    for (int c = 0; c < 8; c++) {
        const dew_MarchingCase *cell = &dew_marching_case[1 << c];
        assert_int_equal(cell->triangle_count, 1);
        dew_Vec3 p[3];
        for (int n = 0; n < 3; n++) {
            int e = cell->edge[n];
            p[n] = dew_combine(0.5, corner_at(edge_from(e)), 0.5, corner_at(edge_to(e)));
        }
        dew_Vec3 normal = dew_triangle_normal(p[0], p[1], p[2]);
        assert_true(dew_inner(normal, dew_sub(p[0], corner_at(c))) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_follows_face_rule),
        cmocka_unit_test(neighbours_agree),
        cmocka_unit_test(triangles_do_not_meet),
        cmocka_unit_test(single_corner_faces_outward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
