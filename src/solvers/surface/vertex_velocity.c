// A drop's vertices are given its velocity: after a cut, a merge, or when it was made anew.
//
// The velocity of the centre of mass as the surface tells it, Q v, is divided by the volume. Of a
// flat drop, whose two sides do not move quite alike, it may be any number, and to shift all
// vertices by what is missing to the true velocity would make them faster by that. Such a drop has
// no motion of its own that could be kept.
#include "solvers/surface/surface_state.h"

dew_DropVertexMotion dew_drop_vertex_motion(const dew_Vec3 *v, int64_t count)
{
    dew_DropVertexMotion m = {{0, 0, 0}, 0};
    for (int64_t i = 0; i < count; i++)
        m.mean = dew_add_scaled(m.mean, 1 / (double)count, v[i]);
    for (int64_t i = 0; i < count; i++)
        m.fastest = fmax(m.fastest, dew_length2(dew_sub(v[i], m.mean)));
    m.fastest = sqrt(m.fastest);
    return m;
}

void dew_drop_shift_velocities(dew_Vec3 *v, const uint8_t *labels, int64_t count,
                               dew_Vec3 measured_m_s, dew_Vec3 wanted_m_s)
{
    dew_DropVertexMotion m = dew_drop_vertex_motion(v, count);
    bool is_flat = !(dew_distance(measured_m_s, m.mean) <= m.fastest);
    dew_Vec3 change = dew_sub(wanted_m_s, measured_m_s);
    for (int64_t i = 0; i < count; i++)
        if (!(labels[i] & DEW_LABEL_NOZZLE))
            v[i] = is_flat ? wanted_m_s : dew_add(v[i], change);
}
