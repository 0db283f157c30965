/// `dew convert`: meshes between PLY, OBJ, STL and VTP, with an audit on the way.
#include "app/command.h"
#include "app/output_file.h"
#include "base/status.h"
#include "base/tasks.h"
#include "geom/mesh_audit.h"
#include "geom/mesh_repair.h"
#include "io/mesh_file.h"
#include "surface/procedural.h"

#include <math.h>
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

/// Repairs say themselves what they did only at the level of information; here they are warnings.
static void print_repair(void *context, dew_LogLevel level, const char *message)
{
    (void)context;
    (void)level;
    dew_Log log = dew_app_log();
    dew_log_line(&log, DEW_LOG_WARNING, message);
}

static void warn(const char *path, const char *words)
{
    char line[2 * DEW_MESSAGE_SIZE];
    dew_Log log = dew_app_log();
    snprintf(line, sizeof line, "%.400s: %.500s", path, words);
    dew_log_line(&log, DEW_LOG_WARNING, line);
}

static dew_Status mend(const dew_Arguments *arguments, const char *path, dew_Mesh *mesh)
{
    dew_MeshRepairDef def = {.log = {print_repair, NULL}, .name = path};
    if (dew_option_given(arguments, "--keep"))
        return dew_ok();
    return dew_mesh_repair(mesh, &def, NULL);
}

static dew_Status audit(const char *path, const dew_Mesh *mesh, dew_Tasks *tasks, bool is_told)
{
    dew_MeshAudit result;
    dew_MeshAuditDef def = {.tasks = tasks, .skip_self_intersections = !is_told};
    DEW_TRY(dew_mesh_audit(mesh, &def, &result));
    char text[1024];
    dew_mesh_audit_summary(&result, text, sizeof text);
    if (is_told)
        printf("%s: %lld vertices, %lld triangles, %s\n", path, (long long)mesh->positions.count,
               (long long)mesh->triangles.count, text);
    else if (!dew_mesh_audit_is_clean(&result))
        warn(path, text);
    return dew_ok();
}

static dew_Status convert(const dew_Arguments *arguments, dew_Mesh *mesh, dew_Tasks *tasks)
{
    const char *in = arguments->operands[0], *out = arguments->operands[1];
    dew_MeshSaveDef def = dew_default_mesh_save_def();
    def.is_text = dew_option_given(arguments, "--ascii");
    def.has_double_positions = dew_option_given(arguments, "--double");
    def.log = dew_app_log();
    DEW_TRY(dew_mesh_save_check(out));
    DEW_TRY(dew_output_check(out));
    DEW_TRY(load(in, mesh));
    DEW_TRY(mend(arguments, in, mesh));
    DEW_TRY(audit(in, mesh, tasks, dew_option_given(arguments, "--audit")));
    return dew_mesh_save(out, &def, mesh);
}

static int run(const dew_Arguments *arguments)
{
    dew_TasksDef tasks_def = dew_default_tasks_def();
    dew_Tasks *tasks = NULL;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    dew_Status status = dew_tasks_create(&tasks_def, &tasks);
    if (status.code == DEW_OK)
        status = convert(arguments, &mesh, tasks);
    dew_tasks_destroy(tasks);
    dew_mesh_deinit(&mesh);
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
