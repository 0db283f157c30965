// Affinity map: an image laid over a solid.
#include "problem/affinity.h"

#include "base/status.h"

int dew_affinity_axis(dew_Box box)
{
    dew_Vec3 size = dew_sub(box.max, box.min);
    if (size.y <= size.x && size.y <= size.z)
        return 1;
    return size.z <= size.x ? 2 : 0;
}

// Position along a side as a fraction of it; the middle when the box has no extent there.
static double fraction(double x, double min, double max)
{
    return max > min ? (x - min) / (max - min) : 0.5;
}

// Nearest pixel below a fraction of the side, and the weight of the next one.
static void split(double f, int64_t count, int64_t *low, double *weight)
{
    double x = f * (double)count - 0.5;  // pixel centres are at whole numbers
    x = fmax(0, fmin(x, (double)(count - 1)));
    *low = (int64_t)x;
    if (*low > count - 2)
        *low = count > 1 ? count - 2 : 0;
    *weight = count > 1 ? x - (double)*low : 0;
}

double dew_affinity_at(const dew_AffinityMap *map, dew_Box box, dew_Vec3 own_m)
{
    double u, v;
    switch (dew_affinity_axis(box)) {
    case 1:
        u = fraction(own_m.x, box.min.x, box.max.x);
        v = fraction(own_m.z, box.min.z, box.max.z);
        break;
    case 2:
        u = fraction(own_m.x, box.min.x, box.max.x);
        v = 1 - fraction(own_m.y, box.min.y, box.max.y);
        break;
    default:
        u = fraction(own_m.z, box.min.z, box.max.z);
        v = 1 - fraction(own_m.y, box.min.y, box.max.y);
        break;
    }
    int64_t column, row;
    double a, b;
    split(u, map->width, &column, &a);
    split(v, map->height, &row, &b);
    const float *top = map->values + row * map->width + column;
    const float *below = map->height > 1 ? top + map->width : top;
    int64_t right = map->width > 1 ? 1 : 0;
    double upper = (1 - a) * (double)top[0] + a * (double)top[right];
    double lower = (1 - a) * (double)below[0] + a * (double)below[right];
    return (1 - b) * upper + b * lower;
}
