/// Separates the triangles of a surface that cross, where no position without crossings is known.
///
/// For meshes that move freely (solver `surface`): sheets of one drop that have run into each other
/// at the contact line, folds, drops that touch. Vertices of crossing triangles move in small
/// steps: outward, which restores the thickness of a sheet of liquid; towards the mean of their
/// neighbours, which flattens folds; inward, which opens a gap of air; always inward between two
/// drops. Each kind of move is tried in turn from the best result so far, until nothing crosses; it
/// ends when more triangles cross than where it began. Then the other dry vertices move to restore
/// the volume of each piece. Judged in single precision, as files store it.
///
/// That undoes shallow crossings, of the order of an edge. Pieces that still cross then are
/// remeshed from the region they enclose, those that cross each other as one (remake.h): the shape
/// is kept to within an edge, the triangles are new. A new piece that crosses a neighbour is
/// remeshed together with it, at last as a ball.
#pragma once

#include "base/tasks.h"
#include "surface/surface.h"

/// Needs all that a solver fills; changes it. left: pairs that still cross; may be NULL.
/// Bit-identical on any number of workers. Fails only for lack of memory.
dew_Status dew_surface_untangle(dew_Surface *surface, dew_Tasks *tasks, int64_t *left);
