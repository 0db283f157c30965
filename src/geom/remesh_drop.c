// The arrays of one drop. See remesh_drop.h.
#include "geom/remesh_drop.h"

#include "base/status.h"

dew_Status dew_remesh_drop_check(const dew_RemeshDrop *drop)
{
    int64_t count = drop->positions->count;
    if ((drop->velocities && drop->velocities->count != count) ||
        (drop->labels && drop->labels->count != count) ||
        (drop->scales && drop->scales->count != count))
        return dew_fail(DEW_BAD_INPUT, "arrays of a drop differ in length; there are %lld vertices",
                        (long long)count);
    const dew_Vec3 *x = DEW_ITEMS(drop->positions, dew_Vec3);
    for (int64_t v = 0; v < count; v++) {
        if (!dew_vec_is_finite(x[v]))
            return dew_fail(DEW_BAD_INPUT, "vertex %lld is at (%g, %g, %g); it must be finite",
                            (long long)v, x[v].x, x[v].y, x[v].z);
    }
    return dew_ok();
}

static dew_Status copy_or_zero(const dew_Array *from, int64_t count, dew_Array *to)
{
    if (from)
        return dew_array_copy(to, from);
    to->count = 0;  // resizing sets only new elements to zero
    return dew_array_resize(to, count);
}

dew_Status dew_remesh_drop_copy(const dew_RemeshDrop *from, const dew_RemeshDrop *to)
{
    int64_t count = from->positions->count;
    DEW_TRY(dew_array_copy(to->positions, from->positions));
    if (to->triangles)
        DEW_TRY(dew_array_copy(to->triangles, from->triangles));
    DEW_TRY(copy_or_zero(from->velocities, count, to->velocities));
    DEW_TRY(copy_or_zero(from->labels, count, to->labels));
    DEW_TRY(copy_or_zero(from->scales, count, to->scales));
    for (int64_t v = 0; v < count && !from->scales; v++)
        DEW_ITEMS(to->scales, double)[v] = 1;
    return dew_ok();
}

dew_Status dew_remesh_drop_assign(const dew_RemeshDrop *from, const dew_RemeshDrop *to)
{
    const dew_Array *const source[] = {from->positions, from->velocities, from->labels,
                                       from->scales, from->triangles};
    dew_Array *const target[] = {to->positions, to->velocities, to->labels, to->scales,
                                 to->triangles};
    for (int i = 0; i < 5; i++) {
        if (target[i])
            DEW_TRY(dew_array_reserve(target[i], source[i]->count));
    }
    for (int i = 0; i < 5; i++) {
        if (target[i])
            DEW_TRY(dew_array_copy(target[i], source[i]));  // room was reserved: cannot fail
    }
    return dew_ok();
}

double dew_remesh_drop_volume(const dew_RemeshDrop *drop)
{
    const dew_Vec3 *x = DEW_ITEMS(drop->positions, dew_Vec3);
    double six = 0;
    for (int64_t t = 0; t < drop->triangles->count; t++) {
        const uint32_t *v = DEW_ITEMS(drop->triangles, dew_Triangle)[t].v;
        six += dew_inner(dew_sub(x[v[0]], x[0]),
                         dew_cross(dew_sub(x[v[1]], x[0]), dew_sub(x[v[2]], x[0])));
    }
    return six / 6;
}
