/// Separates the triangles of a surface that cross, where no position without crossings is known.
///
/// For meshes that move freely (solver `surface`): sheets of one drop that have run into each other at the contact
/// line, folds, drops that touch. Vertices of crossing triangles move in small steps: outward, which
/// gives a sheet of liquid its thickness back; towards the mean of their neighbours, which flattens folds;
/// inward, which opens a gap of air; always inward between two drops. Each way is tried in turn from the best
/// result so far, until nothing crosses, and is left when more triangles cross than where it began. Then the other dry vertices give each piece its volume back. Judged in
/// single precision, as files store it.
///
/// That undoes shallow crossings, of the order of an edge. Pieces that still cross then are made anew from the region
/// they enclose, those that cross each other as one (remake.h): the shape is theirs to within an edge, the triangles
/// are others. What then crosses a neighbour is made anew together with it, at last as a ball.
#pragma once

#include "base/tasks.h"
#include "surface/surface.h"

/// Needs all that a solver fills; changes it. left: pairs that still cross; may be NULL. Bit-identical on
/// any number of workers. Fails only for lack of memory.
dew_Status dew_surface_untangle(dew_Surface *surface, dew_Tasks *tasks, int64_t *left);
