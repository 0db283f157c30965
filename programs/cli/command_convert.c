/// `dew convert`: meshes between PLY, OBJ, STL and VTP, with an audit on the way.
#include "dew/mesh.h"
#include "dew/text.h"
#include "support/command.h"

#include <stdio.h>
#include <string.h>

static const char procedural_prefix[] = "procedural:";

static dew_Status load(const char *path, dew_Mesh *mesh)
{
    size_t length = strlen(procedural_prefix);
    if (strncmp(path, procedural_prefix, length) == 0)
        return dew_procedural_mesh(path + length, 0, 0, mesh);
    dew_MeshLoadDef def = dew_default_mesh_load_def();
    def.log = dew_app_log();
    return dew_mesh_load(path, &def, mesh);
}

/// The library reports repairs as information; a converted file differs by them, so here they are
/// warnings.
static void print_repair(void *context, dew_LogLevel level, const char *message)
{
    (void)context;
    (void)level;
    dew_Log log = dew_app_log();
    log.write(log.context, DEW_LOG_WARNING, message);
}

static dew_Status repair(const dew_Arguments *arguments, const char *path, dew_Mesh *mesh)
{
    dew_MeshRepairDef def = {.log = {print_repair, NULL}, .name = path};
    if (dew_option_given(arguments, "--keep"))
        return dew_ok();
    return dew_mesh_repair(mesh, &def, NULL);
}

/// With --audit the result is printed; without, self-intersections are not looked for, and defects
/// are a warning.
static dew_Status audit(const char *path, const dew_Mesh *mesh, bool is_printed)
{
    dew_MeshAudit result;
    dew_MeshInspectDef def = dew_default_mesh_inspect_def();
    def.skip_self_intersections = !is_printed;
    DEW_TRY(dew_mesh_inspect(mesh, &def, &result));
    char text[1024], line[2 * DEW_MESSAGE_SIZE];
    dew_mesh_audit_summary(&result, text, sizeof text);
    if (is_printed) {
        printf("%s: %lld vertices, %lld triangles, %s\n", path,
               (long long)dew_mesh_vertex_count(mesh), (long long)dew_mesh_triangle_count(mesh),
               text);
    } else if (!dew_mesh_audit_is_clean(&result)) {
        dew_Log log = dew_app_log();
        snprintf(line, sizeof line, "%.400s: %.500s", path, text);
        log.write(log.context, DEW_LOG_WARNING, line);
    }
    return dew_ok();
}

static dew_Status convert(const dew_Arguments *arguments, dew_Mesh *mesh)
{
    const char *in = arguments->operands[0], *out = arguments->operands[1];
    dew_MeshSaveDef def = dew_default_mesh_save_def();
    def.is_text = dew_option_given(arguments, "--ascii");
    def.has_double_positions = dew_option_given(arguments, "--double");
    def.log = dew_app_log();
    DEW_TRY(dew_mesh_save_check(out));
    DEW_TRY(dew_output_check(out));
    DEW_TRY(load(in, mesh));
    DEW_TRY(repair(arguments, in, mesh));
    DEW_TRY(audit(in, mesh, dew_option_given(arguments, "--audit")));
    return dew_mesh_save(out, &def, mesh);
}

static int run(const dew_Arguments *arguments)
{
    dew_Mesh *mesh = NULL;
    dew_Status status = dew_mesh_create(NULL, &mesh);
    if (status.code == DEW_OK)
        status = convert(arguments, mesh);
    dew_mesh_destroy(mesh);
    return dew_app_fail(status);
}

static const dew_Option options[] = {
    {"--audit", 0, NULL, false,
     "print what the mesh is like: closed, manifold, self-intersections"},
    {"--ascii", 0, NULL, false, "write text instead of binary, where the format has both"},
    {"--double", 0, NULL, false, "write positions in double precision, where the format can"},
    {"--keep", 0, NULL, false, "repair nothing"},
};

const dew_Command dew_command_convert = {
    .name = "convert",
    .operands = "IN OUT",
    .summary = "converts meshes between PLY, OBJ, STL and VTP",
    .details = "Vertices that coincide are welded, degenerate and duplicate faces dropped, and a "
               "mesh that is\n"
               "inside out is turned, each with a warning. IN can be procedural:NAME (animal, "
               "bottle, leaf,\n"
               "tap, windscreen), a mesh that Dew makes itself.",
    .min_operands = 2,
    .max_operands = 2,
    .options = options,
    .option_count = 4,
    .run = run,
};
