// Exact signs of 2x2 and 3x3 determinants of coordinate differences [Shewchuk1997].
//
// A number is held as an expansion: a sum of doubles that do not overlap, smallest first, whose
// largest non-zero term has the sign of the whole. Sums and products of doubles are exact as pairs,
// from which sums and products of expansions follow. A floating-point filter with Shewchuk's error
// bounds comes first.
//
// differs: [Shewchuk1997] refines in four stages; here the second stage is the exact one. It is
// reached for (nearly) flat configurations only.
#include "geom/predicates.h"

#define EPSILON   (DBL_EPSILON / 2)  // [Shewchuk1997]'s epsilon: half a unit in the last place of 1
#define MAX_TERMS 192  // of a 3x3 determinant of differences: 6 products of 3 pairs, 2^5 each

typedef struct Expansion {
    int count;
    double term[MAX_TERMS];
} Expansion;

// x + y = a + b exactly, x = fl(a + b).
static void two_sum(double a, double b, double *x, double *y)
{
    *x = a + b;
    double b_virtual = *x - a, a_virtual = *x - b_virtual;
    *y = (a - a_virtual) + (b - b_virtual);
}

// Adds doubles one after the other; zeros are dropped.
static void expansion_add(Expansion *a, const double *terms, int count)
{
    for (int j = 0; j < count; j++) {
        double q = terms[j];
        int kept = 0;
        for (int i = 0; i < a->count; i++) {
            double rest;
            two_sum(q, a->term[i], &q, &rest);
            if (rest != 0)
                a->term[kept++] = rest;
        }
        if (q != 0)
            a->term[kept++] = q;
        a->count = kept;
    }
}

// out += sign a b. fma gives the rounding error of a product exactly.
static void expansion_add_product(Expansion *out, const Expansion *a, const Expansion *b,
                                  double sign)
{
    for (int j = 0; j < b->count; j++) {
        for (int i = 0; i < a->count; i++) {
            double s = sign * b->term[j], high = a->term[i] * s;
            double pair[2] = {fma(a->term[i], s, -high), high};
            expansion_add(out, pair, 2);
        }
    }
}

static Expansion difference(double a, double b)
{
    double high, low;
    two_sum(a, -b, &high, &low);
    Expansion out;
    out.count = 2;
    out.term[0] = low;
    out.term[1] = high;
    return out;
}

static int expansion_sign(const Expansion *a)
{
    for (int i = a->count - 1; i >= 0; i--) {
        if (a->term[i] != 0)
            return a->term[i] > 0 ? 1 : -1;
    }
    return 0;
}

// out = a d - b c
static void expansion_minor(const Expansion *a, const Expansion *b, const Expansion *c,
                            const Expansion *d, Expansion *out)
{
    out->count = 0;
    expansion_add_product(out, a, d, 1);
    expansion_add_product(out, b, c, -1);
}

static int orient2d_exact(double ax, double ay, double bx, double by, double cx, double cy)
{
    Expansion acx = difference(ax, cx), acy = difference(ay, cy);
    Expansion bcx = difference(bx, cx), bcy = difference(by, cy), result;
    expansion_minor(&acx, &acy, &bcx, &bcy, &result);
    return expansion_sign(&result);
}

int dew_orient2d(double ax, double ay, double bx, double by, double cx, double cy)
{
    double left = (ax - cx) * (by - cy), right = (ay - cy) * (bx - cx), det = left - right;
    double bound = (3 + 16 * EPSILON) * EPSILON * (fabs(left) + fabs(right));
    if (det > bound)
        return 1;
    if (det < -bound)
        return -1;
    return orient2d_exact(ax, ay, bx, by, cx, cy);
}

static int orient3d_exact(dew_Vec3 a, dew_Vec3 b, dew_Vec3 c, dew_Vec3 d)
{
    Expansion adx = difference(a.x, d.x), ady = difference(a.y, d.y), adz = difference(a.z, d.z);
    Expansion bdx = difference(b.x, d.x), bdy = difference(b.y, d.y), bdz = difference(b.z, d.z);
    Expansion cdx = difference(c.x, d.x), cdy = difference(c.y, d.y), cdz = difference(c.z, d.z);
    Expansion minor, det;
    det.count = 0;
    expansion_minor(&bdx, &bdy, &cdx, &cdy, &minor);
    expansion_add_product(&det, &minor, &adz, 1);
    expansion_minor(&cdx, &cdy, &adx, &ady, &minor);
    expansion_add_product(&det, &minor, &bdz, 1);
    expansion_minor(&adx, &ady, &bdx, &bdy, &minor);
    expansion_add_product(&det, &minor, &cdz, 1);
    return expansion_sign(&det);
}

int dew_orient3d(dew_Vec3 a, dew_Vec3 b, dew_Vec3 c, dew_Vec3 d)
{
    dew_Vec3 A = dew_sub(a, d), B = dew_sub(b, d), C = dew_sub(c, d);
    double bc = B.x * C.y, cb = C.x * B.y, ca = C.x * A.y, ac = A.x * C.y, ab = A.x * B.y,
           ba = B.x * A.y;
    double det = A.z * (bc - cb) + B.z * (ca - ac) + C.z * (ab - ba);
    double size = (fabs(bc) + fabs(cb)) * fabs(A.z) + (fabs(ca) + fabs(ac)) * fabs(B.z) +
                  (fabs(ab) + fabs(ba)) * fabs(C.z);
    double bound = (7 + 56 * EPSILON) * EPSILON * size;
    if (det > bound)
        return 1;
    if (det < -bound)
        return -1;
    // Every product has a factor that is exactly zero: flat along an axis, as boxes are.
    if (size == 0)
        return 0;
    return orient3d_exact(a, b, c, d);
}
