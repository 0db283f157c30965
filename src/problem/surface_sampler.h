/// Random points on a solid's surface, even by area.
#pragma once

#include "base/random.h"
#include "geom/mesh.h"
#include "problem/problem.h"

/// Points drawn for one drop or site before it is left out: free space of 2 % is found 49 times of
/// 50.
#define DEW_SAMPLER_MAX_TRIES 200

typedef struct dew_SurfaceSampler {
    const dew_Problem *problem;
    int solid_id;
    dew_Mesh mesh;      // of the solid at time 0
    dew_Array area_m2;  // of double: summed up to and with each triangle
} dew_SurfaceSampler;

dew_Status dew_sampler_init(dew_SurfaceSampler *sampler, const dew_Problem *problem, int solid_id);
void dew_sampler_deinit(dew_SurfaceSampler *sampler);
double dew_sampler_area_m2(const dew_SurfaceSampler *sampler);  // 0: nothing to draw from

/// A point of the solid as it is at time 0, with its outward normal.
dew_SolidPoint dew_sampler_draw(const dew_SurfaceSampler *sampler, dew_Random *random);

/// Is there room above a drawn point: does a ball of that radius fit on it, inside the domain,
/// without touching another solid (or another part of this one)?
bool dew_sampler_fits(const dew_SurfaceSampler *sampler, const dew_SolidPoint *point,
                      double radius_m);
