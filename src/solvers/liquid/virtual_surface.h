/// The virtual surface of one stencil, [Wang2005] sections 5.1-5.3: 3 x 3 x 3 nodes around a cell beside a wall, x
/// out of the liquid along the wall, y out of the wall, z along the contact line. Lengths are in nodes' distances.
///
/// The plane y = 0 stands for the wall and the level of phi through the centre for the liquid's surface. Below
/// the plane the surface is replaced by one that leaves the contact line at the stable angle.
#pragma once

typedef struct dew_VirtualStencil {
    double liquid[27];  // phi at the nodes, x fastest: in, free of the centre's value afterwards
    double line[9];     // distance to the contact line on the plane y = 0, < 0 under liquid: out
} dew_VirtualStencil;

/// Takes the centre's phi off and finds the contact line.
void dew_virtual_begin(dew_VirtualStencil *stencil);
/// Mean curvature (sum of both) at the centre of the surface joined with the virtual one at this angle.
double dew_virtual_curvature(const dew_VirtualStencil *stencil, double angle_rad);
