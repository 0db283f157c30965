/// Volume, area, centroid, inertia, box; connected components; vertex normals.
#pragma once

#include "geom/mesh.h"

/// Integrals over the inside of a closed mesh (exact for the polyhedron) and over its surface. The
/// terms are summed exactly: the bits do not depend on the order of the triangles.
typedef struct dew_MeshMeasure {
    double volume_m3;  // negative when inside out
    double area_m2;
    dew_Vec3 centroid_m;   // of the volume; of the box when there is no volume
    double inertia_m5[6];  // xx yy zz xy yz zx of the inertia tensor about the centroid, density 1:
                           // xx = int(y^2 + z^2), xy = -int(x y)
    dew_Box box_m;         // of the vertices that triangles name
} dew_MeshMeasure;

dew_MeshMeasure dew_mesh_measure(const dew_Mesh *mesh);

/// Signed volume of each component (labels from dew_mesh_components); volume_m3[component_count].
/// Summed in the order of the triangles.
void dew_mesh_component_volumes(const dew_Mesh *mesh, const uint32_t *triangle_label,
                                int64_t component_count, double *volume_m3);

#define DEW_NO_COMPONENT UINT32_MAX

/// Labels triangles and vertices by connected component (through shared vertices); components are
/// numbered by their lowest vertex. vertex_label[vertices] is needed, triangle_label[triangles] may
/// be NULL; vertices that no triangle names get DEW_NO_COMPONENT. Returns the number of components.
int64_t dew_mesh_components(const dew_Mesh *mesh, uint32_t *triangle_label, uint32_t *vertex_label);

/// Angle-weighted unit normals; zero where there is no triangle with an area. normals[vertices].
void dew_mesh_vertex_normals(const dew_Mesh *mesh, dew_Vec3 *normals);
