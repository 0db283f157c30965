/// VTKHDF (.vtkhdf), the HDF5 files of VTK that hold a whole animation for ParaView.
///
/// Needs libhdf5; without it `create` returns DEW_UNSUPPORTED. The file is built in memory and goes
/// to the sink in the end. docs/manual/export_vtkhdf.md says what is written and which readers were
/// tried.
#pragma once

#include "io/animation.h"

extern const dew_AnimationOps dew_vtkhdf_ops;
