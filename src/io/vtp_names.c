// Names of vectors and of their components.
#include "io/vtp_names.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_normals(const char *name)
{
    return !strcasecmp(name, "normal") || !strcasecmp(name, "normals");
}

void dew_vtp_attribute_name(const char *array_name, int64_t component_count, int64_t component,
                            char out[DEW_VTP_NAME_SIZE])
{
    const char axis = (char)('x' + component);
    char suffix[24];
    if (component_count == 1)
        suffix[0] = 0;
    else if (component_count == 3)
        snprintf(suffix, sizeof suffix, "_%c", axis);
    else
        snprintf(suffix, sizeof suffix, "_%lld", (long long)component);
    if (component_count == 3 && is_normals(array_name))
        snprintf(out, DEW_VTP_NAME_SIZE, "n%c", axis);
    else if (component_count == 3 && !strcasecmp(array_name, "velocity"))
        snprintf(out, DEW_VTP_NAME_SIZE, "v%c", axis);
    else  // of a long name the end is cut, not the suffix
        snprintf(out, DEW_VTP_NAME_SIZE, "%.*s%s", DEW_VTP_NAME_SIZE - 1 - (int)strlen(suffix),
                 array_name, suffix);
}

static const dew_MeshAttribute *find(const dew_Mesh *mesh, const char *name)
{
    const dew_MeshAttribute *a = DEW_ITEMS(&mesh->attributes, const dew_MeshAttribute);
    for (int64_t i = 0; i < mesh->attributes.count; i++) {
        if (!strcmp(a[i].name, name))
            return &a[i];
    }
    return NULL;
}

// The vector that an attribute would be a component of; false when its name is that of a scalar.
static bool vector_name(const char *attribute, char out[DEW_VTP_NAME_SIZE])
{
    size_t length = strlen(attribute);
    char axis = length > 0 ? attribute[length - 1] : 0;
    if (axis < 'x' || axis > 'z')
        return false;
    if (length == 2 && attribute[0] == 'n')
        snprintf(out, DEW_VTP_NAME_SIZE, "Normals");
    else if (length == 2 && attribute[0] == 'v')
        snprintf(out, DEW_VTP_NAME_SIZE, "velocity");
    else if (length > 2 && attribute[length - 2] == '_')
        snprintf(out, DEW_VTP_NAME_SIZE, "%.*s", (int)length - 2, attribute);
    else
        return false;
    // Names that would come back as others (normal_x as nx) stay scalars.
    char back[DEW_VTP_NAME_SIZE];
    dew_vtp_attribute_name(out, 3, axis - 'x', back);
    return !strcmp(back, attribute);
}

bool dew_vtp_group(const dew_Mesh *mesh, int64_t index, dew_VtpGroup *group)
{
    const dew_MeshAttribute *first = &DEW_ITEMS(&mesh->attributes, const dew_MeshAttribute)[index];
    *group = (dew_VtpGroup){.component_count = 1, .of = {first}};
    snprintf(group->name, sizeof group->name, "%s", first->name);
    char name[DEW_VTP_NAME_SIZE];
    if (!vector_name(first->name, name) || find(mesh, name))
        return true;
    const dew_MeshAttribute *of[3];
    for (int axis = 0; axis < 3; axis++) {
        char component[DEW_VTP_NAME_SIZE];
        dew_vtp_attribute_name(name, 3, axis, component);
        of[axis] = find(mesh, component);
        if (!of[axis])
            return true;
    }
    memcpy(group->of, of, sizeof of);
    memcpy(group->name, name, sizeof name);
    group->component_count = 3;
    for (int axis = 0; axis < 3; axis++) {
        if (of[axis] < first)  // another component comes first in the mesh
            return false;
    }
    return true;
}
