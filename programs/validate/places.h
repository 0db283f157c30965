/// For cases: places between the cells. What a grid gives is reported as the worst of three places
/// and two grids.
#pragma once

typedef struct dew_GridPlace {
    double cells;  // in the length that the case's figures are for, a drop's radius unless it says
                   // otherwise
    double x, y, z;  // from the corner of a cell, in cells
} dew_GridPlace;

/// The one of two that is farther from the exact figure. Not a number is farthest of all.
double dew_farther(double a, double b, double exact);
