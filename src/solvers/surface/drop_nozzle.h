/// A drop at the nozzle of a `disk` source: what holds it there, and what flows into it.
///
/// Vertices on the disk carry DEW_LABEL_NOZZLE and DEW_LABEL_TOUCHING, those on its rim
/// DEW_LABEL_CONTACT_LINE besides, so that remeshing treats disk and rim as it does a wetted side
/// and its contact line. They keep their places; their velocity is that of the liquid that comes
/// through.
#pragma once

#include "geom/distance.h"
#include "problem/nozzle.h"
#include "solvers/surface/drop_work.h"

/// Onto the disk, or onto its rim.
dew_Vec3 dew_drop_nozzle_project(const dew_Problem *problem, int64_t nozzle, bool is_rim,
                                 dew_Vec3 p);
/// The nearest point of the solids and of a nozzle (DEW_INVALID: none), which counts as the end of
/// a pin as wide as the disk. For drops that are made anew. False: nothing within reach.
bool dew_drop_nozzle_nearest(const dew_Problem *problem, const dew_Instant *instant, int64_t nozzle,
                             dew_Vec3 p, double reach_m, dew_Closest *out);

/// How long a step may be that begins at a time; INFINITY when nothing flows.
double dew_drop_nozzle_limit_s(const dew_DropWork *work, double begin_s, double end_s);
/// Speed of the liquid in the nozzle, mean over the time; 0 without one.
double dew_drop_nozzle_speed_m_s(const dew_DropWork *work, double begin_s, double end_s);
/// Lets in what flows in [begin_s, end_s), with its momentum; returns its volume.
double dew_drop_flow_in(dew_DropWork *work, double begin_s, double end_s);
/// After the mesh was changed: puts labels right, lets go when too little is left on the disk.
void dew_drop_reattach_to_nozzle(dew_DropWork *work);
/// Does any vertex lie on a nozzle?
bool dew_drop_has_nozzle_label(const uint8_t *labels, int64_t count);
