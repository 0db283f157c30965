/// Parses a command's arguments by its table, prints its help, and turns statuses into exit codes.
#include "support/command.h"

#include "dew/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find_option(const dew_Command *command, const char *name, size_t length)
{
    for (int i = 0; i < command->option_count; i++) {
        const dew_Option *option = &command->options[i];
        if (strlen(option->name) == length && memcmp(option->name, name, length) == 0)
            return i;
        if (option->letter && length == 2 && name[0] == '-' && name[1] == option->letter)
            return i;
    }
    return -1;
}

static dew_Status unknown_option(const dew_Command *command, const char *word)
{
    const char *names[DEW_MAX_ARGUMENTS];
    int count = 0;
    for (int i = 0; i < command->option_count; i++)
        names[count++] = command->options[i].name;
    const char *nearest = dew_nearest_name(word, names, count);
    if (nearest)
        return dew_fail(DEW_BAD_INPUT, "%s has no option %s (did you mean %s?)", command->name,
                        word, nearest);
    return dew_fail(DEW_BAD_INPUT, "%s has no option %s (see dew %s --help)", command->name, word,
                    command->name);
}

/// One option at argv[*i], its value behind '=' or in the next argument.
static dew_Status parse_option(int argc, char **argv, int *i, dew_Arguments *out)
{
    const char *word = argv[*i];
    const char *equals = word[1] == '-' ? strchr(word, '=') : NULL;
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    int index = find_option(out->command, word, length);
    if (index < 0)
        return unknown_option(out->command, word);
    const dew_Option *option = &out->command->options[index];
    const char *value = "";
    if (option->value) {
        if (!equals && *i + 1 >= argc)
            return dew_fail(DEW_BAD_INPUT, "%s wants a value: %s %s", option->name, option->name,
                            option->value);
        value = equals ? equals + 1 : argv[++*i];
    } else if (equals) {
        return dew_fail(DEW_BAD_INPUT, "%s takes no value", option->name);
    }
    if (!option->is_many && dew_option_given(out, option->name))
        return dew_fail(DEW_BAD_INPUT, "%s is given twice", option->name);
    out->option_indices[out->option_count] = index;
    out->option_values[out->option_count++] = value;
    return dew_ok();
}

dew_Status dew_arguments_parse(const dew_Command *command, int argc, char **argv,
                               dew_Arguments *out)
{
    *out = (dew_Arguments){.command = command};
    if (argc > DEW_MAX_ARGUMENTS)
        return dew_fail(DEW_BAD_INPUT, "more than %d arguments", DEW_MAX_ARGUMENTS);
    bool only_operands = false;
    for (int i = 0; i < argc; i++) {
        bool is_option = !only_operands && argv[i][0] == '-' && argv[i][1] != 0;
        if (is_option && strcmp(argv[i], "--") == 0)
            only_operands = true;
        else if (is_option)
            DEW_TRY(parse_option(argc, argv, &i, out));
        else
            out->operands[out->operand_count++] = argv[i];
    }
    if (out->operand_count < command->min_operands)
        return dew_fail(DEW_BAD_INPUT, "%s wants %s (see dew %s --help)", command->name,
                        command->operands, command->name);
    if (out->operand_count > command->max_operands)
        return dew_fail(DEW_BAD_INPUT, "%s does not know what to do with '%s' (it takes %s)",
                        command->name, out->operands[command->max_operands],
                        *command->operands ? command->operands : "options only");
    return dew_ok();
}

int dew_option_values(const dew_Arguments *arguments, const char *name, const char **out,
                      int capacity)
{
    int count = 0;
    for (int i = 0; i < arguments->option_count; i++) {
        const dew_Option *option = &arguments->command->options[arguments->option_indices[i]];
        if (strcmp(option->name, name) == 0) {
            if (count < capacity)
                out[count] = arguments->option_values[i];
            count++;
        }
    }
    return count;
}

const char *dew_option_value(const dew_Arguments *arguments, const char *name)
{
    const char *values[DEW_MAX_ARGUMENTS];
    int count = dew_option_values(arguments, name, values, DEW_MAX_ARGUMENTS);
    return count > 0 ? values[count - 1] : NULL;
}

bool dew_option_given(const dew_Arguments *arguments, const char *name)
{
    return dew_option_value(arguments, name) != NULL;
}

dew_Status dew_option_integer(const dew_Arguments *arguments, const char *name, int64_t min,
                              int64_t max, int64_t *out)
{
    const char *text = dew_option_value(arguments, name);
    if (!text)
        return dew_ok();
    char *end = NULL;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    bool is_number = isdigit((unsigned char)text[*text == '-' || *text == '+']) && *end == 0;
    if (!is_number || errno != 0 || value < min || value > max)
        return dew_fail(DEW_BAD_INPUT, "%s %s: not a whole number from %lld to %lld", name, text,
                        (long long)min, (long long)max);
    *out = value;
    return dew_ok();
}

void dew_command_help(const dew_Command *command)
{
    printf("usage: dew %s%s%s%s\n\n%s.\n", command->name, *command->operands ? " " : "",
           command->operands, command->option_count ? " [OPTION]..." : "", command->summary);
    if (command->details)
        printf("\n%s\n", command->details);
    if (command->option_count)
        printf("\nOptions:\n");
    for (int i = 0; i < command->option_count; i++) {
        const dew_Option *option = &command->options[i];
        char left[64], letter[8] = "";
        if (option->letter)
            snprintf(letter, sizeof letter, "-%c, ", option->letter);
        snprintf(left, sizeof left, "%s%s%s%s", letter, option->name, option->value ? " " : "",
                 option->value ? option->value : "");
        printf("  %-26s %s%s\n", left, option->help, option->is_many ? " (may be repeated)" : "");
    }
}

int dew_app_fail(dew_Status status)
{
    if (status.code == DEW_OK)
        return DEW_EXIT_DONE;
    fprintf(stderr, "dew: %s\n", status.message);
    switch (status.code) {
    case DEW_BAD_INPUT:
    case DEW_BUSY:
    case DEW_UNSUPPORTED:
        return DEW_EXIT_USAGE;
    case DEW_INTERRUPTED:
        return DEW_EXIT_INTERRUPTED;
    default:
        return DEW_EXIT_FAILED;
    }
}

static void print_line(void *context, dew_LogLevel level, const char *message)
{
    (void)context;
    if (level < DEW_LOG_WARNING)
        return;
    char line[2 * DEW_MESSAGE_SIZE];
    dew_utf8_show(message, line, sizeof line);
    fprintf(stderr, "dew: %s%s\n", level == DEW_LOG_WARNING ? "warning: " : "", line);
}

dew_Log dew_app_log(void)
{
    return (dew_Log){print_line, NULL};
}
