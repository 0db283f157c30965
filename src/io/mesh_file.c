// Which format a mesh file has, and the way to its reader or writer.
#include "io/mesh_file.h"

#include "base/cookie.h"
#include "base/status.h"
#include "io/assimp_mesh.h"
#include "io/obj.h"
#include "io/ply.h"
#include "io/slice.h"
#include "io/stl.h"
#include "io/vtp.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define MAX_BYTES     ((size_t)4 << 30)
#define KNOWN_ENDINGS ".ply, .obj, .stl, .vtp"

typedef dew_Status ParseFn(const dew_Source *source, dew_Mesh *mesh);
typedef dew_Status WriteFn(const dew_Mesh *mesh, const dew_MeshSaveDef *def, dew_Sink *sink);

static const struct {
    const char *name, *ending;
    ParseFn *parse;
    WriteFn *write;
} formats[] = {
    [DEW_MESH_ANY] = {"unknown", "", NULL, NULL},
    [DEW_MESH_PLY] = {"PLY", ".ply", dew_ply_parse, dew_ply_write},
    [DEW_MESH_OBJ] = {"OBJ", ".obj", dew_obj_parse, dew_obj_write},
    [DEW_MESH_STL] = {"STL", ".stl", dew_stl_parse, dew_stl_write},
    [DEW_MESH_VTP] = {"VTP", ".vtp", dew_vtp_parse, dew_vtp_write},
    [DEW_MESH_ASSIMP] = {"read by assimp", "", dew_assimp_parse, NULL},
};

dew_MeshLoadDef dew_default_mesh_load_def(void)
{
    return (dew_MeshLoadDef){.max_bytes = MAX_BYTES, .cookie = DEW_COOKIE};
}

dew_MeshSaveDef dew_default_mesh_save_def(void)
{
    return (dew_MeshSaveDef){.time_s = (double)NAN, .cookie = DEW_COOKIE};
}

// From the last point on; empty when there is none.
static const char *ending_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *point = strrchr(slash ? slash : path, '.');
    return point ? point : "";
}

dew_MeshFormat dew_mesh_format_of_name(const char *path)
{
    const char *ending = ending_of(path);
    for (int i = DEW_MESH_PLY; i <= DEW_MESH_VTP; i++) {
        if (!strcasecmp(ending, formats[i].ending))
            return (dew_MeshFormat)i;
    }
    return dew_assimp_is_ending(ending) ? DEW_MESH_ASSIMP : DEW_MESH_ANY;
}

const char *dew_mesh_format_name(dew_MeshFormat format)
{
    return formats[format].name;
}

// ---- reading -----------------------------------------------------------------------------------

// By the first bytes; DEW_MESH_ANY where these could be anything. OBJ has no sign of its own.
static dew_MeshFormat format_of_content(const dew_Source *source)
{
    dew_Slice rest = dew_slice(source->data, source->size), word;
    if (dew_stl_is_binary(source))
        return DEW_MESH_STL;
    if (!dew_slice_next_word(&rest, &word))
        return DEW_MESH_ANY;
    if (dew_slice_is(word, "ply"))
        return DEW_MESH_PLY;
    if (word.size >= 5 && !memcmp(word.data, "<?xml", 5))
        return DEW_MESH_VTP;
    if (word.size >= 8 && !memcmp(word.data, "<VTKFile", 8))
        return DEW_MESH_VTP;
    return dew_slice_is_any_case(word, "solid") ? DEW_MESH_STL : DEW_MESH_ANY;
}

static dew_Status find_format(const dew_Source *source, dew_MeshFormat *format)
{
    dew_MeshFormat by_name = dew_mesh_format_of_name(source->name);
    if (by_name == DEW_MESH_ASSIMP) {  // which looks at the content by itself
        *format = by_name;
        return dew_ok();
    }
    dew_MeshFormat by_content = format_of_content(source);
    *format = by_content != DEW_MESH_ANY ? by_content : by_name;
    if (*format == DEW_MESH_ANY)
        return dew_source_fail_byte(source, source->data,
                                    "expected a mesh file, found unknown name and content (known "
                                    "endings: " KNOWN_ENDINGS "; by assimp: %s)",
                                    dew_assimp_endings());
    if (*format != by_name)
        dew_source_say(source, DEW_LOG_WARNING, "read as %s, which it is by its content",
                       formats[*format].name);
    return dew_ok();
}

dew_Status dew_mesh_parse(dew_Source *source, dew_MeshFormat format, dew_Mesh *mesh)
{
    bool is_foreign =
        format == DEW_MESH_ASSIMP ||
        (format == DEW_MESH_ANY && dew_mesh_format_of_name(source->name) == DEW_MESH_ASSIMP);
    bool is_raw = is_foreign || dew_stl_is_binary(source);  // first bytes mean nothing
    if (!is_raw)
        DEW_TRY(dew_source_skip_mark(source));
    if (source->size == 0)
        return dew_source_fail_byte(source, source->data, "the file is empty");
    if (format == DEW_MESH_ANY)
        DEW_TRY(find_format(source, &format));
    DEW_TRY(formats[format].parse(source, mesh));
    if (!is_raw)
        dew_source_warn_line_ends(source);
    if (mesh->triangles.count == 0)
        dew_source_say(source, DEW_LOG_WARNING, "there are no faces in it");
    return dew_ok();
}

dew_Status dew_mesh_load(const char *path, const dew_MeshLoadDef *def, dew_Mesh *mesh)
{
    dew_MeshLoadDef defaults = dew_default_mesh_load_def();
    if (!def)
        def = &defaults;
    DEW_ASSERT(def->cookie == DEW_COOKIE);
    dew_Source source;
    DEW_TRY(dew_source_load(&source, path, def->max_bytes, &mesh->allocator, &def->log));
    dew_Status status = dew_mesh_parse(&source, def->format, mesh);
    dew_source_unload(&source);
    return status;
}

// ---- writing -----------------------------------------------------------------------------------

dew_Status dew_mesh_save_check(const char *path)
{
    if (formats[dew_mesh_format_of_name(path)].write)
        return dew_ok();
    const char *ending = ending_of(path);
    return dew_fail(DEW_BAD_INPUT, "%s: '%s' is not the ending of a mesh format (known: %s)", path,
                    ending, KNOWN_ENDINGS);
}

dew_Status dew_mesh_save(const char *path, const dew_MeshSaveDef *def, const dew_Mesh *mesh)
{
    dew_MeshSaveDef defaults = dew_default_mesh_save_def();
    if (!def)
        def = &defaults;
    DEW_ASSERT(def->cookie == DEW_COOKIE);
    dew_MeshFormat format = def->format;
    if (!formats[format].write) {
        DEW_TRY(dew_mesh_save_check(path));
        format = dew_mesh_format_of_name(path);
    }
    dew_Sink sink;
    DEW_TRY(dew_sink_begin_file(&sink, path, &mesh->allocator));
    dew_Status status = formats[format].write(mesh, def, &sink);
    if (status.code != DEW_OK)
        status = dew_status_prefix(status, "%s", path);
    return dew_sink_end(&sink, status);
}
