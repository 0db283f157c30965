// Procedural meshes by name: sizes, checks, and the scaling from a maker's units to the scene's.
#include "geom/mesh.h"

#include "base/status.h"
#include "dew/text.h"
#include "geom/mesh_measure.h"
#include "surface/procedural_shapes.h"

#include <string.h>

typedef struct Kind {
    const char *name;
    dew_Status (*make)(double edge, dew_Mesh *mesh);
    double size_m;  // as in life
    double fine,
        coarse;   // edge when none is given, and the longest that keeps the shape, over size
    double area;  // about, over size squared
} Kind;

static const Kind kinds[] = {
    {"animal", dew_make_animal, 0.15, 0.0074, 0.02, 1.4},
    {"bottle", dew_make_bottle, 0.25, 0.012, 0.04, 1.6},
    {"leaf", dew_make_leaf, 0.1, 0.012, 0.05, 0.9},
    {"tap", dew_make_tap, 0.3, 0.008, 0.01, 0.8},
    {"windscreen", dew_make_windscreen, 1.4, 0.012, 0.05, 1.1},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

int dew_procedural_count(void)
{
    return KIND_COUNT;
}

const char *dew_procedural_name(int index)
{
    return kinds[index].name;
}

static dew_Status find_kind(const char *name, const Kind **out)
{
    const char *names[KIND_COUNT];
    for (int i = 0; i < KIND_COUNT; i++) {
        names[i] = kinds[i].name;
        if (strcmp(name, names[i]) == 0) {
            *out = &kinds[i];
            return dew_ok();
        }
    }
    const char *nearest = dew_nearest_name(name, names, KIND_COUNT);
    if (nearest)
        return dew_fail(DEW_BAD_INPUT, "no procedural mesh is called '%s' (perhaps '%s')", name,
                        nearest);
    return dew_fail(DEW_BAD_INPUT,
                    "no procedural mesh is called '%s' (there are animal, bottle, leaf, tap and "
                    "windscreen)",
                    name);
}

// Stands it on the ground, its longest side as given.
static void place(dew_Mesh *mesh, double size_m)
{
    dew_Box box = dew_mesh_measure(mesh).box_m;
    dew_Vec3 size = dew_sub(box.max, box.min);
    double scale = size_m / fmax(size.x, fmax(size.y, size.z));
    dew_Vec3 foot = {0.5 * (box.min.x + box.max.x), box.min.y, 0.5 * (box.min.z + box.max.z)};
    dew_mesh_transform(mesh, scale, dew_rotation_identity(), dew_scale(-scale, foot));
}

dew_Status dew_procedural_mesh(const char *name, double size_m, double edge_m, dew_Mesh *mesh)
{
    const Kind *kind = NULL;
    DEW_TRY(find_kind(name, &kind));
    if (size_m == 0)
        size_m = kind->size_m;
    if (!dew_is_length(size_m))
        return dew_fail(DEW_BAD_INPUT, "a %s of size %g m cannot be (it must be positive)", name,
                        size_m);
    if (!(edge_m >= 0))
        return dew_fail(DEW_BAD_INPUT, "edges of %g m cannot be (they must be positive)", edge_m);
    double edge = edge_m == 0 ? kind->fine : fmin(edge_m / size_m, kind->coarse);
    double unit_area = sqrt(3) / 4;  // of an equilateral triangle of edge 1
    double triangles = kind->area / (unit_area * edge * edge);
    if (triangles > DEW_MESH_MAX_TRIANGLES)
        return dew_fail(DEW_BAD_INPUT,
                        "a %s of size %g m with edges of %g m has too many triangles (an edge of "
                        "%.1g m is possible)",
                        name, size_m, edge_m,
                        // One digit may round down by a third.
                        1.5 * size_m * sqrt(kind->area / (unit_area * DEW_MESH_MAX_TRIANGLES)));
    int64_t room = (int64_t)triangles + (int64_t)(triangles / 8);
    DEW_TRY(dew_array_reserve(&mesh->triangles, room));
    DEW_TRY(dew_array_reserve(&mesh->positions, room / 2));
    DEW_TRY(kind->make(edge, mesh));
    place(mesh, size_m);
    return dew_ok();
}
