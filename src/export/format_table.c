// The table of formats, and its look-up by the ending of a name.
#include "export/format_table.h"

#include "io/alembic.h"
#include "io/glb.h"
#include "io/usd.h"
#include "io/vtkhdf.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const dew_ExportFormat formats[] = {
    {.extension = "usda", .ops = &dew_usda_ops},
    {.extension = "usdc", .ops = &dew_usdc_ops},
    {.extension = "glb", .ops = &dew_glb_ops, .is_y_up = true},
    {.extension = "abc", .ops = &dew_alembic_ops},
    {.extension = "vtkhdf", .ops = &dew_vtkhdf_ops},
};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

// ".usda, .glb or .abc"
static void list_formats(char *out, size_t size)
{
    const dew_ExportFormat *known[FORMAT_COUNT];
    int count = 0;
    size_t length = 0;
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (formats[i].ops)
            known[count++] = &formats[i];
    out[0] = '\0';
    for (int i = 0; i < count && length < size; i++)
        length += (size_t)snprintf(out + length, size - length, "%s.%s",
                                   i == 0           ? ""
                                   : i == count - 1 ? " or "
                                                    : ", ",
                                   known[i]->extension);
}

dew_Status dew_export_format_find(const char *path, const dew_ExportFormat **out)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    char known[128];
    *out = NULL;
    list_formats(known, sizeof known);
    for (int i = 0; dot && i < FORMAT_COUNT; i++)
        if (strcasecmp(dot + 1, formats[i].extension) == 0)
            *out = &formats[i];
    if (!*out)
        return dew_fail(DEW_BAD_INPUT, "%.300s: a run is exported as %s", path, known);
    if (!(*out)->ops)
        return dew_fail(DEW_UNSUPPORTED, "%.300s: this build of Dew cannot write .%s (%s would do)",
                        path, (*out)->extension, known);
    return dew_ok();
}
