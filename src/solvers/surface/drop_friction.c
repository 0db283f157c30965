// Friction of vertices that touch a solid. [Zhang2011] eq. (2)
#include "solvers/surface/drop_work.h"

void dew_drop_apply_friction(dew_DropWork *work, double dt_s)
{
    for (int64_t k = 0; k < work->touch_count; k++) {
        const dew_DropTouch *touch = &work->touches[k];
        if (!(touch->friction > 0))
            continue;
        dew_Vec3 *v = &work->v[touch->vertex];
        dew_Vec3 relative = dew_sub(*v, touch->velocity);
        *v = dew_add(touch->velocity, dew_contact_friction(relative, touch->friction, dt_s));
    }
}
