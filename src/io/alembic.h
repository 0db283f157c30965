/// Alembic (.abc), the baked scenes that Blender, Houdini, Maya and Nuke read.
///
/// An object is a transform with a mesh or points below it, the camera likewise. Topology may
/// change. docs/manual/export_alembic.md says what is written and which readers were tried.
#pragma once

#include "io/animation.h"

extern const dew_AnimationOps dew_alembic_ops;
