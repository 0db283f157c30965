/// Random points on a solid's surface, even by area.
#pragma once

#include "base/random.h"
#include "geom/mesh.h"
#include "problem/problem.h"

typedef struct dew_Strew {
    const dew_Problem *problem;
    int solid_id;
    dew_Mesh mesh;      // of the solid at time 0
    dew_Array area_m2;  // of double: summed up to and with each triangle
} dew_Strew;

dew_Status dew_strew_init(dew_Strew *strew, const dew_Problem *problem, int solid_id);
void dew_strew_deinit(dew_Strew *strew);
double dew_strew_area_m2(const dew_Strew *strew);  // 0: nothing to draw from

/// A point of the solid as it is at time 0, with its outward normal.
dew_SolidPoint dew_strew_draw(const dew_Strew *strew, dew_Random *random);

/// Is there room above a drawn point: does a ball of that radius fit on it, inside the domain, without
/// touching another solid (or another part of this one)?
bool dew_strew_has_room(const dew_Strew *strew, const dew_SolidPoint *point, double radius_m);
