/// `dew`: finds the command and hands it its arguments.
#include "dew/text.h"
#include "support/command.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const dew_Command *const commands[] = {
    &dew_command_run,      &dew_command_check,  &dew_command_render,  &dew_command_view,
    &dew_command_plot,     &dew_command_report, &dew_command_export,  &dew_command_scenes,
    &dew_command_validate, &dew_command_bench,  &dew_command_convert,
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_help(void)
{
    printf(
        "usage: dew COMMAND [ARGUMENT]...\n\n"
        "Dew animates water drops on surfaces: a scene file goes in, a run directory comes out.\n\n"
        "Commands:\n");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        char left[64];
        snprintf(left, sizeof left, "%s %s", commands[i]->name, commands[i]->operands);
        printf("  %-22s %s\n", left, commands[i]->summary);
    }
    printf("\n`dew COMMAND --help` explains each; `dew --version` prints the version.\n"
           "Start with: dew scenes\n");
}

static int unknown_command(const char *word)
{
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i]->name;
    const char *nearest = dew_nearest_name(word, names, COMMAND_COUNT);
    if (nearest)
        return dew_app_fail(
            dew_fail(DEW_BAD_INPUT, "no command '%s' (did you mean %s?)", word, nearest));
    return dew_app_fail(dew_fail(DEW_BAD_INPUT, "no command '%s' (see dew --help)", word));
}

static int run_command(const dew_Command *command, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            dew_command_help(command);
            return DEW_EXIT_DONE;
        }
        if (strcmp(argv[i], "--") == 0)
            break;
    }
    dew_Arguments arguments;
    dew_Status status = dew_arguments_parse(command, argc, argv, &arguments);
    return status.code == DEW_OK ? command->run(&arguments) : dew_app_fail(status);
}

/// Output that could not be written (a full disk behind a redirection) is a failure too.
static int finish(int code)
{
    bool is_lost = fflush(stdout) != 0 || ferror(stdout);
    if (is_lost && code == DEW_EXIT_DONE)
        return dew_app_fail(dew_fail(DEW_IO, "cannot write to standard output"));
    return code;
}

/// Whoever started us may have closed the standard streams. The next file that is opened would take
/// their numbers, and progress and errors would be written into it.
static void hold_standard_streams(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

/// Beyond a limit of file sizes (ulimit -f) a write fails, as on a full disk; the signal would end
/// the program instead.
static void outlive_file_limits(void)
{
    struct sigaction action = {.sa_handler = SIG_IGN};
    sigemptyset(&action.sa_mask);
    sigaction(SIGXFSZ, &action, NULL);
}

int main(int argc, char **argv)
{
    hold_standard_streams();
    outlive_file_limits();
    setenv("EGL_LOG_LEVEL", "fatal", 0);  // our error has one line, Mesa's five
    if (argc < 2) {
        print_help();
        return DEW_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help();
        return finish(DEW_EXIT_DONE);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("dew %s\n", dew_version());
        return finish(DEW_EXIT_DONE);
    }
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(argv[1], commands[i]->name) == 0)
            return finish(run_command(commands[i], argc - 2, argv + 2));
    return unknown_command(argv[1]);
}
